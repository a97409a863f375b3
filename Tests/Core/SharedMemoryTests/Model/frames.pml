/*
 * The protocol of FrameRingWriter and FrameRingReader, for spin; RingModelTests runs it.
 *
 * Size: SLOTS; FRAMES, the publishes begun in a file; FILES, 2 when the writer starts over; POLLERS; SLEEPERS, the readers
 * that wait; ROUNDS, what each of them does. What happens: THROWS, ENDS (finish), WRITER_DIES. A reader that dies has no
 * state, and is one that is not run any more.
 */
#include "memory.pml"
#ifndef SLOTS
#define SLOTS 3
#endif
#ifndef FRAMES
#define FRAMES 4
#endif
#ifndef FILES
#define FILES 1
#endif
#ifndef POLLERS
#define POLLERS 0
#endif
#ifndef SLEEPERS
#define SLEEPERS 0
#endif

#define OVERTAKEN 1 /* the second look at the counter throws a read away */
#define READ_ANOTHER_FILE 2 /* a frame is read in the writer's second file */
#define WOKEN 3 /* futex_wake wakes a sleeper */
#define WOKEN_BY_THE_END 4 /* a sleeper is woken by the mark */
#define NOT_ASLEEP 5 /* futex_wait finds another value and does not sleep */

/* The log of a file: attempt k to publish makes the stores 5k … 5k + 4; attempt 0 stands for the zeros of the file. */
#define ODD 0
#define WORD_A 1
#define WORD_B 2
#define EVEN 3
#define LATEST 4
#define ATTEMPTS (FRAMES + 2) /* the zeros, the frames, the mark at the end */
#define ZEROS 4
#define WHOLE 0
#define THROWN 1
#define MARK 2

byte head[FILES] = ZEROS; /* the last store made */
byte slotOf[FILES * ATTEMPTS];
byte kind[FILES * ATTEMPTS];
byte lastFrame[FILES]; /* the attempt that made the newest frame */
#define AT(f, k) ((f) * ATTEMPTS + (k))
#define by(f, q) AT(f, (q) / 5)

#define isLatest(f, q) (q == ZEROS || (q % 5 == LATEST && kind[by(f, q)] != THROWN))
#define isCounter(f, q, s) (q == ZEROS || (slotOf[by(f, q)] == s && \
  ((q % 5 == ODD && kind[by(f, q)] != MARK) || (q % 5 == EVEN && kind[by(f, q)] == WHOLE))))
#define isWord(f, q, s, w) (q == ZEROS || (slotOf[by(f, q)] == s && q % 5 == w && \
  (kind[by(f, q)] == WHOLE || (w == WORD_A && kind[by(f, q)] == THROWN))))

/* The frame that a value of latest, and that a value of a counter, stands for. */
#define frameOf(f, q) (kind[by(f, q)] == MARK -> lastFrame[f] : (q) / 5)
#define isComplete(q, frame) (q % 5 == EVEN && (q) / 5 == frame)

/* What acquiring a store makes known: all up to it when it releases, else up to the release fence before it. */
#ifdef NO_RELEASE_FENCE
#define knownByWord(q) 0
#else
#define knownByWord(q) ((q) == ZEROS -> ZEROS : (q) - (q) % 5)
#endif
#ifdef NO_RELEASE_AT_ODD
#define knownByOdd(q) ((q) < 10 -> 0 : (q) - 5)
#else
#define knownByOdd(q) (q)
#endif
#define knownByCounter(q) (q % 5 == ODD -> knownByOdd(q) : q)
#ifdef NO_RELEASE_AT_LATEST
#define knownByLatest(q) knownByWord(q)
#else
#define knownByLatest(q) (q)
#endif

/* The kernel. */
byte shown; /* the file that bears the name */
byte barrier[FILES]; /* the newest store before a full barrier of futex_wake */
byte unlocked[FILES]; /* the newest store when futex_wake last let its lock go */

/* A sleeper in futex_wait: 1 once it is counted as a waiter, 2 behind the full barrier after that. */
byte waits[2];
bit asleep[2];
byte fileOf[2];
byte sleepsOn[2]; /* the store of latest it saw before it slept */
byte wakeDone[FILES]; /* the newest store of latest whose sleepers were woken */
#define isIn(i, f, step) (waits[i] >= step && fileOf[i] == (f))
#define isMissed(i, f) (asleep[i] && fileOf[i] == (f) && sleepsOn[i] < wakeDone[f])

#ifdef WRITER_DIES
bit writerDies;
#define unlessWriterDies unless { writerDies }
#else
#define unlessWriterDies
#endif

inline storeLatest() {
  if
  :: ends ->
#ifndef NO_MARK
    kind[AT(file, k)] = MARK; head[file] = k * 5 + LATEST
#else
    skip
#endif
  :: else -> head[file] = k * 5 + LATEST; lastFrame[file] = k
  fi
}

/* The number of waiters, as futex_wake reads it: those behind their barrier are in it, those before it may be. */
inline loadWaiters() {
  if
  :: isIn(0, file, 2) || isIn(1, file, 2) -> seen = 1
  :: else ->
    if
    :: isIn(0, file, 1) || isIn(1, file, 1) -> seen = 1
    :: seen = 0
    fi
  fi
}

/* FrameRingFile.publish: latest.store(release), futex_wake. */
inline announce() {
#ifdef NO_WAKE_BARRIER /* the load may be early */
  atomic { loadWaiters() }
  atomic { storeLatest() }
#else
  atomic { storeLatest() }
  atomic { barrier[file] = head[file]; loadWaiters() }
#endif
  atomic {
    if
    :: seen ->
      if
      :: asleep[0] && fileOf[0] == file -> happens(WOKEN); if :: ends -> happens(WOKEN_BY_THE_END) :: else -> skip fi
      :: else -> skip
      fi;
      if :: fileOf[0] == file -> asleep[0] = 0 :: else -> skip fi;
      if :: fileOf[1] == file -> asleep[1] = 0 :: else -> skip fi;
      unlocked[file] = head[file]
    :: else -> skip
    fi;
    seen = 0;
    wakeDone[file] = k * 5 + LATEST;
    assert(!isMissed(0, file) && !isMissed(1, file))
  }
}

active proctype Writer() {
  byte file, k, s;
  bit seen, ends;
start:
  {
    do
    :: k < FRAMES ->
      atomic { k++; slotOf[AT(file, k)] = s; head[file] = k * 5 + ODD }
      head[file] = k * 5 + WORD_A;
      if
#ifdef THROWS
      :: kind[AT(file, k)] = THROWN
#endif
      :: head[file] = k * 5 + WORD_B;
        head[file] = k * 5 + EVEN;
        announce();
        s = (s + 1) % SLOTS
      fi
#ifdef ENDS
    :: k > 0 ->
      /* FrameRingFile.close, for the end and for the old file of a larger one: a mark in latest, on which sleepers wait. */
      atomic { k++; ends = 1 }
      announce();
      break
#else
    :: k == FRAMES -> break
#endif
    od
  } unlessWriterDies;
  /* The next session, or the larger file: zeros, put in place by rename. */
  if
  :: atomic {
      file + 1 < FILES ->
      file++; shown = file;
#ifdef WRITER_DIES
      writerDies = 0;
#endif
      k = 0; s = 0; seen = 0; ends = 0
    }
    goto start
  :: file + 1 == FILES -> skip
  fi
}

#if POLLERS
/* FrameRingReader.next. */
active proctype Poller() {
  byte file, floor = ZEROS, known, q, frame, s, round;
  bit isWhole;
  do
  :: round < ROUNDS ->
    atomic {
      round++;
      if
      :: shown != file -> file = shown; floor = ZEROS; known = 0
      :: else -> skip
      fi
    }
    atomic {
      load(q, head[file], floor, isLatest(file, q));
      floor = max(floor, knownByLatest(q));
      frame = frameOf(file, q); s = slotOf[AT(file, frame)]
    }
    if
    :: frame == 0 -> skip
    :: else ->
      atomic {
        load(q, head[file], floor, isCounter(file, q, s));
        floor = max(floor, knownByCounter(q));
        known = max(known, knownByCounter(q))
      }
      if
      :: isComplete(q, frame) ->
        atomic {
          load(q, head[file], floor, isWord(file, q, s, WORD_A));
          known = max(known, knownByWord(q)); isWhole = (q / 5 == frame)
        }
        atomic {
          load(q, head[file], floor, isWord(file, q, s, WORD_B));
          known = max(known, knownByWord(q)); isWhole = isWhole && (q / 5 == frame)
        }
        atomic {
#ifndef NO_ACQUIRE_FENCE
          floor = max(floor, known);
#endif
          load(q, head[file], floor, isCounter(file, q, s));
          known = max(known, knownByCounter(q));
#ifdef NO_SECOND_CHECK
          assert(isWhole);
#else
          assert(!isComplete(q, frame) || isWhole);
#endif
          if
          :: isComplete(q, frame) && file > 0 -> happens(READ_ANOTHER_FILE)
          :: !isComplete(q, frame) -> happens(OVERTAKEN)
          :: else -> skip
          fi
        }
      :: else -> skip
      fi;
      /* FrameRingReader.countOvertaken: a counter that denies the frame means that a newer one is there, at any death. */
      if
      :: !isComplete(q, frame) ->
        atomic {
          floor = max(floor, known);
          load(q, head[file], floor, isLatest(file, q));
          assert(frameOf(file, q) > frame)
        }
      :: else -> skip
      fi
    fi;
    atomic { q = 0; frame = 0; s = 0; isWhole = 0; known = 0 }
  :: else -> break
  od
}
#endif

#if SLEEPERS
/* FrameRingReader.wait. */
active [SLEEPERS] proctype Sleeper() {
  byte i = _pid - 1 - POLLERS, file, floor = ZEROS, q, p, round, read;
end_waiting:
  do
  :: atomic {
      round < ROUNDS && shown != file ->
      file = shown; fileOf[i] = file; floor = ZEROS; read = 0
    }
  :: round < ROUNDS ->
    round++;
    atomic {
      load(q, head[file], floor, isLatest(file, q));
      floor = max(floor, knownByLatest(q))
    }
    if
    :: kind[by(file, q)] == MARK || frameOf(file, q) > read -> skip
    :: else ->
      /* futex_wait: counts itself, makes a full barrier, then compares and sleeps under the lock. */
      waits[i] = 1;
      atomic {
        waits[i] = 2;
#ifndef NO_WAIT_BARRIER
        floor = max(floor, barrier[file])
#endif
      }
      atomic {
        floor = max(floor, unlocked[file]);
        load(p, head[file], floor, isLatest(file, p));
        if
#ifdef NO_COMPARE
        :: true ->
#else
        :: p == q ->
#endif
          asleep[i] = 1; sleepsOn[i] = q; assert(!isMissed(i, file))
        :: p != q -> happens(NOT_ASLEEP)
        fi;
        p = 0
      }
      /* Woken, or the deadline. */
      if
      :: !asleep[i]
      :: asleep[i] = 0
      fi;
      atomic { waits[i] = 0; sleepsOn[i] = 0 }
    fi;
    /* It reads what there is. */
    atomic {
      load(q, head[file], floor, isLatest(file, q));
      floor = max(floor, knownByLatest(q)); read = frameOf(file, q); q = 0
    }
  :: round == ROUNDS -> break
  od
}
#endif

#ifdef WRITER_DIES
/* When the writer dies: at any step. */
active proctype Death() {
  if
  :: writerDies = 1
  :: skip
  fi
}
#endif

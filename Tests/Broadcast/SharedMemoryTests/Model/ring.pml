/*
 * The protocol of FrameRingWriter and FrameRingReader, for spin; RingModelTests runs it.
 *
 * Size: SLOTS; FRAMES, the publishes begun in a file; FILES, 2 when the writer starts over; POLLERS; READERS, the
 * registered ones; ROUNDS, what each of them does; LIVES of a registered reader, which may die at every step. What
 * happens: LEASES, WAITS, AGE (leases may be taken back by age), THROWS, ENDS (finish), READERS_DIE, WRITER_DIES.
 * COARSE: see there.
 * Each NO_… takes one guard of the protocol away; spin must then find an error.
 *
 * Memory. Not sequentially consistent but the release and acquire of C++20: a load may read every store that its
 * thread does not know to be overwritten. All words but those of the readers' page are stored by one thread, so its
 * stores form one log, and what a thread knows is one position in it, its floor: of each word it may read the newest
 * store at or below the floor, or any later one. Acquiring a store that releases lifts the floor to that store. A
 * relaxed load lifts it at the next acquire fence, to the release fence before the store. Read-modify-writes read the
 * newest value, as they must, and pass floors on. Every atomic block is one access to shared memory with the private
 * work around it.
 */
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
#ifndef READERS
#define READERS 0
#endif
#ifndef LIVES
#define LIVES 1
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

/* With -DWITNESS=event spin must find that event: the model does get there. */
#ifndef WITNESS
#define WITNESS 0
#endif
#define OVERTAKEN 1 /* the second look at the counter throws a read away */
#define READ_ANOTHER_FILE 2 /* a frame is read in the writer's second file */
#define LEASED 3 /* a lease is whole to its end */
#define TAKEN_BACK 4 /* a lease is found taken back */
#define SWEPT 5 /* the sweep frees the slot of a dead reader */
#define WOKEN 6 /* futex_wake wakes a sleeper */
#define WOKEN_BY_THE_END 7 /* a sleeper is woken by the mark */
#define REFUSED 8 /* a reader finds the writer in the slot */
#define happens(event) assert(WITNESS != event)

#ifdef NO_HONOURED_IN_LEASE
#define LEASES_AT_ONCE true
#else
#define LEASES_AT_ONCE false
#endif
#ifdef NO_HONOURED_IN_WAIT
#define WAITS_AT_ONCE true
#else
#define WAITS_AT_ONCE false
#endif

#define max(a, b) ((a) > (b) -> (a) : (b))
#define BIT(i) (1 << (i))
#define WITHOUT(i) (255 - BIT(i))
#define WRITING 128 /* bit 63 of a word of holders */

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
#ifdef NO_RELEASE_AT_EVEN
#define knownByCounter(q) (q % 5 == ODD -> knownByOdd(q) : knownByWord(q))
#else
#define knownByCounter(q) (q % 5 == ODD -> knownByOdd(q) : q)
#endif
#ifdef NO_RELEASE_AT_LATEST
#define knownByLatest(q) knownByWord(q)
#else
#define knownByLatest(q) (q)
#endif

/* A load: any store for which `isOne` holds, from the newest down to the newest at or below `lowest`. */
#define load(q, f, lowest, isOne) \
  q = head[f]; \
  do :: !(isOne) -> q-- :: isOne -> break :: (isOne) && q > (lowest) -> q-- od

/* The words with several writers: the newest value, and the floor it passes on. */
byte holders[FILES * SLOTS];
byte holdersTell[FILES * SLOTS];
byte waiting[FILES];
bit registered[FILES];
bit leasingEnabled[FILES];
byte enabledSince[FILES];
#define H(f, s) ((f) * SLOTS + (s))

/* The order of all seq_cst operations: what a seq_cst load of latest must at least read. */
byte latestSC[FILES] = ZEROS;

/* The kernel. */
byte shown; /* the file that bears the name */
bit locked[FILES * 2]; /* lock byte i */
#define LOCK(f, i) ((f) * 2 + (i))
bit asleep[2];
byte wakeOrder[FILES]; /* a futex_wait is ordered behind the futex_wakes before it */

/* Of the registered readers, for the assertions only. */
byte fileOf[2];
byte bitOn[2]; /* slot + 1 where its bit was set and not taken back */
byte leaseOn[2]; /* the same, once the lease was granted */
byte sleepsOn[2]; /* the store of latest it saw before it slept */
byte wakeDone[FILES]; /* the newest store of latest whose sleepers were woken */
bit allDead; /* since the writer began to look for a slot */
#define isBroken(i, f, s) (leaseOn[i] == (s) + 1 && fileOf[i] == (f))
#define isMissed(i, f) (asleep[i] && fileOf[i] == (f) && sleepsOn[i] < wakeDone[f])

#ifdef WRITER_DIES
bit writerDies;
#define unlessWriterDies unless { writerDies }
#else
#define unlessWriterDies
#endif
#ifdef READERS_DIE
bit readerDies[2];
#define unlessReaderDies(i) unless { readerDies[i] }
#else
#define unlessReaderDies(i)
#endif

/* SlotAllocator.reclaim: holders[s].exchange(WRITER). */
inline reclaim() {
  i = 0;
  do
  :: i < READERS ->
    if
    :: holders[H(file, s)] & BIT(i) ->
      if :: bitOn[i] == s + 1 && fileOf[i] == file -> bitOn[i] = 0; leaseOn[i] = 0 :: else -> skip fi
    :: else -> skip
    fi;
    i++
  :: else -> break
  od;
  i = 0;
  holders[H(file, s)] = WRITING
}

inline nextCandidate() {
  s = (s + 1) % SLOTS;
  if :: s == lastSlot -> s = (s + 1) % SLOTS :: else -> skip fi
}

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

/* SlotAllocator.publish: latest.store(seq_cst), waiting.load(seq_cst), futex_wake. */
inline announce() {
  if
  :: careful ->
#ifdef NO_SC_AT_LOAD_OF_WAITING /* the load may be early */
    seen = waiting[file];
    atomic { storeLatest(); latestSC[file] = head[file] }
#else
    atomic {
      storeLatest();
#ifndef NO_SC_AT_LATEST
      latestSC[file] = head[file]
#endif
    }
    atomic {
      seen = waiting[file];
#ifdef NO_SC_AT_WAITING
      if :: skip :: seen = 0 fi
#endif
    }
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
        wakeOrder[file] = head[file]
      :: else -> skip
      fi;
      seen = 0;
      wakeDone[file] = k * 5 + LATEST;
      assert(!isMissed(0, file) && !isMissed(1, file))
    }
  :: else -> atomic { storeLatest(); wakeDone[file] = k * 5 + LATEST }
  fi
}

active proctype Writer() {
  byte file, k, s, tried, i, t, lastSlot = SLOTS - 1, seen;
  bit careful, swept, ends;
start:
  {
    do
    :: k < FRAMES ->
      /* SlotAllocator.acquire. To miss a registration is no more than to come before it. */
      atomic {
        k++;
        if
        :: !careful && registered[file] -> careful = 1; seen = 1
        :: else -> skip
        fi
      }
      if
      :: seen -> atomic { seen = 0; leasingEnabled[file] = 1; enabledSince[file] = head[file] }
      :: else -> skip
      fi;

      /* Step 1, the slot: in any order of preference. */
      atomic {
        s = lastSlot; nextCandidate();
        allDead = LIVES == 1 && !locked[LOCK(file, 0)] && !locked[LOCK(file, 1)] && registered[file];
        if :: SLOTS > 2 -> nextCandidate() :: skip fi;
        if :: SLOTS > 3 -> nextCandidate() :: skip fi
      }
      do
      :: !careful -> break
#ifdef NO_CAS
      :: careful && tried < SLOTS - 1 && holders[H(file, s)] == 0 -> atomic { holders[H(file, s)] = WRITING; break }
#else
      :: atomic {
          careful && tried < SLOTS - 1 && holders[H(file, s)] == 0 ->
          holders[H(file, s)] = WRITING;
          break
        }
#endif
#ifdef AGE
      :: atomic { careful && tried < SLOTS - 1 && holders[H(file, s)] != 0 -> reclaim(); break }
#endif
      :: atomic { careful && tried < SLOTS - 1 && holders[H(file, s)] != 0 -> tried++; nextCandidate() }
      :: careful && tried == SLOTS - 1 && !swept ->
#if defined(READERS_DIE) && !defined(NO_SWEEP)
        /* The sweep of crashed readers, by their lock bytes. */
        do
        :: i < READERS ->
          if
#ifdef NO_LOCK_IN_SWEEP
          :: !locked[LOCK(file, i)] ->
#else
          :: atomic { !locked[LOCK(file, i)] -> locked[LOCK(file, i)] = 1 }
#endif
            do
            :: atomic {
                t < SLOTS ->
                if :: holders[H(file, t)] & BIT(i) -> happens(SWEPT) :: else -> skip fi;
                holders[H(file, t)] = holders[H(file, t)] & WITHOUT(i); t++
              }
            :: atomic { t == SLOTS -> waiting[file] = waiting[file] & WITHOUT(i); t = 0; break }
            od;
#ifndef NO_LOCK_IN_SWEEP
            locked[LOCK(file, i)] = 0
#endif
          :: locked[LOCK(file, i)] -> skip
          fi;
          i++
        :: else -> break
        od;
#endif
        atomic { i = 0; swept = 1; tried = 0 }
      :: atomic {
          careful && tried == SLOTS - 1 && swept ->
          assert(!allDead);
          /* The oldest frame; which of them that is makes no difference here. */
          if :: nextCandidate() :: skip fi;
          reclaim();
          break
        }
      od;

      /* Step 2: odd counter, release fence, slot, even counter. */
      atomic { tried = 0; swept = 0; allDead = 0; slotOf[AT(file, k)] = s; head[file] = k * 5 + ODD }
      /* COARSE makes them in one step, and also the loads of a lease: a load may read old stores anyway, so all that
         loads in between could read they can read after the last of the stores, or before the first. */
#ifdef COARSE
      if
#else
      atomic { head[file] = k * 5 + WORD_A; assert(!isBroken(0, file, s) && !isBroken(1, file, s)) }
      if
#endif
#ifdef THROWS
      :: atomic {
          kind[AT(file, k)] = THROWN;
          if :: careful -> seen = 1 :: else -> s = 0 fi
        }
        if
        :: seen -> atomic { holders[H(file, s)] = 0; holdersTell[H(file, s)] = head[file]; seen = 0; s = 0 }
        :: else -> skip
        fi
#endif
#ifdef COARSE
      :: atomic { head[file] = k * 5 + EVEN; assert(!isBroken(0, file, s) && !isBroken(1, file, s)) }
#else
      :: atomic { head[file] = k * 5 + WORD_B; assert(!isBroken(0, file, s) && !isBroken(1, file, s)) }
        head[file] = k * 5 + EVEN;
#endif

        /* Step 3. */
        if
        :: careful ->
          atomic {
            holders[H(file, s)] = 0;
#ifdef NO_RELEASE_OF_SLOT
            holdersTell[H(file, s)] = 0
#else
            holdersTell[H(file, s)] = head[file]
#endif
          }
        :: else -> skip
        fi;
        announce();
        atomic { lastSlot = s; s = 0 }
      fi
#ifdef ENDS
    :: k > 0 ->
      /* SlotAllocator.close, for the end and for the old file of a larger one: a mark in latest, the word that sleepers wait on. */
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
      k = 0; s = 0; tried = 0; i = 0; t = 0; lastSlot = SLOTS - 1; seen = 0; careful = 0; swept = 0; ends = 0; allDead = 0
    }
    goto start
  :: file + 1 == FILES -> skip
  fi
}

#if POLLERS
/* FrameRingReader.next of a reader that cannot write. */
active proctype Poller() {
  byte file, floor = ZEROS, known, q, frame, s, round;
  bit a, b;
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
      load(q, file, floor, isLatest(file, q));
      floor = max(floor, knownByLatest(q));
      frame = frameOf(file, q); s = slotOf[AT(file, frame)]
    }
    if
    :: frame == 0 -> skip
    :: else ->
      atomic {
        load(q, file, floor, isCounter(file, q, s));
#ifndef NO_ACQUIRE_OF_COUNTER
        floor = max(floor, knownByCounter(q));
#endif
        known = max(known, knownByCounter(q))
      }
      if
#ifdef NO_FIRST_CHECK
      :: true ->
#else
      :: isComplete(q, frame) ->
#endif
        atomic {
          load(q, file, floor, isWord(file, q, s, WORD_A));
          known = max(known, knownByWord(q)); a = (q / 5 == frame)
        }
        atomic {
          load(q, file, floor, isWord(file, q, s, WORD_B));
          known = max(known, knownByWord(q)); b = (q / 5 == frame)
        }
        atomic {
#ifndef NO_ACQUIRE_FENCE
          floor = max(floor, known);
#endif
          load(q, file, floor, isCounter(file, q, s));
          known = max(known, knownByCounter(q));
#ifdef NO_SECOND_CHECK
          assert(a && b);
#else
          assert(!isComplete(q, frame) || (a && b));
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
          load(q, file, floor, isLatest(file, q));
          assert(frameOf(file, q) > frame)
        }
      :: else -> skip
      fi
    fi;
    atomic { q = 0; frame = 0; s = 0; a = 0; b = 0; known = 0 }
  :: else -> break
  od
}
#endif

#if READERS
/* A lock byte is owned by one reader, so its bits are only of its leases. */
#define holdsNothing(i) (!((holders[H(file, 0)] | holders[H(file, 1)] | HOLDERS_ABOVE) & BIT(i)))
#if SLOTS == 2
#define HOLDERS_ABOVE 0
#elif SLOTS == 3
#define HOLDERS_ABOVE holders[H(file, 2)]
#else
#define HOLDERS_ABOVE (holders[H(file, 2)] | holders[H(file, 3)])
#endif

/* FrameRingReader that registers, with lock byte i. */
proctype Reader(byte i) {
  byte file, floor = ZEROS, known, q, p, frame, s, t, round, lives = 1, read;
  bit owns, sure, a, b, refused;
end_registering:
  {
    /* Registration: the first free lock byte, the predecessor's bits, the word. */
    atomic {
      !locked[LOCK(file, i)] && (i == 0 || locked[LOCK(file, 0)]) ->
      locked[LOCK(file, i)] = 1; owns = 1; allDead = 0
    }
#if LIVES > 1 && !defined(NO_CLEARING_AT_REGISTRATION)
    do
    :: atomic { t < SLOTS -> holders[H(file, t)] = holders[H(file, t)] & WITHOUT(i); t++ }
    :: atomic { t == SLOTS -> waiting[file] = waiting[file] & WITHOUT(i); t = 0; break }
    od;
#endif
    registered[file] = 1;

end_waiting:
    do
    :: atomic {
        round < ROUNDS && shown != file ->
        locked[LOCK(file, i)] = 0; owns = 0;
        file = shown; fileOf[i] = file; floor = ZEROS; known = 0; read = 0; sure = 0
      }
      goto end_registering
    :: atomic {
        !sure && leasingEnabled[file] -> /* load(acquire) */
        sure = 1;
#ifndef NO_ACQUIRE_OF_HONOURED
        floor = max(floor, enabledSince[file])
#endif
      }
#ifdef LEASES
    :: round < ROUNDS && (sure || LEASES_AT_ONCE) ->
        round++;
        /* FrameRingReader.lease. Without ReaderRegistration.leavesRoom, a courtesy: so the writer gets short of slots. */
        atomic {
          load(q, file, floor, isLatest(file, q));
          floor = max(floor, knownByLatest(q));
          frame = frameOf(file, q); s = slotOf[AT(file, frame)]
        }
        if
        :: frame == 0 -> skip
        :: else ->
          /* Step 3. */
          atomic {
            refused = (holders[H(file, s)] & WRITING) != 0;
            holders[H(file, s)] = holders[H(file, s)] | BIT(i);
            floor = max(floor, holdersTell[H(file, s)]);
            holdersTell[H(file, s)] = max(floor, holdersTell[H(file, s)]);
            if :: refused -> skip :: else -> bitOn[i] = s + 1 fi
          }
          if
          :: refused -> happens(REFUSED)
          :: else ->
            /* Step 4. */
            atomic {
              load(q, file, floor, isCounter(file, q, s));
              floor = max(floor, knownByCounter(q));
              refused = !isComplete(q, frame);
              if :: !refused && bitOn[i] == s + 1 -> leaseOn[i] = s + 1 :: else -> skip fi
            }
            if
            :: refused ->
              atomic { load(q, file, floor, isLatest(file, q)); assert(frameOf(file, q) > frame) }
            :: else ->
              /* Step 5: a lease that was not taken back is stable without a check. */
              atomic {
                read = frame;
                load(q, file, floor, isWord(file, q, s, WORD_A));
                known = max(known, knownByWord(q)); a = (q / 5 == frame);
                assert(a || leaseOn[i] == 0)
#if !defined(COARSE) || defined(NO_RELEASE_AT_END)
              }
#ifdef NO_RELEASE_AT_END /* the load below may be late */
              holders[H(file, s)] = holders[H(file, s)] & WITHOUT(i);
#endif
              atomic {
#else
                ;
#endif
                load(q, file, floor, isWord(file, q, s, WORD_B));
                known = max(known, knownByWord(q)); b = (q / 5 == frame);
                assert(b || leaseOn[i] == 0)
#ifndef COARSE
              }
              atomic {
#else
                ;
#endif
                /* FrameLease.isIntact: it is false for each lease that was reclaimed and written. */
                floor = max(floor, known);
                load(q, file, floor, isCounter(file, q, s));
                assert(!isComplete(q, frame) || (a && b));
                assert(isComplete(q, frame) || leaseOn[i] == 0);
                if :: isComplete(q, frame) -> happens(LEASED) :: else -> happens(TAKEN_BACK) fi
              }
            fi
          fi;
          /* FrameLease.end; also what steps 3 and 4 do to go back. */
          atomic {
            holders[H(file, s)] = holders[H(file, s)] & WITHOUT(i);
            holdersTell[H(file, s)] = max(floor, holdersTell[H(file, s)]);
            bitOn[i] = 0; leaseOn[i] = 0;
            q = 0; frame = 0; s = 0; a = 0; b = 0; known = 0; refused = 0
          }
        fi;
        refused = 0
#endif
#ifdef WAITS
    :: round < ROUNDS && (sure || WAITS_AT_ONCE) ->
        round++;
        /* FrameRingReader.wait. */
        atomic {
          waiting[file] = waiting[file] | BIT(i)
        }
        atomic {
#ifdef NO_SC_AT_LOAD_OF_LATEST
          load(q, file, floor, isLatest(file, q));
#else
          load(q, file, max(floor, latestSC[file]), isLatest(file, q));
#endif
          floor = max(floor, knownByLatest(q))
        }
        if
        :: kind[by(file, q)] == MARK || q / 5 > read -> skip
        :: else ->
          /* futex_wait: compares and sleeps in one step, in the order of the futex calls. */
          atomic {
            load(p, file, max(floor, wakeOrder[file]), isLatest(file, p));
            if
            :: p == q -> asleep[i] = 1; sleepsOn[i] = q; assert(!isMissed(i, file))
            :: else -> skip
            fi;
            p = 0
          }
          /* Woken, or the deadline. */
          if
          :: !asleep[i]
          :: asleep[i] = 0
          fi
        fi;
        atomic { waiting[file] = waiting[file] & WITHOUT(i); sleepsOn[i] = 0; q = 0 }
        /* It reads what there is. */
        atomic {
          load(q, file, floor, isLatest(file, q));
          floor = max(floor, knownByLatest(q)); read = frameOf(file, q); q = 0
        }
#endif
    :: atomic { round == ROUNDS -> assert(holdsNothing(i)); break }
    od
  } unlessReaderDies(i);
#ifdef READERS_DIE
  /* A death: the kernel drops the lock byte; the next reader takes it. */
  if
  :: atomic {
      readerDies[i] ->
      if :: owns -> locked[LOCK(file, i)] = 0; owns = 0 :: else -> skip fi;
      asleep[i] = 0; sleepsOn[i] = 0; bitOn[i] = 0; leaseOn[i] = 0;
      file = shown; fileOf[i] = file; floor = ZEROS; known = 0; q = 0; p = 0; frame = 0; s = 0; t = 0;
      round = 0; read = 0; sure = 0; a = 0; b = 0; refused = 0;
      readerDies[i] = (lives == LIVES);
      if :: lives < LIVES -> lives++; goto end_registering :: else -> skip fi
    }
  :: else -> skip
  fi
#else
  skip
#endif
}
#endif

#if defined(READERS_DIE) || defined(WRITER_DIES)
/* Which process crashes, and when: at any step. */
active proctype Death() {
  bit dead[3];
  do
#ifdef READERS_DIE
  :: atomic { !dead[0] -> dead[0] = 1; readerDies[0] = 1 }
#if READERS > 1
  :: atomic { !dead[1] -> dead[1] = 1; readerDies[1] = 1 }
#endif
#endif
#ifdef WRITER_DIES
  :: atomic { !dead[2] -> dead[2] = 1; writerDies = 1 }
#endif
  :: atomic { dead[0] = 0; dead[1] = 0; dead[2] = 0; break }
  od
}
#endif

#if READERS
init {
  atomic {
    run Reader(0);
    if :: READERS > 1 -> run Reader(1) :: else -> skip fi
  }
}
#endif

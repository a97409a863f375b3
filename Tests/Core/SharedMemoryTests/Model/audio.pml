/*
 * The protocol of AudioRingWriter and AudioRingReader, for spin; RingModelTests runs it.
 *
 * Size: PACKETS, each of one frame; TABLE, the entries of the table of packets; ROOM, the frames of the ring; ROUNDS, the
 * reads. A process that dies is one that is not run any more.
 */
#include "memory.pml"
#ifndef PACKETS
#define PACKETS 5
#endif
#ifndef TABLE
#define TABLE 2
#endif
#ifndef ROOM
#define ROOM 2
#endif

#define READ 1 /* a packet is read whole */
#define LAPPED 2 /* a later packet is in the table's entry */
#define OVERTAKEN 3 /* the second look at `reserved` throws a copy away */
#define DROPPED 4 /* the first look does */

/* The log: packet k, from 1, makes the stores 6k … 6k + 5; packet 0 stands for the zeros of the file. */
#ifdef NO_RESERVED_FIRST
#define ODD 0
#define ENTRY 1
#define SAMPLE 2
#define RESERVED 3
#else
#define RESERVED 0
#define ODD 1
#define ENTRY 2
#define SAMPLE 3
#endif
#define EVEN 4
#define COUNT 5
#define ZEROS 5
byte head = ZEROS; /* the last store made */

#define packetOf(q) ((q) / 6)
#define is(q, w) (q == ZEROS || q % 6 == w)
#define isCounter(q, k) (q == ZEROS || ((q % 6 == ODD || q % 6 == EVEN) && packetOf(q) % TABLE == (k) % TABLE))
#define isEntry(q, k) (q == ZEROS || (q % 6 == ENTRY && packetOf(q) % TABLE == (k) % TABLE))
#define isSample(q, k) (q == ZEROS || (q % 6 == SAMPLE && packetOf(q) % ROOM == (k) % ROOM))

/* What acquiring a store makes known: all up to it when it releases, else up to the release fence after the odd counter. */
#ifdef NO_RELEASE_FENCE
#define knownByWord(q) 0
#else
#define knownByWord(q) ((q) == ZEROS -> ZEROS : (q) - (q) % 6 + ODD)
#endif
#ifdef NO_RELEASE_AT_PACKETS
#define knownByCount(q) knownByWord(q)
#else
#define knownByCount(q) (q)
#endif
#ifdef NO_RELEASE_AT_RESERVED /* the fence of the packet before */
#define knownByReserved(q) ((q) < 12 -> 0 : (q) - 6 - (q) % 6 + ODD)
#else
#define knownByReserved(q) (q)
#endif

/* AudioRingWriter.write: one store after the other. */
active proctype Writer() {
  do
  :: head < PACKETS * 6 + COUNT -> head++
  :: else -> break
  od
}

/* AudioRingReader.read. The packets first … c are found. */
active proctype Reader() {
  byte floor = ZEROS, known, q, c, k, first, position, room, round;
  bit isWhole;
  do
  :: round < ROUNDS ->
    round++;
    atomic {
      load(q, head, floor, is(q, COUNT));
#ifndef NO_ACQUIRE_OF_PACKETS
      floor = max(floor, knownByCount(q));
#endif
      c = packetOf(q); assert(c >= position)
    }
    if
    :: c == position -> skip
    :: else ->
      atomic { k = max(position, (c > TABLE -> c - TABLE : 0)) + 1; first = k }
      do
      :: k <= c ->
        atomic {
          load(q, head, floor, isCounter(q, k));
          /* Counted, so its counter is even, or that of a later lap: otherwise the file is called damaged. */
          assert(packetOf(q) > k || (packetOf(q) == k && q % 6 == EVEN));
          isWhole = (packetOf(q) == k);
          floor = max(floor, q)
        }
        if
        :: isWhole ->
          atomic {
            load(q, head, floor, isEntry(q, k));
            known = max(known, knownByWord(q));
            isWhole = (packetOf(q) == k)
          }
          atomic {
#ifndef NO_FENCE_AFTER_ENTRY
            floor = max(floor, known);
#endif
            load(q, head, floor, isCounter(q, k));
            known = max(known, q);
#ifdef NO_SECOND_CHECK
            assert(isWhole)
#else
            assert(!(packetOf(q) == k && q % 6 == EVEN) || isWhole);
            if :: packetOf(q) == k && q % 6 == EVEN -> skip :: else -> first = k + 1 fi
#endif
          }
        :: else -> happens(LAPPED); first = k + 1
        fi;
        k++
      :: else -> break
      od;
      atomic {
        load(q, head, floor, is(q, RESERVED));
#ifndef NO_ACQUIRE_OF_RESERVED
        floor = max(floor, knownByReserved(q));
#endif
        room = packetOf(q)
      }
      atomic {
        /* The writer is in one packet more than are counted, at most: otherwise the file is called damaged. */
        load(q, head, floor, is(q, COUNT));
        assert(room >= c && room <= packetOf(q) + 1);
        if :: room > first + ROOM - 1 -> happens(DROPPED); first = room - ROOM + 1 :: else -> skip fi
      }
      k = first;
      do
      :: k <= c ->
        /* The sample of packet k is another one's unless the second look drops it: both in one step, for each packet. */
        atomic {
          load(q, head, floor, isSample(q, k));
          known = max(known, knownByWord(q));
          isWhole = (packetOf(q) == k)
        }
        atomic {
          load(q, head, max(floor,
#ifdef NO_FENCE_AFTER_COPY
            0
#else
            known
#endif
          ), is(q, RESERVED));
          if
#ifndef NO_SECOND_LOOK
          :: packetOf(q) > k + ROOM - 1 -> happens(OVERTAKEN)
#endif
          :: else -> assert(isWhole); happens(READ)
          fi
        }
        k++
      :: else -> break
      od;
      position = c
    fi;
    atomic { q = 0; k = 0; c = 0; first = 0; room = 0; known = 0; isWhole = 0 }
  :: else -> break
  od
}

/*
 * Memory, for frames.pml and audio.pml. Not sequentially consistent but the release and acquire of C++20: a load may read
 * every store that its thread does not know to be overwritten. One thread, the writer, stores all words of a file, so its
 * stores form one log, and what a thread knows is one position in it, its floor: of each word it may read the newest store
 * at or below the floor, or any later one. Acquiring a store that releases lifts the floor to that store. A relaxed load
 * lifts it at the next acquire fence, to the release fence before the store. Every atomic block is one access to shared
 * memory with the private work around it.
 *
 * Each NO_… takes one guard of a protocol away; spin must then find an error.
 */
#ifndef ROUNDS
#define ROUNDS 2
#endif

/* With -DWITNESS=event spin must find that event: the model does get there. */
#ifndef WITNESS
#define WITNESS 0
#endif
#define happens(event) assert(WITNESS != event)

#define max(a, b) ((a) > (b) -> (a) : (b))

/* A load: any store for which `isOne` holds, from the `newest` down to the newest at or below `lowest`. */
#define load(q, newest, lowest, isOne) \
  q = newest; \
  do :: !(isOne) -> q-- :: isOne -> break :: (isOne) && q > (lowest) -> q-- od

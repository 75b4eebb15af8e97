/* watched.h - how many random cases a test takes. What they come to is told by the release's run; under
 * sanitizers, where each takes several times as long, they are there for the lines that they execute,
 * and a part of them reaches the same ones. */
#ifndef WATCHED_H
#define WATCHED_H

#if defined(__SANITIZE_ADDRESS__)
#define WATCHED(all, part) (part)
#else
#define WATCHED(all, part) (all)
#endif

#endif

/* watched.h - how many of many alike a test takes: random cases, damaged bytes, measured rows. What they
 * come to is told by the release's run, which takes all; under sanitizers, where each takes several times
 * as long, they are there for the lines that they execute, and a part of them reaches the same ones. What
 * is said of a whole set, such as a mean, is then left out: IS_WATCHED tells. */
#ifndef WATCHED_H
#define WATCHED_H

#if defined(__SANITIZE_ADDRESS__)
#define IS_WATCHED 1
#else
#define IS_WATCHED 0
#endif
#define WATCHED(all, part) (IS_WATCHED ? (part) : (all))

#endif

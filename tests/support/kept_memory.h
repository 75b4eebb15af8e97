/* kept_memory.h - where failing_memory.h has its memory from: malloc, and under AddressSanitizer what large blocks were
 * freed and kept.
 *
 * AddressSanitizer fetches each block of 128 KB or more from the system and gives it back, and fetches what it notes of
 * the block again, too: two thirds of the time of tests that make thousands of readers. What is kept is noted as freed,
 * and taken for a block of the same size only after as many bytes were freed behind it as the sanitizer's own quarantine
 * has (ASAN_OPTIONS in the Makefile), so that a use after free is told as before. */
#ifndef KEPT_MEMORY_H
#define KEPT_MEMORY_H

#include <stddef.h>

/* As realloc, calloc and free do. */
void *kept_memory_resize(void *p, size_t size);
void *kept_memory_zeroed(size_t n, size_t each);
void kept_memory_free(void *p);

#endif

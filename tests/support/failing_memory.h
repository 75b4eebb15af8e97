/* failing_memory.h - the allocator that test programs are linked with instead of src/base/memory.c:
 * it counts what is alive, and fails on demand. Until a test asks for a failure it behaves as the
 * library's own. */
#ifndef FAILING_MEMORY_H
#define FAILING_MEMORY_H

#include <stddef.h>

/* Lets the next n allocations succeed and fails every later one, until failing_memory_heal. */
void failing_memory_fail_after(size_t n);

/* No more failures. */
void failing_memory_heal(void);

/* Allocations refused since the last failing_memory_fail_after. */
size_t failing_memory_refused(void);

/* Blocks that are allocated and not freed. */
size_t failing_memory_live(void);

#endif

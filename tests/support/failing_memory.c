/* failing_memory.c - see failing_memory.h. The counters are atomic: a test may use threads. */
#include "failing_memory.h"

#include "base/memory.h"
#include "kept_memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static atomic_size_t live;
static atomic_size_t refused;
static atomic_size_t left; /* allocations that still succeed, while is_failing */
static atomic_bool is_failing;

void failing_memory_fail_after(size_t n)
{
    left = n;
    refused = 0;
    is_failing = true;
}

void failing_memory_heal(void)
{
    is_failing = false;
}

size_t failing_memory_refused(void)
{
    return refused;
}

size_t failing_memory_live(void)
{
    return live;
}

static bool is_refused(void)
{
    if (!is_failing) {
        return false;
    }
    if (left > 0) {
        left--;
        return false;
    }
    refused++;
    return true;
}

void *bsim_mem_resize(void *p, size_t n, size_t each)
{
    if (n > SIZE_MAX / each || is_refused()) {
        return NULL;
    }
    void *block = kept_memory_resize(p, n * each);
    live += block != NULL && p == NULL;
    return block;
}

void *bsim_mem_zeroed(size_t n, size_t each)
{
    void *block = is_refused() ? NULL : kept_memory_zeroed(n, each);
    live += block != NULL;
    return block;
}

char *bsim_mem_string(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = bsim_mem_resize(NULL, size, 1);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

void bsim_mem_free(void *p)
{
    live -= p != NULL;
    kept_memory_free(p);
}

void bsim_mem_clear(void *block, size_t size_bytes)
{
    memset(block, 0, size_bytes);
}

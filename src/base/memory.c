/* memory.c - the allocator seam; see memory.h. */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *bsim_mem_resize(void *p, size_t n, size_t each)
{
    if (n > SIZE_MAX / each) {
        return NULL;
    }
    return realloc(p, n * each);
}

void *bsim_mem_zeroed(size_t n, size_t each)
{
    return calloc(n, each);
}

char *bsim_mem_string(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = bsim_mem_resize(NULL, size, 1);
    if (copy != NULL) {
        memcpy(copy, text, size);
    }
    return copy;
}

void bsim_mem_free(void *p)
{
    free(p);
}

void bsim_mem_clear(void *block, size_t size_bytes)
{
    memset(block, 0, size_bytes);
}

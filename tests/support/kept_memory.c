/* kept_memory.c - see kept_memory.h. */
#include "kept_memory.h"

#include "watched.h"

#include <stdint.h>
#include <stdlib.h>

#if !IS_WATCHED

void *kept_memory_resize(void *p, size_t size)
{
    return realloc(p, size);
}

void *kept_memory_zeroed(size_t n, size_t each)
{
    return calloc(n, each);
}

void kept_memory_free(void *p)
{
    free(p);
}

#else

#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <stdbool.h>
#include <string.h>

enum {
    LARGE_BYTES = 126 * 1024,      /* from there on, less a redzone, the sanitizer asks the system */
    TOO_LARGE_BYTES = 1024 * 1024, /* and of larger ones most is never touched, and not worth clearing */
    RESTING_BYTES = 1024 * 1024,   /* freed behind a block before it is taken again */
    MAX_KEPT = 64,
    FILL = 0xbe, /* what the sanitizer has new blocks begin with, and how much of that */
    FILL_BYTES = 4096,
};

/* All bytes of a kept block are 0, so that no leak hides behind what it pointed to. */
struct kept {
    void *block;
    size_t size;
    uint64_t freed_at; /* of `freed`, when it was */
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct kept kept[MAX_KEPT]; /* in the order in which they were freed */
static size_t n_kept;
static uint64_t freed; /* bytes of large blocks so far */

/* Of sanitizer/allocator_interface.h, which gcc 12 does not bring. */
size_t __sanitizer_get_allocated_size(const volatile void *p);

static size_t size_of(const void *p)
{
    return __sanitizer_get_allocated_size(p);
}

static void *remove_at(size_t i)
{
    void *block = kept[i].block;
    __asan_unpoison_memory_region(block, kept[i].size);
    n_kept--;
    memmove(&kept[i], &kept[i + 1], (n_kept - i) * sizeof kept[0]);
    return block;
}

/* A kept block of that size, of zeros, or NULL. */
static void *take(size_t size)
{
    void *block = NULL;
    (void)pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < n_kept && freed - kept[i].freed_at >= RESTING_BYTES && block == NULL; i++) {
        block = kept[i].size == size ? remove_at(i) : NULL;
    }
    (void)pthread_mutex_unlock(&mutex);
    return block;
}

void kept_memory_free(void *p)
{
    size_t size = p != NULL ? size_of(p) : 0;
    if (size < LARGE_BYTES || size >= TOO_LARGE_BYTES) {
        free(p);
        return;
    }
    memset(p, 0, size);
    __asan_poison_memory_region(p, size);
    (void)pthread_mutex_lock(&mutex);
    if (n_kept == MAX_KEPT) {
        free(remove_at(0));
    }
    freed += size;
    kept[n_kept++] = (struct kept){.block = p, .size = size, .freed_at = freed};
    (void)pthread_mutex_unlock(&mutex);
}

void *kept_memory_zeroed(size_t n, size_t each)
{
    void *block = n <= SIZE_MAX / each && n * each >= LARGE_BYTES ? take(n * each) : NULL;
    return block != NULL ? block : calloc(n, each);
}

static void *fresh(size_t size)
{
    void *block = size >= LARGE_BYTES ? take(size) : NULL;
    return block != NULL ? memset(block, FILL, FILL_BYTES) : malloc(size);
}

void *kept_memory_resize(void *p, size_t size)
{
    size_t before = p != NULL ? size_of(p) : 0;
    if (before < LARGE_BYTES && size < LARGE_BYTES) {
        return realloc(p, size);
    }
    void *block = fresh(size);
    if (block != NULL && p != NULL) {
        memcpy(block, p, before < size ? before : size);
        kept_memory_free(p);
    }
    return block;
}

#endif

/* memory.h - the one place where banksim's heap memory comes from.
 *
 * A program may bring its own definitions of these four functions ahead of the library's: the
 * linker then leaves memory.c out. The tests fail the Nth allocation that way.
 */
#ifndef BSIM_BASE_MEMORY_H
#define BSIM_BASE_MEMORY_H

#include <banksim/status.h>

/* realloc of n * each bytes (never 0). NULL when memory is short or the product overflows; p is
 * then still valid. p NULL: a new block, its contents undefined. */
void *bsim_mem_resize(void *p, size_t n, size_t each);

/* A new block of n * each zero bytes (never 0), or NULL. */
void *bsim_mem_zeroed(size_t n, size_t each);

/* A copy of text, or NULL when memory is short. */
char *bsim_mem_string(const char *text);

/* Frees p; NULL is fine. */
void bsim_mem_free(void *p);

/* Fails with BSIM_E_MEMORY. */
static inline enum bsim_status bsim_mem_short(struct bsim_error *err)
{
    return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
}

/* Room for one more element in an array that grows by this alone and holds n: its capacity is the
 * next power of two. NULL when memory is short; p is then still valid. */
static inline void *bsim_mem_grow(void *p, size_t n, size_t each)
{
    bool is_full = (n & (n - 1)) == 0;
    return is_full ? bsim_mem_resize(p, n == 0 ? 1 : 2 * n, each) : p;
}

/* The same for `more` elements at once, any number but 0. */
static inline void *bsim_mem_grow_by(void *p, size_t n, size_t more, size_t each)
{
    size_t capacity = 1;
    while (capacity < n + more) {
        capacity *= 2;
    }
    return bsim_mem_resize(p, capacity, each);
}

/* Sets the bytes to 0. Of a size that it knows gcc makes a `rep stos` of that, which for some hundred bytes takes longer
 * to start than the call. */
void bsim_mem_clear(void *block, size_t size_bytes);

#endif

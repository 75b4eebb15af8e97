/* arena.c - chunks of memory, filled from the front; see arena.h.
 *
 * Each is twice as large as the one before, up to a limit: what is read of a kernel takes megabytes, and glibc gives
 * small chunks that are freed back to the system one by one, which takes longer than all the reading.
 */
#include "base/arena.h"

#include "base/memory.h"

#include <stdint.h>
#include <string.h>

enum { FIRST_BYTES = 4096, MOST_BYTES = 64 * 1024 }; /* of a chunk, unless what is taken needs more */

struct bsim_arena_chunk {
    struct bsim_arena_chunk *older;
    size_t used, size;
    max_align_t data[];
};

static struct bsim_arena_chunk *add_chunk(struct bsim_arena *arena, size_t least)
{
    size_t last = arena->chunk == NULL ? FIRST_BYTES / 2 : arena->chunk->size;
    size_t size = last < MOST_BYTES / 2 ? 2 * last : MOST_BYTES;
    size = least > size ? least : size;
    if (size > SIZE_MAX - sizeof(struct bsim_arena_chunk)) {
        return NULL;
    }
    struct bsim_arena_chunk *chunk = bsim_mem_zeroed(1, sizeof *chunk + size);
    if (chunk != NULL) {
        chunk->older = arena->chunk;
        chunk->size = size;
        arena->chunk = chunk;
    }
    return chunk;
}

void *bsim_arena_take(struct bsim_arena *arena, size_t size)
{
    size_t unit = _Alignof(max_align_t);
    if (size > SIZE_MAX - unit) {
        return NULL;
    }
    size = (size + unit - 1) / unit * unit;
    struct bsim_arena_chunk *chunk = arena->chunk;
    if (chunk == NULL || size > chunk->size - chunk->used) {
        chunk = add_chunk(arena, size);
    }
    if (chunk == NULL) {
        return NULL;
    }
    void *taken = (unsigned char *)chunk->data + chunk->used;
    chunk->used += size;
    return taken;
}

char *bsim_arena_text(struct bsim_arena *arena, const char *text, size_t length)
{
    char *copy = bsim_arena_take(arena, length + 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
    }
    return copy;
}

void bsim_arena_free(struct bsim_arena *arena)
{
    while (arena->chunk != NULL) {
        struct bsim_arena_chunk *older = arena->chunk->older;
        bsim_mem_free(arena->chunk);
        arena->chunk = older;
    }
}

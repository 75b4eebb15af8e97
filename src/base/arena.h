/* arena.h - memory that is freed all at once: trees and texts that belong together. */
#ifndef BSIM_BASE_ARENA_H
#define BSIM_BASE_ARENA_H

#include <stddef.h>

struct bsim_arena {
    struct bsim_arena_chunk *chunk; /* the newest; NULL while nothing was taken */
};

/* size zero bytes, aligned for any type, or NULL when memory is short. */
void *bsim_arena_take(struct bsim_arena *arena, size_t size);

/* A terminated copy of text[0..length), or NULL. */
char *bsim_arena_text(struct bsim_arena *arena, const char *text, size_t length);

/* Frees all that was taken. */
void bsim_arena_free(struct bsim_arena *arena);

#endif

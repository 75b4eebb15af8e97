/* cache.h - blocks that have been played; see cache.c. */
#ifndef BSIM_TIMING_CACHE_H
#define BSIM_TIMING_CACHE_H

#include "timing/block.h"

enum { BSIM_CACHE_ENTRIES = 64, BSIM_CACHE_OPS = 1 << 18 };

struct bsim_cache_entry {
    uint64_t hash;
    uint32_t n_warps;
    size_t n_ops;
    struct bsim_op *ops; /* all warps', each up to its END */
    struct bsim_block_cycles block;
};

struct bsim_cache {
    size_t n, next; /* next: the entry that gives way, the oldest once all are taken */
    size_t n_ops;
    struct bsim_cache_entry entry[BSIM_CACHE_ENTRIES];
};

/* How an equal block went, or NULL. hash is bsim_program_hash's. Good until the next call. */
const struct bsim_block_cycles *bsim_cache_find(const struct bsim_cache *cache,
                                                const struct bsim_program *program, uint64_t hash);

/* Keeps how program went; takes what *block holds. False: memory is short, *block is untouched. */
bool bsim_cache_keep(struct bsim_cache *cache, const struct bsim_program *program, uint64_t hash,
                     struct bsim_block_cycles *block);

/* Empties it and gives its memory back. */
void bsim_cache_clear(struct bsim_cache *cache);

#endif

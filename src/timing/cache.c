/* cache.c - blocks that do the same (other addresses, the same turns) are played once.
 *
 * The blocks of a grid mostly do: all alike, or those at its edge otherwise. So a few are enough,
 * and the oldest gives way; what they hold together is bounded, but for the newest.
 */
#include "timing/cache.h"

#include "base/memory.h"

#include <string.h>

static bool equal(const struct bsim_cache_entry *entry, const struct bsim_program *program)
{
    const struct bsim_op *op = entry->ops;
    size_t left = entry->n_ops;
    for (uint32_t i = 0; i < program->n_warps; i++) {
        size_t n = program->warp[i].n_ops;
        if (n > left || memcmp(op, program->warp[i].op, n * sizeof *op) != 0) {
            return false;
        }
        op += n;
        left -= n;
    }
    return left == 0;
}

const struct bsim_block_cycles *bsim_cache_find(const struct bsim_cache *cache,
                                                const struct bsim_program *program, uint64_t hash)
{
    for (size_t i = 0; i < cache->n; i++) {
        const struct bsim_cache_entry *entry = &cache->entry[i];
        if (entry->hash == hash && entry->n_warps == program->n_warps && equal(entry, program)) {
            return &entry->block;
        }
    }
    return NULL;
}

static void drop(struct bsim_cache *cache, struct bsim_cache_entry *entry)
{
    cache->n_ops -= entry->n_ops;
    bsim_mem_free(entry->ops);
    bsim_block_cycles_free(&entry->block);
    memset(entry, 0, sizeof *entry);
}

void bsim_cache_clear(struct bsim_cache *cache)
{
    for (size_t i = 0; i < cache->n; i++) {
        drop(cache, &cache->entry[i]);
    }
    cache->n = cache->next = 0;
}

static void copy_ops(const struct bsim_program *program, struct bsim_op *to)
{
    for (uint32_t i = 0; i < program->n_warps; i++) {
        size_t n = program->warp[i].n_ops;
        memcpy(to, program->warp[i].op, n * sizeof *to);
        to += n;
    }
}

bool bsim_cache_keep(struct bsim_cache *cache, const struct bsim_program *program, uint64_t hash,
                     struct bsim_block_cycles *block)
{
    size_t n = bsim_program_n_ops(program);
    struct bsim_op *ops = bsim_mem_resize(NULL, n, sizeof *ops);
    if (ops == NULL) {
        return false;
    }
    copy_ops(program, ops);
    if (cache->n_ops + n > BSIM_CACHE_OPS) {
        bsim_cache_clear(cache);
    }
    struct bsim_cache_entry *entry = &cache->entry[cache->next];
    drop(cache, entry);
    *entry = (struct bsim_cache_entry){hash, program->n_warps, n, ops, *block};
    memset(block, 0, sizeof *block);
    cache->n_ops += n;
    cache->n = cache->n < BSIM_CACHE_ENTRIES ? cache->n + 1 : cache->n;
    cache->next = (cache->next + 1) % BSIM_CACHE_ENTRIES;
    return true;
}

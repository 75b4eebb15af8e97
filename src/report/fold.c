/* fold.c - launches that a report would tell the same of: once, with how many.
 *
 * A program launches a kernel again and again, with the same counts, and nobody reads 300 equal rows.
 * Texts are told apart by 128 bits made of each, so that they need not stay; of the first 65536 that
 * differ, so that memory has a bound.
 */
#include "report/fold.h"

#include "base/memory.h"
#include "base/table.h"

enum { MOST = 1 << 16 };

struct item {
    uint64_t print[2];
    uint64_t n;
};

struct bsim_fold {
    struct bsim_table table;
    struct item *item;
    size_t n;
    bool has;
};

struct bsim_fold *bsim_fold_new(void)
{
    return bsim_mem_zeroed(1, sizeof(struct bsim_fold));
}

void bsim_fold_free(struct bsim_fold *fold)
{
    if (fold != NULL) {
        bsim_table_clear(&fold->table);
        bsim_mem_free(fold->item);
        bsim_mem_free(fold);
    }
}

/* FNV-1a (Fowler, Noll, Vo) twice, from two starts and with two factors. */
static struct item print_of(const char *text, size_t size)
{
    struct item item = {{UINT64_C(0xcbf29ce484222325), UINT64_C(0x6c62272e07bb0142)}, 1};
    for (size_t i = 0; i < size; i++) {
        item.print[0] = (item.print[0] ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
        item.print[1] = (item.print[1] ^ (unsigned char)text[i]) * UINT64_C(0x9e3779b97f4a7c15);
        item.print[1] ^= item.print[1] >> 32;
    }
    return item;
}

bool bsim_fold_put(struct bsim_fold *fold, const char *text, size_t size)
{
    if (fold == NULL) {
        return false;
    }
    struct item item = print_of(text, size);
    uint32_t hash = bsim_table_hash(item.print[0]), at = hash, i;
    while ((i = bsim_table_next(&fold->table, hash, &at)) != 0) {
        struct item *old = &fold->item[i - 1];
        if (old->print[0] == item.print[0] && old->print[1] == item.print[1]) {
            old->n++;
            fold->has = true;
            return true;
        }
    }
    struct item *grown = fold->n < MOST ? bsim_mem_grow(fold->item, fold->n, sizeof *grown) : NULL;
    if (grown != NULL) {
        fold->item = grown;
        if (bsim_table_add(&fold->table, hash)) {
            fold->item[fold->n++] = item;
        }
    }
    return false;
}

uint64_t bsim_fold_count(const struct bsim_fold *fold, size_t n)
{
    return fold != NULL && n < fold->n ? fold->item[n].n : 1;
}

bool bsim_fold_has(const struct bsim_fold *fold)
{
    return fold != NULL && fold->has;
}

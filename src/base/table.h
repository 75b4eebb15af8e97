/* table.h - finds the items of an array by a hash: open addressing over their numbers.
 *
 * The array is its user's, and so is the look at an item, whether it is the one: a table has hashes
 * alone. The items that come are 1, 2, 3 ...
 *
 *     uint32_t hash = bsim_table_hash(number), at = hash, item;
 *     while ((item = bsim_table_next(table, hash, &at)) != 0 && array[item - 1].number != number) {
 *     }
 */
#ifndef BSIM_BASE_TABLE_H
#define BSIM_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bsim_table_slot {
    uint32_t hash, item; /* item 0: free */
};

/* Zeroes: empty. */
struct bsim_table {
    struct bsim_table_slot *slot;
    uint32_t n_slots; /* 0 or a power of two; at most half of them are taken */
    uint32_t n;       /* items */
};

/* Multiplication by 2^64 over the golden ratio spreads neighbours (Knuth, The Art of Computer
 * Programming 3, 6.4). */
static inline uint32_t bsim_table_hash(uint64_t number)
{
    return (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* FNV-1a (Fowler, Noll, Vo), folded. */
static inline uint32_t bsim_table_hash_text(const char *text, size_t length)
{
    uint32_t hash = UINT32_C(2166136261);
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * UINT32_C(16777619);
    }
    return hash ^ hash >> 15;
}

/* The next item with that hash, or 0: there is none. *at is the hash at first. */
static inline uint32_t bsim_table_next(const struct bsim_table *table, uint32_t hash, uint32_t *at)
{
    while (table->n_slots > 0) {
        const struct bsim_table_slot *slot = &table->slot[(*at)++ & (table->n_slots - 1)];
        if (slot->hash == hash || slot->item == 0) {
            return slot->item;
        }
    }
    return 0;
}

/* One more item. False, and nothing changed, when memory is short. */
bool bsim_table_add(struct bsim_table *table, uint32_t hash);

/* Forgets all items and keeps the memory for as many. */
void bsim_table_forget(struct bsim_table *table);

/* Empties it and gives its memory back. */
void bsim_table_clear(struct bsim_table *table);

#endif

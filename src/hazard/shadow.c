/* shadow.c - one byte of notes for each byte of memory; see shadow.h.
 *
 * A byte is racy exactly when at least two (warps, or lanes of one) touched it and at least one
 * wrote it: the writer and any of the others are a pair. So three facts are enough, in whatever
 * order they come:
 *
 *     7       6        5        4..0
 *     shared  written  touched  the warp or lane that touched it first
 *
 * Notes lie in pages, found by a hash of the address, because a trace need not say how large the
 * window is. A page is cleared when an interval first touches it, so that an interval costs what it
 * touches, not what the window holds. Which accesses race is not known here.
 */
#include "hazard/shadow.h"

#include "base/memory.h"

#include <string.h>

enum {
    PAGE_BITS = 8,
    PAGE_BYTES = 1 << PAGE_BITS,
    KEPT_PAGES = 4096, /* 1 MiB of window, more than any device has; beyond it memory is given back
                          after the interval */
};

enum { WHO_BITS = 0x1f, TOUCHED = 0x20, WRITTEN = 0x40, SHARED = 0x80 };

struct bsim_shadow_page {
    uint64_t interval; /* the last that touched it */
    uint64_t number;   /* see number_of */
    uint8_t note[PAGE_BYTES];
};

void bsim_shadow_start(struct bsim_shadow *shadow)
{
    uint64_t interval = shadow->interval + 1;
    if (shadow->table.n > KEPT_PAGES) {
        bsim_shadow_free(shadow);
    }
    shadow->interval = interval;
    shadow->racy = false;
}

void bsim_shadow_free(struct bsim_shadow *shadow)
{
    bsim_mem_free(shadow->pages);
    bsim_table_clear(&shadow->table);
    memset(shadow, 0, sizeof *shadow);
}

/* The number of an address's page: the spaces lie one behind the other. */
static uint64_t number_of(uint32_t space, uint64_t address)
{
    return (uint64_t)space << (64 - PAGE_BITS) | address >> PAGE_BITS;
}

static struct bsim_shadow_page *add_page(struct bsim_shadow *shadow, uint64_t number)
{
    uint32_t n = shadow->table.n;
    struct bsim_shadow_page *pages = bsim_mem_grow(shadow->pages, n, sizeof *pages);
    shadow->pages = pages != NULL ? pages : shadow->pages;
    if (pages == NULL || !bsim_table_add(&shadow->table, bsim_table_hash(number))) {
        return NULL;
    }
    shadow->last = n;
    pages[n].number = number;
    pages[n].interval = 0;
    return &pages[n];
}

/* The page, or NULL if there is none. */
static struct bsim_shadow_page *find_page(struct bsim_shadow *shadow, uint64_t number)
{
    if (shadow->table.n > 0 && shadow->pages[shadow->last].number == number) {
        return &shadow->pages[shadow->last];
    }
    uint32_t hash = bsim_table_hash(number), at = hash, item;
    while ((item = bsim_table_next(&shadow->table, hash, &at)) != 0) {
        if (shadow->pages[item - 1].number == number) {
            shadow->last = item - 1;
            return &shadow->pages[shadow->last];
        }
    }
    return NULL;
}

static uint8_t *note_of(struct bsim_shadow *shadow, uint32_t space, uint64_t address)
{
    uint64_t number = number_of(space, address);
    struct bsim_shadow_page *page = find_page(shadow, number);
    if (page == NULL) {
        page = add_page(shadow, number);
    }
    if (page == NULL) {
        return NULL;
    }
    if (page->interval != shadow->interval) {
        memset(page->note, 0, sizeof page->note);
        page->interval = shadow->interval;
    }
    return &page->note[address % PAGE_BYTES];
}

static bool is_racy(uint8_t note)
{
    return (note & (SHARED | WRITTEN)) == (SHARED | WRITTEN);
}

bool bsim_shadow_touch(struct bsim_shadow *shadow, uint32_t who, bool writes, uint32_t space,
                       uint64_t address, uint32_t n_bytes)
{
    for (uint32_t i = 0; i < n_bytes; i++) {
        uint8_t *note = note_of(shadow, space, address + i);
        if (note == NULL) {
            return false;
        }
        uint32_t facts = *note;
        if ((facts & TOUCHED) == 0) {
            facts = TOUCHED | who;
        } else if ((facts & WHO_BITS) != who) {
            facts |= SHARED;
        }
        *note = (uint8_t)(facts | (writes ? WRITTEN : 0));
        shadow->racy = shadow->racy || is_racy(*note);
    }
    return true;
}

bool bsim_shadow_is_racy(struct bsim_shadow *shadow, uint32_t space, uint64_t address)
{
    struct bsim_shadow_page *page = find_page(shadow, number_of(space, address));
    return page != NULL && page->interval == shadow->interval &&
           is_racy(page->note[address % PAGE_BYTES]);
}

/* shadow.c - one byte of notes for each byte of memory; see shadow.h.
 *
 * A byte is racy exactly when at least two (warps, or lanes of one) touched it and at least one wrote it: the writer
 * and any of the others are a pair. So three facts are enough, in whatever order they come:
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
    FIRST_PAGES = 64,
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
    if (shadow->n_pages > KEPT_PAGES) {
        bsim_shadow_free(shadow);
    }
    shadow->interval = interval;
    shadow->racy = false;
}

void bsim_shadow_free(struct bsim_shadow *shadow)
{
    bsim_mem_free(shadow->pages);
    bsim_mem_free(shadow->slots);
    memset(shadow, 0, sizeof *shadow);
}

/* The number of an address's page: the spaces lie one behind the other. */
static uint64_t number_of(uint32_t space, uint64_t address)
{
    return (uint64_t)space << (64 - PAGE_BITS) | address >> PAGE_BITS;
}

/* The slot of a page: where it is, or the free one where it would be. Multiplication by 2^64 over
 * the golden ratio spreads neighbours (Knuth, The Art of Computer Programming 3, 6.4). */
static size_t slot_of(const struct bsim_shadow *shadow, uint64_t number)
{
    size_t mask = shadow->n_slots - 1;
    size_t slot = (number * UINT64_C(11400714819323198485) >> 32) & mask;
    while (shadow->slots[slot] != 0 && shadow->pages[shadow->slots[slot] - 1].number != number) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

/* Room for one more page, with at most every second slot taken. */
static bool make_room(struct bsim_shadow *shadow)
{
    if (shadow->n_pages < shadow->capacity) {
        return true;
    }
    size_t capacity = shadow->capacity == 0 ? FIRST_PAGES : 2 * shadow->capacity;
    uint32_t *slots = bsim_mem_zeroed(2 * capacity, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    struct bsim_shadow_page *pages =
        bsim_mem_resize(shadow->pages, capacity, sizeof *shadow->pages);
    if (pages == NULL) {
        bsim_mem_free(slots);
        return false;
    }
    bsim_mem_free(shadow->slots);
    shadow->pages = pages;
    shadow->capacity = capacity;
    shadow->slots = slots;
    shadow->n_slots = 2 * capacity;
    for (size_t i = 0; i < shadow->n_pages; i++) {
        slots[slot_of(shadow, pages[i].number)] = (uint32_t)i + 1;
    }
    return true;
}

static struct bsim_shadow_page *add_page(struct bsim_shadow *shadow, uint64_t number)
{
    if (!make_room(shadow)) {
        return NULL;
    }
    shadow->last = shadow->n_pages++;
    struct bsim_shadow_page *page = &shadow->pages[shadow->last];
    page->number = number;
    page->interval = 0;
    shadow->slots[slot_of(shadow, number)] = (uint32_t)shadow->n_pages;
    return page;
}

/* The page, or NULL if there is none. */
static struct bsim_shadow_page *find_page(struct bsim_shadow *shadow, uint64_t number)
{
    if (shadow->n_pages == 0) {
        return NULL;
    }
    if (shadow->pages[shadow->last].number == number) {
        return &shadow->pages[shadow->last];
    }
    uint32_t found = shadow->slots[slot_of(shadow, number)];
    if (found == 0) {
        return NULL;
    }
    shadow->last = found - 1;
    return &shadow->pages[shadow->last];
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

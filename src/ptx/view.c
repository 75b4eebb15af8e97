/* view.c - see view.h. */
#include "ptx/view.h"

#include "base/memory.h"
#include "ptx/machine.h"

#include <string.h>

enum {
    PAGE_BYTES = 512,
    WORD_BYTES = 4,
    WORD_BITS = 64, /* of a mask's parts */
    READ_PARTS = PAGE_BYTES / WORD_BYTES / WORD_BITS,
    WRITE_PARTS = PAGE_BYTES / WORD_BITS,
    MOST_PAGES = 1 << 16, /* of one view: 40 MB at most */
    MOST_UPDATES = 1 << 20,
    FIRST_SLOTS = 256,
};

struct page {
    uint64_t address;            /* of its first byte, which is in the piece; 0: the slot is free */
    unsigned char *memory, *own; /* own: NULL until it is written */
    unsigned char *noted;        /* which words of memory were written, or NULL */
    uint32_t bytes;              /* that the piece has there */
    uint64_t read[READ_PARTS];   /* words; of `changed` those that were */
    uint64_t late[READ_PARTS];   /* words with updates */
    uint64_t written[WRITE_PARTS]; /* bytes */
};

struct update {
    unsigned char *memory;
    uint64_t address; /* of its page, and the byte in it */
    uint32_t at;
    const struct bsim_ptx_access *access;
    uint64_t b, c;
};

struct bsim_ptx_view {
    struct page *slot; /* a hash table, at most half full */
    size_t n_slots, n_pages;
    struct update *update;
    size_t n_updates;
    unsigned char **block; /* of own pages, PAGES_PER_BLOCK each; kept when the view is cleared */
    size_t n_blocks, n_own;
};

enum { PAGES_PER_BLOCK = 64 };

struct bsim_ptx_view *bsim_ptx_view_new(void)
{
    struct bsim_ptx_view *view = bsim_mem_zeroed(1, sizeof *view);
    struct page *slot = bsim_mem_zeroed(FIRST_SLOTS, sizeof *slot);
    if (view == NULL || slot == NULL) {
        bsim_mem_free(view);
        bsim_mem_free(slot);
        return NULL;
    }
    view->slot = slot;
    view->n_slots = FIRST_SLOTS;
    return view;
}

void bsim_ptx_view_free(struct bsim_ptx_view *view)
{
    for (size_t i = 0; view != NULL && i < view->n_blocks; i++) {
        bsim_mem_free(view->block[i]);
    }
    if (view != NULL) {
        bsim_mem_free(view->block);
        bsim_mem_free(view->slot);
        bsim_mem_free(view->update);
        bsim_mem_free(view);
    }
}

void bsim_ptx_view_clear(struct bsim_ptx_view *view)
{
    memset(view->slot, 0, view->n_slots * sizeof *view->slot);
    view->n_pages = view->n_own = view->n_updates = 0;
}

/* ---- pages ----------------------------------------------------------------------------------- */

/* The page's slot, or the free one that it would have. */
static struct page *find_slot(const struct bsim_ptx_view *view, uint64_t address)
{
    size_t i = (size_t)((address / PAGE_BYTES * UINT64_C(0x9e3779b97f4a7c15)) >> 20);
    struct page *page = &view->slot[i & (view->n_slots - 1)];
    while (page->address != 0 && page->address != address) {
        page = &view->slot[++i & (view->n_slots - 1)];
    }
    return page;
}

static bool grow(struct bsim_ptx_view *view)
{
    struct bsim_ptx_view grown = *view;
    grown.n_slots = 2 * view->n_slots;
    grown.slot = bsim_mem_zeroed(grown.n_slots, sizeof *grown.slot);
    if (grown.slot == NULL) {
        return false;
    }
    for (size_t i = 0; i < view->n_slots; i++) {
        if (view->slot[i].address != 0) {
            *find_slot(&grown, view->slot[i].address) = view->slot[i];
        }
    }
    bsim_mem_free(view->slot);
    *view = grown;
    return true;
}

static struct page *add_page(struct bsim_ptx_view *view, struct page *slot, const struct page *page)
{
    if (view->n_pages == MOST_PAGES) {
        return NULL;
    }
    if (2 * (view->n_pages + 1) > view->n_slots) {
        if (!grow(view)) {
            return NULL;
        }
        slot = find_slot(view, page->address);
    }
    view->n_pages++;
    *slot = *page;
    return slot;
}

/* The page with those bytes, of which *at is its first; NULL if they are in more than one. */
static struct page *find_page(struct bsim_ptx_view *view, const struct bsim_ptx_piece *piece,
                              uint64_t offset, uint32_t bytes, uint32_t *at)
{
    uint64_t start = offset & ~(uint64_t)(PAGE_BYTES - 1);
    *at = (uint32_t)(offset - start);
    if (*at + bytes > PAGE_BYTES) {
        return NULL;
    }
    struct page *page = find_slot(view, piece->start + start);
    if (page->address != 0) {
        return page;
    }
    uint64_t left = piece->size - start;
    struct page made = {.address = piece->start + start,
                        .memory = piece->data + start,
                        .noted = piece->written != NULL ? piece->written + start / WORD_BYTES : NULL,
                        .bytes = left < PAGE_BYTES ? (uint32_t)left : PAGE_BYTES};
    return add_page(view, page, &made);
}

/* ---- masks ----------------------------------------------------------------------------------- */

/* Sets bits from..to of a mask. */
static void set_bits(uint64_t *part, uint32_t from, uint32_t to)
{
    while (from <= to) {
        uint32_t p = from / WORD_BITS, last = p * WORD_BITS + WORD_BITS - 1;
        uint32_t end = to < last ? to : last;
        part[p] |= UINT64_MAX >> (WORD_BITS - 1 - (end - from)) << from % WORD_BITS;
        from = end + 1;
    }
}

static bool has_bits(const uint64_t *part, uint32_t from, uint32_t to)
{
    uint64_t mask[WRITE_PARTS] = {0}, any = 0;
    set_bits(mask, from, to);
    for (uint32_t p = from / WORD_BITS; p <= to / WORD_BITS; p++) {
        any |= part[p] & mask[p];
    }
    return any != 0;
}

static bool is_late(const struct page *page, uint32_t at, uint32_t bytes)
{
    return (page->late[0] | page->late[1]) != 0 &&
           has_bits(page->late, at / WORD_BYTES, (at + bytes - 1) / WORD_BYTES);
}

/* ---- reads and writes ------------------------------------------------------------------------ */

unsigned char *bsim_ptx_view_read(struct bsim_ptx_view *view, const struct bsim_ptx_piece *piece,
                                  uint64_t offset, uint32_t bytes)
{
    uint32_t at;
    struct page *page = find_page(view, piece, offset, bytes, &at);
    if (page == NULL || is_late(page, at, bytes)) {
        return NULL;
    }
    /* What was written here before counts as read as well, which is only careful. */
    set_bits(page->read, at / WORD_BYTES, (at + bytes - 1) / WORD_BYTES);
    return (page->own != NULL ? page->own : page->memory) + at;
}

static unsigned char *take_own(struct bsim_ptx_view *view)
{
    if (view->n_own == view->n_blocks * PAGES_PER_BLOCK) {
        unsigned char **grown = bsim_mem_grow(view->block, view->n_blocks, sizeof *grown);
        unsigned char *block =
            grown != NULL ? bsim_mem_resize(NULL, PAGES_PER_BLOCK, PAGE_BYTES) : NULL;
        view->block = grown != NULL ? grown : view->block;
        if (block == NULL) {
            return NULL;
        }
        view->block[view->n_blocks++] = block;
    }
    size_t i = view->n_own++;
    return view->block[i / PAGES_PER_BLOCK] + i % PAGES_PER_BLOCK * PAGE_BYTES;
}

unsigned char *bsim_ptx_view_write(struct bsim_ptx_view *view, const struct bsim_ptx_piece *piece,
                                   uint64_t offset, uint32_t bytes)
{
    uint32_t at;
    struct page *page = find_page(view, piece, offset, bytes, &at);
    if (page == NULL || piece->is_constant || is_late(page, at, bytes)) {
        return NULL;
    }
    if (page->own == NULL) {
        page->own = take_own(view);
        if (page->own == NULL) {
            return NULL;
        }
        memcpy(page->own, page->memory, page->bytes);
    }
    set_bits(page->written, at, at + bytes - 1);
    return page->own + at;
}

bool bsim_ptx_view_is_written(const struct bsim_ptx_view *view, const struct bsim_ptx_piece *piece,
                              uint64_t offset, uint32_t bytes)
{
    for (uint64_t at = offset - offset % WORD_BYTES; at < offset + bytes; at += WORD_BYTES) {
        const struct page *page = find_slot(view, piece->start + (at & ~(uint64_t)(PAGE_BYTES - 1)));
        uint32_t in = (uint32_t)(at % PAGE_BYTES);
        bool is = page->address != 0 && has_bits(page->written, in, in + WORD_BYTES - 1);
        if (!is && !piece->written[at / WORD_BYTES]) {
            return false;
        }
    }
    return true;
}

bool bsim_ptx_view_update(struct bsim_ptx_view *view, const struct bsim_ptx_piece *piece,
                          uint64_t offset, const struct bsim_ptx_access *access, uint64_t b,
                          uint64_t c)
{
    uint32_t at;
    struct page *page = find_page(view, piece, offset, access->bytes, &at);
    if (page == NULL || piece->is_constant || view->n_updates == MOST_UPDATES ||
        has_bits(page->written, at, at + access->bytes - 1)) {
        return false;
    }
    struct update *grown = bsim_mem_grow(view->update, view->n_updates, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    view->update = grown;
    view->update[view->n_updates++] =
        (struct update){page->memory + at, page->address, at, access, b, c};
    set_bits(page->late, at / WORD_BYTES, (at + access->bytes - 1) / WORD_BYTES);
    return true;
}

/* ---- the blocks' turn ------------------------------------------------------------------------ */

bool bsim_ptx_view_is_stale(const struct bsim_ptx_view *view, const struct bsim_ptx_view *changed)
{
    for (size_t i = 0; i < view->n_slots && changed->n_pages > 0; i++) {
        const struct page *page = &view->slot[i];
        if (page->address == 0 || (page->read[0] | page->read[1]) == 0) {
            continue;
        }
        const struct page *other = find_slot(changed, page->address);
        if (((page->read[0] & other->read[0]) | (page->read[1] & other->read[1])) != 0) {
            return true;
        }
    }
    return false;
}

static void note(const struct page *page, uint32_t word)
{
    if (page->noted != NULL) {
        page->noted[word] = 1;
    }
}

static void write_page(const struct page *page, struct page *changed)
{
    for (uint32_t p = 0; p < WRITE_PARTS; p++) {
        uint64_t mask = page->written[p];
        unsigned char *to = page->memory + p * WORD_BITS;
        const unsigned char *from = page->own + p * WORD_BITS;
        if (mask == UINT64_MAX) {
            memcpy(to, from, WORD_BITS);
        }
        for (uint32_t i = 0; i < WORD_BITS && mask != 0 && mask != UINT64_MAX; i++) {
            if (mask >> i & 1) {
                to[i] = from[i];
            }
        }
        for (uint32_t i = 0; i < WORD_BITS && mask != 0; i += WORD_BYTES) {
            uint32_t word = (p * WORD_BITS + i) / WORD_BYTES;
            if (mask >> i & 0xf) {
                changed->read[word / WORD_BITS] |= UINT64_C(1) << word % WORD_BITS;
                note(page, word);
            }
        }
    }
}

/* The page of those that have changed; NULL when memory is short. */
static struct page *changed_page(struct bsim_ptx_view *changed, uint64_t address)
{
    struct page *page = find_slot(changed, address);
    struct page made = {.address = address};
    return page->address != 0 ? page : add_page(changed, page, &made);
}

bool bsim_ptx_view_commit(const struct bsim_ptx_view *view, struct bsim_ptx_view *changed)
{
    struct page unknown = {0};
    bool has_memory = true;
    for (size_t i = 0; i < view->n_slots; i++) {
        const struct page *page = &view->slot[i];
        if (page->address != 0 && page->own != NULL) {
            struct page *mine = changed_page(changed, page->address);
            has_memory = has_memory && mine != NULL;
            write_page(page, mine != NULL ? mine : &unknown);
        }
    }
    for (size_t i = 0; i < view->n_updates; i++) {
        const struct update *u = &view->update[i];
        struct page *mine = changed_page(changed, u->address);
        has_memory = has_memory && mine != NULL;
        uint64_t value = 0;
        memcpy(&value, u->memory, u->access->bytes);
        value = bsim_ptx_update(u->access, BSIM_GLOBAL, value, u->b, u->c);
        memcpy(u->memory, &value, u->access->bytes);
        set_bits((mine != NULL ? mine : &unknown)->read, u->at / WORD_BYTES,
                 (u->at + u->access->bytes - 1) / WORD_BYTES);
    }
    return has_memory;
}

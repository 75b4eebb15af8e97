/* grid.c - who of a kernel's blocks wrote and read a piece of global memory first; see grid.h.
 *
 * Two blocks race on a byte that both touch and one writes. To find that out for every byte, in
 * whatever order the blocks come, three of its accesses are enough:
 *
 *     writer     the first write
 *     reader[0]  the first read
 *     reader[1]  the first read by another block than reader[0]'s
 *
 * as a later read races with the writer if that was another block, and a later write with the
 * writer or with one of two different readers, at least one of which was. Which pairs of
 * instructions race is so found for the first that came, not for all.
 *
 * A cell with the three is for 4 bytes, until something narrower touches its page: then the page is
 * cut into cells of one byte. What a kernel touches may be large; beyond MOST_CELLS, 32 MiB of
 * words, or MOST_ACCESSES warp instructions that were the first at some cell, new memory is not
 * looked at, and the findings say so.
 */
#include "hazard/grid.h"

#include "base/memory.h"

#include <string.h>

enum {
    PAGE_BITS = 8,
    PAGE_BYTES = 1 << PAGE_BITS,
    WORD_BITS = 2,
    WORD_BYTES = 1 << WORD_BITS,
    LANE_BITS = 5,
    MOST_CELLS = 1 << 23, /* 12 bytes each */
    MOST_ACCESSES = 1 << 21,
};

/* An index among the accesses plus 1, and the lane in the lower bits; 0: nobody. */
struct cell {
    uint32_t writer, reader[2];
};

struct bsim_grid_page {
    uint64_t number;
    uint32_t unit_bits; /* a cell is for 2^unit_bits bytes */
    struct cell *cell;
};

/* A warp's, which was the first somewhere. */
struct bsim_grid_access {
    struct bsim_race_access access; /* without the lane */
    struct bsim_dim3 block;
};

void bsim_grid_start(struct bsim_grid *grid)
{
    uint64_t n_steps = grid->n_steps;
    bsim_grid_free(grid);
    grid->n_steps = n_steps;
}

void bsim_grid_free(struct bsim_grid *grid)
{
    for (size_t i = 0; i < grid->table.n; i++) {
        bsim_mem_free(grid->pages[i].cell);
    }
    bsim_mem_free(grid->pages);
    bsim_table_clear(&grid->table);
    bsim_mem_free(grid->accesses);
    memset(grid, 0, sizeof *grid);
}

/* ---- pages ---------------------------------------------------------------------------------- */

/* The page's number among the pages, from 1; 0: there is none. */
static uint32_t page_of(const struct bsim_grid *grid, uint64_t number)
{
    uint32_t hash = bsim_table_hash(number), at = hash, item;
    do {
        item = bsim_table_next(&grid->table, hash, &at);
    } while (item != 0 && grid->pages[item - 1].number != number);
    return item;
}

static bool add_page(struct bsim_grid *grid, uint64_t number, uint32_t unit_bits)
{
    size_t n = (size_t)PAGE_BYTES >> unit_bits;
    struct bsim_grid_page *pages = bsim_mem_grow(grid->pages, grid->table.n, sizeof *pages);
    grid->pages = pages != NULL ? pages : grid->pages;
    struct cell *cell = pages != NULL ? bsim_mem_zeroed(n, sizeof *cell) : NULL;
    if (cell == NULL || !bsim_table_add(&grid->table, bsim_table_hash(number))) {
        bsim_mem_free(cell);
        return false;
    }
    pages[grid->table.n - 1] = (struct bsim_grid_page){number, unit_bits, cell};
    grid->n_cells += n;
    return true;
}

/* From cells of words to cells of bytes. */
static bool cut_page(struct bsim_grid *grid, struct bsim_grid_page *page)
{
    struct cell *cell = bsim_mem_zeroed(PAGE_BYTES, sizeof *cell);
    if (cell == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < PAGE_BYTES; i++) {
        cell[i] = page->cell[i >> page->unit_bits];
    }
    grid->n_cells += (size_t)PAGE_BYTES - ((size_t)PAGE_BYTES >> page->unit_bits);
    bsim_mem_free(page->cell);
    page->cell = cell;
    page->unit_bits = 0;
    return true;
}

/* The page for accesses of so many bytes, in *page; NULL where nothing new is looked at. False when
 * memory is short. */
static bool find_page(struct bsim_grid *grid, uint64_t number, uint32_t n_bytes,
                      struct bsim_grid_page **page)
{
    uint32_t unit_bits = n_bytes < WORD_BYTES ? 0 : WORD_BITS;
    uint32_t at = page_of(grid, number);
    *page = NULL;
    grid->is_full |= grid->n_cells >= MOST_CELLS || grid->n_accesses >= MOST_ACCESSES;
    if (at == 0 && grid->is_full) {
        return true;
    }
    if (at == 0 && !add_page(grid, number, unit_bits)) {
        return false;
    }
    *page = &grid->pages[(at == 0 ? grid->table.n : at) - 1];
    return (*page)->unit_bits <= unit_bits || cut_page(grid, *page);
}

/* ---- accesses ------------------------------------------------------------------------------- */

/* The step at hand and its block; known once it is the first somewhere. */
struct visit {
    struct bsim_grid *grid;
    struct bsim_findings *findings;
    struct bsim_grid_access mine;
    uint32_t index; /* plus 1, shifted; 0: not known yet */
    bool writes;
};

static bool get_known(struct visit *visit)
{
    struct bsim_grid *grid = visit->grid;
    if (visit->index != 0) {
        return true;
    }
    struct bsim_grid_access *grown = bsim_mem_grow(grid->accesses, grid->n_accesses, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    grid->accesses = grown;
    grid->accesses[grid->n_accesses++] = visit->mine;
    visit->index = (uint32_t)grid->n_accesses << LANE_BITS;
    return true;
}

/* Of a cell's side that is somebody. */
static const struct bsim_grid_access *access_of(const struct bsim_grid *grid, uint32_t side)
{
    return &grid->accesses[(side >> LANE_BITS) - 1];
}

static bool is_of_another(const struct visit *visit, uint32_t side)
{
    return side != 0 && !bsim_dim3_same(access_of(visit->grid, side)->block, visit->mine.block);
}

/* The side that the access at hand races with, or 0. */
static uint32_t rival(const struct visit *visit, const struct cell *cell)
{
    if (is_of_another(visit, cell->writer)) {
        return cell->writer;
    }
    for (int i = 0; i < 2 && visit->writes; i++) {
        if (is_of_another(visit, cell->reader[i])) {
            return cell->reader[i];
        }
    }
    return 0;
}

static bool report(struct visit *visit, uint32_t side, uint32_t lane, uint64_t address,
                   uint32_t n_bytes)
{
    const struct bsim_grid_access *theirs = access_of(visit->grid, side);
    struct bsim_race race = {
        .kind = BSIM_RACE_BLOCKS,
        .block = theirs->block,
        .other_block = visit->mine.block,
        .access = {theirs->access, visit->mine.access},
    };
    race.access[0].lane = side % BSIM_WARP_LANES;
    race.access[1].lane = lane;
    for (uint32_t i = 0; i < n_bytes; i++) {
        race.address = address + i;
        if (!bsim_findings_add_race(visit->findings, &race, visit->grid->n_steps)) {
            return false;
        }
    }
    return true;
}

/* Takes the access down where it is the first. */
static bool note(struct visit *visit, struct cell *cell, uint32_t lane)
{
    uint32_t *side = visit->writes          ? &cell->writer
                     : cell->reader[0] == 0 ? &cell->reader[0]
                                            : &cell->reader[1];
    bool is_news =
        *side == 0 && (side != &cell->reader[1] || is_of_another(visit, cell->reader[0]));
    if (!is_news) {
        return true;
    }
    if (!get_known(visit)) {
        return false;
    }
    *side = visit->index | lane;
    return true;
}

static bool touch_cell(struct visit *visit, struct cell *cell, uint32_t lane, uint64_t address,
                       uint32_t n_bytes)
{
    uint32_t side = rival(visit, cell);
    bool is_told = visit->grid->last_cell == address;
    if (side != 0 && !is_told && !report(visit, side, lane, address, n_bytes)) {
        return false;
    }
    visit->grid->last_cell = side != 0 ? address : visit->grid->last_cell;
    return note(visit, cell, lane);
}

/* An access is aligned, so that it lies in one page. */
static bool touch(struct visit *visit, uint32_t lane, uint64_t address, uint32_t n_bytes)
{
    struct bsim_grid_page *page;
    if (!find_page(visit->grid, address >> PAGE_BITS, n_bytes, &page)) {
        return false;
    }
    uint32_t unit = page != NULL ? UINT32_C(1) << page->unit_bits : n_bytes;
    for (uint32_t at = 0; page != NULL && at < n_bytes; at += unit) {
        struct cell *cell = &page->cell[(address + at) % PAGE_BYTES >> page->unit_bits];
        if (!touch_cell(visit, cell, lane, address + at, unit)) {
            return false;
        }
    }
    return true;
}

bool bsim_grid_step(struct bsim_grid *grid, const struct bsim_step *step, struct bsim_dim3 place,
                    struct bsim_findings *findings)
{
    struct visit visit = {
        .grid = grid,
        .findings = findings,
        .mine =
            {{.warp = step->warp, .opcode = step->opcode, .site = step->site, .line = step->line},
             place},
        .writes = bsim_step_writes(step),
    };
    struct bsim_step_walk walk = {0, 0};
    uint32_t lane;
    uint64_t address;
    grid->n_steps++;
    grid->last_cell = UINT64_MAX;
    while (bsim_step_next(step, &walk, &lane, &address)) {
        if (!touch(&visit, lane, address, step->opcode.bytes)) {
            return false;
        }
    }
    return true;
}

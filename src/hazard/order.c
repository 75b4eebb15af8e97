/* order.c - what meetings of some warps put in order; see order.h.
 *
 *     w0   st 0 | arrive 1           w1   await 1:1 | ld 0          in order, by meeting 1
 *     w0   ... st 4                                   ld 4          a race: behind w0's arrival
 *
 * A warp's epoch grows with each arrival. clock[w][v] is the last epoch of v that lies before all that
 * w does from here on: an access of v in epoch e comes before w if clock[w][v] >= e. Who arrives leaves
 * its clock at the meeting, who awaits it takes what was left there: vector clocks (Mattern, 1989).
 *
 * The steps of an interval are taken in an order that the meetings allow, the lowest warp as far as it
 * goes, then the next: so the findings do not depend on how the stream interleaves its warps. Each byte
 * keeps its last write and the reads since then that are in no order, which is enough to find every byte
 * that warps race on (Flanagan and Freund, FastTrack, 2009), but not each pair of instructions: a byte
 * is told once in an interval.
 */
#include "hazard/order.h"

#include "base/memory.h"
#include "hazard/touch.h"

#include <string.h>

enum { PAGE_BITS = 8, PAGE_BYTES = 1 << PAGE_BITS, LANE_BITS = 5 };

/* One meeting of a block's. */
struct bsim_meeting {
    uint32_t number, n_arrived;
    uint32_t clock[BSIM_BLOCK_MAX_WARPS]; /* of all who have arrived */
};

/* Who touched a byte: a visit's index plus 1 and, below it, the lane; 0: nobody. */
struct cell {
    uint32_t writer;
    uint32_t reader; /* index plus 1 of the first in its list */
    bool is_told;
};

struct bsim_order_page {
    uint64_t number; /* the space lies above the address */
    struct cell cell[PAGE_BYTES];
};

struct bsim_order_visit {
    const struct bsim_step *step;
    uint32_t epoch;
};

struct bsim_order_reader {
    uint32_t side, next;
};

void bsim_order_start(struct bsim_order *order)
{
    for (uint32_t w = 0; w < BSIM_BLOCK_MAX_WARPS; w++) {
        order->epoch[w] = 1;
    }
    memset(order->clock, 0, sizeof order->clock);
    bsim_table_forget(&order->meetings);
}

void bsim_order_free(struct bsim_order *order)
{
    bsim_mem_free(order->meeting);
    bsim_mem_free(order->page);
    bsim_mem_free(order->visit);
    bsim_mem_free(order->reader);
    bsim_table_clear(&order->meetings);
    bsim_table_clear(&order->pages);
    memset(order, 0, sizeof *order);
}

/* ---- meetings -------------------------------------------------------------------------------- */

/* The meeting of that number, a new one if need be; NULL when memory is short. */
static struct bsim_meeting *find_meeting(struct bsim_order *order, uint32_t number)
{
    uint32_t hash = bsim_table_hash(number), at = hash, item;
    while ((item = bsim_table_next(&order->meetings, hash, &at)) != 0) {
        if (order->meeting[item - 1].number == number) {
            return &order->meeting[item - 1];
        }
    }
    uint32_t n = order->meetings.n;
    struct bsim_meeting *grown = bsim_mem_grow(order->meeting, n, sizeof *grown);
    order->meeting = grown != NULL ? grown : order->meeting;
    if (grown == NULL || !bsim_table_add(&order->meetings, hash)) {
        return NULL;
    }
    grown[n] = (struct bsim_meeting){.number = number};
    return &grown[n];
}

/* Clock a knows what b does. */
static void join(uint32_t a[BSIM_BLOCK_MAX_WARPS], const uint32_t b[BSIM_BLOCK_MAX_WARPS])
{
    for (uint32_t v = 0; v < BSIM_BLOCK_MAX_WARPS; v++) {
        a[v] = b[v] > a[v] ? b[v] : a[v];
    }
}

static void arrive(struct bsim_order *order, struct bsim_meeting *meeting, uint32_t w)
{
    order->clock[w][w] = order->epoch[w]++;
    join(meeting->clock, order->clock[w]);
    meeting->n_arrived++;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* What a step's touches of bytes are held against. */
struct look {
    struct bsim_order *order;
    const struct bsim_step *step;
    uint32_t index; /* of its visit, plus 1; 0: it has none yet */
    struct bsim_findings *findings;
    const struct bsim_race *place;
    uint64_t interval;
};

static struct cell *cell_of(struct bsim_order *order, uint32_t space, uint64_t address)
{
    uint64_t number = (uint64_t)space << (64 - PAGE_BITS) | address >> PAGE_BITS;
    uint32_t hash = bsim_table_hash(number), at = hash, item;
    while ((item = bsim_table_next(&order->pages, hash, &at)) != 0) {
        if (order->page[item - 1].number == number) {
            return &order->page[item - 1].cell[address % PAGE_BYTES];
        }
    }
    uint32_t n = order->pages.n;
    struct bsim_order_page *grown = bsim_mem_grow(order->page, n, sizeof *grown);
    order->page = grown != NULL ? grown : order->page;
    if (grown == NULL || !bsim_table_add(&order->pages, hash)) {
        return NULL;
    }
    memset(&grown[n], 0, sizeof grown[n]);
    grown[n].number = number;
    return &grown[n].cell[address % PAGE_BYTES];
}

static bool get_known(struct look *look)
{
    struct bsim_order *order = look->order;
    if (look->index != 0) {
        return true;
    }
    struct bsim_order_visit *grown = bsim_mem_grow(order->visit, order->n_visits, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    order->visit = grown;
    grown[order->n_visits++] =
        (struct bsim_order_visit){look->step, order->epoch[look->step->warp]};
    look->index = (uint32_t)order->n_visits;
    return true;
}

static const struct bsim_order_visit *visit_of(const struct bsim_order *order, uint32_t side)
{
    return &order->visit[(side >> LANE_BITS) - 1];
}

/* Whether what that side did comes before what the step at hand does. */
static bool is_before(const struct look *look, uint32_t side)
{
    const struct bsim_order_visit *visit = visit_of(look->order, side);
    uint32_t w = look->step->warp, v = visit->step->warp;
    return v == w || look->order->clock[w][v] >= visit->epoch;
}

/* The side that the step at hand races with, or 0. */
static uint32_t rival(const struct look *look, const struct cell *cell)
{
    if (cell->writer != 0 && !is_before(look, cell->writer)) {
        return cell->writer;
    }
    const struct bsim_order_reader *reader = look->order->reader;
    uint32_t i = bsim_step_writes(look->step) ? cell->reader : 0;
    while (i != 0 && is_before(look, reader[i - 1].side)) {
        i = reader[i - 1].next;
    }
    return i != 0 ? reader[i - 1].side : 0;
}

static bool report(const struct look *look, uint32_t side, uint32_t lane, uint64_t address)
{
    const struct bsim_step *theirs = visit_of(look->order, side)->step;
    bool is_first = theirs->warp < look->step->warp;
    struct bsim_race race = *look->place;
    race.address = address;
    race.access[is_first ? 0 : 1] = bsim_touch_side(theirs, side % BSIM_WARP_LANES);
    race.access[is_first ? 1 : 0] = bsim_touch_side(look->step, lane);
    return bsim_findings_add_race(look->findings, &race, look->interval);
}

/* One more read, instead of those that come before it. */
static bool add_reader(struct look *look, struct cell *cell, uint32_t side)
{
    struct bsim_order *order = look->order;
    for (uint32_t *at = &cell->reader; *at != 0;) {
        struct bsim_order_reader *reader = &order->reader[*at - 1];
        if (is_before(look, reader->side)) {
            *at = reader->next;
        } else {
            at = &reader->next;
        }
    }
    struct bsim_order_reader *grown = bsim_mem_grow(order->reader, order->n_readers, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    order->reader = grown;
    grown[order->n_readers++] = (struct bsim_order_reader){side, cell->reader};
    cell->reader = (uint32_t)order->n_readers;
    return true;
}

static bool touch_byte(struct look *look, uint32_t lane, uint64_t address)
{
    struct cell *cell = cell_of(look->order, look->step->opcode.space, address);
    if (cell == NULL || !get_known(look)) {
        return false;
    }
    uint32_t other = rival(look, cell), mine = look->index << LANE_BITS | lane;
    if (other != 0 && !cell->is_told) {
        cell->is_told = true;
        if (!report(look, other, lane, address)) {
            return false;
        }
    }
    if (!bsim_step_writes(look->step)) {
        return add_reader(look, cell, mine);
    }
    cell->writer = mine;
    cell->reader = 0;
    return true;
}

static bool touch(struct look *look)
{
    struct bsim_step_walk walk = {0, 0};
    uint32_t lane;
    uint64_t address;
    while (bsim_step_next(look->step, &walk, &lane, &address)) {
        for (uint32_t i = 0; i < look->step->opcode.bytes; i++) {
            if (!touch_byte(look, lane, address + i)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- the interval ---------------------------------------------------------------------------- */

struct walk {
    const struct bsim_steps *const *steps;
    size_t at[BSIM_BLOCK_MAX_WARPS];
    uint32_t n_warps;
    bool is_racy;
    bool is_stuck; /* nobody can go on: the next one who waits does */
};

/* Takes the warp's next step. False when memory is short; *waits: it stays where it is. */
static bool take_step(struct look *look, struct walk *walk, uint32_t w, bool *waits)
{
    struct bsim_order *order = look->order;
    const struct bsim_step *step = bsim_steps_at(walk->steps[w], walk->at[w]);
    *waits = false;
    if (step->kind == BSIM_STEP_ARRIVE || step->kind == BSIM_STEP_AWAIT) {
        struct bsim_meeting *meeting = find_meeting(order, step->meeting);
        if (meeting == NULL) {
            return false;
        }
        if (step->kind == BSIM_STEP_ARRIVE) {
            arrive(order, meeting, w);
        } else if (meeting->n_arrived >= step->arrivals || walk->is_stuck) {
            join(order->clock[w], meeting->clock);
            walk->is_stuck = false;
        } else {
            *waits = true;
        }
        return true;
    }
    look->step = step;
    look->index = 0;
    return step->kind != BSIM_STEP_ACCESS || !walk->is_racy || touch(look);
}

/* The warp goes as far as it can. *any: it went anywhere. */
static bool go_on(struct look *look, struct walk *walk, uint32_t w, bool *any)
{
    bool waits = false;
    while (!waits && bsim_steps_in_interval(walk->steps[w], walk->at[w])) {
        if (!take_step(look, walk, w, &waits)) {
            return false;
        }
        walk->at[w] = waits ? walk->at[w] : bsim_steps_after(walk->steps[w], walk->at[w]);
        *any = *any || !waits;
    }
    return true;
}

static bool is_over(const struct walk *walk)
{
    for (uint32_t w = 0; w < walk->n_warps; w++) {
        if (bsim_steps_in_interval(walk->steps[w], walk->at[w])) {
            return false;
        }
    }
    return true;
}

bool bsim_order_check(struct bsim_order *order, const struct bsim_steps *const *steps,
                      uint32_t n_warps, bool is_racy, struct bsim_findings *findings,
                      const struct bsim_race *place, uint64_t interval)
{
    struct look look = {.order = order, .findings = findings, .place = place, .interval = interval};
    struct walk walk = {.steps = steps, .n_warps = n_warps, .is_racy = is_racy};
    bsim_table_forget(&order->pages);
    order->n_visits = order->n_readers = 0;
    for (uint32_t w = 0; w < n_warps; w++) {
        walk.at[w] = steps[w]->head;
    }
    while (!is_over(&walk)) {
        bool any = false;
        for (uint32_t w = 0; w < n_warps; w++) {
            if (!go_on(&look, &walk, w, &any)) {
                return false;
            }
        }
        walk.is_stuck = !any;
    }
    return true;
}

/* async.c - the tensor cores and TMA beside the data pipe.
 *
 *     group 0 wgmma 0  wgmma 1                           any number of them wait for the tensor cores
 *     group 1      wgmma 2  wgmma 3
 *     tensor       [== 0 ==][== 1 ==][== 2 ==][== 3 ==]  one behind the other, as they come
 *     pipe         48 of 64, 48 of 64 ...                what wgmma leaves is for requests of lanes
 *
 *     load    issue ...latency... [rows, in order]--> the mbarrier      one behind the other
 *     store   issue .. [sectors, in order] --> read --> written          likewise, beside loads
 *
 *     lanes   store to global memory: out of the SM behind TMA's stores, and warps wait when too many do
 *
 *     copy    issue ...latency... [sectors, in order]--> the wait for its group     cp.async, of all warps
 *
 * wgmma goes first: requests beside it get the turns that are left, 1 in 25 at least. TMA meets requests
 * in the arrays, by half and direction: a load takes from st.shared, a store from ld.shared. A store that
 * reads the half where wgmma's operands lie gets what is left of 33 bytes a clock, 2.5 at least.
 *
 * Clocks of an H200, driver 580.159.04, CUDA 13.0, 2026-11-23 (tests/measured/h200/mainloop): one wgmma and
 * its wait 54 clocks and its own; a load's latency, a store's, and what the first ones of a block
 * take longer, for their tensor map. What wgmma and copies take one behind the other: wgmma.h, tma.h.
 */
#include "timing/async.h"

#include "base/bits.h"
#include "event/async.h"
#include "event/far.h"
#include "result/clock.h"

#include <string.h>

enum {
    WGMMA_LATENCY = 28,   /* from issue to the tensor cores */
    WGMMA_RESULT = 20,    /* from the last to the warp that waits */
    LOAD_LATENCY = 330,   /* from issue to the first row */
    LOAD_COLD = 170,      /* the first load of a block, more */
    RUN_COLD = 165,       /* that of a block that was run, more: its code and its parameters are fetched, too */
    STORE_LATENCY = 44,   /* from issue to the first sector read */
    STORE_WRITTEN = 32,   /* from the last read to all written */
    STORE_COLD = 157,
    LOOK = 43,            /* of 57, a look at an mbarrier, that release_latency has not */
    LOOK_STARVED = 60,    /* more, while wgmmas of two warpgroups take all turns of the data pipe */
    LOOK_HANDED = 14,     /* more, from another warp's arrival that a warp waits for: 71 clocks */
    SLOW_BESIDE = 8,      /* of the time that wgmmas of other warpgroups take, a warp is longer at work */
    WAKE = 230,           /* a wait for an mbarrier, to the wgmma behind it, with the instructions of such a loop */
    WAKE_FIRST = 30,      /* the phase of one that is waited for, to the first waiter's wgmma, but for ... */
    WAKE_GROUP = 100,     /* each warpgroup that waits for it */
    WAKE_STARVED = 115,   /* more, as above */
    LEAST_SHARE = 25,     /* of the data pipe, 1 in so many, for requests beside wgmma */
    PLACES = 2,           /* of the data pipe, in each of which a turn takes two clocks */
    GOES_ON = 36,         /* per cent of the time that wgmmas have been at work, they are taken to go on; fitted */
    RETURN_CLOCKS = 4,    /* of each register of a load's lanes beside wgmma, and ... */
    RETURN_PARTS = 8,     /* ... of each load, more */
    L2_LOAD_BYTES = 64,   /* a clock and SM in the long run, if all SMs load */
    L2_STORE_BYTES = 17,  /* likewise of stores */
    L2_LOAD_AHEAD = 768,  /* clocks at that rate, 48 KiB, that copies can be ahead of it */
    L2_STORE_AHEAD = 900, /* 15 KiB */
    L2_LATENCY = 45,      /* a load's, more */
    L2_PARTS = 128,
    STORE_BYTES = 33,
    LANES_AHEAD = 290,    /* clocks' worth of lanes' stores that wait to leave the SM, before warps wait as well */
    COPY_LATENCY = 276,   /* of a cp.async, from issue to its bytes, which L2 has */
    COPY_BYTES = 107,     /* of these that come to an SM in a clock, as of TMA's, */
    COPY_L1_BYTES = 55,   /* and through L1, */
    COPY_L1_TURNS = 2,    /* where each request takes so many turns of the data pipe more */
    MOST_TAKEN = 4,       /* of 5, by a copy from requests */
};

/* ---- what an event asks --------------------------------------------------------------------- */

static uint32_t parts(double clocks)
{
    return (uint32_t)(clocks * BSIM_ASYNC_PARTS + 0.5);
}

/* The halves that bytes of shared memory lie in. */
static uint32_t halves(uint32_t begin, uint32_t last)
{
    return UINT32_C(1) << bsim_async_half(begin) | UINT32_C(1) << bsim_async_half(last);
}

/* Those of an operand, by its first and its last element: all others lie between, or nearly. */
static uint32_t operand_halves(const struct bsim_wgmma_descriptor *at, uint32_t element_bytes,
                               uint32_t rows)
{
    uint32_t k = BSIM_WGMMA_K_BYTES / element_bytes - 1;
    return halves(at->start, bsim_wgmma_address(at, element_bytes, k, rows - 1));
}

static struct bsim_op wgmma_op(const struct bsim_event *event)
{
    struct bsim_wgmma wgmma = bsim_async_wgmma(event);
    uint32_t wavefronts = bsim_wgmma_wavefronts(&wgmma);
    uint32_t in = operand_halves(&event->async->b, wgmma.element_bytes, wgmma.n);
    in |= wgmma.a_in_registers
              ? 0
              : operand_halves(&event->async->a, wgmma.element_bytes, BSIM_WGMMA_M);
    return (struct bsim_op){.kind = BSIM_OP_WGMMA,
                            .class = (uint8_t)in,
                            .turns = (uint16_t)wavefronts,
                            .ideal = (uint16_t)wavefronts,
                            .cycles = parts(bsim_wgmma_cycles(&wgmma, 1)),
                            .count = 1};
}

static struct bsim_op bulk_op(const struct bsim_event *event, uint32_t meeting, bool is_alone)
{
    const struct bsim_tma *copy = &event->async->copy;
    struct bsim_tma_counts counts;
    bool of_loads = copy->way != BSIM_TMA_LOAD;
    bsim_tma_count(copy, &counts);
    uint32_t rate = of_loads ? L2_STORE_BYTES : L2_LOAD_BYTES;
    double share = is_alone ? 0 : L2_PARTS * (double)counts.bytes / rate / counts.cycles;
    uint32_t bytes = bsim_tma_rows(copy) * bsim_tma_span(copy);
    return (struct bsim_op){
        .kind = BSIM_OP_BULK,
        .class = (uint8_t)halves(copy->start, copy->start + bytes - 1),
        .is_read = (uint8_t)!of_loads,
        .tail = (uint8_t)copy->way,
        .turns = (uint16_t)bsim_tma_taken_cycles(copy, of_loads, 0),
        .ideal = (uint16_t)bsim_tma_taken_cycles(copy, of_loads, BSIM_TMA_HALF_BYTES),
        .cycles = parts(counts.cycles),
        .late = (uint8_t)(share < UINT8_MAX ? share + 0.5 : UINT8_MAX),
        .count = meeting,
    };
}

struct bsim_op bsim_async_op(const struct bsim_event *event, uint32_t meeting, bool is_alone)
{
    return event->opcode.family == BSIM_WGMMA ? wgmma_op(event)
                                              : bulk_op(event, meeting, is_alone);
}

/* ---- units ---------------------------------------------------------------------------------- */

static uint64_t at_clock(uint64_t clock)
{
    return clock * BSIM_ASYNC_PARTS;
}

/* Takes those from the queue that have begun by then. */
static void begin_queued(struct bsim_async_units *units, uint64_t then)
{
    uint32_t n = 0;
    for (; n < units->n_queued; n++) {
        const struct bsim_async_queued *next = &units->queued[n];
        bool is_full = units->n_queued - n == BSIM_ASYNC_QUEUE;
        if (next->end - next->cycles >= then && !is_full) {
            break;
        }
        units->tensor_next = next->end;
        units->last_warp = next->warp;
    }
    units->n_queued -= n;
    memmove(units->queued, units->queued + n, units->n_queued * sizeof units->queued[0]);
}

/* Whether a begins before b: what comes first goes first, of what comes together the warpgroup's that is next behind
 * the last one. */
static bool goes_first(const struct bsim_async_queued *a, const struct bsim_async_queued *b,
                       uint32_t last_warp)
{
    uint32_t behind_a = a->warp - last_warp - 1, behind_b = b->warp - last_warp - 1; /* modulo 2^32 */
    return a->ready != b->ready ? a->ready < b->ready : behind_a < behind_b;
}

/* Puts the queue in the order in which they begin; those of a warp stand there in the order of their issue. */
static void order_queue(struct bsim_async_units *units)
{
    uint64_t free = units->tensor_next;
    uint32_t last_warp = units->last_warp;
    for (uint32_t i = 0; i < units->n_queued; i++) {
        uint32_t first = i;
        for (uint32_t k = i + 1; k < units->n_queued; k++) {
            first = goes_first(&units->queued[k], &units->queued[first], last_warp) ? k : first;
        }
        struct bsim_async_queued next = units->queued[first];
        memmove(&units->queued[i + 1], &units->queued[i], (first - i) * sizeof next);
        next.end = later(next.ready, free) + next.cycles;
        free = next.end;
        last_warp = next.warp;
        units->queued[i] = next;
    }
    units->tensor_free = free;
}

void bsim_async_wgmma_issue(struct bsim_async_units *units, const struct bsim_op *op, uint64_t now,
                            uint32_t warp, uint32_t result)
{
    uint64_t ready = at_clock(now + WGMMA_LATENCY);
    ready = later(ready, warp == units->ready_warp ? units->ready + at_clock(BSIM_ASYNC_WGMMA_INTERVAL) : 0);
    units->busy_since = ready > units->tensor_free ? ready : units->busy_since;
    units->ready = ready;
    units->ready_warp = warp;
    begin_queued(units, ready);
    units->queued[units->n_queued++] =
        (struct bsim_async_queued){ready, 0, op->cycles, warp, result};
    order_queue(units);
    units->tensor_busy += op->cycles;
    units->wavefronts = op->turns;
    units->cycles = op->cycles;
    units->operand_halves = op->class;
}

uint64_t bsim_async_wgmma_done(const struct bsim_async_queued *queued)
{
    return queued->end / BSIM_ASYNC_PARTS + WGMMA_RESULT;
}

/* The clocks of a store, in parts, that begins then: while wgmma reads the half that it reads, it gets
 * what wgmma leaves. */
static uint64_t store_time(const struct bsim_async_units *units, const struct bsim_op *op,
                           uint64_t begin)
{
    if (begin >= units->tensor_free || (op->class & units->operand_halves) == 0) {
        return op->cycles;
    }
    uint64_t beside = units->tensor_free - begin;
    uint64_t used = (uint64_t)units->wavefronts * BSIM_ASYNC_PARTS;
    uint64_t left = units->cycles > used ? units->cycles - used : 0; /* of units->cycles */
    left = later(left, units->cycles * UINT64_C(5) / (2 * STORE_BYTES));
    uint64_t done = beside * left / units->cycles;
    return done < op->cycles ? beside + op->cycles - done
                             : op->cycles * (uint64_t)units->cycles / left;
}

/* When L2 has moved a copy's bytes, in parts: all that the SM's copies ask for at the rate of its share, but for what
 * they can be ahead of that, once they have asked for less. Loads of all SMs begin at once, and are not ahead. */
static uint64_t l2_time(struct bsim_async_units *units, bool is_load, uint64_t takes, uint64_t begin)
{
    uint64_t *free = &units->l2_free[!is_load];
    uint64_t ahead = at_clock(is_load ? L2_LOAD_AHEAD : L2_STORE_AHEAD);
    uint64_t least = begin > ahead ? begin - ahead : 0;
    *free = later(*free, *free == 0 && is_load ? begin : least) + takes;
    return *free;
}

uint64_t bsim_async_bulk_issue(struct bsim_async_units *units, const struct bsim_op *op,
                               uint64_t now, bool is_run)
{
    bool is_load = op->is_read;
    uint64_t *unit = is_load ? &units->load_free : &units->store_free;
    uint64_t latency = is_load ? LOAD_LATENCY : STORE_LATENCY;
    latency += units->is_warm[op->tail] ? 0 : is_load ? LOAD_COLD : STORE_COLD;
    latency += is_load && is_run ? RUN_COLD : 0;
    latency += is_load && op->late > 0 ? L2_LATENCY : 0;
    uint64_t begin = later(at_clock(now + latency), *unit);
    uint64_t end = begin + (is_load ? op->cycles : store_time(units, op, begin));
    uint64_t in_l2 = (uint64_t)op->cycles * op->late / L2_PARTS;
    end = later(end, in_l2 > 0 ? l2_time(units, is_load, in_l2, begin) : 0);
    units->is_warm[op->tail] = true;
    units->stores_met += !is_load && (op->class & units->operand_halves) != 0;
    units->copies_busy += op->cycles;
    *unit = end;
    const uint32_t taken[2] = {op->turns, op->ideal};
    for (uint32_t half = 0; half < 2; half++) {
        if (taken[half] > 0) {
            units->window[half][!is_load] =
                (struct bsim_async_window){begin, end, at_clock(taken[half])};
        }
    }
    return end / BSIM_ASYNC_PARTS + (is_load ? 0 : STORE_WRITTEN);
}

/* ---- copies of lanes from global memory ------------------------------------------------------ */

enum { SECTOR = 32, LINE_SECTORS = 4 };

/* The sectors of a copy that says where it is from; else of bytes in a row. */
static uint64_t copied_sectors(const struct bsim_device *device, const struct bsim_event *event)
{
    struct bsim_global_counts counts;
    uint64_t from[BSIM_WARP_LANES];
    struct bsim_event far;
    if (event->from == NULL) {
        return (bsim_bits_population(event->mask) * event->opcode.bytes + SECTOR - 1) / SECTOR;
    }
    bsim_event_far(event, &far);
    bsim_event_addresses(&far, from);
    bsim_global_count(device, &far.opcode, far.mask, from, &counts);
    return counts.sectors;
}

void bsim_async_copy_op(const struct bsim_device *device, const struct bsim_event *event, struct bsim_op *op)
{
    uint64_t sectors = copied_sectors(device, event);
    op->count = 1;
    bool bypasses = event->opcode.path == BSIM_BYPASS;
    op->cycles = (uint32_t)(sectors * SECTOR * BSIM_ASYNC_PARTS / (bypasses ? COPY_BYTES : COPY_L1_BYTES));
    op->tail = bypasses ? 0 : COPY_L1_TURNS;
}

uint64_t bsim_async_copy_issue(struct bsim_async_units *units, const struct bsim_op *op, uint64_t now, uint64_t last)
{
    uint64_t begin = later(at_clock(later(now, last) + COPY_LATENCY), units->copy_free);
    units->copy_free = begin + op->cycles;
    return units->copy_free / BSIM_ASYNC_PARTS;
}

/* ---- stores of lanes to global memory ------------------------------------------------------- */


/* The bytes that a warp writes to a line. */
struct written {
    uint64_t line;
    uint32_t bytes[LINE_SECTORS]; /* bits, of each sector */
};

/* Adds a lane's, which lie in one sector; n lines are there. */
static uint32_t add_written(struct written *written, uint32_t n, uint64_t address, uint32_t bytes)
{
    uint64_t line = address / SECTOR / LINE_SECTORS;
    uint32_t i = 0;
    while (i < n && written[i].line != line) {
        i++;
    }
    if (i == n) {
        written[n++] = (struct written){.line = line};
    }
    written[i].bytes[address / SECTOR % LINE_SECTORS] |=
        (uint32_t)(((UINT64_C(1) << bytes) - 1) << address % SECTOR);
    return n;
}

/* A line takes two clocks, a whole sector alone one, as of TMA's stores. */
void bsim_async_store_op(const struct bsim_event *event, bool is_alone, struct bsim_op *op)
{
    struct written written[BSIM_WARP_LANES];
    uint64_t address[BSIM_WARP_LANES];
    uint32_t n = 0, clocks = 0, sectors = 0;
    bsim_event_addresses(event, address);
    for (uint32_t left = event->mask; left != 0; left &= left - 1) {
        n = add_written(written, n, address[bsim_bits_lowest(left)], event->opcode.bytes);
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t touched = 0, whole = 0;
        for (uint32_t k = 0; k < LINE_SECTORS; k++) {
            touched += written[i].bytes[k] != 0;
            whole += written[i].bytes[k] == UINT32_MAX;
        }
        sectors += touched;
        clocks += touched == 1 && whole == 1 ? 1 : 2;
    }
    op->out = (uint16_t)(clocks * BSIM_ASYNC_PARTS);
    op->l2 = (uint16_t)(is_alone ? 0 : sectors * SECTOR * BSIM_ASYNC_PARTS / L2_STORE_BYTES);
}

uint64_t bsim_async_store_issue(struct bsim_async_units *units, const struct bsim_op *op, uint64_t now)
{
    uint64_t begin = later(at_clock(now), units->store_free);
    uint64_t end = begin + op->out;
    units->store_free = later(end, op->l2 > 0 ? l2_time(units, false, op->l2, begin) : 0);
    uint64_t clock = units->store_free / BSIM_ASYNC_PARTS;
    return clock > LANES_AHEAD ? clock - LANES_AHEAD : 0;
}

/* ---- requests beside them ------------------------------------------------------------------- */

/* So many turns of which a share is taken until then: parts. */
static uint64_t longer(uint64_t turns, uint64_t taken, uint64_t of, uint64_t until)
{
    uint64_t whole = turns * of / (of - taken);
    return whole < until ? whole : until + turns - turns * until / whole;
}

/* Parts of units->cycles in which wgmma has the data pipe, so that others keep their least share. */
static uint64_t most_taken(const struct bsim_async_units *units)
{
    return units->cycles - units->cycles / LEAST_SHARE;
}

static uint64_t taken_by_wgmma(const struct bsim_async_units *units)
{
    return sooner(at_clock(units->wavefronts), most_taken(units));
}

/* The registers of a load come back one load behind the other, over a way that wgmma uses as well: in parts, how
 * long from its first turn until that is free. */
static uint64_t wait_for_return(struct bsim_async_units *units, const struct bsim_op *op, uint64_t begin)
{
    uint64_t free = later(units->return_free, begin), takes = at_clock(RETURN_CLOCKS * op->registers) + RETURN_PARTS;
    units->return_free = free + (op->registers > 0 ? takes : 0);
    return op->registers > 0 ? free - begin : 0;
}

/* Until when wgmma has the data pipe, for a request that issues beside it: longer than those take that are known, as
 * streams go on, and no wgmma of a short run is waited for twice:
 *
 *     since        issue          free     until
 *     [== at work ==][== known ==]. . . . .
 */
static uint64_t taken_until(const struct bsim_async_units *units, uint64_t issue)
{
    uint64_t gone_on = issue > units->busy_since ? issue - units->busy_since : 0;
    return units->tensor_free > issue ? units->tensor_free + gone_on * GOES_ON / 100 : 0;
}

uint32_t bsim_async_stretch(struct bsim_async_units *units, const struct bsim_op *op, uint32_t turns,
                            uint64_t now, uint64_t first)
{
    uint64_t issue = at_clock(now), begin = at_clock(first), all = at_clock(turns);
    const struct bsim_async_window *window = &units->window[op->class & 1][op->is_read];
    uint64_t until = taken_until(units, issue);
    if (until > begin && begin >= units->busy_since) {
        uint64_t beside = longer(all, taken_by_wgmma(units), units->cycles, until - begin);
        beside = later(beside, wait_for_return(units, op, begin));
        all = sooner(beside, all + (until - begin) / PLACES);
    }
    if (window->begin <= begin && begin < window->end) {
        uint64_t of = window->end - window->begin;
        all = longer(all, sooner(window->taken, of * MOST_TAKEN / 5), of, window->end - begin);
    }
    uint64_t rounded = (all + BSIM_ASYNC_PARTS - 1) / BSIM_ASYNC_PARTS;
    return (uint32_t)sooner(rounded, UINT16_MAX);
}

/* Whether wgmmas under way leave others but the least share. */
static bool is_starved(const struct bsim_async_units *units, uint64_t now)
{
    return units->tensor_free > at_clock(now) && taken_by_wgmma(units) == most_taken(units);
}

uint64_t bsim_async_wake(const struct bsim_async_units *units, const struct bsim_async_wait *wait, uint64_t now)
{
    uint32_t n = bsim_bits_population(wait->groups);
    bool starves = n > 1 && is_starved(units, now);
    if (wait->tells_work) {
        uint64_t slow = wait->beside / SLOW_BESIDE / BSIM_ASYNC_PARTS + (wait->is_handed ? LOOK_HANDED : 0);
        return later(now + LOOK + slow + (starves ? LOOK_STARVED : 0), wait->phase);
    }
    return later(now + WAKE + (starves ? WAKE_STARVED : 0), wait->phase + WAKE_FIRST + n * WAKE_GROUP);
}

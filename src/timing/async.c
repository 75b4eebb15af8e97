/* async.c - the tensor cores and TMA beside the data pipe.
 *
 *     warps   wgmma 0  wgmma 1   wgmma 2  ...            any number of them wait for the tensor cores
 *     tensor       [== 0 ==][== 1 ==][== 2 ==]           one behind the other, of all warpgroups
 *     pipe         48 of 64, 48 of 64 ...                what wgmma leaves is for requests of lanes
 *
 *     load    issue ...latency... [rows, in order]--> the mbarrier      one behind the other
 *     store   issue .. [sectors, in order] --> read --> written          likewise, beside loads
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

#include "event/async.h"
#include "result/clock.h"

enum {
    WGMMA_LATENCY = 28,   /* from issue to the tensor cores */
    WGMMA_RESULT = 20,    /* from the last to the warp that waits */
    LOAD_LATENCY = 330,   /* from issue to the first row */
    LOAD_COLD = 170,      /* the first load of a block, more */
    STORE_LATENCY = 44,   /* from issue to the first sector read */
    STORE_WRITTEN = 32,   /* from the last read to all written */
    STORE_COLD = 157,
    WAKE = 230,           /* a wait for an mbarrier, to the wgmma behind it */
    LEAST_SHARE = 25,     /* of the data pipe, 1 in so many, for requests beside wgmma */
    SHARED_BYTES = 64,    /* a clock and SM from L2, if all SMs load */
    STORE_BYTES = 33,
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
    double least = !of_loads && !is_alone ? (double)counts.bytes / SHARED_BYTES : 0;
    uint32_t bytes = bsim_tma_rows(copy) * bsim_tma_span(copy);
    return (struct bsim_op){
        .kind = BSIM_OP_BULK,
        .class = (uint8_t)halves(copy->start, copy->start + bytes - 1),
        .is_read = (uint8_t)!of_loads,
        .tail = (uint8_t)copy->way,
        .turns = (uint16_t)bsim_tma_taken_cycles(copy, of_loads, 0),
        .ideal = (uint16_t)bsim_tma_taken_cycles(copy, of_loads, BSIM_TMA_HALF_BYTES),
        .cycles = parts(counts.cycles > least ? counts.cycles : least),
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

uint64_t bsim_async_wgmma_issue(struct bsim_async_units *units, const struct bsim_op *op,
                                uint64_t now)
{
    uint64_t end = later(at_clock(now + WGMMA_LATENCY), units->tensor_free) + op->cycles;
    units->tensor_free = end;
    units->tensor_busy += op->cycles;
    units->wavefronts = op->turns;
    units->cycles = op->cycles;
    units->operand_halves = op->class;
    return end / BSIM_ASYNC_PARTS + WGMMA_RESULT;
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

uint64_t bsim_async_bulk_issue(struct bsim_async_units *units, const struct bsim_op *op,
                               uint64_t now)
{
    bool is_load = op->is_read;
    uint64_t *unit = is_load ? &units->load_free : &units->store_free;
    uint64_t latency = is_load ? LOAD_LATENCY : STORE_LATENCY;
    latency += units->is_warm[op->tail] ? 0 : is_load ? LOAD_COLD : STORE_COLD;
    uint64_t begin = later(at_clock(now + latency), *unit);
    uint64_t end = begin + (is_load ? op->cycles : store_time(units, op, begin));
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

/* ---- requests beside them ------------------------------------------------------------------- */

/* So many turns of which a share is taken until then: parts. */
static uint64_t longer(uint64_t turns, uint64_t taken, uint64_t of, uint64_t until)
{
    uint64_t whole = turns * of / (of - taken);
    return whole < until ? whole : until + turns - turns * until / whole;
}

uint32_t bsim_async_stretch(const struct bsim_async_units *units, const struct bsim_op *op,
                            uint32_t turns, uint64_t now)
{
    uint64_t begin = at_clock(now), all = at_clock(turns);
    const struct bsim_async_window *window = &units->window[op->class & 1][op->is_read];
    if (units->tensor_free > begin) {
        uint64_t used = at_clock(units->wavefronts), of = units->cycles;
        uint64_t most = of - of / LEAST_SHARE;
        all = longer(all, sooner(used, most), of, units->tensor_free - begin);
    }
    if (window->begin <= begin && begin < window->end) {
        uint64_t of = window->end - window->begin;
        all = longer(all, sooner(window->taken, of * MOST_TAKEN / 5), of, window->end - begin);
    }
    uint64_t rounded = (all + BSIM_ASYNC_PARTS - 1) / BSIM_ASYNC_PARTS;
    return (uint32_t)sooner(rounded, UINT16_MAX);
}

uint64_t bsim_async_wake(uint64_t clock)
{
    return clock + WAKE;
}

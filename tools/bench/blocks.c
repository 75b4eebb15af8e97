/* blocks.c - blocks of which none is like another, so that each is played: what the cycles cost. */
#include "bench.h"

#include "sim/sim.h"
#include "timing/timer.h"

#include <stdlib.h>
#include <string.h>

enum { N_BLOCKS = 64, MOST_EVENTS = BENCH_EVENTS * 3 / 2 + BENCH_WARPS, N_SITES = 3 };

enum class { FREE, CONFLICTS, WORK, SMALL, N_CLASSES };

static const char *const class_names[N_CLASSES] = {
    "all differ: conflict-free", "all differ: conflicts", "all differ: work and waits",
    "all differ: small blocks"};

/* Of the sites a request each, then: */
enum { BARRIER = N_SITES, OF_WORK, N_WHATS };

/* What an event has of its own. Made of 352 bytes each, as they are pushed, they would be 17 MB to wait for; readers
 * have theirs in the first cache. */
struct short_event {
    uint32_t warp;
    uint16_t base;
    uint8_t stride, what, work_count;
    int8_t wait;
};

struct blocks {
    struct bsim_kernel kernel;
    struct bsim_site site[N_SITES];
    struct bsim_event like[N_WHATS]; /* the rest of an event */
    uint32_t n_blocks, n_requests;
    uint32_t end[N_BLOCKS * 16]; /* where each block's events end */
    struct short_event *event;
    uint32_t n_events;
};

static bool make_sites(struct blocks *blocks)
{
    static const char *const names[N_SITES] = {"ld.shared.u32", "st.shared.u32",
                                               "atom.shared.add.u32"};
    struct bsim_opcode barrier, work = {.family = BSIM_WORK};
    bool good = bsim_opcode_parse("bar.sync", 8, &barrier, NULL) == BSIM_OK;
    for (uint32_t i = 0; i < N_SITES && good; i++) {
        struct bsim_site *site = &blocks->site[i];
        *site = (struct bsim_site){.number = i + 1, .index = i};
        good = bsim_opcode_parse(names[i], strlen(names[i]), &site->opcode, NULL) == BSIM_OK;
        bsim_event_init(&blocks->like[i], &site->opcode);
        blocks->like[i].site = site;
        blocks->like[i].affine = true;
    }
    bsim_event_init(&blocks->like[BARRIER], &barrier);
    bsim_event_init(&blocks->like[OF_WORK], &work);
    blocks->like[OF_WORK].work_cycles = 6;
    return good;
}

static struct short_event *add(struct blocks *blocks, uint32_t what, uint32_t warp)
{
    struct short_event *event = &blocks->event[blocks->n_events++];
    *event = (struct short_event){.warp = warp, .what = (uint8_t)what, .wait = BSIM_ANY_COUNT};
    return event;
}

static void add_request(struct blocks *blocks, enum class class, uint32_t warp, uint64_t *random)
{
    static const uint8_t strides[] = {4, 4, 8, 12, 16, 32, 64, 128};
    uint32_t n_sites = class == CONFLICTS ? N_SITES : 2, chosen = bench_random(random) % n_sites;
    struct short_event *event = add(blocks, chosen, warp);
    event->base = (uint16_t)(bench_random(random) % 256 * 16);
    event->stride = class == FREE ? 4 : strides[bench_random(random) % 8];
    if (class == CONFLICTS && bench_random(random) % 4 == 0) {
        event->wait = 0;
    }
    blocks->n_requests++;
}

static void add_work(struct blocks *blocks, uint32_t warp, uint64_t *random)
{
    struct short_event *event = add(blocks, OF_WORK, warp);
    event->work_count = (uint8_t)(1 << bench_random(random) % 3);
    event->wait = (int8_t)(bench_random(random) % 2);
}

/* Rows of a request by each warp. */
static void add_block(struct blocks *blocks, enum class class, uint32_t n_rows, uint64_t *random)
{
    for (uint32_t row = 0; row < n_rows; row++) {
        for (uint32_t warp = 0; warp < BENCH_WARPS; warp++) {
            add_request(blocks, class, warp, random);
            if (class == WORK && bench_random(random) % 2 == 0) {
                add_work(blocks, warp, random);
            }
        }
        if (class != WORK && row % 8 == 0) {
            add(blocks, BARRIER, BSIM_ALL_WARPS);
        }
    }
    blocks->end[blocks->n_blocks++] = blocks->n_events;
}

static void make_blocks(struct blocks *blocks, enum class class)
{
    uint64_t random = class;
    uint32_t n_rows = class == SMALL ? 2 : 32, n = class == SMALL ? 16 * N_BLOCKS : N_BLOCKS;
    blocks->n_blocks = blocks->n_events = blocks->n_requests = 0;
    for (uint32_t i = 0; i < n; i++) {
        add_block(blocks, class, n_rows, &random);
    }
    blocks->kernel = (struct bsim_kernel){.name = "blocks",
                                          .grid = {n, 1, 1},
                                          .block = {BENCH_WARPS * BSIM_WARP_LANES, 1, 1},
                                          .shared_bytes = 49152,
                                          .extras = ""};
}

/* The event in full, until the next one. */
static const struct bsim_event *event_of(struct blocks *blocks, const struct short_event *own)
{
    struct bsim_event *event = &blocks->like[own->what];
    event->warp = own->warp;
    event->base = own->base;
    event->stride = own->stride;
    event->wait = own->wait;
    event->work_count = own->work_count;
    return event;
}

static bool push(struct blocks *blocks, const struct bsim_sink *sink)
{
    struct bsim_record record = {.kind = BSIM_RECORD_KERNEL, .u.kernel = &blocks->kernel};
    bool good = sink->push(sink->context, &record, NULL) == BSIM_OK;
    for (uint32_t i = 0; i < N_SITES && good; i++) {
        record = (struct bsim_record){.kind = BSIM_RECORD_SITE, .u.site = &blocks->site[i]};
        good = sink->push(sink->context, &record, NULL) == BSIM_OK;
    }
    for (uint32_t block = 0, event = 0; block < blocks->n_blocks && good; block++) {
        record = (struct bsim_record){.kind = BSIM_RECORD_BLOCK, .u.block = {block, 0, 0}};
        good = sink->push(sink->context, &record, NULL) == BSIM_OK;
        record.kind = BSIM_RECORD_EVENT;
        for (; event < blocks->end[block] && good; event++) {
            record.u.event = event_of(blocks, &blocks->event[event]);
            good = sink->push(sink->context, &record, NULL) == BSIM_OK;
        }
    }
    record.kind = BSIM_RECORD_END;
    return good && sink->push(sink->context, &record, NULL) == BSIM_OK;
}

static double run_timer(void *context)
{
    const struct bsim_timer_options options = {.ideal = true};
    struct blocks *blocks = context;
    struct bsim_timer *timer = bsim_timer_new(&options);
    if (timer == NULL) {
        return 0;
    }
    struct bsim_sink sink = bsim_timer_sink(timer);
    bool is_done = push(blocks, &sink);
    bsim_timer_free(timer);
    return is_done ? blocks->n_requests : 0;
}

static double run_simulator(void *context)
{
    const struct bsim_sim_options options = {0};
    struct blocks *blocks = context;
    struct bsim_sim *sim = bsim_sim_new(&options);
    if (sim == NULL) {
        return 0;
    }
    struct bsim_sink sink = bsim_sim_sink(sim);
    bool is_done = push(blocks, &sink);
    bsim_sim_free(sim);
    return is_done ? blocks->n_requests : 0;
}

void bench_blocks(struct table *table)
{
    static struct blocks blocks;
    const struct contender contenders[] = {{"", run_timer, &blocks},
                                           {"counts alone", run_simulator, &blocks}};
    blocks.event = calloc((size_t)N_BLOCKS * MOST_EVENTS, sizeof *blocks.event);
    if (blocks.event != NULL && make_sites(&blocks)) {
        for (int class = 0; class < N_CLASSES; class ++) {
            make_blocks(&blocks, (enum class) class);
            table_row(table, "cycles", class_names[class], "requests", contenders, 2);
        }
    }
    free(blocks.event);
}

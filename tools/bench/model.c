/* model.c - the model alone: requests in memory, by class. */
#include "bench.h"

#include "model/count.h"
#include "model/fast.h"

#include <string.h>

/* Lists do not fit the first-level cache but the second: requests that come from somewhere are not
 * at hand, nor far. */
enum { N_REQUESTS = 4096, FAST_PASSES = 16, DEALER_PASSES = 4, N_EVENTS = 1024, EVENT_PASSES = 64 };

struct list {
    struct bsim_device device;
    struct bsim_request request[N_REQUESTS];
    struct bsim_event event[N_EVENTS];
    bsim_fast_counter *dealer;
    uint64_t sum; /* so that no count is left out */
};

/* ---- the classes ---------------------------------------------------------------------------- */

typedef void filler(uint64_t *random, uint32_t bytes, uint32_t address[BSIM_WARP_LANES]);

/* Lanes in some order of one row's words, or a row each: no two in one bank. */
static void conflict_free(uint64_t *random, uint32_t bytes, uint32_t address[])
{
    uint32_t flip = bench_random(random) % 32, base = 128 * (bench_random(random) % 256);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        address[lane] = base + bytes * (lane ^ flip);
    }
}

static void broadcast(uint64_t *random, uint32_t bytes, uint32_t address[])
{
    uint32_t base = bytes * (bench_random(random) % 2048);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        address[lane] = base;
    }
}

static void stride(uint64_t *random, uint32_t bytes, uint32_t address[])
{
    uint32_t step = bytes * (1 + bench_random(random) % 33);
    uint32_t base = bytes * (bench_random(random) % 64);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        address[lane] = base + lane * step;
    }
}

static void anywhere(uint64_t *random, uint32_t bytes, uint32_t address[])
{
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        address[lane] = bytes * (bench_random(random) % (49152 / bytes));
    }
}

/* Lanes that differ in bit 0, or in bit 1, share: the pair rule holds. */
static void pairs(uint64_t *random, uint32_t bytes, uint32_t address[])
{
    uint32_t same = 1 + bench_random(random) % 2;
    uint32_t base = bytes * (bench_random(random) % 512);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        address[lane] = base + bytes * (lane & ~same);
    }
}

/* A column of a tile of 8 x 16 bytes per row, padded, swizzled or neither. */
static void tile(uint64_t *random, uint32_t bytes, uint32_t address[])
{
    uint32_t pitch = 128 + 16 * (bench_random(random) % 2);
    uint32_t swizzle = bench_random(random) % 2 * 7;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        address[lane] = lane % 16 * pitch + bytes * ((lane / 16 ^ lane) & swizzle);
    }
}

struct class
{
    const char *name;
    const char *opcodes[4]; /* each as often */
    filler *fill[4];        /* the same */
    bool has_holes;         /* every fourth request has some inactive lanes */
};

static const struct class classes[] = {
    {"conflict-free", {"ld.shared.u32", "st.shared.f32"}, {conflict_free}, false},
    {"broadcast", {"ld.shared.u32"}, {broadcast}, false},
    {"strides", {"ld.shared.u32", "st.shared.f32"}, {stride}, false},
    {"random", {"ld.shared.u32", "st.shared.f32"}, {anywhere}, false},
    {"64-bit", {"ld.shared.v2.f32", "st.shared.f64"}, {conflict_free, anywhere, pairs}, false},
    {"128-bit", {"ld.shared.v4.f32", "st.shared.v4.u32"}, {conflict_free, anywhere, pairs}, false},
    {"atomics",
     {"atom.shared.add.u32", "red.shared.max.s32"},
     {anywhere, stride, broadcast},
     false},
    {"ldmatrix", {"ldmatrix.sync.aligned.m8n8.x4.shared.b16"}, {tile, anywhere}, false},
    {"masks", {"ld.shared.u32", "st.shared.f32"}, {conflict_free, anywhere, stride}, true},
};
enum { N_CLASSES = sizeof classes / sizeof *classes };

static size_t count_of(const void *const *array)
{
    size_t n = 0;
    while (n < 4 && array[n] != NULL) {
        n++;
    }
    return n;
}

static void make_request(const struct class *class, uint64_t *random, struct bsim_request *request)
{
    size_t n_opcodes = count_of((const void *const *)class->opcodes);
    size_t n_fills = 1;
    while (n_fills < 4 && class->fill[n_fills] != NULL) {
        n_fills++;
    }
    const char *name = class->opcodes[bench_random(random) % n_opcodes];
    if (bsim_opcode_parse(name, strlen(name), &request->opcode, NULL) != BSIM_OK) {
        memset(&request->opcode, 0, sizeof request->opcode);
    }
    request->mask = BSIM_FULL_MASK;
    if (class->has_holes) {
        request->mask = bench_random(random) % 2 ? bench_random(random) | 1
                                                 : BSIM_FULL_MASK >> bench_random(random) % 32;
    }
    class->fill[bench_random(random) % n_fills](random, request->opcode.bytes, request->address);
}

/* ---- contenders ----------------------------------------------------------------------------- */

static double run_fast(void *context)
{
    struct list *list = context;
    struct bsim_counts counts;
    for (int pass = 0; pass < FAST_PASSES; pass++) {
        for (int i = 0; i < N_REQUESTS; i++) {
            bsim_request_count(&list->device, &list->request[i], &counts);
            list->sum += counts.wavefronts;
        }
    }
    return (double)FAST_PASSES * N_REQUESTS;
}

static double run_dealer(void *context)
{
    struct list *list = context;
    struct bsim_counts counts;
    for (int i = 0; i < DEALER_PASSES * N_REQUESTS; i++) {
        const struct bsim_request *request = &list->request[i % N_REQUESTS];
        if (list->dealer(&list->device, &request->opcode, request->mask, request->address,
                         &counts)) {
            list->sum += counts.wavefronts;
        }
    }
    return (double)DEALER_PASSES * N_REQUESTS;
}

static double run_plain(void *context)
{
    struct list *list = context;
    struct bsim_schedule schedule;
    struct bsim_counts counts;
    for (int i = 0; i < N_REQUESTS; i++) {
        const struct bsim_request *request = &list->request[i];
        bsim_request_schedule(&list->device, request, &schedule);
        bsim_schedule_count(&list->device, request, &schedule, &counts);
        list->sum += counts.wavefronts;
    }
    return N_REQUESTS;
}

static double run_events(void *context)
{
    struct list *list = context;
    struct bsim_counts counts;
    for (int pass = 0; pass < EVENT_PASSES; pass++) {
        for (int i = 0; i < N_EVENTS; i++) {
            bsim_event_count(&list->device, &list->event[i], &counts);
            list->sum += counts.wavefronts;
        }
    }
    return (double)EVENT_PASSES * N_EVENTS;
}

static void time_list(struct table *table, const char *name, struct list *list)
{
    const struct contender contenders[] = {{"", run_fast, list}, {"plain", run_plain, list}};
    table_row(table, "model", name, "requests", contenders, 2);
}

static void time_dealer(struct table *table, const char *name, bsim_fast_counter *dealer,
                        struct list *list)
{
    const struct contender contenders[] = {{"", run_dealer, list}, {"plain", run_plain, list}};
    list->dealer = dealer;
    table_row(table, "model", name, "requests", contenders, 2);
}

/* Lanes in step, as events and as the requests that the plain way needs. */
static void time_events(struct table *table, const char *name, bool has_holes, struct list *list)
{
    static const struct class in_step = {
        "",
        {"ld.shared.u32", "st.shared.f32", "ld.shared.v2.f32", "red.shared.add.u32"},
        {stride},
        false};
    const struct contender contenders[] = {{"", run_events, list}, {"plain", run_plain, list}};
    uint64_t random = 99;
    for (int i = 0; i < N_REQUESTS; i++) {
        struct bsim_request *request = &list->request[i];
        struct bsim_event *event = &list->event[i % N_EVENTS];
        make_request(&in_step, &random, request);
        request->mask = has_holes ? BSIM_FULL_MASK >> bench_random(&random) % 32 : BSIM_FULL_MASK;
        bsim_event_init(event, &request->opcode);
        event->mask = request->mask;
        event->affine = true;
        event->base = request->address[0];
        event->stride = (int64_t)request->address[1] - request->address[0];
    }
    table_row(table, "model", name, "events", contenders, 2);
}

void bench_model(struct table *table)
{
    static struct list list;
    uint64_t random = 1;
    if (bsim_device_find("sm_90", NULL, &list.device, NULL) != BSIM_OK) {
        table->failed = true;
        return;
    }
    for (int c = 0; c < N_CLASSES; c++) {
        for (int i = 0; i < N_REQUESTS; i++) {
            make_request(&classes[c], &random, &list.request[i]);
        }
        time_list(table, classes[c].name, &list);
    }
    /* Each class as often, in no order: nothing to guess from. */
    for (int i = 0; i < N_REQUESTS; i++) {
        make_request(&classes[bench_random(&random) % N_CLASSES], &random, &list.request[i]);
    }
    time_list(table, "mixed", &list);
#ifdef BSIM_HAS_X86
    if (bsim_fast_has_avx512()) {
        time_dealer(table, "mixed: AVX-512", bsim_fast_count_avx512, &list);
    }
    if (bsim_fast_has_avx2()) {
        time_dealer(table, "mixed: AVX2", bsim_fast_count_avx2, &list);
    }
#endif
    time_dealer(table, "mixed: plain C", bsim_fast_count_portable, &list);
    time_events(table, "lanes in step", false, &list);
    time_events(table, "lanes in step: prefixes", true, &list);
}

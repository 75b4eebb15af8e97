/* work.c - what stands on the model: the simulator and the cycles, emulators, advise. */
#include "bench.h"

#include "sim/sim.h"
#include "timing/timer.h"

enum { SIM_BLOCKS = 64, TIMER_BLOCKS = 4, CHECKS = 200 };

/* ---- streams from memory into the simulator and the timer ----------------------------------- */

static double run_simulator(void *context)
{
    const struct bsim_sim_options options = {0};
    struct bsim_result result;
    struct bsim_sim *sim = bsim_sim_new(&options);
    if (sim == NULL) {
        return 0;
    }
    struct bsim_sink sink = bsim_sim_sink(sim);
    bool is_done = bench_stream_push(context, SIM_BLOCKS, &sink, NULL) == BSIM_OK &&
                   bsim_sim_result(sim, &result, NULL) == BSIM_OK;
    if (is_done) {
        bsim_result_free(&result);
    }
    bsim_sim_free(sim);
    return is_done ? (double)SIM_BLOCKS * BENCH_EVENTS : 0;
}

static double run_timer(void *context)
{
    const struct bsim_timer_options options = {0};
    struct bsim_result cycles;
    struct bsim_timer *timer = bsim_timer_new(&options);
    if (timer == NULL) {
        return 0;
    }
    struct bsim_sink sink = bsim_timer_sink(timer);
    bool is_done = bench_stream_push(context, TIMER_BLOCKS, &sink, NULL) == BSIM_OK &&
                   bsim_timer_result(timer, &cycles, NULL) == BSIM_OK;
    if (is_done) {
        bsim_result_free(&cycles);
    }
    bsim_timer_free(timer);
    return is_done ? (double)TIMER_BLOCKS * BENCH_EVENTS : 0;
}

static void time_streams(struct table *table)
{
    static struct bench_stream stream;
    const struct contender counts[] = {{"", run_simulator, &stream}};
    const struct contender cycles[] = {{"", run_timer, &stream},
                                       {"counts alone", run_simulator, &stream}};
    for (int kind = 0; kind < BENCH_N_KINDS; kind++) {
        bench_stream_make((enum bench_kind)kind, &stream);
        table_row(table, "counts", bench_kind_name((enum bench_kind)kind), "events", counts, 1);
    }
    for (int kind = 0; kind < BENCH_GLOBAL; kind++) {
        bench_stream_make((enum bench_kind)kind, &stream);
        table_row(table, "cycles", bench_kind_name((enum bench_kind)kind), "events", cycles, 2);
    }
}

/* ---- emulators ------------------------------------------------------------------------------ */

struct emulation {
    const char *name;
    struct bsim_sink sink; /* push NULL: nowhere */
    uint64_t n_events;
};

static enum bsim_status count_events(void *context, const struct bsim_record *record,
                                     struct bsim_error *err)
{
    struct emulation *emulation = context;
    emulation->n_events += record->kind == BSIM_RECORD_EVENT;
    return emulation->sink.push == NULL
               ? BSIM_OK
               : emulation->sink.push(emulation->sink.context, record, err);
}

static double emulate(struct emulation *emulation)
{
    const struct bsim_emulator *emulator;
    struct bsim_sink sink = {.push = count_events, .context = emulation};
    emulation->n_events = 0;
    bool is_done = bsim_emulator_find(emulation->name, &emulator, NULL) == BSIM_OK &&
                   bsim_emulator_run(emulator, NULL, 0, &sink, NULL) == BSIM_OK;
    return is_done ? (double)emulation->n_events : 0;
}

static double run_emulator(void *context)
{
    struct emulation emulation = {.name = context};
    return emulate(&emulation);
}

static double run_emulator_counted(void *context)
{
    const struct bsim_sim_options options = {0};
    struct emulation emulation = {.name = context};
    struct bsim_sim *sim = bsim_sim_new(&options);
    if (sim == NULL) {
        return 0;
    }
    emulation.sink = bsim_sim_sink(sim);
    double n_events = emulate(&emulation);
    bsim_sim_free(sim);
    return n_events;
}

static void time_emulators(struct table *table)
{
    static char names[][32] = {"square_set_row_read_col", "transpose_shared",
                               "reduce_shared_mem_unroll8", "copy_row"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct contender contenders[] = {{"", run_emulator_counted, names[i]},
                                               {"without counts", run_emulator, names[i]}};
        table_row(table, "emulate", names[i], "events", contenders, 2);
    }
}

/* ---- advise --------------------------------------------------------------------------------- */

struct question {
    const char *name;
    const char *statements[8][2];
};

static const struct question questions[] = {
    {"transpose",
     {{"block", "32,32"},
      {"shared", "float tile[32][32]"},
      {"store", "tile[threadIdx.y][threadIdx.x]"},
      {"load", "tile[threadIdx.x][threadIdx.y]"}}},
    {"ldmatrix",
     {{"block", "128"},
      {"shared", "half tile[128][64]"},
      {"for", "k = 0:8"},
      {"store", "*(float4 *)&tile[k * 16 + threadIdx.x / 8][threadIdx.x % 8 * 8]"},
      {"ldmatrix", "x4 &tile[warp * 16 + lane % 16][k % 4 * 16 + lane / 16 * 8]"}}},
};

static bool state(const struct question *question, struct bsim_check *check)
{
    for (size_t i = 0; i < 8 && question->statements[i][0] != NULL; i++) {
        if (bsim_check_add(check, question->statements[i][0], question->statements[i][1], "bench",
                           NULL) != BSIM_OK) {
            return false;
        }
    }
    return bsim_check_seal(check, NULL) == BSIM_OK;
}

static double run_advise(void *context)
{
    struct bsim_device device;
    struct bsim_advice *advice;
    struct bsim_check *check = bsim_check_new();
    double n_tried = 0;
    if (check != NULL && state(context, check) &&
        bsim_device_find("sm_90", NULL, &device, NULL) == BSIM_OK &&
        bsim_advise(check, &device, NULL, &advice, NULL) == BSIM_OK) {
        n_tried = (double)advice->n_tried;
        bsim_advice_free(advice);
    }
    bsim_check_free(check);
    return n_tried;
}

/* What it takes to look at one layout without a search: its accesses, simulated. */
static double run_check(void *context)
{
    const struct bsim_sim_options options = {0};
    struct bsim_check *check = bsim_check_new();
    struct bsim_sim *sim = bsim_sim_new(&options);
    bool is_done = check != NULL && sim != NULL && state(context, check);
    for (int i = 0; i < CHECKS && is_done; i++) {
        bsim_sim_free(sim);
        sim = bsim_sim_new(&options);
        struct bsim_sink sink = sim != NULL ? bsim_sim_sink(sim) : (struct bsim_sink){0};
        is_done = sim != NULL && bsim_check_push(check, "sm_90", &sink, NULL) == BSIM_OK;
    }
    bsim_sim_free(sim);
    bsim_check_free(check);
    return is_done ? CHECKS : 0;
}

static void time_advise(struct table *table)
{
    static struct question asked[sizeof questions / sizeof *questions];
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        asked[i] = questions[i];
        const struct contender contenders[] = {{"", run_advise, &asked[i]},
                                               {"simulated", run_check, &asked[i]}};
        table_row(table, "advise", questions[i].name, "layouts", contenders, 2);
    }
}

void bench_work(struct table *table)
{
    time_streams(table);
    time_emulators(table);
    time_advise(table);
}

/* checks_twins.c - a kernel's counts on the GPU against its emulator's in the simulator.
 *
 * The emulator runs with the row's settings. What it leaves in its arrays must be what the kernel
 * left, and so must the sums of its requests. Which counter counts the kernel's accesses alone
 * depends on the launch: l1tex__data_* also counts arbitration between blocks, so with several
 * blocks the instructions' own counters (sm__sass_*) stand for it. Of instructions those with a
 * lane that executes them are counted (_pred_on_any): the compiler turns a short condition into a
 * predicate, under which an instruction is issued for nobody.
 */
#include "checks.h"
#include "emulated.h"

#include <banksim/result.h>

#include "sim/sim.h"

#include <string.h>

/* An emulator's run: its arrays' hash and its counts. */
struct run {
    struct emulated_run parsed;
    uint64_t hash;
    struct bsim_result result;
};

static enum bsim_status take_hash(void *context, const struct bsim_launch *launch,
                                  struct bsim_error *err)
{
    struct run *run = context;
    (void)err;
    run->hash = emulated_hash_arrays(launch);
    return BSIM_OK;
}

static enum bsim_status simulate(const struct bsim_device *device, const char *words,
                                 struct run *run, struct bsim_error *err)
{
    struct bsim_sim_options options = {.device = device};
    struct emulated_watch watch = {.context = run, .after = take_hash};
    enum bsim_status status = emulated_parse(words, &run->parsed, err);
    struct bsim_sim *sim = status == BSIM_OK ? bsim_sim_new(&options) : NULL;
    if (status == BSIM_OK && sim == NULL) {
        status = BSIM_E_MEMORY;
    }
    if (status == BSIM_OK) {
        struct bsim_sink sink = bsim_sim_sink(sim);
        status = emulated_go(&run->parsed, &watch, &sink, err);
    }
    if (status == BSIM_OK) {
        status = bsim_sim_result(sim, &run->result, err);
    }
    bsim_sim_free(sim);
    return status;
}

/* ---- the columns ----------------------------------------------------------------------------- */

#define REQUESTS(OP) "smsp__inst_executed_op_shared_" OP "_pred_on_any.sum"
#define WAVEFRONTS(OP) "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" OP ".sum"
#define BY_INSTRUCTION(OP) "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_" OP ".sum"
#define CONFLICTS(OP) "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" OP ".sum"
#define GLOBAL(WHAT, OP) "l1tex__t_" WHAT "_pipe_lsu_mem_global_op_" OP ".sum"
#define SHARED_COLUMNS(OP) REQUESTS(OP), WAVEFRONTS(OP), BY_INSTRUCTION(OP), CONFLICTS(OP)

/* Global columns: two of them are added; an atomic is counted as atom or as red. */
static const struct {
    const char *requests, *wavefronts, *by_instruction, *conflicts;
    const char *global_requests[2], *global_sectors[2];
} columns[BSIM_N_CLASSES] = {
    {SHARED_COLUMNS("ld"), {GLOBAL("requests", "ld"), NULL}, {GLOBAL("sectors", "ld"), NULL}},
    {SHARED_COLUMNS("st"), {GLOBAL("requests", "st"), NULL}, {GLOBAL("sectors", "st"), NULL}},
    {SHARED_COLUMNS("atom"),
     {GLOBAL("requests", "atom"), GLOBAL("requests", "red")},
     {GLOBAL("sectors", "atom"), GLOBAL("sectors", "red")}},
};

static void compare_sum(const struct checks *checks, const struct table *table, const char *what,
                        double simulated, double counted)
{
    if (simulated < counted || simulated > counted) {
        char left[CHECKS_NUMBER_SIZE], right[CHECKS_NUMBER_SIZE];
        snprintf(left, sizeof left, "%.0f", simulated);
        snprintf(right, sizeof right, "%.0f", counted);
        checks_report(checks, table, what, left, right);
    }
}

static void compare_global(const struct checks *checks, const struct table *table,
                           const char *const column[2], uint64_t simulated)
{
    double counted, more = 0;
    if (column[1] == NULL) {
        checks_equal(checks, table, column[0], (double)simulated);
    } else if (!table_number(table, column[0], &counted) ||
               !table_number(table, column[1], &more)) {
        checks_report(checks, table, column[0], "a number", table_field(table, column[0]));
    } else {
        compare_sum(checks, table, column[0], (double)simulated, counted + more);
    }
}

/* The last steps of a reduction are for few threads: the compiler makes them predicated loads and
 * stores, which most warps issue for nobody. How many instructions were issued the hardware counts
 * exactly, but how many of them for somebody (..._pred_on_any) not when blocks share an SM: of
 * 229,376 loads for nobody in a launch of 8,192 blocks some 2,700 were taken for loads of somebody,
 * not the same number twice, while instructions counted by themselves
 * (smsp__sass_inst_executed_op_shared_ld) were the 139,264 simulated. So there the source view's
 * ideal stands for them, which is counted by instruction too: one for each that somebody executes,
 * as none is wider than 4 bytes (compare_view). */
static bool is_predicated(const struct bsim_kernel_result *kernel)
{
    return kernel->blocks > 1 && strncmp(kernel->name, "reduce_shared_", 14) == 0;
}

static void compare_class(const struct checks *checks, const struct table *table,
                          const struct bsim_kernel_result *kernel, enum bsim_class class)
{
    const struct bsim_tally *tally = &kernel->tally[class];
    if (!is_predicated(kernel)) {
        checks_equal(checks, table, columns[class].requests, (double)tally->requests);
    }
    checks_equal(checks, table, columns[class].by_instruction, (double)tally->wavefronts);
    if (kernel->blocks == 1) {
        checks_equal(checks, table, columns[class].wavefronts, (double)tally->wavefronts);
        checks_equal(checks, table, columns[class].conflicts, (double)tally->conflicts);
    }
    compare_global(checks, table, columns[class].global_requests, kernel->global[class].requests);
    compare_global(checks, table, columns[class].global_sectors, kernel->global[class].sectors);
}

static uint64_t sum_wavefronts(const struct bsim_kernel_result *kernel, uint64_t *ideal)
{
    uint64_t sum = 0;
    *ideal = 0;
    for (int class = 0; class < BSIM_N_CLASSES; class ++) {
        sum += kernel->tally[class].wavefronts;
        *ideal += kernel->tally[class].ideal;
    }
    return sum;
}

/* The source view's sums over all instructions on shared memory. */
static void compare_view(const struct checks *checks, const struct table *table,
                         const struct bsim_kernel_result *kernel)
{
    uint64_t ideal, wavefronts = sum_wavefronts(kernel, &ideal);
    checks_equal(checks, table, "memory_l1_wavefronts_shared", (double)wavefronts);
    checks_equal(checks, table, "memory_l1_wavefronts_shared_ideal", (double)ideal);
}

/* Every LDC asks the constant cache once, the kernel's reading of its arguments too; only an
 * indexed load of several words asks more often. */
static void compare_constant(const struct checks *checks, const struct table *table,
                             const struct bsim_kernel_result *kernel)
{
    double asked, loads;
    if (!table_number(table, "idc__requests.sum", &asked) ||
        !table_number(table, "smsp__inst_executed_op_ldc.sum", &loads)) {
        checks_report(checks, table, "idc__requests.sum", "a number", "");
        return;
    }
    compare_sum(checks, table, "idc__requests.sum less smsp__inst_executed_op_ldc.sum",
                (double)(kernel->constant_passes - kernel->constant_requests), asked - loads);
}

static void compare_hash(const struct checks *checks, const struct table *table, uint64_t hash)
{
    char text[CHECKS_NUMBER_SIZE];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    if (strcmp(text, table_field(table, "output")) != 0) {
        checks_report(checks, table, "output", text, table_field(table, "output"));
    }
}

static void compare_run(const struct checks *checks, const struct table *table,
                        const struct run *run)
{
    const struct bsim_kernel_result *kernel = &run->result.kernels[0];
    compare_hash(checks, table, run->hash);
    checks_equal(checks, table, "blocks", (double)kernel->blocks);
    for (int class = 0; class < BSIM_N_CLASSES; class ++) {
        compare_class(checks, table, kernel, (enum bsim_class) class);
    }
    compare_view(checks, table, kernel);
    compare_constant(checks, table, kernel);
}

bool checks_twin(const struct checks *checks, const struct table *table)
{
    char words[EMULATED_LINE_SIZE];
    struct run run = {.hash = 0};
    struct bsim_error err = {.status = BSIM_OK};
    int length = snprintf(words, sizeof words, "%s %s", table_field(table, "kernel"),
                          table_field(table, "settings"));
    if (table->n_fields != table->n_columns || length < 0 || (size_t)length >= sizeof words) {
        return false;
    }
    if (simulate(checks->device, words, &run, &err) != BSIM_OK || run.result.n_kernels != 1) {
        checks_report(checks, table, "the emulator's run", err.message, "");
    } else {
        compare_run(checks, table, &run);
    }
    bsim_result_free(&run.result);
    return true;
}

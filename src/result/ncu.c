/* ncu.c - a kernel's numbers under the names of Nsight Compute's counters.
 *
 * They are those for compute capability 7.0 and later. ldmatrix is executed by the load path and
 * stmatrix by the store path; their instructions have a counter of their own. What each counter
 * counts beside the kernel's requests was seen on an H200 (tests/measured/h200/crosscheck):
 *
 * - l1tex__data_*: also arbitration in the SM, most with many blocks, but one block of many warps
 *   can show it; and the sum over all kinds of access has op_misc in it, at least 1 for each
 *   launch.
 * - smsp__inst_executed_*: also instructions whose lanes are all predicated off; not so
 *   ..._pred_on_any, but with many blocks that takes some of them for executed all the same. What
 *   is counted by instruction, smsp__sass_*, is exact.
 * - idc__requests: also the kernel's reading of its own arguments, one for each LDC. What it counts
 *   more than there are LDC is what diverging addresses cost. Constants that are operands, or are
 *   read by ULDC, are not counted.
 *
 * - wgmma is counted by warps, four each, its wavefronts under op_gmma and in the sum over all kinds; copies
 *   by TMA have no wavefront there, one instruction each and the sectors that they move. On an H200
 *   (tests/measured/h200/async/ncu_wgmma.csv) none of these is off by arbitration.
 *
 * cp.async has counters of its own there (..._op_ldgsts), while banksim counts it with the stores:
 * here it is taken out of them. Only its wavefronts have none but by instruction.
 */
#include "result/result.h"

#include <banksim/result.h>

#define INST "smsp__inst_executed_op_"
#define INST_BY_INSTRUCTION "smsp__sass_inst_executed_op_shared_"
#define WAVEFRONTS "l1tex__data_pipe_lsu_wavefronts_mem_shared"
#define CONFLICTS "l1tex__data_bank_conflicts_pipe_lsu_mem_shared"
#define GLOBAL "_pipe_lsu_mem_global_op_"
#define LOCAL "_pipe_lsu_mem_local_op_"
#define BY_INSTRUCTION "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_"
#define CONSTANT "idc__requests.sum"
#define CONSTANT_LOADS "smsp__inst_executed_op_ldc.sum"

/* What the counters of a kind count on top of a kernel's requests. */
static const char arbitration[] = "it also counts arbitration in the SM";
static const char predicated[] = "it also counts instructions whose lanes are all predicated off";

struct list {
    size_t n;
    struct bsim_ncu_metric *metric;
};

static struct bsim_ncu_metric *add(struct list *list, const char *name, uint64_t value,
                                   bool is_listed)
{
    struct bsim_ncu_metric *metric = &list->metric[list->n++];
    *metric = (struct bsim_ncu_metric){.name = name, .value = value, .is_listed = is_listed};
    return metric;
}

/* One that may be more on the profiler's side, unlike `exact`. */
static struct bsim_ncu_metric *add_inexact(struct list *list, const char *name, uint64_t value,
                                           bool is_listed, const char *also, const char *exact)
{
    struct bsim_ncu_metric *metric = add(list, name, value, is_listed);
    metric->also = also;
    metric->exact = exact;
    return metric;
}

/* Shared-memory requests of the kernel's sites of one family. */
static uint64_t requests_of(const struct bsim_kernel_result *kernel, enum bsim_family family)
{
    uint64_t n = 0;
    for (size_t i = 0; i < kernel->n_sites; i++) {
        n += kernel->sites[i].opcode.family == family ? kernel->sites[i].tally.requests : 0;
    }
    return n;
}

/* What the kernel's asynchronous copies take, which banksim counts with the stores. */
static struct bsim_tally copies_of(const struct bsim_kernel_result *kernel)
{
    struct bsim_tally copies = {0};
    for (size_t i = 0; i < kernel->n_sites; i++) {
        if (kernel->sites[i].opcode.family == BSIM_CP_ASYNC) {
            bsim_tally_add(&copies, &kernel->sites[i].tally);
        }
    }
    return copies;
}

static const char *matrix_note(const struct bsim_kernel_result *kernel)
{
    return requests_of(kernel, BSIM_LDMATRIX) + requests_of(kernel, BSIM_STMATRIX) > 0
               ? "where it counts ldmatrix and stmatrix is not known"
               : NULL;
}

static void list_instructions(const struct bsim_kernel_result *kernel,
                              const struct bsim_tally *copies, struct list *list)
{
    uint64_t ldmatrix = requests_of(kernel, BSIM_LDMATRIX);
    uint64_t stmatrix = requests_of(kernel, BSIM_STMATRIX);
    uint64_t loads = kernel->tally[BSIM_LOADS].requests - ldmatrix;
    uint64_t stores = kernel->tally[BSIM_STORES].requests - stmatrix - copies->requests;
    uint64_t atomics = kernel->tally[BSIM_ATOMICS].requests;
    static const char ld[] = INST_BY_INSTRUCTION "ld.sum", st[] = INST_BY_INSTRUCTION "st.sum";
    static const char atom[] = INST_BY_INSTRUCTION "atom.sum";
    add_inexact(list, INST "shared_ld.sum", loads, true, predicated, ld);
    add_inexact(list, INST "shared_st.sum", stores, true, predicated, st);
    add_inexact(list, INST "shared_atom.sum", atomics, true, predicated, atom);
    add(list, INST "ldsm.sum", ldmatrix, true);
    add(list, INST "shared_stsm.sum", stmatrix, true);
    add(list, INST "ldgsts.sum", copies->requests, true);
    add_inexact(list, INST "shared_ld_pred_on_any.sum", loads, false, predicated, ld);
    add_inexact(list, INST "shared_st_pred_on_any.sum", stores, false, predicated, st);
    add_inexact(list, INST "shared_atom_pred_on_any.sum", atomics, false, predicated, atom);
    add(list, ld, loads, false)->apart = matrix_note(kernel);
    add(list, st, stores, false)->apart = matrix_note(kernel);
    add(list, atom, atomics, false);
}

static struct bsim_ncu_metric *add_arbitrated(struct list *list, const char *name, uint64_t value,
                                              const char *exact)
{
    return add_inexact(list, name, value, true, arbitration, exact);
}

/* The last four count the same wavefronts by instruction. Arbitration makes as many conflicts as
 * wavefronts, so they tell of both. */
static void list_wavefronts(const struct bsim_kernel_result *kernel,
                            const struct bsim_tally *copies, struct list *list)
{
    static const char ld[] = BY_INSTRUCTION "ld.sum", st[] = BY_INSTRUCTION "st.sum";
    static const char atom[] = BY_INSTRUCTION "atom.sum", copy[] = BY_INSTRUCTION "ldgsts.sum";
    static const char misc[] = "it also counts op_misc, at least 1 for each launch";
    const char *async = copies->requests > 0 ? "whether it counts cp.async is not known" : NULL;
    const struct bsim_tally *loads = &kernel->tally[BSIM_LOADS];
    const struct bsim_tally *atomics = &kernel->tally[BSIM_ATOMICS];
    struct bsim_tally stores = kernel->tally[BSIM_STORES];
    uint64_t all = bsim_kernel_total(kernel).wavefronts + bsim_kernel_async(kernel).wavefronts;
    stores.wavefronts -= copies->wavefronts;
    stores.conflicts -= copies->conflicts;
    add_arbitrated(list, WAVEFRONTS ".sum", all, NULL)->apart = misc;
    add_arbitrated(list, WAVEFRONTS "_op_ld.sum", loads->wavefronts, ld);
    add_arbitrated(list, WAVEFRONTS "_op_st.sum", stores.wavefronts, st)->apart = async;
    add_arbitrated(list, WAVEFRONTS "_op_atom.sum", atomics->wavefronts, atom);
    add_arbitrated(list, CONFLICTS ".sum", bsim_kernel_total(kernel).conflicts, NULL)->apart = async;
    add_arbitrated(list, CONFLICTS "_op_ld.sum", loads->conflicts, ld);
    add_arbitrated(list, CONFLICTS "_op_st.sum", stores.conflicts, st);
    add_arbitrated(list, CONFLICTS "_op_atom.sum", atomics->conflicts, atom);
    add_arbitrated(list, CONFLICTS "_op_ldgsts.sum", copies->conflicts, copy);
    add(list, ld, loads->wavefronts, false)->apart = matrix_note(kernel);
    add(list, st, stores.wavefronts, false)->apart = matrix_note(kernel);
    add(list, atom, atomics->wavefronts, false);
    add(list, copy, copies->wavefronts, false);
}

/* Listed where it is not 0: most kernels have nothing of it. */
static void add_if_any(struct list *list, const char *name, uint64_t value)
{
    add(list, name, value, value > 0);
}

static void list_wgmma(const struct bsim_kernel_result *kernel, struct list *list)
{
    struct bsim_async_tally async = bsim_kernel_async(kernel);
    add_if_any(list, INST_BY_INSTRUCTION "gmma.sum", BSIM_WGMMA_WARPS * async.wgmmas);
    add_if_any(list, WAVEFRONTS "_op_gmma.sum", async.wavefronts);
    add(list, CONFLICTS "_op_gmma.sum", 0, async.wgmmas > 0);
    add(list, BY_INSTRUCTION "gmma.sum", async.wavefronts, false);
}

/* Copies of a box. Of those of bytes in a row it was not looked at what counts them. */
static void list_tma(const struct bsim_kernel_result *kernel, struct list *list)
{
    struct bsim_async_tally all = bsim_kernel_async(kernel);
    static const char *const in_a_row = "whether it counts copies without a tensor map is not known";
    const char *apart = NULL;
    uint64_t loaded = 0, stored = 0;
    for (size_t i = 0; i < kernel->n_sites; i++) {
        const struct bsim_site_result *site = &kernel->sites[i];
        if (site->opcode.family == BSIM_BULK) {
            loaded += site->opcode.operation == BSIM_TO_SHARED ? site->global.sectors : 0;
            stored += site->opcode.operation == BSIM_TO_GLOBAL ? site->global.sectors : 0;
            apart = site->opcode.count == 0 ? in_a_row : apart;
        }
    }
    size_t first = list->n;
    add_if_any(list, "sm__sass_inst_executed_op_tma_ld.sum", all.loads);
    add_if_any(list, "sm__sass_inst_executed_op_tma_st.sum", all.stores);
    add_if_any(list, "sm__sass_inst_executed_op_tma_red.sum", all.reduces);
    add_if_any(list, "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum", loaded);
    add_if_any(list, "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st.sum", stored);
    for (size_t i = first; i < list->n; i++) {
        list->metric[i].apart = apart;
    }
}

static void list_peers(const struct bsim_kernel_result *kernel, struct list *list)
{
    uint64_t packets = bsim_kernel_packets(kernel);
    struct bsim_ncu_metric *metric = add(
        list, "l1tex__m_l1tex2xbar_req_cycles_active_mem_dshared.sum", packets, packets > 0);
    if (bsim_kernel_space(kernel, BSIM_PEER, BSIM_ATOMICS).requests > 0) {
        metric->apart = "packets of atomics on another block's shared memory are the least";
    }
}

static void list_other_spaces(const struct bsim_kernel_result *kernel, struct list *list)
{
    static const char arguments[] = "it also counts the kernel's reading of its own arguments";
    const struct bsim_global_tally *load = &kernel->global[BSIM_LOADS];
    const struct bsim_global_tally *store = &kernel->global[BSIM_STORES];
    add(list, "l1tex__t_requests" GLOBAL "ld.sum", load->requests, true);
    add(list, "l1tex__t_sectors" GLOBAL "ld.sum", load->sectors, true);
    add(list, "l1tex__t_requests" GLOBAL "st.sum", store->requests, true);
    add(list, "l1tex__t_sectors" GLOBAL "st.sum", store->sectors, true);
    add_if_any(list, "l1tex__t_sectors" LOCAL "ld.sum",
               bsim_kernel_space(kernel, BSIM_LOCAL, BSIM_LOADS).sectors);
    add_if_any(list, "l1tex__t_sectors" LOCAL "st.sum",
               bsim_kernel_space(kernel, BSIM_LOCAL, BSIM_STORES).sectors);
    add_if_any(list, "l1tex__t_sectors_pipe_tex_mem_texture.sum",
               bsim_kernel_space(kernel, BSIM_TEXTURE, BSIM_LOADS).sectors);
    list_peers(kernel, list);
    add(list, CONSTANT, kernel->constant_passes, true)->apart = arguments;
    add(list, CONSTANT_LOADS, kernel->constant_requests, false)->apart = arguments;
    struct bsim_ncu_metric *more = add(list, CONSTANT " - " CONSTANT_LOADS,
                                       kernel->constant_passes - kernel->constant_requests, false);
    more->minus[0] = CONSTANT;
    more->minus[1] = CONSTANT_LOADS;
}

/* The profiler counts a loop's loads with the loads, and each round anew. */
static void set_loops_apart(struct list *list)
{
    static const char loops[] =
        "atomics that are loops count with each round there, their loads as loads";
    for (size_t i = 0; i < list->n; i++) {
        const char *name = list->metric[i].name;
        bool is_other = strstr(name, "_st") != NULL || strstr(name, "ldgsts") != NULL ||
                        strstr(name, "ldsm") != NULL;
        if (!is_other && list->metric[i].apart == NULL) {
            list->metric[i].apart = loops;
        }
    }
}

size_t bsim_ncu_metrics(const struct bsim_kernel_result *kernel,
                        struct bsim_ncu_metric metric[BSIM_NCU_MAX_METRICS])
{
    static const struct bsim_kernel_result no_kernel = {.name = NULL};
    struct list list = {0, metric};
    kernel = kernel != NULL ? kernel : &no_kernel;
    struct bsim_tally copies = copies_of(kernel);
    list_instructions(kernel, &copies, &list);
    list_wavefronts(kernel, &copies, &list);
    list_wgmma(kernel, &list);
    if (bsim_rules_are_least(kernel->rules)) {
        set_loops_apart(&list);
    }
    for (size_t i = 0; i < list.n; i++) {
        metric[i].is_shared = true;
    }
    list_other_spaces(kernel, &list);
    list_tma(kernel, &list);
    return list.n;
}

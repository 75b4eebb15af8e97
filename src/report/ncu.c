/* ncu.c - a kernel's numbers under the names of Nsight Compute's counters.
 *
 * They are those for compute capability 7.0 and later. ldmatrix is executed by the load path and
 * stmatrix by the store path; their instructions have a counter of their own. What each counter
 * counts beside the kernel's requests was seen on an H200 (tests/measured/h200/crosscheck):
 *
 * - l1tex__data_*: with many blocks also arbitration between them; and the sum over all kinds of
 *   access has op_misc in it, at least 1 for each launch.
 * - smsp__inst_executed_*: also instructions whose lanes are all predicated off; not so
 *   ..._pred_on_any, but with many blocks that takes some of them for executed all the same. What is
 *   counted by instruction, smsp__sass_*, is exact.
 * - idc__requests: also the kernel's reading of its own arguments, one for each LDC. What it counts
 *   more than there are LDC is what diverging addresses cost. Constants that are operands, or are
 *   read by ULDC, are not counted.
 *
 * cp.async has counters of its own there (..._op_ldgsts), while banksim counts it with the stores:
 * here it is taken out of them. Only its wavefronts have none but by instruction.
 */
#include <banksim/report.h>

#define INST "smsp__inst_executed_op_"
#define INST_BY_INSTRUCTION "smsp__sass_inst_executed_op_shared_"
#define WAVEFRONTS "l1tex__data_pipe_lsu_wavefronts_mem_shared"
#define CONFLICTS "l1tex__data_bank_conflicts_pipe_lsu_mem_shared"
#define GLOBAL "_pipe_lsu_mem_global_op_"
#define BY_INSTRUCTION "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_"
#define CONSTANT "idc__requests.sum"
#define CONSTANT_LOADS "smsp__inst_executed_op_ldc.sum"

enum { LISTED = 1, ARBITRATED = 2 };

struct list {
    size_t n;
    struct bsim_ncu_metric *metric;
};

static struct bsim_ncu_metric *add(struct list *list, const char *name, uint64_t value,
                                   unsigned flags)
{
    struct bsim_ncu_metric *metric = &list->metric[list->n++];
    *metric = (struct bsim_ncu_metric){.name = name,
                                       .value = value,
                                       .is_listed = (flags & LISTED) != 0,
                                       .is_arbitrated = (flags & ARBITRATED) != 0};
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
    add(list, INST "shared_ld.sum", loads, LISTED);
    add(list, INST "shared_st.sum", stores, LISTED);
    add(list, INST "shared_atom.sum", atomics, LISTED);
    add(list, INST "ldsm.sum", ldmatrix, LISTED);
    add(list, INST "shared_stsm.sum", stmatrix, LISTED);
    add(list, INST "ldgsts.sum", copies->requests, LISTED);
    add(list, INST "shared_ld_pred_on_any.sum", loads, 0);
    add(list, INST "shared_st_pred_on_any.sum", stores, 0);
    add(list, INST "shared_atom_pred_on_any.sum", atomics, 0);
    add(list, INST_BY_INSTRUCTION "ld.sum", loads, 0)->apart = matrix_note(kernel);
    add(list, INST_BY_INSTRUCTION "st.sum", stores, 0)->apart = matrix_note(kernel);
    add(list, INST_BY_INSTRUCTION "atom.sum", atomics, 0);
}

static void list_wavefronts(const struct bsim_kernel_result *kernel,
                            const struct bsim_tally *copies, struct list *list)
{
    static const char misc[] = "it also counts op_misc, at least 1 for each launch";
    const char *async = copies->requests > 0 ? "whether it counts cp.async is not known" : NULL;
    const struct bsim_tally *tally = kernel->tally;
    struct bsim_tally total = bsim_kernel_total(kernel);
    add(list, WAVEFRONTS ".sum", total.wavefronts, LISTED | ARBITRATED)->apart = misc;
    add(list, WAVEFRONTS "_op_ld.sum", tally[BSIM_LOADS].wavefronts, LISTED | ARBITRATED);
    add(list, WAVEFRONTS "_op_st.sum", tally[BSIM_STORES].wavefronts - copies->wavefronts,
        LISTED | ARBITRATED)
        ->apart = async;
    add(list, WAVEFRONTS "_op_atom.sum", tally[BSIM_ATOMICS].wavefronts, LISTED | ARBITRATED);
    add(list, CONFLICTS ".sum", total.conflicts, LISTED | ARBITRATED)->apart = async;
    add(list, CONFLICTS "_op_ld.sum", tally[BSIM_LOADS].conflicts, LISTED | ARBITRATED);
    add(list, CONFLICTS "_op_st.sum", tally[BSIM_STORES].conflicts - copies->conflicts,
        LISTED | ARBITRATED);
    add(list, CONFLICTS "_op_atom.sum", tally[BSIM_ATOMICS].conflicts, LISTED | ARBITRATED);
    add(list, CONFLICTS "_op_ldgsts.sum", copies->conflicts, LISTED | ARBITRATED);
}

/* The same wavefronts, counted by instruction. */
static void list_by_instruction(const struct bsim_kernel_result *kernel,
                                const struct bsim_tally *copies, struct list *list)
{
    const struct bsim_tally *tally = kernel->tally;
    add(list, BY_INSTRUCTION "ld.sum", tally[BSIM_LOADS].wavefronts, 0)->apart =
        matrix_note(kernel);
    add(list, BY_INSTRUCTION "st.sum", tally[BSIM_STORES].wavefronts - copies->wavefronts, 0)
        ->apart = matrix_note(kernel);
    add(list, BY_INSTRUCTION "atom.sum", tally[BSIM_ATOMICS].wavefronts, 0);
    add(list, BY_INSTRUCTION "ldgsts.sum", copies->wavefronts, 0);
}

static void list_other_spaces(const struct bsim_kernel_result *kernel, struct list *list)
{
    static const char arguments[] = "it also counts the kernel's reading of its own arguments";
    const struct bsim_global_tally *load = &kernel->global[BSIM_LOADS];
    const struct bsim_global_tally *store = &kernel->global[BSIM_STORES];
    add(list, "l1tex__t_requests" GLOBAL "ld.sum", load->requests, LISTED);
    add(list, "l1tex__t_sectors" GLOBAL "ld.sum", load->sectors, LISTED);
    add(list, "l1tex__t_requests" GLOBAL "st.sum", store->requests, LISTED);
    add(list, "l1tex__t_sectors" GLOBAL "st.sum", store->sectors, LISTED);
    add(list, CONSTANT, kernel->constant_passes, LISTED)->apart = arguments;
    add(list, CONSTANT_LOADS, kernel->constant_requests, 0)->apart = arguments;
    struct bsim_ncu_metric *more = add(list, CONSTANT " - " CONSTANT_LOADS,
                                       kernel->constant_passes - kernel->constant_requests, 0);
    more->minus[0] = CONSTANT;
    more->minus[1] = CONSTANT_LOADS;
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
    list_by_instruction(kernel, &copies, &list);
    list_other_spaces(kernel, &list);
    return list.n;
}

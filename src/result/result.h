/* result.h - building results; see result.c. */
#ifndef BSIM_RESULT_RESULT_H
#define BSIM_RESULT_RESULT_H

#include <banksim/result.h>

/* A new empty kernel result at the end of result, or NULL when memory is short. The pointer is
 * valid until the next call. */
struct bsim_kernel_result *bsim_result_add_kernel(struct bsim_result *result,
                                                  const struct bsim_kernel *kernel,
                                                  const struct bsim_device *device);

/* A new empty site result at the end of kernel's, in no particular order, or NULL. file and text
 * are copied and may be NULL. */
struct bsim_site_result *bsim_kernel_add_site(struct bsim_kernel_result *kernel, uint32_t number,
                                              const struct bsim_opcode *opcode, const char *file,
                                              uint32_t line, const char *text);

/* Frees what a kernel holds, or its sites alone, and empties it. */
void bsim_kernel_free(struct bsim_kernel_result *kernel);
void bsim_kernel_drop_sites(struct bsim_kernel_result *kernel);

/* The order of sites in a result: by number, then those without one by the spelling of the
 * opcode. */
int bsim_site_order(const struct bsim_site_result *a, const struct bsim_site_result *b);

/* Puts a kernel's sites in their final order. */
void bsim_kernel_sort_sites(struct bsim_kernel_result *kernel);

/* Widens the kernel's part of constant memory by bytes [first, end). */
void bsim_kernel_reads_constants(struct bsim_kernel_result *kernel, uint64_t first, uint64_t end);

/* Whether they are of a launch of the same name, grid, block and shared bytes, on the same device. */
bool bsim_kernel_same_launch(const struct bsim_kernel_result *a,
                             const struct bsim_kernel_result *b);

/* Whether what reports add up over the kernels is within 64 bits, as it is in all results of at
 * most BSIM_MAX_EXECUTED warp instructions that were not forged. */
bool bsim_result_fits(const struct bsim_result *result);

/* What nvprof reports as gld_transactions of a kernel. Its gst_transactions are those of
 * global[BSIM_STORES]: it counts atomics under other names. */
uint64_t bsim_kernel_gld_transactions(const struct bsim_kernel_result *kernel);

/* The sum of class c over all kernels. */
struct bsim_tally bsim_result_class(const struct bsim_result *result, enum bsim_class c);

/* The class of an access opcode. */
enum bsim_class bsim_opcode_class(const struct bsim_opcode *opcode);

/* Gives the kernels of `result` the cycles of `timed`, a timer's result of the same stream; that is
 * empty afterwards. Fails with BSIM_E_USAGE, and changes nothing, if the kernels do not agree. */
enum bsim_status bsim_result_add_cycles(struct bsim_result *result, struct bsim_result *timed,
                                        struct bsim_error *err) BSIM_MUST_USE;

/* Adds `part`, another part (other blocks) of the same launches on the same device and asked the
 * same, to `into`: kernel by kernel, in order, site by site, with the limit of a kernel's events
 * applied to both together. An empty `into` (zeroed) becomes a copy. Fails with BSIM_E_USAGE if the
 * kernels or their sites do not agree, BSIM_E_INPUT if together they have more than
 * BSIM_MAX_EXECUTED warp instructions, a kernel takes 2^56 clocks or more, or a sum passes 64 bits,
 * BSIM_E_MEMORY; `into` is unchanged then. The order of merging does not matter. */
enum bsim_status bsim_result_merge(struct bsim_result *into, const struct bsim_result *part,
                                   struct bsim_error *err) BSIM_MUST_USE;

/* Fails with BSIM_E_INPUT for a kernel whose requests together read constants that lie further
 * apart than BSIM_CONSTANT_BYTES: for whole results, as a part does not know what others read. */
enum bsim_status bsim_result_check_constants(const struct bsim_result *result,
                                             struct bsim_error *err) BSIM_MUST_USE;

/* Moves the kernels of `more` behind those of `into`; `more` is empty afterwards. Fails with
 * BSIM_E_INPUT if together they have more than BSIM_MAX_EXECUTED warp instructions, and with
 * BSIM_E_MEMORY; both are unchanged then. */
enum bsim_status bsim_result_append(struct bsim_result *into, struct bsim_result *more,
                                    struct bsim_error *err) BSIM_MUST_USE;

/* Adds `part` to `into` as bsim_result_merge does, its kernels to those of `into` from the first-th
 * on; what `into` has not got yet is moved behind. `part` is empty afterwards. Fails as
 * bsim_result_merge does, with some kernels added and others not: both are of no use then, but to
 * be freed. So several readers' kernels are put together as they end, and there are not more than
 * one reader would have. */
enum bsim_status bsim_result_collect(struct bsim_result *into, size_t first,
                                     struct bsim_result *part,
                                     struct bsim_error *err) BSIM_MUST_USE;

/* Moves the first n kernels of `from` to *first, which the caller then frees: n at most as many as
 * there are. Fails with BSIM_E_MEMORY; nothing is moved then. */
enum bsim_status bsim_result_take(struct bsim_result *from, size_t n, struct bsim_result *first,
                                  struct bsim_error *err) BSIM_MUST_USE;

/* Adds more to tally (sums, least and largest ways, rules). False: a sum passes 64 bits, and the
 * tally is of no use; those of one result never do. */
bool bsim_tally_add(struct bsim_tally *tally, const struct bsim_tally *more);

bool bsim_global_tally_add(struct bsim_global_tally *tally, const struct bsim_global_tally *more);

#endif

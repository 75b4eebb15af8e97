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

/* The order of sites in a result: by number, then those without one by the spelling of the opcode. */
int bsim_site_order(const struct bsim_site_result *a, const struct bsim_site_result *b);

/* Puts a kernel's sites in their final order. */
void bsim_kernel_sort_sites(struct bsim_kernel_result *kernel);

/* Widens the kernel's part of constant memory by bytes [first, end). */
void bsim_kernel_reads_constants(struct bsim_kernel_result *kernel, uint64_t first, uint64_t end);

/* Whether what reports add up over the kernels is within 64 bits, as it is in all results of at most
 * BSIM_MAX_EXECUTED warp instructions that were not forged. */
bool bsim_result_fits(const struct bsim_result *result);

/* The class of an access opcode. */
enum bsim_class bsim_opcode_class(const struct bsim_opcode *opcode);

#endif

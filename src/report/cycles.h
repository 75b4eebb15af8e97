/* cycles.h - what the cycle model says of a kernel, for the reports; see cycles.c. */
#ifndef BSIM_REPORT_CYCLES_H
#define BSIM_REPORT_CYCLES_H

#include <banksim/result.h>

/* The kernel's cycles, or NULL if they have nothing to say: they were not simulated, or there is no
 * request to shared memory. Global and constant memory take no time in the model. */
const struct bsim_kernel_cycles *bsim_cycles_known(const struct bsim_kernel_result *kernel);

/* The kernel's cycles with its global and constant traffic. False: it has no request to any memory,
 * or cycles were not simulated. */
bool bsim_cycles_with_memory(const struct bsim_kernel_result *kernel,
                             struct bsim_memory_cycles *memory);

/* The bandwidth that the programmer sees: the bytes that the kernel's global requests ask for,
 * over the time of the launch: its cycles, those with global memory or device
 * memory's rate for its sectors, whichever is longest. What is not modelled only makes it longer.
 * gb_per_s is 0 where that time is not known. */
struct bsim_effective {
    uint64_t bytes; /* of the simulated blocks */
    double ns;      /* of the launch */
    double gb_per_s;
};
struct bsim_effective bsim_cycles_effective(const struct bsim_kernel_result *kernel);

/* Appends a line with them; nothing without. */
void bsim_cycles_memory_text(const struct bsim_kernel_result *kernel, struct bsim_buffer *out);

/* Those of a site's requests to shared memory, or NULL. */
const struct bsim_site_cycles *bsim_cycles_of_site(const struct bsim_kernel_result *kernel,
                                                   const struct bsim_site_result *site);

/* Sites whose conflicts were not removed in turn, as there are too many of them. */
size_t bsim_cycles_left_out_sites(const struct bsim_kernel_result *kernel);

/* What conflicts cost: cycles, or where these are not known excessive wavefronts, which stand for
 * them when kernels or sites are put in order. */
struct bsim_cost {
    bool is_known; /* in cycles */
    uint64_t amount;
};

/* Of all the kernel's conflicts, and of one of its sites' alone. */
struct bsim_cost bsim_cost_of_kernel(const struct bsim_kernel_result *kernel);
struct bsim_cost bsim_cost_of_site(const struct bsim_kernel_result *kernel,
                                   const struct bsim_site_result *site);

/* Warps of one of the kernel's blocks, and what allows an SM how many of these. */
uint32_t bsim_cycles_warps(const struct bsim_kernel_result *kernel);
struct bsim_occupancy bsim_cycles_limits(const struct bsim_kernel_result *kernel);

/* The sum of what the warps' time went on. */
uint64_t bsim_stalls_total(const struct bsim_stalls *stalls);

/* "18.2 ms", "0.57 s", "606 ns" for cycles at clock_mhz, into out[0..size). Returns out. */
const char *bsim_cycles_time(uint64_t cycles, uint32_t clock_mhz, char *out, size_t size);

/* Appends the line that says how many cycles a kernel takes and how many of them for conflicts;
 * cycles are known. */
void bsim_cycles_cost_text(const struct bsim_kernel_result *kernel, struct bsim_buffer *out);

/* Appends the line with the clocks of the launch, or between which it lies; cycles are known. */
void bsim_cycles_launch_text(const struct bsim_kernel_result *kernel, struct bsim_buffer *out);

/* Appends a kernel's cycles in words, a few lines; nothing if none are wanted. */
void bsim_cycles_text(const struct bsim_kernel_result *kernel, struct bsim_buffer *out);

/* Appends a line for the speed-ups that were left out of the kernel's sites, if any were. */
void bsim_cycles_left_out_sites_text(const struct bsim_kernel_result *kernel,
                                     struct bsim_buffer *out);

/* What is told of the cycles of kernels that come one by one and need not stay: zeroed at first,
 * bsim_cycles_notes_free at last. */
struct bsim_cycles_notes {
    size_t n_kernels, n_left_out;
    uint64_t events, max_events; /* of the last one that was left out */
    struct bsim_buffer devices;  /* their names */
    struct bsim_buffer basis;
};

void bsim_cycles_note(struct bsim_cycles_notes *notes, const struct bsim_kernel_result *kernel);
void bsim_cycles_notes_free(struct bsim_cycles_notes *notes);

/* Appends how many kernels were left out, if any, and a line for each device with what its cycles
 * rest on; the latter of a whole result, too. */
void bsim_cycles_left_out_text(const struct bsim_cycles_notes *notes, struct bsim_buffer *out);
void bsim_cycles_basis_tell(const struct bsim_cycles_notes *notes, struct bsim_buffer *out);
void bsim_cycles_basis_text(const struct bsim_result *result, struct bsim_buffer *out);

#endif

/* basis.h - what a result rests on, and what is wrong with it, in words; see basis.c. */
#ifndef BSIM_REPORT_BASIS_H
#define BSIM_REPORT_BASIS_H

#include <banksim/report.h>

/* The worst grade among the device's rules that take part (bit r: rule r). */
enum bsim_grade bsim_basis_grade(const struct bsim_device *device, uint32_t rules);

/* The rules whose numbers a report may leave out. */
enum {
    BSIM_SECTORS_BIT = 1 << BSIM_RULE_SECTORS,
    BSIM_NVPROF_BIT = 1 << BSIM_RULE_NVPROF,
    BSIM_CONSTANT_BIT = 1 << BSIM_RULE_CONSTANT,
};

/* Appends sentences, each on its own line: for each device of the result the grade that its counts
 * rest on, and every assumed rule that took part with its source. Rules whose bit is in `hidden`
 * have no number in the report, and are passed over. */
void bsim_basis_text(const struct bsim_result *result, uint32_t hidden, struct bsim_buffer *out);

/* The same for those devices alone where an assumed rule took part. */
void bsim_basis_assumed(const struct bsim_result *result, uint32_t hidden, struct bsim_buffer *out);

/* The same of kernels that come one by one and need not stay: `list`, empty at first, gets their
 * devices and is the caller's to free; if that failed, out fails. */
void bsim_basis_add(struct bsim_buffer *list, const struct bsim_kernel_result *kernel);
void bsim_basis_tell(const struct bsim_buffer *list, uint32_t hidden, struct bsim_buffer *out);

/* What counts of the result's kernels in PTX rest on, see report.h. */
void bsim_rests_text(const struct bsim_result *result, struct bsim_buffer *out);

/* Appends the next of what is told, without its line end, and what it is known by; *at is 0 at first.
 * False behind the last. */
bool bsim_rests_next(const struct bsim_rests *rests, size_t *at, struct bsim_buffer *sentence,
                     struct bsim_basis *basis);

/* How bad a site's conflicts are, in this order: whether how often it runs is more than chance, what they
 * cost, what its kernel's do, its excessive wavefronts; zeros: there are none. */
struct bsim_rank {
    uint64_t cost, cost_of_kernel, excessive;
    bool is_chance;
};

/* What a verdict on kernels that come one by one is made of: zeroed at first, bsim_verdict_free at
 * last. */
struct bsim_verdict {
    size_t n_kernels, n_in_conflict;
    size_t n_free;           /* sites that have conflicts, which are known to cost nothing */
    bool has_requests;       /* to shared memory */
    bool has_async;          /* some kernel has wgmma, which counts as no request of lanes */
    bool has_packets;        /* likewise, what goes to another block's shared memory */
    bool are_launches;       /* kernels: some are the same one, launched again */
    struct bsim_rank rank;   /* of the site whose conflicts cost most */
    bool is_atomic;          /* that site */
    struct bsim_buffer told; /* what is said of it */
};

void bsim_verdict_add(struct bsim_verdict *verdict, const struct bsim_kernel_result *kernel);

/* Appends which site's conflicts cost most and, if they cost anything, which command looks for a
 * remedy. */
void bsim_verdict_tell(const struct bsim_verdict *verdict, struct bsim_buffer *out);
void bsim_verdict_free(struct bsim_verdict *verdict);

/* The same of a whole result. */
void bsim_verdict_text(const struct bsim_result *result, struct bsim_buffer *out);

#endif

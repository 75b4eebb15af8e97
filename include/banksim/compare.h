/* compare.h - what Nsight Compute counted on a GPU against what the simulator counts.
 *
 * Reads the profiler's own csv (`ncu --csv`, with or without `--page raw`), finds the launches of
 * the simulated kernels by name and puts their counters side by side. Reports and comparisons are
 * plain data; everything is thread-safe for different objects.
 */
#ifndef BANKSIM_COMPARE_H
#define BANKSIM_COMPARE_H

#include <banksim/report.h>
#include <banksim/trace.h>

/* ---- the profiler's report ------------------------------------------------------------------- */

struct bsim_ncu_value {
    bool is_known; /* the report has a number there, not "nan", "n/a" or nothing */
    double number;
};

/* One launch of one kernel. */
struct bsim_ncu_launch {
    char *kernel; /* as the profiler writes it: demangled with its arguments, or mangled */
    uint64_t id;
    uint64_t process_id;          /* 0: not told */
    struct bsim_dim3 grid, block; /* zeroes: not told */
    uint32_t compute;             /* compute capability times 10; 0: not told */
    struct bsim_ncu_value value[BSIM_NCU_MAX_METRICS]; /* by index of bsim_ncu_metrics */
};

struct bsim_ncu_report {
    size_t n_launches; /* in the report's order */
    struct bsim_ncu_launch *launches;
};

/* Reads a report: the raw page, a launch per row and a metric per column, with or without a row of
 * units; or the long form, a metric per row. Lines before its head row, and those that begin with
 * "==" anywhere, are not looked at. Keeps the metrics that bsim_ncu_metrics names. Fails with
 * BSIM_E_INPUT and the place for what is no such report, for one without a launch or without any of
 * these metrics; with BSIM_E_IO, BSIM_E_MEMORY. The caller frees *report. */
BSIM_API enum bsim_status bsim_ncu_read(const struct bsim_input *input,
                                        struct bsim_ncu_report **report,
                                        struct bsim_error *err) BSIM_MUST_USE;

/* NULL is fine. */
BSIM_API void bsim_ncu_free(struct bsim_ncu_report *report);

/* ---- the comparison -------------------------------------------------------------------------- */

enum bsim_outcome {
    BSIM_EQUAL,
    BSIM_WITHIN, /* the tolerance */
    BSIM_DIFFERS,
    BSIM_APART, /* the profiler's counter counts something else as well, here or always */
};

/* One metric of one launch. */
struct bsim_compared {
    size_t kernel, launch;         /* indices into the result and the report */
    struct bsim_ncu_metric metric; /* of the simulation; `apart` says why it is BSIM_APART */
    double measured;
    enum bsim_outcome outcome;
};

enum { BSIM_NO_PARTNER = -1 };

struct bsim_compare_options {
    double tolerance; /* per cent of what was measured, 0 or more */
    bool all;         /* metrics of global and constant memory decide, too */
};

struct bsim_comparison {
    struct bsim_compare_options options;
    size_t n_launches;    /* of the report */
    ptrdiff_t *kernel_of; /* by launch: its kernel, or BSIM_NO_PARTNER */
    size_t n_kernels;     /* of the result */
    bool *is_launched;    /* by kernel */
    size_t n_rows;        /* launch by launch, in the order of bsim_ncu_metrics */
    struct bsim_compared *row;
    size_t n_matched;               /* kernels that have a launch */
    size_t n_of[BSIM_APART + 1];    /* rows of each outcome that decide */
    size_t n_aside[BSIM_APART + 1]; /* and of those that do not */
};

/* True if the row decides whether the two agree: its metric is of shared memory, or all decide. */
BSIM_API bool bsim_compared_decides(const struct bsim_comparison *comparison,
                                    const struct bsim_compared *row);

/* Compares. Launches are matched by name; a kernel that has the name of an emulator also goes by its
 * original names, if no kernel has the launch's own. If a name has as many launches as kernels in the
 * result, they belong together in order; otherwise each launch belongs to the first kernel of its
 * name that has its grid and block, or to the first one. Of several emulators of one original name
 * the launch's grid and block decide. A counter that is more than the simulation's is not comparable
 * if it may count something else as well and the one that does not is in the report, and equal.
 *
 * Fails with BSIM_E_INPUT if no launch has a kernel, if one may be of several emulators, or if none of
 * the metrics that decide is comparable, and with BSIM_E_MEMORY. Borrows nothing; the caller frees
 * *comparison. */
BSIM_API enum bsim_status bsim_compare(const struct bsim_result *result,
                                       const struct bsim_ncu_report *report,
                                       const struct bsim_compare_options *options,
                                       struct bsim_comparison **comparison,
                                       struct bsim_error *err) BSIM_MUST_USE;

/* NULL is fine. */
BSIM_API void bsim_comparison_free(struct bsim_comparison *comparison);

/* The comparison of this result with this report: text, csv or json as options->format says. */
BSIM_API void bsim_report_comparison(const struct bsim_comparison *comparison,
                                     const struct bsim_result *result,
                                     const struct bsim_ncu_report *report,
                                     const struct bsim_report_options *options,
                                     struct bsim_buffer *out);

#endif

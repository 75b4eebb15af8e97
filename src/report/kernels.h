/* kernels.h - results for people, made of kernels that need not stay; see kernels.c. */
#ifndef BSIM_REPORT_KERNELS_H
#define BSIM_REPORT_KERNELS_H

#include "report/basis.h"
#include "report/cycles.h"
#include "report/format.h"

/* What comes after one another. */
enum bsim_text_part {
    BSIM_TEXT_HEAD,
    BSIM_TEXT_KERNELS,
    BSIM_TEXT_OTHERS,
    BSIM_TEXT_CYCLES,
    BSIM_TEXT_SITES,
    BSIM_TEXT_END,
    BSIM_TEXT_TABLES = BSIM_TEXT_SITES - BSIM_TEXT_KERNELS, /* of kernels */
};

struct bsim_text_report {
    const struct bsim_document *doc; /* the caller's */
    bool sites;                      /* a table for each kernel, not one of the kernels */
    size_t n_kernels;
    struct bsim_device device; /* of the first */
    uint32_t shows;            /* what there is to tell, as columns want it */
    uint32_t most_shared;
    struct bsim_tally total;
    struct bsim_table table[BSIM_TEXT_TABLES];
    struct bsim_buffer only_cycles; /* the first kernel's in words, if it is the only one */
    struct bsim_spool site_tables;
    struct bsim_fold *site_fold; /* of them */
    size_t n_sites_shown;
    struct bsim_cycles_notes notes;
    struct bsim_buffer basis;
    struct bsim_rests rests;
    struct bsim_verdict verdict;
    enum bsim_text_part part;
};

/* limit_bytes: of memory for each kind of rows, more go to a file; 0: none do. */
void bsim_text_report_begin(struct bsim_text_report *text, const struct bsim_document *doc,
                            bool sites, size_t limit_bytes);

void bsim_text_report_kernel(struct bsim_text_report *text,
                             const struct bsim_kernel_result *kernel);

/* Behind the last kernel: appends the next lines, or says that there are none. */
bool bsim_text_report_next(struct bsim_text_report *text, struct bsim_buffer *out);

/* BSIM_OK, BSIM_E_MEMORY or BSIM_E_IO. */
enum bsim_status bsim_text_report_status(const struct bsim_text_report *text,
                                         struct bsim_error *err);
void bsim_text_report_free(struct bsim_text_report *text);

/* A whole result under a profiler's names; see metrics.c. */
void bsim_metrics_report(const struct bsim_result *result,
                         const struct bsim_report_options *options, struct bsim_buffer *out);

#endif

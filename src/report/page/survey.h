/* survey.h - the inside of a survey, for the page that shows it; see survey.c. */
#ifndef BSIM_REPORT_SURVEY_H
#define BSIM_REPORT_SURVEY_H

#include "base/table.h"

#include <banksim/report.h>

/* What is kept of a request that comes often: among those of a site, the worse ones come first, and
 * of equally bad ones those of the larger hash, so that the order of arrival plays no part. */
struct bsim_survey_rank {
    uint32_t excessive;
    uint64_t hash; /* of opcode, mask and addresses */
};

/* Different requests; the equal ones are counted. */
struct bsim_survey_pattern {
    uint32_t site;       /* index in the survey's sites */
    uint32_t size_bytes; /* in the page */
    struct bsim_survey_rank rank;
    struct bsim_request request; /* moved down by base; lanes that take no part have address 0 */
    struct bsim_counts counts;
    uint64_t n;
    uint64_t seen; /* patterns that came before it */
    /* The first of them, as an example. */
    uint32_t base;
    uint32_t warp;
    struct bsim_dim3 block;
    uint64_t index, line;
    /* What each of them adds to its site's banks. */
    uint8_t turns[BSIM_MAX_BANKS];
    uint8_t held_up[BSIM_MAX_BANKS];
};

struct bsim_survey_site {
    size_t kernel;
    uint32_t number;                  /* 0: all accesses of that opcode without a site */
    struct bsim_opcode opcode;        /* of number 0 */
    uint64_t turns[BSIM_MAX_BANKS];   /* rows that the bank served */
    uint64_t held_up[BSIM_MAX_BANKS]; /* lane groups that took more than one pass and for which no
                                         bank served more rows than this one */
    bool has_floor; /* a pattern of rank `floor` was dropped: no lesser one is taken any more */
    struct bsim_survey_rank floor;
    size_t first, n_patterns; /* after bsim_survey_arrange: its patterns, the worst first and of
                                equally bad ones the first that came */
};

struct bsim_survey {
    size_t budget_bytes, size_bytes;
    uint64_t n_seen;
    struct bsim_survey_site *sites;
    size_t n_sites;
    struct bsim_table site_table;
    uint32_t last_site; /* index + 1 */
    struct bsim_survey_pattern *patterns;
    size_t n_patterns;
    struct bsim_table pattern_table;
    struct bsim_buffer scratch;
};

/* Keeps what the budget holds, puts it in order of sites, the worst first, and sets the sites'
 * `first` and `n_patterns`. No more requests can be added then. Fails with BSIM_E_MEMORY. */
enum bsim_status bsim_survey_arrange(struct bsim_survey *survey, struct bsim_error *err);

/* The site of that kernel and number (0: and opcode), or NULL. */
const struct bsim_survey_site *bsim_survey_find(const struct bsim_survey *survey, size_t kernel,
                                                uint32_t number, const struct bsim_opcode *opcode);

/* Appends the pattern, with its schedule on device, as the page has it; see pattern.c. */
void bsim_survey_pattern_json(const struct bsim_survey_pattern *pattern,
                              const struct bsim_device *device, struct bsim_buffer *out);

/* Appends numbers as pattern.c has them. */
void bsim_pack_number(uint64_t number, struct bsim_buffer *out);
void bsim_pack_signed(int64_t number, struct bsim_buffer *out);

#endif

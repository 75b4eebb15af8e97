/* pattern.h - the different requests of a check, each once; see pattern.c. */
#ifndef BSIM_ADVISE_PATTERN_H
#define BSIM_ADVISE_PATTERN_H

#include <banksim/advise.h>
#include <banksim/expr.h>
#include <banksim/model.h>

struct bsim_pattern {
    uint64_t times;  /* how often it is executed */
    uint64_t weight; /* in the search: times, or 0 where its access is left out */
    size_t access;
    bool leaves_row; /* in some of its executions */
    bool is_simple;  /* all lanes access one array, at multiples of their bytes from its start */
    struct bsim_opcode opcode;
    uint32_t mask;
    uint32_t lanes; /* whose addresses count */
    uint32_t ideal;
    uint32_t least;                 /* wavefronts that no layout can undercut */
    struct bsim_advice_bound bound; /* whose `least` is more than its words make it */
    uint32_t rules;
    uint32_t next; /* in its bucket */
    uint32_t array[BSIM_WARP_LANES];
    uint32_t offset[BSIM_WARP_LANES];
    uint64_t
        *from; /* of a copy: where each lane's bytes are from, less the line of its first lane's;
                       NULL where that is not told */
};

struct bsim_patterns {
    const struct bsim_device *device;
    size_t most;
    struct bsim_pattern *item;
    size_t n;
    uint32_t *bucket; /* the first of each, or NO_PATTERN */
};

/* Collects the requests of a check into *patterns (empty, with a device and a limit). Fails with
 * what bsim_check_each answers, with BSIM_E_INPUT if there are too many or the device does not
 * execute one. bsim_patterns_free is for the caller, also after a failure. */
enum bsim_status bsim_patterns_collect(struct bsim_patterns *patterns,
                                       const struct bsim_check *check, struct bsim_error *err);
void bsim_patterns_free(struct bsim_patterns *patterns);

/* The one with the access, mask, arrays, offsets and sources of `key`, or NULL. */
const struct bsim_pattern *bsim_patterns_find(const struct bsim_patterns *patterns,
                                              const struct bsim_pattern *key);

/* One execution, without its addresses. */
struct bsim_request bsim_pattern_request(const struct bsim_pattern *pattern);

/* True if some lane accesses array number `array`; if lanes access different arrays. */
bool bsim_pattern_touches(const struct bsim_pattern *pattern, uint32_t array);
bool bsim_pattern_is_mixed(const struct bsim_pattern *pattern);

#endif

/* order.h - races between warps of a block where some of them meet within an interval. */
#ifndef BSIM_HAZARD_ORDER_H
#define BSIM_HAZARD_ORDER_H

#include "base/table.h"
#include "hazard/findings.h"
#include "hazard/steps.h"

struct bsim_meeting;
struct bsim_order_page;
struct bsim_order_visit;
struct bsim_order_reader;

/* Zeroes: empty. See order.c. */
struct bsim_order {
    uint32_t epoch[BSIM_BLOCK_MAX_WARPS];
    uint32_t clock[BSIM_BLOCK_MAX_WARPS][BSIM_BLOCK_MAX_WARPS];
    struct bsim_meeting *meeting;
    struct bsim_table meetings;     /* by number; of the block */
    struct bsim_order_page *page;   /* what follows is of an interval */
    struct bsim_table pages;        /* by number */
    struct bsim_order_visit *visit; /* steps that some byte remembers */
    size_t n_visits;
    struct bsim_order_reader *reader;
    size_t n_readers;
};

/* A new block: nobody has met. */
void bsim_order_start(struct bsim_order *order);

/* The warps' parts of the oldest interval, steps[w] of warp w, of which some meet. With is_racy,
 * where two touched a byte and one wrote it, looks for races that no meeting rules out; *place has
 * the block and barriers. Every interval of the block is due, in order. False when memory is
 * short. */
bool bsim_order_check(struct bsim_order *order, const struct bsim_steps *const *steps,
                      uint32_t n_warps, bool is_racy, struct bsim_findings *findings,
                      const struct bsim_race *place, uint64_t interval);

void bsim_order_free(struct bsim_order *order);

#endif

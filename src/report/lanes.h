/* lanes.h - sets of lanes in words. */
#ifndef BSIM_REPORT_LANES_H
#define BSIM_REPORT_LANES_H

#include <banksim/status.h>

/* Appends the set's runs: "0-3,8". */
void bsim_lanes_runs(uint32_t lanes, struct bsim_buffer *out);

/* The same with its noun: "lane 8", "lanes 0-3,8". */
void bsim_lanes_text(uint32_t lanes, struct bsim_buffer *out);

#endif

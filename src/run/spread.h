/* spread.h - what accesses take whose indices are drawn. */
#ifndef BSIM_RUN_SPREAD_H
#define BSIM_RUN_SPREAD_H

#include <banksim/run.h>

/* Sets worst[i].spread for each access i of the check that differs from draw to draw. */
enum bsim_status bsim_spread_find(const struct bsim_check *check, const struct bsim_device *device,
                                  struct bsim_check_worst *worst, struct bsim_error *err);

#endif

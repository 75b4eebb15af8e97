/* advise_recorded.h - advice on a recorded kernel in words. */
#ifndef BSIM_REPORT_ADVISE_RECORDED_H
#define BSIM_REPORT_ADVISE_RECORDED_H

#include "report/table.h"

#include <banksim/advise.h>
#include <banksim/report.h>

/* "load tile[threadIdx.x]" */
void bsim_advice_op(const struct bsim_check *check, size_t access, struct bsim_buffer *out);

/* The names of the arrays that the access touches. */
void bsim_advice_arrays(const struct bsim_check *check, const struct bsim_advice *advice,
                        size_t access, char out[BSIM_CELL_SIZE]);

/* Whether the layout pads what may be rows of a recorded array, which a trace knows nothing of. */
bool bsim_advice_pads_rows(const struct bsim_check *check, const struct bsim_check_array *array,
                           const struct bsim_layout *layout);

/* The line above the table, and the sentences below the plans. */
void bsim_advice_kernel(const struct bsim_check *check, struct bsim_buffer *out);
void bsim_advice_recorded(const struct bsim_check *check, const struct bsim_advice *advice,
                          struct bsim_buffer *out);

/* What the counts of a kernel in PTX rest on. */
void bsim_advice_rests(const struct bsim_check *check, const struct bsim_advice *advice,
                       struct bsim_buffer *out);

#endif

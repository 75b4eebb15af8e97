/* element.h - what a byte of a shared array is called. */
#ifndef BSIM_REPORT_ELEMENT_H
#define BSIM_REPORT_ELEMENT_H

#include <banksim/expr.h>

/* Appends the array as it is declared, "tile[32][32] swizzle<5,0,5>"; plane, or "", stands in front of the
 * layout. */
void bsim_array_text(const struct bsim_check_array *array, const char *plane,
                     struct bsim_buffer *out);

/* Appends "tile[5][25]", and "+4" if byte `offset` of the array, as its indices count, lies within that
 * element; "tile+752" if nobody tells what its elements are. */
void bsim_element_text(const struct bsim_check_array *array, uint32_t offset,
                       struct bsim_buffer *out);

/* Appends what the lanes of a request access, "tile[0-31][5]": of each index from the least to the
 * greatest; of several arrays one behind the other, with a comma. */
void bsim_elements_text(const struct bsim_check *check, const struct bsim_check_request *request,
                        struct bsim_buffer *out);

#endif

/* name.h - a layout in a few words; see name.c. */
#ifndef BSIM_ADVISE_NAME_H
#define BSIM_ADVISE_NAME_H

#include "layout/place.h"

void bsim_layout_add_name(const struct bsim_check_array *declared, const struct bsim_layout *layout,
                          struct bsim_buffer *out);

#endif

/* place.h - where a layout puts what lies in an array. */
#ifndef BSIM_LAYOUT_PLACE_H
#define BSIM_LAYOUT_PLACE_H

#include <banksim/expr.h>
#include <banksim/layout.h>

/* The place of element i of the array, counted through all its dimensions. */
uint32_t bsim_layout_index(const struct bsim_check_array *array, const struct bsim_layout *layout,
                           uint32_t i);

/* Rows that lie between two planes, for PAD; of an array with rows. */
uint32_t bsim_layout_plane_rows(const struct bsim_check_array *array);

/* Elements that an array of n then takes: if it has rows, with the padding behind the last of them,
 * as [32][33] has; else as far as the last element goes. */
uint64_t bsim_layout_extent(const struct bsim_check_array *array, const struct bsim_layout *layout,
                            uint64_t n);

/* The member that has those bytes of an element; NULL if none has them all. */
const struct bsim_check_member *bsim_layout_member(const struct bsim_check_array *array,
                                                   uint32_t within, uint32_t bytes);

/* The byte at which an access to byte `within` of the element at `place` lies, its members being
 * laid as the layout has them; false if that tears it apart. And what n places take. */
bool bsim_layout_byte(const struct bsim_check_array *array, const struct bsim_layout *layout,
                      uint32_t place, uint32_t within, uint32_t bytes, uint32_t *at);
uint64_t bsim_layout_bytes(const struct bsim_check_array *array, const struct bsim_layout *layout,
                           uint64_t n);

/* The byte in the re-laid array at which an access of `bytes` at byte `offset` of it lies. False if
 * the layout tears the access apart. */
bool bsim_layout_map(const struct bsim_check_array *array, const struct bsim_layout *layout,
                     uint32_t offset, uint32_t bytes, uint32_t *mapped);

/* The same of an array as it is declared, by all its layouts. */
uint64_t bsim_array_extent(const struct bsim_check_array *array, uint64_t n);
bool bsim_array_map(const struct bsim_check_array *array, uint32_t offset, uint32_t bytes,
                    uint32_t *mapped);

#endif

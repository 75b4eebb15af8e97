/* place.h - where a layout puts what lies in an array. */
#ifndef BSIM_LAYOUT_PLACE_H
#define BSIM_LAYOUT_PLACE_H

#include <banksim/expr.h>
#include <banksim/layout.h>

/* The place of element i of the array, counted through all its dimensions. */
uint32_t bsim_layout_index(const struct bsim_check_array *array, const struct bsim_layout *layout,
                           uint32_t i);

/* The order of the elements, as a padding by nothing. */
struct bsim_layout bsim_layout_plain(void);

/* Whether two paddings lie within each row and behind it, so that a declaration of longer rows has both. */
bool bsim_layout_is_in_rows(const struct bsim_check_array *array, const struct bsim_layout *layout);

/* Rows that lie between two planes, for PAD; of an array with rows. */
uint32_t bsim_layout_plane_rows(const struct bsim_check_array *array);

/* The array that the layout is of: itself, or *narrowed, which has rows of layout->columns. */
const struct bsim_check_array *bsim_layout_narrowed(const struct bsim_check_array *array,
                                                    const struct bsim_layout *layout,
                                                    struct bsim_check_array *narrowed);

/* Elements of one step in the first dimension. */
uint32_t bsim_layout_first(const struct bsim_check_array *array);

/* Elements that a swizzle or a rotation moves among themselves: the array consists of whole groups. */
uint32_t bsim_layout_group(const struct bsim_layout *layout);

/* What n elements of an array take, layout by layout. An array with rows takes what its declaration in
 * C would: [32][33] for a padding of its rows, else whole steps of the first dimension, as far as the
 * last element goes. An extern one, of 0, takes 0. */
struct bsim_extent {
    uint64_t end;     /* places up to the last element's */
    uint64_t whole;   /* and with what is unused behind it */
    uint32_t columns; /* of a row, of which paddings are a part; 0: no declaration has these rows */
    uint32_t plane;   /* the same of a plane; 0: there are none */
};
struct bsim_extent bsim_extent_of(const struct bsim_check_array *array, uint64_t n);
struct bsim_extent bsim_extent_with(const struct bsim_check_array *array,
                                    const struct bsim_layout *layout,
                                    const struct bsim_extent *before);

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
 * the layout tears the access apart, or has no such column. */
bool bsim_layout_map(const struct bsim_check_array *declared, const struct bsim_layout *layout,
                     uint32_t offset, uint32_t bytes, uint32_t *mapped);

/* The same of an array as it is declared, by all its layouts; and the elements that it takes. */
uint64_t bsim_array_extent(const struct bsim_check_array *array, uint64_t n);
bool bsim_array_map(const struct bsim_check_array *array, uint32_t offset, uint32_t bytes,
                    uint32_t *mapped);

/* The other way: the offset that is laid to byte `at`. False if no access of `bytes` lies there in one
 * piece. */
bool bsim_array_unmap(const struct bsim_check_array *array, uint32_t at, uint32_t bytes,
                      uint32_t *offset);

#endif

/* view.h - global memory as blocks see it that run ahead of their turn.
 *
 *     memory   | a b c d | e f g h |      what all blocks before have left
 *     view     |         | e F . . |      F was written here; which bytes were, and which words
 *                                         were read, is known of each page
 *
 * Reads see what the view's own blocks have written, else the memory, which nobody changes meanwhile.
 * When the blocks' turn comes the memory may have changed in words that they have read: then they did
 * not see what they should have, and the view is thrown away. Else what they did is what they would
 * have done in their turn: a block's steps follow from what it reads. Its writes are made, byte by byte.
 *
 * An atomic whose result nobody uses is no read: it is kept as it is and done when the turn comes, lane
 * by lane in its order, so that sums of floats come out the same. A view that is asked for such a word
 * afterwards is thrown away.
 */
#ifndef BSIM_PTX_VIEW_H
#define BSIM_PTX_VIEW_H

#include "ptx/memory.h"

struct bsim_ptx_view;
struct bsim_ptx_access;

/* Empty; NULL when memory is short. NULL is fine to free. */
struct bsim_ptx_view *bsim_ptx_view_new(void);
void bsim_ptx_view_free(struct bsim_ptx_view *view);
void bsim_ptx_view_clear(struct bsim_ptx_view *view);

/* Where the bytes from `offset` of the piece on are read, or written, or both; NULL if the view cannot
 * say and is to be thrown away. The pointer holds until the view is cleared, but what is read there no
 * longer than until the page is written for the first time. */
unsigned char *bsim_ptx_view_read(struct bsim_ptx_view *view, const struct bsim_ptx_piece *piece,
                                  uint64_t offset, uint32_t bytes);
unsigned char *bsim_ptx_view_write(struct bsim_ptx_view *view, const struct bsim_ptx_piece *piece,
                                   uint64_t offset, uint32_t bytes);

/* Whether those bytes of a piece that has notes were written, in the view or before. */
bool bsim_ptx_view_is_written(const struct bsim_ptx_view *view, const struct bsim_ptx_piece *piece,
                              uint64_t offset, uint32_t bytes);

/* An atomic update of 4 or 8 bytes whose result nobody uses; false if the view is to be thrown away. */
bool bsim_ptx_view_update(struct bsim_ptx_view *view, const struct bsim_ptx_piece *piece,
                          uint64_t offset, const struct bsim_ptx_access *access, uint64_t b,
                          uint64_t c);

/* Whether the view has read a word that `changed` has: another view, of what was written since. */
bool bsim_ptx_view_is_stale(const struct bsim_ptx_view *view, const struct bsim_ptx_view *changed);

/* Makes the view's writes and updates in memory, and adds their words to `changed`. False when memory is
 * short; then memory is changed nevertheless, and `changed` is of no use. */
bool bsim_ptx_view_commit(const struct bsim_ptx_view *view, struct bsim_ptx_view *changed);

#endif

/* fill.h - tiles that TMA fills and wgmma or lanes read: whether each waits for the other. */
#ifndef BSIM_EXPR_FILL_H
#define BSIM_EXPR_FILL_H

#include "expr/meet.h"

enum { BSIM_FILL_TILES = 64, BSIM_FILL_NAME_SIZE = 80 };

/* What is known to have happened: of each warp its steps up to a number, of each tile its loads. */
struct bsim_fill_clock {
    uint32_t warp[BSIM_BLOCK_MAX_WARPS], tile[BSIM_FILL_TILES];
};

struct bsim_fill {
    const struct bsim_check *check;
    const struct bsim_meet *meet;
    struct bsim_error *err;
    struct bsim_fill_warp {
        bool has_wgmma;
        struct bsim_fill_clock knows;
        uint32_t n_wgmmas;         /* that it has begun */
        uint32_t n_groups;         /* of them, committed */
        uint32_t end[BSIM_GROUPS]; /* wgmmas up to the end of the last groups, by their number */
        uint32_t n_done;           /* wgmmas that it has waited for */
    } warp[BSIM_BLOCK_MAX_WARPS];
    struct bsim_fill_tile {
        uint32_t begin, end; /* bytes of the window */
        bool is_read;        /* by some wgmma, whenever */
        bool is_uneven;      /* some load is of other bytes, which overlap */
        const struct bsim_meet_op *load; /* the last; before that, some */
        uint32_t n_loads;
        /* Since the last load, 0 being none: the warp's step that waited for the load, its last wgmma of the tile, from
         * 1 on, and its step that waited for that; its lanes' first access to it, and the step that tells others of the last. */
        struct {
            uint32_t seen_at, wgmma, done_at, touched_at;
            const struct bsim_access *touch;
        } reader[BSIM_BLOCK_MAX_WARPS];
    } tile[BSIM_FILL_TILES];
    uint32_t n_tiles;
};

/* Knows the tiles of all that was noted. Of more than there is room for the others are not looked at. */
void bsim_fill_begin(struct bsim_fill *fill, const struct bsim_meet *meet, uint32_t n_warps);

/* The warp's next step: an arrival at what `phase` stands for, a load whose bytes come to it, a wait for
 * it, a barrier of the block, wgmma and its groups, or an access of its lanes. BSIM_E_INPUT, with its place, for a load of
 * what may still be read, or what nobody has waited for, and a wgmma or an access of what may not be there yet. */
void bsim_fill_arrive(struct bsim_fill *fill, uint32_t warp, struct bsim_fill_clock *phase);
enum bsim_status bsim_fill_load(struct bsim_fill *fill, uint32_t warp, const struct bsim_meet_op *op,
                                struct bsim_fill_clock *phase);
void bsim_fill_wait(struct bsim_fill *fill, uint32_t warp, const struct bsim_fill_clock *phase);
void bsim_fill_sync(struct bsim_fill *fill, uint32_t n_warps);
enum bsim_status bsim_fill_wgmma(struct bsim_fill *fill, uint32_t warp, const struct bsim_meet_op *op);
void bsim_fill_commit(struct bsim_fill *fill, uint32_t warp);
void bsim_fill_retire(struct bsim_fill *fill, uint32_t warp, uint32_t n_left);
enum bsim_status bsim_fill_touch(struct bsim_fill *fill, uint32_t warp, const struct bsim_meet_touch *touch);

/* "full[1]", or "full" of one that is no array: the mbarrier that op is about. */
const char *bsim_fill_put_name(const struct bsim_check *check, const struct bsim_meet_op *op,
                               char name[BSIM_FILL_NAME_SIZE]);

#endif

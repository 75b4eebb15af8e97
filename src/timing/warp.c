/* warp.c - what a warp's op waits for, where it is more than one result: see warp.h. */
#include "timing/warp.h"

/* Has the instructions of a work use its results in order, the last so many before `all`: the n-th
 * of K needs n K-ths of their registers, rounded up. Each part of them waits for the same
 * result. */
void bsim_warp_share_out(struct bsim_warp_state *w, uint32_t all, uint32_t unused)
{
    uint32_t first = all - (unused < BSIM_RESULTS ? unused : BSIM_RESULTS);
    uint32_t count = w->op->count, n = 0;
    uint64_t registers = 0, have = 0, place = 1; /* no instruction before place needs more */
    for (uint32_t i = first; i != all; i++) {
        registers += result_of(w, i)->registers;
    }
    for (; first != all; n++) {
        while (have * count < registers * place) {
            have += result_of(w, first++)->registers;
        }
        first = n + 1 < BSIM_SCOREBOARDS ? first : all;
        while (have * count >= registers * place) {
            place++;
        }
        w->part[n] =
            (struct bsim_work_part){(uint32_t)(count + 2 - place), (first - 1) % BSIM_RESULTS};
    }
    w->part[n - 1].left = 0;
}

/* What a wait for copies is for: those of all groups but the last so many. */
static struct bsim_group_result awaited_copies(const struct bsim_warp_state *w)
{
    static const struct bsim_group_result none = {.done = 0};
    uint32_t left = w->op->count;
    if (left == BSIM_ALL_COPIES) {
        return w->copied;
    }
    return left < w->n_groups && left < BSIM_GROUPS ? w->ended[(w->n_groups - 1 - left) % BSIM_GROUPS] : none;
}

/* The op waits for copies: theirs is its result, if it comes later than what it waits for else. */
static void find_copies(struct bsim_warp_state *w)
{
    const struct bsim_group_result group = awaited_copies(w);
    struct bsim_load_result *copied = &w->result[BSIM_COPIED];
    *copied = (struct bsim_load_result){group.done, 0, 1, false, group.site & BSIM_NO_SITE};
    w->awaited = group.done > w->result[w->awaited].done ? BSIM_COPIED : w->awaited;
}

/* It is work in front of an await. `ptxas` has a look at an mbarrier go before sums over loaded values, which wait
 * for them in order: it is answered meanwhile.
 *
 *      LDS LDS ... SYNCS.TRYWAIT  FFMA FFMA ... BRA       PTX has the look behind the last sum
 */
static void note_coming(struct bsim_warp_state *w)
{
    uint32_t all = w->n_results - w->op->wait;
    bool waits = w->op->wait != BSIM_NO_WAIT && w->n_results > w->op->wait;
    w->came = waits && result_of(w, all - 1)->is_load ? w->ready : BSIM_NEVER;
}

void bsim_warp_begin_meeting(struct bsim_warp_state *w)
{
    if (w->op->kind == BSIM_OP_COPIES) {
        find_copies(w);
    } else if (bsim_op_is_work(w->op->kind) && w->op[1].kind == BSIM_OP_AWAIT) {
        note_coming(w);
    }
}

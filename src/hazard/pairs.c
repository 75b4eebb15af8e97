/* pairs.c - from the touches of racy bytes to pairs of static accesses; see pairs.h.
 *
 * For the pairs, one touch of a byte by a static access and warp stands for all of its like, and of
 * the warps the two lowest are enough: static accesses A and B race if a warp of A differs from a
 * warp of B, and if A has two warps, one of them differs from whichever B has. The pair that comes
 * first by lower warp, its static access and the other warp is among what is kept, too:
 *
 *     byte 64     site 1 (st): warps 0 1 2 3      kept 0 1     1-1 by warps 0, 1
 *                 site 2 (ld): warps 0 3 5        kept 0 3     1-2 by warps 0, 3
 *
 * So memory grows with the racy bytes and the static accesses there, not with the touches, which
 * are sorted and thinned out each time that they fill their array.
 */
#include "hazard/pairs.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_WARPS = 2 };

/* By address, static access, warp, then program order and lane: the first of each kind is the one
 * to keep. */
static int order_to_thin(const void *left, const void *right)
{
    const struct bsim_touch *a = left;
    const struct bsim_touch *b = right;
    int order = bsim_touch_by_place(a, b);
    order = order != 0 ? order : bsim_touch_by_static(a, b);
    order = order != 0 ? order : bsim_touch_order(a->step->warp, b->step->warp);
    order = order != 0 ? order : (a->step > b->step) - (a->step < b->step);
    return order != 0 ? order : bsim_touch_order(a->lane, b->lane);
}

/* By address, warp, static access: the order of the findings. */
static int order_to_pair(const void *left, const void *right)
{
    const struct bsim_touch *a = left;
    const struct bsim_touch *b = right;
    int order = bsim_touch_by_place(a, b);
    order = order != 0 ? order : bsim_touch_order(a->step->warp, b->step->warp);
    return order != 0 ? order : bsim_touch_by_static(a, b);
}

void bsim_pairs_thin_out(struct bsim_touches *touches)
{
    struct bsim_touch *list = touches->list;
    size_t kept = 0;
    uint32_t warps = 0; /* kept of this address and static access */
    qsort(list, touches->n, sizeof *list, order_to_thin);
    for (size_t i = 0; i < touches->n; i++) {
        bool same = kept > 0 && bsim_touch_by_place(&list[kept - 1], &list[i]) == 0 &&
                    bsim_touch_by_static(&list[kept - 1], &list[i]) == 0;
        if (!same) {
            warps = 0;
        } else if (warps == MAX_WARPS || list[kept - 1].step->warp == list[i].step->warp) {
            continue;
        }
        list[kept++] = list[i];
        warps++;
    }
    touches->n = kept;
}

static bool add_pair(const struct bsim_touch *a, const struct bsim_touch *b,
                     struct bsim_findings *findings, const struct bsim_race *place,
                     uint64_t interval)
{
    struct bsim_race race = *place;
    race.address = a->address;
    race.access[0] = bsim_touch_side(a->step, a->lane);
    race.access[1] = bsim_touch_side(b->step, b->lane);
    return bsim_findings_add_race(findings, &race, interval);
}

static size_t link_writes(struct bsim_touch *touch, size_t n)
{
    size_t next = n;
    for (size_t i = n; i-- > 0;) {
        touch[i].next_write = next;
        next = bsim_step_writes(touch[i].step) ? i : next;
    }
    return next;
}

/* The touches of one byte, in the order of pairs: a write is held against every touch of a later
 * warp, a read against the writes alone. Each step of the inner loop is a race, so that the time
 * is that of the findings, however many accesses merely meet there. */
static bool pair_up(struct bsim_touch *touch, size_t n, struct bsim_findings *findings,
                    const struct bsim_race *place, uint64_t interval)
{
    size_t write = link_writes(touch, n); /* the first in `later` */
    size_t later = 0;                     /* first touch of a later warp than i's */
    for (size_t i = 0; i < n; i++) {
        while (later < n && touch[later].step->warp == touch[i].step->warp) {
            later++;
        }
        while (write < later) {
            write = touch[write].next_write;
        }
        bool writes = bsim_step_writes(touch[i].step);
        size_t j = writes ? later : write;
        while (j < n && !findings->is_cut) {
            if (!add_pair(&touch[i], &touch[j], findings, place, interval)) {
                return false;
            }
            j = writes ? j + 1 : touch[j].next_write;
        }
    }
    return true;
}

bool bsim_pairs_report(struct bsim_touches *touches, struct bsim_findings *findings,
                       const struct bsim_race *place, uint64_t interval)
{
    struct bsim_touch *list = touches->list;
    if (touches->n == 0) {
        return true;
    }
    bsim_pairs_thin_out(touches);
    qsort(list, touches->n, sizeof *list, order_to_pair);
    for (size_t start = 0, end; start < touches->n && !findings->is_cut; start = end) {
        for (end = start + 1;
             end < touches->n && bsim_touch_by_place(&list[end], &list[start]) == 0;) {
            end++;
        }
        if (!pair_up(&list[start], end - start, findings, place, interval)) {
            return false;
        }
    }
    touches->n = 0;
    return true;
}

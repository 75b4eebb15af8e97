/* work.c - what stands between accesses, for cycles: how many instructions, how long they take at least,
 * and which loads' results they want.
 *
 *     ld.shared %r1, [%r9]           a load: %r1 is outstanding
 *     ld.shared %r2, [%r9+128]       another
 *     add %r3, %r1, 5                wants %r1: at most one load may be outstanding
 *     add %r4, %r3, 1                wants what the addition before has 4 clocks later
 *     st.shared [%r9], %r4           before it: work 2:8 wait=1
 *
 * All of this is assumed. PTX is not what the GPU executes: ptxas orders instructions anew, folds some
 * into others, and drops what moves or converts addresses, which is no work here either. The 4 clocks are
 * the model's chain latency (src/timing/README.md).
 */
#include "ptx/machine.h"

#include "base/memory.h"

#include <string.h>

enum { CHAIN_CLOCKS = 4 };

/* A warp's instructions since its last event. */
struct bsim_ptx_work {
    uint32_t n;            /* instructions */
    uint32_t since, clock; /* of the last event; behind the last instruction */
    uint32_t n_loads;      /* of the warp so far, with results */
    uint32_t n_arrived;    /* of them, whose results somebody has waited for */
    uint32_t *load;        /* of each place: the load whose result it is, from 1; 0: none's */
    uint32_t *ready;       /* of each place: the clock */
    bool has_wait;         /* of the instructions */
};

struct bsim_ptx_work *bsim_ptx_work_new(uint32_t n_words)
{
    struct bsim_ptx_work *work = bsim_mem_zeroed(1, sizeof *work);
    if (work != NULL) {
        work->load = bsim_mem_zeroed(n_words, sizeof *work->load);
        work->ready = bsim_mem_zeroed(n_words, sizeof *work->ready);
        if (work->load == NULL || work->ready == NULL) {
            bsim_ptx_work_free(work);
            work = NULL;
        }
    }
    return work;
}

void bsim_ptx_work_free(struct bsim_ptx_work *work)
{
    if (work != NULL) {
        bsim_mem_free(work->load);
        bsim_mem_free(work->ready);
        bsim_mem_free(work);
    }
}

void bsim_ptx_work_start(struct bsim_ptx_warp *warp)
{
    struct bsim_ptx_work *work = warp->work;
    if (work != NULL) {
        uint32_t n_words = warp->block->program->n_words;
        memset(work->load, 0, n_words * sizeof *work->load);
        memset(work->ready, 0, n_words * sizeof *work->ready);
        work->n = work->since = work->clock = work->n_loads = work->n_arrived = 0;
        work->has_wait = false;
    }
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* ptxas makes nothing of it, or part of another instruction. */
static bool is_free(const struct bsim_ptx_step *step)
{
    const char *m = step->from->mnemonic;
    bool is_parameter = step->access != NULL && step->access->space == BSIM_PTX_PARAM;
    return is_parameter || strcmp(m, "mov") == 0 || strcmp(m, "cvta") == 0 ||
           (strcmp(m, "cvt") == 0 && step->from->n_types == 2 &&
            bsim_ptx_type_letter(step->from->type[0]) != 'f' &&
            bsim_ptx_type_letter(step->from->type[1]) != 'f');
}

static void want(struct bsim_ptx_work *work, uint32_t place, uint32_t *clock)
{
    if (place == BSIM_PTX_NOWHERE || place == 0) {
        return;
    }
    if (work->load[place] > work->n_arrived) {
        work->n_arrived = work->load[place];
        work->has_wait = true;
    }
    *clock = work->ready[place] > *clock ? work->ready[place] : *clock;
}

/* When it may issue; what it waits for is noted. */
static uint32_t want_all(struct bsim_ptx_work *work, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_access *access = step->access;
    uint32_t clock = work->clock;
    want(work, step->a, &clock);
    want(work, step->b, &clock);
    want(work, step->c, &clock);
    want(work, step->has_guard ? step->guard : 0, &clock);
    for (uint32_t i = 0; access != NULL && access->opcode.family == BSIM_ST && i < access->count;
         i++) {
        want(work, access->value[i], &clock);
    }
    return clock;
}

static void give(struct bsim_ptx_work *work, uint32_t place, uint32_t load, uint32_t clock)
{
    if (place != BSIM_PTX_NOWHERE && place != 0) {
        work->load[place] = load;
        work->ready[place] = clock;
    }
}

/* The step is executed next. */
void bsim_ptx_work_note(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    struct bsim_ptx_work *work = warp->work;
    if (step->from == NULL) {
        return;
    }
    const struct bsim_ptx_access *access = step->access;
    bool is_event = access != NULL && !access->is_silent;
    uint32_t clock = want_all(work, step);
    if (!is_event && !is_free(step) && (access == NULL || !access->is_silent)) {
        work->n++;
        work->clock = clock + 1;
    }
    if (access == NULL) {
        give(work, step->kind == BSIM_PTX_COMPUTE ? step->d : 0, 0,
             is_free(step) ? clock : clock + CHAIN_CLOCKS);
    }
}

/* The access is on its way: what it loads is outstanding. Of a merged load all parts are. */
void bsim_ptx_work_loaded(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    struct bsim_ptx_work *work = warp->work;
    const struct bsim_ptx_access *access = step->access;
    if (access->opcode.family == BSIM_LD) {
        work->n_loads += !access->is_silent;
        for (uint32_t i = 0; i < access->count; i++) {
            give(work, access->value[i], work->n_loads, work->clock);
        }
    } else if (access->opcode.family == BSIM_ATOM) {
        work->n_loads++;
        give(work, access->result, work->n_loads, work->clock);
    }
}

/* ---- events ---------------------------------------------------------------------------------- */

struct bsim_ptx_since bsim_ptx_work_take(struct bsim_ptx_warp *warp)
{
    struct bsim_ptx_work *work = warp->work;
    struct bsim_ptx_since since = {.wait = BSIM_ANY_COUNT};
    if (work != NULL) {
        int32_t n_wanted = (int32_t)(work->n_loads - work->n_arrived);
        since.n = work->n;
        since.cycles = work->clock - work->since;
        since.wait = work->has_wait ? n_wanted : BSIM_ANY_COUNT;
        work->has_wait = false;
        work->n = 0;
        work->since = work->clock;
    }
    return since;
}

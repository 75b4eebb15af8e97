/* proxy.c - fences that are missing in front of wgmma and of copies by TMA out of shared memory.
 *
 *     st.shared.b32 [s], %r1;                  marked: by lanes, which wgmma and TMA see by another way
 *     fence.proxy.async.shared::cta;           of all threads that stored: no mark is left
 *     bar.sync 0;
 *     mul.f32 %f1, %f1, %f2;
 *     wgmma.fence.sync.aligned;                between what writes a register and a wgmma that has it
 *     wgmma.mma_async... {%f1, ...}, a, b;     reads what a and b describe
 *
 * (PTX ISA, "Async proxy", "wgmma.fence".) A fence of whichever thread takes the marks of all bytes, those that
 * others have stored without one in order before it, too: what is told is wrong, not all that is wrong is told.
 * Of registers those are told that something between two branches writes, with no wgmma.fence behind; a
 * mov is followed to what it copies, as ptxas makes nothing of it.
 */
#include "ptx/proxy.h"

#include "base/bits.h"
#include "base/memory.h"
#include "ptx/wgmma.h"

#include <inttypes.h>
#include <string.h>

struct bsim_ptx_proxy {
    unsigned char *marked; /* of each byte of shared memory */
    uint64_t begin, end;   /* no byte outside is */
    unsigned char *looked; /* of each step: its registers were looked at */
    bool is_fenced[BSIM_BLOCK_MAX_WARPS]; /* the warp has executed a wgmma.fence */
};

/* ---- blocks ---------------------------------------------------------------------------------- */

/* wgmma, and copies out of shared memory, which have a bulk group. */
static bool is_reader(const struct bsim_ptx_instruction *from)
{
    return from != NULL && (bsim_ptx_is_of_warps(from) ||
                            (bsim_ptx_is_a(from, "cp") && bsim_ptx_has(from, BSIM_PTX_BULK_GROUP)));
}

struct bsim_ptx_proxy *bsim_ptx_proxy_new(const struct bsim_ptx_block *block)
{
    const struct bsim_ptx_program *program = block->program;
    bool reads = false;
    for (uint32_t i = 0; i < program->n_steps && block->findings != NULL; i++) {
        reads = reads || is_reader(program->step[i].from);
    }
    struct bsim_ptx_proxy *proxy = reads ? bsim_mem_zeroed(1, sizeof *proxy) : NULL;
    if (proxy != NULL) {
        proxy->marked = bsim_mem_zeroed((size_t)block->shared_bytes + 1, 1);
        proxy->looked = bsim_mem_zeroed((size_t)program->n_steps + 1, 1);
        if (proxy->marked == NULL || proxy->looked == NULL) {
            bsim_ptx_proxy_free(proxy);
            proxy = NULL;
        }
    }
    return proxy;
}

void bsim_ptx_proxy_free(struct bsim_ptx_proxy *proxy)
{
    if (proxy != NULL) {
        bsim_mem_free(proxy->marked);
        bsim_mem_free(proxy->looked);
        bsim_mem_free(proxy);
    }
}

static void clear(struct bsim_ptx_proxy *proxy)
{
    if (proxy->end > proxy->begin) {
        memset(proxy->marked + proxy->begin, 0, proxy->end - proxy->begin);
    }
    proxy->begin = proxy->end = 0;
}

void bsim_ptx_proxy_start(struct bsim_ptx_block *block)
{
    if (block->proxy != NULL) {
        clear(block->proxy);
        memset(block->proxy->is_fenced, 0, sizeof block->proxy->is_fenced);
    }
}

/* ---- shared memory --------------------------------------------------------------------------- */

void bsim_ptx_proxy_write(struct bsim_ptx_warp *warp, const uint64_t *address, uint32_t bytes)
{
    struct bsim_ptx_proxy *proxy = warp->block->proxy;
    uint64_t size = warp->block->shared_bytes;
    for (uint32_t left = warp->mask; left != 0; left &= left - 1) {
        uint64_t begin = address[bsim_bits_lowest(left)], end = begin + bytes;
        if (begin < size) {
            end = end < size ? end : size;
            memset(proxy->marked + begin, 1, end - begin);
            proxy->begin = proxy->end == 0 || begin < proxy->begin ? begin : proxy->begin;
            proxy->end = end > proxy->end ? end : proxy->end;
        }
    }
}

void bsim_ptx_proxy_copied(struct bsim_ptx_block *block, uint32_t at, uint32_t bytes)
{
    if (block->proxy != NULL) {
        memset(block->proxy->marked + at, 0, bytes);
    }
}

bool bsim_ptx_proxy_read(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t at, uint32_t bytes)
{
    struct bsim_ptx_proxy *proxy = warp->block->proxy;
    if (proxy == NULL || at >= proxy->end || at + bytes <= proxy->begin ||
        memchr(proxy->marked + at, 1, bytes) == NULL) {
        return false;
    }
    bsim_ptx_find_unfenced_bytes(warp, step, at, bytes);
    return true;
}

bool bsim_ptx_is_proxy_fence(const struct bsim_ptx_instruction *from)
{
    bool is_async = bsim_ptx_has(from, BSIM_PTX_ASYNC) ||
                    (from->unknown != NULL && strncmp(from->unknown, "async", 5) == 0);
    return bsim_ptx_has(from, BSIM_PTX_PROXY_ASYNC) || (bsim_ptx_has(from, BSIM_PTX_PROXY) && is_async);
}

/* .global alone is of no use here. */
void bsim_ptx_proxy_fence(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    if (warp->block->proxy != NULL && !bsim_ptx_has(step->from, BSIM_PTX_GLOBAL_)) {
        clear(warp->block->proxy);
    }
}

/* ---- registers ------------------------------------------------------------------------------- */

enum { MOST_WATCHED = 512 };

/* Places of registers that a wgmma has, or that a mov has copied there. */
struct watch {
    uint32_t place[MOST_WATCHED], n;
};

static void add(struct watch *watch, uint32_t place)
{
    if (place != BSIM_PTX_NOWHERE && watch->n < MOST_WATCHED) {
        watch->place[watch->n++] = place;
    }
}

static void add_all(struct watch *watch, const struct bsim_ptx_argument *argument)
{
    for (uint32_t i = 0; i < argument->n; i++) {
        add(watch, argument->place[i]);
    }
}

/* Whether it was watched; not any more. */
static bool take_out(struct watch *watch, uint32_t place)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < watch->n; i++) {
        if (watch->place[i] != place) {
            watch->place[n++] = watch->place[i];
        }
    }
    bool was = n < watch->n;
    watch->n = n;
    return was;
}

static bool take_out_all(struct watch *watch, const struct bsim_ptx_argument *argument)
{
    bool any = false;
    for (uint32_t i = 0; i < argument->n; i++) {
        any = take_out(watch, argument->place[i]) || any;
    }
    return any;
}

/* Whether the step writes what is watched, and is no copy of a register. */
static bool writes(struct watch *watch, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_access *access = step->access;
    if (step->kind != BSIM_PTX_COMPUTE && step->kind != BSIM_PTX_MEET_WARPS && step->kind != BSIM_PTX_MEET_LANES) {
        return false;
    }
    if (bsim_ptx_is_of_warps(step->from)) {
        (void)take_out_all(watch, &step->argument[0]);
        return false;
    }
    if (step->argument != NULL) {
        bool is_result = step->from->n_operands > 1 && step->from->operand[0].kind != BSIM_PTX_ADDRESS;
        return is_result && take_out_all(watch, &step->argument[0]);
    }
    if (access != NULL) {
        bool any = false;
        for (uint32_t i = 0; i < access->count && access->opcode.family == BSIM_LD; i++) {
            any = take_out(watch, access->value[i]) || any;
        }
        return any;
    }
    if (!take_out(watch, step->d)) {
        return false;
    }
    if (bsim_ptx_is_a(step->from, "mov")) {
        add(watch, step->a);
        add(watch, step->b);
        return false;
    }
    return true;
}

/* Where lanes part or meet: what is in front of it may not be what was executed before. */
static bool is_border(const struct bsim_ptx_step *step)
{
    return step->is_meeting || step->kind == BSIM_PTX_BRANCH || step->kind == BSIM_PTX_BRANCH_BY_INDEX ||
           step->kind == BSIM_PTX_CALL || step->kind == BSIM_PTX_CALL_BY_ADDRESS || step->kind == BSIM_PTX_RETURN ||
           step->kind == BSIM_PTX_LEAVE;
}

static bool is_wgmma_fence(const struct bsim_ptx_instruction *from)
{
    return bsim_ptx_is_a(from, "wgmma") && bsim_ptx_has(from, BSIM_PTX_FENCE_);
}

/* What writes a register of the wgmma behind the last wgmma.fence, or NULL. */
static const struct bsim_ptx_step *find_writer(const struct bsim_ptx_program *program, const struct bsim_ptx_step *wgmma)
{
    struct watch watch = {.n = 0};
    add_all(&watch, &wgmma->argument[0]);
    if (wgmma->from->operand[1].kind == BSIM_PTX_VECTOR) {
        add_all(&watch, &wgmma->argument[1]);
    }
    for (const struct bsim_ptx_step *step = wgmma; step > program->step && !is_border(step); step--) {
        const struct bsim_ptx_instruction *from = step[-1].from;
        if (from == NULL || is_border(&step[-1]) || is_wgmma_fence(from)) {
            return NULL;
        }
        if (writes(&watch, &step[-1])) {
            return &step[-1];
        }
    }
    return NULL;
}

void bsim_ptx_proxy_multiply(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_program *program = warp->block->program;
    struct bsim_ptx_proxy *proxy = warp->block->proxy;
    if (proxy == NULL) {
        return;
    }
    unsigned char *looked = &proxy->looked[step - program->step];
    if (!proxy->is_fenced[warp->number]) {
        bsim_ptx_find_unfenced_register(warp, step, NULL);
        proxy->is_fenced[warp->number] = true; /* told */
    } else if (!*looked) {
        const struct bsim_ptx_step *writer = find_writer(program, step);
        *looked = writer == NULL;
        if (writer != NULL) {
            bsim_ptx_find_unfenced_register(warp, step, writer);
        }
    }
}

void bsim_ptx_run_wgmma_fence(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    (void)step;
    if (warp->block->proxy != NULL) {
        warp->block->proxy->is_fenced[warp->number] = true;
    }
}

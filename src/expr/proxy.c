/* proxy.c - fences that a sketch lacks in front of wgmma and of copies by TMA out of shared memory, as ../ptx/proxy.c has
 * them of PTX.
 *
 *     store C[g][lane]                       marked: by lanes, which wgmma and TMA see by another way
 *     fence proxy.async.shared::cta          of all threads that stored: no mark is left
 *     arrive written[g] ... wait written[g], 0
 *     tma store C[g], c[0]                   reads
 *
 * A fence of whichever thread takes all marks, those of others, too. Of a request the first element and the last are
 * marked, what lies between them may be nobody's: what is told is wrong, not all that is wrong is told.
 */
#include "expr/proxy.h"

#include "base/memory.h"

#include <banksim/model.h>
#include <banksim/wgmma.h>

#include <inttypes.h>
#include <string.h>

enum { CHUNK = 16 };

enum bsim_status bsim_proxy_begin(struct bsim_proxy *proxy, const struct bsim_check *check, struct bsim_error *err)
{
    *proxy = (struct bsim_proxy){.check = check,
                                 .stored = bsim_mem_zeroed(BSIM_CHECK_MAX_SHARED_BYTES, 1),
                                 .unfenced = bsim_mem_zeroed(check->n_accesses + 1, sizeof *proxy->unfenced)};
    return proxy->stored != NULL && proxy->unfenced != NULL ? BSIM_OK : bsim_mem_short(err);
}

void bsim_proxy_free(struct bsim_proxy *proxy)
{
    bsim_mem_free(proxy->stored);
    bsim_mem_free(proxy->unfenced);
}

static void mark(struct bsim_proxy *proxy, uint32_t begin, uint32_t bytes)
{
    memset(proxy->stored + begin, 1, bytes);
    proxy->begin = proxy->end == 0 || begin < proxy->begin ? begin : proxy->begin;
    proxy->end = begin + bytes > proxy->end ? begin + bytes : proxy->end;
}

void bsim_proxy_touch(struct bsim_proxy *proxy, const struct bsim_meet_touch *touch)
{
    const struct bsim_opcode *opcode = &touch->access->shown.opcode;
    if ((bsim_family_does(opcode->family) & (BSIM_WRITES | BSIM_UPDATES)) != 0) {
        mark(proxy, touch->first, opcode->bytes);
        mark(proxy, touch->last + 1 - opcode->bytes, opcode->bytes);
    }
}

void bsim_proxy_fence(struct bsim_proxy *proxy)
{
    memset(proxy->stored + proxy->begin, 0, proxy->end - proxy->begin);
    proxy->begin = proxy->end = 0;
}

void bsim_proxy_load(struct bsim_proxy *proxy, const struct bsim_meet_op *op)
{
    memset(proxy->stored + op->begin[0], 0, op->begin[1] - op->begin[0]);
}

/* ---- who reads ------------------------------------------------------------------------------- */

static bool is_marked(const struct bsim_proxy *proxy, uint32_t at, uint32_t bytes)
{
    return at < proxy->end && proxy->begin < at + bytes && memchr(proxy->stored + at, 1, bytes) != NULL;
}

static void find(struct bsim_proxy *proxy, uint32_t warp, const struct bsim_meet_op *op, uint32_t at, uint32_t bytes)
{
    struct bsim_unfenced *unfenced = &proxy->unfenced[op->step->access];
    if (unfenced->n++ == 0) {
        unfenced->warp = warp;
        unfenced->at = at;
        unfenced->bytes = bytes;
    }
}

void bsim_proxy_store(struct bsim_proxy *proxy, uint32_t warp, const struct bsim_meet_op *op)
{
    uint32_t bytes = op->begin[1] - op->begin[0];
    if (bytes > 0 && is_marked(proxy, op->begin[0], bytes)) {
        find(proxy, warp, op, op->begin[0], bytes);
    }
}

/* The first marked 16 bytes that an operand of n rows of A or columns of B reads, or UINT32_MAX. */
static uint32_t find_chunk(const struct bsim_proxy *proxy, const struct bsim_wgmma_descriptor *operand, uint32_t n,
                           uint32_t element_bytes)
{
    uint32_t k = BSIM_WGMMA_K_BYTES / element_bytes, step = CHUNK / element_bytes;
    bool is_mn_major = operand->is_mn_major;
    for (uint32_t i = 0; i < n; i += is_mn_major ? step : 1) {
        for (uint32_t j = 0; j < k; j += is_mn_major ? 1 : step) {
            uint32_t at = bsim_wgmma_address(operand, element_bytes, j, i);
            if (is_marked(proxy, at, CHUNK)) {
                return at;
            }
        }
    }
    return UINT32_MAX;
}

void bsim_proxy_wgmma(struct bsim_proxy *proxy, uint32_t warp, const struct bsim_meet_op *op)
{
    const struct bsim_access *access = &proxy->check->access[op->step->access];
    uint32_t bytes = (uint32_t)access->async->b->type->size, at = UINT32_MAX;
    if (proxy->end == 0) {
        return;
    }
    if (!access->async->a_in_registers) {
        at = find_chunk(proxy, &op->operand[0], BSIM_WGMMA_M, bytes);
    }
    at = at == UINT32_MAX ? find_chunk(proxy, &op->operand[1], 8u * access->shown.opcode.count, bytes) : at;
    if (at != UINT32_MAX) {
        find(proxy, warp, op, at, CHUNK);
    }
}

/* ---- what is told ---------------------------------------------------------------------------- */

void bsim_proxy_tell(const struct bsim_proxy *proxy, struct bsim_buffer *out)
{
    for (size_t i = 0; i < proxy->check->n_accesses; i++) {
        const struct bsim_check_access *shown = &proxy->check->access[i].shown;
        const struct bsim_unfenced *unfenced = &proxy->unfenced[i];
        if (unfenced->n == 0) {
            continue;
        }
        bsim_buffer_printf(out, "warning: %s %s", shown->op, shown->text);
        if (shown->file != NULL) {
            bsim_buffer_printf(out, " at %s:%" PRIu32, shown->file, shown->line);
        }
        bsim_buffer_printf(out,
                           ", warp %" PRIu32 ": reads %" PRIu32 " bytes at byte %" PRIu32
                           " of shared memory that threads stored, without a fence proxy.async behind: it may get what was "
                           "there before; let each thread that stores come to fence proxy.async.shared::cta, and then meet",
                           unfenced->warp, unfenced->bytes, unfenced->at);
        if (unfenced->n > 1) {
            bsim_buffer_printf(out, " (and %" PRIu64 " more time%s)", unfenced->n - 1, unfenced->n > 2 ? "s" : "");
        }
        bsim_buffer_text(out, "\n");
    }
}

/* binary_async.c - the records of wgmma and bulk copies, read and written; FORMAT.md has their bytes. */
#include "trace/binary/binary_decode.h"

#include "event/async.h"

enum {
    DESCRIPTOR_BYTES = 16,
    A_AT = BSIM_BINARY_UNIT_BYTES,
    B_AT = A_AT + DESCRIPTOR_BYTES,
    COPY_AT = BSIM_BINARY_UNIT_BYTES,
    BOX_AT = COPY_AT + 20,
    BOX_END = BOX_AT + 4 * BSIM_TMA_MAX_DIMS,
    END_AT = B_AT + DESCRIPTOR_BYTES,
    HAS_A = 1,
    N_SWIZZLES = 4,
};

/* ---- writing -------------------------------------------------------------------------------- */

static void put_descriptor(const struct bsim_wgmma_descriptor *at, unsigned char *to)
{
    bsim_put32(to, at->start);
    bsim_put32(to + 4, at->leading_bytes);
    bsim_put32(to + 8, at->stride_bytes);
    to[12] = (unsigned char)at->base_offset;
    to[13] = (unsigned char)at->swizzle;
    to[14] = at->is_mn_major;
}

size_t bsim_binary_put_async(const struct bsim_event *event, unsigned char *record)
{
    const struct bsim_async *async = event->async;
    const struct bsim_tma *copy = &async->copy;
    record[0] = BSIM_BINARY_ASYNC;
    if (event->opcode.family == BSIM_WGMMA) {
        bsim_put32(record + 4, async->a_in_registers ? 0 : HAS_A);
        if (!async->a_in_registers) {
            put_descriptor(&async->a, record + A_AT);
        }
        put_descriptor(&async->b, record + B_AT);
        return BSIM_BINARY_ASYNC_BYTES;
    }
    bsim_put32(record + 4, async->arrives);
    bsim_put32(record + 8, copy->element_bytes);
    bsim_put32(record + 12, copy->swizzle);
    bsim_put64(record + COPY_AT, copy->from);
    bsim_put64(record + COPY_AT + 8, copy->pitch_bytes);
    bsim_put32(record + COPY_AT + 16, copy->start);
    for (uint32_t d = 0; d < BSIM_TMA_MAX_DIMS; d++) {
        bsim_put32(record + BOX_AT + (size_t)4 * d, copy->box[d]);
    }
    bsim_put32(record + BOX_END, copy->inside);
    return BSIM_BINARY_ASYNC_BYTES;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* False: a number that stands for nothing. */
static bool get_descriptor(const unsigned char *from, struct bsim_wgmma_descriptor *at)
{
    at->start = bsim_get32(from);
    at->leading_bytes = bsim_get32(from + 4);
    at->stride_bytes = bsim_get32(from + 8);
    at->base_offset = from[12];
    at->swizzle = (enum bsim_wgmma_swizzle)(from[13] % N_SWIZZLES);
    at->is_mn_major = from[14] == 1;
    return from[13] < N_SWIZZLES && from[14] <= 1 && from[15] == 0;
}

/* What a record has no use for is 0. */
static bool is_zero(const unsigned char *from, size_t n)
{
    unsigned char any = 0;
    for (size_t i = 0; i < n; i++) {
        any |= from[i];
    }
    return any == 0;
}

static bool get_wgmma(const unsigned char *record, struct bsim_async *async)
{
    uint32_t flags = bsim_get32(record + 4);
    async->a_in_registers = flags == 0;
    return flags <= HAS_A && is_zero(record + 8, A_AT - 8) &&
           is_zero(record + END_AT, BSIM_BINARY_ASYNC_BYTES - END_AT) &&
           (flags == HAS_A || is_zero(record + A_AT, DESCRIPTOR_BYTES)) &&
           get_descriptor(record + A_AT, &async->a) &&
           get_descriptor(record + B_AT, &async->b);
}

static bool get_copy(const unsigned char *record, const struct bsim_opcode *opcode,
                     struct bsim_async *async)
{
    struct bsim_tma *copy = &async->copy;
    uint32_t swizzle = bsim_get32(record + 12);
    async->arrives = bsim_get32(record + 4);
    copy->way = bsim_async_way(opcode);
    copy->n_dims = opcode->count;
    copy->element_bytes = bsim_get32(record + 8);
    copy->swizzle = (enum bsim_tma_swizzle)(swizzle % N_SWIZZLES);
    copy->from = bsim_get64(record + COPY_AT);
    copy->pitch_bytes = bsim_get64(record + COPY_AT + 8);
    copy->start = bsim_get32(record + COPY_AT + 16);
    copy->inside = bsim_get32(record + BOX_END);
    bool is_plain = is_zero(record + BOX_END + 4, BSIM_BINARY_ASYNC_BYTES - BOX_END - 4);
    for (uint32_t d = 0; d < BSIM_TMA_MAX_DIMS; d++) {
        copy->box[d] = bsim_get32(record + BOX_AT + (size_t)4 * d);
        is_plain &= copy->box[d] == 0 || d == 0 || d < copy->n_dims;
    }
    return swizzle < N_SWIZZLES && is_plain;
}

void bsim_binary_take_async(struct bsim_binary *binary, const unsigned char *record,
                            struct bsim_event *event)
{
    struct bsim_async *async = &binary->async;
    bool is_right = bsim_opcode_is_async(&event->opcode);
    *async = (struct bsim_async){.arrives = 0};
    is_right = is_right && (event->opcode.family == BSIM_WGMMA
                                ? get_wgmma(record, async)
                                : get_copy(record, &event->opcode, async));
    if (!is_right) {
        bsim_binary_malformed(binary, record, "a wgmma or a bulk copy that is none");
        return;
    }
    event->async = async;
    event->mask = BSIM_FULL_MASK;
    bsim_binary_check(binary, record,
                      bsim_rules_async(&binary->rules, event, bsim_binary_err(binary)));
}

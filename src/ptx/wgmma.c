/* wgmma.c - products of matrices that four warps make together, of operands in shared memory.
 *
 *     wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {d0 .. d7}, a, b, p, 1, -1, 0, 1;
 *
 * D, 64 x N, is A B, or with p D + A B; 1, -1: B counts negative; 0, 1: A is K-major, B MN-major. Warp w of the
 * four has rows 16w to 16w + 15 of D, and of an A in registers, as mma has them (matrix.c): lane l is in
 * group g = l / 4 as number t = l % 4, a register has e numbers:
 *
 *     A, 16 x K    register r: row g + 8 (r % 2), columns 4e (r / 2) + e t ...
 *     D, 16 x N    of 32 bits, register r: row g + 8 (r / 2 % 2), column 8 (r / 4) + 2t + r % 2
 *                  of 16: row g + 8 (r % 2), columns 8 (r / 2) + 2t and the next
 *
 * A descriptor is as wgmma.h has it, in 64 bits: from bit 0 on start / 16, from 16 LBO / 16, from 32 SBO / 16,
 * from 49 the base offset, from 62 the swizzle (PTX ISA, "Matrix Descriptor Format"). Where elements lie:
 * model/wgmma.c.
 *
 * The product is there when it is begun, at once for all four warps, which wait for each other there; who
 * reads D before wgmma.wait_group has what it will be. The first warp has the event.
 */
#include "ptx/wgmma.h"

#include "event/async.h"
#include "ptx/beside.h"
#include "ptx/product.h"
#include "ptx/proxy.h"
#include "ptx/push.h"
#include "ptx/tiles.h"
#include "ptx/work.h"

#include <math.h>
#include <string.h>

enum {
    LANES = BSIM_WARP_LANES,
    WARPS = BSIM_WGMMA_WARPS,
    ROWS = BSIM_WGMMA_M / WARPS,
    MOST_K = BSIM_WGMMA_K_BYTES,
    CHUNK = 16,
};

/* ---- words ----------------------------------------------------------------------------------- */

/* Types of D and of A and B that go together, by their classes. */
static bool are_types(const struct bsim_ptx_instruction *from)
{
    uint32_t d = from->type[0], a = from->type[1], b = from->type[2];
    bool is_real = d == BSIM_PTX_F32 || d == BSIM_PTX_F16;
    switch (from->n_types == 3 ? a : BSIM_PTX_NO_TYPE) {
    case BSIM_PTX_F16:
        return a == b && is_real;
    case BSIM_PTX_BF16:
    case BSIM_PTX_TF32:
        return a == b && d == BSIM_PTX_F32;
    case BSIM_PTX_E4M3:
    case BSIM_PTX_E5M2:
        return (b == BSIM_PTX_E4M3 || b == BSIM_PTX_E5M2) && is_real;
    case BSIM_PTX_S8:
    case BSIM_PTX_U8:
        return (b == BSIM_PTX_S8 || b == BSIM_PTX_U8) && d == BSIM_PTX_S32;
    default:
        return false;
    }
}

static uint32_t element_bytes(const struct bsim_ptx_instruction *from)
{
    return bsim_ptx_type_bits(from->type[1]) / 8;
}

static bool has_a_in_registers(const struct bsim_ptx_instruction *from)
{
    return from->operand[1].kind == BSIM_PTX_VECTOR;
}

/* Operands behind scale-d: signs of numbers with a point, and of 16 bits which way operands lie. */
static uint32_t count_rest(const struct bsim_ptx_instruction *from)
{
    bool is_whole = bsim_ptx_type_letter(from->type[0]) == 's';
    return is_whole                  ? 0
           : element_bytes(from) != 2 ? 2
                                      : 4 - has_a_in_registers(from);
}

/* The number behind scale-d, 0 where it has none. */
static int32_t rest_at(const struct bsim_ptx_instruction *from, uint32_t i)
{
    return i < count_rest(from) ? (int32_t)from->operand[4 + i].bits : 0;
}

static bool is_form(const struct bsim_ptx_instruction *from)
{
    if (!are_types(from) || from->n_operands < 4) {
        return false;
    }
    uint32_t registers = from->columns * bsim_ptx_type_bits(from->type[0]) / 64;
    const struct bsim_ptx_operand *a = &from->operand[1];
    bool is = bsim_async_has_columns(from->columns, bsim_ptx_type_letter(from->type[0]) == 's') &&
              from->inner == MOST_K / element_bytes(from) && from->operand[0].n == registers &&
              (a->kind != BSIM_PTX_VECTOR || a->n == 4) && from->n_operands == 4 + count_rest(from);
    for (uint32_t i = 4; i < from->n_operands; i++) {
        is = is && from->operand[i].kind == BSIM_PTX_INTEGER;
    }
    return is;
}

static enum bsim_ptx_space name_wgmma(const struct bsim_ptx_instruction *from,
                                      struct bsim_opcode *opcode)
{
    static const char letters[BSIM_PTX_TYPES] = {
        [BSIM_PTX_F16] = 'f',  [BSIM_PTX_BF16] = 'n', [BSIM_PTX_TF32] = 't', [BSIM_PTX_E4M3] = 'e',
        [BSIM_PTX_E5M2] = 'd', [BSIM_PTX_S8] = 's',   [BSIM_PTX_U8] = 'u'};
    *opcode = (struct bsim_opcode){.family = BSIM_WGMMA,
                                   .type = letters[from->type[1]],
                                   .bits = (uint8_t)bsim_ptx_type_bits(from->type[1]),
                                   .count = (uint8_t)(from->columns / 8)};
    return BSIM_PTX_NO_SPACE;
}

/* ---- operands -------------------------------------------------------------------------------- */

static struct bsim_wgmma_descriptor unpack(uint64_t bits, bool is_mn_major)
{
    struct bsim_wgmma_descriptor descriptor = {.is_mn_major = is_mn_major};
    bsim_wgmma_decode(bits, &descriptor);
    return descriptor;
}

/* Operand i's descriptor; false after a fault, if lanes or warps of the four have others. */
static bool find_descriptor(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t i,
                            uint64_t *bits)
{
    struct bsim_ptx_warp *first = warp - warp->number % WARPS;
    *bits = bsim_ptx_take_argument(first, &step->argument[i], 0);
    for (uint32_t l = 0; l < LANES; l++) {
        if (bsim_ptx_take_argument(warp, &step->argument[i], l) != *bits) {
            bsim_ptx_fault_as(warp, step, l, BSIM_PTX_ILLEGAL,
                              "the descriptor of %s is another than that of lane 0 of the four warps "
                              "that execute this together",
                              i == 1 ? "A" : "B");
            return false;
        }
    }
    return true;
}

/* What the stream has of it; false after a fault. */
static bool find_operands(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                          struct bsim_async *async)
{
    const struct bsim_ptx_instruction *from = step->from;
    uint64_t a = 0, b;
    async->a_in_registers = has_a_in_registers(from);
    if ((!async->a_in_registers && !find_descriptor(warp, step, 1, &a)) ||
        !find_descriptor(warp, step, 2, &b)) {
        return false;
    }
    if (!async->a_in_registers) {
        async->a = unpack(a, rest_at(from, 2) != 0);
    }
    async->b = unpack(b, rest_at(from, async->a_in_registers ? 2 : 3) != 0);
    return true;
}

/* Whether somebody can have stored the operand so, and has: false after a fault. */
static bool check_operand(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                          const struct bsim_wgmma_descriptor *descriptor, const char *name,
                          uint32_t rows)
{
    struct bsim_error err;
    uint32_t bytes = element_bytes(step->from);
    bool is_mn = descriptor->is_mn_major;
    if (bsim_wgmma_check(descriptor, bytes, rows, warp->block->shared_bytes, &err) != BSIM_OK) {
        bsim_ptx_fault(warp, step, LANES, "%s: %s", name, err.message);
        return false;
    }
    uint32_t each = CHUNK / bytes, n_k = MOST_K / bytes;
    for (uint32_t k = 0; bsim_ptx_looks_for_unwritten(warp->block) && k < n_k;
         k += is_mn ? 1 : each) {
        for (uint32_t i = 0; i < rows; i += is_mn ? each : 1) {
            bsim_ptx_find_unwritten_at(warp, step, bsim_wgmma_address(descriptor, bytes, k, i),
                                       CHUNK);
        }
    }
    bsim_ptx_tiles_read(warp, step, descriptor, bytes, name, rows);
    bool told = false;
    for (uint32_t k = 0; warp->block->proxy != NULL && k < n_k && !told; k += is_mn ? 1 : each) {
        for (uint32_t i = 0; i < rows && !told; i += is_mn ? each : 1) {
            told = bsim_ptx_proxy_read(warp, step, bsim_wgmma_address(descriptor, bytes, k, i), CHUNK);
        }
    }
    return true;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Rows of K numbers that are multiplied with each other, and their exponents. */
struct rows {
    double of[BSIM_WGMMA_MAX_N][MOST_K];
    int exponent[BSIM_WGMMA_MAX_N][MOST_K];
    bool is_finite;
};

static void put_number(struct rows *rows, uint32_t i, uint32_t k, double x, int least)
{
    rows->of[i][k] = x;
    rows->exponent[i][k] = bsim_ptx_exponent(x, least);
    rows->is_finite = rows->is_finite && isfinite(x);
}

/* Rows first, first + 1 ... of an operand in shared memory, by its descriptor. */
static void gather_shared(const struct bsim_ptx_warp *warp,
                          const struct bsim_wgmma_descriptor *descriptor, uint32_t type,
                          uint32_t first, uint32_t n, struct rows *rows)
{
    uint32_t bytes = bsim_ptx_type_bits(type) / 8;
    int least = bsim_ptx_least_exponent(type);
    rows->is_finite = true;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < MOST_K / bytes; k++) {
            uint32_t at = bsim_wgmma_address(descriptor, bytes, k, first + i);
            uint32_t bits = 0;
            memcpy(&bits, warp->block->shared + at, bytes);
            put_number(rows, i, k, bsim_ptx_number(bits, type), least);
        }
    }
}

/* A's rows of the warp, in registers. */
static void gather_registers(const struct bsim_ptx_warp *warp,
                             const struct bsim_ptx_argument *argument, uint32_t type,
                             struct rows *rows)
{
    uint32_t bits = bsim_ptx_type_bits(type), e = 32 / bits;
    int least = bsim_ptx_least_exponent(type);
    rows->is_finite = true;
    for (uint32_t l = 0; l < LANES; l++) {
        for (uint32_t r = 0; r < 4; r++) {
            uint64_t value = bsim_ptx_take(warp, argument->place[r], false, l);
            for (uint32_t j = 0; j < e; j++) {
                put_number(rows, l / 4 + 8 * (r % 2), 4 * e * (r / 2) + e * (l % 4) + j,
                           bsim_ptx_number(value >> j * bits, type), least);
            }
        }
    }
}

static void negate(struct rows *a)
{
    for (uint32_t i = 0; i < ROWS; i++) {
        for (uint32_t k = 0; k < MOST_K; k++) {
            a->of[i][k] = -a->of[i][k];
        }
    }
}

/* ---- products -------------------------------------------------------------------------------- */

/* What a warp does. */
struct work {
    const struct bsim_ptx_instruction *from;
    struct rows a, b;
    enum bsim_ptx_product product;
    int kept;
    bool adds, saturates; /* to what D has */
};

static double make_sum(struct work *work, double d, uint32_t row, uint32_t column)
{
    struct bsim_ptx_line line = {.a = work->a.of[row],
                                 .b = work->b.of[column],
                                 .a_exponent = work->a.exponent[row],
                                 .b_exponent = work->b.exponent[column],
                                 .n = work->from->inner,
                                 .rounds = work->from->type[0] == BSIM_PTX_F16,
                                 .kept = work->kept};
    double c = work->adds ? d : 0;
    line.is_finite = work->product == BSIM_PTX_CUT_OFF && work->a.is_finite && work->b.is_finite &&
                     isfinite(c);
    return bsim_ptx_add_line(c, &line, work->product);
}

/* Register r of lane l: its numbers, which lie side by side in a row of D. */
static void put_register(struct bsim_ptx_warp *warp, const struct bsim_ptx_argument *argument,
                         struct work *work, uint32_t r, uint32_t l)
{
    uint32_t type = work->from->type[0], bits = bsim_ptx_type_bits(type), e = 32 / bits;
    uint32_t in_tile = r % (4 / e), row = l / 4 + 8 * (in_tile * e / 2);
    uint32_t column = 8 * (r / (4 / e)) + 2 * (l % 4) + in_tile * e % 2;
    uint64_t old = bsim_ptx_take(warp, argument->place[r], false, l), value = 0;
    for (uint32_t j = 0; j < e; j++) {
        double d = bsim_ptx_number(old >> j * bits, type);
        double sum = make_sum(work, d, row, column + j);
        value |= (bsim_ptx_number_bits(sum, type, work->saturates) & (UINT64_MAX >> (64 - bits)))
                 << j * bits;
    }
    bsim_ptx_put(warp, argument->place[r], 32, l, value);
}

static void make_products(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                          const struct bsim_async *async)
{
    const struct bsim_ptx_instruction *from = step->from;
    const struct bsim_ptx_argument *d = &step->argument[0];
    struct work work = {.from = from};
    work.product = from->type[0] == BSIM_PTX_S32 ? BSIM_PTX_EXACT : BSIM_PTX_CUT_OFF;
    work.kept = element_bytes(from) == 1 ? BSIM_PTX_KEPT_OF_8_BITS : BSIM_PTX_KEPT;
    work.adds = bsim_ptx_take_argument(warp, &step->argument[3], 0) != 0;
    work.saturates = bsim_ptx_has(from, BSIM_PTX_SATFINITE);
    gather_shared(warp, &async->b, from->type[2], 0, from->columns, &work.b);
    if (async->a_in_registers) {
        gather_registers(warp, &step->argument[1], from->type[1], &work.a);
    } else {
        gather_shared(warp, &async->a, from->type[1], warp->number % WARPS * ROWS, ROWS, &work.a);
    }
    if (rest_at(from, 0) * rest_at(from, 1) < 0) {
        negate(&work.a);
    }
    for (uint32_t r = 0; r < d->n; r++) {
        for (uint32_t l = 0; l < LANES; l++) {
            put_register(warp, d, &work, r, l);
        }
    }
}

static void run_wgmma(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    struct bsim_async async = {.arrives = 0};
    bool is_first = warp->number % WARPS == 0;
    uint32_t result = 0;
    if (!find_operands(warp, step, &async)) {
        return;
    }
    if (is_first) {
        if ((!async.a_in_registers && !check_operand(warp, step, &async.a, "A", BSIM_WGMMA_M)) ||
            !check_operand(warp, step, &async.b, "B", step->from->columns)) {
            return;
        }
        bsim_ptx_work_multiplies(warp);
        bsim_ptx_push_async(warp, step, &async);
        result = bsim_ptx_work_begun(warp);
    }
    bsim_ptx_groups_add(warp, BSIM_PTX_OF_WGMMA, 0, result);
    bsim_ptx_proxy_multiply(warp, step);
    make_products(warp, step, &async);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static void run_commit(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    (void)step;
    bsim_ptx_groups_commit(warp, BSIM_PTX_OF_WGMMA);
}

static void run_wait(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    if (bsim_ptx_groups_wait(warp, BSIM_PTX_OF_WGMMA, (uint32_t)step->from->operand[0].bits)) {
        bsim_ptx_groups_meet(warp, BSIM_PTX_OF_WGMMA);
    }
    bsim_ptx_work_multiplied(warp);
}

const struct bsim_ptx_service *bsim_ptx_find_wgmma(const struct bsim_ptx_instruction *from)
{
    static const struct bsim_ptx_service wgmma = {run_wgmma, name_wgmma},
                                         commit = {run_commit, NULL}, wait = {run_wait, NULL},
                                         fence = {bsim_ptx_run_wgmma_fence, NULL};
    if (bsim_ptx_is_of_warps(from)) {
        return is_form(from) ? &wgmma : NULL;
    }
    return bsim_ptx_has(from, BSIM_PTX_COMMIT_GROUP)                            ? &commit
           : bsim_ptx_has(from, BSIM_PTX_WAIT_GROUP) && from->n_operands == 1 ? &wait
           : bsim_ptx_has(from, BSIM_PTX_FENCE_)                                ? &fence
                                                                                : NULL;
}

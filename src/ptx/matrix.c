/* matrix.c - matrices that a warp holds together: ldmatrix, stmatrix, mma, wmma.
 *
 * Lane l is in group g = l / 4 as number t = l % 4. A register has e numbers (one of 32 bits, two
 * of 16, four of 8), which lie side by side; PTX ISA 9.0, "Matrix Fragments for mma":
 *
 *     A, 16 x K    register r: row g + 8 (r % 2), columns 4e (r / 2) + e t ...
 *     B, K x 8     register r: column g, rows 4e r + e t ...
 *     C, 16 x 8    of 32 bits: row g + 8 (r / 2), column 2t + r % 2; of 16: row g + 8r, two columns
 *
 * Larger matrices are tiles of these, one behind the other. wmma leaves the layout of its registers
 * open: here it is the same.
 */
#include "ptx/matrix.h"

#include "ptx/product.h"
#include "ptx/push.h"
#include "ptx/work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LANES = BSIM_WARP_LANES, MOST = 32, MOST_INNER = 256, MOST_REGISTERS = 32, SIZE = 4096 };

enum part { A, B, C };

/* What a warp holds of one matrix. */
struct fragment {
    enum part part;
    uint32_t rows, columns, type;
    uint32_t per_register; /* e */
    uint32_t n_registers;
};

struct at {
    uint32_t row, column;
};

/* Row behind row, of B column behind column: so both have what is multiplied side by side. */
struct matrix {
    uint32_t columns;
    double of[SIZE];
    int exponent[SIZE];
    bool is_finite;
};

static double *number_at(struct matrix *m, struct at at)
{
    return &m->of[at.row * m->columns + at.column];
}

/* ---- layout ---------------------------------------------------------------------------------- */

static bool read_shape(const struct bsim_ptx_instruction *from, uint32_t shape[3])
{
    for (uint32_t i = 0; i < from->n_words; i++) {
        const char *name = bsim_ptx_word_name(from->word[i]);
        if (name[0] == 'm' && sscanf(name, "m%un%uk%u", &shape[0], &shape[1], &shape[2]) == 3) {
            return shape[0] <= MOST && shape[1] <= MOST && shape[2] <= MOST_INNER;
        }
    }
    return false;
}

static struct fragment make_fragment(enum part part, const uint32_t shape[3], uint32_t type)
{
    uint32_t bits = bsim_ptx_type_bits(type);
    struct fragment f = {.part = part,
                         .rows = part == B ? shape[2] : shape[0],
                         .columns = part == A ? shape[2] : shape[1],
                         .type = type,
                         .per_register = bits >= 32 ? 1 : 32 / bits};
    f.n_registers = f.rows * f.columns / LANES / f.per_register;
    return f;
}

/* Where number j of a lane's register r stands. */
static struct at place_in(const struct fragment *f, uint32_t lane, uint32_t r, uint32_t j)
{
    uint32_t g = lane / 4, t = lane % 4, e = f->per_register;
    uint32_t halves = f->rows >= 16 ? 2 : 1; /* of 8 rows, in a tile of A or C */
    if (f->part == B) {
        uint32_t in_tile = f->rows / (4 * e);
        return (struct at){r % in_tile * 4 * e + t * e + j, r / in_tile * 8 + g};
    }
    if (f->part == A) {
        uint32_t in_tile = halves * f->columns / (4 * e), k = r % in_tile;
        return (struct at){r / in_tile * 16 + g + 8 * (k % halves), k / halves * 4 * e + t * e + j};
    }
    uint32_t in_tile = halves * 2 / e, tiles = f->columns / 8, tile = r / in_tile;
    uint32_t k = (r % in_tile) * e + j;
    return (struct at){tile / tiles * 16 + g + 8 * (k / 2), tile % tiles * 8 + 2 * t + k % 2};
}

/* ---- registers ------------------------------------------------------------------------------- */

static uint64_t take(const struct bsim_ptx_warp *warp, const struct bsim_ptx_argument *argument,
                     uint32_t r, uint32_t lane)
{
    return bsim_ptx_take(warp, argument->place[r], argument->bytes[r] == 8, lane);
}

static void put(struct bsim_ptx_warp *warp, const struct bsim_ptx_argument *argument, uint32_t r,
                uint32_t lane, uint64_t value)
{
    bsim_ptx_put(warp, argument->place[r], 8u * argument->bytes[r], lane, value);
}

static uint32_t bits_each(const struct fragment *f)
{
    return bsim_ptx_type_bits(f->type);
}

static void gather(const struct bsim_ptx_warp *warp, const struct bsim_ptx_argument *argument,
                   const struct fragment *f, struct matrix *m)
{
    bool is_b = f->part == B;
    m->columns = is_b ? f->rows : f->columns;
    for (uint32_t l = 0; l < LANES; l++) {
        for (uint32_t i = 0; i < f->n_registers * f->per_register; i++) {
            uint32_t r = i / f->per_register, j = i % f->per_register;
            struct at at = place_in(f, l, r, j);
            at = is_b ? (struct at){at.column, at.row} : at;
            *number_at(m, at) = bsim_ptx_number(take(warp, argument, r, l) >> j * bits_each(f), f->type);
        }
    }
}

static void scatter(struct bsim_ptx_warp *warp, const struct bsim_ptx_argument *argument,
                    const struct fragment *f, struct matrix *m, bool saturates)
{
    for (uint32_t l = 0; l < LANES; l++) {
        for (uint32_t r = 0; r < f->n_registers; r++) {
            uint64_t value = 0;
            for (uint32_t j = 0; j < f->per_register; j++) {
                struct at at = place_in(f, l, r, j);
                value |= bsim_ptx_number_bits(*number_at(m, at), f->type, saturates) << j * bits_each(f);
            }
            put(warp, argument, r, l, value);
        }
    }
}

static bool has_all_lanes(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    if (warp->mask != BSIM_FULL_MASK) {
        bsim_ptx_fault(warp, step, LANES, "%s needs all 32 lanes of a warp", step->from->mnemonic);
    }
    return warp->mask == BSIM_FULL_MASK;
}

/* ---- mma ------------------------------------------------------------------------------------- */

/* The types of d, a, b, c; wmma.mma of f16 names d's and c's alone. */
static void read_types(const struct bsim_ptx_instruction *from, uint32_t type[4])
{
    bool is_short = from->n_types == 2;
    type[0] = from->type[0];
    type[1] = is_short ? BSIM_PTX_F16 : from->type[1];
    type[2] = is_short ? BSIM_PTX_F16 : from->type[2];
    type[3] = from->type[is_short ? 1 : 3];
}

/* d, a, b, c. */
static void make_fragments(const struct bsim_ptx_instruction *from, struct fragment f[4])
{
    static const enum part parts[] = {C, A, B, C};
    uint32_t shape[3] = {0, 0, 0}, type[4];
    read_shape(from, shape);
    read_types(from, type);
    for (uint32_t i = 0; i < 4; i++) {
        f[i] = make_fragment(parts[i], shape, type[i]);
    }
}

static enum bsim_ptx_product product_of(const struct bsim_ptx_instruction *from, const struct fragment f[4])
{
    bool is_whole = bsim_ptx_type_letter(f[3].type) == 's';
    return bsim_ptx_has(from, BSIM_PTX_XOR) ? BSIM_PTX_XOR_BITS
           : is_whole                       ? BSIM_PTX_EXACT
           : f[0].type == BSIM_PTX_F64      ? BSIM_PTX_FUSED
                                            : BSIM_PTX_CUT_OFF;
}

static void find_exponents(struct matrix *m, uint32_t n, int least)
{
    m->is_finite = true;
    for (uint32_t i = 0; i < n; i++) {
        m->exponent[i] = bsim_ptx_exponent(m->of[i], least);
        m->is_finite = m->is_finite && isfinite(m->of[i]);
    }
}

static void run_mma(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    struct fragment f[4];
    struct matrix a, b, c;
    if (!has_all_lanes(warp, step)) {
        return;
    }
    make_fragments(step->from, f);
    gather(warp, &step->argument[1], &f[1], &a);
    gather(warp, &step->argument[2], &f[2], &b);
    gather(warp, &step->argument[3], &f[3], &c);
    enum bsim_ptx_product product = product_of(step->from, f);
    int least = bsim_ptx_least_exponent(f[1].type);
    if (product == BSIM_PTX_CUT_OFF) {
        find_exponents(&a, f[1].rows * f[1].columns, least);
        find_exponents(&b, f[2].rows * f[2].columns, least);
        find_exponents(&c, f[3].rows * f[3].columns, 0);
    }
    struct bsim_ptx_line line = {
        .n = f[1].columns, .rounds = f[0].type == BSIM_PTX_F16, .kept = BSIM_PTX_KEPT};
    line.is_finite = product == BSIM_PTX_CUT_OFF && a.is_finite && b.is_finite && c.is_finite;
    for (uint32_t row = 0; row < f[0].rows; row++) {
        for (uint32_t column = 0; column < f[0].columns; column++) {
            double *sum = number_at(&c, (struct at){row, column});
            uint32_t at_a = row * line.n, at_b = column * line.n;
            line.a = &a.of[at_a];
            line.a_exponent = &a.exponent[at_a];
            line.b = &b.of[at_b];
            line.b_exponent = &b.exponent[at_b];
            *sum = bsim_ptx_add_line(*sum, &line, product);
        }
    }
    scatter(warp, &step->argument[0], &f[0], &c, bsim_ptx_has(step->from, BSIM_PTX_SATFINITE));
}

/* A request of a load or a store of matrices. */
static void tell(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, enum bsim_space space,
                 const uint64_t *address)
{
    bsim_ptx_push_event(warp, step, space, address);
    if (warp->work != NULL) {
        bsim_ptx_work_loaded(warp, step);
    }
}

/* ---- wmma's loads and stores ----------------------------------------------------------------- */

struct walk {
    struct fragment f;
    bool by_rows; /* numbers of a row are neighbours in memory */
    bool is_store;
    uint32_t unit;    /* numbers of a lane that are neighbours: one access */
    uint32_t of_word; /* numbers in a word that is read as one; 1: none is */
    uint32_t bytes;
};

static struct walk make_walk(const struct bsim_ptx_instruction *from)
{
    uint32_t shape[3] = {0, 0, 0};
    enum part part = bsim_ptx_has(from, BSIM_PTX_A) ? A : bsim_ptx_has(from, BSIM_PTX_B) ? B : C;
    read_shape(from, shape);
    uint32_t bits = bsim_ptx_type_bits(from->type[0]), of_word = bits < 8 ? 32 / bits : 1;
    shape[2] /= of_word; /* numbers of less than a byte are read as words of them */
    struct walk walk = {.f = make_fragment(part, shape, of_word > 1 ? BSIM_PTX_B32 : from->type[0]),
                        .of_word = of_word,
                        .by_rows = bsim_ptx_has(from, BSIM_PTX_ROW),
                        .is_store = bsim_ptx_has(from, BSIM_PTX_STORE)};
    uint32_t neighbours = part == C ? 2 : walk.f.per_register;
    walk.unit = walk.by_rows == (part != B) ? neighbours : 1;
    walk.bytes = bits_each(&walk.f) / 8;
    return walk;
}

/* ptxas reads 16-bit numbers of A and B from shared memory by ldmatrix: a register is 8 rows of 16
 * bytes. */
static bool is_by_matrix(const struct walk *walk, const struct bsim_ptx_instruction *from)
{
    return !walk->is_store && walk->f.part != C && walk->bytes == 2 &&
           (bsim_ptx_has(from, BSIM_PTX_SHARED_) || bsim_ptx_has(from, BSIM_PTX_SHARED_CTA));
}

static uint32_t at_once(const struct walk *walk)
{
    return walk->f.n_registers < 4 ? walk->f.n_registers : 4;
}

static enum bsim_ptx_space name_walk(const struct bsim_ptx_instruction *from,
                                     struct bsim_opcode *opcode)
{
    struct walk walk = make_walk(from);
    bool is_shared =
        bsim_ptx_has(from, BSIM_PTX_SHARED_) || bsim_ptx_has(from, BSIM_PTX_SHARED_CTA);
    bool is_global = bsim_ptx_has(from, BSIM_PTX_GLOBAL_);
    uint32_t bytes = walk.unit * walk.bytes;
    *opcode = (struct bsim_opcode){.family = walk.is_store ? BSIM_ST : BSIM_LD,
                                   .space = is_global ? BSIM_GLOBAL : BSIM_SHARED,
                                   .type = 'b',
                                   .bits = (uint8_t)(8 * (bytes < 8 ? bytes : 8)),
                                   .count = (uint8_t)(bytes < 8 ? 1 : bytes / 8),
                                   .bytes = (uint8_t)bytes};
    if (is_by_matrix(&walk, from)) {
        bool is_contiguous = walk.by_rows == (walk.f.part == A);
        *opcode = (struct bsim_opcode){.family = BSIM_LDMATRIX,
                                       .space = BSIM_SHARED,
                                       .type = 'b',
                                       .bits = 16,
                                       .count = (uint8_t)at_once(&walk),
                                       .bytes = 16,
                                       .is_transposed = !is_contiguous};
    }
    return is_shared ? BSIM_PTX_SHARED : is_global ? BSIM_PTX_GLOBAL : BSIM_PTX_NO_SPACE;
}

static uint64_t offset_of(const struct walk *walk, struct at at, uint64_t stride)
{
    uint64_t row = at.row, column = at.column;
    return walk->bytes * (walk->by_rows ? row * stride + column : column * stride + row);
}

static void move_number(struct bsim_ptx_warp *warp, const struct bsim_ptx_argument *registers,
                        const struct walk *walk, uint32_t i, uint32_t lane, unsigned char *p)
{
    uint32_t r = i / walk->f.per_register, shift = i % walk->f.per_register * bits_each(&walk->f);
    uint64_t value = take(warp, registers, r, lane), in = 0;
    if (walk->is_store) {
        value >>= shift;
        memcpy(p, &value, walk->bytes);
        return;
    }
    memcpy(&in, p, walk->bytes);
    value = (shift == 0 ? 0 : value & ((UINT64_C(1) << shift) - 1)) | in << shift;
    put(warp, registers, r, lane, value);
    /* f16's A and B have more registers than numbers: the rest repeats */
    for (r += walk->f.n_registers; r < registers->n; r += walk->f.n_registers) {
        put(warp, registers, r, lane, value);
    }
}

/* One access of each lane, for its numbers i, i + 1, ... */
static bool move_unit(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                      const struct walk *walk, uint32_t i, const uint64_t start[], uint64_t stride)
{
    const struct bsim_ptx_argument *registers = &step->argument[walk->is_store];
    uint64_t address[LANES];
    enum bsim_space space = BSIM_NO_SPACE;
    uint32_t bytes = walk->unit * walk->bytes, e = walk->f.per_register;
    for (uint32_t l = 0; l < LANES; l++) {
        address[l] = start[l] + offset_of(walk, place_in(&walk->f, l, i / e, i % e), stride);
        unsigned char *p =
            bsim_ptx_locate(warp, step, l, step->access->space, bytes, bytes, &address[l], &space);
        for (uint32_t k = 0; k < walk->unit && p != NULL; k++) {
            move_number(warp, registers, walk, i + k, l, p + k * walk->bytes);
        }
        if (p == NULL) {
            return false;
        }
    }
    if (step->access->opcode.family != BSIM_LDMATRIX) {
        tell(warp, step, space, address);
    }
    return true;
}

/* The addresses of the rows that registers r, r + 1, ... are read from. */
static void tell_rows(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                      const struct walk *walk, uint32_t r, uint64_t start, uint64_t stride)
{
    uint64_t address[LANES] = {0};
    for (uint32_t l = 0; l < 8 * at_once(walk); l++) {
        struct at at = place_in(&walk->f, 0, r + l / 8, 0);
        *(walk->by_rows ? &at.row : &at.column) += l % 8;
        address[l] = start + offset_of(walk, at, stride);
    }
    tell(warp, step, BSIM_SHARED, address);
}

static void run_walk(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    struct walk walk = make_walk(step->from);
    const struct bsim_ptx_argument *from = &step->argument[!walk.is_store];
    uint64_t start[LANES];
    uint64_t stride = walk.by_rows ? walk.f.columns : walk.f.rows;
    if (!has_all_lanes(warp, step)) {
        return;
    }
    for (uint32_t l = 0; l < LANES; l++) {
        start[l] = bsim_ptx_take_address(warp, from, l);
    }
    if (step->from->n_operands > 2) {
        stride = bsim_ptx_at32(warp, step->argument[2].place[0])[0].u / walk.of_word;
    }
    for (uint32_t i = 0; i < walk.f.n_registers * walk.f.per_register; i += walk.unit) {
        if (!move_unit(warp, step, &walk, i, start, stride)) {
            return;
        }
    }
    for (uint32_t r = 0; is_by_matrix(&walk, step->from) && r < walk.f.n_registers;
         r += at_once(&walk)) {
        tell_rows(warp, step, &walk, r, start[0], stride);
    }
}

/* ---- ldmatrix, stmatrix ---------------------------------------------------------------------- */

static uint32_t count_matrices(const struct bsim_ptx_instruction *from)
{
    return bsim_ptx_has(from, BSIM_PTX_X4) ? 4 : bsim_ptx_has(from, BSIM_PTX_X2) ? 2 : 1;
}

static enum bsim_ptx_space name_rows(const struct bsim_ptx_instruction *from,
                                     struct bsim_opcode *opcode)
{
    bool is_store = bsim_ptx_is_a(from, "stmatrix");
    *opcode = (struct bsim_opcode){.family = is_store ? BSIM_STMATRIX : BSIM_LDMATRIX,
                                   .space = BSIM_SHARED,
                                   .type = 'b',
                                   .bits = 16,
                                   .count = (uint8_t)count_matrices(from),
                                   .bytes = 16,
                                   .is_transposed = bsim_ptx_has(from, BSIM_PTX_TRANS)};
    return BSIM_PTX_SHARED;
}

/* Lane l has numbers 2t and 2t + 1 of row g, transposed: of column g. */
static void move_matrix(struct bsim_ptx_warp *warp, const struct bsim_ptx_argument *registers,
                        uint32_t m, unsigned char *const row[8], bool is_store, bool is_transposed)
{
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t value = is_store ? (uint32_t)take(warp, registers, m, l) : 0;
        for (uint32_t j = 0; j < 2; j++) {
            uint32_t r = is_transposed ? l % 4 * 2 + j : l / 4;
            uint32_t c = is_transposed ? l / 4 : l % 4 * 2 + j;
            uint16_t number = (uint16_t)(value >> 16 * j);
            if (is_store) {
                memcpy(row[r] + 2 * c, &number, sizeof number);
            } else {
                memcpy(&number, row[r] + 2 * c, sizeof number);
                value |= (uint32_t)number << 16 * j;
            }
        }
        if (!is_store) {
            put(warp, registers, m, l, value);
        }
    }
}

static void run_rows(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    bool is_store = bsim_ptx_is_a(from, "stmatrix");
    const struct bsim_ptx_argument *start = &step->argument[!is_store];
    uint32_t n = count_matrices(from);
    uint64_t address[LANES] = {0};
    unsigned char *row[LANES];
    enum bsim_space space;
    enum bsim_ptx_space where =
        bsim_ptx_has(from, BSIM_PTX_SHARED_) || bsim_ptx_has(from, BSIM_PTX_SHARED_CTA)
            ? BSIM_PTX_SHARED
            : BSIM_PTX_NO_SPACE;
    if (!has_all_lanes(warp, step)) {
        return;
    }
    for (uint32_t l = 0; l < 8 * n; l++) {
        address[l] = bsim_ptx_take_address(warp, start, l);
        row[l] = bsim_ptx_locate(warp, step, l, where, 16, 16, &address[l], &space);
        if (row[l] == NULL) {
            return;
        }
    }
    tell(warp, step, BSIM_SHARED, address);
    for (uint32_t m = 0; m < n; m++) {
        move_matrix(warp, &step->argument[is_store], m, row + 8 * m, is_store,
                    bsim_ptx_has(from, BSIM_PTX_TRANS));
    }
}

/* ---- which ----------------------------------------------------------------------------------- */

static bool is_number(uint32_t type)
{
    return type == BSIM_PTX_F16 || type == BSIM_PTX_BF16 || type == BSIM_PTX_TF32 ||
           type == BSIM_PTX_F32 || type == BSIM_PTX_F64 || type == BSIM_PTX_S8 ||
           type == BSIM_PTX_U8 || type == BSIM_PTX_S32 || type == BSIM_PTX_S4 ||
           type == BSIM_PTX_U4 || type == BSIM_PTX_B1 || type == BSIM_PTX_E4M3 ||
           type == BSIM_PTX_E5M2;
}

static bool fits(const struct bsim_ptx_operand *operand, const struct fragment *f)
{
    uint32_t n = operand->kind == BSIM_PTX_VECTOR ? operand->n : 1;
    return f->n_registers > 0 && n >= f->n_registers && n <= MOST_REGISTERS;
}

static bool is_mma(const struct bsim_ptx_instruction *from)
{
    uint32_t shape[3], n_types = from->n_types;
    struct fragment f[4];
    bool is_form = from->n_operands == 4 && read_shape(from, shape) &&
                   (n_types == 4 || (n_types == 2 && bsim_ptx_is_a(from, "wmma")));
    for (uint32_t i = 0; i < n_types; i++) {
        is_form = is_form && is_number(from->type[i]);
    }
    if (!is_form || (bsim_ptx_is_a(from, "mma") && bsim_ptx_has(from, BSIM_PTX_M8N8K4) &&
                     from->type[0] != BSIM_PTX_F64)) {
        return false;
    }
    make_fragments(from, f);
    return fits(&from->operand[0], &f[0]) && fits(&from->operand[1], &f[1]) &&
           fits(&from->operand[2], &f[2]) && fits(&from->operand[3], &f[3]);
}

static bool is_walk(const struct bsim_ptx_instruction *from)
{
    uint32_t shape[3];
    if (from->n_types != 1 || from->n_operands < 2 || !is_number(from->type[0]) ||
        !read_shape(from, shape)) {
        return false;
    }
    struct walk walk = make_walk(from);
    return fits(&from->operand[walk.is_store], &walk.f);
}

/* ---- movmatrix ------------------------------------------------------------------------------- */

/* d is a, 8 rows of 8 numbers of 16 bits, turned: lane l has elements 2 * (l % 4) and the next of row l / 4. */
static void run_turn(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    uint32_t from[BSIM_WARP_LANES];
    const union bsim_w32 *a = bsim_ptx_at32(warp, step->argument[1].place[0]);
    union bsim_w32 *d = bsim_ptx_at32(warp, step->argument[0].place[0]);
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        from[l] = a[l].u;
    }
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        uint32_t row = l / 4, column = 2 * (l % 4), shift = 16 * (row % 2);
        uint32_t low = from[4 * column + row / 2] >> shift & 0xffff;
        uint32_t high = from[4 * (column + 1) + row / 2] >> shift;
        if (warp->mask >> l & 1) {
            d[l].u = low | high << 16;
        }
    }
}

const struct bsim_ptx_service *bsim_ptx_find_matrix(const struct bsim_ptx_instruction *instruction)
{
    static const struct bsim_ptx_service mma = {run_mma, NULL}, walk = {run_walk, name_walk},
                                         rows = {run_rows, name_rows}, turn = {run_turn, NULL};
    const char *m = instruction->mnemonic;
    bool is_wmma = strcmp(m, "wmma") == 0;
    bool is_rows = strcmp(m, "ldmatrix") == 0 || strcmp(m, "stmatrix") == 0;
    if (is_rows) {
        return bsim_ptx_has(instruction, BSIM_PTX_M8N8) && instruction->n_operands == 2 ? &rows
                                                                                        : NULL;
    }
    if (strcmp(m, "movmatrix") == 0) {
        return instruction->n_operands == 2 ? &turn : NULL;
    }
    if (strcmp(m, "mma") == 0 || (is_wmma && bsim_ptx_has(instruction, BSIM_PTX_MMA))) {
        return is_mma(instruction) ? &mma : NULL;
    }
    return is_wmma && is_walk(instruction) ? &walk : NULL;
}

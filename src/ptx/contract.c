/* contract.c - which products ptxas rounds only together with the sum that takes them.
 *
 *     mul.f32 %f3, %f1, %f2;     wanted by the difference alone: no instruction of its own
 *     sub.f32 %f5, %f4, %f3;     -fma.rn.f32 %f5, %f1, %f2, %f4: %f4 - %f1 * %f2, rounded once
 *
 *     mul.f32 %f3, %f1, %f2;     both are products: that on the left is taken along, the other
 *     mul.f32 %f6, %f4, %f5;     one is rounded
 *     add.f32 %f7, %f3, %f6;     fma.rn.f32 %f7, %f1, %f2, %f6
 *
 *     mul.f32 %f3, %f1, %f2;     stored as well: two instructions, as written
 *     add.f32 %f5, %f3, %f4;
 *     st.f32  [%rd1], %f3;
 *
 * mul, add and sub without a rounding may be contracted; nvcc writes them so unless it is told
 * -fmad=false. What ptxas does:
 *
 *   - A product is taken along if all that use it are sums (add, sub, also with .sat or under a
 *     guard) with its type and its .ftz, in its basic block; of several each takes it along. Behind
 *     mov and neg it is the same product. A product with .sat or under a guard is none, and its own
 *     double takes none along.
 *   - A product that is rounded for one sum is rounded for all that come then. Of two products in a
 *     sum that is taken which has fewer uses; then the left. Sums go in their order, those with a
 *     product of one use first, but of pairs of 16 bits all in one go.
 *   - Basic blocks end at branches and at what ptxas makes branches of: divisions, roots, calls,
 *     fences, and all under a guard that does more than compute.
 *
 * Graded measured: by the machine code of CUDA 13.0's ptxas for sm_90 (for sm_75 it is the same),
 * and by what an H200 computes (tests/measured/h200/ptx/sums.txt). What it misses: loops that ptxas
 * unrolls, in which a turn's product goes into the next turn's sum; sums that it moves behind a
 * loop or a division, and their products with them, which are computed twice then; products
 * written twice, which it takes for one where both are taken along. A quotient that is approximate
 * is a product to ptxas, and may keep another one from being taken along; itself it stays as it is
 * here, an approximation. Nor is a product taken along whose operands are others at the sum, as
 * in no kernel of 921 of public programs.
 */
#include "ptx/steps.h"

#include "base/memory.h"

/* Of each instruction that is a product. */
struct product {
    uint32_t n_uses;   /* sums that it is in */
    uint32_t n_apart;  /* of them those that took the other product along */
    uint32_t n_within; /* and those that took this one */
    bool is_wanted;    /* rounded, by others than such sums */
    bool has_moved;    /* an operand is another number where a sum is */
};

/* What stands in a register, or is a sum's operand. */
struct term {
    uint32_t product; /* instruction, or BSIM_PTX_NOWHERE: is no product */
    bool is_negated;
};

struct held {
    struct term term;
    uint32_t block;      /* where that is so */
    uint32_t written_in; /* the last block so far that wrote it first, from 1 */
    uint32_t written_at; /* the last instruction so far that did, from 1 */
    bool is_exposed;     /* some block reads what another one left in it */
};

struct sum {
    struct term term[2];
    uint32_t taken; /* which of them is taken along, or BSIM_PTX_NOWHERE */
};

struct contracting {
    const struct bsim_ptx_function *function;
    uint32_t *block; /* of each instruction, from 1 */
    struct product *product;
    struct sum *sum;
    struct held *held; /* of each register */
    uint32_t *written; /* registers that got a product in this block */
    uint32_t n_written;
    uint32_t at; /* the instruction that is looked at */
};

/* ---- what instructions are ------------------------------------------------------------------- */

static bool has_point(uint32_t type)
{
    return type == BSIM_PTX_F32 || type == BSIM_PTX_F64 || type == BSIM_PTX_F16 ||
           type == BSIM_PTX_F16X2 || type == BSIM_PTX_BF16 || type == BSIM_PTX_BF16X2;
}

static bool is_unrounded(const struct bsim_ptx_instruction *from)
{
    return from->n_types == 1 && has_point(from->type[0]) && from->n_operands == 3 &&
           from->operand[0].kind == BSIM_PTX_REGISTER && !bsim_ptx_has(from, BSIM_PTX_RN) &&
           !bsim_ptx_has(from, BSIM_PTX_RZ) && !bsim_ptx_has(from, BSIM_PTX_RM) &&
           !bsim_ptx_has(from, BSIM_PTX_RP);
}

/* div.approx, div.full and rcp.approx end in a multiplication. */
static bool is_quotient(const struct bsim_ptx_instruction *from)
{
    bool is_near = bsim_ptx_has(from, BSIM_PTX_APPROX) || bsim_ptx_has(from, BSIM_PTX_FULL);
    return from->n_types == 1 && from->type[0] == BSIM_PTX_F32 && is_near && !from->has_guard &&
           from->n_operands > 1 && from->operand[0].kind == BSIM_PTX_REGISTER &&
           (bsim_ptx_is_a(from, "div") ||
            (bsim_ptx_is_a(from, "rcp") && !bsim_ptx_has(from, BSIM_PTX_FTZ)));
}

static bool is_product(const struct bsim_ptx_instruction *from)
{
    return (bsim_ptx_is_a(from, "mul") && is_unrounded(from) && !from->has_guard &&
            !bsim_ptx_has(from, BSIM_PTX_SAT)) ||
           is_quotient(from);
}

static bool is_sum(const struct bsim_ptx_instruction *from)
{
    return (bsim_ptx_is_a(from, "add") || bsim_ptx_is_a(from, "sub")) && is_unrounded(from);
}

static bool flushes(const struct bsim_ptx_instruction *from)
{
    return bsim_ptx_has(from, BSIM_PTX_FTZ);
}

/* Whether its result is the product in its operand, or the negated one. */
static bool is_same(const struct bsim_ptx_instruction *from,
                    const struct bsim_ptx_instruction *product)
{
    bool is_move = bsim_ptx_is_a(from, "mov") && from->n_operands == 2;
    bool is_negation = bsim_ptx_is_a(from, "neg") && from->type[0] == product->type[0] &&
                       from->type[0] != BSIM_PTX_BF16X2 &&
                       (!flushes(from) || (flushes(product) && from->type[0] == BSIM_PTX_F32));
    return !from->has_guard && from->operand[0].kind == BSIM_PTX_REGISTER &&
           (is_move || is_negation);
}

/* Whether ptxas makes a branch of it. */
static bool is_branching(const struct bsim_ptx_instruction *from)
{
    static const char *const always[] = {"bra",  "brx",  "ret",     "exit",
                                         "trap", "call", "pmevent", "membar"};
    static const char *const called[] = {"div", "rem", "rcp", "sqrt"};
    static const char *const computing[] = {"mov", "cvt"};
    uint32_t type = from->n_types > 0 ? from->type[0] : BSIM_PTX_NO_TYPE;
    bool is_near = bsim_ptx_has(from, BSIM_PTX_APPROX) || bsim_ptx_has(from, BSIM_PTX_FULL);
    bool does_more = from->has_guard && bsim_ptx_find_alu(from) == NULL &&
                     !bsim_ptx_is_one_of(from, computing, sizeof computing / sizeof *computing);
    return does_more || bsim_ptx_is_one_of(from, always, sizeof always / sizeof *always) ||
           (bsim_ptx_is_one_of(from, called, sizeof called / sizeof *called) && !is_near &&
            type != BSIM_PTX_U32) ||
           (bsim_ptx_is_a(from, "rsqrt") && type == BSIM_PTX_F64 && !flushes(from)) ||
           (bsim_ptx_is_a(from, "bfind") && bsim_ptx_type_bits(type) == 64) ||
           (bsim_ptx_is_a(from, "fence") && !bsim_ptx_has(from, BSIM_PTX_PROXY));
}

/* ---- what registers hold --------------------------------------------------------------------- */

typedef void visitor(struct contracting *c, uint32_t number);

/* Calls visit for each register of the operand: of an address, for those that it is made of. */
static void visit_all(struct contracting *c, const struct bsim_ptx_operand *operand,
                      void (*visit)(struct contracting *c, uint32_t number))
{
    if (operand->kind == BSIM_PTX_REGISTER) {
        visit(c, operand->number);
    }
    for (uint32_t i = 0; i < operand->n; i++) {
        visit_all(c, &operand->member[i], visit);
    }
}

static bool writes(const struct bsim_ptx_instruction *from)
{
    return bsim_ptx_defines(from) && from->operand[0].kind != BSIM_PTX_ADDRESS;
}

static void visit_sources(struct contracting *c,
                          void (*visit)(struct contracting *c, uint32_t number))
{
    const struct bsim_ptx_instruction *from = &c->function->code[c->at];
    for (uint32_t i = writes(from) ? 1 : 0; i < from->n_operands; i++) {
        visit_all(c, &from->operand[i], visit);
    }
}

static void visit_results(struct contracting *c,
                          void (*visit)(struct contracting *c, uint32_t number))
{
    const struct bsim_ptx_instruction *from = &c->function->code[c->at];
    if (writes(from)) {
        visit_all(c, &from->operand[0], visit);
    }
}

static void note_exposed(struct contracting *c, uint32_t number)
{
    struct held *held = &c->held[number];
    held->is_exposed |= held->written_in != c->block[c->at];
}

static void note_written(struct contracting *c, uint32_t number)
{
    if (c->function->code[c->at].has_guard) {
        note_exposed(c, number); /* what was there may stay */
    } else {
        c->held[number].written_in = c->block[c->at];
    }
}

static void find_exposed(struct contracting *c)
{
    for (c->at = 0; c->at < c->function->n_instructions; c->at++) {
        visit_sources(c, note_exposed);
        visit_results(c, note_written);
    }
}

static struct term term_in(const struct contracting *c, const struct bsim_ptx_operand *operand)
{
    struct term none = {BSIM_PTX_NOWHERE, false};
    if (operand->kind != BSIM_PTX_REGISTER || c->held[operand->number].block != c->block[c->at]) {
        return none;
    }
    return c->held[operand->number].term;
}

/* Somebody wants the product in the register, if there is one, rounded. */
static void want(struct contracting *c, uint32_t number)
{
    const struct held *held = &c->held[number];
    if (held->block == c->block[c->at] && held->term.product != BSIM_PTX_NOWHERE) {
        c->product[held->term.product].is_wanted = true;
    }
}

static void forget(struct contracting *c, uint32_t number)
{
    if (c->function->code[c->at].has_guard) {
        want(c, number);
    }
    c->held[number].block = 0;
    c->held[number].written_at = c->at + 1;
}

static void hold(struct contracting *c, uint32_t number, struct term term)
{
    c->held[number].term = term;
    c->held[number].block = c->block[c->at];
    c->written[c->n_written++] = number;
}

/* Whether an operand of the product was written since it was computed, or by itself. */
static bool has_moved(const struct contracting *c, uint32_t product)
{
    const struct bsim_ptx_instruction *from = &c->function->code[product];
    bool moved = false;
    for (uint32_t i = 1; i < from->n_operands; i++) {
        moved |= from->operand[i].kind == BSIM_PTX_REGISTER &&
                 c->held[from->operand[i].number].written_at > product;
    }
    return moved;
}

/* ---- uses of products ------------------------------------------------------------------------ */

static bool fits(const struct bsim_ptx_instruction *sum, const struct bsim_ptx_instruction *product)
{
    return sum->type[0] == product->type[0] && flushes(sum) == flushes(product);
}

static void note_sum(struct contracting *c, const struct bsim_ptx_instruction *from)
{
    struct sum *sum = &c->sum[c->at];
    for (uint32_t i = 0; i < 2; i++) {
        struct term term = term_in(c, &from->operand[1 + i]);
        if (term.product != BSIM_PTX_NOWHERE) {
            struct product *product = &c->product[term.product];
            sum->term[i] = term;
            product->n_uses++;
            bool is_back = i == 1 && term.is_negated && flushes(from) && bsim_ptx_is_a(from, "sub");
            product->is_wanted |= !fits(from, &c->function->code[term.product]) || is_back ||
                                  (i == 1 && sum->term[0].product == term.product);
            product->has_moved |= has_moved(c, term.product);
        }
    }
    if (bsim_ptx_is_a(from, "sub")) {
        sum->term[1].is_negated = !sum->term[1].is_negated;
    }
}

static void note_instruction(struct contracting *c)
{
    const struct bsim_ptx_instruction *from = &c->function->code[c->at];
    struct term term = {BSIM_PTX_NOWHERE, false};
    if (is_sum(from)) {
        note_sum(c, from);
    } else {
        term = from->n_operands == 2 ? term_in(c, &from->operand[1]) : term;
        if (term.product != BSIM_PTX_NOWHERE && is_same(from, &c->function->code[term.product])) {
            term.is_negated ^= bsim_ptx_is_a(from, "neg");
        } else {
            term.product = BSIM_PTX_NOWHERE;
            visit_sources(c, want);
        }
    }
    visit_results(c, forget);
    if (is_product(from)) {
        term = (struct term){c->at, false};
    }
    if (term.product != BSIM_PTX_NOWHERE) {
        hold(c, from->operand[0].number, term);
    }
}

/* What another block reads is wanted there. */
static void end_block(struct contracting *c)
{
    for (uint32_t i = 0; i < c->n_written; i++) {
        if (c->held[c->written[i]].is_exposed) {
            want(c, c->written[i]);
        }
    }
    c->n_written = 0;
}

static void find_uses(struct contracting *c)
{
    uint32_t n = c->function->n_instructions;
    for (c->at = 0; c->at < n; c->at++) {
        note_instruction(c);
        if (c->at + 1 == n || c->block[c->at + 1] != c->block[c->at]) {
            end_block(c);
        }
    }
}

/* ---- choosing -------------------------------------------------------------------------------- */

static bool may_take(const struct contracting *c, const struct sum *sum, uint32_t i, uint32_t most)
{
    const struct product *product =
        sum->term[i].product != BSIM_PTX_NOWHERE ? &c->product[sum->term[i].product] : NULL;
    return product != NULL && !product->is_wanted && product->n_apart == 0 &&
           product->n_uses <= most;
}

/* The sum takes along one of its products with no more uses than that, if it has one. */
static void choose(struct contracting *c, struct sum *sum, uint32_t most)
{
    bool may[] = {may_take(c, sum, 0, most), may_take(c, sum, 1, most)};
    if (sum->taken != BSIM_PTX_NOWHERE || (!may[0] && !may[1])) {
        return;
    }
    bool is_right = !may[0] || (may[1] && c->product[sum->term[1].product].n_uses <
                                              c->product[sum->term[0].product].n_uses);
    uint32_t other = sum->term[!is_right].product;
    sum->taken = is_right;
    c->product[sum->term[is_right].product].n_within++;
    if (other != BSIM_PTX_NOWHERE) {
        c->product[other].n_apart++;
    }
}

static bool is_pair(const struct bsim_ptx_instruction *from)
{
    return from->type[0] == BSIM_PTX_F16X2 || from->type[0] == BSIM_PTX_BF16X2;
}

static void choose_all(struct contracting *c)
{
    for (uint32_t i = 0; i < c->function->n_instructions; i++) {
        choose(c, &c->sum[i], is_pair(&c->function->code[i]) ? 0 : 1);
    }
    for (uint32_t i = 0; i < c->function->n_instructions; i++) {
        choose(c, &c->sum[i], UINT32_MAX);
    }
}

/* ---- instructions of both -------------------------------------------------------------------- */

/* An fma for the sum: "-" before it negates its product, behind it what is added. NULL: memory is
 * short. */
static const struct bsim_ptx_instruction *fuse(const struct contracting *c, uint32_t at,
                                               struct bsim_arena *arena)
{
    static const char *const names[2][2] = {{"fma", "fma-"}, {"-fma", "-fma-"}};
    const struct bsim_ptx_instruction *from = &c->function->code[at];
    const struct sum *sum = &c->sum[at];
    const struct bsim_ptx_instruction *product = &c->function->code[sum->term[sum->taken].product];
    struct bsim_ptx_instruction *fused = bsim_arena_take(arena, sizeof *fused);
    if (fused != NULL) {
        bool subtracts = sum->taken == 0 && bsim_ptx_is_a(from, "sub");
        *fused = *from;
        fused->mnemonic = names[sum->term[sum->taken].is_negated][subtracts];
        fused->n_operands = 4;
        fused->operand[1] = product->operand[1];
        fused->operand[2] = product->operand[2];
        fused->operand[3] = from->operand[2 - sum->taken];
    }
    return fused;
}

/* Whether what took the product along can be computed here. */
static bool can_fuse(const struct contracting *c, uint32_t product)
{
    return !c->product[product].has_moved && !is_quotient(&c->function->code[product]);
}

static bool tell(const struct contracting *c, struct bsim_arena *arena,
                 const struct bsim_ptx_instruction **from)
{
    for (uint32_t i = 0; i < c->function->n_instructions; i++) {
        const struct sum *sum = &c->sum[i];
        const struct product *product = &c->product[i];
        bool is_gone = product->n_within > 0 && product->n_within == product->n_uses;
        from[i] = is_gone && can_fuse(c, i) ? NULL : &c->function->code[i];
        if (sum->taken != BSIM_PTX_NOWHERE && can_fuse(c, sum->term[sum->taken].product)) {
            from[i] = fuse(c, i, arena);
            if (from[i] == NULL) {
                return false;
            }
        }
    }
    return true;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void cut(struct contracting *c, const struct bsim_ptx_blocks *blocks)
{
    uint32_t n = 1;
    for (uint32_t i = 0; i < c->function->n_instructions; i++) {
        c->block[i] = n;
        n += blocks->of[i + 1] != blocks->of[i] || is_branching(&c->function->code[i]);
        c->sum[i] = (struct sum){.term = {{BSIM_PTX_NOWHERE, false}, {BSIM_PTX_NOWHERE, false}},
                                 .taken = BSIM_PTX_NOWHERE};
    }
}

static bool start(struct contracting *c)
{
    size_t n = (size_t)c->function->n_instructions + 1;
    struct bsim_ptx_blocks blocks;
    c->block = bsim_mem_zeroed(n, sizeof *c->block);
    c->product = bsim_mem_zeroed(n, sizeof *c->product);
    c->sum = bsim_mem_zeroed(n, sizeof *c->sum);
    c->held = bsim_mem_zeroed((size_t)c->function->n_registers + 1, sizeof *c->held);
    c->written = bsim_mem_zeroed(n, sizeof *c->written);
    bool has_memory = bsim_ptx_find_blocks(c->function, &blocks) && c->block != NULL &&
                      c->product != NULL && c->sum != NULL && c->held != NULL && c->written != NULL;
    if (has_memory) {
        cut(c, &blocks);
    }
    bsim_ptx_free_blocks(&blocks);
    return has_memory;
}

static void finish(struct contracting *c)
{
    bsim_mem_free(c->block);
    bsim_mem_free(c->product);
    bsim_mem_free(c->sum);
    bsim_mem_free(c->held);
    bsim_mem_free(c->written);
}

bool bsim_ptx_contract(const struct bsim_ptx_function *function, struct bsim_arena *arena,
                       const struct bsim_ptx_instruction **from)
{
    struct contracting c = {.function = function};
    bool has_memory = start(&c);
    if (has_memory) {
        find_exposed(&c);
        find_uses(&c);
        choose_all(&c);
        has_memory = tell(&c, arena, from);
    }
    finish(&c);
    return has_memory;
}

/* fresh.c - which registers a block must find as they were when the launch began: those that a lane may
 * read before it has written them. All others may keep what the block before has left there.
 *
 *         ld.param   %rd1, [p]         %rd1 is written here, whatever happened before
 *     @%p mov        %r1, 5            %r1 not in every lane: who reads it later may find the old value
 *
 * A register is written for certain where each way from the function's start leads over an instruction
 * without a guard that defines it. Whatever lanes exchange, an instruction sees registers of lanes that
 * execute it, and so have come one of these ways.
 */
#include "ptx/steps.h"

#include "base/memory.h"

#include <string.h>

struct flow {
    const struct bsim_ptx_function *function;
    struct bsim_ptx_blocks blocks;
    size_t n_words;   /* of a set of registers */
    uint64_t *known;  /* a set for each block: written for certain where it begins */
    uint64_t *set;    /* the same of the instruction under way */
    uint8_t *defines; /* of each instruction */
    uint8_t *is_read; /* of each register: it may be read before */
};

/* Whether it computes its first operand, all of it, from the others. */
static bool defines(const struct bsim_ptx_instruction *from)
{
    static const char *const names[] = {"mov", "cvt", "ld", "shfl", "mma", "wmma", "ldmatrix"};
    bool is_known = bsim_ptx_find_alu(from) != NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !is_known; i++) {
        is_known = bsim_ptx_is_a(from, names[i]);
    }
    return is_known && from->n_operands > 0 && from->operand[0].kind != BSIM_PTX_ADDRESS &&
           !from->has_guard;
}

static bool has(const uint64_t *set, uint32_t r)
{
    return set[r / 64] >> r % 64 & 1;
}

static void write(struct flow *flow, const struct bsim_ptx_operand *operand)
{
    if (operand->kind == BSIM_PTX_REGISTER) {
        flow->set[operand->number / 64] |= UINT64_C(1) << operand->number % 64;
    }
    for (uint32_t i = 0; i < operand->n; i++) {
        write(flow, &operand->member[i]);
    }
}

static void read_register(struct flow *flow, uint32_t r)
{
    flow->is_read[r] |= !has(flow->set, r);
}

static void read_operand(struct flow *flow, const struct bsim_ptx_operand *operand)
{
    if (operand->kind == BSIM_PTX_REGISTER) {
        read_register(flow, operand->number);
    }
    for (uint32_t i = 0; i < operand->n; i++) {
        read_operand(flow, &operand->member[i]);
    }
}

static void step(struct flow *flow, uint32_t at)
{
    const struct bsim_ptx_instruction *from = &flow->function->code[at];
    if (from->has_guard) {
        read_register(flow, from->guard);
    }
    for (uint32_t i = flow->defines[at]; i < from->n_operands; i++) {
        read_operand(flow, &from->operand[i]);
    }
    if (flow->defines[at]) {
        write(flow, &from->operand[0]);
    }
}

/* A way leads from where the flow is to the block: true if it knows less than it did. */
static bool lead_to(struct flow *flow, uint32_t block)
{
    uint64_t *known = flow->known + block * flow->n_words, lost = 0;
    for (size_t w = 0; w < flow->n_words; w++) {
        lost |= known[w] & ~flow->set[w];
        known[w] &= flow->set[w];
    }
    return lost != 0;
}

static bool pass(struct flow *flow)
{
    bool changed = false;
    for (uint32_t k = 0; k < flow->blocks.n; k++) {
        const struct bsim_ptx_code_block *block = &flow->blocks.block[k];
        memcpy(flow->set, flow->known + k * flow->n_words, flow->n_words * sizeof *flow->set);
        for (uint32_t i = block->first; i <= block->last; i++) {
            step(flow, i);
        }
        for (size_t i = 0; i < sizeof block->next / sizeof *block->next; i++) {
            if (block->next[i] < flow->blocks.n) {
                changed = lead_to(flow, block->next[i]) || changed;
            }
        }
    }
    return changed;
}

/* Where the first block begins nothing is written, and anywhere else all is until a way shows that it
 * is not. */
static bool begin(struct flow *flow)
{
    const struct bsim_ptx_function *function = flow->function;
    if (!bsim_ptx_find_blocks(function, &flow->blocks)) {
        return false;
    }
    flow->known = bsim_mem_zeroed((flow->blocks.n + 1) * flow->n_words, sizeof *flow->known);
    flow->set = bsim_mem_zeroed(flow->n_words, sizeof *flow->set);
    flow->defines = bsim_mem_zeroed(function->n_instructions + 1, sizeof *flow->defines);
    if (flow->known == NULL || flow->set == NULL || flow->defines == NULL) {
        return false;
    }
    memset(flow->known + flow->n_words, 0xff, flow->blocks.n * flow->n_words * sizeof *flow->known);
    for (uint32_t i = 0; i < function->n_instructions; i++) {
        flow->defines[i] = defines(&function->code[i]);
    }
    return true;
}

bool bsim_ptx_find_read_first(const struct bsim_ptx_function *function, uint8_t *is_read)
{
    struct flow flow = {
        .function = function, .n_words = function->n_registers / 64 + 1, .is_read = is_read};
    bool has_memory = begin(&flow);
    while (has_memory && pass(&flow)) {
    }
    bsim_mem_free(flow.known);
    bsim_mem_free(flow.set);
    bsim_mem_free(flow.defines);
    bsim_ptx_free_blocks(&flow.blocks);
    return has_memory;
}

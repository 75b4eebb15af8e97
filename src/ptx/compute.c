/* compute.c - the row of a table that fits an instruction. */
#include "ptx/compute.h"

/* Words that change nothing of what is computed, or nothing that can be seen: approximations are
 * computed exactly. */
static bool is_harmless(uint32_t word)
{
    switch (word) {
    case BSIM_PTX_RN:
    case BSIM_PTX_APPROX:
    case BSIM_PTX_FULL:
    case BSIM_PTX_AND:
    case BSIM_PTX_OR:
    case BSIM_PTX_XOR:
        return true;
    default:
        return false;
    }
}

static bool has_types(const struct bsim_ptx_alu_row *row,
                      const struct bsim_ptx_instruction *instruction)
{
    return strcmp(row->mnemonic, instruction->mnemonic) == 0 && instruction->n_types > 0 &&
           row->type[0] == instruction->type[0] &&
           (row->type[1] == 0 ||
            (instruction->n_types > 1 && row->type[1] == instruction->type[1]));
}

static bool has_words(const struct bsim_ptx_alu_row *row,
                      const struct bsim_ptx_instruction *instruction)
{
    for (uint32_t i = 0; i < instruction->n_words; i++) {
        uint32_t word = instruction->word[i];
        if (word != row->word && word != row->other && !is_harmless(word)) {
            return false;
        }
    }
    return (row->word == 0 || bsim_ptx_has(instruction, row->word)) &&
           (row->other == 0 || bsim_ptx_has(instruction, row->other));
}

const struct bsim_ptx_alu *bsim_ptx_find_row(const struct bsim_ptx_alu_row *row, size_t n,
                                             const struct bsim_ptx_instruction *instruction)
{
    for (size_t i = 0; i < n; i++) {
        if (has_types(&row[i], instruction) && has_words(&row[i], instruction)) {
            return row[i].alu;
        }
    }
    return NULL;
}

/* reader.h - what the files of the reader share. */
#ifndef BSIM_PTX_READER_H
#define BSIM_PTX_READER_H

#include "ptx/module.h"
#include "ptx/token.h"

/* .reg .b32 %r<38> makes %r0 to %r37, .reg .pred p makes p alone (count 0). */
struct bsim_ptx_range {
    const char *prefix;
    size_t length;
    uint32_t first, count;
};

struct bsim_ptx_label {
    const char *name;
    uint32_t instruction; /* that it stands before */
    bool is_open;         /* its scope has not ended */
    uint32_t depth;
};

/* A reader at work: the function under way, and the names that are in sight. */
struct bsim_ptx_reader {
    struct bsim_ptx_scanner scan;
    struct bsim_ptx_module *module;
    struct bsim_ptx_function *function; /* NULL: at the module's level */
    struct bsim_ptx_place place;
    uint32_t depth; /* of braces in the function */
    /* Growing arrays of the function under way. */
    struct bsim_ptx_instruction *code;
    uint32_t n_code;
    struct bsim_ptx_register *reg;
    uint32_t n_reg;
    /* Names in sight, the newest last. */
    struct bsim_ptx_range *range;
    uint32_t n_ranges;
    struct bsim_ptx_symbol **symbol;
    uint32_t n_symbols;
    struct bsim_ptx_label *label;
    uint32_t n_labels;
};

/* Zero bytes of the module's arena, or NULL after having failed. */
void *bsim_ptx_make(struct bsim_ptx_reader *reader, size_t size);

/* The token's text as a string of the arena; "" after a failure. */
const char *bsim_ptx_token_text(struct bsim_ptx_reader *reader);

/* The newest variable of that name, or NULL. */
struct bsim_ptx_symbol *bsim_ptx_find_symbol(const struct bsim_ptx_reader *reader, const char *text,
                                             size_t length);

/* Reads an instruction from its guard or mnemonic up to behind its semicolon. */
void bsim_ptx_read_instruction(struct bsim_ptx_reader *reader,
                               struct bsim_ptx_instruction *instruction);

/* An instruction's parts are read: fills *operand from what comes next. */
void bsim_ptx_read_operand(struct bsim_ptx_reader *reader, struct bsim_ptx_operand *operand);

#endif

/* reader.h - what the files of the reader share. */
#ifndef BSIM_PTX_READER_H
#define BSIM_PTX_READER_H

#include "base/table.h"
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

/* A label in a table of them. */
struct bsim_ptx_target {
    const char *table, *label;
};

/* A reader at work: the function under way, and the names that are in sight. */
struct bsim_ptx_reader {
    struct bsim_ptx_scanner scan;
    struct bsim_ptx_module *module;
    struct bsim_ptx_function *function; /* NULL: at the module's level */
    const struct bsim_ptx_place *place; /* of what comes next; NULL: nowhere */
    uint32_t depth; /* of braces in the function */
    uint32_t n_lists; /* of operands that are open */
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
    struct bsim_ptx_target *target;
    uint32_t n_targets;
    const struct bsim_ptx_place **last_place; /* by file, line and column, as places.n */
    struct bsim_table places;
    bool is_marked;   /* as such is what comes next; see struct bsim_ptx_instruction */
    const struct bsim_ptx_issue *issues; /* of what comes next */
    const char *element; /* of the variable that comes next; see struct bsim_ptx_symbol */
    const char *part; /* of a register that an operand of the instruction under way names, or NULL */
};

/* Zero bytes of the module's arena, or NULL after having failed. */
void *bsim_ptx_make(struct bsim_ptx_reader *reader, size_t size);

/* Room for one more in *array, which has n; false after having failed. */
bool bsim_ptx_grow(struct bsim_ptx_reader *reader, void *array, uint32_t n, size_t each);

/* The token's text as a string of the arena; "" after a failure. */
const char *bsim_ptx_token_text(struct bsim_ptx_reader *reader);

/* The newest variable of that name, or NULL. */
struct bsim_ptx_symbol *bsim_ptx_find_symbol(const struct bsim_ptx_reader *reader, const char *text,
                                             size_t length);

/* Reads an instruction from its guard or mnemonic up to behind its semicolon. */
void bsim_ptx_read_instruction(struct bsim_ptx_reader *reader,
                               struct bsim_ptx_instruction *instruction);

/* ---- place.c --------------------------------------------------------------------------------- */

/* From behind .loc. */
void bsim_ptx_read_loc(struct bsim_ptx_reader *reader);

/* A function begins: what others have inlined is not its own. */
void bsim_ptx_forget_places(struct bsim_ptx_reader *reader);

/* ---- label.c --------------------------------------------------------------------------------- */

/* The label stands before the next instruction. */
void bsim_ptx_add_label(struct bsim_ptx_reader *reader, const char *name);

/* Reads the labels of a table, behind .branchtargets. */
void bsim_ptx_read_targets(struct bsim_ptx_reader *reader, const char *name);

/* The last instruction is a branch by a table, which was read before: it becomes one for each target. */
void bsim_ptx_add_branches(struct bsim_ptx_reader *reader);

/* Branches of the scope that ends here, from instruction `first` on, learn where they lead; those whose
 * label is not in it wait for the scope around. */
void bsim_ptx_close_labels(struct bsim_ptx_reader *reader, uint32_t first);

/* Fails unless each branch of the function leads somewhere. */
void bsim_ptx_check_branches(struct bsim_ptx_reader *reader,
                             const struct bsim_ptx_function *function);

/* An instruction's parts are read: fills *operand from what comes next. */
void bsim_ptx_read_operand(struct bsim_ptx_reader *reader, struct bsim_ptx_operand *operand);

/* Adds to operand->bits what comes next, if anything: +8, +-8, -8 behind a register or variable. */
void bsim_ptx_read_addend(struct bsim_ptx_reader *reader, struct bsim_ptx_operand *operand);

#endif

/* module.h - a PTX module as it is read, and as the machine runs it.
 *
 *     read.c      directives: functions, variables, registers, .loc
 *     label.c     labels, and where branches lead
 *     operand.c   one instruction's words and operands
 *     token.c     the text as tokens
 *     word.c      the words that stand behind an opcode's dots, and their spellings
 *     flow.c      basic blocks and where diverged lanes meet again
 *     address.c   what addresses are made of, as far as it is certain
 *     paths.c     what is certain wherever a thread comes from
 *     contract.c  which products are rounded only with their sum
 *     merge.c     which neighbouring accesses ptxas makes one of
 *
 * Everything is in the module's arena and lives as long as it. Reading checks the text's form and
 * its names; whether an instruction is one that the machine knows is asked when it is executed, so
 * that a module may hold what its launch never comes to.
 */
#ifndef BSIM_PTX_MODULE_H
#define BSIM_PTX_MODULE_H

#include "base/arena.h"
#include "ptx/word.h"

#include <banksim/event.h>

#include <string.h>

/* Where in the source something is said to come from (.loc). */
struct bsim_ptx_place {
    uint32_t file, line, column;
    const struct bsim_ptx_place *caller; /* of what was inlined; NULL: nothing was */
};

enum { BSIM_PTX_DIMENSIONS = 8 };

/* A variable in memory: of the module, of a function, or a parameter. */
struct bsim_ptx_symbol {
    const char *name;
    enum bsim_ptx_space space;
    enum bsim_ptx_type type; /* of an element */
    uint32_t n_vector;       /* of which so many are one, with .v4 */
    uint64_t dimension[BSIM_PTX_DIMENSIONS]; /* as they are declared, 0: open */
    uint32_t n_dimensions;                   /* of the first so many it is known */
    /* Of .b8, as a .pragma of ours says: what an element is called, whose bytes are the last dimension;
     * "": that has no name. NULL: nothing is said. */
    const char *element;
    uint32_t alignment;      /* bytes, a power of two */
    uint64_t size_bytes;     /* 0: `extern` with an open size, the launch's dynamic shared memory */
    bool is_extern;
    bool is_parameter;            /* of the function, as opposed to one that it hands to another */
    const unsigned char *initial; /* size_bytes of them, or NULL: zeros */
    struct bsim_ptx_pointer *pointers; /* into other variables, in `initial` */
    uint64_t
        address; /* parameters: offset; local, shared: in the window, set when it is laid out */
    struct bsim_ptx_symbol *next;
};

/* An initialiser that is another variable's or function's address. */
struct bsim_ptx_pointer {
    uint64_t offset; /* in `initial` */
    const char *name;
    int64_t addend;
    struct bsim_ptx_pointer *next;
};

enum bsim_ptx_operand_kind {
    BSIM_PTX_REGISTER, /* number */
    BSIM_PTX_INTEGER,  /* bits */
    BSIM_PTX_FLOAT,    /* bits of a double */
    BSIM_PTX_SINGLE,   /* bits of a float: 0f3F800000 */
    BSIM_PTX_SYMBOL,   /* symbol's address + bits */
    BSIM_PTX_NAME,     /* of a function or label: `name` */
    BSIM_PTX_SPECIAL,  /* %tid.x: number is enum bsim_ptx_special */
    BSIM_PTX_VECTOR,   /* {a, b} or (a, b): member[0..n) */
    BSIM_PTX_ADDRESS,  /* [member[0] + bits], [name, {a, b}] of a texture: member[0..n) */
    BSIM_PTX_PAIR,     /* a|b: member[0..2) */
    BSIM_PTX_NOTHING,  /* _ */
};

struct bsim_ptx_operand {
    enum bsim_ptx_operand_kind kind;
    bool is_negated; /* !%p */
    uint32_t number;
    uint64_t bits;
    struct bsim_ptx_symbol *symbol;
    const char *name;
    struct bsim_ptx_operand *member;
    uint32_t n;
};

enum { BSIM_PTX_MAX_WORDS = 12, BSIM_PTX_MAX_OPERANDS = 8, BSIM_PTX_MAX_TYPES = 4 };

/* When an instruction of machine code issues, as a .pragma in front of what is said for it has it (../sass): clocks until the next, the
 * scoreboard counters (7: none) that tell when its result is there and when what it reads has been read, and those that it awaits, a bit
 * each; the pipe that it wants, an enum bsim_work_class, BSIM_WORK_ANY for an access, and as how many of it; clocks until its counter tells, and
 * until it has read its registers. */
struct bsim_ptx_issue {
    uint16_t stall, tells, reads, awaits, pipe, takes, latency, reading;
    bool is_branch, is_meeting;
    const char *why; /* what of it is not read; NULL: nothing */
};

/* An instruction as it stands in the text. */
struct bsim_ptx_instruction {
    const char *mnemonic; /* "ld"; the text of the arena */
    const char *text;     /* all of it, up to its semicolon, for messages; in the module's text */
    uint32_t text_length;
    uint32_t line; /* of the module's text */
    const struct bsim_ptx_place *place; /* NULL: nowhere */
    const struct bsim_ptx_issue *issues; /* the first of those that are said for one of machine code; NULL: it is not */
    uint8_t n_words, n_types, n_operands;
    uint8_t word[BSIM_PTX_MAX_WORDS]; /* enum bsim_ptx_word, in their order */
    uint8_t type[BSIM_PTX_MAX_TYPES]; /* enum bsim_ptx_type, in their order */
    uint16_t columns, inner; /* N and K of wgmma's m64nNkK; 0: it has no such word */
    bool has_guard, guard_negated;
    bool is_marked; /* of a vector only some bytes are used, as a .pragma before it says */
    uint32_t guard; /* register */
    struct bsim_ptx_operand operand[BSIM_PTX_MAX_OPERANDS];
    const char *unknown; /* a word that no PTX known here has: told when it is executed */
    uint32_t target;     /* of a branch: index of the instruction it leads to */
};

struct bsim_ptx_register {
    enum bsim_ptx_type type;
};

struct bsim_ptx_function {
    const char *name;
    bool is_entry, is_defined;
    uint32_t line;
    uint32_t n_registers, n_instructions;
    struct bsim_ptx_register *reg;
    struct bsim_ptx_instruction *code;
    struct bsim_ptx_symbol *parameters; /* in their order */
    struct bsim_ptx_symbol *results;    /* of a .func */
    struct bsim_ptx_symbol *variables;  /* .shared, .local, .param of its body, in their order */
    uint32_t parameter_bytes;
    uint32_t max_threads[3]; /* .maxntid, .reqntid; 0: not said */
    uint32_t cluster[3];     /* .reqnctapercluster; 0: not said */
    bool has_registers;      /* that it is handed values in, or hands them back */
    bool needs_threads;      /* .reqntid: so many in each direction, not fewer */
    bool is_of_source;       /* banksim's own reading of CUDA C, as a .pragma of ours says */
    bool is_machine_code;    /* made of it, in its order, as a .pragma of ours says */
    bool has_mathematics;    /* in place of nvcc's library, as a .pragma of ours says */
    uint32_t registers;      /* of a thread, as machine code's text says it; 0: nothing does */
    uint32_t trials;         /* of machine code: exchanges that loops of additions try (ATOMS.CAST) */
    uint32_t turns, ways;    /* source lines, as others do: see bsim_ptx_doubts */
    struct bsim_ptx_function *next;
};

struct bsim_ptx_module {
    struct bsim_arena arena;
    const char *name; /* of the file, for messages */
    const char *text;
    size_t length;
    uint32_t target;                     /* 90 of sm_90a */
    struct bsim_ptx_function *functions; /* in their order */
    struct bsim_ptx_symbol *symbols; /* .global, .const, .shared of the module, in their order */
    uint32_t n_files;
    const char **file; /* .file's names; file[0] is NULL */
    const char *source_name, *source_text; /* a file whose lines are known; or NULL */
    struct bsim_ptx_lowered *lowered; /* what launches have made of its kernels (program.c) */
};

/* Frees what launches have made of the module's kernels. */
void bsim_ptx_programs_free(struct bsim_ptx_module *module);

/* The function of that name, or NULL. A kernel is found by its mangled name. */
struct bsim_ptx_function *bsim_ptx_find_function(const struct bsim_ptx_module *module,
                                                 const char *name);

/* What stands for the function in a pointer, other than 0; 0 if there is none of that name. */
uint64_t bsim_ptx_function_address(const struct bsim_ptx_module *module, const char *name);

static inline bool bsim_ptx_is_a(const struct bsim_ptx_instruction *instruction,
                                 const char *mnemonic)
{
    return strcmp(instruction->mnemonic, mnemonic) == 0;
}

/* Whether it is one of mnemonic[0..n). */
static inline bool bsim_ptx_is_one_of(const struct bsim_ptx_instruction *instruction,
                                      const char *const *mnemonic, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (bsim_ptx_is_a(instruction, mnemonic[i])) {
            return true;
        }
    }
    return false;
}

/* Whether the instruction leads to its target: bra, or one of those that a brx.idx became, {index, label}
 * with bits the index that it is for and number how many there are. */
static inline bool bsim_ptx_branches(const struct bsim_ptx_instruction *instruction)
{
    return bsim_ptx_is_a(instruction, "bra") || bsim_ptx_is_a(instruction, "brx");
}

/* Whether all who come to a branch, and to its guard, take it. */
static inline bool bsim_ptx_is_last_branch(const struct bsim_ptx_instruction *instruction)
{
    const struct bsim_ptx_operand *label = &instruction->operand[1];
    return bsim_ptx_is_a(instruction, "bra") || label->bits + 1 == label->number;
}

/* Whether the word stands behind the instruction's dots. */
static inline bool bsim_ptx_has(const struct bsim_ptx_instruction *instruction, uint32_t word)
{
    for (uint32_t i = 0; i < instruction->n_words; i++) {
        if (instruction->word[i] == word) {
            return true;
        }
    }
    return false;
}

/* The file and line that the instruction comes from in the user's source: of the call, where what was
 * inlined is a toolkit's (place.c). Without .loc they are the module's own. */
const char *bsim_ptx_source(const struct bsim_ptx_module *module,
                            const struct bsim_ptx_instruction *instruction, uint32_t *line);

/* Whether that is the file whose lines are known. */
bool bsim_ptx_is_known(const struct bsim_ptx_module *module, const char *file);

/* Places err at the instruction: in the source, if the text of that is known, else in the PTX. */
void bsim_ptx_place_error(struct bsim_error *err, const struct bsim_ptx_module *module, const struct bsim_ptx_instruction *instruction);

/* Sets err to what is wrong with an instruction: its file, line, text. Returns BSIM_E_INPUT. */
enum bsim_status bsim_ptx_refuse(const struct bsim_ptx_module *module,
                                 const struct bsim_ptx_instruction *instruction,
                                 struct bsim_error *err, const char *format, ...) BSIM_PRINTF(4, 5);

#endif

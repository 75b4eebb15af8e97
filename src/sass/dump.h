/* dump.h - machine code as cuobjdump -elf -sass writes it: functions with their instructions, parameters and constants. */
#ifndef BSIM_SASS_DUMP_H
#define BSIM_SASS_DUMP_H

#include "base/arena.h"

#include <banksim/status.h>

#include <stdint.h>
#include <string.h>

enum { BSIM_SASS_BANKS = 5, BSIM_SASS_OPERANDS = 10, BSIM_SASS_MODIFIERS = 10, BSIM_SASS_PARAMETERS = 256 };

/* A part of the text, borrowed from it. */
struct bsim_sass_word {
    const char *text;
    uint32_t length;
};

/* What ptxas has written about when instructions issue:
 *
 *     LDS R4, [R5]         stall 2, tells 0: counter 0 falls when R4 is there
 *     STS [R6], R7         reads 1: counter 1 falls when R6 and R7 have been read
 *     FADD R8, R4, R9      awaits 1: counter 0 has to be 0
 */
struct bsim_sass_control {
    uint8_t stall;  /* clocks until the next may issue, 0 to 15 */
    uint8_t tells;  /* the counter, 0 to 5, or 7: none */
    uint8_t reads;  /* likewise */
    uint8_t awaits; /* a bit for each counter */
};

/* @!P0 ISETP.GE.U32.AND P1, PT, R0, 0x18, PT */
struct bsim_sass_instruction {
    uint32_t offset; /* bytes, in its function */
    uint32_t line;   /* of the text */
    const struct bsim_sass_row *source; /* its line there; NULL: not told */
    struct bsim_sass_word guard, opcode; /* guard: "!P0"; length 0: none */
    struct bsim_sass_word modifier[BSIM_SASS_MODIFIERS]; /* what stands behind the opcode's dots */
    uint32_t n_modifiers;
    struct bsim_sass_word operand[BSIM_SASS_OPERANDS];
    uint32_t n_operands;
    uint32_t immediate; /* bits 32 to 63 of the encoding: what a NaN is, which the text does not say */
    struct bsim_sass_control control;
    struct bsim_sass_word targets; /* where a branch by a table may lead: offsets, with blanks between; length 0: not told */
    uint32_t n_leads; /* branches and calls that lead there, but those of `loop` */
    const struct bsim_sass_loop *loop; /* that begins here and is one atomic (loop.h); NULL: none */
};

struct bsim_sass_parameter {
    uint32_t offset, size; /* bytes, from the first one's beginning */
};

/* Bytes of a section. */
struct bsim_sass_bytes {
    uint32_t *word;
    uint32_t n, room;
};

/* Where the branch at an offset may lead. */
struct bsim_sass_table {
    uint32_t offset;
    struct bsim_sass_word targets;
    struct bsim_sass_table *next;
};

struct bsim_sass_function {
    struct bsim_sass_word name;
    struct bsim_sass_instruction *code;
    uint32_t n, room;
    struct bsim_sass_parameter parameter[BSIM_SASS_PARAMETERS];
    uint32_t n_parameters;
    uint32_t parameter_base;  /* bytes, in constant bank 0 */
    uint32_t module;          /* the number of the ELF that it is of, from 1 */
    bool is_open;             /* addresses of variables in its code are put in where it is linked or loaded */
    uint32_t registers;       /* of a thread; 0: not said */
    uint32_t shared, local;   /* bytes; shared with what the system has of it */
    uint32_t threads[3];      /* at most, 0: not said */
    bool needs_threads;       /* so many, not fewer */
    struct bsim_sass_bytes bank2; /* the compiler's constants */
    struct bsim_sass_table *tables; /* of its branches by a table */
    struct bsim_sass_function *next;
};

/* A variable. */
struct bsim_sass_symbol {
    struct bsim_sass_word name;
    uint32_t section, value, size;
    struct bsim_sass_symbol *next;
};

/* That a word of constant bank 4, or of the variables' beginnings, is a variable's address. */
struct bsim_sass_address {
    uint32_t offset, addend;
    struct bsim_sass_word name;
    struct bsim_sass_address *next;
};

/* A file of the source, or a folder. */
struct bsim_sass_file {
    uint32_t number;
    struct bsim_sass_word directory, name;
    struct bsim_sass_file *next;
};

/* From an offset on instructions are of that line, of the file of that number. */
struct bsim_sass_row {
    uint32_t offset, file, line;
    uint32_t back; /* so many rows before it is the call that was inlined; 0: nothing was */
};

/* A function's rows. */
struct bsim_sass_sequence {
    struct bsim_sass_row *row;
    uint32_t n, room;
    struct bsim_sass_sequence *next;
};

/* The table of -lineinfo, under way; numbers of a unit's files and folders count on behind first_file and first_directory. */
struct bsim_sass_lines {
    enum { BSIM_SASS_NO_TABLE, BSIM_SASS_DIRECTORIES, BSIM_SASS_FILES, BSIM_SASS_STATEMENTS } table;
    struct bsim_sass_file *directories, *files;
    uint32_t n_directories, n_files, first_directory, first_file;
    struct bsim_sass_sequence *sequences, *last;
    struct bsim_sass_address *owners; /* by their offsets */
    uint32_t offset, file, line;      /* of the statements so far */
    uint32_t context;                 /* the row of the call that was inlined, from 1; 0: nothing was */
    bool is_unknown;                  /* something of it was not read: it tells nothing */
};

struct bsim_sass_dump {
    struct bsim_arena arena;
    uint32_t architecture; /* 90 */
    struct bsim_sass_function *functions; /* in their order */
    struct bsim_sass_symbol *symbols;
    struct bsim_sass_address *addresses, *inner; /* of bank 4; of .nv.global.init */
    struct bsim_sass_bytes bank3, global; /* user's constants; variables that begin with something */
    uint32_t section_global, section_zero; /* numbers of their sections; 0: there is none */
    struct bsim_sass_lines lines;
};

/* Reads text[0..length), which must stay; the dump is freed with bsim_arena_free(&dump->arena) in either case. Fails with BSIM_E_INPUT, at
 * its place, and BSIM_E_MEMORY. */
enum bsim_status bsim_sass_read(const char *name, const char *text, size_t length, struct bsim_sass_dump *dump, struct bsim_error *err);

/* What the system has of a block's shared memory, at its beginning; machine code's addresses are from there, PTX's from behind it. */
uint32_t bsim_sass_system_bytes(const struct bsim_sass_dump *dump);

/* The next number of *rest, "0x150 0x110", which goes behind it; false: there is none. */
bool bsim_sass_next_number(struct bsim_sass_word *rest, uint32_t *number);

static inline bool bsim_sass_same(struct bsim_sass_word word, const char *text)
{
    uint32_t i = 0;
    while (i < word.length && text[i] != '\0' && word.text[i] == text[i]) {
        i++;
    }
    return i == word.length && text[i] == '\0';
}

static inline bool bsim_sass_equal(struct bsim_sass_word a, struct bsim_sass_word b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static inline bool bsim_sass_begins(struct bsim_sass_word word, const char *with)
{
    size_t n = strlen(with);
    return word.length >= n && memcmp(word.text, with, n) == 0;
}

/* The number that the word begins with, of that base as strtoull has it; 0: none. The text may end with the word, or go on. */
uint64_t bsim_sass_number_of(struct bsim_sass_word word, int base);

/* Whether the word stands in the list, where each has a blank on both sides; whether one of the instruction's modifiers does. */
bool bsim_sass_is_in(const char *list, struct bsim_sass_word word);
bool bsim_sass_has_one(const struct bsim_sass_instruction *in, const char *list);

/* The function of that name; NULL: there is none yet. */
struct bsim_sass_function *bsim_sass_find_function(const struct bsim_sass_dump *dump, struct bsim_sass_word name);

#endif

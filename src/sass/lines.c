/* lines.c - the table of source lines that -lineinfo puts beside machine code, as cuobjdump -elf writes it:
 *
 *     The Directory Table:
 *      /home/me
 *     The File Name Table:
 *      Entry   Dir         Time    Size     Name
 *          1     1   1795911127     345     k.cu
 *     Line Number Statements:
 *       Extended opcode 2: set Address to 0x0                                   a function begins
 *       Set File Name to entry 1 in the File Name Table
 *       Advance Line by 4 to 5
 *       Copy                                                                    0x0: k.cu:5
 *       Special opcode 232: advance Address by 16 to 0x10 and Line by 3 to 8    0x10: k.cu:8
 *       Extended opcode 144: Set context to 2 and function offset to 0x0        inlined where the second row is
 *       Extended opcode 1: End of Sequence
 *     .section .rela.debug_line
 *     0x48    _Z4bothPfPKf    R_CUDA_64    0x0                                  whose it is; in any order
 *
 * Numbers are added up in the text already. A table with a statement that is not known here tells nothing: rows are then the text's own lines.
 */
#include "sass/lines.h"

#include <string.h>

/* 12 or 0x12 */
static uint32_t number_of(struct bsim_sass_word word)
{
    return (uint32_t)bsim_sass_number_of(word, 0);
}

/* The number behind the last `what` of the line; 0: it is not there. */
static uint32_t number_behind(struct bsim_sass_word line, const char *what)
{
    struct bsim_sass_word found = {"", 0};
    uint32_t n = (uint32_t)strlen(what);
    for (uint32_t i = 0; i + n <= line.length; i++) {
        found = memcmp(line.text + i, what, n) == 0 ? (struct bsim_sass_word){line.text + i + n, line.length - i - n} : found;
    }
    return number_of(found);
}

/* ---- the tables ------------------------------------------------------------------------------ */

static bool add_directory(struct bsim_sass_dump *dump, struct bsim_sass_word name)
{
    struct bsim_sass_file *made = bsim_arena_take(&dump->arena, sizeof *made);
    if (made != NULL) {
        *made = (struct bsim_sass_file){.number = ++dump->lines.n_directories, .name = name, .next = dump->lines.directories};
        dump->lines.directories = made;
    }
    return made != NULL;
}

static struct bsim_sass_word name_of(const struct bsim_sass_file *list, uint32_t number)
{
    while (list != NULL && list->number != number) {
        list = list->next;
    }
    return list != NULL ? list->name : (struct bsim_sass_word){"", 0};
}

/* "1     1   1795911127     345     k.cu", whose last word may have blanks. */
static bool add_file(struct bsim_sass_dump *dump, struct bsim_sass_word line)
{
    struct bsim_sass_lines *lines = &dump->lines;
    uint32_t number[4] = {0};
    for (uint32_t i = 0; i < 4 && line.length > 0; i++) {
        uint32_t n = 0;
        number[i] = number_of(line);
        while (n < line.length && line.text[n] != ' ') {
            n++;
        }
        while (n < line.length && line.text[n] == ' ') {
            n++;
        }
        line = (struct bsim_sass_word){line.text + n, line.length - n};
    }
    struct bsim_sass_file *made = bsim_arena_take(&dump->arena, sizeof *made);
    if (made != NULL) {
        struct bsim_sass_word directory = number[1] > 0 ? name_of(lines->directories, lines->first_directory + number[1]) : (struct bsim_sass_word){"", 0};
        *made = (struct bsim_sass_file){.number = lines->first_file + number[0], .directory = directory, .name = line, .next = lines->files};
        lines->files = made;
        lines->n_files = made->number > lines->n_files ? made->number : lines->n_files;
        lines->is_unknown |= memchr(line.text, '"', line.length) != NULL || memchr(directory.text, '"', directory.length) != NULL;
    }
    return made != NULL;
}

/* ---- statements ------------------------------------------------------------------------------ */

static bool begin_sequence(struct bsim_sass_dump *dump)
{
    struct bsim_sass_lines *lines = &dump->lines;
    struct bsim_sass_sequence *made = bsim_arena_take(&dump->arena, sizeof *made);
    if (made != NULL) {
        *made = (struct bsim_sass_sequence){.row = NULL};
        *(lines->sequences != NULL ? &lines->last->next : &lines->sequences) = made;
        lines->last = made;
        lines->file = lines->line = 1;
        lines->context = 0;
    }
    return made != NULL;
}

/* Room for one more row. False: memory is short. */
static bool grow(struct bsim_arena *arena, struct bsim_sass_sequence *sequence)
{
    enum { FIRST_ROOM = 64 };
    uint32_t room = sequence->room > 0 ? 2 * sequence->room : FIRST_ROOM;
    struct bsim_sass_row *row = sequence->n < sequence->room ? sequence->row : bsim_arena_take(arena, room * sizeof *row);
    if (row != NULL && row != sequence->row) {
        memcpy(row, sequence->n > 0 ? sequence->row : row, sequence->n * sizeof *row);
        sequence->row = row;
        sequence->room = room;
    }
    return row != NULL;
}

static bool add_row(struct bsim_sass_dump *dump)
{
    struct bsim_sass_lines *lines = &dump->lines;
    struct bsim_sass_sequence *sequence = lines->last;
    lines->is_unknown |= sequence == NULL || lines->context > sequence->n;
    if (lines->is_unknown) {
        return true;
    }
    if (!grow(&dump->arena, sequence)) {
        return false;
    }
    sequence->row[sequence->n] = (struct bsim_sass_row){.offset = lines->offset,
                                                        .file = lines->first_file + lines->file,
                                                        .line = lines->line,
                                                        .back = lines->context > 0 ? sequence->n + 1 - lines->context : 0};
    sequence->n++;
    return true;
}

/* The word up to where the text begins in it; all of it, if that is not there. */
static struct bsim_sass_word before(struct bsim_sass_word word, const char *text)
{
    uint32_t n = 0;
    while (n < word.length && !bsim_sass_begins((struct bsim_sass_word){word.text + n, word.length - n}, text)) {
        n++;
    }
    return (struct bsim_sass_word){word.text, n};
}

static bool take_statement(struct bsim_sass_dump *dump, struct bsim_sass_word line)
{
    struct bsim_sass_lines *lines = &dump->lines;
    if (bsim_sass_begins(line, "Special opcode ")) {
        lines->offset = number_behind(before(line, " and Line by "), " to ");
        lines->line = number_behind(line, " to ");
        return add_row(dump);
    }
    if (bsim_sass_begins(line, "Extended opcode 2: set Address to ")) {
        lines->offset = number_behind(line, " to ");
        return begin_sequence(dump);
    }
    if (bsim_sass_begins(line, "Copy")) {
        return add_row(dump);
    }
    if (bsim_sass_begins(line, "Advance PC by ")) {
        lines->offset = number_behind(line, " to ");
    } else if (bsim_sass_begins(line, "Advance Line by ")) {
        lines->line = number_behind(line, " to ");
    } else if (bsim_sass_begins(line, "Set File Name to entry ")) {
        lines->file = number_behind(line, " entry ");
    } else if (bsim_sass_begins(line, "Extended opcode 144: Set context to ")) {
        lines->context = number_behind(line, " context to ");
    } else {
        lines->is_unknown |= line.length > 0 && !bsim_sass_begins(line, "Extended opcode 1: ");
    }
    return true;
}

bool bsim_sass_take_line(struct bsim_sass_dump *dump, struct bsim_sass_word line)
{
    struct bsim_sass_lines *lines = &dump->lines;
    if (bsim_sass_begins(line, "Offset: ")) { /* a unit, with files of its own */
        lines->table = BSIM_SASS_NO_TABLE;
    } else if (bsim_sass_begins(line, "The Directory Table:")) {
        lines->table = BSIM_SASS_DIRECTORIES;
        lines->first_directory = lines->n_directories;
        lines->first_file = lines->n_files;
    } else if (bsim_sass_begins(line, "The File Name Table:")) {
        lines->table = BSIM_SASS_FILES;
    } else if (bsim_sass_begins(line, "Offset in ")) {
        lines->table = BSIM_SASS_NO_TABLE;
    } else if (bsim_sass_begins(line, "Line Number Statements:")) {
        lines->table = BSIM_SASS_STATEMENTS;
    } else if (lines->table == BSIM_SASS_STATEMENTS) {
        return take_statement(dump, line);
    } else if (line.length > 0 && lines->table == BSIM_SASS_DIRECTORIES) {
        return add_directory(dump, line);
    } else if (line.length > 0 && lines->table == BSIM_SASS_FILES && !bsim_sass_begins(line, "Entry ")) {
        return add_file(dump, line);
    }
    return true;
}

bool bsim_sass_take_line_owner(struct bsim_sass_dump *dump, uint32_t offset, struct bsim_sass_word function)
{
    struct bsim_sass_address **at = &dump->lines.owners, *made = bsim_arena_take(&dump->arena, sizeof *made);
    while (*at != NULL && (*at)->offset < offset) {
        at = &(*at)->next;
    }
    if (made != NULL) {
        *made = (struct bsim_sass_address){.offset = offset, .name = function, .next = *at};
        *at = made;
    }
    return made != NULL;
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* Both go upwards; of rows at one offset the last one holds. */
static void place_function(struct bsim_sass_function *f, const struct bsim_sass_sequence *sequence)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < f->n; i++) {
        while (k < sequence->n && sequence->row[k].offset <= f->code[i].offset) {
            k++;
        }
        f->code[i].source = k > 0 && sequence->row[k - 1].line > 0 ? &sequence->row[k - 1] : NULL;
    }
}

void bsim_sass_place_lines(struct bsim_sass_dump *dump)
{
    struct bsim_sass_lines *lines = &dump->lines;
    const struct bsim_sass_sequence *sequence = lines->sequences;
    const struct bsim_sass_address *owner = lines->owners;
    for (; sequence != NULL && owner != NULL; sequence = sequence->next) {
        owner = owner->next;
    }
    lines->is_unknown |= sequence != NULL || owner != NULL; /* not as many */
    owner = lines->owners;
    for (sequence = lines->sequences; sequence != NULL && !lines->is_unknown; sequence = sequence->next) {
        struct bsim_sass_function *f = bsim_sass_find_function(dump, owner->name);
        if (f != NULL) {
            place_function(f, sequence);
        }
        owner = owner->next;
    }
}

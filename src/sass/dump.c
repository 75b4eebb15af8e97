/* dump.c - the text of cuobjdump -elf -sass, line by line.
 *
 *     64-bit ELF: type=ET_EXEC, ABI=8, sm=90, toolkit=13.0
 *     .nv.info._Z3fooPf                                          parameters, a few lines each
 *     .text._Z3fooPf
 *     lmem=0	smem=5120
 *             Function : _Z3fooPf
 *             0060   @P0 BRA 0x880 ;   0x0000000800040947        each number in a comment
 *                                      0x000fea0003800000        bits 41 to 63 say when it may issue
 *
 * Those bits are as Jia, Maggioni, Staiger and Scarpazza found them of Volta (2018): 4 of stalls, 1 to yield, 3 and 3 of counters, 6 to await; held to
 * an H200's waits of 336 kernels.
 */
#include "sass/dump.h"

#include "base/memory.h"
#include "sass/lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum section { OTHER, SECTIONS, SYMBOLS, INFO, TEXT, RELOCATIONS, LINES, OWNERS, ADDRESSES, INNER, BANK2, BANK3, GLOBAL, CODE };

struct reader {
    const char *name, *text, *end;
    struct bsim_sass_word line; /* under way */
    uint32_t number;
    enum section section;
    uint32_t module; /* the ELF under way, from 1 */
    struct bsim_sass_function *function; /* that the section or the code is of */
    struct bsim_sass_function **last;
    struct bsim_sass_word attribute;     /* of .nv.info, under way */
    bool awaits_control;                 /* the last instruction's second word comes next */
    struct bsim_sass_dump *dump;
    struct bsim_error *err;
    enum bsim_status status;
};

static void fail(struct reader *r, const char *why)
{
    if (r->status == BSIM_OK) {
        r->status = bsim_error_set(r->err, BSIM_E_INPUT, "%s", why);
        bsim_error_place(r->err, r->name, r->number, 1, r->line.text, r->line.length);
    }
}

static void *take(struct reader *r, size_t size)
{
    void *taken = bsim_arena_take(&r->dump->arena, size);
    if (taken == NULL && r->status == BSIM_OK) {
        r->status = bsim_mem_short(r->err);
    }
    return taken;
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static struct bsim_sass_word strip(struct bsim_sass_word word)
{
    while (word.length > 0 && is_blank(word.text[0])) {
        word.text++;
        word.length--;
    }
    while (word.length > 0 && is_blank(word.text[word.length - 1])) {
        word.length--;
    }
    return word;
}

static struct bsim_sass_word behind(struct bsim_sass_word word, uint32_t n)
{
    return (struct bsim_sass_word){word.text + n, word.length - n};
}

/* What stands behind `what` in the word; length 0: it is not there. */
static struct bsim_sass_word find_behind(struct bsim_sass_word word, const char *what)
{
    while (word.length > 0 && !bsim_sass_begins(word, what)) {
        word = behind(word, 1);
    }
    return word.length > 0 ? behind(word, (uint32_t)strlen(what)) : word;
}

/* The blanks' next word of *rest, which goes behind it. */
static struct bsim_sass_word next_word(struct bsim_sass_word *rest)
{
    *rest = strip(*rest);
    struct bsim_sass_word word = {rest->text, 0};
    while (word.length < rest->length && !is_blank(word.text[word.length])) {
        word.length++;
    }
    *rest = behind(*rest, word.length);
    return word;
}

uint32_t bsim_sass_system_bytes(const struct bsim_sass_dump *dump)
{
    enum { SYSTEM_BYTES = 1024, FIRST_WITH = 90 };
    return dump->architecture >= FIRST_WITH ? SYSTEM_BYTES : 0;
}

bool bsim_sass_next_number(struct bsim_sass_word *rest, uint32_t *number)
{
    struct bsim_sass_word word = rest->length > 0 ? next_word(rest) : *rest;
    *number = word.length > 0 ? (uint32_t)bsim_sass_number_of(word, 16) : 0;
    return word.length > 0;
}

static bool next_line(struct reader *r)
{
    if (r->text == r->end) {
        return false;
    }
    const char *stop = memchr(r->text, '\n', (size_t)(r->end - r->text));
    stop = stop != NULL ? stop : r->end;
    r->line = (struct bsim_sass_word){r->text, (uint32_t)(stop - r->text)};
    r->text = stop < r->end ? stop + 1 : stop;
    r->number++;
    return true;
}

/* ---- functions ------------------------------------------------------------------------------- */

static struct bsim_sass_function *find_function(struct reader *r, struct bsim_sass_word name)
{
    struct bsim_sass_function *found = bsim_sass_find_function(r->dump, name);
    if (found != NULL) {
        return found;
    }
    struct bsim_sass_function *made = take(r, sizeof *made);
    if (made != NULL) {
        *made = (struct bsim_sass_function){.name = name};
        *r->last = made;
        r->last = &made->next;
    }
    return made;
}

static void *grown(struct reader *r, void *array, uint32_t n, uint32_t *room, size_t each)
{
    if (n < *room) {
        return array;
    }
    uint32_t more = *room > 0 ? *room * 2 : 64;
    void *made = take(r, more * each);
    if (made != NULL && n > 0) {
        memcpy(made, array, n * each);
    }
    *room = made != NULL ? more : *room;
    return made;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static void read_opcode(struct bsim_sass_instruction *in, struct bsim_sass_word word)
{
    struct bsim_sass_word *part = &in->opcode;
    *part = (struct bsim_sass_word){word.text, 0};
    for (uint32_t i = 0; i < word.length; i++) {
        if (word.text[i] != '.') {
            part->length++;
        } else if (in->n_modifiers < BSIM_SASS_MODIFIERS) {
            part = &in->modifier[in->n_modifiers++];
            *part = (struct bsim_sass_word){word.text + i + 1, 0};
        }
    }
}

/* Operands between commas, of which those in brackets belong to one. */
static void read_operands(struct bsim_sass_instruction *in, struct bsim_sass_word rest)
{
    uint32_t depth = 0;
    rest = strip(rest);
    while (rest.length > 0 && in->n_operands < BSIM_SASS_OPERANDS) {
        uint32_t n = 0;
        while (n < rest.length && (rest.text[n] != ',' || depth > 0)) {
            depth += rest.text[n] == '[' ? 1 : 0;
            depth -= rest.text[n] == ']' && depth > 0 ? 1 : 0;
            n++;
        }
        in->operand[in->n_operands++] = strip((struct bsim_sass_word){rest.text, n});
        rest = strip(behind(rest, n < rest.length ? n + 1 : n));
    }
}

/* Between the comments: "@P0 BRA 0x880 ;". */
static void read_instruction(struct reader *r, struct bsim_sass_word offset, struct bsim_sass_word text, struct bsim_sass_word encoding)
{
    struct bsim_sass_function *f = r->function;
    f->code = grown(r, f->code, f->n, &f->room, sizeof *f->code);
    if (f->code == NULL) {
        return;
    }
    struct bsim_sass_instruction *in = &f->code[f->n++];
    *in = (struct bsim_sass_instruction){
        .offset = (uint32_t)bsim_sass_number_of(offset, 16), .line = r->number, .immediate = (uint32_t)(bsim_sass_number_of(encoding, 16) >> 32)};
    if (bsim_sass_begins(text, "@")) {
        in->guard = next_word(&text);
        in->guard = behind(in->guard, 1);
    }
    struct bsim_sass_word opcode = next_word(&text);
    read_opcode(in, opcode);
    read_operands(in, text);
    for (const struct bsim_sass_table *t = bsim_sass_same(in->opcode, "BRX") ? f->tables : NULL; t != NULL; t = t->next) {
        in->targets = t->offset == in->offset ? t->targets : in->targets;
    }
    r->awaits_control = true;
}

static void read_control(struct reader *r, struct bsim_sass_word comment)
{
    uint64_t bits = bsim_sass_number_of(comment, 16) >> 41;
    struct bsim_sass_function *f = r->function;
    f->code[f->n - 1].control = (struct bsim_sass_control){
        .stall = bits & 15,
        .tells = bits >> 5 & 7,
        .reads = bits >> 8 & 7,
        .awaits = bits >> 11 & 63,
    };
    r->awaits_control = false;
}

/* What stands in the line's next comment; *rest goes behind it. */
static struct bsim_sass_word next_comment(struct bsim_sass_word *rest)
{
    struct bsim_sass_word inner = find_behind(*rest, "/*");
    uint32_t n = 0;
    while (n + 1 < inner.length && (inner.text[n] != '*' || inner.text[n + 1] != '/')) {
        n++;
    }
    *rest = behind(inner, n + 2 <= inner.length ? n + 2 : inner.length);
    return strip((struct bsim_sass_word){inner.text, n});
}

static void read_code(struct reader *r)
{
    struct bsim_sass_word rest = r->line;
    struct bsim_sass_word line = strip(r->line);
    if (r->function == NULL || !bsim_sass_begins(line, "/*")) {
        return;
    }
    struct bsim_sass_word comment = next_comment(&rest);
    if (r->awaits_control) {
        read_control(r, comment);
        return;
    }
    struct bsim_sass_word text = rest;
    uint32_t n = 0;
    while (n < text.length && text.text[n] != ';') {
        n++;
    }
    if (n == text.length) {
        fail(r, "an instruction ends with ';' and its encoding in a comment: as cuobjdump -elf -sass writes it");
        return;
    }
    rest = behind(text, n);
    read_instruction(r, comment, strip((struct bsim_sass_word){text.text, n}), next_comment(&rest));
}

/* ---- sections -------------------------------------------------------------------------------- */

/* "Value: Index : 0x0 Ordinal : 0x3 Offset : 0x24 Size : 0x4" */
static void read_parameter(struct reader *r)
{
    struct bsim_sass_word ordinal = find_behind(r->line, "Ordinal : "), offset = find_behind(r->line, "Offset  : "),
                          size = find_behind(r->line, "Size    : ");
    uint64_t i = bsim_sass_number_of(next_word(&ordinal), 16);
    struct bsim_sass_function *f = r->function;
    if (i >= BSIM_SASS_PARAMETERS) {
        fail(r, "a kernel has 256 parameters here at most");
        return;
    }
    f->parameter[i] = (struct bsim_sass_parameter){(uint32_t)bsim_sass_number_of(next_word(&offset), 16), (uint32_t)bsim_sass_number_of(next_word(&size), 16)};
    f->n_parameters = i + 1 > f->n_parameters ? (uint32_t)i + 1 : f->n_parameters;
}

/* "Value: function: _Z3fooPf(0x13) min stack size: 0x8", "... register count: 28" */
static void read_sizes_of(struct reader *r)
{
    struct bsim_sass_word name = find_behind(r->line, "function: "), stack = find_behind(r->line, "min stack size: "),
                          registers = find_behind(r->line, "register count: ");
    uint32_t length = 0;
    while (length < name.length && name.text[length] != '(') {
        length++;
    }
    struct bsim_sass_function *f = length > 0 ? find_function(r, (struct bsim_sass_word){name.text, length}) : NULL;
    if (f != NULL && stack.length > 0) {
        f->local = (uint32_t)bsim_sass_number_of(next_word(&stack), 16);
    } else if (f != NULL && registers.length > 0) {
        f->registers = (uint32_t)bsim_sass_number_of(next_word(&registers), 10);
    }
}

/* "Offset of Indirect Branch: 0x100  Number of targets: 3", and in the next line "Targets: 0x150 0x110 0x490" */
static void read_table(struct reader *r)
{
    struct bsim_sass_word offset = find_behind(r->line, "Offset of Indirect Branch: "), targets = find_behind(r->line, "Targets: ");
    struct bsim_sass_table *table = offset.length > 0 ? take(r, sizeof *table) : NULL;
    if (table != NULL) {
        *table = (struct bsim_sass_table){.offset = (uint32_t)bsim_sass_number_of(next_word(&offset), 16), .next = r->function->tables};
        r->function->tables = table;
    } else if (offset.length == 0 && targets.length > 0 && r->function->tables != NULL) {
        r->function->tables->targets = strip(targets);
    }
}

static void read_info(struct reader *r)
{
    struct bsim_sass_word line = strip(r->line);
    if (r->function != NULL && bsim_sass_same(r->attribute, "EIATTR_INDIRECT_BRANCH_TARGETS")) {
        read_table(r);
    }
    if (bsim_sass_begins(line, "Attribute:")) {
        r->attribute = strip(behind(line, 10));
        return;
    }
    if (!bsim_sass_begins(line, "Value:")) {
        return;
    }
    if (bsim_sass_same(r->attribute, "EIATTR_MIN_STACK_SIZE") || bsim_sass_same(r->attribute, "EIATTR_REGCOUNT")) {
        read_sizes_of(r);
    }
    if (r->function == NULL) {
        return;
    }
    struct bsim_sass_word value = behind(line, 6);
    if (bsim_sass_same(r->attribute, "EIATTR_KPARAM_INFO")) {
        read_parameter(r);
    } else if (bsim_sass_same(r->attribute, "EIATTR_PARAM_CBANK")) {
        next_word(&value);
        r->function->parameter_base = bsim_sass_number_of(next_word(&value), 16) & 0xffff;
    } else if (bsim_sass_same(r->attribute, "EIATTR_MAX_THREADS") || bsim_sass_same(r->attribute, "EIATTR_REQNTID")) {
        r->function->needs_threads |= bsim_sass_same(r->attribute, "EIATTR_REQNTID");
        for (uint32_t i = 0; i < 3; i++) {
            r->function->threads[i] = (uint32_t)bsim_sass_number_of(next_word(&value), 16);
        }
    }
}

/* "0x13  0  0x10  0x1  0  0x16  tab" */
static void read_symbol(struct reader *r)
{
    struct bsim_sass_word rest = r->line, word[7];
    for (uint32_t i = 0; i < 7; i++) {
        word[i] = next_word(&rest);
    }
    struct bsim_sass_symbol *symbol = word[6].length > 0 ? take(r, sizeof *symbol) : NULL;
    if (symbol != NULL) {
        *symbol = (struct bsim_sass_symbol){.name = word[6],
                                            .value = (uint32_t)bsim_sass_number_of(word[1], 16),
                                            .size = (uint32_t)bsim_sass_number_of(word[2], 16),
                                            .section = (uint32_t)bsim_sass_number_of(word[5], 16),
                                            .next = r->dump->symbols};
        r->dump->symbols = symbol;
    }
}

/* "16  1f80  10  0  4  PROGBITS  3  0  0  .nv.global.init" */
static void read_section(struct reader *r)
{
    struct bsim_sass_word rest = r->line, first = next_word(&rest), name = {"", 0};
    uint32_t number = (uint32_t)bsim_sass_number_of(first, 16);
    for (struct bsim_sass_word word = next_word(&rest); word.length > 0; word = next_word(&rest)) {
        name = word;
    }
    struct bsim_sass_dump *dump = r->dump;
    dump->section_global = bsim_sass_same(name, ".nv.global.init") ? number : dump->section_global;
    dump->section_zero = bsim_sass_same(name, ".nv.global") ? number : dump->section_zero;
}

/* "0x0  tab  R_CUDA_64  0x0" */
static void read_address(struct reader *r, struct bsim_sass_address **list)
{
    struct bsim_sass_word rest = r->line, offset = next_word(&rest), name = next_word(&rest), addend;
    next_word(&rest);
    addend = next_word(&rest);
    struct bsim_sass_address *address = name.length > 0 ? take(r, sizeof *address) : NULL;
    if (address != NULL) {
        *address = (struct bsim_sass_address){
            .offset = (uint32_t)bsim_sass_number_of(offset, 16), .addend = (uint32_t)bsim_sass_number_of(addend, 16), .name = name, .next = *list};
        *list = address;
    }
}

static void read_source_line(struct reader *r)
{
    if (!bsim_sass_take_line(r->dump, strip(r->line))) {
        r->status = bsim_mem_short(r->err);
    }
}

/* "0x48  _Z3fooPf  R_CUDA_64  0x0" */
static void read_owner(struct reader *r)
{
    struct bsim_sass_word rest = r->line, offset = next_word(&rest), name = next_word(&rest);
    if (bsim_sass_begins(offset, "0x") && name.length > 0 && !bsim_sass_take_line_owner(r->dump, (uint32_t)bsim_sass_number_of(offset, 16), name)) {
        r->status = bsim_mem_short(r->err);
    }
}

/* A section's words; behind its last whole one its last bytes stand one by one: 0x34 0x12. */
static void read_bytes(struct reader *r, struct bsim_sass_bytes *bytes)
{
    enum { BYTE_LENGTH = sizeof "0x00" - 1 };
    struct bsim_sass_word rest = r->line;
    uint32_t n_single = 0; /* of the line */
    for (struct bsim_sass_word word = next_word(&rest); bsim_sass_begins(word, "0x"); word = next_word(&rest)) {
        uint32_t place = word.length == BYTE_LENGTH ? n_single++ % 4 : 0;
        if (place > 0 && bytes->word != NULL) {
            bytes->word[bytes->n - 1] |= (uint32_t)bsim_sass_number_of(word, 16) << 8 * place;
            continue;
        }
        bytes->word = grown(r, bytes->word, bytes->n, &bytes->room, sizeof *bytes->word);
        if (bytes->word != NULL) {
            bytes->word[bytes->n++] = (uint32_t)bsim_sass_number_of(word, 16);
        }
    }
}

/* "lmem=0	smem=5120" */
static void read_sizes(struct reader *r)
{
    struct bsim_sass_word shared = find_behind(r->line, "smem=");
    if (shared.length > 0) {
        r->function->shared = (uint32_t)bsim_sass_number_of(next_word(&shared), 10);
    }
}

static const struct head {
    const char *text;
    enum section section;
    bool is_of_function; /* its name follows */
} heads[] = {
    {"Sections:", SECTIONS, false},
    {".section .symtab", SYMBOLS, false},
    {".section .debug_line", LINES, false},
    {".section .rela.debug_line", OWNERS, false},
    {".section .rel.debug_line", OWNERS, false},
    {".section .rela.nv.constant4", ADDRESSES, false},
    {".section .rel.nv.constant4", ADDRESSES, false},
    {".section .rela.nv.global.init", INNER, false},
    {".section .rel.nv.global.init", INNER, false},
    {".nv.info.", INFO, true},
    {".nv.info", INFO, false},
    {".text.", TEXT, true},
    {".section .rela.text.", RELOCATIONS, true},
    {".section .rel.text.", RELOCATIONS, true},
    {".nv.constant2.", BANK2, true},
    {".nv.constant3", BANK3, false},
    {".nv.global.init", GLOBAL, false},
};

/* The function's code is of the module under way: two of one name, each with variables of its own, are not told apart here. */
static void note_module(struct reader *r)
{
    if (r->function->module != 0 && r->function->module != r->module) {
        fail(r, "a kernel of this name is in a module before: dump one alone ('cuobjdump -xelf all FILE' has each)");
    }
    r->function->module = r->module;
}

/* Whether the line begins a section, which is then the one under way. */
static bool begin_section(struct reader *r)
{
    struct bsim_sass_word line = strip(r->line);
    if (bsim_sass_begins(line, "Function : ")) {
        r->section = CODE;
        r->awaits_control = false;
        r->function = find_function(r, strip(behind(line, 11)));
        return true;
    }
    if (r->line.length == 0 || is_blank(r->line.text[0])) {
        return false;
    }
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        if (bsim_sass_begins(line, heads[i].text)) {
            struct bsim_sass_word rest = behind(line, (uint32_t)strlen(heads[i].text));
            r->section = heads[i].section;
            r->function = heads[i].is_of_function ? find_function(r, next_word(&rest)) : NULL;
            if (r->section == TEXT && r->function != NULL) {
                note_module(r);
            }
            return true;
        }
    }
    if (line.text[0] == '.') {
        r->section = OTHER;
        return true;
    }
    return false;
}

static void read_architecture(struct reader *r)
{
    struct bsim_sass_word sm = find_behind(r->line, "sm="), code = find_behind(r->line, "code for sm_");
    struct bsim_sass_word digits = code.length > 0 ? code : bsim_sass_begins(r->line, "64-bit ELF:") ? sm : (struct bsim_sass_word){"", 0};
    uint32_t architecture = digits.length > 0 ? (uint32_t)bsim_sass_number_of(digits, 10) : 0;
    r->module += bsim_sass_begins(r->line, "64-bit ELF:");
    if (bsim_sass_begins(r->line, "64-bit ELF:") && find_behind(r->line, "type=ET_REL").length > 0) {
        fail(r, "this code is not linked (-rdc=true, -dc), and its addresses are open: dump the program, or what 'nvcc -dlink -cubin' makes");
    }
    if (architecture > 0 && r->dump->architecture > 0 && architecture != r->dump->architecture) {
        fail(r, "code of a second architecture: choose one, with cuobjdump -arch sm_90");
    }
    r->dump->architecture = architecture > 0 ? architecture : r->dump->architecture;
}

static void read_line(struct reader *r)
{
    if (memchr(r->line.text, '\0', r->line.length) != NULL) {
        fail(r, "a byte of 0, which no text has");
        return;
    }
    read_architecture(r);
    if (begin_section(r) || r->status != BSIM_OK) {
        return;
    }
    switch (r->section) {
    case SECTIONS:
        read_section(r);
        break;
    case SYMBOLS:
        read_symbol(r);
        break;
    case INFO:
        read_info(r);
        break;
    case TEXT:
        read_sizes(r);
        break;
    case RELOCATIONS: /* "0x150  tab  R_CUDA_ABS32_LO_32  0x0" */
        r->function->is_open |= find_behind(r->line, "R_CUDA_ABS32").length > 0;
        break;
    case LINES:
        read_source_line(r);
        break;
    case OWNERS:
        read_owner(r);
        break;
    case ADDRESSES:
        read_address(r, &r->dump->addresses);
        break;
    case INNER:
        read_address(r, &r->dump->inner);
        break;
    case BANK2:
        read_bytes(r, &r->function->bank2);
        break;
    case BANK3:
        read_bytes(r, &r->dump->bank3);
        break;
    case GLOBAL:
        read_bytes(r, &r->dump->global);
        break;
    case CODE:
        read_code(r);
        break;
    case OTHER:
        break;
    }
}

enum bsim_status bsim_sass_read(const char *name, const char *text, size_t length, struct bsim_sass_dump *dump, struct bsim_error *err)
{
    *dump = (struct bsim_sass_dump){.architecture = 0};
    struct reader r = {.name = name, .text = text, .end = text + length, .last = &dump->functions, .dump = dump, .err = err};
    while (r.status == BSIM_OK && next_line(&r)) {
        read_line(&r);
    }
    bsim_sass_place_lines(dump);
    return r.status;
}

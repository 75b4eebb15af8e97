/* place.c - where in the source an instruction comes from. Of what was inlined, .loc tells the call as well;
 * where that was inlined in its turn, an earlier .loc of the function has told of it:
 *
 *     .loc 2 103 9, function_name $a, inlined_at 1 13 5     main.cu:13 calls a function of header 2, whose
 *     .loc 3 292 5, function_name $b, inlined_at 2 103 9    line 103 calls one of header 3
 *     cp.async ...                                          is at main.cu:13, if both headers are the
 *                                                           toolkit's
 *
 * What users can mend is where they call the toolkit. A header of their own is a file as any other.
 */
#include "ptx/reader.h"

#include "base/memory.h"
#include "ptx/source.h"

#include <stdarg.h>
#include <stdio.h>

/* What a path has that leads to no file of the user's: of toolkits (an installation's, a package's, the
 * HPC SDK's), of the system, of what other languages compile their kernels with, and of banksim itself. */
static bool is_users(const char *path)
{
    static const char *const others[] = {
        "-linux/include/",       "/usr/local/cuda",
        "/nvidia/hpc_sdk/",      "/nvidia/cuda_",
        "/nvidia/cu1",           "/cccl/",
        "/usr/include/",         "/usr/lib/",
        "/cooperative_groups/",  "NVIDIA GPU Computing Toolkit",
        "/.julia/packages/",     "/triton/language/",
        "include-cuda/banksim_",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strstr(path, others[i]) != NULL) {
            return false;
        }
    }
    return true;
}

static const char *file_of(const struct bsim_ptx_module *module, const struct bsim_ptx_place *place)
{
    return place->file < module->n_files ? module->file[place->file] : NULL;
}

const char *bsim_ptx_source(const struct bsim_ptx_module *module,
                            const struct bsim_ptx_instruction *instruction, uint32_t *line)
{
    const struct bsim_ptx_place *own = instruction->place, *place = own;
    while (place != NULL && (file_of(module, place) == NULL || !is_users(file_of(module, place)))) {
        place = place->caller;
    }
    place = place != NULL ? place : own;
    const char *file = place != NULL ? file_of(module, place) : NULL;
    *line = file != NULL ? place->line : instruction->line;
    return file != NULL ? file : module->name;
}

bool bsim_ptx_is_known(const struct bsim_ptx_module *module, const char *file)
{
    return module->source_name != NULL && strcmp(file, module->source_name) == 0;
}

static void place_in_ptx(struct bsim_error *err, const struct bsim_ptx_module *module, const struct bsim_ptx_instruction *instruction)
{
    bsim_error_place(err, module->name, instruction->line, 1, instruction->text, instruction->text_length);
}

/* Of machine code nobody sees the PTX: what comes from a line of the source has its own line in the text for a column. */
static const char *shown_source(const struct bsim_ptx_module *module, const struct bsim_ptx_instruction *instruction, uint32_t *line)
{
    const char *file = bsim_ptx_source(module, instruction, line);
    bool is_machine_code = module->source_name != NULL && module->functions != NULL && module->functions->is_machine_code;
    if (is_machine_code && instruction->place != NULL && instruction->place->column > 0) {
        *line = instruction->place->column;
        file = module->source_name;
    }
    return file;
}

void bsim_ptx_place_error(struct bsim_error *err, const struct bsim_ptx_module *module, const struct bsim_ptx_instruction *instruction)
{
    uint32_t line;
    size_t length = 0;
    const char *file = shown_source(module, instruction, &line);
    if (bsim_ptx_is_known(module, file)) {
        const char *text = bsim_ptx_text_line(module->source_text, line, &length);
        bsim_error_place(err, file, line, 0, text, length);
    } else {
        place_in_ptx(err, module, instruction);
    }
}

enum bsim_status bsim_ptx_refuse(const struct bsim_ptx_module *module,
                                 const struct bsim_ptx_instruction *instruction,
                                 struct bsim_error *err, const char *format, ...)
{
    char message[BSIM_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    bool is_unread = instruction->issues != NULL && instruction->issues->why != NULL;
    bsim_error_set(err, BSIM_E_INPUT, is_unread ? "%s; the kernel's PTX, or its source, may do" : "%s", message);
    if (instruction->issues != NULL) { /* of machine code nobody sees the PTX */
        bsim_ptx_place_error(err, module, instruction);
    } else {
        place_in_ptx(err, module, instruction);
    }
    return BSIM_E_INPUT;
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool is_same(const struct bsim_ptx_place *a, const struct bsim_ptx_place *b)
{
    return a->file == b->file && a->line == b->line && a->column == b->column;
}

static uint32_t hash_of(const struct bsim_ptx_place *place)
{
    uint64_t line = (uint64_t)place->file << 48 ^ (uint64_t)place->line << 16 ^ place->column;
    return bsim_table_hash(line);
}

/* Where the function's last .loc of that place stands, or NULL. */
static const struct bsim_ptx_place **find(struct bsim_ptx_reader *reader,
                                          const struct bsim_ptx_place *like)
{
    uint32_t hash = hash_of(like), at = hash, item;
    while ((item = bsim_table_next(&reader->places, hash, &at)) != 0) {
        if (is_same(reader->last_place[item - 1], like)) {
            return &reader->last_place[item - 1];
        }
    }
    return NULL;
}

/* A place that none is remembered of. */
static const struct bsim_ptx_place **add(struct bsim_ptx_reader *reader,
                                         const struct bsim_ptx_place *place)
{
    uint32_t n = reader->places.n;
    if (!bsim_ptx_grow(reader, &reader->last_place, n, sizeof *reader->last_place)) {
        return NULL;
    }
    if (!bsim_table_add(&reader->places, hash_of(place))) {
        bsim_ptx_scan_no_memory(&reader->scan);
        return NULL;
    }
    return &reader->last_place[n];
}

/* As the function's last of that place; NULL after a failure. */
static const struct bsim_ptx_place *remember(struct bsim_ptx_reader *reader,
                                             const struct bsim_ptx_place *place)
{
    const struct bsim_ptx_place **last = find(reader, place);
    if (last != NULL && (*last)->caller == place->caller) {
        return *last;
    }
    struct bsim_ptx_place *made = bsim_ptx_make(reader, sizeof *made);
    last = made == NULL ? NULL : last != NULL ? last : add(reader, place);
    if (last == NULL) {
        return NULL;
    }
    *made = *place;
    return *last = made;
}

static void read_numbers(struct bsim_ptx_scanner *scan, struct bsim_ptx_place *place)
{
    place->file = (uint32_t)bsim_ptx_expect_number(scan, "the file's number");
    place->line = (uint32_t)bsim_ptx_expect_number(scan, "the line");
    place->column = (uint32_t)bsim_ptx_expect_number(scan, "the column");
}

/* .loc file line column [, function_name label, inlined_at file line column] */
void bsim_ptx_read_loc(struct bsim_ptx_reader *reader)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    struct bsim_ptx_place place = {0};
    bsim_ptx_scan_next(scan);
    read_numbers(scan, &place);
    while (bsim_ptx_accept(scan, ',')) {
        const struct bsim_ptx_token *token = &scan->token;
        bool is_inlined = token->length == 10 && memcmp(token->text, "inlined_at", 10) == 0;
        bsim_ptx_scan_next(scan);
        if (is_inlined) {
            struct bsim_ptx_place caller = {0};
            read_numbers(scan, &caller);
            const struct bsim_ptx_place **told = find(reader, &caller);
            place.caller = told != NULL ? *told : remember(reader, &caller);
        } else {
            bsim_ptx_scan_next(scan); /* the label of the function's name, maybe with +offset */
            if (bsim_ptx_accept(scan, '+')) {
                bsim_ptx_expect_number(scan, "the offset");
            }
        }
    }
    /* Line 0 is "nowhere in particular": what the last one said still tells the reader most. */
    if (place.line != 0) {
        reader->place = remember(reader, &place);
    }
}

void bsim_ptx_forget_places(struct bsim_ptx_reader *reader)
{
    reader->place = NULL;
    bsim_table_clear(&reader->places); /* the next one may be much smaller */
}

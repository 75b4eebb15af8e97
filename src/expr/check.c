/* check.c - a check while its statements come in, and what can be asked of it once sealed. */
#include "expr/check.h"

#include "base/memory.h"
#include <banksim/nearest.h>

#include <inttypes.h>
#include <string.h>

enum { MAX_STATEMENT_BYTES = 16384 };

static const char *const words[BSIM_N_WORDS] = {
    "block", "grid", "blockidx", "warp", "define", "struct", "union",    "typedef",  "shared",
    "for",   "let",  "if",       "load", "store",  "atomic", "ldmatrix", "stmatrix", "expect",
};

struct bsim_check *bsim_check_new(void)
{
    return bsim_mem_zeroed(1, sizeof(struct bsim_check));
}

void bsim_check_free(struct bsim_check *check)
{
    if (check != NULL) {
        bsim_mem_free(check->array);
        bsim_scope_free(&check->scope);
        bsim_arena_free(&check->arena);
        bsim_mem_free(check);
    }
}

const char *bsim_check_word(size_t index)
{
    return index < BSIM_N_WORDS ? words[index] : NULL;
}

bool bsim_check_is_access(enum bsim_check_word word)
{
    return word >= BSIM_WORD_LOAD && word <= BSIM_WORD_STMATRIX;
}

/* ---- statements ------------------------------------------------------------------------------ */

/* Index of the word text[0..length), or BSIM_N_WORDS. */
static enum bsim_check_word find_word(const char *text, size_t length)
{
    int i = 0;
    while (i < BSIM_N_WORDS &&
           (strlen(words[i]) != length || memcmp(words[i], text, length) != 0)) {
        i++;
    }
    return (enum bsim_check_word)i;
}

/* A new statement whose source is a copy of line[0..length). */
static struct bsim_statement *new_statement(struct bsim_check *check, const char *name,
                                            uint64_t number, const char *line, size_t length,
                                            struct bsim_error *err)
{
    struct bsim_statement *statement = bsim_arena_take(&check->arena, sizeof *statement);
    char *text = bsim_arena_text(&check->arena, line, length);
    char *name_copy = bsim_arena_text(&check->arena, name, strlen(name));
    if (statement == NULL || text == NULL || name_copy == NULL) {
        (void)bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
        return NULL;
    }
    statement->source = (struct bsim_source){name_copy, number, text, length};
    return statement;
}

static void append(struct bsim_check *check, struct bsim_statement *statement)
{
    if (check->last != NULL) {
        check->last->next = statement;
    } else {
        check->first = statement;
    }
    check->last = statement;
}

static enum bsim_status check_open(const struct bsim_check *check, struct bsim_error *err)
{
    return check->sealed || check->broken
               ? bsim_error_set(err, BSIM_E_USAGE, "a sealed check takes no more statements")
               : BSIM_OK;
}

static enum bsim_status check_length(const struct bsim_statement *statement, struct bsim_error *err)
{
    return statement->source.length > MAX_STATEMENT_BYTES
               ? bsim_source_error(&statement->source, 0, err, "a statement has at most %d bytes",
                                   MAX_STATEMENT_BYTES)
               : BSIM_OK;
}

enum bsim_status bsim_check_add(struct bsim_check *check, const char *word, const char *text,
                                const char *origin, struct bsim_error *err)
{
    enum bsim_check_word found = find_word(word, strlen(word));
    enum bsim_status status = check_open(check, err);
    if (status == BSIM_OK && found == BSIM_N_WORDS) {
        status = bsim_error_set(err, BSIM_E_USAGE, "no statement begins with '%s'", word);
    }
    if (status != BSIM_OK) {
        return status;
    }
    struct bsim_statement *statement = new_statement(check, origin, 0, text, strlen(text), err);
    if (statement == NULL) {
        return BSIM_E_MEMORY;
    }
    statement->word = found;
    status = check_length(statement, err);
    if (status == BSIM_OK) {
        append(check, statement);
    }
    return status;
}

/* ---- the statements of a text ---------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static enum bsim_status unknown_word(const struct bsim_statement *statement, size_t at,
                                     size_t length, struct bsim_error *err)
{
    char word[64];
    size_t n = length < sizeof word ? length : sizeof word - 1;
    memcpy(word, statement->source.text + at, n);
    word[n] = '\0';
    struct bsim_nearest nearest = bsim_nearest_start(word);
    for (int i = 0; i < BSIM_N_WORDS; i++) {
        bsim_nearest_try(&nearest, words[i]);
    }
    if (nearest.best != NULL) {
        return bsim_source_error(&statement->source, at, err,
                                 "unknown word '%s': did you mean '%s'?", word, nearest.best);
    }
    return bsim_source_error(&statement->source, at, err,
                             "unknown word '%s': a line begins with shared, load, store, ...",
                             word);
}

/* One line of a text: nothing, or a statement. */
static enum bsim_status add_line(struct bsim_check *check, const char *name, uint64_t number,
                                 const char *line, size_t length, struct bsim_error *err)
{
    const char *comment = memchr(line, '#', length);
    size_t end = comment != NULL ? (size_t)(comment - line) : length;
    size_t at = 0;
    while (end > 0 && is_blank(line[end - 1])) {
        end--;
    }
    while (at < end && is_blank(line[at])) {
        at++;
    }
    if (at == end) {
        return BSIM_OK;
    }
    struct bsim_statement *statement = new_statement(check, name, number, line, end, err);
    if (statement == NULL) {
        return BSIM_E_MEMORY;
    }
    enum bsim_status status = check_length(statement, err);
    if (status != BSIM_OK) {
        return status;
    }
    size_t word = at;
    while (at < end && !is_blank(line[at])) {
        at++;
    }
    statement->word = find_word(line + word, at - word);
    statement->at = at;
    statement->unit = check->n_units;
    if (statement->word == BSIM_N_WORDS) {
        return unknown_word(statement, word, at - word, err);
    }
    append(check, statement);
    return BSIM_OK;
}

enum bsim_status bsim_check_add_text(struct bsim_check *check, const char *name, const char *text,
                                     size_t size, struct bsim_error *err)
{
    enum bsim_status status = check_open(check, err);
    const char *end = text + size;
    static const char mark[] = "\xef\xbb\xbf"; /* that some editors begin a file with */
    bool has_mark = size >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0;
    text += has_mark ? sizeof mark - 1 : 0;
    check->n_units++;
    for (uint64_t number = 1; text < end && status == BSIM_OK; number++) {
        const char *line_end = memchr(text, '\n', (size_t)(end - text));
        line_end = line_end != NULL ? line_end : end;
        status = add_line(check, name, number, text, (size_t)(line_end - text), err);
        text = line_end < end ? line_end + 1 : end;
    }
    check->broken = check->broken || status != BSIM_OK;
    return status;
}

const char *bsim_check_copy(struct bsim_check *check, const struct bsim_source *source, size_t at,
                            size_t end)
{
    while (end > at && (is_blank(source->text[end - 1]) || source->text[end - 1] == ';')) {
        end--;
    }
    while (at < end && is_blank(source->text[at])) {
        at++;
    }
    char *copy = bsim_arena_text(&check->arena, source->text + at, end - at);
    for (size_t i = 0; copy != NULL && i < end - at; i++) {
        copy[i] = (unsigned char)copy[i] < ' ' || copy[i] == 0x7f ? ' ' : copy[i];
    }
    return copy;
}

/* ---- a sealed check -------------------------------------------------------------------------- */

const struct bsim_kernel *bsim_check_kernel(const struct bsim_check *check)
{
    return &check->kernel;
}

struct bsim_dim3 bsim_check_block(const struct bsim_check *check)
{
    return check->block;
}

size_t bsim_check_n_arrays(const struct bsim_check *check)
{
    return check->n_arrays;
}

const struct bsim_check_array *bsim_check_array(const struct bsim_check *check, size_t index)
{
    return &check->array[index];
}

size_t bsim_check_n_accesses(const struct bsim_check *check)
{
    return check->n_accesses;
}

const struct bsim_check_access *bsim_check_access(const struct bsim_check *check, size_t index)
{
    return &check->access[index].shown;
}

size_t bsim_check_n_loops(const struct bsim_check *check)
{
    return check->n_loops;
}

const char *bsim_check_loop(const struct bsim_check *check, size_t index)
{
    return check->loop_name[index];
}

struct bsim_dim3 bsim_check_thread(const struct bsim_check *check, uint32_t warp, uint32_t lane)
{
    const struct bsim_dim3 *block = &check->kernel.block;
    uint32_t t = warp * BSIM_WARP_LANES + lane;
    return (struct bsim_dim3){t % block->x, t / block->x % block->y, t / block->x / block->y};
}

size_t bsim_check_n_expectations(const struct bsim_check *check)
{
    return check->n_expectations;
}

const struct bsim_check_expectation *bsim_check_expectation(const struct bsim_check *check,
                                                            size_t index)
{
    return &check->expectation[index].shown;
}

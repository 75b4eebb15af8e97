/* check.c - a check while its statements come in, and what can be asked of it once sealed. */
#include "expr/check.h"

#include "base/memory.h"
#include <string.h>

enum { FIRST_CAPACITY = 16 };

struct bsim_check *bsim_check_new(void)
{
    return bsim_mem_zeroed(1, sizeof(struct bsim_check));
}

void bsim_check_free(struct bsim_check *check)
{
    if (check != NULL) {
        bsim_mem_free(check->array);
        bsim_mem_free(check->space);
        bsim_mem_free(check->loop);
        bsim_mem_free(check->access);
        bsim_mem_free(check->shuffle);
        bsim_mem_free(check->expectation);
        bsim_scope_free(&check->scope);
        bsim_scope_free(&check->strangers);
        bsim_arena_free(&check->arena);
        bsim_mem_free(check);
    }
}

bool bsim_check_grow(void **list, size_t n, size_t *capacity, size_t size)
{
    if (n < *capacity) {
        return true;
    }
    size_t more = *capacity > 0 ? 2 * *capacity : FIRST_CAPACITY;
    void *grown = bsim_mem_resize(*list, more, size);
    if (grown == NULL) {
        return false;
    }
    *list = grown;
    *capacity = more;
    return true;
}

bool bsim_check_add_variable(struct bsim_check *check, size_t *number)
{
    *number = check->n_variables;
    if (!bsim_check_grow((void **)&check->space, *number, &check->spaces_capacity,
                         sizeof *check->space)) {
        return false;
    }
    check->space[check->n_variables++] = BSIM_NO_SPACE;
    return true;
}

/* ---- statements ------------------------------------------------------------------------------ */

static enum bsim_status check_open(const struct bsim_check *check, struct bsim_error *err)
{
    return check->sealed || check->broken
               ? bsim_error_set(err, BSIM_E_USAGE, "a sealed check takes no more statements")
               : BSIM_OK;
}

static enum bsim_status add_option(struct bsim_check *check, enum bsim_check_word word,
                                   const char *text, const char *origin, struct bsim_error *err)
{
    size_t length = strlen(text);
    struct bsim_statement *statement = bsim_arena_take(&check->arena, sizeof *statement);
    char *copy = bsim_arena_text(&check->arena, text, length);
    char *name = bsim_arena_text(&check->arena, origin, strlen(origin));
    if (statement == NULL || copy == NULL || name == NULL) {
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    statement->word = word;
    statement->source = (struct bsim_source){name, 0, copy, length};
    statement->end = length;
    statement->is_option = true;
    if (length > BSIM_STATEMENT_MAX_BYTES) {
        return bsim_source_error(&statement->source, 0, err, "a statement has at most %d bytes",
                                 BSIM_STATEMENT_MAX_BYTES);
    }
    bsim_check_append(check, statement);
    return BSIM_OK;
}

enum bsim_status bsim_check_add(struct bsim_check *check, const char *word, const char *text,
                                const char *origin, struct bsim_error *err)
{
    enum bsim_check_word found = bsim_check_find_word(word, strlen(word));
    enum bsim_status status = check_open(check, err);
    if (status == BSIM_OK && found == BSIM_N_WORDS) {
        status = bsim_error_set(err, BSIM_E_USAGE, "no statement begins with '%s'", word);
    }
    if (status != BSIM_OK) {
        return status;
    }
    return found == BSIM_WORD_CODE ? bsim_check_split(check, origin, 0, 0, text, strlen(text), err)
                                   : add_option(check, found, text, origin, err);
}

enum bsim_status bsim_check_add_text(struct bsim_check *check, const char *name, const char *text,
                                     size_t size, struct bsim_error *err)
{
    enum bsim_status status = check_open(check, err);
    static const char mark[] = "\xef\xbb\xbf"; /* that some editors begin a file with */
    bool has_mark = size >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0;
    size_t skipped = has_mark ? sizeof mark - 1 : 0;
    if (status == BSIM_OK) {
        check->n_units++;
        status =
            bsim_check_split(check, name, 1, check->n_units, text + skipped, size - skipped, err);
    }
    check->broken = check->broken || status != BSIM_OK;
    return status;
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
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

size_t bsim_check_n_arrays(const struct bsim_check *check)
{
    return check->n_shared;
}

const struct bsim_check_array *bsim_check_array(const struct bsim_check *check, size_t index)
{
    return &check->array[index];
}

void bsim_check_addresses(const struct bsim_check *check, const struct bsim_check_request *request,
                          uint64_t address[BSIM_WARP_LANES])
{
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        bool counts = (request->lanes >> lane & 1) != 0;
        address[lane] =
            counts ? check->array[request->array[lane]].begin + request->offset[lane] : 0;
    }
}

size_t bsim_check_n_accesses(const struct bsim_check *check)
{
    return check->n_accesses;
}

const struct bsim_check_access *bsim_check_access(const struct bsim_check *check, size_t index)
{
    return &check->access[index].shown;
}

size_t bsim_check_n_loops(const struct bsim_check *check, size_t access)
{
    size_t n = 0;
    for (size_t i = check->access[access].loop; i != BSIM_NO_LOOP; i = check->loop[i].outer) {
        n++;
    }
    return n;
}

const char *bsim_check_loop(const struct bsim_check *check, size_t access, size_t index)
{
    size_t i = check->access[access].loop;
    for (size_t n = bsim_check_n_loops(check, access); n > index + 1; n--) {
        i = check->loop[i].outer;
    }
    return check->loop[i].name;
}

size_t bsim_check_n_strangers(const struct bsim_check *check)
{
    return check->strangers.n;
}

const char *bsim_check_stranger(const struct bsim_check *check, size_t index)
{
    return check->strangers.symbol[index].name;
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

size_t bsim_check_n_indices(const struct bsim_check *check)
{
    return check->n_deciding;
}

bool bsim_check_is_drawn(const struct bsim_check *check)
{
    return check->n_drawn > 0;
}

/* check.c - a check while its statements come in, and what can be asked of it once sealed. */
#include "expr/check.h"
#include "expr/record.h"

#include "base/memory.h"

#include <banksim/model.h>

#include <string.h>

struct bsim_check *bsim_check_new(void)
{
    return bsim_mem_zeroed(1, sizeof(struct bsim_check));
}

void bsim_check_free(struct bsim_check *check)
{
    if (check != NULL) {
        bsim_mem_free(check->array);
        bsim_mem_free(check->mbarrier);
        bsim_mem_free(check->variable);
        bsim_mem_free(check->loop);
        bsim_mem_free(check->access);
        bsim_mem_free(check->shuffle);
        bsim_mem_free(check->expectation);
        bsim_scope_free(&check->scope);
        bsim_scope_free(&check->strangers);
        bsim_scope_free(&check->locals);
        bsim_recorder_free(check->recorder);
        bsim_check_free(check->said);
        bsim_arena_free(&check->file.arena);
        bsim_mem_free(check);
    }
}

bool bsim_check_grow(void **list, size_t n, size_t each)
{
    void *grown = bsim_mem_grow(*list, n, each);
    *list = grown != NULL ? grown : *list;
    return grown != NULL;
}

bool bsim_check_varies(const struct bsim_check *check, const struct bsim_node *node)
{
    return node != NULL &&
           (node->kind == BSIM_NODE_BUILTIN || node->kind == BSIM_NODE_INDEX ||
            node->kind == BSIM_NODE_UNKNOWN ||
            (node->kind == BSIM_NODE_VARIABLE && check->variable[node->number].varies) ||
            bsim_check_varies(check, node->a) || bsim_check_varies(check, node->b) ||
            bsim_check_varies(check, node->c));
}

bool bsim_check_add_variable(struct bsim_check *check, size_t *number)
{
    *number = check->n_variables;
    if (!bsim_check_grow((void **)&check->variable, *number, sizeof *check->variable)) {
        return false;
    }
    check->variable[check->n_variables++] = (struct bsim_variable_known){.space = BSIM_NO_SPACE};
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
    struct bsim_statement *statement = bsim_arena_take(&check->file.arena, sizeof *statement);
    char *copy = bsim_arena_text(&check->file.arena, text, length);
    char *name = bsim_arena_text(&check->file.arena, origin, strlen(origin));
    if (statement == NULL || copy == NULL || name == NULL) {
        return bsim_mem_short(err);
    }
    statement->word = word;
    statement->source = (struct cu_source){.name = name, .text = copy, .length = length};
    statement->end = length;
    statement->is_option = true;
    if (length > BSIM_STATEMENT_MAX_BYTES) {
        return bsim_cu_error(&statement->source, 0, err, "a statement has at most %d bytes",
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

const char *bsim_check_copy(struct bsim_check *check, const struct cu_source *source, size_t at,
                            size_t end)
{
    while (end > at && (is_blank(source->text[end - 1]) || source->text[end - 1] == ';')) {
        end--;
    }
    while (at < end && is_blank(source->text[at])) {
        at++;
    }
    char *copy = bsim_arena_text(&check->file.arena, source->text + at, end - at);
    for (size_t i = 0; copy != NULL && i < end - at; i++) {
        copy[i] = (unsigned char)copy[i] < ' ' || copy[i] == 0x7f ? ' ' : copy[i];
    }
    return copy;
}

/* ---- a sealed check -------------------------------------------------------------------------- */

/* The variables of the loops around an access, outermost first. */
static bool show_loops(struct bsim_check *check, const struct bsim_access *access,
                       struct bsim_check_access *shown)
{
    size_t n = 0;
    for (size_t i = access->loop; i != BSIM_NO_LOOP; i = check->loop[i].outer) {
        n++;
    }
    const char **name = bsim_arena_take(&check->file.arena, n * sizeof *name);
    shown->n_loops = n;
    shown->loop = name;
    for (size_t i = access->loop; name != NULL && i != BSIM_NO_LOOP; i = check->loop[i].outer) {
        name[--n] = check->loop[i].name;
    }
    return name != NULL;
}

static const char **show_names(struct bsim_check *check, const struct bsim_scope *scope)
{
    const char **name = bsim_arena_take(&check->file.arena, scope->n * sizeof *name);
    for (size_t i = 0; name != NULL && i < scope->n; i++) {
        name[i] = scope->symbol[i].name;
    }
    return name;
}

bool bsim_check_show(struct bsim_check *check)
{
    struct bsim_arena *arena = &check->file.arena;
    struct bsim_check_access *access = bsim_arena_take(arena, check->n_accesses * sizeof *access);
    struct bsim_check_expectation *expectation =
        bsim_arena_take(arena, check->n_expectations * sizeof *expectation);
    const char **stranger = show_names(check, &check->strangers);
    const char **local = show_names(check, &check->locals);
    bool fits = access != NULL && expectation != NULL && stranger != NULL && local != NULL;
    for (size_t i = 0; fits && i < check->n_accesses; i++) {
        access[i] = check->access[i].shown;
        fits = show_loops(check, &check->access[i], &access[i]);
    }
    for (size_t i = 0; fits && i < check->n_expectations; i++) {
        expectation[i] = check->expectation[i].shown;
    }
    check->shown = access;
    check->contents = (struct bsim_check_contents){
        .kernel = &check->kernel,
        .n_arrays = check->n_shared,
        .array = check->array,
        .n_accesses = check->n_accesses,
        .access = access,
        .n_expectations = check->n_expectations,
        .expectation = expectation,
        .n_strangers = check->strangers.n,
        .stranger = stranger,
        .n_locals = check->locals.n,
        .local = local,
        .n_indices = check->n_deciding,
        .is_drawn = check->n_drawn > 0,
        .has_between = check->has_between,
        .recorded = check->recording != NULL ? &check->recording->shown : NULL,
    };
    return fits;
}

void bsim_check_for(struct bsim_check *check, const struct bsim_device *device)
{
    static const struct bsim_opcode read_only = {
        .family = BSIM_LD, .space = BSIM_GLOBAL, .path = BSIM_NC};
    bool has = bsim_device_executes(device, &read_only);
    for (size_t i = 0; i < check->n_accesses; i++) {
        if (check->access[i].is_read_only) {
            check->access[i].shown.opcode.path = has ? BSIM_NC : BSIM_USUAL_PATH;
            check->shown[i].opcode.path = check->access[i].shown.opcode.path;
        }
    }
}

const struct bsim_check_contents *bsim_check_contents(const struct bsim_check *check)
{
    return &check->contents;
}

void bsim_check_addresses(const struct bsim_check *check, const struct bsim_check_request *request,
                          uint64_t address[BSIM_WARP_LANES])
{
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        bool counts = (request->lanes >> lane & 1) != 0;
        const struct bsim_check_array *array = &check->array[request->array[lane]];
        address[lane] = !counts                       ? 0
                        : array->space == BSIM_SHARED ? request->address[lane]
                                                      : array->begin + request->offset[lane];
    }
}

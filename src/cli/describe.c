/* describe.c - accesses described by words: on the command line, or in a file.
 *
 * Each option that is a statement's word takes the statement's text as its value. atomic, ldmatrix
 * and stmatrix have two parts, as two arguments (--atomic add 'h[i]') or one ('add h[i]').
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/cli.h"

#include "base/memory.h"
#include "c/source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ORIGIN_SIZE = 32, MOST_STATEMENTS_BYTES = 16 << 20 };

/* One statement option. */
struct statement {
    const char *word;
    const char *first;  /* its value */
    const char *second; /* and the argument behind it, or NULL */
    const char *third;  /* of a copy: where it is from, or NULL */
};

/* The command line, sorted. */
struct description {
    struct statement *statements;
    size_t n_statements;
    char **rest; /* what the other options are, argv[0] first */
    int n_rest;
    char *file;        /* of statements, a trace, or kernels; or NULL */
    const char *shown; /* the file's name, for messages */
    bool is_trace;
    const char *launch; /* of a kernel of the file, or NULL */
    const char *kernel; /* of a trace, or NULL */
    struct bsim_buffer text; /* the file's, if it has statements */
    bool of_any_memory; /* a kernel that has no access to shared memory will do */
    const char **code; /* of `where`: expressions without a word */
    size_t n_code;
};

/* Whether text begins with the word: an option has a dash where a statement has a bar. */
static bool is_word(const char *word, const char *text)
{
    while (*word != '\0' && (*text == *word || (*text == '-' && *word == '_'))) {
        word++;
        text++;
    }
    return *word == '\0';
}

/* The statement's word if argument is "--word" or "--word=...", else NULL; *joined is what stands
 * behind the =, or NULL. */
static const char *statement_word(const char *argument, const char **joined)
{
    const char *word;
    if (strncmp(argument, "--", 2) != 0) {
        return NULL;
    }
    size_t length = strcspn(argument + 2, "=");
    for (size_t i = 0; (word = bsim_check_word(i)) != NULL; i++) {
        if (strlen(word) == length && is_word(word, argument + 2)) {
            *joined = argument[2 + length] == '=' ? argument + 3 + length : NULL;
            return word;
        }
    }
    return NULL;
}

/* Whether the word says everything. */
static bool is_bare(const char *word)
{
    return strcmp(word, "else") == 0 || strcmp(word, "end") == 0 || strcmp(word, "sync") == 0 ||
           strcmp(word, "syncwarp") == 0;
}

/* Whether the word's value is only the first of two. */
static bool is_split(const char *word, const char *value)
{
    bool has_two = strcmp(word, "atomic") == 0 || strcmp(word, "ldmatrix") == 0 ||
                   strcmp(word, "stmatrix") == 0 || strcmp(word, "cp_async") == 0 ||
                   strcmp(word, "tma") == 0 || strcmp(word, "wgmma") == 0;
    return has_two && strpbrk(value, " \t[(") == NULL && strcmp(value, "commit_group") != 0 && strcmp(value, "wait_all") != 0;
}

/* What is neither an option nor a file: an element of an array, or its address. */
static bool is_expression(const char *argument)
{
    return argument[0] != '-' && strpbrk(argument, "[(&") != NULL;
}

/* The option that begins at argv[*i]. */
static int take_statement(const char *command, const char *word, const char *joined, int argc,
                          char **argv, int *i, struct description *description)
{
    struct statement statement = {.word = word, .first = is_bare(word) ? "" : joined};
    if (is_bare(word) && joined != NULL) {
        return bsim_cli_usage(command, "--%s takes no value", word);
    }
    if (is_bare(word)) {
        description->statements[description->n_statements++] = statement;
        return EXIT_FINE;
    }
    if (joined == NULL && *i + 1 == argc) {
        return bsim_cli_usage(command, "--%s needs a value", word);
    }
    if (joined == NULL) {
        statement.first = argv[++*i];
    }
    if (is_split(word, statement.first)) {
        if (*i + 1 == argc) {
            return bsim_cli_usage(command, "--%s needs an expression behind '%s'", word,
                                  statement.first);
        }
        statement.second = argv[++*i];
    }
    if (strcmp(word, "cp_async") == 0 && statement.second != NULL && *i + 1 < argc &&
        is_expression(argv[*i + 1])) {
        statement.third = argv[++*i];
    }
    description->statements[description->n_statements++] = statement;
    return EXIT_FINE;
}

static int sort_arguments(const char *command, int argc, char **argv,
                          struct description *description)
{
    bool only_words = false;
    description->rest[description->n_rest++] = argv[0];
    for (int i = 1; i < argc; i++) {
        const char *joined = NULL;
        only_words = only_words || strcmp(argv[i], "--") == 0;
        const char *word = only_words ? NULL : statement_word(argv[i], &joined);
        if (word == NULL) {
            description->rest[description->n_rest++] = argv[i];
            continue;
        }
        int code = take_statement(command, word, joined, argc, argv, &i, description);
        if (code != EXIT_FINE) {
            return code;
        }
    }
    return EXIT_FINE;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Appends the text to `kept`, if that is not NULL. */
/* A file of CUDA C fails at the first thing that statements have not, which is nothing to go on. A sketch may
 * have such a name, too: then its fault is told as well. */
static void explain(const char *path, const char *text, struct bsim_error *err)
{
    bool has_kernel = strstr(text, "__global__") != NULL;
    bool is_source = bsim_c_is_source(text);
    if (is_source && has_kernel && strstr(err->message, "a whole kernel") == NULL) {
        (void)bsim_error_set(err, BSIM_E_INPUT, "%s is CUDA C: its kernels are read where its name ends in .cu",
                             path);
    } else if (is_source && !has_kernel) {
        (void)bsim_error_set(err, BSIM_E_INPUT, BSIM_CLI_NO_KERNEL, path);
    } else if (bsim_cli_is_cuda(path)) {
        bsim_cli_say("banksim: no __global__ kernel in %s, which was read as statements:\n", path);
    }
}

static enum bsim_status add_file(struct bsim_check *check, struct description *description,
                                 struct bsim_buffer *kept, struct bsim_error *err)
{
    static const struct text_kind kind = {"a list of statements", "", MOST_STATEMENTS_BYTES};
    struct bsim_buffer *text = &description->text;
    enum bsim_status status = bsim_cli_read_text(description->file, &kind, text, err);
    if (status == BSIM_OK && text->size_bytes > 0) {
        status =
            bsim_check_add_text(check, description->file, text->data, text->size_bytes, err);
    }
    if (kept != NULL && text->size_bytes > 0) {
        bsim_buffer_text(kept, text->data);
        bsim_buffer_text(kept, text->data[text->size_bytes - 1] == '\n' ? "" : "\n");
    }
    return status;
}

/* ---- the statements as a file has them ------------------------------------------------------- */

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words != NULL && strcmp(*words, word) != 0) {
        words++;
    }
    return *words != NULL;
}

/* A sketch's statement has a line, or ends at a ';': each of several declarations has its word. In a
 * file `const` is C's. */
static void put_line(const struct statement *statement, struct bsim_buffer *out)
{
    static const char *const declares[] = {"shared", "global", "const", NULL};
    bool is_const = strcmp(statement->word, "const") == 0;
    const char *word = is_const ? "__constant__" : statement->word;
    bool has_many = is_one_of(statement->word, declares);
    bsim_buffer_printf(out, "%s%s", word, statement->first[0] != '\0' ? " " : "");
    for (const char *at = statement->first; *at != '\0'; at++) {
        bsim_buffer_add(out, *at == '\n' ? " " : at, 1);
        if (*at == ';' && has_many && at[1 + strspn(at + 1, " \t\r\n")] != '\0') {
            bsim_buffer_printf(out, " %s", word);
        }
    }
    if (statement->second != NULL) {
        bsim_buffer_printf(out, " %s", statement->second);
    }
    if (statement->third != NULL) {
        bsim_buffer_printf(out, ", %s", statement->third);
    }
    size_t length = strlen(statement->first);
    bsim_buffer_text(out, is_const && (length == 0 || statement->first[length - 1] != ';') ? ";" : "");
}

/* Statements of C stand as they are; the last one's end may be left out on the command line. */
static void put_code(const char *code, struct bsim_buffer *out)
{
    size_t length = strlen(code);
    while (length > 0 && strchr(" \t\r\n", code[length - 1]) != NULL) {
        length--;
    }
    bool has_end = length > 0 && strchr(";}", code[length - 1]) != NULL;
    bsim_buffer_add(out, code, length);
    bsim_buffer_text(out, has_end ? "" : ";");
}

/* What holds for all that follows has braces in a file. */
static void put_statements(const struct description *description, struct bsim_buffer *out)
{
    static const char *const open[] = {"for", "times", "if", NULL};
    size_t depth = 0;
    for (size_t i = 0; i < description->n_statements; i++) {
        const struct statement *statement = &description->statements[i];
        bool is_else = strcmp(statement->word, "else") == 0;
        bool ends = is_else || strcmp(statement->word, "end") == 0;
        depth -= ends && depth > 0;
        bsim_buffer_printf(out, "%*s%s", (int)(4 * depth), "", ends ? "}" : "");
        if (is_else) {
            bsim_buffer_text(out, " else {");
        } else if (strcmp(statement->word, "code") == 0) {
            put_code(statement->first, out);
        } else if (!ends) {
            put_line(statement, out);
        }
        bool opens = is_one_of(statement->word, open);
        bsim_buffer_text(out, opens ? " {\n" : "\n");
        depth += opens || is_else;
    }
    while (depth > 0) {
        bsim_buffer_printf(out, "%*s}\n", (int)(4 * --depth), "");
    }
}

/* ---- the check ------------------------------------------------------------------------------- */

static enum bsim_status add_statement(struct bsim_check *check, const struct statement *statement,
                                      struct bsim_error *err)
{
    char origin[ORIGIN_SIZE];
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    (void)snprintf(origin, sizeof origin, "--%s", statement->word);
    for (char *bar = strchr(origin, '_'); bar != NULL; bar = strchr(bar, '_')) {
        *bar = '-';
    }
    bsim_buffer_text(&text, statement->first);
    if (statement->second != NULL) {
        bsim_buffer_printf(&text, " %s", statement->second);
    }
    if (statement->third != NULL) {
        bsim_buffer_printf(&text, ", %s", statement->third);
    }
    enum bsim_status status = bsim_buffer_status(&text, err);
    if (status == BSIM_OK) {
        status =
            bsim_check_add(check, statement->word, text.data != NULL ? text.data : "", origin, err);
    }
    bsim_buffer_free(&text);
    return status;
}

/* Of a trace --kernel chooses one that is there. */
static void take_kernel(struct description *description)
{
    size_t n = 0;
    for (size_t i = 0; i < description->n_statements; i++) {
        if (strcmp(description->statements[i].word, "kernel") == 0) {
            description->kernel = description->statements[i].first;
        } else {
            description->statements[n++] = description->statements[i];
        }
    }
    description->n_statements = n;
}

static enum bsim_status build(struct bsim_check *check, struct description *description,
                              struct options *options, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    bool is_page = bsim_cli_shows(options, BSIM_PAGES);
    if (description->is_trace) {
        take_kernel(description);
        status = bsim_cli_record(options, description->file, description->shown,
                                 description->kernel, description->of_any_memory, check, err);
    } else if (description->file != NULL) {
        status = add_file(check, description, is_page ? &options->statements : NULL, err);
    }
    if (is_page) {
        put_statements(description, &options->statements);
    }
    for (size_t i = 0; i < description->n_statements && status == BSIM_OK; i++) {
        status = add_statement(check, &description->statements[i], err);
    }
    for (size_t i = 0; i < description->n_code && status == BSIM_OK; i++) {
        status = bsim_check_add(check, "load", description->code[i], "EXPR", err);
    }
    return status == BSIM_OK ? bsim_check_seal(check, err) : status;
}

/* A line of CUDA that was typed where a file's name is meant. */
static bool is_code(const char *word)
{
    return strpbrk(word, "[;={") != NULL && access(word, F_OK) != 0;
}

/* What is expected is of accesses to shared memory: without one nothing would fail. */
static bool expects(const struct description *description)
{
    size_t i = 0;
    while (i < description->n_statements && strcmp(description->statements[i].word, "expect") != 0) {
        i++;
    }
    return i < description->n_statements;
}

/* Words are files, and to `where` expressions too. */
static int sort_words(const char *command, const struct options *options,
                      struct description *description)
{
    bool takes_code = strcmp(command, "where") == 0;
    description->of_any_memory = strcmp(command, "check") == 0 && !expects(description);
    for (int i = 0; i < options->n_words; i++) {
        char *word = options->words[i];
        if (takes_code && is_code(word)) {
            description->code[description->n_code++] = word;
        } else if (bsim_cli_is_launch(word) && description->launch == NULL) {
            description->launch = word;
        } else if (description->file != NULL && bsim_cli_has_kernels(description->file) &&
                   !bsim_cli_is_launch(word)) {
            return bsim_cli_no_launch(command, description->file, word);
        } else if (description->file != NULL) {
            return bsim_cli_usage(command,
                                  strstr(word, "<<") != NULL && !bsim_cli_is_launch(word)
                                      ? "'%s': a launch is KERNEL<<<GRID, BLOCK>>>(ARGUMENT, ...)"
                                      : "one file of statements, not '%s' too",
                                  word);
        } else if (is_code(word)) {
            return bsim_cli_usage(
                command, "no file is called '%s': a line of CUDA stands behind --code", word);
        } else {
            description->file = word;
            description->shown = word;
        }
    }
    return EXIT_FINE;
}

/* A file with kernels: the launch's trace takes its place. Without a launch the launches are told that it
 * may be; statements may be in a file of any name. */
static int take_launch(const char *command, struct options *options,
                       struct description *description)
{
    static char input[] = "-";
    bool is_without = false;
    bool takes_launch = strcmp(command, "check") == 0 || strcmp(command, "advise") == 0;
    bool has_kernels = description->file != NULL && bsim_cli_has_kernels(description->file);
    if (description->launch == NULL && (options->bare || options->blocks > 0 || options->steps > 0)) {
        return bsim_cli_usage(command, BSIM_CLI_OF_LAUNCH);
    }
    if (description->launch == NULL && !has_kernels) {
        return EXIT_FINE;
    }
    if (description->launch == NULL) {
        return bsim_cli_call_propose(takes_launch ? command : "check", description->file, &is_without);
    }
    if (!has_kernels || !takes_launch) {
        return bsim_cli_usage(command, "'%s' is a launch: 'banksim check', 'show' and 'advise' take it "
                                       "behind a file of CUDA C, PTX or machine code",
                              description->launch);
    }
    int code = bsim_cli_call_record(options, description->file, description->launch);
    options->launch_file = description->file;
    options->launch = description->launch;
    description->file = input;
    return code;
}

/* Whether the file is a trace; only advice is to be had of one that was not just made. */
static int look_at_file(const char *command, struct options *options,
                        struct description *description)
{
    struct bsim_error err;
    int code = take_launch(command, options, description);
    if (code != EXIT_FINE) {
        return code;
    }
    if (description->file != NULL &&
        bsim_cli_is_trace(description->file, &description->is_trace, &err) != BSIM_OK) {
        return bsim_cli_fail(&err);
    }
    return description->is_trace && description->launch == NULL && strcmp(command, "advise") != 0
               ? bsim_cli_usage(command, "%s is a trace: 'banksim run' simulates it, 'banksim advise' "
                                         "looks for better layouts of its arrays",
                                description->file)
               : EXIT_FINE;
}

/* A page has a kernel's text, its launch and the device: what else was asked it would leave out. */
static int check_page(const char *command, const struct options *options,
                      const struct description *description)
{
    if (description->launch == NULL) {
        return bsim_cli_usage(command, "%s is a trace: 'banksim run --format html' makes its page",
                              description->file);
    }
    if (!bsim_cli_is_cuda(options->launch_file)) {
        return bsim_cli_usage(command, "a page reads CUDA C: of PTX 'banksim launch --format html' makes one, "
                                       "to read");
    }
    if (options->bare || options->blocks > 0 || options->steps > 0 || description->n_statements > 0) {
        return bsim_cli_usage(command, "a page has a kernel and its launch, and no other words: 'banksim "
                                       "launch --format html' makes one, to read");
    }
    return EXIT_FINE;
}

static int make_check(const char *command, struct description *description,
                      struct options *options, struct bsim_check **check)
{
    struct bsim_error err;
    int code = look_at_file(command, options, description);
    if (code != EXIT_FINE) {
        return code;
    }
    if (description->is_trace && bsim_cli_shows(options, BSIM_PAGES)) {
        code = check_page(command, options, description);
    }
    if (code != EXIT_FINE) {
        return code;
    }
    if (description->file == NULL && description->n_statements == 0 && description->n_code == 0) {
        return bsim_cli_usage(command, "which access? give a --load or --store and the --shared "
                                       "arrays, or a file");
    }
    struct bsim_check *made = bsim_check_new();
    enum bsim_status status = made == NULL ? bsim_mem_short(&err) : build(made, description, options, &err);
    if (status != BSIM_OK) {
        bsim_check_free(made);
        bool is_fault = status == BSIM_E_INPUT && description->text.size_bytes > 0;
        if (is_fault && strcmp(err.file, description->file) == 0) {
            explain(description->file, description->text.data, &err);
        }
        return bsim_cli_fail(&err);
    }
    *check = made;
    return EXIT_FINE;
}

int bsim_cli_describe(const char *command, int argc, char **argv, struct options *options,
                      struct bsim_check **check)
{
    struct description description = {.statements =
                                          calloc((size_t)argc + 1, sizeof *description.statements),
                                      .rest = calloc((size_t)argc + 1, sizeof *description.rest),
                                      .code = calloc((size_t)argc + 1, sizeof *description.code)};
    int code;
    *check = NULL;
    if (description.statements == NULL || description.rest == NULL || description.code == NULL) {
        struct bsim_error err;
        (void)bsim_mem_short(&err);
        code = bsim_cli_fail(&err);
    } else {
        code = sort_arguments(command, argc, argv, &description);
    }
    if (code == EXIT_FINE) {
        code = bsim_cli_options(command, description.n_rest, description.rest, options);
    }
    if (code == EXIT_FINE && !options->help) {
        code = sort_words(command, options, &description);
        code = code == EXIT_FINE ? make_check(command, &description, options, check) : code;
    }
    /* The words lay in `rest`, and the check has been made of them. */
    options->words = NULL;
    options->n_words = 0;
    free(description.statements);
    free(description.rest);
    free((void *)description.code);
    bsim_buffer_free(&description.text);
    return code;
}

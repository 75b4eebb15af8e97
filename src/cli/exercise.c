/* exercise.c - reads, changes and judges an exercise; see exercise.h. */
#include "cli/exercise.h"

#include "base/memory.h"
#include "base/wrap.h"

#include <string.h>

enum { COLUMNS = 78 };

static const char task_word[] = "Your task:", hint_word[] = "Hint:";

const char *bsim_cli_exercise_named(const char *name)
{
    for (size_t i = 0; bsim_cli_exercises[i].name != NULL; i++) {
        if (strcmp(bsim_cli_exercises[i].name, name) == 0) {
            return bsim_cli_exercises[i].text;
        }
    }
    return NULL;
}

void bsim_cli_exercise_free(struct exercise *exercise)
{
    for (size_t i = 0; i < exercise->n_paragraphs; i++) {
        bsim_mem_free(exercise->paragraph[i]);
    }
    for (size_t i = 0; i < exercise->n_lines; i++) {
        bsim_mem_free(exercise->line[i]);
    }
    *exercise = (struct exercise){.n_lines = 0};
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* The first word of a line. */
static bool is_expectation(const char *line)
{
    line += strspn(line, " \t");
    return begins(line, "expect") && strcspn(line, " \t") == strlen("expect");
}

static char *copy(const char *text, size_t length)
{
    char *made = bsim_mem_resize(NULL, length + 1, 1);
    if (made != NULL) {
        memcpy(made, text, length);
        made[length] = '\0';
    }
    return made;
}

/* "a" and "b" as "a b". */
static char *joined(const char *a, const char *b, size_t length)
{
    size_t before = strlen(a);
    char *made = bsim_mem_resize(NULL, before + length + 2, 1);
    if (made != NULL) {
        memcpy(made, a, before);
        made[before] = ' ';
        memcpy(made + before + 1, b, length);
        made[before + 1 + length] = '\0';
    }
    return made;
}

/* A line of the comment, without its '#': the last paragraph goes on, or another begins. */
static enum bsim_status add_comment(struct exercise *exercise, const char *text, size_t length,
                                    struct bsim_error *err)
{
    size_t n = exercise->n_paragraphs;
    bool is_new = n == 0 || begins(text, task_word) || begins(text, hint_word);
    if (is_new && n == EXERCISE_PARAGRAPHS) {
        return bsim_error_set(err, BSIM_E_INPUT, "an exercise has at most %d hints",
                              EXERCISE_PARAGRAPHS - 2);
    }
    char *made = is_new ? copy(text, length) : joined(exercise->paragraph[n - 1], text, length);
    if (made == NULL) {
        return bsim_mem_short(err);
    }
    if (!is_new) {
        bsim_mem_free(exercise->paragraph[--n]);
    }
    exercise->paragraph[n] = made;
    exercise->n_paragraphs = n + 1;
    return BSIM_OK;
}

static enum bsim_status add_line(struct exercise *exercise, const char *text, size_t length,
                                 struct bsim_error *err)
{
    if (exercise->n_lines == EXERCISE_LINES) {
        return bsim_error_set(err, BSIM_E_INPUT, "an exercise has at most %d lines",
                              EXERCISE_LINES);
    }
    char *made = copy(text, length);
    if (made == NULL) {
        return bsim_mem_short(err);
    }
    exercise->line[exercise->n_lines++] = made;
    return BSIM_OK;
}

static bool expects(const struct exercise *exercise)
{
    for (size_t i = 0; i < exercise->n_lines; i++) {
        if (is_expectation(exercise->line[i])) {
            return true;
        }
    }
    return false;
}

enum bsim_status bsim_cli_exercise_read(struct exercise *exercise, const char *name,
                                        const char *text, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    while (*text != '\0' && status == BSIM_OK) {
        size_t length = strcspn(text, "\n");
        if (*text == '#' && exercise->n_lines == 0) {
            size_t mark = 1 + strspn(text + 1, " \t");
            mark = mark < length ? mark : length;
            status = add_comment(exercise, text + mark, length - mark, err);
        } else {
            status = add_line(exercise, text, length, err);
        }
        text += length + (text[length] == '\n');
    }
    if (status == BSIM_OK && !expects(exercise)) {
        status = bsim_error_set(err, BSIM_E_INPUT,
                                "nothing is expected: an exercise has a line such as 'expect "
                                "conflicts == 0'");
    }
    if (status == BSIM_E_INPUT) {
        bsim_error_place(err, name, 0, 0, NULL, 0);
    }
    return status;
}

/* ---- changing -------------------------------------------------------------------------------- */

enum bsim_status bsim_cli_exercise_change(struct exercise *exercise, size_t number,
                                          const char *text, struct bsim_error *err)
{
    if (number == 0 || number > exercise->n_lines + 1) {
        return bsim_error_set(err, BSIM_E_INPUT, "there are lines 1 to %zu, and %zu would be new",
                              exercise->n_lines, exercise->n_lines + 1);
    }
    if (number > exercise->n_lines) {
        return add_line(exercise, text, strlen(text), err);
    }
    if (is_expectation(exercise->line[number - 1])) {
        return bsim_error_set(err, BSIM_E_INPUT, "line %zu is what you are asked for: it stays",
                              number);
    }
    char *made = bsim_mem_string(text);
    if (made == NULL) {
        return bsim_mem_short(err);
    }
    bsim_mem_free(exercise->line[number - 1]);
    exercise->line[number - 1] = made;
    return BSIM_OK;
}

/* ---- telling --------------------------------------------------------------------------------- */

static void add_paragraph(const char *lead, const char *paragraph, struct bsim_buffer *out)
{
    struct bsim_buffer plain = BSIM_BUFFER_EMPTY;
    bsim_buffer_text(&plain, lead);
    bsim_buffer_plain(&plain, paragraph);
    bsim_wrap(plain.data == NULL ? "" : plain.data, plain.size_bytes, COLUMNS, out);
    out->failed = out->failed || plain.failed;
    bsim_buffer_free(&plain);
}

bool bsim_cli_exercise_is_hint(const struct exercise *exercise, size_t i)
{
    return begins(exercise->paragraph[i], hint_word);
}

bool bsim_cli_exercise_has_hints(const struct exercise *exercise)
{
    for (size_t i = 0; i < exercise->n_paragraphs; i++) {
        if (bsim_cli_exercise_is_hint(exercise, i)) {
            return true;
        }
    }
    return false;
}

bool bsim_cli_exercise_hint(const struct exercise *exercise, size_t i, struct bsim_buffer *out)
{
    for (size_t k = 0; k < exercise->n_paragraphs; k++) {
        if (bsim_cli_exercise_is_hint(exercise, k) && i-- == 0) {
            add_paragraph("", exercise->paragraph[k], out);
            return true;
        }
    }
    return false;
}

void bsim_cli_exercise_tell(const struct exercise *exercise, struct bsim_buffer *out)
{
    for (size_t i = 0; i < exercise->n_paragraphs; i++) {
        if (!bsim_cli_exercise_is_hint(exercise, i)) {
            add_paragraph(i == 0 ? "Exercise " : "", exercise->paragraph[i], out);
        }
    }
    bsim_buffer_text(out, exercise->n_paragraphs > 0 ? "\n" : "");
    for (size_t i = 0; i < exercise->n_lines; i++) {
        bsim_buffer_printf(out, "%3zu  ", i + 1);
        bsim_buffer_plain(out, exercise->line[i]);
        bsim_buffer_text(out, "\n");
    }
}

/* The lines alone. */
static void write_lines(const struct exercise *exercise, struct bsim_buffer *out)
{
    for (size_t i = 0; i < exercise->n_lines; i++) {
        bsim_buffer_printf(out, "%s\n", exercise->line[i]);
    }
}

void bsim_cli_exercise_write(const struct exercise *exercise, struct bsim_buffer *out)
{
    for (size_t i = 0; i < exercise->n_paragraphs; i++) {
        bsim_buffer_printf(out, "# %s\n", exercise->paragraph[i]);
    }
    write_lines(exercise, out);
}

/* ---- judging --------------------------------------------------------------------------------- */

static enum bsim_status answer_of(struct bsim_check *check, bool *is_solved,
                                  struct bsim_buffer *out, struct bsim_error *err)
{
    struct bsim_report_options options = {.format = BSIM_TEXT};
    struct bsim_ask ask = {.cycles = true}; /* no remedies: those are for the reader to find */
    struct bsim_answer answer = {.n_accesses = 0};
    struct bsim_buffer told = BSIM_BUFFER_EMPTY;
    uint64_t failures;
    enum bsim_status status = bsim_answer(check, &ask, &answer, err);
    if (status == BSIM_OK) {
        status = bsim_cli_judge(check, &answer, &told, &failures, err);
    }
    if (status == BSIM_OK) {
        *is_solved = failures == 0;
        bsim_report_check(check, &answer, &options, out);
        bsim_buffer_text(out, "\n");
        bsim_buffer_text(out, told.data == NULL ? "" : told.data);
        out->failed = out->failed || told.failed;
    }
    bsim_buffer_free(&told);
    bsim_answer_free(&answer);
    return status;
}

enum bsim_status bsim_cli_exercise_check(const struct exercise *exercise, struct bsim_check **check,
                                         struct bsim_error *err)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    *check = bsim_check_new();
    write_lines(exercise, &text);
    enum bsim_status status = *check == NULL ? bsim_mem_short(err) : bsim_buffer_status(&text, err);
    if (status == BSIM_OK) {
        status = bsim_check_add_text(*check, "line", text.data == NULL ? "" : text.data,
                                     text.size_bytes, err);
    }
    if (status == BSIM_OK) {
        status = bsim_check_seal(*check, err);
    }
    bsim_buffer_free(&text);
    return status;
}

enum bsim_status bsim_cli_exercise_judge(const struct exercise *exercise, bool *is_solved,
                                         struct bsim_buffer *out, struct bsim_error *err)
{
    struct bsim_check *check;
    enum bsim_status status = bsim_cli_exercise_check(exercise, &check, err);
    if (status == BSIM_OK) {
        status = answer_of(check, is_solved, out, err);
    }
    bsim_check_free(check);
    return status;
}

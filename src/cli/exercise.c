/* exercise.c - reads, changes and judges an exercise; see exercise.h. */
#include "cli/exercise.h"
#include "cli/lesson.h"

#include "base/memory.h"

#include <string.h>

static const char task_word[] = "Your task:", hint_word[] = "Hint:";
static const char work_words[] = "// Also right";

static const char *text_of(const char *name)
{
    for (size_t i = 0; bsim_cli_exercises[i].name != NULL; i++) {
        if (strcmp(bsim_cli_exercises[i].name, name) == 0) {
            return bsim_cli_exercises[i].text;
        }
    }
    return NULL;
}

bool bsim_cli_exercise_is_built_in(const char *name)
{
    return text_of(name) != NULL;
}

static void free_lines(struct exercise *exercise)
{
    for (size_t i = 0; i < exercise->n_lines; i++) {
        bsim_mem_free(exercise->line[i]);
    }
    exercise->n_lines = 0;
}

void bsim_cli_exercise_free(struct exercise *exercise)
{
    for (size_t i = 0; i < exercise->n_paragraphs; i++) {
        bsim_mem_free(exercise->paragraph[i]);
    }
    for (size_t i = 0; i < exercise->n_works; i++) {
        bsim_buffer_free(&exercise->work[i]);
    }
    bsim_buffer_free(&exercise->goals);
    free_lines(exercise);
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

/* A line behind "// Also right", which is one of that work; or this one, which begins it. */
static enum bsim_status add_work(struct exercise *exercise, const char *text, size_t length,
                                 struct bsim_error *err)
{
    if (!begins(text, work_words)) {
        struct bsim_buffer *work = &exercise->work[exercise->n_works - 1];
        bsim_buffer_add(work, text + 2, length - 2);
        bsim_buffer_text(work, "\n");
        return bsim_buffer_status(work, err);
    }
    if (exercise->n_works == EXERCISE_WORKS) {
        return bsim_error_set(err, BSIM_E_INPUT, "an exercise accepts at most %d works",
                              EXERCISE_WORKS);
    }
    exercise->n_works++;
    return BSIM_OK;
}

/* Below the comment that it begins with. */
static enum bsim_status add_below(struct exercise *exercise, const char *text, size_t length,
                                  struct bsim_error *err)
{
    bool is_work = begins(text, work_words) || (exercise->n_works > 1 && begins(text, "//"));
    return is_work ? add_work(exercise, text, length, err) : add_line(exercise, text, length, err);
}

/* Its goals, and its own work, which is to be done. */
static enum bsim_status find_goals(struct exercise *exercise, struct bsim_error *err)
{
    for (size_t i = 0; i < exercise->n_lines; i++) {
        const char *line = exercise->line[i];
        bool is_goal = is_expectation(line);
        if (!is_goal && exercise->goals.size_bytes > 0 && line[strspn(line, " \t\r")] != '\0') {
            return bsim_error_set(
                err, BSIM_E_INPUT,
                "'%.40s' stands behind what is expected, which an exercise has at "
                "its end",
                line);
        }
        bsim_buffer_printf(is_goal ? &exercise->goals : &exercise->work[0], "%s\n", line);
    }
    if (exercise->goals.size_bytes == 0 && !exercise->goals.failed) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "nothing is expected: an exercise has a line such as 'expect "
                              "conflicts == 0'");
    }
    enum bsim_status status = bsim_buffer_status(&exercise->goals, err);
    return status == BSIM_OK ? bsim_buffer_status(&exercise->work[0], err) : status;
}

enum bsim_status bsim_cli_exercise_read(struct exercise *exercise, const char *name,
                                        const char *text, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    exercise->n_works = 1;
    while (*text != '\0' && status == BSIM_OK) {
        size_t length = strcspn(text, "\n");
        if (*text == '#' && exercise->n_lines == 0) {
            size_t mark = 1 + strspn(text + 1, " \t");
            mark = mark < length ? mark : length;
            status = add_comment(exercise, text + mark, length - mark, err);
        } else {
            status = add_below(exercise, text, length, err);
        }
        text += length + (text[length] == '\n');
    }
    if (status == BSIM_OK) {
        status = find_goals(exercise, err);
    }
    if (status == BSIM_E_INPUT) {
        bsim_error_place(err, name, 0, 0, NULL, 0);
    }
    return status;
}

enum bsim_status bsim_cli_exercise_attempt(struct exercise *exercise, const char *name,
                                           const char *text, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    free_lines(exercise);
    while (*text != '\0' && status == BSIM_OK) {
        size_t length = strcspn(text, "\n");
        status = add_line(exercise, text, length, err);
        text += length + (text[length] == '\n');
    }
    if (status == BSIM_E_INPUT) {
        bsim_error_place(err, name, 0, 0, NULL, 0);
    }
    return status;
}

enum bsim_status bsim_cli_exercise_read_built_in(struct exercise *exercise, const char *name,
                                                 struct bsim_error *err)
{
    return bsim_cli_exercise_read(exercise, name, text_of(name), err);
}

/* ---- changing -------------------------------------------------------------------------------- */

static enum bsim_status refuse_goal(size_t number, struct bsim_error *err)
{
    return bsim_error_set(err, BSIM_E_INPUT, "line %zu is what you are asked for: it stays",
                          number);
}

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
        return refuse_goal(number, err);
    }
    char *made = bsim_mem_string(text);
    if (made == NULL) {
        return bsim_mem_short(err);
    }
    bsim_mem_free(exercise->line[number - 1]);
    exercise->line[number - 1] = made;
    return BSIM_OK;
}

enum bsim_status bsim_cli_exercise_delete(struct exercise *exercise, size_t number,
                                          struct bsim_error *err)
{
    if (number == 0 || number > exercise->n_lines) {
        return bsim_error_set(err, BSIM_E_INPUT, "there are lines 1 to %zu", exercise->n_lines);
    }
    if (is_expectation(exercise->line[number - 1])) {
        return refuse_goal(number, err);
    }
    bsim_mem_free(exercise->line[number - 1]);
    exercise->n_lines--;
    memmove(&exercise->line[number - 1], &exercise->line[number],
            (exercise->n_lines - (number - 1)) * sizeof exercise->line[0]);
    return BSIM_OK;
}

/* ---- telling --------------------------------------------------------------------------------- */

static void add_paragraph(const char *lead, const char *paragraph, struct bsim_buffer *out)
{
    struct bsim_buffer plain = BSIM_BUFFER_EMPTY;
    bsim_buffer_text(&plain, lead);
    bsim_buffer_plain(&plain, paragraph);
    bsim_cli_wrap(plain.data == NULL ? "" : plain.data, plain.size_bytes, out);
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

void bsim_cli_exercise_write(const struct exercise *exercise, struct bsim_buffer *out)
{
    for (size_t i = 0; i < exercise->n_paragraphs; i++) {
        bsim_buffer_printf(out, "# %s\n", exercise->paragraph[i]);
    }
    for (size_t i = 0; i < exercise->n_lines; i++) {
        bsim_buffer_printf(out, "%s\n", exercise->line[i]);
    }
}

/* ---- judging --------------------------------------------------------------------------------- */

static enum bsim_status add_text(struct bsim_check *check, const char *name,
                                 const struct bsim_buffer *text, struct bsim_error *err)
{
    enum bsim_status status = bsim_buffer_status(text, err);
    return status == BSIM_OK
               ? bsim_check_add_text(check, name, text->data == NULL ? "" : text->data,
                                     text->size_bytes, err)
               : status;
}

/* What is expected is the exercise's, wherever it stands in the lines: an expectation in a text of
 * its own is about all accesses. */
static enum bsim_status add_all(const struct exercise *exercise, const char *name,
                                struct bsim_check *check, struct bsim_error *err)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    for (size_t i = 0; i < exercise->n_lines; i++) {
        bool is_goal = is_expectation(exercise->line[i]);
        bsim_buffer_printf(&text, "%s\n", is_goal ? "" : exercise->line[i]);
    }
    enum bsim_status status = add_text(check, name, &text, err);
    if (status == BSIM_OK) {
        status = add_text(check, "goal", &exercise->goals, err);
    }
    bsim_buffer_free(&text);
    return status == BSIM_OK ? bsim_check_seal(check, err) : status;
}

enum bsim_status bsim_cli_exercise_check(const struct exercise *exercise, const char *name,
                                         struct bsim_check **check, struct bsim_error *err)
{
    *check = bsim_check_new();
    return *check == NULL ? bsim_mem_short(err) : add_all(exercise, name, *check, err);
}

static enum bsim_status add_costs(struct bsim_check *check, bool *holds, struct bsim_buffer *out,
                                  struct bsim_error *err)
{
    struct bsim_report_options options = {.format = BSIM_TEXT};
    struct bsim_ask ask = {.cycles = true}; /* no remedies: those are for the reader to find */
    struct bsim_answer answer = {.n_accesses = 0};
    struct bsim_buffer told = BSIM_BUFFER_EMPTY;
    uint64_t failures = 0;
    enum bsim_status status = bsim_answer(check, &ask, &answer, err);
    if (status == BSIM_OK) {
        status = bsim_cli_judge(check, &answer, "", &told, &failures, err);
    }
    if (status == BSIM_OK) {
        *holds = failures == 0;
        bsim_report_check(check, &answer, &options, out);
        bsim_buffer_text(out, "\n");
        bsim_buffer_text(out, told.data == NULL ? "" : told.data);
        out->failed = out->failed || told.failed;
    }
    bsim_buffer_free(&told);
    bsim_answer_free(&answer);
    return status;
}

static enum bsim_status compare_work(const struct bsim_check *check, struct bsim_check **work,
                                     size_t n, bool *does, struct bsim_buffer *out,
                                     struct bsim_error *err)
{
    struct bsim_buffer lacks = BSIM_BUFFER_EMPTY;
    enum bsim_status status =
        bsim_check_does_work(check, (const struct bsim_check *const *)work, n, does, &lacks, err);
    if (status == BSIM_OK && !*does) {
        bsim_buffer_printf(out, "Not the same work: %s.\n", lacks.data);
    }
    bsim_buffer_free(&lacks);
    return status;
}

static enum bsim_status add_work_done(const struct exercise *exercise,
                                      const struct bsim_check *check, bool *does,
                                      struct bsim_buffer *out, struct bsim_error *err)
{
    struct bsim_check *work[EXERCISE_WORKS] = {NULL};
    enum bsim_status status = BSIM_OK;
    for (size_t i = 0; i < exercise->n_works && status == BSIM_OK; i++) {
        work[i] = bsim_check_new();
        status = work[i] == NULL ? bsim_mem_short(err)
                                 : add_text(work[i], "exercise", &exercise->work[i], err);
        if (status == BSIM_OK) {
            status = bsim_check_seal(work[i], err);
        }
    }
    if (status == BSIM_OK) {
        status = compare_work(check, work, exercise->n_works, does, out, err);
    }
    for (size_t i = 0; i < exercise->n_works; i++) {
        bsim_check_free(work[i]);
    }
    return status;
}

enum bsim_status bsim_cli_exercise_judge(const struct exercise *exercise, const char *name,
                                         bool *is_solved, struct bsim_buffer *out,
                                         struct bsim_error *err)
{
    struct bsim_check *check;
    bool holds = false, does = false;
    enum bsim_status status = bsim_cli_exercise_check(exercise, name, &check, err);
    if (status == BSIM_OK) {
        status = add_costs(check, &holds, out, err);
    }
    if (status == BSIM_OK) {
        status = add_work_done(exercise, check, &does, out, err);
    }
    *is_solved = status == BSIM_OK && holds && does;
    bsim_check_free(check);
    return status;
}

/* cmd_lesson.c - banksim lesson: bank conflicts, one prediction at a time. */
#define _POSIX_C_SOURCE 200809L

#include "cli/exercise.h"
#include "cli/lesson.h"
#include "cli/show.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: banksim lesson [N|NAME|FILE] [options]\n"
    "       banksim lesson EXERCISE FILE [-o FILE]\n"
    "\n"
    "Without a word lists the lessons. With one it explains an access and asks what it will cost;\n"
    "then it simulates the access, draws it, and explains. On a terminal it waits for your\n"
    "prediction (an empty line shows the answer, q ends it), goes on a screen at a time, and ends\n"
    "with an exercise; elsewhere all but the exercise follows at once.\n"
    "\n"
    "An exercise is a check to mend, with a goal and hints: change its lines until all that it\n"
    "expects holds, and does the same work. It is one of those that are listed, or a FILE like "
    "those\n"
    "in the sources' traces/exercises. Behind it, a FILE is somebody's solution, which the exit "
    "code\n"
    "grades: 0 solved, 1 not. What that file itself expects does not matter.\n"
    "\n"
    "  --format html      a handout to print: questions first, answers and hints on sheets of "
    "their own;\n"
    "                     of all lessons, if none is named\n"
    "  -o FILE            write to FILE\n"
    "  --style S          plain, utf8 or colour; without it what the terminal takes\n"
    "  --all              every pass of a picture, not only the first and the last of many\n"
    "\n"
    "Exit code: 0 fine, 1 a solution that is none, 2 usage, 3 bad input, 4 system.\n"
    "\n"
    "examples:\n"
    "  banksim lesson\n"
    "  banksim lesson 1\n"
    "  banksim lesson padding\n"
    "  banksim lesson 02-transpose\n"
    "  banksim lesson 02-transpose solution.check\n"
    "  banksim lesson my.check\n"
    "  banksim lesson --format html -o handout.html\n";

enum { MOST_EXERCISE_BYTES = 1 << 16, MOST_PREDICTED = 999999 };

static size_t count_lessons(void)
{
    size_t n = 0;
    while (bsim_cli_lesson_at(n) != NULL) {
        n++;
    }
    return n;
}

static int list(void)
{
    const struct lesson *lesson;
    for (size_t i = 0; (lesson = bsim_cli_lesson_at(i)) != NULL; i++) {
        (void)printf("%2zu  %-11s %s\n", i + 1, lesson->name, lesson->title);
    }
    (void)printf("\nand exercises:\n");
    for (size_t i = 0; bsim_cli_exercises[i].name != NULL; i++) {
        (void)printf("    %s\n", bsim_cli_exercises[i].name);
    }
    return bsim_cli_print("\n'banksim lesson 1' begins.\n");
}

/* A lesson by number, from 1, or by name; SIZE_MAX: there is none. */
static size_t find(const char *word)
{
    char number[16];
    const struct lesson *lesson;
    for (size_t i = 0; (lesson = bsim_cli_lesson_at(i)) != NULL; i++) {
        (void)snprintf(number, sizeof number, "%zu", i + 1);
        if (strcmp(word, number) == 0 || strcmp(word, lesson->name) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* ---- the parts of a lesson ------------------------------------------------------------------- */

/* The statements of the access that is asked about, indented. */
static void add_code(const char *statements, struct bsim_buffer *out)
{
    bsim_buffer_text(out, "\n");
    while (*statements != '\0') {
        size_t length = strcspn(statements, "\n");
        bsim_buffer_printf(out, "    %.*s\n", (int)length, statements);
        statements += length + (statements[length] == '\n');
    }
    bsim_buffer_text(out, "\n");
}

static void add_beginning(const struct lesson *lesson, size_t index,
                          const struct lesson_facts *facts, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "Lesson %zu of %zu: %s\n\n", index + 1, count_lessons(), lesson->title);
    bsim_cli_lesson_text(facts, lesson->text, out);
    add_code(lesson->access[0].statements, out);
    bsim_cli_lesson_text(facts, lesson->question, out);
}

static void add_pictures(const struct lesson *lesson, const struct lesson_facts *facts,
                         const struct bsim_picture_style *style, struct bsim_buffer *out)
{
    for (size_t i = 0; i < facts->n; i++) {
        if (bsim_cli_lesson_draw(lesson, facts, i, BSIM_TEXT, style, out)) {
            bsim_buffer_text(out, "\n");
        }
    }
}

/* Whether it has pictures of more than a screen. */
static bool draws_arrays(const struct lesson *lesson)
{
    bool draws = false;
    for (size_t i = 0; i < LESSON_ACCESSES; i++) {
        draws = draws || lesson->access[i].has_array;
    }
    return draws;
}

/* Those come behind what they show. */
static void add_end(const struct lesson *lesson, size_t index, const struct lesson_facts *facts,
                    const struct bsim_picture_style *style, struct bsim_buffer *out)
{
    bool is_tall = draws_arrays(lesson);
    bsim_buffer_text(out, "\n");
    if (!is_tall) {
        add_pictures(lesson, facts, style, out);
    }
    bsim_cli_lesson_text(facts, lesson->explanation, out);
    bsim_buffer_text(out, "\n");
    if (is_tall) {
        add_pictures(lesson, facts, style, out);
    }
    bsim_buffer_printf(out, "Try: %s\n", lesson->more);
    if (lesson->exercise != NULL) {
        bsim_buffer_printf(out, "Exercise: banksim lesson %s\n", lesson->exercise);
    }
    if (index + 1 < count_lessons()) {
        bsim_buffer_printf(out, "Next: banksim lesson %zu\n", index + 2);
    }
}

static bool is_terminal(const struct options *options)
{
    return options->output == NULL && options->report.format == BSIM_TEXT &&
           isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
}

/* ---- the prediction -------------------------------------------------------------------------- */

/* What the reader says to the question. */
struct prediction {
    bool is_made; /* otherwise the answer alone was asked for */
    uint32_t number;
};

/* Whether the line is a number that an answer may be, and nothing else. */
static bool is_number(const char *line, uint32_t *number)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(line, &end, 10);
    *number = (uint32_t)value;
    return line[0] >= '0' && line[0] <= '9' && *end == '\0' && errno == 0 &&
           value <= MOST_PREDICTED;
}

/* Asks until there is a number, an empty line or no line at all; false: the reader ends it. */
static bool predict(struct prediction *prediction)
{
    struct bsim_buffer typed = BSIM_BUFFER_EMPTY;
    bool ends = false, is_done = false;
    *prediction = (struct prediction){.is_made = false};
    while (!is_done) {
        (void)fputs("> ", stdout);
        (void)fflush(stdout);
        const char *line = bsim_cli_read_line(&typed);
        ends = line != NULL && bsim_cli_means_end(line);
        prediction->is_made = line != NULL && is_number(line, &prediction->number);
        is_done = line == NULL || line[0] == '\0' || ends || prediction->is_made;
        if (!is_done) {
            (void)printf(
                "Type a number up to %d: what you predict. An empty line shows the answer, q "
                "ends the lesson.\n",
                MOST_PREDICTED);
        }
    }
    bsim_buffer_free(&typed);
    return !ends;
}

static void add_verdict(const struct prediction *prediction, uint32_t answer,
                        struct bsim_buffer *out)
{
    if (prediction->is_made) {
        bsim_buffer_text(out, prediction->number == answer ? "Yes, it" : "No, it");
    } else {
        bsim_buffer_text(out, "It");
    }
    bsim_buffer_printf(out, " is %" PRIu32 ".\n", answer);
}

/* The same once more, for where the first has scrolled away. */
static void add_last_word(const struct prediction *prediction, uint32_t answer,
                          struct bsim_buffer *out)
{
    if (prediction->is_made) {
        bsim_buffer_printf(out, "\nYou said %" PRIu32 ", %s it is %" PRIu32 ".\n",
                           prediction->number, prediction->number == answer ? "and" : "but",
                           answer);
    } else {
        bsim_buffer_printf(out, "\nThe answer was %" PRIu32 ".\n", answer);
    }
}

static enum bsim_status page_out(struct bsim_buffer *buffer, bool *goes_on, struct bsim_error *err)
{
    enum bsim_status status = bsim_buffer_status(buffer, err);
    if (status == BSIM_OK) {
        status = bsim_cli_page(buffer->data, goes_on, err);
    }
    bsim_buffer_clear(buffer);
    return status;
}

/* A lesson on its way. */
struct course {
    size_t index;
    const struct lesson *lesson;
    struct bsim_picture_style style;
    struct lesson_facts facts;
    uint32_t answer;
};

/* The exercise that a lesson ends with, if it has one. */
static enum bsim_status end_with_exercise(const struct course *course, struct bsim_error *err)
{
    struct exercise exercise = {.n_lines = 0};
    struct bsim_buffer typed = BSIM_BUFFER_EMPTY;
    const char *name = course->lesson->exercise;
    if (name == NULL) {
        return BSIM_OK;
    }
    (void)fputs("-- Enter goes on to an exercise, q ends: ", stdout);
    (void)fflush(stdout);
    const char *line = bsim_cli_read_line(&typed);
    bool ends = line == NULL || bsim_cli_means_end(line);
    bsim_buffer_free(&typed);
    if (ends) {
        return BSIM_OK;
    }
    enum bsim_status status = bsim_cli_exercise_read_built_in(&exercise, name, err);
    if (status == BSIM_OK) {
        status = bsim_cli_practise(&exercise, name, &course->style, err);
    }
    bsim_cli_exercise_free(&exercise);
    return status;
}

/* A screen at a time, with a question in between. */
static enum bsim_status teach_here(const struct course *course, struct bsim_buffer *out,
                                   struct bsim_error *err)
{
    struct prediction prediction;
    bool goes_on;
    add_beginning(course->lesson, course->index, &course->facts, out);
    enum bsim_status status = page_out(out, &goes_on, err);
    if (status == BSIM_OK && goes_on && predict(&prediction)) {
        add_verdict(&prediction, course->answer, out);
        add_end(course->lesson, course->index, &course->facts, &course->style, out);
        add_last_word(&prediction, course->answer, out);
        status = page_out(out, &goes_on, err);
        if (status == BSIM_OK && goes_on) {
            status = end_with_exercise(course, err);
        }
    }
    return status;
}

/* All of it at once. */
static void tell(const struct course *course, struct bsim_buffer *out)
{
    const struct prediction none = {.is_made = false};
    add_beginning(course->lesson, course->index, &course->facts, out);
    add_verdict(&none, course->answer, out);
    add_end(course->lesson, course->index, &course->facts, &course->style, out);
}

static enum bsim_status teach(const struct options *options, size_t index, struct bsim_buffer *out,
                              struct bsim_error *err)
{
    struct course course = {.index = index,
                            .lesson = bsim_cli_lesson_at(index),
                            .style = bsim_cli_picture_style(options)};
    enum bsim_status status = bsim_cli_lesson_facts(course.lesson, &course.facts, err);
    if (status == BSIM_OK) {
        course.answer = bsim_cli_lesson_number(&course.facts, course.lesson->answer);
        if (is_terminal(options)) {
            status = teach_here(&course, out, err);
        } else {
            tell(&course, out);
            status = bsim_cli_write_out(options->output, out, err);
        }
    }
    bsim_cli_lesson_facts_free(&course.facts);
    return status;
}

/* ---- an exercise by itself ------------------------------------------------------------------- */

/* Elsewhere than on a terminal: what it asks, and what there is now. */
static enum bsim_status tell_exercise(const struct exercise *exercise, const char *word,
                                      struct bsim_buffer *out, struct bsim_error *err)
{
    bool is_solved;
    bsim_cli_exercise_tell(exercise, out);
    bsim_buffer_text(out, "\n");
    enum bsim_status status = bsim_cli_exercise_judge(exercise, "line", &is_solved, out, err);
    bsim_buffer_printf(out, "'banksim lesson %s FILE' grades FILE as a solution.\n", word);
    return status;
}

typedef enum bsim_status read_text(struct exercise *exercise, const char *name, const char *text,
                                   struct bsim_error *err);

static enum bsim_status read_file(const char *path, read_text *read, struct exercise *exercise,
                                  struct bsim_error *err)
{
    static const struct text_kind kind = {"an exercise", "", MOST_EXERCISE_BYTES};
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    enum bsim_status status = bsim_cli_read_text(path, &kind, &text, err);
    if (status == BSIM_OK) {
        status = read(exercise, path, text.data == NULL ? "" : text.data, err);
    }
    bsim_buffer_free(&text);
    return status;
}

static enum bsim_status read_exercise(const char *word, struct exercise *exercise,
                                      struct bsim_error *err)
{
    return bsim_cli_exercise_is_built_in(word)
               ? bsim_cli_exercise_read_built_in(exercise, word, err)
               : read_file(word, bsim_cli_exercise_read, exercise, err);
}

/* Somebody's solution. */
static enum bsim_status grade(const struct options *options, bool *is_solved,
                              struct bsim_buffer *out, struct bsim_error *err)
{
    const char *path = options->words[1];
    struct exercise exercise = {.n_lines = 0};
    enum bsim_status status = read_exercise(options->words[0], &exercise, err);
    if (status == BSIM_OK) {
        status = read_file(path, bsim_cli_exercise_attempt, &exercise, err);
    }
    if (status == BSIM_OK) {
        status = bsim_cli_exercise_judge(&exercise, path, is_solved, out, err);
        if (status == BSIM_E_INPUT) { /* a teacher grades many: which one */
            bsim_error_place(err, path, 0, 0, NULL, 0);
        }
    }
    bsim_cli_exercise_free(&exercise);
    bsim_buffer_text(out, *is_solved ? "Solved.\n" : "Not solved.\n");
    return status == BSIM_OK ? bsim_cli_write_out(options->output, out, err) : status;
}

static enum bsim_status show_exercise(const struct options *options, struct exercise *exercise,
                                      struct bsim_buffer *out, struct bsim_error *err)
{
    struct bsim_picture_style style = bsim_cli_picture_style(options);
    if (is_terminal(options)) {
        return bsim_cli_practise(exercise, options->words[0], &style, err);
    }
    enum bsim_status status = BSIM_OK;
    if (options->report.format == BSIM_HTML) {
        bsim_cli_exercise_handout(exercise, options->words[0], out);
    } else {
        status = tell_exercise(exercise, options->words[0], out, err);
    }
    return status == BSIM_OK ? bsim_cli_write_out(options->output, out, err) : status;
}

static enum bsim_status begin_exercise(const struct options *options, struct bsim_buffer *out,
                                       struct bsim_error *err)
{
    struct exercise exercise = {.n_lines = 0};
    enum bsim_status status = read_exercise(options->words[0], &exercise, err);
    if (status == BSIM_OK) {
        status = show_exercise(options, &exercise, out, err);
    }
    bsim_cli_exercise_free(&exercise);
    return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static enum bsim_status hand_out(const struct options *options, size_t first, size_t end,
                                 struct bsim_buffer *out, struct bsim_error *err)
{
    enum bsim_status status = bsim_cli_handout(first, end, out, err);
    return status == BSIM_OK ? bsim_cli_write_out(options->output, out, err) : status;
}

static bool is_exercise(const char *word)
{
    return bsim_cli_exercise_is_built_in(word) || bsim_cli_is_file(word);
}

static int run(struct options *options)
{
    struct bsim_error err;
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    enum bsim_status status;
    bool is_solved = true; /* or nothing is graded */
    bool is_page = options->report.format == BSIM_HTML;
    const char *word = options->n_words > 0 ? options->words[0] : NULL;
    size_t index = word != NULL ? find(word) : SIZE_MAX;
    if (word == NULL && !is_page) {
        return options->output == NULL
                   ? list()
                   : bsim_cli_usage("lesson", "-o wants a lesson, an exercise or --format html");
    }
    if (word == NULL) {
        status = hand_out(options, 0, count_lessons(), &out, &err);
    } else if (options->n_words == 1 && index != SIZE_MAX) {
        status = is_page ? hand_out(options, index, index + 1, &out, &err)
                         : teach(options, index, &out, &err);
    } else if (options->n_words == 1 && is_exercise(word)) {
        status = begin_exercise(options, &out, &err);
    } else if (options->n_words == 2 && !is_page && is_exercise(word)) {
        status = grade(options, &is_solved, &out, &err);
    } else if (options->n_words == 2 && !is_page) {
        return bsim_cli_usage("lesson",
                              "of two words the first is an exercise, which '%s' is not; 'banksim "
                              "lesson' lists them",
                              word);
    } else {
        return bsim_cli_usage(
            "lesson", "there is no lesson, exercise or file '%s'; 'banksim lesson' lists them",
            options->words[options->n_words - 1]);
    }
    bsim_buffer_free(&out);
    return status != BSIM_OK ? bsim_cli_fail(&err) : is_solved ? EXIT_FINE : EXIT_EXPECTATION;
}

const struct command bsim_cli_lesson = {"lesson", "learn about bank conflicts by predicting them",
                                        help, .run = run};

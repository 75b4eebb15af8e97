/* cmd_lesson.c - banksim lesson: bank conflicts, one prediction at a time. */
#define _POSIX_C_SOURCE 200809L

#include "cli/lesson.h"
#include "cli/show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: banksim lesson [N|NAME] [options]\n"
    "\n"
    "Without a word lists the lessons. With one it explains an access and asks what it will cost;\n"
    "then it simulates the access, draws it, and explains. On a terminal it waits for your\n"
    "prediction (an empty line shows the answer); elsewhere the answer follows at once.\n"
    "\n"
    "  --style S          plain, utf8 or colour; without it what the terminal takes\n"
    "  --all              every pass of a picture, not only the first and the last of many\n"
    "\n"
    "Exit code: 0 fine, 2 usage, 4 system.\n"
    "\n"
    "examples:\n"
    "  banksim lesson\n"
    "  banksim lesson 1\n"
    "  banksim lesson padding\n";

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

/* What the access does, in C: the last statement without its word, "s[2 * threadIdx.x]". */
static const char *expression(const char *statements)
{
    const char *last = strrchr(statements, '\n');
    return last != NULL ? last + 1 : statements;
}

static void add_pictures(const struct lesson *lesson, const struct lesson_facts *facts,
                         const struct bsim_picture_style *style, struct bsim_buffer *out)
{
    for (size_t i = 0; i < facts->n; i++) {
        const struct lesson_access *access = &lesson->access[i];
        if (access->is_drawn && access->shuffle.width > 0) {
            bsim_report_shuffle(&access->shuffle, &(struct bsim_report_options){0}, out);
            bsim_buffer_text(out, "\n");
        } else if (access->is_drawn) {
            char declaration[80];
            (void)snprintf(declaration, sizeof declaration, "%.*s",
                           (int)strcspn(access->statements, "\n"), access->statements);
            struct bsim_picture picture = {.title = expression(access->statements),
                                           .place = declaration,
                                           .device = facts->device[i],
                                           .request = facts->request[i]};
            bsim_report_pictures(&picture, 1, BSIM_TEXT, style, out);
            bsim_buffer_text(out, "\n");
        }
    }
}

static void add_end(const struct lesson *lesson, size_t index, const struct lesson_facts *facts,
                    const struct bsim_picture_style *style, struct bsim_buffer *out)
{
    bsim_buffer_text(out, "\n");
    add_pictures(lesson, facts, style, out);
    bsim_cli_lesson_text(facts, lesson->explanation, out);
    bsim_buffer_printf(out, "\nTry: %s\n", lesson->more);
    if (index + 1 < count_lessons()) {
        bsim_buffer_printf(out, "Next: banksim lesson %zu\n", index + 2);
    }
}

/* ---- the prediction -------------------------------------------------------------------------- */

/* Reads a line; what it says of it. An empty line or none is no prediction. */
static void judge(uint32_t answer, struct bsim_buffer *out)
{
    char line[64];
    char *end;
    if (fgets(line, sizeof line, stdin) == NULL) {
        line[0] = '\0';
    }
    unsigned long predicted = strtoul(line, &end, 10);
    if (end == line) {
        bsim_buffer_printf(out, "It is %" PRIu32 ".\n", answer);
    } else if (predicted == answer) {
        bsim_buffer_printf(out, "Yes, it is %" PRIu32 ".\n", answer);
    } else {
        bsim_buffer_printf(out, "No, it is %" PRIu32 ".\n", answer);
    }
}

static enum bsim_status print_out(struct bsim_buffer *buffer, struct bsim_error *err)
{
    enum bsim_status status = bsim_buffer_status(buffer, err);
    if (status == BSIM_OK && bsim_cli_print(buffer->data) != EXIT_FINE) {
        status = bsim_error_set(err, BSIM_E_IO, "the lesson was cut short");
    }
    bsim_buffer_clear(buffer);
    return status;
}

static enum bsim_status teach(const struct options *options, size_t index, struct bsim_buffer *out,
                              struct bsim_error *err)
{
    const struct lesson *lesson = bsim_cli_lesson_at(index);
    struct bsim_picture_style style = bsim_cli_picture_style(options);
    struct lesson_facts facts;
    bool asks = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
    enum bsim_status status = bsim_cli_lesson_facts(lesson, &facts, err);
    if (status != BSIM_OK) {
        return status;
    }
    uint32_t answer = bsim_cli_lesson_number(&facts, lesson->answer);
    add_beginning(lesson, index, &facts, out);
    if (asks) {
        bsim_buffer_text(out, "> ");
        status = print_out(out, err);
        judge(answer, out);
    } else {
        bsim_buffer_printf(out, "It is %" PRIu32 ".\n", answer);
    }
    if (status == BSIM_OK) {
        add_end(lesson, index, &facts, &style, out);
        status = print_out(out, err);
    }
    return status;
}

static int run(struct options *options)
{
    struct bsim_error err;
    if (options->n_words == 0) {
        return list();
    }
    size_t index = find(options->words[0]);
    if (index == SIZE_MAX || options->n_words > 1) {
        return bsim_cli_usage("lesson", "there is no lesson '%s'; 'banksim lesson' lists them",
                              options->words[options->n_words - 1]);
    }
    struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
    enum bsim_status status = teach(options, index, &buffer, &err);
    bsim_buffer_free(&buffer);
    return status == BSIM_OK ? EXIT_FINE : bsim_cli_fail(&err);
}

const struct command bsim_cli_lesson = {"lesson", "learn about bank conflicts by predicting them",
                                        help, .run = run};

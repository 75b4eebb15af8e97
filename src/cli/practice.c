/* practice.c - a reader works on an exercise, on a terminal. */
#define _POSIX_C_SOURCE 200809L

#include "cli/exercise.h"
#include "cli/lesson.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char ways[] =
    "Type 'N TEXT' to say what should stand in line N, 'd N' to delete it. h: a hint,\n"
    "p: a picture, r: begin again, w FILE: keep it, an empty line: see it again, q: end.\n";

struct practice {
    struct exercise *exercise;
    const char *word;         /* that it is known by */
    struct bsim_buffer begun; /* its lines as they were, to begin again */
    struct bsim_buffer out;
    const struct bsim_picture_style *style;
    size_t hints; /* told so far */
    bool is_solved;
};

static enum bsim_status show_out(struct practice *practice, struct bsim_error *err)
{
    bool goes_on;
    enum bsim_status status = bsim_buffer_status(&practice->out, err);
    if (status == BSIM_OK && practice->out.data != NULL) {
        status = bsim_cli_page(practice->out.data, &goes_on, err);
    }
    bsim_buffer_clear(&practice->out);
    return status;
}

/* What a reader typed wrong is told, and nothing is lost; what the system does wrong ends it. */
static enum bsim_status told(enum bsim_status status, const struct bsim_error *err)
{
    if (status != BSIM_E_INPUT) {
        return status;
    }
    char text[BSIM_CLI_ERROR_SIZE];
    struct bsim_error said = *err;
    said.file[0] = '\0'; /* there is but one */
    if (err->line > 0) {
        (void)printf("Line %" PRIu64, err->line);
        (void)(err->column > 0 ? printf(", column %" PRIu32 ": ", err->column) : printf(": "));
    }
    (void)fputs(bsim_error_text(&said, text, sizeof text), stdout);
    return BSIM_OK;
}

static enum bsim_status judge(struct practice *practice, struct bsim_error *err)
{
    practice->is_solved = false;
    enum bsim_status status = bsim_cli_exercise_judge(practice->exercise, "line",
                                                      &practice->is_solved, &practice->out, err);
    if (status == BSIM_OK) {
        bsim_buffer_text(&practice->out, practice->is_solved
                                             ? "Solved: all of it holds. An empty line ends it, "
                                               "w FILE keeps it.\n"
                                             : "Not yet.\n");
        return show_out(practice, err);
    }
    bsim_buffer_clear(&practice->out);
    return told(status, err);
}

/* The number at the beginning, and what follows it; 0: there is none. */
static size_t number_of(const char *typed, const char **rest)
{
    char *end = NULL;
    unsigned long number = typed[0] >= '0' && typed[0] <= '9' ? strtoul(typed, &end, 10) : 0;
    bool is_apart = number > 0 && (*end == ' ' || *end == '\0');
    *rest = is_apart && *end == ' ' ? end + 1 : end;
    return is_apart ? number : 0;
}

/* "5 load s[lane]", or "d 5". */
static enum bsim_status change(struct practice *practice, const char *typed, struct bsim_error *err)
{
    bool deletes = strncmp(typed, "d ", 2) == 0;
    const char *text;
    size_t number = number_of(deletes ? typed + 2 : typed, &text);
    bool has_text = number > 0 && text[strspn(text, " ")] != '\0';
    if (number == 0 || (deletes && has_text)) {
        (void)fputs(ways, stdout);
        return BSIM_OK;
    }
    if (!deletes && !has_text) {
        (void)printf("What should stand in line %zu? '%zu TEXT' says it, 'd %zu' deletes it.\n",
                     number, number, number);
        return BSIM_OK;
    }
    enum bsim_status status = deletes
                                  ? bsim_cli_exercise_delete(practice->exercise, number, err)
                                  : bsim_cli_exercise_change(practice->exercise, number, text, err);
    return status == BSIM_OK ? judge(practice, err) : told(status, err);
}

static enum bsim_status begin_again(struct practice *practice, struct bsim_error *err)
{
    enum bsim_status status =
        bsim_cli_exercise_attempt(practice->exercise, "exercise", practice->begun.data, err);
    practice->is_solved = false;
    bsim_cli_exercise_tell(practice->exercise, &practice->out);
    return status == BSIM_OK ? show_out(practice, err) : status;
}

/* The request that loses the most; NULL: the check makes none. */
static const struct bsim_check_request *worst_of(const struct bsim_answer *answer)
{
    const struct bsim_check_worst *worst = NULL;
    for (size_t i = 0; i < answer->n_accesses; i++) {
        const struct bsim_check_worst *other = &answer->worst[i];
        if (other->is_known && (worst == NULL || other->cost > worst->cost)) {
            worst = other;
        }
    }
    return worst == NULL ? NULL : &worst->request;
}

static enum bsim_status add_picture(struct practice *practice, const struct bsim_check *check,
                                    const struct bsim_check_request *request,
                                    struct bsim_error *err)
{
    struct bsim_device device;
    struct bsim_picture picture;
    struct bsim_buffer texts = BSIM_BUFFER_EMPTY;
    enum bsim_status status =
        bsim_device_find(NULL, &(struct bsim_device_options){.bank_width = 0}, &device, err);
    if (status == BSIM_OK) {
        status = bsim_picture_of(check, &device, request, &texts, &picture, err);
    }
    if (status == BSIM_OK) {
        bsim_report_pictures(&picture, 1, BSIM_TEXT, practice->style, &practice->out);
    }
    bsim_buffer_free(&texts);
    return status;
}

static enum bsim_status draw(struct practice *practice, struct bsim_error *err)
{
    struct bsim_check *check;
    struct bsim_answer answer = {.n_accesses = 0};
    enum bsim_status status = bsim_cli_exercise_check(practice->exercise, "line", &check, err);
    if (status == BSIM_OK) {
        status = bsim_answer(check, &(struct bsim_ask){.device = NULL}, &answer, err);
    }
    const struct bsim_check_request *request = status == BSIM_OK ? worst_of(&answer) : NULL;
    if (request != NULL) {
        status = add_picture(practice, check, request, err);
    }
    bsim_answer_free(&answer);
    bsim_check_free(check);
    return status == BSIM_OK ? show_out(practice, err) : told(status, err);
}

static enum bsim_status keep(struct practice *practice, const char *path, struct bsim_error *err)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    bsim_cli_exercise_write(practice->exercise, &text);
    enum bsim_status status = bsim_cli_write_out(path, &text, err);
    if (status == BSIM_OK) {
        (void)printf("'banksim lesson %s %s' grades it.\n", practice->word, path);
    }
    if (status == BSIM_E_IO) { /* another name may do */
        (void)fflush(stdout);
        (void)bsim_cli_fail(err);
        status = BSIM_OK;
    }
    return status;
}

static enum bsim_status answer(struct practice *practice, const char *typed, struct bsim_error *err)
{
    if (strcmp(typed, "h") == 0) {
        if (bsim_cli_exercise_hint(practice->exercise, practice->hints, &practice->out)) {
            practice->hints++;
        } else {
            bsim_buffer_text(&practice->out, "There are no more hints.\n");
        }
        return show_out(practice, err);
    }
    if (strcmp(typed, "r") == 0) {
        practice->hints = 0;
        return begin_again(practice, err);
    }
    if (strcmp(typed, "p") == 0) {
        return draw(practice, err);
    }
    if (strncmp(typed, "w ", 2) == 0 && typed[2] != '\0') {
        return keep(practice, typed + 2, err);
    }
    if (typed[0] == '\0') {
        bsim_cli_exercise_tell(practice->exercise, &practice->out);
        return show_out(practice, err);
    }
    return change(practice, typed, err);
}

/* Its lines alone: what it is about does not change. */
static void keep_lines(struct practice *practice)
{
    for (size_t i = 0; i < practice->exercise->n_lines; i++) {
        bsim_buffer_printf(&practice->begun, "%s\n", practice->exercise->line[i]);
    }
}

static enum bsim_status work(struct practice *practice, struct bsim_error *err)
{
    struct bsim_buffer line = BSIM_BUFFER_EMPTY;
    enum bsim_status status = BSIM_OK;
    while (status == BSIM_OK) {
        (void)fputs("> ", stdout);
        (void)fflush(stdout);
        const char *typed = bsim_cli_read_line(&line);
        if (typed == NULL || bsim_cli_means_end(typed) ||
            (practice->is_solved && typed[0] == '\0')) {
            break;
        }
        status = answer(practice, typed, err);
    }
    bsim_buffer_free(&line);
    return status;
}

enum bsim_status bsim_cli_practise(struct exercise *exercise, const char *word,
                                   const struct bsim_picture_style *style, struct bsim_error *err)
{
    struct practice practice = {.exercise = exercise, .word = word, .style = style};
    keep_lines(&practice);
    bsim_cli_exercise_tell(exercise, &practice.out);
    bsim_buffer_text(&practice.out, "\n");
    bsim_buffer_text(&practice.out, ways);
    enum bsim_status status = bsim_buffer_status(&practice.begun, err);
    status = status == BSIM_OK ? show_out(&practice, err) : status;
    status = status == BSIM_OK ? work(&practice, err) : status;
    bsim_buffer_free(&practice.begun);
    bsim_buffer_free(&practice.out);
    return status;
}

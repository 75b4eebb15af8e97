/* practice.c - a reader works on an exercise, on a terminal. */
#define _POSIX_C_SOURCE 200809L

#include "cli/exercise.h"
#include "cli/lesson.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_TYPED = 512,
    ERROR_SIZE = BSIM_ERROR_FILE_SIZE + BSIM_ERROR_MESSAGE_SIZE + 2 * BSIM_ERROR_EXCERPT_SIZE + 128,
};

static const char ways[] =
    "Type a line's number and what should stand there, as 'N TEXT'. Or: h for a hint, p for a\n"
    "picture, r to begin again, w FILE to keep it, an empty line to see it again, q to end.\n";

struct practice {
    struct exercise *exercise;
    struct bsim_buffer begun; /* the exercise as it was, to begin again */
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
    char text[ERROR_SIZE];
    (void)fputs(bsim_error_text(err, text, sizeof text), stdout);
    return BSIM_OK;
}

static enum bsim_status judge(struct practice *practice, struct bsim_error *err)
{
    practice->is_solved = false;
    enum bsim_status status =
        bsim_cli_exercise_judge(practice->exercise, &practice->is_solved, &practice->out, err);
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

static enum bsim_status change(struct practice *practice, const char *typed, struct bsim_error *err)
{
    char *text;
    unsigned long number = strtoul(typed, &text, 10);
    if (*text != ' ' || text[strspn(text, " ")] == '\0') {
        (void)fputs(ways, stdout);
        return BSIM_OK;
    }
    enum bsim_status status = bsim_cli_exercise_change(practice->exercise, number, text + 1, err);
    return status == BSIM_OK ? judge(practice, err) : told(status, err);
}

static enum bsim_status begin_again(struct practice *practice, struct bsim_error *err)
{
    bsim_cli_exercise_free(practice->exercise);
    enum bsim_status status =
        bsim_cli_exercise_read(practice->exercise, "exercise", practice->begun.data, err);
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
    enum bsim_status status = bsim_cli_exercise_check(practice->exercise, &check, err);
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
        (void)printf("'banksim check %s' grades it.\n", path);
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

enum bsim_status bsim_cli_practise(struct exercise *exercise,
                                   const struct bsim_picture_style *style, struct bsim_error *err)
{
    char typed[MOST_TYPED];
    struct practice practice = {.exercise = exercise, .style = style};
    bsim_cli_exercise_write(exercise, &practice.begun);
    bsim_cli_exercise_tell(exercise, &practice.out);
    bsim_buffer_text(&practice.out, "\n");
    bsim_buffer_text(&practice.out, ways);
    enum bsim_status status = bsim_buffer_status(&practice.begun, err);
    status = status == BSIM_OK ? show_out(&practice, err) : status;
    while (status == BSIM_OK) {
        (void)fputs("> ", stdout);
        (void)fflush(stdout);
        if (!bsim_cli_read_line(typed, sizeof typed) || bsim_cli_means_end(typed) ||
            (practice.is_solved && typed[0] == '\0')) {
            break;
        }
        status = answer(&practice, typed, err);
    }
    bsim_buffer_free(&practice.begun);
    bsim_buffer_free(&practice.out);
    return status;
}

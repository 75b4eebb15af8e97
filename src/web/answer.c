/* answer.c - answers what a page asks.
 *
 * A question is a list of words, each with its terminating NUL: what is asked, and then, in any order,
 *
 *     text NAME TEXT           statements; NAME stands for their place in messages
 *     add WORD TEXT ORIGIN     one statement, as bsim_check_add takes it
 *     kernel NAME TEXT LAUNCH  in the place of statements, a launch of a kernel in CUDA C
 *     device NAME              also `banks N`, `bank-width N`, as the program's options have them
 *     format NAME              text, csv, json
 *     best N, all              of advise
 *     work TEXT                of goals: statements whose work is to be done, or that of the next ones
 *     access N, warp N, turn N       of picture: the request; without an access the
 *                                    one that loses most, without a warp its worst
 *
 * What can be asked: `launches` lists those that a text makes, of a `kernel` whose launch is not looked at; `check` and `advise` answer what the program prints for them, `picture` draws one
 * request, `both` is the two in json, with what a kernel did that a GPU lets pass, `goals` tells of each expectation whether it holds, and what is missing of the work,
 * `devices` and `words` list what there is. An answer is text of so many bytes; of a failure the message.
 */
#include "web/answer.h"

#include "base/memory.h"
#include "c/source.h"
#include "report/json.h"
#include "web/launch.h"
#include "web/picture.h"

#include <banksim/banksim.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what was asked -------------------------------------------------------------------------- */

enum { MOST_WORKS = 8 };

struct question {
    const char *what;
    struct bsim_check *check;
    const char *name, *text; /* of a kernel's file; NULL: there are statements */
    const char *statements;  /* NULL: there is no text of them */
    struct bsim_web_recording recording;
    size_t n_works;
    struct bsim_check *work[MOST_WORKS];
    const char *device; /* NULL: the default */
    struct bsim_device_options device_options;
    struct bsim_report_options report;
    struct bsim_advise_options advise;
    struct bsim_web_which which;
};

/* The words that are left of a question. */
struct words {
    const char *at, *end;
};

static const char *next(struct words *words)
{
    const char *word = words->at;
    if (word == words->end) {
        return "";
    }
    words->at += strlen(word) + 1;
    return word;
}

static uint32_t number(struct words *words)
{
    return (uint32_t)strtoul(next(words), NULL, 10);
}

static enum bsim_format format(const char *name)
{
    const char *known;
    uint32_t shows;
    for (size_t i = 0; (known = bsim_format_name(i, &shows)) != NULL; i++) {
        if ((shows & BSIM_TABLES) != 0 && strcmp(known, name) == 0) {
            return (enum bsim_format)i;
        }
    }
    return BSIM_TEXT;
}

static enum bsim_status take_text(struct question *question, struct words *words,
                                  struct bsim_error *err)
{
    const char *name = next(words);
    question->statements = next(words);
    return bsim_check_add_text(question->check, name, question->statements, strlen(question->statements), err);
}

/* What is expected is of accesses to shared memory. */
static bool has_expectation(struct words words)
{
    while (words.at < words.end) {
        if (strcmp(next(&words), "expect") == 0) {
            return true;
        }
    }
    return false;
}

static enum bsim_status take_kernel(struct question *question, struct words *words,
                                    struct bsim_error *err)
{
    question->name = next(words);
    question->text = next(words);
    const char *launch = next(words);
    if (strcmp(question->what, "launches") == 0) {
        return BSIM_OK;
    }
    if (question->recording.trace.size_bytes > 0) {
        return bsim_error_set(err, BSIM_E_USAGE, "a question has one launch");
    }
    bool of_any_memory = strcmp(question->what, "check") == 0 && !has_expectation(*words);
    return bsim_web_record(question->name, question->text, strlen(question->text), launch,
                           of_any_memory, &question->recording, question->check, err);
}

static enum bsim_status take_statement(struct question *question, struct words *words,
                                       struct bsim_error *err)
{
    const char *word = next(words);
    const char *text = next(words);
    return bsim_check_add(question->check, word, text, next(words), err);
}

static enum bsim_status take_work(struct question *question, struct words *words,
                                  struct bsim_error *err)
{
    const char *text = next(words);
    struct bsim_check *work = bsim_check_new();
    if (work == NULL) {
        return bsim_mem_short(err);
    }
    if (question->n_works == MOST_WORKS) {
        bsim_check_free(work);
        return bsim_error_set(err, BSIM_E_USAGE, "a question has at most %d works", MOST_WORKS);
    }
    question->work[question->n_works++] = work;
    enum bsim_status status = bsim_check_add_text(work, "exercise", text, strlen(text), err);
    return status == BSIM_OK ? bsim_check_seal(work, err) : status;
}

static enum bsim_status take(struct question *question, const char *key, struct words *words,
                             struct bsim_error *err)
{
    if (strcmp(key, "text") == 0) {
        return take_text(question, words, err);
    }
    if (strcmp(key, "add") == 0) {
        return take_statement(question, words, err);
    }
    if (strcmp(key, "work") == 0) {
        return take_work(question, words, err);
    }
    if (strcmp(key, "kernel") == 0) {
        return take_kernel(question, words, err);
    }
    if (strcmp(key, "device") == 0) {
        question->device = next(words);
    } else if (strcmp(key, "banks") == 0) {
        question->device_options.n_banks = number(words);
    } else if (strcmp(key, "bank-width") == 0) {
        question->device_options.bank_width = number(words);
    } else if (strcmp(key, "format") == 0) {
        question->report.format = format(next(words));
    } else if (strcmp(key, "best") == 0) {
        question->advise.n_plans = number(words);
    } else if (strcmp(key, "all") == 0) {
        question->advise.all = true;
    } else if (strcmp(key, "access") == 0) {
        question->which.has_access = true;
        question->which.access = number(words);
    } else if (strcmp(key, "warp") == 0) {
        question->which.has_warp = true;
        question->which.warp = number(words);
    } else if (strcmp(key, "turn") == 0) {
        question->which.turn = number(words);
    } else {
        return bsim_error_set(err, BSIM_E_USAGE, "a question has no '%s'", key);
    }
    return BSIM_OK;
}

static enum bsim_status read_question(struct question *question, struct words words,
                                      struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    question->what = next(&words);
    question->check = bsim_check_new();
    if (question->check == NULL) {
        return bsim_mem_short(err);
    }
    while (status == BSIM_OK && words.at < words.end) {
        status = take(question, next(&words), &words, err);
    }
    return status;
}

/* ---- answers --------------------------------------------------------------------------------- */

/* has_choice: the device was named. Banks without a name are those of the generic one. */
static enum bsim_status find_device(const struct question *question, struct bsim_device *device,
                                    bool *has_choice, struct bsim_error *err)
{
    const char *name = question->device;
    if (name == NULL && question->device_options.n_banks > 0) {
        name = "generic";
    }
    *has_choice = name != NULL;
    return bsim_device_find(name, &question->device_options, device, err);
}

/* Answers the question's check for its device. */
static enum bsim_status ask(struct question *question, bool cycles, struct bsim_answer *answer,
                            struct bsim_error *err)
{
    struct bsim_device device;
    bool has_choice;
    enum bsim_status status = find_device(question, &device, &has_choice, err);
    struct bsim_ask ask = {.device = has_choice ? &device : NULL,
                           .device_options = question->device_options,
                           .cycles = cycles,
                           .remedies = cycles && question->report.format == BSIM_TEXT};
    if (status == BSIM_OK && has_choice) {
        bsim_check_for(question->check, &device);
    }
    return status == BSIM_OK ? bsim_answer(question->check, &ask, answer, err) : status;
}

static enum bsim_status check(struct question *question, struct bsim_buffer *out,
                              struct bsim_error *err)
{
    struct bsim_answer answer = {.n_accesses = 0};
    enum bsim_status status = ask(question, true, &answer, err);
    if (status == BSIM_OK) {
        bsim_report_check(question->check, &answer, &question->report, out);
    }
    bsim_answer_free(&answer);
    return status;
}

/* "conflicts is 992", of each value that the expectation names. */
static void put_values(const struct bsim_check_expectation *expectation,
                       const struct bsim_kernel_result *kernel, size_t access,
                       struct bsim_buffer *out)
{
    const char *separator = "";
    bool is_asked = kernel->sites[access].requests > 0;
    bsim_buffer_text(out, is_asked ? "" : "no thread comes to it");
    for (uint32_t v = 0; v < BSIM_CHECK_N_VALUES && is_asked; v++) {
        uint64_t value;
        const char *name = bsim_check_value(kernel, access, v, &value);
        if ((expectation->uses >> v & 1) != 0) {
            bsim_buffer_printf(out, "%s%s is %" PRIu64, separator, name, value);
            separator = ", ";
        }
    }
}

static enum bsim_status put_goal(const struct question *question, const struct bsim_answer *answer,
                                 size_t index, size_t access, struct bsim_buffer *out,
                                 struct bsim_error *err)
{
    const struct bsim_check_contents *contents = bsim_check_contents(question->check);
    const struct bsim_check_expectation *expectation = &contents->expectation[index];
    const struct bsim_kernel_result *kernel = &answer->result.kernels[0];
    struct bsim_buffer values = BSIM_BUFFER_EMPTY;
    bool holds = false;
    enum bsim_status status =
        bsim_check_expect(question->check, index, kernel, access, &holds, err);
    if (status != BSIM_OK) {
        return status;
    }
    put_values(expectation, kernel, access, &values);
    bsim_buffer_text(out, out->data[out->size_bytes - 1] == '}' ? ", {\"goal\": " : "{\"goal\": ");
    bsim_json_string(expectation->text, out);
    bsim_buffer_printf(out, ", \"op\": \"%s\", \"access\": ", contents->access[access].op);
    bsim_json_string(contents->access[access].text, out);
    bsim_buffer_printf(out, ", \"holds\": %s, \"values\": ",
                       holds && kernel->sites[access].requests > 0 ? "true" : "false");
    bsim_json_string(values.data != NULL ? values.data : "", out);
    bsim_buffer_text(out, "}");
    out->failed = out->failed || values.failed;
    bsim_buffer_free(&values);
    return BSIM_OK;
}

/* What is missing of the work; "": nothing. */
static enum bsim_status put_work(const struct question *question, struct bsim_buffer *out,
                                 struct bsim_error *err)
{
    struct bsim_buffer lacks = BSIM_BUFFER_EMPTY;
    bool does = true;
    enum bsim_status status =
        question->n_works == 0
            ? BSIM_OK
            : bsim_check_does_work(question->check,
                                   (const struct bsim_check *const *)question->work,
                                   question->n_works, &does, &lacks, err);
    bsim_json_string(lacks.data != NULL ? lacks.data : "", out);
    bsim_buffer_free(&lacks);
    return status;
}

/* One entry for each access that an expectation is about. */
static enum bsim_status goals(struct question *question, struct bsim_buffer *out,
                              struct bsim_error *err)
{
    const struct bsim_check_contents *contents = bsim_check_contents(question->check);
    struct bsim_answer answer = {.n_accesses = 0};
    enum bsim_status status = ask(question, false, &answer, err);
    bsim_buffer_text(out, "{\"lacks\": ");
    if (status == BSIM_OK) {
        status = put_work(question, out, err);
    }
    bsim_buffer_text(out, ", \"goals\": [");
    for (size_t i = 0; i < contents->n_expectations && status == BSIM_OK; i++) {
        const struct bsim_check_expectation *one = &contents->expectation[i];
        for (size_t k = 0; k < one->n_accesses && status == BSIM_OK; k++) {
            status = put_goal(question, &answer, i, one->first_access + k, out, err);
        }
    }
    bsim_buffer_text(out, "]}\n");
    bsim_answer_free(&answer);
    return status;
}

static enum bsim_status advise(struct question *question, struct bsim_buffer *out,
                               struct bsim_error *err)
{
    struct bsim_device device;
    bool has_choice;
    struct bsim_advice *advice = NULL;
    enum bsim_status status = find_device(question, &device, &has_choice, err);
    if (question->advise.all && question->report.format == BSIM_TEXT) {
        question->report.format = BSIM_CSV;
    }
    if (status == BSIM_OK) {
        status = bsim_advise(question->check, &device, &question->advise, &advice, err);
    }
    if (status == BSIM_OK) {
        bsim_report_advice(question->check, advice, &question->report, out);
    }
    bsim_advice_free(advice);
    return status;
}

static enum bsim_status picture(struct question *question, struct bsim_buffer *out,
                                struct bsim_error *err)
{
    struct bsim_device device;
    bool has_choice;
    enum bsim_status status = find_device(question, &device, &has_choice, err);
    return status == BSIM_OK
               ? bsim_web_picture(question->check, &device, &question->which, out, err)
               : status;
}

/* Their names and descriptions are plain words. */
static void list_devices(struct bsim_buffer *out)
{
    struct bsim_device device;
    for (size_t i = 0; bsim_device_at(i, &device); i++) {
        bsim_buffer_printf(out, "%s{\"name\": \"%s\", \"description\": \"%s\", \"has_wide\": %s}",
                           i > 0 ? ",\n" : "[", device.name, device.description,
                           device.widths == 12 ? "true" : "false");
    }
    bsim_buffer_text(out, "]\n");
}

static void list_words(struct bsim_buffer *out)
{
    const char *word;
    for (size_t i = 0; (word = bsim_check_word(i)) != NULL; i++) {
        bsim_buffer_printf(out, "%s\"%s\"", i > 0 ? ", " : "[", word);
    }
    bsim_buffer_text(out, "]\n");
}

/* What a page shows of a launch, which is run once for it. */
static enum bsim_status both(struct question *question, struct bsim_buffer *out,
                             struct bsim_error *err)
{
    const char *findings = question->recording.findings.data;
    question->report.format = BSIM_JSON;
    bsim_buffer_text(out, "{\"check\": ");
    enum bsim_status status = check(question, out, err);
    bsim_buffer_text(out, ", \"picture\": ");
    if (status == BSIM_OK) {
        status = picture(question, out, err);
    }
    bsim_buffer_text(out, ", \"findings\": ");
    bsim_json_string(findings != NULL ? findings : "", out);
    bsim_buffer_text(out, "}\n");
    return status;
}

static enum bsim_status answer_check(struct question *question, struct bsim_buffer *out,
                                     struct bsim_error *err)
{
    enum bsim_status status = bsim_check_seal(question->check, err);
    if (status == BSIM_E_INPUT && question->statements != NULL && bsim_c_is_source(question->statements)) {
        /* a file of C++, which fails as statements at its first line: nothing to go on */
        return bsim_error_set(err, BSIM_E_INPUT,
                              "no __global__ kernel stands here: paste the one that a launch, name<<<...>>>(...), calls");
    }
    if (status != BSIM_OK) {
        return status;
    }
    if (strcmp(question->what, "advise") == 0) {
        return advise(question, out, err);
    }
    if (strcmp(question->what, "goals") == 0) {
        return goals(question, out, err);
    }
    if (strcmp(question->what, "both") == 0) {
        return both(question, out, err);
    }
    return strcmp(question->what, "picture") == 0 ? picture(question, out, err)
                                                  : check(question, out, err);
}

static enum bsim_status answer_question(struct question *question, struct bsim_buffer *out,
                                        struct bsim_error *err)
{
    if (strcmp(question->what, "devices") == 0) {
        list_devices(out);
    } else if (strcmp(question->what, "words") == 0) {
        list_words(out);
    } else if (strcmp(question->what, "launches") == 0 && question->text != NULL) {
        return bsim_web_launches(question->name, question->text, strlen(question->text), out, err);
    } else {
        return answer_check(question, out, err);
    }
    return BSIM_OK;
}

enum bsim_status bsim_web_answer(const char *words, size_t size_bytes, struct bsim_buffer *out,
                                 struct bsim_error *err)
{
    struct question question = {.what = ""};
    enum bsim_status status =
        read_question(&question, (struct words){words, words + size_bytes}, err);
    if (status == BSIM_OK) {
        status = answer_question(&question, out, err);
    }
    for (size_t i = 0; i < question.n_works; i++) {
        bsim_check_free(question.work[i]);
    }
    bsim_check_free(question.check);
    bsim_web_recording_free(&question.recording);
    return status == BSIM_OK ? bsim_buffer_status(out, err) : status;
}

/* fill.c - writes a page's first state, and the answers that it asks for then, into its one line for
 * that. What the page asks is written twice, here and in page.js: where they differ the page asks its
 * library, and tests/web sees it. */
#include "web/fill.h"

#include "report/json.h"
#include "web/answer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char opening[] = "<script type=\"application/json\" id=\"filled\">";
static const char closing[] = "</script>";
static const char kernel_name[] = "kernel.cu"; /* what the page calls a text of CUDA C */

/* The page's own default has no name by which a device is asked for. */
static const char *device_of(const struct bsim_web_state *state)
{
    return state->device != NULL                    ? state->device
           : state->device_options.n_banks > 0 ? "generic"
                                               : "sm_90";
}

/* As the page keeps it: "k40;bank-width=8". */
static void put_device(const struct bsim_web_state *state, struct bsim_buffer *out)
{
    bsim_buffer_text(out, device_of(state));
    if (state->device_options.bank_width > 0) {
        bsim_buffer_printf(out, ";bank-width=%" PRIu32, state->device_options.bank_width);
    }
    if (state->device_options.n_banks > 0) {
        bsim_buffer_printf(out, ";banks=%" PRIu32, state->device_options.n_banks);
    }
}

static void put_state(const struct bsim_web_state *state, struct bsim_buffer *out)
{
    struct bsim_buffer device = BSIM_BUFFER_EMPTY;
    put_device(state, &device);
    bsim_buffer_text(out, "{\"state\": {\"text\": ");
    bsim_json_string(state->text, out);
    bsim_buffer_text(out, ", \"device\": ");
    bsim_json_string(device.data != NULL ? device.data : "", out);
    if (state->launch != NULL) {
        bsim_buffer_text(out, ", \"launch\": ");
        bsim_json_string(state->launch, out);
    }
    if (state->n_plans > 0) {
        bsim_buffer_printf(out, ", \"best\": %" PRIu32, state->n_plans);
    }
    bsim_buffer_text(out, "}, \"answers\": [");
    out->failed = out->failed || device.failed;
    bsim_buffer_free(&device);
}

/* ---- questions, word by word ----------------------------------------------------------------- */

static void put_word(const char *word, struct bsim_buffer *question)
{
    bsim_buffer_add(question, word, strlen(word) + 1);
}

static void put_option(const char *name, uint32_t value, struct bsim_buffer *question)
{
    char number[16];
    if (value > 0) {
        (void)snprintf(number, sizeof number, "%" PRIu32, value);
        put_word(name, question);
        put_word(number, question);
    }
}

/* A question about the text; json: in that format. */
static void put_question(const char *what, bool json, const struct bsim_web_state *state,
                         struct bsim_buffer *question)
{
    put_word(what, question);
    put_word("device", question);
    put_word(device_of(state), question);
    put_option("bank-width", state->device_options.bank_width, question);
    put_option("banks", state->device_options.n_banks, question);
    if (json) {
        put_word("format", question);
        put_word("json", question);
    }
    put_word(state->launch != NULL ? "kernel" : "text", question);
    put_word(state->launch != NULL ? kernel_name : "text", question);
    put_word(state->text, question);
    if (state->launch != NULL) {
        put_word(state->launch, question);
    }
}

/* Which launches the text makes. */
static void put_launches(const struct bsim_web_state *state, struct bsim_buffer *question)
{
    put_word("launches", question);
    put_word("kernel", question);
    put_word(kernel_name, question);
    put_word(state->text, question);
    put_word("", question);
}

/* Takes the question. */
static enum bsim_status put_answer(struct bsim_buffer *question, struct bsim_buffer *out,
                                   struct bsim_error *err)
{
    struct bsim_buffer answer = BSIM_BUFFER_EMPTY;
    enum bsim_status status = bsim_buffer_status(question, err);
    if (status == BSIM_OK) {
        status = bsim_web_answer(question->data, question->size_bytes, &answer, err);
    }
    if (status == BSIM_OK) {
        bsim_buffer_text(out, "{\"question\": [");
        for (size_t at = 0; at < question->size_bytes; at += strlen(question->data + at) + 1) {
            bsim_buffer_text(out, at > 0 ? ", " : "");
            bsim_json_string(question->data + at, out);
        }
        bsim_buffer_text(out, "], \"text\": ");
        bsim_json_string(answer.data != NULL ? answer.data : "", out);
        bsim_buffer_text(out, "}");
    }
    bsim_buffer_free(question);
    bsim_buffer_free(&answer);
    return status;
}

static enum bsim_status put_answers(const struct bsim_web_state *state, struct bsim_buffer *out,
                                    struct bsim_error *err)
{
    static const char *const of_text[] = {"check", "picture", "devices"};
    static const char *const of_kernel[] = {"launches", "both", "devices"};
    const char *const *asked = state->launch != NULL ? of_kernel : of_text;
    enum bsim_status status = BSIM_OK;
    for (size_t i = 0; i < 3 && status == BSIM_OK; i++) {
        struct bsim_buffer question = BSIM_BUFFER_EMPTY;
        bsim_buffer_text(out, i > 0 ? ", " : "");
        if (strcmp(asked[i], "devices") == 0) {
            put_word(asked[i], &question);
        } else if (strcmp(asked[i], "launches") == 0) {
            put_launches(state, &question);
        } else {
            put_question(asked[i], strcmp(asked[i], "check") == 0, state, &question);
        }
        status = put_answer(&question, out, err);
    }
    bsim_buffer_text(out, "]}");
    return status;
}

enum bsim_status bsim_web_fill(const char *page, const struct bsim_web_state *state,
                               struct bsim_buffer *out, struct bsim_error *err)
{
    const char *begin = strstr(page, opening);
    const char *end = begin != NULL ? strstr(begin, closing) : NULL;
    if (end == NULL) {
        return bsim_error_set(err, BSIM_E_INPUT, "this is not banksim's page");
    }
    begin += strlen(opening);
    bsim_buffer_add(out, page, (size_t)(begin - page));
    put_state(state, out);
    enum bsim_status status = put_answers(state, out, err);
    bsim_buffer_text(out, end);
    return status == BSIM_OK ? bsim_buffer_status(out, err) : status;
}

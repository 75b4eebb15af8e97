/* test_trace_truncate.c - traces cut at every byte.
 *
 * A cut trace must be an error, unless only what stands behind the word `end` is missing (line end,
 * comment, blank lines): then it must be the whole stream. Nothing in between: no cut may give a
 * shorter stream that looks whole.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/trace.h>

#include "status_name.h"
#include "trace_text.h"
#include "watched.h"

#include <stdlib.h>
#include <string.h>

/* Behind the last line whose first word is `end`. The samples have no such line within a quoted
 * text, which ends with its line. */
static size_t behind_end(const char *text, size_t size)
{
    size_t found = 0;
    for (size_t at = 0; at < size;) {
        size_t word = at;
        while (word < size && (text[word] == ' ' || text[word] == '\t')) {
            word++;
        }
        if (size - word >= 3 && memcmp(text + word, "end", 3) == 0) {
            found = word + 3;
        }
        const char *line_end = memchr(text + at, '\n', size - at);
        at = line_end != NULL ? (size_t)(line_end - text) + 1 : size;
    }
    return found;
}

/* A copy without a byte behind it, so that the sanitizers see a read too far. */
static enum bsim_status read_cut(const char *text, size_t size, struct bsim_buffer *log)
{
    enum bsim_status status;
    char *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, text, size);
    *log = trace_text_describe(copy, size, &status, NULL);
    free(copy);
    return status;
}

static void cut_good(const char *path, const char *text, size_t size)
{
    struct bsim_buffer whole;
    assert_int_equal(read_cut(text, size, &whole), BSIM_OK);
    size_t enough = behind_end(text, size);
    for (size_t cut = 0; cut < size; cut += WATCHED(1, 3)) {
        struct bsim_buffer log;
        enum bsim_status status = read_cut(text, cut, &log);
        if (status != (cut < enough ? BSIM_E_INPUT : BSIM_OK)) {
            fail_msg("%s, cut after %zu of %zu bytes: %s", path, cut, size,
                     status_name(status));
        }
        if (status == BSIM_OK && strcmp(log.data, whole.data) != 0) {
            fail_msg("%s, cut after %zu of %zu bytes: another stream", path, cut, size);
        }
        bsim_buffer_free(&log);
    }
    bsim_buffer_free(&whole);
}

/* A broken trace may become a good one by losing its fault, but only behind an `end`. */
static void cut_broken(const char *path, const char *text, size_t size)
{
    for (size_t cut = 0; cut <= size; cut += WATCHED(1, 3)) {
        struct bsim_buffer log;
        enum bsim_status status = read_cut(text, cut, &log);
        if (status != BSIM_E_INPUT && behind_end(text, cut) == 0) {
            fail_msg("%s, cut after %zu of %zu bytes: %s", path, cut, size,
                     status_name(status));
        }
        bsim_buffer_free(&log);
    }
}

/* Some samples are broken on purpose, for the command line's messages. */
static void cut_sample(const char *path, const char *text, size_t size)
{
    struct bsim_buffer whole;
    bool is_good = read_cut(text, size, &whole) == BSIM_OK;
    bsim_buffer_free(&whole);
    if (is_good || strstr(path, "/cli_") == NULL) {
        cut_good(path, text, size);
    } else {
        cut_broken(path, text, size);
    }
}

static void samples(void **state)
{
    (void)state;
    trace_text_each("tests/golden/traces", "", ".trace", cut_sample);
}

static void good_corpus(void **state)
{
    (void)state;
    trace_text_each("tests/fuzz/corpus", "good-", "", cut_good);
}

static void broken_corpus(void **state)
{
    (void)state;
    trace_text_each("tests/fuzz/corpus", "bad-", "", cut_broken);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(samples),
        cmocka_unit_test(good_corpus),
        cmocka_unit_test(broken_corpus),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}

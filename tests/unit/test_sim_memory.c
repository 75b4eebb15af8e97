/* test_sim_memory.c - the Nth allocation fails, for every N: each function says so, changes nothing
 * that it must not, and frees what it owns. */
#include "failing_memory.h"
#include "status_name.h"
#include "stream.h"

#include <banksim/report.h>

#include "result/result.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

enum { MOST_ALLOCATIONS = 2000 };

/* Three kernels with sites with and without names; the first status that is not OK. */
static enum bsim_status push_all(struct stream *s)
{
    enum bsim_status status = BSIM_OK;
    for (int k = 0; k < 3 && status == BSIM_OK; k++) {
        status = stream_kernel(s, k == 1 ? "middle" : "outer", 32, NULL);
        status = status ? status : stream_site(s, 4, "ld.shared.u32", "a.cu", 3, "x = t[i]");
        status = status ? status : stream_site(s, 2, "st.shared.u32", NULL, 0, NULL);
        status = status ? status : stream_block(s, 0);
        status = status ? status : stream_at_site(s, 0, 0, 0, 128);
        status = status ? status : stream_access(s, 0, "ld.shared.u16", 0, 4);
        status = status ? status : stream_access(s, 0, "atom.shared.add.u32", 0, 4);
        status = status ? status : stream_access(s, 0, "ld.global.u32", 0, 4);
        status = status ? status : stream_access(s, 0, "ld.const.u32", 0, 4);
    }
    return status;
}

static enum bsim_status simulate(struct bsim_result *result)
{
    struct stream s;
    if (!stream_simulate(&s, NULL)) {
        return BSIM_E_MEMORY;
    }
    enum bsim_status status = push_all(&s);
    if (status != BSIM_OK) {
        stream_drop(&s);
        return status;
    }
    return stream_finish(&s, result);
}

/* Runs try(result) with fewer and fewer failures, until it needs no allocation more. Each failure
 * must be BSIM_E_MEMORY and leave as many blocks alive as there were before. */
static void fail_each(const char *what, enum bsim_status (*try)(struct bsim_result *result),
                      struct bsim_result *result)
{
    size_t before = failing_memory_live();
    for (size_t n = 0; n < MOST_ALLOCATIONS; n++) {
        failing_memory_fail_after(n);
        enum bsim_status status = try(result);
        size_t refused = failing_memory_refused();
        failing_memory_heal();
        if (status == BSIM_OK && refused == 0) {
            assert_true(n > 0);
            return;
        }
        if (status != BSIM_E_MEMORY || failing_memory_live() != before) {
            fail_msg("%s, allocation %zu: %s, %zu blocks alive, %zu before", what, n,
                     status_name(status), failing_memory_live(), before);
        }
    }
    fail_msg("%s never succeeds", what);
}

static void simulation_survives(void **state)
{
    (void)state;
    size_t before = failing_memory_live();
    struct bsim_result result;
    fail_each("simulation", simulate, &result);
    assert_int_equal(result.n_kernels, 3);
    bsim_result_free(&result);
    assert_int_equal(failing_memory_live(), before);
}

static struct bsim_result more; /* what the functions below add */

static enum bsim_status merge_more(struct bsim_result *into)
{
    return bsim_result_merge(into, &more, NULL);
}

static enum bsim_status append_more(struct bsim_result *into)
{
    return bsim_result_append(into, &more, NULL);
}

static void merging_survives(void **state)
{
    (void)state;
    size_t before = failing_memory_live();
    struct bsim_result into = {0};
    assert_int_equal(simulate(&more), BSIM_OK);
    fail_each("merge into nothing", merge_more, &into);
    fail_each("merge", merge_more, &into);
    assert_int_equal(bsim_kernel_total(&into.kernels[0]).requests, 6);
    bsim_result_free(&into);
    bsim_result_free(&more);
    assert_int_equal(failing_memory_live(), before);
}

/* `into` and `more` are as before after each failure: the last try appends all of it. */
static void appending_survives(void **state)
{
    (void)state;
    size_t before = failing_memory_live();
    struct bsim_result into;
    assert_int_equal(simulate(&into), BSIM_OK);
    assert_int_equal(simulate(&more), BSIM_OK);
    failing_memory_fail_after(0);
    assert_int_equal(append_more(&into), BSIM_E_MEMORY);
    failing_memory_heal();
    assert_int_equal(into.n_kernels, 3);
    assert_int_equal(more.n_kernels, 3);
    assert_int_equal(append_more(&into), BSIM_OK);
    assert_int_equal(into.n_kernels, 6);
    assert_string_equal(into.kernels[4].name, "middle");
    bsim_result_free(&into);
    assert_int_equal(failing_memory_live(), before);
}

/* After a failure what was collected is of no use, but nothing is lost or freed twice. */
static void collecting_survives(void **state)
{
    (void)state;
    size_t before = failing_memory_live(), n = 0;
    enum bsim_status status;
    do {
        struct bsim_result into;
        assert_int_equal(simulate(&into), BSIM_OK);
        assert_int_equal(simulate(&more), BSIM_OK);
        failing_memory_fail_after(n++);
        status = bsim_result_collect(&into, 2, &more, NULL);
        failing_memory_heal();
        assert_true(status == BSIM_OK || status == BSIM_E_MEMORY);
        assert_true(status != BSIM_OK || into.n_kernels == 5);
        bsim_result_free(&into);
        bsim_result_free(&more);
        assert_int_equal(failing_memory_live(), before);
    } while (status != BSIM_OK);
    assert_true(n > 3);
}

static struct bsim_report_options options; /* of the report below */

static enum bsim_status report(struct bsim_result *result)
{
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    bsim_report_result(result, &options, &out);
    enum bsim_status status = bsim_buffer_status(&out, NULL);
    bsim_buffer_free(&out);
    return status;
}

static void reports_survive(void **state)
{
    (void)state;
    struct bsim_result result;
    assert_int_equal(simulate(&result), BSIM_OK);
    for (int i = 0; i < 18; i++) {
        options = (struct bsim_report_options){
            .format = (enum bsim_format)(i % 3),
            .per = i / 3 % 2 == 0 ? BSIM_PER_KERNEL : BSIM_PER_SITE,
            .metrics = (enum bsim_metrics)(i / 6),
        };
        char what[40];
        (void)snprintf(what, sizeof what, "report %d", i);
        fail_each(what, report, &result);
    }
    bsim_result_free(&result);
}

static enum bsim_status append_text(struct bsim_result *result)
{
    (void)result;
    struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
    char before[2000] = "";
    for (int i = 0; i < 900 && !buffer.failed; i++) {
        if (buffer.data != NULL) {
            (void)snprintf(before, sizeof before, "%s", buffer.data);
        }
        bsim_buffer_printf(&buffer, "%c", 'a' + i % 26);
    }
    if (buffer.failed && buffer.data != NULL) { /* it holds what came before */
        assert_string_equal(buffer.data, before);
    }
    enum bsim_status status = bsim_buffer_status(&buffer, NULL);
    bsim_buffer_free(&buffer);
    return status;
}

static void buffers_survive(void **state)
{
    (void)state;
    fail_each("buffer", append_text, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simulation_survives), cmocka_unit_test(merging_survives),
        cmocka_unit_test(appending_survives),  cmocka_unit_test(collecting_survives),
        cmocka_unit_test(reports_survive),     cmocka_unit_test(buffers_survive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

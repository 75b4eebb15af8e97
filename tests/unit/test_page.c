/* test_page.c - a run as one HTML page: whatever a trace says stays text, equal requests are one,
 * the budget holds, and no number is lost with what is left out. What the page does in a browser is
 * tested in tests/browser. */
#include "failing_memory.h"
#include "random_request.h"
#include "stream.h"

#include <banksim/banksim.h>

#include "report/page/page.h"
#include "report/page/survey.h"
#include "sim/sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ALLOCATIONS = 2000, MOST_PAGE_BYTES = 2000000 };

static const char hostile[] = "</script><script>alert(1)</script><!--\"'&\xff\xe2\x80\xa8\x01";

/* ---- a stream into a simulator and a survey ------------------------------------------------- */

struct run {
    struct stream stream;
    struct bsim_survey *survey;
    struct bsim_result result;
};

static enum bsim_status on_request(void *context, const struct bsim_request_result *request,
                                   struct bsim_error *err)
{
    return bsim_survey_add(context, request->kernel_index, request, err);
}

static void start(struct run *run, size_t budget_bytes)
{
    run->survey = bsim_survey_new(budget_bytes);
    assert_non_null(run->survey);
    struct bsim_sim_options options = {.context = run->survey, .on_request = on_request};
    assert_true(stream_simulate(&run->stream, &options));
}

static void start_kernel(struct run *run, const char *name)
{
    assert_int_equal(stream_kernel(&run->stream, name, 1024, NULL), BSIM_OK);
    assert_int_equal(stream_site(&run->stream, 1, "st.shared.u32", "a.cu", 1, "one"), BSIM_OK);
    assert_int_equal(stream_site(&run->stream, 2, "ld.shared.u32", "a.cu", 2, "two"), BSIM_OK);
    assert_int_equal(stream_block(&run->stream, 0), BSIM_OK);
}

static void finish(struct run *run)
{
    assert_int_equal(stream_finish(&run->stream, &run->result), BSIM_OK);
}

static struct bsim_buffer page_of(struct run *run)
{
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    assert_int_equal(bsim_report_page(&run->result, run->survey, &out, NULL), BSIM_OK);
    return out;
}

static void end(struct run *run)
{
    bsim_survey_free(run->survey);
    bsim_result_free(&run->result);
}

static size_t n_times(const char *text, const char *part)
{
    size_t n = 0;
    for (; (text = strstr(text, part)) != NULL; text++) {
        n++;
    }
    return n;
}

/* ---- text stays text ------------------------------------------------------------------------- */

static void hostile_names_stay_text(void **state)
{
    (void)state;
    struct run run;
    start(&run, 0);
    assert_int_equal(stream_kernel(&run.stream, hostile, 32, NULL), BSIM_OK);
    assert_int_equal(stream_site(&run.stream, 1, "ld.shared.u32", hostile, 7, hostile), BSIM_OK);
    assert_int_equal(stream_block(&run.stream, 0), BSIM_OK);
    assert_int_equal(stream_at_site(&run.stream, 0, 0, 0, 128), BSIM_OK);
    finish(&run);
    struct bsim_buffer page = page_of(&run);
    assert_int_equal(n_times(page.data, "<script"), 2); /* the frame's own */
    assert_int_equal(n_times(page.data, "</script"), 2);
    assert_int_equal(n_times(page.data, "<!--"), 0);
    assert_int_equal(n_times(page.data, "\xff"), 0);
    assert_int_equal(n_times(page.data, "\x01"), 0);
    /* In the data: kernel, file, text. In the frame: the title, and the verdict's three. */
    assert_int_equal(n_times(page.data, "\\u003c/script\\u003e\\u003cscript\\u003ealert(1)"), 3);
    assert_int_equal(n_times(page.data, "&lt;/script&gt;&lt;script&gt;alert(1)"), 4);
    assert_int_equal(n_times(page.data, "&lt;!--&quot;&#39;&amp;"), 4);
    bsim_buffer_free(&page);
    end(&run);
}

/* By the right digests: tests/golden/html_policy. */
static void policy_names_the_script_and_the_style(void **state)
{
    (void)state;
    struct run run;
    start(&run, 0);
    start_kernel(&run, "k");
    finish(&run);
    struct bsim_buffer page = page_of(&run);
    assert_int_equal(n_times(page.data, "default-src 'none'; script-src 'sha256-"), 1);
    assert_int_equal(n_times(page.data, bsim_page_js), 1);
    assert_int_equal(n_times(page.data, bsim_page_css), 1);
    assert_int_equal(n_times(page.data, "http://www.w3.org/2000/svg"), 1);
    assert_int_equal(n_times(page.data, "http"), 2); /* that name, and http-equiv */
    bsim_buffer_free(&page);
    end(&run);
}

/* ---- equal requests -------------------------------------------------------------------------- */

struct equal_case {
    const char *name;
    uint64_t base[2];
    int64_t stride[2];
    size_t n_patterns;
};

static const struct equal_case equal_cases[] = {
    {"the same", {0, 0}, {128, 128}, 1},
    {"a row of the banks further", {4, 132}, {128, 128}, 1},
    {"many rows further", {0, 128000}, {4, 4}, 1},
    {"another bank", {0, 4}, {128, 128}, 2},
    {"another bank, as well aligned", {0, 64}, {128, 128}, 2},
    {"another stride", {0, 0}, {128, 132}, 2},
};

static void equal_requests_are_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof equal_cases / sizeof equal_cases[0]; i++) {
        const struct equal_case *c = &equal_cases[i];
        struct run run;
        start(&run, 0);
        start_kernel(&run, "k");
        for (int k = 0; k < 2; k++) {
            assert_int_equal(stream_at_site(&run.stream, 0, 1, c->base[k], c->stride[k]), BSIM_OK);
        }
        finish(&run);
        if (run.survey->n_patterns != c->n_patterns) {
            fail_msg("%s: %zu patterns", c->name, run.survey->n_patterns);
        }
        assert_int_equal(run.survey->patterns[0].n, 3 - c->n_patterns);
        end(&run);
    }
}

/* Column 3 of a tile by all 32 lanes, 5 times; 2-way conflicts in the even banks; one in bank 0
 * alone while banks 2 to 31 serve a row each; a store by rows. Their sums are counted by hand. */
static void banks_are_weighed(void **state)
{
    (void)state;
    struct run run;
    start(&run, 0);
    start_kernel(&run, "k");
    assert_int_equal(stream_repeat(&run.stream, 5), BSIM_OK);
    assert_int_equal(stream_at_site(&run.stream, 0, 1, 12, 128), BSIM_OK);
    assert_int_equal(stream_done(&run.stream), BSIM_OK);
    assert_int_equal(stream_at_site(&run.stream, 0, 1, 0, 8), BSIM_OK);
    struct bsim_event event = stream_event("ld.shared.u32", BSIM_FULL_MASK, 0, 4);
    bsim_event_addresses(&event, event.address);
    event.affine = false;
    event.address[1] = 128;
    event.site = &run.stream.site[1];
    assert_int_equal(stream_push(&run.stream, 0, event), BSIM_OK);
    assert_int_equal(stream_at_site(&run.stream, 0, 0, 0, 4), BSIM_OK);
    finish(&run);
    struct bsim_opcode none = {0};
    const struct bsim_survey_site *load = bsim_survey_find(run.survey, 0, 2, &none);
    const struct bsim_survey_site *store = bsim_survey_find(run.survey, 0, 1, &none);
    assert_non_null(load);
    assert_non_null(store);
    for (uint64_t bank = 0; bank < 32; bank++) {
        uint64_t column = bank == 3 ? 5 : 0;
        uint64_t even = bank % 2 == 0;
        uint64_t alone = bank == 0 ? 2 : bank == 1 ? 0 : 1;
        assert_int_equal(load->turns[bank], 32 * column + 2 * even + alone);
        assert_int_equal(load->held_up[bank], column + even + (bank == 0));
        assert_int_equal(store->turns[bank], 1);
        assert_int_equal(store->held_up[bank], 0);
    }
    assert_null(bsim_survey_find(run.survey, 1, 2, &none));
    assert_null(bsim_survey_find(run.survey, 0, 3, &none));
    end(&run);
}

/* ---- the budget ------------------------------------------------------------------------------ */

/* n random loads and stores, every third one a twin of an earlier one. */
static void push_random(struct run *run, size_t n)
{
    struct random_source source = {7};
    for (size_t i = 0; i < n; i++) {
        bool is_twin = i % 3 == 2;
        size_t kind = is_twin ? random_below(&source, (uint32_t)i) / 3 * 3 : i;
        struct random_source own = {kind};
        struct bsim_event event =
            stream_event(kind % 2 == 0 ? "ld.shared.u32" : "st.shared.u32", BSIM_FULL_MASK, 0, 0);
        event.affine = false;
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            event.address[lane] = 4 * random_below(&own, 4096);
        }
        event.site = &run->stream.site[kind % 2 == 0];
        assert_int_equal(stream_push(&run->stream, (uint32_t)i % 32, event), BSIM_OK);
    }
}

static uint64_t n_kept(const struct bsim_survey *survey)
{
    uint64_t n = 0;
    for (size_t i = 0; i < survey->n_patterns; i++) {
        n += survey->patterns[i].n;
    }
    return n;
}

/* The counts of what a small budget keeps are those that a large one has for the same requests. */
static void kept_requests_have_their_full_counts(void **state)
{
    (void)state;
    struct run large;
    struct run small;
    start(&large, 100 << 20);
    start(&small, 20000);
    start_kernel(&large, "k");
    start_kernel(&small, "k");
    push_random(&large, 6000);
    push_random(&small, 6000);
    finish(&large);
    finish(&small);
    assert_int_equal(n_kept(large.survey), 6000);
    assert_int_equal(bsim_survey_arrange(small.survey, NULL), BSIM_OK);
    assert_true(small.survey->n_patterns > 40);
    assert_true(small.survey->size_bytes <= 20000);
    for (size_t i = 0; i < small.survey->n_patterns; i++) {
        const struct bsim_survey_pattern *kept = &small.survey->patterns[i];
        size_t k = 0;
        while (k < large.survey->n_patterns && memcmp(&large.survey->patterns[k].request,
                                                      &kept->request, sizeof kept->request) != 0) {
            k++;
        }
        assert_true(k < large.survey->n_patterns);
        assert_int_equal(kept->n, large.survey->patterns[k].n);
    }
    assert_memory_equal(small.survey->sites[0].turns, large.survey->sites[0].turns,
                        sizeof small.survey->sites[0].turns);
    assert_memory_equal(small.survey->sites[1].held_up, large.survey->sites[1].held_up,
                        sizeof small.survey->sites[1].held_up);
    end(&large);
    end(&small);
}

/* The worst of every site is there, and nothing worse was left out. */
static void the_worst_are_kept(void **state)
{
    (void)state;
    struct run run;
    start(&run, 20000);
    start_kernel(&run, "k");
    push_random(&run, 6000);
    finish(&run);
    assert_int_equal(bsim_survey_arrange(run.survey, NULL), BSIM_OK);
    for (size_t i = 0; i < run.survey->n_sites; i++) {
        const struct bsim_survey_site *site = &run.survey->sites[i];
        const struct bsim_survey_pattern *first = &run.survey->patterns[site->first];
        assert_true(site->n_patterns > 20);
        assert_true(site->has_floor);
        assert_int_equal(first->counts.ways, run.result.kernels[0].sites[i == 0].tally.ways_max);
        for (size_t k = 0; k < site->n_patterns; k++) {
            assert_true(first[k].rank.excessive >= site->floor.excessive);
            assert_true(k == 0 || first[k].rank.excessive <= first[k - 1].rank.excessive);
        }
    }
    end(&run);
}

static void page_of_100000_requests_is_below_2_mb(void **state)
{
    (void)state;
    struct run run;
    start(&run, 0);
    start_kernel(&run, "k");
    push_random(&run, 100000);
    finish(&run);
    struct bsim_buffer page = page_of(&run);
    assert_true(page.size_bytes < MOST_PAGE_BYTES);
    assert_true(page.size_bytes > BSIM_SURVEY_BUDGET_BYTES);
    uint64_t left_out = 0;
    for (const char *at = page.data; (at = strstr(at, "\"left_out\": ")) != NULL; at++) {
        left_out += strtoull(at + strlen("\"left_out\": "), NULL, 10);
    }
    assert_int_equal(left_out, 100000 - n_kept(run.survey));
    bsim_buffer_free(&page);
    end(&run);
}

/* Many launches of a kernel with names of the greatest length. */
static void page_of_many_kernels_is_below_2_mb(void **state)
{
    (void)state;
    struct run run;
    char name[2000];
    memset(name, '<', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    start(&run, 0);
    for (int i = 0; i < 2000; i++) {
        start_kernel(&run, name);
        assert_int_equal(stream_at_site(&run.stream, 0, 1, 0, i == 1234 ? 128 : 4), BSIM_OK);
    }
    finish(&run);
    struct bsim_buffer page = page_of(&run);
    assert_true(page.size_bytes < MOST_PAGE_BYTES);
    assert_int_equal(n_times(page.data, "{\"id\": 1234, "), 1);
    assert_int_equal(n_times(page.data, "\"kernels_left_out\": 0,"), 0);
    bsim_buffer_free(&page);
    end(&run);
}

/* ---- short of memory ------------------------------------------------------------------------- */

static enum bsim_status survey_and_report(size_t budget_bytes)
{
    struct bsim_survey *survey = bsim_survey_new(budget_bytes);
    struct bsim_event event = stream_event("ld.shared.u32", BSIM_FULL_MASK, 0, 4);
    struct bsim_device device;
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    struct bsim_kernel_result kernel = {.name = (char[]){"k"}};
    struct bsim_result result = {.n_kernels = 1, .kernels = &kernel};
    enum bsim_status status = survey == NULL ? BSIM_E_MEMORY : BSIM_OK;
    assert_int_equal(bsim_device_find("sm_90", NULL, &device, NULL), BSIM_OK);
    kernel.device = device;
    for (uint32_t i = 0; i < 300 && status == BSIM_OK; i++) {
        event.stride = 4 * i;
        struct bsim_request_result request = {
            .device = &device, .event = &event, .trips = 1, .counts = {.wavefronts = i}};
        status = bsim_survey_add(survey, 0, &request, NULL);
    }
    if (status == BSIM_OK) {
        status = bsim_report_page(&result, survey, &out, NULL);
    }
    bsim_buffer_free(&out);
    bsim_survey_free(survey);
    return status;
}

static void a_page_survives_short_memory(void **state)
{
    (void)state;
    size_t before = failing_memory_live();
    for (size_t n = 0; n < MOST_ALLOCATIONS; n++) {
        failing_memory_fail_after(n);
        enum bsim_status status = survey_and_report(10000);
        size_t refused = failing_memory_refused();
        failing_memory_heal();
        assert_int_equal(failing_memory_live(), before);
        if (status == BSIM_OK && refused == 0) {
            assert_true(n > 10);
            return;
        }
        assert_int_equal(status, BSIM_E_MEMORY);
    }
    fail_msg("never succeeds");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hostile_names_stay_text),
        cmocka_unit_test(policy_names_the_script_and_the_style),
        cmocka_unit_test(equal_requests_are_one),
        cmocka_unit_test(banks_are_weighed),
        cmocka_unit_test(kept_requests_have_their_full_counts),
        cmocka_unit_test(the_worst_are_kept),
        cmocka_unit_test(page_of_100000_requests_is_below_2_mb),
        cmocka_unit_test(page_of_many_kernels_is_below_2_mb),
        cmocka_unit_test(a_page_survives_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_packed.c - what a page keeps of a request is the request and its whole schedule.
 *
 * Seeded random requests go through a survey; each pattern is taken apart again by the reader
 * below, which knows the packing from its description alone, and compared with
 * bsim_request_schedule of the request as it was before it was moved.
 */
#include "random_request.h"
#include "request_text.h"

#include <banksim/banksim.h>

#include "report/page/survey.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REQUESTS_PER_KIND = 300, N_STRINGS = 4 };

static uint64_t read_number(const char **at)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    uint64_t number = 0;
    for (int shift = 0;; shift += 5) {
        const char *letter = **at != '\0' ? strchr(letters, **at) : NULL;
        if (letter == NULL) {
            fail_msg("'%s' is no number", *at);
            return 0;
        }
        (*at)++;
        number |= (uint64_t)((letter - letters) & 31) << shift;
        if (letter - letters < 32) {
            return number;
        }
    }
}

static int64_t read_signed(const char **at)
{
    uint64_t number = read_number(at);
    return number % 2 != 0 ? -(int64_t)(number / 2) - 1 : (int64_t)(number / 2);
}

static uint32_t read_lanes(const char **at, uint32_t group)
{
    uint64_t code = read_number(at);
    if (code < 32) {
        return UINT32_C(1) << code;
    }
    assert_in_range(code, 32, 33);
    return code == 32 ? group : (uint32_t)read_number(at);
}

static void compare_grant(const char **at, const struct bsim_schedule *schedule,
                          const struct bsim_grant *grant, const struct bsim_device *device,
                          bool is_matrix)
{
    uint32_t group = schedule->group_lanes[schedule->pass[grant->pass].group];
    assert_int_equal(read_lanes(at, group), grant->lanes);
    if (device->bank_bytes > 4) {
        assert_int_equal(read_number(at), grant->halves);
    }
    if (is_matrix) {
        assert_int_equal(read_lanes(at, group), grant->receivers);
    }
}

static void compare_schedule(const char *at, uint64_t first_row, const struct bsim_request *request,
                             const struct bsim_device *device)
{
    struct bsim_schedule schedule;
    bool is_matrix =
        request->opcode.family == BSIM_LDMATRIX || request->opcode.family == BSIM_STMATRIX;
    bsim_request_schedule(device, request, &schedule);
    assert_int_equal(read_number(&at), schedule.n_groups);
    for (uint32_t i = 0; i < schedule.n_groups; i++) {
        assert_int_equal(read_number(&at), schedule.group_lanes[i]);
    }
    for (uint32_t i = 0; i < schedule.n_passes; i++) {
        const struct bsim_pass *pass = &schedule.pass[i];
        uint64_t bank = 0;
        int64_t row = (int64_t)first_row;
        assert_int_equal(read_number(&at), pass->group);
        assert_int_equal(read_number(&at), pass->n_grants);
        for (uint32_t k = 0; k < pass->n_grants; k++) {
            const struct bsim_grant *grant = &schedule.grant[pass->first_grant + k];
            assert_int_equal(bank += read_number(&at), grant->bank);
            assert_int_equal(row += read_signed(&at), grant->row);
            compare_grant(&at, &schedule, grant, device, is_matrix);
        }
    }
    assert_string_equal(at, "");
}

static void compare_addresses(const char *at, uint64_t first_row,
                              const struct bsim_request *request, const struct bsim_device *device)
{
    uint32_t lanes = bsim_opcode_lanes(&request->opcode, request->mask);
    int64_t address = (int64_t)(first_row * device->n_banks * device->bank_bytes);
    int64_t step = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) != 0) {
            step += read_signed(&at);
            address += step;
            assert_int_equal(address, request->address[lane]);
        }
    }
    assert_string_equal(at, "");
}

/* The quoted strings of the array, in place: block, why, addresses, schedule; and the number before
 * the second one. */
static uint64_t take_apart(char *text, char *string[N_STRINGS])
{
    for (int i = 0; i < N_STRINGS; i++) {
        text = strchr(text, '"');
        assert_non_null(text);
        string[i] = ++text;
        text = strchr(text, '"');
        assert_non_null(text);
        *text++ = '\0';
    }
    assert_string_equal(text, "]");
    const char *row = string[1] - 2; /* behind it stands a comma, then the quote */
    while (row[-1] != ',') {
        row--;
    }
    return strtoull(row, NULL, 10);
}

static void compare_pattern(const struct bsim_survey *survey, const struct bsim_request *request,
                            const struct bsim_device *device)
{
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    char *string[N_STRINGS];
    bsim_survey_pattern_json(&survey->patterns[0], device, &out);
    assert_int_equal(bsim_buffer_status(&out, NULL), BSIM_OK);
    uint64_t first_row = take_apart(out.data, string);
    compare_addresses(string[2], first_row, request, device);
    compare_schedule(string[3], first_row, request, device);
    bsim_buffer_free(&out);
}

static void survey_one(const struct bsim_request *request, const struct bsim_device *device)
{
    struct bsim_survey *survey = bsim_survey_new(0);
    struct bsim_event event;
    assert_non_null(survey);
    bsim_event_init(&event, &request->opcode);
    event.mask = request->mask;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        event.address[lane] = request->address[lane];
    }
    struct bsim_request_result result = {.device = device, .event = &event, .trips = 1};
    bsim_request_count(device, request, &result.counts);
    assert_int_equal(bsim_survey_add(survey, 0, &result, NULL), BSIM_OK);
    assert_int_equal(survey->n_patterns, 1);
    compare_pattern(survey, request, device);
    bsim_survey_free(survey);
}

static void packed_requests_come_back(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        uint32_t n_banks, width;
    } devices[] = {{"sm_90", 0, 0},    {"k40", 0, 4},     {"k40", 0, 8},
                   {"generic", 31, 4}, {"generic", 1, 4}, {"generic", 64, 8}};
    struct random_source source = {20261121};
    for (size_t d = 0; d < sizeof devices / sizeof devices[0]; d++) {
        struct bsim_device device;
        device_for_test(devices[d].device, devices[d].n_banks, devices[d].width, &device);
        for (int kind = 0; kind < REQUEST_N_KINDS; kind++) {
            for (int i = 0; i < REQUESTS_PER_KIND; i++) {
                struct bsim_request request;
                random_request(&source, (enum request_kind)kind, &request);
                survey_one(&request, &device);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(packed_requests_come_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

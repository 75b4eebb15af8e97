/* test_other_memory.c - accesses to global and constant memory, written by hand: which memory they
 * are to, at which addresses, and their counts, held against pieces that are counted one by one. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "sealed.h"

#include "report/picture/traffic.h"
#include "sim/sim.h"

#include <banksim/banksim.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LOG = 1024, SPACES = 8 };

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- opcodes and addresses ------------------------------------------------------------------- */

/* "ld.global.f32 1:0 1:4 ..": of each event its opcode, and the addresses of lanes 0, 1 and 31. */
static enum bsim_status note(void *context, const struct bsim_record *record,
                             struct bsim_error *err)
{
    char *log = context;
    char name[BSIM_OPCODE_NAME_SIZE];
    uint64_t at[BSIM_WARP_LANES];
    static const uint32_t lanes[] = {0, 1, 31};
    (void)err;
    if (record->kind == BSIM_RECORD_EVENT) {
        size_t used = strlen(log);
        bsim_event_addresses(record->u.event, at);
        used += (size_t)snprintf(log + used, LOG - used, "%s",
                                 bsim_opcode_name(&record->u.event->opcode, name));
        for (size_t i = 0; i < N_OF(lanes); i++) {
            used += (size_t)snprintf(log + used, LOG - used, " %" PRIu64 ":%" PRIu64,
                                     at[lanes[i]] >> 32, at[lanes[i]] & UINT32_MAX);
        }
        (void)snprintf(log + used, LOG - used, "; ");
    }
    return BSIM_OK;
}

/* Global arrays are 4 GiB apart from 1:0 on, constant ones follow one another from 0. */
static void each_access_is_to_its_memory(void **state)
{
    static const struct {
        const char *text, *events;
    } cases[] = {
        {"global const float *in, float *out\nout[lane] = in[2 * lane];",
         "ld.global.f32 1:0 1:8 1:248; st.global.f32 2:0 2:4 2:124; "},
        {"global int a[2][64], *b\nload b[0]\nload a[1][lane]",
         "ld.global.s32 2:0 2:0 2:0; ld.global.s32 1:256 1:260 1:380; "},
        {"__device__ float2 v[64];\nx = v[lane].y;", "ld.global.f32 1:4 1:12 1:252; "},
        {"__constant__ char c; __constant__ double d[40];\nx = c + d[lane];",
         "ld.const.s8 0:0 0:0 0:0; ld.const.f64 0:8 0:16 0:256; "},
        /* Through pointers, and what an if chooses of one memory. */
        {"global float *a, float *b\nconst float *p = a + 8;\np += 8;\nx = p[lane];",
         "ld.global.f32 1:64 1:68 1:188; "},
        {"global float *a, float *b\nload (lane % 2 ? b : a)[lane]",
         "ld.global.f32 1:0 2:4 2:124; "},
        {"global float *a\nshared float s[64]\ns[lane] = *(a + lane);",
         "ld.global.f32 1:0 1:4 1:124; st.shared.f32 0:0 0:4 0:124; "},
        /* An increment of shared memory alone is merged. */
        {"global int *h\nshared int s[32]\natomicAdd(&h[lane], 1); atomicAdd(&s[lane], 1);",
         "red.global.add.s32 1:0 1:4 1:124; red.shared.popc.inc.u32 0:0 0:4 0:124; "},
        {"global float *h\nold = atomicAdd(h, 1.0f);", "atom.global.add.f32 1:0 1:0 1:0; "},
        /* Through the read-only cache; with another load of the same place beside it. */
        {"global const float *in\nx = __ldg(&in[lane]) + __ldg(in + lane) + in[lane];",
         "ld.global.nc.f32 1:0 1:4 1:124; ld.global.nc.f32 1:0 1:4 1:124; ld.global.f32 1:0 1:4 "
         "1:124; "},
        /* Words of a sketch are names in C. */
        {"shared int global[32]\nglobal[lane] = 1;", "st.shared.s32 0:0 0:4 0:124; "},
    };
    (void)state;
    for (size_t i = 0; i < N_OF(cases); i++) {
        char log[LOG] = "";
        struct bsim_error err;
        struct bsim_sink sink = {.push = note, .context = log};
        struct bsim_check *check = sealed_check(cases[i].text);
        assert_int_equal(bsim_check_push(check, NULL, &sink, &err), BSIM_OK);
        assert_string_equal(log, cases[i].events);
        bsim_check_free(check);
    }
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* How many different pieces of `unit` bytes 32 lanes touch from `first` on, `step` bytes apart. */
static uint64_t count_pieces(uint64_t first, uint64_t step, uint64_t bytes, uint64_t unit)
{
    uint64_t n = 0, last = UINT64_MAX; /* they come in order */
    for (uint64_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        for (uint64_t byte = 0; byte < bytes; byte++) {
            uint64_t piece = (first + lane * step + byte) / unit;
            n += piece != last;
            last = piece;
        }
    }
    return n;
}

static struct bsim_result simulate(const char *text)
{
    struct bsim_error err;
    struct bsim_result result;
    struct bsim_sim_options options = {.device = NULL};
    struct bsim_check *check = sealed_check(text);
    struct bsim_sim *sim = bsim_sim_new(&options);
    struct bsim_sink sink = bsim_sim_sink(sim);
    assert_int_equal(bsim_check_push(check, NULL, &sink, &err), BSIM_OK);
    assert_int_equal(bsim_sim_result(sim, &result, &err), BSIM_OK);
    bsim_sim_free(sim);
    bsim_check_free(check);
    return result;
}

static void strides_are_counted_piece_by_piece(void **state)
{
    static const struct {
        const char *type;
        uint64_t bytes;
    } types[] = {{"char", 1}, {"half", 2}, {"float", 4}, {"double", 8}, {"float4", 16}};
    (void)state;
    for (size_t i = 0; i < N_OF(types) * 40 * 9; i++) {
        uint64_t bytes = types[i % N_OF(types)].bytes;
        uint64_t stride = i / N_OF(types) % 40, first = i / N_OF(types) / 40;
        char text[200];
        (void)snprintf(text, sizeof text,
                       "global %s *a\n__constant__ %s c[2048];\nload a[%" PRIu64 " + %" PRIu64
                       " * lane]\nload c[%" PRIu64 " * lane]\n",
                       types[i % N_OF(types)].type, types[i % N_OF(types)].type, first, stride,
                       stride);
        struct bsim_result result = simulate(text);
        const struct bsim_site_result *site = result.kernels[0].sites;
        uint64_t unit = bytes <= 4 ? 4 : bytes;
        uint64_t words = count_pieces(0, stride * bytes, bytes, unit);
        assert_int_equal(site[0].global.sectors,
                         count_pieces(first * bytes, stride * bytes, bytes, 32));
        assert_int_equal(site[0].global.lines,
                         count_pieces(first * bytes, stride * bytes, bytes, 128));
        assert_int_equal(site[0].global.bytes_asked, 32 * bytes);
        assert_int_equal(site[1].constant_passes, bytes == 16 ? 4 * words : words);
        bsim_result_free(&result);
    }
}

/* ---- pictures -------------------------------------------------------------------------------- */

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

/* What is drawn are the model's sectors and lines, and each lane at all the words that it asks
 * for. */
static void pictures_have_the_counts(void **state)
{
    uint32_t random = 7;
    (void)state;
    for (int i = 0; i < 3000; i++) {
        uint8_t bytes = (uint8_t)(1u << next_random(&random) % 5);
        uint32_t range = 1 + next_random(&random) % 500, drawn = 0, words = 0;
        struct bsim_picture picture = {
            .request = {.opcode = {.family = BSIM_LD, .space = BSIM_GLOBAL, .bytes = bytes},
                        .mask = next_random(&random) | 1u << next_random(&random) % 32}};
        struct bsim_traffic traffic;
        uint32_t lanes = bsim_opcode_lanes(&picture.request.opcode, picture.request.mask);
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            picture.address[lane] =
                (UINT64_C(5) << 32) + (uint64_t)bytes * (next_random(&random) % range);
        }
        assert_int_equal(bsim_device_find("sm_90", NULL, &picture.device, NULL), BSIM_OK);
        bsim_traffic_make(&picture, &traffic);
        for (uint32_t line = 0; line < traffic.n_lines; line++) {
            for (uint32_t sector = 0; sector < BSIM_LINE_SECTORS; sector++) {
                drawn += bsim_traffic_sector(&traffic.line[line], sector) != 0;
            }
            for (uint32_t word = 0; word < BSIM_LINE_WORDS; word++) {
                words += (uint32_t)__builtin_popcount(traffic.line[line].lanes[word]);
            }
        }
        assert_int_equal(drawn, traffic.counts.sectors);
        assert_int_equal(traffic.n_lines, traffic.counts.lines);
        assert_int_equal(words, __builtin_popcount(lanes) * (bytes < 4 ? 1 : bytes / 4));
        assert_true(traffic.least_sectors > 0 && traffic.least_sectors <= drawn);
    }
}

/* ---- who is visited -------------------------------------------------------------------------- */

static enum bsim_status count_space(void *context, const struct bsim_check_request *request,
                                    struct bsim_error *err)
{
    uint32_t *n = context;
    (void)err;
    n[request->opcode.space]++;
    return BSIM_OK;
}

static void visits_are_of_shared_memory_or_of_the_rest(void **state)
{
    struct bsim_error err;
    uint32_t shared[SPACES] = {0}, other[SPACES] = {0};
    struct bsim_check *check = sealed_check("block 64\nglobal float *a\n__constant__ float c[4];\n"
                                            "shared float s[64]\ns[threadIdx.x] = a[lane] * c[0];");
    (void)state;
    struct bsim_check_visitor visitor = {.shared = count_space, .context = shared};
    assert_int_equal(bsim_check_each(check, &visitor, &err), BSIM_OK);
    visitor = (struct bsim_check_visitor){.other = count_space, .context = other};
    assert_int_equal(bsim_check_each(check, &visitor, &err), BSIM_OK);
    assert_int_equal(shared[BSIM_SHARED], 2);
    assert_int_equal(shared[BSIM_GLOBAL] + shared[BSIM_CONST], 0);
    assert_int_equal(other[BSIM_SHARED], 0);
    assert_int_equal(other[BSIM_GLOBAL], 2);
    assert_int_equal(other[BSIM_CONST], 2);
    assert_int_equal(bsim_check_contents(check)->n_arrays, 1);
    assert_string_equal(bsim_check_contents(check)->array[0].name, "s");
    bsim_check_free(check);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_access_is_to_its_memory),
        cmocka_unit_test(strides_are_counted_piece_by_piece),
        cmocka_unit_test(pictures_have_the_counts),
        cmocka_unit_test(visits_are_of_shared_memory_or_of_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_check_lanes.c - what a check's statements say about the lanes of a warp: volatile, fences and
 * barriers of a warp, and the races that they keep away.
 *
 * Before compute capability 7.0 a warp's lanes are in step, and the compiler keeps to the order of volatile
 * accesses and of what a fence or a __syncwarp divides; from 7.0 on __syncwarp alone orders lanes
 * (<banksim/hazard.h> has the sources).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/banksim.h>

#include "sealed.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- races ----------------------------------------------------------------------------------- */

static uint64_t races_on(const char *text, const char *name)
{
    struct bsim_device device;
    struct bsim_error err;
    assert_int_equal(bsim_device_find(name, NULL, &device, &err), BSIM_OK);
    struct bsim_hazards *hazards =
        bsim_hazards_new(&(struct bsim_hazard_options){.device = &device});
    struct bsim_check *check = sealed_check(text);
    struct bsim_sink sink = bsim_hazards_sink(hazards);
    assert_int_equal(bsim_check_push(check, NULL, &sink, &err), BSIM_OK);
    uint64_t races = bsim_hazards_count(hazards).races;
    bsim_check_free(check);
    bsim_hazards_free(hazards);
    return races;
}

/* The end of a reduction, as courses have it: 64 elements, one warp. */
#define LAST(POINTER, BEHIND)                                                                     \
    "block 64\nshared int s[64]\ns[threadIdx.x] = 1;\nsync\nif (threadIdx.x < 32) {\n" POINTER    \
    "p[lane] += p[lane + 32];" BEHIND "p[lane] += p[lane + 16];" BEHIND "p[lane] += p[lane + 8];" \
    "}\n"

/* As it has to be from 7.0 on: what is read is read before anybody writes. */
#define HALVES(POINTER, BEHIND)            \
    "block 32\nshared int s[64]\n" POINTER \
    "int n = 32;\nwhile (n >= 1) {\nv += p[lane + n];" BEHIND "p[lane] = v;" BEHIND "n /= 2;\n}\n"

static const struct {
    const char *text;
    bool k40, sm_75, sm_90; /* races there */
} raced[] = {
    {LAST("int *p = s;", ""), true, true, true},
    {LAST("volatile int *p = s;", ""), false, true, true},
    {LAST("int *volatile p = s;", ""), true, true, true}, /* the pointer, not what it points to */
    {LAST("int volatile *p = s;", ""), false, true, true},
    {HALVES("int *p = s;", "__threadfence_block();"), false, true, true},
    {HALVES("int *p = s;", "__threadfence();"), false, true, true},
    {HALVES("int *p = s;", "__threadfence_system();"), false, true, true},
    /* p[lane + n] and p[lane] of one statement: nothing stands between them */
    {LAST("volatile int *p = s;", "__syncwarp();"), false, true, true},
    {HALVES("int *p = s;", ""), true, true, true},
    {HALVES("volatile int *p = s;", ""), false, true, true},
    {HALVES("int *p = s;", "__syncwarp();"), false, false, false},
    {HALVES("volatile int *p = s;", "__syncwarp();"), false, false, false},
    {"define WAIT() __syncwarp()\n" HALVES("int *p = s;", "WAIT();"), false, false, false},
    /* An array, a struct's member, a cast, a typedef and a choice are volatile as a pointer is. */
    {"shared volatile int s[64]\ns[lane] = 1; x = s[31 - lane];\n", false, true, true},
    {"shared int s[64]\ns[lane] = 1; x = s[31 - lane];\n", true, true, true},
    {"__shared__ volatile int s[64];\ns[lane] = 1; x = s[31 - lane];\n", false, true, true},
    {"volatile __shared__ int s[64];\ns[lane] = 1; x = s[31 - lane];\n", false, true, true},
    {"extern volatile __shared__ int s[];\ns[lane] = 1; x = s[31 - lane];\n", false, true, true},
    {"struct P { int i; volatile int v; }\nshared P s[64]\ns[lane].v = 1; x = s[31 - lane].v;\n",
     false, true, true},
    {"struct P { volatile int v; int i; }\nshared P s[64]\ns[lane].i = 1; x = s[31 - lane].i;\n",
     true, true, true},
    {"struct P { int i; int v[2]; }\nshared volatile P s[64]\n"
     "s[lane].v[1] = 1; x = s[31 - lane].v[1];\n",
     false, true, true},
    {"shared int s[64]\n*(volatile int *)&s[lane] = 1; x = ((volatile int *)s)[31 - lane];\n",
     false, true, true},
    {"shared int s[64]\n*(int *)&s[lane] = 1; x = ((int *volatile)s)[31 - lane];\n", true, true,
     true},
    {"typedef volatile int vint;\nshared vint s[64]\ns[lane] = 1; x = s[31 - lane];\n", false, true,
     true},
    {"shared int s[64]; volatile int v[64]\ns[lane] = 1; (lane < 64 ? s[lane] : v[lane]) = 1;\n"
     "x = *(volatile int *)&s[31 - lane];\n",
     true, true, true},
};

static void volatile_and_fences_keep_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(raced); i++) {
        uint64_t k40 = races_on(raced[i].text, "k40");
        uint64_t sm_75 = races_on(raced[i].text, "sm_75");
        uint64_t sm_90 = races_on(raced[i].text, "sm_90");
        if ((k40 > 0) != raced[i].k40 || (sm_75 > 0) != raced[i].sm_75 ||
            (sm_90 > 0) != raced[i].sm_90) {
            fail_msg("%s races: k40 %" PRIu64 ", sm_75 %" PRIu64 ", sm_90 %" PRIu64, raced[i].text,
                     k40, sm_75, sm_90);
        }
    }
}

/* ---- what is executed ------------------------------------------------------------------------ */

struct log {
    char text[1000];
    size_t used;
};

/* The opcodes of warp 0, each with the lanes that execute it if those are not all. */
static enum bsim_status note(void *context, const struct bsim_record *record,
                             struct bsim_error *err)
{
    struct log *log = context;
    const struct bsim_event *event = record->u.event;
    char name[BSIM_OPCODE_NAME_SIZE];
    (void)err;
    if (record->kind != BSIM_RECORD_EVENT || event->warp != 0) {
        return BSIM_OK;
    }
    int n = snprintf(log->text + log->used, sizeof log->text - log->used, "%s%s",
                     log->used > 0 ? " " : "", bsim_opcode_name(&event->opcode, name));
    log->used += (size_t)n;
    if (event->mask != BSIM_FULL_MASK) {
        n = snprintf(log->text + log->used, sizeof log->text - log->used, ":%" PRIx32, event->mask);
        log->used += (size_t)n;
    }
    assert_true(log->used < sizeof log->text);
    return BSIM_OK;
}

static const struct {
    const char *text, *events;
} executed[] = {
    {"shared volatile float s[64]\nsum += s[lane] * s[lane];\n",
     "ld.volatile.shared.f32 ld.volatile.shared.f32"},
    {"shared float s[64]\nsum += s[lane] * s[lane];\n", "ld.shared.f32"},
    {"global volatile int *g\n__constant__ int c[4];\nshared int s[32]\ng[lane] = c[0] + "
     "s[lane];\n",
     "ld.const.s32 ld.shared.s32 st.volatile.global.s32"},
    {"shared volatile int s[64]\natomicAdd(&s[lane], 2);\n", "red.shared.add.s32"},
    {"shared int s[64]\nif (lane < 4) { s[lane] = 1; __threadfence_block(); }\n__threadfence();\n"
     "__threadfence_system();\n",
     "st.shared.s32:f membar.cta:f membar.gl membar.sys"},
    {"shared int s[64]\n#define FENCE __threadfence_block()\n#define WAIT __syncthreads()\n"
     "s[lane] = 1; FENCE; WAIT;\n",
     "st.shared.s32 membar.cta bar.sync"},
    {"shared int s[64]\ns[lane] = 1, __threadfence_block(), s[0] = 2;\n",
     "st.shared.s32 membar.cta st.shared.s32"},
    {"shared int s[64]\nif (lane < 4) { s[lane] = 1; __syncwarp(0xf); }\n__syncwarp();\n",
     "st.shared.s32:f bar.warp.sync:f bar.warp.sync"},
};

static void events_are_the_kernels(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(executed); i++) {
        struct log log = {.used = 0};
        struct bsim_error err;
        struct bsim_sink sink = {.push = note, .context = &log};
        struct bsim_check *check = sealed_check(executed[i].text);
        assert_int_equal(bsim_check_push(check, NULL, &sink, &err), BSIM_OK);
        bsim_check_free(check);
        if (strcmp(log.text, executed[i].events) != 0) {
            fail_msg("%s executes\n%s, not\n%s", executed[i].text, log.text, executed[i].events);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volatile_and_fences_keep_order),
        cmocka_unit_test(events_are_the_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

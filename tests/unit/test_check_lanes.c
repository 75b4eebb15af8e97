/* test_check_lanes.c - what a check's statements say about the lanes of a warp: volatile, fences
 * and barriers of a warp, and the races that they keep away.
 *
 * Before compute capability 7.0 a warp's lanes are in step, and the compiler keeps to the order of
 * volatile accesses and of what a fence or a __syncwarp divides; from 7.0 on __syncwarp alone
 * orders lanes (<banksim/hazard.h> has the sources).
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
    {"shared int s[64]\nstore s[lane]\nfence proxy.async.shared::cta\nif (lane < 4) fence proxy.async\nfence proxy.async.global\n"
     "fence proxy.async.shared::cluster\nfence = s[0];\n",
     "st.shared.s32 fence.proxy.async.shared::cta fence.proxy.async:f fence.proxy.async.global "
     "fence.proxy.async.shared::cluster ld.shared.s32"},
    {"shared int s[64]\nif (lane < 4) { s[lane] = 1; __syncwarp(0xf); }\n__syncwarp();\n",
     "st.shared.s32:f bar.warp.sync:f bar.warp.sync"},
};

/* Shuffles stand where their statement has its value, 8 bytes are two. */
#define DOWN "shfl.sync.down.b32"
#define XOR "shfl.sync.bfly.b32"
#define IDX "shfl.sync.idx.b32"

static const struct {
    const char *text, *events;
} exchanged[] = {
    {"shared int s[64]\nint v = lane;\nv += __shfl_down_sync(0xffffffff, v, 16);\ns[v] = 1;\n",
     DOWN " st.shared.s32"},
    {"shared float s[64]\nfloat v = s[lane];\nfor (int o = 16; o > 4; o /= 2)\n"
     "v += __shfl_xor_sync(0xffffffff, v, o);\n",
     "ld.shared.f32 " XOR " " XOR},
    {"shared float s[64]\nv += __shfl_xor(s[lane], 1) + s[0];\n",
     "ld.shared.f32 " XOR " ld.shared.f32"},
    {"shared double s[64]\ndouble v = 0;\nv += __shfl(v, 0);\nv += __shfl_down(s[lane], 1);\n",
     IDX " " IDX " ld.shared.f64 " DOWN " " DOWN},
    {"shared int s[64]\nlong long v = lane;\nunsigned short w = lane;\ns[__shfl(v, 0)] = __shfl(w, "
     "1);\n",
     IDX " " IDX " " IDX " st.shared.s32"},
    {"shared int s[64]\nif (lane < 8) v = __shfl_up_sync(0xff, x, 1);\nv = lane < 4 ? __shfl(x, 0) "
     ": 2;\n"
     "s[0] = 0;\n",
     "shfl.sync.up.b32:ff " IDX ":f st.shared.s32"},
    {"shared int s[64]\nload s[__shfl_xor_sync(~0u, threadIdx.x, 3)]\n", XOR " ld.shared.s32"},
    {"define FULL=0xffffffff\nshared int s[64]\n#define SUM(v) v += __shfl_down_sync(FULL, v, 8)\n"
     "float v = 1; SUM(v); s[0] = 0;\n",
     DOWN " st.shared.s32"},
    {"shared int s[64]\nv = __shfl_sync(__activemask(), x, 0); w = __shfl(x, from); s[0] = 0;\n",
     IDX " " IDX " st.shared.s32"},
};

/* The byte that lane l of the check's one access accesses. */
static enum bsim_status take_address(void *context, const struct bsim_check_request *request,
                                     struct bsim_error *err)
{
    (void)err;
    memcpy(context, request->address, sizeof request->address);
    return BSIM_OK;
}

/* From PTX's definition of shfl.sync: the words that lanes 0, 1, 7, 8, 20 and 31 access. */
static const struct {
    const char *index;
    uint32_t lane[6];
} given[] = {
    {"__shfl_sync(0xffffffff, lane, 3)", {3, 3, 3, 3, 3, 3}},
    {"__shfl_sync(0xffffffff, lane, 3, 16)", {3, 3, 3, 3, 19, 19}},
    {"__shfl_sync(0xffffffff, lane, lane + 1)", {1, 2, 8, 9, 21, 0}},
    {"__shfl_up_sync(0xffffffff, lane, 1)", {0, 0, 6, 7, 19, 30}},
    {"__shfl_up_sync(0xffffffff, lane, 1, 8)", {0, 0, 6, 8, 19, 30}},
    {"__shfl_down_sync(0xffffffff, lane, 16)", {16, 17, 23, 24, 20, 31}},
    {"__shfl_xor_sync(0xffffffff, lane, 31)", {31, 30, 24, 23, 11, 0}},
    {"__shfl_xor_sync(0xffffffff, 31 - lane, 1)", {30, 31, 25, 22, 10, 1}},
    {"__shfl_xor(lane ^ 1, 1)", {0, 1, 7, 8, 20, 31}},
    {"__shfl(__shfl_down(lane, 1), 0)", {1, 1, 1, 1, 1, 1}},
    {"(lane < 16 ? __shfl(lane, 5) : __shfl(lane, 25))", {5, 5, 5, 5, 25, 25}},
};

static void indices_may_be_shuffled(void **state)
{
    static const uint32_t asked[] = {0, 1, 7, 8, 20, 31};
    (void)state;
    for (size_t i = 0; i < N_OF(given); i++) {
        char text[200];
        uint32_t address[BSIM_WARP_LANES];
        struct bsim_error err;
        (void)snprintf(text, sizeof text, "shared int s[64]\nint v = %s;\ns[v] = 1;\n",
                       given[i].index);
        struct bsim_check *check = sealed_check(text);
        struct bsim_check_visitor visitor = {.shared = take_address, .context = address};
        assert_int_equal(bsim_check_each(check, &visitor, &err), BSIM_OK);
        bsim_check_free(check);
        for (size_t k = 0; k < N_OF(asked); k++) {
            if (address[asked[k]] != 4 * given[i].lane[k]) {
                fail_msg("%s: lane %" PRIu32 " has %" PRIu32 ", not %" PRIu32, given[i].index,
                         asked[k], address[asked[k]] / 4, given[i].lane[k]);
            }
        }
    }
}

static void check_events(const char *text, const char *events)
{
    struct log log = {.used = 0};
    struct bsim_error err;
    struct bsim_sink sink = {.push = note, .context = &log};
    struct bsim_check *check = sealed_check(text);
    if (bsim_check_push(check, NULL, &sink, &err) != BSIM_OK) {
        fail_msg("%s: %s", text, err.message);
    }
    bsim_check_free(check);
    if (strcmp(log.text, events) != 0) {
        fail_msg("%s executes\n%s, not\n%s", text, log.text, events);
    }
}

static void shuffles_are_steps(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(exchanged); i++) {
        check_events(exchanged[i].text, exchanged[i].events);
    }
}

/* ---- what is refused ------------------------------------------------------------------------- */

static const struct {
    const char *statement, *message; /* a part of it */
} refused[] = {
    {"if (__shfl(lane, 0) > 3) s[0] = 1;", "set a variable to it"},
    {"let x = __shfl(lane, 0)", "int v = __shfl(...);"},
    {"v = __shfl_dwn_sync(0xffffffff, x, 1); s[0] = 1;", "a shuffle is __shfl_sync,"},
    {"v = tile.shfl_down(x, 1); s[0] = 1;", "a group's shuffle is not read"},
    {"atomicAdd(&s[0], __shfl(lane, 0));", "the value is shuffled"},
    {"atomicAdd(&s[__shfl(lane, 0)], 1);", "this atomic's place is shuffled"},
    {"v = __shfl(s, 0); s[0] = 1;", "an address is not shuffled"},
    {"v = __shfl(x, 0, 12); s[0] = 1;", "a shuffle's width is 1, 2, 4, 8, 16 or 32"},
    {"if (lane < 8) v = __shfl_sync(0xffffffff, x, 0); s[0] = 1;",
     "thread (8,0,0) does not reach this shuffle, which names its lane"},
    {"v = __shfl_sync(0xff, x, 0); s[0] = 1;", "lane 8 comes to this shuffle, whose mask"},
    {"int v = 0; if (lane < 8) v = __shfl(lane, 20); s[v] = 1;", "a lane that does not take part"},
    {"float f = 1; int v = __shfl(f, 0); s[v] = 1;", "what 'f' holds is not known"},
    {"int v = __shfl(lane, from); s[v] = 1;", "which lane this shuffle takes from"},
};

static void what_cannot_be_shuffled_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(refused); i++) {
        char text[300];
        struct log log = {.used = 0};
        struct bsim_sink sink = {.push = note, .context = &log};
        struct bsim_error err = {.message = ""};
        (void)snprintf(text, sizeof text, "shared int s[64]\n%s\n", refused[i].statement);
        struct bsim_check *check = bsim_check_new();
        enum bsim_status status = bsim_check_add_text(check, "t.check", text, strlen(text), &err);
        status = status == BSIM_OK ? bsim_check_seal(check, &err) : status;
        status = status == BSIM_OK ? bsim_check_push(check, NULL, &sink, &err) : status;
        bsim_check_free(check);
        if (status != BSIM_E_INPUT || strstr(err.message, refused[i].message) == NULL ||
            err.line != 2) {
            fail_msg("%s: %s", refused[i].statement, err.message);
        }
    }
}

static void events_are_the_kernels(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(executed); i++) {
        check_events(executed[i].text, executed[i].events);
    }
}

/* ---- const and __restrict__ ------------------------------------------------------------------ */

/* Such a pointer's loads go through the read-only cache from compute capability 3.5 on. */
static const struct {
    const char *parameter, *statement;
    bool is_read_only;
} parameters[] = {
    {"const float *__restrict__ p", "x = p[lane];", true},
    {"float const *const __restrict__ p", "x = p[lane];", true},
    {"const float4 *__restrict p", "x = p[lane].y;", true},
    {"const float *__restrict__ p", "const float *q = p + 4; q++; x = q[lane];", true},
    {"const float *p", "x = p[lane];", false},
    {"float *__restrict__ p", "x = p[lane];", false},
    {"const volatile float *__restrict__ p", "x = p[lane];", false},
    {"float *const __restrict__ p", "x = p[lane];", false},
    {"const float *__restrict__ o, float *__restrict__ p", "x = p[lane];", false},
    {"const float *__restrict__ o, const float *p", "x = lane < 4 ? o[0] : p[lane];", false},
};

static enum bsim_path path_on(struct bsim_check *check, const char *name)
{
    struct bsim_device device;
    struct bsim_error err;
    assert_int_equal(bsim_device_find(name, NULL, &device, &err), BSIM_OK);
    bsim_check_for(check, &device);
    const struct bsim_check_contents *contents = bsim_check_contents(check);
    return (enum bsim_path)contents->access[contents->n_accesses - 1].opcode.path;
}

static void restricted_pointers_to_const_are_read_only(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(parameters); i++) {
        char text[200];
        (void)snprintf(text, sizeof text, "global %s\n%s\n", parameters[i].parameter,
                       parameters[i].statement);
        struct bsim_check *check = sealed_check(text);
        enum bsim_path wanted = parameters[i].is_read_only ? BSIM_NC : BSIM_USUAL_PATH;
        if (path_on(check, "sm_90") != wanted || path_on(check, "sm_20") != BSIM_USUAL_PATH ||
            path_on(check, "k40") != wanted) {
            fail_msg("%s, %s", parameters[i].parameter, parameters[i].statement);
        }
        bsim_check_free(check);
    }
}

/* ---- arrays of a thread's own ---------------------------------------------------------------- */

/* A register has no address: an index that the compiler does not know puts an array into local
 * memory. */
static const struct {
    const char *statements;
    bool is_local;
} owned[] = {
    {"a[3] = 1;", false},
    {"for (int k = 0; k < 4; k++) { a[k] += 1; }", false},
    {"for k=0:4 { const int i = 3 - k; a[i] = 1; }", false},
    {"a[lane % 4] = 1;", true},
    {"int n = threadIdx.x; n &= 3; x = a[n];", true},
    {"for (int k = threadIdx.x; k < 32; k += 32) { a[k & 3] = 1; }", true},
    {"a[blockDim.x / 32] = 1;", true},
    {"a[s[0]] = 1;", true},
    {"x = a[m];", true},
};

static void indices_put_arrays_into_local_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(owned); i++) {
        char text[200];
        (void)snprintf(text, sizeof text, "shared int s[64]\nfloat a[4];\n%s\ns[0] = 1;\n",
                       owned[i].statements);
        struct bsim_check *check = sealed_check(text);
        size_t n = bsim_check_contents(check)->n_locals;
        bsim_check_free(check);
        if (n != owned[i].is_local) {
            fail_msg("%s: %zu arrays", owned[i].statements, n);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volatile_and_fences_keep_order),
        cmocka_unit_test(events_are_the_kernels),
        cmocka_unit_test(shuffles_are_steps),
        cmocka_unit_test(indices_may_be_shuffled),
        cmocka_unit_test(what_cannot_be_shuffled_is_refused),
        cmocka_unit_test(restricted_pointers_to_const_are_read_only),
        cmocka_unit_test(indices_put_arrays_into_local_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

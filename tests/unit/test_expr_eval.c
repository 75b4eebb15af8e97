/* test_expr_eval.c - expressions over lanes, held against what the host's C compiler makes of the
 * same text: values in every lane, and types. What C leaves undefined must be reported, and only in
 * lanes that evaluate it.
 *
 * All expressions stand in one launch: warp 2 of a block of 16 x 8 x 2 threads.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "expr/arith.h"
#include "expr/eval.h"
#include "expr/lanes.h"
#include "expr/parse.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- the names, as the compiler sees them ---------------------------------------------------- */

static struct {
    unsigned x, y, z;
} threadIdx, blockIdx = {3, 2, 0}, blockDim = {16, 8, 2}, gridDim = {7, 5, 1};

static unsigned lane, warp = 2;
enum { warpSize = 32, N = 32, LOG = 5 };
static const unsigned BIG = 4000000000u;
static int i = 5, j = -3;
static int row;
static unsigned col;
static short s;
static long long wide;
static unsigned long long uwide;
static unsigned char b;

static void enter_lane(unsigned l)
{
    unsigned t = 32 * warp + l;
    lane = l;
    threadIdx.x = t % 16;
    threadIdx.y = t / 16 % 8;
    threadIdx.z = t / 128;
    row = (int)l - 16;
    col = l * 7;
    s = (short)(l * 2000);
    wide = (long long)l * 3000000000 - 20000000000;
    uwide = ~(unsigned long long)l;
    b = (unsigned char)(l * 37);
}

/* A value widened to 64 bits as its type says, and the type. */
struct c_value {
    uint64_t bits;
    enum cu_kind kind;
};

#define KIND_OF(...)                        \
    _Generic((__VA_ARGS__), _Bool           \
             : CU_BOOL, char                \
             : CU_CHAR, signed char         \
             : CU_CHAR, unsigned char       \
             : CU_UCHAR, short              \
             : CU_SHORT, unsigned short     \
             : CU_USHORT, int               \
             : CU_INT, unsigned             \
             : CU_UINT, long                \
             : CU_LONG, long long           \
             : CU_LONG, unsigned long       \
             : CU_ULONG, unsigned long long \
             : CU_ULONG)

static struct c_value compiled(int line)
{
    switch (line) {
#include "expr_cases.inc"
    default:
        return (struct c_value){0, CU_VOID};
    }
}

static const struct {
    int line;
    const char *text;
} cases[] = {
#define EXPR_CASES_AS_TEXT
#include "expr_cases.inc"
};

/* The macros that the cases use. */
static const char *const macros[] = {
    "OFFSET(r, c, ld) ((r) * (ld) + (c))",
    "LOOSE(a, b) a + b * 2",
    "SIXTEEN 8 + 8",
    "TID() threadIdx.x",
    "NESTED(x) OFFSET(x, LOOSE(x, SIXTEEN), N)",
    "PAIR 3, 4",
    "OF_PAIR(p) LOOSE(p)",
    "CONVERT(type, x) (type)(x)",
    "NOTHING",
    "DIM .y",
    "X2(x) x + x",
};

/* ---- the same names, as the evaluator sees them ---------------------------------------------- */

enum number { V_ROW, V_COL, V_S, V_WIDE, V_UWIDE, V_B, V_I, V_J, N_VARIABLES };

struct launch {
    struct cu_file file;
    struct cu_macros macros;
    struct bsim_scope scope;
    struct cu_source source;
    struct cu_source macro[N_OF(macros)];
    struct bsim_error err;
    struct bsim_eval eval;
    struct bsim_variable variable[N_VARIABLES];
    struct bsim_running_loop loop[2];
};

static void declare(struct launch *launch, const char *name, enum bsim_node_kind kind,
                    enum cu_kind type, uint64_t number)
{
    struct bsim_symbol symbol = {
        .name = name, .kind = kind, .type = bsim_cu_scalar(type), .number = number};
    assert_true(bsim_scope_add(&launch->scope, &symbol));
}

static void declare_all(struct launch *launch)
{
    declare(launch, "N", BSIM_NODE_NUMBER, CU_INT, N);
    declare(launch, "LOG", BSIM_NODE_NUMBER, CU_INT, LOG);
    declare(launch, "BIG", BSIM_NODE_NUMBER, CU_UINT, BIG);
    declare(launch, "i", BSIM_NODE_VARIABLE, CU_INT, V_I);
    declare(launch, "j", BSIM_NODE_VARIABLE, CU_INT, V_J);
    declare(launch, "row", BSIM_NODE_VARIABLE, CU_INT, V_ROW);
    declare(launch, "col", BSIM_NODE_VARIABLE, CU_UINT, V_COL);
    declare(launch, "s", BSIM_NODE_VARIABLE, CU_SHORT, V_S);
    declare(launch, "wide", BSIM_NODE_VARIABLE, CU_LONG, V_WIDE);
    declare(launch, "uwide", BSIM_NODE_VARIABLE, CU_ULONG, V_UWIDE);
    declare(launch, "b", BSIM_NODE_VARIABLE, CU_UCHAR, V_B);
}

static void define_macros(struct launch *launch)
{
    bsim_parse_begin_macros(&launch->macros, &launch->file);
    for (size_t k = 0; k < N_OF(macros); k++) {
        launch->macro[k] =
            (struct cu_source){.name = "m", .text = macros[k], .length = strlen(macros[k])};
        struct bsim_parse parse = {.file = &launch->file,
                                   .macros = &launch->macros,
                                   .scope = &launch->scope,
                                   .source = &launch->macro[k],
                                   .err = &launch->err,
                                   .raw = true};
        assert_true(bsim_parse_start(&parse, 0, launch->macro[k].length));
        assert_true(bsim_parse_macro(&parse, false));
    }
}

/* The lets are known in every lane already, so that no text of theirs is needed. */
/* The variables are known in every lane. */
static void set_lanes(struct launch *launch)
{
    for (unsigned l = 0; l < BSIM_WARP_LANES; l++) {
        enter_lane(l);
        launch->eval.thread[l] = (struct bsim_dim3){threadIdx.x, threadIdx.y, threadIdx.z};
        launch->variable[V_ROW].lanes.value[l] = (uint64_t)row;
        launch->variable[V_COL].lanes.value[l] = col;
        launch->variable[V_S].lanes.value[l] = (uint64_t)s;
        launch->variable[V_WIDE].lanes.value[l] = (uint64_t)wide;
        launch->variable[V_UWIDE].lanes.value[l] = uwide;
        launch->variable[V_B].lanes.value[l] = b;
        launch->variable[V_I].lanes.value[l] = (uint64_t)i;
        launch->variable[V_J].lanes.value[l] = (uint64_t)j;
    }
    for (int k = 0; k < N_VARIABLES; k++) {
        launch->variable[k].known = BSIM_FULL_MASK;
    }
}

static void set_uniform(struct launch *launch)
{
    const uint32_t uniform[BSIM_N_BUILTINS] = {
        0,          0,          0,         blockIdx.x, blockIdx.y, blockIdx.z, blockDim.x,
        blockDim.y, blockDim.z, gridDim.x, gridDim.y,  gridDim.z,  0,          warp,
    };
    memcpy(launch->eval.uniform, uniform, sizeof uniform);
    launch->loop[0] = (struct bsim_running_loop){"i", V_I};
    launch->loop[1] = (struct bsim_running_loop){"j", V_J};
    launch->eval.loop = launch->loop;
    launch->eval.variable = launch->variable;
    launch->eval.err = &launch->err;
    launch->eval.has_threads = true;
}

static void launch_begin(struct launch *launch)
{
    memset(launch, 0, sizeof *launch);
    declare_all(launch);
    define_macros(launch);
    set_lanes(launch);
    set_uniform(launch);
}

static void launch_end(struct launch *launch)
{
    bsim_scope_free(&launch->scope);
    bsim_arena_free(&launch->file.arena);
}

/* The tree of a text, or NULL with launch->err. */
static const struct bsim_node *parse_text(struct launch *launch, const char *text)
{
    launch->source = (struct cu_source){.name = "t", .text = text, .length = strlen(text)};
    struct bsim_parse parse = {.file = &launch->file,
                               .macros = &launch->macros,
                               .scope = &launch->scope,
                               .source = &launch->source,
                               .err = &launch->err};
    if (!bsim_parse_start(&parse, 0, launch->source.length)) {
        return NULL;
    }
    const struct bsim_node *node = bsim_build_integer(&parse, bsim_parse_expression(&parse));
    return node != NULL && bsim_parse_end(&parse) ? node : NULL;
}

static enum bsim_status evaluate(struct launch *launch, const char *text, uint32_t mask,
                                 struct bsim_lanes *lanes)
{
    const struct bsim_node *node = parse_text(launch, text);
    if (node == NULL) {
        fail_msg("%s: column %u: %s", text, launch->err.column, launch->err.message);
    }
    return bsim_eval(&launch->eval, node, mask, lanes);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void compare_case(struct launch *launch, int line, const char *text)
{
    struct bsim_lanes lanes;
    if (evaluate(launch, text, BSIM_FULL_MASK, &lanes) != BSIM_OK) {
        fail_msg("%s: %s", text, launch->err.message);
    }
    const struct cu_type *type = parse_text(launch, text)->type;
    for (unsigned l = 0; l < BSIM_WARP_LANES; l++) {
        enter_lane(l);
        struct c_value expected = compiled(line);
        if (lanes.value[l] != expected.bits) {
            fail_msg("%s in lane %u: %lld, and C says %lld", text, l, (long long)lanes.value[l],
                     (long long)expected.bits);
        }
        if (type->kind != expected.kind) {
            fail_msg("%s is of type %s, and C says %s", text, type->name,
                     bsim_cu_scalar(expected.kind)->name);
        }
    }
}

static void as_the_compiler(void **state)
{
    struct launch launch;
    (void)state;
    assert_int_equal(sizeof(long), 8); /* CUDA's long; a host without it compares other types */
    launch_begin(&launch);
    for (size_t k = 0; k < N_OF(cases); k++) {
        compare_case(&launch, cases[k].line, cases[k].text);
    }
    launch_end(&launch);
}

/* What the host's compiler cannot be asked: C++'s and CUDA's words, and where compilers agree on
 * what C leaves open. Values of lane 7: threadIdx is (7,4,0), row -9. */
static const struct {
    const char *text;
    int64_t value;
} more[] = {
    {"1 << 31", INT32_MIN},
    {"row << 3", -72},
    {"3 << 31", INT32_MIN},
    {"0b101 + 0B11", 8},
    {"true + true + false", 2},
    {"unsigned(row) >> 28", 15},
    {"int(lane) - 8", -1},
    {"size_t(3) * 2", 6},
    {"(unsigned(lane) + 1) * 2", 16},
    {"static_cast<int>(lane) - 8", -1},
    {"static_cast<unsigned char>(-1)", 255},
    {"(const int)lane", 7},
    {"sizeof(float4)", 16},
    {"sizeof(float3)", 12},
    {"sizeof(half2) + sizeof(__nv_bfloat16)", 6},
    {"sizeof(double4)", 32},
    {"sizeof(uchar4) + sizeof(short2)", 8},
    {"sizeof(cuDoubleComplex) + sizeof(const cuComplex)", 24},
    {"sizeof(thrust::complex<double>) + sizeof(cuda::std::complex<float>)", 24},
    {"sizeof(float *)", 8},
    {"sizeof(float (*)[33])", 8},
    {"abs(row)", 9},
    {"__popc(0xff0f)", 12},
    {"__popc(-1)", 32},
    {"__clz(1)", 31},
    {"__clz(0)", 32},
    {"__clz(-1)", 0},
    {"__ffs(8)", 4},
    {"__ffs(0)", 0},
    {"__brev(1) >> 28", 8},
    {"__brev(lane) >> 27", 28},
    {"__mul24(row, 3)", -27},
    {"__mul24(0x1000003, 5)", 15},
    {"__umul24(0xffffff, 2)", 33554430},
    {"min(row, 0) + max(1, 2)", -7},
};

static void words_of_cuda(void **state)
{
    struct launch launch;
    (void)state;
    launch_begin(&launch);
    for (size_t k = 0; k < N_OF(more); k++) {
        struct bsim_lanes lanes;
        assert_int_equal(evaluate(&launch, more[k].text, BSIM_FULL_MASK, &lanes), BSIM_OK);
        if ((int64_t)lanes.value[7] != more[k].value) {
            fail_msg("%s is %lld, expected %lld", more[k].text, (long long)lanes.value[7],
                     (long long)more[k].value);
        }
    }
    launch_end(&launch);
}

/* Each is undefined in some lane: by hand, and random ones that UBSan stopped at. */
static const struct {
    const char *text, *why;
} undefined[] = {
    {"2147483647 + 1", "signed overflow (2147483647 and 1)"},
    {"-2147483647 - 2", "signed overflow"},
    {"65536 * 65536", "signed overflow"},
    {"row * 300000000", "signed overflow"},
    {"-(-2147483647 - 1)", "signed overflow"},
    {"abs(-2147483647 - 1)", "signed overflow"},
    {"(-2147483647 - 1) / -1", "signed overflow"},
    {"(-2147483647 - 1) % -1", "signed overflow"},
    {"9223372036854775807 + 1", "signed overflow"},
    {"9223372036854775807 * 2", "signed overflow"},
    {"(-9223372036854775807 - 1) / -1", "signed overflow"},
    {"wide * 4000000000", "signed overflow"},
    {"-9223372036854775807 - 2", "signed overflow"},
    {"1 / 0", "division by zero (1 and 0)"},
    {"1 % 0", "division by zero"},
    {"8 / lane", "division by zero"},
    {"1u << 32", "shift by the width"},
    {"1 >> 32", "shift by the width"},
    {"1 << -1", "shift by a negative count"},
    {"1 << row", "shift by a negative count"},
    {"1ll << 64", "shift by the width"},
    {"lane >> 33u", "shift by the width"},
    {"lane ? 1 / lane : 1 / lane", "division by zero"},
    {"lane && 8 / (lane - 1)", "division by zero"},
#include "expr_undefined.inc"
};

static void undefined_is_told(void **state)
{
    struct launch launch;
    (void)state;
    launch_begin(&launch);
    for (size_t k = 0; k < N_OF(undefined); k++) {
        struct bsim_lanes lanes;
        enum bsim_status status = evaluate(&launch, undefined[k].text, BSIM_FULL_MASK, &lanes);
        if (status != BSIM_E_INPUT || strstr(launch.err.message, undefined[k].why) == NULL) {
            fail_msg("%s: %s", undefined[k].text,
                     status == BSIM_OK ? "not told" : launch.err.message);
        }
    }
    launch_end(&launch);
}

/* The operator's column, and the first lane's thread that is at fault. */
static void faults_have_places(void **state)
{
    struct launch launch;
    struct bsim_lanes lanes;
    (void)state;
    launch_begin(&launch);
    assert_int_equal(evaluate(&launch, "1 + 8 / (lane - 18)", BSIM_FULL_MASK, &lanes),
                     BSIM_E_INPUT);
    assert_int_equal(launch.err.column, 7);
    assert_string_equal(launch.err.message, "thread (2,5,0): division by zero (8 and 0)");
    /* Lane 18 does not take part. */
    assert_int_equal(evaluate(&launch, "1 + 8 / (lane - 18)", ~(UINT32_C(1) << 18), &lanes),
                     BSIM_OK);
    launch_end(&launch);
}

/* Lanes outside of the mask keep what they had. */
static void other_lanes_are_left_alone(void **state)
{
    static const char *const texts[] = {"lane",          "7",    "row * 2 + i", "lane && row",
                                        "lane ? 3 : 4u", "-row", "wide",        "blockIdx.x",
                                        "lane < 8 || 1", "!col", "(char)lane",  "min(3, row)"};
    struct launch launch;
    (void)state;
    launch_begin(&launch);
    for (size_t k = 0; k < N_OF(texts); k++) {
        struct bsim_lanes lanes;
        memset(&lanes, 0x5a, sizeof lanes);
        assert_int_equal(evaluate(&launch, texts[k], 0x0000ffff, &lanes), BSIM_OK);
        for (int l = 16; l < BSIM_WARP_LANES; l++) {
            assert_true(lanes.value[l] == UINT64_C(0x5a5a5a5a5a5a5a5a));
        }
    }
    launch_end(&launch);
}

/* ---- all lanes at once ----------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* A value of the type, often one near a limit or a power of two. */
static uint64_t draw(uint64_t *state, const struct cu_type *type)
{
    static const uint64_t edges[] = {0, 1, 2, 31, 32, 33, UINT64_MAX, 0x7fffffff, 0x80000000, 64};
    uint64_t random = next_random(state);
    uint64_t value = random % 4 == 0   ? edges[(random >> 8) % N_OF(edges)]
                     : random % 4 == 1 ? random >> 8 & 63
                     : random % 4 == 2 ? UINT64_C(1) << (random >> 8 & 31)
                                       : random >> 8;
    return bsim_cu_wrap(type, value);
}

/* What all lanes say at once, each says alone; where it is not said, some lane is at fault or the
 * operation is none of the quick ones. */
static void lanes_together_as_alone(void **unused)
{
    static const enum cu_kind kinds[] = {CU_INT, CU_UINT, CU_LONG};
    uint64_t state = 88172645463325252u;
    uint64_t n_together = 0;
    (void)unused;
    for (int round = 0; round < 60000; round++) {
        const struct cu_type *type = bsim_cu_scalar(kinds[next_random(&state) % N_OF(kinds)]);
        enum bsim_node_kind kind = (enum bsim_node_kind)(
            BSIM_NODE_CONVERT + next_random(&state) % (BSIM_NODE_LOGICAL_AND - BSIM_NODE_CONVERT));
        bool is_uniform = next_random(&state) % 2 == 0;
        uint64_t left[BSIM_WARP_LANES], right[BSIM_WARP_LANES], out[BSIM_WARP_LANES];
        for (int k = 0; k < BSIM_WARP_LANES; k++) {
            left[k] = draw(&state, type);
            right[k] = is_uniform && k > 0 ? right[0] : draw(&state, type);
        }
        bool is_unary = kind < BSIM_NODE_MULTIPLY;
        bool together = is_unary ? bsim_lanes_unary(kind, type, left, out)
                                 : bsim_lanes_binary(kind, type, left, right, out);
        n_together += together;
        for (int k = 0; k < BSIM_WARP_LANES && together; k++) {
            uint64_t alone = 0;
            const char *why = is_unary ? bsim_arith_unary(kind, type, left[k], &alone)
                                       : bsim_arith_binary(kind, type, left[k], right[k],
                                                           bsim_cu_is_signed(type), &alone);
            if (why != NULL || alone != out[k]) {
                fail_msg("operation %d of %s, %" PRIx64 " and %" PRIx64 ": %" PRIx64
                         ", alone %s%" PRIx64,
                         (int)kind, type->name, left[k], right[k], out[k], why != NULL ? why : "",
                         alone);
            }
        }
    }
    assert_true(n_together > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_compiler),
        cmocka_unit_test(words_of_cuda),
        cmocka_unit_test(undefined_is_told),
        cmocka_unit_test(faults_have_places),
        cmocka_unit_test(other_lanes_are_left_alone),
        cmocka_unit_test(lanes_together_as_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

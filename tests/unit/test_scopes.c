/* test_scopes.c - statements in their order and their braces: which requests an access makes, in
 * which lanes, and in which phase; statements of C; and what is refused because it would be
 * misread.
 *
 * Expected masks and counts are worked out by hand from the threads that come to each access.
 */
#include "status_name.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/banksim.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

enum { MOST = 2000 };

/* ---- what a text does, in words -------------------------------------------------------------- */

/* "L1:ffffffff " for a load of line 1 by those lanes, S a store, A an atomic; "| " for a barrier,
 * "w4 " for work, "[0.1] " for another warp. */
struct log {
    char text[MOST];
    size_t used;
    uint32_t warp;
};

static void put(struct log *log, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(log->text + log->used, sizeof log->text - log->used, format, arguments);
    va_end(arguments);
    log->used = log->used + (size_t)n < sizeof log->text ? log->used + (size_t)n : sizeof log->text;
}

static enum bsim_status note(void *context, const struct bsim_record *record,
                             struct bsim_error *err)
{
    struct log *log = context;
    const struct bsim_event *event = record->u.event;
    (void)err;
    if (record->kind != BSIM_RECORD_EVENT) {
        return BSIM_OK;
    }
    if (event->warp != log->warp) {
        put(log, "[%" PRIu32 "] ", event->warp);
        log->warp = event->warp;
    }
    switch (event->opcode.family) {
    case BSIM_BAR:
        put(log, "| ");
        return BSIM_OK;
    case BSIM_WARP_SYNC:
        put(log, "/%" PRIx32 " ", event->mask);
        return BSIM_OK;
    case BSIM_WORK:
        put(log, "w%" PRIu32 ":%" PRIu32 "%s ", event->work_count, event->work_cycles,
            bsim_work_class_name(event->opcode.operation));
        return BSIM_OK;
    default:
        put(log, "%c%" PRIu32 ":%" PRIx32 " ",
            event->opcode.family == BSIM_LD   ? 'L'
            : event->opcode.family == BSIM_ST ? 'S'
                                              : 'A',
            event->site->line, event->mask);
        return BSIM_OK;
    }
}

static enum bsim_status play(const char *text, struct log *log, struct bsim_error *err)
{
    struct bsim_sink sink = {.push = note, .context = log};
    struct bsim_check *check = bsim_check_new();
    enum bsim_status status = bsim_check_add_text(check, "t", text, strlen(text), err);
    if (status == BSIM_OK) {
        status = bsim_check_seal(check, err);
    }
    if (status == BSIM_OK) {
        status = bsim_check_push(check, NULL, &sink, err);
    }
    bsim_check_free(check);
    return status;
}

/* ---- order and scope ------------------------------------------------------------------------- */

static const struct {
    const char *text, *events;
} played[] = {
    /* An if holds for the statement behind it, an else for the others. */
    {"shared int s[64]\nif threadIdx.x < 16\nload s[lane]\nif threadIdx.x >= 16\nstore s[lane]\n",
     "L3:ffff S5:ffff0000 "},
    {"shared int s[64]\nif (lane < 4) load s[lane]\nelse if (lane < 8) store s[lane]\n"
     "else { load s[0]; store s[1] }\nload s[2]\n",
     "L2:f S3:f0 L4:ffffff00 S4:ffffff00 L5:ffffffff "},
    /* Nobody comes to the second. */
    {"shared int s[64]\nif lane < 4 {\nload s[lane]\nif lane > 4\nload s[lane]\n}\n", "L3:f "},
    /* A loop holds for its braces; its variable may be named again behind them. */
    {"shared int s[64]\nstore s[lane]\nfor k = 0:2 {\nload s[k]\n}\nfor k = 3 { store s[k] }\n",
     "S2:ffffffff L4:ffffffff L4:ffffffff S6:ffffffff "},
    /* The innermost of a name is meant. */
    {"shared int s[64]\nint k = 3;\nif (k == 3) { int k = 4; if (k == 4) load s[k]\n}\n"
     "if (k == 3) store s[k]\n",
     "L3:ffffffff S5:ffffffff "},
    /* Two loops in one another: the inner one's bound is its own. */
    {"shared int s[64]\nfor i = 0:2\n  for j = 4, 5\n    load s[i * 8 + j]\nload s[0]\n",
     "L4:ffffffff L4:ffffffff L4:ffffffff L4:ffffffff L5:ffffffff "},
    /* Loops of C: by threads, downwards, never. */
    {"block 8\nshared int s[64]\nfor (int i = threadIdx.x; i < 20; i += 8)\n  load s[i]\n",
     "L4:ff L4:ff L4:f "},
    {"block 8\nshared int s[64]\nfor (unsigned n = blockDim.x / 2; n > 0; n >>= 1) {\n"
     "  if (threadIdx.x < n) s[threadIdx.x] += s[threadIdx.x + n];\n  __syncthreads();\n}\n",
     "L4:f L4:f S4:f | L4:3 L4:3 S4:3 | L4:1 L4:1 S4:1 | "},
    {"shared int s[64]\nfor (int i = 5; i < 5; i++) load s[i]\nstore s[0]\n", "S3:ffffffff "},
    {"shared int s[64]\nint i = 0;\nwhile (i < 3) {\n  load s[i]\n  i = i + lane / 16 + 1;\n}\n",
     "L4:ffffffff L4:ffffffff L4:ffff "},
    /* A thread that returned does nothing any more. */
    {"block 8\nshared int s[64]\nif (threadIdx.x > 4) return;\nload s[lane]\n", "L4:1f "},
    {"shared int s[64]\nfor i = 0:3 {\nif lane == i * 2\nreturn;\nload s[lane]\n}\n",
     "L5:fffffffe L5:fffffffa L5:ffffffea "},
    {"shared int s[64]\nif (lane > 4) return;\nsync\nload s[lane]\n", "| L4:1f "},
    {"block 32\nshared int s[64]\nsync();\n__syncthreads();\nload s[lane]\n", "| | L5:ffffffff "},
    /* Constants hold from the start outside of braces, and in their braces alone within some. */
    {"const int N = 2, M = N * 4;\nshared int s[M]\nload s[M - 1]\n", "L3:ffffffff "},
    {"shared int s[8]\n{ constexpr int N = 1; if (N == 1) load s[N]\n}\n"
     "{ const int N = 7; if (N == 7) load s[N]\n}\n",
     "L2:ffffffff L4:ffffffff "},
    {"shared int s[8]\nconstexpr unsigned N = 0;\nif (N - 1 > 5) load s[0]\n", "L3:ffffffff "},
    {"shared int s[300]\nconstexpr unsigned char N = 300;\nif (N == 44) load s[N]\n",
     "L3:ffffffff "},
    {"__shared__ int block[2][32]; block[1][lane] = 2;\nint warp = 0; warp += 1;\nload "
     "block[warp][0]\n",
     "S1:ffffffff L3:ffffffff "},
    /* Barriers divide phases, work is told. */
    {"block 64\nshared int s[64]\nstore s[lane]\nsync\nwork 4:20\nload s[lane]\n",
     "S3:ffffffff | w4:20 L6:ffffffff [1] S3:ffffffff | w4:20 L6:ffffffff "},
    {"shared int s[32]\nload s[lane]\nwork 64 fp32\nwork 1:9 xu;\n",
     "L2:ffffffff w64:0fp32 w1:9xu "},
    /* One warp waits for nobody. */
    {"block 64\nwarp 1\nshared int s[64]\nstore s[lane]\nsync\nload s[lane]\n",
     "[1] S4:ffffffff L6:ffffffff "},
    /* Declarations hold wherever they stand, also between a loop and what it holds for. */
    {"for i = 0:2\nshared int s[N]\nload s[i]\ndefine N = 4\n", "L3:ffffffff L3:ffffffff "},
};

static void in_order(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_OF(played); k++) {
        struct log log = {.used = 0};
        struct bsim_error err;
        if (play(played[k].text, &log, &err) != BSIM_OK) {
            fail_msg("%s\n%s", played[k].text, err.message);
        }
        if (strcmp(log.text, played[k].events) != 0) {
            fail_msg("%s\nis     %s\nshould %s", played[k].text, log.text, played[k].events);
        }
    }
}

/* ---- statements of C ------------------------------------------------------------------------- */

static const struct {
    const char *statement,
        *events; /* within block 16,2, float a[4][32], b[64], int n[8], float4 v[8] */
} statements[] = {
    {"a[ty][tx] = in[ty * width + tx];", "S:ffffffff "},
    {"a[ty][tx] = tmp.x;", "S:ffffffff "},
    {"sum += a[ty][k] * b[k];", "L:ffffffff L:ffffffff "},
    {"float sum = a[ty][k];", "L:ffffffff "},
    {"float p[2] = {0}, q = b[tx], *r;", "L:ffffffff "},
    {"b[tx] += b[tx + 16];", "L:ffffffff L:ffffffff S:ffffffff "},
    {"b[tx]++;", "L:ffffffff S:ffffffff "},
    {"--b[tx];", "L:ffffffff S:ffffffff "},
    {"sum = b[tx] * b[tx] + b[tx + 1];", "L:ffffffff L:ffffffff "}, /* b[tx] once */
    {"sum = b[tx] * b[tx + 0];", "L:ffffffff L:ffffffff "},
    {"b[tx] = tx & 1 ? b[tx + 1] : 0.5f;", "L:aaaaaaaa S:ffffffff "},
    {"x = tx < 4 ? a[0][tx] : a[1][tx];", "L:ffffffff "}, /* one object or the other */
    {"x = tx < 4 ? a[0][tx] * 2 : 1 - b[tx];", "L:f000f L:fff0fff0 "},
    {"x = ty == 0 && b[tx] > 0;", "L:ffff "},
    {"x = ty == 0 || b[tx] > 0;", "L:ffff0000 "},
    {"x = fmaf(b[tx], b[tx + 16], sqrtf(y));", "L:ffffffff L:ffffffff "},
    {"x = (float)tx * 1e-5f * b[tx];", "L:ffffffff "},
    {"float4 w = v[tx & 7];", "L:ffffffff "},
    {"x = v[tx & 7].y + v[tx & 7].z;", "L:ffffffff L:ffffffff "},
    {"*reinterpret_cast<float4 *>(&b[tx % 8 * 4]) = g[i];", "S:ffffffff "},
    {"float *p = &b[tx]; p[16] = p[0];", "L:ffffffff S:ffffffff "},
    {"int i = tx * 2; i += 1; b[i] = 0;", "S:ffffffff "},
    {"unsigned i = tx, j = ty; b[i + j] = g;", "S:ffffffff "},
    {"const int i = tx; auto j = i + 1; b[j] = 0;", "S:ffffffff "},
    {"atomicAdd(&n[tx & 7], 1);", "A:ffffffff "},
    {"if (ty == 1) atomicMax(n + tx % 8, x);", "A:ffff0000 "},
    {"int old = atomicAdd(&n[tx & 7], 1);", "A:ffffffff "},
    {"float old = atomicAdd(&b[0], x * 2);", "A:ffffffff "},
    {"b[tx] = atomicExch(&n[0], 1) ;", "A:ffffffff S:ffffffff "},
    {"float p = b[tx], q = b[tx];", "L:ffffffff "},
    {"x = b[tx], y = b[tx];", "L:ffffffff "},
    {"x = b[tx], b[tx + 1] = 0, y = b[tx];", "L:ffffffff S:ffffffff L:ffffffff "},
    {"int i = tx; x = b[i], y = b[i], i++, z = b[i];", "L:ffffffff L:ffffffff "},
    {"x = n[0], atomicAdd(n, 1), y = n[0];", "L:ffffffff A:ffffffff L:ffffffff "},
    {"float p = tx < 1 ? b[0] + 1 : 0, q = b[0];", "L:10001 L:ffffffff "},
    {"const int N = 4; for k = 0:N { b[k] = 0; }", "S:ffffffff S:ffffffff S:ffffffff S:ffffffff "},
    {"{ const auto N = 4 / 2; constexpr int M = N; for k = 0:M { b[k] = 0; } }",
     "S:ffffffff S:ffffffff "},
    {"int i = 1; { const int j = i; i = 2; int *q = &n[j]; q[0] = 1; }", "S:ffffffff "},
    {"float (*p)[32] = a, (*const q)[32] = a + 1; p[ty][tx] = q[0][tx];", "L:ffffffff S:ffffffff "},
    {"float (*p)[32]; p = a; p[ty][tx] = 0;", "S:ffffffff "},
    {"const int *q = n; q += 1; int *const r = n; x = q[0] + r[0];", "L:ffffffff L:ffffffff "},
    {"x = std::fmaf(b[tx], cg::reduce<float, 32>(g, 1), ::min(tx, 3));", "L:ffffffff "},
    {"x = foo<float4 *>(3, 4) + (A < B) + b[tx];", "L:ffffffff "},
    {"b[::min(tx, 1u)] = cfg::N;", "S:ffffffff "},
    {"atomicAdd(n, 1); atomicAdd(n + 0, 1); atomicAdd(&n[0], 1);",
     "A:ffffffff A:ffffffff A:ffffffff "},
    {"(void)atomicAdd(&n[tx & 7], 1);", "A:ffffffff "},
    {"(void)b[tx];", "L:ffffffff "},
    {"atomicAdd(&A[tx], 1);", ""},
    {"x = A[tx] + B[k];", ""},
    {"__syncwarp();", "/ffffffff "},
    {"int i = n[tx & 7]; if (tx < 2) i = 3; if (tx < 2) b[i] = 0;", "L:ffffffff S:30003 "},
    {"y = x.real(b[tx]);", "L:ffffffff "},
    {"float t = b[tx]; b[tx] = b[15 - tx]; b[15 - tx] = t;",
     "L:ffffffff L:ffffffff S:ffffffff S:ffffffff "},
    {"sum += a[ty]\n    [tx]\n  * 2;", "L:ffffffff "},
    {"load sum += a[ty][k] * b[k];", "L:ffffffff L:ffffffff "},
    {"store a[ty][tx] = tmp.x;", "S:ffffffff "},
    {"load a[ty][k] * b[k]", "L:ffffffff L:ffffffff "},
    {"/* no */ // such\n# statement\n b[tx] = 0; // here", "S:ffffffff "},
    {";;b[tx] = 0;;", "S:ffffffff "},
};

static const char head[] = "block 16,2\nshared float a[4][32], b[64]\nshared int n[8]\n"
                           "__shared__ float4 v[8];\nint tx = threadIdx.x, ty = threadIdx.y;\n"
                           "for k = 2 {\n";

/* The lines' numbers are taken out: what is asked here is what each statement does. */
static void without_lines(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        *to++ = *from;
        if (*from == 'L' || *from == 'S' || *from == 'A') {
            from += strspn(from + 1, "0123456789");
        }
    }
    *to = '\0';
}

static void code(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_OF(statements); k++) {
        char text[1000];
        struct log log = {.used = 0};
        struct bsim_error err;
        (void)snprintf(text, sizeof text, "%s%s\n}\nload b[63]\n", head, statements[k].statement);
        if (play(text, &log, &err) != BSIM_OK) {
            fail_msg("%s\n%s", statements[k].statement, err.message);
        }
        without_lines(log.text);
        char expected[1000];
        (void)snprintf(expected, sizeof expected, "%sL:ffffffff ", statements[k].events);
        if (strcmp(log.text, expected) != 0) {
            fail_msg("%s\nis     %s\nshould %s", statements[k].statement, log.text, expected);
        }
    }
}

/* ---- what is refused ------------------------------------------------------------------------- */

static const struct {
    const char *text;
    uint32_t line, column;
    const char *message;
} refused[] = {
    /* What could be read in two ways. */
    {"shared int s[64]\nfor k = 0:2\n  load s[k]\n  load s[0]\n", 4, 3,
     "without braces a for, while, if or else holds for one statement"},
    {"shared int s[64]\nif lane < 4\n  load s[0]\n\n   # so\n  store s[0]\n", 6, 3,
     "without braces a for, while, if or else holds for one statement"},
    {"shared int s[64]\nfor k = 0:2\nload s[k]\nload s[k]\n", 4, 8,
     "'k' is known only in the statement or the braces that declare it"},
    {"shared int s[64]\nload s[0]\nif lane < 4\n", 3, 1, "this holds for the statement behind it"},
    {"shared int s[64]\nfor (int k = 0; k < 2; k++);\nload s[0]\n", 2, 28,
     "this ; is all that the loop or the if before it holds for"},
    {"shared int s[64]\nif (lane < 4);\n{ load s[0] }\n", 2, 14, "this ; is all"},
    {"shared int s[64]\nwhile (lane < 4)\n ;\nload s[0]\n", 3, 2, "this ; is all"},
    {"shared int s[64]\nint i = 0;\ndo { s[i] = 1; i++; } while (i < 3);\n", 3, 1,
     "a do loop is not read"},
    {"shared int s[64]\nload s[0]\nelse load s[1]\n", 3, 1, "this else belongs to no if"},
    {"shared int s[64]\nfor k = 0:2 {\nload s[0]\n", 2, 13, "this { is not closed"},
    {"shared int s[64]\nload s[0]\n}\n", 3, 1, "this } closes no {"},
    {"shared int s[64]\nint i = 0, i = 1;\nload s[i]\n", 2, 12, "'i' is declared twice"},
    {"shared int s[64]\nload s[i]\nlet i = 3\n", 2, 8, "unknown name 'i'"},
    /* What depends on memory. */
    {"shared int s[64]\nload s[s[0]]\n", 2, 8, "what memory holds here is not known"},
    {"shared int s[64]\ns[s[0]] = 1;\n", 2, 3, "what memory holds here is not known"},
    {"shared int s[64]\nint i = s[0];\ns[i] = 1;\n", 3, 3, "this variable's value is not known"},
    {"shared int s[64]\nint i = 0;\ni = s[0];\ns[i] = 1;\n", 4, 3,
     "this variable's value is not known"},
    {"shared int s[64]\nint i;\ns[i] = 1;\n", 3, 3, "thread (0,0,0): this variable has no value"},
    {"shared int s[64]\ns[f(3)] = 1;\n", 2, 3, "unknown name 'f'"},
    {"shared int s[64]\nfloat i = 1;\ns[(int)i] = 1;\n", 3, 8, "what 'i' holds is not known"},
    {"shared int s[64]\nif (s[0] > 1) s[1] = 1;\n", 2, 5, "what memory holds"},
    {"shared int s[64]\nx = s[0] > 1 && s[1] > 1;\n", 2, 5, "whether what follows is loaded"},
    {"shared int s[64]\nx = s[0] > 1 ? s[1] + 1 : 0;\n", 2, 5, "whether what follows is loaded"},
    {"shared int s[64]\nx = s[0] > 1 ? s[1] : s[2];\n", 2, 5, "what memory holds"},
    {"shared int s[64]\nfor (int i = 0; i < s[0]; i++) s[i] = 1;\n", 2, 21, "what memory"},
    {"shared int s[64]\nfoo(s, 3);\n", 2, 5, "what this function does with shared memory"},
    {"shared int s[64]\nint &r = s[0];\n", 2, 5, "references are not followed"},
    {"shared int s[64]\nx = y = s[0];\n", 2, 7, "one assignment at a time"},
    {"shared int s[64]\ns[lane++] = 1;\n", 2, 7, "'++' stands where ']' should be"},
    {"shared int s[64]\n3 = s[0];\n", 2, 3, "nothing can be assigned to what stands left of this"},
    {"shared int s[64]\nfor (;;) load s[0]\n", 2, 7, "a loop without a condition does not end"},
    {"shared int s[64]\nfor (int i = 0; i < 3) load s[0]\n", 2, 22, "a for of C has two ;"},
    {"shared int s[64]\nint i = 0;\nwhile (i < 1) x = 0;\ns[0] = 1;\n", 3, 1,
     "this loop never ends: no variable changes in a turn"},
    {"shared int s[64]\nunsigned i = 1;\nwhile (i != 0) i += 2;\ns[0] = 1;\n", 3, 1,
     "4194304 steps went by without an access"},
    {"shared int s[64]\nbreak;\n", 2, 1, "'break' is not read here"},
    /* A whole file. */
    {"__global__ void k(float *in)\n{\n}\n", 1, 1, "a whole kernel is not read here"},
    {"#include <a.h>\nstatic __global__ void k()\n{\n}\n", 2, 8, "a whole kernel is not read"},
    {"extern \"C\" __global__ void k()\n{\n}\n", 1, 1, "a whole kernel is not read here"},
    {"template <int N>\n__global__ void k()\n{\n}\n", 1, 1, "a whole kernel is not read here"},
    {"#define N 4\nusing namespace a;\n", 2, 1, "a whole kernel is not read here"},
    {"shared int s[64]\nb[0] = s[0]\nload s[1]\n", 3, 1, "'load' should not stand here"},
    /* Barriers that threads wait at for ever. */
    {"shared int s[64]\nload s[0]\nif lane < 4\nsync\n", 4, 1,
     "thread (4,0,0) does not reach this barrier"},
    {"shared int s[64]\nif (lane == 9) return;\nload s[0]\nif (lane > 1) sync\n", 4, 15,
     "thread (0,0,0) does not reach this barrier"},
    /* What a function does that nobody knows. */
    {"shared int s[64]\nswap(s[0], s[1]);\n", 2, 1, "what this function does is not known"},
    {"shared int s[64]\nint a = 0, b = 1;\nswap(a, b);\ns[a] = 1;\n", 3, 1, "what this function"},
    {"shared int s[64]\nsyncthreads();\ns[0] = 1;\n", 2, 1, "what this function does is not known"},
    {"shared int s[64]\ncg.sync();\ns[0] = 1;\n", 2, 1, "what this function does is not known"},
    {"shared int s[64]\nFLOAT4(s[0]) = x;\n", 2, 1, "nothing can be assigned to a call"},
    {"shared int s[64]\ns[0] = __syncthreads_or(x);\n", 2, 8, "a barrier that answers something"},
    {"shared int s[64]\nconst int i = lane;\ni = 2;\nload s[i]\n", 3, 1,
     "'i' is const: it keeps its first value"},
    {"shared int s[64]\n{ const int i = lane; i++; load s[i] }\n", 2, 23, "'i' is const"},
    {"shared int s[64]\nint *const p = s;\np++;\nload *p\n", 3, 1, "'p' is const"},
    {"shared int s[64]\nconst int i = 1;\ni = 2;\nload s[i]\n", 3, 3,
     "nothing can be assigned to a constant"},
    {"shared int s[64]\nint i = 3;\n{ int i = i + 1; load s[i] }\n", 3, 11,
     "this is the new 'i' already, which has no value yet"},
    {"shared int s[64]\nfloat x = x * 2;\nload s[0]\n", 2, 11, "this is the new 'x' already"},
    {"shared int s[64]\n{ const int N = 2; load s[N] }\nexpect N\n", 3, 8, "unknown name 'N'"},
    {"{ const int N = 2;\nshared int s[N]\nload s[0] }\nshared int t[N]\n", 4, 14,
     "'N' is known only in"},
    {"shared int s[64]\ns[std::f(3)] = 1;\n", 2, 3, "names with '::' are not looked up"},
    {"shared int s[64]\ns[foo<int>(3)] = 1;\n", 2, 3, "unknown name 'foo'"},
    {"shared int s[64]\ncg::sync(block);\ns[0] = 1;\n", 2, 1, "what this function does"},
    {"shared int s[64]\nfoo<int>(s);\n", 2, 10, "what this function does with shared memory"},
    {"shared int s[64]\nx = ::3;\n", 2, 7, "'3' stands where a name should be"},
    {"shared int s[64]\n# if 0\nload s[0]\n# endif\n", 2, 1, "of C's directives only #define"},
    {"shared int s[64]\nload s[0]\n  #\tundef N\n", 3, 3, "of C's directives only #define"},
    {"shared int s[64]\nload s[0]\n# pragma pack(1)\n", 3, 1, "of C's directives only #define"},
    {"shared int s[64]\natomicAdd(s[0], 1);\n", 2, 11,
     "atomicAdd takes an address, and this is an element: write & before it"},
    {"shared int s[64]\ns[atomicAdd(&s[0], 1)] = 1;\n", 2, 3, "an atomic stands alone"},
    {"shared int s[64]\nx = 1 + atomicAdd(&s[0], 1);\n", 2, 9, "an atomic stands alone"},
    {"shared int s[64]\n(void)f(3);\n", 2, 7, "what this function does is not known"},
    {"shared int s[64]\nstore(s[0]);\n", 2, 1, "what this function does is not known"},
    {"block 64\nshared int s[64]\nload s[0]\nif warp < 1\nsync\n", 5, 1,
     "warp 1 reaches 0 barriers, and warp 0 1"},
    {"shared int s[64]\nload s[0]\nsync (3)\n", 3, 7, "'3' stands where ')' should be"},
    {"shared int s[64]\nload s[0]\nwork 0\n", 3, 6, "a number of instructions is a number from 1"},
    {"shared int s[64]\nload s[0]\nwork 4:8 fp16\n", 3, 10,
     "'fp16' stands where fp32, int, imad, half, fp64, xu, tensor or lsu should be"},
};

/* What follows a declaration on its line. */
static void one_line(void **state)
{
    static const struct {
        const char *text, *events;
    } cases[] = {
        {"shared float s[64]; s[threadIdx.x] = 1;\n", "S:ffffffff "},
        {"shared float s[64]; load s[threadIdx.x]\n", "L:ffffffff "},
        {"shared float s[64]; float t[32]; t[lane] = s[lane]; load s[0]; store t[0]\n",
         "L:ffffffff S:ffffffff L:ffffffff S:ffffffff "},
        {"shared float s[64]; int i = lane; store s[i]\n", "S:ffffffff "},
        {"shared float s[64]; float *p = s; p[lane] = 0\n", "S:ffffffff "},
        {"shared float s[64]; unsigned char c[4], d[2]; unsigned short e[2];\nstore d[0]; store "
         "e[1]\n",
         "S:ffffffff S:ffffffff "},
        {"shared float s[64]; if (lane < 4) { load s[0] } else { store s[1] }\n",
         "L:f S:fffffff0 "},
        {"shared struct P { int x; float y; } p[4]; p[lane & 3].x = 0;\n", "S:ffffffff "},
        {"{ shared float s[64]; s[lane] = 1; }\n", "S:ffffffff "},
        /* Directives, with blanks as without. */
        {" # \tdefine N 3 /* so */\n#  include <x>\n# pragma unroll\nshared int s[N]\nload s[N - "
         "1]\n",
         "L:ffffffff "},
        {"# line by line\n# error bars\n#statement\nshared int s[3] # if\nload s[0]\n",
         "L:ffffffff "},
    };
    (void)state;
    for (size_t k = 0; k < N_OF(cases); k++) {
        struct log log = {.used = 0};
        struct bsim_error err;
        if (play(cases[k].text, &log, &err) != BSIM_OK) {
            fail_msg("%s\n%" PRIu64 ":%" PRIu32 ": %s", cases[k].text, err.line, err.column,
                     err.message);
        }
        without_lines(log.text);
        assert_string_equal(log.text, cases[k].events);
    }
}

/* Sizes of arrays, of what the braces around them declare. */
static void constants_in_braces(void **state)
{
    static const char text[] = "const int N = 4;\n"
                               "{ const int N = 8, M = 2 * N;\n"
                               "  __shared__ float a[N][M];\n"
                               "  { const int N = 2; __shared__ float b[N][M]; b[0][0] = 1; }\n"
                               "  { const int N = 3; __shared__ float c[N]; c[N - 1] = 1; }\n"
                               "  float (*p)[M] = (float (*)[M])&a[0][0];\n"
                               "  __shared__ float d[N];\n"
                               "  const int K = threadIdx.x; d[K % N] = 1;\n"
                               "}\n"
                               "__shared__ float e[N];\n";
    static const uint32_t bytes[] = {8 * 16 * 4, 2 * 16 * 4, 3 * 4, 8 * 4, 4 * 4};
    struct bsim_error err;
    struct bsim_check *check = bsim_check_new();
    (void)state;
    if (bsim_check_add_text(check, "t", text, strlen(text), &err) != BSIM_OK ||
        bsim_check_seal(check, &err) != BSIM_OK) {
        fail_msg("%" PRIu64 ":%" PRIu32 ": %s", err.line, err.column, err.message);
    }
    assert_int_equal(bsim_check_contents(check)->n_arrays, N_OF(bytes));
    for (size_t i = 0; i < N_OF(bytes); i++) {
        assert_int_equal(bsim_check_contents(check)->array[i].size_bytes, bytes[i]);
    }
    bsim_check_free(check);
}

static void not_misread(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_OF(refused); k++) {
        struct log log = {.used = 0};
        struct bsim_error err = {.status = BSIM_OK};
        enum bsim_status status = play(refused[k].text, &log, &err);
        if (status != BSIM_E_INPUT || err.line != refused[k].line ||
            err.column != refused[k].column ||
            strncmp(err.message, refused[k].message, strlen(refused[k].message)) != 0) {
            fail_msg("%s\nis answered by %s %" PRIu64 ":%" PRIu32 ": %s", refused[k].text,
                     status_name(status), err.line, err.column, err.message);
        }
    }
}

/* ---- on a command line ----------------------------------------------------------------------- */

/* Statements added one by one: "word text" each, until NULL. */
static enum bsim_status add_all(const char *const *option, struct log *log, struct bsim_error *err)
{
    struct bsim_sink sink = {.push = note, .context = log};
    struct bsim_check *check = bsim_check_new();
    enum bsim_status status = BSIM_OK;
    for (; *option != NULL && status == BSIM_OK; option++) {
        char word[16] = "";
        size_t length = strcspn(*option, " ");
        memcpy(word, *option, length);
        status = bsim_check_add(check, word, *option + length, "--x", err);
    }
    if (status == BSIM_OK) {
        status = bsim_check_seal(check, err);
    }
    if (status == BSIM_OK) {
        status = bsim_check_push(check, NULL, &sink, err);
    }
    bsim_check_free(check);
    return status;
}

static void options(void **state)
{
    static const struct {
        const char *option[10];
        const char *events; /* or how the message begins */
    } cases[] = {
        {{"load s[0]", "if lane < 4", "load s[1]", "store s[2]", "shared int s[8]"},
         "L0:ffffffff L0:f S0:f "},
        {{"shared int s[8]", "if lane < 4", "load s[1]", "end", "store s[2]"}, "L0:f S0:ffffffff "},
        {{"shared int s[8]", "if lane < 4", "load s[1]", "else", "store s[2]", "end", "load s[0]"},
         "L0:f S0:fffffff0 L0:ffffffff "},
        {{"shared int s[8]", "for k=0:2", "load s[k]", "if k == 1", "store s[2]", "end",
          "load s[7]"},
         "L0:ffffffff L0:ffffffff L0:ffffffff S0:ffffffff L0:ffffffff "},
        {{"shared int s[8]", "for int k = lane; k < 40; k += 32", "load s[k & 7]"},
         "L0:ffffffff L0:ff "},
        {{"shared int s[8]", "code for (int k = 0; k < 2; k++) { s[k] = x; } s[3] = s[2];",
          "load s[0]"},
         "S0:ffffffff S0:ffffffff L0:ffffffff S0:ffffffff L0:ffffffff "},
        {{"shared int s[8]", "load s[0]", "sync", "work 3", "store s[1]"},
         "L0:ffffffff | w3:0 S0:ffffffff "},
        {{"shared int s[8]", "load s[0]", "syncwarp", "if lane < 4", "code __syncwarp(0xf);"},
         "L0:ffffffff /ffffffff /f "},
        {{"shared int s[8]", "load s[0]", "if lane < 4", "syncwarp ()"}, "L0:ffffffff /f "},
        {{"shared int s[8]", "load s[0]", "code if (threadIdx.x < 4) __syncwarp(0xff);"},
         "thread (4,0,0) does not reach this __syncwarp"},
        {{"shared int s[8]", "load s[0]", "code if (lane > 3) return; __syncwarp(0xff);"},
         "L0:ffffffff /ff "},
        {{"shared int s[8]", "load s[0]", "syncwarp (0)"}, "a mask of lanes"},
        {{"shared int s[8]", "load s[0]", "if lane < 4"}, "this holds for what follows it"},
        {{"shared int s[8]", "load s[0]", "end"}, "this ends no for and no if"},
        {{"shared int s[8]", "load s[0]", "else"}, "this else belongs to no if"},
        {{"shared int s[8]", "if lane < 4", "for k=0:2", "load s[0]", "else", "load s[1]"},
         "this else stands in a loop"},
        {{"shared int s[8]", "if lane < 4", "load s[0]", "else", "load s[1]", "else", "load s[2]"},
         "this if has an else already"},
        {{"shared int s[8]", "code for (int k = 0; k < 2; k++) {", "load s[0]", "code }"},
         "this { is not closed"},
    };
    (void)state;
    for (size_t k = 0; k < N_OF(cases); k++) {
        struct log log = {.used = 0};
        struct bsim_error err = {.status = BSIM_OK};
        const char *answer =
            add_all(cases[k].option, &log, &err) == BSIM_OK ? log.text : err.message;
        if (strncmp(answer, cases[k].events, strlen(cases[k].events)) != 0) {
            fail_msg("case %zu: %s\nshould be %s", k, answer, cases[k].events);
        }
    }
}

/* ---- what an access says of itself ----------------------------------------------------------- */

static enum bsim_status look(void *context, const struct bsim_check_request *request,
                             struct bsim_error *err)
{
    const struct bsim_check *check = *(struct bsim_check **)context;
    size_t n = bsim_check_contents(check)->access[request->access].n_loops;
    (void)err;
    /* The text is s[100 * first + 10 * second + third], by the loops around. */
    int64_t index = 0;
    for (size_t i = 0; i < n; i++) {
        index = index * 10 + request->loop[i];
    }
    assert_int_equal(request->offset[0], 4 * index);
    return BSIM_OK;
}

static void loops_around_an_access(void **state)
{
    static const char text[] = "shared int s[1000]\nfor i = 1:3 {\nload s[i]\nfor j = 2, 5 {\n"
                               "store s[10 * i + j]\nfor (int k = 3; k < 9; k += 2)\n"
                               "s[100 * i + 10 * j + k] = s[100 * i + 10 * j + k];\n}\n}\n"
                               "for m = 4\nload s[m]\n";
    static const char *const names[][3] = {
        {"i"}, {"i", "j"}, {"i", "j", "k"}, {"i", "j", "k"}, {"m"}};
    static const char *const texts[] = {"s[i]", "s[10 * i + j]", "s[100 * i + 10 * j + k]",
                                        "s[100 * i + 10 * j + k]", "s[m]"};
    struct bsim_error err;
    struct bsim_check *check = bsim_check_new();
    (void)state;
    assert_int_equal(bsim_check_add_text(check, "t", text, strlen(text), &err), BSIM_OK);
    assert_int_equal(bsim_check_seal(check, &err), BSIM_OK);
    assert_int_equal(bsim_check_contents(check)->n_accesses, N_OF(names));
    for (size_t a = 0; a < N_OF(names); a++) {
        assert_string_equal(bsim_check_contents(check)->access[a].text, texts[a]);
        for (size_t i = 0; i < bsim_check_contents(check)->access[a].n_loops; i++) {
            assert_string_equal(bsim_check_contents(check)->access[a].loop[i], names[a][i]);
        }
    }
    assert_int_equal(
        bsim_check_each(check, &(struct bsim_check_visitor){.shared = look, .context = &check},
                        &err),
        BSIM_OK);
    bsim_check_free(check);
}

/* What statements of C name and nothing declares is told: a mistyped array would be among it. */
static void strangers_are_told(void **state)
{
    static const char text[] = "shared int s[8]\nint i = 0; float acc;\n"
                               "acc += A[i] * f(s[i]) + B[i * lda]; A[0] = acc;\n";
    static const char *const names[] = {"A", "B", "lda"};
    struct bsim_error err;
    struct bsim_check *check = bsim_check_new();
    (void)state;
    assert_int_equal(bsim_check_add_text(check, "t", text, strlen(text), &err), BSIM_OK);
    assert_int_equal(bsim_check_seal(check, &err), BSIM_OK);
    assert_int_equal(bsim_check_contents(check)->n_strangers, N_OF(names));
    for (size_t i = 0; i < N_OF(names); i++) {
        assert_string_equal(bsim_check_contents(check)->stranger[i], names[i]);
    }
    bsim_check_free(check);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_order),
        cmocka_unit_test(code),
        cmocka_unit_test(one_line),
        cmocka_unit_test(constants_in_braces),
        cmocka_unit_test(not_misread),
        cmocka_unit_test(options),
        cmocka_unit_test(loops_around_an_access),
        cmocka_unit_test(strangers_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

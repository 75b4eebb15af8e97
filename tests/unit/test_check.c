/* test_check.c - checks as a whole: what they count for known kernels, where arrays and threads
 * lie, and that the stream they push is the one that their trace gives.
 *
 * The counts were worked out by hand from the rule of banks; the reason stands beside each.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/banksim.h>

#include "sim/sim.h"

#include "failing_memory.h"
#include "sealed.h"
#include "status_name.h"
#include "trace_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

enum { MAX_ACCESSES = 8, MAX_REQUESTS = 64 };

/* ---- helpers --------------------------------------------------------------------------------- */

static struct bsim_result count(const struct bsim_check *check)
{
    struct bsim_error err;
    struct bsim_result result = {.n_kernels = 0};
    struct bsim_sim *sim = bsim_sim_new(&(struct bsim_sim_options){.device = NULL});
    assert_non_null(sim);
    struct bsim_sink sink = bsim_sim_sink(sim);
    if (bsim_check_push(check, NULL, &sink, &err) != BSIM_OK ||
        bsim_sim_result(sim, &result, &err) != BSIM_OK) {
        fail_msg("%s", err.message);
    }
    bsim_sim_free(sim);
    return result;
}

/* All requests of a check, as they come. */
struct requests {
    size_t n;
    struct bsim_check_request request[MAX_REQUESTS];
    int64_t loop[MAX_REQUESTS][2];
    size_t n_loops;
};

static enum bsim_status keep(void *context, const struct bsim_check_request *request,
                             struct bsim_error *err)
{
    struct requests *requests = context;
    (void)err;
    assert_true(requests->n < MAX_REQUESTS);
    for (size_t i = 0; i < requests->n_loops; i++) {
        requests->loop[requests->n][i] = request->loop[i];
    }
    requests->request[requests->n++] = *request;
    return BSIM_OK;
}

static struct requests collect(const char *text)
{
    struct requests requests = {.n = 0};
    struct bsim_error err;
    struct bsim_check *check = sealed_check(text);
    requests.n_loops = bsim_check_contents(check)->access[0].n_loops;
    if (bsim_check_each(check, &(struct bsim_check_visitor){.shared = keep, .context = &requests},
                        &err) != BSIM_OK) {
        fail_msg("%s\n%s", text, err.message);
    }
    bsim_check_free(check);
    return requests;
}

/* ---- counts ---------------------------------------------------------------------------------- */

struct expected {
    uint64_t requests, wavefronts, ideal, conflicts;
    uint32_t ways_min, ways_max;
};

static const struct {
    const char *text;
    struct expected access[4];
} counted[] = {
    /* The column of 32 words of 128 bytes apart lies in one bank. */
    {"block 32,32\nshared float tile[32][32]\n"
     "store tile[threadIdx.y][threadIdx.x]\nload tile[threadIdx.x][threadIdx.y]\n",
     {{32, 32, 32, 0, 1, 1}, {32, 1024, 32, 992, 32, 32}}},
    {"block 32,32\nshared float tile[32][32 + 1]\n"
     "store tile[threadIdx.y][threadIdx.x]\nload tile[threadIdx.x][threadIdx.y]\n",
     {{32, 32, 32, 0, 1, 1}, {32, 32, 32, 0, 1, 1}}},
    /* A warp is two rows of 16: at 17 words per row the second ends where the first began, a row of
     * banks later. Without the pad rows are contiguous, and a column of 16 lies in two banks. */
    {"block 16,16\nshared float tile[16][17]\nstore tile[threadIdx.y][threadIdx.x]\n",
     {{8, 16, 8, 8, 2, 2}}},
    {"block 16,16\nshared float tile[16][16]\n"
     "store tile[threadIdx.y][threadIdx.x]\nload tile[threadIdx.x][threadIdx.y]\n",
     {{8, 8, 8, 0, 1, 1}, {8, 64, 8, 56, 8, 8}}},
    /* The same with an x for the comma, and with a name behind it. */
    {"block 16x16\nshared float tile[16][17]\nstore tile[threadIdx.y][threadIdx.x]\n",
     {{8, 16, 8, 8, 2, 2}}},
    {"define N=16\nblock N x0x10x1\nshared float tile[16][17]\n"
     "store tile[threadIdx.y][threadIdx.x]\n",
     {{8, 16, 8, 8, 2, 2}}},
    /* 8 bytes: half a warp at a time; 33 doubles are 66 words, 2 banks on. */
    {"block 32,32\nshared double tile[32][33]\nload tile[threadIdx.x][threadIdx.y]\n",
     {{32, 64, 64, 0, 1, 1}}},
    /* 16 bytes: a quarter at a time, 128 bytes each. */
    {"shared float a[128]\nload *(float4 *)&a[4 * threadIdx.x]\n"
     "load reinterpret_cast<const float4 *>(a)[threadIdx.x]\n",
     {{1, 4, 4, 0, 1, 1}, {1, 4, 4, 0, 1, 1}}},
    /* Four bytes of a word, one word. */
    {"shared char a[32]\nshared half h[64]\nload a[threadIdx.x]\nload h[2 * threadIdx.x]\n",
     {{1, 1, 1, 0, 1, 1}, {1, 1, 1, 0, 1, 1}}},
    /* Rows of 128 bytes begin in one bank: 8 rows of a matrix, 8 turns; 16 bytes more are 4 banks.
     * */
    {"shared half a[16][64]\nldmatrix x4 &a[lane % 16][lane / 16 * 8]\n"
     "ldmatrix x1 a[lane % 8]\nstmatrix x2.trans &a[lane % 16][8]\n",
     {{1, 32, 4, 28, 8, 8}, {1, 8, 1, 7, 8, 8}, {1, 16, 2, 14, 8, 8}}},
    {"shared half a[16][72]\nldmatrix x4 &a[lane % 16][lane / 16 * 8]\n", {{1, 4, 4, 0, 1, 1}}},
    {"shared __align__(16) half a[16][64]\n"
     "ldmatrix x4 &a[lane % 16][((lane / 16) ^ (lane % 8)) * 8]\n",
     {{1, 4, 4, 0, 1, 1}}},
    /* A shared address counts bytes, in 32 bits: 32 on and 16 back are the row's second half; the
     * same rows 144 bytes apart, and 128. */
    {"shared half a[16][72], b[16][64]\n"
     "let uint32_t p = static_cast<uint32_t>(__cvta_generic_to_shared(&a[lane % 16][0]))\n"
     "let q = (unsigned)__cvta_generic_to_shared(b) + lane % 16 * 128 + lane / 16 * 16\n"
     "ldmatrix x4 p + 32 - 16u * (lane / 16)\nldmatrix x4 q\n"
     "load *reinterpret_cast<float4 *>(p + (0u - 16) + 16)\n",
     {{1, 4, 4, 0, 1, 1}, {1, 32, 4, 28, 8, 8}, {1, 4, 4, 0, 1, 1}}},
    /* C's own defines are text: 2 * 8 + 8 words a row make 24, of which a column lies in 4 banks; 2
     * * (8 + 8) is 32, and a column in one. A macro goes on behind a \. What says nothing about
     * accesses is passed over, and so is a macro that cannot be read, unless it is used. */
    {"#include <cuda.h>\n#define HALF 8 + 8 // two\n#define HALF 8 + 8 /* again */\n#pragma once\n"
     "#define PRINT(x) printf(\"%d #%s\", x, #x); \\\n exit(1); }\n"
     "define VALUE=8 + 8 # a number\n"
     "#define AT(i, j) \\\n  a[(i) * (2 * HALF) + \\ \n  (j)]\n"
     "shared float a[32 * 24]; float b[32][2 * VALUE]\n"
     "load AT(threadIdx.x, 0)\nload b[threadIdx.x][HALF]\n",
     {{1, 8, 1, 7, 8, 8}, {1, 32, 1, 31, 32, 32}}},
    /* ## makes one token of two, and ... takes what is left: a column of rows of 32 words. */
    {"#define AT(t, ...) t##ile INDEX(__VA_ARGS__)\n#define INDEX(i, j) [i][j - 'a']\n"
     "shared float tile[32][32]\nload AT(t, threadIdx.x, 'a')\n",
     {{1, 32, 1, 31, 32, 32}}},
    /* Copies go in groups as stores do: 16 bytes, a quarter of the warp, of whose 8 rows of 128
     * bytes every one begins in bank 0. Lanes never share: a word that all copy to has 32 turns. */
    {"shared float a[32], b[32][32]; half h[64][64]\ncp_async ca a[lane]\ncp_async ca b[lane][0]\n"
     "cp_async ca:16 &h[lane][0]\ncp_async ca:4 __cvta_generic_to_shared(&a[3])\n",
     {{1, 1, 1, 0, 1, 1}, {1, 32, 1, 31, 32, 32}, {1, 32, 4, 28, 8, 8}, {1, 32, 1, 31, 32, 32}}},
    /* Past L1, in step and 16 bytes apart, as the H200 counted: of the latter's five lines the first has whole sectors and
     * one upper half, which go apart wherever they go. Through L1 from one bank of that, where no layout helps. */
    {"shared float a[128]; global const float *g\ncp_async cg a[4 * lane], g[4 * lane]\n"
     "cp_async cg a[4 * lane], g[4 * lane + 4]\ncp_async ca a[lane], &g[32 * lane]\n",
     {{1, 4, 4, 0, 1, 1}, {1, 12, 6, 0, 2, 2}, {1, 32, 32, 31, 1, 1}}},
    /* Each lane has a turn of its bank, cas two. */
    {"shared int h[8]\natomic add h[threadIdx.x % 8], v\natomic cas &h[threadIdx.x % 8]\n",
     {{1, 4, 1, 3, 4, 4}, {1, 8, 2, 3, 4, 4}}},
    /* Increments of one word are merged, if nobody uses the result: one wavefront in each of 8
     * warps; those of different words of a bank are not. */
    {"block 256\nshared unsigned h[64]\natomic add h[0]\natomic add old = h[0]\n"
     "atomic atomicAdd(&h[0], 2);\natomic atomicAdd(&h[lane * 2], 1)\n",
     {{8, 8, 8, 0, 1, 1}, {8, 256, 8, 248, 32, 32}, {8, 256, 8, 248, 32, 32}, {8, 16, 8, 8, 2, 2}}},
    /* GPU Gems 3, 39.2.2: from the second step on half the threads, each step in 2 ways, the last
     * has one thread. With the offset no two meet. `n >> 5 + n >> 10` is (n >> (5 + n)) >> 10. */
    {"block 32\nshared int temp[64 + 2]\nfor offset=1,2,4,8,16,32 {\n"
     "let int thid = threadIdx.x\nif thid < 32 / offset {\n"
     "let ai = offset * (2 * thid + 1) - 1\n"
     "load temp[ai]\nload temp[ai + (ai >> 5)]\n}\n}\n",
     {{6, 11, 6, 5, 1, 2}, {6, 6, 6, 0, 1, 1}}},
    /* Three requests, 12 bytes apart: 3 and 32 have no common factor. */
    {"shared float3 p[32]\nload p[threadIdx.x]\nload p[threadIdx.x].z\n",
     {{3, 3, 3, 0, 1, 1}, {1, 1, 1, 0, 1, 1}}},
    /* Two requests of 16 bytes, 32 apart: in a quarter of 8 lanes the 4th meets the first. */
    {"shared double4 p[32]\nload p[threadIdx.x]\n", {{2, 16, 8, 8, 2, 2}}},
    /* Complex numbers are pairs that align as their size: 8 bytes in two halves; their imaginary
     * parts are every other word. */
    {"shared thrust::complex<float> z[64]\nload z[threadIdx.x]\nload z[threadIdx.x].imag()\n"
     "load (*(cuComplex *)&z[threadIdx.x]).y\n",
     {{1, 2, 2, 0, 1, 1}, {1, 2, 1, 1, 2, 2}, {1, 2, 1, 1, 2, 2}}},
    {"shared cuda::std::complex<double> z[32]; cuDoubleComplex w[32]\n"
     "load z[threadIdx.x]\nload w[threadIdx.x]\nload z[threadIdx.x].real()\n",
     {{1, 4, 4, 0, 1, 1}, {1, 4, 4, 0, 1, 1}, {1, 4, 2, 2, 2, 2}}},
    /* A copy of a struct goes in pieces of its alignment. 12 bytes: 3 words, and 3 and 32 have no
     * common factor. 16 that align to 4: 4 words, each 4 banks apart. 16 that align to 16: at once.
     * 20: 5 words, odd too. 24 that align to 8: the 16 lanes of a half warp, 3 pairs of words
     * apart, have a pair of banks each. */
    {"struct P { float x, y, z; }\nshared P s[32]\nload s[threadIdx.x]\nload s[threadIdx.x].y\n",
     {{3, 3, 3, 0, 1, 1}, {1, 1, 1, 0, 1, 1}}},
    {"struct P { float x, y, z; int id; };\nshared struct P s[64]\n"
     "load s[threadIdx.x]\nload s[threadIdx.x].id\n",
     {{4, 16, 4, 12, 4, 4}, {1, 4, 1, 3, 4, 4}}},
    {"typedef struct __align__(16) { float x, y, z; int id; } P;\nshared P s[64]\n"
     "load s[threadIdx.x]\nstore s[threadIdx.x].id\n",
     {{1, 4, 4, 0, 1, 1}, {1, 4, 1, 3, 4, 4}}},
    {"shared struct { float a[4]; char c; } s[32]\nload s[threadIdx.x]\n"
     "load s[threadIdx.x].a[3]\n",
     {{5, 5, 5, 0, 1, 1}, {1, 1, 1, 0, 1, 1}}},
    {"union U { double d; int i[2]; }\nstruct P { U u; double v[2]; }\nshared P s[32]\n"
     "load s[threadIdx.x]\nload s[threadIdx.x].u.i[1]\n",
     {{3, 6, 6, 0, 1, 1}, {1, 2, 1, 1, 2, 2}}},
    /* Pointers that lie in memory have 8 bytes; what they point to is another matter. */
    {"struct Node { Node *next; double v; }\nshared Node s[32]\nload s[threadIdx.x].next\n",
     {{1, 4, 2, 2, 2, 2}}},
    /* The second warp has 8 threads; a condition that never holds makes no request. */
    {"block 40\nshared int a[2048]\nload a[32 * threadIdx.x]\n", {{2, 40, 2, 38, 8, 32}}},
    {"block 40\nwarp 1\nshared int a[2048]\nload a[32 * threadIdx.x]\n", {{1, 8, 1, 7, 8, 8}}},
    {"if threadIdx.x > 40\nshared int a[4]\nload a[100 * threadIdx.x]\n", {{0, 0, 0, 0, 0, 0}}},
    /* Every lane reads one word. */
    {"blockidx 3\nshared int a[8]\nload a[blockIdx.x]\nload a[gridDim.x]\n",
     {{1, 1, 1, 0, 1, 1}, {1, 1, 1, 0, 1, 1}}},
    /* A column index past its row, within the array. */
    {"shared int a[4][32]\nload a[0][32 * 3 + threadIdx.x]\n", {{1, 1, 1, 0, 1, 1}}},
    /* An object chosen per lane. */
    {"shared int a[32], b[32]\nload threadIdx.x < 16 ? a[threadIdx.x] : b[threadIdx.x]\n",
     {{1, 1, 1, 0, 1, 1}}},
};

static void compare(const char *text, size_t access, const struct bsim_tally *tally,
                    const struct expected *expected)
{
    struct expected actual = {tally->requests,  tally->wavefronts, tally->ideal,
                              tally->conflicts, tally->ways_min,   tally->ways_max};
    if (memcmp(&actual, expected, sizeof actual) != 0) {
        fail_msg("%saccess %zu: requests %" PRIu64 ", wavefronts %" PRIu64 ", ideal %" PRIu64
                 ", conflicts %" PRIu64 ", ways %" PRIu32 "-%" PRIu32,
                 text, access, actual.requests, actual.wavefronts, actual.ideal, actual.conflicts,
                 actual.ways_min, actual.ways_max);
    }
}

static void known_kernels(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_OF(counted); k++) {
        struct bsim_check *check = sealed_check(counted[k].text);
        struct bsim_result result = count(check);
        assert_int_equal(result.kernels[0].n_sites, bsim_check_contents(check)->n_accesses);
        for (size_t i = 0; i < result.kernels[0].n_sites; i++) {
            compare(counted[k].text, i, &result.kernels[0].sites[i].tally, &counted[k].access[i]);
        }
        bsim_result_free(&result);
        bsim_check_free(check);
    }
}

/* ---- the stream ------------------------------------------------------------------------------ */

static enum bsim_status add_bytes(void *context, const void *data, size_t size_bytes,
                                  struct bsim_error *err)
{
    bsim_buffer_add(context, data, size_bytes);
    return bsim_buffer_status(context, err);
}

/* The check's trace, as `--emit-trace` writes it. */
static struct bsim_buffer write_trace(const struct bsim_check *check)
{
    struct bsim_error err;
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_output output = {add_bytes, &text};
    struct bsim_trace_writer *writer = bsim_trace_writer_new(BSIM_TRACE_TEXT, &output);
    assert_non_null(writer);
    struct bsim_sink sink = bsim_trace_writer_sink(writer);
    if (bsim_check_push(check, "sm_90", &sink, &err) != BSIM_OK) {
        fail_msg("%s", err.message);
    }
    bsim_trace_writer_free(writer);
    return text;
}

/* What the trace's reader pushes, which checks every rule of the format, counts the same. */
static void traces_count_the_same(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_OF(counted); k++) {
        struct bsim_check *check = sealed_check(counted[k].text);
        struct bsim_buffer trace = write_trace(check);
        struct bsim_error err;
        struct bsim_result result;
        struct bsim_sim *sim = bsim_sim_new(&(struct bsim_sim_options){.device = NULL});
        struct bsim_sink sink = bsim_sim_sink(sim);
        if (trace_text_read(trace.data, trace.size_bytes, 0, &sink, &err) != BSIM_OK) {
            fail_msg("%s\n%s", trace.data, err.message);
        }
        assert_int_equal(bsim_sim_result(sim, &result, &err), BSIM_OK);
        for (size_t i = 0; i < result.kernels[0].n_sites; i++) {
            compare(counted[k].text, i, &result.kernels[0].sites[i].tally, &counted[k].access[i]);
        }
        bsim_result_free(&result);
        bsim_sim_free(sim);
        bsim_buffer_free(&trace);
        bsim_check_free(check);
    }
}

/* Lane 31 alone of warp 0; the row of loop value 1 begins at byte 272. */
static void a_trace_in_full(void **state)
{
    static const char text[] = "block 34\nblockidx 1\nshared float4 a[2][17]\nfor i=0:2 {\n"
                               "if threadIdx.x > 30 {\n"
                               "load a[i][threadIdx.x - 30].y\n"
                               "store *(float4 *)&a[i]\n}\n}\n";
    static const char expected[] = "banksim-trace 1\n"
                                   "kernel check grid=2 block=34 shared=544 device=sm_90 "
                                   "x-shared=a@0:float4[2][17]\n"
                                   "site 1 ld.shared.f32 at=t.check:6 "
                                   "text=\"a[i][threadIdx.x - 30].y\"\n"
                                   "site 2 st.shared.v4.f32 at=t.check:7 "
                                   "text=\"*(float4 *)&a[i]\"\n"
                                   "block 1\n"
                                   "w0 @1 80000000 20+0\n"
                                   "w0 @2 80000000 0+0\n"
                                   "w0 @1 80000000 292+0\n"
                                   "w0 @2 80000000 272+0\n"
                                   "w1 @1 00000003 36+16\n"
                                   "w1 @2 00000003 0+0\n"
                                   "w1 @1 00000003 308+16\n"
                                   "w1 @2 00000003 272+0\n"
                                   "end\n";
    struct bsim_check *check = sealed_check(text);
    struct bsim_buffer trace = write_trace(check);
    (void)state;
    assert_string_equal(trace.data, expected);
    bsim_buffer_free(&trace);
    bsim_check_free(check);
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* Different words for one place: byte 12 * lane + 384 of the window. */
static void ways_to_say_it(void **state)
{
    static const char *const expressions[] = {
        "a[3][3 * lane]",
        "*(a[3] + 3 * lane)",
        "*(*(a + 3) + 3 * lane)",
        "(*(a + 3))[3 * lane]",
        "(&a[0][0])[96 + 3 * lane]",
        "*(3 * lane + a[3])",
        "*(&a[4][0] - 32 + 3 * lane)",
        "(*(float (*)[64])&a[3])[3 * lane]",
        "reinterpret_cast<float (*)[96]>(a)[1][3 * lane]",
        "*(float *)((char *)a + 384 + 12 * lane)",
        "reinterpret_cast<float3 *>(&a[3])[lane].x",
        "((float3 *)a)[32 + lane].x",
        "((float3 *)a + 31 + lane)[1].x",
        "(&((float3 *)a)[32 + lane])->x",
        "reinterpret_cast<float &>(a[3][3 * lane])",
        "row[3 * lane]",
        "at[lane * 3]",
        "*(lane < 9 ? row + 3 * lane : &a[3][lane * 3])",
        "a[3][lane + lane + lane]",
        "*&*&a[3][3 * lane]",
        "a [ 3 ] [ /* column */ 3 * lane ] ;",
    };
    (void)state;
    for (size_t k = 0; k < N_OF(expressions); k++) {
        char text[256];
        (void)snprintf(text, sizeof text,
                       "shared float a[8][32]\nlet row = a[3]\nlet const float *at = &a[3][0]\n"
                       "load %s\n",
                       expressions[k]);
        struct requests requests = collect(text);
        assert_int_equal(requests.n, 1);
        for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
            if (requests.request[0].address[l] != 384 + 12 * l) {
                fail_msg("%s: lane %" PRIu32 " at %" PRIu32, expressions[k], l,
                         requests.request[0].address[l]);
            }
        }
    }
}

static const struct {
    const char *text;
    const char *opcode;
    uint32_t bytes, parts;
} widths[] = {
    {"shared char a[64]\nload a[0]", "ld.shared.s8", 1, 1},
    {"shared bool a[64]\nstore a[0]", "st.shared.u8", 1, 1},
    {"shared uint8_t a[64]\nstore a[0]", "st.shared.u8", 1, 1},
    {"shared short a[64]\nload a[0]", "ld.shared.s16", 2, 1},
    {"shared half a[64]\nload a[0]", "ld.shared.b16", 2, 1},
    {"shared __nv_bfloat16 a[64]\nload a[0]", "ld.shared.b16", 2, 1},
    {"shared __half2 a[64]\nload a[0]", "ld.shared.v2.b16", 4, 1},
    {"shared __half2 a[64]\nload a[0].y", "ld.shared.b16", 2, 1},
    {"shared int a[64]\nload a[0]", "ld.shared.s32", 4, 1},
    {"shared unsigned a[64]\nload a[0]", "ld.shared.u32", 4, 1},
    {"shared float a[64]\nload a[0]", "ld.shared.f32", 4, 1},
    {"shared uchar4 a[64]\nload a[0]", "ld.shared.v4.u8", 4, 1},
    {"shared uchar3 a[64]\nload a[0]", "ld.shared.u8", 3, 3},
    {"shared long a[64]\nload a[0]", "ld.shared.s64", 8, 1},
    {"shared unsigned long long a[64]\nload a[0]", "ld.shared.u64", 8, 1},
    {"shared double a[64]\nload a[0]", "ld.shared.f64", 8, 1},
    {"shared float2 a[64]\nload a[0]", "ld.shared.v2.f32", 8, 1},
    {"shared float3 a[64]\nload a[0]", "ld.shared.f32", 12, 3},
    {"shared float4 a[64]\nstore a[0]", "st.shared.v4.f32", 16, 1},
    {"shared double2 a[64]\nload a[0]", "ld.shared.v2.f64", 16, 1},
    {"shared int1 a[64]\nload a[0]", "ld.shared.s32", 4, 1},
    {"shared double4 a[64]\nload a[0]", "ld.shared.v2.f64", 32, 2},
    {"shared ulonglong3 a[64]\nload a[0]", "ld.shared.u64", 24, 3},
    {"shared int a[64]\natomic add a[0]", "red.shared.popc.inc.u32", 4, 1},
    {"define N=3-2\nshared int a[64]\natomic add a[0], (N)", "red.shared.popc.inc.u32", 4, 1},
    {"shared int a[64]\natomic add a[0], 2", "red.shared.add.s32", 4, 1},
    {"shared int a[64]\natomic add a[0], -1", "red.shared.add.s32", 4, 1},
    {"shared int a[64]\natomic add a[0], lane", "red.shared.add.s32", 4, 1},
    {"shared int a[64]\natomic add a[0], 2.5f * w[f(x, y)]", "red.shared.add.s32", 4, 1},
    {"shared int a[64]\natomic add old = a[0]", "atom.shared.add.s32", 4, 1},
    {"shared int a[64]\natomic add old = a[0], 1", "atom.shared.add.s32", 4, 1},
    {"shared int a[64]\natomic add lane == 0 ? a[0] : a[1]", "red.shared.popc.inc.u32", 4, 1},
    {"shared int a[64]\natomic add a[lane <= 3]", "red.shared.popc.inc.u32", 4, 1},
    {"shared int a[64]\natomic atomicAdd(&a[0], 1);", "red.shared.popc.inc.u32", 4, 1},
    {"shared int a[64]\natomic atomicAdd(a + 1, /* ) */ 1u)", "red.shared.popc.inc.u32", 4, 1},
    {"shared int a[64]\natomic atomicAdd(a, v)", "red.shared.add.s32", 4, 1},
    {"shared int a[64]\natomic int old = atomicAdd(&a[0], 1)", "atom.shared.add.s32", 4, 1},
    {"shared int a[64]\natomic sum += atomicAdd(&a[0], 1)", "atom.shared.add.s32", 4, 1},
    {"shared int a[64]\natomic m >>= atomicOr(&a[0], 1)", "atom.shared.or.b32", 4, 1},
    {"shared int a[64]\natomic atomicSub(&a[0], 1)", "red.shared.add.s32", 4, 1},
    {"shared int a[64]\natomic atomicMin(&a[0], x)", "red.shared.min.s32", 4, 1},
    {"shared unsigned a[64]\natomic atomicMax(&a[0], x)", "red.shared.max.u32", 4, 1},
    {"shared unsigned a[64]\natomic atomicInc(&a[0], n)", "red.shared.inc.u32", 4, 1},
    {"shared unsigned a[64]\natomic atomicInc(a, 0xffffffff)", "red.shared.popc.inc.u32", 4, 1},
    {"shared unsigned a[64]\natomic atomicDec(&a[0], 1)", "red.shared.dec.u32", 4, 1},
    {"shared unsigned a[64]\natomic atomicAnd(&a[0], 1)", "red.shared.and.b32", 4, 1},
    {"shared unsigned a[64]\natomic atomicXor(&a[0], 1)", "red.shared.xor.b32", 4, 1},
    {"shared unsigned a[64]\natomic atomicExch(&a[0], 1)", "atom.shared.exch.b32", 4, 1},
    {"shared unsigned a[64]\natomic o = atomicCAS(&a[0], 1, 2)", "atom.shared.cas.b32", 4, 1},
    {"shared half2 a[64]\natomic add a[0]", "red.shared.add.noftz.f16x2", 4, 1},
    {"shared nv_bfloat162 a[9]\natomic o = atomicAdd(a, v)", "atom.shared.add.noftz.bf16x2", 4, 1},
    {"shared unsigned a[64]\natomic inc a[0]", "red.shared.inc.u32", 4, 1},
    {"shared int a[64]\natomic dec a[0]", "red.shared.dec.u32", 4, 1},
    {"shared long long a[64]\natomic add a[0]", "red.shared.add.u64", 8, 1},
    {"shared long long a[64]\natomic max a[0]", "red.shared.max.s64", 8, 1},
    {"shared int a[64]\natomic exch a[0]", "atom.shared.exch.b32", 4, 1},
    {"shared float a[64]\natomic add &a[0]", "red.shared.add.f32", 4, 1},
    {"shared unsigned long long a[64]\natomic cas a[0]", "atom.shared.cas.b64", 8, 1},
    {"shared half a[64]\nldmatrix x4.trans a", "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", 16,
     1},
    {"shared half a[64]\nstmatrix .x2 &a[0]", "stmatrix.sync.aligned.m8n8.x2.shared.b16", 16, 1},
};

static void opcodes_and_widths(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_OF(widths); k++) {
        char name[BSIM_OPCODE_NAME_SIZE];
        struct bsim_check *check = sealed_check(widths[k].text);
        const struct bsim_check_access *access = &bsim_check_contents(check)->access[0];
        (void)bsim_opcode_name(&access->opcode, name);
        if (strcmp(name, widths[k].opcode) != 0 || access->bytes != widths[k].bytes ||
            access->parts != widths[k].parts) {
            fail_msg("%s: %s, %" PRIu32 " bytes, %" PRIu32 " parts", widths[k].text, name,
                     access->bytes, access->parts);
        }
        bsim_check_free(check);
    }
}

/* ---- layout ---------------------------------------------------------------------------------- */

static void arrays_follow_each_other(void **state)
{
    static const struct {
        const char *name;
        uint32_t offset, size, alignment, n_dimensions;
    } expected[] = {
        {"c", 0, 3, 1, 1},        {"d", 8, 8, 8, 0},   {"h", 16, 2 * 3 * 5, 2, 2},
        {"v", 48, 32, 16, 1},     {"p", 80, 24, 4, 1}, {"e", 128, 1, 128, 1},
        {"f", 132, 4 * 64, 4, 1}, {"g", 388, 4, 4, 0}, {"dynamic", 400, 0, 4, 2},
    };
    struct bsim_check *check = sealed_check("shared extern __shared__ float dynamic[][33];\n"
                                            "shared char c[3]\n"
                                            "shared double d\n"
                                            "shared __shared__ half h[N][5]\n"
                                            "shared float4 v[2]\n"
                                            "shared float3 p[2];\n"
                                            "shared __align__(128) volatile char e[1]\n"
                                            "shared const float f[1 << 6], g\n"
                                            "define N=3\n"
                                            "load dynamic[1][0]\n");
    (void)state;
    assert_int_equal(bsim_check_contents(check)->n_arrays, N_OF(expected));
    for (size_t k = 0; k < N_OF(expected); k++) {
        size_t index = (k + 1) % N_OF(expected);
        const struct bsim_check_array *array = &bsim_check_contents(check)->array[index];
        assert_string_equal(array->name, expected[k].name);
        assert_int_equal(array->offset_bytes, expected[k].offset);
        assert_int_equal(array->size_bytes, expected[k].size);
        assert_int_equal(array->alignment, expected[k].alignment);
        assert_int_equal(array->n_dimensions, expected[k].n_dimensions);
    }
    const struct bsim_check_array *dynamic = &bsim_check_contents(check)->array[0];
    assert_true(dynamic->is_extern);
    assert_int_equal(dynamic->dimension[0], 0);
    assert_int_equal(dynamic->dimension[1], 33);
    assert_string_equal(bsim_check_contents(check)->array[4].element, "float4");
    assert_false(bsim_check_contents(check)->kernel->has_shared);
    bsim_check_free(check);
}

/* Which array each lane's address lies in, and where in it. */
static void places_in_arrays(void **state)
{
    struct requests requests =
        collect("shared char pad[4]\nshared float a[32]\nshared float b[64]\n"
                "store lane % 2 ? a[lane] : b[lane + 1]\n");
    (void)state;
    assert_int_equal(requests.n, 1);
    const struct bsim_check_request *request = &requests.request[0];
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        assert_int_equal(request->array[l], l % 2 ? 1 : 2);
        assert_int_equal(request->offset[l], l % 2 ? 4 * l : 4 * l + 4);
        assert_int_equal(request->address[l], l % 2 ? 4 + 4 * l : 132 + 4 * l + 4);
    }
}

/* ---- threads and loops ----------------------------------------------------------------------- */

static void warps_are_rows_of_threads(void **state)
{
    struct bsim_check *check = sealed_check("block 12,3,2\nshared int a[1]\nload a[0]\n");
    (void)state;
    for (uint32_t t = 0; t < 72; t++) {
        struct bsim_dim3 thread = bsim_dim3_thread(bsim_check_contents(check)->kernel->block, t);
        assert_int_equal(thread.x + 12 * thread.y + 36 * thread.z, t);
        assert_true(thread.x < 12 && thread.y < 3);
    }
    bsim_check_free(check);
}

/* Warps, in them the loops' values, the last loop's fastest, in them the accesses and their parts.
 * */
static void the_order_of_requests(void **state)
{
    struct requests requests =
        collect("block 64\nshared int a[64]\nshared int3 p[64]\nfor i=0:2 {\nfor k=9,-4 {\n"
                "load a[threadIdx.x]\nload p[threadIdx.x]\n}}\n");
    (void)state;
    assert_int_equal(requests.n, 2 * 2 * 2 * 4);
    for (size_t r = 0; r < requests.n; r++) {
        const struct bsim_check_request *request = &requests.request[r];
        assert_int_equal(request->warp, r / 16);
        assert_int_equal(requests.loop[r][0], r / 8 % 2);
        assert_int_equal(requests.loop[r][1], r / 4 % 2 == 0 ? 9 : -4);
        assert_int_equal(request->access, r % 4 > 0);
        assert_int_equal(request->part, r % 4 > 0 ? r % 4 - 1 : 0);
    }
}

static const struct {
    const char *loop;
    size_t n;
    int64_t value[8];
} loops[] = {
    {"i=0:4", 4, {0, 1, 2, 3}},
    {"i=0:16:5", 4, {0, 5, 10, 15}},
    {"i=0:15:5", 3, {0, 5, 10}},
    {"i=7:0:-3", 3, {7, 4, 1}},
    {"i=6:0:-3", 2, {6, 3}},
    {"i=-2:2:2", 2, {-2, 0}},
    {"unsigned i = 3 : 4", 1, {3}},
    {"i=5", 1, {5}},
    {"i=4,2,1", 3, {4, 2, 1}},
    {"i = N, N / 2 , 0 ;", 3, {8, 4, 0}},
    {"i = 0 : N > 4 ? 2 : 6", 2, {0, 1}},
};

static void loops_have_values(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_OF(loops); k++) {
        char text[128];
        (void)snprintf(text, sizeof text, "define N=8\nshared int a[1]\nfor %s\nload a[0]\n",
                       loops[k].loop);
        struct requests requests = collect(text);
        if (requests.n != loops[k].n) {
            fail_msg("%s: %zu turns", loops[k].loop, requests.n);
        }
        for (size_t r = 0; r < requests.n; r++) {
            assert_int_equal(requests.loop[r][0], loops[k].value[r]);
        }
    }
}

/* What C leaves undefined in a lane is a fault only if that lane uses it; a let sees loops and
 * earlier lets. */
static void undefined_lets_may_stay_unused(void **state)
{
    struct requests requests =
        collect("shared int a[512]\nfor i=1:3 {\nlet q = 64 / lane\nlet r = q * i\n"
                "if lane < 4\nload a[lane == 0 ? 7 : r]\n}\n");
    (void)state;
    assert_int_equal(requests.n, 2);
    assert_int_equal(requests.request[1].mask, 0xf);
    assert_int_equal(requests.request[1].offset[0], 4 * 7);
    assert_int_equal(requests.request[0].offset[1], 4 * 64);
    assert_int_equal(requests.request[1].offset[1], 4 * 128);
    assert_int_equal(requests.request[1].offset[3], 4 * 42);
}

/* A type before the name converts. */
static void lets_have_types(void **state)
{
    struct requests requests = collect("shared int a[64]\nlet int t = threadIdx.x\n"
                                       "let unsigned char c = 300 + t\nlet auto u = t\n"
                                       "load a[(t - 31) / 2 + 31]\nload a[c - 44]\nload a[u]\n");
    (void)state;
    assert_int_equal(requests.request[0].offset[0], 4 * 16); /* -31 / 2 is -15 */
    assert_int_equal(requests.request[1].offset[5], 4 * 5);
    assert_int_equal(requests.request[2].offset[5], 4 * 5);
}

/* Lanes that a matrix form does not ask for an address may have a bad one. */
static void unused_rows_are_not_looked_at(void **state)
{
    struct requests requests =
        collect("shared half a[8][8]\nldmatrix x1 &a[lane][8 / (lane < 8) - 8]\n");
    (void)state;
    assert_int_equal(requests.request[0].lanes, 0xff);
    assert_int_equal(requests.request[0].mask, BSIM_FULL_MASK);
    assert_int_equal(requests.request[0].offset[7], 112);
    assert_int_equal(requests.request[0].offset[8], 0);
}

/* ---- statements ------------------------------------------------------------------------------ */

static enum bsim_status add(struct bsim_check *check, const char *word, const char *text)
{
    struct bsim_error err;
    enum bsim_status status = bsim_check_add(check, word, text, "--x", &err);
    if (status != BSIM_OK) {
        fail_msg("%s %s: %s", word, text, err.message);
    }
    return status;
}

/* The last define of a name holds from the first one's place on. */
static void a_later_define_wins(void **state)
{
    static const char file[] = "define N=32\ndefine M N * 2\nshared int a[M]\nload a[0]\n";
    struct bsim_error err;
    struct bsim_check *check = bsim_check_new();
    (void)state;
    assert_int_equal(bsim_check_add_text(check, "f", file, strlen(file), &err), BSIM_OK);
    add(check, "define", "N=8");
    assert_int_equal(bsim_check_seal(check, &err), BSIM_OK);
    assert_int_equal(bsim_check_contents(check)->array[0].dimension[0], 16);
    bsim_check_free(check);
}

static void expectations_belong_to_accesses(void **state)
{
    static const char file[] =
        "expect conflicts == 0\nload a[0]\nexpect ways_max < 2 # so\nload a[1]\n"
        "expect requests * N == wavefronts\nshared int a[2]\ndefine N=1\n";
    static const size_t access[][2] = {{0, 3}, {0, 1}, {1, 1}, {0, 3}, {2, 1}}; /* from, how many */
    static const uint32_t uses[] = {1 << 4, 1 << 6, 1 << 0 | 1 << 1, 1 << 2, 1 << 5};
    struct bsim_error err;
    struct bsim_check *check = bsim_check_new();
    (void)state;
    assert_int_equal(bsim_check_add_text(check, "f", file, strlen(file), &err), BSIM_OK);
    /* Given apart, behind no access given apart. */
    add(check, "expect", "ideal > 0");
    add(check, "load", "a[0]");
    add(check, "expect", "ways_min");
    assert_int_equal(bsim_check_seal(check, &err), BSIM_OK);
    assert_int_equal(bsim_check_contents(check)->n_expectations, N_OF(access));
    for (size_t i = 0; i < N_OF(access); i++) {
        assert_int_equal(bsim_check_contents(check)->expectation[i].first_access, access[i][0]);
        assert_int_equal(bsim_check_contents(check)->expectation[i].n_accesses, access[i][1]);
        assert_int_equal(bsim_check_contents(check)->expectation[i].uses, uses[i]);
    }
    assert_string_equal(bsim_check_contents(check)->expectation[1].text, "ways_max < 2");
    assert_int_equal(bsim_check_contents(check)->expectation[1].line, 3);
    assert_null(bsim_check_contents(check)->expectation[3].file);
    bsim_check_free(check);
}

/* What stands before the last statement with accesses is not left out, in braces or not; nor is
 * what a loop has left open on a command line. */
static void expectations_leave_none_out(void **state)
{
    static const char file[] = "shared int a[2]\nload a[0]\na[0] += a[1];\nexpect conflicts == 0\n"
                               "expect ways_max < 2\nstore a[0]\nfor k = 0:2 {\n load a[k]\n"
                               " expect ideal\n}\nload a[1]\nexpect ideal\n";
    static const size_t access[][2] = {{0, 4}, {0, 4}, {4, 2}, {6, 1}, {0, 9}, {7, 2}};
    struct bsim_error err;
    struct bsim_check *check = bsim_check_new();
    (void)state;
    assert_int_equal(bsim_check_add_text(check, "f", file, strlen(file), &err), BSIM_OK);
    add(check, "expect", "ideal > 0");
    add(check, "store", "a[0]");
    add(check, "for", "k = 0:2");
    add(check, "load", "a[k]");
    add(check, "expect", "ideal > 0");
    assert_int_equal(bsim_check_seal(check, &err), BSIM_OK);
    assert_int_equal(bsim_check_contents(check)->n_expectations, N_OF(access));
    for (size_t i = 0; i < N_OF(access); i++) {
        assert_int_equal(bsim_check_contents(check)->expectation[i].first_access, access[i][0]);
        assert_int_equal(bsim_check_contents(check)->expectation[i].n_accesses, access[i][1]);
    }
    bsim_check_free(check);
}

static void expectations_hold_or_not(void **state)
{
    static const struct {
        const char *text;
        bool holds;
    } cases[] = {
        {"conflicts == 5", true},
        {"conflicts == 0", false},
        {"conflicts < 6", true},
        {"wavefronts == ideal + conflicts", true},
        {"wavefronts == ideal + excessive", true},
        {"ways_max <= 2", false},
        {"ways_min >= 1 && ways_max == 3", true},
        {"requests", true},
        {"wavefronts / requests > 2", false},
        {"sectors == 4 * requests && lines == requests", true},
        {"passes == 9", true},
        {"shared_bytes == 4224", true},
        {"shared_bytes < 4224", false},
        {"ideal - 100 > 1000", false}, /* signed: -93 */
    };
    struct bsim_site_result site = {
        .requests = 7,
        .tally = {.requests = 7,
                  .wavefronts = 12,
                  .ideal = 7,
                  .conflicts = 5,
                  .ways_min = 1,
                  .ways_max = 3},
        .global = {.sectors = 28, .lines = 7},
        .constant_passes = 9,
    };
    const struct bsim_kernel_result kernel = {.shared_bytes = 4224, .sites = &site};
    struct bsim_error err;
    (void)state;
    for (size_t k = 0; k < N_OF(cases); k++) {
        struct bsim_check *check = bsim_check_new();
        bool holds = !cases[k].holds;
        add(check, "shared", "int a[1]");
        add(check, "load", "a[0]");
        add(check, "expect", cases[k].text);
        assert_int_equal(bsim_check_seal(check, &err), BSIM_OK);
        assert_int_equal(bsim_check_expect(check, 0, &kernel, 0, &holds, &err), BSIM_OK);
        if (holds != cases[k].holds) {
            fail_msg("%s: %d", cases[k].text, holds);
        }
        bsim_check_free(check);
    }
}

/* ---- calls out of order, short memory -------------------------------------------------------- */

static void calls_in_order(void **state)
{
    struct bsim_error err;
    struct requests requests = {.n = 0};
    struct bsim_check *check = bsim_check_new();
    struct bsim_sink sink = {.push = NULL, .context = NULL};
    (void)state;
    add(check, "shared", "int a[1]");
    add(check, "load", "a[0]");
    assert_int_equal(
        bsim_check_each(check, &(struct bsim_check_visitor){.shared = keep, .context = &requests},
                        &err),
        BSIM_E_USAGE);
    assert_int_equal(bsim_check_push(check, NULL, &sink, &err), BSIM_E_USAGE);
    assert_int_equal(bsim_check_add(check, "lode", "a[0]", "x", &err), BSIM_E_USAGE);
    assert_int_equal(bsim_check_seal(check, &err), BSIM_OK);
    assert_int_equal(bsim_check_seal(check, &err), BSIM_E_USAGE);
    assert_int_equal(bsim_check_add(check, "load", "a[0]", "x", &err), BSIM_E_USAGE);
    assert_int_equal(bsim_check_add_text(check, "f", "", 0, &err), BSIM_E_USAGE);
    bsim_check_free(check);
    bsim_check_free(NULL);
}

static enum bsim_status refuse(void *context, const struct bsim_check_request *request,
                               struct bsim_error *err)
{
    (void)request;
    ++*(int *)context;
    return bsim_error_set(err, BSIM_E_IO, "enough");
}

static void a_visitor_may_stop(void **state)
{
    struct bsim_error err;
    int calls = 0;
    struct bsim_check *check = sealed_check("block 64\nshared int a[1]\nload a[0]\nload a[0]\n");
    (void)state;
    assert_int_equal(
        bsim_check_each(check, &(struct bsim_check_visitor){.shared = refuse, .context = &calls},
                        &err),
        BSIM_E_IO);
    assert_int_equal(calls, 1);
    bsim_check_free(check);
}

static enum bsim_status swallow(void *context, const struct bsim_record *record,
                                struct bsim_error *err)
{
    (void)err;
    *(bool *)context = record->kind == BSIM_RECORD_END;
    return BSIM_OK;
}

static enum bsim_status build_and_push(bool *ended, struct bsim_error *err)
{
    static const char text[] =
        "define N=4\nblock 16,4\nshared float4 a[N][16], b[4]\nfor i=0:2 { for k=1,2 {\n"
        "let p = reinterpret_cast<float (*)[64]>(a)\nlet float2 *q = (float2 *)b\nif (lane < 32) "
        "{\n"
        "load p[threadIdx.y][threadIdx.x + i * k]\nexpect conflicts == 0\nstore q[lane % 8]\n}}}\n"
        "for (int n = lane; n < 64; n += 32) { q[lane % 8] = x ? q[0] : q[1]; sync\nwork 4:2 }\n";
    struct bsim_sink sink = {.push = swallow, .context = ended};
    struct bsim_check *check = bsim_check_new();
    if (check == NULL) {
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    enum bsim_status status = bsim_check_add_text(check, "t", text, strlen(text), err);
    if (status == BSIM_OK) {
        status = bsim_check_add(check, "atomic", "add ((int *)b)[0]", "--atomic", err);
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

static void memory_may_be_short(void **state)
{
    size_t before = failing_memory_live();
    (void)state;
    for (size_t n = 0; n < 1000; n++) {
        struct bsim_error err = {.status = BSIM_OK};
        bool ended = false;
        failing_memory_fail_after(n);
        enum bsim_status status = build_and_push(&ended, &err);
        failing_memory_heal();
        assert_int_equal(failing_memory_live(), before);
        if (failing_memory_refused() == 0) {
            assert_int_equal(status, BSIM_OK);
            assert_true(ended);
            assert_true(n > 3);
            return;
        }
        if (status != BSIM_E_MEMORY || err.status != BSIM_E_MEMORY || ended) {
            fail_msg("with %zu allocations: %s, %s", n, status_name(status), err.message);
        }
    }
    fail_msg("it never went through");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_kernels),
        cmocka_unit_test(traces_count_the_same),
        cmocka_unit_test(a_trace_in_full),
        cmocka_unit_test(ways_to_say_it),
        cmocka_unit_test(opcodes_and_widths),
        cmocka_unit_test(arrays_follow_each_other),
        cmocka_unit_test(places_in_arrays),
        cmocka_unit_test(warps_are_rows_of_threads),
        cmocka_unit_test(the_order_of_requests),
        cmocka_unit_test(loops_have_values),
        cmocka_unit_test(undefined_lets_may_stay_unused),
        cmocka_unit_test(lets_have_types),
        cmocka_unit_test(unused_rows_are_not_looked_at),
        cmocka_unit_test(a_later_define_wins),
        cmocka_unit_test(expectations_belong_to_accesses),
        cmocka_unit_test(expectations_leave_none_out),
        cmocka_unit_test(expectations_hold_or_not),
        cmocka_unit_test(calls_in_order),
        cmocka_unit_test(a_visitor_may_stop),
        cmocka_unit_test(memory_may_be_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

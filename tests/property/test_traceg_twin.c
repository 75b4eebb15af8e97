/* test_traceg_twin.c - the same random accesses written twice, as an Accel-Sim trace in its three
 * address forms and as a text trace, must give the same result, number for number.
 *
 * The addresses are drawn here, and each text is written by printf from them alone: neither writer
 * nor reader of the library takes part in making them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/result.h>

#include "sim/sim.h"

#include "random_request.h"
#include "trace_text.h"

#include <inttypes.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

enum { N_TRACES = 200, N_BLOCKS = 3, N_WARPS = 2, N_ACCESSES = 40, SHARED_BYTES = 32768 };

#define SHARED_BASE UINT64_C(0x7fb139000000)
#define GLOBAL_BASE UINT64_C(0x7fc000000000)

/* What both texts can say, in the words of each. */
static const struct {
    const char *sass, *ptx;
    uint32_t bytes;
    char space;    /* 's'hared, 'g'lobal; 'S', 'G': by a generic address */
    uint32_t rows; /* of a matrix form: all lanes take part, this many addresses count */
} kinds[] = {
    {"LDS", "ld.shared.b32", 4, 's', 0},
    {"LDS.U8", "ld.shared.u8", 1, 's', 0},
    {"LDS.S16", "ld.shared.s16", 2, 's', 0},
    {"LDS.64", "ld.shared.v2.b32", 8, 's', 0},
    {"LDS.U.128", "ld.shared.v4.b32", 16, 's', 0},
    {"STS", "st.shared.b32", 4, 's', 0},
    {"STS.128", "st.shared.v4.b32", 16, 's', 0},
    {"ATOMS.ADD", "atom.shared.add.u32", 4, 's', 0},
    {"ATOMS.CAS.64", "atom.shared.cas.b64", 8, 's', 0},
    {"ATOMS.POPC.INC.32", "red.shared.popc.inc.u32", 4, 's', 0},
    {"LDSM.16.M88", "ldmatrix.sync.aligned.m8n8.x1.shared.b16", 16, 's', 8},
    {"LDSM.16.MT88.2", "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", 16, 's', 16},
    {"LDSM.16.M88.4", "ldmatrix.sync.aligned.m8n8.x4.shared.b16", 16, 's', 32},
    {"LDG.E", "ld.global.b32", 4, 'g', 0},
    {"LDG.E.U8", "ld.global.u8", 1, 'g', 0},
    {"STG.E.128", "st.global.v4.b32", 16, 'g', 0},
    {"RED.E.ADD.F32.FTZ.RN.STRONG.GPU", "red.global.add.f32", 4, 'g', 0},
    {"LD.E.64", "ld.shared.v2.b32", 8, 'S', 0},
    {"ST.E", "st.global.b32", 4, 'G', 0},
    {"STSM.16.M88.4", "stmatrix.sync.aligned.m8n8.x4.shared.b16", 16, 's', 32}, /* not on sm_80 */
};

/* Both texts of one trace. */
struct twin {
    struct random_source random;
    uint32_t binary_version;
    struct bsim_buffer traceg, text;
};

struct access {
    size_t kind;
    uint32_t mask;
    bool has_stride;
    int64_t stride;
    uint64_t offset[BSIM_WARP_LANES]; /* in the window, or from GLOBAL_BASE */
};

static uint32_t below(struct twin *twin, uint32_t n)
{
    return random_below(&twin->random, n);
}

static void draw_mask(struct twin *twin, struct access *access)
{
    access->mask = UINT32_MAX;
    if (kinds[access->kind].rows == 0 && below(twin, 2) == 0) {
        access->mask = below(twin, 2) == 0 ? (uint32_t)random_next(&twin->random) | 1
                                           : UINT32_MAX >> below(twin, 32) << below(twin, 8);
    }
    access->mask |= (access->mask == 0);
}

/* Random addresses, or some on a line, up or down. */
static void draw_addresses(struct twin *twin, struct access *access)
{
    uint32_t bytes = kinds[access->kind].bytes;
    uint32_t n = SHARED_BYTES / bytes;
    access->has_stride = below(twin, 2) == 0;
    uint32_t step = below(twin, n / 64);
    bool is_down = below(twin, 4) == 0;
    uint32_t start = below(twin, n / 2 - 32 * step) + (is_down ? n / 2 : 0);
    access->stride = (is_down ? -1 : 1) * (int64_t)(step * bytes);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        access->offset[lane] = access->has_stride
                                   ? start * bytes + (uint64_t)(access->stride * (int64_t)lane)
                                   : (uint64_t)below(twin, n) * bytes;
    }
}

/* ---- as an Accel-Sim trace ------------------------------------------------------------------- */

/* What the tracer would have seen in a lane. */
static uint64_t traced(const struct twin *twin, char space, bool is_full, uint64_t offset)
{
    uint64_t reserved = twin->binary_version >= 90 ? 1024 : 0;
    if (space == 'g' || space == 'G') {
        return GLOBAL_BASE + offset;
    }
    return (is_full || space == 'S' ? SHARED_BASE : 0) + reserved + offset;
}

static bool is_run(uint32_t mask)
{
    while ((mask & 1) == 0) {
        mask >>= 1;
    }
    return (mask & (mask + 1)) == 0;
}

static void write_traceg(struct twin *twin, const struct access *access, uint32_t pc)
{
    struct bsim_buffer *out = &twin->traceg;
    char space = kinds[access->kind].space;
    bool is_full = below(twin, 3) == 0;
    uint32_t mode = below(twin, 3);
    if (mode == 1 && !(access->has_stride && is_run(access->mask))) {
        mode = 2;
    }
    bsim_buffer_printf(out, "%04" PRIx32 " %08" PRIx32 " 1 R7 %s 2 R2 R3 4 %" PRIu32 " ", pc,
                       access->mask, kinds[access->kind].sass, mode);
    bool is_first = true;
    uint64_t before = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((access->mask >> lane & 1) == 0) {
            continue;
        }
        uint64_t address = traced(twin, space, is_full, access->offset[lane]);
        if (mode == 0 || is_first) {
            bsim_buffer_printf(out, mode == 0 ? "0x%016" PRIx64 " " : "0x%" PRIx64 " ", address);
        } else if (mode == 2) {
            bsim_buffer_printf(out, "%" PRId64 " ", (int64_t)(address - before));
        }
        before = address;
        is_first = false;
    }
    if (mode == 1) {
        bsim_buffer_printf(out, "%" PRId64 " ", access->stride);
    }
    bsim_buffer_text(out, below(twin, 2) == 0 ? "0 \n" : "\n");
}

/* ---- as a text trace ------------------------------------------------------------------------- */

static void write_text(struct twin *twin, const struct access *access, uint32_t warp)
{
    struct bsim_buffer *out = &twin->text;
    char space = kinds[access->kind].space;
    uint32_t rows = kinds[access->kind].rows;
    uint32_t lanes = rows == 0 ? access->mask : rows == 32 ? UINT32_MAX : (1u << rows) - 1;
    uint64_t base = space == 'g' || space == 'G' ? GLOBAL_BASE : 0;
    bsim_buffer_printf(out, "w%" PRIu32 " %s %08" PRIx32 " ", warp, kinds[access->kind].ptx,
                       access->mask);
    const char *comma = "";
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if (lanes >> lane & 1) {
            bsim_buffer_printf(out, "%s%" PRIu64, comma, base + access->offset[lane]);
            comma = ",";
        }
    }
    bsim_buffer_text(out, "\n");
}

/* ---- the two together ------------------------------------------------------------------------ */

/* An instruction that both or neither tell. */
static void add_instruction(struct twin *twin, uint32_t warp, uint32_t pc)
{
    struct access access;
    switch (below(twin, 8)) {
    case 0:
        bsim_buffer_printf(&twin->traceg, "%04" PRIx32 " ffffffff 1 R1 IMAD.WIDE 2 R2 R255 0 0 \n",
                           pc);
        return;
    case 1:
        bsim_buffer_printf(&twin->traceg, "%04" PRIx32 " 0000ffff 1 R1 SHFL.UP 1 R2 0 31 \n", pc);
        bsim_buffer_printf(&twin->text, "w%" PRIu32 " shfl.sync.up.b32 0000ffff -\n", warp);
        return;
    default:
        break;
    }
    access.kind = below(twin, (uint32_t)N_OF(kinds) - (twin->binary_version < 90));
    draw_mask(twin, &access);
    draw_addresses(twin, &access);
    write_traceg(twin, &access, pc);
    write_text(twin, &access, warp);
}

static void add_block(struct twin *twin, uint32_t block)
{
    bsim_buffer_printf(&twin->traceg, "\n#BEGIN_TB\n\nthread block = %" PRIu32 ",0,0\n", block);
    bsim_buffer_printf(&twin->text, "block %" PRIu32 "\n", block);
    for (uint32_t warp = 0; warp < N_WARPS; warp++) {
        bsim_buffer_printf(&twin->traceg, "\nwarp = %" PRIu32 "\ninsts = %d\n", warp,
                           N_ACCESSES + 1);
        for (uint32_t i = 0; i < N_ACCESSES; i++) {
            add_instruction(twin, warp, 16 * i);
        }
        bsim_buffer_text(&twin->traceg, "f000 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 0 \n");
        bsim_buffer_printf(&twin->text, "w%" PRIu32 " bar.sync\n", warp);
    }
    bsim_buffer_text(&twin->traceg, "\n#END_TB\n");
}

static void make_twin(struct twin *twin, uint64_t seed)
{
    *twin = (struct twin){.random = {seed}, .traceg = BSIM_BUFFER_EMPTY};
    twin->binary_version = below(twin, 2) == 0 ? 80 : 90;
    bsim_buffer_printf(&twin->traceg,
                       "-kernel name = k\n-grid dim = (%d,1,1)\n-block dim = (%d,1,1)\n"
                       "-shmem = %d\n-binary version = %" PRIu32
                       "\n-shmem base_addr = 0x%016" PRIx64 "\n"
                       "-local mem base_addr = 0x%016" PRIx64
                       "\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces format\n",
                       N_BLOCKS, 32 * N_WARPS, SHARED_BYTES, twin->binary_version, SHARED_BASE,
                       SHARED_BASE - 0x2000000);
    bsim_buffer_printf(
        &twin->text, "banksim-trace 1\nkernel k grid=%d block=%d shared=%d device=sm_%" PRIu32 "\n",
        N_BLOCKS, 32 * N_WARPS, SHARED_BYTES, twin->binary_version);
    for (uint32_t block = 0; block < N_BLOCKS; block++) {
        add_block(twin, block);
    }
    bsim_buffer_text(&twin->text, "end\n");
}

/* ---- what comes out -------------------------------------------------------------------------- */

/* The counts of each request, in order, and then the result's sums. */
static enum bsim_status log_request(void *context, const struct bsim_request_result *request,
                                    struct bsim_error *err)
{
    char name[BSIM_OPCODE_NAME_SIZE];
    (void)err;
    bsim_buffer_printf(context,
                       "%" PRIu32 " %" PRIu32 " %s %08" PRIx32 " %" PRIu32 " %" PRIu32 " %" PRIu32
                       " sectors %" PRIu32 "\n",
                       request->block.x, request->warp,
                       bsim_opcode_name(&request->event->opcode, name), request->event->mask,
                       request->counts.wavefronts, request->counts.ideal, request->counts.ways,
                       request->global.sectors);
    return BSIM_OK;
}

static struct bsim_buffer simulate(const struct bsim_buffer *trace)
{
    struct bsim_buffer log = BSIM_BUFFER_EMPTY;
    struct bsim_sim_options options = {.context = &log, .on_request = log_request};
    struct bsim_sim *sim = bsim_sim_new(&options);
    struct bsim_sink sink = bsim_sim_sink(sim);
    struct bsim_error err = {.message = ""};
    struct bsim_result result;
    if (trace_text_read(trace->data, trace->size_bytes, 1000, &sink, &err) != BSIM_OK) {
        fail_msg("%u:%u: %s\n%s", (unsigned)err.line, err.column, err.message, err.excerpt);
    }
    assert_int_equal(bsim_sim_result(sim, &result, &err), BSIM_OK);
    const struct bsim_kernel_result *kernel = &result.kernels[0];
    bsim_buffer_printf(&log, "%" PRIu64 " blocks %" PRIu64 " barriers %" PRIu64 " shuffles %s\n",
                       kernel->blocks, kernel->barriers, kernel->shuffles, kernel->device.name);
    bsim_result_free(&result);
    bsim_sim_free(sim);
    return log;
}

static void the_same_counts(void **state)
{
    (void)state;
    size_t n_lines = 0;
    for (uint64_t seed = 1; seed <= N_TRACES; seed++) {
        struct twin twin;
        make_twin(&twin, seed);
        struct bsim_buffer one = simulate(&twin.traceg);
        struct bsim_buffer other = simulate(&twin.text);
        if (strcmp(one.data, other.data) != 0) {
            size_t at = 0;
            while (one.data[at] == other.data[at]) {
                at++;
            }
            at = at > 100 ? at - 100 : 0;
            fail_msg("seed %" PRIu64 ": ...%.200s\nis not\n...%.200s", seed, one.data + at,
                     other.data + at);
        }
        for (size_t i = 0; i < one.size_bytes; i++) {
            n_lines += one.data[i] == '\n';
        }
        bsim_buffer_free(&one);
        bsim_buffer_free(&other);
        bsim_buffer_free(&twin.traceg);
        bsim_buffer_free(&twin.text);
    }
    assert_true(n_lines > (size_t)N_TRACES * N_BLOCKS * N_WARPS * N_ACCESSES / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* events.c - streams to read, write and simulate: one block of 16 warps, over and over. */
#include "bench.h"

#include <inttypes.h>
#include <string.h>

static const char *const kind_names[BENCH_N_KINDS] = {
    [BENCH_STEPS] = "lanes in step", [BENCH_LISTS] = "lists", [BENCH_GLOBAL] = "global"};

static const char *const opcode_names[BENCH_N_KINDS][BENCH_SITES] = {
    [BENCH_STEPS] = {"ld.shared.u32", "st.shared.f32", "ld.shared.v4.f32", "atom.shared.add.u32"},
    [BENCH_LISTS] = {"ld.shared.u32", "st.shared.f32", "ld.shared.v2.f32", "ld.shared.u16"},
    [BENCH_GLOBAL] = {"ld.global.f32", "st.global.f32", "ld.global.v4.f32", "ld.global.u8"},
};

uint32_t bench_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ (z >> 31)) >> 16);
}

const char *bench_kind_name(enum bench_kind kind)
{
    return kind_names[kind];
}

/* The same instructions as the machine's own. */
static const char *const sass_names[BENCH_N_KINDS][BENCH_SITES] = {
    [BENCH_STEPS] = {"LDS", "STS", "LDS.128", "ATOMS.ADD"},
    [BENCH_LISTS] = {"LDS", "STS", "LDS.64", "LDS.U16"},
    [BENCH_GLOBAL] = {"LDG.E", "STG.E", "LDG.E.128", "LDG.E.U8"},
};

/* Addresses in step, or a row whose elements lanes take in some order, as gathers and swizzles do. */
static void set_addresses(enum bench_kind kind, uint64_t *random, struct bsim_event *event)
{
    static const int64_t steps[] = {1, 1, 1, 1, 2, 33, 32, 0};
    uint32_t bytes = event->opcode.bytes;
    event->affine = kind != BENCH_LISTS;
    event->base = bytes * (bench_random(random) % 64);
    event->base += kind == BENCH_GLOBAL ? UINT64_C(1) << 32 : 0;
    event->stride = steps[bench_random(random) % 8] * (int64_t)bytes;
    event->mask = bench_random(random) % 8 == 0 ? 0x00ffffff : BSIM_FULL_MASK;
    uint32_t flip = bench_random(random) % 32, row = bench_random(random) % 64;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t column = flip < 24 ? lane ^ flip : bench_random(random) % 64;
        event->address[lane] = bytes * (32 * row + column);
    }
}

void bench_stream_make(enum bench_kind kind, struct bench_stream *stream)
{
    uint64_t random = 1 + (uint64_t)kind;
    stream->kind = kind;
    stream->kernel = (struct bsim_kernel){.name = "bench",
                                          .grid = {1 << 20, 1, 1},
                                          .block = {BENCH_WARPS * BSIM_WARP_LANES, 1, 1},
                                          .extras = ""};
    for (uint32_t i = 0; i < BENCH_SITES; i++) {
        const char *name = opcode_names[kind][i];
        stream->site[i] = (struct bsim_site){.number = i + 1, .index = i};
        if (bsim_opcode_parse(name, strlen(name), &stream->site[i].opcode, NULL) != BSIM_OK) {
            continue; /* an empty opcode, which the simulator refuses */
        }
    }
    for (uint32_t i = 0; i < BENCH_EVENTS; i++) {
        const struct bsim_site *site = &stream->site[i / BENCH_WARPS % BENCH_SITES];
        struct bsim_event *event = &stream->event[i];
        bsim_event_init(event, &site->opcode);
        event->site = site;
        event->warp = i % BENCH_WARPS;
        set_addresses(kind, &random, event);
    }
}

static enum bsim_status push(const struct bsim_sink *sink, const struct bsim_record *record,
                             enum bsim_status status, struct bsim_error *err)
{
    return status == BSIM_OK ? sink->push(sink->context, record, err) : status;
}

enum bsim_status bench_stream_push(const struct bench_stream *stream, uint32_t n_blocks,
                                   const struct bsim_sink *sink, struct bsim_error *err)
{
    struct bsim_record record = {.kind = BSIM_RECORD_KERNEL, .u.kernel = &stream->kernel};
    enum bsim_status status = push(sink, &record, BSIM_OK, err);
    for (uint32_t i = 0; i < BENCH_SITES; i++) {
        record = (struct bsim_record){.kind = BSIM_RECORD_SITE, .u.site = &stream->site[i]};
        status = push(sink, &record, status, err);
    }
    for (uint32_t block = 0; block < n_blocks && status == BSIM_OK; block++) {
        record = (struct bsim_record){.kind = BSIM_RECORD_BLOCK, .u.block = {block, 0, 0}};
        status = push(sink, &record, status, err);
        record.kind = BSIM_RECORD_EVENT;
        for (uint32_t i = 0; i < BENCH_EVENTS && status == BSIM_OK; i++) {
            record.u.event = &stream->event[i];
            status = push(sink, &record, status, err);
        }
    }
    record.kind = BSIM_RECORD_END;
    return push(sink, &record, status, err);
}

/* A line of an instruction: base and stride, or a list. */
static void write_instruction(const struct bench_stream *stream, const struct bsim_event *event,
                              FILE *file)
{
    uint32_t site = event->site->index;
    (void)fprintf(file, "%04" PRIx32 " %08" PRIx32 " 1 R2 %s 1 R4 4 %d", 16 * site, event->mask,
                  sass_names[stream->kind][site], event->affine);
    if (event->affine) {
        (void)fprintf(file, " 0x%" PRIx64 " %" PRId64, event->base, event->stride);
    }
    for (uint32_t lane = 0; !event->affine && lane < BSIM_WARP_LANES; lane++) {
        if (event->mask >> lane & 1) {
            (void)fprintf(file, " 0x%" PRIx64, event->address[lane]);
        }
    }
    (void)fputs(" 0\n", file);
}

static void write_block(const struct bench_stream *stream, uint32_t block, FILE *file)
{
    (void)fprintf(file, "#BEGIN_TB\n\nthread block = %" PRIu32 ",0,0\n", block);
    for (uint32_t warp = 0; warp < BENCH_WARPS; warp++) {
        (void)fprintf(file, "\nwarp = %" PRIu32 "\ninsts = %d\n", warp, BENCH_EVENTS / BENCH_WARPS);
        for (uint32_t i = warp; i < BENCH_EVENTS; i += BENCH_WARPS) {
            write_instruction(stream, &stream->event[i], file);
        }
    }
    (void)fputs("\n#END_TB\n\n", file);
}

bool bench_stream_traceg(const struct bench_stream *stream, uint32_t n_blocks, FILE *file)
{
    (void)fprintf(file,
                  "-kernel name = %s\n-grid dim = (%" PRIu32 ",1,1)\n-block dim = (%d,1,1)\n"
                  "-binary version = 80\n-accelsim tracer version = 5\n\n#traces format = ...\n\n",
                  stream->kernel.name, n_blocks, BENCH_WARPS * BSIM_WARP_LANES);
    for (uint32_t block = 0; block < n_blocks; block++) {
        write_block(stream, block, file);
    }
    return ferror(file) == 0;
}

/* model.c - one request: how many passes, and what happens in each; wgmma, TMA, peers. */
#include "example.h"

static struct bsim_device h200(void)
{
    struct bsim_device device;
    CHECK(bsim_device_find("h200", NULL, &device, NULL) == BSIM_OK);
    return device;
}

/* Lane l at word l * stride. */
static struct bsim_request strided(const char *opcode, uint32_t stride)
{
    struct bsim_request request = {.mask = BSIM_FULL_MASK};
    CHECK(bsim_opcode_parse(opcode, strlen(opcode), &request.opcode, NULL) == BSIM_OK);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        request.address[lane] = 4 * lane * stride;
    }
    return request;
}

static void shared_memory(void)
{
    struct bsim_device device = h200();
    struct bsim_request request = strided("ld.shared.f32", 2);
    struct bsim_counts counts, again;
    struct bsim_schedule schedule;
    bsim_request_count(&device, &request, &counts);
    CHECK(counts.wavefronts == 2 && counts.ideal == 1 && counts.ways == 2);
    CHECK(bsim_counts_excessive(&counts) == 1);

    bsim_request_schedule(&device, &request, &schedule);
    CHECK(schedule.n_passes == 2 && schedule.pass[0].n_grants == 16);
    CHECK(schedule.grant[0].bank == 0 && schedule.grant[0].lanes == 1);
    bsim_schedule_count(&device, &request, &schedule, &again);
    CHECK(again.wavefronts == counts.wavefronts && again.bytes_asked == 128);
    CHECK(bsim_device_executes(&device, &request.opcode));
}

static void other_memory(void)
{
    struct bsim_device device = h200();
    struct bsim_opcode global = strided("ld.global.f32", 1).opcode;
    struct bsim_opcode constant = strided("ld.const.f32", 1).opcode;
    struct bsim_global_counts counts;
    uint64_t address[BSIM_WARP_LANES];
    for (uint64_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        address[lane] = 4 + 4 * lane; /* a word past the line */
    }
    bsim_global_count(&device, &global, BSIM_FULL_MASK, address, &counts);
    CHECK(counts.sectors == 5 && counts.lines == 2 && counts.bytes_asked == 128);
    CHECK(bsim_constant_passes(&constant, 0xff, address) == 8);
}

/* From 16 bytes behind a line to a line: half a sector is used each time, so all come twice. In any layout the first line
 * takes two, its half sector and its whole ones, those behind it one each, and the last 16 bytes one: 6. */
static void copies(void)
{
    struct bsim_device device = h200();
    struct bsim_request request = strided("cp.async.cg.shared.global.16", 4);
    struct bsim_counts counts;
    struct bsim_global_counts fetched;
    request.has_from = true;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        request.from[lane] = 16 + 16 * lane;
    }
    bsim_request_count(&device, &request, &counts);
    CHECK(counts.wavefronts == 12 && counts.ideal == 6 && counts.ways == 2);
    CHECK(bsim_copy_count(&device, &request, &fetched) && fetched.sectors == 32);
}

/* A tile of 128 rows of 64 halves, as TMA stores it with the 128B swizzle. */
static void tensor_cores(void)
{
    struct bsim_wgmma wgmma;
    struct bsim_wgmma_descriptor b = {
        .start = 1024, .stride_bytes = 1024, .swizzle = BSIM_WGMMA_128B};
    CHECK(bsim_wgmma_parse("m64n128k16 f16", &wgmma, NULL) == BSIM_OK);
    CHECK(bsim_wgmma_wavefronts(&wgmma) == 16 + 32 && bsim_wgmma_cycles(&wgmma, 1) == 64);
    CHECK(bsim_wgmma_check(&b, wgmma.element_bytes, wgmma.n, 227 * 1024, NULL) == BSIM_OK);
    CHECK(bsim_wgmma_address(&b, wgmma.element_bytes, 0, 1) == 1024 + 128 + 16);
    b.stride_bytes = 0;
    CHECK(bsim_wgmma_check(&b, wgmma.element_bytes, wgmma.n, 227 * 1024, NULL) == BSIM_E_INPUT);
}

/* The descriptor of B, 128 columns of 64 halves, in the box; its 64 bits say the same. */
static void read_by_wgmma(const struct bsim_tma *box)
{
    struct bsim_wgmma_descriptor b, same = {.is_mn_major = false};
    CHECK(bsim_wgmma_of_box(box, 0, 0, 2, 128, false, &b) && b.stride_bytes == 1024);
    CHECK(bsim_wgmma_check_box(&b, 2, 128, box, NULL) == BSIM_OK);
    bsim_wgmma_decode(bsim_wgmma_encode(&b), &same);
    CHECK(same.start == b.start && same.stride_bytes == 1024 && same.swizzle == BSIM_WGMMA_128B);
    CHECK(strcmp(bsim_wgmma_swizzle_name(same.swizzle), "128B") == 0);
    CHECK(strcmp(bsim_tma_swizzle_name(box->swizzle), "128B") == 0);
    b.stride_bytes = 512;
    CHECK(bsim_wgmma_check_box(&b, 2, 128, box, NULL) == BSIM_E_INPUT);
}

/* The box that makes such a tile, and one whose rows are too long for the swizzle. */
static void copies_of_tiles(void)
{
    struct bsim_tma tma;
    struct bsim_tma_counts counts;
    CHECK(bsim_tma_parse("half box=64x128 swizzle=128B start=1024", &tma, NULL) == BSIM_OK);
    CHECK(bsim_tma_check(&tma, 227 * 1024, NULL) == BSIM_OK);
    CHECK(bsim_tma_rows(&tma) == 128 && bsim_tma_row_bytes(&tma) == 128);
    CHECK(bsim_tma_span(&tma) == 128 && bsim_tma_pattern_bytes(&tma) == 1024);
    CHECK(bsim_tma_address(&tma, 1, 0) == 1024 + 128 + 16);
    uint32_t row, byte;
    CHECK(bsim_tma_find(&tma, 1024 + 128 + 16, &row, &byte) && row == 1 && byte == 0);
    bsim_tma_count(&tma, &counts);
    CHECK(counts.sectors == 512 && counts.words == 4096 && counts.is_timed);
    CHECK(bsim_tma_taken_cycles(&tma, true, 0) == 0);
    CHECK(bsim_tma_taken_cycles(&tma, false, BSIM_TMA_HALF_BYTES) == 0);
    CHECK(bsim_tma_taken_cycles(&tma, false, 0) > 204);
    read_by_wgmma(&tma);
    tma.start = 1280;
    CHECK(bsim_tma_warnings(&tma) == BSIM_TMA_OFF_PATTERN);
    tma.box[0] = 128;
    CHECK(bsim_tma_check(&tma, 227 * 1024, NULL) == BSIM_E_INPUT);
}

/* Lane l reads the first word of line l of another block's shared memory. */
static void a_peer(void)
{
    struct bsim_request request = {.mask = BSIM_FULL_MASK};
    struct bsim_peer_counts counts;
    CHECK(bsim_opcode_parse("ld.shared.b32", 13, &request.opcode, NULL) == BSIM_OK);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        request.address[lane] = 128 * lane;
    }
    CHECK(bsim_peer_count(&request, &counts));
    CHECK(counts.sectors == 32 && counts.packets == 64);
    CHECK(counts.cycles == 48 && counts.cycles_both_ways == 96);
}

static void shuffles(void)
{
    CHECK(bsim_shuffle_source(BSIM_DOWN, 3, 4, 32) == 7);
    CHECK(bsim_shuffle_source(BSIM_DOWN, 3, 4, 7) == BSIM_BAD_WIDTH);
}

int main(void)
{
    shared_memory();
    other_memory();
    copies();
    tensor_cores();
    copies_of_tiles();
    a_peer();
    shuffles();
    return 0;
}

/* probe_cases.c - writes the warp requests that probe and questions issue, one per line:
 *
 *     opcode,mask,addresses                       probe_cases requests, merges
 *     opcode,mask,addresses,far addresses,label   any other set
 *
 * Addresses are for all 32 lanes; those that the mask leaves out have one too. Everything is drawn
 * from one seed, 0 unless a second argument gives another: the same file comes out everywhere.
 *
 * `requests` goes round after round over all opcodes, so that any first part of it is balanced.
 * Scalars and vectors of the same size (u64, v2.u32, v4.u16) get the same masks and addresses: what
 * differs between their counts is the opcode's doing. After the rounds come the cases around the
 * rule that merges halves of wide loads.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LANES = 32,
    SHARED_WINDOW = 131072, /* as in harness.cuh */
    ROUNDS = 380,
    LOOP_ROUNDS = 12, /* of opcodes that the compiler makes loops of */
    N_SCATTERED = 12, /* random copies and global atomics of each opcode */
    N_PARTIAL = 16,   /* constant loads of each opcode by a part of the warp */
    N_MERGES = 480,
    LINE_BITS = 7, /* of an address in a line of the L1 cache */
    FAR_BITS = 24, /* of an address of a global atomic, as in harness.cuh */
};

#define FULL 0xffffffffu
#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- chance ------------------------------------------------------------------------------- */

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t state;
static uint64_t seed;

/* The numbers that follow depend on the seed and on `what` alone. */
static void begin(uint64_t what)
{
    state = what ^ seed * UINT64_C(0xd1342543de82ef95);
}

static uint32_t next(void)
{
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

/* 0 to n - 1. */
static uint32_t below(uint32_t n)
{
    return (uint32_t)((uint64_t)next() * n >> 32);
}

/* ---- masks -------------------------------------------------------------------------------- */

static uint32_t random_mask(void)
{
    static const uint32_t combs[] = {0x55555555, 0xaaaaaaaa, 0x33333333, 0xcccccccc,
                                     0x0f0f0f0f, 0xf0f0f0f0, 0x66666666, 0x99999999,
                                     0x11111111, 0x88888888, 0x00ffff00, 0xff0000ff};
    switch (below(12)) {
    case 0:
        return next() | 1u << below(LANES);
    case 1:
        return (next() & next()) | 1u << below(LANES);
    case 2:
        return next() | next() | 1u << below(LANES); /* a few are off */
    case 3:
        return below(2) ? 0x0000ffff : 0xffff0000;
    case 4:
        return 1u << below(LANES);
    case 5:
        return FULL >> below(LANES);
    case 6:
        return combs[below(N_OF(combs))];
    case 7:
        return 0xffu << 8 * below(4);
    default:
        return FULL;
    }
}

/* ---- shared addresses, at random ---------------------------------------------------------- */

static uint32_t random_stride(uint32_t bytes)
{
    return bytes * (below(2) ? 1u << below(8) : below(130));
}

/* Lanes of first .. first + n - 1 that differ in the bits of `same` alone have one address. With
 * stride 0 the addresses are random. */
static void share(uint32_t same, uint32_t stride, uint32_t bytes, uint32_t first, uint32_t n,
                  uint32_t address[LANES])
{
    for (uint32_t lane = first; lane < first + n; lane++) {
        uint32_t leader = lane & ~same;
        bool leads = leader == lane || leader < first;
        address[lane] = !leads ? address[leader] : stride ? leader * stride : bytes * below(512);
    }
}

/* Each part of the warp shares in its own way. */
static void mixed_sharing(uint32_t bytes, uint32_t address[LANES])
{
    static const uint32_t sames[] = {0, 1, 1, 2, 2, 3, 4, 5, 6, 7};
    uint32_t size = 8u << below(3);
    uint32_t stride = below(3) ? bytes * (1u << below(3)) : 0;
    uint32_t same = sames[below(N_OF(sames))];
    for (uint32_t first = 0; first < LANES; first += size) {
        share(same, stride, bytes, first, size, address);
        same = below(2) ? same : sames[below(N_OF(sames))];
    }
}

static void shuffle(uint32_t address[LANES])
{
    for (uint32_t lane = LANES - 1; lane > 0; lane--) {
        uint32_t other = below(lane + 1);
        uint32_t mine = address[lane];
        address[lane] = address[other];
        address[other] = mine;
    }
}

static void strided(uint32_t stride, uint32_t address[LANES])
{
    for (uint32_t lane = 0; lane < LANES; lane++) {
        address[lane] = lane * stride;
    }
}

static void uniform(uint32_t bytes, uint32_t address[LANES])
{
    static const uint32_t windows[] = {32, 64, 128, 256, 512, 1024, 4096, 16384, SHARED_WINDOW};
    uint32_t window = windows[below(N_OF(windows))];
    for (uint32_t lane = 0; lane < LANES; lane++) {
        address[lane] = below(window) / bytes * bytes;
    }
}

static void few_places(uint32_t bytes, uint32_t address[LANES])
{
    uint32_t place[9];
    uint32_t n = 1 + below(9);
    for (uint32_t i = 0; i < n; i++) {
        place[i] = bytes * below(1024);
    }
    for (uint32_t lane = 0; lane < LANES; lane++) {
        address[lane] = place[below(n)];
    }
}

/* A tile, read by rows or by columns, its columns moved by XOR with the row. */
static void swizzled(uint32_t bytes, uint32_t address[LANES])
{
    uint32_t columns = 1u << below(6), swizzle = (1u << below(6)) - 1;
    uint32_t width = columns > swizzle ? columns : swizzle + 1;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t row = lane / columns;
        address[lane] = bytes * (row * width + ((lane % columns) ^ (row & swizzle)));
    }
}

/* A tile whose rows are padded, read by columns. */
static void padded(uint32_t bytes, uint32_t address[LANES])
{
    uint32_t rows = 8u << below(3), pitch = (4u << below(5)) + below(5);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        address[lane] = bytes * (lane % rows * pitch + lane / rows);
    }
}

/* As `which` says, moved to some place and now and then broken at one lane. */
static void random_addresses(uint32_t bytes, uint32_t address[LANES])
{
    static const uint32_t sames[] = {1, 1, 2, 2, 3, 4, 7, 8, 15, 16, 31};
    uint32_t base = below(2) ? bytes * below(512) : 0;
    uint32_t which = below(bytes >= 8 ? 15 : 12);
    switch (which) {
    case 0:
    case 1:
        uniform(bytes, address);
        break;
    case 2:
        strided(random_stride(bytes), address);
        break;
    case 3:
        strided(random_stride(bytes), address);
        shuffle(address);
        break;
    case 4:
        strided(0u - random_stride(bytes), address);
        base = SHARED_WINDOW - 1024;
        break;
    case 5:
        few_places(bytes, address);
        break;
    case 6:
    case 7:
        share(sames[below(N_OF(sames))], random_stride(bytes), bytes, 0, LANES, address);
        break;
    case 8:
    case 9:
        swizzled(bytes, address);
        break;
    case 10:
        padded(bytes, address);
        break;
    default:
        mixed_sharing(bytes, address);
        break;
    }
    if (below(8) == 0) {
        address[below(LANES)] = address[below(LANES)] + bytes * below(3);
    }
    for (uint32_t lane = 0; lane < LANES; lane++) {
        address[lane] = (address[lane] + base) % SHARED_WINDOW / bytes * bytes;
    }
}

/* ---- the set `requests` ------------------------------------------------------------------- */

struct opcode {
    const char *name;
    uint32_t bytes;
    uint32_t twins; /* opcodes of one number get the same cases */
    bool is_matrix;
    bool is_loop;
};

#define MATRIX(NAME, TWINS)                                  \
    {NAME ".shared.b16", 16, TWINS, true, false},            \
    {                                                        \
        NAME ".trans.shared.b16", 16, TWINS + 1, true, false \
    }

static const struct opcode opcodes[] = {
    {"ld.shared.u8", 1, 1, false, false},
    {"ld.shared.u16", 2, 2, false, false},
    {"ld.shared.v2.u8", 2, 2, false, false},
    {"ld.shared.u32", 4, 3, false, false},
    {"ld.shared.v2.u16", 4, 3, false, false},
    {"ld.shared.v4.u8", 4, 3, false, false},
    {"ld.volatile.shared.u32", 4, 4, false, false},
    {"ld.shared.b64", 8, 5, false, false},
    {"ld.shared.v2.u32", 8, 5, false, false},
    {"ld.shared.v4.u16", 8, 5, false, false},
    {"ld.shared.v2.b64", 16, 6, false, false},
    {"ld.shared.v4.u32", 16, 6, false, false},
    {"ld.volatile.shared.v4.u32", 16, 7, false, false},
    {"st.shared.u8", 1, 11, false, false},
    {"st.shared.u16", 2, 12, false, false},
    {"st.shared.v2.u8", 2, 12, false, false},
    {"st.shared.u32", 4, 13, false, false},
    {"st.shared.v2.u16", 4, 13, false, false},
    {"st.shared.v4.u8", 4, 13, false, false},
    {"st.shared.b64", 8, 15, false, false},
    {"st.shared.v2.u32", 8, 15, false, false},
    {"st.shared.v4.u16", 8, 15, false, false},
    {"st.shared.v2.b64", 16, 16, false, false},
    {"st.shared.v4.u32", 16, 16, false, false},
    {"atom.shared.add.u32", 4, 20, false, false},
    {"red.shared.add.u32", 4, 20, false, false},
    {"atom.shared.add.s32", 4, 21, false, false},
    {"atom.shared.min.u32", 4, 22, false, false},
    {"red.shared.min.u32", 4, 22, false, false},
    {"atom.shared.max.u32", 4, 23, false, false},
    {"atom.shared.max.s32", 4, 24, false, false},
    {"red.shared.max.s32", 4, 24, false, false},
    {"atom.shared.inc.u32", 4, 25, false, false},
    {"red.shared.inc.u32", 4, 25, false, false},
    {"atom.shared.dec.u32", 4, 26, false, false},
    {"red.shared.dec.u32", 4, 26, false, false},
    {"atom.shared.and.b32", 4, 27, false, false},
    {"red.shared.and.b32", 4, 27, false, false},
    {"atom.shared.or.b32", 4, 28, false, false},
    {"red.shared.or.b32", 4, 28, false, false},
    {"atom.shared.xor.b32", 4, 29, false, false},
    {"red.shared.xor.b32", 4, 29, false, false},
    {"atom.shared.exch.b32", 4, 30, false, false},
    {"atom.shared.cas.b32", 4, 31, false, false},
    {"atom.shared.exch.b64", 8, 32, false, false},
    {"atom.shared.cas.b64", 8, 33, false, false},
    MATRIX("ldmatrix.sync.aligned.m8n8.x1", 40),
    MATRIX("ldmatrix.sync.aligned.m8n8.x2", 42),
    MATRIX("ldmatrix.sync.aligned.m8n8.x4", 44),
    MATRIX("stmatrix.sync.aligned.m8n8.x1", 50),
    MATRIX("stmatrix.sync.aligned.m8n8.x2", 52),
    MATRIX("stmatrix.sync.aligned.m8n8.x4", 54),
    {"atom.shared.add.f32", 4, 60, false, true},
    {"red.shared.add.f32", 4, 60, false, true},
    {"atom.shared.add.noftz.f16x2", 4, 60, false, true},
    {"red.shared.add.noftz.f16x2", 4, 60, false, true},
    {"atom.shared.add.u64", 8, 61, false, true},
    {"red.shared.add.u64", 8, 61, false, true},
    {"atom.shared.min.u64", 8, 61, false, true},
    {"atom.shared.max.s64", 8, 61, false, true},
    {"atom.shared.and.b64", 8, 61, false, true},
    {"atom.shared.add.f64", 8, 61, false, true},
    {"red.shared.add.f64", 8, 61, false, true},
};

static void print_addresses(const uint32_t address[LANES])
{
    for (uint32_t lane = 0; lane < LANES; lane++) {
        printf("%c%lu", lane == 0 ? ',' : ' ', (unsigned long)address[lane]);
    }
}

static void print_request(const char *opcode, uint32_t mask, const uint32_t address[LANES])
{
    printf("%s,%08lx", opcode, (unsigned long)mask);
    print_addresses(address);
    printf("\n");
}

static void print_round(uint32_t round)
{
    for (size_t i = 0; i < N_OF(opcodes); i++) {
        uint32_t address[LANES];
        uint32_t mask;
        if (opcodes[i].is_loop && round >= LOOP_ROUNDS) {
            continue;
        }
        begin((uint64_t)opcodes[i].twins << 32 | round);
        mask = random_mask();
        random_addresses(opcodes[i].bytes, address);
        print_request(opcodes[i].name, opcodes[i].is_matrix ? FULL : mask, address);
    }
}

/* Every way in which the four quarters of a warp can share by ^1, by ^2, by both or not at all,
 * without bank conflicts and with random ones, with all lanes and with some. */
static void print_quarters(const char *opcode, uint32_t bytes, uint32_t n_masks)
{
    static const uint32_t masks[] = {FULL, 0x55555555, 0x77777777, 0xfffffffe, 0x0ff00ff0};
    for (uint32_t way = 0; way < 256 * n_masks; way++) {
        uint32_t address[LANES], mask = way / 256, stride;
        begin(UINT64_C(7) << 40 | (uint64_t)bytes << 32 | way);
        stride = below(2) ? bytes : 0;
        for (uint32_t quarter = 0; quarter < 4; quarter++) {
            share(way >> 2 * quarter & 3, stride, bytes, 8 * quarter, 8, address);
        }
        print_request(opcode, mask < N_OF(masks) ? masks[mask] : next() | 1, address);
    }
}

/* All lanes share by ^1 (or by ^2), but one does not; its partner takes part or does not. */
static void print_exceptions(const char *opcode, uint32_t bytes)
{
    for (uint32_t way = 0; way < 128; way++) {
        uint32_t address[LANES], same = 1 + (way & 1), lane = way >> 2;
        share(same, bytes, bytes, 0, LANES, address);
        address[lane] = bytes * (LANES + lane);
        print_request(opcode, way & 2 ? FULL : FULL & ~(1u << (lane ^ same)), address);
    }
}

static void print_requests(void)
{
    for (uint32_t round = 0; round < ROUNDS; round++) {
        print_round(round);
    }
    print_quarters("ld.shared.v2.u32", 8, 7);
    print_quarters("ld.shared.v4.u32", 16, 7);
    print_quarters("ld.shared.b64", 8, 1);
    print_quarters("ld.shared.v2.b64", 16, 1);
    print_quarters("st.shared.v2.u32", 8, 1);
    print_quarters("st.shared.v4.u32", 16, 1);
    print_exceptions("ld.shared.v2.u32", 8);
    print_exceptions("ld.shared.v4.u32", 16);
}

/* ---- the set `merges` --------------------------------------------------------------------- */

/* At most one lane of each pair. */
static uint32_t one_of_each_pair(void)
{
    uint32_t mask = 0;
    for (uint32_t lane = 0; lane < LANES; lane += 2) {
        mask |= below(4) != 0 ? 1u << (lane + below(2)) : 0;
    }
    return mask | 1;
}

/* Wide loads whose lanes share by ^1, ^2 or both, or have no partner, from places few enough to be
 * in each other's banks: their groups go together, and collide. */
static void print_merges(void)
{
    static const struct opcode wide[] = {
        {"ld.shared.b64", 8, 0, false, false},
        {"ld.shared.v2.u32", 8, 0, false, false},
        {"ld.shared.v4.u32", 16, 0, false, false},
    };
    begin(UINT64_C(11) << 40);
    for (uint32_t i = 0; i < N_MERGES; i++) {
        const struct opcode *opcode = wide + i % N_OF(wide);
        uint32_t mask = below(2) ? one_of_each_pair() : random_mask();
        uint32_t same = 1 + below(3), n = 1 + below(12), place[12], address[LANES];
        for (uint32_t j = 0; j < n; j++) {
            place[j] = opcode->bytes * below(256);
        }
        for (uint32_t lane = 0; lane < LANES; lane++) {
            address[lane] = lane & same ? address[lane & ~same] : place[below(n)];
        }
        print_request(opcode->name, mask, address);
    }
}

/* ---- the other sets: each opcode with each of some named patterns -------------------------- */

struct named {
    const char *label;
    uint32_t mask;
    uint32_t keep;   /* lanes equal in these bits have one address */
    uint32_t factor; /* in elements */
    uint32_t offset; /* in elements */
    uint32_t flip;   /* lanes are taken in the order lane ^ flip, then ^ (lane >> 3) if 32 */
};

static const struct named patterns[] = {
    {"unit", FULL, 31, 1, 0, 0},
    {"offset 1", FULL, 31, 1, 1, 0},
    {"offset 4", FULL, 31, 1, 4, 0},
    {"offset 8", FULL, 31, 1, 8, 0},
    {"offset 16", FULL, 31, 1, 16, 0},
    {"stride 2", FULL, 31, 2, 0, 0},
    {"stride 3", FULL, 31, 3, 0, 0},
    {"stride 4", FULL, 31, 4, 0, 0},
    {"stride 8", FULL, 31, 8, 0, 0},
    {"stride 16", FULL, 31, 16, 0, 0},
    {"stride 32", FULL, 31, 32, 0, 0},
    {"stride 33", FULL, 31, 33, 0, 0},
    {"reversed", FULL, 31, 1, 0, 31},
    {"pairs swapped", FULL, 31, 1, 0, 1},
    {"swizzled", FULL, 31, 1, 0, 32},
    {"one address", FULL, 0, 1, 0, 0},
    {"two addresses by lane % 2", FULL, 1, 1, 0, 0},
    {"two addresses by lane / 16", FULL, 16, 1, 0, 0},
    {"four addresses by lane % 4", FULL, 3, 1, 0, 0},
    {"eight addresses by lane % 8", FULL, 7, 1, 0, 0},
    {"sixteen addresses by lane % 16", FULL, 15, 1, 0, 0},
    {"pairs share", FULL, 30, 1, 0, 0},
    {"pairs across share", FULL, 29, 1, 0, 0},
    {"quads share", FULL, 28, 1, 0, 0},
    {"two in one bank", FULL, 1, 32, 0, 0},
    {"eight in one bank", FULL, 7, 32, 0, 0},
    {"lower half", 0x0000ffff, 31, 1, 0, 0},
    {"upper half", 0xffff0000, 31, 1, 0, 0},
    {"even lanes", 0x55555555, 31, 1, 0, 0},
    {"eight lanes", 0x0000ff00, 31, 1, 0, 0},
    {"one lane", 0x00000020, 31, 1, 0, 0},
    {"five lanes apart", 0x10081021, 31, 1, 0, 0},
    {"even lanes share", 0x55555555, 0, 1, 0, 0},
};

static void place(const struct named *pattern, uint32_t bytes, uint32_t address[LANES])
{
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t from = pattern->flip == 32 ? lane ^ (lane >> 3) : lane ^ pattern->flip;
        address[lane] = bytes * ((from & pattern->keep) * pattern->factor + pattern->offset);
    }
}

static void print_named(const char *opcode, uint32_t mask, const uint32_t address[LANES],
                        const uint32_t far[LANES], const char *label)
{
    printf("%s,%08lx", opcode, (unsigned long)mask);
    print_addresses(address);
    print_addresses(far);
    printf(",%s\n", label);
}

struct sized {
    const char *name;
    uint32_t bytes;
};

/* Each pattern with each opcode; the far side, if there is one, is coalesced. */
static void print_all(const struct sized *opcode, size_t n)
{
    for (size_t i = 0; i < n * N_OF(patterns); i++) {
        const struct named *pattern = patterns + i / n;
        const struct sized *which = opcode + i % n;
        uint32_t address[LANES], far[LANES];
        place(pattern, which->bytes, address);
        place(patterns, which->bytes, far);
        print_named(which->name, pattern->mask, address, far, pattern->label);
    }
}

/* Random addresses in a window: n runs of neighbours, as the rows of a tile are, or, if n is that
 * of the lanes, one by one. */
static void scatter(uint32_t bytes, uint32_t window, uint32_t n, uint32_t address[LANES])
{
    uint32_t size = LANES / n;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        bool starts = lane % size == 0;
        address[lane] = starts ? below(window / bytes) * bytes : address[lane - 1] + bytes;
        address[lane] %= window;
    }
}

/* Copies whose sides have nothing to do with each other. */
static void print_scattered_copies(const struct sized *opcode, size_t n)
{
    static const uint32_t windows[] = {128, 512, 1024, 4096, 32768};
    begin(UINT64_C(8) << 40);
    for (size_t i = 0; i < n * N_SCATTERED; i++) {
        const struct sized *which = opcode + i % n;
        uint32_t address[LANES], far[LANES], mask = random_mask();
        bool is_unit = i / n % 3 == 0;
        scatter(which->bytes, windows[below(N_OF(windows))], 1u << below(6), address);
        scatter(which->bytes, windows[below(N_OF(windows))], 1u << below(6), far);
        if (is_unit) {
            place(patterns, which->bytes, far);
        }
        print_named(which->name, mask, address, far, is_unit ? "random" : "both random");
    }
}

/* Copies: every pattern on the shared side, then on the global side, then the same on both; then
 * random ones. */
static void print_copies(void)
{
    static const struct sized opcode[] = {
        {"cp.async.ca.shared.global.4", 4},
        {"cp.async.ca.shared.global.8", 8},
        {"cp.async.ca.shared.global.16", 16},
        {"cp.async.cg.shared.global.16", 16},
    };
    static const size_t few[] = {1, 5, 7, 10, 12, 15, 19, 21};
    print_all(opcode, N_OF(opcode));
    for (size_t i = 0; i < N_OF(opcode) * N_OF(few); i++) {
        const struct named *pattern = patterns + few[i % N_OF(few)];
        const struct sized *which = opcode + i / N_OF(few);
        uint32_t address[LANES], far[LANES];
        char label[64];
        place(patterns, which->bytes, address);
        place(pattern, which->bytes, far);
        snprintf(label, sizeof label, "unit; global: %s", pattern->label);
        print_named(which->name, FULL, address, far, label);
        place(pattern, which->bytes, address);
        snprintf(label, sizeof label, "both: %s", pattern->label);
        print_named(which->name, FULL, address, far, label);
    }
    print_scattered_copies(opcode, N_OF(opcode));
}

/* Each of some patterns with each opcode. */
static void print_few(const struct sized *opcode, size_t n, const uint8_t *few, size_t n_few)
{
    for (size_t i = 0; i < n * n_few; i++) {
        const struct named *pattern = patterns + few[i / n];
        const struct sized *which = opcode + i % n;
        uint32_t address[LANES], far[LANES] = {0};
        place(pattern, which->bytes, address);
        print_named(which->name, pattern->mask, address, far, pattern->label);
    }
}

static void print_increments(void)
{
    static const struct sized opcode[] = {
        {"atom.shared.add.u32 1", 4}, {"atom.shared.add.u32 1 unused", 4},
        {"red.shared.add.u32 1", 4},  {"red.shared.inc.u32 max", 4},
        {"red.shared.add.u32 2", 4},  {"red.shared.add.u32 -1", 4},
    };
    static const uint8_t few[] = {0, 5, 10, 15, 16, 17, 18, 20, 21, 24, 25, 32};
    print_few(opcode, N_OF(opcode), few, N_OF(few));
}

/* Constant loads of a part of the warp, from a few addresses. */
static void print_partial_constant(const struct sized *opcode, size_t n)
{
    begin(UINT64_C(9) << 40);
    for (size_t i = 0; i < n * N_PARTIAL; i++) {
        const struct sized *which = opcode + i % n;
        uint32_t address[LANES], far[LANES] = {0}, window = which->bytes << below(10);
        scatter(which->bytes, window, LANES, address);
        print_named(which->name, random_mask() & ~(1u << below(LANES)), address, far, "random");
    }
}

/* Loads from constant memory with 1 to 32 addresses, near each other and apart. */
static void print_constant(void)
{
    static const struct sized opcode[] = {
        {"ld.const.u32", 4}, {"ld.const.u64", 8}, {"ld.const.v4.u32", 16}};
    static const uint32_t apart[] = {1, 16, 64}; /* in elements */
    for (uint32_t i = 0; i < N_OF(opcode) * N_OF(apart) * LANES; i++) {
        uint32_t n = 1 + i % LANES, stride = apart[i / LANES % N_OF(apart)];
        const struct sized *which = opcode + i / LANES / N_OF(apart);
        uint32_t address[LANES], far[LANES] = {0};
        char label[64];
        bool is_common = which->bytes == 4 && stride == 1;
        if (!is_common && ((n & (n - 1)) != 0 || (which->bytes > 4 && stride > 1))) {
            continue;
        }
        for (uint32_t lane = 0; lane < LANES; lane++) {
            address[lane] = lane % n * stride * which->bytes;
        }
        snprintf(label, sizeof label, "%lu addresses %lu bytes apart", (unsigned long)n,
                 (unsigned long)(stride * which->bytes));
        print_named(which->name, FULL, address, far, label);
    }
    print_partial_constant(opcode, N_OF(opcode));
}

static void print_global(void)
{
    static const struct sized opcode[] = {
        {"ld.global.u8", 1},      {"ld.global.u16", 2},     {"ld.global.u32", 4},
        {"ld.global.v2.u32", 8},  {"ld.global.v4.u32", 16}, {"st.global.u8", 1},
        {"st.global.u16", 2},     {"st.global.u32", 4},     {"st.global.v2.u32", 8},
        {"st.global.v4.u32", 16},
    };
    print_all(opcode, N_OF(opcode));
}

/* Is the operand of a far line kept where one of line 0 is? Lane 1 asks there for the word that lane
 * 2 wants of line 0. If so, lane 2 has to wait, and the sector that lane 0 has brought in comes
 * twice. The lines tried differ from line 0 in one bit, and in the lowest two. */
static void print_line_pairs(const char *opcode)
{
    for (uint32_t i = 0; i < (FAR_BITS - LINE_BITS) * 4; i++) {
        uint32_t far[LANES] = {0};
        uint32_t line = (1u << LINE_BITS << i / 4) ^ (i % 4 << LINE_BITS);
        uint32_t address[LANES] = {0, line + 20, 20};
        if (line != 0) {
            print_named(opcode, 7, address, far, "two lines");
        }
    }
}

/* Lanes anywhere on a few lines that may be far apart. */
static void print_scattered_atomics(const struct sized *opcode, size_t n)
{
    static const uint32_t windows[] = {8, 10, 10, 12, 16, FAR_BITS};
    begin(UINT64_C(10) << 40);
    for (size_t i = 0; i < n * N_SCATTERED; i++) {
        const struct sized *which = opcode + i % n;
        uint32_t address[LANES], lines[LANES], far[LANES] = {0};
        uint32_t n_lines = 1 + below(LANES), mask = below(2) ? FULL : random_mask();
        scatter(1u << LINE_BITS, 1u << windows[below(N_OF(windows))], LANES, lines);
        for (uint32_t lane = 0; lane < LANES; lane++) {
            uint32_t word = below((1u << LINE_BITS) / which->bytes) * which->bytes;
            address[lane] = lines[below(n_lines)] + word;
        }
        print_named(which->name, mask, address, far, "random");
    }
}

static void print_atomics(void)
{
    static const struct sized opcode[] = {
        {"atom.global.add.u32", 4},  {"red.global.add.u32", 4}, {"atom.global.cas.b32", 4},
        {"atom.global.exch.b32", 4}, {"red.global.add.f32", 4}, {"atom.global.add.u64", 8},
        {"red.global.add.u64", 8},   {"red.global.add.f64", 8}, {"atom.global.cas.b64", 8},
    };
    static const uint8_t few[] = {0, 2, 5, 8, 10, 12, 15, 16, 17, 21, 26, 28, 30};
    print_few(opcode, N_OF(opcode), few, N_OF(few));
    print_line_pairs("red.global.add.u32");
    print_scattered_atomics(opcode, N_OF(opcode));
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } sets[] = {
        {"requests", print_requests},     {"merges", print_merges},     {"copies", print_copies},
        {"increments", print_increments}, {"constant", print_constant}, {"global", print_global},
        {"atomics", print_atomics},
    };
    seed = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
    for (size_t i = 0; (argc == 2 || argc == 3) && i < N_OF(sets); i++) {
        if (strcmp(argv[1], sets[i].name) == 0) {
            sets[i].print();
            return fflush(stdout) == 0 ? 0 : 1;
        }
    }
    fprintf(
        stderr,
        "usage: probe_cases requests|merges|copies|increments|constant|global|atomics [SEED]\n");
    return 2;
}

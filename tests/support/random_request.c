/* random_request.c - see random_request.h. */
#include "random_request.h"

/* SplitMix64 (Steele, Lea, Flood 2014): every seed is a good one. */
uint64_t random_next(struct random_source *source)
{
    uint64_t z = source->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint32_t random_below(struct random_source *source, uint32_t n)
{
    return (uint32_t)((random_next(source) >> 32) * n >> 32);
}

static bool one_in(struct random_source *source, uint32_t n)
{
    return random_below(source, n) == 0;
}

/* ---- opcodes ------------------------------------------------------------------------------- */

struct shape {
    uint8_t family, bytes;
    bool is_cas;
    const char *name;
};

static const struct shape shapes[REQUEST_N_KINDS] = {
    [REQUEST_LD1] = {BSIM_LD, 1, false, "loads of 1 byte"},
    [REQUEST_LD2] = {BSIM_LD, 2, false, "loads of 2 bytes"},
    [REQUEST_LD4] = {BSIM_LD, 4, false, "loads of 4 bytes"},
    [REQUEST_LD8] = {BSIM_LD, 8, false, "loads of 8 bytes"},
    [REQUEST_LD16] = {BSIM_LD, 16, false, "loads of 16 bytes"},
    [REQUEST_ST1] = {BSIM_ST, 1, false, "stores of 1 byte"},
    [REQUEST_ST2] = {BSIM_ST, 2, false, "stores of 2 bytes"},
    [REQUEST_ST4] = {BSIM_ST, 4, false, "stores of 4 bytes"},
    [REQUEST_ST8] = {BSIM_ST, 8, false, "stores of 8 bytes"},
    [REQUEST_ST16] = {BSIM_ST, 16, false, "stores of 16 bytes"},
    [REQUEST_ATOMIC4] = {BSIM_ATOM, 4, false, "atomics of 4 bytes"},
    [REQUEST_ATOMIC8] = {BSIM_ATOM, 8, false, "atomics of 8 bytes"},
    [REQUEST_CAS4] = {BSIM_ATOM, 4, true, "cas of 4 bytes"},
    [REQUEST_CAS8] = {BSIM_ATOM, 8, true, "cas of 8 bytes"},
    [REQUEST_LDMATRIX] = {BSIM_LDMATRIX, 16, false, "ldmatrix"},
    [REQUEST_STMATRIX] = {BSIM_STMATRIX, 16, false, "stmatrix"},
};

const char *request_kind_name(enum request_kind kind)
{
    return shapes[kind].name;
}

/* One of the spellings with that many bytes: u32, v2.u16 and v4.u8 are all 4-byte accesses. */
static void random_vector(struct random_source *source, struct bsim_opcode *opcode)
{
    do {
        opcode->count = (uint8_t)(1U << random_below(source, 3));
    } while (opcode->bytes < opcode->count || opcode->bytes / opcode->count > 8);
    opcode->bits = (uint8_t)(8 * opcode->bytes / opcode->count);
    opcode->type = "busf"[random_below(source, opcode->bits >= 32 ? 4 : 3)];
    opcode->is_volatile = one_in(source, 4);
}

static void random_atomic(struct random_source *source, bool is_cas, struct bsim_opcode *opcode)
{
    static const uint8_t operations[] = {BSIM_ADD, BSIM_MIN, BSIM_MAX, BSIM_AND,
                                         BSIM_OR,  BSIM_XOR, BSIM_EXCH};
    opcode->operation = is_cas ? BSIM_CAS : operations[random_below(source, sizeof operations)];
    opcode->family = opcode->operation < BSIM_EXCH && one_in(source, 2) ? BSIM_RED : BSIM_ATOM;
    opcode->bits = (uint8_t)(8 * opcode->bytes);
    opcode->type = opcode->operation >= BSIM_AND ? 'b' : 'u';
}

static void random_opcode(struct random_source *source, const struct shape *shape,
                          struct bsim_opcode *opcode)
{
    *opcode = (struct bsim_opcode){.family = shape->family, .space = BSIM_SHARED};
    opcode->bytes = shape->bytes;
    if (shape->family == BSIM_LD || shape->family == BSIM_ST) {
        random_vector(source, opcode);
    } else if (shape->family == BSIM_ATOM) {
        random_atomic(source, shape->is_cas, opcode);
    } else {
        opcode->type = 'b';
        opcode->bits = 16;
        opcode->count = (uint8_t)(1U << random_below(source, 3));
        opcode->is_transposed = one_in(source, 2);
    }
}

/* ---- masks --------------------------------------------------------------------------------- */

static uint32_t random_mask(struct random_source *source)
{
    static const uint32_t combs[] = {0x55555555, 0xaaaaaaaa, 0x33333333, 0xcccccccc, 0x0f0f0f0f,
                                     0xf0f0f0f0, 0x66666666, 0x99999999, 0x11111111, 0x88888888};
    uint32_t lane = random_below(source, BSIM_WARP_LANES);
    switch (random_below(source, 10)) {
    case 0:
        return (uint32_t)random_next(source) | UINT32_C(1) << lane;
    case 1:
        return ((uint32_t)random_next(source) & (uint32_t)random_next(source)) | UINT32_C(1)
                                                                                     << lane;
    case 2:
        return one_in(source, 2) ? 0x0000ffff : 0xffff0000;
    case 3:
        return UINT32_C(1) << lane;
    case 4:
        return BSIM_FULL_MASK >> lane;
    case 5:
        return combs[random_below(source, sizeof combs / sizeof *combs)];
    case 6:
        return UINT32_C(0xff) << (8 * random_below(source, 4));
    default:
        return BSIM_FULL_MASK;
    }
}

/* ---- addresses ----------------------------------------------------------------------------- */

/* Fills address with 32 offsets, in steps of `bytes` at the least; the caller aligns and moves
 * them. */
typedef void pattern(struct random_source *source, uint32_t bytes,
                     uint32_t address[BSIM_WARP_LANES]);

static uint32_t random_window(struct random_source *source)
{
    static const uint32_t windows[] = {32,   64,   128,   256,    512,        1024,
                                       2048, 4096, 16384, 232448, 0x7fffffff, 0xffffffff};
    return windows[random_below(source, sizeof windows / sizeof *windows)];
}

static void uniform(struct random_source *source, uint32_t bytes, uint32_t address[])
{
    uint32_t window = random_window(source);
    (void)bytes;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        address[lane] = random_below(source, window);
    }
}

static uint32_t random_stride(struct random_source *source, uint32_t bytes)
{
    if (one_in(source, 2)) {
        return bytes << random_below(source, 9);
    }
    return bytes * random_below(source, 130);
}

static void strided(struct random_source *source, uint32_t bytes, uint32_t address[])
{
    uint32_t stride = random_stride(source, bytes);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        address[lane] = lane * stride;
    }
}

static void reversed(struct random_source *source, uint32_t bytes, uint32_t address[])
{
    uint32_t stride = random_stride(source, bytes);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        address[lane] = (BSIM_WARP_LANES - 1 - lane) * stride;
    }
}

static void one_place(struct random_source *source, uint32_t bytes, uint32_t address[])
{
    uint32_t place = bytes * random_below(source, 1024);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        address[lane] = place;
    }
}

static void few_places(struct random_source *source, uint32_t bytes, uint32_t address[])
{
    uint32_t place[8];
    uint32_t n = 2 + random_below(source, 7);
    for (uint32_t i = 0; i < n; i++) {
        place[i] = bytes * random_below(source, 1024);
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        address[lane] = place[random_below(source, n)];
    }
}

/* Lanes that differ in the bits of `same` alone ask for one address. */
static void share(uint32_t same, uint32_t stride, uint32_t first, uint32_t n, uint32_t address[])
{
    for (uint32_t lane = first; lane < first + n; lane++) {
        address[lane] = (lane & ~same) * stride;
    }
}

static void shared_by_neighbours(struct random_source *source, uint32_t bytes, uint32_t address[])
{
    static const uint32_t sames[] = {1, 1, 2, 2, 3, 4, 7, 8, 15, 16};
    uint32_t same = sames[random_below(source, sizeof sames / sizeof *sames)];
    share(same, random_stride(source, bytes), 0, BSIM_WARP_LANES, address);
}

/* One half of the warp shares with lane^1, the other with lane^2: neither holds warp-wide. */
static void shared_differently(struct random_source *source, uint32_t bytes, uint32_t address[])
{
    uint32_t same = 1 + random_below(source, 2);
    uint32_t stride = random_stride(source, bytes);
    share(same, stride, 0, BSIM_WARP_LANES / 2, address);
    share(3 - same, stride, BSIM_WARP_LANES / 2, BSIM_WARP_LANES / 2, address);
}

/* Partners at distance 3: shared by pairs of lanes, but by none of the pairs that count. */
static void shared_across(struct random_source *source, uint32_t bytes, uint32_t address[])
{
    uint32_t stride = random_stride(source, bytes);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t partner = lane ^ 3;
        address[lane] = (partner < lane ? partner : lane) * stride;
    }
}

static void permuted(struct random_source *source, uint32_t bytes, uint32_t address[])
{
    strided(source, bytes, address);
    for (uint32_t lane = BSIM_WARP_LANES - 1; lane > 0; lane--) {
        uint32_t other = random_below(source, lane + 1);
        uint32_t mine = address[lane];
        address[lane] = address[other];
        address[other] = mine;
    }
}

/* A tile read by columns, its columns moved by XOR with the row: swizzled as CUTLASS does. */
static void swizzled(struct random_source *source, uint32_t bytes, uint32_t address[])
{
    uint32_t columns = UINT32_C(1) << random_below(source, 6);
    uint32_t swizzle = (UINT32_C(1) << random_below(source, 6)) - 1;
    uint32_t width = columns > swizzle ? columns : swizzle + 1;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t row = lane / columns;
        uint32_t column = lane % columns ^ (row & swizzle);
        address[lane] = bytes * (row * width + column);
    }
}

/* A tile of n rows read by columns, its rows padded by a few elements. */
static void padded(struct random_source *source, uint32_t bytes, uint32_t address[])
{
    uint32_t rows = UINT32_C(8) << random_below(source, 3);
    uint32_t pitch = (UINT32_C(4) << random_below(source, 5)) + random_below(source, 5);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        address[lane] = bytes * (lane % rows * pitch + lane / rows);
    }
}

static pattern *const patterns[] = {
    uniform,
    uniform,
    strided,
    strided,
    reversed,
    permuted,
    swizzled,
    padded,
    one_place,
    few_places,
    shared_by_neighbours,
    shared_by_neighbours,
    shared_differently,
    shared_across,
};

/* Moves the pattern to some place in the window, breaks it at one lane now and then, and aligns
 * it. Lanes that take no part get anything. */
static void random_addresses(struct random_source *source, struct bsim_request *request)
{
    uint32_t bytes = request->opcode.bytes;
    uint32_t n_patterns = sizeof patterns / sizeof *patterns;
    uint32_t base = one_in(source, 2) ? 0 : random_below(source, random_window(source));
    uint32_t lanes = bsim_opcode_lanes(&request->opcode, request->mask);

    patterns[random_below(source, n_patterns)](source, bytes, request->address);
    if (one_in(source, 8)) {
        uint32_t lane = random_below(source, BSIM_WARP_LANES);
        request->address[lane] = request->address[lane ^ (1 + random_below(source, 31))] +
                                 bytes * random_below(source, 3);
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        bool asks = lanes >> lane & 1;
        uint32_t aligned = (request->address[lane] + base) & ~(bytes - 1);
        request->address[lane] = asks ? aligned : (uint32_t)random_next(source);
    }
}

void random_request(struct random_source *source, enum request_kind kind,
                    struct bsim_request *request)
{
    random_opcode(source, &shapes[kind], &request->opcode);
    bool is_matrix = kind == REQUEST_LDMATRIX || kind == REQUEST_STMATRIX;
    request->mask = is_matrix ? BSIM_FULL_MASK : random_mask(source);
    request->has_from = false;
    random_addresses(source, request);
}

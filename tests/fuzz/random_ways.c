/* random_ways.c - random traces, whole and broken, by all the ways of ways.h.
 *
 *     random_ways SEED RUNS [-p BANKSIM] [FILE...]
 *
 * Half of the traces are made here, with all kinds of records, some of them larger than the pieces
 * that jobs share; the others are the files'. Half of all are then changed: bytes, lines, an end.
 * The same seed gives the same traces; each depends on its own number alone. With -p, every command
 * is a process of that program.
 */
#include "ways.h"

#include <inttypes.h>

struct maker {
    uint64_t state;
    struct bsim_buffer *out;
    uint32_t n_warps, shared_bytes, n_sites;
    const struct operation *site[8];
};

struct operation {
    const char *name;
    uint32_t bytes; /* that a lane's address is a multiple of; 0: it has none */
    bool is_shared;
    bool is_matrix; /* of all lanes */
};

static const struct operation operations[] = {
    {"ld.shared.u32", 4, true, false},
    {"st.shared.f32", 4, true, false},
    {"ld.shared.u8", 1, true, false},
    {"st.shared.u16", 2, true, false},
    {"ld.shared.v2.f32", 8, true, false},
    {"st.shared.f64", 8, true, false},
    {"ld.shared.v4.u32", 16, true, false},
    {"st.volatile.shared.v4.f32", 16, true, false},
    {"atom.shared.add.u32", 4, true, false},
    {"red.shared.max.s32", 4, true, false},
    {"red.shared.popc.inc.u32", 4, true, false},
    {"atom.shared.cas.b64", 8, true, false},
    {"red.shared.add.f32", 4, true, false},
    {"cp.async.ca.shared.global.16", 16, true, false},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", 16, true, true},
    {"stmatrix.sync.aligned.m8n8.x4.trans.shared.b16", 16, true, true},
    {"ld.global.u32", 4, false, false},
    {"st.global.v4.u32", 16, false, false},
    {"red.global.add.u32", 4, false, false},
    {"ld.const.u32", 4, false, false},
    {"ld.global.nc.f32", 4, false, false},
    {"st.local.u32", 4, false, false},
    {"shfl.sync.bfly.b32", 0, false, false},
};

enum { N_OF_OPERATIONS = sizeof operations / sizeof operations[0] };

/* ---- numbers --------------------------------------------------------------------------------- */

/* splitmix64. */
static uint64_t next(struct maker *maker)
{
    uint64_t z = maker->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint32_t below(struct maker *maker, uint32_t n)
{
    return (uint32_t)(next(maker) % n);
}

static bool one_in(struct maker *maker, uint32_t n)
{
    return below(maker, n) == 0;
}

static const char *any(struct maker *maker, const char *const *values, uint32_t n)
{
    return values[below(maker, n)];
}

#define ANY(maker, values) any(maker, values, sizeof(values) / sizeof(values)[0])

/* ---- a trace --------------------------------------------------------------------------------- */

/* The bytes in which its addresses lie. Constants further apart than 64 KB refuse the trace. */
static uint32_t room_of(struct maker *maker, const struct operation *operation)
{
    bool is_constant = strncmp(operation->name, "ld.const.", 9) == 0;
    return operation->is_shared                  ? maker->shared_bytes
           : is_constant && !one_in(maker, 2000) ? 1 << 16
                                                 : 1 << 20;
}

static void put_addresses(struct maker *maker, const struct operation *operation, uint32_t mask)
{
    uint32_t bytes = operation->bytes, room = room_of(maker, operation);
    if (bytes == 0) {
        bsim_buffer_text(maker->out, "-");
        return;
    }
    if (!one_in(maker, 3)) {
        static const uint32_t factors[] = {0, 1, 1, 2, 3, 4, 8, 16, 32, 33};
        uint32_t stride = bytes * factors[below(maker, 10)];
        stride = 31 * stride + bytes > room ? 0 : stride;
        uint32_t n = (room - 31 * stride) / bytes;
        bsim_buffer_printf(maker->out, "%" PRIu32 "+%" PRIu32, bytes * below(maker, n), stride);
        return;
    }
    const char *comma = "";
    for (uint32_t lane = 0; lane < 32; lane++) {
        if ((mask >> lane & 1) != 0) {
            bsim_buffer_printf(maker->out, "%s%" PRIu32, comma, bytes * below(maker, room / bytes));
            comma = ",";
        }
    }
}

static void put_who(struct maker *maker)
{
    if (one_in(maker, 6)) {
        bsim_buffer_text(maker->out, "w* ");
    } else {
        bsim_buffer_printf(maker->out, "w%" PRIu32 " ", below(maker, maker->n_warps));
    }
}

static void put_access(struct maker *maker)
{
    static const char *const attributes[] = {"", "", "", "", " wait=0", " wait=1", " wait=7 "};
    const struct operation *operation = &operations[below(maker, N_OF_OPERATIONS)];
    uint32_t mask = one_in(maker, 3) ? (uint32_t)next(maker) | 1 : UINT32_MAX;
    put_who(maker);
    if (maker->n_sites > 0 && !one_in(maker, 4)) {
        uint32_t site = below(maker, maker->n_sites);
        operation = maker->site[site];
        bsim_buffer_printf(maker->out, "@%" PRIu32, site + 1);
    } else {
        bsim_buffer_text(maker->out, operation->name);
    }
    mask = operation->is_matrix ? UINT32_MAX : mask;
    bsim_buffer_printf(maker->out, " %08" PRIx32 " ", mask);
    put_addresses(maker, operation, mask);
    bsim_buffer_text(maker->out, ANY(maker, attributes));
    if (operation->is_shared && one_in(maker, 20)) {
        bsim_buffer_printf(maker->out, " expect.%s=%" PRIu32,
                           one_in(maker, 2) ? "wavefronts" : "conflicts", below(maker, 3));
    }
    bsim_buffer_text(maker->out, one_in(maker, 30) ? " # why\n" : "\n");
}

static void put_event(struct maker *maker)
{
    switch (below(maker, 12)) {
    case 0:
        bsim_buffer_text(maker->out, "w* bar.sync\n");
        break;
    case 1:
        put_who(maker);
        bsim_buffer_printf(maker->out, "work %" PRIu32 ":%" PRIu32 "\n", 1 + below(maker, 9),
                           below(maker, 40));
        break;
    default:
        put_access(maker);
        break;
    }
}

static void put_body(struct maker *maker, uint32_t depth)
{
    for (uint32_t n = below(maker, 8); n > 0; n--) {
        if (depth < 3 && one_in(maker, 10)) {
            bsim_buffer_printf(maker->out, "repeat %" PRIu32 "%s\n", 1 + below(maker, 9),
                               one_in(maker, 2) ? " work=2:9" : "");
            put_body(maker, depth + 1);
            bsim_buffer_text(maker->out, "done\n");
        } else {
            put_event(maker);
        }
    }
}

static void put_site(struct maker *maker)
{
    static const char *const places[] = {"", "", " at=a.cu:7", " text=\"s[i] = \\\"x\\\", 1\"",
                                         " at=k,l.cu:0 text=\"<a> & b\""};
    const struct operation *operation = &operations[below(maker, N_OF_OPERATIONS)];
    maker->site[maker->n_sites++] = operation;
    bsim_buffer_printf(maker->out, "site %" PRIu32 " %s%s\n", maker->n_sites, operation->name,
                       ANY(maker, places));
}

static void put_kernel(struct maker *maker, uint32_t n_blocks)
{
    static const struct {
        const char *text;
        uint32_t n_warps;
    } shapes[] = {{"32", 1}, {"64", 2}, {"1", 1}, {"8,8,2", 4}, {"33", 2}, {"1024", 32}};
    static const uint32_t windows[] = {1024, 4096, 49152};
    static const char *const devices[] = {"", "", "", " device=h200", " device=sm_90"};
    uint32_t shape = below(maker, 6);
    maker->n_warps = shapes[shape].n_warps;
    maker->shared_bytes = windows[below(maker, 3)];
    maker->n_sites = 0;
    bsim_buffer_printf(maker->out, "kernel k%" PRIu32 " grid=7,5 block=%s shared=%" PRIu32 "%s\n",
                       below(maker, 4), shapes[shape].text, maker->shared_bytes,
                       ANY(maker, devices));
    for (uint32_t n = below(maker, 6); n > 0; n--) {
        put_site(maker);
    }
    for (; n_blocks > 0; n_blocks--) {
        bsim_buffer_printf(maker->out, "block %" PRIu32 ",%" PRIu32 "\n", below(maker, 7),
                           below(maker, 5));
        if (maker->n_sites < 8 && one_in(maker, 9)) {
            put_site(maker);
        }
        put_body(maker, 0);
    }
}

static void put_trace(struct maker *maker)
{
    bool is_large = one_in(maker, 8);
    bsim_buffer_text(maker->out, "banksim-trace 1\n");
    for (uint32_t n = below(maker, 4); n > 0; n--) {
        put_kernel(maker, below(maker, is_large ? 400 : 8));
    }
    bsim_buffer_text(maker->out, "end\n");
}

/* ---- changes --------------------------------------------------------------------------------- */

/* From the line's first byte to behind its last, of a line that is hit by chance. */
static void find_line(struct maker *maker, const struct bsim_buffer *text, size_t *from, size_t *to)
{
    *from = *to = below(maker, (uint32_t)text->size_bytes);
    while (*from > 0 && text->data[*from - 1] != '\n') {
        --*from;
    }
    while (*to < text->size_bytes && text->data[(*to)++] != '\n') {
    }
}

/* Puts bytes in place of those from `from` to `to`. */
static void put_in_place(struct bsim_buffer *text, size_t from, size_t to, const char *bytes,
                         size_t n)
{
    struct bsim_buffer changed = BSIM_BUFFER_EMPTY;
    bsim_buffer_add(&changed, text->data, from);
    bsim_buffer_add(&changed, bytes, n);
    bsim_buffer_add(&changed, text->data + to, text->size_bytes - to);
    bsim_buffer_free(text);
    *text = changed;
}

static void change(struct maker *maker, struct bsim_buffer *text)
{
    static const char *const words[] = {
        "block 0\n", "end\n",  "\n",     "#",    "18446744073709551615",
        "done\n",    "site 1", "repeat", "0*32", "kernel k block=32\n"};
    size_t from, to, other, behind;
    find_line(maker, text, &from, &to);
    find_line(maker, text, &other, &behind);
    const char *word = ANY(maker, words);
    char byte = (char)below(maker, 256);
    switch (below(maker, 6)) {
    case 0: /* a line goes */
        put_in_place(text, from, to, "", 0);
        break;
    case 1: { /* one comes in place of another */
        struct bsim_buffer line = BSIM_BUFFER_EMPTY;
        bsim_buffer_add(&line, text->data + other, behind - other);
        put_in_place(text, from, one_in(maker, 2) ? to : from, line.data, line.size_bytes);
        bsim_buffer_free(&line);
        break;
    }
    case 2: /* a word */
        put_in_place(text, from, from, word, strlen(word));
        break;
    case 3: /* it ends here */
        put_in_place(text, from + below(maker, (uint32_t)(to - from)), text->size_bytes, "", 0);
        break;
    default: /* another byte */
        from += below(maker, (uint32_t)(to - from));
        byte = one_in(maker, 2) ? (char)(text->data[from] ^ 1) : byte;
        put_in_place(text, from, from + 1, &byte, 1);
        break;
    }
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void load(const char *path, struct bsim_buffer *text)
{
    char piece[4096];
    size_t n;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    while ((n = fread(piece, 1, sizeof piece, file)) > 0) {
        bsim_buffer_add(text, piece, n);
    }
    fclose(file);
}

static int run(uint64_t seed, const char *program, char *const *files, uint32_t n_files)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct maker maker = {.state = seed, .out = &text};
    bool is_made = n_files == 0 || one_in(&maker, 2);
    if (is_made) {
        put_trace(&maker);
    } else {
        load(files[below(&maker, n_files)], &text);
    }
    for (uint32_t n = one_in(&maker, 2) ? 1 + below(&maker, 3) : 0; n > 0 && text.size_bytes > 0;
         n--) {
        change(&maker, &text);
    }
    struct bsim_buffer bytes = fuzz_repaired((const uint8_t *)text.data, text.size_bytes);
    int code = fuzz_require_ways(program, (const uint8_t *)(bytes.data != NULL ? bytes.data : ""),
                                 bytes.size_bytes, next(&maker) >> 1);
    bsim_buffer_free(&bytes);
    bsim_buffer_free(&text);
    return code;
}

int main(int n_arguments, char **argument)
{
    uint64_t n_of[4] = {0};
    bool has_program = n_arguments > 4 && strcmp(argument[3], "-p") == 0;
    int first = has_program ? 5 : 3;
    if (n_arguments < 3) {
        fputs("usage: random_ways SEED RUNS [-p BANKSIM] [FILE...]\n", stderr);
        return 2;
    }
    uint64_t seed = strtoull(argument[1], NULL, 10);
    uint64_t runs = strtoull(argument[2], NULL, 10);
    for (uint64_t i = 0; i < runs; i++) {
        int code = run((seed + i) * UINT64_C(0x9e3779b97f4a7c15), has_program ? argument[4] : NULL,
                       argument + first, (uint32_t)(n_arguments - first));
        REQUIRE(code >= 0 && code <= 3);
        n_of[code]++;
    }
    printf("%" PRIu64 " traces from seed %" PRIu64
           ", each the same by every way: exit code 0 %" PRIu64 ", 1 %" PRIu64 ", 2 %" PRIu64
           ", 3 %" PRIu64 "\n",
           runs, seed, n_of[0], n_of[1], n_of[2], n_of[3]);
    return 0;
}

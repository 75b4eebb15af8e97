/* timing_cases.c - the programs that the cycle model is held to: drawn, and written as CUDA.
 *
 *      timing_cases grid                    a fixed set: each access alone, by 1 to 32 warps
 *      timing_cases random SEED COUNT       random ones; the same everywhere
 *      timing_cases work                    a fixed set: arithmetic of each kind, alone, in pairs and
 *                                           beside loads
 *      timing_cases mixed SEED COUNT        random ones with arithmetic of several kinds
 *      timing_cases rhythms                 a fixed set: what takes one time or another
 *      timing_cases pairs                   a fixed set: kernels' loops without a padding, then with one
 *      timing_cases barriers                a fixed set: short loops of few warps around barriers
 *      timing_cases blocks SEED COUNT       random ones of both sorts, for several blocks on an SM
 *      timing_cases cuda PART PARTS <LIST   every PARTS-th program of a list as a kernel
 *
 * A list has a program per line, its name and what it does:
 *
 *      r7-012 W=4 U=1 dep ld4:33 st16:4 bar ld4:1 bar
 *
 * W warps of a block; the accesses in the order given, in a loop, U copies of them in a turn.
 * ld4:S, st16:S, red4:S, ...: lane l accesses bytes at l * S * the width (ldsm4: a row of 16); `bar`
 * is a barrier of the block. ind: accesses do not depend on each other, what is loaded is summed up.
 * dep: each address, and what is stored, comes from the value that was loaded last.
 * mix: with arithmetic. ffma:64 is 64 multiply-adds in eight chains, ffma/1:64 in one, ffma+iadd:8
 * eight of both in turns; operands of 32 bits are what was loaded last.
 *
 * Accesses must stay what they are: loads and stores are volatile, shared memory holds zeros.
 * timing.cuh has the kernels' frame. What ptxas makes of a program (order, merged ldmatrix, waits) is
 * read from its machine code by timing_trace.c.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ACCESSES = 8, MAX_TEXT = 160, MAX_NAME = 32, CHAINS = 8 };

/* ---- drawing ---------------------------------------------------------------------------------- */

static uint64_t state;

/* xorshift64*; Vigna, An experimental exploration of Marsaglia's xorshift generators, 2016. */
static uint32_t draw(uint32_t n)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * UINT64_C(2685821657736338717)) >> 33) % n;
}

#define PICK(table) table[draw(sizeof(table) / sizeof(table)[0])]

static void draw_access(char *text, size_t size)
{
    /* As often as kernels have them: plain loads and stores before wide ones and atomics. */
    static const char *const kinds[] = {
        "ld4", "ld4",  "ld4",  "ld4", "ld4", "st4",  "st4",  "st4",   "st4",  "ld8",
        "ld8", "ld16", "ld16", "st8", "st8", "st16", "st16", "ldsm4", "red4", "atom4",
    };
    static const unsigned strides[] = {1, 1, 1, 1, 0, 2, 3, 4, 5, 8, 16, 17, 32, 33};
    const char *kind = PICK(kinds);
    unsigned stride = PICK(strides);
    if (strcmp(kind, "red4") == 0 && stride == 0) {
        stride = 1; /* of reductions of one address the compiler makes one per warp */
    }
    snprintf(text, size, " %s:%u", kind, stride);
}

static unsigned draw_warps(void)
{
    static const unsigned warps[] = {1, 1, 2, 2, 4, 4, 4, 4, 8, 8, 8, 8, 16, 16, 16, 32, 32, 32};
    return PICK(warps);
}

static void print_random(char set, uint64_t seed, unsigned number)
{
    static const unsigned copies[] = {1, 1, 2, 4};
    unsigned n = 1 + draw(6), n_warps = draw_warps();
    unsigned barrier = draw(100) < 55 ? draw(n + 1) : n + 1;
    unsigned u = barrier > n && n <= 2 ? PICK(copies) : 1;
    printf("%c%llu-%03u W=%u U=%u %s", set, (unsigned long long)seed, number, n_warps, u,
           draw(10) < 3 ? "dep" : "ind");
    for (unsigned i = 0; i <= n; i++) {
        char access[16] = "";
        if (i < n) {
            draw_access(access, sizeof access);
        }
        printf("%s%s", i == barrier ? " bar" : "", access);
    }
    printf("%s\n", barrier <= n ? " bar" : "");
}

/* Arithmetic as timing.cuh has it, as often as kernels do, and how often in a row. */
static void draw_work(char *text, size_t size)
{
    static const char *const kinds[] = {
        "ffma", "ffma", "ffma", "ffma", "fadd", "fmul", "iadd", "iadd", "iadd", "lop",
        "imad", "imad", "shf",  "prmt", "min",  "hfma", "hfma", "dfma", "dadd", "ex2",
        "rsq",  "sin",  "popc", "i2f",  "f2i",  "pack", "mma",  "fmax",
    };
    static const unsigned counts[] = {1, 2, 4, 4, 8, 8, 16, 16, 32, 64};
    static const unsigned chains[] = {8, 8, 8, 4, 2, 1};
    const char *kind = PICK(kinds);
    unsigned count = PICK(counts), n = PICK(chains);
    if (strcmp(kind, "mma") == 0) {
        count = count > 16 ? 16 : count;
        n = n > 4 ? 4 : n;
    }
    if (n == CHAINS) {
        snprintf(text, size, " %s:%u", kind, count);
    } else {
        snprintf(text, size, " %s/%u:%u", kind, n, count);
    }
}

static void print_mixed(char set, uint64_t seed, unsigned number)
{
    static const unsigned warps[] = {1, 2, 4, 4, 8, 8, 8, 8, 16, 16, 16, 32, 32};
    unsigned n_accesses = draw(4), n_works = 1 + draw(3), left = n_accesses + n_works;
    unsigned n = left, n_warps = PICK(warps);
    unsigned barrier = draw(100) < 30 ? draw(n + 1) : n + 1;
    printf("%c%llu-%03u W=%u U=1 mix", set, (unsigned long long)seed, number, n_warps);
    for (unsigned i = 0; i <= n; i++, left--) {
        char word[24] = "";
        printf("%s", i == barrier ? " bar" : "");
        if (i < n && draw(left) < n_accesses) {
            n_accesses--;
            draw_access(word, sizeof word);
        } else if (i < n) {
            draw_work(word, sizeof word);
        }
        printf("%s", word);
    }
    printf("%s\n", barrier <= n ? " bar" : "");
}

static unsigned n_printed;

static void print_work(unsigned warps, const char *what)
{
    printf("k-%03u W=%u U=1 mix %s\n", n_printed++, warps, what);
}

/* Each kind in one chain and in eight; each two of some; some beside loads; a product's inner loop,
 * with and without conflicts. */
static void print_works(void)
{
    static const char *const alone[] = {
        "ffma", "fadd", "fmul", "hfma",  "bfma", "hadd", "iadd", "lop",     "imad",  "imadhi",
        "shf",  "prmt", "min",  "fmax",  "sel",  "i2f",  "f2i",  "ex2",     "rsq",   "rcp",
        "sin",  "popc", "brev", "flo",   "dadd", "dfma", "pack", "mulwide", "add64", "vote",
        "mma",  "mma8", "imma", "mmatf", "f2d",  "i2d",  "dp4a", "d2f",     "lea",   "dmma",
    };
    static const char *const some[] = {"ffma", "iadd", "lop",  "imad", "shf", "hfma",
                                       "dfma", "ex2",  "popc", "i2f",  "mma", "pack"};
    static const char *const loads[] = {"ld4:1 ld4:1 ld4:1 ld4:1", "ld16:1", "ld4:32"};
    static const char *const products[] = {"ld16:0 ld16:1", "ld16:1 ld16:4", "ld16:4 ld16:4",
                                           "ld16:2 ld16:2", "ld16:0 ld16:8", "ld16:1 ld16:3",
                                           "ld4:1 ld4:33",  "ld4:1 ld4:32",  "ld4:1 ld4:8"};
    static const char *const tiles[] = {
        "ld16:0 ld16:0 ld16:1 ld16:1", "ld16:1 ld16:1 ld16:1 ld16:1", "ld16:0 ld16:0 ld16:2 ld16:2",
        "ld16:0 ld16:0 ld16:8 ld16:8", "ld16:1 ld16:1 ld16:4 ld16:1"};
    enum { N_ALONE = sizeof alone / sizeof alone[0], N_SOME = sizeof some / sizeof some[0] };
    char what[MAX_TEXT];
    for (unsigned i = 0; i < N_ALONE; i++) {
        for (unsigned warps = 1; warps <= 32; warps = warps == 1 ? 4 : 2 * warps) {
            unsigned n = strstr(alone[i], "mma") != NULL ? 8 : 32;
            snprintf(what, sizeof what, "%s:%u", alone[i], n);
            print_work(warps, what);
            snprintf(what, sizeof what, "%s/1:%u", alone[i], n);
            print_work(warps, what);
        }
    }
    for (unsigned i = 0; i < N_SOME; i++) {
        for (unsigned k = i + 1; k < N_SOME; k++) {
            for (unsigned warps = 4; warps <= 32; warps *= warps == 4 ? 2 : 4) {
                snprintf(what, sizeof what, "%s+%s:16", some[i], some[k]);
                print_work(warps, what);
            }
        }
    }
    for (unsigned i = 0; i < N_SOME; i++) {
        for (unsigned k = 0; k < sizeof loads / sizeof loads[0]; k++) {
            for (unsigned warps = 1; warps <= 32; warps = warps == 1 ? 8 : 4 * warps) {
                snprintf(what, sizeof what, "%s %s:%u", loads[k], some[i], i % 2 == 0 ? 32 : 8);
                print_work(warps, what);
            }
        }
    }
    for (unsigned i = 0; i < sizeof products / sizeof products[0]; i++) {
        for (unsigned warps = 1; warps <= 16; warps = warps == 1 ? 4 : 2 * warps) {
            snprintf(what, sizeof what, "%s ffma:64", products[i]);
            print_work(warps, what);
            snprintf(what, sizeof what, "%s ffma:16 iadd:4", products[i]);
            print_work(warps, what);
        }
    }
    for (unsigned i = 0; i < sizeof tiles / sizeof tiles[0]; i++) {
        for (unsigned warps = 1; warps <= 16; warps = warps == 1 ? 4 : 2 * warps) {
            snprintf(what, sizeof what, "%s outer:8", tiles[i]);
            print_work(warps, what);
            snprintf(what, sizeof what, "outer:8 %s", tiles[i]);
            print_work(warps, what);
        }
    }
}

static void print_grid(void)
{
    static const char *const programs[] = {
        "U=8 ind ld4:1",
        "U=8 ind ld8:1",
        "U=8 ind ld16:1",
        "U=8 ind st4:1",
        "U=8 ind st8:1",
        "U=8 ind st16:1",
        "U=8 ind ldsm4:1",
        "U=8 ind atom4:1",
        "U=8 ind red4:1",
        "U=8 ind ld4:2",
        "U=8 ind st4:2",
        "U=8 ind ld4:8",
        "U=8 ind st4:8",
        "U=8 ind ld4:32",
        "U=8 ind st4:32",
        "U=4 dep ld4:0",
        "U=4 dep ld4:1",
        "U=4 dep ld4:4",
        "U=4 dep ld4:32",
        "U=4 dep ld8:1",
        "U=4 dep ld16:1",
        "U=4 dep atom4:1",
        "U=4 dep ldsm4:1",
        "U=1 ind bar",
        "U=1 ind st4:1 ld4:1",
        "U=1 ind ld4:1 ld4:32",
        "U=1 dep st4:1 bar ld4:1 bar",
        "U=1 dep st4:1 bar ld4:32 bar",
        "U=1 dep st4:32 bar ld4:1 bar",
        "U=1 dep st4:32 bar ld4:32 bar",
    };
    unsigned number = 0;
    for (unsigned warps = 1; warps <= 32; warps *= 2) {
        for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
            printf("g-%03u W=%u %s\n", number++, warps, programs[i]);
        }
    }
}

/* Programs that the model was most wrong about, or that took another time in another run. */
static void print_rhythms(void)
{
    static const char *const programs[] = {
        "W=4 U=1 dep st8:8 atom4:1",
        "W=4 U=1 ind ld4:8 st4:3 ld4:2 ld16:1 ld4:1 ld4:5",
        "W=8 U=8 ind ld4:1",
        "W=4 U=8 ind ld4:1",
        "W=16 U=1 ind red4:1",
        "W=32 U=1 ind red4:1",
        "W=32 U=1 ind st4:8 bar st4:2 bar",
        "W=32 U=1 ind st16:1 st4:4 bar st8:1 bar",
        "W=8 U=1 ind st4:8 bar",
        "W=32 U=1 ind st4:32 bar",
        "W=1 U=1 ind bar st16:32 bar",
        "W=16 U=1 mix ld4:1 ld4:32 ffma:64",
        "W=32 U=1 mix hfma/1:32",
        "W=16 U=1 mix dfma:4",
        "W=32 U=1 mix prmt/1:2",
        "W=16 U=1 mix imad:2",
    };
    for (unsigned i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        printf("p-%03u %s\n", i, programs[i]);
    }
}

/* What 1, 2 and 4 warps do around barriers, so that blocks of an SM go side by side or take turns. */
static void print_barriers(void)
{
    static const char *const programs[] = {
        "st4:1 bar",
        "ld4:1 bar",
        "st4:4 bar",
        "ld4:4 bar",
        "st4:8 bar",
        "ld4:8 bar",
        "st4:16 bar",
        "ld4:16 bar",
        "st4:32 bar",
        "ld4:32 bar",
        "atom4:1 bar",
        "red4:1 bar",
        "atom4:8 bar",
        "red4:8 bar",
        "atom4:32 bar",
        "red4:32 bar",
        "st4:1 bar ld4:1 bar",
        "st4:8 bar ld4:1 bar",
        "st4:1 bar ld4:8 bar",
        "st4:8 bar ld4:8 bar",
        "st4:32 bar ld4:4 bar",
        "st4:4 bar ld4:32 bar",
        "st4:1 bar bar",
        "st4:1 ld4:1 bar",
        "ld4:1 st4:1 bar",
        "st4:1 st4:1 st4:1 bar",
        "st4:8 bar bar",
        "st4:1 ld4:8 bar",
        "ld4:8 st4:1 bar",
        "st4:8 st4:1 st4:1 bar",
        "st4:32 bar bar",
        "st4:1 ld4:32 bar",
        "ld4:32 st4:1 bar",
        "st4:32 st4:1 st4:1 bar",
        "bar",
        "bar bar bar",
    };
    unsigned number = 0;
    for (unsigned warps = 1; warps <= 4; warps *= 2) {
        for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
            printf("f-%03u W=%u U=1 ind %s\n", number++, warps, programs[i]);
        }
    }
}

/* Each without a padding, so that rows begin in the same banks, and with one: transposes, products, sums over
 * rows, tables, by two numbers of warps. */
static void print_pairs(void)
{
    static const struct {
        unsigned few, many;
        const char *kind, *plain, *padded;
    } pairs[] = {
        {8, 32, "ind", "st4:1 bar ld4:32 bar", "st4:1 bar ld4:33 bar"},
        {4, 16, "ind", "st4:32 bar ld4:1 bar", "st4:33 bar ld4:1 bar"},
        {8, 16, "mix", "st4:1 bar ld4:16 iadd:8 bar", "st4:1 bar ld4:17 iadd:8 bar"},
        {4, 8, "mix", "st8:1 bar ld8:16 dadd:4 bar", "st8:1 bar ld8:17 dadd:4 bar"},
        {8, 16, "ind", "st16:8 bar ld16:1 bar", "st16:9 bar ld16:1 bar"},
        {8, 32, "mix", "ld4:0 ld4:32 ffma:8", "ld4:0 ld4:33 ffma:8"},
        {4, 16, "mix", "ld4:16 ld4:1 ffma:32", "ld4:17 ld4:1 ffma:32"},
        {4, 8, "mix", "ld16:0 ld16:4 ffma:48", "ld16:0 ld16:5 ffma:48"},
        {2, 8, "mix", "ld8:1 ld8:8 ffma:24 iadd:4", "ld8:1 ld8:9 ffma:24 iadd:4"},
        {1, 16, "mix", "ld4:8 ld4:4 fadd:4 st4:8", "ld4:9 ld4:5 fadd:4 st4:9"},
        {4, 8, "mix", "ld16:8 ld16:8 mma:2", "ld16:9 ld16:9 mma:2"},
        {4, 16, "mix", "atom4:32 iadd:8", "atom4:33 iadd:8"},
        {1, 8, "dep", "ld4:32 ld4:1", "ld4:33 ld4:1"},
        {8, 32, "mix", "ld4:2 ex2:4 fmul:8", "ld4:3 ex2:4 fmul:8"},
    };
    for (unsigned i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        for (unsigned is_many = 0; is_many < 2; is_many++) {
            unsigned warps = is_many ? pairs[i].many : pairs[i].few, n = 4 * i + 2 * is_many;
            printf("c-%03u W=%u U=1 %s %s\n", n, warps, pairs[i].kind, pairs[i].plain);
            printf("c-%03u W=%u U=1 %s %s\n", n + 1, warps, pairs[i].kind, pairs[i].padded);
        }
    }
}

/* ---- CUDA ------------------------------------------------------------------------------------- */

struct access {
    char kind[24];   /* or arithmetic, with its chains */
    unsigned stride; /* or how often */
};

struct program {
    char name[MAX_NAME];
    unsigned warps, copies;
    int is_dependent, is_mixed;
    unsigned n;
    struct access access[MAX_ACCESSES];
};

static int parse(const char *line, struct program *program)
{
    char kind[8];
    int at = 0;
    memset(program, 0, sizeof *program);
    if (sscanf(line, "%31s W=%u U=%u %7s%n", program->name, &program->warps, &program->copies, kind,
               &at) != 4) {
        return 0;
    }
    program->is_dependent = strcmp(kind, "dep") == 0;
    program->is_mixed = strcmp(kind, "mix") == 0;
    for (const char *rest = line + at; program->n < MAX_ACCESSES; rest += at) {
        char word[32];
        struct access *access = &program->access[program->n];
        if (sscanf(rest, "%31s%n", word, &at) != 1) {
            break;
        }
        if (sscanf(word, "%23[^:]:%u", access->kind, &access->stride) < 1) {
            return 0;
        }
        program->n++;
    }
    return program->n > 0;
}

static int is_barrier(const struct access *access)
{
    return strcmp(access->kind, "bar") == 0;
}

/* The address of a lane: in ind, one of those made before the loop. */
static void print_address(const struct program *program, unsigned i)
{
    printf("at%u%s", i, program->is_dependent ? " + value" : "");
}

static int is_access(const struct access *access)
{
    static const char *const families[] = {"ldsm4", "ld", "st", "red4", "atom4"};
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        size_t length = strlen(families[i]);
        if (strncmp(access->kind, families[i], length) == 0) {
            return 1;
        }
    }
    return 0;
}

/* The next kind of "ffma+iadd/4", to be taken off from *text; an empty one at its end. */
static void next_kind(const char **text, char kind[24])
{
    size_t length = strcspn(*text, "+/");
    snprintf(kind, 24, "%.*s", (int)length, *text);
    *text += length;
    *text += **text == '+';
}

/* Arithmetic: the n-th instruction belongs to chain n mod chains, and takes two of what was loaded. */
static void print_arithmetic(const struct access *access)
{
    const char *slash = strchr(access->kind, '/');
    unsigned chains = slash != NULL ? (unsigned)strtoul(slash + 1, NULL, 10) : CHAINS;
    for (unsigned n = 0; n < access->stride; n++) {
        const char *rest = access->kind;
        char kind[24];
        for (next_kind(&rest, kind); kind[0] != '\0'; next_kind(&rest, kind)) {
            unsigned operand = n + n / chains;
            printf("    DO_%s(%u, v%u, v%u)\\\n", kind, n % chains, operand % 4, (operand + 1) % 4);
        }
    }
}

/* What a chain's value is. */
static const char *type_of(const char *kind)
{
    static const char *const names[][2] = {
        {"mulwide", "64"},   {"add64", "64"},   {"dadd", "F64"},    {"dfma", "F64"},
        {"dmma", "F64"},     {"mma", "MATRIX"}, {"mma8", "MATRIX"}, {"imma", "MATRIX"},
        {"mmatf", "MATRIX"}, {"outer", "ROW"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(kind, names[i][0]) == 0) {
            return names[i][1];
        }
    }
    return "32";
}

/* The values of the chains, each kind once. */
static void print_chains(const struct program *program, const char *macro)
{
    char done[MAX_TEXT * 2] = " ";
    for (unsigned i = 0; i < program->n; i++) {
        const char *rest = program->access[i].kind;
        char kind[24], word[32];
        if (is_access(&program->access[i]) || strcmp(rest, "bar") == 0) {
            continue;
        }
        for (next_kind(&rest, kind); kind[0] != '\0'; next_kind(&rest, kind)) {
            snprintf(word, sizeof word, " %s ", kind);
            if (strstr(done, word) == NULL) {
                printf(" %s(%s, %s)", macro, type_of(kind), kind);
                strcat(done, word + 1);
            }
        }
    }
}

static void print_body(const struct program *program)
{
    for (unsigned i = 0; i < program->n; i++) {
        const struct access *access = &program->access[i];
        if (is_barrier(access)) {
            printf("    __syncthreads();\\\n");
            continue;
        }
        if (!is_access(access)) {
            print_arithmetic(access);
            continue;
        }
        printf("    %s_%s(",
               program->is_dependent ? "DEP"
               : program->is_mixed   ? "MIX"
                                     : "IND",
               access->kind);
        print_address(program, i);
        printf(")\\\n");
    }
}

static unsigned width(const struct access *access)
{
    unsigned bytes =
        (unsigned)strtoul(access->kind + strcspn(access->kind, "0123456789"), NULL, 10);
    return strncmp(access->kind, "ldsm", 4) == 0 ? 16 : bytes;
}

static void print_kernel(const struct program *program)
{
    char id[MAX_NAME];
    snprintf(id, sizeof id, "%s", program->name);
    for (char *c = id; *c != '\0'; c++) {
        *c = *c == '-' ? '_' : *c;
    }
    printf("#define BODY_%s \\\n", id);
    for (unsigned copy = 0; copy < program->copies; copy++) {
        print_body(program);
    }
    printf("\n#define ADDRESSES_%s", id);
    for (unsigned i = 0; i < program->n; i++) {
        if (is_access(&program->access[i])) {
            printf(" uint32_t at%u = start + (lane * %uu & 0x3fffu);", i,
                   program->access[i].stride * width(&program->access[i]));
        }
    }
    if (program->is_mixed) {
        printf(" LOADED");
        print_chains(program, "CHAINS");
    }
    printf("\n#define AFTER_%s", id);
    print_chains(program, "USE_CHAINS");
    printf("\nPROGRAM(%s, BODY_%s, ADDRESSES_%s, AFTER_%s)\n", id, id, id, id);
    printf("static const struct program program_%s(\"%s\", %u, %s);\n", id, program->name,
           program->warps, id);
}

static int print_cuda(unsigned part, unsigned parts)
{
    char line[MAX_TEXT];
    struct program program;
    printf("#include \"timing.cuh\"\n");
    for (unsigned i = 0; fgets(line, sizeof line, stdin) != NULL; i++) {
        if (!parse(line, &program)) {
            fprintf(stderr, "timing_cases: no program: %s", line);
            return 1;
        }
        if (i % parts == part) {
            print_kernel(&program);
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "grid") == 0) {
        print_grid();
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "work") == 0) {
        print_works();
        return 0;
    }
    if (argc == 4 && strcmp(argv[1], "cuda") == 0) {
        return print_cuda((unsigned)strtoul(argv[2], NULL, 10),
                          (unsigned)strtoul(argv[3], NULL, 10));
    }
    if (argc == 2 && strcmp(argv[1], "rhythms") == 0) {
        print_rhythms();
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "pairs") == 0) {
        print_pairs();
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "barriers") == 0) {
        print_barriers();
        return 0;
    }
    static const char *const sets[] = {"random", "mixed", "blocks"};
    size_t set = 0;
    while (set < 3 && argc == 4 && strcmp(argv[1], sets[set]) != 0) {
        set++;
    }
    if (argc != 4 || set == 3) {
        fprintf(stderr, "usage: timing_cases grid | work | rhythms | pairs | barriers | "
                        "random SEED COUNT | mixed SEED COUNT | blocks SEED COUNT | cuda PART PARTS\n");
        return 2;
    }
    uint64_t seed = strtoull(argv[2], NULL, 10);
    state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
    for (unsigned i = 0; i < (unsigned)strtoul(argv[3], NULL, 10); i++) {
        if (set == 1 || (set == 2 && i % 3 > 0)) {
            print_mixed(sets[set][0], seed, i);
        } else {
            print_random(sets[set][0], seed, i);
        }
    }
    return 0;
}

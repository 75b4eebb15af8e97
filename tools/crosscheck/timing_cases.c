/* timing_cases.c - the programs that the cycle model is held to: drawn, and written as CUDA.
 *
 *      timing_cases grid                    a fixed set: each access alone, by 1 to 32 warps
 *      timing_cases random SEED COUNT       random ones; the same everywhere
 *      timing_cases cuda PART PARTS <LIST   every PARTS-th program of a list as a kernel
 *
 * A list has a program per line, its name and what it does:
 *
 *      r7-012 W=4 U=1 dep ld4:33 st16:4 bar ld4:1 bar
 *
 * W warps of one block (W=0+4: the warps 0 and 4 alone); the accesses in the order given, in a loop, U copies of them in a turn.
 * ld4:S, st16:S, red4:S, ...: lane l accesses bytes at l * S * the width (ldsm4: a row of 16); `bar`
 * is a barrier of the block. ind: accesses do not depend on each other, what is loaded is summed up.
 * dep: each address, and what is stored, comes from the value that was loaded last.
 *
 * Accesses must stay what they are: loads and stores are volatile, shared memory holds zeros.
 * timing.cuh has the kernels' frame. What ptxas makes of a program (order, merged ldmatrix, waits) is
 * read from its machine code by timing_trace.c.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ACCESSES = 8, MAX_TEXT = 128, MAX_NAME = 32 };

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

static void print_random(uint64_t seed, unsigned number)
{
    static const unsigned warps[] = {1, 1, 2, 2, 4, 4, 4, 4, 8, 8, 8, 8, 16, 16, 16, 32, 32, 32};
    static const unsigned copies[] = {1, 1, 2, 4};
    unsigned n = 1 + draw(6), n_warps = PICK(warps);
    unsigned barrier = draw(100) < 55 ? draw(n + 1) : n + 1;
    unsigned u = barrier > n && n <= 2 ? PICK(copies) : 1;
    printf("r%llu-%03u W=%u U=%u %s", (unsigned long long)seed, number, n_warps, u,
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

/* ---- CUDA ------------------------------------------------------------------------------------- */

struct access {
    char kind[8];
    unsigned stride;
};

struct program {
    char name[MAX_NAME];
    uint32_t warps; /* a bit each */
    unsigned copies;
    int is_dependent;
    unsigned n;
    struct access access[MAX_ACCESSES];
};

/* "8": warps 0 to 7; "0+4": those two. */
static uint32_t parse_warps(const char *text)
{
    uint32_t warps = 0, n = (uint32_t)strtoul(text, NULL, 10);
    if (strchr(text, '+') == NULL) {
        return n < 32 ? (UINT32_C(1) << n) - 1 : UINT32_MAX;
    }
    for (const char *number = text - 1; number != NULL; number = strchr(number + 1, '+')) {
        warps |= UINT32_C(1) << strtoul(number + 1, NULL, 10) % 32;
    }
    return warps;
}

static int parse(const char *line, struct program *program)
{
    char kind[8], warps[64];
    int at = 0;
    memset(program, 0, sizeof *program);
    if (sscanf(line, "%31s W=%63s U=%u %7s%n", program->name, warps, &program->copies, kind, &at) !=
        4) {
        return 0;
    }
    program->warps = parse_warps(warps);
    program->is_dependent = strcmp(kind, "dep") == 0;
    for (const char *rest = line + at; program->n < MAX_ACCESSES; rest += at) {
        char word[32];
        struct access *access = &program->access[program->n];
        if (sscanf(rest, "%31s%n", word, &at) != 1) {
            break;
        }
        if (sscanf(word, "%7[^:]:%u", access->kind, &access->stride) < 1) {
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

static void print_body(const struct program *program)
{
    for (unsigned i = 0; i < program->n; i++) {
        const struct access *access = &program->access[i];
        if (is_barrier(access)) {
            printf("    __syncthreads();\\\n");
            continue;
        }
        printf("    %s_%s(", program->is_dependent ? "DEP" : "IND", access->kind);
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
        if (!is_barrier(&program->access[i])) {
            printf(" uint32_t at%u = start + (lane * %uu & 0x3fffu);", i,
                   program->access[i].stride * width(&program->access[i]));
        }
    }
    printf("\nPROGRAM(%s, BODY_%s, ADDRESSES_%s)\n", id, id, id);
    printf("static const struct program program_%s(\"%s\", 0x%x, %s);\n", id, program->name,
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
    if (argc == 4 && strcmp(argv[1], "cuda") == 0) {
        return print_cuda((unsigned)strtoul(argv[2], NULL, 10),
                          (unsigned)strtoul(argv[3], NULL, 10));
    }
    if (argc != 4 || strcmp(argv[1], "random") != 0) {
        fprintf(stderr, "usage: timing_cases grid | random SEED COUNT | cuda PART PARTS\n");
        return 2;
    }
    uint64_t seed = strtoull(argv[2], NULL, 10);
    state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
    for (unsigned i = 0; i < (unsigned)strtoul(argv[3], NULL, 10); i++) {
        print_random(seed, i);
    }
    return 0;
}

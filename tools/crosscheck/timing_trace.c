/* timing_trace.c - machine code to traces: what the compiler made of the timed programs.
 *
 *      timing_trace LIST <SASS
 *
 * LIST is timing_cases.c's list of programs, SASS what `cuobjdump -sass` says of their kernels. For
 * each program the trace has the accesses and barriers of its loop in the order of the machine code.
 * Instructions between them become `work`, registers become `wait`:
 *
 *      LDS R8, [R4]            w* ld.shared.u32 ffffffff 0+4 wait=1     R8: a result two loads back
 *      FFMA R5, R24, R32, R5   w* work 1 fp32
 *      VIADD R2, R2, 0x1       w* work 1:3 imad             the next one wants R5
 *      FFMA R6, R5, R33, R6    w* work 1 fp32
 *
 * A wait counts the loads that may still be under way: ptxas writes into each instruction which of six
 * scoreboards it awaits, and which one its own result sets; results come in order. Each instruction is an event, those
 * that count the loop's turns too. In front of the loop stand the two barriers of the frame (timing.cuh).
 * A program whose machine code does not have its accesses (merged ldmatrix and reductions are fine)
 * is left out and named.
 *
 * The clocks are those that ptxas leaves between an instruction and the next. There are two banks of registers; what an
 * instruction reads of each is told:
 *
 *      FFMA R8, R19.reuse, R11, R10        w* work 1 fp32 reads=1+2
 *      FFMA R4, R19, R15, R13              w* work 1 fp32 reads=0+3 reuse=0+1         R19 is at hand
 *
 * Not where there are products of matrices: of these the model counts itself, and where a bank cannot give what is read
 * in time that counts as so much `fp32` more, which takes nothing but clocks of issue.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_LINE = 512,
    MAX_PROGRAMS = 2048,
    MAX_CODE = 1024,
    MAX_OPERANDS = 8,
    REGISTERS = 256,
    MAX_ACCESSES = 8,
    SCOREBOARDS = 6,
    NO_SCOREBOARD = 7,
    TURNS = 128,
};

struct access {
    char kind[24];
    unsigned stride;
};

struct program {
    char name[32], id[32];
    uint32_t warps; /* a bit each */
    unsigned n_warps, copies, n;
    struct access access[MAX_ACCESSES];
};

struct instruction {
    unsigned long at;
    char opcode[48];
    char operand[MAX_OPERANDS][48];
    unsigned n_operands;
    /* As ptxas has written: clocks to the warp's next one; the scoreboard that its result sets, or
     * NO_SCOREBOARD; those that it waits for, a bit each. */
    unsigned stall, sets, awaits;
};

static struct program programs[MAX_PROGRAMS];
static size_t n_programs;
static struct instruction code[MAX_CODE];
static size_t n_code;

/* ---- the list --------------------------------------------------------------------------------- */

static const char *opcode_of(const char *kind)
{
    static const char *const names[][2] = {
        {"ld4", "ld.shared.u32"},
        {"ld8", "ld.shared.v2.u32"},
        {"ld16", "ld.shared.v4.u32"},
        {"st4", "st.shared.u32"},
        {"st8", "st.shared.v2.u32"},
        {"st16", "st.shared.v4.u32"},
        {"atom4", "atom.shared.or.b32"},
        {"red4", "red.shared.or.b32"},
        {"ldsm4", "ldmatrix.sync.aligned.m8n8.x4.shared.b16"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i][0], kind) == 0) {
            return names[i][1];
        }
    }
    return NULL;
}

/* "8": all of 8 warps; "0+4": those two. */
static void read_warps(const char *text, struct program *program)
{
    program->n_warps = (unsigned)strtoul(text, NULL, 10);
    for (const char *number = strchr(text, '+') == NULL ? NULL : text - 1; number != NULL;
         number = strchr(number + 1, '+')) {
        unsigned warp = (unsigned)strtoul(number + 1, NULL, 10) % 32;
        program->warps |= UINT32_C(1) << warp;
        program->n_warps = warp + 1;
    }
}

static int read_program(const char *line, struct program *program)
{
    char kind[8], word[32], warps[64];
    int at = 0;
    memset(program, 0, sizeof *program);
    if (sscanf(line, "%31s W=%63s U=%u %7s%n", program->name, warps, &program->copies, kind, &at) !=
        4) {
        return 0;
    }
    read_warps(warps, program);
    for (const char *rest = line + at;
         program->n < MAX_ACCESSES && sscanf(rest, "%31s%n", word, &at) == 1; rest += at) {
        struct access *access = &program->access[program->n];
        if (sscanf(word, "%23[^:]:%u", access->kind, &access->stride) < 1) {
            return 0;
        }
        program->n += opcode_of(access->kind) != NULL || strcmp(access->kind, "bar") == 0;
    }
    memcpy(program->id, program->name, sizeof program->id);
    for (char *c = program->id; *c != '\0'; c++) {
        *c = *c == '-' ? '_' : *c;
    }
    return 1;
}

static int read_list(const char *path)
{
    char line[MAX_LINE];
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL && n_programs < MAX_PROGRAMS) {
        n_programs += read_program(line, &programs[n_programs]) != 0;
    }
    if (file != NULL) {
        fclose(file);
    }
    return n_programs > 0;
}

/* ---- machine code ----------------------------------------------------------------------------- */

static void read_operands(char *text, struct instruction *i)
{
    for (char *part = strtok(text, ","); part != NULL && i->n_operands < MAX_OPERANDS;
         part = strtok(NULL, ",")) {
        part += strspn(part, " ");
        snprintf(i->operand[i->n_operands], sizeof i->operand[0], "%.*s", (int)strcspn(part, " "),
                 part);
        i->n_operands++;
    }
}

/* "/-*0240*-/  @P0 BRA 0x220 ;" is an instruction; a comment that begins with a blank is not. */
static int read_instruction(char *line, struct instruction *i)
{
    int length = 0;
    char *end = strchr(line, ';');
    memset(i, 0, sizeof *i);
    line += strspn(line, " \t");
    if (end == NULL || sscanf(line, "/*%lx*/%n", &i->at, &length) != 1 || length == 0) {
        return 0;
    }
    *end = '\0';
    line += length;
    line += strspn(line, " ");
    if (line[0] == '@') {
        line += strcspn(line, " ");
        line += strspn(line, " ");
    }
    if (sscanf(line, "%47s%n", i->opcode, &length) != 1) {
        return 0;
    }
    read_operands(line + length, i);
    return 1;
}

/* The upper half of an instruction's code has a line of its own: bits 41 to 44 are the stall, 46 to 48
 * the scoreboard, 52 to 57 those awaited. */
static void read_control(const char *line, struct instruction *i)
{
    unsigned long long bits;
    line += strspn(line, " \t");
    if (sscanf(line, "/* 0x%llx", &bits) == 1) {
        i->stall = (unsigned)(bits >> 41 & 15);
        i->sets = (unsigned)(bits >> 46 & 7);
        i->awaits = (unsigned)(bits >> 52 & 63);
    }
}

static int is(const struct instruction *i, const char *opcode)
{
    size_t length = strlen(opcode);
    return strncmp(i->opcode, opcode, length) == 0 &&
           (i->opcode[length] == '\0' || i->opcode[length] == '.');
}

/* Registers named in text, as a set: R4, R4.64 (two), [R4+UR5+0x10], -R4. */
static unsigned registers_in(const char *text, unsigned found[], unsigned n)
{
    for (const char *c = text; *c != '\0'; c++) {
        char before = c > text ? c[-1] : ' ';
        if (*c == 'R' && before != 'U' && c[1] >= '0' && c[1] <= '9') {
            found[n++] = (unsigned)strtoul(c + 1, NULL, 10) % REGISTERS;
        }
    }
    return n;
}

static const char *suffix_of(const struct instruction *i)
{
    return strstr(i->opcode, ".128") != NULL || strstr(i->opcode, ".4") != NULL ? "16"
           : strstr(i->opcode, ".64") != NULL                                   ? "8"
                                                                                : "4";
}

/* The access's kind in the list's words, or "". */
static void kind_of(const struct instruction *i, char kind[8])
{
    int is_atomic = is(i, "ATOMS");
    const char *family =
        is(i, "LDS")    ? "ld"
        : is(i, "STS")  ? "st"
        : is(i, "LDSM") ? "ldsm"
        : is_atomic ? (strcmp(i->operand[0], "RZ") == 0 || i->operand[0][0] == '[' ? "red" : "atom")
        : is(i, "BAR") ? "bar"
                       : "";
    int sized = family[0] != '\0' && strcmp(family, "bar") != 0;
    snprintf(kind, 8, "%s%s", family,
             !sized                       ? ""
             : is(i, "LDSM") || is_atomic ? "4"
                                          : suffix_of(i));
}

static unsigned size_of(const char *kind)
{
    return strcmp(kind, "ldsm4") == 0
               ? 16
               : (unsigned)strtoul(kind + strcspn(kind, "0123456789"), NULL, 10);
}

static int has_result(const char *kind)
{
    return strncmp(kind, "ld", 2) == 0 || strncmp(kind, "atom", 4) == 0;
}

/* ---- registers to waits ----------------------------------------------------------------------- */

enum { BY_WORK = -1 };

struct dependences {
    long setter[SCOREBOARDS]; /* the number of the load that set it last, or BY_WORK */
    long n_loads;
};

/* How many loads may be under way when the instruction issues; -1: any number. */
static long wait_for(const struct dependences *d, const struct instruction *i)
{
    long youngest = BY_WORK;
    for (unsigned k = 0; k < SCOREBOARDS; k++) {
        if ((i->awaits >> k & 1) != 0 && d->setter[k] > youngest) {
            youngest = d->setter[k];
        }
    }
    return youngest == BY_WORK ? -1 : d->n_loads - 1 - youngest;
}

static void set_scoreboard(struct dependences *d, const struct instruction *i, long setter)
{
    if (i->sets < SCOREBOARDS) {
        d->setter[i->sets] = setter;
    }
}

/* ---- the loop --------------------------------------------------------------------------------- */

static void print_wait(long wait)
{
    if (wait >= 0) {
        printf(" wait=%ld", wait);
    }
    printf("\n");
}

/* ---- instructions -------------------------------------------------------------------------------- */

struct class
{
    const char *name;
    const char *opcode[28];
};

/* The classes of the trace; an H200's pipes. */
static const struct class classes[] = {
    {"fp32", {"FADD", "FMUL", "FFMA"}},
    {"imad", {"IMAD", "IDP", "VIADD"}}, /* VIADD R2, R2, 0x1 issues a clock before an IADD3, so not in its pipe */
    {"half", {"HFMA2", "HADD2", "HMUL2"}},
    {"fp64", {"DADD", "DMUL", "DFMA", "DSETP"}},
    {"xu", {"MUFU", "POPC", "FLO", "BREV", "F2I", "I2F", "F2F"}},
    {"tensor", {"HMMA", "IMMA"}},
    {"int", {"IADD3", "VIADD",  "LOP3",  "SHF",   "PRMT", "SEL",  "FSEL",
             "FMNMX", "VIMNMX", "IMNMX", "I2FP",  "F2FP", "LEA",  "ISETP",
             "FSETP", "MOV",    "VOTE",  "PLOP3", "SGXT", "IABS", "P2R"}},
};

enum {
    FP64 = 3,        /* its place among them */
    XU_LATENCY = 17, /* of the special functions, which no stall covers */
    BANK_BEHIND = 2, /* reads that a bank of registers may be behind */
    PLACES = 3,      /* of registers in an instruction */
};

/* Of the two kinds of half that ptxas takes by turns one has the pipe of fp64. */
static int is_half_as_fp64(const struct instruction *i)
{
    return strncmp(i->opcode, "HFMA2.MMA", strlen("HFMA2.MMA")) == 0;
}

static const struct class *class_of(const struct instruction *i)
{
    if (is_half_as_fp64(i)) {
        return &classes[FP64];
    }
    for (size_t c = 0; c < sizeof classes / sizeof classes[0]; c++) {
        const char *const *opcode = classes[c].opcode;
        for (; *opcode != NULL; opcode++) {
            size_t length = strcspn(i->opcode, ".");
            if (length == strlen(*opcode) && strncmp(i->opcode, *opcode, length) == 0) {
                return &classes[c];
            }
        }
    }
    return NULL;
}

/* Its registers are pairs. */
static int is_of_doubles(const struct instruction *i)
{
    return class_of(i) == &classes[FP64] && !is_half_as_fp64(i);
}

struct reads
{
    unsigned n[2], reused[2]; /* of each bank, and how many of these are at hand */
};

struct turn {
    const char *who;                    /* NULL: nothing is printed */
    unsigned long now;                  /* the next instruction issues no sooner */
    unsigned long special[SCOREBOARDS]; /* when the special functions have set it */
    unsigned behind[2];                 /* reads that each bank of registers has yet to do */
    unsigned kept[2 * MAX_OPERANDS], n_kept; /* registers that the instruction before has marked to be used again */
    int tells_reads;           /* or counts as fp32 what their banks make wait: of behind and kept, else of marked and reads */
    unsigned marked[PLACES];   /* registers that are marked to be used again in that place, + 1 */
    struct reads reads;        /* of the instruction that has no event yet */
    const struct class *class; /* of it */
    unsigned n;                /* how many of its kind it counts for; 0: there is none */
    unsigned long begun;
    long wait, waited; /* of it; and what somebody has waited for before */
};

static void print_banks(const char *key, const unsigned n[2])
{
    if (n[0] + n[1] > 0) {
        printf(" %s=%u+%u", key, n[0], n[1]);
    }
}

/* The event that ends where the next one begins. */
static void flush(struct turn *m, unsigned long end)
{
    if (m->n > 0 && m->who != NULL) {
        printf("%s work %u", m->who, m->n);
        if (end - m->begun > m->n) {
            printf(":%lu", end - m->begun);
        }
        printf(" %s", m->class->name);
        print_banks("reads", m->reads.n);
        print_banks("reuse", m->reads.reused);
        print_wait(m->wait);
    }
    m->n = 0;
    m->wait = -1;
}

static int is_among(const unsigned some[], unsigned n, unsigned reg)
{
    for (unsigned k = 0; k < n; k++) {
        if (some[k] == reg) {
            return 1;
        }
    }
    return 0;
}

/* Adds what an instruction reads to what the two banks of registers have yet to give: a double is a register of
 * each, read once where it is named twice; others are read as often as they are named. What the instruction before
 * has marked `.reuse` is still at hand and not read. */
static void read_banks(struct turn *m, const struct instruction *i, int is_double)
{
    unsigned read[2 * MAX_OPERANDS], kept[2 * MAX_OPERANDS], n_read = 0, n_kept = 0;
    for (unsigned k = 1; k < i->n_operands; k++) {
        unsigned found[MAX_OPERANDS], n = registers_in(i->operand[k], found, 0);
        for (unsigned half = 0; n == 1 && half <= (unsigned)is_double; half++) {
            unsigned reg = found[0] + half;
            int is_there = is_among(m->kept, m->n_kept, reg) || (is_double && is_among(read, n_read, reg));
            m->behind[reg % 2] += !is_there;
            read[n_read++] = reg;
            if (strstr(i->operand[k], ".reuse") != NULL) {
                kept[n_kept++] = reg;
            }
        }
    }
    memcpy(m->kept, kept, n_kept * sizeof *kept);
    m->n_kept = n_kept;
}

static unsigned first_source(const struct instruction *i)
{
    return is(i, "ISETP") || is(i, "FSETP") || is(i, "DSETP") ? 2 : 1;
}

/* What an instruction reads of the banks. A register that is marked `.reuse` is at hand for the next one that reads it in
 * the same place, and after that if this marks it again. A double is read once where it is named twice. */
static struct reads reads_of(struct turn *m, const struct instruction *i)
{
    int is_double = is_of_doubles(i);
    struct reads r = {{0, 0}, {0, 0}};
    unsigned seen[PLACES], n_seen = 0;
    for (unsigned place = 0; place < PLACES && first_source(i) + place < i->n_operands; place++) {
        const char *operand = i->operand[first_source(i) + place];
        unsigned found[MAX_OPERANDS];
        if (registers_in(operand, found, 0) != 1) {
            continue;
        }
        int is_there = m->marked[place] == found[0] + 1, is_pair = is_double || (place == 2 && is(i, "IMAD.WIDE"));
        m->marked[place] = strstr(operand, ".reuse") != NULL ? found[0] + 1 : is_there ? 0 : m->marked[place];
        for (unsigned half = 0; half <= (unsigned)is_pair && !(is_double && is_among(seen, n_seen, found[0])); half++) {
            r.n[(found[0] + half) % 2]++;
            r.reused[(found[0] + half) % 2] += (unsigned)is_there;
        }
        seen[n_seen++] = found[0];
    }
    return r;
}

/* Clocks of issue that an instruction takes: each bank gives one register a clock, and what an instruction reads
 * comes within three, so that two may be left when the next one issues. A double that reads two of each takes the
 * two clocks of its pipe. */
static unsigned slots_of(struct turn *m, const struct instruction *i, const struct class *class)
{
    unsigned slots = 1;
    int is_double = is_of_doubles(i);
    if (strcmp(class->name, "tensor") == 0) {
        return 1;
    }
    read_banks(m, i, is_double);
    for (unsigned bank = 0; bank < 2; bank++) {
        slots = m->behind[bank] > slots + BANK_BEHIND ? m->behind[bank] - BANK_BEHIND : slots;
    }
    for (unsigned bank = 0; bank < 2; bank++) {
        m->behind[bank] -= m->behind[bank] < slots ? m->behind[bank] : slots;
    }
    return is_double && slots == 2 ? 1 : slots;
}

/* When an instruction can issue, the loads that it awaits aside. */
static unsigned long issue_time(const struct turn *m, const struct instruction *i)
{
    unsigned long at = m->now;
    for (unsigned k = 0; k < SCOREBOARDS; k++) {
        if ((i->awaits >> k & 1) != 0 && m->special[k] > at) {
            at = m->special[k];
        }
    }
    return at;
}

/* An instruction of the class, which issues then; what somebody has waited for it does not wait for again. */
static void begin_event(struct turn *m, const struct class *class, unsigned n, unsigned long at, long wait)
{
    int is_new = wait >= 0 && (m->waited < 0 || wait < m->waited);
    flush(m, at);
    m->begun = at;
    m->class = class;
    m->n = n;
    m->reads = (struct reads){{0, 0}, {0, 0}};
    m->wait = is_new ? wait : -1;
    m->waited = is_new ? wait : m->waited;
}

/* An instruction that is worth two of its class has its registers once. */
static void tell_work(struct turn *m, const struct instruction *i, const struct class *class, int is_two, unsigned long at,
                      long wait)
{
    struct reads reads = reads_of(m, i);
    begin_event(m, class, 1, at, wait);
    m->reads = reads;
    if (is_two) {
        begin_event(m, class, 1, at + 1, -1);
    }
    m->now = at + i->stall;
}

/* The same where banks count as clocks of issue. */
static void count_work(struct turn *m, const struct instruction *i, const struct class *class, int is_two, unsigned long at,
                       long wait)
{
    unsigned slots = slots_of(m, i, class);
    begin_event(m, class, is_two ? 2 : 1, at, wait);
    if (slots > 1) {
        begin_event(m, &classes[0], slots - 1, at + 1, -1);
    }
    m->now = at + (slots > i->stall ? slots : i->stall);
}

/* False: of no class that the trace has. */
static int play_work(struct turn *m, const struct instruction *i, struct dependences *d)
{
    const struct class *class = class_of(i);
    if (class == NULL || is(i, "HMMA.1688")) {
        return 0;
    }
    unsigned long at = issue_time(m, i);
    int is_two = is(i, "IMAD.WIDE") || is(i, "IMAD.HI");
    (m->tells_reads ? tell_work : count_work)(m, i, class, is_two, at, wait_for(d, i));
    if (i->sets < SCOREBOARDS) {
        m->special[i->sets] = at + XU_LATENCY;
    }
    set_scoreboard(d, i, BY_WORK);
    return 1;
}

/* The program says with which addresses. */
static void play_access(struct turn *m, const struct instruction *i, const char *kind,
                        unsigned stride, struct dependences *d)
{
    m->now = issue_time(m, i);
    flush(m, m->now);
    if (m->who != NULL) {
        printf("%s %s ffffffff 0+%u", m->who, opcode_of(kind), stride * size_of(kind));
        print_wait(wait_for(d, i));
    }
    if (has_result(kind)) {
        set_scoreboard(d, i, d->n_loads++);
        m->waited += m->waited >= 0;
    }
    m->now += i->stall;
}

/* What takes no more than its clocks. */
static int takes_clocks_alone(const struct instruction *i)
{
    return is(i, "BRA") || is(i, "NOP") || is(i, "UISETP") || is(i, "UIADD3");
}

/* Merged: what the compiler leaves out because an equal one stands before it. */
static int is_merged(const struct program *program, unsigned place)
{
    const struct access *access = &program->access[place % program->n];
    int can_be = strcmp(access->kind, "ldsm4") == 0 || strcmp(access->kind, "red4") == 0;
    for (unsigned i = 0; can_be && i < place; i++) {
        const struct access *before = &program->access[i % program->n];
        if (strcmp(before->kind, access->kind) == 0 && before->stride == access->stride) {
            return 1;
        }
    }
    return 0;
}

/* The program's next access if it is of that kind; NULL: the compiler has changed the order. */
static const struct access *next_access(const struct program *program, unsigned *place,
                                        const char *kind)
{
    unsigned all = program->n * program->copies;
    for (; *place < all; (*place)++) {
        const struct access *access = &program->access[*place % program->n];
        if (strcmp(access->kind, kind) == 0) {
            (*place)++;
            return access;
        }
        if (!is_merged(program, *place)) {
            return NULL;
        }
    }
    return NULL;
}

static int is_complete(const struct program *program, unsigned place)
{
    while (place < program->n * program->copies && is_merged(program, place)) {
        place++;
    }
    return place == program->n * program->copies;
}

/* Clocks from a branch to the next turn at least. */
enum { AFTER_BRANCH = 10 };

/* Instructions come in lines of 128 bytes: behind a branch to the last one of a line the next is there 3 clocks
 * later at least. */
enum { LINE = 128, INSTRUCTION = 16, NEXT_LINE = 3 };

static void fetch_next_line(struct instruction *target)
{
    if (target->at % LINE == LINE - INSTRUCTION && target->stall < NEXT_LINE) {
        target->stall = NEXT_LINE;
    }
}

/* A turn of m, printed if it has a name; its branch comes so much later than it has to. */
static int play_once(const struct program *program, size_t first, size_t last,
                     struct turn *m, struct dependences *d, unsigned long late)
{
    unsigned place = 0;
    memset(m->behind, 0, sizeof m->behind);
    for (size_t i = first; i < last; i++) {
        char kind[8];
        kind_of(&code[i], kind);
        const struct access *access = kind[0] != '\0' ? next_access(program, &place, kind) : NULL;
        if (kind[0] != '\0' && access == NULL) {
            return 0;
        }
        if (takes_clocks_alone(&code[i])) {
            m->now += code[i].stall;
        } else if (kind[0] == '\0' && !play_work(m, &code[i], d)) {
            return 0;
        } else if (strcmp(kind, "bar") == 0) {
            flush(m, m->now);
            m->now += code[i].stall;
            printf(m->who != NULL ? "%s bar.sync\n" : "", m->who);
        } else if (kind[0] != '\0') {
            play_access(m, &code[i], kind, access->stride, d);
        }
    }
    flush(m, m->now + late);
    return is_complete(program, place);
}

static int has_products(size_t first, size_t last)
{
    while (first < last && !is(&code[first], "HMMA") && !is(&code[first], "IMMA")) {
        first++;
    }
    return first < last;
}

/* One turn of who, printed, or of nobody: in the second one each register has its writer. What a turn waits for that the
 * one before has begun stands at its end, where the branch is. */
static int play_turn(const struct program *program, size_t first, size_t last,
                     struct dependences *d, const char *who)
{
    struct turn m = {.wait = -1, .waited = -1, .tells_reads = !has_products(first, last)};
    unsigned long length[2];
    struct dependences none = *d;
    for (int turn = 0; turn < 2; turn++) {
        unsigned long begun = m.now;
        if (!play_once(program, first, last, &m, &none, 0)) {
            return 0;
        }
        length[turn] = m.now - begun;
        m.now += code[last].stall > AFTER_BRANCH ? code[last].stall : AFTER_BRANCH;
        m.waited = -1;
    }
    if (who == NULL) {
        *d = none;
        return 1;
    }
    struct turn printed = {.who = who, .wait = -1, .waited = -1, .tells_reads = m.tells_reads};
    memcpy(printed.marked, m.marked, sizeof m.marked);
    unsigned long late = length[1] > length[0] ? length[1] - length[0] : 0;
    return play_once(program, first, last, &printed, d, late);
}

static int reads_clock(const struct instruction *i)
{
    return i->n_operands > 0 && strcmp(i->operand[i->n_operands - 1], "SR_CLOCKLO") == 0;
}

/* The loop is the first branch back after the first clock reading. */
static int find_loop(size_t *first, size_t *last)
{
    size_t clock = 0;
    while (clock < n_code && !reads_clock(&code[clock])) {
        clock++;
    }
    for (*last = clock; *last < n_code; (*last)++) {
        const struct instruction *i = &code[*last];
        if (is(i, "BRA")) {
            unsigned long target = strtoul(i->operand[i->n_operands - 1], NULL, 16);
            for (*first = clock; *first < *last && code[*first].at < target; (*first)++) {
            }
            return *first < *last && target > code[clock].at;
        }
    }
    return 0;
}

static void print_kernel(const struct program *program, struct dependences *d, size_t first,
                         size_t last)
{
    unsigned stalls = 0;
    for (size_t i = first; i < last; i++) {
        stalls += code[i].stall;
    }
    printf("kernel %s grid=1 block=%u shared=17412\nblock 0\nw* bar.sync\nw* bar.sync\nrepeat %d work=0:%u\n",
           program->name, program->n_warps * 32, TURNS, stalls);
    for (unsigned warp = 0; warp < (program->warps != 0 ? program->n_warps : 1); warp++) {
        char who[16] = "w*";
        struct dependences its = *d;
        if (program->warps != 0) {
            snprintf(who, sizeof who, "w%u", warp);
        }
        if (program->warps == 0 || (program->warps >> warp & 1) != 0) {
            play_turn(program, first, last, &its, who);
            unsigned stall = code[last].stall > AFTER_BRANCH ? code[last].stall : AFTER_BRANCH;
            printf("%s work 1:%u\n", who, stall);
        }
    }
    printf("done\n");
}

static void finish_kernel(struct program *program)
{
    struct dependences d = {.n_loads = 0};
    size_t first, last;
    for (unsigned k = 0; k < SCOREBOARDS; k++) {
        d.setter[k] = BY_WORK;
    }
    int is_found = find_loop(&first, &last);
    if (is_found) {
        fetch_next_line(&code[first]);
    }
    if (!is_found || !play_turn(program, first, last, &d, NULL)) {
        fprintf(stderr, "timing_trace: left out: %s\n", program->name);
        return;
    }
    print_kernel(program, &d, first, last);
}

static struct program *program_named(const char *id)
{
    for (size_t i = 0; i < n_programs; i++) {
        if (strcmp(programs[i].id, id) == 0) {
            return &programs[i];
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    char line[MAX_LINE], id[64];
    struct program *program = NULL;
    if (argc != 2 || !read_list(argv[1])) {
        fprintf(stderr, "usage: timing_trace LIST <SASS\n");
        return 2;
    }
    printf("banksim-trace 1\n");
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (sscanf(line, " Function : %63s", id) == 1) {
            if (program != NULL) {
                finish_kernel(program);
            }
            program = program_named(id);
            n_code = 0;
        } else if (n_code < MAX_CODE && read_instruction(line, &code[n_code])) {
            n_code++;
        } else if (n_code > 0) {
            read_control(line, &code[n_code - 1]);
        }
    }
    if (program != NULL) {
        finish_kernel(program);
    }
    printf("end\n");
    return 0;
}

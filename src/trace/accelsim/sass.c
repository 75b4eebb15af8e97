/* sass.c - what SASS opcodes mean here.
 *
 * NVIDIA documents names, not modifiers ("Instruction Set Reference" of the CUDA Binary Utilities):
 * the names below are those of its tables for Kepler to Blackwell, and the few more that
 * Accel-Sim's ISA_Def headers know. How modifiers spell width, type and operation was read from
 * what nvcc 13.0 makes of one PTX instruction each, for sm_75, sm_80, sm_90, sm_100 and sm_120
 * (cuobjdump -sass); traces/FORMAT.md has the table.
 *
 *     name      meaning                           modifiers that count
 *     LDS STS   ld, st.shared                     U8 S8 U16 S16 32 64 128; none: 32 bits. A U before
 *     LDG STG   ld, st.global                     it (LDS.U.64, Volta and Turing) says nothing; LDG's
 *                                                 CONSTANT is ld.global.nc
 *     LDL STL   ld, st.local                      the same
 *     LDC       ld.const                          the same
 *     LD ST     ld, st of the address's space     the same
 *     ATOMS     atom.shared                       ADD MIN MAX INC DEC AND OR XOR EXCH CAS; CAST.SPIN, the
 *                                                 compare-and-store of a loop, is a CAS; POPC.INC
 *     ATOMG     atom.global                       32 bits, or 64 U64 S64 F64; S32 F32, F16x2 ...
 *     ATOM      atom of the address's space       the same
 *     RED REDG  red.global                        the same
 *     LDSM STSM ldmatrix, stmatrix                16 and M88[.2|.4], MT88[.2|.4] for .trans
 *     LDGSTS    ld.global (its shared side is not in the trace)
 *     SHFL      shfl.sync                         IDX UP DOWN BFLY
 *     BAR       bar.sync                          SYNC SYNCALL RED; ARV waits for nobody
 *
 * A modifier without a digit is never a width; so one that is not in the table is passed over (E,
 * SYS, STRONG, GPU, EF, ...), and one with a digit makes the opcode unknown, except LTC64B and its
 * kind, which prefetch into the second-level cache.
 */
#include "trace/accelsim/sass.h"

#include <stdio.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

enum { MODIFIER_SIZE = 16, SPELLING_SIZE = BSIM_OPCODE_NAME_SIZE };

/* The modifiers still to be read. */
struct modifiers {
    const char *at;
    const char *end;
};

/* The next modifier into word; false behind the last. One that does not fit becomes "?0", which no
 * table has and which counts as one with a digit. */
static bool next_modifier(struct modifiers *modifiers, char word[MODIFIER_SIZE])
{
    if (modifiers->at >= modifiers->end) {
        return false;
    }
    const char *start = ++modifiers->at; /* behind the dot */
    while (modifiers->at < modifiers->end && *modifiers->at != '.') {
        modifiers->at++;
    }
    size_t length = (size_t)(modifiers->at - start);
    if (length >= MODIFIER_SIZE) {
        memcpy(word, "?0", 3);
        return true;
    }
    memcpy(word, start, length);
    word[length] = '\0';
    return true;
}

/* True for a modifier that may be passed over. */
static bool says_nothing(const char *word)
{
    return strpbrk(word, "0123456789") == NULL || strncmp(word, "LTC", 3) == 0;
}

struct spelling {
    const char *sass;
    const char *ptx;
};

static const char *spelling_of(const struct spelling *table, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(table[i].sass, word) == 0) {
            return table[i].ptx;
        }
    }
    return NULL;
}

static void set_event(struct bsim_sass *sass, const char *ptx)
{
    bool is_known = bsim_opcode_parse(ptx, strlen(ptx), &sass->opcode, NULL) == BSIM_OK;
    sass->kind = is_known ? BSIM_SASS_EVENT : BSIM_SASS_UNKNOWN;
}

static void leave_out(struct bsim_sass *sass, const char *what)
{
    sass->kind = BSIM_SASS_LEFT_OUT;
    sass->what = what;
}

/* ---- the families: `ptx` is what the name alone stands for ----------------------------------- */

/* A load or store. */
static void decode_access(struct modifiers modifiers, const char *ptx, struct bsim_sass *sass)
{
    static const struct spelling width[] = {
        {"U8", "u8"},  {"S8", "s8"},     {"U16", "u16"},    {"S16", "s16"},
        {"32", "b32"}, {"64", "v2.b32"}, {"128", "v4.b32"},
    };
    char word[MODIFIER_SIZE];
    char text[SPELLING_SIZE];
    const char *shape = "b32";
    const char *path = "";
    while (next_modifier(&modifiers, word)) {
        const char *found = spelling_of(width, N_OF(width), word);
        if (found != NULL) {
            shape = found;
        } else if (strcmp(word, "CONSTANT") == 0 && strcmp(ptx, "ld.global") == 0) {
            path = ".nc";
        } else if (strcmp(word, "256") == 0) {
            leave_out(sass, "256 bits per lane");
            return;
        } else if (!says_nothing(word)) {
            return;
        }
    }
    (void)snprintf(text, sizeof text, "%s%s.%s", ptx, path, shape);
    set_event(sass, text);
}

#define F16X2 "noftz.f16x2"
#define BF16X2 "noftz.bf16x2"

/* An atomic; "red.shared" and the like. */
static void decode_atomic(struct modifiers modifiers, const char *ptx, struct bsim_sass *sass)
{
    static const struct spelling operation[] = {
        {"ADD", "add.u"},   {"MIN", "min.u"}, {"MAX", "max.u"},  {"INC", "inc.u"},
        {"DEC", "dec.u"},   {"AND", "and.b"}, {"OR", "or.b"},    {"XOR", "xor.b"},
        {"EXCH", "exch.b"}, {"CAS", "cas.b"}, {"CAST", "cas.b"}, {"POPC", "popc"},
    };
    static const struct spelling type[] = {
        {"32", "u32"},       {"64", "u64"},    {"S32", "s32"},     {"U32", "u32"},
        {"S64", "s64"},      {"U64", "u64"},   {"F32", "f32"},     {"F64", "f64"},
        {"F16x2", F16X2},    {"F16X2", F16X2}, {"BF16x2", BF16X2}, {"BF16X2", BF16X2},
        {"BF16_V2", BF16X2},
    };
    char word[MODIFIER_SIZE];
    char text[SPELLING_SIZE];
    const char *what = NULL;
    const char *element = "u32";
    while (next_modifier(&modifiers, word)) {
        const char *as_operation = spelling_of(operation, N_OF(operation), word);
        const char *as_type = spelling_of(type, N_OF(type), word);
        if (as_operation != NULL && what == NULL) {
            what = as_operation;
        } else if (as_type != NULL) {
            element = as_type;
        } else if (!says_nothing(word)) {
            return;
        }
    }
    if (what == NULL) {
        return;
    }
    if (strcmp(what, "popc") == 0) {
        set_event(sass, "red.shared.popc.inc.u32");
        return;
    }
    if (strcmp(what, "add.u") == 0 && strcmp(element, "s64") == 0) {
        element = "u64"; /* PTX has no other addition of 64 bits */
    }
    bool has_bits = what[strlen(what) - 1] == 'b'; /* the type does not matter: it is bits */
    (void)snprintf(text, sizeof text, "%s.%.*s.%s%s", ptx, (int)(strlen(what) - 2), what,
                   has_bits ? "b" : "", element + has_bits);
    set_event(sass, text);
}

/* ldmatrix or stmatrix: 16, M88 or MT88, and the number of matrices. */
static void decode_matrix(struct modifiers modifiers, const char *ptx, struct bsim_sass *sass)
{
    char word[MODIFIER_SIZE];
    char text[SPELLING_SIZE];
    const char *transposed = NULL;
    char count = '1';
    bool has_16 = next_modifier(&modifiers, word) && strcmp(word, "16") == 0;
    if (has_16 && next_modifier(&modifiers, word)) {
        transposed = strcmp(word, "M88") == 0 ? "" : strcmp(word, "MT88") == 0 ? ".trans" : NULL;
    }
    if (transposed == NULL) {
        return;
    }
    if (next_modifier(&modifiers, word)) {
        count = word[0];
        if (word[1] != '\0' || next_modifier(&modifiers, word)) {
            return;
        }
    }
    (void)snprintf(text, sizeof text, "%s.sync.aligned.m8n8.x%c%s.shared.b16", ptx, count,
                   transposed);
    set_event(sass, text);
}

static void decode_exchange(struct modifiers modifiers, const char *ptx, struct bsim_sass *sass)
{
    static const struct spelling mode[] = {
        {"IDX", "idx"}, {"UP", "up"}, {"DOWN", "down"}, {"BFLY", "bfly"}};
    char word[MODIFIER_SIZE];
    const char *found =
        next_modifier(&modifiers, word) ? spelling_of(mode, N_OF(mode), word) : NULL;
    if (found != NULL) {
        char text[SPELLING_SIZE];
        (void)snprintf(text, sizeof text, "%s.%s.b32", ptx, found);
        set_event(sass, text);
    }
}

static void decode_barrier(struct modifiers modifiers, const char *ptx, struct bsim_sass *sass)
{
    char word[MODIFIER_SIZE] = "";
    (void)next_modifier(&modifiers, word);
    if (strcmp(word, "SYNC") == 0 || strcmp(word, "SYNCALL") == 0 || strcmp(word, "RED") == 0) {
        set_event(sass, ptx);
    } else if (strcmp(word, "ARV") == 0) {
        leave_out(sass, "an arrival without waiting");
    }
}

static void decode_left_out(struct modifiers modifiers, const char *what, struct bsim_sass *sass)
{
    (void)modifiers;
    leave_out(sass, what);
}

/* ---- the names ------------------------------------------------------------------------------- */

struct name {
    const char *base;
    void (*decode)(struct modifiers modifiers, const char *ptx, struct bsim_sass *sass);
    const char *ptx; /* or, for decode_left_out, what it does */
};

static const struct name names[] = {
    {"LDS", decode_access, "ld.shared"},
    {"STS", decode_access, "st.shared"},
    {"LDG", decode_access, "ld.global"},
    {"STG", decode_access, "st.global"},
    {"LDL", decode_access, "ld.local"},
    {"STL", decode_access, "st.local"},
    {"LDC", decode_access, "ld.const"},
    {"LD", decode_access, "ld.global"},
    {"ST", decode_access, "st.global"},
    {"LDGSTS", decode_access, "ld.global"},
    {"ATOMS", decode_atomic, "atom.shared"},
    {"ATOMG", decode_atomic, "atom.global"},
    {"ATOM", decode_atomic, "atom.global"},
    {"RED", decode_atomic, "red.global"},
    {"REDG", decode_atomic, "red.global"},
    {"LDSM", decode_matrix, "ldmatrix"},
    {"STSM", decode_matrix, "stmatrix"},
    {"SHFL", decode_exchange, "shfl.sync"},
    {"BAR", decode_barrier, "bar.sync"},
    {"TEX", decode_left_out, "texture memory"},
    {"TLD", decode_left_out, "texture memory"},
    {"TLD4", decode_left_out, "texture memory"},
    {"TXD", decode_left_out, "texture memory"},
    {"SULD", decode_left_out, "surface memory"},
    {"SUST", decode_left_out, "surface memory"},
    {"SUATOM", decode_left_out, "surface memory"},
    {"SURED", decode_left_out, "surface memory"},
    {"UBLKCP", decode_left_out, "a bulk copy"},
    {"UBLKRED", decode_left_out, "a bulk reduction"},
    {"UTMALDG", decode_left_out, "a bulk tensor copy"},
    {"UTMASTG", decode_left_out, "a bulk tensor copy"},
    {"UTMAREDG", decode_left_out, "a bulk tensor reduction"},
};

/* Sorted by strcmp, for bisection. UBLKPF and UTMAPF prefetch. */
static const char *const silent[] = {
    "ACQBULK",       "ARRIVES",     "B2R",          "BFE",       "BFI",       "BMMA",
    "BMOV",          "BMSK",        "BPT",          "BRA",       "BREAK",     "BREV",
    "BRK",           "BRX",         "BRXU",         "BSSY",      "BSYNC",     "CAL",
    "CALL",          "CCTL",        "CCTLL",        "CCTLT",     "CGAERRBAR", "CONT",
    "CS2R",          "CS2UR",       "CSMTEST",      "DADD",      "DEPBAR",    "DFMA",
    "DMMA",          "DMNMX",       "DMUL",         "DSET",      "DSETP",     "ELECT",
    "ENDCOLLECTIVE", "ERRBAR",      "EXIT",         "F2F",       "F2FP",      "F2I",
    "F2IP",          "FADD",        "FADD2",        "FADD32I",   "FCHK",      "FCMP",
    "FENCE",         "FFMA",        "FFMA2",        "FFMA32I",   "FHADD",     "FHFMA",
    "FLO",           "FMNMX",       "FMNMX3",       "FMUL",      "FMUL2",     "FMUL32I",
    "FRND",          "FSEL",        "FSET",         "FSETP",     "FSWZ",      "FSWZADD",
    "GETLMEMBASE",   "HADD2",       "HADD2_32I",    "HFMA2",     "HFMA2_32I", "HGMMA",
    "HMMA",          "HMNMX2",      "HMUL2",        "HMUL2_32I", "HSET2",     "HSETP2",
    "I2F",           "I2FP",        "I2I",          "I2IP",      "IABS",      "IADD",
    "IADD3",         "IADD32I",     "ICMP",         "IDP",       "IDP4A",     "IGMMA",
    "IMAD",          "IMADSP",      "IMMA",         "IMNMX",     "IMUL",      "IMUL32I",
    "ISAD",          "ISCADD",      "ISCADD32I",    "ISET",      "ISETP",     "JCAL",
    "JMP",           "JMX",         "JMXU",         "KILL",      "LDCU",      "LDGDEPBAR",
    "LEA",           "LEPC",        "LOP",          "LOP3",      "LOP32I",    "MATCH",
    "MEMBAR",        "MOV",         "MOV32I",       "MOVM",      "MUFU",      "NANOSLEEP",
    "NOP",           "OMMA",        "P2R",          "PBK",       "PCNT",      "PLONGJMP",
    "PLOP3",         "PMTRIG",      "POPC",         "PREEXIT",   "PRET",      "PRMT",
    "PSET",          "PSETP",       "QGMMA",        "QMMA",      "QSPC",      "R2B",
    "R2P",           "R2UR",        "REDUX",        "RET",       "RPCMOV",    "RRO",
    "RTT",           "S2R",         "S2UR",         "SEL",       "SETCTAID",  "SETLMEMBASE",
    "SGXT",          "SHF",         "SHL",          "SHR",       "SSY",       "SUQUERY",
    "SYNC",          "SYNCS",       "TMML",         "TXQ",       "UBLKPF",    "UBMSK",
    "UBREV",         "UCGABAR_ARV", "UCGABAR_WAIT", "UCLEA",     "UF2FP",     "UFLO",
    "UIADD3",        "UIMAD",       "UISETP",       "ULDC",      "ULEA",      "ULEPC",
    "ULOP",          "ULOP3",       "ULOP32I",      "UMOV",      "UP2UR",     "UPLOP3",
    "UPOPC",         "UPRMT",       "UPSETP",       "UR2UP",     "USEL",      "USETMAXREG",
    "USGXT",         "USHF",        "USHL",         "USHR",      "UTMACCTL",  "UTMACMDFLUSH",
    "UTMAPF",        "VABSDIFF",    "VABSDIFF4",    "VIADD",     "VIADDMNMX", "VIMNMX",
    "VIMNMX3",       "VOTE",        "VOTEU",        "VOTE_VTG",  "WARPGROUP", "WARPSYNC",
    "XMAD",          "YIELD",
};

/* A name that takes no part in a trace. */
static bool is_silent(const char *base)
{
    size_t low = 0;
    size_t high = N_OF(silent);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(silent[middle], base);
        if (order == 0) {
            return true;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return false;
}

const char *bsim_sass_base_at(size_t index)
{
    if (index < N_OF(names)) {
        return names[index].base;
    }
    index -= N_OF(names);
    return index < N_OF(silent) ? silent[index] : NULL;
}

/* What the name says beside the opcode. */
static void add_traits(const char *base, struct bsim_sass *sass)
{
    bool is_generic =
        strcmp(base, "LD") == 0 || strcmp(base, "ST") == 0 || strcmp(base, "ATOM") == 0;
    if (is_generic && sass->kind == BSIM_SASS_EVENT) {
        sass->kind = BSIM_SASS_GENERIC;
    }
    sass->may_lack_address = strcmp(base, "LDC") == 0;
    sass->is_half = strcmp(base, "LDGSTS") == 0;
}

void bsim_sass_decode(const char *text, size_t length, struct bsim_sass *sass)
{
    char base[MODIFIER_SIZE];
    const char *dot = memchr(text, '.', length);
    size_t base_length = dot != NULL ? (size_t)(dot - text) : length;
    *sass = (struct bsim_sass){.kind = BSIM_SASS_UNKNOWN};
    if (base_length == 0 || base_length >= sizeof base) {
        return;
    }
    memcpy(base, text, base_length);
    base[base_length] = '\0';
    sass->has_other_operands = strncmp(base, "UTMA", 4) == 0 || strncmp(base, "UBLK", 4) == 0;
    for (size_t i = 0; i < N_OF(names); i++) {
        if (strcmp(names[i].base, base) == 0) {
            struct modifiers modifiers = {text + base_length, text + length};
            names[i].decode(modifiers, names[i].ptx, sass);
            add_traits(base, sass);
            return;
        }
    }
    if (is_silent(base)) {
        sass->kind = strcmp(base, "EXIT") == 0 ? BSIM_SASS_EXIT : BSIM_SASS_SILENT;
    }
}

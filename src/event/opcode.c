/* opcode.c - the spellings of the trace format, read, written and listed.
 *
 * The grammar, a subset of the PTX ISA's:
 *
 *     access   = ( "ld" [".volatile"] "." ("shared"|"global"|"local"|"const")
 *                | "ld.global.nc" | "ldu.global" | "tex.1d"
 *                | "st" [".volatile"] "." ("shared"|"global"|"local") ) [".v2"|".v4"] "." element
 *     atomic   = ("atom"|"red") "." ("shared"|"global") "." operation "." element    (32, 64 bits)
 *              | ("atom"|"red") "." ("shared"|"global") ".add.noftz." ("f16x2"|"bf16x2")
 *              | "red.shared.popc.inc.u32"
 *     copy     = "cp.async.ca.shared.global." ("4"|"8"|"16") | "cp.async.cg.shared.global.16"
 *     matrix   = ("ldmatrix"|"stmatrix") ".sync.aligned.m8n8." ("x1"|"x2"|"x4") [".trans"]
 *                ".shared.b16"
 *     exchange = "shfl.sync." ("idx"|"up"|"down"|"bfly") ".b32"
 *     barrier  = "bar.sync" | "bar.warp.sync"
 *     fence    = "membar." ("cta"|"gl"|"sys") | "fence." ("sc"|"acq_rel") "." ("cta"|"gpu"|"sys")
 *              | "fence.proxy.async" ["." ("shared::cta"|"shared::cluster"|"global")]
 *     element  = ("b"|"u"|"s"|"f") ("8"|"16"|"32"|"64")
 *
 * and what async.c reads: wgmma and bulk copies.
 *
 * A vector has 16 bytes at most. Of the table's combinations those exist that ptxas 13.0 accepts:
 * no floats of 8 and 16 bits, which are loaded as bits, and of each operation of an atomic the
 * types that it has. popc.inc is SASS's name (ATOMS.POPC.INC.32) for what the compiler makes of
 * red.shared.add.u32 with the constant 1 from compute capability 8.0 on; PTX has none. The element
 * of tex.1d is the texel as it lies in memory, 32 bits at most in each component; PTX has there
 * what arrives in registers and what the coordinate is (tex.1d.v4.f32.s32).
 */
#include "event/async.h"

#include <stdio.h>
#include <string.h>

enum { MAX_ACCESS_BYTES = 16, MATRIX_ROW_BYTES = 16 };

/* bsim_opcode_same compares the bytes. */
_Static_assert(sizeof(struct bsim_opcode) == 11, "an opcode has no gaps between its fields");

/* Rows are indexed by the enums of event.h. */
static const char *const family_word[] = {
    "ld",       "st",       "atom",      "red",           "cp.async",
    "ldmatrix", "stmatrix", "shfl.sync", "bar.warp.sync", "fence",
    "bar.sync", "",         "",          "work",          "arrive",
    "await",    "cp.async.commit_group", "cp.async.wait_group",
    "cp.async.mbarrier.arrive"};
static const char *const space_word[] = {"", "shared", "global", "local", "const", "1d", "shared::cluster"};
static const char *const operation_word[] = {
    "",    "add",      "min", "max", "inc",  "dec",  "and",    "or", "xor",    "exch",
    "cas", "popc.inc", "idx", "up",  "down", "bfly", "membar", "sc", "acq_rel", "proxy"};
static const char *const membar_scope[] = {"", "cta", "gl", "sys"};
static const char *const fence_scope[] = {"", "cta", "gpu", "sys", "shared::cta", "shared::cluster", "global"};
static const char type_letter[] = "busfhn"; /* h and n, f16x2 and bf16x2, in atomics alone */
static const uint8_t element_bits[] = {8, 16, 32, 64};
static const uint8_t element_count[] = {1, 2, 4};

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- classes of work ------------------------------------------------------------------------ */

/* Indexed by enum bsim_work_class. */
static const char *const class_word[] = {"", "fp32", "int", "imad", "half", "fp64", "xu", "tensor", "lsu"};

_Static_assert(N_OF(class_word) == BSIM_N_WORK_CLASSES, "each class has a name");

const char *bsim_work_class_name(uint32_t work_class)
{
    return work_class < BSIM_N_WORK_CLASSES ? class_word[work_class] : "";
}

uint32_t bsim_work_class_find(const char *text, size_t length)
{
    uint32_t i = BSIM_WORK_ANY + 1;
    while (i < BSIM_N_WORK_CLASSES &&
           (strlen(class_word[i]) != length || memcmp(class_word[i], text, length) != 0)) {
        i++;
    }
    return i;
}

/* ---- reading ------------------------------------------------------------------------------ */

/* The parts of a spelling that are still to be read, and the whole for messages. */
struct parts {
    const char *at;
    const char *end;
    const char *text;
    size_t length;
};

/* Length of the part at hand, up to the next dot; 0 at the end. */
static size_t part_length(const struct parts *parts)
{
    size_t length = 0;
    while (parts->at + length < parts->end && parts->at[length] != '.') {
        length++;
    }
    return length;
}

static void skip_part(struct parts *parts, size_t length)
{
    parts->at += length;
    if (parts->at + 1 < parts->end) {
        parts->at++;
    }
}

/* Reads the part at hand if it is `word`. */
static bool take(struct parts *parts, const char *word)
{
    size_t length = part_length(parts);
    if (length == 0 || length != strlen(word) || memcmp(parts->at, word, length) != 0) {
        return false;
    }
    skip_part(parts, length);
    return true;
}

/* Reads the part at hand if it is one of words[first .. last], into *which. */
static bool take_of(struct parts *parts, const char *const *words, size_t first, size_t last,
                    uint8_t *which)
{
    for (size_t i = first; i <= last; i++) {
        if (take(parts, words[i])) {
            *which = (uint8_t)i;
            return true;
        }
    }
    return false;
}

static enum bsim_status unknown(const struct parts *parts, const char *remedy,
                                struct bsim_error *err)
{
    int shown = parts->length < BSIM_OPCODE_NAME_SIZE ? (int)parts->length : BSIM_OPCODE_NAME_SIZE;
    return bsim_error_set(err, BSIM_E_INPUT, "unknown opcode '%.*s': %s", shown, parts->text,
                          remedy);
}

/* element: a letter and a number of bits, least_bits at least. */
static bool take_element(struct parts *parts, uint8_t least_bits, struct bsim_opcode *opcode)
{
    static const char *const bits_word[] = {"8", "16", "32", "64"};
    size_t length = part_length(parts);
    if (length < 2 || memchr(type_letter, parts->at[0], 4) == NULL) {
        return false;
    }
    for (size_t i = 0; i < N_OF(element_bits); i++) {
        if (strlen(bits_word[i]) == length - 1 && element_bits[i] >= least_bits &&
            memcmp(parts->at + 1, bits_word[i], length - 1) == 0) {
            opcode->type = parts->at[0];
            opcode->bits = element_bits[i];
            skip_part(parts, length);
            return true;
        }
    }
    return false;
}

/* Whether an access or atomic that the grammar allows is one of PTX's. */
static bool exists(const struct bsim_opcode *opcode)
{
    char type = opcode->type;
    bool tells = opcode->path == BSIM_TELLS;
    if (opcode->family == BSIM_LD || opcode->family == BSIM_ST) {
        return ((type != 'f' && !tells) || opcode->bits >= 32) &&
               (opcode->space != BSIM_TEXTURE || opcode->bits <= 32);
    }
    if (opcode->family != BSIM_ATOM && opcode->family != BSIM_RED) {
        return true;
    }
    if (tells && (type == 'f' || type == 'h' || type == 'n' ||
                  (opcode->bits == 64 && (opcode->operation != BSIM_ADD || type != 'u')))) {
        return false;
    }
    switch (opcode->operation) {
    case BSIM_ADD:
        return type == 'u' || type == 'f' || (type != 'b' && opcode->bits == 32);
    case BSIM_MIN:
    case BSIM_MAX:
        return type == 'u' || type == 's';
    case BSIM_INC:
    case BSIM_DEC:
        return type == 'u' && opcode->bits == 32;
    case BSIM_EXCH:
    case BSIM_CAS:
        return type == 'b' && opcode->family == BSIM_ATOM;
    case BSIM_POPC_INC:
        return true;
    default:
        return type == 'b';
    }
}

/* What to write for an atomic that does not exist. */
static const char *existing_types(const struct bsim_opcode *opcode)
{
    if (opcode->path == BSIM_TELLS) {
        return "red.async is add of u32, s32 or u64, min or max of u32 or s32, inc or dec of u32, and, or or xor of b32";
    }
    switch (opcode->operation) {
    case BSIM_ADD:
        return "add is of u32, s32, u64 (signed ones too), f32, f64, noftz.f16x2 or noftz.bf16x2";
    case BSIM_MIN:
    case BSIM_MAX:
        return "min and max are of u32, s32, u64 or s64";
    case BSIM_INC:
    case BSIM_DEC:
        return "inc and dec are of u32";
    case BSIM_EXCH:
    case BSIM_CAS:
        return "exch and cas are atom's alone, of b32 or b64";
    default:
        return "and, or and xor are of b32 or b64";
    }
}

/* [v2|v4] and an element. */
static enum bsim_status read_shape(struct parts *parts, struct bsim_opcode *opcode,
                                   struct bsim_error *err)
{
    opcode->count = take(parts, "v2") ? 2 : take(parts, "v4") ? 4 : 1;
    if (!take_element(parts, 8, opcode)) {
        return unknown(parts,
                       "after the space comes [v2|v4] and an element, b, u, s or f with 8, 16, 32 "
                       "or 64 bits, as in u32",
                       err);
    }
    if (!exists(opcode)) {
        return unknown(parts,
                       opcode->path == BSIM_TELLS ? "st.async is of elements of 32 or 64 bits"
                       : opcode->bits == 64 ? "a texel's components have 32 bits at most"
                                          : "f has 32 or 64 bits; narrower floats are b8 and b16",
                       err);
    }
    uint32_t bytes = (uint32_t)opcode->count * opcode->bits / 8;
    if (bytes > MAX_ACCESS_BYTES) {
        return unknown(parts, "a lane accesses 16 bytes at most", err);
    }
    opcode->bytes = (uint8_t)bytes;
    return BSIM_OK;
}

/* async.shared::cluster, behind st or red; else nothing is read. */
static bool take_tells(struct parts *parts, struct bsim_opcode *opcode)
{
    struct parts before = *parts;
    if (!take(parts, "async") || !take(parts, space_word[BSIM_PEER])) {
        *parts = before;
        return false;
    }
    opcode->space = BSIM_PEER;
    opcode->path = BSIM_TELLS;
    return true;
}

/* What follows "ld" or "st". */
static enum bsim_status read_access(struct parts *parts, struct bsim_opcode *opcode,
                                    struct bsim_error *err)
{
    bool load = opcode->family == BSIM_LD;
    if (!load && take_tells(parts, opcode)) {
        return read_shape(parts, opcode, err);
    }
    opcode->is_volatile = take(parts, "volatile");
    if (!take_of(parts, space_word, BSIM_SHARED, load ? BSIM_CONST : BSIM_LOCAL, &opcode->space) &&
        !take_of(parts, space_word, BSIM_PEER, BSIM_PEER, &opcode->space)) {
        bool to_const = !load && take(parts, "const");
        return unknown(parts,
                       to_const ? "constant memory is read-only"
                       : load   ? "after ld [.volatile] comes shared, shared::cluster, global, local or const"
                                : "after st [.volatile] comes shared, shared::cluster, global or local, after st.async shared::cluster",
                       err);
    }
    bool may_be_nc = load && opcode->space == BSIM_GLOBAL && !opcode->is_volatile;
    opcode->path = may_be_nc && take(parts, "nc") ? BSIM_NC : BSIM_USUAL_PATH;
    return read_shape(parts, opcode, err);
}

/* What follows "ldu" and "tex". */
static enum bsim_status read_other_load(struct parts *parts, enum bsim_space space,
                                        struct bsim_opcode *opcode, struct bsim_error *err)
{
    opcode->family = BSIM_LD;
    opcode->space = (uint8_t)space;
    opcode->path = space == BSIM_GLOBAL ? BSIM_LDU : BSIM_USUAL_PATH;
    return take(parts, space_word[space])
               ? read_shape(parts, opcode, err)
               : unknown(parts, "it is ldu.global, or tex.1d of linear memory", err);
}

static void set_increment(struct bsim_opcode *opcode)
{
    opcode->family = BSIM_RED;
    opcode->space = BSIM_SHARED;
    opcode->operation = BSIM_POPC_INC;
    opcode->type = 'u';
    opcode->bits = 32;
    opcode->count = 1;
    opcode->bytes = 4;
}

static enum bsim_status read_increment(struct parts *parts, struct bsim_opcode *opcode,
                                       struct bsim_error *err)
{
    if (!take(parts, "inc") || !take(parts, "u32")) {
        return unknown(parts, "the merged increment is red.shared.popc.inc.u32", err);
    }
    set_increment(opcode);
    return BSIM_OK;
}

static void set_copy(enum bsim_path path, uint8_t bytes, struct bsim_opcode *opcode)
{
    opcode->family = BSIM_CP_ASYNC;
    opcode->space = BSIM_SHARED;
    opcode->type = 'b';
    opcode->bits = 8;
    opcode->count = bytes;
    opcode->bytes = bytes;
    opcode->path = (uint8_t)path;
}

static enum bsim_status read_copy(struct parts *parts, struct bsim_opcode *opcode,
                                  struct bsim_error *err)
{
    bool fits = take(parts, "async");
    bool bypasses = fits && take(parts, "cg");
    fits = (bypasses || (fits && take(parts, "ca"))) && take(parts, "shared") &&
           take(parts, "global");
    uint8_t bytes = !fits                            ? 0
                    : !bypasses && take(parts, "4")  ? 4
                    : !bypasses && take(parts, "8")  ? 8
                    : take(parts, "16")              ? 16
                                                     : 0;
    if (bytes == 0) {
        return unknown(parts,
                       "a copy is cp.async.ca.shared.global.{4,8,16} or "
                       "cp.async.cg.shared.global.16",
                       err);
    }
    set_copy(bypasses ? BSIM_BYPASS : BSIM_USUAL_PATH, bytes, opcode);
    return BSIM_OK;
}

/* An element, or two halves or two bfloat16 in a word. */
static bool take_atomic_element(struct parts *parts, struct bsim_opcode *opcode)
{
    if (!take(parts, "noftz")) {
        return take_element(parts, 32, opcode);
    }
    opcode->bits = 32;
    opcode->type = take(parts, "f16x2") ? 'h' : take(parts, "bf16x2") ? 'n' : '\0';
    return opcode->type != '\0';
}

static enum bsim_status read_atomic(struct parts *parts, struct bsim_opcode *opcode,
                                    struct bsim_error *err)
{
    if (!(opcode->family == BSIM_RED && take_tells(parts, opcode)) &&
        !take_of(parts, space_word, BSIM_SHARED, BSIM_GLOBAL, &opcode->space) &&
        !take_of(parts, space_word, BSIM_PEER, BSIM_PEER, &opcode->space)) {
        return unknown(parts, "after atom or red comes shared, shared::cluster or global", err);
    }
    if (opcode->family == BSIM_RED && opcode->space == BSIM_SHARED && take(parts, "popc")) {
        return read_increment(parts, opcode, err);
    }
    if (!take_of(parts, operation_word, BSIM_ADD, BSIM_CAS, &opcode->operation)) {
        return unknown(
            parts, "the operation is one of add, min, max, inc, dec, and, or, xor, exch, cas", err);
    }
    if (!take_atomic_element(parts, opcode)) {
        return unknown(parts, "an atomic's element is b, u, s or f with 32 or 64 bits, as in u32",
                       err);
    }
    if (!exists(opcode)) {
        return unknown(parts, existing_types(opcode), err);
    }
    opcode->count = 1;
    opcode->bytes = opcode->bits / 8;
    return BSIM_OK;
}

static enum bsim_status read_matrix(struct parts *parts, struct bsim_opcode *opcode,
                                    struct bsim_error *err)
{
    bool fits = take(parts, "sync") && take(parts, "aligned") && take(parts, "m8n8");
    opcode->count = !fits               ? 0
                    : take(parts, "x1") ? 1
                    : take(parts, "x2") ? 2
                    : take(parts, "x4") ? 4
                                        : 0;
    opcode->is_transposed = take(parts, "trans");
    if (opcode->count == 0 || !take(parts, "shared") || !take(parts, "b16")) {
        return unknown(parts,
                       "a matrix form is ldmatrix or stmatrix .sync.aligned.m8n8.{x1,x2,x4}[.trans]"
                       ".shared.b16",
                       err);
    }
    opcode->space = BSIM_SHARED;
    opcode->type = 'b';
    opcode->bits = 16;
    opcode->bytes = MATRIX_ROW_BYTES;
    return BSIM_OK;
}

static enum bsim_status read_exchange(struct parts *parts, struct bsim_opcode *opcode,
                                      struct bsim_error *err)
{
    if (!take(parts, "sync") ||
        !take_of(parts, operation_word, BSIM_IDX, BSIM_BFLY, &opcode->operation) ||
        !take(parts, "b32")) {
        return unknown(parts, "an exchange is shfl.sync.{idx,up,down,bfly}.b32", err);
    }
    opcode->type = 'b';
    opcode->bits = 32;
    return BSIM_OK;
}

/* What follows "fence.proxy". */
static enum bsim_status read_proxy_fence(struct parts *parts, struct bsim_opcode *opcode, struct bsim_error *err)
{
    opcode->operation = BSIM_PROXY_ASYNC;
    if (!take(parts, "async")) {
        return unknown(parts, "of the fences between proxies there is fence.proxy.async, with .shared::cta, "
                              ".shared::cluster, .global or none of them", err);
    }
    (void)take_of(parts, fence_scope, BSIM_VIEW_SHARED, BSIM_VIEW_GLOBAL, &opcode->scope);
    return BSIM_OK;
}

/* What follows "membar" (operation BSIM_MEMBAR) or "fence". */
static enum bsim_status read_fence(struct parts *parts, uint8_t operation,
                                   struct bsim_opcode *opcode, struct bsim_error *err)
{
    bool is_membar = operation == BSIM_MEMBAR;
    opcode->family = BSIM_FENCE;
    opcode->operation = operation;
    if (!is_membar && take(parts, "proxy")) {
        return read_proxy_fence(parts, opcode, err);
    }
    if ((!is_membar &&
         !take_of(parts, operation_word, BSIM_SC, BSIM_ACQ_REL, &opcode->operation)) ||
        !take_of(parts, is_membar ? membar_scope : fence_scope, BSIM_CTA, BSIM_SYS,
                 &opcode->scope)) {
        return unknown(parts, "a fence is membar.{cta,gl,sys}, fence.{sc,acq_rel}.{cta,gpu,sys} or fence.proxy.async", err);
    }
    return BSIM_OK;
}

/* What follows "bar". */
static enum bsim_status read_barrier(struct parts *parts, struct bsim_opcode *opcode,
                                     struct bsim_error *err)
{
    opcode->family = take(parts, "warp") ? BSIM_WARP_SYNC : BSIM_BAR;
    return take(parts, "sync") ? BSIM_OK
                               : unknown(parts, "a barrier is bar.sync or bar.warp.sync", err);
}

static enum bsim_status read_family(struct parts *parts, struct bsim_opcode *opcode,
                                    struct bsim_error *err)
{
    if (bsim_async_opcode_begins(parts->text, parts->length)) {
        const char *remedy = bsim_async_opcode_parse(parts->text, parts->length, opcode);
        parts->at = parts->end;
        return remedy == NULL ? BSIM_OK : unknown(parts, remedy, err);
    }
    if (take_of(parts, family_word, BSIM_LD, BSIM_ST, &opcode->family)) {
        return read_access(parts, opcode, err);
    }
    if (take(parts, "ldu")) {
        return read_other_load(parts, BSIM_GLOBAL, opcode, err);
    }
    if (take(parts, "tex")) {
        return read_other_load(parts, BSIM_TEXTURE, opcode, err);
    }
    if (take_of(parts, family_word, BSIM_ATOM, BSIM_RED, &opcode->family)) {
        return read_atomic(parts, opcode, err);
    }
    if (take_of(parts, family_word, BSIM_LDMATRIX, BSIM_STMATRIX, &opcode->family)) {
        return read_matrix(parts, opcode, err);
    }
    if (take(parts, "cp")) {
        return read_copy(parts, opcode, err);
    }
    if (take(parts, "shfl")) {
        opcode->family = BSIM_SHFL;
        return read_exchange(parts, opcode, err);
    }
    if (take(parts, "membar")) {
        return read_fence(parts, BSIM_MEMBAR, opcode, err);
    }
    if (take(parts, "fence")) {
        return read_fence(parts, BSIM_SC, opcode, err);
    }
    if (take(parts, "bar")) {
        return read_barrier(parts, opcode, err);
    }
    if (take(parts, "tcgen05")) {
        return unknown(parts, "tcgen05, the tensor cores of sm_100, is not modelled", err);
    }
    return unknown(parts,
                   "it begins with ld, ldu, tex, st, atom, red, cp.async, ldmatrix, stmatrix, wgmma, "
                   "shfl.sync, membar, fence or is bar.sync or bar.warp.sync",
                   err);
}

enum bsim_status bsim_opcode_parse(const char *text, size_t length, struct bsim_opcode *opcode,
                                   struct bsim_error *err)
{
    struct parts parts = {text, text + length, text, length};
    struct bsim_opcode parsed = {0};
    enum bsim_status status = read_family(&parts, &parsed, err);
    if (status != BSIM_OK) {
        return status;
    }
    if (parts.at != parts.end) {
        return unknown(&parts, "nothing follows its last part", err);
    }
    *opcode = parsed;
    return BSIM_OK;
}

/* ---- writing ------------------------------------------------------------------------------ */

static const char *word_of(const char *const *words, size_t n, size_t which)
{
    return which < n ? words[which] : "?";
}

/* Behind what is in name[0..size) already. */
static void put_element(const struct bsim_opcode *opcode, char *name, size_t size)
{
    size_t at = strlen(name);
    if (opcode->type == 'h' || opcode->type == 'n') {
        (void)snprintf(name + at, size - at, ".noftz.%s", opcode->type == 'h' ? "f16x2" : "bf16x2");
    } else {
        (void)snprintf(name + at, size - at, ".%c%u", opcode->type, opcode->bits);
    }
}

const char *bsim_opcode_name(const struct bsim_opcode *opcode, char name[BSIM_OPCODE_NAME_SIZE])
{
    const char *family = word_of(family_word, N_OF(family_word), opcode->family);
    const char *space = word_of(space_word, N_OF(space_word), opcode->space);
    const char *operation = word_of(operation_word, N_OF(operation_word), opcode->operation);
    size_t size = BSIM_OPCODE_NAME_SIZE;
    switch ((enum bsim_family)opcode->family) {
    case BSIM_LD:
    case BSIM_ST:
        (void)snprintf(name, size, "%s%s.%s%s%s.%c%u",
                       opcode->space == BSIM_TEXTURE ? "tex"
                       : opcode->path == BSIM_LDU    ? "ldu"
                                                     : family,
                       opcode->is_volatile            ? ".volatile"
                       : opcode->path == BSIM_TELLS ? ".async"
                                                      : "",
                       space,
                       opcode->path == BSIM_NC ? ".nc" : "",
                       opcode->count == 2   ? ".v2"
                       : opcode->count == 4 ? ".v4"
                                            : "",
                       opcode->type, opcode->bits);
        break;
    case BSIM_ATOM:
    case BSIM_RED:
        (void)snprintf(name, size, "%s%s.%s.%s", family, opcode->path == BSIM_TELLS ? ".async" : "", space,
                       operation);
        put_element(opcode, name, size);
        break;
    case BSIM_CP_ASYNC:
        (void)snprintf(name, size, "%s.%s.shared.global.%u", family,
                       opcode->path == BSIM_BYPASS ? "cg" : "ca", opcode->bytes);
        break;
    case BSIM_LDMATRIX:
    case BSIM_STMATRIX:
        (void)snprintf(name, size, "%s.sync.aligned.m8n8.x%u%s.shared.b16", family, opcode->count,
                       opcode->is_transposed ? ".trans" : "");
        break;
    case BSIM_SHFL:
        (void)snprintf(name, size, "%s.%s.b32", family, operation);
        break;
    case BSIM_FENCE:
        if (opcode->operation == BSIM_MEMBAR) {
            (void)snprintf(name, size, "membar.%s",
                           word_of(membar_scope, N_OF(membar_scope), opcode->scope));
        } else if (opcode->operation == BSIM_PROXY_ASYNC) {
            (void)snprintf(name, size, "%s.%s.async%s%s", family, operation, opcode->scope == BSIM_NO_SCOPE ? "" : ".",
                           word_of(fence_scope, N_OF(fence_scope), opcode->scope));
        } else {
            (void)snprintf(name, size, "%s.%s.%s", family, operation,
                           word_of(fence_scope, N_OF(fence_scope), opcode->scope));
        }
        break;
    case BSIM_WARP_SYNC:
    case BSIM_BAR:
    case BSIM_WORK:
    case BSIM_ARRIVE:
    case BSIM_AWAIT:
    case BSIM_COPIES_COMMIT:
    case BSIM_COPIES_WAIT:
    case BSIM_COPIES_ARRIVE:
        (void)snprintf(name, size, "%s", family);
        break;
    case BSIM_WGMMA:
    case BSIM_BULK:
        bsim_async_opcode_name(opcode, name);
        break;
    default:
        (void)snprintf(name, size, "?");
        break;
    }
    return name;
}

/* ---- what an opcode asks for -------------------------------------------------------------- */

uint32_t bsim_opcode_lanes(const struct bsim_opcode *opcode, uint32_t mask)
{
    if (!bsim_opcode_is_matrix(opcode)) {
        return bsim_opcode_is_access(opcode) ? mask : 0;
    }
    return opcode->count >= 4 ? BSIM_FULL_MASK : (UINT32_C(1) << 8 * opcode->count) - 1;
}

/* ---- the list ----------------------------------------------------------------------------- */

/* Each maker gets i below its segment's size and takes it apart, fastest digit first. */
static size_t digit(size_t *i, size_t base)
{
    size_t value = *i % base;
    *i /= base;
    return value;
}

enum {
    N_LETTERS = 4,
    N_ATOMIC_LETTERS = 6,
    N_SHAPES = 11, /* 3 counts times 4 sizes, without v4 of 64 bits: the last */
    N_WIDTHS = N_LETTERS * N_SHAPES,
    N_ACCESSES = N_WIDTHS * 2, /* per space, volatile or not */
    N_OPERATIONS = BSIM_CAS - BSIM_ADD + 1,
    N_ATOMICS = N_ATOMIC_LETTERS * 2 * N_OPERATIONS * 2,
};

static void make_access(enum bsim_family family, size_t i, struct bsim_opcode *opcode)
{
    opcode->family = (uint8_t)family;
    opcode->type = type_letter[digit(&i, N_LETTERS)];
    size_t shape = digit(&i, N_SHAPES);
    opcode->bits = element_bits[shape % N_OF(element_bits)];
    opcode->count = element_count[shape / N_OF(element_bits)];
    opcode->bytes = (uint8_t)(opcode->count * opcode->bits / 8);
    opcode->is_volatile = digit(&i, 2) == 1;
    opcode->space = (uint8_t)(BSIM_SHARED + i);
}

static void make_read_only(enum bsim_family family, size_t i, struct bsim_opcode *opcode)
{
    make_access(family, i, opcode);
    opcode->space = BSIM_GLOBAL;
    opcode->path = BSIM_NC;
}

static void make_uniform(enum bsim_family family, size_t i, struct bsim_opcode *opcode)
{
    make_access(family, i, opcode);
    opcode->space = BSIM_GLOBAL;
    opcode->path = BSIM_LDU;
}

static void make_texture(enum bsim_family family, size_t i, struct bsim_opcode *opcode)
{
    make_access(family, i, opcode);
    opcode->space = BSIM_TEXTURE;
}

static void make_atomic(enum bsim_family family, size_t i, struct bsim_opcode *opcode)
{
    opcode->family = (uint8_t)family;
    opcode->type = type_letter[digit(&i, N_ATOMIC_LETTERS)];
    opcode->bits = digit(&i, 2) == 0 ? 32 : 64;
    opcode->operation = (uint8_t)(BSIM_ADD + digit(&i, N_OPERATIONS));
    opcode->space = (uint8_t)(BSIM_SHARED + i);
    opcode->count = 1;
    opcode->bytes = opcode->bits / 8;
}

static void make_peer(enum bsim_family family, size_t i, struct bsim_opcode *opcode)
{
    if (family == BSIM_LD || family == BSIM_ST) {
        make_access(family, i, opcode);
    } else {
        make_atomic(family, i, opcode);
    }
    opcode->space = BSIM_PEER;
}

static void make_telling(enum bsim_family family, size_t i, struct bsim_opcode *opcode)
{
    make_peer(family, i, opcode);
    opcode->path = BSIM_TELLS;
}

static void make_matrix(enum bsim_family family, size_t i, struct bsim_opcode *opcode)
{
    opcode->family = (uint8_t)family;
    opcode->space = BSIM_SHARED;
    opcode->type = 'b';
    opcode->bits = 16;
    opcode->bytes = MATRIX_ROW_BYTES;
    opcode->is_transposed = digit(&i, 2) == 1;
    opcode->count = element_count[i];
}

static void make_increment(enum bsim_family family, size_t i, struct bsim_opcode *opcode)
{
    (void)family;
    (void)i;
    set_increment(opcode);
}

static void make_copy(enum bsim_family family, size_t i, struct bsim_opcode *opcode)
{
    (void)family;
    set_copy(BSIM_USUAL_PATH, (uint8_t)(4 << i), opcode);
}

static void make_bypass(enum bsim_family family, size_t i, struct bsim_opcode *opcode)
{
    (void)family;
    (void)i;
    set_copy(BSIM_BYPASS, 16, opcode);
}

static void make_exchange(enum bsim_family family, size_t i, struct bsim_opcode *opcode)
{
    opcode->family = (uint8_t)family;
    opcode->operation = (uint8_t)(BSIM_IDX + i);
    opcode->type = 'b';
    opcode->bits = 32;
}

static void make_fence(enum bsim_family family, size_t i, struct bsim_opcode *opcode)
{
    opcode->family = (uint8_t)family;
    opcode->operation = (uint8_t)(BSIM_MEMBAR + i / 3);
    opcode->scope = (uint8_t)(BSIM_CTA + i % 3);
}

static void make_proxy_fence(enum bsim_family family, size_t i, struct bsim_opcode *opcode)
{
    opcode->family = (uint8_t)family;
    opcode->operation = BSIM_PROXY_ASYNC;
    opcode->scope = (uint8_t)(i == 0 ? BSIM_NO_SCOPE : BSIM_VIEW_SHARED + i - 1);
}

static void make_barrier(enum bsim_family family, size_t i, struct bsim_opcode *opcode)
{
    (void)i;
    opcode->family = (uint8_t)family;
}

/* The combinations by index 0, 1, ..., also those that do not exist. */
static bool combination_at(size_t index, struct bsim_opcode *opcode)
{
    static const struct {
        enum bsim_family family;
        size_t n;
        void (*make)(enum bsim_family family, size_t i, struct bsim_opcode *opcode);
    } segment[] = {
        {BSIM_LD, (size_t)N_ACCESSES * 4, make_access},
        {BSIM_LD, N_WIDTHS, make_read_only},
        {BSIM_LD, N_WIDTHS, make_uniform},
        {BSIM_LD, N_WIDTHS, make_texture},
        {BSIM_LD, N_ACCESSES, make_peer},
        {BSIM_ST, (size_t)N_ACCESSES * 3, make_access},
        {BSIM_ST, N_ACCESSES, make_peer},
        {BSIM_ST, N_WIDTHS, make_telling},
        {BSIM_ATOM, N_ATOMICS, make_atomic},
        {BSIM_ATOM, N_ATOMICS / 2, make_peer},
        {BSIM_RED, N_ATOMICS, make_atomic},
        {BSIM_RED, N_ATOMICS / 2, make_peer},
        {BSIM_RED, N_ATOMICS / 2, make_telling},
        {BSIM_RED, 1, make_increment},
        {BSIM_CP_ASYNC, 3, make_copy},
        {BSIM_CP_ASYNC, 1, make_bypass},
        {BSIM_LDMATRIX, 6, make_matrix},
        {BSIM_STMATRIX, 6, make_matrix},
        {BSIM_SHFL, 4, make_exchange},
        {BSIM_WARP_SYNC, 1, make_barrier},
        {BSIM_FENCE, 9, make_fence},
        {BSIM_FENCE, 4, make_proxy_fence},
        {BSIM_BAR, 1, make_barrier},
    };
    for (size_t s = 0; s < N_OF(segment); s++) {
        if (index < segment[s].n) {
            *opcode = (struct bsim_opcode){0};
            segment[s].make(segment[s].family, index, opcode);
            return true;
        }
        index -= segment[s].n;
    }
    return false;
}

bool bsim_opcode_at(size_t index, struct bsim_opcode *opcode)
{
    struct bsim_opcode found;
    for (size_t i = 0; combination_at(i, &found); i++) {
        if (exists(&found) && index-- == 0) {
            *opcode = found;
            return true;
        }
    }
    return false;
}

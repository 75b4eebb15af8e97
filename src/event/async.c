/* async.c - the opcodes of wgmma and of copies by TMA.
 *
 *     wgmma = "wgmma.mma_async.sync.aligned.m64n" N "k" K "." type
 *     bulk  = "cp.async.bulk" [".tensor." D "d"] (".shared.global" | ".global.shared")
 *           | "cp.reduce.async.bulk" [".tensor." D "d"] ".global.shared." op
 *     op    = "add" | "min" | "max" | "inc" | "dec" | "and" | "or" | "xor"
 *     type  = "f16" | "bf16" | "tf32" | "e4m3" | "e5m2" | "s8" | "u8"
 *
 * N is a multiple of 8 up to 256, of s8 and u8 beyond 32 of 16, K what 32 bytes of the type are, D 1 to 5. PTX names the types of D, A
 * and B; here it is that of A and B, as what is summed up lies in registers. PTX's names of mbarriers and
 * bulk groups are fields of the event.
 */
#include "event/async.h"

#include <stdio.h>

static const char wgmma_head[] = "wgmma.mma_async.sync.aligned.m64n";

/* ---- types ---------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    char letter;
    uint8_t bits;
} types[] = {{"f16", 'f', 16}, {"bf16", 'n', 16}, {"tf32", 't', 32}, {"e4m3", 'e', 8},
             {"e5m2", 'd', 8}, {"s8", 's', 8},    {"u8", 'u', 8}};

enum { N_TYPES = sizeof types / sizeof types[0] };

static bool set_type(const char *name, struct bsim_opcode *opcode)
{
    for (int i = 0; i < N_TYPES; i++) {
        if (strcmp(name, types[i].name) == 0) {
            opcode->type = types[i].letter;
            opcode->bits = types[i].bits;
            return true;
        }
    }
    return false;
}

static const char *type_of(const struct bsim_opcode *opcode)
{
    int i = 0;
    while (i < N_TYPES - 1 &&
           (types[i].letter != opcode->type || types[i].bits != opcode->bits)) {
        i++;
    }
    return types[i].name;
}

/* ---- spellings ------------------------------------------------------------------------------ */

static bool begins(const char *text, size_t length, const char *with)
{
    size_t n = strlen(with);
    return length >= n && memcmp(text, with, n) == 0;
}

bool bsim_async_opcode_begins(const char *text, size_t length)
{
    return begins(text, length, "wgmma") || begins(text, length, "cp.async.bulk") ||
           begins(text, length, "cp.reduce");
}

static const char *parse_wgmma(const char *name, struct bsim_opcode *opcode)
{
    static const char *const remedy =
        "it is wgmma.mma_async.sync.aligned.m64nNkK.T, N a multiple of 8 up to 256 (of s8 and u8 "
        "beyond 32 of 16), T f16, bf16, tf32, e4m3, e5m2, s8 or u8, K what 32 bytes of it are";
    char type[8] = "", back[BSIM_OPCODE_NAME_SIZE];
    unsigned n = 0, k = 0;
    if (!begins(name, strlen(name), wgmma_head) ||
        sscanf(name + sizeof wgmma_head - 1, "%3uk%2u.%7s", &n, &k, type) != 3 ||
        !set_type(type, opcode) || !bsim_async_has_columns(n, opcode->type == 's' || opcode->type == 'u')) {
        return remedy;
    }
    opcode->family = BSIM_WGMMA;
    opcode->count = (uint8_t)(n / 8);
    bsim_async_opcode_name(opcode, back); /* so K is right, and no number has zeroes before it */
    return strcmp(back, name) == 0 ? NULL : remedy;
}

/* By their operation, from BSIM_ADD on. */
static const char *const reductions[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};

enum { N_REDUCTIONS = sizeof reductions / sizeof reductions[0] };

_Static_assert(BSIM_ADD + N_REDUCTIONS == BSIM_EXCH, "reductions have a word for each operation");

static bool is_reduction(const struct bsim_opcode *opcode)
{
    return opcode->operation >= BSIM_ADD && opcode->operation < BSIM_EXCH;
}

static const char *parse_bulk(const char *name, struct bsim_opcode *opcode)
{
    static const uint8_t ways[] = {BSIM_TO_SHARED, BSIM_TO_GLOBAL, BSIM_ADD, BSIM_MIN, BSIM_MAX,
                                   BSIM_INC,       BSIM_DEC,       BSIM_AND, BSIM_OR,  BSIM_XOR};
    char back[BSIM_OPCODE_NAME_SIZE];
    opcode->family = BSIM_BULK;
    for (size_t way = 0; way < sizeof ways; way++) {
        for (uint8_t dims = 0; dims <= BSIM_TMA_MAX_DIMS; dims++) {
            opcode->operation = ways[way];
            opcode->count = dims;
            bsim_async_opcode_name(opcode, back);
            if (strcmp(back, name) == 0) {
                return NULL;
            }
        }
    }
    return "it is cp.async.bulk[.tensor.{1d,2d,3d,4d,5d}].{shared.global,global.shared} or "
           "cp.reduce.async.bulk[.tensor.{1d,...}].global.shared.{add,min,max,inc,dec,and,or,xor}";
}

const char *bsim_async_opcode_parse(const char *text, size_t length, struct bsim_opcode *opcode)
{
    char name[BSIM_OPCODE_NAME_SIZE];
    struct bsim_opcode read = {0};
    (void)snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : 0, text);
    const char *remedy =
        begins(text, length, "wgmma") ? parse_wgmma(name, &read) : parse_bulk(name, &read);
    if (remedy == NULL) {
        *opcode = read;
    }
    return remedy;
}

void bsim_async_opcode_name(const struct bsim_opcode *opcode, char name[BSIM_OPCODE_NAME_SIZE])
{
    char box[16] = "";
    if (opcode->family == BSIM_WGMMA) {
        (void)snprintf(name, BSIM_OPCODE_NAME_SIZE, "%s%uk%u.%s", wgmma_head, 8u * opcode->count,
                       8u * BSIM_WGMMA_K_BYTES / (opcode->bits > 0 ? opcode->bits : 8u),
                       type_of(opcode));
        return;
    }
    if (opcode->count > 0) {
        (void)snprintf(box, sizeof box, ".tensor.%ud", (unsigned)opcode->count);
    }
    bool reduces = is_reduction(opcode);
    (void)snprintf(name, BSIM_OPCODE_NAME_SIZE, "cp.%sasync.bulk%s.%s%s%s", reduces ? "reduce." : "",
                   box, opcode->operation == BSIM_TO_SHARED ? "shared.global" : "global.shared",
                   reduces ? "." : "", reduces ? reductions[opcode->operation - BSIM_ADD] : "");
}

struct bsim_wgmma bsim_async_wgmma(const struct bsim_event *event)
{
    return (struct bsim_wgmma){.n = 8u * event->opcode.count,
                               .element_bytes = event->opcode.bits / 8u,
                               .a_in_registers = event->async->a_in_registers,
                               .is_whole = event->opcode.type == 's' || event->opcode.type == 'u'};
}

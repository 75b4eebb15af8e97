/* ptx_chains.c - chains of the forms of ptx_forms.c whose results are exact.
 *
 * Registers are in pools by what they hold, four of each: %w32_0 to 3 whole numbers, %f16_0 to 3
 * ... An instruction mostly takes from the pool that its form is about, sometimes from another of
 * the same width; every third one has a guard. Additions and products without a rounding are left
 * out, since ptxas may make one instruction of two. Lengths and places of fields are small, as PTX
 * wants them.
 */
#include "ptx_chains.h"

#include <string.h>

enum { OF_POOL = 4, N_PREDICATES = 4, N_POOLS = 12 };

static const struct pool {
    const char *name;
    uint32_t bits;
    enum ptx_class operands;
    const char *type; /* a result of that type goes here; NULL: whole numbers */
} pools[N_POOLS] = {
    {"w16_", 16, PTX_WHOLE, NULL},      {"w32_", 32, PTX_WHOLE, NULL},
    {"w64_", 64, PTX_WHOLE, NULL},      {"f32_", 32, PTX_F32, "f32"},
    {"f64_", 64, PTX_F64, "f64"},       {"f16_", 16, PTX_F16, "f16"},
    {"f16x2_", 32, PTX_F16, "f16x2"},   {"b16_", 16, PTX_BF16, "bf16"},
    {"b16x2_", 32, PTX_BF16, "bf16x2"}, {"s32_", 32, PTX_SHIFT, NULL},
    {"v32_", 32, PTX_WHOLE, NULL},      {"v64_", 64, PTX_WHOLE, NULL},
};

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* ---- forms that chain ------------------------------------------------------------------------ */

static int is_contracted(const char *text)
{
    size_t n = strcspn(text, " ");
    const char *rounding = strstr(text, ".r");
    int is_sum = strncmp(text, "add", 3) == 0 || strncmp(text, "sub", 3) == 0 ||
                 strncmp(text, "mul", 3) == 0;
    const char *point = strstr(text, "f16");
    return is_sum && point != NULL && point < text + n && (rounding == NULL || rounding > text + n);
}

static size_t usable_forms(struct ptx_form *form)
{
    size_t n = ptx_forms(form), used = 0;
    for (size_t i = 0; i < n && i < PTX_CHAINED; i++) {
        int is_alone = strchr(form[i].text, '[') == NULL && strstr(form[i].text, "mma") == NULL;
        if (form[i].tolerance == 0 && is_alone && !is_contracted(form[i].text)) {
            form[used++] = form[i];
        }
    }
    return used;
}

/* ---- registers ------------------------------------------------------------------------------- */

/* The pool of the first type behind the mnemonic's dots; for predicates it makes no difference. */
static size_t result_pool(const char *text, uint32_t bits)
{
    size_t whole = bits == 16 ? 0 : bits == 32 ? 1 : 2;
    for (const char *word = strchr(text, '.'); word != NULL && word < strchr(text, ' ');) {
        size_t length = strcspn(++word, ". ");
        if (strchr("usb", word[0]) != NULL && strchr("1368", word[1]) != NULL) {
            return whole;
        }
        for (size_t i = 0; i < N_POOLS; i++) {
            const char *type = pools[i].type;
            if (type != NULL && strncmp(type, word, length) == 0 && type[length] == '\0') {
                return pools[i].bits == bits ? i : whole;
            }
        }
        word += length;
    }
    return whole;
}

static size_t source_pool(const struct ptx_form *form, uint32_t bits, uint32_t number,
                          uint64_t *state)
{
    size_t any = next(state) % N_POOLS;
    if (next(state) % 8 == 0 && pools[any].bits == bits && form->operands != PTX_SHIFT) {
        return any;
    }
    enum ptx_class want =
        form->operands == PTX_SHIFT && (number == 1 || bits == 64) ? PTX_WHOLE : form->operands;
    for (size_t i = 0; i < N_POOLS; i++) {
        if (pools[i].bits == bits && pools[i].operands == want) {
            return i;
        }
    }
    return bits == 16 ? 0 : bits == 32 ? 1 : 2;
}

/* The names of a form's registers in a chain, by letter and number. */
struct names {
    char of[3][6][16]; /* of %h, %r, %rd */
    unsigned predicate[4];
};

static void draw_names(const struct ptx_form *form, struct names *names, uint64_t *state)
{
    static const uint32_t bits[] = {16, 32, 64};
    for (uint32_t kind = 0; kind < 3; kind++) {
        unsigned first = (unsigned)next(state) % OF_POOL;
        for (uint32_t number = 0; number < 6; number++) {
            size_t pool = number == 0 ? result_pool(form->text, bits[kind])
                                      : source_pool(form, bits[kind], number, state);
            /* of one pool no two sources are the same: ptxas leaves out the minimum of a and a */
            unsigned which =
                number == 0 ? (unsigned)next(state) % OF_POOL : (first + number) % OF_POOL;
            if (number < 4) {
                snprintf(names->of[kind][number], 16, "%%%s%u", pools[pool].name, which);
            } else {
                snprintf(names->of[kind][number], 16, "%%t%u_%u", bits[kind], number);
            }
        }
    }
    unsigned first_predicate = (unsigned)next(state) % N_PREDICATES;
    for (unsigned i = 0; i < 4; i++) {
        names->predicate[i] = (first_predicate + i) % N_PREDICATES;
    }
}

/* What ptxas of CUDA 13.0 makes of it under a guard also writes where the guard is false. */
static int is_expanded(const char *text)
{
    return strncmp(text, "testp", 5) == 0 || strncmp(text, "set.", 4) == 0 || text[0] == 'v';
}

/* A form's text with the chain's registers. */
static void write_form(FILE *file, const struct ptx_form *form, uint64_t *state)
{
    struct names names;
    draw_names(form, &names, state);
    unsigned guard = (unsigned)(next(state) % 12);
    int may_have_guard = strchr(form->text, ';') == NULL && strstr(form->text, ".sync") == NULL &&
                         !is_expanded(form->text);
    fputc(' ', file);
    if (may_have_guard && guard < N_PREDICATES) {
        fprintf(file, "@%s%%q%u ", next(state) % 2 ? "!" : "", guard);
    }
    for (const char *p = form->text; *p != '\0'; p++) {
        uint32_t kind = p[1] == 'h' ? 0 : p[1] == 'r' && p[2] == 'd' ? 2 : 1;
        if (*p != '%') {
            fputc(*p, file);
        } else if (p[1] == 'p') {
            fprintf(file, "%%q%u", names.predicate[p[2] - '0']);
            p += 2;
        } else {
            p += kind == 2 ? 3 : 2;
            fputs(names.of[kind][*p - '0'], file);
        }
    }
    fputs(";\n", file);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static void write_load(FILE *file, const struct pool *pool, unsigned i, uint64_t *state)
{
    unsigned place = pool->operands == PTX_SHIFT ? 1 + i % 2 : (unsigned)(next(state) % 3);
    fprintf(file,
            " add.u32 %%t32_4, %%lane, %u;\n and.b32 %%t32_4, %%t32_4, 31;\n"
            " mad.wide.u32 %%t64_4, %%t32_4, 24, %%in;\n ld.global.b%u %%%s%u, [%%t64_4+%u];\n",
            (unsigned)(next(state) % 32), pool->bits, pool->name, i,
            (unsigned)pool->operands * PTX_LANES * 24 + 8 * place);
}

static void write_registers(FILE *file)
{
    fputs(" .reg .b64 %in, %out;\n .reg .b32 %lane;\n .reg .pred %q<4>;\n", file);
    fputs(" .reg .b16 %t16_<6>;\n .reg .b32 %t32_<6>;\n .reg .b64 %t64_<6>;\n", file);
    for (size_t i = 0; i < N_POOLS; i++) {
        fprintf(file, " .reg .b%u %%%s<%u>;\n", pools[i].bits, pools[i].name, (unsigned)OF_POOL);
    }
}

static void write_results(FILE *file)
{
    unsigned n = 0;
    fprintf(file, " mad.wide.u32 %%t64_4, %%lane, %u, %%out;\n", PTX_CHAIN_REGISTERS * 8);
    for (size_t k = 0; k < N_POOLS; k++) {
        for (unsigned i = 0; i < OF_POOL; i++, n++) {
            if (pools[k].bits < 64) {
                fprintf(file, " cvt.u64.u%u %%t64_5, %%%s%u;\n", pools[k].bits, pools[k].name, i);
                fprintf(file, " st.global.b64 [%%t64_4+%u], %%t64_5;\n", 8 * n);
            } else {
                fprintf(file, " st.global.b64 [%%t64_4+%u], %%%s%u;\n", 8 * n, pools[k].name, i);
            }
        }
    }
    for (unsigned i = 0; i < N_PREDICATES; i++, n++) {
        fprintf(file, " selp.u64 %%t64_5, 1, 0, %%q%u;\n st.global.b64 [%%t64_4+%u], %%t64_5;\n", i,
                8 * n);
    }
}

static void write_chain(FILE *file, const struct ptx_form *form, size_t n_forms, size_t length,
                        uint64_t *state)
{
    fputs(" ld.param.u64 %in, [in];\n ld.param.u64 %out, [out];\n mov.u32 %lane, %tid.x;\n", file);
    for (size_t k = 0; k < N_POOLS; k++) {
        for (unsigned i = 0; i < OF_POOL; i++) {
            write_load(file, &pools[k], i, state);
        }
    }
    for (unsigned i = 0; i < N_PREDICATES; i++) {
        fprintf(file, " and.b32 %%t32_4, %%lane, %u;\n setp.ne.u32 %%q%u, %%t32_4, 0;\n", 1u << i,
                i);
    }
    for (size_t i = 0; i < length; i++) {
        write_form(file, &form[next(state) % n_forms], state);
    }
    write_results(file);
}

void ptx_batch_operands(uint64_t seed, size_t batch, struct ptx_operands *operands)
{
    uint64_t state = seed ^ (uint64_t)batch << 32;
    ptx_operands(next(&state), operands);
}

void ptx_write_batch(FILE *file, uint64_t seed, size_t batch, size_t length)
{
    static struct ptx_form form[PTX_MAX_FORMS];
    static size_t n_forms;
    n_forms = n_forms == 0 ? usable_forms(form) : n_forms;
    fputs(".version 8.0\n.target sm_90\n.address_size 64\n", file);
    for (size_t i = 0; i < PTX_BATCH; i++) {
        uint64_t state = (seed << 32 ^ (batch * PTX_BATCH + i)) * UINT64_C(0xd1342543de82ef95);
        fprintf(file, ".visible .entry c%zu(.param .u64 in, .param .u64 out) {\n", i);
        write_registers(file);
        write_chain(file, form, n_forms, length, &state);
        fputs(" ret;\n}\n", file);
    }
}

/* ---- results --------------------------------------------------------------------------------- */

uint32_t ptx_chain_hash(const uint64_t *result)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < (size_t)PTX_LANES * PTX_CHAIN_REGISTERS; i++) {
        hash = (hash ^ result[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return (uint32_t)(hash >> 32);
}

void ptx_chain_register(size_t i, char name[16])
{
    size_t pool = i / OF_POOL;
    snprintf(name, 16, "%%%s%u", pool < N_POOLS ? pools[pool].name : "q", (unsigned)(i % OF_POOL));
}

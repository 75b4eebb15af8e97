/* test_pasted.c - random arrays and accesses: what `advise` and the hints of `check` say, taken
 * from their text and pasted as a person would.
 *
 * Nothing of the search is asked. A plan is read from the report, a hint from its sentence; their
 * declarations and indices become statements again, and the evaluator and the simulator tell, for
 * the declarations as they then stand:
 *
 * - every element of the array, not only those that are accessed, has a place in it, and no two the
 *   same;
 * - every access is in range and aligned;
 * - wavefronts, requests and bytes are those that were claimed, and a hint makes no access
 *   worse.
 *
 * A plan also calls its layouts by their names, and some in CuTe's words. The names stand behind the
 * arrays as they were declared, the accesses as they were: counts and bytes are those that were
 * claimed, and each element lies where the index that was pasted has it, and where CuTe's Swizzle has
 * it, as include/cute/swizzle.hpp defines that. */
#include "random_request.h"

#include <banksim/banksim.h>

#include "sim/sim.h"
#include "watched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EXAMPLES = WATCHED(1500, 60),
    LEAST_TEXTS = WATCHED(2000, 80), /* plans and hints that they have to give */
    MOST_ARRAYS = 3,
    MOST_ACCESSES = 4,
    INDEX_SIZE = 160,
    TEXT_SIZE = 1024,
    MOST_ELEMENTS = 1 << 16,
};

static struct random_source random_numbers = {20250613};

static uint32_t below(uint32_t n)
{
    return random_below(&random_numbers, n);
}

static bool once_in(uint32_t n)
{
    return below(n) == 0;
}

#define ONE_OF(list) (list)[below((uint32_t)(sizeof(list) / sizeof(list)[0]))]

/* ---- examples ------------------------------------------------------------------------------ */

struct array {
    char name[4];
    char declaration[INDEX_SIZE];
    const char *layout; /* behind that; or "" */
    const char *type;
    uint32_t n_members; /* x, y, z, w of a vector or a struct */
    bool is_struct;
    uint32_t bytes;           /* of an element */
    uint32_t n, dimension[3]; /* the last first */
    bool is_extern;
};

/* "word" "before" array[...][...] */
struct access {
    const char *word;
    char before[32];
    size_t array;
    char index[3][INDEX_SIZE]; /* the last first */
    char member;               /* 'x', or 0: all of the element */
    bool is_flat;              /* the last index counts through all dimensions */
};

struct example {
    const char *block;
    bool whole_warps;
    uint32_t turns; /* of the loop over k; 0: there is none */
    size_t n_arrays, n_accesses;
    struct array array[MOST_ARRAYS];
    struct access access[MOST_ACCESSES];
};

static uint32_t make_size(const struct array *array, uint32_t d)
{
    static const uint32_t usual[] = {8, 16, 32, 32, 33, 64, 24, 20, 48};
    if (array->n == 1) {
        return once_in(2) ? 32 + below(100) * 32 : 1 + below(4000);
    }
    if (d == 2) {
        return 1 + below(6);
    }
    return once_in(3) ? 1 + below(70) : ONE_OF(usual);
}

static void make_array(struct example *example, size_t index)
{
    static const struct {
        const char *name;
        uint32_t bytes, n_members;
        bool is_struct;
    } types[] = {{"float", 4, 0, false},
                 {"float", 4, 0, false},
                 {"float", 4, 0, false},
                 {"int", 4, 0, false},
                 {"half", 2, 0, false},
                 {"half", 2, 0, false},
                 {"char", 1, 0, false},
                 {"short", 2, 0, false},
                 {"double", 8, 0, false},
                 {"float2", 8, 2, false},
                 {"float4", 16, 4, false},
                 {"float3", 12, 3, false},
                 {"uint4", 16, 4, false},
                 {"double2", 16, 2, false},
                 {"{ float x, y, z, w; }", 16, 4, true},
                 {"{ double x; float y, z; char w; }", 24, 4, true}};
    static const char *const layouts[] = {" pad 1",           " pad 4",
                                          " pad 1 every 32",  " swizzle<2,3,3>",
                                          " swizzle<5,0,5>",  " row-xor 3,0,0",
                                          " swizzle 128B",    " xor 4:3,5:5",
                                          " pad 8 every 128", " pad 8 swizzle<3,3,3>"};
    uint32_t type = below(sizeof types / sizeof types[0]);
    struct array *array = &example->array[index];
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    uint32_t room = (24u << 10) / types[type].bytes; /* elements, to be quick */
    *array = (struct array){.type = types[type].name,
                            .n_members = types[type].n_members,
                            .is_struct = types[type].is_struct,
                            .bytes = types[type].bytes,
                            .n = 1 + below(3)};
    array->is_extern = index + 1 == example->n_arrays && !array->is_struct && once_in(6);
    (void)snprintf(array->name, sizeof array->name, "%ch", (char)('p' + index));
    for (uint32_t d = 0; d < array->n; d++) {
        uint32_t size = make_size(array, d);
        array->dimension[d] = size < room ? size : room;
        room /= array->dimension[d];
    }
    bsim_buffer_printf(&text, "%s%s", array->is_extern ? "extern " : "",
                       once_in(4) ? "__align__(16) " : "");
    if (array->is_struct) {
        bsim_buffer_printf(&text, "struct S%zu ", index);
    }
    bsim_buffer_printf(&text, "%s %s", array->type, array->name);
    for (uint32_t d = array->n; d-- > 0;) {
        if (array->is_extern && d == array->n - 1) {
            bsim_buffer_text(&text, "[]");
        } else {
            bsim_buffer_printf(&text, "[%" PRIu32 "]", array->dimension[d]);
        }
    }
    (void)snprintf(array->declaration, sizeof array->declaration, "%s", text.data);
    array->layout = array->is_extern || !once_in(6) ? "" : ONE_OF(layouts);
    bsim_buffer_free(&text);
}

/* An expression from 0 to size - 1: mostly strides, sometimes a hash. */
static void make_index(const struct example *example, uint32_t size, char out[INDEX_SIZE])
{
    static const char *const threads[] = {"threadIdx.x", "threadIdx.x", "threadIdx.x",
                                          "threadIdx.y", "lane",        "warp"};
    static const uint32_t strides[] = {1, 2, 4, 8, 16, 32, 32, 33, 64, 96, 3, 5, 12, 17, 128};
    const char *thread = ONE_OF(threads);
    uint32_t stride = ONE_OF(strides);
    uint32_t by = 1u << below(5);
    switch (below(9)) {
    case 0:
        (void)snprintf(out, INDEX_SIZE, "%" PRIu32, below(size));
        break;
    case 1:
        (void)snprintf(out, INDEX_SIZE, "%s / %" PRIu32 " %% %" PRIu32, thread, by, size);
        break;
    case 2:
        (void)snprintf(out, INDEX_SIZE, "%s %% %" PRIu32 " * %" PRIu32 " %% %" PRIu32, thread, by,
                       stride, size);
        break;
    case 3:
    case 4:
        (void)snprintf(out, INDEX_SIZE, "(%s * %" PRIu32 " + %s) %% %" PRIu32, thread, stride,
                       example->turns > 0 ? "k" : "warp", size);
        break;
    case 5:
        (void)snprintf(out, INDEX_SIZE, "(%s ^ threadIdx.x / %" PRIu32 ") %% %" PRIu32, thread, by,
                       size);
        break;
    case 6:
        if (once_in(3)) {
            (void)snprintf(out, INDEX_SIZE, "(%s * 2654435761u >> 13) %% %" PRIu32, thread, size);
            break;
        } /* fall through */
    default:
        (void)snprintf(out, INDEX_SIZE, "%s * %" PRIu32 " %% %" PRIu32, thread, stride, size);
    }
}

/* Several elements at once, through a cast. */
static void make_wide(struct example *example, struct access *access)
{
    static const struct {
        const char *name;
        uint32_t bytes;
    } types[] = {{"float2", 8}, {"float4", 16}, {"uint4", 16}, {"int", 4}};
    const struct array *array = &example->array[access->array];
    char narrow[INDEX_SIZE];
    uint32_t type = below(4);
    uint32_t n = types[type].bytes / array->bytes;
    if (n < 2 || array->dimension[0] % n != 0) {
        return;
    }
    make_index(example, array->dimension[0] / n, narrow);
    (void)snprintf(access->index[0], INDEX_SIZE, "(%.120s) * %" PRIu32, narrow, n);
    if (types[type].bytes == 16 && example->whole_warps && once_in(3)) {
        access->word = "ldmatrix";
        (void)snprintf(access->before, sizeof access->before, "x%d &", once_in(2) ? 4 : 1);
    } else {
        (void)snprintf(access->before, sizeof access->before, "*(%s *)&", types[type].name);
    }
}

static uint32_t count_elements(const struct array *array)
{
    uint32_t n = 1;
    for (uint32_t d = 0; d < array->n; d++) {
        n *= array->dimension[d];
    }
    return n;
}

/* Through all dimensions by the last index, undefined in C and usual in CUDA. */
static void make_flat(struct example *example, struct access *access)
{
    const struct array *array = &example->array[access->array];
    make_index(example, count_elements(array), access->index[0]);
    access->is_flat = true;
    for (uint32_t d = 1; d < array->n; d++) {
        (void)snprintf(access->index[d], INDEX_SIZE, "0");
    }
}

static void make_access(struct example *example, struct access *access)
{
    *access = (struct access){.word = once_in(3) ? "store" : "load",
                              .array = below((uint32_t)example->n_arrays)};
    const struct array *array = &example->array[access->array];
    for (uint32_t d = 0; d < array->n; d++) {
        make_index(example, array->dimension[d], access->index[d]);
    }
    if (array->is_struct || (array->n_members > 0 && once_in(2))) {
        access->member = "xyzw"[below(array->n_members)];
    } else if (array->n > 1 && !array->is_extern && once_in(8)) {
        make_flat(example, access);
    } else if (once_in(2)) {
        make_wide(example, access);
    } else if (strcmp(array->type, "int") == 0 && once_in(2)) {
        access->word = "atomic";
        (void)snprintf(access->before, sizeof access->before, "%s ", once_in(2) ? "add" : "cas");
    }
}

static void make_example(struct example *example)
{
    static const struct {
        const char *text;
        bool whole;
    } blocks[] = {{"32", true},  {"64", true},    {"32,4", true}, {"16,4", true},
                  {"8,8", true}, {"12,5", false}, {"128", true},  {"23", false}};
    uint32_t block = below(sizeof blocks / sizeof blocks[0]);
    *example = (struct example){.block = blocks[block].text,
                                .whole_warps = blocks[block].whole,
                                .turns = once_in(2) ? 1 + below(8) : 0,
                                .n_arrays = 1 + below(MOST_ARRAYS),
                                .n_accesses = 1 + below(MOST_ACCESSES)};
    for (size_t i = 0; i < example->n_arrays; i++) {
        make_array(example, i);
    }
    for (size_t i = 0; i < example->n_accesses; i++) {
        make_access(example, &example->access[i]);
    }
}

/* ---- what is claimed ----------------------------------------------------------------------- */

/* What a text says of one array; "" where it says nothing. */
struct paste {
    char declaration[TEXT_SIZE];
    char index[TEXT_SIZE];  /* in x, y, z or i */
    char linear[TEXT_SIZE]; /* what i is, in x, y, z */
    char flat[TEXT_SIZE];   /* the index in e */
    char flat_linear[TEXT_SIZE];
    uint32_t n_elements;  /* of an extern array, or 0 */
    bool is_apart;        /* each member has an array: these are x's */
    char name[TEXT_SIZE]; /* of its layout: "pad 1"; or "align 16" */
    char dimensions[32];  /* "[32][32]", where columns are left out */
    uint32_t columns;     /* of these; 0: all stay */
    char cute[TEXT_SIZE]; /* "Swizzle<3,3,3> o (18,18):(33,1)" */
};

struct claim {
    char text[TEXT_SIZE]; /* for messages */
    struct paste paste[MOST_ARRAYS];
    bool is_hint;
    size_t access;                    /* a hint's */
    uint64_t before, after, requests; /* of the access, or of all; requests of hints only */
    uint64_t shared_bytes;            /* of plans only */
    bool is_by_name;                  /* declared with the layouts' names, accessed as before */
};

static void copy(char out[TEXT_SIZE], const char *begin, size_t size)
{
    assert_true(size < TEXT_SIZE);
    memcpy(out, begin, size);
    out[size] = '\0';
}

/* The array that a declaration or an index names. */
static struct paste *paste_of(const struct example *example, struct claim *claim, const char *text)
{
    for (size_t i = 0; i < example->n_arrays; i++) {
        char head[8];
        const char *at;
        (void)snprintf(head, sizeof head, "%s_x[", example->array[i].name);
        claim->paste[i].is_apart = claim->paste[i].is_apart || strstr(text, head) != NULL;
        (void)snprintf(head, sizeof head, claim->paste[i].is_apart ? "%s_x[" : "%s[",
                       example->array[i].name);
        at = strstr(text, head);
        if (at != NULL && (at == text || !isalnum((unsigned char)at[-1]))) {
            return &claim->paste[i];
        }
    }
    fail_msg("no array is named in '%s'", text);
    return NULL;
}

/* "__shared__ float s[64]", perhaps with "; // 64 elements, ..." or " of 64 elements" behind it. */
static void read_declaration(const struct example *example, struct claim *claim, const char *text)
{
    struct paste *paste = paste_of(example, claim, text);
    const char *end = strrchr(text, ';');
    size_t size = end != NULL ? (size_t)(end - text) : strlen(text);
    const char *of = strstr(text, " of ");
    const char *elements = of != NULL ? of + strlen(" of ") : strstr(text, "// ");
    size = of != NULL && of < text + size ? (size_t)(of - text) : size;
    copy(paste->declaration, text, size);
    if (elements != NULL) {
        paste->n_elements = (uint32_t)strtoul(elements + (of == NULL ? 3 : 0), NULL, 10);
    }
}

/* "tile[y][x ^ y] for tile[y][x]", perhaps with ", where i = y * 64 + x" behind it. */
static void read_index(const struct example *example, struct claim *claim, const char *text)
{
    const char *old = strstr(text, " for ");
    const char *where = strstr(text, ", where i = ");
    if (old == NULL) {
        fail_msg("'%s' is for nothing", text);
        return;
    }
    struct paste *paste = paste_of(example, claim, text);
    bool is_flat = strstr(old, "])[e]") != NULL;
    copy(is_flat ? paste->flat : paste->index, text, (size_t)(old - text));
    if (where != NULL) {
        where += strlen(", where i = ");
        copy(is_flat ? paste->flat_linear : paste->linear, where, strcspn(where, ",;"));
    }
}

/* "pad 1", perhaps with "[32][32] " in front, or that alone. */
static void read_name(struct paste *paste, const char *name)
{
    size_t size = strcspn(name, ";");
    size_t narrow = 0;
    while (name[narrow] == '[') {
        paste->columns = (uint32_t)strtoul(&name[narrow + 1], NULL, 10);
        narrow += strcspn(&name[narrow], "]") + 1;
    }
    (void)snprintf(paste->dimensions, sizeof paste->dimensions, "%.*s", (int)narrow, name);
    if (narrow > 0 && narrow == size) {
        copy(paste->name, "no layout", strlen("no layout"));
    } else {
        narrow += narrow > 0; /* and a blank */
        copy(paste->name, name + narrow, size - narrow);
    }
}

/* "1. tile: pad 1; b: align 16" */
static void read_names(const struct example *example, struct claim *claim, const char *heading)
{
    const char *item = strstr(heading, ". ");
    while (item != NULL) {
        item += 2;
        const char *colon = strstr(item, ": ");
        size_t array = 0;
        assert_non_null(colon);
        while (strncmp(item, example->array[array].name, (size_t)(colon - item)) != 0) {
            array++;
            assert_true(array < example->n_arrays);
        }
        colon += 2;
        read_name(&claim->paste[array], colon);
        item = strstr(colon, "; ");
    }
}

/* "CuTe's Swizzle<5,0,5> on the index of the element": of the array that was told last. */
static void read_cute(struct paste *paste, const char *text)
{
    const char *on = strstr(text, " on the index");
    copy(paste->cute, text, on != NULL ? (size_t)(on - text) : strlen(text));
}

/* ---- from a claim to a check --------------------------------------------------------------- */

/* Appends text, the words x, y, z, i and e as what they stand for. */
static void fill_in(const char *text, const char *const value[5], struct bsim_buffer *out)
{
    for (const char *c = text; *c != '\0'; c++) {
        const char *letter = strchr("xyzie", *c);
        bool alone = (c == text || (!isalnum((unsigned char)c[-1]) && c[-1] != '_')) &&
                     !isalnum((unsigned char)c[1]) && c[1] != '_';
        if (alone && letter != NULL && value[letter - "xyzie"] != NULL) {
            bsim_buffer_printf(out, "(%s)", value[letter - "xyzie"]);
        } else {
            bsim_buffer_add(out, c, 1);
        }
    }
}

/* The index, which is that of member x, of another member. */
static void name_member(const struct array *array, char member, struct bsim_buffer *index)
{
    char head[8];
    (void)snprintf(head, sizeof head, "%s_x[", array->name);
    char *at = strstr(index->data, head);
    assert_non_null(at);
    at[strlen(array->name) + 1] = member;
}

/* The element with that number, or its member, as the claim has it written. False if it says nothing of
 * such indices: then they are as they were. */
static bool add_flat_element(const struct array *array, const struct paste *paste,
                             const char *number, char member, struct bsim_buffer *out)
{
    const char *value[5] = {NULL, NULL, NULL, NULL, number};
    struct bsim_buffer linear = BSIM_BUFFER_EMPTY;
    if (paste->flat[0] == '\0') {
        return false;
    }
    if (paste->flat_linear[0] != '\0') {
        fill_in(paste->flat_linear, value, &linear);
        value[3] = linear.data;
    }
    fill_in(paste->flat, value, out);
    if (paste->is_apart) {
        name_member(array, member, out);
    } else {
        bsim_buffer_printf(out, "%s%.1s", member != 0 ? "." : "", &member);
    }
    bsim_buffer_free(&linear);
    return true;
}

/* One element, or a member of it: of array `a` at the indices `index`, as the claim (or NULL) has it
 * written. */
static void add_element(const struct example *example, const struct claim *claim, size_t a,
                        const char index[3][INDEX_SIZE], char member, struct bsim_buffer *out)
{
    const struct array *array = &example->array[a];
    const struct paste *paste = claim != NULL ? &claim->paste[a] : NULL;
    struct bsim_buffer linear = BSIM_BUFFER_EMPTY;
    const char *value[5] = {index[0], array->n > 1 ? index[1] : NULL,
                            array->n > 2 ? index[2] : NULL, array->n == 1 ? index[0] : NULL};
    if (paste == NULL || paste->index[0] == '\0' || claim->is_by_name) {
        bsim_buffer_text(out, array->name);
        for (uint32_t d = array->n; d-- > 0;) {
            bsim_buffer_printf(out, "[%s]", index[d]);
        }
        bsim_buffer_printf(out, "%s%.1s", member != 0 ? "." : "", &member);
        return;
    }
    if (paste->linear[0] != '\0') {
        fill_in(paste->linear, value, &linear);
        value[3] = linear.data;
    }
    fill_in(paste->index, value, out);
    if (paste->is_apart) {
        name_member(array, member, out);
    } else {
        bsim_buffer_printf(out, "%s%.1s", member != 0 ? "." : "", &member);
    }
    bsim_buffer_free(&linear);
}

static bool add(struct bsim_check *check, const char *word, const char *text)
{
    return bsim_check_add(check, word, text, word, NULL) == BSIM_OK;
}

/* The array as the claim has it: perhaps with fewer columns. */
static struct array array_of(const struct example *example, const struct claim *claim, size_t a)
{
    struct array array = example->array[a];
    if (claim->paste[a].columns > 0) {
        array.dimension[0] = claim->paste[a].columns;
        size_t head = strcspn(array.declaration, "[");
        (void)snprintf(&array.declaration[head], sizeof array.declaration - head, "%s",
                       claim->paste[a].dimensions);
    }
    return array;
}

/* As it was, with the name of its layout behind it, and where the plan aligns it, that. */
static void declare_by_name(const struct array *array, const struct paste *paste,
                            char out[2 * TEXT_SIZE])
{
    const char *align = strstr(paste->declaration, "__align__");
    bool is_same = paste->name[0] == '\0' || strncmp(paste->name, "align ", 6) == 0;
    unsigned unit = 1;
    if (align != NULL) {
        assert_int_equal(sscanf(align, "__align__(%u)", &unit), 1);
    }
    (void)snprintf(out, 2 * TEXT_SIZE, "%s__align__(%u) %s %s", array->is_extern ? "extern " : "",
                   unit, array->declaration + (array->is_extern ? strlen("extern ") : 0),
                   is_same                                 ? array->layout
                   : strcmp(paste->name, "no layout") == 0 ? ""
                                                           : paste->name);
}

/* Another index is in place of the layout that was declared; one that stays stands in the pasted
 * declaration as a remark. */
static void declare(const struct array *array, const struct paste *paste, char out[2 * TEXT_SIZE])
{
    bool is_pasted = paste != NULL && paste->declaration[0] != '\0';
    bool is_replaced = is_pasted || (paste != NULL && paste->index[0] != '\0');
    (void)snprintf(out, 2 * TEXT_SIZE, "%s%s", is_pasted ? paste->declaration : array->declaration,
                   is_replaced ? "" : array->layout);
    for (char *at = out; (at = strpbrk(at, "/*")) != NULL;) {
        *at = ' ';
    }
}

static bool declare_all_by_name(const struct example *example, const struct claim *claim,
                                struct bsim_check *check)
{
    bool fine = true;
    for (size_t i = 0; i < example->n_arrays; i++) {
        char text[2 * TEXT_SIZE];
        struct array array = array_of(example, claim, i);
        declare_by_name(&array, &claim->paste[i], text);
        fine = fine && add(check, "shared", text);
    }
    return fine;
}

static bool add_declarations(const struct example *example, const struct claim *claim,
                             struct bsim_check *check)
{
    if (claim != NULL && claim->is_by_name) {
        return declare_all_by_name(example, claim, check);
    }
    bool fine = true;
    for (size_t i = 0; i < example->n_arrays; i++) {
        const char *pasted = claim != NULL ? claim->paste[i].declaration : "";
        char type[INDEX_SIZE], text[2 * TEXT_SIZE];
        (void)snprintf(type, sizeof type, "S%zu %s", i, example->array[i].type);
        if (example->array[i].is_struct && pasted[0] != '\0' && strchr(pasted, '{') == NULL) {
            fine = fine && add(check, "struct", type); /* it was defined with the array */
        }
        declare(&example->array[i], claim != NULL ? &claim->paste[i] : NULL, text);
        fine = fine && add(check, "shared", text);
    }
    return fine;
}

/* The example's accesses as the claim has them. NULL if that is no check; the reason is in err. */
static struct bsim_check *build(const struct example *example, const struct claim *claim,
                                struct bsim_error *err)
{
    struct bsim_check *check = bsim_check_new();
    char loop[32];
    (void)snprintf(loop, sizeof loop, "k = 0:%" PRIu32, example->turns);
    bool fine = add(check, "block", example->block) && add_declarations(example, claim, check) &&
                (example->turns == 0 || add(check, "for", loop));
    for (size_t i = 0; i < example->n_accesses && fine; i++) {
        const struct access *access = &example->access[i];
        struct bsim_buffer text = BSIM_BUFFER_EMPTY;
        bsim_buffer_text(&text, access->before);
        if (claim == NULL || claim->is_by_name || !access->is_flat ||
            !add_flat_element(&example->array[access->array], &claim->paste[access->array],
                              access->index[0], access->member, &text)) {
            add_element(example, claim, access->array, access->index, access->member, &text);
        }
        fine = bsim_check_add(check, access->word, text.data, access->word, err) == BSIM_OK;
        bsim_buffer_free(&text);
    }
    if (!fine || bsim_check_seal(check, err) != BSIM_OK) {
        bsim_check_free(check);
        return NULL;
    }
    return check;
}

/* ---- elements ------------------------------------------------------------------------------ */

/* The places of elements as a bitmap. */
struct places {
    const struct claim *claim;
    const struct array *array;
    const struct bsim_check *check;
    uint32_t limit; /* elements there is room for */
    uint8_t taken[MOST_ELEMENTS];
    size_t n; /* so far */
    uint32_t at[MOST_ELEMENTS];
};

static enum bsim_status take_place(void *context, const struct bsim_check_request *request,
                                   struct bsim_error *err)
{
    struct places *places = context;
    (void)err;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES && request->part == 0; lane++) {
        const struct bsim_check_array *array =
            &bsim_check_contents(places->check)->array[request->array[lane]];
        uint32_t byte = request->address[lane] - array->offset_bytes;
        uint32_t at = byte / array->element_bytes;
        if ((request->lanes >> lane & 1) == 0) {
            continue;
        }
        if (at >= places->limit || at >= MOST_ELEMENTS || places->taken[at] != 0 ||
            byte % array->element_bytes != 0) {
            fail_msg("%s: two elements of %s at %" PRIu32 ", or that is not within %" PRIu32,
                     places->claim->text, places->array->name, at, places->limit);
        }
        places->taken[at] = 1;
        places->at[places->n++] = at;
    }
    return BSIM_OK;
}

/* All elements one after the other, 32 at a time, at the indices that x, y and z stand for; of
 * structs their first member, or each that has an array. */
static const struct places *expect_own_places(const struct example *example,
                                              const struct claim *claim, size_t a, uint32_t n,
                                              char member, bool is_flat)
{
    static struct places places;
    static const char index[3][INDEX_SIZE] = {"x", "y", "z"};
    const struct array narrowed = array_of(example, claim, a);
    const struct array *array = &narrowed;
    struct bsim_check *check = bsim_check_new();
    struct bsim_buffer element = BSIM_BUFFER_EMPTY;
    struct bsim_error err = {.status = BSIM_OK};
    char text[4][INDEX_SIZE];
    places = (struct places){.claim = claim, .array = array, .check = check, .limit = UINT32_MAX};
    if (array->is_extern) { /* which does not say so if it grows no further */
        places.limit = claim->paste[a].n_elements > n ? claim->paste[a].n_elements : n;
    }
    (void)snprintf(text[0], INDEX_SIZE, "first = 0:%" PRIu32 ":32", n);
    (void)snprintf(text[1], INDEX_SIZE, "int x = e %% %" PRIu32, array->dimension[0]);
    (void)snprintf(text[2], INDEX_SIZE, "int y = e / %" PRIu32 "%s%" PRIu32, array->dimension[0],
                   array->n > 2 ? " % " : " + 0 * ", array->n > 2 ? array->dimension[1] : 1);
    (void)snprintf(text[3], INDEX_SIZE, "int z = e / %" PRIu32,
                   array->dimension[0] * (array->n > 1 ? array->dimension[1] : 1));
    if (array->n == 1) {
        (void)snprintf(text[1], INDEX_SIZE, "int x = e");
    }
    char within[INDEX_SIZE];
    (void)snprintf(within, sizeof within, "e < %" PRIu32, n);
    if (!is_flat || !add_flat_element(array, &claim->paste[a], "e", member, &element)) {
        add_element(example, claim, a, index, member, &element);
    }
    bool fine = add_declarations(example, claim, check) && add(check, "for", text[0]) &&
                add(check, "let", "int e = first + (int)lane") && add(check, "if", within) &&
                add(check, "let", text[1]) && add(check, "let", text[2]) &&
                add(check, "let", text[3]) && add(check, "load", element.data);
    if (!fine || bsim_check_seal(check, &err) != BSIM_OK ||
        bsim_check_each(check,
                        &(struct bsim_check_visitor){.shared = take_place, .context = &places},
                        &err) != BSIM_OK) {
        fail_msg("%s: %s: %s", claim->text, element.data, err.message);
    }
    bsim_buffer_free(&element);
    bsim_check_free(check);
    return &places;
}

/* And the same by rows and columns, and by the elements' numbers: a hint may need but one of these. */
static void expect_flat_places(const struct example *example, const struct claim *claim, size_t a,
                               uint32_t n, char member)
{
    static uint32_t by_rows[MOST_ELEMENTS];
    memcpy(by_rows, expect_own_places(example, claim, a, n, member, false)->at, sizeof by_rows);
    const uint32_t *by_number = expect_own_places(example, claim, a, n, member, true)->at;
    bool is_alone = claim->is_hint && claim->paste[a].index[0] == '\0';
    for (uint32_t i = 0; i < n && !is_alone; i++) {
        if (by_rows[i] != by_number[i]) {
            fail_msg("%s: element %" PRIu32 " of %s at %" PRIu32 " by rows, at %" PRIu32
                     " by its number",
                     claim->text, i, example->array[a].name, by_rows[i], by_number[i]);
        }
    }
}

/* ---- names, and CuTe --------------------------------------------------------------------------- */

/* Swizzle<B,M,S>: the B bits from M + max(S, 0) up, shifted by S, exclusive or the index. */
static int64_t cute(int64_t i, int bits, int base, int shift)
{
    int64_t mask = ((INT64_C(1) << bits) - 1) << (base + (shift > 0 ? shift : 0));
    return shift >= 0 ? i ^ (i & mask) >> shift : i ^ (i & mask) << -shift;
}

/* The place that the strides behind the colon give element i of an array of n elements, if there are
 * strides: "(18,18):(33,1)". */
static int64_t strided(const char *text, int64_t i, int64_t n)
{
    const char *size = strchr(text, '(');
    const char *stride = strstr(text, "):(");
    int64_t place = 0;
    if (stride == NULL) {
        return i;
    }
    for (stride += 2; size[0] != ')' && size[0] != ':'; size += 1 + strcspn(size + 1, ",)")) {
        n /= strtol(size + 1, NULL, 10);
        place += i / n * strtol(stride + 1, NULL, 10);
        i %= n;
        stride += 1 + strcspn(stride + 1, ",)");
    }
    return place;
}

/* Of several the last acts first. */
static int64_t composed(const char *text, int64_t i)
{
    int bits, base, shift;
    const char *next = strstr(text + 1, "Swizzle");
    i = next != NULL ? composed(next, i) : i;
    assert_int_equal(sscanf(text, "Swizzle<%d,%d,%d>", &bits, &base, &shift), 3);
    assert_true(abs(shift) >= bits); /* or CuTe does not compile */
    return cute(i, bits, base, shift);
}

/* Where the pasted index has element i lies also what the name says, and CuTe. */
static void expect_same_places(const struct example *example, const struct claim *claim, size_t a,
                               uint32_t n)
{
    static uint32_t pasted[MOST_ELEMENTS];
    const struct array *array = &example->array[a];
    struct claim by_name = *claim;
    char member = array->is_struct ? 'x' : 0;
    by_name.is_by_name = true;
    memcpy(pasted, expect_own_places(example, claim, a, n, member, false)->at, sizeof pasted);
    const uint32_t *named = expect_own_places(example, &by_name, a, n, member, false)->at;
    for (uint32_t i = 0; i < n; i++) {
        const char *text = claim->paste[a].cute;
        if (named[i] != pasted[i]) {
            fail_msg("%s: element %" PRIu32 " of %s at %" PRIu32 " by name, at %" PRIu32
                     " by index",
                     claim->text, i, array->name, named[i], pasted[i]);
        }
        if (text[0] != '\0' && composed(text, strided(text, i, n)) != pasted[i]) {
            fail_msg("%s: element %" PRIu32 " of %s not where %s has it", claim->text, i,
                     array->name, text);
        }
    }
}

/* There is no name for what only changes structs. */
static bool has_names(const struct claim *claim)
{
    for (size_t i = 0; i < MOST_ARRAYS; i++) {
        const char *name = claim->paste[i].name;
        if (strncmp(name, "members", 7) == 0 || strncmp(name, "structs", 7) == 0) {
            return false;
        }
    }
    return !claim->is_hint;
}

/* ---- counts -------------------------------------------------------------------------------- */

struct counted {
    uint64_t wavefronts[MOST_ACCESSES], requests[MOST_ACCESSES], total;
    uint64_t shared_bytes;    /* of declared arrays */
    uint32_t extern_elements; /* as far as they are accessed */
};

static enum bsim_status note_extern(void *context, const struct bsim_check_request *request,
                                    struct bsim_error *err)
{
    const struct bsim_check *check = ((void **)context)[0];
    struct counted *counted = ((void **)context)[1];
    (void)err;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        const struct bsim_check_array *array =
            &bsim_check_contents(check)->array[request->array[lane]];
        uint32_t last = (request->offset[lane] + request->opcode.bytes - 1) / array->element_bytes;
        if ((request->lanes >> lane & 1) != 0 && array->is_extern &&
            last >= counted->extern_elements) {
            counted->extern_elements = last + 1;
        }
    }
    return BSIM_OK;
}

static bool count(const struct example *example, const struct claim *claim,
                  const struct bsim_device *device, struct counted *counted, struct bsim_error *err)
{
    struct bsim_check *check = build(example, claim, err);
    struct bsim_sim_options options = {.device = device};
    struct bsim_result result = {0};
    *counted = (struct counted){.total = 0};
    if (check == NULL) {
        return false;
    }
    void *context[] = {check, counted};
    struct bsim_sim *sim = bsim_sim_new(&options);
    struct bsim_sink sink = bsim_sim_sink(sim);
    bool fine = bsim_check_push(check, NULL, &sink, err) == BSIM_OK &&
                bsim_check_each(
                    check, &(struct bsim_check_visitor){.shared = note_extern, .context = context},
                    err) == BSIM_OK &&
                bsim_sim_result(sim, &result, err) == BSIM_OK;
    for (size_t i = 0; i < example->n_accesses && fine; i++) {
        const struct bsim_tally *tally = &result.kernels[0].sites[i].tally;
        counted->wavefronts[i] = tally->wavefronts;
        counted->requests[i] = tally->requests;
        counted->total += tally->wavefronts;
    }
    for (size_t i = 0; i < bsim_check_contents(check)->n_arrays; i++) {
        const struct bsim_check_array *array = &bsim_check_contents(check)->array[i];
        uint64_t end = array->offset_bytes + array->laid_bytes;
        uint64_t reached = (uint64_t)array->element_bytes * counted->extern_elements;
        if (array->is_extern && fine) {
            fine = bsim_device_check_shared(device, end + reached, err) == BSIM_OK;
        }
        counted->shared_bytes = end > counted->shared_bytes ? end : counted->shared_bytes;
    }
    bsim_result_free(&result);
    bsim_sim_free(sim);
    bsim_check_free(check);
    return fine;
}

/* ---- claims held against what is ------------------------------------------------------------- */

static void expect_number(const struct claim *claim, const char *of, uint64_t got,
                          uint64_t expected)
{
    if (got != expected) {
        fail_msg("%s: %s: %" PRIu64 " are claimed, it is %" PRIu64, claim->text, of, got, expected);
    }
}

static void expect_counts(const struct example *example, const struct claim *claim,
                          const struct bsim_device *device, const struct counted *before)
{
    struct counted after;
    struct bsim_error err = {.status = BSIM_OK};
    if (!count(example, claim, device, &after, &err)) {
        fail_msg("%s: %s", claim->text, err.message);
    }
    size_t last = example->n_arrays - 1;
    if (!claim->is_hint) {
        expect_number(claim, "wavefronts now", claim->before, before->total);
        expect_number(claim, "wavefronts", claim->after, after.total);
        uint64_t bytes = after.shared_bytes;
        if (example->array[last].is_extern) {
            uint32_t n = claim->paste[last].n_elements;
            n = n > 0 ? n : before->extern_elements;
            bytes += (uint64_t)n * example->array[last].bytes;
        }
        expect_number(claim, "shared bytes", claim->shared_bytes, bytes);
        return;
    }
    expect_number(claim, "wavefronts now", claim->before, before->wavefronts[claim->access]);
    expect_number(claim, "wavefronts", claim->after, after.wavefronts[claim->access]);
    expect_number(claim, "requests", claim->requests, before->requests[claim->access]);
    assert_true(claim->after < claim->before);
    for (size_t i = 0; i < example->n_accesses; i++) {
        if (after.wavefronts[i] > before->wavefronts[i]) {
            fail_msg("%s: makes access %zu worse", claim->text, i);
        }
    }
}

/* An access to a whole float3 has to be written as three, where its members lie apart: left out. */
static bool is_pasted(const struct example *example, const struct claim *claim)
{
    for (size_t i = 0; i < example->n_accesses; i++) {
        if (claim->paste[example->access[i].array].is_apart && example->access[i].member == 0) {
            return false;
        }
    }
    return true;
}

static void expect_claim(const struct example *example, const struct claim *claim,
                         const struct bsim_device *device, const struct counted *before)
{
    if (!is_pasted(example, claim)) {
        return;
    }
    for (size_t i = 0; i < example->n_arrays; i++) {
        const struct array narrowed = array_of(example, claim, i);
        const struct array *array = &narrowed;
        if (claim->paste[i].index[0] != '\0' || claim->paste[i].declaration[0] != '\0') {
            uint32_t n = array->is_extern ? before->extern_elements : count_elements(array);
            uint32_t n_parts = claim->paste[i].is_apart ? array->n_members : 1;
            for (uint32_t part = 0; part < n_parts; part++) {
                bool is_part = array->is_struct || claim->paste[i].is_apart;
                expect_flat_places(example, claim, i, n, is_part ? "xyzw"[part] : 0);
            }
        }
    }
    expect_counts(example, claim, device, before);
    if (has_names(claim)) {
        struct claim by_name = *claim;
        by_name.is_by_name = true;
        for (size_t i = 0; i < example->n_arrays; i++) {
            if (claim->paste[i].name[0] != '\0') {
                const struct array array = array_of(example, claim, i);
                expect_same_places(example, claim, i,
                                   array.is_extern ? before->extern_elements
                                                   : count_elements(&array));
            }
        }
        expect_counts(example, &by_name, device, before);
    }
}

/* ---- reading ------------------------------------------------------------------------------- */

/* "A for B", or "A for B and C for D": by rows, and by the elements' numbers. */
static void read_indices(const struct example *example, struct claim *claim, char *text)
{
    char *second = strstr(text, " and ");
    if (second != NULL) {
        *second = '\0';
        read_index(example, claim, second + strlen(" and "));
    }
    read_index(example, claim, text);
}

/* "Write A for B in D and declare E": one way to do it. */
static void read_way(const struct example *example, struct claim *claim, const char *text)
{
    char rest[TEXT_SIZE];
    copy(rest, text, strlen(text));
    for (char *item = rest, *next; item != NULL; item = next) {
        char *other = strstr(item, " and write ");
        next = strstr(item, " and declare ");
        next = next == NULL || (other != NULL && other < next) ? other : next;
        if (next != NULL) {
            *next = '\0';
            next += strlen(" and ");
        }
        bool declares = tolower((unsigned char)*item) == 'd';
        char *in = strstr(item, " in ");
        if (!declares && in != NULL) {
            *in = '\0';
            read_declaration(example, claim, in + strlen(" in "));
        }
        if (declares) {
            read_declaration(example, claim, item + strlen("declare "));
        } else {
            read_indices(example, claim, item + strlen("write "));
        }
    }
}

/* A hint: one way, or two with ", or " between them. Returns how many. */
static uint32_t read_hint(const struct example *example, size_t access, const char *sentence,
                          const struct bsim_device *device, const struct counted *before)
{
    char ways[TEXT_SIZE];
    uint32_t n = 0;
    struct claim numbers = {.is_hint = true, .access = access};
    const char *colon = strstr(sentence, ": ");
    if (colon == NULL ||
        (strncmp(sentence, "Write ", 6) != 0 && strncmp(sentence, "Declare ", 8))) {
        return 0;
    }
    assert_int_equal(sscanf(colon, ": %" SCNu64 " %*s instead of %" SCNu64 " for its %" SCNu64,
                            &numbers.after, &numbers.before, &numbers.requests),
                     3);
    copy(ways, sentence, (size_t)(colon - sentence));
    char *replaced = strstr(ways, ", in place of ");
    if (replaced != NULL) {
        *replaced = '\0';
    }
    for (char *way = ways, *next; way != NULL; way = next, n++) {
        struct claim claim = numbers;
        next = strstr(way, ", or ");
        if (next != NULL) {
            *next = '\0';
            next += strlen(", or ");
        }
        copy(claim.text, sentence, strlen(sentence));
        read_way(example, &claim, way);
        expect_claim(example, &claim, device, before);
    }
    return n;
}

/* The plans of a report. Returns how many. */
static uint32_t read_report(const struct example *example, char *report,
                            const struct bsim_device *device, const struct counted *before)
{
    uint32_t n = 0;
    struct claim claim = {.is_hint = false};
    struct paste *told = NULL;
    for (char *line = strtok(report, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        uint64_t excess[2];
        if (isdigit((unsigned char)line[0])) {
            claim = (struct claim){.is_hint = false};
            copy(claim.text, line, strlen(line));
            read_names(example, &claim, line);
            told = NULL;
        } else if (strncmp(line, "   __shared__ ", 14) == 0 ||
                   strncmp(line, "   extern ", 10) == 0) {
            read_declaration(example, &claim, line + 3);
            told = paste_of(example, &claim, line + 3);
        } else if (strncmp(line, "   CuTe's ", 10) == 0) {
            assert_non_null(told);
            read_cute(told, line + 10);
        } else if (sscanf(line,
                          "   %*s %" SCNu64 " (now %" SCNu64 "), excessive %" SCNu64
                          " (now %" SCNu64 "), shared bytes %" SCNu64,
                          &claim.after, &claim.before, &excess[0], &excess[1],
                          &claim.shared_bytes) == 5) {
            expect_claim(example, &claim, device, before);
            n++;
        } else if (strncmp(line, "   ", 3) == 0 && strstr(line, " for ") != NULL) {
            read_index(example, &claim, line + 3);
        }
    }
    return n;
}

/* ---- asking ---------------------------------------------------------------------------------- */

static struct bsim_advice *ask(const struct bsim_check *check, const struct bsim_device *device,
                               bool hints)
{
    struct bsim_advise_options options = {.n_plans = BSIM_ADVISE_MAX_PLANS, .hints = hints};
    struct bsim_advice *advice = NULL;
    struct bsim_error err;
    if (bsim_advise(check, device, &options, &advice, &err) != BSIM_OK) {
        fail_msg("%s", err.message);
    }
    return advice;
}

static uint32_t ask_hints(const struct example *example, const struct bsim_check *check,
                          const struct bsim_device *device, const struct counted *before)
{
    struct bsim_advice *advice = ask(check, device, true);
    uint32_t n = 0;
    for (size_t i = 0; i < example->n_accesses; i++) {
        const struct bsim_buffer *text = &advice->hint[i].remedy;
        if (text->size_bytes > 0) {
            n += read_hint(example, i, text->data, device, before);
        }
    }
    bsim_advice_free(advice);
    return n;
}

static uint32_t ask_plans(const struct example *example, const struct bsim_check *check,
                          const struct bsim_device *device, const struct counted *before)
{
    struct bsim_advice *advice = ask(check, device, false);
    struct bsim_report_options options = {.format = BSIM_TEXT};
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    bsim_report_advice(check, advice, &options, &text);
    uint32_t n = read_report(example, text.data, device, before);
    assert_int_equal(n, advice->n_plans);
    bsim_buffer_free(&text);
    bsim_advice_free(advice);
    return n;
}

static void advice_is_as_it_says(void **state)
{
    (void)state;
    static const char *const devices[] = {"sm_90", "sm_90", "sm_90", "k40"};
    uint32_t asked = 0;
    uint32_t n_hints = 0;
    uint32_t n_plans = 0;
    for (uint32_t i = 0; i < EXAMPLES; i++) {
        struct example example;
        struct counted before;
        struct bsim_device device;
        struct bsim_error err;
        make_example(&example);
        assert_int_equal(bsim_device_find(ONE_OF(devices), NULL, &device, NULL), BSIM_OK);
        if (!count(&example, NULL, &device, &before, &err)) {
            continue; /* misaligned, or not for the device */
        }
        struct bsim_check *check = build(&example, NULL, &err);
        n_hints += ask_hints(&example, check, &device, &before);
        n_plans += ask_plans(&example, check, &device, &before);
        bsim_check_free(check);
        asked++;
    }
    if (asked < EXAMPLES / 2 || n_hints + n_plans < LEAST_TEXTS || n_hints < LEAST_TEXTS / 4) {
        fail_msg("%" PRIu32 " examples asked, %" PRIu32 " hints, %" PRIu32 " plans", asked, n_hints,
                 n_plans);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(advice_is_as_it_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

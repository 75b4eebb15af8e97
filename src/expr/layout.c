/* layout.c - arrays and their places: shared ones in the block's window, others in other memory.
 *
 * Arrays follow one another in the order of declaration, each at the next multiple of its
 * alignment: that of its type, or what __align__ asks for. Memory of a size that the launch chooses
 * (extern) begins behind them, at a multiple of 16. A compiler may place arrays in another order;
 * only conflicts between lanes that access different arrays depend on it.
 *
 * Global arrays are allocations of their own, aligned as cudaMalloc does and 4 GiB apart, as in the
 * emulators' traces: array i begins at (i + 1) << 32. What a pointer points to has no known end.
 * Constant arrays follow one another in a bank of 64 KB.
 */
#include "expr/check.h"

#include <inttypes.h>
#include <stdio.h>

/* Arrivals of an mbarrier: PTX ISA, mbarrier.init. */
enum { MOST_ARRIVALS = (1 << 20) - 1, DYNAMIC_ALIGNMENT = 16, ALLOCATION_ALIGNMENT = 256, ALLOCATION_BITS = 32 };

/* cc 2.0 and later: what kernels may declare, apart from what the compiler needs. */

static uint32_t round_up(uint32_t offset, uint32_t unit)
{
    return (offset + unit - 1) / unit * unit;
}

static bool make_room(struct bsim_check *check)
{
    return bsim_check_grow((void **)&check->array, check->n_arrays, sizeof *check->array);
}

static void describe(struct cu_file *file, const struct bsim_declaration *declaration,
                     const struct bsim_declarator *declarator, struct bsim_check_array *array)
{
    const struct cu_type *type = declarator->type;
    *array = (struct bsim_check_array){.space = BSIM_SHARED,
                                       .name = declarator->name,
                                       .is_extern = declaration->is_extern,
                                       .size_bytes = (uint32_t)type->size,
                                       .laid_bytes = (uint32_t)type->size};
    for (; type->kind == CU_ARRAY; type = type->of) {
        array->dimension[array->n_dimensions++] = (uint32_t)type->count;
    }
    array->element = bsim_cu_type_text(file, type);
    array->element_bytes = (uint32_t)type->size;
    array->element_alignment = type->alignment;
    array->alignment =
        declaration->alignment > type->alignment ? declaration->alignment : type->alignment;
}

/* "[3][3]" of a member's type; NULL when memory is short. */
static const char *dimensions_of(struct bsim_check *check, const struct cu_type *type)
{
    char text[BSIM_CHECK_MAX_DIMENSIONS * sizeof "[4294967295]"] = "";
    size_t size = 0;
    for (; type->kind == CU_ARRAY && size + sizeof "[4294967295]" <= sizeof text; type = type->of) {
        size += (size_t)snprintf(&text[size], sizeof text - size, "[%" PRIu64 "]", type->count);
    }
    return bsim_arena_text(&check->file.arena, text, size);
}

static bool note_member(struct bsim_check *check, const struct cu_member *from,
                        struct bsim_check_array *array, struct bsim_check_member *member)
{
    const struct cu_type *element = from->type;
    while (element->kind == CU_ARRAY) {
        element = element->of;
    }
    *member = (struct bsim_check_member){.name = from->name,
                                         .type = bsim_cu_type_text(&check->file, element),
                                         .dimensions = dimensions_of(check, from->type),
                                         .alignment = from->type->alignment,
                                         .offset_bytes = (uint32_t)from->offset,
                                         .size_bytes = (uint32_t)from->type->size};
    array->n_members++;
    return member->dimensions != NULL;
}

/* The members' number; 0 of a union, whose members are one memory, and of what has none. */
static uint32_t count_members(const struct cu_type *type)
{
    uint32_t n = 0;
    for (const struct cu_member *m = type->members; m != NULL; m = m->next, n++) {
        if (m->is_call || (m->next != NULL && m->next->offset < m->offset + m->type->size)) {
            return 0;
        }
    }
    return n;
}

/* The members of a struct or a vector, as the array's users need them. */
static bool note_members(struct bsim_check *check, const struct cu_type *type,
                         struct bsim_check_array *array)
{
    while (type->kind == CU_ARRAY) {
        type = type->of;
    }
    uint32_t n = count_members(type);
    struct bsim_check_member *member =
        n == 0 ? NULL : bsim_arena_take(&check->file.arena, n * sizeof *member);
    const struct cu_member *m = type->members;
    bool fine = n == 0 || member != NULL;
    array->member = member;
    array->is_struct = type->kind == CU_STRUCT && !type->is_vector;
    for (uint32_t i = 0; i < n && fine; i++, m = m->next) {
        fine = note_member(check, m, array, &member[i]);
    }
    return fine;
}

/* Behind the arrays that are placed already. */
static bool place(struct bsim_check *check, struct bsim_parse *parse, size_t at,
                  struct bsim_check_array *array)
{
    uint32_t most = BSIM_CHECK_MAX_SHARED_BYTES;
    array->offset_bytes = round_up(check->kernel.shared_bytes, array->alignment);
    if (array->laid_bytes > most || array->offset_bytes > most - array->laid_bytes) {
        return bsim_parse_fail(
            parse, at,
            "%s ends at byte %" PRIu64 ": a block has at most %" PRIu32 " bytes of shared memory",
            array->name, (uint64_t)array->offset_bytes + array->laid_bytes, most);
    }
    check->kernel.shared_bytes = array->offset_bytes + array->laid_bytes;
    return true;
}

static bool check_extern(struct bsim_check *check, struct bsim_parse *parse,
                         const struct bsim_declarator *declarator)
{
    if (declarator->type->kind != CU_ARRAY || declarator->type->count != 0) {
        return bsim_parse_fail(parse, declarator->at,
                               "an extern array has the size that the launch gives it: write %s[]",
                               declarator->name);
    }
    for (size_t i = 0; i < check->n_arrays; i++) {
        if (check->array[i].is_extern) {
            return bsim_parse_fail(parse, declarator->at,
                                   "all extern arrays are the same memory: declare one, and cast "
                                   "or offset it");
        }
    }
    return true;
}

static bool declare_one(struct bsim_check *check, struct bsim_parse *parse,
                        const struct bsim_declaration *declaration,
                        const struct bsim_declarator *declarator)
{
    struct bsim_check_array array;
    struct bsim_symbol symbol = {.name = declarator->name,
                                 .kind = BSIM_NODE_ARRAY,
                                 .type = declarator->type,
                                 .number = check->n_arrays};
    describe(&check->file, declaration, declarator, &array);
    if ((declaration->is_extern && !check_extern(check, parse, declarator)) ||
        !bsim_check_read_layout(check, parse, &array) ||
        (!declaration->is_extern && !place(check, parse, declarator->at, &array))) {
        return false;
    }
    if (!note_members(check, declarator->type, &array) || !make_room(check) ||
        !bsim_scope_add(&check->scope, &symbol)) {
        return bsim_parse_no_memory(parse);
    }
    array.begin = array.offset_bytes; /* an extern array's is settled later */
    check->array[check->n_arrays++] = array;
    check->n_shared = check->n_arrays;
    return true;
}

static bool declare_all(struct bsim_check *check, struct bsim_parse *parse)
{
    struct bsim_declaration declaration;
    struct bsim_declarator declarator;
    if (!bsim_parse_declaration(parse, &declaration)) {
        return false;
    }
    do {
        if (!bsim_parse_declarator(parse, &declaration, &declarator) ||
            !declare_one(check, parse, &declaration, &declarator)) {
            return false;
        }
    } while (bsim_parse_take(parse, ","));
    return true;
}

bool bsim_check_declare_at(struct bsim_check *check, struct bsim_parse *parse, uint32_t begin)
{
    struct bsim_declaration declaration;
    struct bsim_declarator declarator;
    struct bsim_check_array array;
    if (!bsim_parse_declaration(parse, &declaration) ||
        !bsim_parse_declarator(parse, &declaration, &declarator)) {
        return false;
    }
    describe(&check->file, &declaration, &declarator, &array);
    if (!bsim_check_read_layout(check, parse, &array) || !bsim_parse_end(parse)) {
        return false;
    }
    if (begin % array.alignment != 0) {
        return bsim_parse_fail(parse, 0, "its type begins at a multiple of %" PRIu32 " bytes",
                               array.alignment);
    }
    if (!note_members(check, declarator.type, &array) || !make_room(check)) {
        return bsim_parse_no_memory(parse);
    }
    array.offset_bytes = begin;
    array.begin = begin;
    check->array[check->n_arrays++] = array;
    return true;
}

/* One declaration, or several with semicolons between them. */
bool bsim_check_declare(struct bsim_check *check, struct bsim_parse *parse)
{
    do {
        if (!declare_all(check, parse)) {
            return false;
        }
    } while (bsim_parse_take(parse, ";") && parse->token->kind != CU_END);
    return bsim_parse_end(parse);
}

/* NAME [dimensions] ":" ARRIVALS ("," ...)*: 8 bytes each, in the order of declaration. */
bool bsim_check_declare_mbarriers(struct bsim_check *check, struct bsim_parse *parse)
{
    const struct bsim_declaration declaration = {.alignment = 1, .base = bsim_cu_scalar(CU_ULONG)};
    struct bsim_declarator declarator;
    int64_t count = 0;
    do {
        size_t n = check->n_mbarriers;
        if (!bsim_parse_declarator(parse, &declaration, &declarator) ||
            !declare_one(check, parse, &declaration, &declarator) || !bsim_parse_expect(parse, ":") ||
            !bsim_parse_constant(parse, "what a phase takes of arrivals", 1, MOST_ARRIVALS, &count)) {
            return false;
        }
        if (!bsim_check_grow((void **)&check->mbarrier, n, sizeof *check->mbarrier)) {
            return bsim_parse_no_memory(parse);
        }
        check->mbarrier[n] = (struct bsim_check_mbarrier){check->n_arrays - 1, (uint32_t)count};
        check->n_mbarriers = n + 1;
    } while (bsim_parse_take(parse, ","));
    return bsim_parse_end(parse);
}

/* ---- other memory ---------------------------------------------------------------------------- */

/* declarator = "*" qualifier* name | name dimensions */
static bool read_other(struct bsim_parse *parse, struct bsim_declaration *declaration,
                       enum bsim_space space, struct bsim_declarator *declarator)
{
    declaration->is_extern = space == BSIM_GLOBAL; /* its size may be left out */
    if (space != BSIM_GLOBAL || !bsim_parse_take(parse, "*")) {
        return bsim_parse_declarator(parse, declaration, declarator);
    }
    while (bsim_parse_take_any(parse, "const volatile")) {
    }
    if (bsim_parse_take_any(parse, "__restrict__ __restrict restrict")) {
        declarator->is_read_only = declaration->is_const;
    }
    while (bsim_parse_take_any(parse, "const volatile")) {
    }
    if (!bsim_parse_declarator(parse, declaration, declarator)) {
        return false;
    }
    declarator->type = bsim_cu_array(parse->file, declarator->type, 0);
    return declarator->type != NULL || bsim_parse_no_memory(parse);
}

static bool place_other(struct bsim_check *check, struct bsim_parse *parse, size_t at,
                        struct bsim_check_array *array)
{
    if (array->space == BSIM_GLOBAL) {
        array->is_extern = array->size_bytes == 0;
        array->alignment = ALLOCATION_ALIGNMENT;
        array->begin = ++check->n_global << ALLOCATION_BITS;
        return true;
    }
    array->begin =
        (check->constant_bytes + array->alignment - 1) / array->alignment * array->alignment;
    check->constant_bytes = array->begin + array->size_bytes;
    return check->constant_bytes <= BSIM_CONSTANT_BYTES ||
           bsim_parse_fail(parse, at,
                           "%s ends at byte %" PRIu64 ": a kernel has %d bytes of "
                           "constant memory",
                           array->name, check->constant_bytes, BSIM_CONSTANT_BYTES);
}

static bool declare_one_other(struct bsim_check *check, struct bsim_parse *parse,
                              struct bsim_declaration *declaration, enum bsim_space space)
{
    struct bsim_check_array array;
    struct bsim_declarator declarator = {.is_read_only = false};
    if (!read_other(parse, declaration, space, &declarator)) {
        return false;
    }
    struct bsim_symbol symbol = {.name = declarator.name,
                                 .kind = BSIM_NODE_ARRAY,
                                 .type = declarator.type,
                                 .number = check->n_arrays};
    describe(&check->file, declaration, &declarator, &array);
    array.space = space;
    array.is_read_only = declarator.is_read_only;
    array.is_const = declaration->is_const;
    if (!place_other(check, parse, declarator.at, &array)) {
        return false;
    }
    if (!make_room(check) || !bsim_scope_add(&check->scope, &symbol)) {
        return bsim_parse_no_memory(parse);
    }
    check->array[check->n_arrays++] = array;
    return true;
}

static bool read_specifiers(struct bsim_parse *parse, struct bsim_declaration *declaration)
{
    size_t at = parse->at;
    return bsim_parse_specifiers(parse, declaration) &&
           (declaration->base->kind != CU_VOID ||
            bsim_parse_fail(parse, at, "elements are numbers, vectors of numbers or structs"));
}

static bool sees_specifiers(struct bsim_parse *parse)
{
    return bsim_parse_sees_type(parse) || bsim_parse_sees_struct(parse);
}

/* Behind a comma stands another array of the same type, or one with a type of its own as a kernel's
 * parameters have it: const float *in, float *out. */
static bool declare_all_other(struct bsim_check *check, struct bsim_parse *parse,
                              enum bsim_space space)
{
    struct bsim_declaration declaration;
    if (!read_specifiers(parse, &declaration) ||
        !declare_one_other(check, parse, &declaration, space)) {
        return false;
    }
    while (bsim_parse_take(parse, ",")) {
        if ((sees_specifiers(parse) && !read_specifiers(parse, &declaration)) ||
            !declare_one_other(check, parse, &declaration, space)) {
            return false;
        }
    }
    return parse->status == BSIM_OK;
}

bool bsim_check_declare_other(struct bsim_check *check, struct bsim_parse *parse,
                              enum bsim_space space)
{
    do {
        if (!declare_all_other(check, parse, space)) {
            return false;
        }
    } while (bsim_parse_take(parse, ";") && parse->token->kind != CU_END);
    return bsim_parse_end(parse);
}

bool bsim_check_is_read_only(const struct bsim_check *check, const struct bsim_node *node)
{
    switch (node->kind) {
    case BSIM_NODE_ARRAY:
        return check->array[node->number].is_read_only;
    case BSIM_NODE_VARIABLE:
        return check->variable[node->number].is_read_only;
    case BSIM_NODE_CHOOSE:
        return bsim_check_is_read_only(check, node->b) && bsim_check_is_read_only(check, node->c);
    case BSIM_NODE_FORWARD:
    case BSIM_NODE_BACKWARD:
    case BSIM_NODE_MEMBER:
    case BSIM_NODE_RETYPE:
        return bsim_check_is_read_only(check, node->a);
    default:
        return false;
    }
}

enum bsim_space bsim_check_space(const struct bsim_check *check, const struct bsim_node *node)
{
    switch (node->kind) {
    case BSIM_NODE_ARRAY:
        return check->array[node->number].space;
    case BSIM_NODE_VARIABLE:
        return check->variable[node->number].space;
    case BSIM_NODE_CHOOSE:
        return bsim_check_space(check, node->b);
    case BSIM_NODE_FORWARD:
    case BSIM_NODE_BACKWARD:
    case BSIM_NODE_MEMBER:
    case BSIM_NODE_RETYPE:
        return bsim_check_space(check, node->a);
    default:
        return BSIM_NO_SPACE;
    }
}

/* ---- the window ------------------------------------------------------------------------------ */

bool bsim_check_settle(struct bsim_check *check, struct bsim_parse *parse)
{
    check->kernel.has_shared = true;
    for (size_t i = 0; i < check->n_arrays; i++) {
        struct bsim_check_array *array = &check->array[i];
        if (!array->is_extern) {
            continue;
        }
        uint32_t unit = array->alignment > DYNAMIC_ALIGNMENT ? array->alignment : DYNAMIC_ALIGNMENT;
        array->offset_bytes = round_up(check->kernel.shared_bytes, unit);
        array->begin = array->offset_bytes;
        check->kernel.has_shared = false;
        if (array->offset_bytes >= BSIM_CHECK_MAX_SHARED_BYTES) {
            return bsim_parse_fail(parse, 0, "no shared memory is left for %s", array->name);
        }
    }
    return true;
}

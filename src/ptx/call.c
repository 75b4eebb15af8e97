/* call.c - a launch by hand: KERNEL<<<GRID, BLOCK, BYTES>>>(ARGUMENTS).
 *
 *     launch   = name "<<<" shape "," shape ["," number] ">>>" "(" [value {"," value}] ")"
 *     shape    = number | "dim3" "(" number ["," number ["," number]] ")"
 *     value    = [type] number | type "[" product "]" ["+" number] ["=" fill] | [type] "{" [value {"," value}] "}"
 *              | "tensormap" type map ["=" fill]                             map: tensormap.c
 *     number   = ["-"] digits ["f"]
 *     fill     = "zero" | "iota" | "random" ["(" number ")"] | ["-"] number | string
 */
#include <banksim/emulator.h>
#include <banksim/ptx.h>

#include "base/arena.h"
#include "base/mangled.h"
#include "base/memory.h"
#include "ptx/element.h"
#include "ptx/launch.h"
#include "ptx/loads.h"
#include "ptx/machine.h"
#include "ptx/pointed.h"
#include "ptx/tensormap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARAMETER_BYTES = 32764 }; /* CUDA's, from compute capability 7.0 on */
enum { MAX_DEPTH = 8, MAX_PATH = 64, MAX_ALIGNMENT = 2 * BSIM_PTX_TENSORMAP_ALIGNMENT };
enum { VECTOR_ALIGNMENT = 16 }; /* at most */
enum {
    STACK_BYTES = 1 << 19
}; /* the most that cudaLimitStackSize may be: no host has set less here */
#define MAX_ARRAY_BYTES (UINT64_C(1) << 32) /* what lies between two arrays' addresses */

/* An array that an argument points to, or a member of it: "1", "1.0" are the second argument and its
 * first member. */
struct made {
    struct bsim_ptx_array array;
    uint64_t address;
    char path[MAX_PATH];
    struct made *next;
};

struct bsim_ptx_call {
    struct bsim_arena arena;
    struct bsim_ptx_module *module;
    struct bsim_ptx_memory *memory;
    struct bsim_ptx_launch launch;
    struct bsim_ptx_printer printer;
    struct bsim_ptx_findings findings;
    struct bsim_buffer found; /* as text */
    struct bsim_buffer notes; /* on arguments, a line each, in front of that */
    unsigned char parameters[MAX_PARAMETER_BYTES];
    size_t n_arguments, n_arrays;
    struct made *made;
};

/* A call being read. */
struct reading {
    struct bsim_ptx_scanner scan;
    struct bsim_ptx_call *call;
    const struct bsim_ptx_symbol *parameter; /* the next argument's */
    char path[MAX_PATH];                     /* of the value that is read */
    uint32_t depth;                          /* of braces */
    const struct bsim_ptx_element *element;  /* of the array that was read last */
    bool is_zeros, is_file;                  /* what it is filled with */
    /* The argument. A member lies behind those before it, at a multiple of any alignment, until its own
     * is known. */
    unsigned char room[MAX_PARAMETER_BYTES + MAX_DEPTH * MAX_ALIGNMENT];
    unsigned char part[MAX_PARAMETER_BYTES + MAX_DEPTH * MAX_ALIGNMENT]; /* enum bsim_ptx_part */
};

/* ---- the kernel's name ----------------------------------------------------------------------- */

/* How long the name is that a launch begins with, up to its "<<<", where that has a template's arguments or a
 * namespace: ns::scale<16>. 0: it is a word. */
static size_t length_as_reported(const struct bsim_ptx_scanner *scan)
{
    const char *name = scan->token.text;
    for (const char *p = name; p + 3 <= scan->end; p++) {
        if (memcmp(p, "<<<", 3) == 0) {
            size_t length = (size_t)(p - name);
            bool is_word = memchr(name, '<', length) == NULL && memchr(name, ':', length) == NULL;
            return is_word ? 0 : length;
        }
    }
    return 0;
}

static void tell_kernels(struct bsim_ptx_scanner *scan, const struct bsim_ptx_module *module,
                         const char *what)
{
    char names[400] = "";
    size_t used = 0;
    for (const struct bsim_ptx_function *f = module->functions; f != NULL; f = f->next) {
        if (f->is_entry && used < sizeof names) {
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                     used > 0 ? ", " : "", f->name);
        }
    }
    bsim_ptx_scan_fail(scan, "%s; %s has %s", what, module->name, used > 0 ? names : "none");
}

static void read_kernel(struct reading *reading)
{
    struct bsim_ptx_scanner *scan = &reading->scan;
    struct bsim_ptx_launch *launch = &reading->call->launch;
    uint32_t n = 0;
    const char *name = scan->token.text;
    size_t length = length_as_reported(scan);
    for (const struct bsim_ptx_function *f = reading->call->module->functions; f != NULL;
         f = f->next) {
        if (scan->token.kind == BSIM_PTX_WORD && f->is_entry && f->is_defined &&
            bsim_mangled_is(f->name, name, length > 0 ? length : scan->token.length)) {
            launch->kernel = f;
            n++;
        }
    }
    if (n != 1) {
        tell_kernels(
            scan, reading->call->module,
            n == 0 ? "no kernel has this name"
                   : "several kernels have this name: write it mangled, or a template's with its "
                     "arguments as reports do");
        return;
    }
    if (length > 0) {
        scan->at = name + length;
    }
    bsim_ptx_scan_next(scan);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static uint32_t read_side(struct bsim_ptx_scanner *scan)
{
    uint64_t n = bsim_ptx_expect_number(scan, "a number of blocks or threads");
    if (n > INT32_MAX) {
        bsim_ptx_scan_fail(scan, "a side of over 2^31 - 1");
    }
    return (uint32_t)n;
}

static struct bsim_dim3 read_shape(struct bsim_ptx_scanner *scan)
{
    struct bsim_dim3 shape = {1, 1, 1};
    uint32_t *const side[] = {&shape.x, &shape.y, &shape.z};
    bsim_ptx_accept_word(scan, "dim3");
    if (!bsim_ptx_accept(scan, '(')) {
        shape.x = read_side(scan);
        return shape;
    }
    for (uint32_t i = 0; i < 3 && (i == 0 || bsim_ptx_accept(scan, ',')); i++) {
        *side[i] = read_side(scan);
    }
    bsim_ptx_expect(scan, ')');
    return shape;
}

static void expect_three(struct bsim_ptx_scanner *scan, char punct)
{
    for (uint32_t i = 0; i < 3; i++) {
        bsim_ptx_expect(scan, punct);
    }
}

static void read_configuration(struct reading *reading)
{
    struct bsim_ptx_scanner *scan = &reading->scan;
    struct bsim_ptx_launch *launch = &reading->call->launch;
    expect_three(scan, '<');
    launch->grid = read_shape(scan);
    bsim_ptx_expect(scan, ',');
    launch->block = read_shape(scan);
    if (bsim_ptx_accept(scan, ',')) {
        launch->dynamic_bytes = read_side(scan);
    }
    expect_three(scan, '>');
}

static void add_array(struct reading *reading, struct bsim_ptx_array array, uint64_t *address)
{
    struct bsim_ptx_call *call = reading->call;
    *address = (uint64_t)++call->n_arrays << 32;
    struct bsim_ptx_piece piece = {.start = *address, .size = array.size_bytes, .data = array.data};
    struct made *made = bsim_arena_take(&call->arena, sizeof *made);
    if (made == NULL) {
        bsim_mem_free(array.data);
    }
    if (made == NULL || !bsim_ptx_memory_add(call->memory, &piece, true)) {
        bsim_ptx_scan_no_memory(&reading->scan);
        return;
    }
    *made = (struct made){.array = array, .address = *address, .next = call->made};
    memcpy(made->path, reading->path, sizeof made->path);
    call->made = made;
}

/* So many bytes of elements, with = FILL if it comes next; returns their address. */
static uint64_t make_array(struct reading *reading, uint64_t bytes,
                           const struct bsim_ptx_element *type)
{
    struct bsim_ptx_scanner *scan = &reading->scan;
    if (scan->status == BSIM_OK && bytes > MAX_ARRAY_BYTES) {
        bsim_ptx_scan_fail(scan, "an array has 1 byte to 4 GiB");
    }
    if (scan->status != BSIM_OK) {
        return 0;
    }
    struct bsim_ptx_array array = {.size_bytes = (size_t)bytes};
    array.data = bsim_mem_zeroed(array.size_bytes, 1);
    if (array.data == NULL) {
        bsim_ptx_scan_no_memory(scan);
        return 0;
    }
    reading->element = type;
    reading->is_zeros = !bsim_ptx_accept(scan, '=');
    reading->is_file = scan->token.kind == BSIM_PTX_STRING;
    if (!reading->is_zeros) {
        bsim_ptx_read_fill(scan, &array, type);
    }
    uint64_t address = 0;
    add_array(reading, array, &address);
    return address;
}

/* [COUNT] + ELEMENTS = FILL behind the type; returns the address of its element, the first if none is said. */
static uint64_t read_array(struct reading *reading, const struct bsim_ptx_element *type,
                           uint32_t n_vector)
{
    struct bsim_ptx_scanner *scan = &reading->scan;
    bsim_ptx_expect(scan, '[');
    uint64_t n = bsim_ptx_expect_number(scan, "the number of elements");
    while (bsim_ptx_accept(scan, '*')) {
        uint64_t factor = bsim_ptx_expect_number(scan, "the number of elements");
        n = factor != 0 && n > MAX_ARRAY_BYTES / factor ? MAX_ARRAY_BYTES : n * factor;
    }
    if (scan->status == BSIM_OK && (n == 0 || n > MAX_ARRAY_BYTES / ((uint64_t)type->bytes * n_vector))) {
        bsim_ptx_scan_fail(scan, "an array has 1 byte to 4 GiB");
    }
    bsim_ptx_expect(scan, ']');
    const struct bsim_ptx_token at = scan->token;
    uint64_t first = bsim_ptx_accept(scan, '+') ? bsim_ptx_expect_number(scan, "a number of elements") : 0;
    if (scan->status == BSIM_OK && first > n) {
        scan->token = at;
        bsim_ptx_scan_fail(scan, "this leads behind the end of the array");
    }
    uint64_t bytes = (uint64_t)type->bytes * n_vector;
    return scan->status == BSIM_OK ? make_array(reading, n * bytes, type) + first * bytes : 0;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* What a value takes up. */
struct extent {
    uint32_t bytes, alignment;
};

static uint32_t align(uint32_t offset, uint32_t alignment)
{
    return (offset + alignment - 1) / alignment * alignment;
}

/* What a number is: of the type, which may leave open whether it has a point, or without one as in C. */
static struct bsim_ptx_element settle(const struct bsim_ptx_element *type,
                                      const struct bsim_ptx_number *number)
{
    struct bsim_ptx_element settled = {.kind = number->is_float ? 'f' : 'i',
                                       .bytes = number->bytes > 0 ? number->bytes
                                                : number->is_float && !number->is_single ? 8
                                                                                         : 4};
    if (type != NULL) {
        bool is_open = type->kind == 'b' && type->bytes > 1;
        settled = *type;
        settled.kind = is_open ? (number->is_float ? 'f' : 'i') : type->kind == 'f' ? 'f' : 'i';
    }
    return settled;
}

/* A number or pointer of so many bytes is written there. */
static struct extent mark_value(struct reading *reading, uint32_t at, uint32_t bytes,
                                enum bsim_ptx_part first)
{
    memset(reading->part + at, BSIM_PTX_BEHIND, bytes);
    reading->part[at] = (unsigned char)first;
    return (struct extent){bytes, bytes};
}

/* What a number is that was written behind that type, or behind none. */
static enum bsim_ptx_part kind_of(const struct bsim_ptx_element *type,
                                  const struct bsim_ptx_element *settled,
                                  const struct bsim_ptx_number *number)
{
    bool is_open = number->bytes == 0 && (type == NULL || (type->kind == 'b' && type->bytes > 1));
    return settled->kind == 'f'  ? BSIM_PTX_REAL
           : !is_open            ? BSIM_PTX_WHOLE
           : number->is_negative ? BSIM_PTX_OPEN_NEGATIVE
                                 : BSIM_PTX_OPEN;
}

static struct extent read_single(struct reading *reading, uint32_t at,
                                 const struct bsim_ptx_element *type)
{
    struct bsim_ptx_number number = bsim_ptx_read_number(&reading->scan);
    struct bsim_ptx_element element = settle(type, &number);
    bsim_ptx_check_number(&reading->scan, &element, &number);
    if (reading->scan.status == BSIM_OK) {
        bsim_ptx_put_number(reading->room + at, &element, &number);
    }
    return mark_value(reading, at, element.bytes, kind_of(type, &element, &number));
}

static struct extent read_value(struct reading *reading, uint32_t at,
                                const struct bsim_ptx_element *type);

static void move_down(unsigned char *room, uint32_t to, uint32_t from, uint32_t bytes)
{
    uint32_t stale = to + bytes > from ? to + bytes : from;
    memmove(room + to, room + from, bytes);
    memset(room + stale, 0, from + bytes - stale);
}

/* The member of the struct at `at`, which was read at `from`, moves down to where it belongs: at or behind
 * `end`. */
static uint32_t place_member(struct reading *reading, uint32_t at, uint32_t from, uint32_t end,
                             struct extent member)
{
    uint32_t to = align(end, member.alignment);
    move_down(reading->room + at, to, from, member.bytes);
    move_down(reading->part + at, to, from, member.bytes);
    return to + member.bytes;
}

/* Member i at least at byte `end` of the struct that begins at `at`; returns where it ends. */
static uint32_t read_member(struct reading *reading, uint32_t at, uint32_t end, uint32_t i,
                            const struct bsim_ptx_element *type, uint32_t *alignment)
{
    size_t length = strlen(reading->path);
    uint32_t from = align(end, MAX_ALIGNMENT);
    if (at + from + sizeof(uint64_t) > sizeof reading->room) {
        bsim_ptx_scan_fail(&reading->scan, "a struct has at most %d bytes", MAX_PARAMETER_BYTES);
        return end;
    }
    snprintf(reading->path + length, sizeof reading->path - length, ".%" PRIu32, i);
    struct extent member = read_value(reading, at + from, type);
    reading->path[length] = '\0';
    if (reading->scan.status != BSIM_OK) {
        return end;
    }
    *alignment = member.alignment > *alignment ? member.alignment : *alignment;
    return place_member(reading, at, from, end, member);
}

/* {MEMBER, ...}, each behind the one before at a multiple of its alignment; one without any has a byte, as
 * in C++. */
static struct extent read_struct(struct reading *reading, uint32_t at,
                                 const struct bsim_ptx_element *type, uint32_t *n)
{
    struct bsim_ptx_scanner *scan = &reading->scan;
    uint32_t end = 0, alignment = 1;
    if (++reading->depth > MAX_DEPTH) {
        bsim_ptx_scan_fail(scan, "braces are at most %d deep", MAX_DEPTH);
    }
    bsim_ptx_expect(scan, '{');
    for (*n = 0; !bsim_ptx_is(scan, '}') && scan->status == BSIM_OK; ++*n) {
        end = read_member(reading, at, end, *n, type, &alignment);
        if (!bsim_ptx_is(scan, '}')) {
            bsim_ptx_expect(scan, ',');
        }
    }
    bsim_ptx_expect(scan, '}');
    reading->depth--;
    return (struct extent){end > 0 ? align(end, alignment) : 1, alignment};
}

/* float4 {1, 2, 3, 4}, aligned as CUDA aligns it. */
static struct extent read_vector(struct reading *reading, uint32_t at,
                                 const struct bsim_ptx_element *type, uint32_t n_vector)
{
    uint32_t n = 0, bytes = n_vector * type->bytes;
    struct bsim_ptx_token from = reading->scan.token;
    struct extent extent = read_struct(reading, at, type, &n);
    if (n != n_vector && reading->scan.status == BSIM_OK) {
        reading->scan.token = from;
        bsim_ptx_scan_fail(&reading->scan, "%s%" PRIu32 " has %" PRIu32 " members, not %" PRIu32,
                           type->name, n_vector, n_vector, n);
    }
    extent.alignment = n_vector == 3              ? type->bytes
                       : bytes < VECTOR_ALIGNMENT ? bytes
                                                  : VECTOR_ALIGNMENT;
    return extent;
}

/* ---- tensor maps ----------------------------------------------------------------------------- */

static enum bsim_ptx_type type_of(const struct bsim_ptx_element *element)
{
    /* Of 8 and 16 bits a map has no other. */
    static const enum bsim_ptx_type whole[] = {[1] = BSIM_PTX_U8, [2] = BSIM_PTX_U16,
                                               [4] = BSIM_PTX_S32, [8] = BSIM_PTX_S64},
                                    natural[] = {[1] = BSIM_PTX_U8, [2] = BSIM_PTX_U16,
                                                 [4] = BSIM_PTX_U32, [8] = BSIM_PTX_U64},
                                    real[] = {[2] = BSIM_PTX_F16, [4] = BSIM_PTX_F32,
                                              [8] = BSIM_PTX_F64};
    return element->is_bfloat     ? BSIM_PTX_BF16
           : element->kind == 'f' ? real[element->bytes]
           : element->is_unsigned ? natural[element->bytes]
                                  : whole[element->bytes];
}

/* The array of an argument before this one that the map is of. */
static void find_array(struct reading *reading, const char *path, struct bsim_ptx_tensormap *map)
{
    const struct made *made = reading->call->made;
    while (made != NULL && strcmp(made->path, path) != 0) {
        made = made->next;
    }
    uint64_t reach = bsim_ptx_tensormap_reach(map);
    if (made == NULL) {
        bsim_ptx_scan_fail(&reading->scan, "argument %s, counted from 0, is no array before this one",
                           path);
    } else if (reach > made->array.size_bytes) {
        bsim_ptx_scan_fail(&reading->scan,
                           "the tensor has %" PRIu64 " bytes, the array that it is of %zu", reach,
                           made->array.size_bytes);
    } else {
        map->address = made->address;
    }
}

/* tensormap TYPE SIDES box=... [= FILL]: the map of an array that the launch makes, or has made. */
static struct extent read_tensormap(struct reading *reading, uint32_t at)
{
    struct bsim_ptx_scanner *scan = &reading->scan;
    struct bsim_ptx_tensormap map = {.address = 0};
    struct bsim_error err;
    uint32_t n_vector = 1;
    char of[MAX_PATH];
    const char *behind = NULL;
    struct extent extent = {BSIM_PTX_TENSORMAP_BYTES, BSIM_PTX_TENSORMAP_ALIGNMENT};
    extent.alignment = /* 64 before CUDA 13, 128 from there on */
        reading->parameter->alignment >= MAX_ALIGNMENT ? MAX_ALIGNMENT : extent.alignment;
    const struct bsim_ptx_element *type = bsim_ptx_read_element(scan, &n_vector);
    if (type == NULL || at + extent.bytes > sizeof reading->room) {
        bsim_ptx_scan_fail(scan, "a tensor map has no room here");
        return extent;
    }
    map.type = type_of(type);
    if (n_vector > 1 || bsim_ptx_tensormap_parse(scan->token.text, &map, of, sizeof of, &behind,
                                                 &err) != BSIM_OK) {
        bsim_ptx_scan_fail(scan, "%s", n_vector > 1 ? "a tensor has no vectors" : err.message);
        return extent;
    }
    if (of[0] != '\0') {
        find_array(reading, of, &map);
    }
    scan->at = behind;
    bsim_ptx_scan_next(scan);
    if (of[0] == '\0') {
        map.address = make_array(reading, bsim_ptx_tensormap_reach(&map), type);
    }
    bsim_ptx_tensormap_put(&map, reading->room + at);
    memset(reading->part + at, BSIM_PTX_BEHIND, extent.bytes);
    return extent;
}

/* A value at byte `at` of the room; the type is that of numbers without one. */
static struct extent read_value(struct reading *reading, uint32_t at,
                                const struct bsim_ptx_element *type)
{
    struct bsim_ptx_scanner *scan = &reading->scan;
    uint32_t n_vector = 1, n;
    if (bsim_ptx_accept_word(scan, "tensormap")) {
        return read_tensormap(reading, at);
    }
    if (scan->token.kind == BSIM_PTX_WORD) {
        type = bsim_ptx_read_element(scan, &n_vector);
    }
    if (scan->status == BSIM_OK && scan->token.kind == BSIM_PTX_PUNCT) {
        if (bsim_ptx_is(scan, '[')) {
            uint64_t address = type != NULL ? read_array(reading, type, n_vector) : 0;
            memcpy(reading->room + at, &address, sizeof address);
            return mark_value(reading, at, sizeof address, BSIM_PTX_WHOLE);
        }
        if (bsim_ptx_is(scan, '{')) {
            return n_vector > 1 ? read_vector(reading, at, type, n_vector)
                                : read_struct(reading, at, type, &n);
        }
    }
    return read_single(reading, at, type);
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* The argument, which began at the token, has another size than its parameter. */
static void refuse_size(struct reading *reading, struct bsim_ptx_token from, uint32_t bytes,
                        bool is_scalar)
{
    struct bsim_ptx_scanner *scan = &reading->scan;
    uint64_t due = reading->parameter->size_bytes;
    char loads[200] = "";
    bsim_ptx_tell_loads(reading->call->launch.kernel, reading->parameter, loads, sizeof loads);
    bool is_struct = from.kind == BSIM_PTX_PUNCT && *from.text == '{';
    scan->token = from;
    if (is_struct && from.text[1 + strspn(from.text + 1, " \t")] == '}') {
        bsim_ptx_scan_fail(scan, "this struct has no members, its parameter %" PRIu64 " bytes%s",
                           due, loads);
    } else if (is_struct) {
        bsim_ptx_scan_fail(scan,
                           "this struct has %" PRIu32 " bytes, its parameter %" PRIu64
                           "%s. A number is an int or double if no type stands before it, as in "
                           "long 64 and float 1.5",
                           bytes, due, loads);
    } else if (!is_scalar && due == 2) {
        bsim_ptx_scan_fail(scan,
                           "this parameter has 2 bytes and may be a __half: write half 1.5, or "
                           "short 3");
    } else if (!is_scalar && due == BSIM_PTX_TENSORMAP_BYTES &&
               reading->parameter->alignment >= BSIM_PTX_TENSORMAP_ALIGNMENT) {
        bsim_ptx_scan_fail(scan,
                           "this parameter may be a CUtensorMap: write tensormap half 1024x512 "
                           "box=64x128 swizzle=128B, of the array that it maps");
    } else if (!is_scalar) {
        bsim_ptx_scan_fail(scan,
                           "this parameter is a struct of %" PRIu64
                           " bytes: write its members in braces, such as {float[64] = iota, long "
                           "64}%s",
                           due, loads);
    } else {
        bsim_ptx_scan_fail(scan, "this parameter has %" PRIu64 " bytes, which cannot be %s", due,
                           bytes == sizeof(uint64_t) ? "a pointer or long" : "such a number");
    }
}

/* Whether the kernel loads from the parameter what was not written as such. */
static void check_loads(struct reading *reading, struct bsim_ptx_token from)
{
    const struct bsim_ptx_call *call = reading->call;
    struct bsim_ptx_written written = {call->module, call->launch.kernel, reading->parameter,
                                       reading->room, reading->part};
    char why[400];
    if (!bsim_ptx_fit_loads(&written, why, sizeof why)) {
        reading->scan.token = from;
        bsim_ptx_scan_fail(&reading->scan, "%s", why);
    }
}

/* An argument that began at the token, by what the kernel's name says of it: a number that no address is is none, and elements of
 * another type are told of, unless a file has their bytes, or all are 0. */
static void check_pointed(struct reading *reading, struct bsim_ptx_token from)
{
    struct bsim_ptx_scanner *scan = &reading->scan;
    struct bsim_ptx_call *call = reading->call;
    struct bsim_ptx_pointed pointed;
    const struct bsim_ptx_element *type = reading->element;
    if (scan->status != BSIM_OK || !bsim_ptx_find_pointed(call->launch.kernel->name, call->n_arguments, &pointed)) {
        return;
    }
    if (type == NULL && from.kind == BSIM_PTX_NUMBER && from.value != 0 && from.value <= UINT32_MAX) {
        bool is_known = pointed.kind != '\0';
        scan->token = from;
        bsim_ptx_scan_fail(scan, "this parameter is %s *: an array is due, such as %s[1024]", pointed.text,
                           is_known && strpbrk(pointed.text, " :") == NULL ? pointed.text : is_known ? "int" : "char");
        return;
    }
    bool is_same = type == NULL || pointed.kind == '\0' ||
                   (type->kind == pointed.kind && type->bytes == pointed.bytes && type->is_bfloat == pointed.is_bfloat);
    if (!is_same && !reading->is_file && !(reading->is_zeros && type->bytes == pointed.bytes)) {
        bsim_buffer_printf(&call->notes,
                           "warning: argument %zu is an array of %s, and the kernel takes it for one of %s: %s\n",
                           call->n_arguments, type->name, pointed.text,
                           type->bytes == pointed.bytes ? "its values are other ones there"
                                                        : "it has another number of elements there");
    }
}

/* Of machine code whose kernel's name says no types a number that is no float's is a whole one: said once for an argument, where that makes a
 * difference. */
static void note_untyped(struct reading *reading, uint32_t bytes)
{
    struct bsim_ptx_call *call = reading->call;
    bool is_open = false;
    for (uint32_t k = 0; k < bytes; k++) {
        bool is_number = reading->part[k] == BSIM_PTX_OPEN || reading->part[k] == BSIM_PTX_OPEN_NEGATIVE;
        is_open = is_open || (is_number && reading->room[k] != 0);
    }
    if (is_open) {
        bsim_buffer_printf(&call->notes, "note: argument %zu has whole numbers where machine code says no type: a float is written 3.0f, a double 3.0\n",
                           call->n_arguments);
    }
}

static void read_argument(struct reading *reading)
{
    struct bsim_ptx_scanner *scan = &reading->scan;
    struct bsim_ptx_call *call = reading->call;
    const struct bsim_ptx_symbol *parameter = reading->parameter;
    if (parameter == NULL) {
        bsim_ptx_scan_fail(scan, "the kernel has no more than %zu parameters", call->n_arguments);
        return;
    }
    const struct bsim_ptx_token from = scan->token;
    const struct bsim_ptx_element type = {.name = "",
                                          .kind = bsim_ptx_type_letter(parameter->type),
                                          .bytes = bsim_ptx_type_bits(parameter->type) / 8};
    bool is_scalar = parameter->size_bytes == type.bytes;
    snprintf(reading->path, sizeof reading->path, "%zu", call->n_arguments);
    memset(reading->room, 0, sizeof reading->room);
    memset(reading->part, BSIM_PTX_PADDING, sizeof reading->part);
    reading->element = NULL;
    struct extent extent =
        read_value(reading, 0, is_scalar && !bsim_ptx_is(scan, '{') ? &type : NULL);
    if (scan->status != BSIM_OK) {
        return;
    }
    if (extent.bytes != parameter->size_bytes) {
        refuse_size(reading, from, extent.bytes, is_scalar);
        return;
    }
    if (is_scalar) {
        check_pointed(reading, from);
    }
    /* In machine code a register is used for anything, which says nothing about what was loaded. */
    if ((!is_scalar || type.kind == 'b') && !call->launch.kernel->is_machine_code) {
        check_loads(reading, from);
    }
    if (scan->status != BSIM_OK) {
        return;
    }
    if ((!is_scalar || type.kind == 'b') && call->launch.kernel->is_machine_code) {
        note_untyped(reading, extent.bytes);
    }
    memcpy(call->parameters + parameter->address, reading->room, extent.bytes);
}

static void read_arguments(struct reading *reading)
{
    struct bsim_ptx_scanner *scan = &reading->scan;
    struct bsim_ptx_call *call = reading->call;
    reading->parameter = scan->status == BSIM_OK ? call->launch.kernel->parameters : NULL;
    bsim_ptx_expect(scan, '(');
    while (!bsim_ptx_is(scan, ')') && scan->status == BSIM_OK) {
        read_argument(reading);
        if (scan->status == BSIM_OK) {
            call->n_arguments++;
            reading->parameter = reading->parameter->next;
        }
        if (!bsim_ptx_is(scan, ')')) {
            bsim_ptx_expect(scan, ',');
        }
    }
    if (scan->status == BSIM_OK && reading->parameter != NULL) {
        bsim_ptx_scan_fail(scan, "the kernel has more parameters than the %zu given",
                           call->n_arguments);
    }
    bsim_ptx_expect(scan, ')');
    bsim_ptx_accept(scan, ';');
    if (scan->token.kind != BSIM_PTX_END) {
        bsim_ptx_scan_fail(scan, "nothing may stand behind the launch");
    }
}

static enum bsim_status read_launch(struct bsim_ptx_call *call, const char *text,
                                    struct bsim_error *err)
{
    struct reading reading = {.call = call};
    bsim_ptx_scan_start(&reading.scan, "the launch", text, strlen(text), 0, err);
    read_kernel(&reading);
    read_configuration(&reading);
    if (reading.scan.status == BSIM_OK &&
        call->launch.kernel->parameter_bytes > sizeof call->parameters) {
        bsim_ptx_scan_fail(&reading.scan, "the kernel's parameters take over %d bytes",
                           MAX_PARAMETER_BYTES);
    }
    read_arguments(&reading);
    if (reading.scan.status == BSIM_E_INPUT) {
        if (err != NULL) {
            err->status = BSIM_E_USAGE;
        }
        return BSIM_E_USAGE;
    }
    return reading.scan.status;
}

/* ---- the call -------------------------------------------------------------------------------- */

enum bsim_status bsim_ptx_call_new(const char *name, const char *text, size_t length,
                                   const char *launch, struct bsim_ptx_call **call,
                                   struct bsim_error *err)
{
    uint64_t address = UINT64_C(1) << 44; /* of the module's variables: above all arrays */
    struct bsim_ptx_call *made = bsim_mem_zeroed(1, sizeof *made);
    if (made == NULL || (made->memory = bsim_ptx_memory_new()) == NULL) {
        bsim_mem_free(made);
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    enum bsim_status status = bsim_ptx_read(name, text, length, &made->module, err);
    if (status == BSIM_OK) {
        status = bsim_ptx_load(made->module, made->memory, &address, err);
    }
    if (status == BSIM_OK) {
        made->launch.module = made->module;
        made->launch.memory = made->memory;
        made->launch.parameters = made->parameters;
        made->launch.stack_bytes = STACK_BYTES;
        made->launch.heap_bytes = BSIM_PTX_HEAP_BYTES;
        status = read_launch(made, launch, err);
    }
    if (status != BSIM_OK) {
        bsim_ptx_call_free(made);
        return status;
    }
    *call = made;
    return BSIM_OK;
}

void bsim_ptx_call_free(struct bsim_ptx_call *call)
{
    if (call != NULL) {
        bsim_arena_free(&call->arena);
        bsim_ptx_findings_free(&call->findings);
        bsim_buffer_free(&call->found);
        bsim_buffer_free(&call->notes);
        bsim_ptx_memory_free(call->memory);
        bsim_ptx_module_free(call->module);
        bsim_mem_free(call);
    }
}

void bsim_ptx_call_print(struct bsim_ptx_call *call,
                         void (*print)(void *context, const char *text, size_t length),
                         void *context)
{
    call->printer = (struct bsim_ptx_printer){.print = print, .context = context};
    call->launch.printer = &call->printer;
}

void bsim_ptx_call_source(struct bsim_ptx_call *call, const char *name, const char *text)
{
    call->module->source_name = name;
    call->module->source_text = text;
}

void bsim_ptx_call_set(struct bsim_ptx_call *call, const struct bsim_ptx_options *options)
{
    call->launch.is_bare = options->is_bare;
    call->launch.jobs = options->jobs;
    call->launch.n_sample = options->n_blocks;
    call->launch.most_of_warp = options->most_of_warp;
    call->launch.most_steps = options->most_steps;
    call->launch.has_work = options->has_work;
    call->launch.findings = &call->findings;
}

enum bsim_status bsim_ptx_call_run(struct bsim_ptx_call *call, const struct bsim_sink *sink,
                                   struct bsim_error *err)
{
    bsim_ptx_findings_free(&call->findings);
    enum bsim_status status = bsim_ptx_launch_run(&call->launch, sink, err);
    return status == BSIM_OK ? bsim_push_end(sink, err) : status;
}

const char *bsim_ptx_call_findings(struct bsim_ptx_call *call)
{
    static const char none[] = "";
    bsim_buffer_clear(&call->found);
    bsim_buffer_text(&call->found, call->notes.data != NULL ? call->notes.data : "");
    bsim_ptx_findings_tell(&call->findings, &call->found);
    bsim_buffer_add(&call->found, "", 1);
    return call->found.failed ? none : call->found.data;
}

const void *bsim_ptx_call_array(const struct bsim_ptx_call *call, const char *path,
                                size_t *size_bytes)
{
    for (const struct made *made = call->made; made != NULL; made = made->next) {
        if (strcmp(made->path, path) == 0) {
            *size_bytes = made->array.size_bytes;
            return made->array.data;
        }
    }
    return NULL;
}

/* declared.c - the shared arrays that a trace declares, in the x-shared= of a kernel's record:
 *
 *     x-shared=tile@0:float[32][33]+n@4224:4+part@4228:8[2]+s@4352:unsigned[]
 *
 *     arrays = array ("+" array)*                in the order of their bytes
 *     array  = NAME "@" BYTE [":" (BYTES | type dimensions layout)]
 *     type   = as in a declaration, or the bytes of an element whose type is not told
 *     layout = what may stand behind a declarator, see arrange.c
 *
 * A word of a trace has no blanks: a dot stands for each. What is declared is read as `--shared` is.
 * NAME is the trace's, which need not be one of C.
 */
#include "expr/check.h"

#include "base/memory.h"
#include "layout/place.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The largest window that a trace may have; what is open ends with it. */
enum { MOST_BYTES = 1 << 24, SHOWN = 60 };

/* An array as it stands there. */
struct item {
    const char *text; /* "tile@0:float[32][33]" */
    size_t length;
    size_t name_length;
    uint32_t begin;
    const char *rest; /* behind the colon, up to the end; NULL: the array is open */
};

struct reading {
    struct bsim_check *check;
    struct bsim_error *err;
    uint32_t end; /* of the array before; UINT32_MAX: nobody knows where that ends */
};

static int shown(const struct item *item)
{
    return item->length < SHOWN ? (int)item->length : SHOWN;
}

static bool fail(const struct reading *reading, const struct item *item, const char *why)
{
    (void)bsim_error_set(reading->err, BSIM_E_INPUT, "x-shared= has '%.*s': %s", shown(item),
                         item->text, why);
    return false;
}

static bool no_memory(const struct reading *reading)
{
    (void)bsim_mem_short(reading->err);
    return false;
}

/* ---- one array's text ------------------------------------------------------------------------ */

/* The number in [at, end), up to what is no digit. */
static bool read_number(const char **at, const char *end, uint32_t *number)
{
    uint64_t n = 0;
    const char *first = *at;
    for (; *at < end && **at >= '0' && **at <= '9' && n <= MOST_BYTES; ++*at) {
        n = 10 * n + (uint64_t)(**at - '0');
    }
    *number = (uint32_t)n;
    return *at > first && n <= MOST_BYTES;
}

static const char form[] =
    "an array is NAME@BYTE, NAME@BYTE:BYTES or NAME@BYTE:TYPE[N]..., no byte is "
    "above 16777216, and between two arrays stands a +";

static bool split(const struct reading *reading, struct item *item)
{
    const char *end = item->text + item->length;
    const char *at = memchr(item->text, '@', item->length);
    item->name_length = at != NULL ? (size_t)(at - item->text) : 0;
    if (item->name_length == 0 || (at++, !read_number(&at, end, &item->begin)) ||
        (at < end && (*at != ':' || at + 1 == end))) {
        return fail(reading, item, form);
    }
    item->rest = at < end ? at + 1 : NULL;
    return true;
}

/* ---- what it declares ------------------------------------------------------------------------ */

/* "float array[32] pad 1": the name is not C's to refuse. */
static void put_declaration(const struct item *item, bool is_number, struct bsim_buffer *out)
{
    const char *end = item->text + item->length;
    size_t length = 0;
    while (item->rest + length < end && item->rest[length] != '[') {
        length++;
    }
    bool is_open =
        end - item->rest - (ptrdiff_t)length >= 2 && memcmp(item->rest + length, "[]", 2) == 0;
    bsim_buffer_text(out, is_open ? "extern " : "");
    bsim_buffer_text(out, is_number ? "struct { char byte[" : "");
    bsim_buffer_add(out, item->rest, length);
    bsim_buffer_text(out, is_number ? "]; }" : "");
    bsim_buffer_text(out, " array");
    bsim_buffer_add(out, item->rest + length, (size_t)(end - item->rest) - length);
    for (size_t i = 0; i < out->size_bytes; i++) {
        out->data[i] = out->data[i] == '.' ? ' ' : out->data[i];
    }
}

/* As a declaration of its own. */
static bool read_type(const struct reading *reading, const struct item *item, bool is_number)
{
    struct bsim_check *check = reading->check;
    struct bsim_error why = {.status = BSIM_OK};
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_scope scope = {.symbol = NULL};
    struct bsim_parse parse = {.file = &check->file, .scope = &scope, .err = &why};
    put_declaration(item, is_number, &text);
    struct cu_source source = {.name = "", .text = text.data, .length = text.size_bytes};
    parse.source = &source;
    bool done = !text.failed && bsim_parse_start(&parse, 0, text.size_bytes) &&
                bsim_check_declare_at(check, &parse, item->begin);
    bool is_short = text.failed || parse.status == BSIM_E_MEMORY;
    bsim_scope_free(&scope);
    bsim_buffer_free(&text);
    return done || (is_short ? no_memory(reading) : fail(reading, item, why.message));
}

/* Of which no more than its place is known. */
static bool add_bytes(const struct reading *reading, const struct item *item, uint32_t bytes)
{
    struct bsim_check *check = reading->check;
    struct bsim_check_array array = {.space = BSIM_SHARED,
                                     .begin = item->begin,
                                     .element_bytes = 1,
                                     .element_alignment = 1,
                                     .alignment = 1,
                                     .n_dimensions = 1,
                                     .dimension = {bytes},
                                     .offset_bytes = item->begin,
                                     .size_bytes = bytes,
                                     .laid_bytes = bytes,
                                     .is_extern = item->rest == NULL};
    if (!bsim_check_grow((void **)&check->array, check->n_arrays, sizeof *check->array)) {
        return no_memory(reading);
    }
    check->array[check->n_arrays++] = array;
    return true;
}

static bool add_array(const struct reading *reading, const struct item *item)
{
    const char *end = item->text + item->length;
    const char *at = item->rest;
    uint32_t number = 0;
    bool is_number = at != NULL && read_number(&at, end, &number);
    bool has_digit = at != NULL && *item->rest >= '0' && *item->rest <= '9';
    if (has_digit && (!is_number || number == 0 || (at < end && *at != '['))) {
        return fail(reading, item, form);
    }
    if (at == NULL || (is_number && at == end)) {
        return add_bytes(reading, item, number);
    }
    if (!read_type(reading, item, is_number)) {
        return false;
    }
    if (is_number) { /* no members, and no name that a declaration could have */
        struct bsim_check_array *array = &reading->check->array[reading->check->n_arrays - 1];
        array->element = "";
        array->is_struct = false;
        array->n_members = 0;
    }
    return true;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Behind the one before, and within the window as far as that is known. */
static bool check_place(struct reading *reading, const struct item *item)
{
    const struct bsim_kernel *kernel = &reading->check->kernel;
    const struct bsim_check_array *array = &reading->check->array[reading->check->n_arrays - 1];
    uint64_t end = (uint64_t)array->begin + array->laid_bytes;
    if (array->begin < reading->end) {
        return fail(reading, item,
                    "it begins before the array in front of it ends: arrays stand in the order of "
                    "their bytes, an open one last");
    }
    if (!array->is_extern && end > (kernel->has_shared ? kernel->shared_bytes : MOST_BYTES)) {
        return fail(reading, item, "it ends behind the block's window (shared=), or byte 16777216");
    }
    reading->end = array->is_extern ? UINT32_MAX : (uint32_t)end;
    return true;
}

static bool read_array(struct reading *reading, struct item *item)
{
    struct bsim_check *check = reading->check;
    if (!split(reading, item) || !add_array(reading, item)) {
        return false;
    }
    struct bsim_check_array *array = &check->array[check->n_arrays - 1];
    array->name = bsim_arena_text(&check->file.arena, item->text, item->name_length);
    check->n_shared = check->n_arrays;
    return array->name != NULL ? check_place(reading, item) : no_memory(reading);
}

/* The value of x-shared=; NULL: there is none. */
static const char *find_value(const char *extras)
{
    static const char key[] = "x-shared=";
    const char *at = extras;
    while (*at != '\0' && strncmp(at, key, sizeof key - 1) != 0) {
        at += strcspn(at, " ");
        at += *at == ' ';
    }
    return *at != '\0' ? at + sizeof key - 1 : NULL;
}

static bool read_arrays(struct bsim_check *check, const char *value, struct bsim_error *err)
{
    struct reading reading = {.check = check, .err = err};
    bool is_last = false;
    while (!is_last) {
        struct item item = {.text = value, .length = strcspn(value, "+ ")};
        is_last = value[item.length] != '+';
        value += item.length + 1;
        if (!read_array(&reading, &item)) {
            return false;
        }
    }
    check->sealed = true;
    return bsim_check_show(check) || no_memory(&reading);
}

enum bsim_status bsim_check_declared(const struct bsim_kernel *kernel, struct bsim_check **check,
                                     struct bsim_error *err)
{
    struct bsim_error own = {.status = BSIM_E_MEMORY};
    const char *value = find_value(kernel->extras);
    *check = NULL;
    if (value == NULL) {
        return BSIM_OK;
    }
    struct bsim_check *made = bsim_check_new();
    if (made == NULL) {
        return bsim_mem_short(err);
    }
    made->kernel = (struct bsim_kernel){.name = "",
                                        .grid = kernel->grid,
                                        .block = kernel->block,
                                        .shared_bytes = kernel->shared_bytes,
                                        .has_shared = kernel->has_shared,
                                        .extras = ""};
    if (read_arrays(made, value, &own)) {
        *check = made;
        return BSIM_OK;
    }
    bsim_check_free(made);
    if (err != NULL) {
        *err = own;
    }
    return own.status;
}

/* ---- written --------------------------------------------------------------------------------- */

/* As `element` says, NULL: nothing. */
static void put_array(const struct bsim_check_array *array, const char *element,
                      struct bsim_buffer *out)
{
    size_t begin = out->size_bytes;
    bsim_buffer_printf(out, "%s@%" PRIu32, array->name, array->offset_bytes);
    if (element != NULL) {
        bsim_buffer_printf(out, ":%s", element);
    } else if (!array->is_extern) {
        bsim_buffer_printf(out, ":%" PRIu32, array->laid_bytes);
    }
    for (uint32_t d = 0; d < array->n_dimensions && element != NULL; d++) {
        if (d == 0 && array->is_extern) {
            bsim_buffer_text(out, "[]");
        } else {
            bsim_buffer_printf(out, "[%" PRIu32 "]", array->dimension[d]);
        }
    }
    if (element != NULL && array->n_layouts > 0) {
        bsim_buffer_printf(out, " %s", array->layout_text);
    }
    for (; begin < out->size_bytes; begin++) {
        out->data[begin] = out->data[begin] == ' ' ? '.' : out->data[begin];
    }
}

/* Whether it reads as what it is: the names of structs and of constants mean nothing in a trace. */
static bool reads_back(const struct bsim_check_array *array, const char *text)
{
    struct bsim_buffer extras = BSIM_BUFFER_EMPTY;
    struct bsim_kernel kernel = {.name = ""};
    struct bsim_check *said = NULL;
    bsim_buffer_printf(&extras, "x-shared=%s", text);
    kernel.extras = extras.failed ? "" : extras.data;
    bool fine = bsim_check_declared(&kernel, &said, NULL) == BSIM_OK && said != NULL &&
                said->n_shared == 1 && said->array[0].element_bytes == array->element_bytes &&
                said->array[0].laid_bytes == array->laid_bytes;
    bsim_check_free(said);
    bsim_buffer_free(&extras);
    return fine;
}

void bsim_check_put_declared(const struct bsim_check *check, struct bsim_buffer *out)
{
    for (size_t i = 0; i < check->n_shared; i++) {
        const struct bsim_check_array *array = &check->array[i];
        struct bsim_buffer text = BSIM_BUFFER_EMPTY;
        char bytes[sizeof "4294967295"];
        (void)snprintf(bytes, sizeof bytes, "%" PRIu32, array->element_bytes);
        const char *const elements[] = {array->is_struct ? bytes : array->element, bytes, NULL};
        for (size_t k = 0; k < 3 && !text.failed; k++) {
            bsim_buffer_clear(&text);
            put_array(array, elements[k], &text);
            if (reads_back(array, text.failed ? "" : text.data)) {
                break;
            }
        }
        bsim_buffer_printf(out, "%s%s", i > 0 ? "+" : "x-shared=", text.failed ? "" : text.data);
        out->failed = out->failed || text.failed;
        bsim_buffer_free(&text);
    }
}

/* ---- where a request lies -------------------------------------------------------------------- */

size_t bsim_check_find_array(const struct bsim_check *check, uint32_t address)
{
    size_t i = 0;
    for (; i < check->n_shared; i++) {
        const struct bsim_check_array *array = &check->array[i];
        if (address >= array->offset_bytes &&
            (array->is_extern ? address < MOST_BYTES
                              : address - array->offset_bytes < array->laid_bytes)) {
            break;
        }
    }
    return i;
}

bool bsim_check_find_offset(const struct bsim_check *check, uint32_t address, uint32_t bytes,
                            uint32_t *array, uint32_t *offset)
{
    size_t i = bsim_check_find_array(check, address);
    *array = (uint32_t)i;
    return i < check->n_shared && bsim_check_find_array(check, address + bytes - 1) == i &&
           bsim_array_unmap(&check->array[i], address - check->array[i].offset_bytes, bytes,
                            offset);
}

bool bsim_check_locate(const struct bsim_check *check, const struct bsim_request *request,
                       struct bsim_check_request *asked)
{
    uint32_t lanes = bsim_opcode_lanes(&request->opcode, request->mask);
    bool is_found = request->opcode.space == BSIM_SHARED;
    *asked = (struct bsim_check_request){
        .times = 1, .opcode = request->opcode, .mask = request->mask, .lanes = lanes};
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES && is_found; lane++) {
        if ((lanes >> lane & 1) != 0) {
            asked->address[lane] = request->address[lane];
            is_found = bsim_check_find_offset(check, request->address[lane], request->opcode.bytes,
                                              &asked->array[lane], &asked->offset[lane]);
        }
    }
    return is_found;
}

/* by_hand.c - a request put together from options: --load v2.f32 --stride 3 --mask ffff.
 *
 * Strides and offsets count accesses, as an index does: with --store v4.f32 --stride 2 lane l
 * stores to a[2 * l] of a float4 array. --addresses are in bytes.
 */
#include "cli/show.h"

#include "base/bits.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPCODE_TEXT = 96,
    MAX_DIGITS = 9,
    MAX_STRIDE = 65536, /* 32 lanes of 16 bytes at this stride stay below 2^32 */
};

/* ---- the opcode ------------------------------------------------------------------------------ */

/* C's names for what PTX spells otherwise. */
static const struct {
    const char *name, *ptx;
} types[] = {
    {"char", "s8"},        {"uchar", "u8"},      {"short", "s16"},     {"ushort", "u16"},
    {"half", "b16"},       {"half2", "b32"},     {"int", "s32"},       {"uint", "u32"},
    {"int2", "v2.s32"},    {"uint2", "v2.u32"},  {"int4", "v4.s32"},   {"uint4", "v4.u32"},
    {"float", "f32"},      {"float2", "v2.f32"}, {"float4", "v4.f32"}, {"double", "f64"},
    {"double2", "v2.f64"},
};

static const char *ptx_type(const char *type)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(types[i].name, type) == 0) {
            return types[i].ptx;
        }
    }
    return type;
}

/* The type that is meant where none is named. */
static const char *type_of_operation(const char *name, size_t length)
{
    static const char *const of_bits[] = {"and", "or", "xor", "exch", "cas"};
    for (size_t i = 0; i < sizeof of_bits / sizeof of_bits[0]; i++) {
        if (strlen(of_bits[i]) == length && strncmp(of_bits[i], name, length) == 0) {
            return "b32";
        }
    }
    return "u32";
}

/* "add", "add.u32", "cas b64" */
static void spell_atomic(const char *value, char text[OPCODE_TEXT])
{
    size_t length = strcspn(value, ". ");
    const char *type =
        value[length] != '\0' ? ptx_type(value + length + 1) : type_of_operation(value, length);
    (void)snprintf(text, OPCODE_TEXT, "atom.shared.%.*s.%.32s", (int)(length < 16 ? length : 16),
                   value, type);
}

static void spell(const struct show_options *show, char text[OPCODE_TEXT])
{
    if (show->op == NULL || strcmp(show->op, "load") == 0) {
        (void)snprintf(text, OPCODE_TEXT, "ld.shared.%.48s",
                       show->op == NULL ? "b32" : ptx_type(show->type));
    } else if (strcmp(show->op, "store") == 0) {
        (void)snprintf(text, OPCODE_TEXT, "st.shared.%.48s", ptx_type(show->type));
    } else if (strcmp(show->op, "atomic") == 0) {
        spell_atomic(show->type, text);
    } else if (strcmp(show->op, "opcode") == 0) {
        (void)snprintf(text, OPCODE_TEXT, "%.80s", show->type);
    } else {
        (void)snprintf(text, OPCODE_TEXT, "%s.sync.aligned.m8n8.%.16s.shared.b16", show->op,
                       show->type);
    }
}

static enum bsim_status read_opcode(const struct show_options *show,
                                    const struct bsim_device *device, struct bsim_opcode *opcode,
                                    struct bsim_error *err)
{
    char text[OPCODE_TEXT];
    struct bsim_error why;
    spell(show, text);
    if (bsim_opcode_parse(text, strlen(text), opcode, &why) != BSIM_OK) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "--%s %s: %s (an index expression needs its arrays: --shared)",
                              show->op, show->type, why.message);
    }
    if (!bsim_cli_is_drawn(opcode)) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "--%s %s is not an access to shared, global or constant memory",
                              show->op, show->type);
    }
    if (!bsim_device_executes(device, opcode)) {
        return bsim_error_set(err, BSIM_E_USAGE, "%s does not execute %s", device->name, text);
    }
    return BSIM_OK;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* A number at *text, decimal or with 0x, perhaps negative; moves *text behind it. */
static bool take_number(const char **text, int64_t *value)
{
    const char *at = *text;
    bool negative = *at == '-';
    at += negative;
    bool is_hex = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    at += is_hex ? 2 : 0;
    size_t digits = strspn(at, is_hex ? "0123456789abcdefABCDEF" : "0123456789");
    if (digits == 0 || digits > MAX_DIGITS) {
        return false;
    }
    *value = (int64_t)strtoull(at, NULL, is_hex ? 16 : 10);
    *value = negative ? -*value : *value;
    *text = at + digits;
    return true;
}

static enum bsim_status bad_list(const char *option, const char *text, const char *example,
                                 struct bsim_error *err)
{
    return bsim_error_set(err, BSIM_E_USAGE, "%s takes %s, not '%s'", option, example, text);
}

static enum bsim_status read_mask(const char *text, const struct bsim_opcode *opcode,
                                  uint32_t *mask, struct bsim_error *err)
{
    const char *digits = strncmp(text, "0x", 2) == 0 ? text + 2 : text;
    size_t length = strspn(digits, "0123456789abcdefABCDEF");
    if (length == 0 || length > 8 || digits[length] != '\0') {
        return bad_list("--mask", text, "up to eight hex digits, such as ffff for lanes 0 to 15",
                        err);
    }
    *mask = (uint32_t)strtoul(digits, NULL, 16);
    if (*mask == 0) {
        return bsim_error_set(err, BSIM_E_USAGE, "--mask 0: at least one lane must be active");
    }
    if (bsim_opcode_is_matrix(opcode)) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "a matrix form is executed by the whole warp: leave out --mask");
    }
    return BSIM_OK;
}

/* ---- addresses ------------------------------------------------------------------------------- */

static enum bsim_status set_address(const struct bsim_device *device, struct bsim_request *request,
                                    uint32_t lane, int64_t address, struct bsim_error *err)
{
    uint32_t bytes = request->opcode.bytes;
    uint32_t limit = device->shared_per_block_bytes;
    if (address < 0 || address + bytes > limit) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "lane %" PRIu32 "'s address %" PRId64
                              " is out of range: a block of %s has at most %" PRIu32
                              " bytes of shared memory",
                              lane, address, device->name, limit);
    }
    if (address % bytes != 0) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "lane %" PRIu32 "'s address %" PRId64
                              " is not a multiple of the %" PRIu32 " bytes accessed",
                              lane, address, bytes);
    }
    request->address[lane] = (uint32_t)address;
    return BSIM_OK;
}

static enum bsim_status set_stride(const struct bsim_device *device, struct bsim_request *request,
                                   int64_t offset, int64_t stride, struct bsim_error *err)
{
    uint32_t lanes = bsim_opcode_lanes(&request->opcode, request->mask);
    enum bsim_status status = BSIM_OK;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES && status == BSIM_OK; lane++) {
        if ((lanes >> lane & 1) != 0) {
            int64_t index = offset + stride * (int64_t)lane;
            status = set_address(device, request, lane, index * request->opcode.bytes, err);
        }
    }
    return status;
}

/* The addresses of a list, in order: "0,128,256" or "0*16,4*16". */
struct list {
    uint32_t n;
    int64_t address[BSIM_WARP_LANES];
};

/* One item of the list; moves *text behind it. */
static bool take_address(const char **text, struct list *list)
{
    int64_t address;
    int64_t times = 1;
    if (!take_number(text, &address)) {
        return false;
    }
    if (**text == '*') {
        (*text)++;
        if (!take_number(text, &times) || times < 1) {
            return false;
        }
    }
    for (; times > 0 && list->n < BSIM_WARP_LANES; times--) {
        list->address[list->n++] = address;
    }
    return times == 0 && (**text == ',' || **text == '\0');
}

static enum bsim_status read_list(const char *text, struct list *list, struct bsim_error *err)
{
    const char *at = text;
    list->n = 0;
    do {
        at += at > text && *at == ',';
        if (!take_address(&at, list)) {
            return bad_list("--addresses", text,
                            "up to 32 byte addresses, such as 0,128,256 or 0*16,4*16", err);
        }
    } while (*at != '\0');
    return BSIM_OK;
}

/* Deals the list out to the active lanes; without a mask, to as many lanes as it is long. */
static enum bsim_status set_list(const struct bsim_device *device, struct bsim_request *request,
                                 const struct list *list, bool has_mask, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    uint32_t n = bsim_bits_population(bsim_opcode_lanes(&request->opcode, request->mask));
    bool is_matrix = bsim_opcode_is_matrix(&request->opcode);
    if (list->n != n && (has_mask || is_matrix || list->n > n)) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "--addresses has %" PRIu32 " where %" PRIu32 " are needed", list->n,
                              n);
    }
    if (list->n < n) {
        request->mask = (UINT32_C(1) << list->n) - 1;
    }
    uint32_t lanes = bsim_opcode_lanes(&request->opcode, request->mask);
    for (uint32_t lane = 0, i = 0; lane < BSIM_WARP_LANES && status == BSIM_OK; lane++) {
        if ((lanes >> lane & 1) != 0) {
            status = set_address(device, request, lane, list->address[i++], err);
        }
    }
    return status;
}

/* ---- panels ---------------------------------------------------------------------------------- */

void bsim_cli_panels_free(struct panels *panels)
{
    for (size_t i = 0; i < MAX_PANELS; i++) {
        bsim_buffer_free(&panels->title[i]);
        bsim_buffer_free(&panels->place[i]);
    }
    bsim_check_free(panels->arrays);
}

enum bsim_status bsim_cli_panels_add(struct panels *panels, const struct bsim_device *device,
                                     const struct bsim_request *request, const uint64_t *address,
                                     const char *title, const char *place, struct bsim_error *err)
{
    size_t i = panels->n;
    if (i == MAX_PANELS) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "at most %d requests are drawn at a time: leave some out",
                              MAX_PANELS);
    }
    bsim_buffer_text(&panels->title[i], title);
    bsim_buffer_text(&panels->place[i], place);
    panels->picture[i] = (struct bsim_picture){.title = panels->title[i].data,
                                               .place = panels->place[i].data,
                                               .device = *device,
                                               .request = *request};
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        panels->picture[i].address[lane] = address != NULL ? address[lane] : request->address[lane];
    }
    enum bsim_status status = bsim_buffer_status(&panels->title[i], err);
    if (status == BSIM_OK) {
        status = bsim_buffer_status(&panels->place[i], err);
    }
    panels->n += status == BSIM_OK;
    return status;
}

bool bsim_cli_is_drawn(const struct bsim_opcode *opcode)
{
    return bsim_opcode_is_access(opcode) &&
           (opcode->space == BSIM_SHARED || opcode->space == BSIM_GLOBAL ||
            opcode->space == BSIM_CONST);
}

/* ---- requests -------------------------------------------------------------------------------- */

static enum bsim_status begin(const struct show_options *show, const struct bsim_device *device,
                              struct bsim_request *request, int64_t *offset, struct bsim_error *err)
{
    *request = (struct bsim_request){.mask = BSIM_FULL_MASK};
    *offset = 0;
    enum bsim_status status = read_opcode(show, device, &request->opcode, err);
    if (status == BSIM_OK && show->mask != NULL) {
        status = read_mask(show->mask, &request->opcode, &request->mask, err);
    }
    const char *at = show->offset;
    if (status == BSIM_OK && at != NULL && (!take_number(&at, offset) || *at != '\0')) {
        status = bad_list("--offset", show->offset, "a number of at most nine digits", err);
    }
    return status;
}

static enum bsim_status add_list(const struct show_options *show, const struct bsim_device *device,
                                 struct bsim_request *request, struct panels *panels,
                                 struct bsim_error *err)
{
    struct list list = {.n = 0};
    if (show->stride != NULL || show->offset != NULL) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "--addresses says it all: leave out --stride and --offset");
    }
    enum bsim_status status = read_list(show->addresses, &list, err);
    if (status == BSIM_OK) {
        status = set_list(device, request, &list, show->mask != NULL, err);
    }
    return status == BSIM_OK
               ? bsim_cli_panels_add(panels, device, request, NULL, "addresses as given", "", err)
               : status;
}

static enum bsim_status add_stride(const struct bsim_device *device, struct bsim_request *request,
                                   int64_t offset, int64_t stride, struct panels *panels,
                                   struct bsim_error *err)
{
    char title[64];
    enum bsim_status status = set_stride(device, request, offset, stride, err);
    (void)snprintf(title, sizeof title,
                   offset != 0 ? "stride %" PRId64 ", offset %" PRId64 : "stride %" PRId64, stride,
                   offset);
    return status == BSIM_OK ? bsim_cli_panels_add(panels, device, request, NULL, title, "", err)
                             : status;
}

enum bsim_status bsim_cli_by_hand(const struct options *options, const struct bsim_device *device,
                                  struct panels *panels, struct bsim_error *err)
{
    const struct show_options *show = &options->show;
    struct bsim_request request;
    int64_t offset;
    enum bsim_status status = begin(show, device, &request, &offset, err);
    if (status != BSIM_OK || show->addresses != NULL) {
        return status == BSIM_OK ? add_list(show, device, &request, panels, err) : status;
    }
    const char *text = show->stride != NULL ? show->stride : "1";
    const char *at = text;
    do {
        int64_t stride;
        at += at > text && *at == ',';
        if (!take_number(&at, &stride) || (*at != ',' && *at != '\0')) {
            return bad_list("--stride", text,
                            "a number of at most nine digits, or several such as 32,33", err);
        }
        status = add_stride(device, &request, offset, stride, panels, err);
    } while (status == BSIM_OK && *at != '\0');
    return status;
}

/* ---- a table of strides ---------------------------------------------------------------------- */

/* The strides of an item, "7" or "1..33" or "0..32:4"; moves *text behind it. */
static bool take_range(const char **text, int64_t *first, int64_t *last, int64_t *step)
{
    *step = 1;
    if (!take_number(text, first) || *first < 0) {
        return false;
    }
    *last = *first;
    if (strncmp(*text, "..", 2) == 0) {
        *text += 2;
        if (!take_number(text, last)) {
            return false;
        }
        if (**text == ':') {
            (*text)++;
            if (!take_number(text, step)) {
                return false;
            }
        }
    }
    return *last >= *first && *step >= 1 && *last <= MAX_STRIDE &&
           (**text == ',' || **text == '\0');
}

static void fill_stride(const struct bsim_request *like, int64_t offset, int64_t stride,
                        struct bsim_stride *out)
{
    *out = (struct bsim_stride){.stride = (uint32_t)stride, .request = *like};
    for (int64_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        out->request.address[lane] = (uint32_t)((offset + stride * lane) * like->opcode.bytes);
    }
}

static enum bsim_status list_strides(const char *text, const struct bsim_request *like,
                                     int64_t offset, struct bsim_stride *strides, size_t *n,
                                     struct bsim_error *err)
{
    const char *at = text;
    *n = 0;
    do {
        int64_t first;
        int64_t last;
        int64_t step;
        at += at > text && *at == ',';
        if (!take_range(&at, &first, &last, &step)) {
            return bad_list("--strides", text, "strides up to 65536, such as 1..33 or 1,2,32", err);
        }
        for (int64_t stride = first; stride <= last; stride += step) {
            if (*n == MAX_STRIDES) {
                return bsim_error_set(err, BSIM_E_USAGE, "--strides %s: more than %d strides", text,
                                      MAX_STRIDES);
            }
            fill_stride(like, offset, stride, &strides[(*n)++]);
        }
    } while (*at != '\0');
    return BSIM_OK;
}

enum bsim_status bsim_cli_by_strides(const struct options *options,
                                     const struct bsim_device *device, struct bsim_stride **strides,
                                     size_t *n, struct bsim_error *err)
{
    struct bsim_request like;
    int64_t offset;
    enum bsim_status status = begin(&options->show, device, &like, &offset, err);
    if (status == BSIM_OK && like.opcode.space != BSIM_SHARED) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "--strides is a table of banks: of other memory "
                              "--stride 1,2 draws each");
    }
    if (status == BSIM_OK && (offset < 0 || offset > MAX_STRIDE)) {
        status = bad_list("--offset", options->show.offset, "a number up to 65536", err);
    }
    if (status != BSIM_OK) {
        return status;
    }
    struct bsim_stride *list = calloc(MAX_STRIDES, sizeof *list);
    if (list == NULL) {
        return bsim_mem_short(err);
    }
    status = list_strides(options->show.strides, &like, offset, list, n, err);
    if (status != BSIM_OK) {
        free(list);
        return status;
    }
    *strides = list;
    return BSIM_OK;
}

/* ---- a shuffle ------------------------------------------------------------------------------- */

/* "idx 3"; a lane, delta or mask beyond the warp counts modulo 32, as CUDA has it. */
static enum bsim_status read_shuffle(const char *text, struct bsim_shuffle_ask *ask,
                                     struct bsim_error *err)
{
    static const struct {
        const char *name;
        enum bsim_operation operation;
    } modes[] = {{"idx", BSIM_IDX},
                 {"up", BSIM_UP},
                 {"down", BSIM_DOWN},
                 {"xor", BSIM_BFLY},
                 {"bfly", BSIM_BFLY}};
    size_t length = strcspn(text, " ");
    const char *at = text + length + (text[length] == ' ');
    int64_t operand = -1;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (strlen(modes[i].name) == length && strncmp(modes[i].name, text, length) == 0 &&
            take_number(&at, &operand) && *at == '\0' && operand >= 0) {
            ask->operation = modes[i].operation;
            ask->operand = (uint32_t)operand;
            return BSIM_OK;
        }
    }
    return bad_list("--shfl", text, "idx, up, down or xor and a number, such as idx 3", err);
}

enum bsim_status bsim_cli_by_shuffle(const struct show_options *show, struct bsim_shuffle_ask *ask,
                                     struct bsim_error *err)
{
    static const struct bsim_opcode shuffle = {.family = BSIM_SHFL};
    *ask = (struct bsim_shuffle_ask){.width = BSIM_WARP_LANES, .mask = BSIM_FULL_MASK};
    enum bsim_status status = read_shuffle(show->type, ask, err);
    if (status == BSIM_OK && show->mask != NULL) {
        status = read_mask(show->mask, &shuffle, &ask->mask, err);
    }
    const char *at = show->width;
    int64_t width = BSIM_WARP_LANES;
    if (status == BSIM_OK && at != NULL &&
        (!take_number(&at, &width) || *at != '\0' || width < 0 ||
         bsim_shuffle_source(BSIM_IDX, 0, 0, (uint32_t)width) == BSIM_BAD_WIDTH)) {
        return bad_list("--width", show->width, "1, 2, 4, 8, 16 or 32", err);
    }
    ask->width = (uint32_t)width;
    return status;
}

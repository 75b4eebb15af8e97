/* system.c - what the device's runtime does for a kernel: printf, assert, malloc and free.
 *
 * printf's arguments lie one behind the other in memory, each at a multiple of its size: 8 bytes for
 * what is long, a pointer, or has a point, else 4. What it writes goes to the launch's printer at once,
 * lane after lane.
 */
#include "ptx/system.h"

#include "base/bits.h"
#include "base/memory.h"
#include "ptx/memory.h"
#include "ptx/push.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LANES = BSIM_WARP_LANES, TEXT_SIZE = 1024, HEAP_ALIGNMENT = 256 };

/* Where the kernel's own allocations begin, above the host's. */
#define HEAP (UINT64_C(0x7ff) << 36)

static uint64_t parameter(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                          uint32_t lane, uint32_t i, size_t bytes)
{
    uint64_t value = 0;
    const unsigned char *own = bsim_ptx_local(warp, lane) + warp->base;
    memcpy(&value, own + step->more[1 + i], bytes);
    return value;
}

static void give(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane,
                 uint64_t value, size_t bytes)
{
    unsigned char *own = bsim_ptx_local(warp, lane) + warp->base;
    if (step->more[0] != BSIM_PTX_NOWHERE) {
        memcpy(own + step->more[0], &value, bytes);
    }
}

/* False after a fault. */
static bool read_bytes(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane,
                       uint64_t address, void *to, uint32_t bytes)
{
    enum bsim_space space;
    const unsigned char *p =
        bsim_ptx_locate(warp, step, lane, BSIM_PTX_NO_SPACE, bytes, bytes, &address, &space);
    if (p != NULL) {
        memcpy(to, p, bytes);
    }
    return p != NULL;
}

/* The text at the address, cut off at TEXT_SIZE. */
static bool read_text(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane,
                      uint64_t address, char text[TEXT_SIZE])
{
    for (uint32_t i = 0; i < TEXT_SIZE - 1; i++) {
        if (!read_bytes(warp, step, lane, address + i, &text[i], 1)) {
            return false;
        }
        if (text[i] == '\0') {
            return true;
        }
    }
    text[TEXT_SIZE - 1] = '\0';
    return true;
}

/* ---- printf ---------------------------------------------------------------------------------- */

static void emit(struct bsim_ptx_warp *warp, const char *form, ...)
{
    char text[2 * TEXT_SIZE];
    const struct bsim_ptx_printer *printer = warp->block->printer;
    va_list arguments;
    va_start(arguments, form);
    int n = vsnprintf(text, sizeof text, form, arguments);
    va_end(arguments);
    if (printer != NULL && printer->print != NULL && n > 0) {
        bsim_ptx_play(warp->block);
        printer->print(printer->context, text,
                       (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
    }
}

/* A conversion, taken apart: "%-8.3lf" is "-8.3", 'f', wide. */
struct conversion {
    char flags[16 + 2 * 11]; /* with width and precision, of which two may come from arguments */
    char letter;
    bool is_wide;
};

/* Reads what stands behind a '%'; returns its end, or NULL if it is none. */
static const char *read_conversion(const char *text, struct conversion *conversion)
{
    size_t n = strspn(text, "-+ #0123456789.*");
    *conversion = (struct conversion){.letter = 0};
    if (n >= 16) {
        return NULL;
    }
    memcpy(conversion->flags, text, n);
    size_t length = strspn(text + n, "hljztL");
    conversion->is_wide = length > 0 && strchr("ljzt", text[n]) != NULL;
    conversion->letter = text[n + length];
    bool is_known = conversion->letter != '\0' && strchr("diouxXcsfFeEgGaAp", conversion->letter);
    conversion->is_wide = conversion->is_wide || strchr("sfFeEgGaAp", conversion->letter) != NULL;
    return is_known ? text + n + length + 1 : NULL;
}

static void print_number(struct bsim_ptx_warp *warp, const struct conversion *conversion,
                         uint64_t value)
{
    char form[48];
    union bsim_w64 wide = {.u = value};
    bool is_signed = conversion->letter == 'd' || conversion->letter == 'i';
    if (strchr("fFeEgGaA", conversion->letter) != NULL) {
        snprintf(form, sizeof form, "%%%s%c", conversion->flags, conversion->letter);
        emit(warp, form, wide.f);
    } else if (conversion->letter == 'c') {
        snprintf(form, sizeof form, "%%%sc", conversion->flags);
        emit(warp, form, (int)(unsigned char)value);
    } else if (conversion->letter == 'p') {
        emit(warp, "%p", (void *)(uintptr_t)value);
    } else {
        int64_t whole = conversion->is_wide ? (int64_t)value : (int32_t)(uint32_t)value;
        snprintf(form, sizeof form, "%%%sll%c", conversion->flags, conversion->letter);
        if (is_signed) {
            emit(warp, form, (long long)whole);
        } else {
            emit(warp, form, (unsigned long long)(conversion->is_wide ? value : (uint32_t)value));
        }
    }
}

/* printf's arguments: the next one's address, and how many were taken. */
struct arguments {
    uint64_t at;
    uint32_t n;
};

/* Takes the next argument. */
static bool take(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane,
                 uint32_t bytes, struct arguments *arguments, uint64_t *value)
{
    uint64_t at = (arguments->at + bytes - 1) & ~(uint64_t)(bytes - 1);
    *value = 0;
    arguments->at = at + bytes;
    arguments->n++;
    return read_bytes(warp, step, lane, at, value, bytes);
}

/* Puts arguments where the width and the precision are '*'. A negative width is a '-' before it, as is; a
 * negative precision none. */
static bool fill_stars(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane,
                       struct conversion *conversion, struct arguments *arguments)
{
    char *star;
    while ((star = strchr(conversion->flags, '*')) != NULL) {
        char rest[sizeof conversion->flags];
        uint64_t value;
        if (!take(warp, step, lane, 4, arguments, &value)) {
            return false;
        }
        int32_t number = (int32_t)(uint32_t)value;
        bool is_precision = star > conversion->flags && star[-1] == '.';
        strcpy(rest, star + 1);
        star -= is_precision && number < 0;
        *star = '\0';
        size_t used = strlen(conversion->flags), room = sizeof conversion->flags - used;
        int n = is_precision && number < 0 ? snprintf(star, room, "%s", rest)
                                           : snprintf(star, room, "%" PRId32 "%s", number, rest);
        if (n < 0 || (size_t)n >= room) { /* more than two: none of C's */
            conversion->flags[0] = '\0';
        }
    }
    return true;
}

/* Prints the next argument. */
static bool print_argument(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                           uint32_t lane, struct conversion *conversion,
                           struct arguments *arguments)
{
    char text[TEXT_SIZE], form[48];
    uint64_t value;
    if (!fill_stars(warp, step, lane, conversion, arguments) ||
        !take(warp, step, lane, conversion->is_wide ? 8 : 4, arguments, &value)) {
        return false;
    }
    if (conversion->letter != 's') {
        print_number(warp, conversion, value);
        return true;
    }
    if (!read_text(warp, step, lane, value, text)) {
        return false;
    }
    snprintf(form, sizeof form, "%%%ss", conversion->flags);
    emit(warp, form, text);
    return true;
}

/* *result: how many arguments it took, or -1 without a text (CUDA C++ guide, "Formatted Output"). */
static bool print(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane,
                  int32_t *result)
{
    char text[TEXT_SIZE];
    uint64_t form = parameter(warp, step, lane, 0, 8);
    struct arguments arguments = {.at = parameter(warp, step, lane, 1, 8)};
    *result = -1;
    if (form == 0) {
        return true;
    }
    if (!read_text(warp, step, lane, form, text)) {
        return false;
    }
    for (const char *p = text; *p != '\0';) {
        struct conversion conversion;
        const char *end = *p == '%' ? read_conversion(p + 1, &conversion) : NULL;
        if (end == NULL) {
            p += p[0] == '%' && p[1] == '%';
            emit(warp, "%c", *p++);
        } else if (!print_argument(warp, step, lane, &conversion, &arguments)) {
            return false;
        } else {
            p = end;
        }
    }
    *result = (int32_t)arguments.n;
    return true;
}

static void run_printf(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    if (bsim_ptx_gives_up(warp->block)) {
        return;
    }
    for (uint32_t l = 0; l < LANES; l++) {
        if (warp->mask >> l & 1) {
            int32_t result;
            if (!print(warp, step, l, &result)) {
                return;
            }
            give(warp, step, l, (uint32_t)result, 4);
        }
    }
}

/* ---- the others ------------------------------------------------------------------------------ */

/* __assertfail(message, file, line, function, size of a character). */
static void run_assertion(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    char message[TEXT_SIZE] = "", file[TEXT_SIZE] = "";
    uint32_t lane = bsim_bits_lowest(warp->mask);
    if (read_text(warp, step, lane, parameter(warp, step, lane, 0, 8), message) &&
        read_text(warp, step, lane, parameter(warp, step, lane, 1, 8), file)) {
        bsim_ptx_fault_as(warp, step, lane, BSIM_PTX_ASSERTED,
                          "assertion '%.120s' failed (%.80s:%u)", message, file,
                          (unsigned)parameter(warp, step, lane, 2, 4));
    }
}

/* NULL where it does not go into what the launch has for its kernels' allocations, as on the GPU, which keeps some
 * of that for itself: it may give NULL a little earlier. */
static uint64_t allocate(struct bsim_ptx_block *block, uint64_t size)
{
    uint64_t start = bsim_ptx_memory_end(block->memory, HEAP);
    start = (start + HEAP_ALIGNMENT - 1) / HEAP_ALIGNMENT * HEAP_ALIGNMENT;
    bool has_room = size <= block->heap_bytes - bsim_ptx_memory_heap(block->memory);
    uint64_t words = BSIM_PTX_NOTE_BYTES(size);
    unsigned char *data = size == 0 || !has_room ? NULL : bsim_mem_zeroed(size + words, 1);
    struct bsim_ptx_piece piece = {.start = start,
                                   .size = size,
                                   .data = data,
                                   .written = data != NULL ? data + size : NULL,
                                   .name = "the kernel's malloc",
                                   .is_kernels = true};
    memset(block->found, 0, sizeof block->found);
    return data != NULL && bsim_ptx_memory_add(block->memory, &piece, true) ? start : 0;
}

static void run_malloc(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    if (bsim_ptx_gives_up(warp->block)) {
        return;
    }
    for (uint32_t l = 0; l < LANES; l++) {
        if (warp->mask >> l & 1) {
            give(warp, step, l, allocate(warp->block, parameter(warp, step, l, 0, 8)), 8);
        }
    }
}

static void run_free(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    if (bsim_ptx_gives_up(warp->block)) {
        return;
    }
    for (uint32_t l = 0; l < LANES; l++) {
        uint64_t address = warp->mask >> l & 1 ? parameter(warp, step, l, 0, 8) : 0;
        memset(warp->block->found, 0, sizeof warp->block->found);
        if (address != 0 && !bsim_ptx_memory_release(warp->block->memory, address)) {
            bsim_ptx_fault(warp, step, l, "free of 0x%" PRIx64 ", where no allocation begins",
                           address);
            return;
        }
    }
}

bsim_ptx_run *bsim_ptx_find_system(const char *name)
{
    static const struct {
        const char *name;
        bsim_ptx_run *run;
    } functions[] = {{"vprintf", run_printf},
                     {"__assertfail", run_assertion},
                     {"malloc", run_malloc},
                     {"free", run_free}};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].name, name) == 0) {
            return functions[i].run;
        }
    }
    return NULL;
}

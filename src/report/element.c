/* element.c - what a byte of a shared array is called, and what a request's lanes access in it. */
#include "report/element.h"

#include "report/plain.h"
#include "base/bits.h"

#include <inttypes.h>

enum { SHOWN_NAME = 60 };

static void put_name(const struct bsim_check_array *array, struct bsim_buffer *out)
{
    char name[SHOWN_NAME * 4];
    bsim_buffer_text(out, bsim_plain(array->name, SHOWN_NAME, name, sizeof name));
}

void bsim_array_text(const struct bsim_check_array *array, const char *plane,
                     struct bsim_buffer *out)
{
    put_name(array, out);
    for (uint32_t d = 0; d < array->n_dimensions && array->element != NULL; d++) {
        if (array->dimension[d] > 0) {
            bsim_buffer_printf(out, "[%" PRIu32 "]", array->dimension[d]);
        } else {
            bsim_buffer_text(out, "[]");
        }
    }
    bsim_buffer_text(out, plane);
    if (array->layout_text != NULL) {
        bsim_buffer_printf(out, " %s", array->layout_text);
    }
}

/* Of some bytes, from the least to the greatest: indices, and bytes within an element. */
struct reach {
    uint32_t least[BSIM_CHECK_MAX_DIMENSIONS], most[BSIM_CHECK_MAX_DIMENSIONS];
    uint32_t least_within, most_within;
};

static void add(uint32_t value, uint32_t *least, uint32_t *most)
{
    *least = value < *least ? value : *least;
    *most = value > *most ? value : *most;
}

/* Takes in the element that has the byte. */
static void reach(const struct bsim_check_array *array, uint32_t offset, struct reach *reach)
{
    uint32_t i = offset / array->element_bytes;
    for (uint32_t d = array->n_dimensions; d-- > 0;) {
        uint32_t size = d > 0 ? array->dimension[d] : UINT32_MAX;
        add(i % size, &reach->least[d], &reach->most[d]);
        i /= size;
    }
}

static struct reach nowhere(void)
{
    struct reach none = {.least_within = UINT32_MAX};
    for (uint32_t d = 0; d < BSIM_CHECK_MAX_DIMENSIONS; d++) {
        none.least[d] = UINT32_MAX;
    }
    return none;
}

static void put_range(const char *before, uint32_t least, uint32_t most, const char *behind,
                      struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "%s%" PRIu32, before, least);
    if (most > least) {
        bsim_buffer_printf(out, "-%" PRIu32, most);
    }
    bsim_buffer_text(out, behind);
}

static void put(const struct bsim_check_array *array, const struct reach *reach,
                struct bsim_buffer *out)
{
    put_name(array, out);
    for (uint32_t d = 0; d < array->n_dimensions && array->element != NULL; d++) {
        put_range("[", reach->least[d], reach->most[d], "]", out);
    }
    if (array->element == NULL) {
        put_range("+", reach->least[0], reach->most[0], "", out);
    } else if (reach->most_within > 0) {
        put_range("+", reach->least_within, reach->most_within, "", out);
    }
}

void bsim_element_text(const struct bsim_check_array *array, uint32_t offset,
                       struct bsim_buffer *out)
{
    struct reach at = nowhere();
    reach(array, offset, &at);
    add(offset % array->element_bytes, &at.least_within, &at.most_within);
    put(array, &at, out);
}

/* Those of the lanes that access the array that the first of them does; returns these. */
static uint32_t put_first(const struct bsim_check *check, const struct bsim_check_request *request,
                          uint32_t lanes, struct bsim_buffer *out)
{
    uint32_t array = request->array[bsim_bits_lowest(lanes)];
    const struct bsim_check_array *of = &bsim_check_contents(check)->array[array];
    struct reach all = nowhere();
    uint32_t its = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) != 0 && request->array[lane] == array) {
            its |= UINT32_C(1) << lane;
            reach(of, request->offset[lane], &all);
            reach(of, request->offset[lane] + request->opcode.bytes - 1, &all);
            add(request->offset[lane] % of->element_bytes, &all.least_within, &all.most_within);
        }
    }
    put(of, &all, out);
    return its;
}

void bsim_elements_text(const struct bsim_check *check, const struct bsim_check_request *request,
                        struct bsim_buffer *out)
{
    for (uint32_t lanes = request->lanes; lanes != 0;) {
        bsim_buffer_text(out, lanes != request->lanes ? ", " : "");
        lanes &= ~put_first(check, request, lanes, out);
    }
}

/* page_arrays.c - the shared arrays that a kernel declares, for the page's array.js, which draws them:
 *
 *     {"name", "title", "known", "offset", "each", "n", "bytes", "dimensions", "places"}
 *
 * n is 0 of an array of unknown size. known: its elements are declared. places, of an array with a layout
 * alone, has the byte at which each element lies: how much the step from the one before differs from the
 * step before that, packed as in pattern.c.
 */
#include "report/page/page.h"

#include "layout/place.h"
#include "report/element.h"
#include "report/json.h"
#include "report/page/survey.h"
#include "report/plain.h"

#include <inttypes.h>

/* Choices: a page's array has a cell for each, and a layout some bytes. */
enum { SHOWN_NAME = 60, MOST_PLACES = 16384 };

static void add_places(const struct bsim_check_array *array, uint32_t n, struct bsim_buffer *out)
{
    int64_t place = 0, step = 0;
    bsim_buffer_text(out, ", \"places\": \"");
    for (uint32_t i = 0; i < n; i++) {
        uint32_t mapped = 0;
        (void)bsim_array_map(array, i * array->element_bytes, array->element_bytes, &mapped);
        int64_t next = (int64_t)mapped - place;
        bsim_pack_signed(next - step, out);
        place = mapped;
        step = next;
    }
    bsim_buffer_text(out, "\"");
}

static void add_array(const struct bsim_check_array *array, struct bsim_buffer *out)
{
    char name[SHOWN_NAME * 4];
    struct bsim_buffer title = BSIM_BUFFER_EMPTY;
    uint32_t n = array->size_bytes / array->element_bytes;
    bsim_array_text(array, "", &title);
    bsim_buffer_text(out, "{\"name\": ");
    bsim_json_string(bsim_plain(array->name, SHOWN_NAME, name, sizeof name), out);
    bsim_buffer_text(out, ", \"title\": ");
    bsim_json_string(title.data != NULL ? title.data : "", out);
    bsim_buffer_printf(out,
                       ", \"known\": %s, \"offset\": %" PRIu32 ", \"each\": %" PRIu32
                       ", \"n\": %" PRIu32 ", \"bytes\": %" PRIu32 ", \"dimensions\": [",
                       array->element != NULL ? "true" : "false", array->offset_bytes,
                       array->element_bytes, n, array->laid_bytes);
    for (uint32_t d = 0; d < array->n_dimensions; d++) {
        bsim_buffer_printf(out, "%s%" PRIu32, d > 0 ? ", " : "", array->dimension[d]);
    }
    bsim_buffer_text(out, "]");
    if (array->n_layouts > 0) {
        add_places(array, n, out);
    }
    bsim_buffer_text(out, "}");
    out->failed = out->failed || title.failed;
    bsim_buffer_free(&title);
}

/* A layout of an open array has no end, and a large one too many places. */
static bool is_drawn(const struct bsim_check_array *array)
{
    uint32_t n = array->size_bytes / array->element_bytes;
    return array->n_layouts == 0 || (n > 0 && n <= MOST_PLACES);
}

void bsim_page_arrays(const struct bsim_kernel_result *result, struct bsim_buffer *out)
{
    struct bsim_kernel kernel = {.name = result->name,
                                 .extras = result->extras != NULL ? result->extras : ""};
    struct bsim_check *check;
    const char *separator = "";
    out->failed |= bsim_check_declared(&kernel, &check, NULL) == BSIM_E_MEMORY;
    if (check == NULL) {
        return; /* nothing that can be read: a run refuses that, a caller's own result may have it */
    }
    const struct bsim_check_contents *contents = bsim_check_contents(check);
    bsim_buffer_text(out, ", \"arrays\": [");
    for (size_t i = 0; i < contents->n_arrays; i++) {
        if (is_drawn(&contents->array[i])) {
            bsim_buffer_text(out, separator);
            add_array(&contents->array[i], out);
            separator = ", ";
        }
    }
    bsim_buffer_text(out, "]");
    bsim_check_free(check);
}

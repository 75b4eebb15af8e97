/* advise_recorded.c - what is told of advice on a recorded kernel: which it was, and what a trace leaves
 * open. It has addresses: no names but those of a launch in PTX, no rows and columns, no indices. */
#include "report/advise_recorded.h"

#include "report/basis.h"
#include "report/plain.h"

#include <banksim/banksim.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_ACCESS = 60, SHOWN_KERNEL = 100, SHOWN_NAMES = 100 };

void bsim_advice_op(const struct bsim_check *check, size_t access, struct bsim_buffer *out)
{
    const struct bsim_check_access *shown = &bsim_check_contents(check)->access[access];
    char text[SHOWN_ACCESS * 4];
    bsim_buffer_printf(out, "%s %s", shown->op,
                       bsim_plain(shown->text, SHOWN_ACCESS, text, sizeof text));
}

void bsim_advice_arrays(const struct bsim_check *check, const struct bsim_advice *advice,
                        size_t access, char out[BSIM_CELL_SIZE])
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < advice->n_arrays && used < BSIM_CELL_SIZE; i++) {
        if (advice->touches[access * advice->n_arrays + i]) {
            used +=
                (size_t)snprintf(out + used, BSIM_CELL_SIZE - used, "%s%.40s", used > 0 ? ", " : "",
                                 bsim_check_contents(check)->array[i].name);
        }
    }
}

bool bsim_advice_pads_rows(const struct bsim_check *check, const struct bsim_check_array *array,
                           const struct bsim_layout *layout)
{
    return bsim_check_contents(check)->recorded != NULL && array->n_dimensions == 1 &&
           layout->kind == BSIM_LAYOUT_PAD && layout->pad > 0;
}

/* "transpose(float *): 2 launches, 1024 requests to shared memory" */
void bsim_advice_kernel(const struct bsim_check *check, struct bsim_buffer *out)
{
    const struct bsim_recorded *recorded = bsim_check_contents(check)->recorded;
    char name[SHOWN_KERNEL * 4];
    bsim_buffer_printf(out, "%s: %" PRIu64 " launch%s, %" PRIu64 " request%s to shared memory\n\n",
                       bsim_plain_kernel(recorded->kernel->name, SHOWN_KERNEL, name, sizeof name),
                       recorded->n_launches, recorded->n_launches == 1 ? "" : "es",
                       recorded->n_requests, recorded->n_requests == 1 ? "" : "s");
}

static void add_samples(const struct bsim_check *check, struct bsim_buffer *out)
{
    for (size_t i = 0; i < bsim_check_contents(check)->n_accesses; i++) {
        uint32_t one_in = bsim_check_contents(check)->access[i].one_in;
        if (one_in > 1) {
            bsim_advice_op(check, i, out);
            bsim_buffer_printf(out,
                               ": one in %" PRIu32 " of its different requests"
                               " was looked at: its numbers are estimates.\n",
                               one_in);
        }
    }
}

/* The first array that some plan lays out anew; n_arrays: there is none. */
static size_t find_laid_out(const struct bsim_advice *advice)
{
    for (size_t array = 0; array < advice->n_arrays; array++) {
        for (size_t i = 0; i < advice->n_plans; i++) {
            if (advice->plan[i].layout[array].kind != BSIM_LAYOUT_AS_IS) {
                return array;
            }
        }
    }
    return advice->n_arrays;
}

/* Where the trace names its arrays, or NULL: "a@0:1024+b@1024". */
static const char *find_names(const char *extras)
{
    static const char key[] = "x-shared=";
    const char *at = extras;
    while (at != NULL && *at != '\0' && strncmp(at, key, sizeof key - 1) != 0) {
        at += strcspn(at, " ");
        at += *at == ' ';
    }
    return at != NULL && *at != '\0' ? at + sizeof key - 1 : NULL;
}

static bool is_named(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names; *at != '\0' && *at != ' '; at += *at == '+') {
        if (strncmp(at, name, length) == 0 && at[length] == '@') {
            return true;
        }
        at += strcspn(at, "+ ");
    }
    return false;
}

/* Of declared arrays the trace knows all names or none (recorded.c). */
static void add_strangers(const struct bsim_check *check, const struct bsim_advice *advice,
                          struct bsim_buffer *out)
{
    const char *names = find_names(bsim_check_contents(check)->recorded->kernel->extras);
    const struct bsim_check_array *array = bsim_check_contents(check)->array;
    char copy[SHOWN_NAMES * 4], text[SHOWN_NAMES * 4];
    if (names == NULL || advice->n_arrays == 0 || array[0].is_joined || is_named(names, array[0].name) ||
        strncmp(array[0].name, "smem", 4) == 0) {
        return;
    }
    (void)snprintf(copy, sizeof copy, "%.*s", (int)strcspn(names, " "), names);
    bsim_buffer_printf(
        out,
        "The trace has no %.40s, but %s (name@byte:bytes): what is declared was laid "
        "one behind the other, from byte 0.\n",
        array[0].name, bsim_plain(copy, SHOWN_NAMES, text, sizeof text));
}

void bsim_advice_recorded(const struct bsim_check *check, const struct bsim_advice *advice,
                          struct bsim_buffer *out)
{
    size_t i = find_laid_out(advice);
    const struct bsim_check_array *array = &bsim_check_contents(check)->array[i];
    add_samples(check, out);
    add_strangers(check, advice, out);
    if (i == advice->n_arrays) {
        return;
    }
    if (array->n_dimensions > 1) {
        bsim_buffer_printf(out,
                           "A trace has addresses, not indices: what counts through all of %s by "
                           "itself has to change, too.\n",
                           array->name);
    } else if (strncmp(array->name, "smem", 4) == 0) {
        bsim_buffer_printf(out,
                           "The trace does not name the kernel's arrays, of which %s is one or "
                           "several: declare all of them, as in --shared 'float As[16][16], "
                           "Bs[16][16]'.\n",
                           array->name);
    } else {
        bsim_buffer_printf(out,
                           "i counts through all of %s: with its declaration, --shared '%s "
                           "%s[ROWS][COLUMNS]', layouts come by rows and columns.\n",
                           array->name, array->element, array->name);
    }
}

void bsim_advice_rests(const struct bsim_check *check, const struct bsim_advice *advice,
                       struct bsim_buffer *out)
{
    const struct bsim_kernel *recorded = bsim_check_contents(check)->recorded->kernel;
    struct bsim_kernel_result kernel = {.name = (char *)(uintptr_t)recorded->name,
                                        .extras = (char *)(uintptr_t)recorded->extras,
                                        .timed.is_timed = advice->before.cycles > 0};
    struct bsim_result result = {.n_kernels = 1, .kernels = &kernel};
    bsim_rests_text(&result, out);
}

/* remedy.c - an advice as a sentence for one access:
 *
 *     Write tile[y][x ^ y] for tile[y][x], or declare __shared__ float tile[32][33]: 32 wavefronts
 *     instead of 1024 for its 32 requests
 *
 * or why there is none. A hint names every declaration that it needs, also that of another array
 * which would otherwise lie misaligned behind one that grew, and the index by an element's number where an
 * access counts so.
 */
#include "advise/remedy.h"

#include <inttypes.h>

/* What the sentence is about. */
struct remedy {
    const struct bsim_check *check;
    const struct bsim_advice *advice;
    size_t access;
    struct bsim_buffer *out;
};

static const char *wavefronts_word(const struct bsim_advice *advice, uint64_t n)
{
    if (advice->device.replays) {
        return n == 1 ? "pass" : "passes";
    }
    return n == 1 ? "wavefront" : "wavefronts";
}

/* ---- a plan -------------------------------------------------------------------------------- */

/* The declaration does it, and no index by rows and columns changes. */
static bool keeps_rows(const struct bsim_check_array *array, const struct bsim_layout *layout)
{
    return layout->kind == BSIM_LAYOUT_AS_IS ||
           (layout->kind == BSIM_LAYOUT_PAD && layout->pad == 0) ||
           (layout->kind == BSIM_LAYOUT_PAD && array->n_dimensions >= 2 &&
            layout->row == array->dimension[array->n_dimensions - 1]);
}

/* Nor one by the element's number. */
static bool only_declares(const struct remedy *remedy, const struct bsim_advice_plan *plan,
                          size_t index)
{
    const struct bsim_layout *layout = &plan->layout[index];
    return keeps_rows(&bsim_check_contents(remedy->check)->array[index], layout) &&
           (remedy->advice->flat[index] == BSIM_ADVISE_NO_FLAT ||
            layout->kind == BSIM_LAYOUT_AS_IS || (layout->pad == 0 && layout->plane_pad == 0));
}

static bool all_declare(const struct remedy *remedy, const struct bsim_advice_plan *plan)
{
    for (size_t i = 0; i < remedy->advice->n_arrays; i++) {
        if (!only_declares(remedy, plan, i)) {
            return false;
        }
    }
    return true;
}

/* A plan that is as good without a new index, or NULL. */
static const struct bsim_advice_plan *as_declaration(const struct remedy *remedy)
{
    const struct bsim_advice_hint *hint = &remedy->advice->hint[remedy->access];
    for (size_t i = 1; i < hint->n_plans; i++) {
        const struct bsim_advice_plan *plan = &hint->plan[i];
        if (plan->total.wavefronts == hint->plan[0].total.wavefronts &&
            plan->access[remedy->access].wavefronts ==
                hint->plan[0].access[remedy->access].wavefronts &&
            all_declare(remedy, plan)) {
            return plan;
        }
    }
    return NULL;
}

/* Of an extern array, with how many elements the launch has to provide. */
static void add_declaration(const struct remedy *remedy, const struct bsim_advice_plan *plan,
                            size_t index)
{
    const struct bsim_check_array *array = &bsim_check_contents(remedy->check)->array[index];
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    bsim_layout_declaration(array, &plan->layout[index], plan->alignment[index],
                            plan->n_elements[index], &text);
    for (size_t i = 0; i < text.size_bytes && text.data[i] != ';'; i++) {
        bsim_buffer_add(remedy->out, &text.data[i], 1);
    }
    if (array->is_extern) {
        bsim_buffer_printf(remedy->out, " of %" PRIu32 " elements", plan->n_elements[index]);
    }
    remedy->out->failed = remedy->out->failed || text.failed;
    bsim_buffer_free(&text);
}

/* Whether some access to the array has rows and columns. */
static bool has_rows(const struct bsim_advice *advice, size_t index)
{
    for (size_t i = 0; i < advice->n_accesses; i++) {
        if (advice->touches[i * advice->n_arrays + index] && !advice->shape[i].is_flat) {
            return true;
        }
    }
    return false;
}

/* "tile[y][x ^ y] for tile[y][x]", perhaps with ", where ...": then it answers true. */
static bool add_row_index(const struct bsim_check_array *array, const struct bsim_layout *layout,
                          struct bsim_buffer *out)
{
    struct bsim_buffer linear = BSIM_BUFFER_EMPTY;
    bsim_layout_spell(BSIM_LAYOUT_INDEX, array, layout, out);
    bsim_buffer_text(out, " for ");
    bsim_layout_spell(BSIM_LAYOUT_ELEMENT, array, layout, out);
    bsim_layout_spell(BSIM_LAYOUT_LINEAR, array, layout, &linear);
    bool has_where = linear.size_bytes > 0;
    if (has_where) {
        bsim_buffer_printf(out, ", where %s", linear.data);
    }
    out->failed = out->failed || linear.failed;
    bsim_buffer_free(&linear);
    return has_where;
}

/* That, and "(&tile[0][0])[e ^ (e >> 5 & 31)] for (&tile[0][0])[e]", as the accesses need it. */
static bool add_index(const struct remedy *remedy, const struct bsim_advice_plan *plan,
                      size_t index)
{
    const struct bsim_check_array *array = &bsim_check_contents(remedy->check)->array[index];
    const struct bsim_layout *layout = &plan->layout[index];
    bool is_flat = remedy->advice->flat[index] != BSIM_ADVISE_NO_FLAT;
    bool has_where = false;
    if (!keeps_rows(array, layout) && has_rows(remedy->advice, index)) {
        has_where = add_row_index(array, layout, remedy->out);
        bsim_buffer_text(remedy->out, is_flat ? " and " : "");
    }
    if (is_flat) {
        bsim_layout_flat(array, layout, remedy->out);
        has_where = layout->kind == BSIM_LAYOUT_PAD_XOR;
    }
    return has_where;
}

/* An array that is written otherwise needs another declaration if it grows, if its own does not
 * promise where it begins, or if that has a layout, which then goes. */
static bool needs_declaration(const struct remedy *remedy, const struct bsim_advice_plan *plan,
                              size_t index)
{
    const struct bsim_check_array *array = &bsim_check_contents(remedy->check)->array[index];
    return plan->n_elements[index] != remedy->advice->before.n_elements[index] ||
           plan->alignment[index] > array->alignment || array->n_layouts > 0;
}

/* "Write ... for ... in ... and declare ...": all that the plan changes. */
static void add_changes(const struct remedy *remedy, const struct bsim_advice_plan *plan,
                        bool begins)
{
    const char *separator = "";
    for (size_t i = 0; i < remedy->advice->n_arrays; i++) {
        if (!plan->declares[i]) {
            continue;
        }
        bool declares = only_declares(remedy, plan, i);
        bsim_buffer_printf(remedy->out, "%s%s ", separator,
                           declares ? (begins ? "Declare" : "declare")
                                    : (begins ? "Write" : "write"));
        bool has_where = false;
        if (!declares) {
            has_where = add_index(remedy, plan, i);
        }
        if (declares || needs_declaration(remedy, plan, i)) {
            bsim_buffer_text(remedy->out, declares ? "" : has_where ? ", in " : " in ");
            add_declaration(remedy, plan, i);
        }
        separator = " and ";
        begins = false;
    }
}

/* Of arrays that are declared with a layout. */
static void add_replaced(const struct remedy *remedy, const struct bsim_advice_plan *plan)
{
    for (size_t i = 0; i < remedy->advice->n_arrays; i++) {
        const struct bsim_check_array *array = &bsim_check_contents(remedy->check)->array[i];
        if (plan->layout[i].kind != BSIM_LAYOUT_AS_IS && array->layout_text != NULL) {
            bsim_buffer_printf(remedy->out, ", in place of %s", array->layout_text);
        }
    }
}

static void add_hint(const struct remedy *remedy)
{
    const struct bsim_advice *advice = remedy->advice;
    const struct bsim_advice_plan *plan = advice->hint[remedy->access].plan;
    uint64_t wavefronts = plan->access[remedy->access].wavefronts;
    uint64_t requests = advice->access[remedy->access].requests;
    add_changes(remedy, plan, true);
    if (!all_declare(remedy, plan)) {
        const struct bsim_advice_plan *other = as_declaration(remedy);
        if (other != NULL) {
            bsim_buffer_text(remedy->out, ", or ");
            add_changes(remedy, other, false);
        }
    }
    add_replaced(remedy, plan);
    bsim_buffer_printf(
        remedy->out, ": %" PRIu64 " %s instead of %" PRIu64 " for its %" PRIu64 " request%s",
        wavefronts, wavefronts_word(advice, wavefronts),
        advice->before.access[remedy->access].wavefronts, requests, requests == 1 ? "" : "s");
    if (bsim_check_contents(remedy->check)->recorded != NULL) { /* that of nvcc's code, which another index changes */
        bsim_buffer_printf(remedy->out, ", if %s merged as now; not tried in the kernel",
                           requests == 1 ? "that stays" : "these stay");
    }
}

void bsim_advice_changes(const struct bsim_check *check, const struct bsim_advice *advice,
                         const struct bsim_advice_plan *plan, bool begins, struct bsim_buffer *out)
{
    const struct remedy remedy = {.check = check, .advice = advice, .out = out};
    add_changes(&remedy, plan, begins);
    add_replaced(&remedy, plan);
}

/* ---- why there is none --------------------------------------------------------------------- */

/* "of s", "of a and b": the arrays that the access touches. *tried: together what was tried. */
static void add_arrays(const struct remedy *remedy, struct bsim_advice_tried *tried,
                       struct bsim_buffer *out)
{
    const struct bsim_advice *advice = remedy->advice;
    const char *separator = "of ";
    *tried = (struct bsim_advice_tried){0, 0, 0};
    for (size_t i = 0; i < advice->n_arrays; i++) {
        if (advice->touches[remedy->access * advice->n_arrays + i]) {
            bsim_buffer_printf(out, "%s%s", separator,
                               bsim_check_contents(remedy->check)->array[i].name);
            tried->n_layouts += advice->tried[i].n_layouts;
            tried->n_patterns += advice->tried[i].n_patterns;
            tried->n_sampled += advice->tried[i].n_sampled;
            separator = " and ";
        }
    }
}

static void add_none(const struct remedy *remedy)
{
    struct bsim_buffer arrays = BSIM_BUFFER_EMPTY;
    struct bsim_advice_tried tried;
    add_arrays(remedy, &tried, &arrays);
    const char *name = arrays.data != NULL ? arrays.data : "";
    bool is_helped = remedy->advice->shape[remedy->access].is_helped;
    if (tried.n_layouts == 0) {
        bsim_buffer_printf(remedy->out, "No padding or XOR swizzle %s can be tried", name);
    } else {
        bsim_buffer_printf(
            remedy->out, "None of %zu paddings and XOR swizzles %s helps%s", tried.n_layouts, name,
            is_helped && remedy->advice->n_accesses > 1 ? " without making another access worse"
                                                        : "");
    }
    if (tried.n_sampled < tried.n_patterns) {
        bsim_buffer_printf(remedy->out,
                           " in a sample of %" PRIu64 " of %" PRIu64
                           " different requests: 'banksim advise' takes all",
                           tried.n_sampled, tried.n_patterns);
    }
    remedy->out->failed = remedy->out->failed || arrays.failed;
    bsim_buffer_free(&arrays);
}

/* "This is load t[i * 32] with pad 1 every 32 of t already, ..." */
static void add_twin(const struct remedy *remedy)
{
    const struct bsim_advice_shape *shape = &remedy->advice->shape[remedy->access];
    const struct bsim_check_access *twin = &bsim_check_contents(remedy->check)->access[shape->twin];
    size_t array = 0;
    while (!remedy->advice->touches[remedy->access * remedy->advice->n_arrays + array]) {
        array++;
    }
    if (shape->is_after) {
        bsim_buffer_printf(remedy->out, "This is %s %s with ", twin->op, twin->text);
    } else {
        bsim_buffer_printf(remedy->out, "%s %s is this with ", twin->op, twin->text);
    }
    bsim_layout_spell(BSIM_LAYOUT_NAME, &bsim_check_contents(remedy->check)->array[array],
                      &shape->remedy, remedy->out);
    bsim_buffer_printf(remedy->out,
                       " of %s: check the old and the new index apart, or, if the kernel has "
                       "both, ask 'banksim advise'",
                       bsim_check_contents(remedy->check)->array[array].name);
}

static bool is_atomic(const struct remedy *remedy)
{
    return bsim_opcode_is_atomic(
        &bsim_check_contents(remedy->check)->access[remedy->access].opcode);
}

static void add_least(const struct remedy *remedy)
{
    uint64_t least = remedy->advice->access[remedy->access].least;
    bsim_buffer_printf(remedy->out,
                       "No layout helps: wherever the data lie, it takes %" PRIu64 " %s%s", least,
                       wavefronts_word(remedy->advice, least),
                       is_atomic(remedy) ? ". Lanes that update one address take turns" : "");
}

static void add_irregular(const struct remedy *remedy)
{
    bsim_buffer_text(remedy->out,
                     "Its index is irregular, as a hash or a table is: a layout fitted to these "
                     "values of it would suit no others, so none was looked for");
}

/* A tile that it touches; n_arrays: none. */
static size_t find_tile(const struct remedy *remedy)
{
    const struct bsim_advice *advice = remedy->advice;
    size_t i = 0;
    while (i < advice->n_arrays && !(advice->touches[remedy->access * advice->n_arrays + i] &&
                                     bsim_check_contents(remedy->check)->array[i].is_tile)) {
        i++;
    }
    return i;
}

static void add_tile(const struct remedy *remedy, size_t array)
{
    bsim_buffer_printf(remedy->out,
                       "%s has the layout of TMA's map or wgmma's descriptor, 32B, 64B, 128B or no swizzle: "
                       "'banksim show --tma' tells which one its readers want",
                       bsim_check_contents(remedy->check)->array[array].name);
}

static void add_remedy(const struct bsim_check *check, const struct bsim_advice *advice,
                       size_t access, struct bsim_buffer *out)
{
    const struct remedy remedy = {check, advice, access, out};
    const struct bsim_advice_cost *before = &advice->before.access[access];
    if (before->conflicts == 0) {
        return;
    }
    if (advice->hint[access].n_plans > 0) {
        add_hint(&remedy);
    } else if (before->wavefronts == advice->access[access].least) {
        add_least(&remedy);
    } else if (find_tile(&remedy) < advice->n_arrays) {
        add_tile(&remedy, find_tile(&remedy));
    } else if (advice->shape[access].twin != BSIM_ADVISE_NO_TWIN) {
        add_twin(&remedy);
    } else if (advice->shape[access].is_irregular) {
        add_irregular(&remedy);
    } else {
        add_none(&remedy);
    }
}

static bool has_conflicts_at(const struct bsim_advice *advice, size_t access, size_t array)
{
    return advice->touches[access * advice->n_arrays + array] &&
           advice->before.access[access].conflicts > 0;
}

/* What arrays of structs would cost otherwise, at the first access with conflicts to each. */
static enum bsim_status add_structs(const struct bsim_check *check,
                                    const struct bsim_advice *advice, size_t access,
                                    struct bsim_buffer *out, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    for (size_t a = 0; a < advice->n_arrays && status == BSIM_OK; a++) {
        size_t first = 0;
        while (first < access && !has_conflicts_at(advice, first, a)) {
            first++;
        }
        if (first == access && has_conflicts_at(advice, access, a)) {
            status = bsim_structs_write(check, &advice->device, a, out, err);
        }
    }
    return status;
}

enum bsim_status bsim_remedies_write(const struct bsim_check *check, struct bsim_advice *advice,
                                     struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    for (size_t i = 0; i < advice->n_accesses && status == BSIM_OK; i++) {
        struct bsim_buffer *out = &advice->hint[i].remedy;
        add_remedy(check, advice, i, out);
        status = add_structs(check, advice, i, out, err);
        status = status == BSIM_OK ? bsim_buffer_status(out, err) : status;
    }
    return status;
}

/* remedy.c - an advice as one sentence for one access:
 *
 *     Write tile[y][x ^ y] for tile[y][x], or declare __shared__ float tile[32][33]: 32 wavefronts
 *     in all instead of 1024
 */
#include <banksim/advise.h>

#include <inttypes.h>

/* The declaration does it, and no index changes. */
static bool only_declares(const struct bsim_check_array *array, const struct bsim_layout *layout)
{
    return layout->kind == BSIM_LAYOUT_PAD && array->n_dimensions >= 2 &&
           layout->row == array->dimension[array->n_dimensions - 1];
}

static bool grows(const struct bsim_layout *layout)
{
    return layout->kind == BSIM_LAYOUT_PAD || layout->kind == BSIM_LAYOUT_PAD_TWICE;
}

static void add_declaration(const struct bsim_check_array *array,
                            const struct bsim_advice_plan *plan, size_t index,
                            struct bsim_buffer *out)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    bsim_layout_declaration(array, &plan->layout[index], plan->alignment[index],
                            plan->n_elements[index], &text);
    for (size_t i = 0; i < text.size_bytes && text.data[i] != ';'; i++) {
        bsim_buffer_add(out, &text.data[i], 1);
    }
    out->failed = out->failed || text.failed;
    bsim_buffer_free(&text);
}

static void add_index(const struct bsim_check_array *array, const struct bsim_layout *layout,
                      struct bsim_buffer *out)
{
    static const struct bsim_layout none = {.kind = BSIM_LAYOUT_AS_IS};
    struct bsim_buffer linear = BSIM_BUFFER_EMPTY;
    bsim_layout_index(array, layout, out);
    bsim_buffer_text(out, " for ");
    bsim_layout_index(array, &none, out);
    bsim_layout_linear(array, layout, &linear);
    if (linear.size_bytes > 0) {
        bsim_buffer_printf(out, ", where %s", linear.data);
    }
    out->failed = out->failed || linear.failed;
    bsim_buffer_free(&linear);
}

static bool changes(const struct bsim_advice *advice, const struct bsim_advice_plan *plan,
                    size_t access, size_t array)
{
    return advice->touches[access * advice->n_arrays + array] &&
           plan->layout[array].kind != BSIM_LAYOUT_AS_IS;
}

static bool all_declare(const struct bsim_check *check, const struct bsim_advice *advice,
                        const struct bsim_advice_plan *plan, size_t access)
{
    for (size_t i = 0; i < advice->n_arrays; i++) {
        if (changes(advice, plan, access, i) &&
            !only_declares(bsim_check_array(check, i), &plan->layout[i])) {
            return false;
        }
    }
    return true;
}

/* A plan that is as good without a new index, or NULL. */
static const struct bsim_advice_plan *as_declaration(const struct bsim_check *check,
                                                     const struct bsim_advice *advice,
                                                     size_t access)
{
    for (size_t i = 1; i < advice->n_plans; i++) {
        const struct bsim_advice_plan *plan = &advice->plan[i];
        if (plan->total.wavefronts == advice->plan[0].total.wavefronts &&
            plan->access[access].wavefronts == advice->plan[0].access[access].wavefronts &&
            all_declare(check, advice, plan, access)) {
            return plan;
        }
    }
    return NULL;
}

/* "Write ... for ..., declare ...": what the plan changes of the arrays of the access. */
static void add_changes(const struct bsim_check *check, const struct bsim_advice *advice,
                        const struct bsim_advice_plan *plan, size_t access, bool begins,
                        struct bsim_buffer *out)
{
    const char *separator = "";
    for (size_t i = 0; i < advice->n_arrays; i++) {
        const struct bsim_check_array *array = bsim_check_array(check, i);
        if (!changes(advice, plan, access, i)) {
            continue;
        }
        bool declares = only_declares(array, &plan->layout[i]);
        bsim_buffer_printf(out, "%s%s ", separator,
                           declares ? (begins ? "Declare" : "declare")
                                    : (begins ? "Write" : "write"));
        if (!declares) {
            add_index(array, &plan->layout[i], out);
        }
        if (declares || grows(&plan->layout[i])) {
            bsim_buffer_text(out, declares ? "" : " in ");
            add_declaration(array, plan, i, out);
        }
        separator = " and ";
        begins = false;
    }
}

void bsim_advice_remedy(const struct bsim_check *check, const struct bsim_advice *advice,
                        size_t access, struct bsim_buffer *out)
{
    const struct bsim_advice_cost *before = &advice->before.access[access];
    if (advice->n_plans == 0 || advice->plan[0].access[access].wavefronts >= before->wavefronts) {
        uint8_t family = bsim_check_access(check, access)->opcode.family;
        if (before->conflicts > 0 && family != BSIM_ATOM && family != BSIM_RED) {
            bsim_buffer_text(
                out,
                "No padding or swizzle that was tried helps it, or only at the cost of others");
        }
        return;
    }
    const struct bsim_advice_plan *plan = &advice->plan[0];
    add_changes(check, advice, plan, access, true, out);
    if (!all_declare(check, advice, plan, access)) {
        const struct bsim_advice_plan *other = as_declaration(check, advice, access);
        if (other != NULL) {
            bsim_buffer_text(out, ", or ");
            add_changes(check, advice, other, access, false, out);
        }
    }
    bsim_buffer_printf(out, ": %" PRIu64 " wavefront%s in all instead of %" PRIu64,
                       plan->access[access].wavefronts,
                       plan->access[access].wavefronts == 1 ? "" : "s", before->wavefronts);
}

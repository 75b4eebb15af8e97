/* basis.c - what a result rests on. */
#include "report/basis.h"

enum bsim_grade bsim_basis_grade(const struct bsim_device *device, uint32_t rules)
{
    enum bsim_grade worst = BSIM_MEASURED;
    for (int r = 0; r < BSIM_N_RULES; r++) {
        if ((rules >> r & 1) != 0 && device->basis[r].grade > worst) {
            worst = device->basis[r].grade;
        }
    }
    return worst;
}

/* The rules that took part in any kernel on the i-th kernel's device, or 0 if an earlier kernel had
 * the same device. */
static uint32_t rules_of_device(const struct bsim_result *result, size_t i, bool *is_first)
{
    uint32_t rules = 0;
    *is_first = true;
    for (size_t k = 0; k < result->n_kernels; k++) {
        if (bsim_device_same(&result->kernels[k].device, &result->kernels[i].device)) {
            rules |= result->kernels[k].rules;
            *is_first = *is_first && k >= i;
        }
    }
    return rules;
}

/* rules that rest on the given grade, as "a; b; c", each with its source. */
static void list_rules(const struct bsim_device *device, uint32_t rules, enum bsim_grade grade,
                       struct bsim_buffer *out)
{
    const char *separator = "";
    for (int r = 0; r < BSIM_N_RULES; r++) {
        if ((rules >> r & 1) != 0 && device->basis[r].grade == grade) {
            bsim_buffer_printf(out, "%s%s (%s)", separator, bsim_rule_name((enum bsim_rule)r),
                               device->basis[r].source);
            separator = "; ";
        }
    }
}

static void device_basis(const struct bsim_device *device, uint32_t rules, bool only_assumed,
                         struct bsim_buffer *out)
{
    enum bsim_grade grade = bsim_basis_grade(device, rules);
    if (grade == BSIM_ASSUMED) {
        bsim_buffer_printf(out, "%s rests on assumed rules: ", device->name);
        list_rules(device, rules, BSIM_ASSUMED, out);
        bsim_buffer_text(out, ".\n");
    } else if (!only_assumed) {
        bsim_buffer_printf(out, "%s rests on %s rules; 'banksim list devices' has the sources.\n",
                           device->name,
                           grade == BSIM_MEASURED ? "measured" : "measured and documented");
    }
}

static void each_basis(const struct bsim_result *result, uint32_t hidden, bool only_assumed,
                       struct bsim_buffer *out)
{
    for (size_t i = 0; i < result->n_kernels; i++) {
        bool is_first;
        uint32_t rules = rules_of_device(result, i, &is_first) & ~hidden;
        if (is_first && rules != 0) {
            device_basis(&result->kernels[i].device, rules, only_assumed, out);
        }
    }
}

void bsim_basis_text(const struct bsim_result *result, uint32_t hidden, struct bsim_buffer *out)
{
    each_basis(result, hidden, false, out);
}

void bsim_basis_assumed(const struct bsim_result *result, uint32_t hidden, struct bsim_buffer *out)
{
    each_basis(result, hidden, true, out);
}

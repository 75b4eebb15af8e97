/* basis.c - what a result rests on. */
#include "report/basis.h"
#include "model/device.h"

/* A device of the result's kernels, and the rules that took part on it. */
struct of_device {
    struct bsim_device device;
    uint32_t rules;
};

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

/* grade: the lowest of the rules, not assumed. */
static const char *words_of(const struct bsim_device *device, uint32_t rules, enum bsim_grade grade)
{
    if (grade == BSIM_MEASURED) {
        return "measured";
    }
    for (int r = 0; r < BSIM_N_RULES; r++) {
        if ((rules >> r & 1) != 0 && device->basis[r].grade == BSIM_MEASURED) {
            return "measured and documented";
        }
    }
    return "documented";
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
                           device->name, words_of(device, rules, grade));
    }
}

/* There are few devices, whatever the number of kernels. */
void bsim_basis_add(struct bsim_buffer *list, const struct bsim_kernel_result *kernel)
{
    struct of_device *device = (struct of_device *)(void *)list->data;
    size_t n = list->size_bytes / sizeof *device;
    for (size_t i = 0; i < n; i++) {
        if (bsim_device_same(&device[i].device, &kernel->device)) {
            device[i].rules |= kernel->rules;
            return;
        }
    }
    const struct of_device added = {kernel->device, kernel->rules};
    bsim_buffer_add(list, &added, sizeof added);
}

static void tell(const struct bsim_buffer *list, uint32_t hidden, bool only_assumed,
                 struct bsim_buffer *out)
{
    const struct of_device *device = (const struct of_device *)(const void *)list->data;
    for (size_t i = 0; i < list->size_bytes / sizeof *device; i++) {
        uint32_t rules = device[i].rules & ~hidden;
        if (rules != 0) {
            device_basis(&device[i].device, rules, only_assumed, out);
        }
    }
    out->failed = out->failed || list->failed;
}

/* Which counts are not exact, if some are not. */
static void tell_least(const struct bsim_buffer *list, uint32_t hidden, struct bsim_buffer *out)
{
    const struct of_device *device = (const struct of_device *)(const void *)list->data;
    uint32_t rules = 0;
    for (size_t i = 0; i < list->size_bytes / sizeof *device; i++) {
        rules |= device[i].rules & ~hidden;
    }
    if (bsim_rules_are_least(rules)) {
        bsim_buffer_text(out,
                         "Atomics on floats and most of 8 bytes are loops: their counts are what a "
                         "warp alone takes at least.\n");
    }
}

void bsim_basis_tell(const struct bsim_buffer *list, uint32_t hidden, struct bsim_buffer *out)
{
    tell_least(list, hidden, out);
    tell(list, hidden, false, out);
}

static void list_devices(const struct bsim_result *result, struct bsim_buffer *list)
{
    for (size_t k = 0; k < result->n_kernels; k++) {
        bsim_basis_add(list, &result->kernels[k]);
    }
}

void bsim_basis_text(const struct bsim_result *result, uint32_t hidden, struct bsim_buffer *out)
{
    struct bsim_buffer list = BSIM_BUFFER_EMPTY;
    list_devices(result, &list);
    bsim_basis_tell(&list, hidden, out);
    bsim_buffer_free(&list);
}

void bsim_basis_assumed(const struct bsim_result *result, uint32_t hidden, struct bsim_buffer *out)
{
    struct bsim_buffer list = BSIM_BUFFER_EMPTY;
    list_devices(result, &list);
    tell(&list, hidden, true, out);
    bsim_buffer_free(&list);
}

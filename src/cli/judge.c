/* judge.c - whether what a check expects holds. */
#include "cli/cli.h"

#include <inttypes.h>
#include <string.h>

struct judge {
    const struct bsim_check *check;
    const struct bsim_check_contents *contents;
    const struct bsim_answer *answer;
    const char *lead;
    struct bsim_buffer *told;
    uint64_t failures, failures_before; /* those of the expectations before the one at hand */
};

/* "a.check:4: load tile[i]: 'conflicts == 0' does not hold: conflicts is 31" */
static void tell_failure(struct judge *judge, const struct bsim_check_expectation *expectation,
                         size_t index)
{
    const struct bsim_check_access *access = &judge->contents->access[index];
    const struct bsim_kernel_result *kernel = &judge->answer->result.kernels[0];
    const char *separator = "";
    if (expectation->file != NULL && judge->lead[0] != '\0') {
        bsim_buffer_plain(judge->told, expectation->file);
        bsim_buffer_printf(judge->told, ":%" PRIu32 ": ", expectation->line);
    } else {
        bsim_buffer_text(judge->told, judge->lead);
    }
    bsim_buffer_printf(judge->told, "%s %s: '%s' does not hold: ", access->op, access->text,
                       expectation->text);
    if (kernel->sites[index].requests == 0) {
        bsim_buffer_text(judge->told, "no thread comes to it\n");
        return;
    }
    for (uint32_t v = 0; v < BSIM_CHECK_N_VALUES; v++) {
        if ((expectation->uses >> v & 1) != 0) {
            uint64_t value;
            const char *name = bsim_check_value(kernel, index, v, &value);
            bsim_buffer_printf(judge->told, "%s%s is %" PRIu64, separator, name, value);
            separator = ", ";
        }
    }
    bsim_buffer_text(judge->told, "\n");
}

/* Whether it is about the block's bytes alone, which all its accesses have. */
static bool is_of_block(const struct judge *judge, const struct bsim_check_expectation *expectation)
{
    bool is = true;
    for (uint32_t v = 0; v < BSIM_CHECK_N_VALUES; v++) {
        uint64_t value;
        const char *name = bsim_check_value(&judge->answer->result.kernels[0], 0, v, &value);
        is = is && ((expectation->uses >> v & 1) == 0 || strcmp(name, "shared_bytes") == 0);
    }
    return is;
}

static enum bsim_status judge_one(struct judge *judge, size_t index, size_t access,
                                  struct bsim_error *err)
{
    const struct bsim_check_access *shown = &judge->contents->access[access];
    const struct bsim_check_expectation *expectation = &judge->contents->expectation[index];
    const struct bsim_kernel_result *kernel = &judge->answer->result.kernels[0];
    bool is_other = shown->opcode.space != BSIM_SHARED;
    if (judge->answer->worst[access].spread.requests > 0 ||
        (is_other && judge->contents->is_drawn)) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "%s %s has other counts in each draw: nothing can be expected of it",
                              shown->op, shown->text);
    }
    bool holds = false;
    enum bsim_status status = bsim_check_expect(judge->check, index, kernel, access, &holds, err);
    if (status == BSIM_OK && (!holds || kernel->sites[access].requests == 0)) {
        bool is_told = judge->failures > judge->failures_before &&
                       kernel->sites[access].requests > 0 && is_of_block(judge, expectation);
        judge->failures++;
        if (!is_told) {
            tell_failure(judge, expectation, access);
        }
    } else if (status == BSIM_OK && bsim_rules_are_least(kernel->sites[access].tally.rules)) {
        bsim_buffer_printf(judge->told,
                           "%s%s %s: '%s' holds of what a warp alone takes; others at the "
                           "same words add to it\n",
                           judge->lead, shown->op, shown->text, expectation->text);
    }
    return status;
}

enum bsim_status bsim_cli_judge(const struct bsim_check *check, const struct bsim_answer *answer,
                                const char *lead, struct bsim_buffer *told, uint64_t *failures,
                                struct bsim_error *err)
{
    struct judge judge = {.check = check,
                          .contents = bsim_check_contents(check),
                          .answer = answer,
                          .lead = lead,
                          .told = told};
    enum bsim_status status = BSIM_OK;
    for (size_t i = 0; i < judge.contents->n_expectations; i++) {
        const struct bsim_check_expectation *expectation = &judge.contents->expectation[i];
        judge.failures_before = judge.failures;
        for (size_t k = 0; k < expectation->n_accesses && status == BSIM_OK; k++) {
            status = judge_one(&judge, i, expectation->first_access + k, err);
        }
    }
    *failures = judge.failures;
    return status;
}

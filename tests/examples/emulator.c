/* emulator.c - a kernel that comes with the library, as a stream of events. */
#include "example.h"

struct asked {
    const struct bsim_emulator *emulator;
    const char *setting;
};

static enum bsim_status push(void *context, const struct bsim_sink *sink, struct bsim_error *err)
{
    struct asked *asked = context;
    return bsim_emulator_run(asked->emulator, &asked->setting, 1, sink, err);
}

int main(void)
{
    struct asked asked = {.setting = "ipad=2"};
    struct bsim_source source = {.push = push, .context = &asked};
    struct bsim_run_options options = {.device = NULL};
    struct bsim_result result = {0};
    struct bsim_error err;
    CHECK(bsim_emulator_find("square_set_row_read_col_pad", &asked.emulator, &err) == BSIM_OK);
    CHECK(strcmp(asked.emulator->original, "setRowReadColPad") == 0);
    CHECK(bsim_run(&source, &options, &result, &err) == BSIM_OK);
    CHECK(result.kernels[0].shared_bytes == 32 * 34 * 4);
    bsim_result_free(&result);

    const struct bsim_emulator *each;
    size_t n = 0;
    while ((each = bsim_emulator_at(n)) != NULL) {
        CHECK(each->n_parameters == 0 || each->parameters[0].least <= each->parameters[0].most);
        n++;
    }
    CHECK(n > 30);
    CHECK(bsim_emulator_find("square_set_col_read_col", &each, &err) == BSIM_OK);
    CHECK(bsim_emulator_note(each) != NULL);
    CHECK(bsim_emulator_find("squrae", &asked.emulator, &err) == BSIM_E_USAGE);
    return 0;
}

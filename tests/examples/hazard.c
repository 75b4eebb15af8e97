/* hazard.c - a race of two warps. */
#include "example.h"

/* Warp 1 reads what warp 0 writes, and no barrier is in between. */
static const char race[] = "banksim-trace 1\n"
                           "kernel k block=64 shared=128\n"
                           "block 0\n"
                           "w0 st.shared.f32 ffffffff 0+4\n"
                           "w1 ld.shared.f32 ffffffff 0+4\n"
                           "end\n";

static void tell(void *context, const struct bsim_race *found)
{
    *(struct bsim_race *)context = *found;
}

int main(void)
{
    struct bsim_race found = {.n_bytes = 0};
    struct bsim_hazard_options options = {.context = &found, .on_race = tell};
    struct bsim_hazards *hazards = bsim_hazards_new(&options);
    CHECK(hazards != NULL);
    struct bsim_sink sink = bsim_hazards_sink(hazards);
    struct example_text text = {race, 0};
    struct bsim_input input = example_input(&text);
    CHECK(bsim_trace_read(&input, &sink, NULL) == BSIM_OK);
    CHECK(bsim_hazards_count(hazards).races == 1);
    CHECK(found.kind == BSIM_RACE_WARPS && found.n_bytes == 128 && found.access[1].line == 5);
    bsim_hazards_free(hazards);
    return 0;
}

/* stamp.c - launches into a trace, which says what the command line says of them: for which device and with how many registers. So
 * 'banksim run' tells of it what the launch would have told. */
#include "cli/cli.h"

#include <string.h>

/* What goes into each kernel's line on the way to a sink. */
struct stamp {
    const struct bsim_source *source;
    const struct bsim_sink *sink;
    const char *device; /* NULL: the kernel's own */
    uint32_t registers; /* 0: the kernel's own */
};

static enum bsim_status push_stamped(void *context, const struct bsim_record *record, struct bsim_error *err)
{
    const struct stamp *stamp = context;
    if (record->kind != BSIM_RECORD_KERNEL) {
        return stamp->sink->push(stamp->sink->context, record, err);
    }
    struct bsim_kernel kernel = *record->u.kernel;
    struct bsim_record stamped = *record;
    kernel.device = stamp->device != NULL ? stamp->device : kernel.device;
    kernel.registers = stamp->registers > 0 ? stamp->registers : kernel.registers;
    stamped.u.kernel = &kernel;
    return stamp->sink->push(stamp->sink->context, &stamped, err);
}

static enum bsim_status push_all(void *context, const struct bsim_sink *sink, struct bsim_error *err)
{
    struct stamp *stamp = context;
    const struct bsim_sink stamping = {.push = push_stamped, .context = stamp};
    stamp->sink = sink;
    return stamp->source->push(stamp->source->context, &stamping, err);
}

/* Two GPUs of one compute capability differ in clock, SMs and memory. A name with gaps is no word of a trace. */
const char *bsim_cli_device_word(const struct options *options, const struct bsim_device *chosen)
{
    const char *named = options->device;
    bool is_word = named != NULL && strpbrk(named, " \t\"") == NULL;
    return chosen == NULL ? NULL : is_word ? named : chosen->name;
}

/* What no word of a trace says, so that who runs it has to. */
static void say_left_out(const struct options *options)
{
    const struct {
        const char *name;
        bool is_given;
    } left_out[] = {{"--banks", options->device_options.n_banks > 0},
                    {"--bank-width", options->device_options.bank_width > 0},
                    {"--carveout", options->device_options.carveout != 0}};
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++) {
        if (left_out[i].is_given) {
            bsim_cli_say("note: a trace has no word for %s: give it to 'banksim run', too\n", left_out[i].name);
        }
    }
}

enum bsim_status bsim_cli_write_launches(const struct options *options, const struct bsim_source *source, struct bsim_error *err)
{
    struct bsim_device device;
    const struct bsim_device *chosen;
    enum bsim_status status = bsim_cli_device(options, &device, &chosen, err);
    if (status != BSIM_OK) {
        return status;
    }
    struct stamp stamp = {.source = source, .device = bsim_cli_device_word(options, chosen), .registers = options->registers};
    const struct bsim_source stamped = {.push = push_all, .context = &stamp};
    status = bsim_cli_write_trace(options->output, false, &stamped, err);
    if (status == BSIM_OK) {
        say_left_out(options);
    }
    return status;
}

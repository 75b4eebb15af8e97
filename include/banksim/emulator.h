/* emulator.h - run kernels on the CPU and see their accesses: the host's side.
 *
 * <banksim/kernel.h> has the words that a kernel is written in. Emulation is deterministic, keeps
 * no state outside the launch, and one launch belongs to one thread.
 */
#ifndef BANKSIM_EMULATOR_H
#define BANKSIM_EMULATOR_H

#include <banksim/event.h>

enum { BSIM_LAUNCH_MAX_ARRAYS = 8 };

struct bsim_cta; /* a running block; see kernel.h */

/* Memory of the host that a kernel's pointers lead to. Array i appears in traces at byte address
 * (i + 1) << 32, so that traces do not depend on the machine. */
struct bsim_array {
    void *data;
    size_t size_bytes;
    enum bsim_space space; /* BSIM_GLOBAL, BSIM_CONST or BSIM_TEXTURE (linear memory) */
};

struct bsim_launch {
    const char *name;
    struct bsim_dim3 grid, block;  /* each >= 1; at most BSIM_BLOCK_MAX_THREADS threads */
    uint32_t dynamic_shared_bytes; /* the third launch parameter of CUDA's <<< >>> */
    void (*body)(struct bsim_cta *cta);
    const void *arguments; /* for ARGUMENTS in the body */
    size_t n_arrays;
    struct bsim_array arrays[BSIM_LAUNCH_MAX_ARRAYS];
};

/* Runs every block in order and pushes KERNEL, sites, blocks and events, but not END: several
 * launches can follow one another. Fails with BSIM_E_USAGE for a bad shape, BSIM_E_KERNEL with the
 * source place of the access for an address outside its array or window, a misaligned one, a
 * barrier in divergent code (with the threads that miss it), BSIM_E_MEMORY, and with what the sink
 * answers. Array contents are then what the kernel left. */
BSIM_API enum bsim_status bsim_launch_run(const struct bsim_launch *launch,
                                          const struct bsim_sink *sink,
                                          struct bsim_error *err) BSIM_MUST_USE;

/* ---- the documents' kernels ---------------------------------------------------------------- */

/* A size of an emulator, set as key=value. */
struct bsim_parameter {
    const char *key;
    const char *help;
    uint32_t initial, least, most;
};

struct bsim_emulator {
    const char *name;      /* snake_case and unique: "square_set_row_read_col" */
    const char *original;  /* its name in the documents: "setRowReadCol" */
    const char *documents; /* "000 002" */
    const char *shows;     /* one line */
    size_t n_parameters;
    const struct bsim_parameter *parameters;
    /* Makes the input, launches, checks the output against a plain computation; value[i] belongs
     * to parameters[i] and is in range. No END. */
    enum bsim_status (*run)(const struct bsim_emulator *self, const uint32_t *value,
                            const struct bsim_sink *sink, struct bsim_error *err);
    uint32_t variant; /* for functions that several rows share */
};

/* The emulators by index 0, 1, ..., until NULL. Static. */
BSIM_API const struct bsim_emulator *bsim_emulator_at(size_t index);

/* By name or, where that is unique, by original name. Fails with BSIM_E_USAGE and the nearest
 * name, or the names that an original stands for. */
BSIM_API enum bsim_status bsim_emulator_find(const char *name,
                                             const struct bsim_emulator **emulator,
                                             struct bsim_error *err) BSIM_MUST_USE;

/* Runs it with the settings given as "key=value" strings (of equal keys the last counts), the
 * others at their initial value, and pushes the whole stream with END. Fails with BSIM_E_USAGE for
 * an unknown key or a value out of range; with BSIM_E_KERNEL also if the output array is not what
 * the plain computation says. */
BSIM_API enum bsim_status bsim_emulator_run(const struct bsim_emulator *emulator,
                                            const char *const *settings, size_t n_settings,
                                            const struct bsim_sink *sink,
                                            struct bsim_error *err) BSIM_MUST_USE;

/* Where the documents say something else than this kernel shows, or could not be followed: one line
 * with the reason. NULL: nowhere. Static. */
BSIM_API const char *bsim_emulator_note(const struct bsim_emulator *emulator);

#endif

/* calibrate.c - the cycle model's constants for a GPU, from what its programs took.
 *
 *      crosscheck-calibrate FOLDER
 *
 * FOLDER has programs.csv and programs.trace as calibrate.sh writes them. Begins with the H200's
 * constants. A firm constant has an experiment, programs that depend on little else, and takes the
 * value that fits them best; the others are fitted to two thirds of the random programs. Each is
 * moved by one as long as that helps, in turn, until nothing does. Prints the constants as a row
 * for src/timing/constants.c, then how far off the model is: on the fixed programs and on the third
 * of the random ones that had no part in the fit.
 */
#include "programs.h"

#include <banksim/device.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROUNDS = 12, MAX_EXPERIMENTS = 2 };

struct constant {
    const char *name;
    size_t place;
    uint32_t low, high;
    const char *experiment[MAX_EXPERIMENTS]; /* ends of programs' texts; none: fitted */
};

#define CONSTANT(NAME) #NAME, offsetof(struct bsim_timing, NAME)

static const struct constant constants[] = {
    {CONSTANT(turn_interval), 1, 4, {"W=32 U=8 ind ld4:8", "W=32 U=8 ind ld4:32"}},
    {CONSTANT(partition_turn), 1, 8, {"W=1 U=8 ind st4:32", "W=1 U=8 ind ld4:32"}},
    {CONSTANT(memory_interval), 1, 8, {"W=1 U=8 ind st4:1", "W=1 U=8 ind ld4:1"}},
    {CONSTANT(result_latency), 10, BSIM_MAX_LATENCY, {"U=4 dep ld4:1", "U=4 dep ld4:32"}},
    {CONSTANT(group_latency), 0, 4, {"U=4 dep ld8:1", "U=4 dep ld16:1"}},
    {CONSTANT(atomic_latency), 0, 60, {"U=4 dep atom4:1"}},
    {CONSTANT(arrival_interval), 1, 8, {"W=32 U=1 ind bar", "W=16 U=1 ind bar"}},
    {CONSTANT(arrival_slots), 1, 12, {NULL}},
    {CONSTANT(release_latency), 4, 40, {"dep st4:1 bar ld4:1 bar"}},
    {CONSTANT(work_interval), 1, 4, {"W=32 U=8 ind ldsm4:1", "W=16 U=8 ind ldsm4:1"}},
    {CONSTANT(chain_latency), 2, 8, {"W=1 U=8 ind ldsm4:1"}},
    {CONSTANT(work_latency), 1, 8, {"W=1 U=8 ind ld4:1", "W=2 U=8 ind ld4:1"}},
    {CONSTANT(branch_delay), 1, 6, {NULL}},
    {CONSTANT(queue_slots), 1, 12, {NULL}},
    {CONSTANT(pool_slots), 4, 20, {NULL}},
    {CONSTANT(queue_latency), 0, 4, {NULL}},
    {CONSTANT(pool_latency), 0, 4, {NULL}},
    {CONSTANT(store_delay), 0, 8, {NULL}},
    {CONSTANT(rejoin_delay), 0, 6, {NULL}},
    {CONSTANT(edge_cycles), 0, 60, {"W=1 U=8 ind st4:1", "W=1 U=8 ind st4:2"}},
    {CONSTANT(edge_result_cycles), 0, 90, {"W=1 U=8 ind ld4:8", "W=1 U=8 ind ld4:32"}},
};

enum { N_CONSTANTS = sizeof constants / sizeof constants[0] };

static uint32_t *value_of(struct bsim_timing *timing, const struct constant *constant)
{
    return (uint32_t *)(void *)((char *)timing + constant->place);
}

/* ---- which programs --------------------------------------------------------------------------- */

static int is_random(const struct timed_program *program)
{
    return program->name[0] == 'r';
}

/* Every third random one is kept out of the fit. */
static int is_kept_out(const struct timed_program *program)
{
    const char *number = strchr(program->name, '-');
    return is_random(program) && number != NULL && strtoul(number + 1, NULL, 10) % 3 == 0;
}

static int ends_with(const char *text, const char *end)
{
    size_t size = strlen(text), wanted = strlen(end);
    return size >= wanted && strcmp(text + size - wanted, end) == 0;
}

static int takes_part(const struct timed_program *program, const struct constant *constant)
{
    if (program->n_blocks > 1) {
        return 0;
    }
    if (constant->experiment[0] == NULL) {
        return is_random(program) && !is_kept_out(program);
    }
    for (int i = 0; i < MAX_EXPERIMENTS && constant->experiment[i] != NULL; i++) {
        if (!is_random(program) && ends_with(program->text, constant->experiment[i])) {
            return 1;
        }
    }
    return 0;
}

/* ---- the search ------------------------------------------------------------------------------- */

/* The constants as the model takes them: a barrier comes to the data pipe before it lets warps on. */
static struct bsim_timing usable(const struct bsim_timing *timing)
{
    struct bsim_timing used = *timing;
    used.barrier_latency = used.barrier_latency < used.release_latency ? used.barrier_latency : used.release_latency;
    return used;
}

/* Mean error of the programs that the constant is fitted to; negative: the model failed. */
static double error_for(struct program_set *set, const struct constant *constant,
                        const struct bsim_timing *timing)
{
    const struct bsim_timing used = usable(timing);
    double sum = 0, n = 0;
    for (size_t i = 0; i < set->n; i++) {
        struct timed_program *program = &set->program[i];
        if (takes_part(program, constant)) {
            if (!program_time(program, &used)) {
                return -1;
            }
            double error = program_error(program);
            sum += error < 0 ? -error : error;
            n++;
        }
    }
    return n > 0 ? sum / n : 0;
}

/* Moves one constant as far as it helps. Returns how far, or INT32_MIN on failure. */
static int32_t improve(struct program_set *set, const struct constant *constant,
                       struct bsim_timing *timing)
{
    static const double gain = 0.99; /* less is noise */
    uint32_t *value = value_of(timing, constant), before = *value;
    double best = error_for(set, constant, timing);
    for (int step = -1; step <= 1; step += 2) {
        while (best > 0 && (step > 0 ? *value < constant->high : *value > constant->low)) {
            *value += (uint32_t)step;
            double error = error_for(set, constant, timing);
            if (error < 0 || error > gain * best) {
                *value -= (uint32_t)step;
                break;
            }
            best = error;
        }
    }
    return best < 0 ? INT32_MIN : (int32_t)(*value - before);
}

static int fit(struct program_set *set, struct bsim_timing *timing)
{
    int32_t moved = 1;
    for (int round = 0; round < MAX_ROUNDS && moved != 0; round++) {
        moved = 0;
        for (size_t i = 0; i < N_CONSTANTS; i++) {
            int32_t by = improve(set, &constants[i], timing);
            if (by == INT32_MIN) {
                return 0;
            }
            moved |= by;
        }
    }
    return 1;
}

/* ---- what comes out --------------------------------------------------------------------------- */

static void print_row(struct bsim_timing *timing, const struct bsim_timing *before)
{
    struct bsim_timing start = *before;
    printf("static const struct bsim_timing fitted = {\n");
    for (size_t i = 0; i < N_CONSTANTS; i++) {
        unsigned value = (unsigned)*value_of(timing, &constants[i]);
        unsigned was = (unsigned)*value_of(&start, &constants[i]);
        printf("    .%s = %u, /* %s", constants[i].name, value,
               constants[i].experiment[0] != NULL ? "firm" : "fitted");
        if (value != was) {
            printf("; H200: %u", was);
        }
        printf(" */\n");
    }
    printf("};\n");
}

static void print_part(const struct program_set *set, int (*wanted)(const struct timed_program *),
                       const char *title)
{
    struct program_set part = {.program = calloc(set->n, sizeof *part.program)};
    for (size_t i = 0; part.program != NULL && i < set->n; i++) {
        if (wanted(&set->program[i])) {
            part.program[part.n++] = set->program[i];
        }
    }
    printf("\n%s\n", title);
    if (part.n > 0) {
        programs_print(&part);
    }
    free(part.program);
}

static int is_fixed(const struct timed_program *program)
{
    return !is_random(program);
}

int main(int argc, char **argv)
{
    struct program_set set;
    struct bsim_device device;
    struct bsim_timing before, timing;
    if (argc != 2) {
        fprintf(stderr, "usage: crosscheck-calibrate FOLDER\n");
        return 2;
    }
    if (bsim_device_find("sm_90", NULL, &device, NULL) != BSIM_OK ||
        !programs_read(&set, argv[1])) {
        return 3;
    }
    bsim_timing_find(&device, &before);
    timing = before;
    int done = fit(&set, &timing);
    timing = usable(&timing);
    done = done && programs_time(&set, &timing);
    if (done) {
        print_row(&timing, &before);
        print_part(&set, is_fixed, "The fixed programs:");
        print_part(&set, is_kept_out, "Random programs that had no part in the fit:");
    }
    programs_free(&set);
    return done ? 0 : 4;
}

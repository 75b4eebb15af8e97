/* programs.c - see programs.h. */
#include "programs.h"

#include <banksim/result.h>
#include <banksim/trace.h>

#include "timing/timer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CLASSES = 64, CLASS_NAME = 48 };

/* ---- files ------------------------------------------------------------------------------------ */

static char *load(const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room + 1);
    while (file != NULL && text != NULL) {
        size_t more = fread(text + size, 1, room - size, file);
        size += more;
        if (more == 0) {
            break;
        }
        if (size == room) {
            char *grown = realloc(text, 2 * room + 1);
            if (grown == NULL) {
                free(text);
            }
            text = grown;
            room *= 2;
        }
    }
    if (file == NULL || text == NULL) {
        fprintf(stderr, "%s: cannot be read\n", path);
        free(text);
        text = NULL;
    } else {
        text[size] = '\0';
    }
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

/* `name,clocks,"text"`, or `name,blocks,clocks,least,most,"places","text"`. */
static int parse_row(const char *row, struct timed_program *program)
{
    struct timed_program *p = program;
    char line[1024]; /* alone: sscanf looks for a text's end */
    size_t n = strcspn(row, "\n");
    n = n < sizeof line ? n : sizeof line - 1;
    memcpy(line, row, n);
    line[n] = '\0';
    *p = (struct timed_program){.n_blocks = 1};
    if (sscanf(line, "%31[^,#\n],%lf,\"%127[^\"\n]", p->name, &p->measured, p->text) == 3) {
        p->least = p->most = p->measured;
        return 1;
    }
    return sscanf(line, "%31[^,#\n],%u,%lf,%lf,%lf,\"%*[^\"\n]\",\"%127[^\"\n]", p->name,
                  &p->n_blocks, &p->measured, &p->least, &p->most, p->text) == 6;
}

/* Finds the kernel's lines, most often those behind the last one's. */
static int find_trace(const char *trace, const char *last, struct timed_program *program)
{
    char head[48];
    snprintf(head, sizeof head, "\nkernel %s ", program->name);
    const char *kernel = strstr(last, head);
    kernel = kernel == NULL ? strstr(trace, head) : kernel;
    if (kernel == NULL) {
        return 0;
    }
    const char *next = strstr(kernel + 1, "\nkernel ");
    next = next == NULL ? strstr(kernel + 1, "\nend") : next;
    program->trace = kernel + 1; /* the file has each name once */
    program->trace_size = next == NULL ? 0 : (size_t)(next - kernel);
    return next != NULL;
}

static size_t lines_of(const char *text)
{
    size_t n = 1;
    for (const char *c = text; *c != '\0'; c++) {
        n += *c == '\n';
    }
    return n;
}

int programs_read(struct program_set *set, const char *folder)
{
    char *rows = load(folder, "programs.csv");
    *set = (struct program_set){.trace = rows == NULL ? NULL : load(folder, "programs.trace")};
    set->program = set->trace == NULL ? NULL : calloc(lines_of(rows), sizeof *set->program);
    const char *last = set->trace;
    for (const char *line = rows; set->program != NULL && line != NULL && *line != '\0';) {
        struct timed_program *program = &set->program[set->n];
        set->n += parse_row(line, program) && find_trace(set->trace, last, program);
        last = program->trace != NULL ? program->trace : last;
        line = strchr(line, '\n');
        line = line == NULL ? NULL : line + 1;
    }
    free(rows);
    if (set->n == 0 && set->trace != NULL) {
        fprintf(stderr, "%s: no program with a trace\n", folder);
    }
    if (set->n == 0) {
        programs_free(set);
    }
    return set->n > 0;
}

void programs_free(struct program_set *set)
{
    free(set->program);
    free(set->trace);
    *set = (struct program_set){.n = 0};
}

/* ---- the model -------------------------------------------------------------------------------- */

enum { N_PIECES = 3 };

/* A program's trace: the head with the kernel's own line, its block, the end. */
struct pieces {
    const char *text[N_PIECES];
    size_t size[N_PIECES];
    size_t current;
};

static size_t read_pieces(void *context, void *data, size_t size)
{
    struct pieces *pieces = context;
    while (pieces->current < N_PIECES && pieces->size[pieces->current] == 0) {
        pieces->current++;
    }
    if (pieces->current == N_PIECES) {
        return 0;
    }
    size_t *left = &pieces->size[pieces->current], n = size < *left ? size : *left;
    memcpy(data, pieces->text[pieces->current], n);
    pieces->text[pieces->current] += n;
    *left -= n;
    return n;
}

/* As timing.cu launches it: each SM has so many blocks, since they take all its shared memory. */
static void print_head(const struct timed_program *program, char *head, size_t size)
{
    enum { SM_KIB = 228, SMS = 132 };
    unsigned threads = 0, n = program->n_blocks;
    (void)sscanf(program->trace, "kernel %*s grid=1 block=%u", &threads);
    (void)snprintf(head, size, "banksim-trace 1\nkernel %s grid=%u block=%u shared=%u\n",
                   program->name, n * SMS, threads, (SM_KIB / n - 1) * 1024);
}

/* Plays the program's block up to `stop`, and `end` behind it. The caller frees the result. */
static enum bsim_status play_to(const struct timed_program *program, const char *stop, const char *end,
                                const struct bsim_timer_options *options, struct bsim_result *cycles,
                                struct bsim_error *err)
{
    const char *block = strchr(program->trace, '\n') + 1;
    char head[128];
    print_head(program, head, sizeof head);
    struct pieces pieces = {{head, block, end}, {strlen(head), (size_t)(stop - block), strlen(end)}, 0};
    struct bsim_input input = {.read = read_pieces, .context = &pieces, .name = program->name};
    struct bsim_timer *timer = bsim_timer_new(options);
    if (timer == NULL) {
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    struct bsim_sink sink = bsim_timer_sink(timer);
    enum bsim_status status = bsim_trace_read(&input, &sink, err);
    status = status == BSIM_OK ? bsim_timer_result(timer, cycles, err) : status;
    bsim_timer_free(timer);
    return status;
}

/* When the loop can begin, behind the barriers in front of it, if there are any: as special functions can, which do not
 * issue beside a barrier. The first reading of the clock is part of edge_cycles. */
static enum bsim_status time_frame(const struct timed_program *program, const struct bsim_timer_options *options,
                                   uint64_t *clocks, struct bsim_error *err)
{
    struct timed_program alone = *program;
    struct bsim_result cycles;
    const char *loop = strstr(program->trace, "\nrepeat "), *barrier = strstr(program->trace, " bar.sync");
    *clocks = 0;
    if (loop == NULL || barrier == NULL || barrier > loop || loop > program->trace + program->trace_size) {
        return BSIM_OK;
    }
    alone.n_blocks = 1;
    enum bsim_status status = play_to(&alone, loop + 1, "w0 work 1 xu\nend\n", options, &cycles, err);
    if (status == BSIM_OK) {
        *clocks = cycles.kernels[0].timed.cycles - cycles.kernels[0].timed.timing.edge_cycles;
        bsim_result_free(&cycles);
    }
    return status;
}

static double turn_of(uint64_t clocks, uint64_t frame)
{
    return ((double)clocks - (double)frame) / PROGRAM_TURNS;
}

static enum bsim_status play(struct timed_program *program, const struct bsim_timer_options *options,
                             struct bsim_error *err)
{
    struct bsim_result cycles;
    uint64_t frame;
    enum bsim_status status = time_frame(program, options, &frame, err);
    if (status == BSIM_OK) {
        status = play_to(program, program->trace + program->trace_size, "end\n", options, &cycles, err);
    }
    if (status == BSIM_OK) {
        const struct bsim_kernel_cycles *timed = &cycles.kernels[0].timed;
        struct bsim_spread spread;
        uint64_t clocks = program->n_blocks > 1 ? timed->launch_cycles : timed->cycles;
        cycles.kernels[0].barriers = strstr(program->text, " bar") != NULL; /* which nobody counted */
        bool has_range = bsim_cycles_spread(&cycles.kernels[0], &spread);
        program->model = turn_of(clocks, frame);
        program->model_least = turn_of(has_range ? spread.least : clocks, frame);
        program->model_most = turn_of(has_range ? spread.most : clocks, frame);
        bsim_result_free(&cycles);
    }
    return status;
}

/* Plays the program until its last instruction or result, or until its stores have drained. */
static int time_to(struct timed_program *program, const struct bsim_timing *timing, bool clocked)
{
    struct bsim_timer_options options = {.timing = timing, .clocked = clocked};
    struct bsim_error err;
    enum bsim_status status = play(program, &options, &err);
    if (status != BSIM_OK) {
        fprintf(stderr, "%s: %s\n", program->name, err.message);
    }
    return status == BSIM_OK;
}

/* A launch is no shorter than its turns of the data pipe. What a clock in the kernel says may be: by what the last
 * turn of the loop has under way, and by the stores that have yet to drain. */
int program_range(struct timed_program *program, const struct bsim_timing *timing)
{
    struct timed_program drained = *program;
    if (program->measured >= program->model_least) {
        return 1;
    }
    int is_good = time_to(&drained, timing, false);
    double less = drained.model - program->model;
    program->model_least *= 1 - 1.0 / PROGRAM_TURNS;
    program->model_least -= less > 0 ? less : 0;
    return is_good;
}

int program_time(struct timed_program *program, const struct bsim_timing *timing)
{
    return time_to(program, timing, true);
}

int programs_time(struct program_set *set, const struct bsim_timing *timing)
{
    for (size_t i = 0; i < set->n; i++) {
        if (!program_time(&set->program[i], timing)) {
            return 0;
        }
    }
    return 1;
}

/* ---- errors ----------------------------------------------------------------------------------- */

double program_error(const struct timed_program *program)
{
    return 100 * (program->model - program->measured) / program->measured;
}

double program_error_beyond(const struct timed_program *program)
{
    const struct timed_program *p = program;
    double beyond = p->model < p->least ? p->model - p->least : p->model > p->most ? p->model - p->most : 0;
    return 100 * beyond / p->measured;
}

/* "W=16 barriers", "W=2 ind, unrolled", "W=1 dep": warps, and how the accesses hang together. */
static void class_of(const struct timed_program *program, char *name)
{
    char warps[16] = "", copies[16] = "", kind[8] = "";
    sscanf(program->text, "%15s %15s %7s", warps, copies, kind);
    int has_barrier = strstr(program->text, " bar") != NULL, is_one = strcmp(copies, "U=1") == 0;
    snprintf(name, CLASS_NAME, "%-4s %s%s", warps, has_barrier ? "barriers" : kind,
             has_barrier || is_one ? "" : ", unrolled");
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* That error of the programs of a class, or of all for NULL. */
static struct program_errors errors_of(const struct program_set *set, double (*error_of)(const struct timed_program *),
                                       const char *class)
{
    struct program_errors errors = {.n = 0};
    double *error = calloc(set->n + 1, sizeof *error), sum = 0;
    for (size_t i = 0; error != NULL && i < set->n; i++) {
        char name[CLASS_NAME] = "";
        if (class != NULL) {
            class_of(&set->program[i], name);
        }
        if (class == NULL || strcmp(class, name) == 0) {
            double e = error_of(&set->program[i]);
            error[errors.n] = e < 0 ? -e : e;
            sum += error[errors.n++];
        }
    }
    if (errors.n > 0) {
        qsort(error, errors.n, sizeof *error, by_size);
        errors.median = error[errors.n / 2];
        errors.p90 = error[errors.n * 9 / 10];
        errors.most = error[errors.n - 1];
        errors.mean = sum / (double)errors.n;
    }
    free(error);
    return errors;
}

struct program_errors programs_errors(const struct program_set *set)
{
    return errors_of(set, program_error, NULL);
}

struct program_errors programs_errors_beyond(const struct program_set *set)
{
    return errors_of(set, program_error_beyond, NULL);
}

static int by_warps(const void *a, const void *b)
{
    const char *x = a, *y = b;
    unsigned long p = strtoul(x + 2, NULL, 10), q = strtoul(y + 2, NULL, 10);
    return p != q ? (p < q ? -1 : 1) : strcmp(x, y);
}

static void print_errors(const char *name, struct program_errors errors)
{
    printf("%-24s %4zu %8.2f %8.2f %8.2f\n", name, errors.n, errors.median, errors.p90,
           errors.mean);
}

void programs_print(const struct program_set *set)
{
    char classes[MAX_CLASSES][CLASS_NAME];
    size_t n = 0;
    bool has_spread = false;
    for (size_t i = 0; i < set->n; i++) {
        char name[CLASS_NAME];
        size_t known = 0;
        has_spread |= set->program[i].least < set->program[i].most;
        class_of(&set->program[i], name);
        while (known < n && strcmp(classes[known], name) != 0) {
            known++;
        }
        if (known == n && n < MAX_CLASSES) {
            snprintf(classes[n++], CLASS_NAME, "%s", name);
        }
    }
    qsort(classes, n, CLASS_NAME, by_warps);
    printf("%-24s %4s %8s %8s %8s   error in %%\n", "class", "n", "median", "90 %", "mean");
    for (size_t i = 0; i < n; i++) {
        print_errors(classes[i], errors_of(set, program_error, classes[i]));
    }
    print_errors("all", programs_errors(set));
    if (has_spread) {
        print_errors("beyond what SMs differ", programs_errors_beyond(set));
    }
}

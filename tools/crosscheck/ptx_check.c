/* ptx_check.c - runs the forms, chains and approximations of a file of ptx.cu here, and compares.
 *
 *     # seed 0                                    operands of the forms that follow
 *     add.u16 %h0, %h1, %h2<tab>e7e0 e207 ...     a form, what 32 lanes got
 *     # chains 0 24                               seed and length of the chains that follow
 *     7<tab>5f0c1e22 - ...                        a batch, a hash for each of its chains, - for none
 *     # sums 0 24                                 the same of products and sums
 *     # approximations
 *     sin.approx.f32 %r0, %r1<tab>64 3f800000 ... a form, the number of the first sample, 32 results
 */
#include "ptx_check.h"

#include "ptx/launch.h"

#include "ptx_chains.h"
#include "ptx_forms.h"
#include "ptx_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { IN = 1 << 20, OUT = 1 << 24, LINE_SIZE = 1 << 14 };

struct machine {
    struct bsim_ptx_module *module;
    struct bsim_ptx_memory *memory;
    struct ptx_operands operands;
    uint64_t out[PTX_LANES * PTX_CHAIN_REGISTERS];
    FILE *log;
};

struct check {
    struct machine forms, chains;
    struct ptx_form form[PTX_MAX_FORMS];
    size_t n_forms, at; /* the next form */
    unsigned long long seed;
    size_t length; /* of chains; 0: what comes is none */
    bool has_sums; /* they are of products and sums */
    bool is_sampling;
    double most[PTX_MAX_FORMS], most_absolute[PTX_MAX_FORMS]; /* of approximations */
    struct ptx_counts *counts;
    FILE *log;
};

/* ---- running here ---------------------------------------------------------------------------- */

static enum bsim_status ignore(void *context, const struct bsim_record *record,
                               struct bsim_error *err)
{
    (void)context, (void)record, (void)err;
    return BSIM_OK;
}

/* Reads the module that was written to the file, which is closed. */
static bool start(struct machine *machine, FILE *file, FILE *log)
{
    struct bsim_error err;
    char message[1024], *text = NULL;
    long length = file != NULL ? ftell(file) : 0;
    text = malloc((size_t)length + 1);
    machine->memory = bsim_ptx_memory_new();
    machine->log = log;
    struct bsim_ptx_piece in = {.start = IN,
                                .size = sizeof machine->operands,
                                .data = (void *)&machine->operands},
                          out = {.start = OUT,
                                 .size = sizeof machine->out,
                                 .data = (void *)machine->out};
    bool is_fine = file != NULL && text != NULL && machine->memory != NULL &&
                   bsim_ptx_memory_add(machine->memory, &in, false) &&
                   bsim_ptx_memory_add(machine->memory, &out, false);
    if (file != NULL) {
        rewind(file);
        is_fine = is_fine && fread(text, 1, (size_t)length, file) == (size_t)length;
        fclose(file);
    }
    if (is_fine &&
        bsim_ptx_read("forms.ptx", text, (size_t)length, &machine->module, &err) != BSIM_OK) {
        fprintf(log, "%s\n", bsim_error_text(&err, message, sizeof message));
        is_fine = false;
    }
    free(text);
    return is_fine;
}

static void stop(struct machine *machine)
{
    bsim_ptx_memory_free(machine->memory);
    bsim_ptx_module_free(machine->module);
    machine->memory = NULL;
    machine->module = NULL;
}

static bool run(struct machine *machine, size_t i)
{
    char name[32], message[1024];
    struct bsim_error err;
    const uint64_t parameters[] = {IN, OUT};
    snprintf(name, sizeof name, "c%zu", i);
    struct bsim_ptx_launch launch = {.module = machine->module,
                                     .kernel = bsim_ptx_find_function(machine->module, name),
                                     .grid = {1, 1, 1},
                                     .block = {PTX_LANES, 1, 1},
                                     .parameters = (const void *)parameters,
                                     .memory = machine->memory};
    struct bsim_sink sink = {.push = ignore};
    if (bsim_ptx_launch_run(&launch, &sink, &err) != BSIM_OK) {
        fprintf(machine->log, "%s: %s\n", name, bsim_error_text(&err, message, sizeof message));
        return false;
    }
    return true;
}

/* ---- approximations -------------------------------------------------------------------------- */

static double half(uint64_t bits)
{
    double fraction = (double)(bits & 0x3ff);
    int exponent = (int)(bits >> 10 & 31);
    double x = exponent == 0    ? fraction * 0x1p-24
               : exponent == 31 ? (fraction != 0 ? (double)NAN : (double)INFINITY)
                                : ldexp(1024 + fraction, exponent - 25);
    return bits & 0x8000 ? -x : x;
}

/* The number that stands in the lower half of 16-bit results, or in all of wider ones. */
static double number(const char *text, uint64_t bits)
{
    bool is_bfloat = strstr(text, "bf16") != NULL;
    bool is_half = strstr(text, "%h0") != NULL || strstr(text, "f16x2") != NULL;
    double wide;
    float single;
    uint32_t low = is_half && is_bfloat ? (uint32_t)bits << 16 : (uint32_t)bits;
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&single, &low, sizeof single);
    return strstr(text, "%rd0") != NULL ? wide
           : is_half && !is_bfloat      ? half(bits & 0xffff)
                                        : (double)single;
}

static bool is_near(const struct ptx_form *f, uint64_t here, uint64_t there)
{
    double x = number(f->text, here), y = number(f->text, there);
    double scale = fabs(y) > 1 || f->operands != PTX_ANGLE ? fabs(y) : 1;
    if (strncmp(f->text, "lg2", 3) == 0 && scale < 1) {
        scale = 1; /* around 1 the error is absolute */
    }
    double last = strstr(f->text, ".f16") != NULL ? 0x1p-24 : 0x1p-126;
    return x == y || (isnan(x) && isnan(y)) || fabs(x - y) <= fmax(f->tolerance * scale, last);
}

/* Of a pair both halves. */
static bool is_close(const struct ptx_form *f, uint64_t here, uint64_t there)
{
    bool is_pair = strstr(f->text, "f16x2") != NULL;
    return is_near(f, here, there) && (!is_pair || is_near(f, here >> 16, there >> 16));
}

/* ---- forms ----------------------------------------------------------------------------------- */

static void tell_lane(const struct check *check, const struct ptx_form *f, const uint64_t of[3],
                      uint32_t lane, uint64_t here, uint64_t there)
{
    fprintf(check->log, "%s, lane %u, of %llx, %llx, %llx: %llx, the GPU %llx\n", f->text, lane,
            (unsigned long long)of[0], (unsigned long long)of[1], (unsigned long long)of[2],
            (unsigned long long)here, (unsigned long long)there);
}

/* True if the form gives what the row says. */
static bool compare_form(struct check *check, size_t i, const char *row)
{
    const struct ptx_form *f = &check->form[i];
    struct machine *machine = &check->forms;
    if (!run(machine, i)) {
        return false;
    }
    for (uint32_t lane = 0; lane < PTX_LANES; lane++) {
        char *end;
        uint64_t there = strtoull(row, &end, 16), here = machine->out[lane];
        row = end;
        if (here != there && !(f->tolerance > 0 && is_close(f, here, there))) {
            tell_lane(check, f, machine->operands.of[f->operands][lane], lane, here, there);
            return false;
        }
    }
    return true;
}

/* ---- approximations, sample by sample -------------------------------------------------------- */

static void note_error(struct check *check, size_t i, uint64_t here, uint64_t there)
{
    double x = number(check->form[i].text, here), y = number(check->form[i].text, there);
    if (isfinite(x) && isfinite(y) && fabs(y) >= 0x1p-126) {
        check->most[i] = fmax(check->most[i], fabs(x - y) / fabs(y));
        check->most_absolute[i] = fmax(check->most_absolute[i], fabs(x - y));
    }
}

static bool compare_samples(struct check *check, size_t i, const char *row)
{
    struct machine *machine = &check->forms;
    const struct ptx_form *f = &check->form[i];
    char *end;
    size_t first = strtoul(row, &end, 10);
    ptx_samples(first, &machine->operands);
    bool is_right = run(machine, i);
    for (uint32_t lane = 0; lane < PTX_LANES && is_right; lane++) {
        uint64_t there = strtoull(end, &end, 16), here = machine->out[lane];
        note_error(check, i, here, there);
        if (here != there && !is_close(f, here, there)) {
            tell_lane(check, f, machine->operands.of[f->operands][lane], lane, here, there);
            is_right = false;
        }
    }
    return is_right;
}

static void tell_errors(const struct check *check)
{
    for (size_t i = 0; i < check->n_forms; i++) {
        if (check->most[i] > 0) {
            fprintf(check->log, "%s: at most %.3g of the result off, %.3g in all\n",
                    check->form[i].text, check->most[i], check->most_absolute[i]);
        }
    }
}

/* ---- chains ---------------------------------------------------------------------------------- */

static bool compare_batch(struct check *check, const char *row)
{
    char *end;
    size_t batch = strtoul(row, &end, 10);
    struct machine *machine = &check->chains;
    FILE *file = tmpfile();
    if (file != NULL) {
        (check->has_sums ? ptx_write_sums : ptx_write_batch)(file, check->seed, batch,
                                                             check->length);
    }
    bool is_fine = start(machine, file, check->log);
    ptx_batch_operands(check->seed, batch, &machine->operands);
    for (size_t i = 0; i < PTX_BATCH && is_fine; i++) {
        end += strspn(end, " ");
        if (*end == '-') {
            end++;
            continue;
        }
        uint32_t there = (uint32_t)strtoul(end, &end, 16);
        memset(machine->out, 0, sizeof machine->out);
        uint32_t here = run(machine, i) ? ptx_chain_hash(machine->out) : ~there;
        if (here != there) {
            fprintf(check->log, "%s %zu of seed %llu: its registers are not the GPU's\n",
                    check->has_sums ? "sums" : "chain", batch * PTX_BATCH + i, check->seed);
        }
        check->counts->n_wrong_chains += here != there;
        check->counts->chains++;
    }
    stop(machine);
    return is_fine;
}

/* ---- files ----------------------------------------------------------------------------------- */

static size_t find_form(const struct check *check, const char *text)
{
    size_t i = 0;
    while (i < check->n_forms && strcmp(check->form[i].text, text) != 0) {
        i++;
    }
    return i;
}

static void read_head(struct check *check, const char *line)
{
    if (sscanf(line, "# seed %llu", &check->seed) == 1) {
        ptx_operands(check->seed, &check->forms.operands);
        check->at = 0;
    } else if (sscanf(line, "# chains %llu %zu", &check->seed, &check->length) == 2) {
        check->has_sums = false;
    } else if (sscanf(line, "# sums %llu %zu", &check->seed, &check->length) == 2) {
        check->has_sums = true;
    } else if (strncmp(line, "# approximations", 16) == 0) {
        check->is_sampling = true;
    }
}

static bool read_row(struct check *check, char *line)
{
    char *tab = strchr(line, '\t');
    if (tab == NULL) {
        return false;
    }
    *tab = '\0';
    if (check->length > 0 && line[0] >= '0' && line[0] <= '9') {
        *tab = ' ';
        return compare_batch(check, line);
    }
    size_t i = check->is_sampling ? find_form(check, line) : check->at++;
    if (i >= check->n_forms || strcmp(line, check->form[i].text) != 0) {
        fprintf(check->log, "%s: no form of these\n", line);
        return false;
    }
    if (check->is_sampling) {
        check->counts->n_wrong += !compare_samples(check, i, tab + 1);
        check->counts->samples += PTX_LANES;
    } else {
        check->counts->n_wrong += !compare_form(check, i, tab + 1);
        check->counts->forms++;
    }
    return true;
}

bool ptx_check(FILE *file, FILE *log, bool tells, struct ptx_counts *counts)
{
    struct check *check = calloc(1, sizeof *check);
    char *line = malloc(LINE_SIZE);
    FILE *module = tmpfile();
    bool is_fine = check != NULL && line != NULL && module != NULL;
    *counts = (struct ptx_counts){0};
    if (is_fine) {
        check->counts = counts;
        check->log = log;
        check->n_forms = ptx_forms(check->form);
        ptx_write_module(module, check->form, check->n_forms);
        is_fine = start(&check->forms, module, log);
    }
    while (is_fine && fgets(line, LINE_SIZE, file) != NULL) {
        if (line[0] == '#') {
            read_head(check, line);
        } else {
            is_fine = read_row(check, line);
        }
    }
    if (is_fine && tells) {
        tell_errors(check);
    }
    if (check != NULL) {
        stop(&check->forms);
    }
    free(line);
    free(check);
    return is_fine;
}

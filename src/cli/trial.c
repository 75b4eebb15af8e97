/* trial.c - a plan of advice tried on a kernel's source: written into the file's text, the kernel run again, and
 * its arrays compared, byte for byte, and its accesses outside of shared memory, address for address. */
#include "cli/trial.h"

#include "base/scan.h"

#include <banksim/cuda.h>

#include <inttypes.h>
#include <string.h>

enum { MOST_ARGUMENTS = 64, MOST_MEMBERS = 16 };

void bsim_cli_version_free(struct version *version)
{
    bsim_buffer_free(&version->text);
    bsim_buffer_free(&version->launch);
    bsim_cli_call_free(&version->call);
    *version = (struct version){.wavefronts = 0};
}

/* ---- running --------------------------------------------------------------------------------- */

/* Hands records on, and sums up what is accessed outside of shared memory. */
struct watch {
    const struct bsim_sink *sink;
    struct version *version;
    struct bsim_dim3 block;
    uint64_t times; /* of loops around */
    uint64_t outer[BSIM_REPEAT_MAX_DEPTH];
    size_t n_outer;
};

static uint64_t mixed(uint64_t hash, uint64_t with)
{
    hash = (hash ^ with) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* In any order of warps, as many times as there are turns. */
static void add_event(struct watch *watch, const struct bsim_event *event)
{
    uint64_t address[BSIM_WARP_LANES], hash = mixed(event->warp, event->mask);
    if (event->opcode.space == BSIM_SHARED || event->opcode.space == BSIM_PEER ||
        event->opcode.space == BSIM_NO_SPACE) {
        return;
    }
    bsim_event_addresses(event, address);
    hash = mixed(mixed(hash, watch->block.x), (uint64_t)watch->block.y << 32 | watch->block.z);
    hash = mixed(mixed(hash, event->opcode.family), event->opcode.bytes);
    for (size_t i = 0; i < BSIM_WARP_LANES; i++) {
        hash = mixed(hash, address[i]);
    }
    watch->version->elsewhere += hash * watch->times;
}

static enum bsim_status look_at(void *context, const struct bsim_record *record,
                                struct bsim_error *err)
{
    struct watch *watch = context;
    if (record->kind == BSIM_RECORD_BLOCK) {
        watch->block = record->u.block;
    } else if (record->kind == BSIM_RECORD_EVENT) {
        add_event(watch, record->u.event);
    } else if (record->kind == BSIM_RECORD_REPEAT && watch->n_outer < BSIM_REPEAT_MAX_DEPTH) {
        watch->outer[watch->n_outer++] = watch->times;
        watch->times *= record->u.repeat.trips;
    } else if (record->kind == BSIM_RECORD_DONE && watch->n_outer > 0) {
        watch->times = watch->outer[--watch->n_outer];
    }
    return watch->sink->push(watch->sink->context, record, err);
}

static enum bsim_status push(void *context, const struct bsim_sink *sink, struct bsim_error *err)
{
    struct version *version = context;
    struct watch watch = {.sink = sink, .version = version, .times = 1};
    struct bsim_sink between = {.push = look_at, .context = &watch};
    return bsim_ptx_call_run(version->call.ptx, &between, err);
}

static enum bsim_status count(const struct trial *trial, struct version *version,
                              struct bsim_error *err)
{
    static const struct bsim_timer_options timing = {.max_events = BSIM_TIMER_EVENTS};
    struct bsim_source source = {.push = push, .context = version};
    struct bsim_run_options options = {.device = trial->device, .timing = &timing};
    struct bsim_result result = {.n_kernels = 0};
    enum bsim_status status = bsim_run(&source, &options, &result, err);
    if (status == BSIM_OK && result.n_kernels > 0) {
        const struct bsim_kernel_result *kernel = &result.kernels[0];
        struct bsim_tally total = bsim_kernel_total(kernel);
        version->requests = total.requests;
        version->wavefronts = total.wavefronts;
        version->cycles =
            kernel->timed.is_timed && !kernel->timed.left_out ? kernel->timed.cycles : 0;
    }
    bsim_result_free(&result);
    return status;
}

static enum bsim_status run(const struct trial *trial, struct version *version,
                            struct bsim_error *err)
{
    const struct options *options = trial->options;
    bsim_buffer_add(&version->call.text, version->text.data, version->text.size_bytes);
    enum bsim_status status = bsim_buffer_status(&version->call.text, err);
    if (status == BSIM_OK) {
        const char *launch = version->launch.data != NULL ? version->launch.data : options->launch;
        status =
            bsim_cli_call_open(options, options->launch_file, launch, true, &version->call, err);
    }
    return status == BSIM_OK ? count(trial, version, err) : status;
}

static bool same_array(const struct version *a, const struct version *b, const char *path)
{
    size_t size[2] = {0, 0};
    const void *x = bsim_ptx_call_array(a->call.ptx, path, &size[0]);
    const void *y = bsim_ptx_call_array(b->call.ptx, path, &size[1]);
    return x == NULL || (y != NULL && size[0] == size[1] && memcmp(x, y, size[0]) == 0);
}

/* Whether both accessed the same outside of shared memory, and left the same bytes in all arrays of the launch,
 * and members that are arrays. */
static bool is_same(const struct version *a, const struct version *b)
{
    char path[32];
    bool same = a->elsewhere == b->elsewhere;
    for (int i = 0; i < MOST_ARGUMENTS && same; i++) {
        (void)snprintf(path, sizeof path, "%d", i);
        same = same_array(a, b, path);
        for (int k = 0; k < MOST_MEMBERS && same; k++) {
            (void)snprintf(path, sizeof path, "%d.%d", i, k);
            same = same_array(a, b, path);
        }
    }
    return same;
}

/* The dimensions that a declaration has behind the array's name. */
static void read_dimensions(const char *declaration, const char *name, uint32_t *dimension,
                            uint32_t n)
{
    const char *at = declaration;
    size_t length = strlen(name);
    while ((at = strstr(at, name)) != NULL &&
           (at[length] != '[' || at == declaration || at[-1] != ' ')) {
        at += length;
    }
    for (uint32_t i = 0; i < n && at != NULL && (at = strchr(at, '[')) != NULL; i++) {
        uint32_t value = 0;
        for (at++; *at >= '0' && *at <= '9'; at++) {
            value = 10 * value + (uint32_t)(*at - '0');
        }
        dimension[i] = value;
    }
}

/* Why such a layout is no edit of a declaration and its subscripts; NULL: it may be. */
static const char *fault_of(const struct bsim_check_array *array, const struct bsim_layout *layout,
                            const struct bsim_buffer *linear)
{
    bool has_dimensions = array->n_dimensions > 0 && (array->is_extern || array->dimension[0] > 0);
    return !has_dimensions                           ? "it has no dimensions to change"
           : layout->apart || layout->more_bytes > 0 ? "members of structs move"
           : linear->size_bytes > 0 ? "its index counts through all dimensions at once"
                                    : NULL;
}

/* Writes the array anew into *text. */
static enum bsim_status lay(const struct trial *trial, const struct bsim_advice_plan *plan, size_t i,
                            struct bsim_buffer *text, struct bsim_error *err)
{
    const struct bsim_check_array *array = &trial->contents->array[i];
    struct bsim_buffer declaration = BSIM_BUFFER_EMPTY, index = BSIM_BUFFER_EMPTY,
                       element = BSIM_BUFFER_EMPTY, linear = BSIM_BUFFER_EMPTY,
                       laid = BSIM_BUFFER_EMPTY;
    uint32_t to[BSIM_CHECK_MAX_DIMENSIONS] = {0};
    bsim_layout_declaration(array, &plan->layout[i], plan->alignment[i], plan->n_elements[i],
                            &declaration);
    bsim_layout_spell(BSIM_LAYOUT_INDEX, array, &plan->layout[i], &index);
    bsim_layout_spell(BSIM_LAYOUT_ELEMENT, array, &plan->layout[i], &element);
    bsim_layout_spell(BSIM_LAYOUT_LINEAR, array, &plan->layout[i], &linear);
    enum bsim_status status = bsim_buffer_status(&declaration, err);
    status = status == BSIM_OK ? bsim_buffer_status(&index, err) : status;
    status = status == BSIM_OK ? bsim_buffer_status(&element, err) : status;
    const char *fault = fault_of(array, &plan->layout[i], &linear);
    if (status == BSIM_OK && fault != NULL) {
        status = bsim_error_set(err, BSIM_E_INPUT, "%s: %s", array->name, fault);
    }
    if (status == BSIM_OK) {
        read_dimensions(declaration.data, array->name, to, array->n_dimensions);
        bool keeps = strcmp(index.data, element.data) == 0;
        struct bsim_cuda_relaid relaid = {.name = array->name,
                                          .n_dimensions = array->n_dimensions,
                                          .from = array->dimension,
                                          .to = to,
                                          .index = keeps ? NULL : index.data};
        status = bsim_cuda_relay(trial->options->launch_file, text->data, text->size_bytes,
                                 trial->kernel.data, &relaid, &laid, err);
    }
    if (status == BSIM_OK) {
        bsim_buffer_free(text);
        *text = laid;
    } else {
        bsim_buffer_free(&laid);
    }
    bsim_buffer_free(&declaration);
    bsim_buffer_free(&index);
    bsim_buffer_free(&element);
    bsim_buffer_free(&linear);
    return status;
}

/* Bytes by which the plan's dynamic arrays are larger. */
static uint64_t growth(const struct trial *trial, const struct bsim_advice_plan *plan)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < trial->contents->n_arrays; i++) {
        const struct bsim_check_array *array = &trial->contents->array[i];
        uint32_t from = trial->now->n_elements[i], to = plan->n_elements[i];
        if (array->is_extern && to > from) {
            bytes += (uint64_t)(to - from) * array->element_bytes;
        }
    }
    return bytes;
}

/* The third of the numbers between '<<<' and '>>>', of which the others may be dim3(1, 2): the bytes of dynamic
 * arrays. NULL: there is none. */
static const char *find_bytes(const char *launch)
{
    const char *at = strstr(launch, "<<<");
    int depth = 0, n_commas = 0;
    for (at = at != NULL ? at + 3 : ""; *at != '\0' && *at != '>' && n_commas < 2; at++) {
        depth += (*at == '(') - (*at == ')');
        n_commas += *at == ',' && depth == 0;
    }
    at = bsim_skip_blanks(at);
    return n_commas == 2 && *at >= '0' && *at <= '9' ? at : NULL;
}

/* The launch with more bytes for its dynamic arrays, where they need them. */
static enum bsim_status write_launch(const struct trial *trial, uint64_t more,
                                     struct version *version, struct bsim_error *err)
{
    const char *launch = trial->options->launch, *at = find_bytes(launch);
    if (more == 0 || at == NULL) {
        return BSIM_OK;
    }
    size_t length = strspn(at, "0123456789");
    for (size_t i = 0; i < length; i++) {
        version->dynamic_bytes = 10 * version->dynamic_bytes + (uint64_t)(at[i] - '0');
    }
    version->dynamic_bytes += more;
    bsim_buffer_add(&version->launch, launch, (size_t)(at - launch));
    bsim_buffer_printf(&version->launch, "%" PRIu64 "%s", version->dynamic_bytes, at + length);
    return bsim_buffer_status(&version->launch, err);
}

static enum bsim_status write_plan(const struct trial *trial, const struct bsim_advice_plan *plan,
                                   struct version *version, struct bsim_error *err)
{
    bsim_buffer_add(&version->text, trial->before.text.data, trial->before.text.size_bytes);
    enum bsim_status status = bsim_buffer_status(&version->text, err);
    for (size_t i = 0; i < trial->contents->n_arrays && status == BSIM_OK; i++) {
        if (plan->layout[i].kind != BSIM_LAYOUT_AS_IS || plan->layout[i].columns > 0) {
            status = lay(trial, plan, i, &version->text, err);
        }
    }
    return status == BSIM_OK ? write_launch(trial, growth(trial, plan), version, err) : status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

enum bsim_status bsim_cli_trial_begin(const struct options *options, const struct bsim_check *check,
                                      const struct bsim_advice *advice, struct trial *trial,
                                      struct bsim_error *err)
{
    *trial = (struct trial){.options = options,
                            .contents = bsim_check_contents(check),
                            .device = &advice->device,
                            .now = &advice->before};
    const char *launch = bsim_skip_blanks(options->launch);
    bsim_buffer_add(&trial->kernel, launch, strcspn(launch, " \t<"));
    enum bsim_status status = bsim_buffer_status(&trial->kernel, err);
    if (status == BSIM_OK) {
        status = bsim_cli_read_kernels(options->launch_file, &trial->before.text, err);
    }
    return status == BSIM_OK ? run(trial, &trial->before, err) : status;
}

enum bsim_status bsim_cli_trial_of(const struct trial *trial, const struct bsim_advice_plan *plan,
                                   struct version *version, struct bsim_error *err)
{
    enum bsim_status status = write_plan(trial, plan, version, err);
    if (status == BSIM_OK) {
        status = run(trial, version, err);
    }
    if (status == BSIM_OK && !is_same(&trial->before, version)) {
        status = bsim_error_set(err, BSIM_E_KERNEL,
                                "with it the kernel leaves other bytes or accesses other places, as something "
                                "reaches the array otherwise");
    }
    return status;
}

void bsim_cli_trial_why(const struct bsim_error *err, struct bsim_buffer *out)
{
    bsim_buffer_text(out, err->message);
    if (err->line > 0) {
        bsim_buffer_printf(out, " (line %llu)", (unsigned long long)err->line);
    }
}

void bsim_cli_trial_end(struct trial *trial)
{
    bsim_cli_version_free(&trial->before);
    bsim_buffer_free(&trial->kernel);
}

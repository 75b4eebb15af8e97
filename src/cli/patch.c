/* patch.c - the plans of advice as edits of a kernel's source: each is written into the text, the kernel run
 * again, and its arrays compared, byte for byte, and its accesses outside of shared memory, address for
 * address; the best that computes the same is printed as a unified diff. */
#include "cli/cli.h"

#include "base/memory.h"
#include "base/scan.h"

#include <banksim/cuda.h>

#include <inttypes.h>
#include <string.h>

enum { MOST_ARGUMENTS = 64, MOST_MEMBERS = 16, CONTEXT = 3 };

/* A kernel's source, and what running it gave. */
struct version {
    struct bsim_buffer text;
    struct bsim_buffer launch; /* with the bytes that its dynamic arrays need; empty: as it was asked */
    uint64_t dynamic_bytes;    /* of that */
    struct call call;
    uint64_t requests;
    uint64_t wavefronts, cycles; /* 0: not known */
    uint64_t elsewhere;          /* of all accesses but those of shared memory, lane by lane */
};

struct patch {
    const struct options *options;
    const struct bsim_check_contents *contents;
    struct bsim_advice *advice;
    struct bsim_buffer kernel; /* its name, without a template's arguments */
    struct version before, best;
    size_t best_plan; /* n_plans: none */
    struct bsim_buffer *out;
};

static void free_version(struct version *version)
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

static enum bsim_status count(const struct patch *patch, struct version *version,
                              struct bsim_error *err)
{
    static const struct bsim_timer_options timing = {.max_events = BSIM_TIMER_EVENTS};
    struct bsim_source source = {.push = push, .context = version};
    struct bsim_run_options options = {.device = &patch->advice->device, .timing = &timing};
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

static enum bsim_status run(const struct patch *patch, struct version *version,
                            struct bsim_error *err)
{
    const struct options *options = patch->options;
    bsim_buffer_add(&version->call.text, version->text.data, version->text.size_bytes);
    enum bsim_status status = bsim_buffer_status(&version->call.text, err);
    if (status == BSIM_OK) {
        const char *launch = version->launch.data != NULL ? version->launch.data : options->launch;
        status =
            bsim_cli_call_open(options, options->launch_file, launch, true, &version->call, err);
    }
    return status == BSIM_OK ? count(patch, version, err) : status;
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

/* ---- writing --------------------------------------------------------------------------------- */

static void say_why(struct patch *patch, size_t plan, const char *why)
{
    bsim_buffer_printf(&patch->advice->plan[plan].written, "not written into the file: %s", why);
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
static enum bsim_status lay(struct patch *patch, const struct bsim_advice_plan *plan, size_t i,
                            struct bsim_buffer *text, struct bsim_error *err)
{
    const struct bsim_check_array *array = &patch->contents->array[i];
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
        status = bsim_cuda_relay(patch->options->launch_file, text->data, text->size_bytes,
                                 patch->kernel.data, &relaid, &laid, err);
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
static uint64_t growth(const struct patch *patch, const struct bsim_advice_plan *plan)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < patch->advice->n_arrays; i++) {
        const struct bsim_check_array *array = &patch->contents->array[i];
        uint32_t from = patch->advice->before.n_elements[i], to = plan->n_elements[i];
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
static enum bsim_status write_launch(const struct patch *patch, uint64_t more,
                                     struct version *version, struct bsim_error *err)
{
    const char *launch = patch->options->launch, *at = find_bytes(launch);
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

static enum bsim_status write_plan(struct patch *patch, size_t p, struct version *version,
                                   struct bsim_error *err)
{
    const struct bsim_advice_plan *plan = &patch->advice->plan[p];
    bsim_buffer_add(&version->text, patch->before.text.data, patch->before.text.size_bytes);
    enum bsim_status status = bsim_buffer_status(&version->text, err);
    for (size_t i = 0; i < patch->advice->n_arrays && status == BSIM_OK; i++) {
        if (plan->layout[i].kind != BSIM_LAYOUT_AS_IS || plan->layout[i].columns > 0) {
            status = lay(patch, plan, i, &version->text, err);
        }
    }
    return status == BSIM_OK ? write_launch(patch, growth(patch, plan), version, err) : status;
}

/* ---- choosing -------------------------------------------------------------------------------- */

static bool is_better(const struct version *a, const struct version *b)
{
    bool timed = a->cycles > 0 && b->cycles > 0;
    return timed && a->cycles != b->cycles ? a->cycles < b->cycles : a->wavefronts < b->wavefronts;
}

/* "in the file: wavefronts 640 (now 2176), cycles 4267 (now 4437)", and where the plan's own figures cannot be had,
 * why: "; ptxas merges fewer accesses with such indices: 1088 requests, not 192". */
static void say_figures(struct patch *patch, size_t p, const struct version *version)
{
    const struct version *before = &patch->before;
    struct bsim_advice_plan *plan = &patch->advice->plan[p];
    struct bsim_buffer *out = &plan->written;
    bsim_buffer_printf(out, "in the file: %swavefronts %" PRIu64 " (now %" PRIu64 ")",
                       is_better(version, before) ? "" : "no gain, ", version->wavefronts,
                       before->wavefronts);
    if (before->cycles > 0 && version->cycles > 0) {
        bsim_buffer_printf(out, ", cycles %" PRIu64 " (now %" PRIu64 ")", version->cycles,
                           before->cycles);
    }
    if (version->requests > before->requests) {
        bsim_buffer_printf(out,
                           "; ptxas merges fewer accesses with such indices: %" PRIu64
                           " requests, not %" PRIu64,
                           version->requests, before->requests);
    }
    plan->written_wavefronts = version->wavefronts;
}

/* Fails for want of memory alone: a plan that cannot be written, or computes something else, is told. */
static enum bsim_status try_plan(struct patch *patch, size_t p, struct bsim_error *err)
{
    struct version version = {.wavefronts = 0};
    enum bsim_status status = write_plan(patch, p, &version, err);
    if (status == BSIM_OK) {
        status = run(patch, &version, err);
    }
    if (status == BSIM_OK && !is_same(&patch->before, &version)) {
        say_why(
            patch, p,
            "with it the kernel leaves other bytes or accesses other places, as something reaches "
            "the array otherwise");
    } else if (status == BSIM_OK) {
        say_figures(patch, p, &version);
        if (is_better(&version, &patch->best)) {
            struct version worse = patch->best;
            patch->best = version;
            patch->best_plan = p;
            version = worse;
        }
    } else if (status != BSIM_OK && status != BSIM_E_MEMORY) {
        struct bsim_buffer why = BSIM_BUFFER_EMPTY;
        bsim_buffer_printf(&why, "%s", err->message);
        if (err->line > 0) {
            bsim_buffer_printf(&why, " (line %llu)", (unsigned long long)err->line);
        }
        say_why(patch, p, why.data != NULL ? why.data : "");
        bsim_buffer_free(&why);
    }
    free_version(&version);
    return status == BSIM_E_MEMORY ? status : BSIM_OK;
}

/* ---- the diff -------------------------------------------------------------------------------- */

/* The text's line, without its end; moves *at behind it. False at the text's end. */
static bool take_line(const char **at, const char **line, size_t *length)
{
    if (**at == '\0') {
        return false;
    }
    *line = *at;
    *length = strcspn(*at, "\n");
    *at += *length + ((*at)[*length] == '\n');
    return true;
}

/* A line of a diff; the file's last one may have no end. */
static void add_line(char mark, const char *line, size_t length, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "%c%.*s\n", mark, (int)length, line);
    if (line[length] == '\0') {
        bsim_buffer_text(out, "\\ No newline at end of file\n");
    }
}

/* Lines of both texts, of which there are as many. */
struct pair {
    const char *text[2];
    size_t length[2];
    bool differs;
};

static size_t split(const char *before, const char *after, struct pair *pair)
{
    size_t n = 0;
    const char *a = before, *b = after;
    struct pair one;
    while (take_line(&a, &one.text[0], &one.length[0]) &&
           take_line(&b, &one.text[1], &one.length[1])) {
        one.differs =
            one.length[0] != one.length[1] || memcmp(one.text[0], one.text[1], one.length[0]) != 0;
        if (pair != NULL) {
            pair[n] = one;
        }
        n++;
    }
    return n;
}

/* Lines that differ in a row: those before, and those now. */
static size_t add_change(const struct pair *pair, size_t i, size_t end, struct bsim_buffer *out)
{
    size_t behind = i;
    while (behind < end && pair[behind].differs) {
        behind++;
    }
    for (int of = 0; of < 2; of++) {
        for (size_t k = i; k < behind; k++) {
            add_line(of == 0 ? '-' : '+', pair[k].text[of], pair[k].length[of], out);
        }
    }
    return behind;
}

static void add_hunk(const struct pair *pair, size_t begin, size_t end, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "@@ -%zu,%zu +%zu,%zu @@\n", begin + 1, end - begin, begin + 1,
                       end - begin);
    for (size_t i = begin; i < end;) {
        if (pair[i].differs) {
            i = add_change(pair, i, end, out);
        } else {
            add_line(' ', pair[i].text[0], pair[i].length[0], out);
            i++;
        }
    }
}

/* Hunks whose lines in common would touch are one. */
static void add_hunks(const struct pair *pair, size_t n, struct bsim_buffer *out)
{
    for (size_t i = 0; i < n; i++) {
        if (!pair[i].differs) {
            continue;
        }
        size_t begin = i > CONTEXT ? i - CONTEXT : 0, last = i;
        for (size_t k = i; k < n && k <= last + 2 * CONTEXT + 1; k++) {
            last = pair[k].differs ? k : last;
        }
        size_t end = last + CONTEXT + 1 < n ? last + CONTEXT + 1 : n;
        add_hunk(pair, begin, end, out);
        i = end - 1 > last ? end - 1 : last;
    }
}

static enum bsim_status add_diff(const struct patch *patch, struct bsim_error *err)
{
    const char *path = patch->options->launch_file;
    size_t n = split(patch->before.text.data, patch->best.text.data, NULL);
    struct pair *pair = bsim_mem_zeroed(n + 1, sizeof *pair);
    if (pair == NULL) {
        return bsim_mem_short(err);
    }
    (void)split(patch->before.text.data, patch->best.text.data, pair);
    bsim_buffer_printf(patch->out, "--- %s\n+++ %s\n", path, path);
    add_hunks(pair, n, patch->out);
    bsim_mem_free(pair);
    return BSIM_OK;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static enum bsim_status tell(struct patch *patch, struct bsim_error *err)
{
    if (patch->best_plan == patch->advice->n_plans) {
        bsim_buffer_text(patch->out,
                         patch->advice->n_plans > 0 ? "No plan was written into the file.\n" : "");
        return BSIM_OK;
    }
    bsim_buffer_printf(
        patch->out,
        "Plan %zu was written into the file, and the kernel run again: its arrays are the "
        "same, byte for byte, and so are the addresses of all other accesses.",
        patch->best_plan + 1);
    if (patch->best.dynamic_bytes > 0) {
        bsim_buffer_printf(patch->out,
                           "\n   launched with %" PRIu64 " bytes of dynamic shared memory, which "
                           "the host has to give as well",
                           patch->best.dynamic_bytes);
    }
    bsim_buffer_text(patch->out, "\n'patch -p0' takes it:\n");
    return add_diff(patch, err);
}

enum bsim_status bsim_cli_patch(const struct options *options, const struct bsim_check *check,
                                struct bsim_advice *advice, struct bsim_buffer *out,
                                struct bsim_error *err)
{
    struct patch patch = {.options = options,
                          .contents = bsim_check_contents(check),
                          .advice = advice,
                          .best_plan = advice->n_plans,
                          .out = out};
    const char *launch = bsim_skip_blanks(options->launch);
    bsim_buffer_add(&patch.kernel, launch, strcspn(launch, " \t<"));
    enum bsim_status status = bsim_buffer_status(&patch.kernel, err);
    if (status == BSIM_OK) {
        status = bsim_cli_read_kernels(options->launch_file, &patch.before.text, err);
    }
    if (status == BSIM_OK) {
        status = run(&patch, &patch.before, err);
    }
    patch.best.wavefronts = patch.before.wavefronts;
    patch.best.cycles = patch.before.cycles;
    bsim_buffer_text(out, "\n");
    for (size_t p = 0; p < advice->n_plans && status == BSIM_OK; p++) {
        status = try_plan(&patch, p, err);
    }
    status = status == BSIM_OK ? tell(&patch, err) : status;
    free_version(&patch.before);
    free_version(&patch.best);
    bsim_buffer_free(&patch.kernel);
    return status;
}

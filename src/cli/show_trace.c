/* show_trace.c - one request of a trace: by its place, or by how bad it is.
 *
 * The trace is simulated whole, so that a broken one is told and its device= holds. What is kept is
 * one candidate for each site of each kernel (for each opcode, where events have no site): its
 * request that loses the most, the first of equals.
 */
#include "cli/show.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Which request is meant. */
struct wanted {
    bool by_place; /* otherwise the worst'th candidate */
    bool by_line;
    uint64_t line;
    const char *kernel; /* of n_kernel characters, or NULL: any */
    size_t n_kernel;
    struct bsim_dim3 block;
    uint32_t warp;
    uint64_t index;
    uint32_t site; /* 0: any */
    uint32_t worst;
};

struct candidate {
    size_t number; /* of candidates, in the order in which they came */
    size_t kernel_index;
    struct bsim_request request;
    uint64_t address[BSIM_WARP_LANES];
    uint32_t excessive; /* of other memory: how much the request takes */
    struct bsim_buffer title, place;
};

/* Places of candidates, plus 1; 0: none yet. */
struct slots {
    size_t *at;
    size_t n;
};

struct search {
    struct wanted wanted;
    size_t n;
    struct candidate *candidates; /* by place: at most one */
    size_t kernel_index;          /* the running kernel */
    struct slots sites;           /* its candidates by the index of their site */
    struct slots opcodes;         /* those without one, for each opcode as it came */
};

/* ---- what is wanted -------------------------------------------------------------------------- */

/* A decimal number of [text, end) with up to ten digits and 32 bits. */
static bool read_number(const char *text, const char *end, uint32_t *value)
{
    uint64_t number = 0;
    *value = 0;
    if (text == end || end - text > 10) {
        return false;
    }
    for (; text < end; text++) {
        if (*text < '0' || *text > '9') {
            return false;
        }
        number = 10 * number + (uint64_t)(*text - '0');
    }
    *value = (uint32_t)number;
    return number <= UINT32_MAX;
}

/* "x", "x,y" or "x,y,z". */
static bool read_block(const char *text, const char *end, struct bsim_dim3 *block)
{
    uint32_t *coordinate[] = {&block->x, &block->y, &block->z};
    *block = (struct bsim_dim3){0, 0, 0};
    for (size_t i = 0; i < 3; i++) {
        const char *comma = memchr(text, ',', (size_t)(end - text));
        if (!read_number(text, comma != NULL ? comma : end, coordinate[i])) {
            return false;
        }
        if (comma == NULL) {
            return true;
        }
        text = comma + 1;
    }
    return false;
}

/* The last ':' in [text, end), or NULL. */
static const char *last_colon(const char *text, const char *end)
{
    while (end > text && end[-1] != ':') {
        end--;
    }
    return end > text ? end - 1 : NULL;
}

/* "KERNEL:BLOCK:WARP:INDEX" or without the kernel, whose name may have colons of its own. */
static bool read_event(const char *text, struct wanted *wanted)
{
    uint32_t number;
    const char *end = text + strlen(text);
    const char *index = last_colon(text, end);
    const char *warp = index != NULL ? last_colon(text, index) : NULL;
    wanted->by_place = true;
    if (index == NULL) {
        wanted->by_line = read_number(text, end, &number);
        wanted->line = number;
        return wanted->by_line && number > 0;
    }
    if (warp == NULL || !read_number(index + 1, end, &number) ||
        !read_number(warp + 1, index, &wanted->warp)) {
        return false;
    }
    wanted->index = number;
    const char *block = last_colon(text, warp);
    if (block != NULL && block > text) {
        wanted->kernel = text;
        wanted->n_kernel = (size_t)(block - text);
    }
    return read_block(block != NULL ? block + 1 : text, warp, &wanted->block);
}

static enum bsim_status read_wanted(const struct show_options *show, struct wanted *wanted,
                                    struct bsim_error *err)
{
    *wanted = (struct wanted){.worst = 1};
    if (show->event != NULL && (show->site != NULL || show->worst != NULL)) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "--event names one request: leave out --site and --worst");
    }
    if (show->event != NULL && !read_event(show->event, wanted)) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "--event is a line of the trace, or [KERNEL:]BLOCK:WARP:INDEX as "
                              "'run --per request' lists them, not '%s'",
                              show->event);
    }
    if (show->site != NULL &&
        !(read_number(show->site, show->site + strlen(show->site), &wanted->site) &&
          wanted->site > 0)) {
        return bsim_error_set(err, BSIM_E_USAGE, "--site takes a site's number, not '%s'",
                              show->site);
    }
    if (show->worst != NULL &&
        !(read_number(show->worst, show->worst + strlen(show->worst), &wanted->worst) &&
          wanted->worst > 0)) {
        return bsim_error_set(err, BSIM_E_USAGE, "--worst takes a number from 1 up, not '%s'",
                              show->worst);
    }
    return BSIM_OK;
}

static bool is_at_place(const struct wanted *wanted, const struct bsim_request_result *request)
{
    if (wanted->by_line) {
        return request->line == wanted->line;
    }
    return bsim_dim3_same(request->block, wanted->block) && request->warp == wanted->warp &&
           request->index == wanted->index &&
           (wanted->kernel == NULL ||
            (strlen(request->kernel->name) == wanted->n_kernel &&
             strncmp(request->kernel->name, wanted->kernel, wanted->n_kernel) == 0));
}

/* ---- candidates ------------------------------------------------------------------------------ */

/* Slot i, or NULL when memory is short. */
static size_t *reach(struct slots *slots, size_t i)
{
    for (; slots->n <= i; slots->n++) {
        size_t *more = bsim_mem_grow(slots->at, slots->n, sizeof *more);
        if (more == NULL) {
            return NULL;
        }
        slots->at = more;
        slots->at[slots->n] = 0;
    }
    return &slots->at[i];
}

/* Where the candidate stands that the request is one for, or NULL when memory is short. */
static size_t *slot_of(struct search *search, const struct bsim_request_result *request)
{
    const struct bsim_event *event = request->event;
    const struct slots *opcodes = &search->opcodes;
    size_t i = 0;
    if (search->kernel_index != request->kernel_index) {
        search->kernel_index = request->kernel_index;
        search->sites.n = search->opcodes.n = 0;
    }
    if (event->site != NULL) {
        return reach(&search->sites, event->site->index);
    }
    while (
        i < opcodes->n &&
        !bsim_opcode_same(&event->opcode, &search->candidates[opcodes->at[i] - 1].request.opcode)) {
        i++;
    }
    return reach(&search->opcodes, i);
}

static struct candidate *add_candidate(struct search *search)
{
    struct candidate *more = bsim_mem_grow(search->candidates, search->n, sizeof *more);
    if (more == NULL) {
        return NULL;
    }
    search->candidates = more;
    struct candidate *candidate = &search->candidates[search->n];
    memset(candidate, 0, sizeof *candidate);
    candidate->number = search->n++;
    return candidate;
}

static void put_texts(struct candidate *candidate, const struct bsim_request_result *request)
{
    const struct bsim_site *site = request->event->site;
    bsim_buffer_clear(&candidate->title);
    bsim_buffer_clear(&candidate->place);
    bsim_buffer_text(&candidate->title,
                     site != NULL && site->text != NULL ? site->text : request->kernel->name);
    bsim_buffer_printf(&candidate->place,
                       "%s, block (%" PRIu32 ",%" PRIu32 ",%" PRIu32 "), warp %" PRIu32
                       ", index %" PRIu64,
                       request->kernel->name, request->block.x, request->block.y, request->block.z,
                       request->warp, request->index);
    if (request->line > 0) {
        bsim_buffer_printf(&candidate->place, ", line %" PRIu64, request->line);
    }
    if (site != NULL && site->file != NULL) {
        bsim_buffer_printf(&candidate->place, ", %s:%" PRIu32, site->file, site->line);
    }
}

/* What makes a request the worst: one space's requests are compared with one another alone, as
 * those to other memory than shared are drawn only where they are named. */
static uint32_t cost_of(const struct bsim_request_result *request)
{
    return request->event->opcode.space == BSIM_SHARED
               ? bsim_counts_excessive(&request->counts)
               : request->global.sectors + request->constant_passes;
}

static enum bsim_status keep(struct candidate *candidate, const struct bsim_request_result *request,
                             struct bsim_error *err)
{
    candidate->kernel_index = request->kernel_index;
    candidate->excessive = cost_of(request);
    candidate->request.opcode = request->event->opcode;
    candidate->request.mask = request->event->mask;
    candidate->request.has_from = request->event->from != NULL;
    bsim_event_from(request->event, candidate->request.from);
    bsim_event_addresses(request->event, candidate->address);
    for (int lane = 0; lane < BSIM_WARP_LANES; lane++) {
        candidate->request.address[lane] = (uint32_t)candidate->address[lane];
    }
    put_texts(candidate, request);
    enum bsim_status status = bsim_buffer_status(&candidate->title, err);
    return status == BSIM_OK ? bsim_buffer_status(&candidate->place, err) : status;
}

static enum bsim_status on_request(void *context, const struct bsim_request_result *request,
                                   struct bsim_error *err)
{
    struct search *search = context;
    const struct wanted *wanted = &search->wanted;
    uint32_t site = request->event->site != NULL ? request->event->site->number : 0;
    bool is_named = wanted->by_place || wanted->site > 0;
    if ((request->event->opcode.space != BSIM_SHARED && !is_named) ||
        !bsim_cli_is_drawn(&request->event->opcode) ||
        (wanted->by_place && (search->n > 0 || !is_at_place(wanted, request))) ||
        (wanted->site > 0 && wanted->site != site)) {
        return BSIM_OK;
    }
    size_t *slot = slot_of(search, request);
    if (slot == NULL) {
        return bsim_mem_short(err);
    }
    struct candidate *candidate = *slot > 0 ? &search->candidates[*slot - 1] : NULL;
    if (candidate != NULL && cost_of(request) <= candidate->excessive) {
        return BSIM_OK;
    }
    candidate = candidate != NULL ? candidate : add_candidate(search);
    if (candidate == NULL) {
        return bsim_mem_short(err);
    }
    *slot = candidate->number + 1;
    return keep(candidate, request, err);
}

/* ---- the search ------------------------------------------------------------------------------ */

static enum bsim_status simulate(const struct options *options, char *path, struct search *search,
                                 struct bsim_result *result, struct bsim_error *err)
{
    struct bsim_device device;
    struct bsim_run_options run = {
        .device_options = options->device_options, .context = search, .on_request = on_request};
    enum bsim_status status = bsim_cli_device(options, &device, &run.device, err);
    return status == BSIM_OK ? bsim_cli_run_trace(path, &run, result, err) : status;
}

/* Those that lose more come first, and of equals those that came earlier. */
static int compare_candidates(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    if (a->excessive != b->excessive) {
        return a->excessive > b->excessive ? -1 : 1;
    }
    return a->number < b->number ? -1 : 1;
}

static enum bsim_status not_found(const struct options *options, const struct search *search,
                                  const char *path, struct bsim_error *err)
{
    if (search->wanted.by_place) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "%s has no access to memory at --event %s; 'banksim run --per "
                              "request' lists all",
                              path, options->show.event);
    }
    return bsim_error_set(err, BSIM_E_INPUT, "%s has only %zu site%s with shared-memory requests%s",
                          path, search->n, search->n == 1 ? "" : "s",
                          search->wanted.site > 0 ? " of that number" : "");
}

/* The picture gets the arrays that its kernel declares, if the request lies in them. */
static enum bsim_status add_arrays(const struct bsim_kernel_result *result, struct panels *panels,
                                   struct bsim_error *err)
{
    struct bsim_picture *picture = &panels->picture[panels->n - 1];
    struct bsim_kernel kernel = {.name = result->name,
                                 .extras = result->extras != NULL ? result->extras : ""};
    enum bsim_status status = bsim_check_declared(&kernel, &panels->arrays, err);
    if (panels->arrays != NULL &&
        bsim_check_locate(panels->arrays, &picture->request, &picture->asked)) {
        picture->check = panels->arrays;
    }
    return status;
}

static enum bsim_status pick(const struct options *options, struct search *search,
                             const struct bsim_result *result, const char *path,
                             struct panels *panels, struct bsim_error *err)
{
    size_t rank = search->wanted.worst - 1;
    if (search->n == 0 && !search->wanted.by_place) {
        return BSIM_OK;
    }
    if (rank >= search->n) {
        return not_found(options, search, path, err);
    }
    qsort(search->candidates, search->n, sizeof *search->candidates, compare_candidates);
    const struct candidate *candidate = &search->candidates[rank];
    const struct bsim_kernel_result *kernel = &result->kernels[candidate->kernel_index];
    enum bsim_status status =
        bsim_cli_panels_add(panels, &kernel->device, &candidate->request, candidate->address,
                            candidate->title.data, candidate->place.data, err);
    return status == BSIM_OK ? add_arrays(kernel, panels, err) : status;
}

enum bsim_status bsim_cli_show_trace(const struct options *options, char *path,
                                     struct panels *panels, struct bsim_error *err)
{
    struct search search = {.n = 0};
    struct bsim_result result = {.n_kernels = 0};
    enum bsim_status status = read_wanted(&options->show, &search.wanted, err);
    if (status == BSIM_OK) {
        status = simulate(options, path, &search, &result, err);
    }
    if (status == BSIM_OK) {
        status = pick(options, &search, &result, path, panels, err);
    }
    for (size_t i = 0; i < search.n; i++) {
        bsim_buffer_free(&search.candidates[i].title);
        bsim_buffer_free(&search.candidates[i].place);
    }
    bsim_mem_free(search.candidates);
    bsim_mem_free(search.sites.at);
    bsim_mem_free(search.opcodes.at);
    bsim_result_free(&result);
    return status;
}

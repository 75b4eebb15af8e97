/* answer.c - what the accesses of a check cost, which request of each loses the most, and what
 * helps. */
#include "run/spread.h"

#include "base/memory.h"

#include <banksim/advise.h>

#include <string.h>

/* Requests whose cycles are simulated: once with each access's conflicts removed. */
enum { TIMED_REQUESTS = 1 << 16 };

/* ---- counting -------------------------------------------------------------------------------- */

static enum bsim_status push(void *context, const struct bsim_sink *sink, struct bsim_error *err)
{
    return bsim_check_push(context, NULL, sink, err);
}

/* And how long it takes, where that is found in a moment. */
static enum bsim_status count(struct bsim_check *check, const struct bsim_ask *ask,
                              struct bsim_result *result, struct bsim_error *err)
{
    static const struct bsim_timer_options timing = {
        .max_events = BSIM_TIMER_EVENTS, .ideal = true, .ideal_sites = true};
    struct bsim_source source = {.push = push, .context = check};
    struct bsim_run_options options = {.device = ask->device,
                                       .device_options = ask->device_options};
    enum bsim_status status = bsim_run(&source, &options, result, err);
    if (status == BSIM_OK && ask->cycles &&
        bsim_kernel_total(&result->kernels[0]).requests <= TIMED_REQUESTS) {
        bsim_result_free(result);
        options.timing = &timing;
        status = bsim_run(&source, &options, result, err);
    }
    return status;
}

/* Of a recording the sites that its accesses are of come first, in their order. */
static void line_up(const struct bsim_check *check, struct bsim_kernel_result *kernel)
{
    const struct bsim_check_contents *contents = bsim_check_contents(check);
    for (size_t i = 0; i < contents->n_accesses && contents->recorded != NULL; i++) {
        const struct bsim_check_access *access = &contents->access[i];
        for (size_t k = i; k < kernel->n_sites; k++) {
            struct bsim_site_result site = kernel->sites[k];
            if (site.number == access->site && bsim_opcode_same(&site.opcode, &access->opcode)) {
                memmove(&kernel->sites[i + 1], &kernel->sites[i], (k - i) * sizeof site);
                kernel->sites[i] = site;
                break;
            }
        }
    }
}

/* ---- the worst request of each access -------------------------------------------------------- */

struct search {
    const struct bsim_check *check;
    const struct bsim_device *device;
    struct bsim_check_worst *worst;
    uint64_t end; /* of the shared memory that accesses reach, in bytes */
};

/* Keeps the request if none of its access has cost as much. */
static void keep(const struct search *search, const struct bsim_check_request *request,
                 uint32_t cost)
{
    struct bsim_check_worst *worst = &search->worst[request->access];
    size_t n_loops = bsim_check_contents(search->check)->access[request->access].n_loops;
    int64_t *loop = worst->loop;
    if (worst->is_known && cost <= worst->cost) {
        return;
    }
    for (size_t i = 0; i < n_loops; i++) {
        loop[i] = request->loop[i];
    }
    worst->is_known = true;
    worst->cost = cost;
    worst->request = *request;
    worst->request.loop = loop;
}

/* The byte behind the last one that the request accesses. */
static uint64_t reach(const struct bsim_check_request *request)
{
    uint64_t most = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint64_t end = (uint64_t)request->address[lane] + request->opcode.bytes;
        most = (request->lanes >> lane & 1) != 0 && end > most ? end : most;
    }
    return most;
}

/* How far an extern array reaches only its accesses tell. */
static enum bsim_status look(void *context, const struct bsim_check_request *request,
                             struct bsim_error *err)
{
    struct search *search = context;
    struct bsim_request plain = {
        .opcode = request->opcode, .mask = request->mask, .has_from = request->has_from};
    struct bsim_counts counts;
    uint64_t end = reach(request);
    search->end = end > search->end ? end : search->end;
    enum bsim_status status = bsim_device_check_shared(search->device, search->end, err);
    if (status == BSIM_OK) {
        memcpy(plain.address, request->address, sizeof plain.address);
        memcpy(plain.from, request->from, sizeof plain.from);
        bsim_request_count(search->device, &plain, &counts);
        keep(search, request, bsim_counts_excessive(&counts));
    }
    return status;
}

static enum bsim_status look_at_other(void *context, const struct bsim_check_request *request,
                                      struct bsim_error *err)
{
    const struct search *search = context;
    struct bsim_global_counts counts;
    uint64_t address[BSIM_WARP_LANES];
    (void)err;
    bsim_check_addresses(search->check, request, address);
    bsim_global_count(search->device, &request->opcode, request->mask, address, &counts);
    keep(search, request,
         request->opcode.space == BSIM_CONST
             ? bsim_constant_passes(&request->opcode, request->mask, address)
             : counts.sectors);
    return BSIM_OK;
}

/* Room for what is kept of each access: the loops' values lie behind the array. */
static bool make_room(struct bsim_answer *answer, const struct bsim_check_contents *contents)
{
    size_t n_loops = 0;
    for (size_t i = 0; i < contents->n_accesses; i++) {
        n_loops += contents->access[i].n_loops;
    }
    answer->n_accesses = contents->n_accesses;
    answer->worst = bsim_mem_zeroed(contents->n_accesses + 1, sizeof *answer->worst);
    answer->loops = bsim_mem_zeroed(n_loops + 1, sizeof *answer->loops);
    if (answer->worst == NULL || answer->loops == NULL) {
        return false;
    }
    n_loops = 0;
    for (size_t i = 0; i < contents->n_accesses; i++) {
        answer->worst[i].loop = answer->loops + n_loops;
        n_loops += contents->access[i].n_loops;
    }
    return true;
}

static enum bsim_status find_worst(const struct bsim_check *check, struct bsim_answer *answer,
                                   struct bsim_error *err)
{
    struct bsim_kernel_result *kernel = &answer->result.kernels[0];
    if (!make_room(answer, bsim_check_contents(check))) {
        return bsim_mem_short(err);
    }
    struct search search = {check, &kernel->device, answer->worst, kernel->shared_bytes};
    struct bsim_check_visitor visitor = {
        .shared = look, .other = look_at_other, .context = &search};
    enum bsim_status status = bsim_check_each(check, &visitor, err);
    kernel->shared_bytes = (uint32_t)search.end; /* of an extern array */
    return status == BSIM_OK && bsim_check_contents(check)->is_drawn
               ? bsim_spread_find(check, &kernel->device, answer->worst, err)
               : status;
}

/* ---- what helps ------------------------------------------------------------------------------ */

/* Why there is none, or what it is. */
static void tell_remedy(const struct bsim_check_contents *contents, struct bsim_advice *advice,
                        size_t access, struct bsim_buffer *remedy)
{
    if (contents->n_indices > 0) {
        bsim_buffer_text(remedy, "No layout is fitted to indices that data decide");
    } else if (advice == NULL) {
        bsim_buffer_printf(remedy,
                           "No layout was looked for, these being more than %d different "
                           "requests: ask about one warp or a shorter loop",
                           BSIM_ADVISE_MAX_PATTERNS);
    } else {
        *remedy = advice->hint[access].remedy;
        advice->hint[access].remedy = (struct bsim_buffer)BSIM_BUFFER_EMPTY;
    }
}

/* For each access, if some have conflicts. */
static enum bsim_status find_remedies(const struct bsim_check *check, const struct bsim_ask *ask,
                                      struct bsim_answer *answer, struct bsim_error *err)
{
    const struct bsim_kernel_result *kernel = &answer->result.kernels[0];
    struct bsim_tally total = bsim_kernel_total(kernel);
    struct bsim_advise_options options = {.hints = true};
    struct bsim_advice *advice = NULL;
    enum bsim_status status = BSIM_OK;
    const struct bsim_check_contents *contents = bsim_check_contents(check);
    bool may_be = contents->n_indices == 0;
    if (bsim_tally_excessive(&total) == 0) {
        return BSIM_OK;
    }
    if (may_be && bsim_advise(check, &kernel->device, &options, &advice, err) == BSIM_E_MEMORY) {
        return BSIM_E_MEMORY;
    }
    if (advice != NULL && ask->prove != NULL) {
        status = ask->prove(ask->context, check, kernel, advice, err);
        answer->tried_share = advice->tried_share;
    }
    for (size_t i = 0; i < answer->n_accesses && status == BSIM_OK; i++) {
        struct bsim_buffer *remedy = &answer->worst[i].remedy;
        tell_remedy(contents, advice, i, remedy);
        status = bsim_buffer_status(remedy, err);
    }
    bsim_advice_free(advice);
    return status;
}

/* ---- the answer ------------------------------------------------------------------------------ */

enum bsim_status bsim_answer(struct bsim_check *check, const struct bsim_ask *ask,
                             struct bsim_answer *answer, struct bsim_error *err)
{
    enum bsim_status status = count(check, ask, &answer->result, err);
    if (status == BSIM_OK) {
        line_up(check, &answer->result.kernels[0]);
        status = find_worst(check, answer, err);
    }
    if (status == BSIM_OK && ask->remedies) {
        status = find_remedies(check, ask, answer, err);
    }
    return status;
}

void bsim_answer_free(struct bsim_answer *answer)
{
    for (size_t i = 0; i < answer->n_accesses && answer->worst != NULL; i++) {
        bsim_buffer_free(&answer->worst[i].remedy);
    }
    bsim_mem_free(answer->worst);
    bsim_mem_free(answer->loops);
    bsim_result_free(&answer->result);
    memset(answer, 0, sizeof *answer);
}

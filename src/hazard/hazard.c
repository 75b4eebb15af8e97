/* hazard.c - the sink that looks for races and barrier faults: takes each record to the block, the
 * body of a repeat or the findings. See <banksim/hazard.h> for what is looked for and what is not.
 */
#include "hazard/body.h"
#include "hazard/sites.h"

#include "base/memory.h"

/* As in the trace format. */
#define MAX_TURNS (UINT64_C(1) << 40)

#define ANY_COMPUTE UINT32_MAX

/* Compute capability 7.0 has independent thread scheduling. */
enum { FIRST_APART = 70 };

struct bsim_hazards {
    struct bsim_findings findings;
    struct bsim_hazard_sites sites;
    struct bsim_block block;
    struct bsim_body body;
    uint32_t compute;   /* of the device that was asked for; ANY_COMPUTE: the kernel's own */
    uint32_t n_threads; /* of the running kernel's blocks */
    uint64_t turns[BSIM_REPEAT_MAX_DEPTH + 1]; /* product of the d outermost repeats */
    bool in_kernel, ended;
};

struct bsim_hazards *bsim_hazards_new(const struct bsim_hazard_options *options)
{
    struct bsim_hazards *hazards = bsim_mem_zeroed(1, sizeof *hazards);
    if (hazards == NULL) {
        return NULL;
    }
    hazards->findings.options = *options;
    hazards->compute = options->device != NULL ? options->device->compute : ANY_COMPUTE;
    hazards->findings.options.device = NULL;
    hazards->block.findings = &hazards->findings;
    hazards->turns[0] = 1;
    return hazards;
}

void bsim_hazards_free(struct bsim_hazards *hazards)
{
    if (hazards != NULL) {
        bsim_findings_free(&hazards->findings);
        bsim_hazard_sites_free(&hazards->sites);
        bsim_block_free(&hazards->block);
        bsim_body_free(&hazards->body);
        bsim_mem_free(hazards);
    }
}

struct bsim_hazard_counts bsim_hazards_count(const struct bsim_hazards *hazards)
{
    return hazards->findings.counts;
}

/* ---- records -------------------------------------------------------------------------------- */

static enum bsim_status out_of_order(struct bsim_error *err, const char *what)
{
    return bsim_error_set(err, BSIM_E_USAGE, "%s is out of order in the event stream", what);
}

/* The running block and kernel, if any, are over. */
static enum bsim_status finish_kernel(struct bsim_hazards *hazards, const char *what,
                                      struct bsim_error *err)
{
    if (hazards->body.depth > 0) {
        return out_of_order(err, what);
    }
    enum bsim_status status = bsim_block_finish(&hazards->block, err);
    if (status == BSIM_OK) {
        bsim_findings_report(&hazards->findings);
        bsim_hazard_sites_clear(&hazards->sites);
        hazards->in_kernel = false;
    }
    return status;
}

/* The generic device and those that are not known are taken for today's. */
static enum bsim_lane_order order_of(const struct bsim_hazards *hazards,
                                     const struct bsim_kernel *kernel)
{
    struct bsim_device device;
    uint32_t compute = hazards->compute;
    if (kernel->is_machine_code) {
        return BSIM_LANES_UNKNOWN;
    }
    if (compute == ANY_COMPUTE) {
        bool known = kernel->device != NULL &&
                     bsim_device_find(kernel->device, NULL, &device, NULL) == BSIM_OK;
        compute = known ? device.compute : 0;
    }
    return compute > 0 && compute < FIRST_APART ? BSIM_LANES_IN_STEP : BSIM_LANES_APART;
}

static enum bsim_status take_kernel(struct bsim_hazards *hazards, const struct bsim_kernel *kernel,
                                    struct bsim_error *err)
{
    enum bsim_status status = finish_kernel(hazards, "a kernel", err);
    if (status != BSIM_OK) {
        return status;
    }
    struct bsim_dim3 block = kernel->block;
    uint64_t threads = (uint64_t)block.x * block.y;
    threads = block.z == 0 || threads > BSIM_BLOCK_MAX_THREADS ? 0 : threads * block.z;
    if (threads == 0 || threads > BSIM_BLOCK_MAX_THREADS) {
        return bsim_error_set(err, BSIM_E_USAGE, "a block has 1 to %d threads",
                              BSIM_BLOCK_MAX_THREADS);
    }
    hazards->n_threads = (uint32_t)threads;
    hazards->block.lanes.order = order_of(hazards, kernel);
    hazards->in_kernel = true;
    return bsim_hazard_memory(bsim_findings_start(&hazards->findings, kernel->name), err);
}

static enum bsim_status take_site(struct bsim_hazards *hazards, const struct bsim_site *site,
                                  struct bsim_error *err)
{
    if (!hazards->in_kernel || site->index != hazards->sites.n) {
        return out_of_order(err, "a site");
    }
    return bsim_hazard_memory(bsim_hazard_sites_add(&hazards->sites, site), err);
}

static enum bsim_status take_block(struct bsim_hazards *hazards, struct bsim_dim3 place,
                                   struct bsim_error *err)
{
    if (!hazards->in_kernel || hazards->body.depth > 0) {
        return out_of_order(err, "a block");
    }
    enum bsim_status status = bsim_block_finish(&hazards->block, err);
    if (status == BSIM_OK) {
        bsim_block_start(&hazards->block, place, hazards->n_threads);
    }
    return status;
}

static enum bsim_status take_repeat(struct bsim_hazards *hazards, const struct bsim_repeat *repeat,
                                    struct bsim_error *err)
{
    uint32_t depth = hazards->body.depth;
    if (hazards->block.n_warps == 0 || depth == BSIM_REPEAT_MAX_DEPTH) {
        return out_of_order(err, "a repeat");
    }
    if (repeat->turns == 0 || hazards->turns[depth] > MAX_TURNS / repeat->turns) {
        return bsim_error_set(err, BSIM_E_USAGE, "repeats multiply to more than 2^40 turns");
    }
    hazards->turns[depth + 1] = hazards->turns[depth] * repeat->turns;
    return bsim_hazard_memory(bsim_body_open(&hazards->body, repeat->turns), err);
}

static enum bsim_status take_done(struct bsim_hazards *hazards, struct bsim_error *err)
{
    if (hazards->body.depth == 0) {
        return out_of_order(err, "done");
    }
    return bsim_body_close(&hazards->body, &hazards->block, err);
}

/* Plain accesses to memory that can be written, barriers and fences. */
static bool is_looked_at(const struct bsim_opcode *opcode)
{
    switch (opcode->family) {
    case BSIM_LD:
    case BSIM_ST:
    case BSIM_LDMATRIX:
    case BSIM_STMATRIX:
        return opcode->space == BSIM_SHARED || opcode->space == BSIM_GLOBAL;
    case BSIM_WARP_SYNC:
    case BSIM_FENCE:
    case BSIM_BAR:
        return true;
    default:
        return false;
    }
}

static bool is_sound(const struct bsim_hazards *hazards, const struct bsim_event *event)
{
    uint32_t n_warps = hazards->block.n_warps;
    return n_warps > 0 && (event->warp == BSIM_ALL_WARPS || event->warp < n_warps) &&
           (event->site == NULL || event->site->index < hazards->sites.n);
}

static enum bsim_status take_event(struct bsim_hazards *hazards, const struct bsim_event *event,
                                   uint64_t line, struct bsim_error *err)
{
    if (!is_sound(hazards, event)) {
        return out_of_order(err, "an event, its warp or its site");
    }
    if (!is_looked_at(&event->opcode)) {
        return BSIM_OK;
    }
    struct bsim_step step;
    uint64_t address[BSIM_WARP_LANES];
    bsim_step_take(event, line, &step, address);
    step.site = event->site != NULL ? hazards->sites.list[event->site->index] : NULL;
    if (hazards->body.depth > 0) {
        return bsim_hazard_memory(bsim_body_add(&hazards->body, &step, address), err);
    }
    return bsim_block_step(&hazards->block, &step, address, err);
}

static enum bsim_status take_end(struct bsim_hazards *hazards, struct bsim_error *err)
{
    enum bsim_status status = finish_kernel(hazards, "the end", err);
    hazards->ended = status == BSIM_OK;
    return status;
}

static enum bsim_status push(void *context, const struct bsim_record *record,
                             struct bsim_error *err)
{
    struct bsim_hazards *hazards = context;
    if (hazards->ended) {
        return out_of_order(err, "a record after the end");
    }
    switch (record->kind) {
    case BSIM_RECORD_KERNEL:
        return take_kernel(hazards, record->u.kernel, err);
    case BSIM_RECORD_SITE:
        return take_site(hazards, record->u.site, err);
    case BSIM_RECORD_BLOCK:
        return take_block(hazards, record->u.block, err);
    case BSIM_RECORD_EVENT:
        return take_event(hazards, record->u.event, record->line, err);
    case BSIM_RECORD_REPEAT:
        return take_repeat(hazards, &record->u.repeat, err);
    case BSIM_RECORD_DONE:
        return take_done(hazards, err);
    case BSIM_RECORD_END:
        return take_end(hazards, err);
    }
    return out_of_order(err, "an unknown record");
}

struct bsim_sink bsim_hazards_sink(struct bsim_hazards *hazards)
{
    return (struct bsim_sink){.push = push, .context = hazards};
}

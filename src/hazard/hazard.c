/* hazard.c - the sink that looks for races and barrier faults: takes each record to the block, the
 * body of a repeat or the findings. See <banksim/hazard.h> for what is looked for and what is not.
 */
#include "hazard/body.h"
#include "hazard/sites.h"

#include "base/memory.h"
#include "event/stream.h"

#define ANY_COMPUTE UINT32_MAX

/* Compute capability 7.0 has independent thread scheduling. */
enum { FIRST_APART = 70 };

struct bsim_hazards {
    struct bsim_findings findings;
    struct bsim_hazard_sites sites;
    struct bsim_block block;
    struct bsim_body body;
    struct bsim_stream stream;
    uint32_t compute; /* of the device that was asked for; ANY_COMPUTE: the kernel's own */
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

/* The running block and kernel, if any, are over. */
static enum bsim_status finish_kernel(struct bsim_hazards *hazards, struct bsim_error *err)
{
    enum bsim_status status = bsim_block_finish(&hazards->block, err);
    if (status == BSIM_OK) {
        hazards->findings.counts.n_partial += hazards->block.grid.is_full;
        bsim_findings_report(&hazards->findings);
        bsim_hazard_sites_clear(&hazards->sites);
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
    enum bsim_status status = finish_kernel(hazards, err);
    if (status != BSIM_OK) {
        return status;
    }
    hazards->findings.counts.kernels++;
    hazards->block.lanes.order = order_of(hazards, kernel);
    hazards->block.is_alone = (uint64_t)kernel->grid.x * kernel->grid.y * kernel->grid.z == 1;
    bsim_grid_start(&hazards->block.grid);
    return bsim_hazard_memory(bsim_findings_start(&hazards->findings, kernel->name), err);
}

static enum bsim_status take_block(struct bsim_hazards *hazards, struct bsim_dim3 place,
                                   struct bsim_error *err)
{
    enum bsim_status status = bsim_block_finish(&hazards->block, err);
    if (status == BSIM_OK) {
        bsim_block_start(&hazards->block, place, hazards->stream.n_threads);
    }
    return status;
}

/* To memory in which threads can meet. */
static bool can_meet(const struct bsim_opcode *opcode)
{
    return bsim_opcode_is_access(opcode) &&
           (opcode->space == BSIM_SHARED || opcode->space == BSIM_GLOBAL);
}

/* Plain accesses to memory that can be written, barriers and fences; those between proxies order none of these. */
static bool is_looked_at(const struct bsim_opcode *opcode)
{
    if ((bsim_family_does(opcode->family) & (BSIM_READS | BSIM_WRITES)) != 0) {
        return can_meet(opcode);
    }
    bool is_fence = opcode->family == BSIM_FENCE && opcode->operation != BSIM_PROXY_ASYNC;
    return opcode->family == BSIM_WARP_SYNC || is_fence ||
           opcode->family == BSIM_BAR || bsim_opcode_meets(opcode);
}

static enum bsim_status take_event(struct bsim_hazards *hazards, const struct bsim_event *event,
                                   uint64_t line, struct bsim_error *err)
{
    if (!is_looked_at(&event->opcode)) {
        hazards->findings.counts.passed_over +=
            can_meet(&event->opcode) || bsim_opcode_is_async(&event->opcode);
        return BSIM_OK;
    }
    hazards->findings.counts.accesses += can_meet(&event->opcode);
    struct bsim_step step;
    uint64_t address[BSIM_WARP_LANES];
    bsim_step_take(event, line, &step, address);
    step.site = event->site != NULL ? hazards->sites.list[event->site->index] : NULL;
    if (hazards->body.depth > 0) {
        return bsim_hazard_memory(bsim_body_add(&hazards->body, &step, address), err);
    }
    return bsim_block_step(&hazards->block, &step, address, err);
}

static enum bsim_status take(struct bsim_hazards *hazards, const struct bsim_record *record,
                             struct bsim_error *err)
{
    switch (record->kind) {
    case BSIM_RECORD_KERNEL:
        return take_kernel(hazards, record->u.kernel, err);
    case BSIM_RECORD_SITE:
        return bsim_hazard_memory(bsim_hazard_sites_add(&hazards->sites, record->u.site), err);
    case BSIM_RECORD_BLOCK:
        return take_block(hazards, record->u.block, err);
    case BSIM_RECORD_EVENT:
        return take_event(hazards, record->u.event, record->line, err);
    case BSIM_RECORD_REPEAT:
        return bsim_hazard_memory(bsim_body_open(&hazards->body, record->u.repeat.trips), err);
    case BSIM_RECORD_DONE:
        return bsim_body_close(&hazards->body, &hazards->block, err);
    case BSIM_RECORD_END:
        return finish_kernel(hazards, err);
    }
    return BSIM_OK;
}

static enum bsim_status push(void *context, const struct bsim_record *record,
                             struct bsim_error *err)
{
    struct bsim_hazards *hazards = context;
    enum bsim_status status = bsim_stream_check(&hazards->stream, record, err);
    status = status == BSIM_OK ? take(hazards, record, err) : status;
    return bsim_stream_pass(&hazards->stream, record, status);
}

struct bsim_sink bsim_hazards_sink(struct bsim_hazards *hazards)
{
    return (struct bsim_sink){.push = push, .context = hazards};
}

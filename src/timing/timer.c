/* timer.c - the sink: collects a block, has the machine play it, adds up. A kernel that has more
 * events than it may, or takes more steps to play, is given up: from there on events are only
 * counted.
 */
#include "timing/timer.h"

#include "base/memory.h"
#include "event/batch.h"
#include "event/stream.h"
#include "model/device.h"
#include "model/family.h"
#include "timing/cache.h"
#include "result/cycles.h"
#include "result/result.h"
#include "timing/request.h"

#include <string.h>

enum {
    STEPS_PER_OP = 256, /* of a block, added: one without loops is always played, however long */
    BLOCK_SHARE = 2,    /* of a kernel's steps: one block may take that part of them */
};

struct bsim_timer {
    struct bsim_timer_options options;
    struct bsim_device chosen;    /* options.device points here */
    struct bsim_timing constants; /* options.timing points here */
    struct bsim_result result;
    struct bsim_kernel_result *kernel; /* the running one, the result's last */
    struct bsim_stream stream;
    uint32_t rules;    /* of the model, that took part in the kernel */
    uint32_t *place;   /* of each defined site in the kernel's list */
    uint32_t last_site; /* of the block's last request by lanes, or BSIM_NO_SITE */
    uint32_t *unsited; /* places of the opcodes without a site there */
    uint32_t n_unsited;
    struct bsim_program program;
    struct bsim_machine *machine;
    struct bsim_block_cycles block; /* how the last one went that was played */
    struct bsim_cache cache;
    struct bsim_known_requests known; /* of the kernel */
};

struct bsim_timer *bsim_timer_new(const struct bsim_timer_options *options)
{
    struct bsim_timer *timer = bsim_mem_zeroed(1, sizeof *timer);
    if (timer == NULL) {
        return NULL;
    }
    timer->machine = bsim_machine_new();
    if (timer->machine == NULL) {
        bsim_mem_free(timer);
        return NULL;
    }
    timer->options = *options;
    if (options->device != NULL) {
        timer->chosen = *options->device;
        timer->options.device = &timer->chosen;
    }
    if (options->timing != NULL) {
        timer->constants = *options->timing;
        timer->options.timing = &timer->constants;
    }
    return timer;
}

void bsim_timer_free(struct bsim_timer *timer)
{
    if (timer != NULL) {
        bsim_result_free(&timer->result);
        bsim_program_free(&timer->program);
        bsim_machine_free(timer->machine);
        bsim_block_cycles_free(&timer->block);
        bsim_cache_clear(&timer->cache);
        bsim_mem_free(timer->place);
        bsim_mem_free(timer->unsited);
        bsim_mem_free(timer);
    }
}

static enum bsim_status out_of_memory(struct bsim_error *err)
{
    return bsim_error_set(err, BSIM_E_MEMORY, "out of memory while timing");
}

/* ---- kernels and blocks ---------------------------------------------------------------------- */

/* Adds a block like the program to the kernel, which is given up if that is too much. Blocks that
 * were played before count all the same: which these are is another matter in each part of a
 * launch. */
static enum bsim_status add_block(struct bsim_timer *timer, const struct bsim_block_cycles *block,
                                  struct bsim_error *err)
{
    struct bsim_kernel_result *kernel = timer->kernel;
    kernel->timed.steps += block->steps;
    if (block->is_given_up || bsim_cycles_is_too_long(&kernel->timed)) {
        bsim_timer_leave_out(timer);
    } else if (!bsim_block_cycles_add(block, &timer->program, kernel)) {
        return bsim_cycles_too_many(kernel, err);
    }
    return BSIM_OK;
}

/* The steps that the program may take. A kernel whose blocks were to take more than it has left is
 * given up, so what is left matters for no result. */
static uint64_t max_steps(const struct bsim_timer *timer)
{
    const struct bsim_kernel_result *kernel = timer->kernel;
    uint64_t left = kernel->timed.max_steps - kernel->timed.steps,
             share = kernel->timed.max_steps / BLOCK_SHARE;
    return kernel->timed.max_steps == 0
               ? BSIM_TIMER_BLOCK_STEPS + STEPS_PER_OP * bsim_program_n_ops(&timer->program)
           : left < share ? left
                          : share;
}

/* How many blocks like the running one are played side by side: one, unless it is a sample. */
static uint32_t n_together(const struct bsim_timer *timer)
{
    const struct bsim_kernel_result *kernel = timer->kernel;
    const struct bsim_dim3 *at = &timer->stream.block, *grid = &kernel->grid;
    uint64_t number = at->x + (uint64_t)grid->x * (at->y + (uint64_t)grid->y * at->z);
    bool is_sample =
        number % BSIM_TIMER_TOGETHER == 0 && number / BSIM_TIMER_TOGETHER < BSIM_TIMER_SAMPLES;
    uint64_t fit = is_sample ? bsim_cycles_at_once(kernel) : 1;
    return bsim_machine_blocks(&kernel->timed.timing, timer->program.n_warps, fit);
}

/* Plays the program, unless an equal one has been, and adds it to the kernel. */
static enum bsim_status play(struct bsim_timer *timer, struct bsim_error *err)
{
    uint32_t n_blocks = n_together(timer);
    uint64_t hash = bsim_program_hash(&timer->program) + (n_blocks > 1);
    const struct bsim_block_cycles *known = bsim_cache_find(&timer->cache, &timer->program, hash);
    if (known != NULL) {
        return add_block(timer, known, err);
    }
    enum bsim_status status = bsim_block_cycles_run(
        &timer->block, timer->machine, &timer->kernel->timed, &timer->program,
        timer->options.every_turn, timer->options.clocked, n_blocks, max_steps(timer), err);
    if (status == BSIM_OK) {
        status = add_block(timer, &timer->block, err);
    }
    if (status != BSIM_OK || timer->kernel->timed.left_out) {
        return status;
    }
    bool is_kept = bsim_cache_keep(&timer->cache, &timer->program, hash, &timer->block);
    return is_kept ? BSIM_OK : out_of_memory(err);
}

static enum bsim_status finish_block(struct bsim_timer *timer, struct bsim_error *err)
{
    if (!timer->stream.in_block || timer->kernel->timed.left_out) {
        return BSIM_OK;
    }
    return bsim_program_end(&timer->program) ? play(timer, err) : out_of_memory(err);
}

static void set_grade(struct bsim_timer *timer)
{
    struct bsim_kernel_result *kernel = timer->kernel;
    for (int rule = 0; rule < BSIM_N_RULES; rule++) {
        enum bsim_grade its = kernel->device.basis[rule].grade;
        if ((timer->rules >> rule & 1) != 0 && its > kernel->timed.grade) {
            kernel->timed.grade = its;
        }
    }
}

static enum bsim_status finish_kernel(struct bsim_timer *timer, struct bsim_error *err)
{
    enum bsim_status status = finish_block(timer, err);
    if (status == BSIM_OK && timer->kernel != NULL) {
        set_grade(timer);
        bsim_block_cycles_finish(timer->kernel);
        bsim_cycles_launch(timer->kernel);
        bsim_kernel_sort_sites(timer->kernel);
        timer->kernel = NULL;
    }
    return status;
}

static enum bsim_status choose_timing(const struct bsim_timer *timer,
                                      const struct bsim_device *device, struct bsim_timing *timing,
                                      struct bsim_error *err)
{
    if (timer->options.timing == NULL) {
        bsim_timing_find(device, timing);
        return BSIM_OK;
    }
    *timing = *timer->options.timing;
    if (timing->n_partitions < 1 || timing->n_partitions > BSIM_MAX_PARTITIONS ||
        timing->queue_slots < 1 || timing->pool_slots < 1 ||
        timing->queue_slots > BSIM_MAX_SLOTS - timing->pool_slots || timing->turn_interval < 1 ||
        timing->arrival_slots < 1 || timing->arrival_slots > BSIM_MAX_SLOTS || timing->barrier_latency > timing->release_latency ||
        timing->result_latency > BSIM_MAX_LATENCY) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "timing constants out of range: 1 to %d partitions, queue and pool "
                              "of 1 to %d slots together, as many for arrivals, a latency up to %d, of a barrier "
                              "no longer than to its release",
                              BSIM_MAX_PARTITIONS, BSIM_MAX_SLOTS, BSIM_MAX_LATENCY);
    }
    return BSIM_OK;
}

/* The caller's mistake, or the input's, which has a remedy. */
static enum bsim_status check_registers(const struct bsim_timer *timer, struct bsim_error *err)
{
    const struct bsim_kernel_result *kernel = timer->kernel;
    const struct bsim_device *device = &kernel->device;
    bool is_asked = timer->options.registers > 0;
    if (bsim_cycles_occupancy(kernel) > 0) {
        return BSIM_OK;
    }
    return bsim_error_set(err, is_asked ? BSIM_E_USAGE : BSIM_E_INPUT,
                          "%u registers per thread: no block of kernel %s can run on %s, where a "
                          "thread has at most %u and a block %u%s",
                          (unsigned)kernel->timed.registers, kernel->name, device->name,
                          (unsigned)device->registers_per_thread,
                          (unsigned)device->registers_per_block,
                          is_asked ? "" : "; --registers N goes before what the kernel says");
}

/* Where blocks begin as others end, how far apart is not known. */
static bool has_one_wave(const struct bsim_kernel_result *kernel)
{
    uint64_t blocks = (uint64_t)kernel->grid.x * kernel->grid.y * kernel->grid.z;
    return blocks <= bsim_cycles_at_once(kernel) * kernel->device.n_sms;
}

static enum bsim_status take_kernel(struct bsim_timer *timer, const struct bsim_kernel *kernel,
                                    struct bsim_error *err)
{
    struct bsim_device device;
    struct bsim_timing timing;
    enum bsim_status status = finish_kernel(timer, err);
    status = status == BSIM_OK ? bsim_device_of_kernel(kernel, timer->options.device,
                                                       &timer->options.device_options, &device, err)
                               : status;
    status = status == BSIM_OK ? choose_timing(timer, &device, &timing, err) : status;
    if (status != BSIM_OK) {
        return status;
    }
    timer->kernel = bsim_result_add_kernel(&timer->result, kernel, &device);
    if (timer->kernel == NULL) {
        return out_of_memory(err);
    }
    timer->kernel->timed = (struct bsim_kernel_cycles){
        .is_timed = true,
        .registers = timer->options.registers > 0 ? timer->options.registers : kernel->registers,
        .timing = timing,
        .max_events = timer->options.max_events,
        .max_steps = timer->options.max_steps,
        .ideal = timer->options.ideal,
        .ideal_sites = timer->options.ideal_sites,
        .grade = timing.basis.grade,
    };
    timer->n_unsited = 0;
    timer->rules = 0;
    memset(&timer->known, 0, sizeof timer->known);
    bsim_cache_clear(&timer->cache);
    if (!has_one_wave(timer->kernel)) {
        timer->kernel->timed.timing.block_interval = timer->kernel->timed.timing.block_jitter = 0;
    }
    return check_registers(timer, err);
}

static enum bsim_status take_block(struct bsim_timer *timer, struct bsim_error *err)
{
    enum bsim_status status = finish_block(timer, err);
    if (status == BSIM_OK) {
        if (!timer->kernel->timed.left_out) {
            bsim_program_clear(&timer->program, timer->stream.n_warps);
            timer->last_site = BSIM_NO_SITE;
        }
        timer->kernel->blocks++;
    }
    return status;
}

/* ---- events ---------------------------------------------------------------------------------- */

uint64_t bsim_timer_events(const struct bsim_timer *timer)
{
    return timer->kernel != NULL ? timer->kernel->timed.events : 0;
}

void bsim_timer_leave_out(struct bsim_timer *timer)
{
    if (timer->kernel != NULL && !timer->kernel->timed.left_out) {
        timer->rules = 0;
        bsim_cycles_leave_out(&timer->kernel->timed);
        bsim_kernel_drop_sites(timer->kernel);
        bsim_program_free(&timer->program);
        bsim_cache_clear(&timer->cache);
        bsim_mem_free(timer->unsited);
        timer->unsited = NULL;
        timer->n_unsited = 0;
    }
}

/* Counts n events of so much work each; true if the kernel is given up. */
static inline bool is_left_out(struct bsim_timer *timer, uint32_t n, uint32_t work)
{
    struct bsim_kernel_result *kernel = timer->kernel;
    kernel->timed.events += n;
    kernel->timed.work += kernel->timed.left_out ? 0 : (uint64_t)n * work;
    if (!kernel->timed.left_out && bsim_cycles_is_too_long(&kernel->timed)) {
        bsim_timer_leave_out(timer);
    }
    return kernel->timed.left_out;
}

static enum bsim_status add_op(struct bsim_timer *timer, uint32_t warp, const struct bsim_op *op,
                               struct bsim_error *err)
{
    return bsim_program_add(&timer->program, warp, op) ? BSIM_OK : out_of_memory(err);
}

static enum bsim_status take_repeat(struct bsim_timer *timer, const struct bsim_repeat *repeat,
                                    struct bsim_error *err)
{
    struct bsim_op op = {
        .kind = BSIM_OP_LOOP,
        .wait = BSIM_NO_WAIT,
        .count = repeat->trips,
        .cycles = repeat->work_cycles,
        .control = repeat->work_count,
    };
    return is_left_out(timer, timer->stream.n_warps, repeat->work_count)
               ? BSIM_OK
               : add_op(timer, BSIM_ALL_WARPS, &op, err);
}

static enum bsim_status take_done(struct bsim_timer *timer, struct bsim_error *err)
{
    return timer->kernel->timed.left_out || bsim_program_done(&timer->program) ? BSIM_OK
                                                                               : out_of_memory(err);
}

/* The place of an opcode without a site in the kernel's list, or that list's length when memory is
 * short. There are not many opcodes, whatever the number of sites. */
static size_t unsited(struct bsim_timer *timer, const struct bsim_opcode *opcode)
{
    struct bsim_kernel_result *kernel = timer->kernel;
    uint32_t n = timer->n_unsited;
    for (uint32_t i = 0; i < n; i++) {
        if (bsim_opcode_same(&kernel->sites[timer->unsited[i]].opcode, opcode)) {
            return timer->unsited[i];
        }
    }
    uint32_t *grown = bsim_mem_grow(timer->unsited, n, sizeof *grown);
    if (grown == NULL) {
        return kernel->n_sites;
    }
    timer->unsited = grown;
    if (bsim_kernel_add_site(kernel, 0, opcode, NULL, 0, NULL) == NULL) {
        return kernel->n_sites;
    }
    timer->unsited[timer->n_unsited++] = (uint32_t)(kernel->n_sites - 1);
    return kernel->n_sites - 1;
}

/* The place of the event's site in the kernel's list, or SIZE_MAX when memory is short. */
static inline size_t place_of(struct bsim_timer *timer, const struct bsim_event *event)
{
    size_t place =
        event->site != NULL ? timer->place[event->site->index] : unsited(timer, &event->opcode);
    return place < timer->kernel->n_sites ? place : SIZE_MAX;
}

static enum bsim_status check_access(const struct bsim_device *device,
                                     const struct bsim_opcode *opcode, struct bsim_error *err)
{
    if (opcode->bytes == 0 || opcode->bytes > 16 || (opcode->bytes & (opcode->bytes - 1)) != 0) {
        return bsim_error_set(err, BSIM_E_USAGE, "an access of %u bytes per lane",
                              (unsigned)opcode->bytes);
    }
    return bsim_family_executes(device, opcode) ? BSIM_OK : bsim_family_refuse(device, opcode, err);
}

/* Whether the request goes to the upper half of shared memory, by its lowest lane. */
static uint8_t upper_half(const struct bsim_event *event)
{
    uint32_t lane = 0, lanes = (event->mask & 1) != 0 ? 1 : bsim_opcode_lanes(&event->opcode, event->mask);
    while (lane < BSIM_WARP_LANES - 1 && (lanes >> lane & 1) == 0) {
        lane++;
    }
    uint64_t at = event->affine ? event->base + lane * (uint64_t)event->stride : event->address[lane];
    return (uint32_t)at >= BSIM_TMA_HALF_BYTES;
}

/* Whether most SMs have no block: L2 has its full rate for those that do. */
static bool leaves_sms_free(const struct bsim_kernel_result *kernel)
{
    uint64_t blocks = (uint64_t)kernel->grid.x * kernel->grid.y * kernel->grid.z;
    return 2 * blocks <= kernel->device.n_sms;
}

/* A request to shared memory of the site at that place in the kernel's list. False: memory is short. */
static bool write_request(struct bsim_timer *timer, size_t place, const struct bsim_event *event, struct bsim_op *op)
{
    const struct bsim_kernel_result *kernel = timer->kernel;
    timer->rules |=
        bsim_timing_request(&kernel->device, &kernel->timed.timing, &timer->known, place, event, op);
    op->wait = bsim_timing_wait(event);
    op->class = upper_half(event);
    if (event->opcode.family == BSIM_CP_ASYNC) {
        bsim_async_copy_op(&kernel->device, event, op);
    }
    op->site = timer->last_site = bsim_program_site(&timer->program, place);
    return op->site != BSIM_NO_SITE;
}

static enum bsim_status take_request(struct bsim_timer *timer, const struct bsim_event *event, struct bsim_error *err)
{
    size_t place = place_of(timer, event);
    if (place == SIZE_MAX) {
        return out_of_memory(err);
    }
    struct bsim_op *op = bsim_program_room(&timer->program, event->warp);
    bool is_added = op != NULL && write_request(timer, place, event, op) &&
                    bsim_program_note(&timer->program, event->warp);
    return is_added ? BSIM_OK : out_of_memory(err);
}

static enum bsim_status take_access(struct bsim_timer *timer, const struct bsim_event *event,
                                    struct bsim_error *err)
{
    const struct bsim_kernel_result *kernel = timer->kernel;
    enum bsim_status status = check_access(&kernel->device, &event->opcode, err);
    if (status != BSIM_OK) {
        return status;
    }
    if (event->opcode.space == BSIM_SHARED) {
        return take_request(timer, event, err);
    }
    struct bsim_op other = bsim_timing_access(&kernel->timed.timing, event);
    if (timer->program.is_async && event->opcode.space == BSIM_GLOBAL && event->opcode.family == BSIM_ST) {
        bsim_async_store_op(event, leaves_sms_free(kernel), &other);
    }
    return add_op(timer, event->warp, &other, err);
}

/* Of fences those that were measured: fence.acq_rel.cta, MEMBAR.ALL.CTA in machine code; fence.proxy.async, to shared memory
 * that and FENCE.VIEW.ASYNC.S, which takes so many clocks, to all of it MEMBAR.ALL.GPU in front. */
enum { VIEW_CLOCKS = 21 };

static bool is_timed_fence(const struct bsim_opcode *opcode)
{
    bool is_acq_rel = opcode->operation == BSIM_ACQ_REL && opcode->scope == BSIM_CTA;
    return opcode->family == BSIM_FENCE && (is_acq_rel || opcode->operation == BSIM_PROXY_ASYNC);
}

static struct bsim_op fence_op(const struct bsim_opcode *opcode)
{
    bool is_view = opcode->operation == BSIM_PROXY_ASYNC;
    bool is_of_gpu = is_view && opcode->scope != BSIM_VIEW_SHARED && opcode->scope != BSIM_VIEW_CLUSTER;
    return (struct bsim_op){.kind = BSIM_OP_FENCE, .late = is_of_gpu, .tail = is_view ? VIEW_CLOCKS : 0, .count = 1};
}

enum { MOST_NOBODYS = 4096 }; /* of one record, from there on several are told as one with their turns: a record says up to 2^32 */

static uint32_t n_nobodys(const struct bsim_event *event)
{
    return event->work_count < MOST_NOBODYS ? event->work_count : MOST_NOBODYS;
}

/* Loads and stores that no lane of the warp does: each has its turn of the data pipe, and is told with the site of the request
 * before it; where there was none yet, nothing is told of it. */
static enum bsim_status take_nobodys(struct bsim_timer *timer, const struct bsim_event *event, struct bsim_error *err)
{
    uint32_t n = timer->last_site != BSIM_NO_SITE ? n_nobodys(event) : 0;
    uint64_t turns = event->work_count, before = 0;
    bool is_added = true;
    if (n > 0 && turns / n >= UINT16_MAX) {
        bsim_timer_leave_out(timer);
        return BSIM_OK;
    }
    for (uint32_t i = 0; i < n && is_added; i++) {
        struct bsim_op *op = bsim_program_room(&timer->program, event->warp);
        is_added = op != NULL;
        if (is_added) {
            *op = (struct bsim_op){.kind = BSIM_OP_MEMORY, .site = timer->last_site};
            uint64_t up_to = turns * (i + 1) / n;
            op->turns = op->ideal = (uint16_t)(up_to - before);
            before = up_to;
            op->wait = i == 0 ? bsim_timing_wait(event) : BSIM_NO_WAIT;
            is_added = bsim_program_note(&timer->program, event->warp);
        }
    }
    return is_added ? BSIM_OK : out_of_memory(err);
}

/* A barrier, a fence, work, or an instruction that takes no more than its issue. */
static enum bsim_status take_plain(struct bsim_timer *timer, const struct bsim_event *event, struct bsim_error *err)
{
    const struct bsim_timing *timing = &timer->kernel->timed.timing;
    bool is_work = event->opcode.family == BSIM_WORK;
    uint32_t count = is_work && event->work_count > 0 ? event->work_count : 1;
    struct bsim_op *op = bsim_program_room(&timer->program, event->warp);
    if (op == NULL) {
        return out_of_memory(err);
    }
    if (event->opcode.family == BSIM_BAR) {
        *op = (struct bsim_op){.kind = BSIM_OP_BARRIER};
    } else if (is_timed_fence(&event->opcode)) {
        *op = fence_op(&event->opcode);
    } else {
        bsim_program_work(timing, is_work ? event->opcode.operation : BSIM_WORK_ANY, count,
                          is_work ? event->work_cycles : 0, op);
        op->reads = event->reads;
    }
    op->wait = bsim_timing_wait(event);
    return bsim_program_note(&timer->program, event->warp) ? BSIM_OK : out_of_memory(err);
}

static void note_waiter(struct bsim_timer *timer, uint32_t warp, uint32_t place)
{
    uint32_t n_groups = (timer->stream.n_warps + BSIM_GROUP_WARPS - 1) / BSIM_GROUP_WARPS;
    timer->program.meeting[place].groups |=
        warp == BSIM_ALL_WARPS ? (UINT32_C(1) << n_groups) - 1 : UINT32_C(1) << warp / BSIM_GROUP_WARPS;
}

static enum bsim_status take_meeting(struct bsim_timer *timer, const struct bsim_event *event,
                                     struct bsim_error *err)
{
    bool arrives = event->opcode.family != BSIM_AWAIT, copies = event->opcode.family == BSIM_COPIES_ARRIVE;
    uint32_t n = event->warp == BSIM_ALL_WARPS ? timer->stream.n_warps : 1;
    uint32_t place = bsim_program_meet(&timer->program, event->meeting, arrives ? n : 0);
    struct bsim_op op = {.kind = arrives ? BSIM_OP_ARRIVE : BSIM_OP_AWAIT,
                         .wait = bsim_timing_wait(event),
                         .late = copies,
                         .count = place,
                         .cycles = event->arrivals};
    timer->kernel->timed.copy_waits += copies;
    if (place == BSIM_ALL_WARPS) {
        return out_of_memory(err);
    }
    if (!arrives) {
        note_waiter(timer, event->warp, place);
    }
    return add_op(timer, event->warp, &op, err);
}

/* The end of a group of copies, or a wait for some. */
static enum bsim_status take_groups(struct bsim_timer *timer, const struct bsim_event *event, struct bsim_error *err)
{
    bool waits = event->opcode.family == BSIM_COPIES_WAIT;
    struct bsim_op op = {.kind = waits ? BSIM_OP_COPIES : BSIM_OP_COMMIT,
                         .wait = bsim_timing_wait(event),
                         .count = waits ? event->groups : 0};
    timer->kernel->timed.copy_waits += waits;
    return add_op(timer, event->warp, &op, err);
}

/* A wgmma or a bulk copy. */
static enum bsim_status take_async(struct bsim_timer *timer, const struct bsim_event *event,
                                   struct bsim_error *err)
{
    const struct bsim_kernel_result *kernel = timer->kernel;
    bool is_wgmma = event->opcode.family == BSIM_WGMMA;
    uint32_t meeting = BSIM_ASYNC_NO_MEETING, n = is_wgmma ? 0 : event->async->arrives;
    size_t place = place_of(timer, event);
    if (!bsim_family_executes(&kernel->device, &event->opcode)) {
        return bsim_family_refuse(&kernel->device, &event->opcode, err);
    }
    if (n > 0) {
        uint32_t warps = event->warp == BSIM_ALL_WARPS ? timer->stream.n_warps : 1;
        meeting = bsim_program_meet(&timer->program, n, warps);
    }
    struct bsim_op op = bsim_async_op(event, meeting, leaves_sms_free(kernel));
    op.wait = bsim_timing_wait(event);
    op.site = place != SIZE_MAX ? bsim_program_site(&timer->program, place) : BSIM_NO_SITE;
    bool fits = op.site != BSIM_NO_SITE && (n == 0 || meeting != BSIM_ALL_WARPS);
    timer->rules |= bsim_rule_bit(is_wgmma ? BSIM_RULE_WGMMA : BSIM_RULE_TMA);
    return fits ? add_op(timer, event->warp, &op, err) : out_of_memory(err);
}

static enum bsim_status take_event(struct bsim_timer *timer, const struct bsim_event *event,
                                   struct bsim_error *err)
{
    uint32_t n = event->warp == BSIM_ALL_WARPS ? timer->stream.n_warps : 1;
    bool is_nobodys = event->opcode.family == BSIM_WORK && event->opcode.operation == BSIM_WORK_LSU;
    uint32_t work = is_nobodys                           ? n_nobodys(event) * BSIM_TIMER_WORK
                    : event->opcode.family == BSIM_WORK ? event->work_count
                                                        : 0;
    if (is_left_out(timer, n, work)) {
        return BSIM_OK;
    }
    if (bsim_opcode_is_access(&event->opcode)) {
        return take_access(timer, event, err);
    }
    if (bsim_opcode_meets(&event->opcode)) {
        return take_meeting(timer, event, err);
    }
    if (bsim_opcode_groups(&event->opcode)) {
        return take_groups(timer, event, err);
    }
    if (bsim_opcode_is_async(&event->opcode)) {
        return take_async(timer, event, err);
    }
    if (event->opcode.family == BSIM_WORK && event->opcode.operation >= BSIM_N_WORK_CLASSES) {
        return bsim_error_set(err, BSIM_E_USAGE, "work of class %u",
                              (unsigned)event->opcode.operation);
    }
    return is_nobodys ? take_nobodys(timer, event, err) : take_plain(timer, event, err);
}

/* ---- the sink -------------------------------------------------------------------------------- */

static enum bsim_status take_site(struct bsim_timer *timer, const struct bsim_site *site,
                                  struct bsim_error *err)
{
    uint32_t *grown = bsim_mem_grow(timer->place, site->index, sizeof *grown);
    if (grown == NULL) {
        return out_of_memory(err);
    }
    timer->place = grown;
    timer->place[site->index] = (uint32_t)timer->kernel->n_sites;
    bool added =
        timer->kernel->timed.left_out ||
        bsim_kernel_add_site(timer->kernel, site->number, &site->opcode, NULL, 0, NULL) != NULL;
    return added ? BSIM_OK : out_of_memory(err);
}

static enum bsim_status take(struct bsim_timer *timer, const struct bsim_record *record,
                             struct bsim_error *err)
{
    switch (record->kind) {
    case BSIM_RECORD_KERNEL:
        return take_kernel(timer, record->u.kernel, err);
    case BSIM_RECORD_SITE:
        return take_site(timer, record->u.site, err);
    case BSIM_RECORD_BLOCK:
        return take_block(timer, err);
    case BSIM_RECORD_EVENT:
        return take_event(timer, record->u.event, err);
    case BSIM_RECORD_REPEAT:
        return take_repeat(timer, &record->u.repeat, err);
    case BSIM_RECORD_DONE:
        return take_done(timer, err);
    default:
        return finish_kernel(timer, err);
    }
}

static enum bsim_status push(void *context, const struct bsim_record *record,
                             struct bsim_error *err)
{
    struct bsim_timer *timer = context;
    enum bsim_status status = bsim_stream_check(&timer->stream, record, err);
    status = status == BSIM_OK ? take(timer, record, err) : status;
    return bsim_stream_pass(&timer->stream, record, status);
}

/* What is left out is only counted. */
static enum bsim_status push_batch(void *context, struct bsim_batch *batch, struct bsim_error *err)
{
    struct bsim_timer *timer = context;
    if (timer->stream.is_closed || !timer->stream.in_block || !timer->kernel->timed.left_out) {
        struct bsim_sink sink = {.push = push, .context = timer};
        return bsim_sink_push_batch(&sink, batch, err);
    }
    timer->kernel->timed.events +=
        batch->n_events + (uint64_t)batch->n_all_warps * (timer->stream.n_warps - 1);
    batch->next = batch->end;
    return BSIM_OK;
}

struct bsim_sink bsim_timer_sink(struct bsim_timer *timer)
{
    return (struct bsim_sink){.push = push, .context = timer, .push_batch = push_batch};
}

enum bsim_status bsim_timer_finished(struct bsim_timer *timer, struct bsim_result *timed,
                                     struct bsim_error *err)
{
    bool is_running = timer->kernel != NULL;
    enum bsim_status status =
        bsim_result_take(&timer->result, timer->result.n_kernels - is_running, timed, err);
    timer->kernel = is_running ? &timer->result.kernels[timer->result.n_kernels - 1] : NULL;
    return status;
}

enum bsim_status bsim_timer_result(struct bsim_timer *timer, struct bsim_result *timed,
                                   struct bsim_error *err)
{
    if (!timer->stream.has_ended) {
        return bsim_error_set(err, BSIM_E_USAGE, "the event stream did not come to its end");
    }
    *timed = timer->result;
    memset(&timer->result, 0, sizeof timer->result);
    return BSIM_OK;
}

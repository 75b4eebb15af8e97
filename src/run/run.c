/* run.c - a source through a simulator and a timer into a result. */
#include "run/crew.h"
#include "base/memory.h"
#include "event/batch.h"
#include "run/lane.h"
#include "run/running.h"
#include "result/result.h"

#include <string.h>

/* Puts the source's kernels behind those of the sources before it. */
static enum bsim_status append(struct bsim_running *run, struct bsim_result *ended,
                               struct bsim_result *result, struct bsim_error *err)
{
    enum bsim_status status = run->options->on_kernel != NULL
                                  ? bsim_running_hand_over(run, ended, ended->n_kernels, err)
                                  : bsim_running_check(run, ended, err);
    if (status == BSIM_OK && run->kernels_status != BSIM_OK) {
        if (err != NULL) {
            *err = run->kernels_error;
        }
        return run->kernels_status;
    }
    return status == BSIM_OK ? bsim_result_append(result, ended, err) : status;
}

/* ---- one thread ------------------------------------------------------------------------------ */

/* What a shard's source pushes as a whole is known by a checksum, as a trace is by its own. */
static void add_content(struct bsim_running *run, uint64_t word)
{
    uint64_t mixed = (run->content ^ word) * UINT64_C(11400714819323198485);
    run->content = mixed << 29 | mixed >> 35;
}

static void add_event(struct bsim_running *run, const struct bsim_event *event)
{
    add_content(run, (uint64_t)event->warp << 32 | event->mask);
    add_content(run, (uint64_t)event->work_count << 32 | event->work_cycles);
    add_content(run, (uint64_t)(uint32_t)event->wait << 32 | event->opcode.family);
    add_content(run, (uint32_t)bsim_pack_reads(&event->reads));
    add_content(run, event->affine ? event->base : 0);
    add_content(run, event->affine ? (uint64_t)event->stride : 0);
    uint32_t lanes = event->affine ? 0 : bsim_opcode_lanes(&event->opcode, event->mask);
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        if (lanes >> l & 1) {
            add_content(run, event->address[l]);
        }
    }
}

static void add_record(struct bsim_running *run, const struct bsim_record *record)
{
    add_content(run, (uint64_t)record->kind);
    if (record->kind == BSIM_RECORD_EVENT) {
        add_event(run, record->u.event);
    } else if (record->kind == BSIM_RECORD_BLOCK) {
        add_content(run, (uint64_t)record->u.block.y << 32 | record->u.block.x);
        add_content(run, record->u.block.z);
    }
}

static void add_batch(struct bsim_running *run, const struct bsim_batch *batch)
{
    uint64_t word[2];
    for (const struct bsim_packed *packed = batch->next; packed < batch->end; packed++) {
        memcpy(word, packed, sizeof word);
        add_content(run, word[0]);
        add_content(run, word[1]);
    }
}

struct alone {
    struct bsim_running *run;
    struct bsim_lane lane;
    uint64_t n_blocks; /* so far */
    bool is_others;    /* the running block is another shard's */
};

/* How far what is pushed has come: a trace's blocks are no grid. */
static void note_place(struct alone *alone, const struct bsim_record *record)
{
    struct bsim_running *run = alone->run;
    struct bsim_progress *progress = &run->progress;
    if (record->kind == BSIM_RECORD_KERNEL) {
        struct bsim_dim3 grid = record->u.kernel->grid;
        alone->is_others = false;
        progress->blocks = 0;
        progress->grid = run->source->push != NULL ? (uint64_t)grid.x * grid.y * grid.z : 0;
    } else if (record->kind == BSIM_RECORD_BLOCK) {
        alone->is_others =
            run->shard.of > 0 && alone->n_blocks % run->shard.of != run->shard.number;
        alone->n_blocks++;
        if (run->source->push != NULL) {
            bsim_running_tell(run);
            progress->blocks++;
        }
    }
}

/* Sites are every shard's, as kernels are. */
static bool is_passed_over(const struct alone *alone, const struct bsim_record *record)
{
    return alone->is_others && record->kind != BSIM_RECORD_KERNEL &&
           record->kind != BSIM_RECORD_SITE && record->kind != BSIM_RECORD_END;
}

/* A kernel has begun: the one before has ended. */
static enum bsim_status pass_on_finished(struct alone *alone, struct bsim_error *err)
{
    struct bsim_result part = {0};
    enum bsim_status status = bsim_lane_result(&alone->lane, false, &part, err);
    if (status == BSIM_OK && part.n_kernels > 0) {
        status = bsim_running_hand_over(alone->run, &part, part.n_kernels, err);
    }
    bsim_result_free(&part);
    return status;
}

static enum bsim_status push(void *context, const struct bsim_record *record,
                             struct bsim_error *err)
{
    struct alone *alone = context;
    const struct bsim_run_options *options = alone->run->options;
    const struct bsim_sink *also = options->also;
    if (record->kind == BSIM_RECORD_EVENT) {
        bsim_running_count(alone->run, 1);
    }
    note_place(alone, record);
    if (alone->run->shard.of > 0) {
        add_record(alone->run, record);
    }
    if (is_passed_over(alone, record)) {
        return BSIM_OK;
    }
    enum bsim_status status = bsim_lane_push(&alone->lane, record, err);
    if (status == BSIM_OK && record->kind == BSIM_RECORD_KERNEL && options->on_kernel != NULL) {
        status = pass_on_finished(alone, err);
    }
    return status == BSIM_OK && also != NULL ? also->push(also->context, record, err) : status;
}

static enum bsim_status push_batch(void *context, struct bsim_batch *batch, struct bsim_error *err)
{
    struct alone *alone = context;
    const struct bsim_sink *also = alone->run->options->also;
    struct bsim_batch again = *batch;
    bsim_running_count(alone->run, batch->n_events);
    if (alone->run->shard.of > 0) {
        add_batch(alone->run, batch);
    }
    if (alone->is_others) {
        return BSIM_OK;
    }
    enum bsim_status status = bsim_lane_push_batch(&alone->lane, batch, err);
    if (status == BSIM_OK && also != NULL) {
        *batch = again;
        status = bsim_sink_push_batch(also, batch, err);
    }
    return status;
}

static enum bsim_status on_request(void *context, const struct bsim_request_result *request,
                                   struct bsim_error *err)
{
    const struct alone *alone = context;
    const struct bsim_run_options *options = alone->run->options;
    struct bsim_request_result told = *request;
    told.arrays = alone->lane.arrays;
    return options->on_request(options->context, &told, err);
}

static void on_expectation(void *context, const struct bsim_expectation *failed)
{
    bsim_running_failed(((struct alone *)context)->run, failed);
}

static enum bsim_status push_source(struct alone *alone, struct bsim_error *err)
{
    const struct bsim_source *source = alone->run->source;
    struct bsim_sink sink = {.push = push, .context = alone, .push_batch = push_batch};
    return source->input != NULL ? bsim_trace_read(source->input, &sink, err)
                                 : source->push(source->context, &sink, err);
}

static enum bsim_status read_alone(struct bsim_running *run, struct bsim_result *counted,
                                   struct bsim_error *err)
{
    struct alone alone = {.run = run};
    struct bsim_sim_options sim = {.executed = run->executed,
                                   .context = &alone,
                                   .on_request =
                                       run->options->on_request != NULL ? on_request : NULL,
                                   .on_expectation = on_expectation};
    enum bsim_status status = bsim_lane_open(&alone.lane, run->options, &sim, err);
    if (status == BSIM_OK) {
        status = push_source(&alone, err);
    }
    if (status == BSIM_OK) {
        status = bsim_lane_result(&alone.lane, true, counted, err);
    } else if (run->options->keeps_ended && alone.lane.sim != NULL) {
        (void)bsim_lane_result(&alone.lane, false, counted, NULL);
    }
    bsim_lane_close(&alone.lane);
    return status;
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* Blocks can be counted by several threads, unless what is wanted needs the stream in its order. */
static bool is_shared(const struct bsim_running *run)
{
    const struct bsim_run_options *options = run->options;
    return run->source->input != NULL && options->jobs > 1 && options->also == NULL &&
           options->on_request == NULL;
}

static enum bsim_status start(struct bsim_running *run, struct bsim_result *result,
                              struct bsim_error *err)
{
    struct bsim_result counted = {0};
    run->executed = run->repeated = result->executed;
    run->launches =
        run->options->on_kernel != NULL ? bsim_mem_zeroed(1, sizeof *run->launches) : NULL;
    if (run->options->on_kernel != NULL && run->launches == NULL) {
        return bsim_mem_short(err);
    }
    bool is_shard = run->shard.of > 0 && run->source->input != NULL;
    enum bsim_status status = is_shard || is_shared(run) ? bsim_crew_read(run, &counted, err)
                                                         : read_alone(run, &counted, err);
    if (status == BSIM_OK) {
        status = append(run, &counted, result, err);
    } else if (run->options->keeps_ended) {
        (void)append(run, &counted, result, NULL);
    }
    bsim_result_free(&counted);
    bsim_again_free(run->launches);
    bsim_mem_free(run->launches);
    return status;
}

enum bsim_status bsim_run(const struct bsim_source *source, const struct bsim_run_options *options,
                          struct bsim_result *result, struct bsim_error *err)
{
    struct bsim_running run = {.source = source, .options = options};
    return start(&run, result, err);
}

/* ---- a shard --------------------------------------------------------------------------------- */

/* FNV-1a over numbers. */
static void identify(struct bsim_part *part, uint64_t number)
{
    for (int i = 0; i < 64; i += 8) {
        part->identity = (part->identity ^ (number >> i & 0xff)) * UINT64_C(1099511628211);
    }
}

/* What a part needs to find those that belong to it: the trace, and what was asked. */
static void identify_run(struct bsim_part *part, const struct bsim_running *run)
{
    static const struct bsim_timer_options none = {.max_events = UINT64_MAX};
    const struct bsim_run_options *options = run->options;
    const struct bsim_timer_options *timing = options->timing != NULL ? options->timing : &none;
    identify(part, run->content);
    for (const char *p = options->device != NULL ? options->device->name : ""; *p != '\0'; p++) {
        identify(part, (unsigned char)*p);
    }
    identify(part, options->device_options.n_banks);
    identify(part, options->device_options.bank_width);
    identify(part, options->device_options.carveout);
    identify(part, timing->max_events);
    identify(part, timing->max_steps);
    identify(part, timing->registers);
}

enum bsim_status bsim_run_shard(const struct bsim_source *source,
                                const struct bsim_run_options *options, struct bsim_part *part,
                                struct bsim_error *err)
{
    struct bsim_running run = {
        .source = source, .options = options, .shard = {part->shard - 1, part->n_shards}};
    if (part->shard == 0 || part->shard > part->n_shards) {
        return bsim_error_set(err, BSIM_E_USAGE, "a shard is one of 1 to n_shards");
    }
    if (options->also != NULL || options->on_request != NULL || options->on_kernel != NULL) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "a shard is a part of a source, with kernels that are not whole");
    }
    enum bsim_status status = start(&run, &part->result, err);
    if (status == BSIM_OK) {
        identify_run(part, &run);
    }
    return status;
}

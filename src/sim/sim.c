/* sim.c - the simulator: counts each event as it comes.
 *
 * Accesses to global memory are counted in sectors, those to constant memory in passes; shuffles,
 * barriers and fences by number alone. Cycles are not simulated here.
 *
 * There are two doors. Packed events, which binary traces have, are added up as they stand by what
 * is known of their instruction; a whole event is looked at alone. What somebody wants to hear of,
 * an expectation and what does not fit into a packed one need the whole event: take_other is behind
 * both doors, and all that the second has of its own is take_again. Instructions of a processor for
 * each of a million events (callgrind, AVX2, --cycles never):
 *
 *                                            in step  lists
 *     a run over text                            619   3795
 *     of it, behind the reader's push            155   1337
 *     behind a binary reader's push_batch         50    893
 *
 * So text whose reader packed its events would cost 17 % less at most, or 12 %, and that less the
 * packing. It does not: text, .traceg, lanes and expressions would each have to number instructions
 * and to pack, and nothing of what is here would go.
 */
#include "base/mangled.h"
#include "base/memory.h"
#include "event/batch.h"
#include "event/stream.h"
#include "model/device.h"
#include "model/family.h"
#include "model/fast.h"
#include "result/result.h"
#include "sim/async.h"
#include "sim/ledger.h"
#include "sim/sim.h"

#include <inttypes.h>
#include <string.h>

/* An instruction of batches, as far as each of its events needs it. */
struct instr {
    uint32_t owner; /* the place of its site among the kernel's, from 1; or BSIM_NO_OWNER: it has
                            none yet or does not fit, and its events go the careful way */
    uint32_t place_bits; /* of an event's base that have a part in its pattern */
    uint64_t *counter;   /* of what only is counted, in the kernel's result; else NULL */
    bool is_summed;      /* its lists are added up in sums, until they are settled */
    struct bsim_fast_plan plan;
    struct bsim_fast_sums sums;
};

struct bsim_sim {
    struct bsim_sim_options options;
    struct bsim_device chosen; /* options.device points here */
    struct bsim_result result;
    struct bsim_kernel_result *kernel;    /* the running one, the result's last */
    size_t n_moved;                       /* kernels in front of the result's */
    struct bsim_stream stream;            /* sites[i] of the result is its site i */
    uint64_t executed;                    /* warp instructions in the whole stream */
    uint64_t index[BSIM_BLOCK_MAX_WARPS]; /* events of each warp in the block so far, for
                                             on_request alone */
    struct bsim_ledger ledger;
    struct instr *instr; /* of the kernel's batches */
    uint32_t n_instrs;   /* that are known */
    uint32_t *unsited;   /* those of them without a site: as many as there are opcodes */
    uint32_t n_unsited;
    struct bsim_event event; /* of a batch */
};

struct bsim_sim *bsim_sim_new(const struct bsim_sim_options *options)
{
    struct bsim_sim *sim = bsim_mem_zeroed(1, sizeof *sim);
    if (sim == NULL) {
        return NULL;
    }
    sim->options = *options;
    if (options->device != NULL) {
        sim->chosen = *options->device;
        sim->options.device = &sim->chosen;
    }
    bsim_event_init(&sim->event, &(struct bsim_opcode){.family = BSIM_LD});
    return sim;
}

void bsim_sim_free(struct bsim_sim *sim)
{
    if (sim != NULL) {
        bsim_result_free(&sim->result);
        bsim_mem_free(sim->instr);
        bsim_mem_free(sim->unsited);
        bsim_mem_free(sim);
    }
}

static enum bsim_status out_of_memory(struct bsim_error *err)
{
    return bsim_error_set(err, BSIM_E_MEMORY, "out of memory while simulating");
}

static void sum_site(struct bsim_kernel_result *kernel, const struct bsim_site_result *site)
{
    enum bsim_class class = bsim_opcode_class(&site->opcode);
    kernel->rules |= site->tally.rules;
    if (bsim_opcode_is_async(&site->opcode)) {
        return; /* told apart from requests of lanes: bsim_kernel_async */
    }
    bsim_tally_add(&kernel->tally[class], &site->tally);
    if (site->opcode.family == BSIM_SHFL) {
        kernel->shuffles += site->requests;
        return;
    }
    if (site->opcode.space == BSIM_SHARED || site->requests == 0) {
        return;
    }
    kernel->other_requests += site->requests;
    switch (site->opcode.space) {
    case BSIM_GLOBAL:
        bsim_global_tally_add(&kernel->global[class], &site->global);
        kernel->rules |= bsim_rule_bit(BSIM_RULE_SECTORS) | bsim_rule_bit(BSIM_RULE_NVPROF);
        break;
    case BSIM_LOCAL:
        kernel->rules |= bsim_rule_bit(BSIM_RULE_LOCAL);
        break;
    case BSIM_TEXTURE:
        kernel->rules |= bsim_rule_bit(BSIM_RULE_TEXTURE);
        break;
    case BSIM_PEER:
        kernel->rules |= bsim_rule_bit(BSIM_RULE_PEER);
        break;
    default:
        kernel->constant_requests += site->requests;
        kernel->constant_passes += site->constant_passes;
        kernel->rules |= bsim_rule_bit(BSIM_RULE_CONSTANT);
        break;
    }
}

/* Every request is at a site, which has one opcode: a kernel's sums are those of its sites, so that
 * each event is added up once. */
static void sum_sites(struct bsim_kernel_result *kernel)
{
    for (size_t i = 0; i < kernel->n_sites; i++) {
        sum_site(kernel, &kernel->sites[i]);
    }
}

/* Adds what the kernel's lists came to, in batches, to its sites. */
static void settle_instrs(struct bsim_sim *sim)
{
    struct bsim_kernel_result *kernel = sim->kernel;
    for (uint32_t i = 0; i < sim->n_instrs; i++) {
        struct instr *instr = &sim->instr[i];
        if (instr->sums.n > 0) {
            bsim_access_add_sums(&kernel->device, &instr->sums, &kernel->sites[instr->owner - 1]);
        }
    }
    sim->n_instrs = 0;
}

static void finish_kernel(struct bsim_sim *sim)
{
    if (sim->kernel != NULL) {
        bsim_ledger_settle(&sim->ledger, sim->kernel);
        settle_instrs(sim);
        sum_sites(sim->kernel);
        bsim_kernel_sort_sites(sim->kernel);
    }
    sim->kernel = NULL;
}

/* That its block has the room, with its name where it has not; a sketch's is nobody's. */
static enum bsim_status check_shared(const struct bsim_kernel *kernel, const struct bsim_device *device,
                                     struct bsim_error *err)
{
    struct bsim_error why;
    char name[80];
    enum bsim_status status = bsim_device_check_shared(device, kernel->shared_bytes, &why);
    bool is_mangled = bsim_mangled_name(kernel->name, name, sizeof name);
    bool is_named = strcmp(kernel->name, "check") != 0;
    return status == BSIM_OK ? BSIM_OK
                             : bsim_error_set(err, status, "%.80s%s%s", is_mangled ? name : is_named ? kernel->name : "",
                                              is_named ? ": " : "", why.message);
}

static enum bsim_status take_kernel(struct bsim_sim *sim, const struct bsim_record *record,
                                    struct bsim_error *err)
{
    struct bsim_device device;
    const struct bsim_kernel *kernel = record->u.kernel;
    finish_kernel(sim);
    enum bsim_status status = bsim_device_of_kernel(kernel, sim->options.device,
                                                    &sim->options.device_options, &device, err);
    status = status == BSIM_OK ? check_shared(kernel, &device, err) : status;
    if (status != BSIM_OK) {
        return status;
    }
    sim->kernel = bsim_result_add_kernel(&sim->result, kernel, &device);
    sim->n_instrs = sim->n_unsited = 0;
    if (sim->kernel == NULL) {
        return out_of_memory(err);
    }
    sim->kernel->trace_line = record->line;
    return BSIM_OK;
}

static enum bsim_status take_site(struct bsim_sim *sim, const struct bsim_site *site,
                                  struct bsim_error *err)
{
    /* Unsited results may already stand in between; swap so that index i stays at place i. */
    struct bsim_kernel_result *kernel = sim->kernel;
    bsim_ledger_settle(&sim->ledger, kernel);
    struct bsim_site_result *added = bsim_kernel_add_site(kernel, site->number, &site->opcode,
                                                          site->file, site->line, site->text);
    if (added == NULL) {
        return out_of_memory(err);
    }
    struct bsim_site_result moved = kernel->sites[site->index];
    kernel->sites[site->index] = *added;
    *added = moved;
    for (uint32_t i = 0; i < sim->n_unsited; i++) {
        struct instr *instr = &sim->instr[sim->unsited[i]];
        if (instr->owner == site->index + 1) {
            instr->owner = (uint32_t)kernel->n_sites;
        }
    }
    return BSIM_OK;
}

static void take_block(struct bsim_sim *sim)
{
    sim->kernel->blocks++;
    memset(sim->index, 0, sizeof sim->index);
}

/* ---- events --------------------------------------------------------------------------------- */

/* The place of an opcode without a site in the kernel's list, or that list's length. */
static size_t find_unsited(const struct bsim_sim *sim, const struct bsim_opcode *opcode)
{
    const struct bsim_kernel_result *kernel = sim->kernel;
    size_t i = sim->stream.n_sites;
    while (i < kernel->n_sites && !bsim_opcode_same(&kernel->sites[i].opcode, opcode)) {
        i++;
    }
    return i;
}

static struct bsim_site_result *site_of(struct bsim_sim *sim, const struct bsim_event *event)
{
    struct bsim_kernel_result *kernel = sim->kernel;
    if (event->site != NULL) {
        return &kernel->sites[event->site->index];
    }
    size_t i = find_unsited(sim, &event->opcode);
    if (i < kernel->n_sites) {
        return &kernel->sites[i];
    }
    return bsim_kernel_add_site(kernel, 0, &event->opcode, NULL, 0, NULL);
}

static void check_expectation(struct bsim_sim *sim, const struct bsim_event *event, uint64_t line,
                              const char *key, int32_t expected, uint32_t actual)
{
    if (expected == BSIM_ANY_COUNT) {
        return;
    }
    sim->result.expectations++;
    if ((uint32_t)expected == actual) {
        return;
    }
    sim->result.expectations_failed++;
    if (sim->options.on_expectation != NULL) {
        struct bsim_expectation failed = {
            .kernel = sim->stream.kernel,
            .block = sim->stream.block,
            .warp = event->warp,
            .line = line,
            .key = key,
            .expected = (uint32_t)expected,
            .actual = actual,
        };
        sim->options.on_expectation(sim->options.context, &failed);
    }
}

static enum bsim_status report_requests(struct bsim_sim *sim, const struct bsim_event *event,
                                        uint64_t line, const struct bsim_access_counts *counts,
                                        struct bsim_error *err)
{
    bool all = event->warp == BSIM_ALL_WARPS;
    uint32_t first = all ? 0 : event->warp;
    uint32_t end = all ? sim->stream.n_warps : event->warp + 1;
    enum bsim_status status = BSIM_OK;
    for (uint32_t warp = first; warp < end && status == BSIM_OK; warp++) {
        struct bsim_request_result request = {
            .kernel_index = sim->n_moved + sim->result.n_kernels - 1,
            .kernel = sim->stream.kernel,
            .device = &sim->kernel->device,
            .block = sim->stream.block,
            .warp = warp,
            .index = sim->index[warp],
            .trips = sim->stream.trips[sim->stream.depth],
            .line = line,
            .event = event,
            .counts = counts->shared,
            .global = counts->global,
            .constant_passes = counts->constant_passes,
        };
        status = sim->options.on_request(sim->options.context, &request, err);
    }
    return status;
}

static bool expects(const struct bsim_event *event)
{
    return event->expect_wavefronts != BSIM_ANY_COUNT || event->expect_conflicts != BSIM_ANY_COUNT;
}

static enum bsim_status check_access(const struct bsim_device *device,
                                     const struct bsim_event *event, struct bsim_error *err)
{
    char name[BSIM_OPCODE_NAME_SIZE];
    uint32_t bytes = event->opcode.bytes;
    if (bytes == 0 || bytes > 16 || (bytes & (bytes - 1)) != 0) {
        return bsim_error_set(err, BSIM_E_USAGE, "an access of %u bytes per lane", bytes);
    }
    if (!bsim_family_executes(device, &event->opcode)) {
        return bsim_family_refuse(device, &event->opcode, err);
    }
    if (expects(event) && event->opcode.space != BSIM_SHARED) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "expect. stands on accesses to shared memory only, not on %s",
                              bsim_opcode_name(&event->opcode, name));
    }
    return BSIM_OK;
}

/* What several requests read together is looked at when all of them are known; see
 * bsim_result_check_constants. */
static enum bsim_status check_constants(struct bsim_kernel_result *kernel,
                                        const struct bsim_event *event, struct bsim_error *err)
{
    uint64_t address[BSIM_WARP_LANES], first = UINT64_MAX, last = 0;
    uint32_t lanes = bsim_opcode_lanes(&event->opcode, event->mask);
    bsim_event_addresses(event, address);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) != 0) {
            first = address[lane] < first ? address[lane] : first;
            last = address[lane] > last ? address[lane] : last;
        }
    }
    uint64_t bytes = last - first + event->opcode.bytes;
    bsim_kernel_reads_constants(kernel, first, first + bytes);
    return bytes <= BSIM_CONSTANT_BYTES
               ? BSIM_OK
               : bsim_error_set(err, BSIM_E_INPUT,
                                "the lanes read constants over %" PRIu64
                                " bytes, and constant memory has %d: what is larger belongs into "
                                "global memory, for ld.global.nc",
                                bytes, BSIM_CONSTANT_BYTES);
}

/* An access that somebody wants to hear of. */
static enum bsim_status tell_access(struct bsim_sim *sim, struct bsim_site_result *site,
                                    const struct bsim_event *event, uint64_t line, uint64_t n,
                                    struct bsim_error *err)
{
    const struct bsim_device *device = &sim->kernel->device;
    struct bsim_access_counts counts;
    bsim_access_count(device, event, &counts);
    bsim_access_add(device, &counts, n, site);
    check_expectation(sim, event, line, "expect.wavefronts", event->expect_wavefronts,
                      counts.shared.wavefronts);
    check_expectation(sim, event, line, "expect.conflicts", event->expect_conflicts,
                      counts.shared.conflicts);
    return sim->options.on_request == NULL ? BSIM_OK
                                           : report_requests(sim, event, line, &counts, err);
}

static enum bsim_status take_access(struct bsim_sim *sim, const struct bsim_event *event,
                                    uint64_t line, uint64_t n, struct bsim_error *err)
{
    struct bsim_kernel_result *kernel = sim->kernel;
    enum bsim_status status = check_access(&kernel->device, event, err);
    if (status == BSIM_OK && event->opcode.space == BSIM_CONST) {
        status = check_constants(kernel, event, err);
    }
    if (status != BSIM_OK) {
        return status;
    }
    struct bsim_site_result *site = site_of(sim, event);
    if (site == NULL) {
        return out_of_memory(err);
    }
    if (sim->options.on_request != NULL || expects(event)) {
        return tell_access(sim, site, event, line, n, err);
    }
    bsim_ledger_add(&sim->ledger, kernel, (uint32_t)(site - kernel->sites), event, n);
    return BSIM_OK;
}

static void count_event(struct bsim_sim *sim, const struct bsim_event *event)
{
    if (event->warp != BSIM_ALL_WARPS) {
        sim->index[event->warp]++;
        return;
    }
    for (uint32_t warp = 0; warp < sim->stream.n_warps; warp++) {
        sim->index[warp]++;
    }
}

/* Adds n requests of a pattern that its site had before, as most are. False, and nothing else, if
 * it is not one, or if somebody wants to hear of it. */
static inline bool take_again(struct bsim_sim *sim, const struct bsim_event *event, uint64_t n)
{
    if (!event->affine || event->site == NULL || event->from != NULL ||
        sim->options.on_request != NULL || expects(event)) {
        return false;
    }
    struct bsim_ledger_key pattern =
        bsim_ledger_key_of(&sim->kernel->device, event, event->site->index);
    struct bsim_ledger_entry *entry = bsim_ledger_find(&sim->ledger, &pattern);
    if (entry != NULL) {
        entry->n += n;
    }
    return entry != NULL;
}

/* Of what only is counted; NULL for the rest. */
static uint64_t *counter_of(struct bsim_kernel_result *kernel, const struct bsim_opcode *opcode)
{
    switch (opcode->family) {
    case BSIM_WARP_SYNC:
        return &kernel->warp_barriers;
    case BSIM_FENCE:
        return &kernel->fences;
    case BSIM_BAR:
        return &kernel->barriers;
    default:
        return NULL;
    }
}

/* A shuffle touches no memory, so its site has nothing but their number. */
static enum bsim_status take_shuffle(struct bsim_sim *sim, const struct bsim_event *event,
                                     uint64_t n, struct bsim_error *err)
{
    if (!bsim_family_executes(&sim->kernel->device, &event->opcode)) {
        return bsim_family_refuse(&sim->kernel->device, &event->opcode, err);
    }
    struct bsim_site_result *site = site_of(sim, event);
    if (site == NULL) {
        return out_of_memory(err);
    }
    site->requests += n;
    return BSIM_OK;
}

/* A wgmma or a bulk copy: no lane has a part in it, so nobody hears of its lanes. */
static enum bsim_status take_async(struct bsim_sim *sim, const struct bsim_event *event,
                                   uint64_t line, uint64_t n, struct bsim_error *err)
{
    struct bsim_kernel_result *kernel = sim->kernel;
    if (!bsim_family_executes(&kernel->device, &event->opcode)) {
        return bsim_family_refuse(&kernel->device, &event->opcode, err);
    }
    struct bsim_site_result *site = site_of(sim, event);
    if (site == NULL) {
        return out_of_memory(err);
    }
    if (!bsim_async_fits(event, n, site)) {
        return bsim_error_set(err, BSIM_E_INPUT, "copies by TMA move more than 2^56 bytes in all");
    }
    uint32_t wavefronts = bsim_async_add(event, n, site);
    check_expectation(sim, event, line, "expect.wavefronts", event->expect_wavefronts, wavefronts);
    check_expectation(sim, event, line, "expect.conflicts", event->expect_conflicts, 0);
    return BSIM_OK;
}

static enum bsim_status take_other(struct bsim_sim *sim, const struct bsim_event *event,
                                   uint64_t line, uint64_t n, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    if (bsim_opcode_is_access(&event->opcode)) {
        status = take_access(sim, event, line, n, err);
    } else if (bsim_opcode_is_async(&event->opcode)) {
        status = take_async(sim, event, line, n, err);
    } else if (event->opcode.family == BSIM_SHFL) {
        status = take_shuffle(sim, event, n, err);
    } else {
        uint64_t *counter = counter_of(sim->kernel, &event->opcode);
        if (counter != NULL) {
            *counter += n;
        }
    }
    if (sim->options.on_request != NULL) {
        count_event(sim, event);
    }
    return status;
}

/* How many warp instructions there may still be. */
static uint64_t executed_left(const struct bsim_sim *sim)
{
    return BSIM_MAX_EXECUTED - sim->options.executed - sim->executed;
}

static enum bsim_status take_event(struct bsim_sim *sim, const struct bsim_event *event,
                                   uint64_t line, struct bsim_error *err)
{
    uint64_t n = sim->stream.trips[sim->stream.depth] *
                 (event->warp == BSIM_ALL_WARPS ? sim->stream.n_warps : 1);
    if (n > executed_left(sim)) {
        return bsim_error_set(err, BSIM_E_INPUT, "more than 2^47 warp instructions in all");
    }
    sim->executed += n;
    return take_again(sim, event, n) ? BSIM_OK : take_other(sim, event, line, n, err);
}

static enum bsim_status take(struct bsim_sim *sim, const struct bsim_record *record,
                             struct bsim_error *err)
{
    switch (record->kind) {
    case BSIM_RECORD_KERNEL:
        return take_kernel(sim, record, err);
    case BSIM_RECORD_SITE:
        return take_site(sim, record->u.site, err);
    case BSIM_RECORD_BLOCK:
        take_block(sim);
        break;
    case BSIM_RECORD_EVENT:
        return take_event(sim, record->u.event, record->line, err);
    case BSIM_RECORD_END:
        finish_kernel(sim);
        break;
    case BSIM_RECORD_REPEAT:
    case BSIM_RECORD_DONE:
        break;
    }
    return BSIM_OK;
}

static enum bsim_status push(void *context, const struct bsim_record *record,
                             struct bsim_error *err)
{
    struct bsim_sim *sim = context;
    enum bsim_status status = bsim_stream_check(&sim->stream, record, err);
    status = status == BSIM_OK ? take(sim, record, err) : status;
    return bsim_stream_pass(&sim->stream, record, status);
}

/* ---- batches -------------------------------------------------------------------------------- */

/* Where the instruction's result is, if it has one already. */
static uint32_t find_owner(const struct bsim_sim *sim, const struct bsim_instr *instr)
{
    const struct bsim_kernel_result *kernel = sim->kernel;
    if (instr->site == NULL) {
        size_t i = find_unsited(sim, &instr->opcode);
        return i < kernel->n_sites ? (uint32_t)i + 1 : BSIM_NO_OWNER;
    }
    uint32_t index = instr->site->index;
    bool is_there = index < sim->stream.n_sites &&
                    bsim_opcode_same(&kernel->sites[index].opcode, &instr->opcode);
    return is_there ? index + 1 : BSIM_NO_OWNER;
}

static struct instr learn(const struct bsim_sim *sim, const struct bsim_instr *instr)
{
    const struct bsim_device *device = &sim->kernel->device;
    bool executes = bsim_device_executes(device, &instr->opcode);
    struct instr known = {
        .owner = executes ? find_owner(sim, instr) : BSIM_NO_OWNER,
        .place_bits = bsim_ledger_place_bits(device, &instr->opcode),
    };
    bool fits = instr->site == NULL || known.owner != BSIM_NO_OWNER;
    known.counter = fits ? counter_of(sim->kernel, &instr->opcode) : NULL;
    known.is_summed = instr->opcode.space == BSIM_SHARED && executes &&
                      bsim_fast_plan(device, &instr->opcode, &known.plan);
    return known;
}

/* The instruction that is being learned. False when memory is short. */
static bool add_unsited(struct bsim_sim *sim)
{
    uint32_t *grown = bsim_mem_grow(sim->unsited, sim->n_unsited, sizeof *grown);
    if (grown != NULL) {
        sim->unsited = grown;
        sim->unsited[sim->n_unsited++] = sim->n_instrs;
    }
    return grown != NULL;
}

/* Learns the instructions that came since the last batch. False when memory is short. */
static bool learn_instrs(struct bsim_sim *sim, const struct bsim_batch *batch)
{
    for (; sim->n_instrs < batch->n_instrs; sim->n_instrs++) {
        const struct bsim_instr *instr = &batch->instr[sim->n_instrs];
        struct instr *grown = bsim_mem_grow(sim->instr, sim->n_instrs, sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        sim->instr = grown;
        sim->instr[sim->n_instrs] = learn(sim, instr);
        if (instr->site == NULL && !add_unsited(sim)) {
            return false;
        }
    }
    return true;
}

/* A list's n addresses, each for its lane; `room` is for those that do not stand so. Others' are
 * any. */
static const uint32_t *spread(const struct bsim_packed *packed, uint32_t lanes, uint32_t n,
                              uint32_t room[BSIM_WARP_LANES])
{
    const uint32_t *offset = bsim_packed_more(packed);
    uint32_t at = 0;
    if (lanes == BSIM_FULL_MASK) {
        return offset;
    }
    /* Masks are any: a branch for each lane would often go wrong. */
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        room[lane] = offset[at < n ? at : 0];
        at += lanes >> lane & 1;
    }
    return room;
}

/* Adds n requests to shared memory at a list of addresses; false, and nothing else, if that is not
 * to be done here. Sets *n_more to its offsets. */
static inline bool add_list(struct bsim_sim *sim, bsim_fast_summer *sum,
                            const struct bsim_packed *packed, uint64_t n, uint32_t *n_more)
{
    struct instr *known = &sim->instr[packed->instr];
    uint32_t lanes = known->plan.rows != 0 ? known->plan.rows : packed->mask;
    uint32_t room[BSIM_WARP_LANES];
    if (!known->is_summed || known->owner == BSIM_NO_OWNER || packed->at.base != 0) {
        return false;
    }
    *n_more = bsim_fast_population(lanes);
    sum(&known->plan, packed->mask, spread(packed, lanes, *n_more, room), n, &known->sums);
    return true;
}

/* Adds n requests of lanes in step whose pattern has an entry; false, and nothing else, if it has
 * none. */
static inline bool add_step(struct bsim_sim *sim, const struct bsim_packed *packed, uint64_t base,
                            int64_t stride, uint64_t n)
{
    const struct instr *known = &sim->instr[packed->instr];
    struct bsim_ledger_key pattern = {stride, packed->mask, (uint32_t)base & known->place_bits,
                                      known->owner};
    struct bsim_ledger_entry *entry = bsim_ledger_find(&sim->ledger, &pattern);
    if (entry != NULL) {
        entry->n += n;
    }
    return entry != NULL;
}

/* Adds n barriers, fences or shuffles; false, and nothing else, if they do not fit. */
static inline bool add_plain(struct bsim_sim *sim, const struct instr *known, uint64_t n)
{
    if (known->counter != NULL) {
        *known->counter += n;
    } else if (known->owner != BSIM_NO_OWNER) {
        sim->kernel->sites[known->owner - 1].requests += n;
    } else {
        return false;
    }
    return true;
}

/* Adds n events; false, and nothing else, if they are to go the careful way. *n_more is 0
 * before. */
static inline bool add_packed(struct bsim_sim *sim, bsim_fast_summer *sum,
                              const struct bsim_packed *packed, uint64_t n, uint32_t *n_more)
{
    switch (packed->form) {
    case BSIM_PACKED_STEP:
        return add_step(sim, packed, packed->at.step.base, packed->at.step.stride, n);
    case BSIM_PACKED_WIDE_STEP:
        *n_more = 2;
        return add_step(sim, packed, packed->at.base, bsim_packed_stride(packed), n);
    case BSIM_PACKED_LIST:
        return add_list(sim, sum, packed, n, n_more);
    case BSIM_PACKED_PLAIN:
        return add_plain(sim, &sim->instr[packed->instr], n);
    default:
        return true; /* what matters for cycles alone */
    }
}

/* The event at batch->next, n times, as if it were alone. */
static enum bsim_status take_next(struct bsim_sim *sim, struct bsim_batch *batch, uint64_t n,
                                  struct bsim_error *err)
{
    uint32_t instr = batch->next->instr;
    bsim_batch_pop(batch, &sim->event);
    if (!bsim_stream_allows(&sim->stream, &sim->event)) {
        return bsim_stream_refuse_event(err);
    }
    enum bsim_status status = take_other(sim, &sim->event, batch->line, n, err);
    if (sim->instr[instr].owner == BSIM_NO_OWNER) {
        sim->instr[instr] = learn(sim, &batch->instr[instr]);
    }
    return status;
}

/* Takes events off for as long as nothing is unusual about them. */
static void take_usual(struct bsim_sim *sim, struct bsim_batch *batch, const uint64_t times[2])
{
    bsim_fast_summer *sum = bsim_fast_best_summer();
    const struct bsim_packed *packed = batch->next, *end = batch->end;
    uint64_t line = batch->line;
    while (packed != end) {
        uint32_t n_more = 0;
        uint64_t n = times[packed->warp == BSIM_PACKED_ALL_WARPS];
        if (!add_packed(sim, sum, packed, n, &n_more)) {
            break;
        }
        line += packed->form != BSIM_PACKED_WAIT ? batch->line_step : 0;
        packed = bsim_packed_next(packed, n_more);
    }
    batch->next = packed;
    batch->line = line;
}

/* All events of the batch, whose sums will be in range. */
static enum bsim_status take_batch(struct bsim_sim *sim, struct bsim_batch *batch,
                                   struct bsim_error *err)
{
    uint64_t trips = sim->stream.trips[sim->stream.depth];
    const uint64_t times[2] = {trips, trips * sim->stream.n_warps};
    enum bsim_status status = BSIM_OK;
    take_usual(sim, batch, times);
    while (batch->next != batch->end && status == BSIM_OK) {
        status = take_next(sim, batch, times[batch->next->warp == BSIM_PACKED_ALL_WARPS], err);
        if (status == BSIM_OK) {
            take_usual(sim, batch, times);
        }
    }
    return status;
}

/* A batch that is more than it takes at once, or out of order, is taken event by event. */
static enum bsim_status push_batch(void *context, struct bsim_batch *batch, struct bsim_error *err)
{
    struct bsim_sim *sim = context;
    uint64_t n = batch->n_events + (uint64_t)batch->n_all_warps * (sim->stream.n_warps - 1);
    uint64_t trips = sim->stream.trips[sim->stream.depth];
    if (!sim->stream.in_block || sim->stream.is_closed || sim->options.on_request != NULL ||
        n * trips > executed_left(sim)) {
        struct bsim_sink sink = {.push = push, .context = sim};
        return bsim_sink_push_batch(&sink, batch, err);
    }
    sim->executed += n * trips;
    enum bsim_status status =
        learn_instrs(sim, batch) ? take_batch(sim, batch, err) : out_of_memory(err);
    sim->stream.is_closed = status != BSIM_OK;
    return status;
}

struct bsim_sink bsim_sim_sink(struct bsim_sim *sim)
{
    struct bsim_sink sink = {.push = push, .context = sim, .push_batch = push_batch};
    return sink;
}

uint64_t bsim_sim_executed(const struct bsim_sim *sim)
{
    return sim->executed;
}

enum bsim_status bsim_sim_finished(struct bsim_sim *sim, struct bsim_result *result,
                                   struct bsim_error *err)
{
    bool is_running = sim->kernel != NULL;
    size_t n = sim->result.n_kernels - is_running;
    enum bsim_status status = bsim_result_take(&sim->result, n, result, err);
    sim->n_moved += status == BSIM_OK ? n : 0;
    sim->kernel = is_running ? &sim->result.kernels[sim->result.n_kernels - 1] : NULL;
    return status;
}

enum bsim_status bsim_sim_result(struct bsim_sim *sim, struct bsim_result *result,
                                 struct bsim_error *err)
{
    if (!sim->stream.has_ended) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "the event stream is not whole: half a trace has no result");
    }
    *result = sim->result;
    result->executed = sim->executed;
    memset(&sim->result, 0, sizeof sim->result);
    return BSIM_OK;
}

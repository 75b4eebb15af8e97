/* row.c - which columns a report has, and where each value comes from.
 *
 * The order here is the order of the csv columns; scripts rely on the names, which are the field's
 * words in snake_case. Ratios are exact until they are printed. `grade` is that of the counts of
 * shared memory: what sectors, nvprof's transactions and constant passes rest on stands in json's
 * rests_on.
 */
#include "report/row.h"

#include "report/basis.h"
#include "report/capacity.h"
#include "report/cycles.h"
#include "report/holdup.h"
#include "result/result.h"

#include <banksim/banksim.h>

#include <inttypes.h>
#include <stdio.h>

static struct bsim_value *add(struct bsim_row *row, const char *name, enum bsim_value_kind kind)
{
    struct bsim_value *value = &row->value[row->n++];
    value->name = name;
    value->kind = kind;
    value->number = value->divisor = 0;
    value->text = value->instead = NULL;
    value->is_least = false;
    return value;
}

void bsim_row_number(struct bsim_row *row, const char *name, uint64_t number)
{
    add(row, name, BSIM_NUMBER)->number = number;
}

/* A value that is not known. */
static void add_absent(struct bsim_row *row, const char *name)
{
    (void)add(row, name, BSIM_ABSENT);
}

void bsim_row_known(struct bsim_row *row, const char *name, bool is_known, uint64_t number)
{
    if (is_known) {
        bsim_row_number(row, name, number);
    } else {
        add_absent(row, name);
    }
}

void bsim_row_boolean(struct bsim_row *row, const char *name, bool truth)
{
    add(row, name, BSIM_BOOLEAN)->number = truth;
}

void bsim_row_ratio(struct bsim_row *row, const char *name, uint64_t number, uint64_t divisor)
{
    struct bsim_value *value = add(row, name, BSIM_RATIO);
    value->number = number;
    value->divisor = divisor;
}

void bsim_row_real(struct bsim_row *row, const char *name, double real)
{
    add(row, name, BSIM_REAL)->real = real;
}

const char *bsim_row_write_real(double real, char out[BSIM_REAL_SIZE])
{
    bool is_whole = real > -1e15 && real < 1e15 && real == (double)(int64_t)real;
    (void)snprintf(out, BSIM_REAL_SIZE, is_whole ? "%.0f" : "%.9g", real);
    return out;
}

void bsim_row_text(struct bsim_row *row, const char *name, const char *text)
{
    add(row, name, BSIM_STRING)->text = text != NULL ? text : "";
}

void bsim_row_basis(struct bsim_row *row, const struct bsim_basis *basis)
{
    bsim_row_text(row, "grade", bsim_grade_name(basis->grade));
    bsim_row_text(row, "source", basis->source);
}

void bsim_row_head(struct bsim_row *row)
{
    row->n = 0;
    bsim_row_text(row, "banksim", bsim_version());
}

void bsim_row_least(struct bsim_row *row, uint32_t rules)
{
    row->value[row->n - 1].is_least = bsim_rules_are_least(rules);
}

void bsim_row_instead(struct bsim_row *row, bool says_nothing, const char *instead)
{
    row->value[row->n - 1].instead = says_nothing ? instead : NULL;
}

void bsim_row_opcode(struct bsim_row *row, const struct bsim_opcode *opcode)
{
    struct bsim_value *value = add(row, "opcode", BSIM_STRING);
    value->text = bsim_opcode_name(opcode, value->own);
}

/* As in the trace: X, X,Y or X,Y,Z. */
static void add_block(struct bsim_row *row, struct bsim_dim3 block)
{
    struct bsim_value *value = add(row, "block", BSIM_STRING);
    value->text = value->own;
    if (block.z > 0) {
        (void)snprintf(value->own, sizeof value->own, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, block.x,
                       block.y, block.z);
    } else if (block.y > 0) {
        (void)snprintf(value->own, sizeof value->own, "%" PRIu32 ",%" PRIu32, block.x, block.y);
    } else {
        (void)snprintf(value->own, sizeof value->own, "%" PRIu32, block.x);
    }
}

void bsim_row_mask(struct bsim_row *row, uint32_t mask)
{
    struct bsim_value *value = add(row, "mask", BSIM_STRING);
    value->text = value->own;
    (void)snprintf(value->own, sizeof value->own, "%08" PRIx32, mask);
}

/* requests may count more than the tally's, which are those to shared memory. */
static void add_counts(struct bsim_row *row, uint64_t requests, const struct bsim_tally *tally)
{
    bool is_other = tally->requests == 0;
    bsim_row_number(row, "requests", requests);
    bsim_row_number(row, "wavefronts", tally->wavefronts);
    bsim_row_least(row, tally->rules);
    bsim_row_instead(row, is_other, "-");
    bsim_row_number(row, "ideal", tally->ideal);
    bsim_row_number(row, "excessive", bsim_tally_excessive(tally));
    bsim_row_least(row, tally->rules);
    bsim_row_number(row, "ways_min", tally->ways_min);
    bsim_row_instead(row, is_other, "-");
    bsim_row_number(row, "ways_max", tally->ways_max);
    bsim_row_ratio(row, "wavefronts_per_request", tally->wavefronts, tally->requests);
    bsim_row_least(row, tally->rules);
}

static void add_traffic(struct bsim_row *row, const struct bsim_tally *tally)
{
    bsim_row_number(row, "broadcasts", tally->broadcasts);
    bsim_row_number(row, "multicasts", tally->multicasts);
    bsim_row_number(row, "bytes_asked", tally->bytes_asked);
    bsim_row_number(row, "bytes_moved", tally->bytes_moved);
    bsim_row_ratio(row, "efficiency", tally->bytes_asked, tally->bytes_moved);
    bsim_row_number(row, "replays", tally->replays);
}

/* Last, as further columns come behind those that a reader may already count. */
static void add_bank_use(struct bsim_row *row, const struct bsim_tally *tally)
{
    bsim_row_number(row, "bytes_served", tally->bytes_served);
    bsim_row_ratio(row, "bank_use", tally->bytes_served, tally->bytes_moved);
}

/* The names of one class: requests, wavefronts, excessive ones, wavefronts per request. */
struct class_names {
    const char *requests, *wavefronts, *excessive, *per_request;
};

static void add_classes(struct bsim_row *row, const struct bsim_tally tally[BSIM_N_CLASSES])
{
    static const struct class_names names[BSIM_N_CLASSES] = {
        [BSIM_LOADS] = {"load_requests", "load_wavefronts", "load_excessive",
                        "load_wavefronts_per_request"},
        [BSIM_STORES] = {"store_requests", "store_wavefronts", "store_excessive",
                         "store_wavefronts_per_request"},
        [BSIM_ATOMICS] = {"atomic_requests", "atomic_wavefronts", "atomic_excessive",
                          "atomic_wavefronts_per_request"},
    };
    for (int c = 0; c < BSIM_N_CLASSES; c++) {
        bsim_row_number(row, names[c].requests, tally[c].requests);
        bsim_row_number(row, names[c].wavefronts, tally[c].wavefronts);
        bsim_row_number(row, names[c].excessive, bsim_tally_excessive(&tally[c]));
        bsim_row_ratio(row, names[c].per_request, tally[c].wavefronts, tally[c].requests);
        bsim_row_least(row, tally[c].rules);
    }
}

/* The names of one class of global requests. */
struct global_names {
    const char *requests, *sectors, *lines;
};

static void add_global(struct bsim_row *row, const struct bsim_kernel_result *kernel)
{
    static const struct global_names names[BSIM_N_CLASSES] = {
        [BSIM_LOADS] = {"global_load_requests", "global_load_sectors", "global_load_lines"},
        [BSIM_STORES] = {"global_store_requests", "global_store_sectors", "global_store_lines"},
        [BSIM_ATOMICS] = {"global_atomic_requests", "global_atomic_sectors", "global_atomic_lines"},
    };
    for (int c = 0; c < BSIM_N_CLASSES; c++) {
        bsim_row_number(row, names[c].requests, kernel->global[c].requests);
        bsim_row_number(row, names[c].sectors, kernel->global[c].sectors);
        bsim_row_number(row, names[c].lines, kernel->global[c].lines);
    }
    bsim_row_number(row, "gld_transactions", bsim_kernel_gld_transactions(kernel));
    bsim_row_number(row, "gst_transactions", kernel->global[BSIM_STORES].transactions);
    bsim_row_number(row, "constant_requests", kernel->constant_requests);
    bsim_row_number(row, "constant_passes", kernel->constant_passes);
}

static void add_space(struct bsim_row *row, const struct bsim_kernel_result *kernel,
                      enum bsim_space space, enum bsim_class c, const char *requests,
                      const char *sectors)
{
    struct bsim_global_tally sum = bsim_kernel_space(kernel, space, c);
    bsim_row_number(row, requests, sum.requests);
    bsim_row_number(row, sectors, sum.sectors);
}

static void add_cycles(struct bsim_row *row, const struct bsim_kernel_result *kernel)
{
    static const struct bsim_kernel_cycles none = {.waves = 0};
    bool is_known = bsim_cycles_known(kernel) != NULL;
    const struct bsim_kernel_cycles *c = is_known ? &kernel->timed : &none;
    bsim_row_known(row, "cycles", is_known, c->cycles);
    bsim_row_known(row, "cycles_ideal", c->ideal, c->cycles_ideal);
    bsim_row_known(row, "cycles_bound", is_known, c->cycles_bound);
    bsim_row_known(row, "launch_cycles", c->waves > 0, c->launch_cycles);
    bsim_row_ratio(row, "launch_ms", c->launch_cycles,
                   c->waves > 0 ? UINT64_C(1000) * kernel->device.clock_mhz : 0);
    if (is_known) {
        bsim_row_text(row, "cycles_grade", bsim_grade_name(c->grade));
    } else {
        add_absent(row, "cycles_grade");
    }
}

/* The cycles with global and constant memory. */
static void add_memory(struct bsim_row *row, const struct bsim_kernel_result *kernel)
{
    struct bsim_memory_cycles memory = {.at_least = 0};
    bool is_known = bsim_cycles_with_memory(kernel, &memory);
    bsim_row_known(row, "cycles_at_least", is_known, memory.at_least);
    bsim_row_known(row, "cycles_in_turn", is_known, memory.in_turn);
}

static void add_effective(struct bsim_row *row, const struct bsim_kernel_result *kernel)
{
    struct bsim_effective effective = bsim_cycles_effective(kernel);
    if (effective.gb_per_s > 0) {
        bsim_row_real(row, "effective_gb_per_s", effective.gb_per_s);
    } else {
        add_absent(row, "effective_gb_per_s");
    }
}

/* Between which clocks the launch lies. */
static void add_spread(struct bsim_row *row, const struct bsim_kernel_result *kernel)
{
    struct bsim_spread spread;
    bool is_known = bsim_cycles_known(kernel) != NULL && bsim_cycles_spread(kernel, &spread);
    bsim_row_known(row, "launch_least_cycles", is_known, is_known ? spread.least : 0);
    bsim_row_known(row, "launch_most_cycles", is_known, is_known ? spread.most : 0);
}

/* What holds the launch up, and what it takes of each. */
static void add_holdup(struct bsim_row *row, const char *by, const struct bsim_holdup *holdup, double gain)
{
    if (by != NULL) {
        bsim_row_text(row, "held_up_by", by);
    } else {
        add_absent(row, "held_up_by");
    }
    bsim_row_known(row, "launch_pipe_cycles", by != NULL, holdup->clocks[BSIM_HOLDS_PIPE]);
    bsim_row_known(row, "launch_wait_cycles", by != NULL, holdup->clocks[BSIM_HOLDS_L2]);
    bsim_row_known(row, "launch_constant_cycles", by != NULL, holdup->clocks[BSIM_HOLDS_CONSTANT]);
    bsim_row_known(row, "launch_dram_cycles", by != NULL, holdup->clocks[BSIM_HOLDS_DRAM]);
    if (gain > 0) {
        bsim_row_real(row, "speedup_at_most", gain);
    } else {
        add_absent(row, "speedup_at_most");
    }
}

/* What an SM holds of the launch, and what each limit alone would allow, also where the cycles were
 * left out. */
static void add_occupancy(struct bsim_row *row, const struct bsim_kernel_result *kernel)
{
    bool is_known = kernel->timed.is_timed;
    struct bsim_occupancy by = {.blocks = 0};
    uint32_t warps = 0;
    uint32_t most = 0;
    if (is_known) {
        by = bsim_cycles_limits(kernel);
        warps = bsim_cycles_warps(kernel) * by.blocks;
        most = kernel->device.warps_per_sm;
    }
    bsim_row_known(row, "blocks_per_sm", is_known, by.blocks);
    bsim_row_known(row, "warps_per_sm", is_known, warps);
    bsim_row_ratio(row, "occupancy", warps, most);
    bsim_row_known(row, "blocks_by_shared", is_known && by.by_shared < UINT32_MAX, by.by_shared);
    bsim_row_known(row, "blocks_by_warps", is_known, by.by_warps);
    bsim_row_known(row, "blocks_by_number", is_known, by.by_blocks);
    bsim_row_known(row, "blocks_by_registers", is_known && by.by_registers < UINT32_MAX,
                   by.by_registers);
    bsim_row_known(row, "carveout_bytes", is_known, by.sm_bytes);
}

void bsim_row_launch(const struct bsim_kernel_result *kernel, struct bsim_row *row)
{
    struct bsim_holdup holdup;
    double gain = 0;
    const char *by = bsim_holdup_find(kernel, &holdup, &gain);
    add_holdup(row, by, &holdup, gain);
    add_spread(row, kernel);
    bsim_row_known(row, "launch_peer_cycles", by != NULL, holdup.clocks[BSIM_HOLDS_PEERS]);
}

static void add_peers(struct bsim_row *row, const struct bsim_kernel_result *kernel)
{
    struct bsim_global_tally sum[BSIM_N_CLASSES];
    for (int c = 0; c < BSIM_N_CLASSES; c++) {
        sum[c] = bsim_kernel_space(kernel, BSIM_PEER, (enum bsim_class)c);
    }
    bsim_row_number(row, "peer_load_requests", sum[BSIM_LOADS].requests);
    bsim_row_number(row, "peer_load_sectors", sum[BSIM_LOADS].sectors);
    bsim_row_number(row, "peer_store_requests", sum[BSIM_STORES].requests);
    bsim_row_number(row, "peer_store_sectors", sum[BSIM_STORES].sectors);
    bsim_row_number(row, "peer_atomic_requests", sum[BSIM_ATOMICS].requests);
    bsim_row_number(row, "peer_packets", bsim_kernel_packets(kernel));
}

void bsim_row_kernel(const struct bsim_kernel_result *kernel, struct bsim_row *row)
{
    struct bsim_tally total = bsim_kernel_total(kernel);
    row->n = 0;
    bsim_row_text(row, "kernel", kernel->name);
    add_counts(row, total.requests, &total);
    add_classes(row, kernel->tally);
    add_traffic(row, &total);
    bsim_row_number(row, "other_requests", kernel->other_requests);
    add_global(row, kernel);
    bsim_row_number(row, "shuffles", kernel->shuffles);
    bsim_row_number(row, "barriers", kernel->barriers);
    bsim_row_number(row, "blocks", kernel->blocks);
    bsim_row_text(row, "device", kernel->device.name);
    bsim_row_number(row, "banks", kernel->device.n_banks);
    bsim_row_number(row, "bank_width", kernel->device.stride_bytes);
    bsim_row_text(row, "grade", bsim_grade_name(bsim_basis_grade(&kernel->device, total.rules)));
    add_cycles(row, kernel);
    bsim_row_number(row, "warp_barriers", kernel->warp_barriers);
    bsim_row_number(row, "fences", kernel->fences);
    add_bank_use(row, &total);
    add_occupancy(row, kernel);
    bsim_row_boolean(row, "at_least", bsim_rules_are_least(total.rules));
    add_space(row, kernel, BSIM_LOCAL, BSIM_LOADS, "local_load_requests", "local_load_sectors");
    add_space(row, kernel, BSIM_LOCAL, BSIM_STORES, "local_store_requests", "local_store_sectors");
    add_space(row, kernel, BSIM_TEXTURE, BSIM_LOADS, "texture_requests", "texture_sectors");
    add_memory(row, kernel);
    bsim_row_number(row, "shared_bytes", kernel->shared_bytes);
    bsim_row_boolean(row, "opt_in", bsim_capacity_is_opt_in(kernel->shared_bytes));
    add_effective(row, kernel);
    bsim_row_launch(kernel, row);
    add_peers(row, kernel);
}

/* What the site costs. cycles is the kernel's, cycles_ideal the kernel's without this site's
 * conflicts; cycles_bound is what the site's requests alone take of the data pipe. */
static void add_site_cycles(struct bsim_row *row, const struct bsim_kernel_result *kernel,
                            const struct bsim_site_result *result)
{
    static const struct bsim_site_cycles none = {.turns = 0};
    const struct bsim_kernel_cycles *cycles = &kernel->timed;
    const struct bsim_site_cycles *site = bsim_cycles_of_site(kernel, result);
    bool is_known = site != NULL;
    bool has_ideal = is_known && cycles->ideal_sites && !site->left_out;
    site = is_known ? site : &none;
    bsim_row_known(row, "turns", is_known, site->turns);
    bsim_row_known(row, "turns_ideal", is_known, site->turns_ideal);
    bsim_row_known(row, "stall_pipe", is_known, site->stalls.pipe);
    bsim_row_known(row, "stall_latency", is_known, site->stalls.latency);
    bsim_row_known(row, "cycles_ideal", has_ideal, site->cycles_ideal);
    bsim_row_ratio(row, "speedup", has_ideal ? cycles->cycles : 0,
                   has_ideal ? site->cycles_ideal : 0);
    bsim_row_known(row, "cycles", is_known, is_known ? cycles->cycles : 0);
    bsim_row_known(row, "cycles_bound", is_known,
                   is_known ? site->turns * cycles->timing.turn_interval : 0);
}

bool bsim_row_has(const struct bsim_site_result *site)
{
    return bsim_opcode_is_access(&site->opcode) || site->opcode.family == BSIM_SHFL ||
           bsim_opcode_is_async(&site->opcode);
}

void bsim_row_site(const struct bsim_kernel_result *kernel, const struct bsim_site_result *site,
                   struct bsim_row *row)
{
    row->n = 0;
    bsim_row_text(row, "kernel", kernel->name);
    bsim_row_number(row, "site", site->number);
    bsim_row_instead(row, site->number == 0, "-");
    bsim_row_opcode(row, &site->opcode);
    add_counts(row, site->requests, &site->tally);
    add_traffic(row, &site->tally);
    bool is_known = bsim_site_knows_sectors(site);
    bsim_row_known(row, "sectors", is_known, site->global.sectors);
    bsim_row_known(row, "lines", is_known, site->global.lines);
    bsim_row_number(row, "constant_passes", site->constant_passes);
    bsim_row_text(row, "file", site->file);
    bsim_row_number(row, "line", site->line);
    bsim_row_text(row, "text", site->text);
    add_site_cycles(row, kernel, site);
    add_bank_use(row, &site->tally);
    bsim_row_boolean(row, "at_least", bsim_rules_are_least(site->tally.rules));
}

void bsim_row_request(const struct bsim_request_result *request, struct bsim_row *row)
{
    const struct bsim_counts *counts = &request->counts;
    bool is_other = request->event->opcode.space != BSIM_SHARED;
    row->n = 0;
    bsim_row_text(row, "kernel", request->kernel->name);
    add_block(row, request->block);
    bsim_row_number(row, "warp", request->warp);
    bsim_row_number(row, "index", request->index);
    bsim_row_opcode(row, &request->event->opcode);
    bsim_row_mask(row, request->event->mask);
    bsim_row_number(row, "wavefronts", counts->wavefronts);
    bsim_row_instead(row, is_other, "-");
    bsim_row_number(row, "ideal", counts->ideal);
    bsim_row_instead(row, is_other, "-");
    bsim_row_number(row, "excessive", bsim_counts_excessive(counts));
    bsim_row_instead(row, is_other, "-");
    bsim_row_number(row, "ways", counts->ways);
    bsim_row_instead(row, is_other, "-");
    bsim_row_number(row, "count", request->trips);
    bsim_row_boolean(row, "broadcast", counts->broadcast);
    bsim_row_boolean(row, "multicast", counts->multicast);
    bsim_row_number(row, "bytes_asked", counts->bytes_asked);
    bsim_row_number(row, "bytes_moved", counts->bytes_moved);
    bool is_known = bsim_opcode_knows_sectors(&request->event->opcode, request->event->from != NULL);
    bsim_row_known(row, "sectors", is_known, request->global.sectors);
    bsim_row_known(row, "lines", is_known, request->global.lines);
    bsim_row_number(row, "constant_passes", request->constant_passes);
    bsim_row_number(row, "site", request->event->site != NULL ? request->event->site->number : 0);
    bsim_row_number(row, "line", request->line);
    bsim_row_number(row, "bytes_served", counts->bytes_served);
    bsim_row_boolean(row, "at_least", bsim_rules_are_least(counts->rules));
}

void bsim_row_classes(const struct bsim_tally class[BSIM_N_CLASSES], struct bsim_row *row)
{
    struct bsim_tally total = {0};
    for (int c = 0; c < BSIM_N_CLASSES; c++) {
        bsim_tally_add(&total, &class[c]);
    }
    row->n = 0;
    add_counts(row, total.requests, &total);
    add_classes(row, class);
    add_traffic(row, &total);
    add_bank_use(row, &total);
    bsim_row_boolean(row, "at_least", bsim_rules_are_least(total.rules));
}

void bsim_row_total(const struct bsim_result *result, struct bsim_row *row)
{
    struct bsim_tally class[BSIM_N_CLASSES];
    for (int c = 0; c < BSIM_N_CLASSES; c++) {
        class[c] = bsim_result_class(result, (enum bsim_class)c);
    }
    bsim_row_classes(class, row);
}

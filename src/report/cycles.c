/* cycles.c - what the cycle model says of a kernel, in words.
 *
 * Shares are of an average warp's time: the stalls are sums over all warps. What a kernel costs is
 * told for its blocks one after another, each alone on an SM; the whole launch is an estimate.
 */
#include "report/cycles.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct bsim_kernel_cycles *bsim_cycles_known(const struct bsim_kernel_result *kernel)
{
    const struct bsim_kernel_cycles *timed = &kernel->timed;
    return timed->is_timed && !timed->left_out && timed->requests > 0 ? timed : NULL;
}

const struct bsim_site_cycles *bsim_cycles_of_site(const struct bsim_kernel_result *kernel,
                                                   const struct bsim_site_result *site)
{
    bool is_timed = bsim_cycles_known(kernel) != NULL && site->opcode.space == BSIM_SHARED;
    return is_timed ? &site->timed : NULL;
}

size_t bsim_cycles_left_out_sites(const struct bsim_kernel_result *kernel)
{
    size_t n = 0;
    for (size_t i = 0; i < kernel->n_sites; i++) {
        n += kernel->sites[i].timed.left_out;
    }
    return n;
}

bool bsim_cycles_with_memory(const struct bsim_kernel_result *kernel,
                             struct bsim_memory_cycles *memory)
{
    const struct bsim_kernel_cycles *timed = &kernel->timed;
    uint64_t requests = timed->requests + kernel->constant_requests;
    for (int c = 0; c < BSIM_N_CLASSES; c++) {
        requests += kernel->global[c].requests;
    }
    if (!timed->is_timed || timed->left_out || requests == 0) {
        return false;
    }
    bsim_cycles_memory(kernel, memory);
    return true;
}

/* A block may take longer without conflicts. */
static struct bsim_cost cost_in_cycles(uint64_t cycles, uint64_t ideal)
{
    return (struct bsim_cost){true, cycles > ideal ? cycles - ideal : 0};
}

struct bsim_cost bsim_cost_of_kernel(const struct bsim_kernel_result *kernel)
{
    const struct bsim_kernel_cycles *known = bsim_cycles_known(kernel);
    struct bsim_tally total = bsim_kernel_total(kernel);
    return known != NULL && known->ideal ? cost_in_cycles(known->cycles, known->cycles_ideal)
                                         : (struct bsim_cost){false, bsim_tally_excessive(&total)};
}

struct bsim_cost bsim_cost_of_site(const struct bsim_kernel_result *kernel,
                                   const struct bsim_site_result *site)
{
    const struct bsim_site_cycles *known = bsim_cycles_of_site(kernel, site);
    return known != NULL && kernel->timed.ideal_sites && !known->left_out
               ? cost_in_cycles(kernel->timed.cycles, known->cycles_ideal)
               : (struct bsim_cost){false, bsim_tally_excessive(&site->tally)};
}

uint64_t bsim_stalls_total(const struct bsim_stalls *stalls)
{
    return stalls->issue + stalls->pipe + stalls->latency + stalls->barrier;
}

const char *bsim_cycles_time(uint64_t cycles, uint32_t clock_mhz, char *out, size_t size)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    double time = 1000 * (double)cycles / (double)clock_mhz;
    size_t unit = 0;
    while (time >= 999.5 && unit < 3) {
        time /= 1000;
        unit++;
    }
    (void)snprintf(out, size, "%.3g %s", time, units[unit]);
    return out;
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* What is told is a sum over the blocks, which is nobody's time: a GPU runs them at once. */
static void add_blocks(const struct bsim_kernel_result *kernel, uint64_t sum,
                       struct bsim_buffer *out)
{
    if (kernel->blocks > 1) {
        bsim_buffer_printf(out,
                           " for %" PRIu64 " blocks one after another (%" PRIu64 " on average)",
                           kernel->blocks, (sum + kernel->blocks / 2) / kernel->blocks);
    }
}

/* "cycles: 1177, of which 992 for conflicts (185 without them, 6.36 times as fast); ..." */
void bsim_cycles_cost_text(const struct bsim_kernel_result *kernel, struct bsim_buffer *out)
{
    const struct bsim_kernel_cycles *cycles = &kernel->timed;
    struct bsim_tally total = bsim_kernel_total(kernel);
    bool has_conflicts = bsim_tally_excessive(&total) > 0;
    bsim_buffer_printf(out, "cycles: %" PRIu64, cycles->cycles);
    add_blocks(kernel, cycles->cycles, out);
    if (has_conflicts && cycles->ideal && cycles->cycles_ideal < cycles->cycles) {
        bsim_buffer_printf(out,
                           ", of which %" PRIu64 " for conflicts (%" PRIu64
                           " without them, %.2f times as fast)",
                           cycles->cycles - cycles->cycles_ideal, cycles->cycles_ideal,
                           (double)cycles->cycles / (double)cycles->cycles_ideal);
    } else if (has_conflicts && cycles->ideal) {
        bsim_buffer_text(out, ", none of them for conflicts: hidden behind other work");
    }
    bsim_buffer_printf(out, "; the data pipe alone %" PRIu64 "\n", cycles->cycles_bound);
}

static bool uses_local(const struct bsim_kernel_result *kernel)
{
    uint64_t requests = 0;
    for (int c = 0; c < BSIM_N_CLASSES; c++) {
        requests += bsim_kernel_space(kernel, BSIM_LOCAL, c).requests;
    }
    return requests > 0;
}

/* "with global memory: at least 3136 cycles, 3519 if nothing overlaps (1056 for its requests, 260
 * until L2 answers)" */
void bsim_cycles_memory_text(const struct bsim_kernel_result *kernel, struct bsim_buffer *out)
{
    struct bsim_memory_cycles memory;
    if (!bsim_cycles_with_memory(kernel, &memory) ||
        memory.wavefronts + kernel->constant_requests == 0) {
        bsim_buffer_text(out, uses_local(kernel) ? "local memory is left out of the cycles\n" : "");
        return;
    }
    const struct {
        uint64_t cycles;
        const char *what;
    } part[] = {
        {memory.wavefronts - memory.played, "for its requests"},
        {memory.latency, "until L2 answers"},
        {memory.constant, "for constant memory's further addresses"},
    };
    const char *separator = " (";
    bsim_buffer_printf(out, "with %s memory: at least %" PRIu64 " cycles",
                       kernel->constant_requests == 0 ? "global"
                       : memory.wavefronts == 0       ? "constant"
                                                      : "global and constant",
                       memory.at_least);
    add_blocks(kernel, memory.at_least, out);
    if (memory.in_turn > memory.at_least || memory.played == 0) {
        bsim_buffer_printf(out, ", %" PRIu64 " if nothing overlaps", memory.in_turn);
    }
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        if (part[i].cycles > 0) {
            bsim_buffer_printf(out, "%s%" PRIu64 " %s", separator, part[i].cycles, part[i].what);
            separator = ", ";
        }
    }
    const struct bsim_basis *basis = &kernel->timed.timing.memory_basis;
    bsim_buffer_printf(out, "%s%s%s%s%s%s\n", separator[0] == ',' ? ")" : "",
                       memory.played > 0 ? "; stores are in the cycles above" : "",
                       uses_local(kernel) ? "; local memory is left out" : "",
                       kernel->global[BSIM_ATOMICS].requests > 0
                           ? "; what global atomics wait for at one address is left out"
                           : "",
                       basis->grade == BSIM_ASSUMED ? "; assumed: " : "",
                       basis->grade == BSIM_ASSUMED ? basis->source : "");
}

static void add_stalls(const struct bsim_stalls *stalls, struct bsim_buffer *out)
{
    uint64_t total = bsim_stalls_total(stalls);
    if (total == 0) {
        return;
    }
    bsim_buffer_printf(
        out,
        "an average warp: %.0f %% issuing, %.0f %% held up by the data pipe, %.0f %% "
        "waiting for results, %.0f %% at barriers\n",
        percent(stalls->issue, total), percent(stalls->pipe, total),
        percent(stalls->latency, total), percent(stalls->barrier, total));
}

static uint64_t sectors_of(const struct bsim_kernel_result *kernel)
{
    uint64_t sectors = 0;
    for (int c = 0; c < BSIM_N_CLASSES; c++) {
        sectors += kernel->global[c].sectors;
    }
    return sectors;
}

static double longer(double a, double b)
{
    return a > b ? a : b;
}

/* Clocks of the launch that is simulated in part: its shared memory, the first wait and the SMs'
 * pipes, whichever is most. */
static double clocks_of_launch(const struct bsim_kernel_result *kernel, double blocks)
{
    struct bsim_memory_cycles memory;
    bsim_cycles_memory(kernel, &memory);
    double of_a_block = (double)memory.at_least / (double)kernel->blocks;
    double clocks =
        longer((double)kernel->timed.launch_cycles, (double)kernel->timed.waves * of_a_block);
    return longer(clocks, (double)memory.wavefronts / (double)kernel->blocks * blocks /
                              (double)kernel->device.n_sms);
}

struct bsim_effective bsim_cycles_effective(const struct bsim_kernel_result *kernel)
{
    enum { SECTOR_BYTES = 32 };
    const struct bsim_device *device = &kernel->device;
    struct bsim_effective effective = {.bytes = 0};
    for (int c = 0; c < BSIM_N_CLASSES; c++) {
        effective.bytes += bsim_kernel_space(kernel, BSIM_GLOBAL, c).bytes_asked;
    }
    if (effective.bytes > 0 && kernel->timed.waves > 0 && device->clock_mhz > 0 &&
        device->memory_gb_per_s > 0) {
        double blocks = (double)kernel->grid.x * kernel->grid.y * kernel->grid.z;
        double part = (double)kernel->blocks / blocks;
        double moved = (double)(sectors_of(kernel) * SECTOR_BYTES) / part;
        effective.ns = longer(clocks_of_launch(kernel, blocks) * 1000 / device->clock_mhz,
                              moved / device->memory_gb_per_s);
        effective.gb_per_s = (double)effective.bytes / part / effective.ns;
    }
    return effective;
}

/* "; effective bandwidth at most 24 GB/s, of the bytes that lanes ask for" */
static void add_effective(const struct bsim_kernel_result *kernel, struct bsim_buffer *out)
{
    struct bsim_effective effective = bsim_cycles_effective(kernel);
    if (effective.gb_per_s > 0) {
        const char *format = effective.gb_per_s < 100 ? "; effective bandwidth at most %.3g GB/s"
                                                      : "; effective bandwidth at most %.0f GB/s";
        bsim_buffer_printf(out, format, effective.gb_per_s);
        /* A word that 32 lanes share counts 32 times: what broadcasts looks faster than it
         * moves. */
        bsim_buffer_text(out, ", of the bytes that lanes ask for");
    }
}

/* "160 sectors", or of a launch that is simulated in part "some 320 sectors of all 8 blocks (160 in 4 of
 * them)", as if the others did the same; returns how many. */
static uint64_t add_count(const struct bsim_kernel_result *kernel, struct bsim_buffer *out)
{
    const double most = 0x1p58; /* whose bytes are a number of 64 bits */
    uint64_t sectors = sectors_of(kernel);
    uint64_t blocks = (uint64_t)kernel->grid.x * kernel->grid.y * kernel->grid.z;
    double scaled = kernel->blocks > 0
                        ? (double)sectors / (double)kernel->blocks * (double)blocks + 0.5
                        : most;
    if (kernel->blocks >= blocks || scaled >= most) {
        bsim_buffer_printf(out, "%" PRIu64 " sector%s", sectors, sectors == 1 ? "" : "s");
        return sectors;
    }
    uint64_t all = (uint64_t)scaled;
    bsim_buffer_printf(out,
                       "some %" PRIu64 " sectors of all %" PRIu64 " blocks (%" PRIu64
                       " in %" PRIu64 " of them)",
                       all, blocks, sectors, kernel->blocks);
    return all;
}

/* "device memory: 160 sectors take 1.06 ns of its 4814 GB/s, if no cache has them; effective
 * ..." */
static void add_sectors(const struct bsim_kernel_result *kernel, struct bsim_buffer *out)
{
    enum { SECTOR_BYTES = 32 };
    const struct bsim_device *device = &kernel->device;
    char time[32];
    if (sectors_of(kernel) > 0 && device->memory_gb_per_s > 0) {
        bsim_buffer_text(out, "device memory: ");
        uint64_t sectors = add_count(kernel, out);
        bsim_buffer_printf(out, " take %s of its %" PRIu32 " GB/s, if no cache has them",
                           bsim_cycles_time(sectors * SECTOR_BYTES, device->memory_gb_per_s * 1000,
                                            time, sizeof time),
                           device->memory_gb_per_s);
        add_effective(kernel, out);
        bsim_buffer_text(out, "\n");
    }
}

void bsim_cycles_launch_text(const struct bsim_kernel_result *kernel, struct bsim_buffer *out)
{
    const struct bsim_kernel_cycles *cycles = &kernel->timed;
    uint32_t clock_mhz = kernel->device.clock_mhz;
    char time[32];
    if (cycles->waves == 0 && kernel->device.n_sms > 0) {
        bsim_buffer_text(out, "launch: not estimated, as it takes more than 2^64 cycles\n");
    }
    if (cycles->waves == 0) {
        return;
    }
    struct bsim_spread spread;
    bsim_buffer_printf(out, "launch: about %" PRIu64 " cycles", cycles->launch_cycles);
    if (bsim_cycles_spread(kernel, &spread)) {
        bsim_buffer_printf(out, " (%" PRIu64 " to %" PRIu64 ")", spread.least, spread.most);
    }
    if (clock_mhz > 0) {
        bsim_buffer_printf(out, " = %s at %" PRIu32 " MHz",
                           bsim_cycles_time(cycles->launch_cycles, clock_mhz, time, sizeof time),
                           clock_mhz);
    }
    if (cycles->launch_ideal > 0 && cycles->launch_ideal < cycles->launch_cycles) {
        bsim_buffer_printf(out, ", %" PRIu64 " without conflicts", cycles->launch_ideal);
    }
    bsim_buffer_printf(
        out, ", estimated: %" PRIu32 " block%s per SM, %" PRIu64 " wave%s, shared memory alone\n",
        cycles->blocks_per_sm, cycles->blocks_per_sm == 1 ? "" : "s", cycles->waves,
        cycles->waves == 1 ? "" : "s");
}

/* Of the limits that the blocks equal, each is one. */
static void add_limits(const struct bsim_occupancy *by, struct bsim_buffer *out)
{
    uint32_t n = by->blocks;
    const char *separator = "";
    const struct {
        bool is_it;
        const char *what;
    } limit[] = {
        {by->by_shared == n, "shared memory"},
        {by->by_warps == n, "warps"},
        {by->by_blocks == n, "the number of blocks"},
        {by->by_registers == n, "registers"},
    };
    for (size_t i = 0; i < sizeof limit / sizeof limit[0]; i++) {
        if (limit[i].is_it) {
            bsim_buffer_printf(out, "%s%s", separator, limit[i].what);
            separator = " and ";
        }
    }
}

/* "; carve-out 16 of 48 KB", where it is not the largest or not the one that was asked for. */
static void add_carveout(const struct bsim_device *device, uint32_t sm_bytes,
                         struct bsim_buffer *out)
{
    if (device->carveout_bytes == device->shared_per_sm_bytes) {
        return;
    }
    bsim_buffer_printf(out, "; carve-out %" PRIu32 " of %" PRIu32 " KB", sm_bytes / 1024,
                       device->shared_per_sm_bytes / 1024);
    if (sm_bytes > device->carveout_bytes) {
        bsim_buffer_printf(out, ", as a block does not fit in %" PRIu32 " KB",
                           device->carveout_bytes / 1024);
    }
}

uint32_t bsim_cycles_warps(const struct bsim_kernel_result *kernel)
{
    uint32_t threads = kernel->block.x * kernel->block.y * kernel->block.z;
    return (threads + BSIM_WARP_LANES - 1) / BSIM_WARP_LANES;
}

struct bsim_occupancy bsim_cycles_limits(const struct bsim_kernel_result *kernel)
{
    return bsim_device_occupancy(&kernel->device, bsim_cycles_warps(kernel) * BSIM_WARP_LANES,
                                 kernel->shared_bytes, kernel->timed.registers);
}

/* "occupancy: 50 %, 32 of 64 warps per SM, limited by registers" */
static void add_occupancy(const struct bsim_kernel_result *kernel, struct bsim_buffer *out)
{
    struct bsim_occupancy by = bsim_cycles_limits(kernel);
    uint32_t resident = bsim_cycles_warps(kernel) * by.blocks;
    bsim_buffer_printf(
        out, "occupancy: %.0f %%, %" PRIu32 " of %" PRIu32 " warps per SM, limited by ",
        percent(resident, kernel->device.warps_per_sm), resident, kernel->device.warps_per_sm);
    add_limits(&by, out);
    add_carveout(&kernel->device, by.sm_bytes, out);
    bsim_buffer_text(out, kernel->timed.registers == 0 ? "; registers left out (--registers N)\n"
                                                       : "\n");
}

/* By its own requests, or by wgmma's reads: their cycles are shared memory's. */
static bool uses_shared(const struct bsim_kernel_result *kernel)
{
    struct bsim_async_tally async = bsim_kernel_async(kernel);
    return bsim_kernel_total(kernel).requests + async.wgmmas + async.loads + async.stores + async.reduces > 0;
}

void bsim_cycles_text(const struct bsim_kernel_result *kernel, struct bsim_buffer *out)
{
    bool is_known = bsim_cycles_known(kernel) != NULL;
    if (!kernel->timed.is_timed) {
        return;
    }
    if (!uses_shared(kernel)) {
        bsim_buffer_text(out, "cycles: not estimated, as no request touches shared memory\n");
    }
    if (is_known) {
        bsim_cycles_cost_text(kernel, out);
    }
    bsim_cycles_memory_text(kernel, out);
    if (is_known) {
        add_stalls(&kernel->timed.stalls, out);
        bsim_cycles_launch_text(kernel, out);
    }
    if (!kernel->timed.left_out) {
        add_sectors(kernel, out);
    }
    add_occupancy(kernel, out);
}

void bsim_cycles_left_out_sites_text(const struct bsim_kernel_result *kernel,
                                     struct bsim_buffer *out)
{
    size_t n = bsim_cycles_left_out_sites(kernel);
    if (n > 0) {
        bsim_buffer_printf(
            out,
            "speed-up: ? at %zu site%s, not simulated: only the %d that lose most in "
            "a block are, unless\nits loops take too long without them; remove those conflicts "
            "first, then run again\n",
            n, n == 1 ? "" : "s", BSIM_TIMER_SITES);
    }
}

void bsim_cycles_left_out_text(const struct bsim_cycles_notes *notes, struct bsim_buffer *out)
{
    size_t n = notes->n_left_out;
    if (n > 0 && notes->max_events == 0) {
        bsim_buffer_printf(out,
                           "cycles: left out of %zu kernel%s: a block's loops take more than "
                           "%d instructions to play\n",
                           n, n == 1 ? "" : "s", BSIM_TIMER_BLOCK_STEPS);
    } else if (n == 1 && notes->n_kernels == 1 && notes->events <= notes->max_events) {
        bsim_buffer_printf(out,
                           "cycles: left out, as its work and loops take longer to play than "
                           "%" PRIu64 " events; --cycles always tries\n",
                           notes->max_events);
    } else if (n == 1 && notes->n_kernels == 1) {
        bsim_buffer_printf(out,
                           "cycles: left out, as there are %" PRIu64 " events, more than %" PRIu64
                           "; --cycles always estimates them\n",
                           notes->events, notes->max_events);
    } else if (n > 0) {
        bsim_buffer_printf(out,
                           "cycles: left out of %zu kernel%s with more than %" PRIu64
                           " events, or as long to play; --cycles always estimates them\n",
                           n, n == 1 ? "" : "s", notes->max_events);
    }
}

static bool is_listed(const struct bsim_buffer *list, const char *name)
{
    const char *const *listed = (const char *const *)(const void *)list->data;
    for (size_t i = 0; i < list->size_bytes / sizeof *listed; i++) {
        if (strcmp(listed[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static void add_basis(const struct bsim_kernel_result *kernel, struct bsim_buffer *out)
{
    const struct bsim_basis *basis = &kernel->timed.timing.basis;
    bool is_assumed = basis->grade == BSIM_ASSUMED;
    bsim_buffer_printf(out, "Cycles on %s are shared memory's, and rest on %s constants%s%s%s.\n",
                       kernel->device.name, bsim_grade_name(basis->grade), is_assumed ? " (" : "",
                       is_assumed ? basis->source : "", is_assumed ? ")" : "");
}

/* Notes what the cycles on the kernel's device rest on, once. */
static void note_basis(struct bsim_cycles_notes *notes, const struct bsim_kernel_result *kernel)
{
    const char *const *name = &kernel->device.name;
    if (bsim_cycles_known(kernel) != NULL && !is_listed(&notes->devices, *name)) {
        bsim_buffer_add(&notes->devices, name, sizeof *name);
        add_basis(kernel, &notes->basis);
    }
}

void bsim_cycles_note(struct bsim_cycles_notes *notes, const struct bsim_kernel_result *kernel)
{
    const struct bsim_kernel_cycles *timed = &kernel->timed;
    notes->n_kernels++;
    if (timed->left_out && uses_shared(kernel)) {
        notes->n_left_out++;
        notes->events = timed->events;
        notes->max_events = timed->max_events;
    }
    note_basis(notes, kernel);
}

void bsim_cycles_notes_free(struct bsim_cycles_notes *notes)
{
    bsim_buffer_free(&notes->devices);
    bsim_buffer_free(&notes->basis);
}

void bsim_cycles_basis_tell(const struct bsim_cycles_notes *notes, struct bsim_buffer *out)
{
    bsim_buffer_add(out, notes->basis.data, notes->basis.size_bytes);
    out->failed = out->failed || notes->devices.failed || notes->basis.failed;
}

void bsim_cycles_basis_text(const struct bsim_result *result, struct bsim_buffer *out)
{
    struct bsim_cycles_notes notes = {.n_kernels = 0};
    for (size_t k = 0; k < result->n_kernels; k++) {
        note_basis(&notes, &result->kernels[k]);
    }
    bsim_cycles_basis_tell(&notes, out);
    bsim_cycles_notes_free(&notes);
}

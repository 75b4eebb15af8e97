/* holdup.c - what holds a launch up: shared memory, or what it has to wait for besides.
 *
 * Each is taken as if it were alone, in clocks of the launch, from counts:
 *
 *     shared     what was played: the data pipe, issue, latencies and barriers of shared memory
 *     pipe       all wavefronts, shared and global, over the SMs that have blocks; lines looked up
 *     L2         latency over occupancy: each block waits so often, so many blocks wait at a time
 *     constant   further addresses of constant memory
 *     peers      packets between the SMs of a cluster, as if each block did the same to the others
 *     DRAM       all sectors over the bandwidth, if no cache has them
 *
 *     shared   |=============|                 the longest holds the launch up
 *     DRAM     |====================|          without conflicts, if all overlaps: nothing gained
 *     shared   |====|                          if nothing does: (13 + 20) / (4 + 20) times as fast
 *
 * The truth lies between both, as long as the longest of the others is what it is taken for: caches
 * make DRAM's part shorter, waits for one load after another L2's longer.
 */
#include "result/clock.h"

#include <banksim/result.h>

enum { SECTOR_BYTES = 32 };

/* What of a sum over the simulated blocks, taken to be like all others, falls to one of so many that
 * share it. */
static uint64_t share_of(const struct bsim_kernel_result *kernel, double sum, double n_at_once)
{
    double blocks = (double)kernel->grid.x * kernel->grid.y * kernel->grid.z;
    double each = sum / (double)later(kernel->blocks, 1);
    double clocks = each * blocks / (n_at_once < blocks ? n_at_once : blocks) + 0.5;
    return clocks < (double)BSIM_NEVER ? (uint64_t)clocks : BSIM_NEVER;
}

static uint64_t dram_of(const struct bsim_kernel_result *kernel)
{
    const struct bsim_device *device = &kernel->device;
    double sectors = 0;
    for (int c = 0; c < BSIM_N_CLASSES; c++) {
        sectors += (double)kernel->global[c].sectors;
    }
    double per_clock = 1000.0 * device->memory_gb_per_s / (double)later(device->clock_mhz, 1);
    return per_clock > 0 && device->clock_mhz > 0
               ? share_of(kernel, sectors * SECTOR_BYTES / per_clock, 1)
               : 0;
}

/* 1.5 clocks each in either direction (src/model/peer.c), and what the others send goes where the
 * answers do. Waits for answers are not in it: a load that the next one hangs on takes 190 to 265
 * clocks, by its sectors (chains of 256 on an H200, driver 580.159.04, 2026-11-24). */
static uint64_t peers_of(const struct bsim_kernel_result *kernel)
{
    const double clocks_a_packet = 1.5;
    double packets = (double)bsim_kernel_packets(kernel);
    return share_of(kernel, clocks_a_packet * packets, kernel->device.n_sms);
}

static void set_pipe(const struct bsim_kernel_result *kernel, const struct bsim_memory_cycles *memory,
                     struct bsim_holdup *holdup)
{
    double global = (double)memory->wavefronts, shared = (double)kernel->timed.cycles_bound;
    double n_sms = kernel->device.n_sms;
    holdup->requests = share_of(kernel, global, n_sms);
    holdup->clocks[BSIM_HOLDS_PIPE] =
        share_of(kernel, kernel->timed.timing.one_pipe ? shared + global : shared, n_sms);
}

static enum bsim_holds longest(const uint64_t clocks[BSIM_N_HOLDS])
{
    enum bsim_holds by = BSIM_HOLDS_SHARED;
    for (int i = 0; i < BSIM_N_HOLDS; i++) {
        by = clocks[i] > clocks[by] ? (enum bsim_holds)i : by;
    }
    return by;
}

/* What conflicts do not make longer. */
static void set_anyway(struct bsim_holdup *holdup)
{
    uint64_t clocks[BSIM_N_HOLDS];
    for (int i = 0; i < BSIM_N_HOLDS; i++) {
        clocks[i] = holdup->clocks[i];
    }
    clocks[BSIM_HOLDS_SHARED] = 0;
    clocks[BSIM_HOLDS_PIPE] = holdup->requests;
    holdup->anyway = longest(clocks);
    holdup->anyway_clocks = clocks[holdup->anyway];
}

static double longer(double a, double b)
{
    return a > b ? a : b;
}

double bsim_holdup_gain(const struct bsim_holdup *holdup, double share)
{
    double shared = (double)holdup->clocks[BSIM_HOLDS_SHARED], ideal = shared * share;
    double anyway = (double)holdup->anyway_clocks;
    if (longer(ideal, anyway) <= 0) {
        return 1;
    }
    return longer(longer(shared, anyway) / longer(ideal, anyway),
                  (shared + anyway) / (ideal + anyway));
}

bool bsim_cycles_holdup(const struct bsim_kernel_result *kernel, struct bsim_holdup *holdup)
{
    const struct bsim_kernel_cycles *timed = &kernel->timed;
    struct bsim_memory_cycles memory;
    double slots = (double)kernel->device.n_sms * timed->blocks_per_sm;
    *holdup = (struct bsim_holdup){.requests = 0};
    if (!timed->is_timed || timed->left_out || timed->waves == 0) {
        return false;
    }
    bsim_cycles_memory(kernel, &memory);
    holdup->clocks[BSIM_HOLDS_SHARED] = timed->launch_cycles;
    holdup->clocks[BSIM_HOLDS_L2] = share_of(kernel, (double)memory.latency, slots);
    holdup->clocks[BSIM_HOLDS_CONSTANT] =
        share_of(kernel, (double)memory.constant, kernel->device.n_sms);
    holdup->clocks[BSIM_HOLDS_PEERS] = peers_of(kernel);
    holdup->clocks[BSIM_HOLDS_DRAM] = dram_of(kernel);
    set_pipe(kernel, &memory, holdup);
    set_anyway(holdup);
    holdup->by = longest(holdup->clocks);
    return true;
}

/* occupancy.c - how many blocks an SM holds.
 *
 * As cuda_occupancy.h counts it: each block's shared memory and what the system reserves for it,
 * rounded up to the unit of allocation, out of the carve-out that is preferred. Where a block does
 * not fit in it, an SM takes the next one that holds a block, or before 7.0 the largest. Registers
 * are given to warps in units, out of their partition's share.
 */
#include "model/device.h"
#include <banksim/model.h>

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint64_t round_up(uint64_t n, uint64_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* What the SM gives to shared memory for blocks of so many bytes. */
static uint32_t carveout_for(const struct bsim_device *device, uint64_t block_bytes)
{
    if (block_bytes <= device->carveout_bytes) {
        return device->carveout_bytes;
    }
    for (uint32_t i = 0; i < device->n_carveouts && bsim_device_takes_percent(device); i++) {
        if (block_bytes <= device->carveouts_kib[i] * UINT32_C(1024)) {
            return device->carveouts_kib[i] * UINT32_C(1024);
        }
    }
    return device->shared_per_sm_bytes;
}

static uint64_t allocated_bytes(const struct bsim_device *device, uint32_t shared_bytes)
{
    uint64_t unit = device->shared_unit_bytes > 0 ? device->shared_unit_bytes : 1;
    uint64_t bytes = (uint64_t)shared_bytes + device->shared_reserved_bytes;
    return round_up(bytes, unit);
}

static uint32_t blocks_by_shared(const struct bsim_device *device, uint32_t shared_bytes)
{
    uint64_t bytes = allocated_bytes(device, shared_bytes);
    if (shared_bytes > device->shared_per_block_bytes) {
        return 0;
    }
    return bytes > 0 ? (uint32_t)(carveout_for(device, bytes) / bytes) : UINT32_MAX;
}

/* That a block fits is checked as if its warps filled all partitions alike (cuda_occupancy.h). */
static uint32_t blocks_by_registers(const struct bsim_device *device, uint64_t n_warps,
                                    uint32_t registers)
{
    uint64_t n_partitions = device->n_partitions;
    uint64_t of_warp = round_up((uint64_t)registers * BSIM_WARP_LANES, device->register_unit);
    if (registers == 0) {
        return UINT32_MAX;
    }
    if (registers > device->registers_per_thread ||
        round_up(n_warps, n_partitions) * of_warp > device->registers_per_block) {
        return 0;
    }
    return (uint32_t)(device->registers_per_sm / n_partitions / of_warp * n_partitions / n_warps);
}

struct bsim_occupancy bsim_device_occupancy(const struct bsim_device *device, uint32_t n_threads,
                                            uint32_t shared_bytes, uint32_t registers)
{
    uint32_t warps = (n_threads + BSIM_WARP_LANES - 1) / BSIM_WARP_LANES;
    warps = warps > 0 ? warps : 1;
    struct bsim_occupancy occupancy = {
        .by_shared = blocks_by_shared(device, shared_bytes),
        .by_warps = device->warps_per_sm / warps,
        .by_blocks = device->blocks_per_sm,
        .by_registers = blocks_by_registers(device, warps, registers),
        .sm_bytes = carveout_for(device, allocated_bytes(device, shared_bytes)),
    };
    occupancy.blocks = least(least(occupancy.by_shared, occupancy.by_warps),
                             least(occupancy.by_blocks, occupancy.by_registers));
    return occupancy;
}

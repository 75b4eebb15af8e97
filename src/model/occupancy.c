/* occupancy.c - how many blocks an SM holds.
 *
 * As cuda_occupancy.h counts it: each block's shared memory and what the system reserves for it,
 * rounded up to the unit of allocation, out of the carve-out that is preferred. Where a block does not
 * fit in it, an SM takes the next one that holds a block, or before 7.0 the largest.
 * Not looked at: registers, which the cycle model adds (src/timing/cycles.c).
 */
#include <banksim/model.h>

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
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
    return (bytes + unit - 1) / unit * unit;
}

static uint32_t blocks_by_shared(const struct bsim_device *device, uint32_t shared_bytes)
{
    uint64_t bytes = allocated_bytes(device, shared_bytes);
    if (shared_bytes > device->shared_per_block_bytes) {
        return 0;
    }
    return bytes > 0 ? (uint32_t)(carveout_for(device, bytes) / bytes) : device->blocks_per_sm;
}

struct bsim_occupancy bsim_device_occupancy(const struct bsim_device *device, uint32_t n_threads,
                                            uint32_t shared_bytes)
{
    uint32_t warps = (n_threads + BSIM_WARP_LANES - 1) / BSIM_WARP_LANES;
    struct bsim_occupancy occupancy = {
        .by_shared = blocks_by_shared(device, shared_bytes),
        .by_warps = device->warps_per_sm / (warps > 0 ? warps : 1),
        .by_blocks = device->blocks_per_sm,
        .sm_bytes = carveout_for(device, allocated_bytes(device, shared_bytes)),
    };
    occupancy.blocks = least(occupancy.by_shared, least(occupancy.by_warps, occupancy.by_blocks));
    return occupancy;
}

/* sector.c - global memory: the sectors, lines and transactions of one warp request.
 *
 * A warp's addresses are looked up in lines of 128 bytes, and moved in sectors of 32:
 *
 *     byte      0       32      64      96      128     160
 *     line      |------------- 0 -------------|-------- 1 ...
 *     sector    |-- 0 --|-- 1 --|-- 2 --|-- 3 --|-- 4 --|
 *
 * 32 lanes of 4 bytes in a row touch 4 sectors of one line if they start at a line, 5 sectors of
 * two lines if they start 4 bytes later, and 32 sectors if they lie 32 bytes or more apart. Lanes
 * in the same sector share it, but for atomics, whose lanes of one address go round after round.
 * Nsight Compute counts sectors; so did nvprof's gld_transactions and
 * gst_transactions from Volta on. Before that it counted otherwise:
 *
 *     Kepler            lines; 8- and 16-byte accesses by half- and quarter-warps
 *     Maxwell, Pascal   loads: 4 for each quarter-warp with an active lane, wherever they lead;
 *                       stores: sectors, each half-warp on its own
 *
 * and 2 more loads for a kernel that loads at all (BSIM_NVPROF_KERNEL_LOADS). Atomics are counted
 * as stores here; nvprof has other names for them and leaves them out of gst_transactions.
 *
 * Sources: Nsight Compute's guide for lines and sectors; sectors equal a V100's published counts
 * and an H200's own; the rule for Maxwell and Pascal reproduces published counts of a GT 1030 and a
 * Jetson Nano, where only full warps and single threads occurred; Kepler's is the CUDA C
 * Programming Guide's, 3.x. nvprof's own list of metrics says that global_store_requests does "not
 * include atomic requests". Not modelled: caches. A sector counts whether it hits or not;
 * and that the H200 counts 1 to 3 sectors more for some atomics on several lines (README.md).
 */
#include "model/atomic.h"

#include <banksim/model.h>

enum { SECTOR_BYTES = 32, LINE_BYTES = 128 };

/* How many different pieces of `unit` bytes the lanes touch. An access is aligned, so that it lies
 * in one piece of at least its size. */
static uint32_t count_pieces(const uint64_t address[BSIM_WARP_LANES], uint32_t lanes, uint32_t unit)
{
    uint64_t seen[BSIM_WARP_LANES];
    uint32_t n = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) == 0) {
            continue;
        }
        uint32_t i = 0;
        /* Neighbours mostly share a piece, so the latest is looked at first. */
        while (i < n && seen[n - 1 - i] != address[lane] / unit) {
            i++;
        }
        if (i == n) {
            seen[n++] = address[lane] / unit;
        }
    }
    return n;
}

/* The same for each group of `size` lanes on its own. */
static uint32_t count_by_group(const uint64_t address[BSIM_WARP_LANES], uint32_t lanes,
                               uint32_t unit, uint32_t size)
{
    uint32_t n = 0;
    uint32_t group = size == BSIM_WARP_LANES ? BSIM_FULL_MASK : (UINT32_C(1) << size) - 1;
    for (uint32_t first = 0; first < BSIM_WARP_LANES; first += size) {
        n += count_pieces(address, lanes & group << first, unit);
    }
    return n;
}

/* Of the lanes, the lowest of each address. */
static uint32_t first_of_each_address(const uint64_t address[BSIM_WARP_LANES], uint32_t lanes)
{
    uint32_t firsts = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        bool is_first = (lanes >> lane & 1) != 0;
        for (uint32_t before = 0; before < lane && is_first; before++) {
            is_first = (firsts >> before & 1) == 0 || address[before] != address[lane];
        }
        firsts |= is_first ? UINT32_C(1) << lane : 0;
    }
    return firsts;
}

/* Atomics: lanes of one address go one after another, each round with its own sectors. */
static uint32_t count_atomic_sectors(const uint64_t address[BSIM_WARP_LANES], uint32_t lanes)
{
    uint32_t n = 0;
    while (lanes != 0) {
        uint32_t round = first_of_each_address(address, lanes);
        n += count_pieces(address, round, SECTOR_BYTES);
        lanes &= ~round;
    }
    return n;
}

static uint32_t active_quarters(uint32_t lanes)
{
    uint32_t n = 0;
    for (uint32_t first = 0; first < BSIM_WARP_LANES; first += 8) {
        n += (lanes >> first & 0xff) != 0;
    }
    return n;
}

static uint32_t nvprof_transactions(const struct bsim_device *device,
                                    const struct bsim_opcode *opcode, uint32_t lanes,
                                    const uint64_t address[BSIM_WARP_LANES], uint32_t sectors)
{
    switch (device->global_counting) {
    case BSIM_COUNTS_LINES:
        return count_by_group(address, lanes, LINE_BYTES,
                              opcode->bytes <= 4 ? BSIM_WARP_LANES
                                                 : BSIM_WARP_LANES * 4u / opcode->bytes);
    case BSIM_COUNTS_QUARTERS:
        if (opcode->family == BSIM_LD) {
            return 4 * active_quarters(lanes);
        }
        return count_by_group(address, lanes, SECTOR_BYTES, BSIM_WARP_LANES / 2);
    case BSIM_COUNTS_SECTORS:
        break;
    }
    return sectors;
}

void bsim_global_count(const struct bsim_device *device, const struct bsim_opcode *opcode,
                       uint32_t mask, const uint64_t address[BSIM_WARP_LANES],
                       struct bsim_global_counts *counts)
{
    uint32_t lanes = bsim_opcode_lanes(opcode, mask);
    counts->sectors = bsim_atomic_is(opcode) ? count_atomic_sectors(address, lanes)
                                             : count_pieces(address, lanes, SECTOR_BYTES);
    counts->lines = count_pieces(address, lanes, LINE_BYTES);
    counts->transactions = nvprof_transactions(device, opcode, lanes, address, counts->sectors);
    counts->bytes_asked = bsim_opcode_addresses(opcode, mask) * opcode->bytes;
}

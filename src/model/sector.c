/* sector.c - global and local memory and textures: the sectors of one warp request.
 *
 * A warp's addresses are looked up in lines of 128 bytes, and moved in sectors of 32:
 *
 *     byte      0       32      64      96      128     160
 *     line      |------------- 0 -------------|-------- 1 ...
 *     sector    |-- 0 --|-- 1 --|-- 2 --|-- 3 --|-- 4 --|
 *
 * 32 lanes of 4 bytes in a row touch 4 sectors of one line if they start at a line, 5 sectors of
 * two lines if they start 4 bytes later, and 32 sectors if they lie 32 bytes or more apart. Lanes
 * in the same sector share it. Nsight Compute counts sectors; so did nvprof's gld_transactions and
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
 * include atomic requests". Not modelled: caches; a sector counts whether it hits or not.
 *
 * Atomics pass line by line, and each pass counts its own sectors. The first lane that still waits
 * chooses the line; of the others on that line those go along whose word no earlier waiting lane
 * wants. So lanes of one address go one after another. What is compared, however, is not the
 * address but a slot of a table of 4 rows of 32 words: the word in the line, and a row that the
 * line's address bits decide. Two lines with one row get in each other's way:
 *
 *     lane 0   line 0, word 0     waiting: 0 1 2   pass 1: lane 0; not lane 2, whose slot lane 1
 *     lane 1   line 5, word 9                              wants first (lines 0 and 5: row 0)
 *     lane 2   line 0, word 9              1 2     pass 2: lane 1
 *                                            2     pass 3: lane 2: a second visit to lane 0's line
 *
 * A compare-and-swap has two operands, so a pass is half a line. Found from, and exact for, all of
 * 1,105 requests that an H200 counted (atomics.csv, random_atomics.csv); that the table holds
 * operands is our reading of it. Other devices are taken to do the same.
 *
 * On the shared memory of another block of a cluster they pass in the same way, and send packets:
 *
 *     32 lanes on 32 words of a line     1 pass    a head, 4 sectors there, 4 back        9
 *     the same, compare-and-swap         2 passes  a head, 2 x 2 sectors there, 2 back   14
 *     32 lanes on one word               32 passes each one there and one back           64
 *
 * Sectors are exact for 333 requests that an H200 counted (async/peer_atomics.csv), packets for
 * 239: a pass of one lane beside longer ones takes a packet or, of compare-and-swap, two more at
 * times, from turn to turn not the same. So they are the least; the most that was counted is 36 %
 * more. What st.async and red.async tell the mbarrier is not in them: one packet more a request if
 * they come one by one, fewer in a row (async/peer_telling.csv). What nvcc makes a loop of (float
 * sums, 64-bit extremes) sends more.
 *
 * Loads through the read-only cache (ld.global.nc) and ldu count as the others; an H200 makes LDG
 * of all of them. nvprof left those of the first out of Kepler's gld_transactions.
 *
 * Local memory is laid out so that the same word of 32 lanes is one line, lane by lane:
 *
 *     offset 8, 4 bytes in every lane     1 line, 4 sectors
 *     offset 8, 16 bytes in every lane    4 lines, 16 sectors
 *     offset 4 * lane                     32 lines, 32 sectors, each for one lane
 *
 * ("consecutive 32-bit words are accessed by consecutive thread IDs", CUDA C++ Programming Guide.)
 *
 * Texels are fetched for 8 lanes at a time, those of 16 bytes for 4, and each such group counts its
 * own sectors: 32 lanes that want one texel take 4. Only addresses in linear memory are known here;
 * how texels lie in a CUDA array is not published. Both were counted on an H200 (spaces.csv).
 */
#include "model/fast.h"
#include "model/count.h"
#include "model/l1.h"
#include "model/segments.h"

#include <banksim/peer.h>

enum { SECTOR_BYTES = 32, LINE_BYTES = 128, WORD_BYTES = 4, OPERAND_ROWS = 4 };
enum { LANES_OF_TEXELS = 8, LANES_OF_WIDE_TEXELS = 4, WIDE_TEXEL_BYTES = 16 };

/* The bits of an address whose parities are the two bits of its row. Each bit from 7 to 31 was
 * tried by itself on an H200 (atomics.csv, "two lines"); the bits above are taken to have no part,
 * which matters only where one request reaches over 4 GiB. */
#define OPERAND_ROW_LOW UINT64_C(0xf7bd5a80)
#define OPERAND_ROW_HIGH UINT64_C(0x5d6aed00)

/* The segments that each group of `size` lanes touches on its own. An access is aligned, so that it
 * lies in one segment of at least its size. */
static uint32_t count_by_group(const uint64_t address[BSIM_WARP_LANES], uint32_t lanes,
                               uint32_t unit, uint32_t size)
{
    uint32_t n = 0;
    uint32_t group = size == BSIM_WARP_LANES ? BSIM_FULL_MASK : (UINT32_C(1) << size) - 1;
    for (uint32_t first = 0; first < BSIM_WARP_LANES; first += size) {
        n += bsim_segments_count(address, lanes & group << first, unit);
    }
    return n;
}

static uint32_t is_odd(uint64_t bits)
{
    return bsim_fast_population((uint32_t)bits ^ (uint32_t)(bits >> 32)) & 1;
}

/* The row of the operand table that an atomic's line belongs to. */
static uint32_t operand_row(uint64_t address)
{
    return is_odd(address & OPERAND_ROW_LOW) | is_odd(address & OPERAND_ROW_HIGH) << 1;
}

/* The lanes of an atomic's next pass: on `piece` bytes of a line, and with no earlier lane's
 * slot. */
static uint32_t next_atomic_pass(const uint64_t address[BSIM_WARP_LANES], uint32_t lanes,
                                 uint32_t piece)
{
    uint32_t taken[OPERAND_ROWS] = {0};
    uint32_t pass = 0, first = BSIM_WARP_LANES;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) == 0) {
            continue;
        }
        first = first == BSIM_WARP_LANES ? lane : first;
        uint32_t *row = &taken[operand_row(address[lane])];
        uint32_t word = UINT32_C(1) << address[lane] % LINE_BYTES / WORD_BYTES;
        if ((*row & word) == 0 && address[lane] / piece == address[first] / piece) {
            pass |= UINT32_C(1) << lane;
        }
        *row |= word;
    }
    return pass;
}

/* Pass after pass, each with its own sectors. What goes between two SMs for an atomic on a peer's shared memory: a pass
 * of one lane a packet each way, of more a head, the operands of each sector and an answer for each; red.async has no
 * answers. */
static void count_atomic(const struct bsim_opcode *opcode, const uint64_t address[BSIM_WARP_LANES],
                         uint32_t lanes, struct bsim_global_counts *counts)
{
    uint32_t operands = bsim_atomic_passes(opcode), piece = LINE_BYTES / operands;
    uint32_t answers = opcode->path != BSIM_TELLS; /* for each sector */
    uint32_t sectors = 0, packets = 0;
    if (bsim_segments_count(address, lanes, 1) == 1) {
        sectors = bsim_fast_population(lanes);
        packets = sectors * (1 + answers);
        lanes = 0;
    }
    while (lanes != 0) {
        uint32_t pass = next_atomic_pass(address, lanes, piece);
        uint32_t n = bsim_segments_count(address, pass, SECTOR_BYTES);
        bool is_one = (pass & (pass - 1)) == 0;
        sectors += n;
        packets += is_one ? 1 + answers : 1 + (operands + answers) * n;
        lanes &= ~pass;
    }
    counts->sectors = sectors;
    counts->packets = opcode->space == BSIM_PEER ? packets : 0;
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
        if (opcode->path == BSIM_NC) {
            return 0;
        }
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

/* A lane's words lie one line apart, each lane's beside its neighbours'. An access is aligned, so
 * that its first words and its second ones never share a line. */
static void count_local(const struct bsim_opcode *opcode, const uint64_t address[BSIM_WARP_LANES],
                        uint32_t lanes, struct bsim_global_counts *counts)
{
    uint64_t place[BSIM_WARP_LANES];
    uint32_t words = opcode->bytes > WORD_BYTES ? opcode->bytes / WORD_BYTES : 1;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        place[lane] = address[lane] / WORD_BYTES * LINE_BYTES + lane * WORD_BYTES;
    }
    counts->sectors = words * bsim_segments_count(place, lanes, SECTOR_BYTES);
    counts->lines = words * bsim_segments_count(place, lanes, LINE_BYTES);
}

static uint32_t count_sectors(const struct bsim_opcode *opcode,
                              const uint64_t address[BSIM_WARP_LANES], uint32_t lanes)
{
    return count_by_group(address, lanes, SECTOR_BYTES,
                          opcode->space != BSIM_TEXTURE       ? BSIM_WARP_LANES
                          : opcode->bytes == WIDE_TEXEL_BYTES ? LANES_OF_WIDE_TEXELS
                                                              : LANES_OF_TEXELS);
}

/* By whole addresses, so that a sector of each block is one of its own. */
static uint32_t peer_packets(const struct bsim_opcode *opcode, uint32_t lanes,
                             const uint64_t address[BSIM_WARP_LANES])
{
    struct bsim_request request = {.opcode = *opcode, .mask = lanes};
    struct bsim_peer_counts counts;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        request.address[lane] = (uint32_t)address[lane];
    }
    return bsim_peer_count(&request, &counts) ? counts.packets : 0;
}

void bsim_global_count(const struct bsim_device *device, const struct bsim_opcode *opcode,
                       uint32_t mask, const uint64_t address[BSIM_WARP_LANES],
                       struct bsim_global_counts *counts)
{
    uint32_t lanes = bsim_opcode_lanes(opcode, mask);
    counts->bytes_asked = bsim_fast_population(lanes) * opcode->bytes;
    counts->transactions = counts->wavefronts = counts->packets = 0;
    if (opcode->space == BSIM_LOCAL) {
        count_local(opcode, address, lanes, counts);
        return;
    }
    if (bsim_opcode_is_atomic(opcode)) {
        count_atomic(opcode, address, lanes, counts);
    } else {
        counts->sectors = count_sectors(opcode, address, lanes);
    }
    counts->lines = bsim_segments_count(address, lanes, LINE_BYTES);
    if (opcode->space == BSIM_GLOBAL) {
        counts->transactions = nvprof_transactions(device, opcode, lanes, address, counts->sectors);
        counts->wavefronts = bsim_l1_wavefronts(opcode->bytes, lanes, address, counts->lines);
    }
    if (opcode->space == BSIM_PEER && !bsim_opcode_is_atomic(opcode)) {
        counts->packets = peer_packets(opcode, lanes, address);
    }
}

/* Lanes in step, where nothing else is asked than sectors and lines. */
static bool count_in_step(const struct bsim_device *device, const struct bsim_event *event,
                          struct bsim_global_counts *counts)
{
    uint32_t lanes = bsim_opcode_lanes(&event->opcode, event->mask);
    uint32_t sectors, lines;
    uint64_t address[BSIM_WARP_LANES];
    if (!event->affine || event->opcode.space != BSIM_GLOBAL ||
        bsim_opcode_is_atomic(&event->opcode) || device->global_counting != BSIM_COUNTS_SECTORS ||
        !bsim_segments_in_step(event->base, event->stride, lanes, SECTOR_BYTES, &sectors) ||
        !bsim_segments_in_step(event->base, event->stride, lanes, LINE_BYTES, &lines)) {
        return false;
    }
    counts->sectors = counts->transactions = sectors;
    counts->lines = lines;
    counts->bytes_asked = bsim_fast_population(lanes) * event->opcode.bytes;
    counts->packets = 0;
    counts->wavefronts = lines;
    if (lines > 1) {
        bsim_event_addresses(event, address);
        counts->wavefronts = bsim_l1_wavefronts(event->opcode.bytes, lanes, address, lines);
    }
    return true;
}

void bsim_event_global_count(const struct bsim_device *device, const struct bsim_event *event,
                             struct bsim_global_counts *counts)
{
    uint64_t address[BSIM_WARP_LANES];
    if (!count_in_step(device, event, counts)) {
        const uint64_t *at = event->affine ? address : event->address;
        if (event->affine) {
            bsim_event_addresses(event, address);
        }
        bsim_global_count(device, &event->opcode, event->mask, at, counts);
    }
}

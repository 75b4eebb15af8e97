/* device.c - the GPUs that banksim knows: three tables and the lookup in them.
 *
 * `device_table` has a row per compute capability with its capacities, `gpu_table` the products of
 * each, `evidence` says what each rule rests on. The rules themselves hardly differ, so they are
 * written as functions of the compute capability (set_rules), not for each anew.
 *
 * A grade is never better than its own device's evidence: what was counted on an H200 is measured
 * for sm_90 and assumed for all others. See README.md in this folder for the sources in full.
 *
 * Not here: latencies and throughputs, and the shared memory of other vendors' GPUs.
 */
#include "model/device.h"

#include "model/family.h"

#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

enum { GENERIC = 0, KEPLER = 35, LAST_KEPLER = 37, NEWEST = 120, ANY = 0, KIB = 1024 };
#define DEFAULT_NAME "sm_90" /* the one that was measured */
enum { N_BANKS = 32, WIDTH = 4 }; /* of every device that is not told otherwise */

/* Registers of a block (CUDA C Programming Guide, technical specifications). Only 3.7 has more per
 * SM. */
enum { MOST_BLOCK_KIB = 64 };

/* ---- what each rule rests on -------------------------------------------------------------- */

#define H200 "H200, 2,508 requests counted with Nsight Compute 2025.3, 2026-11-21"
#define H200_SPACES "H200, 480 requests counted with Nsight Compute 2025.3, 2026-11-22"
#define K40 "Professional CUDA C Programming ch. 5: nvprof on a Tesla K40c, 4-byte mode"
#define V100 "nvprof on a Tesla V100, kernels of Professional CUDA C Programming ch. 5"
#define A100_WIDE "wavefronts of loads counted on an A100 (zhihu 690052715)"
#define KEPLER_ATOMICS "counted as on sm_90; on Kepler a loop with a lock (P100 whitepaper)"
#define FERMI_ATOMICS "counted as on sm_90; on Fermi a loop with a lock"
#define FERMI_WIDE \
    "guide, 2.x: 8 bytes in half-warps; 16 bytes in quarters, one way more than counted here"
#define GUIDE_2 "CUDA C Programming Guide, compute capability 2.x"
#define GUIDE_3 "CUDA C Programming Guide, compute capability 3.x"
#define GUIDE_5 "CUDA C Programming Guide, compute capability 5.x and later"

struct evidence {
    uint32_t first, last; /* compute capabilities times 10, both included */
    uint32_t stride;      /* only in this mode of Kepler's banks, or ANY */
    enum bsim_rule rule;
    struct bsim_basis basis;
};

/* A later line replaces an earlier one. */
/* clang-format off */
static const struct evidence evidence[] = {
    /* What NVIDIA says, from Fermi on. */
    {20, 21, ANY, BSIM_RULE_BANKS, {BSIM_DOCUMENTED, GUIDE_2}},
    {20, 21, ANY, BSIM_RULE_MULTICAST, {BSIM_DOCUMENTED, GUIDE_2}},
    {20, 21, ANY, BSIM_RULE_SAME_STORE, {BSIM_DOCUMENTED, GUIDE_2}},
    {20, 21, ANY, BSIM_RULE_WIDE, {BSIM_ASSUMED, FERMI_WIDE}},
    {20, 21, ANY, BSIM_RULE_REPLAY, {BSIM_ASSUMED, "as sm_35; not measured on this device"}},
    {20, 21, ANY, BSIM_RULE_ATOMIC, {BSIM_ASSUMED, FERMI_ATOMICS}},
    {20, 21, ANY, BSIM_RULE_CAS, {BSIM_ASSUMED, FERMI_ATOMICS}},
    {20, 21, ANY, BSIM_RULE_ATOMIC64, {BSIM_ASSUMED, FERMI_ATOMICS}},
    {20, 21, ANY, BSIM_RULE_LOOP, {BSIM_ASSUMED, FERMI_ATOMICS}},
    {20, 21, ANY, BSIM_RULE_SECTORS,
     {BSIM_ASSUMED, GUIDE_2 ": 128-byte lines of L1, sectors only where L2 alone caches"}},
    {35, 37, ANY, BSIM_RULE_BANKS, {BSIM_DOCUMENTED, GUIDE_3}},
    {35, 37, ANY, BSIM_RULE_MULTICAST, {BSIM_DOCUMENTED, GUIDE_3}},
    {35, 37, ANY, BSIM_RULE_SAME_STORE, {BSIM_DOCUMENTED, GUIDE_3}},
    {35, 37, ANY, BSIM_RULE_WIDE,
     {BSIM_ASSUMED, "CUPTI, shared_load_replay: 256 bytes per pass; by which lanes is not said"}},
    {35, 37, ANY, BSIM_RULE_REPLAY,
     {BSIM_DOCUMENTED, "CUPTI, event shared_load_replay of compute capability 3.x"}},
    {35, 37, ANY, BSIM_RULE_ATOMIC, {BSIM_ASSUMED, KEPLER_ATOMICS}},
    {35, 37, ANY, BSIM_RULE_CAS, {BSIM_ASSUMED, KEPLER_ATOMICS}},
    {35, 37, ANY, BSIM_RULE_ATOMIC64, {BSIM_ASSUMED, KEPLER_ATOMICS}},
    {35, 37, ANY, BSIM_RULE_LOOP, {BSIM_ASSUMED, KEPLER_ATOMICS}},
    {50, 120, ANY, BSIM_RULE_BANKS, {BSIM_DOCUMENTED, GUIDE_5}},
    {50, 120, ANY, BSIM_RULE_MULTICAST, {BSIM_DOCUMENTED, GUIDE_5}},
    {50, 120, ANY, BSIM_RULE_SAME_STORE, {BSIM_DOCUMENTED, GUIDE_5}},
    {50, 120, ANY, BSIM_RULE_WIDE,
     {BSIM_DOCUMENTED, "NVIDIA developer forum 260900: lanes T0-T7, T8-T15, ... at a time"}},
    {20, 75, ANY, BSIM_RULE_BYPASS, {BSIM_DOCUMENTED, "PTX ISA: cp.async needs sm_80"}},
    {20, 61, ANY, BSIM_RULE_PAIR, {BSIM_ASSUMED, "no published statement: taken as absent"}},
    {70, 75, ANY, BSIM_RULE_PAIR, {BSIM_DOCUMENTED, "NVIDIA developer forum 77228"}},
    {50, 61, ANY, BSIM_RULE_REPLAY, {BSIM_ASSUMED, "as sm_70; not measured on this device"}},
    {70, 120, ANY, BSIM_RULE_REPLAY,
     {BSIM_DOCUMENTED, "Nsight Compute guide: one request, several wavefronts"}},
    {20, 120, ANY, BSIM_RULE_CONSTANT,
     {BSIM_DOCUMENTED, "CUDA C++ Best Practices Guide: unique addresses are served in turn"}},
    {35, 120, ANY, BSIM_RULE_SECTORS,
     {BSIM_DOCUMENTED, "Nsight Compute guide: 32-byte sectors of 128-byte lines"}},
    {20, 120, ANY, BSIM_RULE_LOCAL,
     {BSIM_DOCUMENTED, "CUDA C++ Programming Guide: consecutive words by consecutive threads"}},
    {20, 21, ANY, BSIM_RULE_NVPROF, {BSIM_ASSUMED, GUIDE_2 ": 128-byte lines"}},
    {35, 37, ANY, BSIM_RULE_NVPROF, {BSIM_ASSUMED, GUIDE_3 ": 128-byte lines"}},
    {50, 61, ANY, BSIM_RULE_NVPROF,
     {BSIM_ASSUMED, "fits nvprof on a Jetson Nano (5.3) and a GT 1030 (6.1); partial warps unknown"}},
    {70, 70, ANY, BSIM_RULE_NVPROF,
     {BSIM_MEASURED, "nvprof on a Tesla V100: reductions and shifted reads"}},
    {75, 120, ANY, BSIM_RULE_NVPROF, {BSIM_ASSUMED, "sectors, as on sm_70; nvprof ends there"}},
    /* What was counted, on the compute capability itself. */
    {35, 35, 4, BSIM_RULE_BANKS, {BSIM_MEASURED, K40}},
    {61, 61, ANY, BSIM_RULE_BANKS,
     {BSIM_MEASURED, "nvprof on a GeForce GT 1030 and a GTX 1060, transposes by tiles"}},
    {70, 70, ANY, BSIM_RULE_BANKS, {BSIM_MEASURED, V100}},
    {80, 80, ANY, BSIM_RULE_BANKS,
     {BSIM_MEASURED, "an A100 timed: 32.08 cycles for a 32-way load (2024-12-19)"}},
    {80, 80, ANY, BSIM_RULE_MULTICAST, {BSIM_MEASURED, A100_WIDE}},
    {80, 80, ANY, BSIM_RULE_WIDE, {BSIM_MEASURED, A100_WIDE}},
    {80, 80, ANY, BSIM_RULE_PAIR, {BSIM_MEASURED, A100_WIDE}},
    {89, 89, ANY, BSIM_RULE_LDMATRIX,
     {BSIM_MEASURED, "LeetCUDA, kernels/swizzle: Nsight Compute's sum on an L20"}},
    {90, 90, ANY, BSIM_RULE_BANKS, {BSIM_MEASURED, H200}},
    {90, 90, ANY, BSIM_RULE_MULTICAST, {BSIM_MEASURED, H200}},
    {90, 90, ANY, BSIM_RULE_SAME_STORE, {BSIM_MEASURED, H200}},
    {90, 90, ANY, BSIM_RULE_WIDE, {BSIM_MEASURED, H200}},
    {90, 90, ANY, BSIM_RULE_PAIR, {BSIM_MEASURED, H200}},
    {90, 90, ANY, BSIM_RULE_ATOMIC, {BSIM_MEASURED, H200}},
    {90, 90, ANY, BSIM_RULE_CAS, {BSIM_MEASURED, H200}},
    {90, 90, ANY, BSIM_RULE_ATOMIC64,
     {BSIM_MEASURED, "H200, 25 exch.b64 counted with Nsight Compute 2025.3, 2026-11-21"}},
    {90, 90, ANY, BSIM_RULE_LOOP,
     {BSIM_MEASURED, "H200, 260 loops of one warp counted with Nsight Compute 2025.3, 2026-11-22"}},
    {90, 90, ANY, BSIM_RULE_INCREMENT,
     {BSIM_MEASURED, "H200, 24 requests counted with Nsight Compute 2025.3, 2026-11-21"}},
    {90, 90, ANY, BSIM_RULE_CP_ASYNC,
     {BSIM_MEASURED, "H200, 762 requests counted with Nsight Compute 2025.3, 2026-11-21 and 22"}},
    {90, 90, ANY, BSIM_RULE_BYPASS,
     {BSIM_MEASURED, "H200, 1,940 requests counted with Nsight Compute 2025.3, 2026-11-22"}},
    {90, 90, ANY, BSIM_RULE_LDMATRIX, {BSIM_MEASURED, H200}},
    {90, 90, ANY, BSIM_RULE_STMATRIX, {BSIM_MEASURED, H200}},
    {100, 120, ANY, BSIM_RULE_WGMMA, {BSIM_DOCUMENTED, "PTX ISA: wgmma is sm_90a's alone"}},
    {90, 90, ANY, BSIM_RULE_WGMMA,
     {BSIM_MEASURED, "H200, 612 wgmma counted with Nsight Compute 2025.3, 2026-11-22"}},
    {90, 90, ANY, BSIM_RULE_TMA,
     {BSIM_MEASURED, "H200, 89 copies counted with Nsight Compute 2025.3, 2026-11-22"}},
    {100, 120, ANY, BSIM_RULE_PEER, {BSIM_ASSUMED, "as sm_90; not measured on this device"}},
    {90, 90, ANY, BSIM_RULE_PEER,
     {BSIM_MEASURED, "H200, 216 requests counted with Nsight Compute 2025.3, 2026-11-22"}},
    {90, 90, ANY, BSIM_RULE_SECTORS,
     {BSIM_MEASURED, "H200, 330 requests and 1,105 atomics counted with Nsight Compute 2025.3, "
                    "2026-11-21"}},
    {90, 90, ANY, BSIM_RULE_CONSTANT,
     {BSIM_MEASURED, "H200, 1 to 32 addresses counted with Nsight Compute 2025.3, 2026-11-21"}},
    {90, 90, ANY, BSIM_RULE_LOCAL, {BSIM_MEASURED, H200_SPACES}},
    {90, 90, ANY, BSIM_RULE_TEXTURE, {BSIM_MEASURED, H200_SPACES}},
};
/* clang-format on */

/* Where the table is silent. */
static const struct bsim_basis as_sm_90 = {BSIM_ASSUMED, "as sm_90; not measured on this device"};
static const struct bsim_basis no_popc_inc = {BSIM_ASSUMED,
                                              "counted as red.add; merged from sm_80"};
static const struct bsim_basis chosen = {BSIM_ASSUMED, "as sm_90, with the banks that were chosen"};

static void set_rules(struct bsim_device *device)
{
    uint32_t cc = device->compute == GENERIC ? NEWEST : device->compute;
    device->has_pair_rule = cc >= 70;
    device->has_popc_inc = cc >= 80; /* CUB: "on Ampere+, this compiles to ATOMS.POPC.INC" */
    device->replays = cc < 50;
    device->global_counting = cc < 50   ? BSIM_COUNTS_LINES
                              : cc < 70 ? BSIM_COUNTS_QUARTERS
                                        : BSIM_COUNTS_SECTORS;
}

static void set_basis(struct bsim_device *device)
{
    for (int rule = 0; rule < BSIM_N_RULES; rule++) {
        device->basis[rule] = device->compute == GENERIC ? chosen : as_sm_90;
    }
    for (size_t i = 0; i < sizeof evidence / sizeof evidence[0]; i++) {
        const struct evidence *e = &evidence[i];
        if (device->compute >= e->first && device->compute <= e->last &&
            (e->stride == ANY || e->stride == device->stride_bytes)) {
            device->basis[e->rule] = e->basis;
        }
    }
    for (int i = 0; i < BSIM_N_FAMILIES; i++) {
        const struct bsim_family_row *row = &bsim_families[i];
        if (device->compute != GENERIC && device->compute < row->since && row->source != NULL) {
            device->basis[row->rule] = (struct bsim_basis){BSIM_DOCUMENTED, row->source};
        }
    }
    if (!device->has_popc_inc) {
        device->basis[BSIM_RULE_INCREMENT] = no_popc_inc;
    }
}

/* ---- the devices -------------------------------------------------------------------------- */

/* What an SM can give to shared memory, in KiB: the guide's sections on each compute capability,
 * and cuda_occupancy.h. Of Kepler's 64 KiB, 128 of a K80's, L1 gets 16, 32 or 48; Fermi has no
 * equal shares; on Maxwell and Pascal shared memory is apart. */
static const uint16_t fermi[] = {16, 48};
static const uint16_t kepler[] = {16, 32, 48};
static const uint16_t gk210[] = {80, 96, 112};
static const uint16_t only_64[] = {64};
static const uint16_t only_96[] = {96};
static const uint16_t volta[] = {0, 8, 16, 32, 64, 96};
static const uint16_t turing[] = {32, 64};
static const uint16_t ampere[] = {0, 8, 16, 32, 64, 100, 132, 164};
static const uint16_t to_100[] = {0, 8, 16, 32, 64, 100};
static const uint16_t hopper[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};

#define SIZES(list) list, sizeof(list) / sizeof(list)[0]

struct row {
    const char *name;
    const char *description;
    uint32_t compute;
    const uint16_t *carveouts_kib; /* shared memory per SM, ascending */
    uint32_t n_carveouts;
    uint32_t per_block_kib;
    uint32_t warps_per_sm, blocks_per_sm;
    uint32_t registers_kib;
    uint32_t fp32_lanes;
};

/* CUDA C Programming Guide, technical specifications per compute capability, and throughput of
 * arithmetic instructions (32-bit multiply-adds per clock and SM). The guide gives sm_120 as 12.x;
 * the generic device has sm_90's. */
static const struct row device_table[] = {
    {"sm_20", "Fermi: GeForce GTX 480, Tesla M2090", 20, SIZES(fermi), 48, 48, 8, 32, 32},
    {"sm_21", "Fermi: GeForce GTX 560 Ti", 21, SIZES(fermi), 48, 48, 8, 32, 48},
    {"sm_35", "Kepler: Tesla K40", 35, SIZES(kepler), 48, 64, 16, 64, 192},
    {"sm_37", "Kepler: Tesla K80", 37, SIZES(gk210), 48, 64, 16, 128, 192},
    {"sm_50", "Maxwell, first generation", 50, SIZES(only_64), 48, 64, 32, 64, 128},
    {"sm_52", "Maxwell: GeForce GTX 980", 52, SIZES(only_96), 48, 64, 32, 64, 128},
    {"sm_60", "Pascal: P100", 60, SIZES(only_64), 48, 64, 32, 64, 64},
    {"sm_61", "Pascal: GeForce GTX 1080, GTX 1060, GT 1030", 61, SIZES(only_96), 48, 64, 32, 64,
     128},
    {"sm_70", "Volta: V100", 70, SIZES(volta), 96, 64, 32, 64, 64},
    {"sm_75", "Turing: T4", 75, SIZES(turing), 64, 32, 16, 64, 64},
    {"sm_80", "Ampere: A100", 80, SIZES(ampere), 163, 64, 32, 64, 64},
    {"sm_86", "Ampere: A40, GeForce RTX 3090", 86, SIZES(to_100), 99, 48, 16, 64, 128},
    {"sm_89", "Ada: L40, GeForce RTX 4090", 89, SIZES(to_100), 99, 48, 24, 64, 128},
    {"sm_90", "Hopper: H100, H200", 90, SIZES(hopper), 227, 64, 32, 64, 128},
    {"sm_100", "Blackwell: B200", 100, SIZES(hopper), 227, 64, 32, 64, 128},
    {"sm_120", "Blackwell: GeForce RTX 5090", 120, SIZES(to_100), 99, 48, 24, 64, 128},
    {"generic", "no GPU: number and width of the banks are free", GENERIC, SIZES(hopper), 227, 64,
     32, 64, 128},
};

enum { N_ROWS = sizeof device_table / sizeof device_table[0] };

struct gpu {
    const char *name;
    uint32_t compute;
    uint32_t n_sms;
    uint32_t clock_mhz; /* the highest that is published for the SMs; 0: none */
    struct bsim_basis basis;
    uint32_t gb_per_s; /* what its own memory delivers at most; 0: not known */
    struct bsim_basis memory_basis;
};

#define READ(source) {BSIM_MEASURED, source}
#define SAYS(source) {BSIM_DOCUMENTED, source}
#define LISTS {BSIM_ASSUMED, "card databases; not checked against NVIDIA's text"}
#define UNKNOWN {BSIM_ASSUMED, "not known"}

/* NVIDIA's own texts, and who quotes them. Of cores alone, the SMs are cores over lanes. */
#define V100_PAPER "NVIDIA Tesla V100 whitepaper, table of accelerators"
#define GTX_780 "NVIDIA's specification, as reviews quote it: 12 SMX, 863 MHz, boost 900 (ocaholic)"
#define K80 "NVIDIA's 8.74 TFLOPS of 2 x 2,496 cores, 192 an SMX, with boost (AnandTech)"
#define K80_MEMORY "NVIDIA's 480 GB/s of a board of two, as TweakPC quotes it"
#define GTX_560_TI "NVIDIA's reference specification, as Guru3D quotes it: the cores' clock"
#define LISTS_M2090 "TechPowerUp's card database; not checked against NVIDIA's text"
#define TURING_PAPER "NVIDIA Turing whitepaper, as bit-tech quotes its table"
#define HOPPER_BLOG "NVIDIA Hopper Architecture In-Depth, table of A100 and H100"
#define H100_PAPER \
    "NVIDIA H100 whitepaper 1.04: 132 SMs, 66.9 TFLOPS of 128 lanes an SM, so 1980 MHz"
#define H100_MEMORY "NVIDIA H100 whitepaper, as a summary of it quotes: 2619 MHz, twice (SXM5)"
#define L40_SHEET "NVIDIA L40 datasheet: 90.5 TFLOPS of 142 SMs with 128 lanes, so 2490 MHz"
#define ADA_PAPER "NVIDIA Ada GPU Architecture whitepaper, appendix A, table 2"
#define GA102_PAPER "NVIDIA GA102 whitepaper"
#define BLACKWELL_PAPER "NVIDIA RTX Blackwell whitepaper, table 1"
#define MICROWAY "NVIDIA's specification, as Microway quotes it"
#define SCAN "NVIDIA's specification, as Scan's TekSpek quotes it"
#define WINDOWS_CENTRAL "NVIDIA's specification, as Windows Central quotes it"
#define GAMESOURCE "NVIDIA's specification, as GameSource quotes it"
#define FPS_REVIEW "NVIDIA's specification, as TheFPSReview quotes it"
#define TWEAKTOWN "NVIDIA's specification, as TweakTown quotes it: clocks to 10 MHz"
#define COMPARED "NVIDIA's table that compares GeForce cards"

/* What a driver answers is the GPU's own: 2 x clock of the memory x its width are its bandwidth. */
#define QUERY "read by CUDA's deviceQuery, as owners published it"
#define NVBENCH "read by NVBench, as its logs have it"
#define MEMORY_CLOCK "clock and width read on the H200 that was measured: 2 x 3201 MHz x 6016 bits"

/* Chips: several boards bear each. */
#define GK110_CHIP \
    "15 SMX (NVIDIA's Kepler whitepaper, as Fudzilla quotes it); its boards: up to 706 MHz (K20) " \
    "to 980 (Titan Black)"
#define GP100_CHIP \
    "60 SMs (NVIDIA's Pascal whitepaper, as VideoCardz quotes it); its boards have 56: up to " \
    "1329 MHz (P100, PCIe) or 1480 (P100, SXM2)"
#define GP104_CHIP \
    "4 GPCs of 5 SMs (NVIDIA's slides, VideoCardz); its boards: up to 1683 MHz (GTX 1070, 15 " \
    "SMs) or 1733 (GTX 1080)"
#define BOARDS "that of the board: see the GPUs that bear the chip"
#define B200_LISTS "card databases, which differ in the clock; NVIDIA gives none"

/* The first of a compute capability also stands for its sm_XX. Of cards sold with several memories,
 * the comment says which one it is. */
/* clang-format off */
static const struct gpu gpu_table[] = {
    {"k40", 35, 15, 875, SAYS(V100_PAPER), 288, SAYS(MICROWAY)},
    {"gtx780", 35, 12, 900, SAYS(GTX_780),
     288, SAYS("NVIDIA's specification: 6,008 MHz x 384 bits")},
    {"gtxtitanblack", 35, 15, 889,
     SAYS("15 SMX, 889 MHz, boost 980 (Guru3D, deviceQuery); 889 gives CS 179's 853 Gfloat/s and 5 "
          "TFLOPS"),
     336, READ(QUERY ": 2 x 3500 MHz x 384 bits; so CS 179")},
    {"gk110", 35, 15, 0, SAYS(GK110_CHIP), 0, {BSIM_ASSUMED, BOARDS}},
    {"k80", 37, 13, 875, SAYS(K80), 240, SAYS(K80_MEMORY)}, /* one of its two GPUs */
    {"gtx480", 20, 15, 1401, LISTS, 0, UNKNOWN},
    {"m2090", 20, 16, 1301, {BSIM_ASSUMED, LISTS_M2090}, 177, {BSIM_ASSUMED, LISTS_M2090}},
    {"gtx560ti", 21, 8, 1644, SAYS(GTX_560_TI), 128, SAYS(GTX_560_TI)},
    {"gtx980", 52, 16, 1216, SAYS("NVIDIA GeForce GTX 980 whitepaper"), 0, UNKNOWN},
    {"gtx970", 52, 13, 1178, SAYS(SCAN), 224, SAYS(SCAN)},
    {"p100", 60, 56, 1480, SAYS(V100_PAPER), 732, SAYS(MICROWAY)},
    {"gp100", 60, 60, 0, SAYS(GP100_CHIP), 0, {BSIM_ASSUMED, BOARDS}},
    {"gtx1080", 61, 20, 1733, SAYS(TURING_PAPER), 320, SAYS(SCAN)},
    {"gp104", 61, 20, 0, SAYS(GP104_CHIP), 0, {BSIM_ASSUMED, BOARDS}},
    {"gtx1080ti", 61, 28, 1582, SAYS(TURING_PAPER), 484, READ(QUERY ": 2 x 5505 MHz x 352 bits")},
    {"gtx1070", 61, 15, 1683, SAYS(TURING_PAPER), 256, SAYS(SCAN)},
    {"gtx1060", 61, 10, 1708, SAYS(SCAN), 192, SAYS(SCAN)}, /* 6 GB */
    {"gt1030", 61, 3, 1468, READ(QUERY), 48, READ(QUERY ": 2 x 3004 MHz x 64 bits")}, /* GDDR5 */
    {"v100", 70, 80, 1530, SAYS(V100_PAPER), 900, SAYS("NVIDIA Tesla V100 whitepaper")},
    {"t4", 75, 40, 1590, READ(QUERY), 320, SAYS("NVIDIA T4 product brief, table 2")},
    {"rtx2080ti", 75, 68, 1545, SAYS(TURING_PAPER),
     616, SAYS("NVIDIA Turing whitepaper, as TechPowerUp quotes it")},
    {"rtx2080", 75, 46, 1710, SAYS(TURING_PAPER), 448, READ(QUERY ": 2 x 7000 MHz x 256 bits")},
    {"rtx2070", 75, 36, 1620, SAYS(TURING_PAPER), 0, UNKNOWN},
    {"rtx2060", 75, 30, 1680, READ(QUERY), 336, READ(QUERY ": 2 x 7001 MHz x 192 bits")}, /* 6 GB */
    {"gtx1660ti", 75, 24, 1770, SAYS(WINDOWS_CENTRAL), 288, SAYS(WINDOWS_CENTRAL)},
    {"gtx1650", 75, 14, 1665, SAYS(GAMESOURCE), 128, SAYS(GAMESOURCE)}, /* GDDR5 */
    {"a100", 80, 108, 1410, SAYS(HOPPER_BLOG), 1555, SAYS(HOPPER_BLOG)}, /* 40 GB */
    {"a30", 80, 56, 1440, READ(NVBENCH), 933, READ(NVBENCH ": 2 x 1215 MHz x 3072 bits")},
    {"a40", 86, 84, 1740, READ(QUERY), 696, READ(QUERY ": 2 x 7251 MHz x 384 bits")},
    {"a10", 86, 72, 1695, READ(QUERY), 600, READ(QUERY ": 2 x 6251 MHz x 384 bits")},
    {"rtxa6000", 86, 84, 1800, READ(QUERY), 768, READ(QUERY ": 2 x 8001 MHz x 384 bits")},
    {"rtx3090", 86, 82, 1695, SAYS(GA102_PAPER), 936, SAYS(GA102_PAPER)},
    {"rtx3080", 86, 68, 1710, SAYS(GA102_PAPER),
     760, READ(QUERY ": 2 x 9501 MHz x 320 bits")}, /* 10 GB */
    {"rtx3070", 86, 46, 1725, READ(QUERY), 448, READ(QUERY ": 2 x 7001 MHz x 256 bits")},
    {"rtx3060", 86, 28, 1777, READ(QUERY),
     360, READ(QUERY ": 2 x 7501 MHz x 192 bits")}, /* 12 GB */
    {"l40", 89, 142, 2490, SAYS(L40_SHEET), 864, SAYS("NVIDIA L40 datasheet")},
    {"l40s", 89, 142, 2520, READ(QUERY), 864, READ(QUERY ": 2 x 9001 MHz x 384 bits")},
    {"l4", 89, 58, 2040, READ(QUERY), 300, READ(QUERY ": 2 x 6251 MHz x 192 bits")},
    {"rtx4090", 89, 128, 2520, SAYS(ADA_PAPER), 1008, SAYS(ADA_PAPER)},
    {"rtx4080", 89, 76, 2505, LISTS, 717, LISTS}, /* 16 GB */
    {"rtx4070", 89, 46, 2475, SAYS(FPS_REVIEW), 504, SAYS(FPS_REVIEW)},
    {"rtx4060", 89, 24, 2460, LISTS, 272, LISTS},
    {"h200", 90, 132, 1980, READ("clock read on the H200 that was measured"),
     4814, READ(MEMORY_CLOCK)},
    {"h100", 90, 132, 1980, SAYS(H100_PAPER),
     3352, SAYS(H100_MEMORY)}, /* SXM5; the PCIe card has less */
    {"b200", 100, 148, 0, {BSIM_ASSUMED, B200_LISTS},
     8000, SAYS("NVIDIA's 8 TB/s, as Modal's GPU glossary quotes it")},
    {"rtx5090", 120, 170, 2407, SAYS(BLACKWELL_PAPER),
     1792, SAYS("NVIDIA RTX Blackwell whitepaper, appendix")},
    {"rtx5080", 120, 84, 2617, SAYS(TWEAKTOWN), 960, SAYS(COMPARED)},
    {"rtx5070", 120, 48, 2512, SAYS(TWEAKTOWN), 672, SAYS(COMPARED)},
};
/* clang-format on */

enum { N_GPUS = sizeof gpu_table / sizeof gpu_table[0] };

static const struct bsim_basis no_clock = {BSIM_ASSUMED, "not known"};

/* ---- from a row to a device --------------------------------------------------------------- */

static bool is_kepler(uint32_t compute)
{
    return compute >= KEPLER && compute <= LAST_KEPLER;
}

static void set_banks(struct bsim_device *device, uint32_t n_banks, uint32_t width)
{
    device->n_banks = n_banks;
    device->stride_bytes = width;
    /* Kepler's banks are 8 bytes wide in both modes; elsewhere width and stride are one. */
    device->bank_bytes = is_kepler(device->compute) ? 8 : width;
    device->widths = is_kepler(device->compute) || device->compute == GENERIC ? 4 + 8 : 4;
}

static void set_capacity(struct bsim_device *device, const struct row *row)
{
    bool is_new = row->compute == GENERIC || row->compute >= 80;
    bool is_fermi = row->compute != GENERIC && row->compute < 30;
    device->carveouts_kib = row->carveouts_kib;
    device->n_carveouts = row->n_carveouts;
    device->shared_per_sm_bytes = device->carveouts_kib[device->n_carveouts - 1] * (uint32_t)KIB;
    device->carveout_bytes = device->shared_per_sm_bytes;
    device->shared_per_block_bytes = row->per_block_kib * KIB;
    device->shared_reserved_bytes = is_new ? 1 * KIB : 0;       /* the guide, from 8.x on */
    device->shared_unit_bytes = is_new || is_fermi ? 128 : 256; /* cuda_occupancy.h */
    device->warps_per_sm = row->warps_per_sm;
    device->blocks_per_sm = row->blocks_per_sm;
    device->registers_per_sm = row->registers_kib * KIB;
    device->registers_per_block =
        row->registers_kib < MOST_BLOCK_KIB ? device->registers_per_sm : MOST_BLOCK_KIB * KIB;
    device->fp32_lanes = row->fp32_lanes;
    device->registers_per_thread = is_fermi ? 63 : 255;
    device->register_unit = is_fermi ? 64 : 256; /* cuda_occupancy.h, as the partitions */
    device->n_partitions = is_fermi || row->compute == 60 ? 2 : 4;
    device->capacity_basis.grade = row->compute == GENERIC ? BSIM_ASSUMED : BSIM_DOCUMENTED;
    device->capacity_basis.source =
        row->compute == GENERIC ? "as sm_90" : "CUDA C Programming Guide, cuda_occupancy.h";
}

static void set_gpu(struct bsim_device *device, const struct gpu *gpu)
{
    device->gpu = gpu != NULL ? gpu->name : NULL;
    device->n_sms = gpu != NULL ? gpu->n_sms : 0;
    device->clock_mhz = gpu != NULL ? gpu->clock_mhz : 0;
    device->clock_basis = gpu != NULL ? gpu->basis : no_clock;
    device->memory_gb_per_s = gpu != NULL ? gpu->gb_per_s : 0;
    device->memory_basis = gpu != NULL ? gpu->memory_basis : no_clock;
}

static struct bsim_device device_of(const struct row *row, const struct gpu *gpu, uint32_t n_banks,
                                    uint32_t width)
{
    struct bsim_device device = {
        .name = row->name, .description = row->description, .compute = row->compute};
    set_banks(&device, n_banks, width);
    set_rules(&device);
    set_basis(&device);
    set_capacity(&device, row);
    set_gpu(&device, gpu);
    return device;
}

/* ---- lookup ------------------------------------------------------------------------------- */

/* ASCII only, whatever the locale. */
static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* "RTX 4090" and "rtx-4090" are rtx4090. */
static const char *skip_gaps(const char *name)
{
    while (*name == ' ' || *name == '-' || *name == '_') {
        name++;
    }
    return name;
}

static const char *behind_word(const char *name, const char *word)
{
    const char *at = skip_gaps(name);
    while (*word != '\0' && lower(*at) == *word) {
        at++;
        word++;
    }
    return *word == '\0' && *at != '\0' ? at : name;
}

/* Behind the words of a brand that people and texts put in front: "GeForce GTX 780", "Tesla
 * K80". */
static const char *behind_brand(const char *name)
{
    return behind_word(behind_word(behind_word(name, "nvidia"), "geforce"), "tesla");
}

/* Whether they differ in case and gaps alone. */
static bool same_name(const char *a, const char *b)
{
    a = skip_gaps(a);
    b = skip_gaps(b);
    while (*a != '\0' && lower(*a) == lower(*b)) {
        a = skip_gaps(a + 1);
        b = skip_gaps(b + 1);
    }
    return *a == *b;
}

/* Behind the series that a GPU's name begins with, if it does: 4090 of rtx4090. People leave it
 * out, and no two GPUs of the table differ in it alone. */
static const char *model_of(const char *name)
{
    static const char *const series[] = {"rtx", "gtx", "gt"};
    for (size_t i = 0; i < sizeof series / sizeof series[0]; i++) {
        if (strncmp(name, series[i], strlen(series[i])) == 0) {
            return name + strlen(series[i]);
        }
    }
    return name;
}

static const struct row *row_named(const char *name)
{
    for (size_t i = 0; i < N_ROWS; i++) {
        if (same_name(device_table[i].name, name)) {
            return &device_table[i];
        }
    }
    return NULL;
}

static const struct row *row_of(uint32_t compute)
{
    for (size_t i = 0; i < N_ROWS; i++) {
        if (device_table[i].compute == compute) {
            return &device_table[i];
        }
    }
    return NULL;
}

const char *bsim_device_of_compute(uint32_t compute)
{
    const struct row *row = compute != GENERIC ? row_of(compute) : NULL;
    return row != NULL ? row->name : NULL;
}

static const struct gpu *gpu_named(const char *name)
{
    name = behind_brand(name);
    for (size_t i = 0; i < N_GPUS; i++) {
        if (same_name(gpu_table[i].name, name) || same_name(model_of(gpu_table[i].name), name)) {
            return &gpu_table[i];
        }
    }
    return NULL;
}

static const struct gpu *gpu_of(uint32_t compute, size_t index)
{
    for (size_t i = 0; i < N_GPUS; i++) {
        if (gpu_table[i].compute == compute && index-- == 0) {
            return &gpu_table[i];
        }
    }
    return NULL;
}

/* "sm_35, sm_50, ..." into out[0..size), cut if it does not fit. */
static void list_known(char *out, size_t size)
{
    size_t at = 0;
    out[0] = '\0';
    for (size_t i = 0; i < N_ROWS && at < size; i++) {
        at +=
            (size_t)snprintf(out + at, size - at, "%s%s", i > 0 ? ", " : "", device_table[i].name);
    }
}

static const char *closest_name(const char *name)
{
    struct bsim_nearest nearest = bsim_nearest_start(name);
    for (size_t i = N_ROWS; i > 0; i--) { /* of equals, what people have rather than Fermi */
        bsim_nearest_try(&nearest, device_table[i - 1].name);
    }
    for (size_t i = 0; i < N_GPUS; i++) {
        bsim_nearest_try(&nearest, gpu_table[i].name);
        bsim_nearest_try(&nearest, model_of(gpu_table[i].name));
    }
    return nearest.best;
}

#define KNOWN "Known are %s, and GPUs by their names: 'banksim list devices' has them"

static enum bsim_status unknown(const char *name, struct bsim_error *err)
{
    char known[200];
    list_known(known, sizeof known);
    const char *closest = closest_name(name);
    if (closest != NULL) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "unknown device '%.40s': did you mean '%s'? " KNOWN, name, closest,
                              known);
    }
    return bsim_error_set(err, BSIM_E_USAGE, "unknown device '%.40s'. " KNOWN, name, known);
}

static enum bsim_status check_n_banks(const struct bsim_device *device, uint32_t n_banks,
                                      struct bsim_error *err)
{
    if (n_banks != 0 && device->compute != GENERIC) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "%s has %u banks; to choose their number use --device generic",
                              device->name, (unsigned)device->n_banks);
    }
    if (n_banks > BSIM_MAX_BANKS) {
        return bsim_error_set(err, BSIM_E_USAGE, "generic has 1 to %d banks, not %u",
                              BSIM_MAX_BANKS, (unsigned)n_banks);
    }
    return BSIM_OK;
}

static enum bsim_status check_width(const struct bsim_device *device, uint32_t width,
                                    struct bsim_error *err)
{
    if (width != 0 && width != 4 && width != 8) {
        return bsim_error_set(err, BSIM_E_USAGE, "a bank is 4 or 8 bytes wide, not %u",
                              (unsigned)width);
    }
    if ((width & device->widths) != width) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "%s has no %u-byte banks; sm_35 (k40), sm_37 and generic have",
                              device->name, (unsigned)width);
    }
    return BSIM_OK;
}

bool bsim_device_takes_percent(const struct bsim_device *device)
{
    return device->compute == GENERIC || device->compute >= 70;
}

/* What the device has, for a refusal. */
static enum bsim_status no_such_carveout(const struct bsim_device *device, struct bsim_error *err)
{
    if (device->n_carveouts == 1) {
        return bsim_error_set(
            err, BSIM_E_USAGE,
            "%s has no carve-out: an SM's %lu KB of shared memory are apart from its "
            "L1 cache",
            device->name, (unsigned long)device->shared_per_sm_bytes / KIB);
    }
    return bsim_error_set(err, BSIM_E_USAGE, "%s has the carve-outs %s; per cent begin with sm_70",
                          device->name,
                          device->n_carveouts > 2 ? "l1, equal and shared" : "l1 and shared");
}

/* The least size of at least so many per cent of the largest. */
static uint32_t size_of_percent(const struct bsim_device *device, uint32_t percent)
{
    uint32_t i = 0;
    uint32_t largest = device->carveouts_kib[device->n_carveouts - 1];
    while (device->carveouts_kib[i] * UINT32_C(100) < largest * percent) {
        i++;
    }
    return device->carveouts_kib[i];
}

/* As cuda_occupancy.h has it: from 7.0 on l1, equal and shared are 0, 50 and 100 per cent. */
static enum bsim_status set_carveout(struct bsim_device *device, uint32_t carveout,
                                     struct bsim_error *err)
{
    static const uint32_t percent_of[] = {100, 0, 50, 100};
    uint32_t n = device->n_carveouts;
    uint32_t percent =
        carveout < BSIM_CARVEOUT_PERCENT ? percent_of[carveout] : carveout - BSIM_CARVEOUT_PERCENT;
    if (carveout == BSIM_CARVEOUT_LARGEST) {
        return BSIM_OK;
    }
    if (percent > 100) {
        return bsim_error_set(err, BSIM_E_USAGE, "a carve-out is 0 to 100 per cent, not %lu",
                              (unsigned long)percent);
    }
    if (bsim_device_takes_percent(device)) {
        device->carveout_bytes = size_of_percent(device, percent) * KIB;
        return BSIM_OK;
    }
    if (n == 1 || carveout >= BSIM_CARVEOUT_PERCENT ||
        (n == 2 && carveout == BSIM_CARVEOUT_EQUAL)) {
        return no_such_carveout(device, err);
    }
    device->carveout_bytes = device->carveouts_kib[(n - 1) * percent / 100] * (uint32_t)KIB;
    return BSIM_OK;
}

enum bsim_status bsim_device_find(const char *name, const struct bsim_device_options *options,
                                  struct bsim_device *device, struct bsim_error *err)
{
    const struct bsim_device_options none = {.n_banks = 0};
    options = options != NULL ? options : &none;
    name = name != NULL ? name : DEFAULT_NAME;
    const struct gpu *gpu = gpu_named(name);
    const struct row *row = gpu != NULL ? row_of(gpu->compute) : row_named(name);
    if (row == NULL) {
        return unknown(name, err);
    }
    gpu = gpu != NULL ? gpu : gpu_of(row->compute, 0);
    struct bsim_device plain = device_of(row, gpu, N_BANKS, WIDTH);
    enum bsim_status status = check_n_banks(&plain, options->n_banks, err);
    status = status != BSIM_OK ? status : check_width(&plain, options->bank_width, err);
    status = status != BSIM_OK ? status : set_carveout(&plain, options->carveout, err);
    if (status == BSIM_OK) {
        *device = device_of(row, gpu, options->n_banks != 0 ? options->n_banks : N_BANKS,
                            options->bank_width != 0 ? options->bank_width : WIDTH);
        device->carveout_bytes = plain.carveout_bytes;
    }
    return status;
}

enum bsim_status bsim_device_of_kernel(const struct bsim_kernel *kernel,
                                       const struct bsim_device *asked,
                                       const struct bsim_device_options *options,
                                       struct bsim_device *device, struct bsim_error *err)
{
    const char *name = kernel->device;
    if (asked != NULL) {
        *device = *asked;
        return BSIM_OK;
    }
    if (bsim_device_find(name, NULL, device, err) == BSIM_OK) {
        return bsim_device_find(name, options, device, err);
    }
    if (err != NULL) {
        err->status = BSIM_E_INPUT;
    }
    return BSIM_E_INPUT;
}

bool bsim_device_at(size_t index, struct bsim_device *device)
{
    if (index >= N_ROWS) {
        return false;
    }
    const struct row *row = &device_table[index];
    *device = device_of(row, gpu_of(row->compute, 0), N_BANKS, WIDTH);
    return true;
}

enum bsim_status bsim_device_check_shared(const struct bsim_device *device, uint64_t shared_bytes,
                                          struct bsim_error *err)
{
    if (shared_bytes <= device->shared_per_block_bytes) {
        return BSIM_OK;
    }
    return bsim_error_set(err, BSIM_E_INPUT,
                          "a block has %llu bytes of shared memory, %s gives it %lu at most; take "
                          "less, or choose another device",
                          (unsigned long long)shared_bytes, device->name,
                          (unsigned long)device->shared_per_block_bytes);
}

bool bsim_device_same(const struct bsim_device *a, const struct bsim_device *b)
{
    return strcmp(a->name, b->name) == 0 && a->n_banks == b->n_banks &&
           a->stride_bytes == b->stride_bytes && a->bank_bytes == b->bank_bytes;
}

const char *bsim_device_alias(const char *name, size_t index)
{
    const struct row *row = row_named(name);
    const struct gpu *gpu = row != NULL ? gpu_of(row->compute, index) : NULL;
    return gpu != NULL ? gpu->name : NULL;
}

const char *bsim_grade_name(enum bsim_grade grade)
{
    static const char *const name[] = {"measured", "documented", "assumed"};
    size_t i = (size_t)grade;
    return i < sizeof name / sizeof name[0] ? name[i] : "unknown";
}

const char *bsim_rule_name(enum bsim_rule rule)
{
    static const char *const name[BSIM_N_RULES] = {
        [BSIM_RULE_BANKS] = "bank of a byte",
        [BSIM_RULE_MULTICAST] = "loads of one word share a pass",
        [BSIM_RULE_SAME_STORE] = "stores to one word share a pass",
        [BSIM_RULE_WIDE] = "wide requests in lane groups",
        [BSIM_RULE_PAIR] = "pair rule of wide loads",
        [BSIM_RULE_ATOMIC] = "4-byte atomics, a turn per lane",
        [BSIM_RULE_CAS] = "compare-and-swap, two passes per turn",
        [BSIM_RULE_ATOMIC64] = "8-byte exch in half-warps",
        [BSIM_RULE_LOOP] = "atomics compiled into a loop, at least",
        [BSIM_RULE_INCREMENT] = "merged increments share a pass",
        [BSIM_RULE_CP_ASYNC] = "cp.async.ca, a turn per lane",
        [BSIM_RULE_BYPASS] = "cp.async.cg, pieces of 16 bytes as they arrive",
        [BSIM_RULE_LDMATRIX] = "ldmatrix, a group per matrix",
        [BSIM_RULE_STMATRIX] = "stmatrix, a group per matrix",
        [BSIM_RULE_REPLAY] = "replay of conflicting requests",
        [BSIM_RULE_SECTORS] = "sectors and lines of global memory",
        [BSIM_RULE_NVPROF] = "nvprof's global transactions",
        [BSIM_RULE_CONSTANT] = "constant memory, a word per pass",
        [BSIM_RULE_LOCAL] = "local memory, a word of all lanes side by side",
        [BSIM_RULE_WGMMA] = "wgmma, by N and where A lies",
        [BSIM_RULE_TMA] = "copies by TMA, sectors of rows",
        [BSIM_RULE_PEER] = "another block's shared memory, by sectors",
        [BSIM_RULE_TEXTURE] = "textures, sectors of 8 lanes at a time",
    };
    size_t i = (size_t)rule;
    return i < BSIM_N_RULES ? name[i] : "unknown";
}

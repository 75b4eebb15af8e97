/* cmd_run.c - banksim run: traces in, counts out. */
#include "cli/cli.h"

static const char help[] =
    "usage: banksim run [TRACE|-]... [options]\n"
    "\n"
    "Simulates traces and reports how many transactions (wavefronts) their shared-memory\n"
    "requests take, and what they cost in cycles. Without a trace, or with -, reads standard\n"
    "input. Accel-Sim's .traceg is read as it is.\n"
    "\n"
    "  --device D         a device: sm_90, k40, a100, generic, ... ('banksim list devices');\n"
    "                     without it the trace's own device= holds, and then sm_90\n"
    "  --banks N          1 to 64 banks; without --device that is the device generic\n"
    "  --bank-width W     4 or 8 bytes, on devices that have both (k40, generic), as\n"
    "                     cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte) sets it\n"
    "                     and cudaDeviceGetSharedMemConfig tells\n"
    "  --carveout C       how much of an SM's memory is shared memory, for the blocks that an SM\n"
    "                     holds; L1 has the rest. From sm_70 on 0 to 100 per cent, as\n"
    "                     cudaFuncAttributePreferredSharedMemoryCarveout sets it; on all with\n"
    "                     such a choice also l1, equal or shared, as cudaFuncCachePreferL1, ...\n"
    "                     of cudaFuncSetCacheConfig (k40: 16, 32 or 48 KB). Without it the most.\n"
    "                     A launch with another setting than the one before, of either kind,\n"
    "                     may wait for the device: that is not in the cycles\n"
    "  --per WHAT         kernel (default), site, request\n"
    "  --format F         @tables@; html: a page for a browser, with the\n"
    "                     banks of each site and the passes of its requests\n"
    "  --metrics NAMES    banksim (default), ncu, nvprof: the profiler's metric names\n"
    "  --cycles WHEN      estimate cycles: auto (default) for kernels of at most 262144 events,\n"
    "                     always, never\n"
    "  --registers N      registers per thread, for the blocks that share an SM (those that the trace\n"
    "                     says, if it does)\n"
    "  --hazards          also look for races between the warps of a block, the lanes of a warp,\n"
    "                     and blocks; each is told on standard error, with both places\n"
    "  --jobs N           threads that share the blocks of a trace, 1 to 64 (the machine's\n"
    "                     processors); the report is the same whatever N. One thread does\n"
    "                     --per request, --hazards and --format html\n"
    "  --shard K/N        simulate the K-th of N parts of the blocks alone and write what comes\n"
    "                     of it for 'banksim merge', which says what does not hold, too\n"
    "  -o FILE            write the report to FILE\n"
    "\n"
    "Exit code: 0 fine, 1 an expect. of the trace does not hold or a race was found, 2 usage,\n"
    "3 bad input, 4 system.\n"
    "\n"
    "examples:\n"
    "  banksim run traces/square_set_row_read_col.trace\n"
    "  banksim run --per site --format csv a.trace b.trace\n"
    "  banksim run --device k40 --bank-width 8 --carveout l1 a.trace\n"
    "  banksim run --format html -o report.html pad0.trace pad1.trace\n"
    "  banksim emulate square_set_row_read_col | banksim run --per request -\n"
    "  xz -dc kernel-*.traceg.xz | banksim run --per site -\n";

static int run(struct options *options)
{
    if (bsim_cli_reads_input(options) > 1) {
        return bsim_cli_usage("run", "standard input, '-', can be read once");
    }
    return bsim_cli_simulate_traces(options);
}

const struct command bsim_cli_run = {"run", "simulate traces and report their bank conflicts", help,
                                     .run = run};

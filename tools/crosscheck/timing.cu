/* timing.cu - runs the timed programs and says how long they took; see timing.cuh.
 *
 *      timing LIST             for each program of the list and 1, 2, 4 and 8 blocks on an SM:
 *                              name,blocks,clocks per turn,least,most,"places","what it does"
 *
 * Clocks are the median of all SMs and runs; least and most have 5 % of these below and above. Places
 * are those of the blocks' warps in one of the SMs, in the order of the blocks, "0 1 2 3/4 5 6 7".
 * LIST is timing_cases.c's. A program that the kernels lack is left out, and blocks that do not fit.
 */
#include "timing.cuh"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LAUNCHES = 3,
    MAX_LINE = 256,
    SINK_BYTES = 512,
    MAX_BLOCKS = 8,
    SM_KIB = 228,     /* shared memory of an SM of compute capability 9.0 */
    MAX_SPREAD = 200, /* clocks between the first readings of an SM, or it had another start */
    MAX_SAMPLES = LAUNCHES * TIMED_RUNS * MAX_SMS,
};

static const struct program *programs;

program::program(const char *its_name, uint32_t n, void (*its_kernel)(struct timing_job))
    : name(its_name), n_warps(n), kernel(its_kernel), next(programs)
{
    programs = this;
}

static void check(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "timing: %s: %s\n", what, cudaGetErrorString(error));
        exit(4);
    }
}

static const struct program *program_named(const char *name)
{
    const struct program *p = programs;
    while (p != NULL && strcmp(p->name, name) != 0) {
        p = p->next;
    }
    return p;
}

/* What a block asks for, so that an SM holds n and no more. */
static int shared_bytes(int n)
{
    return (SM_KIB / n - 1) * 1024;
}

static bool fits(const struct program *p, int n_blocks)
{
    int n = 0;
    check(cudaFuncSetAttribute((const void *)p->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               shared_bytes(n_blocks)),
          p->name);
    check(cudaFuncSetAttribute((const void *)p->kernel,
                               cudaFuncAttributePreferredSharedMemoryCarveout, 100),
          p->name);
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, p->kernel, (int)p->n_warps * 32,
                                                        (size_t)shared_bytes(n_blocks)),
          p->name);
    return n == n_blocks;
}

/* ---- on the device, and what came back -------------------------------------------------------- */

static struct timing_job job;
static int n_sms;
static struct timed_warp warp_of[TIMED_RUNS * MAX_SMS * MAX_BLOCKS * MAX_WARPS];
static uint32_t sm_of[MAX_SMS * MAX_BLOCKS];
static uint32_t sample[MAX_SAMPLES];
static int n_samples;

/* What an SM took in a run; the clock wraps. */
static void add_sample(const struct program *p, int grid, int run, uint32_t sm)
{
    int32_t least = INT32_MAX, latest = INT32_MIN, most = INT32_MIN;
    uint32_t origin = 0;
    bool any = false;
    for (int block = 0; block < grid; block++) {
        for (uint32_t w = 0; sm_of[block] == sm && w < p->n_warps; w++) {
            const struct timed_warp *warp = &warp_of[(run * grid + block) * MAX_WARPS + (int)w];
            origin = any ? origin : warp->first;
            any = true;
            int32_t first = (int32_t)(warp->first - origin), last = (int32_t)(warp->last - origin);
            least = first < least ? first : least;
            latest = first > latest ? first : latest;
            most = last > most ? last : most;
        }
    }
    if (any && latest - least <= MAX_SPREAD) {
        sample[n_samples++] = (uint32_t)(most - least);
    }
}

static int by_size(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* All runs but each launch's first. */
static void time_program(const struct program *p, int n_blocks)
{
    int grid = n_blocks * n_sms;
    n_samples = 0;
    job.n_blocks = (uint32_t)n_blocks;
    for (int launch = 0; launch < LAUNCHES; launch++) {
        check(cudaMemset(job.place, 0, TIMED_RUNS * MAX_SMS * sizeof *job.place), "memory");
        p->kernel<<<grid, p->n_warps * 32, shared_bytes(n_blocks)>>>(job);
        check(cudaGetLastError(), p->name);
        check(cudaMemcpy(warp_of, job.warp, sizeof *warp_of * TIMED_RUNS * grid * MAX_WARPS,
                         cudaMemcpyDeviceToHost),
              p->name);
        check(cudaMemcpy(sm_of, job.sm, sizeof *sm_of * grid, cudaMemcpyDeviceToHost), p->name);
        for (int run = 1; run < TIMED_RUNS; run++) {
            for (int sm = 0; sm < n_sms; sm++) {
                add_sample(p, grid, run, (uint32_t)sm);
            }
        }
    }
    qsort(sample, n_samples, sizeof *sample, by_size);
}

/* ---- rows ------------------------------------------------------------------------------------- */

static double turn_of(double part)
{
    return sample[(int)(part * (n_samples - 1))] / (double)TURNS;
}

static void print_places(const struct program *p, int n_blocks)
{
    const char *between = "";
    for (int block = 0; block < n_blocks * n_sms; block++) {
        for (uint32_t w = 0; sm_of[block] == sm_of[0] && w < p->n_warps; w++) {
            printf("%s%u", between, warp_of[block * MAX_WARPS + (int)w].place);
            between = w + 1 < p->n_warps ? " " : "/";
        }
    }
}

static void print_program(const struct program *p, int n_blocks, const char *text)
{
    time_program(p, n_blocks);
    if (n_samples == 0) {
        fprintf(stderr, "timing: %s: blocks did not begin together\n", p->name);
        return;
    }
    printf("%s,%d,%.3f,%.3f,%.3f,\"", p->name, n_blocks, turn_of(0.5), turn_of(0.05),
           turn_of(0.95));
    print_places(p, n_blocks);
    printf("\",\"%s\"\n", text);
}

static void allocate()
{
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0), "device");
    n_sms = properties.multiProcessorCount;
    check(cudaMalloc(&job.place, TIMED_RUNS * MAX_SMS * sizeof *job.place), "memory");
    check(cudaMalloc(&job.warp, sizeof warp_of), "memory");
    check(cudaMalloc(&job.sm, sizeof sm_of), "memory");
    check(cudaMalloc(&job.sink, SINK_BYTES), "memory");
    check(cudaMemset(job.sink, 0, SINK_BYTES), "memory");
}

int main(int argc, char **argv)
{
    char line[MAX_LINE], name[64];
    FILE *list = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (list == NULL) {
        fprintf(stderr, "usage: timing LIST\n");
        return 2;
    }
    allocate();
    while (fgets(line, sizeof line, list) != NULL) {
        const struct program *p = sscanf(line, "%63s", name) == 1 ? program_named(name) : NULL;
        line[strcspn(line, "\n")] = '\0';
        for (int n = 1; p != NULL && n <= MAX_BLOCKS; n *= 2) {
            if (fits(p, n)) {
                print_program(p, n, line + strcspn(line, " ") + 1);
            }
        }
    }
    fclose(list);
    return 0;
}

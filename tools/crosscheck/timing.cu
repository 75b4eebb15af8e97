/* timing.cu - runs the timed programs and says how long they took; see timing.cuh.
 *
 *      timing LIST             name,cycles_per_turn,"what it does" for each program of the list
 *      timing LIST warps       name,turns,cycles, then each warp's first and last clock from the
 *                              block's first
 *
 * LIST is timing_cases.c's. A program that the kernels lack is left out, and one whose warps would
 * need more registers than there are.
 */
#include "timing.cuh"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAUNCHES = 3, MAX_LINE = 256, SINK_BYTES = 512 };

static const struct program *programs;

program::program(const char *its_name, uint32_t its_warps, void (*its_kernel)(struct timing_job))
    : name(its_name), warps(its_warps), kernel(its_kernel), next(programs)
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

/* All warps up to the last one that takes part. */
static uint32_t n_warps_of(const struct program *p)
{
    uint32_t n = MAX_WARPS;
    while (!(p->warps >> (n - 1) & 1)) {
        n--;
    }
    return n;
}

static bool fits(const struct program *p)
{
    struct cudaFuncAttributes attributes;
    check(cudaFuncGetAttributes(&attributes, (const void *)p->kernel), p->name);
    return n_warps_of(p) * 32 <= (uint32_t)attributes.maxThreadsPerBlock;
}

struct clocks {
    uint32_t first[TIMED_RUNS][MAX_WARPS], last[TIMED_RUNS][MAX_WARPS];
};

/* From the first warp's first clock to the last warp's last; the clock wraps. */
static uint32_t span(const struct clocks *clocks, uint32_t run, uint32_t warps, uint32_t *begin)
{
    uint32_t some = 0;
    while (!(warps >> some & 1)) {
        some++;
    }
    int32_t least = 0, most = 0; /* from some warp's first */
    for (uint32_t warp = 0; warp < MAX_WARPS; warp++) {
        if (warps >> warp & 1) {
            int32_t first = (int32_t)(clocks->first[run][warp] - clocks->first[run][some]);
            int32_t last = (int32_t)(clocks->last[run][warp] - clocks->first[run][some]);
            least = first < least ? first : least;
            most = last > most ? last : most;
        }
    }
    *begin = clocks->first[run][some] + (uint32_t)least;
    return (uint32_t)(most - least);
}

struct timed {
    uint32_t cycles, begin, run;
    struct clocks clocks;
};

/* The fastest of all runs but each launch's first. */
static struct timed time_program(const struct program *p, struct timing_job job)
{
    struct timed best = {UINT32_MAX, 0, 0, {}};
    struct clocks clocks;
    job.warps = p->warps;
    for (int launch = 0; launch < LAUNCHES; launch++) {
        p->kernel<<<1, n_warps_of(p) * 32, SHARED_BYTES>>>(job);
        check(cudaGetLastError(), p->name);
        check(cudaMemcpy(&clocks, job.first, sizeof clocks, cudaMemcpyDeviceToHost), p->name);
        for (uint32_t run = 1; run < TIMED_RUNS; run++) {
            uint32_t begin, cycles = span(&clocks, run, p->warps, &begin);
            if (cycles < best.cycles) {
                best.cycles = cycles;
                best.begin = begin;
                best.run = run;
                best.clocks = clocks;
            }
        }
    }
    return best;
}

static void print_warps(const struct program *p, const struct timing_job &job)
{
    struct timed t = time_program(p, job);
    printf("%s,%u,%u", p->name, TURNS, t.cycles);
    for (uint32_t warp = 0; warp < MAX_WARPS; warp++) {
        if (p->warps >> warp & 1) {
            printf(",%u-%u", t.clocks.first[t.run][warp] - t.begin,
                   t.clocks.last[t.run][warp] - t.begin);
        }
    }
    printf("\n");
}

static void print_program(const struct program *p, const struct timing_job &job, char *text)
{
    text += strcspn(text, " ") + 1;
    text[strcspn(text, "\n")] = '\0';
    printf("%s,%.3f,\"%s\"\n", p->name, time_program(p, job).cycles / (double)TURNS, text);
}

int main(int argc, char **argv)
{
    char line[MAX_LINE], name[64];
    struct timing_job job = {};
    FILE *list = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (list == NULL) {
        fprintf(stderr, "usage: timing LIST [warps]\n");
        return 2;
    }
    check(cudaMalloc(&job.first, sizeof(struct clocks) + SINK_BYTES), "memory");
    check(cudaMemset(job.first, 0, sizeof(struct clocks) + SINK_BYTES), "memory");
    job.last = job.first + TIMED_RUNS * MAX_WARPS;
    job.sink = job.last + TIMED_RUNS * MAX_WARPS;
    while (fgets(line, sizeof line, list) != NULL) {
        const struct program *p = sscanf(line, "%63s", name) == 1 ? program_named(name) : NULL;
        if (p == NULL || !fits(p)) {
            continue;
        }
        if (argc > 2) {
            print_warps(p, job);
        } else {
            print_program(p, job, line);
        }
    }
    fclose(list);
    return 0;
}

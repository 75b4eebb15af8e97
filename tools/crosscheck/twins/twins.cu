/* twins.cu - runs emulators and their twins and compares what both leave in memory.
 *
 *     twins RUNS
 *
 * RUNS has a run per line, "kernel key=value ..."; lines with # are comments. Each is emulated; the
 * twin is launched with the emulator's shape and a copy of its arrays, once; then all bytes of all
 * arrays are compared. Prints a row per run: kernel,settings,blocks,output, the last a hash of the
 * arrays that the GPU left. Under the profiler the n-th launch is the n-th row.
 *
 * Exit code 1 if some output differs, which is told on standard error, or anything fails.
 */
#include "../emulated.h"
#include "twin.cuh"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CUDA(call) cuda_check((call), #call)

static void cuda_check(cudaError_t status, const char *call)
{
    if (status != cudaSuccess) {
        fprintf(stderr, "twins: %s: %s\n", call, cudaGetErrorString(status));
        exit(1);
    }
}

static const struct twin *const families[] = {
    square_twins,  rect_twins,    reduce_twins,   transpose_twins, lecture_twins, coalescing_twins,
    loads_twins,   shuffle_twins, constant_twins, figure_twins,
};

static const struct twin *find_twin(const char *name)
{
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++) {
        for (const struct twin *row = families[f]; row->name != NULL; row++) {
            if (strcmp(row->name, name) == 0) {
                return row;
            }
        }
    }
    return NULL;
}

/* One run. */
struct pair {
    struct emulated_run run;
    const struct twin *twin;
    void *copies[BSIM_LAUNCH_MAX_ARRAYS]; /* what the GPU left, on the host */
    uint64_t output;
    unsigned long blocks;
};

static struct pair *pair_now;

static uint32_t setting_now(const char *key)
{
    return emulated_setting(&pair_now->run, key);
}

/* Memory that begins where an emulator's arrays do, at a multiple of more than the counts of global
 * atomics look at (sector.c); what has to be freed goes to *allocation. */
static void *allocate(size_t size_bytes, void **allocation)
{
    const uint64_t alignment = 1 << 20;
    CUDA(cudaMalloc(allocation, size_bytes + alignment));
    return (void *)(((uint64_t)*allocation + alignment - 1) / alignment * alignment);
}

/* The emulator's launch for the GPU: global arrays are copied there, one in constant memory is
 * copied by the twin. */
static void make_call(const struct bsim_launch *launch, struct twin_call *call)
{
    call->grid = dim3(launch->grid.x, launch->grid.y, launch->grid.z);
    call->block = dim3(launch->block.x, launch->block.y, launch->block.z);
    call->shared_bytes = launch->dynamic_shared_bytes;
    call->setting = setting_now;
    for (size_t i = 0; i < launch->n_arrays; i++) {
        const struct bsim_array *array = &launch->arrays[i];
        if (array->space == BSIM_CONST) {
            call->constants = array->data;
            call->constants_bytes = array->size_bytes;
            continue;
        }
        call->arrays[i] = allocate(array->size_bytes, &call->allocations[i]);
        CUDA(cudaMemcpy(call->arrays[i], array->data, array->size_bytes, cudaMemcpyHostToDevice));
        call->sizes_bytes[i] = array->size_bytes;
    }
}

/* Launches the twin on the arrays as they are before the emulator's run. */
static enum bsim_status run_twin(void *context, const struct bsim_launch *launch,
                                 struct bsim_error *err)
{
    struct pair *pair = (struct pair *)context;
    struct twin_call call = {};
    (void)err;
    make_call(launch, &call);
    pair->twin->launch(call);
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize());
    pair->output = EMULATED_HASH;
    pair->blocks = (unsigned long)launch->grid.x * launch->grid.y * launch->grid.z;
    for (size_t i = 0; i < launch->n_arrays; i++) {
        size_t size = call.sizes_bytes[i];
        if (size > 0) {
            pair->copies[i] = malloc(size);
            CUDA(cudaMemcpy(pair->copies[i], call.arrays[i], size, cudaMemcpyDeviceToHost));
            CUDA(cudaFree(call.allocations[i]));
            pair->output = emulated_hash(pair->output, pair->copies[i], size);
        }
    }
    return BSIM_OK;
}

static enum bsim_status compare(void *context, const struct bsim_launch *launch,
                                struct bsim_error *err)
{
    struct pair *pair = (struct pair *)context;
    for (size_t i = 0; i < launch->n_arrays; i++) {
        const unsigned char *emulated = (const unsigned char *)launch->arrays[i].data;
        const unsigned char *counted = (const unsigned char *)pair->copies[i];
        for (size_t k = 0; counted != NULL && k < launch->arrays[i].size_bytes; k++) {
            if (emulated[k] != counted[k]) {
                return bsim_error_set(
                    err, BSIM_E_KERNEL,
                    "%s: array %lu differs from byte %lu on: %02x emulated, %02x on the GPU",
                    launch->name, (unsigned long)i, (unsigned long)k, emulated[k], counted[k]);
            }
        }
    }
    return BSIM_OK;
}

static enum bsim_status push_nowhere(void *context, const struct bsim_record *record,
                                     struct bsim_error *err)
{
    (void)context, (void)record, (void)err;
    return BSIM_OK;
}

static enum bsim_status run_pair(struct pair *pair, const char *line, struct bsim_error *err)
{
    struct bsim_sink sink = {push_nowhere, NULL};
    struct emulated_watch watch = {pair, run_twin, compare};
    enum bsim_status status = emulated_parse(line, &pair->run, err);
    if (status != BSIM_OK) {
        return status;
    }
    pair->twin = find_twin(pair->run.kernel);
    if (pair->twin == NULL) {
        return bsim_error_set(err, BSIM_E_USAGE, "%s has no twin", pair->run.kernel);
    }
    pair_now = pair;
    return emulated_go(&pair->run, &watch, &sink, err);
}

static void print_row(const struct pair *pair)
{
    printf("%s,", pair->run.kernel);
    for (size_t i = 0; i < pair->run.n_settings; i++) {
        printf("%s%s", i > 0 ? " " : "", pair->run.settings[i]);
    }
    printf(",%lu,%016llx\n", pair->blocks, (unsigned long long)pair->output);
}

/* The row is printed whatever came of it, as long as the twin was launched. */
static bool run_line(const char *line)
{
    struct pair pair = {};
    struct bsim_error err = {};
    enum bsim_status status = run_pair(&pair, line, &err);
    if (status != BSIM_OK) {
        char text[1200];
        fprintf(stderr, "twins: %s", bsim_error_text(&err, text, sizeof text));
    }
    if (pair.blocks > 0) {
        print_row(&pair);
    }
    for (size_t i = 0; i < BSIM_LAUNCH_MAX_ARRAYS; i++) {
        free(pair.copies[i]);
    }
    return status == BSIM_OK;
}

int main(int argc, char **argv)
{
    char line[EMULATED_LINE_SIZE];
    bool fine = true;
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: %s RUNS (a file that can be read)\n", argv[0]);
        return 2;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] != '\0' && line[0] != '#') {
            fine = run_line(line) && fine;
        }
    }
    fclose(file);
    return fflush(stdout) == 0 && fine ? 0 : 1;
}

/* launch.c - runs a launch block after block, x fastest; nothing is modelled of which blocks run at
 * the same time.
 */
#include "lanes/cta.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

static bool within(struct bsim_dim3 dim, uint64_t most)
{
    return dim.x >= 1 && dim.y >= 1 && dim.z >= 1 && dim.x <= most &&
           (uint64_t)dim.x * dim.y <= most && (uint64_t)dim.x * dim.y * dim.z <= most;
}

/* Of arrays of constant memory. */
static uint64_t constant_bytes(const struct bsim_launch *launch)
{
    const uint64_t unit = BSIM_CTA_SHARED_ALIGNMENT;
    uint64_t sum = 0;
    for (size_t i = 0; i < launch->n_arrays; i++) {
        bool is_constant = launch->arrays[i].space == BSIM_CONST;
        sum += is_constant ? (launch->arrays[i].size_bytes + unit - 1) / unit * unit : 0;
    }
    return sum;
}

static enum bsim_status check_arrays(const struct bsim_launch *launch, struct bsim_error *err)
{
    if (launch->n_arrays > BSIM_LAUNCH_MAX_ARRAYS) {
        return bsim_error_set(err, BSIM_E_USAGE, "launch %s: %zu arrays; at most %d are possible",
                              launch->name, launch->n_arrays, BSIM_LAUNCH_MAX_ARRAYS);
    }
    for (size_t i = 0; i < launch->n_arrays; i++) {
        const struct bsim_array *array = &launch->arrays[i];
        if ((array->data == NULL && array->size_bytes > 0) ||
            (uint64_t)array->size_bytes > (UINT64_C(1) << 32) ||
            (array->space != BSIM_GLOBAL && array->space != BSIM_CONST &&
             array->space != BSIM_TEXTURE)) {
            return bsim_error_set(err, BSIM_E_USAGE,
                                  "launch %s: array %zu must have memory, at most 4 GiB, and be "
                                  "BSIM_GLOBAL, BSIM_CONST or BSIM_TEXTURE",
                                  launch->name, i);
        }
    }
    if (constant_bytes(launch) > BSIM_CONSTANT_BYTES) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "launch %s: %" PRIu64
                              " bytes of constant arrays; constant memory has "
                              "%d: put some into BSIM_GLOBAL, for LDG",
                              launch->name, constant_bytes(launch), BSIM_CONSTANT_BYTES);
    }
    return BSIM_OK;
}

static enum bsim_status check_launch(const struct bsim_launch *launch, struct bsim_error *err)
{
    if (launch->name == NULL || launch->name[0] == '\0' || launch->body == NULL) {
        return bsim_error_set(err, BSIM_E_USAGE, "a launch needs a name and a body");
    }
    if (!within(launch->grid, UINT64_MAX)) {
        return bsim_error_set(err, BSIM_E_USAGE, "launch %s: grid sizes must be at least 1",
                              launch->name);
    }
    if (!within(launch->block, BSIM_BLOCK_MAX_THREADS)) {
        return bsim_error_set(err, BSIM_E_USAGE, "launch %s: a block has 1 to %d threads",
                              launch->name, BSIM_BLOCK_MAX_THREADS);
    }
    if (launch->dynamic_shared_bytes > BSIM_CTA_MAX_SHARED_BYTES) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "launch %s: %" PRIu32 " bytes of dynamic shared memory; a block has "
                              "at most %d",
                              launch->name, launch->dynamic_shared_bytes,
                              BSIM_CTA_MAX_SHARED_BYTES);
    }
    return check_arrays(launch, err);
}

static void set_threads(struct bsim_cta_state *state, struct bsim_dim3 block)
{
    struct bsim_cta *cta = &state->cta;
    uint32_t t = 0;
    for (uint32_t z = 0; z < block.z; z++) {
        for (uint32_t y = 0; y < block.y; y++) {
            for (uint32_t x = 0; x < block.x; x++, t++) {
                cta->thread[t] = (struct bsim_dim3){x, y, z};
                state->full[t / BSIM_WARP_LANES] |= UINT32_C(1) << (t % BSIM_WARP_LANES);
            }
        }
    }
    cta->n_threads = t;
    cta->n_warps = (t + BSIM_WARP_LANES - 1) / BSIM_WARP_LANES;
}

static void set_regions(struct bsim_cta_state *state, const struct bsim_launch *launch)
{
    const uint64_t unit = BSIM_CTA_SHARED_ALIGNMENT;
    uint64_t constants = 0; /* where the next constant array lies, behind the first */
    state->region[0] = (struct bsim_region){(uintptr_t)state->shared, 0, BSIM_SHARED, 0, 0};
    for (size_t i = 0; i < launch->n_arrays; i++) {
        const struct bsim_array *array = &launch->arrays[i];
        uint64_t address = ((uint64_t)i + 1) << 32;
        if (array->space == BSIM_CONST) {
            address = constants > 0 ? constants : address;
            constants = address + (array->size_bytes + unit - 1) / unit * unit;
        }
        state->region[i + 1] = (struct bsim_region){(uintptr_t)array->data, array->size_bytes,
                                                    array->space, address, 0};
    }
    state->n_regions = launch->n_arrays + 1;
}

static void set_up(struct bsim_cta_state *state, const struct bsim_launch *launch)
{
    struct bsim_opcode none = {0};
    bsim_event_init(&state->event, &none);
    state->kernel = (struct bsim_kernel){.name = launch->name,
                                         .grid = launch->grid,
                                         .block = launch->block,
                                         .has_shared = true,
                                         .extras = ""};
    state->cta.arguments = launch->arguments;
    state->cta.grid = launch->grid;
    state->cta.block_dim = launch->block;
    state->cta.state = state;
    set_threads(state, launch->block);
    set_regions(state, launch);
}

static bool run_block(struct bsim_cta *cta, struct bsim_dim3 block)
{
    struct bsim_cta_state *state = cta->state;
    cta->block = block;
    state->block_number++;
    state->block_pushed = false;
    state->depth = 0;
    state->frame[0].kind = BSIM_FRAME_NONE;
    memcpy(cta->active, state->full, sizeof cta->active);
    memset(cta->exited, 0, sizeof cta->exited);
    state->launch->body(cta);
    bsim_cta_check_closed(cta);
    return bsim_cta_open(cta);
}

static void run_blocks(struct bsim_cta *cta)
{
    for (uint32_t z = 0; z < cta->grid.z; z++) {
        for (uint32_t y = 0; y < cta->grid.y; y++) {
            for (uint32_t x = 0; x < cta->grid.x; x++) {
                if (!run_block(cta, (struct bsim_dim3){x, y, z})) {
                    return;
                }
            }
        }
    }
}

enum bsim_status bsim_launch_run(const struct bsim_launch *launch, const struct bsim_sink *sink,
                                 struct bsim_error *err)
{
    enum bsim_status status = check_launch(launch, err);
    if (status != BSIM_OK) {
        return status;
    }
    struct bsim_cta_state *state = bsim_mem_zeroed(1, sizeof *state);
    unsigned char *shared =
        bsim_mem_resize(NULL, BSIM_CTA_MAX_SHARED_BYTES + BSIM_CTA_SHARED_ALIGNMENT, 1);
    if (state == NULL || shared == NULL) {
        bsim_mem_free(shared);
        bsim_mem_free(state);
        return bsim_error_set(err, BSIM_E_MEMORY, "no memory for launch %s", launch->name);
    }
    state->launch = launch;
    state->sink = sink;
    state->err = err;
    state->shared = shared;
    set_up(state, launch);
    run_blocks(&state->cta);
    status = state->status;
    bsim_cta_free_sites(state);
    bsim_cta_free_local(state);
    bsim_buffer_free(&state->extras);
    bsim_mem_free(shared);
    bsim_mem_free(state);
    return status;
}

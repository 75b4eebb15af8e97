/* arrays.c - what a kernel declares: shared memory, which the threads of a block have together, and
 * local arrays, of which each has its own.
 *
 * A kernel body declares its shared arrays before it touches anything, in every block the same.
 * What nobody wrote in a block reads as BSIM_CTA_POISON, whatever the block before left there.
 */
#include "lanes/cta.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

/* ---- shared memory -------------------------------------------------------------------------- */

/* The declaration of the list that place made before, or NULL. */
static struct bsim_declared *find_declared(struct bsim_declared *list, size_t n,
                                           const struct bsim_place *place)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i].place == place) {
            return &list[i];
        }
    }
    return NULL;
}

/* Its memory, poisoned where the block declares it first. */
static void *cleared(const struct bsim_cta_state *state, struct bsim_declared *array,
                     size_t size_bytes)
{
    if (array->block != state->block_number) {
        array->block = state->block_number;
        memset(array->memory, BSIM_CTA_POISON, size_bytes);
    }
    return array->memory;
}

/* A new static array, in the first block before its first event. */
static struct bsim_declared *declare(struct bsim_cta *cta, const struct bsim_place *place,
                                     size_t size_bytes, size_t columns, size_t alignment)
{
    struct bsim_cta_state *state = cta->state;
    size_t unit = alignment < BSIM_CTA_SHARED_ALIGNMENT ? alignment : BSIM_CTA_SHARED_ALIGNMENT;
    size_t offset = (state->shared_static_bytes + unit - 1) / unit * unit;
    const char *why = NULL;
    if (state->kernel_pushed) {
        why = "it must be declared before the kernel's first access, in every block";
    } else if (state->dynamic != NULL) {
        why = "static arrays must be declared before the dynamic one";
    } else if (state->n_declared == BSIM_CTA_MAX_SHARED) {
        why = "too many shared arrays";
    }
    if (why != NULL) {
        (void)bsim_cta_fault(cta, place->file, place->line, "shared array %s: %s", place->text,
                             why);
        return NULL;
    }
    size_t room = BSIM_CTA_MAX_SHARED_BYTES - state->launch->dynamic_shared_bytes;
    if (offset > room || size_bytes > room - offset) {
        (void)bsim_cta_fault(cta, place->file, place->line,
                             "shared array %s of %zu bytes: a block has at most %d bytes",
                             place->text, size_bytes, BSIM_CTA_MAX_SHARED_BYTES);
        return NULL;
    }
    state->shared_static_bytes = offset + size_bytes;
    state->declared[state->n_declared] =
        (struct bsim_declared){place, state->shared + offset, size_bytes, columns, 0};
    return &state->declared[state->n_declared++];
}

/* Once a launch has failed no thread reads what these return; it must only be a pointer. */
static void *shared_array(struct bsim_cta *cta, const struct bsim_place *place, size_t size_bytes,
                          size_t columns, size_t alignment)
{
    struct bsim_cta_state *state = cta->state;
    if (state->status != BSIM_OK) {
        return state->shared;
    }
    struct bsim_declared *array = find_declared(state->declared, state->n_declared, place);
    if (array == NULL) {
        array = declare(cta, place, size_bytes, columns, alignment);
    }
    if (array == NULL) {
        return state->shared;
    }
    if (array->size_bytes != size_bytes) {
        (void)bsim_cta_fault(cta, place->file, place->line,
                             "shared array %s has %zu bytes in block (%" PRIu32 ",%" PRIu32
                             ",%" PRIu32 ") and had %zu before: it must have one size",
                             place->text, size_bytes, cta->block.x, cta->block.y, cta->block.z,
                             array->size_bytes);
        return state->shared;
    }
    return cleared(state, array, size_bytes);
}

static void *shared_dynamic(struct bsim_cta *cta, const struct bsim_place *place)
{
    struct bsim_cta_state *state = cta->state;
    size_t offset = bsim_cta_dynamic_offset(state);
    if (state->kernel_pushed && state->dynamic == NULL) {
        (void)bsim_cta_fault(cta, place->file, place->line,
                             "shared array %s: it must be declared before the kernel's first "
                             "access, in every block",
                             place->text);
    }
    state->dynamic = state->dynamic == NULL ? place : state->dynamic;
    /* Declared again in the block, as another type: the same memory, with what is in it. */
    if (state->dynamic_block != state->block_number) {
        state->dynamic_block = state->block_number;
        memset(state->shared + offset, BSIM_CTA_POISON, state->launch->dynamic_shared_bytes);
    }
    return state->shared + offset;
}

/* ---- local memory --------------------------------------------------------------------------- */

static struct bsim_declared *declare_local(struct bsim_cta *cta, const struct bsim_place *place,
                                           size_t thread_bytes)
{
    struct bsim_cta_state *state = cta->state;
    if (state->n_local == BSIM_CTA_MAX_LOCAL || thread_bytes > BSIM_CTA_MAX_LOCAL_BYTES) {
        (void)bsim_cta_fault(
            cta, place->file, place->line,
            "local array %s of %zu bytes: a kernel has at most %d, of %d bytes each", place->text,
            thread_bytes, BSIM_CTA_MAX_LOCAL, BSIM_CTA_MAX_LOCAL_BYTES);
        return NULL;
    }
    unsigned char *memory = bsim_mem_zeroed(cta->n_threads, thread_bytes);
    if (memory == NULL) {
        (void)bsim_error_set(state->err, BSIM_E_MEMORY, "no memory for local array %s",
                             place->text);
        (void)bsim_cta_stop(cta, BSIM_E_MEMORY);
        return NULL;
    }
    size_t unit = BSIM_CTA_SHARED_ALIGNMENT;
    state->region[state->n_regions++] =
        (struct bsim_region){(uintptr_t)memory, cta->n_threads * thread_bytes, BSIM_LOCAL,
                             state->local_window, thread_bytes};
    state->local_window += (thread_bytes + unit - 1) / unit * unit;
    state->local[state->n_local] = (struct bsim_declared){place, memory, thread_bytes, 0, 0};
    return &state->local[state->n_local++];
}

/* As shared_array: what is returned after a failure is read by nobody. */
static void *local_array(struct bsim_cta *cta, const struct bsim_place *place, size_t thread_bytes)
{
    struct bsim_cta_state *state = cta->state;
    struct bsim_declared *array = find_declared(state->local, state->n_local, place);
    if (array == NULL && state->status == BSIM_OK) {
        array = declare_local(cta, place, thread_bytes);
    }
    if (array == NULL) {
        return state->shared;
    }
    if (array->size_bytes != thread_bytes) {
        (void)bsim_cta_fault(cta, place->file, place->line,
                             "local array %s has %zu bytes and had %zu in a block before: it must "
                             "have one size",
                             place->text, thread_bytes, array->size_bytes);
        return array->memory;
    }
    return cleared(state, array, cta->n_threads * thread_bytes);
}

void bsim_cta_free_local(struct bsim_cta_state *state)
{
    for (size_t i = 0; i < state->n_local; i++) {
        bsim_mem_free(state->local[i].memory);
    }
}

void *bsim_array_memory(struct bsim_cta *cta, enum bsim_array_kind kind,
                        const struct bsim_place *place, size_t size_bytes, size_t columns,
                        size_t alignment)
{
    switch (kind) {
    case BSIM_ARRAY_SHARED:
        return shared_array(cta, place, size_bytes, columns, alignment);
    case BSIM_ARRAY_DYNAMIC:
        return shared_dynamic(cta, place);
    default: /* BSIM_ARRAY_LOCAL */
        return local_array(cta, place, size_bytes);
    }
}

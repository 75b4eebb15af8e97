/* launch.c - a kernel's blocks, one after the other. */
#include "ptx/launch.h"

#include "base/memory.h"
#include "ptx/machine.h"
#include "ptx/push.h"

#include <inttypes.h>
#include <string.h>

enum { POISON = 0x7f }; /* shared and local memory that nobody wrote */

/* ---- the module's variables ------------------------------------------------------------------ */

static enum bsim_status find_address(const struct bsim_ptx_module *module, const char *name,
                                     uint64_t *address, struct bsim_error *err)
{
    for (const struct bsim_ptx_symbol *v = module->symbols; v != NULL; v = v->next) {
        if (strcmp(v->name, name) == 0) {
            *address = v->address;
            return BSIM_OK;
        }
    }
    *address = bsim_ptx_function_address(module, name);
    if (*address != 0) {
        return BSIM_OK;
    }
    return bsim_error_set(err, BSIM_E_INPUT,
                          "%s: an initialiser is the address of %s, which is no variable",
                          module->name, name);
}

static enum bsim_status fill_pointers(const struct bsim_ptx_module *module,
                                      const struct bsim_ptx_symbol *symbol, unsigned char *data,
                                      struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    for (const struct bsim_ptx_pointer *p = symbol->pointers; p != NULL && status == BSIM_OK;
         p = p->next) {
        uint64_t address = 0;
        status = find_address(module, p->name, &address, err);
        address += (uint64_t)p->addend;
        memcpy(data + p->offset, &address, bsim_ptx_type_bits(symbol->type) / 8);
    }
    return status;
}

static enum bsim_status load_symbol(const struct bsim_ptx_module *module,
                                    const struct bsim_ptx_symbol *symbol,
                                    struct bsim_ptx_memory *memory, struct bsim_error *err)
{
    size_t size = (size_t)symbol->size_bytes;
    unsigned char *data = bsim_mem_zeroed(size, 1);
    if (data == NULL) {
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    if (symbol->initial != NULL) {
        memcpy(data, symbol->initial, size);
    }
    enum bsim_status status = fill_pointers(module, symbol, data, err);
    struct bsim_ptx_piece piece = {.start = symbol->address,
                                   .size = size,
                                   .data = data,
                                   .name = symbol->name,
                                   .is_constant = symbol->space == BSIM_PTX_CONST};
    if (status != BSIM_OK) {
        bsim_mem_free(data);
    } else if (!bsim_ptx_memory_add(memory, &piece, true)) {
        status = bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    return status;
}

static bool is_loaded(const struct bsim_ptx_symbol *symbol)
{
    return (symbol->space == BSIM_PTX_GLOBAL || symbol->space == BSIM_PTX_CONST) &&
           symbol->size_bytes > 0;
}

enum bsim_status bsim_ptx_load(struct bsim_ptx_module *module, struct bsim_ptx_memory *memory,
                               uint64_t *address, struct bsim_error *err)
{
    enum { ALIGNMENT = 256 }; /* of each variable, as cudaMalloc's is: no two share a sector */
    for (struct bsim_ptx_symbol *v = module->symbols; v != NULL; v = v->next) {
        if (is_loaded(v)) {
            v->address = *address;
            *address += (v->size_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        }
    }
    enum bsim_status status = BSIM_OK;
    for (const struct bsim_ptx_symbol *v = module->symbols; v != NULL && status == BSIM_OK;
         v = v->next) {
        status = is_loaded(v) ? load_symbol(module, v, memory, err) : BSIM_OK;
    }
    return status;
}

/* ---- warps ----------------------------------------------------------------------------------- */

static void fill(struct bsim_ptx_warp *warp, uint32_t place, bool is_64, uint64_t bits)
{
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        if (is_64) {
            bsim_ptx_at64(warp, place)[l].u = bits;
        } else {
            bsim_ptx_at32(warp, place)[l].u = (uint32_t)bits;
        }
    }
}

/* The value of a special register in a lane when a block begins. */
static uint64_t special_value(const struct bsim_ptx_warp *warp, uint32_t special, uint32_t lane)
{
    const struct bsim_ptx_block *block = warp->block;
    struct bsim_dim3 size = block->threads;
    uint32_t t = warp->number * BSIM_WARP_LANES + lane;
    switch (special) {
    case BSIM_PTX_TID_X:
        return t % size.x;
    case BSIM_PTX_TID_Y:
        return t / size.x % size.y;
    case BSIM_PTX_TID_Z:
        return t / size.x / size.y;
    case BSIM_PTX_NTID_X:
        return size.x;
    case BSIM_PTX_NTID_Y:
        return size.y;
    case BSIM_PTX_NTID_Z:
        return size.z;
    case BSIM_PTX_CTAID_X:
        return block->place.x;
    case BSIM_PTX_CTAID_Y:
        return block->place.y;
    case BSIM_PTX_CTAID_Z:
        return block->place.z;
    case BSIM_PTX_NCTAID_X:
        return block->grid.x;
    case BSIM_PTX_NCTAID_Y:
        return block->grid.y;
    case BSIM_PTX_NCTAID_Z:
        return block->grid.z;
    case BSIM_PTX_LANEID:
        return lane;
    case BSIM_PTX_WARPID:
        return warp->number;
    case BSIM_PTX_NWARPID:
        return block->n_warps;
    case BSIM_PTX_LANEMASK_EQ:
        return UINT32_C(1) << lane;
    case BSIM_PTX_LANEMASK_LE:
        return UINT32_MAX >> (31 - lane);
    case BSIM_PTX_LANEMASK_LT:
        return (UINT32_C(1) << lane) - 1;
    case BSIM_PTX_LANEMASK_GE:
        return UINT32_MAX << lane;
    case BSIM_PTX_LANEMASK_GT:
        return lane == 31 ? 0 : UINT32_MAX << (lane + 1);
    case BSIM_PTX_WARP_SIZE:
        return BSIM_WARP_LANES;
    case BSIM_PTX_DYNAMIC_SMEM_SIZE:
        return block->dynamic_bytes;
    case BSIM_PTX_TOTAL_SMEM_SIZE:
        return block->shared_bytes;
    case BSIM_PTX_NSMID:
    case BSIM_PTX_CLUSTER_NCTARANK: /* a block is a cluster of its own */
    case BSIM_PTX_CLUSTER_NCTAID_X:
        return 1;
    default:
        return 0;
    }
}

static bool is_special_64(uint32_t special)
{
    return special == BSIM_PTX_CLOCK64 || special == BSIM_PTX_GLOBALTIMER ||
           special == BSIM_PTX_GRIDID;
}

static void fill_specials(struct bsim_ptx_warp *warp, uint32_t first, uint32_t last)
{
    const struct bsim_ptx_program *program = warp->block->program;
    for (uint32_t special = first; special <= last; special++) {
        uint32_t place = program->special[special];
        for (uint32_t l = 0; l < BSIM_WARP_LANES && place != 0; l++) {
            uint64_t value = special_value(warp, special, l);
            if (is_special_64(special)) {
                bsim_ptx_at64(warp, place)[l].u = value;
            } else {
                bsim_ptx_at32(warp, place)[l].u = (uint32_t)value;
            }
        }
    }
}

static bool make_warp(struct bsim_ptx_block *block, uint32_t number)
{
    const struct bsim_ptx_program *program = block->program;
    struct bsim_ptx_warp *warp = &block->warp[number];
    warp->block = block;
    warp->number = number;
    warp->file = bsim_mem_zeroed(program->n_words, sizeof *warp->file);
    warp->fresh = bsim_mem_zeroed(program->n_words, sizeof *warp->fresh);
    warp->local = bsim_mem_zeroed(BSIM_WARP_LANES, program->local_bytes + 1);
    warp->work = block->has_work ? bsim_ptx_work_new(program->n_words) : NULL;
    if (warp->file == NULL || warp->fresh == NULL || warp->local == NULL || (block->has_work && warp->work == NULL)) {
        return false;
    }
    for (uint32_t i = 0; i < program->n_constants; i++) {
        const struct bsim_ptx_constant *constant = &program->constant[i];
        fill(warp, constant->place, constant->is_64, constant->bits);
    }
    fill_specials(warp, 1, BSIM_PTX_GRIDID);
    memcpy(warp->fresh, warp->file, program->n_words * sizeof *warp->file);
    return true;
}

static void start_warp(struct bsim_ptx_warp *warp)
{
    const struct bsim_ptx_program *program = warp->block->program;
    uint32_t first = warp->number * BSIM_WARP_LANES;
    uint32_t n = warp->block->n_threads - first;
    warp->alive = n >= BSIM_WARP_LANES ? BSIM_FULL_MASK : (UINT32_C(1) << n) - 1;
    warp->n_groups = 1;
    warp->n_barriers = 0;
    warp->group[0] = (struct bsim_ptx_group){.mask = warp->alive, .meet = -1};
    memset(warp->meet, 0, sizeof warp->meet);
    memset(warp->local, POISON, (size_t)BSIM_WARP_LANES * program->local_bytes);
    /* What a kernel reads of a register that it has not written is so the same in each block. */
    memcpy(warp->file, warp->fresh, program->n_words * sizeof *warp->file);
    fill_specials(warp, BSIM_PTX_CTAID_X, BSIM_PTX_CTAID_Z);
    bsim_ptx_work_start(warp);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static enum bsim_status push(struct bsim_ptx_block *block, const struct bsim_record *record)
{
    const struct bsim_sink *sink = block->stream.sink;
    return sink->push(sink->context, record, block->err);
}

static enum bsim_status run_blocks(struct bsim_ptx_block *block, uint64_t n)
{
    struct bsim_dim3 grid = block->grid;
    uint64_t n_grid = (uint64_t)grid.x * grid.y * grid.z;
    for (uint64_t k = 0; k < n && block->status == BSIM_OK; k++) {
        uint64_t i =
            n_grid / n * k + n_grid % n * k / n; /* n_grid * k / n, which may pass 64 bits */
        block->place = (struct bsim_dim3){(uint32_t)(i % grid.x), (uint32_t)(i / grid.x % grid.y),
                                          (uint32_t)(i / grid.x / grid.y)};
        bsim_ptx_tape_block(&block->tape, block->place);
        memset(block->shared, POISON, block->shared_bytes);
        memset(block->barrier, 0, sizeof block->barrier);
        if (block->findings != NULL) {
            memset(block->findings->written, 0, block->shared_bytes);
        }
        for (uint32_t w = 0; w < block->n_warps; w++) {
            start_warp(&block->warp[w]);
        }
        bsim_ptx_run_block(block);
    }
    bsim_ptx_play(block);
    return block->status;
}

/* What the kernel was compiled for: .reqntid of Triton's, .maxntid of __launch_bounds__. CUDA refuses
 * the launch, too; of .maxntid the product counts. */
static enum bsim_status check_bounds(const struct bsim_ptx_launch *launch, struct bsim_error *err)
{
    const struct bsim_ptx_function *kernel = launch->kernel;
    struct bsim_dim3 b = launch->block;
    uint32_t most[3];
    for (uint32_t i = 0; i < 3; i++) {
        most[i] = kernel->max_threads[i] > 0 ? kernel->max_threads[i] : 1;
    }
    bool is_other = b.x != most[0] || b.y != most[1] || b.z != most[2];
    bool is_larger = (uint64_t)b.x * b.y * b.z > (uint64_t)most[0] * most[1] * most[2];
    if (kernel->max_threads[0] == 0 || !(kernel->needs_threads ? is_other : is_larger)) {
        return BSIM_OK;
    }
    return bsim_error_set(err, BSIM_E_USAGE,
                          "%s: a block of %" PRIu32 ",%" PRIu32 ",%" PRIu32
                          " threads; it was compiled for %s %" PRIu32 ",%" PRIu32 ",%" PRIu32,
                          kernel->name, b.x, b.y, b.z,
                          kernel->needs_threads ? "exactly" : "at most", most[0], most[1], most[2]);
}

/* CUDA's limits from compute capability 3.0 on. */
static enum bsim_status check_shape(const struct bsim_ptx_launch *launch, struct bsim_error *err)
{
    enum { MAX_YZ = 65535 };
    struct bsim_dim3 b = launch->block, g = launch->grid;
    uint64_t n = (uint64_t)b.x * b.y * b.z;
    if (n == 0 || b.x > BSIM_BLOCK_MAX_THREADS || b.y > BSIM_BLOCK_MAX_THREADS || b.z > 64 ||
        n > BSIM_BLOCK_MAX_THREADS) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "%s: a block of %" PRIu32 ",%" PRIu32 ",%" PRIu32
                              " threads; it has 1 to %d, and at most 64 in z",
                              launch->kernel->name, b.x, b.y, b.z, BSIM_BLOCK_MAX_THREADS);
    }
    if (g.x == 0 || g.y == 0 || g.z == 0 || g.x > INT32_MAX || g.y > MAX_YZ || g.z > MAX_YZ) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "%s: a grid of %" PRIu32 ",%" PRIu32 ",%" PRIu32
                              " blocks; it has 1 to %d in x, 1 to %d in y and z",
                              launch->kernel->name, g.x, g.y, g.z, INT32_MAX, MAX_YZ);
    }
    return check_bounds(launch, err);
}

static uint64_t n_grid(const struct bsim_ptx_launch *launch)
{
    return (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
}

static uint64_t n_blocks(const struct bsim_ptx_launch *launch)
{
    uint64_t n = n_grid(launch);
    return launch->n_sample > 0 && launch->n_sample < n ? launch->n_sample : n;
}

static enum bsim_status run_kernel(const struct bsim_ptx_launch *launch,
                                   struct bsim_ptx_block *block, const struct bsim_sink *sink)
{
    struct bsim_kernel kernel = {.name = launch->kernel->name,
                                 .grid = launch->grid,
                                 .block = launch->block,
                                 .shared_bytes = block->shared_bytes,
                                 .has_shared = true,
                                 .extras = ""};
    struct bsim_record record = {.kind = BSIM_RECORD_KERNEL, .u.kernel = &kernel};
    block->shared = bsim_mem_zeroed(block->shared_bytes + 1, 1);
    bool has_memory = block->shared != NULL;
    for (uint32_t w = 0; w < block->n_warps && has_memory; w++) {
        has_memory = make_warp(block, w);
    }
    has_memory =
        has_memory &&
        (block->findings == NULL ||
         bsim_ptx_findings_start(block->findings, block->program->n_steps, block->shared_bytes)) &&
        bsim_ptx_stream_open(&block->stream, block->program, sink) &&
        bsim_ptx_tape_open(&block->tape, &block->stream);
    block->status = has_memory ? push(block, &record)
                               : bsim_error_set(block->err, BSIM_E_MEMORY, "out of memory");
    return run_blocks(block, n_blocks(launch));
}

static void free_block(struct bsim_ptx_block *block)
{
    for (uint32_t w = 0; w < block->n_warps; w++) {
        bsim_mem_free(block->warp[w].file);
        bsim_mem_free(block->warp[w].fresh);
        bsim_mem_free(block->warp[w].local);
        bsim_ptx_work_free(block->warp[w].work);
    }
    if (block->findings != NULL) {
        bsim_ptx_findings_stop(block->findings);
    }
    bsim_ptx_tape_close(&block->tape);
    bsim_ptx_stream_close(&block->stream);
    bsim_mem_free(block->shared);
    bsim_mem_free(block);
}

static enum bsim_status run_program(const struct bsim_ptx_launch *launch,
                                    const struct bsim_ptx_program *program,
                                    const struct bsim_sink *sink, struct bsim_error *err)
{
    struct bsim_ptx_block *block = bsim_mem_zeroed(1, sizeof *block);
    if (block == NULL) {
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    block->program = program;
    block->findings = launch->findings;
    block->has_work = launch->has_work;
    block->memory = launch->memory;
    block->printer = launch->printer;
    block->err = err;
    block->grid = launch->grid;
    block->threads = launch->block;
    block->n_threads = launch->block.x * launch->block.y * launch->block.z;
    block->n_warps = (block->n_threads + BSIM_WARP_LANES - 1) / BSIM_WARP_LANES;
    block->dynamic_bytes = launch->dynamic_bytes;
    block->shared_bytes = program->shared_bytes + launch->dynamic_bytes;
    block->parameters = launch->parameters;
    enum bsim_status status = run_kernel(launch, block, sink);
    free_block(block);
    return status;
}

enum bsim_status bsim_ptx_launch_run(const struct bsim_ptx_launch *launch,
                                     const struct bsim_sink *sink, struct bsim_error *err)
{
    const struct bsim_ptx_program *program = NULL;
    enum bsim_status status = check_shape(launch, err);
    if (status != BSIM_OK) {
        return status;
    }
    status = bsim_ptx_find_program(launch->module, launch->kernel, !launch->is_bare, &program, err);
    if (status != BSIM_OK) {
        return status;
    }
    if (launch->remarks != NULL) {
        *launch->remarks = (struct bsim_ptx_remarks){
            {program->n_may_merge, program->n_may_drop, program->calls_by_address},
            n_blocks(launch),
            n_grid(launch)};
    }
    return run_program(launch, program, sink, err);
}

void bsim_ptx_merge_remarks(bool is_bare, struct bsim_buffer *out)
{
    bsim_buffer_text(out, is_bare
                              ? "Counts are of the PTX as it stands, without what ptxas merges.\n"
                              : "Counts rest on what ptxas merges, a measured rule: 120 of 125 "
                                "kernels came within 1 % of an H200's wavefronts.\n");
}

/* "kernel: ", or nothing. */
static void add_kernel(const char *kernel, struct bsim_buffer *out)
{
    size_t length = 0;
    const char *name = kernel != NULL ? bsim_ptx_plain_name(kernel, &length) : "";
    bsim_buffer_printf(out, "%.*s%s", (int)length, name, length > 0 ? ": " : "");
}

static void doubt(const char *kernel, uint32_t n, const char *what, struct bsim_buffer *out)
{
    if (n > 0) {
        add_kernel(kernel, out);
        bsim_buffer_printf(out, "%" PRIu32 " %s %s: there may be fewer wavefronts.\n", n,
                           n == 1 ? "site is" : "sites are", what);
    }
}

void bsim_ptx_work_remark(struct bsim_buffer *out)
{
    bsim_buffer_text(out, "Cycles rest on an assumed schedule of what stands between the accesses: "
                          "PTX's own instructions and order, not the machine code's.\n");
}

void bsim_ptx_doubt_remarks(const char *kernel, const struct bsim_ptx_doubts *doubts,
                            struct bsim_buffer *out)
{
    doubt(kernel, doubts->n_may_merge, "in a loop that ptxas may unroll and merge", out);
    doubt(kernel, doubts->n_may_drop, "what ptxas may leave out for lanes that can do without it",
          out);
    if (doubts->calls_by_address) {
        add_kernel(kernel, out);
        bsim_buffer_text(out, "functions are called by address: lanes may stay apart behind such a "
                              "call, with more wavefronts.\n");
    }
}

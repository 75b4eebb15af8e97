/* launch.c - a kernel of a module: its variables, its program, its launch. */
#include "ptx/launch.h"

#include "base/memory.h"
#include "ptx/blocks.h"
#include "ptx/cluster.h"
#include "ptx/order.h"
#include "ptx/push.h"
#include "ptx/steps.h"
#include "ptx/where.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

/* What the variable holds at first. */
static enum bsim_status fill_symbol(const struct bsim_ptx_module *module,
                                    const struct bsim_ptx_symbol *symbol, unsigned char *data,
                                    struct bsim_error *err)
{
    size_t size = (size_t)symbol->size_bytes;
    if (symbol->initial != NULL) {
        memcpy(data, symbol->initial, size);
    } else {
        memset(data, 0, size);
    }
    return fill_pointers(module, symbol, data, err);
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
    enum bsim_status status = fill_symbol(module, symbol, data, err);
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

enum bsim_status bsim_ptx_reset(const struct bsim_ptx_module *module,
                                struct bsim_ptx_memory *memory, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    for (const struct bsim_ptx_symbol *v = module->symbols; v != NULL && status == BSIM_OK;
         v = v->next) {
        const struct bsim_ptx_piece *piece =
            is_loaded(v) ? bsim_ptx_memory_at(memory, v->address) : NULL;
        status = piece != NULL ? fill_symbol(module, v, piece->data, err) : BSIM_OK;
    }
    return status;
}

/* ---- the launch ------------------------------------------------------------------------------ */

static uint64_t n_of(struct bsim_dim3 dims)
{
    return (uint64_t)dims.x * dims.y * dims.z;
}

/* Of a sample whole clusters. */
static uint64_t n_blocks(const struct bsim_ptx_launch *launch)
{
    uint64_t all = n_of(launch->grid), in_cluster = n_of(bsim_ptx_launch_cluster(launch));
    uint64_t n = (launch->n_sample + in_cluster - 1) / in_cluster * in_cluster;
    return n > 0 && n < all ? n : all;
}

/* As the source has it. */
struct name {
    const char *text;
    int length;
};

static struct name plain_name(const struct bsim_ptx_function *kernel)
{
    size_t length;
    const char *text = bsim_ptx_plain_name(kernel->name, &length);
    return (struct name){text, (int)length};
}

/* What the kernel was compiled for: .reqntid of Triton's, .maxntid of __launch_bounds__. CUDA refuses
 * the launch, too; of .maxntid the product counts. */
static enum bsim_status check_bounds(const struct bsim_ptx_launch *launch, struct bsim_error *err)
{
    const struct bsim_ptx_function *kernel = launch->kernel;
    struct bsim_dim3 b = launch->block;
    uint32_t most[3];
    struct name name = plain_name(kernel);
    for (uint32_t i = 0; i < 3; i++) {
        most[i] = kernel->max_threads[i] > 0 ? kernel->max_threads[i] : 1;
    }
    bool is_other = b.x != most[0] || b.y != most[1] || b.z != most[2];
    bool is_larger = (uint64_t)b.x * b.y * b.z > (uint64_t)most[0] * most[1] * most[2];
    if (kernel->max_threads[0] == 0 || !(kernel->needs_threads ? is_other : is_larger)) {
        return BSIM_OK;
    }
    return bsim_error_set(err, BSIM_E_USAGE,
                          "%.*s: a block of %" PRIu32 ",%" PRIu32 ",%" PRIu32
                          " threads; it was compiled for %s %" PRIu32 ",%" PRIu32 ",%" PRIu32,
                          name.length, name.text, b.x, b.y, b.z,
                          kernel->needs_threads ? "exactly" : "at most", most[0], most[1], most[2]);
}

/* A grid is made of whole clusters, of the size that the kernel was compiled for, if it was for one. */
static enum bsim_status check_shape(const struct bsim_ptx_launch *launch, struct bsim_error *err)
{
    struct bsim_dim3 g = launch->grid, c = bsim_ptx_launch_cluster(launch);
    const uint32_t *own = launch->kernel->cluster;
    struct name name = plain_name(launch->kernel);
    if (own[0] != 0 && (c.x != own[0] || (own[1] != 0 && c.y != own[1]) || (own[2] != 0 && c.z != own[2]))) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "%.*s: a cluster of %" PRIu32 ",%" PRIu32 ",%" PRIu32
                              " blocks; it was compiled for exactly %" PRIu32 ",%" PRIu32 ",%" PRIu32,
                              name.length, name.text, c.x, c.y, c.z, own[0], own[1], own[2]);
    }
    if (n_of(c) == 0 || c.x > BSIM_PTX_CLUSTER_MOST || c.y > BSIM_PTX_CLUSTER_MOST ||
        c.z > BSIM_PTX_CLUSTER_MOST || n_of(c) > BSIM_PTX_CLUSTER_MOST) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "%.*s: a cluster of %" PRIu32 ",%" PRIu32 ",%" PRIu32
                              " blocks; it has 1 to %d",
                              name.length, name.text, c.x, c.y, c.z, BSIM_PTX_CLUSTER_MOST);
    }
    if (g.x % c.x != 0 || g.y % c.y != 0 || g.z % c.z != 0) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "%.*s: a grid of %" PRIu32 ",%" PRIu32 ",%" PRIu32
                              " blocks is not made of clusters of %" PRIu32 ",%" PRIu32 ",%" PRIu32,
                              name.length, name.text, g.x, g.y, g.z, c.x, c.y, c.z);
    }
    return BSIM_OK;
}

static enum bsim_status check_cluster(const struct bsim_ptx_launch *launch, struct bsim_error *err)
{
    enum bsim_status status = check_shape(launch, err);
    if (status != BSIM_OK && launch->wrong != NULL) {
        *launch->wrong = BSIM_PTX_NO_CLUSTER;
    }
    return status;
}

/* CUDA's limits from compute capability 3.0 on. */
enum bsim_status bsim_ptx_launch_check(const struct bsim_ptx_launch *launch, struct bsim_error *err)
{
    enum { MAX_YZ = 65535 };
    struct bsim_dim3 b = launch->block, g = launch->grid;
    struct name name = plain_name(launch->kernel);
    uint64_t n = (uint64_t)b.x * b.y * b.z;
    if (n == 0 || b.x > BSIM_BLOCK_MAX_THREADS || b.y > BSIM_BLOCK_MAX_THREADS || b.z > 64 ||
        n > BSIM_BLOCK_MAX_THREADS) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "%.*s: a block of %" PRIu32 ",%" PRIu32 ",%" PRIu32
                              " threads; it has 1 to %d, and at most 64 in z",
                              name.length, name.text, b.x, b.y, b.z, BSIM_BLOCK_MAX_THREADS);
    }
    if (g.x == 0 || g.y == 0 || g.z == 0 || g.x > INT32_MAX || g.y > MAX_YZ || g.z > MAX_YZ) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "%.*s: a grid of %" PRIu32 ",%" PRIu32 ",%" PRIu32
                              " blocks; it has 1 to %d in x, 1 to %d in y and z",
                              name.length, name.text, g.x, g.y, g.z, INT32_MAX, MAX_YZ);
    }
    enum bsim_status status = check_cluster(launch, err);
    return status == BSIM_OK ? check_bounds(launch, err) : status;
}

static bool start_findings(const struct bsim_ptx_block *block)
{
    return block->findings == NULL ||
           bsim_ptx_findings_start(block->findings, block->program->n_steps, block->shared_bytes);
}

static void add_number(struct bsim_buffer *out, const char *word, uint32_t n)
{
    if (n > 0) {
        bsim_buffer_printf(out, "+%s:%" PRIu32, word, n);
    }
}

/* Of shared memory, if that differs; or of global. */
static void put_counted(const struct bsim_ptx_tried *tried, const char *word,
                        struct bsim_buffer *out)
{
    bool is_shared = tried->here.wavefronts != tried->there.wavefronts;
    uint64_t here = is_shared ? tried->here.wavefronts : tried->here.sectors;
    uint64_t there = is_shared ? tried->there.wavefronts : tried->there.sectors;
    bsim_buffer_printf(out, "+%s%s", word, is_shared ? "" : "-global");
    if (tried->n_blocks > 1) {
        bsim_buffer_printf(out, ":%" PRIu64, tried->n_blocks);
    }
    bsim_buffer_printf(out, ":%" PRIu64 ":%" PRIu64, here, there);
}

static void put_order(const struct bsim_ptx_order *order, struct bsim_buffer *out)
{
    if (order->warps.n_blocks > 0) {
        put_counted(&order->warps, "order", out);
    }
    if (order->blocks.n_blocks > 0) {
        put_counted(&order->blocks, "order-blocks", out);
    }
}

/* What counts rest on, in words that a report knows (report/rests.c): it goes with the trace. */
static void put_rests(const struct bsim_ptx_launch *launch, const struct bsim_ptx_program *program,
                      struct bsim_buffer *out)
{
    const struct bsim_ptx_doubts *doubts = &program->doubts;
    if (launch->kernel->is_machine_code) {
        enum { HELD_TO_A_GPU = 90 };
        const char *which = launch->module->target == HELD_TO_A_GPU ? "" : "-elsewhere";
        bsim_buffer_printf(out, "x-ptx=sass%s:%" PRIu32 "%s%s", which, launch->module->target, launch->has_work ? "+stalls" : "",
                           launch->has_work ? which : "");
        add_number(out, "trials", launch->kernel->trials);
    } else {
        bsim_buffer_printf(out, "x-ptx=%s%s%s%s", launch->is_bare ? "bare" : "merged",
                           launch->is_by_clang ? "+clang" : "", doubts->is_of_source ? "+source" : "",
                           launch->has_work ? "+schedule" : "");
        add_number(out, "may-merge", doubts->n_may_merge);
        add_number(out, "may-drop", doubts->n_may_drop);
        add_number(out, "may-add", doubts->n_may_add);
    }
    add_number(out, "waits", doubts->n_chance);
    bsim_buffer_text(out, doubts->calls_by_address ? "+by-address" : "");
    bsim_buffer_text(out, doubts->recurs ? "+recursive" : "");
    bsim_buffer_text(out, doubts->is_elsewhere ? "+elsewhere" : "");
    bsim_buffer_text(out, program->where->hangs ? "+where" : "");
    bsim_buffer_text(out, doubts->has_mathematics ? "+mathematics" : "");
    add_number(out, "cluster", (uint32_t)n_of(bsim_ptx_launch_cluster(launch)) - 1);
    add_number(out, "turns", doubts->turns);
    add_number(out, "ways", doubts->ways);
    put_order(program->order, out);
    if (n_blocks(launch) < n_of(launch->grid)) {
        bsim_buffer_printf(out, "+sample:%" PRIu64 ":%" PRIu64, n_blocks(launch), n_of(launch->grid));
    }
}

/* Machine code is for one architecture, "sm_90"; PTX, which is compiled for any that is new enough, for none: NULL. */
static const char *device_of(const struct bsim_ptx_launch *launch, char *name, size_t size)
{
    (void)snprintf(name, size, "sm_%" PRIu32, launch->module->target);
    return launch->kernel->is_machine_code ? name : NULL;
}

static enum bsim_status push_kernel(const struct bsim_ptx_launch *launch,
                                    const struct bsim_ptx_block *block, struct bsim_error *err)
{
    char device[16];
    struct bsim_kernel kernel = {.name = launch->kernel->name,
                                 .grid = launch->grid,
                                 .block = launch->block,
                                 .shared_bytes = block->shared_bytes,
                                 .has_shared = true,
                                 .registers = launch->kernel->registers,
                                 .device = device_of(launch, device, sizeof device),
                                 .again = launch->again};
    struct bsim_buffer rests = BSIM_BUFFER_EMPTY;
    if (block->program->shared[0] != '\0') {
        bsim_buffer_printf(&rests, "x-shared=%s ", block->program->shared);
    }
    put_rests(launch, block->program, &rests);
    kernel.extras = rests.failed ? "" : rests.data;
    struct bsim_record record = {.kind = BSIM_RECORD_KERNEL, .u.kernel = &kernel};
    const struct bsim_sink *sink = block->stream->sink;
    enum bsim_status status = rests.failed ? bsim_mem_short(err)
                                           : sink->push(sink->context, &record, err);
    bsim_buffer_free(&rests);
    return status;
}

static enum bsim_status run_kernel(const struct bsim_ptx_launch *launch,
                                   struct bsim_ptx_block *block)
{
    block->status = push_kernel(launch, block, block->err);
    if (launch->again > 0) {
        return block->status;
    }
    if (bsim_ptx_runs_together(launch)) {
        bsim_ptx_run_together(launch, block);
    } else if (launch->jobs > 1) {
        bsim_ptx_run_ahead(launch, block);
    } else {
        bsim_ptx_run_blocks(block, 0, block->n_blocks);
    }
    return block->status;
}

static enum bsim_status run_program(const struct bsim_ptx_launch *launch,
                                    const struct bsim_ptx_program *program,
                                    const struct bsim_sink *sink, struct bsim_error *err)
{
    struct bsim_ptx_stream stream = {0};
    struct bsim_ptx_tape tape = {0};
    struct bsim_ptx_block *block = bsim_ptx_block_new(launch, program, n_blocks(launch), 0);
    enum bsim_status status = BSIM_E_MEMORY;
    if (block != NULL && bsim_ptx_find_where(launch, program) &&
        (launch->again > 0 || bsim_ptx_try_order(launch, program, n_blocks(launch))) &&
        start_findings(block) && bsim_ptx_stream_open(&stream, program, sink) &&
        bsim_ptx_tape_open(&tape, &stream)) {
        stream.findings = block->findings;
        block->stream = &stream;
        block->tape = &tape;
        block->err = err;
        status = run_kernel(launch, block);
    } else {
        (void)bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    if (launch->findings != NULL) {
        bsim_ptx_findings_stop(launch->findings);
    }
    bool is_sample = n_blocks(launch) < n_of(launch->grid); /* what the others would have written is not known */
    bsim_ptx_memory_settle(launch->memory, is_sample);
    bsim_ptx_block_free(block);
    bsim_ptx_tape_close(&tape);
    bsim_ptx_stream_close(&stream);
    return status;
}

static void free_program(struct bsim_ptx_program *program, struct bsim_arena *arena)
{
    bsim_mem_free(program->constant);
    bsim_arena_free(arena);
}

static enum bsim_status find_program(const struct bsim_ptx_launch *launch,
                                     const struct bsim_ptx_program **program,
                                     struct bsim_error *err)
{
    struct bsim_arena arena = {0};
    struct bsim_ptx_program made;
    bool merges = !launch->is_bare;
    *program = bsim_ptx_find_program(launch->module, launch->kernel, merges);
    if (*program != NULL) {
        return BSIM_OK;
    }
    enum bsim_status status =
        bsim_ptx_lower(launch->module, launch->kernel, merges, &arena, &made, err);
    if (status == BSIM_OK) {
        *program = bsim_ptx_keep_program(launch->module, merges, &made, &arena);
        status = *program != NULL ? BSIM_OK : bsim_mem_short(err);
    }
    if (status != BSIM_OK) {
        free_program(&made, &arena);
    }
    return status;
}

/* Clocks are as good as another input. */
static bool has_effects(const struct bsim_ptx_program *program)
{
    bool has = program->has_effects || program->special[BSIM_PTX_GRIDID] != 0;
    for (uint32_t s = BSIM_PTX_FIRST_CLOCK; s <= BSIM_PTX_LAST_CLOCK; s++) {
        has |= program->special[s] != 0;
    }
    return has;
}

/* ptxas refuses more than 48 KiB of static arrays, for any device. */
static enum bsim_status check_shared(const struct bsim_ptx_launch *launch,
                                     const struct bsim_ptx_program *program, struct bsim_error *err)
{
    enum { MOST = 49152 };
    struct name name = plain_name(launch->kernel);
    if (program->shared_bytes <= MOST) {
        return BSIM_OK;
    }
    return bsim_error_set(err, BSIM_E_INPUT,
                          "%.*s declares %" PRIu32
                          " bytes of shared memory, and ptxas takes %d at most: "
                          "more has to be dynamic (extern __shared__, a launch's third number, and "
                          "cudaFuncSetAttribute with cudaFuncAttributeMaxDynamicSharedMemorySize)",
                          name.length, name.text, program->shared_bytes, MOST);
}

enum bsim_status bsim_ptx_launch_run(const struct bsim_ptx_launch *launch,
                                     const struct bsim_sink *sink, struct bsim_error *err)
{
    const struct bsim_ptx_program *program = NULL;
    enum bsim_status status = bsim_ptx_launch_check(launch, err);
    if (status != BSIM_OK) {
        return status;
    }
    status = find_program(launch, &program, err);
    status = status == BSIM_OK ? check_shared(launch, program, err) : status;
    if (status != BSIM_OK) {
        return status;
    }
    if (launch->has_begun != NULL) {
        *launch->has_begun = true;
    }
    if (launch->has_effects != NULL) {
        *launch->has_effects = has_effects(program);
    }
    return run_program(launch, program, sink, err);
}

/* state.c - the device's modules, and the trace of all launches.
 *
 * The trace is complete when the program ends. If a kernel is at fault it ends there, in that launch:
 * whoever reads it is told that it was cut short, and finds "failed" among the remarks.
 */
#define _GNU_SOURCE

#include "cudart/state.h"

#include "base/memory.h"
#include "cudart/again.h"
#include "cudart/setting.h"
#include "cudart/signals.h"
#include "ptx/steps.h"

#include <banksim/emulator.h>
#include <banksim/trace.h>

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_PARAMETER_BYTES = 4096, STACK_BYTES = 1024 };
#define VARIABLES_START UINT64_C(0x210000000000) /* where memory.c has nothing */

struct kernel {
    const void *host;
    const char *name;
    struct bsim_cuda_module *module;
    struct kernel *next;
};

struct variable {
    const void *host;
    const char *name;
    struct bsim_cuda_module *module;
    void **managed;
    struct variable *next;
};

struct bsim_cuda_module {
    const void *image;
    struct bsim_ptx_module *ptx; /* NULL: not yet read */
    struct bsim_cuda_module *next;
};

static struct {
    bool
        has_failed; /* a kernel, or a library was missing: what is told is not all of the program */
    uint64_t next_variable; /* its address */
    struct kernel *kernels;
    struct variable *variables;
    struct bsim_cuda_module *modules;
    FILE *file;
    pid_t owner; /* who writes it: processes that it makes do not */
    struct bsim_output output;
    struct bsim_trace_writer *writer;
    struct bsim_sink sink;
    struct bsim_ptx_findings findings; /* of all launches */
    uint64_t n_launches;               /* in the trace */
    bool is_launching, is_sampled; /* some blocks of a launch alone were run */
    uint32_t stack_bytes;              /* cudaLimitStackSize */
    uint64_t heap_bytes;               /* cudaLimitMallocHeapSize */
} device = {.stack_bytes = STACK_BYTES,
            .heap_bytes = BSIM_PTX_HEAP_BYTES,
            .next_variable = VARIABLES_START};

void bsim_cuda_set_stack(uint32_t bytes)
{
    device.stack_bytes = bytes;
}

uint32_t bsim_cuda_stack(void)
{
    return device.stack_bytes;
}

void bsim_cuda_set_heap(uint64_t bytes)
{
    device.heap_bytes = bytes;
}

uint64_t bsim_cuda_heap(void)
{
    return device.heap_bytes;
}

static pthread_mutex_t lock;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_lock(void)
{
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &recursive);
}

void bsim_cuda_enter(void)
{
    pthread_once(&once, make_lock);
    pthread_mutex_lock(&lock);
}

void bsim_cuda_leave(void)
{
    pthread_mutex_unlock(&lock);
}

static void tell(const struct bsim_error *err)
{
    char text[2048];
    fflush(stdout);
    fprintf(stderr, "banksim: %s", bsim_error_text(err, text, sizeof text));
}

/* ---- modules --------------------------------------------------------------------------------- */

/* The parts of a fat binary, as nvcc embeds it. */
struct fat_head {
    uint32_t magic;
    uint16_t version, head_bytes;
    uint64_t bytes; /* behind the head */
};
struct fat_entry {
    uint16_t kind; /* 1: PTX */
    uint16_t version;
    uint32_t head_bytes;
    uint64_t bytes; /* behind the head */
};

#define FAT_MAGIC UINT32_C(0xba55ed50)

/* nvcc's images are; clang's are the PTX. */
static bool is_fat(const void *image)
{
    uint32_t magic;
    memcpy(&magic, image, sizeof magic);
    return magic == FAT_MAGIC;
}

/* The PTX of an image, which ends in a NUL: the image itself, as clang has it, or an entry of a fat
 * binary. */
static const char *find_ptx(const void *image)
{
    struct fat_head head;
    memcpy(&head, image, sizeof head);
    if (!is_fat(image)) {
        return image;
    }
    const char *at = (const char *)image + head.head_bytes, *end = at + head.bytes;
    while ((size_t)(end - at) > sizeof(struct fat_entry)) {
        struct fat_entry entry;
        memcpy(&entry, at, sizeof entry);
        const char *text = at + entry.head_bytes;
        if (entry.kind == 1 && (text[strspn(text, " \n\r\t")] == '.' || text[0] == '/')) {
            return text;
        }
        at = text + entry.bytes;
    }
    return NULL;
}

static enum bsim_status read_module(struct bsim_cuda_module *module, struct bsim_error *err)
{
    const char *text = find_ptx(module->image);
    if (text == NULL) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "this program has no PTX that can be read here: compile it with "
                              "nvcc -arch=compute_90 --no-compress, or by 'banksim cuda'");
    }
    struct bsim_ptx_module *ptx = NULL;
    enum bsim_status status = bsim_ptx_read("PTX", text, strlen(text), &ptx, err);
    if (status == BSIM_OK) {
        status = bsim_ptx_load(ptx, bsim_cuda_memory(), &device.next_variable, err);
    }
    if (status != BSIM_OK) {
        bsim_ptx_module_free(ptx);
        return status;
    }
    module->ptx = ptx;
    return BSIM_OK;
}

/* Reads the module if that is still to be done; false after a message. */
static bool has_ptx(struct bsim_cuda_module *module)
{
    struct bsim_error err;
    if (bsim_cuda_memory() == NULL) {
        return false;
    }
    if (module->ptx == NULL && read_module(module, &err) != BSIM_OK) {
        tell(&err);
        return false;
    }
    return true;
}

static void *make(size_t size)
{
    void *p = bsim_mem_zeroed(1, size);
    if (p == NULL) {
        fputs("banksim: out of memory\n", stderr);
        abort();
    }
    return p;
}

struct bsim_cuda_module *bsim_cuda_add_module(const void *image)
{
    bsim_cuda_enter();
    struct bsim_cuda_module *module = make(sizeof *module);
    *module = (struct bsim_cuda_module){.image = image, .next = device.modules};
    device.modules = module;
    bsim_cuda_leave();
    return module;
}

void bsim_cuda_add_kernel(struct bsim_cuda_module *module, const void *host, const char *name)
{
    bsim_cuda_enter();
    struct kernel *kernel = make(sizeof *kernel);
    *kernel = (struct kernel){.host = host, .name = name, .module = module, .next = device.kernels};
    device.kernels = kernel;
    bsim_cuda_leave();
}

void bsim_cuda_add_variable(struct bsim_cuda_module *module, const void *host, const char *name,
                            void **managed)
{
    bsim_cuda_enter();
    struct variable *variable = make(sizeof *variable);
    *variable = (struct variable){
        .host = host, .name = name, .module = module, .managed = managed, .next = device.variables};
    device.variables = variable;
    bsim_cuda_leave();
}

static const struct bsim_ptx_symbol *find_symbol(const struct variable *variable)
{
    const struct bsim_ptx_symbol *v =
        has_ptx(variable->module) ? variable->module->ptx->symbols : NULL;
    while (v != NULL && strcmp(v->name, variable->name) != 0) {
        v = v->next;
    }
    return v;
}

void *bsim_cuda_find_variable(const void *host, size_t *size_bytes)
{
    bsim_cuda_enter();
    const struct bsim_ptx_symbol *symbol = NULL;
    for (const struct variable *v = device.variables; v != NULL && symbol == NULL; v = v->next) {
        symbol = v->host == host ? find_symbol(v) : NULL;
    }
    bsim_cuda_leave();
    if (symbol == NULL) {
        return NULL;
    }
    *size_bytes = (size_t)symbol->size_bytes;
    return (void *)(uintptr_t)symbol->address;
}

/* The variable's bytes are those at p from here on. */
static bool move_variable(const struct bsim_ptx_symbol *symbol, void *p)
{
    struct bsim_ptx_piece piece = *bsim_ptx_memory_at(bsim_cuda_memory(), symbol->address);
    memcpy(p, piece.data, (size_t)piece.size);
    piece.data = p;
    return bsim_ptx_memory_forget(bsim_cuda_memory(), symbol->address) &&
           bsim_ptx_memory_add(bsim_cuda_memory(), &piece, false);
}

/* nvcc's: host code has a pointer to them, which it hands to kernels, too. */
void bsim_cuda_init_managed(void)
{
    bsim_cuda_enter();
    for (struct variable *v = device.variables; v != NULL; v = v->next) {
        const struct bsim_ptx_symbol *symbol = v->managed != NULL ? find_symbol(v) : NULL;
        void *p = symbol != NULL && *v->managed == NULL
                      ? bsim_cuda_allocate((size_t)symbol->size_bytes, BSIM_CUDA_MANAGED)
                      : NULL;
        if (p != NULL && move_variable(symbol, p)) {
            *v->managed = p;
        }
    }
    bsim_cuda_leave();
}

/* clang has no managed variables: banksim's header puts the host's shadow of one into this section. */
extern char __start_banksim_managed[] __attribute__((weak));
extern char __stop_banksim_managed[] __attribute__((weak));

static bool is_shadow(const struct variable *variable)
{
    const char *host = variable->host;
    return variable->managed == NULL && host >= __start_banksim_managed &&
           host < __stop_banksim_managed;
}

/* By the host's address, at which programs hand it over, kernels find it, too. */
static bool share(const struct variable *variable, const struct bsim_ptx_symbol *symbol)
{
    void *host = (void *)(uintptr_t)variable->host;
    struct bsim_ptx_piece alias = {.start = (uint64_t)(uintptr_t)host,
                                   .size = symbol->size_bytes,
                                   .data = host,
                                   .is_hosts = true,
                                   .name = variable->name};
    return move_variable(symbol, host) && bsim_ptx_memory_add(bsim_cuda_memory(), &alias, false);
}

void bsim_cuda_share_managed(const struct bsim_cuda_module *module)
{
    bsim_cuda_enter();
    for (struct variable *v = device.variables; v != NULL; v = v->next) {
        const struct bsim_ptx_symbol *symbol =
            v->module == module && is_shadow(v) ? find_symbol(v) : NULL;
        if (symbol != NULL && !share(v, symbol)) {
            fputs("banksim: out of memory\n", stderr);
        }
    }
    bsim_cuda_leave();
}

/* ---- reset ----------------------------------------------------------------------------------- */

static bool is_managed(const void *p)
{
    const struct variable *v = device.variables;
    while (v != NULL && (v->managed == NULL || *v->managed != p)) {
        v = v->next;
    }
    return v != NULL;
}

void bsim_cuda_reset(void)
{
    struct bsim_error err;
    bsim_cuda_enter();
    if (bsim_cuda_memory() != NULL) {
        bsim_cuda_release_all(is_managed);
    }
    for (const struct bsim_cuda_module *m = device.modules; m != NULL; m = m->next) {
        if (m->ptx != NULL && bsim_ptx_reset(m->ptx, bsim_cuda_memory(), &err) != BSIM_OK) {
            tell(&err);
        }
    }
    device.stack_bytes = STACK_BYTES;
    device.heap_bytes = BSIM_PTX_HEAP_BYTES;
    bsim_cuda_reset_fault();
    bsim_cuda_leave();
}

/* ---- the trace ------------------------------------------------------------------------------- */

static enum bsim_status drop(void *context, const struct bsim_record *record,
                             struct bsim_error *err)
{
    (void)context, (void)record, (void)err;
    return BSIM_OK;
}

/* What was found, beside the report or with the program's errors: each once, however many launches
 * there were. */
static void write_remarks(void)
{
    const char *path = getenv("BANKSIM_REMARKS");
    FILE *file = path != NULL ? fopen(path, "w") : stderr;
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    bsim_ptx_findings_tell(&device.findings, &text);
    bsim_buffer_text(&text, device.is_sampled
                                ? "warning: not all blocks were run: if the program checks its results, "
                                  "it may find them wrong\n"
                                : "");
    bsim_buffer_text(&text, device.has_failed && path != NULL ? "failed\n" : "");
    bsim_buffer_add(&text, "", 1);
    if (file != NULL) {
        fputs(text.failed ? "" : text.data, file);
        if (file != stderr) {
            fclose(file);
        }
    }
    bsim_buffer_free(&text);
}

/* With END behind launches that are whole. */
static void finish_trace(bool is_whole)
{
    struct bsim_error err;
    if (device.file == NULL || device.owner != getpid()) {
        return;
    }
    write_remarks(); /* whoever reads the trace's end finds them */
    enum bsim_status status = is_whole ? bsim_push_end(&device.sink, &err)
                                       : bsim_trace_writer_cut(device.writer, &err);
    if (status != BSIM_OK) {
        tell(&err);
    }
    bsim_trace_writer_free(device.writer);
    device.writer = NULL;
    if (fclose(device.file) != 0) {
        fprintf(stderr, "banksim: cannot write the trace: %s\n", strerror(errno));
    }
    device.file = NULL;
}

static void close_trace(void)
{
    bsim_cuda_enter();
    finish_trace(true);
    bsim_cuda_leave();
}

/* A signal ends the program. What it was at when it was launching is not whole. */
static void close_in_time(void)
{
    if (pthread_mutex_trylock(&lock) == 0 && !device.is_launching) {
        finish_trace(true);
    }
}

void bsim_cuda_give_up(void)
{
    bsim_cuda_enter();
    device.has_failed = true;
    bsim_cuda_leave();
}

/* At the first launch; without BANKSIM_OUTPUT kernels run and nobody sees their accesses. */
static bool open_trace(void)
{
    if (device.sink.push != NULL) {
        return true;
    }
    const char *path = getenv("BANKSIM_OUTPUT");
    if (path == NULL || path[0] == '\0') {
        fputs("banksim: kernels run, but their accesses go nowhere: set BANKSIM_OUTPUT=FILE to "
              "have a trace\n",
              stderr);
        device.sink.push = drop;
        return true;
    }
    device.file = fopen(path, "wb");
    device.owner = getpid();
    if (device.file != NULL) {
        device.output = bsim_output_file(device.file);
        device.writer = bsim_trace_writer_new(BSIM_TRACE_BINARY, &device.output);
    }
    if (device.writer == NULL) {
        fprintf(stderr, "banksim: cannot write %s: %s\n", path, strerror(errno));
        return false;
    }
    device.sink = bsim_trace_writer_sink(device.writer);
    bsim_cuda_on_signals(close_in_time);
    return atexit(close_trace) == 0;
}

/* ---- launches -------------------------------------------------------------------------------- */

static struct kernel *find_kernel(const void *host)
{
    struct kernel *kernel = device.kernels;
    while (kernel != NULL && kernel->host != host) {
        kernel = kernel->next;
    }
    return kernel;
}

static const struct bsim_ptx_function *find_function(const void *host, struct kernel **found)
{
    struct kernel *kernel = find_kernel(host);
    *found = kernel;
    return kernel != NULL && has_ptx(kernel->module)
               ? bsim_ptx_find_function(kernel->module->ptx, kernel->name)
               : NULL;
}

static int error_of(enum bsim_status status, enum bsim_ptx_wrong wrong)
{
    static const int faults[] = {[BSIM_PTX_STRAY] = BSIM_CUDA_ILLEGAL_ADDRESS,
                                 [BSIM_PTX_MISALIGNED] = BSIM_CUDA_MISALIGNED,
                                 [BSIM_PTX_TRAPPED] = BSIM_CUDA_LAUNCH_FAILURE,
                                 [BSIM_PTX_ASSERTED] = BSIM_CUDA_ASSERT,
                                 [BSIM_PTX_ILLEGAL] = BSIM_CUDA_ILLEGAL_INSTRUCTION,
                                 [BSIM_PTX_ENDLESS] = BSIM_CUDA_TIMEOUT,
                                 [BSIM_PTX_NO_PEER] = BSIM_CUDA_LAUNCH_FAILURE};
    return status == BSIM_E_USAGE && wrong == BSIM_PTX_NO_CLUSTER ? BSIM_CUDA_INVALID_CLUSTER
           : status == BSIM_E_USAGE  ? BSIM_CUDA_INVALID_VALUE
           : status == BSIM_E_KERNEL ? faults[wrong]
           : status == BSIM_E_MEMORY ? BSIM_CUDA_MEMORY
                                     : BSIM_CUDA_LAUNCH_FAILURE;
}

static void print_text(void *context, const char *text, size_t length)
{
    (void)context;
    fwrite(text, 1, length, stdout);
}

/* What kernels print goes where the host's own output does. */
static const struct bsim_ptx_printer printer = {.print = print_text};

/* Where whoever reads the trace wants counts alone, and as long as nothing was found: how often it was
 * is told. */
static bool may_repeat(const struct bsim_ptx_launch *launch)
{
    return bsim_cuda_repeats() && device.findings.n == 0 && launch->meeting == 0;
}

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static enum bsim_status run_or_repeat(struct bsim_ptx_launch *launch, struct bsim_error *err)
{
    bool has_effects = false;
    uint64_t number = device.n_launches + 1;
    launch->has_effects = &has_effects;
    launch->again = may_repeat(launch) ? bsim_cuda_again(launch, number) : 0;
    double start = now();
    enum bsim_status status = bsim_ptx_launch_run(launch, &device.sink, err);
    if (status == BSIM_OK) {
        device.n_launches = number;
    }
    if (status == BSIM_OK && launch->again == 0 && !has_effects && may_repeat(launch)) {
        bsim_cuda_ran(launch, number, now() - start);
    }
    return status;
}

static int run(struct bsim_ptx_launch *launch)
{
    struct bsim_error err;
    bool has_begun = false;
    enum bsim_ptx_wrong wrong = BSIM_PTX_STRAY;
    launch->has_begun = &has_begun;
    launch->wrong = &wrong;
    launch->findings = &device.findings;
    launch->has_work = bsim_cuda_has_work();
    launch->is_bare = bsim_cuda_is_bare();
    fflush(stdout);
    device.is_launching = true;
    enum bsim_status status = run_or_repeat(launch, &err);
    device.is_launching = false;
    uint64_t n_blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    device.is_sampled |= launch->n_sample > 0 && launch->n_sample < n_blocks;
    if (status == BSIM_OK) {
        return BSIM_CUDA_SUCCESS;
    }
    tell(&err);
    int error = error_of(status, wrong);
    if (status == BSIM_E_USAGE) {
        return error;
    }
    device.has_failed = true;
    bsim_cuda_set_fault(error);
    finish_trace(!has_begun); /* now: the program may go by abort() */
    return status == BSIM_E_KERNEL ? BSIM_CUDA_SUCCESS : error; /* a GPU runs it later */
}

static int launch(const void *host, struct bsim_dim3 grid, struct bsim_dim3 block, void **arguments,
                  size_t dynamic_bytes, uint64_t meeting, struct bsim_dim3 cluster)
{
    static unsigned char parameters[MAX_PARAMETER_BYTES];
    struct kernel *kernel = NULL;
    const struct bsim_ptx_function *function = find_function(host, &kernel);
    if (kernel == NULL) {
        return BSIM_CUDA_INVALID_HANDLE;
    }
    if (function == NULL || function->parameter_bytes > sizeof parameters) {
        return BSIM_CUDA_INVALID_FUNCTION;
    }
    if (bsim_cuda_fault() != BSIM_CUDA_SUCCESS) {
        return bsim_cuda_fault();
    }
    if (!bsim_cuda_may_take(host, dynamic_bytes)) {
        return BSIM_CUDA_INVALID_VALUE;
    }
    if (!open_trace()) {
        return BSIM_CUDA_LAUNCH_FAILURE;
    }
    size_t i = 0;
    for (const struct bsim_ptx_symbol *p = function->parameters; p != NULL; p = p->next) {
        memcpy(parameters + p->address, arguments[i++], (size_t)p->size_bytes);
    }
    struct bsim_ptx_launch command = {.module = kernel->module->ptx,
                                      .kernel = function,
                                      .grid = grid,
                                      .block = block,
                                      .dynamic_bytes = (uint32_t)dynamic_bytes,
                                      .stack_bytes = device.stack_bytes,
                                      .heap_bytes = device.heap_bytes,
                                      .parameters = parameters,
                                      .is_by_clang = !is_fat(kernel->module->image),
                                      .jobs = bsim_cuda_jobs(),
                                      /* who waits for the whole grid needs all of it */
                                      .n_sample = meeting == 0 ? bsim_cuda_sample() : 0,
                                      .printer = &printer,
                                      .memory = bsim_cuda_memory(),
                                      .cluster = cluster,
                                      .meeting = meeting};
    return run(&command);
}

static void **copy_arguments(const struct bsim_ptx_function *function, void **arguments)
{
    size_t n = 0;
    for (const struct bsim_ptx_symbol *p = function->parameters; p != NULL; p = p->next) {
        n++;
    }
    void **copy = bsim_mem_zeroed(1, n * sizeof *copy + function->parameter_bytes + 1);
    unsigned char *values = (unsigned char *)(copy + n);
    size_t i = 0;
    for (const struct bsim_ptx_symbol *p = function->parameters; p != NULL && copy != NULL;
         p = p->next) {
        copy[i] = values + p->address;
        memcpy(copy[i], arguments[i], (size_t)p->size_bytes);
        i++;
    }
    return copy;
}

void **bsim_cuda_copy_arguments(const void *host, void **arguments)
{
    struct kernel *kernel;
    bsim_cuda_enter();
    const struct bsim_ptx_function *function = find_function(host, &kernel);
    void **copy = function != NULL ? copy_arguments(function, arguments) : NULL;
    bsim_cuda_leave();
    return copy;
}

static int most_threads(const struct bsim_ptx_function *function)
{
    const uint32_t *most = function->max_threads;
    uint64_t n = most[0];
    for (int i = 1; i < 3; i++) {
        n *= most[i] > 0 ? most[i] : 1;
    }
    return n > 0 && n < BSIM_BLOCK_MAX_THREADS ? (int)n : BSIM_BLOCK_MAX_THREADS;
}

bool bsim_cuda_find_facts(const void *host, struct bsim_cuda_facts *facts)
{
    struct bsim_arena arena = {0};
    struct bsim_ptx_program program = {0};
    struct bsim_error err;
    struct kernel *kernel;
    size_t length;
    bsim_cuda_enter();
    const struct bsim_ptx_function *function = find_function(host, &kernel);
    bool is_known = function != NULL && bsim_ptx_lower(kernel->module->ptx, function, true, &arena,
                                                       &program, &err) == BSIM_OK;
    bsim_cuda_leave();
    if (is_known) {
        const char *name = bsim_ptx_plain_name(kernel->name, &length);
        *facts = (struct bsim_cuda_facts){name, (int)length, program.shared_bytes,
                                          program.local_bytes, most_threads(function)};
    }
    bsim_mem_free(program.constant);
    bsim_arena_free(&arena);
    return is_known;
}

int bsim_cuda_check_launch(const void *host, struct bsim_dim3 grid, struct bsim_dim3 block,
                           size_t dynamic_bytes)
{
    struct kernel *kernel = NULL;
    struct bsim_error err;
    bsim_cuda_enter();
    struct bsim_ptx_launch command = {
        .kernel = find_function(host, &kernel), .grid = grid, .block = block};
    int error = kernel == NULL                               ? BSIM_CUDA_INVALID_HANDLE
                : command.kernel == NULL                     ? BSIM_CUDA_INVALID_FUNCTION
                : !bsim_cuda_may_take(host, dynamic_bytes) ? BSIM_CUDA_INVALID_VALUE
                                                             : BSIM_CUDA_SUCCESS;
    if (error == BSIM_CUDA_SUCCESS && bsim_ptx_launch_check(&command, &err) != BSIM_OK) {
        tell(&err);
        error = BSIM_CUDA_INVALID_VALUE;
    }
    bsim_cuda_leave();
    return error;
}

int bsim_cuda_launch_clusters(const void *host, struct bsim_dim3 grid, struct bsim_dim3 block,
                              struct bsim_dim3 cluster, void **arguments, size_t dynamic_bytes)
{
    bsim_cuda_enter();
    int error = launch(host, grid, block, arguments, dynamic_bytes, 0, cluster);
    bsim_cuda_leave();
    return error;
}

int bsim_cuda_launch(const void *host, struct bsim_dim3 grid, struct bsim_dim3 block,
                     void **arguments, size_t dynamic_bytes)
{
    struct bsim_dim3 none = {0, 0, 0};
    return bsim_cuda_launch_clusters(host, grid, block, none, arguments, dynamic_bytes);
}

int bsim_cuda_launch_together(const void *host, struct bsim_dim3 grid, struct bsim_dim3 block,
                              void **arguments, size_t dynamic_bytes)
{
    bsim_cuda_enter();
    void *meeting = bsim_cuda_allocate(BSIM_PTX_MEETING_BYTES, BSIM_CUDA_NOBODYS);
    int error = meeting != NULL ? launch(host, grid, block, arguments, dynamic_bytes,
                                         (uint64_t)(uintptr_t)meeting, (struct bsim_dim3){0, 0, 0})
                                : BSIM_CUDA_MEMORY;
    (void)bsim_cuda_release(meeting);
    bsim_cuda_leave();
    return error;
}

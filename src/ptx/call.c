/* call.c - a launch by hand: KERNEL<<<GRID, BLOCK, BYTES>>>(ARGUMENTS).
 *
 *     launch   = name "<<<" shape "," shape ["," number] ">>>" "(" [argument {"," argument}] ")"
 *     shape    = number | "dim3" "(" number ["," number ["," number]] ")"
 *     argument = ["-"] number ["f"] | type "[" product "]" ["=" fill]
 *     fill     = "zero" | "iota" | "random" ["(" number ")"] | ["-"] number | string
 */
#include <banksim/emulator.h>
#include <banksim/ptx.h>

#include "base/memory.h"
#include "ptx/element.h"
#include "ptx/launch.h"
#include "ptx/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARAMETER_BYTES = 32764 }; /* CUDA's, from compute capability 7.0 on */
#define MAX_ARRAY_BYTES (UINT64_C(1) << 32) /* what lies between two arrays' addresses */

struct bsim_ptx_call {
    struct bsim_ptx_module *module;
    struct bsim_ptx_memory *memory;
    struct bsim_ptx_launch launch;
    struct bsim_ptx_printer printer;
    struct bsim_ptx_remarks remarks; /* of the last run */
    struct bsim_ptx_findings findings;
    struct bsim_buffer found; /* as text */
    unsigned char parameters[MAX_PARAMETER_BYTES];
    size_t n_arguments, n_arrays;
    struct bsim_ptx_array *argument; /* of each parameter; data NULL: passed by value */
};

/* A call being read. */
struct reading {
    struct bsim_ptx_scanner scan;
    struct bsim_ptx_call *call;
    const struct bsim_ptx_symbol *parameter; /* the next argument's */
};

/* ---- the kernel's name ----------------------------------------------------------------------- */

/* Behind the tags of a name, as Numba gives them: B2v1. */
static const char *skip_tags(const char *p)
{
    while (*p == 'B') {
        char *end;
        unsigned long n = strtoul(p + 1, &end, 10);
        if (end == p + 1 || n > strlen(end)) {
            return p;
        }
        p = end + n;
    }
    return p;
}

/* Whether a mangled name is of a function whose last name is that: _Z9transposePfS_, _ZN2ns1kEv. */
static bool is_called(const char *mangled, const char *name, size_t length)
{
    if (strncmp(mangled, name, length) == 0 && mangled[length] == '\0') {
        return true;
    }
    if (strncmp(mangled, "_Z", 2) != 0) {
        return false;
    }
    const char *p = mangled + 2;
    bool is_nested = *p == 'N';
    p += is_nested;
    for (;;) {
        char *end;
        unsigned long n = strtoul(p, &end, 10);
        if (end == p || n > strlen(end)) {
            return false;
        }
        p = skip_tags(end + n);
        if (!is_nested || *p == 'E' || *p == 'I') {
            return n == length && strncmp(end, name, length) == 0;
        }
    }
}

static void tell_kernels(struct bsim_ptx_scanner *scan, const struct bsim_ptx_module *module,
                         const char *what)
{
    char names[400] = "";
    size_t used = 0;
    for (const struct bsim_ptx_function *f = module->functions; f != NULL; f = f->next) {
        if (f->is_entry && used < sizeof names) {
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                     used > 0 ? ", " : "", f->name);
        }
    }
    bsim_ptx_scan_fail(scan, "%s; %s has %s", what, module->name, used > 0 ? names : "none");
}

static void read_kernel(struct reading *reading)
{
    struct bsim_ptx_scanner *scan = &reading->scan;
    struct bsim_ptx_launch *launch = &reading->call->launch;
    uint32_t n = 0;
    for (const struct bsim_ptx_function *f = reading->call->module->functions; f != NULL;
         f = f->next) {
        if (scan->token.kind == BSIM_PTX_WORD && f->is_entry && f->is_defined &&
            is_called(f->name, scan->token.text, scan->token.length)) {
            launch->kernel = f;
            n++;
        }
    }
    if (n != 1) {
        tell_kernels(scan, reading->call->module,
                     n == 0 ? "no kernel has this name"
                            : "several kernels have this name: write it mangled");
        return;
    }
    bsim_ptx_scan_next(scan);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static uint32_t read_side(struct bsim_ptx_scanner *scan)
{
    uint64_t n = bsim_ptx_expect_number(scan, "a number of blocks or threads");
    if (n > INT32_MAX) {
        bsim_ptx_scan_fail(scan, "a side of over 2^31 - 1");
    }
    return (uint32_t)n;
}

static struct bsim_dim3 read_shape(struct bsim_ptx_scanner *scan)
{
    struct bsim_dim3 shape = {1, 1, 1};
    uint32_t *const side[] = {&shape.x, &shape.y, &shape.z};
    bsim_ptx_accept_word(scan, "dim3");
    if (!bsim_ptx_accept(scan, '(')) {
        shape.x = read_side(scan);
        return shape;
    }
    for (uint32_t i = 0; i < 3 && (i == 0 || bsim_ptx_accept(scan, ',')); i++) {
        *side[i] = read_side(scan);
    }
    bsim_ptx_expect(scan, ')');
    return shape;
}

static void expect_three(struct bsim_ptx_scanner *scan, char punct)
{
    for (uint32_t i = 0; i < 3; i++) {
        bsim_ptx_expect(scan, punct);
    }
}

static void read_configuration(struct reading *reading)
{
    struct bsim_ptx_scanner *scan = &reading->scan;
    struct bsim_ptx_launch *launch = &reading->call->launch;
    expect_three(scan, '<');
    launch->grid = read_shape(scan);
    bsim_ptx_expect(scan, ',');
    launch->block = read_shape(scan);
    if (bsim_ptx_accept(scan, ',')) {
        launch->dynamic_bytes = read_side(scan);
    }
    expect_three(scan, '>');
}

static void add_array(struct reading *reading, struct bsim_ptx_array array, uint64_t *address)
{
    struct bsim_ptx_call *call = reading->call;
    *address = (uint64_t)++call->n_arrays << 32;
    struct bsim_ptx_piece piece = {.start = *address, .size = array.size_bytes, .data = array.data};
    if (!bsim_ptx_memory_add(call->memory, &piece, true)) {
        bsim_ptx_scan_no_memory(&reading->scan);
        return;
    }
    call->argument[call->n_arguments] = array;
}

/* TYPE[COUNT] = FILL; returns its address. */
static uint64_t read_array(struct reading *reading)
{
    struct bsim_ptx_scanner *scan = &reading->scan;
    uint32_t n_vector = 1;
    const struct bsim_ptx_element *type = bsim_ptx_read_element(scan, &n_vector);
    bsim_ptx_expect(scan, '[');
    uint64_t n = bsim_ptx_expect_number(scan, "the number of elements");
    while (bsim_ptx_accept(scan, '*')) {
        uint64_t factor = bsim_ptx_expect_number(scan, "the number of elements");
        n = factor != 0 && n > MAX_ARRAY_BYTES / factor ? MAX_ARRAY_BYTES : n * factor;
    }
    if (scan->status == BSIM_OK && (n == 0 || n > MAX_ARRAY_BYTES / (type->bytes * n_vector))) {
        bsim_ptx_scan_fail(scan, "an array has 1 byte to 4 GiB");
    }
    bsim_ptx_expect(scan, ']');
    if (scan->status != BSIM_OK) {
        return 0;
    }
    struct bsim_ptx_array array = {.size_bytes = (size_t)(n * type->bytes * n_vector)};
    array.data = bsim_mem_zeroed(array.size_bytes, 1);
    if (array.data == NULL) {
        bsim_ptx_scan_no_memory(scan);
        return 0;
    }
    if (bsim_ptx_accept(scan, '=')) {
        bsim_ptx_read_fill(scan, &array, type);
    }
    uint64_t address = 0;
    add_array(reading, array, &address);
    return address;
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* A number for a parameter by value: of the PTX type, or of .b32 and .b64 as it was written. */
static void put_number(struct reading *reading, const struct bsim_ptx_number *number)
{
    const struct bsim_ptx_symbol *parameter = reading->parameter;
    char letter = bsim_ptx_type_letter(parameter->type);
    bool is_float = letter == 'f' || (letter == 'b' && number->is_float);
    struct bsim_ptx_element type = {.kind = is_float ? 'f' : 'i',
                        .bytes = bsim_ptx_type_bits(parameter->type) / 8};
    if (parameter->size_bytes != type.bytes) {
        bsim_ptx_scan_fail(&reading->scan,
                           "this parameter is a struct of %" PRIu64
                           " bytes, for which there is no way to write a value here",
                           parameter->size_bytes);
        return;
    }
    bsim_ptx_check_number(&reading->scan, &type, number);
    bsim_ptx_put_number(reading->call->parameters + parameter->address, &type, number);
}

static void read_argument(struct reading *reading)
{
    struct bsim_ptx_scanner *scan = &reading->scan;
    const struct bsim_ptx_symbol *parameter = reading->parameter;
    if (parameter == NULL) {
        bsim_ptx_scan_fail(scan, "the kernel has no more than %zu parameters",
                           reading->call->n_arguments);
        return;
    }
    if (scan->token.kind != BSIM_PTX_WORD) {
        struct bsim_ptx_number number = bsim_ptx_read_number(scan);
        if (scan->status == BSIM_OK) {
            put_number(reading, &number);
        }
        return;
    }
    if (parameter->size_bytes != sizeof(uint64_t)) {
        bsim_ptx_scan_fail(
            scan, "this parameter has %" PRIu64 " bytes and can be no pointer: a number is due",
            parameter->size_bytes);
        return;
    }
    uint64_t address = read_array(reading);
    memcpy(reading->call->parameters + parameter->address, &address, sizeof address);
}

static void make_room(struct reading *reading)
{
    size_t n = 1;
    if (reading->scan.status != BSIM_OK) {
        return;
    }
    for (const struct bsim_ptx_symbol *p = reading->call->launch.kernel->parameters; p != NULL;) {
        n++;
        p = p->next;
    }
    reading->call->argument = bsim_mem_zeroed(n, sizeof *reading->call->argument);
    if (reading->call->argument == NULL) {
        bsim_ptx_scan_no_memory(&reading->scan);
    }
}

static void read_arguments(struct reading *reading)
{
    struct bsim_ptx_scanner *scan = &reading->scan;
    struct bsim_ptx_call *call = reading->call;
    make_room(reading);
    reading->parameter = scan->status == BSIM_OK ? call->launch.kernel->parameters : NULL;
    bsim_ptx_expect(scan, '(');
    while (!bsim_ptx_is(scan, ')') && scan->status == BSIM_OK) {
        read_argument(reading);
        if (scan->status == BSIM_OK) {
            call->n_arguments++;
            reading->parameter = reading->parameter->next;
        }
        if (!bsim_ptx_is(scan, ')')) {
            bsim_ptx_expect(scan, ',');
        }
    }
    if (scan->status == BSIM_OK && reading->parameter != NULL) {
        bsim_ptx_scan_fail(scan, "the kernel has more parameters than the %zu given",
                           call->n_arguments);
    }
    bsim_ptx_expect(scan, ')');
    bsim_ptx_accept(scan, ';');
    if (scan->token.kind != BSIM_PTX_END) {
        bsim_ptx_scan_fail(scan, "nothing may stand behind the launch");
    }
}

static enum bsim_status read_launch(struct bsim_ptx_call *call, const char *text,
                                    struct bsim_error *err)
{
    struct reading reading = {.call = call};
    bsim_ptx_scan_start(&reading.scan, "the launch", text, strlen(text), 0, err);
    read_kernel(&reading);
    read_configuration(&reading);
    if (reading.scan.status == BSIM_OK &&
        call->launch.kernel->parameter_bytes > sizeof call->parameters) {
        bsim_ptx_scan_fail(&reading.scan, "the kernel's parameters take over %d bytes",
                           MAX_PARAMETER_BYTES);
    }
    read_arguments(&reading);
    if (reading.scan.status == BSIM_E_INPUT) {
        if (err != NULL) {
            err->status = BSIM_E_USAGE;
        }
        return BSIM_E_USAGE;
    }
    return reading.scan.status;
}

/* ---- the call -------------------------------------------------------------------------------- */

enum bsim_status bsim_ptx_call_new(const char *name, const char *text, size_t length,
                                   const char *launch, struct bsim_ptx_call **call,
                                   struct bsim_error *err)
{
    uint64_t address = UINT64_C(1) << 44; /* of the module's variables: above all arrays */
    struct bsim_ptx_call *made = bsim_mem_zeroed(1, sizeof *made);
    if (made == NULL || (made->memory = bsim_ptx_memory_new()) == NULL) {
        bsim_mem_free(made);
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    enum bsim_status status = bsim_ptx_read(name, text, length, &made->module, err);
    if (status == BSIM_OK) {
        status = bsim_ptx_load(made->module, made->memory, &address, err);
    }
    if (status == BSIM_OK) {
        made->launch.module = made->module;
        made->launch.memory = made->memory;
        made->launch.remarks = &made->remarks;
        made->launch.parameters = made->parameters;
        status = read_launch(made, launch, err);
    }
    if (status != BSIM_OK) {
        bsim_ptx_call_free(made);
        return status;
    }
    *call = made;
    return BSIM_OK;
}

void bsim_ptx_call_free(struct bsim_ptx_call *call)
{
    if (call != NULL) {
        bsim_mem_free(call->argument);
        bsim_ptx_findings_free(&call->findings);
        bsim_buffer_free(&call->found);
        bsim_ptx_memory_free(call->memory);
        bsim_ptx_module_free(call->module);
        bsim_mem_free(call);
    }
}

void bsim_ptx_call_print(struct bsim_ptx_call *call,
                         void (*print)(void *context, const char *text, size_t length),
                         void *context)
{
    call->printer = (struct bsim_ptx_printer){.print = print, .context = context};
    call->launch.printer = &call->printer;
}

void bsim_ptx_call_set(struct bsim_ptx_call *call, const struct bsim_ptx_options *options)
{
    call->launch.is_bare = options->is_bare;
    call->launch.jobs = options->jobs;
    call->launch.n_sample = options->n_blocks;
    call->launch.has_work = options->has_work;
    call->launch.findings = &call->findings;
}

enum bsim_status bsim_ptx_call_run(struct bsim_ptx_call *call, const struct bsim_sink *sink,
                                   struct bsim_error *err)
{
    bsim_ptx_findings_free(&call->findings);
    enum bsim_status status = bsim_ptx_launch_run(&call->launch, sink, err);
    return status == BSIM_OK ? bsim_push_end(sink, err) : status;
}

void bsim_ptx_call_remarks(const struct bsim_ptx_call *call, struct bsim_buffer *out)
{
    const struct bsim_ptx_remarks *remarks = &call->remarks;
    bsim_ptx_merge_remarks(call->launch.is_bare, out);
    bsim_ptx_doubt_remarks(NULL, &remarks->doubts, out);
    if (call->launch.has_work) {
        bsim_ptx_work_remark(out);
    }
    if (remarks->n_blocks < remarks->n_grid) {
        bsim_buffer_printf(out,
                           "A sample: %" PRIu64 " of the grid's %" PRIu64
                           " blocks were run; counts are theirs alone.\n",
                           remarks->n_blocks, remarks->n_grid);
    }
}

const char *bsim_ptx_call_findings(struct bsim_ptx_call *call)
{
    static const char none[] = "";
    bsim_buffer_clear(&call->found);
    bsim_ptx_findings_tell(&call->findings, &call->found);
    bsim_buffer_add(&call->found, "", 1);
    return call->found.failed ? none : call->found.data;
}

const void *bsim_ptx_call_array(const struct bsim_ptx_call *call, size_t i, size_t *size_bytes)
{
    if (i >= call->n_arguments || call->argument[i].data == NULL) {
        return NULL;
    }
    *size_bytes = call->argument[i].size_bytes;
    return call->argument[i].data;
}

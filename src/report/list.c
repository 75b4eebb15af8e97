/* list.c - what banksim knows, as lists: devices, emulators, opcodes. */
#include "report/rates.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define CYCLES "cycles: the constants of the cycle model"
#define WORK_CYCLES "cycles: arithmetic by class"
#define MEMORY_CYCLES "cycles: those of global and constant memory"
#define CLOCK "number of SMs and clock"

/* A document of nothing but a table; without columns, people get something else. */
static void begin_list(struct bsim_document *doc, const char *name,
                       const struct bsim_column *columns, size_t n_columns, enum bsim_format format,
                       struct bsim_buffer *out)
{
    const struct bsim_report_options options = {.format = format};
    bsim_document_begin(doc, &options, NULL, out);
    bsim_document_table(doc, name, columns, n_columns);
}

static void end_list(struct bsim_document *doc)
{
    bsim_document_table_end(doc);
    bsim_document_end(doc);
}

/* ---- devices -------------------------------------------------------------------------------- */

static void list_rule(struct bsim_document *doc, const struct bsim_device *device, const char *rule,
                      const struct bsim_basis *basis)
{
    const struct bsim_fact fact = {rule, 0, 0, "", *basis};
    bsim_rates_row(device, &fact, doc);
}

static void list_device(struct bsim_document *doc, const struct bsim_device *device)
{
    for (int r = 0; r < BSIM_N_RULES; r++) {
        list_rule(doc, device, bsim_rule_name((enum bsim_rule)r), &device->basis[r]);
    }
    struct bsim_timing timing;
    bsim_timing_find(device, &timing);
    list_rule(doc, device, CYCLES, &timing.basis);
    list_rule(doc, device, WORK_CYCLES, &timing.work_basis);
    list_rule(doc, device, MEMORY_CYCLES, &timing.memory_basis);
    list_rule(doc, device, "capacity", &device->capacity_basis);
    if (device->n_sms > 0) {
        list_rule(doc, device, CLOCK, &device->clock_basis);
    }
    bsim_rates_list(device, doc);
}

static void add_rule(const char *rule, const struct bsim_basis *basis, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "    %s: %s\n        %s\n", bsim_grade_name(basis->grade),
                       basis->source, rule);
}

static bool same_basis(const struct bsim_basis *a, const struct bsim_basis *b)
{
    return a->grade == b->grade && strcmp(a->source, b->source) == 0;
}

/* The rules that rest on one source stand together, below it. */
static void add_rules(const struct bsim_device *device, struct bsim_buffer *out)
{
    for (int r = 0; r < BSIM_N_RULES; r++) {
        const struct bsim_basis *basis = &device->basis[r];
        bool is_first = true;
        for (int before = 0; before < r; before++) {
            is_first = is_first && !same_basis(&device->basis[before], basis);
        }
        if (!is_first) {
            continue;
        }
        bsim_buffer_printf(out, "    %s: %s\n", bsim_grade_name(basis->grade), basis->source);
        for (int same = r; same < BSIM_N_RULES; same++) {
            if (same_basis(&device->basis[same], basis)) {
                bsim_buffer_printf(out, "        %s\n", bsim_rule_name((enum bsim_rule)same));
            }
        }
    }
}

static void add_names(const char *name, struct bsim_buffer *out)
{
    const char *alias;
    for (size_t i = 0; (alias = bsim_device_alias(name, i)) != NULL; i++) {
        bsim_buffer_printf(out, "%s%s", i > 0 ? ", " : "; names: ", alias);
    }
}

/* What an SM can give to shared memory. */
static void add_carveouts(const struct bsim_device *device, struct bsim_buffer *out)
{
    for (uint32_t i = 0; i < device->n_carveouts && device->n_carveouts > 1; i++) {
        bsim_buffer_printf(out, "%s%u",
                           i == 0                         ? "    --carveout: "
                           : i + 1 == device->n_carveouts ? " or "
                                                          : ", ",
                           (unsigned)device->carveouts_kib[i]);
    }
    bsim_buffer_text(out,
                     device->n_carveouts > 1
                         ? " KB of shared memory per SM, L1 has the rest; by default the most\n"
                         : "    no carve-out: shared memory is apart from the L1 cache\n");
}

static void add_capacity(const struct bsim_device *device, struct bsim_buffer *out)
{
    bsim_buffer_printf(out,
                       "    shared memory: %" PRIu32 " KB per SM, at most %" PRIu32
                       " KB per block, in units of %" PRIu32 " bytes",
                       device->shared_per_sm_bytes / 1024, device->shared_per_block_bytes / 1024,
                       device->shared_unit_bytes);
    if (device->shared_reserved_bytes > 0) {
        bsim_buffer_printf(out, " after %" PRIu32 " bytes for the system",
                           device->shared_reserved_bytes);
    }
    bsim_buffer_printf(out,
                       "; %" PRIu32 " warps, %" PRIu32 " blocks and %" PRIu32 " registers per SM",
                       device->warps_per_sm, device->blocks_per_sm, device->registers_per_sm);
    if (device->registers_per_block < device->registers_per_sm) {
        bsim_buffer_printf(out, ", at most %" PRIu32 " for a block", device->registers_per_block);
    }
    if (device->n_sms > 0) {
        bsim_buffer_printf(out, "; %" PRIu32 " SMs", device->n_sms);
    }
    if (device->clock_mhz > 0) {
        bsim_buffer_printf(out, "; up to %" PRIu32 " MHz", device->clock_mhz);
    } else if (device->n_sms > 0) {
        bsim_buffer_text(out, "; no one clock: its source, below, says why");
    }
    bsim_buffer_text(out, "\n");
}

static void add_latency_rules(const struct bsim_device *device, struct bsim_buffer *out)
{
    struct bsim_latencies latencies;
    bsim_latencies_find(device, &latencies);
    const struct bsim_basis *registers = &latencies.registers.basis;
    const struct bsim_basis *global = &latencies.global.basis;
    add_rule("latency of arithmetic in registers", registers, out);
    if (latencies.global.most > 0 && same_basis(registers, global)) {
        bsim_buffer_text(out, "        latency of a load from DRAM\n");
    } else if (latencies.global.most > 0) {
        add_rule("latency of a load from DRAM", global, out);
    }
}

static void add_device(const struct bsim_device *device, bool rates, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "%s: %s", device->name, device->description);
    add_names(device->name, out);
    bsim_buffer_printf(out, "\n    %" PRIu32 " banks, %" PRIu32 " bytes wide%s%s\n",
                       device->n_banks, device->bank_bytes,
                       device->bank_bytes > device->stride_bytes ? ", in 4-byte mode" : "",
                       device->widths > 8 ? " unless --bank-width 8 is given" : "");
    add_capacity(device, out);
    add_carveouts(device, out);
    if (rates) {
        bsim_rates_text(device, out);
    }
    add_rules(device, out);
    struct bsim_timing timing;
    bsim_timing_find(device, &timing);
    add_rule(CYCLES, &timing.basis, out);
    add_rule(WORK_CYCLES, &timing.work_basis, out);
    add_rule(MEMORY_CYCLES, &timing.memory_basis, out);
    add_rule("capacity", &device->capacity_basis, out);
    if (device->n_sms > 0) {
        add_rule(CLOCK, &device->clock_basis, out);
    }
    if (rates) {
        add_latency_rules(device, out);
    }
}

static void list_devices(const char *name, enum bsim_format format, struct bsim_buffer *out)
{
    struct bsim_device device;
    struct bsim_device wanted = {.name = NULL};
    struct bsim_document doc;
    if (name != NULL && bsim_device_find(name, NULL, &wanted, NULL) != BSIM_OK) {
        return;
    }
    begin_list(&doc, "devices", NULL, 0, format, out);
    for (size_t i = 0; bsim_device_at(i, &device); i++) {
        if (wanted.name != NULL) {
            if (strcmp(wanted.name, device.name) != 0) {
                continue;
            }
            device = wanted;
        }
        if (bsim_document_speaks(&doc)) {
            add_device(&device, wanted.name != NULL, out);
        } else {
            list_device(&doc, &device);
        }
    }
    end_list(&doc);
}

/* ---- emulators ------------------------------------------------------------------------------ */

/* "bdimx=32 bdimy=32": what can be set, with the initial values. */
static void write_parameters(const struct bsim_emulator *emulator, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < emulator->n_parameters && used < size; i++) {
        const struct bsim_parameter *parameter = &emulator->parameters[i];
        int n = snprintf(out + used, size - used, "%s%s=%" PRIu32, i > 0 ? " " : "", parameter->key,
                         parameter->initial);
        used += n > 0 ? (size_t)n : 0;
    }
}

static const struct bsim_column emulator_columns[] = {
    {"kernel", .name = "kernel", .left = true},
    {"in the document", .name = "original", .left = true},
    {"documents", .name = "documents", .left = true},
    {"sizes", .name = "sizes", .left = true},
    {"shows", .name = "shows", .left = true},
};

static void list_emulators(enum bsim_format format, struct bsim_buffer *out)
{
    struct bsim_document doc;
    const struct bsim_emulator *emulator;
    struct bsim_row row;
    begin_list(&doc, "kernels", emulator_columns,
               sizeof emulator_columns / sizeof emulator_columns[0], format, out);
    for (size_t i = 0; (emulator = bsim_emulator_at(i)) != NULL; i++) {
        char parameters[BSIM_CELL_SIZE];
        write_parameters(emulator, parameters, sizeof parameters);
        row.n = 0;
        bsim_row_text(&row, "kernel", emulator->name);
        bsim_row_text(&row, "original", emulator->original);
        bsim_row_text(&row, "documents", emulator->documents);
        bsim_row_text(&row, "sizes", parameters);
        bsim_row_text(&row, "shows", emulator->shows);
        bsim_document_row(&doc, &row);
    }
    end_list(&doc);
    if (bsim_document_speaks(&doc)) {
        bsim_buffer_text(out,
                         "\nThe documents: 000 the SaoYan wiki's notes on Professional CUDA C "
                         "Programming, chapter 5;\n001, 002 blog posts after the same chapter; 003 "
                         "Caltech's CS 179, lecture 5; 004 an article\nof December 2024 that times "
                         "an A100. A size is set as in\n    banksim emulate stride_shared stride=4 "
                         "--run\n");
    }
}

/* ---- opcodes -------------------------------------------------------------------------------- */

static void list_opcodes(enum bsim_format format, struct bsim_buffer *out)
{
    static const char *const space[] = {"", "shared", "global", "local", "const", "texture", "peer"};
    struct bsim_document doc;
    struct bsim_opcode opcode;
    struct bsim_row row;
    begin_list(&doc, "opcodes", NULL, 0, format, out);
    for (size_t i = 0; bsim_opcode_at(i, &opcode); i++) {
        row.n = 0;
        bsim_row_opcode(&row, &opcode);
        bsim_row_text(&row, "space", space[opcode.space]);
        bsim_row_number(&row, "bytes", opcode.bytes);
        if (bsim_document_speaks(&doc)) {
            bsim_buffer_printf(out, "%s\n", row.value[0].text);
        } else {
            bsim_document_row(&doc, &row);
        }
    }
    end_list(&doc);
}

void bsim_report_list(enum bsim_list list, const char *name, enum bsim_format format,
                      struct bsim_buffer *out)
{
    switch (list) {
    case BSIM_LIST_DEVICES:
        list_devices(name, format, out);
        break;
    case BSIM_LIST_EMULATORS:
        list_emulators(format, out);
        break;
    case BSIM_LIST_OPCODES:
        list_opcodes(format, out);
        break;
    }
}

/* rates.c - what a device's banks can deliver and how many warps that takes, each with its formula.
 *
 * The device's rows are multiplied; a product is as sure as the least sure of its factors.
 */
#include "report/rates.h"

#include <inttypes.h>
#include <stdio.h>

struct rates {
    struct bsim_timing timing;
    struct bsim_latencies latency;
    uint64_t sm_bytes;     /* per clock */
    uint64_t bank_loads;   /* per second; 0: the clock is not known */
    uint64_t device_bytes; /* per second; 0: clock or SMs are not known */
    uint64_t operations;   /* per second, a multiply-add being two; likewise */
    uint64_t operands;     /* bytes that an SM's multiply-adds read of registers per clock */
    uint64_t requests;     /* of an SM, that hide the latency of a load: Little's law */
    uint64_t warps;        /* of an SM, that hide that of arithmetic */
};

static struct rates rates_of(const struct bsim_device *device)
{
    struct rates r;
    bsim_timing_find(device, &r.timing);
    bsim_latencies_find(device, &r.latency);
    uint64_t interval = r.timing.turn_interval;
    uint64_t hertz = (uint64_t)device->clock_mhz * 1000000;
    r.sm_bytes = (uint64_t)device->n_banks * device->bank_bytes / interval;
    r.bank_loads = hertz / interval;
    r.device_bytes = device->n_sms * r.sm_bytes * hertz;
    r.operations = UINT64_C(2) * device->fp32_lanes * device->n_sms * hertz;
    r.operands = UINT64_C(3) * 4 * device->fp32_lanes;
    r.requests = (r.latency.shared.most + interval - 1) / interval;
    r.warps = (uint64_t)r.latency.registers.most * device->n_partitions / r.latency.issue_interval;
    return r;
}

/* ---- as text --------------------------------------------------------------------------------- */

/* "23 clocks = 11.6 ns", "200 to 400 clocks = 229 to 457 ns"; without times where no clock is
 * known. */
static void add_latency(const struct bsim_device *device, const struct bsim_latency *latency,
                        struct bsim_buffer *out)
{
    double ns = device->clock_mhz > 0 ? 1000.0 / device->clock_mhz : 0;
    bool is_range = latency->least < latency->most;
    if (is_range) {
        bsim_buffer_printf(out, "%" PRIu32 " to ", latency->least);
    }
    bsim_buffer_printf(out, "%" PRIu32 " clocks", latency->most);
    if (ns > 0 && is_range) {
        bsim_buffer_printf(out, " = %.0f to %.0f ns", ns * latency->least, ns * latency->most);
    } else if (ns > 0) {
        bsim_buffer_printf(out, " = %.1f ns", ns * latency->most);
    }
}

static void add_bandwidth(const struct bsim_device *device, const struct rates *r,
                          struct bsim_buffer *out)
{
    bsim_buffer_printf(out,
                       "        an SM, banks x width / clocks per wavefront: %" PRIu32 " x %" PRIu32
                       " / %" PRIu32 " = %" PRIu64
                       " bytes per clock; loads of 4 bytes, 4 per lane, take "
                       "%" PRIu32 "\n",
                       device->n_banks, device->bank_bytes, r->timing.turn_interval, r->sm_bytes,
                       4 * device->n_banks / r->timing.turn_interval);
    if (r->device_bytes == 0) {
        return;
    }
    bsim_buffer_printf(out,
                       "        a bank, clock / clocks per wavefront: %.3g gigaloads/s\n"
                       "        the device, SMs x an SM's x clock: %" PRIu32 " x %" PRIu64
                       " x %" PRIu32 " MHz = %.3g TB/s = %.0f Gfloat/s\n",
                       (double)r->bank_loads / 1e9, device->n_sms, r->sm_bytes, device->clock_mhz,
                       (double)r->device_bytes / 1e12, (double)r->device_bytes / 4e9);
}

static void add_memory(const struct bsim_device *device, struct bsim_buffer *out)
{
    if (device->memory_gb_per_s > 0) {
        bsim_buffer_printf(
            out, "        global memory, at most: %" PRIu32 " GB/s = %.0f Gfloat/s (%s: %s)\n",
            device->memory_gb_per_s, device->memory_gb_per_s / 4.0,
            bsim_grade_name(device->memory_basis.grade), device->memory_basis.source);
    }
}

static void add_operations(const struct bsim_device *device, const struct rates *r,
                           struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "        arithmetic, 2 (a multiply-add) x lanes");
    if (r->operations > 0) {
        bsim_buffer_printf(
            out, " x SMs x clock: 2 x %" PRIu32 " x %" PRIu32 " x %" PRIu32 " MHz = %.3g TFLOPS;",
            device->fp32_lanes, device->n_sms, device->clock_mhz, (double)r->operations / 1e12);
    } else {
        bsim_buffer_printf(out, ": 2 x %" PRIu32 " per SM and clock;", device->fp32_lanes);
    }
    bsim_buffer_printf(out, " it wants %.3g operations for each float from shared memory\n",
                       8.0 * device->fp32_lanes / (double)r->sm_bytes);
    bsim_buffer_printf(out,
                       "        registers, at least 3 operands of 4 bytes x lanes: %" PRIu64
                       " bytes per clock and SM, %.3g times shared memory's\n",
                       r->operands, (double)r->operands / (double)r->sm_bytes);
}

/* "arithmetic, clocks of a partition for an instruction: fp32 1, int 2, ... (measured: H200, ...)" */
static void add_timing(const struct bsim_timing *timing, struct bsim_buffer *out)
{
    const struct bsim_basis *work = &timing->work_basis, *memory = &timing->memory_basis;
    const char *separator = ": ";
    bsim_buffer_text(out, "        arithmetic, clocks of a partition for an instruction, and latency");
    for (uint32_t i = BSIM_WORK_ANY + 1; i < BSIM_WORK_LSU; i++) {
        bsim_buffer_printf(out, "%s%s %u and %u", separator, bsim_work_class_name(i),
                           (unsigned)timing->work[i].interval, (unsigned)timing->work[i].latency);
        separator = ", ";
    }
    bsim_buffer_printf(out, " (%s: %s)\n", bsim_grade_name(work->grade), work->source);
    bsim_buffer_printf(out,
                       "        global and constant memory: latency of L2 %" PRIu32
                       " clocks, %" PRIu32 " lines looked up per clock, %" PRIu32
                       " clocks for each further address of constant memory, %" PRIu32
                       " of a warp that waits (%s: %s)\n",
                       timing->l2_latency, timing->tag_lines, timing->constant_turn,
                       timing->constant_latency, bsim_grade_name(memory->grade), memory->source);
}

void bsim_rates_text(const struct bsim_device *device, struct bsim_buffer *out)
{
    struct rates r = rates_of(device);
    bsim_buffer_text(out,
                     "    rates of shared memory without conflicts, from the numbers above and the "
                     "cycle model's constants:\n");
    add_bandwidth(device, &r, out);
    add_memory(device, out);
    add_operations(device, &r, out);
    add_timing(&r.timing, out);
    bsim_buffer_text(out, "        latency of a load, until it can be used: ");
    add_latency(device, &r.latency.shared, out);
    bsim_buffer_text(out, "; of arithmetic in registers: ");
    add_latency(device, &r.latency.registers, out);
    if (r.latency.global.most > 0) {
        bsim_buffer_text(out, "; of a load from DRAM: ");
        add_latency(device, &r.latency.global, out);
    }
    bsim_buffer_printf(
        out,
        "\n        to hide it, latency / clocks per wavefront (Little's law): %" PRIu64
        " requests in flight per SM, as many warps if each has one, of %" PRIu32
        "; arithmetic, latency x schedulers%s: %" PRIu64 " warps\n",
        r.requests, device->warps_per_sm,
        r.latency.issue_interval > 1 ? " / clocks per instruction" : "", r.warps);
}

/* ---- as rows --------------------------------------------------------------------------------- */

static enum bsim_grade worse(enum bsim_grade a, enum bsim_grade b)
{
    return a > b ? a : b;
}

void bsim_rates_row(const struct bsim_device *device, const struct bsim_fact *fact,
                    struct bsim_document *doc)
{
    struct bsim_row row;
    row.n = 0;
    bsim_row_text(&row, "device", device->name);
    bsim_row_text(&row, "rule", fact->name);
    bsim_row_basis(&row, &fact->basis);
    if (fact->divisor == 1) {
        bsim_row_number(&row, "value", fact->number);
    } else {
        bsim_row_ratio(&row, "value", fact->number, fact->divisor);
    }
    bsim_row_text(&row, "unit", fact->unit);
    bsim_document_row(doc, &row);
}

/* Where the rows go, and whose they are. */
struct bsim_facts {
    struct bsim_document *doc;
    const struct bsim_device *device;
};

static void tell(const struct bsim_facts *facts, const char *name, uint64_t number,
                 const char *unit, struct bsim_basis basis)
{
    const struct bsim_fact fact = {name, number, 1, unit, basis};
    bsim_rates_row(facts->device, &fact, facts->doc);
}

static void tell_latency(const struct bsim_facts *facts, const char *name, const char *least_name,
                         const struct bsim_latency *latency)
{
    if (latency->least < latency->most) {
        tell(facts, least_name, latency->least, "clocks", latency->basis);
    }
    if (latency->most > 0) {
        tell(facts, name, latency->most, "clocks", latency->basis);
    }
}

static void tell_capacity(const struct bsim_facts *facts, const struct bsim_device *device)
{
    struct bsim_basis basis = device->capacity_basis;
    tell(facts, "banks", device->n_banks, "", device->basis[BSIM_RULE_BANKS]);
    tell(facts, "width of a bank", device->bank_bytes, "bytes", device->basis[BSIM_RULE_BANKS]);
    tell(facts, "shared memory of an SM", device->shared_per_sm_bytes, "bytes", basis);
    tell(facts, "shared memory of a block", device->shared_per_block_bytes, "bytes", basis);
    tell(facts, "warps of an SM", device->warps_per_sm, "", basis);
    tell(facts, "blocks of an SM", device->blocks_per_sm, "", basis);
    tell(facts, "registers of an SM", device->registers_per_sm, "", basis);
    tell(facts, "registers of a block", device->registers_per_block, "", basis);
    tell(facts, "registers of a thread", device->registers_per_thread, "", basis);
    tell(facts, "multiply-adds of an SM", device->fp32_lanes, "per clock", basis);
    if (device->n_sms > 0) {
        tell(facts, "SMs", device->n_sms, "", device->clock_basis);
    }
    if (device->clock_mhz > 0) {
        tell(facts, "clock", device->clock_mhz, "MHz", device->clock_basis);
    }
}

static void tell_bandwidth(const struct bsim_facts *facts, const struct bsim_device *device,
                           const struct rates *r)
{
    enum bsim_grade banks = worse(device->basis[BSIM_RULE_BANKS].grade, r->timing.basis.grade);
    enum bsim_grade all = worse(banks, device->clock_basis.grade);
    tell(facts, "clocks per wavefront", r->timing.turn_interval, "clocks", r->timing.basis);
    tell(facts, "shared bandwidth of an SM", r->sm_bytes, "bytes per clock",
         (struct bsim_basis){banks, "banks x width / clocks per wavefront"});
    tell(
        facts, "registers' bandwidth of an SM, at least", r->operands, "bytes per clock",
        (struct bsim_basis){device->capacity_basis.grade, "3 operands of 4 bytes x multiply-adds"});
    if (r->device_bytes == 0) {
        return;
    }
    tell(facts, "loads of a bank", r->bank_loads, "per second",
         (struct bsim_basis){worse(r->timing.basis.grade, device->clock_basis.grade),
                             "clock / clocks per wavefront"});
    tell(facts, "shared bandwidth of the device", r->device_bytes, "bytes per second",
         (struct bsim_basis){all, "SMs x an SM's x clock"});
    tell(facts, "arithmetic of the device", r->operations, "operations per second",
         (struct bsim_basis){worse(device->capacity_basis.grade, device->clock_basis.grade),
                             "2 x multiply-adds x SMs x clock"});
}

/* Global and constant memory, and arithmetic by class: what cycles and `held up by` rest on. */
static void tell_timing(const struct bsim_facts *facts, const struct bsim_timing *timing)
{
    struct bsim_basis memory = timing->memory_basis;
    char name[64];
    tell(facts, "latency of L2", timing->l2_latency, "clocks", memory);
    tell(facts, "lines looked up in L1", timing->tag_lines, "per clock", memory);
    tell(facts, "further address of constant memory", timing->constant_turn, "clocks", memory);
    tell(facts, "further address of constant memory, a warp that waits", timing->constant_latency, "clocks", memory);
    for (uint32_t i = BSIM_WORK_ANY + 1; i < BSIM_WORK_LSU; i++) {
        const char *work = bsim_work_class_name(i);
        (void)snprintf(name, sizeof name, "interval of %s work in a partition", work);
        tell(facts, name, timing->work[i].interval, "clocks", timing->work_basis);
        (void)snprintf(name, sizeof name, "latency of %s work", work);
        tell(facts, name, timing->work[i].latency, "clocks", timing->work_basis);
    }
}

void bsim_rates_list(const struct bsim_device *device, struct bsim_document *doc)
{
    const struct bsim_facts facts = {doc, device};
    struct rates r = rates_of(device);
    struct bsim_fact ratio = {"operations for each float from shared memory",
                              8 * device->fp32_lanes,
                              r.sm_bytes,
                              "",
                              {worse(device->capacity_basis.grade, r.timing.basis.grade),
                               "2 x multiply-adds / (bandwidth of an SM / 4 bytes)"}};
    tell_capacity(&facts, device);
    tell_bandwidth(&facts, device, &r);
    bsim_rates_row(device, &ratio, doc);
    tell_latency(&facts, "latency of a shared load", "", &r.latency.shared);
    tell(&facts, "requests that hide it", r.requests, "of an SM",
         (struct bsim_basis){r.timing.basis.grade, "latency / clocks per wavefront"});
    tell_latency(&facts, "latency of arithmetic", "", &r.latency.registers);
    tell(&facts, "warps that hide it", r.warps, "of an SM",
         (struct bsim_basis){r.latency.registers.basis.grade,
                             "latency x schedulers / clocks per instruction"});
    if (device->memory_gb_per_s > 0) {
        tell(&facts, "bandwidth of global memory", device->memory_gb_per_s, "GB per second",
             device->memory_basis);
    }
    tell_latency(&facts, "latency of DRAM", "latency of DRAM, at least", &r.latency.global);
    tell_timing(&facts, &r.timing);
}

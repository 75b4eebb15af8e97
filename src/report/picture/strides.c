/* strides.c - the table that every course has: what each stride costs.
 *
 *     stride  bytes apart  banks  ways  wavefronts  ideal  excessive  shares
 *          1            4     32     1           1      1          0
 *          2            8     16     2           2      1          1
 */
#include "base/memory.h"
#include "report/basis.h"
#include "report/picture/picture.h"
#include "report/render.h"
#include "report/table.h"

#include <banksim/banksim.h>

#include <inttypes.h>
#include <stdio.h>

/* A row's numbers. */
struct cost {
    uint32_t stride, bytes_apart, banks;
    uint32_t rules;
    struct bsim_counts counts;
};

static struct cost cost_of(const struct bsim_device *device, const struct bsim_stride *stride)
{
    struct bsim_picture picture = {.device = *device, .request = stride->request};
    struct bsim_drawing drawing;
    bsim_drawing_make(&picture, &drawing);
    return (struct cost){.stride = stride->stride,
                         .bytes_apart = stride->stride * stride->request.opcode.bytes,
                         .banks = drawing.n_busy,
                         .rules = drawing.schedule.rules,
                         .counts = drawing.counts};
}

/* ---- text ------------------------------------------------------------------------------------ */

static void put(uint32_t number, char cell[BSIM_CELL_SIZE])
{
    (void)snprintf(cell, BSIM_CELL_SIZE, "%" PRIu32, number);
}

static void cell_stride(const void *item, char cell[BSIM_CELL_SIZE])
{
    put(((const struct cost *)item)->stride, cell);
}

static void cell_bytes(const void *item, char cell[BSIM_CELL_SIZE])
{
    put(((const struct cost *)item)->bytes_apart, cell);
}

static void cell_banks(const void *item, char cell[BSIM_CELL_SIZE])
{
    put(((const struct cost *)item)->banks, cell);
}

static void cell_ways(const void *item, char cell[BSIM_CELL_SIZE])
{
    put(((const struct cost *)item)->counts.ways, cell);
}

static void cell_wavefronts(const void *item, char cell[BSIM_CELL_SIZE])
{
    put(((const struct cost *)item)->counts.wavefronts, cell);
    bsim_cell_least(cell, bsim_rules_are_least(((const struct cost *)item)->rules));
}

static void cell_ideal(const void *item, char cell[BSIM_CELL_SIZE])
{
    put(((const struct cost *)item)->counts.ideal, cell);
}

static void cell_excessive(const void *item, char cell[BSIM_CELL_SIZE])
{
    put(bsim_counts_excessive(&((const struct cost *)item)->counts), cell);
    bsim_cell_least(cell, bsim_rules_are_least(((const struct cost *)item)->rules));
}

static void cell_shares(const void *item, char cell[BSIM_CELL_SIZE])
{
    const struct bsim_counts *counts = &((const struct cost *)item)->counts;
    (void)snprintf(cell, BSIM_CELL_SIZE, "%s",
                   counts->broadcast   ? "broadcast"
                   : counts->multicast ? "multicast"
                                       : "-");
}

static void add_text(const struct bsim_device *device, const struct bsim_opcode *opcode,
                     const struct cost *costs, size_t n, bool colour, struct bsim_buffer *out)
{
    static const struct bsim_column columns[] = {
        {"stride", false, false, cell_stride},
        {"bytes apart", false, false, cell_bytes},
        {"banks", false, false, cell_banks},
        {"ways", false, true, cell_ways},
        {"wavefronts", false, false, cell_wavefronts},
        {"ideal", false, false, cell_ideal},
        {"excessive", false, true, cell_excessive},
        {"shared by lanes", true, false, cell_shares},
    };
    struct bsim_table table = {.columns = columns,
                               .n_columns = sizeof columns / sizeof columns[0],
                               .items = costs,
                               .n_items = n,
                               .item_bytes = sizeof costs[0],
                               .colour = colour};
    char name[BSIM_OPCODE_NAME_SIZE];
    struct bsim_kernel_result kernel = {.device = *device};
    struct bsim_result result = {.n_kernels = 1, .kernels = &kernel};
    bsim_buffer_printf(out, "%s on %s: %" PRIu32 " bank%s of %" PRIu32 " bytes\n\n",
                       bsim_opcode_name(opcode, name), device->name, device->n_banks,
                       device->n_banks == 1 ? "" : "s", device->bank_bytes);
    bsim_table_render(&table, out);
    for (size_t i = 0; i < n; i++) {
        kernel.rules |= costs[i].rules;
    }
    bsim_buffer_text(out, "\n");
    bsim_basis_text(&result, 0, out);
}

/* ---- csv and json ---------------------------------------------------------------------------- */

static void make_row(const struct cost *cost, struct bsim_row *row)
{
    row->n = 0;
    bsim_row_number(row, "stride", cost->stride);
    bsim_row_number(row, "bytes_apart", cost->bytes_apart);
    bsim_row_number(row, "banks", cost->banks);
    bsim_row_number(row, "ways", cost->counts.ways);
    bsim_row_number(row, "wavefronts", cost->counts.wavefronts);
    bsim_row_number(row, "ideal", cost->counts.ideal);
    bsim_row_number(row, "excessive", bsim_counts_excessive(&cost->counts));
    bsim_row_text(row, "shares",
                  cost->counts.broadcast   ? "broadcast"
                  : cost->counts.multicast ? "multicast"
                                           : NULL);
    bsim_row_boolean(row, "at_least", bsim_rules_are_least(cost->rules));
}

static void add_csv(const struct cost *costs, size_t n, struct bsim_buffer *out)
{
    struct bsim_row row;
    for (size_t i = 0; i < n; i++) {
        make_row(&costs[i], &row);
        if (i == 0) {
            bsim_csv_head(&row, out);
        }
        bsim_csv_row(&row, out);
    }
}

static void add_json(const struct bsim_device *device, const struct bsim_opcode *opcode,
                     const struct cost *costs, size_t n, struct bsim_buffer *out)
{
    char name[BSIM_OPCODE_NAME_SIZE];
    struct bsim_kernel_result kernel = {.device = *device};
    struct bsim_row row;
    bsim_buffer_printf(out,
                       "{\"banksim\": \"%s\", \"device\": \"%s\", \"banks\": %" PRIu32
                       ", \"bank_bytes\": %" PRIu32 ", \"opcode\": \"%s\", \"strides\": [",
                       bsim_version(), device->name, device->n_banks, device->bank_bytes,
                       bsim_opcode_name(opcode, name));
    for (size_t i = 0; i < n; i++) {
        make_row(&costs[i], &row);
        kernel.rules |= costs[i].rules;
        bsim_buffer_text(out, i > 0 ? ",\n  " : "\n  ");
        bsim_json_row(&row, out);
        bsim_buffer_text(out, "}");
    }
    bsim_buffer_text(out, "]");
    bsim_json_rests_on(&kernel, 0, out);
    bsim_buffer_text(out, "}\n");
}

void bsim_report_strides(const struct bsim_device *device, const struct bsim_stride *strides,
                         size_t n, const struct bsim_report_options *options,
                         struct bsim_buffer *out)
{
    struct cost *costs = n > 0 ? bsim_mem_zeroed(n, sizeof *costs) : NULL;
    if (costs == NULL) {
        out->failed = out->failed || n > 0;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        costs[i] = cost_of(device, &strides[i]);
    }
    const struct bsim_opcode *opcode = &strides[0].request.opcode;
    if (options->format == BSIM_CSV) {
        add_csv(costs, n, out);
    } else if (options->format == BSIM_JSON) {
        add_json(device, opcode, costs, n, out);
    } else {
        add_text(device, opcode, costs, n, options->colour, out);
    }
    bsim_mem_free(costs);
}

/* strides.c - the table that every course has: what each stride costs.
 *
 *     stride  bytes apart  banks  ways  wavefronts  ideal  excessive  shares
 *          1            4     32     1           1      1          0
 *          2            8     16     2           2      1          1
 */
#include "report/basis.h"
#include "report/format.h"
#include "report/picture/picture.h"

#include <banksim/banksim.h>

#include <inttypes.h>

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

static void make_row(const struct cost *cost, struct bsim_row *row)
{
    const char *shares = cost->counts.broadcast   ? "broadcast"
                         : cost->counts.multicast ? "multicast"
                                                  : NULL;
    row->n = 0;
    bsim_row_number(row, "stride", cost->stride);
    bsim_row_number(row, "bytes_apart", cost->bytes_apart);
    bsim_row_number(row, "banks", cost->banks);
    bsim_row_number(row, "ways", cost->counts.ways);
    bsim_row_number(row, "wavefronts", cost->counts.wavefronts);
    bsim_row_least(row, cost->rules);
    bsim_row_number(row, "ideal", cost->counts.ideal);
    bsim_row_number(row, "excessive", bsim_counts_excessive(&cost->counts));
    bsim_row_least(row, cost->rules);
    bsim_row_text(row, "shares", shares);
    bsim_row_instead(row, shares == NULL, "-");
    bsim_row_boolean(row, "at_least", bsim_rules_are_least(cost->rules));
}

static const struct bsim_column columns[] = {
    {"stride", .name = "stride"},
    {"bytes apart", .name = "bytes_apart"},
    {"banks", .name = "banks"},
    {"ways", .name = "ways", .warning = true},
    {"wavefronts", .name = "wavefronts"},
    {"ideal", .name = "ideal"},
    {"excessive", .name = "excessive", .warning = true},
    {"shared by lanes", .name = "shares", .left = true},
};

static void make_head(const struct bsim_device *device, const struct bsim_opcode *opcode,
                      struct bsim_row *head)
{
    bsim_row_head(head);
    bsim_row_text(head, "device", device->name);
    bsim_row_number(head, "banks", device->n_banks);
    bsim_row_number(head, "bank_bytes", device->bank_bytes);
    bsim_row_opcode(head, opcode);
}

static void add_heading(const struct bsim_device *device, const struct bsim_opcode *opcode,
                        struct bsim_buffer *out)
{
    char name[BSIM_OPCODE_NAME_SIZE];
    bsim_buffer_printf(out, "%s on %s: %" PRIu32 " bank%s of %" PRIu32 " bytes\n\n",
                       bsim_opcode_name(opcode, name), device->name, device->n_banks,
                       device->n_banks == 1 ? "" : "s", device->bank_bytes);
}

void bsim_report_strides(const struct bsim_device *device, const struct bsim_stride *strides,
                         size_t n, const struct bsim_report_options *options,
                         struct bsim_buffer *out)
{
    struct bsim_kernel_result kernel = {.device = *device};
    struct bsim_result result = {.n_kernels = 1, .kernels = &kernel};
    struct bsim_document doc;
    struct bsim_row row;
    if (n == 0) {
        return;
    }
    make_head(device, &strides[0].request.opcode, &row);
    bsim_document_begin(&doc, options, &row, out);
    if (bsim_document_speaks(&doc)) {
        add_heading(device, &strides[0].request.opcode, out);
    }
    bsim_document_table(&doc, "strides", columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < n; i++) {
        struct cost cost = cost_of(device, &strides[i]);
        make_row(&cost, &row);
        kernel.rules |= cost.rules;
        bsim_document_row(&doc, &row);
    }
    bsim_document_table_end(&doc);
    if (bsim_document_speaks(&doc)) {
        bsim_buffer_text(out, "\n");
        bsim_basis_text(&result, 0, out);
    }
    bsim_document_rests_on(&doc, &kernel, 0);
    bsim_document_end(&doc);
}

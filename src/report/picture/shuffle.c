/* shuffle.c - which lane gives its value to which in a warp shuffle.
 *
 *     lane    0   1   2 ...
 *     from    3   3   3 ...
 */
#include "base/bits.h"
#include "report/format.h"
#include "report/lanes.h"

#include <banksim/banksim.h>

#include <inttypes.h>
#include <stdio.h>

enum { LANES_ACROSS = 16, MOST_SOURCES = 4, OPCODE_SIZE = 32 };

/* What becomes of a lane. */
enum fate { TAKES, KEEPS, UNDEFINED };

static const struct {
    const char *ptx, *cuda;
} names[] = {
    [BSIM_IDX] = {"idx", "__shfl_sync"},
    [BSIM_UP] = {"up", "__shfl_up_sync"},
    [BSIM_DOWN] = {"down", "__shfl_down_sync"},
    [BSIM_BFLY] = {"bfly", "__shfl_xor_sync"},
};

static uint32_t source_of(const struct bsim_shuffle_ask *ask, uint32_t lane)
{
    return bsim_shuffle_source(ask->operation, lane, ask->operand, ask->width);
}

/* A lane keeps its own value if the one that it asks for lies outside its segment; asking for
 * itself is no different in what comes of it, but meant. */
static enum fate fate_of(const struct bsim_shuffle_ask *ask, uint32_t lane)
{
    uint32_t source = source_of(ask, lane);
    bool asks_itself = ask->operation == BSIM_IDX || ask->operand % BSIM_WARP_LANES == 0;
    if ((ask->mask >> source & 1) == 0) {
        return UNDEFINED;
    }
    return source == lane && !asks_itself ? KEEPS : TAKES;
}

static uint32_t lanes_with(const struct bsim_shuffle_ask *ask, enum fate fate)
{
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        bool is_active = (ask->mask >> lane & 1) != 0;
        lanes |= (uint32_t)(is_active && fate_of(ask, lane) == fate) << lane;
    }
    return lanes;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void add_lanes(const struct bsim_shuffle_ask *ask, uint32_t first, struct bsim_buffer *out)
{
    bsim_buffer_text(out, "lane");
    for (uint32_t lane = first; lane < first + LANES_ACROSS; lane++) {
        bsim_buffer_printf(out, "%4" PRIu32, lane);
    }
    bsim_buffer_text(out, "\nfrom");
    for (uint32_t lane = first; lane < first + LANES_ACROSS; lane++) {
        if ((ask->mask >> lane & 1) == 0) {
            bsim_buffer_text(out, "   .");
        } else if (fate_of(ask, lane) == UNDEFINED) {
            bsim_buffer_text(out, "   ?");
        } else {
            bsim_buffer_printf(out, "%4" PRIu32, source_of(ask, lane));
        }
    }
    bsim_buffer_text(out, "\n\n");
}

static void add_verb(uint32_t lanes, const char *one, const char *several, struct bsim_buffer *out)
{
    bsim_lanes_text(lanes, out);
    bsim_buffer_text(out, bsim_bits_population(lanes) == 1 ? one : several);
}

/* "lanes 0-15 get the value of lane 3", where few lanes give to many. */
static void add_givers(const struct bsim_shuffle_ask *ask, struct bsim_buffer *out)
{
    uint32_t takers[BSIM_WARP_LANES] = {0};
    uint32_t taking = lanes_with(ask, TAKES);
    uint32_t givers = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((taking >> lane & 1) != 0) {
            takers[source_of(ask, lane)] |= UINT32_C(1) << lane;
            givers |= UINT32_C(1) << source_of(ask, lane);
        }
    }
    for (uint32_t giver = 0; giver < BSIM_WARP_LANES; giver++) {
        if (takers[giver] != 0 && bsim_bits_population(givers) <= MOST_SOURCES) {
            add_verb(takers[giver], " gets", " get", out);
            bsim_buffer_printf(out, " the value of lane %" PRIu32 "\n", giver);
        }
    }
}

static void add_text(const struct bsim_shuffle_ask *ask, struct bsim_buffer *out)
{
    uint32_t keeping = lanes_with(ask, KEEPS);
    uint32_t undefined = lanes_with(ask, UNDEFINED);
    bsim_buffer_printf(out, "%s(0x%08" PRIx32 ", x, %" PRIu32 ", %" PRIu32 ")\n",
                       names[ask->operation].cuda, ask->mask, ask->operand, ask->width);
    bsim_buffer_printf(out, "shfl.sync.%s.b32, segments of %" PRIu32 " lane%s\n\n",
                       names[ask->operation].ptx, ask->width, ask->width == 1 ? "" : "s");
    for (uint32_t first = 0; first < BSIM_WARP_LANES; first += LANES_ACROSS) {
        add_lanes(ask, first, out);
    }
    add_givers(ask, out);
    if (keeping != 0) {
        add_verb(keeping, " keeps its own value: its source lies outside its segment\n",
                 " keep their own values: their sources lie outside their segments\n", out);
    }
    if (undefined != 0) {
        add_verb(undefined, " asks a lane that does not take part: what it gets is undefined\n",
                 " ask lanes that do not take part: what they get is undefined\n", out);
    }
    bsim_buffer_text(out, "No bank is asked, so nothing conflicts.\n"
                          "A value of 4 bytes or a half is one shuffle, one of 8 bytes two.\n");
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void make_head(const struct bsim_shuffle_ask *ask, char opcode[OPCODE_SIZE],
                      struct bsim_row *head)
{
    (void)snprintf(opcode, OPCODE_SIZE, "shfl.sync.%s.b32", names[ask->operation].ptx);
    bsim_row_head(head);
    bsim_row_text(head, "opcode", opcode);
    bsim_row_number(head, "operand", ask->operand);
    bsim_row_number(head, "width", ask->width);
    bsim_row_mask(head, ask->mask);
}

static void make_row(const struct bsim_shuffle_ask *ask, uint32_t lane, struct bsim_row *row)
{
    static const char *const fates[] = {
        [TAKES] = "taken", [KEEPS] = "kept", [UNDEFINED] = "undefined"};
    row->n = 0;
    bsim_row_number(row, "lane", lane);
    bsim_row_number(row, "source", source_of(ask, lane));
    bsim_row_text(row, "value", fates[fate_of(ask, lane)]);
}

void bsim_report_shuffle(const struct bsim_shuffle_ask *ask,
                         const struct bsim_report_options *options, struct bsim_buffer *out)
{
    struct bsim_document doc;
    struct bsim_row row;
    char opcode[OPCODE_SIZE];
    make_head(ask, opcode, &row);
    bsim_document_begin(&doc, options, &row, out);
    if (bsim_document_speaks(&doc)) {
        add_text(ask, out);
        return;
    }
    bsim_document_table(&doc, "lanes", NULL, 0);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        make_row(ask, lane, &row);
        bsim_document_names(&doc, &row);
        if ((ask->mask >> lane & 1) != 0) {
            bsim_document_row(&doc, &row);
        }
    }
    bsim_document_table_end(&doc);
    bsim_document_end(&doc);
}

/* picture_svg.c - requests as a figure for slides and papers.
 *
 *     lane   [ 0][ 1][ 2] ...             the lanes, with the pass of each below it
 *     pass     1   1   2
 *              |   |  /                   an arrow to each bank that serves it, coloured and dashed
 *     bank   [ 0][ 1][ 2] ...             by pass; a band where a lane has several banks in a row
 *     word   [ 0][ 1][ 2]                 what each bank serves, pass after pass: the higher the
 *            [32]                         stack, the longer it takes
 *
 * Of other memory, the lines that are touched, one below the other, each with its sectors and
 * words, in which stand the lanes that ask for them.
 *
 * One panel per picture, one below the other. Up to PLAIN_PASSES passes have colours of Okabe and
 * Ito that colour-blind eyes tell apart, and dashes for print without colours; more passes run from
 * blue to vermillion. Pass numbers stand at the lanes in any case. All lengths are in pixels of the
 * figure; text is text, for search and for screen readers.
 */
#include "base/bits.h"
#include "base/memory.h"
#include "report/format.h"
#include "report/lanes.h"
#include "report/picture/array.h"
#include "report/picture/picture.h"
#include "report/picture/traffic.h"
#include "base/xml.h"
#include "report/plain.h"

#include <banksim/banksim.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    WIDTH = 976,
    LEFT = 64,     /* of the first column; its label stands on the left */
    COLUMNS = 896, /* 32 columns of STEP */
    STEP = 28,     /* from lane to lane */
    BOX = 24,      /* a lane's or bank's box */
    HEAD = 66,     /* title and device, above the lanes */
    PLACE = 18,    /* and a line more if there is a place */
    BADGES = 22,   /* the passes of the lanes */
    ARROWS = 132,  /* the room that arrows have */
    CELL = 17,     /* a word in a bank's stack */
    ROW = 40,      /* a line of global memory */
    MAX_ROWS = 9,  /* more of them leave some out before the last, unless all are asked for */
    MAX_STACK = 9, /* cells; longer stacks likewise */
    LEGEND = 26,
    SENTENCE = 20, /* a line of it */
    SENTENCE_COLUMNS = 100,
    GAP = 26, /* between panels */
    TITLE_COLUMNS = 84,
    PLACE_COLUMNS = 140,
    CROWD = 6,
    PLAIN_PASSES = 6,
};

/* Okabe and Ito's colours, without those that white paper swallows; vermillion, green, purple and
 * orange darker, so that numbers in them have a contrast of 4.5:1. Each with its dashes. */
static const struct {
    const char *colour, *dashes;
} looks[PLAIN_PASSES] = {
    {"#0072b2", "none"},     {"#c25200", "8 3"}, {"#007a59", "2 3"},
    {"#b1538b", "10 3 2 3"}, {"#000000", "5 2"}, {"#9c6b00", "1 2"},
};

/* One panel on its way. */
struct panel {
    const struct bsim_drawing *drawing;
    const struct bsim_device *device;
    const struct bsim_traffic *traffic; /* of other memory; else NULL */
    uint32_t n_passes;
    int top;        /* y of its upper edge */
    int bank_step;  /* from bank to bank */
    bool all;       /* rows and cells are drawn, however many */
    int stack;      /* rows of the highest stack that is drawn */
    size_t n_lines; /* of the sentence */
    struct bsim_buffer why;
    struct bsim_buffer *out;
};

/* ---- colours --------------------------------------------------------------------------------- */

static const char *colour_of(const struct panel *panel, uint32_t pass, char out[8])
{
    static const int first[3] = {0x00, 0x72, 0xb2};
    static const int last[3] = {0xc2, 0x52, 0x00};
    int n = (int)panel->n_passes - 1;
    int mix[3];
    if (panel->n_passes <= PLAIN_PASSES) {
        (void)snprintf(out, 8, "%s", looks[pass].colour);
        return out;
    }
    for (int i = 0; i < 3; i++) {
        mix[i] = first[i] + (last[i] - first[i]) * (int)pass / n;
    }
    (void)snprintf(out, 8, "#%02x%02x%02x", (unsigned)mix[0] & 0xff, (unsigned)mix[1] & 0xff,
                   (unsigned)mix[2] & 0xff);
    return out;
}

static const char *dashes_of(const struct panel *panel, uint32_t pass)
{
    return panel->n_passes <= PLAIN_PASSES ? looks[pass].dashes : "none";
}

/* ---- places ---------------------------------------------------------------------------------- */

static int lane_x(uint32_t lane)
{
    return LEFT + STEP * (int)lane + STEP / 2;
}

static int bank_x(const struct panel *panel, uint32_t bank)
{
    return LEFT + panel->bank_step * (int)bank + panel->bank_step / 2;
}

static int lanes_y(const struct panel *panel)
{
    return panel->top + HEAD + (panel->drawing->of->place != NULL ? PLACE : 0);
}

static int arrows_y(const struct panel *panel)
{
    return lanes_y(panel) + BOX + (panel->n_passes > 1 ? BADGES : 4);
}

static int banks_y(const struct panel *panel)
{
    return arrows_y(panel) + ARROWS;
}

static int stacks_y(const struct panel *panel)
{
    return banks_y(panel) + BOX + 4;
}

static int legend_y(const struct panel *panel)
{
    return stacks_y(panel) + CELL * panel->stack + 10;
}

/* Lines of global memory that are drawn. */
static int n_rows(const struct panel *panel)
{
    uint32_t n = panel->traffic->n_lines;
    return n > MAX_ROWS && !panel->all ? MAX_ROWS : (int)n;
}

static int foot_y(const struct panel *panel)
{
    if (panel->traffic != NULL) {
        return lanes_y(panel) + BOX + ROW * n_rows(panel);
    }
    return legend_y(panel) + (panel->n_passes > 1 ? LEGEND : 4);
}

/* Where its arrays begin, and with them it ends. */
static int arrays_y(const struct panel *panel)
{
    return foot_y(panel) + SENTENCE * (int)panel->n_lines + 14;
}

static int end_y(const struct panel *panel)
{
    struct bsim_asked asked;
    return bsim_asked_of(panel->drawing->of, &asked)
               ? bsim_arrays_svg(&asked, LEFT, STEP, arrays_y(panel), NULL)
               : arrays_y(panel);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static void add_label(const struct panel *panel, int y, const char *text)
{
    bsim_buffer_printf(panel->out,
                       "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" font-size=\"13\" "
                       "fill=\"#555\">%s</text>\n",
                       LEFT - 10, y, text);
}

static void add_box(const struct panel *panel, int x, int y, int width, uint32_t number,
                    bool is_used)
{
    bsim_buffer_printf(panel->out,
                       "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\" "
                       "fill=\"%s\" stroke=\"%s\"/>"
                       "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-size=\"%d\" "
                       "fill=\"%s\">%" PRIu32 "</text>\n",
                       x - width / 2, y, width, BOX, is_used ? "#fff" : "#f4f4f4",
                       is_used ? "#333" : "#ccc", x, y + 17, width < 20 ? 9 : 13,
                       is_used ? "#111" : "#666", number);
}

static void add_lanes(const struct panel *panel)
{
    const struct bsim_request *request = &panel->drawing->of->request;
    uint32_t active = bsim_opcode_lanes(&request->opcode, request->mask);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        add_box(panel, lane_x(lane), lanes_y(panel), BOX, lane, (active >> lane & 1) != 0);
    }
}

static void add_banks(const struct panel *panel)
{
    int width = panel->bank_step - (panel->bank_step < 20 ? 1 : STEP - BOX);
    for (uint32_t bank = 0, i = 0; bank < panel->device->n_banks; bank++) {
        bool is_busy = i < panel->drawing->n_busy && panel->drawing->busy[i] == bank;
        add_box(panel, bank_x(panel, bank), banks_y(panel), width, bank, is_busy);
        i += is_busy;
    }
}

/* The passes of one lane, "1", "1,3" or "1-4". */
static void put_passes(const struct panel *panel, uint32_t lane, uint32_t *first, char out[24])
{
    const struct bsim_schedule *schedule = &panel->drawing->schedule;
    uint32_t n = 0;
    uint32_t last = 0;
    for (uint32_t p = 0; p < schedule->n_passes; p++) {
        if ((schedule->pass[p].lanes >> lane & 1) != 0) {
            *first = n++ == 0 ? p : *first;
            last = p;
        }
    }
    if (n == 0) {
        out[0] = '\0';
    } else if (n == 1) {
        (void)snprintf(out, 24, "%" PRIu32, *first + 1);
    } else {
        const char *between = last - *first + 1 == n ? "-" : n == 2 ? "," : "..";
        (void)snprintf(out, 24, "%" PRIu32 "%s%" PRIu32, *first + 1, between, last + 1);
    }
}

static void add_badges(const struct panel *panel)
{
    char passes[24];
    char colour[8];
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES && panel->n_passes > 1; lane++) {
        uint32_t first = 0;
        put_passes(panel, lane, &first, passes);
        if (passes[0] != '\0') {
            bsim_buffer_printf(panel->out,
                               "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-size=\"%d\" "
                               "font-weight=\"bold\" fill=\"%s\">%s</text>\n",
                               lane_x(lane), lanes_y(panel) + BOX + 14,
                               strlen(passes) <= 3 ? 11 : 8, colour_of(panel, first, colour),
                               passes);
        }
    }
}

/* ---- arrows ---------------------------------------------------------------------------------- */

static bool serves(const struct panel *panel, uint32_t pass, uint32_t bank, uint32_t lane)
{
    const struct bsim_grant *grant =
        bank < panel->device->n_banks ? bsim_drawing_grant(panel->drawing, pass, bank) : NULL;
    return grant != NULL && (grant->lanes >> lane & 1) != 0;
}

static void add_tip(const struct panel *panel, uint32_t pass, uint32_t lane, uint32_t first,
                    uint32_t last)
{
    bsim_buffer_printf(panel->out, "<title>pass %" PRIu32 ": lane %" PRIu32 ", bank%s %" PRIu32,
                       pass + 1, lane, first == last ? "" : "s", first);
    if (first != last) {
        bsim_buffer_printf(panel->out, " to %" PRIu32, last);
    }
    bsim_buffer_text(panel->out, "</title>");
}

/* Many arrows to one bank, which thick lines would make a blot. */
static bool is_crowded(const struct panel *panel, uint32_t pass, uint32_t bank)
{
    const struct bsim_grant *grant = bsim_drawing_grant(panel->drawing, pass, bank);
    return bsim_bits_population(grant->lanes) > CROWD || panel->n_passes > CROWD;
}

static void add_arrow(const struct panel *panel, uint32_t pass, uint32_t lane, uint32_t bank)
{
    char colour[8];
    int from = arrows_y(panel);
    int to = banks_y(panel) - 8;
    int bend = ARROWS / 2;
    int x = bank_x(panel, bank);
    (void)colour_of(panel, pass, colour);
    bsim_buffer_printf(panel->out,
                       "<g><path d=\"M%d %dC%d %d %d %d %d %d\" fill=\"none\" stroke=\"%s\" "
                       "stroke-width=\"%s\" stroke-dasharray=\"%s\"/>"
                       "<path d=\"M%d %dl-4 -8h8z\" fill=\"%s\"/>",
                       lane_x(lane), from, lane_x(lane), from + bend, x, to - bend, x, to, colour,
                       is_crowded(panel, pass, bank) ? "1.1" : "2", dashes_of(panel, pass), x,
                       to + 8, colour);
    add_tip(panel, pass, lane, bank, bank);
    bsim_buffer_text(panel->out, "</g>\n");
}

/* From a lane to banks first to last, which follow one another. */
static void add_band(const struct panel *panel, uint32_t pass, uint32_t lane, uint32_t first,
                     uint32_t last)
{
    char colour[8];
    int from = arrows_y(panel);
    int to = banks_y(panel) - 1;
    int bend = ARROWS / 2;
    int half = panel->bank_step / 2 - 2;
    int left = bank_x(panel, first) - half;
    int right = bank_x(panel, last) + half;
    int x = lane_x(lane);
    (void)colour_of(panel, pass, colour);
    bsim_buffer_printf(panel->out,
                       "<g><path d=\"M%d %dC%d %d %d %d %d %dH%dC%d %d %d %d %d %dz\" fill=\"%s\" "
                       "fill-opacity=\"%s\" stroke=\"%s\" stroke-width=\"1.4\" "
                       "stroke-dasharray=\"%s\"/>",
                       x - 4, from, x - 4, from + bend, left, to - bend, left, to, right, right,
                       to - bend, x + 4, from + bend, x + 4, from, colour,
                       panel->n_passes > 1 ? ".06" : ".14", colour, dashes_of(panel, pass));
    add_tip(panel, pass, lane, first, last);
    bsim_buffer_text(panel->out, "</g>\n");
}

static void add_arrows_of(const struct panel *panel, uint32_t pass, uint32_t lane)
{
    for (uint32_t bank = 0; bank < panel->device->n_banks; bank++) {
        uint32_t last = bank;
        if (!serves(panel, pass, bank, lane)) {
            continue;
        }
        while (serves(panel, pass, last + 1, lane)) {
            last++;
        }
        if (last == bank) {
            add_arrow(panel, pass, lane, bank);
        } else {
            add_band(panel, pass, lane, bank, last);
        }
        bank = last;
    }
}

/* The first passes on top of the later ones. */
static void add_arrows(const struct panel *panel)
{
    for (uint32_t pass = panel->n_passes; pass-- > 0;) {
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            if ((panel->drawing->schedule.pass[pass].lanes >> lane & 1) != 0) {
                add_arrows_of(panel, pass, lane);
            }
        }
    }
}

/* ---- stacks ---------------------------------------------------------------------------------- */

static uint32_t height_of(const struct panel *panel, uint32_t bank)
{
    uint32_t n = 0;
    for (uint32_t pass = 0; pass < panel->n_passes; pass++) {
        n += bsim_drawing_grant(panel->drawing, pass, bank) != NULL;
    }
    return n;
}

static void add_cell(const struct panel *panel, const struct bsim_grant *grant, uint32_t pass,
                     int row)
{
    char colour[8];
    int width = panel->bank_step - (panel->bank_step < 20 ? 1 : STEP - BOX);
    int x = bank_x(panel, grant->bank);
    int y = stacks_y(panel) + CELL * row;
    uint32_t word = bsim_grant_address(panel->device, grant) / panel->device->stride_bytes;
    int size = width < 20 ? 6 : word > 9999 ? 8 : 10;
    (void)colour_of(panel, pass, colour);
    bsim_buffer_printf(panel->out,
                       "<g><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\" "
                       "fill-opacity=\".14\" stroke=\"%s\" stroke-width=\"1.3\" "
                       "stroke-dasharray=\"%s\"/>"
                       "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-size=\"%d\">%" PRIu32
                       "</text><title>pass %" PRIu32 ": bank %" PRIu8 " serves ",
                       x - width / 2, y, width, CELL - 3, colour, colour, dashes_of(panel, pass), x,
                       y + 11, size, word, pass + 1, grant->bank);
    bsim_lanes_text(grant->lanes, panel->out);
    bsim_buffer_printf(panel->out, ", byte %" PRIu32 "</title></g>\n",
                       bsim_grant_address(panel->device, grant));
}

static void add_dots(const struct panel *panel, uint32_t bank, int row)
{
    for (int i = -1; i <= 1; i++) {
        bsim_buffer_printf(panel->out, "<circle cx=\"%d\" cy=\"%d\" r=\"1.4\" fill=\"#555\"/>\n",
                           bank_x(panel, bank), stacks_y(panel) + CELL * row + 7 + 5 * i);
    }
}

static void add_stack(const struct panel *panel, uint32_t bank)
{
    uint32_t height = height_of(panel, bank);
    uint32_t row = 0;
    for (uint32_t pass = 0; pass < panel->n_passes; pass++) {
        const struct bsim_grant *grant = bsim_drawing_grant(panel->drawing, pass, bank);
        if (grant == NULL) {
            continue;
        }
        if (height <= MAX_STACK || panel->all || row < MAX_STACK - 2) {
            add_cell(panel, grant, pass, (int)row);
        } else if (row == MAX_STACK - 2) {
            add_dots(panel, bank, (int)row);
        } else if (row == height - 1) {
            add_cell(panel, grant, pass, MAX_STACK - 1);
        }
        row++;
    }
}

/* ---- words ----------------------------------------------------------------------------------- */

/* A stroke as the pass's arrows have it. */
static void add_stroke(const struct panel *panel, uint32_t pass, int x, int width)
{
    char colour[8];
    bsim_buffer_printf(panel->out,
                       "<path d=\"M%d %dh%d\" stroke=\"%s\" stroke-width=\"3\" "
                       "stroke-dasharray=\"%s\"/>",
                       x, legend_y(panel) + 10, width, colour_of(panel, pass, colour),
                       dashes_of(panel, pass));
}

/* Each pass's stroke; of many, some, whose colours run from the first pass to the last. */
static void add_legend(const struct panel *panel)
{
    enum { STROKE = 36, SHADE = 16, ENTRY = 122 };
    static const char text[] = "<text x=\"%d\" y=\"%d\" font-size=\"13\">";
    uint32_t n = panel->n_passes;
    int y = legend_y(panel) + 14;
    for (uint32_t i = 0; i < PLAIN_PASSES && n > PLAIN_PASSES; i++) {
        add_stroke(panel, i * (n - 1) / (PLAIN_PASSES - 1), LEFT + SHADE * (int)i, SHADE);
    }
    if (n > PLAIN_PASSES) {
        bsim_buffer_printf(panel->out, text, LEFT + SHADE * PLAIN_PASSES + 6, y);
        bsim_buffer_printf(panel->out, "passes 1 to %" PRIu32 "</text>\n", n);
    }
    for (uint32_t pass = 0; pass < n && n > 1 && n <= PLAIN_PASSES; pass++) {
        int x = LEFT + ENTRY * (int)pass;
        add_stroke(panel, pass, x, STROKE);
        bsim_buffer_printf(panel->out, text, x + STROKE + 6, y);
        bsim_buffer_printf(panel->out, "pass %" PRIu32 "</text>\n", pass + 1);
    }
}

/* Where a line of at most `columns` characters ends, at a blank if there is one. */
static size_t line_end(const char *text, size_t columns)
{
    size_t length = strlen(text);
    if (length <= columns) {
        return length;
    }
    for (length = columns; length > 1 && text[length] != ' '; length--) {
    }
    return length;
}

/* The length of the next of n_left lines that are about as long. */
static size_t next_line(const char *text, size_t n_left)
{
    size_t columns = strlen(text) / n_left + 8;
    return n_left > 1 ? line_end(text, columns) : strlen(text);
}

static void add_sentence(const struct panel *panel)
{
    const char *text = panel->why.data;
    for (size_t i = 0; i < panel->n_lines; i++) {
        size_t length = next_line(text, panel->n_lines - i);
        bsim_buffer_printf(panel->out,
                           "<text x=\"%d\" y=\"%d\" font-size=\"15\" font-weight=\"bold\">%.*s"
                           "</text>\n",
                           LEFT, foot_y(panel) + SENTENCE * (int)i + 15, (int)length, text);
        text += length;
        text += *text == ' ';
    }
}

/* "ld.shared.b32 on sm_90, 32 banks of 4 bytes: 2 wavefronts, ideal 1, excessive 1" */
static void add_subtitle(const struct panel *panel)
{
    const struct bsim_counts *counts = &panel->drawing->counts;
    char opcode[BSIM_OPCODE_NAME_SIZE];
    (void)bsim_opcode_name(&panel->drawing->of->request.opcode, opcode);
    if (panel->traffic != NULL) {
        bsim_buffer_printf(panel->out, "%s on %s", opcode, panel->device->name);
        return;
    }
    bsim_buffer_printf(
        panel->out,
        "%s on %s, %" PRIu32 " bank%s of %" PRIu32 " bytes%s: %s%" PRIu32 " wavefront%s, ideal "
        "%" PRIu32 ", excessive %" PRIu32 "; ",
        opcode, panel->device->name, panel->device->n_banks, panel->device->n_banks == 1 ? "" : "s",
        panel->device->bank_bytes,
        panel->device->bank_bytes == 4     ? ""
        : panel->device->stride_bytes == 4 ? ", 4-byte mode"
                                           : ", 8-byte mode",
        bsim_rules_are_least(counts->rules) ? "at least " : "", counts->wavefronts,
        counts->wavefronts == 1 ? "" : "s", counts->ideal, bsim_counts_excessive(counts));
    bsim_drawing_busy(panel->drawing, panel->out);
}

static void add_head(const struct panel *panel)
{
    const struct bsim_picture *picture = panel->drawing->of;
    char plain[4 * TITLE_COLUMNS];
    char place[4 * PLACE_COLUMNS];
    bsim_buffer_printf(panel->out, "<text x=\"%d\" y=\"%d\" font-size=\"20\" font-weight=\"bold\">",
                       LEFT, panel->top + 24);
    bsim_xml_text(bsim_plain(picture->title != NULL ? picture->title : "request", TITLE_COLUMNS,
                             plain, sizeof plain),
                  panel->out);
    bsim_buffer_printf(panel->out,
                       "</text>\n<text x=\"%d\" y=\"%d\" font-size=\"13\" fill=\"#444\">", LEFT,
                       panel->top + 46);
    add_subtitle(panel);
    bsim_buffer_text(panel->out, "</text>\n");
    if (picture->place != NULL) {
        bsim_buffer_printf(panel->out, "<text x=\"%d\" y=\"%d\" font-size=\"13\" fill=\"#444\">",
                           LEFT, panel->top + 46 + PLACE);
        bsim_xml_text(bsim_plain(picture->place, PLACE_COLUMNS, place, sizeof place), panel->out);
        bsim_buffer_text(panel->out, "</text>\n");
    }
}

/* ---- other memory ---------------------------------------------------------------------------- */

/* A word of 4 bytes, with the lanes that ask for it. */
static void add_word(const struct panel *panel, const struct bsim_traffic_line *line, uint32_t word,
                     int y)
{
    uint32_t lanes = line->lanes[word];
    uint32_t n = bsim_bits_population(lanes);
    int x = LEFT + STEP * (int)word;
    bsim_buffer_printf(panel->out,
                       "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\" "
                       "stroke=\"#ccc\"/>",
                       x, y, STEP, BOX, n > 0 ? looks[0].colour : "#fff");
    if (n > 0) {
        bsim_buffer_printf(panel->out,
                           "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-size=\"%d\" "
                           "fill=\"#fff\">%" PRIu32 "%s<title>",
                           x + STEP / 2, y + 17, n > 1 ? 11 : 13, bsim_bits_lowest(lanes),
                           n > 1 ? "+" : "");
        bsim_lanes_text(lanes, panel->out);
        bsim_buffer_text(panel->out, "</title></text>");
    }
    bsim_buffer_text(panel->out, "\n");
}

/* A sector's frame: strong if it moves. */
static void add_sector(const struct panel *panel, const struct bsim_traffic_line *line,
                       uint32_t sector, int y)
{
    int width = COLUMNS / BSIM_LINE_SECTORS;
    bool moves = bsim_traffic_sector(line, sector) != 0;
    bsim_buffer_printf(panel->out,
                       "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" "
                       "stroke=\"%s\" stroke-width=\"%d\"/>\n",
                       LEFT + width * (int)sector, y, width, BOX, moves ? "#111" : "#999",
                       moves ? 3 : 1);
}

static void add_row(const struct panel *panel, const struct bsim_traffic_line *line, int y)
{
    char label[24];
    (void)snprintf(label, sizeof label, "+%" PRIu64, line->number - panel->traffic->line[0].number);
    add_label(panel, y + 17, label);
    for (uint32_t word = 0; word < BSIM_LINE_WORDS; word++) {
        add_word(panel, line, word, y);
    }
    for (uint32_t pass = 0; pass < 2; pass++) { /* strong frames above their neighbours' */
        for (uint32_t sector = 0; sector < BSIM_LINE_SECTORS; sector++) {
            if ((bsim_traffic_sector(line, sector) != 0) == (pass == 1)) {
                add_sector(panel, line, sector, y);
            }
        }
    }
}

static void add_rows(const struct panel *panel)
{
    const struct bsim_traffic *traffic = panel->traffic;
    bool is_cut = traffic->n_lines > (uint32_t)n_rows(panel);
    int top = lanes_y(panel);
    add_label(panel, top + 12, "line");
    for (int row = 0; row < n_rows(panel); row++) {
        uint32_t line = is_cut && row == MAX_ROWS - 1 ? traffic->n_lines - 1 : (uint32_t)row;
        int y = top + BOX + ROW * row - 8;
        if (is_cut && row == MAX_ROWS - 2) {
            bsim_buffer_printf(panel->out,
                               "<text x=\"%d\" y=\"%d\" font-size=\"13\" fill=\"#444\">%" PRIu32
                               " more lines</text>\n",
                               LEFT, y + 17, traffic->n_lines - (MAX_ROWS - 1));
        } else {
            add_row(panel, &traffic->line[line], y);
        }
    }
}

/* ---- the figure ------------------------------------------------------------------------------ */

static void measure_traffic(struct panel *panel)
{
    bsim_traffic_why(panel->traffic, &panel->why);
    panel->out->failed = panel->out->failed || panel->why.failed;
    panel->n_lines = panel->why.failed ? 0 : panel->why.size_bytes / SENTENCE_COLUMNS + 1;
}

static void measure(struct panel *panel)
{
    const struct bsim_drawing *drawing = panel->drawing;
    uint32_t highest = 1;
    int n_banks = (int)panel->device->n_banks;
    for (uint32_t i = 0; i < drawing->n_busy; i++) {
        uint32_t height = height_of(panel, drawing->busy[i]);
        highest = height > highest ? height : highest;
    }
    panel->stack = highest < MAX_STACK || panel->all ? (int)highest : MAX_STACK;
    panel->bank_step = n_banks <= BSIM_WARP_LANES ? STEP : COLUMNS / n_banks;
    bsim_request_why(panel->device, &drawing->of->request, &drawing->schedule, &panel->why);
    panel->out->failed = panel->out->failed || panel->why.failed;
    panel->n_lines = panel->why.failed ? 0 : panel->why.size_bytes / SENTENCE_COLUMNS + 1;
}

static void add_panel(const struct panel *panel)
{
    bool is_matrix = bsim_opcode_is_matrix(&panel->drawing->of->request.opcode);
    bsim_buffer_text(panel->out, "<g>\n");
    add_head(panel);
    if (panel->traffic != NULL) {
        add_rows(panel);
        add_sentence(panel);
        bsim_buffer_text(panel->out, "</g>\n");
        return;
    }
    add_arrows(panel);
    add_label(panel, lanes_y(panel) + 17, is_matrix ? "row of" : "lane");
    add_lanes(panel);
    if (panel->n_passes > 1) {
        add_label(panel, lanes_y(panel) + BOX + 14, "pass");
        add_badges(panel);
    }
    add_label(panel, banks_y(panel) + 17, "bank");
    add_banks(panel);
    add_label(panel, stacks_y(panel) + 12,
              panel->device->stride_bytes == 8 ? "8 bytes"
              : panel->device->bank_bytes == 8 ? "1st word"
                                               : "word");
    for (uint32_t i = 0; i < panel->drawing->n_busy; i++) {
        add_stack(panel, panel->drawing->busy[i]);
    }
    add_legend(panel);
    add_sentence(panel);
    struct bsim_asked asked;
    if (bsim_asked_of(panel->drawing->of, &asked)) {
        (void)bsim_arrays_svg(&asked, LEFT, STEP, arrays_y(panel), panel->out);
    }
    bsim_buffer_text(panel->out, "</g>\n");
}

/* The figure's name and description, for those who do not see it: title and sentence of each. */
static void add_description(const struct panel *panels, size_t n, struct bsim_buffer *out)
{
    const char *separator = "";
    bsim_buffer_text(out, "<title>");
    for (size_t i = 0; i < n; i++) {
        const char *title = panels[i].drawing->of->title;
        bsim_buffer_text(out, separator);
        bsim_xml_text(title != NULL ? title : "request", out);
        separator = "; ";
    }
    bsim_buffer_text(out, "</title>\n<desc>");
    for (size_t i = 0; i < n; i++) {
        const char *title = panels[i].drawing->of->title;
        bsim_buffer_text(out, i > 0 ? " " : "");
        bsim_xml_text(title != NULL ? title : "request", out);
        bsim_buffer_text(out, ": ");
        bsim_xml_text(panels[i].why.data != NULL ? panels[i].why.data : "", out);
        if (panels[i].drawing->of->place != NULL) {
            bsim_buffer_text(out, " (");
            bsim_xml_text(panels[i].drawing->of->place, out);
            bsim_buffer_text(out, ")");
        }
    }
    bsim_buffer_text(out, "</desc>\n");
}

static void add_figure(struct panel *panels, size_t n, struct bsim_buffer *out)
{
    int top = 6;
    for (size_t i = 0; i < n; i++) {
        panels[i].top = top;
        top = end_y(&panels[i]) + GAP;
    }
    int height = top - GAP;
    bsim_buffer_printf(out,
                       "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                       "viewBox=\"0 0 %d %d\" role=\"img\" font-family=\"Helvetica, Arial, "
                       "'Liberation Sans', sans-serif\" fill=\"#111\">\n",
                       WIDTH, height, WIDTH, height);
    add_description(panels, n, out);
    bsim_buffer_printf(out, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", WIDTH, height);
    for (size_t i = 0; i < n; i++) {
        if (i > 0) {
            bsim_buffer_printf(out, "<path d=\"M%d %dH%d\" stroke=\"#ccc\"/>\n", LEFT,
                               panels[i].top - GAP / 2, LEFT + COLUMNS);
        }
        add_panel(&panels[i]);
    }
    bsim_buffer_text(out, "</svg>\n");
}

static void make_panel(const struct bsim_picture *picture, const struct bsim_picture_style *style,
                       struct bsim_drawing *drawing, struct bsim_traffic *traffic,
                       struct panel *panel, struct bsim_buffer *out)
{
    *panel = (struct panel){.drawing = drawing,
                            .device = &picture->device,
                            .all = style->all,
                            .why = BSIM_BUFFER_EMPTY,
                            .out = out};
    if (bsim_traffic_is(picture)) {
        drawing->of = picture;
        bsim_traffic_make(picture, traffic);
        panel->traffic = traffic;
        measure_traffic(panel);
    } else {
        bsim_drawing_make(picture, drawing);
        panel->n_passes = drawing->schedule.n_passes;
        measure(panel);
    }
}

static void draw(const struct bsim_picture *pictures, size_t n,
                 const struct bsim_picture_style *style, struct bsim_document *doc)
{
    struct bsim_buffer *out = doc->out;
    struct panel *panels = bsim_mem_zeroed(n, sizeof *panels);
    struct bsim_drawing *drawings = bsim_mem_zeroed(n, sizeof *drawings);
    struct bsim_traffic *traffic = bsim_mem_zeroed(n, sizeof *traffic);
    if (panels == NULL || drawings == NULL || traffic == NULL) {
        out->failed = true;
    } else {
        for (size_t i = 0; i < n; i++) {
            make_panel(&pictures[i], style, &drawings[i], &traffic[i], &panels[i], out);
        }
        add_figure(panels, n, out);
        for (size_t i = 0; i < n; i++) {
            bsim_buffer_free(&panels[i].why);
        }
    }
    bsim_mem_free(panels);
    bsim_mem_free(drawings);
    bsim_mem_free(traffic);
}

const struct bsim_renderer bsim_svg_renderer = {
    .name = "svg", .shows = BSIM_PICTURES, .pictures = draw};

/* picture_text.c - a request on a terminal, 80 columns wide or as wide as the style says.
 *
 *     bank           0   2   4   6   8  10  12  14  16  18  20  22  24  26  28  30
 *     pass 1  lane   0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15
 *             word   0   2   4   6   8  10  12  14  16  18  20  22  24  26  28  30
 *     pass 2  lane  16  17  18  19  20  21  22  23  24  25  26  27  28  29  30  31
 *             word  32  34  36  38  40  42  44  46  48  50  52  54  56  58  60  62
 *
 * Idle banks have no column. The others stand in strips of 32, 16, 8, 4, ... cells, as many as there
 * is room for and as wide as the texts in them need; where that would make too many strips, a cell's
 * lanes stand one below the other.
 */
#include "base/bits.h"
#include "base/wrap.h"
#include "report/basis.h"
#include "report/format.h"
#include "report/lanes.h"
#include "report/picture/array.h"
#include "report/picture/picture.h"
#include "report/picture/traffic.h"
#include "report/plain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    LABEL = 13,      /* columns of "pass 1  lane " */
    CELL_TEXT = 160, /* bytes of the longest text of a cell, 32 lanes one by one */
    CELL_LINES = 3,
    WIDE_STRIPS = 2,  /* cells become wider only if no more strips than these come of it */
    MANY_PASSES = 12, /* more than these are not all shown ... */
    FIRST_PASSES = 8, /* ... but these and the last */
    PLACE_COLUMNS = 240,
    SENTENCE_COLUMNS = 80, /* longer lines are hard to read, however wide the terminal is */
};

/* The lines of a pass. */
enum line { LINE_LANES, LINE_OTHERS, LINE_WORDS, N_LINES };

/* One picture on its way. */
struct text {
    const struct bsim_drawing *drawing;
    const struct bsim_device *device;
    const struct bsim_picture_style *style;
    uint32_t columns;       /* of a line */
    uint32_t width;         /* of a cell */
    bool has_runs[N_LINES]; /* lanes as "8-11": every run of the picture's fits its cell */
    struct bsim_buffer *out;
};

/* ---- cells ----------------------------------------------------------------------------------- */

static bool is_matrix(const struct text *text)
{
    return bsim_opcode_is_matrix(&text->drawing->of->request.opcode);
}

static const char *label_of(const struct text *text, enum line line)
{
    bool loads = text->drawing->of->request.opcode.family == BSIM_LDMATRIX;
    switch (line) {
    case LINE_LANES:
        return is_matrix(text) ? "row" : "lane";
    case LINE_OTHERS:
        return loads ? "to" : "from";
    case LINE_WORDS:
    case N_LINES:
        break;
    }
    return text->device->stride_bytes == 8 ? "8 B" : "word";
}

/* "0", or "0,32" where Kepler's row has two words that do not follow one another. */
static void put_words(const struct bsim_device *device, const struct bsim_grant *grant,
                      char out[CELL_TEXT])
{
    uint32_t first = bsim_grant_address(device, grant);
    if (device->bank_bytes == 8 && device->stride_bytes == 4 && grant->halves == 3) {
        (void)snprintf(out, CELL_TEXT, "%" PRIu32 ",%" PRIu32, first / 4,
                       bsim_grant_word_address(device, grant, 1) / 4);
    } else {
        (void)snprintf(out, CELL_TEXT, "%" PRIu32, first / device->stride_bytes);
    }
}

/* The lanes, as runs ("0-3") or one by one; returns the columns of the widest run. */
static size_t put_lanes(uint32_t lanes, bool as_runs, char out[CELL_TEXT])
{
    size_t widest = 0;
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        char run[16];
        uint32_t last = lane;
        if ((lanes >> lane & 1) == 0) {
            continue;
        }
        while (as_runs && last + 1 < BSIM_WARP_LANES && (lanes >> (last + 1) & 1) != 0) {
            last++;
        }
        (void)snprintf(run, sizeof run, last == lane ? "%" PRIu32 : "%" PRIu32 "-%" PRIu32, lane,
                       last);
        widest = strlen(run) > widest ? strlen(run) : widest;
        used += (size_t)snprintf(out + used, CELL_TEXT - used, "%s%s", used > 0 ? "," : "", run);
        lane = last;
    }
    return widest;
}

static uint32_t lanes_of(const struct bsim_grant *grant, enum line line)
{
    return line == LINE_LANES ? grant->lanes : grant->receivers;
}

static void put_cell(const struct text *text, const struct bsim_grant *grant, enum line line,
                     char out[CELL_TEXT])
{
    if (line == LINE_WORDS) {
        put_words(text->device, grant, out);
    } else {
        (void)put_lanes(lanes_of(grant, line), text->has_runs[line], out);
    }
}

/* Cuts the text at commas into lines of at most width - 1 columns; returns how many there are. */
static size_t cut_cell(const char *cell, size_t width, const char *lines[], size_t lengths[])
{
    size_t n = 0;
    while (*cell != '\0') {
        size_t length = strcspn(cell, ",");
        while (cell[length] == ',' && length + 1 + strcspn(cell + length + 1, ",") < width) {
            length += 1 + strcspn(cell + length + 1, ",");
        }
        lines[n] = cell;
        lengths[n++] = length;
        cell += length;
        cell += *cell == ',';
    }
    return n;
}

/* ---- the widths ------------------------------------------------------------------------------ */

/* As many cells of that many columns as fit beside a label of so many; a power of two. */
static uint32_t cells_across(const struct text *text, uint32_t label, uint32_t width)
{
    uint32_t n = 1;
    while (2 * n * width <= text->columns - label) {
        n *= 2;
    }
    return n;
}

static uint32_t strips_of(const struct text *text, uint32_t width)
{
    uint32_t per_strip = cells_across(text, LABEL, width);
    return (text->drawing->n_busy + per_strip - 1) / per_strip;
}

/* The smallest width, 4, 8, ..., in which every word fits on a line, and every cell's lanes too
 * unless that made too many strips. */
static uint32_t choose_width(const struct text *text)
{
    const struct bsim_schedule *schedule = &text->drawing->schedule;
    char cell[CELL_TEXT];
    size_t needs = 0;
    size_t wants = 0;
    for (uint32_t i = 0; i < schedule->n_grants; i++) {
        put_words(text->device, &schedule->grant[i], cell);
        size_t words = strcspn(cell, ",");
        needs = words > needs ? words : needs;
        for (enum line line = LINE_LANES; line < N_LINES; line++) {
            put_cell(text, &schedule->grant[i], line, cell);
            wants = strlen(cell) > wants ? strlen(cell) : wants;
        }
    }
    uint32_t width = 4;
    while (2 * width <= text->columns - LABEL &&
           (width <= needs || (width <= wants && strips_of(text, 2 * width) <= WIDE_STRIPS))) {
        width *= 2;
    }
    return width;
}

/* Runs that do not fit all are none: a reader would take "8-9" beside stacked lanes for more. */
static void choose_runs(struct text *text)
{
    const struct bsim_schedule *schedule = &text->drawing->schedule;
    char cell[CELL_TEXT];
    for (uint32_t i = 0; i < schedule->n_grants; i++) {
        for (enum line line = LINE_LANES; line < LINE_WORDS; line++) {
            if (put_lanes(lanes_of(&schedule->grant[i], line), true, cell) >= text->width) {
                text->has_runs[line] = false;
            }
        }
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void put_colour(const struct text *text, const char *code)
{
    if (text->style->colour) {
        bsim_buffer_printf(text->out, "\x1b[%sm", code);
    }
}

/* Blue for a group's first pass, red for those that conflicts add, which colour-blind eyes tell
 * apart; bold for a word that several lanes share. Of the 256 colours, two of the few whose contrast
 * is 4.5:1 or more on black and on white alike: #5f5fff has 4.6 and 4.6, #af5f5f has 4.5 and 4.6. */
static const char *colour_of(const struct text *text, const struct bsim_grant *grant, uint32_t pass)
{
    bool is_shared = bsim_bits_population(grant->lanes) > 1;
    if (text->drawing->turn[pass] == 0) {
        return is_shared ? "1;38;5;63" : "38;5;63";
    }
    return is_shared ? "1;38;5;131" : "38;5;131";
}

/* How many lanes "4-7,9" names. */
static uint32_t count_named(const char *text)
{
    uint32_t n = 0;
    while (*text != '\0') {
        unsigned first = 0;
        unsigned last = 0;
        n += sscanf(text, "%u-%u", &first, &last) == 2 ? last - first + 1 : 1;
        text += strcspn(text, ",");
        text += *text == ',';
    }
    return n;
}

/* One line of a cell, on the right of its columns; with what is left out as "+5" in the last. */
static void add_piece(const struct text *text, const char *cell, size_t row)
{
    const char *lines[BSIM_WARP_LANES];
    size_t lengths[BSIM_WARP_LANES];
    char more[16];
    size_t n = cut_cell(cell, text->width, lines, lengths);
    if (row >= n) {
        bsim_buffer_printf(text->out, "%*s", (int)text->width, "");
    } else if (row == CELL_LINES - 1 && n > CELL_LINES) {
        (void)snprintf(more, sizeof more, "+%" PRIu32, count_named(lines[row]));
        bsim_buffer_printf(text->out, "%*s", (int)text->width, more);
    } else {
        bsim_buffer_printf(text->out, "%*s%.*s", (int)(text->width - lengths[row]), "",
                           (int)lengths[row], lines[row]);
    }
}

static void trim_line(struct bsim_buffer *out)
{
    while (out->size_bytes > 0 && out->data[out->size_bytes - 1] == ' ') {
        out->data[--out->size_bytes] = '\0';
    }
    bsim_buffer_text(out, "\n");
}

/* How many lines the strip's cells of this kind take up. */
static size_t height_of(const struct text *text, uint32_t pass, enum line line, uint32_t first,
                        uint32_t end)
{
    const char *lines[BSIM_WARP_LANES];
    size_t lengths[BSIM_WARP_LANES];
    char cell[CELL_TEXT];
    size_t height = 1;
    for (uint32_t i = first; i < end; i++) {
        const struct bsim_grant *grant =
            bsim_drawing_grant(text->drawing, pass, text->drawing->busy[i]);
        if (grant != NULL) {
            put_cell(text, grant, line, cell);
            size_t n = cut_cell(cell, text->width, lines, lengths);
            height = n > height ? n : height;
        }
    }
    return height < CELL_LINES ? height : CELL_LINES;
}

static void add_row(const struct text *text, uint32_t pass, enum line line, size_t row,
                    uint32_t first, uint32_t end)
{
    char cell[CELL_TEXT];
    for (uint32_t i = first; i < end; i++) {
        const struct bsim_grant *grant =
            bsim_drawing_grant(text->drawing, pass, text->drawing->busy[i]);
        if (grant == NULL) {
            bsim_buffer_printf(text->out, "%*s%s", (int)text->width - 1, "",
                               line != LINE_LANES || row > 0 ? " "
                               : text->style->utf8           ? "\xc2\xb7"
                                                             : ".");
            continue;
        }
        put_cell(text, grant, line, cell);
        if (line == LINE_WORDS) {
            add_piece(text, cell, row);
        } else {
            put_colour(text, colour_of(text, grant, pass));
            add_piece(text, cell, row);
            put_colour(text, "0");
        }
    }
    trim_line(text->out);
}

static void add_pass(const struct text *text, uint32_t pass, uint32_t first, uint32_t end)
{
    char label[LABEL + 8];
    (void)snprintf(label, sizeof label, "pass %" PRIu32, pass + 1);
    for (enum line line = LINE_LANES; line < N_LINES; line++) {
        if (line == LINE_OTHERS && !is_matrix(text)) {
            continue;
        }
        size_t height = height_of(text, pass, line, first, end);
        for (size_t row = 0; row < height; row++) {
            bsim_buffer_printf(text->out, "%-8s%-*s", line == LINE_LANES && row == 0 ? label : "",
                               LABEL - 8, row == 0 ? label_of(text, line) : "");
            add_row(text, pass, line, row, first, end);
        }
    }
}

/* ---- strips ---------------------------------------------------------------------------------- */

/* "-- lanes 0-7 ---" in front of a group's passes, if there are several groups. */
static void add_group(const struct text *text, uint32_t pass, uint32_t end, uint32_t first)
{
    const struct bsim_schedule *schedule = &text->drawing->schedule;
    const char *dash = text->style->utf8 ? "\xe2\x94\x80" : "-";
    if (schedule->n_groups == 1 || text->drawing->turn[pass] > 0) {
        return;
    }
    uint32_t lanes = schedule->group_lanes[schedule->pass[pass].group];
    char name[CELL_TEXT];
    (void)put_lanes(lanes, true, name);
    if (strlen(name) + LABEL > text->columns) {
        (void)snprintf(name, sizeof name, "%" PRIu32 " and %" PRIu32 " others",
                       bsim_bits_lowest(lanes), bsim_bits_population(lanes) - 1);
    }
    size_t used = strlen(name) + strlen("-- lanes  ");
    bsim_buffer_printf(text->out, "%s%s lane%s %s ", dash, dash,
                       bsim_bits_population(lanes) == 1 ? "" : "s", name);
    used -= bsim_bits_population(lanes) == 1;
    for (; used < LABEL + (end - first) * text->width; used++) {
        bsim_buffer_text(text->out, dash);
    }
    trim_line(text->out);
}

static bool is_shown(const struct text *text, uint32_t pass)
{
    uint32_t n = text->drawing->schedule.n_passes;
    return text->style->all || n <= MANY_PASSES || pass < FIRST_PASSES || pass == n - 1;
}

static void add_strip(const struct text *text, uint32_t first, uint32_t end)
{
    uint32_t n = text->drawing->schedule.n_passes;
    put_colour(text, "1");
    bsim_buffer_printf(text->out, "%-*s", LABEL, "bank");
    for (uint32_t i = first; i < end; i++) {
        bsim_buffer_printf(text->out, "%*" PRIu8, (int)text->width, text->drawing->busy[i]);
    }
    put_colour(text, "0");
    bsim_buffer_text(text->out, "\n");
    for (uint32_t pass = 0; pass < n; pass++) {
        if (is_shown(text, pass)) {
            add_group(text, pass, end, first);
            add_pass(text, pass, first, end);
        } else if (is_shown(text, pass - 1)) {
            bsim_buffer_printf(text->out,
                               "%s passes %" PRIu32 " to %" PRIu32 " are left out (--all)\n",
                               text->style->utf8 ? "\xe2\x8b\xae " : "...", pass + 1, n - 1);
        }
    }
}

/* The passes of banks first to end - 1. */
static void add_turns(const struct text *text, const uint32_t turns[], uint32_t first, uint32_t end)
{
    char label[LABEL + 16];
    (void)snprintf(label, sizeof label, "banks %" PRIu32 "-%" PRIu32, first, end - 1);
    bsim_buffer_printf(text->out, "%-*s", LABEL + 1, label);
    for (uint32_t bank = first; bank < end; bank++) {
        if (turns[bank] == 0) {
            bsim_buffer_text(text->out, text->style->utf8 ? "\xc2\xb7" : ".");
        } else if (turns[bank] > 9) {
            bsim_buffer_text(text->out, "+");
        } else {
            bsim_buffer_printf(text->out, "%" PRIu32, turns[bank]);
        }
    }
}

/* In how many passes each bank serves: '.' in none, '+' in more than nine. */
static void add_map(const struct text *text)
{
    uint32_t turns[BSIM_MAX_BANKS] = {0};
    bool has_many = false;
    const struct bsim_schedule *schedule = &text->drawing->schedule;
    for (uint32_t i = 0; i < schedule->n_grants; i++) {
        has_many |= ++turns[schedule->grant[i].bank] > 9;
    }
    bsim_buffer_text(text->out, "\n");
    uint32_t n_banks = text->device->n_banks, across = cells_across(text, LABEL + 1, 1), end;
    for (uint32_t first = 0; first < n_banks; first = end) {
        end = first + across < n_banks ? first + across : n_banks;
        bsim_buffer_text(text->out, first > 0 ? "\n" : "");
        add_turns(text, turns, first, end);
    }
    const char *note = has_many ? "passes of each bank (+: over 9)" : "passes of each bank";
    bool fits = n_banks <= across && LABEL + 1 + n_banks + 2 + strlen(note) <= text->columns;
    bsim_buffer_printf(text->out, "%s%s\n", fits ? "  " : "\n", note);
}

/* ---- a picture ------------------------------------------------------------------------------- */

static void add_sentence(const struct text *text, const char *sentence)
{
    bsim_wrap(sentence, strlen(sentence),
              text->columns < SENTENCE_COLUMNS ? text->columns : SENTENCE_COLUMNS, text->out);
}

static void add_head(const struct text *text)
{
    const struct bsim_picture *picture = text->drawing->of;
    char opcode[BSIM_OPCODE_NAME_SIZE];
    char plain[4 * PLACE_COLUMNS];
    if (picture->title != NULL) {
        put_colour(text, "1");
        bsim_buffer_text(text->out,
                         bsim_plain(picture->title,
                                    text->columns < PLACE_COLUMNS ? text->columns : PLACE_COLUMNS,
                                    plain, sizeof plain));
        put_colour(text, "0");
        bsim_buffer_text(text->out, "\n");
    }
    (void)snprintf(plain, sizeof plain, "%s on %s, %" PRIu32 " bank%s of %" PRIu32 " bytes%s",
                   bsim_opcode_name(&picture->request.opcode, opcode), text->device->name,
                   text->device->n_banks, text->device->n_banks == 1 ? "" : "s",
                   text->device->bank_bytes,
                   text->device->bank_bytes == 4     ? ""
                   : text->device->stride_bytes == 4 ? ", 4-byte mode"
                                                     : ", 8-byte mode");
    add_sentence(text, plain);
    if (picture->place != NULL) {
        add_sentence(text, bsim_plain(picture->place, PLACE_COLUMNS, plain, sizeof plain));
    }
    bsim_buffer_text(text->out, "\n");
}

static void add_assumed(const struct text *text, const struct bsim_result *result)
{
    struct bsim_buffer basis = BSIM_BUFFER_EMPTY;
    bsim_basis_assumed(result, 0, &basis);
    if (basis.failed) {
        text->out->failed = true;
    } else {
        basis.data[--basis.size_bytes] = '\0'; /* its line's end */
        add_sentence(text, basis.data);
    }
    bsim_buffer_free(&basis);
}

/* "2 wavefronts, ideal 1, excessive 1, 2-way; 16 banks busy, 16 idle" */
static void add_counts(const struct text *text)
{
    const struct bsim_counts *counts = &text->drawing->counts;
    struct bsim_buffer line = BSIM_BUFFER_EMPTY;
    bsim_buffer_printf(&line,
                       "%s%" PRIu32 " wavefront%s, ideal %" PRIu32 ", excessive %" PRIu32
                       ", %" PRIu32 "-way; ",
                       bsim_rules_are_least(counts->rules) ? "at least " : "", counts->wavefronts,
                       counts->wavefronts == 1 ? "" : "s", counts->ideal,
                       bsim_counts_excessive(counts), counts->ways);
    bsim_drawing_busy(text->drawing, &line);
    if (line.failed) {
        text->out->failed = true;
    } else {
        add_sentence(text, line.data);
    }
    bsim_buffer_free(&line);
}

static void add_foot(const struct text *text)
{
    const struct bsim_drawing *drawing = text->drawing;
    struct bsim_buffer why = BSIM_BUFFER_EMPTY;
    bsim_request_why(text->device, &drawing->of->request, &drawing->schedule, &why);
    if (why.failed) {
        text->out->failed = true;
    } else {
        put_colour(text, "1");
        add_sentence(text, why.data);
        put_colour(text, "0");
    }
    bsim_buffer_free(&why);
    add_counts(text);
    if (bsim_basis_grade(text->device, drawing->schedule.rules) == BSIM_ASSUMED) {
        struct bsim_kernel_result kernel = {.device = *text->device,
                                            .rules = drawing->schedule.rules};
        struct bsim_result result = {.n_kernels = 1, .kernels = &kernel};
        add_assumed(text, &result);
    }
}

static void add_picture(const struct bsim_picture *picture, const struct bsim_picture_style *style,
                        struct bsim_buffer *out)
{
    struct bsim_drawing drawing;
    bsim_drawing_make(picture, &drawing);
    struct text text = {.drawing = &drawing,
                        .device = &picture->device,
                        .style = style,
                        .columns = bsim_style_columns(style),
                        .has_runs = {true, true, false},
                        .out = out};
    text.width = choose_width(&text);
    choose_runs(&text);
    add_head(&text);
    uint32_t per_strip = cells_across(&text, LABEL, text.width);
    for (uint32_t first = 0; first < drawing.n_busy; first += per_strip) {
        uint32_t end = first + per_strip < drawing.n_busy ? first + per_strip : drawing.n_busy;
        bsim_buffer_text(out, first > 0 ? "\n" : "");
        add_strip(&text, first, end);
    }
    add_map(&text);
    bsim_buffer_text(out, "\n");
    add_foot(&text);
    struct bsim_asked asked;
    if (bsim_asked_of(picture, &asked)) {
        bsim_arrays_text(&asked, style->colour, style->columns, out);
    }
}

void bsim_text_pictures(const struct bsim_picture *pictures, size_t n,
                        const struct bsim_picture_style *style, struct bsim_document *doc)
{
    for (size_t i = 0; i < n; i++) {
        bsim_buffer_text(doc->out, i > 0 ? "\n" : "");
        (bsim_traffic_is(&pictures[i]) ? bsim_traffic_text : add_picture)(&pictures[i], style,
                                                                          doc->out);
    }
}

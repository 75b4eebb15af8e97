/* traffic.c - a request to global or constant memory: the lines, sectors and words that it touches.
 *
 *     sector                      0               1               2               3
 *     line +0                   0-3             4-7            8-11           12-15
 *       words              #.#.#.#.        #.#.#.#.        #.#.#.#.        #.#.#.#.
 *     line +1                 16-19           20-23           24-27           28-31
 *       words              #.#.#.#.        #.#.#.#.        #.#.#.#.        #.#.#.#.
 *
 * In a sector stand the lanes that touch it; lines count from the first one. A '#' is a word that
 * somebody asks for; a sector with one moves as a whole. Constant memory has passes in place of
 * sectors, one for each word. What is said in numbers comes from the model (sector.c, constant.c).
 */
#include "report/picture/traffic.h"

#include "base/bits.h"
#include "base/wrap.h"
#include "report/json.h"
#include "report/lanes.h"
#include "report/picture/picture.h"
#include "report/plain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    LINE_BYTES = 128,
    SECTOR_BYTES = 32,
    SECTOR_WORDS = 8,
    WORD_BYTES = 4,
    LABEL = 13,      /* columns of "line +0 " */
    CELL = 16,       /* columns of a sector, if all four fit beside each other */
    MANY_LINES = 12, /* more than these are not all shown ... */
    FIRST_LINES = 8, /* ... but these and the last */
    PLACE_COLUMNS = 240,
    SENTENCE_COLUMNS = 80,
};

bool bsim_traffic_is(const struct bsim_picture *picture)
{
    return picture->request.opcode.space != BSIM_SHARED;
}

/* ---- what is touched ------------------------------------------------------------------------- */

/* The line's place in the list, which is in the order of addresses. */
static struct bsim_traffic_line *find_line(struct bsim_traffic *traffic, uint64_t number)
{
    uint32_t at = 0;
    while (at < traffic->n_lines && traffic->line[at].number < number) {
        at++;
    }
    if (at == traffic->n_lines || traffic->line[at].number != number) {
        memmove(&traffic->line[at + 1], &traffic->line[at],
                (traffic->n_lines - at) * sizeof traffic->line[0]);
        traffic->line[at] = (struct bsim_traffic_line){.number = number};
        traffic->n_lines++;
    }
    return &traffic->line[at];
}

static void touch(struct bsim_traffic *traffic, uint32_t lane)
{
    uint64_t first = traffic->of->address[lane];
    uint64_t last = first + traffic->of->request.opcode.bytes - 1;
    for (uint64_t word = first / WORD_BYTES; word <= last / WORD_BYTES; word++) {
        find_line(traffic, word / BSIM_LINE_WORDS)->lanes[word % BSIM_LINE_WORDS] |= UINT32_C(1)
                                                                                     << lane;
    }
}

/* Different bytes that lanes ask for; they are aligned to what they ask for. */
static uint32_t count_bytes(const struct bsim_picture *picture, uint32_t lanes)
{
    uint32_t n = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        bool is_new = (lanes >> lane & 1) != 0;
        for (uint32_t before = 0; before < lane && is_new; before++) {
            is_new =
                (lanes >> before & 1) == 0 || picture->address[before] != picture->address[lane];
        }
        n += is_new ? picture->request.opcode.bytes : 0;
    }
    return n;
}

void bsim_traffic_make(const struct bsim_picture *picture, struct bsim_traffic *traffic)
{
    const struct bsim_opcode *opcode = &picture->request.opcode;
    uint32_t lanes = bsim_opcode_lanes(opcode, picture->request.mask);
    memset(traffic, 0, sizeof *traffic);
    traffic->of = picture;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) != 0) {
            touch(traffic, lane);
        }
    }
    bsim_global_count(&picture->device, opcode, picture->request.mask, picture->address,
                      &traffic->counts);
    traffic->least_sectors = (count_bytes(picture, lanes) + SECTOR_BYTES - 1) / SECTOR_BYTES;
    if (opcode->space == BSIM_CONST) {
        traffic->passes = bsim_constant_passes(opcode, picture->request.mask, picture->address);
    }
}

uint32_t bsim_traffic_sector(const struct bsim_traffic_line *line, uint32_t sector)
{
    uint32_t lanes = 0;
    for (uint32_t word = 0; word < SECTOR_WORDS; word++) {
        lanes |= line->lanes[sector * SECTOR_WORDS + word];
    }
    return lanes;
}

/* ---- in words -------------------------------------------------------------------------------- */

static void add_count(uint32_t n, const char *noun, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "%" PRIu32 " %s%s", n, noun, n == 1 ? "" : "s");
}

static void add_passes(const struct bsim_traffic *traffic, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "%" PRIu32 " pass%s", traffic->passes,
                       traffic->passes == 1 ? "" : "es");
    bsim_buffer_text(out,
                     traffic->passes == 1
                         ? ": all lanes want one word, which is handed to all of them."
                         : ", one for each different word: the cache hands out one at a time.");
}

void bsim_traffic_why(const struct bsim_traffic *traffic, struct bsim_buffer *out)
{
    uint32_t least_lines = (traffic->least_sectors + BSIM_LINE_SECTORS - 1) / BSIM_LINE_SECTORS;
    if (traffic->of->request.opcode.space == BSIM_CONST) {
        add_passes(traffic, out);
        return;
    }
    add_count(traffic->counts.sectors, "sector", out);
    bsim_buffer_text(out, " of ");
    add_count(traffic->counts.lines, "line", out);
    if (bsim_opcode_is_atomic(&traffic->of->request.opcode)) {
        bsim_buffer_text(out, ": atomics pass line by line, and lanes that want one word one after "
                              "another.");
    } else if (traffic->counts.sectors > traffic->least_sectors ||
               traffic->counts.lines > least_lines) {
        bsim_buffer_text(out, ", where ");
        add_count(traffic->least_sectors, "sector", out);
        bsim_buffer_text(out, " of ");
        add_count(least_lines, "line", out);
        bsim_buffer_text(out, " would hold what is asked for.");
    } else {
        bsim_buffer_text(out, ": coalesced, no fewer would hold what is asked for.");
    }
}

/* ---- text ------------------------------------------------------------------------------------ */

/* The runs of lanes, cut to a cell: "0-3", "0,9,18,+5". */
static void put_lanes(uint32_t lanes, size_t columns, char cell[CELL])
{
    size_t used = 0;
    cell[0] = '\0';
    while (lanes != 0) {
        char run[CELL];
        char rest[CELL];
        uint32_t first = bsim_bits_lowest(lanes), last = first;
        while (last + 1 < BSIM_WARP_LANES && (lanes >> (last + 1) & 1) != 0) {
            last++;
        }
        uint32_t taken =
            last == 31 ? UINT32_MAX << first : (UINT32_C(1) << (last + 1)) - (UINT32_C(1) << first);
        (void)snprintf(run, sizeof run, first == last ? "%s%" PRIu32 : "%s%" PRIu32 "-%" PRIu32,
                       used > 0 ? "," : "", first, last);
        (void)snprintf(rest, sizeof rest, "%s+%" PRIu32, used > 0 ? "," : "",
                       bsim_bits_population(lanes));
        bool is_last = (lanes & ~taken) == 0;
        size_t room = columns - 1 - used - (is_last ? 0 : strlen(",+31"));
        const char *next = strlen(run) < room ? run : rest;
        used += (size_t)snprintf(cell + used, CELL - used, "%s", next);
        lanes = next == run ? lanes & ~taken : 0;
    }
}

static void put_words(const struct bsim_traffic_line *line, uint32_t sector, char cell[CELL])
{
    for (uint32_t word = 0; word < SECTOR_WORDS; word++) {
        cell[word] = line->lanes[sector * SECTOR_WORDS + word] != 0 ? '#' : '.';
    }
    cell[SECTOR_WORDS] = '\0';
}

/* The sectors of a line that stand beside each other, of so many columns each. */
struct strip {
    uint32_t first, end;
    int columns;
};

static void add_line(const struct bsim_traffic *traffic, uint32_t index, const struct strip *strip,
                     struct bsim_buffer *out)
{
    const struct bsim_traffic_line *line = &traffic->line[index];
    char label[CELL];
    char cell[CELL];
    (void)snprintf(label, sizeof label, "+%" PRIu64, line->number - traffic->line[0].number);
    bsim_buffer_printf(out, "line %-8s", label);
    for (uint32_t sector = strip->first; sector < strip->end; sector++) {
        put_lanes(bsim_traffic_sector(line, sector), (size_t)strip->columns, cell);
        bsim_buffer_printf(out, "%*s", strip->columns, cell[0] != '\0' ? cell : "-");
    }
    bsim_buffer_printf(out, "\n%-*s", LABEL, "  words");
    for (uint32_t sector = strip->first; sector < strip->end; sector++) {
        put_words(line, sector, cell);
        bsim_buffer_printf(out, "%*s", strip->columns, cell);
    }
    bsim_buffer_text(out, "\n");
}

static bool is_shown(const struct bsim_picture_style *style, uint32_t index, uint32_t n)
{
    return style->all || n <= MANY_LINES || index < FIRST_LINES || index == n - 1;
}

static void add_strip(const struct bsim_traffic *traffic, const struct strip *strip,
                      const struct bsim_picture_style *style, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "%-*s", LABEL, "sector");
    for (uint32_t sector = strip->first; sector < strip->end; sector++) {
        bsim_buffer_printf(out, "%*" PRIu32, strip->columns, sector);
    }
    bsim_buffer_text(out, "\n");
    for (uint32_t i = 0; i < traffic->n_lines; i++) {
        if (is_shown(style, i, traffic->n_lines)) {
            add_line(traffic, i, strip, out);
        } else if (is_shown(style, i - 1, traffic->n_lines)) {
            bsim_buffer_printf(out, "%s %" PRIu32 " lines are left out (--all)\n",
                               style->utf8 ? "\xe2\x8b\xae " : "...",
                               traffic->n_lines - FIRST_LINES - 1);
        }
    }
}

/* All four sectors of a line beside each other, or two and two. */
static void add_lines(const struct bsim_traffic *traffic, const struct bsim_picture_style *style,
                      struct bsim_buffer *out)
{
    uint32_t columns = bsim_style_columns(style) - LABEL;
    bool fits = columns >= BSIM_LINE_SECTORS * CELL;
    uint32_t across = fits ? BSIM_LINE_SECTORS : BSIM_LINE_SECTORS / 2;
    struct strip strip = {.columns = columns / across < CELL ? (int)(columns / across) : CELL};
    for (; strip.first < BSIM_LINE_SECTORS; strip.first += across) {
        strip.end = strip.first + across;
        bsim_buffer_text(out, strip.first > 0 ? "\n" : "");
        add_strip(traffic, &strip, style, out);
    }
}

/* The words of constant memory, one below the other. */
static void add_words(const struct bsim_traffic *traffic, const struct bsim_picture_style *style,
                      struct bsim_buffer *out)
{
    uint32_t n = 0, total = 0;
    for (uint32_t i = 0; i < traffic->n_lines * BSIM_LINE_WORDS; i++) {
        total += traffic->line[i / BSIM_LINE_WORDS].lanes[i % BSIM_LINE_WORDS] != 0;
    }
    for (uint32_t i = 0; i < traffic->n_lines * BSIM_LINE_WORDS; i++) {
        const struct bsim_traffic_line *line = &traffic->line[i / BSIM_LINE_WORDS];
        uint32_t lanes = line->lanes[i % BSIM_LINE_WORDS];
        if (lanes == 0) {
            continue;
        }
        if (is_shown(style, n, total)) {
            bsim_buffer_printf(out, "byte %-8" PRIu64,
                               line->number * LINE_BYTES + i % BSIM_LINE_WORDS * WORD_BYTES);
            bsim_lanes_text(lanes, out);
            bsim_buffer_text(out, "\n");
        } else if (is_shown(style, n - 1, total)) {
            bsim_buffer_printf(out, "%s %" PRIu32 " words are left out (--all)\n",
                               style->utf8 ? "\xe2\x8b\xae " : "...", total - FIRST_LINES - 1);
        }
        n++;
    }
}

/* A line of what may be long, cut short at `most` characters. */
static void add_plain(const char *text, uint32_t most, uint32_t columns, struct bsim_buffer *out)
{
    char plain[4 * PLACE_COLUMNS];
    (void)bsim_plain(text, most, plain, sizeof plain);
    bsim_wrap(plain, strlen(plain), columns, out);
}

static void add_head(const struct bsim_picture *picture, uint32_t columns, struct bsim_buffer *out)
{
    char opcode[BSIM_OPCODE_NAME_SIZE];
    char line[2 * BSIM_OPCODE_NAME_SIZE + PLACE_COLUMNS];
    bool is_constant = picture->request.opcode.space == BSIM_CONST;
    if (picture->title != NULL) {
        add_plain(picture->title, columns, columns, out);
    }
    (void)snprintf(line, sizeof line, "%s on %s%s",
                   bsim_opcode_name(&picture->request.opcode, opcode), picture->device.name,
                   is_constant ? "" : ", lines of 128 bytes in sectors of 32");
    bsim_wrap(line, strlen(line), columns, out);
    if (picture->place != NULL) {
        add_plain(picture->place, PLACE_COLUMNS, columns, out);
    }
    bsim_buffer_text(out, "\n");
}

static void add_foot(const struct bsim_traffic *traffic, uint32_t columns, struct bsim_buffer *out)
{
    struct bsim_buffer line = BSIM_BUFFER_EMPTY;
    bsim_buffer_text(out, "\n");
    bsim_traffic_why(traffic, &line);
    if (traffic->of->request.opcode.space != BSIM_CONST) {
        bsim_buffer_printf(
            &line, "\n%" PRIu32 " bytes asked for, %" PRIu32 " moved: asked/moved %.1f %%",
            traffic->counts.bytes_asked, traffic->counts.sectors * SECTOR_BYTES,
            100.0 * traffic->counts.bytes_asked / (traffic->counts.sectors * (double)SECTOR_BYTES));
    }
    out->failed = out->failed || line.failed;
    for (const char *at = line.failed ? NULL : line.data; at != NULL;) {
        size_t length = strcspn(at, "\n");
        bsim_wrap(at, length, columns, out);
        at = at[length] == '\n' ? at + length + 1 : NULL;
    }
    bsim_buffer_free(&line);
}

void bsim_traffic_text(const struct bsim_picture *picture, const struct bsim_picture_style *style,
                       struct bsim_buffer *out)
{
    struct bsim_traffic traffic;
    bsim_traffic_make(picture, &traffic);
    uint32_t columns = bsim_style_columns(style);
    columns = columns < SENTENCE_COLUMNS ? columns : SENTENCE_COLUMNS;
    add_head(picture, columns, out);
    if (picture->request.opcode.space == BSIM_CONST) {
        add_words(&traffic, style, out);
    } else {
        add_lines(&traffic, style, out);
    }
    add_foot(&traffic, columns, out);
}

/* ---- json ------------------------------------------------------------------------------------ */

static void json_words(const struct bsim_traffic *traffic, struct bsim_buffer *out)
{
    const char *separator = "\n    ";
    bsim_buffer_text(out, ",\n   \"words\": [");
    for (uint32_t i = 0; i < traffic->n_lines * BSIM_LINE_WORDS; i++) {
        const struct bsim_traffic_line *line = &traffic->line[i / BSIM_LINE_WORDS];
        uint32_t word = i % BSIM_LINE_WORDS;
        if (line->lanes[word] != 0) {
            bsim_buffer_printf(out, "%s{\"address\": %" PRIu64 ", ", separator,
                               line->number * LINE_BYTES + word * WORD_BYTES);
            bsim_lanes_json("lanes", line->lanes[word], out);
            bsim_buffer_text(out, "}");
            separator = ",\n    ";
        }
    }
    bsim_buffer_text(out, "]");
}

void bsim_traffic_json(const struct bsim_picture *picture, struct bsim_buffer *out)
{
    struct bsim_traffic traffic;
    struct bsim_buffer why = BSIM_BUFFER_EMPTY;
    bool is_constant = picture->request.opcode.space == BSIM_CONST;
    bsim_traffic_make(picture, &traffic);
    bsim_addresses_json(&picture->request, picture->address, out);
    if (is_constant) {
        bsim_buffer_printf(out, ",\n   \"constant_passes\": %" PRIu32, traffic.passes);
    } else {
        bsim_buffer_printf(out,
                           ",\n   \"sectors\": %" PRIu32 ", \"lines\": %" PRIu32
                           ", \"least_sectors\": %" PRIu32 ", \"bytes_asked\": %" PRIu32,
                           traffic.counts.sectors, traffic.counts.lines, traffic.least_sectors,
                           traffic.counts.bytes_asked);
    }
    bsim_traffic_why(&traffic, &why);
    bsim_buffer_text(out, ", \"why\": ");
    bsim_json_string(why.data != NULL ? why.data : "", out);
    out->failed = out->failed || why.failed;
    bsim_buffer_free(&why);
    json_words(&traffic, out);
}

/* text_read.c - the text format's reader: one record per line, checked and pushed at once.
 *
 * The grammar is in traces/FORMAT.md. Here are the records that shape the stream, banksim-trace,
 * block, repeat, done and end, and what the parts share. END is pushed at the end of the input, so
 * that a trace with something after `end` never counts as whole.
 */
#include "trace/format.h"
#include "trace/text/text.h"

#include "base/memory.h"
#include "base/nearest.h"

#include <inttypes.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- what the parts share ------------------------------------------------------------------ */

void bsim_text_push(struct bsim_text *text, struct bsim_record *record)
{
    if (text->scan.status != BSIM_OK) {
        return;
    }
    record->line = text->scan.number;
    enum bsim_status status = bsim_rules_push(&text->rules, text->sink, record, text->scan.err);
    if (status != BSIM_OK) { /* no call for each event */
        bsim_scan_check(&text->scan, text->word.text, status);
    }
}

void bsim_text_may(struct bsim_text *text, enum bsim_record_kind kind)
{
    bsim_scan_check(&text->scan, text->word.text,
                    bsim_rules_may(&text->rules, kind, bsim_scan_err(&text->scan)));
}

void bsim_text_unknown(struct bsim_text *text, const struct bsim_word *word, const char *what,
                       const char *const *known, size_t n, const char *list)
{
    char copy[32];
    size_t length = word->length < sizeof copy ? word->length : sizeof copy - 1;
    memcpy(copy, word->text, length);
    copy[length] = '\0';
    struct bsim_nearest nearest = bsim_nearest_start(copy);
    for (size_t i = 0; i < n; i++) {
        bsim_nearest_try(&nearest, known[i]);
    }
    if (nearest.best != NULL) {
        bsim_scan_error(&text->scan, word->text, "unknown %s '%.*s': did you mean '%s'?", what,
                        bsim_word_shown(word), word->text, nearest.best);
    } else {
        bsim_scan_error(&text->scan, word->text, "unknown %s '%.*s': it is one of %s", what,
                        bsim_word_shown(word), word->text, list);
    }
}

size_t bsim_text_key(struct bsim_text *text, const struct bsim_pair *pair, const char *const *known,
                     size_t n, const char *list, uint32_t *seen)
{
    const struct bsim_word *key = &pair->key;
    size_t i = 0;
    while (i < n && !bsim_word_is(key, known[i])) {
        i++;
    }
    if (i == n) {
        bsim_text_unknown(text, key, "key", known, n, list);
        return n;
    }
    if (*seen >> i & 1) {
        bsim_scan_error(&text->scan, key->text, "%s= stands twice", known[i]);
    }
    bool takes_quotes = strcmp(known[i], "text") == 0;
    if (pair->is_quoted != takes_quotes) {
        bsim_scan_error(&text->scan, pair->value.text - pair->is_quoted,
                        takes_quotes ? "the value of %s= stands in quotation marks"
                                     : "the value of %s= stands without quotation marks",
                        known[i]);
    }
    *seen |= UINT32_C(1) << i;
    return text->scan.status == BSIM_OK ? i : n;
}

struct bsim_dim3 bsim_text_dim3(struct bsim_text *text, const struct bsim_word *word,
                                const char *what, uint32_t least, const struct bsim_dim3 *most)
{
    const uint32_t limit[3] = {most->x, most->y, most->z};
    uint32_t value[3] = {least, least, least};
    const char *p = word->text;
    const char *end = word->text + word->length;
    for (size_t i = 0; i < N_OF(value); i++) {
        value[i] = (uint32_t)bsim_scan_ranged(&text->scan, &p, end, what, least, limit[i]);
        if (p == end || *p != ',') {
            break;
        }
        p += i + 1 < N_OF(value);
    }
    if (p != end) {
        bsim_scan_error(&text->scan, word->text, "%s is X[,Y[,Z]], not '%.*s'", what,
                        bsim_word_shown(word), word->text);
    }
    return (struct bsim_dim3){value[0], value[1], value[2]};
}

void bsim_text_work(struct bsim_text *text, const struct bsim_word *word, uint32_t least,
                    uint32_t *count, uint32_t *cycles)
{
    struct bsim_scan *scan = &text->scan;
    const char *p = word->text;
    const char *end = word->text + word->length;
    *count =
        (uint32_t)bsim_scan_ranged(scan, &p, end, "the number of instructions", least, UINT32_MAX);
    *cycles = 0;
    if (p != end && *p == ':') {
        p++;
        *cycles = (uint32_t)bsim_scan_ranged(scan, &p, end, "the number of cycles", 0, UINT32_MAX);
    }
    if (p != end) {
        bsim_scan_error(scan, word->text, "work is K or K:L (instructions, cycles), not '%.*s'",
                        bsim_word_shown(word), word->text);
    }
}

/* ---- the records that shape the stream ------------------------------------------------------ */

static void error_here(struct bsim_text *text, const char *message)
{
    bsim_scan_error(&text->scan, text->word.text, "%s", message);
}

static void read_version(struct bsim_text *text)
{
    if (bsim_word_is(&text->word, "banksim-part")) {
        error_here(text, "this is a part of a result, as --shard writes: "
                         "'banksim merge' puts the parts together");
    }
    if (!bsim_word_is(&text->word, "banksim-trace")) {
        error_here(text, "a trace begins with the line 'banksim-trace 1'");
    }
    struct bsim_word word = bsim_scan_word(&text->scan);
    const char *p = word.text;
    uint64_t version;
    if (word.length == 0 || !bsim_scan_number(&p, &version) || p != word.text + word.length ||
        version == 0) {
        bsim_scan_error(&text->scan, word.text,
                        "the version is missing or wrong: a trace begins with the line "
                        "'banksim-trace 1'");
    } else if (version != 1) {
        bsim_scan_error(&text->scan, word.text,
                        "version %" PRIu64 " of the format is newer than this banksim, "
                        "which reads version 1",
                        version);
    }
    text->has_version = true;
    bsim_scan_end(&text->scan);
}

void bsim_text_close_block(struct bsim_text *text)
{
    bsim_scan_check(
        &text->scan, text->word.text,
        bsim_rules_close_block(&text->rules, text->scan.file, bsim_scan_err(&text->scan)));
}

static void read_block(struct bsim_text *text)
{
    bsim_text_may(text, BSIM_RECORD_BLOCK);
    bsim_text_close_block(text);
    if (text->scan.status != BSIM_OK) {
        return;
    }
    struct bsim_word word = bsim_scan_word(&text->scan);
    const struct bsim_dim3 *grid = &text->kernel->grid;
    struct bsim_dim3 most = {grid->x - 1, grid->y - 1, grid->z - 1};
    struct bsim_record record = {.kind = BSIM_RECORD_BLOCK};
    record.u.block = bsim_text_dim3(text, &word, "a block's place in grid=", 0, &most);
    bsim_scan_end(&text->scan);
    bsim_text_push(text, &record);
}

/* work=K:L, the only key of a repeat. */
static void read_repeat_keys(struct bsim_text *text, struct bsim_repeat *repeat)
{
    static const char *const known[] = {"work"};
    uint32_t seen = 0;
    struct bsim_pair pair;
    while (bsim_scan_pair(&text->scan, &pair)) {
        if (bsim_text_key(text, &pair, known, N_OF(known), "work", &seen) < N_OF(known)) {
            bsim_text_work(text, &pair.value, 0, &repeat->work_count, &repeat->work_cycles);
        }
    }
    bsim_scan_end(&text->scan);
}

static void read_repeat(struct bsim_text *text)
{
    struct bsim_record record = {.kind = BSIM_RECORD_REPEAT};
    bsim_text_may(text, BSIM_RECORD_REPEAT);
    struct bsim_word word = bsim_scan_word(&text->scan);
    uint64_t trips = bsim_scan_whole(&text->scan, &word, "the number of turns", 1, UINT32_MAX);
    if (text->scan.status == BSIM_OK) {
        bsim_scan_check(&text->scan, word.text,
                        bsim_rules_trips(&text->rules, trips, text->scan.err));
    }
    record.u.repeat.trips = (uint32_t)trips;
    read_repeat_keys(text, &record.u.repeat);
    bsim_text_push(text, &record);
}

static void read_done(struct bsim_text *text)
{
    bsim_text_may(text, BSIM_RECORD_DONE);
    bsim_scan_end(&text->scan);
    struct bsim_record record = {.kind = BSIM_RECORD_DONE};
    bsim_text_push(text, &record);
}

static void read_end(struct bsim_text *text)
{
    bsim_text_close_block(text);
    bsim_scan_end(&text->scan);
    text->has_end = true;
    text->end_line = text->scan.number;
    text->end_column = (uint32_t)(text->word.text - text->scan.line + 1);
}

static void read_second_version(struct bsim_text *text)
{
    error_here(text, "'banksim-trace' stands only in a trace's first record: to join "
                     "traces, leave out the 'end' before it and this line");
}

/* ---- the loop ------------------------------------------------------------------------------ */

static void read_named(struct bsim_text *text)
{
    static const struct {
        const char *name;
        void (*read)(struct bsim_text *text);
    } kind[] = {
        {"kernel", bsim_text_kernel},
        {"site", bsim_text_site},
        {"block", read_block},
        {"repeat", read_repeat},
        {"done", read_done},
        {"end", read_end},
        {"banksim-trace", read_second_version},
    };
    static const char *const known[] = {"kernel", "site", "block", "repeat", "done", "end"};
    for (size_t i = 0; i < N_OF(kind); i++) {
        if (bsim_word_is(&text->word, kind[i].name)) {
            kind[i].read(text);
            return;
        }
    }
    bsim_text_unknown(text, &text->word, "record", known, N_OF(known),
                      "kernel, site, block, wN, w*, repeat, done, end");
}

static void read_record(struct bsim_text *text)
{
    const char *first = text->word.text;
    if (text->has_end) {
        error_here(text, "a record after 'end': 'end' is a trace's last record");
    } else if (!text->has_version) {
        read_version(text);
    } else if (first[0] == 'w' && (first[1] == '*' || (first[1] >= '0' && first[1] <= '9'))) {
        bsim_text_event(text);
    } else {
        read_named(text);
    }
}

/* A file saved with a byte order mark looks right in every editor: say what it is. */
static void check_byte_order_mark(struct bsim_text *text)
{
    struct bsim_scan *scan = &text->scan;
    if (scan->number == 1 && scan->end - scan->line >= 3 &&
        memcmp(scan->line, "\xef\xbb\xbf", 3) == 0) {
        bsim_scan_error(scan, scan->line,
                        "the file begins with a byte order mark: save it without one, as "
                        "plain ASCII or UTF-8");
    }
}

static void read_line(struct bsim_text *text)
{
    if (bsim_text_fast_event(text)) {
        return;
    }
    check_byte_order_mark(text);
    text->word = bsim_scan_word(&text->scan);
    if (text->word.length > 0 && text->scan.status == BSIM_OK) {
        read_record(text);
    }
}

static void finish(struct bsim_text *text)
{
    struct bsim_scan *scan = &text->scan;
    if (!text->has_version) {
        bsim_scan_error(scan, scan->at,
                        "the trace is empty: it begins with the line 'banksim-trace 1'");
    } else if (!text->has_end) {
        bsim_scan_error(scan, scan->at,
                        "the trace was cut short: its last record, 'end', is missing");
    } else {
        struct bsim_record record = {.kind = BSIM_RECORD_END, .line = text->end_line};
        scan->status = text->sink->push(text->sink->context, &record, scan->err);
        if (scan->status != BSIM_OK) {
            bsim_error_place(scan->err, scan->file, text->end_line, text->end_column, NULL, 0);
        }
    }
}

/* The line in which the next piece begins, a `block`: it ends the last block of this one. */
static void read_seam(struct bsim_text *text)
{
    text->word = bsim_scan_word(&text->scan);
    bsim_text_close_block(text);
}

/* ---- the format ----------------------------------------------------------------------------- */

static void *open_text(const struct bsim_input *input, const struct bsim_sink *sink)
{
    struct bsim_text *text = bsim_mem_zeroed(1, sizeof *text);
    if (text == NULL || bsim_lines_open(&text->lines, input, NULL) != BSIM_OK) {
        bsim_mem_free(text);
        return NULL;
    }
    text->sink = sink;
    text->scan.file = input->name;
    return text;
}

static void close_text(void *reader)
{
    struct bsim_text *text = reader;
    if (text != NULL) {
        bsim_lines_close(&text->lines);
        bsim_sites_clear(&text->sites);
        bsim_mem_free(text->kernel);
        bsim_mem_free(text);
    }
}

static enum bsim_status define(void *reader, const struct bsim_definition *definition,
                               struct bsim_error *err)
{
    struct bsim_text *text = reader;
    text->has_version = true;
    bsim_scan_start(&text->scan, err);
    bsim_definition_line(definition, &text->scan);
    read_line(text);
    return text->scan.status;
}

static enum bsim_status read_piece(void *reader, const struct bsim_input *input,
                                   struct bsim_piece *piece, struct bsim_error *err)
{
    struct bsim_text *text = reader;
    bsim_piece_lines(piece, input, &text->lines);
    bsim_scan_start(&text->scan, err);
    text->has_version = !piece->is_first;
    while (bsim_lines_next(&text->lines, &text->scan)) {
        if (text->scan.number == piece->end_place) {
            read_seam(text);
            return text->scan.status;
        }
        read_line(text);
        if (text->scan.status != BSIM_OK) {
            break;
        }
    }
    if (text->scan.status == BSIM_OK) {
        finish(text);
    }
    return text->scan.status;
}

/* Does the line begin with this word, alone? */
static bool begins(const char *p, const char *end, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(end - p) < length || memcmp(p, word, length) != 0) {
        return false;
    }
    p += length;
    return p == end || *p == ' ' || *p == '\t' || *p == '#' || *p == '\r';
}

/* `block` may begin a piece; `kernel` and `site` are what every reader must know; behind `end`
 * nothing is cut. A block in front of all kernels begins no piece: what is wrong there, its reader
 * tells best that has seen all lines before it. */
static enum bsim_scanned take_line(struct bsim_splitter *splitter, const char *line, const char *p,
                                   const char *end, size_t n)
{
    bool is_block = begins(p, end, "block") && splitter->last->number > 0;
    enum bsim_scanned scanned = is_block                ? bsim_split_block(splitter, n)
                                : begins(p, end, "end") ? bsim_split_rest(splitter)
                                                        : BSIM_SCAN_MORE;
    bool defines = begins(p, end, "kernel") || begins(p, end, "site");
    return scanned == BSIM_SCAN_MORE ? bsim_split_line(splitter, line, n, defines) : scanned;
}

/* A line is usual from a w on, an event's letter, or is what the reader will refuse. */
static enum bsim_scanned scan(struct bsim_splitter *splitter, struct bsim_piece *piece)
{
    return bsim_split_lines(splitter, piece, 'w', take_line);
}

/* The format has no magic bytes but words, comments and blanks. */
static bool recognises(const char *head, size_t n)
{
    (void)head;
    (void)n;
    return true;
}

const struct bsim_format bsim_text_format = {
    .recognises = recognises,
    .first_word = "block",
    .scan = scan,
    .open = open_text,
    .define = define,
    .piece = read_piece,
    .close = close_text,
};

/* text_read.c - the text format's reader: one record per line, checked and pushed at once.
 *
 * The grammar is in traces/FORMAT.md. Here are the records that shape the stream, banksim-trace,
 * block, repeat, done and end, and what the parts share. END is pushed at the end of the input, so
 * that a trace with something after `end` never counts as whole.
 */
#include "trace/format.h"
#include "trace/text/text.h"

#include "base/memory.h"
#include <banksim/nearest.h>

#include <inttypes.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- what the parts share ------------------------------------------------------------------ */

enum bsim_status bsim_text_push(struct bsim_text *text, struct bsim_record *record)
{
    record->line = text->scan.number;
    return bsim_text_place(text, text->word.text,
                           text->sink->push(text->sink->context, record, text->err));
}

enum bsim_status bsim_text_place(struct bsim_text *text, const char *where, enum bsim_status status)
{
    if (status != BSIM_OK) {
        (void)bsim_scan_place(&text->scan, where, text->err);
    }
    return status;
}

enum bsim_status bsim_text_no_memory(struct bsim_text *text)
{
    (void)bsim_error_set(text->err, BSIM_E_MEMORY, "out of memory");
    bsim_error_place(text->err, text->scan.file, text->scan.number, 0, NULL, 0);
    return BSIM_E_MEMORY;
}

enum bsim_status bsim_text_unknown(struct bsim_text *text, const struct bsim_word *word,
                                   const char *what, const char *const *known, size_t n,
                                   const char *list)
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
        return bsim_scan_error(&text->scan, word->text, text->err,
                               "unknown %s '%.*s': did you mean '%s'?", what, bsim_word_shown(word),
                               word->text, nearest.best);
    }
    return bsim_scan_error(&text->scan, word->text, text->err, "unknown %s '%.*s': it is one of %s",
                           what, bsim_word_shown(word), word->text, list);
}

enum bsim_status bsim_text_key(struct bsim_text *text, const struct bsim_pair *pair,
                               const char *const *known, size_t n, const char *list, uint32_t *seen,
                               size_t *which)
{
    const struct bsim_word *key = &pair->key;
    size_t i = 0;
    while (i < n && !bsim_word_is(key, known[i])) {
        i++;
    }
    if (i == n) {
        return bsim_text_unknown(text, key, "key", known, n, list);
    }
    if (*seen >> i & 1) {
        return bsim_scan_error(&text->scan, key->text, text->err, "%s= stands twice", known[i]);
    }
    bool takes_quotes = strcmp(known[i], "text") == 0;
    if (pair->is_quoted != takes_quotes) {
        return bsim_scan_error(&text->scan, pair->value.text - pair->is_quoted, text->err,
                               takes_quotes ? "the value of %s= stands in quotation marks"
                                            : "the value of %s= stands without quotation marks",
                               known[i]);
    }
    *seen |= UINT32_C(1) << i;
    *which = i;
    return BSIM_OK;
}

enum bsim_status bsim_text_dim3(struct bsim_text *text, const struct bsim_word *word,
                                const char *what, uint32_t least, const struct bsim_dim3 *most,
                                struct bsim_dim3 *dim)
{
    const uint32_t limit[3] = {most->x, most->y, most->z};
    uint32_t value[3] = {least, least, least};
    const char *p = word->text;
    const char *end = word->text + word->length;
    for (size_t i = 0; i < N_OF(value); i++) {
        uint64_t number;
        enum bsim_status status =
            bsim_scan_ranged(&text->scan, &p, end, what, least, limit[i], &number, text->err);
        if (status != BSIM_OK) {
            return status;
        }
        value[i] = (uint32_t)number;
        if (p == end) {
            *dim = (struct bsim_dim3){value[0], value[1], value[2]};
            return BSIM_OK;
        }
        if (*p != ',') {
            break;
        }
        p++;
    }
    return bsim_scan_error(&text->scan, word->text, text->err, "%s is X[,Y[,Z]], not '%.*s'", what,
                           bsim_word_shown(word), word->text);
}

enum bsim_status bsim_text_work(struct bsim_text *text, const struct bsim_word *word,
                                uint32_t least, uint32_t *count, uint32_t *cycles)
{
    const char *p = word->text;
    const char *end = word->text + word->length;
    uint64_t instructions;
    uint64_t wait = 0;
    enum bsim_status status = bsim_scan_ranged(&text->scan, &p, end, "the number of instructions",
                                               least, UINT32_MAX, &instructions, text->err);
    if (status == BSIM_OK && p != end && *p == ':') {
        p++;
        status = bsim_scan_ranged(&text->scan, &p, end, "the number of cycles", 0, UINT32_MAX,
                                  &wait, text->err);
    }
    if (status != BSIM_OK) {
        return status;
    }
    if (p != end) {
        return bsim_scan_error(&text->scan, word->text, text->err,
                               "work is K or K:L (instructions, cycles), not '%.*s'",
                               bsim_word_shown(word), word->text);
    }
    *count = (uint32_t)instructions;
    *cycles = (uint32_t)wait;
    return BSIM_OK;
}

/* ---- the records that shape the stream ------------------------------------------------------ */

static enum bsim_status error_here(struct bsim_text *text, const char *message)
{
    return bsim_scan_error(&text->scan, text->word.text, text->err, "%s", message);
}

static enum bsim_status read_version(struct bsim_text *text)
{
    if (bsim_word_is(&text->word, "banksim-part")) {
        return error_here(text, "this is a part of a result, as banksim run --shard writes: "
                                "'banksim merge' puts the parts together");
    }
    if (!bsim_word_is(&text->word, "banksim-trace")) {
        return error_here(text, "a trace begins with the line 'banksim-trace 1'");
    }
    struct bsim_word word;
    enum bsim_status status = bsim_scan_word(&text->scan, &word, text->err);
    if (status != BSIM_OK) {
        return status;
    }
    const char *p = word.text;
    uint64_t version;
    if (word.length == 0 || !bsim_scan_number(&p, &version) || p != word.text + word.length ||
        version == 0) {
        return bsim_scan_error(&text->scan, word.text, text->err,
                               "the version is missing or wrong: a trace begins with the line "
                               "'banksim-trace 1'");
    }
    if (version != 1) {
        return bsim_scan_error(&text->scan, word.text, text->err,
                               "version %" PRIu64 " of the format is newer than this banksim, "
                               "which reads version 1",
                               version);
    }
    text->has_version = true;
    return bsim_scan_end(&text->scan, text->err);
}

enum bsim_status bsim_text_close_block(struct bsim_text *text)
{
    return bsim_text_place(text, text->word.text,
                           bsim_rules_close_block(&text->rules, text->scan.file, text->err));
}

static enum bsim_status read_block(struct bsim_text *text)
{
    enum bsim_status status =
        bsim_text_place(text, text->word.text, bsim_rules_may_block(&text->rules, text->err));
    if (status == BSIM_OK) {
        status = bsim_text_close_block(text);
    }
    if (status != BSIM_OK) {
        return status;
    }
    struct bsim_word word;
    status = bsim_scan_word(&text->scan, &word, text->err);
    if (status != BSIM_OK) {
        return status;
    }
    const struct bsim_dim3 *grid = &text->kernel->grid;
    struct bsim_dim3 most = {grid->x - 1, grid->y - 1, grid->z - 1};
    struct bsim_record record = {.kind = BSIM_RECORD_BLOCK};
    status = bsim_text_dim3(text, &word, "a block's place in grid=", 0, &most, &record.u.block);
    if (status == BSIM_OK) {
        status = bsim_scan_end(&text->scan, text->err);
    }
    if (status != BSIM_OK) {
        return status;
    }
    bsim_rules_block(&text->rules);
    return bsim_text_push(text, &record);
}

/* work=K:L, the only key of a repeat. */
static enum bsim_status read_repeat_keys(struct bsim_text *text, struct bsim_repeat *repeat)
{
    static const char *const known[] = {"work"};
    uint32_t seen = 0;
    for (;;) {
        struct bsim_pair pair;
        size_t which;
        enum bsim_status status = bsim_scan_pair(&text->scan, &pair, text->err);
        if (status != BSIM_OK || pair.key.length == 0) {
            return status == BSIM_OK ? bsim_scan_end(&text->scan, text->err) : status;
        }
        status = bsim_text_key(text, &pair, known, N_OF(known), "work", &seen, &which);
        if (status == BSIM_OK) {
            status =
                bsim_text_work(text, &pair.value, 0, &repeat->work_count, &repeat->work_cycles);
        }
        if (status != BSIM_OK) {
            return status;
        }
    }
}

/* One more repeat around what follows: an error about the depth stands at the record, one about the
 * turns at their number. */
static enum bsim_status open_repeat(struct bsim_text *text, const struct bsim_word *word,
                                    uint64_t turns)
{
    bool is_deepest = text->rules.depth == BSIM_REPEAT_MAX_DEPTH;
    return bsim_text_place(text, is_deepest ? text->word.text : word->text,
                           bsim_rules_repeat(&text->rules, turns, text->scan.number, text->err));
}

static enum bsim_status read_repeat(struct bsim_text *text)
{
    struct bsim_word word;
    struct bsim_record record = {.kind = BSIM_RECORD_REPEAT};
    uint64_t turns;
    enum bsim_status status =
        bsim_text_place(text, text->word.text, bsim_rules_may_repeat(&text->rules, text->err));
    if (status == BSIM_OK) {
        status = bsim_scan_word(&text->scan, &word, text->err);
    }
    if (status == BSIM_OK) {
        status = bsim_scan_whole(&text->scan, &word, "the number of turns", 1, UINT32_MAX, &turns,
                                 text->err);
    }
    if (status == BSIM_OK) {
        status = open_repeat(text, &word, turns);
    }
    if (status == BSIM_OK) {
        record.u.repeat.turns = (uint32_t)turns;
        status = read_repeat_keys(text, &record.u.repeat);
    }
    return status == BSIM_OK ? bsim_text_push(text, &record) : status;
}

static enum bsim_status read_done(struct bsim_text *text)
{
    enum bsim_status status =
        bsim_text_place(text, text->word.text, bsim_rules_done(&text->rules, text->err));
    if (status == BSIM_OK) {
        status = bsim_scan_end(&text->scan, text->err);
    }
    if (status != BSIM_OK) {
        return status;
    }
    struct bsim_record record = {.kind = BSIM_RECORD_DONE};
    return bsim_text_push(text, &record);
}

static enum bsim_status read_end(struct bsim_text *text)
{
    enum bsim_status status = bsim_text_close_block(text);
    if (status == BSIM_OK) {
        status = bsim_scan_end(&text->scan, text->err);
    }
    text->has_end = true;
    text->end_line = text->scan.number;
    text->end_column = (uint32_t)(text->word.text - text->scan.line + 1);
    return status;
}

static enum bsim_status read_second_version(struct bsim_text *text)
{
    return error_here(text, "'banksim-trace' stands only in a trace's first record: to join "
                            "traces, leave out the 'end' before it and this line");
}

/* ---- the loop ------------------------------------------------------------------------------ */

static enum bsim_status read_named(struct bsim_text *text)
{
    static const struct {
        const char *name;
        enum bsim_status (*read)(struct bsim_text *text);
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
            return kind[i].read(text);
        }
    }
    return bsim_text_unknown(text, &text->word, "record", known, N_OF(known),
                             "kernel, site, block, wN, w*, repeat, done, end");
}

static enum bsim_status read_record(struct bsim_text *text)
{
    if (text->has_end) {
        return error_here(text, "a record after 'end': 'end' is a trace's last record");
    }
    if (!text->has_version) {
        return read_version(text);
    }
    const char *first = text->word.text;
    if (first[0] == 'w' && (first[1] == '*' || (first[1] >= '0' && first[1] <= '9'))) {
        return bsim_text_event(text);
    }
    return read_named(text);
}

/* A file saved with a byte order mark looks right in every editor: say what it is. */
static enum bsim_status check_byte_order_mark(struct bsim_text *text)
{
    const struct bsim_scan *scan = &text->scan;
    if (scan->number == 1 && scan->end - scan->line >= 3 &&
        memcmp(scan->line, "\xef\xbb\xbf", 3) == 0) {
        return bsim_scan_error(scan, scan->line, text->err,
                               "the file begins with a byte order mark: save it without one, as "
                               "plain ASCII or UTF-8");
    }
    return BSIM_OK;
}

static enum bsim_status read_line(struct bsim_text *text)
{
    enum bsim_status status;
    if (bsim_text_fast_event(text, &status)) {
        return status;
    }
    status = check_byte_order_mark(text);
    if (status == BSIM_OK) {
        status = bsim_scan_word(&text->scan, &text->word, text->err);
    }
    if (status != BSIM_OK || text->word.length == 0) {
        return status;
    }
    return read_record(text);
}

static enum bsim_status finish(struct bsim_text *text)
{
    if (!text->has_version) {
        return bsim_scan_error(&text->scan, text->scan.at, text->err,
                               "the trace is empty: it begins with the line 'banksim-trace 1'");
    }
    if (!text->has_end) {
        return bsim_scan_error(&text->scan, text->scan.at, text->err,
                               "the trace was cut short: its last record, 'end', is missing");
    }
    struct bsim_record record = {.kind = BSIM_RECORD_END, .line = text->end_line};
    enum bsim_status status = text->sink->push(text->sink->context, &record, text->err);
    if (status != BSIM_OK) {
        bsim_error_place(text->err, text->scan.file, text->end_line, text->end_column, NULL, 0);
    }
    return status;
}

/* The line in which the next piece begins, a `block`: it ends the last block of this one. */
static enum bsim_status read_seam(struct bsim_text *text)
{
    enum bsim_status status = bsim_scan_word(&text->scan, &text->word, text->err);
    return status == BSIM_OK ? bsim_text_close_block(text) : status;
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
    text->err = err;
    text->has_version = true;
    bsim_definition_line(definition, &text->scan);
    return read_line(text);
}

static enum bsim_status read_piece(void *reader, const struct bsim_input *input,
                                   struct bsim_piece *piece, struct bsim_error *err)
{
    struct bsim_text *text = reader;
    bsim_piece_lines(piece, input, &text->lines);
    text->err = err;
    text->has_version = !piece->is_first;
    for (;;) {
        bool found;
        enum bsim_status status = bsim_lines_next(&text->lines, &text->scan, &found, err);
        bool is_seam = found && text->scan.number == piece->end_place;
        if (status == BSIM_OK) {
            status = is_seam ? read_seam(text) : found ? read_line(text) : finish(text);
        }
        if (status != BSIM_OK || !found || is_seam) {
            return status;
        }
    }
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

/* `block` may begin a piece; `kernel` and `site` are what every reader must know; behind `end` nothing
 * is cut. A block in front of all kernels begins no piece: what is wrong there, its reader tells best
 * that has seen all lines before it. */
static enum bsim_scanned take_line(struct bsim_splitter *splitter, const char *line, const char *p,
                                   const char *end, size_t n)
{
    bool is_block = begins(p, end, "block") && splitter->last != splitter->first;
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

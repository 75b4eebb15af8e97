/* text_event.c - the text reader's events: almost all lines of a trace, so the hot part.
 *
 *     wN OPCODE MASK ADDRESSES [key=value...]      wN bar.sync [key=value...]
 *     wN @SITE  MASK ADDRESSES [key=value...]      wN work K[:L] [key=value...]
 *
 * Addresses are read and checked in place, one pass over their digits; an affine form stays one and
 * is checked at its lowest and highest active lane alone.
 */
#include "trace/text/text.h"

#include <inttypes.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

enum { MASK_DIGITS = 8 };

/* ---- warp, opcode, mask -------------------------------------------------------------------- */

static enum bsim_status read_warp(struct bsim_text *text, struct bsim_event *event)
{
    const char *p = text->word.text + 1;
    const char *end = text->word.text + text->word.length;
    uint64_t number;
    if (!text->rules.in_block) {
        return bsim_text_place(text, text->word.text,
                               bsim_rules_may_event(&text->rules, text->err));
    }
    if (p[0] == '*' && p + 1 == end) {
        event->warp = BSIM_ALL_WARPS;
        return BSIM_OK;
    }
    if (!bsim_scan_number(&p, &number) || p != end) {
        return bsim_scan_error(&text->scan, text->word.text, text->err,
                               "a warp is w and a number, or w* for all, not '%.*s'",
                               bsim_word_shown(&text->word), text->word.text);
    }
    event->warp = (uint32_t)number;
    return bsim_text_place(text, text->word.text, bsim_rules_warp(&text->rules, number, text->err));
}

enum bsim_status bsim_text_opcode(struct bsim_text *text, const struct bsim_word *word,
                                  struct bsim_opcode *opcode)
{
    if (word->length == 0) {
        return bsim_scan_error(&text->scan, word->text, text->err,
                               "the opcode is missing, as in ld.shared.u32");
    }
    enum bsim_status status = bsim_opcode_parse(word->text, word->length, opcode, text->err);
    if (status != BSIM_OK) {
        const struct bsim_scan *scan = &text->scan;
        bsim_error_place(text->err, scan->file, scan->number,
                         (uint32_t)(word->text - scan->line + 1), scan->line,
                         (size_t)(scan->end - scan->line));
    }
    return status;
}

/* A trace uses few opcodes again and again: their parsed forms are kept, found by three letters
 * that differ among the usual ones. The length is 4 at least. */
static size_t place_of(const char *name, size_t length)
{
    const unsigned char *c = (const unsigned char *)name;
    size_t hash = c[0] + 3u * c[length - 3] + 5u * c[length - 1] + 7u * length;
    return hash % BSIM_OPCODES_KEPT;
}

const struct bsim_opcode *bsim_text_kept_opcode(const struct bsim_text *text, const char *name,
                                                size_t length)
{
    if (length < 4 || length >= BSIM_OPCODE_NAME_SIZE) {
        return NULL;
    }
    const struct bsim_kept_opcode *kept = &text->kept[place_of(name, length)];
    return kept->length == length && memcmp(kept->name, name, length) == 0 ? &kept->opcode : NULL;
}

static enum bsim_status read_kept_opcode(struct bsim_text *text, const struct bsim_word *word,
                                         struct bsim_opcode *opcode)
{
    size_t n = word->length;
    const struct bsim_opcode *kept = bsim_text_kept_opcode(text, word->text, n);
    if (kept != NULL) {
        *opcode = *kept;
        return BSIM_OK;
    }
    enum bsim_status status = bsim_text_opcode(text, word, opcode);
    if (status == BSIM_OK && n >= 4 && n < BSIM_OPCODE_NAME_SIZE) {
        struct bsim_kept_opcode *place = &text->kept[place_of(word->text, n)];
        place->length = n;
        place->opcode = *opcode;
        memcpy(place->name, word->text, n);
    }
    return status;
}

static enum bsim_status read_site(struct bsim_text *text, const struct bsim_word *word,
                                  struct bsim_event *event)
{
    struct bsim_word digits = {word->text + 1, word->length - 1};
    uint64_t number;
    enum bsim_status status = bsim_scan_whole(&text->scan, &digits, "the site's number", 1,
                                              UINT32_MAX, &number, text->err);
    if (status != BSIM_OK) {
        return status;
    }
    event->site = bsim_sites_find(&text->sites, (uint32_t)number);
    if (event->site == NULL) {
        return bsim_scan_error(&text->scan, word->text, text->err,
                               "unknown site %" PRIu64 ": 'site %" PRIu64
                               " OPCODE' must stand before its first use in this kernel",
                               number, number);
    }
    event->opcode = event->site->opcode;
    return BSIM_OK;
}

static enum bsim_status read_opcode(struct bsim_text *text, struct bsim_word *word,
                                    struct bsim_event *event)
{
    enum bsim_status status = bsim_scan_word(&text->scan, word, text->err);
    if (status != BSIM_OK) {
        return status;
    }
    if (*word->text == '@') {
        return read_site(text, word, event);
    }
    if (bsim_word_is(word, "work")) {
        event->opcode = (struct bsim_opcode){.family = BSIM_WORK};
        return BSIM_OK;
    }
    return read_kept_opcode(text, word, &event->opcode);
}

/* The mask's bits, or false if the word is not eight hex digits. */
static bool parse_mask(const struct bsim_word *word, uint32_t *mask)
{
    uint32_t bits = 0;
    if (word->length != MASK_DIGITS) {
        return false;
    }
    for (size_t i = 0; i < MASK_DIGITS; i++) {
        char c = word->text[i];
        char letter = (char)(c | 0x20);
        if (c >= '0' && c <= '9') {
            bits = bits << 4 | (uint32_t)(c - '0');
        } else if (letter >= 'a' && letter <= 'f') {
            bits = bits << 4 | (uint32_t)(letter - 'a' + 10);
        } else {
            return false;
        }
    }
    *mask = bits;
    return true;
}

static enum bsim_status read_mask(struct bsim_text *text, struct bsim_event *event)
{
    struct bsim_word word;
    enum bsim_status status = bsim_scan_word(&text->scan, &word, text->err);
    if (status != BSIM_OK) {
        return status;
    }
    if (!parse_mask(&word, &event->mask)) {
        return bsim_scan_error(&text->scan, word.text, text->err,
                               "the mask is eight hex digits (without 0x), as in ffffffff");
    }
    return bsim_text_place(text, word.text,
                           bsim_rules_mask(&event->opcode, event->mask, text->err));
}

/* ---- addresses ----------------------------------------------------------------------------- */

static enum bsim_status not_addresses(const struct bsim_text *text, const struct bsim_word *rest)
{
    return bsim_scan_error(&text->scan, rest->text, text->err,
                           "addresses are B+S, B-S or a list a,b,c with a*n, not '%.*s'",
                           bsim_word_shown(rest), rest->text);
}

/* The error for the place in a word of addresses where a number does not stand. */
static enum bsim_status refuse_number(struct bsim_text *text, const char *where)
{
    struct bsim_word rest;
    text->scan.at = where;
    enum bsim_status status = bsim_scan_word(&text->scan, &rest, text->err);
    if (status != BSIM_OK) {
        return status;
    }
    if (rest.text != where || rest.length == 0 || *where == ',') {
        return bsim_scan_error(&text->scan, where, text->err,
                               "a number is missing: the addresses are one word, without blanks");
    }
    if (*where >= '0' && *where <= '9') {
        return bsim_scan_error(&text->scan, where, text->err, "'%.*s' is not a number of 64 bits",
                               bsim_word_shown(&rest), where);
    }
    return not_addresses(text, &rest);
}

/* B+S or B-S, from the sign on; base has been read. */
static enum bsim_status read_affine(struct bsim_text *text, const char *start, const char *p,
                                    uint64_t base, uint32_t lanes)
{
    struct bsim_event *event = &text->event;
    bool down = *p++ == '-';
    const char *stride_text = p;
    uint64_t stride;
    if (!bsim_scan_number(&p, &stride)) {
        return refuse_number(text, stride_text);
    }
    if (stride > INT64_MAX) {
        return bsim_scan_error(&text->scan, stride_text, text->err, "a stride is below 2^63");
    }
    event->affine = true;
    event->base = base;
    event->stride = down ? -(int64_t)stride : (int64_t)stride;
    text->scan.at = p;
    struct bsim_window window = bsim_window_of(text->kernel, &event->opcode);
    return bsim_text_place(text, start,
                           bsim_rules_affine(text->kernel, event, lanes, &window, text->err));
}

static enum bsim_status wrong_count(const struct bsim_text *text, const char *where,
                                    const char *has)
{
    uint32_t n = bsim_opcode_addresses(&text->event.opcode, text->event.mask);
    if (text->event.opcode.family >= BSIM_LDMATRIX) {
        return bsim_scan_error(&text->scan, where, text->err,
                               "%s addresses than the %" PRIu32 " rows of the matrix form", has, n);
    }
    return bsim_scan_error(&text->scan, where, text->err,
                           "%s addresses than the %" PRIu32 " active lane%s of mask %08" PRIx32,
                           has, n, n == 1 ? "" : "s", text->event.mask);
}

/* The n of a*n; 1 and nothing read where no '*' stands. */
static enum bsim_status read_times(const struct bsim_text *text, const char **at, uint64_t *n)
{
    *n = 1;
    if (**at != '*') {
        return BSIM_OK;
    }
    const char *digits = ++*at;
    if (!bsim_scan_number(at, n) || *n == 0) {
        return bsim_scan_error(&text->scan, digits, text->err,
                               "a*n needs a number n of lanes, 1 or more");
    }
    return BSIM_OK;
}

/* Behind the last digit the word of addresses must end. */
static enum bsim_status end_addresses(struct bsim_text *text)
{
    const char *p = text->scan.at;
    if (p == text->scan.end || *p == ' ' || *p == '\t' || *p == '#') {
        return BSIM_OK;
    }
    struct bsim_word rest;
    enum bsim_status status = bsim_scan_word(&text->scan, &rest, text->err);
    return status == BSIM_OK ? not_addresses(text, &rest) : status;
}

/* Too few: a list that is too short, or `B + S`. */
static enum bsim_status too_few(struct bsim_text *text, const char *start)
{
    const char *next = bsim_scan_next(&text->scan);
    if (next < text->scan.end && (*next == '+' || *next == '-')) {
        return bsim_scan_error(&text->scan, next, text->err,
                               "the addresses are one word, without blanks");
    }
    return wrong_count(text, start, "fewer");
}

/* a,b,c with a*n, from its first number on, which has been read up to p. */
static enum bsim_status read_list(struct bsim_text *text, const char *start, const char *p,
                                  uint64_t address, uint32_t lanes)
{
    struct bsim_window window = bsim_window_of(text->kernel, &text->event.opcode);
    const char *item = start;
    uint32_t lane = 0; /* the next that may get an address */
    for (;;) {
        uint64_t n;
        enum bsim_status status = read_times(text, &p, &n);
        text->scan.at = p;
        if (status == BSIM_OK && *p != ',') {
            status = end_addresses(text);
        }
        if (status != BSIM_OK) {
            return status;
        }
        for (; n > 0; n--) {
            while (lane < BSIM_WARP_LANES && (lanes >> lane & 1) == 0) {
                lane++;
            }
            if (lane == BSIM_WARP_LANES) {
                return wrong_count(text, item, "more");
            }
            if (!bsim_window_allows(&window, address)) {
                return bsim_text_place(text, item,
                                       bsim_window_refuse(text->kernel, &text->event.opcode, lane,
                                                          address, text->err));
            }
            text->event.address[lane++] = address;
        }
        if (*p != ',') {
            break;
        }
        item = ++p;
        if (!bsim_scan_number(&p, &address)) {
            return refuse_number(text, item);
        }
    }
    bool is_complete = lane == BSIM_WARP_LANES || lanes >> lane == 0;
    return is_complete ? BSIM_OK : too_few(text, start);
}

/* `-`, for the opcodes that have no address. */
static enum bsim_status read_no_address(struct bsim_text *text)
{
    struct bsim_word word;
    enum bsim_status status = bsim_scan_word(&text->scan, &word, text->err);
    if (status == BSIM_OK && !bsim_word_is(&word, "-")) {
        return bsim_scan_error(&text->scan, word.text, text->err,
                               "an exchange has no address: '-' stands in its place");
    }
    return status;
}

static enum bsim_status read_addresses(struct bsim_text *text)
{
    const struct bsim_event *event = &text->event;
    uint32_t lanes = bsim_opcode_lanes(&event->opcode, event->mask);
    if (lanes == 0) {
        return read_no_address(text);
    }
    const char *start = bsim_scan_next(&text->scan);
    const char *p = start;
    uint64_t first;
    if (start == text->scan.end || *start == '#') {
        return bsim_scan_error(&text->scan, start, text->err, "the addresses are missing");
    }
    if (!bsim_scan_number(&p, &first)) {
        return refuse_number(text, start);
    }
    if (*p == '+' || *p == '-') {
        enum bsim_status status = read_affine(text, start, p, first, lanes);
        return status == BSIM_OK ? end_addresses(text) : status;
    }
    return read_list(text, start, p, first, lanes);
}

/* ---- attributes and the whole -------------------------------------------------------------- */

enum event_key { KEY_WAIT, KEY_WAVEFRONTS, KEY_CONFLICTS };

static enum bsim_status read_attribute(struct bsim_text *text, const struct bsim_pair *pair,
                                       uint32_t *seen)
{
    static const char *const known[] = {"wait", "expect.wavefronts", "expect.conflicts"};
    struct bsim_event *event = &text->event;
    size_t which;
    uint64_t number;
    enum bsim_status status = bsim_text_key(
        text, pair, known, N_OF(known), "wait, expect.wavefronts, expect.conflicts", seen, &which);
    if (status == BSIM_OK && which != KEY_WAIT) {
        status = bsim_text_place(text, pair->key.text,
                                 bsim_rules_expects(&event->opcode, known[which], text->err));
    }
    if (status == BSIM_OK) {
        status = bsim_scan_whole(&text->scan, &pair->value, known[which], 0, INT32_MAX, &number,
                                 text->err);
    }
    if (status != BSIM_OK) {
        return status;
    }
    int32_t *field[] = {&event->wait, &event->expect_wavefronts, &event->expect_conflicts};
    *field[which] = (int32_t)number;
    return BSIM_OK;
}

static enum bsim_status read_attributes(struct bsim_text *text)
{
    uint32_t seen = 0;
    for (;;) {
        struct bsim_pair pair;
        enum bsim_status status = bsim_scan_pair(&text->scan, &pair, text->err);
        if (status != BSIM_OK || pair.key.length == 0) {
            return status == BSIM_OK ? bsim_scan_end(&text->scan, text->err) : status;
        }
        status = read_attribute(text, &pair, &seen);
        if (status != BSIM_OK) {
            return status;
        }
    }
}

/* What stands between the opcode and the attributes. */
static enum bsim_status read_operands(struct bsim_text *text, const struct bsim_word *opcode)
{
    struct bsim_event *event = &text->event;
    enum bsim_status status;
    struct bsim_word word;
    switch ((enum bsim_family)event->opcode.family) {
    case BSIM_BAR:
        return bsim_barriers_add(&text->rules.barriers, event->warp, text->rules.turns, &text->scan,
                                 opcode->text, text->err);
    case BSIM_WORK:
        status = bsim_scan_word(&text->scan, &word, text->err);
        return status == BSIM_OK
                   ? bsim_text_work(text, &word, 1, &event->work_count, &event->work_cycles)
                   : status;
    default:
        status = read_mask(text, event);
        return status == BSIM_OK ? read_addresses(text) : status;
    }
}

enum bsim_status bsim_text_event(struct bsim_text *text)
{
    static const struct bsim_opcode none = {0};
    struct bsim_event *event = &text->event;
    struct bsim_word opcode;
    bsim_event_init(event, &none);
    enum bsim_status status = read_warp(text, event);
    if (status == BSIM_OK) {
        status = read_opcode(text, &opcode, event);
    }
    if (status == BSIM_OK) {
        status = read_operands(text, &opcode);
    }
    if (status == BSIM_OK) {
        status = read_attributes(text);
    }
    if (status != BSIM_OK) {
        return status;
    }
    struct bsim_record record = {.kind = BSIM_RECORD_EVENT, .u.event = event};
    return bsim_text_push(text, &record);
}

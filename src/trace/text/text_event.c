/* text_event.c - the text reader's events: almost all lines of a trace, so the hot part.
 *
 *     wN OPCODE MASK ADDRESSES [key=value...]      wN bar.sync [key=value...]
 *     wN @SITE  MASK ADDRESSES [key=value...]      wN work K[:L] [key=value...]
 *     wN cp.async... MASK ADDRESSES [from=ADDRESSES] [key=value...]
 *     wN wgmma... and bulk copies: text_async.c
 *
 * Addresses are read and checked in place, one pass over their digits; an affine form stays one and
 * is checked at its lowest and highest active lane alone.
 */
#include "trace/text/text.h"

#include "base/bits.h"
#include "event/far.h"

#include <inttypes.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

enum { MASK_DIGITS = 8 };

/* ---- warp, opcode, mask -------------------------------------------------------------------- */

static void read_warp(struct bsim_text *text, struct bsim_event *event)
{
    struct bsim_scan *scan = &text->scan;
    const char *p = text->word.text + 1;
    const char *end = text->word.text + text->word.length;
    uint64_t number;
    bsim_text_may(text, BSIM_RECORD_EVENT);
    if (p[0] == '*' && p + 1 == end) {
        event->warp = BSIM_ALL_WARPS;
    } else if (!bsim_scan_number(&p, &number) || p != end) {
        bsim_scan_error(scan, text->word.text,
                        "a warp is w and a number, or w* for all, not '%.*s'",
                        bsim_word_shown(&text->word), text->word.text);
    } else {
        event->warp = (uint32_t)number;
        bsim_scan_check(scan, text->word.text,
                        bsim_rules_warp(&text->rules, number, bsim_scan_err(scan)));
    }
}

void bsim_text_opcode(struct bsim_text *text, const struct bsim_word *word,
                      struct bsim_opcode *opcode)
{
    struct bsim_scan *scan = &text->scan;
    if (word->length == 0) {
        bsim_scan_error(scan, word->text, "the opcode is missing, as in ld.shared.u32");
    } else {
        bsim_scan_check(scan, word->text,
                        bsim_opcode_parse(word->text, word->length, opcode, bsim_scan_err(scan)));
    }
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

static void read_kept_opcode(struct bsim_text *text, const struct bsim_word *word,
                             struct bsim_opcode *opcode)
{
    size_t n = word->length;
    const struct bsim_opcode *kept = bsim_text_kept_opcode(text, word->text, n);
    if (kept != NULL) {
        *opcode = *kept;
        return;
    }
    bsim_text_opcode(text, word, opcode);
    if (text->scan.status == BSIM_OK && n >= 4 && n < BSIM_OPCODE_NAME_SIZE) {
        struct bsim_kept_opcode *place = &text->kept[place_of(word->text, n)];
        place->length = n;
        place->opcode = *opcode;
        memcpy(place->name, word->text, n);
    }
}

static void read_site(struct bsim_text *text, const struct bsim_word *word,
                      struct bsim_event *event)
{
    struct bsim_word digits = {word->text + 1, word->length - 1};
    uint64_t number = bsim_scan_whole(&text->scan, &digits, "the site's number", 1, UINT32_MAX);
    event->site = bsim_sites_find(&text->sites, (uint32_t)number);
    if (event->site != NULL) {
        event->opcode = event->site->opcode;
    } else {
        bsim_scan_error(&text->scan, word->text,
                        "unknown site %" PRIu64 ": 'site %" PRIu64
                        " OPCODE' must stand before its first use in this kernel",
                        number, number);
    }
}

/* Whether it is a word of the groups of cp.async. */
static bool read_groups(const struct bsim_word *word, struct bsim_event *event)
{
    bool waits = bsim_word_is(word, "cp.async.wait_group"), waits_for_all = bsim_word_is(word, "cp.async.wait_all");
    if (waits || waits_for_all || bsim_word_is(word, "cp.async.commit_group")) {
        event->opcode =
            (struct bsim_opcode){.family = waits || waits_for_all ? BSIM_COPIES_WAIT : BSIM_COPIES_COMMIT};
        event->groups = waits_for_all ? BSIM_ALL_COPIES : 0;
        return true;
    }
    return false;
}

static struct bsim_word read_opcode(struct bsim_text *text, struct bsim_event *event)
{
    struct bsim_word word = bsim_scan_word(&text->scan);
    if (text->scan.status != BSIM_OK) {
        return word;
    }
    if (*word.text == '@') {
        read_site(text, &word, event);
    } else if (bsim_word_is(&word, "work")) {
        event->opcode = (struct bsim_opcode){.family = BSIM_WORK};
    } else if (bsim_word_is(&word, "arrive")) {
        event->opcode = (struct bsim_opcode){.family = BSIM_ARRIVE};
    } else if (bsim_word_is(&word, "await")) {
        event->opcode = (struct bsim_opcode){.family = BSIM_AWAIT};
    } else if (bsim_word_is(&word, "cp.async.mbarrier.arrive")) {
        event->opcode = (struct bsim_opcode){.family = BSIM_COPIES_ARRIVE};
    } else if (!read_groups(&word, event)) {
        read_kept_opcode(text, &word, &event->opcode);
    }
    return word;
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

static void read_mask(struct bsim_text *text, struct bsim_event *event)
{
    struct bsim_word word = bsim_scan_word(&text->scan);
    if (!parse_mask(&word, &event->mask)) {
        bsim_scan_error(&text->scan, word.text,
                        "the mask is eight hex digits (without 0x), as in ffffffff");
    }
    bsim_scan_check(&text->scan, word.text,
                    bsim_rules_mask(&event->opcode, event->mask, bsim_scan_err(&text->scan)));
}

/* ---- addresses ----------------------------------------------------------------------------- */

static void not_addresses(struct bsim_text *text, const struct bsim_word *rest)
{
    bsim_scan_error(&text->scan, rest->text,
                    "addresses are B+S, B-S or a list a,b,c with a*n, not '%.*s'",
                    bsim_word_shown(rest), rest->text);
}

/* The error for the place in a word of addresses where a number does not stand. */
static void refuse_number(struct bsim_text *text, const char *where)
{
    text->scan.at = where;
    struct bsim_word rest = bsim_scan_word(&text->scan);
    if (rest.text != where || rest.length == 0 || *where == ',') {
        bsim_scan_error(&text->scan, where,
                        "a number is missing: the addresses are one word, without blanks");
    } else if (*where >= '0' && *where <= '9') {
        bsim_scan_error(&text->scan, where, "'%.*s' is not a number of 64 bits",
                        bsim_word_shown(&rest), where);
    } else {
        not_addresses(text, &rest);
    }
}

/* B+S or B-S, from the sign on; base has been read. */
static void read_affine(struct bsim_text *text, const char *start, const char *p, uint64_t base,
                        uint32_t lanes)
{
    struct bsim_event *event = &text->event;
    bool down = *p++ == '-';
    const char *stride_text = p;
    uint64_t stride;
    if (!bsim_scan_number(&p, &stride)) {
        refuse_number(text, stride_text);
        return;
    }
    if (stride > INT64_MAX) {
        bsim_scan_error(&text->scan, stride_text, "a stride is below 2^63");
        return;
    }
    event->affine = true;
    event->base = base;
    event->stride = down ? -(int64_t)stride : (int64_t)stride;
    text->scan.at = p;
    struct bsim_window window = bsim_window_of(text->kernel, &event->opcode);
    bsim_scan_check(
        &text->scan, start,
        bsim_rules_affine(text->kernel, event, lanes, &window, bsim_scan_err(&text->scan)));
}

static void wrong_count(struct bsim_text *text, const char *where, const char *has)
{
    uint32_t n = bsim_bits_population(bsim_opcode_lanes(&text->event.opcode, text->event.mask));
    if (bsim_opcode_is_matrix(&text->event.opcode)) {
        bsim_scan_error(&text->scan, where,
                        "%s addresses than the %" PRIu32 " rows of the matrix form", has, n);
    } else {
        bsim_scan_error(&text->scan, where,
                        "%s addresses than the %" PRIu32 " active lane%s of mask %08" PRIx32, has,
                        n, n == 1 ? "" : "s", text->event.mask);
    }
}

/* The n of a*n; 1 and nothing read where no '*' stands. */
static uint64_t read_times(struct bsim_text *text, const char **at)
{
    uint64_t n = 1;
    if (**at != '*') {
        return n;
    }
    const char *digits = ++*at;
    if (!bsim_scan_number(at, &n) || n == 0) {
        bsim_scan_error(&text->scan, digits, "a*n needs a number n of lanes, 1 or more");
    }
    return n;
}

/* Behind the last digit the word of addresses must end. */
static void end_addresses(struct bsim_text *text)
{
    const char *p = text->scan.at;
    if (p != text->scan.end && *p != ' ' && *p != '\t' && *p != '#') {
        struct bsim_word rest = bsim_scan_word(&text->scan);
        not_addresses(text, &rest);
    }
}

/* Too few: a list that is too short, or `B + S`. */
static void too_few(struct bsim_text *text, const char *start)
{
    const char *next = bsim_scan_next(&text->scan);
    if (next < text->scan.end && (*next == '+' || *next == '-')) {
        bsim_scan_error(&text->scan, next, "the addresses are one word, without blanks");
    } else {
        wrong_count(text, start, "fewer");
    }
}

/* Gives the address at `where` to n of `lanes`, from `lane` on; returns the one behind the last. */
static inline uint32_t set_lanes(struct bsim_text *text, const struct bsim_window *window,
                                 const char *where, uint64_t address, uint64_t n, uint32_t lanes,
                                 uint32_t lane)
{
    struct bsim_event *event = &text->event;
    for (; n > 0; n--) {
        while (lane < BSIM_WARP_LANES && (lanes >> lane & 1) == 0) {
            lane++;
        }
        if (lane == BSIM_WARP_LANES) {
            wrong_count(text, where, "more");
            break;
        }
        if (!bsim_window_allows(window, address)) {
            bsim_scan_check(&text->scan, where,
                            bsim_window_refuse(text->kernel, &event->opcode, lane, address,
                                               bsim_scan_err(&text->scan)));
            break;
        }
        event->address[lane++] = address;
    }
    return lane;
}

/* a,b,c with a*n, from its first number on, which has been read up to p. */
static void read_list(struct bsim_text *text, const char *start, const char *p, uint64_t address,
                      uint32_t lanes)
{
    struct bsim_window window = bsim_window_of(text->kernel, &text->event.opcode);
    const char *item = start;
    uint32_t lane = 0; /* the next that may get an address */
    while (text->scan.status == BSIM_OK) {
        uint64_t n = read_times(text, &p);
        bool is_last = *p != ',';
        if (is_last && text->scan.status == BSIM_OK) {
            text->scan.at = p;
            end_addresses(text);
        }
        lane = set_lanes(text, &window, item, address, n, lanes, lane);
        if (is_last) {
            break;
        }
        item = ++p;
        if (!bsim_scan_number(&p, &address)) {
            refuse_number(text, item);
        }
    }
    if (lane < BSIM_WARP_LANES && lanes >> lane != 0) {
        too_few(text, start);
    }
}

/* `-`, for the opcodes that have no address. */
static void read_no_address(struct bsim_text *text)
{
    struct bsim_word word = bsim_scan_word(&text->scan);
    if (!bsim_word_is(&word, "-")) {
        bsim_scan_error(&text->scan, word.text,
                        "an exchange has no address: '-' stands in its place");
    }
}

static void read_addresses(struct bsim_text *text)
{
    const struct bsim_event *event = &text->event;
    uint32_t lanes = bsim_opcode_lanes(&event->opcode, event->mask);
    if (lanes == 0) {
        read_no_address(text);
        return;
    }
    const char *start = bsim_scan_next(&text->scan);
    const char *p = start;
    uint64_t first;
    if (start == text->scan.end || *start == '#') {
        bsim_scan_error(&text->scan, start, "the addresses are missing");
    } else if (!bsim_scan_number(&p, &first)) {
        refuse_number(text, start);
    } else if (*p == '+' || *p == '-') {
        read_affine(text, start, p, first, lanes);
        end_addresses(text);
    } else {
        read_list(text, start, p, first, lanes);
    }
}

/* ---- meetings ------------------------------------------------------------------------------ */

/* T, or T:N of one who waits. */
static void read_meeting(struct bsim_text *text, const struct bsim_word *opcode,
                         struct bsim_event *event)
{
    struct bsim_scan *scan = &text->scan;
    struct bsim_word word = bsim_scan_word(scan);
    const char *p = word.text, *end = word.text + word.length;
    bool awaits = event->opcode.family == BSIM_AWAIT;
    bsim_scan_check(scan, opcode->text, bsim_rules_meeting(&text->rules, bsim_scan_err(scan)));
    event->meeting =
        (uint32_t)bsim_scan_ranged(scan, &p, end, "the meeting's number", 1, UINT32_MAX);
    if (awaits && p != end && *p == ':') {
        p++;
        event->arrivals =
            (uint32_t)bsim_scan_ranged(scan, &p, end, "the number of arrivals", 1, UINT32_MAX);
    }
    if (p != end || (awaits && event->arrivals == 0)) {
        bool copies = event->opcode.family == BSIM_COPIES_ARRIVE;
        bsim_scan_error(scan, word.text, "%s%s, not '%.*s'", copies ? "cp.async.mbarrier." : "",
                        awaits ? "await is T:N (meeting, arrivals)" : "arrive is T (meeting)",
                        bsim_word_shown(&word), word.text);
    }
}

/* N, of a wait that is not for all. */
static void read_n_groups(struct bsim_text *text, struct bsim_event *event)
{
    if (event->groups != BSIM_ALL_COPIES) {
        struct bsim_word word = bsim_scan_word(&text->scan);
        event->groups = (uint32_t)bsim_scan_whole(&text->scan, &word, "the number of groups", 0, BSIM_ALL_COPIES - 1);
    }
}

/* ---- attributes and the whole -------------------------------------------------------------- */

enum { KEY_WAIT, KEY_FROM = 3, KEY_READS, KEY_REUSE }; /* the others are expectations */

/* Where a copy is from: read as the addresses of a load of the same lanes. */
static void read_from(struct bsim_text *text, const struct bsim_pair *pair)
{
    struct bsim_scan *scan = &text->scan;
    struct bsim_event event = text->event;
    const char *behind = scan->at;
    bsim_scan_check(scan, pair->key.text, bsim_rules_from(&event.opcode, bsim_scan_err(scan)));
    if (scan->status == BSIM_OK && pair->value.length == 0) {
        bsim_scan_error(scan, pair->value.text, "the addresses are missing");
    }
    if (scan->status != BSIM_OK) {
        return;
    }
    bsim_event_far(&event, &text->event);
    scan->at = pair->value.text;
    read_addresses(text);
    bsim_from_of(&text->event, &text->from);
    text->event = event;
    text->event.from = &text->from;
    scan->at = behind;
}

/* EVEN+ODD: registers of each bank. */
static void read_banks(struct bsim_text *text, const struct bsim_pair *pair, uint8_t *even, uint8_t *odd)
{
    struct bsim_scan *scan = &text->scan;
    const char *p = pair->value.text, *end = p + pair->value.length;
    *even = (uint8_t)bsim_scan_ranged(scan, &p, end, "the number of even registers", 0, BSIM_MOST_READS);
    bool has_both = p != end && *p == '+';
    if (has_both) {
        p++;
        *odd = (uint8_t)bsim_scan_ranged(scan, &p, end, "the number of odd registers", 0, BSIM_MOST_READS);
    }
    if (!has_both || p != end) {
        bsim_scan_error(scan, pair->value.text, "%.*s is EVEN+ODD (registers of each bank), not '%.*s'",
                        bsim_word_shown(&pair->key), pair->key.text, bsim_word_shown(&pair->value), pair->value.text);
    }
}

static void read_attributes(struct bsim_text *text)
{
    static const char *const known[] = {"wait", "expect.wavefronts", "expect.conflicts", "from", "reads", "reuse"};
    struct bsim_scan *scan = &text->scan;
    struct bsim_event *event = &text->event;
    int32_t *const field[] = {&event->wait, &event->expect_wavefronts, &event->expect_conflicts};
    uint32_t seen = 0;
    struct bsim_pair pair;
    const char *at_reads = NULL;
    while (bsim_scan_pair(scan, &pair)) {
        size_t which = bsim_text_key(text, &pair, known, N_OF(known),
                                     "wait, expect.wavefronts, expect.conflicts, from, reads, reuse", &seen);
        if (which == N_OF(known)) {
            return;
        }
        if (which == KEY_FROM) {
            read_from(text, &pair);
            continue;
        }
        if (which >= KEY_READS) {
            struct bsim_reads *reads = &event->reads;
            bool is_reuse = which == KEY_REUSE;
            bsim_scan_check(scan, pair.key.text, bsim_rules_reads(&event->opcode, bsim_scan_err(scan)));
            read_banks(text, &pair, is_reuse ? &reads->reused_even : &reads->even, is_reuse ? &reads->reused_odd : &reads->odd);
            at_reads = pair.key.text;
            continue;
        }
        if (which != KEY_WAIT) {
            bsim_scan_check(scan, pair.key.text,
                            bsim_rules_expects(&event->opcode, known[which], bsim_scan_err(scan)));
        }
        *field[which] = (int32_t)bsim_scan_whole(scan, &pair.value, known[which], 0, INT32_MAX);
    }
    if (at_reads != NULL) {
        bsim_scan_check(scan, at_reads, bsim_rules_read(&event->reads, bsim_scan_err(scan)));
    }
    bsim_scan_end(scan);
}

/* The class of work, a word that is no key=value pair, if there is one. */
static void read_class(struct bsim_text *text)
{
    struct bsim_scan *scan = &text->scan;
    const char *next = bsim_scan_next(scan);
    size_t length = 0;
    while (next[length] > ' ' && next[length] != '#' && next[length] != '=') {
        length++;
    }
    if (length == 0 || next[length] == '=' || scan->status != BSIM_OK) {
        return;
    }
    struct bsim_word word = bsim_scan_word(scan);
    uint32_t work_class = bsim_work_class_find(word.text, word.length);
    if (work_class == BSIM_N_WORK_CLASSES) {
        bsim_scan_error(scan, word.text,
                        "work is of fp32, int, imad, half, fp64, xu, tensor or lsu, not '%.*s'",
                        bsim_word_shown(&word), word.text);
        return;
    }
    text->event.opcode.operation = (uint8_t)work_class;
}

/* What stands between the opcode and the attributes. */
static void read_operands(struct bsim_text *text, const struct bsim_word *opcode)
{
    struct bsim_scan *scan = &text->scan;
    struct bsim_event *event = &text->event;
    struct bsim_word word;
    switch ((enum bsim_family)event->opcode.family) {
    case BSIM_BAR:
        bsim_scan_check(
            scan, opcode->text,
            bsim_rules_barrier(&text->rules, event->warp, scan, opcode->text, bsim_scan_err(scan)));
        break;
    case BSIM_WORK:
        word = bsim_scan_word(scan);
        bsim_text_work(text, &word, 1, &event->work_count, &event->work_cycles);
        read_class(text);
        break;
    case BSIM_ARRIVE:
    case BSIM_AWAIT:
    case BSIM_COPIES_ARRIVE:
        read_meeting(text, opcode, event);
        break;
    case BSIM_COPIES_COMMIT:
        break;
    case BSIM_COPIES_WAIT:
        read_n_groups(text, event);
        break;
    case BSIM_WGMMA:
    case BSIM_BULK:
        bsim_text_async(text, opcode);
        break;
    default:
        read_mask(text, event);
        read_addresses(text);
        break;
    }
}

void bsim_text_event(struct bsim_text *text)
{
    static const struct bsim_opcode none = {0};
    struct bsim_event *event = &text->event;
    bsim_event_init(event, &none);
    read_warp(text, event);
    struct bsim_word opcode = read_opcode(text, event);
    if (text->scan.status != BSIM_OK) {
        return; /* the warp and the opcode lead into tables */
    }
    read_operands(text, &opcode);
    if (!bsim_opcode_is_async(&event->opcode)) {
        read_attributes(text);
    }
    struct bsim_record record = {.kind = BSIM_RECORD_EVENT, .u.event = event};
    bsim_text_push(text, &record);
}

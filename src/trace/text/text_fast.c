/* text_fast.c - the usual lines of events, read without a look at each character.
 *
 *     w12 @3 ffffffff 4096+128            one blank between words, decimal numbers, no attribute
 *     w0 ld.shared.u32 0000000f 0,4*2,8   but one wait=, no comment, no fault
 *     w0 work 2:6 wait=1
 *     w* bar.sync
 *
 * Anything else is given back untouched to text_event.c, the careful reader, which alone knows what
 * may be wrong: so there is one set of messages, and what is read here must be exactly what it
 * would have read. Numbers are taken eight digits at once: with the characters in a 64-bit word,
 * the lowest first, three multiplications add the digits in pairs, fours and eights. In a list the
 * ends of the numbers are looked for ahead, 64 characters at a time, so that no number waits for
 * the end of the one before.
 *
 * The reads go up to BSIM_LINES_SLACK bytes behind the line. Little-endian processors only; on
 * others the careful reader reads all.
 */
#include "trace/text/text.h"

#include <string.h>

#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { WORD_DIGITS = 8, BLOCK = 64 };

#define EACH_BYTE(value) (UINT64_C(0x0101010101010101) * (value))

static inline uint64_t load(const char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* The top bit of each byte that is no digit; bytes behind the first such one may be wrong. */
static inline uint64_t not_digits(uint64_t word)
{
    uint64_t value = word ^ EACH_BYTE('0');
    return (value | (value + EACH_BYTE(0x80 - 10))) & EACH_BYTE(0x80);
}

/* The value of the last n digits of eight, 1 to 8, in a word of which they are the first n
 * bytes. */
static inline uint64_t value_of(uint64_t word, size_t n)
{
    uint64_t digits = (word & EACH_BYTE(0x0f)) << (64 - 8 * n);
    uint64_t pairs = digits * 10 + (digits >> 8);
    uint64_t high = (pairs & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064);
    uint64_t low = (pairs >> 16 & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001);
    return (high + low) >> 32;
}

/* The number of n digits at p, 1 to 16. */
static inline uint64_t number_at(const char *p, size_t n)
{
    if (n <= WORD_DIGITS) {
        return value_of(load(p), n);
    }
    return value_of(load(p), n - WORD_DIGITS) * 100000000 +
           value_of(load(p + n - WORD_DIGITS), WORD_DIGITS);
}

/* Reads a number of 1 to 15 digits, most of which have less than 8. False if it is none or
 * longer. */
static inline bool take_number(const char **at, uint64_t *value)
{
    uint64_t word = load(*at);
    uint64_t ends = not_digits(word);
    size_t n;
    if (ends != 0) {
        n = (size_t)__builtin_ctzll(ends) / 8;
    } else {
        ends = not_digits(load(*at + WORD_DIGITS));
        n = ends != 0 ? WORD_DIGITS + (size_t)__builtin_ctzll(ends) / 8 : 0;
    }
    if (n == 0) {
        return false;
    }
    *value = number_at(*at, n);
    *at += n;
    return true;
}

/* Bit i: the character at p[i] is no digit. */
static inline uint64_t ends_in_block(const char *p)
{
    uint64_t ends = 0;
#ifdef __SSE2__
    for (unsigned i = 0; i < BLOCK; i += 16) {
        __m128i c = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        __m128i value = _mm_sub_epi8(c, _mm_set1_epi8('0'));
        __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(9)), value);
        ends |= (uint64_t)(~(unsigned)_mm_movemask_epi8(is_digit) & 0xffff) << i;
    }
#else
    for (unsigned i = 0; i < BLOCK; i++) {
        ends |= (uint64_t)((unsigned char)(p[i] - '0') > 9) << i;
    }
#endif
    return ends;
}

/* The characters that are no digits, one after another. */
struct ends {
    const char *block;
    uint64_t bits;
};

static inline const char *next_end(struct ends *ends)
{
    while (ends->bits == 0) {
        ends->block += BLOCK;
        ends->bits = ends_in_block(ends->block);
    }
    const char *end = ends->block + __builtin_ctzll(ends->bits);
    ends->bits &= ends->bits - 1;
    return end;
}

/* ---- the words of an event ------------------------------------------------------------------- */

/* "w12 " or "w* "; the warp exists. */
static inline bool take_warp(const char **at, uint32_t n_warps, uint32_t *warp)
{
    const char *p = *at;
    if (p[0] != 'w') {
        return false;
    }
    unsigned first = (unsigned)(unsigned char)p[1] - '0';
    unsigned second = (unsigned)(unsigned char)p[2] - '0';
    if (p[1] == '*') {
        *warp = BSIM_ALL_WARPS;
        *at = p + 3;
        return p[2] == ' ';
    }
    if (first > 9) {
        return false;
    }
    bool is_long = second <= 9;
    *warp = is_long ? 10 * first + second : first;
    *at = p + (is_long ? 4 : 3);
    return (is_long ? p[3] : p[2]) == ' ' && *warp < n_warps;
}

/* "@3", whose site is known. */
static inline bool take_site(const struct bsim_text *text, const char **at,
                             struct bsim_event *event)
{
    uint64_t number;
    const char *p = *at + 1;
    if (!take_number(&p, &number) || number > UINT32_MAX) {
        return false;
    }
    const struct bsim_site *site = bsim_sites_find(&text->sites, (uint32_t)number);
    if (site == NULL) {
        return false;
    }
    event->site = site;
    event->opcode = site->opcode;
    *at = p;
    return true;
}

/* An opcode that has been read before. */
static inline bool take_opcode(const struct bsim_text *text, const char **at,
                               struct bsim_event *event)
{
    const char *p = *at;
    const char *end = p;
    while ((unsigned char)*end > ' ') {
        end++;
    }
    const struct bsim_opcode *opcode = bsim_text_kept_opcode(text, p, (size_t)(end - p));
    if (opcode == NULL) {
        return false;
    }
    event->site = NULL;
    event->opcode = *opcode;
    *at = end;
    return true;
}

/* The bits of eight hex digits, be they 0. */
static inline bool take_mask(const char **at, uint32_t *mask)
{
    static const char all[8] = {'f', 'f', 'f', 'f', 'f', 'f', 'f', 'f'};
    const char *p = *at;
    *at = p + 8;
    if (load(p) == load(all)) {
        *mask = BSIM_FULL_MASK;
        return true;
    }
    uint32_t bits = 0;
    for (size_t i = 0; i < 8; i++) {
        unsigned digit = (unsigned)(unsigned char)p[i] - '0';
        unsigned letter = (unsigned)(unsigned char)p[i] - 'a';
        if (digit > 9 && letter > 5) {
            return false;
        }
        bits = bits << 4 | (digit <= 9 ? digit : letter + 10);
    }
    *mask = bits;
    return true;
}

/* Nothing, or " wait=N", up to the end of the line. */
static inline bool take_rest(const struct bsim_text *text, const char *p, struct bsim_event *event)
{
    static const char wait[] = {' ', 'w', 'a', 'i', 't', '='};
    uint64_t number;
    if (p == text->scan.end) {
        return true;
    }
    if (memcmp(p, wait, sizeof wait) != 0) {
        return false;
    }
    p += sizeof wait;
    if (!take_number(&p, &number) || number > INT32_MAX || p != text->scan.end) {
        return false;
    }
    event->wait = (int32_t)number;
    return true;
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* "B+S" or "B-S", from the sign on, and the rest of the line. */
static inline bool take_affine(const struct bsim_text *text, const char *p, uint64_t base,
                               uint32_t lanes, struct bsim_event *event)
{
    uint64_t stride;
    bool down = *p++ == '-';
    if (!take_number(&p, &stride) || !take_rest(text, p, event)) {
        return false;
    }
    event->affine = true;
    event->base = base;
    event->stride = down ? -(int64_t)stride : (int64_t)stride;
    struct bsim_window window = bsim_window_of(text->kernel, &event->opcode);
    return bsim_window_holds(&window, base, event->stride) ||
           bsim_rules_affine(text->kernel, event, lanes, &window, NULL) == BSIM_OK;
}

/* The n of "a*n", from the asterisk at *end on, and moves *end behind it; 0 for a careful look. */
static inline uint32_t take_times(struct ends *ends, const char **end)
{
    const char *digits = *end + 1;
    *end = next_end(ends);
    size_t n = (size_t)(*end - digits);
    return n == 1 || n == 2 ? (uint32_t)number_at(digits, n) : 0;
}

/* "a,b*n,c" and the rest of the line. */
static inline bool take_list(const struct bsim_text *text, const char *p, uint32_t lanes,
                             struct bsim_event *event)
{
    struct bsim_window window = bsim_window_of(text->kernel, &event->opcode);
    struct ends ends = {p, ends_in_block(p)};
    uint32_t left = lanes;
    for (;; p++) {
        const char *end = next_end(&ends);
        size_t n = (size_t)(end - p);
        if (n == 0 || n > (size_t)2 * WORD_DIGITS) {
            return false;
        }
        uint64_t address = number_at(p, n);
        uint32_t times = *end == '*' ? take_times(&ends, &end) : 1;
        if (times == 0 || !bsim_window_allows(&window, address)) {
            return false;
        }
        for (; times > 0 && left != 0; times--) {
            event->address[__builtin_ctz(left)] = address;
            left &= left - 1;
        }
        if (times > 0) {
            return false;
        }
        p = end;
        if (*p != ',') {
            break;
        }
    }
    event->affine = false;
    event->base = 0;
    event->stride = 0;
    return left == 0 && take_rest(text, p, event);
}

static inline bool take_addresses(const struct bsim_text *text, const char *p,
                                  struct bsim_event *event)
{
    uint32_t lanes = bsim_opcode_lanes(&event->opcode, event->mask);
    uint64_t first;
    const char *end = p;
    if (lanes == 0 || !take_number(&end, &first)) {
        return false;
    }
    return *end == '+' || *end == '-' ? take_affine(text, end, first, lanes, event)
                                      : take_list(text, p, lanes, event);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static inline void set_no_operands(struct bsim_event *event)
{
    event->mask = BSIM_FULL_MASK;
    event->affine = false;
    event->base = 0;
    event->stride = 0;
}

/* A barrier, whose opcode stands from `what` up to p; it has no operands. It is counted when the
 * whole line is right, lest the careful reader count it again. */
static inline bool take_barrier(struct bsim_text *text, const char *what, const char *p)
{
    struct bsim_event *event = &text->event;
    if (!take_rest(text, p, event)) {
        return false;
    }
    set_no_operands(event);
    bsim_scan_check(
        &text->scan, what,
        bsim_rules_barrier(&text->rules, event->warp, &text->scan, what, text->scan.err));
    return true;
}

/* A class of work, from the blank before it on, if there is one. */
static inline uint32_t take_class(const char **at)
{
    const char *word = *at + 1;
    size_t length = 0;
    while ((unsigned char)word[length] > ' ' && word[length] != '=') {
        length++;
    }
    uint32_t work_class = **at == ' ' ? bsim_work_class_find(word, length) : BSIM_N_WORK_CLASSES;
    if (work_class == BSIM_N_WORK_CLASSES) {
        return BSIM_WORK_ANY;
    }
    *at = word + length;
    return work_class;
}

/* "K" or "K:L", behind "work ", and a class. */
static inline bool take_work(const struct bsim_text *text, const char *p, struct bsim_event *event)
{
    uint64_t count;
    uint64_t cycles = 0;
    if (!take_number(&p, &count) || count == 0 || count > UINT32_MAX) {
        return false;
    }
    if (*p == ':') {
        p++;
        if (!take_number(&p, &cycles) || cycles > UINT32_MAX) {
            return false;
        }
    }
    event->site = NULL;
    event->opcode = (struct bsim_opcode){.family = BSIM_WORK, .operation = (uint8_t)take_class(&p)};
    event->work_count = (uint32_t)count;
    event->work_cycles = (uint32_t)cycles;
    set_no_operands(event);
    return take_rest(text, p, event);
}

/* A mask and addresses, from the blank before them on. */
static inline bool take_access(struct bsim_text *text, const char *p)
{
    struct bsim_event *event = &text->event;
    if (*p++ != ' ' || !take_mask(&p, &event->mask) || *p++ != ' ') {
        return false;
    }
    bool is_fine = event->mask == BSIM_FULL_MASK ||
                   bsim_rules_mask(&event->opcode, event->mask, NULL) == BSIM_OK;
    return is_fine && take_addresses(text, p, event);
}

static inline bool take_event(struct bsim_text *text, const char *p)
{
    static const char work[] = {'w', 'o', 'r', 'k', ' '};
    struct bsim_event *event = &text->event;
    if (!text->rules.stream.in_block || !take_warp(&p, text->rules.stream.n_warps, &event->warp)) {
        return false;
    }
    const char *what = p;
    event->wait = event->expect_wavefronts = event->expect_conflicts = BSIM_ANY_COUNT;
    event->work_count = event->work_cycles = event->meeting = event->arrivals = 0;
    event->reads = (struct bsim_reads){0};
    event->from = NULL;
    if (memcmp(p, work, sizeof work) == 0) {
        return take_work(text, p + sizeof work, event);
    }
    if (*p == '@' ? !take_site(text, &p, event) : !take_opcode(text, &p, event)) {
        return false;
    }
    return event->opcode.family == BSIM_BAR ? take_barrier(text, what, p) : take_access(text, p);
}

bool bsim_text_fast_event(struct bsim_text *text)
{
    const char *p = text->scan.line;
    while (*p == ' ') {
        p++;
    }
    if (!take_event(text, p)) {
        return false;
    }
    struct bsim_record record = {.kind = BSIM_RECORD_EVENT, .u.event = &text->event};
    text->word.text = p;
    bsim_text_push(text, &record);
    return true;
}

#else

bool bsim_text_fast_event(struct bsim_text *text)
{
    (void)text;
    return false;
}

#endif

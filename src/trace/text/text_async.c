/* text_async.c - events with fields of their own in place of a mask and addresses, read and written.
 *
 *     wN wgmma... (a=registers | a.FIELD=...) b.FIELD=... [key=value...]
 *         FIELD: start lbo sbo base (bytes; base 0 to 7), swizzle=none|128B|64B|32B, major=K|MN
 *     wN cp.async.bulk.tensor.2d... type=b16 box=64x64 swizzle=128B start= from= pitch= [inside=] [arrive=T]
 *     wN cp.async.bulk...           bytes= start= from= [arrive=T]
 *
 * Every field has to stand there, each once, in any order: a descriptor has no usual value.
 */
#include "trace/text/text.h"

#include "event/async.h"

#include <inttypes.h>
#include <stdio.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])
#define BIT(i) (UINT32_C(1) << (i))

enum { N_SWIZZLES = 4 };

/* By enum bsim_wgmma_swizzle, and by enum bsim_tma_swizzle. */
static const char *const wgmma_swizzles[N_SWIZZLES] = {"none", "128B", "64B", "32B"};
static const char *const tma_swizzles[N_SWIZZLES] = {"none", "32B", "64B", "128B"};

/* The keys of any event come first, the fields behind them. */
enum { KEY_WAIT, KEY_WAVEFRONTS, KEY_CONFLICTS, N_COMMON };
enum { START, LBO, SBO, BASE, SWIZZLE, MAJOR, N_FIELDS };
enum {
    KEY_A = N_COMMON,
    KEY_A_FIELDS,
    KEY_B_FIELDS = KEY_A_FIELDS + N_FIELDS,
    N_WGMMA = KEY_B_FIELDS + N_FIELDS,
};
enum {
    KEY_ARRIVE = N_COMMON,
    KEY_START,
    KEY_FROM,
    KEY_BYTES,
    KEY_TYPE,
    KEY_BOX,
    KEY_SWIZZLE,
    KEY_PITCH,
    KEY_INSIDE,
    N_BULK,
};

static const char *const wgmma_keys[N_WGMMA] = {
    "wait",      "expect.wavefronts", "expect.conflicts", "a",     "a.start",
    "a.lbo",     "a.sbo",             "a.base",           "a.swizzle", "a.major",
    "b.start",   "b.lbo",             "b.sbo",            "b.base", "b.swizzle",
    "b.major"};
static const char *const bulk_keys[N_BULK] = {"wait",    "expect.wavefronts", "expect.conflicts",
                                              "arrive",  "start",             "from",
                                              "bytes",   "type",              "box",
                                              "swizzle", "pitch",         "inside"};

/* ---- values --------------------------------------------------------------------------------- */

/* Which of the names the value is; n, and a failure, if it is none. */
static uint32_t read_name(struct bsim_text *text, const struct bsim_pair *pair,
                          const char *const *names, uint32_t n)
{
    uint32_t i = 0;
    while (i < n && !bsim_word_is(&pair->value, names[i])) {
        i++;
    }
    if (i == n) {
        char list[64];
        size_t used = 0;
        for (uint32_t k = 0; k < n; k++) {
            const char *before = k == 0 ? "" : k == n - 1 ? " or " : ", ";
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", before, names[k]);
        }
        bsim_scan_error(&text->scan, pair->value.text, "%.*s= is %s, not '%.*s'",
                        bsim_word_shown(&pair->key), pair->key.text, list,
                        bsim_word_shown(&pair->value), pair->value.text);
    }
    return i;
}

static uint64_t read_number(struct bsim_text *text, const struct bsim_pair *pair, uint64_t most)
{
    char what[32];
    (void)snprintf(what, sizeof what, "%.*s=", bsim_word_shown(&pair->key), pair->key.text);
    return bsim_scan_whole(&text->scan, &pair->value, what, 0, most);
}

/* 64x64, the innermost dimension first. */
static void read_box(struct bsim_text *text, const struct bsim_pair *pair, struct bsim_tma *copy)
{
    const char *p = pair->value.text, *end = p + pair->value.length;
    uint32_t d = 0;
    while (d < BSIM_TMA_MAX_DIMS) {
        copy->box[d++] = (uint32_t)bsim_scan_ranged(&text->scan, &p, end, "a side of box=", 1,
                                                    BSIM_TMA_MAX_BOX);
        if (p == end || *p != 'x') {
            break;
        }
        p++;
    }
    if (p != end || d != copy->n_dims) {
        bsim_scan_error(&text->scan, pair->value.text,
                        "box= has a side for each of the %" PRIu32 " dimension%s, as in 64x64, not '%.*s'",
                        copy->n_dims, copy->n_dims == 1 ? "" : "s", bsim_word_shown(&pair->value),
                        pair->value.text);
    }
}

/* ---- reading -------------------------------------------------------------------------------- */

static void read_common(struct bsim_text *text, const struct bsim_pair *pair, size_t key)
{
    struct bsim_event *event = &text->event;
    int32_t *const field[] = {&event->wait, &event->expect_wavefronts, &event->expect_conflicts};
    if (key != KEY_WAIT) {
        bsim_scan_check(&text->scan, pair->key.text,
                        bsim_rules_expects(&event->opcode, wgmma_keys[key],
                                           bsim_scan_err(&text->scan)));
    }
    *field[key] = (int32_t)read_number(text, pair, INT32_MAX);
}

static void read_descriptor(struct bsim_text *text, const struct bsim_pair *pair, size_t field,
                            struct bsim_wgmma_descriptor *descriptor)
{
    static const char *const majors[] = {"K", "MN"};
    uint32_t *const numbers[] = {&descriptor->start, &descriptor->leading_bytes,
                                 &descriptor->stride_bytes, &descriptor->base_offset};
    if (field == SWIZZLE) {
        descriptor->swizzle =
            (enum bsim_wgmma_swizzle)read_name(text, pair, wgmma_swizzles, N_SWIZZLES);
    } else if (field == MAJOR) {
        descriptor->is_mn_major = read_name(text, pair, majors, 2) == 1;
    } else {
        *numbers[field] = (uint32_t)read_number(text, pair, UINT32_MAX);
    }
}

static void read_wgmma(struct bsim_text *text, const struct bsim_pair *pair, size_t key)
{
    static const char *const registers[] = {"registers"};
    struct bsim_async *async = &text->async;
    if (key == KEY_A) {
        if (!bsim_word_is(&pair->value, registers[0])) {
            bsim_scan_error(&text->scan, pair->value.text,
                            "a= is registers, or A has a descriptor: a.start= and its other fields");
        }
        async->a_in_registers = true;
    } else if (key < KEY_B_FIELDS) {
        read_descriptor(text, pair, key - KEY_A_FIELDS, &async->a);
    } else {
        read_descriptor(text, pair, key - KEY_B_FIELDS, &async->b);
    }
}

static void read_bulk(struct bsim_text *text, const struct bsim_pair *pair, size_t key)
{
    static const char *const types[] = {"b8", "b16", "b32", "b64"};
    struct bsim_tma *copy = &text->async.copy;
    switch (key) {
    case KEY_ARRIVE:
        text->async.arrives = (uint32_t)bsim_scan_whole(&text->scan, &pair->value, "arrive=", 1,
                                                        UINT32_MAX);
        break;
    case KEY_START:
        copy->start = (uint32_t)read_number(text, pair, UINT32_MAX);
        break;
    case KEY_FROM:
        copy->from = read_number(text, pair, UINT64_MAX);
        break;
    case KEY_BYTES:
        copy->box[0] = (uint32_t)read_number(text, pair, UINT32_MAX);
        break;
    case KEY_TYPE:
        copy->element_bytes = UINT32_C(1) << read_name(text, pair, types, N_OF(types));
        break;
    case KEY_BOX:
        read_box(text, pair, copy);
        break;
    case KEY_SWIZZLE:
        copy->swizzle = (enum bsim_tma_swizzle)read_name(text, pair, tma_swizzles, N_SWIZZLES);
        break;
    case KEY_INSIDE:
        copy->inside = (uint32_t)bsim_scan_whole(&text->scan, &pair->value, "inside=", 1, BSIM_TMA_MAX_BOX);
        break;
    default:
        copy->pitch_bytes = read_number(text, pair, UINT64_MAX);
        break;
    }
}

/* The keys that the event has to have; those that it may not have besides are in *barred. */
static uint32_t needed(const struct bsim_event *event, uint32_t seen, uint32_t *barred)
{
    const uint32_t fields = (BIT(N_FIELDS) - 1);
    const uint32_t box = BIT(KEY_TYPE) | BIT(KEY_BOX) | BIT(KEY_SWIZZLE) | BIT(KEY_PITCH);
    uint32_t always = BIT(KEY_START) | BIT(KEY_FROM);
    if (event->opcode.family == BSIM_WGMMA) {
        bool in_registers = (seen & BIT(KEY_A)) != 0;
        *barred = in_registers ? fields << KEY_A_FIELDS : 0;
        return fields << KEY_B_FIELDS | (in_registers ? 0 : fields << KEY_A_FIELDS);
    }
    *barred = event->opcode.count > 0 ? BIT(KEY_BYTES) : box | BIT(KEY_INSIDE);
    return always | (event->opcode.count > 0 ? box : BIT(KEY_BYTES));
}

static uint32_t lowest(uint32_t bits)
{
    uint32_t i = 0;
    while ((bits >> i & 1) == 0) {
        i++;
    }
    return i;
}

static void check_fields(struct bsim_text *text, const char *const *keys, uint32_t seen)
{
    struct bsim_scan *scan = &text->scan;
    uint32_t barred, missing = needed(&text->event, seen, &barred) & ~seen;
    if (missing != 0) {
        bsim_scan_error(scan, bsim_scan_next(scan), "%s= is missing: every field has to stand there",
                        keys[lowest(missing)]);
    } else if ((seen & barred) != 0) {
        bsim_scan_error(scan, text->word.text, "%s= does not go with %s", keys[lowest(seen & barred)],
                        text->event.opcode.family == BSIM_WGMMA ? "a=registers"
                        : text->event.opcode.count > 0          ? "a box"
                                                                : "bytes in a row");
    }
}

void bsim_text_async(struct bsim_text *text, const struct bsim_word *opcode)
{
    struct bsim_event *event = &text->event;
    bool is_wgmma = event->opcode.family == BSIM_WGMMA;
    const char *const *keys = is_wgmma ? wgmma_keys : bulk_keys;
    size_t n = is_wgmma ? N_WGMMA : N_BULK, key;
    struct bsim_pair pair;
    uint32_t seen = 0;
    text->async = (struct bsim_async){.copy = {.n_dims = event->opcode.count, .element_bytes = 1}};
    text->async.copy.way = bsim_async_way(&event->opcode);
    event->async = &text->async;
    while (bsim_scan_pair(&text->scan, &pair)) {
        key = bsim_text_key(text, &pair, keys, n,
                            is_wgmma ? "a=registers, a.FIELD, b.FIELD (start, lbo, sbo, base, "
                                       "swizzle, major), wait, expect.wavefronts"
                                     : "type, box, swizzle, start, from, pitch, inside, bytes, arrive, wait",
                            &seen);
        if (key == n) {
            return;
        }
        if (key < N_COMMON) {
            read_common(text, &pair, key);
        } else {
            (is_wgmma ? read_wgmma : read_bulk)(text, &pair, key);
        }
    }
    check_fields(text, keys, seen);
    bsim_scan_end(&text->scan);
    bsim_scan_check(&text->scan, opcode->text,
                    bsim_rules_async(&text->rules, event, bsim_scan_err(&text->scan)));
}

/* ---- writing -------------------------------------------------------------------------------- */

static void put_descriptor(struct bsim_buffer *out, char name,
                           const struct bsim_wgmma_descriptor *at)
{
    bsim_buffer_printf(out,
                       " %c.start=%" PRIu32 " %c.lbo=%" PRIu32 " %c.sbo=%" PRIu32 " %c.base=%" PRIu32
                       " %c.swizzle=%s %c.major=%s",
                       name, at->start, name, at->leading_bytes, name, at->stride_bytes, name,
                       at->base_offset, name, wgmma_swizzles[at->swizzle % N_SWIZZLES], name,
                       at->is_mn_major ? "MN" : "K");
}

static void put_bulk(struct bsim_buffer *out, const struct bsim_async *async)
{
    const struct bsim_tma *copy = &async->copy;
    if (copy->n_dims == 0) {
        bsim_buffer_printf(out, " bytes=%" PRIu32, copy->box[0]);
    } else {
        bsim_buffer_printf(out, " type=b%" PRIu32 " box=%" PRIu32, 8 * copy->element_bytes,
                           copy->box[0]);
        for (uint32_t d = 1; d < copy->n_dims; d++) {
            bsim_buffer_printf(out, "x%" PRIu32, copy->box[d]);
        }
        bsim_buffer_printf(out, " swizzle=%s", tma_swizzles[copy->swizzle % N_SWIZZLES]);
    }
    bsim_buffer_printf(out, " start=%" PRIu32 " from=%" PRIu64, copy->start, copy->from);
    if (copy->n_dims > 0) {
        bsim_buffer_printf(out, " pitch=%" PRIu64, copy->pitch_bytes);
    }
    if (copy->inside > 0) {
        bsim_buffer_printf(out, " inside=%" PRIu32, copy->inside);
    }
    if (async->arrives > 0) {
        bsim_buffer_printf(out, " arrive=%" PRIu32, async->arrives);
    }
}

void bsim_text_put_async(struct bsim_buffer *out, const struct bsim_event *event)
{
    if (event->opcode.family == BSIM_BULK) {
        put_bulk(out, event->async);
        return;
    }
    if (event->async->a_in_registers) {
        bsim_buffer_text(out, " a=registers");
    } else {
        put_descriptor(out, 'a', &event->async->a);
    }
    put_descriptor(out, 'b', &event->async->b);
}

/* text_head.c - the text reader's `kernel` and `site` records: what the events refer to. */
#include "trace/text/text.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- kernel NAME key=value... --------------------------------------------------------------- */

enum kernel_key { KEY_GRID, KEY_BLOCK, KEY_SHARED, KEY_REGISTERS, KEY_DEVICE, KEY_AGAIN };

/* What a kernel line says; words are still parts of the line. */
struct kernel_line {
    struct bsim_kernel kernel; /* its numbers */
    struct bsim_word name, device;
    struct bsim_word extra[BSIM_EXTRAS_MAX]; /* whole x-key=value words */
    struct bsim_word extra_key[BSIM_EXTRAS_MAX];
    size_t n_extras;
    uint32_t seen; /* bit k: enum kernel_key k */
};

static bool same_word(const struct bsim_word *a, const struct bsim_word *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

static void read_extra(struct bsim_text *text, const struct bsim_pair *pair,
                       struct kernel_line *line)
{
    struct bsim_scan *scan = &text->scan;
    const struct bsim_word *key = &pair->key;
    if (pair->is_quoted) {
        bsim_scan_error(scan, pair->value.text - 1,
                        "the value of an x- key stands without quotation marks");
    }
    for (size_t i = 0; i < line->n_extras; i++) {
        if (same_word(&line->extra_key[i], key)) {
            bsim_scan_error(scan, key->text, "%.*s= stands twice", bsim_word_shown(key), key->text);
        }
    }
    if (line->n_extras == BSIM_EXTRAS_MAX) {
        bsim_scan_error(scan, key->text, "a kernel has at most %d x- keys", BSIM_EXTRAS_MAX);
        return;
    }
    const char *end = pair->value.text + pair->value.length;
    line->extra[line->n_extras] = (struct bsim_word){key->text, (size_t)(end - key->text)};
    line->extra_key[line->n_extras++] = *key;
}

static void read_kernel_value(struct bsim_text *text, enum kernel_key key,
                              const struct bsim_word *value, struct kernel_line *line)
{
    struct bsim_scan *scan = &text->scan;
    struct bsim_kernel *kernel = &line->kernel;
    switch (key) {
    case KEY_GRID:
        kernel->grid = bsim_text_dim3(text, value, "a size in grid=", 1, &bsim_grid_most);
        break;
    case KEY_BLOCK:
        kernel->block = bsim_text_dim3(text, value, "a size in block=", 1, &bsim_block_most);
        bsim_scan_check(scan, value->text, bsim_rules_threads(&kernel->block, bsim_scan_err(scan)));
        break;
    case KEY_SHARED:
        kernel->shared_bytes =
            (uint32_t)bsim_scan_whole(scan, value, "shared=", 0, BSIM_SHARED_MAX_BYTES);
        kernel->has_shared = true;
        break;
    case KEY_REGISTERS:
        kernel->registers =
            (uint32_t)bsim_scan_whole(scan, value, "registers=", 1, BSIM_REGISTERS_MOST);
        break;
    case KEY_DEVICE:
        line->device = *value;
        if (value->length == 0) {
            bsim_scan_error(scan, value->text, "device= needs a name, as in device=sm_90");
        }
        break;
    case KEY_AGAIN:
        kernel->again = (uint32_t)bsim_scan_whole(scan, value, "again=", 1, BSIM_AGAIN_MOST);
        break;
    }
}

static void read_kernel_keys(struct bsim_text *text, struct kernel_line *line)
{
    static const char *const known[] = {"grid", "block", "shared", "registers", "device", "again"};
    struct bsim_pair pair;
    while (bsim_scan_pair(&text->scan, &pair)) {
        if (pair.key.length > 2 && memcmp(pair.key.text, "x-", 2) == 0) {
            read_extra(text, &pair, line);
            continue;
        }
        size_t which =
            bsim_text_key(text, &pair, known, N_OF(known),
                          "grid, block, shared, registers, device, again, or x- and a name of your own", &line->seen);
        if (which < N_OF(known)) {
            read_kernel_value(text, (enum kernel_key)which, &pair.value, line);
        }
    }
    bsim_scan_end(&text->scan);
}

static void read_kernel_line(struct bsim_text *text, struct kernel_line *line)
{
    const struct bsim_word name = line->name = bsim_scan_word(&text->scan);
    if (name.length == 0 || memchr(name.text, '=', name.length) != NULL) {
        bsim_scan_error(&text->scan, name.text,
                        "the kernel's name is missing: it stands before the keys and has no '='");
    }
    read_kernel_keys(text, line);
    if ((line->seen >> KEY_BLOCK & 1) == 0) {
        bsim_scan_error(&text->scan, text->word.text,
                        "block= is missing: how many threads has a block?");
    }
}

/* Copies word behind *to, ends it with `last`, and returns where it starts. */
static char *put_word(char **to, const struct bsim_word *word, char last)
{
    char *start = *to;
    memcpy(start, word->text, word->length);
    start[word->length] = last;
    *to += word->length + 1;
    return start;
}

/* The kernel and its strings in one piece of memory: they are no longer than the line, and end in
 * a NUL each. */
static struct bsim_kernel *make_kernel(const struct bsim_text *text, const struct kernel_line *line)
{
    size_t room = (size_t)(text->scan.end - text->scan.line) + 3;
    struct bsim_kernel *kernel = bsim_mem_resize(NULL, sizeof *kernel + room, 1);
    if (kernel == NULL) {
        return NULL;
    }
    *kernel = line->kernel;
    char *to = (char *)(kernel + 1);
    kernel->name = put_word(&to, &line->name, '\0');
    if (line->seen >> KEY_DEVICE & 1) {
        kernel->device = put_word(&to, &line->device, '\0');
    }
    kernel->extras = to;
    for (size_t i = 0; i < line->n_extras; i++) {
        (void)put_word(&to, &line->extra[i], i + 1 < line->n_extras ? ' ' : '\0');
    }
    if (line->n_extras == 0) {
        *to = '\0';
    }
    return kernel;
}

void bsim_text_kernel(struct bsim_text *text)
{
    struct kernel_line line = {.kernel.grid = {1, 1, 1}};
    bsim_text_close_block(text);
    read_kernel_line(text, &line);
    if (text->scan.status != BSIM_OK) {
        return;
    }
    struct bsim_kernel *kernel = make_kernel(text, &line);
    if (kernel == NULL) {
        bsim_scan_no_memory(&text->scan);
        return;
    }
    struct bsim_record record = {.kind = BSIM_RECORD_KERNEL, .u.kernel = kernel};
    bsim_text_push(text, &record);
    /* The kernel before and its sites are borrowed by the sink until this push. */
    bsim_mem_free(text->kernel);
    bsim_sites_clear(&text->sites);
    text->kernel = kernel;
}

/* ---- site N OPCODE [at=FILE:LINE] [text="..."] ---------------------------------------------- */

enum site_key { KEY_AT, KEY_TEXT };

struct site_line {
    struct bsim_site site; /* its number, opcode and line */
    struct bsim_word file, text;
    uint32_t seen; /* bit k: enum site_key k */
};

/* FILE:LINE; FILE may have colons of its own. */
static void read_at(struct bsim_text *text, const struct bsim_word *value, struct site_line *line)
{
    size_t colon = value->length;
    while (colon > 0 && value->text[colon - 1] != ':') {
        colon--;
    }
    if (colon < 2) {
        bsim_scan_error(&text->scan, value->text, "at= is FILE:LINE, not '%.*s'",
                        bsim_word_shown(value), value->text);
        return;
    }
    struct bsim_word digits = {value->text + colon, value->length - colon};
    line->file = (struct bsim_word){value->text, colon - 1};
    line->site.line =
        (uint32_t)bsim_scan_whole(&text->scan, &digits, "the line of at=FILE:LINE", 0, UINT32_MAX);
}

static void read_site_keys(struct bsim_text *text, struct site_line *line)
{
    static const char *const known[] = {"at", "text"};
    struct bsim_pair pair;
    while (bsim_scan_pair(&text->scan, &pair)) {
        size_t which = bsim_text_key(text, &pair, known, N_OF(known), "at, text", &line->seen);
        if (which == KEY_AT) {
            read_at(text, &pair.value, line);
        } else {
            line->text = pair.value;
        }
    }
    bsim_scan_end(&text->scan);
}

static void read_site_line(struct bsim_text *text, struct site_line *line)
{
    struct bsim_scan *scan = &text->scan;
    struct bsim_word word = bsim_scan_word(scan);
    line->site.number = (uint32_t)bsim_scan_whole(scan, &word, "the site's number", 1, UINT32_MAX);
    if (bsim_sites_find(&text->sites, line->site.number) != NULL) {
        bsim_scan_check(scan, word.text,
                        bsim_rules_site_twice(line->site.number, bsim_scan_err(scan)));
    }
    word = bsim_scan_word(scan);
    bsim_text_opcode(text, &word, &line->site.opcode);
    read_site_keys(text, line);
}

/* The site and its strings in one piece of memory. */
static struct bsim_site *make_site(const struct site_line *line)
{
    size_t room = line->file.length + line->text.length + 2;
    struct bsim_site *site = bsim_mem_resize(NULL, sizeof *site + room, 1);
    if (site == NULL) {
        return NULL;
    }
    *site = line->site;
    char *to = (char *)(site + 1);
    if (line->seen >> KEY_AT & 1) {
        site->file = put_word(&to, &line->file, '\0');
    }
    if (line->seen >> KEY_TEXT & 1) {
        to[bsim_scan_unquote(&line->text, to)] = '\0';
        site->text = to;
    }
    return site;
}

void bsim_text_site(struct bsim_text *text)
{
    struct bsim_scan *scan = &text->scan;
    struct site_line line = {.seen = 0};
    bsim_text_may(text, BSIM_RECORD_SITE);
    read_site_line(text, &line);
    if (scan->status != BSIM_OK) {
        return;
    }
    struct bsim_site *site = make_site(&line);
    if (site == NULL || !bsim_sites_add(&text->sites, site)) {
        bsim_mem_free(site);
        bsim_scan_no_memory(scan);
        return;
    }
    struct bsim_record record = {.kind = BSIM_RECORD_SITE, .u.site = site};
    bsim_text_push(text, &record);
}

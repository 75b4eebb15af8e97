/* text_head.c - the text reader's `kernel` and `site` records: what the events refer to. */
#include "trace/text/text.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- kernel NAME key=value... --------------------------------------------------------------- */

enum kernel_key { KEY_GRID, KEY_BLOCK, KEY_SHARED, KEY_DEVICE };

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

static enum bsim_status read_extra(struct bsim_text *text, const struct bsim_pair *pair,
                                   struct kernel_line *line)
{
    const struct bsim_word *key = &pair->key;
    if (pair->is_quoted) {
        return bsim_scan_error(&text->scan, pair->value.text - 1, text->err,
                               "the value of an x- key stands without quotation marks");
    }
    for (size_t i = 0; i < line->n_extras; i++) {
        if (same_word(&line->extra_key[i], key)) {
            return bsim_scan_error(&text->scan, key->text, text->err, "%.*s= stands twice",
                                   bsim_word_shown(key), key->text);
        }
    }
    if (line->n_extras == BSIM_EXTRAS_MAX) {
        return bsim_scan_error(&text->scan, key->text, text->err, "a kernel has at most %d x- keys",
                               BSIM_EXTRAS_MAX);
    }
    const char *end = pair->value.text + pair->value.length;
    line->extra[line->n_extras] = (struct bsim_word){key->text, (size_t)(end - key->text)};
    line->extra_key[line->n_extras] = *key;
    line->n_extras++;
    return BSIM_OK;
}

static enum bsim_status read_block_shape(struct bsim_text *text, const struct bsim_word *value,
                                         struct bsim_dim3 *block)
{
    enum bsim_status status =
        bsim_text_dim3(text, value, "a size in block=", 1, &bsim_block_most, block);
    return status == BSIM_OK
               ? bsim_text_place(text, value->text, bsim_rules_threads(block, text->err))
               : status;
}

static enum bsim_status read_kernel_value(struct bsim_text *text, enum kernel_key key,
                                          const struct bsim_word *value, struct kernel_line *line)
{
    uint64_t bytes;
    enum bsim_status status;
    switch (key) {
    case KEY_GRID:
        return bsim_text_dim3(text, value, "a size in grid=", 1, &bsim_grid_most,
                              &line->kernel.grid);
    case KEY_BLOCK:
        return read_block_shape(text, value, &line->kernel.block);
    case KEY_SHARED:
        status = bsim_scan_whole(&text->scan, value, "shared=", 0, BSIM_SHARED_MAX_BYTES, &bytes,
                                 text->err);
        if (status == BSIM_OK) {
            line->kernel.shared_bytes = (uint32_t)bytes;
            line->kernel.has_shared = true;
        }
        return status;
    case KEY_DEVICE:
        break;
    }
    line->device = *value;
    if (value->length == 0) {
        return bsim_scan_error(&text->scan, value->text, text->err,
                               "device= needs a name, as in device=sm_90");
    }
    return BSIM_OK;
}

static enum bsim_status read_kernel_keys(struct bsim_text *text, struct kernel_line *line)
{
    static const char *const known[] = {"grid", "block", "shared", "device"};
    for (;;) {
        struct bsim_pair pair;
        enum bsim_status status = bsim_scan_pair(&text->scan, &pair, text->err);
        if (status != BSIM_OK || pair.key.length == 0) {
            return status == BSIM_OK ? bsim_scan_end(&text->scan, text->err) : status;
        }
        if (pair.key.length > 2 && memcmp(pair.key.text, "x-", 2) == 0) {
            status = read_extra(text, &pair, line);
        } else {
            size_t which;
            status = bsim_text_key(text, &pair, known, N_OF(known),
                                   "grid, block, shared, device, or x- and a name of your own",
                                   &line->seen, &which);
            if (status == BSIM_OK) {
                status = read_kernel_value(text, (enum kernel_key)which, &pair.value, line);
            }
        }
        if (status != BSIM_OK) {
            return status;
        }
    }
}

static enum bsim_status read_kernel_line(struct bsim_text *text, struct kernel_line *line)
{
    enum bsim_status status = bsim_scan_word(&text->scan, &line->name, text->err);
    if (status != BSIM_OK) {
        return status;
    }
    const struct bsim_word *name = &line->name;
    if (name->length == 0 || memchr(name->text, '=', name->length) != NULL) {
        return bsim_scan_error(&text->scan, name->text, text->err,
                               "the kernel's name is missing: it stands before the keys and has "
                               "no '='");
    }
    status = read_kernel_keys(text, line);
    if (status == BSIM_OK && (line->seen >> KEY_BLOCK & 1) == 0) {
        return bsim_scan_error(&text->scan, text->word.text, text->err,
                               "block= is missing: how many threads has a block?");
    }
    return status;
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

enum bsim_status bsim_text_kernel(struct bsim_text *text)
{
    enum bsim_status status = bsim_text_close_block(text);
    if (status != BSIM_OK) {
        return status;
    }
    struct kernel_line line = {.kernel.grid = {1, 1, 1}};
    status = read_kernel_line(text, &line);
    if (status != BSIM_OK) {
        return status;
    }
    struct bsim_kernel *kernel = make_kernel(text, &line);
    if (kernel == NULL) {
        return bsim_text_no_memory(text);
    }
    struct bsim_record record = {.kind = BSIM_RECORD_KERNEL, .u.kernel = kernel};
    status = bsim_text_push(text, &record);
    /* The kernel before and its sites are borrowed by the sink until this push. */
    bsim_mem_free(text->kernel);
    bsim_sites_clear(&text->sites);
    text->kernel = kernel;
    bsim_rules_kernel(&text->rules, kernel);
    return status;
}

/* ---- site N OPCODE [at=FILE:LINE] [text="..."] ---------------------------------------------- */

enum site_key { KEY_AT, KEY_TEXT };

struct site_line {
    struct bsim_site site; /* its number, opcode and line */
    struct bsim_word file, text;
    uint32_t seen; /* bit k: enum site_key k */
};

/* FILE:LINE; FILE may have colons of its own. */
static enum bsim_status read_at(struct bsim_text *text, const struct bsim_word *value,
                                struct site_line *line)
{
    size_t colon = value->length;
    while (colon > 0 && value->text[colon - 1] != ':') {
        colon--;
    }
    if (colon < 2) {
        return bsim_scan_error(&text->scan, value->text, text->err, "at= is FILE:LINE, not '%.*s'",
                               bsim_word_shown(value), value->text);
    }
    struct bsim_word digits = {value->text + colon, value->length - colon};
    uint64_t number;
    enum bsim_status status = bsim_scan_whole(&text->scan, &digits, "the line of at=FILE:LINE", 0,
                                              UINT32_MAX, &number, text->err);
    if (status == BSIM_OK) {
        line->file = (struct bsim_word){value->text, colon - 1};
        line->site.line = (uint32_t)number;
    }
    return status;
}

static enum bsim_status read_site_keys(struct bsim_text *text, struct site_line *line)
{
    static const char *const known[] = {"at", "text"};
    for (;;) {
        struct bsim_pair pair;
        size_t which;
        enum bsim_status status = bsim_scan_pair(&text->scan, &pair, text->err);
        if (status != BSIM_OK || pair.key.length == 0) {
            return status == BSIM_OK ? bsim_scan_end(&text->scan, text->err) : status;
        }
        status = bsim_text_key(text, &pair, known, N_OF(known), "at, text", &line->seen, &which);
        if (status == BSIM_OK && which == KEY_AT) {
            status = read_at(text, &pair.value, line);
        } else if (status == BSIM_OK) {
            line->text = pair.value;
        }
        if (status != BSIM_OK) {
            return status;
        }
    }
}

static enum bsim_status read_site_line(struct bsim_text *text, struct site_line *line)
{
    struct bsim_word word;
    uint64_t number;
    enum bsim_status status = bsim_scan_word(&text->scan, &word, text->err);
    if (status == BSIM_OK) {
        status = bsim_scan_whole(&text->scan, &word, "the site's number", 1, UINT32_MAX, &number,
                                 text->err);
    }
    if (status != BSIM_OK) {
        return status;
    }
    line->site.number = (uint32_t)number;
    if (bsim_sites_find(&text->sites, line->site.number) != NULL) {
        return bsim_text_place(text, word.text,
                               bsim_rules_site_twice(line->site.number, text->err));
    }
    status = bsim_scan_word(&text->scan, &word, text->err);
    if (status == BSIM_OK) {
        status = bsim_text_opcode(text, &word, &line->site.opcode);
    }
    return status == BSIM_OK ? read_site_keys(text, line) : status;
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

enum bsim_status bsim_text_site(struct bsim_text *text)
{
    struct site_line line = {.seen = 0};
    enum bsim_status status =
        bsim_text_place(text, text->word.text, bsim_rules_may_site(&text->rules, text->err));
    if (status == BSIM_OK) {
        status = read_site_line(text, &line);
    }
    if (status != BSIM_OK) {
        return status;
    }
    struct bsim_site *site = make_site(&line);
    if (site == NULL || !bsim_sites_add(&text->sites, site)) {
        bsim_mem_free(site);
        return bsim_text_no_memory(text);
    }
    struct bsim_record record = {.kind = BSIM_RECORD_SITE, .u.site = site};
    return bsim_text_push(text, &record);
}

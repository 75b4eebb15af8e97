/* show_wgmma.c - banksim show --wgmma: what a wgmma takes, and where its operands' elements lie.
 *
 *     banksim show --wgmma 'm64n128k16 f16' --b 'start=1024 sbo=1024 swizzle=128B major=K'
 *     banksim show --wgmma 'm64n128k16 f16' --tma 'half box=64x128 swizzle=128B start=1024'
 *
 * With --tma the operand is held against the box that TMA put there; without --a and --b the descriptors are told
 * that read it.
 *
 * An operand without --a or --b is not drawn; --a 'registers' is A in registers. In the drawing
 * (show_chunks.c) "n8 k0" is the chunk that begins with element (k 0, n 8), and goes on along k if the operand
 * is K-major.
 */
#include "cli/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 16,
    WINDOW = SHOWN_WINDOW,
    MOST_FOUND = 512, /* descriptors that read one box */
};

/* One operand, by its fields in text. */
struct operand {
    char name; /* 'a', 'b' */
    struct bsim_wgmma wgmma;
    uint32_t n_rows;
    struct bsim_wgmma_descriptor at;
};

/* ---- reading -------------------------------------------------------------------------------- */

static bool read_number(const char *text, uint32_t *value)
{
    char *end;
    unsigned long number = strtoul(text, &end, 0);
    *value = (uint32_t)number;
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && number <= UINT32_MAX;
}

static bool read_swizzle(const char *text, struct bsim_wgmma_descriptor *at)
{
    for (uint32_t i = 0; i < 4; i++) {
        enum bsim_wgmma_swizzle swizzle = (enum bsim_wgmma_swizzle)i;
        if (strcmp(text, bsim_wgmma_swizzle_name(swizzle)) == 0) {
            at->swizzle = swizzle;
            return true;
        }
    }
    return false;
}

/* "0x4000004000010040", as a program has it. */
static bool read_bits(const char *text, struct bsim_wgmma_descriptor *at)
{
    char *end;
    unsigned long long bits = strtoull(text, &end, 16);
    if (strncmp(text, "0x", 2) != 0 || *end != '\0') {
        return false;
    }
    bsim_wgmma_decode(bits, at);
    return true;
}

static bool read_major(const char *text, struct bsim_wgmma_descriptor *at)
{
    at->is_mn_major = strcmp(text, "MN") == 0;
    return at->is_mn_major || strcmp(text, "K") == 0;
}

/* "start=1024" */
static bool read_field(const char *word, struct bsim_wgmma_descriptor *at)
{
    struct {
        const char *key;
        uint32_t *value;
    } numbers[] = {{"start=", &at->start},
                   {"lbo=", &at->leading_bytes},
                   {"sbo=", &at->stride_bytes},
                   {"base=", &at->base_offset}};
    for (int i = 0; i < 4; i++) {
        size_t length = strlen(numbers[i].key);
        if (strncmp(word, numbers[i].key, length) == 0) {
            return read_number(word + length, numbers[i].value);
        }
    }
    return strncmp(word, "swizzle=", 8) == 0 ? read_swizzle(word + 8, at)
           : strncmp(word, "major=", 6) == 0 ? read_major(word + 6, at)
                                             : read_bits(word, at);
}

static enum bsim_status read_operand(const char *text, struct operand *operand,
                                     struct bsim_error *err)
{
    char word[32];
    for (size_t length; *(text += strspn(text, " ")) != '\0'; text += length) {
        length = strcspn(text, " ");
        (void)snprintf(word, sizeof word, "%.*s", length < 32 ? (int)length : 31, text);
        if (!read_field(word, &operand->at)) {
            return bsim_error_set(err, BSIM_E_USAGE,
                                  "--%c: '%s' is none of start=N, lbo=N, sbo=N, base=N, "
                                  "swizzle=none|128B|64B|32B and major=K|MN, nor a descriptor's 64 bits, 0x...",
                                  operand->name, word);
        }
    }
    struct bsim_error wrong;
    return bsim_wgmma_check(&operand->at, operand->wgmma.element_bytes, operand->n_rows, WINDOW,
                            &wrong) == BSIM_OK
               ? BSIM_OK
               : bsim_error_set(err, BSIM_E_INPUT, "--%c: %s", operand->name, wrong.message);
}

/* ---- drawing -------------------------------------------------------------------------------- */

static void label_chunks(const struct operand *operand, struct chunk_label *label)
{
    char row = operand->name == 'a' ? 'm' : 'n';
    uint32_t bytes = operand->wgmma.element_bytes, each = CHUNK / bytes;
    uint32_t k_step = operand->at.is_mn_major ? 1 : each;
    uint32_t i_step = operand->at.is_mn_major ? each : 1;
    for (uint32_t k = 0; k < BSIM_WGMMA_K_BYTES / bytes; k += k_step) {
        for (uint32_t i = 0; i < operand->n_rows; i += i_step) {
            uint32_t at = bsim_wgmma_address(&operand->at, bytes, k, i) / CHUNK;
            (void)snprintf(label[at].text, sizeof label[at].text, "%c%" PRIu32 " k%" PRIu32, row, i, k);
        }
    }
}

/* Of an operand that reads the box. */
static void tell_first(const struct operand *operand, const struct bsim_tma *box, struct bsim_buffer *out)
{
    uint32_t row = 0, byte = 0, rows = box->n_dims > 1 ? box->box[1] : 1;
    (void)bsim_tma_find(box, bsim_wgmma_address(&operand->at, operand->wgmma.element_bytes, 0, 0), &row, &byte);
    bsim_buffer_printf(out, "Each is read where TMA put it, from row %" PRIu32 ", element %" PRIu32 " of the box on.\n",
                       row % rows, row / rows * box->box[0] + byte / box->element_bytes);
}

static void draw_operand(const struct operand *operand, const struct bsim_tma *box, bool all, struct bsim_buffer *out)
{
    struct chunk_label *label = calloc(SHOWN_CHUNKS, sizeof *label);
    if (label == NULL) {
        out->failed = true;
        return;
    }
    label_chunks(operand, label);
    bsim_buffer_printf(
        out,
        "\n%c: %s, chunks of 16 bytes by the element that they begin with; they go on "
        "along %s\n",
        operand->name == 'a' ? 'A' : 'B', operand->at.is_mn_major ? "MN-major" : "K-major",
        !operand->at.is_mn_major ? "k"
        : operand->name == 'a'   ? "m"
                                 : "n");
    if (box != NULL) {
        tell_first(operand, box, out);
    }
    bsim_cli_draw_chunks(label, all, out);
    free(label);
}

/* ---- what it takes -------------------------------------------------------------------------- */

/* What holds it up, by its clocks: the tensor cores take N / 2 of them, shared memory one a wavefront. */
static void tell_bound(const struct bsim_wgmma *wgmma, struct bsim_buffer *out)
{
    uint32_t wavefronts = bsim_wgmma_wavefronts(wgmma), tensor = wgmma->n / 2;
    double cycles = bsim_wgmma_cycles(wgmma, 1);
    if (cycles > tensor && cycles > wavefronts) {
        bsim_buffer_text(out,
                         "With A in registers so small an N takes longer than tensor cores and shared "
                         "memory do: measured, not explained.\n");
    } else if (wavefronts > tensor) {
        bsim_buffer_printf(out,
                           "Shared memory holds it up, not the tensor cores (%" PRIu32
                           " clocks): with A in shared memory N should be 64 or more.\n",
                           tensor);
    } else if (wavefronts == tensor) {
        bsim_buffer_text(out,
                         "It takes every turn of shared memory's pipe: loads and stores beside "
                         "it hardly come through.\n");
    } else {
        bsim_buffer_printf(out, "It leaves %.0f %% of shared memory's turns to others.\n",
                           100 - 100.0 * wavefronts / cycles);
    }
}

/* With A in registers the H200's N below 64 were 8, 16 and 32 (h200/async/wgmma_time.csv of tests/measured), the others an
 * H100's (h100/async/wgmma_narrow.csv). */
static bool has_h100_clocks(const struct bsim_wgmma *wgmma)
{
    return wgmma->a_in_registers && wgmma->n < BSIM_WGMMA_M && wgmma->n != 8 && wgmma->n != 16 && wgmma->n != 32;
}

static void tell(const char *shape, const struct bsim_wgmma *wgmma, const struct bsim_device *device,
                 struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "wgmma %s, A in %s", shape, wgmma->a_in_registers ? "registers" : "shared memory");
    bsim_cli_tell_hopper(device, has_h100_clocks(wgmma), out);
    bsim_buffer_printf(out,
                       "%" PRIu32 " wavefronts of shared memory, no bank conflict with any "
                       "descriptor; %.4g clocks, one behind the other\n",
                       bsim_wgmma_wavefronts(wgmma), bsim_wgmma_cycles(wgmma, 1));
    tell_bound(wgmma, out);
}

/* ---- the tile that TMA put there ------------------------------------------------------------- */

static enum bsim_status read_box(const char *text, const struct bsim_wgmma *wgmma, struct bsim_tma *box,
                                 struct bsim_error *err)
{
    struct bsim_error wrong;
    if (bsim_tma_parse(text, box, &wrong) != BSIM_OK) {
        return bsim_error_set(err, BSIM_E_USAGE, "--tma: %s", wrong.message);
    }
    if (bsim_tma_check(box, WINDOW, &wrong) != BSIM_OK) {
        return bsim_error_set(err, BSIM_E_INPUT, "--tma: %s", wrong.message);
    }
    if (box->n_dims == 0 || box->element_bytes != wgmma->element_bytes) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "--tma: a tile that this wgmma reads is a box of elements of %" PRIu32 " bytes",
                              wgmma->element_bytes);
    }
    return BSIM_OK;
}

static void tell_descriptor(const struct bsim_wgmma_descriptor *at, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "start=%" PRIu32 " lbo=%" PRIu32 " sbo=%" PRIu32 " swizzle=%s major=%s (0x%016" PRIx64 ")",
                       at->start, at->leading_bytes, at->stride_bytes, bsim_wgmma_swizzle_name(at->swizzle),
                       at->is_mn_major ? "MN" : "K", bsim_wgmma_encode(at));
}

/* The operand's descriptors in the box one behind the other along k, added to found[0..n). Returns how many there are then. */
static size_t find_fitting(const struct operand *operand, const struct bsim_tma *box,
                           struct bsim_wgmma_operand found[MOST_FOUND], size_t n)
{
    uint32_t bytes = operand->wgmma.element_bytes, n_k = BSIM_WGMMA_K_BYTES / bytes, k = 0;
    bool is_mn_major = operand->at.is_mn_major;
    struct bsim_wgmma_operand next = {.name = operand->name, .n_rows = operand->n_rows};
    while (n < MOST_FOUND && bsim_wgmma_of_box(box, is_mn_major ? k : 0, is_mn_major ? 0 : k * bytes, bytes,
                                               operand->n_rows, is_mn_major, &next.at)) {
        next.k = k;
        found[n++] = next;
        k += n_k;
    }
    return n;
}

/* Of A and B, in either way that they may lie. */
static size_t find_all_fitting(const struct operand operands[2], const struct bsim_tma *box,
                               struct bsim_wgmma_operand found[MOST_FOUND])
{
    size_t n = 0;
    for (int i = operands[0].wgmma.a_in_registers ? 1 : 0; i < 2; i++) {
        for (int is_mn_major = 0; is_mn_major < (operands[i].wgmma.element_bytes == 2 ? 2 : 1); is_mn_major++) {
            struct operand operand = operands[i];
            operand.at.is_mn_major = is_mn_major;
            n = find_fitting(&operand, box, found, n);
        }
    }
    return n;
}

/* Those along k on the line of the first. */
static void tell_fitting(const struct bsim_wgmma_operand *found, size_t n, uint32_t n_rows_of_b, struct bsim_buffer *out)
{
    bsim_buffer_text(out, "\nDescriptors that read the box from its first row and element on:\n");
    for (size_t i = 0; i < n; i++) {
        bool is_second = i > 0 && found[i - 1].k == 0;
        if (found[i].k == 0) {
            bsim_buffer_printf(out, "%s%c: ", i > 0 ? "\n" : "", found[i].name == 'a' ? 'A' : 'B');
            tell_descriptor(&found[i].at, out);
        } else {
            bsim_buffer_printf(out, is_second ? "; further along k start=%" PRIu32 : ", %" PRIu32, found[i].at.start);
        }
    }
    bsim_buffer_text(out, n > 0 ? "\n" : "");
    if (n == 0) {
        bsim_buffer_printf(out, "none. K-major, a row of the box is a row of the operand, 64 of A and %" PRIu32
                                " of B, and has 32 bytes along k or more; without a swizzle\nits rows have 16 bytes, and a "
                                "third dimension has the next 16.\n", n_rows_of_b);
    }
}

static enum bsim_status hold(const struct operand *operand, const struct bsim_tma *box, struct bsim_error *err)
{
    struct bsim_error wrong;
    return bsim_wgmma_check_box(&operand->at, operand->wgmma.element_bytes, operand->n_rows, box, &wrong) == BSIM_OK
               ? BSIM_OK
               : bsim_error_set(err, BSIM_E_INPUT, "--%c does not read the box as it lies there: %s", operand->name,
                                wrong.message);
}

/* An operand that was asked for by its descriptor, held against the box, if there is one. */
static enum bsim_status read_asked(const char *text, const struct bsim_tma *box, struct operand *operand,
                                   struct bsim_error *err)
{
    enum bsim_status status = read_operand(text, operand, err);
    return status == BSIM_OK && box != NULL ? hold(operand, box, err) : status;
}

enum bsim_status bsim_cli_show_wgmma(const struct options *options, const struct bsim_device *device,
                                     struct bsim_buffer *out,
                                     struct bsim_error *err)
{
    const struct show_options *show = &options->show;
    bool is_text = options->report.format == BSIM_TEXT;
    struct bsim_wgmma_operand found[MOST_FOUND];
    struct bsim_wgmma wgmma;
    enum bsim_status status = bsim_wgmma_parse(show->wgmma, &wgmma, err);
    if (status != BSIM_OK) {
        return status;
    }
    wgmma.a_in_registers = show->a != NULL && strcmp(show->a, "registers") == 0;
    struct operand operands[] = {{'a', wgmma, BSIM_WGMMA_M, {0}}, {'b', wgmma, wgmma.n, {0}}};
    const char *texts[] = {wgmma.a_in_registers ? NULL : show->a, show->b};
    struct bsim_tma its_box, *box = show->tma != NULL ? &its_box : NULL;
    size_t n = 0;
    status = box != NULL ? read_box(show->tma, &wgmma, box, err) : BSIM_OK;
    if (is_text) {
        tell(show->wgmma, &wgmma, device, out);
    }
    if (status == BSIM_OK && box != NULL && texts[0] == NULL && texts[1] == NULL) {
        n = find_all_fitting(operands, box, found);
        if (is_text) {
            tell_fitting(found, n, operands[1].n_rows, out);
        }
    }
    for (int i = 0; i < 2 && status == BSIM_OK; i++) {
        struct operand *operand = &operands[i];
        status = texts[i] != NULL ? read_asked(texts[i], box, operand, err) : BSIM_OK;
        if (status == BSIM_OK && texts[i] != NULL) {
            found[n++] = (struct bsim_wgmma_operand){operand->name, operand->n_rows, operand->at, 0, true};
        }
        if (status == BSIM_OK && texts[i] != NULL && is_text) {
            draw_operand(operand, box, options->all, out);
        }
    }
    if (status == BSIM_OK && !is_text) {
        bsim_report_wgmma(device, show->wgmma, &wgmma, found, n, &options->report, out);
    }
    return status;
}

/* show_wgmma.c - banksim show --wgmma: what a wgmma takes, and where its operands' elements lie.
 *
 *     banksim show --wgmma 'm64n128k16 f16' --b 'start=1024 sbo=1024 swizzle=128B major=K'
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
    static const char *const names[] = {"none", "128B", "64B", "32B"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(text, names[i]) == 0) {
            at->swizzle = (enum bsim_wgmma_swizzle)i;
            return true;
        }
    }
    return false;
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
                                             : false;
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
                                  "swizzle=none|128B|64B|32B and major=K|MN",
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

static void draw_operand(const struct operand *operand, bool all, struct bsim_buffer *out)
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
    bsim_cli_draw_chunks(label, all, out);
    free(label);
}

/* ---- what it takes -------------------------------------------------------------------------- */

/* Who has to wait for what: the tensor cores take N / 2 clocks. */
static void tell_bound(const struct bsim_wgmma *wgmma, struct bsim_buffer *out)
{
    uint32_t wavefronts = bsim_wgmma_wavefronts(wgmma);
    if (wgmma->n < BSIM_WGMMA_M && !wgmma->a_in_registers) {
        bsim_buffer_printf(out,
                           "Shared memory holds it up, not the tensor cores (%" PRIu32
                           " clocks): with A in shared memory N should be 64 or more.\n",
                           wgmma->n / 2);
    } else if (wgmma->n < BSIM_WGMMA_M) {
        bsim_buffer_text(out,
                         "With A in registers N < 64 takes longer than tensor cores and shared "
                         "memory do: measured, not explained.\n");
    } else if (2 * wavefronts == wgmma->n) {
        bsim_buffer_text(out,
                         "It takes every turn of shared memory's pipe: loads and stores beside "
                         "it hardly come through.\n");
    } else {
        bsim_buffer_printf(out, "It leaves %.0f %% of shared memory's turns to others.\n",
                           100 - 200.0 * wavefronts / wgmma->n);
    }
}

static void tell(const char *shape, const struct bsim_wgmma *wgmma, struct bsim_buffer *out)
{
    bsim_buffer_printf(out,
                       "wgmma %s, A in %s, on sm_90 (measured on an H200)\n"
                       "%" PRIu32 " wavefronts of shared memory, no bank conflict with any "
                       "descriptor; %.4g clocks, one behind the other\n",
                       shape, wgmma->a_in_registers ? "registers" : "shared memory",
                       bsim_wgmma_wavefronts(wgmma), bsim_wgmma_cycles(wgmma, 1));
    tell_bound(wgmma, out);
}

enum bsim_status bsim_cli_show_wgmma(const struct options *options, struct bsim_buffer *out,
                                     struct bsim_error *err)
{
    const struct show_options *show = &options->show;
    struct bsim_wgmma wgmma;
    enum bsim_status status = bsim_wgmma_parse(show->wgmma, &wgmma, err);
    if (status != BSIM_OK) {
        return status;
    }
    wgmma.a_in_registers = show->a != NULL && strcmp(show->a, "registers") == 0;
    struct operand operands[] = {{'a', wgmma, BSIM_WGMMA_M, {0}}, {'b', wgmma, wgmma.n, {0}}};
    const char *texts[] = {wgmma.a_in_registers ? NULL : show->a, show->b};
    tell(show->wgmma, &wgmma, out);
    for (int i = 0; i < 2 && status == BSIM_OK; i++) {
        if (texts[i] != NULL) {
            status = read_operand(texts[i], &operands[i], err);
        }
        if (texts[i] != NULL && status == BSIM_OK) {
            draw_operand(&operands[i], options->all, out);
        }
    }
    return status;
}

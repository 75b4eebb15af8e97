/* show_chunks.c - shared memory drawn in lines of 128 bytes, each in eight chunks of 16 with their four
 * banks, by what a chunk begins with: for tiles that TMA puts there and wgmma reads.
 *
 *     byte   +0        +16       ...
 *     bank   0-3       4-7       ...
 *       1024 r0 c0     r0 c8     ...
 *
 * And the device that both are shown for.
 */
#include "cli/show.h"

#include <inttypes.h>
#include <stdio.h>

enum { CHUNK = 16, CHUNKS_OF_LINE = 8, LINE = CHUNK * CHUNKS_OF_LINE, FIRST_LINES = 16 };

static void draw_head(struct bsim_buffer *out)
{
    char cell[32];
    bsim_buffer_text(out, "byte   ");
    for (uint32_t c = 0; c < CHUNKS_OF_LINE; c++) {
        bsim_buffer_printf(out, c == CHUNKS_OF_LINE - 1 ? "+%" PRIu32 "\n" : "+%-8" PRIu32 " ",
                           c * CHUNK);
    }
    bsim_buffer_text(out, "bank   ");
    for (uint32_t c = 0; c < CHUNKS_OF_LINE; c++) {
        (void)snprintf(cell, sizeof cell, "%" PRIu32 "-%" PRIu32, 4 * c, 4 * c + 3);
        bsim_buffer_printf(out, c == CHUNKS_OF_LINE - 1 ? "%s\n" : "%-9s ", cell);
    }
}

static bool has_line(const struct chunk_label *line)
{
    bool has = false;
    for (uint32_t c = 0; c < CHUNKS_OF_LINE; c++) {
        has |= line[c].text[0] != '\0';
    }
    return has;
}

static void draw_line(const struct chunk_label *line, uint32_t at, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "%6" PRIu32 " ", at);
    for (uint32_t c = 0; c < CHUNKS_OF_LINE; c++) {
        const char *text = line[c].text[0] != '\0' ? line[c].text : ".";
        bsim_buffer_printf(out, c == CHUNKS_OF_LINE - 1 ? "%s\n" : "%-9s ", text);
    }
}

void bsim_cli_draw_chunks(const struct chunk_label *label, bool all, struct bsim_buffer *out)
{
    uint32_t n = 0, left_out = 0;
    draw_head(out);
    for (uint32_t line = 0; line < SHOWN_CHUNKS / CHUNKS_OF_LINE; line++) {
        const struct chunk_label *first = &label[(size_t)line * CHUNKS_OF_LINE];
        if (has_line(first) && (all || n++ < FIRST_LINES)) {
            draw_line(first, line * LINE, out);
        } else {
            left_out += has_line(first);
        }
    }
    if (left_out > 0) {
        bsim_buffer_printf(out, "... %" PRIu32 " more lines (--all)\n", left_out);
    }
}

void bsim_cli_tell_hopper(const struct bsim_device *device, bool has_h100_clocks, struct bsim_buffer *out)
{
    bool is_measured = device->compute == 90;
    bsim_buffer_printf(out, is_measured ? ", on %s (measured on an H200%s)\n" : ", on %s (assumed: as an H200%s)\n",
                       device->name, has_h100_clocks ? ", clocks on an H100" : "");
}

/* picture.h - what all renderers of a request draw; see picture.c. */
#ifndef BSIM_REPORT_PICTURE_H
#define BSIM_REPORT_PICTURE_H

#include <banksim/report.h>

/* A picture with its request's schedule. */
struct bsim_drawing {
    const struct bsim_picture *of;
    struct bsim_schedule schedule;
    struct bsim_counts counts;
    uint32_t n_busy;                /* banks that serve in some pass */
    uint8_t busy[BSIM_MAX_BANKS];   /* they, in order */
    uint32_t turn[BSIM_MAX_PASSES]; /* by pass: which of its group's it is, from 0 */
};

void bsim_drawing_make(const struct bsim_picture *picture, struct bsim_drawing *drawing);

/* The columns of a line of text: what the style says, 40 at least; 80 if it does not say. */
uint32_t bsim_style_columns(const struct bsim_picture_style *style);

/* Appends "1 bank busy, 31 idle" or "all 32 banks busy". */
void bsim_drawing_busy(const struct bsim_drawing *drawing, struct bsim_buffer *out);

/* What bank serves in pass, or NULL. */
const struct bsim_grant *bsim_drawing_grant(const struct bsim_drawing *drawing, uint32_t pass,
                                            uint32_t bank);

/* The byte address of a grant's row's 4-byte word number half (0, or 1 in banks of 8 bytes); of
 * the first such word that is touched. */
uint32_t bsim_grant_word_address(const struct bsim_device *device, const struct bsim_grant *grant,
                                 uint32_t half);
uint32_t bsim_grant_address(const struct bsim_device *device, const struct bsim_grant *grant);

/* Appends, as members of a json object, lanes as a list and the byte address of each lane of a
 * request. */
void bsim_lanes_json(const char *name, uint32_t lanes, struct bsim_buffer *out);
void bsim_addresses_json(const struct bsim_request *request,
                         const uint64_t address[BSIM_WARP_LANES], struct bsim_buffer *out);

#endif

/* traffic.h - a request to other memory than shared, as its renderers draw it; see traffic.c. */
#ifndef BSIM_REPORT_TRAFFIC_H
#define BSIM_REPORT_TRAFFIC_H

#include <banksim/report.h>

enum { BSIM_LINE_SECTORS = 4, BSIM_LINE_WORDS = 32 };

/* A line of 128 bytes that some lane touches: which lanes touch each of its words of 4 bytes. */
struct bsim_traffic_line {
    uint64_t number; /* its first byte's address / 128 */
    uint32_t lanes[BSIM_LINE_WORDS];
};

struct bsim_traffic {
    const struct bsim_picture *of;
    uint32_t n_lines; /* by address */
    struct bsim_traffic_line line[2 * BSIM_WARP_LANES];
    struct bsim_global_counts counts;
    uint32_t passes;        /* of constant memory, else 0 */
    uint32_t least_sectors; /* that hold as many bytes as are asked for, each counted once */
};

/* Whether the picture is of such a request. */
bool bsim_traffic_is(const struct bsim_picture *picture);

void bsim_traffic_make(const struct bsim_picture *picture, struct bsim_traffic *traffic);

/* The lanes that touch a sector of a line. */
uint32_t bsim_traffic_sector(const struct bsim_traffic_line *line, uint32_t sector);

/* "8 sectors of 2 lines, where 4 sectors of 1 line would hold what is asked for.", one sentence. */
void bsim_traffic_why(const struct bsim_traffic *traffic, struct bsim_buffer *out);

/* One picture, without what stands around several. */
void bsim_traffic_text(const struct bsim_picture *picture, const struct bsim_picture_style *style,
                       struct bsim_buffer *out);

/* What a json object says of it besides its opcode, title, place, device and mask. */
void bsim_traffic_json(const struct bsim_picture *picture, struct bsim_buffer *out);

#endif

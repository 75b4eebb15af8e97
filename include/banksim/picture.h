/* picture.h - one request drawn: which lane is served by which bank in which pass, or which lines,
 * sectors and words of other memory it touches.
 *
 * A picture is the request's own schedule (bsim_request_schedule) made visible; nothing in it is
 * worked out a second time. Renderers only append to a buffer and can fail but for memory
 * (bsim_buffer_status). Thread-safe for different buffers.
 */
#ifndef BANKSIM_PICTURE_H
#define BANKSIM_PICTURE_H

#include <banksim/model.h>
#include <banksim/report.h>

/* What is drawn. The texts may hold anything: each renderer escapes them. */
struct bsim_picture {
    const char *title; /* what it is, in the user's words: "stride 2"; or NULL */
    const char *place; /* where it stands: "kernel k, block (0,0,0), warp 3"; or NULL */
    struct bsim_device device;
    struct bsim_request request;       /* to shared memory; to other memory: its opcode and mask */
    uint64_t address[BSIM_WARP_LANES]; /* of other memory, as in the request of shared memory */
};

/* Why the request takes as many passes as it does, one sentence with its full stop: "2 passes
 * because lanes 0 and 16 want different words of bank 0." schedule is the request's on device. */
BSIM_API void bsim_request_why(const struct bsim_device *device, const struct bsim_request *request,
                               const struct bsim_schedule *schedule, struct bsim_buffer *out);

/* n pictures as one json document, {"banksim": VERSION, "requests": [...]}. Of each request: its
 * title, place, device, opcode, mask, the byte address of each lane (null: it has none), counts,
 * the sentence above, its groups, and its passes in order: the group, the lanes, and a grant for
 * each bank at work with row, byte address, words (the byte address of each 4-byte word that is
 * touched), lanes and receivers. */
BSIM_API void bsim_picture_json(const struct bsim_picture *pictures, size_t n,
                                struct bsim_buffer *out);

/* How a picture is drawn on a terminal; zeroed: plain ASCII. */
struct bsim_picture_style {
    bool utf8;
    bool colour; /* ANSI colours */
    bool all;    /* every pass, not only the first and the last of many */
};

/* n pictures as text, one below the other, at most 80 columns wide: the banks at work across, the
 * passes down, in each cell the lanes that are served and the word; then the sentence above. */
BSIM_API void bsim_picture_text(const struct bsim_picture *pictures, size_t n,
                                const struct bsim_picture_style *style, struct bsim_buffer *out);

/* n (1 or more) pictures as one SVG figure, one panel below the other: lanes above, banks below,
 * arrows by pass, and what each bank serves. A whole XML document, text as text. */
BSIM_API void bsim_picture_svg(const struct bsim_picture *pictures, size_t n,
                               struct bsim_buffer *out);

/* A row of a table of strides: lane l accesses element stride * l. */
struct bsim_stride {
    uint32_t stride;
    struct bsim_request request;
};

/* What each of n strides costs on device, one row each. */
BSIM_API void bsim_report_strides(const struct bsim_device *device,
                                  const struct bsim_stride *strides, size_t n,
                                  const struct bsim_report_options *options,
                                  struct bsim_buffer *out);

/* A shuffle of one warp, as bsim_shuffle_source has it. width: 1, 2, 4, 8, 16 or 32. */
struct bsim_shuffle_ask {
    enum bsim_operation operation;
    uint32_t operand, width;
    uint32_t mask; /* the lanes that take part */
};

/* Which lane each active lane gets its value from, who keeps its own and who gets anything; as
 * text, csv or json. */
BSIM_API void bsim_report_shuffle(const struct bsim_shuffle_ask *ask,
                                  const struct bsim_report_options *options,
                                  struct bsim_buffer *out);

#endif

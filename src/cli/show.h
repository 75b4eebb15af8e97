/* show.h - where the requests come from that `banksim show` draws. */
#ifndef BSIM_CLI_SHOW_H
#define BSIM_CLI_SHOW_H

#include "cli/cli.h"

enum { MAX_PANELS = 64, MAX_STRIDES = 4096 };

/* What is drawn, one below the other. Zeroed it is empty. */
struct panels {
    size_t n;
    struct bsim_picture picture[MAX_PANELS];
    struct bsim_buffer title[MAX_PANELS]; /* what the pictures' texts point to */
    struct bsim_buffer place[MAX_PANELS];
    struct bsim_check *arrays; /* that a trace declares, or NULL */
};

void bsim_cli_panels_free(struct panels *panels);

/* Adds one, with copies of its texts ("": none). address: of each lane, which of other memory than
 * shared the request has no room for; NULL: as the request says. Fails if there is no room for
 * it. */
enum bsim_status bsim_cli_panels_add(struct panels *panels, const struct bsim_device *device,
                                     const struct bsim_request *request, const uint64_t *address,
                                     const char *title, const char *place, struct bsim_error *err);

/* Whether requests of the opcode are drawn: accesses to shared, global and constant memory. Where
 * lanes meet in local memory and textures, their addresses do not tell. */
bool bsim_cli_is_drawn(const struct bsim_opcode *opcode);

/* by_hand.c: --load b32 --stride 2. One panel for each stride. */
enum bsim_status bsim_cli_by_hand(const struct options *options, const struct bsim_device *device,
                                  struct panels *panels, struct bsim_error *err);

/* The requests of --strides; *strides is the caller's to free. */
enum bsim_status bsim_cli_by_strides(const struct options *options,
                                     const struct bsim_device *device, struct bsim_stride **strides,
                                     size_t *n, struct bsim_error *err);

/* by_hand.c: --shfl idx 3 --width 16 --mask ffff. */
enum bsim_status bsim_cli_by_shuffle(const struct show_options *show, struct bsim_shuffle_ask *ask,
                                     struct bsim_error *err);

/* show_wgmma.c: --wgmma 'm64n128k16 f16' --b 'start=1024 ...', as text. */
enum bsim_status bsim_cli_show_wgmma(const struct options *options, const struct bsim_device *device,
                                     struct bsim_buffer *out,
                                     struct bsim_error *err);

/* show_chunks.c: the window of a block on sm_90 in chunks of 16 bytes, by what they begin with ("": nothing);
 * lines of 128 bytes without any are left out, and all behind the 16th unless `all`. */
enum { SHOWN_WINDOW = 227 * 1024, SHOWN_CHUNKS = SHOWN_WINDOW / 16 };
struct chunk_label {
    char text[24]; /* a letter and a number, twice */
};
void bsim_cli_draw_chunks(const struct chunk_label *label, bool all, struct bsim_buffer *out);

/* ", on sm_90 (measured on an H200)", its clocks perhaps on an H100, or that it is taken to be so. */
void bsim_cli_tell_hopper(const struct bsim_device *device, bool has_h100_clocks, struct bsim_buffer *out);

/* show_peer.c: what the requests take in a peer's shared memory, as text. */
enum bsim_status bsim_cli_show_peer(const struct panels *panels, struct bsim_buffer *out,
                                    struct bsim_error *err);

/* show_tma.c: --tma 'half box=64x64 swizzle=128B start=1024', as text. */
enum bsim_status bsim_cli_show_tma(const struct options *options, const struct bsim_device *device,
                                   struct bsim_buffer *out,
                                   struct bsim_error *err);

/* show_async.c: the commands that show the tiles of the stream's copies by TMA and wgmmas, of one site or (0) all;
 * nothing if there are none. */
enum bsim_status bsim_cli_show_async(const struct bsim_source *source, uint32_t site, struct bsim_buffer *out,
                                     struct bsim_error *err);

/* show_check.c: the request of each access that loses the most, the first of equals; none where no lane accesses
 * anything. */
enum bsim_status bsim_cli_show_check(struct bsim_check *check,
                                     const struct bsim_device *device, struct panels *panels,
                                     struct bsim_error *err);

/* show_trace.c: the request of the trace at path that --event, --site or --worst name; none where no lane
 * accesses shared memory, or the site's. */
enum bsim_status bsim_cli_show_trace(const struct options *options, char *path,
                                     struct panels *panels, struct bsim_error *err);

/* cmd_show.c: how to draw on standard output, as --style, -o, the terminal and the locale say. */
struct bsim_picture_style bsim_cli_picture_style(const struct options *options);

#endif

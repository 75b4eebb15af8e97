/* stream.h - hand-made streams: each call pushes one record into the simulator or another sink.
 *
 * A call returns what the sink answered; stream.err has its message. The simulator of
 * stream_simulate is freed by stream_finish or stream_drop.
 */
#ifndef BSIM_TESTS_STREAM_H
#define BSIM_TESTS_STREAM_H

#include <banksim/result.h>

#include "sim/sim.h"

enum { STREAM_MAX_SITES = 4 };

struct stream {
    uint32_t n_blocks; /* of a kernel's grid; 0: 1 */
    struct bsim_sink sink;
    struct bsim_sim *sim;
    struct bsim_kernel kernel;
    struct bsim_site site[STREAM_MAX_SITES];
    uint32_t n_sites;
    uint64_t line; /* of the next record, counting from 1 */
    struct bsim_error err;
};

/* A stream into a new simulator; false when memory is short. options may be NULL. */
bool stream_simulate(struct stream *stream, const struct bsim_sim_options *options);

enum bsim_status stream_kernel(struct stream *stream, const char *name, uint32_t threads,
                               const char *device);
enum bsim_status stream_site(struct stream *stream, uint32_t number, const char *opcode,
                             const char *file, uint32_t line, const char *text);
enum bsim_status stream_block(struct stream *stream, uint32_t x);
enum bsim_status stream_repeat(struct stream *stream, uint32_t turns);
enum bsim_status stream_done(struct stream *stream);
enum bsim_status stream_end(struct stream *stream);

/* An event with lane l at base + l * stride; opcode may be "work". Then: what is in it, to warp. */
struct bsim_event stream_event(const char *opcode, uint32_t mask, uint64_t base, int64_t stride);
enum bsim_status stream_push(struct stream *stream, uint32_t warp, struct bsim_event event);

/* All lanes of one access, without a site, or at the site with that index, as its opcode. */
enum bsim_status stream_access(struct stream *stream, uint32_t warp, const char *opcode,
                               uint64_t base, int64_t stride);
enum bsim_status stream_at_site(struct stream *stream, uint32_t warp, uint32_t index, uint64_t base,
                                int64_t stride);

/* END, the result, and the end of the simulator. */
enum bsim_status stream_finish(struct stream *stream, struct bsim_result *result);
void stream_drop(struct stream *stream);

#endif

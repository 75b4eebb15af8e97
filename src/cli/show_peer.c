/* show_peer.c - banksim show --load b32 --stride 32 --peer: what an access takes if its addresses are of
 * the shared memory of another block of the cluster.
 */
#include "cli/show.h"

#include <inttypes.h>

/* What the same takes in the block's own. */
static void tell_own(const struct bsim_device *device, const struct bsim_request *request,
                     struct bsim_buffer *out)
{
    struct bsim_counts counts;
    bsim_request_count(device, request, &counts);
    bsim_buffer_printf(out, "In the block's own: %" PRIu32 " wavefront%s.\n", counts.wavefronts,
                       counts.wavefronts == 1 ? "" : "s");
}

static void tell(const struct bsim_picture *picture, const struct bsim_peer_counts *counts,
                 struct bsim_buffer *out)
{
    char name[BSIM_OPCODE_NAME_SIZE];
    bool is_load = picture->request.opcode.family == BSIM_LD;
    bsim_buffer_printf(
        out,
        "%s, %s, of a peer's shared memory, on sm_90 (measured on an H200)\n"
        "%" PRIu32 " sector%s in %" PRIu32 " line%s: %" PRIu32 " packet%s between the "
        "SMs%s; banks do not matter\n",
        bsim_opcode_name(&picture->request.opcode, name), picture->title, counts->sectors,
        counts->sectors == 1 ? "" : "s", counts->lines, counts->lines == 1 ? "" : "s",
        counts->packets, counts->packets == 1 ? "" : "s",
        is_load ? ", a line asked for and a sector sent each" : "");
    bsim_buffer_printf(out, "%.4g clocks, one request behind the other", counts->cycles);
    if (is_load) {
        bsim_buffer_printf(out, "; %.4g if the peer reads as much from here",
                           counts->cycles_both_ways);
    }
    bsim_buffer_text(out, "\n");
    tell_own(&picture->device, &picture->request, out);
}

enum bsim_status bsim_cli_show_peer(const struct panels *panels, struct bsim_buffer *out,
                                    struct bsim_error *err)
{
    for (size_t i = 0; i < panels->n; i++) {
        struct bsim_peer_counts counts;
        const struct bsim_device *device = &panels->picture[i].device;
        if (device->compute != 90) {
            return bsim_error_set(err, BSIM_E_USAGE, "--peer: of clusters on %s nothing is known; sm_90 has them",
                                  device->name);
        }
        if (!bsim_peer_count(&panels->picture[i].request, &counts)) {
            return bsim_error_set(err, BSIM_E_USAGE,
                                  "--peer is for --load and --store: 'banksim run' counts others in traces, such "
                                  "as red.shared::cluster.add.u32 and st.async");
        }
        bsim_buffer_text(out, i > 0 ? "\n" : "");
        tell(&panels->picture[i], &counts, out);
    }
    return BSIM_OK;
}

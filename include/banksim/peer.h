/* peer.h - what it takes to read and write the shared memory of another block of the cluster
 * (ld.shared::cluster, st.shared::cluster).
 *
 * Pure arithmetic, as in model.h: no allocation, no I/O, no state. Thread-safe. Rules and sources are
 * at the head of src/model/peer.c; all were measured on an H200 (compute capability 9.0).
 */
#ifndef BANKSIM_PEER_H
#define BANKSIM_PEER_H

#include <banksim/model.h>

struct bsim_peer_counts {
    uint32_t sectors; /* of 32 bytes, different ones */
    uint32_t lines;   /* of 128 bytes */
    uint32_t
        packets; /* between the SMs: of a load the lines that are asked for and the sectors that
                         come, of a store what is sent */
    double
        cycles; /* from one request to the next, many from 16 warps, nobody coming the other way */
    double cycles_both_ways; /* of a load, if the peer does the same at once; 0: not known */
};

/* What a load or store by a warp takes if its addresses are of a peer's shared memory, in another SM: it says
 * shared, or shared::cluster. False, and nothing else, for any other request. */
BSIM_API bool bsim_peer_count(const struct bsim_request *request, struct bsim_peer_counts *counts);

#endif

/* oracle.h - what one warp request costs, worked out the slow way: the tests' second opinion.
 *
 * Shares no code and no shortcuts with src/model. It takes the lanes' bytes one at a time, drops
 * each byte's row into a set of its bank's, and counts the sets. What it knows of the hardware is
 * the table of rules measured on an H200 (tests/measured) and device.h's definition of bank and
 * row; tests/measured/test_requests.c holds it against the measurements too. It makes no passes:
 * it says how many there must be.
 */
#ifndef BSIM_TESTS_ORACLE_H
#define BSIM_TESTS_ORACLE_H

#include <banksim/model.h>

struct oracle_group {
    uint32_t lanes; /* active ones; never 0 */
    uint32_t ways;
    uint32_t words; /* that its banks serve, an atomic's turns each */
};

struct oracle_answer {
    uint32_t n_groups;
    struct oracle_group group[BSIM_MAX_GROUPS]; /* those with a lane, lowest lanes first */
    uint32_t wavefronts;
    uint32_t ideal;
    uint32_t conflicts;
    uint32_t ways;
    uint32_t bytes_asked;
    uint32_t bytes_served;
    uint32_t bytes_moved;
    bool broadcast; /* as struct bsim_counts defines them */
    bool multicast;
};

void oracle_ask(const struct bsim_device *device, const struct bsim_request *request,
                struct oracle_answer *answer);

/* Where one byte of shared memory lies: its bank, its row in the bank, and which 4-byte half of
 * the row (0 where a row is 4 bytes). */
uint32_t oracle_bank(const struct bsim_device *device, uint32_t byte);
uint32_t oracle_row(const struct bsim_device *device, uint32_t byte);
uint32_t oracle_half(const struct bsim_device *device, uint32_t byte);

/* The lanes whose addresses count. */
uint32_t oracle_lanes(const struct bsim_request *request);

bool oracle_is_atomic(const struct bsim_request *request);
bool oracle_is_cas(const struct bsim_request *request);
bool oracle_is_matrix(const struct bsim_request *request);
bool oracle_loops(const struct bsim_request *request);

#endif

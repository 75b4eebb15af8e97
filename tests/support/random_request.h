/* random_request.h - seeded random warp requests, of the shapes that programs make and of the
 * shapes that are nearly those. The same seed gives the same requests everywhere.
 */
#ifndef BSIM_TESTS_RANDOM_REQUEST_H
#define BSIM_TESTS_RANDOM_REQUEST_H

#include <banksim/model.h>

struct random_source {
    uint64_t state; /* any seed */
};

uint64_t random_next(struct random_source *source);

/* 0 to n - 1; n >= 1. */
uint32_t random_below(struct random_source *source, uint32_t n);

enum request_kind {
    REQUEST_LD1,
    REQUEST_LD2,
    REQUEST_LD4,
    REQUEST_LD8,
    REQUEST_LD16,
    REQUEST_ST1,
    REQUEST_ST2,
    REQUEST_ST4,
    REQUEST_ST8,
    REQUEST_ST16,
    REQUEST_ATOMIC4, /* atom and red, any operation but cas */
    REQUEST_ATOMIC8,
    REQUEST_CAS4,
    REQUEST_CAS8,
    REQUEST_LDMATRIX, /* x1, x2, x4, half of them with .trans */
    REQUEST_STMATRIX,
    REQUEST_N_KINDS,
};

const char *request_kind_name(enum request_kind kind);

/* A request of that kind: an opcode, a mask that is not 0 (full for matrix forms) and aligned
 * addresses. Lanes that take no part have an address too, which nobody should look at. */
void random_request(struct random_source *source, enum request_kind kind,
                    struct bsim_request *request);

#endif

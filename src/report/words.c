/* words.c - what reports call an access and what it takes; see words.h. */
#include "report/words.h"

#include <stdio.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

void bsim_word_op(const struct bsim_opcode *opcode, char out[BSIM_CELL_SIZE])
{
    static const char *const operations[] = {"add", "min", "max",  "inc", "dec",  "and",
                                             "or",  "xor", "exch", "cas", "add 1"};
    static const char *const exchanges[] = {"idx", "up", "down", "xor"};
    switch (opcode->family) {
    case BSIM_LD:
        (void)snprintf(out, BSIM_CELL_SIZE, "load");
        break;
    case BSIM_ST:
        (void)snprintf(out, BSIM_CELL_SIZE, "store");
        break;
    case BSIM_ATOM:
    case BSIM_RED:
        (void)snprintf(out, BSIM_CELL_SIZE, "atomic %s",
                       operations[(opcode->operation - BSIM_ADD) % N_OF(operations)]);
        break;
    case BSIM_CP_ASYNC:
        (void)snprintf(out, BSIM_CELL_SIZE, "cp.async %s",
                       opcode->path == BSIM_BYPASS ? "cg" : "ca");
        break;
    case BSIM_WGMMA:
        (void)snprintf(out, BSIM_CELL_SIZE, "wgmma m64n%uk%u", 8u * opcode->count,
                       8u * BSIM_WGMMA_K_BYTES / opcode->bits);
        break;
    case BSIM_BULK:
        (void)snprintf(out, BSIM_CELL_SIZE, "%s %s", opcode->count > 0 ? "tma" : "bulk",
                       opcode->operation == BSIM_TO_SHARED   ? "load"
                       : opcode->operation == BSIM_TO_GLOBAL ? "store"
                                                             : "reduce");
        break;
    case BSIM_SHFL:
        (void)snprintf(out, BSIM_CELL_SIZE, "shuffle %s",
                       exchanges[(opcode->operation - BSIM_IDX) % N_OF(exchanges)]);
        break;
    default:
        (void)snprintf(out, BSIM_CELL_SIZE, "%s x%u%s",
                       opcode->family == BSIM_LDMATRIX ? "ldmatrix" : "stmatrix",
                       (unsigned)opcode->count, opcode->is_transposed ? ".trans" : "");
    }
}

const char *bsim_word_wavefronts(const struct bsim_device *device)
{
    return device->replays ? "passes" : "wavefronts";
}

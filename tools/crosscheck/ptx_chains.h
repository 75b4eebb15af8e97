/* ptx_chains.h - straight lines of drawn instructions of PTX, each on what others left. */
#ifndef CROSSCHECK_PTX_CHAINS_H
#define CROSSCHECK_PTX_CHAINS_H

#include "ptx_forms.h"

/* A batch is a module with a kernel for each of its chains; a chain's result is all of its
 * registers. */
enum { PTX_CHAIN_LENGTH = 24, PTX_BATCH = 50, PTX_CHAIN_REGISTERS = 52 };

/* What a batch works on: (.param .u64 in) is the operands. */
void ptx_batch_operands(uint64_t seed, size_t batch, struct ptx_operands *operands);

/* The batch's module: kernels c0, c1, ... of 32 threads, (.param .u64 in, .param .u64 out); `out`
 * takes PTX_CHAIN_REGISTERS numbers of 64 bits of each lane. `length` cuts the chains. */
void ptx_write_batch(FILE *file, uint64_t seed, size_t batch, size_t length);

/* What is kept of a chain's result, of 32 lanes. */
uint32_t ptx_chain_hash(const uint64_t *result);

/* The name of the register whose number that is in a lane's result. */
void ptx_chain_register(size_t i, char name[16]);

#endif

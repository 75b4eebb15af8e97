/* async.h - the opcodes of what has fields of its own in place of lanes' addresses: wgmma and copies by
 * TMA; see async.c. */
#ifndef BSIM_EVENT_ASYNC_H
#define BSIM_EVENT_ASYNC_H

#include <banksim/event.h>

/* Whether a spelling is meant to be one of them. */
bool bsim_async_opcode_begins(const char *text, size_t length);

/* Reads it. NULL, or what to write instead. */
const char *bsim_async_opcode_parse(const char *text, size_t length, struct bsim_opcode *opcode);

/* Its spelling. */
void bsim_async_opcode_name(const struct bsim_opcode *opcode, char name[BSIM_OPCODE_NAME_SIZE]);

/* Whether there is a wgmma of that many columns: multiples of 8 up to 256; of s8 and u8, behind 32, of 16 alone (what
 * ptxas of CUDA 13.0 takes of m64n8 to m64n264). */
static inline bool bsim_async_has_columns(uint32_t n, bool is_whole)
{
    return n > 0 && n <= BSIM_WGMMA_MAX_N && n % (is_whole && n > 32 ? 16 : 8) == 0;
}

/* Which way a BSIM_BULK goes. */
static inline enum bsim_tma_way bsim_async_way(const struct bsim_opcode *opcode)
{
    return opcode->operation == BSIM_TO_SHARED   ? BSIM_TMA_LOAD
           : opcode->operation == BSIM_TO_GLOBAL ? BSIM_TMA_STORE
                                                 : BSIM_TMA_REDUCE;
}

/* The shape of a BSIM_WGMMA event. */
struct bsim_wgmma bsim_async_wgmma(const struct bsim_event *event);

/* The half of shared memory, 0 or 1, that a byte is in. */
static inline uint32_t bsim_async_half(uint32_t address)
{
    return address >= BSIM_TMA_HALF_BYTES;
}

#endif

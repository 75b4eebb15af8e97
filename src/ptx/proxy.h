/* proxy.h - what wgmma and copies by TMA may not see yet: see proxy.c. */
#ifndef BSIM_PTX_PROXY_H
#define BSIM_PTX_PROXY_H

#include "ptx/machine.h"

/* Of a block that wants findings, if its program has such readers; NULL where it has none, or memory is short. */
struct bsim_ptx_proxy *bsim_ptx_proxy_new(const struct bsim_ptx_block *block);
void bsim_ptx_proxy_free(struct bsim_ptx_proxy *proxy);

/* A block begins. */
void bsim_ptx_proxy_start(struct bsim_ptx_block *block);

/* The warp's lanes that are on write so many bytes of shared memory at each address; a copy does at `at`. */
void bsim_ptx_proxy_write(struct bsim_ptx_warp *warp, const uint64_t *address, uint32_t bytes);
void bsim_ptx_proxy_copied(struct bsim_ptx_block *block, uint32_t at, uint32_t bytes);

/* A wgmma or a copy reads so many bytes there: whether it was told that a fence is missing. */
bool bsim_ptx_proxy_read(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t at, uint32_t bytes);

/* A wgmma reads and writes its registers. */
void bsim_ptx_proxy_multiply(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step);

/* fence.proxy.async, or any other that takes in shared memory; wgmma.fence. */
bool bsim_ptx_is_proxy_fence(const struct bsim_ptx_instruction *from);
void bsim_ptx_proxy_fence(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step);
void bsim_ptx_run_wgmma_fence(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step);

#endif

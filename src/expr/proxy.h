/* proxy.h - what wgmma and copies by TMA out of shared memory may not see yet; see proxy.c. */
#ifndef BSIM_EXPR_PROXY_H
#define BSIM_EXPR_PROXY_H

#include "expr/meet.h"

struct bsim_proxy {
    const struct bsim_check *check;
    unsigned char *stored; /* of each byte of shared memory: by lanes, with no fence behind */
    uint32_t begin, end;   /* no byte outside is */
    struct bsim_unfenced { /* of each access: how often it reads such bytes, and which the first time */
        uint64_t n;
        uint32_t warp, at, bytes;
    } *unfenced;
};

/* BSIM_E_MEMORY. */
enum bsim_status bsim_proxy_begin(struct bsim_proxy *proxy, const struct bsim_check *check, struct bsim_error *err);
void bsim_proxy_free(struct bsim_proxy *proxy);

/* What comes next: an access of lanes, a fence, a load by TMA, a store by it, a wgmma. */
void bsim_proxy_touch(struct bsim_proxy *proxy, const struct bsim_meet_touch *touch);
void bsim_proxy_fence(struct bsim_proxy *proxy);
void bsim_proxy_load(struct bsim_proxy *proxy, const struct bsim_meet_op *op);
void bsim_proxy_store(struct bsim_proxy *proxy, uint32_t warp, const struct bsim_meet_op *op);
void bsim_proxy_wgmma(struct bsim_proxy *proxy, uint32_t warp, const struct bsim_meet_op *op);

/* A line of each access that reads such bytes. */
void bsim_proxy_tell(const struct bsim_proxy *proxy, struct bsim_buffer *out);

#endif

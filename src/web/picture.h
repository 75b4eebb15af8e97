/* picture.h - one request of a check, as the page draws it. */
#ifndef BSIM_WEB_PICTURE_H
#define BSIM_WEB_PICTURE_H

#include <banksim/report.h>

/* Which request: of the access, or without one, or one that there is not, of the access that loses
 * the most; without a warp the one that loses the most, of all warps, the first of equals; else of those
 * that the warp makes of the access, in its order, number `turn` from 0, or the last. */
struct bsim_web_which {
    uint32_t access;
    bool has_access, has_warp;
    uint32_t warp, turn;
};

/* Appends json: {"access", "warp", "warps": in the block, "turn", "turns": requests that the warp makes of the
 * access, "arrays": the shared ones as CUDA declares and indexes them by their layout, "offsets": of
 * each lane, by its indices, "where": what bsim_report_where has of it, "picture": what
 * bsim_report_pictures has}. Of other memory than shared, "where" is null; of an access that makes no
 * request, or of a check without one, all from "arrays" on. Fails as bsim_answer does. */
enum bsim_status bsim_web_picture(struct bsim_check *check, const struct bsim_device *device,
                                  const struct bsim_web_which *which, struct bsim_buffer *out,
                                  struct bsim_error *err);

#endif

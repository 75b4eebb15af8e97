/* launch.h - a kernel in CUDA C, launched: as a call of what it is as PTX, and recorded as a check. */
#ifndef BSIM_WEB_LAUNCH_H
#define BSIM_WEB_LAUNCH_H

#include <banksim/cuda.h>
#include <banksim/expr.h>
#include <banksim/ptx.h>

/* The launch of a kernel of text[0..length), `name` its file's: its PTX is *ptx, which the caller frees, and *call
 * what bsim_ptx_call_new makes of that; name and text, which a NUL ends, are borrowed until the call is freed. A template's arguments stand behind the kernel's name, k<32><<<1, 32>>>(...).
 * headers as bsim_cuda_ptx takes them. Fails as these do. */
enum bsim_status bsim_web_launch(const char *name, const char *text, size_t length,
                                 const struct bsim_cuda_headers *headers, const char *launch,
                                 struct bsim_buffer *ptx, struct bsim_ptx_call **call,
                                 struct bsim_error *err);

/* A launch that was run: what it did, kept in memory. Zeros at first; bsim_web_recording_free at last, behind the
 * check that is made of it. */
struct bsim_web_recording {
    struct bsim_buffer trace;
    struct bsim_buffer findings; /* what a GPU lets pass, a line each */
};

/* Runs the launch of a kernel of the text and makes its record what the check is of: as `banksim check` does. Fails as
 * bsim_web_launch, bsim_ptx_call_run and bsim_check_record do, and with BSIM_E_INPUT for a kernel that does not access
 * shared memory; with of_any_memory one of global or constant memory will do. */
enum bsim_status bsim_web_record(const char *name, const char *text, size_t length,
                                 const char *launch, bool of_any_memory,
                                 struct bsim_web_recording *recording, struct bsim_check *check,
                                 struct bsim_error *err);

/* As bsim_cuda_listener's run: a block of the launch is run, for some thousand instructions of its warps. */
enum bsim_status bsim_web_try(void *context, const char *launch, const char *text, size_t length,
                              struct bsim_error *why);

/* Appends json: [{"launch", "chosen"}, ...], what bsim_cuda_propose tells of the text. Fails as that does. */
enum bsim_status bsim_web_launches(const char *name, const char *text, size_t length,
                                   struct bsim_buffer *out, struct bsim_error *err);

void bsim_web_recording_free(struct bsim_web_recording *recording);

#endif

/* fuzz_cuda.c - any bytes as a file of CUDA C.
 *
 * What must hold for every input, good or broken:
 *   - it is refused with a message, or PTX comes of it;
 *   - that PTX is one that banksim reads: a launch of its kernels is refused for its arguments alone.
 */
#include "support.h"

enum { MAX_NAME = 200 };

/* Looks at each kernel of the text. */
static void read_kernels(const struct bsim_buffer *ptx)
{
    static const char word[] = ".visible .entry ";
    struct bsim_error err;
    for (const char *p = ptx->data; (p = strstr(p, word)) != NULL;) {
        struct bsim_ptx_call *call = NULL;
        char launch[MAX_NAME + 32];
        p += sizeof word - 1;
        size_t length = strcspn(p, "(");
        if (length > MAX_NAME) {
            continue;
        }
        (void)snprintf(launch, sizeof launch, "%.*s<<<1, 32>>>()", (int)length, p);
        enum bsim_status status =
            bsim_ptx_call_new("fuzz", ptx->data, ptx->size_bytes, launch, &call, &err);
        REQUIRE_OF(status != BSIM_E_INPUT, ptx->data, ptx->size_bytes);
        bsim_ptx_call_free(call);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bsim_error err;
    struct bsim_buffer ptx = BSIM_BUFFER_EMPTY;
    if (bsim_cuda_ptx("fuzz", (const char *)data, size, NULL, NULL, &ptx, &err) != BSIM_OK) {
        fuzz_require_message(&err);
    } else {
        read_kernels(&ptx);
    }
    bsim_buffer_free(&ptx);
    return 0;
}

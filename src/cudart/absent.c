/* absent.c - what functions of NVIDIA's libraries do that are not here: `banksim cuda` gives a program
 * such functions for what it does not find.
 *
 * What makes, sets up or frees something answers that all is well, for programs that never compute with
 * it. Another call ends the program, or with BANKSIM_LIBRARIES=skip is told once and passed over.
 */
#include "cudart/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_INPUT = 3, MAX_TOLD = 512 }; /* banksim's exit code for what it cannot take */

static bool ends_in(const char *name, const char *end)
{
    size_t n = strlen(name), n_end = strlen(end);
    return n >= n_end && strcmp(name + n - n_end, end) == 0;
}

/* Of cuRAND, cuFFT and the like: curandCreateGenerator, cufftPlan1d, cusparseSetStream. */
static bool is_harmless(const char *name, const char *library)
{
    static const char *const words[] = {"Create",  "Destroy",  "SetStream", "SetMathMode",
                                        "SetSeed", "PlanMany", "Plan1d",    "Plan2d",
                                        "Plan3d",  "Free"};
    if (library[0] != 'c' || strcmp(library, "cuDNN") == 0) { /* the runtime, the driver, NVRTC */
        return false;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strstr(name, words[i]) != NULL) {
            return true;
        }
    }
    return ends_in(name, "GeneratorSeed");
}

static void tell_once(const char *name, const char *library)
{
    static const char *told[MAX_TOLD];
    static size_t n;
    for (size_t i = 0; i < n; i++) {
        if (told[i] == name) {
            return;
        }
    }
    if (n < MAX_TOLD) {
        told[n++] = name;
    }
    fflush(stdout);
    fprintf(stderr, "banksim: the call of %s of %s is passed over: what it should do is not done\n",
            name, library);
}

long bsim_cuda_absent(const char *name, const char *library);

__attribute__((visibility("default"))) long bsim_cuda_absent(const char *name, const char *library)
{
    const char *wish = getenv("BANKSIM_LIBRARIES");
    if (is_harmless(name, library)) {
        return 0;
    }
    if (wish != NULL && strcmp(wish, "skip") == 0) {
        tell_once(name, library);
        return 0;
    }
    fflush(stdout);
    fprintf(stderr,
            "banksim: the program ends at its call of %s of %s, which is not here; --libraries "
            "skip passes over it\n",
            name, library);
    bsim_cuda_give_up();
    exit(EXIT_INPUT);
}

/* fuzz_ptx.c - any bytes as a launch, the first line, and the PTX module that it is of.
 *
 * What must hold for every input, good or broken:
 *   - it is refused with a message, or it is a launch that runs;
 *   - what a run pushes is a stream that the simulator takes, to its END, or the run ends with a
 *     message.
 *
 * Modules with branches are read and not run, as nothing bounds their loops; so are launches of
 * many threads and large arrays, which take long and show nothing.
 */
#include "support.h"

enum { MAX_DIGITS = 3, MAX_LAUNCH = 200 };

/* Whether the text has no number of more than three digits. */
static bool is_small(const char *launch)
{
    for (size_t n; *launch != '\0'; launch += n > 0 ? n : 1) {
        n = strspn(launch, "0123456789abcdefABCDEFx");
        if (n > MAX_DIGITS && launch[0] >= '0' && launch[0] <= '9') {
            return false;
        }
    }
    return true;
}

static bool has_word(const char *data, size_t size, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= size; i++) {
        if (memcmp(data + i, word, length) == 0) {
            return true;
        }
    }
    return false;
}

static enum bsim_status push(void *context, const struct bsim_sink *sink, struct bsim_error *err)
{
    return bsim_ptx_call_run(context, sink, err);
}

static void run(struct bsim_ptx_call *call)
{
    struct bsim_error err;
    struct bsim_result result = {0};
    struct bsim_source source = {.push = push, .context = call};
    bsim_ptx_call_set(call, &(struct bsim_ptx_options){.has_work = true, .n_blocks = 2});
    enum bsim_status status = bsim_run(&source, &(struct bsim_run_options){0}, &result, &err);
    REQUIRE(status != BSIM_E_USAGE || strstr(err.message, "out of order") == NULL);
    if (status == BSIM_OK) {
        REQUIRE(result.n_kernels == 1);
    } else {
        fuzz_require_message(&err);
    }
    bsim_result_free(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bsim_error err;
    struct bsim_ptx_call *call = NULL;
    char launch[MAX_LAUNCH + 1];
    const char *text = (const char *)data;
    const char *end = size > 0 ? memchr(text, '\n', size) : NULL;
    size_t length = end != NULL ? (size_t)(end - text) : 0;
    if (length == 0 || length > MAX_LAUNCH || memchr(text, '"', length) != NULL) {
        return 0; /* a name of a file among them */
    }
    memcpy(launch, text, length);
    launch[length] = '\0';
    const char *module = end + 1;
    size_t left = size - length - 1;
    if (!is_small(launch)) {
        return 0;
    }
    if (bsim_ptx_call_new("fuzz", module, left, launch, &call, &err) != BSIM_OK) {
        fuzz_require_message(&err);
    } else if (!has_word(module, left, "bra") && !has_word(module, left, "brx") &&
               !has_word(module, left, "try_wait")) {
        run(call);
    }
    bsim_ptx_call_free(call);
    return 0;
}

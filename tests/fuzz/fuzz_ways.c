/* fuzz_ways.c - any trace through the command line: jobs, pipes, other forms, shards: one output.
 *
 * What must hold is in ways.h. The commands run within this process, their output in files.
 */
#include "ways.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bsim_buffer bytes = fuzz_repaired(data, size);
    (void)fuzz_require_ways(NULL, (const uint8_t *)(size > 0 ? bytes.data : ""), size,
                            fuzz_hash(data, size));
    bsim_buffer_free(&bytes);
    return 0;
}

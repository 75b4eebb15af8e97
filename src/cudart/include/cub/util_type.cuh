/* util_type.cuh - of CUB, KeyValuePair. */
#include "warp/warp_reduce.cuh"

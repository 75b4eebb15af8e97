/* cub.cuh - what there is of CUB: reductions of a block and of a warp. */
#include "block/block_reduce.cuh"
#include "warp/warp_reduce.cuh"

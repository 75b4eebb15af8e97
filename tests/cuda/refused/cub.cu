/* Of CUB there are the reductions. */
#include <cub/cub.cuh>

__global__ void scan()
{
    typedef cub::BlockScan<int, 256> scans;
    __shared__ typename scans::TempStorage memory;
}

int main()
{
}

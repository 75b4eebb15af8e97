/* absent.cu - a program that makes a transform's plan and never uses it: of cuFFT nothing is there; nor is a function of
 * the runtime, which its header declares. */
#include <cstdio>

extern "C" int cufftPlan1d(int *plan, int size, int type, int n);
extern "C" int cufftExecC2C(int plan, void *from, void *to, int direction);

__global__ void square(int *p)
{
    __shared__ int s[32];
    s[threadIdx.x] = p[threadIdx.x];
    p[threadIdx.x] = s[threadIdx.x] * s[threadIdx.x];
}

int main(int argc, char **)
{
    int plan = 0, *p;
    cudaMallocManaged(&p, 32 * sizeof *p);
    for (int i = 0; i < 32; i++) {
        p[i] = i;
    }
    printf("plan: %d\n", cufftPlan1d(&plan, 32, 41, 1));
    square<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    if (argc > 1) {
        cufftExecC2C(plan, p, p, -1);
#ifdef __NVCC__
        cudaDeviceGetTexture1DLinearMaxWidth(nullptr, nullptr, 0);
#endif
    }
    printf("31 squared: %d\n", p[31]);
    return 0;
}

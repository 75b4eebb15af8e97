/* ptx.cu - every form of ptx_forms.c on this machine's GPU: a line for each, its text and what the
 * 32 lanes got, in hex. Argument: the seed of the operands. */
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

extern "C" {
#include "ptx_forms.h"
}

static void check(CUresult result, const char *what)
{
    if (result != CUDA_SUCCESS) {
        const char *text = "";
        cuGetErrorString(result, &text);
        std::fprintf(stderr, "ptx: %s: %s\n", what, text);
        std::exit(1);
    }
}

static std::string module_text(const ptx_form *form, size_t n)
{
    char *text = nullptr;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    ptx_write_module(file, form, n);
    std::fclose(file);
    std::string result(text, size);
    std::free(text);
    return result;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        std::fprintf(stderr, "usage: ptx SEED\n");
        return 2;
    }
    static struct ptx_operands operands;
    std::vector<ptx_form> form(PTX_MAX_FORMS);
    size_t n = ptx_forms(form.data());
    ptx_operands(std::strtoull(argv[1], nullptr, 10), &operands);
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUdeviceptr in, out;
    check(cuInit(0), "no GPU");
    check(cuDeviceGet(&device, 0), "device");
    check(cuDevicePrimaryCtxRetain(&context, device), "context");
    check(cuCtxSetCurrent(context), "context");
    std::string text = module_text(form.data(), n);
    check(cuModuleLoadData(&module, text.c_str()), "module");
    check(cuMemAlloc(&in, sizeof operands), "memory");
    check(cuMemAlloc(&out, n * PTX_LANES * 8), "memory");
    check(cuMemcpyHtoD(in, &operands, sizeof operands), "copy");
    for (size_t i = 0; i < n; i++) {
        char name[32];
        CUfunction kernel;
        std::snprintf(name, sizeof name, "c%zu", i);
        check(cuModuleGetFunction(&kernel, module, name), name);
        CUdeviceptr to = out + i * PTX_LANES * 8;
        void *arguments[] = {&in, &to};
        check(cuLaunchKernel(kernel, 1, 1, 1, PTX_LANES, 1, 1, 0, nullptr, arguments, nullptr), name);
    }
    std::vector<unsigned long long> result(n * PTX_LANES);
    check(cuMemcpyDtoH(result.data(), out, result.size() * 8), "kernels");
    std::printf("# seed %s\n", argv[1]);
    for (size_t i = 0; i < n; i++) {
        std::printf("%s\t", form[i].text);
        for (int lane = 0; lane < PTX_LANES; lane++) {
            std::printf("%llx%c", result[i * PTX_LANES + lane], lane == PTX_LANES - 1 ? '\n' : ' ');
        }
    }
    return 0;
}

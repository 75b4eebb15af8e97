/* ptx.cu - instructions of PTX on this machine's GPU, for ptx_check.c to compare.
 *
 *     ptx forms SEED                       every form of ptx_forms.c on operands drawn from the seed
 *     ptx chains SEED BATCH N [LENGTH]     N batches of chains of ptx_chains.c, cut to LENGTH
 *     ptx sums SEED BATCH N [LENGTH]       N batches of products and sums of ptx_sums.c, of LENGTH values
 *     ptx chain SEED INDEX LENGTH          a chain's registers, a line for each with its 32 lanes
 *     ptx approximations N                 every approximation of N samples
 */
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

extern "C" {
#include "ptx_chains.h"
#include "ptx_forms.h"
#include "ptx_sums.h"
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

/* What a function writes to a file. */
template <typename F> static std::string written(F write)
{
    char *text = nullptr;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    write(file);
    std::fclose(file);
    std::string result(text, size);
    std::free(text);
    return result;
}

/* A module on the GPU, the operands of its kernels and the results of each. */
struct Module {
    CUmodule module;
    CUdeviceptr in, out;
    size_t n, size; /* kernels, numbers of each result */

    Module(const std::string &text, size_t kernels, size_t numbers) : n(kernels), size(numbers)
    {
        check(cuModuleLoadData(&module, text.c_str()), "module");
        check(cuMemAlloc(&in, sizeof(struct ptx_operands)), "memory");
        check(cuMemAlloc(&out, n * size * 8), "memory");
        check(cuMemsetD8(out, 0, n * size * 8), "memory");
    }

    ~Module()
    {
        cuMemFree(in);
        cuMemFree(out);
        cuModuleUnload(module);
    }

    void operands(const struct ptx_operands &of)
    {
        check(cuMemcpyHtoD(in, &of, sizeof of), "copy");
    }

    void run(size_t i)
    {
        char name[32];
        CUfunction kernel;
        std::snprintf(name, sizeof name, "c%zu", i);
        check(cuModuleGetFunction(&kernel, module, name), name);
        CUdeviceptr to = out + i * size * 8;
        void *arguments[] = {&in, &to};
        check(cuLaunchKernel(kernel, 1, 1, 1, PTX_LANES, 1, 1, 0, nullptr, arguments, nullptr), name);
    }

    std::vector<uint64_t> results()
    {
        std::vector<uint64_t> result(n * size);
        check(cuMemcpyDtoH(result.data(), out, result.size() * 8), "kernels");
        return result;
    }
};

static std::vector<ptx_form> all_forms()
{
    std::vector<ptx_form> form(PTX_MAX_FORMS);
    form.resize(ptx_forms(form.data()));
    return form;
}

static void print_lanes(const uint64_t *of)
{
    for (int lane = 0; lane < PTX_LANES; lane++) {
        std::printf("%llx%c", (unsigned long long)of[lane], lane == PTX_LANES - 1 ? '\n' : ' ');
    }
}

static void forms(uint64_t seed)
{
    static struct ptx_operands operands;
    std::vector<ptx_form> form = all_forms();
    Module module(written([&](FILE *file) { ptx_write_module(file, form.data(), form.size()); }),
                  form.size(), PTX_LANES);
    ptx_operands(seed, &operands);
    module.operands(operands);
    for (size_t i = 0; i < form.size(); i++) {
        module.run(i);
    }
    std::vector<uint64_t> result = module.results();
    std::printf("# seed %llu\n", (unsigned long long)seed);
    for (size_t i = 0; i < form.size(); i++) {
        std::printf("%s\t", form[i].text);
        print_lanes(&result[i * PTX_LANES]);
    }
}

typedef void writer(FILE *file, uint64_t seed, size_t batch, size_t length);

static std::vector<uint64_t> batch_results(writer *write, uint64_t seed, size_t batch, size_t length)
{
    static struct ptx_operands operands;
    Module module(written([&](FILE *file) { write(file, seed, batch, length); }),
                  PTX_BATCH, PTX_LANES * PTX_CHAIN_REGISTERS);
    ptx_batch_operands(seed, batch, &operands);
    module.operands(operands);
    for (size_t i = 0; i < PTX_BATCH; i++) {
        module.run(i);
    }
    return module.results();
}

static void chains(const char *name, writer *write, uint64_t seed, size_t batch, size_t n,
                   size_t length)
{
    std::printf("# %s %llu %zu\n", name, (unsigned long long)seed, length);
    for (size_t k = batch; k < batch + n; k++) {
        std::vector<uint64_t> result = batch_results(write, seed, k, length);
        std::printf("%zu\t", k);
        for (size_t i = 0; i < PTX_BATCH; i++) {
            std::printf("%08x%c", ptx_chain_hash(&result[i * PTX_LANES * PTX_CHAIN_REGISTERS]),
                        i == PTX_BATCH - 1 ? '\n' : ' ');
        }
    }
}

static void chain(uint64_t seed, size_t index, size_t length)
{
    std::vector<uint64_t> result = batch_results(ptx_write_batch, seed, index / PTX_BATCH, length);
    const uint64_t *of = &result[index % PTX_BATCH * PTX_LANES * PTX_CHAIN_REGISTERS];
    for (size_t i = 0; i < PTX_CHAIN_REGISTERS; i++) {
        char name[16];
        uint64_t lane[PTX_LANES];
        for (size_t l = 0; l < PTX_LANES; l++) {
            lane[l] = of[l * PTX_CHAIN_REGISTERS + i];
        }
        ptx_chain_register(i, name);
        std::printf("%s\t", name);
        print_lanes(lane);
    }
}

static void approximations(size_t n)
{
    static struct ptx_operands operands;
    std::vector<ptx_form> form = all_forms();
    Module module(written([&](FILE *file) { ptx_write_module(file, form.data(), form.size()); }),
                  form.size(), PTX_LANES);
    std::printf("# approximations\n");
    for (size_t first = 0; first < n; first += PTX_LANES) {
        ptx_samples(first, &operands);
        module.operands(operands);
        for (size_t i = 0; i < form.size(); i++) {
            if (form[i].tolerance > 0) {
                module.run(i);
            }
        }
        std::vector<uint64_t> result = module.results();
        for (size_t i = 0; i < form.size(); i++) {
            if (form[i].tolerance > 0) {
                std::printf("%s\t%zu ", form[i].text, first);
                print_lanes(&result[i * PTX_LANES]);
            }
        }
    }
}

int main(int argc, char **argv)
{
    auto number = [&](int i) { return i < argc ? std::strtoull(argv[i], nullptr, 10) : 0ull; };
    auto is = [&](const char *name, int least, int most) {
        return argc >= least && argc <= most && std::strcmp(argv[1], name) == 0;
    };
    CUdevice device;
    CUcontext context;
    check(cuInit(0), "no GPU");
    check(cuDeviceGet(&device, 0), "device");
    check(cuDevicePrimaryCtxRetain(&context, device), "context");
    check(cuCtxSetCurrent(context), "context");
    if (is("forms", 3, 3)) {
        forms(number(2));
    } else if (is("chains", 5, 6)) {
        chains("chains", ptx_write_batch, number(2), number(3), number(4),
               argc > 5 ? number(5) : PTX_CHAIN_LENGTH);
    } else if (is("sums", 5, 6)) {
        chains("sums", ptx_write_sums, number(2), number(3), number(4),
               argc > 5 ? number(5) : PTX_CHAIN_LENGTH);
    } else if (is("chain", 5, 5)) {
        chain(number(2), number(3), number(4));
    } else if (is("approximations", 3, 3)) {
        approximations(number(2));
    } else {
        std::fprintf(stderr, "usage: ptx forms SEED | chains SEED BATCH N [LENGTH] | "
                             "sums SEED BATCH N [LENGTH] | chain SEED INDEX LENGTH | approximations N\n");
        return 2;
    }
    return 0;
}

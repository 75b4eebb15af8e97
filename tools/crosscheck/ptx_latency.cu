/* ptx_latency.cu - how long an instruction of PTX takes until the next that wants its result, and
 * how many clocks of a partition's issue, or of the pipe behind it, it takes.
 *
 * A row is a text that makes %r1 (%rd1, %h1, %p1) anew of itself. The latency is that of one warp
 * with one chain of it, the interval that of 16 warps with four chains each, per text and
 * partition. Both are differences of loops of 48 and of 16 texts, so that the loop itself falls
 * out.
 *
 *     nvcc -arch=sm_90 -std=c++17 -o ptx_latency ptx_latency.cu -lcuda
 *     ./ptx_latency          text,latency,interval
 *     ./ptx_latency ptx N    the module with N texts a turn, to count its machine code
 */
#include <cuda.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

enum { TURNS = 16, RUNS = 5 };

static const char *const rows[] = {
    "add.s32 %r1, %r1, %r2;",
    "mad.lo.s32 %r1, %r1, %r2, %r3;",
    "mul.lo.s32 %r1, %r1, %r2;",
    "mul.hi.u32 %r1, %r1, %r2;",
    "mad.hi.s32 %r1, %r1, %r2, %r3;",
    "mul.wide.u32 %rd4, %r1, %r2; cvt.u32.u64 %r1, %rd4;",
    "mad.wide.u32 %rd1, %r2, %r3, %rd1;",
    "mul.lo.u16 %h1, %h1, %h2;",
    "lop3.b32 %r1, %r1, %r2, %r3, 0x6a;",
    "xor.b32 %r1, %r1, %r2; add.s32 %r1, %r1, %r3;",
    "shl.b32 %r1, %r1, %r2; add.s32 %r1, %r1, %r3;",
    "shr.u32 %r1, %r1, %r2; add.s32 %r1, %r1, %r3;",
    "shf.l.wrap.b32 %r1, %r1, %r2, %r3;",
    "min.s32 %r1, %r1, %r2; add.s32 %r1, %r1, %r3;",
    "abs.s32 %r1, %r1; add.s32 %r1, %r1, %r3;",
    "sad.s32 %r1, %r1, %r2, %r3;",
    "popc.b32 %r1, %r1;",
    "clz.b32 %r1, %r1;",
    "brev.b32 %r1, %r1; add.s32 %r1, %r1, %r3;",
    "bfind.u32 %r1, %r1;",
    "prmt.b32 %r1, %r1, %r2, %r3;",
    "bfe.u32 %r1, %r1, %r2, %r3; add.s32 %r1, %r1, %r3;",
    "bfi.b32 %r1, %r1, %r2, %r3, %r3;",
    "dp4a.s32.s32 %r1, %r1, %r2, %r3;",
    "vabsdiff4.u32.u32.u32.add %r1, %r1, %r2, %r3;",
    "selp.b32 %r1, %r1, %r2, %p2; add.s32 %r1, %r1, %r3;",
    "setp.lt.s32 %p1, %r1, %r2; selp.b32 %r1, %r2, %r3, %p1;",
    "setp.lt.and.s32 %p1, %r2, %r3, %p1;",
    "setp.lt.f32 %p1, %r1, %r2; selp.b32 %r1, %r2, %r3, %p1;",
    "set.lt.u32.f32 %r1, %r1, %r2;",
    "div.s32 %r1, %r1, %r2; add.s32 %r1, %r1, %r3;",
    "div.u32 %r1, %r1, %r2; add.s32 %r1, %r1, %r3;",
    "rem.s32 %r1, %r1, %r2; add.s32 %r1, %r1, %r3;",
    "add.s64 %rd1, %rd1, %rd2;",
    "mul.lo.s64 %rd1, %rd1, %rd2;",
    "mad.lo.s64 %rd1, %rd1, %rd2, %rd3;",
    "mul.hi.u64 %rd1, %rd1, %rd2;",
    "shl.b64 %rd1, %rd1, %r2; add.s64 %rd1, %rd1, %rd3;",
    "min.s64 %rd1, %rd1, %rd2; add.s64 %rd1, %rd1, %rd3;",
    "div.u64 %rd1, %rd1, %rd2; add.s64 %rd1, %rd1, %rd3;",
    "add.f32 %r1, %r1, %r2;",
    "mul.f32 %r1, %r1, %r2;",
    "fma.rn.f32 %r1, %r1, %r2, %r3;",
    "fma.rz.ftz.f32 %r1, %r1, %r2, %r3;",
    "min.f32 %r1, %r1, %r2; add.f32 %r1, %r1, %r3;",
    "abs.f32 %r1, %r1; add.f32 %r1, %r1, %r3;",
    "div.rn.f32 %r1, %r1, %r2;",
    "div.full.f32 %r1, %r1, %r2;",
    "div.approx.f32 %r1, %r1, %r2;",
    "div.approx.ftz.f32 %r1, %r1, %r2;",
    "rcp.rn.f32 %r1, %r1;",
    "rcp.approx.f32 %r1, %r1;",
    "rcp.approx.ftz.f32 %r1, %r1;",
    "sqrt.rn.f32 %r1, %r1;",
    "sqrt.approx.f32 %r1, %r1;",
    "sqrt.approx.ftz.f32 %r1, %r1;",
    "rsqrt.approx.f32 %r1, %r1;",
    "rsqrt.approx.ftz.f32 %r1, %r1;",
    "sin.approx.f32 %r1, %r1;",
    "cos.approx.f32 %r1, %r1;",
    "lg2.approx.f32 %r1, %r1;",
    "lg2.approx.ftz.f32 %r1, %r1;",
    "ex2.approx.f32 %r1, %r1;",
    "ex2.approx.ftz.f32 %r1, %r1;",
    "tanh.approx.f32 %r1, %r1;",
    "add.f64 %rd1, %rd1, %rd2;",
    "mul.f64 %rd1, %rd1, %rd2;",
    "fma.rn.f64 %rd1, %rd1, %rd2, %rd3;",
    "min.f64 %rd1, %rd1, %rd2; add.f64 %rd1, %rd1, %rd3;",
    "div.rn.f64 %rd1, %rd1, %rd2;",
    "rcp.rn.f64 %rd1, %rd1;",
    "sqrt.rn.f64 %rd1, %rd1;",
    "setp.lt.f64 %p1, %rd1, %rd2; selp.f64 %rd1, %rd2, %rd3, %p1;",
    "add.rn.f16x2 %r1, %r1, %r2;",
    "fma.rn.f16x2 %r1, %r1, %r2, %r3;",
    "fma.rn.bf16x2 %r1, %r1, %r2, %r3;",
    "fma.rn.f16 %h1, %h1, %h2, %h3;",
    "min.f16x2 %r1, %r1, %r2; add.rn.f16x2 %r1, %r1, %r3;",
    "cvt.rn.f32.s32 %r1, %r1; cvt.rzi.s32.f32 %r1, %r1;",
    "cvt.rn.f32.u16 %r1, %h1; cvt.rzi.u16.f32 %h1, %r1;",
    "cvt.f64.f32 %rd4, %r1; cvt.rn.f32.f64 %r1, %rd4;",
    "cvt.rn.f64.s32 %rd4, %r1; cvt.rzi.s32.f64 %r1, %rd4;",
    "cvt.rn.f32.s64 %r4, %rd1; cvt.rzi.s64.f32 %rd1, %r4;",
    "cvt.rn.f16.f32 %h4, %r1; cvt.f32.f16 %r1, %h4;",
    "cvt.rn.f16x2.f32 %r1, %r1, %r2;",
    "cvt.rni.f32.f32 %r1, %r1; add.f32 %r1, %r1, %r3;",
    "cvt.s32.s8 %r1, %r1; add.s32 %r1, %r1, %r3;",
    "cvt.u32.u16 %r1, %h1; cvt.u16.u32 %h1, %r1; add.u16 %h1, %h1, %h2;",
    "shfl.sync.bfly.b32 %r1, %r1, 1, 0x1f, -1; add.s32 %r1, %r1, %r3;",
    "vote.sync.ballot.b32 %r4, %p1, -1; setp.lt.u32 %p1, %r4, %r2;",
    "match.any.sync.b32 %r1, %r1, -1;",
    "redux.sync.add.s32 %r1, %r1, -1;",
    "redux.sync.min.s32 %r1, %r1, -1; add.s32 %r1, %r1, %r3;",
    "ld.shared.b32 %r1, [%r1];",
    "atom.shared.exch.b32 %r1, [%r1], %r1;",
    "atom.shared.add.u32 %r1, [%r1], 0;",
    "bar.warp.sync -1; add.s32 %r1, %r1, %r3;",
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r1, %r4, %r5, %r6}, {%r2, %r2, %r2, %r2}, "
    "{%r3, %r3}, {%r1, %r4, %r5, %r6};",
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%r1, %r4, %r5, %r6}, {%r2, %r2, %r2, "
    "%r2}, {%r3, %r3}, {%r1, %r4, %r5, %r6};",
    "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%rd1, %rd4}, {%rd2}, {%rd3}, {%rd1, %rd4};",
};

enum { N = sizeof rows / sizeof *rows };

static void check(CUresult result, const char *what)
{
    if (result != CUDA_SUCCESS) {
        const char *text = "";
        cuGetErrorString(result, &text);
        std::fprintf(stderr, "ptx_latency: %s: %s\n", what, text);
        std::exit(1);
    }
}

/* The text with the registers of a chain: those with the numbers 2 and 3 belong to all. */
static std::string of_chain(const char *text, int chain)
{
    std::string out;
    for (const char *p = text; *p != '\0'; p++) {
        out += *p;
        bool is_own = *p >= '0' && *p <= '9' && *p != '2' && *p != '3' && p > text &&
                      (p[-1] == 'r' || p[-1] == 'd' || p[-1] == 'h' || p[-1] == 'p');
        for (const char *q = p; is_own && *q != '%'; q--) {
            is_own = q > text && *q != ' ' && *q != '.';
        }
        out += is_own ? "_" + std::to_string(chain) : "";
    }
    return out;
}

static std::string kernel(int row, int texts, int chains)
{
    std::string s = ".visible .entry k" + std::to_string(row) + "_" + std::to_string(chains) +
                    "(.param .u64 p) {\n .reg .b64 %out, %at, %t0, %t1, %rd2, %rd3;\n"
                    " .reg .b32 %turn, %me, %r2, %r3;\n .reg .b16 %h2, %h3;\n .reg .pred %p2, %go;\n"
                    " .shared .align 16 .b8 s[4096];\n"
                    " ld.param.u64 %out, [p];\n mov.u32 %me, %tid.x;\n"
                    " ld.global.b64 %rd2, [%out];\n ld.global.b64 %rd3, [%out+8];\n"
                    " ld.global.b32 %r2, [%out+16];\n ld.global.b32 %r3, [%out+20];\n"
                    " cvt.u16.u32 %h2, %r2;\n cvt.u16.u32 %h3, %r3;\n setp.ne.u32 %p2, %r2, %me;\n"
                    " mul.lo.u32 %turn, %me, 4;\n mov.u32 %me, s;\n add.u32 %turn, %turn, %me;\n"
                    " st.shared.u32 [%turn], %turn;\n mov.u32 %me, %turn;\n";
    for (int c = 0; c < chains; c++) {
        std::string n = "_" + std::to_string(c);
        s += " .reg .b32 %r1" + n + ", %r4" + n + ", %r5" + n + ", %r6" + n + ";\n .reg .b64 %rd1" + n +
             ", %rd4" + n + ";\n .reg .b16 %h1" + n + ", %h4" + n + ";\n .reg .pred %p1" + n +
             ";\n ld.global.b64 %rd1" + n + ", [%out+" + std::to_string(24 + 8 * c) + "];\n mov.u64 %rd4" +
             n + ", %rd1" + n + ";\n cvt.u32.u64 %r1" + n + ", %rd1" + n + ";\n add.u32 %r1" + n +
             ", %r1" + n + ", %me;\n mov.u32 %r4" + n + ", %r1" + n + ";\n mov.u32 %r5" + n +
             ", %r1" + n + ";\n mov.u32 %r6" + n + ", %r1" + n + ";\n cvt.u16.u32 %h1" + n + ", %r1" +
             n + ";\n setp.ne.u32 %p1" + n + ", %r1" + n + ", %r2;\n";
    }
    s += " mov.u32 %turn, 0;\n bar.sync 0;\n mov.u64 %t0, %clock64;\nL:\n";
    for (int i = 0; i < texts; i++) {
        for (int c = 0; c < chains; c++) {
            s += " " + of_chain(rows[row], c) + "\n";
        }
    }
    s += " add.u32 %turn, %turn, 1;\n setp.lt.u32 %go, %turn, " + std::to_string(TURNS) +
         ";\n @%go bra L;\n bar.sync 0;\n mov.u64 %t1, %clock64;\n sub.u64 %t1, %t1, %t0;\n"
         " mov.u32 %me, %tid.x;\n mad.wide.u32 %at, %me, 8, %out;\n st.global.u64 [%at+64], %t1;\n";
    for (int c = 0; c < chains; c++) {
        std::string n = "_" + std::to_string(c);
        s += " cvt.u64.u16 %rd4" + n + ", %h1" + n + ";\n add.u64 %rd1" + n + ", %rd1" + n + ", %rd4" +
             n + ";\n cvt.u64.u32 %rd4" + n + ", %r1" + n + ";\n add.u64 %rd1" + n + ", %rd1" + n +
             ", %rd4" + n + ";\n @%p1" + n + " st.global.u64 [%at+8192], %rd1" + n + ";\n";
        s += " @!%p1" + n + " st.global.u64 [%at+16384], %rd1" + n + ";\n st.global.u32 [%at+24576], %r4" +
             n + ";\n";
    }
    return s + " ret;\n}\n";
}

static std::string module_text(int texts)
{
    std::string s = ".version 8.0\n.target sm_90\n.address_size 64\n";
    for (int row = 0; row < N; row++) {
        s += kernel(row, texts, 1) + kernel(row, texts, 4);
    }
    return s;
}

static double time_of(CUmodule module, int row, int chains, CUdeviceptr memory)
{
    CUfunction function;
    std::string name = "k" + std::to_string(row) + "_" + std::to_string(chains);
    check(cuModuleGetFunction(&function, module, name.c_str()), name.c_str());
    unsigned long long least = ~0ull, start[8] = {3, 5, 0x0000000300000005ull, 1, 2, 3, 4, 0};
    const double doubles[] = {1.0000001, 0.5, 0, 1.5, 1.25, 1.75, 1.125};
    const float singles[] = {1.0000001f, 0.5f};
    if (std::strstr(rows[row], "f64") != nullptr) {
        std::memcpy(start, doubles, sizeof doubles);
    }
    if (std::strstr(rows[row], ".f32") != nullptr) {
        std::memcpy(&start[2], singles, sizeof singles);
        std::fill(start + 3, start + 7, 0x3fc00000ull);
    }
    if (std::strchr(rows[row], '[') != nullptr) {
        std::fill(start + 3, start + 7, 0ull); /* a word's own address */
    }
    for (int i = 0; i < RUNS; i++) {
        unsigned long long got[512];
        check(cuMemcpyHtoD(memory, start, sizeof start), "copy");
        void *arguments[] = {&memory};
        int threads = chains == 1 ? 32 : 512;
        check(cuLaunchKernel(function, 1, 1, 1, (unsigned)threads, 1, 1, 0, nullptr, arguments, nullptr),
              name.c_str());
        check(cuMemcpyDtoH(got, memory + 64, (size_t)threads * 8), rows[row]);
        least = std::min(least, *std::max_element(got, got + threads));
    }
    return (double)least;
}

int main(int argc, char **argv)
{
    if (argc == 3) {
        std::fputs(module_text(std::atoi(argv[2])).c_str(), stdout);
        return 0;
    }
    CUdevice device;
    CUcontext context;
    CUmodule few, many;
    CUdeviceptr memory;
    check(cuInit(0), "no GPU");
    check(cuDeviceGet(&device, 0), "device");
    check(cuDevicePrimaryCtxRetain(&context, device), "context");
    check(cuCtxSetCurrent(context), "context");
    check(cuModuleLoadData(&few, module_text(16).c_str()), "module");
    check(cuModuleLoadData(&many, module_text(48).c_str()), "module");
    check(cuMemAlloc(&memory, 65536), "memory");
    std::printf("text,latency,interval\n");
    for (int row = 0; row < N; row++) {
        double turns = 32.0 * TURNS;
        double latency = (time_of(many, row, 1, memory) - time_of(few, row, 1, memory)) / turns;
        double interval =
            (time_of(many, row, 4, memory) - time_of(few, row, 4, memory)) / turns / 16;
        std::printf("\"%s\",%.2f,%.2f\n", rows[row], latency, interval);
    }
    return 0;
}

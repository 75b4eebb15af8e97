/* sass.c - a kernel in machine code, made PTX and run on the CPU: what cuobjdump -elf -sass (CUDA 13.0) writes of triple.cu, the lines that are
 * read of it.
 *
 *     extern "C" __global__ void triple(int *out)
 *     {
 *         __shared__ int s[32];
 *         s[threadIdx.x] = 3 * threadIdx.x;
 *         __syncthreads();
 *         out[threadIdx.x] = s[31 - threadIdx.x];
 *     }
 */
#include "example.h"


static const char text[] =
    "64-bit ELF: type=ET_EXEC, ABI=8, sm=90, toolkit=13.0, flags=0x9005a04\n"
    ".nv.info\n"
    "\tAttribute:\tEIATTR_REGCOUNT\n"
    "\tValue:\tfunction: triple(0x8)\tregister count: 12\n"
    ".nv.info.triple\n"
    "\tAttribute:\tEIATTR_KPARAM_INFO\n"
    "\tValue:\tIndex : 0x0\tOrdinal : 0x0\tOffset  : 0x0\tSize    : 0x8\n"
    "\tAttribute:\tEIATTR_PARAM_CBANK\n"
    "\tValue:\t0xb 0x80210 \n"
    ".text.triple\n"
    "lmem=0\tsmem=1152\n"
    "\tcode for sm_90\n"
    "\t\tFunction : triple\n"
    "        /*0000*/ LDC R1, c[0x0][0x28] ; /* 0x00000a00ff017b82 */\n"
    "        /* 0x000fe20000000800 */\n"
    "        /*0010*/ S2R R9, SR_TID.X ; /* 0x0000000000097919 */\n"
    "        /* 0x000e2e0000002100 */\n"
    "        /*0020*/ S2UR UR5, SR_CgaCtaId ; /* 0x00000000000579c3 */\n"
    "        /* 0x000e620000008800 */\n"
    "        /*0030*/ UMOV UR4, 0x400 ; /* 0x0000040000047882 */\n"
    "        /* 0x000fe40000000000 */\n"
    "        /*0040*/ ULEA UR4, UR5, UR4, 0x18 ; /* 0x0000000405047291 */\n"
    "        /* 0x002fe2000f8ec03f */\n"
    "        /*0050*/ IMAD R0, R9, 0x3, RZ ; /* 0x0000000309007824 */\n"
    "        /* 0x001fca00078e02ff */\n"
    "        /*0060*/ LEA R5, R9.reuse, UR4, 0x2 ; /* 0x0000000409057c11 */\n"
    "        /* 0x040fe4000f8e10ff */\n"
    "        /*0070*/ IADD3 R2, -R9, 0x1f, RZ ; /* 0x0000001f09027810 */\n"
    "        /* 0x000fc60007ffe1ff */\n"
    "        /*0080*/ STS [R5], R0 ; /* 0x0000000005007388 */\n"
    "        /* 0x000fe20000000800 */\n"
    "        /*0090*/ LEA R4, R2, UR4, 0x2 ; /* 0x0000000402047c11 */\n"
    "        /* 0x000fe2000f8e10ff */\n"
    "        /*00a0*/ ULDC.64 UR4, c[0x0][0x208] ; /* 0x0000820000047ab9 */\n"
    "        /* 0x000fe20000000a00 */\n"
    "        /*00b0*/ LDC.64 R2, c[0x0][0x210] ; /* 0x00008400ff027b82 */\n"
    "        /* 0x000e300000000a00 */\n"
    "        /*00c0*/ BAR.SYNC.DEFER_BLOCKING 0x0 ; /* 0x0000000000007b1d */\n"
    "        /* 0x000fe20000010000 */\n"
    "        /*00d0*/ IMAD.WIDE.U32 R2, R9, 0x4, R2 ; /* 0x0000000409027825 */\n"
    "        /* 0x001fca00078e0002 */\n"
    "        /*00e0*/ LDS R7, [R4] ; /* 0x0000000004077984 */\n"
    "        /* 0x000e280000000800 */\n"
    "        /*00f0*/ STG.E desc[UR4][R2.64], R7 ; /* 0x0000000702007986 */\n"
    "        /* 0x001fe2000c101904 */\n"
    "        /*0100*/ EXIT ; /* 0x000000000000794d */\n"
    "        /* 0x000fea0003800000 */\n";

static enum bsim_status push(void *context, const struct bsim_sink *sink, struct bsim_error *err)
{
    return bsim_ptx_call_run(context, sink, err);
}

int main(void)
{
    struct bsim_buffer ptx = BSIM_BUFFER_EMPTY;
    struct bsim_ptx_call *call = NULL;
    struct bsim_error err;
    CHECK(bsim_sass_is(text, strlen(text)) && !bsim_sass_is(".version 8.0\n", 13));
    CHECK(bsim_sass_ptx("triple.sass", text, strlen(text), &ptx, &err) == BSIM_OK);
    CHECK(bsim_ptx_call_new("triple.sass", ptx.data, ptx.size_bytes, "triple<<<1, 32>>>(int[32])", &call, &err) == BSIM_OK);
    struct bsim_source run = {.push = push, .context = call};
    struct bsim_run_options options = {.device = NULL};
    struct bsim_result result = {0};
    CHECK(bsim_run(&run, &options, &result, &err) == BSIM_OK);
    CHECK(bsim_kernel_total(&result.kernels[0]).wavefronts == 2 && result.kernels[0].registers == 12);

    size_t size = 0;
    const int *out = bsim_ptx_call_array(call, "0", &size);
    CHECK(out != NULL && size == 32 * sizeof *out && out[0] == 93 && out[31] == 0);
    bsim_result_free(&result);
    bsim_ptx_call_free(call);

    CHECK(bsim_sass_ptx("half.sass", text, strlen(text) / 3, &ptx, &err) == BSIM_E_INPUT);
    CHECK(strstr(err.message, "cuobjdump -elf -sass") != NULL);
    bsim_buffer_free(&ptx);
    return 0;
}

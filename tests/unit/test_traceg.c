/* test_traceg.c - Accel-Sim's traces: opcodes, address forms, windows, barriers, and what is
 * refused.
 *
 * The machine's spellings are those that nvcc 13.0 makes of the PTX on the same line, read with
 * cuobjdump -sass for sm_75, sm_80, sm_90, sm_100 and sm_120. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/device.h>
#include <banksim/trace.h>

#include "trace/accelsim/sass.h"
#include "trace_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- opcodes --------------------------------------------------------------------------------- */

#define UNKNOWN "unknown"
#define SILENT "silent"

/* PTX for an event; "any ..." where the space goes by the address; "left out: ...". */
static const struct {
    const char *sass, *means;
} opcode[] = {
    {"LDS", "ld.shared.b32"},
    {"LDS.U", "ld.shared.b32"}, /* sm_75 */
    {"LDS.U8", "ld.shared.u8"},
    {"LDS.S8", "ld.shared.s8"},
    {"LDS.U.S8", "ld.shared.s8"}, /* sm_75 */
    {"LDS.U16", "ld.shared.u16"},
    {"LDS.S16", "ld.shared.s16"},
    {"LDS.64", "ld.shared.v2.b32"},
    {"LDS.U.64", "ld.shared.v2.b32"},
    {"LDS.128", "ld.shared.v4.b32"},
    {"LDS.U.128", "ld.shared.v4.b32"},
    {"STS", "st.shared.b32"},
    {"STS.U8", "st.shared.u8"},
    {"STS.64", "st.shared.v2.b32"},
    {"STS.128", "st.shared.v4.b32"},
    {"ATOMS.ADD", "atom.shared.add.u32"},
    {"ATOMS.MIN.S32", "atom.shared.min.s32"},
    {"ATOMS.MAX", "atom.shared.max.u32"},
    {"ATOMS.INC", "atom.shared.inc.u32"},
    {"ATOMS.DEC", "atom.shared.dec.u32"},
    {"ATOMS.AND", "atom.shared.and.b32"},
    {"ATOMS.OR", "atom.shared.or.b32"},
    {"ATOMS.XOR", "atom.shared.xor.b32"},
    {"ATOMS.EXCH", "atom.shared.exch.b32"},
    {"ATOMS.EXCH.64", "atom.shared.exch.b64"},
    {"ATOMS.CAS", "atom.shared.cas.b32"},
    {"ATOMS.CAS.64", "atom.shared.cas.b64"},
    {"ATOMS.CAST.SPIN", "atom.shared.cas.b32"},    /* the loop of atom.shared.add.f32 */
    {"ATOMS.CAST.SPIN.64", "atom.shared.cas.b64"}, /* and of atom.shared.add.u64 */
    {"ATOMS.POPC.INC.32", "red.shared.popc.inc.u32"},
    {"LDG.E", "ld.global.b32"},
    {"LDG.E.SYS", "ld.global.b32"},
    {"LDG.E.U8", "ld.global.u8"},
    {"LDG.E.S16", "ld.global.s16"},
    {"LDG.E.128.CONSTANT.SYS", "ld.global.nc.v4.b32"},
    {"LDG.E.LTC128B.128", "ld.global.v4.b32"},
    {"LDG.E.LTC256B.64.CONSTANT", "ld.global.nc.v2.b32"},
    {"LDG.E.STRONG.GPU", "ld.global.b32"},
    {"STG.E.64", "st.global.v2.b32"},
    {"LDC.U16", "ld.const.u16"},
    {"LDGSTS.E", "ld.global.b32"},
    {"LDGSTS.E.64", "ld.global.v2.b32"},
    {"LDGSTS.E.BYPASS.128", "ld.global.v4.b32"},
    {"LDGSTS.E.BYPASS.LTC128B.128.ZFILL", "ld.global.v4.b32"},
    {"ATOMG.E.ADD.STRONG.GPU", "atom.global.add.u32"},
    {"ATOMG.E.ADD.64.STRONG.GPU", "atom.global.add.u64"},
    {"ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU", "atom.global.add.f32"},
    {"ATOMG.E.ADD.F64.RN.STRONG.GPU", "atom.global.add.f64"},
    {"ATOMG.E.MAX.S32.STRONG.GPU", "atom.global.max.s32"},
    {"ATOMG.E.CAS.STRONG.GPU", "atom.global.cas.b32"},
    {"RED.E.ADD.STRONG.GPU", "red.global.add.u32"},
    {"REDG.E.AND.STRONG.GPU", "red.global.and.b32"},
    {"REDG.E.ADD.F64.RN.STRONG.GPU", "red.global.add.f64"},
    {"RED.E.ADD.F16x2.RN.STRONG.GPU", "red.global.add.noftz.f16x2"},
    {"RED.E.ADD.BF16_V2.STRONG.GPU", "red.global.add.noftz.bf16x2"},
    {"RED.E.ADD.S64.STRONG.GPU", "red.global.add.u64"},
    {"LD.E", "any ld.global.b32"},
    {"LD.E.128", "any ld.global.v4.b32"},
    {"ST.E.U8", "any st.global.u8"},
    {"ATOM.E.ADD.STRONG.GPU", "any atom.global.add.u32"},
    {"LDSM.16.M88", "ldmatrix.sync.aligned.m8n8.x1.shared.b16"},
    {"LDSM.16.M88.2", "ldmatrix.sync.aligned.m8n8.x2.shared.b16"},
    {"LDSM.16.M88.4", "ldmatrix.sync.aligned.m8n8.x4.shared.b16"},
    {"LDSM.16.MT88.4", "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"},
    {"STSM.16.M88.2", "stmatrix.sync.aligned.m8n8.x2.shared.b16"},
    {"STSM.16.MT88", "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16"},
    {"SHFL.IDX", "shfl.sync.idx.b32"},
    {"SHFL.UP", "shfl.sync.up.b32"},
    {"SHFL.DOWN", "shfl.sync.down.b32"},
    {"SHFL.BFLY", "shfl.sync.bfly.b32"},
    {"BAR.SYNC", "bar.sync"},
    {"BAR.SYNC.DEFER_BLOCKING", "bar.sync"},
    {"BAR.RED.POPC.DEFER_BLOCKING", "bar.sync"},
    {"BAR.ARV", "left out: an arrival without waiting"},
    {"LDL.64", "ld.local.v2.b32"},
    {"STL", "st.local.b32"},
    {"STL.U8", "st.local.u8"},
    {"STG.E.CONSTANT", "st.global.b32"},
    {"TEX.SCR.LL", "left out: texture memory"},
    {"SUST.D.BA.2D", "left out: surface memory"},
    {"UTMALDG.2D", "left out: a bulk tensor copy"},
    {"UBLKCP.S.G", "left out: a bulk copy"},
    {"LDG.E.256", "left out: 256 bits per lane"},
    {"LDG.E.ENL2.256", UNKNOWN},
    {"IMAD.WIDE.U32", SILENT},
    {"HMMA.16816.F32", SILENT},
    {"HADD2_32I", SILENT},
    {"EXIT", SILENT},
    {"ULDC.64", SILENT},
    {"MEMBAR.SC.GPU", SILENT},
    {"UTMAPF.L2.2D", SILENT},
    {"FOO", UNKNOWN},
    {"", UNKNOWN},
    {".64", UNKNOWN},
    {"LDSX", UNKNOWN},
    {"LD.", "any ld.global.b32"},
    {"LDS.96", UNKNOWN},
    {"LDS.ABCDEFGHIJKLMNOPQRSTUVWXYZ", UNKNOWN},
    {"ATOMS", UNKNOWN},
    {"ATOMS.ARRIVE.64", UNKNOWN},
    {"ATOMS.ADD.128", UNKNOWN},
    {"RED.E.ADD.F32x4.RN", UNKNOWN},
    {"LDSM", UNKNOWN},
    {"LDSM.8.M88", UNKNOWN},
    {"LDSM.16.M832.4", UNKNOWN},
    {"LDSM.16.M88.3", UNKNOWN},
    {"LDSM.16.M88.44", UNKNOWN},
    {"LDSM.16.M88.4.4", UNKNOWN},
    {"SHFL", UNKNOWN},
    {"BAR", UNKNOWN},
    {"BAR.SCAN", UNKNOWN},
};

static const char *meaning(const char *text, char out[128])
{
    struct bsim_sass sass;
    char name[BSIM_OPCODE_NAME_SIZE];
    bsim_sass_decode(text, strlen(text), &sass);
    switch (sass.kind) {
    case BSIM_SASS_UNKNOWN:
        return UNKNOWN;
    case BSIM_SASS_SILENT:
    case BSIM_SASS_EXIT:
        return SILENT;
    case BSIM_SASS_LEFT_OUT:
        (void)snprintf(out, 128, "left out: %s", sass.what);
        return out;
    case BSIM_SASS_EVENT:
    case BSIM_SASS_GENERIC:
        break;
    }
    (void)snprintf(out, 128, "%s%s", sass.kind == BSIM_SASS_GENERIC ? "any " : "",
                   bsim_opcode_name(&sass.opcode, name));
    return out;
}

static void opcodes(void **state)
{
    (void)state;
    char out[128];
    for (size_t i = 0; i < N_OF(opcode); i++) {
        if (strcmp(meaning(opcode[i].sass, out), opcode[i].means) != 0) {
            fail_msg("%s is %s, not %s", opcode[i].sass, meaning(opcode[i].sass, out),
                     opcode[i].means);
        }
    }
}

/* The table is searched by bisection: each name must be found. */
static void every_silent_name(void **state)
{
    (void)state;
    char out[128];
    size_t n = 0;
    bool is_silent = false;
    const char *name;
    for (size_t i = 0; (name = bsim_sass_base_at(i)) != NULL; i++) {
        if (is_silent && strcmp(meaning(name, out), SILENT) != 0) {
            fail_msg("%s is %s", name, meaning(name, out));
        }
        n += is_silent;
        is_silent |= strcmp(name, "UTMAREDG") == 0; /* the last of the others */
    }
    assert_true(n > 150);
}

/* ---- streams --------------------------------------------------------------------------------- */

#define HEAD_WITH(shmem, binary, tracer, lines)                                                 \
    "-kernel name = k\n-kernel id = 1\n-grid dim = (2,1,1)\n-block dim = (40,1,1)\n"            \
    "-shmem = " shmem "\n-binary version = " binary "\n-shmem base_addr = 0x00007f0002000000\n" \
    "-local mem base_addr = 0x00007f0000000000\n-accelsim tracer version = " tracer             \
    "\n-enable lineinfo = " lines "\n\n#traces format = whatever\n"
#define HEAD HEAD_WITH("4096", "80", "5", "0")
#define BLOCK0 "#BEGIN_TB\n\nthread block = 0,0,0\n\n"
#define WARP0(n) BLOCK0 "warp = 0\ninsts = " n "\n"
#define END "\n#END_TB\n\n"
#define LOG "kernel k grid 2,1,1 block 40,1,1 shared 4096 device sm_80 extras ''\nblock 0,0,0\n"
#define SITE(n, index, op, text) "site " n " index " index " " op " text '" text "'\n"

struct good {
    const char *name, *text, *log;
};

static const struct good good[] = {
    {"mode 1: base and stride, from the lowest active lane on",
     HEAD WARP0("1") "0010 0000ff00 1 R0 LDS 1 R2 4 1 0x100 8 0 \n" END,
     LOG SITE("1", "0", "ld.shared.b32",
              "0x0010 LDS") "event w0 @1 ld.shared.b32 mask 0000ff00 affine 192 +8\nend\n"},
    {"mode 1 downwards", HEAD WARP0("1") "0010 00000007 1 R0 LDS 1 R2 4 1 0x100 -8 0\n" END,
     LOG SITE("1", "0", "ld.shared.b32",
              "0x0010 LDS") "event w0 @1 ld.shared.b32 mask 00000007 affine 256 -8\nend\n"},
    {"mode 1 where lane 0 would be negative: a list",
     HEAD WARP0("1") "0010 0000000c 1 R0 LDS 1 R2 4 1 0x4 8 0\n" END,
     LOG SITE("1", "0", "ld.shared.b32",
              "0x0010 LDS") "event w0 @1 ld.shared.b32 mask 0000000c at 2:4 3:12\nend\n"},
    {"mode 0 and mode 2 are the same addresses; one site; no immediate; one lane",
     HEAD WARP0("3") "0010 80000005 0 STS.64 2 R0 R1 8 0 0x8 0x0000000000000010 0x0 0\n"
                     "0010 80000005 0 STS.64 2 R0 R1 8 2 0x8 8 -16\n"
                     "0010 00000002 0 STS.64 2 R0 R1 8 2 0xff8\n" END,
     LOG SITE("1", "0", "st.shared.v2.b32",
              "0x0010 STS.64") "event w0 @1 st.shared.v2.b32 mask 80000005 at 0:8 2:16 31:0\n"
                               "event w0 @1 st.shared.v2.b32 mask 80000005 at 0:8 2:16 31:0\n"
                               "event w0 @1 st.shared.v2.b32 mask 00000002 at 1:4088\nend\n"},
    {"no active lane: nothing, whatever it is",
     HEAD WARP0("5") "0010 00000000 1 R0 LDS 1 R2 4 1 0x0 0 0\n0020 00000000 0 BAR.SYNC 0 0 0\n"
                     "0030 00000000 0 LDL 1 R2 4 1 0x0 0 0\n0040 0 1 R3 LDG.E 1 R2 4 0\n"
                     "0050 00000000 0 SHFL.IDX 0 0 0\n" END,
     LOG "end\n"},
    {"a site for each opcode and place; the width beside the opcode does not count",
     HEAD WARP0("3") "0010 00000001 1 R0 LDS.S8 1 R2 4 2 0x3 0\n"
                     "0010 00000001 1 R0 LDS.U8 1 R2 4 2 0x3 0\n"
                     "0020 ffffffff 1 R0 LDSM.16.MT88.2 1 R2 2 1 0x0 16 0\n" END,
     LOG SITE(
         "1", "0", "ld.shared.s8",
         "0x0010 LDS.S8") "event w0 @1 ld.shared.s8 mask 00000001 at "
                          "0:3\n" SITE(
                              "2", "1", "ld.shared.u8",
                              "0x0010 LDS.U8") "event w0 @2 "
                                               "ld.shared.u8 mask "
                                               "00000001 at "
                                               "0:3\n" SITE(
                                                   "3", "2",
                                                   "ldmat"
                                                   "rix."
                                                   "sync."
                                                   "align"
                                                   "ed."
                                                   "m8n8."
                                                   "x2."
                                                   "trans"
                                                   ".shar"
                                                   "ed."
                                                   "b16",
                                                   "0x002"
                                                   "0 "
                                                   "LDSM."
                                                   "16."
                                                   "MT88."
                                                   "2") "event w0 @3 "
                                                        "ldmatrix.sync.aligned.m8n8.x2.trans."
                                                        "shared.b16 mask ffffffff affine 0 +16\n"
                                                        "end\n"},
    {"an atomic whose result goes to RZ",
     HEAD WARP0("2") "0010 00000001 1 R255 ATOMS.ADD 2 R2 R3 4 2 0x4 0\n"
                     "0020 00000001 1 R25 ATOMS.ADD 2 R2 R3 4 2 0x4 0\n" END,
     LOG SITE("1", "0", "red.shared.add.u32",
              "0x0010 ATOMS.ADD") "event w0 @1 "
                                  "red.shared.add.u32 mask "
                                  "00000001 at 0:4\n" SITE("2", "1", "atom.shared.add.u32",
                                                           "0x0020 ATOMS.ADD") "even"
                                                                               "t "
                                                                               "w0 "
                                                                               "@2 "
                                                                               "atom"
                                                                               ".sha"
                                                                               "red."
                                                                               "add."
                                                                               "u32 "
                                                                               "mask"
                                                                               " 000"
                                                                               "0000"
                                                                               "1 "
                                                                               "at "
                                                                               "0:"
                                                                               "4\ne"
                                                                               "nd"
                                                                               "\n"},
    {"full addresses of shared memory, and generic ones of three windows",
     HEAD WARP0(
         "2") "0010 00000003 1 R0 LDS 1 R2 4 1 0x7f0002000040 4 0\n"
              "0020 0000000f 1 R0 LD.E 1 R2 4 0 0x7f0002000008 0x7f0000000000 0x7f0004000000 "
              "0x100 0\n" END,
     LOG SITE(
         "1", "0", "ld.shared.b32",
         "0x0010 LDS") "event w0 @1 ld.shared.b32 mask 00000003 affine 64 "
                       "+4\n" SITE(
                           "2", "1", "ld.shared.b32",
                           "0x0020 LD.E") "event w0 @2 ld.shared.b32 "
                                          "mask 00000001 at "
                                          "0:8\n" SITE(
                                              "3", "2", "ld.global.b32",
                                              "0x0020 LD.E") "event w0 @3 ld.global.b32 mask "
                                                             "0000000c at 2:139638043836416 "
                                                             "3:256\n" SITE(
                                                                 "4", "3", "ld.local.b32",
                                                                 "0x0020 LD.E") "event w0 @4 "
                                                                                "ld.local.b32 mask "
                                                                                "00000002 at "
                                                                                "1:0\nend\n"},
    {"local memory: offsets, generic addresses of its window, and both",
     HEAD WARP0("3") "0010 00000003 0 STL 1 R2 4 1 0x10 0 0\n"
                     "0020 00000003 1 R0 LDL.64 1 R2 8 1 0x7f0000000010 8 0\n"
                     "0030 00000003 1 R0 LDL 1 R2 4 0 0x7f0000000010 0x14 0\n" END,
     LOG SITE("1", "0",
              "st.local.b32", "0x0010 STL") "event w0 @1 st.local.b32 mask 00000003 affine 16 "
                                            "+0\n" SITE("2", "1", "ld.local.v2.b32",
                                                        "0x0020 LDL.64") "event w0 @2 "
                                                                         "ld.local.v2.b32 mask "
                                                                         "00000003 affine 16 "
                                                                         "+8\n" SITE("3", "2",
                                                                                     "ld.local.b32",
                                                                                     "0x0030 LDL") "event w0 @3 ld.local.b32 mask 00000003 at 0:16 1:20\nend\n"},
    {"from 9.0 on the first KiB is the system's, and the block's rank stands in bit 24 and up",
     HEAD_WITH("4096", "90", "5", "0")
         WARP0("2") "0010 00000003 1 R0 LDS 1 R2 4 1 0x400 4 0\n0010 00000003 1 R0 LDS 1 R2 4 "
                    "2 0x10013fc 0 0\n" END,
     "kernel k grid 2,1,1 block 40,1,1 shared 4096 device sm_90 extras ''\nblock 0,0,0\n" SITE(
         "1", "0", "ld.shared.b32",
         "0x0010 LDS") "event w0 @1 ld.shared.b32 mask 00000003 affine 0 +4\n"
                       "event w0 @1 ld.shared.b32 mask 00000003 at 0:4092 1:4092\nend\n"},
    {"a tracer before version 3 repeats block and warp; source lines; registers, no shmem, no such GPU",
     "-kernel name = void f<int, 2>(float*)\n-grid dim = (1,1,1)\n-block dim = (1,1,1)\n"
     "-nregs = 255\n-binary version = 72\n-accelsim tracer version = 2\n-enable lineinfo = 1\n#\n" WARP0(
         "1") "0 0 0 0 12 ab10 00000001 1 R0 LDS 1 R2 4 2 0xfffffffc\n" END,
     "kernel void_f<int,_2>(float*) grid 1,1,1 block 1,1,1 registers 255 device (none) extras ''\nblock "
     "0,0,0\n" SITE("1", "0", "ld.shared.b32",
                    "0xab10 LDS (line 12)") "event w0 @1 ld.shared.b32 mask 00000001 at "
                                            "0:4294967292\nend\n"},
    {"a stride from one block's window to the next is none within the block",
     "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-binary version = 90\n"
     "-accelsim tracer version = 5\n#\n" WARP0(
         "1") "0010 00000003 1 R0 LDS 1 R2 4 1 0x404 16777216 0\n" END,
     "kernel k grid 1,1,1 block 32,1,1 device sm_90 extras ''\nblock 0,0,0\n" SITE(
         "1", "0", "ld.shared.b32",
         "0x0010 LDS") "event w0 @1 ld.shared.b32 mask 00000003 at 0:4 1:4\nend\n"},
    {"two kernels, clusters, CR LF, no last line end, a PC that begins with c",
     "\r\n-kernel name = k\r\n-grid dim = (1,1,1)\r\n-block dim = (32,1,1)\r\n-cluster dim = "
     "(1,1,1)"
     "\r\n-accelsim tracer version = 6\r\n#\r\n#BEGIN_TB\r\nthread block = 0,0,0\r\ncluster id "
     "= 0,0,0"
     "\r\nwarp = 0\r\ninsts = 1\r\nc010 ffffffff 0 EXIT 0 0 0\r\n#END_TB\r\n"
     "-kernel name = l\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n#BEGIN_TB\nthread block = "
     "0,0,0\n"
     "#END_TB",
     "kernel k grid 1,1,1 block 32,1,1 device (none) extras ''\nblock 0,0,0\n"
     "kernel l grid 1,1,1 block 32,1,1 device (none) extras ''\nblock 0,0,0\nend\n"},
    {"exchanges; barriers of number 0 alone; a warp that ended lets the others through",
     HEAD WARP0("6") "0010 0000ffff 1 R0 SHFL.DOWN 2 R2 R3 0 31\n0020 ffffffff 0 BAR.SYNC 0 0 0\n"
                     "0030 ffffffff 0 BAR.SYNC 0 0 64\n0040 ffffffff 0 BAR.ARV 0 0 64\n"
                     "0050 ffffffff 0 BAR.RED.POPC 0 0 0\n0060 ffffffff 0 EXIT 0 0 0\n"
                     "warp = 1\ninsts = 2\n0000 000000ff 0 EXIT 0 0 0\n0010 0 0 MOV 0 0 0\n" END,
     LOG "event w0 shfl.sync.down.b32 mask 0000ffff\nevent w0 bar.sync mask ffffffff\n"
         "event w0 bar.sync mask ffffffff\nevent w1 bar.sync mask ffffffff\n"
         "event w1 bar.sync mask ffffffff\nend\n"},
    {"constants with and without addresses; opcodes that are not known, left out, of another "
     "form",
     HEAD WARP0("5") "0010 ffffffff 1 R0 LDC 0 0 0\n0020 00000001 1 R0 LDC.64 1 R2 8 2 0x8 0\n"
                     "0030 ffffffff 1 R0 FOO.96 whatever comes\n0040 00000001 0 SUST.D.BA.2D 2 R1 R0 4 "
                     "2 0x0 0\n"
                     "0050 00000001 0 UTMALDG.2D 0 4 0 3 0x1 0x2 0x3 0\n" END,
     LOG SITE("1", "0", "ld.const.v2.b32",
              "0x0020 LDC.64") "event w0 @1 ld.const.v2.b32 mask 00000001 at 0:8\nend\n"},
};

/* The log with the sites' numbers in the order of appearance, in place. */
static void number_by_appearance(char *log)
{
    char *to = log;
    uint64_t site[8] = {0};
    for (const char *p = log; *p != '\0';) {
        bool is_site = strncmp(p, "\nsite ", 6) == 0;
        size_t front = is_site ? 6 : *p == '@' ? 1 : 0;
        memmove(to, p, front > 0 ? front : 1);
        to += front > 0 ? front : 1;
        p += front > 0 ? front : 1;
        if (front == 0) {
            continue;
        }
        char *end;
        uint64_t number = strtoull(p, &end, 10);
        size_t i = 0;
        while (site[i] != number && site[i] != 0) {
            i++;
        }
        assert_true(i + 1 < N_OF(site));
        site[i] = number;
        *to++ = (char)('1' + i);
        p = end;
    }
    *to = '\0';
}

static void good_streams(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(good); i++) {
        struct bsim_error err = {.message = ""};
        enum bsim_status status;
        struct bsim_buffer log =
            trace_text_describe(good[i].text, strlen(good[i].text), &status, &err);
        number_by_appearance(log.data);
        if (status != BSIM_OK || strcmp(log.data, good[i].log) != 0) {
            fail_msg("%s: %s\n%s", good[i].name, err.message, log.data != NULL ? log.data : "");
        }
        bsim_buffer_free(&log);
    }
}

/* ---- what is refused ------------------------------------------------------------------------- */

static const struct {
    const char *text;
    uint64_t line;
    uint32_t column;
    const char *message;
} refused[] = {
    {"-kernel name = k\n", 1, 17, "cut short: the header has no end"},
    {"-kernel name k\n", 1, 1, "'-key = value'"},
    {"-kernel name =\n", 1, 1, "the kernel's name is missing"},
    {"-kernel name = k\nx\n", 2, 1, "a header line begins with '-'"},
    {"-shmem = 1\n-shmem = 1\n", 2, 2, "'shmem' stands twice"},
    {"-grid dim = 1,1,1\n", 1, 13, "is (X,Y,Z)"},
    {"-grid dim = (1,1)\n", 1, 14, "is of three"},
    {"-grid dim = (1,0,1)\n", 1, 16, "a grid's shape"},
    {"-block dim = (32,33,1)\n", 1, 14, "1056 threads"},
    {"-shmem = -1\n", 1, 10, "shmem"},
    {"-nregs = 256\n", 1, 10, "nregs is a number from 0 to 255, not '256'"},
    {"-enable lineinfo = 2\n", 1, 20, "enable lineinfo"},
    {"-kernel name = k\n-grid dim = (1,1,1)\n#\n", 3, 1, "without a line '-block dim = ...'"},
    {HEAD, 12, 1, "no thread block"},
    {HEAD "-kernel name = l\n", 13, 1, "no thread block"},
    {HEAD "#END_TB\n", 13, 1, "without a thread block"},
    {HEAD "#BEGIN_TB\n#END_TB\n", 14, 1, "without a thread block"},
    {HEAD "#BEGIN_TB\n#BEGIN_TB\n", 14, 1, "'#END_TB' is missing"},
    {HEAD "#BEGIN_TB\n-kernel name = l\n", 14, 1, "'#END_TB' is missing"},
    {HEAD "thread block = 0,0,0\n", 13, 1, "needs '#BEGIN_TB'"},
    {HEAD "#BEGIN_TB\nwarp = 0\n", 14, 1, "needs 'thread block ='"},
    {HEAD "#BEGIN_TB\nthread block = 2,0,0\n", 14, 16, "place in the grid"},
    {HEAD BLOCK0 "thread block = 1,0,0\n", 17, 1, "stands twice"},
    {HEAD BLOCK0 "insts = 1\n", 17, 1, "without a 'warp ='"},
    {HEAD BLOCK0 "warp = 2\n", 17, 8, "the warp"},
    {HEAD BLOCK0 "warp = 0\nwarp = 1\n", 18, 1, "'insts =' is missing"},
    {HEAD WARP0("0") "warp = 0\n", 19, 8, "stands twice"},
    {HEAD WARP0("1") "warp = 1\n", 19, 1, "warp 0 has 0 of its 1 instructions"},
    {HEAD WARP0("2") "0 0 0 EXIT 0 0 0\n#END_TB\n", 20, 1, "has 1 of its 2 instructions"},
    {HEAD WARP0("0") "0 0 0 EXIT 0 0 0\n", 19, 1, "more than its 0 instructions"},
    {HEAD WARP0("1") "0 0 0 EXIT 0 0 0\n", 19, 17, "'#END_TB' is missing"},
    {HEAD "0 0 0 0 0 0 0 EXIT 0 0 0\n", 13, 1, "post-traces-processing"},
    {HEAD WARP0("1") "x\n", 19, 1, "not the PC"},
    {HEAD WARP0("1") "0010\n", 19, 5, "the mask"},
    {HEAD WARP0("1") "0010 fffffffff 0 EXIT 0 0 0\n", 19, 6, "the mask"},
    {HEAD WARP0("1") "0010 ffffffff x\n", 19, 15, "destination registers"},
    {HEAD WARP0("1") "0010 ffffffff 1 4 LDS\n", 19, 17, "a register"},
    {HEAD WARP0("1") "0010 ffffffff 0\n", 19, 16, "an opcode"},
    {HEAD WARP0("1") "0010 ffffffff 0 0x40\n", 19, 17, "an opcode"},
    {HEAD WARP0("1") "0010 ffffffff 0 LD\xc3\xa4 0 0 0\n", 19, 17, "printable"},
    {HEAD WARP0("1") "0010 ffffffff 0 MOV\n", 19, 20, "source registers"},
    {HEAD WARP0("1") "0010 ffffffff 0 MOV 1 R1\n", 19, 25, "the memory width"},
    {HEAD WARP0("1") "0010 ffffffff 0 MOV 0 0 0x\n", 19, 25, "the immediate"},
    {HEAD WARP0("1") "0010 ffffffff 0 MOV 0 0 0 0\n", 19, 27, "nothing follows"},
    {HEAD WARP0("1") "0010 ffffffff 0 LDS 0 4 3\n", 19, 25, "a form of addresses"},
    {HEAD WARP0("1") "0010 ffffffff 0 LDS 0 0 0\n", 19, 17, "LDS without addresses"},
    {HEAD WARP0("1") "0010 00000003 0 LDS 0 4 0 0x4\n", 19, 30, "an address for each active lane"},
    {HEAD WARP0("1") "0010 00000003 0 LDS 0 4 1 0x4\n", 19, 30, "the stride"},
    {HEAD WARP0("1") "0010 00000005 0 LDS 0 4 1 0x4 4\n", 19, 27, "side by side"},
    {HEAD WARP0("1") "0010 00000003 0 LDS 0 4 2 0x4\n", 19, 30, "a difference"},
    {HEAD WARP0("1") "0010 00000003 0 LDS 0 4 2 0x4 4 0 0\n", 19, 35, "nothing follows"},
    {HEAD WARP0("1") "0010 00000003 0 LDS 0 4 1 0xffc 4 0\n", 19, 27, "lane 1: address 4096"},
    {HEAD WARP0("1") "0010 00000003 0 LDS.64 0 4 1 0x4 8 0\n", 19, 30, "not a multiple of 8"},
    {HEAD WARP0("1") "0010 00000001 0 LDS 0 4 2 0x100000000 0\n", 19, 27, "not an address of"},
    {HEAD_WITH("4096", "90", "5", "0") WARP0("1") "0010 00000001 0 LDS 0 4 2 0x3fc 0\n", 19, 27,
     "lane 0: 0x3fc is not an address of the block's shared memory"},
    {HEAD WARP0("1") "0010 0000ffff 0 LDSM.16.M88 0 4 1 0x0 16 0\n", 19, 17, "whole warp"},
    {HEAD_WITH("0", "80", "2", "0") WARP0("1") "0 0 0 1 0010 ffffffff 0 MOV 0 0\n", 19, 7,
     "1 is not the thread block and warp above"},
    {HEAD WARP0("1") "0010 ffffffff 0 BAR.SYNC 0 0 0\n#END_TB\n", 19, 17, "warp 1 reaches 0 of"},
    {HEAD WARP0("2") "0010 ffffffff 0 BAR.SYNC 0 0 0\n0 1 0 EXIT 0 0 0\nwarp = 1\ninsts = 2\n"
                     "0 1 0 EXIT 0 0 0\n0 1 0 MOV 0 0 0\n#END_TB\n",
     19, 17, "warp 1 reaches 0 of"},
    {"MemcpyHtoD,0x7f0000000000,4096\nkernel-1.traceg\n", 1, 1, "list of Accel-Sim traces"},
    {"kernel-1.traceg\n", 1, 1, "list of Accel-Sim traces"},
    {"\xfd"
     "7zXZ",
     1, 1, "xz -dc"},
    {"\x1f\x8b\x08", 1, 1, "compressed"},
};

static void refusals(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(refused); i++) {
        struct bsim_error err = {.message = ""};
        enum bsim_status status;
        struct bsim_buffer log =
            trace_text_describe(refused[i].text, strlen(refused[i].text), &status, &err);
        if (status != BSIM_E_INPUT || err.line != refused[i].line ||
            err.column != refused[i].column || strstr(err.message, refused[i].message) == NULL) {
            fail_msg("case %zu, '%s': got %u:%u: %s", i, refused[i].message, (unsigned)err.line,
                     err.column, err.message);
        }
        bsim_buffer_free(&log);
    }
}

/* A trace that was cut anywhere is refused; only its last, empty lines may be missing. */
static void every_cut(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(good); i++) {
        const char *text = good[i].text;
        size_t whole = strlen(text);
        while (text[whole - 1] == '\n' || text[whole - 1] == '\r') {
            whole--;
        }
        for (size_t size = 1; size < whole; size++) {
            enum bsim_status status;
            struct bsim_buffer log = trace_text_describe(text, size, &status, NULL);
            const char *rest = text + size;
            rest += strspn(rest, "\r\n");
            bool between_kernels = size > 8 && strncmp(rest, "-kernel", 7) == 0 &&
                                   strstr(text, "#END_TB") < text + size - 6;
            if (status == BSIM_OK && !between_kernels) {
                fail_msg("%s: accepted when cut to %zu bytes", good[i].name, size);
            }
            bsim_buffer_free(&log);
        }
    }
}

static enum bsim_status take(void *context, const struct bsim_record *record,
                             struct bsim_error *err)
{
    (void)context;
    (void)record;
    (void)err;
    return BSIM_OK;
}

/* ---- sites ----------------------------------------------------------------------------------- */

struct site_list {
    uint32_t number[8];
    char text[8][32];
    size_t n;
};

static enum bsim_status list_site(void *context, const struct bsim_record *record,
                                  struct bsim_error *err)
{
    struct site_list *list = context;
    (void)err;
    if (record->kind == BSIM_RECORD_SITE) {
        assert_true(list->n < N_OF(list->number));
        list->number[list->n] = record->u.site->number;
        (void)snprintf(list->text[list->n++], sizeof list->text[0], "%s", record->u.site->text);
    }
    return BSIM_OK;
}

static struct site_list sites_of(const char *text)
{
    struct site_list list = {.n = 0};
    struct bsim_sink sink = {.push = list_site, .context = &list};
    assert_int_equal(trace_text_read(text, strlen(text), 0, &sink, NULL), BSIM_OK);
    return list;
}

/* A site's number says where it stands in the code, whichever comes first in the trace. */
static void sites_by_address(void **state)
{
    (void)state;
#define AT_10 "0010 ffffffff 1 R0 LDS 1 R2 4 1 0x0 4 0\n"
#define AT_20 "0020 ffffffff 1 R0 LDS 1 R2 4 1 0x0 4 0\n"
#define WIDE_AT_10 "0010 ffffffff 1 R0 LDS.64 1 R2 8 1 0x0 8 0\n"
#define AT_3FFF0 "3fff0 ffffffff 1 R0 LDS 1 R2 4 1 0x0 4 0\n"
    const struct site_list a = sites_of(HEAD WARP0("4") AT_20 AT_10 AT_3FFF0 WIDE_AT_10 END);
    const struct site_list b = sites_of(HEAD WARP0("3") WIDE_AT_10 AT_10 AT_20 END);
    assert_int_equal(a.n, 4);
    assert_int_equal(b.n, 3);
    assert_int_equal(a.number[0], b.number[2]);
    assert_int_equal(a.number[1], b.number[1]);
    assert_int_equal(a.number[3], b.number[0]);
    assert_true(a.number[1] < a.number[0] && a.number[0] < a.number[2]);
    assert_true(a.number[3] < a.number[0] && a.number[3] != a.number[1]);
}

/* An opcode may be spelled in any of very many ways, and two instructions in one place get the same
 * number once in 2^18 times: by then the trace is refused, and nothing is counted wrong. */
static void sites_that_meet(void **state)
{
    (void)state;
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_error err = {.message = ""};
    struct bsim_sink sink = {.push = take};
    bsim_buffer_text(&text, HEAD WARP0("4000"));
    for (int i = 0; i < 4000; i++) {
        bsim_buffer_printf(&text, "0010 00000001 1 R0 LDS.X%c%c%c 1 R2 4 2 0x0 0\n", 'A' + i % 26,
                           'A' + i / 26 % 26, 'A' + i / 676);
    }
    bsim_buffer_text(&text, END);
    assert_int_equal(trace_text_read(text.data, text.size_bytes, 0, &sink, &err), BSIM_E_INPUT);
    assert_non_null(strstr(err.message, "come to the same site number"));
    bsim_buffer_free(&text);
}

/* ---- remarks --------------------------------------------------------------------------------- */

struct memory {
    const char *text;
};

static size_t read_memory(void *context, void *data, size_t size_bytes)
{
    struct memory *memory = context;
    size_t n = strlen(memory->text);
    n = n < size_bytes ? n : size_bytes;
    memcpy(data, memory->text, n);
    memory->text += n;
    return n;
}

static void add_remark(void *context, const char *text)
{
    bsim_buffer_printf(context, "%s\n", text);
}

static const struct {
    const char *text, *remarks;
} remark[] = {
    {HEAD WARP0("0") END "#BEGIN_TB\nthread block = 1,0,0\n#END_TB\n", ""},
    {HEAD_WITH("4096", "72", "5", "0")
         WARP0("7") "0 1 0 FOO.96 0 0 0\n0 1 0 BAZ 0 0 0\n0 1 0 FOO.96 0 0 0\n0 1 0 LDL 0 4 2 "
                    "0x100000000 0\n"
                    "0 1 0 BAR.SYNC 0 0 64\n0 1 0 LD.E 0 4 2 0x7f0000000000 0\n"
                    "0 1 0 LDGSTS.E 0 4 2 0x7f1000000000 0\n" END,
     "2 unknown opcodes skipped, in 3 instructions: FOO.96 2, BAZ 1\n"
     "2 instructions left out that a banksim trace has no word for: LDL 1 (no offset in local "
     "memory), BAR.SYNC 1 (a barrier of some warps)\n"
     "1 LDGSTS counted as load from global memory alone: the trace does not hold where in shared "
     "memory they store, and cycles have no wait for them\n"
     "1 kernel with fewer thread blocks in the trace than in the grid\n"
     "the trace names no GPU that banksim knows: say which with --device\n"},
    {"banksim-trace 1\nend\n", ""},
};

static void remarks(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(remark); i++) {
        struct bsim_buffer told = BSIM_BUFFER_EMPTY;
        struct memory memory = {remark[i].text};
        struct bsim_input input = {.read = read_memory,
                                   .context = &memory,
                                   .name = "t.traceg",
                                   .remark = add_remark,
                                   .remark_context = &told};
        struct bsim_sink sink = {.push = take, .context = NULL};
        assert_int_equal(bsim_trace_read(&input, &sink, NULL), BSIM_OK);
        assert_string_equal(told.data != NULL ? told.data : "", remark[i].remarks);
        bsim_buffer_free(&told);
    }
}

/* ---- devices --------------------------------------------------------------------------------- */

struct device_name {
    char name[32]; /* of the kernel; "" if it has none */
};

static enum bsim_status note_device(void *context, const struct bsim_record *record,
                                    struct bsim_error *err)
{
    struct device_name *device = context;
    (void)err;
    if (record->kind == BSIM_RECORD_KERNEL) {
        const char *name = record->u.kernel->device;
        (void)snprintf(device->name, sizeof device->name, "%s", name != NULL ? name : "");
    }
    return BSIM_OK;
}

/* Each compute capability that banksim simulates is recognised, and no other. */
static void devices(void **state)
{
    (void)state;
    for (unsigned version = 10; version < 200; version++) {
        char text[256];
        char name[32];
        struct bsim_device found;
        struct device_name device = {""};
        struct bsim_sink sink = {.push = note_device, .context = &device};
        (void)snprintf(text, sizeof text,
                       "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (1,1,1)\n"
                       "-binary version = %u\n#BEGIN_TB\nthread block = 0,0,0\n#END_TB\n",
                       version);
        (void)snprintf(name, sizeof name, "sm_%u", version);
        bool is_known = bsim_device_find(name, NULL, &found, NULL) == BSIM_OK;
        assert_int_equal(trace_text_read(text, strlen(text), 0, &sink, NULL), BSIM_OK);
        assert_string_equal(device.name, is_known ? name : "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opcodes),         cmocka_unit_test(every_silent_name),
        cmocka_unit_test(good_streams),    cmocka_unit_test(refusals),
        cmocka_unit_test(every_cut),       cmocka_unit_test(remarks),
        cmocka_unit_test(devices),         cmocka_unit_test(sites_by_address),
        cmocka_unit_test(sites_that_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

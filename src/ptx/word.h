/* word.h - what stands behind the dots of PTX: types, state spaces, modifiers. */
#ifndef BSIM_PTX_WORD_H
#define BSIM_PTX_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum bsim_ptx_space {
    BSIM_PTX_NO_SPACE, /* generic */
    BSIM_PTX_PARAM,
    BSIM_PTX_CONST,
    BSIM_PTX_GLOBAL,
    BSIM_PTX_LOCAL,
    BSIM_PTX_SHARED,
};

/* clang-format off: what is alike stands in one line */
enum bsim_ptx_type {
    BSIM_PTX_NO_TYPE,
    BSIM_PTX_PRED,
    BSIM_PTX_B8,
    BSIM_PTX_B16,
    BSIM_PTX_B32,
    BSIM_PTX_B64,
    BSIM_PTX_B128,
    BSIM_PTX_U8,
    BSIM_PTX_U16,
    BSIM_PTX_U32,
    BSIM_PTX_U64,
    BSIM_PTX_S8,
    BSIM_PTX_S16,
    BSIM_PTX_S32,
    BSIM_PTX_S64,
    BSIM_PTX_F16,
    BSIM_PTX_F16X2,
    BSIM_PTX_BF16,
    BSIM_PTX_BF16X2,
    BSIM_PTX_TF32,
    BSIM_PTX_E4M3, /* of 8 bits, and pairs of them */
    BSIM_PTX_E5M2,
    BSIM_PTX_E4M3X2,
    BSIM_PTX_E5M2X2,
    BSIM_PTX_B1, /* of matrices, and cvt.pack */
    BSIM_PTX_U2,
    BSIM_PTX_S2,
    BSIM_PTX_U4,
    BSIM_PTX_S4,
    BSIM_PTX_F32,
    BSIM_PTX_F64,
    BSIM_PTX_U16X2, /* pairs of whole numbers */
    BSIM_PTX_S16X2,
    BSIM_PTX_TYPES,
};

/* clang-format on */

/* Of one value, as registers and memory hold it; 1 for a predicate, 0 for no type. */
uint32_t bsim_ptx_type_bits(uint32_t type);

/* 'b', 'u', 's', 'f', 'p', and 'h', 'n' for pairs of f16 and bf16. */
char bsim_ptx_type_letter(uint32_t type);

/* Of a pair, f16x2 or bf16x2, its half's type; another type is itself. */
uint32_t bsim_ptx_type_half(uint32_t type);

/* The type that text[0..length) names, BSIM_PTX_NO_TYPE if it names none. */
enum bsim_ptx_type bsim_ptx_type_find(const char *text, size_t length);

/* clang-format off */
/* Modifiers, spaces among them, in one list: what a word means is the opcode's business. Behind
 * each its spelling; a word that only numbers differ from another's (m16n8k8) is spelled out. */
#define BSIM_PTX_WORDS(X)                                                                          \
    X(PARAM_, "param") X(PARAM_ENTRY, "param::entry") X(PARAM_FUNC, "param::func")                 \
    X(CONST_, "const") X(GLOBAL_, "global") X(LOCAL_, "local") X(SHARED_, "shared")                \
    X(SHARED_CTA, "shared::cta") X(SHARED_CLUSTER, "shared::cluster")                              \
    X(RN, "rn") X(RZ, "rz") X(RM, "rm") X(RP, "rp") X(RNA, "rna") X(RNI, "rni") X(RZI, "rzi")      \
    X(RMI, "rmi") X(RPI, "rpi") X(FTZ, "ftz") X(SAT, "sat") X(SATFINITE, "satfinite")              \
    X(RELU, "relu") X(APPROX, "approx") X(FULL, "full") X(HI, "hi") X(LO, "lo") X(WIDE, "wide")    \
    X(CC, "cc") X(UNI, "uni") X(TO, "to") X(VOLATILE, "volatile") X(RELAXED, "relaxed")            \
    X(ACQUIRE, "acquire") X(RELEASE, "release") X(ACQ_REL, "acq_rel") X(WEAK, "weak")              \
    X(MMIO, "mmio") X(SC, "sc") X(CTA, "cta") X(CLUSTER, "cluster") X(GPU, "gpu") X(SYS, "sys")    \
    X(GL, "gl") X(NC, "nc") X(CA, "ca") X(CG, "cg") X(CS, "cs") X(LU, "lu") X(CV, "cv")            \
    X(WB, "wb") X(WT, "wt") X(L2_64B, "L2::64B") X(L2_128B, "L2::128B") X(L2_256B, "L2::256B")     \
    X(L2_CACHE_HINT, "L2::cache_hint") X(L1_EVICT_NORMAL, "L1::evict_normal")                      \
    X(L1_EVICT_UNCHANGED, "L1::evict_unchanged") X(L1_EVICT_FIRST, "L1::evict_first")              \
    X(L1_EVICT_LAST, "L1::evict_last") X(L1_NO_ALLOCATE, "L1::no_allocate")                        \
    X(L2_EVICT_FIRST, "L2::evict_first") X(L2_EVICT_LAST, "L2::evict_last")                        \
    X(L2_EVICT_NORMAL, "L2::evict_normal") X(L1, "L1") X(L2, "L2") X(UNIFIED, "unified")           \
    X(V2, "v2") X(V4, "v4") X(V8, "v8") X(ADD, "add") X(MIN, "min") X(MAX, "max") X(INC, "inc")    \
    X(DEC, "dec") X(AND, "and") X(OR, "or") X(XOR, "xor") X(CAS, "cas") X(EXCH, "exch")            \
    X(POPC, "popc") X(NOFTZ, "noftz") X(EQ, "eq") X(NE, "ne") X(LT, "lt") X(LE, "le")              \
    X(GT, "gt") X(GE, "ge") X(LS, "ls") X(HS, "hs") X(EQU, "equ") X(NEU, "neu") X(LTU, "ltu")      \
    X(LEU, "leu") X(GTU, "gtu") X(GEU, "geu") X(IS_NUM, "num") X(IS_NAN, "nan") X(UP, "up")              \
    X(DOWN, "down") X(BFLY, "bfly") X(IDX, "idx") X(SYNC, "sync") X(ALIGNED, "aligned")            \
    X(WARP, "warp") X(BALLOT, "ballot") X(ALL, "all") X(ANY, "any") X(RED, "red")                  \
    X(ARRIVE, "arrive") X(WAIT, "wait") X(INIT, "init") X(INVAL, "inval")                          \
    X(TEST_WAIT, "test_wait") X(TRY_WAIT, "try_wait") X(PENDING_COUNT, "pending_count")            \
    X(EXPECT_TX, "expect_tx") X(COMPLETE_TX, "complete_tx") X(NOCOMPLETE, "noComplete")            \
    X(PARITY, "parity") X(NOINC, "noinc") X(MBARRIER, "mbarrier")                                  \
    X(COMMIT_GROUP, "commit_group") X(WAIT_GROUP, "wait_group") X(WAIT_ALL, "wait_all")            \
    X(BULK, "bulk") X(TENSOR, "tensor") X(ASYNC, "async") X(PROXY, "proxy")                        \
    X(PROXY_ASYNC, "proxy::async") X(X1, "x1") X(X2, "x2") X(X4, "x4") X(TRANS, "trans")           \
    X(M8N8, "m8n8") X(M8N8K4, "m8n8k4") X(M16N8K4, "m16n8k4") X(M16N8K8, "m16n8k8")                \
    X(M16N8K16, "m16n8k16") X(M16N8K32, "m16n8k32") X(M16N16K16, "m16n16k16")                      \
    X(M32N8K16, "m32n8k16") X(M8N32K16, "m8n32k16") X(LOAD, "load") X(STORE, "store")              \
    X(MMA, "mma") X(A, "a") X(B, "b") X(C, "c") X(D, "d") X(ROW, "row") X(COL, "col")              \
    X(L, "l") X(R, "r") X(WRAP, "wrap") X(CLAMP, "clamp") X(F4E, "f4e") X(B4E, "b4e")              \
    X(RC8, "rc8") X(ECL, "ecl") X(ECR, "ecr") X(RC16, "rc16") X(SHIFTAMT, "shiftamt")              \
    X(FINITE, "finite") X(INFINITE, "infinite") X(IS_NUMBER, "number")                                \
    X(NOTANUMBER, "notanumber") X(NORMAL, "normal") X(SUBNORMAL, "subnormal") X(X1D, "1d")         \
    X(X2D, "2d") X(X3D, "3d") X(A1D, "a1d") X(A2D, "a2d") X(BASE, "base") X(LEVEL, "level")        \
    X(GRAD, "grad") X(EXIT, "exit") X(ABS, "abs") X(XORSIGN, "xorsign") X(DECR, "decr")         \
    X(KEEPS_NAN, "NaN") X(CUBE_, "cube") X(G, "g") X(TRAP, "trap") X(ZERO, "zero")         \
    X(M16N16K8, "m16n16k8") X(ARRIVE_DROP, "arrive_drop") X(PACK, "pack") X(M8N8K16, "m8n8k16") \
    X(M8N8K32, "m8n8k32") X(M8N8K128, "m8n8k128") X(M16N8K64, "m16n8k64")                          \
    X(M16N8K128, "m16n8k128") X(M16N8K256, "m16n8k256")                                      \
    X(COMPLETE_TX_BYTES, "mbarrier::complete_tx::bytes") X(BULK_GROUP, "bulk_group")               \
    X(MULTICAST_CLUSTER, "multicast::cluster") X(READ, "read") X(REDUCE, "reduce") X(TILE, "tile") X(X4D, "4d") X(X5D, "5d") X(MMA_ASYNC, "mma_async") X(FENCE_, "fence")

/* clang-format on */

enum bsim_ptx_word {
    BSIM_PTX_NO_WORD,
#define X(name, spelling) BSIM_PTX_##name,
    BSIM_PTX_WORDS(X)
#undef X
};

/* The word that text[0..length) is, BSIM_PTX_NO_WORD if it is none. */
enum bsim_ptx_word bsim_ptx_word_find(const char *text, size_t length);

const char *bsim_ptx_word_name(uint32_t word);

/* clang-format off */
/* Special registers that are one value a lane, and do not change while a block runs but for clocks.
 */
#define BSIM_PTX_SPECIALS(X)                                                                       \
    X(TID_X, "%tid.x") X(TID_Y, "%tid.y") X(TID_Z, "%tid.z")                                       \
    X(NTID_X, "%ntid.x") X(NTID_Y, "%ntid.y") X(NTID_Z, "%ntid.z")                                 \
    X(CTAID_X, "%ctaid.x") X(CTAID_Y, "%ctaid.y") X(CTAID_Z, "%ctaid.z")                           \
    X(CLUSTERID_X, "%clusterid.x") X(CLUSTERID_Y, "%clusterid.y") X(CLUSTERID_Z, "%clusterid.z")   \
    X(NCTAID_X, "%nctaid.x") X(NCTAID_Y, "%nctaid.y") X(NCTAID_Z, "%nctaid.z")                     \
    X(LANEID, "%laneid") X(WARPID, "%warpid") X(NWARPID, "%nwarpid")                               \
    X(LANEMASK_EQ, "%lanemask_eq") X(LANEMASK_LE, "%lanemask_le")                                  \
    X(LANEMASK_LT, "%lanemask_lt") X(LANEMASK_GE, "%lanemask_ge")                                  \
    X(LANEMASK_GT, "%lanemask_gt") X(WARP_SIZE, "WARP_SZ")                                         \
    X(DYNAMIC_SMEM_SIZE, "%dynamic_smem_size") X(TOTAL_SMEM_SIZE, "%total_smem_size")              \
    X(CLOCK, "%clock") X(CLOCK_HI, "%clock_hi") X(CLOCK64, "%clock64")                             \
    X(GLOBALTIMER, "%globaltimer") X(GLOBALTIMER_LO, "%globaltimer_lo")                            \
    X(GLOBALTIMER_HI, "%globaltimer_hi") X(SMID, "%smid") X(NSMID, "%nsmid")                       \
    X(CLUSTER_CTARANK, "%cluster_ctarank") X(CLUSTER_NCTARANK, "%cluster_nctarank")                \
    X(CLUSTER_CTAID_X, "%cluster_ctaid.x") X(CLUSTER_NCTAID_X, "%cluster_nctaid.x")                \
    X(CLUSTER_CTAID_Y, "%cluster_ctaid.y") X(CLUSTER_NCTAID_Y, "%cluster_nctaid.y")                \
    X(CLUSTER_CTAID_Z, "%cluster_ctaid.z") X(CLUSTER_NCTAID_Z, "%cluster_nctaid.z")                \
    X(NCLUSTERID_X, "%nclusterid.x") X(NCLUSTERID_Y, "%nclusterid.y")                              \
    X(NCLUSTERID_Z, "%nclusterid.z") X(AGGR_SMEM_SIZE, "%aggr_smem_size")                          \
    X(RESERVED_BEGIN, "%reserved_smem_offset_begin") X(RESERVED_END, "%reserved_smem_offset_end")  \
    X(RESERVED_CAP, "%reserved_smem_offset_cap") X(RESERVED_0, "%reserved_smem_offset_0")          \
    X(RESERVED_1, "%reserved_smem_offset_1") X(ENVREG1, "%envreg1") X(ENVREG2, "%envreg2")         \
    X(GRIDID, "%gridid")

/* clang-format on */

enum bsim_ptx_special {
    BSIM_PTX_NO_SPECIAL,
#define X(name, spelling) BSIM_PTX_##name,
    BSIM_PTX_SPECIALS(X)
#undef X
};

/* Those that move on while a block runs. */
enum { BSIM_PTX_FIRST_CLOCK = BSIM_PTX_CLOCK, BSIM_PTX_LAST_CLOCK = BSIM_PTX_GLOBALTIMER_HI };

/* 64, or the 32 that narrower ones take up, too. */
static inline uint32_t bsim_ptx_special_bits(uint32_t special)
{
    bool is_64 = special == BSIM_PTX_CLOCK64 || special == BSIM_PTX_GLOBALTIMER ||
                 special == BSIM_PTX_GRIDID;
    return is_64 ? 64 : 32;
}

enum bsim_ptx_special bsim_ptx_special_find(const char *text, size_t length);

#endif

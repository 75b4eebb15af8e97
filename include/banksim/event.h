/* event.h - the stream that everything in banksim speaks.
 *
 * Sources (trace readers, kernel emulators) push records into a sink; sinks (the simulator, trace
 * writers) take them. A launch looks like this, in this order:
 *
 *     KERNEL  SITE*  ( BLOCK  ( EVENT | REPEAT ... DONE )* )*   ...next KERNEL...   END
 *
 * SITE may stand anywhere after its KERNEL and before its first use. END comes exactly once, last;
 * a stream that stops without it was cut short and its totals must not be shown.
 *
 * Everything a record points to is borrowed: records and events live until push returns, a kernel
 * and its sites as long as records of that kernel come.
 */
#ifndef BANKSIM_EVENT_H
#define BANKSIM_EVENT_H

#include <banksim/status.h>
#include <banksim/tma.h>
#include <banksim/wgmma.h>

#include <stdbool.h>
#include <string.h>

enum {
    BSIM_WARP_LANES = 32,
    BSIM_BLOCK_MAX_THREADS = 1024,
    BSIM_AGAIN_MOST = 256,
    BSIM_REGISTERS_MOST = 255, /* of a thread, on any device */
    BSIM_BLOCK_MAX_WARPS = BSIM_BLOCK_MAX_THREADS / BSIM_WARP_LANES,
    BSIM_REPEAT_MAX_DEPTH = 8,
    BSIM_OPCODE_NAME_SIZE = 64, /* longest spelling and its NUL fit */
    BSIM_ANY_COUNT = -1,        /* an event without that expectation or wait */
};

#define BSIM_ALL_COPIES UINT32_MAX /* event.groups of cp.async.wait_all */

#define BSIM_FULL_MASK UINT32_C(0xffffffff)
#define BSIM_ALL_WARPS UINT32_MAX /* event.warp of a `w*` event: every warp of the block */

/* ---- opcodes: one PTX instruction, taken apart ------------------------------------------- */

enum bsim_family {
    BSIM_LD,
    BSIM_ST,
    BSIM_ATOM,     /* atomic whose result is used */
    BSIM_RED,      /* atomic without result */
    BSIM_CP_ASYNC, /* global to shared memory without a register; its addresses are the shared
                      side's, those of the other are event.from */
    BSIM_LDMATRIX,
    BSIM_STMATRIX,
    BSIM_SHFL,
    BSIM_WARP_SYNC, /* bar.warp.sync; the event's mask is its operand */
    BSIM_FENCE,     /* membar, fence */
    BSIM_BAR,       /* bar.sync */
    BSIM_WGMMA,     /* of the four warps from the event's on, by descriptors: event.async */
    BSIM_BULK,      /* a copy by TMA, which no lane has a part in: event.async */
    BSIM_WORK,      /* other instructions, for cycles only; not a PTX spelling, nor are the next */
    BSIM_ARRIVE,    /* comes to a meeting of some warps of the block, and goes on */
    BSIM_AWAIT,     /* goes on when all that it takes have come to the meeting */
    BSIM_COPIES_COMMIT, /* cp.async.commit_group: the warp's copies since the last one are a group */
    BSIM_COPIES_WAIT,   /* cp.async.wait_group, wait_all: goes on when they have come, for cycles only */
    BSIM_COPIES_ARRIVE, /* cp.async.mbarrier.arrive: as BSIM_ARRIVE, when the warp's copies until then have come */
};

/* What the instructions of a family do with memory, a sum; nothing: no access. */
enum bsim_does {
    BSIM_READS = 1,
    BSIM_WRITES = 2,
    BSIM_UPDATES = 4,  /* reads and writes in one: an atomic */
    BSIM_COPIES = 8,   /* to shared memory, without anyone waiting */
    BSIM_BY_ROWS = 16, /* a matrix form: by whole warps, the first lanes give rows' addresses */
};

/* The one place that says so. */
static inline uint32_t bsim_family_does(uint32_t family)
{
    switch (family) {
    case BSIM_LD:
        return BSIM_READS;
    case BSIM_ST:
        return BSIM_WRITES;
    case BSIM_ATOM:
    case BSIM_RED:
        return BSIM_UPDATES;
    case BSIM_CP_ASYNC:
        return BSIM_COPIES;
    case BSIM_LDMATRIX:
        return BSIM_READS | BSIM_BY_ROWS;
    case BSIM_STMATRIX:
        return BSIM_WRITES | BSIM_BY_ROWS;
    default:
        return 0;
    }
}

/* Local memory is a thread's own: what does not fit into its registers. Its addresses are offsets
 * in the thread's window, those of a texture are the texels', those of a peer's shared memory, which is
 * another block's of the cluster, offsets in that block's window with a number of the block above
 * BSIM_PEER_BIT. */
enum bsim_space {
    BSIM_NO_SPACE,
    BSIM_SHARED,
    BSIM_GLOBAL,
    BSIM_LOCAL,
    BSIM_CONST,
    BSIM_TEXTURE,
    BSIM_PEER,
};

enum { BSIM_PEER_BIT = 24 };

enum bsim_operation {
    BSIM_NO_OPERATION,
    BSIM_ADD, /* atom, red */
    BSIM_MIN,
    BSIM_MAX,
    BSIM_INC,
    BSIM_DEC,
    BSIM_AND,
    BSIM_OR,
    BSIM_XOR,
    BSIM_EXCH,
    BSIM_CAS,
    BSIM_POPC_INC, /* red only: +1, lanes of one word added up first; see src/model/atomic.c */
    BSIM_IDX,      /* shfl */
    BSIM_UP,
    BSIM_DOWN,
    BSIM_BFLY,
    BSIM_MEMBAR, /* fences: membar.gl is what PTX calls fence.sc.gpu today */
    BSIM_SC,
    BSIM_ACQ_REL,
    BSIM_PROXY_ASYNC, /* fence.proxy.async: between lanes' accesses and those of wgmma and TMA */
    BSIM_TO_SHARED, /* of BSIM_BULK; a reduction is BSIM_ADD to BSIM_XOR */
    BSIM_TO_GLOBAL,
};

/* Of work, in place of an operation: the pipe of a partition that its instructions go to, by Nsight
 * Compute's names. */
enum bsim_work_class {
    BSIM_WORK_ANY,    /* whole numbers of which each wants the one before: sums, addresses */
    BSIM_WORK_FP32,   /* FADD, FMUL, FFMA: pipe fma */
    BSIM_WORK_INT,    /* IADD3, LOP3, SHF, PRMT, ISETP, SEL, I2FP, VOTE: pipe alu */
    BSIM_WORK_IMAD,   /* IMAD, IDP: pipe fmaheavy; of before 9.0 the guide's multiply-add */
    BSIM_WORK_HALF,   /* HFMA2, HADD2, HMUL2: pipe fp16 */
    BSIM_WORK_FP64,   /* DADD, DMUL, DFMA: pipe fp64 */
    BSIM_WORK_XU,     /* MUFU, POPC, BREV, FLO, F2I, F2F: pipe xu */
    BSIM_WORK_TENSOR, /* HMMA of 16 by 8 by 16 halves: pipe tensor */
    BSIM_WORK_LSU,    /* no pipe of a partition: LDS, STS that no lane does, by their predicates: a turn of the data pipe each */
    BSIM_N_WORK_CLASSES,
};

/* "fp32", "int", ... as the trace format and the sketches of `check` have them; "" of BSIM_WORK_ANY
 * and of what is none. */
BSIM_API const char *bsim_work_class_name(uint32_t work_class);

/* The class of that name in text[0..length), or BSIM_N_WORK_CLASSES. */
BSIM_API uint32_t bsim_work_class_find(const char *text, size_t length);

/* Of a fence: whose view it orders; of one between proxies: of which memory, or of all. */
enum bsim_fence_scope {
    BSIM_NO_SCOPE,
    BSIM_CTA,
    BSIM_GPU,
    BSIM_SYS,
    BSIM_VIEW_SHARED,
    BSIM_VIEW_CLUSTER,
    BSIM_VIEW_GLOBAL,
};

/* Of a load of global memory: ld.global.nc, through the read-only cache (__ldg), and ldu.global, of
 * one address for the whole warp. Of a copy: cp.async.cg, past L1. Of what goes to a peer's shared memory:
 * st.async and red.async, which tell an mbarrier there. */
enum bsim_path { BSIM_USUAL_PATH, BSIM_NC, BSIM_LDU, BSIM_BYPASS, BSIM_TELLS };

struct bsim_opcode {
    uint8_t family;    /* enum bsim_family */
    uint8_t space;     /* enum bsim_space */
    uint8_t operation; /* enum bsim_operation; of BSIM_WORK an enum bsim_work_class */
    char type;         /* 'b', 'u', 's', 'f'; 'h' for f16x2, 'n' for bf16x2; or 0. Of A and B of a
                          wgmma also 'n' for bf16, 't' for tf32, 'e' for e4m3, 'd' for e5m2 */
    uint8_t bits;      /* of one element: 8, 16, 32, 64, or 0 */
    uint8_t count;     /* vector elements 1, 2, 4; matrices 1, 2, 4; n / 8 of a wgmma; dimensions of
                          a BSIM_BULK, 0 for bytes in a row; else 0 */
    uint8_t bytes;     /* that one address stands for: 1 to 16; 16 for a matrix row; else 0 */
    bool is_volatile;
    bool is_transposed; /* .trans */
    uint8_t scope;      /* enum bsim_fence_scope */
    uint8_t path;       /* enum bsim_path */
};

/* Whether a and b are the same instruction, all of whose fields are single bytes. Here, and not in
 * the library, because each event of a trace is asked. */
static inline bool bsim_opcode_same(const struct bsim_opcode *a, const struct bsim_opcode *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Reads a spelling of the trace format, e.g. "ld.shared.v4.f32", from text[0..length).
 * Fails with BSIM_E_INPUT and a message that says which part is not known (no place set). */
BSIM_API enum bsim_status bsim_opcode_parse(const char *text, size_t length,
                                            struct bsim_opcode *opcode,
                                            struct bsim_error *err) BSIM_MUST_USE;

/* Writes the spelling into name[0..BSIM_OPCODE_NAME_SIZE) and returns name. Total: the inverse of
 * bsim_opcode_parse for every opcode that it yields; "work", "arrive", "await" and the words of waits for copies
 * by cp.async for those that are none. */
BSIM_API const char *bsim_opcode_name(const struct bsim_opcode *opcode,
                                      char name[BSIM_OPCODE_NAME_SIZE]);

/* The lanes whose addresses count, one each: mask, or the first 8, 16, 32 lanes for a matrix form,
 * 0 for opcodes without addresses. */
BSIM_API uint32_t bsim_opcode_lanes(const struct bsim_opcode *opcode, uint32_t mask);

/* The events whose lanes touch memory. */
static inline bool bsim_opcode_is_access(const struct bsim_opcode *opcode)
{
    return bsim_family_does(opcode->family) != 0;
}

/* What goes on by itself once it has been issued: event.async says what. */
static inline bool bsim_opcode_is_async(const struct bsim_opcode *opcode)
{
    return opcode->family == BSIM_WGMMA || opcode->family == BSIM_BULK;
}

/* Comes to a meeting, or waits for one: event.meeting says for which. */
static inline bool bsim_opcode_meets(const struct bsim_opcode *opcode)
{
    return opcode->family == BSIM_ARRIVE || opcode->family == BSIM_AWAIT || opcode->family == BSIM_COPIES_ARRIVE;
}

/* Makes a group of the warp's copies by cp.async, or waits for them. */
static inline bool bsim_opcode_groups(const struct bsim_opcode *opcode)
{
    return opcode->family == BSIM_COPIES_COMMIT || opcode->family == BSIM_COPIES_WAIT;
}

/* True for atom and red. */
static inline bool bsim_opcode_is_atomic(const struct bsim_opcode *opcode)
{
    return (bsim_family_does(opcode->family) & BSIM_UPDATES) != 0;
}

/* True for ldmatrix and stmatrix. */
static inline bool bsim_opcode_is_matrix(const struct bsim_opcode *opcode)
{
    return (bsim_family_does(opcode->family) & BSIM_BY_ROWS) != 0;
}

/* Whether its requests are counted in sectors: of global and local memory, of textures and peers. */
static inline bool bsim_opcode_has_sectors(const struct bsim_opcode *opcode)
{
    return opcode->space == BSIM_GLOBAL || opcode->space == BSIM_LOCAL ||
           opcode->space == BSIM_TEXTURE || opcode->space == BSIM_PEER;
}

/* Whether requests of it that say where they are from (has_from; of cp.async alone) have counts of sectors, or have
 * none for sure: not known are those of cp.async.ca, which go through L1, and of what does not say. */
static inline bool bsim_opcode_knows_sectors(const struct bsim_opcode *opcode, bool has_from)
{
    return opcode->family != BSIM_CP_ASYNC || (opcode->path == BSIM_BYPASS && has_from);
}

/* The spellings of the format, one after another: index 0, 1, ... until false. Only canonical
 * ones: no two indices give the same opcode. Without BSIM_WGMMA and BSIM_BULK, whose events have
 * fields of their own. */
BSIM_API bool bsim_opcode_at(size_t index, struct bsim_opcode *opcode);

/* ---- the stream --------------------------------------------------------------------------- */

struct bsim_dim3 {
    uint32_t x, y, z;
};

static inline bool bsim_dim3_same(struct bsim_dim3 a, struct bsim_dim3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* The (x, y, z) of thread t of a block of that shape. */
static inline struct bsim_dim3 bsim_dim3_thread(struct bsim_dim3 block, uint32_t t)
{
    struct bsim_dim3 thread = {t % block.x, t / block.x % block.y, t / block.x / block.y};
    return thread;
}

struct bsim_kernel {
    const char *name;
    struct bsim_dim3 grid;  /* blocks, each >= 1 */
    struct bsim_dim3 block; /* threads, each >= 1, product <= BSIM_BLOCK_MAX_THREADS */
    uint32_t shared_bytes;  /* the block's shared window */
    bool has_shared;        /* shared_bytes was given; false: any shared address is allowed */
    uint32_t registers;     /* of a thread, which the blocks per SM hang on; 0: not known */
    const char *device;     /* name of the device it was recorded for, or NULL */
    const char *extras;     /* the "x-key=value" words, separated by one blank; "" if none */
    bool is_machine_code;   /* events are SASS instructions: of Accel-Sim's reader */
    uint32_t again; /* 0; or it does what the again-th launch before it did, the same, and has no
                       sites and blocks of its own: at most BSIM_AGAIN_MOST */
};

struct bsim_site {
    uint32_t number; /* as in the trace, >= 1 */
    uint32_t index;  /* 0, 1, 2, ... in the order of definition within the kernel */
    struct bsim_opcode opcode;
    const char *file; /* source place, or NULL */
    uint32_t line;    /* of file; 0 if none */
    const char *text; /* source text, or NULL */
};

/* Where the lanes of a copy have their bytes from in global memory, in either form of an event's own
 * addresses. */
struct bsim_from {
    bool affine;
    uint64_t base;
    int64_t stride;
    uint64_t address[BSIM_WARP_LANES];
};

/* What the lanes of a warp have no addresses for. */
struct bsim_async {
    struct bsim_wgmma_descriptor a, b; /* BSIM_WGMMA */
    bool a_in_registers;               /* and a means nothing */
    struct bsim_tma copy;              /* BSIM_BULK */
    uint32_t arrives; /* BSIM_BULK, a load: the meeting that it comes to when all of it is there, as
                         BSIM_ARRIVE does, so in no repeat; 0: none */
};

/* What an instruction reads of the two banks of registers, those with even and with odd numbers: how many of each, and
 * how many of these are at hand (marked .reuse by an instruction before it) if no work of another warp that reads some has
 * come in between in its partition. Nothing: not known. Not asked for in a block that has work of BSIM_WORK_TENSOR. Each
 * bank gives a register a clock: src/timing/README.md. */
struct bsim_reads {
    uint8_t even, odd;               /* 0 to BSIM_MOST_READS */
    uint8_t reused_even, reused_odd; /* no more than these */
};

enum { BSIM_MOST_READS = 15 };

/* One warp instruction. Lane l's byte address is address[l] where `affine` is false (valid for the
 * lanes of bsim_opcode_lanes only), and base + l * stride where it is true (modulo 2^64; matrix
 * forms count rows the same way). Shared addresses are offsets in the block's window and fit 32
 * bits. */
struct bsim_event {
    struct bsim_opcode opcode;
    uint32_t warp; /* 0-based in the block, or BSIM_ALL_WARPS */
    uint32_t mask; /* active lanes; never 0 for accesses and shfl */
    bool affine;
    uint64_t base;
    int64_t stride;
    const struct bsim_site *site; /* of the same opcode, or NULL */
    const struct bsim_from *from; /* of a copy, as long as the event; NULL: not known */
    const struct bsim_async *async; /* of BSIM_WGMMA and BSIM_BULK, as long as the event */
    int32_t wait;                 /* cycles only: earlier results that may be outstanding, or
                                     BSIM_ANY_COUNT */
    uint32_t work_count;          /* BSIM_WORK: instructions, >= 1 */
    uint32_t work_cycles;         /* BSIM_WORK: cycles to the next event's issue */
    struct bsim_reads reads;      /* BSIM_WORK of fp32 to xu: of each of its instructions; cycles only */
    uint32_t meeting;             /* BSIM_ARRIVE, BSIM_AWAIT, BSIM_COPIES_ARRIVE: its number in the block, >= 1. One
                                     that has taken place takes place no more: so in no repeat */
    uint32_t arrivals;            /* BSIM_AWAIT: arrivals of the block that it takes */
    uint32_t groups;              /* BSIM_COPIES_WAIT: the last groups, which may be on their way; or
                                     BSIM_ALL_COPIES, of none nor of what is in no group yet */
    int32_t expect_wavefronts;    /* an assertion, or BSIM_ANY_COUNT */
    int32_t expect_conflicts;
    uint64_t address[BSIM_WARP_LANES];
};

/* An event with nothing in it yet: no site, wait or expectation, mask full, warp 0. */
BSIM_API void bsim_event_init(struct bsim_event *event, const struct bsim_opcode *opcode);

/* Lane l's address for each lane of bsim_opcode_lanes, whichever form the event has; other
 * entries of out are set to 0. */
BSIM_API void bsim_event_addresses(const struct bsim_event *event, uint64_t out[BSIM_WARP_LANES]);

/* Where the lanes of bsim_opcode_lanes copy from, if event->from is there; other entries of out are
 * set to 0. */
BSIM_API void bsim_event_from(const struct bsim_event *event, uint64_t out[BSIM_WARP_LANES]);

struct bsim_repeat {
    uint32_t trips;       /* >= 1 */
    uint32_t work_count;  /* the loop's own control per turn; cycles only */
    uint32_t work_cycles; /* the next turn starts no earlier */
};

enum bsim_record_kind {
    BSIM_RECORD_KERNEL,
    BSIM_RECORD_SITE,
    BSIM_RECORD_BLOCK,
    BSIM_RECORD_EVENT,
    BSIM_RECORD_REPEAT,
    BSIM_RECORD_DONE,
    BSIM_RECORD_END,
};

struct bsim_record {
    enum bsim_record_kind kind;
    uint64_t line; /* of the source it was read from; 0 if none */
    union {
        const struct bsim_kernel *kernel;
        const struct bsim_site *site;
        struct bsim_dim3 block; /* coordinates in the grid */
        const struct bsim_event *event;
        struct bsim_repeat repeat;
    } u;
};

/* ---- sinks -------------------------------------------------------------------------------- */

struct bsim_batch;

/* Takes records. push returns BSIM_OK or the status that ends the stream; a source that gets an
 * error adds its own place to err if err has none, and stops. */
struct bsim_sink {
    enum bsim_status (*push)(void *context, const struct bsim_record *record,
                             struct bsim_error *err);
    void *context;
    /* Takes many events at once, in the library's own short form (src/event/batch.h). NULL: the
     * sink wants each by itself. */
    enum bsim_status (*push_batch)(void *context, struct bsim_batch *batch, struct bsim_error *err);
};

/* Pushes END. */
static inline enum bsim_status bsim_push_end(const struct bsim_sink *sink, struct bsim_error *err)
{
    struct bsim_record end;
    memset(&end, 0, sizeof end);
    end.kind = BSIM_RECORD_END;
    return sink->push(sink->context, &end, err);
}

#endif

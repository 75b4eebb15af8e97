/* machine.h - a block of threads at work: warps of 32 lanes, one step at a time.
 *
 *     lower.h     a kernel's instructions as steps, its registers as places in a warp's file
 *     steps.h     what is found out about them before they run
 *     find.c      which table knows an instruction that computes in registers alone: alu_body.h the
 *                 common ones (compiled by alu.c, alu_avx2.c), integer.c, compare.c, float.c, video.c
 *     convert.c   cvt
 *     access_body.h   loads, stores, atomics; their events (compiled by access.c, access_avx2.c)
 *     exchange.c  shuffles, votes
 *     service.c   copies beside the threads, fences; mbarrier.c: barriers in memory; bulk.c: copies by TMA;
 *                 matrix.c: matrices of a warp
 *     texture.c   textures and surfaces; sample.c: what they have at a place
 *     system.c    printf, assert, malloc, free
 *     locate.c    what addresses lead to; memory.c the pieces of global memory
 *     warp.c      branches, calls: who goes on; frame.c: who comes back where; fresh.c: with which
 *                 registers a block begins
 *     wait.c      barriers, of a block and of lanes; idle.c loops that look for what others do;
 *                 stuck.c: when nobody ever goes on
 *     blocks.c    blocks, one after the other; ahead.c several at a time; launch.c the whole
 *     order.c     whether another order of the warps, or of the blocks, would count otherwise
 *     where.c     whether arrays that lie elsewhere would
 *
 * Lanes part at branches and meet again where all ways come through (flow.c). Until then the parts
 * of a warp are groups that run one after the other; each may wait for another, as independent
 * thread scheduling has it.
 */
#ifndef BSIM_PTX_MACHINE_H
#define BSIM_PTX_MACHINE_H

#include "ptx/memory.h"
#include "ptx/module.h"
#include "ptx/tape.h"

struct bsim_ptx_warp;
struct bsim_ptx_step;

/* Who gets what a kernel prints. */
struct bsim_ptx_printer {
    void (*print)(void *context, const char *text, size_t length);
    void *context;
};

/* A register in a lane: of 32 bits, or of 64. A 16-bit value is in the lower half of 32 bits, the
 * upper half zero. A predicate of a warp is one word, a bit for each lane. */
union bsim_w32 {
    uint32_t u;
    int32_t s;
    float f;
};
union bsim_w64 {
    uint64_t u;
    int64_t s;
    double f;
};

typedef void bsim_ptx_run(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step);

enum bsim_ptx_step_kind {
    BSIM_PTX_COMPUTE, /* run it, and go on */
    BSIM_PTX_NOTHING_HAPPENS,
    BSIM_PTX_BRANCH,
    BSIM_PTX_BRANCH_BY_INDEX, /* of the lanes whose `a` is what it is for */
    BSIM_PTX_CALL,
    BSIM_PTX_CALL_BY_ADDRESS, /* in `a` */
    BSIM_PTX_RETURN,
    BSIM_PTX_LEAVE, /* exit, and ret of a kernel */
    BSIM_PTX_MEET_LANES, /* run it when the lanes that its mask names are there */
    BSIM_PTX_MEET_WARPS, /* run it for each of four warps when all have come */
    BSIM_PTX_BARRIER,
    BSIM_PTX_CLUSTER_ARRIVES, /* at the cluster's barrier */
    BSIM_PTX_CLUSTER_WAITS,
    BSIM_PTX_REFUSED, /* not known here: the launch ends, and says so */
};

#define BSIM_PTX_NOWHERE UINT32_MAX

/* An instruction as the machine runs it. Places are in words of 4 bytes from the start of the
 * warp's register file, in which immediates stand too, the same in each lane. */
struct bsim_ptx_step {
    bsim_ptx_run *run;
    uint8_t kind;
    bool is_meeting; /* lanes of some branch meet before it, or a turn of a loop that waits for others ... */
    bool is_look;    /* ... begins, which ends in no other way (spin.c) */
    bool has_guard, guard_negated;
    bool parts; /* a branch: its condition varies among the lanes of a warp, as far as ptxas sees (uniform.c) */
    bool is_of_matrices; /* its operands are fragments of matrices, or where they lie */
    uint32_t guard;
    uint32_t d, a, b, c, e; /* e of what meets lanes: the mask that names them */
    const uint32_t
        *more;       /* places of a vector's members, or what the instruction's function wants */
    uint32_t number; /* of the program's steps as the code has them: schedule.c puts them in another order */
    uint32_t target; /* branch, call: index of a step */
    uint32_t meet;   /* branch: the step where its ways meet, or BSIM_PTX_NOWHERE */
    struct bsim_ptx_access *access;
    const struct bsim_ptx_callee *callee;     /* of a call; by address those that it may mean */
    const struct bsim_ptx_argument *argument; /* of a service, one for each operand */
    const struct bsim_ptx_instruction *from;
    const struct bsim_ptx_pace *pace;
    const struct bsim_ptx_instruction *condition; /* the branch whose condition ptxas has put on it, or NULL (skip.c) */
    const struct bsim_ptx_skip *skipped; /* of a branch: what those take that it leads by, or NULL (skip.c) */
    const char *why; /* it is refused */
};

/* A function that may call itself, by whatever way: each of its calls has variables of its own. */
struct bsim_ptx_recursive {
    const struct bsim_ptx_function *function;
    const uint32_t *place;     /* of its registers ... */
    uint32_t first, n_words;   /* ... which are these words of a warp's file */
    uint32_t bytes;            /* of its variables, with what it gets and gives; a multiple of 16 */
    uint32_t least;            /* bytes of stack that a GPU's call takes at least */
    uint32_t cycle;            /* functions that call each other in a circle have the same */
    struct bsim_ptx_constant *address; /* of variables, from where those of the call begin */
    uint32_t n_addresses;
};

/* A function that is called; the last of a list has no `more`. */
struct bsim_ptx_callee {
    uint64_t address;     /* of what is called by it */
    uint32_t target;      /* index of a step */
    const uint32_t *more; /* {n, n * {from, to, bytes}} of what goes there, and of what comes back */
    const struct bsim_ptx_recursive *recursive; /* itself, or NULL */
    const struct bsim_ptx_recursive *kept; /* the caller, if the call may lead to it again, or NULL */
};

/* An operand of a service, whatever its form: a vector has n places, a pair two, an address one. What
 * is a name or nobody's has none, or BSIM_PTX_NOWHERE. */
struct bsim_ptx_argument {
    uint32_t n;
    const uint32_t *place;
    const uint8_t *bytes; /* of each: 1 is a predicate */
    bool is_negated;
    uint64_t offset; /* of an address */
};

enum { BSIM_PTX_MAX_ELEMENTS = 8 };

/* A load, store or atomic of memory. */
/* How ptxas has one lane make an atomic for all (uniform.c). */
enum bsim_ptx_gather {
    BSIM_PTX_GATHERS_NONE,
    BSIM_PTX_GATHERS_PRODUCT, /* a value that all have, as often as lanes are active */
    BSIM_PTX_GATHERS_REDUX,
    BSIM_PTX_GATHERS_SCAN, /* by shuffles, if all 32 are active */
};

struct bsim_ptx_access {
    enum bsim_ptx_space space;
    uint32_t bytes, count; /* of an element; elements: 1, 2, 4, 8 */
    uint32_t register_bits[BSIM_PTX_MAX_ELEMENTS];
    uint32_t value[BSIM_PTX_MAX_ELEMENTS]; /* places of the elements, BSIM_PTX_NOWHERE: nobody's */
    bool is_signed;            /* a narrow load extends the sign */
    bool is_64;                /* the address's register is */
    uint64_t offset;           /* added to each address */
    struct bsim_opcode opcode; /* of the event; family 0 bytes 0: none */
    bool is_silent;            /* part of an access that ptxas merged; another has the event */
    bool reaches_peers;        /* it may lead to other blocks of the cluster: the next site is theirs */
    int64_t first;             /* from this address to the merged access's first byte */
    uint32_t merged; /* accesses of the code that its event stands for; 0: itself alone, as it stands; 1: a
                        part of it alone, ... */
    int64_t again;   /* ... and another one, so far behind; 0: none */
    bool may_merge; /* in a loop that ptxas may unroll, and merge what is then adjacent */
    bool may_drop;  /* ptxas may leave it out for lanes that can do without it */
    bool may_add;   /* it may execute it for more lanes */
    bool is_chance; /* in a loop that waits for other threads: how often is chance */
    bool decides;   /* addresses or accesses may hang on what it loads (decide.c) */
    const struct bsim_ptx_symbol
        *array;                    /* that it leads into; of a parameter: to what that points */
    uint32_t root;                 /* register that its address begins at, or BSIM_PTX_NOWHERE */
    uint32_t site;                 /* number of its site; of a generic access the first of three */
    enum bsim_operation operation; /* of an atomic */
    enum bsim_ptx_gather gather;   /* of an atomic */
    bool is_float;                 /* of an atomic: its type has a point */
    bool is_half, is_bfloat;       /* which is f16 or bf16, or a pair of them */
    uint32_t result; /* its old value's place, or BSIM_PTX_NOWHERE; others in the step's `more` */
};

/* A value that stands in every warp's file from the start. */
struct bsim_ptx_constant {
    uint32_t place;
    bool is_64;
    uint64_t bits;
};

/* Sites of a kernel that may count otherwise on a GPU, and what else is not as there. */
struct bsim_ptx_doubts {
    uint32_t n_may_merge; /* in loops that ptxas may unroll, and merge */
    uint32_t n_may_drop;  /* that it may leave out for lanes that can do without */
    uint32_t n_may_add;   /* that it may execute for more lanes */
    uint32_t n_chance;    /* in loops that wait for other threads */
    bool calls_by_address, recurs;
    bool is_of_source;    /* banksim's own reading of CUDA C */
    bool has_mathematics; /* in place of nvcc's library */
    uint32_t turns, ways; /* lines where nvcc makes fewer accesses of a loop's turns, of an if's ways; 0: none */
    bool is_elsewhere;    /* addresses or accesses hang on a clock, or on where a block runs */
};

enum { BSIM_PTX_MEETING_BYTES = 8 }; /* by which the blocks of a cooperative launch meet */

/* What goes on beside a warp in groups that it commits and waits for. */
enum bsim_ptx_groups_of { BSIM_PTX_OF_BULK, BSIM_PTX_OF_WGMMA, BSIM_PTX_GROUPS_OF };

/* Words of a warp's file, one behind the other. */
struct bsim_ptx_words {
    uint32_t place, n;
};

/* A kernel with the functions that it calls, ready to run. */
struct bsim_ptx_program {
    const struct bsim_ptx_module *module;
    const struct bsim_ptx_function *kernel;
    struct bsim_ptx_step *step;
    uint32_t n_steps;
    uint32_t n_words; /* of a warp's file */
    struct bsim_ptx_constant *constant;
    uint32_t n_constants;
    struct bsim_ptx_words *fresh; /* that are zero when a block begins; others it writes first */
    uint32_t n_fresh;
    uint32_t special[BSIM_PTX_GRIDID + 1]; /* places; 0: not used (place 0 is nobody's) */
    uint32_t shared_bytes;                 /* static */
    const char *shared;                    /* "As@0:1024+Bs@1024:1024+s@2048": its arrays' names, where
                                              they begin, and their bytes; dynamic memory has none */
    uint32_t local_bytes;                  /* of a thread, with what calls hand over; calls of what
                                              recurs have theirs behind it */
    uint32_t kept_words;                   /* of registers that a call keeps, at most */
    struct bsim_site *site; /* number n is site[n - 1]; `index` is a running block's to say */
    uint32_t n_sites;
    struct bsim_ptx_doubts doubts;
    bool hangs_on_warps, hangs_on_blocks; /* branches or addresses may, on memory that they write */
    struct bsim_ptx_order *order;         /* what launches have found of the order of these, ... */
    struct bsim_ptx_where *where;         /* ... and of where their arrays lie */
    bool asks_for_local; /* whether its memory was written: some of it may decide */
    bool has_effects; /* beside memory: it prints, allocates; or reads textures, which are not in it */
};

/* Where state spaces stand among generic addresses. Global and constant memory are where
 * bsim_ptx_memory has them. */
#define BSIM_PTX_SHARED_WINDOW (UINT64_C(0x7ffe) << 32)
#define BSIM_PTX_LOCAL_WINDOW (UINT64_C(0x7ffd) << 32)
#define BSIM_PTX_PARAM_WINDOW (UINT64_C(0x7ffc) << 32)
#define BSIM_PTX_CODE_WINDOW (UINT64_C(0x7ffb) << 32) /* addresses of functions */

enum { BSIM_PTX_MAX_GROUPS = 64, BSIM_PTX_MAX_MEETS = 64 };

/* Lanes of a warp that are at one place. */
struct bsim_ptx_group {
    uint32_t mask;
    uint32_t pc;
    int32_t meet; /* index, or -1 */
    uint32_t depth; /* of calls */
    uint32_t n_slices; /* that it has used up: who waits in a loop lets the others go on */
    uint32_t n_cut;    /* steps of a slice that its warp's turn has cut; 0: none was */
    uint32_t anchor;   /* of a block that is watched: the step at which its last slice ended */
    bool is_waiting;   /* at a barrier */
    bool is_idle;      /* it has looked in vain; see idle.c */
    uint32_t head;     /* where it was to look, or BSIM_PTX_NOWHERE: it has not */
    uint64_t seen;     /* n_changes of the block then */
    uint32_t barrier;
    uint32_t members;             /* of a warp's barrier: lanes */
    struct bsim_ptx_frame *frame; /* the innermost call, or NULL */
    uint32_t base, top; /* of each lane's memory: where its call's own part begins, or 0; all of it */
    uint32_t stack;     /* bytes that its calls would have taken on a GPU, at least */
};

/* Where the lanes of a branch meet again. */
struct bsim_ptx_meet {
    uint32_t pc, depth;
    uint32_t expected, arrived; /* lanes; those that left are not expected */
    int32_t outer;              /* the next, or -1 */
    bool is_used;
};

struct bsim_ptx_warp {
    uint32_t *file;
    uint32_t mask; /* lanes that execute the step under way */
    uint32_t number;
    uint32_t alive;
    uint32_t n_barriers; /* of the block's that it has come to */
    uint32_t at_cluster; /* lanes that have come to the cluster's barrier, which has not let them through yet */
    bool looks; /* again and again whether a barrier in memory lets it go on */
    struct bsim_ptx_trail *trail, *last_trail; /* while it notes one, or NULL; the last one */
    bool has_updated; /* memory by an atomic, since that began */
    struct bsim_ptx_block *block;
    struct bsim_ptx_work *work; /* or NULL */
    struct bsim_ptx_pending *pending; /* copies; NULL: it has begun none */
    struct bsim_ptx_groups *groups[BSIM_PTX_GROUPS_OF]; /* of what goes on beside it; NULL: none has begun */
    unsigned char *local;       /* 32 threads' memory, one behind the other, ... */
    uint32_t local_stride;      /* ... which have room for so many bytes */
    unsigned char *local_written; /* of each byte of it: 1 if somebody wrote it; NULL: nobody asks */
    uint32_t base, top;         /* of the group that runs */
    struct bsim_ptx_frame *frames, *spare; /* all that were made; those that nobody is in */
    uint32_t n_groups;
    struct bsim_ptx_group group[BSIM_PTX_MAX_GROUPS];
    uint32_t n_meets; /* in use, of these */
    struct bsim_ptx_meet meet[BSIM_PTX_MAX_MEETS];
};

/* The word of a warp's file with the carry of each lane. */
#define BSIM_PTX_CARRY 32u

/* Of a block; where lanes of a warp wait for each other; where four warps do; where a cluster does. */
enum {
    BSIM_PTX_BARRIERS = 16,
    BSIM_PTX_WARP_BARRIER = BSIM_PTX_BARRIERS,
    BSIM_PTX_WARPS_BARRIER,
    BSIM_PTX_CLUSTER_BARRIER,
};

/* Of some warps of a block, as the stream knows it; see meet.c. */
struct bsim_ptx_meeting {
    uint32_t number;     /* in the block; 0: nobody has come yet */
    uint32_t n_arrivals; /* of warps, so far */
};

/* A barrier of a block, since it let threads through last. */
struct bsim_ptx_barrier {
    uint32_t expected;      /* threads; 0: all that are there */
    uint32_t waiting;       /* threads */
    uint32_t arrived;       /* threads that did not wait (bar.arrive) */
    uint32_t n_true, n_all; /* of bar.red's predicates */
    struct bsim_ptx_meeting meeting;
};

enum { BSIM_PTX_FOUND = 32 };

/* When blocks' warps leave trails; see stuck.c. */
struct bsim_ptx_look {
    uint32_t n_rounds; /* that are left of this look; 0: none is under way */
    uint64_t start;    /* steps of all blocks when it began */
    uint64_t due;      /* when the next one does */
};

/* Whether a block's warps go round for ever; see stuck.c. */
struct bsim_ptx_watch {
    struct bsim_ptx_look look;
    bool is_on;
    uint64_t start;     /* n_steps when the block began */
    uint64_t from;      /* n_steps at which it began, or a thread has ended since */
    uint32_t n_alive;   /* threads then */
    uint64_t last;      /* n_steps of the last look */
    bool has_changed;   /* memory may have, since then */
    uint64_t hash;      /* of the state then */
    uint32_t n_same;    /* looks that found the same */
    bool is_known;      /* that it comes to the same state for ever */
};

/* What a fault is to the program that launched. */
enum bsim_ptx_wrong {
    BSIM_PTX_STRAY, /* an address, and whatever else has no word here */
    BSIM_PTX_MISALIGNED,
    BSIM_PTX_TRAPPED,
    BSIM_PTX_ASSERTED,
    BSIM_PTX_ILLEGAL, /* an instruction that this warp may not execute */
    BSIM_PTX_ENDLESS, /* a GPU would wait for ever */
    BSIM_PTX_NO_PEER, /* another block's memory that is not there */
    BSIM_PTX_NO_CLUSTER, /* the launch: blocks that make no clusters */
};

/* The running block, and the launch it belongs to. */
struct bsim_ptx_block {
    const struct bsim_ptx_program *program;
    struct bsim_ptx_memory *memory;
    struct bsim_ptx_stream *stream;
    struct bsim_ptx_tape *tape;
    struct bsim_ptx_view *view; /* of a block that runs ahead of its turn (ahead.c); else NULL */
    size_t most_bytes;          /* of such a block's tape */
    uint64_t most_steps;        /* where a block gives up that is tried (order.c); 0: it is not */
    uint64_t longest;           /* instructions behind which it goes on too long; 0: never */
    uint64_t last_step;         /* where the launch ends; 0: nowhere */
    bool is_last_first;         /* another order, to compare: the last warp first, in small turns */
    const struct bsim_ptx_printer *printer; /* or NULL */
    struct bsim_error *err;
    enum bsim_status status;
    enum bsim_ptx_wrong *wrong; /* gets the kind of a fault; or NULL */
    struct bsim_dim3 grid, threads, place;
    uint64_t n_blocks; /* that are run, of the grid's */
    uint32_t n_threads, n_warps;
    uint32_t n_alive; /* threads that have not ended */
    unsigned char *shared;
    uint32_t shared_bytes, dynamic_bytes;
    uint32_t own_bytes;   /* of shared memory, which are the kernel's; what is reserved lies behind them */
    uint32_t stack_bytes; /* of a thread, for calls of what recurs, at most */
    uint64_t heap_bytes;  /* of all that kernels have allocated, at most */
    uint64_t meeting; /* of a grid whose blocks meet (together.c), else 0 */
    bool is_together; /* others run at the same time: those of its grid, or of its cluster */
    struct bsim_dim3 cluster;           /* how many blocks that has */
    uint32_t n_ranks, rank;             /* in all, and which of them this is */
    struct bsim_ptx_block *const *ranks; /* all of them; NULL: it is alone */
    struct bsim_ptx_meeting at_cluster, was_at_cluster; /* its barrier's, and the last that let threads through */
    const unsigned char *parameters;    /* of the kernel, as it lays them out */
    struct bsim_ptx_findings *findings; /* or NULL: nobody wants any */
    bool has_work;                      /* events say what stands between them */
    uint64_t n_steps;                   /* executed by warps, in all blocks */
    uint64_t n_changes;                 /* that it has made to memory by stores, atomics, TMA and at mbarriers */
    uint64_t stalled_at;                /* n_changes when all were idle, or UINT64_MAX */
    bool rests;                         /* nobody went on in the last round, and some are idle */
    struct bsim_ptx_watch watch;
    struct bsim_ptx_piece found[BSIM_PTX_FOUND]; /* by steps, last; size 0: none */
    struct bsim_ptx_barrier barrier[BSIM_PTX_BARRIERS];
    uint32_t n_meetings;
    struct bsim_ptx_mbarrier *mbarrier; /* those in memory that somebody has come to */
    uint32_t n_mbarriers;
    struct bsim_ptx_coming *coming; /* copies by TMA that nobody has waited for */
    uint32_t n_coming;
    struct bsim_ptx_proxy *proxy; /* what wgmma and TMA may not see yet, or NULL (proxy.c) */
    struct bsim_ptx_tiles *tiles; /* which of TMA's tiles lie where, or NULL (tiles.c) */
    struct bsim_ptx_warp warp[BSIM_BLOCK_MAX_WARPS];
};

/* Whether one lane makes the atomic for all that are active. */
static inline bool bsim_ptx_gathers(const struct bsim_ptx_warp *warp,
                                    const struct bsim_ptx_access *access)
{
    return access->gather != BSIM_PTX_GATHERS_NONE &&
           (access->gather != BSIM_PTX_GATHERS_SCAN || warp->mask == BSIM_FULL_MASK);
}

/* Shared memory of another block of the cluster, by mapa: its rank, and 1, stand before the address there. Own
 * addresses are below, whatever the block's rank.
 *
 *     0x000400   own byte 1024            0x3000400   that of the block of rank 2
 */
enum { BSIM_PTX_RANK_BIT = 24, BSIM_PTX_MOST_OWN = (1 << BSIM_PTX_RANK_BIT) - 1 };

/* The block that the shared address leads to, which becomes the one there; its own where there is no such rank. */
static inline struct bsim_ptx_block *bsim_ptx_block_at(struct bsim_ptx_block *block, uint64_t *address)
{
    uint64_t rank = *address >> BSIM_PTX_RANK_BIT;
    if (rank == 0 || rank > block->n_ranks || block->ranks == NULL) {
        return block;
    }
    *address &= BSIM_PTX_MOST_OWN;
    return block->ranks[rank - 1];
}

static inline union bsim_w32 *bsim_ptx_at32(const struct bsim_ptx_warp *warp, uint32_t place)
{
    return (union bsim_w32 *)(void *)(warp->file + place);
}

static inline union bsim_w64 *bsim_ptx_at64(const struct bsim_ptx_warp *warp, uint32_t place)
{
    return (union bsim_w64 *)(void *)(warp->file + place);
}

/* Lane's own memory. */
static inline unsigned char *bsim_ptx_local(const struct bsim_ptx_warp *warp, uint32_t lane)
{
    return warp->local + (size_t)lane * warp->local_stride;
}

/* Lane's bits of the register at place: of 64 bits, or of the 32 that narrower ones take up, too. */
static inline uint64_t bsim_ptx_take(const struct bsim_ptx_warp *warp, uint32_t place, bool is_64,
                                     uint32_t lane)
{
    return is_64 ? bsim_ptx_at64(warp, place)[lane].u : bsim_ptx_at32(warp, place)[lane].u;
}

/* Lane's address in a service's argument: a narrow one is added up in 32 bits, as the code of an array
 * that begins at 0 wants it, [%r1+508] with %r1 = -256. */
static inline uint64_t bsim_ptx_take_address(const struct bsim_ptx_warp *warp,
                                             const struct bsim_ptx_argument *argument, uint32_t lane)
{
    bool is_64 = argument->bytes[0] == 8;
    uint64_t address = bsim_ptx_take(warp, argument->place[0], is_64, lane) + argument->offset;
    return is_64 ? address : (uint32_t)address;
}

/* Lane's value of a service's argument; a predicate's as its `!` has it. */
static inline uint64_t bsim_ptx_take_argument(const struct bsim_ptx_warp *warp,
                                              const struct bsim_ptx_argument *argument,
                                              uint32_t lane)
{
    uint32_t place = argument->place[0];
    return argument->bytes[0] == 1 ? (warp->file[place] >> lane & 1) ^ argument->is_negated
                                   : bsim_ptx_take(warp, place, argument->bytes[0] == 8, lane);
}

/* The other way round; of a register of 16 bits the upper half stays zero. */
static inline void bsim_ptx_put(struct bsim_ptx_warp *warp, uint32_t place, uint32_t bits,
                                uint32_t lane, uint64_t value)
{
    if (bits == 64) {
        bsim_ptx_at64(warp, place)[lane].u = value;
    } else {
        bsim_ptx_at32(warp, place)[lane].u = (uint32_t)(bits == 16 ? value & 0xffff : value);
    }
}

/* The same of a service's argument, which may be nobody's, or a predicate. */
static inline void bsim_ptx_put_argument(struct bsim_ptx_warp *warp,
                                         const struct bsim_ptx_argument *argument, uint32_t lane,
                                         uint64_t value)
{
    uint32_t place = argument->n > 0 ? argument->place[0] : BSIM_PTX_NOWHERE;
    if (place != BSIM_PTX_NOWHERE && argument->bytes[0] == 1) {
        uint32_t bit = UINT32_C(1) << lane;
        warp->file[place] = (warp->file[place] & ~bit) | (value != 0 ? bit : 0);
    } else if (place != BSIM_PTX_NOWHERE) {
        bsim_ptx_put(warp, place, 8u * argument->bytes[0], lane, value);
    }
}

/* The same of all lanes, on or off. */
static inline void bsim_ptx_fill(struct bsim_ptx_warp *warp, uint32_t place, uint32_t bits,
                                 uint64_t value)
{
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        bsim_ptx_put(warp, place, bits, l, value);
    }
}

/* The predicate at place, or at BSIM_PTX_NOWHERE none, of the lanes that are on. */
static inline void bsim_ptx_put_predicate(struct bsim_ptx_warp *warp, uint32_t place,
                                          uint32_t value)
{
    if (place != BSIM_PTX_NOWHERE) {
        warp->file[place] = (warp->file[place] & ~warp->mask) | (value & warp->mask);
    }
}

/* ---- alu.c ----------------------------------------------------------------------------------- */

/* How an instruction computes: by what function, and how wide its operands are. */
struct bsim_ptx_alu {
    bsim_ptx_run *run;
    uint8_t d, a, b, c, e; /* 1: a predicate, 4, 8: bytes of a place, 0: none */
};

/* The row for an instruction, or NULL if it is none that computes in registers alone. */
const struct bsim_ptx_alu *bsim_ptx_find_alu(const struct bsim_ptx_instruction *instruction);

/* ---- exchange.c ------------------------------------------------------------------------------ */

/* Of shfl, vote, activemask, redux, match: the function, its operands as those of bsim_ptx_alu, and
 * a shuffle's operation, whose event is told. */
struct bsim_ptx_exchange {
    bsim_ptx_run *run;
    uint8_t d, a, b, c;
    enum bsim_operation operation;
};

const struct bsim_ptx_exchange *bsim_ptx_find_exchange(
    const struct bsim_ptx_instruction *instruction);

/* ---- service.c ------------------------------------------------------------------------------- */

/* An instruction that sorts its operands itself: copies, barriers in memory, matrices, fences. */
struct bsim_ptx_service {
    bsim_ptx_run *run; /* NULL: nothing happens that can be seen here */
    /* What its event is called, and the space of its address; without one it has none. */
    enum bsim_ptx_space (*name)(const struct bsim_ptx_instruction *instruction,
                                struct bsim_opcode *opcode);
};

const struct bsim_ptx_service *bsim_ptx_find_service(
    const struct bsim_ptx_instruction *instruction);

/* ---- name.c ---------------------------------------------------------------------------------- */

/* The name that the source has of a function or variable, *length characters of `mangled`. */
const char *bsim_ptx_plain_name(const char *mangled, size_t *length);

/* ---- finding.c ------------------------------------------------------------------------------- */

/* What was found at a place in the code. Copies of it that a compiler made are one. */
struct bsim_ptx_finding {
    const char *kernel, *file; /* borrowed from the module */
    uint32_t line;
    int kind;
    uint64_t n; /* times */
    char text[400];
};

/* What was found in launches; all zeroes at first. */
struct bsim_ptx_findings {
    struct bsim_ptx_finding *item;
    uint32_t n;
    uint32_t *number;       /* of each step and kind of finding: its item's, from 1 on */
    unsigned char *written; /* of each byte of the block's shared memory: 1 if somebody wrote it,
                               BSIM_PTX_PENDING if a copy is about to */
    uint32_t n_written;     /* bytes, from the first on, that somebody had when the block met last, and no
                               copy is about to */
    bool has_pending;       /* some ever were, in the launch */
};

enum { BSIM_PTX_PENDING = 2 };

/* The lanes that are on have begun copies of so many bytes to these shared addresses. */
void bsim_ptx_pending_begin(struct bsim_ptx_warp *warp, const uint64_t *address, uint32_t bytes);

/* What they have begun since they did so last is a group. */
void bsim_ptx_pending_commit(struct bsim_ptx_warp *warp);

/* They have waited for all of their groups but the last n_left; BSIM_PTX_NO_COPY: for all copies. */
#define BSIM_PTX_NO_COPY UINT32_MAX
void bsim_ptx_pending_end(struct bsim_ptx_warp *warp, uint32_t n_left);

/* The lane's copies so far come to the mbarrier at that shared address, whose phase under way it is. Somebody has
 * seen that another phase is under way. */
void bsim_ptx_pending_count(struct bsim_ptx_warp *warp, uint32_t lane, uint64_t barrier, uint32_t phase);
void bsim_ptx_pending_seen(struct bsim_ptx_block *block, uint64_t barrier, uint32_t phase);

/* A block begins; it is over. */
void bsim_ptx_pending_clear(struct bsim_ptx_warp *warp);
void bsim_ptx_pending_free(struct bsim_ptx_warp *warp);

/* A launch of a program with so many steps begins; it is over. False when memory is short. */
bool bsim_ptx_findings_start(struct bsim_ptx_findings *findings, uint32_t n_steps,
                             uint32_t shared_bytes);
void bsim_ptx_findings_stop(struct bsim_ptx_findings *findings);

/* Appends all that was found, a line each. */
void bsim_ptx_findings_tell(const struct bsim_ptx_findings *findings, struct bsim_buffer *out);

void bsim_ptx_findings_free(struct bsim_ptx_findings *findings);

/* Finding `number`, which there is, was found n times more. */
static inline void bsim_ptx_findings_count(struct bsim_ptx_findings *findings, uint32_t number,
                                           uint64_t n)
{
    findings->item[number - 1].n += n;
}

/* Puts down where the lane is: "k at k.cu:12, block (0,0,0), thread (3,0,0): ", without "at k.cu:12" unless
 * has_line; BSIM_WARP_LANES: all of the warp, "warp 2: ". */
void bsim_ptx_put_place(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                        uint32_t lane, bool has_line, char *text, size_t size);

/* A load, store or atomic of shared memory is about to be done by the lanes that are on: findings that
 * are wanted are told, and what it writes is noted. */
void bsim_ptx_find_unwritten(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                             const uint64_t *address);

/* The same of accesses to so many bytes in one; false, and nothing else, if there may be something to
 * tell. */
bool bsim_ptx_find_nothing(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                           uint64_t address, uint32_t bytes);

/* A warp reads so many bytes there, for something that no lane has a part in. */
void bsim_ptx_find_unwritten_at(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                                uint64_t address, uint32_t bytes);

/* The block meets: if all of its shared memory is written, nothing can be found there any more. */
void bsim_ptx_find_all_written(struct bsim_ptx_block *block);

static inline bool bsim_ptx_looks_for_unwritten(const struct bsim_ptx_block *block)
{
    return block->findings != NULL && block->findings->n_written < block->shared_bytes;
}

/* The lane reads so many bytes that nobody wrote, `of` says where, and what is counted hangs on them. */
void bsim_ptx_find_chance(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                          uint32_t lane, uint32_t bytes, const char *of);

/* An event writes so many bytes of shared memory at each address. */
void bsim_ptx_find_written(struct bsim_ptx_warp *warp, const uint64_t *address, uint32_t bytes);

/* A wgmma or a copy by TMA reads bytes that lanes have stored, with no fence.proxy.async behind. */
void bsim_ptx_find_unfenced_bytes(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                                  uint64_t address, uint32_t bytes);

/* A wgmma has a descriptor that reads a tile of TMA's otherwise than it lies: how, and what to write instead. */
void bsim_ptx_find_misread(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, const char *how);

/* A wgmma has a register that `writer` writes, with no wgmma.fence behind; NULL: the warp has executed none. */
void bsim_ptx_find_unfenced_register(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                                     const struct bsim_ptx_step *writer);

/* Lanes of `here` alone are at a barrier that wants the whole warp. */
void bsim_ptx_find_divergent(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                             uint32_t here);

/* The lanes of `here` go on without `absent`, which their mask names and which wait elsewhere. */
void bsim_ptx_find_absent(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                          uint32_t here, uint32_t absent);

/* A lane that is on shuffles from one that is not, or that its mask does not name. */
void bsim_ptx_find_no_source(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                             uint32_t lane, uint32_t source);

/* Puts down what the lane waits for at a barrier in memory, by its step: " and wait for phase 0 of ...". */
void bsim_ptx_put_mbarrier(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                           uint32_t lane, char *text, size_t size);

/* Ends the launch: a fault of the kernel at the step, of the warp's lane (BSIM_WARP_LANES: of all).
 */
void bsim_ptx_fault(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane,
                    const char *format, ...) BSIM_PRINTF(4, 5);

/* The same of a kind that is no stray address. */
void bsim_ptx_fault_as(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane,
                       enum bsim_ptx_wrong kind, const char *format, ...) BSIM_PRINTF(5, 6);

/* ---- chance.c -------------------------------------------------------------------------------- */

/* The lanes that are on load from global or local memory what addresses or accesses hang on: it is told if
 * nobody wrote it. Or they store there: that is noted. Each is in a space of its own, or all in one, if
 * `each` is NULL. */
void bsim_ptx_find_by_chance(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                             const uint64_t *address, const enum bsim_space *each,
                             enum bsim_space all, bool stores);

/* ---- warp.c, access.c ------------------------------------------------------------------------ */

/* Runs all warps of the block to their end. */
enum bsim_status bsim_ptx_run_block(struct bsim_ptx_block *block);

/* Runs each warp of the block for a while; false: all have ended, or something went wrong. */
bool bsim_ptx_run_round(struct bsim_ptx_block *block);

/* What runs accesses; those of access_avx2.c where the processor is one for it. */
struct bsim_ptx_accesses {
    bsim_ptx_run *load, *store, *atomic;
};
extern const struct bsim_ptx_accesses bsim_ptx_accesses, bsim_ptx_accesses_avx2;
const struct bsim_ptx_accesses *bsim_ptx_find_accesses(void);

bsim_ptx_run bsim_ptx_run_warp_sync;                           /* exchange.c */
bsim_ptx_run bsim_ptx_run_convert, bsim_ptx_run_convert_pair; /* convert.c */
bsim_ptx_run bsim_ptx_run_pack, bsim_ptx_run_unpack;          /* pack.c */

/* The piece of global or constant memory that the address lies in, freed or not, or NULL. */
const struct bsim_ptx_piece *bsim_ptx_find_piece(const struct bsim_ptx_warp *warp,
                                                 const struct bsim_ptx_step *step,
                                                 uint64_t address);

/* What an atomic leaves of an element of 8 bytes at most, `old`, in memory of that space; its operands are b and c. */
uint64_t bsim_ptx_update(const struct bsim_ptx_access *access, enum bsim_space space, uint64_t old,
                         uint64_t b, uint64_t c); /* atomic.c */

/* Whether a copy by TMA can do that to numbers of the type: what ptxas takes of cp.reduce.async.bulk, and an H100 of a tensor map's. */
bool bsim_ptx_can_reduce(uint32_t type, enum bsim_operation operation); /* atomic.c */

/* Does it to so many bytes of global memory at `to`, each number as an atomic. */
void bsim_ptx_reduce(uint32_t type, enum bsim_operation operation, unsigned char *to,
                     const unsigned char *from, uint32_t bytes); /* atomic.c */

/* What messages call the piece. */
enum { BSIM_PTX_MAX_PIECE_NAME = 80 };
void bsim_ptx_name_piece(const struct bsim_ptx_block *block, const struct bsim_ptx_piece *piece,
                         char name[BSIM_PTX_MAX_PIECE_NAME]);

/* Where `bytes` bytes at a lane's address lie, which loses its window, and in which space of a trace;
 * NULL after a fault. `where` is BSIM_PTX_NO_SPACE for a generic address. */
unsigned char *bsim_ptx_locate(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                               uint32_t lane, enum bsim_ptx_space where, uint64_t bytes,
                               uint32_t alignment, uint64_t *address, enum bsim_space *space);

/* True, and the block ends, if it runs ahead of its turn: what it is about to do can be done in its
 * turn alone. */
static inline bool bsim_ptx_gives_up(struct bsim_ptx_block *block)
{
    if (block->view != NULL && block->status == BSIM_OK) {
        block->status = BSIM_E_KERNEL; /* which nobody sees: it runs again */
    }
    return block->view != NULL;
}

#endif

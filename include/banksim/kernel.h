/* kernel.h - write a kernel in C that reads like its CUDA.
 *
 *     CUDA                                        here
 *     __global__ void k(int *out) {               KERNEL(k) { const struct args *a = ARGUMENTS;
 *     __shared__ int tile[BDIMY][BDIMX];          SHARED_2D(int, tile, BDIMY, BDIMX);
 *     extern __shared__ int tile[];               SHARED_DYNAMIC(int, tile);
 *     unsigned idx = threadIdx.x;  (per thread)   PER_THREAD(unsigned, idx);
 *                                                 EACH_THREAD { idx[t] = threadIdx.x; }
 *     tile[threadIdx.y][threadIdx.x] = idx;       STORE(tile[threadIdx.y][threadIdx.x], idx[t]);
 *     v = tile[threadIdx.x][threadIdx.y];         LOAD(v[t], tile[threadIdx.x][threadIdx.y]);
 *     v = __ldg(&coef[i]);                        LDG(v[t], coef[i]);
 *     v = tex1Dfetch<float>(texture, i);          LOAD(v[t], texture[i]);  of a BSIM_TEXTURE array
 *     float a[4]; ... a[i] = v;                   LOCAL_1D(float, a, 4); STORE(a[t][i[t]], v[t]);
 *     if (threadIdx.x < 16) { ... } else { ... }  WHERE(threadIdx.x < 16) { ... } OTHERWISE { ... }
 *     while (i < n) { ... }                       WHILE_ANY(i[t] < n) { ... }
 *     if (idx >= n) return;                       EXIT_WHERE(idx[t] >= n);
 *     old = atomicAdd(&bins[i], 1);               ATOMIC_ADD(old[t], bins[i[t]], 1);
 *     v = __shfl_down_sync(mask, v, 1, 32);       SHFL_DOWN(v[t], v[t], 1, 32);
 *     __pipeline_memcpy_async(&tile[i], &in[j], 16);   CP_ASYNC_CG(tile[i], in[j]);  and _CA
 *     __pipeline_commit();  __pipeline_wait_prior(1);  CP_ASYNC_COMMIT();  CP_ASYNC_WAIT(1);
 *     __syncthreads();                            SYNCTHREADS();
 *     __syncwarp();                               SYNCWARP();
 *     __threadfence_block();                      THREADFENCE_BLOCK();
 *     fence.proxy.async.shared::cta               FENCE_PROXY_ASYNC_SHARED();
 *
 * A statement runs for every active thread of the block before the next one starts: lanes are in
 * lockstep at each access (the addresses of a warp first, then its data), warps take turns. `t` is
 * the thread's index in the block and stands wherever an expression is evaluated per thread; `[t]`
 * is that thread's copy of a variable. Memory that the emulation is to see is touched by LOAD,
 * STORE and the atomics alone, never from within EACH_THREAD or a condition. Expressions may be
 * evaluated twice and must have no side effects. A pointer's space (shared, global, local,
 * constant) and the opcode's width follow from where it leads and its type. Once something failed,
 * no thread is active any more, and the launch tells why.
 *
 * A constant at a place that the compiler knows, as coef[2] or coef[i] in an unrolled loop, is an
 * operand and no access: it is read in EACH_THREAD. LOAD is for constants at an index.
 *
 * Loop conditions and `if` over values that are the same for the whole block are C's own; such a
 * loop must end whatever was loaded. `break`, `return` and `goto` must not leave the braces of
 * WHERE, OTHERWISE, WHILE_ANY or REPEAT (the launch then fails and says which).
 */
#ifndef BANKSIM_KERNEL_H
#define BANKSIM_KERNEL_H

#if defined(__cplusplus)
#error "banksim/kernel.h is C, not C++: write kernels in a .c file"
#endif

#include <banksim/emulator.h>
#include <banksim/model.h>

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* clang-format off: it cannot lay out _Generic, and struct members in a row read better. */

/* CUDA's vector types, with their alignment. */
struct int2 {
    _Alignas(8) int x;
    int y;
};
struct int4 {
    _Alignas(16) int x;
    int y, z, w;
};
struct uint2 {
    _Alignas(8) unsigned x;
    unsigned y;
};
struct uint4 {
    _Alignas(16) unsigned x;
    unsigned y, z, w;
};
struct float2 {
    _Alignas(8) float x;
    float y;
};
struct float4 {
    _Alignas(16) float x;
    float y, z, w;
};
struct double2 {
    _Alignas(16) double x;
    double y;
};

/* clang-format on */

/* ---- the machine behind the words ---------------------------------------------------------- */

/* What a load or store is, beside its type. */
enum bsim_how {
    BSIM_PLAINLY,
    BSIM_AS_VOLATILE,
    BSIM_AS_READ_ONLY,
    BSIM_AS_UNIFORM,
    BSIM_PAST_L1, /* a copy */
};

/* One use of a word in the source: a static instruction. Told apart by address. */
struct bsim_place {
    const char *file;
    uint32_t line;
    uint32_t type; /* BSIM_TYPE, or 0 */
    const char *text;
    enum bsim_family family;
    enum bsim_operation operation;
    enum bsim_how how;
    const char *element; /* of an array: its type, and the bytes of that */
    size_t element_bytes;
};

/* The visible part of a running block, for the macros below. */
struct bsim_cta {
    const void *arguments;
    struct bsim_dim3 grid, block_dim, block;
    uint32_t n_threads, n_warps;
    bool testing;                                    /* a WHERE or WHILE_ANY evaluates */
    uint32_t active[BSIM_BLOCK_MAX_WARPS];           /* lanes that execute the next statement */
    uint32_t exited[BSIM_BLOCK_MAX_WARPS];           /* lanes that left for good */
    struct bsim_dim3 thread[BSIM_BLOCK_MAX_THREADS]; /* threadIdx of thread t */
    /* The access or shuffle under way, by lane. */
    const volatile void *pointer[BSIM_WARP_LANES];
    uint32_t source[BSIM_WARP_LANES];            /* the lane that a shuffle's value comes from */
    unsigned char value[BSIM_WARP_LANES + 1][8]; /* what each lane brings; the last: nobody's */
    struct bsim_cta_state *state;
};

static inline bool bsim_thread_active(const struct bsim_cta *cta, uint32_t t)
{
    return ((cta->active[t / BSIM_WARP_LANES] >> (t % BSIM_WARP_LANES)) & 1) != 0;
}

/* Thread t sits out until the condition's braces close. */
static inline void bsim_thread_rest(struct bsim_cta *cta, uint32_t t)
{
    cta->active[t / BSIM_WARP_LANES] &= ~(UINT32_C(1) << (t % BSIM_WARP_LANES));
}

static inline void bsim_thread_exit(struct bsim_cta *cta, uint32_t t)
{
    cta->exited[t / BSIM_WARP_LANES] |= UINT32_C(1) << (t % BSIM_WARP_LANES);
    bsim_thread_rest(cta, t);
}

enum bsim_array_kind { BSIM_ARRAY_SHARED, BSIM_ARRAY_DYNAMIC, BSIM_ARRAY_LOCAL };

enum bsim_frame_kind {
    BSIM_FRAME_NONE,
    BSIM_FRAME_WHERE,
    BSIM_FRAME_OTHERWISE,
    BSIM_FRAME_WHILE,
    BSIM_FRAME_REPEAT,
};

/* What the macros call, none of it for use by itself. First the array of that kind: a thread's
 * bytes of a local one; of the dynamic one the launch says how many. columns: of a shared one of two
 * dimensions; else 0. Never NULL. */
BSIM_API void *bsim_array_memory(struct bsim_cta *cta, enum bsim_array_kind kind,
                                 const struct bsim_place *place, size_t size_bytes, size_t columns,
                                 size_t alignment);

/* The access or shuffle of place by a warp, whose lanes have left their pointers or sources in
 * cta. False: no lane moves data. */
BSIM_API bool bsim_warp_access(struct bsim_cta *cta, const struct bsim_place *place, uint32_t warp);

/* Where the warp's next access, a copy, has its bytes from: to be called before that, with the lanes'
 * pointers in cta. False: no lane moves data. */
BSIM_API bool bsim_warp_from(struct bsim_cta *cta, const struct bsim_place *place, uint32_t warp);

/* An instruction of every active warp that moves no data: a barrier of the block or of warps, a
 * fence, the end of a group of copies, a wait for all but the last work_count groups, or so much work (else 0, 0). */
BSIM_API void bsim_instruction(struct bsim_cta *cta, const struct bsim_opcode *opcode,
                               uint32_t work_count, uint32_t work_cycles, const char *file,
                               uint32_t line);

/* Opens braces, of a REPEAT with what it repeats (else NULL); and what their next turn is: false,
 * they close. */
BSIM_API void bsim_frame_enter(struct bsim_cta *cta, enum bsim_frame_kind kind,
                               const struct bsim_repeat *repeat, const char *file, uint32_t line);
BSIM_API bool bsim_frame_turn(struct bsim_cta *cta);

/* The bytes at p become what operation makes of them and of those at value; CAS takes the value if
 * they equal those at compare. All three are of one type, a BSIM_TYPE; floats are added and
 * exchanged alone. */
BSIM_API void bsim_atomic(enum bsim_operation operation, uint32_t type, void *p, const void *value,
                          const void *compare);

/* clang-format off: see above. */

/* The PTX type of a C type, in one number: its letter, the bits of an element, the elements.
 * _Generic takes no other types: a kernel that moves one does not compile. */
#define BSIM_TYPE(letter, bits, count) \
    ((uint32_t)(letter) << 16 | (uint32_t)(bits) << 8 | (uint32_t)(count))
#define BSIM_TYPE_OF(lvalue)                                      \
    _Generic((lvalue), char                                       \
             : BSIM_TYPE('s', 8, 1), signed char                  \
             : BSIM_TYPE('s', 8, 1), unsigned char                \
             : BSIM_TYPE('u', 8, 1), short                        \
             : BSIM_TYPE('s', 16, 1), unsigned short              \
             : BSIM_TYPE('u', 16, 1), int                         \
             : BSIM_TYPE('s', 32, 1), unsigned                    \
             : BSIM_TYPE('u', 32, 1), long                        \
             : BSIM_TYPE('s', 8 * sizeof(long), 1), unsigned long \
             : BSIM_TYPE('u', 8 * sizeof(long), 1), long long     \
             : BSIM_TYPE('s', 64, 1), unsigned long long          \
             : BSIM_TYPE('u', 64, 1), float                       \
             : BSIM_TYPE('f', 32, 1), double                      \
             : BSIM_TYPE('f', 64, 1), struct int2                 \
             : BSIM_TYPE('s', 32, 2), struct int4                 \
             : BSIM_TYPE('s', 32, 4), struct uint2                \
             : BSIM_TYPE('u', 32, 2), struct uint4                \
             : BSIM_TYPE('u', 32, 4), struct float2               \
             : BSIM_TYPE('f', 32, 2), struct float4               \
             : BSIM_TYPE('f', 32, 4), struct double2              \
             : BSIM_TYPE('f', 64, 2))

#define BSIM_PLACE(type, text, family, operation, how)                                \
    static const struct bsim_place bsim_place = {__FILE__, __LINE__,    (type),       (text), \
                                                 (family), (operation), (how), NULL, 0}

#define BSIM_EACH_ACTIVE_LANE                                                                    \
    for (uint32_t bsim_lane = (t = bsim_warp * BSIM_WARP_LANES, 0); bsim_lane < BSIM_WARP_LANES; \
         bsim_lane++, t++)                                                                       \
        if (((cta->active[bsim_warp] >> bsim_lane) & 1) != 0)

/* The last argument is the statement that moves one lane's data. */
#define BSIM_ACCESS(lvalue, text, family, operation, how, ...)          \
    do {                                                                        \
        uint32_t t = 0;                                                         \
        BSIM_PLACE(BSIM_TYPE_OF(lvalue), text, family, operation, how); \
        for (uint32_t bsim_warp = 0; bsim_warp < cta->n_warps; bsim_warp++) {   \
            BSIM_EACH_ACTIVE_LANE                                               \
            {                                                                   \
                cta->pointer[bsim_lane] = &(lvalue);                            \
            }                                                                   \
            if (bsim_warp_access(cta, &bsim_place, bsim_warp)) {                \
                BSIM_EACH_ACTIVE_LANE                                           \
                {                                                               \
                    __VA_ARGS__;                                                \
                }                                                               \
            }                                                                   \
        }                                                                       \
    } while (0)

/* Of one type, that of the destination. */
#define BSIM_COPY(destination, from, text, how)                                             \
    do {                                                                                    \
        uint32_t t = 0;                                                                     \
        _Static_assert(sizeof(destination) == sizeof(from) && sizeof(from) >= 4 &&          \
                           (sizeof(from) == 16 || (how) != BSIM_PAST_L1),                   \
                       "cp.async copies 4, 8 or 16 bytes, past L1 16");                     \
        BSIM_PLACE(BSIM_TYPE_OF(destination), text, BSIM_CP_ASYNC, BSIM_NO_OPERATION, how); \
        for (uint32_t bsim_warp = 0; bsim_warp < cta->n_warps; bsim_warp++) {               \
            BSIM_EACH_ACTIVE_LANE                                                           \
            {                                                                               \
                cta->pointer[bsim_lane] = &(from);                                          \
            }                                                                               \
            if (!bsim_warp_from(cta, &bsim_place, bsim_warp)) {                             \
                continue;                                                                   \
            }                                                                               \
            BSIM_EACH_ACTIVE_LANE                                                           \
            {                                                                               \
                cta->pointer[bsim_lane] = &(destination);                                   \
            }                                                                               \
            if (bsim_warp_access(cta, &bsim_place, bsim_warp)) {                            \
                BSIM_EACH_ACTIVE_LANE                                                       \
                {                                                                           \
                    (destination) = (from);                                                 \
                }                                                                           \
            }                                                                               \
        }                                                                                   \
    } while (0)

/* The value goes through the destination, which gives it its type; the lane that it comes from is
 * found before that. */
#define BSIM_SHUFFLE(destination, val, operand, width, text, operation)                       \
    do {                                                                                      \
        uint32_t t = 0;                                                                       \
        _Static_assert(sizeof(destination) == 4 || sizeof(destination) == 8, "4 or 8 bytes"); \
        BSIM_PLACE(BSIM_TYPE_OF(destination), text, BSIM_SHFL, operation, BSIM_PLAINLY);             \
        for (uint32_t bsim_warp = 0; bsim_warp < cta->n_warps; bsim_warp++) {                 \
            BSIM_EACH_ACTIVE_LANE                                                             \
            {                                                                                 \
                cta->source[bsim_lane] = bsim_shuffle_source(                                 \
                    operation, bsim_lane, (uint32_t)(operand), (uint32_t)(width));            \
                (destination) = ((void)0, (val)); /* not a self-assignment */                 \
                memcpy(cta->value[bsim_lane], &(destination), sizeof(destination));           \
            }                                                                                 \
            if (bsim_warp_access(cta, &bsim_place, bsim_warp)) {                                  \
                BSIM_EACH_ACTIVE_LANE                                                         \
                {                                                                             \
                    memcpy(&(destination), cta->value[cta->source[bsim_lane]],                \
                           sizeof(destination));                                              \
                }                                                                             \
            }                                                                                 \
        }                                                                                     \
    } while (0)

#define BSIM_MASKED(kind, condition)                                             \
    for (bsim_frame_enter(cta, kind, NULL, __FILE__, __LINE__); bsim_frame_turn(cta);) \
        if (cta->testing) {                                                      \
            for (uint32_t t = 0; t < cta->n_threads; t++) {                      \
                if (bsim_thread_active(cta, t) && !(condition)) {                \
                    bsim_thread_rest(cta, t);                                    \
                }                                                                \
            }                                                                    \
        } else

/* The same in the types of C; the result is what was there before. */
#define BSIM_TYPED_ATOMIC(name, c_type, letter)                                                    \
    static inline c_type name(enum bsim_operation operation, volatile c_type *p, c_type value,     \
                              c_type compare)                                                      \
    {                                                                                              \
        c_type old = *p;                                                                           \
        c_type cell = old;                                                                         \
        bsim_atomic(operation, BSIM_TYPE(letter, 8 * sizeof cell, 1), &cell, &value, &compare);    \
        *p = cell;                                                                                 \
        return old;                                                                                \
    }
BSIM_TYPED_ATOMIC(bsim_atomic_int, int, 's')
BSIM_TYPED_ATOMIC(bsim_atomic_uint, unsigned, 'u')
BSIM_TYPED_ATOMIC(bsim_atomic_long, long, 's')
BSIM_TYPED_ATOMIC(bsim_atomic_ulong, unsigned long, 'u')
BSIM_TYPED_ATOMIC(bsim_atomic_llong, long long, 's')
BSIM_TYPED_ATOMIC(bsim_atomic_ullong, unsigned long long, 'u')
BSIM_TYPED_ATOMIC(bsim_atomic_float, float, 'f')
BSIM_TYPED_ATOMIC(bsim_atomic_double, double, 'f')

#define BSIM_ATOMIC_BITS(lvalue)                     \
    _Generic((lvalue), int                           \
             : bsim_atomic_int, unsigned             \
             : bsim_atomic_uint, long                \
             : bsim_atomic_long, unsigned long       \
             : bsim_atomic_ulong, long long          \
             : bsim_atomic_llong, unsigned long long \
             : bsim_atomic_ullong)
#define BSIM_ATOMIC_COUNTER(lvalue) _Generic((lvalue), unsigned : bsim_atomic_uint)
#define BSIM_ATOMIC_NUMBER(lvalue)                   \
    _Generic((lvalue), int                           \
             : bsim_atomic_int, unsigned             \
             : bsim_atomic_uint, long                \
             : bsim_atomic_long, unsigned long       \
             : bsim_atomic_ulong, long long          \
             : bsim_atomic_llong, unsigned long long \
             : bsim_atomic_ullong, float             \
             : bsim_atomic_float, double             \
             : bsim_atomic_double)

#define BSIM_ATOMIC(function, old, lvalue, text, operation, ...) \
    BSIM_ACCESS(lvalue, text, BSIM_ATOM, operation, BSIM_PLAINLY,       \
                (old) = function(lvalue)(operation, &(lvalue), __VA_ARGS__))
#define BSIM_REDUCE(function, lvalue, text, operation, ...) \
    BSIM_ACCESS(lvalue, text, BSIM_RED, operation, BSIM_PLAINLY,   \
                (void)function(lvalue)(operation, &(lvalue), __VA_ARGS__))

/* ---- the words ------------------------------------------------------------------------------ */

#define KERNEL(name) static void name(struct bsim_cta *cta)
#define ARGUMENTS (cta->arguments)

/* Per-thread variables, 0 at first. One that is only loaded into is no reason for a warning. */
#define PER_THREAD(type, name)               \
    type name[BSIM_BLOCK_MAX_THREADS] = {0}; \
    (void)name
#define EACH_THREAD                               \
    for (uint32_t t = 0; t < cta->n_threads; t++) \
        if (bsim_thread_active(cta, t))

#define threadIdx (cta->thread[t])
#define blockIdx (cta->block)
#define blockDim (cta->block_dim)
#define gridDim (cta->grid)
#define warpSize BSIM_WARP_LANES
#define laneid (t % BSIM_WARP_LANES)
#define warpid (t / BSIM_WARP_LANES)

/* Shared memory: the static arrays in order of declaration, then the dynamic one, at a multiple of
 * 16. All are declared before the kernel's first access, and in every block alike. What nobody
 * wrote reads as bytes 0x7f: a huge number in any type. */
#define SHARED_1D(type, name, n) \
    BSIM_ARRAY(type *name, type, name, BSIM_ARRAY_SHARED, sizeof(type) * (size_t)(n), 0)
#define SHARED_2D(type, name, rows, columns)                                \
    BSIM_ARRAY(type(*name)[(columns)], type, name, BSIM_ARRAY_SHARED,       \
               sizeof(type) * (size_t)(rows) * (size_t)(columns), (columns))
#define SHARED_DYNAMIC(type, name) BSIM_ARRAY(type *name, type, name, BSIM_ARRAY_DYNAMIC, 0, 0)
#define BSIM_ARRAY(declared, type, name, kind, size_bytes, columns)                                 \
    static const struct bsim_place bsim_place_##name = {__FILE__,          __LINE__,    0,           \
                                                        #name,             BSIM_LD,                  \
                                                        BSIM_NO_OPERATION, BSIM_PLAINLY, #type,      \
                                                        sizeof(type)};                               \
    declared = bsim_array_memory(cta, kind, &bsim_place_##name, (size_bytes), (columns), _Alignof(type))

/* Local memory: an array of n elements for each thread, name[t][i]. Where the compiler can keep an
 * array in registers it is no memory: PER_THREAD. What nobody wrote reads as in shared memory. */
#define LOCAL_1D(type, name, n) \
    BSIM_ARRAY(type(*name)[(n)], type, name, BSIM_ARRAY_LOCAL, sizeof(type) * (size_t)(n), 0)

/* destination is the thread's own, e.g. v[t]; source is memory. */
#define LOAD(destination, source)                                                      \
    BSIM_ACCESS(source, #destination " = " #source, BSIM_LD, BSIM_NO_OPERATION, BSIM_PLAINLY, \
                (destination) = (source))
#define LOAD_VOLATILE(destination, source)                                            \
    BSIM_ACCESS(source, #destination " = " #source, BSIM_LD, BSIM_NO_OPERATION, BSIM_AS_VOLATILE, \
                (destination) = (source))
/* Through the read-only cache, of global memory that the kernel does not write. */
#define LDG(destination, source)                                                                \
    BSIM_ACCESS(source, #destination " = __ldg(&" #source ")", BSIM_LD, BSIM_NO_OPERATION, \
                BSIM_AS_READ_ONLY, (destination) = (source))
/* PTX's ldu, of one address for the whole warp, in such memory. */
#define LDU(destination, source)                                                            \
    BSIM_ACCESS(source, #destination " = ldu(&" #source ")", BSIM_LD, BSIM_NO_OPERATION, \
                BSIM_AS_UNIFORM, (destination) = (source))

/* destination is memory; the value, computed from the thread's own, is all that follows (so that
 * a compound literal's commas do not matter). Of several lanes that store to one place, the highest
 * wins; on a GPU it may be any. */
#define STORE(destination, ...)                                                                  \
    BSIM_ACCESS(destination, #destination " = " #__VA_ARGS__, BSIM_ST, BSIM_NO_OPERATION, BSIM_PLAINLY, \
                (destination) = (__VA_ARGS__))
#define STORE_VOLATILE(destination, ...)                                                        \
    BSIM_ACCESS(destination, #destination " = " #__VA_ARGS__, BSIM_ST, BSIM_NO_OPERATION, BSIM_AS_VOLATILE, \
                (destination) = (__VA_ARGS__))

/* cp.async: source in global memory goes to destination in shared memory, through L1 (4, 8 or 16 bytes)
 * or past it (16). It is done at once here: waits for it stand in the trace, and cost cycles. */
#define CP_ASYNC_CA(destination, source) \
    BSIM_COPY(destination, source, "cp.async.ca(&" #destination ", &" #source ")", BSIM_PLAINLY)
#define CP_ASYNC_CG(destination, source) \
    BSIM_COPY(destination, source, "cp.async.cg(&" #destination ", &" #source ")", BSIM_PAST_L1)

/* The lanes of a warp take turns, lowest first. ATOMIC_ gives what was there before. Where nvcc sees that all
 * lanes have one address, one lane makes an atomic of integers for all (src/ptx/uniform.c says which): here each
 * lane that is active makes its own, and such a kernel says which one is. */
#define ATOMIC_ADD(old, lvalue, value)                                                          \
    BSIM_ATOMIC(BSIM_ATOMIC_NUMBER, old, lvalue, #old " = atomicAdd(&" #lvalue ", " #value ")", \
                BSIM_ADD, (value), 0)
#define ATOMIC_EXCH(old, lvalue, value)                                                          \
    BSIM_ATOMIC(BSIM_ATOMIC_NUMBER, old, lvalue, #old " = atomicExch(&" #lvalue ", " #value ")", \
                BSIM_EXCH, (value), 0)
#define ATOMIC_MIN(old, lvalue, value)                                                        \
    BSIM_ATOMIC(BSIM_ATOMIC_BITS, old, lvalue, #old " = atomicMin(&" #lvalue ", " #value ")", \
                BSIM_MIN, (value), 0)
#define ATOMIC_MAX(old, lvalue, value)                                                        \
    BSIM_ATOMIC(BSIM_ATOMIC_BITS, old, lvalue, #old " = atomicMax(&" #lvalue ", " #value ")", \
                BSIM_MAX, (value), 0)
#define ATOMIC_AND(old, lvalue, value)                                                        \
    BSIM_ATOMIC(BSIM_ATOMIC_BITS, old, lvalue, #old " = atomicAnd(&" #lvalue ", " #value ")", \
                BSIM_AND, (value), 0)
#define ATOMIC_OR(old, lvalue, value)                                                        \
    BSIM_ATOMIC(BSIM_ATOMIC_BITS, old, lvalue, #old " = atomicOr(&" #lvalue ", " #value ")", \
                BSIM_OR, (value), 0)
#define ATOMIC_XOR(old, lvalue, value)                                                        \
    BSIM_ATOMIC(BSIM_ATOMIC_BITS, old, lvalue, #old " = atomicXor(&" #lvalue ", " #value ")", \
                BSIM_XOR, (value), 0)
#define ATOMIC_CAS(old, lvalue, compare, value)                                                 \
    BSIM_ATOMIC(BSIM_ATOMIC_BITS, old, lvalue,                                                  \
                #old " = atomicCAS(&" #lvalue ", " #compare ", " #value ")", BSIM_CAS, (value), \
                (compare))
#define ATOMIC_INC(old, lvalue, value)                                                           \
    BSIM_ATOMIC(BSIM_ATOMIC_COUNTER, old, lvalue, #old " = atomicInc(&" #lvalue ", " #value ")", \
                BSIM_INC, (value), 0)
#define ATOMIC_DEC(old, lvalue, value)                                                           \
    BSIM_ATOMIC(BSIM_ATOMIC_COUNTER, old, lvalue, #old " = atomicDec(&" #lvalue ", " #value ")", \
                BSIM_DEC, (value), 0)

#define RED_ADD(lvalue, value)                                                               \
    BSIM_REDUCE(BSIM_ATOMIC_NUMBER, lvalue, "atomicAdd(&" #lvalue ", " #value ")", BSIM_ADD, \
                (value), 0)
/* atomicAdd(&lvalue, 1) whose result nobody uses: the compiler merges the lanes of one word from
 * compute capability 8.0 on (see src/model/atomic.c). lvalue is an unsigned in shared memory. */
#define RED_ADD_ONE(lvalue) \
    BSIM_REDUCE(BSIM_ATOMIC_COUNTER, lvalue, "atomicAdd(&" #lvalue ", 1)", BSIM_POPC_INC, 1u, 0)
#define RED_MIN(lvalue, value)                                                             \
    BSIM_REDUCE(BSIM_ATOMIC_BITS, lvalue, "atomicMin(&" #lvalue ", " #value ")", BSIM_MIN, \
                (value), 0)
#define RED_MAX(lvalue, value)                                                             \
    BSIM_REDUCE(BSIM_ATOMIC_BITS, lvalue, "atomicMax(&" #lvalue ", " #value ")", BSIM_MAX, \
                (value), 0)
#define RED_AND(lvalue, value)                                                             \
    BSIM_REDUCE(BSIM_ATOMIC_BITS, lvalue, "atomicAnd(&" #lvalue ", " #value ")", BSIM_AND, \
                (value), 0)
#define RED_OR(lvalue, value) \
    BSIM_REDUCE(BSIM_ATOMIC_BITS, lvalue, "atomicOr(&" #lvalue ", " #value ")", BSIM_OR, (value), 0)
#define RED_XOR(lvalue, value)                                                             \
    BSIM_REDUCE(BSIM_ATOMIC_BITS, lvalue, "atomicXor(&" #lvalue ", " #value ")", BSIM_XOR, \
                (value), 0)
#define RED_INC(lvalue, value)                                                                \
    BSIM_REDUCE(BSIM_ATOMIC_COUNTER, lvalue, "atomicInc(&" #lvalue ", " #value ")", BSIM_INC, \
                (value), 0)
#define RED_DEC(lvalue, value)                                                                \
    BSIM_REDUCE(BSIM_ATOMIC_COUNTER, lvalue, "atomicDec(&" #lvalue ", " #value ")", BSIM_DEC, \
                (value), 0)

/* CUDA's __shfl_*_sync among the lanes of a segment of `width` (1, 2, 4, 8, 16 or 32), for types of
 * 4 and of 8 bytes (two shuffles). A lane whose source lies outside its segment keeps its own
 * value; one whose source is not active gets bytes 0x7f (on a GPU: anything). */
#define SHFL_IDX(destination, value, lane, width) \
    BSIM_SHUFFLE(destination, value, lane, width, \
                 #destination " = shfl(" #value ", " #lane ", " #width ")", BSIM_IDX)
#define SHFL_UP(destination, value, delta, width)  \
    BSIM_SHUFFLE(destination, value, delta, width, \
                 #destination " = shfl_up(" #value ", " #delta ", " #width ")", BSIM_UP)
#define SHFL_DOWN(destination, value, delta, width) \
    BSIM_SHUFFLE(destination, value, delta, width,  \
                 #destination " = shfl_down(" #value ", " #delta ", " #width ")", BSIM_DOWN)
#define SHFL_XOR(destination, value, mask, width) \
    BSIM_SHUFFLE(destination, value, mask, width, \
                 #destination " = shfl_xor(" #value ", " #mask ", " #width ")", BSIM_BFLY)

/* Braces follow; nobody to execute them: they are skipped. OTHERWISE belongs to the last WHERE
 * before it at the same depth. They nest 16 deep. */
#define WHERE(condition) BSIM_MASKED(BSIM_FRAME_WHERE, condition)
#define OTHERWISE \
    for (bsim_frame_enter(cta, BSIM_FRAME_OTHERWISE, NULL, __FILE__, __LINE__); bsim_frame_turn(cta);)
/* Each thread stays until its condition is false. */
#define WHILE_ANY(condition) BSIM_MASKED(BSIM_FRAME_WHILE, condition)

/* The threads leave for good; later barriers do not wait for them. */
#define EXIT_WHERE(condition)                                \
    do {                                                     \
        for (uint32_t t = 0; t < cta->n_threads; t++) {      \
            if (bsim_thread_active(cta, t) && (condition)) { \
                bsim_thread_exit(cta, t);                    \
            }                                                \
        }                                                    \
    } while (0)

#define SYNCTHREADS() BSIM_INSTRUCTION(0, 0, .family = BSIM_BAR)
#define BSIM_INSTRUCTION(count, cycles, ...)                                             \
    bsim_instruction(cta, &(const struct bsim_opcode){__VA_ARGS__}, (count), (cycles), \
                     __FILE__, __LINE__)

/* The groups that a warp's copies are awaited in: all but the last n, or all, also those in no group. */
#define CP_ASYNC_COMMIT() BSIM_INSTRUCTION(0, 0, .family = BSIM_COPIES_COMMIT)
#define CP_ASYNC_WAIT(n) BSIM_INSTRUCTION((uint32_t)(n), 0, .family = BSIM_COPIES_WAIT)
#define CP_ASYNC_WAIT_ALL() CP_ASYNC_WAIT(BSIM_ALL_COPIES)

/* __syncwarp() of the active lanes, and memory fences of them, whose scope is BSIM_CTA, BSIM_GPU or
 * BSIM_SYS. Neither moves data here, where lanes are in step; they stand in the trace. */
#define SYNCWARP() BSIM_INSTRUCTION(0, 0, .family = BSIM_WARP_SYNC)
#define THREADFENCE_BLOCK() BSIM_THREADFENCE(BSIM_CTA)
#define THREADFENCE() BSIM_THREADFENCE(BSIM_GPU)
#define THREADFENCE_SYSTEM() BSIM_THREADFENCE(BSIM_SYS)

/* fence.proxy.async.shared::cta and fence.proxy.async, between lanes' accesses and those of wgmma and TMA: for cycles. */
#define FENCE_PROXY_ASYNC_SHARED() BSIM_PROXY_FENCE(BSIM_VIEW_SHARED)
#define FENCE_PROXY_ASYNC() BSIM_PROXY_FENCE(BSIM_NO_SCOPE)
#define BSIM_PROXY_FENCE(of) \
    BSIM_INSTRUCTION(0, 0, .family = BSIM_FENCE, .operation = BSIM_PROXY_ASYNC, .scope = of)
#define BSIM_THREADFENCE(of) \
    BSIM_INSTRUCTION(0, 0, .family = BSIM_FENCE, .operation = BSIM_MEMBAR, .scope = of)

/* The braces run once, and the trace says `repeat trips`. REPEAT_WORK: the loop's own control, see
 * struct bsim_repeat. */
#define REPEAT(trips) REPEAT_WORK (trips, 0, 0)
#define REPEAT_WORK(trips, count, cycles)                                                   \
    for (bsim_frame_enter(cta, BSIM_FRAME_REPEAT,                                           \
                          &(const struct bsim_repeat){(uint32_t)(trips), (uint32_t)(count), \
                                                      (uint32_t)(cycles)},                  \
                          __FILE__, __LINE__);                                              \
         bsim_frame_turn(cta);)

/* `count` other instructions of each warp, for cycles only: its next event comes no earlier than
 * `cycles` after the first. */
#define WORK(count, cycles) \
    BSIM_INSTRUCTION((uint32_t)(count), (uint32_t)(cycles), .family = BSIM_WORK)

#endif

/* propose.h - a kernel, a launch of it, and what is put in place of what the file does not say of that.
 *
 *     propose.c            kernels, launches, and who is told of them
 *     propose_shape.c      grid, block, bytes of shared memory
 *     propose_template.c   the kernel's name, with a template's arguments
 *     propose_argument.c   the arguments: arrays, numbers, structs
 *     propose_turn.c       the turns of loops that launch it
 */
#ifndef BSIM_CUDA_PROPOSE_H
#define BSIM_CUDA_PROPOSE_H

#include "cuda/host.h"

enum {
    MOST_THREADS = 1024,
    MOST_ELEMENTS = 1 << 24
};

/* What was chosen here. */
enum {
    CHOSE_GRID = 1,
    CHOSE_BLOCK = 2,
    CHOSE_BYTES = 4,
    CHOSE_SIZES = 8,
    CHOSE_NUMBERS = 16,
    CHOSE_TYPES = 32,
    CHOSE_TEMPLATE = 64
};

enum { MOST_OPEN = 8 };

/* A template's parameter that is a type, and what stands for it. */
struct open_type {
    const struct cu_token *name;
    const char *element;
    uint32_t bytes;
};

/* A kernel, and a launch of it. */
struct proposal {
    const struct cu_host *host;
    const struct cu_token *name;
    size_t parameters, body; /* their brackets */
    size_t bounds;           /* what stands in the brackets of __launch_bounds__; 0: nothing */
    size_t open;             /* the '<' of its template; 0: it is none */
    struct open_type type[MOST_OPEN];
    size_t n_types;
    size_t launch;    /* the token behind its name there; 0: nobody launches it */
    size_t arguments; /* the bracket of these */
    struct cu_known grid, block, bytes;
    bool has_bytes;   /* the launch says some */
    size_t n_unknown; /* of the parameters that are whole numbers */
    uint32_t chosen;
    uint32_t larger; /* what was chosen of sizes: 0 or, where a launch has faulted with that, 1, 2 */
};

/* A parameter, and what the launch passes for it: tokens begin to end, none if nobody launches it. */
struct passed {
    size_t type, type_end; /* without its name and star */
    bool is_pointer, is_const;
    size_t begin, end;
};

/* Puts a block, and then the rest of a shape, in place of what is not known of it. */
void bsim_cu_choose_block(struct proposal *p);
void bsim_cu_choose_shape(struct proposal *p);
/* The block that is chosen where one has faulted, from k = 1 on: fewer threads; false: there is none. */
bool bsim_cu_choose_fewer(struct proposal *p, uint32_t k);
int64_t bsim_cu_threads_of(const struct cu_known *of);

/* Parameter k, counted from 0; false behind the last one. And what is passed for it. */
bool bsim_cu_find_parameter(const struct proposal *p, size_t k, struct passed *passed);
void bsim_cu_find_argument(const struct proposal *p, size_t k, struct passed *passed);
void bsim_cu_count_unknown(struct proposal *p);
void bsim_cu_add_argument(struct proposal *p, const struct passed *passed, struct bsim_buffer *out);

/* The bracket of the innermost for whose head or body token i stands in; 0: none. */
size_t bsim_cu_loop_around(const struct cu_host *host, size_t i);

/* Whether the condition of a for or an if around token i is known not to hold, so that it is not reached. */
bool bsim_cu_is_skipped(const struct cu_host *host, size_t i);

/* A loop's turns: what is known in host of the one at hand. */
struct cu_turns {
    struct cu_host host;
    size_t name, condition, step, step_end;
};

/* The first turn of the loop whose bracket is at `open`, and each that follows; false: there is none, or nobody
 * knows. */
bool bsim_cu_first_turn(const struct cu_host *host, size_t open, struct cu_turns *turns);
bool bsim_cu_next_turn(struct cu_turns *turns);

/* "k<16, float>": what the launch says, what its arguments tell, or what is chosen; defaults are left out. */
void bsim_cu_add_kernel(struct proposal *p, struct bsim_buffer *out);

#endif

/* lower.h - what the files that make steps of instructions share.
 *
 *     lower.c          a kernel, the functions it calls, their variables; whose an instruction is
 *     lower_places.c   operands: registers, immediates, special registers, addresses of variables
 *     lower_compute.c  what computes in registers alone, exchanges, services
 *     lower_memory.c   loads, stores, atomics
 *     lower_calls.c    calls
 *
 * What is not known here becomes a step that refuses itself when it is executed.
 */
#ifndef BSIM_PTX_LOWER_H
#define BSIM_PTX_LOWER_H

#include "ptx/machine.h"

/* A function in the program. */
struct bsim_ptx_placed {
    const struct bsim_ptx_function *function;
    const uint32_t *place;                /* of its registers, which are n_words from first_word on */
    uint32_t first_word, n_words;
    uint32_t first;                       /* step */
    struct bsim_ptx_recursive *recursive; /* if it may call itself, or NULL */
    struct bsim_ptx_edge *calls;          /* whom it calls */
    uint32_t number, low;                 /* in the order in which they are looked at; 0: not yet */
    bool is_open;                         /* being looked at */
    struct bsim_ptx_placed *next, *below;
};

struct bsim_ptx_edge {
    struct bsim_ptx_placed *to;
    struct bsim_ptx_edge *next;
};

struct bsim_ptx_lowering {
    struct bsim_arena *arena;
    struct bsim_ptx_program *program;
    struct bsim_error *err;
    enum bsim_status status;
    struct bsim_ptx_placed *placed;
    struct bsim_ptx_placed *self;
    bool merges; /* what ptxas does */
};

static inline uint32_t bsim_ptx_main_type(const struct bsim_ptx_instruction *instruction)
{
    return instruction->n_types > 0 ? instruction->type[0] : BSIM_PTX_NO_TYPE;
}

/* ---- lower_places.c -------------------------------------------------------------------------- */

/* Memory of the program's arena; NULL, and l->status says so, when it is short. */
void *bsim_ptx_lower_take(struct bsim_ptx_lowering *l, size_t size);

/* The step ends the launch when it is executed, and says why. */
void bsim_ptx_lower_refuse(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                           const char *format, ...) BSIM_PRINTF(3, 4);

/* How many words a register of that type takes up in the file of each warp, and a place for one. */
uint32_t bsim_ptx_lower_words(uint32_t type);
uint32_t bsim_ptx_lower_register(struct bsim_ptx_lowering *l, uint32_t type);

/* The place of an operand read as `size` bytes (1: a predicate); the type is an immediate's. */
uint32_t bsim_ptx_lower_place(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                              const struct bsim_ptx_operand *operand, uint32_t size, uint32_t type);

/* How wide the operand's register is, at least 16; what is no register is as wide as the type. */
uint32_t bsim_ptx_lower_register_bits(const struct bsim_ptx_lowering *l,
                                      const struct bsim_ptx_operand *operand, uint32_t type);

/* An operand whatever its form, for instructions that sort theirs when they are executed. */
void bsim_ptx_lower_argument(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                             const struct bsim_ptx_operand *operand,
                             struct bsim_ptx_argument *argument);

/* ---- lower_calls.c --------------------------------------------------------------------------- */

/* Room for the steps, and places for the registers, of the kernel and all that it may call, and which of
 * these may call themselves. */
void bsim_ptx_place_functions(struct bsim_ptx_lowering *l);

/* Where the function was placed, or NULL. */
struct bsim_ptx_placed *bsim_ptx_find_placed(const struct bsim_ptx_lowering *l,
                                             const struct bsim_ptx_function *function);

/* ---- lower_compute.c, lower_memory.c, lower_calls.c ------------------------------------------ */

/* Each makes a step of the instruction that it comes from, or refuses it. */
void bsim_ptx_lower_alu(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                        const struct bsim_ptx_alu *alu);
void bsim_ptx_lower_setp(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                         const struct bsim_ptx_alu *alu);
void bsim_ptx_lower_convert(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step);
void bsim_ptx_lower_vector_move(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                                bool is_pack);
void bsim_ptx_lower_exchange(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                             const struct bsim_ptx_exchange *exchange);
void bsim_ptx_lower_service(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                            const struct bsim_ptx_service *service);
void bsim_ptx_lower_load(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step);
void bsim_ptx_lower_store(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step);
/* Of an atomic, by its words; BSIM_NO_OPERATION: it has none. */
enum bsim_operation bsim_ptx_operation_of(const struct bsim_ptx_instruction *instruction);

void bsim_ptx_lower_atomic(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step);
void bsim_ptx_lower_call(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step);

/* Whether a conversion's registers are as wide as its types, so that a row of alu's computes it. */
bool bsim_ptx_fits_registers(const struct bsim_ptx_lowering *l,
                             const struct bsim_ptx_instruction *from,
                             const struct bsim_ptx_alu *alu);

#endif

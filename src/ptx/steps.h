/* steps.h - what is found out about a function's instructions while steps are made of them: in which
 * order they may be executed, what their addresses are, what ptxas makes of them, what counts rest on.
 *
 *     flow.c     blocks of instructions, and where the ways of a branch meet
 *     paths.c    which of them each way passes; address.c, defined.c, scaled.c what is known of addresses
 *     merge.c    what ptxas makes one of, extend.c what stays alone; uniform.c what one lane does for all;
 *                doubt.c, contract.c, join.c, skip.c, schedule.c what else it does
 *     spin.c, hang.c, decide.c   what is chance, and whether it matters; origin.c, site.c what stands in a report's rows
 *     lower.c    the whole, a program; program.c keeps it
 */
#ifndef BSIM_PTX_STEPS_H
#define BSIM_PTX_STEPS_H

#include "ptx/machine.h"

/* ---- flow.c ---------------------------------------------------------------------------------- */

/* Instructions that are executed one behind the other. */
struct bsim_ptx_code_block {
    uint32_t first, last;
    uint32_t next[2]; /* blocks that it leads to: going on, branching; or BSIM_PTX_NOWHERE */
};

struct bsim_ptx_blocks {
    struct bsim_ptx_code_block *block; /* in the order of the code */
    uint32_t n;
    uint32_t *of; /* of each instruction; [n_instructions] is n */
};

/* False when memory is short; freed by bsim_ptx_free_blocks in either case. */
bool bsim_ptx_find_blocks(const struct bsim_ptx_function *function, struct bsim_ptx_blocks *blocks);

void bsim_ptx_free_blocks(struct bsim_ptx_blocks *blocks);

/* Sets mark[k] to branch + 1 for each block between a branch and where its ways meet, which is an instruction
 * or BSIM_PTX_NOWHERE. */
void bsim_ptx_mark_between(const struct bsim_ptx_blocks *blocks, uint32_t branch, uint32_t meet,
                           uint32_t *mark);

/* For each instruction i of the function: meet[i] is where the ways of a branch at i come together,
 * or BSIM_PTX_NOWHERE; n_instructions stands for the function's end. False when memory is short. */
bool bsim_ptx_find_meets(const struct bsim_ptx_function *function, uint32_t *meet);

/* ---- fresh.c --------------------------------------------------------------------------------- */

/* Sets is_read[r], which is 0, for each register that a lane of the function may read before it has
 * written it. False when memory is short. */
bool bsim_ptx_find_read_first(const struct bsim_ptx_function *function, uint8_t *is_read);

/* ---- address.c ------------------------------------------------------------------------------- */

/* What is known of a function's registers. */
struct bsim_ptx_addresses {
    const struct bsim_ptx_function *function;
    uint8_t *zeros;       /* that each register's value ends in, at least */
    uint32_t *defined_by; /* the one instruction that does, or none: n_instructions or more */
    uint8_t *uses;        /* of each register, 255 at most, and whether one wants the ... */
    bool *is_kept;        /* ... register itself (scaled.c) */
    uint8_t *zeros_here;  /* from the last definition to the end of its block, ... */
    uint32_t *here;       /* ... which is this */
    uint32_t block;       /* that is looked at */
};

/* An address: a register's value, or nothing's (BSIM_PTX_NOWHERE), and a constant. */
struct bsim_ptx_address {
    uint32_t root;
    uint32_t zeros; /* that the root ends in */
    int64_t offset;
};

/* False when memory is short; freed by bsim_ptx_addresses_free in either case. The function's
 * variables are laid out. */
bool bsim_ptx_addresses_new(const struct bsim_ptx_function *function,
                            struct bsim_ptx_addresses *addresses);

void bsim_ptx_addresses_free(struct bsim_ptx_addresses *addresses);

/* Of base + offset, in shared memory. */
struct bsim_ptx_address bsim_ptx_address_of(const struct bsim_ptx_addresses *addresses,
                                            const struct bsim_ptx_operand *base, uint64_t offset);

/* ---- defined.c ------------------------------------------------------------------------------- */

/* Sets `defined_by`. */
void bsim_ptx_find_definitions(struct bsim_ptx_addresses *addresses);

/* Whether one instruction computes the register, and no other. */
bool bsim_ptx_is_settled(const struct bsim_ptx_addresses *addresses, uint32_t number);

/* Whether the instruction's first operand is what it computes. */
bool bsim_ptx_defines(const struct bsim_ptx_instruction *from);

/* The same of registers: what it computes is not memory's. */
bool bsim_ptx_makes(const struct bsim_ptx_instruction *from);

/* Whether the register is among what the operand, or its members, set. */
bool bsim_ptx_sets(const struct bsim_ptx_operand *operand, uint32_t number);

/* Whether the operand is the memory of parameters: a kernel's, what a call hands over, or gives back. */
bool bsim_ptx_is_handed(const struct bsim_ptx_operand *operand);

/* The one instruction that computes the operand's register, in every lane, or NULL. */
const struct bsim_ptx_instruction *bsim_ptx_definition(const struct bsim_ptx_addresses *addresses,
                                                       const struct bsim_ptx_operand *operand);

/* Whether the operand is a constant: *value. */
bool bsim_ptx_is_constant(const struct bsim_ptx_addresses *addresses,
                          const struct bsim_ptx_operand *operand, uint64_t *value);

/* ---- scaled.c -------------------------------------------------------------------------------- */

/* Sets `uses` and `is_kept`, which are 0. */
void bsim_ptx_find_kept(struct bsim_ptx_addresses *addresses);

/* Whether the operand is a product by a constant, of which ptxas computes the negative by another constant; for
 * is_alone: if nobody else has it. */
bool bsim_ptx_is_negated_scale(const struct bsim_ptx_addresses *addresses,
                               const struct bsim_ptx_operand *operand, bool is_alone);

/* ---- paths.c --------------------------------------------------------------------------------- */

/* A function's blocks, and which of them each way to a block passes. */
struct bsim_ptx_paths {
    struct bsim_ptx_blocks blocks;
    uint32_t *order;    /* of each block, or BSIM_PTX_NOWHERE: no way leads there */
    uint32_t *by_order; /* blocks, from n_unreached on */
    uint32_t n_unreached;
    uint32_t *parent; /* of each block, the last that each way to it passes */
    uint32_t *first_edge, *next_edge;
    uint32_t *into;  /* of each block, a version */
    uint32_t *loop;  /* of each block, the first block of the innermost loop, or BSIM_PTX_NOWHERE */
    uint32_t *outer; /* of a loop's first block, the loop around it */
    uint32_t *room;
};

/* False when memory is short; freed by bsim_ptx_paths_free in either case. */
bool bsim_ptx_paths_new(const struct bsim_ptx_function *function, struct bsim_ptx_paths *paths);

void bsim_ptx_paths_free(struct bsim_ptx_paths *paths);

/* Whether who comes to instruction b has been at a. */
bool bsim_ptx_precedes(const struct bsim_ptx_paths *paths, uint32_t a, uint32_t b);

/* Whether a is in a loop that b, which it precedes, is not in. */
bool bsim_ptx_leaves_loop(const struct bsim_ptx_paths *paths, uint32_t a, uint32_t b);

/* The version, before each instruction, of something that some instructions change: the same number
 * is the same state, as far as it is certain. */
void bsim_ptx_find_versions(struct bsim_ptx_paths *paths, const bool *changes, uint32_t *version);

/* ---- extend.c -------------------------------------------------------------------------------- */

/* What is wanted above the lower 16 bits of a register: bits of these. */
enum { BSIM_PTX_ZEROS = 1, BSIM_PTX_SIGNS = 2, BSIM_PTX_EITHER = 3 };

/* Sets wants[r], which is 0, for each register of the function. */
void bsim_ptx_find_extended(const struct bsim_ptx_function *function,
                            const struct bsim_ptx_addresses *addresses, uint8_t *wants);

/* ---- merge.c --------------------------------------------------------------------------------- */

/* Makes one event of those of the function's accesses that ptxas makes one of. False when memory is
 * short. */
bool bsim_ptx_merge(const struct bsim_ptx_function *function, struct bsim_ptx_step *step);

/* Whether loads (stores) before the step are not merged with those behind it. */
bool bsim_ptx_parts_loads(const struct bsim_ptx_step *step);
bool bsim_ptx_parts_stores(const struct bsim_ptx_step *step);

/* ---- doubt.c --------------------------------------------------------------------------------- */

/* Marks the accesses that ptxas may leave out, or execute for more lanes; `first` is the function's first step in the program.
 * Behind bsim_ptx_merge. False when memory is short. */
bool bsim_ptx_find_doubts(const struct bsim_ptx_function *function, struct bsim_ptx_step *step,
                          uint32_t first);

/* ---- contract.c ------------------------------------------------------------------------------ */

/* What to execute for each of the function's instructions: itself; an fma of the arena, "fma-",
 * "-fma" or "-fma-" if it subtracts, negates its product or does both; NULL: nothing, others do it.
 * False when memory is short. */
bool bsim_ptx_contract(const struct bsim_ptx_function *function, struct bsim_arena *arena,
                       const struct bsim_ptx_instruction **from);

/* ---- join.c ---------------------------------------------------------------------------------- */

/* Takes the pace of those of the function's instructions that ptxas makes part of another. False when memory is short. */
bool bsim_ptx_join(const struct bsim_ptx_function *function, struct bsim_ptx_step *step);

/* ---- skip.c ---------------------------------------------------------------------------------- */

/* Sets `skipped` of branches that ptxas has none of; behind bsim_ptx_join. False when memory is short. */
bool bsim_ptx_find_skips(const struct bsim_ptx_function *function, struct bsim_ptx_step *step, struct bsim_arena *arena);

/* Puts the condition of such branches on each of the instructions that they lead by, where no other leads to what is behind
 * these. Behind all that asks for branches. */
bool bsim_ptx_put_conditions(const struct bsim_ptx_function *function, struct bsim_ptx_step *step);

/* ---- schedule.c ------------------------------------------------------------------------------ */

/* Puts the steps of each block of instructions in the order in which ptxas has its loads. Behind all that asks for
 * an instruction's number: steps are no longer where the function has them. False: memory is short. */
bool bsim_ptx_schedule(const struct bsim_ptx_function *function, struct bsim_ptx_step *step);

/* ---- uniform.c ------------------------------------------------------------------------------- */

/* Sets `gather` of the atomics whose address all lanes of a warp have in common, as ptxas sees it, and `parts` of
 * the branches whose condition they have not; `meet` is bsim_ptx_find_meets's. False when memory is short. */
bool bsim_ptx_find_gathers(const struct bsim_ptx_function *function, struct bsim_ptx_step *step,
                           const uint32_t *meet);

/* ---- spin.c ---------------------------------------------------------------------------------- */

/* Marks the accesses in loops that end when other threads, or a clock, want it. False when memory is
 * short. */
bool bsim_ptx_find_spins(const struct bsim_ptx_function *function, struct bsim_ptx_step *step);

/* ---- hang.c ---------------------------------------------------------------------------------- */

/* Sets *on_warps if branches or addresses of the function may hang on memory that other warps write, and
 * *on_blocks if on what other blocks do. False when memory is short. */
bool bsim_ptx_find_hanging(const struct bsim_ptx_function *function,
                           const struct bsim_ptx_step *step, bool *on_warps, bool *on_blocks);

/* Sets *is_elsewhere if addresses or accesses hang on registers that have other values on a GPU; `meet` is
 * bsim_ptx_find_meets's. Behind bsim_ptx_find_spins. False when memory is short. */
bool bsim_ptx_find_elsewhere(const struct bsim_ptx_function *function, const struct bsim_ptx_step *step,
                             const uint32_t *meet, bool *is_elsewhere);

/* ---- decide.c -------------------------------------------------------------------------------- */

/* Marks the loads and atomics whose values addresses or accesses may hang on, and sets *asks_for_local if any
 * is of a thread's own memory; `meet` is bsim_ptx_find_meets's. Behind bsim_ptx_find_spins. False when memory
 * is short. */
bool bsim_ptx_find_deciding(const struct bsim_ptx_function *function, struct bsim_ptx_step *step,
                            const uint32_t *meet, bool *asks_for_local);

/* ---- origin.c -------------------------------------------------------------------------------- */

/* Finds out what the addresses of the function's accesses begin at, and which of them may be merged if
 * their loop is unrolled. Behind bsim_ptx_merge. False when memory is short. */
bool bsim_ptx_find_origins(const struct bsim_ptx_function *function, struct bsim_ptx_step *step);

/* ---- site.c ---------------------------------------------------------------------------------- */

enum { BSIM_PTX_GENERIC_SITES = 4 };

/* Numbers the sites of the program's accesses. False when memory is short. */
bool bsim_ptx_find_sites(struct bsim_arena *arena, struct bsim_ptx_program *program);

/* The number of the access's site where it leads to that space. */
uint32_t bsim_ptx_site_number(const struct bsim_ptx_access *access, enum bsim_space space);

/* ---- lower.c --------------------------------------------------------------------------------- */

/* Makes the kernel's program, in an arena of the caller's, with what ptxas merges if `merges`. An instruction that is not known becomes
 * a step that refuses itself. Fails with BSIM_E_INPUT for calls that recur, BSIM_E_MEMORY. */
enum bsim_status bsim_ptx_lower(const struct bsim_ptx_module *module,
                                const struct bsim_ptx_function *kernel, bool merges,
                                struct bsim_arena *arena, struct bsim_ptx_program *program,
                                struct bsim_error *err);

/* ---- program.c ------------------------------------------------------------------------------- */

/* The program that was kept of the kernel, or NULL. */
const struct bsim_ptx_program *bsim_ptx_find_program(const struct bsim_ptx_module *module,
                                                     const struct bsim_ptx_function *kernel,
                                                     bool merges);

/* Keeps it, with its arena, for as long as the module lives; NULL, and it is the caller's still, when
 * memory is short. */
const struct bsim_ptx_program *bsim_ptx_keep_program(struct bsim_ptx_module *module, bool merges,
                                                     const struct bsim_ptx_program *program,
                                                     const struct bsim_arena *arena);

#endif

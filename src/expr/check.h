/* check.h - what a check consists of: statements, and what sealing makes of them. */
#ifndef BSIM_EXPR_CHECK_H
#define BSIM_EXPR_CHECK_H

#include "expr/parse.h"

#include <banksim/expr.h>

/* Those up to BSIM_WORD_SHARED hold for the whole check, wherever they stand; the others happen in
 * their order. */
enum bsim_check_word {
    BSIM_WORD_BLOCK,
    BSIM_WORD_GRID,
    BSIM_WORD_BLOCKIDX,
    BSIM_WORD_WARP,
    BSIM_WORD_KERNEL,
    BSIM_WORD_DEFINE,
    BSIM_WORD_INDEX,
    BSIM_WORD_STRUCT,
    BSIM_WORD_UNION,
    BSIM_WORD_TYPEDEF,
    BSIM_WORD_GLOBAL,
    BSIM_WORD_CONST, /* in a text also __constant__ */
    BSIM_WORD_MBARRIER,
    BSIM_WORD_SHARED,
    BSIM_WORD_FOR,
    BSIM_WORD_TIMES,
    BSIM_WORD_IF,
    BSIM_WORD_ELSE,
    BSIM_WORD_END,
    BSIM_WORD_LET,
    BSIM_WORD_LOAD,
    BSIM_WORD_STORE,
    BSIM_WORD_ATOMIC,
    BSIM_WORD_CP_ASYNC,
    BSIM_WORD_LDMATRIX,
    BSIM_WORD_STMATRIX,
    BSIM_WORD_TMA,
    BSIM_WORD_WGMMA,
    BSIM_WORD_ARRIVE,
    BSIM_WORD_WAIT,
    BSIM_WORD_SYNC,
    BSIM_WORD_SYNCWARP,
    BSIM_WORD_FENCE,
    BSIM_WORD_WORK,
    BSIM_WORD_CODE, /* of a text: a statement of C */
    BSIM_WORD_EXPECT,
    BSIM_N_WORDS,
    /* of a text alone */
    BSIM_WORD_OPEN = BSIM_N_WORDS, /* { */
    BSIM_WORD_CLOSE,               /* } */
    BSIM_WORD_WHILE,
};

/* One statement, as it was added. What follows its word is source.text[at .. end). */
struct bsim_statement {
    struct bsim_statement *next;
    enum bsim_check_word word;
    struct cu_source source; /* its lines */
    size_t from;             /* where the word begins */
    size_t at, end;
    uint32_t unit;               /* number of the text that it is from, 0: the command line */
    uint32_t depth;              /* how many braces it stands in, its own counted */
    bool may_be_constant;        /* of code: const */
    bool is_text;                /* a #define: its body is text */
    bool is_option;              /* added by itself: it has no braces, `end` and the end close it */
    struct bsim_statement *last; /* of a define: the last one of its name, if it is the first */
};

/* A loop around accesses, by its variable's name. */
struct bsim_loop {
    const char *name;
    size_t variable;
    size_t outer; /* index of the loop around it, or BSIM_NO_LOOP */
};

#define BSIM_NO_LOOP SIZE_MAX
#define BSIM_NO_SITE SIZE_MAX

/* What a copy by TMA or a wgmma has besides its address. */
struct bsim_async_form {
    const struct bsim_node *barrier; /* of a load: where it comes to; else NULL */
    struct bsim_tma copy;            /* without its places */
    const struct bsim_node *b;       /* of a wgmma; the address is A's, of one in registers B's */
    bool a_in_registers;
    bool is_mn_major[2];
};

struct bsim_access {
    struct bsim_check_access shown;
    const struct bsim_node *node; /* evaluates to the address */
    const struct bsim_node *from; /* of a copy: to where it is from; or NULL */
    const struct bsim_async_form *async; /* or NULL */
    uint32_t alignment;
    const char *type_name; /* what needs the alignment */
    bool is_read_only;     /* a load of an array that is, see bsim_check_for */
    size_t loop;           /* the innermost around it, or BSIM_NO_LOOP */
    uint64_t turns;        /* at least: of the loops around it whose turns are constant */
};

/* What a warp does, in order: a tree. */
enum bsim_step_kind {
    BSIM_STEP_ACCESS, /* `access` */
    BSIM_STEP_SET,    /* `variable` to node */
    BSIM_STEP_IF,     /* node: body, else: other */
    BSIM_STEP_RANGE,  /* body for each value of `range`, which `variable` has */
    BSIM_STEP_LOOP,   /* while node: body, then other */
    BSIM_STEP_TIMES,  /* body once, which stands for `times` turns */
    BSIM_STEP_RETURN,
    BSIM_STEP_SYNC,
    BSIM_STEP_SYNCWARP, /* of `lanes`; 0: of those that come to it */
    BSIM_STEP_FENCE,    /* `scope` */
    BSIM_STEP_SHUFFLE,  /* check->shuffle[`shuffle`] */
    BSIM_STEP_WORK,
    BSIM_STEP_ASYNC,  /* `access`, of TMA or wgmma */
    BSIM_STEP_ARRIVE, /* at the mbarrier `node`; `value`: bytes that it is to expect, or NULL */
    BSIM_STEP_WAIT,   /* for the phase of parity `value` of the mbarrier `node` */
    BSIM_STEP_COMMIT, /* a group `of` wgmmas or of copies */
    BSIM_STEP_RETIRE, /* all groups of them but the last `times` */
    BSIM_STEP_COPIES_COMMIT, /* a group of cp.async */
    BSIM_STEP_COPIES_WAIT,   /* for all of them but the last `times`, or BSIM_ALL_COPIES */
    BSIM_STEP_COPIES_ARRIVE, /* those so far, at the mbarrier `node`: each thread's are `times`, 0 or 1, of its arrivals */
};

/* What goes on beside the threads that began it, in groups that are waited for. */
enum bsim_group_of { BSIM_GROUP_OF_WGMMA, BSIM_GROUP_OF_TMA, BSIM_N_GROUPS_OF };

/* The last groups of each that a wait can tell apart: wait_group takes 0 to 7. */
enum { BSIM_GROUPS = 8 };

/* value[0], value[1], ...; or start, start + step, ... */
struct bsim_range {
    const int64_t *value; /* or NULL */
    int64_t start, step;
    uint64_t n;
};

struct bsim_step {
    enum bsim_step_kind kind;
    struct bsim_step *next, *body, *other;
    const struct cu_source *source; /* for messages */
    size_t at;
    const struct bsim_node *node, *value;
    size_t access, shuffle, variable;
    size_t loop; /* of a loop that has a name, or BSIM_NO_LOOP */
    struct bsim_range range;
    uint32_t work_count, work_cycles, work_class;
    uint32_t times;
    uint32_t lanes;
    enum bsim_fence_scope scope;
    bool is_proxy; /* a fence: fence.proxy.async */
    enum bsim_group_of of;
};

struct bsim_expectation_plan {
    struct bsim_check_expectation shown;
    const struct bsim_node *node;
};

struct bsim_recording;

struct bsim_check {
    struct cu_file file; /* whose memory everything is */
    struct cu_macros macros;
    const struct bsim_recording *recording; /* what happens in it, in place of steps; or NULL */
    struct bsim_recorder *recorder;         /* that it is of */
    struct bsim_check *said;                /* the arrays that its trace declares, or NULL */
    struct bsim_replay replay;
    struct bsim_statement *first, *last;
    uint32_t n_units;
    bool sealed, broken;
    struct bsim_scope scope;
    struct bsim_scope strangers;
    struct bsim_scope locals;
    struct bsim_kernel kernel;
    struct bsim_dim3 block;
    uint32_t warp;                  /* the only one that is looked at, or BSIM_ALL_WARPS */
    struct bsim_check_array *array; /* the shared ones, then those in other memory */
    size_t n_shared, n_arrays;
    struct bsim_check_mbarrier {
        size_t array;
        uint32_t count; /* arrivals of each phase */
    } * mbarrier;
    size_t n_mbarriers;
    uint64_t n_global;
    uint64_t constant_bytes;
    size_t n_variables;
    struct bsim_variable_known {
        enum bsim_space space; /* where it points to, if it does */
        bool is_read_only;     /* an array that is read-only */
        bool varies;           /* with the launch, the thread or data: no compiler knows it */
    } * variable;
    size_t n_indices;           /* that are declared */
    size_t n_deciding, n_drawn; /* of them, those that something uses; those that are drawn, too */
    uint64_t n_zipf_values;
    struct bsim_step *body;
    bool has_between;                 /* steps that are neither accesses nor values of threads */
    const struct bsim_step *repeated; /* some step of the kind BSIM_STEP_TIMES, or NULL */
    bool awaits_copies;               /* some step waits for copies by cp.async */
    const struct bsim_step *met;      /* some step by which warps wait for each other, but for barriers; or NULL */
    struct bsim_loop *loop;
    size_t n_loops;
    struct bsim_access *access;
    size_t n_accesses;
    const struct bsim_shuffle **shuffle;
    size_t n_shuffles;
    struct bsim_expectation_plan *expectation;
    size_t n_expectations;
    struct bsim_check_contents contents; /* of a sealed check: what others see of all this */
    struct bsim_check_access *shown;     /* the accesses in it */
};

/* Reading a check's body: what happens, in order (sketch.c, code.c, access.c, expect.c). */
struct bsim_sketch {
    struct bsim_check *check;
    struct bsim_parse *parse;
    const struct bsim_statement *statement; /* at hand, NULL at the end */
    struct bsim_step **tail;                /* where the next step goes */
    size_t loop;                            /* the innermost at hand, or BSIM_NO_LOOP */
    uint64_t turns;                         /* constant ones around what is read */
    uint64_t times;                         /* and those that are not played */
    uint32_t n_times;                       /* of how many statements */
    size_t expect_from;            /* the first access that no expectation is about yet... */
    size_t expect_first, expect_n; /* those that the last one is about; 0: none yet */
    uint32_t unit;                 /* ...of this text */
    uint32_t nesting;
    const char *set_name; /* of the last variable that was set, and its number */
    size_t set_variable;
};

/* ---- a text's statements (split.c) ----------------------------------------------------------- */

/* Appends the statements of text[0..size) to the check. */
enum bsim_status bsim_check_split(struct bsim_check *check, const char *name, uint64_t line,
                                  uint32_t unit, const char *text, size_t size,
                                  struct bsim_error *err);

/* Appends one. */
void bsim_check_append(struct bsim_check *check, struct bsim_statement *statement);

enum bsim_check_word bsim_check_find_word(const char *text, size_t length);

enum { BSIM_STATEMENT_MAX_BYTES = 16384 };

/* ---- reading them ---------------------------------------------------------------------------- */

/* Each reads one statement from its first token on. False after a failure, which parse has. */
bool bsim_check_declare(struct bsim_check *check, struct bsim_parse *parse); /* layout.c */
bool bsim_check_declare_mbarriers(struct bsim_check *check, struct bsim_parse *parse);
/* One array of any name, which begins at that byte: no name of its own is known from it (layout.c). */
bool bsim_check_declare_at(struct bsim_check *check, struct bsim_parse *parse, uint32_t begin);
bool bsim_check_declare_other(struct bsim_check *check, struct bsim_parse *parse,
                              enum bsim_space space); /* layout.c */
/* The layout behind a declarator, if one stands there (arrange.c). */
bool bsim_check_read_layout(struct bsim_check *check, struct bsim_parse *parse,
                            struct bsim_check_array *array);
bool bsim_check_read_index(struct bsim_check *check, struct bsim_parse *parse); /* index.c */
bool bsim_check_read_sketch(struct bsim_check *check, struct bsim_parse *parse);
bool bsim_sketch_read_code(struct bsim_sketch *sketch, const struct bsim_statement *statement,
                           size_t at, size_t end);
bool bsim_sketch_read_object(struct bsim_sketch *sketch, const struct bsim_statement *statement);
bool bsim_sketch_read_access(struct bsim_sketch *sketch, const struct bsim_statement *statement);
/* A barrier of the block or of a warp, a fence, behind its word (sketch.c). */
bool bsim_sketch_read_sync(struct bsim_sketch *sketch, const struct bsim_statement *statement);
bool bsim_sketch_read_syncwarp(struct bsim_sketch *sketch, const struct bsim_statement *statement);
bool bsim_sketch_read_fence(struct bsim_sketch *sketch, const struct bsim_statement *statement);
bool bsim_sketch_read_atomic(struct bsim_sketch *sketch, const struct bsim_statement *statement);
/* CUDA's call of an atomic, at hand in a statement of C; somebody uses its result, or not. */
bool bsim_sketch_read_call(struct bsim_sketch *sketch, const struct bsim_statement *statement,
                           bool is_used);
bool bsim_sketch_read_expectation(struct bsim_sketch *sketch,
                                  const struct bsim_statement *statement);
/* tma, wgmma; arrive, wait (async.c). */
bool bsim_sketch_read_async(struct bsim_sketch *sketch, const struct bsim_statement *statement);
bool bsim_sketch_read_mbarrier(struct bsim_sketch *sketch, const struct bsim_statement *statement);

/* ["noinc"] MBARRIER, behind cp_async arrive */
bool bsim_sketch_read_copies_arrive(struct bsim_sketch *sketch, const struct bsim_statement *statement);
/* The access becomes the check's next one, and a step of that kind (access.c). */
bool bsim_sketch_append(struct bsim_sketch *sketch, const struct bsim_statement *statement,
                        enum bsim_step_kind kind, struct bsim_access *access);

/* One step at the end of what is read, or NULL; `at` is its place. */
struct bsim_step *bsim_sketch_add(struct bsim_sketch *sketch, enum bsim_step_kind kind,
                                  const struct cu_source *source, size_t at);

/* A new variable, without a name; false when memory is short. */
bool bsim_check_add_variable(struct bsim_check *check, size_t *number);

/* A new variable, in the braces at hand. */
bool bsim_sketch_declare(struct bsim_sketch *sketch, const char *name, const struct cu_type *type,
                         size_t *number);

/* Sets it to the value of node. */
bool bsim_sketch_set(struct bsim_sketch *sketch, const char *name, size_t number,
                     const struct bsim_node *node);

/* Whether a value depends on the launch, the thread or data (check.c). */
bool bsim_check_varies(const struct bsim_check *check, const struct bsim_node *node);

/* Whether what a value points to, or an object, is read-only (layout.c). */
bool bsim_check_is_read_only(const struct bsim_check *check, const struct bsim_node *node);

/* The memory that a value points to, or an object lies in (layout.c). */
enum bsim_space bsim_check_space(const struct bsim_check *check, const struct bsim_node *node);

/* A load or store of the object `node` (family BSIM_LD or BSIM_ST), shown as
 * source.text[from..to). */
bool bsim_sketch_access_object(struct bsim_sketch *sketch, enum bsim_family family,
                               const struct bsim_node *node, const struct bsim_statement *statement,
                               size_t from, size_t to);

/* Fills the contents of a check that is complete. False when memory is short. */
bool bsim_check_show(struct bsim_check *check);

/* Room for one more element in a growing list of the check's. */
bool bsim_check_grow(void **list, size_t n, size_t each);

/* Places what is of unknown size behind everything else, and settles the window. */
bool bsim_check_settle(struct bsim_check *check, struct bsim_parse *parse);

/* A copy of source.text[at .. end) without blanks around it, a semicolon behind it and control
 * characters; NULL when memory is short. */
const char *bsim_check_copy(struct bsim_check *check, const struct cu_source *source, size_t at,
                            size_t end);

/* What the report and a trace call an access or a shuffle: `op`, and its text
 * source.text[from..to). */
bool bsim_sketch_name(struct bsim_sketch *sketch, const struct bsim_statement *statement,
                      const char *op, size_t from, size_t to, struct bsim_check_access *shown);

/* ---- what was recorded (recorded.c) ---------------------------------------------------------- */

/* Whether the statements leave what happens to the recording; and its arrays and accesses. */
enum bsim_status bsim_check_only_declares(const struct bsim_check *check, struct bsim_error *err);
enum bsim_status bsim_check_read_recording(struct bsim_check *check, struct bsim_error *err);

/* Appends the x-shared= of a check's trace; nothing without shared arrays (declared.c). */
void bsim_check_put_declared(const struct bsim_check *check, struct bsim_buffer *out);

/* The array in which a byte of the window lies; check->n_shared if there is none (declared.c). */
size_t bsim_check_find_array(const struct bsim_check *check, uint32_t address);

/* The same of an access of so many bytes, and where that would begin if elements lay in their order.
 * False if it lies in no array as a whole. */
bool bsim_check_find_offset(const struct bsim_check *check, uint32_t address, uint32_t bytes,
                            uint32_t *array, uint32_t *offset);

enum bsim_status bsim_check_walk_recording(const struct bsim_check *check,
                                           const struct bsim_check_visitor *visitor,
                                           struct bsim_error *err);

/* Pushes the first launch that was recorded, with the arrays as in bsim_check_push_laid, or, with laid NULL,
 * as it was (replay.c). */
enum bsim_status bsim_check_replay(const struct bsim_check *check, const struct bsim_laid *laid,
                                   const struct bsim_sink *sink, struct bsim_error *err);

/* The indices that warps have computed. A compiler keeps one for accesses that have the same soon
 * after, or in each turn of a loop: so those of a warp's last few accesses cost nothing, nor those in a
 * repeat, whose turns are all alike. */
enum { BSIM_INDEX_WARPS = 64, BSIM_INDICES_KEPT = 8 };
struct bsim_indices {
    int depth; /* of repeats */
    uint64_t hash[BSIM_INDEX_WARPS][BSIM_INDICES_KEPT];
    uint8_t next[BSIM_INDEX_WARPS];
};

/* An access before it is laid out, and what its index takes then. */
struct bsim_computed {
    uint32_t warp, lanes;
    const uint64_t *address; /* by lane */
    uint32_t n_operations;
};

/* Pushes the instructions of a warp that compute it, each of which needs the one before
 * (computed.c). */
enum bsim_status bsim_check_push_index(const struct bsim_sink *sink, struct bsim_indices *known,
                                       const struct bsim_computed *index, struct bsim_error *err);

/* ---- playing them (walk.c) ------------------------------------------------------------------- */

/* What happens, in a warp's order, warp after warp. What is NULL is passed over. */
struct bsim_visitor {
    enum bsim_status (*request)(void *context, const struct bsim_check_request *request,
                                struct bsim_error *err);
    enum bsim_status (*other)(void *context, const struct bsim_check_request *request,
                              struct bsim_error *err); /* to other memory than shared */
    /* Without addresses: barriers, work, ...; one with a site has its index, without its place. */
    enum bsim_status (*event)(void *context, size_t site, const struct bsim_event *event,
                              struct bsim_error *err);
    /* What comes up to its end, where times is 0, stands for so many turns. */
    enum bsim_status (*repeat)(void *context, uint32_t times, struct bsim_error *err);
    void *context;
    uint64_t draw; /* which values indices are drawn to have */
};

/* Of its block. */
uint32_t bsim_check_n_warps(const struct bsim_check *check);

enum bsim_status bsim_check_walk(const struct bsim_check *check, const struct bsim_visitor *visitor,
                                 struct bsim_error *err);

#endif

/* parse.h - expressions, type names and declarations, from tokens to trees and types.
 *
 * The functions answer NULL or false after a failure; parse->status has the first one and the error
 * its place. After a failure the token at hand is the end, so that loops over tokens stop.
 */
#ifndef BSIM_EXPR_PARSE_H
#define BSIM_EXPR_PARSE_H

#include "c/macro.h"
#include "c/operator.h"
#include "expr/scope.h"

struct bsim_shuffle;
struct bsim_check;
/* What must hold for a part of an expression to be evaluated: the conditions of the ?:, && and ||
 * that it stands in. */
struct bsim_guard {
    const struct bsim_node *condition;
    bool truth;
    const struct bsim_guard *outer;
};

/* What an expression does before it has its value: an object of memory whose value it takes is a
 * load; or it is a shuffle. */
struct bsim_read {
    const struct bsim_node *object;
    const struct bsim_shuffle *shuffle; /* or NULL */
    const struct bsim_guard *guard;     /* or NULL */
    struct bsim_read *next;
};

/* How a statement's expression is parsed: what no description knows has no value and is no mistake
 * unless an address or a condition needs it; loads are noted. Without it (an index, a condition)
 * such operands are refused where they stand. */
struct bsim_reading {
    struct bsim_read *first, *last;
    size_t n;
    const struct bsim_guard *guard;
    struct bsim_scope *strangers; /* names that nothing declares, for the report; no type */
    struct bsim_scope *locals;    /* arrays of the thread's own in local memory, for the report */
    struct bsim_check *check;     /* whose variables get what is shuffled */
};

struct bsim_parse {
    struct cu_file *file;     /* whose memory it is */
    struct cu_macros *macros; /* or NULL */
    struct bsim_scope *scope;
    const struct cu_source *source;
    struct bsim_error *err;
    enum bsim_status status;
    const struct cu_token *token; /* at hand */
    uint64_t number;              /* it, if it is one, and its type */
    const struct cu_type *type;
    size_t at, end;       /* in the source: that token; the end of what is parsed */
    size_t used;          /* the end of the macro that the token at hand is from */
    size_t behind;        /* where the token before the one at hand ends */
    bool constant;        /* a constant is wanted: nothing that depends on a thread */
    bool saw_const;       /* among the qualifiers since this was last reset */
    bool saw_volatile;    /* the same */
    const char *declared; /* the name whose own value is being read, or NULL */
    uint32_t nesting, struct_nesting;
    bool raw;                     /* tokens are left as they are */
    struct bsim_reading *reading; /* or NULL */
};

/* ---- tokens (cursor.c) ----------------------------------------------------------------------- */

/* Starts at offset `at` of parse->source, up to `end`. */
bool bsim_parse_start(struct bsim_parse *parse, size_t at, size_t end);

/* No more tokens, because of what failed. */
void bsim_parse_stop(struct bsim_parse *parse, enum bsim_status status);

/* The next token becomes the one at hand; where it is a macro's name, the first one of what that
 * stands for. */
bool bsim_parse_advance(struct bsim_parse *parse);

bool bsim_parse_sees(const struct bsim_parse *parse, const char *text);
bool bsim_parse_sees_any(const struct bsim_parse *parse, const char *texts); /* "a b": a or b */
bool bsim_parse_take(struct bsim_parse *parse, const char *text);   /* if it is at hand */
bool bsim_parse_take_any(struct bsim_parse *parse, const char *texts);
bool bsim_parse_expect(struct bsim_parse *parse, const char *text); /* fails if it is not */

/* Of a check, which has none so far; whether what is at hand, read raw, is the name of one with
 * parameters in its definition; and the definition from its name on, which is C's own if is_text: else
 * an = may stand before what it stands for. */
void bsim_parse_begin_macros(struct cu_macros *macros, struct cu_file *file);
bool bsim_parse_begins_macro(const struct bsim_parse *parse);
bool bsim_parse_macro(struct bsim_parse *parse, bool is_text);

/* Fails unless nothing is left, or a semicolon alone. */
bool bsim_parse_end(struct bsim_parse *parse);

/* Fails at offset `at`; returns false. */
bool bsim_parse_fail(struct bsim_parse *parse, size_t at, const char *format, ...)
    BSIM_PRINTF(3, 4);
bool bsim_parse_no_memory(struct bsim_parse *parse);

/* Fails where the token begins a kernel with its head, or what else stands around one in a file. */
bool bsim_parse_refuse_file(struct bsim_parse *parse);

/* "in OFFSET: " if the token at hand, at offset `at`, is from the body of that macro, else "": what is
 * wrong there is placed at the macro's use. */
const char *bsim_parse_macro_at(const struct bsim_parse *parse, size_t at);

/* Fails at the token at hand, which is none that may stand there. */
bool bsim_parse_refuse_rest(struct bsim_parse *parse);

/* Fails at the token at hand: `wanted` should stand there. */
bool bsim_parse_wants(struct bsim_parse *parse, const char *wanted);

/* ---- expressions (parse.c) ------------------------------------------------------------------- */

/* One expression without the comma operator. */
const struct bsim_node *bsim_parse_expression(struct bsim_parse *parse);

/* The kind of the operator's nodes. */
enum bsim_node_kind bsim_parse_node_of(enum cu_operator operator);

/* What begins with the name at hand (name.c); and the arguments of a function that nobody knows. */
const struct bsim_node *bsim_parse_name(struct bsim_parse *parse);
bool bsim_parse_arguments(struct bsim_parse *parse);

/* An expression of constants and its value, an integer from least to most; `what` names it in the
 * message, with its article. */
bool bsim_parse_constant(struct bsim_parse *parse, const char *what, int64_t least, int64_t most,
                         int64_t *value);

/* ---- types and declarations (declare.c) ------------------------------------------------------ */

/* True if a type name begins at hand; if one of C's words for types does. */
bool bsim_parse_sees_type(struct bsim_parse *parse);
bool bsim_parse_sees_keyword(const struct bsim_parse *parse);

/* A type of words alone: "unsigned", "float4". */
const struct cu_type *bsim_parse_base_type(struct bsim_parse *parse);

/* base-type and what stands behind it in a cast: stars, `(*)[N]`. */
const struct cu_type *bsim_parse_type_name(struct bsim_parse *parse);

/* What may stand around a declared name: `type` with the stars at hand, and as the element of an
 * array of the dimensions at hand, the first of which may be empty if may_be_open. */
const struct cu_type *bsim_parse_stars(struct bsim_parse *parse, const struct cu_type *type);
const struct cu_type *bsim_parse_dimensions(struct bsim_parse *parse, const struct cu_type *of,
                                            bool may_be_open);

/* (("__align__" | "alignas") "(" constant ")")*: the strictest of them and *alignment. */
bool bsim_parse_alignments(struct bsim_parse *parse, uint32_t *alignment);

/* A name that may be given to something new, copied; NULL after a failure. */
const char *bsim_parse_new_name(struct bsim_parse *parse);

/* Gives a type a name, which is borrowed. */
bool bsim_parse_add_type(struct bsim_parse *parse, const char *name, const struct cu_type *type);

/* What a `shared` statement declares, one array after the other. */
struct bsim_declaration {
    bool is_extern, is_const;
    uint32_t alignment; /* asked for; 1: not */
    const struct cu_type *base;
};

struct bsim_declarator {
    const char *name;
    size_t at;
    const struct cu_type *type; /* base, or an array of it */
    bool is_read_only;          /* a pointer that is const and __restrict__ */
};

/* Storage words and a type, which may be defined here; what shared memory can consist of. */
bool bsim_parse_specifiers(struct bsim_parse *parse, struct bsim_declaration *declaration);
bool bsim_parse_declaration(struct bsim_parse *parse, struct bsim_declaration *declaration);
bool bsim_parse_declarator(struct bsim_parse *parse, const struct bsim_declaration *declaration,
                           struct bsim_declarator *declarator);

/* ---- structs (struct.c) ---------------------------------------------------------------------- */

/* True if struct or union is at hand. */
bool bsim_parse_sees_struct(const struct bsim_parse *parse);

/* The struct or union at hand: one that was defined before, or, if may_define, its definition. */
const struct cu_type *bsim_parse_struct(struct bsim_parse *parse, bool may_define);

/* Whole statements, behind their word. */
bool bsim_parse_struct_statement(struct bsim_parse *parse, bool is_union);
bool bsim_parse_typedef(struct bsim_parse *parse);

/* ---- nodes (build.c) ------------------------------------------------------------------------- */

/* Notes a node's text, source.text[from .. to), unless it has one; NULL for NULL. */
const struct bsim_node *bsim_build_extent(const struct bsim_node *node, size_t from, size_t to);

/* Each answers NULL after a failure, and for operands that are NULL. `at` is the node's place. */
const struct bsim_node *bsim_build_number(struct bsim_parse *parse, const struct cu_type *type,
                                          uint64_t number, size_t at);
const struct bsim_node *bsim_build_symbol(struct bsim_parse *parse,
                                          const struct bsim_symbol *symbol, size_t at);
const struct bsim_node *bsim_build_builtin(struct bsim_parse *parse, enum bsim_builtin builtin,
                                           size_t at);
/* To an integer type, from an integer that a thread knows. */
const struct bsim_node *bsim_build_convert(struct bsim_parse *parse, const struct cu_type *type,
                                           const struct bsim_node *a, size_t at);
/* A cast, to any type. */
const struct bsim_node *bsim_build_cast(struct bsim_parse *parse, const struct cu_type *type,
                                        const struct bsim_node *a, size_t at);
const struct bsim_node *bsim_build_unary(struct bsim_parse *parse, enum bsim_node_kind kind,
                                         const struct bsim_node *a, size_t at);
const struct bsim_node *bsim_build_binary(struct bsim_parse *parse, enum bsim_node_kind kind,
                                          const struct bsim_node *a, const struct bsim_node *b,
                                          size_t at);
const struct bsim_node *bsim_build_choose(struct bsim_parse *parse, const struct bsim_node *a,
                                          const struct bsim_node *b, const struct bsim_node *c,
                                          size_t at);
const struct bsim_node *bsim_build_address(struct bsim_parse *parse, const struct bsim_node *a,
                                           size_t at);
/* What __cvta_generic_to_shared gives: in C a number, here a pointer that steps by bytes. Static. */
const struct cu_type *bsim_build_address_type(void);
/* Whether objects of the type have a size that is known: not void, an array without one, or a struct
 * in its own definition. */
bool bsim_build_has_size(const struct cu_type *type);
/* __cvta_generic_to_shared(a) */
const struct bsim_node *bsim_build_shared_address(struct bsim_parse *parse,
                                                  const struct bsim_node *a, size_t at);
const struct bsim_node *bsim_build_object(struct bsim_parse *parse, const struct bsim_node *a,
                                          size_t at);
/* The object a seen as one of another type. */
const struct bsim_node *bsim_build_retyped(struct bsim_parse *parse, const struct cu_type *type,
                                           const struct bsim_node *a, size_t at);
/* a.name; the name is the token at hand, and what is read. */
const struct bsim_node *bsim_build_member(struct bsim_parse *parse, const struct bsim_node *a,
                                          size_t at);
/* What an operand's value is: an array becomes a pointer to its first element, and the contents of
 * shared memory are refused. */
const struct bsim_node *bsim_build_operand(struct bsim_parse *parse, const struct bsim_node *a);
/* Notes a load of the object, or the shuffle, among what the expression does. */
bool bsim_build_note(struct bsim_parse *parse, const struct bsim_node *object,
                     const struct bsim_shuffle *shuffle);
/* An integer that a thread knows. */
const struct bsim_node *bsim_build_integer(struct bsim_parse *parse, const struct bsim_node *a);
/* What a call of the unknown `function` answers. */
const struct bsim_node *bsim_build_result(struct bsim_parse *parse,
                                          const struct bsim_node *function);
/* A value that is not known, with the message for what needs it; refused if nothing is read. */
const struct bsim_node *bsim_build_unknown(struct bsim_parse *parse, size_t at, const char *format,
                                           ...) BSIM_PRINTF(3, 4);

#endif

/* parse.h - the parser: its state, and what its files have of one another.
 *
 *     scope.c          names
 *     cursor.c         the token at hand, and failing at it
 *     unclosed.c       where a bracket is missing
 *     build.c          makes nodes: C++'s promotions and conversions, what is refused
 *     constant.c       values that are known while a file is read
 *     parse_type.c     types, declarators
 *     parse_struct.c   structs, their functions and constructors, enumerations
 *     parse_template.c templates: what stands for their parameters, and what is made of them
 *     parse_expr.c     expressions
 *     parse_lambda.c   lambdas
 *     parse_call.c     calls of functions and operators, and of what CUDA has built in
 *     parse_statement.c
 *     parse_function.c heads of functions
 *     parse.c          the file: functions, variables, and host code, which is passed over
 */
#ifndef BSIM_CUDA_PARSE_H
#define BSIM_CUDA_PARSE_H

#include "cuda/tree.h"

enum cu_name_kind {
    CU_NAME_VARIABLE,
    CU_NAME_TYPE,
    CU_NAME_FUNCTION,
    CU_NAME_TEMPLATE,
    CU_NAME_MEMBER, /* of the struct whose scope it stands in */
    CU_NAME_SPACE,
    CU_NAME_UNREADABLE,
};

/* What a name means. */
struct cu_name {
    const struct cu_token *token;
    enum cu_name_kind kind;
    struct cu_variable *variable;
    const struct cu_type *type;
    struct cu_function *function; /* the newest; others of that name lie behind it in the scope */
    struct cu_template *template;
    const char *why;   /* it is unreadable */
    const char *space; /* the namespaces that it stands in, mangled; NULL: none */
    struct cu_name *next;
};

#define CU_CONSTRUCTOR "$C1" /* the name that constructors have in their struct's scope */

enum { CU_BUCKETS = 32 };

struct cu_scope {
    struct cu_name *bucket[CU_BUCKETS];
    struct cu_scope *outer;
    const struct cu_scope *base; /* of a struct: its base's, whose names are in it, too; NULL: none */
};

/* What a template was made for certain arguments. */
struct cu_instance {
    const char *key; /* the arguments, mangled */
    const struct cu_type *type;
    struct cu_function *function;
    struct cu_instance *next;
};

enum { CU_MOST_PARAMETERS = 16 };

/* A struct's template for some arguments: those that fit the pattern, which begins with its '<'. */
struct cu_partial {
    const struct cu_token *parameters, *pattern, *begin;
    struct cu_scope *scope;
    struct cu_partial *next;
};

struct cu_template {
    const struct cu_token *name, *parameters, *begin; /* its '<'; what stands behind its '>' */
    struct cu_scope *scope;
    const struct cu_type *owner; /* the struct that it is a function of */
    const char *space;
    bool is_struct, is_partial; /* another one is for some arguments: which one is not told here */
    struct cu_instance *instances;
    struct cu_partial *partials;
};

struct cu_parser {
    struct cu_file *file;
    struct cu_module *module;
    const struct cu_token *token, *end, *last; /* the one at hand, the file's, that before */
    struct cu_scope *scope, *outermost;
    struct cu_function *function;  /* that is being read */
    const struct cu_type *changed; /* the type of CU_OLD */
    struct cu_node *cases;         /* of the innermost switch, newest first */
    uint32_t depth;                /* of what is nested */
    uint32_t n_locals;             /* variables in memory that functions declare, for their names */
    bool in_loop, in_switch;
    bool in_angles;               /* a '>' ends what is read */
    const struct cu_type *owner;  /* the struct that is being read */
    const char *space;            /* the namespaces around, mangled; NULL: none */
    const char *used_spaces;      /* names behind "using", mangled, a blank behind each; NULL: none */
    const char *asked_space;      /* those in front of the name that was resolved last, "" of ::f; NULL: none */
    struct cu_template *template; /* what is being made of it with `arguments` */
    const struct cu_argument *arguments;
    uint32_t n_arguments;
    const char *why;     /* the last function of a template could not be made */
    bool is_widest;      /* #if: whole numbers have 64 bits */
    bool takes_function; /* a pointer to a function may stand here */
};

/* scope.c */
void bsim_cu_enter(struct cu_parser *p);
void bsim_cu_leave(struct cu_parser *p);
struct cu_name *bsim_cu_add_name(struct cu_parser *p, const struct cu_token *token,
                                 enum cu_name_kind kind);
/* Makes it a name that cannot be read, as another namespace has it, too. */
void bsim_cu_clash(struct cu_name *name);
bool bsim_cu_same_space(const char *a, const char *b); /* namespaces, NULL: none */
/* Whether the namespaces' last ones are those `length` characters. */
bool bsim_cu_ends_in(const char *space, const char *last, size_t length);
/* The namespace that the token at hand names, within that one. */
const char *bsim_cu_space_in(struct cu_parser *p, const char *space);
struct cu_name *bsim_cu_find(const struct cu_parser *p, const struct cu_token *token);
/* The token at hand behind the namespaces asked for: of these, if there is one; else as bsim_cu_find. */
struct cu_name *bsim_cu_find_asked(const struct cu_parser *p);
/* The name in sight that looks most like it, or NULL. */
const char *bsim_cu_nearest_name(struct cu_parser *p, const struct cu_token *token);
/* The next one of the same name in the same scope, or NULL. */
struct cu_name *bsim_cu_find_next(const struct cu_name *name);

/* In that scope alone, and those of its bases; these hand down no constructors. */
struct cu_name *bsim_cu_find_in(const struct cu_scope *scope, const struct cu_token *token);
/* A token of that text, placed where `at` is. */
const struct cu_token *bsim_cu_named(struct cu_parser *p, const char *text,
                                     const struct cu_token *at);

/* cursor.c */
void bsim_cu_stop(struct cu_parser *p, const struct cu_token *token, const char *format, ...)
    BSIM_PRINTF(3, 4);
void bsim_cu_advance(struct cu_parser *p);
bool bsim_cu_sees(const struct cu_parser *p, const char *text);
/* One of these, a blank between two. */
bool bsim_cu_sees_any(const struct cu_parser *p, const char *texts);
bool bsim_cu_sees_next(const struct cu_parser *p, const char *text);
bool bsim_cu_accept(struct cu_parser *p, const char *text);
void bsim_cu_expect(struct cu_parser *p, const char *text);
/* Whether a list goes on: false at `closing`, which is taken, and after a failure. */
bool bsim_cu_goes_on(struct cu_parser *p, const char *closing);
/* Behind an item of such a list: "," unless the list ends. */
void bsim_cu_end_item(struct cu_parser *p, const char *closing);
/* Behind name or type and value of a constructor's list. */
void bsim_cu_skip_initialiser(struct cu_parser *p);
/* Behind what is in brackets: `opening` is the token at hand. */
void bsim_cu_skip_brackets(struct cu_parser *p);
/* unclosed.c: fails where the bracket is missing, of those from `opening` on, one of which nothing closes. */
void bsim_cu_refuse_unclosed(struct cu_file *file, const struct cu_token *opening);
/* Bounds the depth of what is nested, as each level takes stack. */
bool bsim_cu_nest(struct cu_parser *p);
/* The '>' of a list in angles, half of a '>>' too. */
void bsim_cu_expect_angle(struct cu_parser *p);
const struct cu_token *bsim_cu_expect_name(struct cu_parser *p, const char *what);

/* build.c */
struct cu_node *bsim_cu_node(struct cu_parser *p, enum cu_node_kind kind,
                             const struct cu_token *token);
/* Of that type and operands. */
struct cu_node *bsim_cu_typed(struct cu_parser *p, enum cu_node_kind kind,
                              const struct cu_type *type, struct cu_node *left,
                              struct cu_node *right, const struct cu_token *token);
struct cu_node *bsim_cu_integer(struct cu_parser *p, uint64_t value, const struct cu_type *type,
                                const struct cu_token *token);
struct cu_node *bsim_cu_unary(struct cu_parser *p, enum cu_node_kind kind, struct cu_node *left,
                              const struct cu_token *token);
struct cu_node *bsim_cu_binary(struct cu_parser *p, enum cu_node_kind kind, struct cu_node *left,
                               struct cu_node *right, const struct cu_token *token);
struct cu_node *bsim_cu_choice(struct cu_parser *p, struct cu_node *condition, struct cu_node *yes,
                               struct cu_node *no, const struct cu_token *token);
struct cu_node *bsim_cu_assign(struct cu_parser *p, struct cu_node *left, struct cu_node *right,
                               const struct cu_token *token);
struct cu_node *bsim_cu_update(struct cu_parser *p, enum cu_node_kind operation,
                               struct cu_node *left, struct cu_node *right, bool is_post,
                               const struct cu_token *token);
struct cu_node *bsim_cu_index(struct cu_parser *p, struct cu_node *left, struct cu_node *right,
                              const struct cu_token *token);
struct cu_node *bsim_cu_target(struct cu_parser *p, struct cu_node *pointer,
                               const struct cu_token *token);
struct cu_node *bsim_cu_address(struct cu_parser *p, struct cu_node *left,
                                const struct cu_token *token);
/* For a reference: the address of an object, or of a value that lives as long, if it is to a const type; of
 * several objects that are chosen from, that is one's value. */
struct cu_node *bsim_cu_bind(struct cu_parser *p, struct cu_node *value, const struct cu_type *type,
                             const struct cu_token *token);
struct cu_node *bsim_cu_member_of(struct cu_parser *p, struct cu_node *left,
                                  const struct cu_token *name);
struct cu_node *bsim_cu_variable(struct cu_parser *p, struct cu_variable *variable,
                                 const struct cu_token *token);
/* A value: arrays become addresses. */
struct cu_node *bsim_cu_rvalue(struct cu_parser *p, struct cu_node *node);
/* To bool, as conditions are. */
struct cu_node *bsim_cu_condition(struct cu_parser *p, struct cu_node *node);
/* As C++ does without being told, and as a cast does. */
struct cu_node *bsim_cu_convert(struct cu_parser *p, struct cu_node *node,
                                const struct cu_type *type, const struct cu_token *token);
struct cu_node *bsim_cu_cast(struct cu_parser *p, struct cu_node *node, const struct cu_type *type,
                             const struct cu_token *token);
bool bsim_cu_is_object(const struct cu_node *node);

/* constant.c */
bool bsim_cu_real_constant(const struct cu_node *node, double *value);

/* parse_type.c */
struct cu_declaration {
    const struct cu_type *type; /* without declarators */
    bool is_typedef, is_extern, is_shared, is_device, is_constant, is_global, is_host, is_constexpr,
        is_const, is_auto, is_static,
        is_conversion; /* operator type, behind which the type stands */
    uint32_t alignment, max_threads, min_blocks;
};
bool bsim_cu_sees_type(const struct cu_parser *p);
void bsim_cu_specifiers(struct cu_parser *p, struct cu_declaration *declaration);
/* Stars, and & of a reference. */
const struct cu_type *bsim_cu_stars(struct cu_parser *p, const struct cu_type *type);
const struct cu_type *bsim_cu_dimensions(struct cu_parser *p, const struct cu_type *type);
const struct cu_type *bsim_cu_type_name(struct cu_parser *p);
/* stars name dimensions; *name is NULL where none stands and none must. */
const struct cu_type *bsim_cu_declarator(struct cu_parser *p, const struct cu_type *type,
                                         const struct cu_token **name);

/* name = ["::"] ((space | struct) "::")* name: what it means, with its last token at hand. */
struct cu_name *bsim_cu_resolve(struct cu_parser *p);
uint32_t bsim_cu_alignment(struct cu_parser *p);
void bsim_cu_skip_attribute(struct cu_parser *p);
/* "using" name "=" type-name ";" */
void bsim_cu_read_alias(struct cu_parser *p);

/* parse_struct.c */
const struct cu_type *bsim_cu_read_struct(struct cu_parser *p);
const struct cu_type *bsim_cu_read_enum(struct cu_parser *p);
/* What a constructor does before its body: ":" name "(" values ")" ..., and what members are at first. */
struct cu_node *bsim_cu_read_initialisers(struct cu_parser *p, struct cu_function *function);

/* parse_template.c */
void bsim_cu_read_template(struct cu_parser *p);
/* "<" argument ("," argument)* ">" */
uint32_t bsim_cu_read_arguments(struct cu_parser *p, struct cu_argument *argument);
/* Those of which a part for them alone is said: numbers become the parameters' types, and what is not said has its
 * default; answers how many. */
uint32_t bsim_cu_fit_arguments(struct cu_parser *p, struct cu_template *template,
                               struct cu_argument *argument, uint32_t n);
const struct cu_type *bsim_cu_made_type(struct cu_parser *p, struct cu_template *template,
                                        const struct cu_argument *argument, uint32_t n);
/* Of the n arguments given and of the call's what stands for the parameters: NULL, they do not fit. */
struct cu_function *bsim_cu_made_function(struct cu_parser *p, struct cu_template *template,
                                          const struct cu_argument *given, uint32_t n_given,
                                          struct cu_node *const *argument, uint32_t n);
struct cu_instance *bsim_cu_instance(struct cu_parser *p, struct cu_template *template,
                                     const struct cu_argument *argument, uint32_t n);

/* Back to what was being read before, at that token. */
void bsim_cu_go_back_to(struct cu_parser *p, const struct cu_parser *outer,
                        const struct cu_token *token);

/* parse_lambda.c */
struct cu_node *bsim_cu_read_lambda(struct cu_parser *p);
/* What the variable is in the function that is being read: in a lambda perhaps a copy of it. */
struct cu_variable *bsim_cu_captured(struct cu_parser *p, const struct cu_token *name,
                                     struct cu_variable *variable);

/* parse_function.c */
/* Specifiers, then functions or variables; its functions are C's, as far as their names go. */
void bsim_cu_read_declaration(struct cu_parser *p, bool is_c);
struct cu_function *bsim_cu_read_function(struct cu_parser *p, const struct cu_declaration *d,
                                          const struct cu_type *result, const struct cu_token *name,
                                          bool is_c);

/* parse_expr.c */
struct cu_node *bsim_cu_expression(struct cu_parser *p);
struct cu_node *bsim_cu_assignment(struct cu_parser *p); /* no comma outside of parentheses */
/* The struct's member that a function of it names. */
struct cu_node *bsim_cu_own_member(struct cu_parser *p, const struct cu_token *name);
struct cu_node *bsim_cu_read_dim3(struct cu_parser *p, const struct cu_type *type);
uint64_t bsim_cu_constant_expression(struct cu_parser *p, const char *what);
struct cu_node *bsim_cu_initializer(struct cu_parser *p, const struct cu_type *type);

/* parse_call.c */
/* name arguments: what the name at hand means is known. */
struct cu_node *bsim_cu_call(struct cu_parser *p, const struct cu_name *name);
/* object.name arguments; of operator() and operator[] the arguments stand in `closing`. */
struct cu_node *bsim_cu_call_member(struct cu_parser *p, struct cu_node *object,
                                    const struct cu_token *name, const char *closing);
/* The call of operator+ and its kin; NULL: none takes these operands. */
struct cu_node *bsim_cu_operator(struct cu_parser *p, const char *sign, struct cu_node *left,
                                 struct cu_node *right, const struct cu_token *token);
/* A struct's value as that type, by its operator; NULL: it has none. */
struct cu_node *bsim_cu_convert_struct(struct cu_parser *p, struct cu_node *node,
                                       const struct cu_type *type, const struct cu_token *token);
/* An object made by a constructor, of the value or of what stands in brackets up to `closing`; NULL:
 * no constructor takes it. */
struct cu_node *bsim_cu_construct(struct cu_parser *p, struct cu_node *object,
                                  struct cu_node *value, const char *closing,
                                  const struct cu_token *token);
/* The value as one of the type, by its constructor if it has one that copies. */
struct cu_node *bsim_cu_copied(struct cu_parser *p, struct cu_node *value,
                               const struct cu_type *type, const struct cu_token *token);
struct cu_node *bsim_cu_temporary(struct cu_parser *p, const struct cu_type *type,
                                  struct cu_node *value, const struct cu_token *token);
/* The same, as a value. */
struct cu_node *bsim_cu_made_object(struct cu_parser *p, const struct cu_type *type,
                                    struct cu_node *value, const char *closing,
                                    const struct cu_token *token);

/* parse_struct.c: what is done for an object that nothing is said of: constructors, and values for its
 * members; NULL: nothing. */
struct cu_node *bsim_cu_make(struct cu_parser *p, struct cu_node *object,
                             const struct cu_token *token);
/* Such a value, zeros but for that. */
struct cu_node *bsim_cu_made(struct cu_parser *p, const struct cu_type *type,
                             const struct cu_token *token);
/* Those of the elements or members from the n-th on, a list; NULL: zeros will do. */
struct cu_node *bsim_cu_rest_of_list(struct cu_parser *p, const struct cu_type *type, uint64_t n,
                                     const struct cu_token *token);

/* parse_statement.c */
struct cu_node *bsim_cu_compound(struct cu_parser *p);
void bsim_cu_read_body(struct cu_parser *p, struct cu_function *function);
/* Notes a variable that lies in the block's or the GPU's memory. */
void bsim_cu_add_to_module(struct cu_parser *p, struct cu_variable *variable);
/* Texts one behind the other, without their marks. */
const char *bsim_cu_read_text(struct cu_parser *p);
/* name [= value]: a variable of the scope, of the function or of the file. */
struct cu_variable *bsim_cu_new_variable(struct cu_parser *p, const struct cu_token *name,
                                         const struct cu_type *type,
                                         const struct cu_declaration *declaration);

/* skip.c */
bool bsim_cu_begins_type(const struct cu_token *token);
/* Behind a declaration: its ';', or the '}' of a body. */
void bsim_cu_skip_declaration(struct cu_parser *p);
bool bsim_cu_is_of_device(const struct cu_token *token);
const struct cu_token *bsim_cu_guess_name(const struct cu_token *token);

/* parse.c */
/* The tokens at hand, into a scope of their own. Of functions the heads are read; a body is, when it is
 * asked for. */
void bsim_cu_parse_file(struct cu_parser *p);

#endif

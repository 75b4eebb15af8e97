/* parse_call.c - calls: of functions of the file, and of what CUDA has built in. */
#include "cuda/parse.h"

#include "base/nearest.h"
#include "cuda/builtin.h"

enum { MAX_ARGUMENTS = 32 };

struct call {
    const struct cu_token *name;
    uint32_t n;
    struct cu_node *argument[MAX_ARGUMENTS];
    const struct cu_token *at[MAX_ARGUMENTS];
};

static struct cu_node *dummy(struct cu_parser *p, const struct cu_token *token)
{
    return bsim_cu_integer(p, 0, bsim_cu_scalar(CU_INT), token);
}

/* arguments = "(" [assignment ("," assignment)*] ")" */
static void read_arguments(struct cu_parser *p, struct call *call)
{
    bsim_cu_expect(p, "(");
    while (bsim_cu_goes_on(p, ")")) {
        if (call->n == MAX_ARGUMENTS) {
            bsim_cu_stop(p, p->token, "more than %d arguments", MAX_ARGUMENTS);
            break;
        }
        call->at[call->n] = p->token;
        call->argument[call->n++] = bsim_cu_assignment(p);
        if (!bsim_cu_sees(p, ")")) {
            bsim_cu_expect(p, ",");
        }
    }
}

static void chain(struct cu_node *node, struct cu_node *const *arguments, uint32_t n)
{
    struct cu_node **end = &node->body;
    for (uint32_t i = 0; i < n; i++) {
        *end = arguments[i];
        end = &arguments[i]->next;
    }
}

/* ---- built in -------------------------------------------------------------------------------- */

static const struct cu_type *type_of_letter(char letter)
{
    static const char letters[] = "bijlmfdv";
    static const enum cu_kind kinds[] = {CU_BOOL,  CU_INT,   CU_UINT,   CU_LONG,
                                         CU_ULONG, CU_FLOAT, CU_DOUBLE, CU_VOID};
    const char *at = strchr(letters, letter);
    return at != NULL ? bsim_cu_scalar(kinds[at - letters]) : NULL;
}

/* Of rows that differ in their types the one that takes what the arguments have in common; whole
 * numbers go to the first one where none does. */
static const struct cu_builtin *choose_row(const struct cu_builtin *row, const struct call *call)
{
    const struct cu_builtin *first = NULL;
    const struct cu_type *common = call->n > 0 ? call->argument[0]->type : NULL;
    for (uint32_t i = 1; i < call->n; i++) {
        bool is_good =
            bsim_cu_is_arithmetic(common) && bsim_cu_is_arithmetic(call->argument[i]->type);
        common = is_good ? bsim_cu_common(common, call->argument[i]->type) : common;
    }
    common = common != NULL && common->kind < CU_INT ? bsim_cu_scalar(CU_INT) : common;
    for (const char *name = row->name; strcmp(row->name, name) == 0; row++) {
        const struct cu_type *type = call->n > 0 ? type_of_letter(row->types[1]) : NULL;
        if (strlen(row->types) != call->n + 1) {
            continue;
        }
        first = first == NULL ? row : first;
        if (type != NULL && common->kind == type->kind) {
            return row;
        }
    }
    return first;
}

/* What T and V of a row stand for. */
static const struct cu_type *open_type(struct cu_parser *p, const struct cu_builtin *row,
                                       const struct call *call)
{
    const struct cu_type *type = bsim_cu_scalar(CU_INT);
    if (strchr(row->types, 'T') != NULL) {
        const struct cu_type *pointer = bsim_cu_rvalue(p, call->argument[0])->type;
        type = pointer->kind == CU_POINTER ? pointer->of : type;
        if (pointer->kind != CU_POINTER || type->kind == CU_VOID) {
            bsim_cu_stop(p, call->at[0], "a pointer should stand here");
        }
    } else if (strchr(row->types, 'V') != NULL) {
        type = call->argument[1]->type;
        if (!bsim_cu_is_arithmetic(type)) {
            bsim_cu_stop(p, call->at[1], "a number should stand here");
        }
        type = type->kind < CU_INT ? bsim_cu_scalar(CU_INT) : type;
    }
    return type->plain != NULL ? type->plain : type;
}

static bool takes_atomic(const struct cu_builtin *row, const struct cu_type *type)
{
    bool is_wide = type->kind == CU_LONG || type->kind == CU_ULONG;
    if (strcmp(row->opcode, "add") == 0) {
        return type->kind >= CU_INT && type->kind <= CU_DOUBLE && type->kind != CU_LONG;
    }
    if (strcmp(row->opcode, "exch") == 0 && type->kind == CU_FLOAT) {
        return true;
    }
    if (strcmp(row->opcode, "inc") == 0 || strcmp(row->opcode, "dec") == 0) {
        return type->kind == CU_UINT;
    }
    return type->kind == CU_INT || type->kind == CU_UINT ||
           (is_wide && strcmp(row->opcode, "sub") != 0);
}

static struct cu_node *call_builtin(struct cu_parser *p, const struct cu_builtin *row,
                                    struct call *call)
{
    const struct cu_builtin *chosen = choose_row(row, call);
    struct cu_node *node = bsim_cu_node(p, CU_BUILTIN, call->name);
    if (chosen == NULL) {
        bsim_cu_stop(p, call->name, "%s takes %zu arguments, not %u", row->name,
                     strlen(row->types) - 1, call->n);
        return node;
    }
    const struct cu_type *open = open_type(p, chosen, call);
    for (uint32_t i = 0; i < call->n && !bsim_cu_failed(p->file); i++) {
        const struct cu_type *type = type_of_letter(chosen->types[i + 1]);
        struct cu_node *argument = bsim_cu_rvalue(p, call->argument[i]);
        bool is_pointer = chosen->types[i + 1] == 'p';
        call->argument[i] =
            is_pointer ? argument
                       : bsim_cu_convert(p, argument, type != NULL ? type : open, call->at[i]);
        if (is_pointer && argument->type->kind != CU_POINTER) {
            bsim_cu_stop(p, call->at[i], "a pointer should stand here");
        }
    }
    if (chosen->kind == CU_ATOMIC && !takes_atomic(chosen, open)) {
        bsim_cu_stop(p, call->name, "%s is not read for a %s", row->name,
                     bsim_cu_type_text(p->file, open));
    }
    const struct cu_type *result = type_of_letter(chosen->types[0]);
    node->type = result != NULL ? result : open;
    node->number = bsim_cu_builtin_number(chosen);
    chain(node, call->argument, call->n);
    return node;
}

/* make_float4(a, b, c, d) */
static struct cu_node *call_maker(struct cu_parser *p, struct call *call)
{
    struct cu_token name = *call->name;
    name.text += strlen("make_");
    name.length -= strlen("make_");
    struct cu_node *node = bsim_cu_node(p, CU_LIST, call->name);
    node->type = bsim_cu_type_named(p->file, &name);
    const struct cu_member *member = node->type != NULL ? node->type->members : NULL;
    for (uint32_t i = 0; i < call->n && member != NULL; i++, member = member->next) {
        call->argument[i] = bsim_cu_convert(p, call->argument[i], member->type, call->at[i]);
    }
    if (node->type == NULL || member != NULL || call->n == 0) {
        bsim_cu_stop(p, call->name, "this makes no vector of %u numbers", call->n);
        node->type = bsim_cu_scalar(CU_INT);
    }
    chain(node, call->argument, call->n);
    return node;
}

static bool makes_vector(const struct cu_token *name)
{
    return name->length > 5 && memcmp(name->text, "make_", 5) == 0;
}

/* ---- functions of the file ------------------------------------------------------------------- */

/* How many arguments have the very type of their parameter; -1: they do not fit. */
static int fit(const struct cu_function *function, const struct call *call)
{
    int exact = 0;
    uint32_t i = 0;
    for (const struct cu_variable *v = function->parameters; v != NULL; v = v->next, i++) {
        if (i == call->n) {
            return -1;
        }
        const struct cu_type *type = v->type->kind == CU_REFERENCE ? v->type->of : v->type;
        const struct cu_type *given = call->argument[i]->type;
        bool is_array = given->kind == CU_ARRAY && type->kind == CU_POINTER;
        bool is_number = bsim_cu_is_arithmetic(type) && bsim_cu_is_arithmetic(given);
        bool is_same =
            bsim_cu_same_type(type, given) || (is_array && bsim_cu_same_type(type->of, given->of));
        if (!is_same && !is_number && type->kind != CU_POINTER) {
            return -1;
        }
        exact += is_same;
    }
    return i == call->n ? exact : -1;
}

/* What is handed in for a reference: the address of an object, or of a value that lives for the call. */
static struct cu_node *bind(struct cu_parser *p, struct cu_node *argument,
                            const struct cu_type *type, const struct cu_token *at)
{
    bool is_same = bsim_cu_same_type(argument->type, type->of);
    if (bsim_cu_is_object(argument) && is_same) {
        return bsim_cu_address(p, argument, at);
    }
    if (!type->of->is_const) {
        bsim_cu_stop(p, at, "an object of the type %s should stand here, for the reference",
                     bsim_cu_type_text(p->file, type->of));
        return argument;
    }
    return bsim_cu_address(p, bsim_cu_convert(p, argument, type->of, at), at);
}

static struct cu_node *call_function(struct cu_parser *p, const struct cu_name *name,
                                     struct call *call)
{
    struct cu_function *best = NULL;
    int most = -1;
    for (; name != NULL; name = bsim_cu_find_next(name)) {
        int exact = name->kind == CU_NAME_FUNCTION ? fit(name->function, call) : -1;
        if (exact > most) {
            best = name->function;
            most = exact;
        }
    }
    struct cu_node *node = bsim_cu_node(p, CU_CALL, call->name);
    if (best == NULL || best->is_kernel) {
        bsim_cu_stop(p, call->name,
                     best == NULL ? "no function of this name takes these arguments"
                                  : "a kernel is not called here: that is for the host");
        return node;
    }
    uint32_t i = 0;
    best->is_used = true;
    for (const struct cu_variable *v = best->parameters; v != NULL; v = v->next, i++) {
        call->argument[i] = v->type->kind == CU_REFERENCE
                                ? bind(p, call->argument[i], v->type, call->at[i])
                                : bsim_cu_convert(p, call->argument[i], v->type, call->at[i]);
    }
    chain(node, call->argument, call->n);
    node->function = best;
    node->type = best->result;
    if (best->result->kind == CU_REFERENCE) {
        node->type = bsim_cu_pointer(p->file, best->result->of);
        return bsim_cu_target(p, node, call->name);
    }
    return node;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static struct cu_node *refuse(struct cu_parser *p, const struct cu_token *name)
{
    static const char *const known[] = {"__syncthreads", "atomicAdd",       "__shfl_down_sync",
                                        "sqrtf",         "__shfl_xor_sync", "__syncwarp",
                                        "fmaxf",         "fminf",           "threadIdx"};
    struct bsim_nearest nearest =
        bsim_nearest_start(bsim_cu_text(p->file, "%.*s", bsim_cu_shown(name), name->text));
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        bsim_nearest_try(&nearest, known[i]);
    }
    bsim_cu_stop(p, name, "the function '%.*s' is not read here%s%s%s", bsim_cu_shown(name),
                 name->text, nearest.best != NULL ? "; did you mean '" : "",
                 nearest.best != NULL ? nearest.best : "", nearest.best != NULL ? "'?" : "");
    return dummy(p, name);
}

/* call = name arguments */
struct cu_node *bsim_cu_call(struct cu_parser *p)
{
    struct call call = {.name = p->token};
    const struct cu_name *name = bsim_cu_find(p, p->token);
    const struct cu_builtin *row = bsim_cu_find_builtin(p->token);
    bool is_function = name != NULL && name->kind == CU_NAME_FUNCTION;
    bool is_maker = makes_vector(p->token);
    if (name != NULL && name->kind == CU_NAME_UNREADABLE) {
        bsim_cu_stop(p, p->token, "%.*s is not read here: %s", bsim_cu_shown(p->token),
                     p->token->text, name->why);
        return dummy(p, call.name);
    }
    if (!is_function && row == NULL && !is_maker) {
        return refuse(p, p->token);
    }
    bsim_cu_advance(p);
    read_arguments(p, &call);
    if (bsim_cu_failed(p->file)) {
        return dummy(p, call.name);
    }
    return is_function   ? call_function(p, name, &call)
           : row != NULL ? call_builtin(p, row, &call)
                         : call_maker(p, &call);
}

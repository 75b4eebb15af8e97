/* parse_call.c - calls: of functions of the file, and of what CUDA has built in. */
#include "cuda/parse.h"

#include "base/nearest.h"
#include "cuda/builtin.h"

enum { MAX_ARGUMENTS = 32 };

/* Of a function of a struct the first argument is the address of the object. */
struct call {
    const struct cu_token *name;
    const char *space; /* the namespaces in front of it, mangled; NULL: none */
    bool has_object;
    uint32_t n, n_given;
    struct cu_argument given[CU_MOST_PARAMETERS]; /* those of a template that are said */
    struct cu_node *argument[MAX_ARGUMENTS];
    const struct cu_token *at[MAX_ARGUMENTS];
};

static struct cu_node *dummy(struct cu_parser *p, const struct cu_token *token)
{
    return bsim_cu_integer(p, 0, bsim_cu_scalar(CU_INT), token);
}

/* What stands in { } is read when the parameter's type is known. */
static struct cu_node *pass_over_list(struct cu_parser *p)
{
    struct cu_node *list =
        bsim_cu_typed(p, CU_NO_VALUE, bsim_cu_scalar(CU_VOID), NULL, NULL, p->token);
    bsim_cu_skip_brackets(p);
    return list;
}

static struct cu_node *read_list(struct cu_parser *p, const struct cu_type *type,
                                 const struct cu_token *at)
{
    const struct cu_token *behind = p->token;
    p->token = bsim_cu_failed(p->file) ? p->end : at;
    struct cu_node *list = bsim_cu_initializer(p, type);
    p->token = bsim_cu_failed(p->file) ? p->end : behind;
    return list;
}

/* arguments = [initializer ("," initializer)*] closing */
static void read_arguments(struct cu_parser *p, struct call *call, const char *closing)
{
    bool was_in_angles = p->in_angles;
    p->in_angles = false;
    while (bsim_cu_goes_on(p, closing)) {
        if (call->n == MAX_ARGUMENTS) {
            bsim_cu_stop(p, p->token, "more than %d arguments", MAX_ARGUMENTS);
            break;
        }
        call->at[call->n] = p->token;
        call->argument[call->n++] =
            bsim_cu_sees(p, "{") ? pass_over_list(p) : bsim_cu_assignment(p);
        bsim_cu_end_item(p, closing);
    }
    p->in_angles = was_in_angles;
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
    static const char letters[] = "btijlmfdv";
    static const enum cu_kind kinds[] = {CU_BOOL,  CU_USHORT, CU_INT,    CU_UINT, CU_LONG,
                                         CU_ULONG, CU_FLOAT,  CU_DOUBLE, CU_VOID};
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
        if (strlen(row->types) != call->n + 1) {
            continue;
        }
        const struct cu_type *type = call->n > 0 ? type_of_letter(row->types[1]) : NULL;
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
    return bsim_cu_plain(type);
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
                                    struct call *call);

/* In prelude.c the shuffle of a struct is one of each of its members, as of its words in CUDA's headers. */
static struct cu_node *shuffle_members(struct cu_parser *p, const struct cu_builtin *row,
                                       const struct call *call)
{
    struct cu_node *value = call->argument[1];
    const struct cu_type *type = bsim_cu_plain(value->type);
    struct cu_node *list = bsim_cu_typed(p, CU_LIST, type, NULL, NULL, call->name);
    struct cu_node **end = &list->body;
    uint64_t left = type->size;
    for (const struct cu_member *m = value->type->members; m != NULL && !bsim_cu_failed(p->file);
         m = m->next) {
        struct call one = *call;
        struct cu_node *argument = bsim_cu_take_many(p->file, call->n, sizeof *argument);
        for (uint32_t i = 0; argument != NULL && i < call->n; i++) {
            argument[i] = *call->argument[i];
            one.argument[i] = &argument[i];
        }
        one.argument[1] = bsim_cu_member_of(p, value, bsim_cu_named(p, m->name, call->name));
        *end = call_builtin(p, row, &one);
        end = &(*end)->next;
        left -= m->type->size % 4 == 0 ? m->type->size : 0;
    }
    if (left != 0) {
        bsim_cu_stop(p, call->at[1],
                     "a struct is shuffled here that has members of 4 and 8 bytes, without gaps");
    }
    return list;
}

static struct cu_node *call_builtin(struct cu_parser *p, const struct cu_builtin *row,
                                    struct call *call)
{
    const struct cu_builtin *chosen = choose_row(row, call);
    struct cu_node *node = bsim_cu_node(p, CU_BUILTIN, call->name);
    if (call->name->line == 0 && row->kind == CU_SHUFFLE &&
        call->argument[1]->type->kind == CU_STRUCT && bsim_cu_is_object(call->argument[1])) {
        return shuffle_members(p, row, call);
    }
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
    name.length -= (uint32_t)strlen("make_");
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

/* ---- functions of the file ------------------------------------------------------------------- */

static bool leads_to_same(const struct cu_type *a, const struct cu_type *b)
{
    return a->kind == CU_POINTER && (b->kind == CU_POINTER || b->kind == CU_ARRAY) &&
           bsim_cu_same_type(a->of, b->of);
}

static const struct cu_token constructor = {
    .kind = CU_NAME, .text = CU_CONSTRUCTOR, .length = sizeof CU_CONSTRUCTOR - 1};

static int rank_as_it_is(const struct cu_type *to, const struct cu_node *value);

/* Whether a constructor makes one of the value, or an operator of the value's struct something else. */
static bool is_remade(const struct cu_type *to, const struct cu_node *value)
{
    static const struct cu_token conversion = {.kind = CU_NAME, .text = "operator", .length = 8};
    const struct cu_type *from = value->type;
    const struct cu_name *name =
        from->kind == CU_STRUCT ? bsim_cu_find_in(from->scope, &conversion) : NULL;
    for (; name != NULL; name = bsim_cu_find_next(name)) {
        if (to->kind != CU_STRUCT || bsim_cu_same_type(to, name->function->result)) {
            return true;
        }
    }
    name = to->kind == CU_STRUCT ? bsim_cu_find_in(to->scope, &constructor) : NULL;
    for (; name != NULL; name = bsim_cu_find_next(name)) {
        const struct cu_variable *v = name->function->parameters->next;
        bool is_one = v != NULL && (v->next == NULL || v->next->value != NULL);
        const struct cu_type *due = is_one && v->type->kind == CU_REFERENCE ? v->type->of
                                    : is_one                                ? v->type
                                                                            : to;
        if (is_one && (from->kind == CU_STRUCT ? bsim_cu_same_type(due, from)
                                               : rank_as_it_is(due, value) > 0)) {
            return true;
        }
    }
    return false;
}

/* How well a value becomes one of the type without constructors and the like: 4, it is one; -1, not at all. */
static int rank_as_it_is(const struct cu_type *to, const struct cu_node *value)
{
    const struct cu_type *from = value->type;
    bool is_reference = to->kind == CU_REFERENCE;
    to = is_reference ? to->of : to;
    if (value->kind == CU_NO_VALUE && from->kind == CU_VOID) {
        return to->kind == CU_STRUCT ? 1 : 0;
    }
    if (leads_to_same(to, from)) {
        bool loses = from->of->is_const && !to->of->is_const;
        return loses ? 1 : from->of->is_const == to->of->is_const ? 4 : 3;
    }
    if (bsim_cu_derives(from, to) || (from->kind == CU_POINTER && to->kind == CU_POINTER &&
                                      bsim_cu_derives(from->of, to->of))) {
        return 2;
    }
    if (bsim_cu_same_type(to, from)) {
        return is_reference && from->is_const && !to->is_const  ? 1
               : is_reference && from->is_const != to->is_const ? 3
                                                                : 4;
    }
    if (bsim_cu_is_arithmetic(to) && bsim_cu_is_arithmetic(from)) {
        bool is_promoted = (from->kind < CU_INT && to->kind == CU_INT) ||
                           (from->kind == CU_FLOAT && to->kind == CU_DOUBLE);
        return is_promoted ? 3 : 2;
    }
    if (to->kind == CU_POINTER) {
        bool is_null = value->kind == CU_INTEGER && value->number == 0;
        bool is_any =
            to->of->kind == CU_VOID && (from->kind == CU_POINTER || from->kind == CU_ARRAY);
        return is_null || is_any ? 2 : -1;
    }
    return to->kind == CU_BOOL && from->kind == CU_POINTER ? 0 : -1;
}

static int rank(const struct cu_type *to, const struct cu_node *value)
{
    int one = rank_as_it_is(to, value);
    to = to->kind == CU_REFERENCE ? to->of : to;
    return one >= 0 ? one : is_remade(to, value) ? 0 : -1;
}

/* The call's first argument that the function takes: 1 if it has no use for the object. */
static uint32_t first_of(const struct cu_function *f, const struct call *call)
{
    return call->has_object && (f->owner == NULL || f->is_static);
}

/* The sum of the ranks, twice; -1: the arguments do not fit. */
static int fit(const struct cu_function *f, const struct call *call)
{
    int sum = 0;
    uint32_t i = first_of(f, call);
    for (const struct cu_variable *v = f->parameters; v != NULL; v = v->next, i++) {
        int one = i < call->n ? rank(v->type, call->argument[i]) : v->value != NULL ? 0 : -1;
        if (one < 0) {
            return -1;
        }
        sum += 2 * one;
    }
    return i >= call->n ? sum : -1;
}

struct choice {
    struct cu_function *best;
    int most;
    bool is_open; /* another namespace has functions of that name, too */
};

/* Whether "using" names the namespace. */
static bool is_used(const struct cu_parser *p, const char *space)
{
    const char *at = p->used_spaces != NULL ? p->used_spaces : "";
    while (*at != '\0' && !bsim_cu_ends_in(space, at, strcspn(at, " "))) {
        at += strcspn(at, " ") + 1;
    }
    return *at != '\0';
}

/* How near to the call the namespace is in which the name stands: what is asked for, and the namespaces around, from
 * the innermost one out, hide others; names of these are in sight by "using", or by the types of arguments. */
static size_t nearness(const struct cu_parser *p, const struct call *call, const struct cu_name *name)
{
    const char *space = name->space != NULL ? name->space : "";
    size_t length = strlen(space);
    if (call->space != NULL) {
        bool fits = *call->space == '\0' ? length == 0
                                         : bsim_cu_ends_in(space, call->space, strlen(call->space));
        return fits ? 1 : 0;
    }
    bool is_around = strncmp(space, p->space != NULL ? p->space : "", length) == 0;
    return is_around ? length + 1 : is_used(p, space) ? 1 : 0;
}

/* Of the functions of that name, from this one on in its scope, the one that the arguments fit best; one
 * of its own goes before a template's. */
static void choose(struct cu_parser *p, const struct cu_name *name, const struct call *call,
                   struct choice *choice)
{
    const struct cu_name *first_name = NULL;
    size_t nearest = 0;
    for (const struct cu_name *n = name; n != NULL; n = bsim_cu_find_next(n)) {
        size_t near = nearness(p, call, n);
        nearest = near > nearest ? near : nearest;
    }
    for (; name != NULL && !bsim_cu_failed(p->file); name = bsim_cu_find_next(name)) {
        struct cu_function *f = NULL;
        if (nearness(p, call, name) < nearest) {
            continue;
        }
        first_name = first_name == NULL ? name : first_name;
        choice->is_open |= !bsim_cu_same_space(first_name->space, name->space);
        bool is_made = name->kind == CU_NAME_TEMPLATE && !name->template->is_struct;
        if (is_made) {
            uint32_t first = call->has_object;
            f = bsim_cu_made_function(p, name->template, call->given, call->n_given,
                                      &call->argument[first], call->n - first);
        } else if (name->kind == CU_NAME_FUNCTION && call->n_given == 0) {
            f = name->function;
        }
        int sum = f != NULL && !f->is_default ? fit(f, call) : -1;
        sum = sum >= 0 ? sum + !is_made : sum;
        if (sum > choice->most) {
            choice->best = f;
            choice->most = sum;
        }
    }
}

/* What is handed in for a reference. */
static struct cu_node *bind(struct cu_parser *p, struct cu_node *argument,
                            const struct cu_type *type, const struct cu_token *at)
{
    return argument->kind == CU_NO_VALUE ? bsim_cu_address(p, read_list(p, type->of, at), at)
                                         : bsim_cu_bind(p, argument, type, at);
}

static struct cu_node *argument_for(struct cu_parser *p, const struct cu_variable *v,
                                    struct call *call, uint32_t i)
{
    if (i == 0 && call->has_object && call->argument[0]->type->of->is_const &&
        !v->type->of->is_const) {
        bsim_cu_stop(p, call->name, "the object is const, and '%.*s' is not declared so",
                     bsim_cu_shown(call->name), call->name->text);
    }
    if (i < call->n) {
        return v->type->kind == CU_REFERENCE ? bind(p, call->argument[i], v->type, call->at[i])
               : call->argument[i]->kind == CU_NO_VALUE
                   ? read_list(p, v->type, call->at[i])
                   : bsim_cu_copied(p, call->argument[i], v->type, call->at[i]);
    }
    struct cu_node *copy = bsim_cu_take(p->file, sizeof *copy);
    *copy = *v->value;
    copy->next = NULL;
    return v->type->kind == CU_REFERENCE ? bsim_cu_address(p, copy, call->name) : copy;
}

static struct cu_node *call_function(struct cu_parser *p, struct cu_function *best,
                                     struct call *call)
{
    struct cu_node *node = bsim_cu_node(p, CU_CALL, call->name), **end = &node->body;
    uint32_t i = first_of(best, call);
    best->caller = best->call == NULL ? p->function : best->caller;
    best->call = best->call == NULL ? call->name : best->call;
    best->is_used = true;
    if ((best->is_constexpr || best->result == NULL) && best->body == NULL &&
        best->body_tokens != NULL && !best->is_being_read) {
        struct cu_parser outer = *p;
        bsim_cu_read_body(p, best);
        bsim_cu_go_back_to(p, &outer, outer.token);
    }
    if (best->result == NULL) {
        bsim_cu_stop(p, call->name, "what '%s' returns is not known here: say its type",
                     best->name);
        return dummy(p, call->name);
    }
    for (const struct cu_variable *v = best->parameters; v != NULL; v = v->next, i++) {
        *end = argument_for(p, v, call, i);
        if ((*end)->next != NULL || end == &(*end)->next) { /* the same node twice: a failure's */
            break;
        }
        end = &(*end)->next;
    }
    node->function = best;
    node->type = best->result;
    if (best->result->kind == CU_REFERENCE) {
        node->type = bsim_cu_pointer(p->file, best->result->of);
        return bsim_cu_target(p, node, call->name);
    }
    return node;
}

static void add_object(struct cu_parser *p, struct call *call, struct cu_node *object)
{
    call->has_object = true;
    call->at[0] = call->name;
    call->argument[call->n++] = bsim_cu_address(p, object, call->name);
}

struct cu_node *bsim_cu_call_member(struct cu_parser *p, struct cu_node *object,
                                    const struct cu_token *name, const char *closing)
{
    struct call call = {.name = name};
    struct choice choice = {NULL, -1, false};
    add_object(p, &call, object);
    if (bsim_cu_sees(p, "<")) {
        call.n_given = bsim_cu_read_arguments(p, call.given);
    }
    bsim_cu_expect(p, closing[0] == ']' ? "[" : "(");
    read_arguments(p, &call, closing);
    choose(p, bsim_cu_find_in(object->type->scope, name), &call, &choice);
    if (choice.best == NULL) {
        bsim_cu_stop(p, name, "'%s' has no '%.*s' that takes these arguments",
                     bsim_cu_type_text(p->file, object->type), bsim_cu_shown(name), name->text);
        return dummy(p, name);
    }
    return call_function(p, choice.best, &call);
}

/* Whether a user's operator may take it. */
static bool is_class(const struct cu_node *node)
{
    return node != NULL && bsim_cu_plain(node->type)->kind == CU_STRUCT;
}

struct cu_node *bsim_cu_operator(struct cu_parser *p, const char *sign, struct cu_node *left,
                                 struct cu_node *right, const struct cu_token *token)
{
    if ((!is_class(left) && !is_class(right)) || bsim_cu_failed(p->file)) {
        return NULL;
    }
    struct call call = {.name = bsim_cu_named(p, bsim_cu_text(p->file, "operator%s", sign), token),
                        .n = right != NULL ? 2 : 1,
                        .argument = {left, right},
                        .at = {left->token, token}};
    struct choice own = {NULL, -1, false}, choice = {NULL, -1, false};
    struct call method = call;
    if (left->type->scope != NULL) {
        method.n = 0;
        add_object(p, &method, left);
        method.n = call.n;
        choose(p, bsim_cu_find_in(left->type->scope, call.name), &method, &own);
    }
    for (const struct cu_scope *s = p->scope; s != NULL; s = s->outer) {
        choose(p, bsim_cu_find_in(s, call.name), &call, &choice);
    }
    if (choice.best == NULL) { /* in prelude.c, which is outside of the file */
        choose(p, bsim_cu_find_in(p->outermost, call.name), &call, &choice);
    }
    bool is_own = own.most >= choice.most;
    struct cu_function *best = is_own ? own.best : choice.best;
    return best != NULL ? call_function(p, best, is_own ? &method : &call) : NULL;
}

struct cu_node *bsim_cu_convert_struct(struct cu_parser *p, struct cu_node *node,
                                       const struct cu_type *type, const struct cu_token *token)
{
    struct call call = {.name = bsim_cu_named(p, "operator", token)};
    struct cu_function *best = NULL;
    int most = -1;
    for (const struct cu_name *name = bsim_cu_find_in(node->type->scope, call.name); name != NULL;
         name = bsim_cu_find_next(name)) {
        struct cu_node made = {.kind = CU_NO_VALUE, .type = name->function->result};
        made.type = made.type->kind == CU_REFERENCE ? made.type->of : made.type;
        int one = rank(type, &made);
        best = one > most ? name->function : best;
        most = one > most ? one : most;
    }
    if (best == NULL) {
        return NULL;
    }
    add_object(p, &call, node);
    return bsim_cu_cast(p, call_function(p, best, &call), type, token);
}

struct cu_node *bsim_cu_construct(struct cu_parser *p, struct cu_node *object,
                                  struct cu_node *value, const char *closing,
                                  const struct cu_token *token)
{
    const struct cu_type *type = object->type;
    struct call call = {.name = token};
    struct choice choice = {NULL, -1, false};
    add_object(p, &call, object);
    if (value != NULL) {
        call.at[call.n] = token;
        call.argument[call.n++] = value;
    } else if (closing != NULL) {
        read_arguments(p, &call, closing);
    }
    bool is_copy = call.n == 2 && bsim_cu_same_type(type, call.argument[1]->type);
    const struct cu_token *name = bsim_cu_named(p, CU_CONSTRUCTOR, token);
    choose(p, bsim_cu_find_in(type->scope, name), &call, &choice);
    if (choice.best != NULL) {
        return call_function(p, choice.best, &call);
    }
    if (!is_copy) {
        bsim_cu_stop(p, token, "no constructor of '%s' takes these values",
                     bsim_cu_type_text(p->file, type));
        return dummy(p, token);
    }
    return bsim_cu_typed(p, CU_ASSIGN, type, object, call.argument[1], token);
}

/* Whether the struct says how it is copied. */
static bool has_copy(const struct cu_type *type)
{
    const struct cu_name *name = type->kind == CU_STRUCT && type->has_constructor
                                     ? bsim_cu_find_in(type->scope, &constructor)
                                     : NULL;
    for (; name != NULL; name = bsim_cu_find_next(name)) {
        const struct cu_function *f = name->kind == CU_NAME_FUNCTION ? name->function : NULL;
        const struct cu_variable *v =
            f != NULL && f->body_tokens != NULL ? f->parameters->next : NULL;
        if (v != NULL && v->type->kind == CU_REFERENCE && bsim_cu_same_type(v->type->of, type)) {
            return true;
        }
    }
    return false;
}

struct cu_node *bsim_cu_copied(struct cu_parser *p, struct cu_node *value,
                               const struct cu_type *type, const struct cu_token *token)
{
    value = bsim_cu_convert(p, value, type, token);
    bool copies = has_copy(type) && bsim_cu_is_object(value) && value->kind != CU_TEMPORARY;
    return copies ? bsim_cu_made_object(p, type, value, NULL, token) : value;
}

/* With no value, `left` is the object itself, for who makes it. */
struct cu_node *bsim_cu_temporary(struct cu_parser *p, const struct cu_type *type,
                                  struct cu_node *value, const struct cu_token *token)
{
    struct cu_node *node = bsim_cu_typed(p, CU_TEMPORARY, bsim_cu_plain(type), NULL, NULL, token);
    node->variable = bsim_cu_take(p->file, sizeof *node->variable);
    *node->variable = (struct cu_variable){.name = "value", .token = token, .type = node->type};
    node->left = value != NULL ? value : bsim_cu_variable(p, node->variable, token);
    return node;
}

struct cu_node *bsim_cu_made_object(struct cu_parser *p, const struct cu_type *type,
                                    struct cu_node *value, const char *closing,
                                    const struct cu_token *token)
{
    struct cu_node *made = bsim_cu_temporary(p, type, NULL, token);
    made->right = bsim_cu_construct(p, made->left, value, closing, token);
    made->left = NULL;
    return made;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static struct cu_node *refuse(struct cu_parser *p, const struct cu_token *name)
{
    static const char *const known[] = {"__syncthreads", "atomicAdd",       "__shfl_down_sync",
                                        "sqrtf",         "__shfl_xor_sync", "__syncwarp",
                                        "fmaxf",         "fminf",           "threadIdx"};
    const char *why = bsim_cu_why_not(name);
    struct bsim_nearest nearest =
        bsim_nearest_start(bsim_cu_text(p->file, "%.*s", bsim_cu_shown(name), name->text));
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        bsim_nearest_try(&nearest, known[i]);
    }
    if (why != NULL) {
        bsim_cu_stop(p, name, "%s", why);
    }
    bsim_cu_stop(p, name, "the function '%.*s' is not read here%s", bsim_cu_shown(name), name->text,
                 bsim_cu_meant(p->file, nearest.best, name));
    return dummy(p, name);
}

static struct cu_node *no_function(struct cu_parser *p, const struct call *call)
{
    bsim_cu_stop(p, call->name, "no function of this name takes these arguments%s%s",
                 p->why != NULL ? ": " : "", p->why != NULL ? p->why : "");
    return dummy(p, call->name);
}

/* Of the functions of that name, scope for scope outwards. */
static struct cu_node *call_named(struct cu_parser *p, const struct cu_name *name,
                                  const struct cu_builtin *row, struct call *call)
{
    struct choice choice = {NULL, -1, false};
    const struct cu_name *this = bsim_cu_find(p, bsim_cu_named(p, "this", call->name));
    bool is_own = (name->kind == CU_NAME_FUNCTION && name->function->owner != NULL) ||
                  (name->kind == CU_NAME_TEMPLATE && name->template->owner != NULL);
    p->why = NULL;
    if (is_own && this != NULL && call->n < MAX_ARGUMENTS) {
        memmove(&call->argument[1], call->argument, call->n * sizeof *call->argument);
        memmove(&call->at[1], call->at, call->n * sizeof *call->at);
        call->n++;
        call->has_object = true;
        call->at[0] = call->name;
        call->argument[0] = bsim_cu_variable(p, this->variable, call->name);
    }
    choose(p, name, call, &choice);
    for (const struct cu_scope *s = p->scope; s != NULL && choice.best == NULL; s = s->outer) {
        choose(p, bsim_cu_find_in(s, call->name), call, &choice);
    }
    if (choice.best == NULL && (row != NULL || bsim_cu_begins(call->name, "make_"))) {
        return row != NULL ? call_builtin(p, row, call) : call_maker(p, call);
    }
    if (choice.best == NULL) {
        return no_function(p, call);
    }
    if (choice.is_open) {
        bsim_cu_stop(
            p, call->name,
            "'%.*s' is in more than one namespace, and these are not told apart here: give "
            "one another name",
            bsim_cu_shown(call->name), call->name->text);
        return dummy(p, call->name);
    }
    if (choice.best->is_kernel) {
        bsim_cu_stop(p, call->name, "a kernel is not called here: that is for the host");
        return dummy(p, call->name);
    }
    return call_function(p, choice.best, call);
}

/* printf(format, values): they go into memory, promoted, as vprintf takes them. */
static struct cu_node *call_printf(struct cu_parser *p, const struct call *call)
{
    struct cu_type *type = bsim_cu_struct(p->file, "", false);
    struct cu_node *list = bsim_cu_node(p, CU_LIST, call->name), **end = &list->body;
    for (uint32_t i = 1; i < call->n; i++) {
        struct cu_node *value = bsim_cu_rvalue(p, call->argument[i]);
        const struct cu_type *of = value->type;
        of = of->kind == CU_FLOAT ? bsim_cu_scalar(CU_DOUBLE)
             : of->kind < CU_INT  ? bsim_cu_scalar(CU_INT)
                                  : of;
        if (of->kind > CU_DOUBLE && of->kind != CU_POINTER) {
            bsim_cu_stop(p, call->at[i], "a number or a pointer should stand here");
            return dummy(p, call->name);
        }
        (void)bsim_cu_add_member(p->file, type, "", of, 0);
        *end = bsim_cu_convert(p, value, of, call->at[i]);
        end = &(*end)->next;
    }
    bsim_cu_end_struct(type, 0);
    list->type = type;
    struct call made = {.name = bsim_cu_named(p, "vprintf", call->name),
                        .n = call->n > 0 ? 2 : 0,
                        .argument = {call->argument[0], dummy(p, call->name)},
                        .at = {call->at[0], call->name}};
    if (call->n > 1) {
        made.argument[1] =
            bsim_cu_address(p, bsim_cu_temporary(p, type, list, call->name), call->name);
    }
    return call_named(p, bsim_cu_find(p, made.name), NULL, &made);
}

/* call = name ["<" arguments ">"] "(" arguments */
struct cu_node *bsim_cu_call(struct cu_parser *p, const struct cu_name *name)
{
    struct call call = {.name = p->token, .space = p->asked_space};
    const struct cu_builtin *row = bsim_cu_find_builtin(p->token);
    bool is_function =
        name != NULL && (name->kind == CU_NAME_FUNCTION || name->kind == CU_NAME_TEMPLATE);
    bool is_maker = bsim_cu_begins(p->token, "make_");
    bool is_printf = !is_function && bsim_cu_is(p->token, "printf");
    if (bsim_cu_is(p->token, "__refuse") && p->token->line == 0) { /* in prelude.c: why */
        bsim_cu_stop(p, p->token, "%.*s", (int)p->token->next->next->length - 2,
                     p->token->next->next->text + 1);
        return dummy(p, call.name);
    }
    if (name != NULL && name->kind == CU_NAME_UNREADABLE && row == NULL) {
        bsim_cu_stop(p, p->token, "%.*s is not read here: %s", bsim_cu_shown(p->token),
                     p->token->text, name->why);
        return dummy(p, call.name);
    }
    if (!is_function && row == NULL && !is_maker && !is_printf) {
        return refuse(p, p->token);
    }
    bsim_cu_advance(p);
    if (bsim_cu_sees(p, "<") && (is_function || row != NULL)) {
        call.n_given = bsim_cu_read_arguments(p, call.given);
    }
    if (bsim_cu_sees(p, "<<")) {
        bsim_cu_stop(p, call.name, "a kernel that launches kernels is not read here");
    }
    bsim_cu_expect(p, "(");
    read_arguments(p, &call, ")");
    if (bsim_cu_failed(p->file)) {
        return dummy(p, call.name);
    }
    return is_function   ? call_named(p, name, row, &call)
           : is_printf   ? call_printf(p, &call)
           : row != NULL ? call_builtin(p, row, &call)
                         : call_maker(p, &call);
}

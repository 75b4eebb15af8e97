/* parse_struct.c - structs, their functions and constructors, and enumerations.
 *
 * Functions of a struct are functions whose first parameter is `this`; their names, and those of members,
 * stand in the struct's scope. A member that is a reference is a pointer that is followed by itself.
 */
#include "cuda/parse.h"

enum { MOST_MADE = 4096 }; /* elements of an array: each is code of its own */

/* ---- members --------------------------------------------------------------------------------- */

static void skip_value(struct cu_parser *p)
{
    while (!bsim_cu_sees_any(p, ", ;") && p->token->kind != CU_END) {
        if (bsim_cu_sees_any(p, "( [ {")) {
            bsim_cu_skip_brackets(p);
        } else {
            bsim_cu_advance(p);
        }
    }
}

static void add_member(struct cu_parser *p, struct cu_type *type, const struct cu_declaration *d,
                       const struct cu_type *of, const struct cu_token *name)
{
    bool is_reference = of->kind == CU_REFERENCE;
    if (d->is_static && !d->is_const) { /* the host's */
        bsim_cu_add_name(p, name, CU_NAME_UNREADABLE)->why =
            "of static members constants are read here";
    } else if (d->is_static && !bsim_cu_new_variable(p, name, of, d)->is_constant) {
        bsim_cu_stop(p, name, "of static members constants are read here");
    }
    if (d->is_static) {
        return;
    }
    if (bsim_cu_sees(p, ":") || !of->is_complete || d->is_auto) {
        bsim_cu_stop(p, name, "such a member is not read here");
        return;
    }
    if (bsim_cu_member(type, name, &(struct cu_member){0})) {
        bsim_cu_stop(p, name, "there is a member of this name, in the struct or its base");
    }
    struct cu_member *member =
        bsim_cu_add_member(p->file, type, bsim_cu_spelled(p->file, name),
                           is_reference ? bsim_cu_pointer(p->file, of->of) : of, d->alignment);
    member->is_reference = is_reference;
    bsim_cu_add_name(p, name, CU_NAME_MEMBER);
    if (bsim_cu_sees_any(p, "= {")) {
        member->value = p->token;
        type->has_values = true;
        skip_value(p);
    }
}

/* Of a member without a name its own ones are names here. */
static void add_inner(struct cu_parser *p, const struct cu_type *type, const struct cu_token *at)
{
    for (const struct cu_member *m = type->members; m != NULL; m = m->next) {
        if (m->name[0] != '\0') {
            bsim_cu_add_name(p, bsim_cu_named(p, m->name, at), CU_NAME_MEMBER);
        } else if (m->type->kind == CU_STRUCT) {
            add_inner(p, m->type, at);
        }
    }
}

/* destructor = ("__host__" | "__device__" | "inline" | "constexpr")* "~" name "(" ")" body: one of the
 * host's is passed over, and one that does nothing. */
static bool skip_destructor(struct cu_parser *p, struct cu_type *type)
{
    const struct cu_token *t = p->token;
    bool is_device = false;
    while (bsim_cu_is_any(t, "__host__ __device__ inline __forceinline__ constexpr")) {
        is_device = is_device || bsim_cu_is(t, "__device__");
        t = t->next;
    }
    if (!bsim_cu_is(t, "~")) {
        return false;
    }
    while (t->kind != CU_END && !bsim_cu_is_any(t, "{ ; =")) {
        t = t->next;
    }
    type->is_closed = type->is_closed || !bsim_cu_is(t, "=");
    bool is_idle = bsim_cu_is(t, "=") || (bsim_cu_is(t, "{") && bsim_cu_is(t->next, "}"));
    if (!is_device || is_idle) {
        bsim_cu_skip_declaration(p);
    }
    return !is_device || is_idle;
}

/* members = template | alias | specifiers (";" | function | declarator [value] ("," declarator [value])* ";") */
static void read_members(struct cu_parser *p, struct cu_type *type)
{
    struct cu_declaration d;
    const struct cu_token *at = p->token, *name = NULL;
    if (skip_destructor(p, type)) {
        return;
    }
    if (bsim_cu_sees_any(p, "template using")) {
        (bsim_cu_sees(p, "template") ? bsim_cu_read_template : bsim_cu_read_alias)(p);
        return;
    }
    bsim_cu_specifiers(p, &d);
    bool is_constructor = d.type == type && bsim_cu_sees(p, "(") && !bsim_cu_sees_next(p, "*");
    if (is_constructor || d.is_conversion) {
        type->has_constructor = type->has_constructor || is_constructor;
        const struct cu_type *result =
            is_constructor ? bsim_cu_scalar(CU_VOID) : bsim_cu_type_name(p);
        (void)bsim_cu_read_function(
            p, &d, result, bsim_cu_named(p, is_constructor ? CU_CONSTRUCTOR : "operator", at),
            false);
        return;
    }
    if (bsim_cu_accept(p, ";")) {
        if (d.type->kind == CU_STRUCT && d.type->name[0] == '\0') {
            (void)bsim_cu_add_member(p->file, type, "", d.type, d.alignment);
            add_inner(p, d.type, at);
        }
        return;
    }
    do {
        const struct cu_type *of = bsim_cu_declarator(p, d.type, &name);
        if (name != NULL && bsim_cu_sees(p, "(")) {
            (void)bsim_cu_read_function(p, &d, of, name, false);
            return;
        }
        if (name == NULL) {
            bsim_cu_stop(p, at, "a member's name should stand here");
        } else if (d.is_typedef) {
            bsim_cu_add_name(p, name, CU_NAME_TYPE)->type = of;
        } else {
            add_member(p, type, &d, of, name);
        }
    } while (bsim_cu_accept(p, ","));
    bsim_cu_expect(p, ";");
}

/* ---- structs --------------------------------------------------------------------------------- */

/* Where what is derived from the struct goes on: of one that C allows behind its padding, of others behind their last
 * member, as C++'s ABI has it; what compilers did differently is not known. */
static uint64_t tail_of(const struct cu_type *type)
{
    bool is_plain = !type->has_values;
    uint64_t used = 0;
    for (const struct cu_member *m = type->members; m != NULL; m = m->next) {
        bool is_base = type->base != NULL && m == type->members;
        used = is_base ? m->type->tail : m->offset + m->type->size;
        const struct cu_type *of = m->type;
        while (of->kind == CU_ARRAY) {
            of = of->of;
        }
        of = bsim_cu_plain(of);
        is_plain = is_plain && !m->is_reference && (of->kind != CU_STRUCT || of->tail == of->size);
    }
    bool is_closed = type->is_closed || type->has_constructor || type->base != NULL;
    return is_closed || used == 0 ? used : is_plain || used == type->size ? type->size : UINT64_MAX;
}

/* base = ":" ("public" | "protected" | "private")* type: a first member without a name, whose names are in sight. */
static const struct cu_type *read_base(struct cu_parser *p, struct cu_type *type)
{
    struct cu_declaration d = {.type = type};
    bsim_cu_advance(p);
    while (bsim_cu_sees_any(p, "public protected private")) {
        bsim_cu_advance(p);
    }
    const struct cu_token *at = p->token;
    if (bsim_cu_sees(p, "virtual")) {
        bsim_cu_stop(p, at, "virtual bases are not read here");
        return NULL;
    }
    bsim_cu_specifiers(p, &d);
    if (bsim_cu_sees(p, ",")) {
        bsim_cu_stop(p, p->token, "of a struct's bases one is read here");
    } else if (d.type->kind != CU_STRUCT || !d.type->is_complete || d.type->is_union) {
        bsim_cu_stop(p, at, "a base is a struct whose members are known");
    } else if (d.type->tail == UINT64_MAX) {
        bsim_cu_stop(p, at, "where the members behind this base lie is not known here: it ends with padding");
    } else {
        (void)bsim_cu_add_member(p->file, type, "", bsim_cu_plain(d.type), 0);
        type->size = d.type->tail;
    }
    return bsim_cu_plain(d.type);
}

#define DEFINES "{ : final" /* behind a struct's name: its members follow, not a variable */

/* Of a template with arguments the struct that was made, or is about to be read for these. */
static struct cu_type *special(struct cu_parser *p, struct cu_template *template, bool is_union)
{
    struct cu_argument argument[CU_MOST_PARAMETERS] = {{0}};
    uint32_t n = bsim_cu_read_arguments(p, argument);
    if (!bsim_cu_sees_any(p, DEFINES)) {
        return (struct cu_type *)(uintptr_t)bsim_cu_made_type(p, template, argument, n);
    }
    struct cu_type *type =
        bsim_cu_struct(p->file, bsim_cu_spelled(p->file, template->name), is_union);
    n = bsim_cu_fit_arguments(p, template, argument, n);
    struct cu_instance *instance = bsim_cu_instance(p, template, argument, n);
    template->is_partial = template->is_partial || p->scope != p->outermost;
    if (instance->type != NULL) {
        bsim_cu_stop(p, p->token, "this was needed before, without these members");
    }
    instance->type = type;
    return type;
}

/* The struct of that name in the scope at hand, new or declared already. */
static struct cu_type *find_struct(struct cu_parser *p, const struct cu_token *name, bool is_union)
{
    const struct cu_name *found = name != NULL ? bsim_cu_find(p, name) : NULL;
    if (found != NULL && found->kind == CU_NAME_TYPE && found->type->kind == CU_STRUCT &&
        (!found->type->is_complete || !bsim_cu_sees_any(p, DEFINES))) {
        return (struct cu_type *)(uintptr_t)found->type;
    }
    if (p->template != NULL && p->template->is_struct && bsim_cu_sees(p, "<")) {
        struct cu_argument argument[CU_MOST_PARAMETERS] = {{0}}; /* which are known */
        (void)bsim_cu_read_arguments(p, argument);
    } else if (found != NULL && found->kind == CU_NAME_TEMPLATE && bsim_cu_sees(p, "<")) {
        return special(p, found->template, is_union);
    }
    struct cu_type *type =
        bsim_cu_struct(p->file, name != NULL ? bsim_cu_spelled(p->file, name) : "", is_union);
    if (p->template != NULL && p->template->is_struct) {
        type->from = p->template;
        type->argument = p->arguments;
        type->n_arguments = p->n_arguments;
        bsim_cu_instance(p, p->template, p->arguments, p->n_arguments)->type = type;
        p->template = NULL;
    }
    if (name != NULL) {
        bsim_cu_add_name(p, name, CU_NAME_TYPE)->type = type;
    }
    return type;
}

/* struct = ("struct" | "class" | "union") alignment* [name] ["{" ("public" ":" | members)* "}"] */
const struct cu_type *bsim_cu_read_struct(struct cu_parser *p)
{
    bool is_union = bsim_cu_sees(p, "union"), is_private = bsim_cu_sees(p, "class");
    uint32_t alignment = 0;
    const struct cu_type *outer = p->owner;
    bsim_cu_advance(p);
    while (bsim_cu_sees_any(p, "__align__ alignas __attribute__") && !bsim_cu_failed(p->file)) {
        if (bsim_cu_sees(p, "__attribute__")) {
            bsim_cu_skip_attribute(p);
        } else {
            alignment = bsim_cu_alignment(p);
        }
    }
    const struct cu_token *name = p->token->kind == CU_NAME ? p->token : NULL;
    if (name != NULL) {
        bsim_cu_advance(p);
    }
    struct cu_type *type = find_struct(p, name, is_union);
    (void)bsim_cu_accept(p, "final");
    type->base = bsim_cu_sees(p, ":") ? read_base(p, type) : type->base;
    if (!bsim_cu_accept(p, "{") || bsim_cu_failed(p->file)) {
        return type;
    }
    bsim_cu_enter(p);
    type->scope = p->scope;
    type->scope->base = type->base != NULL ? type->base->scope : NULL;
    p->owner = type;
    while (bsim_cu_goes_on(p, "}")) {
        if (bsim_cu_sees_any(p, "public private protected")) {
            is_private = !bsim_cu_sees(p, "public");
            bsim_cu_advance(p);
            bsim_cu_expect(p, ":");
        } else if (!bsim_cu_accept(p, ";")) {
            uint64_t size = type->size;
            read_members(p, type);
            type->is_closed = type->is_closed || (is_private && type->size > size);
        }
    }
    bsim_cu_leave(p);
    p->owner = outer;
    if (bsim_cu_sees(p, "__attribute__")) {
        bsim_cu_skip_attribute(p);
    } else if (bsim_cu_sees(p, "__align__")) {
        bsim_cu_stop(p, p->token, "an alignment should stand behind the word struct");
    }
    bsim_cu_end_struct(type, alignment);
    type->tail = tail_of(type);
    return type;
}

/* ---- constructors ---------------------------------------------------------------------------- */

static bool needs_making(struct cu_parser *p, const struct cu_type *type);

/* Whether it has a constructor for no values, and that does nothing. */
static bool is_idle(struct cu_parser *p, const struct cu_type *type)
{
    const struct cu_token *constructor = bsim_cu_named(p, CU_CONSTRUCTOR, p->token);
    const struct cu_name *name = bsim_cu_find_in(type->scope, constructor);
    for (; name != NULL; name = bsim_cu_find_next(name)) {
        const struct cu_function *f = name->kind == CU_NAME_FUNCTION ? name->function : NULL;
        if (f != NULL && f->parameters->next == NULL && f->body_tokens != NULL) {
            return bsim_cu_is(f->body_tokens, "{") && bsim_cu_is(f->body_tokens->next, "}");
        }
    }
    return false;
}

/* Whether there is something to do for an object that nothing is said of. */
static bool needs_making(struct cu_parser *p, const struct cu_type *type)
{
    if (type->kind == CU_ARRAY) {
        return needs_making(p, type->of);
    }
    if (type->kind != CU_STRUCT) {
        return false;
    }
    bool needs = type->has_values || (type->has_constructor && !is_idle(p, type));
    for (const struct cu_member *m = type->members; m != NULL && !type->is_union; m = m->next) {
        needs = needs || (!m->is_reference && needs_making(p, m->type));
    }
    return needs;
}

static struct cu_node *join(struct cu_parser *p, struct cu_node *first, struct cu_node *then,
                            const struct cu_token *token)
{
    if (first == NULL) {
        return then;
    }
    return bsim_cu_typed(p, CU_COMMA, then->type, first, then, token);
}

static struct cu_node *make_elements(struct cu_parser *p, struct cu_node *array, uint64_t first,
                                     uint64_t n, const struct cu_token *token)
{
    if (n == 1) {
        struct cu_node *index = bsim_cu_integer(p, first, bsim_cu_scalar(CU_INT), token);
        return bsim_cu_make(p, bsim_cu_index(p, array, index, token), token);
    }
    struct cu_node *half = make_elements(p, array, first, n / 2, token);
    return join(p, half, make_elements(p, array, first + n / 2, n - n / 2, token), token);
}

/* The value that is said for a member where it is declared. */
static struct cu_node *read_first_value(struct cu_parser *p, const struct cu_type *type,
                                        const struct cu_member *member)
{
    const struct cu_token *at = p->token;
    struct cu_scope *outer = p->scope;
    p->scope = type->scope;
    p->token = member->value;
    (void)bsim_cu_accept(p, "=");
    struct cu_node *value = bsim_cu_initializer(p, member->type);
    p->scope = outer;
    p->token = bsim_cu_failed(p->file) ? p->end : at;
    return value;
}

static struct cu_node *make_members(struct cu_parser *p, struct cu_node *object,
                                    const struct cu_token *token)
{
    struct cu_node *all = NULL;
    const struct cu_type *type = object->type;
    for (const struct cu_member *m = type->members; m != NULL && !bsim_cu_failed(p->file);
         m = m->next) {
        if (m->value == NULL && (type->is_union || m->is_reference || !needs_making(p, m->type))) {
            continue;
        }
        const struct cu_type *of = bsim_cu_plain(m->type);
        struct cu_node *member = bsim_cu_typed(p, CU_MEMBER_OF, of, object, NULL, token);
        member->number = m->offset;
        struct cu_node *made = m->value != NULL ? bsim_cu_typed(p, CU_ASSIGN, of, member,
                                                                read_first_value(p, type, m), token)
                                                : bsim_cu_make(p, member, token);
        all = join(p, all, made, token);
    }
    return all;
}

struct cu_node *bsim_cu_make(struct cu_parser *p, struct cu_node *object,
                             const struct cu_token *token)
{
    const struct cu_type *type = object->type;
    if (!needs_making(p, type)) {
        return NULL;
    }
    if (type->kind == CU_ARRAY && type->count > MOST_MADE) {
        bsim_cu_stop(p, token, "more than %d elements that constructors make", MOST_MADE);
    }
    return bsim_cu_failed(p->file)  ? object
           : type->kind == CU_ARRAY ? make_elements(p, object, 0, type->count, token)
           : type->has_constructor  ? bsim_cu_construct(p, object, NULL, NULL, token)
                                    : make_members(p, object, token);
}

struct cu_node *bsim_cu_made(struct cu_parser *p, const struct cu_type *type,
                             const struct cu_token *token)
{
    struct cu_node *zero = bsim_cu_typed(p, CU_ZERO, bsim_cu_plain(type), NULL, NULL, token);
    if (!needs_making(p, type)) {
        return zero;
    }
    struct cu_node *made = bsim_cu_temporary(p, type, zero, token);
    made->right = bsim_cu_make(p, bsim_cu_variable(p, made->variable, token), token);
    return made;
}

struct cu_node *bsim_cu_rest_of_list(struct cu_parser *p, const struct cu_type *type, uint64_t n,
                                     const struct cu_token *token)
{
    struct cu_node *first = NULL, **end = &first;
    if (type->is_union || !needs_making(p, type)) {
        return NULL;
    }
    if (type->kind == CU_ARRAY) {
        for (; n < type->count && n < MOST_MADE; n++, end = &(*end)->next) {
            *end = bsim_cu_made(p, type->of, token);
        }
        return first;
    }
    for (const struct cu_member *m = type->members; m != NULL; m = m->next, n -= n > 0) {
        if (n == 0) {
            *end =
                m->value != NULL ? read_first_value(p, type, m) : bsim_cu_made(p, m->type, token);
            end = &(*end)->next;
        }
    }
    return first;
}

/* The member of *this, as it is set for the first time. */
static struct cu_node *own_member(struct cu_parser *p, const struct cu_token *name)
{
    struct cu_node *member = bsim_cu_own_member(p, name);
    member->type = bsim_cu_plain(member->type);
    return member;
}

/* value = "(" ... ")" | "{" ... "}" | "=" initializer: the member becomes that. */
static struct cu_node *set_member(struct cu_parser *p, const struct cu_token *name)
{
    const struct cu_token *at = p->token;
    struct cu_node *member = bsim_cu_own_member(p, name);
    const struct cu_type *type = member->type =
        bsim_cu_plain(member->type); /* it is the first time */
    const char *closing = bsim_cu_sees(p, "(") ? ")" : bsim_cu_sees(p, "{") ? "}" : "";
    struct cu_member found;
    struct cu_node *node = bsim_cu_typed(p, CU_ASSIGN, type, member, NULL, at);
    if (closing[0] != '\0' && type->kind == CU_STRUCT && type->has_constructor) {
        bsim_cu_advance(p);
        return bsim_cu_construct(p, member, NULL, closing, at);
    }
    bool is_list = type->kind == CU_STRUCT || type->kind == CU_ARRAY;
    if (closing[0] == '\0' || (closing[0] == '}' && is_list)) {
        (void)bsim_cu_accept(p, "=");
        node->right = bsim_cu_initializer(p, type);
        return node;
    }
    bsim_cu_advance(p);
    if (bsim_cu_accept(p, closing)) {
        node->right = bsim_cu_made(p, type, at);
        return node;
    }
    struct cu_node *value = bsim_cu_assignment(p);
    bsim_cu_expect(p, closing);
    if (bsim_cu_member(p->function->owner, name, &found) && found.is_reference) {
        node->left = member->left;
        node->type = node->left->type;
        node->right = bsim_cu_address(p, value, at);
    } else {
        node->right = bsim_cu_convert(p, value, type, at);
    }
    return node;
}

static struct cu_node **append(struct cu_parser *p, struct cu_node **end, struct cu_node *value)
{
    *end = bsim_cu_node(p, CU_EXPRESSION, value->token);
    (*end)->left = value;
    return &(*end)->next;
}

static bool is_named(const struct cu_member *member, const struct cu_token *name)
{
    return strlen(member->name) == name->length &&
           memcmp(member->name, name->text, name->length) == 0;
}

/* Goes to the member's value in the list from token `list` to `body`, and answers its name there; NULL: it has
 * none. A base stands there by its type. */
static const struct cu_token *find_value(struct cu_parser *p, const struct cu_type *type,
                                         const struct cu_member *member,
                                         const struct cu_token *list, const struct cu_token *body)
{
    bool is_base = type->base != NULL && member == type->members;
    for (p->token = list; p->token != body && !bsim_cu_failed(p->file);) {
        struct cu_declaration d;
        bsim_cu_advance(p); /* ":" or "," */
        const struct cu_token *name = p->token;
        if (is_base && bsim_cu_sees_type(p)) {
            bsim_cu_specifiers(p, &d);
            return bsim_cu_named(p, "", name);
        }
        if (is_named(member, name)) {
            bsim_cu_advance(p);
            return name;
        }
        bsim_cu_skip_initialiser(p);
    }
    return NULL;
}

/* Sets what lies in a member without a name, and goes to the list's end. */
static struct cu_node **set_inner(struct cu_parser *p, const struct cu_type *type,
                                  struct cu_node **end)
{
    for (bool has_list = bsim_cu_accept(p, ":"); has_list && !bsim_cu_failed(p->file);
         has_list = bsim_cu_accept(p, ",")) {
        const struct cu_token *name = p->token;
        const struct cu_member *m = type->members;
        while (m != NULL && !is_named(m, name)) {
            m = m->next;
        }
        if (m != NULL || bsim_cu_sees_type(p)) {
            bsim_cu_skip_initialiser(p);
        } else {
            (void)bsim_cu_expect_name(p, "a member's name");
            end = append(p, end, set_member(p, name));
        }
    }
    return end;
}

/* initialisers = [":" name value ("," name value)*]: done in the members' order, whatever the list's */
struct cu_node *bsim_cu_read_initialisers(struct cu_parser *p, struct cu_function *function)
{
    const struct cu_type *type = function->owner;
    struct cu_node *first = NULL, **end = &first;
    const struct cu_token *list = p->token;
    end = set_inner(p, type, end);
    const struct cu_token *body = p->token;
    for (const struct cu_member *m = type->members; m != NULL && !bsim_cu_failed(p->file);
         m = m->next) {
        const struct cu_token *name = find_value(p, type, m, list, body);
        if (name != NULL || m->value != NULL) {
            p->token = name != NULL ? p->token : m->value;
            end = append(p, end,
                         set_member(p, name != NULL ? name : bsim_cu_named(p, m->name, m->value)));
        } else if (!type->is_union && !m->is_reference && needs_making(p, m->type)) {
            struct cu_node *member = own_member(p, bsim_cu_named(p, m->name, function->token));
            end = append(p, end, bsim_cu_make(p, member, function->token));
        }
    }
    p->token = bsim_cu_failed(p->file) ? p->end : body;
    return first;
}

/* ---- enumerations ---------------------------------------------------------------------------- */

static void add_constant(struct cu_parser *p, struct cu_scope *scope, const struct cu_token *token,
                         struct cu_variable *constant)
{
    struct cu_scope *outer = p->scope;
    p->scope = scope;
    bsim_cu_add_name(p, token, CU_NAME_VARIABLE)->variable = constant;
    p->scope = outer;
}

/* enum = "enum" ["class"] [name] [":" type] ["{" name ["=" constant] ("," name ["=" constant])* "}"] */
const struct cu_type *bsim_cu_read_enum(struct cu_parser *p)
{
    const struct cu_type *base = bsim_cu_scalar(CU_INT);
    uint64_t value = 0;
    bsim_cu_advance(p);
    bool is_class = bsim_cu_accept(p, "class") || bsim_cu_accept(p, "struct");
    const struct cu_token *name = p->token->kind == CU_NAME ? p->token : NULL;
    const struct cu_name *found = name != NULL ? bsim_cu_find(p, name) : NULL;
    if (name != NULL) {
        bsim_cu_advance(p);
    }
    base = bsim_cu_accept(p, ":") ? bsim_cu_type_name(p) : base;
    if (!bsim_cu_sees(p, "{")) {
        return found != NULL && found->kind == CU_NAME_TYPE ? found->type : base;
    }
    struct cu_type *type = bsim_cu_take(p->file, sizeof *type);
    *type = *base;
    type->plain = base;
    if (name != NULL) {
        bsim_cu_add_name(p, name, CU_NAME_TYPE)->type = type;
    }
    bsim_cu_advance(p);
    bsim_cu_enter(p);
    type->scope = p->scope;
    while (bsim_cu_goes_on(p, "}")) {
        const struct cu_token *token = bsim_cu_expect_name(p, "a name");
        value = bsim_cu_accept(p, "=") ? bsim_cu_constant_expression(p, "a value") : value;
        struct cu_variable *constant = bsim_cu_take(p->file, sizeof *constant);
        constant->type = type;
        constant->is_constant = true;
        constant->value = bsim_cu_integer(p, value++, type, token);
        add_constant(p, p->scope, token, constant);
        if (!is_class) {
            add_constant(p, p->scope->outer, token, constant);
        }
        bsim_cu_end_item(p, "}");
    }
    bsim_cu_leave(p);
    return type;
}

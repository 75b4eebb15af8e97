/* build.c - makes nodes: C++'s promotions and conversions, and what is refused. */
#include "cuda/parse.h"

#include "base/nearest.h"

#include <string.h>

#define SCALAR(kind) bsim_cu_scalar(kind)

struct cu_node *bsim_cu_node(struct cu_parser *p, enum cu_node_kind kind,
                             const struct cu_token *token)
{
    struct cu_node *node = bsim_cu_take(p->file, sizeof *node);
    node->kind = kind;
    node->token = token;
    node->type = SCALAR(CU_INT); /* of weight after a failure alone */
    return node;
}

struct cu_node *bsim_cu_typed(struct cu_parser *p, enum cu_node_kind kind,
                              const struct cu_type *type, struct cu_node *left,
                              struct cu_node *right, const struct cu_token *token)
{
    struct cu_node *node = bsim_cu_node(p, kind, token);
    node->type = type;
    node->left = left;
    node->right = right;
    return node;
}

struct cu_node *bsim_cu_integer(struct cu_parser *p, uint64_t value, const struct cu_type *type,
                                const struct cu_token *token)
{
    struct cu_node *node = bsim_cu_typed(p, CU_INTEGER, type, NULL, NULL, token);
    node->number = bsim_cu_wrap(type, value);
    return node;
}

static struct cu_node *refuse(struct cu_parser *p, const struct cu_token *token, const char *why,
                              const struct cu_type *type)
{
    bsim_cu_stop(p, token, why, bsim_cu_type_text(p->file, type));
    return bsim_cu_node(p, CU_INTEGER, token);
}

bool bsim_cu_is_object(const struct cu_node *node)
{
    switch (node->kind) {
    case CU_VARIABLE:
    case CU_TARGET:
    case CU_TEMPORARY:
        return true;
    case CU_INDEX:
    case CU_MEMBER_OF:
        return bsim_cu_is_object(node->left);
    case CU_CHOICE:
        return bsim_cu_is_object(node->right) && bsim_cu_is_object(node->third);
    default:
        return false;
    }
}

struct cu_node *bsim_cu_variable(struct cu_parser *p, struct cu_variable *variable,
                                 const struct cu_token *token)
{
    struct cu_node *node = bsim_cu_node(p, CU_VARIABLE, token);
    node->variable = variable;
    node->type = variable->type;
    if (variable->type->kind == CU_REFERENCE) {
        node->type = bsim_cu_pointer(p->file, variable->type->of);
        return bsim_cu_target(p, node, token);
    }
    return node;
}

/* ---- conversions ----------------------------------------------------------------------------- */

struct cu_node *bsim_cu_rvalue(struct cu_parser *p, struct cu_node *node)
{
    if (node->type->kind != CU_ARRAY) {
        return node;
    }
    const struct cu_type *type = bsim_cu_pointer(p->file, node->type->of);
    return bsim_cu_typed(p, CU_DECAY, type, node, NULL, node->token);
}

static struct cu_node *cast_to(struct cu_parser *p, struct cu_node *node,
                               const struct cu_type *type, const struct cu_token *token)
{
    return bsim_cu_typed(p, CU_CAST, type, node, NULL, token);
}

static bool is_null(const struct cu_node *node)
{
    return node->kind == CU_INTEGER && node->number == 0;
}

/* By a constructor, or an operator of the struct; NULL: neither is asked for, or takes it. */
static struct cu_node *remade(struct cu_parser *p, struct cu_node *node, const struct cu_type *type,
                              const struct cu_token *token)
{
    bool is_same = bsim_cu_same_type(node->type, type);
    if (type->kind == CU_STRUCT && type->has_constructor && !is_same) {
        return bsim_cu_made_object(p, type, node, NULL, token);
    }
    return node->type->kind == CU_STRUCT && node->type->scope != NULL && !is_same
               ? bsim_cu_convert_struct(p, node, type, token)
               : NULL;
}

struct cu_node *bsim_cu_cast(struct cu_parser *p, struct cu_node *node, const struct cu_type *type,
                             const struct cu_token *token)
{
    node = bsim_cu_rvalue(p, node);
    const struct cu_type *from = node->type;
    bool from_scalar = bsim_cu_is_arithmetic(from) || from->kind == CU_POINTER;
    bool to_scalar = bsim_cu_is_arithmetic(type) || type->kind == CU_POINTER;
    if (bsim_cu_same_type(from, type) && type->kind != CU_POINTER) {
        return node;
    }
    if (type->kind == CU_VOID) {
        return cast_to(p, node, type, token);
    }
    struct cu_node *made = remade(p, node, type, token);
    if (made != NULL) {
        return made;
    }
    bool is_mixed = (from->kind == CU_POINTER && bsim_cu_is_floating(type)) ||
                    (type->kind == CU_POINTER && bsim_cu_is_floating(from));
    if (!from_scalar || !to_scalar || is_mixed) {
        return refuse(
            p, token,
            bsim_cu_text(p->file, "'%s' does not become '%%s'", bsim_cu_type_text(p->file, from)),
            type);
    }
    if (type->kind == CU_POINTER && bsim_cu_is_integer(from) && from->size < type->size &&
        !is_null(node)) {
        node = cast_to(p, node, SCALAR(bsim_cu_is_signed(from) ? CU_LONG : CU_ULONG), token);
    }
    return cast_to(p, node, type, token);
}

/* The object as its struct's base, which begins where it does; what is none of that base stays. */
static struct cu_node *as_base(struct cu_parser *p, struct cu_node *object,
                               const struct cu_type *base, const struct cu_token *token)
{
    const struct cu_type *type = object->type;
    if (!bsim_cu_derives(type, base)) {
        return object;
    }
    base = bsim_cu_qualified(p->file, bsim_cu_plain(base), type->is_const, type->is_volatile);
    return bsim_cu_typed(p, CU_MEMBER_OF, base, object, NULL, token);
}

/* The same of what a pointer leads to. */
static struct cu_node *to_base(struct cu_parser *p, struct cu_node *node,
                               const struct cu_type *type, const struct cu_token *token)
{
    bool leads = node->type->kind == CU_POINTER && type->kind == CU_POINTER &&
                 bsim_cu_derives(node->type->of, type->of);
    return !leads ? as_base(p, node, type, token)
                  : bsim_cu_address(
                        p, as_base(p, bsim_cu_target(p, node, token), type->of, token), token);
}

struct cu_node *bsim_cu_convert(struct cu_parser *p, struct cu_node *node,
                                const struct cu_type *type, const struct cu_token *token)
{
    node = to_base(p, bsim_cu_rvalue(p, node), type, token);
    if (node->kind == CU_SPECIAL && type->kind == CU_STRUCT &&
        (strcmp(type->name, "dim3") == 0 || strcmp(type->name, "uint3") == 0)) {
        node->type = type->plain != NULL ? type->plain : type;
    }
    const struct cu_type *from = node->type;
    bool is_good = bsim_cu_is_arithmetic(from) && bsim_cu_is_arithmetic(type);
    struct cu_node *made = remade(p, node, type, token);
    if (made != NULL) {
        return made;
    }
    if (type->kind == CU_POINTER) {
        bool leads_on = from->kind == CU_POINTER && (type->of->is_const || !from->of->is_const);
        is_good = is_null(node) || (leads_on && (type->of->kind == CU_VOID ||
                                                 bsim_cu_same_type(type->of, from->of)));
    } else if (type->kind == CU_BOOL && from->kind == CU_POINTER) {
        is_good = true;
    } else if (type->kind == CU_STRUCT) {
        is_good = bsim_cu_same_type(from, type);
    }
    if (!is_good) {
        return refuse(p, token,
                      bsim_cu_text(p->file, "this is '%s', where '%%s' is due",
                                   bsim_cu_type_text(p->file, from)),
                      type);
    }
    return bsim_cu_cast(p, node, type, token);
}

struct cu_node *bsim_cu_condition(struct cu_parser *p, struct cu_node *node)
{
    node = bsim_cu_rvalue(p, node);
    struct cu_node *made = remade(p, node, SCALAR(CU_BOOL), node->token);
    if (made != NULL) {
        return made;
    }
    if (!bsim_cu_is_arithmetic(node->type) && node->type->kind != CU_POINTER) {
        return refuse(p, node->token, "'%s' is neither true nor false", node->type);
    }
    return bsim_cu_cast(p, node, SCALAR(CU_BOOL), node->token);
}

/* ---- operators ------------------------------------------------------------------------------- */

static struct cu_node *promote(struct cu_parser *p, struct cu_node *node)
{
    node = bsim_cu_rvalue(p, node);
    if (node->type->kind == CU_STRUCT && node->type->scope != NULL) {
        const struct cu_name *name =
            bsim_cu_find_in(node->type->scope, bsim_cu_named(p, "operator", node->token));
        const struct cu_type *type = name != NULL ? name->function->result : node->type;
        node = name != NULL && type->kind <= CU_POINTER ? remade(p, node, type, node->token) : node;
    }
    return bsim_cu_is_integer(node->type) && node->type->kind < CU_INT
               ? bsim_cu_cast(p, node, SCALAR(CU_INT), node->token)
               : node;
}

struct cu_node *bsim_cu_unary(struct cu_parser *p, enum cu_node_kind kind, struct cu_node *left,
                              const struct cu_token *token)
{
    left = kind == CU_NOT ? bsim_cu_condition(p, left) : promote(p, left);
    bool is_good =
        kind == CU_COMPLEMENT ? bsim_cu_is_integer(left->type) : bsim_cu_is_arithmetic(left->type);
    if (!is_good) {
        return refuse(p, token, "'%s' has no such operator", left->type);
    }
    return bsim_cu_typed(p, kind, left->type, left, NULL, token);
}

static struct cu_node *move_pointer(struct cu_parser *p, struct cu_node *pointer,
                                    struct cu_node *by, const struct cu_token *token)
{
    if (!pointer->type->of->is_complete) {
        return refuse(p, token, "the size of '%s' is not known here", pointer->type->of);
    }
    return bsim_cu_typed(p, CU_MOVE, pointer->type, pointer, promote(p, by), token);
}

/* Sums, differences and comparisons with pointers. */
static struct cu_node *with_pointers(struct cu_parser *p, enum cu_node_kind kind,
                                     struct cu_node *left, struct cu_node *right,
                                     const struct cu_token *token)
{
    bool is_left = left->type->kind == CU_POINTER, is_right = right->type->kind == CU_POINTER;
    if (kind == CU_ADD && is_left != is_right) {
        struct cu_node *pointer = is_left ? left : right, *by = is_left ? right : left;
        if (bsim_cu_is_integer(by->type)) {
            return move_pointer(p, pointer, by, token);
        }
    }
    if (kind == CU_SUBTRACT && is_left && bsim_cu_is_integer(right->type)) {
        return move_pointer(
            p, left,
            bsim_cu_unary(p, CU_NEGATE, bsim_cu_cast(p, right, SCALAR(CU_LONG), token), token),
            token);
    }
    if (kind == CU_SUBTRACT && is_left && is_right) {
        return bsim_cu_typed(p, CU_APART, SCALAR(CU_LONG), left, right, token);
    }
    bool is_comparison = kind >= CU_EQUAL && kind <= CU_GREATER_EQUAL;
    if (!is_comparison || (!is_left && !is_null(left)) || (!is_right && !is_null(right))) {
        return refuse(p, token, "this operator takes no '%s'", is_left ? left->type : right->type);
    }
    struct cu_node *a = bsim_cu_cast(p, left, is_left ? left->type : right->type, token);
    struct cu_node *b = bsim_cu_cast(p, right, is_right ? right->type : left->type, token);
    return bsim_cu_typed(p, kind, SCALAR(CU_BOOL), a, b, token);
}

static bool wants_integers(enum cu_node_kind kind)
{
    return kind == CU_REMAINDER || (kind >= CU_BIT_AND && kind <= CU_SHIFT_RIGHT);
}

struct cu_node *bsim_cu_binary(struct cu_parser *p, enum cu_node_kind kind, struct cu_node *left,
                               struct cu_node *right, const struct cu_token *token)
{
    if (kind == CU_AND || kind == CU_OR) {
        left = bsim_cu_condition(p, left);
        return bsim_cu_typed(p, kind, SCALAR(CU_BOOL), left, bsim_cu_condition(p, right), token);
    }
    left = promote(p, left);
    right = promote(p, right);
    if (left->type->kind == CU_POINTER || right->type->kind == CU_POINTER) {
        return with_pointers(p, kind, left, right, token);
    }
    bool is_good = bsim_cu_is_arithmetic(left->type) && bsim_cu_is_arithmetic(right->type);
    if (!is_good || (wants_integers(kind) &&
                     (bsim_cu_is_floating(left->type) || bsim_cu_is_floating(right->type)))) {
        return refuse(p, token, "this operator takes no '%s'",
                      bsim_cu_is_integer(left->type) ? right->type : left->type);
    }
    bool is_shift = kind == CU_SHIFT_LEFT || kind == CU_SHIFT_RIGHT;
    const struct cu_type *type = is_shift ? left->type : bsim_cu_common(left->type, right->type);
    left = bsim_cu_cast(p, left, type, token);
    right = is_shift ? right : bsim_cu_cast(p, right, type, token);
    type = kind >= CU_EQUAL && kind <= CU_GREATER_EQUAL ? SCALAR(CU_BOOL) : type;
    return bsim_cu_typed(p, kind, type, left, right, token);
}

struct cu_node *bsim_cu_choice(struct cu_parser *p, struct cu_node *condition, struct cu_node *yes,
                               struct cu_node *no, const struct cu_token *token)
{
    struct cu_node *node = bsim_cu_node(p, CU_CHOICE, token);
    yes = bsim_cu_rvalue(p, yes);
    no = bsim_cu_rvalue(p, no);
    bool is_arithmetic = bsim_cu_is_arithmetic(yes->type) && bsim_cu_is_arithmetic(no->type);
    node->type = yes->type;
    if (is_arithmetic && !bsim_cu_same_type(yes->type, no->type)) {
        node->type = bsim_cu_common(yes->type, no->type);
    } else if (no->type->kind == CU_POINTER &&
               (is_null(yes) || (no->type->of->is_const && !is_null(no)))) {
        node->type = no->type;
    }
    node->left = bsim_cu_condition(p, condition);
    node->right = yes->type->kind == CU_VOID ? yes : bsim_cu_convert(p, yes, node->type, token);
    node->third = no->type->kind == CU_VOID ? no : bsim_cu_convert(p, no, node->type, token);
    return node;
}

/* ---- objects --------------------------------------------------------------------------------- */

struct cu_node *bsim_cu_target(struct cu_parser *p, struct cu_node *pointer,
                               const struct cu_token *token)
{
    pointer = bsim_cu_rvalue(p, pointer);
    if (pointer->type->kind != CU_POINTER || pointer->type->of->kind == CU_VOID) {
        return refuse(p, token, "'%s' leads to no object", pointer->type);
    }
    return bsim_cu_typed(p, CU_TARGET, pointer->type->of, pointer, NULL, token);
}

struct cu_node *bsim_cu_index(struct cu_parser *p, struct cu_node *left, struct cu_node *right,
                              const struct cu_token *token)
{
    if (right->type->kind == CU_ARRAY || right->type->kind == CU_POINTER) {
        struct cu_node *swapped = left; /* 2[a] */
        left = right;
        right = swapped;
    }
    if (left->type->kind == CU_ARRAY && bsim_cu_is_integer(right->type)) {
        return bsim_cu_typed(p, CU_INDEX, left->type->of, left, promote(p, right), token);
    }
    left = bsim_cu_rvalue(p, left);
    if (left->type->kind != CU_POINTER || !bsim_cu_is_integer(right->type)) {
        return refuse(p, token, "'%s' has no elements",
                      left->type->kind == CU_POINTER ? right->type : left->type);
    }
    return bsim_cu_target(p, move_pointer(p, left, right, token), token);
}

/* An object that is chosen, c ? a : b, or lies in such a one, is what c ? &a : &b leads to: its value alone
 * would be a copy. */
static struct cu_node *one_of(struct cu_parser *p, struct cu_node *node,
                              const struct cu_token *token)
{
    if (node->kind == CU_CHOICE && bsim_cu_is_object(node)) {
        struct cu_node *yes = bsim_cu_address(p, node->right, token);
        struct cu_node *no = bsim_cu_address(p, node->third, token);
        return bsim_cu_target(p, bsim_cu_choice(p, node->left, yes, no, token), token);
    }
    if (node->kind == CU_INDEX || node->kind == CU_MEMBER_OF) {
        node->left = one_of(p, node->left, token);
    }
    return node;
}

struct cu_node *bsim_cu_address(struct cu_parser *p, struct cu_node *left,
                                const struct cu_token *token)
{
    left = one_of(p, left, token);
    if (left->kind == CU_TARGET) {
        return left->left;
    }
    if (!bsim_cu_is_object(left) && left->type->kind == CU_STRUCT) {
        left = bsim_cu_temporary(p, left->type, left, token);
    }
    return bsim_cu_typed(p, CU_ADDRESS, bsim_cu_pointer(p->file, left->type), left, NULL, token);
}

struct cu_node *bsim_cu_bind(struct cu_parser *p, struct cu_node *value, const struct cu_type *type,
                             const struct cu_token *token)
{
    value = as_base(p, value, type->of, token);
    bool is_same = bsim_cu_same_type(value->type, type->of);
    if ((!bsim_cu_is_object(value) || !is_same || value->type->is_const) && !type->of->is_const) {
        bsim_cu_stop(p, token, "an object of the type %s should stand here, for the reference%s",
                     bsim_cu_type_text(p->file, type->of),
                     value->type->is_const ? "; this one is const" : "");
        return value;
    }
    value = is_same ? value : bsim_cu_convert(p, value, type->of, token);
    return bsim_cu_address(p, value, token);
}

/* Of a pointer whose struct has it '->' is due; else the member that looks most like it. */
static void refuse_member(struct cu_parser *p, const struct cu_type *type, const struct cu_token *name)
{
    struct bsim_nearest nearest = bsim_nearest_start(bsim_cu_spelled(p->file, name));
    const struct cu_type *of = type->kind == CU_POINTER ? type->of : type;
    struct cu_member found;
    bool is_behind = of != type && of->kind == CU_STRUCT && bsim_cu_member(of, name, &found);
    for (const struct cu_member *m = type->kind == CU_STRUCT ? type->members : NULL; m != NULL; m = m->next) {
        bsim_nearest_try(&nearest, m->name);
    }
    bool is_near = name->length > 2 || nearest.distance == 0;
    bsim_cu_stop(p, name, "'%s' has no member '%.*s'%s", bsim_cu_type_text(p->file, type), bsim_cu_shown(name),
                 name->text,
                 is_behind ? "; what it points to has it: write -> for the ."
                           : bsim_cu_meant(p->file, is_near ? nearest.best : NULL, NULL));
}

struct cu_node *bsim_cu_member_of(struct cu_parser *p, struct cu_node *left,
                                  const struct cu_token *name)
{
    struct cu_member member;
    if (left->type->kind != CU_STRUCT || !bsim_cu_member(left->type, name, &member)) {
        refuse_member(p, left->type, name);
        return left;
    }
    const struct cu_type *type =
        bsim_cu_qualified(p->file, member.type, left->type->is_const, left->type->is_volatile);
    struct cu_node *node = bsim_cu_typed(p, CU_MEMBER_OF, type, left, NULL, name);
    node->number = member.offset;
    return member.is_reference ? bsim_cu_target(p, node, name) : node;
}

static bool may_change(struct cu_parser *p, const struct cu_node *left,
                       const struct cu_token *token)
{
    if (!bsim_cu_is_object(left)) {
        bsim_cu_stop(p, token, "what stands left of this is no object that can change");
    } else if (left->type->is_const) {
        bsim_cu_stop(p, token, "what stands left of this is const");
    } else if (left->type->kind == CU_ARRAY) {
        bsim_cu_stop(p, token, "an array cannot be assigned as a whole");
    }
    return !bsim_cu_failed(p->file);
}

struct cu_node *bsim_cu_assign(struct cu_parser *p, struct cu_node *left, struct cu_node *right,
                               const struct cu_token *token)
{
    bool may = may_change(p, left, token);
    right = may ? bsim_cu_convert(p, right, left->type, token) : right;
    left = may ? one_of(p, left, token) : left;
    return bsim_cu_typed(p, CU_ASSIGN, left->type, left, right, token);
}

struct cu_node *bsim_cu_update(struct cu_parser *p, enum cu_node_kind operation,
                               struct cu_node *left, struct cu_node *right, bool is_post,
                               const struct cu_token *token)
{
    struct cu_node *old = bsim_cu_typed(p, CU_OLD, left->type, NULL, NULL, token);
    struct cu_node *node =
        bsim_cu_typed(p, is_post ? CU_POST : CU_UPDATE, left->type, left, NULL, token);
    if (may_change(p, left, token)) {
        node->left = one_of(p, left, token);
        node->body =
            bsim_cu_convert(p, bsim_cu_binary(p, operation, old, right, token), left->type, token);
    }
    return node;
}

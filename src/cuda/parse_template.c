/* parse_template.c - templates: what stands for their parameters, and what is made of them.
 *
 * What a template declares is read anew for each list of arguments, in a scope where its parameters have
 * their meaning. Arguments are deduced from the tokens of a function's parameters, by patterns:
 *
 *     T   T *   const T &   T (&)[N]   tile<N>
 *
 * A parameter of another form says nothing about a template's parameters; whether the argument fits it
 * is seen when the function is made.
 */
#include "cuda/mangle.h"
#include "cuda/parse.h"

/* ---- arguments ------------------------------------------------------------------------------- */

/* Whether the argument is a function's name, or a parameter's that stands for one. */
static bool sees_function(const struct cu_parser *p)
{
    struct cu_parser look = *p;
    const struct cu_name *name = bsim_cu_resolve(&look);
    bool ends = bsim_cu_sees_next(&look, ",") || look.token->next->text[0] == '>';
    return ends && name != NULL &&
           (name->kind == CU_NAME_FUNCTION ||
            (name->kind == CU_NAME_VARIABLE && name->variable->type->kind == CU_STRUCT) ||
            (name->kind == CU_NAME_TEMPLATE && !name->template->is_struct));
}

/* argument = type-name | constant | function */
static void read_argument(struct cu_parser *p, struct cu_argument *argument)
{
    if (sees_function(p)) {
        *argument = (struct cu_argument){bsim_cu_assignment(p)->type, false, 0};
        return;
    }
    if (bsim_cu_sees_type(p)) {
        *argument = (struct cu_argument){bsim_cu_bare(p->file, bsim_cu_type_name(p)), false, 0};
        return;
    }
    uint64_t value = bsim_cu_constant_expression(p, "what stands for a template's parameter");
    *argument = (struct cu_argument){bsim_cu_scalar(CU_INT), true, value};
}

uint32_t bsim_cu_read_arguments(struct cu_parser *p, struct cu_argument *argument)
{
    uint32_t n = 0;
    bool was_in_angles = p->in_angles;
    bsim_cu_expect(p, "<");
    p->in_angles = true;
    while (!bsim_cu_sees_any(p, "> >>") && !bsim_cu_failed(p->file)) {
        if (n == CU_MOST_PARAMETERS) {
            bsim_cu_stop(p, p->token, "more than %d arguments of a template", CU_MOST_PARAMETERS);
            break;
        }
        read_argument(p, &argument[n++]);
        if (!bsim_cu_accept(p, ",")) {
            break;
        }
    }
    p->in_angles = was_in_angles;
    bsim_cu_expect_angle(p);
    return n;
}

struct cu_instance *bsim_cu_instance(struct cu_parser *p, struct cu_template *template,
                                     const struct cu_argument *argument, uint32_t n)
{
    const char *key = bsim_cu_mangled_arguments(p->file, argument, n);
    struct cu_instance *instance = template->instances;
    while (instance != NULL && strcmp(instance->key, key) != 0) {
        instance = instance->next;
    }
    if (instance == NULL) {
        instance = bsim_cu_take(p->file, sizeof *instance);
        instance->key = key;
        if (!bsim_cu_failed(p->file)) {
            instance->next = template->instances;
            template->instances = instance;
        }
    }
    return instance;
}

/* ---- parameters ------------------------------------------------------------------------------ */

static void add_parameter(struct cu_parser *p, const struct cu_token *name,
                          struct cu_argument *argument, const struct cu_type *of, uint32_t place)
{
    if (of == NULL) {
        struct cu_type *type = bsim_cu_take(p->file, sizeof *type);
        *type = *argument->type;
        type->plain = bsim_cu_plain(argument->type);
        type->parameter = place;
        bsim_cu_follow(type);
        if (name != NULL) {
            bsim_cu_add_name(p, name, CU_NAME_TYPE)->type = type;
        }
        return;
    }
    struct cu_variable *constant = bsim_cu_take(p->file, sizeof *constant);
    if (of->is_function) { /* the object that a function is as a value */
        of = argument->type;
        constant->value = bsim_cu_typed(p, CU_ZERO, of, NULL, NULL, p->token);
    } else {
        argument->type = bsim_cu_bare(p->file, of);
        argument->number = bsim_cu_wrap(of, argument->number);
        constant->value = bsim_cu_integer(p, argument->number, of, p->token);
    }
    constant->type = of;
    constant->is_constant = true;
    if (name != NULL) {
        bsim_cu_add_name(p, name, CU_NAME_VARIABLE)->variable = constant;
    }
}

/* parameter = ("typename" | "class" | specifiers declarator) [name] ["=" argument]. False: nothing stands for it. */
static bool bind_one(struct cu_parser *p, struct cu_argument *argument, uint32_t place)
{
    const struct cu_token *name = NULL, *at = p->token;
    const struct cu_type *of = NULL;
    struct cu_declaration d;
    if (!bsim_cu_accept(p, "typename") && !bsim_cu_accept(p, "class")) {
        p->takes_function = true;
        bsim_cu_specifiers(p, &d);
        of = bsim_cu_declarator(p, d.type, &name);
        p->takes_function = false;
    }
    bool is_function = of != NULL && of->is_function;
    if (bsim_cu_sees(p, "...") || (of != NULL && !bsim_cu_is_integer(of) && !is_function)) {
        bsim_cu_stop(p, at,
                     "of a template's parameters types, whole numbers and functions are read here");
    }
    if (of == NULL && p->token->kind == CU_NAME) {
        name = p->token;
        bsim_cu_advance(p);
    }
    if (bsim_cu_accept(p, "=")) {
        struct cu_argument unsaid;
        read_argument(p, &unsaid);
        *argument = argument->type != NULL ? *argument : unsaid;
    }
    if (argument->type == NULL || argument->is_number != (of != NULL && !is_function)) {
        return false;
    }
    add_parameter(p, name, argument, of, place);
    return true;
}

/* parameters = "<" parameter ("," parameter)* ">": names in the scope at hand. Answers how many, 0 if one
 * is missing or more are given. */
static uint32_t bind(struct cu_parser *p, const struct cu_template *template,
                     struct cu_argument *argument, uint32_t n_given)
{
    uint32_t n = 0;
    p->token = template->parameters;
    p->in_angles = true;
    bsim_cu_expect(p, "<");
    do {
        if (n == CU_MOST_PARAMETERS || !bind_one(p, &argument[n], n + 1)) {
            return 0;
        }
        n++;
    } while (bsim_cu_accept(p, ","));
    bsim_cu_expect_angle(p);
    p->in_angles = false;
    return n < n_given ? 0 : n;
}

/* Goes to where the template stands, with the arguments in a scope. False: they do not fit. */
static bool begin(struct cu_parser *p, struct cu_template *template, struct cu_argument *argument,
                  uint32_t n_given)
{
    p->scope = template->scope;
    p->owner = template->owner;
    p->space = template->space;
    bsim_cu_enter(p);
    uint32_t n = bind(p, template, argument, n_given);
    struct cu_argument *kept = bsim_cu_take_many(p->file, CU_MOST_PARAMETERS, sizeof *kept);
    if (n == 0 || kept == NULL || bsim_cu_failed(p->file)) {
        return false;
    }
    memcpy(kept, argument, n * sizeof *kept);
    p->arguments = kept;
    p->n_arguments = n;
    p->token = template->begin;
    return true;
}

void bsim_cu_go_back_to(struct cu_parser *p, const struct cu_parser *outer,
                        const struct cu_token *token)
{
    uint32_t n_locals = p->n_locals;
    *p = *outer;
    p->n_locals = n_locals;
    p->token = bsim_cu_failed(p->file) ? p->end : token;
}

uint32_t bsim_cu_fit_arguments(struct cu_parser *p, struct cu_template *template,
                               struct cu_argument *argument, uint32_t n)
{
    struct cu_parser outer = *p;
    if (begin(p, template, argument, n)) {
        n = p->n_arguments;
        memcpy(argument, p->arguments, n * sizeof *argument);
    } else {
        bsim_cu_stop(p, outer.token, "all arguments of the template should be said here");
    }
    bsim_cu_go_back_to(p, &outer, outer.token);
    return n;
}

/* ---- deduction ------------------------------------------------------------------------------- */

/* Arguments that are being deduced. */
struct deduction {
    struct cu_parser *p;
    const struct cu_token *name[CU_MOST_PARAMETERS];
    uint32_t n;
    struct cu_argument *argument;
};

static bool is_close(const struct cu_token *t)
{
    return bsim_cu_is_any(t, ") ] } >");
}

static bool is_open(const struct cu_token *t)
{
    return bsim_cu_is_any(t, "( [ { <");
}

/* The ',' or closing bracket that ends what begins here. */
static const struct cu_token *end_of(const struct cu_token *t)
{
    uint32_t depth = 0;
    for (; t->kind != CU_END; t = t->next) {
        uint32_t n_closed = bsim_cu_is(t, ">>") ? 2 : is_close(t);
        if ((depth == 0 && bsim_cu_is(t, ",")) || depth < n_closed) {
            break;
        }
        depth += is_open(t);
        depth -= n_closed;
    }
    return t;
}

/* The names of the template's parameters, in order: each the last one before its '=' or end. */
static void find_names(struct deduction *d, const struct cu_token *parameters)
{
    const struct cu_token *t = parameters;
    do {
        const struct cu_token *last = end_of(t->next);
        d->name[d->n] = NULL;
        for (t = t->next; t != last && !bsim_cu_is(t, "="); t = t->next) {
            d->name[d->n] = t->kind == CU_NAME ? t : d->name[d->n];
        }
        t = last;
    } while (++d->n < CU_MOST_PARAMETERS && bsim_cu_is(t, ","));
}

static void deduce(struct deduction *d, const struct cu_token *name, struct cu_argument argument)
{
    for (uint32_t i = 0; i < d->n; i++) {
        if (d->name[i] != NULL && bsim_cu_same_text(d->name[i], name) &&
            d->argument[i].type == NULL) {
            d->argument[i] = argument;
        }
    }
}

/* tile<N> against what the type was made of. */
static void match_list(struct deduction *d, const struct cu_token *t, const struct cu_type *type)
{
    type = bsim_cu_plain(type);
    for (uint32_t i = 0; i < type->n_arguments && type->from != NULL; i++) {
        const struct cu_token *last = end_of(t->next);
        if (t->next->kind == CU_NAME && t->next->next == last) {
            deduce(d, t->next, type->argument[i]);
        }
        t = last;
        if (!bsim_cu_is(t, ",")) {
            return;
        }
    }
}

/* What stands in a declarator around the name that is to be deduced. */
struct pattern {
    const struct cu_token *base, *list, *count;
    uint32_t n_stars;
    bool is_const, is_reference;
};

static struct pattern read_pattern(const struct cu_token *t, const struct cu_token *last)
{
    struct pattern pattern = {.base = NULL};
    for (; t != last && !bsim_cu_is(t, "="); t = t->next) {
        bool is_word = bsim_cu_is_any(t, "const volatile typename struct");
        pattern.n_stars += bsim_cu_is(t, "*");
        pattern.is_reference |= bsim_cu_is_any(t, "& &&");
        pattern.is_const |= bsim_cu_is(t, "const") && pattern.n_stars == 0;
        if (bsim_cu_is(t, "[")) {
            pattern.n_stars += !pattern.is_reference;
            pattern.count = pattern.is_reference ? t->next : NULL;
        } else if (t->kind == CU_NAME && bsim_cu_is(t->next, "::")) {
            t = t->next;
        } else if (t->kind == CU_NAME && pattern.base == NULL && !is_word) {
            pattern.base = t;
            if (bsim_cu_is(t->next, "<")) {
                pattern.list = t->next;
                for (t = end_of(t->next->next); bsim_cu_is(t, ",") && t != last;) {
                    t = end_of(t->next);
                }
            }
        }
    }
    return pattern;
}

static void match(struct deduction *d, const struct cu_token *from, const struct cu_token *last,
                  const struct cu_type *type)
{
    struct pattern pattern = read_pattern(from, last);
    if (pattern.base == NULL) {
        return;
    }
    if (pattern.count != NULL && type->kind == CU_ARRAY) {
        deduce(d, pattern.count, (struct cu_argument){bsim_cu_scalar(CU_INT), true, type->count});
        type = type->of;
    }
    for (uint32_t i = 0; i < pattern.n_stars; i++) {
        if (type->kind != CU_POINTER && type->kind != CU_ARRAY) {
            return;
        }
        type = type->of;
    }
    bool is_value = pattern.n_stars == 0 && !pattern.is_reference;
    if (is_value && type->kind == CU_ARRAY) {
        type = bsim_cu_pointer(d->p->file, type->of);
    }
    type = bsim_cu_bare(d->p->file, type);
    if (is_value || (pattern.is_const && !type->is_volatile)) {
        type = bsim_cu_plain(type);
    }
    if (pattern.list != NULL) {
        match_list(d, pattern.list, type);
    } else {
        deduce(d, pattern.base, (struct cu_argument){type, false, 0});
    }
}

/* Behind the '(' of the function's parameters. */
static const struct cu_token *find_parameters(const struct cu_token *t)
{
    for (; t->kind != CU_END && !bsim_cu_is_any(t, "{ ;"); t = t->next) {
        if (bsim_cu_is_any(t, "__launch_bounds__ __align__")) {
            t = bsim_cu_closing(t->next);
        } else if (bsim_cu_is(t, "operator")) {
            t = bsim_cu_is(t->next, "(") ? t->next->next : t->next;
        } else if (bsim_cu_is(t, "(")) {
            return t->next;
        }
    }
    return t;
}

static void deduce_all(struct deduction *d, const struct cu_template *template,
                       struct cu_node *const *argument, uint32_t n)
{
    const struct cu_token *t = find_parameters(template->begin);
    find_names(d, template->parameters);
    for (uint32_t i = 0; i < n && t->kind != CU_END && !bsim_cu_is(t, ")"); i++) {
        const struct cu_token *last = end_of(t);
        if (argument[i]->kind != CU_NO_VALUE) {
            match(d, t, last, argument[i]->type);
        }
        t = bsim_cu_is(last, ",") ? last->next : last;
    }
}

/* ---- structs --------------------------------------------------------------------------------- */

/* Whether the arguments fit the pattern; then its own are in scope. */
static bool fits(struct cu_parser *p, const struct cu_template *template,
                 const struct cu_partial *partial, const struct cu_argument *argument, uint32_t n)
{
    struct cu_argument own[CU_MOST_PARAMETERS] = {{0}}, shown[CU_MOST_PARAMETERS] = {{0}};
    struct deduction d = {.p = p, .argument = own};
    struct cu_template with = *template;
    const struct cu_token *t = partial->pattern;
    find_names(&d, partial->parameters);
    for (uint32_t i = 0; i < n && !bsim_cu_is(t, ">"); i++) {
        const struct cu_token *last = end_of(t->next);
        if (!argument[i].is_number) {
            match(&d, t->next, last, argument[i].type);
        } else if (t->next->next == last) {
            deduce(&d, t->next, argument[i]);
        }
        t = last;
    }
    with.parameters = partial->parameters;
    with.begin = partial->pattern;
    with.scope = partial->scope;
    if (!begin(p, &with, own, 0) || bsim_cu_read_arguments(p, shown) != n) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) { /* numbers are of the parameters' types */
        shown[i].type = argument[i].is_number ? argument[i].type : shown[i].type;
        shown[i].number = bsim_cu_wrap(shown[i].type, shown[i].number);
    }
    return strcmp(bsim_cu_mangled_arguments(p->file, shown, n),
                  bsim_cu_mangled_arguments(p->file, argument, n)) == 0;
}

/* Goes to the template's part that is for these arguments, if there is one. Of several C++ takes the most special
 * one, which is not found out here. */
static void choose_partial(struct cu_parser *p, const struct cu_template *template,
                           const struct cu_token *at)
{
    struct cu_parser whole = *p, chosen = *p;
    uint32_t n_fitting = 0;
    for (const struct cu_partial *one = template->partials; one != NULL; one = one->next) {
        *p = whole;
        if (fits(p, template, one, whole.arguments, whole.n_arguments)) {
            n_fitting++;
            chosen = *p;
            chosen.token = one->begin;
        }
    }
    *p = chosen;
    p->arguments = whole.arguments;
    p->n_arguments = whole.n_arguments;
    if (n_fitting > 1) {
        bsim_cu_stop(p, at, "these arguments fit more than one of the template's parts");
    }
}

const struct cu_type *bsim_cu_made_type(struct cu_parser *p, struct cu_template *template,
                                        const struct cu_argument *given, uint32_t n)
{
    struct cu_argument argument[CU_MOST_PARAMETERS] = {{0}};
    struct cu_parser outer = *p;
    struct cu_declaration d;
    const struct cu_type *type = bsim_cu_scalar(CU_INT);
    memcpy(argument, given, n * sizeof *given);
    if (!begin(p, template, argument, n) || template->is_partial || !bsim_cu_nest(p)) {
        bsim_cu_stop(p, outer.token,
                     template->is_partial
                         ? "a template that is another one for some arguments is not read here"
                         : "these arguments do not fit the template");
        bsim_cu_go_back_to(p, &outer, outer.token);
        return type;
    }
    struct cu_instance *instance = bsim_cu_instance(p, template, p->arguments, p->n_arguments);
    if (bsim_cu_sees(p, "using")) { /* using name = type-name ";" */
        p->token = template->name->next;
        bsim_cu_expect(p, "=");
        instance->type = bsim_cu_type_name(p);
    } else if (instance->type == NULL) {
        choose_partial(p, template, outer.token);
        p->template = template;
        p->depth += 8;
        bsim_cu_specifiers(p, &d);
    }
    type = instance->type != NULL ? instance->type : type;
    bsim_cu_go_back_to(p, &outer, outer.token);
    return type;
}

/* ---- functions ------------------------------------------------------------------------------- */

static struct cu_function *make_function(struct cu_parser *p, struct cu_template *template)
{
    struct cu_declaration d;
    const struct cu_token *name;
    struct cu_instance *instance = bsim_cu_instance(p, template, p->arguments, p->n_arguments);
    if (instance->function == NULL) {
        bsim_cu_specifiers(p, &d);
        const struct cu_type *result = bsim_cu_declarator(p, d.type, &name);
        p->template = template;
        struct cu_function *made =
            bsim_cu_read_function(p, &d, result, name != NULL ? name : template->name, false);
        instance->function = bsim_cu_failed(p->file) ? NULL : made;
    }
    return instance->function;
}

/* What does not fit is no function, for the reason that stays in p->why. */
struct cu_function *bsim_cu_made_function(struct cu_parser *p, struct cu_template *template,
                                          const struct cu_argument *given, uint32_t n_given,
                                          struct cu_node *const *argument, uint32_t n)
{
    struct cu_argument all[CU_MOST_PARAMETERS] = {{0}};
    struct cu_parser outer = *p;
    struct bsim_error own = {.message = ""}, *err = p->file->err;
    struct deduction d = {.p = p, .argument = all};
    memcpy(all, given, n_given * sizeof *given);
    deduce_all(&d, template, argument, n);
    p->file->err = &own;
    bool is_good = begin(p, template, all, n_given);
    struct cu_function *function = is_good ? make_function(p, template) : NULL;
    p->file->err = err;
    if (p->file->status == BSIM_E_MEMORY) {
        (void)bsim_error_set(err, BSIM_E_MEMORY, "%s", own.message);
    } else if (bsim_cu_failed(p->file)) {
        p->file->status = BSIM_OK;
    }
    const char *why = !is_good && own.message[0] == '\0'
                          ? "what stands for its parameters cannot be told; say it in < >"
                          : own.message;
    outer.why = why[0] != '\0' ? bsim_cu_text(p->file, "%s", why) : outer.why;
    bsim_cu_go_back_to(p, &outer, outer.token);
    return function;
}

/* ---- declarations ---------------------------------------------------------------------------- */

/* The name that the template gives: of a struct, or another name of a type, what stands behind that word. */
static const struct cu_token *name_of(struct cu_parser *p, bool is_struct)
{
    struct cu_parser look = *p;
    const struct cu_token *name = is_struct ? p->token->next : bsim_cu_guess_name(p->token);
    while (is_struct && bsim_cu_is_any(name, "__align__ alignas")) {
        name = bsim_cu_closing(name->next)->next;
    }
    if (name != NULL && bsim_cu_is(name, "operator")) {
        look.token = name;
        (void)bsim_cu_declarator(&look, bsim_cu_scalar(CU_INT), &name);
        p->token = bsim_cu_failed(p->file) ? p->end : p->token;
    }
    return name;
}

/* template = "template" "<" parameters ">" declaration; what is made of templates beforehand is passed over. */
void bsim_cu_read_template(struct cu_parser *p)
{
    const struct cu_token *parameters = p->token->next;
    bsim_cu_advance(p);
    if (!bsim_cu_sees(p, "<")) {
        bsim_cu_skip_declaration(p);
        return;
    }
    const struct cu_token *last = parameters;
    do {
        last = end_of(last->next);
    } while (bsim_cu_is(last, ","));
    p->token = last->kind == CU_END ? p->end : last->next;
    if (bsim_cu_is(parameters->next, ">")) {
        bsim_cu_read_declaration(p, false); /* for certain arguments */
        return;
    }
    bool is_struct = bsim_cu_sees_any(p, "struct class union using");
    const struct cu_token *name = name_of(p, is_struct);
    const struct cu_name *found = is_struct && name != NULL ? bsim_cu_find(p, name) : NULL;
    bool is_again = found != NULL && found->kind == CU_NAME_TEMPLATE;
    if (is_again && !bsim_cu_same_space(found->template->space, p->space)) {
        bsim_cu_clash(bsim_cu_add_name(p, name, CU_NAME_TEMPLATE));
        bsim_cu_skip_declaration(p);
        return;
    }
    struct cu_template *template =
        is_again ? found->template : bsim_cu_take(p->file, sizeof *template);
    if (is_again && bsim_cu_is(name->next, "<")) {
        struct cu_partial *partial = bsim_cu_take(p->file, sizeof *partial);
        *partial =
            (struct cu_partial){parameters, name->next, p->token, p->scope, template->partials};
        template->partials = bsim_cu_failed(p->file) ? NULL : partial;
    } else if (name != NULL && !bsim_cu_failed(p->file)) {
        struct cu_instance *instances = template->instances;
        *template = (struct cu_template){.name = name,
                                         .parameters = parameters,
                                         .begin = p->token,
                                         .scope = p->scope,
                                         .owner = p->owner,
                                         .space = p->space,
                                         .is_struct = is_struct,
                                         .instances = instances};
        if (!is_again) {
            bsim_cu_add_name(p, name, CU_NAME_TEMPLATE)->template = template;
        }
    }
    bsim_cu_skip_declaration(p);
}

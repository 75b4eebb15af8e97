/* lower_memory.c - objects: in registers as cells, else in memory.
 *
 * What a thread loaded or stored is not loaded again while nothing may have changed it: no store that
 * may lead to the same place, no atomic, no barrier. So do nvcc and clang (-O3); of two names they ask
 * for their types besides (int and float do not overlap), which is not done here.
 */
#include "cuda/lower.h"

enum { MAX_CELLS = 1024 };

enum cu_class bsim_cu_class_of(const struct cu_type *type)
{
    return type->kind == CU_FLOAT                       ? CU_F32
           : type->kind == CU_DOUBLE                    ? CU_F64
           : bsim_cu_is_integer(type) && type->size < 8 ? CU_I32
                                                        : CU_I64;
}

/* ---- scalars --------------------------------------------------------------------------------- */

struct scalars {
    struct cu_file *file;
    struct cu_scalar *scalar;
    uint32_t n;
};

/* Of a union the scalars of its largest member stand for all. */
static const struct cu_member *largest(const struct cu_type *type)
{
    const struct cu_member *best = type->members;
    for (const struct cu_member *m = best; m != NULL; m = m->next) {
        best = m->type->size > best->type->size ? m : best;
    }
    return best;
}

static void add_scalars(struct scalars *s, const struct cu_type *type, uint64_t offset)
{
    if (type->kind == CU_ARRAY) {
        for (uint64_t i = 0; i < type->count && s->n <= MAX_CELLS; i++) {
            add_scalars(s, type->of, offset + i * type->of->size);
        }
    } else if (type->kind == CU_STRUCT && type->is_union) {
        const struct cu_member *member = largest(type);
        if (member != NULL) {
            add_scalars(s, member->type, offset);
        }
    } else if (type->kind == CU_STRUCT) {
        for (const struct cu_member *m = type->members; m != NULL; m = m->next) {
            add_scalars(s, m->type, offset + m->offset);
        }
    } else if (bsim_cu_grow(s->file, &s->scalar, s->n, sizeof *s->scalar)) {
        s->scalar[s->n++] = (struct cu_scalar){type, offset};
    }
}

const struct cu_scalar *bsim_cu_scalars(struct cu_lowering *l, const struct cu_type *type,
                                        uint32_t *n)
{
    struct scalars s = {.file = l->code.file};
    add_scalars(&s, type, 0);
    *n = s.n <= MAX_CELLS ? s.n : 0;
    return s.scalar;
}

struct cu_value *bsim_cu_room_for(struct cu_lowering *l, const struct cu_type *type, uint32_t *n)
{
    const struct cu_scalar *scalar = bsim_cu_scalars(l, type, n);
    struct cu_value *value = bsim_cu_take_many(l->code.file, *n, sizeof *value);
    if (*n == 0 && scalar != NULL) {
        bsim_cu_fail(l->code.file, l->code.token, "a value of this size is not read here");
    }
    *n = value != NULL ? *n : 0;
    for (uint32_t i = 0; i < *n; i++) {
        value[i] = bsim_cu_constant_of(bsim_cu_class_of(scalar[i].type), 0);
    }
    return value;
}

struct cu_value bsim_cu_new_slot(struct cu_lowering *l, struct cu_variable *variable,
                                 const struct cu_type *type)
{
    uint32_t n, id = l->n_slots;
    const struct cu_scalar *scalar = bsim_cu_scalars(l, type, &n);
    struct cu_value address = {.kind = CU_CELLS, .class = CU_I64, .id = id};
    if (!bsim_cu_grow(l->code.file, &l->slot, l->n_slots, sizeof *l->slot)) {
        return address;
    }
    l->slot[l->n_slots++] = (struct cu_slot){variable, l->n_cells, n, scalar};
    for (uint32_t i = 0; i < n; i++) {
        if (bsim_cu_grow(l->code.file, &l->cell, l->n_cells, sizeof *l->cell)) {
            l->cell[l->n_cells++] = (struct cu_value){.kind = CU_NOTHING};
        }
    }
    if (n == 0 && type->size > 1) {
        bsim_cu_needs_memory(l, &address);
    }
    return address;
}

struct cu_value bsim_cu_place_of(struct cu_lowering *l, struct cu_variable *variable)
{
    struct cu_value address = variable->in_memory ? bsim_cu_symbol(l, variable)
                                                  : bsim_cu_new_slot(l, variable, variable->type);
    variable->slot = variable->in_memory ? variable->slot : address.id;
    return address;
}

/* ---- what is known of memory ----------------------------------------------------------------- */

const struct cu_variable *bsim_cu_root_of(const struct cu_code *code, const struct cu_value *value,
                                          uint32_t depth)
{
    const struct cu_instruction *from = bsim_cu_definition(code, value);
    if (value->kind == CU_SYMBOL) {
        return value->variable;
    }
    bool is_name = from != NULL && from->n_arguments == 1 && from->argument[0].kind == CU_SYMBOL;
    if (is_name) {
        return from->argument[0].variable;
    }
    if (from == NULL || depth == 0) {
        return NULL;
    }
    if (from->op == CU_OP_OTHER && strcmp(from->opcode, "cvta.to.global.u64") == 0) {
        from = bsim_cu_definition(code, &from->argument[0]);
        bool is_parameter = from != NULL && from->op == CU_OP_LOAD &&
                            from->argument[0].kind == CU_SYMBOL &&
                            from->argument[0].space == CU_PARAM;
        return is_parameter ? from->argument[0].variable : NULL;
    }
    if (from->op != CU_OP_ADD) {
        return NULL;
    }
    const struct cu_variable *root = bsim_cu_root_of(code, &from->argument[1], depth - 1);
    return root != NULL ? root : bsim_cu_root_of(code, &from->argument[0], depth - 1);
}

void bsim_cu_note_read(struct cu_lowering *l, const struct cu_value *address)
{
    const struct cu_variable *root = bsim_cu_root_of(&l->code, address, CU_MOST_SPLITS);
    if (root != NULL && !l->is_trial) {
        ((struct cu_variable *)(uintptr_t)root)->is_read = true;
    }
}

/* Whether pointers that two parameters bring, or one and a variable, may lead to one place. */
static bool may_meet(const struct cu_variable *a, const struct cu_variable *b)
{
    bool is_pointer = a->type->kind == CU_POINTER || b->type->kind == CU_POINTER;
    bool is_brought = a->storage == CU_LOCAL || b->storage == CU_LOCAL;
    bool is_restricted = (a->storage == CU_LOCAL && a->type->is_restrict) ||
                         (b->storage == CU_LOCAL && b->type->is_restrict);
    return a == b || (a->is_extern && b->is_extern) || (is_brought && is_pointer && !is_restricted);
}

/* is_kept: what is known of the loop around counts in turns that are one, too. */
static bool may_overlap(struct cu_lowering *l, const struct cu_place_of *place, const struct cu_available *known, bool is_kept)
{
    const struct cu_value *base = place->base, *other = &known->base;
    struct cu_place_of two = {other, known->offset, (int64_t)known->type->size, known->inside, false};
    if (other->space == CU_READ_ONLY || other->space == CU_CONST) {
        return false;
    }
    if (bsim_cu_same_value(base, other)) {
        bool is_beside = place->offset >= two.offset + two.bytes || two.offset >= place->offset + place->bytes;
        return !is_beside || !bsim_cu_is_apart(&l->code, place, &two);
    }
    if (base->space != other->space && base->space != CU_GENERIC && other->space != CU_GENERIC) {
        return false;
    }
    const struct cu_variable *a = bsim_cu_root_of(&l->code, base, CU_MOST_SPLITS);
    const struct cu_variable *b = bsim_cu_root_of(&l->code, other, CU_MOST_SPLITS);
    bool may = a == NULL || b == NULL || may_meet(a, b);
    int64_t more = place->offset - known->offset;
    if (a != NULL && a == b && place->bytes > 0 && bsim_cu_is_beside(&l->code, place, &two)) {
        return false;
    }
    return may && !(a != NULL && a == b &&
                    (bsim_cu_is_above(&l->code, base, other, two.bytes, more, is_kept) ||
                     bsim_cu_is_above(&l->code, other, base, place->bytes, -more, is_kept)));
}

bool bsim_cu_may_overlap(struct cu_lowering *l, const struct cu_place_of *place, const struct cu_available *known)
{
    return may_overlap(l, place, known, known->stands < l->n_before_turns);
}

bool bsim_cu_changes(struct cu_lowering *l, const struct cu_instruction *k, const struct cu_instruction *load)
{
    if (!k->is_live || !k->has_effect || load->op != CU_OP_LOAD) {
        return false;
    }
    struct cu_type type = {.size = load->type->size * load->n_results};
    struct cu_available place = {
        .base = load->argument[0], .offset = load->offset, .inside = load->inside, .type = &type, .stands = UINT32_MAX};
    int64_t bytes = k->op == CU_OP_STORE ? (int64_t)((k->n_arguments - 1) * k->type->size) : 0;
    struct cu_place_of stored = {&k->argument[0], k->offset, bytes, k->inside, false};
    return k->op != CU_OP_STORE || bsim_cu_may_overlap(l, &stored, &place);
}

/* Of the block's stores those that one of these bytes may be read from stay. */
static void note_read(struct cu_lowering *l, const struct cu_place_of *place)
{
    struct cu_unread **at = &l->unread;
    while (*at != NULL) {
        const struct cu_instruction *store = (*at)->store;
        struct cu_type type = {.size = (*at)->bytes};
        struct cu_available written = {.base = store->argument[0],
                                       .offset = store->offset,
                                       .inside = store->inside,
                                       .type = &type,
                                       .stands = UINT32_MAX};
        if (bsim_cu_may_overlap(l, place, &written)) {
            *at = (*at)->next;
        } else {
            at = &(*at)->next;
        }
    }
}

void bsim_cu_store_over(struct cu_lowering *l, struct cu_instruction *store)
{
    struct cu_unread *over = bsim_cu_take(l->code.file, sizeof *over);
    *over = (struct cu_unread){store, 0, l->overdone};
    l->overdone = over;
    store->has_effect = false;
}

/* A store that another one of the same bytes follows, with nobody to read between, is none. */
static void note_store(struct cu_lowering *l, struct cu_instruction *store, uint64_t bytes)
{
    struct cu_unread *unread = bsim_cu_take(l->code.file, sizeof *unread);
    if (l->unread_at != l->code.at) {
        l->unread = NULL;
        l->unread_at = l->code.at;
    }
    for (struct cu_unread *u = l->unread; u != NULL; u = u->next) {
        bool is_same = u->bytes == bytes && u->store->offset == store->offset &&
                       bsim_cu_same_value(&u->store->argument[0], &store->argument[0]);
        if (is_same && u->store->has_effect) {
            bsim_cu_store_over(l, u->store);
        }
    }
    *unread = (struct cu_unread){store, bytes, l->unread};
    l->unread = unread;
}

void bsim_cu_know(struct cu_lowering *l, const struct cu_available *what)
{
    struct cu_available *known = bsim_cu_take(l->code.file, sizeof *known);
    *known = *what;
    known->next = l->available;
    l->available = known;
}

/* The place, if a loop has it in a register; of others that the access may lead to this is noted. */
static struct cu_promoted *find_promoted(struct cu_lowering *l, const struct cu_place_of *at, const struct cu_type *type,
                                         bool is_store)
{
    for (struct cu_promoted *p = l->promoted; p != NULL; p = p->outer) {
        struct cu_available place = {.base = p->base, .offset = p->offset, .inside = p->inside, .type = p->type};
        if (at->bytes == (int64_t)type->size && p->offset == at->offset && p->type->kind == type->kind &&
            !type->is_volatile && bsim_cu_same_value(&p->base, at->base)) {
            return p;
        }
        bool overlaps = may_overlap(l, at, &place, true); /* it was found before turns became one */
        p->is_read = p->is_read || (overlaps && !is_store);
        p->is_written = p->is_written || (overlaps && is_store);
    }
    return NULL;
}

static void forget_place(struct cu_lowering *l, const struct cu_place_of *place)
{
    enum { MOST_KEPT = 128 };
    uint32_t n = 0;
    const struct cu_available *old = l->available;
    l->available = NULL;
    for (; old != NULL && n < MOST_KEPT; old = old->next) {
        if (!bsim_cu_may_overlap(l, place, old)) {
            bsim_cu_know(l, old);
            n++;
        }
    }
}

/* Something is stored into the object. */
static void note_stored(struct cu_lowering *l, const struct cu_value *base)
{
    const struct cu_variable *root = bsim_cu_root_of(&l->code, base, CU_MOST_SPLITS);
    *(root != NULL ? &((struct cu_variable *)(uintptr_t)root)->stored : &l->stored) = ++l->n_stores;
}

void bsim_cu_forget_all_but(struct cu_lowering *l, const struct cu_available *list)
{
    const struct cu_available *old = l->available;
    l->available = NULL;
    for (; old != NULL; old = old->next) {
        const struct cu_variable *root = bsim_cu_root_of(&l->code, &old->base, CU_MOST_SPLITS);
        bool is_new = old->stands >= l->stored && root != NULL && old->stands >= root->stored;
        if (is_new || bsim_cu_find_place(list, old) != NULL) {
            bsim_cu_know(l, old);
        }
    }
}

void bsim_cu_forget_written(struct cu_lowering *l, struct cu_value address, uint64_t bytes)
{
    struct cu_place_of place = {
        .bytes = (int64_t)bytes, .inside = bsim_cu_inside_of(&l->code, &address), .is_here = true};
    struct cu_value base = bsim_cu_base_of(&l->code, address, &place.offset);
    place.base = &base;
    (void)find_promoted(l, &place, bsim_cu_scalar(CU_VOID), true);
    note_stored(l, &base);
    forget_place(l, &place);
}

void bsim_cu_forget_memory(struct cu_lowering *l)
{
    const struct cu_available *old = l->available;
    l->n_barriers++;
    l->stored = ++l->n_stores;
    for (struct cu_promoted *p = l->promoted; p != NULL; p = p->outer) {
        p->is_written = true;
    }
    l->available = NULL;
    l->unread = NULL;
    for (; old != NULL; old = old->next) {
        if (old->base.space == CU_READ_ONLY || old->base.space == CU_CONST ||
            old->base.space == CU_LOCAL_SPACE) {
            bsim_cu_know(l, old);
        }
    }
}

/* ---- registers ------------------------------------------------------------------------------- */

/* The slot's cell that has those bytes; *shift: how many bits of it stand before them. NULL if none has. */
static struct cu_value *cell_at(struct cu_lowering *l, const struct cu_value *address,
                                const struct cu_scalar *scalar, const struct cu_type **type,
                                uint32_t *shift)
{
    const struct cu_slot *slot = &l->slot[address->id];
    uint64_t at = address->bits + scalar->offset, size = scalar->type->size;
    uint32_t low = 0, high = slot->n;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (slot->scalar[middle].offset <= at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0) {
        return NULL;
    }
    const struct cu_scalar *found = &slot->scalar[low - 1];
    *shift = 8 * (uint32_t)(at - found->offset);
    *type = found->type;
    bool is_whole = found->offset == at && found->type->size == size;
    bool is_part = bsim_cu_is_integer(found->type) && found->type->kind != CU_BOOL &&
                   bsim_cu_is_integer(scalar->type) && size < found->type->size && size < 4 &&
                   at + size <= found->offset + found->type->size;
    return is_whole || is_part ? &l->cell[slot->cell + low - 1] : NULL;
}

/* Some bytes of an integer's cell. */
static struct cu_value part_of(struct cu_lowering *l, struct cu_value value, uint32_t shift,
                               const struct cu_type *type)
{
    value = bsim_cu_compute(&l->code, CU_OP_SHR, false, value, bsim_cu_constant_of(CU_I32, shift));
    return bsim_cu_narrowed(&l->code, bsim_cu_resized(&l->code, value, false, CU_I32), type);
}

/* The cell with these bytes anew. */
static struct cu_value with_part(struct cu_lowering *l, struct cu_value cell, uint32_t shift,
                                 struct cu_value value, const struct cu_type *type)
{
    struct cu_code *code = &l->code;
    uint64_t mask = (UINT64_C(1) << 8 * type->size) - 1;
    value = bsim_cu_compute(code, CU_OP_AND, false, value, bsim_cu_constant_of(CU_I32, mask));
    value = bsim_cu_resized(code, value, false, cell.class);
    value = bsim_cu_compute(code, CU_OP_SHL, false, value, bsim_cu_constant_of(CU_I32, shift));
    cell = bsim_cu_compute(code, CU_OP_AND, false, cell,
                           bsim_cu_constant_of(cell.class, ~(mask << shift)));
    return bsim_cu_compute(code, CU_OP_OR, false, cell, value);
}

/* The bits of one type as a cell of another one of the same size. */
static struct cu_value seen_as(struct cu_lowering *l, struct cu_value value,
                               const struct cu_type *from, const struct cu_type *to)
{
    bool are_addresses = from->kind >= CU_POINTER && to->kind >= CU_POINTER;
    if (from->kind == to->kind || are_addresses || value.kind == CU_CELLS) {
        return value;
    }
    if (from->kind == CU_POINTER && to->kind != CU_POINTER) {
        value = bsim_cu_generic(&l->code, value);
    }
    value = bsim_cu_as_class(&l->code, value, bsim_cu_class_of(to));
    return to->size < 4 ? bsim_cu_narrowed(&l->code, value, to) : value;
}

static void load_cells(struct cu_lowering *l, const struct cu_value *address,
                       const struct cu_type *type, struct cu_value *value)
{
    uint32_t n;
    const struct cu_scalar *scalar = bsim_cu_scalars(l, type, &n);
    for (uint32_t i = 0; i < n && !bsim_cu_stops(l); i++) {
        const struct cu_type *from = NULL, *to = scalar[i].type;
        uint32_t shift;
        const struct cu_value *cell = cell_at(l, address, &scalar[i], &from, &shift);
        if (cell == NULL) {
            bsim_cu_needs_memory(l, address);
            return;
        }
        value[i] = cell->kind == CU_NOTHING ? bsim_cu_constant_of(bsim_cu_class_of(to), 0)
                   : from->size > to->size  ? part_of(l, *cell, shift, to)
                                            : seen_as(l, *cell, from, to);
    }
}

static void store_cells(struct cu_lowering *l, const struct cu_value *address,
                        const struct cu_type *type, const struct cu_value *value)
{
    uint32_t n;
    const struct cu_scalar *scalar = bsim_cu_scalars(l, type, &n);
    for (uint32_t i = 0; i < n && !bsim_cu_stops(l); i++) {
        const struct cu_type *to = NULL, *from = scalar[i].type;
        uint32_t shift;
        struct cu_value *cell = cell_at(l, address, &scalar[i], &to, &shift);
        if (cell == NULL) {
            bsim_cu_needs_memory(l, address);
            return;
        }
        bool is_new = cell->kind == CU_NOTHING;
        struct cu_value old = is_new ? bsim_cu_constant_of(bsim_cu_class_of(to), 0) : *cell;
        *cell = to->size > from->size ? with_part(l, old, shift, value[i], from)
                                      : seen_as(l, value[i], from, to);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static const char *const vector_words[] = {"", "", ".v2", "", ".v4"}; /* of so many scalars */

static const char *space_word(enum cu_space space)
{
    static const char *const words[] = {"",       ".global", ".global", ".shared",
                                        ".const", ".local",  ".param"};
    return words[space];
}

/* Bytes that are loaded and stored at once: of CUDA's vectors 16 at most. */
static uint32_t vector_width(const struct cu_type *type)
{
    uint64_t of = type->is_vector ? type->members->type->size : 0;
    uint64_t n = of > 0 ? type->size / of : 0;
    bool is_one = (n == 2 || n == 4) && type->alignment >= (type->size < 16 ? type->size : 16);
    return !is_one ? 1 : type->size > 16 ? (uint32_t)(16 / of) : (uint32_t)n;
}

static void check_address(struct cu_lowering *l, const struct cu_value *address)
{
    if (address->kind == CU_NOTHING || address->kind == CU_CONSTANT_VALUE) {
        bsim_cu_fail(l->code.file, l->code.token, "this address is a constant, or was never set");
    }
}

/* Of a struct in a struct the outer one says more. */
void bsim_cu_note_struct(struct cu_lowering *l, struct cu_value address, const struct cu_type *type)
{
    struct cu_aligned a = {.alignment = type->alignment, .block = l->code.at};
    if (address.kind == CU_REGISTER || address.kind == CU_SYMBOL) {
        a.base = bsim_cu_base_of(&l->code, address, &a.offset);
        bool is_known = l->aligned.block == a.block && l->aligned.alignment >= a.alignment &&
                        bsim_cu_same_value(&l->aligned.base, &a.base);
        l->aligned = is_known ? l->aligned : a;
    }
}

static uint32_t alignment_at(const struct cu_lowering *l, const struct cu_value *base,
                             int64_t offset)
{
    const struct cu_aligned *a = &l->aligned;
    uint64_t bits = a->alignment | (uint64_t)(offset - a->offset);
    return a->block == l->code.at && a->alignment > 0 && bsim_cu_same_value(&a->base, base)
               ? (uint32_t)(bits & (0 - bits))
               : 0;
}

/* One instruction: n scalars of the type from there on. */
static void load_some(struct cu_lowering *l, struct cu_value address, const struct cu_type *type,
                      const char *cache, uint32_t n, struct cu_value *value)
{
    int64_t offset, inside = bsim_cu_inside_of(&l->code, &address);
    struct cu_value base = bsim_cu_base_of(&l->code, address, &offset);
    struct cu_place_of at = {&base, offset, (int64_t)(n * type->size), inside, true};
    uint32_t n_known = 0;
    const struct cu_promoted *place = find_promoted(l, &at, type, false);
    if (place != NULL && !place->is_sunk && cache == NULL) {
        value[0] = l->cell[place->cell];
        return;
    }
    bsim_cu_note_read(l, &base); /* what is known already counts, too, as nvcc has it */
    for (uint32_t i = 0; i < n && !type->is_volatile && cache == NULL; i++) {
        struct cu_available one = {
            .base = base, .offset = offset + (int64_t)(i * type->size), .type = type};
        const struct cu_available *known = bsim_cu_find_place(l->available, &one);
        n_known += known != NULL;
        value[i] = known != NULL ? known->value : value[i];
    }
    if (n_known == n) {
        return;
    }
    bool is_read_only = address.space == CU_READ_ONLY && !type->is_volatile;
    note_read(l, &at);
    struct cu_instruction load = {.op = CU_OP_LOAD,
                                  .n_arguments = 1,
                                  .argument = {base},
                                  .n_results = n,
                                  .offset = offset,
                                  .inside = inside,
                                  .type = type,
                                  .alignment = alignment_at(l, &base, offset),
                                  .has_effect = type->is_volatile || cache != NULL};
    load.opcode =
        bsim_cu_text(l->code.file, "ld%s%s%s%s%s.%s", type->is_volatile ? ".volatile" : "",
                     space_word(address.space), cache != NULL || is_read_only ? "." : "",
                     cache != NULL  ? cache
                     : is_read_only ? "nc"
                                    : "",
                     vector_words[n], bsim_cu_word(type));
    for (uint32_t i = 0; i < n; i++) {
        value[i] = bsim_cu_register(&l->code, bsim_cu_class_of(type), CU_GENERIC);
        load.result[i] = value[i].id;
        if (!type->is_volatile && cache == NULL) {
            bsim_cu_know(l, &(struct cu_available){base, offset + (int64_t)(i * type->size), inside, type,
                                                   value[i], NULL, false, l->n_stores});
        }
    }
    struct cu_instruction *made = bsim_cu_emit(&l->code, &load);
    for (uint32_t i = 0; i < n; i++) {
        l->code.definition[value[i].id] = made;
    }
    l->n_accesses++;
}

/* The value as memory holds it: addresses are generic there. */
static struct cu_value as_stored(struct cu_lowering *l, struct cu_value value,
                                 const struct cu_type *type)
{
    if (value.kind == CU_CELLS) {
        bsim_cu_needs_memory(l, &value);
    }
    return type->kind == CU_POINTER ? bsim_cu_generic(&l->code, value) : value;
}

/* Whether all that is stored was loaded from there, and nothing may have changed it since: x = s[t]; ... s[t] = x;
 * LLVM takes such a store for none (EarlyCSE, DSE); not one of what was stored there, nor where the other way of a branch
 * may store there, too, as both are one before that. */
static bool is_there(const struct cu_lowering *l, const struct cu_value *base, int64_t offset, const struct cu_type *type,
                     uint32_t n, const struct cu_value *value)
{
    uint32_t n_same = 0;
    for (uint32_t i = 0; i < n && !type->is_volatile && !l->is_one_of_two; i++) {
        struct cu_available one = {.base = *base, .offset = offset + (int64_t)(i * type->size), .type = type};
        const struct cu_available *known = bsim_cu_find_place(l->available, &one);
        n_same += known != NULL && !known->is_stored && bsim_cu_same_value(&known->value, &value[i]);
    }
    return n_same == n;
}

static void store_some(struct cu_lowering *l, struct cu_value address, const struct cu_type *type,
                       uint32_t n, const struct cu_value *value)
{
    int64_t offset, inside = bsim_cu_inside_of(&l->code, &address);
    struct cu_value base = bsim_cu_base_of(&l->code, address, &offset);
    struct cu_place_of at = {&base, offset, (int64_t)(n * type->size), inside, true};
    struct cu_promoted *place = find_promoted(l, &at, type, true);
    if (place != NULL) {
        place->n_ways += place->n_ways == 0 || place->stored_in != l->code.at;
        place->stored_in = l->code.at;
        l->cell[place->cell] = as_stored(l, value[0], type);
    }
    if (place != NULL ? !place->keeps_stores : is_there(l, &base, offset, type, n, value)) {
        return;
    }
    struct cu_instruction store = {.op = CU_OP_STORE,
                                   .n_arguments = n + 1,
                                   .argument = {base},
                                   .offset = offset,
                                   .inside = inside,
                                   .type = type,
                                   .alignment = alignment_at(l, &base, offset),
                                   .has_effect = true};
    store.opcode = bsim_cu_text(l->code.file, "st%s%s%s.%s", type->is_volatile ? ".volatile" : "",
                                space_word(address.space), vector_words[n], bsim_cu_word(type));
    for (uint32_t i = 0; i < n; i++) {
        store.argument[i + 1] = as_stored(l, value[i], type);
    }
    forget_place(l, &at);
    note_stored(l, &base);
    for (uint32_t i = 0; i < n && !type->is_volatile; i++) {
        bsim_cu_know(l, &(struct cu_available){base, offset + (int64_t)(i * type->size), inside, type,
                                               store.argument[i + 1], NULL, true, l->n_stores});
    }
    struct cu_instruction *made = bsim_cu_emit(&l->code, &store);
    l->n_accesses++;
    if (!type->is_volatile) {
        note_store(l, made, n * type->size);
    }
}

/* Loads or stores; value moves on by each scalar. */
struct transfer {
    struct cu_lowering *l;
    const char *cache;
    struct cu_value *value;
    bool is_store, is_volatile;
};

static void transfer_scalars(struct transfer *t, struct cu_value address,
                             const struct cu_type *type, uint32_t n)
{
    type = bsim_cu_qualified(t->l->code.file, type, false, t->is_volatile);
    if (t->is_store) {
        store_some(t->l, address, type, n, t->value);
    } else {
        load_some(t->l, address, type, t->cache, n, t->value);
    }
    t->value += n;
}

static void transfer(struct transfer *t, struct cu_value address, const struct cu_type *type)
{
    bool was_volatile = t->is_volatile;
    t->is_volatile = t->is_volatile || type->is_volatile;
    if (type->kind == CU_ARRAY) {
        for (uint64_t i = 0; i < type->count && !bsim_cu_stops(t->l); i++) {
            transfer(t, bsim_cu_plus(t->l, address, i * type->of->size), type->of);
        }
    } else if (type->kind == CU_STRUCT && type->is_union) {
        transfer(t, address, largest(type)->type);
    } else if (type->kind == CU_STRUCT && vector_width(type) > 1) {
        uint32_t n = vector_width(type);
        const struct cu_type *of = type->members->type;
        for (uint64_t at = 0; at < type->size; at += n * of->size) {
            transfer_scalars(t, bsim_cu_plus(t->l, address, at), of, n);
        }
    } else if (type->kind == CU_STRUCT) {
        bsim_cu_note_struct(t->l, address, type);
        for (const struct cu_member *m = type->members; m != NULL && !bsim_cu_stops(t->l);
             m = m->next) {
            transfer(t, bsim_cu_plus(t->l, address, m->offset), m->type);
        }
    } else {
        transfer_scalars(t, address, type, 1);
    }
    t->is_volatile = was_volatile;
}

void bsim_cu_load_plain(struct cu_lowering *l, struct cu_value address, const struct cu_type *type,
                        const char *cache, struct cu_value *value)
{
    if (address.kind == CU_CELLS) {
        load_cells(l, &address, type, value);
        return;
    }
    check_address(l, &address);
    struct transfer t = {l, cache, value, false, false};
    transfer(&t, address, type);
}

void bsim_cu_store_plain(struct cu_lowering *l, struct cu_value address, const struct cu_type *type,
                         const struct cu_value *value)
{
    if (address.kind == CU_CELLS) {
        store_cells(l, &address, type, value);
        return;
    }
    check_address(l, &address);
    struct transfer t = {l, NULL, (struct cu_value *)(uintptr_t)value, true, false};
    transfer(&t, address, type);
}

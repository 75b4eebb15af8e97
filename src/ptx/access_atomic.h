/* access_atomic.h - atomics: the event of each, and what they do to memory, lane by lane. A part of access_body.h, which
 * includes it behind what finds lanes and tells of them.
 */
/* A GPU has atomics of 4 and 8 bytes: one of 2 is told as that of its word, one of 16 as two. */
static void tell_atomic(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                        struct lanes *lanes)
{
    uint32_t bytes = step->access->bytes * step->access->count;
    if (bytes == 16) {
        tell_halves(warp, step, lanes, 8);
        return;
    }
    if (bytes == 2) {
        unfold(warp, lanes);
    }
    for (uint32_t l = 0; l < LANES && bytes == 2; l++) {
        lanes->address[l] &= ~UINT64_C(3);
    }
    uint32_t mask = warp->mask;
    if (bsim_ptx_gathers(warp, step->access)) {
        warp->mask = UINT32_C(1) << bsim_bits_highest(mask); /* as UFLO has it */
    }
    tell(warp, step, lanes);
    warp->mask = mask;
}

static uint32_t result_of(const struct bsim_ptx_step *step, uint32_t i)
{
    return i == 0 ? step->access->result : step->more[i];
}

static void note_update(struct bsim_ptx_warp *warp, bool is_new)
{
    warp->has_updated |= is_new;
    warp->block->n_changes += is_new;
}

static void update_element(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                           const struct lanes *lanes, uint32_t l, uint32_t i)
{
    const struct bsim_ptx_access *access = step->access;
    uint32_t bits = 8 * access->bytes, result = result_of(step, i);
    unsigned char *p = memory_of(lanes, l) + i * access->bytes;
    uint64_t old = load(p, access->bytes, false);
    uint64_t b = bsim_ptx_take(warp, access->value[i], bits == 64, l);
    uint64_t c = bsim_ptx_take(warp, step->c, bits == 64, l);
    uint64_t new = bsim_ptx_update(access, space_of(lanes, l), old, b, c);
    note_update(warp, ((new ^ old) << (64 - bits)) != 0);
    memcpy(p, &new, access->bytes);
    if (result != BSIM_PTX_NOWHERE) {
        bsim_ptx_put(warp, result, bits, l, old);
    }
}

/* exch and cas of 16 bytes. */
static void update_wide(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                        const struct lanes *lanes, uint32_t l)
{
    const struct bsim_ptx_access *access = step->access;
    unsigned char old[16], *p = memory_of(lanes, l);
    const uint32_t *b = warp->file + access->value[0] + 4 * l, *c = warp->file + step->c + 4 * l;
    memcpy(old, p, sizeof old);
    if (access->operation == BSIM_EXCH || memcmp(old, b, sizeof old) == 0) {
        memcpy(p, access->operation == BSIM_EXCH ? b : c, sizeof old);
        note_update(warp, memcmp(p, old, sizeof old) != 0);
    }
    if (access->result != BSIM_PTX_NOWHERE) {
        memcpy(warp->file + access->result + 4 * l, old, sizeof old);
    }
}

static void update_lane(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                        const struct lanes *lanes, uint32_t l)
{
    const struct bsim_ptx_access *access = step->access;
    for (uint32_t i = 0; i < access->count && access->bytes <= 8; i++) {
        update_element(warp, step, lanes, l, i);
    }
    if (access->bytes > 8) {
        update_wide(warp, step, lanes, l);
    }
}

/* Whether the atomic of a block that runs ahead may be made when its turn comes: nobody sees the result. What
 * is tried has no turn, and other blocks that are tried with it may look. */
static bool may_wait(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_access *access = step->access;
    bool may = warp->block->view != NULL && warp->block->most_steps == 0 && access->bytes <= 8;
    for (uint32_t i = 0; i < access->count && may; i++) {
        may = result_of(step, i) == BSIM_PTX_NOWHERE;
    }
    return may;
}

/* The lane's element is kept for later, if the view can do that. */
static bool keep_update(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                        uint64_t address, uint32_t l, uint32_t i)
{
    const struct bsim_ptx_access *access = step->access;
    const struct bsim_ptx_piece *piece = bsim_ptx_find_piece(warp, step, address);
    uint64_t b = bsim_ptx_take(warp, access->value[i], access->bytes == 8, l);
    uint64_t c = bsim_ptx_take(warp, step->c, access->bytes == 8, l);
    return bsim_ptx_view_update(warp->block->view, piece, address - piece->start, access, b, c);
}

/* In global memory, whose words are kept for later, or written now as the view has them. */
static void update_later(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                         struct lanes *lanes, uint32_t l)
{
    uint32_t bytes = step->access->bytes;
    for (uint32_t i = 0; i < step->access->count && warp->block->status == BSIM_OK; i++) {
        uint64_t address = lanes->address[l] + i * bytes;
        unsigned char *p = NULL;
        if (keep_update(warp, step, address, l, i)) {
            warp->has_updated = true;
            continue;
        }
        p = see_bytes(warp, step, UPDATES, address, bytes);
        if (p == NULL) {
            (void)bsim_ptx_gives_up(warp->block);
            return;
        }
        lanes->memory[l] = p - i * bytes;
        update_element(warp, step, lanes, l, i);
    }
}

/* Lane after lane: the order is not defined, but it is the same in each run. */
static void run_atomic(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    struct lanes lanes;
    uint64_t address[LANES];
    bool waits = may_wait(warp, step);
    if (!(waits ? find_all(warp, step, &lanes) : find_lanes(warp, step, UPDATES, &lanes))) {
        return;
    }
    if (step->access->decides && has_notes(warp, &lanes)) {
        look_at_notes(warp, step, &lanes, false);
    }
    if (waits) {
        unfold(warp, &lanes);
        memcpy(address, lanes.address, sizeof address);
    }
    tell_atomic(warp, step, &lanes);
    if (waits) { /* which may have told of others */
        memcpy(lanes.address, address, sizeof address);
    }
    /* What is kept for later is as new as what is not, so that others look as often. */
    warp->block->n_changes += step->access->result == BSIM_PTX_NOWHERE;
    for (uint32_t l = 0; l < LANES; l++) {
        if (!(warp->mask >> l & 1)) {
            continue;
        }
        if (waits && space_of(&lanes, l) == BSIM_GLOBAL) {
            update_later(warp, step, &lanes, l);
        } else {
            update_lane(warp, step, &lanes, l);
        }
    }
}

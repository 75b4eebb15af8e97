/* oracle.c - see oracle.h. Plain on purpose: every question is answered from the definition. */
#include "oracle.h"

/* Different rows, or turns of atomics, that one bank can be asked for: 32 lanes with 4 words each
 * on a single bank. */
enum { MAX_IN_SET = 128 };

struct set {
    uint32_t n;
    uint64_t member[MAX_IN_SET];
};

static void set_add(struct set *set, uint64_t member)
{
    for (uint32_t i = set->n; i > 0; i--) {
        if (set->member[i - 1] == member) {
            return;
        }
    }
    set->member[set->n++] = member;
}

/* ---- where a byte lies --------------------------------------------------------------------- */

uint32_t oracle_bank(const struct bsim_device *device, uint32_t byte)
{
    return byte / device->stride_bytes % device->n_banks;
}

uint32_t oracle_row(const struct bsim_device *device, uint32_t byte)
{
    return byte / (device->n_banks * device->bank_bytes);
}

/* A bank's share of one line of all banks is cut into pieces of stride_bytes: one piece, or two in
 * Kepler's 4-byte mode. The byte's rank among the row's bytes says which half it is in. */
uint32_t oracle_half(const struct bsim_device *device, uint32_t byte)
{
    uint32_t in_line = byte % (device->n_banks * device->bank_bytes);
    uint32_t piece = in_line / (device->n_banks * device->stride_bytes);
    uint32_t rank = piece * device->stride_bytes + byte % device->stride_bytes;
    return rank / 4;
}

/* ---- who takes part ------------------------------------------------------------------------ */

bool oracle_is_atomic(const struct bsim_request *request)
{
    return request->opcode.family == BSIM_ATOM || request->opcode.family == BSIM_RED;
}

bool oracle_is_cas(const struct bsim_request *request)
{
    return oracle_is_atomic(request) && request->opcode.operation == BSIM_CAS;
}

bool oracle_is_matrix(const struct bsim_request *request)
{
    return request->opcode.family == BSIM_LDMATRIX || request->opcode.family == BSIM_STMATRIX;
}

static bool is_load(const struct bsim_request *request)
{
    return request->opcode.family == BSIM_LD || request->opcode.family == BSIM_LDMATRIX;
}

static bool takes_part(const struct bsim_request *request, uint32_t lane)
{
    if (oracle_is_matrix(request)) {
        return lane < 8U * request->opcode.count;
    }
    return request->mask >> lane & 1;
}

uint32_t oracle_lanes(const struct bsim_request *request)
{
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if (takes_part(request, lane)) {
            lanes |= UINT32_C(1) << lane;
        }
    }
    return lanes;
}

/* ---- which lanes go together --------------------------------------------------------------- */

static bool partners_agree(const struct bsim_request *request, uint32_t distance)
{
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t partner = lane ^ distance;
        if (takes_part(request, lane) && takes_part(request, partner) &&
            request->address[lane] != request->address[partner]) {
            return false;
        }
    }
    return true;
}

/* 32 lanes' worth of bank width, and twice that for a load under the pair rule. */
static uint32_t lanes_per_group(const struct bsim_device *device,
                                const struct bsim_request *request)
{
    if (oracle_is_matrix(request)) {
        return 8;
    }
    uint32_t lanes = BSIM_WARP_LANES;
    while (lanes * request->opcode.bytes > BSIM_WARP_LANES * device->bank_bytes) {
        lanes /= 2;
    }
    bool wide = lanes < BSIM_WARP_LANES;
    bool paired = partners_agree(request, 1) || partners_agree(request, 2);
    if (wide && request->opcode.family == BSIM_LD && device->has_pair_rule && paired) {
        lanes *= 2;
    }
    return lanes;
}

/* ---- what a group costs -------------------------------------------------------------------- */

/* What one byte of one lane adds to its bank's work. A row is served once for everybody; an atomic
 * takes a turn for each lane and word, whoever else wants the word. */
static uint64_t piece_of_work(const struct bsim_device *device, const struct bsim_request *request,
                              uint32_t lane, uint32_t byte)
{
    if (oracle_is_atomic(request)) {
        return (uint64_t)lane << 32 | byte / device->stride_bytes;
    }
    return oracle_row(device, byte);
}

/* Of the words that the bank serves for it: its row's one, or either of the two. */
static uint64_t word_of_work(const struct bsim_device *device, const struct bsim_request *request,
                             uint32_t lane, uint32_t byte)
{
    uint64_t of_lane = oracle_is_atomic(request) ? lane : 0;
    return of_lane << 32 | byte / device->stride_bytes;
}

/* The ways and the words of a group whose lanes are known. */
static void add_work(const struct bsim_device *device, const struct bsim_request *request,
                     struct oracle_group *group)
{
    struct set work[BSIM_MAX_BANKS], words[BSIM_MAX_BANKS];
    for (uint32_t bank = 0; bank < device->n_banks; bank++) {
        work[bank].n = words[bank].n = 0;
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        for (uint32_t i = 0; (group->lanes >> lane & 1) && i < request->opcode.bytes; i++) {
            uint32_t byte = request->address[lane] + i;
            set_add(&work[oracle_bank(device, byte)], piece_of_work(device, request, lane, byte));
            set_add(&words[oracle_bank(device, byte)], word_of_work(device, request, lane, byte));
        }
    }
    for (uint32_t bank = 0; bank < device->n_banks; bank++) {
        group->ways = work[bank].n > group->ways ? work[bank].n : group->ways;
        group->words += words[bank].n;
    }
}

static void ask_groups(const struct bsim_device *device, const struct bsim_request *request,
                       struct oracle_answer *answer)
{
    uint32_t size = lanes_per_group(device, request);
    for (uint32_t first = 0; first < BSIM_WARP_LANES; first += size) {
        struct oracle_group group = {.lanes = 0};
        for (uint32_t lane = first; lane < first + size; lane++) {
            if (takes_part(request, lane)) {
                group.lanes |= UINT32_C(1) << lane;
            }
        }
        if (group.lanes != 0) {
            add_work(device, request, &group);
            answer->group[answer->n_groups++] = group;
        }
    }
}

/* ---- who shares rows ----------------------------------------------------------------------- */

struct touched {
    uint32_t n;
    struct {
        uint32_t bank, row, lanes;
    } row[MAX_IN_SET];
};

static void touch(struct touched *touched, uint32_t bank, uint32_t row, uint32_t lane)
{
    uint32_t i = touched->n;
    while (i > 0 && (touched->row[i - 1].bank != bank || touched->row[i - 1].row != row)) {
        i--;
    }
    if (i == 0) {
        i = ++touched->n;
        touched->row[i - 1].bank = bank;
        touched->row[i - 1].row = row;
        touched->row[i - 1].lanes = 0;
    }
    touched->row[i - 1].lanes |= UINT32_C(1) << lane;
}

static bool is_several(uint32_t lanes)
{
    return (lanes & (lanes - 1)) != 0;
}

static void touch_all(const struct bsim_device *device, const struct bsim_request *request,
                      uint32_t lanes, struct touched *touched)
{
    touched->n = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        for (uint32_t i = 0; (lanes >> lane & 1) && i < request->opcode.bytes; i++) {
            uint32_t byte = request->address[lane] + i;
            touch(touched, oracle_bank(device, byte), oracle_row(device, byte), lane);
        }
    }
}

/* Lanes of different groups never share a pass, so that each group is judged alone. */
static void ask_sharing(const struct bsim_device *device, const struct bsim_request *request,
                        struct oracle_answer *answer)
{
    struct touched touched;
    bool all_to_all = true, some_to_several = false;
    for (uint32_t g = 0; g < answer->n_groups; g++) {
        uint32_t everyone = answer->group[g].lanes;
        touch_all(device, request, everyone, &touched);
        for (uint32_t i = 0; i < touched.n; i++) {
            all_to_all = all_to_all && touched.row[i].lanes == everyone;
            some_to_several = some_to_several || is_several(touched.row[i].lanes);
        }
    }
    answer->broadcast = is_load(request) && all_to_all && some_to_several;
    answer->multicast = is_load(request) && some_to_several && !all_to_all;
}

/* ---- loops --------------------------------------------------------------------------------- */

bool oracle_loops(const struct bsim_request *request)
{
    bool is_native = request->opcode.bytes == 4 && request->opcode.operation != BSIM_ADD;
    bool is_integer = request->opcode.type == 'u' || request->opcode.type == 's';
    bool is_wide_native = oracle_is_cas(request) || request->opcode.operation == BSIM_EXCH;
    return oracle_is_atomic(request) && request->opcode.operation != BSIM_POPC_INC && !is_native &&
           !(request->opcode.bytes == 4 && is_integer) && !is_wide_native;
}

static bool meet(const struct bsim_device *device, const struct bsim_request *request, uint32_t a,
                 uint32_t b)
{
    for (uint32_t i = 0; i < request->opcode.bytes * request->opcode.bytes; i++) {
        uint32_t of_a = request->address[a] + i % request->opcode.bytes;
        uint32_t of_b = request->address[b] + i / request->opcode.bytes;
        if (oracle_bank(device, of_a) == oracle_bank(device, of_b)) {
            return true;
        }
    }
    return false;
}

/* The lanes of a group that nobody below them is in the way of. */
static uint32_t ready(const struct bsim_device *device, const struct bsim_request *request,
                      uint32_t lanes)
{
    uint32_t first = 0;
    for (uint32_t b = 0; b < BSIM_WARP_LANES; b++) {
        bool is_free = lanes >> b & 1;
        for (uint32_t a = 0; a < b; a++) {
            is_free = is_free && !((lanes >> a & 1) != 0 && meet(device, request, a, b));
        }
        first |= is_free ? UINT32_C(1) << b : 0;
    }
    return first;
}

/* How many banks the bytes of these lanes lie in, no two lanes' in one. */
static uint32_t banks_of(const struct bsim_device *device, const struct bsim_request *request,
                         uint32_t lanes)
{
    struct set banks = {.n = 0};
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        for (uint32_t i = 0; (lanes >> lane & 1) && i < request->opcode.bytes; i++) {
            set_add(&banks,
                    lane * BSIM_MAX_BANKS + oracle_bank(device, request->address[lane] + i));
        }
    }
    return banks.n;
}

static uint32_t sum_of_ways(const struct oracle_answer *answer)
{
    uint32_t sum = 0;
    for (uint32_t g = 0; g < answer->n_groups; g++) {
        sum += answer->group[g].ways;
    }
    return sum;
}

/* Rounds of a load by all that are left, and a swap that takes two in each group. min and max may
 * end behind the first load. */
static void ask_loop(const struct bsim_device *device, const struct bsim_request *request,
                     struct oracle_answer *answer)
{
    struct bsim_request load = *request, swap = *request;
    bool loads_only =
        request->opcode.operation == BSIM_MIN || request->opcode.operation == BSIM_MAX;
    load.opcode.family = BSIM_LD;
    answer->wavefronts = answer->ideal = answer->conflicts = answer->bytes_served = 0;
    while (load.mask != 0) {
        struct oracle_answer loads = {.n_groups = 0}, swaps = {.n_groups = 0};
        bool is_first = load.mask == request->mask;
        uint32_t through = 0;
        swap.mask = load.mask;
        ask_groups(device, &load, &loads);
        ask_groups(device, &swap, &swaps);
        for (uint32_t g = 0; g < loads.n_groups; g++) {
            answer->bytes_served += loads.group[g].words * device->stride_bytes;
        }
        for (uint32_t g = 0; g < swaps.n_groups; g++) {
            through |= ready(device, &swap, swaps.group[g].lanes);
        }
        uint32_t of_swap = loads_only ? 0 : 2 * swaps.n_groups;
        answer->wavefronts += sum_of_ways(&loads) + of_swap;
        answer->conflicts +=
            sum_of_ways(&loads) - loads.n_groups; /* the profiler has none of swaps */
        answer->ideal += is_first ? loads.n_groups + of_swap : 0;
        answer->bytes_served +=
            loads_only ? 0 : 2 * banks_of(device, request, through) * device->stride_bytes;
        load.mask &= loads_only ? 0 : ~through;
    }
}

/* ---- the answer ---------------------------------------------------------------------------- */

void oracle_ask(const struct bsim_device *device, const struct bsim_request *request,
                struct oracle_answer *answer)
{
    *answer = (struct oracle_answer){.n_groups = 0};
    ask_groups(device, request, answer);
    for (uint32_t g = 0; g < answer->n_groups; g++) {
        uint32_t ways = answer->group[g].ways;
        answer->ideal += oracle_is_cas(request) ? 2 : 1;
        answer->conflicts += ways - 1;
        uint32_t times = oracle_is_cas(request) ? 2 : 1;
        answer->wavefronts += times * ways;
        answer->bytes_served += times * answer->group[g].words * device->stride_bytes;
        answer->ways = ways > answer->ways ? ways : answer->ways;
    }
    if (oracle_loops(request)) {
        ask_loop(device, request, answer);
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        answer->bytes_asked += takes_part(request, lane) ? request->opcode.bytes : 0;
    }
    answer->bytes_moved = answer->wavefronts * device->n_banks * device->bank_bytes;
    ask_sharing(device, request, answer);
}

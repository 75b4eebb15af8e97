/* propose_shape.c - grid, block and bytes of shared memory of a launch that is proposed. */
#include "cuda/deal.h"
#include "cuda/propose.h"

enum {
    CHOSEN_BLOCK = 256,
    BYTES_OF_THREAD = 32, /* of dynamic shared memory */
    MOST_STATIC = 49152,
    LEAST_THREADS = 8
};

static bool body_has(const struct proposal *p, const char *first, const char *behind)
{
    size_t end = bsim_cu_behind(p->host, p->body);
    for (size_t i = p->body; i + 2 < end; i++) {
        if (bsim_cu_at(p->host, i, first) &&
            (behind == NULL || bsim_cu_at(p->host, i + 2, behind))) {
            return true;
        }
    }
    return false;
}

/* The dimensions of the first static shared array, whose name is token *array; 0 for none. */
static uint32_t shared_dimensions(const struct proposal *p, size_t *array, int64_t size[2])
{
    const struct cu_host *host = p->host;
    size_t i = p->body, end = bsim_cu_behind(host, i);
    uint32_t n = 0;
    while (i < end && !(bsim_cu_at(host, i, "__shared__") && !bsim_cu_at(host, i - 1, "extern"))) {
        i++;
    }
    while (i < end && !bsim_cu_at_any(host, i, "[ ;")) {
        i++;
    }
    *array = i - 1;
    while (n < 2 && bsim_cu_at(host, i, "[")) {
        size_t behind = bsim_cu_behind(host, i);
        struct cu_known known = bsim_cu_known(host, i + 1, behind - 1);
        if (!known.is_known) {
            return 0;
        }
        size[n++] = known.number[0];
        i = behind;
    }
    return n;
}

static struct cu_known cube(int64_t x, int64_t y)
{
    return (struct cu_known){.is_known = true, .is_dim3 = y > 1, .number = {x, y, 1}};
}

/* Where the body calls a function of that name; its end: nowhere. */
static size_t find_call(const struct cu_host *host, size_t body, size_t end,
                        const struct cu_token *name)
{
    while (body < end && !(bsim_cu_same_text(host->token[body], name) &&
                           bsim_cu_at_any(host, body + 1, "( <"))) {
        body++;
    }
    return body;
}

/* Where the kernel has no shared array, but calls a function that has: what that function is. *side is the first
 * argument in angles, tile<16>(...), if it can be a tile's. */
static struct proposal with_arrays(const struct proposal *p, int64_t *side)
{
    const struct cu_host *host = p->host;
    size_t end = bsim_cu_behind(host, p->body), call = end;
    struct proposal found = *p, called = *p;
    if (body_has(p, "__shared__", NULL)) {
        return found;
    }
    for (size_t i = 0; i + 1 < host->n; i++) { /* the first call, of those of all functions */
        bool may_be = host->token[i]->kind == CU_NAME && bsim_cu_at(host, i + 1, "(");
        called.body = may_be ? bsim_cu_behind(host, i + 1) : 0;
        if (called.body > 0 && bsim_cu_at(host, called.body, "{") &&
            body_has(&called, "__shared__", NULL)) {
            size_t at = find_call(host, p->body, call, host->token[i]);
            found = at < call ? called : found;
            call = at;
        }
    }
    if (call < end) {
        size_t item = bsim_cu_item_end(host, call + 2, bsim_cu_behind_angles(host, call + 1) - 1);
        struct cu_known said = bsim_cu_known(host, call + 2, item);
        bool is_side = bsim_cu_at(host, call + 1, "<") && said.is_known && !said.is_dim3 &&
                       said.number[0] >= 4 && said.number[0] <= 32;
        *side = is_side ? said.number[0] : *side;
    }
    return found;
}

/* As the threads of a kernel are dealt out to its first shared array, or mostly are. */
static void choose_block(struct proposal *p)
{
    int64_t size[2], side = 16;
    size_t array;
    const struct proposal in = with_arrays(p, &side);
    uint32_t n = shared_dimensions(&in, &array, size);
    struct cu_dealt dealt = bsim_cu_dealt(p->host, in.body, array, size, n);
    side = n == 2 ? (size[0] < size[1] ? size[0] : size[1]) : side;
    bool is_flat = !body_has(&in, "threadIdx", "y");
    p->chosen |= CHOSE_BLOCK;
    if (!is_flat) {
        side = side >= 4 && side <= 32 ? side : 16;
        bool fits = dealt.x > 0 && dealt.y > 0 && dealt.x <= MOST_THREADS / dealt.y;
        p->block = fits ? cube(dealt.x, dealt.y) : cube(side, side);
    } else {
        int64_t all = n == 2 ? size[0] * size[1] : 0; /* a thread for each element */
        bool fits = n > 0 && size[0] >= 32 && size[0] <= MOST_THREADS;
        int64_t most = fits ? size[0] : all >= 32 && all < CHOSEN_BLOCK ? all : CHOSEN_BLOCK;
        p->block = cube(dealt.x > 0 && dealt.x <= MOST_THREADS ? dealt.x : most, 1);
    }
}

/* __launch_bounds__(128): so many threads, mostly, and no more. */
static void keep_bounds(struct proposal *p)
{
    if (p->bounds == 0) {
        return;
    }
    size_t end = bsim_cu_behind(p->host, p->bounds - 1) - 1;
    struct cu_known most = bsim_cu_known(p->host, p->bounds, bsim_cu_item_end(p->host, p->bounds, end));
    int64_t n = most.number[0], x = p->block.number[0];
    if (!most.is_known || n < 1 || n > MOST_THREADS) {
        return;
    }
    if (!p->block.is_dim3) {
        p->block = cube(n, 1);
    } else if (x * p->block.number[1] > n) {
        p->block = cube(x < n ? x : n, x < n ? n / x : 1);
    }
}

int64_t bsim_cu_threads_of(const struct cu_known *of)
{
    int64_t n = 1;
    for (size_t i = 0; i < 3; i++) {
        n *= of->number[i] > 0 && of->number[i] < MOST_ELEMENTS ? of->number[i] : 1;
        n = n < MOST_ELEMENTS ? n : MOST_ELEMENTS;
    }
    return n;
}

/* The largest power of two that is n at most. */
static int64_t power_within(int64_t n)
{
    int64_t power = 1;
    while (power <= n / 2) {
        power *= 2;
    }
    return power;
}

/* 134 threads: 128, 64, 32, ...; of rows that have parts the whole powers of two, then fewer rows, or shorter ones. */
bool bsim_cu_choose_fewer(struct proposal *p, uint32_t k)
{
    static const struct {
        uint32_t x, y;
    } parts[] = {{1, 1}, {1, 2}, {1, 4}, {4, 1}, {2, 2}, {4, 4}};
    int64_t x = power_within(p->block.number[0]), y = power_within(p->block.number[1]);
    bool is_power = x == p->block.number[0] && y == p->block.number[1];
    k += is_power;
    if (!p->block.is_dim3) {
        x >>= k - 1;
        p->block = cube(x, 1);
        return x >= LEAST_THREADS;
    }
    if (k > sizeof parts / sizeof *parts) {
        return false;
    }
    x /= parts[k - 1].x;
    y /= parts[k - 1].y;
    p->block = (struct cu_known){.is_known = true, .is_dim3 = true, .number = {x, y, 1}};
    return x >= 2 && y >= 2;
}

void bsim_cu_choose_block(struct proposal *p)
{
    if (!p->block.is_known) {
        choose_block(p);
        keep_bounds(p);
    }
}

void bsim_cu_choose_shape(struct proposal *p)
{
    bsim_cu_choose_block(p);
    if (!p->grid.is_known) {
        p->grid = cube(1, 1);
        p->chosen |= CHOSE_GRID;
    }
    bool is_dynamic =
        p->has_bytes || (body_has(p, "extern", NULL) && body_has(p, "__shared__", NULL));
    if (is_dynamic && (!p->bytes.is_known || p->bytes.number[0] == 0)) {
        int64_t bytes = BYTES_OF_THREAD * bsim_cu_threads_of(&p->block) << 2 * p->larger;
        p->bytes = cube(bytes < MOST_STATIC ? bytes : MOST_STATIC, 1);
        p->chosen |= CHOSE_BYTES;
    }
}

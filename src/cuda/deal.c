/* deal.c - how a kernel deals its threads out to its first shared array, as its text says.
 *
 * __shared__ float tile[32][33];
 * for (int j = 0; j < 32; j += 8)
 *     tile[threadIdx.y + j][threadIdx.x] = ...     x: 32, a row without its padding; y: 8, the loop's step
 *
 * The first index that says it holds; a name may stand for threadIdx.x.
 */
#include "cuda/deal.h"

enum { MOST_PADDING = 8, LEAST_ROW = 8 };

/* Without what is there as padding: 32 of 33 to 40. */
static int64_t unpadded(int64_t n)
{
    int64_t power = 1;
    while (power <= n / 2) {
        power *= 2;
    }
    return power >= LEAST_ROW && n - power <= MOST_PADDING ? power : n;
}

/* "threadIdx.y" at token i, or a name that was declared with it: its axis, 'y', and what is behind; 0: it is not. */
static char axis_at(const struct cu_host *host, size_t i, size_t *behind)
{
    size_t begin, end;
    bool is_dim3;
    *behind = i + 3;
    if (bsim_cu_at(host, i, "threadIdx") && i + 2 < host->n) {
        return host->token[i + 2]->text[0];
    }
    *behind = i + 1;
    bool is_name = host->token[i]->kind == CU_NAME &&
                   bsim_cu_declared(host, i, host->token[i], &begin, &end, &is_dim3);
    return is_name && begin + 3 == end && bsim_cu_at(host, begin, "threadIdx")
               ? host->token[begin + 2]->text[0]
               : 0;
}

/* What a loop of the kernel adds to the name at token i, the number of threads that it stands in for; 0: unknown. */
static int64_t step_of(const struct cu_host *host, size_t body, size_t i)
{
    size_t end = bsim_cu_behind(host, body);
    for (size_t k = body; k + 2 < end; k++) {
        if (bsim_cu_same_text(host->token[k], host->token[i]) && bsim_cu_at(host, k + 1, "+=")) {
            struct cu_known known = bsim_cu_known(host, k + 2, bsim_cu_item_end(host, k + 2, end));
            return known.is_known && !known.is_dim3 ? known.number[0] : 0;
        }
    }
    return 0;
}

/* An index of tokens begin to end into a dimension of that size: "threadIdx.y", "threadIdx.y + j", "j + threadIdx.y". */
static void read_index(const struct cu_host *host, size_t body, size_t begin, size_t end,
                       int64_t size, struct cu_dealt *dealt)
{
    size_t behind, loop = end; /* the name that is added */
    char axis = axis_at(host, begin, &behind);
    if (axis != 0 && behind + 2 == end && bsim_cu_at(host, behind, "+")) {
        loop = behind + 1;
        behind = end;
    } else if (axis == 0 && begin + 2 < end && bsim_cu_at(host, begin + 1, "+")) {
        loop = begin;
        axis = axis_at(host, begin + 2, &behind);
    }
    int64_t n = loop == end ? unpadded(size) : step_of(host, body, loop);
    int64_t *of = axis == 'x' ? &dealt->x : &dealt->y;
    if ((axis == 'x' || axis == 'y') && behind == end && *of == 0 && n > 0 && n <= size) {
        *of = n;
    }
}

struct cu_dealt bsim_cu_dealt(const struct cu_host *host, size_t body, size_t array,
                              const int64_t *size, uint32_t n_dimensions)
{
    struct cu_dealt dealt = {0, 0};
    size_t end = bsim_cu_behind(host, body);
    for (size_t i = array + 1; i < end; i++) {
        bool is_it = bsim_cu_same_text(host->token[i], host->token[array]);
        for (uint32_t k = 0; is_it && k < n_dimensions && bsim_cu_at(host, i + 1, "["); k++) {
            size_t behind = bsim_cu_behind(host, i + 1);
            read_index(host, body, i + 2, behind - 1, size[k], &dealt);
            i = behind - 1;
        }
    }
    return dealt;
}

/* endless.c - after R. P. Brent (An improved Monte Carlo factorization algorithm, BIT 20, 1980): turn 2^k
 * is compared with those behind it, up to turn 2^(k+1), so that a cycle of any length is found. */
#include "expr/endless.h"

#include "base/memory.h"

#include <string.h>

enum { FEW_TURNS = 256 };

static void keep(struct bsim_endless *endless, uint32_t mask, const struct bsim_variable *variable,
                 size_t n)
{
    if (endless->kept == NULL) {
        endless->kept = bsim_mem_zeroed(n, sizeof *variable);
    }
    if (endless->kept != NULL) {
        memcpy(endless->kept, variable, n * sizeof *variable);
        endless->mask = mask;
        endless->kept_at = endless->n_turns;
    }
}

uint64_t bsim_endless_turn(struct bsim_endless *endless, uint32_t mask,
                           const struct bsim_variable *variable, size_t n)
{
    uint64_t turn = ++endless->n_turns;
    if (turn < FEW_TURNS || n == 0) {
        return 0;
    }
    if (endless->kept != NULL && endless->mask == mask &&
        memcmp(endless->kept, variable, n * sizeof *variable) == 0) {
        return turn - endless->kept_at;
    }
    if ((turn & (turn - 1)) == 0) {
        keep(endless, mask, variable, n);
    }
    return 0;
}

void bsim_endless_free(struct bsim_endless *endless)
{
    bsim_mem_free(endless->kept);
    *endless = (struct bsim_endless){.n_turns = 0};
}

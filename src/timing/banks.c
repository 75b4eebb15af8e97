/* banks.c - the banks of registers of a partition, and what waits for them: counted by class where a block has products of
 * matrices, and as traces tell it where it has none.
 */
#include "timing/machine.h"

/* Where there are products of matrices, each of which reads ten registers: two banks give one a clock each. Where more
 * than two clocks' worth have yet to be read the next work waits, a product for all of them, and its warp goes on two
 * clocks later behind other work. Requests, barriers and branches do not wait. What is marked `.reuse` is at hand until
 * another warp's work reads: it reads one register more then, or two.
 *
 *      HMMA     rrrrr                      rrrrr        of a warp; LDS and BAR could come at 1
 *      IADD3       r  r  r
 *      clock    0  3  4  5                 9            8 if no other work stood in front of it
 */
enum { BANKS_AHEAD = 2, WARP_BEHIND = 2 };

/* Whether the warp's next product of matrices is to come behind what work of that class reads. Special functions
 * read one register. */
static inline bool is_read_before(uint8_t class)
{
    enum { NOT_READ = 1 << BSIM_WORK_ANY | 1 << BSIM_WORK_TENSOR | 1 << BSIM_WORK_XU };
    return (NOT_READ >> class & 1) == 0;
}

/* No work comes before the partition's banks have given what is to be read by then. */
static void hold_works(const struct bsim_machine *m, struct bsim_partition *p)
{
    uint64_t all = (p->banks + BSIM_BANKS - 1) / BSIM_BANKS, most = all > BANKS_AHEAD ? all - BANKS_AHEAD : 0;
    uint32_t tensor = BSIM_OP_WORK + (uint32_t)m->timing->work[BSIM_WORK_TENSOR].pipe;
    for (uint32_t kind = BSIM_OP_WORK; kind < BSIM_OP_LOOP; kind++) {
        p->gate[kind] = later(p->gate[kind], kind == tensor ? all : most);
    }
    p->fp32_free = later(p->fp32_free, m->fp32_kind == tensor ? all : most);
    if (m->fp32_kind < BSIM_N_OP_KINDS) {
        p->gate[m->fp32_kind] = sooner_clock(p->fp32_free, p->gate[m->products_kind]);
    }
}

/* The work's instruction has issued, and reads its registers: so many of a lane's, a double being two. Two of three
 * that an FFMA reads are at hand, or its trace has the third as a further fp32. */
void bsim_banks_read_by_class(const struct bsim_machine *m, struct bsim_partition *p, struct bsim_warp_state *w,
                              const struct bsim_op *op)
{
    static const uint8_t registers[BSIM_N_WORK_CLASSES] = {
        [BSIM_WORK_ANY] = 2,  [BSIM_WORK_FP32] = 2, [BSIM_WORK_INT] = 2, [BSIM_WORK_IMAD] = 3,
        [BSIM_WORK_HALF] = 3, [BSIM_WORK_FP64] = 4, [BSIM_WORK_XU] = 1,  [BSIM_WORK_TENSOR] = 10,
    };
    bool is_product = op->class == BSIM_WORK_TENSOR;
    uint32_t more = p->reader == w->local ? 0 : is_product ? 2 : 1;
    p->banks = later(p->banks, BSIM_BANKS * m->now) + registers[op->class] + more;
    p->reader = w->local;
    w->ready += is_product && p->is_reading ? WARP_BEHIND : 0;
    p->is_reading = is_read_before(op->class);
    hold_works(m, p);
}

/* Of each bank how many registers the work's instruction reads: what is marked `.reuse` is at hand for its own warp until
 * another's work reads. */
static inline void reads_of(const struct bsim_partition *p, const struct bsim_warp_state *w, uint32_t n[BSIM_BANKS])
{
    const struct bsim_reads *reads = &w->op->reads;
    bool is_at_hand = p->reader == w->local;
    n[0] = reads->even - (is_at_hand ? reads->reused_even : 0U);
    n[1] = reads->odd - (is_at_hand ? reads->reused_odd : 0U);
}

/* From when on the partition's banks of registers, each of which gives one a clock, have what the work's instruction reads:
 * within three clocks of its issue, of whole numbers within two. Until then the partition issues nothing, of any warp; one
 * that reads more of a bank than it gives in that time waits until it has nothing else to do. And has them read it.
 *
 *      FFMA  reads two of the even bank   rr             at 0
 *      FFMA  the same                       rr           at 1: by 4
 *      IADD3 the same                         rr         at 4, not 2: by 6
 *      clock                              0 1 2 3 4 5
 */
uint64_t bsim_banks_read(const struct bsim_machine *m, struct bsim_partition *p, struct bsim_warp_state *w)
{
    enum { WITHIN = 3, WITHIN_INT = 2 };
    uint32_t n[BSIM_BANKS], within = w->op->class == BSIM_WORK_INT ? WITHIN_INT : WITHIN;
    uint64_t at = m->now;
    reads_of(p, w, n);
    for (uint32_t bank = 0; bank < BSIM_BANKS; bank++) {
        uint64_t done = p->bank_free[bank] + sooner(n[bank], within);
        at = n[bank] > 0 && done > within ? later(at, done - within) : at;
    }
    for (uint32_t bank = 0; bank < BSIM_BANKS; bank++) {
        p->bank_free[bank] = n[bank] > 0 ? later(p->bank_free[bank], at) + n[bank] : p->bank_free[bank];
    }
    p->reader = n[0] + n[1] > 0 ? w->local : p->reader;
    w->end = at;
    return at;
}

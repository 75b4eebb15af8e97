/* flow.c - where a warp goes on, who waits for whom, and what lanes tell each other.
 *
 *     @!P0 BRA !P1, 0x880         if neither holds
 *     CALL.REL.NOINC 0x890        to a way of the same function, with the place to come back to in a register,
 *     RET.REL.NODEC R14 0x0       which is the one behind its call: such a way is said for each call anew, so that lanes meet behind it
 *     BSSY B0, 0x270 ... BSYNC B0 lanes that part meet again: PTX has that from the branches themselves
 */
#include "sass/say.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is(const struct bsim_sass_saying *s, const char *opcode)
{
    return bsim_sass_same(s->in->opcode, opcode);
}

static void say_nothing(struct bsim_sass_saying *s)
{
    bsim_sass_say(s, "mov.b32 %%lost, 0");
}

/* ---- branches -------------------------------------------------------------------------------- */

/* The instruction's condition and another one, both of which must hold, as a guard. */
static void join_guard(struct bsim_sass_saying *s, struct bsim_sass_name other)
{
    struct bsim_sass_name q = bsim_sass_new_q(s);
    if (s->guard[0] == '\0') {
        bsim_sass_say(s, "mov.pred %s, %s", q.text, other.text);
    } else {
        bool is_not = s->guard[1] == '!';
        char guard[BSIM_SASS_LABEL];
        snprintf(guard, sizeof guard, "%.*s", BSIM_SASS_LABEL - 1, s->guard + 1 + is_not);
        guard[strcspn(guard, " ")] = '\0';
        bsim_sass_say(s, is_not ? "not.pred %s, %s" : "mov.pred %s, %s", q.text, guard);
        bsim_sass_say(s, "and.pred %s, %s, %s", q.text, q.text, other.text);
    }
    snprintf(s->guard, sizeof s->guard, "@%s ", q.text);
}

static void say_branch(struct bsim_sass_saying *s)
{
    uint32_t last = s->in->n_operands - 1;
    if (bsim_sass_has(s, "DIV") || bsim_sass_has(s, "CONV")) { /* whether not all lanes that UR5 names are here */
        struct bsim_sass_name t = bsim_sass_new_t(s), q = bsim_sass_new_q(s);
        bsim_sass_say(s, "activemask.b32 %s", t.text);
        bsim_sass_say(s, "setp.%s.b32 %s, %s, %s", bsim_sass_has(s, "DIV") ? "ne" : "eq", q.text, t.text, bsim_sass_whole(s, 0).text);
        join_guard(s, q);
    } else if (last > 0) {
        join_guard(s, bsim_sass_condition(s, 0));
    }
    if (s->in->n_operands == 0 || s->in->operand[last].text[0] != '0') {
        bsim_sass_refuse(s, "a branch by address");
    }
    bsim_sass_say_if(s, "bra L%" PRIx32 "_%" PRIu32, bsim_sass_number(s, last), s->way);
}

/* BRX R4 -0x110: to the place in R4, which is one of those that .nv.info tells; the number takes off what is added to it. */
static void say_branch_by_table(struct bsim_sass_saying *s)
{
    struct bsim_sass_word list = s->in->targets;
    uint32_t n = 0, to = 0;
    struct bsim_sass_name at = bsim_sass_whole(s, 0), t = bsim_sass_new_t(s), q = bsim_sass_new_q(s);
    if (s->in->n_operands != 1 || list.length == 0) {
        bsim_sass_refuse(s, "a branch by a table that is not known");
        return;
    }
    bsim_sass_say(s, "mov.b32 %s, 0", t.text);
    for (struct bsim_sass_word rest = list; bsim_sass_next_number(&rest, &to); n++) {
        bsim_sass_say(s, "setp.eq.s32 %s, %s, %" PRIu32, q.text, at.text, to);
        bsim_sass_say(s, "selp.b32 %s, %" PRIu32 ", %s, %s", t.text, n, t.text, q.text);
    }
    bsim_buffer_printf(s->out, "\tT%" PRIx32 "_%" PRIu32 ": .branchtargets", s->in->offset, s->way);
    for (struct bsim_sass_word rest = list, first = list; bsim_sass_next_number(&rest, &to); first.length = 0) {
        bsim_buffer_printf(s->out, "%s L%" PRIx32 "_%" PRIu32, first.length > 0 ? "" : ",", to, s->way);
    }
    bsim_buffer_text(s->out, ";\n");
    bsim_sass_say_if(s, "brx.idx %s, T%" PRIx32 "_%" PRIu32, t.text, s->in->offset, s->way);
}

/* RET R14: to behind the call that this way is said for. */
static void say_return(struct bsim_sass_saying *s)
{
    if (s->way == 0) {
        bsim_sass_refuse(s, "a return to nobody's call");
    }
    bsim_sass_say_if(s, "bra L%" PRIx32 "_%" PRIu32, s->back, s->back_way);
}

/* ---- barriers -------------------------------------------------------------------------------- */

static void say_barrier(struct bsim_sass_saying *s)
{
    struct bsim_sass_name number = bsim_sass_whole(s, 0);
    if (number.text[0] == '%' && s->in->n_operands == 1) {
        bsim_sass_refuse(s, "a barrier whose number and threads are in a register");
    }
    if (bsim_sass_has(s, "RED")) {
        struct bsim_sass_name p = bsim_sass_condition(s, s->in->n_operands - 1), threads = {""};
        if (s->in->n_operands > 2) {
            struct bsim_sass_name n = bsim_sass_whole(s, 1);
            snprintf(threads.text, sizeof threads.text, "%.28s, ", n.text);
        }
        if (bsim_sass_has(s, "POPC")) {
            bsim_sass_say_if(s, "bar.red.popc.u32 %%counted, %s, %s%s", number.text, threads.text, p.text);
        } else {
            bsim_sass_say_if(s, "bar.red.%s.pred %%agreed, %s, %s%s", bsim_sass_has(s, "AND") ? "and" : "or", number.text, threads.text, p.text);
        }
        return;
    }
    const char *how = bsim_sass_has(s, "ARV") ? "arrive" : "sync";
    if (s->in->n_operands > 1) {
        bsim_sass_say_if(s, "bar.%s %s, %s", how, number.text, bsim_sass_whole(s, 1).text);
    } else {
        bsim_sass_say_if(s, "bar.%s %s", how, number.text);
    }
}

/* B2R.RESULT R4, P0: what a barrier has counted, and found. */
static void say_result(struct bsim_sass_saying *s)
{
    bsim_sass_set(s, 0, (struct bsim_sass_name){"%counted"});
    if (s->in->n_operands > 1) {
        bsim_sass_set_condition(s, 1, (struct bsim_sass_name){"%agreed"});
    }
}

static void say_fence(struct bsim_sass_saying *s)
{
    if (is(s, "MEMBAR")) {
        bsim_sass_say_if(s, "membar.%s", bsim_sass_has(s, "SYS") ? "sys" : bsim_sass_has(s, "CTA") ? "cta" : "gl");
    } else {
        say_nothing(s);
    }
}

/* WARPSYNC R4, or WARPSYNC.ALL */
static void say_warpsync(struct bsim_sass_saying *s)
{
    if (bsim_sass_has(s, "COLLECTIVE")) {
        bsim_sass_refuse(s, "lanes that parted and do it one behind the other");
    } else if (bsim_sass_has(s, "ALL") || s->in->n_operands == 0) {
        bsim_sass_say_if(s, "bar.warp.sync -1");
    } else {
        bsim_sass_say_if(s, "bar.warp.sync %s", bsim_sass_whole(s, s->in->n_operands - 1).text);
    }
}

/* ---- lanes ----------------------------------------------------------------------------------- */

static struct bsim_sass_name active(struct bsim_sass_saying *s)
{
    struct bsim_sass_name t = bsim_sass_new_t(s);
    bsim_sass_say(s, "activemask.b32 %s", t.text);
    if (s->guard[0] != '\0') {
        struct bsim_sass_name q = bsim_sass_new_q(s), those = bsim_sass_new_t(s);
        bool is_not = s->guard[1] == '!';
        bsim_sass_say(s, "%s.pred %s, %.*s", is_not ? "not" : "mov", q.text, (int)strcspn(s->guard + 1 + is_not, " "), s->guard + 1 + is_not);
        bsim_sass_say(s, "vote.sync.ballot.b32 %s, %s, %s", those.text, q.text, t.text);
        return those;
    }
    return t;
}

/* SHFL.BFLY P0, R4, R5, 0x10, 0x1f */
static void say_shuffle(struct bsim_sass_saying *s)
{
    const char *how = bsim_sass_has(s, "BFLY") ? "bfly" : bsim_sass_has(s, "UP") ? "up" : bsim_sass_has(s, "DOWN") ? "down" : "idx";
    struct bsim_sass_name q = bsim_sass_new_q(s), mask = active(s), a = bsim_sass_whole(s, 2), b = bsim_sass_whole(s, 3), c = bsim_sass_whole(s, 4);
    bsim_sass_say_if(s, "shfl.sync.%s.b32 %s|%s, %s, %s, %s, %s", how, bsim_sass_register(s, 1, 0).text, q.text, a.text, b.text, c.text, mask.text);
    bsim_sass_set_condition(s, 0, q);
}

/* VOTE.ANY R4, P0, P1; VOTEU.ALL UP0, P1 */
static void say_vote(struct bsim_sass_saying *s)
{
    bool has_mask = !bsim_sass_is_condition(s, 0);
    struct bsim_sass_name mask = active(s), of = bsim_sass_condition(s, has_mask + 1u);
    const char *how = bsim_sass_has(s, "ALL") ? "all" : bsim_sass_has(s, "EQ") ? "uni" : "any";
    if (has_mask) {
        struct bsim_sass_name t = bsim_sass_new_t(s);
        bsim_sass_say_if(s, "vote.sync.ballot.b32 %s, %s, %s", t.text, of.text, mask.text);
        bsim_sass_set(s, 0, t);
    }
    if (!bsim_sass_is_nothing(s, has_mask)) {
        struct bsim_sass_name q = bsim_sass_new_q(s);
        bsim_sass_say_if(s, "vote.sync.%s.pred %s, %s, %s", how, q.text, of.text, mask.text);
        bsim_sass_set_condition(s, has_mask, q);
    }
}

/* MATCH.ANY R4, R5; MATCH.ALL P0, R4, R5 */
static void say_match(struct bsim_sass_saying *s)
{
    bool has_condition = bsim_sass_is_condition(s, 0), is_wide = bsim_sass_has(s, "U64"), is_all = bsim_sass_has(s, "ALL");
    struct bsim_sass_name mask = active(s), t = bsim_sass_new_t(s), q = bsim_sass_new_q(s);
    struct bsim_sass_name of = is_wide ? bsim_sass_long(s, has_condition + 1u) : bsim_sass_whole(s, has_condition + 1u);
    if (is_all) {
        bsim_sass_say_if(s, "match.all.sync.b%s %s|%s, %s, %s", is_wide ? "64" : "32", t.text, q.text, of.text, mask.text);
    } else {
        bsim_sass_say_if(s, "match.any.sync.b%s %s, %s, %s", is_wide ? "64" : "32", t.text, of.text, mask.text);
    }
    bsim_sass_set(s, has_condition, t);
    if (has_condition && is_all) {
        bsim_sass_set_condition(s, 0, q);
    }
}

static void say_redux(struct bsim_sass_saying *s)
{
    const char *how = bsim_sass_has(s, "SUM") ? "add" : bsim_sass_has(s, "MIN") ? "min" : bsim_sass_has(s, "MAX") ? "max" : bsim_sass_has(s, "OR") ? "or" : bsim_sass_has(s, "XOR") ? "xor" : "and";
    bool is_of_bits = how[0] == 'o' || how[0] == 'x' || strcmp(how, "and") == 0;
    struct bsim_sass_name mask = active(s), of = bsim_sass_whole(s, 1), t = bsim_sass_new_t(s);
    bsim_sass_say_if(s, "redux.sync.%s.%s %s, %s, %s", how, is_of_bits ? "b32" : bsim_sass_has(s, "S32") ? "s32" : "u32", t.text, of.text, mask.text);
    bsim_sass_set(s, 0, t);
}

/* ---- special registers ----------------------------------------------------------------------- */

static const struct special {
    const char *sass, *ptx;
} specials[] = {
    {"SR_TID.X", "%tid.x"},         {"SR_TID.Y", "%tid.y"},         {"SR_TID.Z", "%tid.z"},
    {"SR_CTAID.X", "%ctaid.x"},     {"SR_CTAID.Y", "%ctaid.y"},     {"SR_CTAID.Z", "%ctaid.z"},
    {"SR_LANEID", "%laneid"},       {"SR_EQMASK", "%lanemask_eq"},  {"SR_LTMASK", "%lanemask_lt"},
    {"SR_LEMASK", "%lanemask_le"},  {"SR_GTMASK", "%lanemask_gt"},  {"SR_GEMASK", "%lanemask_ge"},
    {"SR_CgaCtaId", "%cluster_ctarank"}, {"SR_VIRTUALSMID", "%smid"}, {"SR_CLOCKLO", "%clock"},
    {"SR_CLOCKHI", "%clock_hi"},    {"SR_GLOBALTIMERLO", "%globaltimer_lo"}, {"SR_GLOBALTIMERHI", "%globaltimer_hi"},
};

static void say_special(struct bsim_sass_saying *s)
{
    struct bsim_sass_word word = s->in->operand[1];
    bool is_pair = is(s, "CS2R") && !bsim_sass_has(s, "32");
    if (bsim_sass_same(word, "SRZ")) {
        if (is_pair) {
            bsim_sass_set_long(s, 0, (struct bsim_sass_name){"0"});
        } else {
            bsim_sass_set(s, 0, (struct bsim_sass_name){"0"});
        }
        return;
    }
    if (bsim_sass_same(word, "SR_SWINHI")) { /* the upper half of a generic address in shared memory */
        struct bsim_sass_name d = bsim_sass_new_d(s), t = bsim_sass_new_t(s);
        bsim_sass_say(s, "cvta.shared.u64 %s, 0", d.text);
        bsim_sass_say(s, "mov.b64 {_, %s}, %s", t.text, d.text);
        bsim_sass_set(s, 0, t);
        return;
    }
    if (bsim_sass_same(word, "SR_VIRTID")) { /* the warp's number from bit 8 on, which is what is read of it */
        struct bsim_sass_name t = bsim_sass_new_t(s);
        bsim_sass_say(s, "mov.u32 %s, %%warpid", t.text);
        bsim_sass_say(s, "shl.b32 %s, %s, 8", t.text, t.text);
        bsim_sass_set(s, 0, t);
        return;
    }
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        if (bsim_sass_same(word, specials[i].sass)) {
            if (is_pair) {
                struct bsim_sass_name d = bsim_sass_new_d(s);
                bsim_sass_say(s, "mov.u64 %s, %s", d.text, word.text[3] == 'G' ? "%globaltimer" : "%clock64");
                bsim_sass_set_long(s, 0, d);
            } else {
                bsim_sass_say_if(s, "mov.u32 %s, %s", bsim_sass_register(s, 0, 0).text, specials[i].ptx);
            }
            return;
        }
    }
    bsim_sass_refuse(s, "a special register that is not read");
}

static void say_exit(struct bsim_sass_saying *s)
{
    bsim_sass_say_if(s, "ret");
}

static void say_call(struct bsim_sass_saying *s)
{
    bool leads = s->in->n_operands == 1 && s->in->operand[0].text[0] == '0';
    if (!bsim_sass_has(s, "REL") || !bsim_sass_has(s, "NOINC") || !leads || s->n_ways + 1 >= BSIM_SASS_WAYS) {
        bsim_sass_refuse(s, "calls of other functions, by address, or too deep");
        return;
    }
    s->new_entry = bsim_sass_number(s, 0);
    s->new_return = s->in[1].offset;
    bsim_sass_say_if(s, "bra L%" PRIx32 "_%" PRIu32, s->new_entry, ++s->n_ways);
}

static void say_copy(struct bsim_sass_saying *s)
{
    if (s->in->n_operands != 2) {
        bsim_sass_refuse(s, "a form that is not read");
    }
    bsim_sass_set(s, 0, bsim_sass_whole(s, s->in->n_operands - 1));
}

static void say_trap(struct bsim_sass_saying *s)
{
    bsim_sass_say_if(s, "trap");
}

static const struct bsim_sass_known known[] = {
    {"BRX", say_branch_by_table, NULL},    {"BRA", say_branch, NULL},             {"EXIT", say_exit, NULL},
    {"CALL", say_call, NULL},              {"RET", say_return, NULL},             {"BSSY", say_nothing, NULL},
    {"BSYNC", say_nothing, NULL},          {"BREAK", say_nothing, NULL},          {"NOP", say_nothing, NULL},
    {"YIELD", say_nothing, NULL},          {"BMOV", say_nothing, NULL},           {"WARPSYNC", say_warpsync, NULL},
    {"BAR", say_barrier, NULL},            {"B2R", say_result, NULL},             {"MEMBAR", say_fence, NULL},
    {"ERRBAR", say_fence, NULL},           {"CGAERRBAR", say_fence, NULL},        {"CCTL", say_fence, NULL},
    {"FENCE", say_fence, NULL},            {"SHFL", say_shuffle, NULL},           {"VOTE", say_vote, NULL},
    {"VOTEU", say_vote, NULL},             {"MATCH", say_match, NULL},            {"REDUX", say_redux, NULL},
    {"S2R", say_special, NULL},            {"S2UR", say_special, NULL},           {"CS2R", say_special, NULL},
    {"R2UR", say_copy, NULL},              {"NANOSLEEP", say_nothing, NULL},
    {"BPT", say_trap, " TRAP "},
};

bool bsim_sass_say_flow(struct bsim_sass_saying *s)
{
    return bsim_sass_say_known(s, s->in->opcode, known, sizeof known / sizeof *known);
}

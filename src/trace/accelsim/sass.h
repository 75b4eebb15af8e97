/* sass.h - the machine's own opcodes, as Accel-Sim's tracer spells them, in terms of event.h. */
#ifndef BSIM_TRACE_SASS_H
#define BSIM_TRACE_SASS_H

#include <banksim/event.h>

enum bsim_sass_kind {
    BSIM_SASS_UNKNOWN,
    BSIM_SASS_SILENT,   /* no access, barrier or exchange: arithmetic, control, conversions ... */
    BSIM_SASS_EXIT,     /* the same; lanes end here */
    BSIM_SASS_EVENT,    /* an event of `opcode` */
    BSIM_SASS_GENERIC,  /* an access of `opcode`, whose space goes by the address */
    BSIM_SASS_LEFT_OUT, /* it does something that no event stands for; `what` says what */
};

struct bsim_sass {
    enum bsim_sass_kind kind;
    struct bsim_opcode opcode;
    const char *what;        /* BSIM_SASS_LEFT_OUT: "local memory", ...; static */
    bool may_lack_address;   /* LDC: its operand is no memory reference to the tracer */
    bool is_half;            /* LDGSTS: the trace keeps its global side alone */
    bool has_other_operands; /* bulk copies: what stands behind the opcode has a form of its own */
};

/* What the spelling text[0..length) means, e.g. "LDS.U.128" or "ATOMG.E.ADD.STRONG.GPU". */
void bsim_sass_decode(const char *text, size_t length, struct bsim_sass *sass);

/* The names without modifiers that are known, index 0, 1, ...; NULL behind the last. */
const char *bsim_sass_base_at(size_t index);

#endif

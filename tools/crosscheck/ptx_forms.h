/* ptx_forms.h - single instructions of PTX in all their forms, for a GPU and for banksim. */
#ifndef CROSSCHECK_PTX_FORMS_H
#define CROSSCHECK_PTX_FORMS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { PTX_LANES = 32, PTX_TEXT_SIZE = 256, PTX_MAX_FORMS = 1600, PTX_CHAINED = 1304 };

/* What an instruction's operands are drawn from: whole numbers, shifts by few, and numbers with a
 * point of each type. */
enum ptx_class {
    PTX_WHOLE,
    PTX_SHIFT,
    PTX_F32,
    PTX_F64,
    PTX_F16,
    PTX_BF16,
    PTX_ANGLE,
    PTX_NEAR_F16, /* pairs, and numbers, whose exponents are within 8 of each other's */
    PTX_NEAR_BF16,
    PTX_NEAR_F32,
    PTX_NEAR_F64,
    PTX_CLASSES
};

/* An instruction, of %r1 to %r3 (%rd, %h: the same in 64 and 16 bits), %p2 and %p3, to %r0, %rd0,
 * %h0 or %p0 and %p1. %s is the lane's own 16 bytes of shared memory, %x1 its own 8 of global
 * memory. */
struct ptx_form {
    enum ptx_class operands;
    char text[PTX_TEXT_SIZE];
    double tolerance; /* relative, or absolute for results below 1; 0: equal */
};

/* Every form; returns how many. Chains are drawn from the first PTX_CHAINED. */
size_t ptx_forms(struct ptx_form form[PTX_MAX_FORMS]);

/* a, b, c of each lane, edge values among them; the same for the same seed everywhere. */
struct ptx_operands {
    uint64_t of[PTX_CLASSES][PTX_LANES][3];
};
void ptx_operands(uint64_t seed, struct ptx_operands *operands);

/* Samples first, first + 1, ... of the lanes for approximations: every second one any bits, the
 * others even over -8 to 8, angles over -pi to pi; 2^32 of them are all numbers of 32 bits. */
void ptx_samples(uint64_t first, struct ptx_operands *operands);

/* A module with a kernel c0, c1, ... for each form: (.param .u64 in, .param .u64 out), of 32
 * threads; `in` is a struct ptx_operands, `out` takes a uint64_t of each. */
void ptx_write_module(FILE *file, const struct ptx_form *form, size_t n);

#endif

/* handed.h - where the address of an array's element goes. */
#ifndef BSIM_CUDA_HANDED_H
#define BSIM_CUDA_HANDED_H

#include "cuda/host.h"

/* A pointer to an element as it is looked at where it stands, of type[0] to type[1] with subscripts of which
 * the first opens at step: reinterpret_cast<float4 *>(&s[i])[k]. */
struct cu_handed {
    size_t type, type_end; /* without the star */
    size_t step;           /* 0: none, or [0] */
};

/* Whether what the tokens begin to end say, the address of an element, is looked at where it stands and
 * nowhere else: in an access, an atomic, an operand of asm that adds nothing to it, a function or macro of the
 * file that does so, or a variable of which this holds wherever it is used. The tokens are the file's, its
 * directives with them. *handed, which may be NULL for one that must not step, says how. */
bool bsim_cu_stays(const struct cu_host *host, size_t begin, size_t end, struct cu_handed *handed);

/* "#define NAME(a, b) body": where the body ends; 0: token i is no such name. The tokens are the file's as they
 * stand. */
size_t bsim_cu_macro_end(const struct cu_host *host, size_t i);

#endif

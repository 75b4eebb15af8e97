/* tables.h - the tables of instructions that compute in registers alone, one a file. */
#ifndef BSIM_PTX_TABLES_H
#define BSIM_PTX_TABLES_H

#include "ptx/machine.h"

/* The row of the instruction, or NULL if the file does not know it. */
typedef const struct bsim_ptx_alu *bsim_ptx_finder(const struct bsim_ptx_instruction *instruction);

bsim_ptx_finder bsim_ptx_find_common;      /* alu.c */
bsim_ptx_finder bsim_ptx_find_common_avx2; /* the same for processors with AVX2 and FMA */
bsim_ptx_finder bsim_ptx_find_integer;     /* integer.c */
bsim_ptx_finder bsim_ptx_find_compare;     /* compare.c */
bsim_ptx_finder bsim_ptx_find_float;       /* float.c */
bsim_ptx_finder bsim_ptx_find_video;       /* video.c */
bsim_ptx_finder bsim_ptx_find_narrow;      /* narrow.c */

/* Whether bsim_ptx_find_common_avx2's functions run on this processor. */
bool bsim_ptx_has_avx2(void);

#endif

/* pointed.h - what a kernel's name says that its parameters point to. */
#ifndef BSIM_PTX_POINTED_H
#define BSIM_PTX_POINTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "float4 const*": its type, without const, and what one number of it is: kind 'i' or 'f', bytes. */
struct bsim_ptx_pointed {
    char text[48];
    char kind; /* 0: it is none of the types that launches have */
    uint32_t bytes;
    bool is_bfloat;
};

/* Of parameter k, counted from 0; false: the mangled name does not say, or it is no pointer. */
bool bsim_ptx_find_pointed(const char *mangled, size_t k, struct bsim_ptx_pointed *pointed);

#endif

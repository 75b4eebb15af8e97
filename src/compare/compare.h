/* compare.h - launches and kernels that go by one name. */
#ifndef BSIM_COMPARE_COMPARE_H
#define BSIM_COMPARE_COMPARE_H

#include <banksim/report.h>

/* True if `launched`, a kernel's name as the profiler writes it, is that of the function `name`:
 * the same text; or demangled, `name` outside all brackets, as in "void space::name<32>(int *)"; or
 * mangled, with its length before it, as in "_Z4namePi". Total. */
bool bsim_ncu_name_matches(const char *launched, const char *name);

#endif

/* test_mangled.c - kernels' names in reports. Expected are what binutils' c++filt 2.40 says without
 * the parameters, its `(T)16` written as 16, `> >` as >>, and a function's address as its name alone; `<...>` where
 * a template's arguments are not told; names that are left as they are say so. */
#include "base/mangled.h"
#include "report/plain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void names_are_as_in_the_source(void **state)
{
    (void)state;
    static const struct {
        const char *mangled, *expected;
    } cases[] = {
        {"transpose", "transpose"},
        {"_Z9transposePKfPfii", "transpose"},
        {"_ZN2ns4scanEv", "ns::scan"},
        {"_Z5sgemmILi16EEvPf", "sgemm<16>"},
        {"_Z7reduce6IfLj512ELb1EEvPT_S1_j", "reduce6<float, 512, true>"},
        {"_ZN2ns1kILin3EdEEvPT0_", "ns::k<-3, double>"},
        {"_Z1kI6float4EvT_", "k<float4>"},
        {"_Z1kIN2ns1tEEvT_", "k<ns::t>"},
        {"_Z1kIPKfEvT_", "k<float const*>"},
        {"_Z3lamIZ4mainEUliE_EvT_i", "lam<main::{lambda(int)#1}>"},
        {"_Z3lamIZ3runIfEvPT_EUlfE0_EvS1_i", "lam<run<float>(float*)::{lambda(float)#2}>"},
        {"_ZN12_GLOBAL__N_11kIZN2ns1fEiEUlvE_EEvT_",
         "(anonymous namespace)::k<ns::f(int)::{lambda()#1}>"},
        {"_ZN2ns1kIZNS_1fEPNS_1tES2_EUlvE_S1_EEvT_T0_",
         "ns::k<ns::f(ns::t*, ns::t*)::{lambda()#1}, ns::t>"},
        {"_ZN3cub6KernelINS_6PolicyIfEEPiS3_EEvT0_", "cub::Kernel<cub::Policy<float>, int*, int*>"},
        {"_Z1kIJifSt4plusIfES1_EEvDpT_", "k<int, float, std::plus<float>, std::plus<float>>"},
        {"_Z1kIPFifEXadL_Z4stepiEEEvT_", "k<int (*)(float), &step>"},
        {"_Z1kIL4Mode2EEvv", "k<(Mode)2>"},
        {"_Z1kIA4_fEvT_", "k<...>"},
        {"_Z1kIS0_EvT_", "k<...>"},
        {"_Z1kIT_EvS0_", "k<...>"},
        {"_ZN7cutlass13device_kernelINS_4gemmEA4_iEEvv", "cutlass::device_kernel<...>"},
        {"_ZN6cudapy8__main__3sumB2v1B26cw51cXTLSUwHBinCqbbgUAGBlqE5ArrayIfE", "cudapy::__main__::sum"},
        {"_Z99short", "_Z99short"},
        {"_Z", "_Z"},
        {"_Z1kILi", "k<...>"},
        {"_ZN2ns", "_ZN2ns"},
    };
    char out[128];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(bsim_plain_kernel(cases[i].mangled, 60, out, sizeof out),
                            cases[i].expected);
    }
}

/* Expected are those of c++filt, with a function's address as its name alone. */
static void parameters_are_told_one_by_one(void **state)
{
    (void)state;
    static const struct {
        const char *mangled, *parameters[4];
    } cases[] = {
        {"_Z1kv", {NULL}},
        {"_Z1kN2ns1tIifEEPKd", {"ns::t<int, float>", "double const*", NULL}},
        {"_Z1kPFvifEPfi", {"void (*)(int, float)", "float*", "int", NULL}},
        {"_Z1kIL4Mode2EEvPfi", {"float*", "int", NULL}},
        {"_Z3lamIZ4mainEUliE_EvT_Pf", {"main::{lambda(int)#1}", "float*", NULL}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char signature[BSIM_MANGLED_BYTES];
        size_t k = 0, length = 0;
        assert_true(bsim_mangled_signature(cases[i].mangled, signature, sizeof signature));
        for (; cases[i].parameters[k] != NULL; k++) {
            const char *parameter = bsim_mangled_parameter(signature, k, &length);
            assert_non_null(parameter);
            assert_int_equal(length, strlen(cases[i].parameters[k]));
            assert_memory_equal(parameter, cases[i].parameters[k], length);
        }
        assert_null(bsim_mangled_parameter(signature, k, &length));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_as_in_the_source),
        cmocka_unit_test(parameters_are_told_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* version.c - the version of this library. */
#include <banksim/banksim.h>

const char *bsim_version(void)
{
    return BSIM_VERSION;
}

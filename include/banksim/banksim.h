/* banksim.h - all of banksim's public interface, for C and C++, and its version. tests/examples has
 * a use of each function.
 *
 * <banksim/kernel.h>, the words that emulated kernels are written in, is apart because it defines
 * names without a prefix; and it is C alone. */
#ifndef BANKSIM_BANKSIM_H
#define BANKSIM_BANKSIM_H

#include <banksim/advise.h>
#include <banksim/cuda.h>
#include <banksim/device.h>
#include <banksim/emulator.h>
#include <banksim/event.h>
#include <banksim/expr.h>
#include <banksim/hazard.h>
#include <banksim/layout.h>
#include <banksim/model.h>
#include <banksim/peer.h>
#include <banksim/ptx.h>
#include <banksim/report.h>
#include <banksim/result.h>
#include <banksim/run.h>
#include <banksim/sass.h>
#include <banksim/status.h>
#include <banksim/tma.h>
#include <banksim/trace.h>
#include <banksim/wgmma.h>

#define BSIM_VERSION "0.1.0"

/* The version of the library that is linked. Static. */
BSIM_API const char *bsim_version(void);

#endif

/* banksim_cuda.h - CUDA C++ for clang, without NVIDIA's toolkit.
 *
 *     clang++ -x cuda -nocudainc -nocudalib -isystem THIS_FOLDER -include banksim_cuda.h ...
 *
 * It is read in front of each program, as nvcc reads its own. The names that programs include are
 * files beside it. Written against the CUDA C++ Programming Guide's lists of built-ins; what is
 * not here does not compile, and nothing is here that does something else.
 *
 * Files of plain C++ that include it have the types and the runtime's calls.
 *
 * Order matters: a device's math functions stand before <cmath>, whose constexpr functions clang
 * would otherwise take for both sides.
 */
#ifndef BANKSIM_CUDA_H
#define BANKSIM_CUDA_H

#include "banksim_cuda/attributes.h"

#include "banksim_cuda/vectors.h"

#ifdef __CUDA__
#include "banksim_cuda/builtins.h"

#include "banksim_cuda/bits.h"

#include "banksim_cuda/math.h"

#include "banksim_cuda/special.h"

#include "banksim_cuda/atomics.h"

#include "banksim_cuda/simd.h"
#endif

#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

/* whose names C has without std:: too */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "banksim_cuda/runtime.h"

#include "banksim_cuda/textures.h"

#include "banksim_cuda/graphs.h"

#include "banksim_older.h"

#endif

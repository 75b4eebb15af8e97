/* nvToolsExt.h - as programs include it. */
#include "nvtx3/nvToolsExt.h"

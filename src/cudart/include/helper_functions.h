/* helper_functions.h - as programs include it. */
#include "helper_string.h"
#include "helper_timer.h"

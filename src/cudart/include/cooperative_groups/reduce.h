/* reduce.h - as programs include it; it is in cooperative_groups.h. */
#include "../cooperative_groups.h"

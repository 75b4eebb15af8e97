/* status_name.h - a word for a status, for the messages of tests: "ok", "usage", ... */
#ifndef STATUS_NAME_H
#define STATUS_NAME_H

#include <banksim/status.h>

static inline const char *status_name(enum bsim_status status)
{
    static const char *const name[] = {"ok", "usage", "input", "kernel", "memory", "io"};
    return name[status];
}

#endif

/* ways.h - one trace, by all the ways that must lead to the same output. */
#ifndef BSIM_FUZZ_WAYS_H
#define BSIM_FUZZ_WAYS_H

#include "command.h"

/* Runs the trace with one job, and requires of each other way the same exit code, report and
 * messages:
 *   - with 2, 3 and 8 jobs, and from standard input;
 *   - packed, and unpacked again, or converted: the same report, and messages but for places;
 *   - in two to five shards that are merged: the same report and code, and if the run fails, one of the
 *     shards does.
 * What is asked of the run (format, device, cycles ...) follows from `asked`, any number. Returns
 * the exit code. program as for fuzz_command. */
int fuzz_require_ways(const char *program, const uint8_t *data, size_t size, uint64_t asked);

#endif

/* request_text.h - requests from and to text, in the trace format's words: tables of cases are
 * written that way, and a failed case prints a line that can be put into a trace.
 */
#ifndef BSIM_TESTS_REQUEST_TEXT_H
#define BSIM_TESTS_REQUEST_TEXT_H

#include <banksim/model.h>

enum { REQUEST_TEXT_SIZE = 640 };

/* Makes a request from an opcode's spelling, a mask, and addresses: `B+S`, or one address per
 * lane that takes part, separated by blanks or commas, with `a*n` for n in a row. The other lanes
 * get addresses that stand out. False if the text is not that. */
bool request_parse(const char *opcode, uint32_t mask, const char *addresses,
                   struct bsim_request *request);

/* "ld.shared.u32 0000000f 0,4,8,12"; returns text. */
const char *request_format(const struct bsim_request *request, char text[REQUEST_TEXT_SIZE]);

/* Looks up a device for a test; banks and width 0: its own. Fails the test if there is none. */
void device_for_test(const char *name, uint32_t n_banks, uint32_t bank_width,
                     struct bsim_device *device);

#endif

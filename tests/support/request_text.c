/* request_text.c - see request_text.h. */
#include "request_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What a lane that takes no part has for an address: odd, and far from the others. */
#define NOBODYS_ADDRESS UINT32_C(0xdeadbeef)

static bool take_number(const char **text, uint32_t *number)
{
    char *end;
    unsigned long long value = strtoull(*text, &end, 10);
    if (**text < '0' || **text > '9' || value > UINT32_MAX) {
        return false;
    }
    *number = (uint32_t)value;
    *text = end;
    return true;
}

/* `a` or `a*n`: gives the address to the next n of the lanes that have none yet. */
static bool fill_some(struct bsim_request *request, uint32_t *lanes, const char **text)
{
    uint32_t address, times = 1;
    if (!take_number(text, &address)) {
        return false;
    }
    if (**text == '*') {
        ++*text;
        if (!take_number(text, &times)) {
            return false;
        }
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES && times > 0; lane++) {
        if (*lanes >> lane & 1) {
            request->address[lane] = address;
            *lanes &= *lanes - 1;
            times--;
        }
    }
    return times == 0;
}

static bool fill_list(struct bsim_request *request, uint32_t lanes, const char *text)
{
    while (*text != '\0') {
        if (!fill_some(request, &lanes, &text)) {
            return false;
        }
        text += strspn(text, " ,");
    }
    return lanes == 0;
}

static bool fill_affine(struct bsim_request *request, uint32_t lanes, const char *text)
{
    uint32_t base, stride;
    if (!take_number(&text, &base) || *text++ != '+' || !take_number(&text, &stride)) {
        return false;
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if (lanes >> lane & 1) {
            request->address[lane] = base + lane * stride;
        }
    }
    return *text == '\0';
}

bool request_parse(const char *opcode, uint32_t mask, const char *addresses,
                   struct bsim_request *request)
{
    if (bsim_opcode_parse(opcode, strlen(opcode), &request->opcode, NULL) != BSIM_OK) {
        return false;
    }
    uint32_t lanes = bsim_opcode_lanes(&request->opcode, mask);
    request->mask = mask;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        request->address[lane] = NOBODYS_ADDRESS;
    }
    return strchr(addresses, '+') != NULL ? fill_affine(request, lanes, addresses)
                                          : fill_list(request, lanes, addresses);
}

const char *request_format(const struct bsim_request *request, char text[REQUEST_TEXT_SIZE])
{
    char name[BSIM_OPCODE_NAME_SIZE];
    uint32_t lanes = bsim_opcode_lanes(&request->opcode, request->mask);
    int length = snprintf(text, REQUEST_TEXT_SIZE, "%s %08lx",
                          bsim_opcode_name(&request->opcode, name), (unsigned long)request->mask);
    char separator = ' ';
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if (lanes >> lane & 1) {
            length += snprintf(text + length, REQUEST_TEXT_SIZE - (size_t)length, "%c%lu",
                               separator, (unsigned long)request->address[lane]);
            separator = ',';
        }
    }
    return text;
}

void device_for_test(const char *name, uint32_t n_banks, uint32_t bank_width,
                     struct bsim_device *device)
{
    struct bsim_device_options options = {.n_banks = n_banks, .bank_width = bank_width};
    struct bsim_error err;
    if (bsim_device_find(name, &options, device, &err) != BSIM_OK) {
        fail_msg("no device %s with %lu banks of %lu bytes: %s", name, (unsigned long)n_banks,
                 (unsigned long)bank_width, err.message);
    }
}

/* count_both.c - see count_both.h. */
#include "count_both.h"

#include "request_text.h"

#include "model/fast.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

bool counts_equal(const struct bsim_counts *a, const struct bsim_counts *b)
{
    return a->wavefronts == b->wavefronts && a->ideal == b->ideal && a->conflicts == b->conflicts &&
           a->ways == b->ways && a->bytes_asked == b->bytes_asked &&
           a->bytes_served == b->bytes_served && a->bytes_moved == b->bytes_moved &&
           a->rules == b->rules && a->broadcast == b->broadcast && a->multicast == b->multicast;
}

const char *counts_format(const struct bsim_counts *counts, char text[COUNTS_TEXT_SIZE])
{
    (void)snprintf(
        text, COUNTS_TEXT_SIZE,
        "wavefronts %lu ideal %lu conflicts %lu ways %lu asked %lu served %lu moved %lu rules %lx "
        "broadcast %d multicast %d",
        (unsigned long)counts->wavefronts, (unsigned long)counts->ideal,
        (unsigned long)counts->conflicts, (unsigned long)counts->ways,
        (unsigned long)counts->bytes_asked, (unsigned long)counts->bytes_served,
        (unsigned long)counts->bytes_moved, (unsigned long)counts->rules, counts->broadcast,
        counts->multicast);
    return text;
}

void counts_differ(const char *name, const struct bsim_device *device,
                   const struct bsim_request *request, const struct bsim_counts *counts,
                   const struct bsim_counts *plain)
{
    char text[REQUEST_TEXT_SIZE], fast_text[COUNTS_TEXT_SIZE], plain_text[COUNTS_TEXT_SIZE];
    fail_msg("%s on %s, %lu banks of %lu bytes: %s\n%s: %s\nby schedule: %s", name, device->name,
             (unsigned long)device->n_banks, (unsigned long)device->bank_bytes,
             request_format(request, text), name, counts_format(counts, fast_text),
             counts_format(plain, plain_text));
}

void count_both(const struct bsim_device *device, const struct bsim_request *request,
                struct bsim_counts *counts)
{
    struct bsim_counts fast;
    memset(&fast, 0xa5, sizeof fast);
    bsim_plain_count(device, request, counts);
    bsim_request_count(device, request, &fast);
    if (!counts_equal(&fast, counts)) {
        counts_differ("bsim_request_count", device, request, &fast, counts);
    }
}

/* traceg_sites.c - the sites of an Accel-Sim trace: static instructions, numbered by where they
 * stand in the code, so that all readers of a trace, each of some of its blocks, agree on the
 * numbers without asking each other.
 *
 * The code has no more to tell an instruction by than its place in its function, and a kernel may
 * call other functions; and an instruction of generic addresses is two, one in each memory. So a
 * number is made of the place, which comes first, and of a hash of all that tells instructions
 * apart:
 *
 *     31              18 17                    0
 *     | PC / 16, wraps  | hash                  |
 *
 * Sites stand in the order of the code, up to 256 KiB of it. Two of them in the same place have the
 * same number once in 2^18 times, and then the trace is refused. */
#include "trace/accelsim/traceg.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 192, PLACE_SHIFT = 4, HASH_BITS = 18 };

struct traceg_site {
    struct bsim_site site;
    uint64_t identity; /* PC; opcode as spelled, memory and line of the source, hashed */
};

/* Knuth's golden-ratio multiplier. */
static uint64_t mix(uint64_t value)
{
    return value * UINT64_C(11400714819323198485);
}

static uint32_t number_of(uint32_t pc, uint64_t identity)
{
    uint64_t hash = mix(identity ^ mix(identity) >> 32) >> (64 - HASH_BITS);
    uint32_t number = pc >> PLACE_SHIFT << HASH_BITS | (uint32_t)hash;
    return number > 0 ? number : 1;
}

static void add(struct bsim_traceg *traceg, const struct traceg_site *like, const char *text)
{
    size_t size = strlen(text) + 1;
    struct traceg_site *made = bsim_mem_resize(NULL, sizeof *made + size, 1);
    if (made == NULL) {
        bsim_scan_no_memory(&traceg->scan);
        return;
    }
    *made = *like;
    made->site.text = memcpy(made + 1, text, size);
    if (!bsim_sites_add(&traceg->sites, &made->site)) {
        bsim_mem_free(made);
        bsim_scan_no_memory(&traceg->scan);
        return;
    }
    traceg->event.site = &made->site;
    struct bsim_record record = {.kind = BSIM_RECORD_SITE, .u.site = &made->site};
    bsim_traceg_push(traceg, &record);
}

void bsim_traceg_site(struct bsim_traceg *traceg, uint32_t pc,
                      const struct bsim_traceg_opcode *opcode, uint64_t line)
{
    struct bsim_scan *scan = &traceg->scan;
    struct bsim_event *event = &traceg->event;
    uint64_t kind = (uint64_t)event->opcode.space << 1 | (event->opcode.family == BSIM_RED);
    uint64_t identity = (uint64_t)pc << 32 | (uint32_t)(mix(line << 3 | kind) >> 32 ^ opcode->hash);
    uint32_t number = number_of(pc, identity);
    event->site = bsim_sites_find(&traceg->sites, number);
    if (event->site == NULL) {
        struct traceg_site like = {{.number = number, .opcode = event->opcode}, identity};
        char text[TEXT_SIZE];
        int length = snprintf(text, sizeof text, "0x%04" PRIx32 " %s", pc, opcode->text);
        if (line > 0) {
            (void)snprintf(text + length, sizeof text - (size_t)length, " (line %" PRIu64 ")",
                           line);
        }
        add(traceg, &like, text);
    } else if (((const struct traceg_site *)event->site)->identity != identity) {
        bsim_scan_error(scan, scan->line,
                        "this instruction and the one of '%s' come to the same site number, "
                        "%" PRIu32 ": they cannot be counted apart",
                        event->site->text, number);
    }
}

/* rates.c - what a device's banks can deliver and how many warps that takes, each with its formula.
 *
 * Nothing here is a constant of its own: the device's row and that of its timing are multiplied, and the
 * grades of both, which the list of the device has, hold for the products.
 */
#include "report/render.h"

#include <inttypes.h>

static uint32_t load_latency(const struct bsim_timing *timing)
{
    return timing->queue_latency + timing->pool_latency + timing->result_latency;
}

/* " = 12.1 ns", where the clock is known. */
static void add_ns(const struct bsim_device *device, uint32_t clocks, struct bsim_buffer *out)
{
    if (device->clock_mhz > 0) {
        bsim_buffer_printf(out, " = %.1f ns", 1000.0 * clocks / device->clock_mhz);
    }
}

static void add_bandwidth(const struct bsim_device *device, const struct bsim_timing *timing,
                          struct bsim_buffer *out)
{
    uint64_t banks = (uint64_t)device->n_banks * device->bank_bytes;
    bsim_buffer_printf(out,
                       "        an SM, banks x width / clocks per wavefront: %" PRIu32 " x %" PRIu32
                       " / %" PRIu32 " = %" PRIu64
                       " bytes per clock; loads of 4 bytes, 4 per lane, take "
                       "%" PRIu32 "\n",
                       device->n_banks, device->bank_bytes, timing->turn_interval,
                       banks / timing->turn_interval, 4 * device->n_banks / timing->turn_interval);
    if (device->clock_mhz == 0 || device->n_sms == 0) {
        return;
    }
    double bytes = (double)banks * device->n_sms * device->clock_mhz / timing->turn_interval * 1e6;
    bsim_buffer_printf(out,
                       "        a bank, clock / clocks per wavefront: %.3g gigaloads/s\n"
                       "        the device, SMs x an SM's x clock: %" PRIu32 " x %" PRIu64
                       " x %" PRIu32 " MHz = %.3g TB/s = %.0f Gfloat/s\n",
                       (double)device->clock_mhz / timing->turn_interval / 1000, device->n_sms,
                       banks / timing->turn_interval, device->clock_mhz, bytes / 1e12, bytes / 4e9);
}

void bsim_rates_text(const struct bsim_device *device, struct bsim_buffer *out)
{
    struct bsim_timing timing;
    bsim_timing_find(device, &timing);
    uint32_t latency = load_latency(&timing);
    uint32_t flying = (latency + timing.turn_interval - 1) / timing.turn_interval;
    bsim_buffer_text(out,
                     "    rates of shared memory without conflicts, from the numbers above and the "
                     "cycle model's constants:\n");
    add_bandwidth(device, &timing, out);
    bsim_buffer_printf(out, "        latency of a load: %" PRIu32 " clocks", latency);
    add_ns(device, latency, out);
    if (timing.basis.grade ==
        BSIM_MEASURED) { /* elsewhere it is known to differ, but not how much */
        bsim_buffer_printf(out, "; of arithmetic in registers: %" PRIu32 " clocks",
                           timing.chain_latency);
        add_ns(device, timing.chain_latency, out);
    }
    bsim_buffer_printf(
        out,
        "\n        to hide it, latency / clocks per wavefront (Little's law): %" PRIu32
        " requests in flight per SM, as many warps if each has one, of %" PRIu32 "\n",
        flying, device->warps_per_sm);
}

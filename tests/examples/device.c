/* device.c - which GPUs there are, and what one holds. */
#include "example.h"

static bool has_alias(const char *device, const char *alias)
{
    const char *name;
    for (size_t i = 0; (name = bsim_device_alias(device, i)) != NULL; i++) {
        if (strcmp(name, alias) == 0) {
            return true;
        }
    }
    return false;
}

static size_t measured_rules(const struct bsim_device *device)
{
    size_t n = 0;
    for (int rule = 0; rule < BSIM_N_RULES; rule++) {
        n += strcmp(bsim_grade_name(device->basis[rule].grade), "measured") == 0;
        CHECK(bsim_rule_name((enum bsim_rule)rule)[0] != '\0');
    }
    return n;
}

int main(void)
{
    struct bsim_device device, each;
    struct bsim_error err;
    CHECK(bsim_device_find("GeForce RTX 4090", NULL, &device, &err) == BSIM_OK);
    CHECK(strcmp(device.name, "sm_89") == 0 && has_alias(device.name, "rtx4090"));
    CHECK(bsim_device_find("sm_5", NULL, &device, &err) == BSIM_E_USAGE);

    struct bsim_device_options options = {.n_banks = 16};
    CHECK(bsim_device_find("generic", &options, &device, &err) == BSIM_OK && device.n_banks == 16);

    size_t n = 0;
    while (bsim_device_at(n, &each)) {
        n++;
    }
    CHECK(n > 10);

    /* A block of 256 threads with 48 KiB: shared memory lets four of them on an SM. */
    CHECK(bsim_device_find(NULL, NULL, &device, &err) == BSIM_OK);
    CHECK(measured_rules(&device) > 10);
    struct bsim_occupancy fits = bsim_device_occupancy(&device, 256, 48 * 1024, 32);
    CHECK(fits.by_shared == 4 && fits.by_warps == 8 && fits.by_registers == 8 && fits.blocks == 4);
    CHECK(bsim_device_check_shared(&device, 227 * 1024, &err) == BSIM_OK);
    CHECK(bsim_device_check_shared(&device, 228 * 1024, &err) == BSIM_E_INPUT);
    return 0;
}

/* bank.c - which bank a byte lies in, and in which row of it.
 *
 * Shared memory is dealt out to the banks word by word, like cards:
 *
 *     byte address    0    4    8        124  128  132
 *     word            0    1    2   ...   31   32   33        (stride_bytes = 4, n_banks = 32)
 *     bank            0    1    2         31    0    1
 *     row             0    0    0          0    1    1
 *
 * In one pass a bank delivers one row. Two lanes that want the same row of a bank share the pass,
 * whichever bytes of it they want; two that want different rows of it are in conflict. That is all
 * there is to a bank conflict; everything else in this folder says which lanes meet.
 *
 * Kepler's banks are 8 bytes wide and can be dealt out in two ways (bank_bytes = 8):
 *
 *     8-byte mode (stride_bytes = 8)            4-byte mode (stride_bytes = 4)
 *     word (8 B)   0    1  ...  31   32         word (4 B)   0    1  ...  31   32  ...  63   64
 *     bank         0    1       31    0         bank         0    1       31    0       31    0
 *     row          0    0        0    1         row          0    0        0    0        0    1
 *                                               half         0    0        0    1        1    0
 *
 * So in 4-byte mode words i and i + 32 of one aligned 64-word segment lie side by side in one row
 * and do not conflict, which is the CUDA C Programming Guide's rule for compute capability 3.x;
 * the picture is Micikevicius, GTC 2012, "GPU performance analysis and optimization", slide 83.
 *
 * Not here: the order in which real hardware fetches rows (no counter shows it).
 */
#include "model/bank.h"

uint32_t bsim_bank_words(const struct bsim_device *device, uint32_t bytes)
{
    return bytes <= device->stride_bytes ? 1 : bytes / device->stride_bytes;
}

/* The 4-byte words of a bank's row that an access touches, byte being its first in this word. */
static uint8_t halves_of(const struct bsim_device *device, uint32_t byte, uint32_t bytes)
{
    if (device->bank_bytes == 4) {
        return 1;
    }
    if (device->stride_bytes == 4) {
        return byte / (4 * device->n_banks) % 2 == 0 ? 1 : 2;
    }
    return bytes >= 8 ? 3 : byte % 8 < 4 ? 1 : 2;
}

struct bsim_cell bsim_bank_cell(const struct bsim_device *device, uint32_t address, uint32_t bytes,
                                uint32_t i)
{
    uint32_t byte = address / bytes * bytes + i * device->stride_bytes;
    struct bsim_cell cell = {
        .row = byte / (device->n_banks * device->bank_bytes),
        .bank = (uint8_t)(byte / device->stride_bytes % device->n_banks),
        .halves = halves_of(device, byte, bytes),
    };
    return cell;
}

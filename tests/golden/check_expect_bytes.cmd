# What shared memory a block takes can be expected: 32 * 33 words, the padding of a layout too, and of an
# extern array as far as it is accessed, to element 62.
try() {
    banksim check "$@" -o /dev/null; echo "exit $?"
}
try --shared 'float t[32][33]' --load 't[lane][0]' --expect 'shared_bytes == 4 * 32 * 33'
try --shared 'float t[32][32] pad 1' --load 't[lane][0]' --expect 'shared_bytes <= 4 * 32 * 32'
# for several accesses it is told once, but where nobody comes to one
try --shared 'float t[32][33]' --load 't[lane][0]' --load 't[lane][1]' --if 'lane > 99' --load 't[0][0]' \
    --expect 'shared_bytes <= 4096'
try --shared 'extern float s[]' --load 's[2 * lane]' --expect 'shared_bytes == 63 * 4'

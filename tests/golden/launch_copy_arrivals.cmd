# Release only: sums that one kernel leaves, and its clocks.
# cp.async.mbarrier.arrive in CUDA C's asm. What the ring must have: of thread t, over k and i below 4, the sum of 256 k + t + 64 i.
awk 'BEGIN { for (t = 0; t < 64; t++) print 16 * t + 7680 }' >"$TMP/sums"
file=tests/golden/kernels/arrivals.cu
for noinc in true false; do
    banksim launch $file "ring<$noinc><<<1, 64>>>(float[1024] = iota, float[64])" --dump 1="$TMP/out" | sed -n 5,6p
    od -A n -v -t f4 -w4 "$TMP/out" | awk '{ print $1 }' | cmp - "$TMP/sums" && echo the sums
done
# A look's result is another in each turn of a loop, which ends with the phase.
banksim launch $file 'states<<<1, 64>>>(float[256] = iota, float[64])' --dump 1="$TMP/out" | sed -n 5,6p
od -A n -v -t f4 -w4 "$TMP/out" | awk '$1 != (NR - 1 < 32 ? NR + 31 : NR - 33) { wrong++ } END { print wrong + 0, "wrong" }'
# Kernels that an H100 timed, from their source and as nvcc has them: requests, wavefronts and what they leave.
for kernel in b0,16 b1,16 b2,64 b3,32 b4,16 b5,16 b6,64 b7,16 b8,64 b9,16; do
    launch="${kernel%,*}<<<1, 64, 200000>>>(float[$((${kernel#*,} * 5 * 16))] = iota, 5, long[1], float[64])"
    for source in tools/crosscheck/copy_barriers.cu tests/measured/h100/async/copy_barriers.ptx; do
        banksim launch $source "$launch" --dump 3="$TMP/${source##*.}" --format csv 2>"$TMP/err" | cut -d, -f2-9 >"$TMP/${source##*.}.csv"
    done
    cmp "$TMP/cu" "$TMP/ptx" && cmp "$TMP/cu.csv" "$TMP/ptx.csv" && echo "${kernel%,*} as nvcc has it"
done
sed -n 2p "$TMP/cu.csv"

# What is repeated must be there, and the same launch.
try() {
    printf 'banksim-trace 1\nkernel a block=32\nkernel b block=32\n%s\nend\n' "$1" >"$TMP/k.trace"
    (
        cd "$TMP" || exit
        banksim run --jobs 1 k.trace
        echo $?
        banksim run --jobs 2 --format html k.trace | wc -c
    )
}
try 'kernel a block=32 again=3'
try 'kernel a block=32 again=1'
try 'kernel b block=64 again=1'
# What it takes on another device is another matter, unless all are played on one.
try 'kernel b block=32 device=V100 again=1'
printf 'banksim-trace 1\nkernel b block=32\nblock 0\nw0 ld.shared.u32 ffffffff 0+8\nkernel b block=32 device=V100 again=1\nend\n' >"$TMP/k.trace"
banksim run --device h200 "$TMP/k.trace" | grep total

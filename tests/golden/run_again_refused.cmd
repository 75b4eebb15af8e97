# What is repeated must be there, and the same launch.
try() {
    printf 'banksim-trace 1\nkernel a block=32\nkernel b block=32\n%s\nend\n' "$1" >"$TMP/k.trace"
    banksim run --jobs 1 "$TMP/k.trace"
    echo $?
    banksim run --jobs 2 --format html "$TMP/k.trace" | wc -c
}
try 'kernel a block=32 again=3'
try 'kernel a block=32 again=1'
try 'kernel b block=64 again=1'

# Release only: clocks, told the same in several ways.
# A trace says how many registers a launch had, so that it tells the launch's cycles: of machine code, which has the number, and with
# --registers, of a text and packed.
launch='turn<<<4096, 32>>>(int[32] = iota, int[32], 3)'
awk '{ print } /min stack size/ { print "\tValue:\tfunction: turn(0xa)\tregister count: 96" }' tests/sass/small.sass >"$TMP/k.sass"
same() {
    banksim launch "$TMP/$1" "$launch" --cycles always --merge none $2 2>/dev/null >"$TMP/told"
    banksim launch "$TMP/$1" "$launch" --merge none $2 -o "$TMP/k.trace" 2>/dev/null
    grep -o '\(registers\|device\)=[^ ]*' "$TMP/k.trace"
    banksim pack "$TMP/k.trace" -o "$TMP/k.bin"
    banksim unpack "$TMP/k.bin" | cmp - "$TMP/k.trace"
    for form in k.trace k.bin; do
        banksim run --cycles always "$TMP/$form" | cmp - "$TMP/told" && echo "same: $form"
    done
    grep -e ^launch -e ^occupancy "$TMP/told"
}
echo '# machine code, and with another number, and another device'
same k.sass
same k.sass '--registers 200'
same k.sass '--registers 16 --device a100'
echo '# PTX, which has none, and with one'
cp tests/sass/small.ptx "$TMP/k.ptx"
same k.ptx
same k.ptx '--registers 96'

echo '# what a trace cannot say'
banksim launch "$TMP/k.ptx" "$launch" --carveout 50 --bank-width 4 -o "$TMP/k.trace" 2>&1

echo '# --registers goes before it'
banksim launch "$TMP/k.sass" "$launch" -o "$TMP/k.trace" 2>/dev/null
banksim run --cycles always --registers 32 "$TMP/k.trace" | grep ^occupancy
banksim run --cycles always --format json "$TMP/k.trace" | grep -o '"registers": [0-9]*'

echo '# shards of it'
for k in 1 2; do banksim run --cycles always --shard $k/2 -o "$TMP/part$k" "$TMP/k.trace"; done
banksim merge "$TMP/part1" "$TMP/part2" | grep ^occupancy

echo '# advice: blocks per SM by all limits'
traces=$(printf 'banksim-trace 1\nkernel k grid=999 block=256 shared=4096 registers=128 x-shared=a@0:int[32][32]\nblock 0\nw0 ld.shared.u32 ffffffff 0+128\nend\n')
echo "$traces" | banksim advise - | grep -o 'blocks per SM .*' | head -n 1
echo "$traces" | banksim advise - --registers 64 | grep -o 'blocks per SM .*' | head -n 1

echo '# refused: numbers, a device whose threads have fewer, a launch again with others, options'
try() {
    printf 'banksim-trace 1\n%b\nend\n' "$1" | banksim run --cycles always $2 - 2>&1 >"$TMP/none"; echo "exit $?"
}
for n in 0 256 -1 many ''; do try "kernel k block=32 registers=$n"; done
try 'kernel k block=32 registers=8 registers=9'
try 'kernel k block=32 registers=64\nblock 0' '--device gtx480'
try 'kernel k block=32 registers=64\nblock 0' '--device gtx480 --registers 63'
try 'kernel k block=32 registers=64\nblock 0\nkernel k block=32 registers=65 again=1'
try 'kernel k block=32 registers=64\nblock 0\nkernel k block=32 registers=64 again=1'
banksim launch "$TMP/k.ptx" "$launch" --device abacus -o "$TMP/no.trace" 2>&1; echo "exit $?"
[ -e "$TMP/no.trace" ] || echo 'nothing written'

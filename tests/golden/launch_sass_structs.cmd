# Structs of 8 bytes by value, which the kernel's name tells from numbers and pointers: they are written in braces.
small=tests/sass/small.sass
as() { # MANGLED LAUNCH
    sed "s/turn/$1/g" "$small" >"$TMP/k.sass"
    banksim launch "$TMP/k.sass" "$2" --dump 0="$TMP/in" --dump 1.0="$TMP/out" >"$TMP/report" 2>"$TMP/said" || echo "exit $?"
    sed "s,$TMP/,," "$TMP/said"
    [ ! -e "$TMP/out" ] || od -An -td4 -N8 "$TMP/out"
    rm -f "$TMP/out"
}
echo '# a struct: what is no struct, one of another size, one of a pointer'
for argument in 7 '{int 7}' '{int[32]}'; do
    as _Z4turnPKi4pairi "turn<<<1, 32>>>(int[32] = iota, $argument, 3)"
done
banksim launch "$TMP/k.sass" 'turn<<<1, 32>>>(int[32] = iota, int[32], 3)' >"$TMP/report" && echo 'an array is its pointer'
echo '# a pointer, and a name that says nothing'
sed 's/turn/_Z4turnPKiPii/g' "$small" >"$TMP/k.sass"
banksim launch "$TMP/k.sass" 'turn<<<1, 32>>>(int[32] = iota, int[32], 3)' >"$TMP/report" && echo fine
banksim launch "$small" 'turn<<<1, 32>>>(int[32] = iota, int[32], 3)' 2>&1 >"$TMP/report"

# Machine code is played on the device that it is for, which the report and a trace say; on another one where --device asks, with a word of
# that; for one that is none here --device has to say.
launch='turn<<<1, 32>>>(int[32] = iota, int[32], 3)'
told() {
    banksim "$@" 2>/dev/null | grep -e '32 banks' -e 'achine code' -e 'rests on'
}
for file in small small_80; do
    for device in '' '--device sm_90' '--device a100' '--device generic'; do
        echo "# $file.sass $device"
        # shellcheck disable=SC2086
        told launch "tests/sass/$file.sass" "$launch" --cycles always $device
    done
done
echo '# check, show, advise and run have the same'
for command in check show advise; do told $command tests/sass/small_80.sass "$launch"; done
banksim launch tests/sass/small_80.sass "$launch" -o "$TMP/k.trace" 2>/dev/null
grep -o 'device=.*' "$TMP/k.trace"
told run "$TMP/k.trace"
told run "$TMP/k.trace" --device h200
banksim run "$TMP/k.trace" --device h200 --format json | grep -o 'Machine code for[^"]*'
echo '# PTX is for any device that is new enough'
sed 's/^\.target.*/.target sm_80/' tests/sass/small.ptx >"$TMP/k.ptx"
told launch "$TMP/k.ptx" "$launch"
echo '# devices that are none here'
cd "$TMP"
for sm in 87 88; do
    sed "s/sm=80/sm=$sm/; s/sm_80/sm_$sm/" "$OLDPWD/tests/sass/small_80.sass" >k.sass
    for command in launch check advise 'launch --device sm_86'; do
        # shellcheck disable=SC2086
        banksim $command k.sass "$launch" 2>&1 | grep -e '^banksim' -e '^Machine code'
    done
done
banksim launch k.sass "$launch" 2>/dev/null; echo "exit $?"

# Both sides of cp.async. In order: in step 4 wavefronts, as the H200 counted, and 16 sectors; 16 bytes apart
# 12 and 32; all lanes to one place, one writes; without a global side one that is in a row (12), and 6 where
# both sides begin 16 bytes behind a line.
cd "$TMP"
t=$OLDPWD/tests/golden/traces/copies.trace
banksim run --per request --format csv "$t" | cut -d, -f3-5,7-10,16,17
banksim run --per site "$t" --cycles never
banksim pack "$t" -o t.bin
banksim unpack t.bin | diff "$t" - && echo the same
banksim run --format csv "$t" >text && banksim run --format csv t.bin | diff text - && echo the same

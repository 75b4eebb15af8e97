# More than 48 KB of a block have to be asked for: told in every format, by every command that knows the block.
printf 'banksim-trace 1\nkernel k shared=60000 block=32\nblock 0\nw0 ld.shared.f32 ffffffff 0+4\nend\n' >$TMP/k.trace
banksim run $TMP/k.trace | grep -A1 '^60000'
banksim run --format csv $TMP/k.trace | tail -n 1 | cut -d, -f75-77 | tr , '\n'
banksim run --format json $TMP/k.trace | grep -o '"shared_bytes": .*"opt_in": [a-z]*'
banksim run --format html -o $TMP/k.html $TMP/k.trace
grep -o '"shared_bytes": [0-9]*, "opt_in": [a-z]*' $TMP/k.html
grep -c cudaFuncAttributeMaxDynamicSharedMemorySize $TMP/k.html
banksim check --shared 'extern float s[]' --load 's[13000 + lane]' --format csv | rev | cut -d, -f1,2 | rev
banksim check --shared 'extern float s[]' --load 's[13000 + lane]' --format json | grep -o '"shared_bytes": .*[}]'
banksim advise --shared 'float s[400][32]' --load 's[lane][0]' --format csv --best 1 | rev | cut -d, -f4 | rev
banksim advise --shared 'float s[400][32]' --load 's[lane][0]' --format json --best 1 | grep -o '"opt_in": [a-z]*'
sed s/60000/49152/ $TMP/k.trace | banksim run --format csv - | tail -n 1 | cut -d, -f75-77 | tr , '\n'

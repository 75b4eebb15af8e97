trace() { printf 'banksim-trace 1\n# a comment\nkernel k block=32 shared=4096 x-shared=%s\nblock 0\nw0 ld.shared.f32 ffffffff 0+4\nend\n' "$1"; }
for arrays in 't@0:float[32][33]' 'a@0:2048+b@1024:4' 't@0:flaot[32]' 't@0:9x'; do
    trace "$arrays" >$TMP/t
    banksim run $TMP/t; echo "exit $?"
done 2>&1 | sed "s,$TMP/,,"
for command in 'run --jobs 4' 'run --per request' 'run --format html' advise show; do
    echo; echo "== $command"
    banksim $command $TMP/t 2>&1 | sed "s,$TMP/,," | tail -n 3
done
echo; echo '== packed: passed on, and refused where it is looked at'
banksim pack -o $TMP/b $TMP/t; echo "exit $?"
banksim run $TMP/b 2>&1 | sed "s,$TMP/,,"

banksim pack tests/golden/traces/cli_broken.trace -o $TMP/b.bin; echo exit $?
banksim pack $TMP/none -o $TMP/b.bin 2>/dev/null || echo exit $?
banksim pack a b -o $TMP/b.bin; echo exit $?
banksim unpack --per site; echo exit $?
ls $TMP
cd $TMP
banksim pack - -o t.bin <$OLDPWD/tests/golden/traces/cli_small.trace
head -c 300 t.bin >cut.bin
banksim unpack cut.bin -o cut.trace; echo exit $?
(head -c 200 t.bin; printf x; tail -c +202 t.bin) >flipped.bin
banksim run flipped.bin; echo exit $?
banksim run - <flipped.bin; echo exit $?
(cat t.bin; echo) | banksim run; echo exit $?
banksim pack t.bin >/dev/full; echo exit $?
banksim unpack t.bin >/dev/full; echo exit $?
ls

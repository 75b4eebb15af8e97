t=tests/golden/traces/cli_small.trace
banksim pack $t -o $TMP/t.bin && banksim unpack $TMP/t.bin >$TMP/t.trace && diff $t $TMP/t.trace | head -20
banksim pack $t | banksim unpack | cmp - $TMP/t.trace && echo the same through pipes
banksim pack $TMP/t.bin | cmp - $TMP/t.bin && echo packed again
for form in text csv json '-per site' '-per request' '-metrics ncu' '-metrics nvprof'; do
    case $form in -*) set -- -$form;; *) set -- --format $form;; esac
    banksim run "$@" <$t >$TMP/text
    banksim run "$@" <$TMP/t.bin | cmp $TMP/text - && echo "$*: the same"
done

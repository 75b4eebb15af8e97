grep -v bar.sync tests/golden/traces/cli_reverse.trace >$TMP/r.trace
cd $TMP
banksim run --hazards --format csv r.trace >out; echo exit $?
cut -d, -f1-5 out

sed 's/^end$/w9 bar.sync/' tests/golden/traces/cli_race.trace >$TMP/b.trace
cd $TMP
banksim run --hazards --format csv b.trace

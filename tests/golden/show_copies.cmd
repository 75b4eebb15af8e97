# Why cp.async takes what it takes: in step; 16 bytes apart, so that sectors come twice; through L1.
t=tests/golden/traces/copies.trace
for line in 5 6 12; do banksim show $t --event $line | sed -n '/because/,$p'; done
banksim run --format html -o $TMP/r.html $t && grep -c '<html' $TMP/r.html

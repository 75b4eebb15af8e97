banksim lesson padding | head -1
banksim lesson 10 --all --style utf8 | grep -c '^pass'
for i in 1 2 3 4 5 6 7 8 9 10 11; do banksim lesson $i; done | grep '[{}]' # no placeholder is left
for i in 1 2 3 4 5 6 7 8 9 10 11; do banksim lesson $i --style utf8 |
    awk 'sub(/^Try: /, "") || goes_on { print; goes_on = /\\$/; if (length > 75) print "too long" }' >"$TMP/try"
    (cd "$TMP" && sh ./try >/dev/null) || echo "lesson $i: its command fails"; done
banksim lesson 99 || echo "exit $?"
banksim lesson 1 2 || echo "exit $?"
banksim lesson --format json || echo "exit $?"

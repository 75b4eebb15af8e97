banksim run --format csv -o $TMP/r.csv tests/golden/traces/cli_small.trace
cut -d, -f1-3 $TMP/r.csv
echo old >$TMP/old; ln -s old $TMP/link
banksim run --format csv -o $TMP/link tests/golden/traces/cli_kepler.trace
cut -d, -f1-3 $TMP/old
ls $TMP
# - is standard output, and no file.
(cd "$TMP" && banksim run --format csv -o out -o - "$OLDPWD/traces/example.trace" | wc -l && ls)

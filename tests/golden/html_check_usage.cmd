# No page, one of another version, and what is none.
cp "$(command -v banksim)" "$TMP/banksim"
try() { "$TMP/banksim" check --shared 'float s[32]' --load 's[lane]' --format html; echo "exit $?"; }
try
for text in '<!DOCTYPE html><meta name="generator" content="banksim 0.0.9">' '<html>'; do
    echo "$text" >"$TMP/page.html"
    BANKSIM_PAGE=$TMP/page.html try
done 2>&1 | sed "s,$TMP,TMP,"
# What a page cannot keep.
banksim advise traces/example.trace --format html; echo "exit $?"
banksim advise --shared 'float s[32]' --load 's[lane]' --all --format html; echo "exit $?"

# To a file, whole.
banksim advise --shared 'float s[32]' --load 's[lane]' -o "$TMP/report"
cat "$TMP/report"

# The best ten and how many there are; json has them too.
banksim advise --all --shared 'float tile[32][32]' --load 'tile[lane][0]' >"$TMP/all"
head -12 "$TMP/all"
wc -l <"$TMP/all" | tr -d ' '
banksim advise --all --format json --shared 'float tile[32][32]' --load 'tile[lane][0]' |
    grep -c '"layout": '

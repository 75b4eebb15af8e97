banksim show --addresses 0,128 --format svg
banksim show --stride 32,33 --format svg -o "$TMP/x.svg" && head -5 "$TMP/x.svg"

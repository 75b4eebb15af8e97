banksim show --format json --stride 16 --mask 10007
banksim show --format json --device k40 --addresses 0,128,4
banksim show --format json --ldmatrix x1.trans --stride 1 -o "$TMP/out" && head -c 200 "$TMP/out"

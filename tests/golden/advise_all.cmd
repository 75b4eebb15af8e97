# The best ten and how many there are; json has them too.
banksim advise --all --shared 'float tile[32][32]' --load 'tile[lane][0]' >"$TMP/all"
head -12 "$TMP/all"
wc -l <"$TMP/all" | tr -d ' '
banksim advise --all --format json --shared 'float tile[32][32]' --load 'tile[lane][0]' |
    grep -c '"layout": '
# A rotation, which is found step by step, is among them: no other takes as few.
banksim advise --all --block 32,4 --shared 'float s[24][24]' --load 's[(lane + 1) % 24][threadIdx.y]' \
    --load 's[threadIdx.y][(lane + 1) % 24]' --load 's[lane % 24][(lane + threadIdx.y) % 24]' |
    cut -d, -f1,2,8 | head -3

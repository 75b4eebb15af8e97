# A tile in one dimension, read along both axes: rows that turn and flip bits have no conflicts where no linear
# layout and, in as few bytes, no padding is without them. What check counts of the plan by its name is the same.
access="--for k=0:1152:256 --store s[(threadIdx.x+k)%1152] --load s[(threadIdx.x+k)%36*32+(threadIdx.x+k)/36%32]"
banksim advise --block 256 --shared 'float s[1152]' $access --best 1
banksim check --block 256 --shared 'float s[1152] rotate 1 of 8 every 16 xor 3:2,4:4,5:8,6:16' $access
# As a person would paste it.
banksim check --block 256 --shared 'float s[1152]' --for 'k=0:1152:256' --code '
    int i = (threadIdx.x + k) % 1152;
    s[(i - i % 8 + (i + i / 128) % 8) ^ (i >> 2 & 30)] = 1;
    i = (threadIdx.x + k) % 36 * 32 + (threadIdx.x + k) / 36 % 32;
    sum += s[(i - i % 8 + (i + i / 128) % 8) ^ (i >> 2 & 30)];' | head -4
# Doubles, and halves of which a word holds two.
banksim advise --block 32 --shared 'double s[576]' --for 'k=0:576:32' --best 1 \
    --store 's[(threadIdx.x + k) % 576]' \
    --load 's[(threadIdx.x + k) % 36 * 16 + (threadIdx.x + k) / 36 % 16]' | sed -n '/^1/,/^ *wave/p'

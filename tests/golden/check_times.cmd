# Turns that are all alike: counts, cycles and races are those of a loop that is played.
for head in 'for i=0:40' 'times 8 times 5' 'times 40'; do
    printf '%s\n' 'block 64' 'shared float s[2048]' "$head {" 's[threadIdx.x] = 1;' 'sync' \
        'load s[32 * threadIdx.x]' '}' 'load s[threadIdx.x]' >"$TMP/t.check"
    sed -i 's/^times 8 times 5 {/times 8\n    times 5 {/' "$TMP/t.check"
    banksim check "$TMP/t.check" | head -n 5
    banksim check "$TMP/t.check" --emit-trace - | banksim run --hazards - 2>&1 | grep -c '^race'
done
# In a trace they are a repeat; a warp that has returned is waited for at none of its barriers.
printf '%s\n' 'block 64' 'shared float s[64]' 'if (threadIdx.x >= 32) return;' 'times 2000 {' \
    's[threadIdx.x] = 1;' 'sync' '}' >"$TMP/t.check"
banksim check "$TMP/t.check" --emit-trace - | sed -n '4,$p'
# A thing of that name in C.
printf '%s\n' 'shared float s[64]' 'int times = 2;' 'times += 1;' 's[times] = 0;' >"$TMP/t.check"
banksim check "$TMP/t.check" --emit-trace - | grep ^w
# Advise weighs. Of three elements in two banks two share one: those that are seldom wanted together.
for n in 1 3; do
    banksim advise --banks 2 --shared 'float s[4]' --load 's[lane % 2]' --load 's[1 + lane % 2]' \
        --times $n --load 's[lane % 2 * 2]' --best 1 | sed -n '1,5p;$p'
done
for what in 'index h: random(4)
times 2
load s[h]' 'int i = 0;
times 2
    i++;
load s[i]' 'times 2 {
    if (lane > 3) return;
    load s[0]
}' 'times 65536
    times 65536
        load s[0]' 'times 1 times 1'; do
    printf 'shared float s[4]\n%s\n' "$what" >"$TMP/t.check"
    (cd "$TMP" && banksim check t.check; echo "exit $?")
done

# A double-buffered loop of cp.async in a sketch: each turn begins the next tile's copies and waits for all groups but these, or for
# these as well, which takes longer. The trace has the same words, and the same cycles; words that are none.
cat >$TMP/ring.check <<'C'
block 32
shared float s[2][128]
global const float *in
cp_async ca:16 s[0][4 * threadIdx.x], in[4 * threadIdx.x]
cp_async commit_group
for k = 1:9 {
    cp_async ca:16 s[k % 2][4 * threadIdx.x], in[128 * k + 4 * threadIdx.x]
    cp_async commit_group
    cp_async wait_group LEFT
    sync
    load s[(k - 1) % 2][threadIdx.x]
    work 20:80
    sync
}
cp_async wait_all
sync
C
for left in 1 0; do
    banksim check $TMP/ring.check --define LEFT=$left | grep ^cycles
    banksim check $TMP/ring.check --define LEFT=$left --emit-trace $TMP/$left.trace >/dev/null
    banksim run $TMP/$left.trace | grep ^cycles
    grep -c commit_group $TMP/$left.trace
    grep -c "wait_group $left" $TMP/$left.trace
    grep -c wait_all $TMP/$left.trace
done
banksim check --block 32 --shared 'float s[128]' --global 'const float *in' --cp-async ca:16 's[4 * lane], in[4 * lane]' \
    --cp-async commit_group --cp-async 'wait_group 0' --cp-async wait_all --emit-trace $TMP/words.trace >/dev/null
grep '^w0' $TMP/words.trace
for word in 'wait_group' 'wait_group -1' 'commit_group 1' 'wait_all()' 'commit'; do
    banksim check --block 32 --shared 'float s[128]' --cp-async "$word"; echo "exit $?"
done

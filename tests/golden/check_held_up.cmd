# What `run` says of the launch, of a grid and with other memory; of one block of shared memory alone nothing.
ask() {
    banksim check "$@" | grep '^launch\|^held' | tee "$TMP/check"
    banksim check "$@" --emit-trace "$TMP/t.trace" >/dev/null
    banksim run "$TMP/t.trace" | grep '^launch\|^held' | tail -n "$(wc -l <"$TMP/check")" | cmp "$TMP/check" -
}
read='tile[threadIdx.x][threadIdx.y]'
ask --block 32,32 --grid 64,64 --shared 'float tile[32][32]' --load "$read"
ask --block 32,32 --shared 'float tile[32][32]' --global 'float *in' --code "$read = in[threadIdx.x];"
banksim check --block 32,32 --shared 'float tile[32][32]' --load "$read" | grep -c '^launch\|^held' || :

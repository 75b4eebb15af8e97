# A trace by its kernel's name, through a pipe: the same counts, and what a missing barrier is.
ask() { banksim check --kernel tile --block 32,2 --shared 'float t[2][32]' \
    --store 't[threadIdx.y][threadIdx.x]' "$@" --load 't[1 - threadIdx.y][threadIdx.x]' --emit-trace -; }
ask --sync
ask --sync | banksim run --format csv --per site - | cut -d, -f1-6
ask --sync | banksim run --hazards - >/dev/null; echo "exit $?"
ask | banksim run --hazards - >/dev/null; echo "exit $?"
ask -o "$TMP/report" --format csv | tail -n 1
tail -n 1 "$TMP/report" | cut -d, -f1-4
banksim check --kernel 'a b' --shared 'float t[2]' --load 't[0]'; echo "exit $?"

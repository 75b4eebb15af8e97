# Plans are told by their cycles; the one with the fewest wavefronts stays among them, as what is said of the best
# is said of it. One alone is the fastest, and not called the best.
ask() { banksim advise --block 48,8 --shared 'char s[48][48]' --for k=0:41:8 --store 's[threadIdx.y + k][threadIdx.x]' \
    --end --sync --for k=0:41:8 --load 's[threadIdx.x][threadIdx.y + k]' --end "$@"; }
ask | grep -e '^total' -e '^ *cycles' -e '^Plan'
ask --best 1 | grep -e '^total' -e '^Plan'
# Where no plan takes fewer cycles than what is there, that is said.
banksim emulate stride_shared stride=8 | banksim advise - | grep -e '^ *cycles' -e '^As it'

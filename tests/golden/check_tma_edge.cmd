# A tile at the edge of its tensor: what TMA stores of it has the rows and the elements of each that are there; a load is whole.
edge() {
    banksim check --shared 'half s[64][64] tma 128B' --global 'half C[128][80]' --mbarrier 'full: 1' --if 'threadIdx.x == 0' "$@" --emit-trace - | grep box=
}
edge --tma store 's, C[96][64]' --tma commit_group --tma 'wait_group 0'
edge --tma store 's, C[0][8]' --tma commit_group --tma 'wait_group 0'
edge --tma load 's, C[96][64], full' --arrive 'full, 8192' --end --wait 'full, 0'

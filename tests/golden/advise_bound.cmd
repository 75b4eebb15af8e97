# Why no layout is better, for programs: float4s that stay whole leave the words of a column 8 of 32 banks, 4
# wavefronts for each of 8 warps; and nothing of the kind where a padding does.
ask() { banksim advise --block 256 --shared 'float t[32][32]' --load 't[threadIdx.x % 32][threadIdx.x / 32]' --best 1 --format json "$@"; }
ask --store '*(float4 *)&t[threadIdx.x / 8][threadIdx.x % 8 * 4]' | sed -n '1p;/bound/p'
ask | grep -c bound || :

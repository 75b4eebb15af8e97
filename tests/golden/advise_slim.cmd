# Bytes are told apart from wavefronts: the fewest wavefronts may take four tenths more room, so the best within an eighth
# (and what whole rows make of that) is a plan of its own; and rows that are turned take no room where a padding does.
plans() { banksim advise "$@" --best 8 | grep -e '^[1-9]' -e '^   wave' -e '^Plan'; }
plans --block 36,12 --shared 'half t[36][36]' --for k=0:36:12 --store 't[threadIdx.y + k][threadIdx.x]' \
    --load 't[threadIdx.x][threadIdx.y + k]' --end
plans --block 14 --shared 'char t[14][14]' --for k=0:14 --store 't[k][threadIdx.x]' --load 't[threadIdx.x][k]' --end
plans --block 64 --shared 'half t[28][64]' --for k=0:28 --let 'e = threadIdx.x + k * 64' --store 't[e / 64][e % 64]' \
    --load 't[e % 28][e / 28]' --end
# Where rows of 48 are without conflicts, one word behind each two rows of 33 is too, in 888 bytes less.
plans --block 16,8 --shared 'float t[17][33]' --for i=0:3 --for j=0:3 --load 't[2*threadIdx.y + i][2*threadIdx.x + j]' \
    --end --end --for i=0:16:4 --store 't[threadIdx.y / 2 + i][threadIdx.x + 16 * (threadIdx.y % 2)]' --end
# No access comes to columns 60 to 63; what takes as many bytes without them as with them leaves them where they are.
plans --block 16,4 --shared 'float a[8][64]' --for k=0:5 --load '*(float4 *)&a[(threadIdx.x + 5) % 8][threadIdx.x / 2 * 4]' \
    --store '*(float4 *)&a[k][(lane / 4 + 7) % 16 * 4]' --store 'a[(threadIdx.x + 6) % 8][threadIdx.x % 4 + 1]' --end
# Turns take no byte where paddings do: of rows of whole periods, and after paddings have found as few wavefronts.
plans --block 32,4 --shared 'float t[16][96]' --for c=0:3 --for j=0:16:4 --load 't[threadIdx.y + j][threadIdx.x * 3 + c]' \
    --store 't[threadIdx.x % 16][threadIdx.y * 24 + c + threadIdx.x / 16 * 12]' --end --end
plans --block 24 --shared 'float t[24][24]' --for k=0:24 --load 't[threadIdx.x][(threadIdx.x + k) % 24]' \
    --load 't[k][threadIdx.x]' --load 't[threadIdx.x][k]' --end

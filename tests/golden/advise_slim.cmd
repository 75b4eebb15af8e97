# Bytes are told apart from wavefronts: the fewest wavefronts may take four tenths more room, so the best within an eighth
# (and what whole rows make of that) is a plan of its own; and rows that are turned take no room where a padding does.
plans() { banksim advise "$@" --best 8 | grep -e '^[1-9]' -e '^   wave' -e '^Plan'; }
plans --block 36,12 --shared 'half t[36][36]' --for k=0:36:12 --store 't[threadIdx.y + k][threadIdx.x]' \
    --load 't[threadIdx.x][threadIdx.y + k]' --end
plans --block 14 --shared 'char t[14][14]' --for k=0:14 --store 't[k][threadIdx.x]' --load 't[threadIdx.x][k]' --end
plans --block 64 --shared 'half t[28][64]' --for k=0:28 --let 'e = threadIdx.x + k * 64' --store 't[e / 64][e % 64]' \
    --load 't[e % 28][e / 28]' --end

# Which descriptors read a box that TMA put there, and whether one does: rows of 64 halves; boxes side by side in a third
# dimension; core matrices without a swizzle; a start off the pattern; and what no descriptor reads.
for box in 'half box=64x128 swizzle=128B start=1024' 'half box=64x64x2 swizzle=128B start=1024' 'half box=8x64x8 start=1024' \
    'half box=32x64 swizzle=64B start=1152' 'half box=64x64 start=1024' 'half box=24x64 swizzle=64B'; do
    banksim show --wgmma 'm64n128k16 f16' --tma "$box" | sed '1,/^Desc/d'
    echo "$?, $box"
done
banksim show --wgmma 'm64n64k32 s8' --tma 'char box=128x64 swizzle=128B' --a registers | tail -n 1
box='half box=64x128 swizzle=128B start=1024'
for b in 'start=1024 sbo=1024 swizzle=128B' 0x4000004000010042 'start=1024 sbo=1024 swizzle=64B' 'start=1024 sbo=2048 swizzle=128B' \
    'start=1024 sbo=1024 swizzle=128B base=1' 'start=1040 sbo=1024 swizzle=128B' 'start=17408 sbo=1024 swizzle=128B' \
    'start=1024 lbo=8192 sbo=1024 swizzle=128B major=MN' '0x40'; do
    banksim show --wgmma 'm64n128k16 f16' --tma "$box" --b "$b" 2>&1 | sed -n '1p;7p'
done
banksim show --wgmma 'm64n64k16 f16' --tma "$box" --a 'start=1024' --b 'start=1024'; echo "exit $?"
banksim show --wgmma 'm64n64k16 f16' --tma 'float box=32x64'; echo "exit $?"
banksim show --wgmma 'm64n64k16 f16' --tma 'half box=64x64 swizzle=96B'; echo "exit $?"

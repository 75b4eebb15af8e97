# A tile with the 128B swizzle, whose readers are those of the declaration; short rows; a store; bytes in a row.
banksim show --tma 'half box=64x64 swizzle=128B start=1024'
banksim check --shared 'half a[64][64] swizzle 128B' --ldmatrix x4 '&a[lane][0]' --load 'a[lane][0]' --format csv |
    cut -d, -f 5-6
banksim show --tma 'half box=48x8 swizzle=128B start=512 from=16'
banksim show --tma 'store float box=4x16 start=128' | head -n 6
banksim show --tma 'load u8 box=32x4x2 swizzle=32B start=256' --all | tail -n 5
banksim show --tma 'reduce u32 box=32x256' | head -n 5
banksim show --tma 'bulk bytes=4096 start=16'
banksim show --tma 'store float box=32x64 swizzle=128B pitch=1024 from=960 inside=16' | sed -n '3p'
for copy in 'half box=64x64 start=8' 'half box=96x64 swizzle=128B' 'half box=64x512' 'half box=60x8' 'half' 'half box=64 at=3' \
    'float box=128x512x2' \
    'half box=64x64 inside=8' 'store half box=64x64 inside=65' 'store half box=64x64 inside=0'; do
    banksim show --tma "$copy"; echo "exit $?"
done
banksim show --tma 'half box=64x64' --stride 2; echo "exit $?"
banksim show --tma 'half box=64x64' --device a100; echo "exit $?"
banksim show --tma 'half box=64x64' --format svg; echo "exit $?"

# A copy by TMA and a wgmma for programs: a row of csv, json, and the same figures as the text has.
banksim show --tma 'half box=48x8 swizzle=128B start=512 from=16' --format csv
banksim show --tma 'half box=48x8 swizzle=128B start=512 from=16' --format json | sed '/"row": 1/,$d'
banksim show --tma 'store bulk bytes=4096 start=16' --format json
banksim show --wgmma 'm64n40k16 f16' --a registers --format csv
banksim show --wgmma 'm64n64k16 f16' --tma 'half box=64x64 swizzle=128B start=1024' --format json | grep -c '"operand": "b"'
banksim show --wgmma 'm64n8k16 f16' --b 'sbo=128 lbo=128' --format json
banksim show --wgmma 'm64n64k16 f16' --tma 'half box=64x64 swizzle=128B start=1024' --b 'start=1024 sbo=512 swizzle=64B' --format json; echo "exit $?"
for copy in 'half box=64x64 pitch=128 from=32' 'store float box=4x16' 'reduce u32 box=32x256' 'bulk bytes=4096 start=16'; do
    banksim show --tma "$copy" | sed -n '3s/.*; \([^ ]*\) clocks.*/\1/p'
    banksim show --tma "$copy" --format csv | cut -d, -f 18 | tail -n 1
done
banksim show --tma 'half box=64x64' --format html; echo "exit $?"

# A tile of TMA's 128B swizzle, whose second row has its chunks exchanged; A in registers; what cannot be.
banksim show --wgmma 'm64n128k16 f16' --b 'start=1024 sbo=1024 swizzle=128B major=K'
banksim show --wgmma 'm64n32k16 f16' --b 'sbo=128 lbo=2048 major=MN'
banksim show --wgmma 'm64n64k16 f16' | tail -n 1
banksim show --wgmma 'm64n16k16 f16' --a registers
for d in 'lbo=128' 'start=8' 'major=MN' 'size=3' 'start=232000 sbo=1024 swizzle=128B'; do
    banksim show --wgmma 'm64n64k32 s8' --b "$d"; echo "exit $?"
done
banksim show --wgmma 'm64n64k16 s8'; echo "exit $?"
# What ptxas of CUDA 13.0 takes: of whole numbers 24, and beyond 32 multiples of 16 alone; of others 40, too.
for s in 'm64n24k32 u8' 'm64n40k32 s8' 'm64n48k32 s8' 'm64n40k32 e4m3'; do
    banksim show --wgmma "$s" | sed -n 2p
done
banksim show --b 'sbo=128'; echo "exit $?"
banksim show --wgmma 'm64n64k16 f16' --stride 2; echo "exit $?"
# another device: TMA is taken to be as on sm_90, tcgen05 is not modelled, and sm_120 has none
banksim show --wgmma 'm64n64k16 f16' --device sm_100; echo "exit $?"
banksim show --wgmma 'm64n64k16 f16' --device sm_120; echo "exit $?"
banksim show --tma 'half box=64x64 swizzle=128B' --device sm_100 | head -n 1
printf 'banksim-trace 1\nkernel k block=128 shared=4096\nblock 0\nw0 tcgen05.mma ffffffff 0+16\nend\n' | banksim run --device sm_100; echo "exit $?"

# A warp that does nothing but wait for its tile and multiply it waits: three instructions are no 89 per cent of the time.
banksim run - <<'T' | grep -e ^at -e ^cycles -e ^an
banksim-trace 1
kernel k block=160 shared=65536
block 0
w4 cp.async.bulk.tensor.2d.shared.global type=b16 box=64x64 swizzle=128B start=1024 from=0 pitch=8192 arrive=1
w0 await 1:1
w0 work 2
w0 wgmma.mma_async.sync.aligned.m64n64k16.f16 a=registers b.start=1024 b.lbo=16 b.sbo=1024 b.base=0 b.swizzle=128B b.major=K
w0 work 2 wait=0
end
T
# Of copies alone no cycles are estimated, nor parts of them.
banksim run - <<'T' | grep -e ^TMA -e ^at -e ^cycles
banksim-trace 1
kernel k block=160 shared=65536
block 0
w4 cp.async.bulk.tensor.2d.shared.global type=b16 box=64x64 swizzle=128B start=1024 from=0 pitch=8192 arrive=1
w0 await 1:1
end
T
# What a map's word is compared with are a map's words.
banksim launch tests/ptx/tensor.ptx 'transpose<<<1, 128>>>(tensormap short 64x64 box=64x64 swizzle=128b, tensormap short 64x64 box=64x64)'
echo "exit $?"

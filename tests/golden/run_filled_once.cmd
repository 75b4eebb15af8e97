# A tile that TMA fills once, and what is done with it then: conflicts, few loads one behind the other, or a wait for a wgmma.
trace() {
    printf 'banksim-trace 1\nkernel k block=128 shared=33792\nblock 0\nw0 cp.async.bulk.tensor.2d.shared.global type=b32 box=32x32 swizzle=none start=1024 from=0 pitch=4096 arrive=1\n'
    printf 'w0 await 1:1\nw1 await 1:1\nw2 await 1:1\nw3 await 1:1\n'
    cat
    echo end
}
for i in 1 2 3 4 5 6 7 8 9 10; do
    printf 'w0 ld.shared.b32 ffffffff 1024+128\nw1 ld.shared.b32 ffffffff 1024+128\nw2 ld.shared.b32 ffffffff 1024+128\nw3 ld.shared.b32 ffffffff 1024+128\n'
done | trace | banksim run - | grep -E '^(cycles|an average|held up)'
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40; do
    printf 'w0 ld.shared.b32 ffffffff 1024+4\nw0 work 1 wait=0\nw1 ld.shared.b32 ffffffff 1024+4\nw1 work 1 wait=0\n'
    printf 'w2 ld.shared.b32 ffffffff 1024+4\nw2 work 1 wait=0\nw3 ld.shared.b32 ffffffff 1024+4\nw3 work 1 wait=0\n'
done | trace | banksim run - | grep -E '^(cycles|an average|held up)'
printf 'w0 wgmma.mma_async.sync.aligned.m64n8k16.f16 a=registers b.start=1024 b.lbo=128 b.sbo=256 b.base=0 b.swizzle=none b.major=K\nw0 work 1 wait=0\n' |
    trace | banksim run - | grep -E '^(cycles|an average|held up)'

# Atomics that are loops: what a warp alone takes, marked as the least.
banksim check --shared 'float h[64]' --shared 'double d[512]' --atomic add 'h[0]' --atomic add 'h[lane]' \
    --atomic add 'd[lane * 16]' --atomic add 'd[lane]' | grep -v '^    '
banksim check --format csv --shared 'float h[64]' --shared 'int n[64]' --atomic add 'h[0]' --atomic add 'n[0]'
banksim show --opcode red.shared.add.f32 --strides 0,1,32
banksim show --opcode red.shared.add.f32 --stride 32 --mask ff
printf 'banksim-trace 1\nkernel k block=32\nblock 0\nw0 red.shared.add.f32 ffffffff 0*32\nw0 ld.shared.f32 ffffffff 0+4\nend\n' >$TMP/t
banksim run --per site $TMP/t
banksim run --format json $TMP/t | grep -o '"at_least": [a-z]*'
banksim run --per site --format csv $TMP/t | sed 's/.*,//'

banksim show --shfl idx 3 --device sm_20
banksim emulate shfl_up --run --device sm_20
banksim check --device sm_20 --shared 'int s[32]' --code 'int x = s[lane]; s[lane] = __shfl_sync(0xffffffff, x, 3, 16);'
printf 'banksim-trace 1\nkernel k block=32\nblock 0\nw0 shfl.sync.idx.b32 ffffffff -\nend\n' | banksim run --device sm_20 -
banksim show --shfl idx 3 --device k40 | head -1

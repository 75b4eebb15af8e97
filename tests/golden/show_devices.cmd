banksim show --device k40 --stride 2
banksim show --device k40 --bank-width 8 --stride 1
banksim show --banks 5 --stride 5 --mask 1f
banksim show --banks 64 --stride 1
banksim show --banks 1 --load v2.u32 --mask 3

banksim show --strides 0..33
banksim show --strides 1,2,4..32:4 --load double --device k40 --bank-width 8 --format csv
banksim show --strides 1,32 --store b32 --mask ffff --format json

banksim show --ldmatrix x2 --stride 4
banksim show --stmatrix x1.trans --stride 1 --device sm_90

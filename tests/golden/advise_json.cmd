banksim advise --format json --shared 'half t[8][32]' --ldmatrix x1 '&t[lane % 8][0]'

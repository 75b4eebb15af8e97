banksim check --format json --shared 'half a[16][64]' --ldmatrix x4.trans '&a[lane % 16][lane / 16 * 8]'

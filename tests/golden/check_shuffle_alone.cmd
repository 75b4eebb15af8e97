banksim check --code 'int y = __shfl_sync(0xffffffff, x, 3, 16);'

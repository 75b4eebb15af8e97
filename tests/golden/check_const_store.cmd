banksim check --global 'const float * __restrict__ in' --code 'in[lane] = 1;'

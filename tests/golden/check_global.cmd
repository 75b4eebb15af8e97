# 32 lanes: 8 bytes apart 256 bytes; a word behind a line's begin 1 sector more; rows of 1024 a sector each;
# one word 32 times asked for; 16 bytes each; two accesses of 8 bytes, one of 4 and one of 1.
banksim check --global 'const float *in, float4 *__restrict__ out, const char *text' \
    --load 'in[2 * lane]' --load 'in[lane + 1]' --load 'in[1024 * lane]' --load 'in[7]' \
    --store 'out[lane]' --load '*(double *)&in[2 * lane]' --load 'text[lane]' --if 'lane < 8' --store 'out[3 * lane].w'
# Pointers, allocations 4 GiB apart and atomics, which are not merged as those of shared memory are.
banksim check --block 64 --global 'int a[2][64], *b' --shared 'int s[64]' --emit-trace - --kernel k \
    --code 'int *p = a[1] + 2 * threadIdx.x % 64; s[threadIdx.x] = *p; atomicAdd(&b[lane], 1); atomicAdd(&s[lane], 1);'
banksim check --device k40 --global 'float *in' --load 'in[lane]' --load 'in[lane + 1]' --format json
banksim advise --global 'float *in' --shared 'float s[32][32]' --store 'in[lane]' --load 's[lane][0]' | head -6
banksim check --index 'r: random(64)' --global 'int *in' --load 'in[r]' | tail -2

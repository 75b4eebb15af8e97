# 1, 16 and 32 different words; 8 bytes are one word; 16 are four loads.
banksim check --const 'float c[64]; double d[32]; float4 e[32]' --load 'c[3]' --load 'c[lane / 2]' --load 'c[lane]' \
    --load 'd[lane]' --load 'e[lane]' --format csv
banksim check --const 'float c[64]' --load 'c[lane / 2]' --expect 'passes == 1' --load 'c[0]' --expect 'passes == 1'
printf '%s\n' '__constant__ float c[4], k;' '__device__ float line[64];' '__shared__ float s[64];' \
    's[lane] = c[0] * line[lane] + k;' 'expect sectors + passes + wavefronts <= 4' >$TMP/stencil.check
banksim check $TMP/stencil.check

# Arrays of a thread's own: in registers, but for those with an index that no compiler knows.
banksim check --shared 'float s[32]' --code 'float a[4], b[4], c[2][2], d[4], e[4]; int n = lane & 3;' \
    --for k=0:4 --code 'a[k] = s[k];' --end --code 'b[lane % 4] = s[0]; c[1][n] = 0; d[1] = d[0];' \
    --for 'int i = threadIdx.x; i < 34; i += 32' --code 'e[i & 3] = s[0];' | tail -4
banksim check --global 'float *in' --code 'float x = __ldcg(&in[lane]) + __ldg(in + 2 * lane);' --emit-trace - |
    grep site
banksim check --shared 'float s[32]' --code 'float x = tex1Dfetch<float>(t, lane);' --load 's[lane]'

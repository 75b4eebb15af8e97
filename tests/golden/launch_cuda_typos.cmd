# Slips that nvcc refuses as well: where each is, and no hint at another compiler.
try() {
    printf '%s\n' "$1" >"$TMP/k.cu"
    banksim launch "$TMP/k.cu" 'k<<<1, 32>>>(float[32], 4)' --cycles never --format csv 2>&1 | sed "s,$TMP/,,g"
}
body() {
    try "__global__ void k(float *o, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    $1
}"
}
body 'if (t < 3 {
        o[t] = s[t];
    }'
body 'for (int i = 0; i < n; i++ {
        o[t] += s[i]; s[i] = 0;
    }'
body 'while (t < n {
        o[t] = 1; t += 32;
    }'
body 'o[t] = fmaxf(s[t], 3.0f;'
body 'if (t < 3 o[t] = s[t];'
body 's[t = o[t];'
body 's[t) = o[t];'
body 'if (t < 3) {
        o[t] = s[t];
    o[t] = 1;'
try '__global__ void k(float *o, int n)
{
    o[threadIdx.x] = n;
__global__ void m(float *o, int n)
{
}'
try '__global__ void k(float *o, int n)
{
    o[threadIdx.x] = n;'
body 'o[t] = s[t]; }'
body 'o[t] = s[t]);'
body 'if t < 3) o[t] = 1;'
body 'o t] = 1;'
body 'printf("hello);'
body 'for (int i = 0, i < n; i++) o[t] += s[i];'
body 'for (int i = 0; i < n; i++; t++) o[t] += s[i];'
body 'if (t < 3) o[t] = 1; o[t] = 2; else o[t] = 3;'
body 'flaot x = s[t]; o[t] = x;'
body '__shard__ float r[32]; o[t] = s[t];'
try '__global__ void k(flaot *o, int n) { }'
body 'int index = t; o[indx] = s[t];'
body 'o[t] = blockDim.X;'
body 'o[t] = missing;'
try 'struct P { float mass, speed; };
__global__ void k(P *o, int n) { o[0].mas = 1; }'
try 'struct P { float mass, speed; };
__global__ void k(P *o, int n) { o.mass = 1; }'
# What the file includes may declare it.
try '#include <cfloat>
__global__ void k(float *o, int n) { o[0] = FLT_TRUE_MAX; }'
body 'return s[t];'
body 'float t = o[threadIdx.x]; o[0] = t;'

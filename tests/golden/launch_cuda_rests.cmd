# What nvcc does to loops of an open number of turns, and to branches, is told where counts rest on it, and nowhere else.
cat >"$TMP/k.cu" <<'EOF'
__global__ void shares(int *p, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x, v = 0;
    s[t] = s[t + 64] = p[t];
    __syncthreads();
    int i = 0;
    do
        v += s[t + i] * s[t + i + 1];
    while (++i < n);
    p[t] = v;
}
__global__ void keeps(int *p, int *q, int n)
{
    int i = 0;
    do
        p[threadIdx.x] += q[i];
    while (++i < n);
}
__global__ void alike(int *p)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t & 1)
        s[t] = p[t];
    else
        s[t] = 2 * p[t];
    __syncthreads();
    p[t] = s[63 - t];
}
__global__ void later(int *p, int *q)
{
    int t = threadIdx.x;
    if (t & 1)
        q[t] = p[t + 1] + p[t];
    else
        q[t ^ 1] = p[t + 2] + p[t];
}
__global__ void three(int *p, int n)
{
    int t = threadIdx.x;
    if (t == 0)
        p[t] = 2;
    else if (t == n)
        p[t] = p[t + 1] - p[t - 1];
    else
        p[t] = p[t + 1] + p[t - 1];
}
__global__ void cases(int *p, int *q)
{
    int t = threadIdx.x;
    switch (q[t]) {
    case 1:
        p[t] = 5;
        break;
    case 4:
        p[t] = 7;
        break;
    default:
        p[t + 64] = 2;
    }
}
__global__ void plain(int *p, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x, v = 0;
    if (t & 1)
        s[t] = p[t];
    else
        s[t + 64] = 0;
    __syncthreads();
    for (int i = 0; i < n; i++)
        v += s[t + i] * i;
    #pragma unroll 1
    for (int i = 0; i < n; i++)
        v += s[t + i] * s[t + i + 1];
    for (int i = 0; i < 8; i++)
        v += s[t + i] * s[t + i + 1];
    p[t] = v;
}
EOF
for launch in 'shares<<<1, 64>>>(int[64], 10)' 'keeps<<<1, 64>>>(int[64], int[64], 10)' 'alike<<<1, 64>>>(int[64])' 'later<<<1, 64>>>(int[128], int[64])' 'three<<<1, 32>>>(int[64], 31)' 'cases<<<1, 64>>>(int[128], int[64])' 'plain<<<1, 64>>>(int[64], 10)'; do
    echo "$launch: $(banksim launch "$TMP/k.cu" "$launch" 2>/dev/null | grep -e nvcc -e 'in a loop' | grep -v '^Accesses rest')"
done

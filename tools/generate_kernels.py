#!/usr/bin/env python3
# generate_kernels.py FIRST END - kernels FIRST to END, each drawn by its number: arrays of shared memory of
# several shapes and types, loops, branches, templates, structs; above each a launch. Made by
#
#     tools/generate_kernels.py 0 200 >tests/kernels/generated.cu
#     nvcc -arch=compute_90 -lineinfo -ptx -o generated.ptx tests/kernels/generated.cu
#     build/release/tests/unit/test_cuda_kernels rows tests/kernels/generated.cu generated.ptx \
#         >tests/kernels/generated.rows
#
# with nvcc 13.0.88.
import random
import sys


def kernel(k):
    r=random.Random(k)
    T=r.choice(['float','int','unsigned','double','float2','short','unsigned char','float4'])
    E={'float2':'float','float4':'float'}.get(T,T)
    w=r.choice([16,17,32,33,36]); h=r.choice([8,16])
    bx,by=r.choice([(32,8),(16,8),(64,2),(8,8),(32,4)])
    n=bx*by
    def idx(d=0):
        c=r.randrange(8)
        a=['threadIdx.x','threadIdx.y','t','%d'%r.randrange(8),'(t >> %d)'%r.randrange(4),'(t ^ %d)'%r.randrange(1,16),'(threadIdx.x * %d)'%r.choice([2,3,4,5]),'(t %% %d)'%r.choice([3,5,7,16])][c]
        return a if d or r.random()<.4 else f'({a} {r.choice("++^*")} {idx(1)})'
    sz=w*h
    lines=[]
    mode=r.randrange(3)
    if mode==0: decl=f'__shared__ {T} s[{h}][{w}];'; at=lambda i: f's[({i}) / {w} % {h}][({i}) % {w}]'
    elif mode==1: decl=f'__shared__ {T} s[{sz}];'; at=lambda i: f's[({i}) % {sz}]'
    else: decl=f'__shared__ Cell<{T}, {h}> s[{w}];'; at=lambda i: f's[({i}) % {w}].at(({i}) / {w})'
    u=lambda i: f'(unsigned)({i})'
    v=lambda e: {'float2':f'make_float2({e}, 1)','float4':f'make_float4({e}, 1, 2, 3)'}.get(T,f'({T})({e})')
    get=lambda x: x+'.x' if T in('float2','float4') else x
    lines.append(f'    for (int k = 0; k < {-(-sz//n)}; k++) {{\n        int i = k * {n} + t;\n        if (i < {sz}) {at("(unsigned)i")} = {v("in[i]")};\n    }}')
    lines.append('    __syncthreads();')
    lines.append(f'    {E} sum = 0;')
    for _ in range(r.randrange(1,5)):
        c=r.randrange(7)
        if c==0: lines.append(f'    sum += {get(at(u(idx())))};')
        elif c==1: lines.append(f'    for (int k = 0; k < {r.choice([2,3,4,8])}; k++) sum += {get(at(u(idx()+" + k * "+str(r.choice([1,2,w,w+1])))))};')
        elif c==2:
            p,q=idx(),idx()
            while p==q: q=idx()
            lines.append(f'    if ({idx()} & {r.choice([1,2,4])}) sum -= {get(at(u(p)))}; else sum += {get(at(u(q)))};')
        elif c==3: lines.append(f'    __syncthreads();\n    {at(u("t"))} = {v("sum")};\n    __syncthreads();')
        elif c==4: lines.append(f'    sum = pick<{r.choice([0,1])}>(sum, {get(at(u(idx())))});')
        elif c==5: lines.append(f'    for (int k = {r.choice([1,2])}; k < n; k *= 2) sum += {get(at(u(idx()+" + k")))};')
        else: lines.append(f'    switch (t & 3) {{\n    case 0: sum += {get(at(u(idx())))}; break;\n    case 1: sum -= 1;\n    default: sum += 2;\n    }}')
    lines.append(f'    out[blockIdx.x * {n} + t] = sum;')
    return f'''/* k{k}<<<2, dim3({bx}, {by})>>>(float[640] = random({k}), {E}[{2*n}], 9) */
__global__ void k{k}(const float *in, {E} *out, int n)
{{
    {decl}
    const int t = threadIdx.y * {bx} + threadIdx.x;
'''+'\n'.join(lines)+'\n}\n'
print('''template <typename T, int N> struct Cell {
    T a[N];
    __device__ T &at(unsigned i) { return a[i % N]; }
};
template <int WHICH, typename T> __device__ T pick(T a, T b) { return WHICH ? a + b : a > b ? a : b; }
''')
for k in range(int(sys.argv[1]),int(sys.argv[2])): print(kernel(k))

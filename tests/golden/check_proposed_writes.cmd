# What host code writes to a name behind its declaration: a value is told only where it must be that one at the launch.
try() {
    printf '%s\n' '__global__ void k(int n) { __shared__ int s[96]; s[threadIdx.x] = n; }' 'void get(int *); void set(int by, int &n);' \
        "int main(int c) { $2 }" >"$TMP/k.cu"
    echo "== $1"
    banksim check "$TMP/k.cu" 2>&1 | sed "s,$TMP/,,g" | grep -e '^    ' -e '^What' -e '^Not'
}
# Not known: the block is the array's 96, the number the threads' 64, and the note names them.
for change in 'b += 2;' 'b *= 2;' 'b <<= 2;' 'b++;' '--b;' 'get(&b);' 'scanf("%d", &b);' 'set(1, b);' 'std::cin >> b;' \
    'if (c) b = 64;' 'if (c) { b = 64; } else b = 3;' 'int &r = b; r = 64;' 'auto f = [&] { b = 64; }; b = 8; f();' 'while (b-- > 3) { }'; do
    try "not known: $change" "int b = 32; $change k<<<1, b>>>(1);"
done
try 'not known: a member' 'dim3 b(32); b.x = 64; k<<<1, b>>>(1);'
try 'not known: the condition, the body, a jump of the turn change what a turn has' 'for (int t = 5; t --> 3;) k<<<1, 64>>>(t);'
try 'the same, the body' 'for (int t = 0; t < 3; t++) { k<<<1, 64>>>(t); t++; }'
try 'the same, a jump' 'for (int b = 32; b <= 256; b *= 2) { if (b == 32) continue; k<<<1, b>>>(1); }'
try 'not known: behind its loop' 'int i = 0; for (; i < 3; ++i) { } k<<<1, 64>>>(i);'
try 'not known: what follows from a turn and is changed' 'for (int t = 1; t < 9; t *= 3) { int u = t; u += 1; k<<<1, 64>>>(u); }'
try '256: the last assignment of the block' 'int b = 32; b = 256; k<<<1, b>>>(1);'
try '128: what is assigned is computed; the block inside has another b' 'int b = 1, c = 256; { int b = 7; b = 9; } b = c / 2; k<<<1, b>>>(1);'
try '32, then 64: between assignments' 'int b = 32; k<<<1, b>>>(1); b = 64; k<<<1, b>>>(1);'
try '1 and 2: the loop inside has no turn where t is 0; the break is that of the switch' \
    'for (int t = 0; t < 3; t++) { switch (c) { case 1: break; } for (int u = 0; u < t; u++) k<<<1, 64>>>(t); }'
try '2: what the condition leaves out is not launched' 'for (int t = 1; t < 3; t++) if (t > 1) k<<<1, 64>>>(t);'

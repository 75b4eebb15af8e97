# Arrays of structs. 12 and 20 bytes are 3 and 5 words, odd: no conflict. 24 are 6: lanes 0 and 16 of a
# member meet, and 28 are 7. Of 16 bytes every 8th lane meets: 4 ways, for the member and for each
# of the four words of a whole struct.
ask() { struct=$1; shift; banksim check --struct "$struct" --shared 'P p[64]' "$@" | grep 'structs of\|^No bank'; }
for members in 'x, y, z' 'x, y, z, u, v' 'x, y, z, u, v, w' 'x, y, z, u'; do
    ask "P { float $members; }" --load 'p[threadIdx.x].x' --store 'p[threadIdx.x]'
done
# A union's members are one memory; two accesses of one array have one line.
banksim check --union 'P { float x[4]; int i[4]; }' --shared 'P p[64]' --load 'p[threadIdx.x].x[0]' | grep -c 'structs of'
ask 'P { float x, y; int a, b; }' --load 'p[threadIdx.x].x' --load 'p[threadIdx.x].a'

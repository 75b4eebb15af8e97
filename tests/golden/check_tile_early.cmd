# Lanes at a tile of TMA's: in front of the wait for it, behind it, and behind one of the other parity; wgmma at one whose bytes
# nobody expects.
head='mbarrier full: 1
shared half A[64][64] swizzle 128B, B[64][64] swizzle 128B
global const half a[][4096], b[][4096]
if (threadIdx.x == 96) {
    arrive full, sizeof(A)
    tma load A, a[0][0], full'
try() { printf '%s\n}\n%s\n' "$head" "$1" >"$TMP/t.check"; banksim check --block 128 "$TMP/t.check" 2>&1 | grep -e ^cycles -e :[0-9]*: | sed 's/.*t.check/t.check/'; }
try 'load A[lane][0]
wait full, 0'
try 'wait full, 0
load A[lane][0]' | sed 's/: .*/: some/'
try 'wait full, 1
ldmatrix x4 A[lane % 16][lane / 16 * 8]'
try 'wait full, 1'
head="$head
    tma load B, b[0][0], full"
try 'wait full, 0
wgmma m64n64k16 A[0][0], B[0][0]
wgmma commit_group
wgmma wait_group 0'

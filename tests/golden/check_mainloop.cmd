# A main loop as a sketch: in a file, on a command line, as a trace.
banksim check traces/mainloop.check
for n in 2 3 4; do banksim check traces/mainloop.check --define STAGES=$n | grep -e ^cycles -e ^held; done
banksim check traces/mainloop.check --define N=192 --define 'SHAPE() m64n192k16' | grep -e ^wgmma -e ^cycles
# the epilogue's tile in the other half of shared memory
banksim check traces/mainloop.check --define STAGES=4 | grep -c 'of its stores'
banksim check traces/mainloop.check --define STAGES=5 | grep -c 'of its stores'
banksim check traces/mainloop.check --grid 132 | grep -e ^launch -e ^held
banksim check --block 288 --mbarrier 'full[2]: 1, empty[2]: 2, written[2]: 128' \
    --shared 'half A[2][128][64] swizzle 128B, B[2][128][64] swizzle 128B' \
    --shared 'half C[2][2][64][64] swizzle 128B' \
    --global 'const half a[][4096], b[][4096], half c[][4096]' --let 'g = warp / 4' \
    --if 'warp == 8 && lane == 0' --for k=0:16 --let 's = k % 2' \
    --if 'k >= 2' --wait 'empty[s], k / 2 - 1 & 1' --end \
    --arrive 'full[s], sizeof(A[0]) + sizeof(B[0])' \
    --tma load 'A[s], a[0][64 * k], full[s]' --tma load 'B[s], b[0][64 * k], full[s]' --end --end \
    --if 'warp < 8' --for k=0:16 --let 's = k % 2' --wait 'full[s], k / 2 & 1' \
    --for i=0:4 --wgmma m64n128k16 'A[s][64 * g][16 * i], B[s][0][16 * i]' --end \
    --wgmma commit_group --wgmma wait_group 1 \
    --if 'k > 0 && threadIdx.x % 128 == 0' --arrive 'empty[(k - 1) % 2]' --end --end \
    --wgmma 'wait_group 0' \
    --for j=0:8 --stmatrix x4 'C[g][j / 4][warp % 4 * 16 + lane % 16][j % 4 * 16 + lane / 16 * 8]' --end \
    --fence proxy.async.shared::cta --arrive 'written[g]' --if 'threadIdx.x % 128 == 0' --wait 'written[g], 0' \
    --for j=0:2 --tma store 'C[g][j], c[64 * g][64 * j]' --end --tma commit_group --tma 'wait_group 0' \
    --format csv >"$TMP/line"
banksim check traces/mainloop.check --format csv | cmp - "$TMP/line" && cat "$TMP/line"
banksim check traces/mainloop.check --format json | grep -o '"wgmma m64n128k16", "bytes": 6144, "requests": 128\|"held_up_by": "[^"]*"'
banksim check traces/mainloop.check --expect 'conflicts == 0' >"$TMP/none"; echo "exit $?"
banksim check traces/mainloop.check --emit-trace "$TMP/t.trace" >"$TMP/none"
banksim run "$TMP/t.trace" | grep -e ^cycles -e ^held
grep '^w0 [aw]' "$TMP/t.trace" | tail -n 5
grep '^w0 .*wgmma\|^w0 @3' "$TMP/t.trace" | head -n 1
# an operand in registers, and one that lies [k][n]
banksim check --block 128 --shared 'half B[2][64][64] swizzle 128B' --for i=0:4 \
    --wgmma m64n128k16 'registers, B[0][16 * i][0] major=MN' --end --wgmma commit_group --wgmma wait_group 0
# conflicts of the epilogue
banksim check traces/mainloop.check --stmatrix x4 'plain[lane % 16][lane / 16 * 8]' \
    --shared 'half plain[16][64]' | sed -n '/^stmatrix.*worst/,/Write/p'
try() { banksim "$@" >"$TMP/none"; echo "exit $?"; }
try advise traces/mainloop.check
try check traces/mainloop.check --define 'SHAPE() m64n200k32'
try check traces/mainloop.check --define STAGES=7
try check traces/mainloop.check --define 'SHAPE() m64n192k16'
try check traces/mainloop.check --device sm_80
try check --mbarrier 'full: 1' --wait 'full, 0' --shared 'float a[32]' --load 'a[lane]'
try check --tma
try check --wgmma m64n64k16
# of a store's box the rows behind the array's last are not stored: 64 and 36 of 100, two stores each
sed 's/half c\[\]/half c[100]/' traces/mainloop.check >"$TMP/edge.check"
banksim check "$TMP/edge.check" | grep -e '^tma store' -e ^TMA
# the border of the halves is the SM's: a block behind another one has it elsewhere
banksim check traces/mainloop.check --grid 264 | sed -n '/^4 of/,/^cycles/p'

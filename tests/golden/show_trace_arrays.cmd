# What a check draws, its trace draws: of arrays of all shapes, with layouts, as text and as a figure.
arrays() { sed -n '/: bank of each/,$p'; }
figure() { grep -e 'bank of each' -e '<g><rect'; }
while IFS='|' read -r shared load; do
    banksim check --shared "$shared" --load "$load" --emit-trace $TMP/t >/dev/null
    banksim show --shared "$shared" --load "$load" | arrays >$TMP/a
    banksim show $TMP/t | arrays >$TMP/b
    cmp $TMP/a $TMP/b && echo "$shared, $load: $(grep -c '>' $TMP/b) rows"
    banksim show --format svg --shared "$shared" --load "$load" | figure >$TMP/a
    banksim show --format svg $TMP/t | figure | cmp - $TMP/a && grep -c 'stroke="#111"' $TMP/a
done <<'END'
float tile[32][33]|tile[lane][5]
float tile[32][32] swizzle<5,0,5>|tile[lane][5]
half a[4][64], b[64][64] swizzle 128B|b[lane][2]
double d[8][8][8] pad 1|d[lane / 8][lane % 8][1]
unsigned char c[512]|c[4 * lane]
extern float s[]|s[3 * lane]
struct P { float x; int k[2]; } p[64]|p[lane].k[1]
END
echo; echo '== nobody tells the elements'
printf 'banksim-trace 1\nkernel k block=32 shared=4096 x-shared=raw@128:1024\nblock 0\nw0 ld.shared.f32 ffffffff 128+8\nend\n' |
    banksim show - | arrays
echo; echo '== outside of what is declared: as without'
printf 'banksim-trace 1\nkernel k block=32 shared=4096 x-shared=raw@128:1024\nblock 0\nw0 ld.shared.f32 ffffffff 0+8\nend\n' |
    banksim show - | tail -n 1

# A column, a row and a part of a padded tile; an access across an element, of several, and of two arrays;
# bytes of an array whose elements nobody tells; global memory; a kernel that declares nothing.
cat >$TMP/k.trace <<'T'
banksim-trace 1
kernel k block=32 shared=8192 x-shared=tile@0:float[32][33]+v@4224:float4[8]+p@4352:12[4]+raw@4400:128+s@4528:half[]
block 0
w0 st.shared.f32 ffffffff 0+132
w0 ld.shared.f32 ffffffff 660+4
w0 ld.shared.f32 000000ff 4,8,136,140,268,272,400,404
w0 ld.shared.f32 00000003 4228,4240
w0 ld.shared.v4.f32 00000003 4224,4240
w0 ld.shared.v2.f32 00000001 8
w0 ld.shared.f32 00000003 4352,4368
w0 ld.shared.f32 00000003 132,4404
w0 ldmatrix.sync.aligned.m8n8.x1.shared.b16 ffffffff 4528+16
w0 ld.shared.f32 00000003 4348,4400
w0 ld.shared.v2.f32 00000001 4392
w0 ld.shared.v2.f32 00000001 4400
w0 st.global.f32 ffffffff 0+4
kernel plain block=32 shared=8192
block 0
w0 st.shared.f32 ffffffff 0+132
end
T
banksim run --per request $TMP/k.trace | head -n 15
banksim run --per request --format csv $TMP/k.trace | cut -d, -f 5,6,22- 
echo; echo '== the same element, wherever its layout puts it'
for layout in '' 'pad 1' 'swizzle<5,0,5>' 'rotate 3'; do
    banksim check --shared "float tile[32][32] $layout" --load 'tile[lane][5]' --emit-trace - |
        banksim run --per request --format csv | sed -n 2p | cut -d, -f 7,22-
done
echo; echo '== emulated'
banksim emulate transpose_shared_pad nx=32 ny=16 --run --per request --format csv | cut -d, -f 3,5,7,22- | sort -u | head -n 6
banksim emulate square_set_row_read_col_dyn bdimx=4 bdimy=4 --run --per request --format json 2>/dev/null | sed -n '2,3s/.*"elements/"elements/p'

# A long source line leaves room for what is to be known of its access.
echo 'float sum = shared_values[threadIdx.x * 2 + 0] * weights_of_the_left + shared_values[threadIdx.x * 2 + 1];' >$TMP/k.cu
cat >$TMP/k.ptx <<END
.version 8.0
.target sm_90
.address_size 64
.file 1 "$TMP/k.cu"
.visible .entry k() {
.reg .b32 %r<5>; .reg .f32 %f<3>; .shared .align 8 .b8 s[1024];
mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 3; mov.u32 %r3, s; add.s32 %r4, %r3, %r2;
.loc 1 1 1
ld.shared.f32 %f1, [%r4]; ld.shared.f32 %f2, [%r4+4];
ret;
}
END
banksim launch $TMP/k.ptx 'k<<<1, 32>>>()' --per site --cycles never 2>/dev/null | sed -n 's/.*k.cu:1  //p'

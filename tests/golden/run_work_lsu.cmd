# Loads and stores that no lane does are no requests. A block may have a site and no request before them; a record may say
# 2^32 of them, which takes no memory; and a binary trace has numbers of its own for them, beside groups of copies.
cat >$TMP/site.trace <<'TRACE'
banksim-trace 1
kernel k grid=2 block=128 shared=65536
site 1 ld.shared.f32
site 2 ld.shared.f32
site 3 st.shared.f32
block 0
w0 @1 ffffffff 0+4
w0 @2 ffffffff 0+4
w0 @3 ffffffff 0+4
block 1
w0 work 2 lsu
w0 wgmma.mma_async.sync.aligned.m64n64k16.f16 a=registers b.start=1024 b.lbo=16 b.sbo=1024 b.base=0 b.swizzle=128B b.major=K
w0 work 3 lsu
end
TRACE
banksim run $TMP/site.trace --cycles always | grep -E '^(cycles|total)'
for n in 5 5000 1000000 4000000000; do
    printf 'banksim-trace 1\nkernel k block=32 shared=4096\nblock 0\nw0 ld.shared.u32 ffffffff 0+4\nw0 work %s lsu\nend\n' $n >$TMP/many.trace
    banksim run $TMP/many.trace --cycles always | grep -E '^(cycles|total)'
done
printf 'banksim-trace 1\nkernel k block=32 shared=4096\nblock 0\nw0 ld.shared.u32 ffffffff 0+4\nw0 work 4 lsu wait=0\nw0 work 2:9 tensor\n' >$TMP/binary.trace
printf 'w0 cp.async.commit_group\nw0 cp.async.wait_group 1\nw0 cp.async.wait_all\nend\n' >>$TMP/binary.trace
banksim pack $TMP/binary.trace -o $TMP/binary.bin
banksim unpack $TMP/binary.bin | grep -E 'work|cp'
od -An -v -tu2 $TMP/binary.bin | awk '$1 % 256 == 10 && $1 < 65535 { print $2, $3 }'
for trace in binary.trace binary.bin; do
    banksim run $TMP/$trace --cycles always | grep -E '^(cycles|total)'
done

# Traces of which no advice is to be had, and what does not go with one.
head='banksim-trace 1
kernel k block=32 shared=4096
block 0'
printf '%s\nw0 ld.shared.f32 ffffffff 0+128\nend\n' "$head" >$TMP/k
sed 's/shared=4096/& x-shared=t@0:4096/' $TMP/k >$TMP/named
sed 's/kernel k/kernel _Z19transpose_of_tiles_v/' $TMP/k >$TMP/tiles
printf '%s\nw0 ld.global.f32 ffffffff 0+4\nend\n' "$head" >$TMP/global
printf '%s\nw0 ld.shared.f32 ffffffff 0+4\n' "$head" >$TMP/cut
for words in 'advise k --kernel other' 'advise tiles --kernel transpose' 'advise global' 'advise cut' 'advise k --load t[0]' 'advise k --block 64' 'advise k --shared float\ t[512]' 'advise k --shared float\ t[32][32]\ pad\ 1' 'advise named --shared float\ t[32][33]' 'advise named --shared float\ t[32][32],u[8]' 'check k' 'where k' 'advise nosuch.trace'; do
    eval "set -- $words"
    (cd $TMP && banksim "$@" 2>&1; echo "$?") | head -7
done

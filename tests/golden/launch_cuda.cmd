cd tests/kernels
for launch in 'rows<<<1, dim3(32, 32)>>>(int[1024])' 'columns<<<1, dim3(32, 32)>>>(int[1024])' 'padded<<<1, dim3(32, 32)>>>(int[1024])' \
    'dynamic<<<1, dim3(32, 32), 4224>>>(int[1024])' 'strided<<<1, 32>>>(float[32], 2)' 'strided<<<1, 32>>>(float[32], 33)'; do
    banksim launch square.cu "$launch" --dump 0=$TMP/out --cycles never --format csv 2>/dev/null | cut -d, -f1-5,9-12 | sed "1!s/^/$launch: /; 1{/^kernel/!d}" | grep -v '^kernel' ; od -An -td4 -j 128 -N 8 $TMP/out
done
banksim launch square.cu 'columns<<<1, dim3(32, 32)>>>(int[1024])' --per site --cycles never --format csv 2>/dev/null | cut -d, -f3-6,13-20

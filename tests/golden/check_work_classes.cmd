# Eight warps, 512 steps of 64 multiply-adds and two loads of 16 bytes, one of them in 4 wavefronts or in
# 16: two warps of a partition multiply for 128 clocks a step, the data pipe takes 64 or 160. So 65,536
# against 81,920, if nothing else took any time. As sums of whole numbers the same takes twice as long,
# which hides the conflicts.
for work in '64' '64 fp32'; do
    for at in lane 'lane * 4 % 128'; do
        banksim check --shared 'float4 a[128]' --shared 'float4 b[128]' --block 256 --times 512 \
            --load 'a[lane]' --load "b[$at]" --work "$work" | grep '^cycles'
    done
done
banksim check --shared 'float4 a[128]' --load 'a[lane]' --work '64 fp16'

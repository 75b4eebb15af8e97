# A warp whose threads have all returned is not waited for, be it the first or another; others are.
for which in '>= 32' '< 32' '< 40' '>= 0'; do
    printf 'shared float s[64]\nblock 64\nif (threadIdx.x %s) return;\n__syncthreads();\nstore s[threadIdx.x]\n' "$which" >$TMP/a.check
    banksim check $TMP/a.check --format csv | cut -d, -f1-4; echo "exit $?"
    banksim check $TMP/a.check --emit-trace - | banksim run --hazards --format csv - | cut -d, -f1-3
done
printf 'shared float s[64]\nblock 64\nif (threadIdx.x < 32) __syncthreads();\nstore s[threadIdx.x]\n' >$TMP/a.check
cd $TMP && banksim check a.check; echo "exit $?"

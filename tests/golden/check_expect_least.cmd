# What is expected of an atomic that is a loop is about a warp alone; conflicts are the excessive wavefronts.
cat >$TMP/add.check <<'END'
shared float h[256]
atomicAdd(h + threadIdx.x % 4, 1.0f);
END
for what in 'conflicts == excessive' 'wavefronts == 24' 'conflicts == 0'; do
    banksim check $TMP/add.check --expect "$what" -o /dev/null; echo "exit $?"
done
# Bank conflicts as the profiler counts them: of the loop's loads alone, and one word has none.
banksim check --shared 'float h[64]' --code 'atomicAdd(&h[0], 1.0f);' --emit-trace - | banksim run --metrics ncu - |
    grep op_atom

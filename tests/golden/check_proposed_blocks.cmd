# Where nobody launches a kernel, its block is what its indices deal out; each line runs as it is printed.
cd tests/golden/kernels
banksim check dealt.cu 2>&1
banksim check dealt.cu 2>&1 | grep '^    banksim' | while read -r line; do
    eval "$line --format csv" >"$TMP/out" 2>&1 && echo "$(wc -l <"$TMP/out") lines" || head -1 "$TMP/out"
done

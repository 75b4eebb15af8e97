# A file with kernels and no launch: the launches that it makes, each as a line to type.
cd tests/golden/kernels
for file in transpose reduce product scan histogram; do
    banksim check $file.cu 2>&1
    echo "exit code $?"
done
echo '== each line works as it is printed'
for file in transpose reduce product scan histogram; do
    banksim check $file.cu 2>&1 | grep '^    banksim' | while read -r line; do
        eval "$line --format csv" >"$TMP/out" 2>&1 && echo "$file: $(wc -l <"$TMP/out") lines" || head -1 "$TMP/out"
    done
done
echo '== show and advise; PTX; where'
banksim show reduce.cu 2>&1 | sed -n 2p
banksim advise reduce.cu 2>&1 | sed -n 2p
banksim check ../../ptx/tile.ptx 2>&1; echo "exit code $?"
banksim where 'part[3]' reduce.cu 2>&1 | sed -n 2p

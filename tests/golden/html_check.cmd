# A page that is empty but for what the program needs of it.
version=$(banksim --version | sed 's/^banksim \([^ ]*\).*/\1/')
printf '%s\n' '<!DOCTYPE html>' "<meta name=\"generator\" content=\"banksim $version\">" \
    '<script type="application/json" id="filled">{}</script>' '</html>' >"$TMP/page.html"
export BANKSIM_PAGE=$TMP/page.html
# Statements of the command line as a file has them: braces, a word for each declaration.
banksim check --device k40 --bank-width 8 --shared 'float a[32]; float b[32]' --const 'int c[2]' \
    --for k=0:4 --if 'lane < 4' --load 'c[1]' --else --code 'a[lane] = b[k]' --end --end --load 'a[0]' \
    --expect 'conflicts == 0' --format html | sed 's/"answers": .*<\/script>/"answers": ...<\/script>/'
# A file's stand as they are, and what the command line adds below them.
printf 'block 64\n\nfloat x; // </script>\n__shared__ float s[64];' |
    banksim advise - --load 's[lane]' --best 2 --format html | sed -n 's/, "answers": .*//; /state/p'
# A launch: the file as it stands, and what was said.
cd tests/golden/kernels
banksim advise reduce.cu 'sum<<<1, 256>>>(int[256], int[1])' --device a100 --format html >"$TMP/sum.html"
sed -n 's/, "answers": .*//; /state/p' "$TMP/sum.html"
grep -oF '\"wavefronts\": 8' "$TMP/sum.html" | head -1

# The words of a file are those of the options, whose report it has.
cat >"$TMP/words.check" <<'END'
const float c[64]
const float w[2], v[3];
const int N = 2;
shared float s[N][32]
load c[lane] + v[0]
load w[0]
cp-async ca:16 s[0][lane % 8 * 4]
cp_async cg s[0][0]
END
banksim check "$TMP/words.check" >"$TMP/of_file"
banksim check --const 'float c[64]' --const 'float w[2], v[3]' --define N=2 --shared 'float s[N][32]' \
    --load 'c[lane] + v[0]' --load 'w[0]' --cp-async ca:16 's[0][lane % 8 * 4]' --cp_async cg 's[0][0]' >"$TMP/of_options"
cmp "$TMP/of_file" "$TMP/of_options" && sed 1,6!d "$TMP/of_file"
# With values, or in braces, it is C's.
printf '%s\n' 'const int a[2] = {1, 2};' 'shared float s[4]' 'cp-async ca:17 s[0]' | banksim check -
printf '%s\n' 'shared float s[4]' '{ const float w[2];' 'load w[lane]; }' 'load s[0]' | banksim check -

cat >"$TMP/tile.check" <<END
# The second access is the one that needs the pad.
define PAD=0
block 32,8
shared float tile[32][32 + PAD]
for j=0:32:8 {
expect ideal == requests

store tile[threadIdx.y + j][threadIdx.x]
  expect conflicts == 0     # rows
load tile[threadIdx.x][threadIdx.y + j]
  expect conflicts == 0
}
END
cd "$TMP"
banksim check tile.check --format csv; echo "exit $?"
banksim check tile.check --define PAD=1 --format csv; echo "exit $?"
banksim check - --format csv --expect 'wavefronts < 100' <tile.check >/dev/null; echo "exit $?"
# As an editor of Windows leaves it.
printf '\357\273\277shared float s[32]\r\nload s[lane]\r\n' | banksim check - --format csv

# With work and barriers between accesses plans are told by cycles: the second has more wavefronts than
# the third, at accesses behind which there is other work. Check counts as many for each, declared so.
ask() { what=$1; shift; banksim "$what" --banks 8 "$@" --times 20 --load 's[lane * 2 % 32][1]' \
    --work 8 --end --times 3 --load 's[lane * 2 % 32][1]' --work 20:40 --end \
    --times 5 --load 's[lane / 4][lane % 4]' --end --sync; }
ask advise --shared 'float s[32][32]' | grep -e '^[0-9]' -e wavefronts -e cycles
for layout in '' 'xor 5:1,6:3,7:6,8:12,9:24' 'pad 1' 'row-xor 3,0,2'; do
    ask check --shared "float s[32][32] $layout" | grep '^cycles' | cut -c 1-13
done
ask advise --shared 'float s[32][32]' --format csv | sed 's/.*,//' | tr '\n' ' '
# Of accesses alone, cycles would say what wavefronts say.
banksim advise --shared 'float s[32][32]' --load 's[lane][0]' | grep cycles
echo "exit $?"
# Nor is a plan lost that has more wavefronts than those of other kinds, where few are wanted.
ask advise --shared 'float s[32][32]' --best 2 | grep -e '^[0-9]' -e cycles

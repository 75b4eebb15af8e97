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

# What an index has more operations is in the cycles: a padding with more wavefronts is faster. Check
# counts as many with these instructions in front of each access; one of what was just stored has none.
ask() { what=$1; shift; banksim "$what" --block 256 "$@" --for k=0:8 \
    $index --store 'c[threadIdx.x & 63][threadIdx.x / 64 + 4 * k]' \
    --load 'c[threadIdx.x & 63][threadIdx.x / 64 + 4 * k]' --work 1:5 --end --sync \
    $index --load 'c[threadIdx.x % 16 + 16 * (threadIdx.x / 16 & 3)][threadIdx.x / 16 + (threadIdx.x / 16 & 3)]'; }
index=
ask advise --shared 'short c[64][32]' | grep -e '^[0-9]' -e wavefronts -e cycles -e '^Plan'
for layout in 'pad 2' 'row-xor 4,1,1' 'swizzle<5,1,5>'; do
    ask check --shared "short c[64][32] $layout" | grep '^cycles' | cut -c 1-13
    case $layout in pad*) index='--work 2' ;; *) index='--work 5' ;; esac
done

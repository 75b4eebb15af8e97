# As wide as the terminal, which COLUMNS says: no line is longer, and no more strips than need be.
widest() { awk '{ if (length($0) > n) n = length($0) } END { print n }'; }
for columns in 32 40 80 141 300; do
    for what in '--load float4' '--stride 32 --banks 64' '--ldmatrix x4' '--opcode ld.global.f32 --stride 2'; do
        COLUMNS=$columns banksim show $what | widest
    done | tr '\n' ' '
    COLUMNS=$columns banksim show --load float4 | grep -c '^bank '
done
COLUMNS=40 banksim show --stride 2 --banks 32 --load float2 --mask f
COLUMNS=40 banksim show --opcode ld.global.f32 --stride 6 --mask ff
COLUMNS=wide banksim show --stride 2 | widest

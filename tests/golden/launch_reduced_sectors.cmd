# Release only: counted sectors, of one kernel launched often.
# Sectors of boxes that TMA reduces, some of them partly outside of their tensor, as an H100 counts them.
grep '^reduced' tests/measured/h100/async/reduces_sectors.csv | while IFS=';' read -r launch sectors; do
    banksim launch tests/measured/h100/async/reduces.ptx "$launch" --cycles never |
        sed -n "s/^TMA: 1 reduction, .* bytes, $sectors sectors to L2; .*/as counted/p"
done | sort | uniq -c

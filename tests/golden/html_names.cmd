# A kernel goes by its plain name wherever a person reads it; json and csv keep the mangled one.
launch='sum<<<8, 256, 1024>>>(int[2048] = iota, int[1])'
for form in '--format html' '--metrics ncu' '--format svg' '--format text'; do
    banksim launch tests/ptx/tile.ptx "$launch" --cycles never $form 2>/dev/null >$TMP/report
    echo "$form: $(grep -c _Z3sum $TMP/report) mangled"
done
banksim launch tests/ptx/tile.ptx "$launch" --cycles never --format html 2>/dev/null |
    grep -oE '<title>[^<]*|"row": \{"kernel": "sum"'
banksim launch tests/ptx/tile.ptx "$launch" --cycles never --format csv 2>/dev/null | cut -d, -f1

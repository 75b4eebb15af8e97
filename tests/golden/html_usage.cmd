for words in 'run --format html --per site' 'run --format html --metrics ncu' \
    'emulate square_set_row_read_col --run --format html --per request' \
    'emulate square_set_row_read_col --format html' 'list devices --format html' \
    'where --block 32 --shared float_t[32] --format html'; do
    banksim $words || echo "$words: exit $?"
done 2>&1

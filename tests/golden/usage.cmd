for words in '' 'fly' 'run --frob' 'run --per' 'run --per warp' 'run --format xml' 'run --metrics vtune' \
    'run --run' 'run --per site --metrics ncu' 'run --help=x' 'run -o' 'run -x' 'run --per=' \
    'emulate' 'emulate no_such_kernel' 'emulate square_set_row_read_col --per site' \
    'emulate square_set_row_read_col bdimx' 'emulate square_set_row_read_col colour=1' \
    'emulate square_set_row_read_col bdimx=0' 'list' 'list cats' 'list kernels x' 'list devices k40 x' \
    'list devices sm_91' 'list kernels --per site' 'help fly' 'runn' 'hlep' 'help mereg' 'run --fromat csv' \
    'run -per=site' 'check --sharde x' 'advise --stor x' 'run --hlep' 'run --shared x' 'lesson --bset 1'; do
    banksim $words || echo "$words: exit $?"
done 2>&1

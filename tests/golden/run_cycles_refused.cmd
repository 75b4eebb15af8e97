for options in '--cycles sometimes' '--cycles' '--cycles always --per request' '--cycles always --metrics ncu' \
    '--registers 32 --metrics nvprof' '--registers 32 --cycles never' '--registers 0' '--registers 256' \
    '--registers 65'; do
    # shellcheck disable=SC2086
    banksim emulate square_set_row_read_col --run $options
    echo $?
done
banksim check --shared 'float s[32]' --load 's[lane]' --cycles always
echo $?
# A K80's SM has 131,072 registers, a block of it 65,536.
banksim emulate square_set_row_read_col --run --device k80 --registers 128 2>&1 >/dev/null

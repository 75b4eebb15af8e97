for best in 0 9 x; do
    banksim advise --shared 'float s[32]' --load 's[lane]' --best $best
    echo $?
done
banksim advise
echo $?
banksim advise --shared 'float s[32]' --load 's[lane]' --expect 'conflicts == 0' --emit-trace x
echo $?

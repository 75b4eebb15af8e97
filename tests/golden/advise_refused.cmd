banksim advise --shared 'half t[8][32]' --ldmatrix x1 '&t[lane % 8][0]' --device k40
echo $?
banksim advise --shared 'float s[31]' --load 's[lane]'
echo $?
banksim advise --shared 'char s[100000]' --for 'k=0:65537' --load 's[lane + k]'
echo $?

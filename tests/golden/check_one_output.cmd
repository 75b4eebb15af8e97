# The report and the trace in one file that is not there yet, whatever the names.
cd $TMP
mkdir here
ln -s y ly
printf 'shared float s[32]\nload s[lane]\n' >in.check
for pair in 'y ./y' './y here/../y' 'y ly' 'ly y'; do
    banksim check in.check --emit-trace ${pair% *} -o ${pair#* }; echo "exit $?"
done
banksim check in.check --emit-trace y -o here/y; echo "exit $?"; ls . here

# What cuobjdump's text lacks, or has that is not read: with what to do, and exit code 3; a launch that does not fit: 2.
small=tests/sass/small.sass
run() {
    banksim launch "$TMP/k.sass" "turn<<<1, 32>>>(int[32] = iota, int[32], ${1:-3})" --merge none 2>&1 | sed "s,$TMP/,,"
    banksim launch "$TMP/k.sass" "turn<<<1, 32>>>(int[32] = iota, int[32], ${1:-3})" >"$TMP/none" 2>&1; echo "exit $?"
}
spoil() {
    sed "$@" "$small" >"$TMP/k.sass"; run
}

echo '# without -elf, without -sass, and neither'
sed -n '/code for/,$p' "$small" >"$TMP/k.sass"; run
spoil '/code for/,$d'
spoil 's/^64-bit ELF.*/Fatbin ptx code:/; /code for/d'

echo '# other architectures, and two'
spoil 's/sm=90/sm=75/; s/sm_90/sm_75/'
spoil 's/sm=90/sm=100/; s/sm_90/sm_100/'
{ cat "$small"; sed 's/sm=90/sm=80/; s/sm_90/sm_80/' "$small"; } >"$TMP/k.sass"; run

echo '# not linked, an address that is put in later, and two modules'
spoil '1s/ET_EXEC/ET_REL/'
{ cat "$small"; printf '.section .rela.text.turn\tRELA\n0x50    tab    R_CUDA_ABS32_LO_32    0x0\n'; } >"$TMP/k.sass"; run
{ cat "$small"; sed 's/turn/twice/' "$small"; } >"$TMP/k.sass"; run
{ cat "$small"; cat "$small"; } >"$TMP/k.sass"; run

echo '# code that is not whole: cut behind an instruction, within one, within a line of it, and without the branch'"'"'s goal'
spoil '/0140/,$d'
spoil '/0180/q'
head -c 2600 "$small" >"$TMP/k.sass"; run
spoil '/0190/{N;d;}'

echo '# an opcode that is not known, where the launch comes to it and where it does not'
spoil 's/LDS R/XLDS.Q R/' | tail -n 1
sed 's/BREV/XBREV.Q/' "$small" >"$TMP/k.sass"; run | tail -n 1; run 7 | tail -n 1

echo '# a register where a condition stands'
spoil 's/ISETP.NE.AND P0, PT, R13, 0x7, PT/ISETP.NE.AND P0, PT, R13, 0x7, R5.SIGN/' | head -n 2

echo '# a trap that a launch comes to'
banksim launch tests/sass/forms.sass 'spaces<<<1, 64>>>(unsigned[64] = 2000, unsigned[256])' --format csv 2>&1 >"$TMP/none" | head -n 2

echo '# more parameters than are read'
spoil 's/Ordinal : 0x2/Ordinal : 0x100/'

echo '# launches that do not fit'
for launch in 'sum<<<1, 32>>>()' 'turn<<<1, 32>>>(int[32])' 'turn<<<1, 32>>>(int[32], 3, 4, 5)' 'turn<<<1, 32>>>(int[31], int[32], 3)'
do
    banksim launch "$small" "$launch" 2>&1; echo "exit $?"
done

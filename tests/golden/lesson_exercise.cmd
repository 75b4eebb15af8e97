# An exercise on a terminal, where `script` can make one: lines are changed until all of it holds. What is
# wrong with a line is told, what is asked for stays, hints come one by one; a solution can be kept.
banksim lesson 03-rectangle | head -12
banksim lesson 3-rectangle; echo "exit $?"
printf 'shared float a[32]\nload a[lane]\n' >$TMP/none.check
banksim lesson $TMP/none.check 2>&1 | sed 's,^.*/,,'
if ! script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    sed 1,/terminal/d tests/golden/lesson_exercise.out
    exit
fi
export TERM=dumb
echo "on a terminal"
cat >$TMP/typed <<'END'
h
h
h
5 expect conflicts < 999
d 5
4
4 
d 9
d
4hello
9 sync
2
hello
2 shared int tile
2 shared int tile[16][33]
p
r
h
2 shared int tile[16][36]
2 shared int tile[16][34]
w solved.check
1 block 32
1 block 32,16
2 shared int tile[16][LONG
d 4

2 shared int tile[16][32]
END
cd $TMP
awk '/LONG/ { for (long = "34"; length(long) < 1200;) long = "1 - 1 + " long; sub(/LONG/, long "]") } 1' typed >t && mv t typed
script -qec 'stty -echo rows 99 cols 80; banksim lesson 03-rectangle --style plain' /dev/null <$TMP/typed |
    tr -d '\r' | grep -vxF -f typed | grep '^> \|^Line\|^What should\|^Type .N\|has to\|does not hold\|^Not\|^Solved\|^[0-9].*ways\?$\|^[0-9]* pass'
grep expect solved.check
banksim lesson 03-rectangle solved.check -o /dev/null && echo graded

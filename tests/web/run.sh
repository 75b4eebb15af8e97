#!/bin/sh
# run.sh BANKSIM PAGE ASK - the page that has the library in it: every golden of `check` and `advise` answered by
# its library, the same bytes as the program's; what its sliders write; and the page in a headless
# Chromium and Firefox. Speaks TAP. Needs node, and a browser for the last; what is missing it says, and
# counts as skipped. tests/browser/find.sh says how to name a browser.
set -eu

cd "$(dirname "$0")/../.."
here=$PWD/tests/web
NATIVE=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
PAGE=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
ASK=$(cd "$(dirname "$3")" && pwd)/$(basename "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LOG=$work/log
BELL=$work/bell
export NATIVE PAGE LOG BELL

skip() {
    echo "1..1"
    echo "ok 1 # SKIP no $1 here"
    echo "skipped: no $1 here; 'apt-get install chromium firefox-esr nodejs' or your system's like installs it"
}

command -v node >/dev/null || { skip node; exit 0; }
ln -s "$ASK" "$work/banksim"
mkfifo "$BELL"
node "$here/banksim.mjs" "$BELL" &
server=$!
trap 'kill "$server" 2>/dev/null; rm -rf "$work"' EXIT

# A full disk is the system's, pages and slips of command lines are the program's.
names=$(grep -lE '(banksim|ask|try|hint) .*(check|advise)|banksim (check|advise)' tests/golden/*.cmd |
    xargs grep -L '/dev/full\|^# Program alone' | sed 's,.*/,,; s,\.cmd$,,' | grep -v '^html_')
# shellcheck disable=SC2016,SC2086 # names
printf '%s\n' $names | BANKSIM_BIN=$work WORK=$work xargs -P "$(getconf _NPROCESSORS_ONLN || echo 2)" -n 8 sh -c '
    sh tests/golden/run.sh --tap "$@" >"$WORK/$1.said" || :' run
cat "$work"/*.said
echo "1..$(($(echo "$names" | wc -l) + 1))"
grep '^misfilled' "$LOG" | sed 's/^/# /' || :
if grep -q '^filled' "$LOG" && ! grep -q '^misfilled' "$LOG"; then
    echo "ok - $(grep -c '^filled' "$LOG") pages filled with what the program counts"
else
    echo "not ok - pages filled with what the program counts"
fi
echo "# $(grep -c '^page' "$LOG") reports by the page, $(grep -c '^program' "$LOG" || :) left to the program"

node "$here/text.mjs"

. tests/browser/find.sh
each_browser "$here/page.mjs" skip

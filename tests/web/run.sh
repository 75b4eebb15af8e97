#!/bin/sh
# run.sh BANKSIM PAGE - every golden of `check` and `advise`, answered by the library that is in the page:
# the same bytes as the program's. Needs node; where it is missing says so and counts as skipped.
set -eu

cd "$(dirname "$0")/../.."
here=$PWD/tests/web
NATIVE=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
PAGE=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LOG=$work/log
export NATIVE PAGE LOG

command -v node >/dev/null || {
    echo "1..1"
    echo "ok 1 # SKIP no node here"
    echo "skipped: no node here; 'apt-get install nodejs' or your system's like installs it" >&2
    exit 0
}
printf '#!/bin/sh\nexec node "%s/banksim.mjs" "$@"\n' "$here" >"$work/banksim"
chmod +x "$work/banksim"

# A full disk is the system's.
names=$(grep -lE '(banksim|ask|try|hint) .*(check|advise)|banksim (check|advise)' tests/golden/*.cmd |
    xargs grep -L /dev/full | sed 's,.*/,,; s,\.cmd$,,')
status=0
# shellcheck disable=SC2086
BANKSIM_BIN=$work sh tests/golden/run.sh $names >"$work/said" || status=1
cat "$work/said"
echo "# $(grep -c '^page' "$LOG") reports by the page, $(grep -c '^program' "$LOG" || :) left to the program"
exit $status

#!/bin/sh
# run.sh BANKSIM - looks at the pages of `--format html` in a headless Chromium and Firefox; see run.mjs. Needs
# node and a browser, nothing from npm. What is missing it says, and counts as skipped. find.sh says how
# to name a browser.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
BANKSIM=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
export BANKSIM
. "$here/find.sh"

skip() {
    echo "1..1"
    echo "ok 1 # SKIP no $1 here"
    echo "skipped: no $1 here; 'apt-get install chromium firefox-esr nodejs' or your system's like installs it" >&2
}

command -v node >/dev/null || { skip node; exit 0; }
[ "$(node -p 'parseInt(process.versions.node)')" -ge 18 ] || { skip "node 18 or newer"; exit 0; }
each_browser "$here/run.mjs" skip

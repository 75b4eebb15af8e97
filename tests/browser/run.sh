#!/bin/sh
# run.sh BANKSIM - looks at the pages of `--format html` in a headless Chromium; see run.mjs. Needs
# node and chromium, nothing from npm. Where one is missing it says so and counts as skipped.
# CHROMIUM names the browser if it has another name than those below.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
BANKSIM=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
export BANKSIM

skip() {
    echo "1..1"
    echo "ok 1 # SKIP $1"
    echo "skipped: $1; 'apt-get install chromium nodejs' or your system's like installs it" >&2
    exit 0
}

for name in "${CHROMIUM:-chromium}" chromium chromium-browser google-chrome chrome; do
    CHROMIUM=$(command -v "$name") && break
    CHROMIUM=
done
export CHROMIUM
[ -n "$CHROMIUM" ] || skip "no chromium here"
command -v node >/dev/null || skip "no node here"
[ "$(node -p 'parseInt(process.versions.node)')" -ge 18 ] || skip "node is older than 18"
exec node "$here/run.mjs"

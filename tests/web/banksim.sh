#!/bin/sh
# banksim.sh ARG... - the program, but that `check` and `advise` are answered by banksim.mjs, which waits at
# the pipe `bell` beside this file.
set -eu

case ${1-} in
check | advise) ;;
*) exec "$NATIVE" "$@" ;;
esac

call=$(mktemp -d "${0%/*}/call.XXXXXX")
trap 'rm -rf "$call"' EXIT
printf '%s\0' "$@" >"$call/args"
env -0 >"$call/env"
pwd >"$call/directory"
: >"$call/in"
for arg; do
    [ "$arg" != - ] || [ -s "$call/in" ] || cat >"$call/in"
done
mkfifo "$call/done"
echo "$call" >"${0%/*}/bell"
read -r status <"$call/done"

if [ "$status" = program ]; then
    status=0
    "$NATIVE" "$@" <"$call/in" || status=$?
else
    cat "$call/out"
    cat "$call/err" >&2
fi
exit "$status"

for trace in cli_reverse cli_race cli_small cli_spaces; do
    for form in text csv json '-per site' '-per request' '-metrics ncu' '-metrics nvprof'; do
        case $form in -*) set -- -$form;; *) set -- --format $form;; esac
        banksim run "$@" tests/golden/traces/$trace.trace >$TMP/without
        banksim run --hazards "$@" tests/golden/traces/$trace.trace >$TMP/with 2>$TMP/err
        echo "$trace $*: exit $?, $(cmp $TMP/without $TMP/with && echo the same)"
    done
done

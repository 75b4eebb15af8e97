# Release only: findings, which test_hazard looks at under the sanitizers, too.
# What is said of each kernel of faults.cu, beside which tools of compute-sanitizer find something on an H200.
sed -n 's,^// \(launch\|finds\): ,,p' tests/ptx/faults.cu | while read -r launch && read -r finds; do
    echo "${launch%%<*} ($finds)"
    banksim launch tests/ptx/faults.ptx "$launch" --hazards --cycles never --format csv 2>&1 >$TMP/out |
        grep -v '^ \|^Counts rest\|^not looked\|^in a warp\|site is in a loop\|sites are in\|hazards* found$' |
        sed 's,^tests/ptx/faults.ptx:[0-9:]* ,,; s,tests/ptx/,,g; s,^,    ,'
done

# What is said to hold a wgmma up is what its own wavefronts, clocks and N / 2 say, of every N and with A in either place.
for a in "" "--a registers"; do
    n=8
    while [ $n -le 256 ]; do
        echo "n $n"
        banksim show --wgmma "m64n${n}k16 f16" $a
        n=$((n + 8))
    done
done | awk '
    $1 == "n" { tensor = $2 / 2; next }
    / wavefronts of/ {
        wavefronts = $1; clocks = $(NF - 5)
        most = wavefronts > tensor ? wavefronts : tensor
        want = clocks > most ? "longer" : wavefronts > tensor ? "Shared memory" : wavefronts == tensor ? "every turn" : \
            sprintf("leaves %.0f %%", 100 - 100 * wavefronts / clocks)
        next
    }
    want != "" { n++; found[want ~ /leaves/ ? "leaves" : want]++; if (!index($0, want)) print "not \"" want "\": " $0; want = "" }
    END { print n " of 64: " found["longer"] " longer, " found["Shared memory"] " shared memory, " found["every turn"] " every turn, " found["leaves"] " leave some" }'

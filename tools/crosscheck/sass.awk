# sass.awk - counts the memory instructions of each kernel in the output of cuobjdump -sass.
#
# Writes kernel,instruction,count. A count_ kernel of one instruction holds it once, its time_ twin
# UNROLL times; the rest is the kernel's own reading and writing (LDC, LDG, STG, RED).

/Function :/ {
    kernel = $3
    sub(/^_Z(L)?[0-9]+/, "", kernel)
    sub(/3job$/, "", kernel)
    next
}

/^[ \t]*\/\*[0-9a-f]+\*\// {
    word = $2
    if (word ~ /^@/)
        word = $3 " (predicated)"
    sub(/;.*/, "", word)
    if (word ~ /^(LD|ST|ATOM|RED|UBLKCP|LDSM|STSM)/)
        count[kernel "," word]++
}

END {
    print "kernel,instruction,count"
    for (key in count)
        print key "," count[key] | "sort"
}

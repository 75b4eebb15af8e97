# join.awk - puts the profiler's counts beside what was launched.
#
#     awk -f join.awk -v head=NAMES -v keep=METRICS ORDER RAW
#
# ORDER: what the program printed, one row per launch, whose columns are NAMES. RAW: ncu --csv
# --page raw of the same run. The n-th launch is the n-th row of both. Writes kernel (what the
# profiler calls it), the order's columns and those of METRICS that the profiler has; the counts
# are those of the whole launch. Both lists are separated by commas.

# Splits a line of quoted fields into part[1..]; returns how many.
function cut(line)
{
    sub(/^"/, "", line)
    sub(/"\r?$/, "", line)
    return split(line, part, /","/)
}

BEGIN {
    n_wanted = split(keep, wanted, ",")
}

FNR == NR {
    order[++n_order] = $0
    next
}

!/^"/ {
    next
}

!n_columns {
    n_columns = cut($0)
    for (i = 1; i <= n_columns; i++)
        column[part[i]] = i
    line = "kernel," head
    for (i = 1; i <= n_wanted; i++) {
        if (wanted[i] in column) {
            metric[++n_metrics] = column[wanted[i]]
            line = line "," wanted[i]
        }
    }
    print line
    next
}

{
    cut($0)
    if (part[column["ID"]] == "")
        next # the row of units
    name = part[column["Kernel Name"]]
    sub(/\(.*/, "", name)
    line = name "," order[++n]
    for (i = 1; i <= n_metrics; i++) {
        value = part[metric[i]]
        gsub(/,/, "", value)
        line = line "," value
    }
    print line
}

END {
    if (n != n_order) {
        print "join.awk: " n_order " launches, " n + 0 " profiled" >"/dev/stderr"
        exit 1
    }
}

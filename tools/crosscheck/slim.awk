# slim.awk - one request per row, with what it is and the few counts that are compared.
#
#     awk -f slim.awk -v columns=NAMES -v sums=SUMS [-v kind=single] [-v less=FILE] TIMES JOINED
#
# JOINED: join.awk's rows. Writes those of the kind, if one is given: the columns NAMES as they
# are, then for each word NAME=PATTERN of SUMS the sum of the columns whose names match, then
# cycles_per_request_16_warps from TIMES, a file of such rows (or /dev/null), where NAMES agree.
#
# The sums are divided by the launch's number of requests, the column trips: a fraction means that a
# counter saw something else, and no test will take it. With `less`, rows of the same launches with
# fewer trips: their counts, the kernel's own among them, are subtracted first, and so are theirs.

# The values of the columns NAMES.
function key(    i, text)
{
    for (i = 1; i <= n_names; i++)
        text = text (i > 1 ? "," : "") $(column[name[i]])
    return text
}

function sum(s,    i, total)
{
    for (i in used)
        if (used[i] == s)
            total += $i
    return total + 0
}

function read_head(    i)
{
    delete column
    for (i = 1; i <= NF; i++)
        column[$i] = i
}

# The counts of the launches with fewer trips, by row.
function read_less(    n)
{
    while ((getline <less) > 0) {
        if (/^kernel,/) {
            read_head()
            find_used()
        } else if (!/^#/) {
            n++
            for (s = 1; s <= n_sums; s++)
                before[n, s] = sum(s)
            trips_before[n] = $(column["trips"])
        }
    }
}

function find_used(    i, s)
{
    delete used
    for (s = 1; s <= n_sums; s++)
        for (i in column)
            if (i ~ pattern[s])
                used[column[i]] = s
}

BEGIN {
    FS = OFS = ","
    n_names = split(columns, name, ",")
    n_sums = split(sums, word, " ")
    line = columns
    for (s = 1; s <= n_sums; s++) {
        line = line "," substr(word[s], 1, index(word[s], "=") - 1)
        pattern[s] = substr(word[s], index(word[s], "=") + 1)
    }
    print line ",cycles_per_request_16_warps"
    if (less != "")
        read_less()
}

/^#/ {
    next
}

/^(kernel|opcode),/ {
    read_head()
    find_used()
    next
}

FILENAME == ARGV[ARGC - 2] {
    cycles[key()] = $(column["cycles_per_request_16_warps"])
    next
}

{
    row++
}

kind == "" || $(column["kind"]) == kind {
    line = key()
    for (s = 1; s <= n_sums; s++)
        line = line "," (sum(s) - before[row, s]) / ($(column["trips"]) - trips_before[row])
    print line "," cycles[key()]
}

#!/bin/sh
# run.sh [FILE] - the table of the texts, traces/TEXTS.md (or FILE): every row is answered, and every
# command still prints what stands below it.
#
#     | 000.2 | 1 | at best 1 transaction, at worst 32 | 1 and 32 |
#     $ banksim show --strides 1,32 --format csv | cut -d, -f1,5 # 000.2
#
# A row is answered by a command that ends with its number, or by another row that its last cell
# names ("as 000.49"), or says there why it has none, with the word "outside". Rows are
# numbered from 1 in each text. The commands are run by tests/readme/run.sh.
set -eu

cd "$(dirname "$0")/../.."
file=${1:-traces/TEXTS.md}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

awk -v file="$file" '
    function complain(line, text) {
        printf "FAIL %s:%d: %s\n", file, line, text
        bad++
    }
    /^```/                    { block = block ? 0 : $0 == "```console"; next }
    block && /^\$ /           { command = 1 }
    block && command          {
        if (match($0, / # [0-9. ]+$/)) {
            n = split(substr($0, RSTART + 3), tag, " ")
            for (i = 1; i <= n; i++) answered[tag[i]] = NR
        }
        command = /\\$/
    }
    /^\| [0-9]+\.[0-9]+ \|/ {
        row = $2
        split(row, part, ".")
        if (part[2] != ++last[part[1]]) complain(NR, "row " row " is not the next one")
        line[row] = NR
        order[++rows] = row
        cells = split($0, cell, "|")
        answer[row] = cell[cells - 1]
    }
    END {
        for (r = 1; r <= rows; r++) {
            row = order[r]
            if (row in answered || answer[row] ~ /outside/) continue
            if (match(answer[row], /as [0-9]+\.[0-9]+/) &&
                substr(answer[row], RSTART + 3, RLENGTH - 3) in line) continue
            complain(line[row], "row " row " has no command and no reason why")
        }
        for (row in answered) {
            if (!(row in line)) complain(answered[row], "there is no row " row)
        }
        if (rows == 0) complain(1, "no rows")
        printf "%d passed, %d failed\n", rows - bad, bad
    }
' "$file" >"$log"
sh tests/readme/run.sh "$file" >>"$log" || :
awk '/^[0-9]+ passed, [0-9]+ failed$/ { passed += $1; failed += $3; next }
     { print }
     END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 || passed == 0 }' "$log"

# Release only: a check of each of many candidates.
# Check reads layouts by the names that advise gives them, and counts as many wavefronts: a third of the
# candidates for rows, planes, an array of one dimension and one of halves that are read by 16 bytes.
while IFS='|' read -r block array one other; do
    banksim advise --block "$block" --shared "$array" --load "$one" --load "$other" --all --format json |
        sed -n 's/.*"wavefronts": \([0-9]*\),.*"shared_bytes": \([0-9]*\),.*"layout": "\([^"]*\)".*/\1 \2 \3/p' |
        sed -n 's/\\u003c/</; s/\\u003e/>/; p;n;n' >"$TMP/candidates"
    while read -r wavefronts bytes layout; do
        banksim check --block "$block" --shared "$array $layout" --load "$one" --load "$other" \
            --format csv >"$TMP/counts"
        awk -F, -v w="$wavefronts" -v b="$bytes" -v of="$array $layout" '
            NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } }
            NR > 1 { sum += $(at["wavefronts"]); bytes = $(at["shared_bytes"]) }
            END { if (sum != w || bytes != b) { print of ": " sum " wavefronts, not " w "; " bytes ", " b } }
        ' "$TMP/counts"
    done <"$TMP/candidates"
    echo "$array: $(wc -l <"$TMP/candidates" | tr -d ' ')"
done <<'END'
32,32|float tile[32][32]|tile[threadIdx.y][threadIdx.x]|tile[threadIdx.x][threadIdx.y]
64|float t[4][8][8]|t[lane / 8][lane % 8][0]|t[0][lane / 4][lane % 4]
32|float s[1024]|s[32 * lane]|s[lane]
32|half a[16][64]|*(float4 *)&a[lane % 16][lane / 16 * 8]|a[lane % 16][0]
END

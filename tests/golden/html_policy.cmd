# The policy of a page names its script and its style by their digests, which stand in page.c.
banksim run --format html traces/copy_col.trace >$TMP/page.html
(cd src/report/page && cat words.js data.js tables.js array.js banks.js drawing.js stepper.js parts.js compare.js) >$TMP/page.js
cp src/report/page/page.css $TMP
for part in js css; do
    octal=$(sha256sum "$TMP/page.$part" | cut -c1-64 | sed 's/../& /g' |
        awk 'function digit(c) { return index("0123456789abcdef", c) - 1 }
             { for (i = 1; i <= NF; i++)
                   printf "\\%03o", 16 * digit(substr($i, 1, 1)) + digit(substr($i, 2, 1)) }')
    digest=$(printf "$octal" | base64)
    grep -qF "src 'sha256-$digest'" $TMP/page.html && echo "page.$part: its digest" ||
        echo "page.$part: the digest is $digest"
done

for words in '' '--ncu' '--ncu -' '--ncu - -' '--ncu r.csv - -' '--ncu r.csv --tolerance x' \
    '--ncu r.csv --tolerance 1.' '--ncu r.csv --tolerance -1' '--ncu r.csv --per site'; do
    banksim compare $words || echo "$words: exit $?"
done 2>&1

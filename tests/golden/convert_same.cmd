banksim convert <traces/example.traceg -o "$TMP/t" && for t in traces/example.traceg "$TMP/t"; do banksim run --format csv --per site --cycles never "$t"; done

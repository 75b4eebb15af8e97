banksim run --per site --cycles never --format csv tests/golden/traces/remarks.traceg

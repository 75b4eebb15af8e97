banksim run --cycles never traces/example.traceg

head -c 1000 traces/example.traceg | banksim run -

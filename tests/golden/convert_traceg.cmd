banksim convert traces/example.traceg

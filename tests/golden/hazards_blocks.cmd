banksim run --hazards --format csv tests/golden/traces/blocks.trace | cut -d, -f1-3

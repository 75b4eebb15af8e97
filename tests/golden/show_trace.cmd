trace=tests/golden/traces/cli_small.trace
banksim show $trace
banksim show $trace --worst 2
banksim show - --site 1 <traces/example.trace
banksim show traces/example.trace --event 8 | head -3
banksim show traces/example.trace --event 0:0:1 | head -3
banksim show traces/example.trace --event example:0,0,0:0:0 | head -3
banksim show traces/example.trace --device k40 --event 8 | tail -2

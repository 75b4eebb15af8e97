banksim run --per site traces/mainloop.trace | sed -n '3,20p'
banksim pack traces/mainloop.trace -o $TMP/mainloop.bin
banksim unpack $TMP/mainloop.bin | tail -n 3
banksim run --cycles never $TMP/mainloop.bin | sed -n '/^wgmma/,/^TMA/p'
banksim run --format csv --per site --cycles never $TMP/mainloop.bin | cut -d, -f2-7
banksim run --device sm_80 traces/mainloop.trace
banksim run --device sm_100 traces/mainloop.trace
banksim run --hazards traces/mainloop.trace 2>&1 >$TMP/none

banksim launch tests/ptx/tile.ptx 'sum<<<8, 256, 1024>>>(int[2048] = iota, int[1])' --format csv --dump 1=$TMP/sum -o $TMP/csv && cut -d, -f1-8,34-36 $TMP/csv && od -An -td4 $TMP/sum

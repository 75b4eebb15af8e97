# The shared side of a copy: 16 bytes, rows of 128 bytes, so that 8 lanes of a quarter meet.
cd "$TMP"
banksim check --shared 'float a[32][32]' --cp-async ca:16 '&a[lane][0]' --emit-trace t.trace \
    --format csv
tail -n 2 t.trace
banksim check --shared 'float a[32]' --cp-async ca 'a[lane]' | grep 'in a row'
banksim check --shared 'float a[32][32]' --cp-async cg '&a[lane][0]' 2>&1; echo "exit $?"

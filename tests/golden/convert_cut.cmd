head -c 1000 traces/example.traceg | banksim convert -o "$TMP/t"; echo $?; ls "$TMP"

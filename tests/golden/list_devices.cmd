banksim list devices k40 | sed -n '1,2p; /bank of a byte/p; /pair rule/p'
banksim list devices --format csv | cut -d, -f1-3 | sed -n '1p; /^sm_90,pair rule/p; /^sm_70,ldmatrix/p'
banksim list devices H200 --format csv | cut -d, -f1 | sort -u

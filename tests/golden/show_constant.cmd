banksim show --const 'float c[64]' --load 'c[7]' --load 'c[lane / 8]' --load 'c[lane]'
banksim show traces/constant_divergent.trace --site 1 --format json
banksim show --opcode ld.const.f32 --stride 3 --format svg | grep -c '^<rect'

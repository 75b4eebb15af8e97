for d in sm_20 p100 gtx980 t4 sm_90; do banksim check --device $d --shared 'float s[32]' --load 's[lane]' | grep rests; done

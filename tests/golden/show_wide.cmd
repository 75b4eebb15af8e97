banksim show --load v4.f32 --stride 8
banksim show --load float4 --mask ff00 --stride 1
banksim show --load b64 --stride 0

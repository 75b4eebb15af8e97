banksim show --atomic add --stride 0
banksim show --atomic cas b64 --stride 16 --mask 10001 --all
banksim show --opcode red.shared.popc.inc.u32 --stride 0
banksim show --opcode cp.async.ca.shared.global.16 --stride 0 --mask 3
banksim show --atomic add --addresses 0,0,128

banksim list opcodes | sort | uniq -d
banksim list opcodes --format csv | sed -n '1p; /^ldmatrix/p; /^shfl/p; /^bar/p'
test "$(banksim list opcodes)" = "$(banksim list opcodes --names)"

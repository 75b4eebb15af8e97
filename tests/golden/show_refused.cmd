try() { banksim show "$@"; echo "exit $?"; }
try
try --load
try --load b33
try --load 'tile[threadIdx.x]'
try --load b32 --store b32
try --atomic foo
try --opcode ld.local.u32
try --opcode bar.sync
try --ldmatrix x4 --device sm_70
try --ldmatrix x2 --addresses 0,16
try --ldmatrix x2 --mask ff
try --stride 1x
try --stride -1
try --stride 9000
try --stride "$(seq -s, 1 65)"
try --addresses 0,4,
try --addresses 0*33
try --addresses 0*0
try --addresses 2
try --addresses 232448
try --addresses 0,4 --mask 7
try --addresses 0,4 --stride 2
try --mask 0
try --mask 123456789
try --strides 5..1
try --strides 1..9999
try --strides 1..3 --stride 2
try --format csv --stride 1
try --style x --stride 1
try --strides 1..3 --format svg
try --stride 1 --format xml
try --event 3
try traces/example.trace --stride 1
try traces/example.trace --event 99
try traces/example.trace --event 0:0
try traces/example.trace --event 8 --site 1
try traces/example.trace --site 0
try traces/example.trace --site 9
try traces/example.trace --worst 3
try traces/example.trace traces/example.trace
try README.md
try nowhere.trace
try --shared 'float a[32]' --load 'a[threadIdx.x]' --stride 2
try --shared 'float a[32]' --if 'lane < 0' --load 'a[0]'
try --shared 'float a[32]' --load 'a[threadIdx.y]' --format csv
try traces/example.trace --site 4294967296

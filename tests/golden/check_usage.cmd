try() { banksim check "$@"; echo "exit $?"; }
try
try --load
try --atomic add
try --atomic
try --shard 'float a[1]'
try a b
try --per site --load 'a[0]'
try --load= --shared 'int a[1]'

# Two rings of two buffers: the one waits for the copies that it has just begun, the other for those of the turn before.
# The third does not say when its copies are awaited, and has no wait.
cd "$TMP"
{
    echo banksim-trace 1
    for wait in 'w0 cp.async.wait_group 0' 'w0 cp.async.wait_group 1' ''; do
        echo kernel ring block=32 shared=1024
        echo block 0
        echo repeat 10
        echo w0 cp.async.cg.shared.global.16 ffffffff 0+16 from=0+16
        echo w0 cp.async.commit_group
        echo "$wait"
        echo w0 ld.shared.u32 ffffffff 512+4
        echo w0 work 1 wait=0
        echo done
    done
    echo end
} >t.trace
banksim run t.trace | sed -n -e '/^kernel  cycles/,/^$/p' -e /cp.async/p | sed 's/^\(ring *[0-9]*\) .*/\1/'
banksim pack t.trace | banksim unpack - | grep -c cp.async.wait
banksim run --device sm_80 t.trace 2>&1 | grep 'Waits for'
# The words have no lanes.
sed 's/wait_group 1/wait_group ffffffff/' t.trace | banksim run -

# Reads of what a cp.async has on its way, in a sketch that waits for its copies: who reads too soon is told of, with what to put.
# A wait for a group where nothing is in one waits for nothing.
cd "$TMP"
head='block 64
shared float s[2][64]
mbarrier full: 64
global const float *in
cp_async ca:4 s[0][threadIdx.x], in[threadIdx.x]'
say() {
    printf '%s\n' "$head" "$@" >t.check
    echo "--- $*"
    banksim check t.check 2>&1 | grep -E '^t.check|^cycles'
}
own='load s[0][threadIdx.x]'
say 'cp_async wait_group 0' "$own"
say 'cp_async commit_group' 'cp_async wait_group 1' "$own"
say 'cp_async commit_group' 'cp_async wait_group 0' "$own"
say "$own" 'cp_async wait_all'
say 'cp_async wait_all' 'cp_async ca:4 s[1][threadIdx.x], in[64 + threadIdx.x]' "$own"
say 'cp_async wait_all' 'cp_async ca:4 s[1][threadIdx.x], in[64 + threadIdx.x]' 'atomicAdd(&s[1][threadIdx.x], 1);'
# Nobody says when copies are awaited: nothing is looked for.
say "$own"
# At an mbarrier: the copies are its arrivals, or come besides.
say 'cp_async arrive noinc full' "$own"
say 'cp_async arrive noinc full' 'wait full, 0' "$own"
say 'cp_async arrive full' 'arrive full' 'wait full, 0' "$own"
say 'cp_async arrive full' 'wait full, 0' "$own"
say 'cp_async arrive noinc full' 'arrive full' 'wait full, 0'
say 'times 2' 'cp_async arrive noinc full'
# Another warp's reads, behind a barrier.
head=$(printf '%s\n' "$head" | grep -v mbarrier)
other='load s[0][63 - threadIdx.x]'
say 'cp_async commit_group' 'cp_async wait_group 0' sync "$other"
say 'cp_async commit_group' sync 'cp_async wait_group 0' "$other"
say 'cp_async commit_group' sync "$other" 'cp_async wait_group 0'
say 'if (warp == 0) cp_async wait_all' sync "$other"
say 'cp_async arrive other'
# The trace has the arrivals.
printf '%s\n' "$head" 'mbarrier full: 64' 'cp_async arrive noinc full' 'wait full, 0' "$own" | banksim check - --emit-trace - | grep '^w0'

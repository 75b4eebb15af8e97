# Atomics in loops of the kernel's own, and of numbers that ptxas knows, are requests with conflicts.
banksim launch tests/sass/histogram.sass 'turns<<<1, 64>>>(float[128] = random(1), int[64] = random(2), float[64] = random(3), 9)' --per site | grep shared.add
banksim launch tests/sass/histogram_80.sass 'masks<<<1, 64>>>(unsigned long[192] = random(1), int[64] = random(2))' --per site | grep -c '^ *[0-9].*shared.\(and\|x\?or\).b64'

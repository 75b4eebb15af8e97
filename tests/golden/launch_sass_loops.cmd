# Additions of floats that ptxas made loops of are one request each, as from PTX, at the line of the loop's trial.
banksim launch tests/sass/loops.sass 'floats<<<1, 64>>>(float[128] = random(1), int[64] = random(2), float[68] = random(3))' --per site --cycles always
banksim launch tests/sass/loops.sass 'orders<<<1, 64>>>(long[128] = random(1), int[64] = random(2), long[68] = random(3))' --per site --cycles always | grep shared.m

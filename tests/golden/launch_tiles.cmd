# What a descriptor reads of TMA's tiles: the swizzle of both, where the tile begins, the base offset, boxes of 16 bytes a row.
# Nothing is said of what lies as it is read, nor of what may be meant: tiles that threads stored over, boxes of one row, and
# rows of a whole tensor without a swizzle, which may lie there as core matrices.
of() { # KERNEL SIDES BOX SWIZZLE PLAN: start, boxes, step, bytes, LBO, SBO, swizzle, base offset, stores
    echo "$*"
    banksim launch tests/ptx/tiles.ptx "$1<<<1, 128, 32768>>>(tensormap half $2 box=$3 swizzle=$4 = random, float[512], {$5})" \
        --cycles never 2>&1 | grep -E '^(warning|error)'
}
of tile 128x64 64x64 128B '0, 1, 0, 8192, 16, 1024, 1, 0, 0'
of tile 128x64 64x64 128B '128, 1, 0, 8192, 16, 1024, 1, 0, 0'
of tile 128x64 32x64 64B '0, 1, 0, 4096, 16, 512, 2, 0, 0'
of tile 128x64 16x64 32B '0, 1, 0, 2048, 16, 256, 3, 0, 0'
of tile 128x64 8x64 none '0, 2, 8, 1024, 1024, 128, 0, 0, 0'
of turned 128x64 64x16 128B '0, 1, 0, 2048, 16, 1024, 1, 0, 0'
echo; echo "mixed up:"
of tile 128x64 64x64 none '0, 1, 0, 8192, 16, 1024, 1, 0, 0'
of turned 128x64 64x16 none '0, 1, 0, 2048, 16, 1024, 1, 0, 0'
of tile 128x64 64x64 128B '0, 1, 0, 8192, 16, 512, 2, 0, 0'
of tile 128x128 32x128 64B '0, 1, 0, 8192, 16, 1024, 1, 0, 0'
of tile 128x64 64x64 128B '0, 1, 0, 8192, 128, 256, 0, 0, 0'
of tile 128x64 64x64 128B '128, 1, 0, 8192, 16, 1024, 1, 1, 0'
of tile 128x64 64x64 none '0, 1, 0, 8192, 128, 256, 0, 0, 0'
echo; echo "may be meant:"
of tile 64x64 64x64 none '0, 1, 0, 8192, 128, 256, 0, 0, 0'
of tile 64x64 64x64 none '0, 1, 0, 8192, 16, 1024, 1, 0, 1024'
of tile 4096x1 64x1 none '0, 64, 64, 128, 16, 1024, 1, 0, 0'
true

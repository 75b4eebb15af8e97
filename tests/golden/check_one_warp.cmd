# 003, slide 28: why conflicting stores rank otherwise with one warp alone.
tile() {
    banksim check --block "$1" --global 'const float *in' --shared 'float s[32][32]' --code "$2" |
        grep -A 2 '^with'
}
tile 32 's[warp][lane] = in[32 * lane + warp];'
tile 32 's[lane][warp] = in[32 * warp + lane];'
tile 64 's[warp][lane] = in[32 * lane + warp];'
tile 64 's[lane][warp] = in[32 * warp + lane];'
tile 32 's[warp][lane] = in[32 * warp + lane];'

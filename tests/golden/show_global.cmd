# 003's figures: two lines, three lines, a word behind the line's begin, coalesced.
banksim show --global 'float *in' --load 'in[2 * lane]' --load 'in[3 * lane]' --load 'in[lane + 1]' --load 'in[lane]'
# The worst of four warps; a cell with many lanes; more lines than are shown; chars, which share words.
banksim show --block 128 --global 'float *in, char *text' --load 'in[threadIdx.x * (threadIdx.x / 32)]' \
    --load 'in[lane % 3 + lane / 16 * 32]' --load 'in[lane * 100]' --load 'text[lane]'
banksim show --opcode ld.global.v4.f32 --offset 1 --mask ff
banksim show --global 'int *h' --atomic add 'h[lane / 8]'
banksim show traces/global_three_lines.trace --site 1 | head -4
banksim show traces/global_three_lines.trace --event 7 --style utf8 | tail -2
banksim show --opcode st.global.b8 --mask 5 --format json
banksim show --opcode ld.global.f64 --addresses 0,64,8192 --format svg | grep -v '^<rect'

# Lines of the source, where -lineinfo has put a table of them beside the code: by rows of it, at calls that were inlined, by files of two
# units, relocations in any order; a table that is not all read tells nothing, and rows are the text's own lines.
unit() { # FIRST SECOND: the files; the table's own addresses are added up
    cat <<EOF
  Offset:                         0
  Line base:                       -5

Opcodes:
  Opcode 9 has 1 args

The Directory Table:
 tests/sass
 /usr/local/cuda/include

The File Name Table:
 Entry   Dir         Time    Size     Name
     1     1   1795911127     345     $1
     2     2   1795911127      87     $2

Offset in .debug_str:            0

Line Number Statements:
EOF
}
table() {
    echo '.section .debug_line'
    unit other.cu other.h
    cat <<'EOF'
  Extended opcode 2: set Address to 0x0
  Set File Name to entry 1 in the File Name Table
  Advance Line by 4 to 5
  Copy
  Advance PC by 128 to 0x80
  Extended opcode 1: End of Sequence

EOF
    unit small.cu of_nvcc.h
    cat <<'EOF'
  Extended opcode 2: set Address to 0x0
  Set File Name to entry 1 in the File Name Table
  Advance Line by 8 to 9
  Copy
  Special opcode 231: advance Address by 16 to 0x10 and Line by 0 to 9
  Special opcode 231: advance Address by 272 to 0x120 and Line by 1 to 10
  Advance Line by 1 to 11
  Advance PC by 16 to 0x130
  Copy
  Set File Name to entry 2 in the File Name Table
  Extended opcode 144: Set context to 4 and function offset to 0x11
  Advance Line by 989 to 1000
  Copy
  Set File Name to entry 1 in the File Name Table
  Extended opcode 144: Set context to 0 and function offset to 0x0
  Advance Line by -985 to 15
  Advance PC by 16 to 0x140
  Copy
  Advance PC by 128 to 0x200
  Extended opcode 1: End of Sequence


.section .rel.debug_line	REL
0x65    turn    R_CUDA_64
0x35    other    R_CUDA_64
EOF
}
tell() {
    { sed '/^ code for/,$d' tests/sass/small.sass; table | sed "$1"; sed -n '/^ code for/,$p' tests/sass/small.sass; } >"$TMP/k.sass"
    banksim launch "$TMP/k.sass" 'turn<<<1, 32>>>(int[32] = iota, int[32], 3)' --per site 2>/dev/null |
        awk '$2 ~ /^(ld|st)\./ { match($0, /[^ ]*:[0-9]+  /); print $2, substr($0, RSTART) }'
}
echo '# all of it'; tell ''
echo '# not one of its statements is known'; tell 's/Advance PC by/Fixed advance of PC by/'
echo '# a call that stands nowhere'; tell 's/context to 4/context to 40/'
echo '# a function too few, and a name with a quotation mark'; tell '/0x35/d'; tell 's/of_nvcc.h/of"nvcc.h/'
echo '# line 0 is none'; tell 's/by 0 to 9/by -9 to 0/'
echo '# what is not read has its place in the text'
tell '' >/dev/null
sed 's/LDS R/XLDS.Q R/' "$TMP/k.sass" >"$TMP/q.sass"
banksim launch "$TMP/q.sass" 'turn<<<1, 32>>>(int[32] = iota, int[32], 3)' 2>&1 | grep -v ^note | sed "s,$TMP/,,"
echo '# a fault is at the line of the source'
banksim launch "$TMP/k.sass" 'turn<<<1, 32>>>(int[31] = iota, int[32], 3)' 2>&1 | grep -v ^note | sed "s,$TMP/,,"

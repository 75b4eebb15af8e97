# trim.awk - of what cuobjdump -elf -sass writes the lines that src/sass reads, about a quarter, their blanks squeezed.
#
#     cuobjdump -elf -sass k.cubin | awk -f tests/sass/trim.awk >k.sass

function squeezed(line) { gsub(/[ \t]+/, " ", line); sub(/ $/, "", line); return line }

/^64-bit ELF:/ { print; next }
/code for sm_/ { print squeezed($0); part = "code"; next }
# Behind a function's last branch, to itself, nothing is executed.
part == "code" && /Function :/ { is_padding = 0 }
part == "code" && / NOP;/ { is_padding = 1 }
part == "code" { if (!is_padding && /Function :|\/\*/) print squeezed($0); next }

/^(\.|Sections:)/ { part = "" } # a section begins
/^Sections:/ { print; part = "sections"; next }
/^\.section \.symtab/ { print $1, $2; part = "symbols"; next }
/^\.section \.rela\.nv\.constant4/ { print $1, $2; part = "words"; next }
/^\.nv\.(constant2\.|constant3|global\.init)/ { print; part = "words"; next }
/^\.nv\.info/ { print; part = "info"; next }
/^\.text\./ { print; part = "text"; next }

# A section's number in the first column is a variable's sixth.
part == "sections" && $NF ~ /^\.nv\.(constant3|global|global\.init)$/ { number["0x" $1]; print squeezed($0) }
part == "symbols" && $6 in number && $3 != 0 { print squeezed($0) }
part == "words" && NF > 0 { print squeezed($0) }
part == "text" && /^lmem=/ { print }
part == "info" && $1 == "Attribute:" { wanted = $2 ~ /_(KPARAM_INFO|PARAM_CBANK|MAX_THREADS|REQNTID|MIN_STACK_SIZE|REGCOUNT)$/; if (wanted) print "\t" $1 "\t" $2 }
part == "info" && $1 == "Value:" && wanted { print; wanted = 0 }

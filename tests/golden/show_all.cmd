# The figures leave nothing out where all is asked for: 32 words of a bank, 32 lines.
banksim show --stride 32 --format svg | grep -c 'bank 0 serves'
banksim show --stride 32 --format svg --all | grep -c 'bank 0 serves'
banksim show --opcode ld.global.f32 --stride 1024 --format svg --all | grep -c '>+[0-9]*</text>'
# The legend names all passes, whose colours run from the first to the last.
banksim show --stride 32 --format svg | grep -o 'pass[a-z]* 1 to [^<]*'

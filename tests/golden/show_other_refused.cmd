banksim show --opcode ld.local.f32
banksim show --opcode bar.sync
banksim show --opcode ld.global.f32 --strides 1..3
banksim show traces/global_three_lines.trace
banksim show traces/global_three_lines.trace --site 9
banksim show traces/global_three_lines.trace --event 2

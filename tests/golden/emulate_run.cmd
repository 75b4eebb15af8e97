banksim emulate square_set_row_read_col --run --per site --format csv | cut -d, -f1-10
banksim emulate square_set_row_read_col | banksim run --per site --format csv | cut -d, -f1-10

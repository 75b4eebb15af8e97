# Three kernels of so many blocks, told apart by their requests, with sites in later blocks and a few wrong expectations.
BEGIN {
    print "banksim-trace 1"
    for (k = 0; k < 3; k++) {
        print "kernel k" k " grid=2000 block=64 shared=8192\nsite 1 ld.shared.u32 at=a.cu:1\nsite 2 st.shared.u64"
        for (b = 0; b < blocks; b++) {
            print "block " b
            for (i = 0; i < 4 + (b * 7 + k) % 9; i++)
                print "w" i % 2 " @" 1 + (b + i) % 2 " ffffffff " b % 50 * 8 "+" 8 * (1 + (b * i + k) % 20)
            if (b % 100 == 99) print "site " 100 + b " ld.shared.u8"
            if (b % 90 == 89) print "w0 @1 ffffffff 0+128 expect.wavefronts=" 32 - (b % 180 == 89)
            print "w* bar.sync"
        }
    }
    print "end"
}

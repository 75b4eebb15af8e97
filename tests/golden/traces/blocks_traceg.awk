# As blocks.awk, as Accel-Sim's tracer writes it.
BEGIN {
    for (k = 0; k < 3; k++) {
        print "-kernel name = k" k "\n-grid dim = (2000,1,1)\n-block dim = (64,1,1)\n-shmem = 8192"
        print "-binary version = 80\n-accelsim tracer version = 5\n\n#traces format = ...\n"
        for (b = 0; b < 1000; b++) {
            print "#BEGIN_TB\n\nthread block = " b ",0,0\n"
            for (w = 0; w < 2; w++) {
                n = 3 + (b * 7 + k) % 9
                print "\nwarp = " w "\ninsts = " n + 2
                for (i = 0; i < n; i++)
                    printf "%04x ffffffff 1 R1 LDS 1 R2 4 1 0x%x %d 0\n", 16 * i, b % 50 * 8, 8 * (1 + (b * i + k) % 20)
                printf "%04x ffffffff 1 R3 %s 0 0 0\n", 16 * i, b % 100 == 99 ? "FROB." b : "MOV"
                print b % 70 == 69 ? 1000 + b " ffffffff 0 STS.64 2 R4 R6 8 1 0x0 16 0" : "0400 ffffffff 0 EXIT 0 0 0"
            }
            print "#END_TB\n"
        }
    }
}

/* lessons.c - the texts of the lessons; see lesson.h. The patterns are those that courses teach
 * with: square and rectangular tiles, strides, shared elements, wide loads. */
#include "cli/lesson.h"

static const struct lesson lessons[] = {
    {
        .name = "banks",
        .title = "Thirty-two doors",
        .text =
            "Shared memory is not one memory but {A banks}, the banks, side by side. In one pass "
            "each of them hands out a single word of {A width} bytes. Words are dealt to the banks "
            "like cards: word 0 to bank 0, word 1 to bank 1, and behind the last bank it goes on "
            "with bank 0.\n\n"
            "A warp is 32 lanes (threads) that read at the same time. Here each lane reads one "
            "float:",
        .question = "Lane 30 reads s[40]. Which bank is that word in?",
        .answer = "A bank 30",
        .explanation =
            "A word's bank is its number modulo {A banks}: word {A word 30} lies in bank "
            "{A bank 30}, and lane 22's word {A word 22} in bank {A bank 22}. Each lane meets a "
            "bank of its own, so all of them are served at once: {A passes}. Where the first word "
            "lies makes no difference. Nor does it matter where s is declared: in the kernel or at "
            "file scope, each block has an s of its own for as long as it runs, and the host sees "
            "none of them.",
        .more = "banksim show --load f32 --stride 1 --offset 7",
        .access = {{.statements = "shared float s[64]\nload s[threadIdx.x + 10]",
                    .is_drawn = true}},
    },
    {
        .name = "conflict",
        .title = "Two lanes, one door",
        .text = "Now every lane skips one word, as when it reads the real parts of complex numbers "
                "that are stored as pairs:",
        .question = "How many passes does the warp take?",
        .answer = "A count",
        .explanation =
            "Lane 0 reads word {A word 0}, lane 16 word {A word 16}: different words of bank "
            "{A bank 16}, and a bank hands out one word per pass. That is a bank conflict. Only "
            "{A busy} of the {A banks} banks are at work, and each has two words to hand out: a "
            "{A ways}-way conflict. Profilers call a pass a wavefront: {A count} wavefronts where "
            "{A ideal} would be ideal.",
        .more = "banksim show --load f32 --stride 4",
        .exercise = "01-complex",
        .access = {{.statements = "shared float s[64]\nload s[2 * threadIdx.x]", .is_drawn = true}},
    },
    {
        .name = "stride",
        .title = "Odd strides, even strides",
        .text = "With a stride of 2 the lanes met in half of the banks. A larger stride skips more "
                "words. Here it is 3:",
        .question = "How many passes does a stride of 3 take?",
        .answer = "A count",
        .explanation =
            "A larger stride is not a worse one. 3 and {A banks} have no common divisor, so the "
            "lanes go through all {A busy} banks before they come back to the first. What counts "
            "is "
            "the greatest common divisor of the stride and the number of banks: a stride of 6 "
            "takes "
            "{B passes}, one of 32 takes {C passes}, as every lane is in bank {C bank 31}, and one "
            "of 33 takes {D passes} again. With {A banks} banks, odd strides never conflict.",
        .more = "banksim show --strides 1..33",
        .exercise = "04-reduce",
        .access = {{.statements = "shared float s[96]\nload s[3 * threadIdx.x]", .is_drawn = true},
                   {.statements = "shared float s[192]\nload s[6 * threadIdx.x]"},
                   {.statements = "shared float s[1024]\nload s[32 * threadIdx.x]"},
                   {.statements = "shared float s[1024]\nload s[33 * threadIdx.x]"}},
    },
    {
        .name = "broadcast",
        .title = "The same word for all",
        .text = "In a matrix product all lanes of a warp often read the same element. All 32 lanes "
                "go to one bank:",
        .question = "How many passes does it take?",
        .answer = "A count",
        .explanation =
            "A conflict is about different words. One word that several lanes want is handed to "
            "all of them at once: a broadcast if it goes to the whole warp, a multicast if it goes "
            "to some lanes, as for s[threadIdx.x / 4], which takes {B passes} from {B busy} banks. "
            "Stores to one word share their pass too ({C passes}); one of the lanes wins, and "
            "nobody says which. Even lanes that want different bytes of one word share it: "
            "reading chars one after another takes {D passes}.\n\n"
            "Constant memory knows nothing but this: its cache hands one word to all who want it, "
            "and other words take a pass each. It is declared at file scope, __constant__ float "
            "coef[5];, has 64 KB, and only the host writes it, before the launch: "
            "cudaMemcpyToSymbol(coef, values, sizeof coef). It lives as long as the program; as "
            "much again "
            "is the compiler's, for a kernel's arguments among others, and an SM caches some 8 KB. "
            "Coefficients that all lanes read at "
            "the same time belong there; what lanes read at different places does not.",
        .more = "banksim show --addresses 0*16,128*16",
        .exercise = "06-product",
        .access = {{.statements = "shared float s[32]\nload s[7]", .is_drawn = true},
                   {.statements = "shared float s[32]\nload s[threadIdx.x / 4]", .is_drawn = true},
                   {.statements = "shared float s[32]\nstore s[7]"},
                   {.statements = "shared char c[32]\nload c[threadIdx.x]"}},
    },
    {
        .name = "padding",
        .title = "One column more",
        .text = "To transpose a matrix, a block stores a tile of 32 rows of 32 floats row by row "
                "and reads it column by column. The rows are fine. The column is not: the words "
                "of a column lie 32 apart, and tile[threadIdx.x][0] takes {B passes}. So people "
                "write one column more than they need:",
        .question = "How many passes does the column of the padded tile take?",
        .answer = "A count",
        .explanation =
            "Rows are now 33 words long, so each begins one bank after the one above: lane 1 reads "
            "from bank {A bank 1}, lane 2 from bank {A bank 2}, lane 31 from bank {A bank 31}. "
            "{A passes} instead of {B count}, for 32 floats that nobody uses; and reading by rows "
            "still takes {C passes}.",
        .more = "banksim show --stride 32,33 --format svg -o padding.svg",
        .exercise = "02-transpose",
        .access = {{.statements = "shared float tile[32][33]\nload tile[threadIdx.x][0]",
                    .is_drawn = true,
                    .has_array = true},
                   {.statements = "shared float tile[32][32]\nload tile[threadIdx.x][0]",
                    .is_drawn = true},
                   {.statements = "shared float tile[32][33]\nload tile[0][threadIdx.x]"}},
    },
    {
        .name = "rectangle",
        .title = "Why one column is not always enough",
        .text = "A tile of 16 rows of 32 ints, read by columns. A column has only 16 words, so a "
                "warp reads two columns at once: lanes 0 to 15 the first, lanes 16 to 31 the "
                "second. Without padding that takes {B passes}. With one column of padding:",
        .question = "How many passes does it take with one column of padding?",
        .answer = "A count",
        .explanation =
            "One column of padding moves each row by one bank. So the second column, which is one "
            "bank further on as well, falls onto the first one moved by a row: lane 1 and lane 16 "
            "want words {A word 1} and {A word 16}, both of bank {A bank 1}. Two columns of "
            "padding "
            "move each row by two banks, and the second column fills the gaps: {C passes}. The "
            "rule: pad by as many columns as the warp reads at once.\n"
            "\n"
            "So no padding is right for every access. Of a tile turned to 32 rows of 16 the warp "
            "reads one column, and two words are too many: {D passes} with rows of 18, {E passes} "
            "with rows of 17. And where banks are 8 bytes wide (Kepler in its 8-byte mode) one "
            "word is only half a bank: {F passes} with rows of 17, while rows of 18 fit.",
        .more = "banksim advise --block 32,16 --shared 'int tile[16][32]' \\\n"
                "    --load 'tile[lane % 16][lane / 16]'",
        .exercise = "03-rectangle",
        .access = {{.statements = "shared int tile[16][33]\nload tile[lane % 16][lane / 16]",
                    .is_drawn = true,
                    .has_array = true},
                   {.statements = "shared int tile[16][32]\nload tile[lane % 16][lane / 16]"},
                   {.statements = "shared int tile[16][34]\nload tile[lane % 16][lane / 16]",
                    .is_drawn = true,
                    .has_array = true},
                   {.statements = "shared int tile[32][18]\nload tile[lane][0]"},
                   {.statements = "shared int tile[32][17]\nload tile[lane][0]"},
                   {.statements = "shared int tile[32][17]\nload tile[lane][0]",
                    .device = "k40",
                    .bank_width = 8}},
    },
    {
        .name = "kepler",
        .title = "Eight-byte banks",
        .text =
            "Old texts measured on Kepler (K40, K80), whose {A banks} banks are {A width} bytes "
            "wide and have two modes. In the 4-byte mode successive 4-byte words lie in "
            "successive banks, as everywhere else, but a bank hands out two words at once: "
            "words i and i + 32 of an aligned segment of 64. A stride of 2, on a K40 in 4-byte "
            "mode:",
        .question = "How many passes does it take there?",
        .answer = "A count",
        .explanation =
            "Lanes 0 and 16 want words {A word 0} and {A word 16}: the two halves of one row of "
            "bank "
            "{A bank 0}, so {A passes}; {B passes} on a GPU with 4-byte banks. A column of a 32 x "
            "32 "
            "tile takes {C passes} there, fewer than elsewhere: numbers in a text hold for the GPU "
            "that they were counted on. In the 8-byte mode successive 8-byte words lie in "
            "successive banks, "
            "and a padding of one 4-byte column is only half a bank: every other column of a tile "
            "with rows "
            "of 33 floats then takes {D passes}.",
        .more = "banksim show --strides 1..33 --device k40 --bank-width 8",
        .access = {{.statements = "shared float s[64]\nload s[2 * threadIdx.x]",
                    .device = "k40",
                    .bank_width = 4,
                    .is_drawn = true},
                   {.statements = "shared float s[64]\nload s[2 * threadIdx.x]"},
                   {.statements = "shared float tile[32][32]\nload tile[threadIdx.x][0]",
                    .device = "k40",
                    .bank_width = 4},
                   {.statements = "shared float tile[32][33]\nload tile[threadIdx.x][1]",
                    .device = "k40",
                    .bank_width = 8}},
    },
    {
        .name = "wide",
        .title = "Sixteen bytes per lane",
        .text = "A float4 is four words, so a warp that reads one per lane wants 128 words, and "
                "{A banks} banks hand out {A banks} per pass:",
        .question = "How many passes does it take?",
        .answer = "A count",
        .explanation =
            "Such a load goes by quarter-warps: lanes 0 to 7 first, then 8 to 15, and so on. {A "
            "count} "
            "is what it has to take; there is no conflict, and no lane of one quarter ever "
            "conflicts with a lane of another. Reading doubles goes by half-warps: {B passes}.\n\n"
            "An article that timed this on an A100 thought of another way: in each pass every lane "
            "gets one of its four words, lanes 0 to 7 the first, 8 to 15 the second, and so on in "
            "rotation, so that no two meet in a bank. That takes {A passes} as well, but then no "
            "lane could have its four words sooner. Where neighbours read the same, as below, all "
            "have theirs after {C passes}; and a lane alone takes {E passes}.\n\n"
            "There is a surprise, the pair rule: if every lane has the same address as its "
            "neighbour, "
            "two neighbours' data come from the same words and two quarters go together. With "
            "f[threadIdx.x / 2] it is {C passes}; but with f[threadIdx.x / 8], where even more "
            "lanes "
            "share, no less: {D passes}. Half-warps never merge for 16 bytes.",
        .more = "banksim show --load float4 --stride 2",
        .exercise = "08-float4",
        .access = {{.statements = "shared float4 f[32]\nload f[threadIdx.x]", .is_drawn = true},
                   {.statements = "shared double d[32]\nload d[threadIdx.x]"},
                   {.statements = "shared float4 f[32]\nload f[threadIdx.x / 2]", .is_drawn = true},
                   {.statements = "shared float4 f[32]\nload f[threadIdx.x / 8]"},
                   {.statements = "shared float4 f[32]\nif lane == 0\nload f[threadIdx.x]"}},
    },
    {
        .name = "atomics",
        .title = "Adding one by one",
        .text =
            "A histogram in shared memory adds each pixel's weight, an unsigned, to the sum of its "
            "colour. In the worst picture all pixels are of one colour, and all 32 lanes add to "
            "one "
            "sum:",
        .question = "A load of one word by all lanes was a broadcast. How many passes does "
                    "atomicAdd take?",
        .answer = "A count",
        .explanation =
            "Each addition needs what the one before it left, so lanes that want the same word "
            "take "
            "turns: {A passes}. What counts is how many lanes go to one bank, whatever words they "
            "want there. With four sums that lie side by side and 8 lanes on each it is "
            "{B passes}. If each lane has its own copy of the four sums, in a bank of its own, "
            "it is {C passes}; the copies are added up at the end.\n\n"
            "Counting is cheaper than adding: for atomicAdd(&h[0], 1) whose result nobody uses, "
            "GPUs "
            "from Ampere on first count the lanes that want one word and add their number at once: "
            "{D passes}. For floats it is dearer, as shared memory has no adder for them: a loop "
            "that goes on until nobody came in between.",
        .more = "banksim check --shared 'unsigned h[256]' --atomic 'atomicAdd(&h[lane], 1)'",
        .exercise = "05-histogram",
        .access = {{.statements = "shared unsigned h[256]\natomic add h[0], weight",
                    .is_drawn = true},
                   {.statements = "shared unsigned h[256]\natomic add h[threadIdx.x % 4], weight",
                    .is_drawn = true},
                   {.statements = "shared unsigned h[4][32]\n"
                                  "atomic add h[threadIdx.x % 4][threadIdx.x], weight"},
                   {.statements = "shared unsigned h[256]\natomic add h[0], 1"}},
    },
    {
        .name = "swizzle",
        .title = "ldmatrix, and moving columns instead of padding",
        .text =
            "ldmatrix.x4 loads four 8 x 8 matrices of halves for the tensor cores. Each lane gives "
            "the address of one row of 16 bytes, and the 8 rows of a matrix, 128 bytes, are "
            "loaded in one pass if they lie in different banks. The tile's rows are 64 "
            "halves long, that is 128 bytes:",
        .question = "How many passes do the four matrices take?",
        .answer = "A count",
        .explanation =
            "Rows that lie 128 bytes apart begin in the same bank, so the 8 rows of a matrix take "
            "{A ways} passes, and four matrices {A count}. Padding each row by 8 halves makes it "
            "{B passes}, and costs memory. A swizzle costs none: where a row's 16-byte piece "
            "number "
            "c would stand, put c ^ (row % 8). Each row has its pieces in another order, and it is "
            "{C passes}. Stores have to use the same formula.",
        .more = "banksim advise --shared 'half a[16][64]' \\\n"
                "    --ldmatrix x4 'a[lane % 16][lane / 16 * 8]'",
        .exercise = "11-ldmatrix",
        .access = {{.statements = "shared half a[16][64]\n"
                                  "ldmatrix x4 a[lane % 16][lane / 16 * 8]",
                    .is_drawn = true,
                    .has_array = true},
                   {.statements = "shared half a[16][72]\n"
                                  "ldmatrix x4 a[lane % 16][lane / 16 * 8]"},
                   {.statements = "shared half a[16][64]\n"
                                  "ldmatrix x4 a[lane % 16][((lane / 16) ^ (lane % 8)) * 8]",
                    .is_drawn = true,
                    .has_array = true}},
    },
    {
        .name = "coalescing",
        .title = "Coalescing is not bank conflicts",
        .text =
            "Global memory has rules of its own: it moves sectors of 32 bytes. A warp that "
            "reads 32 floats in a row touches {B sectors} sectors; one that reads a column of a "
            "matrix with rows of 1024 floats touches {C sectors}, and uses 4 bytes of each. That "
            "is why a transpose goes through a tile in shared memory: both global accesses "
            "are by rows, and the turning is done in the tile. It is read by columns:",
        .question = "How many passes does reading the tile take?",
        .answer = "A count",
        .explanation =
            "The scattered access has not gone away; it has moved to shared memory, where it costs "
            "{A passes}. But there it can be mended: with rows of 33 floats it is {D passes}, "
            "while "
            "no padding makes a column of a matrix in global memory touch fewer sectors. "
            "(Local memory, a thread's own, is laid out for this by itself: the same word of 32 "
            "lanes is one line.) "
            "Coalescing asks how many sectors a warp touches, whatever their order; bank conflicts "
            "ask whether its words lie in different banks.",
        .more = "banksim emulate transpose_shared_pad nx=64 ny=64 --run",
        .exercise = "12-both",
        .access = {{.statements = "shared float tile[32][32]\nload tile[threadIdx.x][0]",
                    .is_drawn = true},
                   {.global_stride_bytes = 4},
                   {.global_stride_bytes = 4096},
                   {.statements = "shared float tile[32][33]\nload tile[threadIdx.x][0]"}},
    },
    {
        .name = "shuffle",
        .title = "From register to register",
        .text =
            "A warp can add up its 32 values in five steps, in each of which a lane takes the sum "
            "of the lane 16, then 8, 4, 2 and 1 away. Through shared memory a step is a store, "
            "__syncwarp() and a load. A shuffle reads the other lane's register instead:",
        .question = "From which lane does lane 5 get its value?",
        .answer = "A from 5",
        .explanation =
            "Lane 5 gets the sum of lane {A from 5}, and lane {A from 5} that of lane "
            "{A from 21}, so both hold the same afterwards; after 8, 4, 2 and 1 all lanes have "
            "the whole sum. With segments of 16 lanes nobody looks across their border: "
            "__shfl_down_sync(0xffffffff, sum, 8, 16) gives lane 5 the value of lane {C from 5}, "
            "and lane 13 keeps its own.\n\n"
            "In shared memory the same step is free of conflicts too, as lanes that follow one "
            "another read words that do: {B passes} for the load and one for the store. Yet a step "
            "is two accesses, the load after the store, and the values need a place. A shuffle is "
            "one "
            "instruction and needs none; what is left for shared memory is one sum of each warp. "
            "The two commands "
            "at the end show the cycles of a block's sum both ways. A lane that is asked has to take part: "
            "the "
            "mask names the lanes that do, and what others would give is undefined.\n\n"
            "All this is within a block. Its sum goes to global memory, and who adds up the blocks' "
            "sums? "
            "No other block of this launch: blocks run in any order, no barrier spans them, and "
            "a fence only says in which order others see what one has written. The kernel ends, "
            "and a second one adds up what the first has left: of two launches in one stream the "
            "later one waits for the earlier. banksim run --hazards finds blocks that do not wait.",
        .more = "banksim emulate shfl_reduce n=1024 block=128 --run\n"
                "     banksim emulate reduce_shared_mem n=1024 block=128 --run",
        .access = {{.statements = "sum += __shfl_xor_sync(0xffffffff, sum, 16);",
                    .shuffle = {BSIM_BFLY, 16, 32, BSIM_FULL_MASK},
                    .is_drawn = true},
                   {.statements = "shared float s[64]\nload s[threadIdx.x + 16]"},
                   {.statements = "sum += __shfl_down_sync(0xffffffff, sum, 8, 16);",
                    .shuffle = {BSIM_DOWN, 8, 16, BSIM_FULL_MASK}}},
    },
    {
        .name = "carveout",
        .title = "Shared memory, or cache",
        .text =
            "A Kepler SM (K40) has 64 KB for shared memory and its L1 cache together, and the "
            "program says who gets how much: cudaFuncSetCacheConfig(kernel, "
            "cudaFuncCachePreferShared) for one kernel, cudaDeviceSetCacheConfig for those that "
            "do not say. Shared memory then has {B shared} KB. Of blocks of 256 threads with "
            "12,000 bytes each an SM holds {B blocks} at a time. With cudaFuncCachePreferL1 "
            "shared memory has {A shared} KB:",
        .question = "How many such blocks does an SM hold?",
        .answer = "A blocks",
        .explanation =
            "While one block's warps wait, an SM goes on with those of others: the fewer it holds, "
            "the more often there are none. "
            "cudaFuncCachePreferEqual gives {C shared} KB, and {C blocks} blocks; "
            "cudaFuncCachePreferNone has no wish. All this is a "
            "preference: a block that does not fit gets a larger share. More cache is worth its "
            "price for a kernel that spills registers, which Kepler keeps in L1.\n\n"
            "From compute capability 7.0 on the share is in per cent of the most: "
            "cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 25). It "
            "is "
            "rounded up to a size that there is, on an H100 {D shared} KB, in which {D blocks} "
            "such "
            "blocks fit, as the system takes 1 KB of each. On Maxwell and Pascal shared memory is "
            "apart from the cache, and there is nothing to choose.\n\n"
            "The width of Kepler's banks is set in the same way, by "
            "cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte), and "
            "cudaDeviceGetSharedMemConfig asks for it; cudaSharedMemBankSizeFourByte is what it "
            "begins "
            "with, and what cudaSharedMemBankSizeDefault means. That changes the "
            "conflicts, but not the number of blocks. Neither is free: a launch with another "
            "setting "
            "than the launch before may have to wait until the device has nothing else to do.",
        .more = "banksim emulate reduce_shared_mem --run --device k40 --carveout l1",
        .access = {{.statements = "cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferL1);",
                    .device = "k40",
                    .block_bytes = 12000,
                    .carveout = BSIM_CARVEOUT_L1},
                   {.device = "k40", .block_bytes = 12000, .carveout = BSIM_CARVEOUT_SHARED},
                   {.device = "k40", .block_bytes = 12000, .carveout = BSIM_CARVEOUT_EQUAL},
                   {.block_bytes = 12000, .carveout = BSIM_CARVEOUT_PERCENT + 25}},
    },
    {
        .name = "pairs",
        .title = "Pairs, triples, quadruples",
        .text = "Particles have an x and a y, which lie side by side in a float2. Each lane takes "
                "the x of "
                "its particle:",
        .question = "How many passes does it take?",
        .answer = "A count",
        .explanation =
            "From one x to the next it is two words, so {A passes}; the y take as many once more. "
            "A lane that "
            "needs both had better load the pair: {C passes} for all 64 words, with no bank idle "
            "in either. "
            "Of four floats the x alone takes {D passes}, as many as the four together ({E "
            "passes}).\n\n"
            "A float3 is different. No instruction loads 12 bytes, so the compiler loads three "
            "words; but "
            "they lie 3 apart from lane to lane, and 3 is odd: {F passes} for each of them.\n\n"
            "So load together what is used together. Where a kernel wants one member of many, two "
            "arrays "
            "do better than one of pairs: banksim advise tries that, too.",
        .more = "banksim advise --struct 'Particle { float x, y, z, w; }' \\\n"
                "    --shared 'Particle p[32]' --load 'p[lane].x'",
        .exercise = "07-points",
        .access = {{.statements = "shared float2 p[32]\nload p[threadIdx.x].x", .is_drawn = true},
                   {.statements = "shared float2 p[32]\nload p[threadIdx.x].y"},
                   {.statements = "shared float2 p[32]\nload p[threadIdx.x]", .is_drawn = true},
                   {.statements = "shared float4 p[32]\nload p[threadIdx.x].x"},
                   {.statements = "shared float4 p[32]\nload p[threadIdx.x]"},
                   {.statements = "shared float3 p[32]\nload p[threadIdx.x].x"}},
    },
    {
        .name = "matter",
        .title = "Does it matter?",
        .text = "Passes are not time yet. Here each of 4 warps loads 16 times, 4 passes a time "
                "where one would "
                "do: {A excessive} passes too many. Between two loads a warp has 16 other "
                "instructions to do, "
                "such as sums:",
        .question = "How many cycles longer does the block take for these passes?",
        .answer = "A lost",
        .explanation = "The block takes {A cycles} cycles with them and without. Its passes "
                       "take {A pipe}, one a cycle, "
                       "and the banks are done with them while the warps are busy with sums. With "
                       "only 4 sums between two "
                       "loads the block loses {B lost} of its {B cycles} cycles, and with one {C "
                       "lost} of {C cycles}: now "
                       "there is nothing to hide behind, and the passes are what it waits for.\n\n"
                       "A count of conflicts says how bad an access is, not whether mending it "
                       "helps. 'banksim check' and "
                       "'banksim run --per site' have both: excessive, and the cycles lost. These "
                       "are estimates for shared "
                       "memory alone; a kernel that waits for global memory hides still more.",
        .more = "banksim run --per site traces/cost.trace",
        .access =
            {{.statements = "block 128\nshared float s[128]\nfor k = 0:16 {\n    load s[4 * lane]\n"
                            "    work 16\n}",
              .is_timed = true},
             {.statements = "block 128\nshared float s[128]\nfor k = 0:16 {\n    load s[4 * lane]\n"
                            "    work 4\n}",
              .is_timed = true},
             {.statements = "block 128\nshared float s[128]\nfor k = 0:16 {\n    load s[4 * lane]\n"
                            "    work 1\n}",
              .is_timed = true}},
    },
    {
        .name = "stores",
        .title = "Stores and barriers",
        .text = "A block of 8 warps turns a tile. It can store columns and load rows, or store "
                "rows and load "
                "columns; without padding one of the two takes 32 passes. In between are other "
                "instructions and a "
                "barrier. First the store has the conflicts:",
        .question = "How many passes do the stores and loads of the 8 warps take, all together?",
        .answer = "A wavefronts",
        .explanation = "8 times 32 and 8 times 1: {A wavefronts}. With the conflicts on the load's "
                       "side it is the same, "
                       "{B wavefronts}. Yet the first way loses {A lost} of its {A cycles} cycles "
                       "to them, the second "
                       "{B lost} of {B cycles}. Nobody waits for a store itself: the warp hands it over "
                       "and goes on with its other instructions, while the "
                       "banks work through the passes. What waits is the next load, if it comes "
                       "before they are done, and whoever needs its value.\n\n"
                       "The barrier does not wait for the banks either, only the load behind it does, as "
                       "requests are served in their order. With nothing between store and load "
                       "the first way loses "
                       "{C lost} of {C cycles}. So where one side must have conflicts, let it be "
                       "the store's, early. "
                       "Having none is better: banksim lesson padding.",
        .more = "banksim emulate transpose_shared --run --per site",
        .access = {{.statements =
                        "block 256\nshared float tile[32][32]\ntile[lane][warp] = v;\nwork 160\n"
                        "__syncthreads();\nsum += tile[warp][lane];",
                    .is_timed = true},
                   {.statements =
                        "block 256\nshared float tile[32][32]\ntile[warp][lane] = v;\nwork 160\n"
                        "__syncthreads();\nsum += tile[lane][warp];",
                    .is_timed = true},
                   {.statements = "block 256\nshared float tile[32][32]\ntile[lane][warp] = v;\n"
                                  "__syncthreads();\nsum += tile[warp][lane];",
                    .is_timed = true}},
    },
    {
        .name = "profiler",
        .title = "Reading a profiler's report",
        .text =
            "Nsight Compute has counted a kernel, of which nothing else is known but this line, "
            "where each "
            "thread reads 4 bytes:\n\n"
            "    smsp__inst_executed_op_shared_ld.sum                           {A requests}\n"
            "    sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum  {A wavefronts}\n",
        .question = "How many passes (wavefronts, it calls them) does a request take on average?",
        .answer = "A count",
        .explanation = "{A wavefronts} wavefronts divided by {A requests} requests are {A count} for each. Four bytes a lane are done in "
                       "{A ideal}, so {A excessive} of "
                       "the wavefronts are excessive: what "
                       "derived__memory_l1_wavefronts_shared_excessive has, and the "
                       "source page's column of excessive wavefronts, line by line. Of 16 bytes a "
                       "lane 4 passes would be "
                       "ideal: wavefronts per request alone do not tell.\n\n"
                       "The counter that has bank conflicts in its name, "
                       "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum, has others, "
                       "too. Like all of l1tex__data_* it also counts waits for the SM's other "
                       "traffic, and not the same number twice: 0.7 % with 4096 blocks on an H200, "
                       "25 % beside global stores. wgmma and TMA have none: what it shows beside them "
                       "is the block's own loads and stores, and such waits. Those "
                       "with sass in their name "
                       "count by instruction, and are free of that, but miss a cp.async.cg under a "
                       "predicate. nvprof's "
                       "shared_load_transactions_per_request is what you have just worked out. "
                       "banksim emulate and run have the same counts under these names (--metrics "
                       "ncu), and banksim "
                       "compare puts a report beside them.",
        .more = "banksim emulate square_set_row_read_col --run --metrics ncu",
        .access = {{.statements = "block 32,32\nshared float tile[32][32]\n"
                                  "v = tile[threadIdx.x][threadIdx.y];",
                    .is_timed = true}},
    },
};

const struct lesson *bsim_cli_lesson_at(size_t index)
{
    return index < sizeof lessons / sizeof lessons[0] ? &lessons[index] : NULL;
}

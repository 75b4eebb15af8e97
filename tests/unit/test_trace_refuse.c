/* test_trace_refuse.c - every refusal of traces/FORMAT.md: its place, its message, its caret. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/trace.h>

#include "trace_text.h"

#include <stdio.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

#define VERSION "banksim-trace 1\n"
#define KERNEL VERSION "kernel k grid=2 block=64 shared=256\n" /* 2 lines; 2 warps */
#define BLOCK KERNEL "block 0\n"                               /* 3 lines */
#define OPEN VERSION "kernel k block=64\nblock 0\n"            /* 3 lines, without shared= */
#define MATRIX "ldmatrix.sync.aligned.m8n8."

struct bad {
    const char *text;
    size_t size; /* 0: up to the NUL */
    uint64_t line;
    uint32_t column;
    const char *message;
    const char *excerpt; /* the line that is shown */
};

static const struct bad bad[] = {
    /* the frame */
    {"", 0, 1, 1, "the trace is empty: it begins with the line 'banksim-trace 1'", ""},
    {"# nothing\n", 0, 1, 10, "the trace is empty: it begins with the line 'banksim-trace 1'",
     "# nothing"},
    {"kernel k block=32\nend\n", 0, 1, 1, "a trace begins with the line 'banksim-trace 1'",
     "kernel k block=32"},
    {"\n# x\n banksim-trac 1\n", 0, 3, 2, "a trace begins with the line 'banksim-trace 1'",
     " banksim-trac 1"},
    {"banksim-trace\nend\n", 0, 1, 14,
     "the version is missing or wrong: a trace begins with the line 'banksim-trace 1'",
     "banksim-trace"},
    {"banksim-trace one\nend\n", 0, 1, 15,
     "the version is missing or wrong: a trace begins with the line 'banksim-trace 1'",
     "banksim-trace one"},
    {"banksim-trace 0\nend\n", 0, 1, 15,
     "the version is missing or wrong: a trace begins with the line 'banksim-trace 1'",
     "banksim-trace 0"},
    {"banksim-trace 2\nend\n", 0, 1, 15,
     "version 2 of the format is newer than this banksim, which reads version 1",
     "banksim-trace 2"},
    {"banksim-trace 1.1\nend\n", 0, 1, 15,
     "the version is missing or wrong: a trace begins with the line 'banksim-trace 1'",
     "banksim-trace 1.1"},
    {"banksim-trace 1 2\nend\n", 0, 1, 17, "unexpected '2': this record is complete before it",
     "banksim-trace 1 2"},
    {KERNEL VERSION "end\n", 0, 3, 1,
     "'banksim-trace' stands only in a trace's first record: to join traces, leave out the 'end' "
     "before it and this line",
     "banksim-trace 1"},
    {VERSION, 0, 1, 16, "the trace was cut short: its last record, 'end', is missing",
     "banksim-trace 1"},
    {BLOCK "w0 bar.sync # x", 0, 4, 16,
     "the trace was cut short: its last record, 'end', is missing", "w0 bar.sync # x"},
    {VERSION "end\nend\n", 0, 3, 1, "a record after 'end': 'end' is a trace's last record", "end"},
    {VERSION "end\n\n  x\n", 0, 4, 3, "a record after 'end': 'end' is a trace's last record",
     "  x"},
    {VERSION "end now\n", 0, 2, 5, "unexpected 'now': this record is complete before it",
     "end now"},

    /* bytes */
    {"\xef\xbb\xbf" VERSION "end\n", 0, 1, 1,
     "the file begins with a byte order mark: save it without one, as plain ASCII or UTF-8",
     "\xef\xbb\xbf"
     "banksim-trace 1"},
    {KERNEL "blo\0ck 0\nend\n", sizeof(KERNEL "blo\0ck 0\nend\n") - 1, 3, 4,
     "byte 0x00: outside of comments and quoted text a trace is plain printable ASCII", "blo?ck 0"},
    {VERSION "kernel \xc3\xa4 block=32\nend\n", 0, 2, 8,
     "byte 0xc3: outside of comments and quoted text a trace is plain printable ASCII",
     "kernel \xc3\xa4 block=32"},
    {BLOCK "w0 ld.shared.u32 00000001 4\x7f\nend\n", 0, 4, 28,
     "byte 0x7f: outside of comments and quoted text a trace is plain printable ASCII",
     "w0 ld.shared.u32 00000001 4?"},
    {BLOCK "w0 ld.shared.u32 00000001 \xb2\nend\n", 0, 4, 27,
     "byte 0xb2: outside of comments and quoted text a trace is plain printable ASCII",
     "w0 ld.shared.u32 00000001 ?"},
    {"banksim-trace 1\rend\r", 0, 1, 16,
     "a carriage return within a line: lines end with LF or CRLF", "banksim-trace 1?end"},

    /* records and their order */
    {KERNEL "blocks 0\nend\n", 0, 3, 1, "unknown record 'blocks': did you mean 'block'?",
     "blocks 0"},
    {KERNEL "launch\nend\n", 0, 3, 1,
     "unknown record 'launch': it is one of kernel, site, block, wN, w*, repeat, done, end",
     "launch"},
    {KERNEL "END\nend\n", 0, 3, 1, "unknown record 'END': did you mean 'end'?", "END"},
    {BLOCK "warp0 bar.sync\nend\n", 0, 4, 1,
     "unknown record 'warp0': it is one of kernel, site, block, wN, w*, repeat, done, end",
     "warp0 bar.sync"},
    {VERSION "block 0\nend\n", 0, 2, 1,
     "a block needs a kernel: a 'kernel' line must stand before it", "block 0"},
    {VERSION "site 1 bar.sync\nend\n", 0, 2, 1,
     "a site needs a kernel: a 'kernel' line must stand before it", "site 1 bar.sync"},
    {KERNEL "w0 bar.sync\nend\n", 0, 3, 1,
     "an event needs a block: a 'block' line must stand before it", "w0 bar.sync"},
    {BLOCK "kernel k block=32\nw0 work 1\nend\n", 0, 5, 1,
     "an event needs a block: a 'block' line must stand before it", "w0 work 1"},
    {KERNEL "repeat 2\nend\n", 0, 3, 1,
     "a repeat needs a block: a 'block' line must stand before it", "repeat 2"},

    /* kernel */
    {VERSION "kernel\nend\n", 0, 2, 7,
     "the kernel's name is missing: it stands before the keys and has no '='", "kernel"},
    {VERSION "kernel grid=1 block=32\nend\n", 0, 2, 8,
     "the kernel's name is missing: it stands before the keys and has no '='",
     "kernel grid=1 block=32"},
    {VERSION "kernel k grid=1\nend\n", 0, 2, 1, "block= is missing: how many threads has a block?",
     "kernel k grid=1"},
    {VERSION "kernel k 32\nend\n", 0, 2, 10, "'32' is not a key=value pair", "kernel k 32"},
    {VERSION "kernel k block=32 shard=4\nend\n", 0, 2, 19,
     "unknown key 'shard': did you mean 'shared'?", "kernel k block=32 shard=4"},
    {VERSION "kernel k block=32 stacks=4\nend\n", 0, 2, 19,
     "unknown key 'stacks': it is one of grid, block, shared, registers, device, again, or x- and a "
     "name of your own",
     "kernel k block=32 stacks=4"},
    {VERSION "kernel k block=32 regs=4\nend\n", 0, 2, 19,
     "unknown key 'regs': it is one of grid, block, shared, registers, device, again, or x- and a name "
     "of your own",
     "kernel k block=32 regs=4"},
    {VERSION "kernel k block=32 registers=0\nend\n", 0, 2, 29,
     "registers= is a number from 1 to 255, not '0'", "kernel k block=32 registers=0"},
    {VERSION "kernel k registers=256 block=32\nend\n", 0, 2, 20,
     "registers= is a number from 1 to 255, not '256'", "kernel k registers=256 block=32"},
    {VERSION "kernel k block=32 registers=32 registers=32\nend\n", 0, 2, 32,
     "registers= stands twice", "kernel k block=32 registers=32 registers=32"},
    {VERSION "kernel k block=32 x-=4\nend\n", 0, 2, 19,
     "unknown key 'x-': it is one of grid, block, shared, registers, device, again, or x- and a name of "
     "your own",
     "kernel k block=32 x-=4"},
    {VERSION "kernel k block=32 again=0\nend\n", 0, 2, 25,
     "again= is a number from 1 to 256, not '0'", "kernel k block=32 again=0"},
    {VERSION "kernel k block=32 again=257\nend\n", 0, 2, 25,
     "again= is a number from 1 to 256, not '257'", "kernel k block=32 again=257"},
    {KERNEL "kernel k block=32 again=1\nblock 0\nend\n", 0, 4, 1,
     "a launch with again= has nothing of its own: it does what another did", "block 0"},
    {KERNEL "kernel k block=32 again=1\nsite 1 ld.shared.u32\nend\n", 0, 4, 1,
     "a launch with again= has nothing of its own: it does what another did",
     "site 1 ld.shared.u32"},
    {VERSION "kernel k block=32 =4\nend\n", 0, 2, 19, "the key before '=' is missing",
     "kernel k block=32 =4"},
    {VERSION "kernel k block=32 grid=1 block=32\nend\n", 0, 2, 26, "block= stands twice",
     "kernel k block=32 grid=1 block=32"},
    {VERSION "kernel k block=32 x-a=1 x-b=2 x-a=1\nend\n", 0, 2, 31, "x-a= stands twice",
     "kernel k block=32 x-a=1 x-b=2 x-a=1"},
    {VERSION "kernel k block=32 x-a=\"1\"\nend\n", 0, 2, 23,
     "the value of an x- key stands without quotation marks", "kernel k block=32 x-a=\"1\""},
    {VERSION "kernel k block=32 device=\"h200\"\nend\n", 0, 2, 26,
     "the value of device= stands without quotation marks", "kernel k block=32 device=\"h200\""},
    {VERSION "kernel k block=32 device=\nend\n", 0, 2, 26,
     "device= needs a name, as in device=sm_90", "kernel k block=32 device="},
    {VERSION "kernel k block=0\nend\n", 0, 2, 16,
     "a size in block= is a number from 1 to 1024, not '0'", "kernel k block=0"},
    {VERSION "kernel k block=\nend\n", 0, 2, 16, "a size in block= is missing", "kernel k block="},
    {VERSION "kernel k block=32,\nend\n", 0, 2, 19, "a size in block= is missing",
     "kernel k block=32,"},
    {VERSION "kernel k block=8,4,2,1\nend\n", 0, 2, 16,
     "a size in block= is X[,Y[,Z]], not '8,4,2,1'", "kernel k block=8,4,2,1"},
    {VERSION "kernel k block=8x4\nend\n", 0, 2, 16, "a size in block= is X[,Y[,Z]], not '8x4'",
     "kernel k block=8x4"},
    {VERSION "kernel k block=1025\nend\n", 0, 2, 16,
     "a size in block= is a number from 1 to 1024, not '1025'", "kernel k block=1025"},
    {VERSION "kernel k block=32,33\nend\n", 0, 2, 16,
     "block= has 1056 threads: a block has at most 1024", "kernel k block=32,33"},
    {VERSION "kernel k block=1024,1024,1024\nend\n", 0, 2, 16,
     "block= has 1073741824 threads: a block has at most 1024", "kernel k block=1024,1024,1024"},
    {VERSION "kernel k block=32 grid=2147483648\nend\n", 0, 2, 24,
     "a size in grid= is a number from 1 to 2147483647, not '2147483648'",
     "kernel k block=32 grid=2147483648"},
    {VERSION "kernel k block=32 grid=1,65536\nend\n", 0, 2, 26,
     "a size in grid= is a number from 1 to 65535, not '65536'", "kernel k block=32 grid=1,65536"},
    {VERSION "kernel k block=32 shared=16777217\nend\n", 0, 2, 26,
     "shared= is a number from 0 to 16777216, not '16777217'", "kernel k block=32 shared=16777217"},
    {VERSION "kernel k block=32 shared=4k\nend\n", 0, 2, 26,
     "shared= is a number from 0 to 16777216, not '4k'", "kernel k block=32 shared=4k"},
    {VERSION "kernel k block=32 shared=-1\nend\n", 0, 2, 26,
     "shared= is a number from 0 to 16777216, not '-1'", "kernel k block=32 shared=-1"},

    /* site */
    {KERNEL "site\nend\n", 0, 3, 5, "the site's number is missing", "site"},
    {KERNEL "site 0 bar.sync\nend\n", 0, 3, 6,
     "the site's number is a number from 1 to 4294967295, not '0'", "site 0 bar.sync"},
    {KERNEL "site 4294967296 bar.sync\nend\n", 0, 3, 6,
     "the site's number is a number from 1 to 4294967295, not '4294967296'",
     "site 4294967296 bar.sync"},
    {KERNEL "site @1 bar.sync\nend\n", 0, 3, 6,
     "the site's number is a number from 1 to 4294967295, not '@1'", "site @1 bar.sync"},
    {KERNEL "site 1 bar.sync\nsite 0x1 bar.sync\nend\n", 0, 4, 6,
     "site 1 is defined already in this kernel", "site 0x1 bar.sync"},
    {KERNEL "site 1\nend\n", 0, 3, 7, "the opcode is missing, as in ld.shared.u32", "site 1"},
    {KERNEL "site 1 work\nend\n", 0, 3, 8,
     "unknown opcode 'work': it begins with ld, ldu, tex, st, atom, red, cp.async, ldmatrix, "
     "stmatrix, wgmma, "
     "shfl.sync, "
     "membar, fence or is bar.sync or bar.warp.sync",
     "site 1 work"},
    {KERNEL "site 1 bar.sync at=a.cu\nend\n", 0, 3, 20, "at= is FILE:LINE, not 'a.cu'",
     "site 1 bar.sync at=a.cu"},
    {KERNEL "site 1 bar.sync at=:3\nend\n", 0, 3, 20, "at= is FILE:LINE, not ':3'",
     "site 1 bar.sync at=:3"},
    {KERNEL "site 1 bar.sync at=a.cu:\nend\n", 0, 3, 25, "the line of at=FILE:LINE is missing",
     "site 1 bar.sync at=a.cu:"},
    {KERNEL "site 1 bar.sync at=a.cu:x\nend\n", 0, 3, 25,
     "the line of at=FILE:LINE is a number from 0 to 4294967295, not 'x'",
     "site 1 bar.sync at=a.cu:x"},
    {KERNEL "site 1 bar.sync at=a:1 at=a:1\nend\n", 0, 3, 24, "at= stands twice",
     "site 1 bar.sync at=a:1 at=a:1"},
    {KERNEL "site 1 bar.sync line=3\nend\n", 0, 3, 17, "unknown key 'line': it is one of at, text",
     "site 1 bar.sync line=3"},
    {KERNEL "site 1 bar.sync text=x\nend\n", 0, 3, 22,
     "the value of text= stands in quotation marks", "site 1 bar.sync text=x"},
    {KERNEL "site 1 bar.sync text=\"x\nend\n", 0, 3, 22, "the closing quotation mark is missing",
     "site 1 bar.sync text=\"x"},
    {KERNEL "site 1 bar.sync text=\"x\\\"\nend\n", 0, 3, 22,
     "the closing quotation mark is missing", "site 1 bar.sync text=\"x\\\""},
    {KERNEL "site 1 bar.sync text=\"a\\nb\"\nend\n", 0, 3, 24,
     "a backslash in a quoted text stands before \" or \\ only: write \\\\ for a backslash",
     "site 1 bar.sync text=\"a\\nb\""},
    {KERNEL "site 1 bar.sync text=\"a\tb\"\nend\n", 0, 3, 24,
     "control character 0x09 in a quoted text", "site 1 bar.sync text=\"a b\""},
    {KERNEL "site 1 bar.sync text=\"a\"b\nend\n", 0, 3, 25,
     "'b' right behind a quoted text: a blank must stand between", "site 1 bar.sync text=\"a\"b"},

    /* block */
    {KERNEL "block\nend\n", 0, 3, 6, "a block's place in grid= is missing", "block"},
    {KERNEL "block 2\nend\n", 0, 3, 7, "a block's place in grid= is a number from 0 to 1, not '2'",
     "block 2"},
    {KERNEL "block 1,1\nend\n", 0, 3, 9,
     "a block's place in grid= is a number from 0 to 0, not '1'", "block 1,1"},
    {KERNEL "block 0,0,0,0\nend\n", 0, 3, 7, "a block's place in grid= is X[,Y[,Z]], not '0,0,0,0'",
     "block 0,0,0,0"},
    {KERNEL "block 0 1\nend\n", 0, 3, 9, "unexpected '1': this record is complete before it",
     "block 0 1"},

    /* warps and opcodes */
    {BLOCK "w2 bar.sync\nend\n", 0, 4, 1, "warp 2 is outside of block=, which has 2 warps (from 0)",
     "w2 bar.sync"},
    {VERSION "kernel k block=33\nblock 0\nw2 bar.sync\nend\n", 0, 4, 1,
     "warp 2 is outside of block=, which has 2 warps (from 0)", "w2 bar.sync"},
    {VERSION "kernel k block=32\nblock 0\nw1 bar.sync\nend\n", 0, 4, 1,
     "warp 1 is outside of block=, which has 1 warp (from 0)", "w1 bar.sync"},
    {BLOCK "w18446744073709551616 bar.sync\nend\n", 0, 4, 1,
     "a warp is w and a number, or w* for all, not 'w18446744073709551616'",
     "w18446744073709551616 bar.sync"},
    {BLOCK "w*1 bar.sync\nend\n", 0, 4, 1, "a warp is w and a number, or w* for all, not 'w*1'",
     "w*1 bar.sync"},
    {BLOCK "w0\nend\n", 0, 4, 3, "the opcode is missing, as in ld.shared.u32", "w0"},
    {BLOCK "w0 ld.shared.u33 ffffffff 0+4\nend\n", 0, 4, 4,
     "unknown opcode 'ld.shared.u33': after the space comes [v2|v4] and an element, b, u, s or f "
     "with 8, 16, 32 or 64 bits, as in u32",
     "w0 ld.shared.u33 ffffffff 0+4"},
    {BLOCK "w0 st.const.u32 ffffffff 0+4\nend\n", 0, 4, 4,
     "unknown opcode 'st.const.u32': constant memory is read-only", "w0 st.const.u32 ffffffff 0+4"},
    {BLOCK "w0 ld.shared.v4.u64 ffffffff 0+4\nend\n", 0, 4, 4,
     "unknown opcode 'ld.shared.v4.u64': a lane accesses 16 bytes at most",
     "w0 ld.shared.v4.u64 ffffffff 0+4"},
    {BLOCK "w0 @1 ffffffff 0+4\nend\n", 0, 4, 4,
     "unknown site 1: 'site 1 OPCODE' must stand before its first use in this kernel",
     "w0 @1 ffffffff 0+4"},
    {KERNEL "site 1 bar.sync\nkernel k block=32\nblock 0\nw0 @1\nend\n", 0, 6, 4,
     "unknown site 1: 'site 1 OPCODE' must stand before its first use in this kernel", "w0 @1"},
    {BLOCK "w0 @ ffffffff 0+4\nend\n", 0, 4, 5, "the site's number is missing",
     "w0 @ ffffffff 0+4"},
    {BLOCK "w0 @0 ffffffff 0+4\nend\n", 0, 4, 5,
     "the site's number is a number from 1 to 4294967295, not '0'", "w0 @0 ffffffff 0+4"},

    /* masks */
    {BLOCK "w0 ld.shared.u32\nend\n", 0, 4, 17,
     "the mask is eight hex digits (without 0x), as in ffffffff", "w0 ld.shared.u32"},
    {BLOCK "w0 ld.shared.u32 0xffffffff 0+4\nend\n", 0, 4, 18,
     "the mask is eight hex digits (without 0x), as in ffffffff",
     "w0 ld.shared.u32 0xffffffff 0+4"},
    {BLOCK "w0 ld.shared.u32 fffffff 0+4\nend\n", 0, 4, 18,
     "the mask is eight hex digits (without 0x), as in ffffffff", "w0 ld.shared.u32 fffffff 0+4"},
    {BLOCK "w0 ld.shared.u32 fffffffg 0+4\nend\n", 0, 4, 18,
     "the mask is eight hex digits (without 0x), as in ffffffff", "w0 ld.shared.u32 fffffffg 0+4"},
    {BLOCK "w0 ld.shared.u32 00000000 0+4\nend\n", 0, 4, 18,
     "the mask is 0: an event needs at least one active lane", "w0 ld.shared.u32 00000000 0+4"},
    {BLOCK "w0 shfl.sync.idx.b32 00000000 -\nend\n", 0, 4, 22,
     "the mask is 0: an event needs at least one active lane", "w0 shfl.sync.idx.b32 00000000 -"},
    {BLOCK "w0 " MATRIX "x1.shared.b16 000000ff 0+16\nend\n", 0, 4, 45,
     "a matrix form is executed by the whole warp: its mask is ffffffff",
     "w0 " MATRIX "x1.shared.b16 000000ff 0+16"},
    {BLOCK "w* bar.sync ffffffff\nend\n", 0, 4, 13, "'ffffffff' is not a key=value pair",
     "w* bar.sync ffffffff"},

    /* how many addresses */
    {BLOCK "w0 ld.shared.u32 ffffffff\nend\n", 0, 4, 26, "the addresses are missing",
     "w0 ld.shared.u32 ffffffff"},
    {BLOCK "w0 ld.shared.u32 ffffffff # 0+4\nend\n", 0, 4, 27, "the addresses are missing",
     "w0 ld.shared.u32 ffffffff # 0+4"},
    {BLOCK "w0 ld.shared.u32 ffffffff wait=0\nend\n", 0, 4, 27,
     "addresses are B+S, B-S or a list a,b,c with a*n, not 'wait=0'",
     "w0 ld.shared.u32 ffffffff wait=0"},
    {BLOCK "w0 ld.shared.u32 00000007 0,4\nend\n", 0, 4, 27,
     "fewer addresses than the 3 active lanes of mask 00000007", "w0 ld.shared.u32 00000007 0,4"},
    {BLOCK "w0 ld.shared.u32 ffffffff 0*31\nend\n", 0, 4, 27,
     "fewer addresses than the 32 active lanes of mask ffffffff", "w0 ld.shared.u32 ffffffff 0*31"},
    {BLOCK "w0 ld.shared.u32 ffffffff 0 + 4\nend\n", 0, 4, 29,
     "the addresses are one word, without blanks", "w0 ld.shared.u32 ffffffff 0 + 4"},
    {BLOCK "w0 ld.shared.u32 ffffffff 4 -\nend\n", 0, 4, 29,
     "the addresses are one word, without blanks", "w0 ld.shared.u32 ffffffff 4 -"},
    {BLOCK "w0 ld.shared.u32 ffffffff 1e3+4\nend\n", 0, 4, 28,
     "addresses are B+S, B-S or a list a,b,c with a*n, not 'e3+4'",
     "w0 ld.shared.u32 ffffffff 1e3+4"},
    {BLOCK "w0 ld.shared.u32 ffffffff 4.5+4\nend\n", 0, 4, 28,
     "addresses are B+S, B-S or a list a,b,c with a*n, not '.5+4'",
     "w0 ld.shared.u32 ffffffff 4.5+4"},
    {BLOCK "w0 ld.shared.u32 00000001 0,4\nend\n", 0, 4, 29,
     "more addresses than the 1 active lane of mask 00000001", "w0 ld.shared.u32 00000001 0,4"},
    {BLOCK "w0 ld.shared.u32 80000000 0,4\nend\n", 0, 4, 29,
     "more addresses than the 1 active lane of mask 80000000", "w0 ld.shared.u32 80000000 0,4"},
    {BLOCK "w0 ld.shared.u32 ffffffff 0,4*18446744073709551615\nend\n", 0, 4, 29,
     "more addresses than the 32 active lanes of mask ffffffff",
     "w0 ld.shared.u32 ffffffff 0,4*18446744073709551615"},
    {BLOCK "w0 " MATRIX "x2.shared.b16 ffffffff 0*8\nend\n", 0, 4, 54,
     "fewer addresses than the 16 rows of the matrix form",
     "w0 " MATRIX "x2.shared.b16 ffffffff 0*8"},
    {BLOCK "w0 " MATRIX "x1.shared.b16 ffffffff 0*32\nend\n", 0, 4, 54,
     "more addresses than the 8 rows of the matrix form",
     "w0 " MATRIX "x1.shared.b16 ffffffff 0*32"},
    {BLOCK "w0 shfl.sync.idx.b32 ffffffff 0+4\nend\n", 0, 4, 31,
     "an exchange has no address: '-' stands in its place", "w0 shfl.sync.idx.b32 ffffffff 0+4"},
    {BLOCK "w0 shfl.sync.idx.b32 ffffffff\nend\n", 0, 4, 30,
     "an exchange has no address: '-' stands in its place", "w0 shfl.sync.idx.b32 ffffffff"},

    /* how addresses are written */
    {BLOCK "w0 ld.shared.u32 ffffffff -\nend\n", 0, 4, 27,
     "addresses are B+S, B-S or a list a,b,c with a*n, not '-'", "w0 ld.shared.u32 ffffffff -"},
    {BLOCK "w0 ld.shared.u32 00000003 0,,4\nend\n", 0, 4, 29,
     "a number is missing: the addresses are one word, without blanks",
     "w0 ld.shared.u32 00000003 0,,4"},
    {BLOCK "w0 ld.shared.u32 00000003 0,4,\nend\n", 0, 4, 31,
     "a number is missing: the addresses are one word, without blanks",
     "w0 ld.shared.u32 00000003 0,4,"},
    {BLOCK "w0 ld.shared.u32 00000003 0, 4\nend\n", 0, 4, 29,
     "a number is missing: the addresses are one word, without blanks",
     "w0 ld.shared.u32 00000003 0, 4"},
    {BLOCK "w0 ld.shared.u32 00000003 0*0,4*2\nend\n", 0, 4, 29,
     "a*n needs a number n of lanes, 1 or more", "w0 ld.shared.u32 00000003 0*0,4*2"},
    {BLOCK "w0 ld.shared.u32 00000003 0*x\nend\n", 0, 4, 29,
     "a*n needs a number n of lanes, 1 or more", "w0 ld.shared.u32 00000003 0*x"},
    {BLOCK "w0 ld.shared.u32 00000003 0+4,8\nend\n", 0, 4, 30,
     "addresses are B+S, B-S or a list a,b,c with a*n, not ',8'",
     "w0 ld.shared.u32 00000003 0+4,8"},
    {BLOCK "w0 ld.shared.u32 00000001 4x\nend\n", 0, 4, 28,
     "addresses are B+S, B-S or a list a,b,c with a*n, not 'x'", "w0 ld.shared.u32 00000001 4x"},
    {BLOCK "w0 ld.shared.u32 00000003 0+\nend\n", 0, 4, 29,
     "a number is missing: the addresses are one word, without blanks",
     "w0 ld.shared.u32 00000003 0+"},
    {BLOCK "w0 ld.shared.u32 00000003 0+-4\nend\n", 0, 4, 29,
     "addresses are B+S, B-S or a list a,b,c with a*n, not '-4'", "w0 ld.shared.u32 00000003 0+-4"},
    {BLOCK "w0 ld.shared.u32 00000003 0+9223372036854775808\nend\n", 0, 4, 29,
     "a stride is below 2^63", "w0 ld.shared.u32 00000003 0+9223372036854775808"},
    {BLOCK "w0 ld.global.u32 00000001 18446744073709551616\nend\n", 0, 4, 27,
     "'18446744073709551616' is not a number of 64 bits",
     "w0 ld.global.u32 00000001 18446744073709551616"},
    {BLOCK "w0 ld.global.u32 00000001 0x10000000000000000\nend\n", 0, 4, 27,
     "'0x10000000000000000' is not a number of 64 bits",
     "w0 ld.global.u32 00000001 0x10000000000000000"},
    {BLOCK "w0 ld.global.u32 00000001 0x\nend\n", 0, 4, 27, "'0x' is not a number of 64 bits",
     "w0 ld.global.u32 00000001 0x"},

    /* where addresses lie */
    {BLOCK "w0 ld.shared.u32 0000000c 0,2\nend\n", 0, 4, 29,
     "lane 3: address 2 is not a multiple of 4, the bytes of one access",
     "w0 ld.shared.u32 0000000c 0,2"},
    {BLOCK "w0 ld.shared.u32 00000001 1\nend\n", 0, 4, 27,
     "lane 0: address 1 is not a multiple of 4, the bytes of one access",
     "w0 ld.shared.u32 00000001 1"},
    {BLOCK "w0 ld.shared.u16 00000001 255\nend\n", 0, 4, 27,
     "lane 0: address 255 and its 2 bytes are outside of the block's shared= of 256 bytes",
     "w0 ld.shared.u16 00000001 255"},
    {BLOCK "w0 ld.shared.v4.u32 00000003 0,8\nend\n", 0, 4, 32,
     "lane 1: address 8 is not a multiple of 16, the bytes of one access",
     "w0 ld.shared.v4.u32 00000003 0,8"},
    {BLOCK "w0 ld.shared.u32 ffffffff 0+2\nend\n", 0, 4, 27,
     "lane 31: address 62 is not a multiple of 4, the bytes of one access",
     "w0 ld.shared.u32 ffffffff 0+2"},
    {BLOCK "w0 ld.shared.u32 00000007 0+2\nend\n", 0, 4, 27,
     "lane 1: address 2 is not a multiple of 4, the bytes of one access",
     "w0 ld.shared.u32 00000007 0+2"},
    {BLOCK "w0 ld.global.u64 00000001 4\nend\n", 0, 4, 27,
     "lane 0: address 4 is not a multiple of 8, the bytes of one access",
     "w0 ld.global.u64 00000001 4"},
    {BLOCK "w0 " MATRIX "x1.shared.b16 ffffffff 0+8\nend\n", 0, 4, 54,
     "row 7: address 56 is not a multiple of 16, the bytes of one access",
     "w0 " MATRIX "x1.shared.b16 ffffffff 0+8"},
    {BLOCK "w0 ld.shared.u32 00000003 252,256\nend\n", 0, 4, 31,
     "lane 1: address 256 and its 4 bytes are outside of the block's shared= of 256 bytes",
     "w0 ld.shared.u32 00000003 252,256"},
    {BLOCK "w0 ld.shared.u8 00000001 256\nend\n", 0, 4, 26,
     "lane 0: address 256 and its 1 byte are outside of the block's shared= of 256 bytes",
     "w0 ld.shared.u8 00000001 256"},
    {VERSION "kernel k block=32 shared=250\nblock 0\nw0 ld.shared.v2.u32 00000001 248\nend\n", 0, 4,
     30, "lane 0: address 248 and its 8 bytes are outside of the block's shared= of 250 bytes",
     "w0 ld.shared.v2.u32 00000001 248"},
    {VERSION "kernel k block=32 shared=0\nblock 0\nw0 ld.shared.u8 00000001 0\nend\n", 0, 4, 26,
     "lane 0: address 0 and its 1 byte are outside of the block's shared= of 0 bytes",
     "w0 ld.shared.u8 00000001 0"},
    {VERSION "kernel k block=32 shared=3\nblock 0\nw0 ld.shared.u32 00000001 0\nend\n", 0, 4, 27,
     "lane 0: address 0 and its 4 bytes are outside of the block's shared= of 3 bytes",
     "w0 ld.shared.u32 00000001 0"},
    {BLOCK "w* st.shared.u32 ffffffff 132+4\nend\n", 0, 4, 27,
     "lane 31: address 256 and its 4 bytes are outside of the block's shared= of 256 bytes",
     "w* st.shared.u32 ffffffff 132+4"},
    {BLOCK "w0 ld.shared.u32 ffffffff 120-4\nend\n", 0, 4, 27, "lane 31: its address is negative",
     "w0 ld.shared.u32 ffffffff 120-4"},
    {BLOCK "w0 " MATRIX "x2.shared.b16 ffffffff 16+16\nend\n", 0, 4, 54,
     "row 15: address 256 and its 16 bytes are outside of the block's shared= of 256 bytes",
     "w0 " MATRIX "x2.shared.b16 ffffffff 16+16"},
    {OPEN "w0 ld.shared.u32 00000001 4294967296\nend\n", 0, 4, 27,
     "lane 0: address 4294967296 and its 4 bytes are outside of the block's 32-bit window of "
     "4294967296 bytes",
     "w0 ld.shared.u32 00000001 4294967296"},
    {OPEN "w0 ld.shared.u32 00000003 4294967292+4\nend\n", 0, 4, 27,
     "lane 1: address 4294967296 and its 4 bytes are outside of the block's 32-bit window of "
     "4294967296 bytes",
     "w0 ld.shared.u32 00000003 4294967292+4"},
    {OPEN "w0 ld.shared.u32 ffffffff 0+9223372036854775807\nend\n", 0, 4, 27,
     "lane 31: its address is past 64 bits", "w0 ld.shared.u32 ffffffff 0+9223372036854775807"},
    {OPEN "w0 ld.global.u32 ffffffff 18446744073709551612+4\nend\n", 0, 4, 27,
     "lane 31: its address is past 64 bits", "w0 ld.global.u32 ffffffff 18446744073709551612+4"},
    {OPEN "w0 ld.global.u32 ffffffff 0-4\nend\n", 0, 4, 27, "lane 31: its address is negative",
     "w0 ld.global.u32 ffffffff 0-4"},

    /* attributes */
    {BLOCK "w0 bar.sync wait=x\nend\n", 0, 4, 18, "wait is a number from 0 to 2147483647, not 'x'",
     "w0 bar.sync wait=x"},
    {BLOCK "w0 bar.sync wait=\nend\n", 0, 4, 18, "wait is missing", "w0 bar.sync wait="},
    {BLOCK "w0 bar.sync wait=2147483648\nend\n", 0, 4, 18,
     "wait is a number from 0 to 2147483647, not '2147483648'", "w0 bar.sync wait=2147483648"},
    {BLOCK "w0 bar.sync wait\nend\n", 0, 4, 13, "'wait' is not a key=value pair",
     "w0 bar.sync wait"},
    {BLOCK "w0 bar.sync wait=0 wait=0\nend\n", 0, 4, 20, "wait= stands twice",
     "w0 bar.sync wait=0 wait=0"},
    {BLOCK "w0 bar.sync expect.wavefronts=0\nend\n", 0, 4, 13,
     "expect.wavefronts belongs to an event that accesses shared memory",
     "w0 bar.sync expect.wavefronts=0"},
    {BLOCK "w0 ld.global.u32 00000001 0 expect.conflicts=0\nend\n", 0, 4, 29,
     "expect.conflicts belongs to an event that accesses shared memory",
     "w0 ld.global.u32 00000001 0 expect.conflicts=0"},
    {BLOCK "w0 ld.shared.u8 00000001 0 expect.wavefront=1\nend\n", 0, 4, 28,
     "unknown key 'expect.wavefront': did you mean 'expect.wavefronts'?",
     "w0 ld.shared.u8 00000001 0 expect.wavefront=1"},
    {BLOCK "w0 ld.shared.u8 00000001 0 x-a=1\nend\n", 0, 4, 28,
     "unknown key 'x-a': it is one of wait, expect.wavefronts, expect.conflicts, from, reads, reuse",
     "w0 ld.shared.u8 00000001 0 x-a=1"},
    {BLOCK "w0 ld.shared.u32 00000001 0 from=0\nend\n", 0, 4, 29,
     "from= belongs to a copy, cp.async: it says where in global memory its lanes have their bytes "
     "from",
     "w0 ld.shared.u32 00000001 0 from=0"},
    {BLOCK "w0 cp.async.cg.shared.global.16 00000001 0 from=\nend\n", 0, 4, 49,
     "the addresses are missing", "w0 cp.async.cg.shared.global.16 00000001 0 from="},
    {BLOCK "w0 cp.async.cg.shared.global.16 00000003 0+16 from=16,24\nend\n", 0, 4, 55,
     "lane 1: address 24 is not a multiple of 16, the bytes of one access",
     "w0 cp.async.cg.shared.global.16 00000003 0+16 from=16,24"},
    {BLOCK "w0 cp.async.ca.shared.global.4 00000003 0+4 from=16*3\nend\n", 0, 4, 50,
     "more addresses than the 2 active lanes of mask 00000003",
     "w0 cp.async.ca.shared.global.4 00000003 0+4 from=16*3"},
    {BLOCK "w0 cp.async.cg.shared.global.8 00000001 0\nend\n", 0, 4, 4,
     "unknown opcode 'cp.async.cg.shared.global.8': a copy is cp.async.ca.shared.global.{4,8,16} or "
     "cp.async.cg.shared.global.16",
     "w0 cp.async.cg.shared.global.8 00000001 0"},

    /* meetings */
    {BLOCK "w0 arrive\nend\n", 0, 4, 10, "the meeting's number is missing", "w0 arrive"},
    {BLOCK "w0 arrive 0\nend\n", 0, 4, 11,
     "the meeting's number is a number from 1 to 4294967295, not '0'", "w0 arrive 0"},
    {BLOCK "w0 arrive 1:2\nend\n", 0, 4, 11, "arrive is T (meeting), not '1:2'", "w0 arrive 1:2"},
    {BLOCK "w0 await 1\nend\n", 0, 4, 10, "await is T:N (meeting, arrivals), not '1'",
     "w0 await 1"},
    {BLOCK "w0 await 1:0\nend\n", 0, 4, 12,
     "the number of arrivals is a number from 1 to 4294967295, not '0'", "w0 await 1:0"},
    {BLOCK "repeat 2\nw0 arrive 1\ndone\nend\n", 0, 5, 4,
     "a meeting takes place once: it cannot stand within a repeat", "w0 arrive 1"},

    {BLOCK "w0 cp.async.mbarrier.arrive 1:2\nend\n", 0, 4, 29,
     "cp.async.mbarrier.arrive is T (meeting), not '1:2'", "w0 cp.async.mbarrier.arrive 1:2"},
    {BLOCK "repeat 2\nw0 cp.async.mbarrier.arrive 1\ndone\nend\n", 0, 5, 4,
     "a meeting takes place once: it cannot stand within a repeat", "w0 cp.async.mbarrier.arrive 1"},

    /* groups of copies */
    {BLOCK "w0 cp.async.wait_group\nend\n", 0, 4, 23, "the number of groups is missing", "w0 cp.async.wait_group"},
    {BLOCK "w0 cp.async.wait_group -1\nend\n", 0, 4, 24,
     "the number of groups is a number from 0 to 4294967294, not '-1'", "w0 cp.async.wait_group -1"},
    {BLOCK "w0 cp.async.wait_group 4294967295\nend\n", 0, 4, 24,
     "the number of groups is a number from 0 to 4294967294, not '4294967295'",
     "w0 cp.async.wait_group 4294967295"},
    {BLOCK "w0 cp.async.wait_group wait=0\nend\n", 0, 4, 24,
     "the number of groups is a number from 0 to 4294967294, not 'wait=0'", "w0 cp.async.wait_group wait=0"},
    {BLOCK "w0 cp.async.wait_all 0\nend\n", 0, 4, 22, "'0' is not a key=value pair",
     "w0 cp.async.wait_all 0"},
    {BLOCK "w0 cp.async.commit_group expect.wavefronts=1\nend\n", 0, 4, 26,
     "expect.wavefronts belongs to an event that accesses shared memory", "w0 cp.async.commit_group expect.wavefronts=1"},
    {KERNEL "site 1 cp.async.wait_all\nend\n", 0, 3, 8,
     "unknown opcode 'cp.async.wait_all': a copy is cp.async.ca.shared.global.{4,8,16} or cp.async.cg.shared.global.16",
     "site 1 cp.async.wait_all"},

    /* work and repeat */
    {BLOCK "w0 work\nend\n", 0, 4, 8, "the number of instructions is missing", "w0 work"},
    {BLOCK "w0 work 0\nend\n", 0, 4, 9,
     "the number of instructions is a number from 1 to 4294967295, not '0'", "w0 work 0"},
    {BLOCK "w0 work 1:\nend\n", 0, 4, 11, "the number of cycles is missing", "w0 work 1:"},
    {BLOCK "w0 work 1:4294967296\nend\n", 0, 4, 11,
     "the number of cycles is a number from 0 to 4294967295, not '4294967296'",
     "w0 work 1:4294967296"},
    {BLOCK "w0 work 1:2:3\nend\n", 0, 4, 9, "work is K or K:L (instructions, cycles), not '1:2:3'",
     "w0 work 1:2:3"},
    {BLOCK "w0 work 1 ffffffff\nend\n", 0, 4, 11,
     "work is of fp32, int, imad, half, fp64, xu, tensor or lsu, not 'ffffffff'", "w0 work 1 ffffffff"},
    {BLOCK "w0 work 1:2 FP32\nend\n", 0, 4, 13,
     "work is of fp32, int, imad, half, fp64, xu, tensor or lsu, not 'FP32'", "w0 work 1:2 FP32"},
    {BLOCK "w0 work 1 xu xu\nend\n", 0, 4, 14, "'xu' is not a key=value pair", "w0 work 1 xu xu"},
    {BLOCK "w0 work 1 reads=1+0\nend\n", 0, 4, 11,
     "reads= and reuse= belong to work of a class from fp32 to xu, whose registers they tell", "w0 work 1 reads=1+0"},
    {BLOCK "w0 work 1 tensor reads=5+5\nend\n", 0, 4, 18,
     "reads= and reuse= belong to work of a class from fp32 to xu, whose registers they tell", "w0 work 1 tensor reads=5+5"},
    {BLOCK "w0 ld.shared.u32 00000001 0 reads=1+0\nend\n", 0, 4, 29,
     "reads= and reuse= belong to work of a class from fp32 to xu, whose registers they tell",
     "w0 ld.shared.u32 00000001 0 reads=1+0"},
    {BLOCK "w0 work 1 reads=0+0\nend\n", 0, 4, 11,
     "reads= and reuse= belong to work of a class from fp32 to xu, whose registers they tell", "w0 work 1 reads=0+0"},
    {BLOCK "w0 work 1 fp32 reads=1\nend\n", 0, 4, 22, "reads is EVEN+ODD (registers of each bank), not '1'",
     "w0 work 1 fp32 reads=1"},
    {BLOCK "w0 work 1 fp32 reads=1+2+3\nend\n", 0, 4, 22, "reads is EVEN+ODD (registers of each bank), not '1+2+3'",
     "w0 work 1 fp32 reads=1+2+3"},
    {BLOCK "w0 work 1 fp32 reads=1+16\nend\n", 0, 4, 24, "the number of odd registers is a number from 0 to 15, not '16'",
     "w0 work 1 fp32 reads=1+16"},
    {BLOCK "w0 work 1 fp32 reads=1+0 reuse=0+1\nend\n", 0, 4, 26,
     "reuse= counts some of the registers of reads=, not more than these", "w0 work 1 fp32 reads=1+0 reuse=0+1"},
    {BLOCK "w0 work 1 fp32 reuse=1+0\nend\n", 0, 4, 16,
     "reuse= counts some of the registers of reads=, not more than these", "w0 work 1 fp32 reuse=1+0"},
    {BLOCK "repeat 2 work=1:2 int\nend\n", 0, 4, 19, "'int' is not a key=value pair",
     "repeat 2 work=1:2 int"},
    {BLOCK "repeat\nend\n", 0, 4, 7, "the number of turns is missing", "repeat"},
    {BLOCK "repeat 0\nend\n", 0, 4, 8,
     "the number of turns is a number from 1 to 4294967295, not '0'", "repeat 0"},
    {BLOCK "repeat 4294967296\nend\n", 0, 4, 8,
     "the number of turns is a number from 1 to 4294967295, not '4294967296'", "repeat 4294967296"},
    {BLOCK "repeat 2 work=\nend\n", 0, 4, 15, "the number of instructions is missing",
     "repeat 2 work="},
    {BLOCK "repeat 2 wait=1\nend\n", 0, 4, 10, "unknown key 'wait': it is one of work",
     "repeat 2 wait=1"},
    {BLOCK "repeat 2 work=1 work=1\nend\n", 0, 4, 17, "work= stands twice",
     "repeat 2 work=1 work=1"},
    /* 2^20 * 2^20 is 2^40, and one turn more is too many. */
    {BLOCK "repeat 1048576\nrepeat 1048577\nend\n", 0, 5, 8,
     "with the repeats around it the body runs more than 2^40 times", "repeat 1048577"},
    {BLOCK "repeat 1\nrepeat 1\nrepeat 1\nrepeat 1\nrepeat 1\nrepeat 1\nrepeat 1\nrepeat 1\n"
           " repeat 1\n",
     0, 12, 2, "repeats nest up to 8 deep", " repeat 1"},
    {BLOCK "done\nend\n", 0, 4, 1, "'done' without a 'repeat' that is open", "done"},
    {BLOCK "repeat 1\ndone\ndone\nend\n", 0, 6, 1, "'done' without a 'repeat' that is open",
     "done"},
    {BLOCK "repeat 1\ndone 1\nend\n", 0, 5, 6, "unexpected '1': this record is complete before it",
     "done 1"},
    {BLOCK "repeat 1\nrepeat 2\ndone\nend\n", 0, 7, 1,
     "the repeat of line 4 is still open: close it with 'done'", "end"},
    {BLOCK "repeat 1\nblock 1\nend\n", 0, 5, 1,
     "the repeat of line 4 is still open: close it with 'done'", "block 1"},
    {BLOCK "repeat 1\n kernel k block=1\nend\n", 0, 5, 2,
     "the repeat of line 4 is still open: close it with 'done'", " kernel k block=1"},

    /* barriers */
    {BLOCK "w0 bar.sync\nend\n", 0, 4, 4,
     "warp 1 reaches 0 of the 1 barrier that warp 0 reaches: each bar.sync of a block needs all of "
     "its warps",
     "w0 bar.sync"},
    {BLOCK "w* bar.sync\n  w1 bar.sync # x\nw0 work 1\nblock 1\nend\n", 0, 5, 6,
     "warp 0 reaches 1 of the 2 barriers that warp 1 reaches: each bar.sync of a block needs all "
     "of "
     "its warps",
     "  w1 bar.sync # x"},
    {BLOCK "w1 bar.sync\nw* bar.sync\nkernel k block=1\nend\n", 0, 5, 4,
     "warp 0 reaches 1 of the 2 barriers that warp 1 reaches: each bar.sync of a block needs all "
     "of "
     "its warps",
     "w* bar.sync"},
    {VERSION "kernel k block=1024\nblock 0\nw0 bar.sync\nw* bar.sync\nw31 bar.sync\nend\n", 0, 5, 4,
     "warp 1 reaches 1 of the 2 barriers that warp 0 reaches: each bar.sync of a block needs all "
     "of "
     "its warps",
     "w* bar.sync"},
    {KERNEL "site 5 bar.sync\nblock 0\nrepeat 3\nw0 @5\ndone\nw1 @5\nw1 bar.sync\nend\n", 0, 6, 4,
     "warp 1 reaches 2 of the 3 barriers that warp 0 reaches: each bar.sync of a block needs all "
     "of "
     "its warps",
     "w0 @5"},
};

static enum bsim_status note_end(void *context, const struct bsim_record *record,
                                 struct bsim_error *err)
{
    (void)err;
    *(bool *)context = record->kind == BSIM_RECORD_END;
    return BSIM_OK;
}

static void check(const struct bad *c)
{
    bool has_end = false;
    struct bsim_sink sink = {.push = note_end, .context = &has_end};
    struct bsim_error err;
    char got[1500];
    char expected[1500];
    size_t size = c->size > 0 ? c->size : strlen(c->text);
    int caret = (int)c->column - 1;
    if (trace_text_read(c->text, size, 0, &sink, &err) != BSIM_E_INPUT || has_end) {
        fail_msg("not refused:\n%s", c->text);
    }
    if (c->excerpt[0] == '\0') {
        (void)snprintf(expected, sizeof expected, "t.trace:%u:%u: %s\n", (unsigned)c->line,
                       c->column, c->message);
    } else {
        (void)snprintf(expected, sizeof expected, "t.trace:%u:%u: %s\n    %s\n    %*s^\n",
                       (unsigned)c->line, c->column, c->message, c->excerpt, caret, "");
    }
    bsim_error_text(&err, got, sizeof got);
    if (strcmp(got, expected) != 0) {
        fail_msg("\n%sinstead of\n%s", got, expected);
    }
    assert_int_equal(trace_text_read(c->text, size, 1, &sink, NULL), BSIM_E_INPUT);
}

static void refusals(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(bad); i++) {
        check(&bad[i]);
    }
}

/* ---- what does not fit a table -------------------------------------------------------------- */

/* One byte over 64 KiB, with either line end, or without any and without an end in sight. */
static void lines_over_64_kib(void **state)
{
    (void)state;
    static const char *const line_end[] = {"\nend\n", "\r\nend\r\n", ""};
    enum { LONGEST = 65536 };
    for (size_t i = 0; i < N_OF(line_end); i++) {
        for (size_t more = 1; more <= 200000; more *= 10) {
            struct bsim_buffer text = BSIM_BUFFER_EMPTY;
            struct bsim_error err;
            bool has_end = false;
            struct bsim_sink sink = {.push = note_end, .context = &has_end};
            bsim_buffer_text(&text, VERSION "#");
            for (size_t n = 1; n < LONGEST + more; n++) {
                bsim_buffer_text(&text, "x");
            }
            bsim_buffer_text(&text, line_end[i]);
            assert_int_equal(trace_text_read(text.data, text.size_bytes, 0, &sink, &err),
                             BSIM_E_INPUT);
            assert_string_equal(err.message, "the line is longer than 65536 bytes");
            assert_true(err.line == 2 && err.column == LONGEST + 1);
            assert_int_equal(err.excerpt[err.caret], 'x');
            bsim_buffer_free(&text);
        }
    }
}

/* The longest line is one line, also if its end comes later than the rest of it. */
static void lines_of_64_kib_are_counted_once(void **state)
{
    (void)state;
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_error err;
    bool has_end = false;
    struct bsim_sink sink = {.push = note_end, .context = &has_end};
    bsim_buffer_text(&text, VERSION);
    for (size_t line = 0; line < 8; line++) {
        bsim_buffer_printf(&text, "#%065535d%s", 0, line % 2 == 0 ? "\n" : "\r\n");
    }
    bsim_buffer_text(&text, "x\n");
    for (size_t piece = 0; piece <= 1; piece++) {
        assert_int_equal(trace_text_read(text.data, text.size_bytes, piece, &sink, &err),
                         BSIM_E_INPUT);
        assert_string_equal(err.excerpt, "x");
        assert_true(err.line == 10);
    }
    bsim_buffer_free(&text);
}

/* The message at the end of the file shows the last line, wherever that lies in the reader's
 * buffer: sizes around a quarter of a MiB, which is the buffer's. */
static void a_cut_trace_shows_its_last_line(void **state)
{
    (void)state;
    enum { SIZE = 4 * 65536, LAST = 40 };
    for (size_t more = 0; more <= 2 * LAST; more++) {
        struct bsim_buffer text = BSIM_BUFFER_EMPTY;
        struct bsim_error err;
        bool has_end = false;
        struct bsim_sink sink = {.push = note_end, .context = &has_end};
        bsim_buffer_text(&text, BLOCK);
        while (text.size_bytes < SIZE - 3 * LAST) {
            bsim_buffer_text(&text, "w0 work 1\n");
        }
        while (text.size_bytes < SIZE - 2 * LAST + more) {
            bsim_buffer_text(&text, "\n");
        }
        bsim_buffer_printf(&text, "%-39s\n", "w0 work 2 # last");
        assert_int_equal(trace_text_read(text.data, text.size_bytes, 0, &sink, &err), BSIM_E_INPUT);
        assert_memory_equal(err.excerpt, "w0 work 2 # last", 16);
        assert_int_equal(err.column, LAST);
        bsim_buffer_free(&text);
    }
}

static void more_than_64_extras(void **state)
{
    (void)state;
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_error err;
    bool has_end = false;
    struct bsim_sink sink = {.push = note_end, .context = &has_end};
    bsim_buffer_text(&text, VERSION "kernel k block=1");
    for (unsigned i = 10; i < 74; i++) {
        bsim_buffer_printf(&text, " x-%u=1", i);
    }
    size_t fits = text.size_bytes;
    bsim_buffer_text(&text, "\nend\n");
    assert_int_equal(trace_text_read(text.data, text.size_bytes, 0, &sink, &err), BSIM_OK);
    text.size_bytes = fits;
    bsim_buffer_text(&text, " x-74=1\nend\n");
    assert_int_equal(trace_text_read(text.data, text.size_bytes, 0, &sink, &err), BSIM_E_INPUT);
    assert_string_equal(err.message, "a kernel has at most 64 x- keys");
    assert_int_equal(err.column, fits - strlen(VERSION) + 2);
    bsim_buffer_free(&text);
}

/* 2^22 barriers of 2^40 turns are 2^62; one more passes it. */
static void more_barriers_than_can_be_counted(void **state)
{
    (void)state;
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_error err;
    bool has_end = false;
    struct bsim_sink sink = {.push = note_end, .context = &has_end};
    bsim_buffer_text(&text, VERSION "kernel k block=1\nblock 0\nrepeat 1048576\nrepeat 1048576\n");
    for (uint32_t i = 0; i < UINT32_C(1) << 22; i++) {
        bsim_buffer_text(&text, "w* bar.sync\n");
    }
    size_t fits = text.size_bytes;
    bsim_buffer_text(&text, "done\ndone\nend\n");
    assert_int_equal(trace_text_read(text.data, text.size_bytes, 0, &sink, &err), BSIM_OK);
    text.size_bytes = fits;
    bsim_buffer_text(&text, "w0 bar.sync\ndone\ndone\nend\n");
    assert_int_equal(trace_text_read(text.data, text.size_bytes, 0, &sink, &err), BSIM_E_INPUT);
    assert_string_equal(err.message, "warp 0 executes more than 2^62 barriers");
    bsim_buffer_free(&text);
}

/* Of a long line the part around the column is shown, for barriers too, whose line is gone by the
 * time their block ends. */
static void long_lines_are_shown_in_part(void **state)
{
    (void)state;
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_error err;
    bool has_end = false;
    struct bsim_sink sink = {.push = note_end, .context = &has_end};
    bsim_buffer_printf(&text, BLOCK "%300sw0 bar.sync # %0300d\nend\n", "", 0);
    assert_int_equal(trace_text_read(text.data, text.size_bytes, 0, &sink, &err), BSIM_E_INPUT);
    assert_true(err.line == 4 && err.column == 304);
    assert_int_equal(strlen(err.excerpt), BSIM_ERROR_EXCERPT_SIZE - 1);
    assert_memory_equal(err.excerpt + err.caret, "bar.sync # 000", 14);
    bsim_buffer_free(&text);
}

/* Nothing is pushed for the record at fault, nor after it. */
static void records_before_the_fault_are_pushed(void **state)
{
    (void)state;
    static const char text[] = BLOCK "w0 work 1\nw0 work 0\nw0 work 1\nend\n";
    struct bsim_buffer log = BSIM_BUFFER_EMPTY;
    struct bsim_sink sink = trace_text_log(&log);
    assert_int_equal(trace_text_read(text, strlen(text), 0, &sink, NULL), BSIM_E_INPUT);
    assert_string_equal(log.data,
                        "kernel k grid 2,1,1 block 64,1,1 shared 256 device (none) extras ''\n"
                        "block 0,0,0\nevent w0 work mask ffffffff work 1:0\n");
    bsim_buffer_free(&log);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(refusals),
        cmocka_unit_test(lines_over_64_kib),
        cmocka_unit_test(lines_of_64_kib_are_counted_once),
        cmocka_unit_test(a_cut_trace_shows_its_last_line),
        cmocka_unit_test(more_than_64_extras),
        cmocka_unit_test(more_barriers_than_can_be_counted),
        cmocka_unit_test(long_lines_are_shown_in_part),
        cmocka_unit_test(records_before_the_fault_are_pushed),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}

/* test_report.c - results as text, csv and metrics. The counts in the results below follow from the
 * four requests at the head of test_sim.c. */
#include "stream.h"

#include <banksim/report.h>

#include "report/plain.h"
#include "result/result.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static const struct bsim_report_options csv_sites = {.format = BSIM_CSV, .per = BSIM_PER_SITE};
static const struct bsim_report_options csv_kernels = {.format = BSIM_CSV};
static const struct bsim_report_options text_kernels = {.format = BSIM_TEXT};
static const struct bsim_report_options text_sites = {.format = BSIM_TEXT, .per = BSIM_PER_SITE};

static struct stream started(const char *kernel, const char *device)
{
    struct stream s;
    assert_true(stream_simulate(&s, NULL));
    assert_int_equal(stream_kernel(&s, kernel, 32, device), BSIM_OK);
    return s;
}

static struct bsim_result finished(struct stream *s)
{
    struct bsim_result result;
    assert_int_equal(stream_finish(s, &result), BSIM_OK);
    return result;
}

/* One store by rows and one load by columns, at sites, and a barrier. */
static struct bsim_result transpose(const char *name, const char *device)
{
    struct stream s = started(name, device);
    assert_int_equal(stream_site(&s, 1, "st.shared.u32", "src/t.cu", 3, "t[y][x] = v"), BSIM_OK);
    assert_int_equal(stream_site(&s, 2, "ld.shared.u32", "src/t.cu", 5, "v = t[x][y]"), BSIM_OK);
    assert_int_equal(stream_site(&s, 3, "bar.sync", NULL, 0, NULL), BSIM_OK);
    assert_int_equal(stream_block(&s, 0), BSIM_OK);
    assert_int_equal(stream_at_site(&s, 0, 0, 0, 4), BSIM_OK);
    assert_int_equal(stream_at_site(&s, 0, 2, 0, 0), BSIM_OK);
    assert_int_equal(stream_at_site(&s, 0, 1, 0, 128), BSIM_OK);
    assert_int_equal(stream_at_site(&s, 0, 1, 0, 0), BSIM_OK);
    return finished(&s);
}

/* The report, to be freed; it must fit a terminated string. */
static struct bsim_buffer reported(const struct bsim_result *result,
                                   const struct bsim_report_options *options)
{
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    bsim_report_result(result, options, &out);
    assert_int_equal(bsim_buffer_status(&out, NULL), BSIM_OK);
    assert_int_equal(strlen(out.data), out.size_bytes);
    return out;
}

static void is(struct bsim_result result, const struct bsim_report_options *options,
               const char *expected)
{
    struct bsim_buffer out = reported(&result, options);
    assert_string_equal(out.data, expected);
    bsim_buffer_free(&out);
    bsim_result_free(&result);
}

static void holds(struct bsim_result result, const struct bsim_report_options *options,
                  const char *part)
{
    struct bsim_buffer out = reported(&result, options);
    if (strstr(out.data, part) == NULL) {
        fail_msg("no '%s' in\n%s", part, out.data);
    }
    bsim_buffer_free(&out);
    bsim_result_free(&result);
}

/* ---- csv ------------------------------------------------------------------------------------ */

/* The load has 32 + 1 wavefronts in 2 requests: 16.5 each. Both ask 256 bytes; 33 passes move 4224:
 * 256 / 4224 = 0.0606060606. All three: 384 bytes of 34 * 128 = 4352: 0.0882352941. */
static void csv_has_a_row_per_site(void **state)
{
    (void)state;
    is(transpose("k", NULL), &csv_sites,
       "kernel,site,opcode,requests,wavefronts,ideal,excessive,ways_min,ways_max,"
       "wavefronts_per_request,broadcasts,multicasts,bytes_asked,bytes_moved,efficiency,replays,"
       "sectors,lines,constant_passes,file,line,text,turns,turns_ideal,stall_pipe,stall_latency,"
       "cycles_ideal,speedup,cycles,cycles_bound,bytes_served,bank_use,at_least\n"
       "k,1,st.shared.u32,1,1,1,0,1,1,1,0,0,128,128,1,0,0,0,0,src/t.cu,3,t[y][x] = "
       "v,,,,,,,,,128,1,0\n"
       "k,2,ld.shared.u32,2,33,2,31,1,32,16.5,1,0,256,4224,0.0606060606,0,0,0,0,src/t.cu,5,"
       "v = t[x][y],,,,,,,,,132,0.03125,0\n");
}

static void csv_has_a_row_per_kernel(void **state)
{
    (void)state;
    is(transpose("k", NULL), &csv_kernels,
       "kernel,requests,wavefronts,ideal,excessive,ways_min,ways_max,wavefronts_per_request,"
       "load_requests,load_wavefronts,load_excessive,load_wavefronts_per_request,"
       "store_requests,store_wavefronts,store_excessive,store_wavefronts_per_request,"
       "atomic_requests,atomic_wavefronts,atomic_excessive,atomic_wavefronts_per_request,"
       "broadcasts,multicasts,bytes_asked,bytes_moved,efficiency,replays,other_requests,"
       "global_load_requests,global_load_sectors,global_load_lines,"
       "global_store_requests,global_store_sectors,global_store_lines,"
       "global_atomic_requests,global_atomic_sectors,global_atomic_lines,"
       "gld_transactions,gst_transactions,constant_requests,constant_passes,shuffles,"
       "barriers,blocks,device,banks,bank_width,grade,"
       "cycles,cycles_ideal,cycles_bound,launch_cycles,launch_ms,cycles_grade,warp_barriers,fences,"
       "bytes_served,bank_use,blocks_per_sm,warps_per_sm,occupancy,blocks_by_shared,"
       "blocks_by_warps,blocks_by_number,blocks_by_registers,carveout_bytes,at_least,"
       "local_load_requests,local_load_sectors,local_store_requests,local_store_sectors,"
       "texture_requests,texture_sectors,cycles_at_least,cycles_in_turn,shared_bytes,opt_in,"
       "effective_gb_per_s,held_up_by,launch_pipe_cycles,launch_wait_cycles,launch_constant_cycles,"
       "launch_dram_cycles,speedup_at_most,launch_least_cycles,launch_most_cycles,"
       "launch_peer_cycles,peer_load_requests,peer_load_sectors,peer_store_requests,"
       "peer_store_sectors,peer_atomic_requests,peer_packets\n"
       "k,3,34,3,31,1,32,11.3333333,2,33,31,16.5,1,1,0,1,0,0,0,,1,0,384,4352,0.0882352941,0,0,"
       "0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,sm_90,32,4,measured,,,,,,,0,0,260,0.0597426471,,,,,,,,,0,0,"
       "0,0,0,0,0,,,0,0,,,,,,,,,,,0,0,0,0,0,0\n");
}

/* A request elsewhere has no wavefronts, so none per request either. */
static void csv_leaves_absent_ratios_empty(void **state)
{
    (void)state;
    struct stream s = started("k", NULL);
    assert_int_equal(stream_block(&s, 0), BSIM_OK);
    assert_int_equal(stream_access(&s, 0, "ld.global.u32", 0, 4), BSIM_OK);
    holds(finished(&s), &csv_sites,
          "\nk,0,ld.global.u32,1,0,0,0,0,0,,0,0,0,0,,0,4,1,0,,0,,,,,,,,,,0,,0\n");
}

/* Two loads of 4 and, 4 bytes later, 5 sectors in 1 and 2 lines (256 bytes asked, 288 moved); a
 * store of a word in each of 32 sectors, 8 lines (128 of 1024 bytes); an atomic on one word;
 * constant loads of 32 words and of one. */
static struct bsim_result spaces(const char *name, const char *device)
{
    struct stream s = started(name, device);
    assert_int_equal(stream_block(&s, 0), BSIM_OK);
    assert_int_equal(stream_access(&s, 0, "ld.global.u32", 0, 4), BSIM_OK);
    assert_int_equal(stream_access(&s, 0, "ld.global.u32", 4, 4), BSIM_OK);
    assert_int_equal(stream_access(&s, 0, "st.global.u32", 0, 32), BSIM_OK);
    assert_int_equal(stream_access(&s, 0, "red.global.add.u32", 0, 0), BSIM_OK);
    assert_int_equal(stream_access(&s, 0, "ld.const.u32", 0, 4), BSIM_OK);
    assert_int_equal(stream_access(&s, 0, "ld.const.u32", 0, 0), BSIM_OK);
    return finished(&s);
}

/* gld_transactions: sectors; on Pascal 4 for each of 4 quarter-warps, twice, and 2; on Kepler
 * lines. gst_transactions is without the atomic; on Pascal 16 sectors in each half-warp. The grade
 * is about the banks, which had no request, not about nvprof's transactions, which are assumed on
 * sm_75. */
static void csv_counts_the_other_spaces(void **state)
{
    (void)state;
    static const struct {
        const char *device, *part;
    } cases[] = {
        {NULL, ",0,6,2,9,3,1,32,8,1,32,1,9,32,2,33,0,0,1,sm_90,32,4,measured,,,,,,,0,0,0,,,,,,,,,,"
               "0,0,0,0,0,0,0,,,0,0,,,,,,,,,,,0,0,0,0,0,0\n"},
        {"t4", ",0,6,2,9,3,1,32,8,1,32,1,9,32,2,33,0,0,1,sm_75,32,4,measured,,,,,,,0,0,0,,,,,,,,,,"
               "0,0,0,0,0,0,0,,,0,0,,,,,,,,,,,0,0,0,0,0,0\n"},
        {"gt1030", ",0,6,2,9,3,1,32,8,1,32,1,34,32,2,33,0,0,1,sm_61,32,4,measured,,,,,,,0,0,0,,,,,,"
                   ",,,,0,0,0,0,0,0,0,,,0,0,,,,,,,,,,,0,0,0,0,0,0\n"},
        {"k40", ",0,6,2,9,3,1,32,8,1,32,1,3,8,2,33,0,0,1,sm_35,32,4,measured,,,,,,,0,0,0,,,,,,,,,,"
                "0,0,0,0,0,0,0,,,0,0,,,,,,,,,,,0,0,0,0,0,0\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        holds(spaces("k", cases[i].device), &csv_kernels, cases[i].part);
    }
}

static void csv_counts_the_other_spaces_of_sites(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "\nk,0,ld.const.u32,2,0,0,0,0,0,,0,0,0,0,,0,0,0,33,,0,,,,,,,,,,0,,0\n",
        "\nk,0,ld.global.u32,2,0,0,0,0,0,,0,0,0,0,,0,9,3,0,,0,,,,,,,,,,0,,0\n",
        "\nk,0,red.global.add.u32,1,0,0,0,0,0,,0,0,0,0,,0,32,1,0,,0,,,,,,,,,,0,,0\n",
        "\nk,0,st.global.u32,1,0,0,0,0,0,,0,0,0,0,,0,32,8,0,,0,,,,,,,,,,0,,0\n",
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        holds(spaces("k", NULL), &csv_sites, parts[i]);
    }
}

static void csv_of_nothing_is_its_head(void **state)
{
    (void)state;
    struct bsim_result nothing = {0};
    struct bsim_buffer out = reported(&nothing, &csv_kernels);
    assert_non_null(strchr(out.data, '\n'));
    assert_string_equal(strchr(out.data, '\n'), "\n");
    bsim_buffer_free(&out);
}

static void csv_quotes_names(void **state)
{
    (void)state;
    static const struct {
        const char *name, *field;
    } cases[] = {
        {"plain name", "\nplain name,3,"},
        {"a,\"b", "\n\"a,\"\"b\",3,"},
        {"\"", "\n\"\"\"\",3,"},
        {"a\nb", "\na?b,3,"},
        {"\t\r=1", "\n?\?=1,3,"},
        {"a\x1b[31m\x7f", "\na?[31m?,3,"},
        {"\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0", "\n?\?\?\xc2\xa0,3,"},
        {"\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f", "\n?\?\?,3,"},
        {"\xe2\x80\xa8\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa9", "\n?\?\?\?,3,"},
        {"\xd8\x9b\xd8\x9d\xe2\x80\x8d\xe2\x80\xa7",
         "\n\xd8\x9b\xd8\x9d\xe2\x80\x8d\xe2\x80\xa7,3,"},
        {"\xe2\x80\x90\xe2\x80\xaf\xe2\x81\xa5", "\n\xe2\x80\x90\xe2\x80\xaf\xe2\x81\xa5,3,"},
        {"=1+1", "\n'=1+1,3,"},
        {"+1", "\n'+1,3,"},
        {"-1,2", "\n\"'-1,2\",3,"},
        {"@SUM(1)", "\n'@SUM(1),3,"},
        {"\xef\xbc\x9d"
         "1",
         "\n'\xef\xbc\x9d"
         "1,3,"},
        {"-", "\n-,3,"},
        {"1+1=2", "\n1+1=2,3,"},
        {"", "\n,3,"},
        {"gr\xc3\xb6\xc3\x9f"
         "er",
         "\ngr\xc3\xb6\xc3\x9f"
         "er,3,"},
        {"bad\xff\"", "\n\"bad\xef\xbf\xbd\"\"\",3,"},
        {"void f<int, 3>(int*)", "\n\"void f<int, 3>(int*)\",3,"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        holds(transpose(cases[i].name, NULL), &csv_kernels, cases[i].field);
    }
}

static void requests_have_csv_rows(void **state)
{
    (void)state;
    struct bsim_kernel kernel = {.name = "a,b"};
    struct bsim_event load = stream_event("ld.shared.u32", 0x0000ffff, 0, 8);
    struct bsim_site site = {.number = 9};
    load.site = &site;
    struct bsim_request_result request = {
        .kernel = &kernel,
        .block = {3, 0, 0},
        .warp = 2,
        .index = 7,
        .trips = 12,
        .line = 40,
        .event = &load,
        .counts = {.wavefronts = 1,
                   .ideal = 1,
                   .ways = 1,
                   .bytes_asked = 64,
                   .bytes_served = 60,
                   .bytes_moved = 128,
                   .multicast = true},
        .global = {.sectors = 11, .lines = 6, .transactions = 99, .bytes_asked = 98},
        .constant_passes = 13,
    };
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    const struct bsim_result nothing = {0};
    struct bsim_request_rows rows = {.options = csv_kernels};
    bsim_report_request(&rows, &request, &out);
    request.block = (struct bsim_dim3){3, 1, 0};
    bsim_report_request(&rows, &request, &out);
    request.block = (struct bsim_dim3){0, 0, 2};
    bsim_report_request(&rows, &request, &out);
    bsim_report_requests_end(&rows, &nothing, &out);
    assert_string_equal(
        out.data,
        "kernel,block,warp,index,opcode,mask,wavefronts,ideal,excessive,ways,count,"
        "broadcast,multicast,bytes_asked,bytes_moved,sectors,lines,constant_passes,"
        "site,line,bytes_served,at_least,elements\n"
        "\"a,b\",3,2,7,ld.shared.u32,0000ffff,1,1,0,1,12,0,1,64,128,11,6,13,9,40,60,0,\n"
        "\"a,b\",\"3,1\",2,7,ld.shared.u32,0000ffff,1,1,0,1,12,0,1,64,128,11,6,13,9,40,60,0,\n"
        "\"a,b\",\"0,0,2\",2,7,ld.shared.u32,0000ffff,1,1,0,1,12,0,1,64,128,11,6,13,9,"
        "40,60,0,\n");
    bsim_buffer_free(&out);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void text_has_a_table_and_a_verdict(void **state)
{
    (void)state;
    is(transpose("transpose", NULL), &text_kernels,
       "sm_90 (Hopper: H100, H200): 32 banks, 4 bytes wide\n"
       "load/req, store/req, atomic/req: transactions per request\n"
       "efficiency: bytes that lanes ask for, bank use: bytes that banks serve, of what fits\n"
       "\n"
       "kernel     requests  wavefronts  load/req  store/req  atomic/req  excessive  ways  "
       "efficiency  bank use\n"
       "transpose         3          34     16.50          1           -         31  1-32       "
       "8.8 %     6.0 %\n"
       "\n"
       "total: 3 shared requests, 34 wavefronts, 31 excessive; 1 with a broadcast, 0 with a "
       "multicast\n"
       "sm_90 rests on measured rules; 'banksim list devices' has the sources.\n"
       "Bank conflicts in 1 of 1 kernel. The worst site, in transpose (cycles "
       "not "
       "simulated):\n"
       "    ld.shared.u32 at src/t.cu:5: v = t[x][y]\n"
       "    up to 32-way: 16.5 wavefronts per request where 1 would do\n"
       "'banksim advise' looks for a padding or a swizzle, given a trace, or the array's "
       "declaration and indices.\n");
}

/* 9 sectors in 2 loads, 33 passes in 2 constant loads. */
static void text_has_a_table_of_other_spaces(void **state)
{
    (void)state;
    is(spaces("all", NULL), &text_kernels,
       "sm_90 (Hopper: H100, H200): 32 banks, 4 bytes wide\n"
       "load/req, store/req, atomic/req: transactions per request\n"
       "efficiency: bytes that lanes ask for, bank use: bytes that banks serve, of what fits\n"
       "\n"
       "kernel  requests  wavefronts  load/req  store/req  atomic/req  excessive  ways  "
       "efficiency  bank use\n"
       "all            0           -         -          -           -          0     -           "
       "-         -\n"
       "\n"
       "kernel  global loads  sectors/req  global stores  sectors/req  atomics  sectors/req  "
       "constant  passes/req\n"
       "all                2         4.50              1           32        1           32  "
       "       2       16.50\n"
       "\n"
       "total: 0 shared requests, 0 wavefronts, 0 excessive; 0 with a broadcast, 0 with a "
       "multicast\n"
       "sm_90 rests on measured rules; 'banksim list devices' has the sources.\n"
       "No request touches shared memory.\n");
}

static struct bsim_result one_access(const char *name, const char *device, const char *opcode)
{
    struct stream s = started(name, device);
    assert_int_equal(stream_block(&s, 0), BSIM_OK);
    assert_int_equal(stream_access(&s, 0, opcode, 0, 4), BSIM_OK);
    return finished(&s);
}

/* A table of sites and the second table have the columns of the spaces that some kernel touches. */
static void text_has_the_columns_it_needs(void **state)
{
    (void)state;
    static const struct {
        const char *opcode;
        const char *kernels, *sites; /* a line's end */
    } cases[] = {
        {"ld.shared.u32",
         "efficiency  bank use\nk              1           1         1          -           -"
         "          0     1     100.0 %   100.0 %\n\ntotal",
         "excessive  ways  source\n"},
        {"ld.global.u32",
         "\nkernel  global loads  sectors/req  global stores  sectors/req\n"
         "k                  1            4              0            -\n\ntotal",
         "ways  sectors/req  source\n"},
        {"red.global.add.u32",
         "\nkernel  global loads  sectors/req  global stores  sectors/req  atomics  sectors/req\n"
         "k                  0            -              0            -        1            4\n",
         "ways  sectors/req  source\n"},
        {"ld.const.u32", "\nkernel  constant  passes/req\nk              1          32\n\ntotal",
         "ways  const/req  source\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        holds(one_access("k", NULL, cases[i].opcode), &text_kernels, cases[i].kernels);
        holds(one_access("k", NULL, cases[i].opcode), &text_sites, cases[i].sites);
    }
}

static void text_has_sites_of_other_spaces(void **state)
{
    (void)state;
    holds(spaces("all", NULL), &text_sites,
          "\nall\n"
          "site  opcode              requests  wavefronts  per request  excessive  ways  "
          "sectors/req  const/req  source\n"
          "   -  ld.const.u32               2           -            -          0     -  "
          "          -      16.50\n"
          "   -  ld.global.u32              2           -            -          0     -  "
          "       4.50          -\n"
          "   -  red.global.add.u32         1           -            -          0     -  "
          "         32          -\n"
          "   -  st.global.u32              1           -            -          0     -  "
          "         32          -\n");
}

/* Kepler's words: 16 passes for the column (see test_sim.c), 15 replays. */
static void text_has_a_table_of_sites(void **state)
{
    (void)state;
    is(transpose("transpose", "k40"), &text_sites,
       "sm_35 (Kepler: Tesla K40): 32 banks, 8 bytes wide, in 4-byte mode\n"
       "\n"
       "transpose\n"
       "site  opcode         requests  passes  per request  excessive  replays  ways  source\n"
       "   1  st.shared.u32         1       1            1          0        0     1  t.cu:3  "
       "t[y][x] = v\n"
       "   2  ld.shared.u32         2      17         8.50         15       15  1-16  t.cu:5  "
       "v = t[x][y]\n"
       "\n"
       "total: 3 shared requests, 18 passes, 15 excessive; 1 with a broadcast, 1 with a multicast\n"
       "sm_35 rests on measured and documented rules; 'banksim list devices' has the sources.\n"
       "Bank conflicts in 1 of 1 kernel. The worst site, in transpose (cycles "
       "not "
       "simulated):\n"
       "    ld.shared.u32 at src/t.cu:5: v = t[x][y]\n"
       "    up to 16-way: 8.5 passes per request where 1 would do\n"
       "'banksim advise' looks for a padding or a swizzle, given a trace, or the array's "
       "declaration and indices.\n");
}

static void text_says_that_all_is_well(void **state)
{
    (void)state;
    struct bsim_result nothing = {0};
    struct bsim_buffer out = reported(&nothing, &text_kernels);
    assert_string_equal(out.data, "The trace has no kernel.\n");
    bsim_buffer_free(&out);
    struct stream s = started("k", NULL);
    holds(finished(&s), &text_kernels, "\nNo request touches shared memory.\n");
    s = started("k", NULL);
    holds(finished(&s), &text_sites, "\nk: no accesses\n");
    s = started("k", NULL);
    assert_int_equal(stream_block(&s, 0), BSIM_OK);
    assert_int_equal(stream_access(&s, 0, "ld.shared.u32", 0, 4), BSIM_OK);
    holds(finished(&s), &text_kernels, "\nNo bank conflicts.\n");
}

/* cas takes two passes per turn, so that two turns in one bank cost 4 where 2 would do. */
static void the_verdict_knows_what_would_do(void **state)
{
    (void)state;
    static const struct {
        const char *opcode;
        uint32_t mask;
        int64_t stride;
        const char *verdict;
    } cases[] = {
        {"atom.shared.cas.b32", 3, 0,
         "    2-way: 4 wavefronts per request where 2 would do\n"
         "'banksim lesson 9'"},
        {"red.shared.add.u32", 7, 0,
         "    3-way: 3 wavefronts per request where 1 would do\n"
         "'banksim lesson 9' shows what helps atomics.\n"},
        /* rows 128 bytes apart: all 8 in the same 4 banks */
        {"ldmatrix.sync.aligned.m8n8.x2.shared.b16", BSIM_FULL_MASK, 128,
         "    8-way: 16 wavefronts per request where 2 would do\n'banksim advise'"},
        {"st.shared.v4.f32", BSIM_FULL_MASK, 128,
         "    8-way: 32 wavefronts per request where 4 would do\n'banksim advise'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct stream s = started("k", NULL);
        assert_int_equal(stream_block(&s, 0), BSIM_OK);
        assert_int_equal(
            stream_push(&s, 0, stream_event(cases[i].opcode, cases[i].mask, 0, cases[i].stride)),
            BSIM_OK);
        holds(finished(&s), &text_kernels, cases[i].verdict);
    }
}

/* Assumed rules are named with their source. */
static void text_says_what_is_assumed(void **state)
{
    (void)state;
    struct stream s = started("k", "generic");
    assert_int_equal(stream_block(&s, 0), BSIM_OK);
    assert_int_equal(stream_access(&s, 0, "ld.shared.u32", 0, 4), BSIM_OK);
    holds(finished(&s), &text_kernels,
          "\ngeneric rests on assumed rules: bank of a byte (as sm_90, with the banks that were "
          "chosen).\n");
}

/* Sectors and passes bring their rules; nvprof's transactions do not, as they are not shown. */
static void text_says_what_other_spaces_rest_on(void **state)
{
    (void)state;
    static const struct {
        const char *device, *opcode, *line;
    } cases[] = {
        {"sm_90", "ld.global.u32", "\nsm_90 rests on measured rules;"},
        {"sm_75", "ld.global.u32", "\nsm_75 rests on documented rules;"},
        {"sm_75", "ld.const.u32", "\nsm_75 rests on documented rules;"},
        {"gt1030", "st.global.u32", "\nsm_61 rests on documented rules;"},
        {"generic", "ld.global.u32",
         "\ngeneric rests on assumed rules: sectors and lines of global memory (as sm_90, with the "
         "banks that were chosen).\n"},
        {"generic", "ld.const.u32",
         "\ngeneric rests on assumed rules: constant memory, a word per pass (as sm_90, with the "
         "banks that were chosen).\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        holds(one_access("k", cases[i].device, cases[i].opcode), &text_kernels, cases[i].line);
        holds(one_access("k", cases[i].device, cases[i].opcode), &text_sites, cases[i].line);
    }
}

static void json_says_what_other_spaces_rest_on(void **state)
{
    (void)state;
    static const struct bsim_report_options json = {.format = BSIM_JSON};
    holds(
        one_access("k", "sm_75", "ld.global.u32"), &json,
        "\"rests_on\": [{\"rule\": \"sectors and lines of global memory\", \"grade\": "
        "\"documented\", \"source\": \"Nsight Compute guide: 32-byte sectors of 128-byte lines\"}, "
        "{\"rule\": \"nvprof's global transactions\", \"grade\": \"assumed\", ");
    holds(one_access("k", "sm_75", "ld.const.u32"), &json,
          "\"rests_on\": [{\"rule\": \"constant memory, a word per pass\", \"grade\": "
          "\"documented\", ");
    holds(one_access("k", "sm_75", "shfl.sync.idx.b32"), &json,
          "\"rests_on\": [], \"timing\": null}");
}

static void several_devices_have_a_column(void **state)
{
    (void)state;
    struct bsim_result all = transpose("a", "k40");
    struct bsim_result more = transpose("b", "sm_90");
    assert_int_equal(bsim_result_append(&all, &more, NULL), BSIM_OK);
    struct bsim_buffer out = reported(&all, &text_kernels);
    assert_non_null(strstr(out.data, "\nkernel  device  requests  passes"));
    assert_non_null(strstr(out.data, "\na       sm_35 "));
    assert_non_null(strstr(out.data, "\nb       sm_90 "));
    assert_non_null(strstr(out.data, "\nsm_35 rests on "));
    assert_non_null(strstr(out.data, "\nsm_90 rests on "));
    bsim_buffer_free(&out);
    holds(all, &text_sites, "\n\nb on sm_90\n");
}

static size_t longest_line(const char *text)
{
    size_t longest = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        longest = length > longest ? length : longest;
        text += length + (text[length] == '\n');
    }
    return longest;
}

/* Every column there is, for a name as long as the emulated kernels' names are. */
static void tables_are_not_too_wide(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t columns;
    } cases[] = {
        {"k", 120},
        {"square_set_row_read_col", 125},
        {"a_name_that_is_longer_than_the_36_columns_of_a_cell", 140},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_result all = spaces(cases[i].name, NULL);
        struct bsim_buffer out = reported(&all, &text_kernels);
        assert_non_null(strstr(out.data, "  passes/req\n"));
        if (longest_line(out.data) > cases[i].columns) {
            fail_msg("%zu columns:\n%s", longest_line(out.data), out.data);
        }
        bsim_buffer_free(&out);
        bsim_result_free(&all);
    }
}

/* No byte of a name acts on the terminal, breaks a line, or makes the tables wide. */
static void names_cannot_break_the_text(void **state)
{
    (void)state;
    static char huge[5000];
    memset(huge, 'n', sizeof huge - 1);
    const char *const names[] = {
        "a\x1b[2Jb",
        "a\nb\nc",
        "a\tb",
        "\x01\x7f\xc2\x9b"
        "31m",
        "\xff\xfe",
        "\xc3",
        huge,
        "a\rb",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        for (int form = 0; form < 3; form++) {
            struct bsim_report_options options = {
                .per = form == 1 ? BSIM_PER_SITE : BSIM_PER_KERNEL,
                .metrics = form == 2 ? BSIM_METRICS_NCU : BSIM_METRICS_BANKSIM,
            };
            struct bsim_result plain = transpose("k", NULL);
            struct bsim_result odd = transpose(names[i], NULL);
            struct bsim_buffer a = reported(&plain, &options);
            struct bsim_buffer b = reported(&odd, &options);
            size_t lines[2] = {0, 0};
            for (size_t k = 0; k < a.size_bytes; k++) {
                lines[0] += a.data[k] == '\n';
            }
            for (size_t k = 0; k < b.size_bytes; k++) {
                unsigned char c = (unsigned char)b.data[k];
                lines[1] += c == '\n';
                if ((c < 0x20 && c != '\n') || c == 0x7f || (c & 0xf8) == 0xf8 ||
                    (c == 0xc2 && (unsigned char)b.data[k + 1] < 0xa0)) {
                    fail_msg("name %zu, form %d: byte %02x", i, form, c);
                }
            }
            assert_int_equal(lines[0], lines[1]);
            assert_true(longest_line(b.data) <= 160);
            bsim_buffer_free(&a);
            bsim_buffer_free(&b);
            bsim_result_free(&plain);
            bsim_result_free(&odd);
        }
    }
}

static void names_are_made_plain(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t columns, size;
        const char *plain;
    } cases[] = {
        {"", 5, 20, ""},
        {"abcde", 5, 20, "abcde"},
        {"abcdef", 5, 20, "ab..."},
        {"\xc3\xa4\xc3\xb6\xc3\xbc", 3, 20, "\xc3\xa4\xc3\xb6\xc3\xbc"},
        {"\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f", 3, 20, "..."},
        {"a\x80z", 5, 20, "a\xef\xbf\xbdz"},
        {"\xed\xa0\x80", 9, 20, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* a surrogate */
        {"\xc0\xaf", 9, 20, "\xef\xbf\xbd\xef\xbf\xbd"},                 /* overlong */
        {"\xf4\x90\x80\x80", 9, 20,
         "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* past U+10FFFF */
        {"\xf0\x9f\x98\x80!", 9, 20, "\xf0\x9f\x98\x80!"},
        {"\xe2\x82", 9, 20, "\xef\xbf\xbd\xef\xbf\xbd"}, /* cut short */
        {"abcdefgh", 9, 8, "abcd..."},                   /* the size is the limit */
        {"abcdefgh", 9, 4, "..."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char out[24];
        memset(out, 'x', sizeof out);
        (void)bsim_plain(cases[i].text, cases[i].columns, out, cases[i].size);
        if (strcmp(out, cases[i].plain) != 0) {
            fail_msg("case %zu: '%s'", i, out);
        }
    }
}

static void colours_are_asked_for(void **state)
{
    (void)state;
    struct bsim_report_options colours = {.colour = true};
    struct bsim_result result = transpose("k", NULL);
    struct bsim_buffer plain = reported(&result, &text_kernels);
    struct bsim_buffer coloured = reported(&result, &colours);
    assert_null(strchr(plain.data, '\x1b'));
    assert_non_null(strstr(coloured.data, "\x1b[33m31\x1b[0m")); /* excessive */
    assert_null(strstr(coloured.data, "\x1b[33m34"));            /* wavefronts are no fault */
    /* without the escapes both are the same */
    size_t n = 0;
    for (size_t i = 0; i < coloured.size_bytes; i++) {
        if (coloured.data[i] == '\x1b') {
            i += strcspn(coloured.data + i, "m");
        } else {
            coloured.data[n++] = coloured.data[i];
        }
    }
    coloured.data[n] = '\0';
    assert_string_equal(coloured.data, plain.data);
    bsim_buffer_free(&plain);
    bsim_buffer_free(&coloured);
    bsim_result_free(&result);
}

static void requests_have_text_rows(void **state)
{
    (void)state;
    struct stream s = started("k", NULL);
    struct bsim_result result;
    struct bsim_kernel kernel = {.name = "k\n"};
    struct bsim_event load = stream_event("ld.shared.u32", BSIM_FULL_MASK, 0, 8);
    struct bsim_event global = stream_event("ld.global.u32", 1, 0, 8);
    struct bsim_request_result request = {
        .kernel = &kernel,
        .trips = 1,
        .event = &load,
        .counts = {.wavefronts = 2, .ideal = 1, .conflicts = 1, .ways = 2},
    };
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    result = finished(&s);
    struct bsim_request_rows rows = {.options = text_kernels};
    bsim_report_request(&rows, &request, &out);
    request.event = &global;
    bsim_report_request(&rows, &request, &out);
    bsim_report_requests_end(&rows, &result, &out);
    assert_string_equal(out.data, "block     warp  index  mask     wavefronts ideal excessive ways "
                                  "count  opcode               kernel\n"
                                  "0            0      0  ffffffff          2     1         1    2 "
                                  "    1  ld.shared.u32        k?\n"
                                  "0            0      0  00000001          -     -         -    - "
                                  "    1  ld.global.u32        k?\n"
                                  "\n2 rows\nNo request touches shared memory.\n");
    bsim_buffer_free(&out);
    bsim_result_free(&result);
}

/* ---- the profilers' metrics ------------------------------------------------------------------ */

/* Two loads (33 wavefronts, 31 conflicts), an ldmatrix without conflict (2 wavefronts), a store, an
 * atomic of 32 turns. */
static struct bsim_result all_classes(const char *device)
{
    struct stream s = started("k", device);
    assert_int_equal(stream_block(&s, 0), BSIM_OK);
    assert_int_equal(stream_access(&s, 0, "ld.shared.u32", 0, 128), BSIM_OK);
    assert_int_equal(stream_access(&s, 0, "ld.shared.u32", 0, 4), BSIM_OK);
    if (device == NULL) {
        assert_int_equal(stream_access(&s, 0, "ldmatrix.sync.aligned.m8n8.x2.shared.b16", 0, 16),
                         BSIM_OK);
    }
    assert_int_equal(stream_access(&s, 0, "st.shared.u32", 0, 8), BSIM_OK);
    assert_int_equal(stream_access(&s, 0, "atom.shared.add.u32", 0, 0), BSIM_OK);
    return finished(&s);
}

static void ncu_names_its_counters(void **state)
{
    (void)state;
    struct bsim_report_options ncu = {.format = BSIM_CSV, .metrics = BSIM_METRICS_NCU};
    is(all_classes(NULL), &ncu,
       "kernel,metric,value\n"
       "k,smsp__inst_executed_op_shared_ld.sum,2\n"
       "k,smsp__inst_executed_op_shared_st.sum,1\n"
       "k,smsp__inst_executed_op_shared_atom.sum,1\n"
       "k,smsp__inst_executed_op_ldsm.sum,1\n"
       "k,smsp__inst_executed_op_shared_stsm.sum,0\n"
       "k,smsp__inst_executed_op_ldgsts.sum,0\n"
       "k,l1tex__data_pipe_lsu_wavefronts_mem_shared.sum,69\n"
       "k,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum,35\n"
       "k,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum,2\n"
       "k,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum,32\n"
       "k,l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum,63\n"
       "k,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum,31\n"
       "k,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum,1\n"
       "k,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum,31\n"
       "k,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum,0\n"
       "k,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,0\n"
       "k,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,0\n"
       "k,l1tex__t_requests_pipe_lsu_mem_global_op_st.sum,0\n"
       "k,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,0\n"
       "k,idc__requests.sum,0\n");
    holds(spaces("k", NULL), &ncu,
          "k,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,2\n"
          "k,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,9\n"
          "k,l1tex__t_requests_pipe_lsu_mem_global_op_st.sum,1\n"
          "k,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,32\n"
          "k,idc__requests.sum,33\n");
}

/* Bytes: loads ask 256 and move 33 * 128, the matrix 256 of 256, the store 128 of 256, the atomic
 * 128 of 4096: 768 of 8832 are 8.69565217 %. */
static void nvprof_names_its_metrics(void **state)
{
    (void)state;
    struct bsim_report_options nvprof = {.format = BSIM_CSV, .metrics = BSIM_METRICS_NVPROF};
    is(all_classes(NULL), &nvprof,
       "kernel,metric,value\n"
       "k,inst_executed_shared_loads,3\n"
       "k,inst_executed_shared_stores,1\n"
       "k,inst_executed_shared_atomics,1\n"
       "k,shared_load_transactions,35\n"
       "k,shared_store_transactions,2\n"
       "k,shared_load_transactions_per_request,11.6666667\n"
       "k,shared_store_transactions_per_request,2\n"
       "k,shared_ld_bank_conflict,31\n"
       "k,shared_st_bank_conflict,1\n"
       "k,shared_efficiency,8.69565217\n"
       "k,gld_transactions,0\n"
       "k,gst_transactions,0\n");
    /* Kepler: 16 and 1 passes, stride 8 bytes within one row of each bank */
    holds(all_classes("k40"), &nvprof,
          "k,shared_ld_bank_conflict,15\nk,shared_st_bank_conflict,0\n"
          "k,shared_load_replay,15\nk,shared_store_replay,0\n");
}

/* 256 of 288 bytes are 88.8888889 %, 128 of 1024 are 12.5 %; the atomic is not among the stores. */
static void nvprof_has_metrics_of_global_memory(void **state)
{
    (void)state;
    struct bsim_report_options nvprof = {.format = BSIM_CSV, .metrics = BSIM_METRICS_NVPROF};
    holds(spaces("k", "v100"), &nvprof,
          "k,gld_transactions,9\n"
          "k,gst_transactions,32\n"
          "k,gld_transactions_per_request,4.5\n"
          "k,gst_transactions_per_request,32\n"
          "k,gld_efficiency,88.8888889\n"
          "k,gst_efficiency,12.5\n");
    holds(spaces("k", "gt1030"), &nvprof,
          "k,gld_transactions,34\n"
          "k,gst_transactions,32\n"
          "k,gld_transactions_per_request,17\n");
    holds(spaces("k", "sm_20"), &nvprof, /* 3 lines: Fermi's L1 loads them whole */
          "k,gld_transactions,3\n"
          "k,gst_transactions,8\n"
          "k,gld_transactions_per_request,1.5\n"
          "k,gst_transactions_per_request,8\n"
          "k,gld_efficiency,66.6666667\n"
          "k,gst_efficiency,12.5\n");
    holds(spaces("k", "sm_35"), &nvprof, "k,gld_efficiency,88.8888889\n");
    holds(one_access("k", "gt1030", "red.global.add.u32"), &nvprof,
          "k,gld_transactions,0\nk,gst_transactions,0\n");
}

/* The last line, if any, of the text forms; what the other profiler counts is not in it. */
static void metrics_say_what_is_assumed(void **state)
{
    (void)state;
    static const struct {
        enum bsim_metrics metrics;
        const char *device, *opcode, *line; /* NULL: no such line */
    } cases[] = {
        {BSIM_METRICS_NVPROF, "sm_90", "ld.global.u32",
         "\nsm_90 rests on assumed rules: nvprof's global transactions (sectors, as on sm_70; "
         "nvprof "
         "ends there).\n"},
        {BSIM_METRICS_NVPROF, "gt1030", "st.global.u32",
         "\nsm_61 rests on assumed rules: nvprof's global transactions (fits nvprof on "},
        {BSIM_METRICS_NVPROF, "v100", "ld.global.u32", NULL}, /* measured there */
        {BSIM_METRICS_NVPROF, "sm_90", "ld.shared.u32", NULL},
        {BSIM_METRICS_NVPROF, "generic", "ld.const.u32", NULL},
        {BSIM_METRICS_NVPROF, "k40", "ld.shared.f64",
         "\nsm_35 rests on assumed rules: wide requests"},
        {BSIM_METRICS_NCU, "sm_75", "ld.global.u32", NULL},
        {BSIM_METRICS_NCU, "generic", "ld.const.u32",
         "\ngeneric rests on assumed rules: constant memory, a word per pass ("},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_report_options options = {.metrics = cases[i].metrics};
        struct bsim_result result = one_access("k", cases[i].device, cases[i].opcode);
        struct bsim_buffer out = reported(&result, &options);
        const char *found = strstr(out.data, "\nsm_") != NULL ? strstr(out.data, "\nsm_")
                                                              : strstr(out.data, "\ngeneric ");
        bool right = cases[i].line == NULL
                         ? found == NULL
                         : found != NULL &&
                               strncmp(found, cases[i].line, strlen(cases[i].line)) == 0 &&
                               strchr(found + 1, '\n')[1] == '\0';
        if (!right) {
            fail_msg("case %zu:\n%s", i, out.data);
        }
        bsim_buffer_free(&out);
        bsim_result_free(&result);
    }
}

static void metrics_have_json(void **state)
{
    (void)state;
    struct bsim_report_options nvprof = {.format = BSIM_JSON, .metrics = BSIM_METRICS_NVPROF};
    struct bsim_report_options ncu = {.format = BSIM_JSON, .metrics = BSIM_METRICS_NCU};
    holds(one_access("k", "sm_75", "ld.global.u32"), &nvprof,
          "\"gld_efficiency\": 100}, \"rests_on\": [{\"rule\": \"sectors and lines of global "
          "memory\", "
          "\"grade\": \"documented\", \"source\": \"Nsight Compute guide: 32-byte sectors of "
          "128-byte "
          "lines\"}, {\"rule\": \"nvprof's global transactions\", \"grade\": \"assumed\", "
          "\"source\": "
          "\"sectors, as on sm_70; nvprof ends there\"}]}]}\n");
    holds(one_access("k", "sm_75", "ld.const.u32"), &nvprof, "\"rests_on\": []}]}\n");
    holds(one_access("k", "sm_75", "ld.global.u32"), &ncu,
          "\"idc__requests.sum\": 0}, \"rests_on\": [{\"rule\": \"sectors and lines of global "
          "memory\", "
          "\"grade\": \"documented\", \"source\": \"Nsight Compute guide: 32-byte sectors of "
          "128-byte "
          "lines\"}]}]}\n");
}

static void metrics_have_text(void **state)
{
    (void)state;
    struct bsim_report_options nvprof = {.metrics = BSIM_METRICS_NVPROF};
    holds(all_classes(NULL), &nvprof,
          "k\n    inst_executed_shared_loads                                     3\n");
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void lists_have_every_format(void **state)
{
    (void)state;
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    bsim_report_list(BSIM_LIST_DEVICES, "H200", BSIM_CSV, &out);
    assert_non_null(
        strstr(out.data, "device,rule,grade,source,value,unit\nsm_90,bank of a byte,measured,"));
    assert_null(strstr(out.data, "sm_80"));
    bsim_buffer_clear(&out);
    bsim_report_list(BSIM_LIST_DEVICES, NULL, BSIM_TEXT, &out);
    assert_non_null(strstr(out.data, "sm_35: Kepler"));
    assert_non_null(strstr(out.data, "\ngeneric: "));
    bsim_buffer_clear(&out);
    bsim_report_list(BSIM_LIST_DEVICES, "no such", BSIM_TEXT, &out);
    assert_string_equal(out.data, "");
    bsim_report_list(BSIM_LIST_OPCODES, NULL, BSIM_CSV, &out);
    assert_non_null(strstr(out.data, "\nld.shared.u32,shared,4\n"));
    bsim_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_has_a_row_per_site),
        cmocka_unit_test(csv_has_a_row_per_kernel),
        cmocka_unit_test(csv_leaves_absent_ratios_empty),
        cmocka_unit_test(csv_counts_the_other_spaces),
        cmocka_unit_test(csv_counts_the_other_spaces_of_sites),
        cmocka_unit_test(csv_of_nothing_is_its_head),
        cmocka_unit_test(csv_quotes_names),
        cmocka_unit_test(requests_have_csv_rows),
        cmocka_unit_test(text_has_a_table_and_a_verdict),
        cmocka_unit_test(text_has_a_table_of_other_spaces),
        cmocka_unit_test(text_has_the_columns_it_needs),
        cmocka_unit_test(text_has_sites_of_other_spaces),
        cmocka_unit_test(text_has_a_table_of_sites),
        cmocka_unit_test(text_says_that_all_is_well),
        cmocka_unit_test(the_verdict_knows_what_would_do),
        cmocka_unit_test(text_says_what_is_assumed),
        cmocka_unit_test(text_says_what_other_spaces_rest_on),
        cmocka_unit_test(json_says_what_other_spaces_rest_on),
        cmocka_unit_test(several_devices_have_a_column),
        cmocka_unit_test(tables_are_not_too_wide),
        cmocka_unit_test(names_cannot_break_the_text),
        cmocka_unit_test(names_are_made_plain),
        cmocka_unit_test(colours_are_asked_for),
        cmocka_unit_test(requests_have_text_rows),
        cmocka_unit_test(ncu_names_its_counters),
        cmocka_unit_test(nvprof_names_its_metrics),
        cmocka_unit_test(nvprof_has_metrics_of_global_memory),
        cmocka_unit_test(metrics_say_what_is_assumed),
        cmocka_unit_test(metrics_have_json),
        cmocka_unit_test(metrics_have_text),
        cmocka_unit_test(lists_have_every_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

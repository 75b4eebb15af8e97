/* test_compare.c - the profiler's reports, and comparisons with them. The reports here are written
 * by hand after those that an H200 gave (tests/measured/h200/crosscheck/ncu_*.csv); kernels are
 * counted by hand where their accesses are pushed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/banksim.h>

#include "failing_memory.h"
#include "compare/compare.h"
#include "result/result.h"
#include "stream.h"
#include "trace_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

#define LD "smsp__inst_executed_op_shared_ld.sum"
#define ST "smsp__inst_executed_op_shared_st.sum"
#define WAVES "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"
#define ALL_WAVES "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"
#define IDC "idc__requests.sum"
#define LDC "smsp__inst_executed_op_ldc.sum"
#define GLD "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"
#define EXACT_LD "smsp__sass_inst_executed_op_shared_ld.sum"
#define EXACT_WAVES "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"
#define CONFLICTS "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"

/* ---- reading --------------------------------------------------------------------------------- */

/* Text in pieces. */
struct pieces {
    const char *text;
    size_t size, piece;
};

static size_t read_piece(void *context, void *data, size_t size)
{
    struct pieces *pieces = context;
    size_t n = size < pieces->piece ? size : pieces->piece;
    n = n < pieces->size ? n : pieces->size;
    memcpy(data, pieces->text, n);
    pieces->text += n;
    pieces->size -= n;
    return n;
}

static enum bsim_status read_text(const char *text, size_t size, size_t piece,
                                  struct bsim_ncu_report **report, struct bsim_error *err)
{
    struct pieces pieces = {text, size, piece};
    struct bsim_input input = {.read = read_piece, .context = &pieces, .name = "r.csv"};
    return bsim_ncu_read(&input, report, err);
}

/* A line per launch: id/process kernel grid block compute metric=value ... */
static void describe(const struct bsim_ncu_report *report, struct bsim_buffer *out)
{
    struct bsim_ncu_metric metric[BSIM_NCU_MAX_METRICS];
    size_t n = bsim_ncu_metrics(NULL, metric);
    for (size_t l = 0; l < report->n_launches; l++) {
        const struct bsim_ncu_launch *launch = &report->launches[l];
        bsim_buffer_printf(out, "%" PRIu64 "/%" PRIu64 " %s", launch->id, launch->process_id,
                           launch->kernel);
        bsim_buffer_printf(out, " %" PRIu32 ",%" PRIu32 ",%" PRIu32, launch->grid.x, launch->grid.y,
                           launch->grid.z);
        bsim_buffer_printf(out, " %" PRIu32 ",%" PRIu32 ",%" PRIu32, launch->block.x,
                           launch->block.y, launch->block.z);
        bsim_buffer_printf(out, " %" PRIu32, launch->compute);
        for (size_t m = 0; m < n; m++) {
            if (launch->value[m].is_known) {
                bsim_buffer_printf(out, " %s=%.9g", metric[m].name, launch->value[m].number);
            }
        }
        bsim_buffer_text(out, "\n");
    }
}

static void reads(const char *text, size_t piece, const char *expected)
{
    struct bsim_ncu_report *report = NULL;
    struct bsim_error err;
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    if (read_text(text, strlen(text), piece, &report, &err) != BSIM_OK) {
        fail_msg("%s\n%s", err.message, text);
    }
    describe(report, &out);
    if (strcmp(out.data, expected) != 0) {
        fail_msg("is      %sand not %sfor\n%s", out.data, expected, text);
    }
    bsim_buffer_free(&out);
    bsim_ncu_free(report);
}

static const struct {
    const char *text, *expected;
} good[] = {
    /* the raw page, its units, a metric that banksim does not know */
    {"==PROF== Connected to process 7 (/tmp/\"a)\n"
     "\"ID\",\"Process ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"CC\",\"" LD
     "\",\"x.sum\"\n"
     "\"\",\"\",\"\",\"\",\"\",\"\",\"inst\",\"ns\"\n"
     "\"0\",\"7\",\"f(int *)\",\"(32, 16, 1)\",\"(4, 2, 1)\",\"9.0\",\"1,024\",\"oops\"\n"
     "\"1\",\"7\",\"g(int *)\",\"(32, 1, 1)\",\"(1, 1, 1)\",\"9.0\",\"n/a\",\"1\"\n",
     "0/7 f(int *) 4,2,1 32,16,1 90 " LD "=1024\n1/7 g(int *) 1,1,1 32,1,1 90\n"},
    /* the long form; the second launch has the first one's id in another process */
    {"\"ID\",\"Process ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\r\n"
     "\"0\",\"7\",\"f\",\"" LD "\",\"inst\",\"32\"\r\n"
     "\"0\",\"7\",\"f\",\"Duration\",\"usecond\",\"3.2\"\r\n"
     "\"0\",\"7\",\"f\",\"" ST "\",\"inst\",\"2.5\"\r\n"
     "\"0\",\"8\",\"f\",\"" LD "\",\"inst\",\"nan\"\r\n"
     "\"1\",\"8\",\"f\",\"" LD "\",\"inst\",\"1,234,567\"",
     "0/7 f 0,0,0 0,0,0 0 " LD "=32 " ST "=2.5\n0/8 f 0,0,0 0,0,0 0\n"
     "1/8 f 0,0,0 0,0,0 0 " LD "=1234567\n"},
    /* doubled quotes, line ends and commas in quotes, no quotes at all, a byte order mark */
    {"\xef\xbb\xbfID,Kernel Name," LD
     "\n0,\"f<\"\"a\"\",\n\r\n'b'>\",-3\n\n==PROF== bye, \"bye\n1,g,1e+3\n",
     "0/0 f<\"a\",\n\r\n'b'> 0,0,0 0,0,0 0 " LD "=-3\n1/0 g 0,0,0 0,0,0 0 " LD "=1000\n"},
    /* a second report behind the first, with other columns; values of instances */
    {"ID,Kernel Name," LD "\n0,f,1\nID," ST ",Kernel Name\n0,\"2 (1; 1)\",g\n",
     "0/0 f 0,0,0 0,0,0 0 " LD "=1\n0/0 g 0,0,0 0,0,0 0 " ST "=2\n"},
    /* a program's own talk before the head; sizes that are none */
    {"\"hello\nID 3\n\nID,Kernel Name,Grid Size,Block Size,CC," LD
     "\n3,f,\"(1, 2)\",\"(1, 1, 99999999999)\",9,7\n",
     "3/0 f 0,0,0 0,0,0 0 " LD "=7\n"},
};

static void reads_both_forms(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(good); i++) {
        reads(good[i].text, SIZE_MAX, good[i].expected);
        reads(good[i].text, 1, good[i].expected);
        reads(good[i].text, 7, good[i].expected);
    }
}

static const struct {
    const char *text;
    size_t size; /* 0: up to its NUL */
    uint64_t line;
    uint32_t column;
    const char *message; /* how it begins */
} bad[] = {
    {"", 0, 1, 0, "this is no csv report of Nsight Compute"},
    {"\n\n", 0, 1, 0, "this is no csv report of Nsight Compute"},
    {"kernel,metric,value\nk,x,1\n", 0, 1, 0, "this is no csv report of Nsight Compute"},
    {"==PROF== x\n==ERROR== y", 0, 1, 0, "this is no csv report of Nsight Compute"},
    {"ID,Name\n0,f\n", 0, 1, 1, "this head row has no column \"Kernel Name\""},
    {"ID,Kernel Name,Metric Name\n", 0, 1, 1, "this head row has only one of"},
    {"ID,Kernel Name," LD "\n", 0, 0, 0, "the report has no launch"},
    {"ID,Kernel Name," LD "\n,,inst\n", 0, 0, 0, "the report has no launch"},
    {"ID,Kernel Name," LD "\n0,f,nan\n", 0, 0, 0, "the report has none of the metrics"},
    {"ID,Kernel Name,x\n0,f,1\n", 0, 0, 0, "the report has none of the metrics"},
    {"ID,Kernel Name," LD "\n0,f\n", 0, 2, 1, "this row has 2 fields, the head row 3"},
    {"ID,Kernel Name," LD "\n0,f,1,2\n", 0, 2, 1, "this row has 4 fields, the head row 3"},
    {"ID,Kernel Name," LD "\n0,f,1\n0,f", 0, 3, 1, "this row has 2 fields, the head row 3"},
    {"ID,Kernel Name," LD "\nx,f,1\n", 0, 2, 1, "\"ID\" is a number, not 'x'"},
    {"ID,Kernel Name," LD "\n99999999999999999999,f,1\n", 0, 2, 1, "\"ID\" is a number"},
    {"ID,Kernel Name," LD "\n0,\"f\n\",1x\n", 0, 3, 3, LD " is a number, not '1x'"},
    {"ID,Kernel Name," LD "\n0,f,1e999\n", 0, 2, 5, LD " is a number, not '1e999'"},
    {"ID,Kernel Name," LD "\n0,f,1e\n", 0, 2, 5, LD " is a number, not '1e'"},
    {"ID,Kernel Name," LD "\n0,f,-\n", 0, 2, 5, LD " is a number, not '-'"},
    {"ID,Kernel Name," LD "\n0,\"f,1\n1,g,2\n", 0, 2, 3, "this quotation mark has no counterpart"},
    {"ID,Kernel Name,\"" LD, 0, 1, 16, "this quotation mark has no counterpart"},
    {"ID,Kernel Name," LD "\n0,\"f\"g,1\n", 0, 2, 6, "a comma or the end of the line must follow"},
    {"ID,Kernel\0 Name\n", 16, 1, 10, "a NUL byte"},
};

static void refuses_what_is_no_report(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(bad); i++) {
        struct bsim_ncu_report *report = NULL;
        struct bsim_error err = {.status = BSIM_OK};
        size_t size = bad[i].size > 0 ? bad[i].size : strlen(bad[i].text);
        enum bsim_status status = read_text(bad[i].text, size, 5, &report, &err);
        if (status != BSIM_E_INPUT || report != NULL || strcmp(err.file, "r.csv") != 0 ||
            err.line != bad[i].line || err.column != bad[i].column ||
            strncmp(err.message, bad[i].message, strlen(bad[i].message)) != 0) {
            fail_msg("%d %s:%" PRIu64 ":%" PRIu32 ": %s\nfor: %s", (int)status, err.file, err.line,
                     err.column, err.message, bad[i].text);
        }
    }
    assert_int_equal(failing_memory_live(), 0);
}

/* A head row and then one byte for ever. */
struct endless {
    const char *head;
    char byte;
};

static size_t read_endless(void *context, void *data, size_t size)
{
    struct endless *endless = context;
    size_t n = strlen(endless->head);
    if (n > 0) {
        memcpy(data, endless->head, n);
        endless->head += n;
        return n;
    }
    memset(data, endless->byte, size);
    return size;
}

static void refuses_endless_records(void **state)
{
    (void)state;
    static const struct {
        char byte;
        const char *message;
    } cases[] = {{'a', "this record is longer than 16 MiB"},
                 {',', "this record has more than 65536 fields"}};
    for (size_t i = 0; i < N_OF(cases); i++) {
        struct endless endless = {"ID,Kernel Name\n", cases[i].byte};
        struct bsim_input input = {.read = read_endless, .context = &endless, .name = "r.csv"};
        struct bsim_ncu_report *report = NULL;
        struct bsim_error err;
        assert_int_equal(bsim_ncu_read(&input, &report, &err), BSIM_E_INPUT);
        assert_string_equal(err.message, cases[i].message);
        assert_int_equal(err.line, 2);
    }
    assert_int_equal(failing_memory_live(), 0);
}

static size_t read_failing(void *context, void *data, size_t size)
{
    (void)context;
    (void)data;
    (void)size;
    return SIZE_MAX;
}

static void tells_what_it_cannot_read(void **state)
{
    (void)state;
    struct bsim_input input = {.read = read_failing, .context = NULL, .name = "r.csv"};
    struct bsim_ncu_report *report = NULL;
    struct bsim_error err;
    assert_int_equal(bsim_ncu_read(&input, &report, &err), BSIM_E_IO);
    assert_string_equal(err.file, "r.csv");
}

/* However a report is cut, it is read or refused; nothing is left behind. */
static void survives_any_cut(void **state)
{
    (void)state;
    size_t n_read = 0;
    for (size_t i = 0; i < N_OF(good); i++) {
        for (size_t size = 0; size < strlen(good[i].text); size++) {
            struct bsim_ncu_report *report = NULL;
            enum bsim_status status = read_text(good[i].text, size, 3, &report, NULL);
            assert_true(status == BSIM_OK ? report != NULL : report == NULL);
            n_read += status == BSIM_OK;
            bsim_ncu_free(report);
        }
    }
    assert_true(n_read > 0);
    assert_int_equal(failing_memory_live(), 0);
}

/* What the H200's own reports say, read off by eye: a launch's loads, wavefronts and conflicts. */
static void reads_real_reports(void **state)
{
    (void)state;
    static const char *const path[] = {"tests/measured/h200/crosscheck/ncu_raw.csv",
                                       "tests/measured/h200/crosscheck/ncu_details.csv"};
    static const char square[] = "square_set_row_read_col(unsigned int *) 1,1,1 32,32,1 90 " LD
                                 "=32 " ST "=32 smsp__inst_executed_op_shared_atom.sum=0 "
                                 "smsp__inst_executed_op_ldsm.sum=0 " WAVES "=1024 ";
    for (size_t i = 0; i < N_OF(path); i++) {
        struct bsim_buffer text = trace_text_load(path[i]);
        struct bsim_buffer out = BSIM_BUFFER_EMPTY;
        struct bsim_ncu_report *report = NULL;
        struct bsim_error err;
        assert_int_equal(read_text(text.data, text.size_bytes, SIZE_MAX, &report, &err), BSIM_OK);
        assert_int_equal(report->n_launches, 4);
        describe(report, &out);
        assert_non_null(strstr(out.data, square));
        assert_non_null(strstr(out.data, "_shared_op_atom.sum=406 "));
        bsim_buffer_free(&out);
        bsim_buffer_free(&text);
        bsim_ncu_free(report);
    }
}

/* ---- names ----------------------------------------------------------------------------------- */

static void matches_names(void **state)
{
    (void)state;
    static const struct {
        const char *launched, *name;
        bool matches;
    } cases[] = {
        {"setRowReadCol(int *)", "setRowReadCol", true},
        {"setRowReadCol", "setRowReadCol", true},
        {"setRowReadCol(int *)", "setRowReadCol(int *)", true},
        {"setRowReadColPad(int *)", "setRowReadCol", false},
        {"mysetRowReadCol(int *)", "setRowReadCol", false},
        {"void k<32>(float *)", "k", true},
        {"void k<(int)32, float>(T1 *)", "k", true},
        {"void a::b::k<a::c>(a::k)", "k", true},
        {"void a::b::k<a::c>(a::k)", "b::k", true},
        {"void a::b::k<a::c>(a::k)", "c", false},
        {"f(k)", "k", false},
        {"void f<k>(int)", "k", false},
        {"k::f(int)", "k", false},
        {"(anonymous namespace)::k(int)", "k", true},
        {"<unnamed>::k(int)", "k", true},
        {"_Z13setRowReadColPi", "setRowReadCol", true},
        {"_Z16setRowReadColPadPi", "setRowReadCol", false},
        {"_Z113setRowReadColPi", "setRowReadCol", false},
        {"_ZN1a1b1kILi32EEEvPf", "k", true},
        {"_ZN12_GLOBAL__N_11kEPi", "k", true},
        {"_ZN1CILi32EE1kEPf", "k", true},
        {"_Z999kPi", "k", false},
        {"_Z99999999999999999999k", "k", false},
        {"_ZLi", "k", false},
        {"13setRowReadColPi", "setRowReadCol", false},
        {"k", "", false},
        {"", "k", false},
    };
    for (size_t i = 0; i < N_OF(cases); i++) {
        if (bsim_ncu_name_matches(cases[i].launched, cases[i].name) != cases[i].matches) {
            fail_msg("'%s' and '%s'", cases[i].launched, cases[i].name);
        }
    }
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* Kernels that each load once without and once with conflicts, 1 + 32 wavefronts; kernel i, from 0,
 * has i + 1 such pairs. */
static struct bsim_result kernels(const char *const *name, size_t n)
{
    struct bsim_result all = {.n_kernels = 0};
    for (size_t i = 0; i < n; i++) {
        struct stream s;
        struct bsim_result one;
        assert_true(stream_simulate(&s, NULL));
        assert_int_equal(stream_kernel(&s, name[i], 32, NULL), BSIM_OK);
        assert_int_equal(stream_block(&s, 0), BSIM_OK);
        for (size_t k = 0; k <= i; k++) {
            assert_int_equal(stream_access(&s, 0, "ld.shared.u32", 0, 4), BSIM_OK);
            assert_int_equal(stream_access(&s, 0, "ld.shared.u32", 0, 128), BSIM_OK);
        }
        assert_int_equal(stream_finish(&s, &one), BSIM_OK);
        assert_int_equal(bsim_result_append(&all, &one, NULL), BSIM_OK);
    }
    return all;
}

static struct bsim_ncu_report *report_of(const char *text)
{
    struct bsim_ncu_report *report = NULL;
    struct bsim_error err;
    if (read_text(text, strlen(text), SIZE_MAX, &report, &err) != BSIM_OK) {
        fail_msg("%s", err.message);
    }
    return report;
}

struct compare_case {
    const char *names; /* a letter for each kernel, its name */
    double tolerance;  /* ALL: 0, and all metrics decide */
    const char *report;
    const char *csv; /* without its head; NULL: nothing to compare */
};

#define ALL (-1.0)
#define HEAD "ID,Kernel Name,Grid Size,Block Size," LD "," WAVES "\n"

static const struct compare_case compares[] = {
    {"f", 0, HEAD "0,f(),,,2,33\n", "f,0," LD ",2,2,0,equal,1\nf,0," WAVES ",33,33,0,equal,1\n"},
    {"f", 0, HEAD "0,f(),,,2,34\n", "f,0," LD ",2,2,0,equal,1\nf,0," WAVES ",33,34,1,differs,1\n"},
    {"f", 0, HEAD "0,f(),,,1.5,n/a\n", "f,0," LD ",2,1.5,-0.5,differs,1\n"},
    /* 1 of 34 is 2.94 % */
    {"f", 3, HEAD "0,f(),,,2,34\n",
     "f,0," LD ",2,2,0,equal,1\nf,0," WAVES ",33,34,1,within tolerance,1\n"},
    {"f", 2.9, HEAD "0,f(),,,2,34\n",
     "f,0," LD ",2,2,0,equal,1\nf,0," WAVES ",33,34,1,differs,1\n"},
    {"f", 100, HEAD "0,f(),,,0,33\n",
     "f,0," LD ",2,0,-2,differs,1\nf,0," WAVES ",33,33,0,equal,1\n"},
    /* as many launches as kernels of the name: in order */
    {"ff", 0, HEAD "5,f(),,,2,\n6,f(),,,4,\n",
     "f,5," LD ",2,2,0,equal,1\nf,6," LD ",4,4,0,equal,1\n"},
    {"fgf", 0, HEAD "5,f(),,,2,\n6,f(),,,6,\n",
     "f,5," LD ",2,2,0,equal,1\nf,6," LD ",6,6,0,equal,1\ng,,,,,,no launch,\n"},
    /* one kernel, several launches */
    {"f", 0, HEAD "5,f(),,,2,\n6,f(),,,3,\n7,h(),,,1,\n",
     "f,5," LD ",2,2,0,equal,1\nf,6," LD ",2,3,1,differs,1\nh(),7,,,,,no kernel,\n"},
    /* more kernels than launches, alike in size: the first */
    {"ff", 0, HEAD "5,f(),\"(1, 1, 1)\",\"(32, 1, 1)\",2,\n",
     "f,5," LD ",2,2,0,equal,1\nf,,,,,,no launch,\n"},
    {"f", 0, HEAD "0,g(),,,2,33\n", NULL},
    {"", 0, HEAD "0,g(),,,2,33\n", NULL},
    /* counters that count something else as well, and what of them is comparable */
    {"f", 0, "ID,Kernel Name," ALL_WAVES "," LD "\n0,f,34,2\n",
     "f,0," LD ",2,2,0,equal,1\nf,0," ALL_WAVES ",33,34,1,not comparable,1\n"},
    {"f", 0, "ID,Kernel Name," ALL_WAVES "\n0,f,34\n", NULL},
    {"f", ALL, "ID,Kernel Name," IDC "," LDC "\n0,f,7,6\n",
     "f,0," IDC ",0,7,7,not comparable,1\nf,0," LDC ",0,6,6,not comparable,1\n"
     "f,0," IDC " - " LDC ",0,1,1,differs,1\n"},
    /* without: shown, where something else decides */
    {"f", 0, "ID,Kernel Name," IDC "," LDC "\n0,f,7,6\n", NULL},
    {"f", 0, "ID,Kernel Name," GLD "," LD "\n0,f,3,2\n",
     "f,0," LD ",2,2,0,equal,1\nf,0," GLD ",0,3,3,differs,0\n"},
    {"f", ALL, "ID,Kernel Name," GLD "\n0,f,3\n", "f,0," GLD ",0,3,3,differs,1\n"},
    /* more by what a counter counts on top, if the exact one is equal */
    {"f", 0, "ID,Kernel Name," LD "," WAVES "," EXACT_LD "," EXACT_WAVES "\n0,f,3,40,2,33\n",
     "f,0," LD ",2,3,1,not comparable,1\nf,0," EXACT_LD ",2,2,0,equal,1\n"
     "f,0," WAVES ",33,40,7,not comparable,1\nf,0," EXACT_WAVES ",33,33,0,equal,1\n"},
    {"f", 0, "ID,Kernel Name," LD "," WAVES "," EXACT_LD "," EXACT_WAVES "\n0,f,1,40,2,34\n",
     "f,0," LD ",2,1,-1,differs,1\nf,0," EXACT_LD ",2,2,0,equal,1\n"
     "f,0," WAVES ",33,40,7,differs,1\nf,0," EXACT_WAVES ",33,34,1,differs,1\n"},
    /* the same numbers by their other names */
    {"f", 0,
     "ID,Kernel Name,sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum,"
     "smsp__inst_executed_op_shared_ld_pred_on_any.sum,"
     "smsp__sass_inst_executed_op_shared_ld.sum\n0,f,33,2,2\n",
     "f,0,smsp__inst_executed_op_shared_ld_pred_on_any.sum,2,2,0,equal,1\n"
     "f,0,smsp__sass_inst_executed_op_shared_ld.sum,2,2,0,equal,1\n"
     "f,0,sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum,33,33,0,equal,1\n"},
};

static struct bsim_compare_options options_of(double tolerance)
{
    bool all = tolerance < 0;
    return (struct bsim_compare_options){all ? 0 : tolerance, all};
}

static void compare_one(const struct compare_case *c)
{
    static const char head[] =
        "kernel,launch,metric,simulated,measured,difference,outcome,decides\n";
    char letter[4][2] = {"", "", "", ""};
    const char *name[4];
    size_t n = strlen(c->names);
    for (size_t i = 0; i < n; i++) {
        letter[i][0] = c->names[i];
        name[i] = letter[i];
    }
    struct bsim_result result = kernels(name, n);
    struct bsim_ncu_report *report = report_of(c->report);
    struct bsim_comparison *comparison = NULL;
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    const struct bsim_compare_options wanted = options_of(c->tolerance);
    enum bsim_status status = bsim_compare(&result, report, &wanted, &comparison, NULL);
    if (c->csv == NULL) {
        assert_int_equal(status, BSIM_E_INPUT);
        assert_null(comparison);
    } else {
        struct bsim_report_options options = {.format = BSIM_CSV};
        assert_int_equal(status, BSIM_OK);
        bsim_report_comparison(comparison, &result, report, &options, &out);
        if (strncmp(out.data, head, sizeof head - 1) != 0 ||
            strcmp(out.data + sizeof head - 1, c->csv) != 0) {
            fail_msg("is\n%sand not\n%sfor\n%s", out.data, c->csv, c->report);
        }
    }
    bsim_buffer_free(&out);
    bsim_comparison_free(comparison);
    bsim_ncu_free(report);
    bsim_result_free(&result);
}

static void compares_by_metric(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(compares); i++) {
        compare_one(&compares[i]);
    }
    assert_int_equal(failing_memory_live(), 0);
}

/* The last lines of the text: the verdict. */
static void verdict_of(struct bsim_result *result, double tolerance, const char *text,
                       const char *expected)
{
    struct bsim_ncu_report *report = report_of(text);
    struct bsim_comparison *comparison = NULL;
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    struct bsim_report_options options = {.format = BSIM_TEXT};
    const struct bsim_compare_options wanted = options_of(tolerance);
    assert_int_equal(bsim_compare(result, report, &wanted, &comparison, NULL), BSIM_OK);
    bsim_report_comparison(comparison, result, report, &options, &out);
    if (strstr(out.data, expected) == NULL) {
        fail_msg("no\n%sin\n%s", expected, out.data);
    }
    bsim_buffer_free(&out);
    bsim_comparison_free(comparison);
    bsim_ncu_free(report);
}

#define BY_ARBITRATION                                                                            \
    "l1tex__data_* counters also count arbitration in the SM, most in launches of many blocks:\n" \
    "on an H200 0.7 % more with 4096 blocks of 4-byte loads, 25 % beside global stores. Ask ncu " \
    "for\nsm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum, _st and _atom,\n"         \
    "which do not"

static void says_what_to_try(void **state)
{
    (void)state;
    static const char *const name[] = {"f"};
    struct bsim_result result = kernels(name, 1);
    struct bsim_kernel_result *kernel = &result.kernels[0];
    verdict_of(&result, 0, HEAD "0,f,,,2,33\n", "\nall 2 shared metrics of 1 kernel equal\n");
    verdict_of(&result, 5, HEAD "0,f,,,2,34\n",
               "\nall 2 shared metrics of 1 kernel agree within 5%, 1 equal\n");
    verdict_of(&result, 0, HEAD "0,f,,,2,34\n",
               "\n1 of 2 shared metrics of 1 kernel differs, first in f.\nIf the trace is of the "
               "same run");
    verdict_of(&result, 0, HEAD "0,f,,,3,33\n",
               "f.\nsmsp__inst_executed_op_shared_* counters also count instr");
    verdict_of(&result, 0, HEAD "0,f,,,1,33\n", "f.\nIf the trace is of the same run");
    verdict_of(
        &result, 0, HEAD "0,f,\"(2, 1, 1)\",\"(32, 1, 1)\",4,66\n",
        "The launch has grid 2,1,1 and block 32,1,1, the trace grid 1,1,1 and block 32,1,1.\n"
        "\n2 of 2 shared metrics of 1 kernel differ, first in f.\nTrace all blocks");
    verdict_of(&result, 0, "ID,Kernel Name,CC," LD "\n0,f,8.6,3\n",
               "The launch was on compute capability 8.6, the simulation for sm_90.\n"
               "\n1 of 1 shared metric of 1 kernel differs, first in f.\nSimulate the GPU");
    verdict_of(&result, 0, "ID,Kernel Name," ALL_WAVES "," LD "\n0,f,34,2\n",
               ALL_WAVES ": it also counts op_misc, at least 1 for each launch.\n"
                         "\nall 1 shared metric of 1 kernel equal\n");
    kernel->grid.x = 2;
    verdict_of(&result, 0, HEAD "0,f,,,2,34\n",
               "The trace has 1 of 2 blocks.\n"
               "\n1 of 2 shared metrics of 1 kernel differs, first in f.\nTrace all blocks");
    kernel->blocks = 2;
    verdict_of(&result, 0, HEAD "0,f,,,2,34\n", "f.\n" BY_ARBITRATION ", or give --tolerance.\n");
    verdict_of(&result, 0, HEAD "0,f,,,2,32\n", "f.\nIf the trace is of the same run");
    verdict_of(&result, 0, HEAD "0,f,,,1,34\n", "f.\nIf the trace is of the same run");
    verdict_of(&result, 0, HEAD "0,f,,,3,34\n",
               "2 of 2 shared metrics of 1 kernel differ, first in f.\n" BY_ARBITRATION
               ", or give --tolerance.\nsmsp__inst_executed_op_shared_* counters also count instr");
    verdict_of(&result, 0, "ID,Kernel Name," CONFLICTS "\n0,f,5\n",
               "f.\n" BY_ARBITRATION
               ". --tolerance, a share of what was measured, is no help where "
               "the simulation has 0.\n");
    verdict_of(&result, 0, "ID,Kernel Name," WAVES "," EXACT_WAVES "\n0,f,40,34\n",
               "f.\nIf the trace is of the same run");
    verdict_of(&result, 0, "ID,Kernel Name," WAVES "," EXACT_WAVES "\n0,f,40,33\n",
               WAVES ": it also counts arbitration in the SM.\n\nall 1 shared metric of 1 kernel "
                     "equal\n");
    verdict_of(
        &result, 0, "ID,Kernel Name," GLD "," LD "\n0,f,3,2\n",
        "all 1 shared metric of 1 kernel equal\n1 of global or constant memory differs; with "
        "--all it decides too.\n");
    verdict_of(&result, ALL, "ID,Kernel Name," GLD "," LD "\n0,f,3,2\n",
               "\n1 of 2 metrics of 1 kernel differs, first in f.\nIf the trace");
    verdict_of(&result, 0, HEAD "0,f,,,2,67\n", "f.\nIf the trace is of the same run");
    kernel->global[BSIM_LOADS].requests = 1;
    verdict_of(
        &result, 0, "ID,Kernel Name," GLD "," WAVES "\n0,f,3,34\n",
        "1 of 1 shared metric of 1 kernel differs, first in f.\nIf the trace is of the same run");
    kernel->global[BSIM_LOADS].requests = 0;
    verdict_of(&result, 0, "ID,Kernel Name," GLD "," WAVES "\n0,f,3,34\n",
               "1 of 1 shared metric of 1 kernel differs, first in f.\n" BY_ARBITRATION);
    kernel->grid.x = 1;
    kernel->blocks = 1;
    kernel->block.x = 1024;
    verdict_of(&result, 0, HEAD "0,f,,,2,34\n", "f.\n" BY_ARBITRATION);
    bsim_result_free(&result);
}

/* Launches that go by an emulator's original name. */
static const struct {
    const char *first, *second; /* the traces' kernels, of 1,1,1 blocks of 32 threads */
    const char *launch;
    int kernel; /* its place, or -1: none, -2: refused */
} originals[] = {
    {"square_set_row_read_col", "transpose_shared", "setRowReadCol(int *)", 0},
    {"square_set_row_read_col", "transpose_shared", "transposeSmem(float *, float *, int, int)", 1},
    {"square_set_row_read_col", "transpose_shared", "void a::transposeShared<32>(float *)", 1},
    {"square_set_row_read_col", "transpose_shared", "_Z13transposeSmemPfS_ii", 1},
    {"square_set_row_read_col", "transpose_shared", "transposeSmemPad(float *)", -1},
    {"square_set_row_read_col", "transpose_shared", "set(int *)", -1},
    {"f", "g", "setRowReadCol(int *)", -1},
    /* an own name goes before */
    {"square_set_row_read_col", "setRowReadCol", "setRowReadCol(int *)", 1},
    /* two of that name, both as large */
    {"square_set_row_read_col", "rect_set_row_read_col", "setRowReadCol(int *)", -2},
};

static void expect_kernel(const char *first, const char *second, const char *launch, int expected)
{
    const char *const name[] = {first, second, "always"};
    const struct bsim_compare_options wanted = {0, false};
    struct bsim_result result = kernels(name, 3);
    struct bsim_comparison *comparison = NULL;
    struct bsim_error err = {.message = ""};
    char text[400];
    snprintf(text, sizeof text,
             "ID,Kernel Name,Grid Size,Block Size," LD "\n7,\"%s\",\"(1, 1, 1)\",\"(32, 1, 1)\","
             "2\n8,always,,,6\n",
             launch);
    struct bsim_ncu_report *report = report_of(text);
    enum bsim_status status = bsim_compare(&result, report, &wanted, &comparison, &err);
    int kernel = status == BSIM_OK ? (int)comparison->kernel_of[0] : -2;
    if (kernel != expected) {
        fail_msg("%s: kernel %d, %s", launch, kernel, err.message);
    }
    bsim_comparison_free(comparison);
    bsim_ncu_free(report);
    bsim_result_free(&result);
}

static void finds_originals(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(originals); i++) {
        expect_kernel(originals[i].first, originals[i].second, originals[i].launch,
                      originals[i].kernel);
    }
}

/* Launches as reports write them, of kernels that the traces have mangled. Names as nvcc 12 mangles
 * and cu++filt tells them. */
static void finds_mangled(void **state)
{
    static const struct {
        const char *first, *second, *launch;
        int kernel; /* its place, or -1: none, -2: refused */
    } cases[] = {
        {"_Z9setRowPadPi", "_Z6setRowPi", "setRow(int *)", 1},
        {"_Z9setRowPadPi", "_Z6setRowPi", "setRow", 1},
        {"_Z9setRowPadPi", "_Z6setRowPi", "_Z6setRowPi", 1},
        {"_Z9setRowPadPi", "_Z6setRowPi", "set(int *)", -1},
        {"_Z9setRowPadPi", "_ZN2ns6setRowEPi", "ns::setRow(int *)", 1},
        {"_Z5scaleILi16EfEvPT0_", "_Z5scaleILi32EfEvPT0_", "void scale<(int)32, float>(T2 *)", 1},
        {"_Z5scaleILi16EfEvPT0_", "_Z5scaleILi32EfEvPT0_", "void scale<32,float>(T2 *)", 1},
        {"_Z5scaleILin1EEvPf", "_Z5scaleILi1EEvPf", "void scale<(int)-1>(float *)", 0},
        {"_Z5scaleILj1EjEvPT0_", "_Z5scaleILj1EiEvPT0_",
         "void scale<(unsigned int)1, unsigned int>(T2 *)", 0},
        {"_Z5scaleILb0EEvPf", "_Z5scaleILb1EEvPf", "void scale<(bool)1>(float *)", 1},
        {"_Z5scaleILi16EEvPf", "_Z5scalePf", "void scale<(int)8>(float *)", -1},
        {"scale<16>", "scale<8>", "void scale<(int)8>(float *)", 1},
        /* a template's name always has its arguments where the function's parameters stand */
        {"_Z5scaleILi16EEvPf", "_Z5scalePf", "scale(float *)", 1},
        {"_Z5scaleILi16EEvPf", "g", "scale", 0},
        /* nothing tells which */
        {"_Z5scaleILi16EEvPf", "_Z5scaleILi32EEvPf", "scale", -2},
        {"_Z5scalePi", "_Z5scalePf", "scale", -2},
        {"_Z5scalePi", "_Z5scalePf", "scale(T1 *)", -2},
        /* but parameters do */
        {"_Z5scalePi", "_Z5scalePf", "scale(float *)", 1},
        {"_Z5scalePKfPj", "_Z5scalePKfPi", "scale(const float *, unsigned int *)", 0},
        {"_Z5scalePKfPj", "_Z5scalePKfS0_", "scale(const float *, const float *)", 1},
        {"_Z5scaleN2ns1tEi", "_Z5scaleN2ns1tES0_", "scale(ns::t, ns::t)", 1},
        {"_Z5scaleILi8EEvPf", "_Z5scaleILi8EEvPd", "void scale<(int)8>(double *)", 1},
        /* what needs no reading goes before */
        {"_Z5scalePf", "scale", "scale(float *)", 1},
        {"_Z5scalePi", "_Z5scalePf", "_Z5scalePf", 1},
    };
    (void)state;
    for (size_t i = 0; i < N_OF(cases); i++) {
        expect_kernel(cases[i].first, cases[i].second, cases[i].launch, cases[i].kernel);
    }
}

/* Of two emulators of one original name, that of the launch's size; or else both are named. */
static void tells_originals_by_size(void **state)
{
    static const char *const name[] = {"square_set_row_read_col", "rect_set_row_read_col"};
    const struct bsim_compare_options wanted = {0, false};
    struct bsim_result result = kernels(name, 2);
    struct bsim_comparison *comparison = NULL;
    struct bsim_error err;
    (void)state;
    result.kernels[1].block = (struct bsim_dim3){32, 16, 1};
    struct bsim_ncu_report *report =
        report_of(HEAD "0,setRowReadCol(),\"(1, 1, 1)\",\"(32, 16, 1)\",4,\n");
    assert_int_equal(bsim_compare(&result, report, &wanted, &comparison, &err), BSIM_OK);
    assert_int_equal(comparison->kernel_of[0], 1);
    bsim_comparison_free(comparison);
    bsim_ncu_free(report);
    report = report_of(HEAD "3,setRowReadCol(),\"(9, 1, 1)\",\"(32, 16, 1)\",4,\n");
    assert_int_equal(bsim_compare(&result, report, &wanted, &comparison, &err), BSIM_E_INPUT);
    assert_string_equal(err.message, "launch 3, 'setRowReadCol()', may be square_set_row_read_col, "
                                     "rect_set_row_read_col: give the traces of one of them");
    bsim_ncu_free(report);
    bsim_result_free(&result);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Reads and compares with every allocation after the nth failing. */
static enum bsim_status act(const struct bsim_result *result, const char *text)
{
    struct bsim_ncu_report *report = NULL;
    struct bsim_comparison *comparison = NULL;
    enum bsim_status status = read_text(text, strlen(text), SIZE_MAX, &report, NULL);
    if (status == BSIM_OK) {
        const struct bsim_compare_options wanted = {0, false};
        status = bsim_compare(result, report, &wanted, &comparison, NULL);
    }
    bsim_comparison_free(comparison);
    bsim_ncu_free(report);
    return status;
}

static void lives_without_memory(void **state)
{
    (void)state;
    static const char *const name[] = {"f"};
    static const char text[] = HEAD "0,f,,,2,33\n1,f,,,2,33\n";
    struct bsim_result result = kernels(name, 1);
    size_t before = failing_memory_live();
    size_t n = 0;
    enum bsim_status status = BSIM_E_MEMORY;
    while (status == BSIM_E_MEMORY) {
        failing_memory_fail_after(n++);
        status = act(&result, text);
        failing_memory_heal();
        assert_int_equal(failing_memory_live(), before);
    }
    assert_int_equal(status, BSIM_OK);
    assert_true(n > 8);
    bsim_result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_both_forms),        cmocka_unit_test(refuses_what_is_no_report),
        cmocka_unit_test(refuses_endless_records), cmocka_unit_test(tells_what_it_cannot_read),
        cmocka_unit_test(survives_any_cut),        cmocka_unit_test(reads_real_reports),
        cmocka_unit_test(matches_names),           cmocka_unit_test(compares_by_metric),
        cmocka_unit_test(says_what_to_try),        cmocka_unit_test(finds_mangled),
        cmocka_unit_test(finds_originals),         cmocka_unit_test(tells_originals_by_size),
        cmocka_unit_test(lives_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

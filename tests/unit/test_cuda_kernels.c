/* test_cuda_kernels.c - kernels that banksim reads itself, held against what nvcc made of them.
 *
 * tests/kernels has CUDA C, and the PTX that nvcc 13.0 made of it. Each kernel has a launch in a comment
 * above it. Both must leave the same bytes in all arrays, and make the same accesses: as many requests
 * and wavefronts, or sectors, of each kind on each source line, as they stand in the PTX and as ptxas
 * merges them. Local memory is left out: nvcc joins its stores, which costs nothing that is counted.
 */
#include <banksim/cuda.h>
#include <banksim/ptx.h>

#include "failing_memory.h"
#include "kernel_text.h"
#include "trace_text.h"
#include "watched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

enum { MAX_ROWS = 256, MAX_BYTES = 1 << 18, MAX_ARRAYS = 8 };

/* The accesses of one kind on one line. */
struct row {
    uint32_t line;
    int space, family; /* of the opcode */
    uint64_t requests, wavefronts, sectors;
};

/* What a run did. */
struct run {
    struct row row[MAX_ROWS];
    size_t n_rows;
    unsigned char bytes[MAX_BYTES]; /* of all arrays, one behind the other */
    size_t n_bytes;
};

static void add_site(struct run *run, const struct bsim_site_result *site)
{
    struct row row = {
        .line = site->line, .space = (int)site->opcode.space, .family = (int)site->opcode.family};
    size_t i = 0;
    bool is_shuffle = site->opcode.family == BSIM_SHFL; /* nvcc has it on a line of its header */
    if (site->opcode.space == BSIM_LOCAL || is_shuffle || site->requests == 0) {
        return;
    }
    while (i < run->n_rows && (run->row[i].line != row.line || run->row[i].space != row.space ||
                               run->row[i].family != row.family)) {
        i++;
    }
    assert_true(i < MAX_ROWS);
    if (i == run->n_rows) {
        run->row[run->n_rows++] = row;
    }
    run->row[i].requests += site->requests;
    run->row[i].wavefronts += site->tally.wavefronts;
    run->row[i].sectors += site->global.sectors;
}

static void take_arrays(struct run *run, struct bsim_ptx_call *call)
{
    for (int i = 0; i < MAX_ARRAYS; i++) {
        char path[16];
        size_t size = 0;
        (void)snprintf(path, sizeof path, "%d", i);
        const void *array = bsim_ptx_call_array(call, path, &size);
        if (array != NULL) {
            assert_true(run->n_bytes + size <= MAX_BYTES);
            memcpy(&run->bytes[run->n_bytes], array, size);
            run->n_bytes += size;
        }
    }
}

static void run_launch(struct run *run, const char *text, const char *launch, bool is_bare)
{
    struct bsim_ptx_call *call = NULL;
    struct bsim_result result = {0};
    memset(run, 0, sizeof *run);
    kernel_text_run(text, launch, &(struct bsim_ptx_options){.is_bare = is_bare}, &call, &result);
    for (size_t i = 0; i < result.kernels[0].n_sites; i++) {
        add_site(run, &result.kernels[0].sites[i]);
    }
    take_arrays(run, call);
    bsim_result_free(&result);
    bsim_ptx_call_free(call);
}

static const struct row *find_row(const struct run *run, const struct row *row)
{
    for (size_t i = 0; i < run->n_rows; i++) {
        const struct row *r = &run->row[i];
        if (r->line == row->line && r->space == row->space && r->family == row->family) {
            return r;
        }
    }
    return NULL;
}

static void compare(const char *launch, const struct run *ours, const struct run *theirs)
{
    for (size_t i = 0; i < ours->n_rows; i++) {
        const struct row *a = &ours->row[i], *b = find_row(theirs, a);
        if (b == NULL || a->requests != b->requests || a->wavefronts != b->wavefronts ||
            a->sectors != b->sectors) {
            fail_msg("%s: line %d: %d requests, %d wavefronts, %d sectors; nvcc's %d, %d, %d",
                     launch, (int)a->line, (int)a->requests, (int)a->wavefronts, (int)a->sectors,
                     b != NULL ? (int)b->requests : 0, b != NULL ? (int)b->wavefronts : 0,
                     b != NULL ? (int)b->sectors : 0);
        }
    }
    assert_int_equal(ours->n_rows, theirs->n_rows);
    assert_int_equal(ours->n_bytes, theirs->n_bytes);
    assert_memory_equal(ours->bytes, theirs->bytes, ours->n_bytes);
}

/* All launches of a file; answers how many. Under sanitizers each second one is bare, else both ways, and each third
 * is compared: nvcc's PTX is read whole for each. */
static int compare_file(const char *name)
{
    static struct run a, b;
    char path[64], launch[KERNEL_MAX_LAUNCH];
    int n = 0;
    (void)snprintf(path, sizeof path, "tests/kernels/%s.ptx", name);
    struct bsim_buffer theirs = trace_text_load(path);
    (void)snprintf(path, sizeof path, "tests/kernels/%s.cu", name);
    struct bsim_buffer text = trace_text_load(path);
    for (const char *p = text.data; (p = kernel_text_launch(p, launch)) != NULL; n++) {
        struct bsim_buffer ptx = BSIM_BUFFER_EMPTY;
        kernel_text_translate(path, text.data, launch, &ptx);
        for (int is_bare = WATCHED(0, n % 2); is_bare < WATCHED(2, n % 2 + 1); is_bare++) {
            run_launch(&a, ptx.data, launch, is_bare != 0);
            if (n % WATCHED(1, 3) == 0) {
                run_launch(&b, theirs.data, launch, is_bare != 0);
                compare(launch, &a, &b);
            }
            assert_true(a.n_rows > 0 && a.n_bytes > 0);
        }
        bsim_buffer_free(&ptx);
    }
    bsim_buffer_free(&text);
    bsim_buffer_free(&theirs);
    return n;
}

/* ---- rows of generated kernels --------------------------------------------------------------- */

static uint64_t hash_of(const struct run *run)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < run->n_bytes; i++) {
        hash = (hash ^ run->bytes[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

/* What a run did, in words: a line for its memory, then one for each row. */
static void write_rows(const struct run *run, const char *launch, int is_bare, FILE *out)
{
    (void)fprintf(out, "%.*s %d %016llx %zu\n", (int)strcspn(launch, "<"), launch, is_bare,
                  (unsigned long long)hash_of(run), run->n_rows);
    for (size_t i = 0; i < run->n_rows; i++) {
        const struct row *r = &run->row[i];
        (void)fprintf(out, "%u %d %d %llu %llu %llu\n", r->line, r->space, r->family,
                      (unsigned long long)r->requests, (unsigned long long)r->wavefronts,
                      (unsigned long long)r->sectors);
    }
}

/* The rows of the PTX for each launch of the source, to be kept. */
static void make_rows(const char *source, const char *ptx)
{
    static struct run run;
    char launch[KERNEL_MAX_LAUNCH];
    struct bsim_buffer text = trace_text_load(source), theirs = trace_text_load(ptx);
    for (const char *p = text.data; (p = kernel_text_launch(p, launch)) != NULL;) {
        for (int is_bare = 0; is_bare < 2; is_bare++) {
            run_launch(&run, theirs.data, launch, is_bare != 0);
            write_rows(&run, launch, is_bare, stdout);
        }
    }
    bsim_buffer_free(&text);
    bsim_buffer_free(&theirs);
}

static void compare_with_rows(const struct run *run, const char *launch, int is_bare, FILE *rows)
{
    char name[KERNEL_MAX_LAUNCH];
    unsigned long long hash, n[3];
    size_t n_rows;
    int bare;
    assert_int_equal(fscanf(rows, "%255s %d %llx %zu", name, &bare, &hash, &n_rows), 4);
    assert_int_equal(strncmp(launch, name, strlen(name)), 0);
    assert_int_equal(bare, is_bare);
    if (n_rows != run->n_rows || hash != hash_of(run)) {
        fail_msg("%s: %zu rows, nvcc's %zu; bytes %s", launch, run->n_rows, n_rows,
                 hash == hash_of(run) ? "equal" : "differ");
    }
    for (size_t i = 0; i < n_rows; i++) {
        struct row row = {0};
        assert_int_equal(fscanf(rows, "%u %d %d %llu %llu %llu", &row.line, &row.space, &row.family,
                                &n[0], &n[1], &n[2]),
                         6);
        const struct row *own = find_row(run, &row);
        if (own == NULL || own->requests != n[0] || own->wavefronts != n[1] ||
            own->sectors != n[2]) {
            fail_msg("%s: line %u differs from nvcc's", launch, row.line);
        }
    }
}

/* The rows of one kernel. */
static void skip_rows(FILE *rows)
{
    for (int is_bare = 0; is_bare < 2; is_bare++) {
        size_t n_rows;
        assert_int_equal(fscanf(rows, "%*s %*d %*x %zu", &n_rows), 1);
        for (size_t i = 0; i < n_rows; i++) {
            assert_int_equal(fscanf(rows, " %*[^\n]"), 0);
        }
    }
}

/* Two hundred kernels that tools/generate_kernels.py drew: nvcc's rows are kept, without its PTX. */
static void test_generated_kernels_are_nvccs(void **state)
{
    static struct run run;
    char launch[KERNEL_MAX_LAUNCH];
    int n = 0;
    FILE *rows = fopen("tests/kernels/generated.rows", "r");
    (void)state;
    assert_non_null(rows);
    struct bsim_buffer text = trace_text_load("tests/kernels/generated.cu");
    for (const char *p = text.data; (p = kernel_text_launch(p, launch)) != NULL; n++) {
        struct bsim_buffer ptx = BSIM_BUFFER_EMPTY;
        if (n % WATCHED(1, 10) != 0) {
            skip_rows(rows);
            continue;
        }
        kernel_text_translate("generated.cu", text.data, launch, &ptx);
        for (int is_bare = 0; is_bare < 2; is_bare++) {
            run_launch(&run, ptx.data, launch, is_bare != 0);
            compare_with_rows(&run, launch, is_bare, rows);
        }
        bsim_buffer_free(&ptx);
    }
    bsim_buffer_free(&text);
    assert_int_equal(n, 200);
    assert_int_equal(fclose(rows), 0);
}

static void test_plain_kernels_are_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("plain"), 13);
}

static void test_device_code_is_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("device"), 7);
}

static void test_libraries_of_cuda_are_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("cub"), 6);
}

static void test_templates_and_structs_are_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("templates"), 10);
}

static void test_bases_are_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("bases"), 5);
}

static void test_what_headers_declare_is_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("library"), 7);
}

static void test_copies_of_pipelines_are_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("pipeline"), 3);
}

static void test_lambdas_and_what_is_known_are_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("lambdas"), 7);
}

static void test_products_go_into_sums_as_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("sums"), 8);
}

static void test_ways_of_branches_are_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("ways"), 11);
}

static void test_loops_in_loops_are_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("nests"), 15);
}

static void test_indices_are_made_of_other_products(void **state)
{
    (void)state;
    assert_int_equal(compare_file("products"), 20);
}

static void test_what_ways_do_alike_is_done_once(void **state)
{
    (void)state;
    assert_int_equal(compare_file("meets"), 23);
}

static void test_ways_inside_of_a_guard_keep_what_nvccs_do(void **state)
{
    (void)state;
    assert_int_equal(compare_file("guards"), 62);
}

static void test_calls_that_may_change_memory_are_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("calls"), 14);
}

static void test_turns_have_what_conditions_loaded(void **state)
{
    (void)state;
    assert_int_equal(compare_file("carries"), 16);
}

static void test_steps_that_are_no_constants(void **state)
{
    (void)state;
    assert_int_equal(compare_file("strides"), 13);
}

static void test_branches_ask_once(void **state)
{
    (void)state;
    assert_int_equal(compare_file("agains"), 30);
}

static void test_addresses_step_where_few_values_live(void **state)
{
    (void)state;
    assert_int_equal(compare_file("bests"), 33);
}

static void test_loops_that_move_by_the_block_are_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("grids"), 17);
}

static void test_bytes_that_are_wanted_are_loaded_alone(void **state)
{
    (void)state;
    assert_int_equal(compare_file("narrow"), 58);
}

static void test_light_functions_are_computed_at_once(void **state)
{
    (void)state;
    assert_int_equal(compare_file("light"), 17);
}

static void test_ways_that_compute_little_are_choices(void **state)
{
    (void)state;
    assert_int_equal(compare_file("choices"), 17);
}

/* How often the word stands in the kernel that the launch names, in PTX. */
static int count_words(const char *ptx, const char *launch, const char *word)
{
    char name[KERNEL_MAX_LAUNCH];
    int length = (int)strcspn(launch, "<"), n = 0;
    (void)snprintf(name, sizeof name, ".entry _Z%d%.*s", length, length, launch);
    const char *at = strstr(ptx, name);
    assert_non_null(at);
    const char *end = strstr(at, "\n}");
    assert_non_null(end);
    for (; (at = strstr(at, word)) != NULL && at < end; at++) {
        n++;
    }
    return n;
}

/* Of each kernel of the file, which may access the same with them and without. */
static void compare_words(const char *name, const char *word)
{
    char path[64], launch[KERNEL_MAX_LAUNCH];
    (void)snprintf(path, sizeof path, "tests/kernels/%s.ptx", name);
    struct bsim_buffer theirs = trace_text_load(path);
    (void)snprintf(path, sizeof path, "tests/kernels/%s.cu", name);
    struct bsim_buffer text = trace_text_load(path);
    for (const char *p = text.data; (p = kernel_text_launch(p, launch)) != NULL;) {
        struct bsim_buffer ptx = BSIM_BUFFER_EMPTY;
        kernel_text_translate(path, text.data, launch, &ptx);
        if (count_words(ptx.data, launch, word) != count_words(theirs.data, launch, word)) {
            fail_msg("%s: not as many '%s' as nvcc's", launch, word);
        }
        bsim_buffer_free(&ptx);
    }
    bsim_buffer_free(&text);
    bsim_buffer_free(&theirs);
}

static void test_ways_that_divide_or_call_are_branches(void **state)
{
    (void)state;
    assert_int_equal(compare_file("heavy"), 17);
    compare_words("heavy", "@");
}

static void test_bytes_are_at_a_base_and_a_counter(void **state)
{
    (void)state;
    assert_int_equal(compare_file("letters"), 3);
    compare_words("letters", "\tadd.");
}

static void test_loads_near_what_takes_them_are_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("nears"), 15);
}

static void test_instructions_alike_do_the_same(void **state)
{
    (void)state;
    assert_int_equal(compare_file("alike"), 15);
}

static void test_quotients_and_remainders_are_shared_as_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("remains"), 15);
    compare_words("remains", "\tdiv.");
    compare_words("remains", "\trem.");
    compare_words("remains", "ld.shared");
}

static void test_lowest_bits_are_of_what_has_them(void **state)
{
    (void)state;
    assert_int_equal(compare_file("lows"), 15);
    compare_words("lows", "\tadd.s32");
    compare_words("lows", "\tand.b32");
    compare_words("lows", "\tshl.b32");
    compare_words("lows", "\tshr.");
    compare_words("lows", "\tmad.lo.s32");
    compare_words("lows", "\tsub.s32");
}

static void test_counters_lie_where_nvcc_knows(void **state)
{
    (void)state;
    assert_int_equal(compare_file("counted"), 3);
    compare_words("counted", "@");
}

static void test_conditions_count_in_each_turn(void **state)
{
    (void)state;
    assert_int_equal(compare_file("falls"), 7);
}

static void test_loops_that_memory_ends_are_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("leaves"), 7);
    compare_words("leaves", "ld.shared");
}

static void test_turns_become_one_by_what_they_weigh(void **state)
{
    (void)state;
    assert_int_equal(compare_file("weights"), 12);
    compare_words("weights", "ld.shared");
}

static void test_lowest_bits_that_turns_leave_are_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("stays"), 7);
    compare_words("stays", "and.b32");
    compare_words("stays", "xor.b32");
}

static void test_steps_of_indices_that_never_meet_are_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("beside"), 19);
}

static void test_constants_inside_of_indices_are_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("inside"), 21);
}

static void test_what_one_way_wants_is_there_alone_as_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("sinks"), 11);
}

static void test_known_turns_are_weighed_as_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("whole"), 34);
}

/* What is loaded in front of the loop is an index as it is in it. */
static void test_loops_keep_what_is_at_what_they_load(void **state)
{
    (void)state;
    assert_int_equal(compare_file("kept"), 7);
}

/* What a branch alone asks for, of which nothing comes, is not loaded. */
static void test_branches_that_do_nothing_ask_nothing(void **state)
{
    (void)state;
    assert_int_equal(compare_file("idle"), 11);
}

static void test_lower_bits_are_known_as_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("lowest"), 7);
}

static void test_loops_leave_what_stays(void **state)
{
    (void)state;
    assert_int_equal(compare_file("loops"), 32);
}

static void test_turns_that_become_one_are_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("turns"), 44);
}

static void test_neighbours_are_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("vectors"), 20);
}

static void test_words_of_parts_are_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("words"), 5);
}

static void test_bits_that_are_sums_are_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("bits"), 31);
}

static void test_shifts_are_inside_as_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("shifts"), 34);
}

static void test_indices_are_multiples_of_as_much(void **state)
{
    (void)state;
    assert_int_equal(compare_file("indices"), 4);
}

static void test_numbers_are_nvccs(void **state)
{
    (void)state;
    assert_int_equal(compare_file("numbers"), 7);
}

static void test_objects_are_who_is_meant(void **state)
{
    (void)state;
    assert_int_equal(compare_file("objects"), 12);
}

/* Whichever allocation fails, that is told, and nothing stays allocated. */
static void test_memory_may_be_short(void **state)
{
    (void)state;
    struct bsim_buffer text = trace_text_load("tests/kernels/device.cu");
    size_t live = failing_memory_live(), n = 0;
    for (bool is_done = false; !is_done; n += n < 300 ? 1 : WATCHED(1, 17)) {
        struct bsim_buffer ptx = BSIM_BUFFER_EMPTY;
        struct bsim_error err = {.message = ""};
        failing_memory_fail_after(n);
        enum bsim_status status =
            bsim_cuda_ptx("device.cu", text.data, text.size_bytes, NULL, "structs", &ptx, &err);
        is_done = failing_memory_refused() == 0;
        failing_memory_heal();
        if (status != (is_done ? BSIM_OK : BSIM_E_MEMORY)) {
            fail_msg("%zu: line %d: %s", n, (int)err.line, err.message);
        }
        bsim_buffer_free(&ptx);
        assert_int_equal(failing_memory_live(), live);
    }
    bsim_buffer_free(&text);
    assert_true(n > 10);
}

int main(int n_words, char **words)
{
    if (n_words == 4 && strcmp(words[1], "rows") == 0) {
        make_rows(words[2], words[3]);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_kernels_are_nvccs),
        cmocka_unit_test(test_device_code_is_nvccs),
        cmocka_unit_test(test_templates_and_structs_are_nvccs),
        cmocka_unit_test(test_libraries_of_cuda_are_nvccs),
        cmocka_unit_test(test_bases_are_nvccs),
        cmocka_unit_test(test_what_headers_declare_is_nvccs),
        cmocka_unit_test(test_copies_of_pipelines_are_nvccs),
        cmocka_unit_test(test_lambdas_and_what_is_known_are_nvccs),
        cmocka_unit_test(test_products_go_into_sums_as_nvccs),
        cmocka_unit_test(test_ways_of_branches_are_nvccs),
        cmocka_unit_test(test_loops_in_loops_are_nvccs),
        cmocka_unit_test(test_indices_are_made_of_other_products),
        cmocka_unit_test(test_what_ways_do_alike_is_done_once),
        cmocka_unit_test(test_ways_inside_of_a_guard_keep_what_nvccs_do),
        cmocka_unit_test(test_calls_that_may_change_memory_are_nvccs),
        cmocka_unit_test(test_turns_have_what_conditions_loaded),
        cmocka_unit_test(test_steps_that_are_no_constants),
        cmocka_unit_test(test_branches_ask_once),
        cmocka_unit_test(test_addresses_step_where_few_values_live),
        cmocka_unit_test(test_loops_that_move_by_the_block_are_nvccs),
        cmocka_unit_test(test_bytes_that_are_wanted_are_loaded_alone),
        cmocka_unit_test(test_light_functions_are_computed_at_once),
        cmocka_unit_test(test_ways_that_compute_little_are_choices),
        cmocka_unit_test(test_ways_that_divide_or_call_are_branches),
        cmocka_unit_test(test_bytes_are_at_a_base_and_a_counter),
        cmocka_unit_test(test_loads_near_what_takes_them_are_nvccs),
        cmocka_unit_test(test_instructions_alike_do_the_same),
        cmocka_unit_test(test_quotients_and_remainders_are_shared_as_nvccs),
        cmocka_unit_test(test_lowest_bits_are_of_what_has_them),
        cmocka_unit_test(test_counters_lie_where_nvcc_knows),
        cmocka_unit_test(test_conditions_count_in_each_turn),
        cmocka_unit_test(test_loops_that_memory_ends_are_nvccs),
        cmocka_unit_test(test_turns_become_one_by_what_they_weigh),
        cmocka_unit_test(test_lowest_bits_that_turns_leave_are_nvccs),
        cmocka_unit_test(test_steps_of_indices_that_never_meet_are_nvccs),
        cmocka_unit_test(test_constants_inside_of_indices_are_nvccs),
        cmocka_unit_test(test_what_one_way_wants_is_there_alone_as_nvccs),
        cmocka_unit_test(test_known_turns_are_weighed_as_nvccs),
        cmocka_unit_test(test_loops_keep_what_is_at_what_they_load),
        cmocka_unit_test(test_branches_that_do_nothing_ask_nothing),
        cmocka_unit_test(test_lower_bits_are_known_as_nvccs),
        cmocka_unit_test(test_loops_leave_what_stays),
        cmocka_unit_test(test_turns_that_become_one_are_nvccs),
        cmocka_unit_test(test_neighbours_are_nvccs),
        cmocka_unit_test(test_words_of_parts_are_nvccs),
        cmocka_unit_test(test_bits_that_are_sums_are_nvccs),
        cmocka_unit_test(test_shifts_are_inside_as_nvccs),
        cmocka_unit_test(test_indices_are_multiples_of_as_much),
        cmocka_unit_test(test_numbers_are_nvccs),
        cmocka_unit_test(test_objects_are_who_is_meant),
        cmocka_unit_test(test_generated_kernels_are_nvccs),
        cmocka_unit_test(test_memory_may_be_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

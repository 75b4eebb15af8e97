/* test_emulators.c - finding kernels and setting their sizes; and the square and rectangular tiles:
 * their addresses, from the index formulas of documents 000 and 002, and the transactions that
 * document 002 reports. */
#include "emulate.h"
#include "emulators/emulators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- the list ------------------------------------------------------------------------------- */

static void every_kernel_runs_and_is_right(void **state)
{
    (void)state;
    const struct bsim_emulator *emulator;
    for (size_t i = 0; (emulator = bsim_emulator_at(i)) != NULL; i++) {
        struct collect collect = {.is_brief = true};
        struct bsim_sink sink = collect_sink(&collect);
        struct bsim_error err;
        bool is_faulty = strcmp(emulator->name, "divergent_barrier") == 0;
        enum bsim_status status = bsim_emulator_run(emulator, NULL, 0, &sink, &err);
        if (status != (is_faulty ? BSIM_E_KERNEL : BSIM_OK)) {
            fail_msg("%s: %s", emulator->name, err.message);
        }
        bool has_end = collect.item[collect.n - 1].kind == BSIM_RECORD_END;
        if (has_end == is_faulty) {
            fail_msg("%s: the stream must end if and only if the kernel is right", emulator->name);
        }
        collect_free(&collect);
    }
}

static void names_are_snake_case_and_unique(void **state)
{
    (void)state;
    const struct bsim_emulator *emulator;
    const struct bsim_emulator *found;
    for (size_t i = 0; (emulator = bsim_emulator_at(i)) != NULL; i++) {
        const char *name = emulator->name;
        assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_"), strlen(name));
        assert_int_equal(bsim_emulator_find(name, &found, NULL), BSIM_OK);
        assert_ptr_equal(found, emulator);
        assert_true(strlen(name) < 64);
        assert_non_null(emulator->original);
        assert_non_null(emulator->documents);
        assert_true(strlen(emulator->shows) > 0);
        assert_true(emulator->n_parameters <= BSIM_EMULATOR_MAX_PARAMETERS);
        for (size_t p = 0; p < emulator->n_parameters; p++) {
            const struct bsim_parameter *parameter = &emulator->parameters[p];
            assert_true(parameter->least <= parameter->initial);
            assert_true(parameter->initial <= parameter->most);
        }
    }
}

static void kernels_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *asked, *found, *message;
    } cases[] = {
        {"square_set_row_read_col", "square_set_row_read_col", NULL},
        {"writeColReadColT", "rect_set_col_read_col", NULL},
        {"setColReadCol2", "rect_set_col_read_col2", NULL},
        {"writeColReadColDynamicPad", NULL,
         "writeColReadColDynamicPad is square_set_col_read_col_dyn_pad or "
         "rect_set_col_read_col_dyn_pad: say which"},
        {"setRowReadCol", NULL,
         "setRowReadCol is square_set_row_read_col or rect_set_row_read_col: say which"},
        {"setRowReadColDynPad", NULL,
         "setRowReadColDynPad is square_set_row_read_col_dyn_pad or "
         "rect_set_row_read_col_dyn_pad: say which"},
        {"square_set_row_read_coll", NULL,
         "no kernel is named 'square_set_row_read_coll'; did you mean 'square_set_row_read_col'?"},
        {"SQUARE_SET_ROW_READ_COL", NULL,
         "no kernel is named 'SQUARE_SET_ROW_READ_COL'; did you mean 'square_set_row_read_col'?"},
        {"writeColReadColDynamicPat", NULL,
         "no kernel is named 'writeColReadColDynamicPat'; did you mean "
         "'square_set_col_read_col_dyn_pad'?"},
        {"setRow", NULL, "no kernel is named 'setRow'; 'banksim list kernels' names them"},
        {"", NULL, "no kernel is named ''; 'banksim list kernels' names them"},
        {"setRowReadRow writeRowReadRow", NULL, "no kernel is named "},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct bsim_emulator *found = NULL;
        struct bsim_error err = {0};
        enum bsim_status status = bsim_emulator_find(cases[i].asked, &found, &err);
        const char *message = cases[i].message != NULL ? cases[i].message : "";
        const char *name = cases[i].found != NULL ? cases[i].found : "nothing";
        if (status != (cases[i].found != NULL ? BSIM_OK : BSIM_E_USAGE) ||
            strcmp(found != NULL ? found->name : "nothing", name) != 0 ||
            strncmp(err.message, message, strlen(message)) != 0) {
            fail_msg("'%s': %s, '%s'; expected %s, '%s'", cases[i].asked,
                     found != NULL ? found->name : "nothing", err.message, name, message);
        }
    }
}

static void settings_are_checked(void **state)
{
    (void)state;
    static const struct emulate_refusal cases[] = {
        {"square_set_row_read_col", "bdimx", "'bdimx' is not a setting; write key=value"},
        {"square_set_row_read_col", "bdimx=", "'bdimx=': bdimx must be a number from 1 to 32"},
        {"square_set_row_read_col", "bdimx=0", "'bdimx=0': bdimx must be a number from 1 to 32"},
        {"square_set_row_read_col", "bdimx=33", "'bdimx=33': bdimx must be a number from 1 to 32"},
        {"square_set_row_read_col", "bdimx=16k",
         "'bdimx=16k': bdimx must be a number from 1 to 32"},
        {"square_set_row_read_col", "bdimx=-1", "'bdimx=-1': bdimx must be a number from 1 to 32"},
        {"square_set_row_read_col", "bdimx=4294967297",
         "'bdimx=4294967297': bdimx must be a number from 1 to 32"},
        {"square_set_row_read_col", "bdimx=99999999999999999999999",
         "'bdimx=99999999999999999999999': bdimx must be a number from 1 to 32"},
        {"square_set_row_read_col", "bdimz=3",
         "square_set_row_read_col has no setting 'bdimz'; did you mean 'bdimx'?"},
        {"square_set_row_read_col", "ipad=1",
         "square_set_row_read_col has no setting 'ipad'; it has bdimx, bdimy"},
        {"square_set_row_read_col", "=1",
         "square_set_row_read_col has no setting ''; it has bdimx, bdimy"},
        {"square_set_row_read_col", "bdimx=16",
         "square_set_row_read_col: bdimx=16 and bdimy=32 must be equal; "
         "rect_set_row_read_col takes others"},
        {"square_set_row_read_col_pad", "ipad=33", "'ipad=33': ipad must be a number from 0 to 32"},
        {"rect_set_row_read_col", "bdimx=64 bdimy=17",
         "rect_set_row_read_col: bdimx=64 times bdimy=17 is more than a block's 1024 threads"},
    };
    emulate_check_refused(cases, COUNT(cases));
}

static void the_last_of_equal_settings_counts(void **state)
{
    (void)state;
    struct collect collect = emulate_collected("rect_set_row_read_row", "bdimx=8 bdimx=4 bdimy=2");
    assert_string_equal(collect.item[0].text,
                        "kernel rect_set_row_read_row grid=1,1,1 block=4,2,1 shared=32 "
                        "x-shared=tile@0:unsigned[2][4]");
    collect_free(&collect);
}

static void do_nothing(struct bsim_cta *cta)
{
    (void)cta;
}

static void a_wrong_output_is_noticed(void **state)
{
    (void)state;
    static const unsigned out[] = {1, 2, 7};
    static const unsigned expected[] = {1, 2, 3};
    struct bsim_launch launch = {
        .name = "k", .grid = {1, 1, 1}, .block = {1, 1, 1}, .body = do_nothing};
    struct collect collect = {0};
    struct bsim_sink sink = collect_sink(&collect);
    struct bsim_error err;
    assert_int_equal(bsim_launch_check(&launch, out, expected, 2, &sink, &err), BSIM_OK);
    assert_int_equal(bsim_launch_check(&launch, out, expected, 3, &sink, &err), BSIM_E_KERNEL);
    assert_string_equal(err.message, "k: out[2] is 7, expected 3");
    collect_free(&collect);
}

/* ---- tiles ---------------------------------------------------------------------------------- */

/* The word of the tile that thread (x, y) of a width x height block touches, by rows or by
 * columns. */
typedef unsigned word_of(unsigned x, unsigned y, unsigned width, unsigned height, unsigned ipad);

/* tile[threadIdx.y][threadIdx.x], rows of width + ipad */
static unsigned by_rows(unsigned x, unsigned y, unsigned width, unsigned height, unsigned ipad)
{
    (void)height;
    return y * (width + ipad) + x;
}

/* tile[threadIdx.x][threadIdx.y], rows of height + ipad: the square tile (height = width), and the
 * rectangular one that is turned */
static unsigned by_columns(unsigned x, unsigned y, unsigned width, unsigned height, unsigned ipad)
{
    (void)width;
    return x * (height + ipad) + y;
}

/* tile[icol][irow], rows of width + ipad: the thread's number, counted down the columns */
static unsigned by_rect_columns(unsigned x, unsigned y, unsigned width, unsigned height,
                                unsigned ipad)
{
    unsigned number = y * width + x;
    return number % height * (width + ipad) + number / height;
}

/* tile[irow][icol] of the turned tile, rows of height + ipad: the thread's number, along the
 * rows */
static unsigned by_turned_rows(unsigned x, unsigned y, unsigned width, unsigned height,
                               unsigned ipad)
{
    unsigned number = y * width + x;
    return number / height * (height + ipad) + number % height;
}

enum { PLAIN = 1, DYN = 2, PAD = 4, DYN_PAD = 8, ALL = 15, N_FORMS = 4 };

static const char *const suffix_of[N_FORMS] = {"", "_dyn", "_pad", "_dyn_pad"};

struct tile_case {
    const char *name;
    word_of *store, *load;
    unsigned forms;
};

static const struct tile_case tiles[] = {
    {"square_set_row_read_row", by_rows, by_rows, ALL},
    {"square_set_row_read_col", by_rows, by_columns, ALL},
    {"square_set_col_read_row", by_columns, by_rows, ALL},
    {"square_set_col_read_col", by_columns, by_columns, ALL},
    {"rect_set_row_read_row", by_rows, by_rows, ALL},
    {"rect_set_row_read_col", by_rows, by_rect_columns, ALL},
    {"rect_set_col_read_row", by_rect_columns, by_rows, ALL},
    {"rect_set_col_read_row_turned", by_columns, by_turned_rows, PAD},
    {"rect_set_col_read_col", by_columns, by_columns, PLAIN},
    {"rect_set_col_read_col2", by_rect_columns, by_rect_columns, PLAIN},
    {"rect_set_col_read_col", by_rect_columns, by_rect_columns, DYN | PAD | DYN_PAD},
    {"rect_set_col_read_col_turned", by_columns, by_columns, PAD | DYN_PAD},
};

struct tile_size {
    unsigned width, height, ipad;
};

static void check_access(const char *name, const struct bsim_event *event, word_of *word,
                         const struct tile_size *size)
{
    uint64_t address[BSIM_WARP_LANES];
    unsigned n_threads = size->width * size->height;
    bsim_event_addresses(event, address);
    for (unsigned lane = 0; lane < BSIM_WARP_LANES; lane++) {
        unsigned t = event->warp * BSIM_WARP_LANES + lane;
        bool is_active = (event->mask >> lane & 1) != 0;
        unsigned expected = t < n_threads ? 4 * word(t % size->width, t / size->width, size->width,
                                                     size->height, size->ipad)
                                          : 0;
        if (is_active != (t < n_threads) || address[lane] != expected) {
            fail_msg("%s %ux%u ipad %u: thread %u is at %u, expected %u", name, size->width,
                     size->height, size->ipad, t, (unsigned)address[lane], expected);
        }
    }
}

static void check_tile(const struct tile_case *tile, const char *suffix,
                       const struct tile_size *size)
{
    char name[64];
    char settings[64];
    bool is_padded = strstr(suffix, "_pad") != NULL;
    unsigned n_warps = (size->width * size->height + 31) / 32;
    (void)snprintf(name, sizeof name, "%s%s", tile->name, suffix);
    int length =
        snprintf(settings, sizeof settings, "bdimx=%u bdimy=%u", size->width, size->height);
    if (is_padded) {
        (void)snprintf(settings + length, sizeof settings - (size_t)length, " ipad=%u", size->ipad);
    }
    struct collect collect = emulate_collected(name, settings);
    for (uint32_t site = 1; site <= 3; site++) {
        if (collect_count(&collect, site) != n_warps) {
            fail_msg("%s: %zu events at site %u", name, collect_count(&collect, site),
                     (unsigned)site);
        }
    }
    for (size_t w = 0; w < n_warps; w++) {
        check_access(name, collect_event(&collect, 1, w), tile->store, size);
        check_access(name, collect_event(&collect, 2, w), tile->load, size);
    }
    collect_free(&collect);
}

/* Every form that the tile has; ipad is for those that are padded. */
static void check_forms(const struct tile_case *tile, struct tile_size size, unsigned ipad)
{
    for (unsigned form = 0; form < N_FORMS; form++) {
        size.ipad = (1u << form & (PAD | DYN_PAD)) != 0 ? ipad : 0;
        if ((tile->forms >> form & 1) != 0) {
            check_tile(tile, suffix_of[form], &size);
        }
    }
}

static void tiles_are_addressed_as_in_the_documents(void **state)
{
    (void)state;
    static const struct tile_size square[] = {{32, 32, 0}, {16, 16, 0}, {7, 7, 0}, {1, 1, 0}};
    static const struct tile_size rect[] = {{32, 16, 0}, {16, 32, 0}, {8, 5, 0}, {1024, 1, 0}};
    static const unsigned pad[] = {1, 2, 5, 0};
    for (size_t i = 0; i < COUNT(tiles); i++) {
        bool is_square = strncmp(tiles[i].name, "square", 6) == 0;
        for (size_t j = 0; j < COUNT(square); j++) {
            check_forms(&tiles[i], is_square ? square[j] : rect[j], pad[j]);
        }
    }
}

/* Rows of 33 words in the square tile and of 34 in the rectangular one, as in document 002. */
static void padding_is_the_documents(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned shared_bytes;
    } cases[] = {
        {"square_set_row_read_col", 32 * 32 * 4},
        {"square_set_row_read_col_dyn", 32 * 32 * 4},
        {"square_set_row_read_col_pad", 32 * 33 * 4},
        {"square_set_row_read_col_dyn_pad", 32 * 33 * 4},
        {"rect_set_row_read_col", 16 * 32 * 4},
        {"rect_set_row_read_col_pad", 16 * 34 * 4},
        {"rect_set_row_read_col_dyn_pad", 16 * 34 * 4},
        {"rect_set_col_read_col_pad", 16 * 34 * 4},
        {"rect_set_col_read_col_dyn_pad", 16 * 34 * 4},
        {"rect_set_col_read_col_turned_pad", 32 * 18 * 4},
        {"rect_set_col_read_col_turned_dyn_pad", 32 * 18 * 4},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char end[32];
        struct collect collect = emulate_collected(cases[i].name, "");
        (void)snprintf(end, sizeof end, " shared=%u", cases[i].shared_bytes);
        if (strstr(collect.item[0].text, end) == NULL) {
            fail_msg("%s, expected%s", collect.item[0].text, end);
        }
        collect_free(&collect);
    }
}

/* Document 002, by Nsight Compute, 32 x 32: 32 transactions by rows, 1024 by columns, 32 padded.
 * The rectangle, 16 warps: the 16 words of a column lie in one bank; a warp reads two columns. */
static void tiles_conflict_as_reported(void **state)
{
    (void)state;
    static const struct emulate_case cases[] = {
        {"square_set_row_read_row", "", "tile", 32, 32},
        {"square_set_row_read_row", "", "v[t] = tile", 32, 32},
        {"square_set_col_read_col", "", "tile", 32, 1024},
        {"square_set_col_read_col", "", "v[t] = tile", 32, 1024},
        {"square_set_row_read_col", "", "tile", 32, 32},
        {"square_set_row_read_col", "", "v[t] = tile", 32, 1024},
        {"square_set_row_read_col_dyn", "", "v[t] = tile", 32, 1024},
        {"square_set_row_read_col_pad", "", "v[t] = tile", 32, 32},
        {"square_set_row_read_col_dyn_pad", "", "v[t] = tile", 32, 32},
        {"square_set_col_read_col_pad", "", "tile", 32, 32},
        {"square_set_col_read_row", "", "tile", 32, 1024},
        {"square_set_col_read_row", "", "v[t] = tile", 32, 32},
        {"rect_set_row_read_row", "", "v[t] = tile", 16, 16},
        {"rect_set_row_read_col", "", "v[t] = tile", 16, 16 * 16},
        {"rect_set_row_read_col_pad", "", "v[t] = tile", 16, 16},
        {"rect_set_row_read_col_dyn_pad", "", "v[t] = tile", 16, 16},
        {"rect_set_row_read_col_pad", "ipad=1", "v[t] = tile", 16, 16 * 2},
        {"rect_set_col_read_col_pad", "", "tile", 16, 16},
        {"rect_set_col_read_col_pad", "ipad=1", "tile", 16, 16 * 2},
        {"rect_set_col_read_col_turned_pad", "", "tile", 16, 16 * 2},
        {"rect_set_col_read_col_turned_pad", "ipad=1", "tile", 16, 16},
    };
    emulate_check(cases, COUNT(cases), "h200", 0);
}

/* The kernels whose text says another number, or cannot be followed (traces/TEXTS.md); no
 * others. */
static void kernels_tell_where_their_text_differs(void **state)
{
    (void)state;
    static const char *const noted[] = {
        "square_set_row_read_col_dyn",
        "square_set_row_read_col_dyn_pad",
        "square_set_col_read_col",
        "rect_set_col_read_col",
        "reduce_shared_mem_unroll4",
        "reduce_shared_mem_unroll4_dyn",
        "histogram_global",
        "quadratic_uncoalesced_loads",
        "quadratic_conflicting_stores",
        "loads_all_conflicts",
        "loads_warp_conflicts",
        "loads_vectorized_loads",
        "loads_multicast_quads",
        "stencil_constant",
        "stencil_readonly",
        "stencil_divergent",
    };
    size_t n = 0;
    const struct bsim_emulator *emulator;
    for (size_t i = 0; (emulator = bsim_emulator_at(i)) != NULL; i++) {
        if (bsim_emulator_note(emulator) != NULL) {
            assert_true(n < COUNT(noted));
            const char *name = emulator->name;
            bool is_expected = false;
            for (size_t j = 0; j < COUNT(noted); j++) {
                is_expected = is_expected || strcmp(noted[j], name) == 0;
            }
            assert_true(is_expected);
            assert_null(strchr(bsim_emulator_note(emulator), '\n'));
            n++;
        }
    }
    assert_int_equal(n, COUNT(noted));
}

static void tiles_need_little_memory(void **state)
{
    (void)state;
    emulate_without_memory("square_set_row_read_col", "");
    emulate_without_memory("rect_set_row_read_col_dyn_pad", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_runs_and_is_right),
        cmocka_unit_test(names_are_snake_case_and_unique),
        cmocka_unit_test(kernels_are_found),
        cmocka_unit_test(settings_are_checked),
        cmocka_unit_test(the_last_of_equal_settings_counts),
        cmocka_unit_test(a_wrong_output_is_noticed),
        cmocka_unit_test(tiles_are_addressed_as_in_the_documents),
        cmocka_unit_test(padding_is_the_documents),
        cmocka_unit_test(tiles_conflict_as_reported),
        cmocka_unit_test(kernels_tell_where_their_text_differs),
        cmocka_unit_test(tiles_need_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

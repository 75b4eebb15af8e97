/* test_spool.c - records come back as they were put, from memory, a file or both, and a file that
 * fails is told. */
#define _XOPEN_SOURCE 700 /* setrlimit */

#include "base/spool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <string.h>
#include <sys/resource.h>

enum { LONG_BYTES = 10000 };

static void put(struct bsim_spool *spool, uint32_t n)
{
    char data[LONG_BYTES];
    memset(data, (int)('a' + n % 26), sizeof data);
    bsim_spool_put(spool, data, n);
}

static void takes(struct bsim_spool *spool, uint32_t n)
{
    struct bsim_buffer record = BSIM_BUFFER_EMPTY;
    assert_true(bsim_spool_take(spool, &record));
    assert_int_equal(record.size_bytes, n);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(record.data[i], 'a' + n % 26);
    }
    bsim_buffer_free(&record);
}

/* Records of 0 to 30 bytes, one that is longer than what is read at once, and again the short
 * ones. */
static void come_back(size_t limit_bytes, bool in_file)
{
    struct bsim_spool spool = {.limit_bytes = limit_bytes};
    struct bsim_buffer record = BSIM_BUFFER_EMPTY;
    for (uint32_t i = 0; i <= 61; i++) {
        put(&spool, i == 31 ? LONG_BYTES : i % 31);
    }
    assert_int_equal(spool.file != NULL, in_file);
    for (int turn = 0; turn < 2; turn++) {
        bsim_spool_rewind(&spool);
        for (uint32_t i = 0; i <= 61; i++) {
            takes(&spool, i == 31 ? LONG_BYTES : i % 31);
        }
        assert_false(bsim_spool_take(&spool, &record));
    }
    assert_int_equal(bsim_spool_status(&spool, NULL), BSIM_OK);
    bsim_spool_free(&spool);
    bsim_buffer_free(&record);
}

static void records_come_back(void **state)
{
    (void)state;
    come_back(0, false);
    come_back(1 << 20, false);
    come_back(1, true);
    come_back(100, true);
    come_back(9000, true);
}

static void nothing_is_no_record(void **state)
{
    struct bsim_spool spool = {.limit_bytes = 1};
    struct bsim_buffer record = BSIM_BUFFER_EMPTY;
    (void)state;
    bsim_spool_rewind(&spool);
    assert_false(bsim_spool_take(&spool, &record));
    bsim_spool_free(&spool);
}

static void told(struct bsim_spool *spool, const char *message)
{
    struct bsim_error err;
    struct bsim_buffer record = BSIM_BUFFER_EMPTY;
    put(spool, 1);
    bsim_spool_rewind(spool);
    assert_false(bsim_spool_take(spool, &record));
    assert_int_equal(bsim_spool_status(spool, &err), BSIM_E_IO);
    assert_non_null(strstr(err.message, message));
    bsim_spool_free(spool);
}

static void limit(int resource, rlim_t n, struct rlimit *before)
{
    struct rlimit now;
    assert_int_equal(getrlimit(resource, before), 0);
    now = *before;
    now.rlim_cur = n;
    assert_int_equal(setrlimit(resource, &now), 0);
}

static void failures_are_told(void **state)
{
    struct bsim_spool full = {.limit_bytes = 1};
    struct bsim_spool none = {.limit_bytes = 1};
    struct rlimit before;
    (void)state;
    (void)signal(SIGXFSZ, SIG_IGN);
    limit(RLIMIT_FSIZE, 5000, &before);
    put(&full, LONG_BYTES);
    put(&full, LONG_BYTES);
    told(&full, "cannot keep rows in a temporary file: File too large");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    limit(RLIMIT_NOFILE, 0, &before);
    put(&none, 1);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    told(&none, "cannot keep rows in a temporary file: Too many open files");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_come_back),
        cmocka_unit_test(nothing_is_no_record),
        cmocka_unit_test(failures_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_replace.c - src/cli/replace.c where a file needs a name before it is whole: what signals
 * leave. What Linux does is tested by tests/files. */
#define _GNU_SOURCE

#include <fcntl.h>
#undef O_TMPFILE

#include "cli/replace.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <sys/wait.h>

static char folder[] = "/tmp/test_replace.XXXXXX";
static char target[64];

static int go_there(void **state)
{
    (void)state;
    (void)snprintf(target, sizeof target, "%s/target", mkdtemp(folder));
    return 0;
}

static int leave(void **state)
{
    (void)state;
    return rmdir(folder);
}

static int count_files(void)
{
    int n = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (const struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    (void)closedir(dir);
    return n;
}

static struct replacement *begin(const char *text)
{
    FILE *file;
    struct replacement *r = bsim_cli_replacement_new(target, NULL, &file);
    assert_non_null(r);
    assert_true(fputs(text, file) >= 0);
    return r;
}

static void assert_target(const char *text)
{
    char got[16] = "";
    FILE *file = fopen(target, "rb");
    assert_non_null(file);
    (void)fread(got, 1, sizeof got - 1, file);
    (void)fclose(file);
    assert_string_equal(got, text);
}

/* Two at once, ended in the order in which they were not begun; and one given up. */
static void test_ends(void **state)
{
    (void)state;
    struct replacement *one = begin("one"), *two = begin("two"), *three = begin("three");
    assert_int_equal(count_files(), 3);
    bsim_cli_replacement_free(two);
    assert_int_equal(count_files(), 2);
    assert_true(bsim_cli_replacement_finish(three));
    assert_target("three");
    assert_true(bsim_cli_replacement_finish(one));
    assert_target("one");
    bsim_cli_replacement_free(one);
    bsim_cli_replacement_free(three);
    assert_int_equal(count_files(), 1);
    assert_null(named);
    assert_int_equal(unlink(target), 0);
}

/* Somebody's file has the first name that is tried, and a link the second. */
static void test_names_are_new(void **state)
{
    (void)state;
    char name[2][128];
    for (int i = 0; i < 2; i++) {
        (void)snprintf(name[i], sizeof name[i], "%s/.banksim-%ld-%d", folder, (long)getpid(), i);
    }
    FILE *file = fopen(name[0], "wb");
    assert_non_null(file);
    assert_true(fputs("precious", file) >= 0 && fclose(file) == 0);
    assert_int_equal(symlink(target, name[1]), 0);
    bsim_cli_replacement_free(begin("text"));
    assert_int_equal(count_files(), 2);
    assert_int_equal(unlink(name[1]), 0);
    assert_int_equal(rename(name[0], target), 0);
    assert_target("precious");
    assert_int_equal(unlink(target), 0);
}

/* The folder is gone before the end. */
static void test_fails(void **state)
{
    (void)state;
    struct replacement *r = begin("text");
    assert_int_equal(unlinkat(r->folder, r->name, 0), 0);
    assert_false(bsim_cli_replacement_finish(r));
    assert_int_equal(errno, ENOENT);
    bsim_cli_replacement_free(r);
    assert_null(named);
}

/* How a process ends that is killed while it has two such files. */
static int killed_by(int number)
{
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)begin("one");
        (void)begin("two");
        (void)raise(number);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : -1;
}

static void test_signals(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_DEADLY; i++) {
        assert_int_equal(killed_by(deadly[i]), deadly[i]);
        if (count_files() != 0) {
            fail_msg("signal %d leaves a file", deadly[i]);
        }
    }
}

/* As under nohup. */
static void test_ignored_signal(void **state)
{
    (void)state;
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)signal(SIGHUP, SIG_IGN);
        struct replacement *r = begin("text");
        (void)raise(SIGHUP);
        _exit(bsim_cli_replacement_finish(r) ? 7 : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 7);
    assert_target("text");
    assert_int_equal(unlink(target), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signals),       cmocka_unit_test(test_ignored_signal),
        cmocka_unit_test(test_names_are_new), cmocka_unit_test(test_ends),
        cmocka_unit_test(test_fails),
    };
    return cmocka_run_group_tests(tests, go_there, leave);
}

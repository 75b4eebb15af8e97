/* replace.c - a file that is written apart from the one whose place it takes, and takes it whole.
 *
 * Nobody else's file may come to harm on the way. On Linux the new file has no name until it is
 * whole (O_TMPFILE), so that a run that is killed leaves nothing, whatever kills it. Elsewhere, and
 * on file systems that cannot do that, it has a name of its own from the start, which must be new
 * (O_EXCL also refuses symbolic links) and which SIGINT and the like remove. That name says nothing
 * about the target's, which may be as long as names can be.
 *
 * All names are relative to the target's folder, which is open: it may be renamed meanwhile, and no
 * path becomes longer than the one that was given.
 */
#define _GNU_SOURCE /* O_TMPFILE, O_PATH */

#include "cli/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder that may be written to but not listed will do. */
#ifdef O_PATH
enum { FOLDER = O_PATH };
#else
enum { FOLDER = O_RDONLY };
#endif

enum { NAME_SIZE = 48, MAX_TRIES = 1000, NEW_MODE = 0666, ALL_MODES = 07777 };

struct replacement {
    int folder;           /* where the target is */
    char *target;         /* its name there */
    FILE *file;           /* the new one; NULL: closed */
    char name[NAME_SIZE]; /* its name there; "" while it has none */
    struct replacement *next;
};

/* ---- signals --------------------------------------------------------------------------------- */

static const int deadly[] = {SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGXCPU};

enum { N_DEADLY = sizeof deadly / sizeof deadly[0] };

/* The files that have names, for the handler: changed only while these signals are blocked, by the
 * only thread there is then. */
static struct replacement *volatile named;

/* Calls nothing that is not safe in a handler. The signal's action is the default one again, so
 * that the program ends by it when the handler returns. */
static void remove_named(int number)
{
    int saved = errno;
    for (const struct replacement *r = named; r != NULL; r = r->next) {
        (void)unlinkat(r->folder, r->name, 0);
    }
    errno = saved;
    (void)raise(number);
}

/* A signal that is ignored (nohup) stays ignored. */
static void catch_signals(void)
{
    static bool is_done;
    struct sigaction now, action = {.sa_handler = remove_named};
    action.sa_flags = (int)SA_RESETHAND;
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < N_DEADLY && !is_done; i++) {
        if (sigaction(deadly[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL) {
            (void)sigaction(deadly[i], &action, NULL);
        }
    }
    is_done = true;
}

static void block_signals(sigset_t *before)
{
    sigset_t set;
    (void)sigemptyset(&set);
    for (size_t i = 0; i < N_DEADLY; i++) {
        (void)sigaddset(&set, deadly[i]);
    }
    (void)sigprocmask(SIG_BLOCK, &set, before);
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool create(struct replacement *r, int *fd)
{
    *fd = openat(r->folder, r->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, NEW_MODE);
    return *fd >= 0;
}

static bool link_open(struct replacement *r, int *fd)
{
    char opened[NAME_SIZE];
    (void)snprintf(opened, sizeof opened, "/proc/self/fd/%d", *fd);
    return linkat(AT_FDCWD, opened, r->folder, r->name, AT_SYMLINK_FOLLOW) == 0;
}

/* Makes a name that is new in the folder, by either of the two functions above. */
static bool make_name(struct replacement *r, bool (*make)(struct replacement *r, int *fd), int *fd)
{
    sigset_t before;
    bool is_made = false;
    errno = EEXIST;
    catch_signals();
    for (int i = 0; i < MAX_TRIES && !is_made && errno == EEXIST; i++) {
        (void)snprintf(r->name, sizeof r->name, ".banksim-%ld-%d", (long)getpid(), i);
        block_signals(&before);
        is_made = make(r, fd);
        if (is_made) {
            r->next = named;
            named = r;
        }
        int reason = errno;
        (void)sigprocmask(SIG_SETMASK, &before, NULL);
        errno = reason;
    }
    if (!is_made) {
        r->name[0] = '\0';
    }
    return is_made;
}

/* The file of that name is no longer there; signals are blocked. */
static void forget_name(struct replacement *r)
{
    struct replacement *before = named;
    if (before == r) {
        named = r->next;
    }
    while (before != NULL && before != r) {
        before->next = before->next == r ? r->next : before->next;
        before = before->next;
    }
    r->name[0] = '\0';
}

/* Renames the new file to the target, or removes it. */
static bool end_name(struct replacement *r, bool is_whole)
{
    sigset_t before;
    block_signals(&before);
    bool is_done = is_whole ? renameat(r->folder, r->name, r->folder, r->target) == 0
                            : unlinkat(r->folder, r->name, 0) == 0;
    int reason = errno;
    if (is_done || !is_whole) {
        forget_name(r);
    }
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return is_done;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* A new file without a name that link_open can give one to, or -1. */
static int open_nameless(int folder)
{
#ifdef O_TMPFILE
    char opened[NAME_SIZE];
    int fd = openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, NEW_MODE);
    (void)snprintf(opened, sizeof opened, "/proc/self/fd/%d", fd);
    if (fd >= 0 && access(opened, F_OK) != 0) {
        (void)close(fd);
        fd = -1;
    }
    return fd;
#else
    (void)folder;
    return -1;
#endif
}

/* Gives the new file the owner and mode of the one that it replaces. */
static bool make_alike(int fd, const struct stat *old)
{
    struct stat made;
    if (fstat(fd, &made) != 0) {
        return false;
    }
    bool is_owned = made.st_uid == old->st_uid && made.st_gid == old->st_gid;
    return (is_owned || fchown(fd, old->st_uid, old->st_gid) == 0) &&
           fchmod(fd, old->st_mode & ALL_MODES) == 0;
}

static bool open_new(struct replacement *r, const struct stat *old)
{
    int fd = open_nameless(r->folder);
    if (fd < 0 && !make_name(r, create, &fd)) {
        return false;
    }
    if (old != NULL && !make_alike(fd, old)) {
        (void)close(fd);
        return false;
    }
    r->file = fdopen(fd, "wb");
    if (r->file == NULL) {
        (void)close(fd);
    }
    return r->file != NULL;
}

/* Opens the folder of path and sets the target's name in it. */
static bool open_folder(struct replacement *r, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    char *folder = slash == NULL   ? strdup(".")
                   : slash == path ? strdup("/")
                                   : strndup(path, (size_t)(slash - path));
    r->target = strdup(name);
    if (folder != NULL && r->target != NULL) {
        r->folder = open(folder, FOLDER | O_DIRECTORY | O_CLOEXEC);
    }
    free(folder);
    return r->folder >= 0;
}

struct replacement *bsim_cli_replacement_new(const char *path, const struct stat *old, FILE **file)
{
    struct replacement *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return NULL;
    }
    r->folder = -1;
    if (!open_folder(r, path) || !open_new(r, old)) {
        int reason = errno;
        bsim_cli_replacement_free(r);
        errno = reason;
        return NULL;
    }
    *file = r->file;
    return r;
}

bool bsim_cli_replacement_finish(struct replacement *r)
{
    int fd = fileno(r->file);
    if (fflush(r->file) != 0 || (r->name[0] == '\0' && !make_name(r, link_open, &fd))) {
        return false;
    }
    FILE *file = r->file;
    r->file = NULL;
    return fclose(file) == 0 && end_name(r, true);
}

void bsim_cli_replacement_free(struct replacement *r)
{
    if (r == NULL) {
        return;
    }
    if (r->file != NULL) {
        (void)fclose(r->file);
    }
    if (r->name[0] != '\0') {
        (void)end_name(r, false);
    }
    if (r->folder >= 0) {
        (void)close(r->folder);
    }
    free(r->target);
    free(r);
}

/* cuda_call.c - programs that are called for `banksim cuda`, and signals that end both. */
#define _GNU_SOURCE

#include "cli/cuda.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Who is running for us, and the signal that is to end us: then it is ended, and what was made on the
 * way is cleared up before we go. */
static volatile sig_atomic_t running, ending;

static void end_early(int signal)
{
    ending = signal;
    if (running > 0) {
        kill(running, SIGTERM);
    }
}

void bsim_cli_cuda_catch_signals(void)
{
    static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = end_early};
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) {
        sigaction(caught[i], &action, NULL);
    }
}

bool bsim_cli_cuda_is_ending(void)
{
    return ending != 0;
}

void bsim_cli_cuda_die_if_asked(void)
{
    if (ending != 0) {
        signal(ending, SIG_DFL);
        raise(ending);
    }
}

void bsim_cli_cuda_started(pid_t child)
{
    running = child;
}

int bsim_cli_cuda_wait(pid_t child)
{
    int status = 0;
    running = child;
    if (ending != 0) {
        kill(child, SIGTERM);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    running = 0;
    return status;
}

int bsim_cli_cuda_call(char *const *words, const char *file)
{
    pid_t child;
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        return 127;
    }
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, file, O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    bool is_running = posix_spawnp(&child, words[0], &actions, NULL, words, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    int status = is_running ? bsim_cli_cuda_wait(child) : 0;
    return !is_running ? 127 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* beside.c - where the program finds what belongs to it. */
#define _POSIX_C_SOURCE 200809L

#include "cli/cli.h"

#include <string.h>
#include <unistd.h>

enum { MAX_PATH = 4096 };

bool bsim_cli_beside(const char *const *places, const char *file, char *folder, size_t size)
{
    char self[MAX_PATH] = "", path[2 * MAX_PATH];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    char *slash = n > 0 ? strrchr(self, '/') : NULL;
    if (slash == NULL) {
        return false;
    }
    *slash = '\0';
    for (; *places != NULL; places++) {
        (void)snprintf(path, sizeof path, "%s%s/%s", self, *places, file);
        if (access(path, R_OK) == 0) {
            (void)snprintf(folder, size, "%s%s", self, *places);
            return true;
        }
    }
    return false;
}

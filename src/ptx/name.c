/* name.c - names as the source has them, of what C++ compilers made of them:
 *
 *     _Z4tilePfi  tile            _ZN2ns4tileIfEvPT_  tile            _ZZ4tilePfiE1s  s
 */
#include "ptx/machine.h"

#include <stdlib.h>
#include <string.h>

/* A length and that many characters; NULL if there are none. */
static const char *take_part(const char *p, size_t *length)
{
    char *end;
    unsigned long n = *p >= '0' && *p <= '9' ? strtoul(p, &end, 10) : 0;
    if (n == 0 || n > strlen(end)) {
        return NULL;
    }
    *length = n;
    return end;
}

/* Of a variable in a function: what stands behind the function's E. */
static const char *find_local(const char *mangled, size_t *length)
{
    const char *found = NULL;
    for (const char *p = mangled; found == NULL && (p = strchr(p, 'E')) != NULL;) {
        found = take_part(++p, length);
    }
    return found;
}

/* The last of the names in which a function's is. */
static const char *find_function(const char *p, size_t *length)
{
    const char *found = NULL, *part;
    bool is_nested = *p == 'N';
    size_t n = 0;
    for (p += is_nested; (part = take_part(p, &n)) != NULL; p = part + n) {
        found = part;
        *length = n;
        if (!is_nested) {
            break;
        }
    }
    return found;
}

const char *bsim_ptx_plain_name(const char *mangled, size_t *length)
{
    const char *found = strncmp(mangled, "_ZZ", 3) == 0  ? find_local(mangled, length)
                        : strncmp(mangled, "_Z", 2) == 0 ? find_function(mangled + 2, length)
                                                         : NULL;
    if (found == NULL) {
        *length = strlen(mangled);
        return mangled;
    }
    return found;
}

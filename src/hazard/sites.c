/* sites.c - copies of sites; see sites.h. */
#include "hazard/sites.h"

#include "base/memory.h"

#include <string.h>

/* A site and its strings in one block. */
static struct bsim_site *copy(const struct bsim_site *site)
{
    size_t file_size = site->file != NULL ? strlen(site->file) + 1 : 0;
    size_t text_size = site->text != NULL ? strlen(site->text) + 1 : 0;
    struct bsim_site *made = bsim_mem_resize(NULL, sizeof *made + file_size + text_size, 1);
    if (made == NULL) {
        return NULL;
    }
    char *strings = (char *)(made + 1);
    *made = *site;
    if (site->file != NULL) {
        made->file = memcpy(strings, site->file, file_size);
    }
    if (site->text != NULL) {
        made->text = memcpy(strings + file_size, site->text, text_size);
    }
    return made;
}

bool bsim_hazard_sites_add(struct bsim_hazard_sites *sites, const struct bsim_site *site)
{
    struct bsim_site **list = bsim_mem_grow(sites->list, sites->n, sizeof *list);
    sites->list = list != NULL ? list : sites->list;
    struct bsim_site *made = list != NULL ? copy(site) : NULL;
    if (made == NULL) {
        return false;
    }
    list[sites->n++] = made;
    return true;
}

void bsim_hazard_sites_clear(struct bsim_hazard_sites *sites)
{
    for (size_t i = 0; i < sites->n; i++) {
        bsim_mem_free(sites->list[i]);
    }
    sites->n = 0;
}

void bsim_hazard_sites_free(struct bsim_hazard_sites *sites)
{
    bsim_hazard_sites_clear(sites);
    bsim_mem_free(sites->list);
    memset(sites, 0, sizeof *sites);
}

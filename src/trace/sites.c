/* sites.c - the table of sites; see sites.h. */
#include "trace/sites.h"

#include "base/memory.h"

const struct bsim_site *bsim_sites_find(const struct bsim_sites *sites, uint32_t number)
{
    uint32_t place = number - 1; /* if they come as 1, 2, 3 ..., as banksim writes them */
    if (place < sites->table.n && sites->list[place]->number == number) {
        return sites->list[place];
    }
    uint32_t hash = bsim_table_hash(number), at = hash, item;
    while ((item = bsim_table_next(&sites->table, hash, &at)) != 0) {
        if (sites->list[item - 1]->number == number) {
            return sites->list[item - 1];
        }
    }
    return NULL;
}

bool bsim_sites_add(struct bsim_sites *sites, struct bsim_site *site)
{
    uint32_t n = sites->table.n;
    struct bsim_site **list = bsim_mem_grow(sites->list, n, sizeof *list);
    sites->list = list != NULL ? list : sites->list;
    if (list == NULL || !bsim_table_add(&sites->table, bsim_table_hash(site->number))) {
        return false;
    }
    site->index = n;
    list[n] = site;
    return true;
}

void bsim_sites_clear(struct bsim_sites *sites)
{
    for (uint32_t i = 0; i < sites->table.n; i++) {
        bsim_mem_free(sites->list[i]);
    }
    bsim_mem_free(sites->list);
    bsim_table_clear(&sites->table);
    sites->list = NULL;
}

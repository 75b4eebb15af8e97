/* format.c - the formats of a report. A new one is a file and a row here. */
#include <banksim/report.h>

/* As enum bsim_format numbers them. */
static const struct {
    const char *name;
    uint32_t shows;
} formats[] = {
    [BSIM_TEXT] = {"text", BSIM_PICTURES | BSIM_TABLES | BSIM_SENTENCES},
    [BSIM_CSV] = {"csv", BSIM_TABLES},
    [BSIM_JSON] = {"json", BSIM_PICTURES | BSIM_TABLES},
    [BSIM_SVG] = {"svg", BSIM_PICTURES},
    [BSIM_HTML] = {"html", BSIM_PAGES},
};

const char *bsim_format_name(size_t i, uint32_t *shows)
{
    bool is_there = i < sizeof formats / sizeof formats[0];
    if (shows != NULL) {
        *shows = is_there ? formats[i].shows : 0;
    }
    return is_there ? formats[i].name : NULL;
}

/* page.h - the parts of a page that are written by hand: page.html, page.css and the scripts of
 * this folder, which the Makefile turns into C. Terminated. */
#ifndef BSIM_REPORT_PAGE_H
#define BSIM_REPORT_PAGE_H

#include <banksim/report.h>

extern const char bsim_page_html[];
extern const char bsim_page_css[];
extern const char bsim_page_js[];

/* What a page is made of. */
struct bsim_page {
    const struct bsim_result *result;
    struct bsim_survey *survey;
};

/* Appends the arrays that the kernel declares, as a member of its object; nothing, if there are none;
 * see page_arrays.c. */
void bsim_page_arrays(const struct bsim_kernel_result *kernel, struct bsim_buffer *out);

/* Appends what the page shows, as one json object; see page_data.c. */
enum bsim_status bsim_page_data(const struct bsim_page *page, struct bsim_buffer *out,
                                struct bsim_error *err);

#endif

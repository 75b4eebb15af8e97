/* page.c - a run as one HTML file that needs nothing but itself.
 *
 * page.html is the frame; each @WORD@ in it is replaced here. Everything that changes while one
 * reads is drawn by the scripts from the data in the page (page_data.c), with text nodes alone. The
 * policy allows that script and that style and nothing else: no network, no image, no other script.
 */
#include "report/page/page.h"

#include "report/basis.h"
#include "report/format.h"
#include "report/plain.h"
#include "base/xml.h"

#include <banksim/banksim.h>

#include <string.h>

static void add_title(const struct bsim_result *result, struct bsim_buffer *out)
{
    enum { COLUMNS = 60 };
    char name[COLUMNS * 4];
    if (result->n_kernels > 0) {
        bsim_xml_text(bsim_plain_kernel(result->kernels[0].name, COLUMNS, name, sizeof name), out);
    }
    if (result->n_kernels > 1) {
        bsim_buffer_printf(out, " and %zu more", result->n_kernels - 1);
    }
    bsim_buffer_text(out, result->n_kernels > 0 ? " - banksim" : "banksim");
}

/* SHA-256 in base64, as a policy names what it allows; tests/golden/html_policy has the
 * commands. */
#define SCRIPT_SHA256 "QA09ZEg48F54Gu/+zf6bHZUwFFriaX2L72DZFAQRiYI="
#define STYLE_SHA256 "TDnC4KEf8s3En9ToJPWskEeSdq5Hgo4RF0Fj2jcRe/8="

static void add_words(const struct bsim_page *page,
                      void (*words)(const struct bsim_page *page, struct bsim_buffer *out),
                      struct bsim_buffer *out)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    words(page, &text);
    for (char *at = text.data; at != NULL && *at != '\0';) {
        size_t length = strcspn(at, "\n");
        bool has_end = at[length] == '\n';
        at[length] = '\0';
        bsim_xml_text(at, out);
        bsim_buffer_text(out, has_end ? "\n" : "");
        at += length + has_end;
    }
    out->failed = out->failed || text.failed;
    bsim_buffer_free(&text);
}

static void verdict(const struct bsim_page *page, struct bsim_buffer *out)
{
    bsim_verdict_text(page->result, out);
}

static void basis(const struct bsim_page *page, struct bsim_buffer *out)
{
    bsim_basis_text(page->result, BSIM_SECTORS_BIT | BSIM_NVPROF_BIT | BSIM_CONSTANT_BIT, out);
    bsim_rests_text(page->result, out);
}

static enum bsim_status replace(const char *word, size_t length, const struct bsim_page *page,
                                struct bsim_buffer *out, struct bsim_error *err)
{
    const struct bsim_result *result = page->result;
    static const char *const known[] = {"TITLE", "POLICY",  "STYLE", "SCRIPT",
                                        "DATA",  "VERDICT", "BASIS", "VERSION"};
    size_t i = 0;
    while (i < sizeof known / sizeof known[0] &&
           (strlen(known[i]) != length || memcmp(known[i], word, length) != 0)) {
        i++;
    }
    switch (i) {
    case 0:
        add_title(result, out);
        break;
    case 1:
        bsim_buffer_text(out, "default-src 'none'; script-src 'sha256-" SCRIPT_SHA256
                              "'; style-src 'sha256-" STYLE_SHA256
                              "'; base-uri 'none'; form-action 'none'");
        break;
    case 2:
        bsim_buffer_text(out, bsim_page_css);
        break;
    case 3:
        bsim_buffer_text(out, bsim_page_js);
        break;
    case 4:
        return bsim_page_data(page, out, err);
    case 5:
        add_words(page, verdict, out);
        break;
    case 6:
        add_words(page, basis, out);
        break;
    case 7:
        bsim_buffer_text(out, bsim_version());
        break;
    default:
        break;
    }
    return BSIM_OK;
}

enum bsim_status bsim_report_page(const struct bsim_result *result, struct bsim_survey *survey,
                                  struct bsim_buffer *out, struct bsim_error *err)
{
    const struct bsim_page page = {result, survey};
    enum bsim_status status = BSIM_OK;
    const char *at = bsim_page_html;
    while (status == BSIM_OK) {
        size_t length = strcspn(at, "@");
        bsim_buffer_add(out, at, length);
        if (at[length] == '\0') {
            return bsim_buffer_status(out, err);
        }
        const char *word = at + length + 1;
        length = strcspn(word, "@");
        status = replace(word, length, &page, out, err);
        at = word + length + 1;
    }
    return status;
}

const struct bsim_renderer bsim_page_renderer = {.name = "html", .shows = BSIM_PAGES};

/* format.c - the formats of a report. */
#include "report/format.h"

/* As enum bsim_format numbers them. */
static const struct bsim_renderer *const renderers[] = {
    [BSIM_TEXT] = &bsim_text_renderer, [BSIM_CSV] = &bsim_csv_renderer,
    [BSIM_JSON] = &bsim_json_renderer, [BSIM_SVG] = &bsim_svg_renderer,
    [BSIM_HTML] = &bsim_page_renderer,
};

const char *bsim_format_name(size_t i, uint32_t *shows)
{
    bool is_there = i < sizeof renderers / sizeof renderers[0];
    if (shows != NULL) {
        *shows = is_there ? renderers[i]->shows : 0;
    }
    return is_there ? renderers[i]->name : NULL;
}

void bsim_document_begin(struct bsim_document *doc, const struct bsim_report_options *options,
                         const struct bsim_row *head, struct bsim_buffer *out)
{
    static const struct bsim_row no_members = {.n = 0};
    *doc = (struct bsim_document){
        .renderer = renderers[options->format], .out = out, .colour = options->colour};
    if (doc->renderer->head != NULL) {
        doc->renderer->head(doc, head != NULL ? head : &no_members);
    }
}

void bsim_document_resume(struct bsim_document *doc, const struct bsim_report_options *options,
                          const struct bsim_column *columns, size_t n_columns, uint32_t shows,
                          bool has_rows, struct bsim_buffer *out)
{
    *doc = (struct bsim_document){.renderer = renderers[options->format],
                                  .out = out,
                                  .colour = options->colour,
                                  .has_names = true,
                                  .depth = 1,
                                  .has_rows = has_rows};
    if (bsim_document_speaks(doc)) {
        bsim_table_begin(&doc->table, doc->renderer, columns, n_columns, doc->colour);
        doc->table.shows = shows;
    }
}

void bsim_report_pictures(const struct bsim_picture *pictures, size_t n, enum bsim_format format,
                          const struct bsim_picture_style *style, struct bsim_buffer *out)
{
    static const struct bsim_picture_style plain = {.utf8 = false};
    const struct bsim_report_options options = {.format = format};
    struct bsim_document doc;
    struct bsim_row head;
    bsim_row_head(&head);
    bsim_document_begin(&doc, &options, &head, out);
    renderers[format]->pictures(pictures, n, style != NULL ? style : &plain, &doc);
    bsim_document_end(&doc);
}

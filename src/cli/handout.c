/* handout.c - lessons and exercises as a page to print: questions and tasks first, then, from a new
 * sheet on, answers and hints. One file, which needs nothing but itself. */
#include "cli/exercise.h"
#include "cli/lesson.h"

#include "base/xml.h"

#include <inttypes.h>
#include <string.h>

static const char head[] =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\">\n"
    "<head>\n"
    "<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>Bank conflicts: a handout</title>\n"
    "<style>\n"
    "body { font: 12pt/1.45 Georgia, serif; max-width: 46em; margin: 2em auto; padding: 0 1em;\n"
    "       color: #111; background: #fff; }\n"
    "h1, h2, h3 { font-family: system-ui, sans-serif; line-height: 1.2; }\n"
    "h2 { border-top: 1px solid #888; padding-top: .6em; margin-top: 2em; }\n"
    "pre { font: 10pt/1.35 ui-monospace, monospace; background: #f2f2f2; padding: .6em;\n"
    "      overflow-x: auto; }\n"
    "svg { max-width: 100%; height: auto; }\n"
    ".blank { border-bottom: 1px solid #111; display: inline-block; width: 8em; }\n"
    "@media print {\n"
    "  body { max-width: none; margin: 0; font-size: 10.5pt; }\n"
    "  figure, pre { break-inside: avoid; }\n"
    "  p { orphans: 3; widows: 3; }\n"
    "  h2, h3 { break-after: avoid; }\n"
    "  .answers { break-before: page; }\n"
    "}\n"
    "</style>\n"
    "</head>\n"
    "<body>\n"
    "<h1>Bank conflicts</h1>\n";

/* ---- text ------------------------------------------------------------------------------------ */

/* n bytes as character data. */
static void add_bytes(const char *text, size_t n, struct bsim_buffer *out)
{
    struct bsim_buffer part = BSIM_BUFFER_EMPTY;
    bsim_buffer_add(&part, text, n);
    bsim_xml_text(part.data == NULL ? "" : part.data, out);
    out->failed = out->failed || part.failed;
    bsim_buffer_free(&part);
}

/* A command to try, of several lines or two of them: as a terminal has it, they are indented. */
static void add_commands(const char *text, struct bsim_buffer *out)
{
    bool goes_on = false;
    bsim_buffer_text(out, "<p>Try:</p>\n<pre>");
    while (*text != '\0') {
        text += goes_on ? 0 : strspn(text, " ");
        size_t length = strcspn(text, "\n");
        goes_on = length > 0 && text[length - 1] == '\\';
        add_bytes(text, length, out);
        bsim_buffer_text(out, "\n");
        text += length + (text[length] == '\n');
    }
    bsim_buffer_text(out, "</pre>\n");
}

/* Lines as they are. */
static void add_code(const char *text, struct bsim_buffer *out)
{
    bsim_buffer_text(out, "<pre>");
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        add_bytes(text, length, out);
        bsim_buffer_text(out, "\n");
        text += length + (text[length] == '\n');
    }
    bsim_buffer_text(out, "</pre>\n");
}

/* A lesson's text: a paragraph a line, those that begin with a blank as they are. */
static void add_text(const struct lesson_facts *facts, const char *text, struct bsim_buffer *out)
{
    struct bsim_buffer filled = BSIM_BUFFER_EMPTY;
    bsim_cli_lesson_fill(facts, text, &filled);
    for (const char *at = filled.data == NULL ? "" : filled.data; *at != '\0';) {
        size_t length = strcspn(at, "\n");
        const char *tag = *at == ' ' ? "pre" : "p";
        if (length > 0) {
            bsim_buffer_printf(out, "<%s>", tag);
            add_bytes(at, length, out);
            bsim_buffer_printf(out, "</%s>\n", tag);
        }
        at += length + (at[length] == '\n');
    }
    out->failed = out->failed || filled.failed;
    bsim_buffer_free(&filled);
}

/* ---- exercises ------------------------------------------------------------------------------- */

/* Its name stands before its text and before its hints; its number, which is another than that of the
 * lesson, is left out. */
static void add_exercise(const struct exercise *exercise, const char *name, bool hints,
                         struct bsim_buffer *out)
{
    bool is_first = true;
    for (size_t i = 0; i < exercise->n_paragraphs; i++) {
        if (bsim_cli_exercise_is_hint(exercise, i) == hints) {
            const char *text = exercise->paragraph[i];
            size_t digits = i == 0 ? strspn(text, "0123456789") : 0;
            bsim_buffer_text(out, "<p>");
            if (is_first) {
                bsim_buffer_text(out, "<strong>Exercise ");
                bsim_xml_text(name, out);
                bsim_buffer_text(out, ".</strong> ");
            }
            is_first = false;
            bsim_xml_text(text + (digits > 0 && text[digits] == '.' ? digits + 2 : 0), out);
            bsim_buffer_text(out, "</p>\n");
        }
    }
    if (!hints) {
        bsim_buffer_text(out, "<pre>");
        for (size_t i = 0; i < exercise->n_lines; i++) {
            bsim_xml_text(exercise->line[i], out);
            bsim_buffer_text(out, "\n");
        }
        bsim_buffer_text(out, "</pre>\n");
    }
}

static enum bsim_status add_built_in(const char *name, bool hints, struct bsim_buffer *out,
                                     struct bsim_error *err)
{
    struct exercise exercise = {.n_lines = 0};
    enum bsim_status status = bsim_cli_exercise_read_built_in(&exercise, name, err);
    if (status == BSIM_OK) {
        add_exercise(&exercise, name, hints, out);
    }
    bsim_cli_exercise_free(&exercise);
    return status;
}

/* ---- lessons --------------------------------------------------------------------------------- */

static void add_question(const struct lesson *lesson, size_t index,
                         const struct lesson_facts *facts, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "<h2>%zu. ", index + 1);
    bsim_xml_text(lesson->title, out);
    bsim_buffer_text(out, "</h2>\n");
    add_text(facts, lesson->text, out);
    add_code(lesson->access[0].statements, out);
    bsim_buffer_text(out, "<p>");
    bsim_xml_text(lesson->question, out);
    bsim_buffer_text(out, " <span class=\"blank\">&#160;</span></p>\n");
}

/* A figure of a request is a document: what stands before its root is left out. */
static void add_figures(const struct lesson *lesson, const struct lesson_facts *facts,
                        struct bsim_buffer *out)
{
    for (size_t i = 0; i < facts->n; i++) {
        struct bsim_buffer drawn = BSIM_BUFFER_EMPTY;
        bool is_text = lesson->access[i].shuffle.width > 0;
        bool is_drawn =
            bsim_cli_lesson_draw(lesson, facts, i, is_text ? BSIM_TEXT : BSIM_SVG, NULL, &drawn);
        const char *root = drawn.data == NULL || is_text ? drawn.data : strstr(drawn.data, "<svg");
        if (is_drawn && is_text) {
            add_code(root == NULL ? "" : root, out);
        } else if (is_drawn) {
            bsim_buffer_printf(out, "<figure>\n%s</figure>\n", root == NULL ? "" : root);
        }
        out->failed = out->failed || drawn.failed;
        bsim_buffer_free(&drawn);
    }
}

static void add_answer(const struct lesson *lesson, size_t index, const struct lesson_facts *facts,
                       struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "<h3>%zu. ", index + 1);
    bsim_xml_text(lesson->title, out);
    bsim_buffer_printf(out, "</h3>\n<p>It is %" PRIu32 ".</p>\n",
                       bsim_cli_lesson_number(facts, lesson->answer));
    add_figures(lesson, facts, out);
    add_text(facts, lesson->explanation, out);
    add_commands(lesson->more, out);
}

/* The half of a lesson. */
static enum bsim_status add_half(size_t index, bool is_answer, struct bsim_buffer *out,
                                 struct bsim_error *err)
{
    const struct lesson *lesson = bsim_cli_lesson_at(index);
    struct lesson_facts facts;
    enum bsim_status status = bsim_cli_lesson_facts(lesson, &facts, err);
    bsim_buffer_text(out, "<section>\n");
    if (status == BSIM_OK) {
        (is_answer ? add_answer : add_question)(lesson, index, &facts, out);
    }
    bsim_cli_lesson_facts_free(&facts);
    if (status == BSIM_OK && lesson->exercise != NULL) {
        status = add_built_in(lesson->exercise, is_answer, out, err);
    }
    bsim_buffer_text(out, "</section>\n");
    return status;
}

/* ---- pages ----------------------------------------------------------------------------------- */

enum bsim_status bsim_cli_handout(size_t first, size_t end, struct bsim_buffer *out,
                                  struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    bsim_buffer_text(out, head);
    for (size_t i = first; i < end && status == BSIM_OK; i++) {
        status = add_half(i, false, out, err);
    }
    bsim_buffer_text(out, "<div class=\"answers\">\n<h2>Answers</h2>\n");
    for (size_t i = first; i < end && status == BSIM_OK; i++) {
        status = add_half(i, true, out, err);
    }
    bsim_buffer_text(out, "</div>\n</body>\n</html>\n");
    return status;
}

void bsim_cli_exercise_handout(const struct exercise *exercise, const char *name,
                               struct bsim_buffer *out)
{
    bsim_buffer_text(out, head);
    add_exercise(exercise, name, false, out);
    if (bsim_cli_exercise_has_hints(exercise)) {
        bsim_buffer_text(out, "<div class=\"answers\">\n<h2>Hints</h2>\n");
        add_exercise(exercise, name, true, out);
        bsim_buffer_text(out, "</div>\n");
    }
    bsim_buffer_text(out, "</body>\n</html>\n");
}

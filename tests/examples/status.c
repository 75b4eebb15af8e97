/* status.c - an error with its place, and text that grows. */
#include "example.h"

/* What a function does that may fail: it fills the error, which says where. */
static enum bsim_status parse(const char *line, struct bsim_error *err)
{
    const char *plus = strchr(line, '+');
    if (plus == NULL) {
        return BSIM_OK;
    }
    enum bsim_status status = bsim_error_set(err, BSIM_E_INPUT, "%d is too far", 7);
    bsim_error_place(err, "list.txt", 3, (uint32_t)(plus - line) + 1, line, strlen(line));
    return status;
}

static void errors(void)
{
    struct bsim_error err;
    char text[1024];
    CHECK(parse("1", &err) == BSIM_OK);
    CHECK(parse("1+7", &err) == BSIM_E_INPUT);
    CHECK(strcmp(bsim_error_text(&err, text, sizeof text), "list.txt:3:2: 7 is too far\n"
                                                           "    1+7\n"
                                                           "     ^\n") == 0);
}

static void buffers(void)
{
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    bsim_buffer_text(&out, "lane ");
    bsim_buffer_printf(&out, "%d", 7);
    bsim_buffer_add(&out, ", 8", 2);
    bsim_buffer_plain(&out, "\033[1m"); /* somebody else's text does not command the terminal */
    CHECK(strcmp(out.data, "lane 7, ?[1m") == 0);
    bsim_buffer_clear(&out);
    CHECK(out.size_bytes == 0);
    CHECK(bsim_buffer_status(&out, NULL) == BSIM_OK); /* once, for all that was appended */
    bsim_buffer_free(&out);
}

int main(void)
{
    errors();
    buffers();
    CHECK(strcmp(bsim_version(), BSIM_VERSION) == 0);
    return 0;
}

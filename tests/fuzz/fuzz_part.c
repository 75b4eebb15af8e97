/* fuzz_part.c - any bytes as a part of a sharded run.
 *
 * What must hold for every input:
 *   - it is refused with a message, or what is written of it is read back as the same;
 *   - what it holds can be merged with itself, or that is refused and nothing has changed;
 *   - every report of it has the form of its format;
 *   - `merge` of it alone takes it, or says what it needs.
 *
 * A part has a first line with the version and a last one with a checksum. An input gets right ones
 * first, but for every fourth one by its size.
 */
#include "command.h"

#include "run/part.h"
#include "result/result.h"

#include <inttypes.h>

/* As in run/part.c, but of its own. */
static uint64_t checksum(const char *data, size_t n)
{
    uint64_t sum = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < n; i++) {
        sum = (sum ^ (unsigned char)data[i]) * UINT64_C(1099511628211);
    }
    return sum;
}

static struct bsim_buffer framed(const uint8_t *data, size_t size)
{
    enum { SUM_BYTES = 21 }; /* "sum ", 16 digits, a line end */
    struct bsim_buffer copy = BSIM_BUFFER_EMPTY;
    const uint8_t *body = size > 0 ? memchr(data, '\n', size) : NULL;
    const uint8_t *end = data + size;
    if (body == NULL || size % 4 == 0) {
        bsim_buffer_add(&copy, size > 0 ? data : (const uint8_t *)"", size);
        return copy;
    }
    body++;
    if (end - body >= SUM_BYTES && memcmp(end - SUM_BYTES, "sum ", 4) == 0) {
        end -= SUM_BYTES;
    }
    bsim_buffer_printf(&copy, "banksim-part 1 %s\n", bsim_version());
    bsim_buffer_add(&copy, body, (size_t)(end - body));
    bsim_buffer_printf(&copy, "sum %016" PRIx64 "\n", checksum(copy.data, copy.size_bytes));
    return copy;
}

static void free_part(struct bsim_part *part)
{
    bsim_result_free(&part->result);
}

static void require_same(const struct bsim_part *part, const struct bsim_buffer *text)
{
    struct bsim_buffer again = BSIM_BUFFER_EMPTY;
    bsim_part_write(part, &again);
    REQUIRE(!again.failed);
    if (again.size_bytes != text->size_bytes ||
        memcmp(again.data, text->data, again.size_bytes) != 0) {
        fprintf(stderr, "%sand\n", text->data);
        REQUIRE_OF(!"the same part", again.data, again.size_bytes);
    }
    bsim_buffer_free(&again);
}

/* A sum that begins with one part is that part, but for what a sum derives: a forged part may have
 * other numbers there. */
static void require_copy(const struct bsim_result *sum)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_result again = {0};
    struct bsim_part part = {.shard = 1, .n_shards = 1};
    REQUIRE(bsim_result_merge(&again, sum, NULL) == BSIM_OK);
    fuzz_result_text(sum, &text);
    part.result = again;
    require_same(&part, &text);
    bsim_result_free(&again);
    bsim_buffer_free(&text);
}

static void require_merged(const struct bsim_part *part)
{
    struct bsim_error err;
    const struct bsim_result *one = &part->result;
    struct bsim_result sum = {0};
    if (bsim_result_merge(&sum, one, &err) != BSIM_OK) {
        fuzz_require_message(&err);
    } else {
        require_copy(&sum);
        if (bsim_result_merge(&sum, one, &err) == BSIM_OK) {
            fuzz_require_reports(&sum);
        } else {
            fuzz_require_message(&err);
        }
    }
    bsim_result_free(&sum);
}

static void examine(struct bsim_part *part)
{
    struct bsim_error err;
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_part back = {.shard = 0};
    REQUIRE(part->shard >= 1 && part->shard <= part->n_shards);
    bsim_part_write(part, &text);
    REQUIRE(bsim_part_read(text.data, text.size_bytes, "fuzz", &back, &err) == BSIM_OK);
    require_same(&back, &text);
    require_merged(part);
    fuzz_require_reports(&part->result);
    free_part(&back);
    bsim_buffer_free(&text);
}

/* Alone a part is the whole or misses others. */
static void require_command(const struct bsim_buffer *text, const struct bsim_part *part)
{
    static const char *const formats[] = {"text", "csv", "json"};
    enum bsim_format format = (enum bsim_format)(text->size_bytes % 3);
    const char *words[] = {"merge",    fuzz_path("part"), "--per", "site",
                           "--format", formats[format],   NULL};
    fuzz_write(fuzz_path("part"), text->data, text->size_bytes);
    struct fuzz_outcome outcome = fuzz_command(NULL, words, NULL);
    REQUIRE_OF(outcome.code == 0 || outcome.code == 1 || outcome.code == 3, outcome.err.data,
               outcome.err.size_bytes);
    REQUIRE((outcome.code < 3) == (outcome.out.size_bytes > 0));
    REQUIRE(outcome.code == 3 || part->n_shards == 1);
    if (outcome.code < 3) {
        fuzz_require_form(format, &outcome.out);
    }
    fuzz_outcome_free(&outcome);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bsim_error err;
    struct bsim_part part = {.shard = 0};
    struct bsim_buffer text = framed(data, size);
    REQUIRE(!text.failed);
    if (bsim_part_read(text.data != NULL ? text.data : "", text.size_bytes, "fuzz", &part, &err) !=
        BSIM_OK) {
        fuzz_require_message(&err);
        REQUIRE(err.status == BSIM_E_INPUT && strcmp(err.file, "fuzz") == 0);
    } else {
        examine(&part);
        require_command(&text, &part);
    }
    free_part(&part);
    bsim_buffer_free(&text);
    return 0;
}

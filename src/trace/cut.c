/* cut.c - what scans tell the splitter, and readers of lines ask of a piece; see format.h. */
#include "trace/format.h"

#include "base/memory.h"

#include <string.h>

bool bsim_format_state(size_t size_bytes, void **state)
{
    *state = size_bytes > 0 ? bsim_mem_zeroed(1, size_bytes) : NULL;
    return size_bytes == 0 || *state != NULL;
}

bool bsim_split_define(struct bsim_splitter *splitter, uint64_t place, const char *data,
                       size_t length)
{
    struct bsim_definition *made = bsim_mem_zeroed(1, sizeof *made + length + BSIM_LINES_SLACK + 1);
    if (made == NULL) {
        return false;
    }
    made->number = splitter->last != NULL ? splitter->last->number + 1 : 0;
    made->place = place;
    made->length = length;
    memcpy(made->data, data, length);
    if (splitter->last != NULL) {
        splitter->last->next = made;
    } else {
        splitter->first = made;
    }
    splitter->last = made;
    return true;
}

/* True where the next block, if it may begin a piece, is another shard's. */
static bool is_others(const struct bsim_splitter *splitter)
{
    return splitter->n_blocks % splitter->shard.of != splitter->shard.number;
}

enum bsim_scanned bsim_split_block(struct bsim_splitter *splitter, size_t n_ahead)
{
    bool has_begun = splitter->at > 0 || splitter->is_handed;
    bool ends_piece = splitter->at >= splitter->aim || splitter->is_handed || is_others(splitter);
    if (splitter->is_passing && !is_others(splitter)) {
        splitter->is_passing = false;
        return BSIM_SCAN_PASSED;
    }
    if (!splitter->is_passing && has_begun && ends_piece) {
        splitter->n_ahead = n_ahead;
        return BSIM_SCAN_CUT;
    }
    splitter->is_passing = is_others(splitter);
    splitter->n_blocks++;
    return BSIM_SCAN_MORE;
}

enum bsim_scanned bsim_split_rest(struct bsim_splitter *splitter)
{
    bool passed = splitter->is_passing;
    splitter->is_passing = false;
    splitter->is_rest = true;
    return passed ? BSIM_SCAN_PASSED : BSIM_SCAN_MORE;
}

enum bsim_scanned bsim_split_line(struct bsim_splitter *splitter, const char *line, size_t n,
                                  bool defines)
{
    splitter->place++;
    splitter->at += n;
    return !defines || bsim_split_define(splitter, splitter->place, line, n) ? BSIM_SCAN_MORE
                                                                             : BSIM_SCAN_NO_MEMORY;
}

void bsim_definition_line(const struct bsim_definition *definition, struct bsim_scan *scan)
{
    size_t length = definition->length;
    length -= length > 0 && definition->data[length - 1] == '\n';
    length -= length > 0 && definition->data[length - 1] == '\r';
    scan->number = definition->place;
    scan->line = scan->at = definition->data;
    scan->end = definition->data + length;
}

void bsim_piece_lines(const struct bsim_piece *piece, const struct bsim_input *input,
                      struct bsim_lines *lines)
{
    if (bsim_piece_is_whole(piece)) {
        memset(piece->data + piece->n, 0, 1 + BSIM_LINES_SLACK);
        bsim_lines_over(lines, input, piece->data, piece->n, piece->place);
    } else {
        bsim_lines_restart(lines, input, piece->place);
    }
}

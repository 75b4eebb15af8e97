/* wasm.c - what JavaScript calls: room for a question, its answer. */
#include "web/answer.h"

#include <banksim/banksim.h>

#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(name), used))

static struct bsim_buffer answer = BSIM_BUFFER_EMPTY;
static char *room;

/* Room for a question of so many bytes, until the next is asked; 0 when memory is short. */
EXPORT("room") char *bsim_web_room(size_t size_bytes)
{
    free(room);
    room = malloc(size_bytes + 1);
    return room;
}

/* Asks; enum bsim_status. Of a failure the answer is its message. */
EXPORT("ask") int bsim_web_ask(size_t size_bytes)
{
    struct bsim_error err;
    char text[BSIM_ERROR_FILE_SIZE + BSIM_ERROR_MESSAGE_SIZE + 2 * BSIM_ERROR_EXCERPT_SIZE + 128];
    bsim_buffer_clear(&answer);
    room[size_bytes] = '\0';
    enum bsim_status status = bsim_web_answer(room, size_bytes, &answer, &err);
    if (status != BSIM_OK) {
        bsim_buffer_clear(&answer);
        bsim_buffer_text(&answer, err.file[0] != '\0' ? "" : "banksim: ");
        bsim_buffer_text(&answer, bsim_error_text(&err, text, sizeof text));
    }
    return (int)status;
}

/* The answer to the last question, and its size in bytes. */
EXPORT("answer") const char *bsim_web_last(void)
{
    return answer.data;
}

EXPORT("answer_bytes") size_t bsim_web_last_bytes(void)
{
    return answer.size_bytes;
}

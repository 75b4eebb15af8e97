/* scan.h - one line of text taken apart into words, with the place of everything for messages.
 *
 * A word is a run of printable ASCII characters other than '#'. Blanks (space, tab) stand between
 * words, '#' starts a comment up to the end of the line. Nothing here allocates, copies or asks the
 * locale.
 */
#ifndef BSIM_BASE_SCAN_H
#define BSIM_BASE_SCAN_H

#include <banksim/status.h>

#include <stdbool.h>

/* A line being read. The first failure stays, as in a bsim_buffer: from then on nothing more is
 * found in the line, and no other failure is told. So who reads asks for the status at the end
 * alone. */
struct bsim_scan {
    const char *file; /* for messages */
    uint64_t number;  /* of the line, 1-based */
    const char *line; /* its first byte */
    const char *end;  /* behind its last; *end can be read and is '\n' or '\r' */
    const char *at;   /* what comes next */
    struct bsim_error *err;
    enum bsim_status status;
};

/* A part of the line; borrowed from it. */
struct bsim_word {
    const char *text;
    size_t length;
};

/* A key=value word. */
struct bsim_pair {
    struct bsim_word key;
    struct bsim_word value; /* what stands between the quotation marks, escapes untouched, if any */
    bool is_quoted;         /* key="value" */
};

/* Nothing has failed yet; err, which may be NULL, gets what does. */
static inline void bsim_scan_start(struct bsim_scan *scan, struct bsim_error *err)
{
    scan->err = err;
    scan->status = BSIM_OK;
}

/* Behind the blanks at p. */
static inline const char *bsim_skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t') {
        p++;
    }
    return p;
}

/* Moves to what stands behind the blanks at hand and returns its place. */
static inline const char *bsim_scan_next(struct bsim_scan *scan)
{
    return scan->at = bsim_skip_blanks(scan->at);
}

/* The next word, or one of length 0 (at the place where it is missing) when only blanks and a
 * comment are left. Fails with BSIM_E_INPUT for a byte that no word has. */
struct bsim_word bsim_scan_word(struct bsim_scan *scan);

/* The same for a pair; false at the end of the line and after a failure. Quoted values may hold any
 * byte but control characters, '"' as \" and '\' as \\. */
bool bsim_scan_pair(struct bsim_scan *scan, struct bsim_pair *pair);

/* Writes a quoted value without its escapes into out, which has room for value->length bytes, and
 * returns its length. */
size_t bsim_scan_unquote(const struct bsim_word *value, char *out);

/* Fails unless only blanks and a comment are left. */
void bsim_scan_end(struct bsim_scan *scan);

/* Fails with BSIM_E_INPUT and a message, placed at `where` in the line. */
void bsim_scan_error(struct bsim_scan *scan, const char *where, const char *format, ...)
    BSIM_PRINTF(3, 4);

/* Fails with status, unless it is BSIM_OK: the error, which has been set in bsim_scan_err(scan),
 * gets the place `where` in the line if it has none. */
void bsim_scan_check(struct bsim_scan *scan, const char *where, enum bsim_status status);

/* Fails with BSIM_E_MEMORY. */
void bsim_scan_no_memory(struct bsim_scan *scan);

/* Where the error of what may fail is to be set: NULL after a failure. */
static inline struct bsim_error *bsim_scan_err(const struct bsim_scan *scan)
{
    return scan->status == BSIM_OK ? scan->err : NULL;
}

/* Gives an error, unless it has a place, that of `where` in the line; returns BSIM_E_INPUT. */
enum bsim_status bsim_scan_place(const struct bsim_scan *scan, const char *where,
                                 struct bsim_error *err);

/* One more than each hexadecimal digit, 0 for what is none. A table, since a processor that guesses
 * whether the next digit of an address is a letter is wrong half of the time. */
extern const unsigned char bsim_scan_hex_digit[256];

/* 16 or more for what is no hexadecimal digit. */
static inline unsigned bsim_scan_hex_value(char c)
{
    return bsim_scan_hex_digit[(unsigned char)c] - 1u;
}

/* Reads a number at *at, decimal or hexadecimal with 0x, and moves *at behind its last digit.
 * False, and nothing changed, if there is none or it passes 64 bits. */
bool bsim_scan_number(const char **at, uint64_t *value);

/* Reads a number from least to most at *at and moves *at behind it; it may go up to `end`. What
 * stands behind its digits is the caller's business. Fails for a number that is missing, wrong or
 * outside, and is `least` then; `what` names it with its article ("the warp number"). */
uint64_t bsim_scan_ranged(struct bsim_scan *scan, const char **at, const char *end,
                          const char *what, uint64_t least, uint64_t most);

/* The same where the number is all of the word. */
uint64_t bsim_scan_whole(struct bsim_scan *scan, const struct bsim_word *word, const char *what,
                         uint64_t least, uint64_t most);

/* True if the word is `text`. */
bool bsim_word_is(const struct bsim_word *word, const char *text);

/* How much of a word a message shows: for "%.*s" with bsim_word_shown(word), word->text. */
int bsim_word_shown(const struct bsim_word *word);

/* The length of the word that a terminated text begins with; 0 if it begins with none. */
size_t bsim_word_length(const char *text);

#endif

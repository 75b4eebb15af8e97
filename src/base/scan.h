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

/* A line being read. */
struct bsim_scan {
    const char *file; /* for messages */
    uint64_t number;  /* of the line, 1-based */
    const char *line; /* its first byte */
    const char *end;  /* behind its last; *end can be read and is '\n' or '\r' */
    const char *at;   /* what comes next */
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

/* Moves to what stands behind the blanks at hand and returns its place. */
const char *bsim_scan_next(struct bsim_scan *scan);

/* The next word, or one of length 0 (at the place where it is missing) when only blanks and a
 * comment are left. Fails with BSIM_E_INPUT for a byte that no word has. */
enum bsim_status bsim_scan_word(struct bsim_scan *scan, struct bsim_word *word,
                                struct bsim_error *err) BSIM_MUST_USE;

/* The same for a pair; its key has length 0 at the end of the line. Quoted values may hold any
 * byte but control characters, '"' as \" and '\' as \\. */
enum bsim_status bsim_scan_pair(struct bsim_scan *scan, struct bsim_pair *pair,
                                struct bsim_error *err) BSIM_MUST_USE;

/* Writes a quoted value without its escapes into out, which has room for value->length bytes, and
 * returns its length. */
size_t bsim_scan_unquote(const struct bsim_word *value, char *out);

/* Fails unless only blanks and a comment are left. */
enum bsim_status bsim_scan_end(struct bsim_scan *scan, struct bsim_error *err) BSIM_MUST_USE;

/* BSIM_E_INPUT with a message, placed at `where` in the line. */
enum bsim_status bsim_scan_error(const struct bsim_scan *scan, const char *where,
                                 struct bsim_error *err, const char *format, ...) BSIM_PRINTF(4, 5);

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

/* The error for a number that is missing, wrong or outside least..most at `where`, in a word that
 * goes up to `end`; `what` names it with its article ("the warp number"). */
enum bsim_status bsim_scan_number_error(const struct bsim_scan *scan, const char *where,
                                        const char *end, const char *what, uint64_t least,
                                        uint64_t most, struct bsim_error *err);

/* Reads a number from least to most at *at and moves *at behind it; it may go up to `end`. What
 * stands behind its digits is the caller's business. */
enum bsim_status bsim_scan_ranged(const struct bsim_scan *scan, const char **at, const char *end,
                                  const char *what, uint64_t least, uint64_t most, uint64_t *value,
                                  struct bsim_error *err) BSIM_MUST_USE;

/* The same where the number is all of the word. */
enum bsim_status bsim_scan_whole(const struct bsim_scan *scan, const struct bsim_word *word,
                                 const char *what, uint64_t least, uint64_t most, uint64_t *value,
                                 struct bsim_error *err) BSIM_MUST_USE;

/* True if the word is `text`. */
bool bsim_word_is(const struct bsim_word *word, const char *text);

/* How much of a word a message shows: for "%.*s" with bsim_word_shown(word), word->text. */
int bsim_word_shown(const struct bsim_word *word);

/* The length of the word that a terminated text begins with; 0 if it begins with none. */
size_t bsim_word_length(const char *text);

#endif

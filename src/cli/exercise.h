/* exercise.h - a check to mend: what is asked, hints, and lines that a reader changes until all that
 * they expect holds. As a text it is a check whose first comment says the rest:
 *
 *     # 2. A tile is stored by rows and read by columns, which takes 32 passes.
 *     # Your task: one pass for every row and every column, in at most 4,224 bytes.
 *     # Hint: the words of a column lie 32 apart, so all of them in one bank.
 *     block 32,32
 *     ...
 *     expect conflicts == 0
 *
 * A paragraph goes on until the next "Your task:" or "Hint:"; there may be several hints, or none. What is
 * expected stands at the end, and holds for all accesses.
 *
 * A solution does the same work (bsim_check_does_work), or one that the exercise accepts besides, as
 * where it is summed up in another order; their lines stand behind its own:
 *
 *     // Also right is this work:
 *     // block 128
 *     // ...
 */
#ifndef BSIM_CLI_EXERCISE_H
#define BSIM_CLI_EXERCISE_H

#include "cli/cli.h"

enum { EXERCISE_PARAGRAPHS = 16, EXERCISE_LINES = 200, EXERCISE_WORKS = 8 };

/* Zeroed it is empty; bsim_cli_exercise_free frees what it has. */
struct exercise {
    size_t n_paragraphs; /* of the comment; the first is what it is about */
    char *paragraph[EXERCISE_PARAGRAPHS];
    size_t n_lines; /* below the comment */
    char *line[EXERCISE_LINES];
    struct bsim_buffer goals; /* its expectations, a line each */
    size_t n_works;           /* that a solution may do: the first is its own */
    struct bsim_buffer work[EXERCISE_WORKS];
};

/* The exercises that are built in, by index 0, 1, ..., until NULL: name ("02-transpose") and text. */
struct built_in_exercise {
    const char *name, *text;
};
extern const struct built_in_exercise bsim_cli_exercises[];

bool bsim_cli_exercise_is_built_in(const char *name);

/* Reads a text into an empty exercise. Fails with BSIM_E_INPUT for one that expects nothing, or not at its
 * end, or has too many lines, with BSIM_E_MEMORY. `name` stands for the place in messages. */
enum bsim_status bsim_cli_exercise_read(struct exercise *exercise, const char *name,
                                        const char *text, struct bsim_error *err);
enum bsim_status bsim_cli_exercise_read_built_in(struct exercise *exercise, const char *name,
                                                 struct bsim_error *err); /* which there is */
void bsim_cli_exercise_free(struct exercise *exercise);

/* Its lines become those of another text, whose comments and expectations do not matter: what is asked
 * for stays the exercise's. Fails as bsim_cli_exercise_read does. */
enum bsim_status bsim_cli_exercise_attempt(struct exercise *exercise, const char *name,
                                           const char *text, struct bsim_error *err);

/* Line `number`, from 1, becomes text; n_lines + 1 is a further one. Fails with BSIM_E_INPUT for a line
 * that is not there and for one that says what is expected. */
enum bsim_status bsim_cli_exercise_change(struct exercise *exercise, size_t number,
                                          const char *text, struct bsim_error *err);

/* Line `number` goes. Fails as bsim_cli_exercise_change does, but for memory. */
enum bsim_status bsim_cli_exercise_delete(struct exercise *exercise, size_t number,
                                          struct bsim_error *err);

/* Whether paragraph i is a hint; whether there is one. */
bool bsim_cli_exercise_is_hint(const struct exercise *exercise, size_t i);
bool bsim_cli_exercise_has_hints(const struct exercise *exercise);

/* Appends hint i, from 0, wrapped; false: there is none. */
bool bsim_cli_exercise_hint(const struct exercise *exercise, size_t i, struct bsim_buffer *out);

/* Appends what it is about and its task, wrapped, and its lines with their numbers. */
void bsim_cli_exercise_tell(const struct exercise *exercise, struct bsim_buffer *out);

/* Appends its paragraphs and lines, as a text that `banksim check` reads. */
void bsim_cli_exercise_write(const struct exercise *exercise, struct bsim_buffer *out);

/* The lines, with what the exercise expects, as a sealed check, which the caller frees in any case.
 * `name` stands for the lines' place in messages. */
enum bsim_status bsim_cli_exercise_check(const struct exercise *exercise, const char *name,
                                         struct bsim_check **check, struct bsim_error *err);

/* Appends what the lines cost, and what the exercise asks for and they do not have. Fails with
 * BSIM_E_INPUT for lines that are no check. */
enum bsim_status bsim_cli_exercise_judge(const struct exercise *exercise, const char *name,
                                         bool *is_solved, struct bsim_buffer *out,
                                         struct bsim_error *err);

/* handout.c: appends it as a page to print, hints on a sheet of their own. */
void bsim_cli_exercise_handout(const struct exercise *exercise, const char *name,
                               struct bsim_buffer *out);

/* practice.c: lets a reader on a terminal work on it, until it is solved or the reader ends. `word` is
 * what `banksim lesson` knows it by. */
enum bsim_status bsim_cli_practise(struct exercise *exercise, const char *word,
                                   const struct bsim_picture_style *style, struct bsim_error *err);

#endif

/* host.h - what host code says before it runs: constants, dim3s, sizes of arrays. */
#ifndef BSIM_CUDA_HOST_H
#define BSIM_CUDA_HOST_H

#include "cuda/cuda.h"

/* The tokens of a file, directives followed and macros replaced, by number; CU_END is the last one. */
struct cu_host {
    struct cu_file *file;
    const struct cu_token **token;
    size_t *behind, *opening; /* of each: the functions of that name say it */
    size_t *alias, n_aliases; /* the names that typedef and using declare */
    size_t *write;            /* of each: the first token at or behind it that writes the name it is, or n */
    size_t *taker, n_takers;  /* the names of functions, where they are declared to take references */
    size_t n;
    size_t turned; /* the first token of what a loop's variable begins with; 0: none */
    int64_t turn;  /* its value instead */
};

enum { CU_MOST_NAMES = 16 }; /* that follow from one another */

/* A whole number, or a dim3 (is_dim3), if it is known. */
struct cu_known {
    bool is_known, is_dim3;
    int64_t number[3]; /* of a whole number the first alone */
};

/* Fills *host from the file; from tokens, up to CU_END, as they are. */
void bsim_cu_host(struct cu_file *file, struct cu_host *host);
void bsim_cu_host_of(struct cu_file *file, const struct cu_token *first, struct cu_host *host);

static inline bool bsim_cu_at(const struct cu_host *host, size_t i, const char *text)
{
    return i < host->n && bsim_cu_is(host->token[i], text);
}

static inline bool bsim_cu_at_any(const struct cu_host *host, size_t i, const char *texts)
{
    return i < host->n && bsim_cu_is_any(host->token[i], texts);
}

/* The number of the token behind the bracket that closes the one at i, host->n if none does. */
size_t bsim_cu_behind(const struct cu_host *host, size_t i);

/* The number of the token that opens the bracket which closes at i, 0 if none does. */
size_t bsim_cu_opening(const struct cu_host *host, size_t i);

/* The number of the ';', the comma or the closing bracket at or behind token i. */
size_t bsim_cu_statement_end(const struct cu_host *host, size_t i);

/* The end of what stands at i up to a comma or a closing bracket, or `end`. */
size_t bsim_cu_item_end(const struct cu_host *host, size_t i, size_t end);

/* Behind the arguments of a template that begin at i; i where none do. */
size_t bsim_cu_behind_angles(const struct cu_host *host, size_t i);

/* The value of the expression of tokens begin to end, where it stands: names are those that are in sight
 * there, with what bsim_cu_value says. */
struct cu_known bsim_cu_known(const struct cu_host *host, size_t begin, size_t end);

/* The number, as it is spelled, of a real constant: itself or a name's; NULL: it is not known. */
const struct cu_token *bsim_cu_known_real(const struct cu_host *host, size_t begin, size_t end);

/* The tokens that the name in sight at token i is declared with, in brackets or behind a '='; false: there
 * is none, or it is a parameter. *is_dim3: as a dim3. */
bool bsim_cu_declared(const struct cu_host *host, size_t i, const struct cu_token *name,
                      size_t *begin, size_t *end, bool *is_dim3);

/* Whether the name at token i is declared there, behind a type's last word or a comma. */
bool bsim_cu_is_declaring(const struct cu_host *host, size_t i);

/* As bsim_cu_declared, or the tokens that are assigned to the name last; false too if it is not known what it is at
 * token i, because other statements write it. */
bool bsim_cu_value(const struct cu_host *host, size_t i, const struct cu_token *name, size_t *begin,
                   size_t *end, bool *is_dim3);

/* Lists the tokens that write names, for bsim_cu_value. */
void bsim_cu_find_writes(struct cu_host *host);

/* The bytes of a type that tokens begin to end name, 0: not known; of an element, if they name a pointer. */
uint32_t bsim_cu_type_bytes(const struct cu_host *host, size_t begin, size_t end);

/* The type of one word, with typedefs followed, as launches spell elements ("uint", "float4"), and its bytes;
 * NULL: none is known. words may be several: "unsigned long long". */
const char *bsim_cu_element(const struct cu_host *host, size_t begin, size_t end, uint32_t *bytes);

/* What the name of token `name`, in sight at token i, is declared to lead to, as bsim_cu_element has it; NULL: it is
 * not known. */
const char *bsim_cu_pointed(const struct cu_host *host, size_t i, const struct cu_token *name,
                            uint32_t *bytes);

/* The bytes that the host allocates for the name in sight at token i, 0: not known. */
uint64_t bsim_cu_allocated(const struct cu_host *host, size_t i, const struct cu_token *name);

#endif

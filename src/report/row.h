/* row.h - rows of named values, what every format shows of a report; see format.h. */
#ifndef BSIM_REPORT_ROW_H
#define BSIM_REPORT_ROW_H

#include <banksim/result.h>

enum bsim_value_kind {
    BSIM_NUMBER,
    BSIM_RATIO,
    BSIM_REAL,
    BSIM_STRING,
    BSIM_BOOLEAN,
    BSIM_ABSENT,
};

struct bsim_value {
    const char *name;
    enum bsim_value_kind kind;
    uint64_t number;  /* BSIM_NUMBER, BSIM_BOOLEAN; a ratio's numerator */
    uint64_t divisor; /* BSIM_RATIO; 0: there is nothing to divide, the value is absent */
    double real;
    const char *text; /* BSIM_STRING; may point to own */
    char own[BSIM_OPCODE_NAME_SIZE];
    /* For people: */
    bool is_least;       /* there may be more */
    const char *instead; /* what stands there in its place, or NULL */
};

enum { BSIM_ROW_MAX = 112 };

struct bsim_row {
    size_t n;
    struct bsim_value value[BSIM_ROW_MAX];
};

/* Append one value to a row; an absent one if it is not known. A text of NULL is an empty one;
 * texts are borrowed. */
void bsim_row_number(struct bsim_row *row, const char *name, uint64_t number);
void bsim_row_known(struct bsim_row *row, const char *name, bool is_known, uint64_t number);
void bsim_row_ratio(struct bsim_row *row, const char *name, uint64_t number, uint64_t divisor);
void bsim_row_real(struct bsim_row *row, const char *name, double real);
void bsim_row_boolean(struct bsim_row *row, const char *name, bool truth);
void bsim_row_text(struct bsim_row *row, const char *name, const char *text);
void bsim_row_opcode(struct bsim_row *row, const struct bsim_opcode *opcode);
void bsim_row_mask(struct bsim_row *row, uint32_t mask);

/* "grade" and "source". */
void bsim_row_basis(struct bsim_row *row, const struct bsim_basis *basis);

/* Begins the head of a document, with "banksim": the version. */
void bsim_row_head(struct bsim_row *row);

/* What people are told of the value that was appended last: that it is the least that there can be,
 * if one of these rules says so; `instead` in its place, if it says nothing. */
void bsim_row_least(struct bsim_row *row, uint32_t rules);
void bsim_row_instead(struct bsim_row *row, bool says_nothing, const char *instead);

/* Writes a real number, without a point if it is whole, into out. Returns out. */
enum { BSIM_REAL_SIZE = 40 };
const char *bsim_row_write_real(double real, char out[BSIM_REAL_SIZE]);

/* Whether a site has a row: one of a fence or a barrier has none. */
bool bsim_row_has(const struct bsim_site_result *site);

/* A row for a kernel, a site, a request, a sum over kernels. Borrows from its arguments. */
void bsim_row_kernel(const struct bsim_kernel_result *kernel, struct bsim_row *row);
void bsim_row_site(const struct bsim_kernel_result *kernel, const struct bsim_site_result *site,
                   struct bsim_row *row);
void bsim_row_request(const struct bsim_request_result *request, struct bsim_row *row);
void bsim_row_total(const struct bsim_result *result, struct bsim_row *row);

/* Of a kernel's row what holds its launch up, and between which clocks that lies. */
void bsim_row_launch(const struct bsim_kernel_result *kernel, struct bsim_row *row);
void bsim_row_classes(const struct bsim_tally class[BSIM_N_CLASSES], struct bsim_row *row);

#endif

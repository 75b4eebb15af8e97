/* survey.h - what a page shows of a run's shared-memory requests, gathered while the run goes by.
 *
 * Per site it counts, over all requests, which banks served how many rows and which of them held
 * their group up; and it keeps the requests themselves, equal ones once with a count, so that their
 * passes can be drawn. Those are bounded: memory grows with kernels and sites, not with events. One
 * survey belongs to one thread.
 */
#ifndef BANKSIM_SURVEY_H
#define BANKSIM_SURVEY_H

#include <banksim/result.h>

/* What the kept requests may weigh in a page, in bytes, if the caller names no other budget.
 * A choice: with the page itself, its tables and this, a report stays below 2 MB. */
enum { BSIM_SURVEY_BUDGET_BYTES = 1200000 };

struct bsim_survey;

/* A new survey, or NULL when memory is short. budget_bytes 0: BSIM_SURVEY_BUDGET_BYTES. The caller
 * frees it; free(NULL) is fine. */
BSIM_API struct bsim_survey *bsim_survey_new(size_t budget_bytes);
BSIM_API void bsim_survey_free(struct bsim_survey *survey);

/* Takes one request, as bsim_run_options.on_request gives it; requests to other memories than the
 * shared one are passed over. kernel is the index of its kernel in the result that the page will
 * show, which differs from request->kernel_index where several results are appended.
 *
 * Requests are equal if they have the same site, opcode, mask and addresses, but for a common
 * distance that leaves every address in its bank. Where the budget does not hold all different ones,
 * the worst one of every site is kept first, then the second of every site, and so on: those with
 * the most excessive wavefronts. What is kept has its full count. Fails with BSIM_E_MEMORY; the
 * survey is then of no use but to be freed. */
BSIM_API enum bsim_status bsim_survey_add(struct bsim_survey *survey, size_t kernel,
                                          const struct bsim_request_result *request,
                                          struct bsim_error *err) BSIM_MUST_USE;

#endif

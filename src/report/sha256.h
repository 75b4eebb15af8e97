/* sha256.h - the digest that a page's security policy names its own script and style by. */
#ifndef BSIM_REPORT_SHA256_H
#define BSIM_REPORT_SHA256_H

#include <stddef.h>

enum { BSIM_SHA256_TEXT_SIZE = 45 };

/* Writes the SHA-256 of data[0..size_bytes) in base64, terminated; returns text. */
const char *bsim_sha256_base64(const char *data, size_t size_bytes,
                               char text[BSIM_SHA256_TEXT_SIZE]);

#endif

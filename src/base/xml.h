/* xml.h - text as XML character data. */
#ifndef BSIM_BASE_XML_H
#define BSIM_BASE_XML_H

#include <banksim/status.h>

/* Appends text so that it stays text between tags and in a quoted attribute: & < > " ' escaped,
 * broken UTF-8 and what XML 1.0 has no character for as U+FFFD, line ends and tabs as blanks. */
void bsim_xml_text(const char *text, struct bsim_buffer *out);

#endif

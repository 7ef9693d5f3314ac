/* Bytes as text: four digits of six bits stand for three bytes. */
#ifndef SN_IO_TEXT_BASE64_H
#define SN_IO_TEXT_BASE64_H

#include <stddef.h>

/* 0 to 63; -1 for what is no digit. */
int sn_base64_digit(char c);

/* Writes digits for bytes, four for every three, the last ones padded; how many. */
size_t sn_base64_encode(char *text, const unsigned char *bytes, size_t count);

#endif

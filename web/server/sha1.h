/* SHA-1 of RFC 3174 and base64, which the handshake of WebSockets needs. */
#ifndef SERVER_SHA1_H
#define SERVER_SHA1_H

#include <stddef.h>
#include <stdint.h>

enum { SHA1_SIZE = 20 };

void sha1(const void *data, size_t size, uint8_t digest[SHA1_SIZE]);

/* Base64 of RFC 4648 with padding, and a zero: room for 4 * ((size + 2) / 3) + 1. */
void base64(const uint8_t *data, size_t size, char *text);

#endif

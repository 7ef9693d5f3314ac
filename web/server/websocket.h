/* WebSockets (RFC 6455) as a server has them. Works on memory alone. */
#ifndef SERVER_WEBSOCKET_H
#define SERVER_WEBSOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum websocket_kind {
    WEBSOCKET_MORE = 0x0, /* goes on with the message before */
    WEBSOCKET_TEXT = 0x1,
    WEBSOCKET_BINARY = 0x2,
    WEBSOCKET_CLOSE = 0x8,
    WEBSOCKET_PING = 0x9,
    WEBSOCKET_PONG = 0xa
} websocket_kind;

/* Why a connection is closed. */
enum {
    WEBSOCKET_LEAVES = 1001,
    WEBSOCKET_BROKEN = 1002,  /* against the protocol */
    WEBSOCKET_TOO_LONG = 1009 /* a message that is longer than is allowed */
};

enum { WEBSOCKET_ACCEPT = 29, WEBSOCKET_HEADER = 10 };

/* What a handshake answers to its key. */
void websocket_accept(const char *key, char accept[WEBSOCKET_ACCEPT]);

/* Whether a key is one: 16 bytes in base64. */
bool websocket_is_key(const char *key);

/* A frame as it came. */
typedef struct websocket_frame {
    websocket_kind kind;
    bool last;     /* of its message */
    uint8_t *data; /* unmasked in place */
    size_t size;   /* of data */
    size_t length; /* of the whole frame */
} websocket_frame;

/*
 * Reads the frame that data begins with, from a client: 1 when it is there, 0 when more bytes are
 * needed, or one of the reasons above to close the connection.
 */
int websocket_read(uint8_t *data, size_t size, size_t most, websocket_frame *frame);

/* The header of a frame to a client, of a whole message; gives its length. */
size_t websocket_header(websocket_kind kind, uint64_t size, uint8_t header[WEBSOCKET_HEADER]);

#endif

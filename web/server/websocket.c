#include "websocket.h"

#include "sha1.h"

#include <string.h>

enum { KEY_LENGTH = 24 };

bool websocket_is_key(const char *key) {
    size_t length = strspn(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
    return length == KEY_LENGTH - 2 && strcmp(key + length, "==") == 0;
}

void websocket_accept(const char *key, char accept[WEBSOCKET_ACCEPT]) {
    /* Section 1.3: the key, and a number that only such servers know. */
    static const char number[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    char text[KEY_LENGTH + sizeof number];
    uint8_t digest[SHA1_SIZE];
    memcpy(text, key, KEY_LENGTH);
    memcpy(text + KEY_LENGTH, number, sizeof number);
    sha1(text, strlen(text), digest);
    base64(digest, sizeof digest, accept);
}

/* Section 5.2: two bytes, the length in none, two or eight more, the mask in four, the data. */
int websocket_read(uint8_t *data, size_t size, size_t most, websocket_frame *frame) {
    if (size < 2) return 0;
    unsigned kind = data[0] & 0xfu;
    bool control = kind >= WEBSOCKET_CLOSE, masked = data[1] & 0x80;
    *frame = (websocket_frame){.kind = (websocket_kind)kind, .last = data[0] & 0x80};
    if (data[0] & 0x70 || !masked || (kind > WEBSOCKET_BINARY && !control) || kind > WEBSOCKET_PONG)
        return WEBSOCKET_BROKEN;
    uint64_t length = data[1] & 0x7f;
    size_t more = length == 127 ? 8 : length == 126 ? 2 : 0;
    if (control && (more > 0 || !frame->last)) return WEBSOCKET_BROKEN;
    if (size < 2 + more) return 0;
    if (more > 0) {
        length = 0;
        for (size_t i = 0; i < more; i++) length = length << 8 | data[2 + i];
    }
    if (length > most) return WEBSOCKET_TOO_LONG;
    size_t header = 2 + more + 4;
    if (size < header || size - header < length) return 0;
    frame->data = data + header;
    frame->size = (size_t)length;
    frame->length = header + frame->size;
    const uint8_t *mask = frame->data - 4;
    for (size_t i = 0; i < frame->size; i++) frame->data[i] ^= mask[i % 4];
    return 1;
}

size_t websocket_header(websocket_kind kind, uint64_t size, uint8_t header[WEBSOCKET_HEADER]) {
    header[0] = (uint8_t)(0x80u | (unsigned)kind);
    size_t more = size < 126 ? 0 : size < 65536 ? 2 : 8;
    header[1] = (uint8_t)(more == 0 ? size : more == 2 ? 126 : 127);
    for (size_t i = 0; i < more; i++) header[2 + i] = (uint8_t)(size >> (8 * (more - 1 - i)));
    return 2 + more;
}

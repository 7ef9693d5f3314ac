/*
 * What a page and the engine say to each other over a WebSocket: calls and answers, each a list of
 * numbers and a list of blobs, so that arrays go as they are. All little-endian:
 *
 *     call      u32 sequence, u32 length of the name, u32 numbers, u32 blobs, the name,
 *               numbers as f64, blobs
 *     answer    u32 sequence, u32 1 done or 0 refused, u32 numbers, u32 blobs, numbers, blobs
 *     blob      u32 bytes, u32 0, the bytes
 *
 * Names and blobs are followed by zeros up to a multiple of 8. An answer has the sequence of its
 * call; one that refuses has one blob, the sentence.
 */
#ifndef SERVER_MESSAGE_H
#define SERVER_MESSAGE_H

#include "bytes.h"

enum { MESSAGE_NAME = 32, MESSAGE_BLOBS = 130 };

typedef struct message_blob {
    const uint8_t *data;
    size_t size;
} message_blob;

/* A call that came; it points into the message, which must be aligned like a double. */
typedef struct message_call {
    uint32_t sequence;
    char name[MESSAGE_NAME];
    const double *numbers;
    size_t number_count;
    message_blob blobs[MESSAGE_BLOBS];
    size_t blob_count;
} message_call;

/* False for what is no call. */
bool message_read(const uint8_t *data, size_t size, message_call *call);

/* An answer in the making: all numbers, then all blobs. Without memory it becomes empty. */
typedef struct message_answer {
    bytes bytes;
    uint32_t numbers, blobs;
    bool failed; /* there was no memory */
} message_answer;

void message_begin(message_answer *answer, uint32_t sequence);
void message_add_number(message_answer *answer, double number);
/* Null data is a blob of no bytes. */
void message_add_blob(message_answer *answer, const void *data, size_t size);
void message_add_text(message_answer *answer, const char *text);
void message_end(message_answer *answer, bool done);

/* Begins anew: an answer that refuses. */
void message_refuse(message_answer *answer, uint32_t sequence, const char *sentence);

#endif

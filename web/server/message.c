#include "message.h"

enum { HEADER = 16 };

/* Up to a multiple of 8. */
static size_t padded(size_t size) {
    return (size + 7) / 8 * 8;
}

static uint32_t word_at(const uint8_t *data) {
    uint32_t word;
    memcpy(&word, data, sizeof word);
    return word;
}

/* ---- Calls ---- */

static bool read_blobs(const uint8_t *data, size_t size, message_call *call) {
    for (size_t i = 0; i < call->blob_count; i++) {
        if (size < 8) return false;
        size_t length = word_at(data);
        data += 8;
        size -= 8;
        if (padded(length) > size) return false;
        call->blobs[i] = (message_blob){data, length};
        data += padded(length);
        size -= padded(length);
    }
    return size == 0;
}

bool message_read(const uint8_t *data, size_t size, message_call *call) {
    *call = (message_call){0};
    if (size < HEADER) return false;
    call->sequence = word_at(data);
    size_t name = word_at(data + 4), numbers = word_at(data + 8);
    call->blob_count = word_at(data + 12);
    data += HEADER;
    size -= HEADER;
    if (name >= MESSAGE_NAME || call->blob_count > MESSAGE_BLOBS || padded(name) > size)
        return false;
    memcpy(call->name, data, name);
    data += padded(name);
    size -= padded(name);
    if (numbers > size / sizeof(double)) return false;
    call->numbers = (const double *)(const void *)data;
    call->number_count = numbers;
    return read_blobs(data + numbers * sizeof(double), size - numbers * sizeof(double), call);
}

/* ---- Answers ---- */

static void add(message_answer *answer, const void *data, size_t size) {
    if (!bytes_add(&answer->bytes, data, size)) answer->failed = true;
}

void message_begin(message_answer *answer, uint32_t sequence) {
    const uint32_t header[4] = {sequence};
    answer->bytes.size = 0;
    answer->numbers = answer->blobs = 0;
    answer->failed = false;
    add(answer, header, sizeof header);
}

void message_add_number(message_answer *answer, double number) {
    answer->numbers++;
    add(answer, &number, sizeof number);
}

void message_add_blob(message_answer *answer, const void *data, size_t size) {
    const uint8_t zeros[8] = {0};
    const uint32_t header[2] = {data ? (uint32_t)size : 0};
    answer->blobs++;
    add(answer, header, sizeof header);
    if (!data) return;
    add(answer, data, size);
    add(answer, zeros, padded(size) - size);
}

void message_add_text(message_answer *answer, const char *text) {
    message_add_blob(answer, text, strlen(text));
}

void message_end(message_answer *answer, bool done) {
    const uint32_t rest[3] = {done, answer->numbers, answer->blobs};
    if (answer->failed)
        answer->bytes.size = 0;
    else
        memcpy(answer->bytes.data + sizeof(uint32_t), rest, sizeof rest);
}

void message_refuse(message_answer *answer, uint32_t sequence, const char *sentence) {
    message_begin(answer, sequence);
    message_add_text(answer, sentence);
    message_end(answer, false);
}

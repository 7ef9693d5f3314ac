/*
 * driver [--runs N] [--seed S] [FILE...]: the target on every file as it is, and then on N inputs
 * made from them, or from nothing, by changing, cutting, repeating and mixing, always the same ones
 * for a seed. SINEW_TEST_LONG in the environment asks for 4 N, SINEW_TEST_BRIEF without it
 * for half.
 */
#include <string.h>

#include "fuzz.h"

enum { MOST = 1 << 16, MOST_FILES = 64 };

typedef struct input {
    uint8_t *data;
    size_t size;
} input;

static uint64_t state = 1;

static size_t draw(size_t count) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(state >> 33) % count;
}

static input read_input(const char *path) {
    input in = {malloc(MOST), 0};
    FILE *file = fopen(path, "rb");
    if (!file || !in.data) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(2);
    }
    in.size = fread(in.data, 1, MOST, file);
    fclose(file);
    return in;
}

static void mutate(uint8_t *data, size_t *size) {
    static const uint8_t nasty[] = {0, 1, 0x7f, 0x80, 0xff};
    for (size_t n = 1 + draw(8); n > 0 && *size > 0; n--) {
        size_t at = draw(*size), length = 1 + draw(16);
        if (length > *size - at) length = *size - at;
        switch (draw(6)) {
        case 0:
            data[at] ^= (uint8_t)(1u << draw(8));
            break;
        case 1:
            data[at] = (uint8_t)draw(256);
            break;
        case 2:
            memset(data + at, nasty[draw(sizeof nasty)], length);
            break;
        case 3:
            memmove(data + at, data + draw(*size - length + 1), length);
            break;
        case 4:
            if (draw(8) == 0) *size = at;
            break;
        default:
            if (*size + length > MOST || draw(4) > 0) break;
            memmove(data + at + length, data + at, *size - at);
            *size += length;
        }
    }
}

int main(int argc, char **argv) {
    static input files[MOST_FILES];
    size_t count = 0, runs = 1000;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--runs") == 0 && i + 1 < argc)
            runs = (size_t)strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            state = strtoull(argv[++i], NULL, 10);
        else if (count < MOST_FILES)
            files[count++] = read_input(argv[i]);
    }
    if (getenv("SINEW_TEST_LONG"))
        runs *= 4;
    else if (getenv("SINEW_TEST_BRIEF"))
        runs /= 2;
    for (size_t i = 0; i < count; i++) LLVMFuzzerTestOneInput(files[i].data, files[i].size);
    static uint8_t data[MOST];
    for (size_t run = 0; run < runs; run++) {
        size_t size = 16 + draw(2048);
        const input *from = count > 0 ? &files[draw(count)] : NULL;
        if (from) memcpy(data, from->data, size = from->size);
        for (size_t i = 0; !from && i < size; i++) data[i] = (uint8_t)draw(256);
        if (from) mutate(data, &size);
        LLVMFuzzerTestOneInput(data, size);
    }
    for (size_t i = 0; i < count; i++) free(files[i].data);
    printf("%zu files, %zu inputs made from them: 1 passed, 0 failed\n", count, runs);
    return 0;
}

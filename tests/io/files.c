#define _POSIX_C_SOURCE 200809L

#include "files.h"

#include <sinew/support.h>
#include <sinew_io/file.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static int compare(const void *a, const void *b) {
    return strcmp(a, b);
}

void folder_list(const char *folder, file_list *list) {
    DIR *stream = opendir(folder);
    const struct dirent *entry;
    list->count = 0;
    if (!CHECK(stream)) return;
    while ((entry = readdir(stream)) && list->count < MOST_FILES) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        snprintf(list->names[list->count++], FILE_NAME, "%.*s", FILE_NAME - 1, entry->d_name);
    }
    closedir(stream);
    qsort(list->names, list->count, FILE_NAME, compare);
}

void folder_clear(const char *folder) {
    static file_list list;
    char path[512];
    REQUIRE_OK(sn_io_folder_make(folder));
    folder_list(folder, &list);
    for (size_t i = 0; i < list.count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, list.names[i]);
        CHECK(remove(path) == 0);
    }
}

bool folder_has(const char *folder, const char *name) {
    static file_list list;
    folder_list(folder, &list);
    for (size_t i = 0; i < list.count; i++)
        if (strcmp(list.names[i], name) == 0) return true;
    return false;
}

bool folder_has_parts(const char *folder) {
    static file_list list;
    folder_list(folder, &list);
    for (size_t i = 0; i < list.count; i++)
        if (strstr(list.names[i], ".part")) return true;
    return false;
}

static uint64_t hash_text(uint64_t hash, const char *text, size_t size) {
    for (size_t i = 0; i < size; i++) hash = sn_hash_word(hash, (uint8_t)text[i]);
    return sn_hash_word(hash, size);
}

uint64_t folder_hash(const char *folder) {
    static file_list list;
    uint64_t hash = 0;
    folder_list(folder, &list);
    for (size_t i = 0; i < list.count; i++) {
        char path[512], *data;
        size_t size;
        snprintf(path, sizeof path, "%s/%s", folder, list.names[i]);
        REQUIRE_OK(sn_io_file_read("the file", path, &data, &size));
        hash = hash_text(hash, list.names[i], strlen(list.names[i]));
        hash = hash_text(hash, data, size);
        free(data);
    }
    return hash;
}

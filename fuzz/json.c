/*
 * Any bytes as JSON: a tree or a sentence with a place. What was read is gone through, every value
 * with its path, and every value lies where its parent says.
 */
#include "io/text/json.h"

#include <math.h>
#include <string.h>

#include "fuzz.h"

static size_t walk(const json_node *node, int depth) {
    char path[80];
    size_t count = 1;
    FUZZ_EXPECT(depth <= 65 && node->line > 0 && node->column > 0);
    FUZZ_EXPECT(strlen(sn_json_path(node, path, sizeof path)) < sizeof path);
    if (node->kind == JSON_NUMBER) FUZZ_EXPECT(isfinite(node->number));
    if (node->kind == JSON_STRING) FUZZ_EXPECT(strlen(node->text) == node->count);
    if (node->kind != JSON_ARRAY && node->kind != JSON_OBJECT) return count;
    for (size_t i = 0; i < node->count; i++) {
        const json_node *item = &node->items[i];
        FUZZ_EXPECT(item->parent == node && item->index == i);
        FUZZ_EXPECT((item->key != NULL) == (node->kind == JSON_OBJECT));
        if (item->key) FUZZ_EXPECT(sn_json_member(node, item->key) == item);
        count += walk(item, depth + 1);
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    json_document document;
    sn_result result = sn_json_parse("fuzz.json", (const char *)data, size, &document);
    FUZZ_EXPECT(result == SN_OK || result == SN_ERROR_DATA || result == SN_ERROR_MEMORY);
    if (result == SN_OK)
        FUZZ_EXPECT(walk(document.root, 0) <= size);
    else
        FUZZ_EXPECT(strncmp(sn_last_error(), "fuzz.json:", 10) == 0);
    sn_json_free(&document);
    return 0;
}

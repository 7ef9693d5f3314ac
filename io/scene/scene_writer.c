#include "io/scene/scene_writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void sn_scene_write(scene_writer *w, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    size_t needed = w->size + (size_t)length + 1;
    if (!w->failed && needed > w->capacity) {
        size_t capacity = 2 * needed;
        char *larger = realloc(w->text, capacity);
        w->failed = !larger;
        if (larger) {
            w->text = larger;
            w->capacity = capacity;
        }
    }
    if (w->failed) return;
    va_start(arguments, format);
    vsnprintf(w->text + w->size, (size_t)length + 1, format, arguments);
    va_end(arguments);
    w->size += (size_t)length;
}

char *sn_scene_writer_end(scene_writer *w) {
    if (!w->failed) return w->text;
    free(w->text);
    return NULL;
}

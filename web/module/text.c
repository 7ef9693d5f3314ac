/* Text that grows, and JSON in it. Without memory it stays what it was. */
#include "view.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void view_text_begin(view_text *text) {
    text->length = 0;
    if (text->data) text->data[0] = 0;
}

static bool reserve(view_text *text, size_t more) {
    if (text->length + more + 1 <= text->room) return true;
    size_t room = 2 * (text->length + more + 1);
    char *data = realloc(text->data, room);
    if (!data) return false;
    text->data = data;
    text->room = room;
    return true;
}

void view_text_add(view_text *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (length < 0 || !reserve(text, (size_t)length)) return;
    va_start(list, format);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, list);
    va_end(list);
    text->length += (size_t)length;
}

void view_text_add_string(view_text *text, const char *string) {
    view_text_add(text, "\"");
    for (const char *c = string; *c; c++) {
        if (*c == '"' || *c == '\\')
            view_text_add(text, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            view_text_add(text, "\\u%04x", (unsigned)*c);
        else
            view_text_add(text, "%c", *c);
    }
    view_text_add(text, "\"");
}

void view_text_add_number(view_text *text, double value) {
    if (isfinite(value))
        view_text_add(text, "%.9g", value);
    else
        view_text_add(text, "null");
}

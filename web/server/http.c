#include "http.h"

#include <stdio.h>
#include <string.h>

size_t http_request_length(const char *data, size_t size) {
    for (size_t i = 3; i < size; i++)
        if (memcmp(data + i - 3, "\r\n\r\n", 4) == 0) return i + 1;
    return 0;
}

/* ---- Paths ---- */

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* Decodes %XX into path. A status where that is none. */
static int decode(const char *text, char path[HTTP_PATH]) {
    size_t length = 0;
    for (; *text; text++) {
        int c = (unsigned char)*text;
        if (c == '%') {
            int high = hex_digit(text[1]), low = high < 0 ? -1 : hex_digit(text[2]);
            if (low < 0) return 400;
            c = 16 * high + low;
            text += 2;
        }
        /* Controls and backslashes are in no name that is served. */
        if (c < 0x20 || c == 0x7f || c == '\\') return 400;
        if (length + 1 >= HTTP_PATH) return 414;
        path[length++] = (char)c;
    }
    path[length] = 0;
    return 0;
}

/* Parts that are empty or begin with a dot are no names of files that are served: "..", hidden. */
static bool stays_inside(const char *path) {
    while (*path) {
        size_t length = strcspn(path, "/");
        if (length == 0 || *path == '.') return false;
        path += length;
        if (*path == '/') path++;
    }
    return true;
}

static int read_target(char *target, http_request *request) {
    if (*target != '/') return 400;
    char *question = strchr(target, '?');
    request->query = "";
    if (question) {
        *question = 0;
        request->query = question + 1;
    }
    int status = decode(target + 1, request->path);
    if (status != 0) return status;
    return stays_inside(request->path) ? 0 : 403;
}

/* ---- Fields ---- */

static bool same_word(const char *a, const char *b) {
    for (; *a && *b; a++, b++) {
        int x = *a >= 'A' && *a <= 'Z' ? *a + 32 : *a, y = *b >= 'A' && *b <= 'Z' ? *b + 32 : *b;
        if (x != y) return false;
    }
    return *a == *b;
}

/* Ends the line and gives what follows it; null where there is no end. */
static char *end_line(char *line) {
    char *end = strstr(line, "\r\n");
    if (!end) return NULL;
    *end = 0;
    return end + 2;
}

static char *trimmed(char *value) {
    value += strspn(value, " \t");
    size_t length = strlen(value);
    while (length > 0 && (value[length - 1] == ' ' || value[length - 1] == '\t')) length--;
    value[length] = 0;
    return value;
}

static int read_field(char *line, http_request *request) {
    char *colon = strchr(line, ':');
    if (!colon || colon == line || strcspn(line, " \t") < (size_t)(colon - line)) return 400;
    *colon = 0;
    const char *value = trimmed(colon + 1);
    const struct {
        const char *name, **to;
    } known[] = {
        {"host", &request->host},
        {"origin", &request->origin},
        {"upgrade", &request->upgrade},
        {"sec-websocket-key", &request->key},
        {"sec-websocket-version", &request->version},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (!same_word(line, known[i].name)) continue;
        /* Twice would mean that somebody between reads another one. */
        if (**known[i].to) return 400;
        *known[i].to = value;
    }
    if (same_word(line, "accept-encoding")) request->encodings = value;
    if (same_word(line, "connection") && same_word(value, "close")) request->keep = false;
    if (same_word(line, "transfer-encoding")) return 413;
    if (same_word(line, "content-length") && strcmp(value, "0") != 0) return 413;
    return 0;
}

int http_parse(char *text, size_t length, http_request *request) {
    *request = (http_request){
        .host = "", .origin = "", .upgrade = "", .key = "", .version = "", .encodings = ""};
    /* A zero would hide what follows it. */
    if (length < 4 || memchr(text, 0, length)) return 400;
    text[length - 2] = 0;
    char *line = end_line(text), *target = strchr(text, ' ');
    if (!line || !target) return 400;
    *target++ = 0;
    char *protocol = strchr(target, ' ');
    if (!protocol) return 400;
    *protocol++ = 0;
    request->method = text;
    request->keep = strcmp(protocol, "HTTP/1.1") == 0;
    if (!request->keep && strcmp(protocol, "HTTP/1.0") != 0) return 400;
    int status = read_target(target, request);
    while (status == 0 && *line) {
        char *next = end_line(line);
        if (!next) return 400;
        status = read_field(line, request);
        line = next;
    }
    return status;
}

bool http_accepts(const char *encodings, const char *name) {
    size_t length = strlen(name);
    while (*encodings) {
        encodings += strspn(encodings, " \t,");
        size_t word = strcspn(encodings, " \t,;"), all = strcspn(encodings, ",");
        if (word == length && strncmp(encodings, name, length) == 0) {
            const char *quality = encodings + word + strspn(encodings + word, " \t;");
            /* "q=0" and "q=0.000", but not "q=0.5" */
            return !(strncmp(quality, "q=0", 3) == 0 &&
                     strspn(quality + 3, ".0") == strcspn(quality + 3, ", \t"));
        }
        encodings += all;
    }
    return false;
}

/* ---- Answers ---- */

const char *http_reason(int status) {
    switch (status) {
    case 101:
        return "Switching Protocols";
    case 200:
        return "OK";
    case 400:
        return "Bad Request";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 413:
        return "Content Too Large";
    case 414:
        return "URI Too Long";
    case 421:
        return "Misdirected Request";
    case 431:
        return "Request Header Fields Too Large";
    case 503:
        return "Service Unavailable";
    default:
        return "Internal Server Error";
    }
}

const char *http_content_type(const char *path) {
    static const struct {
        const char *ending, *type;
    } types[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".json", "application/json"},
        {".wasm", "application/wasm"},
        {".png", "image/png"},
        {".jpg", "image/jpeg"},
        {".svg", "image/svg+xml"},
        {".txt", "text/plain; charset=utf-8"},
        {".md", "text/plain; charset=utf-8"},
        {".ts", "text/plain; charset=utf-8"},
        {".glb", "model/gltf-binary"},
    };
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        size_t ending = strlen(types[i].ending);
        if (length >= ending && same_word(path + length - ending, types[i].ending))
            return types[i].type;
    }
    return "application/octet-stream";
}

/* ---- Whose ---- */

static const char *const own_names[] = {"127.0.0.1", "localhost"};

bool http_is_own_host(const char *host, int port) {
    for (int i = 0; i < 2; i++) {
        char own[32];
        snprintf(own, sizeof own, "%s:%d", own_names[i], port);
        if (same_word(host, own)) return true;
    }
    return false;
}

bool http_is_own_origin(const char *origin, int port) {
    return strncmp(origin, "http://", 7) == 0 && http_is_own_host(origin + 7, port);
}

/*
 * What a server for one person on one machine needs of HTTP/1.1 (RFC 9112): requests without a body
 * for files, and the one that begins a WebSocket. Works on memory alone.
 */
#ifndef SERVER_HTTP_H
#define SERVER_HTTP_H

#include <stdbool.h>
#include <stddef.h>

enum { HTTP_REQUEST_MOST = 16384, HTTP_PATH = 1024 };

/* A request, whose strings are those of http_parse. */
typedef struct http_request {
    const char *method;   /* "GET" */
    char path[HTTP_PATH]; /* below the folder: decoded, without the first slash and the query */
    const char *query;    /* what follows the question mark, not decoded; empty for none */
    const char *host, *origin, *upgrade, *key, *version; /* fields; empty where there is none */
    const char *encodings; /* that are accepted: "gzip, br"; empty for none */
    bool keep;             /* the connection stays open */
} http_request;

/* How long the request is that data begins with, up to the empty line; 0 where it has not ended. */
size_t http_request_length(const char *data, size_t size);

/*
 * Reads a request, whose text is changed (length as above). 0 on success, otherwise the status to
 * refuse it with: 400 what is no request, 414 a path that is too long, 403 a path that leads out of
 * its folder, 413 with a body.
 */
int http_parse(char *text, size_t length, http_request *request);

/* Whether a list of encodings has one of them, and not to be avoided (q=0). */
bool http_accepts(const char *encodings, const char *name);

/* "Not Found" for 404. */
const char *http_reason(int status);

/* "text/html; charset=utf-8" for a path that ends in ".html". */
const char *http_content_type(const char *path);

/* Whether a Host names this machine by its loopback address and port: what a name that somebody
   else's server gave out leads to is refused, whatever address that name has. */
bool http_is_own_host(const char *host, int port);

/* Whether an Origin is a page of this very server. */
bool http_is_own_origin(const char *origin, int port);

#endif

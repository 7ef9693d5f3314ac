#define _POSIX_C_SOURCE 200809L

#include "server.h"

#include "bytes.h"
#include "http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_PEERS = 32,
    READ_AT_ONCE = 65536,
    PATIENCE = 10,        /* s for a request to come in full */
    MOST_FILE = 1 << 28,  /* bytes */
    MOST_UNSENT = 1 << 29 /* bytes that a page which takes nothing may pile up */
};

struct server_peer {
    server *server;
    int socket;    /* -1 for none */
    bool upgraded; /* a WebSocket */
    bool leaving;  /* closed when everything is sent */
    void *session;
    bytes in, out;
    size_t sent;   /* of out */
    bytes message; /* its frames so far */
    websocket_kind kind;
    time_t since; /* when it last was without a request */
};

struct server {
    int folder, listener, port;
    server_host host;
    server_peer peers[MOST_PEERS];
};

static time_t seconds_now(void) {
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* ---- Connections ---- */

static void drop(server_peer *peer) {
    if (peer->socket < 0) return;
    close(peer->socket);
    if (peer->session) peer->server->host.closed(peer->session);
    bytes_free(&peer->in);
    bytes_free(&peer->out);
    bytes_free(&peer->message);
    *peer = (server_peer){.server = peer->server, .socket = -1};
}

static void flush(server_peer *peer) {
    while (peer->socket >= 0 && peer->sent < peer->out.size) {
        ssize_t count = send(peer->socket, peer->out.data + peer->sent, peer->out.size - peer->sent,
                             MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
        if (count < 0) {
            drop(peer);
            return;
        }
        peer->sent += (size_t)count;
    }
    if (peer->socket < 0) return;
    peer->out.size = peer->sent = 0;
    if (peer->leaving) drop(peer);
}

static void put(server_peer *peer, const void *data, size_t size) {
    if (peer->socket < 0) return;
    if (server_unsent(peer) + size > MOST_UNSENT || !bytes_add(&peer->out, data, size)) drop(peer);
}

size_t server_unsent(const server_peer *peer) {
    return peer->out.size - peer->sent;
}

/* ---- HTTP ---- */

/* A header that lets pages share memory between threads and keeps others from using them. */
static void put_header(server_peer *peer, int status, const char *type, size_t size, bool keep,
                       const char *encoding) {
    char header[768];
    int length = snprintf(
        header, sizeof header,
        "HTTP/1.1 %d %s\r\n"
        "Server: sinew\r\n"
        "Content-Type: %s\r\n"
        "Content-Length: %zu\r\n"
        "Cache-Control: no-cache\r\n"
        "X-Content-Type-Options: nosniff\r\n"
        "Cross-Origin-Opener-Policy: same-origin\r\n"
        "Cross-Origin-Embedder-Policy: require-corp\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\n"
        "%s%s%s%s"
        "Connection: %s\r\n\r\n",
        status, http_reason(status), type, size, status == 405 ? "Allow: GET, HEAD\r\n" : "",
        encoding ? "Vary: Accept-Encoding\r\nContent-Encoding: " : "", encoding ? encoding : "",
        encoding ? "\r\n" : "", keep ? "keep-alive" : "close");
    put(peer, header, (size_t)length);
}

static void refuse(server_peer *peer, int status) {
    char text[64];
    int length = snprintf(text, sizeof text, "%d %s\n", status, http_reason(status));
    put_header(peer, status, "text/plain; charset=utf-8", (size_t)length, false, NULL);
    put(peer, text, (size_t)length);
    peer->leaving = true;
}

/* Opens what a path names below the folder, part by part, so that no link leads out of it. */
static int open_below(int folder, const char *path) {
    char part[HTTP_PATH];
    int at = dup(folder);
    while (at >= 0 && *path) {
        size_t length = strcspn(path, "/");
        bool last = path[length] == 0;
        memcpy(part, path, length);
        part[length] = 0;
        int next = openat(
            at, part, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (last ? 0 : O_DIRECTORY));
        close(at);
        at = next;
        path += length + (last ? 0 : 1);
    }
    return at;
}

static bool read_file(int file, size_t size, bytes *to) {
    if (!bytes_reserve(to, size)) return false;
    while (to->size < size) {
        ssize_t count = read(file, to->data + to->size, size - to->size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        to->size += (size_t)count;
    }
    return true;
}

/* Opens a file, or what lies compressed beside it where the page takes that; -1 for none. What is
   older than the file is of another one. */
static int open_encoded(const server_peer *peer, const http_request *request, const char *path,
                        const char **encoding) {
    static const char *const known[][2] = {{"br", ".br"}, {"gzip", ".gz"}};
    char beside[HTTP_PATH + 24];
    int plain = open_below(peer->server->folder, path);
    struct stat old, new;
    *encoding = NULL;
    if (plain < 0 || fstat(plain, &old) != 0) return plain;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (!http_accepts(request->encodings, known[i][0])) continue;
        snprintf(beside, sizeof beside, "%s%s", path, known[i][1]);
        int file = open_below(peer->server->folder, beside);
        if (file >= 0 && fstat(file, &new) == 0 && S_ISREG(new.st_mode) &&
            new.st_mtime >= old.st_mtime) {
            *encoding = known[i][0];
            close(plain);
            return file;
        }
        if (file >= 0) close(file);
    }
    return plain;
}

static void send_file(server_peer *peer, const http_request *request) {
    bool only_header = strcmp(request->method, "HEAD") == 0;
    const char *encoding;
    char path[HTTP_PATH + 16];
    size_t length = strlen(request->path);
    snprintf(path, sizeof path, "%s%s", request->path,
             length == 0 || request->path[length - 1] == '/' ? "index.html" : "");
    int file = open_encoded(peer, request, path, &encoding);
    struct stat status;
    bool found = file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
                 status.st_size <= MOST_FILE;
    bytes content = {0};
    if (!found) {
        refuse(peer, 404);
    } else if (!only_header && !read_file(file, (size_t)status.st_size, &content)) {
        refuse(peer, 500);
    } else {
        put_header(peer, 200, http_content_type(path), (size_t)status.st_size, request->keep,
                   encoding);
        put(peer, content.data, content.size);
        if (!request->keep) peer->leaving = true;
    }
    bytes_free(&content);
    if (file >= 0) close(file);
}

static void upgrade(server_peer *peer, const http_request *request) {
    char accept[WEBSOCKET_ACCEPT], answer[256];
    if (!http_is_own_origin(request->origin, peer->server->port)) {
        refuse(peer, 403);
        return;
    }
    if (strcmp(request->version, "13") != 0 || !websocket_is_key(request->key)) {
        refuse(peer, 400);
        return;
    }
    peer->session = peer->server->host.opened(peer->server->host.user, peer);
    if (!peer->session) {
        refuse(peer, 503);
        return;
    }
    peer->upgraded = true;
    websocket_accept(request->key, accept);
    int length = snprintf(answer, sizeof answer,
                          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                          "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
                          accept);
    put(peer, answer, (size_t)length);
}

static void answer(server_peer *peer, size_t length) {
    http_request request;
    int status = http_parse((char *)peer->in.data, length, &request);
    if (status == 0 && !http_is_own_host(request.host, peer->server->port)) status = 421;
    if (status == 0 && strcmp(request.method, "GET") != 0 && strcmp(request.method, "HEAD") != 0)
        status = 405;
    if (status != 0)
        refuse(peer, status);
    else if (*request.upgrade)
        upgrade(peer, &request);
    else
        send_file(peer, &request);
}

/* ---- WebSockets ---- */

void server_send(server_peer *peer, websocket_kind kind, const void *data, size_t size) {
    uint8_t header[WEBSOCKET_HEADER];
    put(peer, header, websocket_header(kind, size, header));
    put(peer, data, size);
}

static void leave(server_peer *peer, int reason) {
    uint8_t code[2] = {(uint8_t)(reason >> 8), (uint8_t)reason};
    server_send(peer, WEBSOCKET_CLOSE, code, sizeof code);
    peer->leaving = true;
}

/* A part of a message, or all of it. */
static void take_part(server_peer *peer, const websocket_frame *frame) {
    const server_host *host = &peer->server->host;
    bool begins = frame->kind != WEBSOCKET_MORE, is_open = peer->kind != WEBSOCKET_MORE;
    if (begins == is_open) {
        leave(peer, WEBSOCKET_BROKEN);
        return;
    }
    if (begins) peer->kind = frame->kind;
    if (peer->message.size + frame->size > host->most_message ||
        !bytes_add(&peer->message, frame->data, frame->size)) {
        leave(peer, WEBSOCKET_TOO_LONG);
        return;
    }
    if (!frame->last) return;
    bool text = peer->kind == WEBSOCKET_TEXT;
    peer->kind = WEBSOCKET_MORE;
    /* The host may send, and by that lose the connection; the message is its own then. */
    bytes whole = peer->message;
    peer->message = (bytes){0};
    host->message(peer->session, peer, text, whole.data, whole.size);
    bytes_free(&whole);
}

static void take_frame(server_peer *peer, const websocket_frame *frame) {
    switch (frame->kind) {
    case WEBSOCKET_CLOSE:
        leave(peer, frame->size == 1 ? WEBSOCKET_BROKEN : 1000);
        break;
    case WEBSOCKET_PING:
        server_send(peer, WEBSOCKET_PONG, frame->data, frame->size);
        break;
    case WEBSOCKET_PONG:
        break;
    default:
        take_part(peer, frame);
        break;
    }
}

/* ---- What has come ---- */

/* Takes one request or frame from what has come; false where there is none in full. */
static bool take_one(server_peer *peer) {
    if (peer->upgraded) {
        websocket_frame frame;
        int result =
            websocket_read(peer->in.data, peer->in.size, peer->server->host.most_message, &frame);
        if (result == 0) return false;
        if (result != 1) {
            leave(peer, result);
            return false;
        }
        take_frame(peer, &frame);
        if (peer->socket >= 0) bytes_take(&peer->in, frame.length);
        return peer->socket >= 0;
    }
    size_t length = http_request_length((const char *)peer->in.data, peer->in.size);
    if (length == 0) {
        if (peer->in.size >= HTTP_REQUEST_MOST) refuse(peer, 431);
        return false;
    }
    answer(peer, length);
    if (peer->socket < 0) return false;
    bytes_take(&peer->in, length);
    peer->since = seconds_now();
    return true;
}

static void receive(server_peer *peer) {
    if (!bytes_reserve(&peer->in, READ_AT_ONCE)) {
        drop(peer);
        return;
    }
    ssize_t count = recv(peer->socket, peer->in.data + peer->in.size, READ_AT_ONCE, 0);
    if (count < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (count <= 0) {
        drop(peer);
        return;
    }
    peer->in.size += (size_t)count;
    while (!peer->leaving && take_one(peer)) continue;
    /* What comes after the last word is not read any more. */
    if (peer->leaving) peer->in.size = 0;
}

static void accept_one(server *s) {
    int socket = accept(s->listener, NULL, NULL);
    if (socket < 0) return;
    server_peer *peer = s->peers;
    while (peer < s->peers + MOST_PEERS && peer->socket >= 0) peer++;
    if (peer == s->peers + MOST_PEERS || fcntl(socket, F_SETFL, O_NONBLOCK) != 0 ||
        fcntl(socket, F_SETFD, FD_CLOEXEC) != 0) {
        close(socket);
        return;
    }
    *peer = (server_peer){.server = s, .socket = socket, .since = seconds_now()};
}

/* Requests that never end would keep others out. */
static void drop_the_slow(server *s) {
    time_t now = seconds_now();
    for (server_peer *peer = s->peers; peer < s->peers + MOST_PEERS; peer++)
        if (peer->socket >= 0 && !peer->upgraded && server_unsent(peer) == 0 &&
            now - peer->since > PATIENCE)
            drop(peer);
}

void server_poll(server *s, int milliseconds) {
    struct pollfd wait[MOST_PEERS + 1] = {{.fd = s->listener, .events = POLLIN}};
    for (int i = 0; i < MOST_PEERS; i++) {
        const server_peer *peer = &s->peers[i];
        wait[i + 1] = (struct pollfd){
            .fd = peer->socket,
            .events = (short)((peer->leaving ? 0 : POLLIN) | (server_unsent(peer) ? POLLOUT : 0))};
    }
    if (poll(wait, MOST_PEERS + 1, milliseconds) <= 0) {
        drop_the_slow(s);
        return;
    }
    for (int i = 0; i < MOST_PEERS; i++) {
        server_peer *peer = &s->peers[i];
        /* A slot that was left meanwhile has nothing to be asked. */
        if (wait[i + 1].fd < 0 || wait[i + 1].fd != peer->socket) continue;
        if (wait[i + 1].revents & POLLIN)
            receive(peer);
        else if (wait[i + 1].revents & (POLLHUP | POLLERR | POLLNVAL))
            drop(peer);
        flush(peer);
    }
    if (wait[0].revents & POLLIN) accept_one(s);
    drop_the_slow(s);
}

/* ---- Opening and closing ---- */

static int listen_on(int port) {
    int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (listener < 0) return -1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (fcntl(listener, F_SETFD, FD_CLOEXEC) == 0 && fcntl(listener, F_SETFL, O_NONBLOCK) == 0 &&
        bind(listener, (struct sockaddr *)&address, sizeof address) == 0 &&
        listen(listener, 16) == 0)
        return listener;
    int why = errno;
    close(listener);
    errno = why;
    return -1;
}

server *server_open(const char *folder, int port, const server_host *host) {
    server *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    for (int i = 0; i < MOST_PEERS; i++) s->peers[i] = (server_peer){.server = s, .socket = -1};
    s->host = *host;
    s->listener = -1;
    s->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (s->folder >= 0) s->listener = listen_on(port);
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    if (s->listener < 0 || getsockname(s->listener, (struct sockaddr *)&address, &size) != 0) {
        int why = errno;
        server_close(s);
        errno = why;
        return NULL;
    }
    s->port = ntohs(address.sin_port);
    return s;
}

int server_port(const server *s) {
    return s->port;
}

void server_close(server *s) {
    if (!s) return;
    for (server_peer *peer = s->peers; peer < s->peers + MOST_PEERS; peer++) {
        if (peer->socket >= 0 && peer->upgraded && !peer->leaving) leave(peer, WEBSOCKET_LEAVES);
        flush(peer);
        drop(peer);
    }
    if (s->listener >= 0) close(s->listener);
    if (s->folder >= 0) close(s->folder);
    free(s);
}

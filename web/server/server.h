/*
 * A server for one person: the files of a folder over HTTP, and messages over WebSockets. It
 * listens on loopback alone, answers nobody who came by another name of this machine, talks to
 * pages of its own alone, and bounds what anybody may send. One thread: what a message asks for is
 * done before the next is looked at.
 */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include "websocket.h"

typedef struct server server;
/* A page that is connected by a WebSocket. */
typedef struct server_peer server_peer;

/* What the host of a server is told. */
typedef struct server_host {
    /* A page has come; what is returned is handed to the others. Null: there is no room for it. */
    void *(*opened)(void *user, server_peer *peer);
    void (*message)(void *session, server_peer *peer, bool text, uint8_t *data, size_t size);
    /* It has gone, whatever the reason. */
    void (*closed)(void *session);
    void *user;          /* handed to opened */
    size_t most_message; /* bytes */
} server_host;

/* Listens on a port of 127.0.0.1, or on any that is free for 0. Null, with errno, where that or the
   folder cannot be had. */
server *server_open(const char *folder, int port, const server_host *host);

int server_port(const server *s);

/* Waits for at most this long and serves whoever has asked for something. */
void server_poll(server *s, int milliseconds);

/* Sends a message; what the connection does not take at once goes with the next polls. */
void server_send(server_peer *peer, websocket_kind kind, const void *data, size_t size);

/* How many bytes a page has not taken yet. */
size_t server_unsent(const server_peer *peer);

/* Tells all pages that it leaves, and closes. Null is allowed. */
void server_close(server *s);

#endif

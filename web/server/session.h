/*
 * A scene that runs on this machine for a page: what the page calls, done with the functions that
 * it has in WebAssembly too. Files that a page sends are kept in a folder of the session's own,
 * which is also all that its scene may read, and which goes with it.
 */
#ifndef SERVER_SESSION_H
#define SERVER_SESSION_H

#include "message.h"

typedef struct session session;

/* Of which scene, where a page opens none of its own (null for none), and with how many threads. */
session *session_create(const char *scene, int threads);
void session_destroy(session *s);

/* Whether a path is that of a cache or a recording, which is played, rather than of a scene; and
   whether it can be, or sn_last_error says why not. */
bool session_plays(const char *path);
bool session_can_play(const char *path);

/* Does what a message asks for, and answers. */
void session_call(session *s, const uint8_t *data, size_t size, message_answer *answer);

#endif

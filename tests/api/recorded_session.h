/* Runs that are recorded, and the bytes of what comes of it. */
#ifndef SINEW_TESTS_API_RECORDED_SESSION_H
#define SINEW_TESTS_API_RECORDED_SESSION_H

#include <sinew/sinew.h>

#define SESSION_DT ((sn_real)(1.0 / 60))

/* How often the worlds below have said that a recording failed. */
extern int session_errors;

sn_world *session_make_world(int threads, int width);

/* Adds a type called "stretch", for pairs of nodes that are *length times their parameter apart,
   squared; a null length is 1. */
sn_type session_add_type(sn_world *world, sn_real *length);

/* A force field: what it does depends on how often it was called, and once it is no number. `user`
   is an int that counts the calls. */
void session_moody(void *user, const sn_force_field_input *input, sn_vec4 *acceleration);

/* ---- Runs ---- */

/* Records a sample world from before it is built. */
void session_record(const char *path, int number, bool tiny, int steps);

/* All calls that change a world, with six steps between them; the type is the one above. */
void session_do_everything(sn_world *world, sn_type type);
void session_record_everything(const char *path, sn_real *length);

/* ---- Bytes of files ---- */

typedef struct session_bytes {
    unsigned char *data;
    size_t size;
} session_bytes;

session_bytes session_read_bytes(const char *path);
void session_write_bytes(const char *path, const unsigned char *data, size_t size);

/* A number of some bytes. */
uint64_t session_get_word(const unsigned char *from, size_t count);

/* Makes the hash of a section, whose head is at a place, right again; returns where it ends. */
size_t session_repair_section(session_bytes b, size_t at);

#endif

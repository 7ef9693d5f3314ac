/* Text that grows as it is written. */
#ifndef SN_IO_SCENE_SCENE_WRITER_H
#define SN_IO_SCENE_SCENE_WRITER_H

#include <stdbool.h>
#include <stddef.h>

/* Begins with all zero. Without memory it stays failed. */
typedef struct scene_writer {
    char *text;
    size_t size, capacity; /* bytes, without the zero at the end */
    bool failed;
} scene_writer;

void sn_scene_write(scene_writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text, to be freed with free(); null without memory. */
char *sn_scene_writer_end(scene_writer *w);

#endif

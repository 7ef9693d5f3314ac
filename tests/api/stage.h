/*
 * A small world for calls that must fail, and its twin, on which they are never made. A refused
 * call names what was wrong and leaves everything readable as it was; what cannot be read shows in
 * the end, when both worlds move on and must stay equal to the bit.
 */
#ifndef SINEW_TESTS_API_STAGE_H
#define SINEW_TESTS_API_STAGE_H

#include <sinew/sinew.h>

#define STAGE_NODES 6

typedef struct stage_world {
    sn_world *world;
    sn_body body;
    sn_node node[STAGE_NODES];      /* 0 is kinematic, 2 to 5 belong to the body */
    sn_node frame;                  /* an oriented one */
    sn_damping_group damping_group; /* of 2, 3 and 4 */
    sn_constraint distance;
    sn_constraint attachment;
    sn_body dead_body;
    sn_damping_group dead_damping_group;
    sn_node dead_node;
    sn_constraint dead_constraint;
} stage_world;

typedef struct stage {
    stage_world it;
    stage_world twin; /* for comparison, and for ids of another world */
    uint64_t print;   /* of what can be read of `it` */
} stage;

void stage_make(stage *s);

/* Steps both worlds and compares them. */
void stage_finish(stage *s);

/* A fingerprint of all that can be read of a stage's world. */
uint64_t stage_print(const stage_world *w);

/* The call returns `expected`, its sentence has every one of the words, which are separated by
   blanks, and the world of the stage is as before. */
#define REFUSED(s, call, expected, words)                                                          \
    (stage_mark(), stage_refused((s), (call), (expected), (words), #call, __FILE__, __LINE__))

/* Makes another error the last one, so that a sentence left over is not mistaken for a new one. */
void stage_mark(void);
void stage_refused(const stage *s, sn_result result, sn_result expected, const char *words,
                   const char *call, const char *file, int line);

#endif

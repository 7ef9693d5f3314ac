/* What bytes are read as: choices, values and objects, for a sequence of calls. */
#ifndef SINEW_TESTS_PLAYER_H
#define SINEW_TESTS_PLAYER_H

#include <sinew/sinew.h>

enum { WORLDS = 2, IDS = 32 };

/* What the bytes have led to so far. */
typedef struct player {
    const uint8_t *data;
    size_t size, at;
    sn_world *world[WORLDS];
    sn_node node[WORLDS][IDS];
    sn_body body[WORLDS][IDS];
    sn_constraint constraint[WORLDS][IDS];
    sn_damping_group damping_group[WORLDS][IDS];
    sn_collider collider[WORLDS][IDS];
    sn_collision_surface surface[WORLDS][IDS];
    sn_sheet sheet[WORLDS][IDS];
    sn_animation_target animation_target[WORLDS][IDS];
    sn_hierarchy hierarchy[WORLDS][IDS];
    sn_shape_matching matching[WORLDS][IDS];
    sn_dough dough[WORLDS][IDS];
    sn_finite_elements elements[WORLDS][IDS];
    sn_query *query[WORLDS]; /* pictures of the worlds, or null */
    bool stale[WORLDS];      /* whether a picture may show what is gone */
    sn_type type[WORLDS];    /* of the user's, or 0 */
    int w;                   /* the world of the present call */
    size_t made;
    sn_vec3 push;  /* m/s^2, of the force fields */
    size_t blocks; /* how many more there are in the present call; SIZE_MAX: any number */
    bool once;     /* whether only one is refused then */
    bool refused;  /* whether one was, in the present call */
    /* Whether there were colliders, skins, sheets or queries: without memory for a second search, a
       better tree or another tear the old ones serve. */
    bool frugal;
    /* Whether the present call takes back what it has made where it fails: slots that were used
       then stay so. */
    bool untidy;
    bool owned;    /* whether there were sheets, which may have tethers */
    size_t called; /* the present call */
} player;

/* ---- Choices ---- */

/* The next byte, 0 behind the last. */
uint8_t player_byte(player *p);
/* From 0 to count - 1. */
size_t player_choice(player *p, size_t count);
/* Common numbers, and bad ones. */
sn_real player_real(player *p);
sn_vec3 player_vector(player *p);
sn_quat player_quaternion(player *p);
/* The present world; one time in sixteen the other. */
int player_whose(player *p);
/* A node that was made, a stale id, or none. */
sn_node player_node(player *p);

/* ---- Calls about contact ---- */

sn_result player_change_collider(player *p);
sn_result player_change_material(player *p);
sn_result player_change_surface(player *p);
/* Makes, renews or asks the picture of a world. */
sn_result player_ask(player *p);

/* ---- Calls about cloth ---- */

/* A small body of any kind, whose nodes may be chosen from then on. */
sn_result player_build(player *p);
sn_result player_change_sheet(player *p);
sn_result player_change_follow(player *p);
sn_result player_change_hierarchy(player *p);
/* Matchings, doughs and finite elements, of solids. */
sn_result player_change_matching(player *p);
sn_result player_change_dough(player *p);
sn_result player_change_elements(player *p);
/* Attachments, seams and rides. */
sn_result player_bind(player *p);

#endif

/*
 * What tests of faces are built from: coarse sheets, small things to push into them, and a single
 * triangle above a ball.
 */
#ifndef SINEW_TESTS_CONTACT_COARSE_SHEETS_H
#define SINEW_TESTS_CONTACT_COARSE_SHEETS_H

#include "collision/shapes/shape_worlds.h"

enum { MOST = 64 };

/* A sheet of squares, each of two triangles, in the plane y = 0. */
typedef struct net {
    sn_world *world;
    sn_node node[MOST];
    uint32_t triangle[2 * MOST][3]; /* of a segment its second node twice */
    size_t nodes, triangles;
    sn_collision_surface surface;
    sn_body body;
} net;

typedef struct net_def {
    int squares;   /* along each side, up to 6 */
    double square; /* m */
    bool faces, pinned;
    bool rope; /* a row of segments instead, over the things below; pinned at its ends */
    int threads, width;
    double sleep_time, gravity;
} net_def;

/* Two by two squares of 0.5 m, free, with faces. */
net_def net_default(void);
net make_net(net_def def);
/* m: how deep the sheet is in a collider, by looking at many points of every triangle. */
double depth_of(const net *n, sn_collider collider);

/* Small things that move up, whose highest point is `below` (m) the sheet, within a triangle. */
enum { THINGS = 11 };
sn_collider add_thing(sn_world *world, int which, double below, sn_real speed);
/* Pushes one of them up by 0.08 m with 1 m/s, holds it for 0.5 s, and checks that it stays out. */
void push_thing(const net *n, int which);
void stop_collider(sn_world *world, sn_collider collider);

/* A triangle of three nodes of 1, 2 and 3 kg, and a ball below the place with these weights. */
typedef struct plate {
    net net;
    sn_collider ball;
    double mass[3], weight[3];
} plate;

/* It falls with a speed (m/s), or lies on the ball; with edges that hold their length; of even
   masses and above the middle, or not. */
plate make_plate(double speed, double gravity_x, double gravity_y, bool ties, bool even,
                 sn_collider_def ball);

#endif

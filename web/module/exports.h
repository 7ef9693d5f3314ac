/* What the module exports, beside malloc and free. */
#ifndef SN_WEB_EXPORTS_H
#define SN_WEB_EXPORTS_H

#include "view.h"

/* ---- Scenes ---- */

const char *view_said(void);

const char *view_error(void);

void view_close(view *v);

/* Opens the scene of a path; `sets` are lines "name=value", changed here. A path that ends in .snc
   is that of a cache, which is played: its frames are stepped through; one in .reco that of a
   recording, whose steps are repeated. Null on failure: then
   view_said has the sentences that the command prints. */
view *view_open(const char *path, char *sets);

/* Of a module with shared memory: a worker runs what steps ask for, and does not return. */
void view_work(int index);

/* How many workers there are, for scenes that are opened from now on; how many are used. */
int view_set_workers(int count);

int view_step(view *v);

int view_frame_number(const view *v);

double view_time(view *v);

uint64_t view_hash(view *v);

const double *view_measure(view *v);

/* Makes a snapshot; its address, and its size in `out`. */
const void *view_save(view *v, uint32_t *out);

/* Goes back to one of this scene. What hands held is as it was then. */
int view_load(view *v, const void *data, uint32_t size);

/* All that does not change while the scene runs, as JSON. */
const char *view_describe(view *v);

/* Events as a list in JSON: what, how many. How many bodies sleep is among the columns. */
const char *view_events(view *v);

/* Contacts of the last step: point and impulse, six numbers each; how many. */
int view_contacts(view *v, uint32_t *out);

/* The types of constraints that there are, as JSON: number, name, count, meaning. */
const char *view_types(view *v);

/* Constraints of a type as lines between their nodes, six numbers each; how many. Joints have their
   anchors, axes and limits. After all lines comes a number for each: the colour of its constraint
   in the graph, -1 for none. */
int view_links(view *v, int type, uint32_t *out);

/* Oriented nodes: position and quaternion (x, y, z, w), seven numbers each; how many. */
int view_axes(view *v, uint32_t *out);

/* ---- What is drawn ---- */

/* Fills the table with everything as it is now, triangles divided `level` times, liquids as their
   surfaces where `liquid`, or as particles; how many shapes there are, or -1 with a sentence. */
int view_frame(view *v, int level, int liquid);

const view_shape *view_shapes(const view *v);

size_t view_shape_size(void);

/* ---- Hands ---- */

/* Takes what a ray meets: origin, then direction. The number of the hand, or -1 where there is
   nothing to take. out: the point that was met, and what kind of thing it is. */
int view_take(view *v, const float *ray, float tolerance);

const float *view_out(const view *v);

/* Moves a hand to where the point that was met shall be, during the next step. */
int view_move(view *v, int number, float x, float y, float z);

/* Where what a hand holds is now, in out; 0 where it holds nothing any more. */
int view_held(view *v, int number);

/* Lets go; thrown with a velocity where `thrown`. */
void view_release(view *v, int number, int thrown, float x, float y, float z);

/* Forgets hands whose world has gone back to another time. */
void view_forget_hands(view *v);

/* Pins the node under a ray where it is, or lets it go: 1 pinned, 2 unpinned, 0 nothing. */
int view_pin_toggle(view *v, const float *ray, float tolerance);

/* Cuts all that lies between two rays, both from one eye: how many nodes were made; -1 with a
   sentence where something was refused and nothing was cut. */
int view_cut(view *v, const float *from, const float *to, float reach);

/* A ball of rubber that meets collision surfaces and colliders: 1, or 0 with a sentence. */
int view_drop_ball(view *v, const float *at, const float *velocity, float radius);

/* ---- Numbers ---- */

/* All settings with their values, as JSON. */
const char *view_settings(view *v);

/* Sets a setting by its number; 0 with a sentence where it is refused. */
int view_set_setting(view *v, int number, double x, double y, double z);

/* The fields of a body, from 0, that can be set as one, as JSON; it looks at all constraints. */
const char *view_body_fields(view *v, int number);

/* Sets a field of all constraints of a type of a body; 0 with a sentence where it is refused. */
int view_set_body_field(view *v, int number, int type, const char *name, double value);

#endif

/*
 * Contacts with colliders that nodes carry, and of these with others: both sides move.
 *
 * Boxes, cylinders and hulls touch each other by manifolds (rigid_manifold.c): up to four points,
 * each of them a contact. What nodes carry touches planes, meshes and fields that nobody carries by
 * its points: corners, ends of capsules, middles of balls (shape_points.h). What is round touches
 * all others by its own points, be it carried or not.
 *
 * Each side is a node with a lever arm r to where they touch. An impulse J along n moves the side
 * there by
 *
 *   k J,   k = w + (r x n) . I^-1 (r x n)
 *
 * its centre by w J, and turns it by I^-1 (r x J) (survey of 2017, section 5.9; Mueller et al.
 * 2020, section 3.3). Everything else is as in contact_solve.h. A node that nothing turns is pushed
 * at its centre, and so is what it touches there: angular momentum is kept.
 *
 *   rigid_contact_pairs.c   which nodes may touch which carried colliders in a step
 *   rigid_found.c           when those of the step before are those of the next
 *   rigid_forms.c           points, faces and edges of colliders
 *   rigid_manifold.c        where two of them touch that have faces
 *   rigid_axes.c            the axis along which these are furthest apart
 *   rigid_seams.c           sides by which parts meet, which nobody feels
 *   rigid_places.c          where those touch that are round
 *   rigid_crests.c          where corners and edges of meshes and fields that stand touch them
 *   rigid_points.c          which of all these are found again, by rigid_seen.c in lanes
 *   rigid_blocks.c          points of bodies laid out for lanes
 *   rigid_sweep.c           how they are solved in a substep
 *   rigid_rounds.c          a round of that, in lanes
 *   rigid_turn.c            how they turn what they strike
 *   rigid_rolling.c         the resistance to rolling
 *   rigid_contact.c         the same of balls of nodes; recovery, and velocities
 *   rigid_restitution.c     impacts that pass from body to body
 *   rigid_meeting.c         where those are that strike each other
 *   rigid_flying.c          those that touch each other alone
 *   rigid_links.c           joints that bear their part of them
 *   rigid_memory.c          what is known from step to step
 *   rigid_contact_events.c  who touched in the step
 *
 * Pairs are found with those of nodes and colliders that nobody carries (collider_contact.h), and
 * are solved behind them.
 */
#ifndef SN_CONTACT_RIGID_RIGID_CONTACT_H
#define SN_CONTACT_RIGID_RIGID_CONTACT_H

#include "base/archive.h"
#include "contact/collider/collider_contact.h"
#include "contact/contact_partition.h"

#include <stdatomic.h>

enum { SN_RIGID_MANIFOLD = 4, SN_RIGID_PIECES = 64 };
/* In the place of a slot or of what has one. */
#define SN_RIGID_NOBODY UINT32_MAX

/* Of which node the normal of a point of a manifold is. */
typedef enum sn_rigid_owner {
    SN_RIGID_NONE,  /* no point of a manifold */
    SN_RIGID_APART, /* of one that has no such point now */
    SN_RIGID_FIRST,
    SN_RIGID_SECOND
} sn_rigid_owner;

/* Of a contact beside its rows. What every substep asks of all points comes first, so that it is in
   one line of a cache; of the rest, most substeps ask for the first of manifolds alone. */
typedef struct sn_rigid_search {
    sn_vec4 at; /* m, where the point is in the frame of its node; w: its radius */
    /* m, where that is on the second; of a rim, where it was on the first when the substep began.
       From there to `at`, of the owner. */
    sn_vec4 on, normal;
    /* That which touches, and that which carries the collider; twice the first if nobody does. */
    uint32_t node[2];
    uint8_t manifold; /* sn_rigid_owner */
    bool touched;     /* in this step */
    bool stuck;       /* whether both were deeper in each other than may end in a substep */
    bool struck;      /* whether they came together in this one, by more than they were held */
    bool leans;       /* whether lever arms were those of its beginning (rigid_sweep.c) */
    bool leads;       /* whether it is the first of its manifold, and the others are the next */
    bool between;     /* whether it goes along the axis of a capsule, to where that is closest */
    bool rim;         /* whether it goes along the rim of a cylinder, so that one is closest */
    bool round;       /* whether it is of a ball, a capsule or a crest that stands */
    bool fast;        /* of the first of a manifold: whether it moves by more than its size */
    uint32_t collider;
    /* Number + 1 of the point of a body that touches; 0 for the ball of a node. Those of a manifold
       have the first numbers of the shape. */
    uint32_t point;
    uint32_t part;    /* number + 1 of the part of the collider that it touches; 0: all of it */
    uint32_t form[2]; /* of a manifold */
    /* Of a corner or an edge of that: number + 1 of its triangle, and which (rigid_crests.h). */
    uint32_t crest;
    uint8_t spot;
    bool flips;      /* whether it has begun to be near in this substep, or ended it */
    sn_real rolling; /* m, of what is round: its radius times the resistance to rolling */
    bool follows;    /* whether it is of a manifold, and not the first of it */
    bool spins;      /* of a manifold: whether a side is a cylinder, whose spin nobody sees */
    bool beside;  /* of the first of a manifold: whether rims of a cylinder touch by themselves */
    bool seen;    /* whether it was looked for in this step, from the pose below */
    sn_real size; /* m, of the first of a manifold: that of the smaller */
    /* m, of a crest: how far away it was at least when it was looked for; 0: near */
    sn_real clear;
    sn_vec4 seen_turn, seen_at; /* that of the second in the first when points were found */
} sn_rigid_search;

/* Of the same contact, what those ask for that bounce, roll, or are of the ball of a node. */
typedef struct sn_rigid_aside {
    sn_vec4 rolled[2]; /* kg m^2 rad, by which rolling has turned both in the substep; about n */
    sn_vec4 had; /* N s, where it bounces: impulses of the step before the substep; w: along n */
    sn_node_search ball; /* of the node in the collider */
} sn_rigid_aside;

/* What is carried, and what stands and is round or has faces, by its collider; behind all of these,
   the parts of compounds. */
typedef struct sn_rigid_form {
    size_t point, points;      /* of its points, the first and how many */
    size_t part, parts;        /* the same of the forms of its parts */
    bool hollow;               /* whether it, or one of these, is not round and has no faces */
    bool rims;                 /* whether it is a cylinder, whose points go along its rims */
    bool round;                /* whether it is a ball or a capsule */
    sn_real bound;             /* m, of a ball about its origin that is around it */
    size_t axis, faces, edges; /* the same of its axes; no faces: it has no manifolds */
    sn_real size, reach;       /* m; from the centre of the node */
    sn_vec4 half;              /* m, of a box along its first three axes; 0 for others */
    /* Of a box when pairs are found: these axes in the world, and its middle from x of the node. */
    sn_vec4 side[3], middle;
} sn_rigid_form;

/* What may touch a collider that is carried, as found when pairs are counted, so that it need not
   be looked for again when they are made; where there is more, it is. */
enum { SN_RIGID_FEW = 16 };
typedef struct sn_rigid_few {
    uint32_t collider, point, part, form[2], crest; /* these as in sn_rigid_search */
    uint8_t spot;
    bool between, round, whole; /* whole: by a manifold */
} sn_rigid_few;
typedef struct sn_rigid_fews {
    size_t count;
    sn_rigid_few found[SN_RIGID_FEW];
} sn_rigid_fews;

/* A body in the sweeps of a substep, by frames. What rounds ask for comes first. */
typedef struct sn_rigid_body {
    sn_vec4 turned;           /* rad, by contacts */
    sn_vec4 shift, twist;     /* m, rad: of velocities alone, over the substep */
    uint32_t stirred;         /* 1 + the last round in which it was moved by more than little */
    bool far;                 /* whether it turns far in the substep (rigid_sweep.c) */
    bool held;                /* whether constraints turn it in the substep as well */
    bool pulled;              /* whether they move it */
    bool second;              /* whether it goes on from two substeps (state/history.h) */
    sn_vec4 inverse[3];       /* 1/(kg m^2), about the axes of the world */
    sn_vec4 now[3], start[3]; /* the axes of its frame, now and when the substep began */
    sn_vec4 spin;             /* rad, how it turns in the substep */
    sn_vec4 done;             /* rad, how much of what it was turned by its frame has been */
} sn_rigid_body;

/* A pair, of which a manifold is one, as it is found again. */
typedef struct sn_rigid_key {
    uint32_t collider, point, part; /* as in sn_rigid_search; no point: nothing is kept of it */
    uint32_t crest;
    uint8_t spot;
    uint32_t slot;
} sn_rigid_key;

/* Points in these sweeps (rigid_rounds.h). */
typedef struct sn_rigid_block sn_rigid_block;

/* What is known of a contact when a step is over (rigid_memory.c). */
typedef struct sn_rigid_kept {
    uint32_t own, collider; /* numbers + 1, of what touches and of what is touched */
    uint16_t own_generation, generation;
    uint32_t point; /* number + 1 of a point of the first */
    uint32_t part;  /* the same of a part of the second; 0: all of it */
    uint32_t crest; /* these as in sn_rigid_search: */
    uint8_t spot;
    uint8_t manifold;           /* sn_rigid_owner */
    bool seen;                  /* these as in sn_rigid_search: */
    sn_vec4 at, on, normal;     /* m */
    sn_vec4 seen_turn, seen_at; /* of the first of a manifold */
    sn_vec4 turn, place;        /* m, of the first as seen from the second, in the end */
    sn_real push;               /* m, of the last substep */
    sn_vec3 slide;              /* m, the same */
} sn_rigid_kept;

/* For what pairs were found when a step began (rigid_found.c). */
typedef struct sn_rigid_found {
    sn_vec4 *x, *d, *q; /* of nodes (m) and frames, where they were then */
    double *reach;      /* m, by which anything of each collider may be elsewhere */
    size_t x_capacity, d_capacity, q_capacity, reach_capacity;
    uint32_t bodies; /* how many nodes there were; all of them carried something */
} sn_rigid_found;

/* State. */
typedef struct sn_rigid_memory {
    sn_rigid_kept *kept;
    size_t count, capacity;
    sn_rigid_found found;
} sn_rigid_memory;

/* Where the pairs of a step come from. */
typedef enum sn_rigid_source {
    SN_RIGID_FRESH, /* found when it began, or again in the middle of it */
    SN_RIGID_STAY,  /* those of the step before, in their slots */
    SN_RIGID_AGAIN  /* the same, found again from what they were found for */
} sn_rigid_source;

struct sn_contacts;

/* What a step has done to a contact, or to a manifold: all of those of its points that touched. */
typedef struct sn_rigid_told {
    sn_vec4 impulse; /* N s; w: along the normal */
    sn_vec4 normal;  /* w: N s, of the point that bears most */
    uint8_t touched; /* a bit for each point */
    uint8_t bears;   /* the number of that one */
} sn_rigid_told;

/* What a collider was when the last step ended. */
typedef struct sn_rigid_left {
    sn_vec4 turn, place; /* m, of the node that carries it, or its own */
    uint32_t carrier;    /* these as in sn_colliders: */
    uint16_t generation;
    bool alive;
    sn_shape shape;
    uint32_t points, parts; /* how many */
} sn_rigid_left;

typedef struct sn_rigid_impact sn_rigid_impact;
typedef struct sn_rigid_link sn_rigid_link;

/* How a node moves, in the world, but for contacts. */
typedef struct sn_rigid_flight {
    sn_vec4 v, spin; /* m/s, rad/s */
    sn_vec4 gained;  /* m/s, of that by what accelerates it in the substep */
    sn_vec4 d, q;    /* m; where it goes so in the substep, and how it is turned then */
    sn_vec4 astray;  /* kg m^2/s, that it has since, since it is elsewhere */
    /* Of the first of those that strike together, when they meet (rigid_meeting.c). */
    sn_vec4 x;             /* m, to which d is, when the substep began */
    sn_vec4 came, came_by; /* m/s, kg m^2/s: v and angular momentum before impacts */
    sn_vec4 given;         /* N s, by sweeps */
    sn_real left;          /* s, of the substep behind that; below zero: it stays where it is */
    sn_real early, late;   /* s: it is between these, */
    sn_real apart, under;  /* m: how deep they are in each other at these, below zero, and above */
    sn_real deep, near;    /* m: the same at `left`, and how little that may be */
    sn_real passed;        /* s: `left`, as sweeps have found it */
    bool listed, found;    /* whether it is one of those; whether `left` is known */
    bool touched;          /* whether they touched where it was looked for before */
    bool spoiled;          /* whether they stay where sweeps have put them */
} sn_rigid_flight;

/* What finding them needs; the contacts themselves are in their set (contacts.h), whose pairs are
   numbers of these records. */
typedef struct sn_rigid_contacts {
    /* The points by which what is carried touches others, node by node, the collider of each, and
       where those of every node begin. */
    sn_vec4 *point; /* m, in the frame of the node; w: its radius */
    sn_real *half;  /* m, of the capsule between whose ends it is (shape_points.h) */
    uint32_t *own;
    size_t *point_begin;
    size_t points, point_capacity, half_capacity, own_capacity, point_begin_capacity;
    sn_rigid_form *form; /* by colliders, and of parts */
    sn_vec4 *axis;       /* in the frame of the node (shape_axes.h) */
    size_t form_capacity, axis_capacity;
    size_t *begin; /* of the pairs of each node; one more than nodes */
    /* The same of those of which a manifold is one; and before pairs were found again. */
    size_t *unit, *old_unit;
    size_t begin_capacity, unit_capacity, old_unit_capacity;
    sn_rigid_key *key, *old_key; /* of these */
    size_t key_capacity, old_key_capacity;
    /* Scratch: of these, the slot that each had in the last step, and by slots, who has it. */
    uint32_t *from, *of_slot;
    size_t from_capacity, of_slot_capacity;
    sn_rigid_search *search, *old;     /* by slots; old: before pairs were found again */
    sn_rigid_aside *aside, *old_aside; /* the same */
    size_t search_capacity, old_capacity, aside_capacity, old_aside_capacity;
    size_t *old_begin;
    size_t old_begin_capacity;
    /* Scratch: by pairs, of which a manifold is one, until these have slots; and the nodes of
       these, those of the second behind. */
    sn_rigid_search *found;
    uint32_t *node;
    size_t found_capacity, node_capacity;
    sn_contact_partition partition;
    sn_rigid_body *body;
    sn_rigid_block *block; /* of points that may touch, group by group, from its first block on */
    size_t body_capacity, block_capacity;
    sn_rigid_fews *few; /* scratch: by colliders */
    size_t few_capacity;
    size_t active[SN_CONTACT_MOST_GROUPS]; /* how many of these blocks */
    /* Whether they have what is known of the points of a group, before its rows; and whether these
       have nothing of the step. */
    bool laid[SN_CONTACT_MOST_GROUPS], clean[SN_CONTACT_MOST_GROUPS];
    sn_real laid_h;      /* s, of the substeps that they are for */
    sn_rigid_told *told; /* by slots, of the first of a manifold for all of it; when a step ends */
    size_t told_capacity;
    atomic_bool stale[SN_CONTACT_MOST_GROUPS]; /* scratch: whether a manifold gets other points */
    uint16_t *moved; /* scratch: by blocks of the set, lanes that are looked for again */
    size_t moved_capacity;
    int rounds[SN_CONTACT_MOST_GROUPS];   /* how often these are looked at in a substep */
    int relaxing[SN_CONTACT_MOST_GROUPS]; /* the same for velocities alone */
    bool stuck[SN_CONTACT_MOST_GROUPS];   /* whether bodies are deep in each other */
    /* Scratch, where anything bounces: contacts that were pushed, and the motion of nodes. */
    sn_rigid_impact *impact;
    sn_rigid_flight *flight;
    size_t impact_capacity, flight_capacity;
    /* Likewise: joints of what strikes, and by nodes who hangs together; behind these, who is
       struck. */
    sn_rigid_link *link;
    uint32_t *chain;
    size_t links, link_capacity, chain_capacity;
    /* Likewise, where two or more can be moved: who flies; whether any that fly touch, and an
       integrator remembers; and whether any strike that do not bounce (rigid_flying.c). */
    uint32_t *flying;
    size_t flying_capacity;
    bool fly, strike;
    /* By colliders; and of how many colliders and nodes that is. */
    sn_rigid_left *left;
    size_t left_count, left_nodes, left_capacity;
    sn_rigid_source source;
    bool unwritten;  /* whether what is kept of the last step is in slots alone */
    bool carries;    /* while a step is planned: whether these are now the old ones */
    size_t searches; /* how often pairs were found */
    double reach;    /* m, of what is carried, in the mean */
    bool balls;      /* whether any is of the ball of a node */
    bool crests;     /* whether any is of a crest */
    bool crowded;    /* whether a body is near more crests than it has contacts with */
    bool rolls;      /* whether rolling of any is resisted */
    bool begins;     /* whether sweeps are the first of a substep */
    bool meets;      /* whether any are where they met in it */
    /* Whether points of any manifold were found along its path in this substep. */
    atomic_bool fast;
} sn_rigid_contacts;

void sn_rigid_contacts_free(sn_rigid_contacts *contacts, sn_memory *memory);

/* A contact at hand. */
typedef struct sn_rigid_contact {
    sn_real *row; /* its lane of the rows */
    sn_rigid_search *search;
    sn_rigid_aside *aside;
} sn_rigid_contact;

/* How many blocks have the points of the same manifolds, from one of a group on that is the first
   of these. */
static inline size_t sn_rigid_contact_chain(const sn_rigid_contacts *contacts, size_t block) {
    return contacts->search[block * SN_CONTACT_BLOCK].leads ? SN_RIGID_MANIFOLD : 1;
}

/* Whether any collider is carried. */
bool sn_rigid_contact_is_needed(const sn_world *world);
/* Finds the pairs for what is left of a step; false when there is no memory. */
bool sn_rigid_contact_find(sn_world *world, double time, double dt);
/* The same from where bodies and their colliders are said to be. */
bool sn_rigid_contact_find_here(sn_world *world);
/* Whether a carried collider has gone further than was expected. */
bool sn_rigid_contact_has_outrun(sn_world *world);
/* What is known of pairs is set aside, or fetched back; and goes with those found since. */
void sn_rigid_contact_set_aside(sn_world *world);
void sn_rigid_contact_carry_over(sn_world *world);
/* The beginning of a substep: carried colliders go with their nodes; and what is known of pairs
   then. */
void sn_rigid_contact_follow(sn_world *world);
void sn_rigid_contact_begin(sn_world *world, const sn_substep *substep);
/* Sweeps move bodies; what they did is with nodes and frames when they end. The last of a substep
   relax what places were moved by, once: given again and again, it drives what lies. */
void sn_rigid_contact_project(sn_world *world, const sn_substep *substep, bool first);
void sn_rigid_contact_end_sweep(sn_world *world, const sn_substep *substep, bool last);
/* Turns frames to where sweeps have turned bodies, before these end. */
void sn_rigid_contact_turn(sn_world *world, const sn_substep *substep);
/* After sweeps that have not ended: whether anything was struck in them; and whether a node was
   pushed by more than little. */
bool sn_rigid_contact_has_struck(const sn_world *world);
bool sn_rigid_contact_pushes(const sn_world *world, uint32_t node);
void sn_rigid_contact_recover(sn_world *world, const sn_substep *substep);
/* What steps have left in blocks goes into the rows of the set (rigid_rounds.h). */
void sn_rigid_blocks_write(struct sn_contacts *contacts);
/* Where an integrator remembers, at the end of a substep: bodies that fly. */
void sn_rigid_flying_begin_anew(sn_world *world);
/* The end of a step: what is told of contacts. */
void sn_rigid_blocks_tell(sn_world *world);
/* Whether impacts may be played, and in the present substep. */
bool sn_rigid_contact_plays(const sn_world *world);
bool sn_rigid_contact_strikes(const sn_world *world);
void sn_rigid_contact_bounce(sn_world *world, const sn_substep *substep);

/* ---- Between the files ---- */

/* Room for so many contacts that are kept; false when there is no memory. */
bool sn_rigid_memory_reserve(sn_world *world, size_t count);
/* When a step begins, before pairs are found: what is kept is set aside, or written, unless pairs
   stay. When it is planned: without success, what was set aside is fetched back. */
void sn_rigid_memory_begin(sn_world *world);
void sn_rigid_memory_planned(sn_world *world, bool success);
/* Which of the pairs that were set aside those of a range of nodes are; and what is known of one of
   them goes from its slot to another, the first of a manifold. */
void sn_rigid_memory_match(void *world, size_t begin, size_t end);
void sn_rigid_memory_carry(const sn_world *world, uint32_t from, uint32_t to);
/* Those found when a step begins get what was written, where nothing was set aside; when it ends,
   what is kept is theirs, in their slots until it is written. */
void sn_rigid_memory_recall(sn_world *world);
void sn_rigid_memory_keep(sn_world *world);
void sn_rigid_memory_write(struct sn_contacts *contacts);
void sn_rigid_memory_free(sn_rigid_memory *kept, sn_memory *memory);
void sn_rigid_memory_serialize(sn_world *world, sn_archive *archive);

/* Whether what is known of a contact in a slot goes on to the next step. */
bool sn_rigid_memory_is_kept(const sn_contact_set *set, const sn_rigid_search *contact,
                             uint32_t slot);

/* Whether the pairs of the step before do for one of dt seconds that begins. */
bool sn_rigid_found_holds(const sn_world *world, double dt);
/* Before pairs are found for a step: colliders may go further where pairs hold longer for it. */
void sn_rigid_found_look_ahead(sn_world *world, double dt);
/* m: how far anything of a carried collider is from where it was when they were found. */
double sn_rigid_found_gone(const sn_world *world, size_t collider);
/* Room for it; false when there is no memory. When a step is planned: pairs are noted, or are made
   ready for it in their slots. */
bool sn_rigid_found_reserve(sn_world *world);
void sn_rigid_found_planned(sn_world *world);
/* Finds them again from what they were found for; poses of colliders are to be begun anew after it.
   False when there is no memory. */
bool sn_rigid_found_restore(sn_world *world, double dt);
void sn_rigid_found_free(sn_rigid_found *found, sn_memory *memory);
void sn_rigid_found_serialize(sn_world *world, sn_archive *archive);

/* Whether a collider is carried; whether it is, or stands and is round or has faces. */
bool sn_rigid_is_carried(const sn_world *world, size_t collider);
bool sn_rigid_has_form(const sn_world *world, size_t collider);
/* Lists points and forms; false when there is no memory. */
bool sn_rigid_forms_list(sn_world *world);

/* The frame of the second, a node or a collider that stands, in that of the node of the first; now,
   or when the substep began. */
typedef struct sn_rigid_pose {
    sn_v4 turn, at; /* at: m */
} sn_rigid_pose;
sn_rigid_pose sn_rigid_pose_of(const sn_world *world, const uint32_t node[2], uint32_t collider,
                               bool then);

/* Whether both have hardly moved as seen from each other since a point was found, by no more than
   that part of the size (m) or rad; notes where they are otherwise. */
bool sn_rigid_is_known(sn_rigid_search *search, sn_rigid_pose other, sn_real size, sn_real little);

/* m: the size of the smaller of two forms. */
sn_real sn_rigid_size_of(const sn_world *world, const uint32_t form[2]);
/* Finds the points of a manifold, of which a slot has the first, or of all contacts, from where
   nodes are now. */
void sn_rigid_manifold_find(const sn_world *world, uint32_t slot);
void sn_rigid_points_find(sn_world *world);
/* Where points are that go along the axis of a capsule or the rim of a cylinder, and those of what
   is round and stands. */
void sn_rigid_place_between(const sn_world *world, sn_rigid_search *search);
void sn_rigid_place_on_rim(const sn_world *world, sn_rigid_search *search);
/* Whether a point that goes along the rim of a cylinder is beside a place on it, where both are
   now, and no further (m) from what it touches. */
bool sn_rigid_rim_has(const sn_world *world, const sn_rigid_search *search, sn_v4 at,
                      sn_real little);
void sn_rigid_place_round(const sn_world *world, sn_rigid_search *search);
/* Where a place on a side of a manifold of cylinders was when the substep began, in its frame, and
   back; m: from the centre of the first to such a point then, in the world. */
sn_v4 sn_rigid_place_then(const sn_world *world, const sn_rigid_search *search, int k, sn_v4 at);
sn_v4 sn_rigid_place_now(const sn_world *world, const sn_rigid_search *search, int k, sn_v4 at);
sn_v4 sn_rigid_arm_then(const sn_world *world, const sn_rigid_search *search);
/* Whether two forms with faces, that these nodes carry, are no further apart than that (m), along
   the normals of these. The second may be of a collider that stands. */
bool sn_rigid_manifold_is_near(const sn_world *world, const uint32_t form[2],
                               const uint32_t node[2], uint32_t collider, sn_real reach);
/* What is fast and was turned far stays on its side: all of it is put before the other. */
void sn_rigid_manifolds_hold(sn_world *world);
/* m: how deep the two are in each other at a point of a manifold, now or when the substep began,
   and the normal there in the world. */
sn_real sn_rigid_manifold_depth(const sn_world *world, const sn_rigid_search *search, bool then,
                                sn_v4 *normal);

/* Whether any bodies may strike each other in flight; room for them, false when there is no memory.
   When the sweeps of a substep are over: who flies. And whether a node strikes so, and what it
   touches does, of those that do not bounce. */
bool sn_rigid_may_fly(const sn_world *world);
bool sn_rigid_flying_reserve(sn_world *world);
void sn_rigid_flying_find(sn_world *world);
bool sn_rigid_flying_strikes(const sn_world *world, uint32_t node);

/* How often contacts are looked at: points of a body share its weight, and several rounds find
   how. */
int sn_rigid_contact_rounds(const sn_world *world);
/* Room for so many impacts; false when there is no memory. What is known when a substep begins; and
   what impacts give each contact, in its rows (SN_ROW_IMPACT); below zero: it has none. */
bool sn_rigid_restitution_reserve(sn_world *world, size_t count);
void sn_rigid_restitution_free(sn_rigid_contacts *contacts, sn_memory *memory);
void sn_rigid_restitution_begin(sn_world *world, const sn_substep *substep);
void sn_rigid_restitution_play(sn_world *world, const sn_substep *substep);
/* When velocities have it: what was turned since it flew has no more energy for that. */
void sn_rigid_restitution_end(sn_world *world);
void sn_rigid_contact_project_ball(sn_world *world, const sn_substep *substep, uint32_t slot);
/* m: how deep what touches is in a collider, now or when the substep began, and the normal there in
   the world. `arm` is from the centre of the body to its point. */
sn_real sn_rigid_contact_depth(const sn_world *world, const sn_rigid_contact *contact, bool then,
                               sn_v4 arm, sn_v4 *normal);
/* Where the collider is now: nobody else of its layer moves its node. */
void sn_rigid_contact_follow_one(const sn_world *world, const sn_rigid_contact *contact);

sn_rigid_contact sn_rigid_contact_at(const sn_world *world, uint32_t slot);
/* m: from the centres of both nodes to where they touch, now or when the substep began. A ball that
   nothing turns is touched at its centre. */
void sn_rigid_contact_arms(const sn_world *world, const sn_rigid_contact *contact, sn_v4 normal,
                           bool then, sn_v4 arm[2]);
/* m: those with which the sweeps of a substep pushed both (rigid_sweep.c), when they are over. */
void sn_rigid_contact_swept_arms(const sn_world *world, const sn_rigid_contact *contact,
                                 sn_v4 normal, sn_v4 arm[2]);
/* A side of a contact: a node, and where on it they touch. */
typedef struct sn_rigid_side {
    uint32_t node;
    bool turns; /* whether its frame does */
    sn_real w;  /* 1/kg */
    sn_v4 arm;  /* m, from its centre */
    sn_v4 from; /* m, the same when the substep began, by which it gets angular momentum */
} sn_rigid_side;

void sn_rigid_contact_sides(const sn_world *world, const sn_rigid_contact *contact, sn_v4 normal,
                            sn_rigid_side sides[2]);
/* The same for what an impact does, where bodies fly in the substep. */
void sn_rigid_restitution_sides(const sn_world *world, const sn_rigid_contact *contact,
                                sn_v4 normal, sn_rigid_side sides[2]);
/* What an impact does to both, in N s along the normal. */
void sn_rigid_restitution_strike(const sn_world *world, const sn_rigid_contact *contact,
                                 const sn_rigid_side sides[2], sn_v4 normal, sn_real impulse);
/* Impulses of sweeps (N s) are to be taken back at these. */
void sn_rigid_restitution_note(const sn_world *world, const sn_rigid_contact *contact,
                               const sn_rigid_side sides[2], sn_v4 swept, sn_real h);
/* Of the way by which both centres came nearer, the part that the lever arm of the first has in it,
   and that of the second has not, for both to begin where they are to begin and end in one place.
   What is round has none, and is touched right below its middle; of others the lighter has less. */
sn_real sn_rigid_share(const sn_world *world, const sn_rigid_search *search, const sn_real w[2]);
/* 1/kg: how easily a side moves along a direction of unit length, where they touch. */
sn_real sn_rigid_side_ease(const sn_world *world, const sn_rigid_side *side, sn_v4 along);
/* An impulse times h, in kg m, where they touch; returns what that turns it by, in rad. The same
   motion, taken out of what velocities follow from; an impulse in N s, to velocities. */
sn_v4 sn_rigid_side_push(const sn_world *world, const sn_rigid_side *side, sn_v4 impulse);
void sn_rigid_side_recover(const sn_world *world, const sn_rigid_side *side, sn_v4 impulse);
void sn_rigid_side_strike(const sn_world *world, const sn_rigid_side *side, sn_v4 impulse);
/* m/s: how it moves where they touch, given velocity and spin in its frame. */
sn_v4 sn_rigid_side_velocity(const sn_world *world, const sn_rigid_side *side, sn_v4 v,
                             sn_v4 omega);
/* 1/kg: how easily both move along a direction of unit length, where they touch. */
sn_real sn_rigid_contact_ease(const sn_world *world, const sn_rigid_side sides[2], sn_v4 along);
/* m: how the collider moves in the substep where the node touches it. */
sn_v4 sn_rigid_contact_motion(const sn_world *world, const sn_rigid_contact *contact);

#endif

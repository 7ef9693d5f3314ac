/* A scene that was read: what its parts are by name, and what happens in it. */
#ifndef SN_IO_SCENE_SCENE_STATE_H
#define SN_IO_SCENE_SCENE_STATE_H

#include "io/scene/scene_parts.h"

#include "io/scene/point.h"

#include <sinew/animation_target.h>
#include <sinew/generate.h>
#include <sinew/volume.h>
#include <sinew_io/animation.h>
#include <sinew_io/scene.h>

/* Memory that is freed with the scene. */
struct scene_block;

typedef struct scene_nodes {
    sn_node *items;
    size_t count, capacity;
} scene_nodes;

typedef struct scene_mesh {
    const char *name;
    sn_mesh mesh;
    sn_mesh visible;   /* the surface that is seen, where it is not that of the mesh; else empty */
    sn_real (*uvs)[2]; /* of the vertices that are seen, from a file; null without */
    sn_vec3 *colours;  /* likewise */
    bool owns_uvs;     /* and colours: it was read from a file */
    const sn_io_look *look;           /* of the material of its file, where it has one; else null */
    const sn_io_materials *materials; /* of its file, where it has several; else null */
    sn_io_materials own;              /* what both are of, where the mesh was read */
    sn_embedding *embedding;          /* of the skin; null without one */
    struct sn_blend
        *blend;   /* how the skin follows tets with their gradients; null if it does not */
    bool skinned; /* the skin follows the frames of the nodes */
    const sn_wrinkle_mesh_def *wrinkles; /* how the skin folds on the mesh; null if it does not */
    bool making, ready;                  /* on its way; made */
    struct scene_mesh *next;
} scene_mesh;

typedef struct scene_body {
    const char *name;
    const char *group; /* of a copy, the name of all of them together; else null */
    sn_kind kind;
    const scene_mesh *mesh;
    sn_build build;
    sn_node *nodes;
    double scale;             /* of the mesh */
    double length;            /* of lines at rest, over that of the mesh */
    bool slides;              /* whether its chains of lines keep their whole length alone */
    struct sn_blend *blend;   /* how a skinned mesh follows, else null */
    sn_quat *frames;          /* of the nodes, then */
    sn_vec3 *scales;          /* likewise */
    sn_wrinkle_mesh wrinkles; /* what is seen, where the mesh folds; else null */
    sn_io_look look;
    const sn_io_look *materials;           /* as many as the mesh has; null without */
    const struct scene_children *children; /* null without */
    struct scene_foam *foam;               /* likewise */
} scene_body;

typedef struct scene_item {
    const char *name; /* may be empty */
    sn_node node;
    sn_vec3 colour; /* in sRGB, or SN_AUTO */
    sn_body alone;  /* of what is rigid and of no other; else null */
} scene_item;

typedef struct scene_collider {
    const char *name;
    sn_collider collider;
    sn_node node;            /* of a rigid body, which has its name too; else null */
    sn_node shown_on;        /* of a link of a robot, in whose frame its look is; else null */
    sn_collider_def start;   /* where it was at the beginning */
    const scene_mesh *look;  /* what is drawn of it; empty for a plane */
    const sn_real (*uvs)[2]; /* of that, from a file; null without */
    const sn_vec3 *colours;  /* likewise */
    sn_io_look drawn;        /* in which colours */
    const sn_io_materials *materials; /* of that, where it has several; null without */
    const sn_io_look *skins;          /* as many, as they are drawn */
    size_t animation;                 /* place in the list of the scene + 1, or 0 */
    sn_vec3 next_position;            /* where it is at the end of the frame */
    sn_quat next_orientation;
} scene_collider;

/* A mesh that moves; positions are those of its vertices in the frame of the collider. */
typedef struct scene_animation {
    sn_io_animation *animation;
    sn_io_playback playback;
    sn_real scale;    /* of the collider */
    sn_vec3 *next;    /* at the end of the frame, m */
    sn_vec3 *scratch; /* as many */
} scene_animation;

/* A surface is there when a pair names it. */
typedef struct scene_surface {
    const char *name;
    const json_node *source; /* where it was named first */
    bool used;               /* by a body or a collider */
} scene_surface;

typedef struct scene_link {
    const char *name;
    sn_constraint constraint;
    sn_type type;
    sn_real shown;           /* m, how thick it is drawn; 0: it is not */
    sn_vec3 colour;          /* of what is drawn of it, in sRGB, or SN_AUTO */
    size_t points;           /* of that */
    const json_node *source; /* what is said of it; null where nothing is */
} scene_link;

/* A node that was pinned, and what it weighed. */
typedef struct scene_pin {
    sn_node node;
    sn_real inverse_mass;    /* 1/kg */
    sn_vec3 inverse_inertia; /* 1/(kg m^2) */
} scene_pin;

typedef struct scene_force {
    const json_node *source;
    scene_nodes nodes;
    scene_force_part part;
    bool changes; /* with the time */
} scene_force;

/* Nodes that hang on something, for some time. */
typedef struct scene_attachment {
    const json_node *source;
    scene_attachment_part part;
    scene_nodes nodes;
    sn_attach_def target; /* the body or the node */
    sn_collider collider; /* or this, with a kinematic node for each that hangs on it */
    sn_node *anchors;
    size_t animated; /* place of the collider in the list + 1, if it is animated; else 0 */
    sn_io_follower *followers; /* then, of the anchors */
} scene_attachment;

/* What is switched at times: constraints, or those that an attachment has made. */
typedef struct scene_track {
    sn_constraint *constraints;
    size_t constraint_count;
    size_t attachment; /* place in the list of the scene + 1, or 0 */
    bool enabled;      /* at the beginning */
    scene_switch *items;
    size_t count;
} scene_track;

/* A body that follows; positions (m) and normals at the beginning, then room for as many more. */
typedef struct scene_animation_target {
    const char *body;
    sn_animation_target animation_target;
    sn_vec3 *start, *normals;
    size_t count;
    size_t animated;           /* place of the collider that carries it + 1, or 0 */
    sn_io_follower *followers; /* then: of all places, and of all normals */
} scene_animation_target;

typedef struct scene_motion {
    scene_nodes nodes;
    size_t animation_target; /* place in the list of the scene + 1, or 0 */
    size_t *colliders;       /* places in the list of the scene */
    size_t collider_count;
    scene_motion_part part;
    scene_key *keys;
    size_t key_count;
    sn_vec3 *start;  /* m, positions of the nodes at the beginning */
    sn_quat *facing; /* and their orientations */
} scene_motion;

typedef struct scene_muscle {
    scene_muscle_part part;
    sn_body body;
    scene_pulse *keys;
    size_t key_count;
} scene_muscle;

/* What of a scene has values that change, and where: a member of an object by its field. */
typedef enum scene_subject {
    SCENE_OF_SETTINGS,
    SCENE_OF_COLLIDER,
    SCENE_OF_CONSTRAINT,
    SCENE_OF_SURFACE,
    SCENE_OF_DAMPING_GROUP,
    SCENE_OF_FORCE,
    SCENE_OF_MATERIAL,
    SCENE_OF_FORMULA, /* whose t is the time */
    SCENE_OF_SERVO,   /* of a robot */
    SCENE_OF_EFFECTOR
} scene_subject;

typedef struct scene_member {
    const json_node *node;
    const scene_field *field;
} scene_member;

/* A type of the scene's own, which all constraints of the same formula share. */
typedef struct scene_formula {
    const char *text;
    const char **names;
    int nodes;
    sn_type type;
    bool timed; /* whether it depends on the time */
} scene_formula;

typedef struct scene_change {
    scene_subject of;
    size_t index;                   /* place in the list of the scene */
    sn_material pair[2];            /* of surfaces */
    sn_damping_group damping_group; /* or this */
    sn_effector effector;           /* or this */
    const json_node *source;
    scene_member *members;
    size_t count;
} scene_change;

/* Two that touch: a body, and another or a collider, as places in their lists. */
typedef struct scene_touch {
    uint64_t key;
    sn_vec3 place; /* m, of the first point */
    bool now;      /* in the last frame */
} scene_touch;

/* What statistics tell of emitters and drains. */
typedef struct scene_emitter {
    const char *name;
    sn_emitter emitter;
} scene_emitter;

typedef struct scene_drain {
    const char *name;
    sn_drain drain;
} scene_drain;

typedef struct scene_diffusion {
    const char *name;
    sn_diffusion diffusion;
    scene_tint tint;
} scene_diffusion;

/* Where a body is cut; of a plane there are no keys. */
/* What keeps a node of hair within reach of a root that is pinned. */
typedef struct scene_tether {
    sn_node root;
    sn_constraint tether;
} scene_tether;

typedef struct scene_cut {
    const json_node *source;
    scene_cut_part part;
    scene_motion path; /* of the blade; only its keys and how they are joined count */
    size_t body;       /* place in the list of the scene */
} scene_cut;

/* Nodes are found when the scene is opened, where they are then. */
typedef struct scene_action {
    scene_action_part part;
    const json_node *source;
    scene_nodes pin, release, velocity, impulse;
    sn_vec3 new_velocity, push; /* m/s, N s */
} scene_action;

typedef struct scene_measure {
    scene_measure_part part;
    scene_nodes nodes;
} scene_measure;

typedef struct scene_probe {
    scene_probe_part part;
    sn_filter_def filter;
} scene_probe;

/* One more of each part makes its array grow. */
#define SCENE_ARRAY(type)                                                                          \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count, capacity;                                                                    \
    }

struct sn_scene {
    scene_reader reader;
    scene_tables tables;
    scene_root *roots; /* of the files */
    scene_run run;
    const char *title, *about;
    sn_world *world;
    sn_log *log; /* null means silence */
    void *log_user;
    bool choose_substeps; /* whether they are automatic */
    const char *building; /* the name of the body that is being built, or null */
    struct scene_block *blocks;
    scene_mesh *meshes;
    SCENE_ARRAY(scene_body) bodies;
    SCENE_ARRAY(scene_item) nodes;
    SCENE_ARRAY(scene_link) links;
    SCENE_ARRAY(scene_collider) colliders;
    SCENE_ARRAY(scene_animation) animations;
    SCENE_ARRAY(scene_surface) surfaces; /* number 1 and so on */
    SCENE_ARRAY(scene_pin) pins;
    SCENE_ARRAY(scene_force) forces;
    SCENE_ARRAY(scene_attachment) attachments;
    SCENE_ARRAY(scene_track) tracks;
    SCENE_ARRAY(scene_animation_target) animation_targets;
    SCENE_ARRAY(scene_motion) motions;
    SCENE_ARRAY(scene_muscle) muscles;
    SCENE_ARRAY(scene_action) actions;
    SCENE_ARRAY(scene_cut) cuts;
    SCENE_ARRAY(scene_tether) tethers;
    SCENE_ARRAY(scene_change) changes;
    SCENE_ARRAY(scene_formula) formulas;
    bool watched; /* whether frames say what happened (scene_events.c) */
    SCENE_ARRAY(sn_scene_event) events;
    SCENE_ARRAY(scene_touch) touches;   /* by their keys */
    SCENE_ARRAY(size_t) body_places;    /* by the slots of bodies: places in the list + 1 */
    SCENE_ARRAY(const char *) carriers; /* names of nodes that carry colliders, sorted */
    bool *asleep;                       /* which bodies are, and behind them which single nodes */
    SCENE_ARRAY(scene_measure) measures;
    SCENE_ARRAY(scene_probe) probes;
    SCENE_ARRAY(scene_emitter) emitters;
    SCENE_ARRAY(scene_drain) drains;
    SCENE_ARRAY(scene_diffusion) diffusions;
    SCENE_ARRAY(sn_io_light) lights;
    sn_query *query; /* what probes are asked of; null before the first was */
    SCENE_ARRAY(char *) columns;
    bool audited;                     /* whether the last of them are those of an audit */
    SCENE_ARRAY(const char *) broken; /* names of parts that could not be built, which was said */
    size_t most_nodes, node_count;    /* that there may be, and that were asked for */
    size_t most_points;               /* of a distance field */
    const char *folder, *allow;       /* whose files may be read, while the scene is opened */
    const char *const *sets;          /* likewise */
    size_t set_count;
    struct scene_shapes *shapes; /* what the last frame points to */
    sn_io_staging *staging;      /* likewise; null before the first frame */
};

/* ---- Memory ---- */

/* A zeroed block that lives as long as the scene; null with the error set. */
void *sn_scene_take(sn_scene *s, size_t count, size_t size);

/* scene_maps.c: maps of a material, made from what a scene says of them; `free` the values of each,
   and the list. */
typedef struct scene_maps {
    sn_material_map *items;
    size_t count;
} scene_maps;
/* Factors of the vertices of a mesh, of two names; null where no map names them. They are the
   caller's to free, also where it fails. */
sn_result sn_scene_read_factors(sn_scene *s, const json_node *list, const sn_mesh *mesh,
                                const char *const names[2], sn_real *factors[2]);
sn_result sn_scene_read_maps(sn_scene *s, const json_node *list, const sn_mesh *mesh, sn_kind kind,
                             const void *material, scene_maps *maps);
void sn_scene_free_maps(scene_maps *maps);

/* Room for one more item of an array; false with the error set. */
bool sn_scene_grow(void **items, size_t count, size_t *capacity, size_t size);
#define SCENE_ADD(array)                                                                           \
    (sn_scene_grow((void **)&(array).items, (array).count, &(array).capacity,                      \
                   sizeof *(array).items)                                                          \
         ? &(array).items[(array).count++]                                                         \
         : NULL)

/* scene_substeps.c: sets the substeps that the bodies take, where they are automatic. */
sn_result sn_scene_choose_substeps(sn_scene *s);

/* scene_weights.c: kg that hang on each body that is cloth, by constraints and attachments, beside
   its own. */
sn_result sn_scene_weigh(const sn_scene *s, const sn_node_view *view, double *carried);
/* Likewise: kg of the heaviest that may fall on a cloth. */
double sn_scene_heaviest(const sn_scene *s, const sn_node_view *view);

/* A copy of a text. */
char *sn_scene_text(sn_scene *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- Parts, each in its file ---- */

/* The member of a map of any of the files, the last one first; null when there is none. */
const json_node *sn_scene_find(const sn_scene *s, size_t offset, const char *name);

/* Says at `node` that a map has nothing of this name, with a guess at what was meant. */
sn_result sn_scene_complain_name(sn_scene *s, const json_node *node, const char *name,
                                 size_t offset, const char *what);

/* Tells the log of something that is allowed and probably not meant, with its place. */
void sn_scene_warn(const sn_scene *s, const json_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Builds an item of a list. */
typedef sn_result scene_visit(sn_scene *s, const json_node *item);

/* Whether a part of this name is in the scene but could not be built, so that nothing more is to be
   said about it. */
bool sn_scene_is_broken(const sn_scene *s, const char *name);

/* Names are words, so that they can be told from indices and groups. */
sn_result sn_scene_check_name(sn_scene *s, const json_node *owner, const char *name);

/* Refuses what would make the scene larger than it may be, before it is made: the vertices that a
   mesh is going to have, and a number of copies of a mesh. */
sn_result sn_scene_check_vertices(sn_scene *s, const json_node *mesh);
/* And the points of the distance field of a mesh. */
sn_result sn_scene_check_field(sn_scene *s, const json_node *collider, const sn_geometry *g);

/* scene_files.c: where the file is that is called `name` in a file in `folder`; refuses what the
   scene may not read. */
sn_result sn_scene_find_file(sn_scene *s, const json_node *node, const char *folder,
                             const char *name, char **path);
sn_result sn_scene_count_nodes(sn_scene *s, const json_node *node, double copies, size_t vertices);

sn_result sn_scene_get_mesh(sn_scene *s, const json_node *node, const scene_mesh **mesh);
void sn_scene_free_meshes(sn_scene *s);

/* scene_panels.c: makes a mesh from outlines; about how large they are, m^2. */
sn_result sn_scene_make_panel(sn_scene *s, const json_node *node, sn_mesh *mesh);
/* Grains of several balls (scene_clumps.c). */
sn_result sn_scene_make_clumps(sn_scene *s, const json_node *node, sn_mesh *mesh);
sn_result sn_scene_panel_area(sn_scene *s, const scene_mesh_panel *part, double *area);

/* scene_skinned.c: makes a mesh whose surface follows frames; binds it to a body that was built by
   a definition, where it is one; where its vertices are, from the places of the nodes. */
sn_result sn_scene_make_skinned(sn_scene *s, const json_node *node, scene_mesh *made);
sn_result sn_scene_bind_skinned(sn_scene *s, const json_node *node, const sn_build_def *def,
                                scene_body *body);
sn_result sn_scene_apply_skinned(const sn_scene *s, const scene_body *body, const sn_vec3 *nodes,
                                 sn_vec3 *points);
void sn_scene_free_skinned(sn_scene *s);

/* scene_ghosts.c: adds the ghost points of rods whose segments are pinned at both of their ends. */
sn_result sn_scene_add_ghosts(sn_scene *s, scene_nodes *list);

/* scene_wrinkles.c: meshes that are finer than what is simulated, and fold on it. */
sn_result sn_scene_make_wrinkled(sn_scene *s, const json_node *node, scene_mesh *made);
sn_result sn_scene_bind_wrinkles(sn_scene *s, const json_node *node, const sn_build_def *build,
                                 scene_body *body);

/* Lets the skin of a filled mesh follow its tets with their gradients. */
sn_result sn_scene_blend_tets(sn_scene *s, scene_mesh *made);

/* Whether a material can be read, with its preset. */
sn_result sn_scene_check_material(sn_scene *s, const json_node *node);

sn_result sn_scene_build_body(sn_scene *s, const json_node *node);
const scene_body *sn_scene_find_body(const sn_scene *s, const char *name);
/* Whether a single node has that name. */
bool sn_scene_has_node(const sn_scene *s, const char *name);
/* Who carries colliders, as far as they name their carriers, and whether a node does. */
sn_result sn_scene_note_carriers(sn_scene *s);
bool sn_scene_carries(const sn_scene *s, const char *name);
/* A body for what is rigid and of no other. */
sn_result sn_scene_make_alone(sn_scene *s, sn_body *body);
/* The body of this name, or the first of the copies of this name, which follow each other; how many
   there are, 0 where there is none. */
const scene_body *sn_scene_find_copies(const sn_scene *s, const char *name, size_t *count);

sn_result sn_scene_build_node(sn_scene *s, const json_node *node);
sn_result sn_scene_build_constraint(sn_scene *s, const json_node *node);
/* Colours of single nodes, where any says one (scene_shown.c). */
sn_result sn_scene_colour_nodes(sn_scene *s, sn_io_shape *view);

/* Constraints that are drawn, as one shape of lines, and where its points are (scene_shown.c). */
sn_result sn_scene_make_shown(sn_scene *s, sn_io_shape *view);
void sn_scene_place_shown(const sn_scene *s, sn_vec3 *positions);
/* Takes over the fields of a definition, whose nodes and triangles are found. */
sn_result sn_scene_set_constraint(sn_scene *s, sn_constraint constraint, sn_type type, void *def);
/* What can be set of constraints of a type, whether of the library or of the scene. */
const scene_object *sn_scene_type_object(const sn_scene *s, sn_type type);
sn_result sn_scene_type_default(const sn_scene *s, sn_type type, void *def);
/* Constraints by formulas (scene_formulas.c): the type of one over these nodes, which is made if it
   is not there; and the time, when one was made. */
sn_result sn_scene_get_formula(sn_scene *s, const json_node *node,
                               const scene_constraint_part *part, const scene_nodes *nodes,
                               sn_type *type);
sn_result sn_scene_note_formula(sn_scene *s, const json_node *node, sn_type type);
sn_result sn_scene_act_formula(sn_scene *s, sn_constraint constraint, double time);
sn_result sn_scene_build_damping_group(sn_scene *s, const json_node *node);
sn_result sn_scene_build_crowd(sn_scene *s, const json_node *node);
sn_result sn_scene_build_dough(sn_scene *s, const json_node *node);
sn_result sn_scene_build_fluid(sn_scene *s, const json_node *node);
/* scene_air_meshes.c */
sn_result sn_scene_build_air_mesh(sn_scene *s, const json_node *node);
sn_result sn_scene_build_hierarchy(sn_scene *s, const json_node *node);
sn_result sn_scene_build_shape_matching(sn_scene *s, const json_node *node);
sn_result sn_scene_build_collider(sn_scene *s, const json_node *node);
scene_collider *sn_scene_find_collider(const sn_scene *s, const char *name);
/* scene_robots.c: links become nodes and colliders, joints and drives constraints, by names. */
sn_result sn_scene_build_robot(sn_scene *s, const json_node *node);
/* A scene of a robot alone, as text; null without memory. */
char *sn_scene_robot_text(sn_scene *s, const char *path);
bool sn_scene_is_robot(const char *path);
/* scene_animations.c: opens the animation of a collider, which may be one of a mesh that the
   collider names, and puts what it shows at the beginning into the geometry. */
sn_result sn_scene_open_animation(sn_scene *s, const json_node *node, const sn_mesh *mesh,
                                  sn_real scale, sn_geometry *g, size_t *animation);
void sn_scene_close_animations(sn_scene *s);
/* Sends the vertices of all animated colliders, and what goes along with them, to where they are at
   the end of a frame. */
sn_result sn_scene_act_animations(sn_scene *s, int frame);
/* Adds how fast the vertices of an animated collider are now in its frame, which is turned by q. */
void sn_scene_add_animated_velocities(const sn_scene *s, const scene_collider *c, const double q[4],
                                      sn_vec3 *velocities);
/* Binds points of the world to an animated collider as it is at the beginning; the followers live
   as long as the scene. */
sn_result sn_scene_bind_points(sn_scene *s, const scene_collider *c, const sn_vec3 *points,
                               size_t count, sn_io_follower **followers);
/* And directions, of length 1, to the triangles of these followers; they come after them. */
void sn_scene_bind_normals(const sn_scene *s, const scene_collider *c, const sn_vec3 *normals,
                           size_t count, sn_io_follower *followers);

/* The cameras of the scene, for frames, made once (scene_staging.c). */
sn_result sn_scene_make_staging(sn_scene *s);

/* A mesh as a body of a kind shows it: grains, liquids and gases are its vertices, whatever is
   between them. Which edges of a mesh at rest are hard, and where the vertices of one that is flat
   are on its material, in m; false where it is not flat (scene_material_places.c). */
sn_mesh sn_scene_shown_mesh(sn_kind kind, const sn_mesh *mesh);
sn_result sn_scene_mark_creases(sn_scene *s, const sn_mesh *mesh, bool cloth, sn_io_shape *view);
bool sn_scene_lay_out(const sn_vec3 *rest, size_t count, double scale, sn_real (*uvs)[2]);

/* The groups that collide, as bits; leaves the mask where none are named. */
sn_result sn_scene_read_mask(sn_scene *s, const json_node *groups, uint32_t *mask);
/* What slides no more than what sticks, also where only the latter is said; at `node` are both. */
sn_result sn_scene_check_friction(sn_scene *s, const json_node *node, sn_real still,
                                  sn_real *slides);
/* Where its frame and the vertices of its look are now, and how fast these; false where it was
   removed. */
bool sn_scene_place_collider(const sn_scene *s, const scene_collider *c, sn_io_pose *pose,
                             sn_io_rigid *rigid, sn_vec3 *positions, sn_vec3 *velocities);
/* A pair of surfaces, and two that ignore each other. */
sn_result sn_scene_build_surface(sn_scene *s, const json_node *node);
sn_result sn_scene_build_ignore(sn_scene *s, const json_node *node);
/* Warns of surfaces that nothing has, when all that may have one was built. */
void sn_scene_warn_of_surfaces(const sn_scene *s);
/* Reads the image that a body or collider is drawn with, where it names one. */
sn_result sn_scene_read_texture(sn_scene *s, const json_node *owner, const char *name,
                                sn_io_look *look);

/* Takes over the materials that were read with a mesh. */
void sn_scene_keep_materials(sn_io_materials *read, scene_mesh *made);

/* What a material of a file says of a look that says nothing itself; its image where there are
   places for it. Null says nothing. */
void sn_scene_apply_material(const sn_io_look *own, bool has_uvs, sn_io_look *look);

/* A look with each of several materials, as many as there are; null where they are null. */
sn_result sn_scene_apply_materials(sn_scene *s, const sn_io_materials *materials, bool has_uvs,
                                   const sn_io_look *look, const sn_io_look **out);

/* The groups of the file of a body, and of a sheet that came apart into these triangles: copies of
   vertices are of the groups of their originals. */
sn_result sn_scene_show_groups(sn_scene *s, const scene_body *body, sn_io_shape *view);

/* Lets a shape have them, where they are of its triangles. */
void sn_scene_show_materials(const sn_io_materials *materials, const sn_io_look *looks,
                             sn_io_shape *view);
/* The number of the surface of a body or collider, where it names one. */
sn_result sn_scene_get_surface(sn_scene *s, const json_node *owner, const char *name,
                               sn_material *material);
scene_link *sn_scene_find_link(sn_scene *s, const char *name);

/* Adds the nodes that are meant to the list. `single` allows null, which adds the null id, and
   wants exactly one node for each item. */
sn_result sn_scene_select(sn_scene *s, const json_node *node, bool single, scene_nodes *list);

/* The vertices of a body that are meant, as nodes. */
sn_result sn_scene_select_pins(sn_scene *s, const scene_body *body, const json_node *node,
                               scene_nodes *list);
/* scene_weak.c: the edges along which a body tears before the rest; the list may be null. */
sn_result sn_scene_weaken_edges(sn_scene *s, const scene_body *body, const json_node *list);
sn_result sn_scene_pin_nodes(sn_scene *s, const scene_nodes *list);
/* Keeps what nodes weigh, before they are ever pinned. */
sn_result sn_scene_remember_nodes(sn_scene *s, const scene_nodes *list);
sn_result sn_scene_release_nodes(sn_scene *s, const scene_nodes *list);

/* Attachments, seams and animation targets (scene_bonds.c). */
sn_result sn_scene_build_attachment(sn_scene *s, const json_node *node);
sn_result sn_scene_build_seam(sn_scene *s, const json_node *node);
sn_result sn_scene_build_animation_target(sn_scene *s, const json_node *node);
scene_animation_target *sn_scene_find_animation_target(const sn_scene *s, const char *body);
sn_result sn_scene_act_attachments(sn_scene *s, int frame);
/* Lets everything go that hangs on a collider. */
sn_result sn_scene_leave_collider(sn_scene *s, sn_collider collider);
sn_result sn_scene_act_muscles(sn_scene *s, int frame);
sn_result sn_scene_switch_attachment(sn_scene *s, const scene_attachment *a, bool enabled);

/* What is switched on and off (scene_switches.c): a track for what was made, where it has one. */
sn_result sn_scene_add_track(sn_scene *s, const scene_switch_part *part, const scene_track *whom);
sn_result sn_scene_act_switches(sn_scene *s, int frame);
/* Sends an animation target to where a motion has them. */
sn_result sn_scene_move_animation_target(sn_scene *s, const scene_animation_target *f,
                                         sn_vec3 pivot, const double turn[4], sn_io_point shift);

/* Whether a frame is the first that begins at a time or later. */
bool sn_scene_begins(const sn_scene *s, int frame, sn_real time);
/* Whether it begins then or later. */
bool sn_scene_is_reached(const sn_scene *s, int frame, sn_real time);

sn_result sn_scene_build_force(sn_scene *s, const json_node *node);
/* Warns of torques that turn segments of rods too far, when substeps are known. */
void sn_scene_warn_of_torques(const sn_scene *s);
sn_result sn_scene_build_effector(sn_scene *s, const json_node *node); /* scene_effectors.c */
sn_result sn_scene_build_motion(sn_scene *s, const json_node *node);
sn_result sn_scene_build_muscle(sn_scene *s, const json_node *node);
sn_result sn_scene_build_action(sn_scene *s, const json_node *node);
/* Once all are known: what they change means something when they do. */
sn_result sn_scene_check_actions(sn_scene *s);
/* Emitters and drains (scene_emitters.c): made; how many columns of the statistics they have, their
   names by number, and what they hold. */
sn_result sn_scene_build_emitter(sn_scene *s, const json_node *node);
sn_result sn_scene_build_drain(sn_scene *s, const json_node *node);
size_t sn_scene_emitter_columns(const sn_scene *s);
char *sn_scene_emitter_column(sn_scene *s, size_t index);
sn_result sn_scene_measure_emitters(const sn_scene *s, double *values);

/* Diffusions and sources (scene_diffusions.c): likewise. */
sn_result sn_scene_build_diffusion(sn_scene *s, const json_node *node);
sn_result sn_scene_build_source(sn_scene *s, const json_node *node);
/* The colours of nodes by what they carry, where a diffusion says some; *any says whether one of
   them has it. */
sn_result sn_scene_tint_nodes(const sn_scene *s, const sn_node *nodes, size_t count,
                              sn_vec3 otherwise, sn_vec3 *colours, bool *any);
size_t sn_scene_diffusion_columns(const sn_scene *s);
char *sn_scene_diffusion_column(sn_scene *s, size_t index);
sn_result sn_scene_measure_diffusions(const sn_scene *s, double *values);

/* Tethers of hair (scene_tethers.c): to all roots that are pinned; and none to one of them. */
sn_result sn_scene_tether_hair(sn_scene *s, const scene_body *body);
sn_result sn_scene_untether(sn_scene *s, sn_node root);

/*
 * Lines that come apart (scene_lines.c): which constraints keep those of a body, null where none
 * do; which are left, and whether others were before; and the length at rest of one in m, 0 where
 * it is gone and below 0 where it is a part of a thread that slides.
 */
struct scene_lines;
typedef struct scene_lines_left {
    const uint32_t (*line)[2];
    size_t count;
    bool changed;
} scene_lines_left;
sn_result sn_scene_find_lines(sn_scene *s, const scene_body *body, struct scene_lines **lines);
sn_result sn_scene_follow_lines(const sn_scene *s, const scene_body *body,
                                struct scene_lines *lines, scene_lines_left *left);
double sn_scene_line_length(const sn_scene *s, const struct scene_lines *lines, size_t line);

/* Cuts (scene_cuts.c). */
sn_result sn_scene_build_cut(sn_scene *s, const json_node *node);
sn_result sn_scene_act_cuts(sn_scene *s, int frame);
/* The keys of a motion; and where a point is at a time (s) that was at `start` before. */
sn_result sn_scene_read_keys(sn_scene *s, const json_node *list, scene_motion *motion);
sn_vec3 sn_scene_point_at(const scene_motion *motion, double time, sn_vec3 start);
/* What happens in a frame, by its number. */
sn_result sn_scene_act(sn_scene *s, int frame);

/* Values that change (scene_changes.c). Keeps those members of an object whose values depend on the
   time, if there are any; `whom` says whose they are. */
sn_result sn_scene_note_changes(sn_scene *s, const json_node *node, const scene_object *object,
                                const scene_object *variant, const scene_change *whom);
/* Likewise of all settings, when the world is there. */
sn_result sn_scene_note_settings(sn_scene *s);
sn_result sn_scene_act_changes(sn_scene *s, int frame);
/* Those of the settings that change with the time as they will be at a frame. */
sn_result sn_scene_settings_at(sn_scene *s, int frame, sn_settings *settings);
/* Of the material of a body (scene_material_changes.c): whether it can, and what happens when
   its values are those of `now` and were those of `before`. */
sn_result sn_scene_check_material_change(sn_scene *s, const scene_change *change,
                                         const scene_material *material, const json_node *maps);
sn_result sn_scene_change_material(sn_scene *s, const scene_change *change,
                                   const scene_material *before, const scene_material *now);

/* What happened in the step, and what is now. */
sn_result sn_scene_gather_events(sn_scene *s);
sn_result sn_scene_renew_events(sn_scene *s);

/* What keys have in common (scene_curves.c): the time in the first round of those that repeat,
   and how far one key has become the next, by the part of the time between them. */
double sn_scene_key_time(double time, double begin, double span, bool repeat);
double sn_scene_key_part(int interpolation, double part);

sn_result sn_scene_build_measure(sn_scene *s, const json_node *node);
sn_result sn_scene_name_columns(sn_scene *s);
/* Probes (scene_probes.c): the names of their columns after that of the probe; and what all
   of them meet now, as many numbers each. */
sn_result sn_scene_build_probe(sn_scene *s, const json_node *node);
sn_result sn_scene_build_light(sn_scene *s, const json_node *node);
enum { SCENE_PROBE_COLUMNS = 7 };
extern const char *const sn_scene_probe_columns[SCENE_PROBE_COLUMNS];
sn_result sn_scene_ask_probes(sn_scene *s, double *values);
/* Makes the picture of the world that casts are asked of as it is now. */
sn_result sn_scene_refresh_query(sn_scene *s);

/* How far the edges of all bodies are stretched or compressed, 1. */
typedef struct scene_strain {
    double sum, largest;
    size_t count;
} scene_strain;
sn_result sn_scene_measure_strain(sn_scene *s, scene_strain *strain);

#endif

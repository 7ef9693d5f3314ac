/*
 * What a web page asks of the engine: a scene with what is drawn of it, and with the hands that
 * take hold of it. Functions that are exported take numbers and addresses alone, so that JavaScript
 * needs to know of no struct but the tables here, whose words are 32 bits.
 */
#ifndef SN_WEB_VIEW_H
#define SN_WEB_VIEW_H

#include <sinew_io/cache.h>
#include <sinew_io/liquid.h>
#include <sinew_io/scene.h>
#include <sinew_io/smooth.h>

/* How many things can be held at once: two hands of two people, with a finger to spare. */
enum { VIEW_HANDS = 8, VIEW_BALLS = 64 };

/* Text that grows; it stays where it is until it is next begun. */
typedef struct view_text {
    char *data;
    size_t length, room;
} view_text;

void view_text_begin(view_text *text);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void view_text_add(view_text *text, const char *format, ...);
/* As a string of JSON, with its quotes. */
void view_text_add_string(view_text *text, const char *string);
/* As a number of JSON; null for what JSON has no number for. */
void view_text_add_number(view_text *text, double value);

/* Vertices of a shape, apart where it has hard edges, so that each has one normal. */
typedef struct view_surface {
    uint64_t topology;
    size_t vertex_count, triangle_count; /* of the shape that it was made for */
    size_t count;                        /* of its own vertices */
    uint32_t *origin;                    /* of each, the vertex of the shape */
    uint32_t (*triangles)[3];
    sn_vec3 *positions, *velocities, *normals, *colours;
    sn_real *strain, (*uvs)[2];
    bool split; /* whether any vertex came apart; otherwise the arrays of the shape are used */
} view_surface;

/* What a shape is in the table that a page reads: 26 words of 32 bits in WebAssembly. Arrays are
   null where there is nothing of the kind. */
typedef struct view_shape {
    const char *name;
    uint32_t vertex_count;
    const sn_vec3 *positions, *normals, *velocities;
    const sn_real *strain, *radii;
    uint32_t triangle_count;
    const uint32_t (*triangles)[3];
    uint32_t line_count;
    const uint32_t (*lines)[2];
    uint32_t topology[2], has_colour;
    float colour[3], back[3];
    uint32_t body; /* number of the body from 0; UINT32_MAX for what is none */
    /* These stay as long as the topology does: colours of vertices, sRGB; texture coordinates, in
       images; and the image, a PNG file. */
    const sn_vec3 *colours;
    const sn_real (*uvs)[2];
    uint32_t texture_bytes;
    const uint8_t *texture;
    float texture_size; /* how much of the coordinates the image is wide and high */
} view_shape;

/* What a hand holds. */
typedef enum view_hold {
    VIEW_HOLD_NOTHING,
    VIEW_HOLD_GRAB,
    VIEW_HOLD_PIN,
    VIEW_HOLD_COLLIDER
} view_hold;

typedef struct view_hand {
    view_hold hold;
    sn_grab grab;
    sn_node pin;
    sn_collider collider;
    sn_vec3 offset; /* m, from what was hit to the place of the collider */
} view_hand;

/* A node that was pinned, and what it had before. */
typedef struct view_pin {
    sn_node node;
    sn_real inverse_mass;
} view_pin;

/* A recording that is repeated, and its world (recording.c); how one is drawn (world_frame.c). */
typedef struct view_recording view_recording;
typedef struct view_drawn view_drawn;

typedef struct view {
    sn_scene *scene;    /* null where a cache or a recording is played */
    sn_io_cache *cache; /* null where a scene runs */
    size_t cache_frame;
    view_recording *recording; /* null where no recording is repeated */
    sn_io_smoother *smoother;
    sn_io_liquid *liquid;
    sn_query *query;
    size_t body_count;
    sn_io_frame plain; /* of the scene, as it is */
    view_surface *surfaces;
    size_t surface_count;
    view_shape *shapes;
    size_t shape_count;
    int *levels; /* of each shape: how often its triangles are divided */
    view_hand hands[VIEW_HANDS];
    sn_node balls[VIEW_BALLS];
    size_t ball_count;
    sn_vec3 ball_at[VIEW_BALLS], ball_velocity[VIEW_BALLS];
    sn_real ball_radius[VIEW_BALLS];
    view_pin *pins;
    size_t pin_count;
    double *columns; /* of the statistics */
    void *snapshot;
    float *contacts, *links, *axes;
    float out[8]; /* numbers that a call gives back beside its result */
} view;

/* view_open with so many threads, 0 for one per core. */
view *view_open_threads(const char *path, char *sets, int threads);

/* workers.c: the threads of a page. */
int view_thread_count(void);
sn_task_system view_tasks(void);

/* A path that ends as caches do; such a view has frames and no world. */
bool view_is_cache(const char *path);
sn_result view_cache_open(view *v, const char *path);
void view_cache_step(view *v);
double view_cache_time(const view *v); /* s */
/* Which frame is shown, as bytes that take the place of a snapshot. */
const void *view_cache_save(view *v, uint32_t *size);
bool view_cache_seek(view *v, const void *data, uint32_t size);
/* Members of what view_describe gives. */
void view_cache_describe(view *v, view_text *text);

/* A path that ends as recordings do: its calls are repeated in a world of its own. */
bool view_is_recording(const char *path);
sn_result view_recording_open(view *v, const char *path, const sn_world_def *def);
void view_recording_close(view_recording *r);
sn_world *view_recording_world(const view_recording *r);
sn_result view_recording_step(view_recording *r);
int view_recording_frame_number(const view_recording *r);
const void *view_recording_save(view *v, uint32_t *size);
sn_result view_recording_seek(view_recording *r, const void *data, uint32_t size);
void view_recording_describe(const view_recording *r, view_text *text);
sn_result view_recording_frame(view_recording *r, sn_io_frame *frame);

/* All that is in a world as shapes: sheets, solids, lines and particles, colliders. The frame is
   valid until the next one. */
sn_result view_drawn_create(view_drawn **drawn);
void view_drawn_destroy(view_drawn *drawn);
sn_result view_drawn_frame(view_drawn *drawn, const sn_world *world, sn_io_frame *frame);

/* The world behind a view, to be looked at; null where a cache is played. Hands and settings have
   that of a scene alone. */
sn_world *view_world(const view *v);
/* Whether it is only shown: a cache or a recording. */
bool view_plays(const view *v);

/* Lines that are drawn, six numbers each; they are counted where there is no list. */
typedef struct view_segments {
    float *list;
    size_t count;
} view_segments;
void view_segments_add(view_segments *s, sn_vec3 from, sn_vec3 to);

/* What the fields of a type say of where its constraints are, beside their nodes. */
typedef struct view_joint {
    bool anchored, has_axis, has_direction;
    enum { VIEW_NO_LIMIT, VIEW_ANGLE, VIEW_LENGTH } limit;
} view_joint;
view_joint view_joint_of(const sn_type_info *info);
/* Adds the lines of a joint; false where it has none of these fields, or is not between frames.
   What has no anchors itself is drawn at those of `other`, which may be null. */
bool view_joint_draw(const sn_world *world, sn_constraint id, const view_joint *joint,
                     const sn_constraint *other, view_segments *s);

/* The frame as it is, of the scene or of the cache. */
sn_result view_plain_frame(view *v);

/* Makes the surface follow a shape. */
sn_result view_surface_update(view_surface *surface, const sn_io_shape *shape);
void view_surface_free(view_surface *surface);

/* What a ray meets: the nodes that move with it, or a collider. */
typedef struct view_target {
    sn_hit hit;
    bool found;
} view_target;
sn_result view_find(view *v, const float ray[6], float tolerance, view_target *target);

#endif

/*
 * Scenes: a world described by a file, docs/scene-format.md.
 *
 *     sn_scene_def def = sn_scene_def_default();
 *     sn_scene *scene;
 *     def.path = "scenes/flag.json";
 *     if (sn_scene_open(&def, &scene) != SN_OK) puts(sn_last_error());
 *     for (int i = 0; i < sn_scene_frames(scene); i++) sn_scene_step(scene);
 *     sn_scene_close(scene);
 */
#ifndef SINEW_IO_SCENE_H
#define SINEW_IO_SCENE_H

#include <sinew/sinew.h>
#include <sinew_io/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A scene with its world, to be used through its pointer only. */
typedef struct sn_scene sn_scene;

/* Told of everything that is wrong with a scene file, a sentence each:
   "flag.json:12:18: bodies[2].material: unknown material ...". */
typedef void sn_scene_complaint(void *user, const char *sentence);

/*
 * How finely a scene is simulated: its substeps, be they chosen or given, times this. Twice as many
 * take twice the time, and about a third of the strain is left that is for want of substeps.
 */
typedef enum sn_quality {
    SN_QUALITY_SCENE = 0,  /* as the scene says */
    SN_QUALITY_DRAFT = 1,  /* half as many: to see how something moves, and to place it */
    SN_QUALITY_NORMAL = 2, /* as many: bodies are as stiff as their materials */
    SN_QUALITY_FINE = 3    /* twice as many: for what is shown */
} sn_quality;

/* Its name, as scene files and the command have it; null where there is none of that number. */
SN_API const char *sn_quality_name(sn_quality quality);

/* How many substeps it makes of those that a world would have; at least 1, at most 10000. */
SN_API int sn_quality_substeps(sn_quality quality, int substeps);

/* Which scene, and how its world is made. */
typedef struct sn_scene_def {
    size_t size;             /* set by sn_scene_def_default */
    const char *path;        /* of the file; with `text`, its name for messages and includes */
    const char *text;        /* the scene itself; null: it is read from the file */
    size_t length;           /* bytes of text */
    const char *const *sets; /* parameters as "name=value"; null for none */
    size_t set_count;        /* of sets */
    int fps;                 /* 1/s, instead of what the scene says; 0: as the scene says */
    int substeps;            /* per frame, instead of what the scene says; 0: as the scene says */
    int threads;             /* as in sn_world_def; default 1 */
    int simd_width;          /* as in sn_world_def; default 0 */
    size_t most_nodes;       /* a scene with more is refused, soon; default 2^26 */
    size_t most_points;      /* of a distance field, likewise; default 2^22 */
    /* A folder whose files the scene may read besides those in its own and below; "/" allows all.
       Files that `sets` name are allowed. Null for none. */
    const char *allow;
    sn_scene_complaint *complaint; /* null: only the first counts, as sn_last_error */
    void *user;                    /* handed to complaint */
    /* What the library has to say of the world, as in sn_world_def; what it says of a body that is
       being built begins with its name. Null means silence. */
    sn_log *log;
    void *log_user;         /* handed to log */
    sn_allocator allocator; /* of the world, as in sn_world_def; default the C library's */
    sn_quality quality;     /* instead of what the scene says; `substeps` above 0 are as given */
    sn_task_system tasks;   /* as in sn_world_def; start null means the built-in pool */
    bool outline;           /* nothing is built: title, parameters, run and settings alone */
} sn_scene_def;

/* A definition with the defaults above. */
SN_API sn_scene_def sn_scene_def_default(void);

/* Reads a scene and builds its world. On failure *scene is null; SN_ERROR_DATA means that something
   is wrong in the file, and the sentence names the place. */
SN_API sn_result sn_scene_open(const sn_scene_def *def, sn_scene **scene);

/* Frees the scene and its world. Null is allowed. */
SN_API void sn_scene_close(sn_scene *scene);

/* ---- Looking ---- */

/* The world, which may be looked at and changed in any way. */
SN_API sn_world *sn_scene_world(sn_scene *scene);

/* What the file says of itself; empty where it does not. */
SN_API const char *sn_scene_title(const sn_scene *scene);
SN_API const char *sn_scene_about(const sn_scene *scene);

/* Whether its substeps were chosen, because they are automatic; sn_world_get_settings has them. */
SN_API bool sn_scene_chose_substeps(const sn_scene *scene);

/* How many frames it wants, and how many there are per second (1/s). */
SN_API int sn_scene_frames(const sn_scene *scene);
SN_API int sn_scene_fps(const sn_scene *scene);

/* A parameter of the scene. */
typedef struct sn_scene_parameter {
    const char *name;
    const char *text;    /* of one that is a string; null for a number */
    double number;       /* in its unit */
    const char *unit;    /* empty where none is given */
    const char *meaning; /* empty where none is given */
} sn_scene_parameter;

/* The parameter of a number, from 0; false beyond the last. */
SN_API bool sn_scene_parameter_at(const sn_scene *scene, size_t index,
                                  sn_scene_parameter *parameter);

/* A body of the scene. */
typedef struct sn_scene_body {
    const char *name;
    sn_kind kind;         /* of its material */
    sn_body body;         /* in the world */
    const sn_node *nodes; /* one per vertex of its mesh */
    size_t node_count;    /* of nodes */
    size_t constraints;   /* that were made for it */
    double mass;          /* kg */
    double substep_rate;  /* 1/s, by which substeps are enough, as in sn_build */
    int tethers;          /* of a cloth, what was chosen for it, as in sn_build */
} sn_scene_body;

/* The body of a number, from 0; false beyond the last. */
SN_API bool sn_scene_body_at(const sn_scene *scene, size_t index, sn_scene_body *body);

/* How much longer or shorter than at rest the edges of a body are now. */
typedef struct sn_scene_strain {
    double mean, largest; /* length over that at rest, less 1, without sign */
    sn_vec3 where;        /* m: the middle of the edge with the largest */
} sn_scene_strain;

/* The strain of a body, by its number from 0. */
SN_API sn_result sn_scene_body_strain(sn_scene *scene, size_t index, sn_scene_strain *strain);

/* A view that the file names. */
typedef struct sn_scene_camera {
    sn_vec3 eye, target;   /* m */
    sn_vec3 up;            /* no unit */
    sn_real field_of_view; /* rad */
} sn_scene_camera;

/* The camera of this name; false where there is none. */
SN_API bool sn_scene_find_camera(const sn_scene *scene, const char *name, sn_scene_camera *camera);

/* ---- Going on ---- */

/* Simulates one frame: motions, forces and actions of the scene, then a step of 1 / fps. */
SN_API sn_result sn_scene_step(sn_scene *scene);

/* How many frames have been simulated, by the time of the world. */
SN_API int sn_scene_frame_number(const sn_scene *scene);

/* Goes on from a snapshot of this scene: the world is as it was when it was taken. A snapshot of
   another scene is refused (SN_ERROR_DATA). */
SN_API sn_result sn_scene_resume(sn_scene *scene, const char *path);

/* What the world looks like now; valid until the next call on the scene. Bodies come first, then
   all single nodes as one shape called "nodes". Where a surface is embedded, it is what is
   shown. Foam of liquids comes last, a shape of points called "NAME.foam" for each body that has
   some; it is moved by sn_scene_step, and a snapshot does not have it. */
SN_API sn_result sn_scene_frame(sn_scene *scene, sn_io_frame *frame);

/* ---- Events ---- */

/* What can happen in a frame. */
typedef enum sn_scene_event_kind {
    SN_SCENE_BROKE = 0, /* a constraint */
    SN_SCENE_TORE = 1,  /* a sheet or a solid, at a node */
    SN_SCENE_BURST = 2, /* what a closed sheet held got out */
    SN_SCENE_FROZE = 3, /* a body whose numbers were not finite, see sn_freeze_event */
    SN_SCENE_WOKE = 4,  /* a body */
    SN_SCENE_SLEPT = 5, /* a body fell asleep */
    SN_SCENE_BEGAN = 6, /* a contact of a body with another, itself or a collider */
    SN_SCENE_ENDED = 7  /* such a contact, of all their nodes */
} sn_scene_event_kind;
#define SN_SCENE_EVENT_KINDS 8

/* Something that happened. Names live as long as the scene. */
typedef struct sn_scene_event {
    sn_scene_event_kind kind;
    int frame;         /* at whose end it was there */
    double time;       /* s, then */
    const char *body;  /* null for nodes without a body */
    const char *other; /* of contacts the other body or collider, of breaks the constraint; null
                          where it has no name */
    const char *cause; /* of breaks the type of the constraint, of tears what was too large:
                          strain, force, break, loose or stress; else null */
    double amount;     /* of breaks and tears, in the unit of sn_break_event and sn_tear_event */
    bool placed;       /* whether it is known where */
    sn_vec3 place;     /* m, of the first node, the middle of the body, or the first point */
} sn_scene_event;

/* From now on every frame says what happened in it. Costs a look at all contacts per frame. */
SN_API sn_result sn_scene_watch(sn_scene *scene);

/* What happened in the last frame, in the order of kinds; false beyond the last. */
SN_API bool sn_scene_event_at(const sn_scene *scene, size_t index, sn_scene_event *event);

/* "broke" and so on; null for what is none. */
SN_API const char *sn_scene_event_name(sn_scene_event_kind kind);

/* ---- Statistics ---- */

/* The columns of the statistics: their number, and the name of each with its unit, such as
   "kinetic energy [J]". The name is null beyond the last. */
SN_API size_t sn_scene_column_count(const sn_scene *scene);
SN_API const char *sn_scene_column(const sn_scene *scene, size_t index);

/* The values of all columns now; `values` has room for them. */
SN_API sn_result sn_scene_measure(sn_scene *scene, double *values);

/* Begins an energy audit of the world (sinew/audit.h). Its works, its losses and what they leave
   unexplained become columns behind all others, such as "audit lost friction [J]". Once per scene:
   SN_ERROR_VALUE after that. */
SN_API sn_result sn_scene_audit(sn_scene *scene);

/* ---- The format ---- */

/* The JSON schema of scene files, and their documentation in Markdown, as text to be freed with
   sn_scene_text_free; null without memory. They are made from what the library knows. */
SN_API char *sn_scene_schema(void);
/* The same with what the systems of a world have beyond those of the library, each object as a
   definition of its name, by its list of fields (sinew/field.h); a null world has none. */
SN_API char *sn_scene_schema_of(const sn_world *world);
SN_API char *sn_scene_documentation(void);
SN_API char *sn_scene_material_documentation(void);
SN_API void sn_scene_text_free(char *text);

#ifdef __cplusplus
}
#endif

#endif

/*
 * Public calls as values: what a recording holds.
 *
 * A call is a section with its name and its arguments as columns. Ids are slots and generations,
 * which mean the same in every world that began with the same snapshot; definitions are written by
 * the names of their fields.
 *
 * The calls that change a world are listed beside the public functions, a table per file: their
 * names, which are frozen, what they consist of, and how they are made once more. A system that the
 * library does not know brings its table in its descriptor (state/system.h).
 */
#ifndef SN_API_CALL_H
#define SN_API_CALL_H

#include "base/archive.h"
#include "collision/collision_state.h"
#include "state/object.h"
#include "state/serialize.h"
#include "state/world.h"

#include <sinew/sinew.h>

/* What a call consists of. */
enum {
    SN_PART_ID = 1,           /* the object that it is about */
    SN_PART_OTHER = 2,        /* another object */
    SN_PART_FIELD = 4,        /* the name of a field */
    SN_PART_NUMBERS = 8,      /* reals */
    SN_PART_WORD = 16,        /* a whole number */
    SN_PART_HASH = 32,        /* the state after it: it is a step */
    SN_PART_DEF = 64,         /* the fields of a definition */
    SN_PART_ARRAYS = 128,     /* and its arrays */
    SN_PART_RECORDS = 256,    /* any number of definitions */
    SN_PART_LIST = 512,       /* ids of nodes */
    SN_PART_POINTS = 1024,    /* positions */
    SN_PART_REALS = 2048,     /* any number of reals */
    SN_PART_BYTES = 4096,     /* a snapshot */
    SN_KEEPS_PAIRS = 65536,   /* pairs of collision surfaces that were found are those after it too.
                               Where everything is does not matter, since that is compared in every
                               substep, nor do fields of constraints */
    SN_MOVES_BODIES = 131072, /* of these: what bodies knew of each other is no more */
};

typedef struct sn_call sn_call;

typedef struct sn_call_type {
    const char *name;
    unsigned parts;
    int numbers;             /* 0 where a field says how many there are */
    const sn_object *object; /* of definitions */
    /* What no part says: writes it into the section that is open, or reads it. */
    void (*serialize)(sn_archive *a, sn_world *world, sn_call *call);
    /* Makes the call, through the public function, which checks what it is given as ever. */
    sn_result (*repeat)(sn_world *world, const sn_call *call);
} sn_call_type;

struct sn_call_table {
    const sn_call_type *call;
    size_t count;
    const sn_call_table *next; /* of the same system, in another file; null for none */
};

/* A block of memory that was had for a call. */
typedef struct sn_call_block {
    void *at;
    size_t count, element;
} sn_call_block;

struct sn_call {
    const sn_call_type *type;
    sn_id id, other;
    sn_real number[7];
    int numbers; /* where the call has a field */
    uint32_t word;
    uint64_t hash;
    const void *def;       /* a definition */
    const void *items;     /* definitions, ids, positions, reals or bytes, `count` of them */
    size_t count;          /* of items */
    const sn_store *store; /* of definitions of constraints */
    const char *field;
    /* Of calls that were read. */
    char text[64];
    sn_call_block block[16];
    size_t blocks;
};

/* Writes the section of a call, or reads the next one; what was read is to be freed. */
void sn_call_serialize(sn_archive *a, sn_world *world, sn_call *call);
void sn_call_free(sn_world *world, sn_call *call);

/* ---- For tables ---- */

/*
 * A table from a list CALLS(CALL, OWN). CALL(KIND, name, parts, numbers, object, repeat) is a call
 * that parts describe; OWN(KIND, name, parts, numbers, serialize, repeat) has more, which a
 * function writes and reads. `repeat` is an expression of `world` and `call`. What comes last is
 * an initialiser: `.next = NULL`, or the table of another file.
 */
#define SN_DEFINE_CALLS(group, CALLS, ...)                                                         \
    enum { CALLS(SN_CALL_INDEX, SN_CALL_INDEX) };                                                  \
    CALLS(SN_CALL_REPEAT, SN_CALL_REPEAT)                                                          \
    static const sn_call_type calls[] = {CALLS(SN_CALL_ROW, SN_CALL_OWN_ROW)};                     \
    const sn_call_table sn_##group##_calls = {calls, sizeof calls / sizeof *calls, __VA_ARGS__};
#define SN_CALL_INDEX(KIND, name, parts, numbers, about, repeat) KIND,
#define SN_CALL_REPEAT(KIND, name, parts, numbers, about, repeat)                                  \
    static sn_result repeat_##KIND(sn_world *world, const sn_call *call) {                         \
        return repeat;                                                                             \
    }
#define SN_CALL_ROW(KIND, name, parts, numbers, object, repeat)                                    \
    {name, parts, numbers, object, NULL, repeat_##KIND},
#define SN_CALL_OWN_ROW(KIND, name, parts, numbers, serialize, repeat)                             \
    {name, parts, numbers, NULL, serialize, repeat_##KIND},

/* An id of a call as one of its type, and its first numbers. */
#define SN_ID_AS(type, id) ((type){(id).slot, (id).generation, (id).world})
static inline sn_vec3 sn_call_vector(const sn_call *call) {
    return (sn_vec3){call->number[0], call->number[1], call->number[2]};
}
static inline sn_quat sn_call_rotation(const sn_call *call) {
    return (sn_quat){call->number[0], call->number[1], call->number[2], call->number[3]};
}

/* For what is read: zeroed memory for at least one, which goes with the call, or null when the
   archive has failed. And memory that was had elsewhere, to go with it. */
void *sn_call_room(sn_archive *a, sn_world *world, sn_call *call, size_t count, size_t element);
void sn_call_keep(sn_call *call, void *at, size_t count, size_t element);

/* Ids of nodes one after the other; the null id stays what it is. */
void sn_call_serialize_ids(sn_archive *a, const sn_world *world, sn_node *node, size_t count);

/* Definitions of nodes, and those of constraints of one type (call_definitions.c). */
void sn_call_serialize_nodes(sn_archive *a, sn_world *world, sn_call *call);
void sn_call_serialize_constraints(sn_archive *a, sn_world *world, sn_call *call);

/* ---- Recording ---- */

/* In every call that changes a world, once it has succeeded: notes it where somebody records, and
   nowhere in what never does, as the module of a web page. KIND is one of the table of the file. */
#ifdef SN_NO_RECORDING
#define SN_IS_RECORDED(world) false
#else
#define SN_IS_RECORDED(world) (world)->bindings.recorder
#endif
#define SN_RECORD(world, KIND, ...)                                                                \
    do {                                                                                           \
        if (!(calls[KIND].parts & SN_KEEPS_PAIRS))                                                 \
            sn_collision_surfaces_of(world)->reach.kept = false;                                   \
        if ((calls[KIND].parts & (SN_KEEPS_PAIRS | SN_MOVES_BODIES)) != SN_KEEPS_PAIRS)            \
            sn_colliders_of(world)->found = false;                                                 \
        if (SN_IS_RECORDED(world))                                                                 \
            sn_call_note((world), &(sn_call){.type = &calls[KIND], __VA_ARGS__});                  \
    } while (0)
#define SN_RECORD_NODE(world, KIND, node, ...)                                                     \
    SN_RECORD(world, KIND, .id = SN_ID(node), .number = {__VA_ARGS__})

void sn_call_note(sn_world *world, sn_call *call);

#endif

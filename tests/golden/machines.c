#include "machines.h"

#include <string.h>

#include "check.h"

enum { MOST_LENGTH = 128 };

/* The head of every definition with a fixed number of nodes. */
typedef struct head {
    size_t size;
    sn_node node[SN_MAX_NODES];
} head;

static bool has_field(const sn_type_info *info, const char *name) {
    for (size_t i = 0; i < info->field_count; i++)
        if (strcmp(info->fields[i].name, name) == 0) return true;
    return false;
}

static void set(sn_world *world, sn_constraint constraint, const char *field, sn_real value) {
    const sn_real values[3] = {value, 0, 0};
    REQUIRE_OK(sn_constraint_set_field(world, constraint, field, values));
}

static void add_chain(sn_world *world, sn_type type, const sn_type_info *info, int row,
                      int length) {
    sn_node node[MOST_LENGTH];
    for (int i = 0; i < length; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){(sn_real)i / 4, (sn_real)(i % 3) / 16, (sn_real)row};
        def.oriented = true;
        def.orientation = (sn_quat){0, i % 2 ? (sn_real)0.6 : 0, 0, i % 2 ? (sn_real)0.8 : 1};
        def.inverse_mass = i > 0 ? 1 + (sn_real)(i % 4) / 4 : 0;
        def.inverse_inertia = i > 0 ? (sn_vec3){64, 32, 48} : (sn_vec3){0, 0, 0};
        def.angular_velocity = (sn_vec3){(sn_real)(i % 5) / 8, 0, (sn_real)(i % 3) / 4};
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
    }
    for (int i = 0; i + info->nodes <= length; i++) {
        union {
            head head;
            unsigned char bytes[1024];
        } def;
        sn_constraint made;
        REQUIRE_OK(sn_type_default(type, &def));
        memcpy(def.head.node, &node[i], (size_t)info->nodes * sizeof *node);
        REQUIRE_OK(sn_constraint_create(world, type, &def, &made));
        if (i % 5 == 0) {
            set(world, made, "compliance", (sn_real)0.0009765625);
            set(world, made, "damping", (sn_real)0.125);
        }
        if (has_field(info, "speed") && i % 7 == 0) {
            set(world, made, "speed", (sn_real)0.5);
            set(world, made, "most_force", 4);
        }
        if (i % 31 == 30) set(world, made, "break_force", (sn_real)0.25);
    }
}

void golden_joints_add(sn_world *world, int length) {
    int rows = 0;
    for (int type = 0; type < SN_TYPE_COUNT; type++) {
        const sn_type_info *info = sn_type_get_info((sn_type)type);
        bool joins = info->list == SN_LIST_NONE && info->frames >= 2 && info->fixed_nodes == 0 &&
                     info->frames == info->nodes;
        if (joins) add_chain(world, (sn_type)type, info, rows++, length);
    }
    /* As many as there are: one more changes the hash, which is to be known. */
    CHECK(rows == 14);
}

/* A wedge. */
static const sn_vec3 corners[6] = {{-1, -1, -1}, {1, -1, -1}, {1, -1, 1},
                                   {-1, -1, 1},  {-1, 1, -1}, {-1, 1, 1}};

static sn_collider_def shape_of(int number) {
    static sn_vec3 wedge[6];
    sn_collider_def def = sn_collider_def_default();
    def.shape = number % 5 == 0   ? SN_SHAPE_BOX
                : number % 5 == 1 ? SN_SHAPE_SPHERE
                : number % 5 == 2 ? SN_SHAPE_CAPSULE
                : number % 5 == 3 ? SN_SHAPE_CYLINDER
                                  : SN_SHAPE_HULL;
    def.extent = (sn_vec3){(sn_real)0.125, (sn_real)0.0625, (sn_real)0.09375};
    if (def.shape != SN_SHAPE_BOX && def.shape != SN_SHAPE_HULL) def.radius = (sn_real)0.078125;
    for (int i = 0; i < 6; i++)
        wedge[i] = (sn_vec3){corners[i].x / 8, corners[i].y / 16, corners[i].z / 8};
    if (def.shape == SN_SHAPE_HULL) {
        def.geometry.vertices = wedge;
        def.geometry.vertex_count = 6;
    }
    return def;
}

void golden_rigid_add(sn_world *world, int columns, int layers, sn_real height) {
    for (int i = 0; i < columns * columns * layers; i++) {
        int x = i % columns, z = i / columns % columns, y = i / (columns * columns);
        sn_collider_def def = shape_of(i);
        sn_rigid_def rigid = sn_rigid_def_default();
        sn_node node;
        sn_collider collider;
        def.position = (sn_vec3){(sn_real)(4 * x + y % 2) / 16, height + (sn_real)(3 * y) / 16,
                                 (sn_real)(4 * z + y % 3) / 16};
        def.orientation = (sn_quat){0, (sn_real)0.28, 0, (sn_real)0.96};
        def.velocity = (sn_vec3){0, (sn_real)(-1 - y), 0};
        def.angular_velocity = (sn_vec3){(sn_real)(i % 3), 0, (sn_real)(i % 4) / 2};
        def.restitution = (sn_real)0.25;
        rigid.density = (sn_real)(500 + 125 * (i % 4));
        REQUIRE_OK(sn_rigid_create(world, &rigid, &def, &node, &collider));
    }
}

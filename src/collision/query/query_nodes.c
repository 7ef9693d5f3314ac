/* Nodes in queries: balls of their radius, which turn where they are oriented. */
#include "collision/query/query.h"
#include "math/quaternion.h"

typedef struct ball {
    uint32_t slot;
    uint16_t generation;
    uint32_t group; /* as a bit */
    sn_real radius;
    sn_vec3 x;
    sn_vec3 v, omega; /* in the frame of the world */
} ball;

static size_t count(const sn_world *world) {
    return world->nodes.slots.live;
}

static void gather(const sn_world *world, void *items) {
    const sn_slots *slots = &world->nodes.slots;
    ball *b = items;
    for (size_t i = 0; i < slots->count; i++)
        if (slots->alive[i])
            *b++ = (ball){.slot = (uint32_t)i + 1, .generation = slots->generation[i]};
}

static bool lives(const sn_world *world, const void *item) {
    const ball *b = item;
    return sn_slots_has(&world->nodes.slots, (sn_id){b->slot, b->generation, world->tag},
                        world->tag);
}

static sn_vec3 first_three(sn_vec4 a) {
    return (sn_vec3){a.x, a.y, a.z};
}

static sn_vec3 spin_of(const sn_frames *frames, uint32_t frame) {
    sn_vec4 q = frames->q[frame], w = frames->omega[frame];
    sn_v4 spin = sn_quat_rotate((sn_v4){q.x, q.y, q.z, q.w}, (sn_v4){w.x, w.y, w.z, 0});
    return (sn_vec3){spin[0], spin[1], spin[2]};
}

static void update(const sn_world *world, void *item) {
    const sn_nodes *n = &world->nodes;
    ball *b = item;
    uint32_t i = b->slot - 1;
    b->group = sn_query_group(n->group[i]);
    b->radius = n->radius[i];
    b->x = first_three(n->x[i]);
    b->v = first_three(n->v[i]);
    if (n->frame[i]) b->omega = spin_of(&world->frames, n->frame[i] - 1);
}

static sn_bounds bounds(const void *item) {
    const ball *b = item;
    double r = (double)b->radius;
    sn_point x = sn_point_of(b->x), to = {r, r, r};
    return (sn_bounds){sn_point_sub(x, to), sn_point_add(x, to)};
}

static bool passes(const void *item, uint32_t groups) {
    return (((const ball *)item)->group & groups) != 0;
}

static bool cast(const void *item, const sn_ray *ray, double *s) {
    const ball *b = item;
    return sn_ray_ball(ray, sn_point_of(b->x), (double)b->radius, s);
}

static double distance(const void *item, sn_point x, sn_point *normal) {
    const ball *b = item;
    return sn_query_unit(sn_point_sub(x, sn_point_of(b->x)), normal) - (double)b->radius;
}

static bool overlaps(const void *item, const sn_bounds *box) {
    const ball *b = item;
    return sn_box_distance(box, sn_point_of(b->x)) <= (double)b->radius;
}

static void name(const void *item, uint16_t world, sn_hit *hit) {
    const ball *b = item;
    hit->node_count = 1;
    hit->node[0] = (sn_node){b->slot, b->generation, world};
    hit->weight[0] = 1;
}

static void describe(const void *item, const sn_ray *ray, sn_point point, sn_hit *hit) {
    const ball *b = item;
    (void)ray;
    sn_point arm = sn_point_sub(point, sn_point_of(b->x));
    sn_point turn = sn_point_cross(sn_point_of(b->omega), arm);
    hit->velocity = sn_point_vec3(sn_point_add(sn_point_of(b->v), turn));
}

const sn_query_class sn_query_nodes = {SN_HIT_NODE, sizeof(ball), count,   gather, lives,
                                       update,      bounds,       passes,  cast,   distance,
                                       overlaps,    name,         describe};

/*
 * A constraint of your own: three nodes keep the angle at the middle one, here a right one. An arm
 * of two rods that is held by one end swings down and stays bent. Prints the angle.
 */
#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>

/* C is the cosine of the angle between the edges from node 0, less what it shall be. Every line of
   this loop is for up to 16 constraints, whose numbers lie side by side. */
static void angle_formula(void *user, const sn_user_batch *b) {
    (void)user;
    for (size_t i = 0; i < b->count; i++) {
        sn_real u[3], v[3], uu = 0, vv = 0, uv = 0;
        for (int k = 0; k < 3; k++) {
            u[k] = b->x[1][k][i]; /* positions are relative to node 0 */
            v[k] = b->x[2][k][i];
            uu += u[k] * u[k];
            vv += v[k] * v[k];
            uv += u[k] * v[k];
        }
        sn_real lengths = sqrtf(uu * vv), cosine = uv / lengths;
        b->value[0][i] = cosine - b->parameter[0][i];
        for (int k = 0; k < 3; k++) {
            b->gradient[1][k][i] = v[k] / lengths - cosine * u[k] / uu;
            b->gradient[2][k][i] = u[k] / lengths - cosine * v[k] / vv;
            b->gradient[0][k][i] = -(b->gradient[1][k][i] + b->gradient[2][k][i]);
        }
    }
}

int main(void) {
    sn_world *world;
    sn_node node[3]; /* the corner, the end that is held, the end that is free */
    static const sn_vec3 place[3] = {{1, 1, 0}, {0, 1, 0}, {1, 2, 0}};
    if (sn_world_create(NULL, &world) != SN_OK) return 1;
    for (int k = 0; k < 3; k++) {
        sn_node_def def = sn_node_def_default();
        def.position = place[k];
        def.inverse_mass = k == 1 ? 0 : 1;
        if (sn_node_create(world, &def, &node[k]) != SN_OK) return 1;
    }
    for (int k = 1; k < 3; k++) {
        sn_constraint rod;
        sn_distance_def def = sn_distance_def_default();
        def.node[0] = node[0];
        def.node[1] = node[k];
        if (sn_constraint_create(world, SN_TYPE_DISTANCE, &def, &rod) != SN_OK) return 1;
    }

    static const sn_user_parameter cosine = {"cosine", "1", -1, 1, 0};
    sn_user_type_def angle_type = sn_user_type_def_default();
    angle_type.name = "angle";
    angle_type.nodes = 3;
    angle_type.formula = angle_formula;
    angle_type.parameters = &cosine;
    angle_type.parameter_count = 1;
    sn_type type;
    if (sn_world_add_type(world, &angle_type, &type) != SN_OK) return 1;

    /* From here on it is a type like any other, with compliance, damping, sides and a break
       force. */
    sn_user_def def;
    sn_constraint angle;
    if (sn_user_def_default(world, type, &def) != SN_OK) return 1;
    for (int k = 0; k < 3; k++) def.node[k] = node[k];
    if (sn_constraint_create(world, type, &def, &angle) != SN_OK) {
        fprintf(stderr, "%s\n", sn_last_error());
        return 1;
    }

    for (int frame = 0; frame < 60; frame++) sn_world_step(world, 1 / 60.0f);
    sn_real value[SN_MAX_ROWS];
    sn_node_def end = sn_node_def_default();
    if (sn_constraint_evaluate(world, angle, value, NULL) != SN_OK) return 1;
    if (sn_node_get(world, node[2], &end) != SN_OK) return 1;
    double degrees = acos((double)value[0]) * 180 / 3.14159265358979;
    printf("after %.1f s the end is at %.2f %.2f %.2f and the angle is %.2f degrees\n",
           sn_world_time(world), (double)end.position.x, (double)end.position.y,
           (double)end.position.z, degrees);
    sn_world_destroy(world);
    return fabs(degrees - 90) < 0.1 ? 0 : 1;
}

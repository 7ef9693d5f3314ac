/*
 * What a cloth is given so that it is as stiff as its material, where that is automatic.
 *
 * One sweep per substep leaves an edge longer by g h^2 for every node that hangs on it, whatever
 * its stiffness is: n = D / l of them on edges of the length l make the strain g h^2 D / l^2 at the
 * pins, and half of that on average. From that follows by which substeps are enough.
 *
 * Tethers halve it. They are hard, and would hold back a cloth that stretches by its material: so
 * they are for what hardly does so under its own weight, they leave room for twice that strain, and
 * there are none where strain is looked at (tearing), or where threads shear and paths along the
 * cloth can become longer for nothing (strain and elastic triangles).
 */
#include "bodies/body_cloth.h"

#include <sinew/sheet.h>

enum { MODEL_EDGES_LAST = 1 }; /* of `model`: automatic and edges */
enum { BENDING_PLATE = 4 };    /* of `bending` */

/* Strain by its own weight, along its whole size, above which a cloth is taken for soft. */
static const double most_strain = 0.002;

static double mean_edge(const sn_builder *b, const sn_pairs *edges) {
    double sum = 0;
    for (size_t i = 0; i < edges->count; i++)
        sum += sn_builder_distance(b, edges->pair[i].a, edges->pair[i].b);
    return sum / (double)edges->count;
}

/* Strain by its own weight with a material; 0 for what is as hard as the substeps allow, below 0
   where tethers have no place at all, as where it tears, or where threads may shear. */
static double strain_at(const sn_cloth_material *m, double load) {
    bool tears = m->tear_strain != SN_AUTO || m->tear_force != SN_AUTO || m->break_force != SN_AUTO;
    if (tears || m->model > MODEL_EDGES_LAST) return -1;
    return m->stretch_stiffness == SN_AUTO ? 0 : load / (double)m->stretch_stiffness;
}

/* The largest there is. */
static double own_strain(const sn_builder *b, double size) {
    double area = 0, mass = 0, most = 0;
    for (size_t i = 0; i < b->mesh->triangle_count; i++) area += sn_cloth_area(b, i);
    for (size_t i = 0; i < b->mesh->vertex_count; i++) mass += b->mass[i];
    double load = mass / area * sn_builder_gravity(b) * size;
    bool varied = sn_builder_map(b, "stretch_stiffness") || sn_builder_map(b, "break_force");
    for (uint32_t i = 0; i < (varied ? b->mesh->vertex_count : 1); i++) {
        double strain = strain_at(varied ? sn_builder_at(b, &i, 1) : b->material, load);
        if (strain < 0) return strain;
        most = strain > most ? strain : most;
    }
    return most;
}

/* By what substeps are enough for its bending: a strip that is clamped at one end droops by about
   4.6 h^2 B / (rho l^4) too much with plates on edges of the length l, and by 8.5 of that with the
   other models. Where it differs, of the vertex that wants most. */
static double bend_rate(const sn_builder *b) {
    const sn_cloth_material *m = b->material;
    bool varied = sn_builder_map(b, "bending_stiffness") || sn_builder_map(b, "area_density");
    double most = 0, droop = m->bending == 0 || m->bending == BENDING_PLATE ? 4.6 : 8.5;
    for (uint32_t i = 0; i < (varied ? b->mesh->vertex_count : 1); i++) {
        const sn_cloth_material *at = varied ? sn_builder_at(b, &i, 1) : m;
        double stiff = (double)at->bending_stiffness / (double)at->area_density;
        most = stiff > most ? stiff : most;
    }
    return __builtin_sqrt(droop / 0.4 * most) / (b->edge_length * b->edge_length);
}

void sn_cloth_choose(sn_builder *b, const sn_pairs *edges) {
    const sn_cloth_material *m = b->material;
    double size = sn_builder_size(b), strain = own_strain(b, size);
    bool choose = m->tethers == SN_AUTO, may = strain >= 0 && strain < most_strain;
    b->tethers = !choose ? (int)m->tethers : may ? SN_SHEET_TETHERS_AUTO : 0;
    b->tether_slack = (double)m->tether_slack * (choose && may ? 1 + 2 * strain : 1);
    b->edge_length = mean_edge(b, edges);
    /* Half of it hangs on either side where it is not pinned; and where it is, tethers carry. */
    double hangs = b->tethers > 0 ? size / 2 : size;
    if (m->levels != 0) hangs /= 4;
    b->substep_rate = __builtin_sqrt(6.25 * sn_builder_gravity(b) * hangs) /
                      (b->edge_length > 0 ? b->edge_length : 1);
    b->bend_rate = b->edge_length > 0 ? bend_rate(b) : 0;
}

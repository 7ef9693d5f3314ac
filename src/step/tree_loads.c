/*
 * Which joints carry more than sweeps can hold.
 *
 * A sweep gives a body that is light for what hangs on it its share of that load alone, and hands
 * on the rest in the next substep. What is left over is a gap, and where it is as large as the
 * levers of the joint they turn under the pull: a tree of bodies gains energy, without end, and
 * hardly less so with shorter substeps, since which share that is does not depend on them. It is
 * one part in
 *
 *   A M,   A = w + sum over axes k of W_k (r^2 - r_k^2)        W_k: inverse inertia, r: the arm
 *
 * of a body with the joint at r, and the mass M that it holds. Of 400 random trees with less than
 * 400 for all bodies two gain energy, and nearly all do beyond 100,000; solved as trees, none does.
 * A brake lets such a load sink from 100 on.
 *
 * Of the sides of a body, which its joints lead to, one holds it: the one that is fixed and has
 * the least mass, or else the one with the most. M is that of the heaviest of the others. Masses,
 * anchors and the graph alone decide, so that nothing changes while bodies move.
 */
#include "step/step.h"
#include "step/tree_solver.h"

#include <string.h>

/* From where on sweeps are not trusted. */
#define MOST_LOAD 100.0

enum { NONE = SN_LINK_NONE };

/* 1/kg: how far a pull at an anchor moves it, of a node and its frame, added over three axes. */
static double arm_of(const sn_world *world, const sn_tree_link *link, const sn_real *anchor) {
    double r[3] = {(double)anchor[0], (double)anchor[1], (double)anchor[2]};
    double w = (double)world->nodes.w[link->node];
    double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    if (link->frame == NONE) return w;
    sn_vec4 turn_w = world->frames.w[link->frame];
    w += (double)turn_w.x * (square - r[0] * r[0]);
    w += (double)turn_w.y * (square - r[1] * r[1]);
    return w + (double)turn_w.z * (square - r[2] * r[2]);
}

/* The joints of a link, as both of its ends see them. */
static void see_arms(const sn_world *world, const sn_trees *trees, const sn_tree_link *link,
                     sn_tree_load *own, sn_tree_load *parent) {
    for (int32_t p = link->part; p != NONE; p = trees->part[p].next) {
        const sn_tree_part *part = &trees->part[p];
        const sn_store *store = &world->store[part->store];
        const sn_real *anchors = sn_store_parameters(store, part->place) + store->type->anchors;
        for (int end = 0; end < 2; end++) {
            bool near = end == link->end;
            const sn_tree_link *at = near ? link : trees->link + link->parent;
            sn_tree_load *of = near ? own : parent;
            if (!of || at->node == NONE || part->member[end] < 0) continue;
            double arm = arm_of(world, at, anchors + 3 * part->member[end]);
            if (arm > of->arm) of->arm = arm;
        }
    }
}

/* A side of a body holds it, or is held. */
static void add_side(sn_tree_load *of, double mass, bool held) {
    bool lighter = mass < of->side;
    bool better = held == of->side_held ? lighter == held : held;
    double other = mass;
    if (!of->any || better) {
        other = of->any ? of->side : 0;
        of->side = mass;
        of->side_held = held;
        of->any = true;
    }
    if (other > of->others) of->others = other;
}

/* What is below each link, from the leaves to the root. */
static void add_up(const sn_world *world, const sn_trees *trees, sn_link_tree tree) {
    for (uint32_t i = tree.begin; i < tree.end; i++) {
        const sn_tree_link *link = &trees->link[i];
        sn_tree_load *load = &trees->load[i];
        memset(load, 0, sizeof *load);
        double w = link->node == NONE ? 0 : (double)world->nodes.w[link->node];
        load->held = !(w > 0);
        load->mass = w > 0 ? 1 / w : 0;
    }
    for (uint32_t i = tree.end; i-- > tree.begin;) {
        const sn_tree_link *link = &trees->link[i];
        sn_tree_load *load = &trees->load[i];
        sn_tree_load *parent = link->parent == NONE ? NULL : &trees->load[link->parent];
        see_arms(world, trees, link, load, parent);
        if (!parent) continue;
        add_side(parent, load->mass, load->held > 0);
        parent->mass += load->mass;
        parent->held += load->held;
    }
}

/* Whether a body of the tree holds too much. Every side above it has what is not below. */
static bool is_heavy(const sn_trees *trees, sn_link_tree tree) {
    const sn_tree_link *root = &trees->link[tree.begin];
    const sn_tree_load *all = &trees->load[tree.begin];
    bool heavy = false;
    for (uint32_t i = tree.begin; i < tree.end && !heavy; i++) {
        const sn_tree_link *link = &trees->link[i];
        sn_tree_load load = trees->load[i];
        if (link->node == NONE) continue;
        bool hung = root->part != NONE;
        if (i > tree.begin)
            add_side(&load, all->mass - load.mass, hung || all->held > load.held);
        else if (hung)
            add_side(&load, 0, true);
        heavy = load.arm * load.others > MOST_LOAD;
    }
    return heavy;
}

bool sn_trees_weigh(sn_step *step) {
    sn_world *world = step->world;
    sn_trees *trees = &world->scratch.trees;
    size_t nodes = world->nodes.slots.count;
    if (trees->trees == 0) return true;
    if (!sn_reserve(&world->memory, (void **)&trees->heavy, &trees->heavy_capacity, nodes,
                    sizeof *trees->heavy) ||
        !sn_reserve(&world->memory, (void **)&trees->load, &trees->load_capacity, trees->links,
                    sizeof *trees->load))
        return false;
    memset(trees->heavy, 0, nodes * sizeof *trees->heavy);
    for (size_t t = 0; t < trees->trees; t++) {
        sn_link_tree tree = trees->tree[t];
        add_up(world, trees, tree);
        if (!is_heavy(trees, tree)) continue;
        trees->any_heavy = true;
        for (uint32_t i = tree.begin; i < tree.end; i++)
            if (trees->link[i].node != NONE) trees->heavy[trees->link[i].node] = 1;
    }
    return true;
}

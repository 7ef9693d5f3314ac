/*
 * Which constraints are solved as trees, and in which order.
 *
 * Constraints become edges between nodes, those of the same two nodes one edge as long as it has no
 * more than six rows. In the order of creation an edge is taken unless its nodes are joined
 * already. Nodes that something fixed holds are where trees begin: the constraint there is
 * eliminated last, and none but further ones of that kind depend on what keeps pivots from zero.
 */
#include "step/tree_solver.h"

#include "base/union_find.h"
#include "step/solvers/solver.h"

#include <string.h>

enum { NONE = SN_LINK_NONE, LOOPS_OF_MESH = 8 };

/* The nodes that a constraint moves. */
typedef struct ends {
    int count;
    int32_t node[2];
    int8_t member[2];
    bool turns[2];
} ends;

static bool has_inertia(const sn_world *world, int32_t frame) {
    sn_vec4 w = world->frames.w[frame];
    return w.x > 0 || w.y > 0 || w.z > 0;
}

static bool turns(const sn_world *world, sn_members members, int n) {
    return n < members.frames && has_inertia(world, sn_member(members, members.nodes + n));
}

static sn_body_solver solver_of(const sn_world *world, int32_t node) {
    uint32_t body = world->nodes.body[node];
    return body > 0 ? world->bodies.def[body - 1].solver : SN_BODY_SOLVER_WORLD;
}

static bool is_direct(const sn_step *step, int32_t node) {
    const sn_trees *trees = &step->world->scratch.trees;
    return step->solver->trees || trees->judging || (trees->any_heavy && trees->heavy[node]) ||
           solver_of(step->world, node) != SN_BODY_SOLVER_WORLD;
}

/* Whether a constraint can be in a tree, and whom it moves then. */
static bool find_ends(const sn_step *step, const sn_store *store, sn_place place, ends *e) {
    const sn_world *world = step->world;
    sn_members members = sn_store_members(store, place);
    const sn_real side = sn_store_parameters(store, place)[SN_PARAMETER_SIDE];
    if (sn_trees_is_drive(store->type) && side != (sn_real)SN_SIDE_BOTH) return false;
    *e = (ends){.node = {NONE, NONE}, .member = {NONE, NONE}};
    for (int n = 0; n < members.nodes; n++) {
        int32_t node = sn_member(members, n);
        bool turned = turns(world, members, n);
        if (node < 0 || (!(world->nodes.w[node] > 0) && !turned)) continue;
        if (n >= members.moved || e->count == 2 || !is_direct(step, node)) return false;
        e->turns[e->count] = n < members.frames;
        e->member[e->count] = (int8_t)n;
        e->node[e->count++] = node;
    }
    return e->count > 0 && !sn_store_is_off(store, place);
}

/* Types whose multipliers have no bounds but those of sides, and drives; not those of the user,
   whose function is called on one thread. */
static bool can_be_direct(const sn_trees *trees, const sn_store *store) {
    const sn_constraint_type *type = store->type;
    if (trees->judging && type->anchors == 0) return false;
    return type->info.list == SN_LIST_NONE && sn_store_rank(store) == SN_RANK_CONSTRAINTS &&
           (!type->bounded || sn_trees_is_drive(type)) && type->bytes == 0 &&
           type->info.rows <= SN_LINK_ROWS;
}

static bool is_wanted(const sn_step *step) {
    const sn_bodies *bodies = &step->world->bodies;
    if (step->solver->trees || step->world->scratch.trees.any_heavy) return true;
    for (size_t i = 0; i < bodies->slots.count; i++)
        if (bodies->slots.alive[i] && bodies->def[i].solver != SN_BODY_SOLVER_WORLD) return true;
    return false;
}

/* ---- Edges ---- */

static int end_of(const sn_tree_edge *edge, int32_t node) {
    return edge->end[0] == node ? 0 : 1;
}

/* An edge of the same nodes with room for more rows. */
static int32_t find_edge(const sn_trees *trees, const ends *e, int rows) {
    const sn_tree_vertex *v = trees->vertex;
    bool other = e->count == 2 && v[e->node[1]].edges < v[e->node[0]].edges;
    int32_t from = e->node[other], to = e->node[!other];
    for (int32_t i = v[from].edge; i != NONE;) {
        const sn_tree_edge *edge = &trees->edge[i];
        int end = end_of(edge, from);
        if (edge->end[!end] == to && edge->rows + rows <= SN_LINK_ROWS) return i;
        i = edge->next[end];
    }
    return NONE;
}

static int32_t add_edge(sn_trees *trees, const ends *e) {
    int32_t index = (int32_t)trees->edges++;
    sn_tree_edge *edge = &trees->edge[index];
    *edge = (sn_tree_edge){{e->node[0], e->node[1]}, {NONE, NONE}, NONE, 0};
    for (int k = 0; k < e->count; k++) {
        sn_tree_vertex *v = &trees->vertex[e->node[k]];
        edge->next[k] = v->edge;
        v->edge = index;
        v->edges++;
    }
    return index;
}

/* Joints make the edges; drives come behind them, where these have room. */
static void add_constraint(sn_step *step, uint32_t index, bool drives) {
    sn_world *world = step->world;
    sn_trees *trees = &world->scratch.trees;
    const sn_constraint_record *record = &world->constraints.record[index];
    sn_store *store = &world->store[record->type];
    sn_place place = {record->colour, record->position};
    ends e;
    if (sn_trees_is_drive(store->type) != drives) return;
    if (!can_be_direct(trees, store) || !find_ends(step, store, place, &e)) return;
    int32_t at = find_edge(trees, &e, store->type->info.rows);
    if (at == NONE && drives) return;
    if (at == NONE && e.count == 2) {
        uint32_t *set = &trees->vertex[e.node[0]].loops;
        uint32_t a = sn_sets_root(trees->set, (uint32_t)e.node[0]);
        uint32_t b = sn_sets_root(trees->set, (uint32_t)e.node[1]);
        if (a == b) {
            ++*set;
            return;
        }
        sn_sets_join(trees->set, a, b);
    }
    if (at == NONE) at = add_edge(trees, &e);
    sn_tree_edge *edge = &trees->edge[at];
    int32_t part = (int32_t)trees->parts++;
    bool swap = edge->end[0] != e.node[0];
    trees->part[part] = (sn_tree_part){record->type, place, index, edge->part, {0, 0}, false};
    for (int k = 0; k < 2; k++) {
        trees->part[part].member[k] = e.member[swap ? !k : k];
        if (e.node[k] != NONE) trees->vertex[e.node[k]].turns |= e.turns[k];
    }
    edge->part = part;
    edge->rows = (uint8_t)(edge->rows + store->type->info.rows);
    trees->vertex[e.node[0]].all++;
}

/* What is known of nodes becomes known of sets. */
static void sum_up(sn_trees *trees, size_t nodes) {
    sn_tree_vertex *v = trees->vertex;
    for (size_t i = 0; i < nodes; i++) {
        uint32_t root = sn_sets_root(trees->set, (uint32_t)i);
        if (root == i) continue;
        v[root].all += v[i].all;
        v[root].loops += v[i].loops;
    }
    for (size_t i = 0; i < trees->edges; i++) {
        if (trees->edge[i].end[1] != NONE) continue;
        uint32_t root = sn_sets_root(trees->set, (uint32_t)trees->edge[i].end[0]);
        if (v[root].anchor == NONE) v[root].anchor = (int32_t)i;
    }
}

/* ---- The order ---- */

static void add_link(const sn_world *world, int32_t parent, int32_t node, int32_t edge) {
    sn_trees *trees = (sn_trees *)&world->scratch.trees;
    sn_tree_link *link = &trees->link[trees->links++];
    bool held = edge != NONE, turned = node != NONE && trees->vertex[node].turns;
    memset(link, 0, sizeof *link);
    link->parent = parent;
    link->node = node;
    bool still = turned && solver_of(world, node) == SN_BODY_SOLVER_CLOSED_FORM;
    int32_t frame = turned ? (int32_t)world->nodes.frame[node] - 1 : NONE;
    link->frame = still ? NONE : frame;
    link->still = still && has_inertia(world, frame) ? frame : NONE;
    link->part = held ? trees->edge[edge].part : NONE;
    link->rows = held ? trees->edge[edge].rows : 0;
    link->columns = node == NONE ? 0 : turned && !still ? 6 : 3;
    link->end = held && node != NONE && trees->edge[edge].end[0] != node;
    /* One that ends at something fixed has its parent as the only end. */
    if (node == NONE) link->end = 1;
    if (node != NONE) trees->vertex[node].reached = true;
}

/* The tree of a set, breadth first from its root. */
static void add_tree(const sn_world *world, uint32_t set) {
    sn_trees *trees = (sn_trees *)&world->scratch.trees;
    int32_t anchor = trees->vertex[set].anchor;
    int32_t root = anchor == NONE ? (int32_t)set : trees->edge[anchor].end[0];
    uint32_t begin = (uint32_t)trees->links;
    add_link(world, NONE, root, anchor);
    for (size_t at = begin; at < trees->links; at++) {
        int32_t node = trees->link[at].node;
        if (node == NONE) continue;
        for (int32_t i = trees->vertex[node].edge; i != NONE;) {
            const sn_tree_edge *edge = &trees->edge[i];
            int end = end_of(edge, node);
            int32_t other = edge->end[!end];
            if (i != anchor && (other == NONE || !trees->vertex[other].reached))
                add_link(world, (int32_t)at, other, i);
            i = edge->next[end];
        }
    }
    trees->tree[trees->trees++] = (sn_link_tree){begin, (uint32_t)trees->links};
}

static bool is_tree(const sn_trees *trees, uint32_t i) {
    const sn_tree_vertex *v = &trees->vertex[i];
    return trees->set[i] == i && v->all > 0 && v->loops * LOOPS_OF_MESH <= v->all;
}

/* ---- Masks ---- */

static void mark_part(sn_trees *trees, const sn_tree_part *part) {
    int32_t begin = trees->masks[part->store * SN_COLOURS + part->place.colour];
    trees->mask[begin + (int32_t)(part->place.position / 16)] |=
        (uint16_t)(1u << part->place.position % 16);
}

static bool make_masks(sn_world *world) {
    sn_trees *trees = &world->scratch.trees;
    size_t count = world->store_count * SN_COLOURS, blocks = 0;
    if (!sn_reserve(&world->memory, (void **)&trees->masks, &trees->masks_capacity, count,
                    sizeof *trees->masks))
        return false;
    for (size_t i = 0; i < count; i++) trees->masks[i] = NONE;
    for (size_t i = 0; i < trees->links; i++)
        for (int32_t p = trees->link[i].part; p != NONE; p = trees->part[p].next) {
            const sn_tree_part *part = &trees->part[p];
            int32_t *begin = &trees->masks[part->store * SN_COLOURS + part->place.colour];
            if (*begin != NONE) continue;
            *begin = (int32_t)blocks;
            blocks += sn_colour_blocks(&world->store[part->store].colour[part->place.colour]);
        }
    if (!sn_reserve(&world->memory, (void **)&trees->mask, &trees->mask_capacity, blocks,
                    sizeof *trees->mask))
        return false;
    if (blocks > 0) memset(trees->mask, 0, blocks * sizeof *trees->mask);
    for (size_t i = 0; i < trees->links; i++)
        for (int32_t p = trees->link[i].part; p != NONE; p = trees->part[p].next)
            mark_part(trees, &trees->part[p]);
    return true;
}

/* ---- Everything ---- */

static size_t count_candidates(const sn_step *step) {
    sn_world *world = step->world;
    size_t count = 0;
    for (size_t s = 0; s < world->store_count; s++) {
        const sn_store *store = &world->store[s];
        if (!can_be_direct(&world->scratch.trees, store)) continue;
        for (int c = 0; c < SN_COLOURS; c++)
            for (size_t i = 0; i < store->colour[c].count; i++) {
                ends e;
                count += find_ends(step, store, (sn_place){(uint8_t)c, (uint32_t)i}, &e);
            }
    }
    return count;
}

static bool make_trees(sn_step *step) {
    sn_world *world = step->world;
    sn_trees *trees = &world->scratch.trees;
    sn_memory *memory = &world->memory;
    size_t count = count_candidates(step), nodes = world->nodes.slots.count, sets = 0;
    if (count == 0) return true;
    if (!sn_reserve(memory, (void **)&trees->part, &trees->part_capacity, count,
                    sizeof *trees->part) ||
        !sn_reserve(memory, (void **)&trees->edge, &trees->edge_capacity, count,
                    sizeof *trees->edge) ||
        !sn_reserve(memory, (void **)&trees->vertex, &trees->vertex_capacity, nodes,
                    sizeof *trees->vertex) ||
        !sn_reserve(memory, (void **)&trees->set, &trees->set_capacity, nodes, sizeof *trees->set))
        return false;
    for (size_t i = 0; i < nodes; i++) {
        trees->vertex[i] = (sn_tree_vertex){.edge = NONE, .anchor = NONE};
        trees->set[i] = (uint32_t)i;
    }
    for (int drives = 0; drives < 2; drives++)
        for (uint32_t next = world->constraints.oldest; next;) {
            add_constraint(step, next - 1, drives == 1);
            next = world->constraints.record[next - 1].newer;
        }
    sum_up(trees, nodes);
    for (uint32_t i = 0; i < nodes; i++) sets += is_tree(trees, i);
    if (!sn_reserve(memory, (void **)&trees->link, &trees->link_capacity, trees->edges + sets,
                    sizeof *trees->link) ||
        !sn_reserve(memory, (void **)&trees->tree, &trees->tree_capacity, sets,
                    sizeof *trees->tree))
        return false;
    for (uint32_t i = 0; i < nodes; i++)
        if (is_tree(trees, i)) add_tree(world, i);
    return trees->judging || make_masks(world);
}

/* Whether joints may carry too much for sweeps: one alone does not. */
static bool may_be_heavy(const sn_step *step) {
    const sn_world *world = step->world;
    size_t joints = 0;
    for (size_t s = 0; s < world->store_count; s++)
        if (world->store[s].type->anchors > 0) joints += world->store[s].count;
    return joints > 1 && step->solver->holds_joints;
}

/* Trees of joints alone, of all bodies, tell which of them sweeps cannot hold. */
static bool find_heavy(sn_step *step) {
    sn_trees *trees = &step->world->scratch.trees;
    trees->any_heavy = false;
    if (!may_be_heavy(step)) return true;
    trees->judging = true;
    bool made = make_trees(step) && sn_trees_weigh(step);
    trees->judging = false;
    trees->trees = trees->links = trees->parts = trees->edges = 0;
    return made;
}

/* Multipliers that are not those of the last substep are none. */
static void forget_old(sn_world *world) {
    const sn_trees *trees = &world->scratch.trees;
    for (size_t i = 0; trees->trees > 0 && i < trees->parts; i++) {
        const sn_store *store = &world->store[trees->part[i].store];
        if (!store->kept)
            memset(sn_store_kept(store, trees->part[i].place), 0, sn_lambda_bytes(store->type));
    }
}

bool sn_trees_plan(sn_step *step) {
    sn_world_scratch *scratch = &step->world->scratch;
    sn_trees *trees = &scratch->trees;
    trees->breaks_seen = 0;
    if (trees->made && !trees->stale && !scratch->masses_changed && !scratch->settings_changed &&
        !scratch->constraints_changed)
        return true;
    trees->trees = trees->links = trees->parts = trees->edges = 0;
    trees->made = find_heavy(step) && (!is_wanted(step) || make_trees(step));
    trees->stale = false;
    if (!trees->made) trees->trees = 0;
    forget_old(step->world);
    return trees->made;
}

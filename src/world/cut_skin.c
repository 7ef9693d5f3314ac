/* The skin of a node that is cut: what bodies touch each other with follows the sheet. */
#include "world/cut.h"

static sn_skin_state *skin_of(const sn_cut *cut) {
    sn_skins *skins = &cut->world->skins;
    uint32_t skin = cut->node < skins->node_capacity ? skins->of_node[cut->node] : 0;
    return skin ? &skins->state[skin - 1] : NULL;
}

bool sn_cut_reserve_skin(sn_cut *cut) {
    sn_memory *memory = &cut->world->memory;
    if (!skin_of(cut)) return true;
    if (!sn_skins_reserve(&cut->world->skins, memory, (size_t)cut->copy + 1)) return false;
    sn_skin_state *s = skin_of(cut);
    return sn_skin_state_reserve(s, memory, s->def.node_count + 1, s->def.triangle_count,
                                 s->edges + cut->seams);
}

static void move_triangles(const sn_cut *cut, sn_skin_state *s) {
    for (size_t i = 0; i < 3 * s->def.triangle_count; i++) {
        if (s->triangle[i] != cut->node) continue;
        const uint32_t *t = &s->triangle[i / 3 * 3];
        if (sn_cut_sides_of_triangle(cut, t[(i % 3 + 1) % 3], t[(i % 3 + 2) % 3]) == 2)
            s->triangle[i] = cut->copy;
    }
}

/* Edges of triangles come before segments, the first of which makes room. */
static void add_edge(sn_skin_state *s, uint32_t a, uint32_t b) {
    uint32_t *end = &s->edge[2 * s->edges], *gap = &s->edge[2 * s->inner];
    end[0] = gap[0];
    end[1] = gap[1];
    gap[0] = a;
    gap[1] = b;
    s->inner++;
    s->edges++;
}

static void move_edges(const sn_cut *cut, sn_skin_state *s) {
    for (size_t i = 0, inner = s->inner; i < inner; i++) {
        uint32_t *e = &s->edge[2 * i];
        if (e[0] != cut->node && e[1] != cut->node) continue;
        int own = e[1] == cut->node;
        uint32_t other = e[1 - own];
        unsigned sides = sn_cut_sides(cut, other);
        if (sides == 2) e[own] = cut->copy;
        if (sides == 3) add_edge(s, own ? other : cut->copy, own ? cut->copy : other);
    }
}

void sn_cut_move_skin(sn_cut *cut) {
    sn_skins *skins = &cut->world->skins;
    sn_skin_state *s = skin_of(cut);
    if (!s) return;
    s->node[s->def.node_count++] = cut->copy;
    skins->of_node[cut->copy] = skins->of_node[cut->node];
    skins->rest[cut->copy] = skins->rest[cut->node];
    move_triangles(cut, s);
    move_edges(cut, s);
    sn_skins_change(skins);
}

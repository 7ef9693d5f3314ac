#include "geometry/triangulate/triangulation.h"

sn_result sn_triangulation_create(sn_triangulation *mesh, sn_memory *memory, size_t sites) {
    *mesh = (sn_triangulation){.sites = 4};
    if (!sn_sides_reserve(&mesh->sides, memory, 2 * sites + 2, sites + 4) ||
        !sn_reserve(memory, (void **)&mesh->site, &mesh->site_capacity, sites + 4,
                    sizeof *mesh->site) ||
        !sn_reserve(memory, (void **)&mesh->stack, &mesh->stack_capacity, 6 * sites + 6,
                    sizeof *mesh->stack)) {
        sn_triangulation_free(mesh, memory);
        return SN_ERROR_MEMORY;
    }
    const int32_t far = SN_SITE_FRAME;
    const sn_site corner[4] = {{-far, -far}, {far, -far}, {far, far}, {-far, far}};
    for (int i = 0; i < 4; i++) mesh->site[i] = corner[i];
    mesh->sides.triangles = 2;
    sn_sides_put(&mesh->sides, 0, 0, 1, 2);
    sn_sides_put(&mesh->sides, 1, 0, 2, 3);
    for (uint32_t side = 0; side < 6; side++) mesh->sides.twin[side] = SN_SIDE_NONE;
    sn_sides_join(&mesh->sides, 2, 3, 0);
    return SN_OK;
}

void sn_triangulation_free(sn_triangulation *mesh, sn_memory *memory) {
    sn_free(memory, mesh->stack, mesh->stack_capacity, sizeof *mesh->stack);
    sn_free(memory, mesh->site, mesh->site_capacity, sizeof *mesh->site);
    sn_sides_free(&mesh->sides, memory);
    *mesh = (sn_triangulation){0};
}

/* ---- Finding ---- */

static int64_t turn_at(const sn_triangulation *mesh, uint32_t side, sn_site x) {
    return sn_site_turn(mesh->site[mesh->sides.start[side]],
                        mesh->site[sn_side_end(&mesh->sides, side)], x);
}

static bool contains(const sn_triangulation *mesh, uint32_t t, sn_site x) {
    return turn_at(mesh, 3 * t, x) >= 0 && turn_at(mesh, 3 * t + 1, x) >= 0 &&
           turn_at(mesh, 3 * t + 2, x) >= 0;
}

uint32_t sn_triangulation_find(sn_triangulation *mesh, sn_site x) {
    uint32_t t = mesh->hint;
    /* Across a side that has x beyond it, a different one first each time: with locked edges a
       walk could otherwise go round in a circle. */
    for (size_t step = 0; step <= mesh->sides.triangles; step++) {
        uint32_t next = SN_SIDE_NONE;
        for (uint32_t k = 0; k < 3 && next == SN_SIDE_NONE; k++) {
            uint32_t side = 3 * t + (uint32_t)((k + step) % 3);
            if (turn_at(mesh, side, x) < 0) next = mesh->sides.twin[side];
        }
        if (next == SN_SIDE_NONE) return mesh->hint = t;
        t = next / 3;
    }
    for (t = 0; t + 1 < mesh->sides.triangles && !contains(mesh, t, x);) t++;
    return mesh->hint = t;
}

/* ---- Flipping ---- */

void sn_triangulation_push(sn_triangulation *mesh, uint32_t side) {
    /* What does not fit is found again by the next pass of who moves sites. */
    if (mesh->stacked < mesh->stack_capacity) mesh->stack[mesh->stacked++] = side;
}

void sn_triangulation_settle(sn_triangulation *mesh) {
    while (mesh->stacked > 0) {
        uint32_t side = mesh->stack[--mesh->stacked], twin = mesh->sides.twin[side];
        if (twin == SN_SIDE_NONE || mesh->sides.mark[side]) continue;
        uint32_t a = mesh->sides.start[side], b = mesh->sides.start[twin];
        uint32_t c = mesh->sides.start[sn_side_before(side)],
                 d = mesh->sides.start[sn_side_before(twin)];
        if (!sn_site_in_circle(mesh->site[a], mesh->site[b], mesh->site[c], mesh->site[d]))
            continue;
        sn_sides_flip(&mesh->sides, side);
        sn_triangulation_push(mesh, sn_side_next(side));
        sn_triangulation_push(mesh, sn_side_before(side));
        sn_triangulation_push(mesh, sn_side_next(twin));
        sn_triangulation_push(mesh, sn_side_before(twin));
    }
}

/* ---- Adding ---- */

/* A triangle becomes three about a site. */
static void split_triangle(sn_triangulation *mesh, uint32_t t, uint32_t x) {
    sn_sides *sides = &mesh->sides;
    uint32_t one = (uint32_t)sides->triangles, two = one + 1, side = 3 * t;
    uint32_t a = sides->start[side], b = sides->start[side + 1], c = sides->start[side + 2];
    uint32_t beyond[2] = {sides->twin[side + 1], sides->twin[side + 2]};
    uint32_t locked[2] = {sides->mark[side + 1], sides->mark[side + 2]};
    sides->triangles += 2;
    sn_sides_put(sides, t, a, b, x);
    sn_sides_put(sides, one, b, c, x);
    sn_sides_put(sides, two, c, a, x);
    sn_sides_join(sides, 3 * one, beyond[0], locked[0]);
    sn_sides_join(sides, 3 * two, beyond[1], locked[1]);
    sn_sides_join(sides, side + 1, 3 * one + 2, 0);
    sn_sides_join(sides, 3 * one + 1, 3 * two + 2, 0);
    sn_sides_join(sides, 3 * two + 1, side + 2, 0);
    sn_triangulation_push(mesh, side);
    sn_triangulation_push(mesh, 3 * one);
    sn_triangulation_push(mesh, 3 * two);
}

/* The triangles on both sides of an edge become four about a site on it. */
static void split_edge(sn_triangulation *mesh, uint32_t side, uint32_t x) {
    uint32_t twin = mesh->sides.twin[side], one = 3 * (uint32_t)mesh->sides.triangles;
    sn_sides_split(&mesh->sides, side, x);
    sn_triangulation_push(mesh, sn_side_before(side));
    sn_triangulation_push(mesh, sn_side_before(twin));
    sn_triangulation_push(mesh, one + 1);
    sn_triangulation_push(mesh, one + 4);
}

bool sn_triangulation_add(sn_triangulation *mesh, uint32_t triangle, sn_site x) {
    uint32_t on = SN_SIDE_NONE;
    for (uint32_t side = 3 * triangle; side < 3 * triangle + 3; side++) {
        if (sn_site_equal(mesh->site[mesh->sides.start[side]], x)) return false;
        if (turn_at(mesh, side, x) == 0) on = side;
    }
    uint32_t added = (uint32_t)mesh->sites++;
    mesh->site[added] = x;
    if (on == SN_SIDE_NONE)
        split_triangle(mesh, triangle, added);
    else
        split_edge(mesh, on, added);
    sn_triangulation_settle(mesh);
    return true;
}

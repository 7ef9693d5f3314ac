#include "shadow.h"

/* Samples along a side of the map, and how many of them the edge of a shadow is blurred over. */
enum { SIZE = 768, BLUR = 5 };

/* Finds the box of the mesh in the light's basis and fits the map around it. */
static void fit(shadow *s, const sn_io_mesh *mesh) {
    vec least = {INFINITY, INFINITY, 0}, most = {-INFINITY, -INFINITY, 0};
    for (size_t i = 0; i < mesh->node_count; i++) {
        vec x = to_basis(&s->light, vec_of(mesh->positions[i]));
        least = (vec){fminf(least.x, x.x), fminf(least.y, x.y), 0};
        most = (vec){fmaxf(most.x, x.x), fmaxf(most.y, x.y), 0};
    }
    float side = fmaxf(fmaxf(most.x - least.x, most.y - least.y), 1e-6f);
    s->texel = side / (SIZE - 4 * BLUR);
    s->corner = sub(least, scale((vec){1, 1, 0}, 2 * BLUR * s->texel));
}

static vec to_map(const shadow *s, vec point) {
    vec x = sub(to_basis(&s->light, point), s->corner);
    return (vec){x.x / s->texel, x.y / s->texel, x.z};
}

bool shadow_make(shadow *s, const sn_io_mesh *mesh, vec to_light) {
    *s = (shadow){.light = basis_towards(scale(to_light, -1))};
    if (!fill_buffer_make(&s->buffer, SIZE, SIZE)) return false;
    fit(s, mesh);
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        vec corner[3];
        for (int k = 0; k < 3; k++)
            corner[k] = to_map(s, vec_of(mesh->positions[mesh->triangles[i][k]]));
        fill_triangle(&s->buffer, corner, (uint32_t)i);
    }
    return true;
}

void shadow_free(shadow *s) {
    fill_buffer_free(&s->buffer);
}

static bool is_lit(const shadow *s, int x, int y, float depth) {
    bool outside = x < 0 || y < 0 || x >= SIZE || y >= SIZE;
    return outside || s->buffer.depth[y * SIZE + x] > depth;
}

float shadow_light(const shadow *s, vec point) {
    vec at = to_map(s, point);
    if (!(at.x > -BLUR && at.y > -BLUR && at.x < SIZE + BLUR && at.y < SIZE + BLUR)) return 1;
    /* The share of lit samples around the point; those at the border count by their overlap. */
    int x0 = (int)floorf(at.x - 0.5f), y0 = (int)floorf(at.y - 0.5f);
    float fx = at.x - 0.5f - (float)x0, fy = at.y - 0.5f - (float)y0, lit = 0;
    for (int y = 1 - BLUR; y <= BLUR; y++) {
        float wy = y == 1 - BLUR ? 1 - fy : y == BLUR ? fy : 1;
        for (int x = 1 - BLUR; x <= BLUR; x++) {
            float wx = x == 1 - BLUR ? 1 - fx : x == BLUR ? fx : 1;
            lit += is_lit(s, x0 + x, y0 + y, at.z) ? wx * wy : 0;
        }
    }
    return lit / (float)((2 * BLUR - 1) * (2 * BLUR - 1));
}

#include "picture/picture_light.h"

#include "picture/picture_share.h"
#include "picture/quad.h"

#include <sinew/support.h>

#include <stdlib.h>
#include <string.h>

/* Texels: the disc is at least so wide, or the texels would show. */
static const float least_disc = 1.5f;

void sn_light_free(light_map *map) {
    free(map->key);
    free(map->block);
    free(map->around);
    free(map->nearest);
    free(map->furthest);
    *map = (light_map){0};
}

/* The box of the stage along two directions, cut to the limit. */
static bool fit(const stage *s, vec a, vec b, float limit, float box[4]) {
    box[0] = box[1] = INFINITY;
    box[2] = box[3] = -INFINITY;
    float widest = 0;
    for (size_t i = 0; i < s->vertex_count; i++) {
        float u = dot(a, s->points[i]), v = dot(b, s->points[i]);
        box[0] = least_of(u, box[0]);
        box[1] = least_of(v, box[1]);
        box[2] = most_of(u, box[2]);
        box[3] = most_of(v, box[3]);
        widest = most_of(s->radii[i], widest);
    }
    widest = least_of(widest, limit);
    for (int i = 0; i < 4; i++) box[i] = clamp(box[i] + (i < 2 ? -widest : widest), -limit, limit);
    return box[0] <= box[2] && box[1] <= box[3];
}

/* ---- Maps ---- */

/* Of one row of tiles. */
static void make_tiles(light_map *map, int j) {
    int blocks = map->tiles * LIGHT_TILE / LIGHT_BLOCK;
    for (int i = 0; i < map->tiles; i++) {
        quad nearest = quad_of(-INFINITY), furthest = quad_of(INFINITY);
        for (int y = j * LIGHT_TILE; y < (j + 1) * LIGHT_TILE; y += LIGHT_BLOCK) {
            const float *row = map->key + (size_t)y * map->across + (size_t)i * LIGHT_TILE;
            int block = y / LIGHT_BLOCK * blocks + i * LIGHT_TILE / LIGHT_BLOCK;
            for (int x = 0; x < LIGHT_TILE; x += LIGHT_BLOCK, block++) {
                quad near = quad_of(-INFINITY);
                for (size_t k = 0; k < LIGHT_BLOCK; k++) {
                    quad key = quad_load(row + k * map->across + x);
                    near = quad_most(key, near);
                    furthest = quad_least(key, furthest);
                }
                map->block[block] = quad_largest(near);
                nearest = quad_most(near, nearest);
            }
        }
        map->nearest[j * map->tiles + i] = quad_largest(nearest);
        map->furthest[j * map->tiles + i] = quad_smallest(furthest);
    }
}

/* The nearest keys of tiles together with all that the widest disc may reach from them. */
static void make_around(light_map *map) {
    const int reach = ((int)map->widest + LIGHT_TILE - 1) / LIGHT_TILE, last = map->tiles - 1;
    for (int j = 0; j <= last; j++)
        for (int i = 0; i <= last; i++) {
            float nearest = -INFINITY;
            for (int y = j > reach ? j - reach : 0; y <= j + reach && y <= last; y++)
                for (int x = i > reach ? i - reach : 0; x <= i + reach && x <= last; x++)
                    nearest = most_of(map->nearest[y * map->tiles + x], nearest);
            map->around[j * map->tiles + i] = nearest;
        }
}

typedef struct map_work {
    light_map *map;
    const stage *stage;
    const fill_buffer *buffer;
    stage_bins bins;
} map_work;

static void fill_piece(void *context, size_t index, int worker) {
    (void)worker;
    const map_work *work = context;
    light_map *map = work->map;
    int first = (int)index * LIGHT_ROWS, left = map->size - first;
    fill_buffer part = *work->buffer;
    part.first_row = first;
    part.rows = left < LIGHT_ROWS ? left : LIGHT_ROWS;
    part.key += (size_t)first * map->across;
    sn_fill_clear(&part);
    sn_bins_fill(&work->bins, (int)index, work->stage, &map->projector, &part);
    for (int j = first / LIGHT_TILE; j < (first + part.rows) / LIGHT_TILE; j++) make_tiles(map, j);
}

/* Neighbours with other turns look between the directions of each other. */
static void make_ways(light_map *map) {
    static const uint64_t order[LIGHT_DIRECTIONS] = {0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11};
    for (uint64_t turn = 0; turn < LIGHT_TURNS; turn++)
        for (int i = 0; i < LIGHT_DIRECTIONS; i++) {
            double sine, cosine;
            sn_turn(order[i] * LIGHT_TURNS + turn, LIGHT_DIRECTIONS * LIGHT_TURNS, &sine, &cosine);
            map->way[turn][0][i] = (float)cosine;
            map->way[turn][1][i] = (float)sine;
        }
}

bool sn_light_make(light_map *map, stage *s, const light_def *def) {
    int size = def->size;
    *map = (light_map){.size = size,
                       .tiles = size / LIGHT_TILE,
                       .spread = def->spread,
                       .widest = def->widest,
                       .first = -INFINITY,
                       .steps = def->steps};
    basis b = basis_towards(scale(def->to_light, -1), (vec){0, 1, 0});
    float box[4], limit = def->limit;
    make_ways(map);
    /* A map of nothing leaves everything lit. */
    if (!fit(s, b.right, b.up, limit, box)) return true;
    float side = most_of(most_of(box[2] - box[0], box[3] - box[1]), 1e-6f * limit);
    map->texel = side / (float)(size - 4);
    float margin = 2 * map->texel;
    vec corner = add(scale(b.right, box[0] - margin), scale(b.up, box[1] - margin));
    map->projector = sn_projector_parallel(scale(b.right, map->texel), scale(b.up, map->texel),
                                           b.forward, corner);
    size_t tiles = (size_t)map->tiles * (size_t)map->tiles;
    fill_buffer buffer = {0};
    size_t blocks = (size_t)(size / LIGHT_BLOCK) * (size_t)(size / LIGHT_BLOCK);
    map->block = malloc(blocks * sizeof *map->block);
    map->around = malloc(tiles * sizeof *map->around);
    map->nearest = malloc(tiles * sizeof *map->nearest);
    map->furthest = malloc(tiles * sizeof *map->furthest);
    bool made = map->block && map->around && map->nearest && map->furthest &&
                sn_fill_make_map(&buffer, size, size, false);
    map_work work = {map, s, &buffer, {0}};
    map->key = buffer.key;
    map->across = fill_across(&buffer);
    if (made) sn_stage_project(s, &map->projector);
    if (made)
        made = sn_bins_make(&work.bins, s, &map->projector, size, LIGHT_ROWS, STAGE_SHADOW,
                            def->coarse);
    if (made) sn_share(s->threads, (size_t)work.bins.bands, fill_piece, &work);
    sn_bins_free(&work.bins);
    if (made) make_around(map);
    for (size_t i = 0; made && i < tiles; i++) map->first = most_of(map->first, map->nearest[i]);
    if (!made) sn_light_free(map);
    return made;
}

/* ---- Looking back ---- */

/* What lies around a place in the map. */
typedef struct search {
    bool hidden; /* nothing but things that hide the light */
    float wide;  /* texels: how far from it anything can be that hides any of the light; 0: lit */
} search;

static int tile_at(const light_map *map, float x) {
    int tile = (int)(x * (1.0f / LIGHT_TILE));
    return x < 0 ? 0 : tile < map->tiles ? tile : map->tiles - 1;
}

/* Texels: the radius of the disc where it passes something that is `height` nearer. */
static inline float disc_at(const light_map *map, float height, float per_texel) {
    return clamp(map->spread * height * per_texel, least_disc, map->widest);
}

/* Looks at the tiles that the widest disc may touch. */
static search look_around(const light_map *map, vec at, float bias, float highest) {
    float per_texel = 1 / map->texel;
    float reach = disc_at(map, highest, per_texel);
    int left = tile_at(map, at.x - reach), right = tile_at(map, at.x + reach);
    int top = tile_at(map, at.y - reach), bottom = tile_at(map, at.y + reach);
    search found = {.hidden = true};
    for (int j = top; j <= bottom; j++)
        for (int i = left; i <= right; i++) {
            float height = at.z + map->nearest[j * map->tiles + i];
            found.hidden = found.hidden && at.z + map->furthest[j * map->tiles + i] > bias;
            if (!(height > bias)) continue;
            float x = (float)(i * LIGHT_TILE), y = (float)(j * LIGHT_TILE);
            float dx = most_of(most_of(x - at.x, at.x - x - LIGHT_TILE), 0);
            float dy = most_of(most_of(y - at.y, at.y - y - LIGHT_TILE), 0);
            float disc = disc_at(map, height, per_texel);
            if (dx * dx + dy * dy > disc * disc) continue;
            found.wide = most_of(found.wide, disc);
        }
    return found;
}

static int block_at(const light_map *map, float x) {
    return (int)clamp(x, 0, (float)(map->size - 1)) / LIGHT_BLOCK;
}

/* Whether nothing that far around a place hides any of the light. A surface that leans towards the
   light is nearer to it elsewhere in a tile, and seldom within a narrow disc. */
static bool is_open(const light_map *map, vec at, float bias, float wide) {
    int left = block_at(map, at.x - wide), right = block_at(map, at.x + wide);
    int top = block_at(map, at.y - wide), bottom = block_at(map, at.y + wide);
    float nearest = -INFINITY;
    for (int j = top; j <= bottom; j++)
        for (int i = left; i <= right; i++)
            nearest = most_of(map->block[j * (map->size / LIGHT_BLOCK) + i], nearest);
    return !(at.z + nearest > bias);
}

/* Rings of four directions. */
typedef uint32_t quad_rings __attribute__((vector_size(QUAD * sizeof(uint32_t))));

/* RINGS rings of the disc, of the same area, as bits: those from one square of a radius to
   another. */
enum { RINGS = 31 };
static inline quad_bits rings(quad from, quad to) {
    const quad end = {1, 1, 1, 1};
    const quad_rings one = {1, 1, 1, 1};
    quad_bits a = quad_whole(RINGS * quad_least(from, end) + 0.5f);
    quad_bits b = quad_whole(RINGS * quad_least(to, end) + 0.5f);
    return (quad_bits)((one << (quad_rings)b) - (one << (quad_rings)a));
}

static int count_bits(uint32_t bits) {
    bits -= bits >> 1 & 0x55555555u;
    bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
    return (int)(((bits + (bits >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24);
}

/* Heights above a point of what lies at four places of the map. Nothing lies in its outermost
   texels, which stand for all that is further out, where the places are not `within` it. */
static inline quad heights_at(const light_map *map, float z, quad x, quad y, bool within) {
    float edge = (float)(map->size - 1);
    quad_bits column = quad_whole(within ? x : quad_clamp(x, 0, edge));
    quad_bits row = quad_whole(within ? y : quad_clamp(y, 0, edge));
    row = row * (int32_t)map->across + column;
    /* At once: a lane after the other would wait for all that was found before. */
    quad key = {map->key[row[0]], map->key[row[1]], map->key[row[2]], map->key[row[3]]};
    return z + key;
}

/* What is known of four directions: which rings are hidden, and what was at the last step. */
typedef struct ring_walk {
    quad way_x, way_y, last;
    quad_bits hidden, before;
} ring_walk;

static inline ring_walk walk_from(const light_map *map, int turn, int first) {
    ring_walk w = {.last = {0}};
    memcpy(&w.way_x, map->way[turn][0] + first, sizeof w.way_x);
    memcpy(&w.way_y, map->way[turn][1] + first, sizeof w.way_y);
    return w;
}

/* What is hidden at a step and at the next is one surface, and hides all between them. */
static inline void walk_step(ring_walk *w, const light_map *map, vec at, float bias, bool within,
                             float per_texel, float r, float half) {
    const quad narrow = least_disc - (quad){0}, wide = map->widest - (quad){0};
    quad height = heights_at(map, at.z, at.x + r * w->way_x, at.y + r * w->way_y, within);
    quad_bits hides = height > bias;
    quad inverse = 1 / quad_most(quad_least(height * per_texel, wide), narrow);
    quad from = most_of(r - half, 0) * inverse, to = (r + half) * inverse;
    from *= from;
    to *= to;
    from = quad_choose(w->before, quad_least(from, w->last), from);
    w->last = quad_choose(w->before, quad_most(to, w->last), to);
    w->hidden |= rings(from, w->last) & hides;
    w->last = to;
    w->before = hides;
}

static inline int walk_count(const ring_walk *w) {
    int count = 0;
    for (int i = 0; i < QUAD; i++) count += count_bits((uint32_t)w->hidden[i]);
    return count;
}

/* How many rings are hidden in the first eight directions, side by side, as each of them waits for
   the map; or in the last four. */
static inline int hidden_first(const light_map *map, vec at, float bias, bool within, int turn,
                               float step, int steps) {
    ring_walk a = walk_from(map, turn, 0), b = walk_from(map, turn, QUAD);
    float per_texel = map->spread / map->texel;
    for (int k = 0; k <= steps; k++) {
        walk_step(&a, map, at, bias, within, per_texel, (float)k * step, 0.5f * step);
        walk_step(&b, map, at, bias, within, per_texel, (float)k * step, 0.5f * step);
    }
    return walk_count(&a) + walk_count(&b);
}

static int hidden_last(const light_map *map, vec at, float bias, int turn, float step, int steps) {
    ring_walk w = walk_from(map, turn, 2 * QUAD);
    float per_texel = map->spread / map->texel;
    for (int k = 0; k <= steps; k++)
        walk_step(&w, map, at, bias, false, per_texel, (float)k * step, 0.5f * step);
    return walk_count(&w);
}

float sn_light_at(const light_map *map, vec point, float bias, int turn) {
    if (!map->key) return 1;
    vec at = project_place(&map->projector, point);
    float edge = (float)map->size;
    float highest = at.z + map->first, reach = disc_at(map, highest, 1 / map->texel);
    if (!(highest > bias && at.x > -reach && at.y > -reach && at.x < edge + reach &&
          at.y < edge + reach))
        return 1;
    /* Most points have nothing that hides the light anywhere near. */
    highest = at.z + map->around[tile_at(map, at.y) * map->tiles + tile_at(map, at.x)];
    if (!(highest > bias)) return 1;
    /* Nor have most of the others, closer by. */
    reach = disc_at(map, highest, 1 / map->texel);
    if (reach < 2 * LIGHT_BLOCK && is_open(map, at, bias, reach)) return 1;
    search s = look_around(map, at, bias, highest);
    bool within = at.x > s.wide + 1 && at.y > s.wide + 1 && at.x < edge - s.wide - 1 &&
                  at.y < edge - s.wide - 1;
    if (!(s.wide > 0)) return 1;
    if (s.hidden && within) return 0;
    if (s.wide < reach && s.wide < 2 * LIGHT_BLOCK && is_open(map, at, bias, s.wide)) return 1;
    int steps = (int)s.wide + 1;
    if (steps > map->steps) steps = map->steps;
    float step = s.wide / (float)steps;
    /* Where the disc is a few texels wide, few directions find all of them; and where eight see the
       same, so do the others. */
    int hidden = within ? hidden_first(map, at, bias, true, turn, step, steps)
                        : hidden_first(map, at, bias, false, turn, step, steps);
    int looked = 2 * QUAD;
    bool same = hidden == 0 || hidden == RINGS * looked;
    if (!same && steps > 3) {
        hidden += hidden_last(map, at, bias, turn, step, steps);
        looked = LIGHT_DIRECTIONS;
    }
    return 1 - (float)hidden / (float)(RINGS * looked);
}

/* ---- The ground ---- */

void sn_ground_free(ground_map *map) {
    free(map->shade);
    *map = (ground_map){0};
}

/* The mean of what nine neighbours have seen, each in directions of its own. */
static void average(const float *from, int size, float *to) {
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            bool inside = x > 0 && y > 0 && x < size - 1 && y < size - 1;
            float sum = 0;
            for (int k = 0; inside && k < 9; k++)
                sum += from[(y + k / 3 - 1) * size + x + k % 3 - 1];
            to[y * size + x] = sum * (1.0f / 9);
        }
}

static bool shade_ground(ground_map *map, const light_map *light, float height) {
    size_t count = (size_t)map->size * (size_t)map->size;
    float texel = 1 / map->per_metre, bias = 0.25f * light->texel;
    float *seen = malloc(count * sizeof *seen);
    map->shade = malloc(count * sizeof *map->shade);
    if (!seen || !map->shade) {
        free(seen);
        return false;
    }
    for (int y = 0; y < map->size; y++)
        for (int x = 0; x < map->size; x++) {
            vec point = {map->x + ((float)x + 0.5f) * texel, height,
                         map->z + ((float)y + 0.5f) * texel};
            seen[y * map->size + x] = 1 - sn_light_at(light, point, bias, x % 3 + y % 3 * 3);
        }
    average(seen, map->size, map->shade);
    free(seen);
    return true;
}

/* Where the light takes the box of everything on the ground, and how far around it shadows are
   soft. False where there is nothing. */
static bool shadow_box(const stage *s, const light_map *light, vec to_light, float height,
                       float limit, float box[4], float *margin) {
    /* Along the light, one unit of height at a time. */
    vec along = scale(to_light, 1 / to_light.y);
    vec row_x = {1, -along.x, 0}, row_z = {0, -along.z, 1};
    if (!fit(s, row_x, row_z, limit, box)) return false;
    /* Those are for heights above the origin, not above the ground. */
    box[0] += along.x * height;
    box[2] += along.x * height;
    box[1] += along.z * height;
    box[3] += along.z * height;
    float highest = clamp(s->most.y - height, 0, limit) / to_light.y;
    *margin = light->spread / to_light.y * highest + 0.01f * limit;
    return true;
}

ground_box sn_ground_box(const stage *s, const light_map *light, vec to_light, float height,
                         float limit) {
    float box[4], margin;
    if (!shadow_box(s, light, to_light, height, limit, box, &margin))
        return (ground_box){{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    return (ground_box){{box[0] - margin, box[2] + margin}, {box[1] - margin, box[3] + margin}};
}

bool sn_ground_make(ground_map *map, const stage *s, const light_map *light, vec to_light,
                    float height, float limit, int size) {
    *map = (ground_map){.size = size};
    float box[4], margin;
    if (!shadow_box(s, light, to_light, height, limit, box, &margin)) return true;
    float side = most_of(box[2] - box[0], box[3] - box[1]) + 2 * margin;
    map->per_metre = (float)size / side;
    map->x = 0.5f * (box[0] + box[2] - side);
    map->z = 0.5f * (box[1] + box[3] - side);
    return shade_ground(map, light, height);
}

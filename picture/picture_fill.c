#include "picture/picture_fill.h"

#include "picture/quad.h"

#include <stdlib.h>
#include <string.h>

/* Groups that a box touches. */
typedef struct range {
    int left, top, right, bottom;
} range;

bool sn_fill_make_map(fill_buffer *buffer, int width, int rows, bool items) {
    /* Places are worked on by four. Rows are that much longer than asked for, so that nobody
       reaches into the next one. */
    *buffer = (fill_buffer){.columns = (width + QUAD + FILL_SAMPLES - 1) / FILL_SAMPLES,
                            .rows = rows,
                            .width = FILL_SAMPLES,
                            .height = 1};
    for (int i = 0; i < FILL_SAMPLES; i++) {
        buffer->x[i] = (float)i + 0.5f;
        buffer->y[i] = 0.5f;
    }
    size_t count = fill_across(buffer) * (size_t)rows;
    buffer->key = malloc(count * sizeof *buffer->key);
    buffer->item = items ? malloc(count * sizeof *buffer->item) : NULL;
    if (buffer->key && (buffer->item || !items)) return true;
    sn_fill_free(buffer);
    return false;
}

void sn_fill_make_pixels(fill_buffer *buffer, int width, int rows) {
    *buffer = (fill_buffer){.columns = width, .rows = rows, .width = 1, .height = 1};
    /* Every row and every column of an 8 x 8 grid has one, and no two are close. */
    static const int column[FILL_SAMPLES] = {3, 6, 1, 4, 7, 2, 5, 0};
    for (int i = 0; i < FILL_SAMPLES; i++) {
        buffer->x[i] = ((float)column[i] + 0.5f) / FILL_SAMPLES;
        buffer->y[i] = ((float)i + 0.5f) / FILL_SAMPLES;
    }
}

bool sn_fill_make_room(fill_buffer *buffer, size_t slots) {
    free(buffer->key);
    free(buffer->item);
    buffer->key = malloc((slots + 1) * FILL_SAMPLES * sizeof *buffer->key);
    buffer->item = malloc((slots + 1) * FILL_SAMPLES * sizeof *buffer->item);
    return buffer->key && buffer->item;
}

void sn_fill_free(fill_buffer *buffer) {
    free(buffer->key);
    free(buffer->item);
    *buffer = (fill_buffer){0};
}

void sn_fill_clear(fill_buffer *buffer) {
    size_t count = fill_across(buffer) * (size_t)buffer->rows;
    for (size_t i = 0; i < count; i++) buffer->key[i] = -INFINITY;
}

/* To a whole number within the limits, whatever comes in. */
static int whole(float value, int least, int most) {
    if (!(value > (float)least)) return least;
    return value < (float)most ? (int)value : most;
}

bool sn_fill_ball_rows(const projector *p, vec space, float radius, int rows, int *first,
                       int *last) {
    place_box box;
    return sn_project_ball(p, space, radius, &box) &&
           fill_rows(box.top, box.bottom, rows, first, last);
}

/* The groups of the buffer that a box touches; empty where `left` is above `right`. */
static range range_of(const fill_buffer *buffer, const place_box *box) {
    float first = (float)buffer->first_row;
    if (!(box->right >= 0) || !(box->bottom / buffer->height >= first) ||
        !(box->left < (float)buffer->columns * buffer->width) ||
        !(box->top / buffer->height < first + (float)buffer->rows))
        return (range){.left = 0, .right = -1};
    return (range){whole(box->left / buffer->width, 0, buffer->columns - 1),
                   whole(box->top / buffer->height - first, 0, buffer->rows - 1),
                   whole(box->right / buffer->width, 0, buffer->columns - 1),
                   whole(box->bottom / buffer->height - first, 0, buffer->rows - 1)};
}

/* The samples of a group as one value. */
typedef float keys __attribute__((vector_size(FILL_SAMPLES * sizeof(float))));
typedef int32_t choices __attribute__((vector_size(FILL_SAMPLES * sizeof(int32_t))));

/* Takes over the samples with a key that is nearer. What must not be taken is infinitely far. */
static inline void take(fill_buffer *buffer, size_t group, const float new_key[FILL_SAMPLES],
                        uint32_t item) {
    keys old, new;
    memcpy(&old, buffer->key + group * FILL_SAMPLES, sizeof old);
    memcpy(&new, new_key, sizeof new);
    choices nearer = new > old;
    if (buffer->before) {
        keys before;
        memcpy(&before, buffer->before + group * FILL_SAMPLES, sizeof before);
        nearer &= new < before;
    }
    choices result = ((choices) new &nearer) | ((choices)old & ~nearer);
    memcpy(buffer->key + group * FILL_SAMPLES, &result, sizeof result);
    if (!buffer->item) return;
    choices items;
    memcpy(&items, buffer->item + group * FILL_SAMPLES, sizeof items);
    items = (nearer & (int32_t)item) | (items & ~nearer);
    memcpy(buffer->item + group * FILL_SAMPLES, &items, sizeof items);
}

/* Whether everything in a group is nearer than this. */
static inline bool is_hidden(const fill_buffer *buffer, size_t group, float key) {
    const float *at = buffer->key + group * FILL_SAMPLES;
    quad_bits further = {0};
    for (int i = 0; i < FILL_SAMPLES; i += QUAD) further |= quad_load(at + i) < key;
    return !quad_any(further);
}

/* Where the samples of a group are; less than 0 where it has none. */
static inline ptrdiff_t slot_of(const fill_buffer *buffer, int row, int column) {
    ptrdiff_t group = (ptrdiff_t)row * buffer->columns + column;
    return buffer->slot ? buffer->slot[group] : group;
}

/* Whether any group in the range has samples. */
static bool is_used(const fill_buffer *buffer, const range *r) {
    int squares = fill_squares(buffer->columns);
    for (int j = r->top / FILL_SQUARE; j <= r->bottom / FILL_SQUARE; j++)
        for (int i = r->left / FILL_SQUARE; i <= r->right / FILL_SQUARE; i++)
            if (buffer->used[j * squares + i]) return true;
    return false;
}

/* The pixels of a buffer with slots that a box touches; false where none has samples. */
static bool pixels_of(const fill_buffer *buffer, const place_box *box, range *r) {
    float y = (float)buffer->first_row;
    if (!(box->right >= 0 && box->left < (float)buffer->columns && box->bottom >= y &&
          box->top < y + (float)buffer->rows))
        return false;
    *r = (range){(int)most_of(box->left, 0), (int)(most_of(box->top - y, 0)),
                 (int)least_of(box->right, (float)(buffer->columns - 1)),
                 (int)least_of(box->bottom - y, (float)(buffer->rows - 1))};
    return is_used(buffer, r);
}

/* Marks the places of a map from `left` to `right` in a row. */
static void mark_thin(fill_buffer *map, int row, float left, float right) {
    float wide = (float)fill_across(map);
    if (!(right >= 0 && left < wide)) return;
    int from = whole(left, 0, (int)wide - 1), to = whole(right, 0, (int)wide - 1);
    memset(map->thin + (size_t)row * fill_across(map) + from, 1, (size_t)(to - from + 1));
}

/* The rows of a map between two places; false where there are none. */
static bool rows_of(const fill_buffer *map, float top, float bottom, int *first, int *last) {
    float y = (float)map->first_row;
    return fill_rows(top - y, bottom - y, map->rows, first, last);
}

/* ---- Triangles ---- */

/* A function that is linear on the picture. */
typedef struct plane {
    float x, y, base;
} plane;

/* What it adds from the corner of a pixel to each sample, and at most. */
typedef struct plane_samples {
    float most;
    float at[FILL_SAMPLES];
} plane_samples;

static inline plane_samples samples_of(const plane *p, const fill_buffer *buffer) {
    plane_samples s;
    s.most = most_of(p->x, 0) + most_of(p->y, 0);
    for (int i = 0; i < FILL_SAMPLES; i++) s.at[i] = p->x * buffer->x[i] + p->y * buffer->y[i];
    return s;
}

/*
 * Positive on the side of the edge from a to b where the triangle is. Both triangles of an edge
 * compute the same number but for its sign, as long as products are rounded before they are
 * subtracted; so nothing shows through between them.
 */
static inline plane edge_plane(quad a, quad b, quad way, float sign) {
    return (plane){
        .x = -sign * way[1], .y = sign * way[0], .base = sign * (a[0] * b[1] - a[1] * b[0])};
}

static inline plane key_plane(quad a, quad ab, quad ca, float area) {
    float inverse = 1 / area;
    plane p = {.x = (ca[2] * ab[1] - ab[2] * ca[1]) * inverse,
               .y = (ab[2] * ca[0] - ca[2] * ab[0]) * inverse};
    p.base = a[2] - p.x * a[0] - p.y * a[1];
    return p;
}

static inline void fill_group(fill_buffer *buffer, size_t group, const plane_samples edge[3],
                              const float value[3], const plane_samples *key, float base,
                              const float limit[2], uint32_t item) {
    for (int i = 0; i < FILL_SAMPLES; i += QUAD) {
        float *at = buffer->key + group * FILL_SAMPLES + i;
        uint32_t *items = buffer->item + group * FILL_SAMPLES + i;
        quad a = value[0] + quad_load(edge[0].at + i), b = value[1] + quad_load(edge[1].at + i);
        quad c = value[2] + quad_load(edge[2].at + i), old = quad_load(at);
        quad k = quad_clamp(base + quad_load(key->at + i), limit[0], limit[1]);
        quad_bits nearer = (a >= 0) & (b >= 0) & (c >= 0) & (k > old), before;
        if (buffer->before) nearer &= k < quad_load(buffer->before + group * FILL_SAMPLES + i);
        quad_store(at, quad_choose(nearer, k, old));
        memcpy(&before, items, sizeof before);
        before = (nearer & (int32_t)item) | (before & ~nearer);
        memcpy(items, &before, sizeof before);
    }
}

/* In the pixels that have samples. */
static void fill_pixels(fill_buffer *buffer, const range *r, const plane edge[3], const plane *key,
                        const float limit[2], uint32_t item) {
    const plane_samples sides[3] = {samples_of(&edge[0], buffer), samples_of(&edge[1], buffer),
                                    samples_of(&edge[2], buffer)};
    plane_samples depth = samples_of(key, buffer);
    for (int row = r->top; row <= r->bottom; row++) {
        float y = (float)(row + buffer->first_row);
        for (int column = r->left; column <= r->right; column++) {
            ptrdiff_t slot = slot_of(buffer, row, column);
            if (slot < 0) continue;
            float x = (float)column, value[3];
            for (int k = 0; k < 3; k++) value[k] = edge[k].base + edge[k].x * x + edge[k].y * y;
            if (value[0] + sides[0].most < 0 || value[1] + sides[1].most < 0 ||
                value[2] + sides[2].most < 0 || is_hidden(buffer, (size_t)slot, limit[1]))
                continue;
            fill_group(buffer, (size_t)slot, sides, value, &depth,
                       key->base + key->x * x + key->y * y, limit, item);
        }
    }
}

/* The columns of a row that a wide triangle may cover: those where no edge has it behind itself. */
static void narrow(const plane edge[3], const float at[3], int *left, int *right) {
    for (int k = 0; k < 3; k++) {
        if (edge[k].x == 0) continue;
        float x = -at[k] / edge[k].x;
        if (edge[k].x > 0)
            *left = whole(x - 1.5f, *left, *right + 1);
        else
            *right = whole(x + 1.5f, *left - 1, *right);
    }
}

/* Four places of a row of a map, where the edges and the key of a triangle are so much. */
static inline void fill_places(fill_buffer *map, size_t place, quad a, quad b, quad c, quad key,
                               const float limit[2], uint32_t item) {
    quad k = quad_clamp(key, limit[0], limit[1]), old = quad_load(map->key + place);
    quad_bits nearer = (a >= 0) & (b >= 0) & (c >= 0) & (k > old);
    quad_store(map->key + place, quad_choose(nearer, k, old));
    if (!map->item) return;
    quad_bits items;
    memcpy(&items, map->item + place, sizeof items);
    items = (nearer & (int32_t)item) | (items & ~nearer);
    memcpy(map->item + place, &items, sizeof items);
}

/* In a map, rows of four places at a time. Most triangles of a fine mesh are no wider: what is
   added from a row to the next is a number then. */
static void fill_narrow(fill_buffer *map, const range *r, const plane edge[3], const plane *key,
                        const float limit[2], uint32_t item) {
    const quad offset = {0.5f, 1.5f, 2.5f, 3.5f};
    quad x = (float)r->left + offset, a = edge[0].x * x, b = edge[1].x * x, c = edge[2].x * x;
    quad k = key->x * x;
    size_t place = (size_t)r->top * fill_across(map) + (size_t)r->left;
    float y = (float)(r->top + map->first_row) + 0.5f;
    for (int row = r->top; row <= r->bottom; row++, y += 1, place += fill_across(map))
        fill_places(map, place, a + (edge[0].base + edge[0].y * y),
                    b + (edge[1].base + edge[1].y * y), c + (edge[2].base + edge[2].y * y),
                    k + (key->base + key->y * y), limit, item);
}

static void fill_map(fill_buffer *map, const range *r, const plane edge[3], const plane *key,
                     const float limit[2], uint32_t item) {
    const quad offset = {0.5f, 1.5f, 2.5f, 3.5f};
    bool wide = r->right - r->left >= 4 * QUAD;
    for (int row = r->top; row <= r->bottom; row++) {
        float y = (float)(row + map->first_row) + 0.5f, at[3], k0 = key->base + key->y * y;
        for (int k = 0; k < 3; k++) at[k] = edge[k].base + edge[k].y * y;
        int left = r->left, right = r->right;
        if (wide) narrow(edge, at, &left, &right);
        size_t place = (size_t)row * fill_across(map) + (size_t)left;
        for (int column = left; column <= right; column += QUAD, place += QUAD) {
            quad x = (float)column + offset;
            fill_places(map, place, edge[0].x * x + at[0], edge[1].x * x + at[1],
                        edge[2].x * x + at[2], key->x * x + k0, limit, item);
        }
    }
}

/* Pixels: triangles that are less high may lie between the middles of pixels. */
static const float thin_triangle = 0.7f;

static bool is_thin(const vec corner[3], float area) {
    float longest = 0;
    for (int k = 0; k < 3; k++) {
        float dx = corner[k].x - corner[(k + 1) % 3].x, dy = corner[k].y - corner[(k + 1) % 3].y;
        longest = most_of(longest, dx * dx + dy * dy);
    }
    return area * area < thin_triangle * thin_triangle * longest;
}

/* Where the edges of a triangle enter and leave the row from `top` down, with keys; how many. */
static int ends_in_row(const vec corner[3], float top, vec ends[6]) {
    float bottom = top + 1;
    int count = 0, inside = 0;
    for (int k = 0; k < 3; k++) inside += corner[k].y >= top && corner[k].y <= bottom;
    if (inside == 3) {
        memcpy(ends, corner, 3 * sizeof *ends);
        return 3;
    }
    for (int k = 0; k < 3; k++) {
        vec p = corner[k], q = corner[(k + 1) % 3];
        float rise = q.y - p.y, from = 0, to = 1;
        if (most_of(p.y, q.y) < top || least_of(p.y, q.y) > bottom) continue;
        if (rise != 0) {
            from = clamp((top - p.y) / rise, 0, 1);
            to = clamp((bottom - p.y) / rise, 0, 1);
        }
        vec way = sub(q, p);
        ends[count++] = add(p, scale(way, from));
        ends[count++] = add(p, scale(way, to));
    }
    return count;
}

/* Whether a point of a thin triangle lies within its own surface as a row of the map shows it, or
   behind another. */
static bool is_covered(const fill_buffer *map, int row, vec point, const thin_item *thin) {
    if (!(point.x >= 0 && point.x < (float)fill_across(map))) return true;
    size_t place = (size_t)row * fill_across(map) + (size_t)point.x;
    float key = map->key[place];
    if (point.z < (1 - thin->close) * key) return true;
    uint32_t other = map->item[place];
    return other != FILL_NOTHING && thin->surface[other] == thin->surface[thin->item] &&
           point.z < (1 + thin->close) * key;
}

/* Marks the places that a triangle touches, row by row; of a thin one, where a row shows more than
   what it belongs to. Each row is judged by itself, so that it does not matter which others the
   map has. */
static void mark_triangle(fill_buffer *map, const vec corner[3], const thin_item *thin) {
    vec a = corner[0], b = corner[1], c = corner[2];
    float high = least_of(a.y, least_of(b.y, c.y)), low = most_of(a.y, most_of(b.y, c.y));
    int first, last;
    if (!rows_of(map, high, low, &first, &last)) return;
    for (int row = first; row <= last; row++) {
        vec ends[6];
        int count = ends_in_row(corner, (float)(row + map->first_row), ends);
        float left = INFINITY, right = -INFINITY;
        bool covered = thin;
        for (int i = 0; i < count; i++) {
            left = least_of(left, ends[i].x);
            right = most_of(right, ends[i].x);
            covered = covered && is_covered(map, row, ends[i], thin);
        }
        if (left <= right && !covered) mark_thin(map, row, left, right);
    }
}

/* Whether a triangle is so short that the ends of its rows tell of all of it. */
static bool is_short(const vec corner[3]) {
    const float most = 4;
    for (int k = 0; k < 3; k++)
        if (!(fabsf(corner[k].x - corner[(k + 1) % 3].x) < most &&
              fabsf(corner[k].y - corner[(k + 1) % 3].y) < most))
            return false;
    return true;
}

/* Whether all places that a short triangle may touch show its own surface, or another before it.
   Then so do all of its points, and most triangles within a surface need not be looked at closer.
   */
static bool is_buried(const fill_buffer *map, const vec corner[3], const thin_item *thin) {
    vec a = corner[0], b = corner[1], c = corner[2];
    float left = least_of(a.x, least_of(b.x, c.x)), right = most_of(a.x, most_of(b.x, c.x));
    float high = least_of(a.y, least_of(b.y, c.y)), low = most_of(a.y, most_of(b.y, c.y));
    float nearest = most_of(a.z, most_of(b.z, c.z));
    int first, last, end = (int)fill_across(map) - 1;
    if (!rows_of(map, high, low, &first, &last)) return true;
    int from = whole(left, 0, end), to = whole(right, 0, end);
    uint32_t own = thin->surface[thin->item];
    for (int row = first; row <= last; row++)
        for (int column = from; column <= to; column++) {
            size_t place = (size_t)row * fill_across(map) + (size_t)column;
            float key = map->key[place];
            if (nearest < (1 - thin->close) * key) continue;
            uint32_t other = map->item[place];
            if (other == FILL_NOTHING || thin->surface[other] != own ||
                !(nearest < (1 + thin->close) * key))
                return false;
        }
    return true;
}

void sn_fill_mark_triangle(fill_buffer *map, const vec corner[3], const thin_item *thin) {
    vec a = corner[0], b = corner[1], c = corner[2];
    float area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (!is_thin(corner, area)) return;
    bool brief = is_short(corner);
    if (!brief || !is_buried(map, corner, thin)) mark_triangle(map, corner, brief ? thin : NULL);
}

/* The places of a map whose middles lie in the box; false where there are none. Nothing is lost
   where rounding takes in one too many. */
static bool middles_of(const fill_buffer *map, quad low, quad high, range *r) {
    float y = (float)map->first_row, wide = (float)(fill_across(map) - QUAD);
    float rows = (float)map->rows, left = low[0], top = low[1] - y, right = high[0],
          bottom = high[1] - y;
    if (!((right > 0.49f) & (left < wide) & (bottom > 0.49f) & (top < rows))) return false;
    *r = (range){(int)most_of(left + 0.49f, 0), (int)most_of(top + 0.49f, 0),
                 (int)least_of(right - 0.49f, wide - 1), (int)least_of(bottom - 0.49f, rows - 1)};
    return (r->left <= r->right) & (r->top <= r->bottom);
}

/* As above, from its sides. */
static inline bool is_narrow(quad ab, quad bc, quad ca, float area) {
    float one = ab[0] * ab[0] + ab[1] * ab[1], two = bc[0] * bc[0] + bc[1] * bc[1];
    float longest = most_of(most_of(one, two), ca[0] * ca[0] + ca[1] * ca[1]);
    return area * area < thin_triangle * thin_triangle * longest;
}

void sn_fill_corners(fill_buffer *buffer, quad a, quad b, quad c, uint32_t item) {
    quad ab = b - a, bc = c - b, ca = a - c;
    quad low = quad_least(a, quad_least(b, c)), high = quad_most(a, quad_most(b, c));
    float area = ab[1] * ca[0] - ab[0] * ca[1];
    if (!(fabsf(area) > 1e-12f)) return;
    range r;
    if (buffer->slot) {
        const place_box box = {low[0], low[1], high[0], high[1]};
        if (!pixels_of(buffer, &box, &r)) return;
    } else {
        if (buffer->marks) {
            const vec corner[3] = {{a[0], a[1], a[2]}, {b[0], b[1], b[2]}, {c[0], c[1], c[2]}};
            mark_triangle(buffer, corner, NULL);
            return;
        }
        if (buffer->thin && is_narrow(ab, bc, ca, area)) buffer->found_thin = true;
        if (!middles_of(buffer, low, high, &r)) return;
    }
    float sign = copysignf(1, area);
    const plane edge[3] = {edge_plane(a, b, ab, sign), edge_plane(b, c, bc, sign),
                           edge_plane(c, a, ca, sign)};
    const plane key = key_plane(a, ab, ca, area);
    /* Slivers have steep planes; no point of the triangle is beyond its corners. */
    const float limit[2] = {low[2], high[2]};
    if (buffer->slot)
        fill_pixels(buffer, &r, edge, &key, limit, item);
    else if (r.right - r.left < QUAD)
        fill_narrow(buffer, &r, edge, &key, limit, item);
    else
        fill_map(buffer, &r, edge, &key, limit, item);
}

void sn_fill_triangle(fill_buffer *buffer, const vec corner[3], uint32_t item) {
    quad at[3];
    for (int k = 0; k < 3; k++) at[k] = (quad){corner[k].x, corner[k].y, corner[k].z, 0};
    sn_fill_corners(buffer, at[0], at[1], at[2], item);
}

/* ---- Balls ---- */

/*
 * Where rays meet a ball, told by how far (dx, dy) they are from the ray through its centre, so
 * that a small ball far away is as round as any. With w the point of a ray at the depth of the
 * centre, relative to it, and d its direction, what is needed are w . w, w . d and d . d, which are
 * polynomials.
 */
typedef struct ball {
    float x, y, depth; /* the place of the centre */
    float square;      /* of the radius */
    float w_xx, w_xy, w_yy, wd_x, wd_y, wd_xx, wd_yy, d, d_x, d_y, d_xx, d_yy;
    float inverse; /* of d . d where rays are parallel */
} ball;

static ball make_ball(const projector *p, vec place, float radius) {
    ray_fan fan = sn_project_fan(p, place);
    return (ball){
        .x = place.x,
        .y = place.y,
        .depth = place.z,
        .square = radius * radius,
        .w_xx = dot(fan.across, fan.across),
        .w_xy = 2 * dot(fan.across, fan.down),
        .w_yy = dot(fan.down, fan.down),
        .wd_x = dot(fan.across, fan.along),
        .wd_y = dot(fan.down, fan.along),
        .wd_xx = dot(fan.across, fan.turn_x),
        .wd_yy = dot(fan.down, fan.turn_y),
        .d = dot(fan.along, fan.along),
        .d_x = 2 * dot(fan.along, fan.turn_x),
        .d_y = 2 * dot(fan.along, fan.turn_y),
        .d_xx = dot(fan.turn_x, fan.turn_x),
        .d_yy = dot(fan.turn_y, fan.turn_y),
        .inverse = 1 / dot(fan.along, fan.along),
    };
}

/* The keys of the samples of a group. */
static inline void meet_ball(const fill_buffer *buffer, const ball *b, bool perspective, float near,
                             float x, float y, float key[FILL_SAMPLES]) {
    for (int i = 0; i < FILL_SAMPLES; i++) {
        float dx = x + buffer->x[i], dy = y + buffer->y[i];
        float dd = b->d + dx * (b->d_x + dx * b->d_xx) + dy * (b->d_y + dy * b->d_yy);
        float wd = dx * (b->wd_x + dx * b->wd_xx) + dy * (b->wd_y + dy * b->wd_yy);
        float ww = dx * (dx * b->w_xx + dy * b->w_xy) + dy * dy * b->w_yy;
        float inverse = perspective ? 1 / dd : b->inverse, back = wd * inverse;
        float rest = (b->square - ww + wd * back) * inverse;
        float t = b->depth - back - sqrtf(most_of(rest, 0));
        float k = perspective ? 1 / t : -t;
        bool hit = (rest >= 0) & (t > near);
        key[i] = hit ? k : -INFINITY;
    }
}

/* Pixels: what is narrower may lie between the middles of pixels. */
static const float thin_round = 3;

static void mark_box(fill_buffer *map, const place_box *box) {
    int first, last;
    if (!rows_of(map, box->top, box->bottom, &first, &last)) return;
    for (int row = first; row <= last; row++) mark_thin(map, row, box->left, box->right);
}

void sn_fill_ball(fill_buffer *buffer, const projector *p, vec space, float radius, uint32_t item) {
    place_box box;
    /* The centre must be in front of the eye. */
    if ((p->perspective && !(space.z > p->near)) || !sn_project_ball(p, space, radius, &box))
        return;
    ball b = make_ball(p, project_place(p, space), radius);
    range r = range_of(buffer, &box);
    if (r.left > r.right || (buffer->slot && !is_used(buffer, &r))) return;
    if (buffer->thin && (buffer->marks || box.right - box.left < thin_round))
        mark_box(buffer, &box);
    if (buffer->marks) return;
    float front = b.depth - radius * (p->perspective ? 1 : sqrtf(b.inverse));
    float nearest = front > p->near ? project_key(p, front) : INFINITY;
    for (int row = r.top; row <= r.bottom; row++) {
        float y = (float)(row + buffer->first_row) * buffer->height - b.y, key[FILL_SAMPLES];
        for (int column = r.left; column <= r.right; column++) {
            ptrdiff_t slot = slot_of(buffer, row, column);
            if (slot < 0 || is_hidden(buffer, (size_t)slot, nearest)) continue;
            float x = (float)column * buffer->width - b.x;
            if (p->perspective)
                meet_ball(buffer, &b, true, p->near, x, y, key);
            else
                meet_ball(buffer, &b, false, p->near, x, y, key);
            take(buffer, (size_t)slot, key, item);
        }
    }
}

/* ---- Tubes ---- */

/*
 * A piece of a cone around an axis from the point a: w is the way from a to a point, s = w . u how
 * far along the unit axis u it lies, and |w - s u| = r + m s the radius there. With w = e + t d
 * that is a quadratic equation for t.
 */
typedef struct cone {
    ray_fan fan;
    vec place; /* of a */
    vec axis;  /* u */
    float length;
    float radius, rise; /* r at a, and m */
} cone;

static inline void meet_cone(const fill_buffer *buffer, const cone *c, bool perspective, float near,
                             float x, float y, float key[FILL_SAMPLES]) {
    for (int i = 0; i < FILL_SAMPLES; i++) {
        float dx = x + buffer->x[i], dy = y + buffer->y[i];
        vec e = add(scale(c->fan.across, dx), scale(c->fan.down, dy));
        vec d = add(c->fan.along, add(scale(c->fan.turn_x, dx), scale(c->fan.turn_y, dy)));
        float es = dot(e, c->axis), ds = dot(d, c->axis), here = c->radius + c->rise * es;
        vec ep = sub(e, scale(c->axis, es)), dp = sub(d, scale(c->axis, ds));
        float square = dot(dp, dp) - c->rise * c->rise * ds * ds;
        float half = dot(ep, dp) - c->rise * ds * here;
        float rest = half * half - square * (dot(ep, ep) - here * here);
        float t = (-half - sqrtf(most_of(rest, 0))) / square, s = es + t * ds;
        float depth = c->place.z + t;
        float k = perspective ? 1 / depth : -depth;
        bool on_axis = (s >= 0) & (s <= c->length);
        bool hit = (square > 0) & (rest >= 0) & on_axis & (depth > near);
        key[i] = hit ? k : -INFINITY;
    }
}

/* A piece from `a` to `b` of a tube, which must both be in front of the eye. */
static void fill_cone(fill_buffer *buffer, const projector *p, const vec end[2],
                      const float radius[2], uint32_t item) {
    place_box one, two;
    if (!sn_project_ball(p, end[0], radius[0], &one) ||
        !sn_project_ball(p, end[1], radius[1], &two))
        return;
    place_box box = {least_of(one.left, two.left), least_of(one.top, two.top),
                     most_of(one.right, two.right), most_of(one.bottom, two.bottom)};
    range r = range_of(buffer, &box);
    if (r.left > r.right || (buffer->slot && !is_used(buffer, &r))) return;
    if (buffer->thin && (buffer->marks || one.right - one.left < thin_round))
        mark_box(buffer, &box);
    if (buffer->marks) return;
    vec way = sub(end[1], end[0]);
    float length = norm(way);
    if (!(length > 0)) return;
    cone c = {.place = project_place(p, end[0]),
              .axis = scale(way, 1 / length),
              .length = length,
              .radius = radius[0],
              .rise = (radius[1] - radius[0]) / length};
    c.fan = sn_project_fan(p, c.place);
    for (int row = r.top; row <= r.bottom; row++) {
        float y = (float)(row + buffer->first_row) * buffer->height - c.place.y;
        float key[FILL_SAMPLES];
        for (int column = r.left; column <= r.right; column++) {
            ptrdiff_t slot = slot_of(buffer, row, column);
            if (slot < 0) continue;
            float x = (float)column * buffer->width - c.place.x;
            if (p->perspective)
                meet_cone(buffer, &c, true, p->near, x, y, key);
            else
                meet_cone(buffer, &c, false, p->near, x, y, key);
            take(buffer, (size_t)slot, key, item);
        }
    }
}

/* Cuts what is behind the eye off one end. */
static void cut_tube(const projector *p, vec end[2], float radius[2]) {
    for (int i = 0; i < 2; i++) {
        float here = end[i].z - 2 * p->near, there = end[1 - i].z - 2 * p->near;
        if (here < 0 && there > 0) {
            float share = here / (here - there);
            end[i] = mix(end[i], end[1 - i], share);
            radius[i] += share * (radius[1 - i] - radius[i]);
        }
    }
}

void sn_fill_tube(fill_buffer *buffer, const projector *p, const vec end[2], const float radius[2],
                  uint32_t item) {
    vec cut[2] = {end[0], end[1]};
    float wide[2] = {radius[0], radius[1]};
    if (p->perspective) {
        cut_tube(p, cut, wide);
        if (!(cut[0].z > p->near && cut[1].z > p->near)) return;
    }
    /* In pieces about as long as they are wide, since their boxes are tried as a whole. */
    enum { MOST_PIECES = 64 };
    vec a = project_place(p, cut[0]), b = project_place(p, cut[1]);
    place_box box;
    float width = sn_project_ball(p, cut[0], wide[0], &box) ? box.right - box.left : INFINITY;
    float across = least_of(fabsf(b.x - a.x), fabsf(b.y - a.y));
    int pieces = whole(across / (width + 4), 1, MOST_PIECES);
    for (int i = 0; i < pieces; i++) {
        float from = (float)i / (float)pieces, to = (float)(i + 1) / (float)pieces;
        const vec part[2] = {mix(cut[0], cut[1], from), mix(cut[0], cut[1], to)};
        const float part_radius[2] = {wide[0] + from * (wide[1] - wide[0]),
                                      wide[0] + to * (wide[1] - wide[0])};
        fill_cone(buffer, p, part, part_radius, item);
    }
}

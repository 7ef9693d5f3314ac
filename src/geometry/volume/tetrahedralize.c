/*
 * A point is added by taking out all tets whose spheres have it inside. They leave a hole that is
 * seen from the point: a tet of each of its faces and the point fills it.
 *
 *      o-------o          o-------o
 *     / \  .  / \        / `.   .' \        Neighbours of the new ones follow from the old: around
 *    /   \   /   \      /    `.'    \       an edge of the hole one goes through what was taken
 *   o-----\ /-----o    o------x------o      out, from one face of the hole to the next.
 *    \    / \    /      \    .'`.   /
 *     o--o---o--o        o--o----o-o
 */
#include "geometry/volume/tetrahedralize.h"

#include "base/error.h"

/* Differences of coordinates are at most 2^20: a determinant of three of them has 63 bits, and one
   with squares 108. */
enum { RANGE = 1 << 17, JITTER = 16, TRIES = 16 };
#define NONE UINT32_MAX

__extension__ typedef __int128 wide;

typedef struct site {
    int32_t at[3];
} site;

typedef struct mesh {
    site *site;
    size_t sites;
    uint32_t (*corner)[4];
    uint32_t (*beyond)[4]; /* the tet on the other side of the face opposite to a corner, or NONE */
    uint32_t (*fresh)[4];  /* of a tet that is taken out: the new one on that face */
    uint32_t *taken;       /* the point for which it was taken out */
    size_t tets, corner_room, beyond_room, fresh_room, taken_room;
    uint32_t *hole, *spare; /* what is taken out now; free places */
    size_t holes, spares, hole_room, spare_room;
    uint32_t hint;
} mesh;

static void free_mesh(mesh *m, sn_memory *memory, size_t sites) {
    sn_free(memory, m->site, sites, sizeof *m->site);
    sn_free(memory, m->beyond, m->beyond_room, sizeof *m->beyond);
    sn_free(memory, m->fresh, m->fresh_room, sizeof *m->fresh);
    sn_free(memory, m->taken, m->taken_room, sizeof *m->taken);
    sn_free(memory, m->hole, m->hole_room, sizeof *m->hole);
    sn_free(memory, m->spare, m->spare_room, sizeof *m->spare);
}

static bool reserve(mesh *m, sn_memory *memory, size_t tets) {
    return sn_reserve(memory, (void **)&m->corner, &m->corner_room, tets, sizeof *m->corner) &&
           sn_reserve(memory, (void **)&m->beyond, &m->beyond_room, tets, sizeof *m->beyond) &&
           sn_reserve(memory, (void **)&m->fresh, &m->fresh_room, tets, sizeof *m->fresh) &&
           sn_reserve(memory, (void **)&m->taken, &m->taken_room, tets, sizeof *m->taken) &&
           sn_reserve(memory, (void **)&m->hole, &m->hole_room, tets, sizeof *m->hole) &&
           sn_reserve(memory, (void **)&m->spare, &m->spare_room, tets, sizeof *m->spare);
}

/* ---- Questions ---- */

static int64_t det(const int64_t a[3], const int64_t b[3], const int64_t c[3]) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

static void minus(const site *a, const site *b, int64_t difference[3]) {
    for (int k = 0; k < 3; k++) difference[k] = (int64_t)a->at[k] - b->at[k];
}

/* Six times the volume of a tet, of which corner `k` is replaced by x unless that is negative. */
static int64_t volume(const mesh *m, uint32_t t, int k, site x) {
    site v[4];
    int64_t a[3], b[3], c[3];
    for (int i = 0; i < 4; i++) v[i] = i == k ? x : m->site[m->corner[t][i]];
    minus(&v[1], &v[0], a);
    minus(&v[2], &v[0], b);
    minus(&v[3], &v[0], c);
    return det(a, b, c);
}

/* Whether a site is inside the sphere around a tet; not on it. */
static bool is_in_sphere(const mesh *m, uint32_t t, const site *x) {
    int64_t r[4][3], square[4];
    for (int i = 0; i < 4; i++) {
        minus(&m->site[m->corner[t][i]], x, r[i]);
        square[i] = r[i][0] * r[i][0] + r[i][1] * r[i][1] + r[i][2] * r[i][2];
    }
    wide sum = (wide)square[0] * det(r[1], r[2], r[3]) - (wide)square[1] * det(r[0], r[2], r[3]) +
               (wide)square[2] * det(r[0], r[1], r[3]) - (wide)square[3] * det(r[0], r[1], r[2]);
    return sum > 0;
}

static int place_of(const uint32_t four[4], uint32_t value) {
    int k = 0;
    while (k < 3 && four[k] != value) k++;
    return k;
}

/* ---- Finding ---- */

static bool contains(const mesh *m, uint32_t t, site x) {
    for (int k = 0; k < 4; k++)
        if (volume(m, t, k, x) < 0) return false;
    return true;
}

/* The tet that a site is in, or on the border of: from the last one through faces that it is
   beyond, beginning with a different one each time so that no walk goes round in circles. */
static uint32_t find(mesh *m, site x) {
    uint32_t t = m->hint;
    for (size_t step = 0; step <= m->tets; step++) {
        uint32_t next = NONE;
        for (size_t k = 0; k < 4 && next == NONE; k++) {
            int face = (int)((k + step) & 3);
            if (volume(m, t, face, x) < 0) next = m->beyond[t][face];
        }
        if (next == NONE) return t;
        t = next;
    }
    for (t = 0; t + 1 < m->tets && (m->taken[t] != 0 || !contains(m, t, x));) t++;
    return t;
}

/* ---- Adding ---- */

/* Takes out all whose spheres have the site inside, from a tet on; false where the hole is not seen
   from the site, which is on the plane of one of its faces. */
static bool take_out(mesh *m, uint32_t first, uint32_t x) {
    m->holes = 1;
    m->hole[0] = first;
    m->taken[first] = x;
    bool seen = true;
    for (size_t i = 0; i < m->holes; i++) {
        uint32_t t = m->hole[i];
        for (int k = 0; k < 4; k++) {
            uint32_t next = m->beyond[t][k];
            if (next != NONE && m->taken[next] == x) continue;
            if (next != NONE && is_in_sphere(m, next, &m->site[x])) {
                m->taken[next] = x;
                m->hole[m->holes++] = next;
            }
        }
    }
    for (size_t i = 0; i < m->holes; i++)
        for (int k = 0; k < 4; k++) {
            uint32_t next = m->beyond[m->hole[i]][k];
            if (next != NONE && m->taken[next] == x) continue;
            if (volume(m, m->hole[i], k, m->site[x]) <= 0) seen = false;
        }
    for (size_t i = 0; i < m->holes && !seen; i++) m->taken[m->hole[i]] = 0;
    return seen;
}

/* The new tet beside that on the face opposite to corner i of t, across the edge without corners
   i and j. */
static uint32_t beside(const mesh *m, uint32_t t, int i, int j, uint32_t x) {
    for (;;) {
        uint32_t next = m->beyond[t][j];
        if (next == NONE || m->taken[next] != x) return m->fresh[t][j];
        int from = place_of(m->beyond[next], t);
        j = place_of(m->corner[next], m->corner[t][i]);
        i = from;
        t = next;
    }
}

static uint32_t take_place(mesh *m) {
    return m->spares > 0 ? m->spare[--m->spares] : (uint32_t)m->tets++;
}

static void fill_hole(mesh *m, uint32_t x) {
    for (size_t n = 0; n < m->holes; n++)
        for (int k = 0; k < 4; k++) {
            uint32_t t = m->hole[n], next = m->beyond[t][k];
            if (next != NONE && m->taken[next] == x) continue;
            uint32_t made = m->hint = m->fresh[t][k] = take_place(m);
            for (int i = 0; i < 4; i++) m->corner[made][i] = m->corner[t][i];
            m->corner[made][k] = x;
            m->beyond[made][k] = next;
            m->taken[made] = 0;
        }
    for (size_t n = 0; n < m->holes; n++)
        for (int k = 0; k < 4; k++) {
            uint32_t t = m->hole[n], next = m->beyond[t][k];
            if (next != NONE && m->taken[next] == x) continue;
            uint32_t made = m->fresh[t][k];
            for (int j = 0; j < 4; j++)
                if (j != k) m->beyond[made][j] = beside(m, t, k, j, x);
        }
    /* Those around still know the old ones, which is what was asked until now. */
    for (size_t n = 0; n < m->holes; n++)
        for (int k = 0; k < 4; k++) {
            uint32_t t = m->hole[n], next = m->beyond[t][k];
            if (next == NONE || m->taken[next] == x) continue;
            m->beyond[next][place_of(m->beyond[next], t)] = m->fresh[t][k];
        }
    for (size_t n = 0; n < m->holes; n++) m->spare[m->spares++] = m->hole[n];
}

/* ---- Sites ---- */

/* A whole number from -JITTER to JITTER that a number mixes to. */
static int32_t jitter(uint32_t number) {
    number ^= number >> 16;
    number *= UINT32_C(0x7feb352d);
    number ^= number >> 15;
    number *= UINT32_C(0x846ca68b);
    number ^= number >> 16;
    return (int32_t)(number % (2 * JITTER + 1)) - JITTER;
}

static void put_site(site *s, sn_point point, uint32_t number, uint32_t turn) {
    const double at[3] = {point.x, point.y, point.z};
    for (uint32_t k = 0; k < 3; k++)
        s->at[k] = (int32_t)(at[k] * (RANGE - JITTER)) + jitter((number * TRIES + turn) * 3 + k);
}

static bool add_point(mesh *m, sn_point point, uint32_t x) {
    for (uint32_t turn = 0; turn < TRIES; turn++) {
        put_site(&m->site[x], point, x, turn);
        uint32_t at = find(m, m->site[x]);
        if (!take_out(m, at, x)) continue;
        fill_hole(m, x);
        return true;
    }
    return false;
}

/* ---- The cube ---- */

static bool share_face(const uint32_t a[4], int without, const uint32_t b[4], int *other) {
    int same = 0, odd = 0;
    for (int k = 0; k < 4; k++) {
        bool has = false;
        for (int i = 0; i < 4; i++) has |= i != without && a[i] == b[k];
        same += has;
        if (!has) odd = k;
    }
    *other = odd;
    return same == 3;
}

/* Six tets around a diagonal. */
static void make_cube(mesh *m) {
    static const uint32_t six[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                       {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
    for (uint32_t c = 0; c < SN_CUBE_CORNERS; c++)
        for (uint32_t k = 0; k < 3; k++)
            m->site[c].at[k] = (c >> k & 1 ? 1 : -1) * SN_CUBE_SIZE * RANGE;
    m->sites = SN_CUBE_CORNERS;
    m->tets = 6;
    for (uint32_t t = 0; t < 6; t++) {
        m->taken[t] = 0;
        for (int k = 0; k < 4; k++) m->corner[t][k] = six[t][k];
    }
    for (uint32_t t = 0; t < 6; t++)
        for (int k = 0; k < 4; k++) {
            m->beyond[t][k] = NONE;
            for (uint32_t o = 0; o < 6; o++) {
                int other;
                if (o != t && share_face(six[t], k, six[o], &other)) m->beyond[t][k] = o;
            }
        }
}

/* Places that are not free, without gaps. */
static void close_gaps(mesh *m) {
    for (size_t i = 0; i < m->spares; i++) m->taken[m->spare[i]] = NONE;
    size_t kept = 0;
    for (size_t t = 0; t < m->tets; t++) {
        if (m->taken[t] == NONE) continue;
        for (int k = 0; k < 4; k++) m->corner[kept][k] = m->corner[t][k];
        kept++;
    }
    m->tets = kept;
}

sn_result sn_tetrahedralize(sn_tets *tets, sn_memory *memory, const sn_point *points,
                            size_t count) {
    mesh m = {0};
    size_t sites = count + SN_CUBE_CORNERS;
    *tets = (sn_tets){0};
    m.site = sn_allocate(memory, sites, sizeof *m.site);
    sn_result result = m.site && reserve(&m, memory, 64) ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) make_cube(&m);
    for (size_t i = 0; i < count && result == SN_OK; i++) {
        /* A hole has at most all tets, and two more faces than those on its border. */
        if (!reserve(&m, memory, 3 * (m.tets - m.spares) + m.tets + 8))
            result = SN_ERROR_MEMORY;
        else if (!add_point(&m, points[i], (uint32_t)(i + SN_CUBE_CORNERS)))
            result = sn_fail(SN_ERROR_DEGENERATE,
                             "tetrahedralise: point %zu is where others are, expected points that "
                             "are apart",
                             i);
    }
    if (result == SN_OK) {
        close_gaps(&m);
        *tets = (sn_tets){m.corner, m.tets, m.corner_room};
    } else {
        sn_free(memory, m.corner, m.corner_room, sizeof *m.corner);
    }
    free_mesh(&m, memory, sites);
    return result;
}

void sn_tets_free(sn_tets *tets, sn_memory *memory) {
    sn_free(memory, tets->corner, tets->capacity, sizeof *tets->corner);
    *tets = (sn_tets){0};
}

/*
 * The triangles of all sheets that air acts on, and those of every node, in the order of sheets and
 * of their triangles. Sheets that air does not act on cost nothing.
 */
#include "systems/aerodynamics/apply_air.h"

#include "base/error.h"
#include "geometry/topology/closed_surface.h"
#include "systems/aerodynamics/drags.h"
#include "systems/sheet/sheets.h"

#include <string.h>

/* At least this part of a node belongs to each of its triangles, however small. */
#define LEAST_SHARE 1e-6

static bool is_blown(const sn_sheets *sheets, size_t i) {
    const sn_sheet_def *def = &sheets->state[i].def;
    return sheets->slots.alive[i] && (def->drag > 0 || def->buoyant || sheets->state[i].air);
}

static double rest_area(const sn_sheet_state *s, const uint32_t *t) {
    sn_vec4 a = s->rest[t[0]], b = s->rest[t[1]], c = s->rest[t[2]];
    double u[3] = {(double)b.x - (double)a.x, (double)b.y - (double)a.y, (double)b.z - (double)a.z};
    double v[3] = {(double)c.x - (double)a.x, (double)c.y - (double)a.y, (double)c.z - (double)a.z};
    double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    return __builtin_sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
}

static bool reserve(sn_world *world, size_t triangles, size_t nodes, size_t models) {
    sn_air *air = sn_air_of(world);
    sn_memory *memory = &world->memory;
    sn_column columns[] = SN_AIR_COLUMNS(air);
    if (triangles + 3 > air->triangle_capacity) {
        size_t grown = sn_columns_grow(memory, columns, SN_AIR_COLUMN_COUNT, 0,
                                       air->triangle_capacity, triangles + 3);
        if (grown == 0) return false;
        air->triangle_capacity = grown;
    }
    return sn_reserve(memory, (void **)&air->member, &air->member_capacity, nodes + 1,
                      sizeof *air->member) &&
           sn_reserve(memory, (void **)&air->of, &air->of_capacity, 3 * triangles,
                      sizeof *air->of) &&
           sn_reserve(memory, (void **)&air->model, &air->model_capacity, models,
                      sizeof *air->model);
}

/* Adds a sheet; `area` has room for its nodes. */
static void add_sheet(sn_world *world, uint32_t sheet, double *area) {
    const sn_sheet_state *s = &sn_sheets_of(world)->state[sheet];
    sn_air *air = sn_air_of(world);
    size_t nodes = s->def.node_count, triangles = s->def.triangle_count;
    sn_air_member *member = &air->member[air->members];
    size_t first = 3 * air->triangles;
    for (size_t i = 0; i < nodes; i++) {
        member[i] = (sn_air_member){s->node[i], 0};
        area[i] = 0;
    }
    for (size_t k = 0; k < 3 * triangles; k++) {
        area[s->triangle[k]] += rest_area(s, &s->triangle[k - k % 3]);
        member[s->triangle[k]].first++;
    }
    /* From how many there are to where they end, and from there to where they begin. */
    for (size_t i = 0, end = first; i < nodes; i++) {
        end += member[i].first;
        member[i].first = (uint32_t)end;
    }
    for (size_t k = triangles; k-- > 0;) {
        const uint32_t *t = &s->triangle[3 * k];
        sn_air_triangle *made = &air->triangle[air->triangles + k];
        double mine = rest_area(s, t);
        *made = (sn_air_triangle){.model = s->air ? (uint32_t)(air->models + k) : sheet};
        for (size_t c = 0; c < 3; c++) {
            double all = area[t[c]];
            made->node[c] = s->node[t[c]];
            made->share[c] = (sn_real)(mine > LEAST_SHARE * all ? all / mine / 3 : 1 / LEAST_SHARE);
            air->of[--member[t[c]].first] = (uint32_t)(air->triangles + k);
        }
    }
    if (s->air) air->models += triangles;
    air->triangles += triangles;
    air->members += nodes;
    member[nodes] = (sn_air_member){UINT32_MAX, (uint32_t)(3 * air->triangles)};
}

/* Which side of a sheet is up, where the air that it displaces lifts it. */
static sn_result find_sides(sn_world *world, uint32_t sheet) {
    const sn_sheet_state *s = &sn_sheets_of(world)->state[sheet];
    bool closed = false;
    if (s->def.buoyant)
        SN_TRY(sn_triangles_closed(&world->memory, s->triangle, s->def.triangle_count,
                                   s->def.node_count, &closed));
    double volume = closed ? sn_triangles_volume(s->triangle, s->def.triangle_count, s->rest) : 0;
    sn_air_of(world)->model[sheet].sides = (sn_real)(volume > 0 ? 1 : volume < 0 ? -1 : 0);
    return SN_OK;
}

bool sn_air_make_lists(sn_world *world) {
    sn_air *air = sn_air_of(world);
    const sn_sheets *sheets = sn_sheets_of(world);
    size_t triangles = 0, nodes = 0, most = 0, count = sheets->slots.count, models = count;
    if (air->made && air->changes == sheets->changes) return true;
    for (size_t i = 0; i < count; i++) {
        const sn_sheet_def *def = &sheets->state[i].def;
        if (!is_blown(sheets, i)) continue;
        triangles += def->triangle_count;
        if (sheets->state[i].air) models += def->triangle_count;
        nodes += def->node_count;
        if (def->node_count > most) most = def->node_count;
    }
    double *area = sn_allocate(&world->memory, most + 1, sizeof *area);
    bool room = area && reserve(world, triangles, nodes, models);
    air->triangles = air->members = 0;
    air->models = count;
    for (uint32_t i = 0; i < count && room; i++) {
        if (!is_blown(sheets, i)) continue;
        room = find_sides(world, i) == SN_OK;
        if (room) add_sheet(world, i, area);
    }
    for (size_t k = 0; k < 3 && air->triangles > 0; k++)
        air->triangle[air->triangles + k] = air->triangle[air->triangles - 1];
    if (area) sn_free(&world->memory, area, most + 1, sizeof *area);
    air->made = room;
    air->changes = sheets->changes;
    return room;
}

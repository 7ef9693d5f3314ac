/* Calls about cloth: bodies with any material, sheets that tear, followers, hierarchies, bonds. */
#include "player.h"

#include <math.h>
#include <sinew/generate.h>
#include <string.h>

#include "fuzz.h"

/* ---- Bodies ---- */

/* One field in four is anything; what is refused is a matter of the library. */
static void fill_material(player *p, const sn_kind_info *info, unsigned char *material) {
    for (size_t i = 0; i < info->field_count; i++) {
        const sn_field_info *field = &info->fields[i];
        if (player_choice(p, 8) > 0) continue;
        sn_real numbers[3] = {player_real(p), player_real(p), player_real(p)};
        int word = (int)player_choice(p, 8);
        if (field->kind == SN_FIELD_CHOICE)
            memcpy(material + field->offset, &word, sizeof word);
        else
            memcpy(material + field->offset, numbers,
                   (field->kind == SN_FIELD_VEC3 ? 3 : 1) * sizeof *numbers);
    }
}

static sn_result make_mesh(player *p, sn_kind kind, sn_mesh *mesh) {
    sn_grid_def grid = sn_grid_def_default();
    sn_sphere_def sphere = sn_sphere_def_default();
    sn_block_def block = sn_block_def_default();
    block.cells[0] = block.cells[1] = block.cells[2] = 2;
    if (kind == SN_KIND_SOLID) return sn_generate_block(mesh, &block);
    if (kind == SN_KIND_ROPE || kind == SN_KIND_ROD)
        return sn_generate_rope(mesh, (sn_vec3){0, 0, 0}, (sn_vec3){1, 0, 0}, 6);
    sphere.level = 1;
    if (player_choice(p, 3) == 0) return sn_generate_sphere(mesh, &sphere);
    grid.columns = 1 + (uint32_t)player_choice(p, 4);
    grid.rows = 1 + (uint32_t)player_choice(p, 4);
    grid.pattern = (sn_grid_pattern)player_choice(p, 4);
    return sn_generate_grid(mesh, &grid);
}

sn_result player_build(player *p) {
    enum { MOST_NODES = 256 };
    union {
        size_t size;
        double align;
        unsigned char bytes[1024];
    } material = {0};
    sn_kind kind = player_choice(p, 3) ? SN_KIND_CLOTH : (sn_kind)player_choice(p, SN_KIND_COUNT);
    const sn_kind_info *info = sn_kind_get_info(kind);
    sn_mesh mesh = sn_mesh_default();
    sn_node nodes[MOST_NODES];
    sn_build build;
    sn_build_def def = sn_build_def_default();
    uint32_t pins[2] = {0, 1};
    sn_kind_default(kind, &material);
    fill_material(p, info, material.bytes);
    FUZZ_EXPECT(make_mesh(p, kind, &mesh) == SN_OK);
    FUZZ_EXPECT(mesh.vertex_count <= MOST_NODES);
    def.mesh = &mesh;
    def.position = (sn_vec3){0, player_choice(p, 8) ? 1 : player_real(p), 0};
    def.pins = pins;
    def.pin_count = player_choice(p, 3);
    def.collide = (sn_collide)player_choice(p, 3);
    p->frugal = p->untidy = p->owned = true;
    sn_result result = sn_build_body(p->world[p->w], kind, &material, &def, nodes, &build);
    size_t at = player_choice(p, IDS);
    if (result == SN_OK) {
        size_t first = player_choice(p, mesh.vertex_count < 255 ? mesh.vertex_count : 255);
        for (size_t i = 0; i < IDS && i < mesh.vertex_count; i++)
            p->node[p->w][i] = nodes[(first + i) % mesh.vertex_count];
        p->body[p->w][at] = build.body;
        p->surface[p->w][at] = build.surface;
        p->sheet[p->w][at] = build.sheet;
    }
    sn_mesh_free(&mesh);
    return result;
}

/* ---- Sheets ---- */

static sn_result make_sheet(player *p, const sn_sheet_def *from, sn_sheet *sheet) {
    enum { NODES = 6 };
    sn_sheet_def def = *from;
    sn_node nodes[NODES];
    uint32_t triangles[9];
    size_t first = player_choice(p, IDS);
    for (size_t i = 0; i < NODES; i++) nodes[i] = p->node[p->w][(first + i) % IDS];
    for (int i = 0; i < 9; i++)
        triangles[i] = (uint32_t)(player_choice(p, 8) ? (i / 3 + i % 3) % NODES
                                                      : (int)player_choice(p, NODES + 1));
    def.nodes = nodes;
    def.node_count = NODES;
    def.triangles = triangles;
    def.triangle_count = 1 + player_choice(p, 3);
    return sn_sheet_create(p->world[p->w], &def, sheet);
}

sn_result player_change_sheet(player *p) {
    sn_world *world = p->world[p->w];
    size_t at = player_choice(p, IDS), count = 0;
    sn_sheet id = p->sheet[player_whose(p)][at];
    sn_sheet_def def = sn_sheet_def_default();
    sn_node copy, nodes[4];
    uint32_t triangles[6];
    sn_real strength[IDS];
    if (player_choice(p, 2)) def.tear_strain = player_real(p);
    if (player_choice(p, 4) == 0) def.tear_force = player_real(p);
    if (player_choice(p, 4) == 0) def.drag = player_real(p);
    def.tethers = (int)player_choice(p, 6);
    def.buoyant = player_choice(p, 4) == 0;
    p->frugal = p->owned = true;
    switch (player_choice(p, 9)) {
    case 0:
        return sn_sheet_destroy(world, id);
    case 8:
        nodes[0] = player_node(p);
        nodes[1] = player_node(p);
        return sn_sheet_set_edge_strength(world, id, nodes, 1, player_real(p));
    case 1:
        return sn_sheet_set(world, id, &def);
    case 2:
        p->untidy = true;
        return sn_sheet_tether(world, id);
    case 3:
        for (int i = 0; i < IDS; i++) strength[i] = player_choice(p, 4) ? 1 : player_real(p);
        (void)sn_sheet_get_nodes(world, id, NULL, 0, &count);
        return sn_sheet_set_strength(world, id, strength, count < IDS ? count : IDS);
    case 4:
        (void)sn_sheet_get_triangles(world, id, triangles, 2, &count);
        return sn_sheet_get_nodes(world, id, nodes, 4, &count);
    case 5:
        return make_sheet(p, &def, &p->sheet[p->w][at]);
    default:
        return sn_sheet_split(world, id, player_node(p), player_vector(p), &copy);
    }
}

/* ---- Followers ---- */

sn_result player_change_follow(player *p) {
    enum { NODES = 4 };
    sn_world *world = p->world[p->w];
    size_t at = player_choice(p, IDS), first = player_choice(p, IDS);
    sn_animation_target id = p->animation_target[player_whose(p)][at];
    sn_animation_target_def def = sn_animation_target_def_default();
    sn_node nodes[NODES];
    sn_animation_target_vertex vertices[NODES];
    sn_vec3 targets[NODES];
    for (size_t i = 0; i < NODES; i++) {
        nodes[i] = p->node[p->w][(first + i) % IDS];
        targets[i] = player_choice(p, 4) ? (sn_vec3){(sn_real)i, 1, 0} : player_vector(p);
        vertices[i] = (sn_animation_target_vertex){
            .position = targets[i],
            .normal = {0, player_choice(p, 2) ? 1 : 0, 0},
            .max_distance = player_choice(p, 2) ? 1 : player_real(p),
            .back_stop_distance = player_choice(p, 2) ? SN_AUTO : player_real(p),
            .back_stop_radius = 1};
    }
    size_t left = sn_animation_target_count(world, id);
    left = left < NODES ? left : NODES;
    def.nodes = nodes;
    def.vertices = vertices;
    def.node_count = 1 + player_choice(p, NODES);
    if (player_choice(p, 4) == 0) def.compliance = player_real(p);
    switch (player_choice(p, 5)) {
    case 0:
        return sn_animation_target_destroy(world, id);
    case 1:
        return sn_animation_target_set_targets(world, id, targets,
                                               player_choice(p, 2) ? targets : NULL, left);
    case 2:
        return sn_animation_target_set_limits(world, id, vertices, left);
    default:
        return sn_animation_target_create(world, &def, &p->animation_target[p->w][at]);
    }
}

/* ---- Hierarchies ---- */

sn_result player_change_hierarchy(player *p) {
    enum { NODES = 12 };
    sn_world *world = p->world[p->w];
    size_t at = player_choice(p, IDS), first = player_choice(p, IDS), count;
    sn_hierarchy id = p->hierarchy[player_whose(p)][at];
    sn_hierarchy_def def = sn_hierarchy_def_default();
    sn_node nodes[NODES];
    uint32_t edges[2 * NODES];
    sn_real lengths[NODES];
    for (size_t i = 0; i < NODES; i++) {
        nodes[i] = p->node[p->w][(first + i) % IDS];
        edges[2 * i] = (uint32_t)i;
        edges[2 * i + 1] = (uint32_t)((i + 1 + player_choice(p, 3)) % NODES);
        lengths[i] = player_choice(p, 4) ? 1 : player_real(p);
    }
    def.nodes = nodes;
    def.node_count = NODES - player_choice(p, 3);
    if (player_choice(p, 2)) {
        def.edges = edges;
        def.edge_count = def.node_count - 1;
        if (player_choice(p, 2)) def.lengths = lengths;
    }
    def.levels = (int)player_choice(p, 34);
    def.finest = 1 + (int)player_choice(p, 3);
    def.side = (sn_side)player_choice(p, 4);
    if (player_choice(p, 4) == 0) def.stiffness = player_real(p);
    if (player_choice(p, 4) == 0) def.slack = player_real(p);
    switch (player_choice(p, 5)) {
    case 0:
        return sn_hierarchy_destroy(world, id);
    case 1:
        return sn_hierarchy_set(world, id, &def);
    case 2:
        return sn_hierarchy_level_nodes(world, id, 1, &count);
    default:
        return sn_hierarchy_create(world, &def, &p->hierarchy[p->w][at]);
    }
}

/* ---- Bonds ---- */

sn_result player_bind(player *p) {
    sn_world *world = p->world[p->w];
    sn_attach_def attach = sn_attach_def_default();
    sn_sew_def sew = sn_sew_def_default();
    sn_constraint *made = &p->constraint[p->w][p->made++ % IDS];
    sn_node a[3], b[2];
    size_t count;
    for (int i = 0; i < 3; i++) a[i] = player_node(p);
    for (int i = 0; i < 2; i++) b[i] = player_node(p);
    attach.node = a[0];
    sew.a = a;
    sew.b = b;
    sew.a_count = 1 + player_choice(p, 3);
    sew.b_count = 1 + player_choice(p, 2);
    sew.match = (sn_sew_match)player_choice(p, 3);
    if (player_choice(p, 2)) sew.closing_speed = player_real(p);
    if (player_choice(p, 4) == 0) sew.break_force = attach.break_force = player_real(p);
    if (player_choice(p, 4) == 0) sew.compliance = attach.compliance = player_real(p);
    switch (player_choice(p, 6)) {
    case 0:
        return sn_sew(world, &sew, NULL, 0, &count);
    case 1:
        return sn_node_ride(world, a[0], p->collider[player_whose(p)][player_choice(p, IDS)]);
    case 2:
        attach.surface = p->surface[player_whose(p)][player_choice(p, IDS)];
        break;
    case 3:
        attach.body = p->body[player_whose(p)][player_choice(p, IDS)];
        break;
    case 4:
        /* A node is made to ride on it, and removed where the rest fails. */
        p->untidy = true;
        attach.collider = p->collider[player_whose(p)][player_choice(p, IDS)];
        break;
    default:
        attach.target = b[0];
    }
    return sn_attach(world, &attach, made);
}

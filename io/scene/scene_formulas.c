/*
 * Constraints of a scene's own: C as an expression of the positions of nodes.
 *
 * A formula (io/text/formula.h) becomes a type that is added to the world, as any program can add
 * one (sinew/user.h), with gradients by its own rules. So colours, threads, compliance, damping,
 * sides, breaking, forces and energies are those of every constraint. Constraints with the same
 * formula share a type. It is called after its expression, by which snapshots and recordings find
 * it: a world without it refuses them.
 */
#include "io/scene/scene_state.h"

#include "io/text/formula.h"

#include <sinew/support.h>

#include <stdio.h>
#include <string.h>

/* What the function of a type is handed. */
typedef struct program {
    formula formula;
    int nodes;
} program;

/* Where it has no value or no gradient, the constraint does nothing. */
static void evaluate(void *user, const sn_user_batch *b) {
    const program *p = user;
    for (size_t i = 0; i < b->count; i++) {
        double x[FORMULA_NODES][3], gradient[FORMULA_NODES][3] = {{0}}, value;
        for (int k = 0; k < p->nodes; k++)
            for (int axis = 0; axis < 3; axis++)
                x[k][axis] = (double)b->origin[axis][i] + (double)b->x[k][axis][i];
        double t = p->formula.timed ? (double)b->parameter[0][i] : 0;
        bool good = !sn_formula_evaluate(&p->formula, (const double(*)[3])x, t, &value, gradient);
        b->value[0][i] = good ? (sn_real)value : 0;
        for (int k = 0; k < p->nodes; k++)
            for (int axis = 0; axis < 3; axis++)
                b->gradient[k][axis][i] = good ? (sn_real)gradient[k][axis] : 0;
    }
}

static bool look_up(void *user, const char *name, double *value) {
    return sn_scene_number_parameter(user, name, value);
}

/* ---- Names ---- */

static sn_result read_names(sn_scene *s, const scene_constraint_part *part, size_t count,
                            const char ***names) {
    static const char *const letters[] = {"a", "b", "c", "d", "e", "f", "g", "h",
                                          "i", "j", "k", "l", "m", "n", "o", "p"};
    if (count < 1 || count > FORMULA_NODES)
        return sn_scene_complain(&s->reader, part->nodes, "means %zu nodes, expected 1 to %d",
                                 count, FORMULA_NODES);
    if (part->names && part->names->count != count)
        return sn_scene_complain(&s->reader, part->names,
                                 "has %zu names, expected %zu, as \"nodes\"", part->names->count,
                                 count);
    *names = sn_scene_take(s, count, sizeof **names);
    if (!*names) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        (*names)[i] = letters[i];
        if (part->names)
            SN_TRY(sn_scene_read_text(&s->reader, &part->names->items[i], &(*names)[i]));
    }
    return SN_OK;
}

/* ---- Types ---- */

static const scene_formula *find_formula(const sn_scene *s, const scene_formula *wanted) {
    for (size_t i = 0; i < s->formulas.count; i++) {
        const scene_formula *f = &s->formulas.items[i];
        int same = 0;
        if (strcmp(f->text, wanted->text) != 0 || f->nodes != wanted->nodes) continue;
        while (same < f->nodes && strcmp(f->names[same], wanted->names[same]) == 0) same++;
        if (same == f->nodes) return f;
    }
    return NULL;
}

/* Called after the expression; a number tells apart what would be called the same. */
static sn_result add_type(sn_scene *s, const json_node *node, scene_formula *f, program *p) {
    static const sn_user_parameter time = {"t", "s", -(double)SN_REAL_MAX, (double)SN_REAL_MAX, 0};
    sn_user_type_def def = sn_user_type_def_default();
    char name[64];
    snprintf(name, sizeof name, "formula: %.50s", f->text);
    if (sn_world_type_by_name(s->world, name, &f->type) == SN_OK)
        snprintf(name, sizeof name, "formula %zu: %.40s", s->formulas.count, f->text);
    def.name = name;
    def.nodes = f->nodes;
    def.external = true; /* it may name places of the world */
    def.formula = evaluate;
    def.user = p;
    def.parameters = &time;
    def.parameter_count = p->formula.timed ? 1 : 0;
    sn_result result = sn_world_add_type(s->world, &def, &f->type);
    if (result == SN_ERROR_MEMORY) return result;
    return result == SN_OK ? SN_OK : sn_scene_complain_within(&s->reader, node);
}

/* Every node has a part in it. */
static sn_result check_nodes(sn_scene *s, const json_node *node, const scene_formula *f,
                             const formula *made) {
    for (int i = 0; i < f->nodes; i++)
        if (!(made->nodes >> i & 1))
            return sn_scene_complain(&s->reader, node, "does not depend on the node \"%.64s\"",
                                     f->names[i]);
    return SN_OK;
}

/* It must have a value where the nodes are now. */
static sn_result check_value(sn_scene *s, const json_node *node, const program *p,
                             const scene_nodes *nodes) {
    double x[FORMULA_NODES][3], gradient[FORMULA_NODES][3], value;
    for (size_t i = 0; i < nodes->count; i++) {
        sn_node_def def = sn_node_def_default();
        SN_TRY(sn_node_get(s->world, nodes->items[i], &def));
        x[i][0] = (double)def.position.x;
        x[i][1] = (double)def.position.y;
        x[i][2] = (double)def.position.z;
    }
    const char *problem =
        sn_formula_evaluate(&p->formula, (const double(*)[3])x, 0, &value, gradient);
    if (!problem) return SN_OK;
    return sn_scene_complain(&s->reader, node, "has no value where the nodes are: %s", problem);
}

sn_result sn_scene_get_formula(sn_scene *s, const json_node *node,
                               const scene_constraint_part *part, const scene_nodes *nodes,
                               sn_type *type) {
    const json_node *source = sn_json_member(node, "expression");
    scene_formula wanted = {.text = part->expression, .nodes = (int)nodes->count};
    char problem[256];
    for (size_t i = 0; i < nodes->count; i++)
        if (nodes->items[i].slot == 0)
            return sn_scene_complain(&s->reader, part->nodes,
                                     "node %zu is null, expected a node for a formula", i);
    SN_TRY(read_names(s, part, nodes->count, &wanted.names));
    program *p = sn_scene_take(s, 1, sizeof *p);
    if (!p) return SN_ERROR_MEMORY;
    formula_names names = {wanted.names, wanted.nodes, look_up, &s->reader};
    p->nodes = wanted.nodes;
    if (!sn_formula_read(&p->formula, part->expression, &names, problem, sizeof problem))
        return sn_scene_complain(&s->reader, source, "%s", problem);
    SN_TRY(check_nodes(s, source, &wanted, &p->formula));
    SN_TRY(check_value(s, source, p, nodes));
    const scene_formula *found = find_formula(s, &wanted);
    if (!found) {
        wanted.timed = p->formula.timed;
        SN_TRY(add_type(s, node, &wanted, p));
        scene_formula *place = SCENE_ADD(s->formulas);
        if (!place) return SN_ERROR_MEMORY;
        *place = wanted;
    }
    *type = found ? found->type : wanted.type;
    return SN_OK;
}

/* ---- Time ---- */

sn_result sn_scene_note_formula(sn_scene *s, const json_node *node, sn_type type) {
    for (size_t i = 0; i < s->formulas.count; i++) {
        if (s->formulas.items[i].type != type || !s->formulas.items[i].timed) continue;
        scene_change *change = SCENE_ADD(s->changes);
        if (!change) return SN_ERROR_MEMORY;
        *change =
            (scene_change){.of = SCENE_OF_FORMULA, .index = s->links.count - 1, .source = node};
    }
    return SN_OK;
}

sn_result sn_scene_act_formula(sn_scene *s, sn_constraint constraint, double time) {
    sn_real value[3] = {(sn_real)time, 0, 0};
    if (!sn_constraint_is_valid(s->world, constraint)) return SN_OK;
    return sn_constraint_set_field(s->world, constraint, "t", value);
}

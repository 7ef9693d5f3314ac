/* sinew info: what this build can do. */
#include "options.h"

#include <sinew_io/scene.h>

#include <math.h>
#include <stdio.h>

#define COUNT_FIELD(kind, name, unit, least, most, standard, automatic, meaning) +1

static void print_widths(void) {
    static const int widths[] = {1, 4, 8, 16};
    printf("simd widths ");
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        sn_world_def def = sn_world_def_default();
        sn_world *world;
        def.simd_width = widths[i];
        if (sn_world_create(&def, &world) != SN_OK) continue;
        if (sn_world_simd_width(world) == widths[i]) printf(" %d", widths[i]);
        sn_world_destroy(world);
    }
    printf(", with the same bits");
}

/* What a world gets that leaves the choice to the library. */
static app_exit print_choice(void) {
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    def.threads = 0;
    sn_result result = sn_world_create(&def, &world);
    if (result != SN_OK) return app_fail_result("cannot make a world", result);
    print_widths();
    printf("; 0 chooses %d here (SINEW_WIDTH overrides)\n", sn_world_simd_width(world));
    printf("threads      1 to 256, the same bits; 0 chooses %d here (SINEW_THREADS overrides)\n",
           sn_world_threads(world));
    sn_world_destroy(world);
    return APP_CONTINUE;
}

/* A bound as a person would write it. */
static void print_number(char text[24], double value) {
    if (fabs(value) >= (double)SN_REAL_MAX) {
        snprintf(text, 24, "%sinf", value < 0 ? "-" : "");
    } else if (value == SN_ABOVE_ZERO) {
        snprintf(text, 24, "above 0");
    } else {
        snprintf(text, 24, "%g", value);
    }
}

static void print_field(const sn_field_info *field) {
    char least[24], most[24], standard[24];
    if (field->kind == SN_FIELD_CHOICE) {
        printf("  %-18s %s: %s\n", field->name, field->unit, field->meaning);
        return;
    }
    printf("  %-18s %-9s ", field->name, field->unit);
    if (field->kind == SN_FIELD_SIDE) {
        printf("0 both, 1 at least, 2 at most, default %g", field->standard);
    } else {
        print_number(least, field->least);
        print_number(most, field->most);
        print_number(standard, field->standard);
        printf("%s to %s, default %s", least, most,
               field->standard == (double)SN_AUTO ? "automatic" : standard);
    }
    printf(": %s\n", field->meaning);
}

static void print_type(const sn_type_info *info, size_t first_field) {
    const char *more = info->list == SN_LIST_NONE ? "" : " or more";
    printf("\n%s: %d%s nodes", info->name, info->nodes, more);
    if (info->list == SN_LIST_RING || info->list == SN_LIST_FAN)
        printf(" (a vertex, then those around it)");
    if (info->list == SN_LIST_SURFACE) printf(" (of a closed surface, with its triangles)");
    if (info->list == SN_LIST_REGION) printf(" (in any order)");
    if (info->list == SN_LIST_PATH) printf(" (in the order of a thread)");
    if (info->frames > 0) printf(" (%d of them oriented)", info->frames);
    if (info->fixed_nodes > 0) printf(" (%d of them not moved)", info->fixed_nodes);
    printf(", %d row%s%s; %s\n", info->rows, info->rows == 1 ? "" : "s",
           info->external ? ", external" : "", info->meaning);
    for (size_t i = first_field; i < info->field_count; i++) print_field(&info->fields[i]);
}

/* How many of the first fields all types share: those are said once. */
static size_t common_fields(void) {
    enum { COMMON = 0 SN_COMMON_FIELDS(COUNT_FIELD) };
    return COMMON;
}

static void print_kind(sn_kind kind) {
    const sn_kind_info *info = sn_kind_get_info(kind);
    const sn_preset_info *preset;
    printf("\n%s: %s\n", info->name, info->meaning);
    for (size_t i = 0; i < info->field_count; i++) print_field(&info->fields[i]);
    printf("  presets:");
    for (size_t i = 0; (preset = sn_preset_at(i)); i++)
        if (preset->kind == kind) printf(" %s", preset->name);
    printf("\n");
}

static void print_methods(void) {
    printf("solvers     ");
    for (int i = 0; i < SN_SOLVER_COUNT; i++) printf(" %s", sn_solver_name((sn_solver)i));
    printf("\nintegrators ");
    for (int i = 0; i < SN_INTEGRATOR_COUNT; i++)
        printf(" %s", sn_integrator_name((sn_integrator)i));
    printf("\n");
}

static app_exit print_all(void) {
    sn_version v = sn_version_get();
    printf("version      %d.%d.%d\n", v.major, v.minor, v.patch);
    printf("precision    %s (%zu bits)\n", sizeof(sn_real) == 4 ? "single" : "double",
           8 * sizeof(sn_real));
    app_exit exit = print_choice();
    if (exit != APP_CONTINUE) return exit;
    print_methods();
    printf("\nfields of every constraint type:\n");
    const sn_type_info *first = sn_type_get_info((sn_type)0);
    for (size_t i = 0; first && i < common_fields(); i++) print_field(&first->fields[i]);
    for (int type = 0; type < SN_TYPE_COUNT; type++)
        print_type(sn_type_get_info((sn_type)type), common_fields());
    printf("\nkinds of bodies, with the fields of their materials:\n");
    for (int kind = 0; kind < SN_KIND_COUNT; kind++) print_kind((sn_kind)kind);
    return APP_OK;
}

/* What the documentation in the repository is made of. */
static app_exit print_text(char *text) {
    if (!text) return app_fail("there is no memory");
    fputs(text, stdout);
    sn_scene_text_free(text);
    return APP_OK;
}

app_exit verb_info(int argc, char **argv) {
    bool schema = false, format = false, materials = false;
    const option options[] = {
        {"schema", NULL, "print the JSON schema of scene files instead", OPTION_FLAG, &schema, 0,
         0},
        {"scene-format", NULL, "print the reference of scene files in Markdown instead",
         OPTION_FLAG, &format, 0, 0},
        {"materials", NULL, "print the presets of materials in Markdown instead", OPTION_FLAG,
         &materials, 0, 0},
    };
    const verb_usage usage = {
        .name = "info",
        .summary =
            "Says the version, the precision, the SIMD widths, every constraint type with its\n"
            "fields, and the kinds of bodies with their materials.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    app_exit exit = options_parse(&usage, argc, argv);
    if (exit != APP_CONTINUE) return exit;
    if (schema) return print_text(sn_scene_schema());
    if (format) return print_text(sn_scene_documentation());
    if (materials) return print_text(sn_scene_material_documentation());
    return print_all();
}

/* What a report says, as sentences. */
#include "base/error.h"
#include "geometry/mesh_access.h"

#include <stdio.h>
#include <string.h>

typedef struct phrase {
    sn_log_level level;
    const char *element;
    const char *one, *several;
} phrase;

static const phrase phrases[SN_MESH_FINDING_COUNT] = {
#define PHRASE(name, number, level, element, one, several) {level, element, one, several},
    SN_MESH_FINDINGS(PHRASE)
#undef PHRASE
};

size_t sn_mesh_report_remarks(const sn_mesh_report *report) {
    size_t count = 0;
    if (!report || report->size != sizeof *report) return 0;
    for (int kind = 0; kind < SN_MESH_FINDING_COUNT; kind++)
        count += report->findings[kind].count > 0;
    return count;
}

/* Names the first example: "triangle 12". */
static void write_example(const sn_mesh_report *report, int kind, char *text, size_t capacity) {
    const char *element = phrases[kind].element;
    const uint32_t *example = report->findings[kind].example[0];
    if (!strcmp(element, "edge"))
        snprintf(text, capacity, "that between vertices %u and %u", example[0], example[1]);
    else if (!strcmp(element, "piece"))
        snprintf(text, capacity, "that of triangle %u", example[0]);
    else if (example[0] != example[1])
        snprintf(text, capacity, "%s %u (%u)", element, example[0], example[1]);
    else
        snprintf(text, capacity, "%s %u", element, example[0]);
}

/* What else there is to say about some findings. */
static void write_addition(const sn_mesh_report *report, int kind, char *text, size_t capacity) {
    text[0] = '\0';
    if (kind == SN_MESH_EDGE_BOUNDARY)
        snprintf(text, capacity, ", in %zu loop%s", report->boundary_loops,
                 report->boundary_loops == 1 ? "" : "s");
    if (kind == SN_MESH_VERTEX_COINCIDENT)
        snprintf(text, capacity, " within %g m; welding closes %zu boundary edge%s",
                 (double)report->weld_distance, report->seam_edges,
                 report->seam_edges == 1 ? "" : "s");
}

sn_result sn_mesh_report_remark(const sn_mesh_report *report, size_t i, sn_log_level *level,
                                char *text, size_t capacity) {
    if (!report || !level || !text)
        return sn_fail(SN_ERROR_NULL, "mesh: %s is null",
                       !report  ? "the report"
                       : !level ? "where to write the level of a remark"
                                : "where to write a remark");
    size_t count = sn_mesh_report_remarks(report);
    if (i >= count)
        return sn_fail(SN_ERROR_VALUE, "mesh: remark %zu is asked for, but there are %zu", i,
                       count);
    int kind = 0;
    for (size_t before = i;; kind++)
        if (report->findings[kind].count > 0 && before-- == 0) break;
    const phrase *said = &phrases[kind];
    size_t found = report->findings[kind].count;
    char example[64], addition[96];
    write_example(report, kind, example, sizeof example);
    write_addition(report, kind, addition, sizeof addition);
    const char *plural = !strcmp(said->element, "vertex") ? "vertices" : "";
    *level = said->level;
    if (found == 1)
        snprintf(text, capacity, "1 %s %s%s: %s", said->element, said->one, addition, example);
    else
        snprintf(text, capacity, "%zu %s%s %s%s, such as %s", found,
                 *plural ? plural : said->element, *plural ? "" : "s", said->several, addition,
                 example);
    return SN_OK;
}

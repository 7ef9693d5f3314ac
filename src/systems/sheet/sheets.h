/*
 * Sheets: the triangles of cloth, for what acts on a surface as a whole.
 *
 * A sheet is a list of nodes, in the order of the vertices that they were made from, and triangles
 * that are indices into it. New nodes come at the end of the list. What is derived from sheets
 * (lists of the step) compares `changes` with what it was when it was made.
 */
#ifndef SN_SYSTEMS_SHEET_SHEETS_H
#define SN_SYSTEMS_SHEET_SHEETS_H

#include "base/archive.h"
#include "state/object.h"
#include "state/world.h"

#include <sinew/sheet.h>

typedef struct sn_sheet_state {
    sn_sheet_def def;   /* its arrays are null, its counts those of the lists here */
    uint32_t *node;     /* slots */
    sn_vec4 *rest;      /* m, of every node, where it was when the sheet was made */
    size_t capacity;    /* of both */
    uint32_t *triangle; /* three indices into the list of nodes each */
    size_t corner_capacity;
    sn_real *strength; /* of every node, a factor on what it bears; null: 1 everywhere */
    size_t strength_capacity;
    sn_real (*air)[2]; /* drag and lift of every node; null: those of def everywhere */
    size_t air_capacity;
    uint8_t *open; /* per triangle, a bit for each edge that was cut: bit k, that without corner k;
                      null: none */
    size_t open_capacity;
    /* Per triangle, how strong the sheet is across the edge without each corner, where that is told
       apart from its nodes; SN_AUTO where not. Null: nowhere. */
    sn_real (*edge_strength)[3];
    size_t edge_capacity;
    uint32_t changes; /* counts whenever nodes or triangles come or go */
    size_t ties;      /* constraints that were made for it: its tethers (owned_constraints.h) */
    bool loose;       /* whether they are to be made anew before the next step */
} sn_sheet_state;

typedef struct sn_sheets {
    sn_slots slots;
    sn_sheet_state *state;
    size_t capacity;
    /* Of every node: its sheet + 1 or 0, and its index in the list there. */
    uint32_t *of_node;
    uint32_t *place;
    size_t node_capacity;
    uint32_t changes; /* of all sheets, their definitions and themselves */
} sn_sheets;

/* Room for one more sheet and for nodes up to `slots`; false when there is no memory. */
bool sn_sheets_reserve(sn_sheets *sheets, sn_memory *memory, size_t slots);
/* Room for so many nodes and triangles in one. */
bool sn_sheet_state_reserve(sn_sheet_state *state, sn_memory *memory, size_t nodes,
                            size_t triangles);
void sn_sheet_state_free(sn_sheet_state *state, sn_memory *memory);
/* Its sheet + 1, or 0. Nodes may have come since there was room for them here. */
static inline uint32_t sn_sheets_at(const sn_sheets *sheets, uint32_t node) {
    return node < sheets->node_capacity ? sheets->of_node[node] : 0;
}
/* Puts a node at the end of the list of a sheet, for which there is room; its index there. */
uint32_t sn_sheets_add_node(sn_sheets *sheets, uint32_t sheet, uint32_t node, sn_vec4 rest);
/* Notes that nodes or triangles of a sheet have changed. */
void sn_sheets_mark_changed(sn_sheets *sheets, uint32_t sheet);
void sn_sheets_remove(sn_sheets *sheets, sn_memory *memory, uint32_t index);
void sn_sheets_free(sn_sheets *sheets, sn_memory *memory);

/* Takes the nodes whose `alive` is this, and the triangles that need them, out of all sheets. */
void sn_sheets_forget(sn_sheets *sheets, sn_memory *memory, const uint8_t *alive, uint8_t doomed);

static inline sn_sheets *sn_sheets_of(const sn_world *world) {
    return world->system_state[SN_SYSTEM_SHEET];
}

extern const sn_object sn_sheet_object;

/* serialize_sheets.c: the part of a snapshot, which worlds that never had one have not. */
void sn_world_serialize_sheets(sn_world *world, sn_archive *a);

#endif

/* Sheets of cloth in a world, and how often they pass through each other. */
#ifndef SINEW_TESTS_CONTACT_CROSSING_SHEETS_H
#define SINEW_TESTS_CONTACT_CROSSING_SHEETS_H

#include "collision/ccd/time_of_impact.h"

#include <sinew/sinew.h>

enum { MOST_NODES = 20000 };

/* A world in which the sheets have the nodes 0, 1, 2, ... in the order of their vertices. */
typedef struct sheets {
    sn_world *world;
    sn_mesh all; /* of all sheets, at rest */
    sn_node node[MOST_NODES];
    size_t nodes;
    sn_vec3 at[MOST_NODES]; /* m, by sheets_look */
    double fastest;         /* m/s, likewise */
} sheets;

/* What is to become a sheet. */
typedef struct sheet {
    double width, length; /* m, along x and z */
    uint32_t columns, rows;
    /* Where a vertex goes that is at (x, 0, z); null: stays. */
    sn_vec3 (*shape)(double x, double z, void *user);
    void *user;
    bool (*is_pinned)(double x, double z); /* null: none */
    sn_vec3 velocity;                      /* m/s */
    double thickness;                      /* m */
    double bending;                        /* N m */
    bool self, penetration_free, untangle;
    int layer;
    double layer_shock;
    double area_density; /* kg/m^2; 0: that of cloth by default */
} sheet;

sheet sheet_default(void);
sheets *sheets_make(int substeps, int threads, sn_vec3 gravity);
/* The number of its first node. */
size_t sheets_add(sheets *s, const sheet *def);
void sheets_free(sheets *s);

/* Reads positions and speeds. */
void sheets_look(sheets *s);
/* How many edges pass through triangles, in the places that were looked at. */
size_t sheets_crossings(const sheets *s);

#endif

/* The cross-section of a rod, from its material: what a beam of it resists with. */
#ifndef SN_BODIES_ROD_SECTION_H
#define SN_BODIES_ROD_SECTION_H

#include <sinew/build.h>

typedef struct sn_rod_section {
    double area;       /* m^2, A */
    double second[2];  /* m^4, I about the x axis, which is along the width, and about y */
    double torsion;    /* m^4, J */
    double plastic[3]; /* m^3, moment over stress where all of it flows: about x, about y, twist */
    double shear;      /* k of k G A */
    double outer;      /* m^2, with the hole */
    double wide[2];    /* m^2, 12 I / A about x and y: of a beam beside the square of its length */
    double half[2], round; /* m, along x and y; squares of half[] times round are those of I / A */
} sn_rod_section;

sn_rod_section sn_rod_section_of(const sn_rod_material *m);

/* Refuses width and height of a circle, which has a radius. */
sn_result sn_rod_section_check(const sn_rod_material *m);

#endif

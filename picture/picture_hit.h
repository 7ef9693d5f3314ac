/* What a ray of the camera meets on an item: the point that the shading wants. */
#ifndef SN_PICTURE_PICTURE_HIT_H
#define SN_PICTURE_PICTURE_HIT_H

#include "picture/colour.h"
#include "picture/picture_shade.h"

typedef struct hit_scene {
    const stage *stage;
    const projector *camera;
    colour_scale scale; /* of the colouring */
    float pixel;        /* slope of a pixel */
    bool wire;          /* edges of triangles are drawn */
} hit_scene;

/* Of an item of a part or of its skin, along a unit direction. */
void sn_hit_item(const hit_scene *s, const stage_part *whole, uint32_t item, vec ray,
                 surface_point *at);

#endif

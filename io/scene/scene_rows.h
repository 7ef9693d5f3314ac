/* How the rows of tables are written: where the value goes, its unit and range, its default as
   text, its meaning. */
#ifndef SN_IO_SCENE_SCENE_ROWS_H
#define SN_IO_SCENE_SCENE_ROWS_H

#include "io/scene/scene_parts.h"

#define MAX ((double)SN_REAL_MAX)
#define AT(type, member) offsetof(type, member)
/* What is loaded into a page writes no reference and no schema, and does without the sentences; but
   for those of fields that must be there, which are said where one is missing. */
#ifdef SN_FEW_TEXTS
#define SENTENCE(meaning) ""
#define UNLESS_THERE(standard, meaning) _Generic((standard), void * : meaning, default : "")
#else
#define SENTENCE(meaning) meaning
#define UNLESS_THERE(standard, meaning) meaning
#endif

#define NUMBER(kind, name, type, member, unit, least, most, standard, meaning, automatic)          \
    ROW(kind, name, type, member, unit, least, most, standard, meaning, automatic, false)
#define ROW(kind, name, type, member, unit, least, most, standard, meaning, automatic, changes)    \
    {                                                                                              \
        name, kind, unit, least, most, standard, UNLESS_THERE(standard, meaning),                  \
            AT(type, member), NULL, automatic, false, changes                                      \
    }
#define REAL(name, type, member, unit, least, most, standard, meaning)                             \
    NUMBER(SCENE_REAL, name, type, member, unit, least, most, standard, meaning, false)
#define REAL_OR_AUTO(name, type, member, unit, least, most, standard, meaning)                     \
    NUMBER(SCENE_REAL, name, type, member, unit, least, most, standard, meaning, true)
#define INT(name, type, member, unit, least, most, standard, meaning)                              \
    NUMBER(SCENE_INT, name, type, member, unit, least, most, standard, meaning, false)
#define INT_OR_AUTO(name, type, member, unit, least, most, standard, meaning)                      \
    NUMBER(SCENE_INT, name, type, member, unit, least, most, standard, meaning, true)
#define COUNTS(name, type, member, unit, least, most, standard, meaning)                           \
    NUMBER(SCENE_COUNTS, name, type, member, unit, least, most, standard, meaning, false)
#define VEC3(name, type, member, unit, least, most, standard, meaning)                             \
    NUMBER(SCENE_VEC3, name, type, member, unit, least, most, standard, meaning, false)
#define VEC3_OR_AUTO(name, type, member, unit, least, most, standard, meaning)                     \
    NUMBER(SCENE_VEC3, name, type, member, unit, least, most, standard, meaning, true)
/* What may change while a scene runs. */
#define CHANGING_VEC3(name, type, member, unit, least, most, standard, meaning)                    \
    ROW(SCENE_VEC3, name, type, member, unit, least, most, standard, meaning, false, true)
#define CHOICE(name, type, member, names, standard, meaning)                                       \
    NUMBER(SCENE_CHOICE, name, type, member, names, 0, 0, standard, meaning, false)
#define FIELD(kind, name, type, member, standard, meaning)                                         \
    NUMBER(SCENE_##kind, name, type, member, "", 0, 0, standard, meaning, false)
/* Groups of nodes, as bits of a mask. */
#define GROUPS(type, meaning)                                                                      \
    NUMBER(SCENE_INDICES, "groups", type, groups, "", 0, 31, "all", meaning, false)
/* What is an object itself, or several; of VALUES, each may be a plain value as well. */
#define PART(kind, name, type, member, of, standard, meaning)                                      \
    {                                                                                              \
        name, SCENE_##kind, "", 0, 0, standard, UNLESS_THERE(standard, meaning), AT(type, member), \
            of, false, false, false                                                                \
    }
#define VALUES(kind, name, type, member, of, standard, meaning)                                    \
    {                                                                                              \
        name, SCENE_##kind, "", 0, 0, standard, UNLESS_THERE(standard, meaning), AT(type, member), \
            of, false, true, false                                                                 \
    }
/* How something is drawn. */
#define LOOK(type)                                                                                 \
    VEC3_OR_AUTO("colour", type, look.colour, "1", 0, 1, "\"auto\"",                               \
                 "in pictures: red, green and blue in sRGB; automatic: those of the file of its "  \
                 "mesh, or one that differs from others'"),                                        \
        VEC3_OR_AUTO("back_colour", type, look.back, "1", 0, 1, "\"auto\"",                        \
                     "of the other side; automatic: as the front, duller"),                        \
        CHOICE("weave", type, look.weave, "none|plain|twill|knit", "\"none\"",                     \
               "how the threads of a flat cloth cross in pictures"),                               \
        REAL("thread", type, look.thread, "m", 1e-6, 1, "0.001", "from a thread to the next"),     \
        CHOICE("pattern", type, look.pattern, "none|stripes|checks|squares", "\"none\"",           \
               "what is printed on a flat cloth: stripes, stripes both ways, or a board"),         \
        VEC3("pattern_colour", type, look.pattern_colour, "1", 0, 1, "[1, 1, 1]",                  \
             "of every second stripe"),                                                            \
        REAL("pattern_width", type, look.pattern_width, "m", 1e-6, MAX, "0.05", "of a stripe"),    \
        REAL("opacity", type, look.opacity, "1", 0, 1, "1",                                        \
             "how much of what is behind it is hidden; below 0.5 it casts no shadow"),             \
        REAL("sheen", type, look.sheen, "1", 0, 1, "0.2",                                          \
             "how bright fibres are that are looked along, as those of velvet"),                   \
        REAL("roughness", type, look.roughness, "1", 0, 1, "0.6",                                  \
             "how wide highlights are, and how weak: silk has less than cotton"),                  \
        REAL_OR_AUTO("shown_thickness", type, look.thickness, "m", 0, MAX, "0",                    \
                     "of a cloth in pictures, which has two sides and a border then; automatic: "  \
                     "the thickness of its material"),                                             \
        FIELD(TEXT, "texture", type, texture, "none",                                              \
              "in pictures: a PNG or JPEG file, from the folder of the scene, on meshes "          \
              "with texture coordinates and on flat cloth; its colours are multiplied with that "  \
              "of the body"),                                                                      \
        REAL("texture_size", type, look.texture_size, "m", 1e-6, MAX, "1",                         \
             "how much of flat cloth the image is wide and high, after which it begins again; of " \
             "texture coordinates of a file 1 is the whole image")
/* How keys are joined. */
#define SCENE_INTERPOLATIONS "linear|smooth|step"
#define SCENE_INTERPOLATIONS_MEANING                                                               \
    "between keys; smooth: with speed 0 at each, step: each until the next"
#define COUNT(fields) (sizeof(fields) / sizeof((fields)[0]))
#define PLAIN(name, meaning, fields)                                                               \
    { name, SENTENCE(meaning), fields, COUNT(fields), NULL, NULL, 0 }

#endif

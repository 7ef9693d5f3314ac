/* The nodes and elements of a Gmsh file. */
#include "io/mesh/read_msh.h"

#include <math.h>
#include <stdlib.h>

/* ---- Nodes ---- */

static sn_result add_node(msh_file *msh, uint64_t tag) {
    sn_io_build *build = msh->build;
    SN_TRY(sn_io_build_list_reserve(build, &msh->nodes, 1, sizeof(msh_node)));
    msh_node *nodes = msh->nodes.items;
    nodes[msh->nodes.count] = (msh_node){tag, (uint32_t)msh->nodes.count};
    msh->nodes.count++;
    return SN_OK;
}

static sn_result read_position(msh_file *msh) {
    double x[3];
    const char *at = sn_msh_here(msh);
    for (int k = 0; k < 3; k++) SN_TRY(sn_msh_real(msh, "a coordinate", &x[k]));
    sn_vec3 position = {(sn_real)x[0], (sn_real)x[1], (sn_real)x[2]};
    if (!isfinite(position.x) || !isfinite(position.y) || !isfinite(position.z))
        return sn_msh_fail(msh, at, "a node is at %g %g %g, expected finite numbers", x[0], x[1],
                           x[2]);
    return sn_io_build_vertex(msh->build, position);
}

static sn_result read_nodes_2(msh_file *msh) {
    uint64_t count;
    int64_t tag;
    SN_TRY(sn_msh_size(msh, "the number of nodes", &count));
    if (msh->is_binary) SN_TRY(sn_text_end_line(&msh->text, "the end of the line"));
    SN_TRY(sn_msh_check_room(msh, count, 8, 28, "nodes"));
    SN_TRY(sn_io_build_reserve(msh->build, BUILD_VERTICES, (size_t)count));
    SN_TRY(sn_io_build_list_reserve(msh->build, &msh->nodes, (size_t)count, sizeof(msh_node)));
    for (uint64_t i = 0; i < count; i++) {
        SN_TRY(sn_msh_int(msh, "the number of a node", &tag));
        SN_TRY(add_node(msh, (uint64_t)tag));
        SN_TRY(read_position(msh));
    }
    return SN_OK;
}

/* Nodes come by the entity on which they lie: all tags, then all positions. */
static sn_result read_node_block(msh_file *msh) {
    int64_t dimension, entity, is_parametric;
    uint64_t count, tag;
    double parameter;
    const char *at = sn_msh_here(msh);
    SN_TRY(sn_msh_int(msh, "the dimension of an entity", &dimension));
    SN_TRY(sn_msh_int(msh, "the tag of an entity", &entity));
    SN_TRY(sn_msh_int(msh, "whether there are parameters", &is_parametric));
    SN_TRY(sn_msh_size(msh, "the number of nodes", &count));
    if (dimension < 0 || dimension > 3 || is_parametric < 0 || is_parametric > 1)
        return sn_msh_fail(msh, at,
                           "nodes of dimension %lld, with parameters %lld, expected 0 to 3 and 0 "
                           "or 1",
                           (long long)dimension, (long long)is_parametric);
    SN_TRY(sn_msh_check_room(msh, count, 8, 32, "nodes"));
    SN_TRY(sn_io_build_reserve(msh->build, BUILD_VERTICES, (size_t)count));
    for (uint64_t i = 0; i < count; i++) {
        SN_TRY(sn_msh_size(msh, "the number of a node", &tag));
        SN_TRY(add_node(msh, tag));
    }
    for (uint64_t i = 0; i < count; i++) {
        SN_TRY(read_position(msh));
        for (int64_t k = 0; is_parametric && k < dimension; k++)
            SN_TRY(sn_msh_real(msh, "a parameter", &parameter));
    }
    return SN_OK;
}

static sn_result read_nodes_4(msh_file *msh) {
    uint64_t blocks, count, ignored;
    SN_TRY(sn_msh_size(msh, "the number of blocks", &blocks));
    SN_TRY(sn_msh_size(msh, "the number of nodes", &count));
    SN_TRY(sn_msh_size(msh, "the first number of a node", &ignored));
    SN_TRY(sn_msh_size(msh, "the last number of a node", &ignored));
    const char *at = msh->text.at;
    for (uint64_t i = 0; i < blocks; i++) SN_TRY(read_node_block(msh));
    if (msh->nodes.count != count)
        return sn_msh_fail(msh, at, "%llu nodes are promised, but the blocks have %zu",
                           (unsigned long long)count, msh->nodes.count);
    return SN_OK;
}

static int compare_nodes(const void *left, const void *right) {
    const msh_node *a = left, *b = right;
    return (a->tag > b->tag) - (a->tag < b->tag);
}

sn_result sn_msh_nodes(msh_file *msh) {
    const char *begin = msh->text.at;
    if (msh->has_nodes) return sn_msh_fail(msh, begin, "section $Nodes is there twice");
    SN_TRY(msh->is_4 ? read_nodes_4(msh) : read_nodes_2(msh));
    msh->has_nodes = true;
    msh_node *nodes = msh->nodes.items;
    msh->are_dense = true;
    for (size_t i = 1; i < msh->nodes.count; i++)
        msh->are_dense &= nodes[i].tag == nodes[0].tag + i;
    if (msh->are_dense) return SN_OK;
    qsort(nodes, msh->nodes.count, sizeof *nodes, compare_nodes);
    for (size_t i = 1; i < msh->nodes.count; i++)
        if (nodes[i].tag == nodes[i - 1].tag)
            return sn_msh_fail(msh, begin, "node %llu is there twice",
                               (unsigned long long)nodes[i].tag);
    return SN_OK;
}

static sn_result find_vertex(const msh_file *msh, const char *at, uint64_t tag, uint32_t *vertex) {
    const msh_node *nodes = msh->nodes.items;
    if (msh->are_dense && msh->nodes.count > 0 && tag - nodes[0].tag < msh->nodes.count) {
        *vertex = (uint32_t)(tag - nodes[0].tag);
        return SN_OK;
    }
    const msh_node key = {.tag = tag};
    const msh_node *found =
        msh->are_dense ? NULL : bsearch(&key, nodes, msh->nodes.count, sizeof key, compare_nodes);
    if (!found)
        return sn_msh_fail(msh, at, "node %llu is used, but it is not among the %zu nodes",
                           (unsigned long long)tag, msh->nodes.count);
    *vertex = found->vertex;
    return SN_OK;
}

/* ---- Groups ---- */

static int compare_names(const void *left, const void *right) {
    const msh_name *a = left, *b = right;
    if (a->dimension != b->dimension) return a->dimension < b->dimension ? -1 : 1;
    return (a->tag > b->tag) - (a->tag < b->tag);
}

static sn_result sort_names(msh_file *msh) {
    msh_name *names = msh->names.items;
    if (msh->names.count == 0) return SN_OK;
    qsort(names, msh->names.count, sizeof *names, compare_names);
    for (size_t i = 1; i < msh->names.count; i++)
        if (compare_names(&names[i - 1], &names[i]) == 0)
            return sn_msh_fail(msh, msh->text.at,
                               "physical group %lld of dimension %lld has two names",
                               (long long)names[i].tag, (long long)names[i].dimension);
    return SN_OK;
}

static sn_result add_to_physical(msh_file *msh, int64_t dimension, int64_t tag,
                                 const uint32_t *corners, size_t count) {
    if (msh->names.count == 0) return SN_OK;
    const msh_name key = {.dimension = dimension, .tag = tag};
    const msh_name *name =
        bsearch(&key, msh->names.items, msh->names.count, sizeof key, compare_names);
    return name ? sn_io_build_members(msh->build, name->group, corners, count) : SN_OK;
}

static const msh_entity *find_entity(const msh_file *msh, int64_t dimension, int64_t tag) {
    const msh_entity *entities = msh->entities.items;
    size_t low = 0, high = msh->entities.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const msh_entity *entity = &entities[middle];
        if (entity->dimension < dimension || (entity->dimension == dimension && entity->tag < tag))
            low = middle + 1;
        else
            high = middle;
    }
    bool is_it = low < msh->entities.count && entities[low].dimension == dimension &&
                 entities[low].tag == tag;
    return is_it ? &entities[low] : NULL;
}

/* ---- Elements ---- */

typedef struct msh_type {
    int number;
    size_t width;
    int64_t dimension;
} msh_type;

static sn_result find_type(const msh_file *msh, const char *at, int64_t number,
                           const msh_type **type) {
    static const msh_type types[] = {{1, 2, 1}, {2, 3, 2}, {3, 4, 2}, {4, 4, 3}, {15, 1, 0}};
    static const char *const others[] = {[5] = "hexahedra", [6] = "prisms", [7] = "pyramids"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        *type = &types[i];
        if (types[i].number == number) return SN_OK;
    }
    if (number >= 5 && number <= 7)
        return sn_msh_fail(msh, at, "the file has %s, which a mesh cannot hold", others[number]);
    if (number >= 8 && number <= 140)
        return sn_msh_fail(msh, at,
                           "the file has elements of type %lld, which are not of first order and "
                           "cannot be read",
                           (long long)number);
    return sn_msh_fail(msh, at, "found elements of type %lld, which there is not",
                       (long long)number);
}

static sn_result add_element(msh_file *msh, const msh_type *type, const uint32_t *corners) {
    if (type->number == 1) return sn_io_build_line(msh->build, corners[0], corners[1]);
    if (type->number == 4) return sn_io_build_tet(msh->build, corners);
    return type->number == 15 ? SN_OK : sn_io_build_polygon(msh->build, corners, type->width);
}

/* The nodes of an element: of int in version 2, of size_t in version 4. */
static sn_result read_corners(msh_file *msh, const msh_type *type, uint32_t *corners) {
    for (size_t k = 0; k < type->width; k++) {
        uint64_t tag;
        int64_t number;
        const char *at = sn_msh_here(msh);
        if (msh->is_4) {
            SN_TRY(sn_msh_size(msh, "the number of a node", &tag));
        } else {
            SN_TRY(sn_msh_int(msh, "the number of a node", &number));
            tag = (uint64_t)number;
        }
        SN_TRY(find_vertex(msh, at, tag, &corners[k]));
    }
    return SN_OK;
}

/* The tags and nodes of an element of version 2. The first tag is the physical group. */
static sn_result read_element_2(msh_file *msh, const msh_type *type, int64_t tags) {
    uint32_t corners[4] = {0, 0, 0, 0};
    int64_t tag, physical = 0;
    for (int64_t k = 0; k < tags; k++) {
        SN_TRY(sn_msh_int(msh, "a tag", &tag));
        if (k == 0) physical = tag < 0 ? -tag : tag;
    }
    SN_TRY(read_corners(msh, type, corners));
    SN_TRY(add_to_physical(msh, type->dimension, physical, corners, type->width));
    return add_element(msh, type, corners);
}

static sn_result check_tags(msh_file *msh, const char *at, int64_t tags) {
    if (tags < 0) return sn_msh_fail(msh, at, "an element has %lld tags", (long long)tags);
    return sn_msh_check_room(msh, (uint64_t)tags, 2, 4, "tags");
}

/* In binary, elements of a type follow one head. */
static sn_result read_binary_2(msh_file *msh, uint64_t count) {
    const msh_type *type;
    int64_t number, here, tags;
    for (uint64_t done = 0; done < count; done += (uint64_t)here) {
        const char *at = msh->text.at;
        SN_TRY(sn_msh_int(msh, "a type of elements", &number));
        SN_TRY(sn_msh_int(msh, "how many follow", &here));
        SN_TRY(sn_msh_int(msh, "the number of tags", &tags));
        SN_TRY(find_type(msh, at, number, &type));
        SN_TRY(check_tags(msh, at, tags));
        if (here < 1 || (uint64_t)here > count - done)
            return sn_msh_fail(msh, at, "%lld elements follow, expected 1 to %llu", (long long)here,
                               (unsigned long long)(count - done));
        for (int64_t i = 0; i < here; i++) {
            SN_TRY(sn_msh_int(msh, "the number of an element", &number));
            SN_TRY(read_element_2(msh, type, tags));
        }
    }
    return SN_OK;
}

static sn_result read_elements_2(msh_file *msh) {
    uint64_t count;
    const msh_type *type;
    int64_t number, tags;
    SN_TRY(sn_msh_size(msh, "the number of elements", &count));
    if (msh->is_binary) {
        SN_TRY(sn_text_end_line(&msh->text, "the end of the line"));
        return read_binary_2(msh, count);
    }
    for (uint64_t i = 0; i < count; i++) {
        SN_TRY(sn_msh_int(msh, "the number of an element", &number));
        const char *at = sn_msh_here(msh);
        SN_TRY(sn_msh_int(msh, "a type of element", &number));
        SN_TRY(find_type(msh, at, number, &type));
        at = sn_msh_here(msh);
        SN_TRY(sn_msh_int(msh, "the number of tags", &tags));
        SN_TRY(check_tags(msh, at, tags));
        SN_TRY(read_element_2(msh, type, tags));
    }
    return SN_OK;
}

static sn_result read_element_block(msh_file *msh) {
    const msh_type *type;
    int64_t dimension, tag, number;
    uint64_t count, ignored;
    SN_TRY(sn_msh_int(msh, "the dimension of an entity", &dimension));
    SN_TRY(sn_msh_int(msh, "the tag of an entity", &tag));
    const char *at = sn_msh_here(msh);
    SN_TRY(sn_msh_int(msh, "a type of elements", &number));
    SN_TRY(find_type(msh, at, number, &type));
    SN_TRY(sn_msh_size(msh, "the number of elements", &count));
    SN_TRY(sn_msh_check_room(msh, count, 4, 16, "elements"));
    const msh_entity *entity = find_entity(msh, dimension, tag);
    const int64_t *physicals = msh->physicals.items;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t corners[4] = {0, 0, 0, 0};
        SN_TRY(sn_msh_size(msh, "the number of an element", &ignored));
        SN_TRY(read_corners(msh, type, corners));
        for (size_t k = 0; entity && k < entity->count; k++)
            SN_TRY(add_to_physical(msh, dimension, physicals[entity->first + k], corners,
                                   type->width));
        SN_TRY(add_element(msh, type, corners));
    }
    return SN_OK;
}

static sn_result read_elements_4(msh_file *msh) {
    uint64_t blocks, ignored;
    SN_TRY(sn_msh_size(msh, "the number of blocks", &blocks));
    SN_TRY(sn_msh_size(msh, "the number of elements", &ignored));
    SN_TRY(sn_msh_size(msh, "the first number of an element", &ignored));
    SN_TRY(sn_msh_size(msh, "the last number of an element", &ignored));
    for (uint64_t i = 0; i < blocks; i++) SN_TRY(read_element_block(msh));
    return SN_OK;
}

sn_result sn_msh_elements(msh_file *msh) {
    if (!msh->has_nodes)
        return sn_msh_fail(msh, msh->text.at, "section $Elements comes before $Nodes");
    SN_TRY(sort_names(msh));
    return msh->is_4 ? read_elements_4(msh) : read_elements_2(msh);
}

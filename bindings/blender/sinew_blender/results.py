"""Gives objects the motion that was simulated: deforming ones a point cache, rigid ones keys,
liquids a mesh per frame."""

from pathlib import Path

import bmesh
import bpy
import numpy
from bpy.app.handlers import persistent
from mathutils import Matrix

from . import point_cache
from .command import Failed
from .scene_file import MODIFIER, MOVING_MODIFIERS, file_name, transformed
from .properties import DEFORMING

LIQUID = "sinew_liquid"  # of an object: the folder with its meshes
WHOLE = "sinew_whole"  # of an object that tore: the name of its mesh before
PLACE = "sinew_place"  # of a rigid body: its matrix before, row by row


def clear(o):
    """Takes back what an earlier simulation gave."""
    if MODIFIER in o.modifiers:
        o.modifiers.remove(o.modifiers[MODIFIER])
    if WHOLE in o:
        whole = bpy.data.meshes.get(o[WHOLE])
        if whole:
            torn, o.data = o.data, whole
            bpy.data.meshes.remove(torn)
        del o[WHOLE]
    if PLACE in o:
        o.animation_data_clear()
        o.matrix_world = Matrix([o[PLACE][k : k + 4] for k in range(0, 16, 4)])
        del o[PLACE]
    liquid = bpy.data.objects.get(f"{o.name} liquid")
    if liquid and LIQUID in liquid:
        bpy.data.meshes.remove(liquid.data)


def apply(scene_file, out, liquids):
    for o in scene_file.objects:
        clear(o)
        role, stem = o.sinew.role, Path(out) / f"scene_{file_name(o.name)}"
        if role in DEFORMING:
            apply_points(scene_file, o, stem)
        elif role == "RIGID":
            apply_keys(scene_file, o, stem)
        elif role == "FLUID":
            apply_liquid(scene_file, o, liquids)


def used(mesh):
    """The vertices that files have: those of faces and edges."""
    found = numpy.zeros(len(mesh.vertices), dtype=bool)
    for e in mesh.edges:
        found[list(e.vertices)] = True
    return numpy.flatnonzero(found)


def apply_points(scene_file, o, stem):
    world = point_cache.read(stem.with_suffix(".pc2"))
    if o.sinew.role == "CLOTH" and o.sinew.tears:
        tear_mesh(o, stem.with_suffix(".obj"))
    kept = used(o.data)
    if world.shape[1] != len(kept):
        raise Failed(
            f'"{o.name}" has {len(kept)} vertices in Blender and {world.shape[1]} in its motion'
        )
    matrices = scene_file.matrices[o.name]
    local = numpy.repeat(points_at_rest(o)[None], len(world), axis=0)
    for k, points in enumerate(world):
        local[k, kept] = transformed(points, matrices[min(k, len(matrices) - 1)].inverted())
    path = stem.with_name(stem.name + "_local.pc2")
    point_cache.write(path, local)
    modifier = o.modifiers.new(MODIFIER, "MESH_CACHE")
    modifier.cache_format = "PC2"
    modifier.filepath = str(path)
    modifier.frame_start = scene_file.first
    modifier.interpolation = "LINEAR"
    put_after_moving(o, modifier)


def points_at_rest(o):
    points = numpy.empty(len(o.data.vertices) * 3, dtype=numpy.float32)
    o.data.vertices.foreach_get("co", points)
    return points.reshape(-1, 3)


def put_after_moving(o, modifier):
    """The cache says where vertices are, so it comes after what moves them and before what makes
    others of them."""
    place = 0
    for k, m in enumerate(o.modifiers):
        if m is not modifier and m.name != MODIFIER and m.type in MOVING_MODIFIERS:
            place = k + 1
    while o.modifiers.find(MODIFIER) > place:
        k = o.modifiers.find(MODIFIER)
        with bpy.context.temp_override(object=o):
            bpy.ops.object.modifier_move_to_index(modifier=MODIFIER, index=k - 1)


def tear_mesh(o, path):
    """Gives a cloth the vertices that tears make. Faces become the triangles that were simulated
    and keep their textures and materials."""
    whole = o.data
    torn = whole.copy()
    torn.name = f"{whole.name} torn"
    corners = [
        line.split()[1:]
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("f ")
    ]
    corners = [[int(c.split("/")[0]) - 1 for c in face] for face in corners]
    kept = used(whole)
    whole.calc_loop_triangles()
    if len(corners) != len(whole.loop_triangles):
        raise Failed(f'"{o.name}" has other triangles than were simulated')
    made = bmesh.new()
    made.from_mesh(whole)
    made.faces.ensure_lookup_table()
    made.verts.ensure_lookup_table()
    faces = [
        [made.faces[t.polygon_index], [whole.loops[k] for k in t.loops]]
        for t in whole.loop_triangles
    ]
    vertices = {int(place): made.verts[int(k)] for place, k in enumerate(kept)}
    layers = list(made.loops.layers.uv.values())
    old = list(made.faces)
    for (face, loops), corner in zip(faces, corners):
        for place, loop in zip(corner, loops):
            if place not in vertices:
                vertices[place] = made.verts.new(
                    whole.vertices[loop.vertex_index].co, made.verts[loop.vertex_index]
                )
                made.verts.ensure_lookup_table()
    for (face, loops), corner in zip(faces, corners):
        fresh = made.faces.new([vertices[place] for place in corner])
        fresh.material_index, fresh.smooth = face.material_index, face.smooth
        by_vertex = {l.vert.index: l for l in face.loops}
        for loop, original in zip(fresh.loops, loops):
            for layer in layers:
                loop[layer].uv = by_vertex[original.vertex_index][layer].uv
    bmesh.ops.delete(made, geom=old, context="FACES_KEEP_BOUNDARY")
    loose = [e for e in made.edges if not e.link_faces]
    for e in loose:
        made.edges.remove(e)
    made.to_mesh(torn)
    made.free()
    whole.use_fake_user = True
    o.data = torn
    o[WHOLE] = whole.name


def apply_keys(scene_file, o, stem):
    """Where the hull is, as keys of place and rotation."""
    path = point_cache.read(stem.with_suffix(".pc2")).astype(numpy.float64)
    first = scene_file.matrices[o.name][0]
    if o.parent:
        raise Failed(
            f'"{o.name}" has a parent; a rigid body has none (Object > Parent > Clear and Keep '
            "Transformation)"
        )
    o.rotation_mode = "QUATERNION"
    o.animation_data_clear()
    o[PLACE] = [c for row in first for c in row]
    last = None
    for k, points in enumerate(path):
        place = rigid_motion(path[0], points) @ first
        location, rotation, _ = place.decompose()
        if last and rotation.dot(last) < 0:
            rotation.negate()
        o.location, o.rotation_quaternion, last = location, rotation, rotation.copy()
        o.keyframe_insert("location", frame=scene_file.first + k)
        o.keyframe_insert("rotation_quaternion", frame=scene_file.first + k)
    for curve in o.animation_data.action.fcurves:
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"


def rigid_motion(before, after):
    """The motion that takes points to others, which are the same but for rounding (Kabsch 1976)."""
    a, b = before.mean(axis=0), after.mean(axis=0)
    u, _, v = numpy.linalg.svd((before - a).T @ (after - b))
    flip = numpy.diag([1, 1, numpy.sign(numpy.linalg.det(v.T @ u.T))])
    turn = v.T @ flip @ u.T
    matrix = Matrix(turn.tolist()).to_4x4()
    matrix.translation = (b - turn @ a).tolist()
    return matrix


# ---- Liquids ----


def read_object(path, name):
    """The vertices and triangles of one object of an OBJ file."""
    points, faces, inside, before = [], [], False, 0
    count = 0
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        word, _, rest = line.partition(" ")
        if word == "o":
            inside, before = rest.strip() == name, count
        elif word == "v":
            count += 1
            if inside:
                points.append([float(c) for c in rest.split()[:3]])
        elif word == "f" and inside:
            faces.append([int(c.split("/")[0]) - 1 - before for c in rest.split()])
    return numpy.array(points, dtype=numpy.float32).reshape(-1, 3), numpy.array(
        faces, dtype=numpy.int32
    ).reshape(-1, 3)


def apply_liquid(scene_file, o, liquids):
    folder = scene_file.folder / f"{file_name(o.name)}_liquid"
    folder.mkdir(exist_ok=True)
    for k in range(scene_file.last - scene_file.first + 1):
        path = Path(f"{liquids}_{k:04d}.obj")
        if path.exists():
            points, faces = read_object(path, o.name)
            numpy.savez_compressed(folder / f"{k:04d}.npz", points=points, faces=faces)
    mesh = bpy.data.meshes.new(f"{o.name} liquid")
    for material in o.data.materials:
        mesh.materials.append(material)
    liquid = bpy.data.objects.new(f"{o.name} liquid", mesh)
    liquid[LIQUID] = str(folder)
    liquid["sinew_first"] = scene_file.first
    scene_file.scene.collection.objects.link(liquid)
    o.hide_render = True
    o.display_type = "WIRE"
    show_liquids(scene_file.scene)


@persistent
def show_liquids(scene, *_):
    """Gives liquids the mesh of the frame."""
    for o in scene.objects:
        if LIQUID not in o:
            continue
        path = Path(o[LIQUID]) / f'{max(0, scene.frame_current - o["sinew_first"]):04d}.npz'
        if not path.exists():
            continue
        with numpy.load(path) as kept:
            points, faces = kept["points"], kept["faces"]
        o.data.clear_geometry()
        o.data.from_pydata(points.tolist(), [], faces.tolist())
        o.data.polygons.foreach_set("use_smooth", [True] * len(faces))
        o.data.update()


def register():
    bpy.app.handlers.frame_change_post.append(show_liquids)


def unregister():
    bpy.app.handlers.frame_change_post.remove(show_liquids)

"""Writes what is chosen in Blender as a scene file, with meshes and animations beside it.

Everything is written in the coordinates of Blender's world, z up, and gravity says which way is
down; so places need no translation on the way back.
"""

import json
import math
import re
from pathlib import Path

import bpy
import numpy
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from . import point_cache
from .command import Failed
from .force_fields import ForceFields, keyed
from .properties import DEFORMING, KINDS

# Modifiers that move vertices and make none: what pins follow.
MOVING_MODIFIERS = {
    "ARMATURE",
    "CAST",
    "CORRECTIVE_SMOOTH",
    "CURVE",
    "DISPLACE",
    "HOOK",
    "LAPLACIANDEFORM",
    "LAPLACIANSMOOTH",
    "LATTICE",
    "MESH_DEFORM",
    "SHRINKWRAP",
    "SIMPLE_DEFORM",
    "SMOOTH",
    "SURFACE_DEFORM",
    "WARP",
    "WAVE",
}
MODIFIER = "Sinew"
MOST_PARTICLES = 500000


def file_name(name):
    """As the exporters of the command name the files of a shape."""
    name = re.sub(r"[^0-9A-Za-z]", "_", name)
    return "_" + name if name[:1].isdigit() else name


def chosen(context):
    """The objects that take part, by name; complains of those that cannot."""
    found = [o for o in context.scene.objects if o.sinew.role != "NONE"]
    if not any(o.sinew.role != "COLLIDER" for o in found):
        raise Failed("no object has a role that moves; choose one in Properties > Physics > Sinew")
    names = {}
    for o in found:
        if o.type != "MESH":
            raise Failed(f'"{o.name}" is no mesh: convert it (Object > Convert > Mesh)')
        other = names.setdefault(file_name(o.name), o)
        if other is not o:
            raise Failed(
                f'files of "{other.name}" and "{o.name}" would have the same name; rename one'
            )
        check_mesh(o)
    return sorted(found, key=lambda o: o.name)


def check_mesh(o):
    mesh, role = o.data, o.sinew.role
    lines = role in ("ROPE", "ROD")
    if lines and (mesh.polygons or not mesh.edges):
        raise Failed(f'"{o.name}" is a {role.lower()}, which is edges without faces')
    if not lines and not mesh.polygons:
        raise Failed(f'"{o.name}" has no faces')
    if role in ("SOLID", "FLUID") and not closed(mesh):
        raise Failed(f'"{o.name}" is not closed, so there is no inside to fill')
    if o.sinew.pins and o.sinew.role in DEFORMING and o.sinew.pins not in o.vertex_groups:
        raise Failed(f'"{o.name}" has no vertex group "{o.sinew.pins}"')


def closed(mesh):
    faces = numpy.zeros(len(mesh.edges), dtype=int)
    for polygon in mesh.polygons:
        for loop in polygon.loop_indices:
            faces[mesh.loops[loop].edge_index] += 1
    return bool(len(faces)) and bool((faces == 2).all())


def points_of(mesh, matrix):
    points = numpy.empty(len(mesh.vertices) * 3, dtype=numpy.float32)
    mesh.vertices.foreach_get("co", points)
    return transformed(points.reshape(-1, 3), matrix)


def transformed(points, matrix):
    m = numpy.array(matrix, dtype=numpy.float64)
    return (points @ m[:3, :3].T + m[:3, 3]).astype(numpy.float32)


def triangles_of(mesh):
    mesh.calc_loop_triangles()
    corners = numpy.empty(len(mesh.loop_triangles) * 3, dtype=numpy.int32)
    mesh.loop_triangles.foreach_get("vertices", corners)
    return corners.reshape(-1, 3)


def write_obj(path, points, triangles=(), lines=()):
    with open(path, "w", encoding="ascii") as file:
        for x, y, z in points:
            file.write(f"v {x:.9g} {y:.9g} {z:.9g}\n")
        for a, b, c in triangles:
            file.write(f"f {a + 1} {b + 1} {c + 1}\n")
        for a, b in lines:
            file.write(f"l {a + 1} {b + 1}\n")


class MovingOnly:
    """While it holds, objects are evaluated with the modifiers that move their own vertices."""

    def __init__(self, objects):
        self.objects = objects

    def __enter__(self):
        self.hidden = [
            m
            for o in self.objects
            for m in o.modifiers
            if m.show_viewport and (m.type not in MOVING_MODIFIERS or m.name == MODIFIER)
        ]
        for m in self.hidden:
            m.show_viewport = False

    def __exit__(self, *_):
        for m in self.hidden:
            m.show_viewport = True


class SceneFile:
    """A scene in the making. `matrices` are those of the objects in every frame, `path` is the
    file."""

    def __init__(self, context, folder):
        self.context, self.scene, self.folder = context, context.scene, Path(folder)
        self.objects = chosen(context)
        self.moving = [o for o in self.objects if o.sinew.role in DEFORMING]
        self.first, self.last = self.scene.frame_start, self.scene.frame_end
        self.fps = self.scene.render.fps / self.scene.render.fps_base
        if self.fps != round(self.fps):
            raise Failed(f"{self.fps:g} frames per second is no whole number, which Sinew needs")
        if self.last <= self.first:
            raise Failed(f"the scene ends at frame {self.last}, before anything moves")
        self.path = self.folder / "scene.json"
        self.warnings = []
        self.matrices = {o.name: [] for o in self.objects}
        self.points = {o.name: [] for o in self.objects}
        self.fields = ForceFields(self.scene, self.warnings)

    def write(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        self.watch()
        wind = self.fields.wind()
        scene = {
            "version": 1,
            "title": self.scene.name,
            "run": {
                "frames": self.last - self.first,
                "fps": int(self.fps),
                "quality": self.scene.sinew.quality,
            },
            "settings": {
                "gravity": list(self.scene.gravity) if self.scene.use_gravity else [0, 0, 0]
            },
            "bodies": [],
            "colliders": [],
            "motions": [],
        }
        if wind is not None:
            scene["settings"].update(wind=keyed(wind, self.fps), air_density=1.2)
        effectors = self.fields.effectors(self.fps)
        if effectors:
            scene["effectors"] = effectors
        for o in self.objects:
            role = o.sinew.role
            if role in DEFORMING:
                self.add_deforming(scene, o, wind is not None)
            elif role == "FLUID":
                self.add_fluid(scene, o)
            elif role == "RIGID":
                self.add_rigid(scene, o)
            else:
                self.add_collider(scene, o)
        self.path.write_text(json.dumps(scene, indent=1), encoding="utf-8")
        return self.path

    def watch(self):
        """Goes through the frames once, and keeps where everything is."""
        before = self.scene.frame_current
        with MovingOnly(self.moving):
            for frame in range(self.first, self.last + 1):
                self.scene.frame_set(frame)
                graph = self.context.evaluated_depsgraph_get()
                for o in self.objects:
                    self.look(o.evaluated_get(graph), o, frame)
                self.fields.watch(graph)
        self.scene.frame_set(before)

    def look(self, seen, o, frame):
        self.matrices[o.name].append(seen.matrix_world.copy())
        if frame > self.first and o.sinew.role in ("RIGID", "FLUID"):
            return
        points = points_of(seen.data, seen.matrix_world)
        kept = self.points[o.name]
        if kept and len(points) != len(kept[0]):
            raise Failed(
                f'"{o.name}" has {len(points)} vertices in frame {frame}, {len(kept[0])} in '
                f"{self.first}; a mesh must keep its vertices"
            )
        kept.append(points)

    def mesh_file(self, o, lines=False):
        """The mesh of an object in the first frame; its name from the folder of the scene."""
        name = f"{file_name(o.name)}.obj"
        if lines:
            edges = [tuple(e.vertices) for e in o.data.edges]
            write_obj(self.folder / name, self.points[o.name][0], lines=edges)
        else:
            write_obj(self.folder / name, self.points[o.name][0], triangles_of(o.data))
        return {"shape": "file", "path": name, "weld": 0 if o.sinew.role == "COLLIDER" else "auto"}

    def add_deforming(self, scene, o, windy):
        chosen, role = o.sinew, o.sinew.role
        mesh = self.mesh_file(o, lines=role in ("ROPE", "ROD"))
        if role == "SOLID":
            mesh = {"shape": "fill", "surface": mesh, "spacing": chosen.spacing}
        material = {"kind": KINDS[role], "preset": chosen.material()}
        if role == "CLOTH" and windy:
            material["drag"] = 1
        if role == "CLOTH" and chosen.thickness > 0:
            material["thickness"] = chosen.thickness
        if role == "CLOTH" and chosen.tears:
            material["tear_strain"] = chosen.tear_strain
        body = {
            "name": o.name,
            "mesh": mesh,
            "material": material,
            "collide": "all" if chosen.collide else "others",
        }
        if chosen.penetration_free:
            body["contact"] = {"penetration_free": True}
        pins = self.pinned(o)
        if pins:
            # A solid has its own nodes, within the surface: those that are near the pins are held.
            near = [
                {
                    "sphere": {
                        "centre": [float(c) for c in self.points[o.name][0][i]],
                        "radius": chosen.spacing,
                    }
                }
                for i in pins
            ]
            body["pins"] = near if role == "SOLID" else pins
            motions = self.motions(o, pins)
            if role == "SOLID" and motions:
                if len(motions) > 1 or len(motions[0]["nodes"]) < len(pins):
                    raise Failed(
                        f'the pins of "{o.name}" do not all move alike, as those of a solid must'
                    )
                motions[0]["nodes"] = [{"body": o.name, **place} for place in near]
            scene["motions"] += motions
        scene["bodies"].append(body)

    def pinned(self, o):
        if not o.sinew.pins:
            return []
        group = o.vertex_groups[o.sinew.pins].index
        return [
            v.index
            for v in o.data.vertices
            if any(g.group == group and g.weight > 0.5 for g in v.groups)
        ]

    def motions(self, o, pins):
        """Of pins that Blender moves: one for all that are shifted alike."""
        path = numpy.stack(self.points[o.name]).astype(numpy.float64)[:, pins]
        path = path - path[0]
        alike = {}
        for k, pin in enumerate(pins):
            if numpy.abs(path[:, k]).max() > 1e-7:
                alike.setdefault(numpy.round(path[:, k], 6).tobytes(), []).append(k)
        return [
            {
                "nodes": [f"{o.name}[{pins[k]}]" for k in group],
                "keys": [
                    {"time": i / self.fps, "position": [round(float(c), 7) for c in at]}
                    for i, at in enumerate(path[:, group[0]])
                ],
            }
            for group in alike.values()
        ]

    def add_fluid(self, scene, o):
        points = self.lattice_inside(o, o.sinew.spacing)
        scene["bodies"].append(
            {
                "name": o.name,
                "mesh": {"shape": "points", "positions": points},
                "material": {
                    "kind": "fluid",
                    "preset": o.sinew.material(),
                    "spacing": o.sinew.spacing,
                },
            }
        )

    def lattice_inside(self, o, spacing):
        corners = self.points[o.name][0]
        low, high = corners.min(axis=0), corners.max(axis=0)
        counts = [max(1, math.floor(float(size) / spacing)) for size in high - low]
        if counts[0] * counts[1] * counts[2] > 8 * MOST_PARTICLES:
            raise Failed(f'"{o.name}" would have too many particles with a spacing of {spacing:g}')
        tree = BVHTree.FromPolygons(
            [Vector(p) for p in corners.tolist()], triangles_of(o.data).tolist()
        )
        found = []
        for k in range(counts[2]):
            for j in range(counts[1]):
                row = [
                    Vector(
                        (
                            float(low[0]) + (i + 0.5) * spacing,
                            float(low[1]) + (j + 0.5) * spacing,
                            float(low[2]) + (k + 0.5) * spacing,
                        )
                    )
                    for i in range(counts[0])
                ]
                found += [list(p) for p in row if inside(tree, p)]
        if not found:
            raise Failed(f'"{o.name}" has no room for a particle with a spacing of {spacing:g}')
        if len(found) > MOST_PARTICLES:
            raise Failed(
                f'"{o.name}" would have {len(found)} particles, of {MOST_PARTICLES} at most'
            )
        return found

    def add_rigid(self, scene, o):
        scene["colliders"].append(
            {
                "name": o.name,
                "shape": "hull",
                "mesh": self.mesh_file(o),
                "density": o.sinew.density,
                "static_friction": o.sinew.friction,
                "dynamic_friction": o.sinew.friction,
            }
        )

    def add_collider(self, scene, o):
        path = numpy.stack(self.points[o.name])
        graph = self.context.evaluated_depsgraph_get()
        mesh = o.evaluated_get(graph).data
        name = file_name(o.name)
        write_obj(self.folder / f"{name}.obj", path[0], triangles_of(mesh))
        collider = {
            "name": o.name,
            "shape": "mesh",
            "mesh": {"shape": "file", "path": f"{name}.obj", "weld": 0},
            "two_sided": not closed(mesh),
            "static_friction": o.sinew.friction,
            "dynamic_friction": o.sinew.friction,
        }
        if numpy.abs(path - path[0]).max() > 1e-7:
            point_cache.write(self.folder / f"{name}.pc2", path)
            collider["animation"] = {"path": f"{name}.pc2", "fps": self.fps}
        scene["colliders"].append(collider)


def inside(tree, point):
    """Whether a ray from there leaves through one face more than it enters. Its direction is along
    no edge of what people model."""
    direction, count, at = Vector((0.9186, 0.3541, 0.1757)).normalized(), 0, point
    while count < 1000:
        hit = tree.ray_cast(at, direction)[0]
        if hit is None:
            break
        count += 1
        at = hit + direction * 1e-5
    return count % 2 == 1


def folder_of(scene):
    folder = scene.sinew.folder
    if folder.startswith("//") and not bpy.data.filepath:
        raise Failed(f'the folder "{folder}" is beside the Blender file, which is not saved yet')
    return Path(bpy.path.abspath(folder))

"""Blender reads the point caches and the GLB files.

    blender.py FOLDER      starts Blender without a window, which runs this file

Compares with FOLDER/*/expected.json: with the Mesh Cache modifier on the imported OBJ, the vertices
are those of every frame; and the imported GLB has them at every keyframe, and is as small as
nothing where the shape is not there. Exits with 77 where Blender is missing.
"""

import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
from check import PARTS, RIGID, check, expected, finish, near, skip  # noqa: E402


def start():
    """Runs this file in Blender; its lines, and its exit code."""
    if not shutil.which("blender"):
        skip("blender is not installed")
    command = ["blender", "-b", "--factory-startup", "--python-exit-code", "1"]
    command += ["-P", os.path.abspath(__file__), "--", os.path.abspath(sys.argv[1])]
    done = subprocess.run(command, capture_output=True, text=True)
    lines = (done.stdout + done.stderr).splitlines()
    shown = ("FAIL", "skipped") if done.returncode == 0 else ("",)
    print("\n".join(line for line in lines if line.startswith(shown) or " passed, " in line))
    sys.exit(done.returncode)


def plain(name):
    name = "".join(c if c.isalnum() else "_" for c in name)
    return "_" + name if name[0].isdigit() else name


def used(shape):
    """The vertices that elements use; all where there are no elements."""
    corners = {i for e in shape["triangles"] + shape["lines"] for i in e}
    return [shape["positions"][i] for i in sorted(corners)] if corners else shape["positions"]


def origins(before, after):
    """What the new vertices of a shape that tore are copies of, or None where it did not."""
    found, count = {}, len(before["positions"])
    for kind in ("triangles", "lines"):
        if len(before[kind]) != len(after[kind]):
            return None
        for old, new in zip(before[kind], after[kind]):
            for a, b in zip(old, new):
                if (b < count and a != b) or (b >= count and found.setdefault(b, a) != a):
                    return None
    return found if len(found) == len(after["positions"]) - count > 0 else None


def tear(run, shape):
    """Gives the shapes of a run the elements of one that tore, whose frame is the next; whether
    it is one."""
    found = origins(run[-1][1], shape) if run else None
    for i, (frame, old) in enumerate(run if found else []):
        positions = old["positions"] + [old["positions"][found[k]] for k in sorted(found)]
        run[i] = (frame, {**shape, "positions": positions})
    return found is not None


def runs(frames):
    """Frames in which a shape keeps its elements, or tears, as (name, first frame, shapes)."""
    found, last = [], {}
    for frame in frames:
        now = {}
        for shape in frame["shapes"]:
            key = (shape["triangles"], shape["lines"], len(shape["positions"]))
            run = last.get(shape["name"])
            if run and run[0] != key and tear(run[1], shape):
                run = (key, run[1])
            if run is None or run[0] != key:
                first = not any(name == shape["name"] for name, number, shapes in found)
                run = (key, [])
                found.append((shape["name"], None if first else frame["number"], run[1]))
            run[1].append((frame, shape))
            now[shape["name"]] = run
        last = now
    return found


def vertices(thing, moved=False):
    """Where the vertices of an object are in the present frame, as in its file; where `moved`, as
    they are in the scene, where the object is moved and turned."""
    import bpy

    seen = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = seen.to_mesh()
    to = seen.matrix_world
    return [tuple(to @ vertex.co if moved else vertex.co) for vertex in mesh.vertices], mesh


def test_caches(part, folder):
    import bpy

    for name, number, shapes in runs(expected(folder)["frames"]):
        suffix = "" if number is None else f"_{number:04}"
        base = os.path.join(folder, f"demo_{plain(name)}{suffix}")
        where = f"pc2, {part}, {name}{suffix}"
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.ops.wm.obj_import(filepath=base + ".obj")
        thing = bpy.data.objects[0]
        near([vertex.co for vertex in thing.data.vertices], used(shapes[0][1]), 0, f"{where}: mesh")
        faces = [list(face.vertices) for face in thing.data.polygons]
        check(len(faces) == len(shapes[0][1]["triangles"]), f"{where}: faces")
        cache = thing.modifiers.new("cache", "MESH_CACHE")
        cache.cache_format = "PC2"
        cache.filepath = base + ".pc2"
        cache.frame_start = shapes[0][0]["number"]
        for frame, shape in shapes:
            bpy.context.scene.frame_set(frame["number"])
            found = vertices(thing)[0]
            near(found, used(shape), 1e-6, f"{where}, frame {frame['number']}")


def test_glb(part, folder):
    import bpy

    frames = expected(folder)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = frames["fps"]
    bpy.ops.import_scene.gltf(filepath=os.path.join(folder, "demo.glb"))
    for name, number, shapes in runs(frames["frames"]):
        suffix = "" if number is None else f"_{number:04}"
        thing = bpy.data.objects.get(name + suffix)
        where = f"glb, {part}, {name}{suffix}"
        if not check(thing, f"{where}: there is an object"):
            continue
        here = {frame["number"]: shape for frame, shape in shapes}
        for frame in frames["frames"]:
            bpy.context.scene.frame_set(frame["number"])
            shape = here.get(frame["number"])
            size = 1 if shape else 0
            near(thing.scale, [size] * 3, 1e-6, f"{where}, frame {frame['number']}: scale")
            if shape:
                # Blender's z is up.
                found = [(x, z, -y) for x, y, z in vertices(thing)[0]]
                near(found, used(shape), 2e-6, f"{where}, frame {frame['number']}")


def test_rigid(part, folder):
    """Rigid bodies are objects that move: their meshes have no shapes to morph into."""
    import bpy

    frames = expected(folder)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = frames["fps"]
    bpy.ops.import_scene.gltf(filepath=os.path.join(folder, "demo.glb"))
    for frame in frames["frames"]:
        bpy.context.scene.frame_set(frame["number"])
        for shape in frame["shapes"]:
            thing = bpy.data.objects.get(shape["name"])
            where = f"glb, {part}, {shape['name']}, frame {frame['number']}"
            if not check(thing, f"{where}: there is an object"):
                continue
            if shape["name"] != "cloth":
                check(not thing.data.shape_keys, f"{where}: it does not morph")
            found = [(x, z, -y) for x, y, z in vertices(thing, True)[0]]
            near(found, used(shape), 4e-6, where)


def main():
    # Blender uses a name that numpy has no longer.
    import numpy

    numpy.bool = bool
    folder = sys.argv[sys.argv.index("--") + 1]
    for part in PARTS:
        test_caches(part, os.path.join(folder, part))
        test_glb(part, os.path.join(folder, part))
    for part in RIGID:
        test_rigid(part, os.path.join(folder, part))
    finish()


if "--" in sys.argv:
    main()
else:
    start()

#!/usr/bin/python3
"""assimp reads the materials of a mesh that has several, from GLB and OBJ files.

    materials.py FOLDER

FOLDER is what `io_materials --write FOLDER` wrote: a flag whose triangles are red, printed and
clear, after a run and as a mesh that was written. Exits with 77 where the command is missing.
"""

import os
import shutil
import sys
import tempfile

from check import check, finish, near, read_by_assimp, skip

FACES = {"red": 3, "printed": 2, "clear": 3}


def property_of(material, key):
    return next((p["value"] for p in material["properties"] if p["key"] == key), None)


def compare(file, scene):
    """A mesh for each material, with the texture coordinates that its vertices have."""
    found = {}
    for mesh in scene["meshes"]:
        material = scene["materials"][mesh["materialindex"]]
        name = property_of(material, "?mat.name")
        found[name] = found.get(name, 0) + len(mesh["faces"])
        x, uv = mesh["vertices"], mesh["texturecoords"][0]
        width = mesh["numuvcomponents"][0]
        places = [[x[i], x[i + 2]] for i in range(0, len(x), 3)]
        pairs = [uv[i : i + 2] for i in range(0, len(uv), width)]
        near(pairs, places, 1e-3, f"{file}, {name}: texture coordinates")
        opacity = property_of(material, "$mat.opacity")
        if name == "clear" and opacity is not None:
            near([[opacity]], [[0.5]], 1e-6, f"{file}: opacity")
        if name == "printed":
            check(bool(property_of(material, "$tex.file")), f"{file}: the image")
    check(found == FACES, f"{file}: faces of materials {found}, expected {FACES}")


def main(folder):
    if not shutil.which("assimp"):
        skip("assimp is not installed")
    with tempfile.TemporaryDirectory() as scratch:
        for file in ("flag.glb", "flag_0001.obj", "mesh.glb", "mesh.obj"):
            scene = read_by_assimp(os.path.join(folder, file), scratch)
            if scene:
                compare(file, scene)
    finish()


main(sys.argv[1])

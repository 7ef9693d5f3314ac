#!/usr/bin/python3
"""assimp reads texture coordinates, colours and names of OBJ, GLB and PLY files.

    looks.py FOLDER

FOLDER is what `io_export_looks --write FOLDER` wrote: a sail with texture coordinates from a file
and an orange colour, a grid without a colour, and a blue stone; and a sail whose file has a
material with an image. Exits with 77 where the command is
missing.
"""

import os
import shutil
import sys
import tempfile

from check import check, finish, near, read_by_assimp, skip

DIGITS = 1e-5


def pairs(mesh):
    """Texture coordinates by vertex, as two numbers."""
    width = mesh["numuvcomponents"][0]
    flat = mesh["texturecoords"][0]
    return [flat[i : i + 2] for i in range(0, len(flat), width)]


def sail_coordinates(mesh):
    """What the sail has where its vertices are, which have fallen but not moved aside."""
    x = mesh["vertices"]
    return [[x[i] / 4, x[i + 2] / 8] for i in range(0, len(x), 3)]


def property_of(material, key):
    return next((p["value"] for p in material["properties"] if p["key"] == key), None)


def compare(path, scene):
    name = os.path.basename(path)
    meshes = {mesh["name"]: mesh for mesh in scene["meshes"]}
    check({"sail", "plain", "stone"} <= set(meshes), f"{name}: names {sorted(meshes)}")
    for shape in ("sail", "stone"):
        mesh = meshes[shape]
        near(pairs(mesh), sail_coordinates(mesh), 1e-3, f"{name}, {shape}: texture coordinates")
    for shape, srgb in (("sail", [1, 0.5, 0]), ("stone", [0, 0, 1])):
        material = scene["materials"][meshes[shape]["materialindex"]]
        colour = property_of(material, "$clr.diffuse") or property_of(material, "$clr.base")
        light = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in srgb]
        expected = light if name.endswith(".glb") else srgb
        near([colour[:3]], [expected], DIGITS, f"{name}, {shape}: colour")
        check(property_of(material, "?mat.name") == shape, f"{name}, {shape}: material")


def compare_materials(scene):
    """A sail of fine linen with an image, and the same dyed blue."""
    meshes = {mesh["name"]: mesh for mesh in scene["meshes"]}
    material = scene["materials"][meshes["sail"]["materialindex"]]
    check(property_of(material, "?mat.name") == "fine linen", "cloth.glb: the name of the material")
    base = property_of(material, "$clr.base") or property_of(material, "$clr.diffuse")
    near([base[:3]], [[1, 0.25, 0.5]], DIGITS, "cloth.glb: base colour")
    rough = property_of(material, "$mat.roughnessFactor")
    near([[rough]], [[0.375]], DIGITS, "cloth.glb: roughness")
    check(bool(property_of(material, "$tex.file")), "cloth.glb: the material has an image")
    near(pairs(meshes["sail"]), [[0, 0], [1, 0], [0, 1]], DIGITS, "cloth.glb: texture coordinates")
    dyed = scene["materials"][meshes["dyed"]["materialindex"]]
    base = property_of(dyed, "$clr.base") or property_of(dyed, "$clr.diffuse")
    near([base[:3]], [[0, 0, 1]], DIGITS, "cloth.glb: the colour of what is dyed")


def main(folder):
    if not shutil.which("assimp"):
        skip("assimp is not installed")
    with tempfile.TemporaryDirectory() as scratch:
        for file in ("looks_0002.obj", "looks.glb"):
            path = os.path.join(folder, file)
            scene = read_by_assimp(path, scratch)
            if scene:
                compare(path, scene)
        scene = read_by_assimp(os.path.join(folder, "cloth.glb"), scratch)
        if scene:
            compare_materials(scene)
        scene = read_by_assimp(os.path.join(folder, "looks_0002.ply"), scratch)
        if scene:
            check(len(pairs(scene["meshes"][0])) >= 27, "ply: texture coordinates")
            check("colors" in scene["meshes"][0], "ply: colours")
    finish()


main(sys.argv[1])

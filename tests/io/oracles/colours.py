#!/usr/bin/python3
"""assimp reads the colours of vertices in OBJ, GLB and PLY files.

    colours.py FOLDER

FOLDER is what `io_colours --write FOLDER` wrote: a flag whose vertices are red, half green, blue
and white as light, from a file. Exits with 77 where the command is missing.
"""

import os
import shutil
import sys
import tempfile

from check import check, finish, near, read_by_assimp, skip

LIGHT = [[1, 0, 0], [0, 0.5, 0], [0, 0, 1], [1, 1, 1]]
SRGB = [[1, 0, 0], [0, 0.735357, 0], [0, 0, 1], [1, 1, 1]]


def colours_at(mesh, places):
    """The colours of the vertices at these places, by x and z, of the first that are there."""
    x = mesh["vertices"]
    found = {}
    for i in range(len(x) // 3):
        place = (round(x[3 * i]), round(x[3 * i + 2]))
        found.setdefault(place, mesh["colors"][0][4 * i : 4 * i + 3])
    return [found[place] for place in places]


def main(folder):
    if not shutil.which("assimp"):
        skip("assimp is not installed")
    with tempfile.TemporaryDirectory() as scratch:
        for file, expected, digits in (
            ("colours.glb", LIGHT, 1e-5),
            ("colours_0002.obj", SRGB, 1e-5),
            ("colours_0002.ply", SRGB, 0.5 / 255 + 1e-5),
        ):
            scene = read_by_assimp(os.path.join(folder, file), scratch)
            if not scene:
                continue
            meshes = {mesh["name"]: mesh for mesh in scene["meshes"]}
            mesh = meshes.get("flag", scene["meshes"][0])
            if check("colors" in mesh, f"{file}: it has colours"):
                places = [(0, 0), (1, 0), (0, 1), (1, 1)]
                near(colours_at(mesh, places), expected, digits, f"{file}: colours")
    finish()


main(sys.argv[1])

#!/usr/bin/python3
"""assimp reads the colours of vertices in OBJ, GLB and PLY files.

    colours.py FOLDER

FOLDER is what `io_colours --write FOLDER` wrote: a flag whose vertices are red, half green, blue
and white as light, from a file. Exits with 77 where the command is missing.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

from check import check, finish, near, skip

LIGHT = [[1, 0, 0], [0, 0.5, 0], [0, 0, 1], [1, 1, 1]]
SRGB = [[1, 0, 0], [0, 0.735357, 0], [0, 0, 1], [1, 1, 1]]


def read(path, scratch):
    target = os.path.join(scratch, "out.assjson")
    done = subprocess.run(
        ["assimp", "export", path, target, "-fassjson"], capture_output=True, text=True
    )
    if not check(done.returncode == 0, f"{path}: assimp ended with {done.returncode}"):
        print(done.stdout, done.stderr)
        return None
    with open(target, encoding="utf-8") as file:
        return json.load(file)


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
            scene = read(os.path.join(folder, file), scratch)
            if not scene:
                continue
            meshes = {mesh["name"]: mesh for mesh in scene["meshes"]}
            mesh = meshes.get("flag", scene["meshes"][0])
            if check("colors" in mesh, f"{file}: it has colours"):
                places = [(0, 0), (1, 0), (0, 1), (1, 1)]
                near(colours_at(mesh, places), expected, digits, f"{file}: colours")
    finish()


main(sys.argv[1])

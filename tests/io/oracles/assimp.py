#!/usr/bin/python3
"""assimp reads the OBJ and PLY files.

    assimp.py FOLDER

The command turns them into JSON, which is compared with FOLDER/*/expected.json. assimp gives every
corner of an OBJ a vertex of its own, and makes one mesh of a PLY. It drops other properties of a
PLY; those are read here, as the header says. Exits with 77 where the command is missing.
"""

import json
import os
import shutil
import struct
import sys
import tempfile

from check import PARTS, check, expected, finish, near, read_by_assimp, skip

# The JSON of assimp has six digits of numbers that are below 10.
DIGITS = 1e-5


def read(path, scratch):
    """The meshes in a file."""
    return (read_by_assimp(path, scratch) or {"meshes": []})["meshes"]


def rows(numbers):
    return [numbers[i : i + 3] for i in range(0, len(numbers), 3)]


def elements(shape):
    if shape["triangles"]:
        return shape["triangles"]
    return shape["lines"] or [[i] for i in range(len(shape["positions"]))]


def compare_obj(where, meshes, frame):
    names = [shape["name"].replace(" ", "_") for shape in frame["shapes"]]
    check([mesh["name"] for mesh in meshes] == names, f"{where}: names")
    for mesh, shape in zip(meshes, frame["shapes"]):
        corners = [shape["positions"][i] for element in elements(shape) for i in element]
        found = rows(mesh["vertices"])
        found = [found[i] for face in mesh["faces"] for i in face]
        near(found, corners, DIGITS, f"{where}, {shape['name']}: corners")
        check(bool(shape["triangles"]) == ("normals" in mesh), f"{where}: normals")


def compare_ply(where, meshes, frame):
    positions, faces = [], []
    for shape in frame["shapes"]:
        faces += [[len(positions) + i for i in corners] for corners in shape["triangles"]]
        positions += shape["positions"]
    if check(len(meshes) == 1, f"{where}: one mesh"):
        near(rows(meshes[0]["vertices"]), positions, DIGITS, f"{where}: vertices")
        check(meshes[0]["faces"] == faces, f"{where}: faces")
        check(len(meshes[0].get("normals", [])) == 3 * len(positions), f"{where}: normals")


def read_properties(path):
    """The vertices of a binary PLY, as a list of values per property."""
    codes = {"float": "f", "uint": "I"}
    with open(path, "rb") as file:
        head, body = file.read().split(b"end_header\n", 1)
    names, element, count, kinds = [], None, 0, "<"
    for words in (line.split() for line in head.decode().splitlines()):
        if words[0] == "element":
            element = words[1]
            count = int(words[2]) if element == "vertex" else count
        elif words[0] == "property" and element == "vertex":
            names.append(words[2])
            kinds += codes[words[1]]
    rows_of = struct.iter_unpack(kinds, body[: count * struct.calcsize(kinds)])
    return dict(zip(names, zip(*rows_of)))


def compare_properties(where, found, frame):
    columns = {"strain": [], "radius": [], "body": []}
    columns.update({name: [] for name in ("x", "y", "z", "vx", "vy", "vz")})
    for body, shape in enumerate(frame["shapes"]):
        count = len(shape["positions"])
        for k, axis in enumerate("xyz"):
            columns[axis] += [x[k] for x in shape["positions"]]
            columns["v" + axis] += [v[k] for v in shape["velocities"] or [[0, 0, 0]] * count]
        columns["strain"] += shape["strain"] or [0] * count
        columns["radius"] += shape["radii"] or [0] * count
        columns["body"] += [body] * count
    for name, values in columns.items():
        if check(name in found, f"{where}: it has {name}"):
            near(found[name], values, 0, f"{where}: {name}")


def main():
    if not shutil.which("assimp"):
        skip("assimp-utils is not installed")
    with tempfile.TemporaryDirectory() as scratch:
        for part in PARTS:
            folder = os.path.join(sys.argv[1], part)
            for frame in expected(folder)["frames"]:
                base = os.path.join(folder, f"demo_{frame['number']:04}")
                where = f"{part}, frame {frame['number']}"
                compare_obj(f"obj, {where}", read(base + ".obj", scratch), frame)
                compare_ply(f"ply, {where}", read(base + ".ply", scratch), frame)
                compare_properties(f"ply, {where}", read_properties(base + ".ply"), frame)
    finish()


main()

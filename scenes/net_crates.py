#!/usr/bin/env python3
"""Makes scenes/net_crates.json: a net of ropes between four posts, and crates that fall into it.

    scenes/net_crates.py

The mesh of the net has vertices between its knots as well, for ropes meet rigid bodies by their
vertices.
"""

import json
import os

CELLS, CELL, HEIGHT = 10, 0.144, 1.5  # along a side; m
PARTS = 3  # of a rope from knot to knot
SIDE = CELLS * CELL
CRATES = (  # half its sides and its place, m; how it is turned; how fast it spins, rad/s
    ([0.17, 0.13, 0.15], [-0.16, 1.7, 0.1], 0.3, [0.6, 0, 0.4]),
    ([0.14, 0.14, 0.14], [0.24, 1.85, -0.12], 1.0, [-0.5, 1, 0]),
    ([0.16, 0.11, 0.13], [-0.1, 2.1, -0.22], 0.6, [0, 0.5, 1]),
    ([0.12, 0.12, 0.12], [0.1, 2.35, 0.14], 0.1, [1, 0, -0.5]))
COLOURS = ([0.66, 0.48, 0.27], [0.55, 0.38, 0.2], [0.74, 0.57, 0.35], [0.48, 0.35, 0.22])


def net():
    """Vertices have whole coordinates, of which at least one is a multiple of PARTS."""
    last = CELLS * PARTS
    places = [(i, j) for j in range(last + 1) for i in range(last + 1)
              if i % PARTS == 0 or j % PARTS == 0]
    number = {place: n for n, place in enumerate(places)}
    lines = []
    for i, j in places:
        if j % PARTS == 0 and i < last:
            lines += [number[i, j], number[i + 1, j]]
        if i % PARTS == 0 and j < last:
            lines += [number[i, j], number[i, j + 1]]
    positions = [[round(i * CELL / PARTS - SIDE / 2, 3), 0, round(j * CELL / PARTS - SIDE / 2, 3)]
                 for i, j in places]
    return {"shape": "points", "positions": positions, "lines": lines}, [
        number[i, j] for j in (0, last) for i in (0, last)]


def crate(n, extent, position, angle, spin):
    return {"name": f"crate {n + 1}", "shape": "box", "extent": extent, "position": position,
            "rotation": {"axis": [0, 1, 0], "angle": angle}, "angular_velocity": spin,
            "mass": "=mass", "colour": COLOURS[n]}


def post(n, x, z):
    place = SIDE / 2 + 0.02
    return {"name": f"post {n + 1}", "shape": "capsule", "radius": 0.03,
            "extent": [0, HEIGHT / 2, 0], "position": [x * place, HEIGHT / 2, z * place],
            "groups": [1], "colour": [0.35, 0.37, 0.4]}


def scene():
    mesh, corners = net()
    posts = [post(n, x, z) for n, (z, x) in enumerate((z, x) for z in (-1, 1) for x in (-1, 1))]
    return {
        "version": 1,
        "title": "A net that catches crates",
        "about": "Four crates, rigid bodies, fall into a net of ropes between four posts: corners "
                 "go through its holes, it sags under their weight, and they lie in it together.",
        "parameters": {
            "mass": {"value": 6, "unit": "kg", "meaning": "of each crate", "least": 0.5,
                     "most": 20},
            "young": {"value": 1e8, "unit": "Pa", "meaning": "Young's modulus of the ropes",
                      "least": 1e6, "most": 1e10},
            "substeps": {"value": 80, "meaning": "per frame", "least": 1, "most": 1000}},
        "run": {"frames": 240, "fps": 60, "picture_at": 3},
        "settings": {"substeps": "=substeps", "damping": 0.3},
        "meshes": {"net": mesh},
        "bodies": [{
            "name": "net", "mesh": "net",
            "material": {"kind": "rope", "radius": 0.006, "density": 900, "young": "=young",
                         "damping": 0.003, "slack": "yes", "length": 1.08},
            "position": [0, HEIGHT, 0], "pins": corners, "collide": "others",
            "colour": [0.16, 0.36, 0.5]}],
        "colliders": [{"name": "floor", "shape": "plane"}]
        + [crate(n, *values) for n, values in enumerate(CRATES)] + posts,
        "measure": [{"name": f"crate {n + 1}", "nodes": f"crate {n + 1}", "quantity": "position"}
                    for n in range(len(CRATES))],
        "cameras": {"main": {"eye": [0.5, 1.9, 4.0], "target": [0, 0.8, 0],
                             "field_of_view": 0.6}},
    }


def text(value, depth=0):
    """A line for what fits in one, as scenes are written."""
    line = json.dumps(value)
    if depth > 2 or not isinstance(value, (dict, list)) or depth and len(line) < 140:
        return line
    space = "  " * (depth + 1)
    if isinstance(value, list):
        inner, ends = [text(item, depth + 1) for item in value], "[]"
    else:
        inner, ends = [f"{json.dumps(k)}: {text(v, depth + 1)}" for k, v in value.items()], "{}"
    return ends[0] + "\n" + ",\n".join(space + item for item in inner) + "\n" + space[2:] + ends[1]


if __name__ == "__main__":
    target = os.path.join(os.path.dirname(os.path.abspath(__file__)), "net_crates.json")
    with open(target, "w", encoding="utf-8") as file:
        file.write(text(scene()) + "\n")

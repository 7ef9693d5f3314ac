#!/usr/bin/env python3
"""Makes scenes/mail.json: rings of steel in a square, and rings of brass that hold each to its
neighbours.

    scenes/mail.py

A ring is a node that carries capsules, the sides of a polygon: those of two rings touch wherever
along their axes they are closest.
"""

import json
import math
import os

RINGS, SPACING, HEIGHT = 5, 0.245, 0.86  # along a side; m
STEEL = {"radius": 0.1, "wire": 0.012, "sides": 8, "colour": [0.62, 0.65, 0.7]}
BRASS = {"radius": 0.06, "wire": 0.01, "sides": 6, "colour": [0.78, 0.6, 0.28]}
DENSITY = 7800


def rounded(values, digits):
    return [round(value, digits) + 0 for value in values]


def turn(axis, angle):
    return [part * math.sin(angle / 2) for part in axis] + [math.cos(angle / 2)]


def product(a, b):
    return [a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
            a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
            a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
            a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]]


def turned(q, v):
    back = [-q[0], -q[1], -q[2], q[3]]
    return product(product(q, [*v, 0]), back)[:3]


def ring(name, position, rotation, kind):
    """The node, with the inertia of a thin ring about y, and its capsules."""
    radius, wire, sides = kind["radius"], kind["wire"], kind["sides"]
    side = 2 * radius * math.tan(math.pi / sides)
    mass = DENSITY * math.pi * wire**2 * side * sides
    about, across = mass * radius**2, mass * (radius**2 / 2 + 5 / 8 * wire**2)
    node = {"name": name, "position": rounded(position, 6), "mass": round(mass, 6),
            "oriented": True, "orientation": rounded(rotation, 7),
            "inverse_inertia": rounded([1 / across, 1 / about, 1 / across], 3)}
    capsules = []
    for k in range(sides):
        angle = 2 * math.pi * (k + 0.5) / sides
        out = [math.cos(angle), 0, math.sin(angle)]
        arm = turned(rotation, [radius * part for part in out])
        capsules.append({"name": f"{name} {k + 1}", "shape": "capsule", "radius": wire,
                         "extent": [0, round(side / 2, 6), 0],
                         "position": rounded([p + a for p, a in zip(position, arm)], 6),
                         "rotation": rounded(product(rotation, turn(out, math.pi / 2)), 7),
                         "carrier": name, "static_friction": 0.2, "colour": kind["colour"],
                         "roughness": 0.3, "sheen": 0})
    return node, capsules


def all_rings():
    places = [(i, j, SPACING * (i - (RINGS - 1) / 2), SPACING * (j - (RINGS - 1) / 2))
              for i in range(RINGS) for j in range(RINGS)]
    for i, j, x, z in places:
        yield ring(f"ring {i + 1} {j + 1}", [x, HEIGHT, z], turn([0, 1, 0], 0), STEEL)
    for i, j, x, z in places:
        if i + 1 < RINGS:
            yield ring(f"along {i + 1} {j + 1}", [x + SPACING / 2, HEIGHT, z],
                       turn([1, 0, 0], math.pi / 2), BRASS)
        if j + 1 < RINGS:
            yield ring(f"across {i + 1} {j + 1}", [x, HEIGHT, z + SPACING / 2],
                       turn([0, 0, 1], math.pi / 2), BRASS)


def lines(items):
    return "[\n" + ",\n".join("    " + json.dumps(item) for item in items) + "\n  ]"


def main():
    rings = list(all_rings())
    colliders = [{"name": "floor", "shape": "plane"},
                 {"name": "ball", "shape": "sphere", "radius": 0.4, "position": [0, 0.4, 0],
                  "static_friction": 0.3, "colour": [0.45, 0.16, 0.14]}]
    parts = {
        "version": "1",
        "title": json.dumps("Chain mail"),
        "about": json.dumps(
            "Rings that hang in each other, and nothing else, fall on a ball. Small ones of brass "
            "hold large ones of steel; each is a node that carries capsules."),
        "run": json.dumps({"frames": 120, "fps": 60, "picture_at": 0.8}),
        "settings": json.dumps({"substeps": 20}),
        "nodes": lines(node for node, _ in rings),
        "colliders": lines(colliders + [one for _, capsules in rings for one in capsules]),
        "measure": lines([{"name": "middle", "nodes": "ring 3 3"},
                          {"name": "corner", "nodes": "ring 1 1"}]),
        "cameras": json.dumps({"main": {"eye": [1.1, 1.25, 1.6], "target": [0, 0.45, 0],
                                        "field_of_view": 0.62}}),
    }
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mail.json")
    with open(path, "w", encoding="utf-8") as file:
        text = ",\n".join(f'  "{key}": {part}' for key, part in parts.items())
        file.write("{\n" + text + "\n}\n")


if __name__ == "__main__":
    main()

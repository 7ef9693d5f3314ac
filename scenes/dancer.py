#!/usr/bin/env python3
"""Makes scenes/dancer.glb: a figure of capsules with a skeleton, who steps, turns once and stops.

    dancer.py FILE.glb

The surface is where a smooth union of rounded cones is 0, with a vertex in every cell of a grid
that it passes (surface nets); each vertex hangs on the bones that are near it.
"""

import json
import math
import struct
import sys

CELL = 0.022  # m
FPS = 30  # keys per second

# Name, parent, place (m), and the cones that belong to it: ends and radii.
BONES = [
    ("hips", None, (0, 0.94, 0)),
    ("spine", "hips", (0, 1.06, 0)),
    ("chest", "spine", (0, 1.2, 0)),
    ("neck", "chest", (0, 1.42, 0)),
    ("head", "neck", (0, 1.52, 0)),
]
CONES = [
    ("hips", (-0.07, 0.93, 0), (0.07, 0.93, 0), 0.105, 0.105),
    ("spine", (0, 0.98, 0), (0, 1.12, 0), 0.1, 0.098),
    ("chest", (-0.055, 1.2, 0), (0.055, 1.2, 0), 0.1, 0.1),
    ("chest", (-0.1, 1.335, -0.01), (0.1, 1.335, -0.01), 0.062, 0.062),
    ("neck", (0, 1.36, -0.01), (0, 1.5, 0), 0.05, 0.046),
    ("head", (0, 1.56, 0.01), (0, 1.63, 0), 0.078, 0.092),
]
for side, sign in (("left", 1), ("right", -1)):
    shoulder, elbow = (0.155, 1.345, -0.01), (0.385, 1.2, -0.01)
    wrist, hand = (0.585, 1.06, 0.01), (0.65, 1.01, 0.02)
    hip, knee = (0.092, 0.9, 0), (0.108, 0.5, 0.005)
    ankle, toe = (0.118, 0.09, -0.01), (0.13, 0.045, 0.12)
    place = lambda p: (sign * p[0], p[1], p[2])
    BONES += [
        (f"upper_arm_{side}", "chest", place(shoulder)),
        (f"lower_arm_{side}", f"upper_arm_{side}", place(elbow)),
        (f"thigh_{side}", "hips", place(hip)),
        (f"shin_{side}", f"thigh_{side}", place(knee)),
        (f"foot_{side}", f"shin_{side}", place(ankle)),
    ]
    CONES += [
        (f"upper_arm_{side}", place(shoulder), place(elbow), 0.052, 0.041),
        (f"lower_arm_{side}", place(elbow), place(wrist), 0.041, 0.03),
        (f"lower_arm_{side}", place(wrist), place(hand), 0.032, 0.03),
        (f"thigh_{side}", place(hip), place(knee), 0.082, 0.056),
        (f"shin_{side}", place(knee), place(ankle), 0.054, 0.038),
        (f"foot_{side}", place(ankle), place(toe), 0.042, 0.035),
    ]
INDEX = {bone[0]: i for i, bone in enumerate(BONES)}


def cone_distance(p, a, b, ra, rb):
    """To a capsule whose radius goes from one end to the other."""
    ab = [b[k] - a[k] for k in range(3)]
    ap = [p[k] - a[k] for k in range(3)]
    t = sum(ab[k] * ap[k] for k in range(3)) / sum(c * c for c in ab)
    t = min(1, max(0, t))
    return math.dist(p, [a[k] + t * ab[k] for k in range(3)]) - (ra + t * (rb - ra))


def distance(p):
    """The smooth union of all; of cones beyond 0.15 m nothing is seen."""
    total, nearest = 0.0, 1e9
    values = []
    for _, a, b, ra, rb in CONES:
        d = cone_distance(p, a, b, ra, rb)
        nearest = min(nearest, d)
        values.append(d)
    width = 0.014
    for d in values:
        if d - nearest < 12 * width:
            total += math.exp((nearest - d) / width)
    return nearest - width * math.log(total)


def gradient(p):
    h = 1e-4
    g = []
    for k in range(3):
        q, r = list(p), list(p)
        q[k] += h
        r[k] -= h
        g.append((distance(q) - distance(r)) / (2 * h))
    length = math.hypot(*g)
    return [c / length for c in g]


def make_surface():
    low, high = (-0.72, -0.02, -0.2), (0.72, 1.76, 0.24)
    n = [int((high[k] - low[k]) / CELL) + 1 for k in range(3)]
    at = lambda i, j, k: (low[0] + i * CELL, low[1] + j * CELL, low[2] + k * CELL)
    field = {}
    for i in range(n[0] + 1):
        for j in range(n[1] + 1):
            for k in range(n[2] + 1):
                field[i, j, k] = distance(at(i, j, k))
    numbers, points, quads = {}, [], []
    for i in range(n[0]):
        for j in range(n[1]):
            for k in range(n[2]):
                corners = [(i + a, j + b, k + c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
                inside = [field[c] < 0 for c in corners]
                if any(inside) and not all(inside):
                    numbers[i, j, k] = len(points)
                    points.append(list(at(i + 0.5, j + 0.5, k + 0.5)))
    for i in range(1, n[0]):
        for j in range(1, n[1]):
            for k in range(1, n[2]):
                here = field[i, j, k] < 0
                for axis in range(3):
                    other = [i, j, k]
                    other[axis] += 1
                    there = field[tuple(other)] < 0
                    if here == there:
                        continue
                    u, v = (axis + 1) % 3, (axis + 2) % 3
                    cells = []
                    for du, dv in ((-1, -1), (0, -1), (0, 0), (-1, 0)):
                        cell = [i, j, k]
                        cell[u] += du
                        cell[v] += dv
                        cells.append(numbers[tuple(cell)])
                    quads.append(cells if here else cells[::-1])
    return points, quads


def relax(points, quads):
    """Even triangles on the surface: towards the middle of the neighbours, and back onto it."""
    neighbours = [set() for _ in points]
    for q in quads:
        for k in range(4):
            neighbours[q[k]].add(q[(k + 1) % 4])
            neighbours[q[(k + 1) % 4]].add(q[k])
    for _ in range(12):
        moved = []
        for i, p in enumerate(points):
            mean = [sum(points[j][k] for j in neighbours[i]) / len(neighbours[i]) for k in range(3)]
            moved.append([0.5 * (p[k] + mean[k]) for k in range(3)])
        for p in moved:
            g, d = gradient(p), distance(p)
            for k in range(3):
                p[k] -= d * g[k]
        points = moved
    return points


def weights_of(p):
    near = {}
    for name, a, b, ra, rb in CONES:
        d = max(0.002, cone_distance(p, a, b, 0.5 * ra, 0.5 * rb))
        near[INDEX[name]] = max(near.get(INDEX[name], 0), d**-6)
    best = sorted(near.items(), key=lambda item: -item[1])[:4]
    total = sum(w for _, w in best)
    values = [round(255 * w / total) for _, w in best]
    values[0] += 255 - sum(values)
    return [i for i, _ in best], values


def smooth(t, begin, end):
    """0 before, 1 after, and flat at both, twice."""
    s = min(1, max(0, (t - begin) / (end - begin)))
    return s * s * s * (s * (6 * s - 15) + 10)


def pulse(t, begin, end):
    """0 at both ends, 1 in the middle."""
    s = min(1, max(0, (t - begin) / (end - begin)))
    return 0.5 - 0.5 * math.cos(2 * math.pi * s)


def turn(axis, angle):
    half = math.radians(angle) / 2
    return [math.sin(half) * (axis == k) for k in "xyz"] + [math.cos(half)]


def product(p, q):
    (a, b, c, d), (e, f, g, h) = p, q
    return [
        d * e + a * h + b * g - c * f,
        d * f - a * g + b * h + c * e,
        d * g + a * f - b * e + c * h,
        d * h - a * e - b * f - c * g,
    ]


def pose(t):
    """Rotations of bones at a time, and where the hips are."""
    turned = 360 * smooth(t, 1.9, 3.7)
    lean, arms = pulse(t, 1.9, 3.7), smooth(t, 1.7, 2.5) - smooth(t, 3.1, 3.9)
    step = [pulse(t, 1.2, 1.7), pulse(t, 1.6, 2.1)]
    sway = step[0] - step[1]
    rotations = {
        "hips": product(turn("y", turned), turn("z", 4 * sway)),
        "spine": product(
            turn("y", -12 * pulse(t, 1.7, 2.7) + 8 * pulse(t, 2.9, 3.9)), turn("z", -4 * sway)
        ),
        "chest": product(turn("x", 4 * lean), turn("y", -8 * pulse(t, 1.7, 2.7))),
        "head": turn("y", 20 * pulse(t, 2.2, 2.9) - 15 * pulse(t, 2.9, 3.6)),
    }
    for side, sign, k in (("left", 1, 0), ("right", -1, 1)):
        rotations[f"upper_arm_{side}"] = turn("z", sign * 12 * arms)
        rotations[f"lower_arm_{side}"] = turn("y", -sign * 20 * arms)
        rotations[f"thigh_{side}"] = product(turn("x", -16 * step[k]), turn("z", -4 * sway))
        rotations[f"shin_{side}"] = turn("x", 24 * step[k])
    shift = [0.012 * sway, -0.006 * (step[0] + step[1]), 0]
    return rotations, shift


class Buffer:
    def __init__(self):
        self.bytes, self.views, self.accessors = bytearray(), [], []

    def add(self, kind, component, rows, **more):
        letter = {5126: "f", 5121: "B", 5123: "H"}[component]
        flat = [x for row in rows for x in (row if isinstance(row, (list, tuple)) else [row])]
        data = struct.pack(f"<{len(flat)}{letter}", *flat)
        self.views.append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data)})
        self.bytes += data + b"\0" * (-len(data) % 4)
        accessor = {"bufferView": len(self.views) - 1, "componentType": component}
        self.accessors.append({**accessor, "count": len(rows), "type": kind, **more})
        return len(self.accessors) - 1


def add_animation(buffer):
    times = [i / FPS for i in range(4 * FPS + 1)]
    poses = [pose(t) for t in times]
    clock = buffer.add("SCALAR", 5126, times, min=[0], max=[times[-1]])
    hips = BONES[0][2]
    places = buffer.add("VEC3", 5126, [[hips[k] + s[k] for k in range(3)] for _, s in poses])
    samplers = [{"input": clock, "output": places}]
    channels = [{"sampler": 0, "target": {"node": 1, "path": "translation"}}]
    for name in poses[0][0]:
        target = {"node": INDEX[name] + 1, "path": "rotation"}
        channels.append({"sampler": len(samplers), "target": target})
        turns = buffer.add("VEC4", 5126, [r[name] for r, _ in poses])
        samplers.append({"input": clock, "output": turns})
    return {"name": "turn", "channels": channels, "samplers": samplers}


def make_nodes():
    nodes = [{"name": "dancer", "mesh": 0, "skin": 0}]
    for name, parent, p in BONES:
        base = BONES[INDEX[parent]][2] if parent else (0, 0, 0)
        node = {"name": name, "translation": [p[k] - base[k] for k in range(3)]}
        children = [INDEX[other] + 1 for other, above, _ in BONES if above == name]
        if children:
            node["children"] = children
        nodes.append(node)
    return nodes


def add_mesh(buffer, points, quads):
    triangles = []
    for a, b, c, d in quads:
        shorter = math.dist(points[a], points[c]) <= math.dist(points[b], points[d])
        triangles += [(a, b, c), (a, c, d)] if shorter else [(a, b, d), (b, c, d)]
    joints, weights = zip(*(weights_of(p) for p in points))
    low = [min(p[k] for p in points) for k in range(3)]
    high = [max(p[k] for p in points) for k in range(3)]
    attributes = {
        "POSITION": buffer.add("VEC3", 5126, points, min=low, max=high),
        "JOINTS_0": buffer.add("VEC4", 5121, joints),
        "WEIGHTS_0": buffer.add("VEC4", 5121, weights, normalized=True),
    }
    indices = buffer.add("SCALAR", 5123, [i for t in triangles for i in t])
    print(f"{len(points)} vertices, {len(triangles)} triangles")
    return {"name": "dancer", "primitives": [{"attributes": attributes, "indices": indices}]}


def main(path):
    points, quads = make_surface()
    buffer = Buffer()
    mesh = add_mesh(buffer, relax(points, quads), quads)
    inverse = [[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -p[0], -p[1], -p[2], 1] for _, _, p in BONES]
    skin = {
        "joints": list(range(1, len(BONES) + 1)),
        "inverseBindMatrices": buffer.add("MAT4", 5126, inverse),
    }
    document = {
        "asset": {"version": "2.0", "generator": "scenes/dancer.py"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": make_nodes(),
        "meshes": [mesh],
        "skins": [skin],
        "animations": [add_animation(buffer)],
        "accessors": buffer.accessors,
        "bufferViews": buffer.views,
        "buffers": [{"byteLength": len(buffer.bytes)}],
    }
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    size = 28 + len(text) + len(buffer.bytes)
    with open(path, "wb") as file:
        file.write(struct.pack("<4sIIII", b"glTF", 2, size, len(text), 0x4E4F534A))
        file.write(text + struct.pack("<II", len(buffer.bytes), 0x004E4942) + buffer.bytes)


main(sys.argv[1])

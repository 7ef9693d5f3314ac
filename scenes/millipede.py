#!/usr/bin/env python3
"""Makes scenes/millipede.json: 21 segments and 120 legs of two parts, 261 rigid bodies; 20 joints
of the spine with 4 limits each and 240 hinges of legs, 340 constraints; and a motor on each hinge.

    scenes/millipede.py

As many as the millipede of the survey of 2017 has (Bender, Mueller and Macklin, figure 23).
"""

import json
import os

SEGMENTS, LEGS = 21, 6  # legs of all segments but the head
SPACING, HEIGHT = 0.15, 0.062


def vector(*values):
    return [round(value, 4) for value in values]


def body(name, shape, position, density, colour, **more):
    return {"name": name, "shape": shape, "position": position, **more, "density": density,
            "group": 1, "groups": [2], "colour": colour}


def segment(i):
    """A box of the body, and its joint to the one before: bends up and down and to both sides."""
    x = -SPACING * i
    name = f"segment {i}"
    colour = [0.45, 0.2, 0.12] if i else [0.6, 0.3, 0.1]
    box = body(name, "box", vector(x, HEIGHT, 0), 300, colour, extent=[0.068, 0.026, 0.05])
    if i == 0:
        return [box], []
    nodes = [f"segment {i - 1}", name]
    spine = [{"name": f"spine {i}", "type": "ball_joint", "nodes": nodes,
              "anchor_0": vector(-SPACING / 2, 0, 0)}]
    for axis, most in ((vector(0, 1, 0), 0.12), (vector(0, 0, 1), 0.08)):
        for side, sign in (("at_least", -1), ("at_most", 1)):
            spine.append({"type": "turn_drive", "nodes": nodes, "axis": axis, "side": side,
                          "target": sign * most, "compliance": 0.001})
    return [box], spine


def leg(i, k):
    """Two parts: the upper one swings to and fro, the lower one lifts its foot."""
    side = 1 if k % 2 else -1
    along = (k // 2 - 1) * 0.045
    x, z = -SPACING * i + along, 0.05 * side
    upper, lower = f"upper {i}-{k}", f"lower {i}-{k}"
    parts = [
        body(upper, "box", vector(x, HEIGHT, z + 0.03 * side), 900, [0.75, 0.5, 0.2],
             extent=[0.006, 0.006, 0.032]),
        body(lower, "box", vector(x, HEIGHT - 0.028, z + 0.062 * side), 900, [0.8, 0.6, 0.3],
             extent=[0.006, 0.034, 0.006])]
    # A wave runs along the body, and opposite legs take turns. They begin to stride out within half
    # a second: drives that are elsewhere at once throw what they drive.
    phase = round(0.35 * (3 * i + k // 2) + (3.1416 if side > 0 else 0), 4)
    segment_name = f"segment {i}"
    swing = {"nodes": [segment_name, upper], "axis": [0, side, 0]}
    lift = {"nodes": [upper, lower], "axis": [side, 0, 0]}
    joints = [
        {"type": "hinge_joint", **swing, "anchor_0": vector(along, 0, z)},
        {"type": "hinge_joint", **lift, "anchor_0": vector(0, 0, 0.032 * side)}]
    motors = [
        {"type": "turn_drive", **swing,
         "target": f"=min(1, 2 * t) * stride * cos(pace * t + {phase})",
         "compliance": 0.1, "damping": 0.02},
        {"type": "turn_drive", **lift,
         "target": f"=-min(1, 2 * t) * lift * max(0, -sin(pace * t + {phase}))",
         "compliance": 0.1, "damping": 0.02}]
    return parts, joints, motors


def stone(i, x, z, height):
    return {"name": f"stone {i}", "shape": "box", "extent": vector(0.12, height, 0.3),
            "position": vector(x, height, z), "static_friction": 1, "colour": [0.5, 0.52, 0.55]}


def parameter(value, unit, meaning, most):
    return {"value": value, "unit": unit, "meaning": meaning, "least": 0, "most": most}


def main():
    bodies, constraints, motors = [], [], []
    for i in range(SEGMENTS):
        boxes, spine = segment(i)
        bodies += boxes
        constraints += spine
    for i in range(1, SEGMENTS):
        for k in range(LEGS):
            parts, joints, drives = leg(i, k)
            bodies += parts
            constraints += joints
            motors += drives
    assert (len(bodies), len(constraints), len(motors)) == (261, 340, 240)
    ground = [{"name": "floor", "shape": "plane", "static_friction": 1},
              stone(1, 0.22, 0, 0.006), stone(2, 0.55, 0.1, 0.009), stone(3, 0.9, -0.05, 0.007)]
    scene = {
        "version": 1,
        "title": "A millipede",
        "about": "261 rigid bodies, 340 constraints and 240 motors walk over stones, as in the "
                 "survey of 2017; scenes/millipede.py makes the file.",
        "parameters": {
            "pace": parameter(12, "rad/s", "of the legs", 40),
            "stride": parameter(0.6, "rad", "how far legs swing either way", 1),
            "lift": parameter(0.9, "rad", "how far feet are lifted", 1)},
        "run": {"frames": 360, "fps": 60},
        "settings": {"substeps": 20},
        "colliders": ground + bodies,
        "constraints": constraints + motors,
        "measure": [{"name": "head", "nodes": "segment 0", "quantity": "position"}],
        "cameras": {"main": {"eye": [1.9, 0.8, 1.15], "target": [-0.1, 0, -0.2],
                             "field_of_view": 0.5}}}
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "millipede.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write("{\n")
        for n, (key, value) in enumerate(scene.items()):
            end = ",\n" if n + 1 < len(scene) else "\n"
            if isinstance(value, list):
                lines = ",\n    ".join(json.dumps(item) for item in value)
                file.write(f'  "{key}": [\n    {lines}\n  ]{end}')
            else:
                file.write(f'  "{key}": {json.dumps(value)}{end}')
        file.write("}\n")


if __name__ == "__main__":
    main()

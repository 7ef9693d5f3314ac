"""Force fields of Blender as effectors of a scene file.

A field is looked at in every frame; what changes becomes keys. Strengths are accelerations, in
N/kg, as those of Blender are for particles of 1 kg.
"""

import math
import random

from mathutils import Vector

KINDS = {
    "FORCE": "radial",
    "WIND": "directional",
    "VORTEX": "vortex",
    "TURBULENCE": "turbulence",
    "DRAG": "drag",
    "HARMONIC": "harmonic",
}
SHAPES = {"POINT": "point", "LINE": "line", "PLANE": "plane"}
# A force that falls with the square of the distance is that of a ball of this radius, at least.
BALL = 0.1


def has_field(o):
    return o.field is not None and o.field.type != "NONE"


def is_plain_wind(field):
    """Wind that is the same everywhere is air that moves; cloth feels it by its area."""
    return field.type == "WIND" and field.falloff_power == 0 and not field.use_max_distance


def turns_at_speed(field):
    """Whether a vortex brings what it meets to its own speed, and holds it on its way round."""
    return field.type == "VORTEX" and field.shape != "POINT"


def look(o):
    """The numbers of a field in a frame, as an effector has them."""
    field, matrix = o.field, o.matrix_world
    axis = (matrix.to_quaternion() @ Vector((0, 0, 1))).normalized()
    seen = {
        "position": [float(c) for c in matrix.translation],
        "axis": [float(c) for c in axis],
        "strength": field.strength,
        "falloff": field.falloff_power,
        "min_distance": field.distance_min if field.use_min_distance else 0,
        "linear_drag": field.flow,
    }
    if field.use_max_distance:
        seen["max_distance"] = max(field.distance_max, seen["min_distance"])
    if field.type == "DRAG":
        seen["strength"] = 0
        seen["linear_drag"], seen["quadratic_drag"] = field.linear_drag, field.quadratic_drag
    if field.type == "HARMONIC":
        seen["rest_length"] = field.rest_length
        seen["linear_drag"] = 2 * field.harmonic_damping * math.sqrt(abs(field.strength))
    if turns_at_speed(field):
        seen["linear_drag"] += 1
    if field.type == "TURBULENCE":
        seen["eddy_size"] = field.size or 1
    if field.type == "FORCE" and field.use_gravity_falloff:
        ball = max(seen["min_distance"], BALL)
        seen.update(falloff=2, min_distance=ball, falloff_length=ball)
        seen["strength"] /= ball * ball
    return seen


def inward(seen):
    """What keeps a motion round the axis that a vortex has brought to its speed."""
    return {**seen, "strength": seen["strength"] ** 2, "linear_drag": 0}


def keyed(frames, fps):
    """A value, or keys where it changes."""
    if all(value == frames[0] for value in frames):
        return frames[0]
    return {"keys": [{"time": i / fps, "value": value} for i, value in enumerate(frames)]}


class ForceFields:
    """The fields of a scene in the making; `warnings` name what has no equal."""

    def __init__(self, scene, warnings):
        self.objects = [o for o in scene.objects if has_field(o)]
        self.warnings = warnings
        self.seen = {o.name: [] for o in self.objects}

    def watch(self, graph):
        for o in self.objects:
            self.seen[o.name].append(look(o.evaluated_get(graph)))

    def wind(self):
        """The velocity of the air, m/s, which is that of all plain winds together, in every frame;
        or None."""
        frames = None
        for o in self.objects:
            if not is_plain_wind(o.field):
                continue
            blown = [Vector(s["axis"]) * s["strength"] for s in self.noisy(o)]
            frames = [a + b for a, b in zip(frames, blown)] if frames else blown
        return [list(v) for v in frames] if frames else None

    def effectors(self, fps):
        made = []
        for o in self.objects:
            if is_plain_wind(o.field):
                continue
            if o.field.type not in KINDS:
                known = ", ".join(sorted(KINDS))
                self.warnings.append(
                    f'the force field "{o.name}" is a {o.field.type}; Sinew has {known}'
                )
                continue
            self.warn(o)
            made.append(self.effector(o, KINDS[o.field.type], self.noisy(o), fps))
            if turns_at_speed(o.field):
                pull = [inward(s) for s in self.seen[o.name]]
                made.append({**self.effector(o, "harmonic", pull, fps), "shape": "line"})
        return made

    def effector(self, o, kind, frames, fps):
        names = [name for name in frames[0] if any(f[name] != 0 for f in frames)]
        return {
            "kind": kind,
            "shape": SHAPES.get(o.field.shape, "point"),
            **{name: keyed([f[name] for f in frames], fps) for name in names},
        }

    def noisy(self, o):
        """With strengths that differ from frame to frame, by the seed of the field."""
        noise, numbers = o.field.noise, random.Random(o.field.seed)
        if noise == 0:
            return self.seen[o.name]
        return [
            {**s, "strength": s["strength"] + noise * numbers.uniform(-1, 1)}
            for s in self.seen[o.name]
        ]

    def warn(self, o):
        field = o.field
        said = [
            (field.shape not in SHAPES, f"its shape is {field.shape}, taken for POINT"),
            (field.falloff_type != "SPHERE", f"its falloff is a {field.falloff_type}, not SPHERE"),
            (field.z_direction != "BOTH", f"it acts in both directions, not {field.z_direction}"),
            (field.use_absorption, "nothing absorbs it"),
            (
                field.use_gravity_falloff and field.falloff_power != 0,
                "it falls with the square of the distance alone",
            ),
        ]
        for holds, sentence in said:
            if holds:
                self.warnings.append(f'the force field "{o.name}": {sentence}')

"""Ten scenes of reasonable cloth, for strain.py: what is asked of cloth every day, with default
settings, as small as shows it, with edges of any length."""

import math


def sheet(edge, width=1.0, depth=1.0):
    return {"shape": "sheet", "width": width, "depth": depth, "edge_length": edge}


def cloth(mesh, material="cotton", height=1.0, **more):
    return {"name": "cloth", "mesh": mesh, "material": material, "position": [0, height, 0], **more}


def turns(axis, end, rate, way=(0, 0, 0)):
    """Keys of a motion that turns the faster the longer, at this rate in rad/s on average, a radian
    from key to key."""
    keys = []
    for i in range(round(end * rate) + 1):
        share = i / (end * rate)
        keys.append(
            {
                "time": end * math.sqrt(share),
                "position": [share * x for x in way],
                "rotation": {"axis": axis, "angle": i},
            }
        )
    return keys


UPRIGHT = {"axis": [1, 0, 0], "angle": "=pi / 2"}
FLOOR = {"name": "floor", "shape": "plane"}


def weighted(edge):
    """Held by two corners, with half a kilogram on a third."""
    return {
        "nodes": [{"name": "weight", "position": [0.5, 0.97, 0.5], "mass": 0.5, "radius": 0.03}],
        "bodies": [cloth(sheet(edge), pins=["corner_0", "corner_1"])],
        "constraints": [
            {"type": "distance", "side": "at_most", "nodes": ["cloth.corner_3", "weight"]}
        ],
    }


def worn(edge):
    """A round cloth that falls on a figure."""
    return {
        "bodies": [
            cloth(
                {"shape": "disc", "radius": 0.6, "edge_length": edge}, "wool", 1.75, collide="all"
            )
        ],
        "colliders": [
            {"name": "head", "shape": "sphere", "radius": 0.12, "position": [0, 1.6, 0]},
            {
                "name": "shoulders",
                "shape": "capsule",
                "radius": 0.08,
                "extent": [0, 0.2, 0],
                "position": [0, 1.35, 0],
                "rotation": {"axis": [0, 0, 1], "angle": "=pi / 2"},
            },
        ],
    }


def blown(edge):
    """Held along its upper edge, in a wind that comes and goes."""
    return {
        "settings": {"air_density": 1.2, "wind": [0, 0, "=6 * sin(3 * t)"]},
        "bodies": [cloth(sheet(edge, 1, 1.4), "silk", 1, rotation=UPRIGHT, pins="back")],
    }


def flown(edge):
    """Held along one side, in a strong wind."""
    return {
        "settings": {"air_density": 1.2, "wind": [14, 0, 1], "gust_strength": 2, "gust_length": 2},
        "bodies": [cloth(sheet(edge, 1.2, 0.8), "silk", 2, rotation=UPRIGHT, pins="left")],
    }


def on_a_rope(edge):
    """A towel that falls over a clothes-line."""
    return {
        "meshes": {
            "line": {"shape": "rope", "start": [-0.8, 1, 0], "end": [0.8, 1, 0], "segments": 40}
        },
        "bodies": [
            cloth(sheet(edge, 0.5, 1.0), "wool", 1.04, collide="others"),
            {
                "name": "line",
                "mesh": "line",
                "material": {"kind": "rope", "preset": "hemp"},
                "pins": ["start", "end"],
                "collide": "others",
            },
        ],
    }


def stretched(edge):
    """Held by four corners over a ball, which is pushed up into it."""
    corners = ["corner_0", "corner_1", "corner_2", "corner_3"]
    return {
        "bodies": [cloth(sheet(edge), "cotton", 1, pins=corners, collide="others")],
        "colliders": [{"name": "ball", "shape": "sphere", "radius": 0.2, "position": [0, 0.6, 0]}],
        "motions": [
            {
                "colliders": ["ball"],
                "interpolation": "smooth",
                "keys": [{"time": 0}, {"time": 0.5, "position": [0, 0.2, 0]}],
            }
        ],
    }


def twisted(edge):
    """Held at both ends, of which one goes round and comes nearer."""
    return {
        "bodies": [
            cloth(sheet(edge, 1.0, 0.5), "cotton", 1, pins=["left", "right"], collide="all")
        ],
        "motions": [
            {
                "nodes": "cloth.right",
                "pivot": [0.5, 1, 0],
                "keys": turns([1, 0, 0], 1, 4, (-0.25, 0, 0)),
            }
        ],
    }


def pulled(edge):
    """Drawn off a table by its edge, with friction, at 5 m/s."""
    return {
        "bodies": [cloth(sheet(edge, 0.8, 0.8), "cotton", 0.76, pins="front", collide="others")],
        "colliders": [
            {
                "name": "table",
                "shape": "box",
                "extent": [0.6, 0.02, 0.4],
                "position": [0, 0.735, 0],
                "static_friction": 0.5,
                "dynamic_friction": 0.4,
            }
        ],
        "motions": [
            {
                "nodes": "cloth.front",
                "keys": [{"time": 0}, {"time": 0.25}, {"time": 0.5, "position": [0, 0, 1.25]}],
            }
        ],
    }


def turning(edge):
    """A skirt: a ring that spins about its axis, held by its inner edge."""
    waist = {"sphere": {"centre": [0, 1, 0], "radius": 0.13}}
    return {
        "bodies": [
            cloth({"shape": "disc", "radius": 0.55, "edge_length": edge}, "wool", 1, pins=waist)
        ],
        "motions": [
            {
                "nodes": {"body": "cloth", **waist},
                "pivot": [0, 1, 0],
                "keys": turns([0, 1, 0], 2, 4),
            }
        ],
    }


def catching(edge):
    """Denim, held by two sides, into which a ball of 2 kg falls."""
    return {
        "bodies": [cloth(sheet(edge), "denim", 1, pins=["left", "right"], collide="others")],
        "colliders": [
            FLOOR,
            {
                "name": "ball",
                "shape": "sphere",
                "radius": 0.12,
                "position": [0, 1.3, 0],
                "mass": 2,
            },
        ],
    }


ALL = (
    weighted,
    worn,
    blown,
    flown,
    on_a_rope,
    stretched,
    twisted,
    pulled,
    turning,
    catching,
)


def scene(make, edge):
    """A scene file with edges of a length in m."""
    said = {"version": 1, "title": make.__doc__, "run": {"frames": 60, "fps": 60}}
    return {**said, **make(edge)}

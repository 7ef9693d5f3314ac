"""Sinew in Blender: meshes become cloth, solids, ropes, rigid bodies, liquids and colliders, the
command `sinew` simulates them, and the motion comes back to the objects."""

bl_info = {
    "name": "Sinew",
    "description": "Cloth, solids, ropes, rigid bodies and liquids by position based dynamics",
    "blender": (3, 4, 0),
    "version": (1, 0, 0),
    "location": "Properties > Physics > Sinew",
    "category": "Physics",
}

from . import bake, panel, properties, results  # noqa: E402

PARTS = (properties, bake, panel, results)


def register():
    for part in PARTS:
        part.register()


def unregister():
    for part in reversed(PARTS):
        part.unregister()

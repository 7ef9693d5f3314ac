"""What is chosen per object and per scene."""

import bpy
from bpy.props import (
    BoolProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from . import command

ROLES = (
    ("NONE", "None", "Not simulated"),
    ("CLOTH", "Cloth", "Its faces resist stretch and bending"),
    ("SOLID", "Solid", "A closed surface that is filled with soft material"),
    ("ROPE", "Rope", "Edges without faces, which keep their lengths"),
    ("ROD", "Rod", "Edges without faces, which resist bending and twist"),
    ("RIGID", "Rigid body", "The convex hull of the mesh, which falls, tumbles and pushes"),
    ("FLUID", "Liquid", "A closed surface that is filled with a liquid"),
    ("COLLIDER", "Collider", "Moves as Blender animates it, and nothing enters it"),
)
# Of scene files, by role.
KINDS = {"CLOTH": "cloth", "SOLID": "solid", "ROPE": "rope", "ROD": "rod", "FLUID": "fluid"}
FIRST_PRESETS = {
    "CLOTH": "cotton",
    "SOLID": "rubber",
    "ROPE": "nylon",
    "ROD": "rubber",
    "FLUID": "water",
}
DEFORMING = ("CLOTH", "SOLID", "ROPE", "ROD")


def found_presets(self, context, text):
    try:
        presets = command.presets(bpy.context.scene.sinew.executable)
    except command.Failed:
        return []
    return [name for name in presets.get(KINDS.get(self.role), []) if text.lower() in name]


class SinewObject(bpy.types.PropertyGroup):
    role: EnumProperty(name="Role", items=ROLES, description="What Sinew makes of this object")
    preset: StringProperty(
        name="Preset",
        search=found_presets,
        description="Material; empty: " + ", ".join(FIRST_PRESETS.values()),
    )
    pins: StringProperty(
        name="Pins",
        description="Vertex group whose vertices are held, and move as " "Blender animates them",
    )
    collide: BoolProperty(
        name="Self-collision",
        default=True,
        description="Collides with itself as well as with the others",
    )
    penetration_free: BoolProperty(
        name="Penetration-free",
        description="Nothing that is penetration-free as well passes through it, at any speed; slower",
    )
    thickness: FloatProperty(
        name="Thickness",
        default=0,
        min=0,
        soft_max=0.05,
        precision=4,
        unit="LENGTH",
        description="How far its layers stay apart; 0: that of the preset",
    )
    tears: BoolProperty(name="Tears", description="Edges that are stretched too far come apart")
    tear_strain: FloatProperty(
        name="Tear strain",
        default=0.3,
        min=0.001,
        soft_max=2,
        description="Stretch of an edge above which the cloth tears",
    )
    spacing: FloatProperty(
        name="Spacing",
        default=0.05,
        min=1e-4,
        unit="LENGTH",
        description="Size of the elements or particles that fill the surface",
    )
    density: FloatProperty(
        name="Density", default=500, min=1e-3, description="Mass per volume, kg/m^3"
    )
    friction: FloatProperty(name="Friction", default=0.5, min=0, soft_max=1)

    def material(self):
        return self.preset or FIRST_PRESETS[self.role]


class SinewScene(bpy.types.PropertyGroup):
    executable: StringProperty(
        name="Command",
        subtype="FILE_PATH",
        default=command.find(),
        description="The program sinew: the one that came with the add-on, or another",
    )
    folder: StringProperty(
        name="Folder",
        subtype="DIR_PATH",
        default="//sinew",
        description="Where the scene file and the motion are kept",
    )
    quality: EnumProperty(
        name="Quality",
        default="normal",
        items=(
            ("draft", "Draft", "Half the substeps"),
            ("normal", "Normal", "As stiff as the materials"),
            ("fine", "Fine", "Twice the substeps"),
        ),
    )
    threads: IntProperty(name="Threads", default=0, min=0, max=256, description="0: one per core")


def register():
    bpy.utils.register_class(SinewObject)
    bpy.utils.register_class(SinewScene)
    bpy.types.Object.sinew = PointerProperty(type=SinewObject)
    bpy.types.Scene.sinew = PointerProperty(type=SinewScene)


def unregister():
    del bpy.types.Scene.sinew
    del bpy.types.Object.sinew
    bpy.utils.unregister_class(SinewScene)
    bpy.utils.unregister_class(SinewObject)

"""The panels, among those of physics."""

import bpy

from .properties import DEFORMING, KINDS


class SINEW_PT_object(bpy.types.Panel):
    bl_label = "Sinew"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "physics"

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type in {"MESH", "CURVE"}

    def draw(self, context):
        o = context.object
        chosen, role, layout = o.sinew, o.sinew.role, self.layout
        layout.use_property_split = True
        layout.prop(chosen, "role")
        if role in KINDS:
            layout.prop(chosen, "preset")
        if role in DEFORMING:
            layout.prop_search(chosen, "pins", o, "vertex_groups")
            layout.prop(chosen, "collide")
            layout.prop(chosen, "penetration_free")
        if role == "CLOTH":
            layout.prop(chosen, "thickness")
            layout.prop(chosen, "tears")
            if chosen.tears:
                layout.prop(chosen, "tear_strain")
        if role in ("SOLID", "FLUID"):
            layout.prop(chosen, "spacing")
        if role == "RIGID":
            layout.prop(chosen, "density")
        if role in ("RIGID", "COLLIDER"):
            layout.prop(chosen, "friction")


class SINEW_PT_bake(bpy.types.Panel):
    bl_label = "Simulation"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "physics"
    bl_parent_id = "SINEW_PT_object"

    def draw(self, context):
        chosen, layout = context.scene.sinew, self.layout
        layout.use_property_split = True
        for name in ("executable", "folder", "quality", "threads"):
            layout.prop(chosen, name)
        row = layout.row()
        row.operator("sinew.bake")
        row.operator("sinew.clear")
        layout.operator("sinew.export")


PANELS = (SINEW_PT_object, SINEW_PT_bake)


def register():
    for panel in PANELS:
        bpy.utils.register_class(panel)


def unregister():
    for panel in reversed(PANELS):
        bpy.utils.unregister_class(panel)

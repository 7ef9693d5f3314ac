"""Operators: simulate, write the scene file alone, take the motion back."""

import bpy

from . import command, results, scene_file
from .command import Failed


class Bake:
    """A simulation that goes on while Blender does."""

    def __init__(self, context):
        folder = scene_file.folder_of(context.scene)
        self.scene_file = scene_file.SceneFile(context, folder)
        self.scene_file.write()
        self.executable = bpy.path.abspath(context.scene.sinew.executable)
        self.out = folder / "out"
        self.run = command.Run(
            [
                self.executable,
                "run",
                str(self.scene_file.path),
                "--out",
                str(self.out),
                "--format",
                "cache,pc2",
                "--picture",
                "none",
                "--threads",
                str(context.scene.sinew.threads),
            ]
        )

    def share(self):
        return self.run.done / self.run.total if self.run.total else 0

    def finish(self):
        """Gives the objects their motion; warnings."""
        warnings = self.scene_file.warnings + self.run.finish()
        liquids = self.out / "liquid"
        if any(o.sinew.role == "FLUID" for o in self.scene_file.objects):
            command.Run(
                [
                    self.executable,
                    "convert",
                    str(self.out / "scene.snc"),
                    f"{liquids}.obj",
                    "--liquid",
                ]
            ).finish()
        results.apply(self.scene_file, self.out, liquids)
        return warnings


class SINEW_OT_bake(bpy.types.Operator):
    bl_idname = "sinew.bake"
    bl_label = "Bake"
    bl_description = "Simulate the frames of the scene, and give the objects their motion"

    bake = timer = None

    def execute(self, context):
        """Waits for the end: without a window, and when called by a script."""
        try:
            return self.done(Bake(context).finish())
        except Failed as failed:
            return self.failed(failed)

    def invoke(self, context, event):
        try:
            self.bake = Bake(context)
        except Failed as failed:
            return self.failed(failed)
        self.timer = context.window_manager.event_timer_add(0.1, window=context.window)
        context.window_manager.progress_begin(0, 100)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC":
            self.bake.run.stop()
            self.leave(context)
            self.report({"WARNING"}, "the simulation was stopped; nothing has changed")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        run = self.bake.run
        context.window_manager.progress_update(100 * self.bake.share())
        context.workspace.status_text_set(
            f"Sinew: frame {run.done} of {run.total or '...'} (Esc stops)"
        )
        if run.running():
            return {"RUNNING_MODAL"}
        self.leave(context)
        try:
            return self.done(self.bake.finish())
        except Failed as failed:
            return self.failed(failed)

    def leave(self, context):
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)

    def done(self, warnings):
        for warning in warnings:
            self.report({"WARNING"}, warning)
        self.report({"INFO"}, "simulated")
        return {"FINISHED"}

    def failed(self, failed):
        self.report({"ERROR"}, str(failed))
        return {"CANCELLED"}


class SINEW_OT_export(bpy.types.Operator):
    bl_idname = "sinew.export"
    bl_label = "Write Scene File"
    bl_description = "Write the scene file and its meshes, for the command or the viewer"

    def execute(self, context):
        try:
            path = scene_file.SceneFile(context, scene_file.folder_of(context.scene)).write()
        except Failed as failed:
            self.report({"ERROR"}, str(failed))
            return {"CANCELLED"}
        self.report({"INFO"}, f"wrote {path}")
        return {"FINISHED"}


class SINEW_OT_clear(bpy.types.Operator):
    bl_idname = "sinew.clear"
    bl_label = "Clear"
    bl_description = "Take the simulated motion from all objects"
    bl_options = {"UNDO"}

    def execute(self, context):
        for o in context.scene.objects:
            if o.sinew.role != "NONE":
                results.clear(o)
        return {"FINISHED"}


OPERATORS = (SINEW_OT_bake, SINEW_OT_export, SINEW_OT_clear)


def register():
    for operator in OPERATORS:
        bpy.utils.register_class(operator)


def unregister():
    for operator in reversed(OPERATORS):
        bpy.utils.unregister_class(operator)

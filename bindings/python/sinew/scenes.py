"""Scenes from files, and frames into files."""

from . import c


class Scene(c.Scene):
    """A world described by a file (docs/scene-format.md), or by `text`.

    `sets` are parameters of the scene by their names; other keywords are fields of c.SceneDef, such
    as threads, fps and substeps.
    """

    def __init__(self, path=None, *, text=None, sets=None, **fields):
        if text is not None:
            fields["text"] = text
        sets = [f"{name}={value}" for name, value in (sets or {}).items()]
        c.scene_open(c.SceneDef(path=path, sets=sets, **fields), self)

    def __repr__(self):
        return "<Scene, closed>" if self.closed else f"<Scene {self.title()!r}>"

    @property
    def bodies(self):
        """Its bodies by their names, as c.SceneBody."""
        found, index = {}, 0
        while (body := self.body_at(index)) is not None:
            found[body.name] = body
            index += 1
        return found

    @property
    def events(self):
        """What happened in the last frame, once watch() was called."""
        found, index = [], 0
        while (event := self.event_at(index)) is not None:
            found.append(event)
            index += 1
        return found

    def columns(self):
        """The statistics of the world now, by the names of their columns."""
        names = [self.column(i) for i in range(self.column_count())]
        return dict(zip(names, self.measure()))

    def hash(self):
        """The fingerprint of its world, as `sinew run --hash` has it."""
        return self.world().hash()

    def run(self, frames=None, export=None):
        """Simulates frames, all that the scene wants by default, and writes each into an export.
        Returns the hash."""
        if export is not None and self.frame_number() == 0:
            export.frame(self)
        for _ in range(self.frames() - self.frame_number() if frames is None else frames):
            self.step()
            if export is not None:
                export.frame(self)
        return self.hash()


class Export(c.IoExport):
    """Frames into files that other programs read.

        with sinew.Export("usda", folder="out", name="flag") as export:
            scene.run(export=export)
        print(export.files)

    The fields are those of c.IoExportDef. At the end of the block the files are complete; where it
    ends by an exception they are given up.
    """

    def __init__(self, format, **fields):
        self.files = []
        c.io_export_open(c.IoExportDef(format=format, **fields), self)

    def frame(self, frame):
        """Writes a frame: of a scene as it is now, or a c.IoFrame."""
        c.io_export_frame(self, c.scene_frame(frame) if isinstance(frame, c.Scene) else frame)

    def finish(self):
        """Completes the files; their names are in `files` from then on."""
        c.io_export_close(self)
        self.files = [c.io_export_file(self, i) for i in range(c.io_export_file_count(self))]
        c.IoExport.close(self)

    def __exit__(self, kind, *error):
        if self.closed:
            return
        if kind is None:
            self.finish()
        else:
            c.IoExport.close(self)


def export_formats():
    """The formats of Export, by their names, with what they are for."""
    return {format.name: format.sentence for format in c.io_export_formats()}

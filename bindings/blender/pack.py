#!/usr/bin/env python3
"""Packs the add-on for Blender: pack.py OUT.zip [SINEW]. With the command in it, the add-on works
where the command does, and nothing needs to be looked for. The same files give the same bytes."""

import sys
import zipfile
from pathlib import Path

here, out = Path(__file__).resolve().parent, Path(sys.argv[1])
out.parent.mkdir(parents=True, exist_ok=True)
files = {path.relative_to(here).as_posix(): path for path in (here / "sinew_blender").glob("*.py")}
for command in sys.argv[2:]:
    files["sinew_blender/bin/" + Path(command).name] = Path(command)
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
    for name in sorted(files):
        archive.writestr(
            zipfile.ZipInfo(name), files[name].read_bytes(), compress_type=zipfile.ZIP_DEFLATED
        )

#!/usr/bin/env python3
"""Packs the add-on for Blender: pack.py OUT.zip. The same sources give the same bytes."""

import sys
import zipfile
from pathlib import Path

here, out = Path(__file__).resolve().parent, Path(sys.argv[1])
out.parent.mkdir(parents=True, exist_ok=True)
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
    for path in sorted((here / "sinew_blender").glob("*.py")):
        archive.writestr(zipfile.ZipInfo(path.relative_to(here).as_posix()), path.read_bytes())

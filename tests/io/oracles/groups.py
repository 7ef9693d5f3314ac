#!/usr/bin/python3
"""VTK, assimp and Blender read the groups of vertices of VTU and OBJ files.

    groups.py FOLDER

FOLDER is what `io_groups --write FOLDER` wrote: a sail of three triangles, two of which are groups.
Exits with 77 where none of them is installed.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

from check import check, finish, near, read_by_assimp, skip

GROUPS = {"hem": [0, 1, 2], "top": [1, 2, 3], "hem.2": [1, 2, 3], "knots": [0, 3]}
ALL = 11  # vertices of both bodies

# Blender takes what is behind a "g" for one name, and leaves out points.
IN_BLENDER = {"hem": [0, 1, 2], "top hem.2": [1, 2, 3]}
SCRIPT = """
import bpy, json
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.wm.obj_import(filepath={path!r}, import_vertex_groups=True)
sail = bpy.data.objects["sail"]
print("GROUPS", json.dumps({{g.name: [v.index for v in sail.data.vertices
      if g.index in [of.group for of in v.groups]] for g in sail.vertex_groups}}))
"""


def with_vtk(folder):
    try:
        from vtkmodules.util.numpy_support import vtk_to_numpy
        from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
    except ImportError:
        return False
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(os.path.join(folder, "groups_0001.vtu"))
    reader.Update()
    data = reader.GetOutput().GetPointData()
    for name, members in GROUPS.items():
        array = data.GetArray(name)
        if check(array, f"vtu: there is {name}"):
            near(vtk_to_numpy(array), [int(i in members) for i in range(ALL)], 0, f"vtu: {name}")
    return True


def with_assimp(folder):
    """A mesh for each set of groups."""
    if not shutil.which("assimp"):
        return False
    with tempfile.TemporaryDirectory() as scratch:
        scene = read_by_assimp(os.path.join(folder, "groups_0001.obj"), scratch)
    for name in ("hem", "top hem.2") if scene else ():
        meshes = [mesh for mesh in scene["meshes"] if mesh["name"] == name]
        check(len(meshes) == 1 and len(meshes[0]["faces"]) == 1, f"obj, assimp: {name}")
    return True


def with_blender(folder):
    if not shutil.which("blender"):
        return False
    script = SCRIPT.format(path=os.path.join(os.path.abspath(folder), "groups_0001.obj"))
    command = ["blender", "-b", "--factory-startup", "--python-expr", script]
    done = subprocess.run(command, capture_output=True, text=True)
    lines = [line[7:] for line in done.stdout.splitlines() if line.startswith("GROUPS ")]
    if check(lines, "obj: Blender has groups"):
        found = json.loads(lines[0])
        for name, members in IN_BLENDER.items():
            check(found.get(name) == members, f"obj, Blender: {name} is {found.get(name)}")
    return True


def main(folder):
    if not any([with_vtk(folder), with_assimp(folder), with_blender(folder)]):
        skip("there is no VTK, no assimp and no Blender")
    finish()


main(sys.argv[1])

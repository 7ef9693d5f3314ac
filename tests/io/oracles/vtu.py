#!/usr/bin/python3
"""VTK and meshio read the .vtu files that the .pvd lists.

    vtu.py FOLDER

Compares with FOLDER/*/expected.json: times, cells, points, and the values of points and cells.
Exits with 77 where neither is installed.
"""

import os
import sys
import xml.etree.ElementTree as xml

from check import PARTS, check, expected, finish, flat, near, skip

TRIANGLE, LINE, TET, VERTEX = 5, 3, 10, 1


def expected_grid(frame):
    """Points, cells as (type, corners, body), and the values of points, as they should be."""
    points, cells, first = [], [], 0
    values = {"velocity": [], "strain": [], "radius": [], "body": []}
    for body, shape in enumerate(frame["shapes"]):
        count = len(shape["positions"])
        points += shape["positions"]
        values["velocity"] += shape["velocities"] or [[0, 0, 0]] * count
        values["strain"] += shape["strain"] or [0] * count
        values["radius"] += shape["radii"] or [0] * count
        values["body"] += [body] * count
        loose = not (shape["triangles"] or shape["lines"] or shape["tets"])
        kinds = (
            (TRIANGLE, shape["triangles"]),
            (LINE, shape["lines"]),
            (TET, shape["tets"]),
            (VERTEX, [[i] for i in range(count)] if loose else []),
        )
        for kind, elements in kinds:
            cells += [(kind, [first + i for i in corners], body) for corners in elements]
        first += count
    return points, cells, values


def read_vtk(path):
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(path)
    reader.Update()
    check(reader.GetErrorCode() == 0, f"{path}: VTK has no error")
    grid = reader.GetOutput()
    bodies = vtk_to_numpy(grid.GetCellData().GetArray("body"))
    cells = []
    for i in range(grid.GetNumberOfCells()):
        cell = grid.GetCell(i)
        corners = [cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())]
        cells.append((grid.GetCellType(i), corners, int(bodies[i])))
    data = grid.GetPointData()
    names = [data.GetArrayName(i) for i in range(data.GetNumberOfArrays())]
    values = {name: vtk_to_numpy(data.GetArray(name)) for name in names}
    time = grid.GetFieldData().GetArray("TimeValue").GetValue(0)
    # Tets are the right way round where VTK finds a positive volume.
    volumes = [
        grid.GetCell(i).ComputeVolume(*[grid.GetPoint(p) for p in cells[i][1]])
        for i in range(len(cells))
        if cells[i][0] == TET
    ]
    check(all(volume > 0 for volume in volumes), f"{path}: volumes are positive")
    return vtk_to_numpy(grid.GetPoints().GetData()), cells, values, time


def read_meshio(path):
    import meshio

    kinds = {"triangle": TRIANGLE, "line": LINE, "tetra": TET, "vertex": VERTEX}
    mesh = meshio.read(path)
    cells = []
    for block, bodies in zip(mesh.cells, mesh.cell_data["body"]):
        for corners, body in zip(block.data, bodies):
            cells.append((kinds[block.type], [int(i) for i in corners], int(flat([body])[0])))
    time = flat([mesh.field_data["TimeValue"]])[0]
    return mesh.points, cells, mesh.point_data, float(time)


def compare(where, found, frame):
    points, cells, values = expected_grid(frame)
    near(found[0], points, 0, f"{where}: points")
    check(found[1] == cells, f"{where}: cells")
    for name, rows in values.items():
        if check(name in found[2], f"{where}: it has {name}"):
            near(found[2][name], rows, 0, f"{where}: {name}")
    check(found[3] == frame["time"], f"{where}: time")


def main():
    readers = []
    known = (("VTK", "vtkmodules.vtkIOXML", read_vtk), ("meshio", "meshio", read_meshio))
    for name, module, reader in known:
        try:
            __import__(module)
            readers.append((name, reader))
        except ImportError as error:
            print(f"{name} is not installed ({error})")
    if not readers:
        skip("there is neither VTK nor meshio")
    for part in PARTS:
        folder = os.path.join(sys.argv[1], part)
        frames = expected(folder)["frames"]
        sets = xml.parse(os.path.join(folder, "demo.pvd")).getroot().findall("Collection/DataSet")
        check(len(sets) == len(frames), f"{part}: as many data sets as frames")
        for data_set, frame in zip(sets, frames):
            check(float(data_set.get("timestep")) == frame["time"], f"{part}: times in the list")
            for name, reader in readers:
                path = os.path.join(folder, data_set.get("file"))
                compare(f"{name}, {part}, frame {frame['number']}", reader(path), frame)
    print("read by", " and ".join(name for name, reader in readers))
    finish()


main()

"""Writes by netCDF-C what NetcdfFileTest.writeEverything writes."""
import sys

import netCDF4
import numpy as np

with netCDF4.Dataset(sys.argv[1], "w") as d:
    d.createDimension("t", None)
    d.createDimension("x", 3)
    d.createDimension("y", 4)
    d.createDimension("s", None)
    x = d.createVariable("x", "f4", ("x",))
    x[:] = [1, 2, 3]
    x.units = "m"
    x.arr = np.array([1, 2, 3], "i2")
    x.strs = ["a", "bb"]
    x.u = "\u00e9"
    x.e = ""
    x.n = np.array([], "i4")
    v = d.createVariable("v", "i4", ("t", "x"), zlib=True, fletcher32=True, chunksizes=(2, 3))
    v[:] = np.arange(15).reshape(5, 3)
    d.createVariable("y", "f8", ("x", "y"))
    d.createVariable("t", "f8", ("t", "x"), chunksizes=(2, 3))
    c = d.createVariable("c", "S1", ("x",))
    c[:] = np.array([b"a", b"b", b"c"])
    s = d.createVariable("str", str, ("x",))
    s[0] = "hello"
    d.createVariable("scalar", "i8", (), endian="big")
    d.createVariable("nofill", "u2", ("x",), fill_value=False)[:] = [1, 2, 3]
    d.createVariable("filled", "i8", ("y", "x"), fill_value=7)
    colour = d.createEnumType("i1", "colour", {"red": 0, "blue": 1})
    pair = d.createCompoundType(np.dtype([("a", "i4"), ("b", "f8")], align=True), "pair")
    series = d.createVLType("i2", "series")
    d.createVariable("ev", colour, ("x",), fill_value=1)
    d.createVariable("cv", pair, ("x",))
    d.createVariable("vv", series, ("x",))
    d.createVariable("sv", "i2", ("s",), chunksizes=(8,))[0:4] = 1
    d.createVariable("sv2", "i2", ("s", "x"), chunksizes=(8, 3))
    g = d.createGroup("g")
    g.createDimension("z", 2)
    g.createVariable("k", "f4", ("t", "z"), chunksizes=(2, 2))
    d.title = "hi"

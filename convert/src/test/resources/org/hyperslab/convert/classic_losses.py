"""Makes HDF5 files, each with one thing that some format of netCDF does not hold: FOLDER"""
import sys

import h5py
import numpy as np


def new(name):
    return h5py.File("%s/%s.h5" % (sys.argv[1], name), "w")


with new("int64var") as f:
    f["v"] = np.array([1, 2], "i8")
with new("int64attr") as f:
    f["v"] = np.array([1, 2], "i4")
    f["v"].attrs["big"] = np.int64(5)
with new("group") as f:
    f["g/v"] = np.int32([1])
with new("compound") as f:
    f["v"] = np.zeros(2, [("a", "i4"), ("b", "f8")])
with new("compoundattr") as f:
    f.attrs["c"] = np.zeros(2, [("a", "i4"), ("b", "f8")])
with new("vlen") as f:
    v = f.create_dataset("v", (2, ), dtype=h5py.vlen_dtype("i4"))
    v[0] = [1, 2]
with new("opaque") as f:
    f["v"] = np.array([b"abc", b"def"], "V3")
with new("half") as f:
    f["v"] = np.array([1, 2], "f2")
with new("halfattr") as f:
    f.attrs["h"] = np.float16(2)
with new("twounlim") as f:
    f.create_dataset("v", (2, 3), maxshape=(None, None), dtype="i4", chunks=(1, 1))
with new("innerunlim") as f:
    f.create_dataset("v", (2, 3), maxshape=(2, None), dtype="i4", chunks=(1, 1))
with new("strings") as f:
    f.attrs["s"] = ["a", "bc"]
with new("stringfill") as f:
    f.create_dataset("v", (2, ), dtype=h5py.string_dtype(), fillvalue="none")
with new("enum") as f:
    f.create_dataset("v", (2, ), dtype=h5py.enum_dtype({"a b":1, "c":2}, "i2"))
with new("enumattr") as f:
    f.attrs.create("e", [1], dtype=h5py.enum_dtype({"a b":1, "c":2}, "i2"))
with new("ref") as f:
    f["v"] = np.int32([1])
    f.create_dataset("r", data=[f["v"].ref], dtype=h5py.ref_dtype)
with new("refattr") as f:
    f["v"] = np.int32([1])
    f.attrs["r"] = f["v"].ref
with new("zero") as f:
    f["v"] = np.zeros((0, 3), "i4")
with new("null") as f:
    f["v"] = h5py.Empty("f4")
with new("nullattr") as f:
    f.attrs["n"] = h5py.Empty("f4")
with new("shapeattr") as f:
    f.attrs["m"] = np.zeros((2, 2))
with new("committed") as f:
    f["t"] = np.dtype([("a", "i4")])
    f["v"] = np.int32([1])
with new("link") as f:
    f["v"] = np.int32([1])
    f["s"] = h5py.SoftLink("/v")
with new("name") as f:
    f["a\nb"] = np.int32([1])
with new("attrname") as f:
    f.attrs["a/b"] = np.int32(1)
with new("arrayt") as f:
    f.create_dataset("v", (2, ), dtype=np.dtype(("i4", (3, ))))
with new("int24") as f:
    t = h5py.h5t.STD_I32LE.copy(); t.set_size(3); h5py.h5d.create(f.id, b"v", t, h5py.h5s.create_simple((2, )))
with new("bitfield") as f:
    h5py.h5d.create(f.id, b"v", h5py.h5t.STD_B16LE.copy(), h5py.h5s.create_simple((2, )))
with new("complex") as f:
    f["v"] = np.array([1+2j])
with new("bool") as f:
    f["v"] = np.array([True])

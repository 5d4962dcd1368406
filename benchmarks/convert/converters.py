#!/usr/bin/python3
"""Times `hyperslab convert` beside the usual programs, in pairs that alternate.

converters.py FOLDER MIB PAIRS COMMAND...    COMMAND is what runs hyperslab, such as ./hyperslab

Inputs of about MIB mebibytes are made in FOLDER (random doubles and floats; for Zarr a quarter of
MIB), which needs room for six times as much. Prints a table in Markdown: the ratios of pairs, other
program / hyperslab, above 1 where hyperslab is faster, as median (least..greatest), and medians of
elapsed and of processor seconds. Times are those of whole processes, start included. The page cache
is warm, and ./hyperslab does not look for changed sources (HYPERSLAB_NO_BUILD=1). The table of benchmarks/RESULTS.md is that of MIB = 1024 and four pairs.
"""
import os
import pathlib
import statistics
import sys

import h5py
import netCDF4
import numpy as np
import zarr

from timing import remove, timed


os.environ["HYPERSLAB_NO_BUILD"] = "1"


def pair(label, ours, output, theirs, other_output, pairs):
    for command, target in ((ours, output), (theirs, other_output)):
        timed(command, target)  # warms the page cache
    a, b = [], []
    for i in range(pairs):
        first = [(ours, output, a), (theirs, other_output, b)]
        for command, target, times in first if i % 2 else reversed(first):
            times.append(timed(command, target))
    ratios = [y[0] / x[0] for x, y in zip(a, b)]
    medians = [statistics.median(t[kind] for t in times) for kind in (0, 1) for times in (a, b)]
    print("| %s | %.2f (%.2f..%.2f) | %.2f | %.2f | %.2f | %.2f |" % (
        label, statistics.median(ratios), min(ratios), max(ratios), *medians), flush=True)


def make(folder, mib):
    rng = np.random.default_rng(1)
    records = max(1, mib * 2**20 // (512 * 512 * 12))
    with netCDF4.Dataset(folder / "in.nc", "w", format="NETCDF3_64BIT_OFFSET") as file:
        file.createDimension("time", None)
        file.createDimension("y", 512)
        file.createDimension("x", 512)
        a = file.createVariable("a", "f8", ("time", "y", "x"))
        b = file.createVariable("b", "f4", ("time", "y", "x"))
        for i in range(records):
            a[i] = rng.normal(size=(512, 512))
            b[i] = rng.normal(size=(512, 512))
    rows = mib * 2**20 // 8 // 4096
    values = np.cumsum(rng.integers(-3, 4, (rows, 4096)), axis=1).astype("f8")
    np.save(folder / "in.npy", values)
    values = values[: max(1, rows // 4)]
    compressor = zarr.Blosc("lz4", 5, 1)
    zarr.save_array(str(folder / "in.zarr"), values, chunks=(128, 4096), compressor=compressor)
    with h5py.File(folder / "in.h5", "w") as file:
        file.create_dataset("data", data=values, chunks=(128, 4096), compression="gzip", compression_opts=1, shuffle=True)


TO_HDF5 = """
import h5py, sys, zarr
a = zarr.open(sys.argv[1], mode='r')
with h5py.File(sys.argv[2], 'w') as f:
    d = f.create_dataset('data', a.shape, a.dtype, chunks=a.chunks, compression='gzip', compression_opts=1, shuffle=True)
    for i in range(0, a.shape[0], a.chunks[0]):
        d[i:i + a.chunks[0]] = a[i:i + a.chunks[0]]
"""
TO_ZARR = """
import h5py, sys, zarr
with h5py.File(sys.argv[1]) as f:
    d = f['data']
    g = zarr.open_group(sys.argv[2], mode='w')
    a = g.create_dataset('data', shape=d.shape, dtype=d.dtype, chunks=d.chunks, compressor=zarr.Blosc('zlib', 1, 1))
    for i in range(0, a.shape[0], a.chunks[0]):
        a[i:i + a.chunks[0]] = d[i:i + a.chunks[0]]
"""


def main():
    folder, mib, pairs = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    convert = sys.argv[4:] + ["convert"]
    make(folder, mib)
    print("| | ratio | elapsed: Hyperslab, s | the other, s | processor: Hyperslab, s | the other, s |")
    print("|---|---|---|---|---|---|")
    out = {n: folder / n for n in ("nc.h5", "other.nc4", "back.nc", "other.nc", "npy.h5", "back.npy", "copy.npy",
                                   "packed.nc4", "packed.h5", "zarr.h5", "other.h5", "h5.zarr", "other.zarr")}
    pair("CDF-2 to HDF5; `nccopy -k nc4`", convert + [folder / "in.nc", out["nc.h5"]], out["nc.h5"],
         ["nccopy", "-k", "nc4", folder / "in.nc", out["other.nc4"]], out["other.nc4"], pairs)
    pair("HDF5 to CDF-2; `nccopy -k nc6`", convert + ["--to", "cdf2", out["nc.h5"], out["back.nc"]], out["back.nc"],
         ["nccopy", "-k", "nc6", out["other.nc4"], out["other.nc"]], out["other.nc"], pairs)
    pair("CDF-2 to HDF5, deflated; `nccopy -k nc4 -d 1 -s`",
         convert + ["--deflate", "1", folder / "in.nc", out["packed.h5"]], out["packed.h5"],
         ["nccopy", "-k", "nc4", "-d", "1", "-s", folder / "in.nc", out["packed.nc4"]], out["packed.nc4"], pairs)
    pair("netCDF-4 (gzip) to CDF-2; `nccopy -k nc6`", convert + ["--to", "cdf2", out["packed.nc4"], out["back.nc"]],
         out["back.nc"], ["nccopy", "-k", "nc6", out["packed.nc4"], out["other.nc"]], out["other.nc"], pairs)
    for name in ("nc.h5", "other.nc4", "back.nc", "other.nc", "packed.nc4", "packed.h5"):
        remove(out[name])
    pair("`.npy` to HDF5; `cp`", convert + [folder / "in.npy", out["npy.h5"]], out["npy.h5"],
         ["cp", folder / "in.npy", out["copy.npy"]], out["copy.npy"], pairs)
    pair("HDF5 to `.npy`; `cp`", convert + [out["npy.h5"], out["back.npy"]], out["back.npy"],
         ["cp", folder / "in.npy", out["copy.npy"]], out["copy.npy"], pairs)
    pair("Zarr 2 (Blosc) to HDF5 (gzip); zarr-python", convert + [folder / "in.zarr", out["zarr.h5"]], out["zarr.h5"],
         ["/usr/bin/python3", "-c", TO_HDF5, folder / "in.zarr", out["other.h5"]], out["other.h5"], pairs)
    pair("HDF5 (gzip) to Zarr 2 (Blosc); zarr-python", convert + [folder / "in.h5", out["h5.zarr"]], out["h5.zarr"],
         ["/usr/bin/python3", "-c", TO_ZARR, folder / "in.h5", out["other.zarr"]], out["other.zarr"], pairs)


main()

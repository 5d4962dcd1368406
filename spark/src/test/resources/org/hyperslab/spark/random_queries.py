"""Makes a netCDF file and answers queries of it with xarray and pandas.

random_queries.py SEED FILE QUERIES
QUERIES has a condition in Python on each line; df is the file as a table. For each line, a line
with the count, the counts of t and n, their sums, and the least and greatest lat and time is printed.
"""
import sys

import netCDF4
import numpy as np
import xarray


def make(seed, path):
    random = np.random.default_rng(seed)
    times, lats, lons = (int(random.integers(1, k)) for k in (20, 15, 12))
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("time", times)
        file.createDimension("lat", lats)
        file.createDimension("lon", lons)
        time = file.createVariable("time", random.choice(["i4", "f8"]), ("time",))
        time.units = str(random.choice(["hours since 2020-02-27", "days since 1999-12-30"]))
        time[:] = np.cumsum(random.integers(1, 40, times))
        lat = file.createVariable("lat", random.choice(["f4", "f8"]), ("lat",))
        lat[:] = np.round(np.linspace(60, -60, lats), 1)
        lon = file.createVariable("lon", random.choice(["i2", "i4", "u2", "i8"]), ("lon",))
        lon[:] = random.permutation(lons) * 10
        chunks = [int(random.integers(1, k + 1)) for k in (times, lats, lons)]
        options = dict(zlib=bool(random.integers(2)), shuffle=bool(random.integers(2)), chunksizes=chunks)
        if random.integers(4) == 0:
            options = dict(contiguous=True)
        kind = str(random.choice(["i2", "u1", "f4", "f8"]))
        t = file.createVariable("t", kind, ("time", "lat", "lon"), fill_value=77, **options)
        t.set_auto_maskandscale(False)
        if random.integers(2) and kind in ("i2", "u1"):
            t.scale_factor = 0.25
            t.add_offset = -10.0
        values = random.integers(0, 100, (times, lats, lons))
        if kind.startswith("f"):
            values = values + random.integers(0, 4, values.shape) / 4.0
        t[:] = values.astype(kind)
        n = file.createVariable("n", str(random.choice(["i4", "u4", "i8"])), ("time", "lat", "lon"), **options)
        n[:] = random.integers(0, 50, (times, lats, lons))


def main():
    make(int(sys.argv[1]), sys.argv[2])
    with xarray.open_dataset(sys.argv[2]) as data:
        df = data.to_dataframe().reset_index()
    for line in open(sys.argv[3]):
        some = df[eval(line, {"df": df, "np": np})]
        bounds = ["null"] * 4
        if len(some):
            bounds = [float(some.lat.min()), float(some.lat.max()), some.time.min(), some.time.max()]
            bounds[2:] = [int(b.value // 1000) for b in bounds[2:]]
        print(len(some), int(some.t.count()), float(some.t.astype("f8").sum()), int(some.n.sum()), *bounds)


main()

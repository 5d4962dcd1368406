"""Makes random classic files of netCDF, and judges what came back of them.

netcdf_judge.py make FOLDER SEED COUNT   writes FOLDER/in/N.nc
netcdf_judge.py check FOLDER             compares FOLDER/h5/NAME.h5 and FOLDER/back/NAME with them
"""
import pathlib
import random
import subprocess
import sys

import netCDF4
import numpy as np

CLASSIC = ["i1", "S1", "i2", "i4", "f4", "f8"]
CDF5 = CLASSIC + ["u1", "u2", "u4", "i8", "u8"]
NAMES = ["x", "y", "time", "grün", "数", "a b", "t_1", "Q-x", "lat", "lon"]


def values(np_rng, kind, shape):
    if kind == "S1":
        return np.frombuffer(np_rng.integers(32, 127, int(np.prod(shape)), dtype=np.uint8).tobytes(), "S1").reshape(shape)
    dtype = np.dtype(kind)
    raw = np_rng.integers(0, 256, int(np.prod(shape)) * dtype.itemsize, dtype=np.uint8)
    array = np.frombuffer(raw.tobytes(), dtype).reshape(shape).copy()
    if dtype.kind == "f":
        array[~np.isfinite(array)] = 1.5
    return array


def put_attributes(target, rng, np_rng, types):
    for name in rng.sample(["units", "title", "größe", "n", "scale_x", "history"], rng.randint(0, 4)):
        kind = rng.choice(types)
        if kind == "S1":
            target.setncattr(name, rng.choice(["m", "a longer text", "grün", "x" * 200, "numbers 1\n2"]))
        else:
            target.setncattr(name, values(np_rng, kind, (rng.randint(1, 5),)))


def make_one(path, rng, np_rng):
    form = rng.choice(["NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA"])
    types = CDF5 if form == "NETCDF3_64BIT_DATA" else CLASSIC
    file = netCDF4.Dataset(path, "w", format=form)
    file.set_fill_on()
    names = rng.sample(NAMES, rng.randint(0, 5))
    unlimited = rng.random() < 0.7 and names
    records = rng.choice([0, 1, 2, 7])
    dims = {}
    for i, name in enumerate(names):
        grows = bool(unlimited) and i == 0
        dims[name] = records if grows else rng.choice([1, 2, 3, 5, 11])
        file.createDimension(name, None if grows else dims[name])
    put_attributes(file, rng, np_rng, types)
    few = rng.random() < 0.4
    variables = []
    used = set()
    for i in range(1 if few else rng.randint(0, 7)):
        inner = names[1:] if unlimited else names
        axes = rng.sample(inner, rng.randint(0, min(3, len(inner))))
        if unlimited and rng.random() < 0.6:
            axes = [names[0]] + axes
        name = axes[0] if axes and rng.random() < 0.4 else rng.choice(NAMES) + str(i)
        if name in used:
            name += "_%d" % i
        used.add(name)
        kind = rng.choice(types)
        fill = None
        if kind != "S1" and rng.random() < 0.3:
            fill = values(np_rng, kind, (1,))[0]
        variable = file.createVariable(name, kind, axes, fill_value=fill)
        put_attributes(variable, rng, np_rng, types)
        variables.append((variable, kind, axes))
    for variable, kind, axes in variables:
        variable.set_auto_maskandscale(False)
        variable.set_auto_chartostring(False)
        shape = tuple(dims[a] for a in axes)
        if rng.random() < 0.85 and 0 not in shape:
            variable[...] = values(np_rng, kind, shape)
    has_records = any(axes and axes[0] == names[0] for _, _, axes in variables) if unlimited else False
    count = len(file.dimensions[names[0]]) if unlimited else 0
    file.close()
    data = bytearray(path.read_bytes())
    if has_records and count and rng.random() < 0.4:
        width = 8 if data[3] == 5 else 4
        reopened = netCDF4.Dataset(path)
        reopened.close()
        data[4 : 4 + width] = b"\xff" * width
        path.with_suffix(".streaming").write_bytes(data)


def make(folder, seed, count):
    (folder / "in").mkdir()
    (folder / "plain").mkdir()
    for i in range(count):
        rng = random.Random(seed * 100003 + i)
        np_rng = np.random.default_rng(seed * 100003 + i)
        plain = folder / "plain" / ("%d.nc" % i)
        make_one(plain, rng, np_rng)
        streaming = plain.with_suffix(".streaming")
        (folder / "in" / plain.name).write_bytes((streaming if streaming.exists() else plain).read_bytes())
        streaming.unlink(missing_ok=True)


def attributes(target):
    found = {}
    for name in target.ncattrs():
        value = target.getncattr(name)
        found[name] = value if isinstance(value, str) else (np.asarray(value).dtype.str, np.atleast_1d(value).tobytes())
    return found


def compare(a, b, where):
    assert list(a.dimensions) == list(b.dimensions), (where, list(a.dimensions), list(b.dimensions))
    for name in a.dimensions:
        x, y = a.dimensions[name], b.dimensions[name]
        assert (len(x), x.isunlimited()) == (len(y), y.isunlimited()), (where, name, len(x), len(y))
    assert attributes(a) == attributes(b), (where, attributes(a), attributes(b))
    assert sorted(a.variables) == sorted(b.variables), (where, list(a.variables), list(b.variables))
    for name in a.variables:
        x, y = a.variables[name], b.variables[name]
        for v in (x, y):
            v.set_auto_maskandscale(False)
            v.set_auto_chartostring(False)
        at = where + ":" + name
        assert x.dimensions == y.dimensions, (at, x.dimensions, y.dimensions)
        assert attributes(x) == attributes(y), (at, attributes(x), attributes(y))
        assert np.dtype(x.dtype).newbyteorder("=") == np.dtype(y.dtype).newbyteorder("="), (at, x.dtype, y.dtype)
        left, right = np.asarray(x[...]), np.asarray(y[...])
        assert left.shape == right.shape, (at, left.shape, right.shape)
        right = right.astype(left.dtype)
        assert np.ascontiguousarray(left).tobytes() == np.ascontiguousarray(right).tobytes(), at


def middle(folder, case):
    return next((folder / "h5").glob(case.name + ".*"))


def check(folder):
    cases = sorted((folder / "plain").iterdir())
    for case in cases:
        for other in (middle(folder, case), folder / "back" / case.name):
            with netCDF4.Dataset(case) as a, netCDF4.Dataset(other) as b:
                compare(a, b, other.name)
        valid = subprocess.run(["ncvalidator", "-q", folder / "back" / case.name], capture_output=True, text=True)
        assert valid.returncode == 0, (case.name, valid.stdout, valid.stderr)
    print(len(cases))


if sys.argv[1] == "make":
    make(pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
else:
    check(pathlib.Path(sys.argv[2]))

"""Makes random files of netCDF-4 by netCDF-C, and judges what came back of them.

netcdf4_judge.py make FOLDER SEED COUNT   writes FOLDER/in/N.nc4
netcdf4_judge.py check FOLDER             compares FOLDER/h5/NAME.h5 and FOLDER/back/NAME with them
netcdf4_judge.py xarray FILE...           reads files by both engines of xarray, and prints the variables
"""
import pathlib
import random
import sys
import warnings

import h5py
import netCDF4
import numpy as np

warnings.simplefilter("ignore")
NUMBERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"]
NAMES = ["x", "y", "time", "grün", "数", "a b", "t_1", "Q-x"]
TEXTS = ["", "m", "grün", "数学", "two words", "x" * 90]


def numbers(rng, np_rng, kind, shape):
    dtype = np.dtype(kind)
    raw = np_rng.integers(0, 256, int(np.prod(shape)) * dtype.itemsize, dtype=np.uint8)
    array = np.frombuffer(raw.tobytes(), dtype).reshape(shape).copy()
    if dtype.kind == "f":
        array[~np.isfinite(array)] = -2.5
    return array


def put_attributes(holder, rng, np_rng):
    for name in rng.sample(["units", "größe", "n", "scale_x", "history"], rng.randint(0, 4)):
        choice = rng.randrange(4)
        if choice == 0:
            holder.setncattr(name, rng.choice(TEXTS))
        elif choice == 1:
            holder.setncattr_string(name, [rng.choice(TEXTS) for _ in range(rng.randint(1, 3))])
        else:
            holder.setncattr(name, numbers(rng, np_rng, rng.choice(NUMBERS), (rng.randint(1, 4),)))


def user_types(group):
    compound = group.createCompoundType(np.dtype([("a", "<i2"), ("b", "<f8"), ("c", "<i4", (2,))]), "compound_type")
    enum = group.createEnumType("u1", "enum_type", {"clear": 0, "cloudy": 1, "fog": 7})
    vlen = group.createVLType("i4", "vlen_type")
    return {"compound": compound, "enum": enum, "vlen": vlen}


def fill_group(group, rng, np_rng, types, scope, depth):
    own = {}
    for name in rng.sample(NAMES, rng.randint(0, 4)):
        own[name] = None if rng.random() < 0.3 else rng.choice([1, 2, 3, 5])
        group.createDimension(name, own[name])
    scope = {**scope, **own}
    put_attributes(group, rng, np_rng)
    used = set()
    for i in range(rng.randint(0, 4)):
        axes = rng.sample(sorted(scope), min(len(scope), rng.randint(0, 3)))
        name = axes[0] if axes and rng.random() < 0.4 else rng.choice([rng.choice(NAMES), "v%d" % i])
        if name not in used:
            used.add(name)
            add_variable(group, name, axes, scope, types, rng, np_rng)
    if depth < 2:
        for i in range(rng.choice([0, 0, 1, 2])):
            fill_group(group.createGroup("g%d" % i), rng, np_rng, types, scope, depth + 1)


def add_variable(group, name, axes, scope, types, rng, np_rng):
    kind = rng.choice(NUMBERS + ["S1", "str"] + sorted(types))
    shape = tuple(scope[a] or rng.choice([0, 1, 2, 4]) for a in axes)
    options = {}
    if kind in NUMBERS:
        options["endian"] = rng.choice(["little", "big"])
        if axes and rng.random() < 0.4:
            options.update(zlib=True, shuffle=rng.random() < 0.5, fletcher32=rng.random() < 0.5)
        if rng.random() < 0.3:
            options["fill_value"] = numbers(rng, np_rng, kind, (1,))[0]
    variable = group.createVariable(name, {"str": str, **types}.get(kind, kind), axes, **options)
    variable.set_auto_maskandscale(False)
    variable.set_auto_chartostring(False)
    put_attributes(variable, rng, np_rng)
    if 0 in shape or rng.random() < 0.15 or (kind == "vlen" and len(axes) != 1):
        return
    count = int(np.prod(shape))
    if kind == "str":
        values = np.array([rng.choice(TEXTS) for _ in range(count)], object).reshape(shape)
    elif kind == "S1":
        values = np_rng.integers(32, 127, count, dtype=np.uint8).view("S1").reshape(shape)
    elif kind == "enum":
        values = np_rng.choice(np.array([0, 1, 7], "u1"), shape)
    elif kind == "compound":
        values = np.zeros(shape, types["compound"].dtype)
        for field in ("a", "b", "c"):
            values[field] = np_rng.integers(0, 99, values[field].shape)
    elif kind == "vlen":
        values = np.empty(shape, object)
        for i in range(count):
            values[i] = np_rng.integers(-9, 9, rng.randint(1, 5)).astype("i4")
    else:
        values = numbers(rng, np_rng, kind, shape)
    if axes:
        variable[tuple(slice(0, n) for n in shape)] = values
    else:
        variable[...] = values.item() if kind == "str" else values


def make(folder, seed, count):
    (folder / "in").mkdir()
    for i in range(count):
        rng = random.Random(seed * 100003 + i)
        np_rng = np.random.default_rng(seed * 100003 + i)
        with netCDF4.Dataset(folder / "in" / ("%d.nc4" % i), "w") as file:
            types = user_types(file) if rng.random() < 0.7 else {}
            fill_group(file, rng, np_rng, types, {}, 0)


def plain(value):
    if isinstance(value, np.ndarray) and value.dtype == object:
        return [plain(v) for v in value.reshape(-1)]
    if isinstance(value, np.ndarray) and value.dtype.names:  # what pads them is anything
        return [plain(np.ascontiguousarray(value[name])) for name in value.dtype.names]
    return value if isinstance(value, (str, list)) else (np.asarray(value).dtype.newbyteorder("=").str, np.asarray(value).tobytes())


def attributes(holder):
    found = {}
    for name in holder.ncattrs():
        value = holder.getncattr(name)
        found[name] = value if isinstance(value, (str, list)) else (np.asarray(value).dtype.str, np.atleast_1d(value).tobytes())
    return found


def compare(a, b, where):
    dims = [[(d.name, len(d), d.isunlimited()) for d in g.dimensions.values() if not d.name.startswith("phony")] for g in (a, b)]
    assert sorted(dims[0]) == sorted(dims[1]), (where, dims)
    assert attributes(a) == attributes(b), (where, attributes(a), attributes(b))
    assert sorted(a.variables) == sorted(b.variables), (where, list(a.variables), list(b.variables))
    types = [sorted(list(g.cmptypes) + list(g.vltypes) + list(g.enumtypes)) for g in (a, b)]
    assert types[0] == types[1], (where, types)
    for name, x in a.variables.items():
        y, at = b.variables[name], where + ":" + name
        for v in (x, y):
            v.set_auto_maskandscale(False)
            v.set_auto_chartostring(False)
        assert x.dimensions == y.dimensions, (at, x.dimensions, y.dimensions)
        assert attributes(x) == attributes(y), (at, attributes(x), attributes(y))
        assert np.dtype(x.dtype) == np.dtype(y.dtype) if x.dtype is not str else y.dtype is str, (at, x.dtype, y.dtype)
        # beyond what is stored netCDF-C 4.9 gives anything where two dimensions are unlimited
        part = tuple(slice(0, n) for n in stored(a, name)) or Ellipsis
        left, right = x[part], y[part]
        assert np.shape(left) == np.shape(right), (at, np.shape(left), np.shape(right))
        left, right = (plain(v if isinstance(v, str) else np.asarray(v)) for v in (left, right))
        assert left == right, (at, left, right)
    assert sorted(a.groups) == sorted(b.groups), where
    for name in a.groups:
        compare(a.groups[name], b.groups[name], where + "/" + name)


def stored(group, name):
    with h5py.File(pathlib.Path(group.filepath()), "r") as file:
        item = file[group.path]
        hidden = "_nc4_non_coord_" + name
        return item[hidden if hidden in item else name].shape


def conventions(path):
    with h5py.File(path, "r") as file:
        numbers = []

        def visit(name, item):
            assert item.id.get_create_plist().get_attr_creation_order() == 3 if not isinstance(item, h5py.Datatype) else True, name
            if isinstance(item, h5py.Group):
                assert item.id.get_create_plist().get_link_creation_order() == 3, name
            elif isinstance(item, h5py.Dataset):
                if item.attrs.get("CLASS") == b"DIMENSION_SCALE":
                    numbers.append(int(item.attrs["_Netcdf4Dimid"]))
                else:
                    assert ("DIMENSION_LIST" in item.attrs) == (item.ndim > 0), name
                    for refs in item.attrs.get("DIMENSION_LIST", []):
                        assert len(refs) == 1 and file[refs[0]].attrs["CLASS"] == b"DIMENSION_SCALE", name

        file.visititems(visit)
        assert "_NCProperties" in file.attrs
        assert len(set(numbers)) == len(numbers), numbers


def check(folder):
    cases = sorted((folder / "in").iterdir())
    for case in cases:
        back = folder / "back" / case.name
        for other in (folder / "h5" / (case.name + ".h5"), back):
            with netCDF4.Dataset(case) as a, netCDF4.Dataset(other) as b:
                compare(a, b, other.name)
        conventions(back)
    print(len(cases))


def by_xarray(paths):
    import xarray

    for path in paths:
        one = xarray.open_dataset(path, engine="netcdf4")
        two = xarray.open_dataset(path, engine="h5netcdf")
        xarray.testing.assert_identical(one, two)
        print({n: (v.dims, str(v.dtype), v.values.tolist()) for n, v in sorted(one.variables.items())})


if sys.argv[1] == "make":
    make(pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
elif sys.argv[1] == "check":
    check(pathlib.Path(sys.argv[2]))
else:
    by_xarray(sys.argv[2:])

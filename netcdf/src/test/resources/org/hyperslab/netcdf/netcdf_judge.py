"""Judges netCDF-4 files by netCDF-C, h5py and xarray.

  make FOLDER SEED COUNT   writes random files to FOLDER/in by netCDF-C
  check FOLDER             compares FOLDER/in with FOLDER/out, and prints how many files are equal
  conventions FILE...      checks that files keep their model as netCDF-C does
  same A B                 compares all that HDF5 has of two files, by netCDF's rules
  xarray FILE              reads a file by both engines, and compares
  datatree FILE            reads the groups of a file by both engines, and compares; by open_datatree if xarray
                           has it (2024.10)
  model FILE               prints dimensions and variables
  checked FILE             both
  serve                    reads commands, a line each, words separated by tabs; answers each with "ok" or "error",
                           the number of lines that it printed, and these lines
  phony FILE               writes plain HDF5
"""
import contextlib
import io
import os
import random
import sys
import traceback
import warnings

import h5py
import netCDF4
import numpy as np

warnings.simplefilter("ignore")
NUMBERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"]
HIDDEN = {"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "_Netcdf4Dimid",
          "_Netcdf4Coordinates", "_nc3_strict", "_NCProperties"}
NO_VARIABLE = b"This is a netCDF dimension but not a netCDF variable."


# --- random files ---

def numbers(r, dtype, shape):
    kind = np.dtype(dtype)
    if kind.kind == "f":
        return (np.array([r.gauss(0, 100) for _ in range(int(np.prod(shape)))])
                .astype(kind).reshape(shape))
    info = np.iinfo(kind)
    values = [r.randint(int(info.min), int(info.max)) for _ in range(int(np.prod(shape)))]
    return np.array(values, dtype=kind).reshape(shape)


def text(r):
    return "".join(r.choice("abc xyz\u00e9\u4e2d0") for _ in range(r.randrange(9))).strip()


def attributes(r, holder):
    for i in range(r.randrange(4)):
        name = "att%d" % i
        kind = r.randrange(4)
        if kind == 0:
            holder.setncattr(name, "plain %d" % i)
        elif kind == 1:
            holder.setncattr_string(name, [text(r) for _ in range(r.randint(1, 3))])
        else:
            dtype = r.choice(NUMBERS)
            holder.setncattr(name, numbers(r, dtype, (r.randint(1, 4),)))


def fill_group(r, group, depth, classic):
    names = ["d%d" % i for i in range(r.randint(1, 4))]
    for i, name in enumerate(names):
        unlimited = r.random() < 0.3 and not (classic and i > 0)
        group.createDimension(name, None if unlimited else r.randint(1, 5))
    scope, here = {}, group
    while here is not None:
        for name, dim in here.dimensions.items():
            scope.setdefault(name, dim)
        here = here.parent
    attributes(r, group) if not classic else group.setncattr("title", "classic")
    candidates = names + ["v%d" % i for i in range(r.randint(1, 4))]
    r.shuffle(candidates)
    for name in candidates:
        if name in names and r.random() < 0.4:
            continue
        variable(r, group, name, scope, classic)
    if depth < 2 and not classic:
        for i in range(r.randrange(3)):
            fill_group(r, group.createGroup("g%d" % i), depth + 1, classic)


def variable(r, group, name, scope, classic):
    axes = r.sample(sorted(scope), min(len(scope), r.randint(0, 3)))
    if name in scope and r.random() < 0.7:
        axes = [name] + [a for a in axes if a != name]
    if classic:
        axes.sort(key=lambda a: not scope[a].isunlimited())
    types = ["i1", "i2", "i4", "f4", "f8", "S1"] if classic else NUMBERS + ["S1", str]
    dtype = r.choice(types)
    options = {}
    if dtype is not str and dtype != "S1":
        if axes and r.random() < 0.3:
            options = {"zlib": True, "shuffle": r.random() < 0.5, "fletcher32": r.random() < 0.5}
        if r.random() < 0.3:
            options["fill_value"] = numbers(r, dtype, (1,))[0]
        options["endian"] = r.choice(["little", "big"])
    v = group.createVariable(name, dtype, axes, **options)
    v.set_auto_maskandscale(False)
    shape = tuple(r.randint(0, 4) if scope[a].isunlimited() else len(scope[a]) for a in axes)
    if not classic:
        attributes(r, v)
    if r.random() < 0.2 or 0 in shape:
        return
    if dtype is str:
        values = np.array([text(r) for _ in range(int(np.prod(shape)))], dtype=object)
        values = values.reshape(shape)
    elif dtype == "S1":
        values = np.array([r.choice("abcxyz") for _ in range(int(np.prod(shape)))], dtype="S1")
        values = values.reshape(shape)
    else:
        values = numbers(r, dtype, shape)
    if axes:
        v[tuple(slice(0, n) for n in shape)] = values
    else:
        v[...] = values if dtype is not str else values.item()


def make(folder, seed, count):
    os.mkdir(os.path.join(folder, "in"))
    for i in range(int(count)):
        r = random.Random("%s %d" % (seed, i))
        classic = r.random() < 0.2
        path = os.path.join(folder, "in", "%04d.nc" % i)
        form = "NETCDF4_CLASSIC" if classic else "NETCDF4"
        with netCDF4.Dataset(path, "w", format=form) as file:
            fill_group(r, file, 0, classic)


# --- comparing by netCDF-C ---

def equal(a, b, where):
    a, b = np.asarray(a), np.asarray(b)
    assert a.dtype == b.dtype, "%s: %s %s" % (where, a.dtype, b.dtype)
    assert a.shape == b.shape, "%s: %s %s" % (where, a.shape, b.shape)
    assert a.tobytes() == b.tobytes() if a.dtype != object else (a == b).all(), \
        "%s: %s %s" % (where, a, b)


def compare_attributes(a, b, where):
    assert a.ncattrs() == b.ncattrs(), "%s: %s %s" % (where, a.ncattrs(), b.ncattrs())
    for name in a.ncattrs():
        left, right = a.getncattr(name), b.getncattr(name)
        assert type(left) is type(right), "%s %s: %s %s" % (where, name, left, right)
        equal(left, right, where + " " + name)


def extent(h5, name):
    hidden = "_nc4_non_coord_" + name
    return h5[hidden if hidden in h5 else name].shape


def compare_groups(a, b, h5, where):
    dims = [(d.name, len(d), d.isunlimited()) for d in a.dimensions.values()]
    assert dims == [(d.name, len(d), d.isunlimited()) for d in b.dimensions.values()], \
        "%s: %s %s" % (where, dims, b.dimensions)
    assert list(a.variables) == list(b.variables), where
    compare_attributes(a, b, where)
    for name, left in a.variables.items():
        right, here = b.variables[name], where + "/" + name
        for v in (left, right):
            v.set_auto_maskandscale(False)
            v.set_auto_chartostring(False)
        assert left.dimensions == right.dimensions, here
        assert left.endian() == right.endian() or left.dtype.itemsize == 1, here
        assert left.filters() == right.filters(), here
        compare_attributes(left, right, here)
        # beyond what is stored netCDF-C 4.9 gives anything where two dimensions are unlimited
        stored = extent(h5, name)
        part = tuple(slice(0, n) for n in stored)
        equal(left[part or Ellipsis], right[part or Ellipsis], here)
        assert left.shape == right.shape, here
    assert list(a.groups) == list(b.groups), where
    for name in a.groups:
        compare_groups(a.groups[name], b.groups[name], h5[name], where + "/" + name)


def check(folder):
    names = sorted(os.listdir(os.path.join(folder, "in")))
    for name in names:
        there, back = (os.path.join(folder, part, name) for part in ("in", "out"))
        with netCDF4.Dataset(there) as a, netCDF4.Dataset(back) as b:
            assert a.data_model == b.data_model, name
            with h5py.File(there, "r") as h5:
                compare_groups(a, b, h5, name)
        conventions(back)
    print(len(names))


# --- what HDF5 has ---

def walk(group):
    yield group
    for name in group:
        item = group[name]
        yield from walk(item) if isinstance(item, h5py.Group) else [item]


def conventions(path):
    with h5py.File(path, "r") as file:
        uses, users, ids = set(), set(), {}
        for item in walk(file["/"]):
            if isinstance(item, h5py.Datatype):
                continue
            order = item.id.get_create_plist().get_attr_creation_order()
            assert order == 3, "%s: attribute order %d" % (item.name, order)
            if isinstance(item, h5py.Group):
                assert item.id.get_create_plist().get_link_creation_order() == 3, item.name
                continue
            scale = item.attrs.get("CLASS") == b"DIMENSION_SCALE"
            if scale:
                assert "DIMENSION_LIST" not in item.attrs, item.name
                number = int(item.attrs["_Netcdf4Dimid"])
                assert ids.setdefault(number, item.name) == item.name, number
                only = item.attrs["NAME"].startswith(NO_VARIABLE)
                if only:
                    assert item.dtype == ">f4" and item.ndim == 1, item.name
                else:
                    assert item.attrs["NAME"].decode() == item.name.split("/")[-1], item.name
            else:
                assert "NAME" not in item.attrs, item.name
                assert ("DIMENSION_LIST" in item.attrs) == (item.ndim > 0), item.name
            for axis, refs in enumerate(item.attrs.get("DIMENSION_LIST", [])):
                assert len(refs) == 1, item.name
                target = file[refs[0]]
                assert target.attrs["CLASS"] == b"DIMENSION_SCALE", target.name
                uses.add((target.name, item.name, axis))
            for ref, axis in item.attrs.get("REFERENCE_LIST", []):
                users.add((item.name, file[ref].name, int(axis)))
        assert uses == users, "%s\n%s" % (sorted(uses - users), sorted(users - uses))
        assert "_nc4_replaced_scale" not in file
        for item in walk(file["/"]):
            if isinstance(item, h5py.Dataset) and "_Netcdf4Coordinates" in item.attrs:
                numbers = item.attrs["_Netcdf4Coordinates"]
                assert len(numbers) == item.ndim, item.name
                for axis, refs in enumerate(item.attrs.get("DIMENSION_LIST", [])):
                    assert ids[numbers[axis]] == file[refs[0]].name, item.name


def value(file, v):
    if isinstance(v, h5py.Reference):
        return file[v].name
    if isinstance(v, np.ndarray) and v.dtype == object:
        return [value(file, one) for one in v]
    if isinstance(v, np.ndarray) and v.dtype.names:
        return sorted((file[one[0]].name, int(one[1])) for one in v)
    return np.asarray(v).tolist() if not isinstance(v, h5py.Empty) else "empty"


def describe(path):
    facts = {}
    with h5py.File(path, "r") as file:
        for item in walk(file["/"]):
            facts[item.name] = type(item).__name__
            for name in item.attrs:
                if name == "_NCProperties":
                    continue
                low = item.attrs.get_id(name)
                kind = low.get_type()
                facts[item.name, name] = (
                    value(file, item.attrs[name]), low.get_space().get_simple_extent_type(),
                    low.shape, kind.get_class(), kind.get_size())
            if isinstance(item, h5py.Dataset):
                plist = item.id.get_create_plist()
                facts[item.name, 0] = (item.shape, item.maxshape, str(item.dtype), item.chunks,
                                       plist.fill_value_defined(),
                                       # ours writes the fill value of strings at allocation
                                       item.dtype == object or plist.get_fill_time())
    return facts


def same(a, b):
    left, right = describe(a), describe(b)
    for key in sorted(set(left) | set(right), key=str):
        # netCDF-C 4.9 numbers some variables as it numbers scales, and has no chunks of its scales
        if isinstance(key, tuple) and key[1] == "_Netcdf4Dimid" and (key[0], "CLASS") not in left:
            continue
        assert left.get(key) == right.get(key), "%s: %s %s" % (key, left.get(key), right.get(key))


def xarray_both(path):
    import xarray
    one = xarray.open_dataset(path, engine="netcdf4")
    two = xarray.open_dataset(path, engine="h5netcdf")
    xarray.testing.assert_identical(one, two)
    print(sorted(one.variables))


def groups_of(group):
    return [group.path] + [path for child in group.groups.values() for path in groups_of(child)]


def datatree(path):
    import xarray
    engines = ("netcdf4", "h5netcdf")
    with netCDF4.Dataset(path) as file:
        paths = groups_of(file)
    for group in paths:
        one, two = (xarray.load_dataset(path, engine=e, group=group) for e in engines)
        xarray.testing.assert_identical(one, two)
        print(group, sorted((n, v.dims, v.values.tolist()) for n, v in one.variables.items()))
    if hasattr(xarray, "open_datatree"):
        one, two = (xarray.open_datatree(path, engine=e) for e in engines)
        xarray.testing.assert_identical(one, two)
        assert sorted(node.path for node in one.subtree) == sorted(paths)
        for node in one.subtree:
            alone = xarray.load_dataset(path, engine="netcdf4", group=node.path)
            xarray.testing.assert_identical(node.to_dataset(inherit=False), alone)


def model(path):
    def show(group, where):
        for d in group.dimensions.values():
            print("dim %s%s %d%s" % (where, d.name, len(d), " unlimited" * d.isunlimited()))
        for v in group.variables.values():
            v.set_auto_maskandscale(False)
            print("var %s%s(%s) %s" % (where, v.name, ",".join(v.dimensions),
                                       np.asarray(v[...]).tolist()))
        for g in group.groups.values():
            show(g, where + g.name + "/")
    with netCDF4.Dataset(path) as file:
        show(file, "/")


def phony(path):
    with h5py.File(path, "w", track_order=True) as file:
        file["a"] = np.arange(12).reshape(3, 4)
        file["b"] = np.arange(9).reshape(3, 3)
        file["c"] = np.arange(4.0)
        file.create_dataset("d", (2, 4), maxshape=(None, 4), dtype="i4")
        file["scalar"] = 5
        group = file.create_group("g", track_order=True)
        group["e"] = np.arange(3)


def serve(commands):
    for line in sys.stdin:
        words = line.rstrip("\n").split("\t")
        out, state = io.StringIO(), "ok"
        try:
            with contextlib.redirect_stdout(out):
                commands[words[0]](*words[1:])
        except BaseException:
            state = "error"
            traceback.print_exc(file=out)
        lines = out.getvalue().split("\n")[:-1]
        print("\n".join(["%s %d" % (state, len(lines))] + lines), flush=True)


if __name__ == "__main__":
    commands = {"make": make, "check": check, "same": same, "xarray": xarray_both,
                "datatree": datatree,
                "model": model, "phony": phony,
                "checked": lambda path: (conventions(path), model(path)),
                "conventions": lambda *paths: [conventions(p) for p in paths]}
    if sys.argv[1] == "serve":
        serve(commands)
    else:
        commands[sys.argv[1]](*sys.argv[2:])

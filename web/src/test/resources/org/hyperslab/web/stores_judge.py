"""Compares what xarray reads from netCDF-4 files with what it reads from stores of Zarr.

  make FOLDER SEED FIRST COUNT             writes random files FOLDER/0007.nc by netCDF-C
  compare URL TOKEN FOLDER INDEXES LIST    compares the files below FOLDER that LIST names, each with the store
                                           URL/zarr/NAME and with the references in INDEXES/NUMBER.json, where
                                           NUMBER is that of its line
"""
import collections.abc
import json
import os
import random
import sys
import traceback
import urllib.error
import urllib.parse
import urllib.request
import warnings

import fsspec
import netCDF4
import numpy as np
import xarray
import zarr

warnings.simplefilter("ignore")
NUMBERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"]


# --- random files ---

class Maker:
    """Fills a file; the lengths of unlimited dimensions are chosen when they are made."""

    def __init__(self, r):
        self.r = r
        self.lengths = {}

    def chance(self, probability):
        return self.r.random() < probability

    def numbers(self, dtype, shape):
        kind = np.dtype(dtype)
        count = int(np.prod(shape))
        if kind.kind == "f":
            values = [self.r.choice([0.0, 1.5, self.r.gauss(0, 100)]) for _ in range(count)]
        else:
            info = np.iinfo(kind)
            values = [self.r.choice([0, 1, self.r.randint(int(info.min), int(info.max))])
                      for _ in range(count)]
        return np.array(values, dtype=kind).reshape(shape)

    def text(self):
        return "".join(self.r.choice("abc xyz\u00e9\u4e2d0") for _ in range(self.r.randrange(6)))

    def attributes(self, holder):
        for i in range(self.r.randrange(3)):
            kind = self.r.randrange(6)
            name = "att%d" % i
            if kind == 0:
                holder.setncattr(name, self.text())
            elif kind == 1:
                holder.setncattr_string(name, [self.text() for _ in range(self.r.randint(1, 3))])
            elif kind == 2:
                holder.setncattr(name, np.float32(self.r.choice([0.1, float("nan"), float("inf")])))
            elif kind == 3:
                holder.setncattr(name, np.zeros(0, self.r.choice(NUMBERS)))
            else:
                values = self.numbers(self.r.choice(NUMBERS), (self.r.randint(1, 3),))
                holder.setncattr(name, values)

    def group(self, group, depth):
        names = ["d%d" % i for i in range(self.r.randint(1, 4))]
        for name in names:
            unlimited = self.chance(0.35)
            dim = group.createDimension(name, None if unlimited else self.r.randint(1, 6))
            self.lengths[dim] = self.r.randint(1, 6) if unlimited else len(dim)
        scope, here = {}, group
        while here is not None:
            for name, dim in here.dimensions.items():
                scope.setdefault(name, dim)
            here = here.parent
        self.attributes(group)
        candidates = names + ["v%d" % i for i in range(self.r.randint(1, 5))]
        self.r.shuffle(candidates)
        for name in candidates:
            if name not in names or self.chance(0.6):
                self.variable(group, name, scope)
        if depth < 2:
            for i in range(self.r.randrange(3)):
                self.group(group.createGroup("g%d" % i), depth + 1)

    def axes(self, name, scope):
        axes = self.r.sample(sorted(scope), min(len(scope), self.r.choice([0, 1, 1, 2, 2, 3])))
        if name in scope and self.chance(0.7):
            axes = [name] + [a for a in axes if a != name][:self.r.random() < 0.15]
        elif self.chance(0.8):
            axes = [a for a in axes if a != name]
        return axes

    def variable(self, group, name, scope):
        axes = self.axes(name, scope)
        dims = [scope[a] for a in axes]
        full = [self.lengths[d] for d in dims]
        dtype = self.r.choice(NUMBERS + NUMBERS + ["S1", "S1", str, str])
        options = {}
        if axes and self.chance(0.6):
            options["chunksizes"] = [self.r.randint(1, 6) if d.isunlimited() else
                                     self.r.randint(1, n) for d, n in zip(dims, full)]
        if axes and dtype is not str and self.chance(0.5):
            options.update(zlib=self.chance(0.7), shuffle=self.chance(0.5),
                           fletcher32=self.chance(0.3))
        fill = self.r.choice(["none", "none", "own", "own", "zero", "never"])
        if fill == "own":
            options["fill_value"] = ("none" if dtype is str else "x" if dtype == "S1" else
                                     self.r.choice([np.dtype(dtype).type(7),
                                                    self.numbers(dtype, (1,))[0]]))
            if dtype in ("f4", "f8") and self.chance(0.3):
                options["fill_value"] = np.dtype(dtype).type("nan")
        elif fill == "zero" and dtype not in (str, "S1"):
            options["fill_value"] = np.dtype(dtype).type(0)
        elif fill == "never" and dtype is not str:  # of strings it makes references to nothing
            options["fill_value"] = False
        if dtype not in (str, "S1"):
            options["endian"] = self.r.choice(["little", "big"])
        v = group.createVariable(name, dtype, axes, **options)
        v.set_auto_maskandscale(False)
        v.set_auto_chartostring(False)
        self.attributes(v)
        self.conventions(v, dtype, scope)
        self.write(v, dtype, dims, full, fill == "never" and dtype is not str)

    def conventions(self, v, dtype, scope):
        """Sets attributes that have a meaning for xarray."""
        if dtype in (str, "S1"):
            if dtype == "S1" and v.ndim > 0 and self.chance(0.3):
                v.setncattr("_Encoding", "utf-8")
            return
        if self.chance(0.2):
            v.scale_factor = np.dtype(self.r.choice(["f4", "f8"])).type(self.r.choice([0.1, 0.5]))
            v.add_offset = np.float64(self.r.randrange(5))
        if self.chance(0.2):
            v.missing_value = self.numbers(dtype, (1,))[0]
        elif dtype == "f8" and self.chance(0.2):
            v.missing_value = np.float64("nan")
        elif dtype in ("i2", "i4", "f8") and self.chance(0.1):
            v.units = "days since 2000-01-01"
        if dtype == "i1" and self.chance(0.3):
            v.setncattr("_Unsigned", "true")
        if self.chance(0.2):
            v.coordinates = " ".join(self.r.sample(["v0", "v1", "v2", "d0", "d1"], 2))

    def write(self, v, dtype, dims, full, never):
        """Writes all, a part or nothing, so that netCDF-C reads what is not written as it should.

        Of what is missing in the middle of rows it returns garbage: variables are short only along
        their first axis. Without a fill value, what was never written has no value.
        """
        if not dims:
            if never or self.chance(0.8):
                v[...] = self.values(dtype, ()).item()
            return
        first = dims[0].isunlimited() and not any(d.isunlimited() for d in dims[1:])
        if not never and self.chance(0.15):
            return
        shape = list(full)
        if first and self.chance(0.5):
            shape[0] = self.r.randint(0 if not never else 1, full[0])
        elif not first and not never and not any(d.isunlimited() for d in dims):
            if self.chance(0.4):
                shape = [self.r.randint(1, n) for n in full]
        if 0 in shape:
            return
        v[tuple(slice(0, n) for n in shape)] = self.values(dtype, shape)

    def values(self, dtype, shape):
        count = int(np.prod(shape))
        if dtype is str:
            return np.array([self.r.choice(["none", self.text()]) for _ in range(count)],
                            dtype=object).reshape(shape)
        if dtype == "S1":
            return np.array([self.r.choice("abcx") for _ in range(count)], "S1").reshape(shape)
        return self.numbers(dtype, shape)


def make(folder, seed, first, count):
    for i in range(int(first), int(first) + int(count)):
        r = random.Random("%s %d" % (seed, i))
        with netCDF4.Dataset("%s/%04d.nc" % (folder, i), "w") as file:
            Maker(r).group(file, 0)


# --- stores ---

class Served(collections.abc.MutableMapping):
    """The keys of a store over HTTP."""

    def __init__(self, url, token, name):
        self.base = url + "/zarr/" + urllib.parse.quote(name) + "/"
        self.token = token

    def __getitem__(self, key):
        request = urllib.request.Request(
            self.base + urllib.parse.quote(key), headers={"Authorization": "Bearer " + self.token})
        try:
            with urllib.request.urlopen(request) as reply:
                return reply.read()
        except urllib.error.HTTPError as missing:
            if missing.code == 404:
                raise KeyError(key)
            raise RuntimeError("%s: %r" % (key, missing.read()))

    def __setitem__(self, key, value):
        raise NotImplementedError

    def __delitem__(self, key):
        raise NotImplementedError

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0


class Referred(Served):
    """The keys of an index, one by one: of several at once fsspec 2022.11 wants every one there."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as text:
            refs = json.load(text, parse_constant=lambda word: 1 / 0)
        self.files = fsspec.filesystem("reference", fo=refs, remote_protocol="file")

    def __getitem__(self, key):
        if key not in self.files.references:
            raise KeyError(key)
        return self.files.cat_file(key)

    def __iter__(self):
        return iter(self.files.references)

    def __len__(self):
        return len(self.files.references)


# --- comparing ---

compared = {"files": 0, "groups": 0, "variables": 0, "wide": 0, "refused": 0,
            "crashed": 0}
differences = []
READINGS = [{}, {"mask_and_scale": False, "decode_times": False, "concat_characters": False},
            {"decode_cf": False}]


def plain(value):
    """A value of an attribute without the difference between NumPy's and Python's scalars."""
    if isinstance(value, np.ndarray):
        return [plain(each) for each in value.tolist()]
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and value != value:
        return "NaN"
    if isinstance(value, (int, float)):
        return type(value).__name__, value
    return value


def attributes(holder):
    return {name: plain(value) for name, value in holder.items()}


def equal(one, other):
    if one.dtype.newbyteorder("=") != other.dtype.newbyteorder("=") or one.shape != other.shape:
        return False
    if one.dtype.kind == "O":
        return [plain(each) for each in one.ravel()] == [plain(each) for each in other.ravel()]
    if one.dtype.kind == "V":
        return one.tobytes() == other.tobytes()
    return np.array_equal(one, other, equal_nan=one.dtype.kind in "fcmM")


def differ(theirs, ours):
    """Yields what differs between two datasets."""
    for what in ("dims", "attrs"):
        one, other = getattr(theirs, what), getattr(ours, what)
        if attributes(dict(one)) != attributes(dict(other)):
            yield "%s: %s, expected %s" % (what, dict(other), dict(one))
    for what in ("coords", "data_vars"):
        one, other = set(getattr(theirs, what)), set(getattr(ours, what))
        if one != other:
            yield "%s: %s, expected %s" % (what, sorted(other), sorted(one))
    for name in set(theirs.variables) & set(ours.variables):
        one, other = theirs.variables[name], ours.variables[name]
        compared["variables"] += 1
        if one.dims != other.dims:
            yield "%s: dims %s, expected %s" % (name, other.dims, one.dims)
        elif not equal(np.asarray(one.values), np.asarray(other.values)):
            yield "%s: %s %s, expected %s %s" % (
                name, other.dtype, other.values.tolist(), one.dtype, one.values.tolist())
        if attributes(one.attrs) != attributes(other.attrs):
            yield "%s: attrs %s, expected %s" % (name, other.attrs, one.attrs)


def groups_of(group):
    return [group.path] + [path for child in group.groups.values() for path in groups_of(child)]


def wide(group):
    """The variables that xarray refuses: with the name of one of several dimensions."""
    return [v.name for v in group.variables.values() if v.ndim > 1 and v.name in v.dimensions]


def compare_wide(where, variable, stores):
    """Compares what zarr-python reads of a variable that xarray refuses."""
    variable.set_auto_maskandscale(False)
    variable.set_auto_chartostring(False)
    try:
        expected = np.asarray(variable[...])
    except RuntimeError:
        compared["refused"] += 1  # netCDF-C does not read it
        return
    for kind, store, _ in stores:
        array = zarr.open_group(store, mode="r")[where.strip("/")]
        if tuple(array.attrs["_ARRAY_DIMENSIONS"]) != variable.dimensions:
            differences.append("%s %s: dims %s" % (where, kind, array.attrs["_ARRAY_DIMENSIONS"]))
        elif not equal(expected, np.asarray(array[...])):
            differences.append("%s %s: values" % (where, kind))


def opened(*arguments, **options):
    try:
        return xarray.load_dataset(*arguments, **options), None
    except Exception as refused:
        return None, refused


def compare_file(name, path, stores):
    try:
        file = netCDF4.Dataset(path)
    except Exception:
        return  # netCDF-C does not open it
    compared["files"] += 1
    refused = {}
    with file:
        for group in groups_of(file):
            refused[group] = wide(file if group == "/" else file[group])
            for variable in refused[group]:
                compared["wide"] += 1
                where = group.rstrip("/") + "/" + variable
                compare_wide(where, file[where], stores)
    for group in refused:
        compared["groups"] += 1
        for reading in READINGS:
            reading = dict(reading, drop_variables=refused[group])
            theirs, refusal = opened(path, engine="netcdf4", group=group, **reading)
            for kind, store, consolidated in stores:
                ours, failure = opened(store, engine="zarr", group=group.strip("/"), **reading,
                                       backend_kwargs={"consolidated": consolidated})
                if theirs is None or ours is None:
                    compared["refused"] += 1
                    of_netcdf = isinstance(refusal, RuntimeError)  # netCDF-C does not read it
                    if type(refusal) is not type(failure) and not of_netcdf:
                        differences.append("%s %s %s %s: %r, expected %r" % (
                            name, group, kind, reading, failure, refusal))
                    continue
                for difference in differ(theirs, ours):
                    differences.append("%s %s %s %s: %s" % (name, group, kind, reading, difference))


def alone(action):
    """Runs an action in a process of its own, because netCDF-C crashes on some files."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        compared.update(dict.fromkeys(compared, 0))
        differences.clear()
        try:
            action()
        except BaseException:
            differences.append(traceback.format_exc())
        with os.fdopen(writing, "w") as out:
            json.dump([compared, differences], out)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as out:
        text = out.read()
    os.waitpid(child, 0)
    if not text:
        compared["crashed"] += 1
        return
    counts, found = json.loads(text)
    for key, count in counts.items():
        compared[key] += count
    differences.extend(found)


def compare(url, token, folder, indexes, names):
    for number, line in enumerate(open(names, encoding="utf-8")):
        name = line.rstrip("\n")
        stores = [("serve", Served(url, token, name), True)]
        index = "%s/%d.json" % (indexes, number)
        if os.path.exists(index):
            stores.append(("index", Referred(index), False))
        alone(lambda: compare_file(name, folder + "/" + name, stores))
    print(json.dumps(compared))
    for difference in differences:
        print(difference.replace("\n", " ")[:2000])


if __name__ == "__main__":
    {"make": make, "compare": compare}[sys.argv[1]](*sys.argv[2:])

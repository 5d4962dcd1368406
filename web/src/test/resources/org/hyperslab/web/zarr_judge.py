"""Compares files as zarr-python reads them with what h5py reads: URL TOKEN FOLDER LIST

They are read from a server, or if the token is "references", by the references in the files that
are named by their numbers in the list, below the folder that the URL is then.
"""
import collections.abc
import json
import os
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

import h5py
import numpy as np
import zarr

url, token, folder, names = sys.argv[1:5]
MOST = 200_000


class Store(collections.abc.MutableMapping):
    """The keys of a store over HTTP."""

    def __init__(self, name):
        self.base = url + "/zarr/" + urllib.parse.quote(name) + "/"

    def __getitem__(self, key):
        request = urllib.request.Request(
            self.base + urllib.parse.quote(key), headers={"Authorization": "Bearer " + token})
        try:
            with urllib.request.urlopen(request) as reply:
                return reply.read()
        except urllib.error.HTTPError as missing:
            if missing.code == 404:
                raise KeyError(key)
            raise

    def __setitem__(self, key, value):
        raise NotImplementedError

    def __delitem__(self, key):
        raise NotImplementedError

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0


class References(Store):
    """The keys of an index, one by one: of several at once fsspec 2022.11 wants every one there."""

    def __init__(self, path):
        import fsspec

        self.files = fsspec.filesystem("reference", fo=path, remote_protocol="file")

    def __getitem__(self, key):
        if key not in self.files.references:
            raise KeyError(key)
        return self.files.cat_file(key)



def spelled(raw):
    """A text as JSON has it: bytes that are not UTF-8 are spelled, by the definition."""
    text = raw.decode("utf-8", "surrogateescape") if isinstance(raw, bytes) else raw
    text = re.sub(r"\\(?=(?:u005c)*udc[89a-f][0-9a-f])", r"\\u005c", text)
    return re.sub("[\udc80-\udcff]", lambda one: "\\u%04x" % ord(one.group()), text)


compared = {"files": 0, "groups": 0, "arrays": 0, "without a type": 0}
differences = []


def equal(ours, theirs):
    if theirs.dtype.hasobject:
        texts = [spelled(each) for each in theirs.ravel()]
        return list(ours.ravel()) == texts
    if theirs.dtype.names is not None:
        return all(equal(ours[name], theirs[name]) for name in theirs.dtype.names)
    if theirs.dtype.kind in "SV":
        return ours.tobytes() == theirs.tobytes()
    return np.array_equal(ours, theirs, equal_nan=theirs.dtype.kind in "fc")


def shown(path, item):
    """The path of an array; None for a dataset that only stands for a dimension of netCDF-4."""
    mark = item.attrs.get("NAME") if "NAME" in item.attrs else b""
    if isinstance(mark, bytes) and mark.startswith(b"This is a netCDF dimension but not a netCDF variable"):
        return None
    return path.replace("_nc4_non_coord_", "")


def stored(array, shape):
    """The elements that the dataset has; an array is as long as its unlimited dimensions."""
    longer = len(array.shape) == len(shape) and all(n >= m for n, m in zip(array.shape, shape))
    return np.asarray(array[tuple(slice(0, n) for n in shape)]) if longer else None


def opened(name, number):
    if token != "references":
        return zarr.open_consolidated(Store(name), mode="r"), zarr.open_group(Store(name), mode="r")
    references = f"{url}/{number}.json"
    if not os.path.exists(references):
        raise OSError("not indexed")
    json.load(open(references, encoding="utf-8"), parse_constant=lambda word: 1 / 0)
    group = zarr.open_group(References(references), mode="r")
    return group, group


def compare(name, number):
    with h5py.File(folder + "/" + name, "r") as file:
        root, plain = opened(name, number)
        compared["files"] += 1

        def visit(path, item):
            if isinstance(item, h5py.Group):
                compared["groups"] += 1
                if "\\" not in spelled(path) and path not in root:
                    differences.append(f"{name} {path}: no group")
            if not isinstance(item, h5py.Dataset) or "\\" in spelled(path):
                return  # zarr-python takes a backslash for a slash
            try:
                if item.shape is None or item.is_virtual or item.external is not None:
                    return
                if item.size > MOST or item.size * item.dtype.itemsize > 1e8:
                    return
                theirs = np.asarray(item[()])
                if h5py.check_string_dtype(item.dtype) is not None and item.dtype.hasobject:
                    theirs = theirs.astype(object)  # of a scalar NumPy makes fixed bytes
                path = shown(path, item)
                if path is None:
                    return
            except Exception:
                return  # h5py does not read it
            if path not in root:
                plain_type = item.dtype.kind in "iufb" and item.dtype.itemsize in (1, 2, 4, 8)
                native = item.id.get_type()
                whole = not isinstance(native, (h5py.h5t.TypeIntegerID, h5py.h5t.TypeFloatID)) or (
                    native.get_precision() == 8 * native.get_size()
                    and (not isinstance(native, h5py.h5t.TypeFloatID)
                         or native.get_ebias() in (15, 127, 1023) and native.get_order() in (0, 1)))
                if plain_type and whole and token != "references":
                    differences.append(f"{name} {path} {item.dtype}: not there")
                compared["without a type"] += 1
                return
            try:
                ours = (plain if compared["arrays"] % 2 else root)[path]
                found = stored(ours, item.shape)
                good = found is not None and equal(found, theirs)
            except Exception as failure:
                differences.append(f"{name} {path} {item.dtype}: {failure!r}")
                return
            compared["arrays"] += 1
            if not good:
                differences.append(f"{name} {path} {item.dtype} {item.shape}")

        file.visititems(visit)


for number, line in enumerate(open(names, encoding="utf-8")):
    try:
        compare(line.rstrip("\n"), number)
    except urllib.error.HTTPError as refused:
        differences.append(f"{line.strip()}: {refused.url} {refused.read()!r}")
    except (OSError, KeyError, RuntimeError, UnicodeError):
        pass  # h5py does not open it, or something in it

print(json.dumps(compared))
for difference in differences:
    print(difference)

"""Compares HDF5 files that went through another format with the originals: LIST

Each line of the list names an original and the file that came back, separated by a tab. What the
other format does not hold is not in the second file; all that is must be equal.
"""
import json
import sys

import h5py
import numpy as np

MOST = 300_000
compared = {"files": 0, "datasets": 0}
differences = []


def texts(values, dtype):
    """The strings of an array, or of the characters along its last axis, without padding."""
    if h5py.check_string_dtype(dtype) is not None or dtype.kind in "SO":
        flat = [each if isinstance(each, bytes) else str(each).encode("utf-8", "surrogateescape")
                for each in np.asarray(values).ravel()]
        return [each.split(b"\0")[0].rstrip(b" ") for each in flat]
    return None


def same(ours, theirs):
    if theirs.dtype.names is not None:
        return ours.dtype.names is not None and all(
            same(ours[one], theirs[other]) for one, other in zip(ours.dtype.names, theirs.dtype.names))
    if theirs.dtype.kind in "iufbc" and ours.dtype.kind in "iufbc":
        return np.array_equal(ours, theirs, equal_nan=ours.dtype.kind in "fc" and theirs.dtype.kind in "fc")
    if ours.dtype == theirs.dtype and ours.dtype.kind == "V":
        return ours.tobytes() == theirs.tobytes()
    left, right = texts(ours, ours.dtype), texts(theirs, theirs.dtype)
    if left is None or right is None:
        return None
    if len(left) != len(right) and ours.dtype.itemsize == 1 and ours.ndim == theirs.ndim + 1:
        rows = np.asarray(ours).reshape(len(right), -1)
        left = [row.tobytes().split(b"\0")[0].rstrip(b" ") for row in rows]
    return left == right


def compare(original, back):
    with h5py.File(original, "r") as file, h5py.File(back, "r") as other:
        compared["files"] += 1

        def visit(path, ours):
            if not isinstance(ours, h5py.Dataset) or path not in file:
                return
            theirs = file[path]
            if not isinstance(theirs, h5py.Dataset) or theirs.shape is None or ours.shape is None:
                return
            if theirs.is_virtual or theirs.external is not None or theirs.size > MOST or ours.size > MOST:
                return
            try:
                expected = np.asarray(theirs[()])
            except Exception:
                return  # h5py does not read it
            if h5py.check_ref_dtype(theirs.dtype) is h5py.Reference:  # a text names what it leads to
                expected = np.array([file[each].name if each else "" for each in expected.ravel()], object).reshape(expected.shape)
            got = np.asarray(ours[()])
            if got.ndim == expected.ndim and got.shape != expected.shape and got.size > expected.size:
                got = got[tuple(slice(0, n) for n in expected.shape)]  # as long as its unlimited dimension
            equal = same(got, expected)
            if equal is None:
                return
            compared["datasets"] += 1
            if not equal:
                differences.append(f"{original} {back} {path}: {theirs.dtype} {theirs.shape}, {ours.dtype} {ours.shape}")

        other.visititems(visit)


for line in open(sys.argv[1], encoding="utf-8"):
    original, back = line.rstrip("\n").split("\t")
    try:
        compare(original, back)
    except (OSError, KeyError, RuntimeError, UnicodeError) as failure:
        if original not in str(failure):
            try:
                h5py.File(original, "r").close()
                differences.append(f"{original} {back}: {failure!r}")
            except OSError:
                pass  # h5py does not open the original

print(json.dumps(compared))
for difference in differences:
    print(difference)

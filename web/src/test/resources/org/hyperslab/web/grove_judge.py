"""Compares what a server says of files with what h5py reads: URL TOKEN FOLDER LIST

LIST has the names of files below FOLDER, one a line. Prints how many datasets and attributes were
compared, then each difference.
"""
import io
import json
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

import h5py
import numpy as np

url, token, folder, names = sys.argv[1:5]
MOST = 200_000
compared = {"files": 0, "datasets": 0, "binary": 0, "npy": 0, "text": 0, "attributes": 0, "statistics": 0}
differences = []


def ask(page, **query):
    address = url + page + "?" + urllib.parse.urlencode(query, errors="surrogateescape")
    request = urllib.request.Request(address, headers={"Authorization": "Bearer " + token})
    with urllib.request.urlopen(request) as reply:
        return reply.read()


def spelled(raw):
    """A text as JSON has it: bytes that are not UTF-8 are spelled, by the definition."""
    text = raw.decode("utf-8", "surrogateescape") if isinstance(raw, bytes) else raw
    text = re.sub(r"\\(?=(?:u005c)*udc[89a-f][0-9a-f])", r"\\u005c", text)
    return re.sub("[\udc80-\udcff]", lambda one: "\\u%04x" % ord(one.group()), text)


def plain(value, dtype):
    """What JSON is to say of a value that h5py has read."""
    if h5py.check_ref_dtype(dtype) is not None:
        return None  # the text of a reference is ours
    if dtype.names is not None:
        return [plain(value[name], dtype[name]) for name in dtype.names]
    if dtype.subdtype is not None:
        base = dtype.subdtype[0]
        return None if base.hasobject else nested(np.asarray(value), base)
    vlen = h5py.check_vlen_dtype(dtype)
    if isinstance(vlen, np.dtype):
        return [plain(each, vlen) for each in value]
    if isinstance(value, (bytes, np.bytes_)):
        return spelled(bytes(value).split(b"\0")[0])
    if isinstance(value, str):
        return spelled(value)
    if dtype.kind == "b":
        return bool(value)
    if dtype.kind == "V":
        return list(bytes(value))
    if dtype.kind == "c":
        return [number(value.real), number(value.imag)]
    if dtype.kind == "f":
        return number(value)
    if dtype.kind in "iu":
        return int(value)
    return None


def number(value):
    return float(value) if np.isfinite(value) else None


def nested(array, dtype):
    while dtype.subdtype is not None:
        dtype = dtype.subdtype[0]
        if dtype.hasobject:
            return None  # NumPy makes one array of sequences of equal length
    if array.ndim == 0:
        return plain(array[()], dtype)
    return [nested(each, dtype) if isinstance(each, np.ndarray) and array.ndim > 1 else plain(each, dtype) for each in array]


def same(ours, theirs):
    if theirs is None:
        return True  # not compared, or NaN
    if isinstance(theirs, list):
        return isinstance(ours, list) and len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(theirs, float):
        return ours is not None and (ours == theirs or abs(ours - theirs) <= 1e-6 * abs(theirs))
    return ours == theirs


def check(what, good):
    if not good:
        differences.append(what)


def compare_dataset(name, path, dataset):
    data = dataset[()]
    array = np.asarray(data)
    dtype = dataset.dtype
    where = f"{name} {path} {dtype} {dataset.shape}"
    compared["datasets"] += 1
    meta = json.loads(ask("/meta", file=name, path=path))
    check(where + " shape", meta["kind"] == "dataset" and meta["shape"] == list(dataset.shape))
    check(where + " chunks", (meta["chunks"] and tuple(meta["chunks"])) == dataset.chunks)
    if dtype.kind in "iufb" and dtype.itemsize <= 8 and meta["type"]["class"] in (0, 1, 8):
        safe = "<f4" if dtype.kind == "f" and dtype.itemsize < 8 else dtype.newbyteorder("<")
        raw = ask("/data", file=name, path=path, format="bin", dtype="safe")
        check(where + " bin", raw == array.astype(safe).tobytes())
        compared["binary"] += 1
        if array.ndim > 0 and array.size > 0:
            part = tuple(slice(n // 3, n - n // 4, 2) for n in array.shape)
            text = ",".join(f"{s.start}:{s.stop}:2" for s in part)
            raw = ask("/data", file=name, path=path, format="bin", dtype="safe", selection=text)
            check(where + " slice " + text, raw == array[part].astype(safe).tobytes())
        statistics = json.loads(ask("/stats", file=name, path=path))
        finite = array[np.isfinite(array)].astype("f8")
        compared["statistics"] += 1
        if finite.size and abs(finite).max() < 1e100:
            check(where + " stats", np.allclose(
                [statistics["min"], statistics["max"], statistics["mean"], statistics["std"]],
                [finite.min(), finite.max(), finite.mean(), finite.std()]))
    if meta["type"]["class"] in (0, 1, 8) or dtype.kind == "c":
        try:
            loaded = np.load(io.BytesIO(ask("/data", file=name, path=path, format="npy")))
            check(where + " npy", loaded.shape == array.shape and loaded.tobytes() == array.tobytes())
            compared["npy"] += 1
        except urllib.error.HTTPError as refused:
            check(where + " npy " + str(refused), refused.code == 422)
    if array.size <= 5000:
        ours = json.loads(ask("/data", file=name, path=path))
        expected = plain(data, dtype) if dataset.shape == () else nested(array, dtype)
        check(where + " json", same(ours, expected))
        compared["text"] += 1


def compare_attributes(name, path, item):
    if not len(item.attrs):
        return
    ours = json.loads(ask("/attr", file=name, path=path))
    check(f"{name} {path} attributes", sorted(ours) == sorted(map(spelled, item.attrs)))
    for key in item.attrs:
        try:
            attribute = item.attrs.get_id(key)
            value = np.asarray(item.attrs[key])
        except Exception:
            continue
        if isinstance(item.attrs[key], h5py.Empty):
            check(f"{name} {path} @{key}", ours[spelled(key)] is None)
        elif attribute.dtype.subdtype is None:
            check(f"{name} {path} @{key} {ours[spelled(key)]!r}", same(ours[spelled(key)], nested(value, attribute.dtype)))
        compared["attributes"] += 1


def compare(name):
    with h5py.File(folder + "/" + name, "r") as file:
        compared["files"] += 1

        def visit(path, item):
            path = "/" + path
            compare_attributes(name, path, item)
            if not isinstance(item, h5py.Dataset):
                return
            try:
                # What h5py does not read is not compared; what the server does not is a difference.
                readable = item.shape is not None and item.size <= MOST and item.size * item.dtype.itemsize < 1e8 and item.external is None
                if not readable or item.is_virtual:
                    return
                item[()]
            except Exception:
                return
            try:
                compare_dataset(name, path, item)
            except urllib.error.HTTPError as refused:
                differences.append(f"{name} {path} {item.dtype}: {refused.url} {refused.read()!r}")

        compare_attributes(name, "/", file)
        file.visititems(visit)


for line in open(names, encoding="utf-8"):
    try:
        compare(line.rstrip("\n"))
    except urllib.error.HTTPError as refused:
        differences.append(f"{line.strip()}: {refused.url} {refused.read()!r}")
    except (OSError, KeyError, RuntimeError, UnicodeError):
        pass  # h5py does not open it, or something in it

print(json.dumps(compared))
for difference in differences:
    print(difference)

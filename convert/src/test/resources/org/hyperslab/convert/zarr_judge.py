"""Makes random hierarchies of Zarr, and judges what came back of them.

Version 2 is written and read by zarr-python; version 3 by the functions here, which follow the
specification and share no code with the project.

zarr_judge.py make FOLDER SEED COUNT   writes FOLDER/in/N.zarr, .zarr3, .zarr.zip
zarr_judge.py check FOLDER             compares FOLDER/h5/NAME.h5 and FOLDER/back/NAME with them
"""
import base64
import itertools
import json
import pathlib
import random
import sys
import warnings
import zlib

import h5py
import numcodecs
import numpy as np
import zarr

warnings.simplefilter("ignore")
CRC = []
for byte in range(256):
    value = byte
    for _ in range(8):
        value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    CRC.append(value)


def crc32c(data):
    value = 0xFFFFFFFF
    for byte in data:
        value = value >> 8 ^ CRC[(value ^ byte) & 255]
    return value ^ 0xFFFFFFFF


def random_values(rng, np_rng, dtype, shape):
    dtype = np.dtype(dtype)
    if dtype.kind == "O":
        texts = [rng.choice(["", "a", "grün", "数学", "a longer text " * 9]) for _ in range(int(np.prod(shape)))]
        return np.array(texts, object).reshape(shape)
    if dtype.kind == "S":
        return np.array([rng.choice([b"", b"a", b"xyz"]) for _ in range(int(np.prod(shape)))], dtype).reshape(shape)
    if dtype.kind == "b":
        return np_rng.integers(0, 2, shape).astype(dtype)
    if dtype.kind == "U":
        texts = [rng.choice(["", "a", "grün", "数", "four"])[: dtype.itemsize // 4] for _ in range(int(np.prod(shape)))]
        return np.array(texts, dtype).reshape(shape)
    if dtype.kind in "fc":
        return (np_rng.normal(size=shape) * 10).astype(dtype)
    raw = np_rng.integers(0, 4, int(np.prod(shape)) * dtype.itemsize, dtype=np.uint8)
    return np.frombuffer(raw.tobytes(), dtype).reshape(shape)


def random_attributes(rng):
    choices = {
        "units": "m",
        "title": "grün",
        "n": rng.randint(-5, 2**62),
        "scale": rng.random(),
        "whole": 2.0,
        "flag": True,
        "list": [1, 2, 3],
        "texts": ["a", "bc"],
        "nested": {"a": [1, {"b": None}]},
        "mixed": [1, "a", 2.5],
        "none": None,
        "empty": [],
    }
    return {k: choices[k] for k in rng.sample(sorted(choices), rng.randint(0, 5))}


NUMBERS = ["|b1", "|i1", "|u1", "<i2", ">i4", "<i8", "<u2", ">u8", "<f2", "<f4", ">f4", "<f8", ">f8", "<c8", "<c16"]


def shapes(rng):
    shape = tuple(rng.choice([1, 3, 5, 8, 13]) for _ in range(rng.randint(0, 3)))
    return shape, tuple(rng.randint(1, n + 2) for n in shape)


# --- version 2, by zarr-python ---


def random_filters(rng, dtype):
    """Filters that computations with elements undo, and codecs of bytes behind them."""
    order = rng.choice("<>")
    filters, size = [], dtype.itemsize
    if dtype.kind in "iu":
        filters = rng.choice([
            [numcodecs.Delta(dtype.str)],
            [numcodecs.Delta(dtype.str, order + "i8"), numcodecs.AsType(order + "i4", order + "i8")],
            [numcodecs.AsType(order + "f8", dtype.str)],
            [numcodecs.AsType("|u1", dtype.str)]])
    elif dtype.kind == "f":
        filters = rng.choice([
            [numcodecs.Delta(dtype.str)],
            [numcodecs.FixedScaleOffset(1.5, 100.0, dtype.str, order + "i4")],
            [numcodecs.FixedScaleOffset(-20.0, 10.0, dtype.str, order + "i4"), numcodecs.Delta(order + "i4")],
            [numcodecs.Quantize(2, dtype.str, order + "f4")],
            [numcodecs.BitRound(5) if dtype.isnative else numcodecs.Delta(dtype.str)]])
    elif dtype.kind == "b":
        filters = [numcodecs.PackBits()]
    if not filters or rng.random() < 0.2:
        filters = [numcodecs.Shuffle(size)]
    if rng.random() < 0.2:
        filters = filters + [rng.choice([numcodecs.CRC32(), numcodecs.Adler32()])]
    return filters


def make2(path, rng, np_rng, as_zip):
    compressors = [None, numcodecs.Zlib(3), numcodecs.GZip(2), numcodecs.Zstd(3), numcodecs.BZ2(1)]
    compressors += [numcodecs.LZ4(1)]
    compressors += [numcodecs.Blosc(c, 5, s) for c in ["lz4", "zstd", "zlib", "blosclz"] for s in [0, 1, 2]]
    store = zarr.ZipStore(str(path), mode="w") if as_zip else zarr.DirectoryStore(str(path))
    root = zarr.open_group(store, mode="w")
    root.attrs.put(random_attributes(rng))
    dims = {}
    for name in ["a", "b", "inner/c", "inner/deep/d"][: rng.randint(0, 4)]:
        shape, chunks = shapes(rng)
        if rng.random() < 0.2:
            array = root.create_dataset(
                name, shape=shape, chunks=chunks, dtype=object, object_codec=rng.choice([numcodecs.VLenUTF8(), numcodecs.JSON()]) if shape else numcodecs.VLenUTF8(), fill_value=rng.choice(["", "unset", None]),
                compressor=rng.choice(compressors), dimension_separator=rng.choice("./"))
            if array.fill_value is None or rng.random() < 0.8:
                array[...] = random_values(rng, np_rng, object, shape) if shape else "only"
            array.attrs.put(random_attributes(rng))
            continue
        dtype = rng.choice(NUMBERS + ["|S5", "<U4", "|V3", "<M8[ns]", [("x", "<i4"), ("y", "<f8", (2,)), ("z", "<U2")]])
        fill = rng.choice([None, 0, 1]) if np.dtype(dtype).kind in "biufc" else rng.choice([None, 0]) if np.dtype(dtype).kind == "M" else None
        if np.dtype(dtype).kind == "f" and rng.random() < 0.3:
            fill = rng.choice([np.nan, np.inf, -1.5])
        if np.dtype(dtype).kind == "U":
            fill = rng.choice([None, "ü"])
        if np.dtype(dtype).kind == "S":
            fill = rng.choice([None, b"ab"])
        array = root.create_dataset(
            name, shape=shape, chunks=chunks, dtype=dtype, fill_value=fill, order=rng.choice("CF"),
            compressor=rng.choice(compressors), dimension_separator=rng.choice("./"),
            filters=random_filters(rng, np.dtype(dtype)) if rng.random() < 0.4 else None)
        if fill is None or rng.random() < 0.8:
            if np.dtype(dtype).names:
                whole = np.zeros(shape, dtype)
                for field in whole.dtype.names:
                    whole[field] = random_values(rng, np_rng, whole[field].dtype, whole[field].shape)
                array[...] = whole
            else:
                array[...] = random_values(rng, np_rng, dtype, shape)
        elif shape and np.dtype(dtype).kind in "iuf":
            array[tuple(slice(0, n // 2) for n in shape)] = 7 if np.dtype(dtype).kind != "b" else 1
        attributes = random_attributes(rng)
        if rng.random() < 0.6:
            names = ["d%d" % n for n in shape]
            if len(set(names)) == len(names):
                attributes["_ARRAY_DIMENSIONS"] = names
        array.attrs.put(attributes)
    if rng.random() < 0.5:
        zarr.consolidate_metadata(store)
    store.close()


def open2(path):
    store = zarr.ZipStore(str(path), mode="r") if path.suffix == ".zip" else zarr.DirectoryStore(str(path))
    return zarr.open_group(store, mode="r")


def read2(path):
    found = {}

    def visit(group, prefix):
        found[prefix] = (dict(group.attrs), None)
        for name, child in group.groups():
            visit(child, prefix + "/" + name)
        for name, array in group.arrays():
            found[prefix + "/" + name] = (dict(array.attrs), array[...])

    visit(open2(path), "")
    return found


# --- version 3, by the specification ---

TYPES = {"bool": "b1", "int8": "i1", "uint8": "u1", "int16": "i2", "int32": "i4", "int64": "i8", "uint16": "u2", "uint32": "u4",
         "uint64": "u8", "float16": "f2", "float32": "f4", "float64": "f8", "complex64": "c8", "complex128": "c16", "r24": "V3"}


EXTENSIONS = [({"name": "null_terminated_bytes", "configuration": {"length_bytes": 5}}, "S5"),
              ({"name": "fixed_length_utf32", "configuration": {"length_bytes": 16}}, "U4"),
              ({"name": "numpy.datetime64", "configuration": {"unit": "ns", "scale_factor": 1}}, "M8[ns]"),
              ({"name": "numpy.timedelta64", "configuration": {"unit": "s", "scale_factor": 1}}, "m8[s]"),
              ("string", "O")]


def dtype_of(data_type):
    return np.dtype(TYPES[data_type] if data_type in list(TYPES) else next(d for t, d in EXTENSIONS if t["name"] == data_type["name"]) if isinstance(data_type, dict) else "O")


def dtype_is_plain(part):
    return part.dtype.kind not in "OMm"


def encode_chunk(array, codecs):
    data = None
    for codec in codecs:
        conf = codec.get("configuration", {})
        name = codec["name"]
        if name == "transpose":
            array = array.transpose(conf["order"])
        elif name == "numcodecs.delta":
            array = numcodecs.Delta(conf["dtype"], conf["astype"]).encode(array).reshape(array.shape)
        elif name == "vlen-utf8":
            data = bytes(numcodecs.VLenUTF8().encode(array.reshape(-1)))
        elif name == "bytes":
            order = ">" if conf.get("endian") == "big" else "<"
            data = array.astype(array.dtype.newbyteorder(order)).tobytes()
        elif name == "sharding_indexed":
            inner = conf["chunk_shape"]
            grid = [n // c for n, c in zip(array.shape, inner)]
            body, index = b"", []
            index_size = 16 * int(np.prod(grid)) + (4 if len(conf["index_codecs"]) > 1 else 0)
            start = index_size if conf.get("index_location") == "start" else 0
            for i, at in enumerate(itertools.product(*map(range, grid))):
                part = array[tuple(slice(a * c, a * c + c) for a, c in zip(at, inner))]
                if dtype_is_plain(part) and not np.any(part != np.zeros(1, part.dtype)[0]):
                    index.append((2**64 - 1, 2**64 - 1))
                    continue
                encoded = encode_chunk(part, conf["codecs"])
                index.append((start + len(body), len(encoded)))
                body += encoded
            table = np.array(index, "<u8").tobytes()
            if len(conf["index_codecs"]) > 1:
                table += crc32c(table).to_bytes(4, "little")
            data = table + body if start or conf.get("index_location") == "start" else body + table
        elif name == "gzip":
            data = numcodecs.GZip(conf["level"]).encode(data)
        elif name == "zstd":
            data = bytes(numcodecs.Zstd(conf["level"]).encode(data))
        elif name == "blosc":
            shuffle = ["noshuffle", "shuffle", "bitshuffle"].index(conf["shuffle"])
            typed = np.frombuffer(data, "V%d" % conf["typesize"]) if len(data) % conf["typesize"] == 0 else data
            data = bytes(numcodecs.Blosc(conf["cname"], conf["clevel"], shuffle).encode(typed))
        elif name == "crc32c":
            data += crc32c(data).to_bytes(4, "little")
        else:
            raise ValueError(name)
    return data


def decode_chunk(data, codecs, shape, dtype):
    for codec in reversed(codecs):
        name = codec["name"]
        if name == "gzip":
            data = zlib.decompress(data, 31)
        elif name in ("zstd", "blosc"):
            data = bytes((numcodecs.Zstd() if name == "zstd" else numcodecs.Blosc()).decode(data))
        elif name == "crc32c":
            assert crc32c(data[:-4]).to_bytes(4, "little") == data[-4:]
            data = data[:-4]
        elif name == "vlen-utf8":
            return numcodecs.VLenUTF8().decode(data).reshape(shape)
        elif name == "bytes":
            order = ">" if codec.get("configuration", {}).get("endian") == "big" else "<"
            if codecs[0]["name"] == "numcodecs.delta":
                conf = codecs[0]["configuration"]
                encoded = np.frombuffer(data, np.dtype(conf["astype"]).newbyteorder(order)).astype(conf["astype"])
                return numcodecs.Delta(conf["dtype"], conf["astype"]).decode(encoded).reshape(shape)
            return np.frombuffer(data, np.dtype(dtype).newbyteorder(order)).reshape(shape)
        else:
            raise ValueError(name)


def make3(path, rng, np_rng):
    path.mkdir()
    documents = {}
    documents[""] = {"zarr_format": 3, "node_type": "group", "attributes": random_attributes(rng)}
    for name in ["a", "b", "inner/c", "inner/deep/d"][: rng.randint(0, 4)]:
        for depth in range(1, name.count("/") + 1):
            documents["/".join(name.split("/")[:depth])] = {"zarr_format": 3, "node_type": "group", "attributes": {}}
        kind, dtype = rng.choice(sorted(TYPES.items()) if rng.random() < 0.7 else EXTENSIONS)
        dtype = np.dtype(dtype)
        as_text = kind == "string"
        shape, chunks = shapes(rng)
        size = dtype.itemsize
        packers = [[], [{"name": "gzip", "configuration": {"level": 3}}],
                   [{"name": "zstd", "configuration": {"level": 2, "checksum": False}}],
                   [{"name": "blosc", "configuration": {"cname": rng.choice(["lz4", "zstd"]), "clevel": 4, "typesize": size, "blocksize": 0,
                                                        "shuffle": rng.choice(["noshuffle", "shuffle", "bitshuffle"])}}]]
        packed = rng.choice(packers) + ([{"name": "crc32c"}] if rng.random() < 0.3 else [])
        as_bytes = [{"name": "bytes", "configuration": {"endian": rng.choice(["little", "big"])}}] if size > 1 else [{"name": "bytes"}]
        if as_text:
            as_bytes = [{"name": "vlen-utf8"}]
        elif dtype.kind == "S":
            as_bytes = [{"name": "bytes"}]
        deltas = kind in ("int16", "int32", "uint16") and rng.random() < 0.5
        if deltas:  # as zarr-python names it
            types = {"dtype": dtype.newbyteorder("<").str, "astype": rng.choice(["<i4", "<i8"])}
            as_bytes = [{"name": "numcodecs.delta", "configuration": types}] + as_bytes
        inner = as_bytes + packed
        if shape and rng.random() < 0.4 and not as_text:
            factors = tuple(rng.randint(1, 3) for _ in shape)
            index = [{"name": "bytes", "configuration": {"endian": "little"}}] + ([{"name": "crc32c"}] if rng.random() < 0.7 else [])
            small, chunks = chunks, tuple(c * f for c, f in zip(chunks, factors))
            conf = {"chunk_shape": small, "codecs": inner, "index_codecs": index}
            if rng.random() < 0.5:
                conf["index_location"] = rng.choice(["start", "end"])
            codecs = [{"name": "sharding_indexed", "configuration": conf}]
        else:
            codecs = inner
        if len(shape) > 1 and rng.random() < 0.4 and codecs[0]["name"] in ("bytes", "numcodecs.delta"):
            order = list(range(len(shape)))
            rng.shuffle(order)
            codecs = [{"name": "transpose", "configuration": {"order": order}}] + codecs
        fill = {"b": False, "V": [0] * size, "c": [0.0, 0.0], "f": 0.0, "O": "", "U": "", "S": ""}.get(dtype.kind, 0)
        if dtype.kind == "f" and not any(c["name"] == "sharding_indexed" for c in codecs):
            fill = rng.choice([0.0, 1.5, "NaN", "-Infinity"])
        keys = rng.choice([{"name": "default"}, {"name": "default", "configuration": {"separator": "."}},
                           {"name": "v2"}, {"name": "v2", "configuration": {"separator": "/"}}])
        document = {"zarr_format": 3, "node_type": "array", "shape": shape, "data_type": kind,
                    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunks}},
                    "chunk_key_encoding": keys, "fill_value": fill, "codecs": codecs, "attributes": random_attributes(rng)}
        names = ["d%d" % n for n in shape]
        if shape and len(set(names)) == len(names) and rng.random() < 0.5:
            document["dimension_names"] = [n if rng.random() < 0.9 else None for n in names]
        documents[name] = document
        values = random_values(rng, np_rng, dtype, shape)
        grid = [-(-n // c) for n, c in zip(shape, chunks)]
        for at in itertools.product(*map(range, grid)):
            if rng.random() < 0.2:
                continue
            chunk = np.full(chunks, "", object) if as_text else np.zeros(chunks, dtype)
            part = np.asarray(values[tuple(slice(a * c, a * c + c) for a, c in zip(at, chunks))], dtype)
            chunk[tuple(slice(0, n) for n in part.shape)] = part.item() if as_text and part.ndim == 0 else part
            key = path / name / key_of(keys, at)
            key.parent.mkdir(parents=True, exist_ok=True)
            key.write_bytes(encode_chunk(chunk, codecs))
    for name, document in documents.items():
        (path / name).mkdir(parents=True, exist_ok=True)
        (path / name / "zarr.json").write_text(json.dumps(document))


def key_of(keys, at):
    prefixed = keys["name"] == "default"
    separator = keys.get("configuration", {}).get("separator", "/" if prefixed else ".")
    if prefixed:
        return separator.join(["c"] + [str(a) for a in at])
    return separator.join(str(a) for a in at) or "0"


def fill_of(document, dtype):
    fill = document["fill_value"]
    if dtype.kind == "O":
        return fill
    if dtype.kind == "S":
        return base64.b64decode(fill)
    if dtype.kind == "c":
        fill = complex(float(fill[0]), float(fill[1]))
    elif dtype.kind == "f":
        fill = float(fill)
    elif dtype.kind == "V":
        return np.frombuffer(bytes(fill), dtype)[0]
    elif dtype.kind in "Mm":
        return np.array(fill, "i8").view(dtype)
    return dtype.type(fill)


def fill_array(document, dtype):
    return np.array(fill_of(document, dtype), dtype)


def read3(path):
    found = {}
    for meta in sorted(path.rglob("zarr.json")):
        document = json.loads(meta.read_text())
        where = "" if meta.parent == path else "/" + str(meta.parent.relative_to(path))
        attributes = dict(document.get("attributes", {}))
        if document["node_type"] == "group":
            found[where] = (attributes, None)
            continue
        if document.get("dimension_names") and any(document["dimension_names"]):
            attributes["/names"] = document["dimension_names"]
        dtype = dtype_of(document["data_type"])
        shape, chunks = document["shape"], document["chunk_grid"]["configuration"]["chunk_shape"]
        whole = np.empty(shape, dtype)
        whole[...] = fill_of(document, dtype)
        for at in itertools.product(*[range(-(-n // c)) for n, c in zip(shape, chunks)]):
            key = meta.parent / key_of(document["chunk_key_encoding"], at)
            if key.exists():
                place = tuple(slice(a * c, a * c + c) for a, c in zip(at, chunks))
                part = decode_chunk_or_shard(key.read_bytes(), document["codecs"], chunks, dtype, fill_array(document, dtype))
                whole[place] = part[tuple(slice(0, min(c, n - a * c)) for a, c, n in zip(at, chunks, shape))]
        found[where] = (attributes, whole)
    consolidated = json.loads((path / "zarr.json").read_text()).get("consolidated_metadata")
    if consolidated:
        assert {"/" + k for k in consolidated["metadata"]} == set(found) - {""}
    return found


def decode_chunk_or_shard(data, codecs, shape, dtype, fill):
    first = codecs[0]
    conf = first.get("configuration", {})
    if first["name"] == "transpose":
        order = conf["order"]
        part = decode_chunk_or_shard(data, codecs[1:], [shape[i] for i in order], dtype, fill)
        return part.transpose(np.argsort(order))
    if first["name"] == "sharding_indexed":
        inner = conf["chunk_shape"]
        grid = [n // c for n, c in zip(shape, inner)]
        checked = len(conf["index_codecs"]) > 1
        size = 16 * int(np.prod(grid)) + (4 if checked else 0)
        table = data[:size] if conf.get("index_location") == "start" else data[-size:]
        if checked:
            assert crc32c(table[:-4]).to_bytes(4, "little") == table[-4:]
            table = table[:-4]
        whole = np.full(shape, fill)
        for (offset, length), at in zip(np.frombuffer(table, "<u8").reshape(-1, 2), itertools.product(*map(range, grid))):
            if offset != 2**64 - 1:
                part = decode_chunk_or_shard(data[int(offset) : int(offset + length)], conf["codecs"], inner, dtype, fill)
                whole[tuple(slice(a * c, a * c + c) for a, c in zip(at, inner))] = part
        return whole
    return decode_chunk(data, codecs, shape, dtype)


# --- comparison ---


def make(folder, seed, count):
    (folder / "in").mkdir()
    for i in range(count):
        rng = random.Random(seed * 100003 + i)
        np_rng = np.random.default_rng(seed * 100003 + i)
        if i % 2:
            make3(folder / "in" / ("%d.zarr3" % i), rng, np_rng)
        else:
            as_zip = rng.random() < 0.3
            make2(folder / "in" / ("%d.zarr%s" % (i, ".zip" if as_zip else "")), rng, np_rng, as_zip)


def same_values(a, b, where):
    assert a.shape == b.shape and (a.dtype == b.dtype or a.dtype.newbyteorder("=") == b.dtype.newbyteorder("=")), (where, a.shape, b.shape, a.dtype, b.dtype)
    if a.dtype.names:
        for name in a.dtype.names:
            same_values(a[name], b[name], where + "." + name)
    else:
        b = b.astype(a.dtype)
        if a.dtype == object:
            assert a.tolist() == b.tolist(), (where, a, b)
            return
        assert np.ascontiguousarray(a).tobytes() == np.ascontiguousarray(b).tobytes(), (where, a, b)


def stated(attributes):
    # an empty list of dimensions is what a scalar has anyway; xarray only wants to see it
    kept = {name: value for name, value in attributes.items() if (name, value) != ("_ARRAY_DIMENSIONS", [])}
    return json.dumps(kept, sort_keys=True)


def check(folder):
    cases = sorted((folder / "in").iterdir())
    for case in cases:
        read = read3 if case.suffix == ".zarr3" else read2
        before, after = read(case), read(folder / "back" / case.name)
        assert sorted(before) == sorted(after), (case.name, sorted(before), sorted(after))
        with h5py.File(folder / "h5" / (case.name + ".h5")) as file:
            for path, (attributes, values) in before.items():
                where = case.name + ":" + path
                assert stated(attributes) == stated(after[path][0]), (where, attributes, after[path][0])
                if values is None:
                    continue
                same_values(values, after[path][1], where)
                stored = file[path]
                assert stored.shape == values.shape, where
                if values.dtype.names is None and values.dtype.kind in "biufc":
                    same_values(values, np.asarray(stored[()], values.dtype), where + " in HDF5")
                elif values.dtype == object:
                    same_values(values, np.asarray(stored.asstr()[()], object), where + " in HDF5")
    print(len(cases))


if sys.argv[1] == "make":
    make(pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
else:
    check(pathlib.Path(sys.argv[2]))

#!/usr/bin/python3
"""Makes golden chunks of filters that are registered with The HDF Group, beside those of make_golden.py.

  make_registered.py vbz      vbz.zip; needs Debian's package libvbz-hdf-plugin0
  make_registered.py zfp      zfp.zip; needs hdf5-filter-plugin-zfp-serial
  make_registered.py blosc2   blosc2.zip; needs python3-tables 3.9 or newer (Debian 13)

Each also needs python3-h5py. The form is that of golden.zip. With "vbz --check DIR" nothing is made: DIR/NAME.enc are
chunks that another program encoded, which the plugin has to decode to DIR/NAME.dec.
"""
import os
import struct
import sys
import tempfile
import zipfile

import h5py
import numpy as np
from h5py import h5d, h5f, h5p, h5s, h5t

HERE = os.path.dirname(os.path.abspath(__file__))
VBZ, ZFP, BLOSC2 = 32020, 32013, 32026
LIBRARIES = "/usr/lib/x86_64-linux-gnu"
CASES = []


def case(name, data, chunk, code, values):
    CASES.append((name, data, chunk, code, tuple(values)))


def wave(shape, dtype, scale=1000.0):
    x = np.arange(int(np.prod(shape))).reshape(shape)
    return (scale * np.sin(x / 37.0) + x % 7).astype(dtype)


def noisy(shape, dtype):
    count = int(np.prod(shape)) * np.dtype(dtype).itemsize
    return np.frombuffer(np.random.RandomState(5).bytes(count), dtype).reshape(shape)


def vbz_cases():
    for dtype, size in (("<i1", 1), ("<i2", 2), ("<i4", 4), ("<u2", 2)):
        for version in (0, 1):
            for zigzag in (0, 1):
                for level in (0, 1):
                    label = "%s-v%d-z%d-l%d" % (dtype.strip("<"), version, zigzag, level)
                    values = (version, size, zigzag, level)
                    case("vbz-" + label, wave((1501,), dtype, 90), (1501,), VBZ, values)
                    case("vbz-noise-" + label, noisy((333,), dtype), (333,), VBZ, values)
    case("vbz-one", np.array([-5], "<i2"), (1,), VBZ, (0, 2, 1, 1))


def doubles(value):
    low, high = struct.unpack("<II", struct.pack("<d", value))
    return low, high


def zfp_cases():
    shapes = ((37,), (4,), (9, 14), (8, 8), (5, 6, 7), (3, 5, 4, 6))
    modes = [("rate", (1, 0) + doubles(11.0)), ("precision", (2, 0, 19, 0)),
             ("accuracy", (3, 0) + doubles(0.01)), ("expert", (4, 0, 100, 700, 30, 0xFFFFFFF0)),
             ("reversible", (5,))]
    for dtype in ("<f4", "<f8", "<i4", "<i8"):
        for shape in shapes:
            for mode, values in modes:
                if dtype[1] == "i" and mode in ("accuracy", "expert"):
                    continue
                label = "zfp-%s-%s-%s" % (dtype.strip("<"), "x".join(map(str, shape)), mode)
                case(label, wave(shape, dtype), shape, ZFP, values)
    for mode, values in modes:
        case("zfp-zeros-" + mode, np.zeros((9, 9), "<f4"), (9, 9), ZFP, values)
        case("zfp-noise-" + mode, np.random.RandomState(3).standard_normal((13, 11)) * 1e30, (13, 11), ZFP, values)
        tiny = (np.random.RandomState(3).standard_normal((13, 11)) * 1e-40).astype("<f4")
        case("zfp-subnormal-" + mode, tiny, (13, 11), ZFP, values)
    special = wave((8, 9), "<f4")
    special[2, 3] = np.nan
    special[7, 8] = -np.inf
    case("zfp-special-reversible", special, (8, 9), ZFP, (5,))
    case("zfp-unit-dimensions", wave((1, 20, 1, 6), "<f8"), (1, 20, 1, 6), ZFP, (2, 0, 30, 0))
    case("zfp-integers-noise", noisy((7, 9, 5), "<i4") // 4, (7, 9, 5), ZFP, (5,))


def blosc2_cases():
    coders = ((0, "blosclz"), (1, "lz4"), (2, "lz4hc"), (4, "zlib"), (5, "zstd"))
    for coder, name in coders:
        for shuffle in (0, 1, 2):
            for dtype, shape in (("<f8", (2500,)), ("<i4", (37, 41)), ("u1", (3001,)), ("<i2", (9, 10, 11))):
                label = "blosc2-%s-%d-%s-%d" % (name, shuffle, dtype.strip("<"), len(shape))
                data = (np.arange(int(np.prod(shape))) // 3 % 50).astype(dtype).reshape(shape)
                case(label, data, shape, BLOSC2, (0, 0, 0, 0, 5, shuffle, coder))
    case("blosc2-zeros", np.zeros((500,), "<i4"), (500,), BLOSC2, (0, 0, 0, 0, 5, 1, 1))
    case("blosc2-zeros-2", np.zeros((50, 60), "<f8"), (50, 60), BLOSC2, (0, 0, 0, 0, 5, 1, 1))
    case("blosc2-same", np.full((500,), 7, "<i4"), (500,), BLOSC2, (0, 0, 0, 0, 5, 1, 1))
    case("blosc2-same-2", np.full((50, 61), 7.5, "<f4"), (50, 61), BLOSC2, (0, 0, 0, 0, 5, 1, 1))
    case("blosc2-nan", np.full((600,), np.nan, "<f8"), (600,), BLOSC2, (0, 0, 0, 0, 5, 1, 1))
    case("blosc2-noise", noisy((3000,), "<i4"), (3000,), BLOSC2, (0, 0, 0, 0, 5, 1, 1))
    case("blosc2-noise-2", noisy((70, 50), "<i4"), (70, 50), BLOSC2, (0, 0, 0, 0, 5, 1, 1))
    case("blosc2-blocks", np.arange(200000, dtype="<f8") // 7, (200000,), BLOSC2, (0, 0, 0, 0, 1, 1, 0))
    case("blosc2-blocks-2", (np.arange(300 * 401) // 5).astype("<f4").reshape(300, 401), (300, 401), BLOSC2,
         (0, 0, 0, 0, 1, 1, 5))
    case("blosc2-blocks-bits", (np.arange(90001) // 5).astype("<u2"), (90001,), BLOSC2, (0, 0, 0, 0, 1, 2, 1))
    case("blosc2-plain", wave((40, 30), "<f8"), (40, 30), BLOSC2, (0, 0, 0, 0, 0, 1, 1))
    case("blosc2-precision", wave((40, 30), "<f4"), (40, 30), BLOSC2, (0, 0, 0, 0, 5, 0, 1))
    case("blosc2-mixed", np.concatenate([noisy((3000,), "<i4"), np.zeros(4000, "<i4"), np.full(4000, 9, "<i4")]),
         (11000,), BLOSC2, (0, 4096, 0, 0, 9, 1, 1))
    row = np.zeros((37, 5), dtype=[("a", "<i4"), ("b", "<f8"), ("c", "S7")])
    row["a"] = np.arange(37 * 5).reshape(37, 5)
    case("blosc2-rows", row, (37, 5), BLOSC2, (0, 0, 0, 0, 5, 1, 5))


def create(entry, file):
    name, data, chunk, code, values = entry
    dcpl = h5p.create(h5p.DATASET_CREATE)
    dcpl.set_chunk(chunk)
    dcpl.set_filter(code, h5py.h5z.FLAG_OPTIONAL, values)
    return h5d.create(file, name.encode(), h5t.py_create(data.dtype), h5s.create_simple(data.shape), dcpl)


def make(entry, file):
    name, data = entry[:2]
    dset = create(entry, file)
    dset.write(h5s.ALL, h5s.ALL, np.ascontiguousarray(data))
    h5f.flush(file)
    code, flags, values, _ = dset.get_create_plist().get_filter(0)
    mask, stored = dset.read_direct_chunk((0,) * data.ndim)
    del dset
    if mask:
        print("skipped by the library:", name, file=sys.stderr)
        return None
    decoded = np.empty(data.shape, data.dtype)
    h5d.open(file, name.encode()).read(h5s.ALL, h5s.ALL, decoded)
    return "%s\t%d:%d:%s\n" % (name, code, flags & 1, ",".join(map(str, values))), stored, decoded.tobytes()


def check(entry, file, directory):
    name, data = entry[:2]
    dset = create(entry, file)
    with open(os.path.join(directory, name + ".enc"), "rb") as chunk:
        dset.write_direct_chunk((0,) * data.ndim, chunk.read())
    decoded = np.empty(data.shape, data.dtype)
    try:
        dset.read(h5s.ALL, h5s.ALL, decoded)
    except OSError as failure:
        return "bad %s: %s" % (name, failure)
    with open(os.path.join(directory, name + ".dec"), "rb") as expected:
        return "%s %s" % ("ok" if decoded.tobytes() == expected.read() else "bad", name)


def find_plugins(family, plugins):
    if family == "vbz":
        # Its folder has all libraries of the machine: HDF5 would look into each.
        os.symlink(LIBRARIES + "/libvbz_hdf_plugin.so.0", plugins + "/libvbz_hdf_plugin.so")
        h5py.h5pl.prepend(plugins.encode())
    elif family == "zfp":
        h5py.h5pl.prepend((LIBRARIES + "/hdf5/serial/plugins").encode())
    else:
        import tables  # registers the filter


def add(out, name, data):
    info = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
    info.compress_type = zipfile.ZIP_DEFLATED
    out.writestr(info, data)


def main():
    family = sys.argv[1]
    {"vbz": vbz_cases, "zfp": zfp_cases, "blosc2": blosc2_cases}[family]()
    with tempfile.TemporaryDirectory() as work:
        find_plugins(family, work)
        file = h5f.create((work + "/golden.h5").encode())
        if len(sys.argv) == 4 and sys.argv[2] == "--check":
            for entry in CASES:
                print(check(entry, file, sys.argv[3]))
            return
        made = [(entry[0], result) for entry in CASES for result in [make(entry, file)] if result]
    with zipfile.ZipFile(os.path.join(HERE, family + ".zip"), "w", zipfile.ZIP_DEFLATED) as out:
        add(out, "index.tsv", "".join(result[0] for _, result in made).encode())
        for name, (_, stored, decoded) in made:
            add(out, name + ".enc", stored)
            add(out, name + ".dec", decoded)
    print(len(made), "cases of", len(CASES))


main()

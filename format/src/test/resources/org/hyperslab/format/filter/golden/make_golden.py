#!/usr/bin/python3
"""Makes the golden chunks beside it with the HDF5 library's own filters.

Needs h5py on HDF5 1.10 and, for LZ4, bzip2, bitshuffle and Blosc, the plugins of Debian's packages
hdf5-filter-plugin, hdf5-filter-plugin-blosc-serial and bitshuffle, found by HDF5_PLUGIN_PATH.

golden.zip has for each chunk an entry NAME.enc with the stored bytes, NAME.dec with the element bytes as
in the file, and in its first entry index.tsv a line: NAME, then the stages "id:optional:v,v,v" separated
by ";".

With "--check DIR" nothing is made: DIR/NAME.enc are chunks that another program encoded, which the library
has to decode to what the case holds; a line "ok NAME", "bad NAME …" or "skip NAME …" is printed for each.
"""
import ctypes
import os
import random
import sys
import tempfile
import zipfile

import h5py
import numpy as np
from h5py import h5d, h5f, h5p, h5s, h5t

HERE = os.path.dirname(os.path.abspath(__file__))
LE, BE = h5t.ORDER_LE, h5t.ORDER_BE


def smooth(dtype, count, scale=1000.0):
    x = np.arange(count)
    return np.round(scale * np.sin(x / 40.0) + scale).astype(dtype)


def noise(dtype, count, seed=7):
    bytes_ = random.Random(seed).randbytes(count * np.dtype(dtype).itemsize)
    return np.frombuffer(bytes_, dtype=dtype)


def sized_int(base, size, precision, offset, order=LE, signed=False):
    t = base.copy()
    t.set_size(size)
    t.set_order(order)
    t.set_precision(precision)
    t.set_offset(offset)
    if signed:
        t.set_sign(h5t.SGN_2)
    return t


def masked(values, precision, offset):
    mask = ((1 << precision) - 1) << offset
    return (values.astype(np.uint64) & np.uint64(mask))


CASES = []
CHUNKS = []


def case(name, tid, dims, filters, raw, fill=None, undefined_fill=False):
    CASES.append((name, tid, tuple(dims), filters, raw, fill, undefined_fill))


def numpy_case(name, data, dims, filters, **more):
    tid = h5t.py_create(data.dtype)
    case(name, tid, dims, filters, data.tobytes(), **more)


DEFLATE, SHUFFLE, FLETCHER, SZIP, NBIT, SCALE = 1, 2, 3, 4, 5, 6
BZIP2, LZF, BLOSC, LZ4, BSHUF = 307, 32000, 32001, 32004, 32008
# With the "raw" option that H5Pset_szip always adds.
EC, NN = 4 + 128, 32 + 128

numpy_case("deflate", smooth("<f8", 500), (500,), [(DEFLATE, 1, (6,))])
numpy_case("shuffle-deflate", smooth("<f8", 501), (501,), [(SHUFFLE, 1, ()), (DEFLATE, 1, (4,))])
numpy_case("shuffle-deflate-large", np.arange(160000, dtype="<f8") // 7, (160000,),
           [(SHUFFLE, 1, ()), (DEFLATE, 1, (4,))])
numpy_case("shuffle-i2", noise("<i2", 101), (101,), [(SHUFFLE, 1, ())])
numpy_case("fletcher-odd", noise("u1", 333), (333,), [(FLETCHER, 0, ())])
numpy_case("fletcher-zero", np.zeros(64, "u1"), (64,), [(FLETCHER, 0, ())])
numpy_case("fletcher-long", noise("<f4", 2000), (2000,), [(SHUFFLE, 1, ()), (FLETCHER, 0, ())])
numpy_case("lzf", smooth("<i4", 700), (700,), [(LZF, 1, ())])
numpy_case("shuffle-lzf", smooth("<f8", 700), (700,), [(SHUFFLE, 1, ()), (LZF, 1, ())])

for dt in ("u1", "<u2", ">i2", "<i4", ">f4", "<f8"):
    for coding, mask in (("ec", EC), ("nn", NN)):
        for ppb, dims in ((8, (37, 41)), (16, (20, 64)), (32, (10, 5, 11)), (2, (300,))):
            n = int(np.prod(dims))
            label = "szip-%s-%s-%d" % (dt.replace("<", "le").replace(">", "be"), coding, ppb)
            numpy_case(label, smooth(dt, n, 60), dims, [(SZIP, 1, (mask, ppb))])
numpy_case("szip-zeros", np.zeros(5000, "<i2"), (5000,), [(SZIP, 1, (NN, 8))])
steps = np.repeat(np.arange(60), 90).astype("<u2")
numpy_case("szip-runs", steps, (5400,), [(SZIP, 1, (NN, 8))])
numpy_case("szip-runs-ec", np.where(np.arange(5400) % 700 == 5, 3, 0).astype("<u2"), (5400,),
           [(SZIP, 1, (EC, 16))])
mixed = np.concatenate([noise("<u2", 600), smooth("<u2", 600), np.zeros(600, "<u2")])
numpy_case("szip-mixed", mixed, (1800,), [(SZIP, 1, (NN, 16))])
t = sized_int(h5t.NATIVE_UINT32, 4, 20, 0)
case("szip-20-bits", t, (640,), [(SZIP, 1, (NN, 16))],
     masked(noise("<u4", 640), 20, 0).astype("<u4").tobytes())

for order, o in ((LE, "<"), (BE, ">")):
    for size, precision, offset in ((1, 3, 2), (2, 10, 3), (4, 17, 0), (4, 16, 8), (4, 31, 1),
                                    (8, 37, 5), (8, 64, 0), (8, 57, 7)):
        t = sized_int(h5t.NATIVE_INT64, size, precision, offset, order)
        raw = masked(noise("<u8", 77), precision, offset).astype("%su%d" % (o, size))
        label = "nbit-%s-%d-%d-%d" % ("le" if o == "<" else "be", size, precision, offset)
        case(label, t, (77,), [(NBIT, 1, ())], raw.tobytes())
f = h5t.IEEE_F32LE.copy()
f.set_fields(19, 13, 6, 0, 13)
f.set_precision(20)
f.set_offset(7)
f.set_ebias(31)
case("nbit-float", f, (50,), [(NBIT, 1, ())],
     masked(noise("<u4", 50), 20, 7).astype("<u4").tobytes())
inner = sized_int(h5t.NATIVE_INT32, 4, 11, 3)
array = h5t.array_create(inner, (2, 3))
case("nbit-array", array, (20,), [(NBIT, 1, ())],
     masked(noise("<u4", 120), 11, 3).astype("<u4").tobytes())
pair = h5t.create(h5t.COMPOUND, 12)
pair.insert(b"a", 0, sized_int(h5t.NATIVE_INT32, 4, 9, 2))
pair.insert(b"b", 6, sized_int(h5t.NATIVE_INT16, 2, 5, 1, BE))
compound = h5t.create(h5t.COMPOUND, 48)
compound.insert(b"n", 0, sized_int(h5t.NATIVE_INT64, 8, 33, 4))
string = h5t.C_S1.copy()
string.set_size(5)
compound.insert(b"s", 8, string)
compound.insert(b"x", 40, sized_int(h5t.NATIVE_INT32, 4, 30, 1))
compound.insert(b"p", 16, h5t.array_create(pair, (2,)))
# The library misreads the description after an array of compounds, and loses member x.
losing = h5t.create(h5t.COMPOUND, 48)
losing.insert(b"n", 0, sized_int(h5t.NATIVE_INT64, 8, 33, 4))
losing.insert(b"s", 8, string)
losing.insert(b"p", 16, h5t.array_create(pair, (2,)))
losing.insert(b"x", 40, sized_int(h5t.NATIVE_INT32, 4, 30, 1))
rows = bytearray()
rnd = random.Random(3)
for i in range(15):
    row = bytearray(48)
    row[0:8] = (rnd.getrandbits(33) << 4).to_bytes(8, "little")
    row[8:13] = rnd.randbytes(5)
    for k in range(2):
        row[16 + 12 * k:20 + 12 * k] = (rnd.getrandbits(9) << 2).to_bytes(4, "little")
        row[22 + 12 * k:24 + 12 * k] = (rnd.getrandbits(5) << 1).to_bytes(2, "big")
    row[40:44] = (rnd.getrandbits(30) << 1).to_bytes(4, "little")
    rows += row
case("nbit-compound", compound, (15,), [(NBIT, 1, ())], bytes(rows))
case("nbit-lost-member", losing, (15,), [(NBIT, 1, ())], bytes(rows))

for dt in ("u1", "i1", "<u2", ">i2", "<i4", ">u4", "<i8", ">u8"):
    base = smooth("i8", 99, 50)
    if dt.strip("<>")[0] == "i":
        base = base - 70
    data = base.astype(dt)
    label = dt.replace("<", "le").replace(">", "be")
    numpy_case("scale-%s-auto" % label, data, (99,), [(SCALE, 1, (2, 0))], undefined_fill=True)
    filled = data.copy()
    filled[5:20] = 100
    numpy_case("scale-%s-fill" % label, filled, (99,), [(SCALE, 1, (2, 0))], fill=100)
numpy_case("scale-noise", noise("<i4", 60), (60,), [(SCALE, 1, (2, 0))])
numpy_case("scale-noise-be", noise(">i4", 60), (60,), [(SCALE, 1, (2, 0))])
numpy_case("scale-same", np.full(60, -7, "<i4"), (60,), [(SCALE, 1, (2, 0))], undefined_fill=True)
numpy_case("scale-all-fill", np.zeros(60, "<i4"), (60,), [(SCALE, 1, (2, 0))])
numpy_case("scale-bits", smooth("<i4", 60, 100), (60,), [(SCALE, 1, (2, 9))])
numpy_case("scale-full-bits", smooth("<i4", 60, 100), (60,), [(SCALE, 1, (2, 32))])
for dt in ("<f4", ">f4", "<f8", ">f8"):
    label = dt.replace("<", "le").replace(">", "be")
    wave = (np.sin(np.arange(99) / 9.0) * 12 - 3).astype(dt)
    numpy_case("scale-%s-d3" % label, wave, (99,), [(SCALE, 1, (0, 3))], undefined_fill=True)
    wave = wave.copy()
    wave[3:9] = 0
    numpy_case("scale-%s-fill" % label, wave, (99,), [(SCALE, 1, (0, 2))])
    numpy_case("scale-%s-neg" % label, (wave * 1000).astype(dt), (99,), [(SCALE, 1, (0, 0xFFFFFFFF))],
               undefined_fill=True)
    numpy_case("scale-%s-full" % label, (wave * 1e6).astype(dt), (99,), [(SCALE, 1, (0, 18))])

numpy_case("bzip2", smooth("<f4", 600), (600,), [(BZIP2, 1, (9,))])
numpy_case("lz4", smooth("<f8", 900), (900,), [(LZ4, 1, (0,))])
numpy_case("lz4-blocks", np.concatenate([smooth("<i4", 500), noise("<i4", 500)]), (1000,),
           [(LZ4, 1, (600,))])
for dt in ("u1", "<i2", "<i4", "<f8"):
    label = dt.replace("<", "le")
    numpy_case("bshuf-" + label, smooth(dt, 2003), (2003,), [(BSHUF, 1, (0, 0))])
    numpy_case("bshuf-lz4-" + label, smooth(dt, 2003), (2003,), [(BSHUF, 1, (0, 2))])
    numpy_case("bshuf-lz4-block-" + label, smooth(dt, 517), (517,), [(BSHUF, 1, (64, 2))])
CODERS = ("blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd")
for coder, name in enumerate(CODERS):
    for shuffle in (0, 1, 2):
        for dt, n in (("<f8", 2500), ("<i4", 1501), ("u1", 3000)):
            label = "blosc-%s-%d-%s" % (name, shuffle, dt.replace("<", "le"))
            data = (np.arange(n) // 3 % 50).astype(dt)
            numpy_case(label, data, (n,), [(BLOSC, 1, (0, 0, 0, 0, 5, shuffle, coder))])
numpy_case("blosc-many-blocks", np.arange(20000, dtype="<f8") // 7, (20000,),
           [(BLOSC, 1, (0, 0, 0, 0, 1, 1, 0))])
numpy_case("blosc-noise", np.concatenate([noise("<i4", 3000), np.zeros(200, "<i4")]), (3200,),
           [(BLOSC, 1, (0, 0, 0, 0, 5, 1, 0))])


def create(entry, file):
    name, tid, dims, filters, raw, fill, undefined_fill = entry
    dcpl = h5p.create(h5p.DATASET_CREATE)
    dcpl.set_chunk(dims)
    if fill is not None:
        dcpl.set_fill_value(np.array(fill, dtype=tid.dtype))
    if undefined_fill:
        # h5py's API has no undefined fill value; the C function takes a null pointer.
        undefine(dcpl)
    for code, optional, values in filters:
        dcpl.set_filter(code, optional, values)
    space = h5s.create_simple(dims)
    return h5d.create(file, name.encode(), tid, space, dcpl)


def check(entry, file, directory):
    name, tid, dims, filters, raw = entry[:5]
    path = os.path.join(directory, name + ".enc")
    if not os.path.exists(path):
        return "skip %s: no such chunk" % name
    try:
        dset = create(entry, file)
    except Exception as failure:
        return "skip %s: %s" % (name, failure)
    with open(path, "rb") as chunk:
        dset.write_direct_chunk((0,) * len(dims), chunk.read())
    dtype = "V%d" % tid.get_size()
    decoded = np.empty(len(raw) // tid.get_size(), dtype=dtype)
    try:
        dset.read(h5s.ALL, h5s.ALL, decoded, tid)
    except Exception as failure:
        # A filter that this machine's library lacks is no judge of the chunk.
        missing = "can't open directory" in str(failure) or "required filter" in str(failure)
        return "%s %s: %s" % ("skip" if missing else "bad", name, failure)
    with open(os.path.join(directory, name + ".dec"), "rb") as expected:
        same = decoded.tobytes() == expected.read()
    return "%s %s" % ("ok" if same else "bad", name)


def make(entry, file):
    name, tid, dims, filters, raw = entry[:5]
    dset = create(entry, file)
    buffer = np.frombuffer(raw, dtype="V%d" % tid.get_size())
    dset.write(h5s.ALL, h5s.ALL, np.ascontiguousarray(buffer), tid)
    h5f.flush(file)
    final = dset.get_create_plist()
    mask, stored = dset.read_direct_chunk((0,) * len(dims))
    del dset
    decoded = np.empty(len(buffer), dtype=buffer.dtype)
    h5d.open(file, name.encode()).read(h5s.ALL, h5s.ALL, decoded, tid)
    stages = []
    for i in range(final.get_nfilters()):
        code, flags, values = stage(final, i)
        stages.append("%d:%d:%s" % (code, flags & 1, ",".join(str(v) for v in values)))
    if mask:
        print("skipped by the library:", name, mask, file=sys.stderr)
        return None
    CHUNKS.append((name, stored, decoded.tobytes()))
    return "%s\t%s\n" % (name, ";".join(stages))


lib = ctypes.CDLL("libhdf5_serial.so.103")
lib.H5Pset_fill_value.argtypes = [ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p]
lib.H5Pget_filter2.argtypes = [ctypes.c_int64, ctypes.c_uint] + [ctypes.c_void_p] * 3 + [
    ctypes.c_size_t] + [ctypes.c_void_p] * 2


def stage(dcpl, index):
    """A stage with all its values: h5py's get_filter stops at 16."""
    flags = ctypes.c_uint()
    count = ctypes.c_size_t(200)
    values = (ctypes.c_uint * 200)()
    config = ctypes.c_uint()
    name = ctypes.create_string_buffer(64)
    code = lib.H5Pget_filter2(dcpl.id, index, ctypes.byref(flags), ctypes.byref(count), values, 64,
                              name, ctypes.byref(config))
    return code, flags.value, list(values)[:count.value]


def undefine(dcpl):
    if lib.H5Pset_fill_value(dcpl.id, h5t.NATIVE_INT8.id, None) < 0:
        raise RuntimeError("H5Pset_fill_value")


def zstd_cases(lines):
    """Zstandard has no plugin in Debian: the frames are made by libzstd itself."""
    zstd = ctypes.CDLL("libzstd.so.1")
    zstd.ZSTD_compress.restype = ctypes.c_size_t
    for level in (1, 3, 19):
        raw = smooth("<f4", 3000).tobytes()
        room = ctypes.create_string_buffer(len(raw) + 1000)
        size = zstd.ZSTD_compress(room, ctypes.c_size_t(len(room)), raw, ctypes.c_size_t(len(raw)),
                                  level)
        name = "zstd-%d" % level
        CHUNKS.append((name, room.raw[:size], raw))
        lines.append("%s\t32015:1:%d\n" % (name, level))


def add(out, name, data):
    info = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
    info.compress_type = zipfile.ZIP_DEFLATED
    out.writestr(info, data)


def main():
    handle, path = tempfile.mkstemp(".h5")
    os.close(handle)
    file = h5f.create(path.encode())
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        for entry in CASES:
            print(check(entry, file, sys.argv[2]))
        os.remove(path)
        return
    lines = []
    for entry in CASES:
        try:
            line = make(entry, file)
        except Exception as failure:
            print("failed:", entry[0], failure, file=sys.stderr)
            continue
        if line:
            lines.append(line)
    zstd_cases(lines)
    with zipfile.ZipFile(os.path.join(HERE, "golden.zip"), "w", zipfile.ZIP_DEFLATED) as out:
        add(out, "index.tsv", "".join(lines).encode())
        for name, stored, decoded in CHUNKS:
            add(out, name + ".enc", stored)
            add(out, name + ".dec", decoded)
    os.remove(path)
    print(len(lines), "cases")


main()

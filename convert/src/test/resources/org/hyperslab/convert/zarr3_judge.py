"""Lets zarr-python 3 judge conversions to and from Zarr version 3. Run by hand:

  /usr/bin/python3 zarr3_judge.py PYTHON3 COMMAND...

PYTHON3 runs Python with zarr-python 3, COMMAND runs hyperslab, such as ./hyperslab. An HDF5 file that
h5py makes is converted to Zarr in every layout, and zarr-python compares elements, fill values and
attributes. In the other direction zarr-python writes arrays with all codecs of version 3, and h5py
compares what became of them in HDF5. Prints the number of compared arrays; fails at a difference.
"""
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np

warnings.simplefilter("ignore")
LAYOUTS = ["", "separator=.", "order=F", "checksum", "shard=2", "shard=2,checksum", "shard=3,order=F,checksum"]
NUMBERS = ["|b1", "|i1", "|u1", "<i2", ">i4", "<i8", "<u2", "<u4", ">u8", "<f2", "<f4", ">f8", "<f8", "<c8", "<c16"]
TEXTS = ["a", "grün", "", "数学", "a longer text " * 9, "z"]


def values(dtype, shape, seed=1):
    whole = np.random.default_rng(seed).integers(0, 100, shape)
    return whole % 2 == 0 if np.dtype(dtype).kind == "b" else whole.astype(dtype)


def same(expected, actual, where):
    """Compares arrays by their native bytes; text by its characters."""
    expected, actual = np.asarray(expected), np.asarray(actual)
    assert expected.shape == actual.shape, (where, expected.shape, actual.shape)
    if expected.dtype.kind in "OUST":
        texts = [[t.decode() if isinstance(t, bytes) else str(t) for t in a.reshape(-1).tolist()] for a in (expected, actual)]
        assert texts[0] == texts[1], (where, texts)
        return
    for array in (expected, actual):
        assert array.dtype.kind == expected.dtype.kind and array.dtype.itemsize == expected.dtype.itemsize, (where, expected.dtype, actual.dtype)
    native = expected.dtype.newbyteorder("=")
    assert expected.astype(native).tobytes() == actual.astype(native).tobytes(), (where, expected, actual)


# --- by h5py ---


def make_hdf5(path):
    import h5py

    with h5py.File(path, "w") as f:
        f.attrs.update({"title": "grün", "n": 5, "list": [1.5, 2.5]})
        for dtype in NUMBERS:
            whole, name = values(dtype, (13, 9)), np.dtype(dtype).name + ("be" if dtype[0] == ">" else "")
            f.create_dataset("plain/" + name, data=whole, chunks=(4, 3))
            f.create_dataset("gzip/" + name, data=whole, chunks=(4, 3), compression="gzip", fillvalue=whole[0, 0])
            f.create_dataset("shuffled/" + name, data=whole, chunks=(4, 3), compression="gzip", shuffle=True)
        f.create_dataset("scalar", data=3.5)
        f.create_dataset("empty", shape=(0, 4), dtype="i4", maxshape=(None, 4), chunks=(2, 2))
        f.create_dataset("contiguous", data=np.arange(1000, dtype="i4"))
        f.create_dataset("fletcher32", data=np.arange(1000, dtype="i4"), chunks=(100,), fletcher32=True)
        f.create_dataset("missing", shape=(100,), dtype="f4", chunks=(10,), fillvalue=np.nan)[20:35] = 7
        f.create_dataset("cube", data=values("<u2", (5, 6, 7)), chunks=(2, 3, 4), compression="gzip", shuffle=True)
        f.create_dataset("text", data=np.array(TEXTS, object).reshape(3, 2), dtype=h5py.string_dtype())
        x = f.create_dataset("x", data=np.arange(9.0))
        x.make_scale("x")
        x.attrs["units"] = "m"
        f.create_dataset("dims", data=values("<f8", (4, 9)), chunks=(2, 3)).dims[1].attach_scale(x)


def read_hdf5(path):
    """Returns the elements, attributes and fill value of each dataset by path."""
    import h5py

    found = {}

    def visit(name, node):
        if isinstance(node, h5py.Dataset):
            text = h5py.check_string_dtype(node.dtype) is not None
            found[name] = (node.asstr()[()].astype("U") if text else node[()], None if text else node.fillvalue)

    with h5py.File(path, "r") as f:
        f.visititems(visit)
    return found


# --- by zarr-python 3 ---


def check(folder):
    """Compares each store of a folder with the elements that expected.npz has."""
    import zarr

    with np.load(folder / "expected.npz") as file:
        expected = dict(file)
    count = 0
    for store in sorted(folder.glob("*.zarr3*")):
        for consolidated in (True, False):
            opened = zarr.storage.ZipStore(store, mode="r") if store.suffix == ".zip" else str(store)
            root = zarr.open_group(opened, mode="r", zarr_format=3, use_consolidated=consolidated)
            assert root.attrs["title"] == "grün" and root.attrs["n"] == 5 and root.attrs["list"] == [1.5, 2.5], dict(root.attrs)
            for key, whole in expected.items():
                name, what = key.rsplit(":", 1)
                array, where = root[name], "%s/%s" % (store.name, key)
                same(whole, array[...] if what == "elements" else array.fill_value, where)
                count += what == "elements"
            assert root["x"].attrs["units"] == "m" and root["dims"].metadata.dimension_names[1] == "x"
    print(count, "arrays equal to HDF5, by zarr-python", zarr.__version__)


def make_zarr(folder):
    """Writes arrays with all codecs, and their elements to made.npz."""
    import zarr
    import zarr.codecs as codecs
    from numcodecs import zarr3

    root = zarr.open_group(str(folder / "made.zarr3"), mode="w", zarr_format=3, attributes={"title": "grün"})
    made = {}

    def add(name, whole, **options):
        fill = options.pop("fill_value", 0)
        array = root.create_array(name, shape=whole.shape, dtype=whole.dtype, fill_value=fill, **options)
        array[...] = whole
        made[name] = array[...]  # some filters are lossy

    packers = {"none": None, "gzip": codecs.GzipCodec(level=3), "zstd": codecs.ZstdCodec(level=2), "zstd_checked": codecs.ZstdCodec(level=2, checksum=True)}
    for cname in ["lz4", "lz4hc", "zstd", "zlib", "blosclz"]:
        for shuffle in ["noshuffle", "shuffle", "bitshuffle"]:
            packers["blosc_%s_%s" % (cname, shuffle)] = codecs.BloscCodec(cname=cname, clevel=4, shuffle=shuffle)
    for name, packer in packers.items():
        packed = [packer] if packer else None
        for dtype in ["int32", "float64"]:
            add("%s/%s" % (name, dtype), values(dtype, (13, 9)), chunks=(4, 3), compressors=packed)
        add(name + "/checked", values("u2", (13, 9)), chunks=(4, 3), compressors=(packed or []) + [codecs.Crc32cCodec()])
        add(name + "/turned", values("f4", (5, 6, 7)), chunks=(2, 3, 4), compressors=packed, filters=[codecs.TransposeCodec(order=(2, 0, 1))])
        add(name + "/shards", values("i8", (13, 9)), chunks=(4, 3), shards=(8, 9), compressors=packed)
        add(name + "/turned_shards", values("i8", (13, 9)), chunks=(4, 3), shards=(8, 9), compressors=packed, filters=[codecs.TransposeCodec(order=(1, 0))])
        root.create_array(name + "/text", shape=(6,), dtype=str, chunks=(4,), compressors=packed)[...] = np.array(TEXTS, object)
        made[name + "/text"] = np.array(TEXTS)
    for dtype in sorted({np.dtype(number).name for number in NUMBERS}):
        whole = values(dtype, (7,))
        add("types/" + dtype, whole, chunks=(4,), compressors=None)
        for endian in ["little", "big"]:
            if whole.dtype.itemsize > 1:
                add("types/%s_%s" % (dtype, endian), whole, chunks=(4,), compressors=None, serializer=codecs.BytesCodec(endian=endian))
    integers, floats = values("i4", (13, 9)), values("f8", (13, 9)) / 7
    filters = {
        "delta": (integers, zarr3.Delta(dtype="<i4")),
        "delta_as": (integers, zarr3.Delta(dtype="<i4", astype="<i8")),
        "scale": (floats, zarr3.FixedScaleOffset(scale=100.0, offset=1.5, dtype="<f8", astype="<i4")),
        "quantize": (floats, zarr3.Quantize(digits=2, dtype="<f8")),
        "bitround": (floats, zarr3.BitRound(keepbits=9)),
        "astype": (integers, zarr3.AsType(encode_dtype="<i8", decode_dtype="<i4")),
        "packbits": (values("?", (13, 9)), zarr3.PackBits()),
    }
    for name, (whole, by) in filters.items():
        add("filters/" + name, whole, chunks=(4, 3), filters=[by], fill_value=whole.dtype.type(0))
    packers = {
        "zlib": zarr3.Zlib(level=3), "gzip": zarr3.GZip(level=3), "bz2": zarr3.BZ2(level=1), "lz4": zarr3.LZ4(), "zstd": zarr3.Zstd(level=3),
        "blosc": zarr3.Blosc(cname="zstd", clevel=4, shuffle=1), "shuffle": zarr3.Shuffle(elementsize=4),
        "crc32": zarr3.CRC32(), "crc32c": zarr3.CRC32C(), "adler32": zarr3.Adler32(), "fletcher32": zarr3.Fletcher32(),
    }
    for name, by in packers.items():
        add("packers/" + name, integers, chunks=(4, 3), compressors=[by])
    sharding = codecs.ShardingCodec(chunk_shape=(4, 3), codecs=[codecs.BytesCodec(), codecs.GzipCodec()], index_location="start")
    add("first_index", integers, chunks=(8, 9), serializer=sharding, compressors=None)
    zarr.consolidate_metadata(root.store)
    np.savez(folder / "made.npz", **{name.replace("/", "|"): whole for name, whole in made.items()})


# --- both ---


def main(python, command):
    script = str(pathlib.Path(__file__).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_hdf5(folder / "in.h5")
        expected = {}
        for path, (whole, fill) in read_hdf5(folder / "in.h5").items():
            expected[path + ":elements"] = whole
            if fill is not None and fill != 0:
                expected[path + ":fill"] = fill
        np.savez(folder / "expected.npz", **expected)
        for i, layout in enumerate(LAYOUTS):
            out = folder / ("%d.zarr3%s" % (i, ".zip" if i == 1 else ""))
            options = ["--zarr", layout] if layout else []
            subprocess.run(command + ["convert", str(folder / "in.h5"), str(out), "--lenient", *options], check=True)
        subprocess.run([python, script, "check", name], check=True)
        subprocess.run([python, script, "make", name], check=True)
        subprocess.run(command + ["convert", str(folder / "made.zarr3"), str(folder / "made.h5")], check=True)
        found = read_hdf5(folder / "made.h5")
        with np.load(folder / "made.npz") as made:
            for key in made:
                same(made[key], found.pop(key.replace("|", "/"))[0], key)
            assert not found, sorted(found)
            print(len(made.files), "arrays of zarr-python equal in HDF5, by h5py")


if sys.argv[1] == "check":
    check(pathlib.Path(sys.argv[2]))
elif sys.argv[1] == "make":
    make_zarr(pathlib.Path(sys.argv[2]))
else:
    main(sys.argv[1], sys.argv[2:])

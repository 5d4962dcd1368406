"""Makes stores of Zarr version 2 with zarr-python, and says what is in them.

make FOLDER SEED COUNT   makes FOLDER/N.zarr and FOLDER/N.zarr.zip
list STORE               prints each group and array with its shape, as ls -r does
values STORE PATH        prints the elements, as dump does, each in a line
"""
import pathlib
import random
import sys
import warnings

import numcodecs
import numpy as np
import zarr

warnings.simplefilter("ignore")


def opened(path, mode):
    name = str(path)
    return zarr.ZipStore(name, mode=mode) if name.endswith(".zip") else zarr.DirectoryStore(name)


def make(folder, seed, count):
    for i in range(count):
        rng = random.Random(seed * 1009 + i)
        store = opened(folder / ("%d.zarr%s" % (i, rng.choice(["", ".zip"]))), "w")
        root = zarr.open_group(store, mode="w")
        root.attrs["title"] = "green"
        for name in ["a", "b", "g/c", "g/deep/d"]:
            shape = tuple(rng.randint(1, 9) for _ in range(rng.randint(0, 3)))
            dtype = rng.choice(["<i2", ">i4", "<u8", "<f4", ">f8", "|i1", "O"])
            compressor = rng.choice([None, numcodecs.Zlib(1), numcodecs.Zstd(1), numcodecs.Blosc("lz4", 5, 1)])
            text = dtype == "O"
            array = root.create_dataset(
                name, shape=shape, dtype=object if text else dtype, object_codec=numcodecs.VLenUTF8() if text else None,
                chunks=tuple(rng.randint(1, n + 1) for n in shape), compressor=compressor, fill_value="" if text else 3,
                order="C" if text else rng.choice("CF"), dimension_separator=rng.choice("./"))
            if rng.random() < 0.2 and not text:
                continue
            count_of = int(np.prod(shape))
            numbers = [rng.choice(["a", "", "b c"]) if text else rng.randint(0, 120) / (4 if "f" in dtype else 1) for _ in range(count_of)]
            array[...] = np.array(numbers, object if text else dtype).reshape(shape) if shape else numbers[0]
            array.attrs["units"] = "m"
        if rng.random() < 0.5:
            zarr.consolidate_metadata(store)
        store.close()


def listed(store):
    lines = ["/ Group"]
    zarr.open_group(opened(store, "r"), mode="r").visititems(
        lambda path, item: lines.append(
            "/%s %s" % (path, "Group" if isinstance(item, zarr.Group) else "Dataset {%s}" % (", ".join(map(str, item.shape)) or "SCALAR"))))
    return sorted(lines)


def values(store, path):
    array = zarr.open_group(opened(store, "r"), mode="r")[path][...]
    return ['"%s"' % v if isinstance(v, str) else "%g" % v if array.dtype.kind == "f" else str(v) for v in np.asarray(array).reshape(-1).tolist()]


if sys.argv[1] == "make":
    make(pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
elif sys.argv[1] == "list":
    print("\n".join(listed(sys.argv[2])))
else:
    print("\n".join(values(sys.argv[2], sys.argv[3])))

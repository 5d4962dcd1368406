"""Makes the edits of SpaceHistory.java with h5py, and prints the name and the final size of each file."""
import os
import sys

import h5py
import numpy as np

STRING = h5py.string_dtype()
ROW = np.dtype([("number", "i4"), ("word", STRING)])


def words(count, r):
    return np.array(["word %d %s" % (i, "x" * ((i * 7 + r * 13) % 40)) for i in range(count)], dtype=object)


def rows(count, r):
    return np.array([(i, w) for i, w in enumerate(words(count, r))], dtype=ROW)


def doubles(count, r):
    return np.arange(count, dtype="f8") + r


def uneven(count, r):
    out = np.empty(count, dtype="i4")
    state = 88172645463325252 + r
    for i in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        out[i] = (state >> 40) & ((1 << (1 + (i // 4096 * 5 + r * 3) % 24)) - 1)
    return out


def create(path, fill):
    with h5py.File(path, "w") as f:
        fill(f)


def openings(path, count, edit):
    for r in range(count):
        with h5py.File(path, "r+") as f:
            edit(f, r)


def put(f, name, value):
    return f.create_dataset(name, data=value, dtype=STRING if value.dtype == object else None)


def vlen_rewritten(path):
    with h5py.File(path, "w") as f:
        d = put(f, "words", words(100, 0))
        for r in range(200):
            d[...] = words(100, r)


def vlen_rewritten_and_flushed(path):
    with h5py.File(path, "w") as f:
        d = put(f, "words", words(400, 0))
        for r in range(40):
            d[...] = words(400, r)
            f.flush()


def vlen_rewritten_over_openings(path):
    create(path, lambda f: put(f, "words", words(400, 0)))

    def edit(f, r):
        f["words"][...] = words(400, r)

    openings(path, 20, edit)


def vlen_chunks_rewritten_over_openings(path):
    create(path, lambda f: f.create_dataset(
        "words", data=words(1000, 0), dtype=STRING, chunks=(128,), compression="gzip"))

    def edit(f, r):
        f["words"][300:700] = words(400, r)

    openings(path, 20, edit)


def vlen_deleted_and_created_over_openings(path):
    create(path, lambda f: put(f, "words", words(400, 0)))

    def edit(f, r):
        del f["words"]
        put(f, "words", words(400, r))

    openings(path, 20, edit)


def deleted_and_created_over_openings(path):
    create(path, lambda f: put(f, "data", doubles(10000, 0)))

    def edit(f, r):
        del f["data"]
        put(f, "data", doubles(10000, r))

    openings(path, 20, edit)


def deleted_and_created_in_one_session(path):
    with h5py.File(path, "w") as f:
        put(f, "data", doubles(10000, 0))
        for r in range(50):
            del f["data"]
            put(f, "data", doubles(10000 - 10 * r, r))
            f.flush()


def deflated(f):
    return f.create_dataset("data", data=uneven(65536, 0), chunks=(4096,), compression="gzip")


def deflated_rewritten_in_one_session(path):
    with h5py.File(path, "w") as f:
        d = deflated(f)
        for r in range(20):
            d[...] = uneven(65536, r)


def deflated_rewritten_over_openings(path):
    create(path, deflated)

    def edit(f, r):
        f["data"][...] = uneven(65536, r)

    openings(path, 20, edit)


def small_attributes_set_again(path):
    create(path, lambda f: put(f, "data", doubles(10, 0)))

    def edit(f, r):
        for k in range(20):
            f["data"].attrs["a%d" % (k % 7)] = doubles(1 + (r + k) % 9, r)

    openings(path, 20, edit)


def set_large_attributes(path, count, version):
    with h5py.File(path, "w", libver=version) as f:
        put(f, "data", doubles(10, 0))
    for r in range(20):
        with h5py.File(path, "r+", libver=version) as f:
            for k in range(count):
                f["data"].attrs["a%d" % k] = doubles(700 + (13 * r + 7 * k) % 60, r)


def large_attributes_set_again(path):
    set_large_attributes(path, 6, "earliest")


def dense_attributes_set_again(path):
    # Only newer formats store attributes densely.
    set_large_attributes(path, 12, "latest")


def grow_attribute(path, first, step):
    create(path, lambda f: put(f, "data", doubles(10, 0)))

    def edit(f, r):
        f["data"].attrs["a"] = doubles(first + step * r, r)

    openings(path, 80, edit)


def attribute_grows_over_openings(path):
    grow_attribute(path, 13, 1)


def large_attribute_grows_over_openings(path):
    grow_attribute(path, 512, 8)


def links_created_and_deleted(path):
    create(path, lambda f: put(f, "data", doubles(10, 0)))

    def edit(f, r):
        for k in range(300):
            f.create_group("g/%d" % k)
        del f["g"]

    openings(path, 10, edit)


def resized_up_and_down(path):
    create(path, lambda f: f.create_dataset("data", (0,), "f8", maxshape=(None,), chunks=(1000,)))

    def edit(f, r):
        f["data"].resize((50000 + 100 * r,))
        f["data"][...] = doubles(50000 + 100 * r, r)
        f["data"].resize((5000,))

    openings(path, 20, edit)


def compound_with_vlen_rewritten(path):
    create(path, lambda f: f.create_dataset("rows", data=rows(300, 0), dtype=ROW))

    def edit(f, r):
        for k in range(5):
            f["rows"][...] = rows(300, r * 5 + k)

    openings(path, 10, edit)


def vlen_rows_appended(path):
    create(path, lambda f: f.create_dataset(
        "rows", data=words(50, 0), dtype=STRING, chunks=(100,), maxshape=(None,)))

    def edit(f, r):
        d = f["rows"]
        n = d.shape[0]
        d.resize((n + 50,))
        d[n:] = words(50, r)

    openings(path, 20, edit)


def copied_and_deleted(path):
    def fill(f):
        put(f, "g/data", doubles(5000, 0))
        put(f, "g/words", words(100, 0))

    create(path, fill)

    def edit(f, r):
        f.copy("g", f, "h%d" % r)
        if r > 0:
            del f["h%d" % (r - 1)]

    openings(path, 20, edit)


def headers_grow(path):
    def fill(f):
        for k in range(10):
            put(f, "d%d" % k, doubles(10, k))

    create(path, fill)

    def edit(f, r):
        for k in range(10):
            f["d%d" % k].attrs["r%d" % r] = doubles(20, k)

    openings(path, 20, edit)


def many_small_datasets(path):
    with h5py.File(path, "w") as f:
        for k in range(1000):
            put(f, "d%d" % k, doubles(10, k))


for name in sys.argv[2:]:
    target = os.path.join(sys.argv[1], name + ".theirs.h5")
    globals()[name](target)
    print(name, os.path.getsize(target))

"""Chunked datasets of every index kind, made by the HDF5 library, and what it says of their chunks.

    chunk_files.py make DIR [NAME...]   write NAME.h5 and NAME.txt; without names, the small files
    chunk_files.py check FILE LIST      compare the dataset with a list of chunks written elsewhere
    chunk_files.py edit FILE LIST       delete and write chunks at random, then compare again

The dataset is /d, of 32-bit integers; element (i, j, ...) holds the sum of coordinate times
STRIDE**(rank-1-dimension), plus 1, so that 0 is a chunk never written. NAME.txt holds the address of the
object header and one line per chunk: coordinates, address, bytes, filter mask. Where the library
iterates over an extensible array whose unlimited dimension is not the first, it gives wrong coordinates
(1.10.8); there only the number of chunks is written.

The small files beside this script were made by: chunk_files.py make .  (h5py 3.7, HDF5 1.10.8). Those
named v5_* have data layout version 5 and were made of files without that prefix by HDF5 2.2.0:
h5repack --low=5 --high=5 -f GZIP=4 IN OUT; their header address is what its h5ls -v tells.
"""
import ctypes
import os
import random
import sys

import h5py
import numpy as np

STRIDE = 1000


def pattern(rank, offset, shape):
    value = np.ones(shape, dtype="i4")
    for d in range(rank):
        line = (np.arange(offset[d], offset[d] + shape[d]) * STRIDE ** (rank - 1 - d)).astype("i4")
        value += line.reshape([-1 if e == d else 1 for e in range(rank)])
    return value


class Spec:
    def __init__(self, shape, maxshape, chunks, gzip=False, early=False, libver="latest", fill=1.0, k=None):
        self.shape, self.maxshape, self.chunks = shape, maxshape, chunks
        self.gzip, self.early, self.libver, self.fill, self.k = gzip, early, libver, fill, k


SMALL = {
    "single": Spec((7, 9), (7, 9), (7, 9)),
    "single_gzip": Spec((7, 9), (7, 9), (7, 9), gzip=True),
    "implicit": Spec((10, 23), (20, 40), (3, 5), early=True),
    "fixed": Spec((10, 23), (20, 40), (3, 5), fill=0.6),
    "fixed_gzip": Spec((10, 23, 4), (20, 40, 4), (3, 5, 2), gzip=True),
    "fixed_paged": Spec((1500,), (2500,), (1,), fill=0.0),
    "extensible_1d": Spec((1000,), (None,), (3,), fill=0.7),
    "extensible_1d_gzip": Spec((400,), (None,), (3,), gzip=True),
    "extensible_front": Spec((60, 13), (None, 17), (2, 3), fill=0.8),
    "extensible_back": Spec((13, 60), (17, None), (3, 2), fill=0.8),
    "extensible_middle_gzip": Spec((5, 40, 5), (6, None, 7), (2, 3, 2), gzip=True, fill=0.8),
    "btree2": Spec((30, 31), (None, None), (3, 4), fill=0.8),
    "btree2_gzip": Spec((11, 9, 8), (None, 9, None), (2, 3, 2), gzip=True),
    "btree1_1d": Spec((500,), (None,), (3,), libver="earliest", fill=0.9),
    "btree1_2d_gzip": Spec((30, 31), (None, 40), (3, 4), gzip=True, libver="earliest", fill=0.8),
    "btree1_k2": Spec((30, 31), (None, None), (3, 4), libver="earliest", fill=0.8, k=2),
}

LARGE = {
    "fixed_70000": Spec((70000,), (70000,), (1,)),
    "fixed_sparse": Spec((300, 300), (400, 900), (1, 1), fill=0.0),
    "extensible_100000": Spec((100000,), (None,), (1,)),
    "extensible_gzip": Spec((100, 200), (100, None), (1, 1), gzip=True),
    "extensible_sparse": Spec((400000,), (None,), (1,), fill=0.0),
    "btree2_large": Spec((200, 150), (None, None), (1, 1), gzip=True),
    "btree1_large": Spec((60000,), (None,), (1,), libver="earliest"),
}


def create(path, spec):
    fapl = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    bound = h5py.h5f.LIBVER_LATEST if spec.libver == "latest" else h5py.h5f.LIBVER_EARLIEST
    fapl.set_libver_bounds(bound, h5py.h5f.LIBVER_LATEST)
    fcpl = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    if spec.k:
        library = ctypes.CDLL("libhdf5_serial.so.103")
        assert library.H5Pset_istore_k(ctypes.c_int64(fcpl.id), ctypes.c_uint(spec.k)) == 0
    file = h5py.h5f.create(path.encode(), h5py.h5f.ACC_TRUNC, fcpl, fapl)
    dcpl = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    dcpl.set_chunk(spec.chunks)
    if spec.gzip:
        dcpl.set_deflate(4)
    if spec.early:
        dcpl.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    limits = tuple(h5py.h5s.UNLIMITED if m is None else m for m in spec.maxshape)
    start = tuple(min(s, c) if m is None else s for s, m, c in zip(spec.shape, spec.maxshape, spec.chunks))
    space = h5py.h5s.create_simple(start, limits)
    dataset = h5py.Dataset(h5py.h5d.create(file, b"d", h5py.h5t.STD_I32LE, space, dcpl))
    return h5py.File(file), dataset


def coordinates(shape, chunks):
    return list(np.ndindex(*[-(-s // c) for s, c in zip(shape, chunks)]))


def put(dataset, scaled):
    offset = [s * c for s, c in zip(scaled, dataset.chunks)]
    size = [min(c, n - o) for c, n, o in zip(dataset.chunks, dataset.shape, offset)]
    where = tuple(slice(o, o + n) for o, n in zip(offset, size))
    dataset[where] = pattern(dataset.ndim, offset, size)


def make(directory, name, spec):
    path = os.path.join(directory, name + ".h5")
    file, dataset = create(path, spec)
    random.seed(name)
    dataset.resize(spec.shape)
    if spec.fill == 1.0:
        dataset[...] = pattern(dataset.ndim, [0] * dataset.ndim, spec.shape)
    else:
        keep = coordinates(spec.shape, spec.chunks)
        keep = random.sample(keep, int(spec.fill * len(keep)) or 60)
        for scaled in keep:
            put(dataset, scaled)
    file.flush()
    describe(os.path.join(directory, name + ".txt"), dataset, spec)
    file.close()


def describe(path, dataset, spec):
    low = dataset.id
    count = low.get_num_chunks()
    rotated = spec.maxshape.count(None) == 1 and spec.maxshape[0] is not None and spec.libver == "latest"
    with open(path, "w") as text:
        text.write("header %d\n" % h5py.h5o.get_info(low).addr)
        text.write("count %d\n" % count)
        if rotated:
            return
        step = max(1, count // 100)
        for i in range(0, count, step):
            info = low.get_chunk_info(i)
            scaled = [o // c for o, c in zip(info.chunk_offset, spec.chunks)]
            text.write(
                "%s %d %d %d\n"
                % (",".join(map(str, scaled)), info.byte_offset, info.size, info.filter_mask)
            )


def listed(path):
    with open(path) as text:
        return {tuple(int(c) for c in line.split(",")) for line in text if line.strip()}


def check(path, present):
    with h5py.File(path, "r") as file:
        dataset = file["d"]
        assert dataset.id.get_num_chunks() == len(present), (dataset.id.get_num_chunks(), len(present))
        data = dataset[...]
        expected = np.zeros(dataset.shape, dtype="i4")
        for scaled in present:
            where = tuple(
                slice(s * c, min((s + 1) * c, n))
                for s, c, n in zip(scaled, dataset.chunks, dataset.shape)
            )
            expected[where] = pattern(
                dataset.ndim, [w.start for w in where], [w.stop - w.start for w in where]
            )
        assert (data == expected).all(), np.argwhere(data != expected)[:5]


def edit(path, present):
    random.seed(path)
    with h5py.File(path, "r+") as file:
        dataset = file["d"]
        every = coordinates(dataset.shape, dataset.chunks)
        for scaled in random.sample(every, min(len(every), 400)):
            put(dataset, scaled)
            present.add(scaled)
        unlimited = [d for d, m in enumerate(dataset.maxshape) if m is None]
        for d in unlimited:
            shape = list(dataset.shape)
            shape[d] += 5 * dataset.chunks[d]
            old = set(coordinates(dataset.shape, dataset.chunks))
            dataset.resize(shape)
            for scaled in coordinates(dataset.shape, dataset.chunks):
                if scaled not in old or scaled in present:
                    put(dataset, scaled)
                    present.add(scaled)
        for d in unlimited:
            shape = list(dataset.shape)
            shape[d] = max(dataset.chunks[d], shape[d] // 2 // dataset.chunks[d] * dataset.chunks[d])
            dataset.resize(shape)
            present = {s for s in present if s[d] * dataset.chunks[d] < shape[d]}
    check(path, present)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        for wanted in sys.argv[3:] or SMALL:
            make(sys.argv[2], wanted, SMALL.get(wanted) or LARGE[wanted])
    elif sys.argv[1] == "check":
        check(sys.argv[2], listed(sys.argv[3]))
    else:
        edit(sys.argv[2], listed(sys.argv[3]))
    print("agreed")

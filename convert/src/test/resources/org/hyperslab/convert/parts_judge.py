"""Makes sets of files that together are one, and judges the one file.

parts_judge.py make FOLDER SEED COUNT   writes FOLDER/N/whole.h5, and FOLDER/N/stub.h5 with its subfiles (even N), or
                                        FOLDER/N/all.parts with the files of ranks (odd N)
parts_judge.py check FOLDER             compares FOLDER/N/out.h5 with whole.h5, and prints how many there were
"""
import pathlib
import random
import sys

import h5py
import numpy as np


def subfiles(folder, rng):
    with h5py.File(folder / "whole.h5", "w") as file:
        for i in range(rng.randint(1, 4)):
            options = {"chunks": True, "compression": "gzip"} if rng.random() < 0.5 else {}
            file.create_dataset("g%d/x" % i, data=np.random.default_rng(rng.randrange(999)).integers(0, 99, (rng.randint(1, 40), 17)), **options)
        file["scalar"] = "text"
    data = (folder / "whole.h5").read_bytes()
    count, stripe = rng.randint(1, 5), rng.choice([512, 1000, 4096, 1 << 20])
    inode = rng.randrange(1 << 40)
    (folder / "stub.h5").write_bytes(data[: rng.choice([0, 96])])
    parts = [b""] * count
    for n, at in enumerate(range(0, len(data), stripe)):
        parts[n % count] += data[at : at + stripe]
    width = len(str(count))
    names = ["stub.h5.subfile_%d_%0*d_of_%d" % (inode, width, i + 1, count) for i in range(count)]
    for name, part in zip(names, parts):
        (folder / name).write_bytes(part)
    lines = ["stripe_size=%d" % stripe, "aggregator_count=%d" % count, "subfile_count=%d" % count,
             "hdf5_file=%s" % (folder / "stub.h5"), "subfile_dir=%s" % folder] + names
    (folder / ("stub.h5.subfile_%d.config" % inode)).write_text("\n".join(lines) + "\n")


def ranks(folder, rng):
    flash = rng.random() < 0.5
    axis = 0 if flash else rng.randint(0, 1)
    count = rng.randint(1, 4)
    lengths = [rng.randint(1, 6) for _ in range(count)]
    seeded = np.random.default_rng(rng.randrange(1 << 30))
    inner = rng.randint(1, 5)
    fields = {"dens": ">f4", "group/pres": "<f8", "names": "S4"}
    if flash:
        fields["gid"] = "<i4"
    common = {"time": np.float64(0.5), "params": np.arange(lengths[0] + (7 if flash else 0)) * 2, "words": np.array(["grün", "b"], object)}
    if flash:
        common["real scalars"] = np.arange(lengths[0]) / 2
    whole = h5py.File(folder / "whole.h5", "w")
    files = [h5py.File(folder / ("rank%d.h5" % r), "w") for r in range(count)]
    for name, kind in fields.items():
        shape = [sum(lengths), inner]
        if axis == 1:
            shape.reverse()
        data = seeded.integers(0, 99, shape).astype(kind)
        chunks = rng.random() < 0.5
        whole.create_dataset(name, data=data).attrs["unit"] = "g"
        for r, file in enumerate(files):
            part = np.take(data, range(sum(lengths[:r]), sum(lengths[: r + 1])), axis)
            file.create_dataset(name, data=part, chunks=True if chunks else None).attrs["unit"] = "g"
    for file in [whole] + files:
        for name, data in common.items():
            file.create_dataset(name, data=data, **({"dtype": h5py.string_dtype()} if name == "words" else {}))
        file.attrs["title"] = "run"
        file.close()
    lines = ["hyperslab parts 1", "# a comment", ""] + (["flash", "same /words"] if flash else ["axis %d" % axis, "same /params /words"])
    (folder / "all.parts").write_text("\n".join(lines + ["rank%d.h5" % r for r in range(count)]))


def make(folder, seed, count):
    for i in range(count):
        (folder / str(i)).mkdir()
        rng = random.Random(seed * 100003 + i)
        (ranks if i % 2 else subfiles)(folder / str(i), rng)


def check(folder):
    cases = sorted(folder.iterdir())
    for case in cases:
        if (case / "stub.h5").exists():
            assert (case / "whole.h5").read_bytes() == (case / "out.h5").read_bytes(), case
        with h5py.File(case / "whole.h5") as a, h5py.File(case / "out.h5") as b:
            names = [[], []]
            a.visit(names[0].append)
            b.visit(names[1].append)
            assert sorted(names[0]) == sorted(names[1]), (case, names)
            assert dict(a.attrs) == dict(b.attrs), case
            for name in names[0]:
                if isinstance(a[name], h5py.Dataset):
                    assert a[name].dtype == b[name].dtype and a[name].shape == b[name].shape, (case, name, a[name], b[name])
                    assert np.array_equal(a[name][()], b[name][()]), (case, name)
                    assert dict(a[name].attrs) == dict(b[name].attrs), (case, name)
    print(len(cases))


if sys.argv[1] == "make":
    make(pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
else:
    check(pathlib.Path(sys.argv[2]))

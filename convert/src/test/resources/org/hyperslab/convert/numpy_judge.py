"""Makes random arrays of NumPy, and judges what came back of them.

numpy_judge.py make FOLDER SEED COUNT    writes FOLDER/in/N.npy and .npz
numpy_judge.py check FOLDER              compares FOLDER/h5/NAME.h5 and FOLDER/back/NAME with them
"""
import pathlib
import random
import sys
import warnings

import h5py
import numpy as np

warnings.simplefilter("ignore")


def number_type(rng):
    kind = rng.choice(["b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"])
    return rng.choice("<>") + kind if kind not in ("b1", "i1", "u1") else kind


def simple_type(rng):
    choice = rng.randrange(10)
    if choice < 6:
        return number_type(rng)
    if choice == 6:
        return "S%d" % rng.randint(1, 9)
    if choice == 7:
        return rng.choice("<>") + "U%d" % rng.randint(1, 7)
    if choice == 8:
        return "V%d" % rng.randint(1, 5)
    return rng.choice(["<M8[ns]", ">m8[s]", "<M8[D]", "g"])


def any_type(rng, depth=0):
    if rng.random() < 0.7 or depth == 2:
        return np.dtype(simple_type(rng))
    fields = []
    for i in range(rng.randint(1, 4)):
        name = rng.choice(["x", "y z", "grün", "数", "it's", "r", "i"]) + str(i)
        if depth == 0 and rng.random() < 0.1:
            name = "ri"[i % 2] * (1 + i // 2)
        base = any_type(rng, depth + 1)
        if rng.random() < 0.25:
            fields.append((name, base, tuple(rng.randint(1, 3) for _ in range(rng.randint(1, 2)))))
        else:
            fields.append((name, base))
    return np.dtype(fields, align=rng.random() < 0.3)


TEXTS = ["", "a", "grün", "数学", "\U0001f600", "tab\t", "a\0b", "long enough"]


def fill(array, rng, np_rng):
    if array.dtype.names:
        for name in array.dtype.names:
            fill(array[name], rng, np_rng)
    elif array.dtype.kind == "U":
        flat = array.reshape(-1)
        for i in range(flat.size):
            flat[i] = rng.choice(TEXTS)
        array[...] = flat.reshape(array.shape)
    elif array.dtype.kind == "b":
        array[...] = np_rng.integers(0, 2, array.shape)
    elif array.dtype.char == "g":
        array[...] = np_rng.normal(size=array.shape)
    elif array.dtype.kind in "fc" and rng.random() < 0.5:
        array[...] = np_rng.normal(size=array.shape) * 100
    else:
        raw = np_rng.integers(0, 256, array.size * array.dtype.itemsize, dtype=np.uint8)
        array[...] = np.frombuffer(raw.tobytes(), array.dtype).reshape(array.shape)


def make_array(rng, np_rng):
    shape = tuple(rng.choice([0, 1, 2, 3, 5, 17]) for _ in range(rng.randint(0, 4)))
    array = np.zeros(shape, any_type(rng))
    fill(array, rng, np_rng)
    return np.asfortranarray(array) if rng.random() < 0.3 else array


def make(folder, seed, count):
    (folder / "in").mkdir()
    for i in range(count):
        rng = random.Random(seed * 100003 + i)
        np_rng = np.random.default_rng(seed * 100003 + i)
        if i % 5 == 4:
            arrays = {n: make_array(rng, np_rng) for n in ["a", "b/c", "b/d", "grün"][: rng.randint(0, 4)]}
            save = np.savez_compressed if rng.random() < 0.5 else np.savez
            save(folder / "in" / ("%d.npz" % i), **arrays)
            continue
        array = make_array(rng, np_rng)
        versions = [(3, 0), None] + ([(2, 0)] if array.dtype.names is None else [])
        with open(folder / "in" / ("%d.npy" % i), "wb") as out:
            np.lib.format.write_array(out, array, version=rng.choice(versions))


def same(a, b, where):
    assert a.shape == b.shape, (where, a.shape, b.shape)
    assert a.dtype == b.dtype, (where, a.dtype, b.dtype)
    equal_bits(a, b, where)


def equal_bits(a, b, where):
    if a.dtype.names:
        for name in a.dtype.names:
            equal_bits(a[name], b[name], where + "." + name)
    elif a.dtype.char == "g":
        assert np.array_equal(a, b), where  # six of its bytes say nothing
    else:
        assert np.ascontiguousarray(a).tobytes() == np.ascontiguousarray(b).tobytes(), where


def in_hdf5(array, dataset, where):
    assert dataset.shape == array.shape, (where, dataset.shape, array.shape)
    plain = array.dtype.names is None and array.dtype.kind in "biufcS" and array.dtype.char != "g"
    if plain:
        assert dataset.dtype == array.dtype, (where, dataset.dtype, array.dtype)
        equal_bits(array, dataset[...] if array.shape else np.array(dataset[()], array.dtype), where)
    elif array.dtype.kind == "U" and array.size:
        texts = [bytes(t).rstrip(b"\0").decode() for t in np.asarray(dataset[()]).reshape(-1)]
        assert texts == [str(t).rstrip("\0") for t in array.reshape(-1)], where


def check(folder):
    cases = sorted((folder / "in").iterdir())
    for case in cases:
        back = folder / "back" / case.name
        with h5py.File(folder / "h5" / (case.name + ".h5")) as file:
            if case.suffix == ".npy":
                array = np.load(case)
                same(array, np.load(back), case.name)
                in_hdf5(array, file["data"], case.name)
            else:
                before, after = np.load(case), np.load(back)
                assert sorted(before.files) == sorted(after.files), case.name
                for name in before.files:
                    same(before[name], after[name], case.name + "!" + name)
                    in_hdf5(before[name], file[name], case.name + "!" + name)
    print(len(cases))


if sys.argv[1] == "make":
    make(pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
else:
    check(pathlib.Path(sys.argv[2]))

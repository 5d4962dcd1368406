"""Makes random tables, and compares what became of them with what pandas reads.

pandas_judge.py make FOLDER SEED COUNT   writes FOLDER/in/N.csv
pandas_judge.py check FOLDER             compares FOLDER/h5/N.csv.h5 and FOLDER/back/N.csv with them

Where this project keeps what pandas does not, the tables have no such cells: integers with leading
zeros or a plus sign, and integers beside missing values that a double does not hold, stay text.
"""
import csv
import io
import math
import pathlib
import random
import sys

import h5py
import numpy
import pandas

MARKS = ["", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A",
         "NA", "NULL", "NaN", "None", "n/a", "nan", "null"]
NO_MARKS = ["-", ".", "?", "none", "na", "--", "N.A.", "missing", " ", " NA"]
TEXTS = ["a", "grün", "two words", 'quote"d', "com,ma", "tab\there", "line\nbreak", "line\r\nbreak", "数", "m", "kg", "s",
         "2020-01-02", "12:30", "1,234", "1;2", "0x10", "1_000", "5 5", "1e", "#5", "x" * 300, "  padded ", "e5", "True "]
NAMES = ["id", "code", "city", "station", "2019", "2020", "1.5", "inf", "nan", "NA", "a", "a", "a", "a.1", "b", "", "", "x y",
         "-1", "Unnamed: 1", "grün", "com,ma", 'quo"te', "true", "m", "kg", " sp"]


def integer(rng):
    return str(rng.choice([0, 7, -1, 2**53 + 1, 2**63 - 1, 1 - 2**63, rng.randint(-9999, 9999), rng.randint(0, 9)]))


def small(rng):
    return str(rng.randint(-9999, 9999))


def real(rng):
    return rng.choice([repr(rng.gauss(0, 1e3)), repr(rng.random()), "1e-300", "-0.0", ".5", "5.", "3", "inf", "-inf",
                       "1E5", "+2.5", "-3.25e+10", " 1.5", "2.5 ", "%.3f" % rng.gauss(0, 9), "1e22", "Infinity",
                       repr(rng.uniform(-1, 1) * 10 ** rng.randint(-320, 300)), "0.1234567890123456789", "4.35", "1e23"])


KINDS = {
    "int": integer,
    "small int": small,
    "uint": lambda rng: str(rng.choice([2**63, 2**64 - 1, 5, rng.randint(0, 2**64 - 1)])),
    "wide": lambda rng: str(rng.choice([2**64, -(2**63) - 1, 10**25, 3])),
    "real": real,
    "mixed": lambda rng: rng.choice([repr(rng.random()), "1e3", "-7", str(2**53 + 1), str(2**63 - 1), str(1 - 2**63)]),
    "truth": lambda rng: rng.choice(["true", "false", "True", "False", "TRUE", "FALSE"]),
    "text": lambda rng: rng.choice(TEXTS + NO_MARKS + ["3", "1.5", "true"]),
    "letters": lambda rng: rng.choice("ACKNmgsV"),
    "empty": lambda rng: "",
}


def table(rng):
    width = rng.choice([1, 2, 2, 3, 4, 6])
    names = [rng.choice(NAMES) for _ in range(width)]
    kinds = [rng.choice(list(KINDS)) for _ in range(width)]
    holes = [rng.choice([0, 0, 0.1, 0.5, 1]) if kind not in ("int", "uint", "wide", "mixed") else 0 for kind in kinds]
    marks = [rng.sample(MARKS, rng.randint(1, 3)) for _ in kinds]
    rows = []
    for _ in range(rng.choice([0, 1, 2, 3, 5, 30, 300])):
        rows.append([rng.choice(marks[i]) if rng.random() < holes[i] else KINDS[kind](rng) for i, kind in enumerate(kinds)])
    if rows and not {"int", "uint", "wide", "mixed"} & set(kinds) and rng.random() < 0.3:  # a first row that is easily taken for units
        rows.insert(0, [rng.choice(["NA", "N/A", "null", "-", ".", "?", "none", "#N/A", "", "ab", "m"]) for _ in kinds])
        if sum(c not in MARKS for c in rows[0]) == 1 and "m" in rows[0] or set(rows[0]) <= {"m", "-", ""}:
            rows.pop(0)
    return names, rows


def write(rng, names, rows):
    out = io.StringIO()
    end = rng.choice(["\n", "\r\n"])
    writer = csv.writer(out, quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL]), lineterminator=end)
    writer.writerow(names)
    for row in rows:
        writer.writerow(row)
        if rng.random() < 0.02:
            out.write(rng.choice(["", "  "]) + end)
    text = out.getvalue()
    if rng.random() < 0.2 and not text.endswith('""' + end):
        text = text[: -len(end)]
    return ("\ufeff" if rng.random() < 0.1 else "") + text


def make(folder, seed, count):
    (folder / "in").mkdir()
    for i in range(count):
        rng = random.Random(seed * 100003 + i)
        names, rows = table(rng)
        while names[0].startswith("#"):
            names, rows = table(rng)
        (folder / "in" / ("%d.csv" % i)).write_bytes(write(rng, names, rows).encode())


def pandas_table(path):
    return pandas.read_csv(path, float_precision="round_trip", na_values=["None"], low_memory=False)


def expected_type(column):
    if column.dtype == object:
        return "text"
    return {"i": "int64", "u": "uint64", "f": "float64", "b": "bool"}[column.dtype.kind]


def actual_type(dtype):
    if h5py.check_string_dtype(dtype):
        return "text"
    if h5py.check_enum_dtype(dtype) or dtype == bool:
        return "bool"
    return dtype.name


def text_of(value):
    return value.decode() if isinstance(value, bytes) else value


def compare(case, frame, table):
    names = [str(name) for name in frame.columns]
    assert list(table.dtype.names) == names, ("names", case, names, table.dtype.names)
    assert len(table) == len(frame), ("rows", case, len(frame), len(table))
    values = table[...]
    for i, name in enumerate(names):
        column = frame.iloc[:, i]
        expected, actual = expected_type(column), actual_type(table.dtype[i])
        assert actual == expected, ("type", case, name, expected, actual)
        if expected == "text":
            for left, right in zip(column, values[name]):
                right = text_of(right)
                if isinstance(left, float) and math.isnan(left):
                    assert right in MARKS, ("missing", case, name, right)
                else:
                    assert right == str(left) or str(left) in ("True", "False") and right.lower() == str(left).lower(), (
                        "text", case, name, left, right)
        elif expected == "float64":
            assert numpy.array_equal(column.to_numpy(), values[name], equal_nan=True), ("values", case, name)
            assert numpy.array_equal(numpy.signbit(column.dropna()), numpy.signbit(values[name][~column.isna().to_numpy()]))
        else:
            assert numpy.array_equal(column.to_numpy(), values[name]), ("values", case, name)


def check(folder):
    cases = sorted((folder / "in").iterdir())
    for case in cases:
        frame = pandas_table(case)
        with h5py.File(folder / "h5" / (case.name + ".h5")) as file:
            compare(case.name, frame, file["table"])
        again = pandas_table(folder / "back" / case.name)
        pandas.testing.assert_frame_equal(frame, again, check_exact=True, obj=case.name)
    print(len(cases))


if sys.argv[1] == "make":
    make(pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
else:
    check(pathlib.Path(sys.argv[2]))

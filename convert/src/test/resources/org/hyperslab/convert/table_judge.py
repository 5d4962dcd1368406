"""Makes random tables, and judges what came back of them.

table_judge.py make FOLDER SEED COUNT   writes FOLDER/in/N.csv and .tsv
table_judge.py check FOLDER             compares FOLDER/h5/NAME.h5 and FOLDER/back/NAME with them
"""
import csv
import math
import pathlib
import random
import sys

import h5py

TEXTS = ["", "a", "grün", "two words", 'quote"d', "com,ma", "tab\there", "line\nbreak", "数", "007", "+5", "x" * 300]


def cell(rng, kind):
    if kind == "int":
        return str(rng.choice([0, -1, 7, 2**53 + 1, -(2**63), 2**63 - 1, rng.randint(-999, 999)]))
    if kind == "real":
        return rng.choice([repr(rng.gauss(0, 1e3)), "1e-300", "-0.0", ".5", "nan", "inf", "-inf", "3", ""])
    if kind == "truth":
        return rng.choice(["true", "false", "True", "False"])
    return rng.choice(TEXTS)


def make(folder, seed, count):
    (folder / "in").mkdir()
    for i in range(count):
        rng = random.Random(seed * 100003 + i)
        suffix = rng.choice(["csv", "tsv"])
        kinds = [rng.choice(["int", "real", "truth", "text"]) for _ in range(rng.randint(1, 6))]
        rows = [["n%d %s" % (k, kind) for k, kind in enumerate(kinds)]]
        if rng.random() < 0.4 and ("int" in kinds or "real" in kinds):
            rows.append(["m/s" if kind in ("int", "real") else "" for kind in kinds])
        for _ in range(rng.choice([2, 10, 5000 if i == 3 else 50])):
            rows.append([cell(rng, kind) for kind in kinds])
        quoting = rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
        with open(folder / "in" / ("%d.%s" % (i, suffix)), "w", newline="", encoding="utf-8") as out:
            csv.writer(out, delimiter="\t" if suffix == "tsv" else ",", quoting=quoting,
                       lineterminator=rng.choice(["\n", "\r\n"])).writerows(rows)


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter="\t" if path.suffix == ".tsv" else ","))
    width = len(rows[0])
    return [row or [""] for row in rows if row or width == 1]


def same(a, b):
    if a == b or a.lower() == b.lower() and a.lower() in ("true", "false"):
        return True
    try:
        x, y = float(a or "nan"), float(b or "nan")
    except ValueError:
        return False
    if a.lstrip("-").isdigit() and b.lstrip("-").isdigit():
        return int(a) == int(b)
    return x == y and math.copysign(1, x) == math.copysign(1, y) or math.isnan(x) and math.isnan(y)


def check(folder):
    cases = sorted((folder / "in").iterdir())
    for case in cases:
        before, after = read(case), read(folder / "back" / case.name)
        assert len(before) == len(after), (case.name, len(before), len(after))
        for number, (left, right) in enumerate(zip(before, after)):
            assert len(left) == len(right), (case.name, number, left, right)
            for a, b in zip(left, right):
                assert same(a, b), (case.name, number, a, b)
        with h5py.File(folder / "h5" / (case.name + ".h5")) as file:
            table = file["table"]
            body = before[1:]
            if "units" in table.attrs:
                assert [u for u in table.attrs["units"]] == before[1], (case.name, before[1])
                body = body[1:]
            assert list(table.dtype.names) == before[0], case.name
            assert len(table) == len(body), (case.name, len(table), len(body))
            for row, cells in zip(table[...], body):
                for value, expected in zip(row, cells):
                    text = value.decode() if isinstance(value, bytes) else str(value)
                    assert same(expected, text), (case.name, expected, text)
    print(len(cases))


if sys.argv[1] == "make":
    make(pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
else:
    check(pathlib.Path(sys.argv[2]))

#!/usr/bin/python3
"""Times `hyperslab convert` of CSV tables to HDF5 beside pandas (read_csv) with h5py, in pairs that alternate.

tables.py FOLDER MIB PAIRS COMMAND...    COMMAND is what runs hyperslab, such as ./hyperslab

Makes two tables of about MIB mebibytes in FOLDER, which needs room for four times as much: ten columns of
doubles with all their digits, and a mixed one of integers, numbers, dates and texts. Both programs write the
same: a compound dataset, or one dataset for each column (`--columns`); texts have a fixed length. Prints a table in
Markdown: the ratios of pairs, pandas / hyperslab, above 1 where hyperslab is faster, as median (least..greatest),
of elapsed and of processor seconds, and their medians. Times are those of whole processes, start included. The
page cache is warm, and ./hyperslab does not look for changed sources (HYPERSLAB_NO_BUILD=1).
"""
import os
import pathlib
import statistics
import sys

import numpy as np

from timing import remove, timed

os.environ["HYPERSLAB_NO_BUILD"] = "1"

PANDAS = """
import sys
import h5py
import numpy as np
import pandas as pd
frame = pd.read_csv(sys.argv[1])
def elements(column):
    if pd.api.types.is_numeric_dtype(column.dtype):
        return column.to_numpy()
    return np.array([text.encode() for text in column])
with h5py.File(sys.argv[2], "w") as file:
    if sys.argv[3] == "columns":
        for name in frame:
            file.create_dataset(name, data=elements(frame[name]))
    elif all(pd.api.types.is_numeric_dtype(kind) for kind in frame.dtypes):
        file.create_dataset("table", data=frame.to_records(index=False))
    else:
        parts = {name: elements(frame[name]) for name in frame}
        table = np.empty(len(frame), [(name, part.dtype) for name, part in parts.items()])
        for name, part in parts.items():
            table[name] = part
        file.create_dataset("table", data=table)
"""
NAMES = ["Oslo", "Bergen", "Trondheim", "Lima", '"Paris, north"', "Quito", "Bodø"]
BLOCK = 20000


def numbers(path, size):
    rng = np.random.default_rng(1)
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join("c%d" % i for i in range(10)) + "\n")
        while file.tell() < size:
            rows = (rng.normal(size=(BLOCK, 10)) * 100).tolist()
            file.write("".join(",".join(map(repr, row)) + "\n" for row in rows))


def mixture(path, size):
    rng = np.random.default_rng(2)
    with open(path, "w", encoding="utf-8") as file:
        file.write("id,count,value,ratio,date,name,note\n")
        first = 0
        while file.tell() < size:
            seconds = rng.integers(0, 10**8, BLOCK).astype("m8[s]")
            columns = (
                range(first, first + BLOCK),
                rng.integers(-1000, 100000, BLOCK).tolist(),
                np.round(rng.normal(size=BLOCK) * 50, 3).tolist(),
                rng.random(BLOCK).tolist(),
                np.datetime_as_string(np.datetime64("2001-01-01T00:00:00") + seconds).tolist(),
                [NAMES[i] for i in rng.integers(0, len(NAMES), BLOCK)],
                ["sample %d" % i for i in rng.integers(0, 10**6, BLOCK)],
            )
            file.write("".join(",".join(map(str, row)) + "\n" for row in zip(*columns)))
            first += BLOCK


def spread(theirs, ours, kind):
    ratios = [b[kind] / a[kind] for a, b in zip(ours, theirs)]
    return "%.2f (%.2f..%.2f)" % (statistics.median(ratios), min(ratios), max(ratios))


def pair(label, ours, theirs, outputs, pairs):
    commands = ((ours, outputs[0], []), (theirs, outputs[1], []))
    for command, output, _ in commands:
        timed(command, output)  # warms the page cache
    for i in range(pairs):
        for command, output, times in commands if i % 2 else reversed(commands):
            times.append(timed(command, output))
    for output in outputs:
        remove(output)
    a, b = commands[0][2], commands[1][2]
    medians = [statistics.median(t[kind] for t in times) for kind in (0, 1) for times in (a, b)]
    print("| %s | %s | %s | %.2f | %.2f | %.2f | %.2f |" % (label, spread(b, a, 0), spread(b, a, 1), *medians), flush=True)


def main():
    folder, mib, pairs = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    outputs = folder / "ours.h5", folder / "pandas.h5"
    print("| | ratio, elapsed | ratio, processor | elapsed: Hyperslab, s | pandas, s | processor: Hyperslab, s | pandas, s |")
    print("|---|---|---|---|---|---|---|")
    for label, make in (("numbers", numbers), ("mixed", mixture)):
        table = folder / (label + ".csv")
        make(table, mib << 20)
        for form, option in (("compound", []), ("columns", ["--columns"])):
            pair(label + ", " + form, sys.argv[4:] + ["convert", *option, table, outputs[0]],
                 ["/usr/bin/python3", "-c", PANDAS, table, outputs[1], form], outputs, pairs)
        table.unlink()


main()

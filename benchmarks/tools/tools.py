#!/usr/bin/python3
"""Times the commands beside HDF5's tools, in pairs that alternate, and prints a table in Markdown.

tools.py FOLDER PAIRS COMMAND...    COMMAND is what runs hyperslab, such as ./hyperslab

Makes its files in FOLDER, which needs room for 4 GB (with --small 0.5 GB, files of a tenth). Each
row has the medians of elapsed and of processor time of whole processes, start included, and the
medians of the ratios of pairs, C / hyperslab: above 1, hyperslab needs less. One run of each warms
the page cache. HYPERSLAB_NO_BUILD=1 is set.
"""
import os
import pathlib
import statistics
import subprocess
import sys
import time

import h5py
import numpy as np


def make(folder, scale):
    random = np.random.default_rng(1)
    large = random.random(int(128_000_000 * scale))
    medium = large[: int(40_000_000 * scale)]
    changed = medium.copy()
    changed[[0, 1000, len(changed) // 2, -1]] += 1
    files = {"large": large, "large2": large, "medium": medium, "medium2": medium, "changed": changed,
             "numbers": large[: int(5_000_000 * scale)]}
    for name, values in files.items():
        with h5py.File(folder / (name + ".h5"), "w") as file:
            file["x"] = values
    with h5py.File(folder / "attributes.h5", "w") as file:
        for i in range(int(20_000 * scale)):
            dataset = file.create_dataset("d%05d" % i, data=np.arange(4.0) + i)
            dataset.attrs["units"] = np.bytes_("metre")
            dataset.attrs["scale"] = 0.5 * i
            dataset.attrs["n"] = np.array([1, 2, 3])


def run(command, output):
    """Runs a command, whose exit code may be 1 (files differ); returns elapsed and processor seconds."""
    if output is not None:
        output.unlink(missing_ok=True)
    start = time.monotonic()
    with open(os.devnull, "wb") as nowhere:
        process = subprocess.Popen([str(c) for c in command], stdout=nowhere)
        _, status, usage = os.wait4(process.pid, 0)
    elapsed = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        sys.exit("failed: %s" % (command,))
    return elapsed, usage.ru_utime + usage.ru_stime


def row(label, theirs, ours, output, pairs):
    run(theirs, output)
    run(ours, output)
    c, java = [], []
    for i in range(pairs):
        order = [(theirs, c), (ours, java)]
        for command, times in order if i % 2 else reversed(order):
            times.append(run(command, output))
    cells = []
    for kind in (0, 1):
        cells += ["%.2f" % statistics.median(t[kind] for t in times) for times in (c, java)]
        cells.append("%.2f" % statistics.median(x[kind] / y[kind] for x, y in zip(c, java)))
    print("| %s | %s |" % (label, " | ".join(cells)), flush=True)


def main():
    arguments = sys.argv[1:]
    small = "--small" in arguments
    if small:
        arguments.remove("--small")
    folder, pairs, ours = pathlib.Path(arguments[0]), int(arguments[1]), arguments[2:]
    os.environ["HYPERSLAB_NO_BUILD"] = "1"
    make(folder, 0.1 if small else 1)
    file = {path.stem: path for path in folder.glob("*.h5")}
    out = folder / "out.h5"
    print("| command | elapsed: C, s | ours, s | ratio | processor: C, s | ours, s | ratio |")
    print("|---|---|---|---|---|---|---|")
    rows = [
        ("`diff`, two equal files of 1 GB", "diff", [file["large"], file["large2"]], None),
        ("`diff`, two equal files of 320 MB", "diff", [file["medium"], file["medium2"]], None),
        ("`diff`, 320 MB with four differences", "diff", [file["medium"], file["changed"]], None),
        ("`dump`, 5 million doubles", "dump", [file["numbers"]], None),
        ("`dump -A`, 20,000 datasets with three attributes each", "dump", ["-A", file["attributes"]], None),
        ("`repack`, 1 GB contiguous", "repack", [file["large"], out], out),
        ("`copy`, 1 GB contiguous", "copy", ["-i", file["large"], "-o", out, "-s", "x", "-d", "x"], out),
    ]
    for label, name, words, output in rows:
        row(label, ["h5" + name] + words, ours + [name] + words, output, pairs)
    for path in list(file.values()) + [out]:
        path.unlink(missing_ok=True)


main()

#!/usr/bin/env python3
"""Compares whole processes that do little: one value, 10 MB written, 100 MB of deflated chunks read.

    /usr/bin/python3 benchmarks/cold/cold.py FOLDER ROUNDS

Prints a Markdown table: medians in seconds of elapsed and of processor time, and the most resident memory. The
programs run by turns: a JVM that does nothing, Hyperslab as a library user runs it, Hyperslab with an AOT cache that
the program has recorded (docs/building.md), jHDF, and h5py. Needs h5py, the classes of a built tree, and jHDF with
what it needs in Maven's local repository.
"""

import glob
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.dirname(os.path.abspath(__file__))
JAVA_HOME = os.environ["JAVA_HOME"]
MODULES = ["format", "vol/model", "vol/spi", "vol/api", "plugins/native"]
REPOSITORY = os.environ.get("MAVEN_REPOSITORY", os.path.expanduser("~/.m2/repository"))

H5PY = """
import sys, h5py
if sys.argv[1] == "write":
    import numpy
    with h5py.File(sys.argv[2], "w") as f:
        f["x"] = numpy.arange(1250000, dtype="f8")
else:
    with h5py.File(sys.argv[2]) as f:
        print(f["x"][:][3])
"""


def jar(folder):
    found = [
        each
        for each in glob.glob(os.path.join(folder, "*.jar"))
        if not any(word in each for word in ("sources", "javadoc", "tests"))
    ]
    if not found:
        sys.exit(f"cold: no jar in {folder}; build the tree first: mvn install -DskipTests")
    return max(found)


def version(path):
    return [int(number) for number in os.path.basename(os.path.dirname(path)).split(".") if number.isdigit()]


def library(group, artifact):
    found = glob.glob(os.path.join(REPOSITORY, group, artifact, "*", artifact + "-[0-9]*[0-9].jar"))
    return max(found, key=version) if found else ""


def compiled(work, name, class_path):
    subprocess.run(
        [f"{JAVA_HOME}/bin/javac", "-cp", class_path, "-d", f"{work}/{name}", f"{HERE}/{name}.java"], check=True
    )
    subprocess.run([f"{JAVA_HOME}/bin/jar", "cf", f"{work}/{name}.jar", "-C", f"{work}/{name}", "."], check=True)
    return f"{class_path}:{work}/{name}.jar"


FILES = """
import sys, h5py, numpy
with h5py.File(sys.argv[1] + "/small.h5", "w") as f:
    f["x"] = numpy.arange(10, dtype="i4")
with h5py.File(sys.argv[1] + "/deflated.h5", "w") as f:
    values = numpy.sin(numpy.arange(12500000) / 1000).round(3)
    f.create_dataset("x", data=values, chunks=(125000,), compression="gzip", compression_opts=4, shuffle=True)
"""


def files(work):
    # In a process of its own: what a parent has used is counted as its children's resident memory.
    subprocess.run(["/usr/bin/python3", "-c", FILES, work], check=True)


def timed(command):
    started = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = time.monotonic() - started
    if status:
        sys.exit(f"cold: failed: {' '.join(command)}")
    return elapsed, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    folder, rounds = sys.argv[1], int(sys.argv[2])
    with tempfile.TemporaryDirectory(dir=folder) as work:
        files(work)
        ours = compiled(work, "Cold", ":".join(jar(f"{ROOT}/{module}/target") for module in MODULES))
        peer = compiled(
            work,
            "JhdfCold",
            ":".join([
                library("io/jhdf", "jhdf"),
                library("org/slf4j", "slf4j-api"),
                library("org/slf4j", "slf4j-nop"),
                library("org/apache/commons", "commons-lang3"),
                library("com/ning", "compress-lzf"),
                library("at/yawk/lz4", "lz4-java"),
            ]),
        )
        java = [f"{JAVA_HOME}/bin/java", "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"]
        scenarios = [
            ("one value", "first", f"{work}/small.h5"),
            ("10 MB written", "write", f"{work}/written.h5"),
            ("100 MB, deflated", "read", f"{work}/deflated.h5"),
        ]
        print("| | program | elapsed, s | processor, s | resident, MiB |")
        print("|---|---|---|---|---|")
        for title, scenario, path in scenarios:
            cache = f"{work}/{scenario}.aot"
            recording = java + [f"-XX:AOTCacheOutput={cache}", "-cp", ours, "Cold", scenario, path]
            subprocess.run(recording, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            programs = {
                "a JVM that does nothing": java + ["-cp", ours, "Cold", "nothing", path],
                "Hyperslab": java + ["-cp", ours, "Cold", scenario, path],
                "Hyperslab, own AOT cache": java + [f"-XX:AOTCache={cache}", "-cp", ours, "Cold", scenario, path],
                "jHDF": java + ["-cp", peer, "JhdfCold", scenario, path],
                "h5py": ["/usr/bin/python3", "-c", H5PY, scenario, path],
            }
            results = {name: [] for name in programs}
            for _ in range(rounds):
                for name, command in programs.items():
                    results[name].append(timed(command))
            for name, values in results.items():
                elapsed, processor, resident = (statistics.median(column) for column in zip(*values))
                print(f"| {title} | {name} | {elapsed:.3f} | {processor:.3f} | {resident:.0f} |")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""What becomes of jobs whose ranks do not make the same collective HDF5 calls.

  benchmarks/divergence/divergence.py [--programs N] [--seed S] [--ranks R] [--limit SECONDS] [--folder F]

Random programs of six collective calls, in which one rank leaves one out, makes another, passes
other arguments, makes two in another order, ends without closing the file, comes late, or does as the
others, which shows that the time limit is long enough. Each is
run by parallel libhdf5 (src/main/c/divergence.c) under mpirun with a time limit, and by the connector
mpiio, whose programs share one job. Prints for each library how many ended, and how.

Needs mpicc and Debian's libhdf5-openmpi-dev or libhdf5-mpich-dev; rows of what is missing are left
out. HYPERSLAB_CLASSPATH replaces the built distribution's class path.
"""

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STEPS = 6
KINDS = ["missing", "other", "arguments", "order", "leaves", "late", "none"]
CALLS = ["write", "read", "flush", "extent", "attribute", "group", "dataset"]
DEADLINE = 1.0
LIBRARIES = {
    "openmpi": ["mpirun.openmpi", "--oversubscribe", "--bind-to", "none",
                "--mca", "mpi_yield_when_idle", "1"],
    "mpich": ["mpirun.mpich"],
}


def call(numbers, step):
    kind = numbers.choice(CALLS)
    if kind in ("write", "read"):
        return f"{kind}:{numbers.choice('de')}"
    if kind == "flush":
        return kind
    return f"extent:{16 * (step + 2)}" if kind == "extent" else f"{kind}:s{step}"


def changed(word):
    """The same call with another argument."""
    kind, _, argument = word.partition(":")
    if kind in ("write", "read"):
        return f"{kind}:{'e' if argument == 'd' else 'd'}"
    if kind == "flush":
        return word
    return f"extent:{int(argument) + 16}" if kind == "extent" else f"{word}x"


def program(numbers, ranks):
    """Returns how one rank diverges, and the line of each rank."""
    calls = [call(numbers, step) for step in range(STEPS)]
    kind = numbers.choice(KINDS)
    step = numbers.randrange(STEPS - (kind == "order"))
    mine = list(calls)
    if kind == "missing":
        del mine[step]
    elif kind == "other":
        mine[step] = call(numbers, STEPS)
    elif kind == "arguments":
        mine[step] = changed(mine[step])
    elif kind == "order":
        mine[step], mine[step + 1] = mine[step + 1], mine[step]
    elif kind == "leaves":
        mine[step:] = ["leave"]
    elif kind == "late":
        mine.insert(step, "late:500")
    diverges = numbers.randrange(ranks)
    return kind, [" ".join(mine if rank == diverges else calls) for rank in range(ranks)]


def run(command, seconds):
    """Returns the exit code and the output; None if the time was over."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        return process.communicate(timeout=seconds)[0], process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()[0], None


def opens(path):
    try:
        import h5py

        with h5py.File(path, "r") as file:
            return list(file) and True
    except (OSError, RuntimeError):
        return False


def native(mpi, folder, programs, ranks, seconds):
    """Returns what became of each program under libhdf5, and whether its file opens."""
    binary = os.path.join(folder, "divergence-" + mpi)
    hdf5 = f"/usr/lib/x86_64-linux-gnu/hdf5/{mpi}"
    source = os.path.join(ROOT, "benchmarks/src/main/c/divergence.c")
    subprocess.run(
        [f"mpicc.{mpi}", "-O1", "-o", binary, source, f"-I{hdf5}/include", f"-L{hdf5}/lib",
         f"-Wl,-rpath,{hdf5}/lib", "-lhdf5"],
        check=True,
    )
    outcomes = []
    for number in range(len(programs)):
        path = os.path.join(folder, f"{mpi}{number}.h5")
        text, code = run(
            launcher(mpi) + ["-n", str(ranks), binary, f"{folder}/p{number}", path], seconds
        )
        if code is None:
            outcome = "hangs"
        elif code != 0:
            outcome = "aborts"
        else:
            told = any(int(n) for n in re.findall(r"rank \d+: (\d+) failed", text))
            outcome = "error" if told else "no error"
        outcomes.append((outcome, opens(path)))
    return outcomes


def launcher(mpi):
    root = ["--allow-run-as-root"] if mpi == "openmpi" and os.geteuid() == 0 else []
    return LIBRARIES[mpi] + root


def classpath():
    if "HYPERSLAB_CLASSPATH" in os.environ:
        return os.environ["HYPERSLAB_CLASSPATH"]
    classes = os.path.join(ROOT, "benchmarks/target/classes")
    if not os.path.isdir(classes):
        build = ["mvn", "-B", "-q", "-DskipTests", "-pl", "benchmarks", "-am", "package"]
        subprocess.run(build, cwd=ROOT, check=True)
    say = f'. "{ROOT}/tools/target/dist/launch.env"; echo "$CLASSPATH"'
    return classes + ":" + subprocess.check_output(["bash", "-c", say], text=True).strip()


def ours(mpi, folder, programs, ranks, seconds):
    """Returns what became of each program under the connector mpiio."""
    java = shutil.which("java", path=os.environ.get("JAVA_HOME", "") + "/bin:" + os.environ["PATH"])
    text, _ = run(
        launcher(mpi)
        + ["-n", str(ranks), java, "-Xmx300m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
           "--enable-native-access=ALL-UNNAMED", "-cp", classpath(),
           "org.hyperslab.benchmarks.parallel.DivergingRanks",
           folder, str(len(programs)), str(DEADLINE)],
        60 + seconds * len(programs),
    )
    outcomes = []
    for number in range(len(programs)):
        said = re.findall(rf"program {number} rank \d+: (\w+)", text)
        path = os.path.join(folder, f"ours{number}.h5")
        outcome = "error" if "typed" in said else "no error"
        outcomes.append((outcome if len(said) == ranks else "hangs", opens(path)))
    if any(outcome == "hangs" for outcome, _ in outcomes):
        print(text[-3000:], file=sys.stderr)
    return outcomes


def share(outcomes, which):
    count = sum(outcome == which for outcome, _ in outcomes)
    return f"{count} ({100 * count / max(1, len(outcomes)):.0f}%)"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=20261124)
    parser.add_argument("--ranks", type=int, default=3)
    parser.add_argument("--limit", type=float, default=5)
    parser.add_argument("--folder", default=tempfile.gettempdir())
    wanted = parser.parse_args()
    numbers = random.Random(wanted.seed)
    programs = [program(numbers, wanted.ranks) for _ in range(wanted.programs)]
    folder = tempfile.mkdtemp(prefix="hyperslab-divergence.", dir=wanted.folder)
    try:
        for number, (_, lines) in enumerate(programs):
            with open(os.path.join(folder, f"p{number}"), "w") as file:
                file.write("\n".join(lines) + "\n")
        table(folder, programs, wanted)
    finally:
        shutil.rmtree(folder)


def table(folder, programs, wanted):
    rows = []
    for mpi in LIBRARIES:
        if not shutil.which(f"mpicc.{mpi}"):
            continue
        if os.path.isdir(f"/usr/lib/x86_64-linux-gnu/hdf5/{mpi}"):
            outcomes = native(mpi, folder, programs, wanted.ranks, wanted.limit)
            rows.append((f"libhdf5, {mpi}", outcomes))
        outcomes = ours(mpi, folder, programs, wanted.ranks, wanted.limit)
        rows.append((f"Hyperslab `mpiio`, {mpi}", outcomes))
    print(f"{len(programs)} programs, seed {wanted.seed}, {wanted.ranks} ranks")
    print("| | hangs | aborts | error on some rank | no error | file opens |")
    print("|---|---|---|---|---|---|")
    for name, outcomes in rows:
        shares = [share(outcomes, which) for which in ("hangs", "aborts", "error", "no error")]
        print(f"| {name} | {' | '.join(shares)} | {sum(opened for _, opened in outcomes)} |")
    print()
    for name, outcomes in rows:
        by_kind = []
        for kind in KINDS:
            mine = [outcome for (k, _), (outcome, _) in zip(programs, outcomes) if k == kind]
            by_kind.append(f"{kind} {mine.count('hangs')} of {len(mine)}")
        print(f"{name}, hangs: {', '.join(by_kind)}")


if __name__ == "__main__":
    main()

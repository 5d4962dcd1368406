#!/usr/bin/env python3
"""Compares MPI jobs that repeat the same work, by turns of less than a second.

    turns.py [--seconds S] [--turn T] [--warm W] NAME=COMMAND NAME=COMMAND ...

Each COMMAND starts a job under mpirun on this machine that prints a line "... N: SECONDS s" after
each repeat, and repeats without end. All jobs stay alive, but only one runs at a time: the ranks of
the others are stopped (SIGSTOP). So a change of the machine's speed meets all jobs alike, and no
turn includes a start or a warm-up. Each job first runs W seconds, in parts, so that no job is
stopped for longer than the limit within which ranks wait for each other.

Prints, for each job, the median of the turns' medians in milliseconds with quartiles, and the
first job's time over this one's, turn by turn: above 1 this one is faster.
"""
import argparse
import os
import re
import signal
import statistics
import subprocess
import threading
import time

PART = 4  # seconds of a part of the warm-up
LAUNCHERS = ("mpirun", "mpiexec", "orterun", "hydra", "sh", "bash")


class Job:
    def __init__(self, name, command):
        self.name = name
        self.millis = []
        self.other = []
        self.turns = []
        self.process = subprocess.Popen(
            command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True)
        threading.Thread(target=self.read, daemon=True).start()
        time.sleep(PART)
        self.ranks = self.find_ranks()
        self.send(signal.SIGSTOP)

    def read(self):
        for line in self.process.stdout:
            found = re.search(r" \d+: ([0-9.]+) s", line)
            if found:
                self.millis.append(1e3 * float(found[1]))
            else:
                self.other.append(line)

    def find_ranks(self):
        """Returns the descendants of the command that are not launchers."""
        children = {}
        listed = subprocess.run(["ps", "-eo", "pid=,ppid=,comm="], capture_output=True, text=True)
        for line in listed.stdout.splitlines():
            pid, parent, comm = line.split(None, 2)
            children.setdefault(int(parent), []).append((int(pid), comm))
        ranks, left = [], [self.process.pid]
        while left:
            for pid, comm in children.get(left.pop(), []):
                left.append(pid)
                if not comm.startswith(LAUNCHERS):
                    ranks.append(pid)
        return ranks

    def send(self, number):
        for rank in self.ranks:
            try:
                os.kill(rank, number)
            except ProcessLookupError:
                raise SystemExit(f"{self.name} has ended:\n" + "".join(self.other[-20:])) from None

    def run(self, seconds):
        """Runs the job for a while; returns the times that ended meanwhile."""
        before = len(self.millis)
        self.send(signal.SIGCONT)
        time.sleep(seconds)
        self.send(signal.SIGSTOP)
        time.sleep(0.02)  # until the last line is read
        return self.millis[before + 2:]  # the first was interrupted, the second found cold caches

    def end(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        for rank in self.ranks:
            try:
                os.kill(rank, signal.SIGKILL)
            except ProcessLookupError:
                pass


def quartiles(values):
    ordered = sorted(values)
    return ordered[len(ordered) // 4], ordered[3 * len(ordered) // 4]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=100, help="of all turns")
    parser.add_argument("--turn", type=float, default=0.6)
    parser.add_argument("--warm", type=float, default=44)
    parser.add_argument("jobs", nargs="+")
    wanted = parser.parse_args()
    jobs = []
    try:
        for each in wanted.jobs:
            jobs.append(Job(*each.split("=", 1)))
        for _ in range(int(wanted.warm / PART)):
            for job in jobs:
                job.run(PART)
        for job in jobs:
            print(f"{job.name}: {len(job.millis)} repeats of warm-up", flush=True)
        end = time.monotonic() + wanted.seconds
        forward = True
        while time.monotonic() < end:
            for job in jobs if forward else reversed(jobs):
                times = job.run(wanted.turn)
                job.turns.append(statistics.median(times) if times else float("nan"))
            forward = not forward
    finally:
        for job in jobs:
            job.end()
    for job in jobs:
        # A turn in which one of the two finished nothing says nothing.
        pairs = [(a, b) for a, b in zip(jobs[0].turns, job.turns) if a == a and b == b]
        if not pairs:
            print(f"{job.name}: no repeat ended in a turn; it printed:\n" + "".join(job.other[-20:]))
            continue
        low, high = quartiles([b for _, b in pairs])
        ratios = [a / b for a, b in pairs]
        less, more = quartiles(ratios)
        print(
            f"{job.name}: {statistics.median(b for _, b in pairs):.2f} ms ({low:.2f} to {high:.2f}),"
            f" {len(pairs)} turns; {jobs[0].name} / {job.name}"
            f" {statistics.median(ratios):.3f} ({less:.3f} to {more:.3f})")


if __name__ == "__main__":
    main()

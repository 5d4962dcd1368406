"""Runs commands and takes their times, for the benchmarks of this folder."""

import os
import shutil
import subprocess
import sys
import time


def remove(path):
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def timed(command, output):
    """Runs a command; returns elapsed and processor seconds."""
    remove(output)
    start = time.monotonic()
    process = subprocess.Popen([str(c) for c in command])
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit("failed: %s" % (command,))
    return elapsed, usage.ru_utime + usage.ru_stime

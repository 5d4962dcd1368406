# Reads lines "IN<tab>OUT" and has the C library copy everything in the file IN to a group "copy" of a new
# file OUT. Answers each with a line: "ok", or "failed" and why.
import os
import sys
import h5py

# What a dying library says is no answer.
os.dup2(os.open(os.devnull, os.O_WRONLY), 2)

for line in sys.stdin:
    source, target = line.rstrip("\n").split("\t")
    try:
        with h5py.File(source, "r") as a, h5py.File(target, "w", libver="latest") as b:
            a.copy(a["/"], b, "copy", expand_refs=True)
        answer = "ok"
    except Exception as failure:
        answer = "failed " + repr(failure).replace("\n", " ")
    sys.stdout.write(answer + "\n")
    sys.stdout.flush()
